//! Moves as text.
//!
//! A quiet move is written `32-28` and a capture `28x19`: where the piece starts and where it ends. Where another
//! capture has the same two squares the text is the *path*, `4x27x38x15`, with every square on which the piece lands. A path
//! says which pieces are taken, so it always tells two moves apart; but a move may have several paths (a king that takes
//! two pieces in one line may land on any square between them, and two pieces may be taken in either order). The
//! one written is the first in the order of square numbers.
//!
//! Read is:
//!
//! * any path of a move, also with landing squares left out, or only start and end, if just one move fits. A
//!   move whose path is exactly the text goes before one that only agrees with it: where a king may go from 3 to 17 by
//!   one jump or by four, `3x17` is the one jump, which has no other name;
//! * `-`, `x`, `:` or `×` between the squares, with or without spaces; but a quiet move is written only with `-`;
//! * numbers and, on boards of 8 by 8, algebraic squares, which need nothing between them: `c3d4`.

use crate::board::{Board, Square};
use crate::moves::{Move, MoveList};
use crate::naming::{Naming, NoSuchSquare};
use crate::position::Position;
use crate::reader::{NoSquare, Reader, shortened};
use crate::rules::{Rules, WordOf};
use crate::variant::Variant;

/// How the moves of a variant are usually written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Style {
    /// How squares are called.
    pub naming: Naming,
    /// What stands between the squares of a capture.
    pub capture: char,
}

impl Variant {
    /// How players of this variant usually write moves: most with numbers and `x`, as PDN does. Letters are its naming for
    /// Russian, Brazilian and Turkish draughts; the marks of captures are those of the program dctl.
    pub const fn style(self) -> Style {
        use Variant::{Brazilian, BreakthroughBrazilian, Czech, Russian, Thai, Turkish};
        Style {
            naming: match self {
                Russian | Brazilian | BreakthroughBrazilian | Turkish => Naming::Algebraic,
                _ => Naming::Numbers,
            },
            capture: match self {
                Russian | Czech => ':',
                Thai => '-',
                _ => 'x',
            },
        }
    }
}

/// Why a text is not a move of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text is no move at all.
    #[error("move {text:?}, byte {offset}: expected {expected}")]
    Malformed {
        /// The text.
        text: String,
        /// Where reading stopped.
        offset: usize,
        /// What should stand there.
        expected: &'static str,
    },
    /// It names a square that the board lacks.
    #[error("move {text:?}, byte {offset}: {problem}")]
    NoSuchSquare {
        /// The text.
        text: String,
        /// Where the square is named.
        offset: usize,
        /// What the board has.
        problem: NoSuchSquare,
    },
    /// No legal move is written so.
    #[error("move {text:?} is not legal here; possible: {}", a_few(.legal, ", "))]
    Illegal {
        /// The text.
        text: String,
        /// All legal moves.
        legal: Vec<String>,
    },
    /// Several legal moves fit.
    #[error("move {text:?} is ambiguous, it could be {}", a_few(.alternatives, " or "))]
    Ambiguous {
        /// The text.
        text: String,
        /// The moves that fit, each by a text that only it fits.
        alternatives: Vec<String>,
    },
}

/// The first of some moves and how many more there are, for a message.
fn a_few(moves: &[String], comma: &str) -> String {
    const SHOWN: usize = 12;
    match moves.len() {
        0 => "none".to_owned(),
        1..=SHOWN => moves.join(comma),
        all => format!("{} and {} more", moves[..SHOWN].join(comma), all - SHOWN),
    }
}

impl<R: Rules> Position<R> {
    /// A legal move of this position as its players usually write it.
    ///
    /// ```
    /// use damier_core::{Position, rules::International};
    ///
    /// let position: Position<International> = "W:WK4:B13,20,32,37".parse()?;
    /// let texts: Vec<_> = position.legal_moves().iter().map(|&m| position.move_text(m)).collect();
    /// assert!(texts.contains(&"4x27x38x15".to_owned()) && texts.contains(&"4x31x42x15".to_owned()));
    /// # Ok::<(), damier_core::FenError>(())
    /// ```
    pub fn move_text(&self, played: Move<WordOf<R>>) -> String {
        self.move_text_in(played, R::VARIANT.style())
    }

    /// A legal move of this position in a style.
    pub fn move_text_in(&self, played: Move<WordOf<R>>, style: Style) -> String {
        self.text_among(&self.legal_moves(), played, style)
    }

    /// Reads a move.
    ///
    /// ```
    /// use damier_core::{Position, rules::International};
    ///
    /// let position: Position<International> = "W:WK4:B13,20,32,37".parse()?;
    /// assert!(position.parse_move("4x31x42x15").is_ok());
    /// assert_eq!(
    ///     position.parse_move("4x15").unwrap_err().to_string(),
    ///     "move \"4x15\" is ambiguous, it could be 4x27x38x15 or 4x31x42x15",
    /// );
    /// # Ok::<(), damier_core::FenError>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong with the text, and which moves there are.
    pub fn parse_move(&self, text: &str) -> Result<Move<WordOf<R>>, MoveError> {
        let path = Path::read::<R::Board>(text)?;
        let legal = self.legal_moves();
        let mut fitting = self.fitting(&legal, &path);
        if let [one] = fitting[..] {
            return Ok(one);
        }
        let text = shortened(text);
        let texts = |moves: &mut MoveList<R>| {
            moves.sort_by_key(|one| self.ends(one));
            let style = R::VARIANT.style();
            moves.iter().map(|&one| self.text_among(&legal, one, style)).collect()
        };
        Err(if fitting.is_empty() {
            MoveError::Illegal { text, legal: texts(&mut legal.clone()) }
        } else {
            MoveError::Ambiguous { text, alternatives: texts(&mut fitting) }
        })
    }

    /// The legal moves that a text can mean.
    fn fitting(&self, legal: &MoveList<R>, path: &Path) -> MoveList<R> {
        let (from, landings) = (path.squares[0], &path.squares[1..]);
        let ends = (from, landings[landings.len() - 1]);
        let mut fitting = legal.clone();
        fitting.retain(|one| self.ends(one) == ends && (one.is_capture() || path.may_be_quiet()));
        if fitting.len() < 2 && landings.len() < 2 {
            return fitting;
        }
        let routes: Vec<_> = fitting.iter().map(|&one| self.landings(one)).collect();
        let with_route = |fits: &dyn Fn(&[Square]) -> bool| -> MoveList<R> {
            let moves = fitting.iter().zip(&routes);
            let moves = moves.filter(|(_, routes)| routes.iter().any(|route| fits(route)));
            moves.map(|(&one, _)| one).collect()
        };
        let exact = with_route(&|route| route == landings);
        if exact.is_empty() { with_route(&|route| is_part(landings, route)) } else { exact }
    }

    fn text_among(
        &self,
        legal: &[Move<WordOf<R>>],
        played: Move<WordOf<R>>,
        style: Style,
    ) -> String {
        let (from, to) = self.ends(&played);
        let is_twin = |one: &&Move<WordOf<R>>| self.ends(one) == (from, to) && **one != played;
        let landings = match legal.iter().find(is_twin) {
            Some(_) => self.landings(played).into_iter().min().unwrap_or_else(|| vec![to]),
            None => vec![to],
        };
        let mark = if played.is_capture() { style.capture } else { '-' };
        let mut text = style.naming.name::<R::Board>(from);
        for square in landings {
            text.push(mark);
            text += &style.naming.name::<R::Board>(square);
        }
        text
    }

    /// The square where a move starts and the one where it ends.
    fn ends(&self, one: &Move<WordOf<R>>) -> (Square, Square) {
        let geometry = R::Board::geometry();
        (geometry.square(one.from()), geometry.square(one.to()))
    }

    /// The landing squares of every route of a move.
    fn landings(&self, one: Move<WordOf<R>>) -> Vec<Vec<Square>> {
        let squares = |route: Vec<u32>| {
            route.into_iter().map(|bit| R::Board::geometry().square(bit)).collect()
        };
        self.routes(one).into_iter().map(squares).collect()
    }
}

/// Whether the squares all are in a route, in this order.
fn is_part(squares: &[Square], route: &[Square]) -> bool {
    let mut route = route.iter();
    squares.iter().all(|square| route.any(|next| next == square))
}

/// The squares of a move as it is written.
struct Path {
    /// Two or more.
    squares: Vec<Square>,
    /// Whether the mark of a capture stands between any two of them.
    takes: bool,
}

impl Path {
    fn may_be_quiet(&self) -> bool {
        !self.takes && self.squares.len() == 2
    }

    fn read<B: Board>(text: &str) -> Result<Path, MoveError> {
        let mut reader = Reader::new(text);
        let malformed = |offset, expected| {
            Err(MoveError::Malformed { text: shortened(text), offset, expected })
        };
        let mut path = Path { squares: Vec::new(), takes: false };
        loop {
            reader.skip_spaces();
            let offset = reader.at;
            match reader.square::<B>() {
                Ok((square, _)) => path.squares.push(square),
                Err(NoSquare::NotAName) => return malformed(offset, "a square"),
                Err(NoSquare::NotOnBoard(problem)) => {
                    return Err(MoveError::NoSuchSquare { text: shortened(text), offset, problem });
                }
            }
            reader.skip_spaces();
            match reader.peek() {
                None if path.squares.len() > 1 => return Ok(path),
                _ if reader.eat_any(&['x', 'X', ':', '×']) => path.takes = true,
                _ if reader.eat_any(&['-', '–']) => {}
                // A letter begins a new square, so nothing has to part it from the last.
                Some(b'a'..=b'h' | b'A'..=b'H') => {}
                _ => return malformed(reader.at, "'-' or 'x' and a square"),
            }
        }
    }
}
