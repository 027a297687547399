//! Captures found so far, by their rank.

use std::marker::PhantomData;

use damier_core::{Choice, Rank, Rules, Word, WordOf};
use smallvec::SmallVec;

use super::Due;
use crate::cell::Cell;

/// The captures of one rank.
#[derive(Debug)]
struct Ranked<W, C> {
    rank: Rank,
    /// For which squares of the free piece there is one.
    squares: W,
    /// The minimum over the children of all of them.
    least: C,
}

/// Captures by rank. Where some captures go before others, different squares of the free piece have different
/// highest ranks, so all are kept until the end.
#[derive(Debug)]
pub struct Tally<R: Rules, C: Cell<R>> {
    /// The highest rank first.
    ranks: SmallVec<[Ranked<WordOf<R>, C>; 8]>,
    rules: PhantomData<R>,
}

impl<R: Rules, C: Cell<R>> Tally<R, C> {
    /// Whether all captures rank alike.
    const FLAT: bool = matches!(R::CHOICE, Choice::Any) && !R::KINGS_TAKE_FIRST;

    /// Nothing found.
    pub fn new() -> Self {
        Tally { ranks: SmallVec::new(), rules: PhantomData }
    }

    /// The squares of `at` for which no capture of a higher rank is known.
    #[inline(always)]
    pub fn open(&self, rank: Rank, at: WordOf<R>) -> WordOf<R> {
        let mut open = at;
        if !Self::FLAT {
            for higher in self.ranks.iter().take_while(|other| other.rank > rank) {
                open &= !higher.squares;
            }
        }
        open
    }

    /// Notes captures for the squares `at`; their children go into the cell returned.
    #[inline(always)]
    pub fn note(&mut self, rank: Rank, at: WordOf<R>) -> &mut C {
        let place = if Self::FLAT {
            0
        } else {
            self.ranks.iter().take_while(|other| other.rank > rank).count()
        };
        if self.ranks.get(place).is_none_or(|found| found.rank != rank) {
            self.ranks
                .insert(place, Ranked { rank, squares: WordOf::<R>::EMPTY, least: C::none() });
        }
        let ranked = &mut self.ranks[place];
        ranked.squares |= at;
        &mut ranked.least
    }

    /// The allowed captures of all squares; the tally is empty again.
    #[inline(always)]
    pub fn finish(&mut self) -> Due<WordOf<R>, C> {
        let mut due = Due { squares: WordOf::<R>::EMPTY, least: C::none() };
        for ranked in &self.ranks {
            let at = ranked.squares & !due.squares;
            due.least.absorb(&ranked.least, at);
            due.squares |= at;
        }
        self.ranks.clear();
        due
    }
}

impl<R: Rules, C: Cell<R>> Default for Tally<R, C> {
    fn default() -> Self {
        Self::new()
    }
}
