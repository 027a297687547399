//! `damier stats`: how many positions of each class are won, drawn and lost.

use std::io::{self, Write};

use clap::ValueEnum;
use damier::{Class, Color, Rules, TableFiles, Variant, with_rules};
use serde::Serialize;

use super::{args, print_json};

/// Count the won, drawn and lost positions of each class.
///
/// A class is the material, White first: KKMvK is two kings and a man against a king. The counts are for the side to move, White (W) or
/// Black (B), and come from the headers of the tables, which `damier verify` proves.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Stats {
    /// Whose rules: international, english
    variant: Variant,
    #[command(flatten)]
    tables: args::TablesArg,
    /// Every class of up to so many pieces; without it, those in the folder, or else those that are part of
    /// the program
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..=damier::MAX_PIECES as i64))]
    pieces: Option<u32>,
    /// How to print: table for reading, csv or json for programs
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  damier stats english --pieces 3
  damier stats international --tables /srv/tables --format csv > counts.csv

The csv has the columns class,turn,positions,wins,draws,losses,max_dtw; max_dtw, the plies of the
longest win or loss, is empty where no distances were built.";

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Table,
    Csv,
    Json,
}

/// The counts of one class with one side to move.
#[derive(Serialize)]
struct Row {
    class: String,
    turn: char,
    positions: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    max_dtw: Option<u32>,
}

impl Stats {
    pub fn run(&self) -> anyhow::Result<()> {
        let rows = with_rules!(self.variant, R => self.rows::<R>())?;
        match self.format {
            Format::Table => print_table(&rows)?,
            Format::Csv => print_csv(&rows)?,
            Format::Json => print_json(&rows)?,
        }
        Ok(())
    }

    fn rows<R: Rules>(&self) -> anyhow::Result<Vec<Row>> {
        let tables = self.tables.open::<R>()?;
        let classes = match self.pieces {
            Some(pieces) => Some(args::classes_up_to(pieces).collect()),
            None => Some(tables.classes()).filter(|classes| !classes.is_empty()),
        };
        let tables = tables.with_embedded();
        let classes = classes.unwrap_or_else(|| tables.classes());
        let mut rows = Vec::new();
        for class in classes {
            for turn in Color::BOTH {
                rows.push(row(&tables, class, turn)?);
            }
        }
        Ok(rows)
    }
}

fn row<R: Rules>(tables: &TableFiles<R>, class: Class, turn: Color) -> anyhow::Result<Row> {
    let counts = tables.counts(class, turn)?;
    Ok(Row {
        class: class.to_string(),
        turn: turn.letter(),
        positions: counts.wins + counts.draws + counts.losses,
        wins: counts.wins,
        draws: counts.draws,
        losses: counts.losses,
        max_dtw: None,
    })
}

fn print_csv(rows: &[Row]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "class,turn,positions,wins,draws,losses,max_dtw")?;
    for Row { class, turn, positions, wins, draws, losses, max_dtw } in rows {
        let max_dtw = max_dtw.map(|plies| plies.to_string()).unwrap_or_default();
        writeln!(out, "{class},{turn},{positions},{wins},{draws},{losses},{max_dtw}")?;
    }
    Ok(())
}

fn print_table(rows: &[Row]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let width = rows.iter().map(|row| row.class.len()).max().unwrap_or(0).max("class".len());
    writeln!(
        out,
        "{:width$} turn {:>14} {:>14} {:>14} {:>14}",
        "class", "positions", "wins", "draws", "losses"
    )?;
    for Row { class, turn, positions, wins, draws, losses, .. } in rows {
        writeln!(
            out,
            "{class:width$} {turn:4} {positions:>14} {wins:>14} {draws:>14} {losses:>14}"
        )?;
    }
    Ok(())
}
