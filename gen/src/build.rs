//! Building table files: solve, encode, write, class by class, only what is missing.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use damier_core::{Rules, Variant, WordOf, with_rules};
use damier_tables::{
    Class, Codec, Counts, MappedFile, Scores, Table, TableError, WriteError, WriteOptions,
};

use crate::cell::Wdl;
use crate::counting::Counting;
use crate::distance::{Distances, LongPlies, Plies};
use crate::layout::Layout;
use crate::load::load;
use crate::memory::{self, Need, is_needed, peak};
use crate::parallel;
use crate::schedule::schedule;
use crate::solved::{Known, Solved};
use crate::solver::solve_class;
use crate::stored::{Content, Stored};
use crate::time::{Phases, process_seconds};

/// What to build and how.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// Classes wanted; what they lead to is built as well.
    pub classes: Vec<Class>,
    /// The folder of the files.
    pub tables: PathBuf,
    /// Threads, or as many as the machine has cores.
    pub threads: Option<usize>,
    /// Most memory to take, in bytes, or what the machine has.
    pub memory: Option<u64>,
    /// How the files are compressed.
    pub codec: Codec,
    /// What the tables tell.
    pub contents: Vec<Content>,
}

/// Told how a build or a verification gets on; from several threads.
pub trait Progress: Sync {
    /// The work to come: classes and positions.
    fn planned(&self, classes: usize, positions: u64);
    /// A class is begun.
    fn class_started(&self, class: Class, positions: u64);
    /// Some more positions are done.
    fn advanced(&self, positions: u64);
    /// A class is written.
    fn class_finished(&self, report: &ClassReport);
}

/// Nobody watches.
impl Progress for () {
    fn planned(&self, _: usize, _: u64) {}
    fn class_started(&self, _: Class, _: u64) {}
    fn advanced(&self, _: u64) {}
    fn class_finished(&self, _: &ClassReport) {}
}

/// What was done for one class.
#[derive(Clone, Debug)]
pub struct ClassReport {
    /// The class.
    pub class: Class,
    /// What its table tells.
    pub content: Content,
    /// Positions with either side to move.
    pub positions: u64,
    /// How they fall, by side to move.
    pub counts: [Counts; 2],
    /// CPU seconds of solving.
    pub phases: Phases,
    /// CPU seconds of choosing the order, fetching values and encoding them. While a build runs, seconds by the clock of its threads, in which they may
    /// have done other classes' work.
    pub encode: f64,
    /// The same of writing.
    pub write: f64,
    /// Bytes of the file.
    pub bytes: u64,
}

impl ClassReport {
    /// Positions that the file stores: one side to move only where the class is its own mirror image.
    pub fn stored(&self) -> u64 {
        if self.class.is_symmetric() { self.positions / 2 } else { self.positions }
    }

    /// Bits a stored position.
    pub fn bits(&self) -> f64 {
        self.bytes as f64 * 8.0 / self.stored() as f64
    }
}

/// What was done in all.
#[derive(Clone, Debug, Default)]
pub struct BuildReport {
    /// The classes that were missing.
    pub classes: Vec<ClassReport>,
    /// How many were there already.
    pub present: usize,
    /// CPU seconds of the whole process.
    pub cpu: f64,
    /// Seconds by the clock.
    pub wall: f64,
    /// Most memory in use, bytes, where the system tells.
    pub peak_memory: Option<u64>,
}

impl BuildReport {
    /// Shares out the CPU time that was not spent on solving: to encoding and writing, in proportion to what they took by the clock.
    fn turn_clock_into_cpu(&mut self) {
        let solving: f64 =
            self.classes.iter().map(|class| class.phases.captures + class.phases.sweeps).sum();
        let clock: f64 = self.classes.iter().map(|class| class.encode + class.write).sum();
        let share = ((self.cpu - solving) / clock).clamp(0.0, 1.0);
        for class in &mut self.classes {
            class.encode *= share;
            class.write *= share;
        }
    }
}

/// Why a build failed.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The memory allowed does not suffice.
    #[error(
        "solving {class} takes {} of memory, {} allowed: give --memory {} or more",
        size(*needed), size(*allowed), size(*needed)
    )]
    Memory {
        /// The class that needs most.
        class: Class,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A table that others need is damaged.
    #[error("{}: {source}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: TableError,
    },
    /// A distance is longer than any table can tell.
    #[error("{class}: a distance of more than {} plies", Scores::MAX_PLIES)]
    OutOfRange {
        /// The class.
        class: Class,
    },
    /// With this material the game is over: the first king has won.
    #[error("{class}: a game of {variant} is over with the first king")]
    NotPlayed {
        /// The variant.
        variant: Variant,
        /// The class.
        class: Class,
    },
    /// The threads could not be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Bytes as `3G` or `250M`, rounded up.
pub fn size(bytes: u64) -> String {
    const G: u64 = 1 << 30;
    const M: u64 = 1 << 20;
    if bytes >= 10 * G {
        format!("{}G", bytes.div_ceil(G))
    } else {
        format!("{}M", bytes.div_ceil(M))
    }
}

/// Runs `work` with this many threads.
pub(crate) fn with_threads<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, rayon::ThreadPoolBuildError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build()?;
    Ok(pool.install(work))
}

/// The file of a class, if there is one that can be opened; a damaged header counts as none.
fn present<R: Rules>(tables: &Path, content: Content, class: Class) -> bool {
    let open = || Table::open(MappedFile::open(&content.path::<R>(tables, class)).ok()?).ok();
    open().is_some_and(|table| content.is_that_of::<R, _>(&table, class))
}

/// Positions of a class with either side to move.
pub fn positions<R: Rules>(class: Class) -> u64 {
    // Men of both sides share rows, so count by how many stand on the other side's promotion row.
    2 * crate::counts::placements::<R>(class)
}

/// Builds the classes wanted of a variant and all they lead to, as far as their files are missing.
///
/// # Errors
/// If a class is not played or the memory does not suffice, before anything is begun; if a file cannot be written or a table that is needed cannot be read.
/// Tables finished before an error stay.
pub fn build(
    variant: Variant,
    options: &BuildOptions,
    progress: &dyn Progress,
) -> Result<BuildReport, BuildError> {
    let started = (Instant::now(), process_seconds());
    let mut report = with_threads(
        options.threads,
        || with_rules!(variant, R => build_all::<R>(options, progress)),
    )??;
    report.wall = started.0.elapsed().as_secs_f64();
    report.cpu = process_seconds() - started.1;
    report.turn_clock_into_cpu();
    report.peak_memory = memory::peak_of_process();
    Ok(report)
}

fn build_all<R: Rules>(
    options: &BuildOptions,
    progress: &dyn Progress,
) -> Result<BuildReport, BuildError> {
    if let Some(&class) = options.classes.iter().find(|class| !class.is_played::<R>()) {
        return Err(BuildError::NotPlayed { variant: R::VARIANT, class });
    }
    let mut report = BuildReport::default();
    for &content in &options.contents {
        if content == Content::WDL {
            Build::<R, Wdl<WordOf<R>>>::new(options, content, progress).run(&mut report)?;
            continue;
        }
        // A byte a distance is enough for most classes; where it is not, two are.
        let narrow = Build::<R, Distances<Plies, R::Board>>::new(options, content, progress);
        match narrow.run(&mut report) {
            Err(BuildError::OutOfRange { .. }) => {
                Build::<R, Distances<LongPlies, R::Board>>::new(options, content, progress)
                    .run(&mut report)?;
            }
            done => done?,
        }
    }
    Ok(report)
}

/// Building the tables of one content.
struct Build<'a, R: Rules, C> {
    options: &'a BuildOptions,
    content: Content,
    counting: Box<dyn Counting>,
    progress: &'a dyn Progress,
    known: Known<R, C>,
}

impl<'a, R: Rules, C: Stored<R>> Build<'a, R, C> {
    fn new(options: &'a BuildOptions, content: Content, progress: &'a dyn Progress) -> Self {
        let counting = content.counting();
        Build { options, content, counting, progress, known: Known::new() }
    }

    fn run(mut self, report: &mut BuildReport) -> Result<(), BuildError> {
        let all = schedule::<R>(&self.options.classes).concat();
        let canonical = |class: &&Class| class.is_canonical();
        let mut missing: Vec<Class> = all.iter().filter(canonical).copied().collect();
        let wanted = missing.len();
        missing.retain(|&class| !present::<R>(&self.options.tables, self.content, class));
        report.present += wanted - missing.len();

        // What is missing decides what has to be in memory; classes that have a file may still have to be known to others.
        let levels = schedule::<R>(&missing);
        let allowed = self.options.memory.unwrap_or_else(memory::of_machine);
        if let (needed, Some(class)) = peak::<R, C>(&levels)
            && needed > allowed
        {
            return Err(BuildError::Memory { class, needed, allowed });
        }
        let total = missing.iter().map(|&class| positions::<R>(class)).sum();
        self.progress.planned(missing.len(), total);

        let top = missing.iter().map(Class::pieces).max().unwrap_or(0);
        let mut live: Vec<Class> = Vec::new();
        for (number, level) in levels.iter().enumerate() {
            for batch in batches::<R, C>(level, &live, allowed) {
                let make = |number: usize| {
                    let class = batch[number];
                    let missing = missing.contains(&class);
                    if !missing && class.pieces() == top {
                        return self.reload(class).map(|solved| (solved, None));
                    }
                    let (mut solved, phases) = self.solve(class, missing)?;
                    let report = missing.then(|| self.write(&solved, phases)).transpose()?;
                    solved.drop_due();
                    Ok((solved, report))
                };
                let finished: Result<Vec<_>, BuildError> =
                    parallel::map(batch.len(), &make).into_iter().collect();
                for (solved, written) in finished? {
                    live.push(solved.layout.class);
                    self.known.insert(Arc::new(solved));
                    report.classes.extend(written);
                }
            }
            live.retain(|&class| {
                let needed = is_needed::<R>(class, &levels[number + 1..]);
                if !needed {
                    self.known.remove(class);
                }
                needed
            });
        }
        report.classes.sort_by_key(|report| report.class);
        Ok(())
    }

    fn solve(&self, class: Class, report: bool) -> Result<(Solved<R, C>, Phases), BuildError> {
        let (solved, phases) = if report {
            let positions = positions::<R>(class);
            self.progress.class_started(class, positions);
            let frames = Layout::<R>::new(class).frames().max(1);
            let per_frame = positions as f64 / frames as f64;
            solve_class(class, &self.known, &*self.counting, &|frames| {
                self.progress.advanced((frames as f64 * per_frame) as u64)
            })
        } else {
            solve_class(class, &self.known, &*self.counting, &|_| {})
        };
        if C::is_out_of_range(&solved) {
            return Err(BuildError::OutOfRange { class });
        }
        Ok((solved, phases))
    }

    fn write(&self, solved: &Solved<R, C>, phases: Phases) -> Result<ClassReport, BuildError> {
        let class = solved.layout.class;
        let options = WriteOptions { codec: self.options.codec, ..WriteOptions::default() };
        let path = self.content.path::<R>(&self.options.tables, class);
        let started = Instant::now();
        let written = C::write(&path, solved, self.content, &options)?;
        let encode = written.fitting + written.fetching + written.encoding;
        let counts = solved.counts();
        let report = ClassReport {
            class,
            content: self.content,
            positions: counts.iter().map(Counts::positions).sum(),
            counts,
            phases,
            encode: encode.as_secs_f64(),
            write: started.elapsed().saturating_sub(encode).as_secs_f64(),
            bytes: written.bytes,
        };
        self.progress.class_finished(&report);
        Ok(report)
    }

    /// A class whose file is there.
    fn reload(&self, class: Class) -> Result<Solved<R, C>, BuildError> {
        let path = self.content.path::<R>(&self.options.tables, class.canonical());
        let wrap = |source| BuildError::Table { path: path.clone(), source };
        let file = MappedFile::open(&path).map_err(|error| wrap(error.into()))?;
        let table = Table::open(file).map_err(wrap)?;
        let (mut classes, _) =
            load(&table, &[class], false, &self.known, &*self.counting).map_err(wrap)?;
        let mut solved: Solved<R, C> = classes.pop().expect("one orientation was asked for");
        solved.drop_due();
        Ok(solved)
    }
}

/// The classes of a level in groups that fit into memory together.
fn batches<R: Rules, C>(level: &[Class], live: &[Class], allowed: u64) -> Vec<Vec<Class>> {
    let kept: u64 = live.iter().map(|&class| Need::of::<R, C>(class).kept).sum();
    let mut batches: Vec<Vec<Class>> = Vec::new();
    let (mut used, mut done) = (u64::MAX, kept);
    for &class in level {
        let need = Need::of::<R, C>(class);
        match batches.last_mut() {
            Some(batch) if used.saturating_add(need.working) <= allowed => batch.push(class),
            _ => {
                batches.push(vec![class]);
                used = done;
            }
        }
        used += need.working;
        done += need.kept;
    }
    batches
}
