//! The rules of a variant as constants of one zero-sized type.
//!
//! The defaults are International draughts. A variant's file states what differs and where that is
//! written; comparing two variants is comparing two short files. The move generator and the solver are
//! written once over this trait.
//!
//! # How to add a variant
//!
//! 1. Write `rules/NAME.rs`: a unit struct that implements [`Rules`] with the constants that differ from International
//!    draughts, each with its article, and name it in this file. Czech draughts is such a file.
//! 2. Give it a line in each part of `variant.rs`: the next free number, its name, other names, its rules type. The
//!    compiler points out those that are missing, and from then on every command knows it.
//! 3. Put positions with their moves into `tests/data/rules-cases.txt`, one for each constant that a wrong reading would
//!    change, and published node counts into `tests/data/perft.csv`. The tests need no other change.
//! 4. Give it a line in the list of the tables that are part of the program, `embedded.rs` of `damier-probe`, and run
//!    `damier embed probe/data`.
//!
//! A game that is another one with a different goal, as [`Losing`] is, takes all constants of its parent.

use std::fmt::Debug;
use std::hash::Hash;

use crate::board::Board;
use crate::color::Color;
use crate::direction::Directions;
use crate::variant::Variant;

mod brazilian;
mod breakthrough;
mod canadian;
mod czech;
mod english;
mod frisian;
mod international;
mod italian;
mod killer;
mod losing;
mod pool;
mod portuguese;
mod russian;
mod spanish;
mod thai;
mod turkish;

pub use brazilian::Brazilian;
pub use breakthrough::Breakthrough;
pub use canadian::Canadian;
pub use czech::Czech;
pub use english::English;
pub use frisian::Frisian;
pub use international::International;
pub use italian::Italian;
pub use killer::Killer;
pub use losing::Losing;
pub use pool::Pool;
pub use portuguese::Portuguese;
pub use russian::Russian;
pub use spanish::Spanish;
pub use thai::Thai;
pub use turkish::Turkish;

/// Which of the possible captures are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Any, but a capture once begun is carried to its end.
    Any,
    /// One that takes the greatest number of pieces.
    MostPieces,
    /// Most pieces, then most kings among them.
    MostPiecesThenKings,
    /// Most pieces, then with a king, then most kings, then the kings met earliest (Italian).
    Italian,
    /// Greatest value: n kings are worth less than 2n men and more than 2n-1; at equal value with a king.
    Frisian,
}

/// Where a flying king may land behind the last piece it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// On any empty square beyond it.
    Free,
    /// Directly behind every piece it takes (Thai).
    Behind,
    /// Directly behind it if it is a king (Killer).
    BehindKing,
}

/// What happens to a man that reaches the promotion row in a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promotion {
    /// It is crowned only if the capture ends there; passing, it stays a man.
    AtEnd,
    /// It is crowned and the turn ends, even if it could take more.
    EndsTurn,
    /// It is crowned at once and goes on as a king.
    InPassing,
}

/// When captured pieces leave the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// When the capture is over; until then they stand in the way and may not be taken twice.
    AfterMove,
    /// At once, so that a line opens behind them.
    AtOnce,
}

/// What ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A side that cannot move has lost.
    Block,
    /// A side that cannot move has won.
    LoseAll,
    /// Whoever first gets a king has won; a side that cannot move has lost.
    FirstKing,
}

/// The rules of one variant.
pub trait Rules: Copy + Default + Debug + Eq + Hash + Send + Sync + 'static {
    /// The board.
    type Board: Board;
    /// The name of the variant.
    const VARIANT: Variant;
    /// Who moves first.
    const FIRST: Color = Color::White;
    /// How many rows each side fills with men at the start.
    const START_ROWS: usize;
    /// Where White's men step; Black's men go the opposite ways.
    const MAN_MOVES: Directions = Directions::FORWARD;
    /// Where White's men take; Black's men go the opposite ways.
    const MAN_CAPTURES: Directions = Directions::DIAGONAL;
    /// Where kings move.
    const KING_MOVES: Directions = Directions::DIAGONAL;
    /// Where kings take.
    const KING_CAPTURES: Directions = Directions::DIAGONAL;
    /// Whether kings move any number of squares.
    const FLYING_KINGS: bool = true;
    /// Where a flying king may land.
    const LANDING: Landing = Landing::Free;
    /// Which captures are allowed.
    const CHOICE: Choice = Choice::MostPieces;
    /// Whether men may not take while a king can (Czech).
    const KINGS_TAKE_FIRST: bool = false;
    /// Whether a man may take a king.
    const MEN_TAKE_KINGS: bool = true;
    /// Crowning inside a capture.
    const PROMOTION: Promotion = Promotion::AtEnd;
    /// When captured pieces leave.
    const REMOVAL: Removal = Removal::AfterMove;
    /// Whether a piece may turn back by 180 degrees between two captures of one move.
    const MAY_TURN_BACK: bool = true;
    /// What ends the game.
    const GOAL: Goal = Goal::Block;
}

/// The set of squares of a variant's board.
pub type WordOf<R> = <<R as Rules>::Board as Board>::Word;

/// The constants of another game, but for the name and the goal.
macro_rules! inherit {
    ($parent:ty) => {
        $crate::rules::inherit!($parent: FIRST: $crate::Color, START_ROWS: usize);
        $crate::rules::inherit!($parent: MAN_MOVES: $crate::Directions, MAN_CAPTURES: $crate::Directions);
        $crate::rules::inherit!($parent: KING_MOVES: $crate::Directions, KING_CAPTURES: $crate::Directions);
        $crate::rules::inherit!($parent: FLYING_KINGS: bool, LANDING: $crate::Landing, CHOICE: $crate::Choice);
        $crate::rules::inherit!($parent: KINGS_TAKE_FIRST: bool, MEN_TAKE_KINGS: bool, MAY_TURN_BACK: bool);
        $crate::rules::inherit!($parent: PROMOTION: $crate::Promotion, REMOVAL: $crate::Removal);
        type Board = <$parent as $crate::Rules>::Board;
    };
    ($parent:ty: $($constant:ident: $type:ty),*) => {
        $(const $constant: $type = <$parent as $crate::Rules>::$constant;)*
    };
}
use inherit;
