//! Answers from draughts endgame tables: the value of any legal position, its distance, what it is worth under draw rules,
//! and its best moves.
//!
//! [`Tablebase`] takes a position and says who wins it. The tables hold the values of *quiet* positions; where a capture is due
//! the prober plays the captures out, so that a caller never has to search. Where the values come from is a
//! [`Source`]: [`TableFiles`] in folders, the small tables that are part of the program, or a solver's memory.
//!
//! ```
//! use damier_core::{Position, Value, rules::English};
//! use damier_probe::Tablebase;
//!
//! let tables = Tablebase::<English>::embedded();
//! let position: Position<English> = "W:WK1,K6:BK32".parse()?;
//! assert_eq!(tables.probe(&position)?, Value::Win);
//! for rated in tables.moves(&position)? {
//!     println!("{} {}", rated.value, rated.after);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod cache;
mod distance;
mod draw;
mod embedded;
mod error;
mod files;
mod line;
mod source;
mod tablebase;

pub use distance::{Distance, Measure};
pub use draw::{RuleOutcome, RuleValue, RuledMove};
pub use embedded::{EMBEDDED, EmbeddedSet};
pub use error::ProbeError;
pub use files::{Access, DEFAULT_CACHE, TableFiles};
pub use line::MeasuredMove;
pub use source::Source;
pub use tablebase::{RatedMove, Tablebase};
