//! Positions as text: the FEN of draughts.
//!
//! The side to move, then each side's pieces: `W:WK1,31,32:B20`. What is *written* is one form, so that equal
//! positions have equal texts: White's list first, the squares of a list as ascending numbers (on every board), `K`
//! before each king, no ranges, no spaces, no full stop.
//!
//! What is *read* is anything that can mean only one position:
//!
//! * either colour's list first; a list may be empty, but not both; an empty second list may be left out, `W:WK28`;
//! * ranges of squares, `31-50`; `K1-3` is three kings;
//! * algebraic squares, `a1` to `h8`, on boards of 8 by 8, also mixed with numbers, but not in ranges;
//! * lower case, spaces or underscores between the parts, leading zeros (`031`), a full stop at the end, and the PDN
//!   tag around it, `[FEN "..."]`;
//! * the suffixes of lidraughts, `:H0:F1` and for Frisian `:+0+0`. They count moves, which is no part of a position,
//!   and are skipped.
//!
//! All else is refused with the place and the reason: an unknown or missing side to move, a list that is
//! given twice (as in `W:B:W50:B`), a square that the board lacks, two pieces on one square, a man on
//! its promotion row, a range that runs backwards, a comma with no square behind it (something may have been lost), the
//! half-taken pieces `G` and `P` of lidraughts.

use std::fmt;
use std::mem;
use std::str::FromStr;

use crate::board::{Board, Square};
use crate::color::Color;
use crate::naming::NoSuchSquare;
use crate::position::{IllegalPosition, Position, promotion_row};
use crate::reader::{NoSquare, Reader};
use crate::rules::{Rules, WordOf};
use crate::word::Word;

/// Why a text is not the FEN of a position, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("FEN, byte {offset}, {}: {problem}", quoted(.found))]
pub struct FenError {
    /// The byte of the text at which reading stopped, from 0.
    pub offset: usize,
    /// What stands there; empty at the end of the text.
    pub found: String,
    /// What is wrong with it.
    pub problem: FenProblem,
}

/// What is wrong at some place of a FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenProblem {
    /// Something else has to stand here.
    #[error("expected {0}")]
    Expected(&'static str),
    /// The board has no such square.
    #[error(transparent)]
    NoSuchSquare(#[from] NoSuchSquare),
    /// The first square of a range is beyond its last.
    #[error("a range that runs backwards")]
    BackwardRange,
    /// A second list of pieces for the same side.
    #[error("{0}'s pieces are given twice")]
    RepeatedList(Color),
    /// The pieces do not make a legal position.
    #[error(transparent)]
    Illegal(#[from] IllegalPosition),
}

fn quoted(found: &str) -> String {
    if found.is_empty() { "the end".to_owned() } else { format!("{found:?}") }
}

/// Reads a FEN as the module's documentation says: leniently, but never as another board.
impl<R: Rules> FromStr for Position<R> {
    type Err = FenError;

    /// ```
    /// use damier_core::{Position, rules::International};
    ///
    /// let position: Position<International> = "b: b20 : wk1, 31-33.".parse()?;
    /// assert_eq!(position.to_fen(), "B:WK1,31,32,33:B20");
    ///
    /// let error = "W:W51:B1".parse::<Position<International>>().unwrap_err();
    /// assert_eq!(error.to_string(), "FEN, byte 3, \"51\": no such square, expected 1 to 50");
    /// # Ok::<(), damier_core::FenError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, FenError> {
        let mut reader = Reader::new(text);
        let wrapped = reader.opening_tag()?;
        let turn = reader.color().ok_or_else(|| reader.expected("the side to move, W or B"))?;
        let mut board = Placement::<R>::default();
        reader.expect(b':', "':' and a list of pieces")?;
        let mut given = [false; 2];
        loop {
            reader.skip_spaces();
            let start = reader.at;
            if let Some(color) = reader.color() {
                if mem::replace(&mut given[color.index()], true) {
                    return Err(reader.error(start, FenProblem::RepeatedList(color)));
                }
                reader.list(color, &mut board)?;
            } else if given == [false; 2] {
                return Err(reader.expected("a colour, W or B, and its pieces"));
            } else {
                reader.counter()?;
            }
            if !reader.eat(b':') {
                break;
            }
        }
        reader.eat(b'.');
        if wrapped {
            reader.expect(b'"', "the closing '\"]'")?;
            reader.expect(b']', "the closing '\"]'")?;
        }
        reader.skip_spaces();
        if reader.peek().is_some() {
            return Err(reader.expected("the end"));
        }
        Position::new(board.men, board.kings, turn)
            .map_err(|problem| reader.error(reader.at, problem.into()))
    }
}

/// Writes the canonical FEN.
impl<R: Rules> fmt::Display for Position<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.turn().letter())?;
        let geometry = R::Board::geometry();
        for color in Color::BOTH {
            write!(f, ":{}", color.letter())?;
            let mut comma = "";
            for square in (1..=R::Board::SQUARES as u8).map(Square) {
                let bit = geometry.bit_of_number[square.0 as usize - 1] as u32;
                if self.pieces(color).has(bit) {
                    let king = if self.kings(color).has(bit) { "K" } else { "" };
                    write!(f, "{comma}{king}{square}")?;
                    comma = ",";
                }
            }
        }
        Ok(())
    }
}

impl<R: Rules> Position<R> {
    /// The canonical FEN, as [`Display`](fmt::Display) writes it.
    ///
    /// ```
    /// use damier_core::{Position, rules::English};
    ///
    /// let start = Position::<English>::start();
    /// assert_eq!(
    ///     start.to_fen(),
    ///     "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    /// );
    /// ```
    pub fn to_fen(&self) -> String {
        self.to_string()
    }
}

/// The pieces read so far.
#[derive(Default)]
struct Placement<R: Rules> {
    men: [WordOf<R>; 2],
    kings: [WordOf<R>; 2],
}

impl<R: Rules> Placement<R> {
    fn put(&mut self, color: Color, king: bool, square: Square) -> Result<(), IllegalPosition> {
        let bit = R::Board::geometry().bit(square).ok_or(IllegalPosition::OffBoard)?;
        if self.men.iter().chain(&self.kings).any(|set| set.has(bit)) {
            return Err(IllegalPosition::Occupied(square));
        }
        if !king && promotion_row::<R>(color).has(bit) {
            return Err(IllegalPosition::ManOnPromotionRow { color, square });
        }
        let sets = if king { &mut self.kings } else { &mut self.men };
        sets[color.index()] |= WordOf::<R>::bit(bit);
        Ok(())
    }
}

impl Reader<'_> {
    fn expect(&mut self, byte: u8, what: &'static str) -> Result<(), FenError> {
        if self.eat(byte) { Ok(()) } else { Err(self.expected(what)) }
    }

    /// Something else was expected at the place where the reader is.
    fn expected(&self, what: &'static str) -> FenError {
        self.error(self.at, FenProblem::Expected(what))
    }

    fn error(&self, start: usize, problem: FenProblem) -> FenError {
        FenError { offset: start, found: self.excerpt(start), problem }
    }

    /// Reads `[FEN "`, if the text begins like a tag of PDN.
    fn opening_tag(&mut self) -> Result<bool, FenError> {
        if !self.eat(b'[') {
            self.skip_spaces();
            return Ok(false);
        }
        for letter in *b"FEN" {
            self.expect(letter, "the tag [FEN \"...\"]")?;
        }
        self.expect(b'"', "the tag [FEN \"...\"]")?;
        self.skip_spaces();
        Ok(true)
    }

    fn color(&mut self) -> Option<Color> {
        if self.eat(b'W') {
            Some(Color::White)
        } else if self.eat(b'B') {
            Some(Color::Black)
        } else {
            None
        }
    }

    /// Reads the pieces of a side, up to what ends the list.
    fn list<R: Rules>(&mut self, color: Color, board: &mut Placement<R>) -> Result<(), FenError> {
        self.skip_spaces();
        if matches!(self.peek(), None | Some(b':' | b'.' | b'"')) {
            return Ok(());
        }
        loop {
            let king = self.eat(b'K');
            self.skip_spaces();
            let start = self.at;
            let (first, is_number) = self.square_of_list::<R>()?;
            let last = if is_number && self.eat(b'-') {
                self.skip_spaces();
                let end = self.at;
                let (last, is_number) = self.square_of_list::<R>()?;
                if !is_number {
                    return Err(self.error(end, FenProblem::Expected("a number, as in 31-50")));
                }
                last
            } else {
                first
            };
            if last < first {
                return Err(self.error(start, FenProblem::BackwardRange));
            }
            for square in (first.0..=last.0).map(Square) {
                board
                    .put(color, king, square)
                    .map_err(|problem| self.error(start, problem.into()))?;
            }
            if !self.eat(b',') {
                return Ok(());
            }
        }
    }

    /// Reads a square, and whether it is written as a number.
    fn square_of_list<R: Rules>(&mut self) -> Result<(Square, bool), FenError> {
        let start = self.at;
        self.square::<R::Board>().map_err(|why| match why {
            NoSquare::NotAName => self.expected("a square"),
            NoSquare::NotOnBoard(why) => self.error(start, why.into()),
        })
    }

    /// Skips a counter of lidraughts: `H0`, `F1`, or `+0+122`.
    fn counter(&mut self) -> Result<(), FenError> {
        let parts = if self.eat(b'H') || self.eat(b'F') {
            1
        } else if self.eat(b'+') {
            2
        } else {
            return Err(self.expected("W or B and pieces, or a counter, H or F"));
        };
        for part in 0..parts {
            if part > 0 {
                self.expect(b'+', "'+' and a number")?;
            }
            if self.digits() == 0 {
                return Err(self.expected("a number"));
            }
        }
        Ok(())
    }
}
