//! Contexts: what is known about a position before its value is.
//!
//! A context is a few *slots*, each the value of one neighbour of the position, or of the position just before it; two bits a slot. A
//! neighbour that is off the board or before the start of the block has the value [`UNKNOWN`], so that a block needs nothing but itself; or,
//! for one of the two sides to move, the same block of the other one, to see what [moves lead to](crate::successors).
//!
//! [`Contexts::walk`] goes through a block in order, and is all that predicting, encoding, decoding and counting have in common. It works by
//! [runs](crate::layout). Neighbours by pieces other than the innermost are *far*: they lie in earlier runs, mostly next to each other,
//! and what they contribute to the contexts is gathered for the whole run at once. Neighbours by the innermost piece are
//! *near*: a few positions back in the same run. The latest values are kept as the digits of one number, from which
//! the near slots are a shift away.

use damier_core::Color;

use crate::header::BLOCK;
use crate::layout::{Cursor, LANES, Layout, MAX_ROWS, Neighbours, Piece, Step};
use crate::pairs::Pairs;
use crate::successors::{BestMoves, Opposite, Successors};

/// The value of a neighbour that there is none of.
pub(crate) const UNKNOWN: u8 = 3;
/// The most slots of a context.
pub(crate) const MAX_SLOTS: usize = 8;
/// Contexts of that many slots.
pub(crate) const MAX_CONTEXTS: usize = 1 << (2 * MAX_SLOTS);

/// One value that a context is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// Of the position with the number before.
    Previous,
    /// Of the neighbour by this step of this piece.
    Step(Piece, Step),
    /// Of the best position that a move of this side leads to, as the other side to move sees it.
    Best(Color),
}

impl Slot {
    /// All slots that there are for a class, in the order in which they are numbered in files. The innermost piece one place to the
    /// left is the position before, but for the ends of rows: that one is left out. `mover` is the side to move where it can look up the values
    /// of the other one.
    pub fn all(layout: &Layout, mover: Option<Color>) -> Vec<Slot> {
        let steps = layout.pieces().flat_map(|piece| Step::ALL.map(|step| Slot::Step(piece, step)));
        let mut slots: Vec<Slot> = steps.collect();
        slots[0] = Slot::Previous;
        slots.extend(mover.map(Slot::Best));
        slots
    }
}

/// The values of a block, preceded by a block of [`UNKNOWN`]s so that neighbours before its start need no test, and followed by
/// room for reading a little too far.
pub(crate) struct Buffer([u8; 2 * BLOCK + LANES]);

impl Buffer {
    pub fn new() -> Buffer {
        Buffer([UNKNOWN; 2 * BLOCK + LANES])
    }

    /// The values of the block.
    pub fn values(&self) -> &[u8; BLOCK] {
        self.0[BLOCK..2 * BLOCK].try_into().expect("a block")
    }

    /// The values of as many places as a run can have, from `distance`, at most [`BLOCK`], before place `at` on.
    #[inline(always)]
    fn from(&self, at: usize, distance: usize) -> &[u8; LANES] {
        self.0[(BLOCK + at - distance) % (2 * BLOCK)..].first_chunk().expect("room for a run")
    }

    /// Puts a row of values at place `at`.
    #[inline(always)]
    fn put(&mut self, at: usize, values: u64) {
        self.0[BLOCK + at % BLOCK..][..8].copy_from_slice(&values.to_le_bytes());
    }

    /// The value `distance`, at most [`BLOCK`], before place `at`.
    #[inline(always)]
    fn before(&self, at: usize, distance: usize) -> u8 {
        self.0[(BLOCK + at - distance) % (2 * BLOCK)]
    }
}

/// A context, its lowest digit apart: where that is the value of the position before it is known last, and looking up a table of
/// contexts waits for it alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    high: usize,
    /// The lowest digit, 16 times.
    low_16: u32,
}

/// Something for each context.
pub(crate) type ByContext<T> = [[T; 4]; MAX_CONTEXTS / 4];

impl Context {
    /// What a table holds for the four contexts that differ from this one in the lowest digit only, and that digit, 16 times.
    #[inline(always)]
    pub fn among<T>(self, table: &ByContext<T>) -> (&[T; 4], u32) {
        (&table[self.high % (MAX_CONTEXTS / 4)], self.low_16)
    }

    /// What a table holds for this context.
    #[inline(always)]
    pub fn of_mut<T>(self, table: &mut ByContext<T>) -> &mut T {
        &mut table[self.high % (MAX_CONTEXTS / 4)][self.low_16 as usize / 16 % 4]
    }

    /// As one number.
    pub fn number(self) -> u16 {
        (self.high << 2) as u16 | (self.low_16 / 16) as u16
    }
}

/// A few positions next to each other in which the innermost piece is on the same row of the board. All of their contexts are
/// known when the first one's is, but for the value of the position before, where that is a slot (`PREVIOUS`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a, const PREVIOUS: bool> {
    /// The place in the block of the first position.
    pub at: usize,
    /// The value of the position before the first.
    pub previous: u8,
    /// What the far slots contribute, for each position.
    far: &'a [u16],
    /// What the near slots contribute, a byte each.
    near: u64,
}

impl<const PREVIOUS: bool> Row<'_, PREVIOUS> {
    /// How many positions there are, at most 8.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.far.len()
    }

    /// The context of a position, given the value of the one before, 16 times.
    #[inline(always)]
    pub fn context(&self, lane: usize, previous_16: u32) -> Context {
        let context = usize::from(self.far[lane]) | usize::from((self.near >> (8 * lane)) as u8);
        let low_16 = if PREVIOUS { previous_16 } else { 16 * (context as u32 & 3) };
        Context { high: context >> 2, low_16 }
    }

    /// Lets `value` give the values one by one, from their places in the row and contexts.
    #[inline(always)]
    pub fn each(&self, mut value: impl FnMut(usize, Context) -> u8) -> u64 {
        let mut values = 0;
        let mut previous = self.previous;
        for lane in 0..self.len() {
            previous = value(lane, self.context(lane, 16 * u32::from(previous)));
            values |= u64::from(previous) << (8 * lane);
        }
        values
    }
}

/// What is done with the positions of a block.
pub(crate) trait Visit {
    /// Gives the values of the positions of a row, a byte each, the first one lowest.
    fn row<const PREVIOUS: bool>(&mut self, row: Row<PREVIOUS>) -> u64;
}

/// The kinds of near slots, as bits: which of them a table uses is a constant of the loop that reads them.
const UP: u8 = 8;
const UP_LEFT: u8 = 4;
const UP_RIGHT: u8 = 2;
const PREVIOUS: u8 = 1;

/// The near kind of a slot, unless it is far.
fn near_kind(slot: Slot) -> Option<u8> {
    match slot {
        Slot::Previous => Some(PREVIOUS),
        Slot::Step(Piece::INNERMOST, Step::Left) => unreachable!("not a slot"),
        Slot::Step(Piece::INNERMOST, Step::UpLeft) => Some(UP_LEFT),
        Slot::Step(Piece::INNERMOST, Step::UpRight) => Some(UP_RIGHT),
        Slot::Step(Piece::INNERMOST, Step::Up) => Some(UP),
        Slot::Step(..) | Slot::Best(_) => None,
    }
}

/// A slot that is known for a whole run at once.
#[derive(Clone, Copy, Debug)]
enum Far {
    /// Of the neighbour by this step of this piece.
    Step(Piece, Step),
    /// Of the neighbour by this step of the [second](Piece::SECOND) piece, kept in [`Pairs`].
    Second(Step),
    /// Of the best position that a move leads to.
    Best,
}

/// Positions whose far slots are gathered at once.
const CHUNK: usize = 16;

/// A byte of [`UNKNOWN`] for every place of a row.
const UNKNOWN_ROW: u64 = 0x0303_0303_0303_0303;

/// What a row of the board means for the near slots of the innermost piece, a byte for each place of the row.
#[derive(Clone, Copy, Debug, Default)]
struct BoardRow {
    /// Digits of neighbours that there are none of.
    unknown: u64,
    /// Whether the neighbours one row up are at the same place and the next, rather than the one before and the same.
    shifted: bool,
}

impl BoardRow {
    /// The near digits of the row, but for those of the positions before, from the values of the two rows above.
    #[inline(always)]
    fn near_slots<const NEAR: u8>(&self, above: u64, above_that: u64) -> u64 {
        let (left, right) = if self.shifted { (above, above >> 8) } else { (above << 8, above) };
        let slot =
            |kind, values| if NEAR & kind != 0 { values << near_shift(NEAR, kind) } else { 0 };
        self.unknown | slot(UP, above_that) | slot(UP_LEFT, left) | slot(UP_RIGHT, right)
    }
}

/// The slots of a table's contexts, prepared for walking.
#[derive(Clone, Debug)]
pub(crate) struct Contexts {
    /// In the order in which they were chosen.
    slots: Vec<Slot>,
    /// The far slots: the highest digits of a context.
    far: Vec<Far>,
    /// What the slot [`Slot::Best`] needs, if it is one of them.
    successors: Option<Successors>,
    /// The near slots: the lowest digits, by kind.
    near: u8,
    /// Places to a row, at most 8.
    width: usize,
    /// The rows of the board, for the innermost piece.
    rows: [BoardRow; MAX_ROWS],
}

impl Contexts {
    pub fn new(layout: &Layout, slots: &[Slot]) -> Contexts {
        let far = slots.iter().filter_map(|&slot| match slot {
            Slot::Best(_) => Some(Far::Best),
            _ if near_kind(slot).is_some() => None,
            Slot::Step(Piece::SECOND, step) => Some(Far::Second(step)),
            Slot::Step(piece, step) => Some(Far::Step(piece, step)),
            Slot::Previous => None,
        });
        let mover = slots.iter().find_map(|&slot| match slot {
            Slot::Best(mover) => Some(mover),
            _ => None,
        });
        let near =
            slots.iter().filter_map(|&slot| near_kind(slot)).fold(0, |near, kind| near | kind);
        let steps = [(UP, Step::Up), (UP_LEFT, Step::UpLeft), (UP_RIGHT, Step::UpRight)];
        let width = layout.width();
        let mut rows = [BoardRow::default(); MAX_ROWS];
        for place in 0..layout.innermost_places() {
            let row = &mut rows[place / width];
            for (kind, step) in steps.into_iter().filter(|(kind, _)| near & kind != 0) {
                if layout.innermost_distance(place, step).is_none() {
                    row.unknown |=
                        u64::from(UNKNOWN) << (8 * (place % width) as u32 + near_shift(near, kind));
                }
            }
            row.shifted |= layout.innermost_distance(place, Step::UpLeft) == Some(width);
        }
        let successors = mover.map(|mover| Successors::new(layout, mover));
        Contexts { slots: slots.to_vec(), far: far.collect(), successors, near, width, rows }
    }

    /// The slots, in the order in which they were chosen.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Whether the values of the other side to move must be known.
    pub fn sees_opposite(&self) -> bool {
        self.successors.is_some()
    }

    /// How far each of the slots is shifted in a context.
    pub fn shifts(&self) -> Vec<u32> {
        let mut far = 2 * self.slots.len() as u32;
        let shifts = self.slots.iter().map(|&slot| match near_kind(slot) {
            Some(kind) => near_shift(self.near, kind),
            None => {
                far -= 2;
                far
            }
        });
        shifts.collect()
    }

    /// Visits the first `len` positions of the block that begins with number `start`, in order, and puts the values that the
    /// visitor gives into the buffer. Where nothing is given for `opposite`, nothing is known of the other side to move.
    /// The visitor is lent by value, so that its state can stay in registers.
    #[inline]
    pub fn walk<V: Visit>(
        &self,
        layout: &Layout,
        start: u64,
        len: usize,
        buffer: &mut Buffer,
        opposite: Option<&Opposite>,
        visitor: V,
    ) -> V {
        macro_rules! by_kinds {
            ($($near:literal)*) => {
                match self.near {
                    $($near if $near & PREVIOUS != 0 => {
                        self.walk_as::<$near, true, V>(layout, start, len, buffer, opposite, visitor)
                    }
                    $near => self.walk_as::<$near, false, V>(layout, start, len, buffer, opposite, visitor),)*
                    16.. => unreachable!("four kinds"),
                }
            }
        }
        by_kinds!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    }

    fn walk_as<const NEAR: u8, const BY_PREVIOUS: bool, V: Visit>(
        &self,
        layout: &Layout,
        start: u64,
        len: usize,
        buffer: &mut Buffer,
        opposite: Option<&Opposite>,
        mut visitor: V,
    ) -> V {
        debug_assert!(len <= BLOCK);
        let mut cursor = Cursor::new(layout, start);
        let mut neighbours = [Neighbours::NONE; MAX_SLOTS];
        let mut moved = Piece::OUTERMOST;
        let any = |kind: fn(&Far) -> bool| self.far.iter().any(kind);
        let mut pairs = any(|far| matches!(far, Far::Second(_))).then(Pairs::<UNKNOWN>::new);
        // Those that are equal to the innermost piece, but neither it nor the second one.
        let passes = any(|far| matches!(far, Far::Step(Piece { digit: 0, .. }, _)));
        let mut best_moves = self
            .successors
            .as_ref()
            .zip(opposite)
            .map(|(successors, opposite)| BestMoves::new(successors, layout, opposite));
        let unknown = [UNKNOWN; LANES];
        let mut contexts = [0; LANES];
        let mut previous = UNKNOWN;
        let mut at = 0;
        while at < len {
            let mut place = cursor.place();
            let run = cursor.rest_of_run().min(len - at);
            for (neighbours, far) in neighbours.iter_mut().zip(&self.far) {
                match far {
                    Far::Step(piece, step) if piece.digit <= moved.digit => {
                        *neighbours = cursor.neighbours(*piece, *step);
                    }
                    _ => {}
                }
            }
            let best = match &mut best_moves {
                Some(best_moves) => best_moves.of_run(&cursor, moved, at, run),
                None => &unknown,
            };
            let second = cursor.second();
            let mut sources = [&unknown; MAX_SLOTS];
            for ((source, far), neighbours) in sources.iter_mut().zip(&self.far).zip(&neighbours) {
                *source = match far {
                    Far::Step(..) => buffer.from(at, neighbours.distance()),
                    Far::Second(step) => {
                        let to = second.and_then(|place| layout.step(Piece::SECOND, *step, place));
                        match (&pairs, to) {
                            (Some(pairs), Some(to)) => pairs.from(to.into(), place),
                            _ => &unknown,
                        }
                    }
                    Far::Best => best,
                };
            }
            self.gather(&sources[..self.far.len()], run, &mut contexts);
            if passes {
                self.patch(&neighbours[..self.far.len()], place, at, buffer, &mut contexts[..run]);
            }
            // Runs begin with a row, but for the first run of a block: before its first place nothing is known.
            let (first_row, column) =
                if place == 0 { (0, 0) } else { (place / self.width, place % self.width) };
            let (mut lanes, mut shift) = (self.width - column, 8 * column as u32);
            let mut before = UNKNOWN_ROW & ((1 << shift) - 1);
            // The values of the rows above, a byte each, the leftmost one lowest.
            let (mut above, mut above_that) = (UNKNOWN_ROW, UNKNOWN_ROW);
            let mut rest = &contexts[..run];
            for board_row in &self.rows[first_row..] {
                let (far, behind) = rest.split_at(rest.len().min(lanes));
                let near = board_row.near_slots::<NEAR>(above, above_that) >> shift;
                let values = visitor.row(Row::<BY_PREVIOUS> { at, previous, far, near });
                buffer.put(at, values);
                if let (Some(pairs), Some(second)) = (&mut pairs, second) {
                    pairs.put(second.into(), place, values);
                }
                previous = (values >> (8 * (far.len() - 1))) as u8 & 3;
                above_that = above;
                above = values << shift | before;
                at += far.len();
                place += far.len();
                rest = behind;
                if rest.is_empty() {
                    break;
                }
                (lanes, shift, before) = (self.width, 0, 0);
            }
            moved = cursor.advance();
            if let (Some(pairs), Some(second)) = (&mut pairs, second) {
                pairs.end_run(second.into());
                if moved != Piece::SECOND {
                    pairs.clear(cursor.end_of_pair());
                }
            }
        }
        visitor
    }

    /// What the far slots contribute to the contexts of a run, from their values.
    #[inline(always)]
    fn gather(&self, sources: &[&[u8; LANES]], run: usize, contexts: &mut [u16; LANES]) {
        let near = self.near.count_ones();
        // Four slots fit into a byte: the lower byte has the near ones, and as many far ones as are left.
        let (high, low) = sources.split_at(sources.len().saturating_sub(4 - near as usize));
        let chunks = contexts.as_chunks_mut::<CHUNK>().0.iter_mut().enumerate();
        for (chunk, contexts) in chunks.take(run.div_ceil(CHUNK)) {
            let digits = |sources: &[&[u8; LANES]]| {
                let mut digits = [0; CHUNK / 2];
                for source in sources {
                    let values = source.as_chunks::<CHUNK>().0[chunk % (LANES / CHUNK)];
                    for (digits, values) in digits.iter_mut().zip(values.as_chunks().0) {
                        *digits = *digits << 2 | u16::from_le_bytes(*values);
                    }
                }
                digits
            };
            let (high, low) = (digits(high), digits(low).map(|low| low << (2 * near)));
            for (lane, two) in contexts.as_chunks_mut().0.iter_mut().enumerate() {
                *two = [high[lane] << 8 | low[lane] & 0xff, high[lane] & 0xff00 | low[lane] >> 8];
            }
        }
    }

    /// Corrects the contexts of the run at place `at` of the block, which begins with the innermost piece on `place`, where a piece passes that one.
    #[inline(always)]
    fn patch(
        &self,
        neighbours: &[Neighbours],
        place: usize,
        at: usize,
        buffer: &Buffer,
        contexts: &mut [u16],
    ) {
        let near = 2 * self.near.count_ones();
        for (slot, neighbours) in neighbours.iter().rev().enumerate() {
            let Some(passing) = neighbours.passing() else { continue };
            let shift = near + 2 * slot as u32;
            let first = passing.saturating_sub(place);
            for (lane, context) in contexts.iter_mut().enumerate().skip(first) {
                let value = buffer.before(at + lane, neighbours.distance_beyond(place + lane));
                *context = *context & !(3 << shift) | u16::from(value) << shift;
            }
        }
    }
}

/// How far a near slot of this kind is shifted in a context with these kinds.
const fn near_shift(near: u8, kind: u8) -> u32 {
    2 * (near & (kind - 1)).count_ones()
}

#[cfg(test)]
mod tests {
    use damier_core::Rules;
    use damier_core::rules::{Canadian, English, International, Turkish};

    use super::*;
    use crate::class::Class;
    use crate::index::{GroupOrder, Index};

    /// Gives the values of a block and keeps the contexts.
    struct Keeping<'a> {
        values: &'a [u8],
        contexts: Vec<u16>,
    }

    impl Visit for Keeping<'_> {
        fn row<const PREVIOUS: bool>(&mut self, row: Row<PREVIOUS>) -> u64 {
            row.each(|lane, context| {
                self.contexts.push(context.number());
                self.values[row.at + lane]
            })
        }
    }

    /// Compares every digit of every context with the value of the neighbour that it stands for.
    fn digits_are_values_of_neighbours<R: Rules>(name: &str) {
        let class: Class = name.parse().unwrap();
        for order in GroupOrder::all_for(class) {
            let layout = Layout::of(&Index::<R>::new(class, order));
            let blocks = layout.len().div_ceil(BLOCK as u64);
            for start in [0, 1, blocks / 2, blocks - 1].map(|block| block % blocks * BLOCK as u64) {
                let len = (layout.len() - start).min(BLOCK as u64);
                let values: Vec<u8> = (0..len).map(|at| (at * at / 3 % 7 % 3) as u8).collect();
                for slots in Slot::all(&layout, None).chunks(5) {
                    let contexts = Contexts::new(&layout, slots);
                    let keeping = Keeping { values: &values, contexts: Vec::new() };
                    let mut buffer = Buffer::new();
                    let kept =
                        contexts.walk(&layout, start, len as usize, &mut buffer, None, keeping);
                    assert_eq!(buffer.values()[..len as usize], values);
                    for (at, context) in kept.contexts.into_iter().enumerate() {
                        let number = start + at as u64;
                        for (slot, shift) in slots.iter().zip(contexts.shifts()) {
                            let neighbour = match *slot {
                                Slot::Previous => number.checked_sub(1),
                                Slot::Step(piece, step) => layout.neighbour(number, piece, step),
                                Slot::Best(_) => unreachable!("needs the other side to move"),
                            };
                            let before = neighbour.and_then(|number| number.checked_sub(start));
                            let expected = before.map_or(UNKNOWN, |at| values[at as usize]);
                            let found = (context >> shift & 3) as u8;
                            assert_eq!(found, expected, "{order} {number} {slot:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn of_single_pieces() {
        digits_are_values_of_neighbours::<English>("KMvM");
        digits_are_values_of_neighbours::<International>("KMvKM");
        digits_are_values_of_neighbours::<Turkish>("KMvK");
    }

    #[test]
    fn of_equal_pieces() {
        for name in ["KKvMM", "KKKvM", "MMMMvK"] {
            digits_are_values_of_neighbours::<English>(name);
            digits_are_values_of_neighbours::<International>(name);
        }
        digits_are_values_of_neighbours::<Canadian>("KKvK");
    }
}
