//! The index as the codec sees it: a row of numbers, and for each the numbers that are its neighbours.
//!
//! A *neighbour* of a placement is the same placement with one piece moved a step left or up, to a lower place; it has a lower number,
//! so its value is known when the blocks are coded in order. The *innermost* piece, the one with the lowest place of the innermost
//! group, changes fastest: the numbers between two changes of any other piece are a *run*, along which the innermost piece goes from
//! place to place, and the neighbours by another piece are a run as well, nearly always at a constant distance.

use damier_core::{Board, Color, Direction, Rules, Variant, directions_for, with_rules};

use crate::class::{Class, MAX_PIECES};
use crate::group::{Group, Kind, binomial};
use crate::header::BLOCK;
use crate::index::{GroupOrder, Index};

/// More than the places of any board.
pub(crate) const LANES: usize = 128;
/// More than the rows of any board.
pub(crate) const MAX_ROWS: usize = 16;
/// The most places of a row: a word has a byte for each.
pub(crate) const ROW: usize = 8;
/// Marks a step that would leave the board.
pub(crate) const NO_PLACE: u8 = u8::MAX;

/// A step of a piece to a lower place. Men whose places are counted against the squares see the board turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// To the next square of the row.
    Left,
    /// To the row above, to the farther of two neighbouring places.
    UpLeft,
    /// To the row above, one place on.
    UpRight,
    /// Two rows up.
    Up,
}

impl Step {
    /// All steps, in the order in which slots are numbered.
    pub const ALL: [Step; 4] = [Step::Left, Step::UpLeft, Step::UpRight, Step::Up];
}

/// The numbering of a class.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The groups that have pieces, innermost first.
    digits: Vec<Digit>,
    /// The place of the innermost piece on each square.
    on_square: [u8; LANES],
    len: u64,
}

/// A group, as a digit of the number.
#[derive(Clone, Debug)]
struct Digit {
    count: usize,
    places: usize,
    size: u64,
    stride: u64,
    /// Places to a row.
    width: usize,
    /// The place that each step leads to.
    steps: [[u8; LANES]; 4],
    /// Whose pieces they are.
    color: Color,
    /// The bit of each place on the board.
    bits: Vec<u8>,
    /// The place that a move by one square leads to, for each direction in which such a piece moves when it does not capture.
    moves: Vec<[u8; LANES]>,
    /// Whether such a piece moves on in that direction as far as it likes.
    flying: bool,
}

/// A piece: which digit, and how many pieces of the digit have lower places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub digit: u8,
    pub lower: u8,
}

impl Piece {
    /// The piece that changes fastest.
    pub const INNERMOST: Piece = Piece { digit: 0, lower: 0 };
    /// The next one, if it is equal to the innermost.
    pub const SECOND: Piece = Piece { digit: 0, lower: 1 };
    /// Farther out than any.
    pub const OUTERMOST: Piece = Piece { digit: u8::MAX, lower: 0 };
}

impl Layout {
    pub fn new(variant: Variant, class: Class, order: GroupOrder) -> Layout {
        with_rules!(variant, R => Layout::of(&Index::<R>::new(class, order)))
    }

    pub fn of<R: Rules>(index: &Index<R>) -> Layout {
        let groups = index.groups().iter().zip(index.strides()).rev();
        let digits: Vec<Digit> = groups
            .filter(|(group, _)| group.count() > 0)
            .map(|(group, stride)| Digit::new::<R>(group, stride))
            .collect();
        let mut on_square = [NO_PLACE; LANES];
        for (place, &bit) in digits[0].bits.iter().enumerate() {
            on_square[usize::from(bit)] = place as u8;
        }
        Layout { digits, on_square, len: index.len() }
    }

    /// How many numbers there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// All pieces, innermost first.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> {
        let digits = self.digits.iter().enumerate();
        digits.flat_map(|(digit, Digit { count, .. })| {
            (0..*count).map(move |lower| Piece { digit: digit as u8, lower: lower as u8 })
        })
    }

    /// How far below each place of the innermost piece a step leads; `None` off the board.
    pub fn innermost_distance(&self, place: usize, step: Step) -> Option<usize> {
        match self.digits[0].steps[step as usize][place] {
            NO_PLACE => None,
            to => Some(place - to as usize),
        }
    }

    /// The pieces of one colour, innermost first.
    pub fn pieces_of(&self, color: Color) -> impl Iterator<Item = Piece> {
        self.pieces().filter(move |piece| self.digit(*piece).color == color)
    }

    /// The places that moves by one square lead to, without a capture, for each direction in which this piece moves.
    pub fn moves(&self, piece: Piece) -> &[[u8; LANES]] {
        &self.digit(piece).moves
    }

    /// Whether this piece moves on in a direction as far as it likes.
    pub fn is_flying(&self, piece: Piece) -> bool {
        self.digit(piece).flying
    }

    /// How far apart numbers are, at least, that differ in where this piece stands.
    pub fn stride(&self, piece: Piece) -> u64 {
        self.digit(piece).stride
    }

    /// The number of the neighbour by a step of one piece, found by moving the piece.
    #[cfg(test)]
    pub fn neighbour(&self, number: u64, piece: Piece, step: Step) -> Option<u64> {
        let digit = self.digit(piece);
        let rank = number / digit.stride % digit.size;
        let mut places = digit.unrank(rank)[..digit.count].to_vec();
        let to = self.step(piece, step, places[usize::from(piece.lower)])?;
        if places.contains(&to) {
            return None;
        }
        places[usize::from(piece.lower)] = to;
        places.sort();
        let places = places.iter().zip(1..);
        let moved: u64 = places.map(|(&place, k)| binomial(place.into(), k)).sum();
        Some(number - rank * digit.stride + moved * digit.stride)
    }

    fn digit(&self, piece: Piece) -> &Digit {
        &self.digits[usize::from(piece.digit)]
    }

    /// The place of the innermost piece on a square; [`NO_PLACE`] where it cannot stand.
    #[inline(always)]
    pub fn innermost_on_square(&self, square: u32) -> usize {
        self.on_square[square as usize % LANES].into()
    }

    /// The square of a place of this piece, as a bit.
    #[inline(always)]
    pub fn square(&self, piece: Piece, place: u8) -> u128 {
        1 << self.digit(piece).bits[usize::from(place)]
    }

    /// How many places the innermost piece can stand on.
    pub fn innermost_places(&self) -> usize {
        self.digits[0].places
    }

    /// Whether the two innermost pieces are equal.
    pub fn has_pair(&self) -> bool {
        self.digits[0].count > 1
    }

    /// Where a step of a piece from a place leads; `None` off the board.
    #[inline(always)]
    pub fn step(&self, piece: Piece, step: Step, place: u8) -> Option<u8> {
        let to = self.digit(piece).steps[step as usize][usize::from(place)];
        (to != NO_PLACE).then_some(to)
    }

    /// Places to a row of the board.
    pub fn width(&self) -> usize {
        self.digits[0].width
    }
}

impl Digit {
    fn new<R: Rules>(group: &Group<R::Board>, stride: u64) -> Digit {
        let geometry = R::Board::geometry();
        let width = R::Board::SQUARES / R::Board::ROWS;
        // Where only dark squares are played on, the next one up the column is two rows up.
        let steps: [&[Direction]; 4] = if width < R::Board::ROWS {
            [&[Direction::W], &[Direction::NW], &[Direction::NE], &[Direction::N]]
        } else {
            [&[Direction::W], &[Direction::NW], &[Direction::N], &[Direction::N, Direction::N]]
        };
        let bits = group.bits();
        let reached = |path: &[Direction]| {
            let mut reached = [NO_PLACE; LANES];
            for (place, &bit) in bits.iter().enumerate() {
                let to = path
                    .iter()
                    .try_fold(u32::from(bit), |bit, &direction| geometry.neighbour(bit, direction));
                let to = to.and_then(|to| bits.iter().position(|&bit| u32::from(bit) == to));
                reached[place] = to.map_or(NO_PLACE, |to| to as u8);
            }
            reached
        };
        let turned = |&direction: &Direction| {
            if group.is_descending() { direction.opposite() } else { direction }
        };
        let (color, is_king) = (group.color(), group.kind() == Kind::King);
        let directions = if is_king { R::KING_MOVES } else { directions_for(R::MAN_MOVES, color) };
        Digit {
            count: group.count(),
            places: bits.len(),
            size: group.size(),
            stride,
            width,
            steps: steps.map(|path| reached(&path.iter().map(turned).collect::<Vec<_>>())),
            color,
            bits: bits.to_vec(),
            moves: directions.iter().map(|direction| reached(&[direction])).collect(),
            flying: is_king && R::FLYING_KINGS,
        }
    }

    /// The places of the pieces of a placement, lowest first.
    fn unrank(&self, mut rank: u64) -> [u8; MAX_PIECES as usize] {
        let mut places = [0; MAX_PIECES as usize];
        let mut place = self.places;
        for k in (1..=self.count).rev() {
            while {
                place -= 1;
                binomial(place, k) > rank
            } {}
            rank -= binomial(place, k);
            places[k - 1] = place as u8;
        }
        places
    }
}

/// Where the neighbours of a run by a step of one piece are: a constant distance below, but if the step takes the piece past the innermost
/// one, there is none where that one stands in the way, and they are at other distances from there on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbours {
    /// How far below their numbers are; [`BLOCK`] where that is out of reach.
    distance: i16,
    /// The place of the innermost piece where it stands in the way, if that can be.
    passing: u8,
    /// What the distance is beyond that place, but for what depends on the place; cut off where that is out of reach.
    base: u16,
}

impl Neighbours {
    pub const NONE: Neighbours = Neighbours { distance: BLOCK as i16, passing: NO_PLACE, base: 0 };

    /// Neighbours that are so far below.
    #[inline(always)]
    fn below(distance: i64) -> Neighbours {
        let in_reach = distance.unsigned_abs() < BLOCK as u64;
        Neighbours {
            distance: if in_reach { distance as i16 } else { BLOCK as i16 },
            ..Neighbours::NONE
        }
    }

    /// Whether there are any within reach.
    #[inline(always)]
    pub fn is_some(self) -> bool {
        usize::from(self.distance.unsigned_abs()) < BLOCK || self.passing != NO_PLACE
    }

    /// How far below their numbers are, up to the place of [`passing`](Neighbours::passing); [`BLOCK`] where that is out of reach.
    #[inline(always)]
    pub fn distance(self) -> usize {
        self.distance as usize
    }

    /// The same where neighbours may have higher numbers, which are a negative distance below.
    #[inline(always)]
    pub fn signed_distance(self) -> isize {
        self.distance.into()
    }

    /// The place of the innermost piece from which on neighbours are at another distance, if there is one.
    #[inline(always)]
    pub fn passing(self) -> Option<usize> {
        (self.passing != NO_PLACE).then_some(self.passing.into())
    }

    /// How far below the neighbours would be from that place on if what the innermost piece weighs did not change as it passes: with it on
    /// `place` they are `place` farther and place over 2 nearer than that.
    #[inline(always)]
    pub fn base(self) -> usize {
        self.base.into()
    }

    /// How far below the neighbour is from that place on; [`BLOCK`] where there is none.
    #[inline(always)]
    pub fn distance_beyond(self, place: usize) -> usize {
        let distance = (self.base() + place).wrapping_sub(binomial(place, 2) as usize);
        if place == usize::from(self.passing) { BLOCK } else { distance.min(BLOCK) }
    }
}

/// A place in the index that goes from run to run.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    layout: &'a Layout,
    /// The places of the pieces of every digit, lowest first.
    places: [[u8; MAX_PIECES as usize]; 4],
}

impl<'a> Cursor<'a> {
    /// The run in which a number is.
    pub fn new(layout: &'a Layout, number: u64) -> Self {
        let mut places = [[0; MAX_PIECES as usize]; 4];
        for (places, digit) in places.iter_mut().zip(&layout.digits) {
            *places = digit.unrank(number / digit.stride % digit.size);
        }
        Cursor { layout, places }
    }

    /// The place of the innermost piece.
    #[inline]
    pub fn place(&self) -> usize {
        self.places[0][0].into()
    }

    /// The place of the piece next to the innermost, if the two are equal.
    #[inline]
    pub fn second(&self) -> Option<u8> {
        self.layout.has_pair().then_some(self.places[0][1])
    }

    /// The end of the places that the two innermost pieces can be on while the others stay where they are, if the two are equal.
    #[inline]
    pub fn end_of_pair(&self) -> usize {
        let digit = &self.layout.digits[0];
        if digit.count > 2 { self.places[0][2].into() } else { digit.places }
    }

    /// The places that the innermost piece may still go to in this run, this one included.
    #[inline]
    pub fn rest_of_run(&self) -> usize {
        let digit = &self.layout.digits[0];
        let end = if digit.count > 1 { self.places[0][1].into() } else { digit.places };
        end - self.place()
    }

    /// Goes to the start of the next run. Returns the outermost piece that moved.
    #[inline]
    pub fn advance(&mut self) -> Piece {
        // The innermost piece is at its end; it starts again as the first other piece that can goes one place on.
        let mut first = 1;
        for (number, (digit, places)) in self.layout.digits.iter().zip(&mut self.places).enumerate()
        {
            let places = &mut places[..digit.count];
            for lower in first..digit.count {
                let end = places.get(lower + 1).map_or(digit.places, |&next| next.into());
                if usize::from(places[lower]) + 1 < end {
                    places[lower] += 1;
                    (0..lower).for_each(|lower| places[lower] = lower as u8);
                    return Piece { digit: number as u8, lower: lower as u8 };
                }
            }
            (0..digit.count).for_each(|lower| places[lower] = lower as u8);
            first = 0;
        }
        Piece { digit: self.layout.digits.len() as u8, lower: 0 }
    }

    /// The neighbours of this run by a step of a piece other than the innermost.
    #[inline]
    pub fn neighbours(&self, piece: Piece, step: Step) -> Neighbours {
        let to = self.layout.step(piece, step, self.place_of(piece));
        to.map_or(Neighbours::NONE, |to| self.moved(piece, to))
    }

    /// The place of a piece.
    #[inline(always)]
    pub fn place_of(&self, piece: Piece) -> u8 {
        self.places[usize::from(piece.digit)][usize::from(piece.lower)]
    }

    /// The neighbours of this run with a piece other than the innermost moved to another place.
    #[inline]
    pub fn moved(&self, piece: Piece, to: u8) -> Neighbours {
        let digit = self.layout.digit(piece);
        let places = &self.places[usize::from(piece.digit)][..digit.count];
        if let [from] = *places {
            return Neighbours::below((i64::from(from) - i64::from(to)) * digit.stride as i64);
        }
        let lower = usize::from(piece.lower);
        // What the number loses by the move, when pieces that this one passes have been taken out one by one: each of them weighs more, or less,
        // as it is the next higher, or lower, piece now.
        let mut lost = binomial(places[lower].into(), lower + 1) as i64;
        let mut rank = lower;
        let innermost = usize::from(piece.digit == 0);
        while rank > innermost && places[rank - 1] >= to {
            if places[rank - 1] == to {
                return Neighbours::NONE;
            }
            let passed = usize::from(places[rank - 1]);
            lost += binomial(passed, rank) as i64 - binomial(passed, rank + 1) as i64;
            rank -= 1;
        }
        while rank + 1 < digit.count && places[rank + 1] <= to {
            if places[rank + 1] == to {
                return Neighbours::NONE;
            }
            let passed = usize::from(places[rank + 1]);
            lost += binomial(passed, rank + 2) as i64 - binomial(passed, rank + 1) as i64;
            rank += 1;
        }
        // Only where it moves down can the piece meet or pass the innermost one, and then what it loses is positive.
        let passes = innermost == 1 && rank == 1 && to < places[lower];
        Neighbours {
            passing: if passes { to } else { NO_PLACE },
            base: (lost - i64::from(to)).clamp(0, u16::MAX.into()) as u16,
            ..Neighbours::below((lost - binomial(to.into(), rank + 1) as i64) * digit.stride as i64)
        }
    }

    /// The squares of all pieces but the innermost, as bits; `None` if two of them share a square.
    #[inline]
    pub fn taken(&self) -> Option<u128> {
        let mut squares = 0;
        for (number, (digit, places)) in self.layout.digits.iter().zip(&self.places).enumerate() {
            for &place in &places[usize::from(number == 0)..digit.count] {
                let square = 1 << digit.bits[usize::from(place)];
                if squares & square != 0 {
                    return None;
                }
                squares |= square;
            }
        }
        Some(squares)
    }
}
