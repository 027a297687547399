//! `damier line`: a whole line of best play.

use std::io::{self, Write};

use clap::ValueEnum;
use damier::{
    Color, Counters, Distance, Measure, Position, ProbeError, RuleOutcome, RuleValue, Rules,
    Tablebase, Value, Variant, with_rules,
};

use super::args;
use super::game::{GameArgs, reason};

/// Print best play from a position to the end of the game, as the movetext of PDN.
///
/// The side that wins takes the fewest plies, the other the most: plies to the end (dtw), to the next capture or man move (dtc), or, with
/// --rules, on the counter of the draw rules. Needs the tables that `damier build --metric dtw`, `--metric dtc` or
/// `--rules` makes.
///
/// The comment after each move is the plies still to go; under draw rules, the plies on the counter + those that the win still
/// takes / the limit: while the sum is not above the limit, the win is in time.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Line {
    #[arg(help = args::WHOSE_RULES)]
    variant: Variant,
    /// The position: side to move, then each side's squares, kings with K
    fen: String,
    #[command(flatten)]
    tables: args::TablesArg,
    /// What the side that wins makes as short as it can
    #[arg(long, value_enum, default_value_t = MetricName::Dtw, conflicts_with = "rules")]
    metric: MetricName,
    #[command(flatten)]
    game: GameArgs,
}

const EXAMPLES: &str = "\
Examples:
  damier line international \"W:WK40,K45,50:BK11\"
  damier line english \"W:WK1,K2:BK32\" --metric dtc
  damier line international \"W:WK40,K45,50:BK11\" --rules fmjd --counter 4";

#[derive(Clone, Copy, ValueEnum)]
enum MetricName {
    /// Plies to the end of the game
    Dtw,
    /// Plies to the next capture or man move that keeps the value
    Dtc,
}

impl From<MetricName> for Measure {
    fn from(name: MetricName) -> Measure {
        match name {
            MetricName::Dtw => Measure::Dtw,
            MetricName::Dtc => Measure::Dtc,
        }
    }
}

impl Line {
    pub fn run(&self) -> anyhow::Result<()> {
        let text = with_rules!(self.variant, R => self.movetext::<R>())?;
        Ok(writeln!(io::stdout().lock(), "{text}")?)
    }

    fn movetext<R: Rules>(&self) -> anyhow::Result<String> {
        let counters = self.game.play::<R>(&self.fen)?;
        let tables = Tablebase::with_source(self.tables.open::<R>()?.with_embedded());
        let mut text = Movetext::new(counters.position());
        let won = match self.game.rules() {
            Some(_) => under_rules(&tables, &counters, &mut text)?,
            None => on_board(&tables, counters.position(), self.metric.into(), &mut text)?,
        };
        text.push(result(R::VARIANT, won));
        Ok(text.finished())
    }
}

/// Adds the line without draw rules; who wins.
fn on_board<R: Rules>(
    tables: &Tablebase<R>,
    position: &Position<R>,
    measure: Measure,
    text: &mut Movetext,
) -> Result<Option<Color>, ProbeError> {
    let Distance { value, plies } = tables.distance(position, measure)?;
    let won = winner(value, position.turn());
    text.comment(&match (won, measure) {
        (None, _) => "draw".to_owned(),
        (Some(color), Measure::Dtw) => format!("{} wins in {}", name(color), in_plies(plies)),
        (Some(color), _) => {
            format!("{} wins, next conversion in {}", name(color), in_plies(plies))
        }
    });
    let mut before = *position;
    for played in tables.line(position, measure)? {
        text.played(before.move_text(played.mv));
        let then = tables.distance(&played.after, measure)?;
        text.comment(&then.plies.to_string());
        before = played.after;
    }
    Ok(won)
}

/// Adds the line of a game under draw rules; who wins.
fn under_rules<R: Rules>(
    tables: &Tablebase<R>,
    counters: &Counters<R>,
    text: &mut Movetext,
) -> Result<Option<Color>, ProbeError> {
    let RuleOutcome { value, plies, .. } = tables.probe_with_rules(counters)?;
    let won = winner(value.result(), counters.position().turn());
    let mover = name(counters.position().turn());
    text.comment(&match (won, counters.applying()) {
        (Some(color), Some(rule)) => {
            let plies = in_plies(plies.unwrap_or(0));
            let (name, article) = (rule.name, rule.article);
            format!(
                "{} wins with {plies} on the counter of the {name}, {article}",
                self::name(color)
            )
        }
        (Some(color), None) => format!("{} wins", name(color)),
        (None, _) if counters.drawn().is_some() => format!("drawn by {}", reason(counters)),
        (None, _) => match value {
            RuleValue::CursedWin => format!("{mover} would win, but the rules draw first"),
            RuleValue::BlessedLoss => format!("{mover} would lose, but the rules draw first"),
            _ => "draw".to_owned(),
        },
    });
    let mut before = *counters.position();
    for played in tables.line_with_rules(counters)? {
        text.played(before.move_text(played.mv));
        let plies = tables.probe_with_rules(&played.after)?.plies.unwrap_or(0);
        text.comment(&match played.after.applying() {
            Some(rule) => format!("{}+{plies}/{}", played.after.plies(), rule.limit),
            None => plies.to_string(),
        });
        before = *played.after.position();
    }
    Ok(won)
}

fn winner(value: Value, turn: Color) -> Option<Color> {
    match value {
        Value::Win => Some(turn),
        Value::Draw => None,
        Value::Loss => Some(!turn),
    }
}

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn in_plies(plies: u16) -> String {
    format!("{plies} {}", if plies == 1 { "ply" } else { "plies" })
}

/// The result as PDN has it, which for English draughts and what is played like it is that of chess.
fn result(variant: Variant, won: Option<Color>) -> &'static str {
    let is_like_chess = matches!(variant, Variant::English | Variant::Pool | Variant::Italian);
    match won {
        Some(Color::White) if is_like_chess => "1-0",
        Some(Color::Black) if is_like_chess => "0-1",
        None if is_like_chess => "1/2-1/2",
        Some(Color::White) => "2-0",
        Some(Color::Black) => "0-2",
        None => "1-1",
    }
}

/// The longest line of movetext.
const WIDTH: usize = 80;

/// Movetext under way: moves are numbered, words wrapped.
struct Movetext {
    text: String,
    /// Characters of the last line.
    column: usize,
    /// Plies played before, counted as if White had begun.
    plies: usize,
    /// Whether the next move has its number, whoever makes it.
    begins: bool,
}

impl Movetext {
    fn new<R: Rules>(start: &Position<R>) -> Movetext {
        let game_type = R::VARIANT.game_type().map(|number| format!("[GameType \"{number}\"]\n"));
        let text = format!("{}[FEN \"{}\"]\n", game_type.unwrap_or_default(), start.to_fen());
        // Whoever moves first in a game has the moves without dots.
        let plies = usize::from(start.turn() != Position::<R>::start().turn());
        Movetext { text, column: WIDTH, plies, begins: true }
    }

    /// Adds what belongs on one line.
    fn push(&mut self, word: &str) {
        if self.column + 1 + word.len() > WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else {
            self.text.push(' ');
            self.column += 1;
        }
        self.text += word;
        self.column += word.len();
    }

    fn comment(&mut self, text: &str) {
        format!("{{{text}}}").split(' ').for_each(|word| self.push(word));
    }

    fn played(&mut self, text: String) {
        let number = self.plies / 2 + 1;
        match self.plies % 2 {
            0 => self.push(&format!("{number}. {text}")),
            _ if self.begins => self.push(&format!("{number}... {text}")),
            _ => self.push(&text),
        }
        self.plies += 1;
        self.begins = false;
    }

    fn finished(self) -> String {
        self.text
    }
}
