//! Random positions, for the property tests.

use damier_core::{Board, Color, Position, Rules, Word, WordOf, promotion_row};
use proptest::prelude::*;

/// What stands on a square: nothing, or a man or a king of a side.
pub type Square = Option<(Color, bool)>;

pub fn color() -> impl Strategy<Value = Color> {
    prop_oneof![Just(Color::White), Just(Color::Black)]
}

/// A square for each that the largest board has.
#[allow(dead_code, reason = "each test file is a program of its own, and one wants fewer pieces")]
pub fn squares() -> impl Strategy<Value = Vec<Square>> {
    let piece = (color(), prop::bool::weighted(0.3)).prop_map(Some);
    prop::collection::vec(prop_oneof![4 => Just(None), 1 => piece], damier_core::MAX_SQUARES)
}

/// The position with these squares, if there is a piece on the board; men on their promotion row become kings.
pub fn placed<R: Rules>(squares: &[Square], turn: Color) -> Option<Position<R>> {
    let mut men = [WordOf::<R>::EMPTY; 2];
    let mut kings = men;
    for (bit, piece) in R::Board::geometry().all.bits().zip(squares) {
        if let Some((color, king)) = *piece {
            let crowned = promotion_row::<R>(color).has(bit);
            let sets = if king || crowned { &mut kings } else { &mut men };
            sets[color.index()] |= WordOf::<R>::bit(bit);
        }
    }
    Position::new(men, kings, turn).ok()
}
