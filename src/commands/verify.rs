//! `damier verify`: proves finished tables.

use anyhow::{Context as _, ensure};
use damier::{Class, Content, Variant};

use super::args;
use super::progress::Bar;

/// Prove tables: every checksum, and every value from the values of the positions that its moves lead to.
///
/// Only the files are read. The first thing that is wrong is named with its file, block and position, and the exit code is then 1.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Verify {
    #[arg(help = args::WHOSE_RULES)]
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
        let mut found =
            damier::found(&folder, self.variant).with_context(|| folder.display().to_string())?;
        if let Some(pieces) = self.pieces {
            for (content, classes) in &mut found {
                classes.retain(|class| class.pieces() <= pieces);
                if *content == Content::WDL {
                    // All of them are asked for, whether there or not.
                    *classes = args::classes_up_to(self.variant, pieces);
                    classes.retain(Class::is_canonical);
                }
            }
        }
        found.retain(|(_, classes)| !classes.is_empty());
        ensure!(!found.is_empty(), "{}: no tables of {}", folder.display(), self.variant);
        let threads = self.threads.map(|threads| threads as usize);
        for (content, classes) in found {
            let bar = Bar::new();
            let report = damier::verify(self.variant, &folder, content, &classes, threads, &bar)?;
            let (tables, positions, cpu) = (report.tables, report.positions, report.cpu);
            println!(
                "{content}: {tables} tables, {positions} positions: all right ({cpu:.1} s of CPU time)"
            );
        }
        Ok(())
    }
}
