//! The order in which classes are solved, and how many positions they have.

use std::collections::BTreeSet;

use damier_core::rules::{Breakthrough, English, International};
use damier_gen::placements;
use damier_gen::schedule::{children, schedule};
use damier_tables::Class;

#[test]
fn children_come_first() {
    let wanted = Class::all_canonical(5);
    let levels = schedule::<International>(&wanted);
    let mut solved = BTreeSet::new();
    for level in levels {
        for class in &level {
            for child in children::<International>(*class) {
                let either = solved.contains(&child) || solved.contains(&child.flipped());
                assert!(either, "{class} before {child}");
                assert!(
                    child.pieces() == class.pieces() || solved.contains(&child),
                    "{class} before {child}"
                );
            }
        }
        solved.extend(level);
    }
    assert!(wanted.iter().all(|class| solved.contains(class)));
}

#[test]
fn a_class_brings_what_it_needs() {
    let levels = schedule::<International>(&["MvK".parse().unwrap()]);
    let names: Vec<String> = levels.concat().iter().map(Class::to_string).collect();
    assert_eq!(names, ["KvK", "KvM"]);
}

#[test]
fn where_a_king_wins_no_class_has_one() {
    let classes = schedule::<Breakthrough<International>>(&Class::all_canonical(3)).concat();
    let names: Vec<String> = classes.iter().map(Class::to_string).collect();
    assert_eq!(names, ["MvM", "MMvM"]);
}

#[test]
fn placements_are_the_published_numbers() {
    let total = |pieces, placements: fn(Class) -> u64| -> u64 {
        Class::all(pieces).into_iter().map(placements).sum()
    };
    assert_eq!(total(2, placements::<English>), 3_488);
    assert_eq!(total(5, placements::<English>), 139_450_808);
    assert_eq!(total(4, placements::<International>), 41_971_200);
    assert_eq!(total(8, placements::<International>), 23_013_188_500_365);
}
