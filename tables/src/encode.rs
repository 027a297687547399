//! Encoding a table into any sink.

use std::io::{self, Seek, SeekFrom, Write};
use std::time::{Duration, Instant};

use damier_core::{Color, DrawRuleSet, Rules, Value};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::block::{self, Encoded, constant, seal};
use crate::class::Class;
use crate::distance_block;
use crate::distance_fit::{DistanceSample, fit_distances};
use crate::distance_model::DistanceModel;
use crate::distances::{Distances, Longest};
use crate::fit::{Sample, fit};
use crate::header::{
    ABSENT, BLOCK, BLOCKS, CONSTANT, Codec, GROUP, HEADER, Header, Metric, RawTurn, block_count,
    group_count,
};
use crate::index::{GroupOrder, Index};
use crate::layout::Layout;
use crate::model::Model;
use crate::values::{Counts, Values};

/// Groups that are encoded before what they gave is written: bounds the memory that encoding takes.
const WAVE: u64 = 256;
/// The most blocks that a model is fitted on.
const SAMPLE_BLOCKS: u64 = 512;
/// A model is fitted on one in so many blocks where that is fewer.
const SAMPLE_SHARE: u64 = 16;

/// The most blocks that a model of distances is fitted on.
const DISTANCE_BLOCKS: usize = 1024;

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
    /// The model as bytes.
    fn model_bytes(model: &Self::Model, layout: &Layout) -> Vec<u8>;
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
        fit(layout, &sample(index, turn, self.0))
    }

    fn model_bytes(model: &Model, layout: &Layout) -> Vec<u8> {
        model.to_bytes(layout)
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
        fit_distances(layout, &distance_sample(index, turn, self.0))
    }

    fn model_bytes(model: &DistanceModel, layout: &Layout) -> Vec<u8> {
        model.to_bytes(layout)
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
    let order = options.order.unwrap_or_else(|| GroupOrder::default_for(class));
    let index = Index::<R>::new(class, order);
    let begin = out.stream_position()?;
    out.write_all(&[0; HEADER])?;
    let mut written = Written {
        bytes: 0,
        order,
        fitting: Duration::ZERO,
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
    let begin = out.stream_position()?;
    let groups = group_count(index.len());
    let mut directory: Vec<Result<u32, Option<Value>>> = Vec::with_capacity(groups as usize);
    for wave in (0..groups).step_by(WAVE as usize) {
        let encoded: Vec<_> = (wave..groups.min(wave + WAVE))
            .into_par_iter()
            .map_init(
                || vec![N::Code::default(); GROUP * BLOCK],
                |codes, group| {
                    let start = group * (GROUP * BLOCK) as u64;
                    let len = (index.len() - start).min((GROUP * BLOCK) as u64) as usize;
                    let clock = Instant::now();
                    numbers.fill(index, turn, start, &mut codes[..len]);
                    let fetched = clock.elapsed();
                    let mut encoded = N::encode_group(model_and_layout, start, &mut codes[..len]);
                    if let Encoded::Record(record) = &mut encoded {
                        seal(record, turn, group);
                    }
                    (encoded, fetched, clock.elapsed() - fetched)
                },
            )
            .collect();
        for (encoded, fetching, encoding) in encoded {
            written.fetching += fetching;
            written.encoding += encoding;
            directory.push(match encoded {
                Encoded::Constant(value) => Err(value),
                Encoded::Record(record) => {
                    out.write_all(&record)?;
                    Ok(record.len() as u32)
                }
            });
        }
    }
    if let Some(value) = only_value(&directory) {
        return Ok(RawTurn::new(CONSTANT + value as u8, 0, 0, 0));
    }
    let payload_len = out.stream_position()? - begin;
    let mut lead = model.map_or(Vec::new(), |model| N::model_bytes(&model, &layout));
    let model_len = lead.len() as u32;
    for group in directory {
        let entry = group.unwrap_or_else(|value| value.unwrap_or(Value::Draw) as u32);
        lead.extend(&entry.to_le_bytes()[..metric.entry_len()]);
    }
    out.write_all(&lead)?;
    Ok(RawTurn::new(BLOCKS, model_len, payload_len, xxh3_64(&lead)))
}

/// Blocks to fit a model on.
fn sample<R: Rules>(index: &Index<R>, turn: Color, values: &impl Values<R>) -> Sample {
    let blocks = block_count(index.len());
    let mut wanted = SAMPLE_BLOCKS.min(blocks.div_ceil(SAMPLE_SHARE));
    let mut sample = Sample::default();
    let mut tried = 0;
    // Steps of about the golden section visit the blocks evenly, however many of them are needed.
    let step = coprime_step(blocks);
    let mut block = 0;
    while tried < blocks && wanted > 0 {
        let start = block * BLOCK as u64;
        let mut codes = vec![0; (index.len() - start).min(BLOCK as u64) as usize];
        values.fill(index, turn, start, &mut codes);
        if constant(&codes).is_err() {
            sample.blocks.push((start, codes));
            wanted -= 1;
        }
        tried += 1;
        block = (block + step) % blocks;
    }
    sample.scale = blocks as f64 / tried.max(1) as f64;
    sample
}

/// Blocks to fit a model of distances on.
fn distance_sample<R: Rules>(
    index: &Index<R>,
    turn: Color,
    distances: &impl Distances<R>,
) -> DistanceSample {
    let count = block_count(index.len());
    let step = coprime_step(count);
    let mut blocks = Vec::new();
    let mut block = 0;
    let mut tried = 0;
    while tried < count && blocks.len() < DISTANCE_BLOCKS {
        let start = block * BLOCK as u64;
        let mut scores = vec![0; (index.len() - start).min(BLOCK as u64) as usize];
        distances.fill(index, turn, start, &mut scores);
        if distance_block::is_decided(&scores) {
            blocks.push((start, scores));
        }
        tried += 1;
        block = (block + step) % count;
    }
    DistanceSample { blocks, scale: count as f64 / tried.max(1) as f64 }
}

/// A number without common divisors with `n`, about 0.618 of it.
fn coprime_step(n: u64) -> u64 {
    let gcd = |mut a: u64, mut b: u64| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let about = (n as f64 * 0.618_034) as u64;
    (about.max(1)..).find(|&step| gcd(step, n) == 1).expect("n + 1 is one")
}

/// The value that all groups have, if they have one.
fn only_value(directory: &[Result<u32, Option<Value>>]) -> Option<Value> {
    let mut only = None;
    for group in directory {
        let value = (*group).err()?;
        if let (Some(value), Some(other)) = (value, only)
            && value != other
        {
            return None;
        }
        only = only.or(value);
    }
    Some(only.unwrap_or(Value::Draw))
}
