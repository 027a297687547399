//! The free piece takes.
//!
//! It is not part of the frame, so its origin never stands in the way, and captured pieces stay until the end, so
//! nothing changes while it captures. For each victim and direction there is one set of squares *from* which the victim can
//! be taken and one set *to* which the capture leads. A second capture can follow a first if the second's *from* meets the
//! first's *to*: captures are paths in that graph, one for the whole word.

use damier_core::{
    Board, Color, Direction, Directions, Goal, Landing, Promotion, Rank, Rules, Word, WordOf,
    directions_for, promotion_row,
};
use damier_tables::{Kind, MAX_PIECES};
use smallvec::SmallVec;

use super::Tally;
use crate::cell::Cell;
use crate::layout::{Frame, Layout};
use crate::solved::Children;

/// How pieces of one kind take each of some victims.
#[derive(Clone, Copy)]
pub struct Lines<W> {
    victims: [W; MAX_PIECES as usize],
    count: usize,
    from: [[W; Direction::COUNT]; MAX_PIECES as usize],
    to: [[W; Direction::COUNT]; MAX_PIECES as usize],
    /// From where the victim can be taken in any direction.
    touch: [W; MAX_PIECES as usize],
}

impl<W: Word> Lines<W> {
    /// The ways to take `victims` by a piece that takes in `directions`, over any distance if `far` is set.
    #[inline(always)]
    pub fn new<B: Board<Word = W>>(
        victims: W,
        occupied: W,
        directions: Directions,
        far: bool,
    ) -> Lines<W> {
        let geometry = B::geometry();
        let empty = [[W::EMPTY; Direction::COUNT]; MAX_PIECES as usize];
        let none = [W::EMPTY; MAX_PIECES as usize];
        let mut lines = Lines { victims: none, count: 0, from: empty, to: empty, touch: none };
        for victim in victims.singles() {
            let bit = victim.first();
            let i = lines.count;
            lines.count += 1;
            lines.victims[i] = victim;
            for direction in directions.iter() {
                let reach = |direction| {
                    if far {
                        geometry.slide(bit, direction, occupied)
                    } else {
                        geometry.step(victim, direction) & !occupied
                    }
                };
                let (from, to) = (reach(direction.opposite()), reach(direction));
                if !from.is_empty() && !to.is_empty() {
                    lines.from[i][direction.index()] = from;
                    lines.to[i][direction.index()] = to;
                    lines.touch[i] |= from;
                }
            }
        }
        lines
    }

    /// The squares from which a victim of `left` can be taken otherwise than going in `not`.
    #[inline(always)]
    pub fn onward(&self, left: W, not: Direction) -> W {
        let mut onward = W::EMPTY;
        for i in 0..self.count {
            if self.victims[i].meets(left) {
                onward |= self.touch[i] & !self.from[i][not.index()];
            }
        }
        onward
    }
}

/// Where a capture ends.
#[derive(Clone, Copy)]
struct End<W> {
    taken: W,
    to: W,
    crowned: bool,
}

/// How far a capture has come.
#[derive(Clone, Copy)]
struct Step<W> {
    king: bool,
    crowned: bool,
    taken: W,
    rank: Rank,
}

/// The captures that begin with one victim in one direction.
struct Paths<'a, W> {
    man: &'a Lines<W>,
    king: &'a Lines<W>,
    /// Victims that are kings.
    victim_kings: W,
    /// Where a man is crowned.
    crown: W,
    /// The ends of the highest rank so far.
    ends: SmallVec<[End<W>; 16]>,
    rank: Rank,
}

impl<W: Word> Paths<'_, W> {
    /// Takes victim `i` in a direction and follows all paths from there.
    fn take<R: Rules<Board: Board<Word = W>>>(
        &mut self,
        i: usize,
        direction: Direction,
        mut step: Step<W>,
    ) {
        let lines = if step.king { self.king } else { self.man };
        let (victim, at) = (lines.victims[i], lines.to[i][direction.index()]);
        let is_king = victim.meets(self.victim_kings);
        step.taken |= victim;
        step.rank = step.rank.taking::<R>(is_king);
        let on_crown = !step.king && at.meets(self.crown);
        step.king |= on_crown && matches!(R::PROMOTION, Promotion::InPassing);
        step.crowned |= on_crown && !matches!(R::PROMOTION, Promotion::AtEnd);
        let stops = on_crown && matches!(R::PROMOTION, Promotion::EndsTurn);
        if !stops && self.go_on::<R>(at, step) {
            return;
        }
        let to = if is_king && matches!(R::LANDING, Landing::BehindKing) {
            R::Board::geometry().step(victim, direction)
        } else {
            at
        };
        self.end(End { taken: step.taken, to, crowned: step.crowned || on_crown }, step.rank);
    }

    /// Follows all paths from the squares `at`; whether there is one.
    fn go_on<R: Rules<Board: Board<Word = W>>>(&mut self, at: W, step: Step<W>) -> bool {
        let lines = if step.king { self.king } else { self.man };
        let mut goes_on = false;
        for i in 0..lines.count {
            if lines.victims[i].meets(step.taken) || !lines.touch[i].meets(at) {
                continue;
            }
            for direction in (0..Direction::COUNT).map(Direction::from_index) {
                if lines.from[i][direction.index()].meets(at) {
                    goes_on = true;
                    self.take::<R>(i, direction, step);
                }
            }
        }
        goes_on
    }

    fn end(&mut self, end: End<W>, rank: Rank) {
        if rank < self.rank {
            return;
        }
        if rank > self.rank {
            self.rank = rank;
            self.ends.clear();
        }
        let same = |other: &&mut End<W>| other.taken == end.taken && other.crowned == end.crowned;
        match self.ends.iter_mut().find(same) {
            Some(other) => other.to |= end.to,
            None => self.ends.push(end),
        }
    }
}

/// Tallies the captures by the free piece.
pub fn captures<R: Rules, C: Cell<R>>(
    layout: &Layout<R>,
    children: &Children<'_, R, C>,
    frame: &Frame<WordOf<R>>,
    squares: WordOf<R>,
    tally: &mut Tally<R, C>,
) {
    let (white, occupied) = (frame.white(), frame.occupied());
    let is_king = layout.free == Kind::King;
    let king_lines = || Lines::new::<R::Board>(white, occupied, R::KING_CAPTURES, R::FLYING_KINGS);
    let man_lines = || {
        let prey = if R::MEN_TAKE_KINGS { white } else { frame.white_men };
        let directions = directions_for(R::MAN_CAPTURES, Color::Black);
        Lines::new::<R::Board>(prey, occupied, directions, false)
    };
    let lines = if is_king { king_lines() } else { man_lines() };
    let crowned_lines = (!is_king && matches!(R::PROMOTION, Promotion::InPassing)).then(king_lines);
    let mut paths = Paths {
        man: &lines,
        king: crowned_lines.as_ref().unwrap_or(&lines),
        victim_kings: frame.white_kings,
        crown: promotion_row::<R>(Color::Black),
        ends: SmallVec::new(),
        rank: Rank::default(),
    };
    let start = Step {
        king: is_king,
        crowned: is_king,
        taken: WordOf::<R>::EMPTY,
        rank: Rank::start::<R>(is_king),
    };
    for i in 0..lines.count {
        for direction in (0..Direction::COUNT).map(Direction::from_index) {
            let at = lines.from[i][direction.index()] & squares;
            if at.is_empty() {
                continue;
            }
            paths.ends.clear();
            paths.rank = Rank::default();
            paths.take::<R>(i, direction, start);
            let at = tally.open(paths.rank, at);
            if at.is_empty() {
                continue;
            }
            let least = tally.note(paths.rank, at);
            for end in &paths.ends {
                let after = frame.without_white(end.taken);
                if end.crowned && matches!(R::GOAL, Goal::FirstKing) {
                    least.absorb_lost(at);
                } else if after.white().is_empty() {
                    least.absorb_bare(at);
                } else {
                    let free = if end.crowned { Kind::King } else { Kind::Man };
                    least.absorb_least(&children.cell(Color::White, &after, free), end.to, at);
                }
            }
        }
    }
}
