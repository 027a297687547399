//! Whole lines of best play.

use std::cmp::Reverse;

use damier_core::{Counters, Move, Position, Rules, WordOf};

use crate::distance::{Distance, Measure};
use crate::draw::RuledMove;
use crate::error::ProbeError;
use crate::tablebase::Tablebase;

/// No line has more moves: distances have fewer plies, and tables that contradict themselves must not keep anyone for ever.
const LONGEST: usize = u16::MAX as usize;

/// A legal move and its distance.
#[derive(Clone, Debug)]
pub struct MeasuredMove<R: Rules> {
    /// The move.
    pub mv: Move<WordOf<R>>,
    /// The position after it.
    pub after: Position<R>,
    /// The distance, from the point of view of the side that moves.
    pub distance: Distance,
}

impl<R: Rules> Tablebase<R> {
    /// All legal moves with their distances, best first, else in the order in which they are generated.
    ///
    /// # Errors
    ///
    /// As [`distance`](Tablebase::distance), for any of the positions that the moves lead to.
    pub fn moves_measured(
        &self,
        position: &Position<R>,
        measure: Measure,
    ) -> Result<Vec<MeasuredMove<R>>, ProbeError> {
        let mut moves = Vec::new();
        for mv in position.legal_moves() {
            let after = position.play(mv);
            let then = self.distance(&after, measure)?;
            let distance = measure.of_move(position, mv, &after, then);
            moves.push(MeasuredMove { mv, after, distance });
        }
        moves.sort_by_key(|mv| Reverse(mv.distance));
        Ok(moves)
    }

    /// Best play to the end of the game: the winner takes the fewest plies of the measure, the loser the most. Where the
    /// position is drawn there is no such line, and it is empty.
    ///
    /// # Errors
    ///
    /// As [`moves_measured`](Tablebase::moves_measured).
    pub fn line(
        &self,
        position: &Position<R>,
        measure: Measure,
    ) -> Result<Vec<MeasuredMove<R>>, ProbeError> {
        let mut line: Vec<MeasuredMove<R>> = Vec::new();
        while line.len() < LONGEST {
            let position = line.last().map_or(position, |played| &played.after);
            let best = self.moves_measured(position, measure)?.into_iter().next();
            match best.filter(|best| best.distance.decided().is_some()) {
                Some(best) => line.push(best),
                None => break,
            }
        }
        Ok(line)
    }

    /// Best play of a game under its draw rules, to its end: the winner takes the fewest plies on each counter, the loser the most. Where
    /// the game is drawn under the rules the line is empty.
    ///
    /// # Errors
    ///
    /// As [`moves_with_rules`](Tablebase::moves_with_rules).
    pub fn line_with_rules(&self, counters: &Counters<R>) -> Result<Vec<RuledMove<R>>, ProbeError> {
        let mut line: Vec<RuledMove<R>> = Vec::new();
        while line.len() < LONGEST {
            let counters = line.last().map_or(counters, |played| &played.after);
            let best = self.moves_with_rules(counters)?.into_iter().next();
            match best.filter(|best| best.outcome.plies.is_some()) {
                Some(best) => line.push(best),
                None => break,
            }
        }
        Ok(line)
    }
}
