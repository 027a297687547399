//! Portuguese draughts: the moves of [`Spanish`] draughts under another name.
//!
//! Source: the classic rules of the Portuguese federation.

use super::{Rules, Spanish, inherit};
use crate::variant::Variant;

/// Portuguese draughts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Portuguese;

impl Rules for Portuguese {
    inherit!(Spanish);
    const VARIANT: Variant = Variant::Portuguese;
}
