//! The rules of draughts, each variant of the game as data.
//!
//! A [`Rules`] type is a handful of constants, each with the article it comes from; positions, move
//! generation and notation are written once over it. [`Variant`] names the variants at run time and
//! [`with_rules!`] leads from the name to the type.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod board;
mod capture;
mod color;
mod direction;
mod draw;
mod fen;
mod material;
mod moves;
mod naming;
mod notation;
mod perft;
mod position;
mod rank;
mod reader;
pub mod rules;
mod side;
mod value;
mod variant;
mod word;

pub use board::{
    Board, Board8, Board10, Board12, FullBoard8, Geometry, Lanes, MAX_BITS, MAX_SQUARES,
    MirroredBoard8, Square, nearest,
};
pub use color::Color;
pub use direction::{Direction, Directions};
pub use draw::{
    Counters, Counts, DrawRule, DrawRuleSet, Drawn, Pattern, Play, Repetition, Step,
    UnknownDrawRules,
};
pub use fen::{FenError, FenProblem};
pub use material::Material;
pub use moves::{Move, MoveList};
pub use naming::{Naming, NoSuchSquare};
pub use notation::{MoveError, Style};
pub use perft::{Counting, divide, perft};
pub use position::{IllegalPosition, Position, directions_for, promotion_row};
pub use rank::Rank;
pub use rules::{Choice, Goal, Landing, Promotion, Removal, Rules, WordOf};
pub use value::Value;
pub use variant::{UnknownVariant, Variant};
pub use word::Word;
