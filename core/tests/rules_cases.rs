//! Positions with the legal moves expected, one hard rule each, of every variant.

use std::collections::BTreeSet;

use damier_core::{Board, Move, Position, Rules, Square, Variant, Word, WordOf, with_rules};

/// A move as it is written in the corpus: the squares of one route, what it takes, whether it promotes.
#[derive(Debug)]
struct Written {
    squares: Vec<u8>,
    captured: BTreeSet<u8>,
    promotes: bool,
}

/// Reads `32-28`, `8-2=K` or `15x24x13x2[cap 8 19 20]=K`.
fn read(text: &str) -> Written {
    let (text, promotes) = match text.strip_suffix("=K") {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let (path, captured) = text.split_once("[cap ").unwrap_or((text, ""));
    let numbers = |text: &str, separators: &[char]| -> Vec<u8> {
        let parts = text.split(separators).filter(|part| !part.is_empty());
        parts.map(|part| part.parse().unwrap_or_else(|_| panic!("{part} in {text}"))).collect()
    };
    Written {
        squares: numbers(path, &['-', 'x']),
        captured: numbers(captured, &[' ', ']']).into_iter().collect(),
        promotes,
    }
}

/// The moves of a field of the corpus, or none for `(none)`.
fn read_all(field: &str) -> Vec<Written> {
    // Only brackets hold spaces that do not part two moves.
    let field = field.replace("[cap ", "[cap_");
    let mut moves: Vec<String> = Vec::new();
    let mut open = false;
    for part in field.split(' ').filter(|_| field != "(none)") {
        match moves.last_mut() {
            Some(last) if open => *last = format!("{last} {part}"),
            _ => moves.push(part.to_owned()),
        }
        open = moves.last().is_some_and(|last| last.contains('[') && !last.contains(']'));
    }
    moves.iter().map(|text| read(&text.replace('_', " "))).collect()
}

fn found_in<R: Rules>(position: &Position<R>) -> BTreeSet<(u8, u8, BTreeSet<u8>, bool)> {
    let number = |bit| R::Board::geometry().square(bit).0;
    let moves = position.legal_moves();
    assert_eq!(moves.is_empty(), !position.has_move());
    assert_eq!(position.capture_due(), !position.captures().is_empty());
    let set: BTreeSet<_> = moves
        .iter()
        .map(|played: &Move<WordOf<R>>| {
            let captured = played.captured().bits().map(number).collect();
            (number(played.from()), number(played.to()), captured, played.promotes())
        })
        .collect();
    assert_eq!(set.len(), moves.len(), "a move is listed twice");
    set
}

fn check<R: Rules>(fen: &str, field: &str) {
    let position: Position<R> = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    let expected = read_all(field);
    let ends = |written: &Written| (written.squares[0], *written.squares.last().unwrap());
    // The corpus marks promotions in some lines only.
    let mut found = found_in(&position);
    let marked = expected.iter().any(|written| written.promotes);
    if !marked {
        found = found.into_iter().map(|(from, to, taken, _)| (from, to, taken, false)).collect();
    }
    let wanted: BTreeSet<_> = expected
        .iter()
        .map(|written| {
            let (from, to) = ends(written);
            (from, to, written.captured.clone(), written.promotes)
        })
        .collect();
    assert_eq!(found, wanted, "{} {fen}", R::VARIANT);

    // Every written path is one of the routes of its move.
    let bit = |number| R::Board::geometry().bit(Square(number)).unwrap();
    for written in &expected {
        let captured = written
            .captured
            .iter()
            .fold(WordOf::<R>::EMPTY, |set, &number| set | WordOf::<R>::bit(bit(number)));
        let (from, to) = ends(written);
        let played = position
            .legal_moves()
            .into_iter()
            .find(|m| (m.from(), m.to(), m.captured()) == (bit(from), bit(to), captured))
            .unwrap();
        let path: Vec<u32> = written.squares[1..].iter().map(|&number| bit(number)).collect();
        let routes = position.routes(played);
        assert!(routes.contains(&path), "{} {fen}: {written:?} not in {routes:?}", R::VARIANT);
        // The position seen from the other side has the same moves.
        assert_eq!(position.flipped().legal_moves().len(), expected.len());
    }
}

#[test]
fn rules_cases() {
    let mut cases = 0;
    for line in include_str!("data/rules-cases.txt").lines().filter(|line| !line.starts_with('#')) {
        let [variant, fen, moves] = line.split(" | ").take(3).collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let variant: Variant = variant.parse().unwrap();
        with_rules!(variant, R => check::<R>(fen, moves));
        cases += 1;
    }
    assert_eq!(cases, 182);
}
