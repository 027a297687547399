//! Values by the places of the two innermost pieces, where these are equal.
//!
//! With all other pieces where they are, the places of two equal pieces are an unordered pair, and the numbers of all pairs a triangle: a
//! row of it, the run with the second piece on one place, is shorter than the next one. A neighbour by the second piece lies in another row
//! while that piece stays behind the innermost one, and in another *column* where it passes it. So the triangle is kept as the
//! symmetric square that it is half of, in which the neighbours of a run by one step of the second piece are always next to each other.

use damier_core::MAX_SQUARES;

use crate::layout::{LANES, ROW};

/// Bytes of a line: the most places of a board, and room for writing a little too far.
const LINE: usize = MAX_SQUARES + ROW;
/// More than the bytes of all lines; a power of two, so that no place need be compared with it.
const SIZE: usize = (LINE * LINE).next_power_of_two();

/// Values by the places of two equal pieces; `UNKNOWN` where nothing was put, and where both would stand on one place.
pub(crate) struct Pairs<const UNKNOWN: u8>([u8; SIZE + LINE * ROW]);

impl<const UNKNOWN: u8> Pairs<UNKNOWN> {
    pub fn new() -> Self {
        Pairs([UNKNOWN; SIZE + LINE * ROW])
    }

    /// Forgets all pairs of places below `end`.
    pub fn clear(&mut self, end: usize) {
        self.0[..LINE * end].fill(UNKNOWN);
    }

    /// With one piece on a place, the values from `other`, the place of the other one, on. What is behind the end of the board is of no meaning.
    #[inline(always)]
    pub fn from(&self, place: usize, other: usize) -> &[u8; LANES] {
        self.0[(LINE * place + other) % SIZE..].first_chunk().expect("room for a run")
    }

    /// Puts the values of a row, a byte each, for the second piece on a place and the innermost one on `other` and those that follow. Rows are put in the
    /// order of their numbers: what is put too far is where later ones will be.
    #[inline(always)]
    pub fn put(&mut self, place: usize, other: usize, values: u64) {
        self.0[(LINE * place + other) % SIZE..][..ROW].copy_from_slice(&values.to_le_bytes());
        let column = &mut self.0[(LINE * other + place) % SIZE..][..LINE * ROW];
        for lane in 0..ROW {
            column[LINE * lane] = (values >> (8 * lane)) as u8;
        }
    }

    /// Is told that all rows with the second piece on a place were put.
    #[inline(always)]
    pub fn end_run(&mut self, place: usize) {
        // Something may have been put where both pieces would be on that place.
        self.0[(LINE + 1) * place % SIZE] = UNKNOWN;
    }
}
