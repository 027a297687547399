//! Encoding and decoding a block of distances with a model: first the values of all positions, then the distances of those that are won
//! or lost.
//!
//! A distance is one of the two that the context makes likely, which two decisions tell, or else a few steps off the reference, or else
//! written out.

use crate::clue::{Guess, NO_PLIES, Riddle, Scores};
use crate::coder;
use crate::context::Buffer;
use crate::distance_model::{DistanceModel, Expectation, REST, REST_BITS};
use crate::distances::code_of_score;
use crate::layout::Layout;
use crate::range::{Decoder, Encoder, Probability};

/// Bits of a distance.
const PLIES_BITS: u32 = NO_PLIES.ilog2() + 1;
const EVEN: Probability = 1 << 15;

/// Encodes the scores of a block. What does not matter becomes what the model expects.
pub(crate) fn encode(
    model: &DistanceModel,
    layout: &Layout,
    start: u64,
    scores: &[u16],
    out: &mut Vec<u8>,
) {
    let mut values = Buffer::new();
    for (value, &score) in values.values().iter_mut().zip(scores) {
        *value = code_of_score(score);
    }
    let coder = coder::encode_values(
        model.values(),
        layout,
        start,
        scores.len(),
        &mut values,
        Encoder::new(out),
    );
    let mut buffer = Scores::new();
    buffer.block()[..scores.len()].copy_from_slice(scores);
    let values = &values.values()[..scores.len()];
    let encoding = Encoding { model, coder };
    model.clues().walk(layout, start, values, &mut buffer, encoding).coder.finish();
}

/// Decodes the scores of a block.
pub(crate) fn decode(
    model: &DistanceModel,
    layout: &Layout,
    start: u64,
    bytes: &[u8],
    out: &mut [u16],
) {
    let mut values = Buffer::new();
    let coder = coder::decode_values(
        model.values(),
        layout,
        start,
        out.len(),
        &mut values,
        Decoder::new(bytes),
    );
    let mut buffer = Scores::new();
    let values = &values.values()[..out.len()];
    model.clues().walk(layout, start, values, &mut buffer, Decoding { model, coder });
    out.copy_from_slice(&buffer.block()[..out.len()]);
}

struct Encoding<'a> {
    model: &'a DistanceModel,
    coder: Encoder<'a>,
}

impl Guess for Encoding<'_> {
    #[inline(always)]
    fn guess(&mut self, plies: u16, riddle: Riddle) -> u16 {
        let shift = self.model.shift(riddle);
        let expectation = self.model.expectation(riddle);
        let likely = stepped(riddle.reference, expectation.likely, shift);
        let plies = if plies < NO_PLIES { plies } else { likely };
        self.coder.encode(plies == likely, expectation.probability.into());
        if plies != likely {
            let second = stepped(riddle.reference, expectation.second, shift);
            self.coder.encode(plies == second, expectation.second_probability.into());
            if plies != second {
                self.rest(plies, riddle, shift);
            }
        }
        plies
    }
}

impl Encoding<'_> {
    fn rest(&mut self, plies: u16, riddle: Riddle, shift: u32) {
        let symbol = rest_of(plies, riddle.reference, shift);
        let tree = self.model.rest(riddle);
        let mut node = 1;
        for place in (0..REST_BITS).rev() {
            let bit = symbol >> place & 1;
            self.coder.encode(bit == 1, tree[node]);
            node = node << 1 | bit;
        }
        if symbol == WRITTEN_OUT {
            for place in (0..PLIES_BITS).rev() {
                self.coder.encode(plies >> place & 1 == 1, EVEN);
            }
        }
    }
}

struct Decoding<'a> {
    model: &'a DistanceModel,
    coder: Decoder<'a>,
}

impl Guess for Decoding<'_> {
    #[inline(always)]
    fn guess(&mut self, _: u16, riddle: Riddle) -> u16 {
        let shift = self.model.shift(riddle);
        let Expectation { likely, second, probability, second_probability } =
            self.model.expectation(riddle);
        if self.coder.decode(probability.into()) {
            stepped(riddle.reference, likely, shift)
        } else if self.coder.decode(second_probability.into()) {
            stepped(riddle.reference, second, shift)
        } else {
            self.rest(riddle, shift)
        }
    }
}

impl Decoding<'_> {
    fn rest(&mut self, riddle: Riddle, shift: u32) -> u16 {
        let tree = self.model.rest(riddle);
        let mut node = 1;
        for _ in 0..REST_BITS {
            node = node << 1 | usize::from(self.coder.decode(tree[node]));
        }
        let symbol = node - REST;
        if symbol < WRITTEN_OUT {
            return stepped(riddle.reference, symbol as i8 - FARTHEST, shift);
        }
        let bits =
            (0..PLIES_BITS).fold(0, |bits, _| bits << 1 | u16::from(self.coder.decode(EVEN)));
        bits.min(NO_PLIES - 1)
    }
}

/// The most steps off the reference that have a symbol.
pub(crate) const FARTHEST: i8 = (REST / 2) as i8 - 1;
/// The symbol of a distance that is written out.
pub(crate) const WRITTEN_OUT: usize = REST - 1;

/// The symbol of a distance.
#[inline(always)]
pub(crate) fn rest_of(plies: u16, reference: u16, shift: u32) -> usize {
    let difference = i32::from(plies) - i32::from(reference);
    let steps = difference >> shift;
    if steps << shift == difference && steps.unsigned_abs() <= FARTHEST as u32 {
        (steps + i32::from(FARTHEST)) as usize
    } else {
        WRITTEN_OUT
    }
}

/// The distance some steps off the reference.
#[inline(always)]
pub(crate) fn stepped(reference: u16, steps: i8, shift: u32) -> u16 {
    let plies = i32::from(reference) + (i32::from(steps) << shift);
    plies.clamp(0, i32::from(NO_PLIES) - 1) as u16
}
