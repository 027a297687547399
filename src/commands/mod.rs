//! The sub-commands, one a file, and what they share: arguments, output, exit codes.
//!
//! Results go to standard output, progress and errors to standard error, an error as one line. The exit code is 0 where
//! all is done, 1 where the answer is no or a table is bad, and 2 where what was asked for cannot be done.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use damier::{BuildError, ProbeError, Variant, VerifyError};

mod args;
mod build;
mod embed;
mod game;
mod line;
mod perft;
mod probe;
mod progress;
mod rules;
mod stats;
mod survey;
mod verify;

/// Endgame tables of draughts: build them, ask them, check them.
///
/// A table holds the value, win, draw or loss, of every position of some material with best play. The small ones are
/// part of the program, so that `damier probe` answers at once; `damier build` makes the others.
#[derive(Parser)]
#[command(name = "damier", version, disable_help_subcommand = true, after_help = after_help())]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  damier probe international \"W:WK1,K2,K3:BK50\"    who wins, and the moves, best first
  damier build english --pieces 4                  all tables of up to four pieces
  damier line english \"W:WK1,K2:BK32\"              best play to the end of the game
  damier rules international --rules fmjd --class KKKvK
                                                   which wins the draw rules take away
  damier stats english --pieces 3                  how many positions are won, drawn, lost
  damier verify english                            prove every value of every table
  damier perft international 6                     count the positions six plies on

Exit codes: 0 done, 1 the answer is no or a table is bad, 2 it cannot be done as asked.";

/// Examples, and the names of the variants.
fn after_help() -> String {
    let names = Variant::ALL.iter().map(|variant| match variant.aliases() {
        [] => variant.name().to_owned(),
        aliases => format!("{} ({})", variant.name(), aliases.join(", ")),
    });
    format!("{EXAMPLES}\n\nVariants: {}.", names.collect::<Vec<_>>().join(", "))
}

#[derive(Subcommand)]
enum Command {
    Build(build::Build),
    Probe(probe::Probe),
    Line(line::Line),
    Rules(rules::RulesReport),
    Verify(verify::Verify),
    Stats(stats::Stats),
    Perft(perft::Perft),
    Embed(embed::Embed),
}

/// Runs the command line that the program was started with.
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let result = match cli.command {
        Command::Build(build) => build.run(),
        Command::Probe(probe) => probe.run(),
        Command::Line(line) => line.run(),
        Command::Rules(rules) => rules.run(),
        Command::Verify(verify) => verify.run(),
        Command::Stats(stats) => stats.run(),
        Command::Perft(perft) => perft.run(),
        Command::Embed(embed) => embed.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is::<rules::Refuted>() => ExitCode::from(1),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", message(&error));
            ExitCode::from(if is_bad_table(&error) { 1 } else { 2 })
        }
    }
}

/// Prints help where it was asked for, else what is wrong with the arguments, as one line.
fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // A closed pipe is no reason to fail.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.render().to_string();
    let what = text.split("\n\nUsage:").next().unwrap_or(&text);
    let what = what.split("\n\nFor more").next().unwrap_or(what);
    eprintln!("{}", one_line(what));
    ExitCode::from(2)
}

/// The words of a text on one line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the reader of our output has gone, as `head` does when it has enough.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Whether a file is to blame, and not what was asked for.
fn is_bad_table(error: &anyhow::Error) -> bool {
    let probe = error.downcast_ref::<ProbeError>();
    let build = error.downcast_ref::<BuildError>();
    matches!(probe, Some(ProbeError::Damaged { .. } | ProbeError::Foreign { .. }))
        || matches!(build, Some(BuildError::Table { .. }))
        || error.is::<VerifyError>()
}

/// An error and its causes on one line; a cause that the text has already is left out.
fn message(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    one_line(&text)
}

/// Writes a result as indented JSON.
fn print_json(result: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, result).map_err(io::Error::from)?;
    Ok(writeln!(out)?)
}
