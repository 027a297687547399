//! The index as the codec sees it: a row of numbers, and for each the numbers that are its neighbours.
//!
//! A *neighbour* of a placement is the same placement with one piece moved a step left or up, to a lower place; it has a lower number,
//! so its value is known when the blocks are coded in order. The *innermost* piece, the one with the lowest place of the innermost
//! group, changes fastest: the numbers between two changes of any other piece are a *run*, along which the innermost piece goes from
//! place to place, and the neighbours by another piece are a run as well, nearly always at a constant distance.

use damier_core::{Board, Direction, Rules, Variant, with_rules};

use crate::class::{Class, MAX_PIECES};
use crate::group::{Group, binomial};
use crate::header::BLOCK;
use crate::index::{GroupOrder, Index};

/// More than the places of any board.
pub(crate) const LANES: usize = 128;
/// Marks a step that would leave the board.
const NO_PLACE: u8 = u8::MAX;

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
}

impl Layout {
    pub fn new(variant: Variant, class: Class, order: GroupOrder) -> Layout {
        with_rules!(variant, R => Layout::of(&Index::<R>::new(class, order)))
    }

    pub fn of<R: Rules>(index: &Index<R>) -> Layout {
        let groups = index.groups().iter().zip(index.strides()).rev();
        let digits = groups
            .filter(|(group, _)| group.count() > 0)
            .map(|(group, stride)| Digit::new(group, stride))
            .collect();
        Layout { digits, len: index.len() }
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

    /// How many places the innermost piece can stand on.
    pub fn innermost_places(&self) -> usize {
        self.digits[0].places
    }

    /// Places to a row of the board.
    pub fn width(&self) -> usize {
        self.digits[0].width
    }
}

impl Digit {
    fn new<B: Board>(group: &Group<B>, stride: u64) -> Digit {
        let geometry = B::geometry();
        let width = B::SQUARES / B::ROWS;
        // Where only dark squares are played on, the next one up the column is two rows up.
        let steps: [&[Direction]; 4] = if width < B::ROWS {
            [&[Direction::W], &[Direction::NW], &[Direction::NE], &[Direction::N]]
        } else {
            [&[Direction::W], &[Direction::NW], &[Direction::N], &[Direction::N, Direction::N]]
        };
        let bits = group.bits();
        let steps = steps.map(|path| {
            let mut step = [NO_PLACE; LANES];
            for (place, &bit) in bits.iter().enumerate() {
                let to = path.iter().try_fold(u32::from(bit), |bit, &direction| {
                    let turned =
                        if group.is_descending() { direction.opposite() } else { direction };
                    geometry.neighbour(bit, turned)
                });
                let to = to.and_then(|to| bits.iter().position(|&bit| u32::from(bit) == to));
                step[place] = to.map_or(NO_PLACE, |to| to as u8);
            }
            step
        });
        Digit { count: group.count(), places: bits.len(), size: group.size(), stride, width, steps }
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
    distance: u16,
    /// The place of the innermost piece where it stands in the way, if that can be.
    passing: u8,
    /// What the distance is beyond that place, but for what depends on the place; cut off where that is out of reach.
    base: u16,
}

impl Neighbours {
    pub const NONE: Neighbours = Neighbours { distance: BLOCK as u16, passing: NO_PLACE, base: 0 };

    /// How far below their numbers are, up to the place of [`passing`](Neighbours::passing); [`BLOCK`] where that is out of reach.
    #[inline(always)]
    pub fn distance(self) -> usize {
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

    /// The places that the innermost piece may still go to in this run, this one included.
    #[inline]
    pub fn rest_of_run(&self) -> usize {
        let digit = &self.layout.digits[0];
        let end = if digit.count > 1 { self.places[0][1].into() } else { digit.places };
        end - self.place()
    }

    /// Goes to the start of the next run. Returns the outermost digit that changed.
    #[inline]
    pub fn advance(&mut self) -> usize {
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
                    return number;
                }
            }
            (0..digit.count).for_each(|lower| places[lower] = lower as u8);
            first = 0;
        }
        self.layout.digits.len()
    }

    /// The neighbours of this run by a step of a piece other than the innermost.
    #[inline]
    pub fn neighbours(&self, piece: Piece, step: Step) -> Neighbours {
        let digit = &self.layout.digits[usize::from(piece.digit)];
        let places = &self.places[usize::from(piece.digit)];
        let lower = usize::from(piece.lower);
        let from = places[lower];
        let to = digit.steps[step as usize][usize::from(from)];
        if to == NO_PLACE {
            return Neighbours::NONE;
        }
        // What the piece loses by its step, when pieces that it passes have been taken out one by one: each of them weighs more as it
        // is the next higher piece now.
        let mut lost = binomial(from.into(), lower + 1);
        let mut above = lower;
        let innermost = usize::from(piece.digit == 0);
        while above > innermost && places[above - 1] > to {
            let passed = usize::from(places[above - 1]);
            lost = lost + binomial(passed, above) - binomial(passed, above + 1);
            above -= 1;
        }
        if above > innermost && places[above - 1] == to {
            return Neighbours::NONE;
        }
        let passes = innermost == 1 && above == 1;
        let distance = (lost - binomial(to.into(), above + 1)) * digit.stride;
        Neighbours {
            distance: distance.min(BLOCK as u64) as u16,
            passing: if passes { to } else { NO_PLACE },
            // Only of use, and not below nothing, where the piece passes the innermost one.
            base: lost.wrapping_sub(to.into()).min(u16::MAX.into()) as u16,
        }
    }
}
