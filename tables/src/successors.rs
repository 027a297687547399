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

use crate::header::BLOCK;
use crate::layout::{Cursor, LANES, Layout, MAX_ROWS, NO_PLACE, Piece};

/// Nothing known.
const UNKNOWN: u8 = 7;
/// A byte of it for each place of a row.
const UNKNOWN_ROW: u64 = 0x0707_0707_0707_0707;
/// Bytes of a row.
const ROW: usize = 8;

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

/// The moves of a side, prepared for a walk.
#[derive(Clone, Debug)]
pub(crate) struct Successors {
    /// The moves of the innermost piece, by direction, if it is this side's.
    near: Vec<RowMoves>,
    /// Whether it moves on as far as it likes.
    flying: bool,
    /// Places to a row.
    width: usize,
    /// This side's other pieces that move by one square and can stay within a block.
    far: Vec<Piece>,
}

/// The moves of the innermost piece in one direction, by row of the board.
#[derive(Clone, Debug)]
struct RowMoves {
    rows: [RowMove; MAX_ROWS],
    /// Whether they lead to rows of higher numbers.
    down: bool,
}

/// Where moves from one row lead.
#[derive(Clone, Copy, Debug)]
struct RowMove {
    /// The row that they lead to; [`MAX_ROWS`] if there is none.
    to: usize,
    /// By how many places to the right they lead within that row.
    right: i8,
    /// [`UNKNOWN`] for each place from which there is no move.
    none: u64,
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
        Successors {
            near: moves.iter().map(|to| RowMoves::new(to, width)).collect(),
            flying: layout.is_flying(Piece::INNERMOST),
            width,
            far: others.collect(),
        }
    }

    /// The values, 0 to 3, of the best that moves lead to from the `run` positions at place `at` of the block.
    #[inline]
    pub fn best(
        &self,
        layout: &Layout,
        cursor: &Cursor,
        at: usize,
        run: usize,
        opposite: &Opposite,
        best: &mut [u8; LANES],
    ) {
        best.fill(UNKNOWN);
        let Some(taken) = cursor.taken() else { return best.fill(3) };
        if !self.near.is_empty() {
            self.best_near(cursor.place(), at, run, opposite, best);
        }
        for &piece in &self.far {
            let from = cursor.place_of(piece);
            for moves in layout.moves(piece) {
                let to = moves[usize::from(from)];
                if to != NO_PLACE && taken & layout.square(piece, to) == 0 {
                    best_far(cursor, piece, to, at, run, opposite, best);
                }
            }
        }
        best.iter_mut().for_each(|bits| *bits = (*bits - (*bits >> 1)).min(3));
    }

    /// The same for moves of the innermost piece.
    #[inline]
    fn best_near(
        &self,
        place: usize,
        at: usize,
        run: usize,
        opposite: &Opposite,
        best: &mut [u8; LANES],
    ) {
        let mut bytes = [UNKNOWN; LANES + ROW];
        bytes[place..place + run].copy_from_slice(&opposite.from(at as isize)[..run]);
        let rows = place / self.width..(place + run).div_ceil(self.width);
        let beyond = UNKNOWN_ROW.checked_shl(8 * self.width as u32).unwrap_or(0);
        let mut values = [UNKNOWN_ROW; MAX_ROWS + 1];
        for row in rows.clone() {
            let row_bytes = bytes[row * self.width..].first_chunk().expect("room for a row");
            values[row] = u64::from_le_bytes(*row_bytes) | beyond;
        }
        let mut found = [UNKNOWN_ROW; MAX_ROWS];
        for moves in &self.near {
            // Row by row from where the moves lead to, so that what is farther on is known.
            let mut reached = [UNKNOWN_ROW; MAX_ROWS + 1];
            let mut visit = |row: usize| {
                let RowMove { to, right, none } = moves.rows[row];
                let mut bits = UNKNOWN_ROW;
                // Within a row one place after the other is known.
                let passes = if to == row && self.flying { self.width } else { 1 };
                for _ in 0..passes {
                    let mut next = values[to];
                    if self.flying {
                        let blocked = (next >> 2 & 0x0101_0101_0101_0101) * u64::from(UNKNOWN);
                        next = next & if to == row { bits } else { reached[to] } | blocked;
                    }
                    let shifted =
                        if right >= 0 { next >> (8 * right) } else { next << (-8 * right) };
                    bits = shifted | none;
                }
                reached[row] = bits;
                found[row] &= bits;
            };
            if moves.down {
                rows.clone().rev().for_each(&mut visit);
            } else {
                rows.clone().for_each(&mut visit);
            }
        }
        for row in rows {
            bytes[row * self.width..][..ROW].copy_from_slice(&found[row].to_le_bytes());
        }
        best[..run].copy_from_slice(&bytes[place..place + run]);
    }
}

/// The same for a move of another piece.
#[inline]
fn best_far(
    cursor: &Cursor,
    piece: Piece,
    to: u8,
    at: usize,
    run: usize,
    opposite: &Opposite,
    best: &mut [u8; LANES],
) {
    let neighbours = cursor.moved(piece, to);
    let place = cursor.place();
    let direct = neighbours.passing().map_or(run, |passing| passing.saturating_sub(place).min(run));
    let from = opposite.from(at as isize - neighbours.signed_distance());
    for (best, found) in best[..direct].iter_mut().zip(from) {
        *best &= found;
    }
    for (lane, best) in best[..run].iter_mut().enumerate().skip(direct) {
        let distance = neighbours.distance_beyond(place + lane);
        *best &= opposite.from(at as isize + lane as isize - distance as isize)[0];
    }
}

impl RowMoves {
    fn new(places: &[u8; LANES], width: usize) -> RowMoves {
        let mut rows = [RowMove { to: MAX_ROWS, right: 0, none: UNKNOWN_ROW }; MAX_ROWS];
        let mut down = false;
        for (place, &to) in places.iter().enumerate().filter(|(_, to)| **to != NO_PLACE) {
            let (row, column) = (place / width, place % width);
            let (to_row, to_column) = (usize::from(to) / width, usize::from(to) % width);
            let moves = &mut rows[row];
            moves.to = to_row;
            moves.right = to_column as i8 - column as i8;
            moves.none &= !(0xff << (8 * column));
            down |= to_row > row;
        }
        RowMoves { rows, down }
    }
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
        let mut cursor = Cursor::new(layout, start);
        let mut found = Vec::new();
        let mut best = [0; LANES];
        while found.len() < len {
            let run = cursor.rest_of_run().min(len - found.len());
            successors.best(layout, &cursor, found.len(), run, opposite, &mut best);
            found.extend_from_slice(&best[..run]);
            cursor.advance();
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
