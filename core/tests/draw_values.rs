//! The way counters run, checked by what it makes of positions: a plain solver over [`DrawRuleSet::step`] against the figures
//! of an independent one, which stepped through every position and counter.

use std::collections::{BTreeMap, HashMap};

use damier_core::rules::{Brazilian, International, Russian};
use damier_core::{
    Board, Color, Counts, DrawRuleSet, Material, Play, Position, Rules, Step, Value, Word, WordOf,
};

/// Values under a set of rules: won or lost for the side to move, and the plies on the counter that this takes.
struct Solver<R: Rules> {
    set: DrawRuleSet,
    decided: HashMap<Position<R>, (Value, u16)>,
}

impl<R: Rules> Solver<R> {
    /// Adds a class, after all classes that its moves lead to.
    fn solve(&mut self, class: Material) {
        let rule = self.set.applying(class).expect("a rule for every material");
        // A man's move may start the counter again, so the positions after it come first.
        let mut groups = BTreeMap::<usize, Vec<Position<R>>>::new();
        for position in positions(class) {
            groups.entry(steps_left(&position)).or_default().push(position);
        }
        for mut open in groups.into_values() {
            for plies in 0..=rule.limit {
                let mut found = Vec::new();
                open.retain(|position| {
                    let value = self.value_in(position, plies);
                    found.extend(value.map(|value| (*position, (value, plies))));
                    value.is_none()
                });
                // Where only kings' moves count, they all stay in the group.
                if plies > 0 && found.is_empty() && rule.counts == Counts::KingMoves {
                    break;
                }
                self.decided.extend(found);
            }
        }
    }

    /// The value of a position if it is decided with exactly so many plies, those with fewer being known.
    fn value_in(&self, position: &Position<R>, plies: u16) -> Option<Value> {
        let before = Material::of(position);
        let outcomes = position.legal_moves().into_iter().map(|played| {
            let after = position.play(played);
            let (value, distance) = match self.decided.get(&after) {
                Some(&(value, distance)) => (value.negated(), distance),
                None if after.over().is_some() => (Value::Win, 0),
                None => return Value::Draw,
            };
            let play = Play::of(position, played);
            let needed = match self.set.step(before, play, Material::of(&after)) {
                Step::Starts => 1,
                Step::Advances => distance + 1,
                Step::Joins => unreachable!("no such moves here"),
            };
            if needed <= plies { value } else { Value::Draw }
        });
        // Without a move the game is lost.
        let best = outcomes.max().unwrap_or(Value::Loss);
        (best != Value::Draw).then_some(best)
    }
}

/// Every position of a class, both sides to move.
fn positions<R: Rules>(class: Material) -> impl Iterator<Item = Position<R>> {
    let all = R::Board::geometry().all;
    let mut placements = vec![[WordOf::<R>::EMPTY; 4]];
    for (piece, count) in class.men.into_iter().chain(class.kings).enumerate() {
        for _ in 0..count {
            let place = |placement: [WordOf<R>; 4]| {
                // Like pieces are placed in ascending order, so that no placement comes twice.
                let placed = placement[piece];
                let from = if placed.is_empty() { 0 } else { placed.last() + 1 };
                all.bits().filter(move |bit| *bit >= from).map(move |bit| {
                    let mut placement = placement;
                    placement[piece] |= WordOf::<R>::bit(bit);
                    placement
                })
            };
            placements = placements.into_iter().flat_map(place).collect();
        }
    }
    placements.into_iter().flat_map(|[white, black, white_kings, black_kings]| {
        Color::BOTH.into_iter().filter_map(move |turn| {
            Position::new([white, black], [white_kings, black_kings], turn).ok()
        })
    })
}

/// The steps that the men have left to the other side.
fn steps_left<R: Rules>(position: &Position<R>) -> usize {
    let rows = |color| position.men(color).bits().map(|bit| R::Board::geometry().row(bit));
    let black = rows(Color::Black).map(|row| R::Board::ROWS - 1 - row);
    rows(Color::White).chain(black).sum()
}

/// Checks the rows of classes with at most so many pieces; how many there were.
fn check<R: Rules>(set: DrawRuleSet, rows: &str, pieces: u8) -> usize {
    let rows = rows.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    let mut rows: Vec<(Material, Vec<&str>)> = rows
        .map(|row| {
            let count = |field: usize| row[field].parse::<u8>().expect("a count");
            (Material::new((count(1), count(2)), (count(3), count(4))), row)
        })
        .collect();
    let size = |class: &Material| class.pieces(Color::White) + class.pieces(Color::Black);
    rows.retain(|(class, _)| size(class) <= pieces);
    let mut classes: Vec<Material> = rows.iter().map(|(class, _)| *class).collect();
    classes.sort_by_key(|class| (size(class), class.men, class.kings));
    classes.dedup();
    classes.sort_by_key(|class| (size(class), class.men[0] + class.men[1]));

    let mut solver = Solver::<R> { set, decided: HashMap::new() };
    for &class in &classes {
        solver.solve(class);
    }
    for (class, row) in &rows {
        let rule = set.applying(*class).expect("a rule");
        let mut histograms = [BTreeMap::new(), BTreeMap::new(), BTreeMap::new()];
        for position in positions::<R>(*class).filter(|p| p.turn().letter().to_string() == row[5]) {
            let (value, plies) = *solver.decided.get(&position).unwrap_or(&(Value::Draw, 0));
            *histograms[value as usize].entry(rule.limit - plies).or_insert(0) += 1;
        }
        let total = |value: Value| histograms[value as usize].values().sum::<u32>().to_string();
        let totals = [Value::Win, Value::Draw, Value::Loss].map(total);
        assert_eq!(totals, row[9..12], "{row:?}");
        let bars = |value: Value| {
            let bars = histograms[value as usize].iter();
            let bars = bars.map(|(counter, positions)| format!("{counter}:{positions}"));
            bars.collect::<Vec<_>>().join(" ")
        };
        // The Russian figures leave the five-move rules out, which change no value but the plies.
        if rule.limit.to_string() == row[7] {
            assert_eq!([bars(Value::Win), bars(Value::Loss)], row[14..16], "{row:?}");
        }
    }
    rows.len()
}

#[test]
fn brazilian_classes_to_three_pieces() {
    let rows = include_str!("data/brazilian-rules.csv");
    assert_eq!(check::<Brazilian>(DrawRuleSet::Cbd, rows, 3), 32);
}

#[test]
fn russian_classes_to_three_pieces() {
    let rows = include_str!("data/russian-rules.csv");
    assert_eq!(check::<Russian>(DrawRuleSet::Fmjd64, rows, 3), 32);
}

#[test]
fn international_classes_of_two_pieces() {
    let rows = include_str!("data/international-rules.csv");
    assert_eq!(check::<International>(DrawRuleSet::Fmjd, rows, 2), 8);
}

#[test]
#[ignore = "some minutes"]
fn one_king_against_three() {
    let rows = include_str!("data/international-rules.csv");
    assert_eq!(check::<International>(DrawRuleSet::Fmjd, rows, 4), 36);
}
