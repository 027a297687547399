//! Legal moves against those of py-draughts, an independent move generator, on random positions of the variants that it knows.
//!
//! `pip install py-draughts` (1.10.1 was compared) for a Python that `DAMIER_PYTHON` names, else `python3`, and run
//! `cargo test -p damier-core --test py_draughts -- --ignored`. It is under the GPL: it is run and asked, nothing of it is here.
//!
//! Another program, pydraughts 0.6.7, was compared once in the same way: no differences in English and Italian draughts; in Turkish
//! draughts it lets kings move over other pieces, in 755 of the positions, and differs in nothing else.

mod common;

use std::collections::BTreeSet;
use std::env;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

use common::{color, placed, squares};
use damier_core::rules::English;
use damier_core::{Board, Color, Goal, Position, Rules, Square, Variant, Word, WordOf, with_rules};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

const POSITIONS: usize = 10_000;

/// Random positions in which both sides have pieces, without kings where the first one wins.
fn random<R: Rules>() -> Vec<Position<R>> {
    let mut runner = TestRunner::deterministic();
    let strategy = (squares(), color());
    let next = || {
        let (squares, turn) = strategy.new_tree(&mut runner).expect("a position").current();
        let position = placed::<R>(&squares, turn)?;
        let [men, mut kings] = [Position::men, Position::kings]
            .map(|of| Color::BOTH.map(|color| of(&position, color)));
        if R::GOAL == Goal::FirstKing {
            kings = [WordOf::<R>::EMPTY; 2];
        }
        let position = Position::<R>::new(men, kings, turn).ok()?;
        Color::BOTH.iter().all(|&color| !position.pieces(color).is_empty()).then_some(position)
    };
    std::iter::repeat_with(next).flatten().take(POSITIONS).collect()
}

/// Squares by their numbers.
fn numbers<R: Rules>(set: WordOf<R>, before: &str) -> String {
    let mut squares: Vec<Square> = set.bits().map(|bit| R::Board::geometry().square(bit)).collect();
    squares.sort();
    let squares: Vec<_> = squares.iter().map(|square| format!("{before}{square}")).collect();
    squares.join(",")
}

/// A FEN with numbers, which not every variant's players use.
fn fen<R: Rules>(position: &Position<R>) -> String {
    let side = |color: Color| {
        let men = numbers::<R>(position.men(color), "");
        let kings = numbers::<R>(position.kings(color), "K");
        let comma = if men.is_empty() || kings.is_empty() { "" } else { "," };
        format!("{}{men}{comma}{kings}", color.letter())
    };
    format!("{}:{}:{}", position.turn().letter(), side(Color::White), side(Color::Black))
}

/// The moves as the script writes them: both ends, and what is taken.
fn moves<R: Rules>(position: &Position<R>) -> BTreeSet<String> {
    let number = |bit| R::Board::geometry().square(bit);
    let moves = position.legal_moves();
    let text = |mv: &damier_core::Move<WordOf<R>>| {
        format!("{}-{}:{}", number(mv.from()), number(mv.to()), numbers::<R>(mv.captured(), ""))
    };
    moves.iter().map(text).collect()
}

/// What py-draughts has for each of these positions.
fn asked(board: &str, fens: &[String]) -> Vec<BTreeSet<String>> {
    let python = env::var_os("DAMIER_PYTHON").unwrap_or("python3".into());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/py_draughts.py");
    let mut child = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a Python");
    let mut questions = child.stdin.take().expect("a pipe");
    let lines: String = fens.iter().map(|fen| format!("{board} {fen}\n")).collect();
    // It answers while it is asked: whoever only writes would wait for ever.
    let asking = thread::spawn(move || questions.write_all(lines.as_bytes()));
    let answers = child.wait_with_output().expect("answers");
    asking.join().expect("no panic").expect("py-draughts read all");
    assert!(answers.status.success());
    let answers = String::from_utf8(answers.stdout).expect("text");
    let set = |line: &str| line.split_whitespace().map(str::to_owned).collect();
    answers.lines().map(set).collect()
}

/// Compares the moves of all positions, but for differences that `explained` removes from theirs.
fn compare<R: Rules>(board: &str, explained: fn(&BTreeSet<String>, &mut BTreeSet<String>)) {
    let positions = random::<R>();
    let fens: Vec<_> = positions.iter().map(fen).collect();
    let answers = asked(board, &fens);
    assert_eq!(answers.len(), POSITIONS);
    for ((position, fen), mut theirs) in positions.iter().zip(&fens).zip(answers) {
        let ours = moves(position);
        explained(&ours, &mut theirs);
        assert_eq!(ours, theirs, "{} {fen}", R::VARIANT);
    }
}

/// Their captures may be left, in English draughts as well, where WCDF has them compulsory (1.20).
fn compulsory(ours: &BTreeSet<String>, theirs: &mut BTreeSet<String>) {
    let is_quiet = |text: &String| text.ends_with(':');
    if !ours.iter().any(is_quiet) {
        theirs.retain(|text| !is_quiet(text));
    }
}

#[test]
#[ignore = "needs py-draughts"]
fn moves_are_those_of_py_draughts() {
    compare::<English>("AmericanBoard", compulsory);
    for (variant, board) in [
        (Variant::International, "StandardBoard"),
        (Variant::Russian, "RussianBoard"),
        (Variant::Brazilian, "BrazilianBoard"),
        (Variant::Frisian, "FrisianBoard"),
        (Variant::Losing, "AntidraughtsBoard"),
        (Variant::Breakthrough, "BreakthroughBoard"),
    ] {
        with_rules!(variant, R => compare::<R>(board, |_, _| {}));
    }
}
