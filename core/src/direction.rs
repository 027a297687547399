//! The eight directions of a board, and sets of them.

use crate::board::Board;
use crate::word::Word;

/// One of the eight directions, as White sees the board: `NE` is up and to the right.
///
/// The numbering is chosen so that `d ^ 2` is the opposite of `d` and `d & 2 == 0` says that bit
/// numbers grow along it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Direction(u8);

impl Direction {
    /// Down and left.
    pub const SW: Direction = Direction(0);
    /// Down and right.
    pub const SE: Direction = Direction(1);
    /// Up and right.
    pub const NE: Direction = Direction(2);
    /// Up and left.
    pub const NW: Direction = Direction(3);
    /// Down.
    pub const S: Direction = Direction(4);
    /// Right.
    pub const E: Direction = Direction(5);
    /// Up.
    pub const N: Direction = Direction(6);
    /// Left.
    pub const W: Direction = Direction(7);
    /// How many directions there are.
    pub const COUNT: usize = 8;

    /// The direction of this number, 0 to 7.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Direction {
        assert!(index < Self::COUNT);
        Direction(index as u8)
    }

    /// Its number, 0 to 7.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 7) as usize
    }

    /// The other way along the same line.
    #[inline(always)]
    pub const fn opposite(self) -> Direction {
        Direction(self.0 ^ 2)
    }

    /// Whether it is one of the four diagonals.
    #[inline(always)]
    pub const fn is_diagonal(self) -> bool {
        self.0 < 4
    }

    /// Whether bit numbers grow along this direction.
    #[inline(always)]
    pub const fn is_ascending(self) -> bool {
        self.0 & 2 == 0
    }
}

/// A set of directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Directions(u8);

impl Directions {
    /// No direction.
    pub const NONE: Directions = Directions(0);
    /// The four diagonals.
    pub const DIAGONAL: Directions = Directions(0b0000_1111);
    /// The two rows and columns directions: up, down, left, right.
    pub const ORTHOGONAL: Directions = Directions(0b1111_0000);
    /// All eight.
    pub const EIGHT: Directions = Directions(0b1111_1111);
    /// Left and right.
    pub const SIDEWAYS: Directions = Directions::NONE.with(Direction::E).with(Direction::W);
    /// White's two forward diagonals.
    pub const FORWARD: Directions = Directions::NONE.with(Direction::NE).with(Direction::NW);

    /// The set with `direction` added.
    pub const fn with(self, direction: Direction) -> Directions {
        Directions(self.0 | 1 << direction.0)
    }

    /// The set without those of `other`.
    pub const fn without(self, other: Directions) -> Directions {
        Directions(self.0 & !other.0)
    }

    /// Every direction turned round: what is White's becomes Black's.
    ///
    /// ```
    /// # use damier_core::{Direction, Directions};
    /// let back = Directions::FORWARD.opposite();
    /// assert!(back.has(Direction::SW) && back.has(Direction::SE) && back.len() == 2);
    /// ```
    pub const fn opposite(self) -> Directions {
        // Direction d becomes d ^ 2: swap neighbouring pairs of bits.
        Directions((self.0 & 0b0011_0011) << 2 | (self.0 & 0b1100_1100) >> 2)
    }

    /// Whether `direction` is in the set.
    #[inline(always)]
    pub const fn has(self, direction: Direction) -> bool {
        self.0 >> direction.0 & 1 == 1
    }

    /// How many directions there are in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The direction of the line from one square of board `B` to another, if they are on one.
    pub(crate) fn between<B: Board>(from: u32, to: u32) -> Directions {
        (0..Direction::COUNT)
            .map(Direction::from_index)
            .filter(|&direction| B::geometry().ray(from, direction).has(to))
            .fold(Directions::NONE, Directions::with)
    }

    /// The directions of the set, by number.
    #[inline(always)]
    pub fn iter(self) -> impl Iterator<Item = Direction> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let direction = Direction(rest.trailing_zeros() as u8);
            rest &= rest - 1;
            Some(direction)
        })
    }
}

/// Runs a block for every direction of a constant set. Written out, unlike a closure or a loop, so that each copy of
/// the block knows its direction at compile time; copies for other directions are never compiled.
macro_rules! for_directions {
    ($direction:ident in $set:expr => $body:block) => {
        $crate::direction::for_directions!(@ $direction, $set, $body; SW SE NE NW S E N W)
    };
    (@ $direction:ident, $set:expr, $body:block; $($name:ident)*) => {
        $(if const { $set.has($crate::direction::Direction::$name) } {
            let $direction = $crate::direction::Direction::$name;
            $body
        })*
    };
}
pub(crate) use for_directions;
