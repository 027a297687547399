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

/// The distance of a symbol that is not [`WRITTEN_OUT`].
#[inline(always)]
fn plies(symbol: u8, reference: u16, shift: u32) -> u16 {
    let plies = i32::from(reference) + ((i32::from(symbol) - FARTHEST) << shift);
    plies.clamp(0, i32::from(NO_PLIES) - 1) as u16
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
    /// The symbols, likeliest first.
    symbols: [u8; SYMBOLS],
    /// The probability of each where it is none of those before.
    chances: [u16; SYMBOLS],
}

impl Questions {
    pub fn new(shape: Shape) -> Questions {
        let mut symbols: [u8; SYMBOLS] = std::array::from_fn(|symbol| symbol as u8);
        symbols.sort_by_key(|&symbol| shape.0[usize::from(symbol)]);
        let frequency = |symbol: u8| u64::from(frequency(shape.0[usize::from(symbol)]));
        let mut rest: u64 = symbols.iter().copied().map(frequency).sum();
        let chances = symbols.map(|symbol| {
            let chance = (frequency(symbol) << 16) / rest;
            rest -= frequency(symbol);
            chance.clamp(1, 0xFFFF) as u16
        });
        Questions { symbols, chances }
    }

    /// The likeliest distance.
    #[inline(always)]
    pub fn likely(&self, reference: u16, shift: u32) -> u16 {
        let wanted = if self.symbols[0] == WRITTEN_OUT { 1 } else { 0 };
        plies(self.symbols[wanted], reference, shift)
    }

    /// Encodes a distance.
    #[inline(always)]
    pub fn encode(&self, coder: &mut Encoder, distance: u16, reference: u16, shift: u32) {
        let symbol = symbol(distance, reference, shift);
        for (&other, &chance) in self.symbols.iter().zip(&self.chances).take(SYMBOLS - 1) {
            coder.encode(other == symbol, chance.into());
            if other == symbol {
                break;
            }
        }
        if symbol == WRITTEN_OUT {
            write_out(coder, distance);
        }
    }

    /// Decodes a distance.
    #[inline(always)]
    pub fn decode(&self, coder: &mut Decoder, reference: u16, shift: u32) -> u16 {
        let mut asked = 0;
        while asked < SYMBOLS - 1 && !coder.decode(self.chances[asked].into()) {
            asked += 1;
        }
        match self.symbols[asked] {
            WRITTEN_OUT => read_out(coder),
            symbol => plies(symbol, reference, shift),
        }
    }
}

/// Bits of a distance that is written out.
const WRITTEN_BITS: u32 = NO_PLIES.ilog2() + 1;
const EVEN: Probability = 1 << 15;

#[cold]
fn write_out(coder: &mut Encoder, plies: u16) {
    (0..WRITTEN_BITS).rev().for_each(|place| coder.encode(plies >> place & 1 == 1, EVEN));
}

#[cold]
fn read_out(coder: &mut Decoder) -> u16 {
    let plies = (0..WRITTEN_BITS).fold(0, |plies, _| plies << 1 | u16::from(coder.decode(EVEN)));
    plies.min(NO_PLIES - 1)
}
