//! Counts of every class against independently computed ones, for every variant that has them.

use std::sync::Arc;

use damier_core::{Rules, Variant, WordOf, rules};
use damier_gen::cell::Wdl;
use damier_gen::schedule::schedule;
use damier_gen::solve::solve;
use damier_gen::solved::Known;
use damier_tables::{Class, Counts};

/// The rows of a truth file: class, turn and counts.
fn rows(variant: Variant) -> Vec<(Class, usize, Counts)> {
    let path = format!("{}/../tests/data/truth/{variant}.csv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect(&path);
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |place: usize| fields[place].parse::<u64>().expect(line);
        let class = [1, 2, 3, 4].map(|place| number(place) as u8);
        let turn = usize::from(fields[5] == "B");
        let counts = Counts { wins: number(7), draws: number(8), losses: number(9) };
        assert_eq!(counts.positions(), number(6));
        (Class::new(class[0], class[1], class[2], class[3]), turn, counts)
    };
    text.lines().skip(1).map(row).collect()
}

fn compare<R: Rules>() {
    let rows = rows(R::VARIANT);
    assert!(rows.len() >= 32);
    let wanted: Vec<Class> = rows.iter().map(|row| row.0).collect();
    let mut known = Known::<R, Wdl<WordOf<R>>>::new();
    for class in schedule::<R>(&wanted).concat() {
        let (solved, _) = solve(class, &known, &|_| {});
        for (turn, counts) in solved.counts().into_iter().enumerate() {
            for (expected, turn) in [(class, turn), (class.flipped(), 1 - turn)] {
                for row in rows.iter().filter(|row| row.0 == expected && row.1 == turn) {
                    assert_eq!(row.2, counts, "{} {class} turn {turn}", R::VARIANT);
                }
            }
        }
        known.insert(Arc::new(solved));
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
