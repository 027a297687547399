//! Brazilian draughts: International draughts on 8x8.
//!
//! Source: the rules of FMJD section 64 for Brazilian draughts, which are those of FMJD annex 1 on the smaller board.

use super::Rules;
use crate::board::Board8;
use crate::variant::Variant;

/// Brazilian draughts. All other constants are those of [`International`](super::International).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Brazilian;

impl Rules for Brazilian {
    type Board = Board8;
    const VARIANT: Variant = Variant::Brazilian;
    /// Three rows of men a side.
    const START_ROWS: usize = 3;
}
