//! Choosing the order of the groups by trying.
//!
//! No rule tells which order compresses best, and the best may be half as large as the worst. So all of them are tried on a few
//! blocks, with slots that are good nearly everywhere; the better ones are tried again on more blocks, with slots
//! chosen for them.

use damier_core::{Color, Rules};
use rayon::prelude::*;

use crate::class::Class;
use crate::distance_fit::{DistanceSample, estimate_distances};
use crate::distances::Distances;
use crate::fit::{estimate, quick_estimate};
use crate::header::block_count;
use crate::index::{GroupOrder, Index};
use crate::layout::Layout;
use crate::sample::Sample;
use crate::values::Values;

/// A round of trials.
struct Round {
    /// The most orders that take part.
    orders: usize,
    /// How much larger than the smallest an estimate may have been, to take part.
    margin: f64,
    /// The blocks to try each order on: one in so many, at least, at most.
    share: u64,
    least: u64,
    most: u64,
    /// How the size is estimated.
    estimate: fn(&Layout, &Sample) -> f64,
}

const ROUNDS: [Round; 3] = [
    Round { orders: 24, margin: 0.0, share: 256, least: 8, most: 48, estimate: quick_estimate },
    Round { orders: 8, margin: 0.5, share: 128, least: 16, most: 64, estimate },
    Round { orders: 3, margin: 0.15, share: 32, least: 64, most: 256, estimate },
];

/// Blocks that may turn out constant for each that is wanted.
const TRIES: u64 = 4;

/// The order of the groups in which the values of a class take the fewest bits.
pub(crate) fn choose_order<R: Rules>(class: Class, values: &impl Values<R>) -> GroupOrder {
    choose(class, |round, index: &Index<R>, turn| {
        let wanted = round.blocks(index);
        let sample = Sample::new(index, turn, values, wanted, TRIES * wanted);
        sample.scale * (round.estimate)(&Layout::of(index), &sample)
    })
}

/// The order of the groups in which the distances of a class take the fewest bits.
pub(crate) fn choose_distance_order<R: Rules>(
    class: Class,
    distances: &impl Distances<R>,
) -> GroupOrder {
    choose(class, |round, index: &Index<R>, turn| {
        let wanted = round.blocks(index);
        let sample = DistanceSample::new(index, turn, distances, wanted, TRIES * wanted);
        sample.scale * estimate_distances(&Layout::of(index), &sample)
    })
}

impl Round {
    /// How many blocks each order is tried on.
    fn blocks<R: Rules>(&self, index: &Index<R>) -> u64 {
        (block_count(index.len()) / self.share).clamp(self.least, self.most)
    }
}

/// The order of the groups with the smallest sum of the estimated sizes of both sides to move.
fn choose<R: Rules>(
    class: Class,
    size: impl Fn(&Round, &Index<R>, Color) -> f64 + Sync,
) -> GroupOrder {
    let turns = if class.is_symmetric() { &[Color::White][..] } else { &Color::BOTH };
    let mut orders = GroupOrder::all_for(class);
    let default = GroupOrder::default_for(class);
    // The sort below is stable: where nothing else decides, the default wins.
    orders.sort_by_key(|&order| order != default);
    let mut sizes: Vec<(f64, GroupOrder)> = orders.into_iter().map(|order| (0.0, order)).collect();
    for round in &ROUNDS {
        let limit = sizes[0].0 * (1.0 + round.margin);
        let orders: Vec<GroupOrder> = sizes
            .iter()
            .filter(|size| size.0 <= limit)
            .take(round.orders)
            .map(|size| size.1)
            .collect();
        if orders.len() == 1 {
            break;
        }
        sizes = orders
            .par_iter()
            .map(|&order| {
                let index = Index::<R>::new(class, order);
                (turns.iter().map(|&turn| size(round, &index, turn)).sum(), order)
            })
            .collect();
        sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    sizes[0].1
}
