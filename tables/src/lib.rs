//! Draughts tablebases as files: material classes and their order, the index (position to number and back), the file
//! format and its codec, memory-mapped reading and atomic writing.
#![warn(missing_docs)]

mod class;
mod group;

pub use class::{BadClass, Class, MAX_PIECES, Side};
pub use group::{Group, Kind};
