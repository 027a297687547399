//! Captures position by position, with the move generator of the rules core.

use damier_core::{Color, Goal, Position, Rules, Word, WordOf};
use damier_tables::Kind;

use super::Due;
use crate::cell::Cell;
use crate::layout::{Frame, Layout};
use crate::solved::Children;

/// The captures of a frame for one side to move.
pub fn captures<R: Rules, C: Cell<R>>(
    layout: &Layout<R>,
    children: &Children<'_, R, C>,
    turn: Color,
    frame: &Frame<WordOf<R>>,
    squares: WordOf<R>,
) -> Due<WordOf<R>, C> {
    let mut due = Due { squares: WordOf::<R>::EMPTY, least: C::none() };
    for square in squares.singles() {
        let (mut black_men, mut black_kings) = (frame.black_men, frame.black_kings);
        match layout.free {
            Kind::Man => black_men |= square,
            Kind::King => black_kings |= square,
        }
        let position = Position::<R>::new_unchecked(
            [frame.white_men, black_men],
            [frame.white_kings, black_kings],
            turn,
        );
        if !position.capture_due() {
            continue;
        }
        due.squares |= square;
        for capture in position.captures() {
            let child = position.play(capture);
            if capture.promotes() && matches!(R::GOAL, Goal::FirstKing) {
                due.least.absorb_lost(square);
                continue;
            }
            if child.pieces(child.turn()).is_empty() {
                due.least.absorb_bare(square);
                continue;
            }
            let all = Frame {
                white_men: child.men(Color::White),
                white_kings: child.kings(Color::White),
                black_men: child.men(Color::Black),
                black_kings: child.kings(Color::Black),
            };
            let (cell, of) = children.captured(child.turn(), &all);
            due.least.absorb_least(&cell, of, square);
        }
    }
    due
}
