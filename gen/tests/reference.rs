//! The fast solver against a plain one: every position of every class, values and captures, by the rules core alone.

use std::collections::HashMap;
use std::sync::Arc;

use damier_core::rules::{Canadian, English, International};
use damier_core::{Color, Position, Rules, Value, Variant, Word, WordOf, with_rules};
use damier_gen::cell::Wdl;
use damier_gen::counting::ToTheEnd;
use damier_gen::layout::Frame;
use damier_gen::schedule::schedule;
use damier_gen::solved::Known;
use damier_gen::solver::solve_class;
use damier_tables::{Class, GroupOrder, Index};

/// By side to move, then number.
type Values = [Vec<Option<Value>>; 2];

/// Solves one position at a time: no words, no order of skeletons, only moves and values.
struct Reference<R: Rules> {
    classes: HashMap<Class, (Index<R>, Values)>,
}

impl<R: Rules> Reference<R> {
    fn value(&self, position: &Position<R>) -> Option<Value> {
        let class = Class::of(position);
        if position.pieces(position.turn()).is_empty() || !class.is_played::<R>() {
            return position.over();
        }
        let position = if class.is_canonical() { *position } else { position.flipped() };
        let (index, values) = &self.classes[&class.canonical()];
        values[position.turn().index()][index.index(&position) as usize]
    }

    /// Adds a class whose children are there.
    fn solve(&mut self, class: Class) {
        let index = Index::<R>::new(class, GroupOrder::default_for(class));
        let len = index.len() as usize;
        let mut open: Vec<Position<R>> = Color::BOTH
            .into_iter()
            .flat_map(|turn| (0..index.len()).map(move |number| (turn, number)))
            .filter_map(|(turn, number)| index.position(number, turn))
            .collect();
        self.classes.insert(class, (index, [vec![None; len], vec![None; len]]));
        loop {
            let before = open.len();
            open.retain(|position| {
                let moves = position.legal_moves();
                let children: Vec<_> =
                    moves.iter().map(|&mv| self.value(&position.play(mv))).collect();
                let value = if let Some(value) = position.over() {
                    value
                } else if children.contains(&Some(Value::Loss)) {
                    Value::Win
                } else if children.iter().all(|&child| child == Some(Value::Win)) {
                    Value::Loss
                } else {
                    return true;
                };
                self.set(position, value);
                false
            });
            if open.len() == before {
                break;
            }
        }
        for position in open {
            self.set(&position, Value::Draw);
        }
    }

    fn set(&mut self, position: &Position<R>, value: Value) {
        let (index, values) =
            self.classes.get_mut(&Class::of(position)).expect("a class being solved");
        let number = index.index(position) as usize;
        values[position.turn().index()][number] = Some(value);
    }
}

fn compare<R: Rules>(pieces: u32) {
    let mut wanted = Class::all_up_to(pieces);
    wanted.retain(Class::is_played::<R>);
    let mut known = Known::<R, Wdl<WordOf<R>>>::new();
    for class in schedule::<R>(&wanted).concat() {
        let (solved, _) = solve_class(class, &known, &ToTheEnd, &|_| {});
        known.insert(Arc::new(solved));
    }
    let mut reference = Reference::<R> { classes: HashMap::new() };
    for class in schedule::<R>(&wanted).concat() {
        if class.is_canonical() {
            reference.solve(class);
        }
        let solved = known.get(class).expect("solved above");
        let index = Index::<R>::new(class, GroupOrder::default_for(class));
        for turn in Color::BOTH {
            for number in 0..index.len() {
                let Some(position) = index.position(number, turn) else { continue };
                let all = Frame {
                    white_men: position.men(Color::White),
                    white_kings: position.kings(Color::White),
                    black_men: position.men(Color::Black),
                    black_kings: position.kings(Color::Black),
                };
                let (cell, square) = solved.position(turn, &all);
                let value = match (cell.not_won & square, cell.lost & square) {
                    (not_won, _) if not_won == WordOf::<R>::default() => Value::Win,
                    (_, lost) if lost == WordOf::<R>::default() => Value::Draw,
                    _ => Value::Loss,
                };
                assert_eq!(Some(value), reference.value(&position), "{position}");
            }
        }
    }
}

#[test]
fn every_variant_with_2_pieces() {
    for &variant in Variant::ALL {
        with_rules!(variant, R => compare::<R>(2));
    }
}

macro_rules! with_3_pieces {
    ($($name:ident: $variant:ident),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                with_rules!(Variant::$variant, R => compare::<R>(3));
            }
        )*
    };
}

// Of the others there are counts, see truth.rs.
with_3_pieces! {
    international_with_3_pieces: International,
    english_with_3_pieces: English,
    spanish_with_3_pieces: Spanish,
    thai_with_3_pieces: Thai,
    killer_with_3_pieces: Killer,
    breakthrough_with_3_pieces: Breakthrough,
    breakthrough_brazilian_with_3_pieces: BreakthroughBrazilian,
    losing_with_3_pieces: Losing,
}

#[test]
#[ignore = "long: 5 million positions one by one, many times over"]
fn canadian_with_3_pieces() {
    compare::<Canadian>(3);
}

/// About two minutes.
#[test]
#[ignore = "long: 6 million positions one by one, many times over"]
fn english_with_4_pieces() {
    compare::<English>(4);
}

/// About ten minutes.
#[test]
#[ignore = "long: 42 million positions one by one, many times over"]
fn international_with_4_pieces() {
    compare::<International>(4);
}
