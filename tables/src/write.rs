//! Writing table files so that each is either whole or absent.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use damier_core::{DrawRuleSet, Rules, Variant};

use crate::class::Class;
use crate::distances::{Distances, Longest};
use crate::encode::{WriteOptions, Written, encode_distances, encode_table};
use crate::header::Metric;
use crate::values::{Counts, Values};

/// Where a table is, from the folder that holds all tables: a folder for each variant, in it a file for each
/// [canonical](Class::canonical) class, with the metric as its extension.
///
/// ```
/// # use damier_core::Variant;
/// # use damier_tables::{Metric, file_name};
/// let class = "KMvKKM".parse()?;
/// assert_eq!(file_name(Variant::International, class, Metric::Wdl), "international/KKMvKM.wdl");
/// # Ok::<(), damier_tables::BadClass>(())
/// ```
pub fn file_name(variant: Variant, class: Class, metric: Metric) -> String {
    file_name_under(variant, class, metric, DrawRuleSet::None)
}

/// Where a table is if its metric depends on draw rules: each set has its own.
///
/// ```
/// # use damier_core::{DrawRuleSet, Variant};
/// # use damier_tables::{Metric, file_name_under};
/// # let (variant, class) = (Variant::International, "KKMvK".parse()?);
/// let file_name = |metric| file_name_under(variant, class, metric, DrawRuleSet::Fmjd);
/// assert_eq!(file_name(Metric::Dtr), "international/KKMvK.fmjd.dtr");
/// assert_eq!(file_name(Metric::Dtw), "international/KKMvK.dtw");
/// # Ok::<(), damier_tables::BadClass>(())
/// ```
pub fn file_name_under(
    variant: Variant,
    class: Class,
    metric: Metric,
    rules: DrawRuleSet,
) -> String {
    let class = class.canonical();
    match metric {
        Metric::Dtr => format!("{variant}/{class}.{rules}.{}", metric.name()),
        _ => format!("{variant}/{class}.{}", metric.name()),
    }
}

/// A table could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// Tables hold canonical classes.
    #[error("{class} is stored as {}", class.canonical())]
    NotCanonical {
        /// The class that was to be written.
        class: Class,
    },
    /// The operating system refused.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Writes a table to a file; see [`encode_table`] for what goes in.
///
/// The bytes go to a temporary file in the same folder, which is synced, takes the place of `path` by a rename, and the folder is
/// synced. Missing folders are made. After an error or a crash `path` is as it was before, and after an error the temporary
/// file is gone.
///
/// # Errors
/// If the class is not canonical or anything cannot be written.
pub fn write_table<R: Rules>(
    path: &Path,
    class: Class,
    counts: [Counts; 2],
    values: &impl Values<R>,
    options: &WriteOptions,
) -> Result<Written, WriteError> {
    write_encoded(path, class, |file| encode_table(file, class, counts, values, options))
}

/// Writes a table of distances to a file, as [`write_table`] one of values; see [`encode_distances`] for what goes in.
///
/// # Errors
/// If the class is not canonical or anything cannot be written.
///
/// # Panics
/// If the metric has no distances, or draw rules are given for one that does not depend on them.
#[expect(clippy::too_many_arguments, reason = "the parts of a header")]
pub fn write_distances<R: Rules>(
    path: &Path,
    class: Class,
    metric: Metric,
    rules: DrawRuleSet,
    counts: [Counts; 2],
    longest: [Longest; 2],
    distances: &impl Distances<R>,
    options: &WriteOptions,
) -> Result<Written, WriteError> {
    write_encoded(path, class, |file| {
        encode_distances(file, class, metric, rules, counts, longest, distances, options)
    })
}

fn write_encoded(
    path: &Path,
    class: Class,
    encode: impl FnOnce(&mut BufWriter<File>) -> io::Result<Written>,
) -> Result<Written, WriteError> {
    if !class.is_canonical() {
        return Err(WriteError::NotCanonical { class });
    }
    write_atomically(path, encode)
        .map_err(|source| WriteError::Io { path: path.to_owned(), source })
}

/// Removes the temporary file unless it has been renamed.
struct Temporary(Option<PathBuf>);

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = self.0.take() {
            // An error is already on its way to the caller.
            let _ = fs::remove_file(path);
        }
    }
}

/// Lets `write` fill a temporary file and moves it to `path` when it is safely on the disk.
fn write_atomically<T>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>,
) -> io::Result<T> {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    let unique = (std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed));
    let temporary = folder.join(format!(".{}.{}-{}.tmp", name.display(), unique.0, unique.1));
    let file = OpenOptions::new().write(true).create_new(true).open(&temporary)?;
    let mut guard = Temporary(Some(temporary.clone()));
    let mut file = BufWriter::new(file);
    let result = write(&mut file)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.sync_all()?;
    drop(file);
    fs::rename(&temporary, path)?;
    guard.0 = None;
    sync_folder(folder)?;
    Ok(result)
}

/// Makes a rename within a folder durable.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Where folders cannot be opened as files, the file system orders renames itself.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
