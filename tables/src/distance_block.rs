//! Groups of blocks of distances.
//!
//! A record is a checksum, for each of its blocks a number that says how it is stored, and the blocks. The numbers are written seven bits
//! to a byte, the lowest first, the eighth bit set where more follow: 0 for draws only, 1 for a block that is
//! [packed](crate::palette) without prediction, with its length in bytes as a number of its own behind, and from 2 on the length of a
//! predicted block and 2. A group without any win or loss has no record: the directory says so.

use damier_core::{Color, Value};

use crate::block::{CHECKSUM, Encoded, checked};
use crate::distance_coder;
use crate::distance_model::DistanceModel;
use crate::distances::{DONT_CARE_SCORE, DRAW};
use crate::header::{BLOCK, GROUP};
use crate::layout::Layout;
use crate::palette;

/// The number of a block of draws.
const DRAWS: u16 = 0;
/// The number of a packed block.
const PACKED: u16 = 1;
/// The number of a predicted block without bytes.
const PREDICTED: u16 = 2;

/// The most bytes of a record.
pub(crate) const MAX_RECORD: usize = CHECKSUM + GROUP * (4 + palette::max_len(BLOCK));

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
    let mut record = vec![0; CHECKSUM];
    let mut blocks = Vec::new();
    for (place, scores) in scores.chunks_mut(BLOCK).enumerate() {
        if !is_decided(scores) {
            write_number(DRAWS, &mut record);
            continue;
        }
        // More than a byte a position is better packed.
        let begin = blocks.len();
        if let Some((model, layout)) = model {
            let start = start + (place * BLOCK) as u64;
            distance_coder::encode(model, layout, start, scores, &mut blocks);
            let len = blocks.len() - begin;
            if len <= scores.len() {
                write_number(len as u16 + PREDICTED, &mut record);
                continue;
            }
            blocks.truncate(begin);
        }
        fill_with_previous(scores);
        palette::pack(scores, &mut blocks);
        write_number(PACKED, &mut record);
        write_number((blocks.len() - begin) as u16, &mut record);
    }
    record.extend(blocks);
    Encoded::Record(record)
}

/// Replaces what does not matter by what comes before it.
fn fill_with_previous(scores: &mut [u16]) {
    let mut previous =
        scores.iter().copied().find(|&score| score != DONT_CARE_SCORE).unwrap_or(DRAW);
    for score in scores {
        previous = if *score == DONT_CARE_SCORE { previous } else { *score };
        *score = previous;
    }
}

fn write_number(mut number: u16, out: &mut Vec<u8>) {
    while number >= 128 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Option<usize> {
    let mut number = 0;
    for place in 0..3 {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= usize::from(byte & 127) << (7 * place);
        if byte < 128 {
            return Some(number);
        }
    }
    None
}

/// How a block is stored.
pub(crate) enum Stored<'a> {
    /// Draws only.
    Draws,
    /// Packed without prediction.
    Packed(&'a [u8]),
    /// Coded with the table's model.
    Coded(&'a [u8]),
}

/// A record whose checksum is right.
pub(crate) struct Record<'a> {
    body: &'a [u8],
    blocks: usize,
}

impl<'a> Record<'a> {
    /// The record of `blocks` blocks in these bytes, or the expected and the found checksum.
    pub fn new(
        bytes: &'a [u8],
        blocks: usize,
        turn: Color,
        group: u64,
    ) -> Result<Record<'a>, (u32, u32)> {
        Ok(Record { body: checked(bytes, turn, group)?, blocks })
    }

    /// The block at a place of the group; `None` if the record makes no sense.
    pub fn block(&self, place: usize) -> Option<Stored<'a>> {
        let mut rest = self.body;
        let (mut before, mut wanted) = (0, (usize::from(DRAWS), 0));
        for number in 0..self.blocks {
            let kind = read_number(&mut rest)?;
            let len = match kind as u16 {
                DRAWS => 0,
                PACKED => read_number(&mut rest)?,
                _ => kind - usize::from(PREDICTED),
            };
            if number < place {
                before += len;
            } else if number == place {
                wanted = (kind, len);
            }
        }
        let (kind, len) = wanted;
        let block = rest.get(before..)?.get(..len)?;
        Some(match kind as u16 {
            DRAWS => Stored::Draws,
            PACKED => Stored::Packed(block),
            _ => Stored::Coded(block),
        })
    }
}
