//! The free piece takes.
//!
//! It is not part of the frame, so its origin never stands in the way, and captured pieces stay until the end, so
//! nothing changes while it captures. For each victim and direction there is one set of squares *from* which the victim can
//! be taken and one set *to* which the capture leads. A second capture can follow a first if the second's *from* meets the
//! first's *to*: captures are paths in that graph, one for the whole word.

use damier_core::{
    Board, Choice, Color, Direction, Directions, Promotion, Rules, Word, WordOf, directions_for,
    promotion_row,
};
use damier_tables::{Kind, MAX_PIECES};

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

/// The captures that begin with one victim in one direction.
struct Paths<'a, W> {
    man: &'a Lines<W>,
    king: &'a Lines<W>,
    /// Where a man is crowned.
    crown: W,
    /// The ends of the longest paths so far, or of all where any capture is allowed.
    ends: smallvec::SmallVec<[End<W>; 16]>,
    longest: usize,
}

impl<W: Word> Paths<'_, W> {
    /// Follows all paths from the squares `at`; `length` pieces have been taken.
    fn follow<R: Rules<Board: Board<Word = W>>>(
        &mut self,
        at: W,
        king: bool,
        crowned: bool,
        taken: W,
        length: usize,
    ) {
        let on_crown = !king && at.meets(self.crown);
        let stops = on_crown && matches!(R::PROMOTION, Promotion::EndsTurn);
        let king = king || (on_crown && matches!(R::PROMOTION, Promotion::InPassing));
        let crowned = crowned || (on_crown && !matches!(R::PROMOTION, Promotion::AtEnd));
        let lines = if king { self.king } else { self.man };
        let mut goes_on = false;
        if !stops {
            for i in 0..lines.count {
                if lines.victims[i].meets(taken) || !lines.touch[i].meets(at) {
                    continue;
                }
                for direction in 0..Direction::COUNT {
                    if lines.from[i][direction].meets(at) {
                        goes_on = true;
                        let taken = taken | lines.victims[i];
                        let to = lines.to[i][direction];
                        self.follow::<R>(to, king, crowned, taken, length + 1);
                    }
                }
            }
        }
        if !goes_on {
            self.end::<R>(End { taken, to: at, crowned: crowned || on_crown }, length);
        }
    }

    fn end<R: Rules>(&mut self, end: End<W>, length: usize) {
        if !matches!(R::CHOICE, Choice::Any) {
            if length < self.longest {
                return;
            }
            if length > self.longest {
                self.longest = length;
                self.ends.clear();
            }
        }
        let same = |other: &&mut End<W>| other.taken == end.taken && other.crowned == end.crowned;
        match self.ends.iter_mut().find(same) {
            Some(other) => other.to |= end.to,
            None => self.ends.push(end),
        }
    }
}

/// Tallies the captures by the free piece.
#[inline(always)]
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
        let directions = directions_for(R::MAN_CAPTURES, Color::Black);
        Lines::new::<R::Board>(white, occupied, directions, false)
    };
    let lines = if is_king { king_lines() } else { man_lines() };
    let crowned_lines = (!is_king && matches!(R::PROMOTION, Promotion::InPassing)).then(king_lines);
    let mut paths = Paths {
        man: &lines,
        king: crowned_lines.as_ref().unwrap_or(&lines),
        crown: promotion_row::<R>(Color::Black),
        ends: smallvec::SmallVec::new(),
        longest: 0,
    };
    for i in 0..lines.count {
        for direction in 0..Direction::COUNT {
            let at = lines.from[i][direction] & squares;
            if at.is_empty() {
                continue;
            }
            paths.ends.clear();
            paths.longest = 1;
            paths.follow::<R>(lines.to[i][direction], is_king, is_king, lines.victims[i], 1);
            let at = tally.open(paths.longest, at);
            if at.is_empty() {
                continue;
            }
            let least = tally.note(paths.longest, at);
            for end in &paths.ends {
                let after = frame.without_white(end.taken);
                if after.white().is_empty() {
                    least.absorb_lost(at);
                    continue;
                }
                let free = if end.crowned { Kind::King } else { Kind::Man };
                least.absorb_least(children.cell(Color::White, &after, free), end.to, at);
            }
        }
    }
}
