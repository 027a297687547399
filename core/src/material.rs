//! Material: how many men and kings each side has.

use crate::color::Color;
use crate::position::Position;
use crate::rules::Rules;
use crate::word::Word;

/// The men and kings of both sides, White's first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Material {
    /// The men of each side.
    pub men: [u8; 2],
    /// The kings of each side.
    pub kings: [u8; 2],
}

impl Material {
    /// The material of White and of Black, each as men and kings.
    pub const fn new(white: (u8, u8), black: (u8, u8)) -> Material {
        Material { men: [white.0, black.0], kings: [white.1, black.1] }
    }

    /// The material of a position.
    #[inline]
    pub fn of<R: Rules>(position: &Position<R>) -> Material {
        Material {
            men: Color::BOTH.map(|color| position.men(color).count() as u8),
            kings: Color::BOTH.map(|color| position.kings(color).count() as u8),
        }
    }

    /// The pieces of one side.
    #[inline]
    pub const fn pieces(&self, color: Color) -> u8 {
        self.men[color.index()] + self.kings[color.index()]
    }

    /// Whether all that a side has is one king.
    #[inline]
    pub const fn is_lone_king(&self, color: Color) -> bool {
        self.men[color.index()] == 0 && self.kings[color.index()] == 1
    }
}
