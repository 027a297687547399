//! What can keep a position from being answered.

use std::path::PathBuf;

use damier_core::Variant;
use damier_tables::{Class, MAX_PIECES, TableError};

use crate::distance::Measure;

/// A probe has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The folders, and the embedded set where it was asked for, hold no table for the class.
    #[error("no table for {class}: `damier build {variant} --class {class}` makes it")]
    NoTable {
        /// The variant.
        variant: Variant,
        /// The class, in the orientation in which its file is named.
        class: Class,
    },
    /// There is no table of such distances for the class.
    #[error(
        "no {} for {class}: `damier build {variant} --class {class} {measure}` makes it",
        measure.metric().name()
    )]
    NoDistances {
        /// The variant.
        variant: Variant,
        /// The class, in the orientation in which its file is named.
        class: Class,
        /// What was to be counted.
        measure: Measure,
    },
    /// More pieces than any table can have.
    #[error("{pieces} pieces on the board, tables have at most {MAX_PIECES}")]
    TooManyPieces {
        /// The pieces of the position.
        pieces: u32,
    },
    /// A file is there, but is not the table that it should be.
    #[error("{}: {error}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was expected of it and what was found.
        error: Box<TableError>,
    },
    /// A file is whole, but is another table than its name says.
    #[error("{}: expected {expected}, found {found}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What should be there by its name: variant and class, draw rules and metric.
        expected: String,
        /// What is there.
        found: String,
    },
}
