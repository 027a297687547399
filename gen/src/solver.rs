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
//! many steps left are independent of each other and run in parallel. Where men step sideways as well, such blocks are solved
//! together.

mod check;
mod conversions;
mod sideways;
mod sweeps;

use damier_core::{Board, Color, Directions, Goal, Rules, Word, WordOf, directions_for};
use damier_tables::{Class, Kind};

pub use self::check::Difference;
use crate::captures::{Tally, captures};
use crate::cell::Cell;
use crate::counting::{Counting, Transition};
use crate::layout::{Frame, Layout};
use crate::parallel;
use crate::solved::{Block, Children, Known, Solved};
use crate::time::{Phases, Stopwatch};

/// Skeletons of at least this many frames are searched for captures by all threads.
const PARALLEL_FRAMES: usize = 1 << 14;

/// Solves a class whose children are known. `finished` is told the number of frames of each finished block.
pub fn solve_class<R: Rules, C: Cell<R>>(
    class: Class,
    known: &Known<R, C>,
    counting: &dyn Counting,
    finished: &(dyn Fn(u64) + Sync),
) -> (Solved<R, C>, Phases) {
    let solved = Solved::new(class);
    let task = Task::new(&solved, known, counting);
    let mut phases = Phases::default();
    for level in task.levels() {
        if !sideways::<R>().is_empty() {
            for (rank, block) in task.solve_together(&level, &mut phases) {
                solved.finish(rank, block);
                finished(solved.layout.block_len() as u64);
            }
            continue;
        }
        let solve_one = |number: usize| {
            let mut phases = Phases::default();
            let rank = level[number];
            solved.finish(rank, task.solve_block(rank, &mut Scratch::new(), &mut phases));
            finished(solved.layout.block_len() as u64);
            phases
        };
        phases += parallel::map(level.len(), &solve_one).into_iter().sum();
    }
    (solved, phases)
}

/// Solves classes that are independent of each other.
pub fn solve_classes<R: Rules, C: Cell<R>>(
    classes: &[Class],
    known: &Known<R, C>,
    counting: &dyn Counting,
) -> Vec<Solved<R, C>> {
    parallel::map(classes.len(), &|number| solve_class(classes[number], known, counting, &|_| {}).0)
}

/// White's men's steps that bring them nearer to their promotion row.
pub(crate) const fn forward<R: Rules>() -> Directions {
    R::MAN_MOVES.without(Directions::SIDEWAYS)
}

/// Men's steps that leave them on their row; the same for both sides.
pub(crate) const fn sideways<R: Rules>() -> Directions {
    R::MAN_MOVES.without(forward::<R>())
}

/// What is fixed while a class is solved.
pub(crate) struct Task<'a, R: Rules, C> {
    pub(crate) solved: &'a Solved<R, C>,
    pub(crate) children: Children<'a, R, C>,
    /// What a man's move that leaves it a man makes of a distance.
    pub(crate) man_move: Transition,
    /// The most plies that count.
    limit: Option<u16>,
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
pub(crate) struct Scratch<R: Rules, C: Cell<R>> {
    pub(crate) open: Vec<Open<WordOf<R>, C>>,
    pub(crate) tally: Tally<R, C>,
    /// Rows to look at again, by side to move.
    dirty: [Vec<bool>; 2],
    targets: Vec<Target<WordOf<R>>>,
    row: Vec<C>,
    pub(crate) skeleton: Vec<C>,
}

impl<R: Rules, C: Cell<R>> Scratch<R, C> {
    pub(crate) fn new() -> Self {
        Scratch {
            open: Vec::new(),
            tally: Tally::new(),
            dirty: [Vec::new(), Vec::new()],
            targets: Vec::new(),
            row: Vec::new(),
            skeleton: Vec::new(),
        }
    }
}

/// Consecutive rows of a skeleton.
struct Rows<'a, W, C> {
    kings: &'a [W],
    open: &'a mut [Open<W, C>],
    cells: [&'a mut [C]; 2],
    due: [&'a mut [W]; 2],
}

impl<'a, W, C> Rows<'a, W, C> {
    fn halves(self, row_len: usize) -> (Self, Self) {
        let half = self.kings.len() / 2;
        let at = half * row_len;
        let (kings, other_kings) = self.kings.split_at(half);
        let (open, other_open) = self.open.split_at_mut(at);
        let [(white, other_white), (black, other_black)] =
            self.cells.map(|cells| cells.split_at_mut(at));
        let [(white_due, other_white_due), (black_due, other_black_due)] =
            self.due.map(|due| due.split_at_mut(at));
        let first = Rows { kings, open, cells: [white, black], due: [white_due, black_due] };
        let second = Rows {
            kings: other_kings,
            open: other_open,
            cells: [other_white, other_black],
            due: [other_white_due, other_black_due],
        };
        (first, second)
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
    pub(crate) fn new(
        solved: &'a Solved<R, C>,
        known: &'a Known<R, C>,
        counting: &dyn Counting,
    ) -> Self {
        let layout = &solved.layout;
        Task {
            solved,
            children: known.children(layout.class, counting),
            man_move: counting.man_move(layout.class),
            limit: counting.limit(layout.class),
            white_kings: layout.white_kings.sets(),
            black_kings: layout.black_kings.sets(),
            black_men: layout.black_men.sets(),
        }
    }

    /// The values on `at` of positions with these least children.
    #[inline(always)]
    fn reply(&self, least: &C, at: WordOf<R>) -> C {
        let reply = least.reply(at);
        match self.limit {
            Some(limit) => reply.after(Transition::Joins { limit }),
            None => reply,
        }
    }

    /// A cell whose quiet positions take new values.
    #[inline(always)]
    fn renewed(&self, cell: &C, least: &C, quiet: WordOf<R>) -> C {
        cell.restricted(!quiet).joined(&self.reply(least, quiet))
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
        let cells = || vec![C::none(); frames].into_boxed_slice();
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
        let closed = Open { quiet: [WordOf::<R>::EMPTY; 2], least: [C::none(); 2] };
        scratch.open.clear();
        scratch.open.resize(self.layout().skeleton_len(), closed);
        let [white, black] = cells;
        let [white_due, black_due] = due;
        let rows = Rows {
            kings: &self.white_kings,
            open: &mut scratch.open,
            cells: [white, black],
            due: [white_due, black_due],
        };
        self.capture_rows(skeleton, rows, &mut scratch.tally);
    }

    /// The captures of some rows: by halves on several threads, while they are large.
    fn capture_rows(
        &self,
        skeleton: Skeleton<WordOf<R>>,
        rows: Rows<'_, WordOf<R>, C>,
        tally: &mut Tally<R, C>,
    ) {
        let row_len = self.layout().row_len();
        if rows.open.len() >= PARALLEL_FRAMES && rows.kings.len() > 1 {
            let (a, b) = rows.halves(row_len);
            rayon::join(
                || self.capture_rows(skeleton, a, tally),
                || self.capture_rows(skeleton, b, &mut Tally::new()),
            );
            return;
        }
        let Rows { kings, open, cells, due } = rows;
        for (row, &white_kings) in kings.iter().enumerate() {
            if white_kings.meets(skeleton.men()) {
                continue;
            }
            for (j, &black_kings) in self.black_kings.iter().enumerate() {
                if black_kings.meets(skeleton.men() | white_kings) {
                    continue;
                }
                let place = row * row_len + j;
                let frame = skeleton.frame(white_kings, black_kings);
                let squares = self.layout().domain & !frame.occupied();
                for turn in Color::BOTH {
                    let found =
                        captures(self.layout(), &self.children, turn, &frame, squares, tally);
                    cells[turn.index()][place] = self.reply(&found.least, found.squares);
                    due[turn.index()][place] = found.squares;
                    open[place].quiet[turn.index()] = squares & !found.squares;
                }
                self.note_blocked(&frame, &mut open[place]);
            }
        }
    }

    /// Looks for positions in which a side without a move has won.
    #[inline(always)]
    pub(crate) fn note_blocked(&self, frame: &Frame<WordOf<R>>, open: &mut Open<WordOf<R>, C>) {
        if matches!(R::GOAL, Goal::LoseAll) {
            for turn in Color::BOTH {
                let blocked = open.quiet[turn.index()] & !self.movable(turn, frame);
                open.least[turn.index()].absorb_blocked(blocked);
            }
        }
    }

    /// The squares of the free piece with which a side has a move that takes nothing.
    fn movable(&self, turn: Color, frame: &Frame<WordOf<R>>) -> WordOf<R> {
        let geometry = R::Board::geometry();
        let empty = geometry.all & !frame.occupied();
        let mut movable = WordOf::<R>::EMPTY;
        let (men, kings) = match turn {
            Color::White => (frame.white_men, frame.white_kings),
            Color::Black => (frame.black_men, frame.black_kings),
        };
        let man_moves = directions_for(R::MAN_MOVES, turn);
        for (pieces, directions) in [(men, man_moves), (kings, R::KING_MOVES)] {
            for direction in directions.iter() {
                // A step is possible unless the free piece is where it leads.
                let goals = geometry.step(pieces, direction) & empty;
                if goals.has_several() {
                    return geometry.all;
                }
                if !goals.is_empty() {
                    movable |= !goals;
                }
            }
        }
        if turn == Color::Black {
            let directions = match self.layout().free {
                Kind::Man => man_moves,
                Kind::King => R::KING_MOVES,
            };
            for direction in directions.iter() {
                movable |= geometry.step(empty, direction.opposite());
            }
        }
        movable
    }
}
