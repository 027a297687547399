//! Encoding a table into any sink.

use std::io::{self, Seek, SeekFrom, Write};
use std::time::{Duration, Instant};

use damier_core::{Color, DrawRuleSet, Rules, Value};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::block::{self, Encoded, record};
use crate::class::Class;
use crate::distance_block;
use crate::distance_fit::{DistanceSample, fit_distances};
use crate::distance_model::{DistanceModel, distance_lead_bytes};
use crate::distances::{Distances, Longest};
use crate::fit::fit;
use crate::header::{
    ABSENT, BLOCK, BLOCKS, CONSTANT, Codec, GROUP, HEADER, Header, Metric, RawTurn, group_count,
};
use crate::index::{GroupOrder, Index};
use crate::layout::Layout;
use crate::lengths::LengthCode;
use crate::model::{Model, lead_bytes};
use crate::sample::Sample;
use crate::successors::Opposite;
use crate::trial::{Plan, plan_distances, plan_values};
use crate::values::{Counts, Values};

/// How a table is to be written.
#[derive(Clone, Copy, Debug, Default)]
pub struct WriteOptions {
    /// How the blocks are compressed.
    pub codec: Codec,
    /// The order of the groups in the index; `None` leaves it to the encoder.
    pub order: Option<GroupOrder>,
}

/// What was written, and the time it took, summed over the threads.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    /// Bytes of the table.
    pub bytes: u64,
    /// The order of the groups in its index.
    pub order: GroupOrder,
    /// Time to choose the order and to fit the models.
    pub fitting: Duration,
    /// Time spent asking for values.
    pub fetching: Duration,
    /// Time spent encoding them.
    pub encoding: Duration,
}

/// Encodes a table: the values of a [canonical](Class::canonical) class, for both sides to move unless the class is
/// symmetric. `counts` are by side to move. The same input gives the same bytes for any number of threads.
///
/// # Errors
/// What the sink reports.
///
/// # Panics
/// If the class is not canonical.
pub fn encode_table<R: Rules>(
    out: &mut (impl Write + Seek),
    class: Class,
    counts: [Counts; 2],
    values: &impl Values<R>,
    options: &WriteOptions,
) -> io::Result<Written> {
    let kind = (Metric::Wdl, DrawRuleSet::None);
    encode_numbers(out, class, kind, counts, Default::default(), &OfValues(values), options)
}

/// Encodes a table of distances, as [`encode_table`] one of values. `rules` are those of [`Metric::Dtr`]; other metrics have none.
/// `counts` and `longest`, the longest win and the longest loss, are by side to move and of all legal positions, those with a capture due
/// as well.
///
/// # Errors
/// What the sink reports.
///
/// # Panics
/// If the class is not canonical, the metric has no distances, or it has rules and should not.
#[expect(clippy::too_many_arguments, reason = "the parts of a header")]
pub fn encode_distances<R: Rules>(
    out: &mut (impl Write + Seek),
    class: Class,
    metric: Metric,
    rules: DrawRuleSet,
    counts: [Counts; 2],
    longest: [Longest; 2],
    distances: &impl Distances<R>,
    options: &WriteOptions,
) -> io::Result<Written> {
    assert!(metric.has_distances(), "{} has no distances", metric.name());
    assert!(
        metric == Metric::Dtr || rules == DrawRuleSet::None,
        "{} under no rules",
        metric.name()
    );
    encode_numbers(out, class, (metric, rules), counts, longest, &OfDistances(distances), options)
}

/// The numbers of a table: where they come from, and how they are coded.
trait Numbers<R: Rules>: Sync {
    /// One number.
    type Code: Copy + Default + Send;
    /// What predicts them.
    type Model: Sync;

    /// Writes the numbers from `start` on.
    fn fill(&self, index: &Index<R>, turn: Color, start: u64, out: &mut [Self::Code]);
    /// How they take the fewest bits, with one of these orders.
    fn plan(&self, class: Class, orders: Vec<GroupOrder>) -> Plan;
    /// The model for one side to move, which may look up the other one where that came `first`.
    fn fit(
        &self,
        index: &Index<R>,
        layout: &Layout,
        turn: Color,
        first: Option<&Side<Self::Model>>,
    ) -> Self::Model;
    /// The model, if there is one, and the code of the lengths of blocks, as bytes.
    fn lead_bytes(model: Option<&Self::Model>, layout: &Layout, code: &LengthCode) -> Vec<u8>;
    /// Encodes a group of blocks whose first position has number `start`, with a model or without prediction.
    fn encode_group(
        model: Option<(&Self::Model, &Layout)>,
        start: u64,
        codes: &mut [Self::Code],
        first: Option<&Side<Self::Model>>,
    ) -> Encoded;
}

/// One side to move, encoded.
struct Side<M> {
    /// What predicts it, if anything does.
    model: Option<M>,
    groups: Vec<Encoded>,
    /// The value that all positions have, if they have one.
    only: Option<Value>,
}

impl Side<Model> {
    /// The values of a block, as they will be read, for the other side to move.
    fn opposite(&self, layout: &Layout, block: u64) -> Opposite {
        let start = block * BLOCK as u64;
        let len = (layout.len() - start).min(BLOCK as u64) as usize;
        let (group, place) = ((block / GROUP as u64) as usize, (block % GROUP as u64) as usize);
        let mut values = [0; BLOCK];
        let values = &mut values[..len];
        let stored = self.groups[group].block(place, len, self.only);
        stored
            .and_then(|stored| stored.decode(self.model.as_ref(), layout, start, None, values))
            .expect("what was just encoded");
        Opposite::new(layout, start, values)
    }
}

/// Values as numbers of a table.
struct OfValues<'a, V>(&'a V);

impl<R: Rules, V: Values<R>> Numbers<R> for OfValues<'_, V> {
    type Code = u8;
    type Model = Model;

    fn fill(&self, index: &Index<R>, turn: Color, start: u64, out: &mut [u8]) {
        self.0.fill(index, turn, start, out);
    }

    fn plan(&self, class: Class, orders: Vec<GroupOrder>) -> Plan {
        plan_values(class, orders, self.0)
    }

    fn fit(
        &self,
        index: &Index<R>,
        layout: &Layout,
        turn: Color,
        first: Option<&Side<Model>>,
    ) -> Model {
        let opposite = |block| Some(first?.opposite(layout, block));
        let sample = Sample::for_fitting(index, turn, self.0, opposite);
        fit(layout, &sample, first.map(|_| turn))
    }

    fn lead_bytes(model: Option<&Model>, layout: &Layout, code: &LengthCode) -> Vec<u8> {
        lead_bytes(model, layout, code)
    }

    fn encode_group(
        model: Option<(&Model, &Layout)>,
        start: u64,
        codes: &mut [u8],
        first: Option<&Side<Model>>,
    ) -> Encoded {
        let seen = model.filter(|(model, _)| model.contexts().sees_opposite()).zip(first);
        let opposite = |block| seen.map(|((_, layout), first)| first.opposite(layout, block));
        block::encode_group(model, start, codes, opposite)
    }
}

/// Distances as numbers of a table.
struct OfDistances<'a, D>(&'a D);

impl<R: Rules, D: Distances<R>> Numbers<R> for OfDistances<'_, D> {
    type Code = u16;
    type Model = DistanceModel;

    fn fill(&self, index: &Index<R>, turn: Color, start: u64, out: &mut [u16]) {
        self.0.fill(index, turn, start, out);
    }

    fn plan(&self, class: Class, orders: Vec<GroupOrder>) -> Plan {
        plan_distances(class, orders, self.0)
    }

    fn fit(
        &self,
        index: &Index<R>,
        layout: &Layout,
        turn: Color,
        _: Option<&Side<DistanceModel>>,
    ) -> DistanceModel {
        fit_distances(layout, &DistanceSample::for_fitting(index, turn, self.0))
    }

    fn lead_bytes(model: Option<&DistanceModel>, layout: &Layout, code: &LengthCode) -> Vec<u8> {
        distance_lead_bytes(model, layout, code)
    }

    fn encode_group(
        model: Option<(&DistanceModel, &Layout)>,
        start: u64,
        scores: &mut [u16],
        _: Option<&Side<DistanceModel>>,
    ) -> Encoded {
        distance_block::encode_group(model, start, scores)
    }
}

/// Encodes a table of any numbers.
fn encode_numbers<R: Rules, N: Numbers<R>>(
    out: &mut (impl Write + Seek),
    class: Class,
    (metric, rules): (Metric, DrawRuleSet),
    counts: [Counts; 2],
    longest: [Longest; 2],
    numbers: &N,
    options: &WriteOptions,
) -> io::Result<Written> {
    assert!(class.is_canonical(), "{class} is stored as {}", class.canonical());
    let clock = Instant::now();
    let plan = match (options.codec, options.order) {
        (Codec::Context, None) => numbers.plan(class, GroupOrder::all_for(class)),
        (Codec::Context, Some(order)) => numbers.plan(class, vec![order]),
        (Codec::Plain, order) => {
            let order = order.unwrap_or_else(|| GroupOrder::default_for(class));
            Plan { order, first: None }
        }
    };
    let order = plan.order;
    let choosing = clock.elapsed();
    let index = Index::<R>::new(class, order);
    let begin = out.stream_position()?;
    out.write_all(&[0; HEADER])?;
    let mut written = Written {
        bytes: 0,
        order,
        fitting: choosing,
        fetching: Duration::ZERO,
        encoding: Duration::ZERO,
    };
    let mut turns = [RawTurn::new(ABSENT, 0, 0, 0); 2];
    let layout = Layout::of(&index);
    let mut encode = |turn, first: Option<&Side<_>>| {
        encode_side(&index, &layout, turn, numbers, first, options.codec, &mut written)
    };
    let mut write = |turn: Color, side| -> io::Result<()> {
        turns[turn.index()] = write_side::<R, N>(out, &layout, metric, turn, side)?;
        Ok(())
    };
    match plan.first {
        _ if class.is_symmetric() => write(Color::White, encode(Color::White, None))?,
        None => {
            write(Color::White, encode(Color::White, None))?;
            write(Color::Black, encode(Color::Black, None))?;
        }
        Some(Color::White) => {
            let white = encode(Color::White, None);
            let black = encode(Color::Black, Some(&white));
            write(Color::White, white)?;
            write(Color::Black, black)?;
        }
        Some(Color::Black) => {
            let black = encode(Color::Black, None);
            write(Color::White, encode(Color::White, Some(&black)))?;
            write(Color::Black, black)?;
        }
    }
    let end = out.stream_position()?;
    written.bytes = end - begin;
    let codec = options.codec;
    let header =
        Header { variant: R::VARIANT, class, metric, rules, codec, order, counts, longest, turns };
    out.seek(SeekFrom::Start(begin))?;
    out.write_all(&header.to_bytes(index.len(), written.bytes))?;
    out.seek(SeekFrom::Start(end))?;
    Ok(written)
}

/// Encodes one side to move, which may look up the other one where that came `first`.
fn encode_side<R: Rules, N: Numbers<R>>(
    index: &Index<R>,
    layout: &Layout,
    turn: Color,
    numbers: &N,
    first: Option<&Side<N::Model>>,
    codec: Codec,
    written: &mut Written,
) -> Side<N::Model> {
    let clock = Instant::now();
    let model = match codec {
        Codec::Context => Some(numbers.fit(index, layout, turn, first)),
        Codec::Plain => None,
    };
    written.fitting += clock.elapsed();
    let model_and_layout = model.as_ref().map(|model| (model, layout));
    let encoded: Vec<_> = (0..group_count(index.len()))
        .into_par_iter()
        .map_init(
            || vec![N::Code::default(); GROUP * BLOCK],
            |codes, group| {
                let start = group * (GROUP * BLOCK) as u64;
                let len = (index.len() - start).min((GROUP * BLOCK) as u64) as usize;
                let clock = Instant::now();
                numbers.fill(index, turn, start, &mut codes[..len]);
                let fetching = clock.elapsed();
                let encoded = N::encode_group(model_and_layout, start, &mut codes[..len], first);
                (encoded, fetching, clock.elapsed() - fetching)
            },
        )
        .collect();
    for (_, fetching, encoding) in &encoded {
        written.fetching += *fetching;
        written.encoding += *encoding;
    }
    let groups: Vec<Encoded> = encoded.into_iter().map(|(group, ..)| group).collect();
    let only = only_value(&groups);
    Side { model, groups, only }
}

/// Writes one side to move: the groups of blocks, the model, the directory.
fn write_side<R: Rules, N: Numbers<R>>(
    out: &mut impl Write,
    layout: &Layout,
    metric: Metric,
    turn: Color,
    Side { model, groups, only }: Side<N::Model>,
) -> io::Result<RawTurn> {
    if let Some(value) = only {
        return Ok(RawTurn::new(CONSTANT + value as u8, 0, 0, 0));
    }
    let mut counts = [0; 256];
    let lengths = groups.iter().filter_map(|group| match group {
        Encoded::Constant(_) => None,
        Encoded::Blocks(lengths, _) => Some(lengths),
    });
    lengths.flatten().for_each(|&length| counts[usize::from(length)] += 1);
    let code = LengthCode::for_counts(&counts);
    let mut payload_len = 0;
    let mut directory = Vec::with_capacity(metric.entry_len() * groups.len());
    for (group, encoded) in (0..).zip(groups) {
        let entry = match encoded {
            Encoded::Constant(value) => value.unwrap_or(Value::Draw) as u32,
            Encoded::Blocks(lengths, blocks) => {
                let record = record(&code, &lengths, &blocks, turn, group);
                out.write_all(&record)?;
                payload_len += record.len() as u64;
                record.len() as u32
            }
        };
        directory.extend_from_slice(&entry.to_le_bytes()[..metric.entry_len()]);
    }
    let mut lead = N::lead_bytes(model.as_ref(), layout, &code);
    let model_len = lead.len() as u32;
    lead.append(&mut directory);
    out.write_all(&lead)?;
    Ok(RawTurn::new(BLOCKS, model_len, payload_len, xxh3_64(&lead)))
}

/// The value that all groups have, if they have one.
fn only_value(groups: &[Encoded]) -> Option<Value> {
    let mut only = None;
    for group in groups {
        let Encoded::Constant(value) = group else { return None };
        if let (Some(value), Some(other)) = (value, only)
            && *value != other
        {
            return None;
        }
        only = only.or(*value);
    }
    Some(only.unwrap_or(Value::Draw))
}
