//! Draughts tablebases as files: material classes and their order, the index (position to number and back), the file
//! format and its codec, memory-mapped reading and atomic writing.
#![deny(unsafe_code)]
#![warn(missing_docs)]

mod block;
mod class;
mod clue;
mod coder;
mod context;
mod distance_block;
mod distance_coder;
mod distance_fit;
mod distance_model;
mod distances;
mod encode;
mod error;
mod fit;
mod group;
mod header;
mod index;
mod layout;
mod lengths;
mod map;
mod model;
mod pairs;
mod palette;
mod plain;
mod range;
mod sample;
mod shape;
mod storage;
mod successors;
mod table;
mod trial;
mod values;
mod write;

pub use class::{BadClass, Class, MAX_PIECES, Side};
pub use distances::{DONT_CARE_SCORE, Distances, Longest, Scores};
pub use encode::{WriteOptions, Written, encode_distances, encode_table};
pub use error::TableError;
pub use group::{Group, Kind};
pub use header::{BLOCK, Codec, Metric};
pub use index::{GROUPS, GroupOrder, Index};
pub use map::{MappedFile, SharedWords};
pub use storage::{ReadFile, Storage};
pub use table::Table;
pub use values::{Counts, DONT_CARE, Values, value_of_code};
pub use write::{WriteError, file_name, file_name_under, write_distances, write_table};
