//! A binary range coder: a sequence of yes/no decisions, each with its probability, as one long binary fraction.
//!
//! The coder narrows an interval by every decision; what is written is the shortest fraction inside the last interval, without its
//! trailing zero bytes. A reader continues it with zeros for ever. The likelier outcome always takes the lower part of
//! the interval, so if every decision turned out as predicted the fraction is 0 and takes no bytes at all.

/// Bits of the interval that are held; the next byte to be written is the highest of them.
const BITS: u32 = 56;
/// A byte moves out as soon as the interval is this small. A probability has 16 bits: it is applied with at least 32 good ones.
const SMALL: u64 = 1 << (BITS - 8);

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
        Encoder { low: 0, range: 1 << BITS, out, begin }
    }

    /// Writes a decision: whether what has this probability happened.
    #[inline(always)]
    pub fn encode(&mut self, happened: bool, probability: Probability) {
        let bound = (self.range >> 16) * u64::from(probability);
        if happened {
            self.range = bound;
        } else {
            self.low += bound;
            self.range -= bound;
        }
        while self.range < SMALL {
            self.shift();
        }
    }

    #[cold]
    fn shift(&mut self) {
        self.push(self.low >> (BITS - 8));
        self.low = (self.low & (SMALL - 1)) << 8;
        self.range <<= 8;
    }

    /// Appends a byte; what it has above 8 bits carries into the bytes before.
    fn push(&mut self, byte: u64) {
        if byte > 0xFF {
            for earlier in self.out[self.begin..].iter_mut().rev() {
                *earlier = earlier.wrapping_add(1);
                if *earlier != 0 {
                    break;
                }
            }
        }
        self.out.push(byte as u8);
    }

    /// Writes what is left.
    pub fn finish(mut self) {
        // The shortest number of whole bytes within the interval.
        for bytes in 0..=BITS / 8 {
            let below = (1u64 << (BITS - 8 * bytes)) - 1;
            let point = (self.low + below) & !below;
            if point - self.low < self.range {
                self.low = point;
                break;
            }
        }
        for _ in 0..BITS / 8 {
            self.shift();
        }
        while self.out.len() > self.begin && self.out.last() == Some(&0) {
            self.out.pop();
        }
    }
}

/// Reads decisions.
#[derive(Debug)]
pub(crate) struct Decoder<'a> {
    /// The fraction, from the lower end of the interval.
    code: u64,
    range: u64,
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Decoder<'a> {
    /// A decoder of what an [`Encoder`] wrote.
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Decoder { code: 0, range: 1 << BITS, bytes: bytes.iter() };
        for _ in 0..BITS / 8 {
            decoder.code = decoder.code << 8 | decoder.next();
        }
        decoder
    }

    #[inline(always)]
    fn next(&mut self) -> u64 {
        self.bytes.next().map_or(0, |&byte| byte.into())
    }

    /// Reads a decision: whether what has this probability happened.
    #[inline(always)]
    pub fn decode(&mut self, probability: Probability) -> bool {
        let bound = (self.range >> 16) * u64::from(probability);
        let happened = self.code < bound;
        if happened {
            self.range = bound;
        } else {
            self.code -= bound;
            self.range -= bound;
        }
        while self.range < SMALL {
            self.shift();
        }
        happened
    }

    #[cold]
    fn shift(&mut self) {
        self.range <<= 8;
        self.code = self.code << 8 | self.next();
    }
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
            (0..run).for_each(|_| encoder.encode(true, probability));
            encoder.finish();
            prop_assert!(bytes.is_empty());
        }
    }

    #[test]
    fn unlikely_decisions_carry() {
        for probability in [1, 255, 65280, 65535] {
            let mut bytes = Vec::new();
            let mut encoder = Encoder::new(&mut bytes);
            (0..200).for_each(|_| encoder.encode(false, probability));
            encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            assert!((0..200).all(|_| !decoder.decode(probability)));
        }
    }
}
