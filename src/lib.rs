//! Damier: endgame tablebases of draughts.
//!
//! [`Tablebase`] answers who wins a position, from tables in files, from the small ones that are part of the library, or from
//! [`solve`], which makes them in memory without any file. [`build`] writes the files.
//!
//! ```
//! use damier::{International, Position, Tablebase, Value};
//!
//! let tables = Tablebase::<International>::embedded();
//! let position: Position<International> = "W:WK1,K2,K3:BK50".parse()?;
//! // The lone king gets to the main road.
//! assert_eq!(tables.probe(&position)?, Value::Draw);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate only brings together what an engine needs of `damier-core` (rules, positions, moves, notation), `damier-tables`
//! (files), `damier-probe` and `damier-gen` (solver). The feature `command`, on unless switched off, adds the `damier`
//! command.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub use damier_core::rules::{self, English, International};
pub use damier_core::{
    Board, Color, Counters, Counting, DrawRule, DrawRuleSet, Drawn, Material, Move, Position,
    Rules, Square, UnknownVariant, Value, Variant, WordOf, divide, perft, with_rules,
};
pub use damier_gen::{
    BuildError, BuildOptions, BuildReport, ClassReport, Content, Kindred, Progress, VerifyError,
    VerifyReport, build, counts_without, found, positions, solve, survey, verify,
};
pub use damier_probe::{
    Access, DEFAULT_CACHE, Distance, EMBEDDED, EmbeddedSet, Measure, MeasuredMove, ProbeError,
    RatedMove, RuleOutcome, RuleValue, RuledMove, Source, TableFiles, Tablebase,
};
pub use damier_tables::{Class, Codec, Counts, GroupOrder, Index, MAX_PIECES, Metric};
