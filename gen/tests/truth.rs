//! Counts of every class against independently computed ones, for every variant that has them.

use std::sync::Arc;

use damier_core::{Board, Rules, Value, Variant, Word, WordOf, rules};
use damier_gen::cell::Wdl;
use damier_gen::counting::ToTheEnd;
use damier_gen::distance::{Distances, HalfPlies, Scale};
use damier_gen::schedule::schedule;
use damier_gen::solve::solve;
use damier_gen::solved::{Known, Solved};
use damier_tables::{Class, Counts};

/// A row of a truth file.
struct Row {
    class: Class,
    turn: usize,
    counts: Counts,
    /// Longest win and longest loss in plies, -1 where there is none.
    longest: [i32; 2],
}

fn rows(variant: Variant) -> Vec<Row> {
    let path = format!("{}/../tests/data/truth/{variant}.csv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect(&path);
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |place: usize| fields[place].parse::<u64>().expect(line);
        let class = [1, 2, 3, 4].map(|place| number(place) as u8);
        let turn = usize::from(fields[5] == "B");
        let counts = Counts { wins: number(7), draws: number(8), losses: number(9) };
        assert_eq!(counts.positions(), number(6));
        let longest = [17, 18].map(|place| fields[place].parse().expect(line));
        let class = Class::new(class[0], class[1], class[2], class[3]);
        Row { class, turn, counts, longest }
    };
    // The example position may hold commas, in quotes.
    let plain = |line: &str| line.split('"').step_by(2).collect::<String>();
    text.lines().skip(1).map(|line| row(&plain(line))).collect()
}

/// The longest win and the longest loss of a class, in plies.
fn longest<R: Rules>(solved: &Solved<R, Distances<HalfPlies, R::Board>>) -> [[i32; 2]; 2] {
    let mut longest = [[-1; 2]; 2];
    for rank in 0..solved.layout.blocks() {
        for turn in 0..2 {
            for cell in &solved.block(rank).cells[turn] {
                for bit in R::Board::geometry().all.bits() {
                    let Some(distance) = HalfPlies::distance(cell.score(bit)) else { continue };
                    let place = match distance.value {
                        Value::Win => 0,
                        Value::Loss => 1,
                        Value::Draw => continue,
                    };
                    longest[turn][place] = longest[turn][place].max(i32::from(distance.plies));
                }
            }
        }
    }
    longest
}

fn compare<R: Rules>() {
    let rows = rows(R::VARIANT);
    assert!(rows.len() >= 32);
    let wanted: Vec<Class> = rows.iter().map(|row| row.class).collect();
    let mut known = Known::<R, Wdl<WordOf<R>>>::new();
    let mut distances = Known::<R, Distances<HalfPlies, R::Board>>::new();
    for class in schedule::<R>(&wanted).concat() {
        let (solved, _) = solve(class, &known, &ToTheEnd, &|_| {});
        let (far, _) = solve(class, &distances, &ToTheEnd, &|_| {});
        let longest = longest(&far);
        assert_eq!(far.counts(), solved.counts(), "{} {class}", R::VARIANT);
        for (turn, counts) in solved.counts().into_iter().enumerate() {
            for (expected, expected_turn) in [(class, turn), (class.flipped(), 1 - turn)] {
                for row in &rows {
                    if (row.class, row.turn) == (expected, expected_turn) {
                        assert_eq!(row.counts, counts, "{} {class} turn {turn}", R::VARIANT);
                        assert_eq!(
                            row.longest,
                            longest[turn],
                            "{} {class} turn {turn}",
                            R::VARIANT
                        );
                    }
                }
            }
        }
        known.insert(Arc::new(solved));
        distances.insert(Arc::new(far));
    }
}

macro_rules! truth {
    ($($name:ident: $variant:ident),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                compare::<rules::$variant>();
            }
        )*
    };
}

truth! {
    international: International,
    english: English,
    russian: Russian,
    brazilian: Brazilian,
    pool: Pool,
    italian: Italian,
    czech: Czech,
    turkish: Turkish,
    frisian: Frisian,
}
