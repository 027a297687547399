//! Distances of a word of positions: a number for each square of the free piece.
//!
//! A position's *score* orders all values for the side to move, from lost at once to won at once, so that the best move is the one
//! to the least score, as with [`Wdl`]: scores of losses grow with the distance, then come draws, then wins, the quick ones
//! last. A square without a position scores above everything. Scores only ever fall during the sweeps: a win found late is too long at first
//! and then gets shorter.

use std::fmt::Debug;
use std::marker::PhantomData;

use damier_core::{Board, Direction, Directions, Goal, Lanes, Rules, Value, Word, WordOf};

use crate::cell::{Cell, Wdl};
use crate::counting::Transition;

/// The value of a position with its distance in plies; draws have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distance {
    /// Win, draw or loss.
    pub value: Value,
    /// Plies to the end of the game or to whatever the metric counts to; 0 for draws.
    pub plies: u16,
}

/// How distances are written as scores.
pub trait Scale: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// The number that holds a score.
    type Score: Copy + Ord + Debug + Into<u16> + TryFrom<u16> + Send + Sync + 'static;
    /// All lanes of a board.
    type Array<B: Board>: Lanes<Self::Score>;
    /// No position.
    const NONE: Self::Score;
    /// Lost now.
    const LOST: Self::Score;
    /// Drawn.
    const DRAW: Self::Score;
    /// The longest distance that can be told from others.
    const MAX_PLIES: u16;

    /// The score of a position whose best child has this score.
    fn reply<R: Rules>(least: Self::Score) -> Self::Score;
    /// The score of a win now.
    fn won() -> Self::Score;
    /// What a score means; nothing for [`NONE`](Scale::NONE).
    fn distance(score: Self::Score) -> Option<Distance>;
    /// The score of a distance.
    fn score(distance: Distance) -> Self::Score;
    /// All bits of a score set where the flag is not.
    fn unless(flag: bool) -> Self::Score;
    /// Bitwise or.
    fn or(a: Self::Score, b: Self::Score) -> Self::Score;
}

/// A ply a step, in a byte.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plies;

/// A ply a step, in two bytes: for any distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LongPlies;

macro_rules! plies {
    ($name:ident, $int:ty, $array:ident) => {
        impl Scale for $name {
            type Score = $int;
            type Array<B: Board> = B::$array;
            const NONE: $int = <$int>::MAX;
            const LOST: $int = 0;
            const DRAW: $int = <$int>::MAX / 2;
            const MAX_PLIES: u16 = (Self::DRAW - 3) as u16;

            #[inline(always)]
            fn reply<R: Rules>(least: $int) -> $int {
                // Lost in n: n, won in n: NONE - 1 - n.
                if least < Self::DRAW {
                    Self::NONE - 2 - least
                } else if least == Self::DRAW {
                    Self::DRAW
                } else if matches!(R::GOAL, Goal::LoseAll) && least == Self::NONE {
                    // No move at all.
                    Self::won()
                } else {
                    Self::NONE - least
                }
            }

            fn won() -> $int {
                Self::NONE - 1
            }

            fn distance(score: $int) -> Option<Distance> {
                let (value, plies) = match score {
                    Self::NONE => return None,
                    score if score < Self::DRAW => (Value::Loss, score),
                    Self::DRAW => (Value::Draw, 0),
                    score => (Value::Win, Self::NONE - 1 - score),
                };
                Some(Distance { value, plies: u16::from(plies) })
            }

            fn score(distance: Distance) -> $int {
                match distance.value {
                    Value::Loss => distance.plies as $int,
                    Value::Draw => Self::DRAW,
                    Value::Win => Self::NONE - 1 - distance.plies as $int,
                }
            }

            #[inline(always)]
            fn unless(flag: bool) -> $int {
                (flag as $int).wrapping_sub(1)
            }

            #[inline(always)]
            fn or(a: $int, b: $int) -> $int {
                a | b
            }
        }
    };
}

plies!(Plies, u8, Bytes);
plies!(LongPlies, u16, Shorts);

/// The scores of a word of positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distances<S: Scale, B: Board> {
    scores: S::Array<B>,
    scale: PhantomData<S>,
}

impl<S: Scale, B: Board> Distances<S, B> {
    /// The score on a square, given by its bit.
    #[inline(always)]
    pub fn score(&self, bit: u32) -> S::Score {
        self.scores.lanes()[bit as usize]
    }

    /// The scores of all bits; those without a position are [`Scale::NONE`].
    #[inline]
    pub fn scores(&self) -> impl Iterator<Item = S::Score> + '_ {
        self.scores.lanes().iter().copied()
    }

    /// Sets the score on a square, given by its bit.
    #[inline(always)]
    pub fn set(&mut self, bit: u32, score: S::Score) {
        self.scores.lanes_mut()[bit as usize] = score;
    }

    #[inline(always)]
    fn filled(value: S::Score) -> Self {
        let mut scores = S::Array::<B>::ZERO;
        scores.lanes_mut().fill(value);
        Distances { scores, scale: PhantomData }
    }

    /// All bits set on the squares that are not in `at`.
    #[inline]
    fn outside(at: B::Word) -> S::Array<B> {
        let mut bits = B::Bytes::ZERO;
        // In this form the compiler sees that a few vector instructions do it.
        for (eight, byte) in bits.lanes_mut().chunks_exact_mut(8).zip(at.to_u128().to_le_bytes()) {
            let one_each = (u64::from(byte) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
            eight.copy_from_slice(&one_each.to_le_bytes());
        }
        let mut mask = S::Array::<B>::ZERO;
        for (lane, &bit) in mask.lanes_mut().iter_mut().zip(bits.lanes()) {
            *lane = S::unless(bit != 0);
        }
        mask
    }

    fn lower(&mut self, other: &S::Array<B>, outside: &S::Array<B>) {
        let lanes = self.scores.lanes_mut().iter_mut();
        for ((lane, &other), &mask) in lanes.zip(other.lanes()).zip(outside.lanes()) {
            *lane = (*lane).min(S::or(other, mask));
        }
    }

    fn lower_to(&mut self, score: S::Score, at: B::Word) {
        let outside = Self::outside(at);
        for (lane, &mask) in self.scores.lanes_mut().iter_mut().zip(outside.lanes()) {
            *lane = (*lane).min(S::or(score, mask));
        }
    }

    /// The scores moved by a number of bits; what leaves the word is lost.
    #[inline]
    fn shifted(&self, by: i32) -> Self {
        Distances { scores: self.scores.shifted(by, S::NONE), scale: PhantomData }
    }

    #[inline(always)]
    fn lanes(&self) -> impl Iterator<Item = (u32, S::Score)> + '_ {
        self.scores.lanes().iter().enumerate().map(|(bit, &score)| (bit as u32, score))
    }
}

impl<R: Rules, S: Scale> Cell<R> for Distances<S, R::Board> {
    #[inline(always)]
    fn none() -> Self {
        Self::filled(S::NONE)
    }

    fn absorb(&mut self, child: &Self, at: WordOf<R>) {
        self.lower(&child.scores, &Self::outside(at));
    }

    fn absorb_lost(&mut self, at: WordOf<R>) {
        self.lower_to(S::LOST, at);
    }

    fn absorb_bare(&mut self, at: WordOf<R>) {
        let score = if matches!(R::GOAL, Goal::LoseAll) { S::won() } else { S::LOST };
        self.lower_to(score, at);
    }

    fn absorb_blocked(&mut self, _: WordOf<R>) {
        // Without any child the reply is a win now; a lost child would make it one with the next move.
    }

    fn absorb_least(&mut self, child: &Self, of: WordOf<R>, at: WordOf<R>) {
        let least = of.bits().map(|bit| child.score(bit)).min().unwrap_or(S::NONE);
        self.lower_to(least, at);
    }

    fn absorb_beyond(
        &mut self,
        child: &Self,
        line: WordOf<R>,
        direction: Direction,
        at: WordOf<R>,
    ) {
        // From the far end of the line inwards.
        let mut rest = line;
        let mut least = S::NONE;
        while !rest.is_empty() {
            let bit = damier_core::nearest(rest, direction.opposite());
            rest ^= WordOf::<R>::bit(bit);
            if at.has(bit) {
                self.set(bit, self.score(bit).min(least));
            }
            least = least.min(child.score(bit));
        }
    }

    fn reply(&self, at: WordOf<R>) -> Self {
        let outside = Self::outside(at);
        let mut reply = *self;
        for (lane, &mask) in reply.scores.lanes_mut().iter_mut().zip(outside.lanes()) {
            *lane = S::or(S::reply::<R>(*lane), mask);
        }
        reply
    }

    fn unknown(at: WordOf<R>) -> Self {
        let mut cell = Self::filled(S::NONE);
        cell.lower_to(S::DRAW, at);
        cell
    }

    fn joined(&self, other: &Self) -> Self {
        let mut joined = *self;
        for (lane, &other) in joined.scores.lanes_mut().iter_mut().zip(other.scores.lanes()) {
            *lane = (*lane).min(other);
        }
        joined
    }

    fn restricted(&self, at: WordOf<R>) -> Self {
        let mut cell = Self::filled(S::NONE);
        Cell::<R>::absorb(&mut cell, self, at);
        cell
    }

    fn turned(&self) -> Self {
        let mut turned = Self::filled(S::NONE);
        let width = R::Board::BITS as usize;
        turned.scores.lanes_mut()[..width].copy_from_slice(&self.scores.lanes()[..width]);
        turned.scores.lanes_mut()[..width].reverse();
        turned
    }

    fn moved(&self, empty: WordOf<R>, directions: Directions, far: bool) -> Self {
        let geometry = R::Board::geometry();
        let mut moved = Self::filled(S::NONE);
        for direction in directions.iter() {
            // From where a step in `direction` leads: shifted the opposite way.
            let back = direction.opposite();
            let shift = geometry.shift[back.index()];
            let arrivals = empty & geometry.arrivals[back.index()];
            let mut cell = *self;
            if far {
                let crossed = R::Board::ROWS - 2;
                let mut open = arrivals;
                let mut step = shift;
                let mut reach = 1;
                if crossed.is_power_of_two() {
                    let slid = cell.shifted(step);
                    Cell::<R>::absorb(&mut cell, &slid, open);
                }
                while reach < crossed {
                    let slid = cell.shifted(step);
                    Cell::<R>::absorb(&mut cell, &slid, open);
                    open &= open.shifted(step);
                    step *= 2;
                    reach *= 2;
                }
            }
            Cell::<R>::absorb(&mut moved, &cell.shifted(shift), arrivals);
        }
        moved
    }

    #[inline(always)]
    fn after(&self, transition: Transition) -> Self {
        let (limit, starts) = match transition {
            Transition::Continues => return *self,
            Transition::Starts { limit } => (limit.unwrap_or(S::MAX_PLIES), true),
            Transition::Joins { limit } => (limit, false),
        };
        let bound = |value| S::score(Distance { value, plies: limit.min(S::MAX_PLIES) });
        let (lost, won) = (bound(Value::Loss), bound(Value::Win));
        let mut after = *self;
        for lane in after.scores.lanes_mut() {
            *lane = match *lane {
                score if score == S::NONE => score,
                score if score <= lost => {
                    if starts {
                        S::LOST
                    } else {
                        score
                    }
                }
                score if score >= won => {
                    if starts {
                        S::won()
                    } else {
                        score
                    }
                }
                _ => S::DRAW,
            };
        }
        after
    }

    #[inline(always)]
    fn is_settled(&self, at: WordOf<R>) -> bool {
        at.is_empty()
    }

    fn differs(&self, other: &Self) -> WordOf<R> {
        let mut differs = WordOf::<R>::EMPTY;
        for (bit, score) in self.lanes() {
            if score != other.score(bit) {
                differs |= WordOf::<R>::bit(bit);
            }
        }
        differs
    }

    fn values(&self) -> Wdl<WordOf<R>> {
        let mut values = Wdl::default();
        for (bit, score) in self.lanes() {
            if score <= S::DRAW {
                values.not_won |= WordOf::<R>::bit(bit);
            }
            if score < S::DRAW {
                values.lost |= WordOf::<R>::bit(bit);
            }
        }
        values
    }
}
