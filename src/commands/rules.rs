//! `damier rules`: what draw rules make of a class, for those who have to judge them.

use std::sync::Arc;

use anyhow::bail;
use clap::{ArgGroup, ValueEnum};
use damier::{
    Class, Color, DEFAULT_CACHE, DrawRule, DrawRuleSet, Material, Measure, ProbeError, RuleValue,
    Rules, TableFiles, Tablebase, Variant, with_rules,
};

use self::claim::Claim;
use self::report::SetReport;
use super::{args, print_json};

mod claim;
mod report;
mod text;

pub use self::claim::Refuted;

/// Report what a set of draw rules makes of the positions of a class: which wins it takes away, and how near the others come.
///
/// Five values: won, won on the board but drawn by the rules (cursed win), drawn, lost on the board but drawn by the rules (blessed loss),
/// lost. The counts are for the side to move, from a fresh counter. For classes given by name there is also how many plies of the
/// counter the wins take, and how many are drawn with one ply, two plies and so on up to the limit on it already.
///
/// Needs the tables that `damier build --rules SET` makes, beside those of win, draw and loss.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group(ArgGroup::new("wanted").required(true).args(["pieces", "classes"])))]
pub struct RulesReport {
    #[arg(help = args::WHOSE_RULES)]
    variant: Variant,
    #[command(flatten)]
    tables: args::TablesArg,
    /// Draw rules: fmjd, fmjd-older, fmjd64, cbd, wcdf, fid, apca, frisian [default: the usual ones of the variant]
    #[arg(long, value_name = "SET")]
    rules: Option<DrawRuleSet>,
    /// Every class of up to so many pieces
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..=damier::MAX_PIECES as i64))]
    pieces: Option<u32>,
    /// One class, as KKKvK; can be given more than once
    #[arg(long = "class", value_name = "CLASS")]
    classes: Vec<Class>,
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
  damier rules international --rules fmjd --class KKKvK --class KKMvK --class KMMvK
  damier rules brazilian --rules cbd --pieces 4 --format csv
  damier rules international --rules fmjd --class KKMvK --claim harmless

Draw rules: fmjd and fmjd-older (international), cbd (brazilian), fmjd64 (brazilian, russian), apca
(pool), wcdf (english), fid (italian), frisian.

Claims, each from a fresh counter:
  harmless       no position that is won on the board is drawn by the rules
  margin=3       every win that stands leaves three plies of the counter or more
  longest=28     no win that stands takes more than 28 plies on the counter

The csv has the columns class,turn,positions,wins,cursed_wins,draws,blessed_losses,losses.

In json each turn of a class has values (positions, share, fen, longest and histogram of each of the
five), margin, by_counter (wins and losses that are none any more with so many plies on the counter,
from 1 to the limit) and by_rule (what each rule takes by itself).";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Table,
    Csv,
    Json,
}

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
            Some(pieces) => args::classes_up_to(self.variant, pieces),
            None => self.classes.clone(),
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
            None if self.format == Format::Csv => Ok(text::print_csv(&rows)?),
            None if self.pieces.is_none() => Ok(text::print_classes(set, &asked.details(&rows)?)?),
            None => Ok(text::print_table(set, &rows)?),
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
}
