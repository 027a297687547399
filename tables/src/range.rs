//! A binary range coder: a sequence of yes/no decisions, each with its probability, as one long binary fraction.
//!
//! The coder narrows an interval by every decision; what is written is the shortest fraction inside the last interval, without its
//! trailing zero bytes. A reader continues it with zeros for ever. The likelier outcome always takes the lower part of
//! the interval, so if every decision turned out as predicted the fraction is 0 and takes no bytes at all.

/// The interval is as wide as this wherever it is [settled](Encoder::settle). Decisions between which it is not must not narrow it by more
/// than 16 bits together, so that a probability is always applied with that many good ones.
const WIDE: u64 = 1 << 48;

/// A probability in 65536ths, from 1 to 65535.
pub(crate) type Probability = u32;

/// Writes decisions.
#[derive(Debug)]
pub(crate) struct Encoder<'a> {
    low: u64,
    range: u64,
    out: &'a mut Vec<u8>,
    begin: usize,
}

impl<'a> Encoder<'a> {
    /// An encoder that appends to `out`.
    pub fn new(out: &'a mut Vec<u8>) -> Self {
        let begin = out.len();
        Encoder { low: 0, range: u64::MAX, out, begin }
    }

    /// Writes a decision: whether what has this probability happened.
    #[inline(always)]
    pub fn encode(&mut self, happened: bool, probability: Probability) {
        self.encode_unsettled(happened, probability);
        self.settle();
    }

    /// Writes a decision and leaves the interval as it gets.
    #[inline(always)]
    pub fn encode_unsettled(&mut self, happened: bool, probability: Probability) {
        let bound = narrowed(self.range, probability);
        if happened {
            self.range = bound;
        } else {
            self.raise(bound);
            self.range -= bound;
        }
    }

    /// Makes the interval wide again, by moving 16 bits out at a time.
    #[inline(always)]
    pub fn settle(&mut self) {
        while self.range < WIDE {
            self.out.extend_from_slice(&((self.low >> 48) as u16).to_be_bytes());
            self.low <<= 16;
            self.range <<= 16;
        }
    }

    /// Moves the lower end up; what does not fit carries into the bytes that were written.
    #[inline(always)]
    fn raise(&mut self, by: u64) {
        let (low, carry) = self.low.overflowing_add(by);
        self.low = low;
        if carry {
            for byte in self.out[self.begin..].iter_mut().rev() {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
        }
    }

    /// Writes what is left: the shortest number of whole bytes within the interval.
    pub fn finish(mut self) {
        let below = (0..8).map(|bytes| u64::MAX.checked_shr(8 * bytes).unwrap_or(0));
        let up = |below: u64| self.low.wrapping_neg() & below;
        let up = below.map(up).find(|&up| up < self.range).unwrap_or(0);
        self.raise(up);
        self.out.extend_from_slice(&self.low.to_be_bytes());
        while self.out.len() > self.begin && self.out.last() == Some(&0) {
            self.out.pop();
        }
    }
}

/// Reads decisions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoder<'a> {
    /// The fraction, from the lower end of the interval.
    code: u64,
    range: u64,
    bytes: &'a [u8],
}

impl<'a> Decoder<'a> {
    /// A decoder of what an [`Encoder`] wrote.
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Decoder { code: 0, range: u64::MAX, bytes };
        for _ in 0..4 {
            decoder.code = decoder.code << 16 | decoder.next();
        }
        decoder
    }

    /// The next two bytes; zeros follow the last one.
    #[inline(always)]
    fn next(&mut self) -> u64 {
        let (next, rest) = match *self.bytes {
            [a, b, ref rest @ ..] => (u16::from_be_bytes([a, b]), rest),
            [a] => (u16::from_be_bytes([a, 0]), &[][..]),
            [] => (0, &[][..]),
        };
        self.bytes = rest;
        next.into()
    }

    /// Reads a decision: whether what has this probability happened.
    #[inline(always)]
    pub fn decode(&mut self, probability: Probability) -> bool {
        let happened = self.decode_unsettled(probability);
        self.settle();
        happened
    }

    /// Reads a decision and leaves the interval as it gets.
    #[inline(always)]
    pub fn decode_unsettled(&mut self, probability: Probability) -> bool {
        let bound = narrowed(self.range, probability);
        let happened = self.code < bound;
        if happened {
            self.range = bound;
        } else {
            self.code -= bound;
            self.range -= bound;
        }
        happened
    }

    /// How wide the interval is.
    #[inline(always)]
    pub fn range(&self) -> u64 {
        self.range
    }

    /// Reads several decisions at once, if all of what is likely happened: that leaves an interval of this range. Otherwise reads nothing.
    #[inline(always)]
    pub fn decode_all(&mut self, range: u64) -> bool {
        let happened = self.code < range;
        if happened {
            self.range = range;
        }
        happened
    }

    /// Makes the interval wide again, by moving 16 bits in at a time.
    #[inline(always)]
    pub fn settle(&mut self) {
        while self.range < WIDE {
            self.range <<= 16;
            self.code = self.code << 16 | self.next();
        }
    }
}

/// The part of an interval that goes to what has this probability.
#[inline(always)]
pub(crate) fn narrowed(range: u64, probability: Probability) -> u64 {
    (range >> 16) * u64::from(probability)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn decisions_come_back(decisions in prop::collection::vec((any::<bool>(), 1u32..65536), 0..400)) {
            let mut bytes = vec![9];
            let mut encoder = Encoder::new(&mut bytes);
            for &(happened, probability) in &decisions {
                encoder.encode(happened, probability);
            }
            encoder.finish();
            prop_assert_eq!(bytes[0], 9);
            let mut decoder = Decoder::new(&bytes[1..]);
            for &(happened, probability) in &decisions {
                prop_assert_eq!(decoder.decode(probability), happened);
            }
        }

        #[test]
        fn likely_decisions_cost_little(run in 0usize..3000, probability in 60000u32..65536) {
            let mut bytes = Vec::new();
            let mut encoder = Encoder::new(&mut bytes);
            for _ in 0..run {
                encoder.encode(true, probability);
            }
            encoder.finish();
            prop_assert!(bytes.is_empty());
        }
    }

    #[test]
    fn unlikely_decisions_carry() {
        for probability in [1, 255, 65280, 65535] {
            let mut bytes = Vec::new();
            let mut encoder = Encoder::new(&mut bytes);
            for _ in 0..200 {
                encoder.encode(false, probability);
            }
            encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            for _ in 0..200 {
                assert!(!decoder.decode(probability));
            }
        }
    }
}
