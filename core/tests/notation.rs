//! Reading and writing moves.

mod common;

use common::{color, placed, squares};
use damier_core::rules::{
    Brazilian, English, International, Italian, Russian, Spanish, Thai, Turkish,
};
use damier_core::{Board, MoveError, Naming, Position, Rules, Style, Variant, Word, with_rules};
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

#[test]
fn every_variant_in_its_style() {
    assert_eq!(texts::<Russian>("W:W12:B8,14,26"), ["h6:e1"]);
    assert_eq!(texts::<Brazilian>("W:W11:B7,6,17"), ["f6xb6"]);
    assert_eq!(texts::<Spanish>("W:WK1:B10,K19"), ["1x23", "1x28", "1x32"]);
    assert_eq!(texts::<Thai>("W:W22:B10,18"), ["22-6"]);
    assert_eq!(texts::<Italian>("B:W31:B3"), ["3-6", "3-7"]);
    let quiet = ["a4-a1", "a4-a2", "a4-a3", "a4-a5", "a4-a6", "a4-a7", "a4-a8", "a4-b4"];
    assert_eq!(texts::<Turkish>("W:WK33:B35,36"), quiet);
    // Both namings are read, whatever is written.
    for text in ["12x3x17x31", "h6:f8:b4:e1", "h6f8b4e1", "12x31", "h6-e1", "h6x17x31"] {
        assert_eq!(reading::<Russian>("W:W12:B8,14,26", text), "h6:e1");
    }
    assert_eq!(reading::<Italian>("B:W31:B3", "e8-d7"), "3-6");
    assert_eq!(reading::<Thai>("W:W22:B10,18", "22x15x6"), "22-6");
}

#[test]
fn one_jump_and_four_with_the_same_ends() {
    let fen = "W:W23,24,20,13,25,28,21,K3:B14,15,16,8,4";
    assert_eq!(texts::<Russian>(fen), ["f8:b4", "f8:h6:f4:d6:b4", "h4:b6"]);
    assert_eq!(reading::<Russian>(fen, "3x17"), "f8:b4");
    assert_eq!(reading::<Russian>(fen, "3x12x17"), "f8:h6:f4:d6:b4");
    assert_eq!(reading::<Russian>(fen, "3x12x19x10x17"), "f8:h6:f4:d6:b4");
}

#[test]
fn a_route_of_seven_that_can_be_played() {
    let fen = "W:WK3,33,41,49,52,36,37,56:B17,19,21,25,26,40,47,K59,K63";
    assert_eq!(texts::<Turkish>(fen), ["c8xh1"]);
    assert_eq!(reading::<Turkish>(fen, "3x43x48x24x18x58x60x64"), "c8xh1");
    // From a5 there is no line to h1.
    let error = position::<Turkish>(fen).parse_move("c8xc5xa5xh1xf1xh1xh5xh1").unwrap_err();
    assert!(matches!(error, MoveError::Illegal { .. }), "{error}");
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

/// The moves of every rule case, as the corpus writes them along one path, and along all the others.
#[test]
fn rules_cases_come_back() {
    for line in include_str!("data/rules-cases.txt").lines().filter(|line| !line.starts_with('#')) {
        let [variant, fen, moves] = line.split(" | ").take(3).collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        with_rules!(variant.parse::<Variant>().unwrap(), R => {
            let position = position::<R>(fen);
            // Finding the Frisian capture of 19 takes long, and a full check finds it once for each path.
            if position.legal_moves().iter().all(|one| one.captured().count() < 15) {
                check(&position).unwrap();
            }
            for text in moves.split(' ').filter(|text| text.contains(['-', 'x'])) {
                let path = text.split(['[', '=']).next().unwrap();
                assert!(position.parse_move(path).is_ok(), "{variant} {fen} {path}");
            }
        });
    }
}

proptest! {
    #[test]
    fn moves_come_back(squares in squares(), turn in color()) {
        for &variant in Variant::ALL {
            with_rules!(variant, R => if let Some(position) = placed::<R>(&squares, turn) {
                check(&position)?;
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

proptest! {
    // A case is a game of sixty plies in every variant.
    #![proptest_config(ProptestConfig::with_cases(32))]

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
}
