//! `damier rules`: what draw rules make of a class, for those who have to judge them.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;
use std::sync::Arc;

use anyhow::bail;
use clap::{ArgGroup, ValueEnum};
use damier::{
    Class, Color, DEFAULT_CACHE, DrawRule, DrawRuleSet, Material, Measure, ProbeError, RuleValue,
    Rules, TableFiles, Tablebase, Variant, counts_without, with_rules,
};
use serde::Serialize;

use super::survey::{Found, Surveys};
use super::{args, print_json};

/// Report what a set of draw rules makes of the positions of a class: which wins it takes away, and how near the others come.
///
/// Five values: won, won on the board but drawn by the rules (cursed win), drawn, lost on the board but drawn by the rules (blessed loss),
/// lost. The counts are for the side to move, with nothing on the counter. For one class there is also with how many plies of the
/// counter positions are won, and how many of the wins are gone with how many plies already on it.
///
/// Needs the tables that `damier build --rules SET` makes, beside those of win, draw and loss.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group(ArgGroup::new("wanted").required(true).args(["pieces", "class"])))]
pub struct RulesReport {
    /// Whose rules: international, english
    variant: Variant,
    #[command(flatten)]
    tables: args::TablesArg,
    /// Draw rules: fmjd, fmjd-older, fmjd64, cbd, wcdf, fid, apca, frisian [default: the usual ones of the variant]
    #[arg(long, value_name = "SET")]
    rules: Option<DrawRuleSet>,
    /// Every class of up to so many pieces
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..=damier::MAX_PIECES as i64))]
    pieces: Option<u32>,
    /// One class, as KKKvK
    #[arg(long, value_name = "CLASS")]
    class: Option<Class>,
    /// How to print: table for reading, csv or json for programs
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// A claim about all wins of both sides, to be answered with yes, exit code 0, or no, exit code 1: harmless, margin=PLIES,
    /// longest=PLIES
    #[arg(long, value_name = "CLAIM")]
    claim: Option<Claim>,
}

const EXAMPLES: &str = "\
Examples:
  damier rules international --rules fmjd --class KKKvK
  damier rules brazilian --rules cbd --pieces 4 --format csv
  damier rules international --rules fmjd --class KKMvK --claim harmless

Claims, each with nothing on the counter at first:
  harmless       no position that is won on the board is drawn by the rules
  margin=3       every win that stands leaves three plies of the counter or more
  longest=28     no win that stands takes more than 28 plies on the counter

The csv has the columns class,turn,positions,wins,cursed_wins,draws,blessed_losses,losses.";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Table,
    Csv,
    Json,
}

/// What may be so or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    Harmless,
    Margin(u16),
    Longest(u16),
}

impl FromStr for Claim {
    type Err = String;

    fn from_str(text: &str) -> Result<Claim, String> {
        let plies = |text: &str| text.parse::<u16>().ok();
        let claim = match text.split_once('=') {
            None if text == "harmless" => Some(Claim::Harmless),
            Some(("margin", value)) => plies(value).map(Claim::Margin),
            Some(("longest", value)) => plies(value).map(Claim::Longest),
            _ => None,
        };
        claim.ok_or_else(|| {
            format!("expected harmless, margin=PLIES or longest=PLIES, found {text:?}")
        })
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Harmless => f.write_str("harmless"),
            Claim::Margin(plies) => write!(f, "margin={plies}"),
            Claim::Longest(plies) => write!(f, "longest={plies}"),
        }
    }
}

/// The answer to a claim was no; it has been said.
#[derive(Debug)]
pub struct Refuted;

impl fmt::Display for Refuted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the claim is wrong")
    }
}

impl Error for Refuted {}

/// The counts of one class with one side to move.
#[derive(Clone, Copy)]
struct Row {
    class: Class,
    turn: Color,
    /// In the order of [`RuleValue::ALL`].
    counts: [u64; 5],
    /// Plies on the counter of the longest win and the longest loss.
    longest: [Option<u16>; 2],
}

impl Row {
    fn positions(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The wins, of whichever side, that the rules take away.
    fn taken(&self) -> u64 {
        self.counts[1] + self.counts[3]
    }

    fn share(&self, count: u64) -> f64 {
        if count == 0 { 0.0 } else { count as f64 / self.positions() as f64 }
    }
}

/// The tables that a report is made from.
struct Asked<R: Rules> {
    set: DrawRuleSet,
    files: Arc<TableFiles<R>>,
    prober: Tablebase<R>,
}

impl RulesReport {
    pub fn run(&self) -> anyhow::Result<()> {
        with_rules!(self.variant, R => self.report::<R>())
    }

    fn report<R: Rules>(&self) -> anyhow::Result<()> {
        let set = self.rules.unwrap_or(self.variant.default_draw_rules());
        match self.rules {
            Some(none) if none.rules().is_empty() => {
                bail!("--rules {none}: there is nothing to report")
            }
            None if set.rules().is_empty() => {
                bail!("{} has no usual draw rules: name some with --rules", self.variant)
            }
            _ => {}
        }
        let files = Arc::new(self.tables.open::<R>()?.with_embedded().with_cache(DEFAULT_CACHE));
        let prober = Tablebase::with_source(files.clone());
        let asked = Asked { set, files, prober };
        let classes = match self.pieces {
            Some(pieces) => args::classes_up_to(pieces).collect(),
            None => self.class.into_iter().collect::<Vec<_>>(),
        };
        let turns = classes.iter().flat_map(|class| Color::BOTH.map(|turn| (*class, turn)));
        let rows = turns.map(|(class, turn)| asked.row(class, turn));
        let rows: Vec<Row> = rows.collect::<Result<_, ProbeError>>()?;
        let json = self.json || self.format == Format::Json;
        match self.claim {
            Some(claim) => asked.answer(claim, &rows, json),
            None if json => print_json(&SetReport {
                variant: self.variant.name(),
                rules: set.name(),
                classes: asked.details(&rows)?,
            }),
            None if self.format == Format::Csv => Ok(print_csv(&rows)?),
            None if self.class.is_some() => {
                asked.details(&rows)?.iter().try_for_each(|class| Ok(print_class(set, class)?))
            }
            None => Ok(print_table(set, &rows)?),
        }
    }
}

/// The rule that binds in a class.
fn binding(set: DrawRuleSet, class: Class) -> Option<&'static DrawRule> {
    set.applying(Material {
        men: [class.white.men, class.black.men],
        kings: [class.white.kings, class.black.kings],
    })
}

impl<R: Rules> Asked<R> {
    fn measure(&self) -> Measure {
        Measure::Dtr(self.set)
    }

    /// From the headers of the tables alone.
    fn row(&self, class: Class, turn: Color) -> Result<Row, ProbeError> {
        let on_board = self.files.counts(class, turn)?;
        let ruled = self.files.counts_measured(class, turn, self.measure())?;
        let counts = [
            ruled.wins,
            on_board.wins.saturating_sub(ruled.wins),
            on_board.draws,
            on_board.losses.saturating_sub(ruled.losses),
            ruled.losses,
        ];
        let longest = self.files.longest(class, turn, self.measure())?;
        Ok(Row { class, turn, counts, longest })
    }

    /// Value and plies on the counter of a position.
    fn kind(&self, position: &damier::Position<R>) -> Result<(RuleValue, u16), ProbeError> {
        let distance = self.prober.distance(position, self.measure())?;
        match distance.decided() {
            Some(plies) => Ok((distance.value.into(), plies)),
            None => Ok((RuleValue::drawn(self.prober.probe(position)?), 0)),
        }
    }

    /// Says whether a claim holds.
    fn answer(&self, claim: Claim, rows: &[Row], json: bool) -> anyhow::Result<()> {
        let breaks = |row: &&Row| self.breaks(claim, row);
        let against = match rows.iter().find(breaks) {
            Some(row) => Some(self.example(claim, row)?),
            None => None,
        };
        let holds = against.is_none();
        if json {
            print_json(&Answer {
                claim: claim.to_string(),
                rules: self.set.name(),
                holds,
                against,
            })?;
        } else {
            let mut out = io::stdout().lock();
            match &against {
                None => writeln!(out, "yes, {claim} holds under {}", self.set)?,
                Some(Against { class, fen, value, plies }) => {
                    let plies = plies
                        .map(|plies| format!(", {plies} plies on the counter"))
                        .unwrap_or_default();
                    writeln!(
                        out,
                        "no, {claim} does not hold under {}: {class}, {fen}: {value}{plies}",
                        self.set
                    )?;
                }
            }
        }
        if holds { Ok(()) } else { Err(Refuted.into()) }
    }

    /// Whether some position of a row is against a claim.
    fn breaks(&self, claim: Claim, row: &Row) -> bool {
        match claim {
            Claim::Harmless => row.taken() > 0,
            Claim::Margin(_) | Claim::Longest(_) => row
                .longest
                .into_iter()
                .flatten()
                .any(|plies| self.is_too_long(claim, row.class, plies)),
        }
    }

    /// Whether a win or loss that takes so many plies is against a claim.
    fn is_too_long(&self, claim: Claim, class: Class, plies: u16) -> bool {
        match claim {
            Claim::Harmless => false,
            Claim::Margin(margin) => binding(self.set, class)
                .is_some_and(|rule| rule.limit.saturating_sub(plies) < margin),
            Claim::Longest(longest) => plies > longest,
        }
    }

    /// A position of a row that is against a claim.
    fn example(&self, claim: Claim, row: &Row) -> anyhow::Result<Against> {
        let kind = |position: &_| self.kind(position);
        let order = self.files.order(row.class, Some(self.measure()))?;
        let found = Surveys::new(&kind).of(row.class, order, row.turn)?;
        let is_against = |&(value, plies): &(RuleValue, u16)| match claim {
            Claim::Harmless => matches!(value, RuleValue::CursedWin | RuleValue::BlessedLoss),
            _ => self.is_too_long(claim, row.class, plies),
        };
        let against =
            found.iter().filter(|(kind, _)| is_against(kind)).max_by_key(|(kind, _)| kind.1);
        let Some((&(value, plies), kindred)) = against else {
            bail!("{}: the header of a table and its values contradict each other", row.class)
        };
        Ok(Against {
            class: row.class.to_string(),
            fen: kindred.first.to_fen(),
            value: value.name(),
            plies: matches!(value, RuleValue::Win | RuleValue::Loss).then_some(plies),
        })
    }

    /// What each rule takes away by itself: what would be won or lost if it alone were lifted.
    fn by_rule(&self, row: &Row) -> Vec<Taken> {
        let mirrored = !row.class.is_canonical();
        let turn = if mirrored { !row.turn } else { row.turn };
        let taken = |rule: &'static DrawRule| {
            let [wins, .., losses] = row.counts;
            let (more_wins, more_losses) = match row.taken() {
                0 => (Some(0), Some(0)),
                _ => {
                    let counts = counts_without::<R>(row.class.canonical(), self.set, rule);
                    let counts = counts.map(|counts| counts[turn.index()]);
                    (
                        counts.map(|counts| counts.wins - wins),
                        counts.map(|counts| counts.losses - losses),
                    )
                }
            };
            Taken { name: rule.name, article: rule.article, wins: more_wins, losses: more_losses }
        };
        self.set.rules().iter().map(taken).collect()
    }

    /// The reports of classes of which there are rows for both turns.
    fn details(&self, rows: &[Row]) -> anyhow::Result<Vec<ClassReport>> {
        let kind = |position: &_| self.kind(position);
        let mut surveys = Surveys::new(&kind);
        let mut reports: Vec<ClassReport> = Vec::new();
        for row in rows {
            let order = self.files.order(row.class, Some(self.measure()))?;
            let found = surveys.of(row.class, order, row.turn)?;
            let rule = binding(self.set, row.class);
            let mut turn = TurnReport::new(row, rule, &found);
            turn.by_rule = self.by_rule(row);
            match reports.last_mut().filter(|report| report.class == row.class.to_string()) {
                Some(report) => report.turns.push(turn),
                None => reports.push(ClassReport {
                    class: row.class.to_string(),
                    rule: rule.map(RuleJson::from),
                    turns: vec![turn],
                }),
            }
        }
        Ok(reports)
    }
}

/// The answer to a claim, as JSON has it.
#[derive(Serialize)]
struct Answer {
    claim: String,
    rules: &'static str,
    holds: bool,
    against: Option<Against>,
}

/// A position that is against a claim.
#[derive(Serialize)]
struct Against {
    class: String,
    fen: String,
    value: &'static str,
    plies: Option<u16>,
}

/// The report, as JSON has it.
#[derive(Serialize)]
struct SetReport {
    variant: &'static str,
    rules: &'static str,
    classes: Vec<ClassReport>,
}

#[derive(Serialize)]
struct ClassReport {
    class: String,
    /// The rule that binds for the class.
    rule: Option<RuleJson>,
    turns: Vec<TurnReport>,
}

#[derive(Serialize)]
struct RuleJson {
    name: &'static str,
    article: &'static str,
    limit: u16,
}

impl From<&DrawRule> for RuleJson {
    fn from(rule: &DrawRule) -> RuleJson {
        RuleJson { name: rule.name, article: rule.article, limit: rule.limit }
    }
}

/// One side to move.
#[derive(Serialize)]
struct TurnReport {
    turn: char,
    positions: u64,
    values: Vec<ValueReport>,
    /// The plies that the longest win or loss leaves of the counter.
    margin: Option<u16>,
    /// What is gone with some plies on the counter, from one on.
    by_counter: Vec<Gone>,
    by_rule: Vec<Taken>,
}

/// How many more would be won and lost if one rule were lifted; nothing where that was not to be found out.
#[derive(Serialize)]
struct Taken {
    name: &'static str,
    article: &'static str,
    wins: Option<u64>,
    losses: Option<u64>,
}

#[derive(Serialize)]
struct ValueReport {
    value: &'static str,
    positions: u64,
    share: f64,
    /// One of the positions, of those that take the most plies.
    fen: Option<String>,
    /// The most plies on the counter, and how many positions take them.
    longest: Option<u16>,
    longest_positions: Option<u64>,
    /// Positions by plies on the counter.
    histogram: BTreeMap<u16, u64>,
}

/// How many of the wins and losses are no more with so many plies on the counter.
#[derive(Serialize)]
struct Gone {
    counter: u16,
    wins: u64,
    losses: u64,
}

impl TurnReport {
    fn new<R: Rules>(
        row: &Row,
        rule: Option<&DrawRule>,
        found: &Found<(RuleValue, u16), R>,
    ) -> TurnReport {
        let values = RuleValue::ALL.into_iter().zip(row.counts).map(|(value, positions)| {
            let kinds = found.iter().filter(|((of, _), _)| *of == value);
            let longest = kinds.clone().max_by_key(|((_, plies), _)| *plies);
            let is_counted = matches!(value, RuleValue::Win | RuleValue::Loss);
            let counted = longest.filter(|_| is_counted);
            ValueReport {
                value: value.name(),
                positions,
                share: row.share(positions),
                fen: longest.map(|(_, kindred)| kindred.first.to_fen()),
                longest: counted.map(|((_, plies), _)| *plies),
                longest_positions: counted.map(|(_, kindred)| kindred.positions),
                histogram: kinds
                    .filter(|_| is_counted)
                    .map(|((_, plies), kindred)| (*plies, kindred.positions))
                    .collect(),
            }
        });
        let values: Vec<_> = values.collect();
        let limit = rule.map(|rule| rule.limit);
        let left = limit.zip(row.longest.into_iter().flatten().max());
        let gone = |counter: u16| {
            let gone = |value: RuleValue| {
                let in_time = |plies: u16| {
                    plies == 0 || counter.saturating_add(plies) <= limit.unwrap_or(u16::MAX)
                };
                let late = found.iter().filter(|((of, plies), _)| *of == value && !in_time(*plies));
                late.map(|(_, kindred)| kindred.positions).sum()
            };
            Gone { counter, wins: gone(RuleValue::Win), losses: gone(RuleValue::Loss) }
        };
        TurnReport {
            turn: row.turn.letter(),
            positions: row.positions(),
            values,
            margin: left.map(|(limit, plies)| limit.saturating_sub(plies)),
            by_counter: (1..=limit.unwrap_or(0)).map(gone).collect(),
            by_rule: Vec::new(),
        }
    }
}

fn print_csv(rows: &[Row]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "class,turn,positions,wins,cursed_wins,draws,blessed_losses,losses")?;
    for row in rows {
        let counts = row.counts.map(|count| count.to_string()).join(",");
        writeln!(out, "{},{},{},{counts}", row.class, row.turn.letter(), row.positions())?;
    }
    Ok(())
}

fn print_table(set: DrawRuleSet, rows: &[Row]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let width = rows.iter().map(|row| row.class.to_string().len()).max().unwrap_or(0).max(5);
    writeln!(
        out,
        "{:width$} turn {:>13} {:>13} {:>12} {:>13} {:>14} {:>13} {:>7} {:>5}  rule",
        "class",
        "positions",
        "wins",
        "cursed_wins",
        "draws",
        "blessed_losses",
        "losses",
        "longest",
        "limit"
    )?;
    for row in rows {
        let [wins, cursed, draws, blessed, losses] = row.counts;
        let rule = binding(set, row.class);
        let or_none = |plies: Option<u16>| plies.map(|plies| plies.to_string()).unwrap_or_default();
        writeln!(
            out,
            "{:width$} {:4} {:>13} {wins:>13} {cursed:>12} {draws:>13} {blessed:>14} {losses:>13} {:>7} {:>5}  {}",
            row.class,
            row.turn.letter(),
            row.positions(),
            or_none(row.longest.into_iter().flatten().max()),
            or_none(rule.map(|rule| rule.limit)),
            rule.map_or("none", |rule| rule.article),
        )?;
    }
    let taken: u64 = rows.iter().map(Row::taken).sum();
    writeln!(out, "{}", verdict(taken))
}

fn verdict(taken: u64) -> String {
    match taken {
        0 => "Harmless from a fresh counter: no win on the board is drawn by the rules.".to_owned(),
        1 => "One win on the board is drawn by the rules, the counter being fresh.".to_owned(),
        _ => format!("{taken} wins on the board are drawn by the rules, the counter being fresh."),
    }
}

fn print_class(set: DrawRuleSet, report: &ClassReport) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match &report.rule {
        Some(RuleJson { name, article, limit }) => {
            writeln!(out, "{} under {set}: {name}, {article}, {limit} plies", report.class)?;
        }
        None => writeln!(out, "{} under {set}: no rule applies", report.class)?,
    }
    let mut taken = 0;
    for turn in &report.turns {
        let side = if turn.turn == 'W' { "White" } else { "Black" };
        writeln!(out, "\n{side} to move: {} positions", turn.positions)?;
        for ValueReport { value, positions, share, fen, longest, longest_positions, .. } in
            &turn.values
        {
            let fen = fen.as_deref().unwrap_or_default();
            let longest = match (longest, longest_positions) {
                (Some(plies), Some(positions)) => {
                    format!("  longest {plies}, {positions} of them:")
                }
                _ => String::new(),
            };
            let line =
                format!("  {value:12} {positions:>13} {:>7.3} %{longest}  {fen}", 100.0 * share);
            writeln!(out, "{}", line.trim_end())?;
        }
        taken += taken_here(turn);
        if taken_here(turn) > 0 {
            print_taken(&mut out, turn)?;
        }
        print_plies(&mut out, turn)?;
    }
    let margin = report.turns.iter().filter_map(|turn| turn.margin).min();
    match margin {
        Some(margin) if taken == 0 => {
            writeln!(out, "\n{} Each leaves {margin} plies or more.", verdict(taken))
        }
        _ => writeln!(out, "\n{}", verdict(taken)),
    }
}

/// The wins, of whichever side, that the rules take away.
fn taken_here(turn: &TurnReport) -> u64 {
    let is_taken = |value: &&ValueReport| matches!(value.value, "cursed-win" | "blessed-loss");
    turn.values.iter().filter(is_taken).map(|value| value.positions).sum()
}

/// What each rule takes away.
fn print_taken(out: &mut impl Write, turn: &TurnReport) -> io::Result<()> {
    for Taken { name, article, wins, losses } in &turn.by_rule {
        match wins.zip(*losses) {
            Some((0, 0)) => {}
            Some((wins, losses)) => {
                writeln!(
                    out,
                    "  without the {name}, {article}: {wins} more won, {losses} more lost"
                )?;
            }
            None => writeln!(out, "  without the {name}, {article}: not known")?,
        }
    }
    Ok(())
}

/// How many are won and lost in so many plies, and how many of the wins and losses are gone with so many on the counter.
fn print_plies(out: &mut impl Write, turn: &TurnReport) -> io::Result<()> {
    let of = |value: RuleValue, plies: u16| {
        let report = turn.values.iter().find(|report| report.value == value.name());
        report.and_then(|report| report.histogram.get(&plies)).copied().unwrap_or(0)
    };
    let longest = turn.values.iter().filter_map(|report| report.longest).max().unwrap_or(0);
    writeln!(
        out,
        "\n  {:>5} {:>13} {:>13} {:>15} {:>15}",
        "plies", "won in them", "lost in them", "wins then gone", "losses then gone"
    )?;
    let mut before = (0, 0);
    for plies in 0..=longest.max(turn.by_counter.len() as u16) {
        let (won, lost) = (of(RuleValue::Win, plies), of(RuleValue::Loss, plies));
        let gone = turn.by_counter.iter().find(|gone| gone.counter == plies);
        let gone = gone.map_or((0, 0), |gone| (gone.wins, gone.losses));
        if won > 0 || lost > 0 || gone != before {
            writeln!(out, "  {plies:>5} {won:>13} {lost:>13} {:>15} {:>15}", gone.0, gone.1)?;
        }
        before = gone;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Claim;

    #[test]
    fn claims_are_read() {
        assert_eq!("harmless".parse(), Ok(Claim::Harmless));
        assert_eq!("margin=3".parse(), Ok(Claim::Margin(3)));
        assert_eq!("longest=28".parse(), Ok(Claim::Longest(28)));
        for bad in ["", "harmful", "margin", "margin=", "margin=x", "longest=-1", "harmless=1"] {
            assert!(bad.parse::<Claim>().is_err(), "{bad}");
        }
    }
}
