//! Losing draughts, or giveaway: any parent game, won by the side that cannot move.
//!
//! Source: the variant of that name in the program Scan, "antidraughts" on lidraughts.

use super::{Goal, Rules, inherit};
use crate::variant::Variant;

/// The losing form of a parent game. [`Variant`] names those that have a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Losing<Parent>(std::marker::PhantomData<Parent>);

impl<Parent: Rules> Rules for Losing<Parent> {
    inherit!(Parent);
    const VARIANT: Variant = Parent::VARIANT.losing();
    /// A side that cannot move, with or without pieces, has won.
    const GOAL: Goal = Goal::LoseAll;
}
