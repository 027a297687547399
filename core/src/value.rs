//! What a position is worth to the side to move.

use std::fmt;

/// Win, draw or loss for the side to move, with best play and without draw rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Value {
    /// The side to move loses.
    Loss = 0,
    /// Neither side can win.
    Draw = 1,
    /// The side to move wins.
    Win = 2,
}

impl Value {
    /// Loss, draw, win.
    pub const ALL: [Value; 3] = [Value::Loss, Value::Draw, Value::Win];

    /// The value for the other side.
    ///
    /// ```
    /// # use damier_core::Value;
    /// assert_eq!(Value::Win.negated(), Value::Loss);
    /// assert_eq!(Value::Draw.negated(), Value::Draw);
    /// ```
    #[inline]
    pub const fn negated(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }

    /// `win`, `draw` or `loss`.
    pub const fn name(self) -> &'static str {
        match self {
            Value::Loss => "loss",
            Value::Draw => "draw",
            Value::Win => "win",
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
