//! Boards: which squares there are, how they are numbered, and what lies next to what.
//!
//! A square is known by three numbers:
//!
//! * its *number*, as players write it, from 1 ([`Square`]);
//! * its *bit* in a [`Word`](crate::Word). On the boards that play on one colour only, a row of `h` squares takes
//!   `h` bits and every second row is followed by one unused *ghost* bit, so that a diagonal step is a
//!   shift by the same amount everywhere: +h to the lower left, +h+1 to the lower right;
//! * its *order*, from 0: its rank among the playable bits. The index of a table counts in it.
//!
//! Turning the board by half a turn sends bit `b` to `BITS - 1 - b`.

use std::fmt;

use crate::direction::Direction;
use crate::word::Word;

/// The number of a square as players write it, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(pub u8);

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A board geometry, as a zero-sized type.
pub trait Board: Copy + Default + fmt::Debug + Eq + Send + Sync + 'static {
    /// The set of squares.
    type Word: Word;
    /// Playable squares.
    const SQUARES: usize;
    /// Rows, which are also the columns.
    const ROWS: usize;
    /// Bits of the word in use, ghosts included.
    const BITS: u32;
    /// A byte for each bit of the word in use.
    type Bytes: Lanes<u8>;
    /// Two bytes for each bit of the word in use.
    type Shorts: Lanes<u16>;

    /// The tables of this board.
    fn geometry() -> &'static Geometry<Self::Word>;
}

/// An array with a number for each bit of a board's word, its length rounded up to whole vectors of sixteen.
pub trait Lanes<T: Copy>: Copy + fmt::Debug + PartialEq + Send + Sync + 'static {
    /// How many there are.
    const LEN: usize;
    /// All zero.
    const ZERO: Self;
    /// As a slice of [`LEN`](Lanes::LEN) numbers.
    fn lanes(&self) -> &[T];
    /// As a slice of [`LEN`](Lanes::LEN) numbers.
    fn lanes_mut(&mut self) -> &mut [T];
    /// All moved up by `by` places, or down where it is negative; `fill` moves in.
    fn shifted(&self, by: i32, fill: T) -> Self;
}

macro_rules! lanes {
    ($($int:ty),*) => {
        $(
            impl<const N: usize> Lanes<$int> for [$int; N] {
                const LEN: usize = N;
                const ZERO: Self = [0; N];

                #[inline(always)]
                fn lanes(&self) -> &[$int] {
                    self
                }
                #[inline(always)]
                fn lanes_mut(&mut self) -> &mut [$int] {
                    self
                }
                #[inline(always)]
                fn shifted(&self, by: i32, fill: $int) -> Self {
                    // Copies of fixed length are a few vectors each, wherever they begin.
                    let beside = [fill; N];
                    let all = [beside, *self, beside];
                    let start = (N as i32).saturating_sub(by).clamp(0, 2 * N as i32) as usize;
                    let mut shifted = beside;
                    shifted.copy_from_slice(&all.as_flattened()[start..start + N]);
                    shifted
                }
            }
        )*
    };
}

lanes!(u8, u16);

/// The most squares of any board.
pub const MAX_SQUARES: usize = 72;
/// The most bits of any board, ghosts included.
pub const MAX_BITS: usize = 77;
/// The most rows of any board.
pub const MAX_ROWS: usize = 12;

/// Precomputed facts of a board; every array over bits has an entry for each of the bits in use.
#[derive(Debug)]
pub struct Geometry<W> {
    /// All playable squares.
    pub all: W,
    /// Whether unused bits end every second row, so that no diagonal step from a square at the edge leads to a square.
    pub has_ghosts: bool,
    /// The rows, from the top (row 0 holds square 1).
    pub rows: [W; MAX_ROWS],
    /// Bit of the square with number `n + 1`.
    pub bit_of_number: [u8; MAX_SQUARES],
    /// Number of the square at a bit, 0 for a ghost.
    pub number_of_bit: [u8; MAX_BITS],
    /// Order of the square at a bit; meaningless for a ghost.
    pub order_of_bit: [u8; MAX_BITS],
    /// Bit of the square with this order.
    pub bit_of_order: [u8; MAX_SQUARES],
    /// Shift that a step in each direction is.
    pub shift: [i32; Direction::COUNT],
    /// The squares that can be reached by a step in each direction.
    pub arrivals: [W; Direction::COUNT],
    /// The squares beyond each square in each direction, to the edge: `rays[bit][direction]`.
    pub rays: [[W; Direction::COUNT]; MAX_BITS],
}

impl<W: Word> Geometry<W> {
    /// Every square of `set` moved one step; those that would leave the board are dropped.
    #[inline(always)]
    pub fn step(&self, set: W, direction: Direction) -> W {
        set.shifted(self.shift[direction.index()]) & self.arrivals[direction.index()]
    }

    /// The squares of `set` moved one step that are in `within`, a set of squares of this board. Ghost bits make this
    /// one operation less than [`step`](Geometry::step) for diagonal steps.
    #[inline(always)]
    pub fn step_into(&self, set: W, direction: Direction, within: W) -> W {
        let moved = set.shifted(self.shift[direction.index()]) & within;
        if self.has_ghosts && direction.is_diagonal() {
            moved
        } else {
            moved & self.arrivals[direction.index()]
        }
    }

    /// The bit one step from `bit`, if it is on the board.
    #[inline(always)]
    pub fn neighbour(&self, bit: u32, direction: Direction) -> Option<u32> {
        let ray = self.rays[bit as usize][direction.index()];
        (!ray.is_empty()).then(|| nearest(ray, direction))
    }

    /// The squares beyond `bit` in a direction, to the edge.
    #[inline(always)]
    pub fn ray(&self, bit: u32, direction: Direction) -> W {
        self.rays[bit as usize][direction.index()]
    }

    /// The empty squares beyond `bit` in a direction, up to the first of `occupied` or the edge.
    #[inline(always)]
    pub fn slide(&self, bit: u32, direction: Direction, occupied: W) -> W {
        let ray = self.ray(bit, direction);
        let blockers = ray & occupied;
        if blockers.is_empty() {
            return ray;
        }
        if direction.is_ascending() {
            ray & W::below(blockers.first())
        } else {
            let last = blockers.last();
            ray & !(W::below(last) | W::bit(last))
        }
    }

    /// The bit of a square number, if the board has it.
    #[inline]
    pub fn bit(&self, square: Square) -> Option<u32> {
        let index = (square.0 as usize).checked_sub(1)?;
        (index < self.all.count() as usize).then(|| self.bit_of_number[index] as u32)
    }

    /// The number of the square at a playable bit.
    #[inline]
    pub fn square(&self, bit: u32) -> Square {
        Square(self.number_of_bit[bit as usize])
    }

    /// The row of a bit, from the top.
    pub fn row(&self, bit: u32) -> usize {
        self.rows.iter().position(|row| row.has(bit)).expect("every playable bit is on a row")
    }
}

/// The square of a set that is not empty which is met first going in `direction`.
#[inline(always)]
pub fn nearest<W: Word>(set: W, direction: Direction) -> u32 {
    if direction.is_ascending() { set.first() } else { set.last() }
}

/// Where square number 1 is.
#[derive(Clone, Copy, PartialEq)]
enum Numbering {
    /// Row by row from the upper left.
    LeftToRight,
    /// The Italian and Spanish boards are mirrored: in bits they are the ordinary board, and numbers run from right to left.
    RightToLeft,
}

macro_rules! geometry_builder {
    ($name:ident, $word:ty) => {
        /// `rows` by `rows` squares, all of them or the dark ones.
        const fn $name(rows: usize, dark_only: bool, numbering: Numbering) -> Geometry<$word> {
            let per_row = if dark_only { rows / 2 } else { rows };
            let mut geometry = Geometry {
                all: 0,
                has_ghosts: dark_only,
                rows: [0; MAX_ROWS],
                bit_of_number: [0; MAX_SQUARES],
                number_of_bit: [0; MAX_BITS],
                order_of_bit: [0; MAX_BITS],
                bit_of_order: [0; MAX_SQUARES],
                shift: [0; Direction::COUNT],
                arrivals: [0; Direction::COUNT],
                rays: [[0; Direction::COUNT]; MAX_BITS],
            };
            // Bit of each (row, column) of the full board, 255 where there is no playable square.
            let mut bits = [[255u8; MAX_ROWS]; MAX_ROWS];
            let mut row = 0;
            while row < rows {
                let mut place = 0;
                while place < per_row {
                    let order = row * per_row + place;
                    let bit = if dark_only { order + row / 2 } else { order };
                    let column = if dark_only { 2 * place + 1 - row % 2 } else { place };
                    bits[row][column] = bit as u8;
                    geometry.all |= 1 << bit;
                    geometry.rows[row] |= 1 << bit;
                    geometry.order_of_bit[bit] = order as u8;
                    geometry.bit_of_order[order] = bit as u8;
                    let number = match numbering {
                        Numbering::LeftToRight => order,
                        Numbering::RightToLeft => row * per_row + per_row - 1 - place,
                    };
                    geometry.bit_of_number[number] = bit as u8;
                    geometry.number_of_bit[bit] = number as u8 + 1;
                    place += 1;
                }
                row += 1;
            }
            // Where only dark squares are played on, an orthogonal step leads to the next dark square.
            let far = if dark_only { 2 } else { 1 };
            let steps: [(i32, i32); Direction::COUNT] =
                [(1, -1), (1, 1), (-1, 1), (-1, -1), (far, 0), (0, far), (-far, 0), (0, -far)];
            let mut direction = 0;
            while direction < Direction::COUNT {
                let (down, right) = steps[direction];
                let mut row = 0;
                while row < rows {
                    let mut column = 0;
                    while column < rows {
                        let from = bits[row][column];
                        if from != 255 {
                            let (mut r, mut c) = (row as i32 + down, column as i32 + right);
                            while r >= 0 && r < rows as i32 && c >= 0 && c < rows as i32 {
                                let to = bits[r as usize][c as usize];
                                geometry.rays[from as usize][direction] |= 1 << to;
                                if r == row as i32 + down && c == column as i32 + right {
                                    geometry.shift[direction] = to as i32 - from as i32;
                                    geometry.arrivals[direction] |= 1 << to;
                                }
                                r += down;
                                c += right;
                            }
                        }
                        column += 1;
                    }
                    row += 1;
                }
                direction += 1;
            }
            geometry
        }
    };
}

geometry_builder!(build_u64, u64);
geometry_builder!(build_u128, u128);

macro_rules! board {
    ($(#[$doc:meta])* $name:ident, $word:ty, $build:ident($rows:expr, $dark_only:expr, $numbering:expr), $squares:expr, $bits:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name;

        impl Board for $name {
            type Word = $word;
            const SQUARES: usize = $squares;
            const ROWS: usize = $rows;
            const BITS: u32 = $bits;
            type Bytes = [u8; usize::next_multiple_of($bits, 16)];
            type Shorts = [u16; usize::next_multiple_of($bits, 16)];

            #[inline(always)]
            fn geometry() -> &'static Geometry<$word> {
                static GEOMETRY: Geometry<$word> = $build($rows, $dark_only, $numbering);
                &GEOMETRY
            }
        }
    };
}

board!(
    /// 8x8, 32 dark squares, number 1 in the upper left (English, Russian, Brazilian, Pool, Czech, Thai).
    Board8, u64, build_u64(8, true, Numbering::LeftToRight), 32, 35
);
board!(
    /// 8x8 with the dark corner at the upper left (Italian, Spanish, Portuguese): in bits the same as
    /// [`Board8`], numbered from the other side.
    MirroredBoard8, u64, build_u64(8, true, Numbering::RightToLeft), 32, 35
);
board!(
    /// 10x10, 50 dark squares (International, Frisian, Killer).
    Board10, u64, build_u64(10, true, Numbering::LeftToRight), 50, 54
);
board!(
    /// 12x12, 72 dark squares (Canadian).
    Board12, u128, build_u128(12, true, Numbering::LeftToRight), 72, 77
);
board!(
    /// 8x8, all 64 squares (Turkish).
    FullBoard8, u64, build_u64(8, false, Numbering::LeftToRight), 64, 64
);

#[cfg(test)]
mod tests {
    use super::*;

    fn check<B: Board>() {
        let g = B::geometry();
        assert_eq!(g.all.count() as usize, B::SQUARES);
        assert_eq!(g.all.last() + 1, B::BITS);
        assert_eq!(g.all.reversed(B::BITS), g.all);
        for bit in g.all.bits() {
            assert_eq!(g.bit(g.square(bit)), Some(bit));
            assert_eq!(g.bit_of_order[g.order_of_bit[bit as usize] as usize] as u32, bit);
            for d in (0..Direction::COUNT).map(Direction::from_index) {
                // A step of a set is the step of its squares, and steps can be taken back.
                let one = B::Word::bit(bit);
                assert_eq!(g.step_into(one, d, g.all), g.step(one, d));
                match g.neighbour(bit, d) {
                    None => assert!(g.step(one, d).is_empty()),
                    Some(to) => {
                        assert_eq!(g.step(one, d), B::Word::bit(to));
                        assert_eq!(g.neighbour(to, d.opposite()), Some(bit));
                        let turned = B::BITS - 1 - to;
                        assert_eq!(g.neighbour(turned, d), Some(B::BITS - 1 - bit));
                    }
                }
                assert_eq!(g.ray(bit, d), g.slide(bit, d, B::Word::EMPTY));
            }
        }
    }

    #[test]
    fn boards_are_consistent() {
        check::<Board8>();
        check::<MirroredBoard8>();
        check::<Board10>();
        check::<Board12>();
        check::<FullBoard8>();
    }

    #[test]
    fn steps_are_constant_shifts() {
        assert_eq!(Board10::geometry().shift, [5, 6, -5, -6, 11, 1, -11, -1]);
        assert_eq!(Board8::geometry().shift[..4], [4, 5, -4, -5]);
        assert_eq!(Board12::geometry().shift[..4], [6, 7, -6, -7]);
        assert_eq!(FullBoard8::geometry().shift[4..], [8, 1, -8, -1]);
    }

    #[test]
    fn main_roads() {
        let g = Board10::geometry();
        let corner = g.bit(Square(46)).unwrap();
        assert!(g.ray(corner, Direction::NE).has(g.bit(Square(5)).unwrap()));
        let italian = MirroredBoard8::geometry();
        let corner = italian.bit(Square(32)).unwrap();
        assert!(italian.ray(corner, Direction::NE).has(italian.bit(Square(1)).unwrap()));
    }
}
