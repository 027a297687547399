//! English draughts, or American checkers: 8x8, short kings, any capture.
//!
//! Sources: the project's two texts on checkers and the WCDF rules, whose articles are given.

use super::{Choice, Promotion, Rules};
use crate::board::Board8;
use crate::color::Color;
use crate::direction::Directions;
use crate::variant::Variant;

/// English draughts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct English;

impl Rules for English {
    type Board = Board8;
    const VARIANT: Variant = Variant::English;
    /// Black, on squares 1 to 12, moves first.
    const FIRST: Color = Color::Black;
    /// Three rows of men a side (1.11).
    const START_ROWS: usize = 3;
    /// A man takes forwards only (1.18).
    const MAN_CAPTURES: Directions = Directions::FORWARD;
    /// A king moves one step (1.17).
    const FLYING_KINGS: bool = false;
    /// Free choice between captures, carried to the end (1.20).
    const CHOICE: Choice = Choice::Any;
    /// A man that reaches the king row is crowned and the turn ends (1.19).
    const PROMOTION: Promotion = Promotion::EndsTurn;
}
