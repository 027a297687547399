//! Sources of values for the tests.
#![allow(dead_code)]

use std::io::Cursor;

use damier_core::{Color, Position, Rules};
use damier_tables::{Class, Counts, DONT_CARE, Index, Values, WriteOptions, encode_table};

/// Values given by a function of the position; holes are left open.
pub struct ByPosition<F>(pub F);

impl<R: Rules, F: Fn(&Position<R>) -> u8 + Sync> Values<R> for ByPosition<F> {
    fn fill(&self, index: &Index<R>, turn: Color, start: u64, out: &mut [u8]) {
        for (number, code) in (start..).zip(out) {
            *code = index.position(number, turn).map_or(DONT_CARE, |position| (self.0)(&position));
        }
    }
}

/// A table in memory.
pub fn encoded<R: Rules>(class: Class, values: &impl Values<R>, options: &WriteOptions) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let counts = [Counts { wins: 1, draws: 2, losses: 3 }, Counts { wins: 4, draws: 5, losses: 6 }];
    let written = encode_table(&mut bytes, class, counts, values, options).unwrap();
    assert_eq!(written.bytes, bytes.get_ref().len() as u64);
    bytes.into_inner()
}

/// A number that looks random, from a position.
pub fn scrambled<R: Rules>(position: &Position<R>) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = std::hash::DefaultHasher::new();
    position.hash(&mut hasher);
    hasher.finish()
}
