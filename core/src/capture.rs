//! The captures of a position, by walking every path a piece can take.
//!
//! A walk starts with the mover's square empty and goes from capture to capture. Captured pieces are no targets
//! any more; where they leave only after the move they still stand in the way, where they leave at once their squares
//! are empty. A flying king that takes two pieces in one straight line can stop on any square between them: that is one
//! path here, and the squares are handed on as a set.
//!
//! Every path that cannot go on ends in a [`Visitor`]. "Carried to its end" is thus true of all
//! paths, and so is that a king must land where it can go on if there is such a square. What remains
//! of [`Choice`](crate::Choice) is one number, the *rank* of a path: those of the highest rank are allowed.

use crate::board::{Board, nearest};
use crate::direction::{Direction, Directions, for_directions};
use crate::moves::Move;
use crate::position::{Position, directions_for, promotion_row};
use crate::rank::Rank;
use crate::rules::{Landing, Promotion, Removal, Rules, WordOf};
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
    fn end(&mut self, capture: Move<WordOf<R>>, rank: Rank);
}

/// How far a path has come.
#[derive(Clone, Copy)]
struct Path<W> {
    /// Pieces taken.
    captured: W,
    /// What the path is worth.
    rank: Rank,
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

/// The pieces of a side that can take something, before any rule of choice.
#[derive(Clone, Copy)]
pub(crate) struct Takers<W> {
    men: W,
    kings: W,
}

impl<W: Word> Takers<W> {
    /// Whether no capture is due.
    #[inline(always)]
    pub(crate) fn is_empty(self) -> bool {
        (self.men | self.kings).is_empty()
    }
}

/// The pieces of the side to move that can take something.
#[inline(always)]
pub(crate) fn takers<R: Rules, S: Side>(position: &Position<R>) -> Takers<WordOf<R>> {
    let (men, kings) = (position.men(S::COLOR), position.kings(S::COLOR));
    let enemies = position.pieces(!S::COLOR);
    let empty = position.empty();
    let prey = man_prey::<R>(enemies, position.kings(!S::COLOR));
    let men = short_takers::<R, S, true>(men, prey, empty);
    let kings = if kings.is_empty() {
        kings
    } else if R::FLYING_KINGS {
        flying_takers::<R>(kings, enemies, empty)
    } else {
        short_takers::<R, S, false>(kings, enemies, empty)
    };
    Takers { men, kings }
}

/// The pieces that stand beside one of `prey` with an empty square behind it.
#[inline(always)]
fn short_takers<R: Rules, S: Side, const MAN: bool>(
    pieces: WordOf<R>,
    prey: WordOf<R>,
    empty: WordOf<R>,
) -> WordOf<R> {
    let geometry = R::Board::geometry();
    let mut takers = WordOf::<R>::EMPTY;
    for_directions!(direction in directions::<R, S, MAN>() => {
        let back = direction.opposite();
        takers |= geometry.step_into(geometry.step_into(empty, back, prey), back, pieces);
    });
    takers
}

/// The flying kings that see one of `prey` with an empty square behind it.
#[inline(always)]
fn flying_takers<R: Rules>(kings: WordOf<R>, prey: WordOf<R>, empty: WordOf<R>) -> WordOf<R> {
    let geometry = R::Board::geometry();
    let mut takers = WordOf::<R>::EMPTY;
    for_directions!(direction in R::KING_CAPTURES => {
        let open = geometry.step_into(empty, direction.opposite(), prey);
        for king in kings.bits() {
            let ray = geometry.ray(king, direction);
            if ray.meets(open) && open.has(nearest(ray & !empty, direction)) {
                takers |= WordOf::<R>::bit(king);
            }
        }
    });
    takers
}

/// Where the men or the kings of a side take.
const fn directions<R: Rules, S: Side, const MAN: bool>() -> Directions {
    if MAN { directions_for(R::MAN_CAPTURES, S::COLOR) } else { R::KING_CAPTURES }
}

/// What men can take.
#[inline(always)]
fn man_prey<R: Rules>(enemies: WordOf<R>, enemy_kings: WordOf<R>) -> WordOf<R> {
    if R::MEN_TAKE_KINGS { enemies } else { enemies & !enemy_kings }
}

/// Shows every capturing path of the side to move, whose takers these are, to a visitor.
#[inline(always)]
pub(crate) fn walk_all<R: Rules, S: Side>(
    position: &Position<R>,
    Takers { men, kings }: Takers<WordOf<R>>,
    visitor: &mut impl Visitor<R>,
) {
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
    let start = Path { captured: WordOf::<R>::EMPTY, rank: Rank::start::<R>(!is_man) };
    if is_man {
        walk.jump::<S, true>(from, walk.jumps::<S, true>(from, start), start);
    } else if R::FLYING_KINGS {
        walk.fly(from, R::KING_CAPTURES, start);
    } else {
        walk.jump::<S, false>(from, walk.jumps::<S, false>(from, start), start);
    }
}

impl<R: Rules, V: Visitor<R>> Walk<'_, R, V> {
    /// The path with one more piece taken.
    #[inline(always)]
    fn take(&self, path: Path<WordOf<R>>, victim: WordOf<R>) -> Path<WordOf<R>> {
        let rank = path.rank.taking::<R>(self.enemy_kings.meets(victim));
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
        let prey = if MAN { man_prey::<R>(self.enemies, self.enemy_kings) } else { self.enemies };
        let (prey, empty) = (prey & !path.captured, self.empty(path));
        let mut landings = WordOf::<R>::EMPTY;
        for_directions!(direction in directions::<R, S, MAN>() => {
            let victim = geometry.step_into(WordOf::<R>::bit(at), direction, prey);
            landings |= geometry.step_into(victim, direction, empty);
        });
        landings
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
        for_directions!(direction in R::KING_CAPTURES => {
            let ray = geometry.ray(at, direction);
            if allowed.has(direction) && ray.meets(prey) {
                let victim = WordOf::<R>::bit(nearest(ray & !empty, direction));
                if !geometry.step_into(victim & prey, direction, empty).is_empty() {
                    flew = true;
                    self.land(victim, direction, self.take(path, victim));
                }
            }
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
