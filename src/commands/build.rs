//! `damier build`: solves classes and writes their tables.

use std::io::{self, Write};

use clap::ArgGroup;
use damier::{BuildOptions, BuildReport, Class, Rules, Variant, with_rules};

use super::progress::Bar;
use super::{Answer, args, print_json};

/// Solve all positions of some classes and write their tables.
///
/// A class is the material, White first: KKMvK is two kings and a man against a king. The classes that captures and promotions lead
/// to are built as well. What is there already is kept, so that an interrupted build goes on where it was: a table is either whole or
/// absent.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group(ArgGroup::new("wanted").required(true).args(["pieces", "classes"])))]
pub struct Build {
    /// Whose rules: international, english
    variant: Variant,
    /// Every class of up to so many pieces
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..=damier::MAX_PIECES as i64))]
    pieces: Option<u32>,
    /// One class, as KKvK; can be given more than once
    #[arg(long = "class", value_name = "CLASS")]
    classes: Vec<Class>,
    #[command(flatten)]
    tables: args::TablesArg,
    /// Threads [default: one for each processor]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Memory to stay within, as 8G [default: what the machine has]
    #[arg(long, value_parser = args::bytes)]
    memory: Option<u64>,
    /// Print what was built as one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  damier build english --pieces 4
  damier build international --class KKKvKK --tables /srv/tables --threads 8 --memory 16G";

impl Build {
    pub fn run(&self) -> anyhow::Result<Answer> {
        let report = with_rules!(self.variant, R => self.build::<R>())?;
        if self.json {
            print_json(&report)?
        } else {
            print(&report)?
        }
        Ok(Answer::Done)
    }

    fn build<R: Rules>(&self) -> anyhow::Result<BuildReport> {
        let mut classes: Vec<_> = self.classes.iter().map(|class| class.canonical()).collect();
        classes.extend(args::classes_up_to(self.pieces.unwrap_or(0)).filter(Class::is_canonical));
        let options = BuildOptions {
            classes,
            tables: self.tables.folder()?,
            threads: self.threads.map(|threads| threads as usize),
            memory: self.memory,
        };
        Ok(damier::build::<R>(&options, &Bar::new())?)
    }
}

fn print(report: &BuildReport) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for class in &report.classes {
        writeln!(out, "{}", class.class)?;
    }
    Ok(())
}
