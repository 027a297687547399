//! The way counters run, checked by what it makes of positions: values under the rules of Brazilian draughts, found by a plain
//! solver over [`DrawRuleSet::step`], against counts of an independent one that steps through every position and counter.

use std::collections::{BTreeMap, HashMap};

use damier_core::rules::Brazilian;
use damier_core::{
    Board, Color, DrawRuleSet, Material, Play, Position, Rules, Step, Value, Word, WordOf,
};

type Squares = WordOf<Brazilian>;
type Board32 = Position<Brazilian>;

const SET: DrawRuleSet = DrawRuleSet::Cbd;

/// Won or lost for the side to move, and the plies on the counter that this takes.
type Decided = HashMap<Board32, (Value, u16)>;

/// Every position of a class, both sides to move.
fn positions(class: Material) -> Vec<Board32> {
    let mut sets = vec![[Squares::EMPTY; 4]];
    let counts = [class.men[0], class.men[1], class.kings[0], class.kings[1]];
    for (piece, &count) in counts.iter().enumerate() {
        for _ in 0..count {
            let all = <Brazilian as Rules>::Board::geometry().all;
            sets = sets
                .iter()
                .flat_map(|sets| {
                    // Like pieces are placed in ascending order, so that no placement comes twice.
                    let placed = sets[piece];
                    let from = if placed.is_empty() { 0 } else { placed.last() + 1 };
                    all.bits().filter(move |bit| *bit >= from).map(move |bit| {
                        let mut sets = *sets;
                        sets[piece] |= Squares::bit(bit);
                        sets
                    })
                })
                .collect();
        }
    }
    sets.into_iter()
        .flat_map(|[white, black, white_kings, black_kings]| {
            Color::BOTH.map(|turn| Position::new([white, black], [white_kings, black_kings], turn))
        })
        .filter_map(Result::ok)
        .collect()
}

/// The steps that the men have left. A man's move starts the counter again, so the positions after it come first.
fn steps_left(position: &Board32) -> usize {
    let geometry = <Brazilian as Rules>::Board::geometry();
    let white: usize = position.men(Color::White).bits().map(|bit| geometry.row(bit)).sum();
    let black = position.men(Color::Black).bits().map(|bit| 7 - geometry.row(bit)).sum::<usize>();
    white + black
}

/// Adds a class, after all classes that its moves lead to.
fn solve(class: Material, decided: &mut Decided) {
    let limit = SET.applying(class).expect("a rule for every material").limit;
    let mut groups = BTreeMap::<usize, Vec<Board32>>::new();
    for position in positions(class) {
        groups.entry(steps_left(&position)).or_default().push(position);
    }
    for mut open in groups.into_values() {
        for plies in 0..=limit {
            let mut found = Vec::new();
            open.retain(|position| {
                let value = value_in(position, plies, decided);
                found.extend(value.map(|value| (*position, (value, plies))));
                value.is_none()
            });
            decided.extend(found);
        }
    }
}

/// The value of a position if it is decided with exactly so many plies, those with fewer being known.
fn value_in(position: &Board32, plies: u16, decided: &Decided) -> Option<Value> {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return Some(Value::Loss);
    }
    let before = Material::of(position);
    // For the side that moves: what each move leads to within these plies.
    let outcomes = moves.iter().map(|&played| {
        let after = position.play(played);
        let (value, distance) = match decided.get(&after) {
            Some(&(value, distance)) => (value.negated(), distance),
            None if after.over().is_some() => (Value::Win, 0),
            None => return Value::Draw,
        };
        let needed = match SET.step(before, Play::of(position, played), Material::of(&after)) {
            Step::Starts => 1,
            Step::Advances => distance + 1,
            Step::Joins => unreachable!("no such moves here"),
        };
        if needed <= plies { value } else { Value::Draw }
    });
    let best = outcomes.max().expect("a move");
    (best != Value::Draw).then_some(best)
}

#[test]
fn brazilian_classes_to_three_pieces() {
    let rows = include_str!("data/brazilian-rules.csv").lines().skip(1);
    let rows: Vec<Vec<&str>> = rows.map(|line| line.split(',').collect()).collect();
    let class_of = |row: &[&str]| {
        let count = |field: usize| row[field].parse::<u8>().expect("a count");
        Material::new((count(1), count(2)), (count(3), count(4)))
    };
    let mut classes: Vec<Material> = rows.iter().map(|row| class_of(row)).collect();
    classes.dedup();
    classes.sort_by_key(|class| {
        let men = class.men[0] + class.men[1];
        (class.pieces(Color::White) + class.pieces(Color::Black), men)
    });
    let mut decided = Decided::new();
    for &class in &classes {
        solve(class, &mut decided);
    }

    let mut wrong = 0;
    for row in &rows {
        let class = class_of(row);
        let rule = SET.applying(class).expect("a rule");
        let mut histograms = [BTreeMap::new(), BTreeMap::new()];
        for position in positions(class) {
            if position.turn().letter().to_string() != row[5] {
                continue;
            }
            if let Some(&(value, plies)) = decided.get(&position) {
                let histogram = &mut histograms[usize::from(value == Value::Loss)];
                *histogram.entry(rule.limit - plies).or_insert(0) += 1;
            }
        }
        let [won, lost] = histograms.map(|histogram: BTreeMap<u16, u32>| {
            let bars =
                histogram.iter().map(|(counter, positions)| format!("{counter}:{positions}"));
            bars.collect::<Vec<_>>().join(" ")
        });
        if (rule.limit.to_string().as_str(), won.as_str(), lost.as_str())
            != (row[7], row[14], row[15])
        {
            wrong += 1;
            eprintln!("{row:?}\n   won {won}\n  lost {lost}");
        }
    }
    assert_eq!(wrong, 0);
    assert_eq!(rows.len(), 32);
}
