//! `damier verify`: proves finished tables.

use anyhow::ensure;
use damier::{Class, Variant, with_rules};

use super::args;
use super::progress::Bar;

/// Prove tables: every checksum, and every value from the values of the positions that its moves lead to.
///
/// Only the files are read. The first thing that is wrong is named with its file, block and position, and the exit code is then 1.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Verify {
    /// Whose rules: international, english
    variant: Variant,
    #[command(flatten)]
    tables: args::TablesArg,
    /// Every class of up to so many pieces; without it, those that there are tables for
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..=damier::MAX_PIECES as i64))]
    pieces: Option<u32>,
    /// Threads [default: one for each processor]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
}

const EXAMPLES: &str = "\
Examples:
  damier verify english
  damier verify international --pieces 4 --tables /srv/tables";

impl Verify {
    pub fn run(&self) -> anyhow::Result<()> {
        let folder = self.tables.folder()?;
        let mut classes = match self.pieces {
            Some(pieces) => args::classes_up_to(pieces).collect(),
            None => with_rules!(self.variant, R => self.tables.open::<R>()?.classes()),
        };
        classes.retain(Class::is_canonical);
        ensure!(!classes.is_empty(), "{}: no tables of {}", folder.display(), self.variant);
        let threads = self.threads.map(|threads| threads as usize);
        let report = damier::verify(self.variant, &folder, &classes, threads, &Bar::new())?;
        let (tables, positions, cpu) = (report.tables, report.positions, report.cpu);
        println!("{tables} tables, {positions} positions: all right ({cpu:.1} s of CPU time)");
        Ok(())
    }
}
