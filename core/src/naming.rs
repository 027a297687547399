//! The names of squares: numbers on every board, letters and digits (`a1` to `h8`) on the boards of 8 by 8.
//!
//! White sits below row 1 and `a` is the column on White's left. The number of a square says where it is once three
//! facts of the board are known: how many squares a row has, whether those are all or every second one, and whether
//! the first of them, number 1, is in the corner. So b8 is 1 on the English and Russian boards, and a8 is 1 on the
//! Italian, Spanish and Turkish ones.

use crate::board::{Board, Square};

/// How a square is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Naming {
    /// `29`: the number, from 1.
    Numbers,
    /// `a1`: the column from White's left and the row from White's side. Only boards of 8 by 8 have such names; on the
    /// others squares are numbers all the same.
    Algebraic,
}

impl Naming {
    /// The name of a square of board `B`.
    ///
    /// ```
    /// use damier_core::{Board8, Naming, Square};
    ///
    /// assert_eq!(Naming::Algebraic.name::<Board8>(Square(29)), "a1");
    /// assert_eq!(Naming::Numbers.name::<Board8>(Square(29)), "29");
    /// ```
    pub fn name<B: Board>(self, square: Square) -> String {
        if self == Naming::Numbers || !has_letters::<B>() {
            return square.to_string();
        }
        let (row, column) = place::<B>(square);
        format!("{}{}", (b'a' + column as u8) as char, B::ROWS - row)
    }
}

/// The board lacks a square of this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such square, expected 1 to {squares}{}", if *letters { " or a1 to h8, one that is played on" } else { "" })]
pub struct NoSuchSquare {
    /// The last square of the board.
    pub squares: usize,
    /// Whether its squares have algebraic names too.
    pub letters: bool,
}

impl NoSuchSquare {
    pub(crate) const fn on<B: Board>() -> NoSuchSquare {
        NoSuchSquare { squares: B::SQUARES, letters: has_letters::<B>() }
    }
}

/// What stands at the beginning of a text where a square is expected.
pub(crate) struct Name {
    /// The square, or none if the board has no square of this name.
    pub square: Option<Square>,
    /// How many bytes the name takes.
    pub len: usize,
    /// Whether it is a number.
    pub is_number: bool,
}

/// The name of a square with which `text` begins, in either naming and in upper or lower case.
pub(crate) fn leading_name<B: Board>(text: &str) -> Option<Name> {
    let bytes = text.as_bytes();
    let letter = usize::from(has_letters::<B>() && bytes.first().is_some_and(is_column));
    let digits = bytes[letter..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return None;
    }
    let len = letter + digits;
    // A number too long for u8 is no square of any board, and neither is 0.
    let value = text[letter..len].trim_start_matches('0').parse::<u8>().unwrap_or(0);
    let square = if letter == 0 {
        Some(Square(value))
    } else {
        let column = bytes[0].to_ascii_lowercase() - b'a';
        B::ROWS.checked_sub(value.into()).and_then(|row| at::<B>(row, column.into()))
    };
    let square = square.filter(|square| B::geometry().bit(*square).is_some());
    Some(Name { square, len, is_number: letter == 0 })
}

/// Whether the squares of the board have algebraic names.
const fn has_letters<B: Board>() -> bool {
    B::ROWS == 8
}

fn is_column(byte: &u8) -> bool {
    (b'a'..=b'h').contains(&byte.to_ascii_lowercase())
}

/// The row, from the top, and the column, from the left, of a square as White sees the board.
fn place<B: Board>(square: Square) -> (usize, usize) {
    let per_row = B::SQUARES / B::ROWS;
    let index = square.0 as usize - 1;
    let (row, place) = (index / per_row, index % per_row);
    let column = if per_row == B::ROWS { place } else { 2 * place + indent::<B>(row) };
    (row, column)
}

/// The square in a row, from the top, and a column, if that is one that is played on.
fn at<B: Board>(row: usize, column: usize) -> Option<Square> {
    let per_row = B::SQUARES / B::ROWS;
    let place = if per_row == B::ROWS {
        column
    } else {
        let right = column.checked_sub(indent::<B>(row))?;
        right.is_multiple_of(2).then_some(right / 2)?
    };
    (row < B::ROWS && column < B::ROWS).then(|| Square((row * per_row + place) as u8 + 1))
}

/// The column of the first playable square of a row where every second square is played on.
fn indent<B: Board>(row: usize) -> usize {
    // In bits every board starts beside the corner; numbered from the other side, it starts in it.
    let starts_in_corner = B::geometry().bit_of_number[0] != 0;
    (row + usize::from(!starts_in_corner)) % 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board8, Board10, FullBoard8, MirroredBoard8};

    fn names<B: Board>(numbers: impl IntoIterator<Item = u8>) -> String {
        let names: Vec<_> =
            numbers.into_iter().map(|n| Naming::Algebraic.name::<B>(Square(n))).collect();
        names.join(" ")
    }

    #[test]
    fn corners_are_where_the_communities_have_them() {
        assert_eq!(names::<Board8>([1, 4, 5, 8, 9, 29, 32]), "b8 h8 a7 g7 b6 a1 g1");
        assert_eq!(names::<MirroredBoard8>([1, 4, 5, 8, 9, 29, 32]), "a8 g8 b7 h7 a6 b1 h1");
        assert_eq!(names::<FullBoard8>([1, 8, 9, 57, 64]), "a8 h8 a7 a1 h1");
        assert_eq!(names::<Board10>([1, 50]), "1 50");
    }

    fn check<B: Board>() {
        for naming in [Naming::Numbers, Naming::Algebraic] {
            for square in (1..=B::SQUARES as u8).map(Square) {
                let name = naming.name::<B>(square);
                let read = leading_name::<B>(&name).unwrap();
                assert_eq!((read.square, read.len), (Some(square), name.len()));
            }
        }
    }

    #[test]
    fn names_are_read_back() {
        check::<Board8>();
        check::<MirroredBoard8>();
        check::<FullBoard8>();
        check::<Board10>();
    }

    #[test]
    fn light_squares_and_far_rows_are_no_squares() {
        for text in ["a8", "a2", "b1", "h7", "a0", "a9", "h99999", "33", "0", "256", "99999999999"]
        {
            assert_eq!(leading_name::<Board8>(text).unwrap().square, None, "{text}");
        }
        for text in ["", "K1", "-1", "i1", "a", "é4"] {
            assert!(leading_name::<Board8>(text).is_none(), "{text}");
        }
        assert!(leading_name::<Board10>("a1").is_none());
    }
}
