//! The values of a solved class in the order of a file's index.

use damier_core::{Color, Rules, Word, WordOf};
use damier_tables::{DONT_CARE, GROUPS, Group, Index, Kind, Values};

use crate::cell::Cell;
use crate::layout::Layout;
use crate::solved::Solved;

/// A solved class as a source of values for the encoder.
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
            self.fill_run(turn, order, ranks, codes);
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
}

impl<R: Rules, C: Cell<R>> SolvedValues<'_, R, C> {
    #[inline(always)]
    fn fill_run(&self, turn: Color, order: [usize; 4], ranks: [usize; 4], out: &mut [u8]) {
        let mut occupied = WordOf::<R>::EMPTY;
        let (mut block, mut frame, mut free) = (0, 0, 0);
        for place in 0..3 {
            let group = &self.groups[order[place]];
            let set = group.sets[ranks[place]];
            if set.meets(occupied) {
                out.fill(DONT_CARE);
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
        if order[3] == 0 {
            for ((code, set), &block) in out.iter_mut().zip(sets).zip(frames) {
                let block = self.solved.block(block);
                let dead = set.meets(occupied);
                *code =
                    code_of::<R, C>(&block.cells[turn][frame], block.due[turn][frame], free, dead);
            }
            return;
        }
        let block = self.solved.block(block);
        let (cells, due) = (&block.cells[turn][..], &block.due[turn][..]);
        if order[3] == self.free {
            let frees = &inner.free[ranks];
            for (((code, set), offset), &free) in out.iter_mut().zip(sets).zip(frames).zip(frees) {
                let frame = frame + offset;
                let dead = set.meets(occupied);
                *code = code_of::<R, C>(&cells[frame], due[frame], free, dead);
            }
        } else {
            for ((code, set), offset) in out.iter_mut().zip(sets).zip(frames) {
                let frame = frame + offset;
                let dead = set.meets(occupied);
                *code = code_of::<R, C>(&cells[frame], due[frame], free, dead);
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
