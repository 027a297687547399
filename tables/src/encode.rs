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
use crate::trial::{choose_distance_order, choose_order};
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
    /// The model for one side to move.
    fn fit(&self, index: &Index<R>, layout: &Layout, turn: Color) -> Self::Model;
    /// The order of the groups in which they take the fewest bits.
    fn choose_order(&self, class: Class) -> GroupOrder;
    /// The model, if there is one, and the code of the lengths of blocks, as bytes.
    fn lead_bytes(model: Option<&Self::Model>, layout: &Layout, code: &LengthCode) -> Vec<u8>;
    /// Encodes a group of blocks whose first position has number `start`, with a model or without prediction.
    fn encode_group(
        model: Option<(&Self::Model, &Layout)>,
        start: u64,
        codes: &mut [Self::Code],
    ) -> Encoded;
}

/// Values as numbers of a table.
struct OfValues<'a, V>(&'a V);

impl<R: Rules, V: Values<R>> Numbers<R> for OfValues<'_, V> {
    type Code = u8;
    type Model = Model;

    fn fill(&self, index: &Index<R>, turn: Color, start: u64, out: &mut [u8]) {
        self.0.fill(index, turn, start, out);
    }

    fn fit(&self, index: &Index<R>, layout: &Layout, turn: Color) -> Model {
        fit(layout, &Sample::for_fitting(index, turn, self.0))
    }

    fn choose_order(&self, class: Class) -> GroupOrder {
        choose_order(class, self.0)
    }

    fn lead_bytes(model: Option<&Model>, layout: &Layout, code: &LengthCode) -> Vec<u8> {
        lead_bytes(model, layout, code)
    }

    fn encode_group(model: Option<(&Model, &Layout)>, start: u64, codes: &mut [u8]) -> Encoded {
        block::encode_group(model, start, codes)
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

    fn fit(&self, index: &Index<R>, layout: &Layout, turn: Color) -> DistanceModel {
        fit_distances(layout, &DistanceSample::for_fitting(index, turn, self.0))
    }

    fn choose_order(&self, class: Class) -> GroupOrder {
        choose_distance_order(class, self.0)
    }

    fn lead_bytes(model: Option<&DistanceModel>, layout: &Layout, code: &LengthCode) -> Vec<u8> {
        distance_lead_bytes(model, layout, code)
    }

    fn encode_group(
        model: Option<(&DistanceModel, &Layout)>,
        start: u64,
        scores: &mut [u16],
    ) -> Encoded {
        distance_block::encode_group(model, start, scores)
    }
}

/// Encodes a table of any numbers.
fn encode_numbers<R: Rules>(
    out: &mut (impl Write + Seek),
    class: Class,
    (metric, rules): (Metric, DrawRuleSet),
    counts: [Counts; 2],
    longest: [Longest; 2],
    numbers: &impl Numbers<R>,
    options: &WriteOptions,
) -> io::Result<Written> {
    assert!(class.is_canonical(), "{class} is stored as {}", class.canonical());
    let clock = Instant::now();
    let order = options.order.unwrap_or_else(|| match options.codec {
        Codec::Context => numbers.choose_order(class),
        Codec::Plain => GroupOrder::default_for(class),
    });
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
    for turn in Color::BOTH {
        if turn == Color::White || !class.is_symmetric() {
            turns[turn.index()] =
                encode_turn(out, &index, metric, turn, numbers, options.codec, &mut written)?;
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

/// Encodes one side to move: the groups of blocks, the model, the directory.
fn encode_turn<R: Rules, N: Numbers<R>>(
    out: &mut (impl Write + Seek),
    index: &Index<R>,
    metric: Metric,
    turn: Color,
    numbers: &N,
    codec: Codec,
    written: &mut Written,
) -> io::Result<RawTurn> {
    let clock = Instant::now();
    let layout = Layout::of(index);
    let model = match codec {
        Codec::Context => Some(numbers.fit(index, &layout, turn)),
        Codec::Plain => None,
    };
    written.fitting += clock.elapsed();
    let model_and_layout = model.as_ref().map(|model| (model, &layout));
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
                let encoded = N::encode_group(model_and_layout, start, &mut codes[..len]);
                (encoded, fetching, clock.elapsed() - fetching)
            },
        )
        .collect();
    for (_, fetching, encoding) in &encoded {
        written.fetching += *fetching;
        written.encoding += *encoding;
    }
    let groups: Vec<Encoded> = encoded.into_iter().map(|(group, ..)| group).collect();
    if let Some(value) = only_value(&groups) {
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
    let mut lead = N::lead_bytes(model.as_ref(), &layout, &code);
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
