//! The side to move as a type, so that in the hot loops every shift is by a constant.

use crate::color::Color;

/// [`Color`] at compile time.
pub(crate) trait Side {
    /// The colour.
    const COLOR: Color;
    /// The opponent.
    type Other: Side;
}

/// White to move.
pub(crate) struct White;
/// Black to move.
pub(crate) struct Black;

impl Side for White {
    const COLOR: Color = Color::White;
    type Other = Black;
}

impl Side for Black {
    const COLOR: Color = Color::Black;
    type Other = White;
}

/// Runs an expression with the [`Side`] of a [`Color`] known only at run time.
macro_rules! with_side {
    ($color:expr, $side:ident => $body:expr) => {
        match $color {
            $crate::color::Color::White => {
                type $side = $crate::side::White;
                $body
            }
            $crate::color::Color::Black => {
                type $side = $crate::side::Black;
                $body
            }
        }
    };
}
pub(crate) use with_side;
