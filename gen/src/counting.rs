//! What a distance counts: through which moves it goes on, and at which it starts anew.
//!
//! Distance to win goes on through every move. Distance to conversion ends with the next capture or man move that keeps the value, whatever
//! comes after. Under draw rules some moves set the counter that applies back to 0, and what comes after counts only as far as it is still won
//! then.

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
}

/// What each kind of move makes of a distance. A king's move always counts on.
pub trait Counting: Sync {
    /// A man's move that leaves it a man.
    fn man_move(&self, class: Class) -> Transition;
    /// A quiet move that crowns a man.
    fn promotion(&self, from: Class, to: Class) -> Transition;
    /// A capture.
    fn capture(&self, from: Class, to: Class) -> Transition;
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
