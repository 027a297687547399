//! `damier stats`: how many positions of each class are won, drawn and lost.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use clap::ValueEnum;
use damier::{
    Class, Color, DEFAULT_CACHE, Distance, Measure, Position, ProbeError, Rules, TableFiles,
    Tablebase, Value, Variant, with_rules,
};
use serde::Serialize;

use super::survey::{Found, Surveys};
use super::{args, print_json};

/// Count the won, drawn and lost positions of each class.
///
/// A class is the material, White first: KKMvK is two kings and a man against a king. The counts are for the side to move, White (W) or
/// Black (B), and come from the headers of the tables, which `damier verify` proves; positions without captures are counted anew.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Stats {
    #[arg(help = args::WHOSE_RULES)]
    variant: Variant,
    #[command(flatten)]
    tables: args::TablesArg,
    /// Every class of up to so many pieces; without it, those in the folder, or else those that are part of
    /// the program
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..=damier::MAX_PIECES as i64))]
    pieces: Option<u32>,
    /// Only the positions in which no capture is due, as other programs often have it; reads every table
    #[arg(long)]
    without_captures: bool,
    /// How to print: table for reading, csv or json for programs
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  damier stats english --pieces 3
  damier stats international --tables /srv/tables --format csv > counts.csv
  damier stats russian --pieces 3 --without-captures

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

/// What a position is counted as: its value, with the plies where there are distances; nothing if it is to be left out.
type Kind = Option<(Value, Option<u16>)>;

impl<R: Rules> From<&Found<Kind, R>> for Distances {
    fn from(found: &Found<Kind, R>) -> Distances {
        let of = |wanted: Value| {
            let plies = move |kind: &Kind| kind.filter(|(value, _)| *value == wanted)?.1;
            found.iter().filter_map(move |(kind, kindred)| Some((plies(kind)?, kindred)))
        };
        let longest = |value| {
            let (plies, kindred) = of(value).max_by_key(|(plies, _)| *plies)?;
            Some(Longest { plies, positions: kindred.positions, fen: kindred.first.to_fen() })
        };
        let bars = |value| of(value).map(|(plies, kindred)| (plies, kindred.positions)).collect();
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
            Some(pieces) => Some(args::classes_up_to(self.variant, pieces)),
            None => Some(tables.classes()).filter(|classes| !classes.is_empty()),
        };
        let tables = tables.with_embedded().with_cache(DEFAULT_CACHE);
        let classes = classes.unwrap_or_else(|| tables.classes());
        let tables = Arc::new(tables);
        let prober = Tablebase::with_source(tables.clone());
        let left_out = |position: &Position<R>| self.without_captures && position.capture_due();
        let value = |position: &Position<R>| match left_out(position) {
            true => Ok(None),
            false => Ok(Some((prober.probe(position)?, None))),
        };
        let distance = |position: &Position<R>| match left_out(position) {
            true => Ok(None),
            false => {
                let Distance { value, plies } = prober.distance(position, Measure::Dtw)?;
                Ok(Some((value, Some(plies))))
            }
        };
        let mut values = Surveys::new(&value);
        let mut distances = Surveys::new(&distance);
        let json = matches!(self.format, Format::Json);
        let mut rows = Vec::new();
        for class in classes {
            for turn in Color::BOTH {
                let mut row = Row::of(&tables, class, turn)?;
                if row.max_dtw.is_some() && (json || self.without_captures) {
                    let order = tables.order(class, Some(Measure::Dtw))?;
                    let found = distances.of(class, order, turn)?;
                    row.count(&found);
                    row.distances = Some(Distances::from(&found)).filter(|_| json);
                } else if self.without_captures {
                    row.count(&values.of(class, tables.order(class, None)?, turn)?);
                }
                rows.push(row);
            }
        }
        Ok(rows)
    }
}

impl Row {
    /// What the headers of a class's tables say.
    fn of<R: Rules>(tables: &TableFiles<R>, class: Class, turn: Color) -> anyhow::Result<Row> {
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

    /// Puts what was counted in the place of what the headers say.
    fn count<R: Rules>(&mut self, found: &Found<Kind, R>) {
        let kinds =
            || found.iter().filter_map(|(kind, kindred)| Some(((*kind)?, kindred.positions)));
        let of =
            |wanted| kinds().filter(|((value, _), _)| *value == wanted).map(|(_, many)| many).sum();
        (self.wins, self.draws, self.losses) = (of(Value::Win), of(Value::Draw), of(Value::Loss));
        self.positions = self.wins + self.draws + self.losses;
        let decided = kinds().filter(|((value, _), _)| *value != Value::Draw);
        self.max_dtw = decided.filter_map(|((_, plies), _)| plies).max();
    }
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
