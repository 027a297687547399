//! Solves draughts endgames into tablebase files.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod build;
pub mod captures;
pub mod cell;
pub mod counting;
mod counts;
pub mod distance;
mod in_memory;
pub mod layout;
mod lifted;
pub mod load;
pub mod memory;
mod parallel;
pub mod schedule;
pub mod solved;
pub mod solver;
pub mod stored;
mod survey;
pub mod time;
pub mod values;
mod verify;

pub use build::{BuildError, BuildOptions, BuildReport, ClassReport, Progress, build, positions};
pub use counts::placements;
pub use in_memory::solve;
pub use lifted::counts_without;
pub use stored::{Content, found};
pub use survey::{Kindred, survey};
pub use verify::{VerifyError, VerifyReport, verify};
