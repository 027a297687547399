//! What can be wrong with a table file.

use std::io;
use std::sync::Arc;

use damier_core::Color;

use crate::header::Metric;

/// Why a table cannot be read.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The file does not begin as tables do.
    #[error("not a table: expected the first bytes {:?}, found {:?}", text(&crate::header::MAGIC), text(found))]
    Magic {
        /// The first eight bytes.
        found: [u8; 8],
    },
    /// A version of the format that this program does not know.
    #[error("format version {found}, expected {expected}")]
    Version {
        /// The version that is understood.
        expected: u16,
        /// The version of the file.
        found: u16,
    },
    /// The file is shorter or longer than it should be.
    #[error("expected {expected} bytes, found {found}")]
    Length {
        /// Bytes that there should be.
        expected: u64,
        /// Bytes that there are.
        found: u64,
    },
    /// The header is damaged.
    #[error("damaged header: expected checksum {expected:016x}, found {found:016x}")]
    HeaderChecksum {
        /// The checksum in the file.
        expected: u64,
        /// The checksum of the bytes.
        found: u64,
    },
    /// The header is whole and says what this program does not understand.
    #[error("unknown {field} {found}")]
    Field {
        /// The field of the header.
        field: &'static str,
        /// What it holds.
        found: u64,
    },
    /// The model or directory of one side to move is damaged.
    #[error(
        "damaged directory, {turn} to move: expected checksum {expected:016x}, found {found:016x}"
    )]
    DirectoryChecksum {
        /// The side to move.
        turn: Color,
        /// The checksum in the file.
        expected: u64,
        /// The checksum of the bytes.
        found: u64,
    },
    /// The model or directory has a right checksum but no meaning.
    #[error("senseless {what}, {turn} to move")]
    Senseless {
        /// The side to move.
        turn: Color,
        /// What makes no sense.
        what: &'static str,
    },
    /// A group of blocks is damaged.
    #[error(
        "damaged block {block}, {turn} to move: expected checksum {expected:08x}, found {found:08x}"
    )]
    BlockChecksum {
        /// The side to move.
        turn: Color,
        /// The block that was asked for, or the first of its group.
        block: u64,
        /// The checksum in the file.
        expected: u32,
        /// The checksum of the bytes.
        found: u32,
    },
    /// A block has a right checksum but cannot be decoded.
    #[error("senseless block {block}, {turn} to move")]
    SenselessBlock {
        /// The side to move.
        turn: Color,
        /// The block.
        block: u64,
    },
    /// This side to move is not in the file: the class is symmetric, and only White to move is stored.
    #[error("{turn} to move is not stored: swap the colours")]
    NotStored {
        /// The side to move.
        turn: Color,
    },
    /// Distances were asked for, but the table holds values only.
    #[error("no distances: a table of {}", metric.name())]
    NoDistances {
        /// What it holds.
        metric: Metric,
    },
    /// There is no such block.
    #[error("no block {block}, there are {blocks}")]
    NoBlock {
        /// The block that was asked for.
        block: u64,
        /// How many there are.
        blocks: u64,
    },
    /// The operating system could not read.
    #[error("cannot read: {0}")]
    Read(#[source] Arc<io::Error>),
}

impl From<io::Error> for TableError {
    fn from(error: io::Error) -> TableError {
        TableError::Read(Arc::new(error))
    }
}

/// Bytes as text for a message.
fn text(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}
