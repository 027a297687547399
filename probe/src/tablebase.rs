//! The prober: any legal position in, its value out.

use std::cmp::Reverse;
use std::path::Path;

use damier_core::{Color, Goal, Move, Position, Rules, Value, Word, WordOf};

use crate::distance::{Distance, Measure};
use crate::error::ProbeError;
use crate::files::TableFiles;
use crate::source::Source;

/// Endgame tables of one variant, ready to answer.
///
/// All methods take `&self` and can be called from any number of threads.
///
/// ```
/// use damier_core::{Position, Value, rules::International};
/// use damier_probe::Tablebase;
///
/// let tables = Tablebase::<International>::embedded();
/// let position: Position<International> = "W:W23:B5,6".parse()?;
/// assert_eq!(tables.probe(&position)?, Value::Win);
/// let best = &tables.moves(&position)?[0];
/// assert_eq!(position.move_text(best.mv), "23-18");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tablebase<R: Rules> {
    source: Box<dyn Source<R>>,
    captures_stored: bool,
}

/// A legal move and what it is worth to the side that makes it.
#[derive(Clone, Debug)]
pub struct RatedMove<R: Rules> {
    /// The move.
    pub mv: Move<WordOf<R>>,
    /// The position after it.
    pub after: Position<R>,
    /// Its value, from the point of view of the side that moves.
    pub value: Value,
    /// The plies to the end of the game with this move, if it wins or loses and such distances are there.
    pub dtw: Option<u16>,
}

impl<R: Rules> Tablebase<R> {
    /// The tables in these folders; where several have a class, the first one's. Files are opened when first needed.
    ///
    /// # Errors
    ///
    /// Where one of them is not a folder that can be read.
    pub fn open<P: AsRef<Path>>(folders: &[P]) -> std::io::Result<Tablebase<R>> {
        Ok(Tablebase::with_source(TableFiles::open(folders)?))
    }

    /// The tables that are part of the program: every class of up to three pieces, and for some variants a king alone against
    /// three; see [`EMBEDDED`](crate::EMBEDDED).
    pub fn embedded() -> Tablebase<R> {
        Tablebase::with_source(TableFiles::embedded())
    }

    /// Tables from anywhere: see [`Source`], and [`TableFiles`] for more than one kind of file or another size of the cache.
    pub fn with_source(source: impl Source<R> + 'static) -> Tablebase<R> {
        Tablebase { captures_stored: source.answers_captures(), source: Box::new(source) }
    }

    /// The value of a position for the side to move, with best play and without draw rules.
    ///
    /// # Errors
    ///
    /// Where there is no table for the position, or for one that its captures lead to, or such a table is damaged.
    #[inline]
    pub fn probe(&self, position: &Position<R>) -> Result<Value, ProbeError> {
        self.resolve(position, &|position| match self.source.value(position) {
            // Where no move is left, no table is needed.
            Err(error) => position.over().ok_or(error),
            value => value,
        })
    }

    /// The value, if it can be told from memory alone: without opening, reading or decoding anything.
    #[inline]
    pub fn probe_soft(&self, position: &Position<R>) -> Option<Value> {
        self.resolve(position, &|position| self.source.value_in_memory(position).ok_or(())).ok()
    }

    /// Plays the captures out, if need be, and asks `source` for the quiet positions behind them.
    fn resolve<E>(
        &self,
        position: &Position<R>,
        source: &impl Fn(&Position<R>) -> Result<Value, E>,
    ) -> Result<Value, E> {
        if let Some(decided) = decided(position) {
            return Ok(decided.value);
        }
        if self.captures_stored || !position.capture_due() {
            return source(position);
        }
        let mut best = Ok(Value::Loss);
        // By reference: a list of moves is large to move.
        for &capture in &position.captures() {
            match self.resolve(&position.play(capture), source) {
                Ok(Value::Loss) => return Ok(Value::Win),
                // An error counts for more than a value: it could be the win.
                Ok(value) => best = best.map(|best| best.max(value.negated())),
                Err(error) => best = Err(error),
            }
        }
        best
    }

    /// The distance of a position for the side to move, captures played out.
    ///
    /// The value is that of [`probe`](Tablebase::probe), but for [`Measure::Dtr`] that under the rules with nothing on the counter.
    ///
    /// # Errors
    ///
    /// Where there are no such distances for the position, or for one that its captures lead to, or a table of them is damaged.
    pub fn distance(
        &self,
        position: &Position<R>,
        measure: Measure,
    ) -> Result<Distance, ProbeError> {
        if let Some(decided) = decided(position) {
            return Ok(decided);
        }
        let mut best = None;
        for capture in position.captures() {
            let after = position.play(capture);
            let then = self.distance(&after, measure)?;
            best = best.max(Some(measure.of_move(position, capture, &after, then)));
        }
        match best {
            Some(best) => Ok(best),
            None => self.source.distance(position, measure).or_else(|error| {
                // Where no move is left, no table is needed.
                position.over().map(|value| Distance { value, plies: 0 }).ok_or(error)
            }),
        }
    }

    /// The distance, or nothing where there are no such distances.
    ///
    /// # Errors
    ///
    /// As [`distance`](Tablebase::distance) for any other reason.
    pub fn distance_if_known(
        &self,
        position: &Position<R>,
        measure: Measure,
    ) -> Result<Option<Distance>, ProbeError> {
        match self.distance(position, measure) {
            Ok(distance) => Ok(Some(distance)),
            Err(ProbeError::NoDistances { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// All legal moves with their values, best first: of wins those that are sure to be soonest over, of losses those that
    /// are latest, as far as distances to the end are there; else in the order in which they are generated.
    ///
    /// # Errors
    ///
    /// As [`probe`](Tablebase::probe), for any of the positions that the moves lead to.
    pub fn moves(&self, position: &Position<R>) -> Result<Vec<RatedMove<R>>, ProbeError> {
        let mut moves = Vec::new();
        for mv in position.legal_moves() {
            let after = position.play(mv);
            let value = self.probe(&after)?.negated();
            let then = self.distance_if_known(&after, Measure::Dtw)?;
            let dtw =
                then.and_then(|then| Measure::Dtw.of_move(position, mv, &after, then).decided());
            moves.push(RatedMove { mv, after, value, dtw });
        }
        // Where a distance is missing the move comes after those that have one.
        moves.sort_by_key(|mv| {
            let distance = mv.dtw.map(|plies| Distance { value: mv.value, plies });
            Reverse((mv.value, distance))
        });
        Ok(moves)
    }
}

/// What no table holds: one side has no pieces, or the first king, who wins, is there.
#[inline(always)]
fn decided<R: Rules>(position: &Position<R>) -> Option<Distance> {
    if R::GOAL == Goal::FirstKing
        && Color::BOTH.iter().any(|&color| !position.kings(color).is_empty())
    {
        return position.over().map(|value| Distance { value, plies: 0 });
    }
    let without_pieces = match R::GOAL {
        Goal::LoseAll => Value::Win,
        Goal::Block | Goal::FirstKing => Value::Loss,
    };
    if position.pieces(position.turn()).is_empty() {
        Some(Distance { value: without_pieces, plies: 0 })
    } else if position.pieces(!position.turn()).is_empty() {
        // What the other side will find on its turn.
        Some(Distance { value: without_pieces.negated(), plies: 1 })
    } else {
        None
    }
}
