//! Spanish draughts: 8x8 with the dark corner at the right, flying kings, most pieces, then most kings.
//!
//! Source: the classic rules of the Portuguese federation, which are shared by Spain. Squares have numbers as on the
//! Italian board, with White on 21 to 32; PDN's own numbering begins at the other end, with White on 1 to 12.

use super::{Choice, Promotion, Rules};
use crate::board::MirroredBoard8;
use crate::direction::Directions;
use crate::variant::Variant;

/// Spanish draughts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Spanish;

impl Rules for Spanish {
    type Board = MirroredBoard8;
    const VARIANT: Variant = Variant::Spanish;
    /// Three rows of men a side.
    const START_ROWS: usize = 3;
    /// A man takes forwards only.
    const MAN_CAPTURES: Directions = Directions::FORWARD;
    /// The law of quantity, then the law of quality.
    const CHOICE: Choice = Choice::MostPiecesThenKings;
    /// A man that reaches the last row is crowned and the turn ends.
    const PROMOTION: Promotion = Promotion::EndsTurn;
}
