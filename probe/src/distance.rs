//! Distances: how many plies a win takes, and what is counted.

use std::cmp::Ordering;
use std::fmt;

use damier_core::{DrawRuleSet, Material, Move, Play, Position, Rules, Step, Value, WordOf};
use damier_tables::{Metric, Scores};

/// The value of a position with the plies until it is reached; draws have none.
///
/// Ordered as the side to move likes them: a quick win is more than a slow one, a slow loss more than a quick one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Distance {
    /// Win, draw or loss.
    pub value: Value,
    /// Plies to the end of the game, or to whatever is counted; 0 for draws.
    pub plies: u16,
}

impl Distance {
    /// A draw.
    pub const DRAW: Distance = Distance { value: Value::Draw, plies: 0 };

    /// The plies, if the position is won or lost.
    ///
    /// ```
    /// # use damier_core::Value;
    /// # use damier_probe::Distance;
    /// assert_eq!(Distance { value: Value::Win, plies: 3 }.decided(), Some(3));
    /// assert_eq!(Distance::DRAW.decided(), None);
    /// ```
    pub fn decided(self) -> Option<u16> {
        (self.value != Value::Draw).then_some(self.plies)
    }
}

impl Ord for Distance {
    fn cmp(&self, other: &Distance) -> Ordering {
        let score = |of: &Distance| Scores::of(of.value, of.plies);
        score(self).cmp(&score(other))
    }
}

impl PartialOrd for Distance {
    fn partial_cmp(&self, other: &Distance) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What a distance counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// Plies to the end of the game.
    Dtw,
    /// Plies to the next conversion, a capture or a man's move, under play that keeps the value.
    Dtc,
    /// Plies on the counter of draw rules that a win takes, from 0. What the rules turn into a draw is one.
    Dtr(DrawRuleSet),
}

impl Measure {
    /// The metric of the tables that hold such distances.
    pub const fn metric(self) -> Metric {
        match self {
            Measure::Dtw => Metric::Dtw,
            Measure::Dtc => Metric::Dtc,
            Measure::Dtr(_) => Metric::Dtr,
        }
    }

    /// The draw rules of these tables.
    pub const fn rules(self) -> DrawRuleSet {
        match self {
            Measure::Dtw | Measure::Dtc => DrawRuleSet::None,
            Measure::Dtr(rules) => rules,
        }
    }

    /// The distance of a move for the side that makes it, from the distance of the position that it leads to.
    pub fn of_move<R: Rules>(
        self,
        before: &Position<R>,
        played: Move<WordOf<R>>,
        after: &Position<R>,
        then: Distance,
    ) -> Distance {
        if then.value == Value::Draw {
            return Distance::DRAW;
        }
        let value = then.value.negated();
        let play = Play::of(before, played);
        let counts_on = match self {
            Measure::Dtw => true,
            Measure::Dtc => play == Play::KingMove,
            // Moves of kings can be taken back, so they count also where no rule does.
            Measure::Dtr(_) if play == Play::KingMove => true,
            Measure::Dtr(rules) => {
                rules.step(Material::of(before), play, Material::of(after)) != Step::Starts
            }
        };
        let plies = if counts_on { then.plies.saturating_add(1) } else { 1 };
        let limit = self.rules().applying(Material::of(before)).map(|rule| rule.limit);
        match limit {
            Some(limit) if plies > limit => Distance::DRAW,
            _ => Distance { value, plies },
        }
    }
}

/// As options of `damier build` have it.
impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Measure::Dtr(rules) => write!(f, "--rules {rules}"),
            _ => write!(f, "--metric {}", self.metric().name()),
        }
    }
}
