//! Canadian draughts: International draughts on 12x12.
//!
//! Source: FMJD annex 1, played on the larger board with 30 men a side.

use super::Rules;
use crate::board::Board12;
use crate::variant::Variant;

/// Canadian draughts. All other constants are those of [`International`](super::International).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Canadian;

impl Rules for Canadian {
    type Board = Board12;
    const VARIANT: Variant = Variant::Canadian;
    /// Five rows of men a side.
    const START_ROWS: usize = 5;
}
