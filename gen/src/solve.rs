//! Solving one class, skeleton by skeleton.
//!
//! Men only step forward, so the placements of men (*skeletons*) form a directed acyclic graph, and within one only kings move. A
//! skeleton is solved in three phases:
//!
//! 1. *captures* of every frame, for both sides: these positions are done;
//! 2. *conversions*: men's moves and promotions, whose words are finished in other skeletons or classes;
//! 3. *sweeps* in place over the kings' moves until nothing changes, visiting only rows below which something changed.
//!
//! All skeletons with the same white men are one block, solved by one thread; blocks whose men have equally
//! many steps left are independent of each other and run in parallel.

use damier_core::{Board, Color, Rules, Word, WordOf, directions_for, promotion_row};
use damier_tables::Kind;
use rayon::prelude::*;

use crate::captures::{Tally, captures};
use crate::cell::Cell;
use crate::layout::{Frame, Insertion, Layout};
use crate::solved::{Block, Children, Known, Solved};
use crate::time::{Phases, Stopwatch};

/// Skeletons of at least this many frames are searched for captures by all threads.
const PARALLEL_FRAMES: usize = 1 << 14;

/// Solves a class whose children are known. `finished` is told the number of frames of each finished block.
pub fn solve<R: Rules, C: Cell<R>>(
    class: damier_tables::Class,
    known: &Known<R, C>,
    finished: &(dyn Fn(u64) + Sync),
) -> (Solved<R, C>, Phases) {
    let solved = Solved::new(class);
    let task = Task::new(&solved, known);
    let mut phases = Phases::default();
    for level in task.levels() {
        phases += level
            .into_par_iter()
            .map_init(Scratch::new, |scratch, rank| {
                let mut phases = Phases::default();
                let block = task.solve_block(rank, scratch, &mut phases);
                solved.finish(rank, block);
                finished(solved.layout.block_len() as u64);
                phases
            })
            .sum();
    }
    (solved, phases)
}

/// What is fixed while a class is solved.
pub(crate) struct Task<'a, R: Rules, C> {
    pub(crate) solved: &'a Solved<R, C>,
    pub(crate) children: Children<'a, R, C>,
    pub(crate) white_kings: Vec<WordOf<R>>,
    pub(crate) black_kings: Vec<WordOf<R>>,
    pub(crate) black_men: Vec<WordOf<R>>,
}

/// What a skeleton needs besides its cells, by frame.
#[derive(Clone, Copy)]
pub(crate) struct Open<W, C> {
    /// By side to move: positions in which no capture is due.
    pub(crate) quiet: [W; 2],
    /// By side to move: the minimum over the children in finished skeletons.
    pub(crate) least: [C; 2],
}

/// Memory reused from skeleton to skeleton.
pub(crate) struct Scratch<R: Rules, C> {
    pub(crate) open: Vec<Open<WordOf<R>, C>>,
    pub(crate) tally: Tally<R, C>,
    /// Rows to look at again, by side to move.
    dirty: [Vec<bool>; 2],
    targets: Vec<Target<WordOf<R>>>,
    row: Vec<C>,
}

impl<R: Rules, C: Cell<R>> Scratch<R, C> {
    pub(crate) fn new() -> Self {
        Scratch {
            open: Vec::new(),
            tally: Tally::new(),
            dirty: [Vec::new(), Vec::new()],
            targets: Vec::new(),
            row: Vec::new(),
        }
    }
}

/// A row that one white king's move leads to.
#[derive(Clone, Copy)]
pub(crate) struct Target<W> {
    row: usize,
    /// The squares crossed and the one landed on: no other piece may be there.
    path: W,
}

/// One placement of all men.
#[derive(Clone, Copy)]
pub(crate) struct Skeleton<W> {
    pub(crate) white_men: W,
    pub(crate) black_men: W,
    /// Rank of Black's men.
    pub(crate) rank: usize,
}

impl<W: Word> Skeleton<W> {
    pub(crate) fn men(&self) -> W {
        self.white_men | self.black_men
    }

    pub(crate) fn frame(&self, white_kings: W, black_kings: W) -> Frame<W> {
        Frame { white_men: self.white_men, white_kings, black_men: self.black_men, black_kings }
    }
}

impl<'a, R: Rules, C: Cell<R>> Task<'a, R, C> {
    pub(crate) fn new(solved: &'a Solved<R, C>, known: &'a Known<R, C>) -> Self {
        let layout = &solved.layout;
        Task {
            solved,
            children: known.children(layout.class),
            white_kings: layout.white_kings.sets(),
            black_kings: layout.black_kings.sets(),
            black_men: layout.black_men.sets(),
        }
    }

    fn layout(&self) -> &'a Layout<R> {
        &self.solved.layout
    }

    /// The blocks by how many steps White's men have left: each level depends on the ones before it only.
    pub(crate) fn levels(&self) -> Vec<Vec<usize>> {
        let geometry = R::Board::geometry();
        let mut levels: Vec<Vec<usize>> = Vec::new();
        for rank in 0..self.layout().blocks() {
            let men = self.layout().white_men.unrank(rank as u64);
            let steps = men.bits().map(|man| geometry.row(man)).sum::<usize>();
            if levels.len() <= steps {
                levels.resize(steps + 1, Vec::new());
            }
            levels[steps].push(rank);
        }
        levels
    }

    pub(crate) fn empty_block(&self) -> Block<WordOf<R>, C> {
        let frames = self.layout().block_len();
        let cells = || vec![C::NONE; frames].into_boxed_slice();
        let due = || vec![WordOf::<R>::EMPTY; frames].into_boxed_slice();
        Block { cells: [cells(), cells()], due: [due(), due()] }
    }

    fn solve_block(
        &self,
        rank: usize,
        scratch: &mut Scratch<R, C>,
        phases: &mut Phases,
    ) -> Block<WordOf<R>, C> {
        let white_men = self.layout().white_men.unrank(rank as u64);
        let frames = self.layout().skeleton_len();
        let mut block = self.empty_block();
        for (rank, &black_men) in self.black_men.iter().enumerate() {
            let skeleton = Skeleton { white_men, black_men, rank };
            if white_men.meets(black_men) {
                continue;
            }
            let mut stopwatch = Stopwatch::sampling(rank, self.black_men.len(), frames);
            let range = rank * frames..(rank + 1) * frames;
            let [white_due, black_due] = &mut block.due;
            let due = [&mut white_due[range.clone()], &mut black_due[range.clone()]];
            let [white, black] = &mut block.cells;
            let (white_done, white) = white[..range.end].split_at_mut(range.start);
            let (_, black) = black[..range.end].split_at_mut(range.start);
            self.capture_phase(skeleton, [white, black], due, scratch);
            phases.captures += stopwatch.lap();
            self.conversion_phase(skeleton, white_done, scratch);
            for (frame, open) in scratch.open.iter().enumerate() {
                for (turn, cells) in [&mut *white, &mut *black].into_iter().enumerate() {
                    let quiet = open.quiet[turn];
                    cells[frame] = cells[frame].joined(&C::unknown(quiet));
                }
            }
            self.sweep_phase(skeleton, white, black, scratch);
            phases.sweeps += stopwatch.lap();
        }
        block
    }

    /// Settles the positions with a capture due and opens the others.
    pub(crate) fn capture_phase(
        &self,
        skeleton: Skeleton<WordOf<R>>,
        cells: [&mut [C]; 2],
        due: [&mut [WordOf<R>]; 2],
        scratch: &mut Scratch<R, C>,
    ) {
        let closed = Open { quiet: [WordOf::<R>::EMPTY; 2], least: [C::NONE; 2] };
        scratch.open.clear();
        scratch.open.resize(self.layout().skeleton_len(), closed);
        let row_len = self.layout().row_len();
        let [white, black] = cells;
        let [white_due, black_due] = due;
        let row = |tally: &mut Tally<R, C>,
                   white_kings: WordOf<R>,
                   open: &mut [Open<WordOf<R>, C>],
                   cells: [&mut [C]; 2],
                   due: [&mut [WordOf<R>]; 2]| {
            if white_kings.meets(skeleton.men()) {
                return;
            }
            for (j, &black_kings) in self.black_kings.iter().enumerate() {
                if black_kings.meets(skeleton.men() | white_kings) {
                    continue;
                }
                let frame = skeleton.frame(white_kings, black_kings);
                let squares = self.layout().domain & !frame.occupied();
                for turn in Color::BOTH {
                    let found =
                        captures(self.layout(), &self.children, turn, &frame, squares, tally);
                    cells[turn.index()][j] = found.least.reply(found.squares);
                    due[turn.index()][j] = found.squares;
                    open[j].quiet[turn.index()] = squares & !found.squares;
                }
            }
        };
        if scratch.open.len() < PARALLEL_FRAMES {
            for (i, &white_kings) in self.white_kings.iter().enumerate() {
                let range = i * row_len..(i + 1) * row_len;
                row(
                    &mut scratch.tally,
                    white_kings,
                    &mut scratch.open[range.clone()],
                    [&mut white[range.clone()], &mut black[range.clone()]],
                    [&mut white_due[range.clone()], &mut black_due[range]],
                );
            }
        } else {
            (
                &self.white_kings,
                scratch.open.par_chunks_mut(row_len),
                white.par_chunks_mut(row_len),
                black.par_chunks_mut(row_len),
                white_due.par_chunks_mut(row_len),
                black_due.par_chunks_mut(row_len),
            )
                .into_par_iter()
                .for_each_init(
                    Tally::new,
                    |tally, (&kings, open, white, black, w, b)| {
                        row(tally, kings, open, [white, black], [w, b]);
                    },
                );
        }
    }

    /// Takes the minimum over the men's moves; `done` are the cells with White to move of the finished skeletons of this block.
    pub(crate) fn conversion_phase(
        &self,
        skeleton: Skeleton<WordOf<R>>,
        done: &[C],
        scratch: &mut Scratch<R, C>,
    ) {
        let geometry = R::Board::geometry();
        let layout = self.layout();
        let frames = layout.skeleton_len();
        let open = &mut scratch.open;
        for man in skeleton.white_men.singles() {
            for direction in R::MAN_MOVES.iter() {
                let to = geometry.step(man, direction);
                if to.is_empty() || to.meets(skeleton.men()) {
                    continue;
                }
                let others = skeleton.white_men ^ man;
                if to.meets(promotion_row::<R>(Color::White)) {
                    self.white_promotes(skeleton, others, to, open);
                    continue;
                }
                let block = self.solved.block(layout.white_men.rank(others | to) as usize);
                let source = &block.cells[Color::Black.index()][skeleton.rank * frames..][..frames];
                for (open, child) in open.iter_mut().zip(source) {
                    open.least[0].absorb(child, open.quiet[0]);
                }
            }
        }
        let black_moves = directions_for(R::MAN_MOVES, Color::Black);
        for man in skeleton.black_men.singles() {
            for direction in black_moves.iter() {
                let to = geometry.step(man, direction);
                if to.is_empty() || to.meets(skeleton.men()) {
                    continue;
                }
                let others = skeleton.black_men ^ man;
                if to.meets(promotion_row::<R>(Color::Black)) {
                    self.black_promotes(skeleton, others, to, open);
                    continue;
                }
                let rank = layout.black_men.rank(others | to) as usize;
                for (open, child) in open.iter_mut().zip(&done[rank * frames..][..frames]) {
                    open.least[1].absorb(child, open.quiet[1]);
                }
            }
        }
        if layout.free == Kind::Man {
            self.free_promotes(skeleton, open);
        }
    }

    /// The free man is crowned: the same frame of the class with a free king.
    fn free_promotes(&self, skeleton: Skeleton<WordOf<R>>, open: &mut [Open<WordOf<R>, C>]) {
        let geometry = R::Board::geometry();
        let layout = self.layout();
        let crown = promotion_row::<R>(Color::Black);
        let moves = directions_for(R::MAN_MOVES, Color::Black);
        let class = layout.class;
        let child = self.children.find(
            class.white.men as u32,
            class.white.kings as u32,
            class.black.men as u32 - 1,
            1,
        );
        debug_assert_eq!(layout.row_len(), 1);
        for (open, &white_kings) in open.iter_mut().zip(&self.white_kings) {
            let quiet = open.quiet[1];
            if quiet.is_empty() {
                continue;
            }
            let frame = skeleton.frame(white_kings, WordOf::<R>::EMPTY);
            if let Some(child) = child {
                let crowned = child.cell(Color::White, &frame).restricted(crown);
                open.least[1].absorb(&crowned.moved(layout.domain, moves, false), quiet);
                continue;
            }
            // Known in the other orientation only.
            for direction in moves.iter() {
                let goals = geometry.step(quiet, direction) & crown & !frame.occupied();
                for to in goals.singles() {
                    let all = Frame { black_kings: to, ..frame };
                    let (cell, of) = self.children.position(Color::White, &all);
                    let from = geometry.step(to, direction.opposite());
                    open.least[1].absorb_least(cell, of, from);
                }
            }
        }
    }

    /// A white man is crowned on `to`; `others` are White's other men.
    fn white_promotes(
        &self,
        skeleton: Skeleton<WordOf<R>>,
        others: WordOf<R>,
        to: WordOf<R>,
        open: &mut [Open<WordOf<R>, C>],
    ) {
        let layout = self.layout();
        let row_len = layout.row_len();
        let class = layout.class;
        let child = self.children.find(
            class.white.men as u32 - 1,
            class.white.kings as u32 + 1,
            class.black.men as u32,
            class.black.kings as u32,
        );
        for (row, &white_kings) in self.white_kings.iter().enumerate() {
            if white_kings.meets(to | skeleton.men()) {
                continue;
            }
            let open = &mut open[row * row_len..][..row_len];
            let Some(child) = child else {
                // Known in the other orientation only.
                for (open, &black_kings) in open.iter_mut().zip(&self.black_kings) {
                    let mut after = skeleton.frame(white_kings | to, black_kings);
                    after.white_men = others;
                    self.absorb_one_by_one(Color::White, &after, to, open);
                }
                continue;
            };
            let block = child.block(child.layout.white_men.rank(others) as usize);
            let start = child.layout.row_start(skeleton.rank, white_kings | to);
            let source = &block.cells[Color::Black.index()][start..][..row_len];
            for (open, child) in open.iter_mut().zip(source) {
                open.least[0].absorb(child, open.quiet[0]);
            }
        }
    }

    /// One of Black's men in the frame is crowned on `to`; `others` are the others.
    fn black_promotes(
        &self,
        skeleton: Skeleton<WordOf<R>>,
        others: WordOf<R>,
        to: WordOf<R>,
        open: &mut [Open<WordOf<R>, C>],
    ) {
        let layout = self.layout();
        let row_len = layout.row_len();
        let class = layout.class;
        let child = self.children.find(
            class.white.men as u32,
            class.white.kings as u32,
            class.black.men as u32 - 1,
            class.black.kings as u32 + 1,
        );
        for (row, &white_kings) in self.white_kings.iter().enumerate() {
            if white_kings.meets(to | skeleton.men()) {
                continue;
            }
            let open = &mut open[row * row_len..][..row_len];
            match (child, layout.free) {
                (Some(child), Kind::King) => {
                    let block = child.block(layout.white_men.rank(skeleton.white_men) as usize);
                    let skeleton = child.layout.black_men.rank(others) as usize;
                    let start = child.layout.row_start(skeleton, white_kings);
                    for (open, &black_kings) in open.iter_mut().zip(&self.black_kings) {
                        if black_kings.meets(to) {
                            continue;
                        }
                        let rank = child.layout.black_kings.rank(black_kings | to) as usize;
                        let child = &block.cells[Color::White.index()][start + rank];
                        open.least[1].absorb(child, open.quiet[1]);
                    }
                }
                (Some(child), Kind::Man) => {
                    // The man just crowned becomes the free piece.
                    let mut after = skeleton.frame(white_kings, WordOf::<R>::EMPTY);
                    for square in open[0].quiet[1].singles() {
                        after.black_men = others | square;
                        let cell = child.cell(Color::White, &after);
                        open[0].least[1].absorb_least(cell, to, square);
                    }
                }
                (None, _) => {
                    for (open, &black_kings) in open.iter_mut().zip(&self.black_kings) {
                        let mut after = skeleton.frame(white_kings, black_kings | to);
                        after.black_men = others;
                        self.absorb_one_by_one(Color::Black, &after, to, open);
                    }
                }
            }
        }
    }

    /// Absorbs children that are known in the other orientation only, position by position: `after` is the frame after the
    /// promotion on `to`.
    fn absorb_one_by_one(
        &self,
        mover: Color,
        after: &Frame<WordOf<R>>,
        to: WordOf<R>,
        open: &mut Open<WordOf<R>, C>,
    ) {
        for square in (open.quiet[mover.index()] & !to).singles() {
            let mut all = *after;
            match self.layout().free {
                Kind::Man => all.black_men |= square,
                Kind::King => all.black_kings |= square,
            }
            let (cell, of) = self.children.position(!mover, &all);
            open.least[mover.index()].absorb_least(cell, of, square);
        }
    }

    /// Sweeps over the kings' moves, in place, until nothing changes.
    fn sweep_phase(
        &self,
        skeleton: Skeleton<WordOf<R>>,
        white: &mut [C],
        black: &mut [C],
        scratch: &mut Scratch<R, C>,
    ) {
        let row_len = self.layout().row_len();
        let Scratch { open, dirty, targets, row: least, .. } = scratch;
        for dirty in dirty.iter_mut() {
            dirty.clear();
            dirty.resize(self.white_kings.len(), true);
        }
        let [dirty_white, dirty_black] = dirty;
        while dirty_white.contains(&true) {
            for (row, &white_kings) in self.white_kings.iter().enumerate() {
                let (look_white, look_black) = (dirty_white[row], dirty_black[row]);
                dirty_white[row] = false;
                if white_kings.meets(skeleton.men()) || !(look_white || look_black) {
                    continue;
                }
                let range = row * row_len..(row + 1) * row_len;
                let open = &open[range.clone()];
                let mut look_black = look_black;
                targets.clear();
                let mut have_targets = false;
                if look_white && !settled::<R, C>(open, &white[range.clone()], Color::White) {
                    self.find_targets(skeleton, white_kings, targets);
                    have_targets = true;
                    self.white_children(open, black, targets, least);
                    if update::<R, C>(open, &mut white[range.clone()], least, Color::White) {
                        look_black = true;
                    }
                }
                if look_black {
                    dirty_black[row] = false;
                    let white = &white[range.clone()];
                    let black = &mut black[range];
                    if self.black_row(skeleton, white_kings, open, white, black) {
                        if !have_targets {
                            self.find_targets(skeleton, white_kings, targets);
                        }
                        // A king's moves can be taken back: the rows to look at are those it leads to.
                        for target in targets.iter() {
                            dirty_white[target.row] = true;
                        }
                    }
                }
            }
        }
    }

    /// The first word of a skeleton that is not what its successors make of it: frame, side to move, one of the squares
    /// that differ, the word found and the one expected.
    #[allow(clippy::type_complexity)]
    pub(crate) fn first_difference(
        &self,
        skeleton: Skeleton<WordOf<R>>,
        white: &[C],
        black: &[C],
        scratch: &mut Scratch<R, C>,
    ) -> Option<(Frame<WordOf<R>>, Color, WordOf<R>, C, C)> {
        let row_len = self.layout().row_len();
        let Scratch { open, targets, row: least, .. } = scratch;
        for (row, &white_kings) in self.white_kings.iter().enumerate() {
            if white_kings.meets(skeleton.men()) {
                continue;
            }
            let range = row * row_len..(row + 1) * row_len;
            let open = &open[range.clone()];
            self.find_targets(skeleton, white_kings, targets);
            self.white_children(open, black, targets, least);
            let white = &white[range.clone()];
            for (j, &black_kings) in self.black_kings.iter().enumerate() {
                let frame = skeleton.frame(white_kings, black_kings);
                let quiet = open[j].quiet;
                let reply = self.black_children(skeleton, white_kings, black_kings, j, open, white);
                let black = &black[range.start + j];
                for (turn, found, least) in
                    [(Color::White, &white[j], &least[j]), (Color::Black, black, &reply)]
                {
                    let quiet = quiet[turn.index()];
                    let expected = renewed::<R, C>(found, least, quiet);
                    if expected != *found {
                        let square = expected.differs(found).singles().next()?;
                        return Some((frame, turn, square, *found, expected));
                    }
                }
            }
        }
        None
    }

    /// The rows that White's kings' moves lead to.
    #[inline(always)]
    pub(crate) fn find_targets(
        &self,
        skeleton: Skeleton<WordOf<R>>,
        white_kings: WordOf<R>,
        targets: &mut Vec<Target<WordOf<R>>>,
    ) {
        targets.clear();
        let occupied = skeleton.men() | white_kings;
        for king in white_kings.singles() {
            let insertion = Insertion::new(&self.layout().white_kings, white_kings ^ king);
            king_moves::<R>(king.first(), occupied, |to, path| {
                targets.push(Target { row: insertion.rank(to), path });
            });
        }
    }

    /// The minimum over White's king moves, for a row.
    #[inline(always)]
    fn white_children(
        &self,
        open: &[Open<WordOf<R>, C>],
        black: &[C],
        targets: &[Target<WordOf<R>>],
        least: &mut Vec<C>,
    ) {
        let row_len = self.layout().row_len();
        least.clear();
        least.extend(open.iter().map(|open| open.least[0]));
        for &Target { row, path } in targets {
            let children = &black[row * row_len..][..row_len];
            for ((least, child), &kings) in least.iter_mut().zip(children).zip(&self.black_kings) {
                // Another black king on the path stops the move for the whole frame.
                let at = if kings.meets(path) { WordOf::<R>::EMPTY } else { !path };
                least.absorb(child, at);
            }
        }
    }

    /// Brings the words with Black to move of one row up to date; tells whether any changed.
    #[inline(always)]
    fn black_row(
        &self,
        skeleton: Skeleton<WordOf<R>>,
        white_kings: WordOf<R>,
        open: &[Open<WordOf<R>, C>],
        white: &[C],
        black: &mut [C],
    ) -> bool {
        let mut changed = false;
        for (j, &black_kings) in self.black_kings.iter().enumerate() {
            let quiet = open[j].quiet[1];
            if black[j].is_settled(quiet) {
                continue;
            }
            let least = self.black_children(skeleton, white_kings, black_kings, j, open, white);
            let updated = renewed::<R, C>(&black[j], &least, quiet);
            if updated != black[j] {
                black[j] = updated;
                changed = true;
            }
        }
        changed
    }

    /// The minimum over Black's moves from one frame; `white` is the frame's row with White to move.
    #[inline(always)]
    pub(crate) fn black_children(
        &self,
        skeleton: Skeleton<WordOf<R>>,
        white_kings: WordOf<R>,
        black_kings: WordOf<R>,
        j: usize,
        open: &[Open<WordOf<R>, C>],
        white: &[C],
    ) -> C {
        let occupied = skeleton.men() | white_kings | black_kings;
        let quiet = open[j].quiet[1];
        let mut least = open[j].least[1];
        let empty = self.layout().domain & !occupied;
        let moved = match self.layout().free {
            Kind::King => white[j].moved(empty, R::KING_MOVES, R::FLYING_KINGS),
            Kind::Man => white[j].moved(empty, directions_for(R::MAN_MOVES, Color::Black), false),
        };
        least.absorb(&moved, quiet);
        for king in black_kings.singles() {
            let insertion = Insertion::new(&self.layout().black_kings, black_kings ^ king);
            king_moves::<R>(king.first(), occupied, |to, path| {
                least.absorb(&white[insertion.rank(to)], !path);
            });
        }
        least
    }
}

/// The moves of one king: destination, and the squares crossed with the destination.
#[inline(always)]
fn king_moves<R: Rules>(from: u32, occupied: WordOf<R>, mut each: impl FnMut(u32, WordOf<R>)) {
    let geometry = R::Board::geometry();
    for direction in R::KING_MOVES.iter() {
        let mut run = if R::FLYING_KINGS {
            geometry.slide(from, direction, occupied)
        } else {
            geometry.step(WordOf::<R>::bit(from), direction) & !occupied
        };
        let mut path = WordOf::<R>::EMPTY;
        while !run.is_empty() {
            let to = damier_core::nearest(run, direction);
            let square = WordOf::<R>::bit(to);
            run ^= square;
            path |= square;
            each(to, path);
        }
    }
}

#[inline(always)]
fn settled<R: Rules, C: Cell<R>>(open: &[Open<WordOf<R>, C>], cells: &[C], turn: Color) -> bool {
    open.iter().zip(cells).all(|(open, cell)| cell.is_settled(open.quiet[turn.index()]))
}

/// A cell whose quiet positions take new values.
#[inline(always)]
fn renewed<R: Rules, C: Cell<R>>(cell: &C, least: &C, quiet: WordOf<R>) -> C {
    cell.restricted(!quiet).joined(&least.reply(quiet))
}

#[inline(always)]
fn update<R: Rules, C: Cell<R>>(
    open: &[Open<WordOf<R>, C>],
    cells: &mut [C],
    least: &[C],
    turn: Color,
) -> bool {
    let mut changed = false;
    for ((open, cell), least) in open.iter().zip(cells).zip(least) {
        let updated = renewed::<R, C>(cell, least, open.quiet[turn.index()]);
        changed |= updated != *cell;
        *cell = updated;
    }
    changed
}
