//! A set of squares as the bits of one machine word.
//!
//! Boards of up to 64 bits use `u64`, the 12x12 board (77 bits) uses `u128`. Everything above this
//! module is generic over [`Word`], so that the solver's "word of positions" is as wide as the
//! board needs and no wider.

use std::fmt::{Binary, Debug};
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// An unsigned integer used as a set of squares, one bit a square.
pub trait Word:
    Copy
    + Debug
    + Binary
    + Default
    + Eq
    + Ord
    + Hash
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + From<u32>
{
    /// Width in bits.
    const BITS: u32;
    /// The empty set.
    const EMPTY: Self;

    /// The set of one bit.
    fn bit(bit: u32) -> Self;
    /// The bits below `bit`.
    fn below(bit: u32) -> Self;
    /// How many squares the set holds.
    fn count(self) -> u32;
    /// The lowest bit of a set that is not empty.
    fn first(self) -> u32;
    /// The highest bit of a set that is not empty.
    fn last(self) -> u32;
    /// The set without its lowest bit.
    fn without_first(self) -> Self;
    /// Bit `b` becomes bit `width - 1 - b`: the board turned by half a turn.
    fn reversed(self, width: u32) -> Self;
    /// The low 64 bits.
    fn low(self) -> u64;
    /// From a `u64`, zero-extended.
    fn from_u64(value: u64) -> Self;
    /// As a `u128`, zero-extended.
    fn to_u128(self) -> u128;

    /// Whether the set is empty.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Whether `bit` is in the set.
    #[inline(always)]
    fn has(self, bit: u32) -> bool {
        !(self & Self::bit(bit)).is_empty()
    }

    /// Whether the two sets share a square.
    #[inline(always)]
    fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// Whether the set holds more than one square.
    #[inline(always)]
    fn has_several(self) -> bool {
        !self.without_first().is_empty()
    }

    /// Moves every bit up by `by`, or down where `by` is negative; bits that leave the word are lost.
    #[inline(always)]
    fn shifted(self, by: i32) -> Self {
        if by >= 0 { self << by as u32 } else { self >> (-by) as u32 }
    }

    /// The bits of the set, lowest first.
    #[inline(always)]
    fn bits(self) -> Bits<Self> {
        Bits(self)
    }

    /// The squares of the set one by one, each as a set of one, lowest first.
    #[inline(always)]
    fn singles(self) -> Singles<Self> {
        Singles(self)
    }
}

/// Iterator over the bits of a [`Word`], lowest first.
#[derive(Clone, Debug)]
pub struct Bits<W>(W);

impl<W: Word> Iterator for Bits<W> {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        if self.0.is_empty() {
            return None;
        }
        let bit = self.0.first();
        self.0 = self.0.without_first();
        Some(bit)
    }
}

/// Iterator over the one-square subsets of a [`Word`], lowest first.
#[derive(Clone, Debug)]
pub struct Singles<W>(W);

impl<W: Word> Iterator for Singles<W> {
    type Item = W;

    #[inline(always)]
    fn next(&mut self) -> Option<W> {
        if self.0.is_empty() {
            return None;
        }
        let rest = self.0.without_first();
        let single = self.0 ^ rest;
        self.0 = rest;
        Some(single)
    }
}

macro_rules! word {
    ($int:ty) => {
        impl Word for $int {
            const BITS: u32 = <$int>::BITS;
            const EMPTY: Self = 0;

            #[inline(always)]
            fn bit(bit: u32) -> Self {
                1 << bit
            }
            #[inline(always)]
            fn below(bit: u32) -> Self {
                (1 << bit) - 1
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn first(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline(always)]
            fn last(self) -> u32 {
                <$int>::BITS - 1 - self.leading_zeros()
            }
            #[inline(always)]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline(always)]
            fn reversed(self, width: u32) -> Self {
                self.reverse_bits() >> (<$int>::BITS - width)
            }
            #[inline(always)]
            fn low(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn from_u64(value: u64) -> Self {
                value as Self
            }
            #[inline(always)]
            fn to_u128(self) -> u128 {
                self as u128
            }
        }
    };
}

word!(u64);
word!(u128);
