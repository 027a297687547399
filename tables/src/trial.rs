//! Choosing the order of the groups by trying.
//!
//! No rule tells which order compresses best, and the best may be half as large as the worst. So all of them are tried on a few
//! blocks, with slots that are good nearly everywhere; the better ones are tried again on more blocks, with slots
//! chosen for them; and the best of these are used to encode blocks that they have not seen.

use damier_core::{Color, Rules};
use rayon::prelude::*;

use crate::class::Class;
use crate::distance_fit::{DistanceSample, estimate_distances};
use crate::distances::Distances;
use crate::fit::{estimate, measure, quick_estimate};
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
    estimate: fn(&Layout, &Sample, Option<Color>) -> [f64; 2],
}

/// Even where one order is left the last round tells which side to move comes first.
const ROUNDS: [Round; 3] = [
    Round { orders: 24, margin: 0.0, share: 256, least: 8, most: 96, estimate: quick_estimate },
    Round { orders: 8, margin: 0.35, share: 256, least: 16, most: 128, estimate },
    Round { orders: 3, margin: 0.12, share: 8, least: 96, most: 4096, estimate: measure },
];

/// By how much larger looking up the other side to move counts than it is, since reading a block then takes about three times as long; and where more than
/// two innermost pieces are equal, and runs so short that it takes five times as long.
const SEEING: f64 = 1.05;
const SEEING_IN_SHORT_RUNS: f64 = 1.12;

/// Blocks that may turn out constant for each that is wanted.
const TRIES: u64 = 4;

/// In which order a class is coded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// The order of the groups.
    pub order: GroupOrder,
    /// The side to move that comes first, where the other one is to look up its values.
    pub first: Option<Color>,
}

/// How the values of a class take the fewest bits, with one of these orders.
pub(crate) fn plan_values<R: Rules>(
    class: Class,
    orders: Vec<GroupOrder>,
    values: &impl Values<R>,
) -> Plan {
    choose(class, orders, |round, index: &Index<R>, turn| {
        let wanted = round.blocks(index);
        let layout = Layout::of(index);
        let sample = Sample::for_trying(index, &layout, turn, values, wanted, TRIES * wanted);
        let mover = (!class.is_symmetric()).then_some(turn);
        (round.estimate)(&layout, &sample, mover).map(|bits| sample.scale * bits)
    })
}

/// How the distances of a class take the fewest bits, with one of these orders. Both sides to move are coded on their own.
pub(crate) fn plan_distances<R: Rules>(
    class: Class,
    orders: Vec<GroupOrder>,
    distances: &impl Distances<R>,
) -> Plan {
    choose(class, orders, |round, index: &Index<R>, turn| {
        let wanted = round.blocks(index);
        let sample = DistanceSample::new(index, turn, distances, wanted, TRIES * wanted);
        [sample.scale * estimate_distances(&Layout::of(index), &sample), f64::INFINITY]
    })
}

impl Round {
    /// How many blocks each order is tried on.
    fn blocks<R: Rules>(&self, index: &Index<R>) -> u64 {
        (block_count(index.len()) / self.share).clamp(self.least, self.most)
    }
}

/// The plan with the smallest sum of the estimated sizes of both sides to move; `sizes` gives them for a side on its own, and looking up
/// the other one.
fn choose<R: Rules>(
    class: Class,
    mut orders: Vec<GroupOrder>,
    sizes: impl Fn(&Round, &Index<R>, Color) -> [f64; 2] + Sync,
) -> Plan {
    let plan = |round: &Round, order| {
        let index = Index::<R>::new(class, order);
        let sizes = |turn| sizes(round, &index, turn);
        if class.is_symmetric() {
            return (sizes(Color::White)[0], Plan { order, first: None });
        }
        let ([alone, seeing], [other_alone, other_seeing]) =
            rayon::join(|| sizes(Color::White), || sizes(Color::Black));
        let short_runs = index.groups()[3].count() > 2;
        let charge = if short_runs { SEEING_IN_SHORT_RUNS } else { SEEING };
        let plans = [
            (alone + other_alone, None),
            (charge * (alone + other_seeing), Some(Color::White)),
            (charge * (seeing + other_alone), Some(Color::Black)),
        ];
        let best = plans.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
        let (size, first) = best.expect("three plans");
        (size, Plan { order, first })
    };
    let default = GroupOrder::default_for(class);
    // The sort below is stable: where nothing else decides, the default wins.
    orders.sort_by_key(|&order| order != default);
    let unknown = |order| (0.0, Plan { order, first: None });
    let mut plans: Vec<(f64, Plan)> = orders.into_iter().map(unknown).collect();
    for round in &ROUNDS {
        let limit = plans[0].0 * (1.0 + round.margin);
        let kept = plans.iter().filter(|plan| plan.0 <= limit).take(round.orders);
        let orders: Vec<GroupOrder> = kept.map(|plan| plan.1.order).collect();
        plans = orders.par_iter().map(|&order| plan(round, order)).collect();
        plans.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    plans[0].1
}
