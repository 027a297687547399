//! Verifying finished files: every checksum, and every value against the values of its successors, from the files alone.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use damier_core::{Color, Position, Rules, Variant, WordOf, with_rules};
use damier_tables::{BLOCK, Class, Counts, Index, MappedFile, Metric, Table, TableError};

use crate::build::{Progress, with_threads};
use crate::cell::Wdl;
use crate::distance::{Distances, LongPlies};
use crate::load::load;
use crate::memory::is_needed;
use crate::parallel;
use crate::schedule::schedule;
use crate::solved::{Known, Solved};
use crate::stored::{Content, Stored};
use crate::time::process_seconds;

/// What a verification found right.
#[derive(Clone, Copy, Debug, Default)]
pub struct VerifyReport {
    /// Files.
    pub tables: usize,
    /// Positions with either side to move.
    pub positions: u64,
    /// CPU seconds.
    pub cpu: f64,
    /// Seconds by the clock.
    pub wall: f64,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// It is missing or cannot be read.
    #[error("{}: {source}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: TableError,
    },
    /// A block of it is damaged.
    #[error("{}: {source}; the block begins with position {fen}", path.display())]
    Block {
        /// The file.
        path: PathBuf,
        /// The first position of the block, as FEN.
        fen: String,
        /// What is wrong.
        source: TableError,
    },
    /// It is the table of something else.
    #[error("{}: expected the table of {expected}, found that of {found}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What the name says.
        expected: String,
        /// What the header says.
        found: String,
    },
    /// A value contradicts those of its successors.
    #[error(
        "{}: block {block}, position {fen}: expected {expected} from its successors, found {found}",
        path.display()
    )]
    Value {
        /// The file.
        path: PathBuf,
        /// The block.
        block: u64,
        /// The position, as FEN.
        fen: String,
        /// What the successors say.
        expected: String,
        /// What the file says.
        found: String,
    },
    /// The counts in the header are not those of the values.
    #[error(
        "{}: expected {} wins, {} draws, {} losses with {turn} to move from the values, found {}, {}, {} in the header",
        path.display(), expected.wins, expected.draws, expected.losses, found.wins, found.draws, found.losses
    )]
    Counts {
        /// The file.
        path: PathBuf,
        /// The side to move.
        turn: Color,
        /// Counted.
        expected: Counts,
        /// Stated.
        found: Counts,
    },
    /// The threads could not be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Verifies the files of these classes and of all they lead to.
///
/// # Errors
/// The first thing that is wrong, with the file's name.
pub fn verify(
    variant: Variant,
    tables: &Path,
    content: Content,
    classes: &[Class],
    threads: Option<usize>,
    progress: &dyn Progress,
) -> Result<VerifyReport, VerifyError> {
    let started = (Instant::now(), process_seconds());
    let mut report = with_threads(
        threads,
        || with_rules!(variant, R => verify_content::<R>(tables, content, classes, progress)),
    )??;
    report.wall = started.0.elapsed().as_secs_f64();
    report.cpu = process_seconds() - started.1;
    Ok(report)
}

fn verify_content<R: Rules>(
    tables: &Path,
    content: Content,
    classes: &[Class],
    progress: &dyn Progress,
) -> Result<VerifyReport, VerifyError> {
    if content == Content::WDL {
        return verify_all::<R, Wdl<WordOf<R>>>(tables, content, classes, progress);
    }
    // Two bytes hold whatever distance a file can tell, true or not.
    verify_all::<R, Distances<LongPlies, R::Board>>(tables, content, classes, progress)
}

fn verify_all<R: Rules, C: Stored<R>>(
    tables: &Path,
    content: Content,
    classes: &[Class],
    progress: &dyn Progress,
) -> Result<VerifyReport, VerifyError> {
    let levels = schedule::<R>(classes);
    let files = levels.iter().flatten().filter(|class| class.is_canonical());
    let total = files.clone().map(|&class| crate::build::positions::<R>(class)).sum();
    progress.planned(files.count(), total);
    let mut known = Known::<R, C>::new();
    let mut report = VerifyReport::default();
    let mut live: Vec<Class> = Vec::new();
    for (number, level) in levels.iter().enumerate() {
        let canonical: Vec<Class> = level.iter().copied().filter(Class::is_canonical).collect();
        let check = |number: usize| {
            let class = canonical[number];
            let both = level.contains(&class.flipped()) && !class.is_symmetric();
            let orientations = if both { vec![class, class.flipped()] } else { vec![class] };
            verify_class(tables, content, class, &orientations, &known, progress)
        };
        let verified: Result<Vec<_>, VerifyError> =
            parallel::map(canonical.len(), &check).into_iter().collect();
        let verified = verified?;
        for (positions, solved) in verified {
            report.tables += 1;
            report.positions += positions;
            for mut class in solved {
                class.drop_due();
                live.push(class.layout.class);
                known.insert(Arc::new(class));
            }
        }
        live.retain(|&class| {
            let needed = is_needed::<R>(class, &levels[number + 1..]);
            if !needed {
                known.remove(class);
            }
            needed
        });
    }
    Ok(report)
}

type Verified<R, C> = (u64, Vec<Solved<R, C>>);

fn verify_class<R: Rules, C: Stored<R>>(
    tables: &Path,
    content: Content,
    class: Class,
    orientations: &[Class],
    known: &Known<R, C>,
    progress: &dyn Progress,
) -> Result<Verified<R, C>, VerifyError> {
    let path = content.path::<R>(tables, class);
    let wrap = |source| VerifyError::Table { path: path.clone(), source };
    let table =
        Table::open(MappedFile::open(&path).map_err(|error| wrap(error.into()))?).map_err(wrap)?;
    if !content.is_that_of::<R, _>(&table, class) {
        let name = |variant, class, metric: Metric| format!("{variant} {class} {}", metric.name());
        return Err(VerifyError::Other {
            expected: name(R::VARIANT, class, content.metric),
            found: name(table.variant(), table.class(), table.metric()),
            path,
        });
    }
    let wrap = |source| match first_position::<R>(&table, &source) {
        Some(first) => VerifyError::Block { path: path.clone(), fen: first.to_fen(), source },
        None => wrap(source),
    };
    let positions = crate::build::positions::<R>(class);
    progress.class_started(class, positions);
    table.verify_checksums().map_err(wrap)?;
    let (solved, mismatch) =
        load(&table, orientations, true, known, &*content.counting()).map_err(wrap)?;
    if let Some(wrong) = mismatch {
        return Err(VerifyError::Value {
            path,
            block: wrong.block,
            fen: wrong.position.to_string(),
            expected: wrong.expected,
            found: wrong.found,
        });
    }
    for (turn, expected) in Color::BOTH.into_iter().zip(solved[0].counts()) {
        let found = table.counts(turn);
        if found != expected {
            return Err(VerifyError::Counts { path, turn, expected, found });
        }
    }
    progress.advanced(positions);
    Ok((positions, solved))
}

/// The first position of the block that an error is about.
fn first_position<R: Rules>(table: &Table<MappedFile>, error: &TableError) -> Option<Position<R>> {
    let (TableError::BlockChecksum { turn, block, .. }
    | TableError::SenselessBlock { turn, block }) = *error
    else {
        return None;
    };
    let index = Index::<R>::new(table.class(), table.order());
    let first = block * BLOCK as u64;
    (first..index.len()).find_map(|number| index.position(number, turn))
}
