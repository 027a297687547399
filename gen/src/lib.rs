//! Solves draughts endgames into tablebase files.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod captures;
pub mod cell;
mod counts;
pub mod layout;
pub mod schedule;
pub mod solve;
pub mod solved;
pub mod time;

pub use counts::Counts;
