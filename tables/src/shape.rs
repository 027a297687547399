//! Shapes: how likely it is that a distance is so many steps off what was expected.
//!
//! A step is one ply, or two where all distances are even or all are odd. Differences of up to seven steps have a symbol each, all
//! others share one and are written out. A table has a few shapes, each the probabilities of all symbols in some context, and
//! every context uses one of them. A symbol is coded by asking for one after the other, the likeliest first.

use crate::clue::NO_PLIES;
use crate::range::{Decoder, Encoder, Probability};

/// How many symbols there are.
pub(crate) const SYMBOLS: usize = 16;
/// The most steps that have a symbol.
const FARTHEST: i32 = SYMBOLS as i32 / 2 - 1;
/// The symbol of what is written out.
const WRITTEN_OUT: u8 = SYMBOLS as u8 - 1;

/// How often each symbol occurs.
pub(crate) type Counts = [u32; SYMBOLS];

/// The symbol of a distance.
#[inline(always)]
pub(crate) fn symbol(plies: u16, reference: u16, shift: u32) -> u8 {
    let difference = i32::from(plies) - i32::from(reference);
    let steps = difference >> shift;
    if steps << shift == difference && steps.abs() <= FARTHEST {
        (steps + FARTHEST) as u8
    } else {
        WRITTEN_OUT
    }
}

/// Levels of frequency: a quarter of an octave each.
pub(crate) const LEVEL_BITS: u32 = 6;
const LEVELS: usize = 1 << LEVEL_BITS;

/// The frequency of a level.
const fn frequency(level: u8) -> u32 {
    ((8 - level as u32 % 4) << 20) >> (level / 4)
}

/// The probabilities of all symbols, as levels of frequency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape(pub [u8; SYMBOLS]);

impl Shape {
    /// The shape that fits what was counted.
    pub fn fitted(counts: &[f64; SYMBOLS]) -> Shape {
        // What was never seen may happen; the farther, the less likely.
        let counts: [f64; SYMBOLS] = std::array::from_fn(|symbol| {
            let far = (symbol as i32 - FARTHEST).abs();
            counts[symbol] + 0.25 / f64::from(1 + far)
        });
        let most = counts.iter().copied().fold(0.0, f64::max);
        Shape(
            counts.map(|count| ((4.0 * (most / count).log2()).round() as u8).min(LEVELS as u8 - 1)),
        )
    }

    /// Bits of each symbol.
    pub fn bits(self) -> [f64; SYMBOLS] {
        let frequencies = self.0.map(|level| f64::from(frequency(level)));
        let sum: f64 = frequencies.iter().sum();
        frequencies.map(|frequency| (sum / frequency).log2())
    }
}

/// A shape, ready for coding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Questions {
    /// How much longer than the reference the distance is, by symbol, the likeliest first; [`OTHER`] for what is written out.
    longer: [i16; SYMBOLS],
    /// The probability of each where it is none of those before.
    chances: [u16; SYMBOLS],
}

/// Stands for all differences that have no symbol.
const OTHER: i16 = i16::MIN;

impl Questions {
    /// The questions for a shape, with `shift` times two plies to a step.
    pub fn new(shape: Shape, shift: u32) -> Questions {
        let mut symbols: [u8; SYMBOLS] = std::array::from_fn(|symbol| symbol as u8);
        symbols.sort_by_key(|&symbol| shape.0[usize::from(symbol)]);
        let frequency = |symbol: u8| u64::from(frequency(shape.0[usize::from(symbol)]));
        let mut rest: u64 = symbols.iter().copied().map(frequency).sum();
        let chances = symbols.map(|symbol| {
            let chance = (frequency(symbol) << 16) / rest;
            rest -= frequency(symbol);
            chance.clamp(1, 0xFFFF) as u16
        });
        let longer = symbols.map(|symbol| match symbol {
            WRITTEN_OUT => OTHER,
            _ => (i16::from(symbol) - FARTHEST as i16) << shift,
        });
        Questions { longer, chances }
    }

    /// The place of the likeliest difference.
    #[inline(always)]
    fn likely_place(&self) -> usize {
        usize::from(self.longer[0] == OTHER)
    }

    /// The likeliest distance.
    #[inline(always)]
    pub fn likely(&self, reference: u16) -> u16 {
        sum(reference, self.longer[self.likely_place()])
    }

    /// Encodes the likeliest distance.
    #[inline(always)]
    pub fn encode_likely(&self, coder: &mut Encoder) {
        self.encode_place(coder, self.likely_place());
    }

    /// Encodes a distance.
    #[inline(always)]
    pub fn encode(&self, coder: &mut Encoder, plies: u16, reference: u16, shift: u32) {
        let longer = plies.wrapping_sub(reference) as i16;
        let place = |longer| self.longer.iter().position(|&other| other == longer);
        match place(longer) {
            Some(place) => self.encode_place(coder, place),
            None => {
                self.encode_place(coder, place(OTHER).expect("a symbol for all others"));
                write_out(coder, plies, reference, shift);
            }
        }
    }

    #[inline(always)]
    fn encode_place(&self, coder: &mut Encoder, place: usize) {
        for (asked, &chance) in self.chances.iter().enumerate().take(SYMBOLS - 1) {
            coder.encode(asked == place, chance.into());
            if asked == place {
                break;
            }
        }
    }

    /// Decodes a distance.
    #[inline(always)]
    pub fn decode(&self, coder: &mut Decoder, reference: u16, shift: u32) -> u16 {
        let mut asked = 0;
        while asked < SYMBOLS - 1 && !coder.decode(self.chances[asked].into()) {
            asked += 1;
        }
        match self.longer[asked] {
            OTHER => {
                // By value, so that the coder can stay in registers.
                let (plies, after) = read_out(*coder, reference, shift);
                *coder = after;
                plies
            }
            longer => sum(reference, longer),
        }
    }
}

/// The distance that is so much longer than the reference.
#[inline(always)]
fn sum(reference: u16, longer: i16) -> u16 {
    (i32::from(reference) + i32::from(longer)).clamp(0, i32::from(NO_PLIES) - 1) as u16
}

const EVEN: Probability = 1 << 15;
/// The probability that a difference is whole steps, which only tables for which the shift was chosen badly ever miss.
const WHOLE: Probability = 0xFFFF;
/// Bits of a distance that is not whole steps away.
const PLIES_BITS: u32 = NO_PLIES.ilog2() + 1;
/// Differences that are written out take at least so many bits beside the sign, and two more for each doubling.
const LEAST_BITS: u32 = 2;
/// More than the bits that any difference takes.
const MOST_BITS: u32 = 16;

/// Writes a distance that is too far away to have a symbol: whether it is whole steps away, the sign, how many bits the number of steps has that
/// it is too far, and the number.
#[cold]
fn write_out(coder: &mut Encoder, plies: u16, reference: u16, shift: u32) {
    let difference = i32::from(plies) - i32::from(reference);
    let steps = difference >> shift;
    let whole = steps << shift == difference;
    coder.encode(whole, WHOLE);
    if !whole {
        return write_bits(coder, plies.into(), PLIES_BITS);
    }
    coder.encode(steps > 0, EVEN);
    let number = steps.unsigned_abs() - FARTHEST as u32 - 1 + (1 << LEAST_BITS);
    let bits = number.ilog2();
    (LEAST_BITS..bits).for_each(|_| coder.encode(true, EVEN));
    coder.encode(false, EVEN);
    write_bits(coder, number, bits);
}

#[cold]
fn read_out(mut coder: Decoder<'_>, reference: u16, shift: u32) -> (u16, Decoder<'_>) {
    let plies = if coder.decode(WHOLE) {
        let sign = if coder.decode(EVEN) { 1 } else { -1 };
        let mut bits = LEAST_BITS;
        while bits < MOST_BITS && coder.decode(EVEN) {
            bits += 1;
        }
        let number = 1 << bits | read_bits(&mut coder, bits);
        let steps = number - (1 << LEAST_BITS) + FARTHEST + 1;
        i32::from(reference) + ((sign * steps) << shift)
    } else {
        read_bits(&mut coder, PLIES_BITS)
    };
    (plies.clamp(0, i32::from(NO_PLIES) - 1) as u16, coder)
}

fn write_bits(coder: &mut Encoder, number: u32, bits: u32) {
    (0..bits).rev().for_each(|place| coder.encode(number >> place & 1 == 1, EVEN));
}

fn read_bits(coder: &mut Decoder, bits: u32) -> i32 {
    (0..bits).fold(0, |number, _| number << 1 | i32::from(coder.decode(EVEN)))
}
