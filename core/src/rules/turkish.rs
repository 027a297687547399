//! Turkish draughts, or dama: all 64 squares, along rows and columns.
//!
//! Sources: the rules of the Turkish federation and of the engines that play it. What becomes of a man that
//! reaches the last row within a capture is told in three ways: it goes on as a man and is crowned where it ends
//! (here, and in most programs); its move ends; it goes on as a king.

use super::{Removal, Rules};
use crate::board::FullBoard8;
use crate::direction::{Direction, Directions};
use crate::variant::Variant;

/// Turkish draughts. The greatest number must be taken, a king counting as one piece, kings fly, and a man is crowned where its
/// capture ends, as in the trait's defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Turkish;

impl Rules for Turkish {
    type Board = FullBoard8;
    const VARIANT: Variant = Variant::Turkish;
    /// Two rows of men a side, the first row empty.
    const START_ROWS: usize = 2;
    /// A man steps forwards and sideways.
    const MAN_MOVES: Directions =
        Directions::NONE.with(Direction::N).with(Direction::E).with(Direction::W);
    /// A man takes forwards and sideways.
    const MAN_CAPTURES: Directions = Self::MAN_MOVES;
    /// A king moves along rows and columns.
    const KING_MOVES: Directions = Directions::ORTHOGONAL;
    /// A king takes along rows and columns.
    const KING_CAPTURES: Directions = Directions::ORTHOGONAL;
    /// Captured pieces leave at once, which opens the line.
    const REMOVAL: Removal = Removal::AtOnce;
    /// No turn by 180 degrees between two captures.
    const MAY_TURN_BACK: bool = false;
}
