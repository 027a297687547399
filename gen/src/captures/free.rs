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
use damier_tables::Kind;
use smallvec::SmallVec;

use super::Tally;
use crate::cell::Cell;
use crate::layout::{Frame, Layout};
use crate::solved::Children;

/// How pieces of one kind take one victim, by direction.
#[derive(Clone, Copy)]
pub struct Line<W> {
    victim: W,
    from: [W; Direction::COUNT],
    to: [W; Direction::COUNT],
    /// From where the victim can be taken in any direction.
    touch: W,
}

/// How pieces of one kind take each of some victims; those that cannot be taken are left out.
pub struct Lines<W>(SmallVec<[Line<W>; 4]>);

impl<W: Word> Lines<W> {
    /// The ways to take `victims` by a piece that takes in `directions`, over any distance if `far` is set.
    #[inline]
    pub fn new<B: Board<Word = W>>(
        victims: W,
        occupied: W,
        directions: Directions,
        far: bool,
    ) -> Lines<W> {
        let geometry = B::geometry();
        let mut lines = SmallVec::new();
        for victim in victims.singles() {
            let bit = victim.first();
            let none = [W::EMPTY; Direction::COUNT];
            let mut line = Line { victim, from: none, to: none, touch: W::EMPTY };
            for direction in directions.iter() {
                let reach = |direction| {
                    if far {
                        geometry.slide(bit, direction, occupied)
                    } else {
                        geometry.step(victim, direction) & !occupied
                    }
                };
                let to = reach(direction);
                if to.is_empty() {
                    continue;
                }
                let from = reach(direction.opposite());
                if !from.is_empty() {
                    line.from[direction.index()] = from;
                    line.to[direction.index()] = to;
                    line.touch |= from;
                }
            }
            if !line.touch.is_empty() {
                lines.push(line);
            }
        }
        Lines(lines)
    }

    /// The squares from which a victim of `left` can be taken otherwise than going in `not`.
    #[inline(always)]
    pub fn onward(&self, left: W, not: Direction) -> W {
        let mut onward = W::EMPTY;
        for line in &self.0 {
            if line.victim.meets(left) {
                onward |= line.touch & !line.from[not.index()];
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
        let line = &lines.0[i];
        let (victim, at) = (line.victim, line.to[direction.index()]);
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
        for (i, line) in lines.0.iter().enumerate() {
            if line.victim.meets(step.taken) || !line.touch.meets(at) {
                continue;
            }
            for direction in (0..Direction::COUNT).map(Direction::from_index) {
                if line.from[direction.index()].meets(at) {
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
    for (i, line) in lines.0.iter().enumerate() {
        for direction in (0..Direction::COUNT).map(Direction::from_index) {
            let at = line.from[direction.index()] & squares;
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
