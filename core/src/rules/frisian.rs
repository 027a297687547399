//! Frisian draughts: 10x10, captures in eight directions, the greatest value must be taken.
//!
//! Source: the official rules of 2011, whose articles are given. The rule on moving the same king three times in a row is a
//! rule on games, not on positions, and is not part of these constants.

use super::{Choice, Rules};
use crate::board::Board10;
use crate::direction::Directions;
use crate::variant::Variant;

/// Frisian draughts. Pieces move as in International draughts, along diagonals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Frisian;

impl Rules for Frisian {
    type Board = Board10;
    const VARIANT: Variant = Variant::Frisian;
    /// Four rows of men a side.
    const START_ROWS: usize = 4;
    /// A man takes along diagonals, rows and columns, forwards and backwards (7).
    const MAN_CAPTURES: Directions = Directions::EIGHT;
    /// So does a king.
    const KING_CAPTURES: Directions = Directions::EIGHT;
    /// The greatest value, a king being worth a little less than two men; at equal value with a king. (Not, as can be read,
    /// one and a half men: two kings are worth more than three men.)
    const CHOICE: Choice = Choice::Frisian;
}
