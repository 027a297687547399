//! Groups: the sets of squares that the pieces of one colour and kind can stand on, numbered.
//!
//! The sets of `count` squares are numbered in colexicographic order of their places, where a place counts the
//! squares a piece of this kind can stand on. Men's places are counted from their promotion row, so that
//! *a man that steps forward always lowers the rank*: increasing ranks are a topological order of
//! the placements of men from the most advanced backwards. Kings' places are counted from square 1's end.

use damier_core::{Board, Color, MAX_BITS, Word};

use crate::class::MAX_PIECES;

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Men.
    Man,
    /// Kings.
    King,
}

/// The binomial coefficients: `BINOMIALS[k][n]` is n over k.
static BINOMIALS: [[u64; MAX_BITS + 1]; MAX_PIECES as usize + 2] = {
    let mut table = [[0; MAX_BITS + 1]; MAX_PIECES as usize + 2];
    let mut n = 0;
    while n <= MAX_BITS {
        table[0][n] = 1;
        let mut k = 1;
        while k < table.len() && n > 0 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// n over k.
#[inline(always)]
pub(crate) fn binomial(n: usize, k: usize) -> u64 {
    BINOMIALS[k][n]
}

/// The placements of `count` equal pieces.
#[derive(Clone, Debug)]
pub struct Group<B: Board> {
    color: Color,
    kind: Kind,
    count: usize,
    size: u64,
    /// Places that such a piece can stand on.
    places: usize,
    /// Bit of each place.
    bits: Vec<u8>,
    /// `weights[k][bit]`: what a piece on `bit` adds to the rank if it has the `k`-th lowest place, from 1.
    weights: Vec<[u64; MAX_BITS]>,
    board: std::marker::PhantomData<B>,
}

impl<B: Board> Group<B> {
    /// The group of `count` pieces of this colour and kind.
    pub fn new(color: Color, kind: Kind, count: usize) -> Group<B> {
        let geometry = B::geometry();
        let per_row = B::SQUARES / B::ROWS;
        let orders: Vec<usize> = match (kind, color) {
            (Kind::King, _) => (0..B::SQUARES).collect(),
            (Kind::Man, Color::White) => (per_row..B::SQUARES).collect(),
            (Kind::Man, Color::Black) => (0..B::SQUARES - per_row).rev().collect(),
        };
        let bits: Vec<u8> = orders.iter().map(|&order| geometry.bit_of_order[order]).collect();
        let mut weights = vec![[0; MAX_BITS]; count + 1];
        for (k, weights) in weights.iter_mut().enumerate() {
            for (place, &bit) in bits.iter().enumerate() {
                weights[bit as usize] = binomial(place, k);
            }
        }
        let places = bits.len();
        Group {
            color,
            kind,
            count,
            size: binomial(places, count),
            places,
            bits,
            weights,
            board: std::marker::PhantomData,
        }
    }

    /// How many placements there are.
    #[inline]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// How many pieces.
    #[inline]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The colour of the pieces.
    pub fn color(&self) -> Color {
        self.color
    }

    /// The kind of the pieces.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The bit of each place.
    pub(crate) fn bits(&self) -> &[u8] {
        &self.bits
    }

    /// What a piece on `bit` adds to the rank of a set in which `lower` pieces have lower places.
    #[inline(always)]
    pub fn weight(&self, bit: u32, lower: usize) -> u64 {
        self.weights[lower + 1][bit as usize]
    }

    /// Whether places are counted against the bits, as Black's men's are.
    #[inline(always)]
    pub fn is_descending(&self) -> bool {
        self.kind == Kind::Man && self.color == Color::Black
    }

    /// The number of a set of `count` squares on which the pieces can stand.
    #[inline(always)]
    pub fn rank(&self, set: B::Word) -> u64 {
        debug_assert_eq!(set.count() as usize, self.count);
        let mut rank = 0;
        let mut rest = set;
        let mut k = 1;
        while !rest.is_empty() {
            let bit = if self.is_descending() { rest.last() } else { rest.first() };
            rest ^= B::Word::bit(bit);
            rank += self.weights[k][bit as usize];
            k += 1;
        }
        rank
    }

    /// The set of squares with this number, which must be less than [`size`](Group::size).
    pub fn unrank(&self, rank: u64) -> B::Word {
        debug_assert!(rank < self.size);
        let mut rest = rank;
        let mut set = B::Word::EMPTY;
        let mut place = self.places;
        for k in (1..=self.count).rev() {
            // The highest place whose weight still fits.
            place = (0..place)
                .rev()
                .find(|&place| binomial(place, k) <= rest)
                .expect("place 0 weighs nothing");
            rest -= binomial(place, k);
            set |= B::Word::bit(self.bits[place] as u32);
        }
        set
    }

    /// All placements, by number.
    pub fn sets(&self) -> Vec<B::Word> {
        (0..self.size).map(|rank| self.unrank(rank)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_core::{Board8, Board10, Board12, Direction, FullBoard8};

    fn check<B: Board>(max: usize) {
        for color in Color::BOTH {
            for kind in [Kind::Man, Kind::King] {
                for count in 0..=max {
                    let group = Group::<B>::new(color, kind, count);
                    for (rank, set) in group.sets().into_iter().enumerate() {
                        assert_eq!(set.count() as usize, count);
                        assert_eq!(group.rank(set), rank as u64);
                    }
                }
            }
        }
    }

    #[test]
    fn ranks_are_a_bijection() {
        check::<Board8>(4);
        check::<Board10>(3);
        check::<Board12>(2);
        check::<FullBoard8>(3);
    }

    #[test]
    fn a_step_forward_lowers_the_rank() {
        let geometry = Board10::geometry();
        for (color, directions) in [
            (Color::White, [Direction::NW, Direction::NE]),
            (Color::Black, [Direction::SW, Direction::SE]),
        ] {
            let group = Group::<Board10>::new(color, Kind::Man, 2);
            for set in group.sets() {
                for man in set.bits() {
                    for direction in directions {
                        let Some(to) = geometry.neighbour(man, direction) else { continue };
                        let after = (set ^ u64::bit(man)) | u64::bit(to);
                        let crowned = match color {
                            Color::White => geometry.rows[0],
                            Color::Black => geometry.rows[9],
                        };
                        if after.count() == 2 && !after.meets(crowned) {
                            assert!(group.rank(after) < group.rank(set));
                        }
                    }
                }
            }
        }
    }
}
