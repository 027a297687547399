//! Czech draughts: 8x8, any capture, but a king that can take must.
//!
//! Source: the rules of the Czech draughts federation, whose articles are given. Some descriptions let a capture
//! stop after one piece; the federation's text does not.

use super::{Choice, Promotion, Rules};
use crate::board::Board8;
use crate::direction::Directions;
use crate::variant::Variant;

/// Czech draughts. Kings fly (3.9), as in the trait's defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Czech;

impl Rules for Czech {
    type Board = Board8;
    const VARIANT: Variant = Variant::Czech;
    /// Three rows of men a side.
    const START_ROWS: usize = 3;
    /// A man takes forwards only (4.1).
    const MAN_CAPTURES: Directions = Directions::FORWARD;
    /// Free choice between captures, carried to the end.
    const CHOICE: Choice = Choice::Any;
    /// If a king can take, a man may not (4.14).
    const KINGS_TAKE_FIRST: bool = true;
    /// A man that reaches the last row is crowned and the turn ends.
    const PROMOTION: Promotion = Promotion::EndsTurn;
}
