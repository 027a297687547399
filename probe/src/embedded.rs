//! The tables that are part of the program. `damier embed` writes the files anew.

use damier_core::Variant;
use damier_tables::Class;

/// The classes of which the table is embedded, of every variant.
pub const EMBEDDED: [&str; 13] = [
    "KvK", "KvM", "MvM", "KKvK", "KKvM", "KMvK", "KMvM", "MMvK", "MMvM", "KKKvK", "KKMvK", "KMMvK", "MMMvK",
];
