//! Reading and writing positions.

mod common;

use common::{color, placed, squares};
use damier_core::rules::{English, International, Italian, Russian, Turkish};
use damier_core::{
    Color, FenError, FenProblem, IllegalPosition, Position, Rules, Variant, with_rules,
};
use proptest::prelude::*;

fn read<R: Rules>(text: &str) -> Result<Position<R>, FenError> {
    text.parse()
}

fn canonical<R: Rules>(text: &str) -> String {
    read::<R>(text).unwrap_or_else(|error| panic!("{text}: {error}")).to_fen()
}

fn refused<R: Rules>(text: &str) -> FenError {
    match read::<R>(text) {
        Ok(position) => panic!("{text} was read as {position}"),
        Err(error) => error,
    }
}

/// What a careful reader does with the FENs of the wild, all on the 10x10 board.
#[test]
fn reading_table() {
    let mut rows = 0;
    for line in include_str!("data/fen-reading.csv").lines().skip(1) {
        let [row, input, expected, offset, found] =
            line.split(';').collect::<Vec<_>>().try_into().expect("five columns");
        if offset.is_empty() {
            assert_eq!(canonical::<International>(input), expected, "row {row}");
        } else {
            let error = refused::<International>(input);
            assert_eq!(
                (error.offset.to_string().as_str(), error.found.as_str()),
                (offset, found),
                "row {row}"
            );
            assert!(!error.to_string().contains('\n'), "row {row}");
        }
        rows += 1;
    }
    assert_eq!(rows, 30);
}

#[test]
fn errors_name_the_place_and_the_reason() {
    for (text, message) in [
        ("W:W50:B50", "FEN, byte 7, \"50\": two pieces on square 50"),
        ("W:W4:B49", "FEN, byte 3, \"4\": a White man on its promotion row, square 4"),
        ("W:W40:B49", "FEN, byte 7, \"49\": a Black man on its promotion row, square 49"),
        ("W:W20-3:B49", "FEN, byte 3, \"20-3\": a range that runs backwards"),
        ("W:W40:W41:B3", "FEN, byte 6, \"W\": White's pieces are given twice"),
        ("W:W:B", "FEN, byte 5, the end: no pieces on the board"),
        ("W27:B1", "FEN, byte 1, \"27\": expected ':' and a list of pieces"),
        ("W:W27,G28:B1", "FEN, byte 6, \"G28\": expected a square"),
        ("W:W27:B1 or so", "FEN, byte 9, \"or\": expected the end"),
        ("[FEN \"W:W27:B1\"", "FEN, byte 15, the end: expected the closing '\"]'"),
        ("[Event \"W:W27:B1\"]", "FEN, byte 1, \"Event\": expected the tag [FEN \"...\"]"),
        ("W:Wé:B1", "FEN, byte 3, \"é\": expected a square"),
        ("W:Wa1:B1", "FEN, byte 3, \"a1\": expected a square"),
    ] {
        assert_eq!(refused::<International>(text).to_string(), message);
    }
    assert_eq!(
        refused::<English>("W:Wa2:B1").to_string(),
        "FEN, byte 3, \"a2\": no such square, expected 1 to 32 or a1 to h8, one that is played on"
    );
}

#[test]
fn a_side_without_pieces() {
    assert_eq!(canonical::<International>("B:W50:B"), "B:W50:B");
    // An empty second list may be left out.
    assert_eq!(canonical::<International>("W:WK28"), "W:WK28:B");
    assert_eq!(canonical::<International>("b:b13:h0"), "B:W:B13");
    // The side to move written twice, as one package once did.
    let error = refused::<International>("W:B:W50:B");
    assert_eq!((error.offset, error.problem), (8, FenProblem::RepeatedList(Color::Black)));
    assert!(read::<International>("W:W:W31").is_err());
}

#[test]
fn every_mistake_of_a_list_is_found() {
    // A second colour letter inside the list, a square off the board, a square used twice.
    assert_eq!(refused::<International>("W:WK4,WK5,55:B4").offset, 6);
    assert_eq!(refused::<International>("W:WK4,K5,55:B4").offset, 9);
    let error = refused::<International>("W:WK4,K5:B4");
    assert!(matches!(error.problem, FenProblem::Illegal(IllegalPosition::Occupied(_))));
}

#[test]
fn colours_in_either_order() {
    for text in ["B:W6,9,10:BK17,K24", "B:BK17,K24:W6,9,10"] {
        assert_eq!(canonical::<International>(text), "B:W6,9,10:BK17,K24");
    }
}

#[test]
fn counters_are_skipped() {
    for text in ["W:W31:B1:H3:F10", "W:W31:B1:F1", "W:W31:B1:H0:F1:+0+122", "W:W31:B1:+1+0."] {
        assert_eq!(canonical::<International>(text), "W:W31:B1");
    }
    for text in
        ["W:W31:B1:", "W:W31:B1:H", "W:W31:B1:X1", "W:W31:B1:+1", "W:W31:B1:+1+", "W:W31:B1:H1é"]
    {
        assert!(read::<International>(text).is_err(), "{text}");
    }
}

#[test]
fn algebraic_squares_on_small_boards() {
    assert_eq!(canonical::<English>("W:Wa1,Kc3:Bh8"), "W:WK22,29:B4");
    assert_eq!(canonical::<English>("w:wkA1, kC1,Ke1:bkf8"), "W:WK29,K30,K31:BK3");
    assert_eq!(canonical::<English>("W:Wb4,22:BK1-3,b6"), "W:W17,22:BK1,K2,K3,9");
    assert!(read::<English>("W:Wa1-g1:Bb8").is_err());
    assert!(read::<English>("W:W29-g1:Bb8").is_err());
    assert!(read::<English>("W:Wb8:Bh8").is_err());
}

#[test]
fn every_board_by_its_letters() {
    assert_eq!(canonical::<Russian>("W:WKa1,Kc1,Ke1:BKf8"), "W:WK29,K30,K31:BK3");
    assert_eq!(canonical::<Italian>("B:Wf1:Be8"), "B:W31:B3");
    assert_eq!(
        canonical::<Turkish>("W:WKc8,a4,a3,a2,d2,d4,e4,h2:Ba6,c6,e6,a5,b5,h4,g3,Kc1,Kg1"),
        "W:WK3,33,36,37,41,49,52,56:B17,19,21,25,26,40,47,K59,K63"
    );
    // A dark square of one board is a light one of the other.
    assert_eq!(refused::<Italian>("W:Wa1:Be8").offset, 3);
    assert_eq!(refused::<Russian>("W:Wb1:Be7").offset, 3);
    assert!(read::<Turkish>("W:Wa1,b1,a2:Be7,64").is_err());
    assert!(read::<Turkish>("W:Wa1,b1,a2:Be7,63,K64").is_err());
    assert!(read::<Turkish>("W:Wa1,b1,a2:Be7,56,K64").is_ok());
}

#[test]
fn wrappers_and_spaces() {
    for text in [
        " [ fen \" W:WK50 :BK1 \" ] ",
        "[FEN \"W:WK50:BK1.\"]",
        "W_:_WK50_:_BK1",
        "W:\tWK 50:\r\nBK1 .\n",
    ] {
        assert_eq!(canonical::<International>(text), "W:WK50:BK1");
    }
}

/// Text that looks like a FEN, more or less.
const NEARLY: &str = r#"[WB?]?(:| : )[WBwb]?(K?[0-9a-h]{0,3}[,\-. ]?){0,6}:?[WB]?(K?[0-9]{1,2},?){0,6}(:[HF+]?[0-9]*)?["\].é]?"#;

proptest! {
    #[test]
    fn positions_come_back(squares in squares(), turn in color()) {
        for &variant in Variant::ALL {
            with_rules!(variant, R => if let Some(position) = placed::<R>(&squares, turn) {
                let fen = position.to_fen();
                prop_assert_eq!(read::<R>(&fen), Ok(position));
                prop_assert_eq!(read::<R>(&format!("[FEN \"{}.\"]", fen.to_lowercase())), Ok(position));
            });
        }
    }

    #[test]
    fn no_text_panics(text in any::<String>(), nearly in NEARLY) {
        for text in [text, nearly] {
            for &variant in Variant::ALL {
                // What is read at all is a legal position and is read back from what is written.
                with_rules!(variant, R => if let Ok(position) = read::<R>(&text) {
                    prop_assert_eq!(read(&position.to_fen()), Ok(position));
                });
            }
        }
    }
}
