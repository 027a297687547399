//! What goes into a table of distances: the distances of a class, as scores.

use damier_core::{Color, Rules, Value};

use crate::index::Index;

/// Score of a number whose distance is never asked for: a hole of the index, or a position in which a capture is due.
pub const DONT_CARE_SCORE: u16 = u16::MAX;

/// Score of a draw. Losses are below, wins above.
pub(crate) const DRAW: u16 = 0x7FFF;

/// Scores: a value and a distance as one number, ordered as the side to move likes them.
///
/// A position lost in `n` plies has score `n`, a draw 7FFF, a position won in `n` plies FFFE - `n`; all hexadecimal.
///
/// ```
/// # use damier_core::Value;
/// # use damier_tables::Scores;
/// assert_eq!(Scores::of(Value::Win, 3), 0xFFFB);
/// assert_eq!(Scores::read(0xFFFB), Some((Value::Win, 3)));
/// assert!(Scores::of(Value::Loss, 2) < Scores::of(Value::Loss, 4));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Scores;

impl Scores {
    /// The longest distance that has a score, in plies.
    pub const MAX_PLIES: u16 = DRAW - 1;

    /// The score of a value and a distance of at most [`MAX_PLIES`](Scores::MAX_PLIES); that of a draw is ignored.
    #[inline]
    pub const fn of(value: Value, plies: u16) -> u16 {
        match value {
            Value::Loss => plies,
            Value::Draw => DRAW,
            Value::Win => DONT_CARE_SCORE - 1 - plies,
        }
    }

    /// The value and distance of a score, 0 for draws; nothing for [`DONT_CARE_SCORE`].
    #[inline]
    pub const fn read(score: u16) -> Option<(Value, u16)> {
        match score {
            DONT_CARE_SCORE => None,
            DRAW => Some((Value::Draw, 0)),
            0..DRAW => Some((Value::Loss, score)),
            _ => Some((Value::Win, DONT_CARE_SCORE - 1 - score)),
        }
    }
}

/// The code of the value of a score: 0 loss, 1 draw, 2 win, or 3, which is [`DONT_CARE`](crate::DONT_CARE).
#[inline(always)]
pub(crate) fn code_of_score(score: u16) -> u8 {
    u8::from(score >= DRAW) + u8::from(score > DRAW) + u8::from(score == DONT_CARE_SCORE)
}

/// The most plies of a win and of a loss, for one side to move; `None` where there is no win or no loss.
pub type Longest = [Option<u16>; 2];

/// The distance of a score that is that of a win or of a loss; 7FFF or more for others.
#[inline(always)]
pub(crate) fn plies_of(score: u16, won: bool) -> u16 {
    // For wins FFFE - score.
    (score ^ 0u16.wrapping_sub(won.into())).wrapping_sub(won.into())
}

/// The score of a win or of a loss.
#[inline(always)]
pub(crate) fn score_of(plies: u16, won: bool) -> u16 {
    plies.wrapping_add(won.into()) ^ 0u16.wrapping_sub(won.into())
}

/// Where the distances of a class come from.
pub trait Distances<R: Rules>: Sync {
    /// Writes the scores of the numbers `start .. start + out.len()`, all within the index: [`Scores`], or [`DONT_CARE_SCORE`].
    ///
    /// Calls come from several threads, for any order of the groups, in blocks.
    fn fill(&self, index: &Index<R>, turn: Color, start: u64, out: &mut [u16]);
}
