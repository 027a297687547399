//! The arguments that say under which draw rules a position is to be seen, and what has been played.

use anyhow::ensure;
use damier::{Counters, DrawRuleSet, Position, Rules};

/// Draw rules, counters, moves.
#[derive(clap::Args)]
pub struct GameArgs {
    /// Draw rules to play under: fmjd, fmjd-older, fmjd64, cbd, wcdf, fid, apca, frisian
    #[arg(long, value_name = "SET")]
    rules: Option<DrawRuleSet>,
    /// Plies already on the counter that applies to the position
    #[arg(long, value_name = "PLIES", default_value_t = 0, requires = "rules")]
    counter: u16,
    /// Moves from the position on, as "32-28 19-23"; counters follow from them
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,
}

impl GameArgs {
    /// The draw rules, if there are to be any.
    pub fn rules(&self) -> Option<DrawRuleSet> {
        self.rules
    }

    /// The game that has come to a position and gone on from it with the moves.
    pub fn play<R: Rules>(&self, fen: &str) -> anyhow::Result<Counters<R>> {
        let start = fen.parse::<Position<R>>()?;
        let set = self.rules.unwrap_or(DrawRuleSet::None);
        let mut counters = Counters::with_counter(set, start, self.counter);
        for text in moves(&self.moves) {
            ensure!(
                counters.drawn().is_none(),
                "move {text:?}: the game is drawn before, by {}",
                reason(&counters)
            );
            counters.play(counters.position().parse_move(text)?);
        }
        Ok(counters)
    }
}

/// The moves of a text, without their numbers.
fn moves(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().map(without_number).filter(|text| !text.is_empty())
}

/// A move without the number before it, as `12.` or `12...`.
fn without_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < text.len() && rest.starts_with('.') {
        rest.trim_start_matches('.')
    } else {
        text
    }
}

/// Why a game is drawn, or nothing.
pub fn reason<R: Rules>(counters: &Counters<R>) -> String {
    match counters.drawn() {
        Some(damier::Drawn::Rule(rule)) => format!("the {} ({})", rule.name, rule.article),
        Some(damier::Drawn::Repetition(rule)) => format!("repetition ({})", rule.article),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_are_no_moves() {
        let moves: Vec<_> = super::moves("1. 32-28 19-23 2.28x19 14x23\n3... a3-b4").collect();
        assert_eq!(moves, ["32-28", "19-23", "28x19", "14x23", "a3-b4"]);
    }
}
