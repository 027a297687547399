//! Perft: how many ways there are to play a number of plies. The figure by which move generators are compared.
//!
//! Sources count captures in three ways, see [`Counting`]. Moves of the last ply are counted and not played, and its
//! quiet moves are never even listed.

use smallvec::SmallVec;

use crate::board::Board;
use crate::capture::{Takers, Visitor, takers, walk_all};
use crate::direction::for_directions;
use crate::moves::{EachQuiet, Move, is_crowning, king_moves};
use crate::position::{Position, directions_for};
use crate::rank::Rank;
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
    let moves: WeightedMoves<R> = if position.capture_due() {
        with_side!(position.turn(), S => {
            captures::<R, S>(position, takers::<R, S>(position), counting)
        })
    } else {
        position.legal_moves().into_iter().map(|played| (played, 1)).collect()
    };
    let after = |played| perft(&position.play(played), depth.saturating_sub(1), counting);
    moves.into_iter().map(|(played, weight)| (played, weight * after(played))).collect()
}

/// Perft of any depth. Always inlined, so that the positions of the last ply stay in registers.
#[inline(always)]
fn nodes<R: Rules, S: Side>(position: &Position<R>, depth: u32, counting: Counting) -> u64 {
    match depth {
        0 => 1,
        1 => moves::<R, S>(position, counting),
        _ => nodes_after_moves::<R, S>(position, depth - 1, counting),
    }
}

/// The sum of perft of this depth over the positions after each move.
fn nodes_after_moves<R: Rules, S: Side>(
    position: &Position<R>,
    depth: u32,
    counting: Counting,
) -> u64 {
    if position.decided().is_some() {
        return 0;
    }
    let takers = takers::<R, S>(position);
    if takers.is_empty() {
        let mut after = Sum { position, depth, counting, sum: 0 };
        position.for_each_quiet::<S>(&mut after);
        return after.sum;
    }
    captures::<R, S>(position, takers, counting)
        .into_iter()
        .map(|(played, weight)| {
            weight * nodes::<R, S::Other>(&position.play_as::<S>(played), depth, counting)
        })
        .sum()
}

/// Adds up perft over the positions after quiet moves.
struct Sum<'a, R: Rules> {
    position: &'a Position<R>,
    depth: u32,
    counting: Counting,
    sum: u64,
}

impl<R: Rules> EachQuiet<R> for Sum<'_, R> {
    #[inline(always)]
    fn quiet<S: Side, const MAN: bool>(&mut self, from: WordOf<R>, to: WordOf<R>) {
        let promotes = is_crowning::<R, S, MAN>(to);
        let next = self.position.moved::<S>(from, to, WordOf::<R>::EMPTY, MAN, promotes);
        self.sum += nodes::<R, S::Other>(&next, self.depth, self.counting);
    }
}

/// Perft of depth 1: how many moves there are.
#[inline(always)]
fn moves<R: Rules, S: Side>(position: &Position<R>, counting: Counting) -> u64 {
    let takers = takers::<R, S>(position);
    if position.decided().is_some() {
        0
    } else if takers.is_empty() {
        quiet_moves::<R, S>(position)
    } else {
        count_captures::<R, S>(position, takers, counting)
    }
}

/// How many captures there are. Apart from [`moves`], since most positions have none.
#[inline(never)]
fn count_captures<R: Rules, S: Side>(
    position: &Position<R>,
    takers: Takers<WordOf<R>>,
    counting: Counting,
) -> u64 {
    if counting == Counting::Once {
        return position.allowed_captures::<S>(takers).len() as u64;
    }
    captures::<R, S>(position, takers, counting).iter().map(|(_, weight)| weight).sum()
}

/// How many quiet moves there are.
#[inline(always)]
fn quiet_moves<R: Rules, S: Side>(position: &Position<R>) -> u64 {
    let geometry = R::Board::geometry();
    let empty = position.empty();
    let mut count = 0;
    for_directions!(direction in directions_for(R::MAN_MOVES, S::COLOR) => {
        count += geometry.step_into(position.men(S::COLOR), direction, empty).count();
    });
    for king in position.kings(S::COLOR).singles() {
        count += king_moves::<R>(king, empty).count();
    }
    count.into()
}

type WeightedMoves<R> = SmallVec<[(Move<WordOf<R>>, u64); 32]>;

/// The allowed captures, each with the number of times it counts.
fn captures<R: Rules, S: Side>(
    position: &Position<R>,
    takers: Takers<WordOf<R>>,
    counting: Counting,
) -> WeightedMoves<R> {
    let moves = WeightedMoves::<R>::new();
    let mut weighted =
        Weighted::<R> { counting, stops: SmallVec::new(), moves, rank: Rank::default() };
    walk_all::<R, S>(position, takers, &mut weighted);
    weighted.moves
}

/// Counts the allowed paths of each capture.
struct Weighted<R: Rules> {
    counting: Counting,
    /// The number of squares on which the piece could stop, of each jump so far.
    stops: SmallVec<[u64; 32]>,
    moves: WeightedMoves<R>,
    rank: Rank,
}

impl<R: Rules> Visitor<R> for Weighted<R> {
    fn stop(&mut self, landings: WordOf<R>) {
        self.stops.push(landings.count().into());
    }

    fn resume(&mut self) {
        self.stops.pop();
    }

    fn end(&mut self, capture: Move<WordOf<R>>, rank: Rank) {
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
            None => self.moves.push((capture, weight)),
            Some(_) if self.counting == Counting::Once => {}
            Some((_, known_weight)) => *known_weight += weight,
        }
    }
}
