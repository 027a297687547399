//! Killer draughts: International draughts in which two kings can beat one.
//!
//! Source: the rules of Christian Freeling, its author (mindsports.nl).

use super::{Landing, Rules};
use crate::board::Board10;
use crate::variant::Variant;

/// Killer draughts. All other constants are those of [`International`](super::International).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Killer;

impl Rules for Killer {
    type Board = Board10;
    const VARIANT: Variant = Variant::Killer;
    /// Four rows of men a side.
    const START_ROWS: usize = 4;
    /// A king whose capture ends with a king stops directly behind it.
    const LANDING: Landing = Landing::BehindKing;
}
