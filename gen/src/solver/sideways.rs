//! Men that step sideways (Turkish draughts).
//!
//! A step to the side can be taken back, so the placements of men no longer form an acyclic graph; the numbers of men on each
//! row still do. All placements in which White's men have equally many rows left, and Black's men too, are swept together.

use damier_core::{Board, Color, Rules, Word, WordOf};

use super::{Open, Scratch, Skeleton, Task, sideways};
use crate::cell::Cell;
use crate::solved::Block;
use crate::time::{Phases, Stopwatch};

/// Skeletons that are swept together, each with its open positions.
type Unit<W, C> = Vec<(usize, Skeleton<W>, Vec<Open<W, C>>)>;

impl<R: Rules, C: Cell<R>> Task<'_, R, C> {
    /// Solves blocks of one level that lead to each other.
    pub(crate) fn solve_together(
        &self,
        level: &[usize],
        phases: &mut Phases,
    ) -> Vec<(usize, Block<WordOf<R>, C>)> {
        let frames = self.layout().skeleton_len();
        let mut scratch = Scratch::new();
        let mut blocks: Vec<_> = level.iter().map(|&rank| (rank, self.empty_block())).collect();
        let mut stopwatch = Stopwatch::sampling(0, 1, frames);
        for men in self.black_men_by_steps() {
            let mut unit: Unit<WordOf<R>, C> = Vec::new();
            for (number, (rank, block)) in blocks.iter_mut().enumerate() {
                let white_men = self.layout().white_men.unrank(*rank as u64);
                for &rank in &men {
                    let black_men = self.black_men[rank];
                    if white_men.meets(black_men) {
                        continue;
                    }
                    let skeleton = Skeleton { white_men, black_men, rank };
                    let range = rank * frames..(rank + 1) * frames;
                    let [white_due, black_due] = &mut block.due;
                    let due = [&mut white_due[range.clone()], &mut black_due[range.clone()]];
                    let [white, black] = &mut block.cells;
                    let cells = [&mut white[range.clone()], &mut black[range.clone()]];
                    self.capture_phase(skeleton, cells, due, &mut scratch);
                    self.conversion_phase(skeleton, white, &mut scratch);
                    for (place, open) in scratch.open.iter().enumerate() {
                        let frame = range.start + place;
                        white[frame] = white[frame].joined(&C::unknown(open.quiet[0]));
                        black[frame] = black[frame].joined(&C::unknown(open.quiet[1]));
                    }
                    unit.push((number, skeleton, std::mem::take(&mut scratch.open)));
                }
            }
            phases.captures += stopwatch.lap();
            self.sweep_together(level, &unit, &mut blocks, &mut scratch);
            phases.sweeps += stopwatch.lap();
        }
        blocks
    }

    /// Ranks of Black's men by how many rows they have left, fewest first.
    fn black_men_by_steps(&self) -> Vec<Vec<usize>> {
        let geometry = R::Board::geometry();
        let mut levels: Vec<Vec<usize>> = Vec::new();
        for (rank, men) in self.black_men.iter().enumerate() {
            let steps = men.bits().map(|man| R::Board::ROWS - 1 - geometry.row(man)).sum::<usize>();
            if levels.len() <= steps {
                levels.resize(steps + 1, Vec::new());
            }
            levels[steps].push(rank);
        }
        levels
    }

    fn sweep_together(
        &self,
        level: &[usize],
        unit: &Unit<WordOf<R>, C>,
        blocks: &mut [(usize, Block<WordOf<R>, C>)],
        scratch: &mut Scratch<R, C>,
    ) {
        let frames = self.layout().skeleton_len();
        let mut changed = true;
        while changed {
            changed = false;
            for turn in Color::BOTH {
                for (number, skeleton, open) in unit {
                    let range = skeleton.rank * frames..(skeleton.rank + 1) * frames;
                    let settled =
                        |(open, cell): (&Open<_, C>, &C)| cell.is_settled(open.quiet[turn.index()]);
                    let cells = &blocks[*number].1.cells[turn.index()][range.clone()];
                    if open.iter().zip(cells).all(settled) {
                        continue;
                    }
                    let other = |rank: usize, skeleton: usize| {
                        let number = level.binary_search(&rank).expect("a block of this level");
                        &blocks[number].1.cells[(!turn).index()][skeleton * frames..][..frames]
                    };
                    let mut least = std::mem::take(&mut scratch.skeleton);
                    self.children_of(*skeleton, turn, open, &other, scratch, &mut least);
                    let cells = &mut blocks[*number].1.cells[turn.index()][range];
                    for ((open, cell), least) in open.iter().zip(cells).zip(&least) {
                        let updated = self.renewed(cell, least, open.quiet[turn.index()]);
                        changed |= updated != *cell;
                        *cell = updated;
                    }
                    scratch.skeleton = least;
                }
            }
        }
    }

    /// The minimum over men's steps to the side, for one row; `other` gives the cells of the other side to move of a block
    /// and skeleton.
    pub(crate) fn absorb_sideways<'c>(
        &self,
        skeleton: Skeleton<WordOf<R>>,
        turn: Color,
        row: usize,
        other: &impl Fn(usize, usize) -> &'c [C],
        least: &mut [C],
    ) where
        C: 'c,
    {
        let geometry = R::Board::geometry();
        let layout = self.layout();
        let row_len = layout.row_len();
        let occupied = skeleton.men() | self.white_kings[row];
        let men = match turn {
            Color::White => skeleton.white_men,
            Color::Black => skeleton.black_men,
        };
        for man in men.singles() {
            for direction in sideways::<R>().iter() {
                let to = geometry.step(man, direction);
                if to.is_empty() || to.meets(occupied) {
                    continue;
                }
                let after = (men ^ man) | to;
                let cells = match turn {
                    Color::White => other(layout.white_men.rank(after) as usize, skeleton.rank),
                    Color::Black => other(
                        layout.white_men.rank(skeleton.white_men) as usize,
                        layout.black_men.rank(after) as usize,
                    ),
                };
                // Where one of Black's kings or the free piece is in the way, the other frame has no position.
                for (least, child) in least.iter_mut().zip(&cells[row * row_len..][..row_len]) {
                    least.absorb(&child.after(self.man_move), geometry.all);
                }
            }
        }
    }
}
