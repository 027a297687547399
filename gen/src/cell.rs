//! Values of a word of positions: all squares of the free piece at once.
//!
//! A cell holds, for one frame and one side to move, a value for each square of the free piece. The solver
//! needs only a few operations on it. The best move is the one that is *worst for the opponent*, so a position's
//! value is the reply to the minimum over its children ([`Cell::absorb`] takes minima, [`Cell::reply`] turns round);
//! a square where no position stands is above everything and never chosen.

use std::fmt::Debug;

use crate::counting::Transition;
use damier_core::{Board, Direction, Directions, Goal, Rules, Value, Word, WordOf};

/// The values of a word of positions.
pub trait Cell<R: Rules>: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// No position stands on any square.
    fn none() -> Self;

    /// Takes, on each square of `at`, the minimum with the child's value on the same square.
    fn absorb(&mut self, child: &Self, at: WordOf<R>);
    /// Takes, on all of `at`, the minimum with a child whose side to move has lost.
    fn absorb_lost(&mut self, at: WordOf<R>);
    /// Takes, on all of `at`, the minimum with a child whose side to move has no pieces.
    fn absorb_bare(&mut self, at: WordOf<R>);
    /// Notes that on `at` the side to move has no move, where that wins.
    fn absorb_blocked(&mut self, at: WordOf<R>);
    /// Takes, on all of `at`, the minimum with the child's least value over `of`.
    fn absorb_least(&mut self, child: &Self, of: WordOf<R>, at: WordOf<R>);
    /// Takes, on each square of `at`, the minimum with the child's least value over the squares of `line` that lie beyond it
    /// in `direction`.
    fn absorb_beyond(&mut self, child: &Self, line: WordOf<R>, direction: Direction, at: WordOf<R>);
    /// The values on `at` of positions whose children's minimum this is; without a child the side to move has lost.
    fn reply(&self, at: WordOf<R>) -> Self;
    /// Positions on `at` of which nothing is known yet: draws until shown otherwise.
    fn unknown(at: WordOf<R>) -> Self;
    /// Joins two cells with positions on different squares.
    fn joined(&self, other: &Self) -> Self;
    /// The cell restricted to `at`.
    fn restricted(&self, at: WordOf<R>) -> Self;
    /// The cell with the board turned by half a turn.
    fn turned(&self) -> Self;
    /// For each square the minimum over the squares to which the free piece can go from it: sliding over `empty`
    /// squares or, if `far` is not set, by one step.
    fn moved(&self, empty: WordOf<R>, directions: Directions, far: bool) -> Self;
    /// The cell as it looks after a move that makes this of the distance.
    fn after(&self, transition: Transition) -> Self;
    /// Whether further sweeps cannot change the positions on `at`.
    fn is_settled(&self, at: WordOf<R>) -> bool;
    /// The squares on which the values of two cells differ.
    fn differs(&self, other: &Self) -> WordOf<R>;
    /// Which positions are not won, and which are lost.
    fn values(&self) -> Wdl<WordOf<R>>;
}

/// Win, draw or loss.
///
/// Two sets of squares: positions *not won* by the side to move (as far as is known) and positions *lost*. A square in neither is won, or holds no
/// position; seen from the other side a win is the best that can be left alone, so the two cases never need telling
/// apart. As the sets are "value at most draw" and "value at most loss", the minimum of values is the union of sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Wdl<W> {
    /// Positions that are not won.
    pub not_won: W,
    /// Positions that are lost.
    pub lost: W,
}

impl<W: Word> Wdl<W> {
    /// The value of the position on a square that has one.
    #[inline(always)]
    pub fn value(&self, square: W) -> Value {
        match (self.not_won.meets(square), self.lost.meets(square)) {
            (false, _) => Value::Win,
            (true, false) => Value::Draw,
            (true, true) => Value::Loss,
        }
    }
}

impl<R: Rules> Cell<R> for Wdl<WordOf<R>> {
    #[inline(always)]
    fn none() -> Self {
        Wdl { not_won: WordOf::<R>::EMPTY, lost: WordOf::<R>::EMPTY }
    }

    #[inline(always)]
    fn absorb(&mut self, child: &Self, at: WordOf<R>) {
        self.not_won |= child.not_won & at;
        self.lost |= child.lost & at;
    }

    #[inline(always)]
    fn absorb_lost(&mut self, at: WordOf<R>) {
        self.not_won |= at;
        self.lost |= at;
    }

    #[inline(always)]
    fn absorb_bare(&mut self, at: WordOf<R>) {
        // Where losing all pieces wins, the child is won, which is never the least.
        if !matches!(R::GOAL, Goal::LoseAll) {
            Cell::<R>::absorb_lost(self, at);
        }
    }

    #[inline(always)]
    fn absorb_blocked(&mut self, at: WordOf<R>) {
        // As good as a lost child.
        Cell::<R>::absorb_lost(self, at);
    }

    #[inline(always)]
    fn absorb_least(&mut self, child: &Self, of: WordOf<R>, at: WordOf<R>) {
        if child.not_won.meets(of) {
            self.not_won |= at;
        }
        if child.lost.meets(of) {
            self.lost |= at;
        }
    }

    #[inline(always)]
    fn absorb_beyond(
        &mut self,
        child: &Self,
        line: WordOf<R>,
        direction: Direction,
        at: WordOf<R>,
    ) {
        self.not_won |= at & before(child.not_won & line, direction);
        self.lost |= at & before(child.lost & line, direction);
    }

    #[inline(always)]
    fn reply(&self, at: WordOf<R>) -> Self {
        Wdl { not_won: at & !self.lost, lost: at & !self.not_won }
    }

    #[inline(always)]
    fn unknown(at: WordOf<R>) -> Self {
        Wdl { not_won: at, lost: WordOf::<R>::EMPTY }
    }

    #[inline(always)]
    fn joined(&self, other: &Self) -> Self {
        Wdl { not_won: self.not_won | other.not_won, lost: self.lost | other.lost }
    }

    #[inline(always)]
    fn restricted(&self, at: WordOf<R>) -> Self {
        Wdl { not_won: self.not_won & at, lost: self.lost & at }
    }

    #[inline(always)]
    fn turned(&self) -> Self {
        Wdl {
            not_won: self.not_won.reversed(R::Board::BITS),
            lost: self.lost.reversed(R::Board::BITS),
        }
    }

    #[inline(always)]
    fn moved(&self, empty: WordOf<R>, directions: Directions, far: bool) -> Self {
        let mut moved = Wdl::default();
        for direction in directions.iter() {
            // From where a step in `direction` leads into the set: the set shifted the opposite way.
            let back = direction.opposite();
            moved.not_won |= fill::<R>(self.not_won, empty, back, far);
            moved.lost |= fill::<R>(self.lost, empty, back, far);
        }
        moved
    }

    #[inline(always)]
    fn after(&self, _: Transition) -> Self {
        *self
    }

    #[inline(always)]
    fn is_settled(&self, at: WordOf<R>) -> bool {
        (at & self.not_won & !self.lost).is_empty()
    }

    #[inline(always)]
    fn differs(&self, other: &Self) -> WordOf<R> {
        (self.not_won ^ other.not_won) | (self.lost ^ other.lost)
    }

    #[inline(always)]
    fn values(&self) -> Wdl<WordOf<R>> {
        *self
    }
}

/// The squares reached from `set` by one step in `direction` or, `far`, by sliding over `empty` squares.
#[inline(always)]
fn fill<R: Rules>(set: WordOf<R>, empty: WordOf<R>, direction: Direction, far: bool) -> WordOf<R> {
    let geometry = R::Board::geometry();
    let shift = geometry.shift[direction.index()];
    let arrivals = geometry.arrivals[direction.index()];
    let mut set = set;
    if far {
        // Parallel prefix: n doubling rounds slide the set over up to 2^n - 1 squares, one more single step over 2^n. The longest
        // slide crosses all rows but the two at its ends.
        let crossed = R::Board::ROWS - 2;
        let mut open = empty & arrivals;
        let mut step = shift;
        let mut reach = 1;
        if crossed.is_power_of_two() {
            set |= open & set.shifted(step);
        }
        while reach < crossed {
            set |= open & set.shifted(step);
            open &= open.shifted(step);
            step *= 2;
            reach *= 2;
        }
    }
    set.shifted(shift) & empty & arrivals
}

/// The bits that come before the farthest square of `set` going in `direction`.
#[inline(always)]
pub fn before<W: Word>(set: W, direction: Direction) -> W {
    if set.is_empty() {
        W::EMPTY
    } else if direction.is_ascending() {
        W::below(set.last())
    } else {
        let first = set.first();
        !(W::below(first) | W::bit(first))
    }
}
