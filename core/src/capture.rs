//! The captures of a position, by walking every path a piece can take.
//!
//! A walk starts with the mover's square empty and goes from jump to jump. Where captured pieces leave only
//! after the move they stay in the way (they are not `empty`) and cannot be taken again (they are no
//! longer `targets`); where they leave at once, they become empty squares. A flying king that takes
//! two pieces in one straight line can stop on any square between them: that is one path here, and the squares are
//! handed on as a set.
//!
//! Every path that cannot go on ends in a [`Visitor`]. "Carried to its end" is thus true of all
//! paths, and so is that a king must land where it can go on if there is such a square. What remains
//! of [`Choice`] is one number, the [`rank`] of a path: those of the highest rank are allowed.

use crate::board::{Board, Geometry, nearest};
use crate::color::Color;
use crate::direction::{Direction, Directions};
use crate::position::{Position, directions_for, promotion_row};
use crate::rules::{Choice, Landing, Promotion, Removal, Rules, WordOf};
use crate::side::Side;
use crate::word::Word;

/// What a walk tells about the paths it finds.
pub(crate) trait Visitor<R: Rules> {
    /// The piece stops on one of `landings` and will go on from there.
    #[inline(always)]
    fn stop(&mut self, _landings: WordOf<R>) {}
    /// The last [`stop`](Visitor::stop) is taken back.
    #[inline(always)]
    fn resume(&mut self) {}
    /// A path ends on `to`, with this rank; `crowned` if the piece is a new king there.
    fn end(&mut self, from: u32, to: u32, captured: WordOf<R>, crowned: bool, rank: u32);
}

/// How far a path has come.
#[derive(Clone, Copy)]
struct Path<W> {
    /// Enemies that can still be taken.
    targets: W,
    /// Squares that can be crossed and landed on.
    empty: W,
    /// Enemies taken.
    captured: W,
    /// How many.
    count: u32,
    /// A one for every king, a zero for every man taken, the latest lowest; kept only where it decides.
    order: u32,
    /// Whether a man was crowned on the way.
    crowned: bool,
}

/// The walk of one piece.
struct Walk<'a, R: Rules, V> {
    geometry: &'static Geometry<WordOf<R>>,
    enemies: WordOf<R>,
    enemy_kings: WordOf<R>,
    promotion_row: WordOf<R>,
    from: u32,
    by_king: bool,
    visitor: &'a mut V,
}

/// Where the men of a side take.
#[inline(always)]
pub(crate) const fn man_captures<R: Rules>(color: Color) -> Directions {
    directions_for(R::MAN_CAPTURES, color)
}

/// What the men of the side to move can take.
#[inline(always)]
pub(crate) fn man_targets<R: Rules>(position: &Position<R>, side: Color) -> WordOf<R> {
    if R::MEN_TAKE_KINGS { position.pieces(!side) } else { position.men(!side) }
}

/// The pieces among `pieces` that have a target beside them with an empty square behind it.
#[inline(always)]
pub(crate) fn short_takers<R: Rules>(
    pieces: WordOf<R>,
    targets: WordOf<R>,
    empty: WordOf<R>,
    directions: Directions,
) -> WordOf<R> {
    let geometry = R::Board::geometry();
    let mut takers = WordOf::<R>::EMPTY;
    directions.for_each(|direction| {
        let back = direction.opposite();
        takers |= geometry.step(geometry.step(empty, back) & targets, back);
    });
    takers & pieces
}

/// The flying kings among `kings` that can take.
#[inline(always)]
pub(crate) fn flying_takers<R: Rules>(
    kings: WordOf<R>,
    targets: WordOf<R>,
    empty: WordOf<R>,
) -> WordOf<R> {
    let geometry = R::Board::geometry();
    let mut takers = WordOf::<R>::EMPTY;
    if kings.is_empty() {
        return takers;
    }
    R::KING_CAPTURES.for_each(|direction| {
        let open = geometry.step(empty, direction.opposite()) & targets;
        for king in kings.bits() {
            let ray = geometry.ray(king, direction);
            if ray.meets(open) && open.has(nearest(ray & !empty, direction)) {
                takers |= WordOf::<R>::bit(king);
            }
        }
    });
    takers
}

/// The men and the kings of a side that can take something, before any rule of choice.
#[inline(always)]
pub(crate) fn takers<R: Rules, S: Side>(position: &Position<R>) -> (WordOf<R>, WordOf<R>) {
    let empty = position.empty();
    let men = short_takers::<R>(
        position.men(S::COLOR),
        man_targets(position, S::COLOR),
        empty,
        man_captures::<R>(S::COLOR),
    );
    let kings = position.kings(S::COLOR);
    let targets = position.pieces(!S::COLOR);
    let kings = if R::FLYING_KINGS {
        flying_takers::<R>(kings, targets, empty)
    } else if kings.is_empty() {
        kings
    } else {
        short_takers::<R>(kings, targets, empty, R::KING_CAPTURES)
    };
    (men, kings)
}

/// Shows every capturing path of the side to move to a visitor. Pieces without a capture are passed over.
#[inline]
pub(crate) fn walk_all<R: Rules, S: Side>(position: &Position<R>, visitor: &mut impl Visitor<R>) {
    let (men, kings) = takers::<R, S>(position);
    for king in kings.bits() {
        walk_one::<R, S, true>(position, king, visitor);
    }
    if R::KINGS_TAKE_FIRST && !kings.is_empty() {
        return;
    }
    for man in men.bits() {
        walk_one::<R, S, false>(position, man, visitor);
    }
}

/// Shows every capturing path of the piece on `from`, a king or a man of the side to move, to a visitor.
#[inline]
pub(crate) fn walk_one<R: Rules, S: Side, const KING: bool>(
    position: &Position<R>,
    from: u32,
    visitor: &mut impl Visitor<R>,
) {
    let enemies = position.pieces(!S::COLOR);
    let mut walk = Walk::<R, _> {
        geometry: R::Board::geometry(),
        enemies,
        enemy_kings: position.kings(!S::COLOR),
        promotion_row: promotion_row::<R>(S::COLOR),
        from,
        by_king: KING,
        visitor,
    };
    let at = WordOf::<R>::bit(from);
    let path = Path {
        targets: if KING { enemies } else { man_targets(position, S::COLOR) },
        empty: position.empty() | at,
        captured: WordOf::<R>::EMPTY,
        count: 0,
        order: 0,
        crowned: false,
    };
    if KING && R::FLYING_KINGS {
        walk.fly(from, R::KING_CAPTURES, path);
    } else {
        walk.jump::<S, KING>(at, path);
    }
}

impl<R: Rules, V: Visitor<R>> Walk<'_, R, V> {
    /// The path with one more piece taken.
    #[inline(always)]
    fn take(&self, path: Path<WordOf<R>>, victim: WordOf<R>) -> Path<WordOf<R>> {
        let mut next = Path {
            targets: path.targets ^ victim,
            captured: path.captured | victim,
            count: path.count + 1,
            ..path
        };
        if R::REMOVAL == Removal::AtOnce {
            next.empty |= victim;
        }
        if R::CHOICE == Choice::Italian {
            next.order = path.order << 1 | u32::from(self.enemy_kings.meets(victim));
        }
        next
    }

    /// Jumps of a man or a short king from `at`; whether there was one.
    fn jump<S: Side, const KING: bool>(&mut self, at: WordOf<R>, path: Path<WordOf<R>>) -> bool {
        let directions = if KING { R::KING_CAPTURES } else { man_captures::<R>(S::COLOR) };
        let mut jumped = false;
        directions.for_each(|direction| {
            let victim = self.geometry.step(at, direction) & path.targets;
            let to = self.geometry.step(victim, direction) & path.empty;
            if to.is_empty() {
                return;
            }
            jumped = true;
            let mut next = self.take(path, victim);
            if !KING && R::PROMOTION != Promotion::AtEnd && self.promotion_row.meets(to) {
                next.crowned = true;
                if R::PROMOTION == Promotion::InPassing {
                    next.targets = self.enemies & !next.captured;
                    self.land_anew(victim, to, direction, next);
                } else {
                    self.end(to, next);
                }
                return;
            }
            self.visitor.stop(to);
            let went_on = self.jump::<S, KING>(to, next);
            self.visitor.resume();
            if !went_on {
                next.crowned = !KING && self.promotion_row.meets(to);
                self.end(to, next);
            }
        });
        jumped
    }

    /// A man crowned in passing goes on from `to` as a king.
    #[inline]
    fn land_anew(
        &mut self,
        victim: WordOf<R>,
        to: WordOf<R>,
        direction: Direction,
        path: Path<WordOf<R>>,
    ) {
        if R::FLYING_KINGS {
            self.land(victim, to, direction, path);
        } else {
            self.visitor.stop(to);
            let went_on = self.jump::<crate::side::White, true>(to, path);
            self.visitor.resume();
            if !went_on {
                self.end(to, path);
            }
        }
    }

    /// Captures of a flying king from `at` in some directions; whether there was one.
    fn fly(&mut self, at: u32, allowed: Directions, path: Path<WordOf<R>>) -> bool {
        let mut flew = false;
        R::KING_CAPTURES.for_each(|direction| {
            if !allowed.has(direction) {
                return;
            }
            let ray = self.geometry.ray(at, direction);
            if !ray.meets(path.targets) {
                return;
            }
            let victim = WordOf::<R>::bit(nearest(ray & !path.empty, direction));
            let behind = self.geometry.step(victim & path.targets, direction) & path.empty;
            if behind.is_empty() {
                return;
            }
            flew = true;
            let landings = match R::LANDING {
                Landing::Behind => behind,
                Landing::Free | Landing::BehindKing => {
                    behind | self.geometry.slide(behind.first(), direction, !path.empty)
                }
            };
            self.land(victim, landings, direction, self.take(path, victim));
        });
        flew
    }

    /// A flying king has taken `victim` and can land on any of `landings`.
    fn land(
        &mut self,
        victim: WordOf<R>,
        landings: WordOf<R>,
        direction: Direction,
        path: Path<WordOf<R>>,
    ) {
        if !path.targets.is_empty() && self.go_on(landings, direction, path) {
            return;
        }
        if R::LANDING == Landing::BehindKing && self.enemy_kings.meets(victim) {
            self.end(WordOf::<R>::bit(nearest(landings, direction)), path);
        } else {
            self.end(landings, path);
        }
    }

    /// Whether the king can take another piece from one of `landings`, and the paths on which it does.
    fn go_on(&mut self, landings: WordOf<R>, direction: Direction, path: Path<WordOf<R>>) -> bool {
        let straight = Directions::NONE.with(direction);
        let back = Directions::NONE.with(direction.opposite());
        // A piece just taken bars the way back until it is removed.
        let turns = if R::MAY_TURN_BACK && R::REMOVAL == Removal::AtOnce {
            R::KING_CAPTURES.without(straight)
        } else {
            R::KING_CAPTURES.without(straight).without(back)
        };
        self.visitor.stop(landings);
        let mut went_on = self.fly(nearest(landings, direction), straight, path);
        self.visitor.resume();
        for landing in landings.bits() {
            self.visitor.stop(WordOf::<R>::bit(landing));
            went_on |= self.fly(landing, turns, path);
            self.visitor.resume();
        }
        went_on
    }

    /// The path ends on any of `landings`.
    #[inline(always)]
    fn end(&mut self, landings: WordOf<R>, path: Path<WordOf<R>>) {
        let rank = rank::<R>(&path, self.by_king, self.enemy_kings);
        for to in landings.bits() {
            self.visitor.end(self.from, to, path.captured, path.crowned, rank);
        }
    }
}

/// What a finished path is worth under the variant's [`Choice`]; paths of the highest rank are allowed.
#[inline(always)]
fn rank<R: Rules>(path: &Path<WordOf<R>>, by_king: bool, enemy_kings: WordOf<R>) -> u32 {
    let by_king = u32::from(by_king);
    match R::CHOICE {
        Choice::Any => 0,
        Choice::MostPieces => path.count,
        Choice::MostPiecesThenKings => path.count << 8 | (path.captured & enemy_kings).count(),
        Choice::Italian => {
            let kings = (path.captured & enemy_kings).count();
            // At most 12 pieces can be taken, so that every part fits.
            path.count << 24 | by_king << 20 | kings << 16 | path.order
        }
        // In hundredths of a man, a king is worth 199.
        Choice::Frisian => {
            let kings = (path.captured & enemy_kings).count();
            (path.count * 100 + kings * 99) << 1 | by_king
        }
    }
}
