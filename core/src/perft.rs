//! Perft: how many ways there are to play a number of plies. The figure by which move generators are compared.
//!
//! Sources count captures in three ways, see [`Counting`]; the commonest, each move once, is the fast one here: moves of the last
//! ply are counted and not played, and its quiet moves are never even listed.

use smallvec::SmallVec;

use crate::board::Board;
use crate::capture::{Visitor, walk_all};
use crate::moves::Move;
use crate::position::{Position, directions_for};
use crate::rules::{Rules, WordOf};
use crate::side::{Side, with_side};
use crate::word::Word;

/// When two captures count as two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// If origin, end or the pieces taken differ: if they are different [`Move`]s.
    Once,
    /// If the pieces are taken on another path. Where a king takes two pieces in one line, the
    /// squares between on which it can stop make no difference.
    Paths,
    /// If the piece lands on other squares.
    Landings,
}

/// How many sequences of `depth` moves there are from a position.
///
/// ```
/// use damier_core::{Counting, Position, perft, rules::International};
///
/// let start = Position::<International>::start();
/// assert_eq!(perft(&start, 4, Counting::Once), 4265);
/// ```
pub fn perft<R: Rules>(position: &Position<R>, depth: u32, counting: Counting) -> u64 {
    with_side!(position.turn(), S => nodes::<R, S>(position, depth, counting))
}

/// The [`perft`] of a depth of at least 1, split up by the first move.
pub fn divide<R: Rules>(
    position: &Position<R>,
    depth: u32,
    counting: Counting,
) -> Vec<(Move<WordOf<R>>, u64)> {
    let mut moves: WeightedMoves<R> =
        position.legal_moves().into_iter().map(|played| (played, 1)).collect();
    if counting != Counting::Once && position.capture_due() {
        moves = with_side!(position.turn(), S => weighted_captures::<R, S>(position, counting));
    }
    let after = |played| perft(&position.play(played), depth.saturating_sub(1), counting);
    moves.into_iter().map(|(played, weight)| (played, weight * after(played))).collect()
}

fn nodes<R: Rules, S: Side>(position: &Position<R>, depth: u32, counting: Counting) -> u64 {
    if depth == 0 {
        return 1;
    }
    let after = |played| {
        if depth == 1 {
            return 1;
        }
        nodes::<R, S::Other>(&position.play_as::<S>(played), depth - 1, counting)
    };
    let mut sum = 0;
    if position.capture_due_as::<S>() {
        if counting != Counting::Once {
            let captures = weighted_captures::<R, S>(position, counting);
            sum = captures.into_iter().map(|(played, weight)| weight * after(played)).sum();
        } else if depth == 1 {
            sum = position.captures_as::<S>().len() as u64;
        } else {
            sum = position.captures_as::<S>().into_iter().map(after).sum();
        }
    } else if depth == 1 {
        sum = quiet_moves::<R, S>(position);
    } else {
        position.for_each_quiet::<S>(|played| sum += after(played));
    }
    sum
}

/// How many quiet moves there are.
#[inline(always)]
fn quiet_moves<R: Rules, S: Side>(position: &Position<R>) -> u64 {
    let geometry = R::Board::geometry();
    let empty = position.empty();
    let (men, kings) = (position.men(S::COLOR), position.kings(S::COLOR));
    let mut count = 0;
    directions_for(R::MAN_MOVES, S::COLOR).for_each(|direction| {
        count += (geometry.step(men, direction) & empty).count();
    });
    if !kings.is_empty() {
        R::KING_MOVES.for_each(|direction| {
            if R::FLYING_KINGS {
                for king in kings.bits() {
                    count += geometry.slide(king, direction, !empty).count();
                }
            } else {
                count += (geometry.step(kings, direction) & empty).count();
            }
        });
    }
    count.into()
}

type WeightedMoves<R> = SmallVec<[(Move<WordOf<R>>, u64); 32]>;

/// The allowed captures, each with the number of times it counts.
fn weighted_captures<R: Rules, S: Side>(
    position: &Position<R>,
    counting: Counting,
) -> WeightedMoves<R> {
    let moves = WeightedMoves::<R>::new();
    let mut weighted = Weighted::<R> { counting, stops: SmallVec::new(), moves, rank: 0 };
    walk_all::<R, S>(position, &mut weighted);
    weighted.moves
}

/// Counts the allowed paths of each capture.
struct Weighted<R: Rules> {
    counting: Counting,
    /// The number of squares on which the piece could stop, of each jump so far.
    stops: SmallVec<[u64; 32]>,
    moves: WeightedMoves<R>,
    rank: u32,
}

impl<R: Rules> Visitor<R> for Weighted<R> {
    fn stop(&mut self, landings: WordOf<R>) {
        self.stops.push(landings.count().into());
    }

    fn resume(&mut self) {
        self.stops.pop();
    }

    fn end(&mut self, capture: Move<WordOf<R>>, rank: u32) {
        if rank < self.rank {
            return;
        }
        if rank > self.rank {
            self.rank = rank;
            self.moves.clear();
        }
        let weight = match self.counting {
            Counting::Landings => self.stops.iter().product(),
            Counting::Once | Counting::Paths => 1,
        };
        match self.moves.iter_mut().find(|(known, _)| *known == capture) {
            Some((_, known_weight)) => *known_weight += weight,
            None => self.moves.push((capture, weight)),
        }
    }
}
