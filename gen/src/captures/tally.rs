//! Captures found so far, by the number of pieces they take.

use std::marker::PhantomData;

use damier_core::{Choice, Rules, Word, WordOf};
use damier_tables::MAX_PIECES;

use super::Due;
use crate::cell::Cell;

const LENGTHS: usize = MAX_PIECES as usize + 1;

/// Captures by length. Where the greatest number must be taken, different squares of the free piece have different
/// maxima, so all lengths are kept until the end; elsewhere they all count as one.
#[derive(Debug)]
pub struct Tally<R: Rules, C> {
    /// For which squares there is a capture of each length.
    squares: [WordOf<R>; LENGTHS],
    /// The minimum over the children of those captures.
    least: [C; LENGTHS],
    /// The longest so far.
    longest: usize,
    rules: PhantomData<R>,
}

impl<R: Rules, C: Cell<R>> Tally<R, C> {
    /// Nothing found.
    pub fn new() -> Self {
        Tally {
            squares: [WordOf::<R>::EMPTY; LENGTHS],
            least: [C::NONE; LENGTHS],
            longest: 0,
            rules: PhantomData,
        }
    }

    #[inline(always)]
    fn slot(taken: usize) -> usize {
        if const { matches!(R::CHOICE, Choice::Any) } { 1 } else { taken }
    }

    /// The squares of `at` for which no longer capture than `taken` is known.
    #[inline(always)]
    pub fn open(&self, taken: usize, at: WordOf<R>) -> WordOf<R> {
        let mut open = at;
        for longer in Self::slot(taken) + 1..=self.longest {
            open &= !self.squares[longer];
        }
        open
    }

    /// Notes a capture of `taken` pieces for the squares `at`; its children go into the cell returned.
    #[inline(always)]
    pub fn note(&mut self, taken: usize, at: WordOf<R>) -> &mut C {
        let slot = Self::slot(taken);
        self.longest = self.longest.max(slot);
        self.squares[slot] |= at;
        &mut self.least[slot]
    }

    /// The allowed captures of all squares; the tally is empty again.
    #[inline(always)]
    pub fn finish(&mut self) -> Due<WordOf<R>, C> {
        let mut due = Due { squares: WordOf::<R>::EMPTY, least: C::NONE };
        for length in (1..=self.longest).rev() {
            let at = self.squares[length] & !due.squares;
            due.least.absorb(&self.least[length], at);
            due.squares |= at;
            self.squares[length] = WordOf::<R>::EMPTY;
            self.least[length] = C::NONE;
        }
        self.longest = 0;
        due
    }
}
