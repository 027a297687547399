//! Encoding a table into any sink.

use std::io::{self, Seek, SeekFrom, Write};
use std::time::{Duration, Instant};

use damier_core::{Color, Rules, Value};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::block::{Encoded, encode_group, record};
use crate::class::Class;
use crate::fit::fit;
use crate::header::{
    ABSENT, BLOCK, BLOCKS, CONSTANT, Codec, GROUP, HEADER, Header, Metric, RawTurn, group_count,
};
use crate::index::{GroupOrder, Index};
use crate::layout::Layout;
use crate::lengths::LengthCode;
use crate::model::lead_bytes;
use crate::sample::Sample;
use crate::trial::choose_order;
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
    assert!(class.is_canonical(), "{class} is stored as {}", class.canonical());
    let clock = Instant::now();
    let order = options.order.unwrap_or_else(|| match options.codec {
        Codec::Context => choose_order(class, values),
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
                encode_turn(out, &index, turn, values, options.codec, &mut written)?;
        }
    }
    let end = out.stream_position()?;
    written.bytes = end - begin;
    let header = Header {
        variant: R::VARIANT,
        class,
        metric: Metric::Wdl,
        codec: options.codec,
        order,
        counts,
        turns,
    };
    out.seek(SeekFrom::Start(begin))?;
    out.write_all(&header.to_bytes(index.len(), written.bytes))?;
    out.seek(SeekFrom::Start(end))?;
    Ok(written)
}

/// Encodes one side to move: the groups of blocks, the model, the directory.
fn encode_turn<R: Rules>(
    out: &mut (impl Write + Seek),
    index: &Index<R>,
    turn: Color,
    values: &impl Values<R>,
    codec: Codec,
    written: &mut Written,
) -> io::Result<RawTurn> {
    let clock = Instant::now();
    let layout = Layout::of(index);
    let model = match codec {
        Codec::Context => Some(fit(&layout, &Sample::for_fitting(index, turn, values))),
        Codec::Plain => None,
    };
    written.fitting += clock.elapsed();
    let model_and_layout = model.as_ref().map(|model| (model, &layout));
    let encoded: Vec<_> = (0..group_count(index.len()))
        .into_par_iter()
        .map_init(
            || vec![0; GROUP * BLOCK],
            |codes, group| {
                let start = group * (GROUP * BLOCK) as u64;
                let len = (index.len() - start).min((GROUP * BLOCK) as u64) as usize;
                let clock = Instant::now();
                values.fill(index, turn, start, &mut codes[..len]);
                let fetching = clock.elapsed();
                let encoded = encode_group(model_and_layout, start, &mut codes[..len]);
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
    let mut directory = Vec::with_capacity(2 * groups.len());
    for (group, encoded) in (0..).zip(groups) {
        let entry = match encoded {
            Encoded::Constant(value) => value.unwrap_or(Value::Draw) as u16,
            Encoded::Blocks(lengths, blocks) => {
                let record = record(&code, &lengths, &blocks, turn, group);
                out.write_all(&record)?;
                payload_len += record.len() as u64;
                record.len() as u16
            }
        };
        directory.extend_from_slice(&entry.to_le_bytes());
    }
    let mut lead = lead_bytes(model.as_ref(), &layout, &code);
    let model_len = lead.len() as u32;
    if std::env::var("PARTS").is_ok() {
        eprintln!("payload {payload_len} model {model_len} directory {}", directory.len());
    }
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
