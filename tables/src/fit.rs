//! Fitting a model to a sample of blocks: which slots, and what to expect.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use damier_core::Color;
use rayon::prelude::*;

use crate::coder;
use crate::context::{Buffer, ByContext, Contexts, MAX_CONTEXTS, MAX_SLOTS, Row, Slot, Visit};
use crate::layout::{Layout, Piece, Step};
use crate::model::{Entry, Model, OVERFIT_BITS};
use crate::sample::{Sample, SampleBlock};
use crate::values::{DONT_CARE, filled_with_previous};

/// How often what does not matter is filled with what the model expects, and the model fitted again.
const ROUNDS: usize = 3;
/// Blocks on which slots are chosen and these rounds are made.
const SLOT_BLOCKS: usize = 512;
/// Blocks that a thread counts at a time.
const TOGETHER: usize = 256;
/// A slot must save this share of a bit a position.
const LEAST_GAIN: f64 = 0.0002;

/// Chooses slots on a part of the sample and fits a model. `mover` is the side to move where it
/// can look up the values of the other one.
pub(crate) fn fit(layout: &Layout, sample: &Sample, mover: Option<Color>) -> Model {
    let part = sample.part(SLOT_BLOCKS);
    let looks = Looks::new(layout, &part, mover);
    let model = fit_slots(layout, sample, &part, &looks.choose(part.scale, mover.is_some()).0);
    refit(layout, sample, &model)
}

/// Fits a model with these slots: roughly on a part of the sample, then once more on all of it.
fn fit_slots(layout: &Layout, sample: &Sample, part: &Sample, slots: &[Slot]) -> Model {
    let contexts = Contexts::new(layout, slots);
    // The first model learns from what matters only, in contexts in which what does not matter has the value before it.
    let filled: Vec<_> =
        part.blocks.iter().map(|block| filled_with_previous(&block.codes)).collect();
    let mut counts = count(layout, &contexts, part, &filled);
    for _ in 0..ROUNDS {
        let model = Model::fitted(contexts.clone(), &counts, part.scale);
        counts = count_filling(layout, &model, part);
    }
    refit(layout, sample, &Model::fitted(contexts, &counts, part.scale))
}

/// Fits a model once more, with what does not matter filled as it says.
fn refit(layout: &Layout, sample: &Sample, model: &Model) -> Model {
    let counts = count_filling(layout, model, sample);
    Model::fitted(model.contexts().clone(), &counts, sample.scale)
}

/// Bits that a block takes beside those of its values, roughly: its length, and what the coder wastes.
const BLOCK_BITS: f64 = 12.0;
/// Bits that the length of a block takes, roughly.
const LENGTH_BITS: usize = 6;

/// Bits that the sample would take, roughly, with the slots that are best for it: on its own, and where the values of the other side to move
/// can be looked up.
pub(crate) fn estimate(layout: &Layout, sample: &Sample, mover: Option<Color>) -> [f64; 2] {
    let looks = Looks::new(layout, sample, mover);
    let blocks = BLOCK_BITS * sample.blocks.len() as f64;
    by_sight(mover, |seeing| blocks + looks.choose(sample.scale, seeing).1)
}

/// The same with slots that are good for most tables.
pub(crate) fn quick_estimate(layout: &Layout, sample: &Sample, mover: Option<Color>) -> [f64; 2] {
    let [up_left, up_right] = [Step::UpLeft, Step::UpRight];
    let inner = [up_left, up_right].map(|step| Slot::Step(Piece::INNERMOST, step));
    let second = layout
        .pieces()
        .nth(1)
        .into_iter()
        .flat_map(|piece| [up_left, up_right].map(|step| Slot::Step(piece, step)));
    let slots: Vec<Slot> = inner.into_iter().chain(second).chain([Slot::Previous]).collect();
    let filled: Vec<_> =
        sample.blocks.iter().map(|block| filled_with_previous(&block.codes)).collect();
    by_sight(mover, |seeing| {
        let best = mover.filter(|_| seeing).map(Slot::Best);
        let slots: Vec<Slot> = slots.iter().copied().chain(best).collect();
        let counts = count(layout, &Contexts::new(layout, &slots), sample, &filled);
        entropy(counts.as_flattened(), sample.scale) + BLOCK_BITS * sample.blocks.len() as f64
    })
}

/// The same by encoding: half of the blocks, with a model that is fitted to the other half.
pub(crate) fn measure(layout: &Layout, sample: &Sample, mover: Option<Color>) -> [f64; 2] {
    let [mut learnt, mut coded] = [(); 2].map(|()| Sample { blocks: Vec::new(), ..*sample });
    for pair in sample.blocks.chunks(2) {
        learnt.blocks.push(pair[0].clone());
        coded.blocks.push(pair[pair.len() - 1].clone());
    }
    let share = sample.blocks.len() as f64 / learnt.blocks.len().max(1) as f64;
    learnt.scale *= share;
    let part = learnt.part(SLOT_BLOCKS);
    let looks = Looks::new(layout, &part, mover);
    by_sight(mover, |seeing| {
        let slots = looks.choose(part.scale, seeing).0;
        let model = fit_slots(layout, &learnt, &part, &slots);
        let bytes = coded.blocks.par_iter().map(|SampleBlock { start, codes, opposite }| {
            let mut bytes = Vec::new();
            coder::encode(&model, layout, *start, codes, opposite.as_ref(), &mut bytes);
            8 * bytes.len() + LENGTH_BITS
        });
        bytes.sum::<usize>() as f64 * share
    })
}

/// Bits on its own, and where the values of the other side to move can be looked up, if they can.
fn by_sight(mover: Option<Color>, bits: impl Fn(bool) -> f64 + Sync) -> [f64; 2] {
    let seeing = || mover.map_or(f64::INFINITY, |_| bits(true));
    rayon::join(|| bits(false), seeing).into()
}

/// Bits of values that occur so often in their contexts, with something for each context.
fn entropy(counts: &[[u32; 3]], scale: f64) -> f64 {
    let log = |n: u32| if n == 0 { 0.0 } else { f64::from(n) * f64::from(n).log2() };
    let seen = counts.iter().filter(|counts| **counts != [0; 3]);
    seen.map(|counts| {
        let mixed = counts.iter().filter(|&&n| n > 0).count() > 1;
        let parameter = if mixed { OVERFIT_BITS + 12.0 / scale } else { 3.0 / scale };
        parameter + log(counts.iter().sum()) - counts.iter().map(|&n| log(n)).sum::<f64>()
    })
    .sum()
}

/// How often each value occurs in each context.
type Counts = Box<ByContext<[u32; 3]>>;

fn no_counts() -> Counts {
    Box::new([[[0; 3]; 4]; MAX_CONTEXTS / 4])
}

/// How often each value occurs in each context when what does not matter is filled with what the model expects.
fn count_filling(layout: &Layout, model: &Model, sample: &Sample) -> Counts {
    struct Filling<'a> {
        entries: &'a ByContext<Entry>,
        codes: &'a [u8],
        counts: Counts,
    }
    impl Visit for Filling<'_> {
        #[inline(always)]
        fn row<const PREVIOUS: bool>(&mut self, row: Row<PREVIOUS>) -> u64 {
            row.each(|lane, context| {
                let at = row.at + lane;
                let likely = Entry::of(self.entries, context).likely();
                let value = if self.codes[at] == DONT_CARE { likely } else { self.codes[at] };
                context.of_mut(&mut self.counts)[usize::from(value)] += 1;
                value
            })
        }
    }
    let count = |blocks: &[SampleBlock]| {
        let mut filling = Filling { entries: model.entries(), codes: &[], counts: no_counts() };
        let mut buffer = Buffer::new();
        for SampleBlock { start, codes, opposite } in blocks {
            filling.codes = codes;
            let (len, opposite) = (codes.len(), opposite.as_ref());
            filling = model.contexts().walk(layout, *start, len, &mut buffer, opposite, filling);
        }
        filling.counts
    };
    let add = |mut sum: Counts, counts: Counts| {
        let sums = sum.as_flattened_mut().as_flattened_mut();
        sums.iter_mut().zip(counts.as_flattened().as_flattened()).for_each(|(sum, n)| *sum += n);
        sum
    };
    let parts = sample.blocks.par_chunks(TOGETHER);
    parts.map(count).reduce_with(add).unwrap_or_else(no_counts)
}

/// How often each value that matters occurs in each context.
fn count(layout: &Layout, contexts: &Contexts, sample: &Sample, filled: &[Vec<u8>]) -> Counts {
    struct Counting<'a> {
        filled: &'a [u8],
        codes: &'a [u8],
        counts: Counts,
    }
    impl Visit for Counting<'_> {
        #[inline(always)]
        fn row<const PREVIOUS: bool>(&mut self, row: Row<PREVIOUS>) -> u64 {
            row.each(|lane, context| {
                let at = row.at + lane;
                let value = self.filled[at];
                context.of_mut(&mut self.counts)[usize::from(value)] +=
                    u32::from(self.codes[at] == value);
                value
            })
        }
    }
    let mut counting = Counting { filled: &[], codes: &[], counts: no_counts() };
    let mut buffer = Buffer::new();
    for (SampleBlock { start, codes, opposite }, filled) in sample.blocks.iter().zip(filled) {
        (counting.codes, counting.filled) = (codes, filled);
        let (len, opposite) = (codes.len(), opposite.as_ref());
        counting = contexts.walk(layout, *start, len, &mut buffer, opposite, counting);
    }
    counting.counts
}

/// The contexts of all positions.
fn collect(layout: &Layout, contexts: &Contexts, sample: &Sample, filled: &[Vec<u8>]) -> Vec<u16> {
    struct Collecting<'a> {
        filled: &'a [u8],
        contexts: Vec<u16>,
    }
    impl Visit for Collecting<'_> {
        #[inline(always)]
        fn row<const PREVIOUS: bool>(&mut self, row: Row<PREVIOUS>) -> u64 {
            row.each(|lane, context| {
                let at = row.at + lane;
                self.contexts.push(context.number());
                self.filled[at]
            })
        }
    }
    let positions = filled.iter().map(Vec::len).sum();
    let mut collecting = Collecting { filled: &[], contexts: Vec::with_capacity(positions) };
    let mut buffer = Buffer::new();
    for (SampleBlock { start, opposite, .. }, filled) in sample.blocks.iter().zip(filled) {
        collecting.filled = filled;
        let (len, opposite) = (filled.len(), opposite.as_ref());
        collecting = contexts.walk(layout, *start, len, &mut buffer, opposite, collecting);
    }
    collecting.contexts
}

/// The positions of a sample that matter, with what every slot holds. Most of them look like many others, so each look is
/// kept once with how often each value goes with it.
struct Looks {
    /// The slots that are ever known, and where they are in a look.
    slots: Vec<(Slot, u32)>,
    /// What the slots hold, two bits each, and how often each value occurred.
    looks: Vec<(u128, [u32; 3])>,
}

impl Looks {
    fn new(layout: &Layout, sample: &Sample, mover: Option<Color>) -> Looks {
        let filled: Vec<_> =
            sample.blocks.iter().map(|block| filled_with_previous(&block.codes)).collect();
        let mut slots = Vec::new();
        let mut rows = vec![0u128; filled.iter().map(Vec::len).sum()];
        let all = Slot::all(layout, mover);
        for (part, some) in all.chunks(MAX_SLOTS).enumerate() {
            let contexts = Contexts::new(layout, some);
            let begin = (2 * MAX_SLOTS * part) as u32;
            slots.extend(
                some.iter().zip(contexts.shifts()).map(|(&slot, shift)| (slot, begin + shift)),
            );
            let collected = collect(layout, &contexts, sample, &filled);
            for (row, context) in rows.iter_mut().zip(collected) {
                *row |= u128::from(context) << begin;
            }
        }
        let mut looks: HashMap<u128, [u32; 3], BuildHasherDefault<RowHasher>> = HashMap::default();
        let mut known = 0;
        let values = sample.blocks.iter().flat_map(|block| &block.codes);
        for (row, &value) in rows.into_iter().zip(values) {
            if value != DONT_CARE {
                looks.entry(row).or_default()[usize::from(value)] += 1;
                known |= !row;
            }
        }
        slots.retain(|(_, shift)| known >> shift & 3 != 0);
        let mut looks: Vec<_> = looks.into_iter().collect();
        looks.sort_unstable_by_key(|look| look.0);
        Looks { slots, looks }
    }

    /// Chooses slots one by one, each time the one that leaves the fewest bits; among them those of the other side to move if it is
    /// `seeing` them. Returns the slots and the bits.
    fn choose(&self, scale: f64, seeing: bool) -> (Vec<Slot>, f64) {
        let positions: u32 = self.looks.iter().flat_map(|(_, counts)| counts).sum();
        let mut contexts = vec![0u16; self.looks.len()];
        let mut candidates = self.slots.clone();
        candidates.retain(|(slot, _)| seeing || !matches!(slot, Slot::Best(_)));
        let mut chosen = Vec::new();
        let mut current = self.bits(&contexts, None, 1, scale);
        while chosen.len() < MAX_SLOTS {
            let size = 4 << (2 * chosen.len());
            let bits = |&(_, shift): &(Slot, u32)| self.bits(&contexts, Some(shift), size, scale);
            let bits: Vec<f64> = candidates.par_iter().map(bits).collect();
            let best = bits.into_iter().enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
            let Some((best, bits)) = best else { break };
            if bits > current - LEAST_GAIN * f64::from(positions) {
                break;
            }
            current = bits;
            let (slot, shift) = candidates.swap_remove(best);
            for (context, (row, _)) in contexts.iter_mut().zip(&self.looks) {
                *context = *context << 2 | (row >> shift) as u16 & 3;
            }
            chosen.push(slot);
        }
        (chosen, current)
    }

    /// Bits that the values take in contexts with one more slot; `size` is the number of such contexts.
    fn bits(&self, contexts: &[u16], shift: Option<u32>, size: usize, scale: f64) -> f64 {
        let mut sums = vec![[0u32; 3]; size];
        for (&context, (row, counts)) in contexts.iter().zip(&self.looks) {
            let context = shift.map_or(context, |shift| context << 2 | (row >> shift) as u16 & 3);
            let sums = &mut sums[usize::from(context)];
            (0..3).for_each(|value| sums[value] += counts[value]);
        }
        entropy(&sums, scale)
    }
}

/// Hashes a row of two words by multiplication: rows differ in few bits, but nobody chooses them to collide.
#[derive(Default)]
struct RowHasher(u64);

impl Hasher for RowHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u128(byte.into()));
    }

    #[inline]
    fn write_u128(&mut self, row: u128) {
        const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
        let mixed =
            (self.0 ^ row as u64 ^ ((row >> 64) as u64).rotate_left(29)).wrapping_mul(MULTIPLIER);
        self.0 = (mixed ^ mixed >> 32).wrapping_mul(MULTIPLIER);
    }
}
