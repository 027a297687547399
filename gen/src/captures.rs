//! Captures of a whole word of positions at once.
//!
//! For one frame and one side to move, the captures of all positions of the word are found together, *symbolically*: a
//! capture is walked once while carrying the set of squares of the free piece for which the walk is
//! possible. There are two ways to capture:
//!
//! * `free`: the free piece takes. Its own square is not in the frame, so what it can reach does not depend on where
//!   it came from: captures are paths in a small graph of (victim, direction).
//! * `walk`: any other piece takes. A path removes the squares it crosses from the set; meeting
//!   the free piece as a victim branches, with that one square.
//!
//! Where captured pieces leave at once the board changes under the walk: such variants go the slow way, position by position
//! (`one_by_one`), which also serves as the check of the fast one.

mod free;
pub mod one_by_one;
mod tally;
mod walk;

use damier_core::{Color, Landing, Removal, Rules, WordOf};

use crate::cell::Cell;
use crate::layout::{Frame, Layout};
use crate::solved::Children;
pub use tally::Tally;

/// The positions of a word in which a capture is due, and what the captures lead to.
#[derive(Clone, Copy, Debug)]
pub struct Due<W, C> {
    /// Squares of the free piece with which the side to move must capture.
    pub squares: W,
    /// The minimum over the children, on those squares.
    pub least: C,
}

/// Whether a variant's captures can be walked symbolically.
pub const fn are_symbolic<R: Rules>() -> bool {
    matches!(R::REMOVAL, Removal::AfterMove)
        && !matches!(R::LANDING, Landing::Behind)
        && R::MAY_TURN_BACK
}

/// The captures of a frame for one side to move; `squares` are those on which the free piece can stand.
pub fn captures<R: Rules, C: Cell<R>>(
    layout: &Layout<R>,
    children: &Children<'_, R, C>,
    turn: Color,
    frame: &Frame<WordOf<R>>,
    squares: WordOf<R>,
    tally: &mut Tally<R, C>,
) -> Due<WordOf<R>, C> {
    if !const { are_symbolic::<R>() } {
        return one_by_one::captures(layout, children, turn, frame, squares);
    }
    match turn {
        Color::White => walk::captures::<R, C, true>(layout, children, frame, squares, tally),
        Color::Black => {
            walk::captures::<R, C, false>(layout, children, frame, squares, tally);
            free::captures(layout, children, frame, squares, tally);
        }
    }
    tally.finish()
}
