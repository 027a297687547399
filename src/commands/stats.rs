//! `damier stats`: how many positions of each class are won, drawn and lost.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use clap::ValueEnum;
use damier::{
    Class, Color, DEFAULT_CACHE, Distance, Measure, ProbeError, Rules, TableFiles, Tablebase,
    Value, Variant, with_rules,
};
use serde::Serialize;

use super::survey::{Found, Surveys};
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
longest win or loss, is empty where no distances were built. Where they were, json has how many
positions are won and lost in how many plies, and one of the longest; that reads every table.";

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
    max_dtw: Option<u16>,
    #[serde(flatten)]
    distances: Option<Distances>,
}

/// How far the wins and losses of one class with one side to move are.
#[derive(Serialize)]
struct Distances {
    longest_win: Option<Longest>,
    longest_loss: Option<Longest>,
    /// Positions by plies.
    histogram: Histogram,
}

#[derive(Serialize)]
struct Longest {
    plies: u16,
    positions: u64,
    fen: String,
}

#[derive(Serialize)]
struct Histogram {
    wins: BTreeMap<u16, u64>,
    losses: BTreeMap<u16, u64>,
}

impl<R: Rules> From<&Found<Distance, R>> for Distances {
    fn from(found: &Found<Distance, R>) -> Distances {
        let of = |value: Value| found.iter().filter(move |(distance, _)| distance.value == value);
        let longest = |value| {
            let (distance, kindred) = of(value).max_by_key(|(distance, _)| distance.plies)?;
            let (positions, fen) = (kindred.positions, kindred.first.to_fen());
            Some(Longest { plies: distance.plies, positions, fen })
        };
        let bars = |value| {
            of(value).map(|(distance, kindred)| (distance.plies, kindred.positions)).collect()
        };
        Distances {
            longest_win: longest(Value::Win),
            longest_loss: longest(Value::Loss),
            histogram: Histogram { wins: bars(Value::Win), losses: bars(Value::Loss) },
        }
    }
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
        let tables = tables.with_embedded().with_cache(DEFAULT_CACHE);
        let classes = classes.unwrap_or_else(|| tables.classes());
        let tables = Arc::new(tables);
        let prober = Tablebase::with_source(tables.clone());
        let kind = |position: &_| prober.distance(position, Measure::Dtw);
        let mut surveys = Surveys::new(&kind);
        let mut rows = Vec::new();
        for class in classes {
            for turn in Color::BOTH {
                let mut row = row(&tables, class, turn)?;
                if matches!(self.format, Format::Json) && row.max_dtw.is_some() {
                    let order = tables.order(class, Some(Measure::Dtw))?;
                    row.distances = Some((&surveys.of(class, order, turn)?).into());
                }
                rows.push(row);
            }
        }
        Ok(rows)
    }
}

fn row<R: Rules>(tables: &TableFiles<R>, class: Class, turn: Color) -> anyhow::Result<Row> {
    let counts = tables.counts(class, turn)?;
    let longest = match tables.longest(class, turn, Measure::Dtw) {
        Err(ProbeError::NoDistances { .. }) => [None; 2],
        longest => longest?,
    };
    Ok(Row {
        class: class.to_string(),
        turn: turn.letter(),
        positions: counts.wins + counts.draws + counts.losses,
        wins: counts.wins,
        draws: counts.draws,
        losses: counts.losses,
        max_dtw: longest.into_iter().flatten().max(),
        distances: None,
    })
}

fn print_csv(rows: &[Row]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "class,turn,positions,wins,draws,losses,max_dtw")?;
    for Row { class, turn, positions, wins, draws, losses, max_dtw, .. } in rows {
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
        "{:width$} turn {:>14} {:>14} {:>14} {:>14} {:>7}",
        "class", "positions", "wins", "draws", "losses", "max_dtw"
    )?;
    for Row { class, turn, positions, wins, draws, losses, max_dtw, .. } in rows {
        let max_dtw = max_dtw.map(|plies| plies.to_string()).unwrap_or_default();
        writeln!(
            out,
            "{class:width$} {turn:4} {positions:>14} {wins:>14} {draws:>14} {losses:>14} {max_dtw:>7}"
        )?;
    }
    Ok(())
}
