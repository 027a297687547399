//! Captures of a whole word of positions at once.
//!
//! For one frame and one side to move, the captures of all positions of the word are found together, *symbolically*: a
//! capture is walked once while carrying the set of squares of the free piece for which the walk is
//! possible. There are two ways to capture:
//!
//! * [`free`]: the free piece takes. Its own square is not in the frame, so what it can reach does not depend on where
//!   it came from: captures are paths in a small graph of (victim, direction).
//! * [`walk`]: any other piece takes. A path removes the squares it crosses from the set; meeting
//!   the free piece as a victim branches, with that one square.
//!
//! Rules under which captures of equal length differ in rank, or pieces vanish during a capture, go the slow way,
//! position by position ([`one_by_one`]), which also serves as the check of the fast one.

mod free;
mod one_by_one;
mod tally;
mod walk;

use damier_core::{Choice, Color, Landing, Removal, Rules, WordOf};

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
    matches!(R::CHOICE, Choice::Any | Choice::MostPieces)
        && matches!(R::LANDING, Landing::Free)
        && matches!(R::REMOVAL, Removal::AfterMove)
        && R::MAY_TURN_BACK
        && R::MEN_TAKE_KINGS
        && !R::KINGS_TAKE_FIRST
}

/// The captures of a frame for one side to move; `squares` are those on which the free piece can stand.
#[inline]
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use damier_core::Word;
    use damier_core::rules::{English, International};
    use damier_tables::Class;

    use super::*;
    use crate::cell::Wdl;
    use crate::schedule::schedule;
    use crate::solve::solve;
    use crate::solved::Known;

    /// The symbolic captures of every `stride`-th frame of all classes are those found one by one.
    fn compare<R: Rules>(pieces: u32, stride: usize) {
        let wanted: Vec<Class> = (2..=pieces).flat_map(Class::all_canonical).collect();
        let mut known = Known::<R, Wdl<WordOf<R>>>::new();
        let mut tally = Tally::new();
        let mut number = 0;
        for class in schedule(&wanted).concat() {
            let (solved, _) = solve(class, &known, &|_| {});
            let layout = &solved.layout;
            let children = known.children(class);
            let (white_kings, black_kings) = (layout.white_kings.sets(), layout.black_kings.sets());
            let (white_men, black_men) = (layout.white_men.sets(), layout.black_men.sets());
            for &white_men in &white_men {
                for &black_men in &black_men {
                    for &white_kings in &white_kings {
                        for &black_kings in &black_kings {
                            let frame = Frame { white_men, white_kings, black_men, black_kings };
                            number += 1;
                            let pieces = class.pieces() - 1;
                            if number % stride != 0 || frame.occupied().count() != pieces {
                                continue;
                            }
                            let squares = layout.domain & !frame.occupied();
                            for turn in Color::BOTH {
                                let fast =
                                    captures(layout, &children, turn, &frame, squares, &mut tally);
                                let slow =
                                    one_by_one::captures(layout, &children, turn, &frame, squares);
                                assert_eq!(fast.squares, slow.squares, "{class} {turn} {frame:?}");
                                assert_eq!(fast.least, slow.least, "{class} {turn} {frame:?}");
                            }
                        }
                    }
                }
            }
            known.insert(Arc::new(solved));
        }
    }

    #[test]
    fn symbolic_captures_are_those_found_one_by_one() {
        compare::<International>(4, 97);
        compare::<English>(4, 31);
    }
}
