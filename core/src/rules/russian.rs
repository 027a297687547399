//! Russian draughts, or shashki: 8x8, any capture, a man crowned on the way goes on as a king.
//!
//! Sources: the Russian code of draughts of 2004, whose articles 1.4 and 1.5 are given, and the rules of FMJD section 64.

use super::{Choice, Promotion, Rules};
use crate::board::Board8;
use crate::variant::Variant;

/// Russian draughts. Men take backward too (1.5.3) and kings fly (1.4.5), as in the trait's defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Russian;

impl Rules for Russian {
    type Board = Board8;
    const VARIANT: Variant = Variant::Russian;
    /// Three rows of men a side.
    const START_ROWS: usize = 3;
    /// Free choice between captures, carried to the end; a king lands where it can go on, if there is such a square
    /// (FMJD-64 4.6).
    const CHOICE: Choice = Choice::Any;
    /// A man that reaches the last row is crowned at once and takes on as a king (1.5.15).
    const PROMOTION: Promotion = Promotion::InPassing;
}
