//! The captures of a position, by walking every path a piece can take.
//!
//! A walk starts with the mover's square empty and goes from capture to capture. Captured pieces are no targets
//! any more; where they leave only after the move they still stand in the way, where they leave at once their squares are
//! empty. A flying king that takes two pieces in one straight line can stop on any square between
//! them: that is one path here, and the squares are handed on as a set.
//!
//! Every path that cannot go on ends in a [`Visitor`]. "Carried to its end" is thus true of all
//! paths, and so is that a king must land where it can go on if there is such a square. What remains
//! of [`Choice`] is one number, the *rank* of a path: those of the highest rank are allowed.

use crate::board::{Board, nearest};
use crate::direction::{Direction, Directions};
use crate::moves::Move;
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
    /// A path of this rank ends.
    fn end(&mut self, capture: Move<WordOf<R>>, rank: u32);
}

/// How far a path has come.
#[derive(Clone, Copy)]
struct Path<W> {
    /// Pieces taken.
    captured: W,
    /// What the path is worth under the variant's [`Choice`].
    rank: u32,
}

/// The walk of one piece.
struct Walk<'a, R: Rules, V> {
    /// Enemies.
    enemies: WordOf<R>,
    /// Kings among them.
    enemy_kings: WordOf<R>,
    /// Squares that are empty, the mover's own among them.
    empty: WordOf<R>,
    /// Where the mover starts.
    from: u32,
    /// Whether it starts as a man.
    is_man: bool,
    visitor: &'a mut V,
}

/// The men of a side and its kings that can take something, before any rule of choice.
#[inline(always)]
pub(crate) fn takers<R: Rules, S: Side>(position: &Position<R>) -> (WordOf<R>, WordOf<R>) {
    let (men, kings) = (position.men(S::COLOR), position.kings(S::COLOR));
    let enemies = position.pieces(!S::COLOR);
    let empty = position.empty();
    let prey = man_prey::<R>(enemies, position.kings(!S::COLOR));
    let men = short_takers::<R>(men, prey, empty, directions_for(R::MAN_CAPTURES, S::COLOR));
    let kings = if kings.is_empty() {
        kings
    } else if R::FLYING_KINGS {
        flying_takers::<R>(kings, enemies, empty)
    } else {
        short_takers::<R>(kings, enemies, empty, R::KING_CAPTURES)
    };
    (men, kings)
}

/// The pieces that stand beside one of `prey` with an empty square behind it.
#[inline(always)]
fn short_takers<R: Rules>(
    pieces: WordOf<R>,
    prey: WordOf<R>,
    empty: WordOf<R>,
    directions: Directions,
) -> WordOf<R> {
    let geometry = R::Board::geometry();
    let mut takers = WordOf::<R>::EMPTY;
    directions.for_each(|direction| {
        let back = direction.opposite();
        takers |= geometry.step(geometry.step(empty, back) & prey, back);
    });
    takers & pieces
}

/// The flying kings that see one of `prey` with an empty square behind it.
#[inline(always)]
fn flying_takers<R: Rules>(kings: WordOf<R>, prey: WordOf<R>, empty: WordOf<R>) -> WordOf<R> {
    let geometry = R::Board::geometry();
    let mut takers = WordOf::<R>::EMPTY;
    R::KING_CAPTURES.for_each(|direction| {
        let open = geometry.step(empty, direction.opposite()) & prey;
        for king in kings.bits() {
            let ray = geometry.ray(king, direction);
            if ray.meets(open) && open.has(nearest(ray & !empty, direction)) {
                takers |= WordOf::<R>::bit(king);
            }
        }
    });
    takers
}

/// What men can take.
#[inline(always)]
fn man_prey<R: Rules>(enemies: WordOf<R>, enemy_kings: WordOf<R>) -> WordOf<R> {
    if R::MEN_TAKE_KINGS { enemies } else { enemies & !enemy_kings }
}

/// Shows every capturing path of the side to move to a visitor.
#[inline(always)]
pub(crate) fn walk_all<R: Rules, S: Side>(position: &Position<R>, visitor: &mut impl Visitor<R>) {
    let (men, kings) = takers::<R, S>(position);
    for king in kings.bits() {
        walk_one::<R, S>(position, king, visitor);
    }
    if R::KINGS_TAKE_FIRST && !kings.is_empty() {
        return;
    }
    for man in men.bits() {
        walk_one::<R, S>(position, man, visitor);
    }
}

/// Shows every capturing path of the piece on `from`, one of the side to move, to a visitor.
#[inline(always)]
pub(crate) fn walk_one<R: Rules, S: Side>(
    position: &Position<R>,
    from: u32,
    visitor: &mut impl Visitor<R>,
) {
    let is_man = position.men(S::COLOR).has(from);
    let mut walk = Walk::<R, _> {
        enemies: position.pieces(!S::COLOR),
        enemy_kings: position.kings(!S::COLOR),
        empty: position.empty() | WordOf::<R>::bit(from),
        from,
        is_man,
        visitor,
    };
    let start = Path { captured: WordOf::<R>::EMPTY, rank: starting_rank::<R>(is_man) };
    if is_man {
        walk.jump::<S, true>(from, walk.jumps::<S, true>(from, start), start);
    } else if R::FLYING_KINGS {
        walk.fly(from, R::KING_CAPTURES, start);
    } else {
        walk.jump::<S, false>(from, walk.jumps::<S, false>(from, start), start);
    }
}

/// The rank of a path on which nothing is taken yet.
#[inline(always)]
fn starting_rank<R: Rules>(is_man: bool) -> u32 {
    match R::CHOICE {
        Choice::Any | Choice::MostPieces | Choice::MostPiecesThenKings => 0,
        Choice::Italian => u32::from(!is_man) << 20,
        Choice::Frisian => u32::from(!is_man),
    }
}

impl<R: Rules, V: Visitor<R>> Walk<'_, R, V> {
    /// The path with one more piece taken.
    #[inline(always)]
    fn take(&self, path: Path<WordOf<R>>, victim: WordOf<R>) -> Path<WordOf<R>> {
        let is_king = u32::from(self.enemy_kings.meets(victim));
        let rank = match R::CHOICE {
            Choice::Any => 0,
            Choice::MostPieces => path.rank + 1,
            Choice::MostPiecesThenKings => path.rank + (1 << 8) + is_king,
            // From the top: pieces taken, taken by a king, kings taken, and a one for every king and a zero for every man
            // in the order in which they were met. A short king can take nine at most.
            Choice::Italian => {
                let order = path.rank & 0xffff;
                path.rank + order + (1 << 24) + (is_king << 16) + is_king
            }
            // A man is worth 100 and a king 199, and half a point more than the same taken by a man.
            Choice::Frisian => path.rank + 2 * (100 + 99 * is_king),
        };
        Path { captured: path.captured | victim, rank }
    }

    /// The squares that can be crossed.
    #[inline(always)]
    fn empty(&self, path: Path<WordOf<R>>) -> WordOf<R> {
        match R::REMOVAL {
            Removal::AfterMove => self.empty,
            Removal::AtOnce => self.empty | path.captured,
        }
    }

    /// Where a man or a short king on `at` can jump to.
    #[inline(always)]
    fn jumps<S: Side, const MAN: bool>(&self, at: u32, path: Path<WordOf<R>>) -> WordOf<R> {
        let geometry = R::Board::geometry();
        let (prey, directions) = if MAN {
            let prey = man_prey::<R>(self.enemies, self.enemy_kings);
            (prey, directions_for(R::MAN_CAPTURES, S::COLOR))
        } else {
            (self.enemies, R::KING_CAPTURES)
        };
        let prey = prey & !path.captured;
        let mut landings = WordOf::<R>::EMPTY;
        directions.for_each(|direction| {
            let victim = geometry.step(WordOf::<R>::bit(at), direction) & prey;
            landings |= geometry.step(victim, direction);
        });
        landings & self.empty(path)
    }

    /// The paths of a man or a short king that can jump to `landings`, some of [`jumps`](Walk::jumps).
    fn jump<S: Side, const MAN: bool>(
        &mut self,
        at: u32,
        landings: WordOf<R>,
        path: Path<WordOf<R>>,
    ) {
        for to in landings.bits() {
            // Steps are constant shifts: the piece between has the bit between.
            let next = self.take(path, WordOf::<R>::bit((at + to) / 2));
            let crowned = MAN && promotion_row::<R>(S::COLOR).has(to);
            if crowned && R::PROMOTION == Promotion::InPassing {
                self.go_on_as_king::<S>(at, to, next);
                continue;
            }
            let further = if crowned && R::PROMOTION == Promotion::EndsTurn {
                WordOf::<R>::EMPTY
            } else {
                self.jumps::<S, MAN>(to, next)
            };
            if further.is_empty() {
                self.end(to, next, crowned || !MAN && self.is_man);
            } else {
                self.visitor.stop(WordOf::<R>::bit(to));
                self.jump::<S, MAN>(to, further, next);
                self.visitor.resume();
            }
        }
    }

    /// The paths of a man that is crowned on `to`, coming from `at`, and goes on as a king.
    fn go_on_as_king<S: Side>(&mut self, at: u32, to: u32, path: Path<WordOf<R>>) {
        self.visitor.stop(WordOf::<R>::bit(to));
        let went_on = if R::FLYING_KINGS {
            self.fly(to, onward::<R>(Directions::between::<R::Board>(to, at)), path)
        } else {
            let landings = self.jumps::<S, false>(to, path);
            self.jump::<S, false>(to, landings, path);
            !landings.is_empty()
        };
        self.visitor.resume();
        if !went_on {
            self.end(to, path, true);
        }
    }

    /// The paths of a flying king from `at` in some directions; whether there is one.
    fn fly(&mut self, at: u32, allowed: Directions, path: Path<WordOf<R>>) -> bool {
        let geometry = R::Board::geometry();
        let prey = self.enemies & !path.captured;
        let empty = self.empty(path);
        let mut flew = false;
        R::KING_CAPTURES.for_each(|direction| {
            let ray = geometry.ray(at, direction);
            if !allowed.has(direction) || !ray.meets(prey) {
                return;
            }
            let victim = WordOf::<R>::bit(nearest(ray & !empty, direction));
            if (geometry.step(victim & prey, direction) & empty).is_empty() {
                return;
            }
            flew = true;
            self.land(victim, direction, self.take(path, victim));
        });
        flew
    }

    /// The paths of a flying king that has just taken `victim`.
    fn land(&mut self, victim: WordOf<R>, direction: Direction, path: Path<WordOf<R>>) {
        let geometry = R::Board::geometry();
        let behind = geometry.step(victim, direction);
        let landings = match R::LANDING {
            Landing::Behind => behind,
            Landing::Free | Landing::BehindKing => {
                geometry.slide(victim.first(), direction, !self.empty(path))
            }
        };
        if (self.enemies ^ path.captured).is_empty() || !self.go_on(landings, direction, path) {
            let stops = R::LANDING == Landing::BehindKing && self.enemy_kings.meets(victim);
            let landings = if stops { behind } else { landings };
            for to in landings.bits() {
                self.end(to, path, self.is_man);
            }
        }
    }

    /// Whether the king can go on from one of `landings`, which it reached in this direction.
    fn go_on(&mut self, landings: WordOf<R>, direction: Direction, path: Path<WordOf<R>>) -> bool {
        let straight = Directions::NONE.with(direction);
        let turns = onward::<R>(straight.opposite()).without(straight);
        self.visitor.stop(landings);
        let mut went_on = self.fly(nearest(landings, direction), straight, path);
        self.visitor.resume();
        for landing in landings.singles() {
            self.visitor.stop(landing);
            went_on |= self.fly(landing.first(), turns, path);
            self.visitor.resume();
        }
        went_on
    }

    /// The path ends on `to`.
    #[inline(always)]
    fn end(&mut self, to: u32, path: Path<WordOf<R>>, crowned: bool) {
        self.visitor.end(Move::new(self.from, to, path.captured, crowned), path.rank);
    }
}

/// Where a king can take next if `back` is where it comes from. A piece just taken bars the way until it
/// is removed.
#[inline(always)]
fn onward<R: Rules>(back: Directions) -> Directions {
    match R::REMOVAL {
        Removal::AtOnce if R::MAY_TURN_BACK => R::KING_CAPTURES,
        _ => R::KING_CAPTURES.without(back),
    }
}
