//! The counters of a game as it is played.

use super::{Counts, DrawRule, DrawRuleSet, Play, Repetition};
use crate::material::Material;
use crate::moves::Move;
use crate::position::Position;
use crate::rules::{Rules, WordOf};

/// A position of a game and what its draw rules have counted so far.
///
/// ```
/// use damier_core::{Counters, DrawRuleSet, Position, rules::International};
///
/// let start: Position<International> = "W:WK40,K45,50:BK11".parse()?;
/// let mut counters = Counters::new(DrawRuleSet::Fmjd, start);
/// counters.play(start.parse_move("50-44")?);
/// // One king against three pieces: a man's move counts like any other.
/// assert_eq!((counters.plies(), counters.left()), (1, Some(31)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counters<R: Rules> {
    set: DrawRuleSet,
    /// On the counter that applies.
    plies: u16,
    /// Since the last capture or promotion.
    same_balance: u16,
    position: Position<R>,
    /// The earlier positions of the same material: no other can stand again.
    earlier: Vec<Position<R>>,
}

/// Why a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// The counter of a rule is full.
    Rule(&'static DrawRule),
    /// The position has stood too often.
    Repetition(Repetition),
}

impl<R: Rules> Counters<R> {
    /// A game that begins with a position.
    pub fn new(set: DrawRuleSet, position: Position<R>) -> Self {
        Counters::with_counter(set, position, 0)
    }

    /// A game that has come to a position with some plies on the counter that applies; how often positions have stood before
    /// is not known. Where no rule applies the plies mean nothing.
    pub fn with_counter(set: DrawRuleSet, position: Position<R>, plies: u16) -> Self {
        Counters { set, plies, same_balance: 0, position, earlier: Vec::new() }
    }

    /// A game of some moves, each of which must be legal where it is played.
    pub fn from_game(
        set: DrawRuleSet,
        start: Position<R>,
        moves: impl IntoIterator<Item = Move<WordOf<R>>>,
    ) -> Self {
        let mut counters = Counters::new(set, start);
        for played in moves {
            counters.play(played);
        }
        counters
    }

    /// Plays a move, which must be legal here.
    pub fn play(&mut self, played: Move<WordOf<R>>) {
        let after = self.position.play(played);
        let materials = [Material::of(&self.position), Material::of(&after)];
        let play = Play::of(&self.position, played);
        self.plies = self.set.plies_after(materials[0], self.plies, play, materials[1]);
        if matches!(play, Play::KingMove | Play::ManMove) {
            self.same_balance = self.same_balance.saturating_add(1);
            self.earlier.push(self.position);
        } else {
            self.same_balance = 0;
            self.earlier.clear();
        }
        self.position = after;
    }

    /// The draw rules.
    pub fn set(&self) -> DrawRuleSet {
        self.set
    }

    /// The position now.
    pub fn position(&self) -> &Position<R> {
        &self.position
    }

    /// The rule whose counter applies now, if there is one.
    pub fn applying(&self) -> Option<&'static DrawRule> {
        self.set.applying(Material::of(&self.position))
    }

    /// The plies on the counter that applies, as a table counts them.
    pub fn plies(&self) -> u16 {
        self.plies
    }

    /// The plies that the counter leaves, if a rule applies.
    pub fn left(&self) -> Option<u16> {
        self.applying().map(|rule| rule.limit.saturating_sub(self.plies))
    }

    /// How often the position has stood with the same side to move, this time included.
    pub fn repetitions(&self) -> usize {
        1 + self.earlier.iter().filter(|earlier| **earlier == self.position).count()
    }

    /// Why the game is drawn now, if it is. A side without a move has lost, whatever the counters say.
    pub fn drawn(&self) -> Option<Drawn> {
        if self.position.over().is_some() {
            return None;
        }
        self.full().map(Drawn::Rule).or_else(|| self.repeated().map(Drawn::Repetition))
    }

    /// A rule whose counter is full.
    fn full(&self) -> Option<&'static DrawRule> {
        let material = Material::of(&self.position);
        let beside = self.set.rules().iter().filter(|rule| rule.counts == Counts::SameBalance);
        let beside = beside.filter(|rule| rule.material.fits(material));
        let binding = self.applying().map(|rule| (rule, self.plies));
        binding
            .into_iter()
            .chain(beside.map(|rule| (rule, self.same_balance)))
            .find(|(rule, plies)| *plies >= rule.limit)
            .map(|(rule, _)| rule)
    }

    /// The repetition that is reached.
    fn repeated(&self) -> Option<Repetition> {
        let rule = self.set.repetition()?;
        (self.repetitions() >= rule.times.into()).then_some(rule)
    }
}
