//! Italian draughts: 8x8 with the dark corner at the right, short kings, the strictest order of captures.
//!
//! Source: the technical rules of the Federazione Italiana Dama, whose articles are given.

use super::{Choice, Promotion, Rules};
use crate::board::MirroredBoard8;
use crate::direction::Directions;
use crate::variant::Variant;

/// Italian draughts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Italian;

impl Rules for Italian {
    type Board = MirroredBoard8;
    const VARIANT: Variant = Variant::Italian;
    /// Three rows of men a side.
    const START_ROWS: usize = 3;
    /// A man takes forwards only (5.3 a).
    const MAN_CAPTURES: Directions = Directions::FORWARD;
    /// A king moves one step (4.7).
    const FLYING_KINGS: bool = false;
    /// Most pieces (6.6), then with a king (6.7), then most kings (6.8), then the kings met earliest (6.9), then free
    /// choice (6.10). Where the first king is met at the same place, the second decides, and so on.
    const CHOICE: Choice = Choice::Italian;
    /// A man may not take a king (5.3 b).
    const MEN_TAKE_KINGS: bool = false;
    /// A man that reaches the last row is crowned and the turn ends.
    const PROMOTION: Promotion = Promotion::EndsTurn;
}
