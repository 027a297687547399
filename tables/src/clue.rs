//! Clues: what is known about a distance before it is.
//!
//! The values of a block are decoded first, so it is known which positions are won or lost. Their distances follow in the same order. A
//! distance is expected to be about that of the *reference*, a neighbouring position with the same value. What else there is to know are
//! the clues, each a digit from 0 to 7: how the distance of another neighbour compares to the reference, and how long the reference is. All
//! digits together are the context of a position.
//!
//! While a block is walked through, a distance is kept as its *mark*: the plies of a loss, and 8000 hexadecimal more for a win. Draws and what
//! is not known have a mark that is far from those of both, so that marks are close together only if their values are the same. (If it
//! takes ten thousand plies to win they may not be, which makes a clue misleading but nothing wrong.)
//!
//! As with [values](crate::context), neighbours by pieces other than the innermost lie in earlier runs, and what follows from them is found for a
//! whole run at once.

use crate::context::Slot;
use crate::distances::DRAW;
use crate::header::BLOCK;
use crate::layout::{Cursor, LANES, Layout, Neighbours, Piece, Step};

/// The most clues of a context.
pub(crate) const MAX_CLUES: usize = 6;
/// Bits of a digit.
pub(crate) const DIGIT: u32 = 3;
/// Digits that a clue can have.
pub(crate) const DIGITS: usize = 1 << DIGIT;
/// Digit of a neighbour that there is none of, or that has another value.
const NONE: u16 = 7;
/// The value of draws.
const DRAWN: u8 = 1;
/// The least number that is no distance.
pub(crate) const NO_PLIES: u16 = DRAW;

/// The mark of draws and of what is not known.
const APART: u16 = 0x4000;
/// How far apart marks may be to be compared.
const REACH: u16 = 128;

/// Something known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clue {
    /// The distance of a neighbour, compared to the reference.
    Neighbour(Slot),
    /// The distance of the reference itself.
    Plies,
}

impl Clue {
    /// All clues that there are for a class, in the order in which they are numbered in files.
    pub fn all(layout: &Layout) -> Vec<Clue> {
        Slot::all(layout, None).into_iter().map(Clue::Neighbour).chain([Clue::Plies]).collect()
    }
}

/// A won or lost position whose distance comes next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Riddle {
    /// Its place in the block.
    pub at: usize,
    /// Whether the position is won.
    pub won: bool,
    /// The distance of the reference, in plies.
    pub reference: u16,
    /// The digits of the clues.
    pub context: u32,
}

/// What is done with each won or lost position of a block.
pub(crate) trait Guess {
    /// What changes with every position. It is apart so that it can stay in registers.
    type State: Copy;

    /// Gives the distance of the next position, in plies.
    fn guess(&mut self, state: &mut Self::State, riddle: Riddle) -> u16;
}

/// The clues of a table, prepared for walking.
#[derive(Clone, Debug)]
pub(crate) struct Clues {
    /// Whose distance the reference is; with a neighbour by the innermost piece it is the latest position of the same value.
    reference: Slot,
    /// In the order in which they were chosen, the first one the highest digit.
    clues: Vec<Clue>,
    /// By how much distances are shifted before they are compared: 1 where those of all wins, and of all losses, are even, or odd.
    pub shift: u32,
    /// The references until there is one, of losses and of wins.
    pub firsts: [u16; 2],
    /// Neighbours by other pieces than the innermost.
    far: Vec<(Place, Piece, Step)>,
    /// Neighbours by the innermost piece.
    near: Vec<Near>,
    /// The reference itself.
    own: Option<Place>,
}

/// Where the digit of a clue is in a context. The digits of the first clues are in the high half of a context.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The digit 1 in a whole context.
    unit: u32,
    /// The half of the context.
    half: usize,
    /// The digit 1 in this half.
    half_unit: u16,
}

/// Neighbours by the innermost piece.
#[derive(Clone, Debug)]
struct Near {
    /// How far before each place they are; [`BLOCK`] where there is none.
    distances: [u16; LANES],
    /// What they contribute to a context, by how much more than the reference's their marks are, and [`REACH`].
    digits: [u32; 2 * REACH as usize + 1],
}

/// Digits of half a context.
const HALF: usize = MAX_CLUES / 2;
/// Bits of half a context.
const HALF_BITS: u32 = DIGIT * HALF as u32;

impl Place {
    fn of(clue: usize) -> Place {
        let shift = digit_shift(clue);
        let half_unit = 1 << (shift % HALF_BITS);
        Place { unit: 1 << shift, half: clue / HALF, half_unit }
    }
}

/// The step of a slot by another piece than the innermost.
pub(crate) fn far_step(slot: Slot) -> Option<(Piece, Step)> {
    match slot {
        Slot::Step(piece, step) if piece != Piece::INNERMOST => Some((piece, step)),
        _ => None,
    }
}

/// Positions of a run that are handled together.
const CHUNK: usize = 16;

/// A number for each position of a run.
type ByLane = [u16; LANES];

/// What is known about the positions of a run before any of them is decoded.
struct Run {
    /// The marks of the references.
    references: ByLane,
    /// The marks of the neighbours by other pieces, for each such clue.
    far: [ByLane; MAX_CLUES],
    /// Both halves of the digits that do not depend on the run itself.
    contexts: [ByLane; 2],
}

/// The marks of a block, preceded by a block of unknown ones so that neighbours before its start need no test, and followed by room for
/// reading a little too far.
struct Marks([u16; 2 * BLOCK + LANES]);

impl Marks {
    /// The mark `distance`, at most [`BLOCK`], before place `at`.
    #[inline(always)]
    fn before(&self, at: usize, distance: usize) -> u16 {
        self.0[(BLOCK + at - distance) % (2 * BLOCK)]
    }

    #[inline(always)]
    fn put(&mut self, at: usize, mark: u16) {
        self.0[(BLOCK + at) % (2 * BLOCK)] = mark;
    }
}

/// The mark of distance 0 of a value.
#[inline(always)]
fn base(value: u8) -> u16 {
    u16::from(value >> 1) << 15
}

impl Clues {
    pub fn new(
        layout: &Layout,
        reference: Slot,
        clues: &[Clue],
        shift: u32,
        firsts: [u16; 2],
    ) -> Clues {
        let (mut far, mut near, mut own) = (Vec::new(), Vec::new(), None);
        for (number, &clue) in clues.iter().enumerate() {
            let digit = Place::of(number);
            let slot = match clue {
                Clue::Neighbour(slot) => slot,
                Clue::Plies => {
                    own = Some(digit);
                    continue;
                }
            };
            if let Some((piece, step)) = far_step(slot) {
                far.push((digit, piece, step));
                continue;
            }
            let distance = |place| match slot {
                Slot::Step(_, step) if place < layout.innermost_places() => {
                    layout.innermost_distance(place, step).unwrap_or(BLOCK) as u16
                }
                Slot::Step(..) => BLOCK as u16,
                Slot::Previous | Slot::Best(_) => 1,
            };
            near.push(Near {
                distances: std::array::from_fn(distance),
                digits: std::array::from_fn(|difference| {
                    u32::from(compared(difference as u16, REACH, shift)) * digit.unit
                }),
            });
        }
        Clues { reference, clues: clues.to_vec(), shift, firsts, far, near, own }
    }

    /// Whose distance the reference is.
    pub fn reference(&self) -> Slot {
        self.reference
    }

    /// The clues, in the order in which they were chosen.
    pub fn clues(&self) -> &[Clue] {
        &self.clues
    }

    /// Visits the won and lost positions of the block that begins with number `start` and has these values, in order.
    #[inline]
    pub fn walk<G: Guess>(
        &self,
        layout: &Layout,
        start: u64,
        values: &[u8],
        guesser: &mut G,
        state: G::State,
    ) {
        match self.near.len() {
            0 => self.walk_as::<0, G>(layout, start, values, guesser, state),
            1 => self.walk_as::<1, G>(layout, start, values, guesser, state),
            2 => self.walk_as::<2, G>(layout, start, values, guesser, state),
            3 => self.walk_as::<3, G>(layout, start, values, guesser, state),
            _ => self.walk_as::<4, G>(layout, start, values, guesser, state),
        }
    }

    fn walk_as<const NEAR: usize, G: Guess>(
        &self,
        layout: &Layout,
        start: u64,
        values: &[u8],
        guesser: &mut G,
        mut state: G::State,
    ) {
        let near: [&Near; NEAR] = std::array::from_fn(|clue| &self.near[clue]);
        let len = values.len();
        let mut padded = [DRAWN; BLOCK + LANES];
        padded[..len].copy_from_slice(values);
        let mut marks = Marks([APART; 2 * BLOCK + LANES]);
        let mut run = Run {
            references: [APART; LANES],
            far: [[APART; LANES]; MAX_CLUES],
            contexts: [[0; LANES]; 2],
        };
        let mut latest = self.firsts;
        let mut cursor = Cursor::new(layout, start);
        let mut at = 0;
        while at < len {
            let place = cursor.place();
            let end = len.min(at + cursor.rest_of_run());
            if padded[at..end].iter().any(|&value| value != DRAWN) {
                self.prepare(&cursor, at, end - at, &padded, &marks, &mut run);
            }
            for (lane, &value) in padded[at..end].iter().enumerate() {
                if value == DRAWN {
                    marks.put(at + lane, APART);
                    continue;
                }
                let base = base(value);
                let mut reference = run.references[lane % LANES];
                let mut context = u32::from(run.contexts[0][lane % LANES]) << HALF_BITS
                    | u32::from(run.contexts[1][lane % LANES]);
                if reference.wrapping_sub(base) >= APART {
                    reference = latest[usize::from(value >> 1)].wrapping_add(base);
                    context = self.far_context(lane, reference, base, &run);
                }
                for near in near {
                    let distance = near.distances[(place + lane) % LANES];
                    let mark = marks.before(at + lane, distance.into());
                    let difference = mark.wrapping_sub(reference.wrapping_sub(REACH));
                    context += near.digits[usize::from(difference.min(2 * REACH))];
                }
                let riddle = Riddle {
                    at: at + lane,
                    won: value > DRAWN,
                    reference: reference.wrapping_sub(base),
                    context,
                };
                let plies = guesser.guess(&mut state, riddle);
                latest[usize::from(value >> 1)] = plies;
                marks.put(at + lane, plies.wrapping_add(base));
            }
            at = end;
            cursor.advance();
        }
    }

    /// Finds the references of a run of `len` positions, and the digits of the clues that are known without it.
    #[inline(always)]
    fn prepare(
        &self,
        cursor: &Cursor,
        at: usize,
        len: usize,
        values: &[u8; BLOCK + LANES],
        marks: &Marks,
        run: &mut Run,
    ) {
        let gather = |piece, step, far: &mut ByLane| {
            gather(&cursor.neighbours(piece, step), cursor.place(), at, len, marks, far);
        };
        let chunks = len.div_ceil(CHUNK);
        if let Some((piece, step)) = far_step(self.reference) {
            gather(piece, step, &mut run.references);
        }
        let references = &run.references.as_chunks::<CHUNK>().0[..chunks];
        run.contexts = [[0; LANES]; 2];
        if let Some(digit) = self.own {
            let contexts = run.contexts[digit.half].as_chunks_mut::<CHUNK>().0;
            let values = values[at..].as_chunks::<CHUNK>().0;
            for ((contexts, references), values) in contexts.iter_mut().zip(references).zip(values)
            {
                for ((context, reference), &value) in
                    contexts.iter_mut().zip(references).zip(values)
                {
                    *context +=
                        own(reference.wrapping_sub(base(value)), self.shift) * digit.half_unit;
                }
            }
        }
        for ((digit, piece, step), far) in self.far.iter().zip(&mut run.far) {
            gather(*piece, *step, far);
            let contexts = run.contexts[digit.half].as_chunks_mut::<CHUNK>().0;
            let far = far.as_chunks::<CHUNK>().0;
            for ((contexts, references), far) in contexts.iter_mut().zip(references).zip(far) {
                for ((context, &reference), &mark) in contexts.iter_mut().zip(references).zip(far) {
                    *context += compared(mark, reference, self.shift) * digit.half_unit;
                }
            }
        }
    }

    /// The digits of a lane that are known without its run, with another reference than that of the run.
    #[inline(always)]
    fn far_context(&self, lane: usize, reference: u16, base: u16, run: &Run) -> u32 {
        let plies = reference.wrapping_sub(base);
        let mut context =
            self.own.map_or(0, |digit| u32::from(own(plies, self.shift)) * digit.unit);
        for ((digit, ..), far) in self.far.iter().zip(&run.far) {
            let digits = u32::from(compared(far[lane % LANES], reference, self.shift));
            context += digits * digit.unit;
        }
        context
    }
}

/// Where the digit of a clue is in a context.
pub(crate) fn digit_shift(clue: usize) -> u32 {
    DIGIT * (MAX_CLUES - 1 - clue) as u32
}

/// The digit of the reference itself.
#[inline(always)]
fn own(plies: u16, shift: u32) -> u16 {
    (plies >> shift).min(DIGITS as u16 - 1)
}

/// The digit of a mark compared to the reference: 0 to 6 for at least three steps shorter to at least three steps longer.
#[inline(always)]
fn compared(mark: u16, reference: u16, shift: u32) -> u16 {
    let difference = mark.wrapping_sub(reference) as i16;
    let digit = (difference >> shift).clamp(-3, 3) + 3;
    let comparable = (difference as u16).wrapping_add(REACH) < 2 * REACH;
    if comparable { digit as u16 } else { NONE }
}

/// The marks of the neighbours by a piece other than the innermost, for `len` places from `place` on.
#[inline(always)]
fn gather(
    neighbours: &Neighbours,
    place: usize,
    at: usize,
    len: usize,
    marks: &Marks,
    far: &mut ByLane,
) {
    let begin = BLOCK + at - neighbours.distance();
    far[..len].copy_from_slice(&marks.0[begin..begin + len]);
    let Some(passing) = neighbours.passing() else { return };
    let first = passing.max(place);
    let farthest = (BLOCK + at - place) as i64 - neighbours.base() as i64;
    let passed = far[..len].iter_mut().skip(first - place);
    for (far, triangle) in passed.zip(&TRIANGLES[first..]) {
        // What is out of reach is before the start of the block.
        let mark = (farthest + i64::from(*triangle)).max(0);
        *far = marks.0[mark as usize % (2 * BLOCK)];
    }
    if let Some(met) = passing.checked_sub(place).filter(|&met| met < len) {
        far[met] = APART;
    }
}

/// Each number over 2.
static TRIANGLES: [u16; LANES] = {
    let mut triangles = [0; LANES];
    let mut number = 1;
    while number < LANES {
        triangles[number] = triangles[number - 1] + number as u16 - 1;
        number += 1;
    }
    triangles
};
