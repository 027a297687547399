//! Groups of blocks: the records of the payload.
//!
//! A record is a checksum, the blocks, and at its end, read from there backwards, the [length](crate::lengths) of each of them. A group of which
//! all blocks are constant with the same value has no record: the directory says so.

use xxhash_rust::xxh3::xxh3_64;

use damier_core::{Color, Value};

use crate::coder;
use crate::header::{BLOCK, GROUP};
use crate::layout::Layout;
use crate::lengths::{LengthCode, MAX_WIDTH};
use crate::model::Model;
use crate::plain;
use crate::successors::Opposite;
use crate::values::{DONT_CARE, value_of_code};

/// Bytes of a record's checksum.
pub(crate) const CHECKSUM: usize = 4;
/// Length byte of a block that is packed without prediction.
const PLAIN: u8 = 252;
/// Length byte of a block of losses; 254 of draws, 255 of wins.
const CONSTANT: u8 = 253;
/// The most bytes of a record.
pub(crate) const MAX_RECORD: usize =
    CHECKSUM + GROUP * (plain::packed_len(BLOCK) + MAX_WIDTH.div_ceil(8) as usize);

/// A group of blocks, encoded.
pub(crate) enum Encoded {
    /// One value throughout, or no value that matters.
    Constant(Option<Value>),
    /// The length byte of each block, and the blocks.
    Blocks(Vec<u8>, Vec<u8>),
}

/// The one value that occurs in a block, `Ok(None)` if none does, `Err` if several do.
pub(crate) fn constant(codes: &[u8]) -> Result<Option<Value>, ()> {
    // One bit a code; the loop has no branches, so that it runs at the speed of memory.
    let seen = codes.iter().fold(0u8, |seen, code| seen | 1 << (code & 3)) & !(1 << DONT_CARE);
    match seen {
        0 => Ok(None),
        _ if seen.is_power_of_two() => Ok(value_of_code(seen.trailing_zeros() as u8)),
        _ => Err(()),
    }
}

/// Encodes a group whose first position has number `start`, with a model or without prediction. `opposite` gives what is known of the
/// other side to move in the block with a number.
pub(crate) fn encode_group(
    model: Option<(&Model, &Layout)>,
    start: u64,
    codes: &mut [u8],
    opposite: impl Fn(u64) -> Option<Opposite>,
) -> Encoded {
    let constants: Vec<_> = codes.chunks(BLOCK).map(constant).collect();
    if let Some(value) = common(&constants) {
        return Encoded::Constant(value);
    }
    let mut blocks = Vec::new();
    // A block in which nothing matters is like the last constant one.
    let mut last = Value::Draw;
    let lengths =
        codes.chunks_mut(BLOCK).zip(constants).enumerate().map(|(number, (codes, constant))| {
            match constant {
                Ok(value) => {
                    last = value.unwrap_or(last);
                    CONSTANT + last as u8
                }
                Err(()) => {
                    let start = start + (number * BLOCK) as u64;
                    let opposite = opposite(start / BLOCK as u64);
                    encode_block(model, start, codes, opposite.as_ref(), &mut blocks)
                }
            }
        });
    Encoded::Blocks(lengths.collect(), blocks)
}

/// Appends a block that is not constant and returns its length byte.
fn encode_block(
    model: Option<(&Model, &Layout)>,
    start: u64,
    codes: &mut [u8],
    opposite: Option<&Opposite>,
    record: &mut Vec<u8>,
) -> u8 {
    let begin = record.len();
    if let Some((model, layout)) = model {
        coder::encode(model, layout, start, codes, opposite, record);
        let length = record.len() - begin;
        if length < plain::packed_len(codes.len()) {
            return length as u8;
        }
        record.truncate(begin);
    }
    for code in codes.iter_mut() {
        *code = if *code == DONT_CARE { Value::Draw as u8 } else { *code };
    }
    plain::pack(codes, record);
    PLAIN
}

/// The value that all blocks of a group have, `Some(None)` if none matters; `None` if they differ.
fn common(constants: &[Result<Option<Value>, ()>]) -> Option<Option<Value>> {
    let mut common = None;
    for constant in constants {
        match (constant, common) {
            (Err(()), _) => return None,
            (Ok(Some(value)), Some(other)) if *value != other => return None,
            (Ok(value), _) => common = common.or(*value),
        }
    }
    Some(common)
}

/// The record of a group.
pub(crate) fn record(
    code: &LengthCode,
    lengths: &[u8],
    blocks: &[u8],
    turn: Color,
    group: u64,
) -> Vec<u8> {
    let mut record = Vec::with_capacity(CHECKSUM + blocks.len() + lengths.len());
    record.extend_from_slice(&[0; CHECKSUM]);
    record.extend_from_slice(blocks);
    code.encode_backwards(lengths, &mut record);
    let checksum = checksum(&record, turn, group);
    record[..CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
    record
}

/// The checksum of a record. It depends on the place of the record, so that two of them cannot change places.
fn checksum(record: &[u8], turn: Color, group: u64) -> u32 {
    let place = (2 * group + turn as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (xxh3_64(&record[CHECKSUM..]) ^ place) as u32
}

/// How a block is stored.
pub(crate) enum Stored<'a> {
    /// One value throughout.
    Constant(Value),
    /// Packed without prediction.
    Plain(&'a [u8]),
    /// Coded with the table's model.
    Coded(&'a [u8]),
}

/// A record whose checksum is right: its blocks and their lengths.
pub(crate) struct Record<'a>(pub &'a [u8]);

impl<'a> Record<'a> {
    /// The record in these bytes, or the expected and the found checksum.
    pub fn new(bytes: &'a [u8], turn: Color, group: u64) -> Result<Record<'a>, (u32, u32)> {
        let (expected, rest) = bytes.split_first_chunk::<CHECKSUM>().ok_or((0, 0))?;
        let (expected, found) = (u32::from_le_bytes(*expected), checksum(bytes, turn, group));
        if expected == found { Ok(Record(rest)) } else { Err((expected, found)) }
    }

    /// The block at a place of the group, which holds `positions` positions; `None` if the record makes no sense.
    pub fn block(&self, code: &LengthCode, place: usize, positions: usize) -> Option<Stored<'a>> {
        let mut lengths = [0; GROUP];
        let lengths = &mut lengths[..=place];
        code.decode_backwards(self.0, lengths)?;
        Stored::last_of(lengths, self.0, positions)
    }
}

impl<'a> Stored<'a> {
    /// The last of the blocks with these length bytes, which lie in `blocks` one after the other.
    fn last_of(lengths: &[u8], blocks: &'a [u8], positions: usize) -> Option<Stored<'a>> {
        let bytes = |length: u8, positions| match length {
            PLAIN => plain::packed_len(positions),
            CONSTANT.. => 0,
            _ => usize::from(length),
        };
        let (&length, earlier) = lengths.split_last()?;
        // Only the last block of a table is short, and no block comes after it.
        let before: usize = earlier.iter().map(|&length| bytes(length, BLOCK)).sum();
        let block = blocks.get(before..)?.get(..bytes(length, positions))?;
        Some(match length {
            PLAIN => Stored::Plain(block),
            CONSTANT.. => Stored::Constant(value_of_code(length - CONSTANT)?),
            _ => Stored::Coded(block),
        })
    }

    /// Whether the values of the other side to move are needed for reading it.
    pub fn sees_opposite(&self, model: Option<&Model>) -> bool {
        let sees = model.is_some_and(|model| model.contexts().sees_opposite());
        sees && matches!(self, Stored::Coded(_))
    }

    /// Reads the values of a block whose first position has number `start`; `None` if it makes no sense.
    pub fn decode(
        &self,
        model: Option<&Model>,
        layout: &Layout,
        start: u64,
        opposite: Option<&Opposite>,
        out: &mut [u8],
    ) -> Option<()> {
        match self {
            Stored::Constant(value) => out.fill(*value as u8),
            Stored::Plain(bytes) => plain::unpack(bytes, out)?,
            Stored::Coded(bytes) => coder::decode(model?, layout, start, bytes, opposite, out),
        }
        Some(())
    }
}

impl Encoded {
    /// The block at a place of the group, which holds `positions` positions; constant ones in which nothing matters are as `only` says.
    pub fn block(&self, place: usize, positions: usize, only: Option<Value>) -> Option<Stored<'_>> {
        match self {
            Encoded::Constant(value) => {
                Some(Stored::Constant(value.or(only).unwrap_or(Value::Draw)))
            }
            Encoded::Blocks(lengths, blocks) => {
                Stored::last_of(&lengths[..=place], blocks, positions)
            }
        }
    }
}
