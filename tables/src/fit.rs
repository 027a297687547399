//! Fitting a model to a sample of blocks: which slots, and what to expect.

use crate::context::{
    Buffer, ByContext, Context, Contexts, MAX_CONTEXTS, MAX_SLOTS, Slot, UNKNOWN, Visit,
};
use crate::layout::Layout;
use crate::model::{Entry, Model};
use crate::values::DONT_CARE;

/// Blocks to learn from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    /// The number of the first position of each block, and its codes.
    pub blocks: Vec<(u64, Vec<u8>)>,
    /// How many times larger the whole is.
    pub scale: f64,
}

/// How often what does not matter is filled with what the model expects, and the model fitted again.
const ROUNDS: usize = 3;
/// A slot must save this share of a bit a position.
const LEAST_GAIN: f64 = 0.0002;

/// Chooses slots one by one, each time the one that leaves the fewest bits, and fits the model.
pub(crate) fn fit(layout: &Layout, sample: &Sample) -> Model {
    let slots = choose_slots(layout, sample);
    if std::env::var("SLOTS").is_ok() {
        eprintln!("{slots:?} sample {} scale {}", sample.blocks.len(), sample.scale);
    }
    let contexts = Contexts::new(layout, &slots);
    let mut filled: Vec<Vec<u8>> =
        sample.blocks.iter().map(|(_, codes)| filled_with_previous(codes)).collect();
    // The first model learns from what matters only, in contexts in which what does not matter has the value before it.
    let mut counts = count(layout, &contexts, sample, &filled, true);
    for _ in 0..ROUNDS {
        let model = Model::fitted(contexts.clone(), &counts, sample.scale);
        for ((start, codes), filled) in sample.blocks.iter().zip(&mut filled) {
            fill(layout, &model, *start, codes, filled);
        }
        counts = count(layout, &contexts, sample, &filled, false);
    }
    Model::fitted(contexts, &counts, sample.scale)
}

/// The codes with what does not matter replaced by what comes before it.
fn filled_with_previous(codes: &[u8]) -> Vec<u8> {
    let mut previous = codes.iter().copied().find(|&code| code != DONT_CARE).unwrap_or(1);
    let fill = codes.iter().map(|&code| {
        previous = if code == DONT_CARE { previous } else { code };
        previous
    });
    fill.collect()
}

/// Replaces what does not matter by what the model expects.
fn fill(layout: &Layout, model: &Model, start: u64, codes: &[u8], filled: &mut [u8]) {
    struct Filling<'a>(&'a ByContext<Entry>);
    impl Visit for Filling<'_> {
        #[inline(always)]
        fn visit(&mut self, code: u8, context: Context) -> u8 {
            if code == DONT_CARE { context.of(self.0).likely() } else { code }
        }
    }
    let mut buffer = Buffer::new();
    buffer.values()[..codes.len()].copy_from_slice(codes);
    model.contexts().walk(layout, start, codes.len(), &mut buffer, Filling(model.entries()));
    filled.copy_from_slice(&buffer.values()[..codes.len()]);
}

/// Marks a filled value that does not matter.
const IGNORED: u8 = 4;

/// Walks through all blocks of a sample with their filled values; what does not matter is marked as [`IGNORED`] if that is wanted.
fn walk<V: Visit>(
    layout: &Layout,
    contexts: &Contexts,
    sample: &Sample,
    filled: &[Vec<u8>],
    mark: bool,
    mut visitor: V,
) -> V {
    let mut buffer = Buffer::new();
    for ((start, codes), filled) in sample.blocks.iter().zip(filled) {
        for ((value, &code), &filled) in buffer.values().iter_mut().zip(codes).zip(filled) {
            *value = if mark && code == DONT_CARE { filled | IGNORED } else { filled };
        }
        visitor = contexts.walk(layout, *start, codes.len(), &mut buffer, visitor);
    }
    visitor
}

/// How often each value occurs in each context; only those that matter, or all.
fn count(
    layout: &Layout,
    contexts: &Contexts,
    sample: &Sample,
    filled: &[Vec<u8>],
    only_cared: bool,
) -> Box<ByContext<[u32; 3]>> {
    struct Counting(Box<ByContext<[u32; 3]>>);
    impl Visit for Counting {
        #[inline(always)]
        fn visit(&mut self, code: u8, context: Context) -> u8 {
            let value = code & !IGNORED;
            context.of_mut(&mut self.0)[usize::from(value)] += u32::from(code == value);
            value
        }
    }
    let counting = Counting(Box::new([[[0; 3]; 4]; MAX_CONTEXTS / 4]));
    walk(layout, contexts, sample, filled, only_cared, counting).0
}

/// What a slot holds at every position that matters, sample after sample.
struct Column {
    slot: Slot,
    values: Vec<u8>,
}

fn choose_slots(layout: &Layout, sample: &Sample) -> Vec<Slot> {
    let (mut columns, values) = columns(layout, sample);
    let mut contexts = vec![0u16; values.len()];
    let mut slots = Vec::new();
    let mut current = cost(&contexts, None, &values, 0, sample.scale);
    while slots.len() < MAX_SLOTS {
        let costs = columns.iter().map(|column| {
            cost(&contexts, Some(&column.values), &values, slots.len(), sample.scale)
        });
        let best = costs.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        let Some((best, bits)) = best else { break };
        if bits > current - LEAST_GAIN * values.len() as f64 {
            break;
        }
        current = bits;
        let column = columns.swap_remove(best);
        for (context, value) in contexts.iter_mut().zip(&column.values) {
            *context = *context << 2 | u16::from(*value);
        }
        slots.push(column.slot);
    }
    slots
}

/// The columns of all slots that are ever known, and the values of the positions.
fn columns(layout: &Layout, sample: &Sample) -> (Vec<Column>, Vec<u8>) {
    struct Collecting(Vec<u16>);
    impl Visit for Collecting {
        #[inline(always)]
        fn visit(&mut self, code: u8, context: Context) -> u8 {
            let value = code & !IGNORED;
            if code == value {
                self.0.push(context.number());
            }
            value
        }
    }
    let filled: Vec<Vec<u8>> =
        sample.blocks.iter().map(|(_, codes)| filled_with_previous(codes)).collect();
    let mut columns = Vec::new();
    for slots in Slot::all(layout).chunks(MAX_SLOTS) {
        let contexts = Contexts::new(layout, slots);
        let collected = walk(layout, &contexts, sample, &filled, true, Collecting(Vec::new())).0;
        for (&slot, shift) in slots.iter().zip(contexts.shifts()) {
            let values: Vec<u8> =
                collected.iter().map(|context| (context >> shift & 3) as u8).collect();
            if values.iter().any(|&value| value != UNKNOWN) {
                columns.push(Column { slot, values });
            }
        }
    }
    let values = sample
        .blocks
        .iter()
        .flat_map(|(_, codes)| codes)
        .copied()
        .filter(|&code| code != DONT_CARE)
        .collect();
    (columns, values)
}

/// Bits that the values take in contexts with one more slot.
fn cost(contexts: &[u16], column: Option<&[u8]>, values: &[u8], slots: usize, scale: f64) -> f64 {
    let mut counts = vec![[0u32; 4]; 4 << (2 * slots)];
    match column {
        Some(column) => {
            for ((&context, &slot), &value) in contexts.iter().zip(column).zip(values) {
                counts[usize::from(context) << 2 | usize::from(slot)][usize::from(value)] += 1;
            }
        }
        None => values.iter().for_each(|&value| counts[0][usize::from(value)] += 1),
    }
    let log = |n: u32| if n == 0 { 0.0 } else { f64::from(n) * f64::from(n).log2() };
    let seen = counts.iter().filter(|counts| counts.iter().any(|&n| n > 0));
    seen.map(|counts| {
        let mixed = counts.iter().filter(|&&n| n > 0).count() > 1;
        let parameter = if mixed { 1.5 + 12.0 / scale } else { 3.0 / scale };
        parameter + log(counts.iter().sum()) - counts.iter().map(|&n| log(n)).sum::<f64>()
    })
    .sum()
}
