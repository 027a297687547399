//! Groups of blocks of distances.
//!
//! The records are those of [values](crate::block), with other length bytes: blocks that take more bytes than a length byte can tell
//! begin with their length, and the only constant is the draw. A group without any win or loss has no record.

use damier_core::Value;

use crate::block::{CHECKSUM, Encoded, Record};
use crate::distance_coder;
use crate::distance_model::DistanceModel;
use crate::distances::{DONT_CARE_SCORE, DRAW};
use crate::header::{BLOCK, GROUP};
use crate::layout::Layout;
use crate::lengths::{LengthCode, MAX_WIDTH};
use crate::palette;
use crate::values;

/// Length byte of a predicted block whose length, in two bytes, comes first.
const LONG: u8 = 253;
/// Length byte of a block that is packed without prediction, whose length comes first as well.
const PACKED: u8 = 254;
/// Length byte of a block of draws.
const DRAWS: u8 = 255;

/// The most bytes of a record.
pub(crate) const MAX_RECORD: usize =
    CHECKSUM + GROUP * (2 + palette::max_len(BLOCK) + MAX_WIDTH.div_ceil(8) as usize);

/// Whether a block has a win or a loss that matters.
pub(crate) fn is_decided(scores: &[u16]) -> bool {
    scores.iter().any(|&score| score != DRAW && score != DONT_CARE_SCORE)
}

/// Encodes a group whose first position has number `start`, with a model or without prediction.
pub(crate) fn encode_group(
    model: Option<(&DistanceModel, &Layout)>,
    start: u64,
    scores: &mut [u16],
) -> Encoded {
    if !is_decided(scores) {
        return Encoded::Constant(scores.contains(&DRAW).then_some(Value::Draw));
    }
    let mut blocks = Vec::new();
    let lengths = scores.chunks_mut(BLOCK).enumerate().map(|(place, scores)| {
        encode_block(model, start + (place * BLOCK) as u64, scores, &mut blocks)
    });
    Encoded::Blocks(lengths.collect(), blocks)
}

/// Appends a block and returns its length byte.
fn encode_block(
    model: Option<(&DistanceModel, &Layout)>,
    start: u64,
    scores: &mut [u16],
    blocks: &mut Vec<u8>,
) -> u8 {
    if !is_decided(scores) {
        return DRAWS;
    }
    let begin = blocks.len();
    let mut kind = PACKED;
    if let Some((model, layout)) = model {
        distance_coder::encode(model, layout, start, scores, blocks);
        let len = blocks.len() - begin;
        if len < LONG.into() {
            return len as u8;
        }
        kind = LONG;
    }
    // More than a byte a position is better packed.
    if kind == PACKED || blocks.len() - begin > scores.len() {
        kind = PACKED;
        blocks.truncate(begin);
        fill_with_previous(scores);
        palette::pack(scores, blocks);
    }
    let len = (blocks.len() - begin) as u16;
    blocks.splice(begin..begin, len.to_le_bytes());
    kind
}

/// Replaces what does not matter by what comes before it.
pub(crate) fn fill_with_previous(scores: &mut [u16]) {
    values::fill_with_previous(scores, DONT_CARE_SCORE, DRAW);
}

/// How a block of distances is stored.
pub(crate) enum Stored<'a> {
    /// Draws only.
    Draws,
    /// Packed without prediction.
    Packed(&'a [u8]),
    /// Coded with the table's model.
    Coded(&'a [u8]),
}

impl<'a> Stored<'a> {
    /// The block at a place of a group; `None` if its record makes no sense.
    pub fn new(record: &Record<'a>, code: &LengthCode, place: usize) -> Option<Stored<'a>> {
        let mut lengths = [0; GROUP];
        let lengths = &mut lengths[..=place];
        code.decode_backwards(record.0, lengths)?;
        let mut rest = record.0;
        let mut block = rest;
        for &length in &*lengths {
            let len = match length {
                DRAWS => 0,
                LONG | PACKED => {
                    let (&len, blocks) = rest.split_first_chunk()?;
                    rest = blocks;
                    u16::from_le_bytes(len).into()
                }
                _ => usize::from(length),
            };
            (block, rest) = rest.split_at_checked(len)?;
        }
        Some(match lengths[place] {
            DRAWS => Stored::Draws,
            PACKED => Stored::Packed(block),
            _ => Stored::Coded(block),
        })
    }
}
