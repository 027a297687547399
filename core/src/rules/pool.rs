//! Pool checkers: 8x8, any capture, a man passing the last row stays a man.
//!
//! Source: the tournament rules of the American Pool Checkers Association, whose rules are given by number.

use super::{Choice, Rules};
use crate::board::Board8;
use crate::color::Color;
use crate::variant::Variant;

/// Pool checkers. Men take backward too (14), kings fly (15), a man is crowned only where its capture ends (16, 22, 23) and
/// captured pieces leave after the capture (17 to 19), as in the trait's defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pool;

impl Rules for Pool {
    type Board = Board8;
    const VARIANT: Variant = Variant::Pool;
    /// Black moves first.
    const FIRST: Color = Color::Black;
    /// Three rows of men a side (5).
    const START_ROWS: usize = 3;
    /// Free choice between captures, carried to the end (20).
    const CHOICE: Choice = Choice::Any;
}
