//! Pieces of the frame take; the free piece stands in the way or, for White, is a victim too.
//!
//! The walk carries the set of squares of the free piece for which it is possible. Crossing a square or landing on it removes it from the set.
//! Where White meets the free piece, each square of it is another capture: from then on
//! the walk is an ordinary one with the set of that one square. A flying king that takes
//! the free piece and nothing after it is the common case, and needs no walk: its landing squares are a word of another class,
//! seen from the other side.

use damier_core::{
    Board, Color, Direction, Goal, Landing, Promotion, Rank, Rules, Word, WordOf, directions_for,
    nearest, promotion_row,
};
use damier_tables::Kind;

use super::Tally;
use super::free::Lines;
use crate::cell::{Cell, before};
use crate::layout::{Frame, Layout};
use crate::solved::Children;

/// The most squares a king can land on behind a victim.
const MAX_LANDINGS: usize = 10;

/// The captures of one piece of the frame; White's if `WHITE`.
struct Walk<'a, R: Rules, C: Cell<R>, const WHITE: bool> {
    layout: &'a Layout<R>,
    children: &'a Children<'a, R, C>,
    /// The frame without the piece that captures.
    frame: Frame<WordOf<R>>,
    occupied: WordOf<R>,
    /// Pieces of the frame that can be taken.
    victims: WordOf<R>,
    /// Kings among them.
    victim_kings: WordOf<R>,
    /// How flying kings take them, once that was asked for.
    lines: Option<Lines<WordOf<R>>>,
    /// The class in which the capturing king is the free piece, without these victims.
    dual: Option<(WordOf<R>, C)>,
    tally: &'a mut Tally<R, C>,
}

/// How far a walk has come.
#[derive(Clone, Copy)]
struct Step<W> {
    king: bool,
    /// Pieces of the frame taken.
    taken: W,
    /// The square on which the free piece was taken.
    free_taken: W,
    /// Squares of the free piece for which the walk is possible.
    squares: W,
    rank: Rank,
}

/// Tallies the captures by all pieces of the frame of one side.
pub fn captures<R: Rules, C: Cell<R>, const WHITE: bool>(
    layout: &Layout<R>,
    children: &Children<'_, R, C>,
    frame: &Frame<WordOf<R>>,
    squares: WordOf<R>,
    tally: &mut Tally<R, C>,
) {
    let (kings, men, victims) = if WHITE {
        (frame.white_kings, frame.white_men, frame.black())
    } else {
        (frame.black_kings, frame.black_men, frame.white())
    };
    for piece in kings.singles() {
        let mut rest = *frame;
        if WHITE {
            rest.white_kings ^= piece;
        } else {
            rest.black_kings ^= piece;
        }
        walk_from::<R, C, WHITE>(layout, children, rest, victims, piece, true, squares, tally);
    }
    for piece in men.singles() {
        let mut rest = *frame;
        if WHITE {
            rest.white_men ^= piece;
        } else {
            rest.black_men ^= piece;
        }
        walk_from::<R, C, WHITE>(layout, children, rest, victims, piece, false, squares, tally);
    }
}

#[allow(clippy::too_many_arguments)]
fn walk_from<R: Rules, C: Cell<R>, const WHITE: bool>(
    layout: &Layout<R>,
    children: &Children<'_, R, C>,
    frame: Frame<WordOf<R>>,
    victims: WordOf<R>,
    piece: WordOf<R>,
    king: bool,
    squares: WordOf<R>,
    tally: &mut Tally<R, C>,
) {
    let occupied = frame.occupied();
    let mut walk = Walk::<R, C, WHITE> {
        layout,
        children,
        frame,
        occupied,
        victims,
        victim_kings: if WHITE { frame.black_kings } else { frame.white_kings },
        lines: None,
        dual: None,
        tally,
    };
    let start = Step {
        king,
        taken: WordOf::<R>::EMPTY,
        free_taken: WordOf::<R>::EMPTY,
        squares,
        rank: Rank::start::<R>(king),
    };
    walk.go_on(piece.first(), start);
}

impl<R: Rules, C: Cell<R>, const WHITE: bool> Walk<'_, R, C, WHITE> {
    const SIDE: Color = if WHITE { Color::White } else { Color::Black };

    /// Takes whatever can be taken next from `at`; returns the squares for which something can.
    fn go_on(&mut self, at: u32, step: Step<WordOf<R>>) -> WordOf<R> {
        let geometry = R::Board::geometry();
        let mut left = self.victims & !step.taken;
        let mut may_take_free = WHITE && step.free_taken.is_empty();
        if !step.king && !R::MEN_TAKE_KINGS {
            left &= !self.victim_kings;
            may_take_free &= self.layout.free == Kind::Man;
        }
        if left.is_empty() && !may_take_free {
            return WordOf::<R>::EMPTY;
        }
        let occupied = self.occupied | step.free_taken;
        let directions =
            if step.king { R::KING_CAPTURES } else { directions_for(R::MAN_CAPTURES, Self::SIDE) };
        let far = step.king && R::FLYING_KINGS;
        let mut possible = WordOf::<R>::EMPTY;
        for direction in directions.iter() {
            let ray = geometry.ray(at, direction);
            // The squares up to the next piece of the frame, as far as this piece can look.
            let first = geometry.step(WordOf::<R>::bit(at), direction);
            let run = if far { geometry.slide(at, direction, occupied) } else { first & !occupied };
            if may_take_free {
                let empty_behind = if far {
                    geometry.step(run, direction.opposite())
                } else {
                    geometry.step(geometry.step(first, direction) & !occupied, direction.opposite())
                };
                let at_risk = run & empty_behind & step.squares;
                if !at_risk.is_empty() {
                    possible |= at_risk;
                    self.take_free(direction, run, Step { squares: at_risk, ..step });
                }
            }
            let blockers = if far { ray & occupied } else { first & occupied };
            if blockers.is_empty() {
                continue;
            }
            let bit = nearest(blockers, direction);
            let victim = WordOf::<R>::bit(bit);
            if !left.meets(victim) {
                continue;
            }
            let squares = if far { step.squares & !run } else { step.squares };
            let landings = self.landings(bit, direction, occupied, far);
            let taken = step.taken | victim;
            let is_king = victim.meets(self.victim_kings);
            let rank = step.rank.taking::<R>(is_king);
            let next = Step { taken, squares, rank, ..step };
            possible |= self.land(landings, direction, is_king, next);
        }
        possible
    }

    #[inline(always)]
    fn landings(
        &self,
        victim: u32,
        direction: Direction,
        occupied: WordOf<R>,
        far: bool,
    ) -> WordOf<R> {
        let geometry = R::Board::geometry();
        if far {
            geometry.slide(victim, direction, occupied)
        } else {
            geometry.step(WordOf::<R>::bit(victim), direction) & !occupied
        }
    }

    /// Takes the free piece on each of the step's squares.
    fn take_free(&mut self, direction: Direction, run: WordOf<R>, step: Step<WordOf<R>>) {
        let left = self.victims & !step.taken;
        let is_king = self.layout.free == Kind::King;
        let rank = step.rank.taking::<R>(is_king);
        if left.is_empty() {
            // Nothing of Black's remains.
            self.tally.note(rank, step.squares).absorb_bare(step.squares);
            return;
        }
        let mut going_on = step.squares;
        if step.king && R::FLYING_KINGS {
            let lines = self.lines.get_or_insert_with(|| {
                Lines::new::<R::Board>(self.victims, self.occupied, R::KING_CAPTURES, true)
            });
            // The king can go on from squares of other victims' lines; not back over the square just taken.
            let onward = lines.onward(left, direction.opposite());
            going_on = step.squares & before(run & onward, direction);
            let ending = self.tally.open(rank, step.squares & !going_on);
            if !ending.is_empty() {
                let dual = self.dual(step.taken);
                let least = self.tally.note(rank, ending);
                if is_king && matches!(R::LANDING, Landing::BehindKing) {
                    for square in ending.singles() {
                        let behind = R::Board::geometry().step(square, direction);
                        least.absorb_least(&dual, behind, square);
                    }
                } else {
                    least.absorb_beyond(&dual, run, direction, ending);
                }
            }
            if !left.has_several() {
                if !going_on.is_empty() {
                    let rank = rank.taking::<R>(left.meets(self.victim_kings));
                    self.tally.note(rank, going_on).absorb_bare(going_on);
                }
                return;
            }
        }
        let far = step.king && R::FLYING_KINGS;
        for square in going_on.singles() {
            let landings = self.landings(square.first(), direction, self.occupied, far);
            let next = Step { free_taken: square, squares: square, rank, ..step };
            self.land(landings, direction, is_king, next);
        }
    }

    /// The word of the capturing king's landing squares, once the free piece and `taken` are gone.
    fn dual(&mut self, taken: WordOf<R>) -> C {
        match self.dual {
            Some((known, cell)) if known == taken => cell,
            _ => {
                // Colours are swapped, so that the capturing king is Black's free piece.
                let frame = self.frame.without_black(taken).turned(R::Board::BITS);
                let cell = self.children.cell(Color::White, &frame, Kind::King).turned();
                self.dual = Some((taken, cell));
                cell
            }
        }
    }

    /// A piece has been taken: lands on each of `landings`, nearest first, and goes on or ends there.
    fn land(
        &mut self,
        landings: WordOf<R>,
        direction: Direction,
        king_taken: bool,
        mut step: Step<WordOf<R>>,
    ) -> WordOf<R> {
        let crown = promotion_row::<R>(Self::SIDE);
        let mut stops = [(0, WordOf::<R>::EMPTY); MAX_LANDINGS];
        let mut count = 0;
        let mut possible = WordOf::<R>::EMPTY;
        let mut going_on = WordOf::<R>::EMPTY;
        let mut rest = landings;
        while !rest.is_empty() {
            let at = nearest(rest, direction);
            let square = WordOf::<R>::bit(at);
            rest ^= square;
            step.squares &= !square;
            if step.squares.is_empty() {
                break;
            }
            possible |= step.squares;
            let crowned = !step.king && crown.meets(square);
            let next = match R::PROMOTION {
                Promotion::EndsTurn if crowned => None,
                Promotion::InPassing if crowned => Some(Step { king: true, ..step }),
                _ => Some(step),
            };
            if let Some(next) = next {
                going_on |= self.go_on(at, next);
            }
            stops[count] = (at, step.squares);
            count += 1;
        }
        if king_taken && matches!(R::LANDING, Landing::BehindKing) {
            count = count.min(1);
        }
        // A capture that can go on from some landing square must: elsewhere it ends.
        for &(at, squares) in &stops[..count] {
            let squares = self.tally.open(step.rank, squares & !going_on);
            if !squares.is_empty() {
                self.end(at, Step { squares, ..step });
            }
        }
        possible
    }

    /// The capture ends on `at`.
    fn end(&mut self, at: u32, step: Step<WordOf<R>>) {
        let square = WordOf::<R>::bit(at);
        let squares = step.squares;
        let crowned = step.king || promotion_row::<R>(Self::SIDE).meets(square);
        let least = self.tally.note(step.rank, squares);
        if crowned && matches!(R::GOAL, Goal::FirstKing) {
            least.absorb_lost(squares);
            return;
        }
        if WHITE {
            let mut after = self.frame.without_black(step.taken);
            if crowned {
                after.white_kings |= square;
            } else {
                after.white_men |= square;
            }
            if step.free_taken.is_empty() {
                let child = self.children.cell(Color::Black, &after, self.layout.free);
                least.absorb(&child, squares);
            } else if after.black().is_empty() {
                least.absorb_bare(squares);
            } else {
                let (child, of) = self.children.captured(Color::Black, &after);
                least.absorb_least(&child, of, squares);
            }
            return;
        }
        let mut after = self.frame.without_white(step.taken);
        if after.white().is_empty() {
            least.absorb_bare(squares);
        } else if crowned && self.layout.free == Kind::Man {
            // The piece just crowned is Black's only king: it is the free piece of the next class, and the one
            // that was free is a man like others.
            let black_men = after.black_men;
            for man in squares.singles() {
                after.black_men = black_men | man;
                let child = self.children.cell(Color::White, &after, Kind::King);
                least.absorb_least(&child, square, man);
            }
        } else {
            if crowned {
                after.black_kings |= square;
            } else {
                after.black_men |= square;
            }
            least.absorb(&self.children.cell(Color::White, &after, self.layout.free), squares);
        }
    }
}
