//! Breakthrough draughts: any parent game, won by the first king.
//!
//! Source: the variant of that name in the programs Scan and py-draughts.

use super::{Goal, Rules, inherit};
use crate::variant::Variant;

/// The breakthrough form of a parent game. [`Variant`] names those that have a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Breakthrough<Parent>(std::marker::PhantomData<Parent>);

impl<Parent: Rules> Rules for Breakthrough<Parent> {
    inherit!(Parent);
    const VARIANT: Variant = Parent::VARIANT.breakthrough();
    /// Whoever first gets a king has won.
    const GOAL: Goal = Goal::FirstKing;
}
