//! Material classes: how many men and kings each side has.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use damier_core::{Color, Goal, Position, Rules, Word};

/// The most pieces a class may have.
pub const MAX_PIECES: u32 = 10;

/// The men and kings of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Side {
    /// Men.
    pub men: u8,
    /// Kings.
    pub kings: u8,
}

impl Side {
    /// Men and kings together.
    pub const fn pieces(self) -> u32 {
        self.men as u32 + self.kings as u32
    }
}

/// The material of both sides, White first: `KKMvKM` is two kings and a man against a king and a man.
///
/// Both sides to move belong to a class. Swapping the colours and turning the board maps a class on its
/// [`flipped`](Class::flipped) one; table files store each such pair once, under the
/// [`canonical`](Class::canonical) of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Class {
    /// White's pieces.
    pub white: Side,
    /// Black's pieces.
    pub black: Side,
}

impl Class {
    /// A class from its numbers.
    pub const fn new(white_men: u8, white_kings: u8, black_men: u8, black_kings: u8) -> Class {
        Class {
            white: Side { men: white_men, kings: white_kings },
            black: Side { men: black_men, kings: black_kings },
        }
    }

    /// The class of a position.
    #[inline]
    pub fn of<R: Rules>(position: &Position<R>) -> Class {
        let side = |color| Side {
            men: position.men(color).count() as u8,
            kings: position.kings(color).count() as u8,
        };
        Class { white: side(Color::White), black: side(Color::Black) }
    }

    /// The pieces of one side.
    #[inline]
    pub const fn side(&self, color: Color) -> Side {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// All pieces.
    pub const fn pieces(&self) -> u32 {
        self.white.pieces() + self.black.pieces()
    }

    /// All men.
    pub const fn men(&self) -> u32 {
        self.white.men as u32 + self.black.men as u32
    }

    /// The class with the colours swapped.
    #[inline]
    pub const fn flipped(&self) -> Class {
        Class { white: self.black, black: self.white }
    }

    /// Whether the class is its own flipped class.
    pub fn is_symmetric(&self) -> bool {
        self.white == self.black
    }

    /// Whether play goes on with this material: where the first king wins, not if there is one.
    pub fn is_played<R: Rules>(&self) -> bool {
        !matches!(R::GOAL, Goal::FirstKing) || self.pieces() == self.men()
    }

    /// Of a class and its flipped one, the one with more pieces for White, then more kings.
    #[inline]
    pub fn is_canonical(&self) -> bool {
        let key = |side: Side| (side.pieces(), side.kings);
        key(self.white) >= key(self.black)
    }

    /// The class or its flipped one, whichever [is canonical](Class::is_canonical).
    #[inline]
    pub fn canonical(self) -> Class {
        if self.is_canonical() { self } else { self.flipped() }
    }

    /// Every class of exactly `pieces` pieces in which both sides have one, in the order of their names.
    ///
    /// ```
    /// # use damier_tables::Class;
    /// let names: Vec<_> = Class::all(2).iter().map(Class::to_string).collect();
    /// assert_eq!(names, ["KvK", "KvM", "MvK", "MvM"]);
    /// ```
    pub fn all(pieces: u32) -> Vec<Class> {
        let mut classes = Vec::new();
        for white in 1..pieces {
            let black = pieces - white;
            for white_men in 0..=white {
                for black_men in 0..=black {
                    classes.push(Class::new(
                        white_men as u8,
                        (white - white_men) as u8,
                        black_men as u8,
                        (black - black_men) as u8,
                    ));
                }
            }
        }
        classes.sort();
        classes
    }

    /// The [canonical](Class::canonical) classes among [`all`](Class::all).
    pub fn all_canonical(pieces: u32) -> Vec<Class> {
        let mut classes = Class::all(pieces);
        classes.retain(Class::is_canonical);
        classes
    }

    /// All canonical classes of 2 to `pieces` pieces, those of fewer pieces first.
    pub fn all_up_to(pieces: u32) -> Vec<Class> {
        (2..=pieces).flat_map(Class::all_canonical).collect()
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |side: Side| "K".repeat(side.kings as usize) + &"M".repeat(side.men as usize);
        f.pad(&format!("{}v{}", side(self.white), side(self.black)))
    }
}

/// By pieces, then by name.
impl Ord for Class {
    fn cmp(&self, other: &Class) -> Ordering {
        let key = |class: &Class| (class.pieces(), class.to_string());
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Class {
    fn partial_cmp(&self, other: &Class) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A text is not the name of a class.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{found:?} is not a class: expected White's pieces, v, Black's pieces, kings K before men M, \
     at most {MAX_PIECES} in all, as in KKMvK"
)]
pub struct BadClass {
    /// The text.
    pub found: String,
}

impl FromStr for Class {
    type Err = BadClass;

    fn from_str(text: &str) -> Result<Class, BadClass> {
        let error = || BadClass { found: text.to_owned() };
        let upper = text.to_ascii_uppercase();
        let (white, black) = upper.split_once('V').ok_or_else(error)?;
        let side = |letters: &str| {
            let men = letters.trim_start_matches('K');
            let kings = letters.len() - men.len();
            let known = men.bytes().all(|letter| letter == b'M');
            (known && !letters.is_empty() && letters.len() <= MAX_PIECES as usize)
                .then_some(Side { men: men.len() as u8, kings: kings as u8 })
        };
        let class =
            Class { white: side(white).ok_or_else(error)?, black: side(black).ok_or_else(error)? };
        if class.pieces() > MAX_PIECES { Err(error()) } else { Ok(class) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for pieces in 2..=6 {
            for class in Class::all(pieces) {
                assert_eq!(class.to_string().parse(), Ok(class));
                assert!(class.is_canonical() || class.flipped().is_canonical());
                assert_eq!(class.canonical(), class.flipped().canonical());
            }
        }
        for bad in ["", "K", "Kv", "vK", "MKvK", "KxK", "KKKKKKKKKKKvK", "KKKKKvMMMMMM"] {
            assert!(bad.parse::<Class>().is_err(), "{bad}");
        }
    }
}
