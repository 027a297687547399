//! The values and distances of a solved class in the order of a file's index.

use damier_core::{Color, Rules, Word, WordOf};
use damier_tables::{DONT_CARE, DONT_CARE_SCORE, GROUPS, Group, Index, Kind, Scores, Values};

use crate::cell::Cell;
use crate::distance::{Distances, Scale};
use crate::layout::Layout;
use crate::solved::Solved;

/// A solved class as a source of values for the encoder, and of distances where it was solved for them.
///
/// A position of the index is found by adding up what each group's rank contributes to the number of the frame, for the
/// group of the free piece after one of its pieces has been taken out.
pub struct SolvedValues<'a, R: Rules, C> {
    solved: &'a Solved<R, C>,
    /// In the order of [`GROUPS`].
    groups: [GroupTable<WordOf<R>>; 4],
    /// Which of the groups holds the free piece.
    free: usize,
}

/// What each rank of a group contributes.
struct GroupTable<W> {
    /// The squares.
    sets: Vec<W>,
    /// To the number of the frame in its block or, for White's men, the number of the block.
    frames: Vec<usize>,
    /// Bit of the free piece, for its group.
    free: Vec<u32>,
}

impl<R: Rules> Layout<R> {
    /// Which of [`GROUPS`] holds the free piece.
    pub(crate) fn free_group(&self) -> usize {
        if self.free == Kind::Man { 2 } else { 3 }
    }

    /// The groups of the frame in the order of [`GROUPS`], with the number of frames that a rank of each stands for (for White's men: blocks).
    pub(crate) fn groups(&self) -> [(&Group<R::Board>, usize); 4] {
        [
            (&self.white_men, 1),
            (&self.white_kings, self.row_len()),
            (&self.black_men, self.skeleton_len()),
            (&self.black_kings, 1),
        ]
    }
}

impl<'a, R: Rules, C: Cell<R>> SolvedValues<'a, R, C> {
    /// The values of a class that is solved completely and still knows where captures are due.
    pub fn new(solved: &'a Solved<R, C>) -> Self {
        let layout = &solved.layout;
        let free = layout.free_group();
        let groups = std::array::from_fn(|number| {
            let (group, frames) = layout.groups()[number];
            if number != free {
                let sets = group.sets();
                let frames = (0..sets.len()).map(|rank| rank * frames).collect();
                return GroupTable { sets, frames, free: Vec::new() };
            }
            let (color, kind) = GROUPS[number];
            let whole = Group::<R::Board>::new(color, kind, group.count() + 1);
            let sets = whole.sets();
            // Any of the equal pieces can be the free one.
            let free: Vec<u32> = sets.iter().map(|set| set.first()).collect();
            let frames =
                sets.iter().map(|set| group.rank(set.without_first()) as usize * frames).collect();
            GroupTable { sets, frames, free }
        });
        SolvedValues { solved, groups, free }
    }
}

impl<R: Rules, C: Cell<R>> Values<R> for SolvedValues<'_, R, C> {
    fn fill(&self, index: &Index<R>, turn: Color, start: u64, out: &mut [u8]) {
        self.fill_with(index, turn, start, out, DONT_CARE, code_of::<R, C>);
    }
}

impl<R: Rules, S: Scale> damier_tables::Distances<R>
    for SolvedValues<'_, R, Distances<S, R::Board>>
{
    fn fill(&self, index: &Index<R>, turn: Color, start: u64, out: &mut [u16]) {
        self.fill_with(index, turn, start, out, DONT_CARE_SCORE, score_of::<R, S>);
    }
}

impl<R: Rules, C: Cell<R>> SolvedValues<'_, R, C> {
    /// Writes the codes of the numbers from `start` on. A code is made of a cell, the squares on which a capture is due, the bit of the
    /// free piece, and whether the number is a hole; where nothing else is known of a hole it has the code `hole`.
    #[inline(always)]
    fn fill_with<T: Copy>(
        &self,
        index: &Index<R>,
        turn: Color,
        start: u64,
        out: &mut [T],
        hole: T,
        code: impl Fn(&C, WordOf<R>, u32, bool) -> T,
    ) {
        let order = index.order().to_bytes().map(usize::from);
        let strides = index.strides();
        let mut ranks = [0; 4];
        let mut rest = start;
        for (rank, stride) in ranks.iter_mut().zip(strides) {
            *rank = (rest / stride) as usize;
            rest %= stride;
        }
        let inner = &self.groups[order[3]];
        let mut filled = 0;
        while filled < out.len() {
            // A run of the innermost group; the others stand still.
            let run = (inner.sets.len() - ranks[3]).min(out.len() - filled);
            let codes = &mut out[filled..filled + run];
            self.fill_run(turn, order, ranks, codes, hole, &code);
            filled += run;
            ranks[3] = 0;
            for place in (0..3).rev() {
                ranks[place] += 1;
                if ranks[place] < self.groups[order[place]].sets.len() {
                    break;
                }
                ranks[place] = 0;
            }
        }
    }

    #[inline(always)]
    fn fill_run<T: Copy>(
        &self,
        turn: Color,
        order: [usize; 4],
        ranks: [usize; 4],
        out: &mut [T],
        hole: T,
        code: &impl Fn(&C, WordOf<R>, u32, bool) -> T,
    ) {
        let mut occupied = WordOf::<R>::EMPTY;
        let (mut block, mut frame, mut free) = (0, 0, 0);
        for place in 0..3 {
            let group = &self.groups[order[place]];
            let set = group.sets[ranks[place]];
            if set.meets(occupied) {
                out.fill(hole);
                return;
            }
            occupied |= set;
            if order[place] == 0 {
                block = group.frames[ranks[place]];
            } else {
                frame += group.frames[ranks[place]];
            }
            if order[place] == self.free {
                free = group.free[ranks[place]];
            }
        }
        let inner = &self.groups[order[3]];
        let ranks = ranks[3]..ranks[3] + out.len();
        let sets = &inner.sets[ranks.clone()];
        let frames = &inner.frames[ranks.clone()];
        let turn = turn.index();
        let cells = |block: usize| {
            let block = self.solved.block(block);
            (&block.cells[turn][..], &block.due[turn][..])
        };
        if order[3] == 0 {
            for ((out, set), &block) in out.iter_mut().zip(sets).zip(frames) {
                let (cells, due) = cells(block);
                *out = code(&cells[frame], due[frame], free, set.meets(occupied));
            }
            return;
        }
        let (cells, due) = cells(block);
        if order[3] == self.free {
            let frees = &inner.free[ranks];
            for (((out, set), offset), &free) in out.iter_mut().zip(sets).zip(frames).zip(frees) {
                let frame = frame + offset;
                *out = code(&cells[frame], due[frame], free, set.meets(occupied));
            }
        } else {
            for ((out, set), offset) in out.iter_mut().zip(sets).zip(frames) {
                let frame = frame + offset;
                *out = code(&cells[frame], due[frame], free, set.meets(occupied));
            }
        }
    }
}

/// The code of one square of a word.
#[inline(always)]
fn code_of<R: Rules, C: Cell<R>>(cell: &C, due: WordOf<R>, free: u32, dead: bool) -> u8 {
    let values = cell.values();
    let bit = |set: WordOf<R>| (set >> free).low() as u8 & 1;
    // Win 2, draw 1, loss 0; every lost position is also not won.
    let value = 2 - bit(values.not_won) - bit(values.lost);
    let dont_care = (bit(due) | dead as u8) * DONT_CARE;
    value | dont_care
}

/// The score of one square of a word.
#[inline(always)]
fn score_of<R: Rules, S: Scale>(
    cell: &Distances<S, R::Board>,
    due: WordOf<R>,
    free: u32,
    dead: bool,
) -> u16 {
    let quiet = !dead && !due.has(free);
    let distance = S::distance(cell.score(free)).filter(|_| quiet);
    distance.map_or(DONT_CARE_SCORE, |found| Scores::of(found.value, found.plies))
}
