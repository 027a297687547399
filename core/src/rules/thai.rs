//! Thai checkers, or makhos: 8x8 with eight men a side, a king stops directly behind what it takes.
//!
//! Source: the rules as the program dctl states them, whose node counts these constants reproduce. No federation's
//! text was found.

use super::{Choice, Landing, Promotion, Removal, Rules};
use crate::board::Board8;
use crate::color::Color;
use crate::direction::Directions;
use crate::variant::Variant;

/// Thai checkers. Kings fly, as in the trait's defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Thai;

impl Rules for Thai {
    type Board = Board8;
    const VARIANT: Variant = Variant::Thai;
    /// Black moves first.
    const FIRST: Color = Color::Black;
    /// Two rows of men a side. (Node counts are also published for a start with three.)
    const START_ROWS: usize = 2;
    /// A man takes forwards only.
    const MAN_CAPTURES: Directions = Directions::FORWARD;
    /// A king lands directly behind every piece it takes.
    const LANDING: Landing = Landing::Behind;
    /// Free choice between captures, carried to the end.
    const CHOICE: Choice = Choice::Any;
    /// A man that reaches the last row is crowned and the turn ends.
    const PROMOTION: Promotion = Promotion::EndsTurn;
    /// Captured pieces leave at once.
    const REMOVAL: Removal = Removal::AtOnce;
}
