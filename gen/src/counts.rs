//! How many positions of a class are won, drawn and lost.

use damier_core::{Board, Color, Rules, Word, WordOf};
use damier_tables::{Class, Counts, Kind};

use crate::cell::Cell;
use crate::parallel;
use crate::solved::Solved;

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
        let mut total = [Counts::default(); 2];
        for counts in parallel::map(layout.blocks(), &count_block) {
            for (total, counts) in total.iter_mut().zip(counts) {
                total.wins += counts.wins;
                total.draws += counts.draws;
                total.losses += counts.losses;
            }
        }
        total
    }
}

/// How many placements a class has.
pub fn placements<R: Rules>(class: Class) -> u64 {
    // Only men of different colours have different squares: those that can stand on the rows of both, on White's promotion
    // row (Black's men only) and on Black's (White's men only). Summed over how many men stand on the two
    // special rows; kings take any of the squares left.
    let row = R::Board::SQUARES as u64 / R::Board::ROWS as u64;
    let (squares, middle) = (R::Board::SQUARES as u64, R::Board::SQUARES as u64 - 2 * row);
    let (white, black) = (u64::from(class.white.men), u64::from(class.black.men));
    let mut men = 0;
    for white_far in 0..=white.min(row) {
        for black_far in 0..=black.min(row) {
            let (white, black) = (white - white_far, black - black_far);
            men += choose(row, white_far)
                * choose(row, black_far)
                * choose(middle, white)
                * choose(middle.saturating_sub(white), black);
        }
    }
    let left = squares - white - black;
    let (white, black) = (u64::from(class.white.kings), u64::from(class.black.kings));
    men * choose(left, white) * choose(left.saturating_sub(white), black)
}

fn choose(n: u64, k: u64) -> u64 {
    if k > n { 0 } else { (0..k).fold(1, |product, i| product * (n - i) / (i + 1)) }
}
