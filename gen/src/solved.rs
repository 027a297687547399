//! Solved classes in memory, and looking positions up in them.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use damier_core::{Board, Color, Rules, Word, WordOf};
use damier_tables::{Class, Kind};

use crate::cell::Cell;
use crate::counting::{Counting, Transition};
use crate::layout::{Frame, Layout};

/// The cells of one placement of White's men.
#[derive(Debug)]
pub struct Block<W, C> {
    /// By side to move, then frame.
    pub cells: [Box<[C]>; 2],
    /// Squares of the free piece with which the side to move must capture; empty once dropped.
    pub due: [Box<[W]>; 2],
}

/// One ordered class, solved or being solved: blocks are set as they are finished.
#[derive(Debug)]
pub struct Solved<R: Rules, C> {
    /// How positions are numbered.
    pub layout: Layout<R>,
    blocks: Vec<OnceLock<Block<WordOf<R>, C>>>,
}

impl<R: Rules, C: Cell<R>> Solved<R, C> {
    /// A class without any block yet.
    pub fn new(class: Class) -> Self {
        let layout = Layout::new(class);
        let blocks = (0..layout.blocks()).map(|_| OnceLock::new()).collect();
        Solved { layout, blocks }
    }

    /// A finished block.
    ///
    /// # Panics
    /// If the block has not been solved: the schedule was broken.
    #[inline(always)]
    pub fn block(&self, rank: usize) -> &Block<WordOf<R>, C> {
        self.blocks[rank].get().expect("blocks are solved in dependency order")
    }

    /// Adds a finished block.
    pub fn finish(&self, rank: usize, block: Block<WordOf<R>, C>) {
        assert!(self.blocks[rank].set(block).is_ok(), "each block is solved once");
    }

    /// Forgets where captures are due: other classes do not need it.
    pub fn drop_due(&mut self) {
        for block in self.blocks.iter_mut().filter_map(OnceLock::get_mut) {
            block.due = Default::default();
        }
    }

    /// The cell of a frame.
    #[inline(always)]
    pub fn cell(&self, turn: Color, frame: &Frame<WordOf<R>>) -> &C {
        let block = self.block(self.layout.white_men.rank(frame.white_men) as usize);
        &block.cells[turn.index()][self.layout.offset(frame)]
    }
}

/// The classes that are known so far, by ordered class.
#[derive(Debug)]
pub struct Known<R: Rules, C> {
    classes: HashMap<Class, Arc<Solved<R, C>>>,
}

impl<R: Rules, C> Default for Known<R, C> {
    /// Nothing is known.
    fn default() -> Self {
        Known { classes: HashMap::new() }
    }
}

impl<R: Rules, C: Cell<R>> Known<R, C> {
    /// Nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a solved class.
    pub fn insert(&mut self, solved: Arc<Solved<R, C>>) {
        self.classes.insert(solved.layout.class, solved);
    }

    /// Forgets a class.
    pub fn remove(&mut self, class: Class) -> Option<Arc<Solved<R, C>>> {
        self.classes.remove(&class)
    }

    /// A solved class in this orientation.
    pub fn get(&self, class: Class) -> Option<&Arc<Solved<R, C>>> {
        self.classes.get(&class)
    }

    /// The known classes that a class can turn into, ready to be looked up.
    pub fn children(&self, class: Class, counting: &dyn Counting) -> Children<'_, R, C> {
        Children::new(self, class, counting)
    }
}

/// A class that another leads to.
#[derive(Debug)]
pub struct Child<'a, R: Rules, C> {
    /// Its values.
    pub solved: &'a Solved<R, C>,
    /// What a capture that leads to it makes of a distance.
    pub captured: Transition,
    /// What a quiet promotion that leads to it makes of a distance.
    pub promoted: Transition,
}

impl<R: Rules, C> Clone for Child<'_, R, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Rules, C> Copy for Child<'_, R, C> {}

/// What the positions of one class lead to: the classes with fewer pieces or fewer men, by their numbers.
pub struct Children<'a, R: Rules, C> {
    /// By white men, white kings, black men and black kings.
    table: Vec<Option<Child<'a, R, C>>>,
    /// Sizes of the last three dimensions.
    sizes: [usize; 3],
}

impl<'a, R: Rules, C: Cell<R>> Children<'a, R, C> {
    fn new(known: &'a Known<R, C>, class: Class, counting: &dyn Counting) -> Self {
        // A dual lookup swaps the sides, so each dimension has room for either side's numbers; a promotion adds a king.
        let men = class.white.men.max(class.black.men) + 1;
        let kings = class.white.kings.max(class.black.kings) + u8::from(class.men() > 0) + 1;
        let mut table = Vec::new();
        for white_men in 0..men {
            for white_kings in 0..kings {
                for black_men in 0..men {
                    for black_kings in 0..kings {
                        let child = Class::new(white_men, white_kings, black_men, black_kings);
                        table.push(known.get(child).map(|solved| Child {
                            solved,
                            captured: counting.capture(class, child),
                            promoted: counting.promotion(class, child),
                        }));
                    }
                }
            }
        }
        Children { table, sizes: [kings, men, kings].map(usize::from) }
    }

    /// The class with these numbers, if it is known.
    #[inline(always)]
    pub fn find(
        &self,
        white_men: u32,
        white_kings: u32,
        black_men: u32,
        black_kings: u32,
    ) -> Option<Child<'a, R, C>> {
        let [b, c, d] = self.sizes;
        let index = ((white_men as usize * b + white_kings as usize) * c + black_men as usize) * d
            + black_kings as usize;
        self.table[index]
    }

    /// The cell of a frame with a free piece of this kind, after a capture.
    ///
    /// # Panics
    /// If its class is not known: the schedule was broken.
    #[inline(always)]
    pub fn cell(&self, turn: Color, frame: &Frame<WordOf<R>>, free: Kind) -> C {
        let man = u32::from(free == Kind::Man);
        let child = self
            .find(
                frame.white_men.count(),
                frame.white_kings.count(),
                frame.black_men.count() + man,
                frame.black_kings.count() + 1 - man,
            )
            .expect("children are solved before their parents");
        child.solved.cell(turn, frame).after(child.captured)
    }

    /// The class of a position, given by all its pieces, in the orientation in which it is known; the position in it, and its side to
    /// move.
    #[inline(always)]
    fn oriented(
        &self,
        turn: Color,
        all: &Frame<WordOf<R>>,
    ) -> (Child<'a, R, C>, Color, Frame<WordOf<R>>) {
        let find = |all: &Frame<WordOf<R>>| {
            self.find(
                all.white_men.count(),
                all.white_kings.count(),
                all.black_men.count(),
                all.black_kings.count(),
            )
        };
        if let Some(child) = find(all) {
            return (child, turn, *all);
        }
        let turned = all.turned(R::Board::BITS);
        let child = find(&turned).expect("children are solved before their parents");
        (child, !turn, turned)
    }

    /// The cell and square at which one position is found after a capture; `all` holds *all* pieces, and both sides have one. The
    /// class may be known in either orientation.
    #[inline(always)]
    pub fn captured(&self, turn: Color, all: &Frame<WordOf<R>>) -> (C, WordOf<R>) {
        let (child, turn, all) = self.oriented(turn, all);
        let (cell, square) = child.solved.position(turn, &all);
        (cell.after(child.captured), square)
    }

    /// Like [`captured`](Children::captured), after a quiet promotion.
    #[inline(always)]
    pub fn promoted(&self, turn: Color, all: &Frame<WordOf<R>>) -> (C, WordOf<R>) {
        let (child, turn, all) = self.oriented(turn, all);
        let (cell, square) = child.solved.position(turn, &all);
        (cell.after(child.promoted), square)
    }
}

impl<R: Rules, C: Cell<R>> Solved<R, C> {
    /// The cell and square at which a position of this class is found; `all` holds all pieces.
    #[inline(always)]
    pub fn position(&self, turn: Color, all: &Frame<WordOf<R>>) -> (&C, WordOf<R>) {
        let mut frame = *all;
        let square = match self.layout.free {
            Kind::King => {
                let square = WordOf::<R>::bit(all.black_kings.first());
                frame.black_kings ^= square;
                square
            }
            Kind::Man => {
                let square = WordOf::<R>::bit(all.black_men.first());
                frame.black_men ^= square;
                square
            }
        };
        (self.cell(turn, &frame), square)
    }
}
