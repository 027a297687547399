//! Contexts: what is known about a position before its value is.
//!
//! A context is a few *slots*, each the value of one neighbour of the position, or of the position just before it; two bits a slot. A
//! neighbour that is off the board or before the start of the block has the value [`UNKNOWN`], so that a block needs nothing but itself.
//!
//! [`Contexts::walk`] goes through a block in order, and is all that predicting, encoding, decoding and counting have in common. It works by
//! [runs](crate::layout): neighbours by pieces other than the innermost lie in earlier runs, so what they contribute
//! to the contexts is gathered for the whole run at once; only those by the innermost piece are looked up value by value.

use crate::header::BLOCK;
use crate::layout::{Cursor, LANES, Layout, Piece, STEPS};

/// The value of a neighbour that there is none of.
pub(crate) const UNKNOWN: u8 = 3;
/// The most slots of a context.
pub(crate) const MAX_SLOTS: usize = 6;
/// Contexts of that many slots.
pub(crate) const MAX_CONTEXTS: usize = 1 << (2 * MAX_SLOTS);

/// One value that a context is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// Of the position with the number before.
    Previous,
    /// Of the neighbour by this step of this piece.
    Step(Piece, usize),
}

impl Slot {
    /// All slots that there are for a class, in the order in which they are numbered in files. The innermost piece one place to the
    /// left is the position before, but for the ends of rows: it is left out.
    pub fn all(layout: &Layout) -> Vec<Slot> {
        let steps =
            layout.pieces().flat_map(|piece| (0..STEPS).map(move |step| Slot::Step(piece, step)));
        let mut slots: Vec<Slot> = steps.collect();
        slots[0] = Slot::Previous;
        slots
    }

    /// Whether it has to be looked up value by value, as it may lie in the same run.
    fn is_near(self) -> bool {
        matches!(self, Slot::Step(Piece::INNERMOST, _))
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

    /// The values of the block.
    pub fn values_mut(&mut self) -> &mut [u8; BLOCK] {
        (&mut self.0[BLOCK..2 * BLOCK]).try_into().expect("a block")
    }

    /// The value `distance`, at most [`BLOCK`], before place `at`.
    #[inline(always)]
    fn before(&self, at: usize, distance: usize) -> u8 {
        self.0[(BLOCK + at - distance) % (2 * BLOCK)]
    }

    /// The values from `distance` before place `at` on, enough for a run.
    #[inline(always)]
    fn run(&self, at: usize, distance: usize) -> &[u8; LANES] {
        let start = BLOCK + at - distance;
        self.0[start..start + LANES].try_into().expect("so many lanes")
    }
}

/// What is done with each position of a block.
pub(crate) trait Visit {
    /// Gives the value of the position at a place of the block, which has this context.
    fn visit(&mut self, at: usize, context: usize) -> u8;
}

/// The slots of a table's contexts, prepared for walking.
#[derive(Clone, Debug)]
pub(crate) struct Contexts {
    /// In the order in which they were chosen.
    slots: Vec<Slot>,
    /// Neighbours by pieces other than the innermost: the highest digits of a context.
    far: Vec<(Piece, usize)>,
    /// Neighbours by the innermost piece: for each of its places how far below.
    near: Vec<[u16; LANES]>,
    /// Whether the position before is a slot: the lowest digit.
    previous: bool,
}

impl Contexts {
    pub fn new(layout: &Layout, slots: &[Slot]) -> Contexts {
        let far = slots.iter().filter_map(|&slot| match slot {
            Slot::Step(piece, step) if !slot.is_near() => Some((piece, step)),
            _ => None,
        });
        let near = slots.iter().filter(|slot| slot.is_near()).map(|slot| {
            let Slot::Step(_, step) = *slot else { unreachable!("near slots are steps") };
            std::array::from_fn(|place| {
                layout.innermost_distance(place, step).unwrap_or(BLOCK) as u16
            })
        });
        Contexts {
            slots: slots.to_vec(),
            far: far.collect(),
            near: near.collect(),
            previous: slots.contains(&Slot::Previous),
        }
    }

    /// The slots, in the order in which they were chosen.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// How far each of the slots is shifted in a context.
    pub fn shifts(&self) -> Vec<u32> {
        let count = self.slots.len() as u32;
        let (mut far, mut near) = (0, self.far.len() as u32);
        let places = self.slots.iter().map(|slot| {
            let place = match slot {
                Slot::Previous => count - 1,
                slot if slot.is_near() => {
                    near += 1;
                    near - 1
                }
                _ => {
                    far += 1;
                    far - 1
                }
            };
            2 * (count - 1 - place)
        });
        places.collect()
    }

    /// Visits the first `len` positions of the block that begins with number `start`, in order. The buffer gets the values.
    #[inline]
    pub fn walk(
        &self,
        layout: &Layout,
        start: u64,
        len: usize,
        buffer: &mut Buffer,
        visitor: &mut impl Visit,
    ) {
        match (self.previous, self.near.as_slice()) {
            (false, []) => self.walk_as::<false, 0>(layout, start, len, buffer, [], visitor),
            (false, [a]) => self.walk_as::<false, 1>(layout, start, len, buffer, [a], visitor),
            (false, [a, b]) => {
                self.walk_as::<false, 2>(layout, start, len, buffer, [a, b], visitor)
            }
            (false, [a, b, c, ..]) => {
                self.walk_as::<false, 3>(layout, start, len, buffer, [a, b, c], visitor)
            }
            (true, []) => self.walk_as::<true, 0>(layout, start, len, buffer, [], visitor),
            (true, [a]) => self.walk_as::<true, 1>(layout, start, len, buffer, [a], visitor),
            (true, [a, b]) => self.walk_as::<true, 2>(layout, start, len, buffer, [a, b], visitor),
            (true, [a, b, c, ..]) => {
                self.walk_as::<true, 3>(layout, start, len, buffer, [a, b, c], visitor)
            }
        }
    }

    fn walk_as<const PREVIOUS: bool, const NEAR: usize>(
        &self,
        layout: &Layout,
        start: u64,
        len: usize,
        buffer: &mut Buffer,
        near: [&[u16; LANES]; NEAR],
        visitor: &mut impl Visit,
    ) {
        debug_assert!(len <= BLOCK);
        let mut cursor = Cursor::new(layout, start);
        let mut previous = UNKNOWN;
        let mut at = 0;
        while at < len {
            let place = cursor.place();
            let run = cursor.rest_of_run().min(len - at);
            let far = self.gather(&cursor, at, run, buffer);
            for lane in 0..run {
                let mut context = usize::from(far[lane % LANES]);
                for distances in near {
                    let distance = usize::from(distances[(place + lane) % LANES]);
                    context = context << 2 | usize::from(buffer.before(at + lane, distance));
                }
                if PREVIOUS {
                    context = context << 2 | usize::from(previous);
                }
                let value = visitor.visit(at + lane, context);
                buffer.0[(BLOCK + at + lane) % (2 * BLOCK)] = value;
                previous = value;
            }
            at += run;
            cursor.advance();
        }
    }

    /// What the far slots contribute to the contexts of a run.
    #[inline(always)]
    fn gather(&self, cursor: &Cursor, at: usize, run: usize, buffer: &Buffer) -> [u16; LANES] {
        let mut contexts = [0; LANES];
        for &(piece, step) in &self.far {
            let neighbours = cursor.neighbours(piece, step);
            let values = buffer.run(at, neighbours.distance);
            const CHUNK: usize = 16;
            let chunks =
                contexts.as_chunks_mut::<CHUNK>().0.iter_mut().zip(values.as_chunks::<CHUNK>().0);
            for (contexts, values) in chunks.take(run.div_ceil(CHUNK)) {
                for (context, &value) in contexts.iter_mut().zip(values) {
                    *context = *context << 2 | u16::from(value);
                }
            }
            if let Some(passing) = neighbours.passing {
                let place = cursor.place();
                for lane in passing.at().saturating_sub(place)..run {
                    let value = match passing.distance(place + lane) {
                        Some(distance) => buffer.before(at + lane, distance),
                        None => UNKNOWN,
                    };
                    let context = &mut contexts[lane % LANES];
                    *context = *context & !3 | u16::from(value);
                }
            }
        }
        contexts
    }
}
