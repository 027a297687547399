//! Where values come from: files, the embedded set, or the memory of a solver.

use damier_core::{Position, Rules, Value};

use crate::error::ProbeError;

/// The values of positions, as far as a table holds them.
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

    /// Whether positions with a capture due can be asked for as well.
    fn answers_captures(&self) -> bool {
        false
    }
}
