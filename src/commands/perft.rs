//! `damier perft`: counts the leaves of the game tree, the test of a move generator.

use std::io::Write;
use std::time::Instant;

use damier::{Counting, Position, Rules, Variant, with_rules};

use super::args;

/// Count the positions some plies on, to compare move generators.
///
/// A game that ends sooner counts as nothing. Captures of the same pieces with the same origin and end count as one move, whatever
/// their way.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Perft {
    #[arg(help = args::WHOSE_RULES)]
    variant: Variant,
    /// How many plies
    depth: u32,
    /// Position to count from, else the start of the game
    fen: Option<String>,
    /// The count of each first move as well
    #[arg(long)]
    divide: bool,
    /// Count captures of the same pieces on different paths apart
    #[arg(long)]
    paths: bool,
}

const EXAMPLES: &str = "\
Examples:
  damier perft international 6                                167140
  damier perft english 8 --divide                             by first move
  damier perft international 3 \"W:WK4:B13,20,32,37\"           from a position";

impl Perft {
    pub fn run(&self) -> anyhow::Result<()> {
        with_rules!(self.variant, R => self.count::<R>())
    }

    fn count<R: Rules>(&self) -> anyhow::Result<()> {
        let position = match &self.fen {
            Some(fen) => fen.parse::<Position<R>>()?,
            None => Position::start(),
        };
        let counting = if self.paths { Counting::Paths } else { Counting::Once };
        let mut out = std::io::stdout().lock();
        let start = Instant::now();
        let nodes = if self.divide && self.depth > 0 {
            let moves = damier::divide(&position, self.depth, counting);
            for (mv, nodes) in &moves {
                writeln!(out, "{} {nodes}", position.move_text(*mv))?;
            }
            moves.iter().map(|(_, nodes)| nodes).sum()
        } else {
            damier::perft(&position, self.depth, counting)
        };
        writeln!(out, "{nodes}")?;
        let seconds = start.elapsed().as_secs_f64();
        let rate = nodes as f64 / seconds / 1e6;
        eprintln!("{seconds:.3} s, {rate:.1} million nodes a second");
        Ok(())
    }
}
