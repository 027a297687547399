//! What a distance counts: through which moves it goes on, and at which it starts anew.
//!
//! Distance to win goes on through every move. Distance to conversion ends with the next capture or man move that keeps the value, whatever
//! comes after. Under draw rules some moves set the counter that applies back to 0, and what comes after counts only as far as it is still won
//! then.

use damier_core::{DrawRule, DrawRuleSet, Material, Play, Step};
use damier_tables::Class;

/// What a move makes of the distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transition {
    /// It counts on.
    Continues,
    /// It starts anew: the position reached counts as won or lost at once if it takes at most this many plies, and as drawn if more.
    Starts {
        /// The most plies, or any number.
        limit: Option<u16>,
    },
    /// It counts on, but a new count begins beside it: a position that takes more plies than this counts as drawn.
    Joins {
        /// The most plies.
        limit: u16,
    },
}

/// What each kind of move makes of a distance. A king's move always counts on.
pub trait Counting: Sync {
    /// A man's move that leaves it a man.
    fn man_move(&self, class: Class) -> Transition;
    /// A quiet move that crowns a man.
    fn promotion(&self, from: Class, to: Class) -> Transition;
    /// A capture.
    fn capture(&self, from: Class, to: Class) -> Transition;
    /// The most plies that count in a class: what takes more is drawn.
    fn limit(&self, _class: Class) -> Option<u16> {
        None
    }
}

/// To the end of the game (DTW); for values without distance as well.
#[derive(Clone, Copy, Debug)]
pub struct ToTheEnd;

impl Counting for ToTheEnd {
    fn man_move(&self, _: Class) -> Transition {
        Transition::Continues
    }

    fn promotion(&self, _: Class, _: Class) -> Transition {
        Transition::Continues
    }

    fn capture(&self, _: Class, _: Class) -> Transition {
        Transition::Continues
    }
}

/// To the next capture or man move (DTC).
#[derive(Clone, Copy, Debug)]
pub struct ToConversion;

impl Counting for ToConversion {
    fn man_move(&self, _: Class) -> Transition {
        Transition::Starts { limit: None }
    }

    fn promotion(&self, _: Class, _: Class) -> Transition {
        Transition::Starts { limit: None }
    }

    fn capture(&self, _: Class, _: Class) -> Transition {
        Transition::Starts { limit: None }
    }
}

/// Plies of the counter that applies under a set of draw rules (DTR).
///
/// With `c` plies on the counter a won position is still won exactly if `c` and its distance are together at most the limit of
/// its material, so one number answers every counter.
#[derive(Clone, Copy, Debug)]
pub struct UnderRules(pub DrawRuleSet);

impl UnderRules {
    /// The rule that binds for a class.
    pub(crate) fn rule(&self, class: Class) -> Option<&'static DrawRule> {
        self.0.applying(material(class))
    }

    fn transition(&self, from: Class, play: Play, to: Class) -> Transition {
        let limit = self.limit(to);
        match (self.0.step(material(from), play, material(to)), limit) {
            (Step::Advances, _) => Transition::Continues,
            (Step::Joins, Some(limit)) => Transition::Joins { limit },
            (Step::Starts | Step::Joins, limit) => Transition::Starts { limit },
        }
    }
}

fn material(class: Class) -> Material {
    Material {
        men: [class.white.men, class.black.men],
        kings: [class.white.kings, class.black.kings],
    }
}

impl Counting for UnderRules {
    fn man_move(&self, class: Class) -> Transition {
        self.transition(class, Play::ManMove, class)
    }

    fn promotion(&self, from: Class, to: Class) -> Transition {
        self.transition(from, Play::Promotion, to)
    }

    fn capture(&self, from: Class, to: Class) -> Transition {
        self.transition(from, Play::Capture, to)
    }

    fn limit(&self, class: Class) -> Option<u16> {
        self.rule(class).map(|rule| rule.limit)
    }
}
