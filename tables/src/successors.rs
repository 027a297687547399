//! Successors: the best that a move leads to, as far as the block of the other side to move tells.
//!
//! The value of a position without a capture is that of its best move. Where the values of the other side to move are decoded first, the
//! outcome of every move that stays within the block can be looked up there. Pieces are moved as on the board: men step, flying kings
//! go on until something is in the way. What leads out of the block, and numbers that are holes, tell nothing; and flying kings other than
//! the innermost piece are left out, since they have too many moves for what these tell.
//!
//! Values are kept in bytes as 0, 1, 3 and 7 for loss, draw, win and unknown, so that the lower of two is the bits that both have, and whole
//! vectors of bytes are compared at once. What is lost for the other side is best.

use damier_core::Color;
use smallvec::SmallVec;

use crate::header::BLOCK;
use crate::layout::{Cursor, LANES, Layout, MAX_ROWS, NO_PLACE, Neighbours, Piece, ROW};
use crate::pairs::Pairs;

/// Nothing known.
const UNKNOWN: u8 = 7;
/// A byte of it for each place of a row.
const UNKNOWN_ROW: u64 = 0x0707_0707_0707_0707;
/// Values that are compared at once.
const CHUNK: usize = 16;
/// The most directions in which a piece moves down, or does not, on any board.
const DIRECTIONS: usize = 4;

/// The values of a block with the other side to move, with unknown ones before and behind.
#[derive(Clone, Debug)]
pub(crate) struct Opposite([u8; 3 * BLOCK + LANES]);

impl Opposite {
    /// The values of the block that begins with number `start`.
    pub fn new(layout: &Layout, start: u64, values: &[u8]) -> Opposite {
        let mut opposite = Opposite([UNKNOWN; 3 * BLOCK + LANES]);
        let block = &mut opposite.0[BLOCK..][..values.len()];
        for (bits, value) in block.iter_mut().zip(values) {
            *bits = value + (value >> 1);
        }
        let mut cursor = Cursor::new(layout, start);
        let mut rest = block;
        while !rest.is_empty() {
            let place = cursor.place();
            let (run, behind) = rest.split_at_mut(rest.len().min(cursor.rest_of_run()));
            match cursor.taken() {
                None => run.fill(UNKNOWN),
                Some(mut squares) => {
                    while squares != 0 {
                        let taken = layout.innermost_on_square(squares.trailing_zeros());
                        squares &= squares - 1;
                        if let Some(bits) = run.get_mut(taken.wrapping_sub(place)) {
                            *bits = UNKNOWN;
                        }
                    }
                }
            }
            rest = behind;
            cursor.advance();
        }
        opposite
    }

    /// What is known from place `at` of the block on, which may be up to a block before its start or behind its end.
    #[inline(always)]
    fn from(&self, at: isize) -> &[u8] {
        &self.0[(BLOCK as isize + at) as usize..]
    }
}

/// The moves of a side.
#[derive(Clone, Debug)]
pub(crate) struct Successors {
    /// The moves of the innermost piece, by direction, if it is this side's: those that do not lead to rows of higher numbers, and those that do.
    near: [Vec<RowMoves>; 2],
    /// Whether it moves on as far as it likes.
    flying: bool,
    /// Places to a row.
    width: usize,
    /// Whether the next piece is equal to it and moves by one square.
    pair: bool,
    /// This side's other pieces that move by one square and can stay within a block, outermost first.
    far: Vec<Piece>,
}

/// The moves of the innermost piece in one direction, by row of the board.
type RowMoves = [RowMove; MAX_ROWS];

/// Where moves from one row lead.
#[derive(Clone, Copy, Debug)]
struct RowMove {
    /// The row that they lead to; [`MAX_ROWS`] if there is none.
    to: usize,
    /// By how many bits the values of that row are rotated to the right to be those that moves lead to.
    right: u32,
    /// [`UNKNOWN`] for each place from which there is no move.
    none: u64,
}

/// A move by one square of a piece other than the innermost, which leads to a number in reach.
#[derive(Clone, Copy, Debug)]
struct FarMove {
    /// The digit of the piece.
    digit: u8,
    /// The square that it leads to, as a bit.
    square: u128,
    /// Where the numbers are that it leads to.
    to: Neighbours,
}

/// The best successors, run by run.
pub(crate) struct BestMoves<'a> {
    successors: &'a Successors,
    layout: &'a Layout,
    opposite: &'a Opposite,
    /// The opposite values of as many runs as differ in the two innermost pieces only, where the second one's moves are looked up.
    pairs: Option<Pairs<UNKNOWN>>,
    /// The moves of the run's other pieces, outermost first.
    far: SmallVec<[FarMove; 16]>,
    /// The values, 0 to 3, of the best that moves lead to, by the place of the innermost piece.
    best: [u8; 2 * LANES],
}

impl Successors {
    /// The moves of `mover`.
    pub fn new(layout: &Layout, mover: Color) -> Successors {
        let near = layout.pieces_of(mover).any(|piece| piece == Piece::INNERMOST);
        let width = layout.width();
        let moves = if near { layout.moves(Piece::INNERMOST) } else { &[] };
        let others = layout.pieces_of(mover).filter(|&piece| {
            let near = piece == Piece::INNERMOST || layout.is_flying(piece);
            !near && layout.stride(piece) < BLOCK as u64
        });
        let mut far: Vec<Piece> = others.collect();
        let pair = far.contains(&Piece::SECOND);
        far.retain(|&piece| piece != Piece::SECOND);
        far.reverse();
        let near = moves.iter().map(|to| row_moves(to, width));
        let (down, up) = near.partition(|moves| {
            moves.iter().enumerate().any(|(row, moves)| (row + 1..MAX_ROWS).contains(&moves.to))
        });
        let near = [up, down];
        assert!(near.iter().all(|near: &Vec<RowMoves>| near.len() <= DIRECTIONS));
        Successors { near, flying: layout.is_flying(Piece::INNERMOST), width, pair, far }
    }
}

impl<'a> BestMoves<'a> {
    pub fn new(successors: &'a Successors, layout: &'a Layout, opposite: &'a Opposite) -> Self {
        let pairs = successors.pair.then(Pairs::new);
        let best = [UNKNOWN; 2 * LANES];
        BestMoves { successors, layout, opposite, pairs, far: SmallVec::new(), best }
    }

    /// The values, 0 to 3, of the best that moves lead to from the `run` positions at place `at` of the block, followed by others. Pieces
    /// farther out than `moved` are where they were in the run before.
    #[inline]
    pub fn of_run(&mut self, cursor: &Cursor, moved: Piece, at: usize, run: usize) -> &[u8; LANES] {
        let place = cursor.place();
        let end = place + run;
        self.move_others(cursor, moved.digit);
        if moved != Piece::SECOND {
            self.fill_pairs(cursor, at);
        }
        match cursor.taken() {
            None => self.best.fill(3),
            Some(taken) => {
                if self.successors.near.iter().all(Vec::is_empty) {
                    self.best.fill(UNKNOWN);
                } else if self.successors.flying {
                    self.best_near::<true>(place, at, run);
                } else {
                    self.best_near::<false>(place, at, run);
                }
                if let Some(pairs) = &self.pairs {
                    let from = usize::from(cursor.place_of(Piece::SECOND));
                    for to in self.layout.moves(Piece::SECOND).iter().map(|moves| moves[from]) {
                        if to != NO_PLACE && taken & self.layout.square(Piece::SECOND, to) == 0 {
                            lower(&mut self.best[place..], pairs.from(to.into(), place), run);
                        }
                    }
                }
                for far in self.far.iter().filter(|far| far.square & taken == 0) {
                    best_far(far.to, place, at, run, self.opposite, &mut self.best[place..]);
                }
                let chunks =
                    self.best.as_chunks_mut::<CHUNK>().0.iter_mut().take(end.div_ceil(CHUNK));
                for chunk in chunks {
                    *chunk = chunk.map(|bits| (bits - (bits >> 1)).min(3));
                }
            }
        }
        self.best[place..].first_chunk().expect("room for a run")
    }

    /// Keeps the opposite values of the run at place `at` of the block and all that follow until a piece other than the two innermost moves.
    #[inline]
    fn fill_pairs(&mut self, cursor: &Cursor, at: usize) {
        let (Some(pairs), Some(second)) = (&mut self.pairs, cursor.second()) else { return };
        let end = cursor.end_of_pair();
        pairs.clear(end);
        let (mut at, mut place) = (at, cursor.place());
        for second in usize::from(second)..end {
            if at >= BLOCK {
                break;
            }
            let (run, len) = (self.opposite.from(at as isize), second - place);
            for lane in (0..len).step_by(ROW) {
                let values = run[lane..].first_chunk().expect("room behind the block");
                let behind = UNKNOWN_ROW.checked_shl(8 * (len - lane) as u32).unwrap_or(0);
                pairs.put(second, place + lane, u64::from_le_bytes(*values) | behind);
            }
            at += len;
            place = 0;
        }
    }

    /// Finds the moves of the pieces other than the two innermost.
    #[inline]
    fn move_others(&mut self, cursor: &Cursor, changed: u8) {
        let kept = self.far.iter().take_while(|far| far.digit > changed).count();
        self.far.truncate(kept);
        for &piece in self.successors.far.iter().filter(|piece| piece.digit <= changed) {
            let from = usize::from(cursor.place_of(piece));
            for moves in self.layout.moves(piece) {
                if moves[from] == NO_PLACE {
                    continue;
                }
                let to = cursor.moved(piece, moves[from]);
                if to.is_some() {
                    let square = self.layout.square(piece, moves[from]);
                    self.far.push(FarMove { digit: piece.digit, square, to });
                }
            }
        }
    }

    /// Sets the best that moves of the innermost piece lead to.
    #[inline]
    fn best_near<const FLYING: bool>(&mut self, place: usize, at: usize, run: usize) {
        let width = self.successors.width;
        let end = place + run;
        let rows = place / width..end.div_ceil(width);
        // What is before the first place of the first run of a block is before the start of the block, and thus unknown.
        let bytes = self.opposite.from(at as isize - place as isize);
        let beyond = UNKNOWN_ROW.checked_shl(8 * width as u32).unwrap_or(0);
        // No move leads to places of a row beyond the last one, which are unknown like all rows of which nothing is known.
        let mut values = [UNKNOWN_ROW; MAX_ROWS + 1];
        let mut blocked = [UNKNOWN_ROW; MAX_ROWS + 1];
        let mut found = [UNKNOWN_ROW; MAX_ROWS];
        for row in rows.clone() {
            let row_bytes = bytes[row * width..].first_chunk().expect("room for a row");
            let behind = UNKNOWN_ROW.checked_shl(8 * (end - row * width) as u32).unwrap_or(0);
            values[row] = u64::from_le_bytes(*row_bytes) | beyond | behind;
            blocked[row] = (values[row] >> 2 & 0x0101_0101_0101_0101) * u64::from(UNKNOWN);
        }
        let mut reached = [[UNKNOWN_ROW; MAX_ROWS + 1]; DIRECTIONS];
        for (near, down) in self.successors.near.iter().zip([false, true]) {
            // Row by row from where the moves lead to, so that what is farther on is known.
            for nearer in rows.clone() {
                let row = if down { rows.start + rows.end - 1 - nearer } else { nearer };
                for (moves, reached) in near.iter().zip(&mut reached) {
                    let RowMove { to, right, none } = moves[row];
                    let mut bits = UNKNOWN_ROW;
                    // Within a row one place after the other is known.
                    let passes = if FLYING && to == row { width } else { 1 };
                    for _ in 0..passes {
                        let mut next = values[to];
                        if FLYING {
                            next = next & if to == row { bits } else { reached[to] } | blocked[to];
                        }
                        bits = next.rotate_right(right) | none;
                    }
                    reached[row] = bits;
                    found[row] &= bits;
                }
            }
        }
        for row in rows {
            self.best[row * width..][..ROW].copy_from_slice(&found[row].to_le_bytes());
        }
    }
}

/// Adds what a move of another piece leads to; `best` begins with place `at` of the block, where the innermost piece is on `place`.
#[inline]
fn best_far(
    to: Neighbours,
    place: usize,
    at: usize,
    run: usize,
    opposite: &Opposite,
    best: &mut [u8],
) {
    let from = opposite.from(at as isize - to.signed_distance());
    let Some(passing) = to.passing() else { return lower(best, from, run) };
    for (lane, best) in best[..run].iter_mut().enumerate() {
        *best &= if place + lane < passing {
            from[lane]
        } else {
            let distance = to.distance_beyond(place + lane);
            opposite.from((at + lane) as isize - distance as isize)[0]
        };
    }
}

/// Keeps the lower of two values, for `run` of them; there must be room for a few more.
#[inline(always)]
fn lower(best: &mut [u8], found: &[u8], run: usize) {
    let (best, found) = (best.as_chunks_mut::<CHUNK>().0, found.as_chunks::<CHUNK>().0);
    for (best, found) in best.iter_mut().zip(found).take(run.div_ceil(CHUNK)) {
        for (best, found) in best.iter_mut().zip(found) {
            *best &= found;
        }
    }
}

/// The moves from places to places as moves of whole rows.
fn row_moves(places: &[u8; LANES], width: usize) -> RowMoves {
    let mut rows = [RowMove { to: MAX_ROWS, right: 0, none: UNKNOWN_ROW }; MAX_ROWS];
    for (place, &to) in places.iter().enumerate().filter(|(_, to)| **to != NO_PLACE) {
        let (row, column) = (place / width, place % width);
        let (to_row, to_column) = (usize::from(to) / width, usize::from(to) % width);
        let moves = &mut rows[row];
        moves.to = to_row;
        // What is rotated out of the row comes to where there is no move.
        moves.right = (8 * (ROW + to_column - column) % u64::BITS as usize) as u32;
        moves.none &= !(0xff << (8 * column));
    }
    rows
}

#[cfg(test)]
mod tests {
    use damier_core::rules::{English, Frisian, International, Russian, Turkish};
    use damier_core::{Position, Rules, Word};

    use super::*;
    use crate::class::Class;
    use crate::index::{GroupOrder, Index};

    /// Compares with the moves of the rules in all positions of a few blocks in which no capture is due.
    fn as_the_rules_say<R: Rules>(name: &str) {
        let class: Class = name.parse().unwrap();
        for order in GroupOrder::all_for(class) {
            let index = Index::<R>::new(class, order);
            let layout = Layout::of(&index);
            for block in [0, 1, 7] {
                let start = block * BLOCK as u64;
                let Some(len) = index.len().checked_sub(start).map(|len| len.min(BLOCK as u64))
                else {
                    continue;
                };
                let values: Vec<u8> = (0..len).map(|at| (at * at / 3 % 7 % 3) as u8).collect();
                let opposite = Opposite::new(&layout, start, &values);
                for mover in Color::BOTH {
                    let found = best(&layout, mover, start, len as usize, &opposite);
                    let positions = (0..len as usize)
                        .filter_map(|at| Some((at, index.position(start + at as u64, mover)?)));
                    for (at, position) in positions.filter(|(_, position)| !position.capture_due())
                    {
                        let seen = visible(&index, &position, start..start + len);
                        let expected = seen.map(|at| values[at as usize]).min().unwrap_or(3);
                        assert_eq!(found[at], expected, "{order} {position}");
                    }
                }
            }
        }
    }

    /// The best successors of all positions of a block.
    fn best(layout: &Layout, mover: Color, start: u64, len: usize, opposite: &Opposite) -> Vec<u8> {
        let successors = Successors::new(layout, mover);
        let mut best = BestMoves::new(&successors, layout, opposite);
        let mut cursor = Cursor::new(layout, start);
        let mut moved = Piece::OUTERMOST;
        let mut found = Vec::new();
        while found.len() < len {
            let run = cursor.rest_of_run().min(len - found.len());
            found.extend_from_slice(&best.of_run(&cursor, moved, found.len(), run)[..run]);
            moved = cursor.advance();
        }
        found
    }

    /// The places in the block of the positions that moves lead to, but for moves of the innermost piece after which another one is, and
    /// of other flying kings.
    fn visible<R: Rules>(
        index: &Index<R>,
        position: &Position<R>,
        block: std::ops::Range<u64>,
    ) -> impl Iterator<Item = u64> {
        let groups = index.order().to_bytes().map(usize::from);
        let pieces = |position: &Position<R>, group: usize| match group {
            0 => position.men(Color::White),
            1 => position.kings(Color::White),
            2 => position.men(Color::Black),
            _ => position.kings(Color::Black),
        };
        let last = groups.into_iter().rev().find(|&group| !pieces(position, group).is_empty());
        let innermost = |position: &Position<R>| {
            let set = pieces(position, last.expect("pieces"));
            if last == Some(2) { set.last() } else { set.first() }
        };
        let moves = position.legal_moves().into_iter().filter(|mv| !mv.promotes());
        let kings = position.kings(position.turn());
        let numbers = moves.filter_map(|mv| {
            let next = position.play(mv);
            let stays = if innermost(position) == mv.from() {
                innermost(&next) == mv.to()
            } else {
                !(R::FLYING_KINGS && kings.has(mv.from()))
            };
            let number = index.index(&next);
            (stays && block.contains(&number)).then(|| number - block.start)
        });
        numbers.collect::<Vec<_>>().into_iter()
    }

    #[test]
    fn kings_and_men() {
        for name in ["KKvK", "KMvM", "MMvK", "KMvKM", "KKvMM"] {
            as_the_rules_say::<English>(name);
            as_the_rules_say::<International>(name);
            as_the_rules_say::<Russian>(name);
        }
    }

    #[test]
    fn other_directions() {
        for name in ["KKvK", "KMvM", "MMvK"] {
            as_the_rules_say::<Turkish>(name);
            as_the_rules_say::<Frisian>(name);
        }
    }
}
