//! Encoding and decoding a block of distances with a model: first the values of all positions, then the distances of those that are won
//! or lost.

use crate::clue::{Guess, NO_PLIES, Riddle};
use crate::coder;
use crate::context::Buffer;
use crate::distance_model::DistanceModel;
use crate::distances::{DRAW, code_of_score, plies_of, score_of};
use crate::layout::Layout;
use crate::range::{Decoder, Encoder};

/// Encodes the scores of a block. What does not matter becomes what the model expects.
pub(crate) fn encode(
    model: &DistanceModel,
    layout: &Layout,
    start: u64,
    scores: &[u16],
    out: &mut Vec<u8>,
) {
    let mut values = Buffer::new();
    let codes: Vec<u8> = scores.iter().map(|&score| code_of_score(score)).collect();
    let len = scores.len();
    let coder = Encoder::new(out);
    let coder =
        coder::encode_values(model.values(), layout, start, &codes, &mut values, None, coder);
    let mut encoding = Encoding { model, shift: model.clues().shift, scores, coder };
    model.clues().walk(layout, start, &values.values()[..len], &mut encoding, ());
    encoding.coder.finish();
}

/// Decodes the scores of a block.
pub(crate) fn decode(
    model: &DistanceModel,
    layout: &Layout,
    start: u64,
    bytes: &[u8],
    scores: &mut [u16],
) {
    let mut values = Buffer::new();
    let len = scores.len();
    let coder = Decoder::new(bytes);
    let coder = coder::decode_values(model.values(), layout, start, len, &mut values, None, coder);
    scores.fill(DRAW);
    let mut decoding = Decoding { model, shift: model.clues().shift, scores };
    model.clues().walk(layout, start, &values.values()[..len], &mut decoding, coder);
}

struct Encoding<'a> {
    model: &'a DistanceModel,
    shift: u32,
    scores: &'a [u16],
    coder: Encoder<'a>,
}

impl Guess for Encoding<'_> {
    type State = ();

    #[inline(always)]
    fn guess(&mut self, (): &mut (), riddle: Riddle) -> u16 {
        let Riddle { at, won, reference, .. } = riddle;
        let questions = self.model.questions(riddle);
        let plies = plies_of(self.scores[at], won);
        if plies < NO_PLIES {
            questions.encode(&mut self.coder, plies, reference, self.shift);
            plies
        } else {
            questions.encode_likely(&mut self.coder);
            questions.likely(reference)
        }
    }
}

struct Decoding<'a> {
    model: &'a DistanceModel,
    shift: u32,
    scores: &'a mut [u16],
}

impl<'a> Guess for Decoding<'a> {
    type State = Decoder<'a>;

    #[inline(always)]
    fn guess(&mut self, coder: &mut Decoder<'a>, riddle: Riddle) -> u16 {
        let questions = self.model.questions(riddle);
        let plies = questions.decode(coder, riddle.reference, self.shift);
        self.scores[riddle.at] = score_of(plies, riddle.won);
        plies
    }
}
