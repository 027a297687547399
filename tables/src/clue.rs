//! Clues: what is known about a distance before it is.
//!
//! The values of a block are decoded first, so it is known which positions are won or lost. Their distances follow in the same order. A
//! distance is expected to be about that of the *reference*, a neighbouring position with the same value. What else there is to know are
//! the clues, each a digit from 0 to 7: how the distance of another neighbour compares to the reference, and how long the reference is. All
//! digits together are the context of a position.
//!
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
const NONE: usize = 7;
/// The least number that is no distance.
pub(crate) const NO_PLIES: u16 = DRAW;

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
        Slot::all(layout).into_iter().map(Clue::Neighbour).chain([Clue::Plies]).collect()
    }
}

/// The distance of a score that is that of a win or of a loss; [`NO_PLIES`] or more for others.
#[inline(always)]
pub(crate) fn plies_of(score: u16, won: bool) -> u16 {
    // For wins FFFE - score.
    (score ^ 0u16.wrapping_sub(won.into())).wrapping_sub(won.into())
}

/// The score of a win or of a loss.
#[inline(always)]
fn score_of(plies: u16, won: bool) -> u16 {
    plies.wrapping_add(won.into()) ^ 0u16.wrapping_sub(won.into())
}

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
    /// The distance of the reference, in plies.
    pub reference: u16,
    /// The digits of the clues.
    pub context: usize,
}

/// What is done with each won or lost position of a block.
pub(crate) trait Guess {
    /// Gives the distance of the next position; `plies` is what the buffer holds for it, [`NO_PLIES`] or more if it does not matter.
    fn guess(&mut self, plies: u16, riddle: Riddle) -> u16;
}

/// The clues of a table, prepared for walking.
#[derive(Clone, Debug)]
pub(crate) struct Clues {
    /// Whose distance the reference is; with a neighbour by the innermost piece it is the latest position of the same value.
    reference: Slot,
    /// In the order in which they were chosen, the first one the highest digit.
    clues: Vec<Clue>,
    /// By how much distances of losses and of wins are shifted before they are compared: 1 where they all are even or all odd.
    pub shifts: [u32; 2],
    /// The reference until there is one.
    pub firsts: [u16; 2],
    /// How far before each place the neighbours by the innermost piece are, for each clue; [`BLOCK`] where there is none.
    near: Vec<[u16; LANES]>,
}

/// The step of a slot by another piece than the innermost.
pub(crate) fn far_step(slot: Slot) -> Option<(Piece, crate::layout::Step)> {
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

    /// Whose distance the reference is; with a neighbour by the innermost piece it is the latest position of the same value.
    pub fn reference(&self) -> Slot {
        self.reference
    }

    /// The clues, in the order in which they were chosen.
    pub fn clues(&self) -> &[Clue] {
        &self.clues
    }

    /// Visits the first `values.len()` positions of the block that begins with number `start`, in order, and puts the scores of the
    /// distances that the guesser gives into the buffer, and those of draws.
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
                Clue::Plies => None,
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
                let shift = self.shifts[usize::from(won)];
                let reference = plies_of(far[self.clues.len()][lane], won);
                let known = reference < NO_PLIES;
                let reference = if known { reference } else { latest[usize::from(won)] };
                let mut context = 0;
                for (number, (clue, near)) in self.clues.iter().zip(&self.near).enumerate() {
                    let digit = match clue {
                        Clue::Plies => usize::from(reference >> shift).min(DIGITS - 1),
                        Clue::Neighbour(slot) => {
                            let score = match far_step(*slot) {
                                Some(_) => far[number][lane],
                                None => scores.before(at + lane, near[place + lane].into()),
                            };
                            digit(plies_of(score, won), reference, shift)
                        }
                    };
                    context = context << DIGIT | digit;
                }
                let plies = plies_of(scores.block()[at + lane], won);
                let plies = guesser.guess(plies, Riddle { won, reference, context });
                latest[usize::from(won)] = plies;
                scores.block()[at + lane] = score_of(plies, won);
            }
            at += run;
            cursor.advance();
        }
        guesser
    }
}

/// How a distance compares to the reference: 0 to 6 for at least three steps shorter to at least three steps longer.
#[inline(always)]
fn digit(plies: u16, reference: u16, shift: u32) -> usize {
    let steps = (i32::from(plies) - i32::from(reference)) >> shift;
    if plies < NO_PLIES { (steps.clamp(-3, 3) + 3) as usize } else { NONE }
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
