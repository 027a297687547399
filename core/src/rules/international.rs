//! International draughts: 10x10, flying kings, the greatest number must be taken.
//!
//! Sources: the project's rule texts (basic rules of 100-square checkers, sections I to X) and FMJD
//! annex 1, article 4, whose numbers are given.

use super::Rules;
use crate::board::Board10;
use crate::variant::Variant;

/// International draughts. All other constants are the trait's defaults:
/// men capture backward too (4.2), kings fly (3.9) and land freely (4.3), the greatest number is taken, a king counting
/// as one piece (4.13, 4.14), a man is crowned only where its capture ends (4.15), captured pieces leave
/// after the capture (4.8, 4.11), White moves first, and a side that cannot move has lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct International;

impl Rules for International {
    type Board = Board10;
    const VARIANT: Variant = Variant::International;
    /// Four rows of men a side.
    const START_ROWS: usize = 4;
}
