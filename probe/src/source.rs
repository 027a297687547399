//! Where values come from: files, the embedded set, or the memory of a solver.

use std::sync::Arc;

use damier_core::{Position, Rules, Value};
use damier_tables::Class;

use crate::distance::{Distance, Measure};
use crate::error::ProbeError;

/// The values and distances of positions, as far as tables hold them.
///
/// A [`Tablebase`](crate::Tablebase) asks only for positions in which both sides have pieces, and, unless
/// [`answers_captures`](Source::answers_captures) says otherwise, in which no capture is due.
pub trait Source<R: Rules>: Send + Sync {
    /// The value for the side to move.
    ///
    /// # Errors
    ///
    /// Where there is no table for the position's class, or it is damaged.
    fn value(&self, position: &Position<R>) -> Result<Value, ProbeError>;

    /// The value, if that takes no reading of files and no decoding.
    fn value_in_memory(&self, position: &Position<R>) -> Option<Value>;

    /// Whether positions with a capture due can be asked for their value as well.
    fn answers_captures(&self) -> bool {
        false
    }

    /// The distance for the side to move. Only asked for where no capture is due.
    ///
    /// # Errors
    ///
    /// Where there are no such distances for the position's class, or they are damaged. A source of values has none at all.
    fn distance(&self, position: &Position<R>, measure: Measure) -> Result<Distance, ProbeError> {
        let class = Class::of(position).canonical();
        Err(ProbeError::NoDistances { variant: R::VARIANT, class, measure })
    }
}

/// One source for several users.
impl<R: Rules, S: Source<R> + ?Sized> Source<R> for Arc<S> {
    fn value(&self, position: &Position<R>) -> Result<Value, ProbeError> {
        (**self).value(position)
    }

    fn value_in_memory(&self, position: &Position<R>) -> Option<Value> {
        (**self).value_in_memory(position)
    }

    fn answers_captures(&self) -> bool {
        (**self).answers_captures()
    }

    fn distance(&self, position: &Position<R>, measure: Measure) -> Result<Distance, ProbeError> {
        (**self).distance(position, measure)
    }
}
