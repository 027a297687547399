//! `damier probe`: the value of a position and of each of its moves.

use std::io::{self, Write};

use damier::{Position, RatedMove, Rules, Tablebase, Value, Variant, with_rules};
use serde::Serialize;

use super::{args, print_json};

/// Say who wins a position, and what each move is worth.
///
/// Every class of up to three pieces, and one king against three pieces, is answered with nothing set up; more from the tables that `damier
/// build` has made. The moves come best first, each with its value for the side that makes it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Probe {
    /// Whose rules: international, english
    variant: Variant,
    /// The position: side to move, then each side's squares, kings with K
    fen: String,
    #[command(flatten)]
    tables: args::TablesArg,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  damier probe international \"W:WK1,K2,K3:BK50\"
  damier probe english \"B:W18,K22:BK1,5\" --tables /srv/tables
  damier probe international \"W:W31-33:BK4\" --json

FEN: W or B to move, then the squares of White and of Black, each a number, a range as 31-35, or a
king as K4. Squares count from 1 at Black's side.";

/// The answer, as JSON has it.
#[derive(Serialize)]
struct Report {
    variant: &'static str,
    fen: String,
    turn: char,
    #[serde(flatten)]
    result: Outcome,
    moves: Vec<MoveReport>,
}

#[derive(Serialize)]
struct MoveReport {
    #[serde(rename = "move")]
    text: String,
    fen: String,
    #[serde(flatten)]
    result: Outcome,
}

/// A value and the distances that belong to it, null where no table holds them.
#[derive(Serialize)]
struct Outcome {
    result: &'static str,
    dtw: Option<u32>,
    dtc: Option<u32>,
    dtr: Option<u32>,
}

impl From<Value> for Outcome {
    fn from(value: Value) -> Outcome {
        Outcome { result: value.name(), dtw: None, dtc: None, dtr: None }
    }
}

impl Probe {
    pub fn run(&self) -> anyhow::Result<()> {
        let report = with_rules!(self.variant, R => self.report::<R>())?;
        if self.json {
            print_json(&report)?
        } else {
            print(&report)?
        }
        Ok(())
    }

    fn report<R: Rules>(&self) -> anyhow::Result<Report> {
        let position = self.fen.parse::<Position<R>>()?;
        let tables = Tablebase::with_source(self.tables.open::<R>()?.with_embedded());
        let value = tables.probe(&position)?;
        let report = |RatedMove { mv, after, value }: RatedMove<R>| MoveReport {
            text: position.move_text(mv),
            fen: after.to_fen(),
            result: value.into(),
        };
        Ok(Report {
            variant: R::VARIANT.name(),
            fen: position.to_fen(),
            turn: position.turn().letter(),
            result: value.into(),
            moves: tables.moves(&position)?.into_iter().map(report).collect(),
        })
    }
}

fn print(report: &Report) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let turn = if report.turn == 'W' { "White" } else { "Black" };
    writeln!(out, "{}  {turn} to move: {}", report.fen, report.result.result)?;
    if report.moves.is_empty() {
        writeln!(out, "no legal move")?;
    }
    let width = report.moves.iter().map(|mv| mv.text.len()).max().unwrap_or(0);
    for MoveReport { text, fen, result } in &report.moves {
        writeln!(out, "  {:4}  {text:width$}  {fen}", result.result)?;
    }
    Ok(())
}
