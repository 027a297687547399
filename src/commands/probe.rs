//! `damier probe`: the value of a position and of each of its moves.

use std::io::{self, Write};

use damier::{
    Counters, Distance, Measure, Move, Position, ProbeError, RuleOutcome, RuleValue, Rules,
    Tablebase, Variant, WordOf, with_rules,
};
use serde::Serialize;

use super::game::{GameArgs, reason};
use super::{args, print_json};

/// Say who wins a position, and what each move is worth.
///
/// Every class of up to three pieces, and one king against three pieces, is answered with nothing set up; more from the tables that `damier
/// build` has made. The moves come best first, each with its value for the side that makes it, and with the plies to the end of the
/// game where such distances were built (dtw).
///
/// With --rules the answer is that of a game under these draw rules: a win that takes too long is a cursed win, a draw in fact, and
/// a loss that the other side cannot bring home in time a blessed one. The moves are then ranked so that whoever is winning
/// and makes the first one each time wins before the counter is full.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Probe {
    #[arg(help = args::WHOSE_RULES)]
    variant: Variant,
    /// The position: side to move, then each side's squares, kings with K
    fen: String,
    #[command(flatten)]
    tables: args::TablesArg,
    #[command(flatten)]
    game: GameArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  damier probe international \"W:WK1,K2,K3:BK50\"
  damier probe english \"B:W18,K22:BK1,5\" --tables /srv/tables
  damier probe international \"W:W31-33:BK4\" --json
  damier probe international \"W:WK40,K45,50:BK11\" --rules fmjd --counter 4

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
    #[serde(flatten)]
    rules: Option<UnderRules>,
    moves: Vec<MoveReport>,
}

/// What applies where draw rules were given.
#[derive(Serialize)]
struct UnderRules {
    rules: &'static str,
    /// Name and article of the rule that binds.
    rule: Option<String>,
    counter: u16,
    limit: Option<u16>,
    /// Why the game is drawn already.
    #[serde(skip_serializing_if = "String::is_empty")]
    drawn: String,
}

#[derive(Serialize)]
struct MoveReport {
    #[serde(rename = "move")]
    text: String,
    fen: String,
    #[serde(flatten)]
    result: Outcome,
}

/// A value and the distances that belong to it, null where no table holds them or nothing is decided.
#[derive(Serialize)]
struct Outcome {
    result: &'static str,
    dtw: Option<u16>,
    dtc: Option<u16>,
    dtr: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<u16>,
}

impl Outcome {
    fn new(outcome: RuleOutcome, dtw: Option<Distance>, dtc: Option<Distance>) -> Outcome {
        let decided = |distance: Option<Distance>| distance.and_then(Distance::decided);
        Outcome {
            result: outcome.value.name(),
            dtw: decided(dtw),
            dtc: decided(dtc),
            dtr: outcome.plies,
            margin: outcome.margin,
        }
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
        let counters = self.game.play::<R>(&self.fen)?;
        let position = counters.position();
        let tables = Tablebase::with_source(self.tables.open::<R>()?.with_embedded());
        let outcome = tables.probe_with_rules(&counters)?;
        let known = |measure| tables.distance_if_known(position, measure);
        let result = Outcome::new(outcome, known(Measure::Dtw)?, known(Measure::Dtc)?);
        let under_rules = |rules: damier::DrawRuleSet| UnderRules {
            rules: rules.name(),
            rule: counters.applying().map(|rule| format!("{}, {}", rule.name, rule.article)),
            counter: counters.plies(),
            limit: counters.applying().map(|rule| rule.limit),
            drawn: reason(&counters),
        };
        let moves = rated(&tables, &counters, self.game.rules().is_some())?;
        let moves = moves.into_iter().map(|(mv, after, outcome)| {
            let known = |measure: Measure| -> Result<_, ProbeError> {
                let then = tables.distance_if_known(&after, measure)?;
                Ok(then.map(|then| measure.of_move(position, mv, &after, then)))
            };
            Ok(MoveReport {
                text: position.move_text(mv),
                fen: after.to_fen(),
                result: Outcome::new(outcome, known(Measure::Dtw)?, known(Measure::Dtc)?),
            })
        });
        Ok(Report {
            variant: R::VARIANT.name(),
            fen: position.to_fen(),
            turn: position.turn().letter(),
            result,
            rules: self.game.rules().map(under_rules),
            moves: moves.collect::<Result<_, ProbeError>>()?,
        })
    }
}

/// The moves of a game, best first, under its draw rules or without.
#[expect(clippy::type_complexity, reason = "a move, the position after it, and what it is worth")]
fn rated<R: Rules>(
    tables: &Tablebase<R>,
    counters: &Counters<R>,
    under_rules: bool,
) -> Result<Vec<(Move<WordOf<R>>, Position<R>, RuleOutcome)>, ProbeError> {
    if under_rules {
        let moves = tables.moves_with_rules(counters)?.into_iter();
        return Ok(moves.map(|ruled| (ruled.mv, *ruled.after.position(), ruled.outcome)).collect());
    }
    let moves = tables.moves(counters.position())?.into_iter();
    let on_board = |value| RuleOutcome { value: RuleValue::from(value), plies: None, margin: None };
    Ok(moves.map(|rated| (rated.mv, rated.after, on_board(rated.value))).collect())
}

fn print(report: &Report) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let turn = if report.turn == 'W' { "White" } else { "Black" };
    writeln!(out, "{}  {turn} to move: {}", report.fen, report.result.in_words())?;
    if let Some(UnderRules { rules, rule, counter, limit, drawn }) = &report.rules {
        match (rule, limit) {
            _ if !drawn.is_empty() => writeln!(out, "drawn already by {drawn}")?,
            (Some(rule), Some(limit)) => {
                writeln!(out, "{rules}: {rule}, {counter} of {limit} plies on the counter")?;
            }
            _ => writeln!(out, "{rules}: no counter applies")?,
        }
    }
    if report.moves.is_empty() {
        writeln!(out, "no legal move")?;
    }
    let results: Vec<_> = report.moves.iter().map(|mv| mv.result.in_words()).collect();
    let longest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
    let width = longest(&mut report.moves.iter().map(|mv| mv.text.len()));
    let result_width = longest(&mut results.iter().map(String::len)).max(4);
    for (MoveReport { text, fen, .. }, result) in report.moves.iter().zip(results) {
        writeln!(out, "  {result:result_width$}  {text:width$}  {fen}")?;
    }
    Ok(())
}

impl Outcome {
    /// As `win in 15, 9 on the counter, 1 left`.
    fn in_words(&self) -> String {
        let mut text = self.result.to_owned();
        if let Some(plies) = self.dtw.filter(|&plies| plies > 0) {
            text += &format!(" in {plies}");
        }
        if let Some(plies) = self.dtr.filter(|&plies| plies > 0) {
            text += &format!(", {plies} on the counter");
        }
        if let Some(margin) = self.margin {
            text += &format!(", {margin} left");
        }
        text
    }
}
