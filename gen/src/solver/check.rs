//! Holding a finished class against its successors.

use damier_core::{Color, Rules, Word, WordOf};

use super::{Open, Scratch, Skeleton, Task};
use crate::cell::Cell;
use crate::counting::Counting;
use crate::layout::Frame;
use crate::parallel;
use crate::solved::{Known, Solved};

/// A position whose value is not what its successors make of it.
#[derive(Clone, Copy, Debug)]
pub struct Difference<W, C> {
    /// The pieces but the free one.
    pub frame: Frame<W>,
    /// The side to move.
    pub turn: Color,
    /// The square of the free piece.
    pub square: W,
    /// The word that holds the position.
    pub found: C,
    /// The word as its successors make it.
    pub expected: C,
}

impl<R: Rules, C: Cell<R>> Solved<R, C> {
    /// The first position without a capture due whose value is not what its successors make of it; the children must be
    /// known, and where captures are due.
    pub fn first_difference(
        &self,
        known: &Known<R, C>,
        counting: &dyn Counting,
    ) -> Option<Difference<WordOf<R>, C>> {
        let task = Task::new(self, known, counting);
        let check = |rank| task.check_block(rank, &mut Scratch::new());
        parallel::map(self.layout.blocks(), &check).into_iter().flatten().next()
    }
}

impl<R: Rules, C: Cell<R>> Task<'_, R, C> {
    fn check_block(
        &self,
        rank: usize,
        scratch: &mut Scratch<R, C>,
    ) -> Option<Difference<WordOf<R>, C>> {
        let frames = self.layout().skeleton_len();
        let block = self.solved.block(rank);
        let white_men = self.layout().white_men.unrank(rank as u64);
        for (rank, &black_men) in self.black_men.iter().enumerate() {
            if white_men.meets(black_men) {
                continue;
            }
            let skeleton = Skeleton { white_men, black_men, rank };
            let range = rank * frames..(rank + 1) * frames;
            self.reopen(skeleton, [0, 1].map(|turn| &block.due[turn][range.clone()]), scratch);
            self.conversion_phase(skeleton, &block.cells[0], scratch);
            let open = std::mem::take(&mut scratch.open);
            for turn in Color::BOTH {
                let other = |rank: usize, skeleton: usize| {
                    let cells = &self.solved.block(rank).cells[(!turn).index()];
                    &cells[skeleton * frames..][..frames]
                };
                let mut least = std::mem::take(&mut scratch.skeleton);
                self.children_of(skeleton, turn, &open, &other, scratch, &mut least);
                let cells = &block.cells[turn.index()][range.clone()];
                for (place, (found, least)) in cells.iter().zip(&least).enumerate() {
                    let expected = self.renewed(found, least, open[place].quiet[turn.index()]);
                    let differs = expected.differs(found);
                    if let Some(square) = differs.singles().next() {
                        let row_len = self.layout().row_len();
                        let white_kings = self.white_kings[place / row_len];
                        let frame = skeleton.frame(white_kings, self.black_kings[place % row_len]);
                        return Some(Difference { frame, turn, square, found: *found, expected });
                    }
                }
                scratch.skeleton = least;
            }
            scratch.open = open;
        }
        None
    }

    /// Opens the positions without a capture due of a skeleton whose captures are known.
    fn reopen(
        &self,
        skeleton: Skeleton<WordOf<R>>,
        due: [&[WordOf<R>]; 2],
        scratch: &mut Scratch<R, C>,
    ) {
        scratch.open.clear();
        for &white_kings in &self.white_kings {
            for &black_kings in &self.black_kings {
                let frame = skeleton.frame(white_kings, black_kings);
                let place = scratch.open.len();
                let pieces = self.layout().class.pieces() - 1;
                let mut open = Open { quiet: [WordOf::<R>::EMPTY; 2], least: [C::none(); 2] };
                if frame.occupied().count() == pieces {
                    let squares = self.layout().domain & !frame.occupied();
                    for turn in Color::BOTH {
                        open.quiet[turn.index()] = squares & !due[turn.index()][place];
                    }
                    self.note_blocked(&frame, &mut open);
                }
                scratch.open.push(open);
            }
        }
    }
}
