//! Reading and writing moves.

use damier_core::rules::{English, International};
use damier_core::{Board, Color, MoveError, Naming, Position, Rules, Style, Variant, Word, WordOf};
use damier_core::{promotion_row, with_rules};
use proptest::prelude::*;

fn position<R: Rules>(fen: &str) -> Position<R> {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The legal moves as they are written, in alphabetical order.
fn texts<R: Rules>(fen: &str) -> Vec<String> {
    let position = position::<R>(fen);
    let mut texts: Vec<_> =
        position.legal_moves().iter().map(|&one| position.move_text(one)).collect();
    texts.sort();
    texts
}

/// How a text is read: the move as it is written, or the error.
fn reading<R: Rules>(fen: &str, text: &str) -> String {
    let position = position::<R>(fen);
    match position.parse_move(text) {
        Ok(one) => position.move_text(one),
        Err(error) => error.to_string(),
    }
}

#[test]
fn moves_are_short_where_that_is_clear() {
    assert_eq!(texts::<International>("W:W28"), ["28-22", "28-23"]);
    assert_eq!(texts::<International>("W:W28,32:B23"), ["28x19"]);
    assert_eq!(texts::<International>("W:W47:B13,14,22,24,31,34,K41,44"), ["47x49"]);
    assert_eq!(texts::<English>("W:W14,22:B9,10,18,26"), ["14x5", "14x7", "22x6"]);
    assert_eq!(texts::<International>("W:WK46:B41,37"), [""; 0]);
}

#[test]
fn two_captures_with_the_same_ends() {
    let fen = "W:WK4:B13,20,32,37";
    assert_eq!(texts::<International>(fen), ["4x27x38x15", "4x31x42x15"]);
    let Err(MoveError::Ambiguous { alternatives, .. }) =
        position::<International>(fen).parse_move("4x15")
    else {
        panic!("4x15 could be either");
    };
    assert_eq!(alternatives, ["4x27x38x15", "4x31x42x15"]);
    // Any landing square that only one of them has makes it clear.
    assert_eq!(reading::<International>(fen, "4x27x15"), "4x27x38x15");
    assert_eq!(reading::<International>(fen, "4:31:15"), "4x31x42x15");
    // Paths of neither.
    for text in ["4x27x42x15", "4x38x27x15", "4x27x38x10", "4-15-15"] {
        let error = position::<International>(fen).parse_move(text).unwrap_err();
        assert!(matches!(error, MoveError::Illegal { .. }), "{text}: {error}");
    }
}

#[test]
fn back_to_the_first_square() {
    let fen = "W:WK14:B10,11,18,19";
    let found = texts::<English>(fen);
    assert!(found.iter().all(|text| text.starts_with("14x") && text.ends_with("x14")), "{found:?}");
    assert!(!found.is_empty());
    for text in &found {
        assert_eq!(reading::<English>(fen, text), *text);
    }
}

#[test]
fn ways_to_write_a_move() {
    for text in ["32-28", "32 - 28", " 32–28 ", "032-28"] {
        assert_eq!(reading::<International>("W:W32:B1", text), "32-28");
    }
    for text in ["28x19", "28:19", "28 X 19", "28×19", "28-19"] {
        assert_eq!(reading::<International>("W:W28,32:B23", text), "28x19");
    }
    for text in ["22x6", "22x15x6", "22:15:6", "22-15-6", "e3... "] {
        let read = reading::<English>("W:W22:B10,18", text);
        assert_eq!(read == "22x6", text != "e3... ", "{read}");
    }
    for text in ["c3-d4", "c3d4", "C3 - D4", "22-d4", "22-18"] {
        assert_eq!(reading::<English>("W:W22:B1", text), "22-18");
    }
}

#[test]
fn errors_say_what_is_wrong_and_what_is_possible() {
    for (fen, text, message) in [
        ("W:W28,32:B23", "32-27", "move \"32-27\" is not legal here; possible: 28x19"),
        ("W:W46:B41,37", "46-41", "move \"46-41\" is not legal here; possible: none"),
        ("W:W28", "28x22", "move \"28x22\" is not legal here; possible: 28-22, 28-23"),
        ("W:W28", "28-22-17", "move \"28-22-17\" is not legal here; possible: 28-22, 28-23"),
        ("W:W28", "28", "move \"28\", byte 2: expected '-' or 'x' and a square"),
        ("W:W28", "", "move \"\", byte 0: expected a square"),
        ("W:W28", "28-", "move \"28-\", byte 3: expected a square"),
        ("W:W28", "28-22!", "move \"28-22!\", byte 5: expected '-' or 'x' and a square"),
        ("W:W28", "1-0", "move \"1-0\", byte 2: no such square, expected 1 to 50"),
        ("W:W28", "28-51", "move \"28-51\", byte 3: no such square, expected 1 to 50"),
        ("W:W28", "e4-d5", "move \"e4-d5\", byte 0: expected a square"),
    ] {
        assert_eq!(reading::<International>(fen, text), message);
    }
    // The man on 25 has gone: playing the same move twice is refused.
    assert_eq!(
        reading::<International>("B:WK2,20:B14,15,16", "25-20"),
        "move \"25-20\" is not legal here; possible: 14x25, 15x24"
    );
    let many = reading::<International>("W:WK28:B45", "28-27");
    assert!(many.ends_with(" more") && !many.contains('\n'), "{many}");
}

/// A position with very many paths: 14 moves, 436 paths that differ in a landing square.
const MANY_PATHS: &str = "B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24";

#[test]
fn many_paths() {
    let position = position::<International>(MANY_PATHS);
    assert_eq!(position.legal_moves().len(), 14);
    assert_eq!(check(&position).unwrap(), 436);
    assert_eq!(
        reading::<International>(MANY_PATHS, "24x15x4x13x27x16x7x40x49x27x36x47x38x24x35"),
        "24x35"
    );
}

#[test]
fn numbers_and_letters() {
    let algebraic = Style { naming: Naming::Algebraic, capture: ':' };
    let english = position::<English>("W:W22:B10,18");
    let capture = english.legal_moves()[0];
    assert_eq!(english.move_text_in(capture, algebraic), "c3:c7");
    let international = position::<International>("W:W32");
    let quiet = international.parse_move("32-28").unwrap();
    assert_eq!(international.move_text_in(quiet, algebraic), "32-28");
}

/// Writes every move, reads it back, and reads every path of it. Says how many paths there are.
fn check<R: Rules>(position: &Position<R>) -> Result<usize, TestCaseError> {
    let mut paths = 0;
    let mut texts = Vec::new();
    let square = |bit| R::Board::geometry().square(bit).to_string();
    for one in position.legal_moves() {
        for naming in [Naming::Numbers, Naming::Algebraic] {
            let style = Style { naming, ..R::VARIANT.style() };
            let text = position.move_text_in(one, style);
            prop_assert_eq!(position.parse_move(&text), Ok(one), "{} in {}", text, position);
        }
        texts.push(position.move_text(one));
        let routes = position.routes(one);
        prop_assert!(!routes.is_empty());
        for route in routes {
            let mark = if one.is_capture() { "x" } else { "-" };
            let squares: Vec<_> = std::iter::once(one.from()).chain(route).map(square).collect();
            let path = squares.join(mark);
            prop_assert_eq!(position.parse_move(&path), Ok(one), "{} in {}", path, position);
            paths += 1;
        }
    }
    let written = texts.len();
    texts.sort();
    texts.dedup();
    prop_assert_eq!(texts.len(), written, "two moves with one text in {}", position);
    Ok(paths)
}

/// A position with the pieces that `squares` gives; men on their promotion row become kings.
fn placed<R: Rules>(squares: &[Option<(usize, bool)>], turn: Color) -> Option<Position<R>> {
    let mut men = [WordOf::<R>::EMPTY; 2];
    let mut kings = men;
    for (bit, piece) in R::Board::geometry().all.bits().zip(squares) {
        if let Some((color, king)) = *piece {
            let crowned = promotion_row::<R>(Color::BOTH[color]).has(bit);
            let sets = if king || crowned { &mut kings } else { &mut men };
            sets[color] |= WordOf::<R>::bit(bit);
        }
    }
    Position::new(men, kings, turn).ok()
}

fn piece() -> impl Strategy<Value = Option<(usize, bool)>> {
    prop_oneof![4 => Just(None), 1 => (0..2usize, prop::bool::weighted(0.3)).prop_map(Some)]
}

proptest! {
    #[test]
    fn moves_come_back(
        squares in prop::collection::vec(piece(), 72),
        turn in prop_oneof![Just(Color::White), Just(Color::Black)],
    ) {
        for &variant in Variant::ALL {
            with_rules!(variant, R => if let Some(position) = placed::<R>(&squares, turn) {
                check(&position)?;
            });
        }
    }

    #[test]
    fn games_come_back(choices in prop::collection::vec(any::<prop::sample::Index>(), 60)) {
        for &variant in Variant::ALL {
            with_rules!(variant, R => {
                let mut position = Position::<R>::start();
                for choice in &choices {
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    check(&position)?;
                    position = position.play(moves[choice.index(moves.len())]);
                }
            });
        }
    }

    #[test]
    fn no_text_panics(
        text in any::<String>(),
        nearly in "[0-9a-hK]{0,4}[-x:× –]{0,2}[0-9a-h]{0,3}[-x:]?[0-9]{0,2}[!é]?",
    ) {
        for text in [text, nearly] {
            for &variant in Variant::ALL {
                with_rules!(variant, R => if let Err(error) = Position::<R>::start().parse_move(&text) {
                    prop_assert!(!error.to_string().contains('\n'));
                });
            }
        }
    }
}
