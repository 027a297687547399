//! What goes into a table: the values of a class, and how many there are of each.

use damier_core::{Color, Rules, Value};

use crate::index::Index;

/// Code of a number whose value is never asked for: a hole of the index, or a position in which a capture is due.
/// All other codes are values as numbers: 0 loss, 1 draw, 2 win.
pub const DONT_CARE: u8 = 3;

/// Where the values of a class come from.
pub trait Values<R: Rules>: Sync {
    /// Writes the codes of the numbers `start .. start + out.len()`, all within the index: a [`Value`] as its
    /// number, or [`DONT_CARE`].
    ///
    /// Calls come from several threads, for any order of the groups, in blocks.
    fn fill(&self, index: &Index<R>, turn: Color, start: u64, out: &mut [u8]);
}

/// How many positions of a class are won, drawn and lost for one side to move. All legal positions count, those with
/// a capture due as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Won for the side to move.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost for the side to move.
    pub losses: u64,
}

impl Counts {
    /// All positions.
    pub const fn positions(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Counts one more position.
    #[inline]
    pub fn add(&mut self, value: Value) {
        match value {
            Value::Win => self.wins += 1,
            Value::Draw => self.draws += 1,
            Value::Loss => self.losses += 1,
        }
    }
}

/// The value of a code below [`DONT_CARE`].
#[inline]
pub const fn value_of_code(code: u8) -> Option<Value> {
    match code {
        0 => Some(Value::Loss),
        1 => Some(Value::Draw),
        2 => Some(Value::Win),
        _ => None,
    }
}

/// The codes with what does not matter replaced by what comes before it.
pub(crate) fn filled_with_previous(codes: &[u8]) -> Vec<u8> {
    let mut filled = codes.to_vec();
    fill_with_previous(&mut filled, DONT_CARE, Value::Draw as u8);
    filled
}

/// Replaces numbers that do not matter by what comes before them, or after them at the start; all by a draw if none matters.
pub(crate) fn fill_with_previous<N: Copy + PartialEq>(numbers: &mut [N], dont_care: N, draw: N) {
    let mut previous = numbers.iter().copied().find(|&number| number != dont_care).unwrap_or(draw);
    for number in numbers {
        previous = if *number == dont_care { previous } else { *number };
        *number = previous;
    }
}
