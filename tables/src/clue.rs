//! Clues: what is known about a distance before it is.
//!
//! The values of a block are decoded first, so it is known which positions are won or lost. Their distances follow in the same order. A
//! distance is expected to be about that of the *reference*, a neighbouring position with the same value. What else there is to know are
//! the clues, each a digit from 0 to 7: how the distance of another neighbour compares to the reference, and how long the reference is. All
//! digits together are the context of a position.
//!
//! Distances are handled as their *lengths*: how far a score is from the first one with its value. That is the plies of a loss; for a win it is
//! what the longest win has more, which does as well, for only differences matter.

use crate::context::Slot;
use crate::distances::{DONT_CARE_SCORE, DRAW};
use crate::header::BLOCK;
use crate::layout::{Cursor, LANES, Layout, Neighbours, Piece};

/// The most clues of a context.
pub(crate) const MAX_CLUES: usize = 6;
/// Bits of a digit.
pub(crate) const DIGIT: usize = 3;
/// Digits that a clue can have.
pub(crate) const DIGITS: usize = 1 << DIGIT;
/// Digit of a neighbour that there is none of, or that has another value.
const NONE: u32 = 7;
/// The first length that no distance has.
pub(crate) const NO_LENGTH: u16 = DRAW;

/// Something known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clue {
    /// The length of a neighbour, compared to the reference.
    Neighbour(Slot),
    /// The length of the reference itself.
    Length,
}

impl Clue {
    /// All clues that there are for a class, in the order in which they are numbered in files.
    pub fn all(layout: &Layout) -> Vec<Clue> {
        Slot::all(layout).into_iter().map(Clue::Neighbour).chain([Clue::Length]).collect()
    }
}

/// The score of length 0 of won positions; of lost ones it is 0.
const WON: u16 = DRAW + 1;

/// The scores of a block, preceded by a block of unknown ones so that neighbours before its start need no test, and followed by room for
/// reading a little too far.
pub(crate) struct Scores([u16; 2 * BLOCK + LANES]);

impl Scores {
    pub fn new() -> Scores {
        Scores([DONT_CARE_SCORE; 2 * BLOCK + LANES])
    }

    /// The scores of the block.
    pub fn block(&mut self) -> &mut [u16; BLOCK] {
        (&mut self.0[BLOCK..2 * BLOCK]).try_into().expect("a block")
    }

    /// The score `distance`, at most [`BLOCK`], before place `at`.
    #[inline(always)]
    fn before(&self, at: usize, distance: usize) -> u16 {
        self.0[(BLOCK + at - distance) % (2 * BLOCK)]
    }
}

/// A won or lost position whose distance comes next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Riddle {
    /// Whether the position is won.
    pub won: bool,
    /// The length of the reference.
    pub reference: u16,
    /// The digits of the clues.
    pub context: usize,
}

/// What is done with each won or lost position of a block.
pub(crate) trait Guess {
    /// Gives the length of the next position; `length` is what the buffer holds for it, [`NO_LENGTH`] or more if it does not matter.
    fn guess(&mut self, length: u16, riddle: Riddle) -> u16;
}

/// The clues of a table, prepared for walking.
#[derive(Clone, Debug)]
pub(crate) struct Clues {
    /// Whose length the reference is.
    reference: Slot,
    /// In the order in which they were chosen, the first one the highest digit.
    clues: Vec<Clue>,
    /// By how much lengths of losses and wins are shifted before they are compared: 1 where they all are even or all odd.
    pub shifts: [u32; 2],
    /// The reference until there is one.
    pub firsts: [u16; 2],
    /// How far before each place the neighbours by the innermost piece are, for each clue; [`BLOCK`] where there is none.
    near: Vec<[u16; LANES]>,
}

/// Where to find the neighbours of a slot.
fn far_step(slot: Slot) -> Option<(Piece, crate::layout::Step)> {
    match slot {
        Slot::Step(piece, step) if piece != Piece::INNERMOST => Some((piece, step)),
        _ => None,
    }
}

impl Clues {
    pub fn new(
        layout: &Layout,
        reference: Slot,
        clues: &[Clue],
        shifts: [u32; 2],
        firsts: [u16; 2],
    ) -> Clues {
        let near = clues.iter().map(|&clue| {
            std::array::from_fn(|place| match clue {
                Clue::Neighbour(Slot::Previous) => 1,
                Clue::Neighbour(Slot::Step(Piece::INNERMOST, step))
                    if place < layout.innermost_places() =>
                {
                    layout.innermost_distance(place, step).unwrap_or(BLOCK) as u16
                }
                _ => BLOCK as u16,
            })
        });
        Clues { reference, clues: clues.to_vec(), shifts, firsts, near: near.collect() }
    }

    /// Whose length the reference is.
    pub fn reference(&self) -> Slot {
        self.reference
    }

    /// The clues, in the order in which they were chosen.
    pub fn clues(&self) -> &[Clue] {
        &self.clues
    }

    /// Visits the first `values.len()` positions of the block that begins with number `start`, in order, and puts the scores of the lengths
    /// that the guesser gives into the buffer, and those of draws.
    pub fn walk<G: Guess>(
        &self,
        layout: &Layout,
        start: u64,
        values: &[u8],
        scores: &mut Scores,
        mut guesser: G,
    ) -> G {
        let mut cursor = Cursor::new(layout, start);
        let mut latest = self.firsts;
        // The scores of the neighbours by other pieces along a run; the reference's come last.
        let mut far = [[DONT_CARE_SCORE; LANES]; MAX_CLUES + 1];
        let slots: Vec<Option<Slot>> = self
            .clues
            .iter()
            .map(|clue| match clue {
                Clue::Neighbour(slot) => Some(*slot),
                Clue::Length => None,
            })
            .chain([Some(self.reference)])
            .collect();
        let mut at = 0;
        while at < values.len() {
            let place = cursor.place();
            let run = cursor.rest_of_run().min(values.len() - at);
            if values[at..at + run].iter().any(|&value| value != 1) {
                for (far, slot) in far.iter_mut().zip(&slots) {
                    if let Some((piece, step)) = slot.and_then(far_step) {
                        let neighbours = cursor.neighbours(piece, step);
                        gather(&neighbours, place, at, run, scores, far);
                    }
                }
            }
            for lane in 0..run {
                let value = values[at + lane];
                if value == 1 {
                    scores.block()[at + lane] = DRAW;
                    continue;
                }
                let won = value == 2;
                let base = if won { WON } else { 0 };
                let reference = far[self.clues.len()][lane].wrapping_sub(base);
                let known = reference < NO_LENGTH;
                let reference = if known { reference } else { latest[usize::from(won)] };
                let shift = self.shifts[usize::from(won)];
                let mut context = 0;
                for (clue, near) in self.clues.iter().zip(&self.near).enumerate() {
                    let (number, (clue, near)) = (clue, near);
                    let score = match clue {
                        Clue::Length => {
                            let digit = (reference >> shift).min(7);
                            context = context << DIGIT | usize::from(digit);
                            continue;
                        }
                        Clue::Neighbour(Slot::Step(piece, _)) if *piece != Piece::INNERMOST => {
                            far[number][lane]
                        }
                        Clue::Neighbour(_) => {
                            scores.before(at + lane, near[(place + lane) % LANES].into())
                        }
                    };
                    let digit = digit(score.wrapping_sub(base), reference, shift);
                    context = context << DIGIT | digit as usize;
                }
                let length = scores.block()[at + lane].wrapping_sub(base);
                let length = guesser.guess(length, Riddle { won, reference, context });
                latest[usize::from(won)] = length;
                scores.block()[at + lane] = length + base;
            }
            at += run;
            cursor.advance();
        }
        guesser
    }
}

/// How a length compares to the reference: 0 to 6 for at least three steps shorter to at least three steps longer.
#[inline(always)]
fn digit(length: u16, reference: u16, shift: u32) -> u32 {
    let steps = (i32::from(length) - i32::from(reference)) >> shift;
    if length < NO_LENGTH { (steps.clamp(-3, 3) + 3) as u32 } else { NONE }
}

/// The scores of the neighbours by a piece other than the innermost, for the `run` places from `place` on.
#[inline(always)]
fn gather(
    neighbours: &Neighbours,
    place: usize,
    at: usize,
    run: usize,
    scores: &Scores,
    far: &mut [u16; LANES],
) {
    let begin = BLOCK + at - neighbours.distance;
    far[..run].copy_from_slice(&scores.0[begin..begin + run]);
    let Some(passing) = neighbours.passing else { return };
    for (lane, far) in far[..run].iter_mut().enumerate().skip(passing.at().saturating_sub(place)) {
        let distance = passing.distance(place + lane);
        *far = distance.map_or(DONT_CARE_SCORE, |distance| scores.before(at + lane, distance));
    }
}
