//! A position: the pieces and the side to move.

use std::hash::Hash;

use crate::board::{Board, Square};
use crate::color::Color;
use crate::direction::Directions;
use crate::rules::{Rules, WordOf};
use crate::word::Word;

/// Why a set of pieces is not a legal position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalPosition {
    /// Two pieces stand on one square.
    #[error("two pieces on square {0}")]
    Occupied(Square),
    /// A man stands on its promotion row, where it would be a king.
    #[error("a {color} man on its promotion row, square {square}")]
    ManOnPromotionRow {
        /// Whose man.
        color: Color,
        /// Where.
        square: Square,
    },
    /// A piece stands off the board.
    #[error("a piece off the board")]
    OffBoard,
    /// There is no piece at all.
    #[error("no pieces on the board")]
    Empty,
}

/// The pieces on the board and the side to move. Always legal: no two pieces share a square, no man stands on
/// its own promotion row, and there is at least one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<R: Rules> {
    men: [WordOf<R>; 2],
    kings: [WordOf<R>; 2],
    turn: Color,
}

impl<R: Rules> Position<R> {
    /// A position from sets of squares, White's first.
    ///
    /// # Errors
    /// The reason why the pieces do not make a legal position.
    pub fn new(
        men: [WordOf<R>; 2],
        kings: [WordOf<R>; 2],
        turn: Color,
    ) -> Result<Self, IllegalPosition> {
        let geometry = R::Board::geometry();
        let mut seen = WordOf::<R>::EMPTY;
        for set in [men[0], men[1], kings[0], kings[1]] {
            if set.meets(!geometry.all) {
                return Err(IllegalPosition::OffBoard);
            }
            if set.meets(seen) {
                return Err(IllegalPosition::Occupied(geometry.square((set & seen).first())));
            }
            seen |= set;
        }
        for color in Color::BOTH {
            let crowned = men[color.index()] & promotion_row::<R>(color);
            if !crowned.is_empty() {
                let square = geometry.square(crowned.first());
                return Err(IllegalPosition::ManOnPromotionRow { color, square });
            }
        }
        if seen.is_empty() {
            return Err(IllegalPosition::Empty);
        }
        Ok(Position { men, kings, turn })
    }

    /// A position that is known to be legal; for callers in hot paths that build positions from a table's
    /// index or by a legal move. Checked in debug builds.
    #[inline(always)]
    pub fn new_unchecked(men: [WordOf<R>; 2], kings: [WordOf<R>; 2], turn: Color) -> Self {
        debug_assert!(Self::new(men, kings, turn).is_ok());
        Position { men, kings, turn }
    }

    /// The position from which a game starts.
    pub fn start() -> Self {
        let rows = &R::Board::geometry().rows[..R::Board::ROWS];
        // Where men stand on every square, as in Turkish draughts, the first row stays empty.
        let first = usize::from(R::Board::SQUARES == R::Board::ROWS * R::Board::ROWS);
        let black = rows[first..first + R::START_ROWS]
            .iter()
            .fold(WordOf::<R>::EMPTY, |set, &row| set | row);
        let white = black.reversed(R::Board::BITS);
        Position { men: [white, black], kings: [WordOf::<R>::EMPTY; 2], turn: R::FIRST }
    }

    /// The men of a side.
    #[inline(always)]
    pub fn men(&self, color: Color) -> WordOf<R> {
        self.men[color.index()]
    }

    /// The kings of a side.
    #[inline(always)]
    pub fn kings(&self, color: Color) -> WordOf<R> {
        self.kings[color.index()]
    }

    /// All pieces of a side.
    #[inline(always)]
    pub fn pieces(&self, color: Color) -> WordOf<R> {
        self.men(color) | self.kings(color)
    }

    /// All pieces.
    #[inline(always)]
    pub fn occupied(&self) -> WordOf<R> {
        self.pieces(Color::White) | self.pieces(Color::Black)
    }

    /// The squares without a piece.
    #[inline(always)]
    pub fn empty(&self) -> WordOf<R> {
        R::Board::geometry().all & !self.occupied()
    }

    /// The side to move.
    #[inline(always)]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The same pieces with the other side to move.
    #[inline]
    pub fn with_turn(self, turn: Color) -> Self {
        Position { turn, ..self }
    }

    /// The same position seen by the other player: colours swapped and the board turned by half a turn. Its value is
    /// the same for the side to move.
    #[inline]
    pub fn flipped(&self) -> Self {
        let turned = |set: WordOf<R>| set.reversed(R::Board::BITS);
        Position {
            men: [turned(self.men[1]), turned(self.men[0])],
            kings: [turned(self.kings[1]), turned(self.kings[0])],
            turn: !self.turn,
        }
    }
}

/// The row on which a side's men become kings.
#[inline(always)]
pub fn promotion_row<R: Rules>(color: Color) -> WordOf<R> {
    let rows = &R::Board::geometry().rows;
    match color {
        Color::White => rows[0],
        Color::Black => rows[R::Board::ROWS - 1],
    }
}

/// Directions given for White, as they are for `color`.
#[inline(always)]
pub const fn directions_for(white: Directions, color: Color) -> Directions {
    match color {
        Color::White => white,
        Color::Black => white.opposite(),
    }
}
