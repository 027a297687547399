//! How many positions of a class are won, drawn and lost.

use damier_core::{Color, Rules, Word, WordOf};
use damier_tables::Kind;
use rayon::prelude::*;

use crate::cell::Cell;
use crate::solved::Solved;

/// Numbers of positions by value for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Won positions.
    pub wins: u64,
    /// Drawn positions.
    pub draws: u64,
    /// Lost positions.
    pub losses: u64,
}

impl<R: Rules, C: Cell<R>> Solved<R, C> {
    /// The counts of all positions, by side to move.
    pub fn counts(&self) -> [Counts; 2] {
        let layout = &self.layout;
        let white_kings = layout.white_kings.sets();
        let black_kings = layout.black_kings.sets();
        let black_men = layout.black_men.sets();
        let count_block = |rank: usize| {
            let block = self.block(rank);
            let white_men = layout.white_men.unrank(rank as u64);
            let mut counts = [Counts::default(); 2];
            let mut frame = 0;
            for &black_men in &black_men {
                for &white_kings in &white_kings {
                    for &black_kings in &black_kings {
                        let occupied = white_men | black_men | white_kings | black_kings;
                        let pieces = layout.class.pieces() - 1;
                        if occupied.count() == pieces {
                            // Each position once: the free piece above its equals.
                            let equals = match layout.free {
                                Kind::Man => black_men,
                                Kind::King => black_kings,
                            };
                            let mut at = layout.domain & !occupied;
                            if !equals.is_empty() {
                                at &= !WordOf::<R>::below(equals.last());
                            }
                            for turn in Color::BOTH {
                                let values = block.cells[turn.index()][frame].values();
                                let not_won = (values.not_won & at).count() as u64;
                                let lost = (values.lost & at).count() as u64;
                                let counts = &mut counts[turn.index()];
                                counts.wins += at.count() as u64 - not_won;
                                counts.draws += not_won - lost;
                                counts.losses += lost;
                            }
                        }
                        frame += 1;
                    }
                }
            }
            counts
        };
        (0..layout.blocks()).into_par_iter().map(count_block).reduce(Default::default, |a, b| {
            let add = |a: Counts, b: Counts| Counts {
                wins: a.wins + b.wins,
                draws: a.draws + b.draws,
                losses: a.losses + b.losses,
            };
            [add(a[0], b[0]), add(a[1], b[1])]
        })
    }
}
