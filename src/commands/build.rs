//! `damier build`: solves classes and writes their tables.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{ArgGroup, ValueEnum};
use damier::{BuildOptions, BuildReport, Class, ClassReport, Codec, DrawRuleSet, Metric, Variant};
use serde::Serialize;

use super::progress::Bar;
use super::{args, print_json};

/// Solve all positions of some classes and write their tables.
///
/// A class is the material, White first: KKMvK is two kings and a man against a king. The classes that captures and promotions lead
/// to are built as well. What is there already is kept, so that an interrupted build goes on where it was: a table is either whole or
/// absent.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group(ArgGroup::new("wanted").required(true).args(["pieces", "classes"])))]
pub struct Build {
    #[arg(help = args::WHOSE_RULES)]
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
    /// How to compress the tables
    #[arg(long, value_enum, default_value_t = CodecName::Compact)]
    codec: CodecName,
    /// What the tables tell: wdl, win, draw or loss; dtw, plies to the end; dtc, plies to the next capture or man move; with commas
    #[arg(long = "metric", value_name = "METRICS", value_delimiter = ',', default_value = "wdl", value_parser = args::metric)]
    metrics: Vec<Metric>,
    /// Draw rules under which to tell what is won, and with how many plies of their counter (dtr): fmjd, cbd, ...; with commas
    #[arg(long, value_name = "SETS", value_delimiter = ',')]
    rules: Vec<DrawRuleSet>,
    /// Print what was built as one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  damier build english --pieces 4
  damier build international --pieces 3 --metric wdl,dtw --rules fmjd
  damier build international --class KKKvKK --tables /srv/tables --threads 8 --memory 16G";

#[derive(Clone, Copy, ValueEnum)]
enum CodecName {
    /// Smallest files
    Compact,
    /// Fourteen times the size, written in less than half the time and read in a third
    Fast,
}

impl From<CodecName> for Codec {
    fn from(name: CodecName) -> Codec {
        match name {
            CodecName::Compact => Codec::Context,
            CodecName::Fast => Codec::Plain,
        }
    }
}

/// What was built, as JSON has it. Seconds are of CPU time unless they say otherwise.
#[derive(Serialize)]
struct Report {
    variant: &'static str,
    tables: PathBuf,
    present: usize,
    classes: Vec<ClassJson>,
    cpu_seconds: f64,
    wall_seconds: f64,
    peak_memory_bytes: Option<u64>,
}

#[derive(Serialize)]
struct ClassJson {
    class: String,
    metric: &'static str,
    positions: u64,
    captures_seconds: f64,
    solve_seconds: f64,
    encode_seconds: f64,
    write_seconds: f64,
    bytes: u64,
    bits_per_position: f64,
}

impl From<&ClassReport> for ClassJson {
    fn from(report: &ClassReport) -> ClassJson {
        ClassJson {
            class: report.class.to_string(),
            metric: report.content.metric.name(),
            positions: report.positions,
            captures_seconds: report.phases.captures,
            solve_seconds: report.phases.sweeps,
            encode_seconds: report.encode,
            write_seconds: report.write,
            bytes: report.bytes,
            bits_per_position: report.bits(),
        }
    }
}

impl Build {
    pub fn run(&self) -> anyhow::Result<()> {
        let report = self.build()?;
        if self.json {
            print_json(&Report {
                variant: self.variant.name(),
                tables: self.tables.folder()?,
                present: report.present,
                classes: report.classes.iter().map(ClassJson::from).collect(),
                cpu_seconds: report.cpu,
                wall_seconds: report.wall,
                peak_memory_bytes: report.peak_memory,
            })?;
        } else {
            print(&report)?;
        }
        Ok(())
    }

    fn build(&self) -> anyhow::Result<BuildReport> {
        let up_to = args::classes_up_to(self.variant, self.pieces.unwrap_or(0));
        let classes = self.classes.iter().chain(&up_to).map(|class| class.canonical()).collect();
        let options = BuildOptions {
            classes,
            tables: self.tables.folder()?,
            threads: self.threads.map(|threads| threads as usize),
            memory: self.memory,
            codec: self.codec.into(),
            contents: args::contents(&self.metrics, &self.rules),
        };
        Ok(damier::build(self.variant, &options, &Bar::new())?)
    }
}

fn print(report: &BuildReport) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for class in &report.classes {
        let ClassReport { class: name, positions, bytes, .. } = class;
        writeln!(
            out,
            "{name:12} {positions:>15} positions {bytes:>12} bytes {:.3} bits each",
            class.bits()
        )?;
    }
    let positions: u64 = report.classes.iter().map(|class| class.positions).sum();
    let bytes: u64 = report.classes.iter().map(|class| class.bytes).sum();
    writeln!(
        out,
        "{} tables built, {} there already: {positions} positions, {bytes} bytes, {:.1} s of CPU time, {:.1} s in all",
        report.classes.len(),
        report.present,
        report.cpu,
        report.wall
    )
}
