//! Under draw rules: what a game is worth with some plies on its counter, and how to play it.
//!
//! A table of [`Measure::Dtr`] says how many plies on the counter a win takes, so with `c` plies already counted a win
//! stands exactly when those and `c` are not more than the limit. What is won on the board but not under the rules is a
//! [cursed](RuleValue::CursedWin) win, a draw in fact, and [blessed](RuleValue::BlessedLoss) is the loss that the rules turn
//! into a draw.

use std::cmp::Reverse;
use std::fmt;

use damier_core::{Counters, Move, Rules, Value, WordOf};

use crate::distance::{Distance, Measure};
use crate::error::ProbeError;
use crate::tablebase::Tablebase;

/// What a position is worth under draw rules, from bad to good for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleValue {
    /// Lost.
    Loss,
    /// Lost on the board, but drawn by the rules.
    BlessedLoss,
    /// Drawn on the board.
    Draw,
    /// Won on the board, but drawn by the rules.
    CursedWin,
    /// Won.
    Win,
}

impl RuleValue {
    /// All, from good to bad.
    pub const ALL: [RuleValue; 5] = [
        RuleValue::Win,
        RuleValue::CursedWin,
        RuleValue::Draw,
        RuleValue::BlessedLoss,
        RuleValue::Loss,
    ];

    /// What a value on the board is where the rules draw.
    pub const fn drawn(value: Value) -> RuleValue {
        match value {
            Value::Win => RuleValue::CursedWin,
            Value::Draw => RuleValue::Draw,
            Value::Loss => RuleValue::BlessedLoss,
        }
    }

    /// The value for the other side.
    pub const fn negated(self) -> RuleValue {
        match self {
            RuleValue::Loss => RuleValue::Win,
            RuleValue::BlessedLoss => RuleValue::CursedWin,
            RuleValue::Draw => RuleValue::Draw,
            RuleValue::CursedWin => RuleValue::BlessedLoss,
            RuleValue::Win => RuleValue::Loss,
        }
    }

    /// How the game ends, if both sides play well.
    pub const fn result(self) -> Value {
        match self {
            RuleValue::Loss => Value::Loss,
            RuleValue::BlessedLoss | RuleValue::Draw | RuleValue::CursedWin => Value::Draw,
            RuleValue::Win => Value::Win,
        }
    }

    /// `win`, `cursed-win`, `draw`, `blessed-loss` or `loss`.
    pub const fn name(self) -> &'static str {
        match self {
            RuleValue::Loss => "loss",
            RuleValue::BlessedLoss => "blessed-loss",
            RuleValue::Draw => "draw",
            RuleValue::CursedWin => "cursed-win",
            RuleValue::Win => "win",
        }
    }
}

impl From<Value> for RuleValue {
    fn from(value: Value) -> RuleValue {
        match value {
            Value::Loss => RuleValue::Loss,
            Value::Draw => RuleValue::Draw,
            Value::Win => RuleValue::Win,
        }
    }
}

impl fmt::Display for RuleValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a game is worth under its draw rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleOutcome {
    /// The value.
    pub value: RuleValue,
    /// The plies that a win or loss still takes on the counter that applies; for others, and where the set has no rules, nothing.
    pub plies: Option<u16>,
    /// The plies that the counter then leaves; nothing where no rule applies.
    pub margin: Option<u16>,
}

/// A legal move and what it is worth under draw rules to the side that makes it.
#[derive(Clone, Debug)]
pub struct RuledMove<R: Rules> {
    /// The move.
    pub mv: Move<WordOf<R>>,
    /// The game after it.
    pub after: Counters<R>,
    /// What it is worth, from the point of view of the side that moves; the plies are those on the counter as it stands before it.
    pub outcome: RuleOutcome,
}

impl<R: Rules> Tablebase<R> {
    /// What a game is worth for the side to move, under its draw rules and with what their counters show.
    ///
    /// A game that is drawn already, by a full counter or by repetition, counts as drawn.
    ///
    /// ```
    /// use damier_core::{Counters, DrawRuleSet, Position, rules::International};
    /// use damier_probe::{RuleValue, Tablebase};
    ///
    /// let tables = Tablebase::<International>::embedded();
    /// // Won in 31 plies, but 28 on the counter: giving a man up starts a new count.
    /// let position: Position<International> = "W:WK40,K45,50:BK11".parse()?;
    /// let with = |plies| Counters::with_counter(DrawRuleSet::Fmjd, position, plies);
    /// assert_eq!(tables.probe_with_rules(&with(4))?.value, RuleValue::Win);
    /// assert_eq!(tables.probe_with_rules(&with(5))?.value, RuleValue::CursedWin);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`probe`](Tablebase::probe) and [`distance`](Tablebase::distance). Where the set has no rules no distances are needed.
    pub fn probe_with_rules(&self, counters: &Counters<R>) -> Result<RuleOutcome, ProbeError> {
        let (position, set) = (counters.position(), counters.set());
        let undecided = |value| RuleOutcome { value, plies: None, margin: None };
        if set.rules().is_empty() {
            return Ok(undecided(self.probe(position)?.into()));
        }
        if counters.drawn().is_none() {
            let found = self.distance(position, Measure::Dtr(set))?;
            let left = counters.left();
            // A side without a move has lost, however full the counter is.
            let in_time = found.plies == 0 || left.is_none_or(|left| found.plies <= left);
            if let Some(plies) = found.decided().filter(|_| in_time) {
                let margin = left.map(|left| left.saturating_sub(plies));
                return Ok(RuleOutcome { value: found.value.into(), plies: Some(plies), margin });
            }
        }
        Ok(undecided(RuleValue::drawn(self.probe(position)?)))
    }

    /// All legal moves of a game under its draw rules, best first.
    ///
    /// Who is winning and makes the first one each time wins before a counter is full: it takes the fewest plies on the counter. Of
    /// losing moves the first one takes the most. Else the moves that keep more on the board come first, in the order in which
    /// they are generated.
    ///
    /// # Errors
    ///
    /// As [`probe_with_rules`](Tablebase::probe_with_rules), for any of the positions that the moves lead to.
    pub fn moves_with_rules(
        &self,
        counters: &Counters<R>,
    ) -> Result<Vec<RuledMove<R>>, ProbeError> {
        let (position, measure) = (counters.position(), Measure::Dtr(counters.set()));
        let drawn = counters.drawn().is_some();
        let mut moves = Vec::new();
        for mv in position.legal_moves() {
            let mut after = counters.clone();
            after.play(mv);
            let reply = self.probe_with_rules(&after)?;
            let value = reply.value.negated();
            let then = Distance { value: reply.value.result(), plies: reply.plies.unwrap_or(0) };
            let of_move = measure.of_move(position, mv, after.position(), then);
            let outcome = if drawn {
                let on_board = self.probe(after.position())?.negated();
                RuleOutcome { value: RuleValue::drawn(on_board), plies: None, margin: None }
            } else {
                let plies = reply.plies.map(|_| of_move.plies);
                let left = counters.left().zip(plies);
                let margin = left.map(|(left, plies)| left.saturating_sub(plies));
                RuleOutcome { value, plies, margin }
            };
            // Of moves that take as many plies, those after which the next count takes the fewer of a win, the more of a loss.
            let next = Distance { value: value.result(), ..then };
            moves.push((Reverse((outcome.value, of_move, next)), RuledMove { mv, after, outcome }));
        }
        moves.sort_by_key(|(rank, _)| *rank);
        Ok(moves.into_iter().map(|(_, ruled)| ruled).collect())
    }
}
