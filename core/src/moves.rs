//! Moves: finding them, playing them, and whether there are any.

use smallvec::SmallVec;

use crate::board::Board;
use crate::capture::{Takers, Visitor, takers, walk_all, walk_one};
use crate::color::Color;
use crate::direction::for_directions;
use crate::position::{Position, directions_for, promotion_row};
use crate::rank::Rank;
use crate::rules::{Goal, Rules, WordOf};
use crate::side::{Side, with_side};
use crate::value::Value;
use crate::word::Word;

/// A move: where a piece starts and ends, and which pieces it takes.
///
/// Two captures that take the same pieces from the same origin to the same end are the same move, whatever
/// the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move<W> {
    from: u8,
    to: u8,
    captured: W,
    promotes: bool,
}

impl<W: Word> Move<W> {
    #[inline(always)]
    pub(crate) fn new(from: u32, to: u32, captured: W, promotes: bool) -> Move<W> {
        Move { from: from as u8, to: to as u8, captured, promotes }
    }

    /// The bit of the square the piece leaves.
    #[inline(always)]
    pub fn from(&self) -> u32 {
        self.from as u32
    }

    /// The bit of the square the piece ends on; a capture may end where it began.
    #[inline(always)]
    pub fn to(&self) -> u32 {
        self.to as u32
    }

    /// The pieces taken.
    #[inline(always)]
    pub fn captured(&self) -> W {
        self.captured
    }

    /// Whether a man becomes a king.
    #[inline(always)]
    pub fn promotes(&self) -> bool {
        self.promotes
    }

    /// Whether anything is taken.
    #[inline(always)]
    pub fn is_capture(&self) -> bool {
        !self.captured.is_empty()
    }
}

/// The moves of a position; as many as positions usually have without allocation.
pub type MoveList<R> = SmallVec<[Move<WordOf<R>>; 32]>;

/// What is done with each quiet move. A trait and not a closure, so that it can be inlined in every place.
pub(crate) trait EachQuiet<R: Rules> {
    /// A quiet move of a man or a king of the side to move.
    fn quiet<S: Side, const MAN: bool>(&mut self, from: WordOf<R>, to: WordOf<R>);
}

/// Whether a quiet move promotes.
#[inline(always)]
pub(crate) fn is_crowning<R: Rules, S: Side, const MAN: bool>(to: WordOf<R>) -> bool {
    MAN && to.meets(promotion_row::<R>(S::COLOR))
}

impl<R: Rules> EachQuiet<R> for MoveList<R> {
    #[inline(always)]
    fn quiet<S: Side, const MAN: bool>(&mut self, from: WordOf<R>, to: WordOf<R>) {
        let promotes = is_crowning::<R, S, MAN>(to);
        self.push(Move::new(from.first(), to.first(), WordOf::<R>::EMPTY, promotes));
    }
}

/// Keeps the allowed captures, each once.
struct Allowed<'a, R: Rules> {
    moves: &'a mut MoveList<R>,
    rank: Rank,
}

impl<R: Rules> Visitor<R> for Allowed<'_, R> {
    #[inline]
    fn end(&mut self, capture: Move<WordOf<R>>, rank: Rank) {
        if rank < self.rank {
            return;
        }
        if rank > self.rank {
            self.rank = rank;
            self.moves.clear();
        }
        if !self.moves.contains(&capture) {
            self.moves.push(capture);
        }
    }
}

/// Keeps the squares of every path of one capture.
struct Routes<R: Rules> {
    sought: Move<WordOf<R>>,
    /// The squares on which the piece could stop, of each jump so far.
    stops: Vec<WordOf<R>>,
    routes: Vec<Vec<u32>>,
    rank: Rank,
}

impl<R: Rules> Visitor<R> for Routes<R> {
    fn stop(&mut self, landings: WordOf<R>) {
        self.stops.push(landings);
    }

    fn resume(&mut self) {
        self.stops.pop();
    }

    fn end(&mut self, capture: Move<WordOf<R>>, rank: Rank) {
        if capture != self.sought || rank < self.rank {
            return;
        }
        // Only in Italian draughts do two paths of one move differ in rank.
        if rank > self.rank {
            self.rank = rank;
            self.routes.clear();
        }
        let mut routes = vec![Vec::new()];
        for stops in &self.stops {
            routes = routes
                .into_iter()
                .flat_map(|route| stops.bits().map(move |bit| [&route[..], &[bit]].concat()))
                .collect();
        }
        for mut route in routes {
            route.push(capture.to());
            self.routes.push(route);
        }
    }
}

impl<R: Rules> Position<R> {
    /// Whether the side to move must capture.
    #[inline]
    pub fn capture_due(&self) -> bool {
        with_side!(self.turn(), S => self.capture_due_as::<S>())
    }

    /// The allowed moves, each once: the allowed captures where one is due, else the quiet moves. The same position
    /// always has them in the same order.
    pub fn legal_moves(&self) -> MoveList<R> {
        let mut moves = self.captures();
        if moves.is_empty() && self.decided().is_none() {
            with_side!(self.turn(), S => self.for_each_quiet::<S>(&mut moves));
        }
        moves
    }

    /// The allowed captures, each once; none if no capture is due.
    #[inline]
    pub fn captures(&self) -> MoveList<R> {
        with_side!(self.turn(), S => self.captures_as::<S>())
    }

    /// The position after a move, which must be legal here.
    #[inline]
    pub fn play(&self, played: Move<WordOf<R>>) -> Position<R> {
        with_side!(self.turn(), S => self.play_as::<S>(played))
    }

    /// Whether the side to move has a move.
    #[inline]
    pub fn has_move(&self) -> bool {
        self.decided().is_none()
            && with_side!(self.turn(), S => self.has_quiet::<S>() || self.capture_due_as::<S>())
    }

    /// What the side to move has reached if the game is over, or nothing if it goes on.
    #[inline]
    pub fn over(&self) -> Option<Value> {
        if let Some(value) = self.decided() {
            return Some(value);
        }
        match R::GOAL {
            _ if self.has_move() => None,
            Goal::LoseAll => Some(Value::Win),
            Goal::Block | Goal::FirstKing => Some(Value::Loss),
        }
    }

    /// Every way to play a capture, as the bits of the squares on which the piece lands, the last included.
    ///
    /// A flying king that takes two pieces in one line can land on any square between them: each is a
    /// route of its own. A quiet move has one route, to its end; a move that is not legal has none.
    pub fn routes(&self, played: Move<WordOf<R>>) -> Vec<Vec<u32>> {
        if !self.legal_moves().contains(&played) {
            return Vec::new();
        }
        if !played.is_capture() {
            return vec![vec![played.to()]];
        }
        let mut found =
            Routes { sought: played, stops: Vec::new(), routes: Vec::new(), rank: Rank::default() };
        with_side!(self.turn(), S => walk_one::<R, S>(self, played.from(), &mut found));
        found.routes
    }

    /// The result where the game ends although there may be moves: the first king has been made.
    #[inline(always)]
    pub(crate) fn decided(&self) -> Option<Value> {
        if R::GOAL != Goal::FirstKing {
            None
        } else if !self.kings(!self.turn()).is_empty() {
            Some(Value::Loss)
        } else if !self.kings(self.turn()).is_empty() {
            Some(Value::Win)
        } else {
            None
        }
    }

    #[inline(always)]
    fn capture_due_as<S: Side>(&self) -> bool {
        self.decided().is_none() && !takers::<R, S>(self).is_empty()
    }

    #[inline(always)]
    fn captures_as<S: Side>(&self) -> MoveList<R> {
        if self.decided().is_some() {
            return MoveList::<R>::new();
        }
        self.allowed_captures::<S>(takers::<R, S>(self))
    }

    /// The allowed captures of these takers.
    #[inline(always)]
    pub(crate) fn allowed_captures<S: Side>(&self, takers: Takers<WordOf<R>>) -> MoveList<R> {
        let mut moves = MoveList::<R>::new();
        walk_all::<R, S>(self, takers, &mut Allowed { moves: &mut moves, rank: Rank::default() });
        moves
    }

    #[inline(always)]
    pub(crate) fn play_as<S: Side>(&self, played: Move<WordOf<R>>) -> Position<R> {
        let from = WordOf::<R>::bit(played.from());
        let to = WordOf::<R>::bit(played.to());
        let is_man = self.men(S::COLOR).meets(from);
        self.moved::<S>(from, to, played.captured(), is_man, played.promotes())
    }

    /// The position after a man or a king has gone from one square to another.
    #[inline(always)]
    pub(crate) fn moved<S: Side>(
        &self,
        from: WordOf<R>,
        to: WordOf<R>,
        captured: WordOf<R>,
        is_man: bool,
        promotes: bool,
    ) -> Position<R> {
        let (us, them) = (S::COLOR.index(), (!S::COLOR).index());
        let mut men = [self.men(Color::White), self.men(Color::Black)];
        let mut kings = [self.kings(Color::White), self.kings(Color::Black)];
        men[them] &= !captured;
        kings[them] &= !captured;
        // A capture may end where it began: first leave, then arrive.
        let leaving = if is_man { &mut men[us] } else { &mut kings[us] };
        *leaving ^= from;
        let arriving = if is_man && !promotes { &mut men[us] } else { &mut kings[us] };
        *arriving |= to;
        Position::new_unchecked(men, kings, !S::COLOR)
    }

    /// The quiet moves: the men's direction by direction, then each king's.
    #[inline(always)]
    pub(crate) fn for_each_quiet<S: Side>(&self, each: &mut impl EachQuiet<R>) {
        let geometry = R::Board::geometry();
        let empty = self.empty();
        for_directions!(direction in directions_for(R::MAN_MOVES, S::COLOR) => {
            let back = -geometry.shift[direction.index()];
            for to in geometry.step_into(self.men(S::COLOR), direction, empty).singles() {
                each.quiet::<S, true>(to.shifted(back), to);
            }
        });
        for king in self.kings(S::COLOR).singles() {
            for to in king_moves::<R>(king, empty).singles() {
                each.quiet::<S, false>(king, to);
            }
        }
    }

    #[inline(always)]
    fn has_quiet<S: Side>(&self) -> bool {
        let geometry = R::Board::geometry();
        let mut arrivals = WordOf::<R>::EMPTY;
        for_directions!(direction in directions_for(R::MAN_MOVES, S::COLOR) => {
            arrivals |= geometry.step(self.men(S::COLOR), direction);
        });
        for_directions!(direction in R::KING_MOVES => {
            arrivals |= geometry.step(self.kings(S::COLOR), direction);
        });
        arrivals.meets(self.empty())
    }
}

/// Where a king, given as a set of one square, can move to without taking.
#[inline(always)]
pub(crate) fn king_moves<R: Rules>(king: WordOf<R>, empty: WordOf<R>) -> WordOf<R> {
    let geometry = R::Board::geometry();
    let mut arrivals = WordOf::<R>::EMPTY;
    for_directions!(direction in R::KING_MOVES => {
        arrivals |= if R::FLYING_KINGS {
            geometry.slide(king.first(), direction, !empty)
        } else {
            geometry.step_into(king, direction, empty)
        };
    });
    arrivals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{English, International};

    fn nodes<R: Rules>(position: Position<R>, depth: u32) -> usize {
        let moves = position.legal_moves();
        assert_eq!(moves.iter().any(Move::is_capture), position.capture_due());
        assert_eq!(!moves.is_empty(), position.has_move());
        if depth == 1 {
            return moves.len();
        }
        moves.iter().map(|&played| nodes(position.play(played), depth - 1)).sum()
    }

    #[test]
    fn the_first_moves_of_a_game() {
        assert_eq!(nodes(Position::<International>::start(), 6), 167_140);
        assert_eq!(nodes(Position::<English>::start(), 7), 179_740);
    }
}
