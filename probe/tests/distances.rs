//! Distances from files, on the tables that are part of the program.

use std::fs;
use std::path::Path;

use damier_core::rules::{English, International};
use damier_core::{Color, Counters, DrawRuleSet, Position, Rules, Value};
use damier_probe::{Access, Distance, Measure, ProbeError, RuleValue, TableFiles, Tablebase};
use damier_tables::{Class, GroupOrder, Index};

/// A folder with copies of the tables of a variant that have these names.
fn copies(variant: &str, names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join(variant)).unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(variant);
    for name in names {
        fs::copy(data.join(name), folder.path().join(variant).join(name)).unwrap();
    }
    folder
}

/// All positions of two pieces, and their distances.
fn known<R: Rules>(measure: Measure) -> Vec<(Position<R>, Distance)> {
    let tables = Tablebase::<R>::embedded();
    let classes = Class::all(2).into_iter();
    let positions = classes.flat_map(|class| {
        let index = Index::<R>::new(class, GroupOrder::default_for(class));
        let numbers = (0..index.len()).flat_map(|number| Color::BOTH.map(|turn| (number, turn)));
        numbers.filter_map(|(number, turn)| index.position(number, turn)).collect::<Vec<_>>()
    });
    positions.map(|position| (position, tables.distance(&position, measure).unwrap())).collect()
}

#[test]
fn files_answer_alike_however_they_are_read() {
    let folder = copies("international", &["KvK.dtw", "KvM.dtw", "MvM.dtw"]);
    let known = known::<International>(Measure::Dtw);
    for (access, cache) in [(Access::Mapped, 0), (Access::Read, 50_000), (Access::Mapped, 1 << 22)]
    {
        let files = TableFiles::open(&[folder.path()]).unwrap();
        let tables = Tablebase::with_source(files.with_access(access).with_cache(cache));
        for (position, distance) in &known {
            assert_eq!(tables.distance(position, Measure::Dtw).unwrap(), *distance, "{position}");
        }
    }
}

#[test]
fn the_longest_are_those_of_the_headers() {
    let known = known::<English>(Measure::Dtw);
    let files = TableFiles::<English>::embedded();
    for (class, turn) in
        Class::all(2).into_iter().flat_map(|class| Color::BOTH.map(|turn| (class, turn)))
    {
        let longest = [Value::Win, Value::Loss].map(|value| {
            let of_class = known.iter().filter(|(position, distance)| {
                Class::of(position) == class && position.turn() == turn && distance.value == value
            });
            of_class.map(|(_, distance)| distance.plies).max()
        });
        assert_eq!(files.longest(class, turn, Measure::Dtw).unwrap(), longest, "{class} {turn}");
    }
    // E. Trice's figure for king against king.
    let king_against_king = files.longest(Class::new(0, 1, 0, 1), Color::White, Measure::Dtw);
    assert_eq!(king_against_king.unwrap()[0], Some(11));
}

#[test]
fn moves_come_shortest_win_and_longest_loss_first() {
    let tables = Tablebase::<English>::embedded();
    for (position, distance) in known::<English>(Measure::Dtw) {
        let moves = tables.moves(&position).unwrap();
        let distances =
            moves.iter().map(|mv| Distance { value: mv.value, plies: mv.dtw.unwrap_or(0) });
        assert!(distances.clone().is_sorted_by(|a, b| a >= b), "{position}");
        assert_eq!(distances.max(), (!moves.is_empty()).then_some(distance), "{position}");
        let line = tables.line(&position, Measure::Dtw).unwrap();
        assert_eq!(line.len(), distance.plies.into(), "{position}");
    }
}

#[test]
fn what_is_missing_is_named() {
    let folder = copies("international", &["KvK.wdl", "KvK.dtw"]);
    let tables = Tablebase::<International>::open(&[folder.path()]).unwrap();
    let position = "W:WK1:BK50".parse().unwrap();
    assert_eq!(tables.distance(&position, Measure::Dtw).unwrap(), Distance::DRAW);
    let message = |measure| tables.distance(&position, measure).unwrap_err().to_string();
    assert_eq!(
        message(Measure::Dtc),
        "no dtc for KvK: `damier build international --class KvK --metric dtc` makes it"
    );
    assert_eq!(
        message(Measure::Dtr(DrawRuleSet::Fmjd)),
        "no dtr for KvK: `damier build international --class KvK --rules fmjd` makes it"
    );
    assert_eq!(tables.distance_if_known(&position, Measure::Dtc).unwrap(), None);
    // Values are told all the same, and without rules nothing else is needed.
    let values = copies("international", &["KvK.wdl"]);
    let values = Tablebase::<International>::open(&[values.path()]).unwrap();
    let moves = values.moves(&"W:WK10:BK5".parse().unwrap()).unwrap();
    assert_eq!((moves[0].value, moves[0].dtw), (Value::Win, None));
    let without = Counters::new(DrawRuleSet::None, position);
    assert_eq!(tables.probe_with_rules(&without).unwrap().value, RuleValue::Draw);
    // Where the rules of the game alone decide, no table is needed.
    let over = |fen: &str| tables.distance(&fen.parse().unwrap(), Measure::Dtw).unwrap();
    assert_eq!(over("W:W46:B37,41"), Distance { value: Value::Loss, plies: 0 });
    assert_eq!(over("W:W28:B22"), Distance { value: Value::Win, plies: 1 });
    assert_eq!(over("B:W50:B"), Distance { value: Value::Loss, plies: 0 });
    assert_eq!(over("W:W50:B"), Distance { value: Value::Win, plies: 1 });
    let other = folder.path().join("international/KvK.dtc");
    fs::copy(folder.path().join("international/KvK.dtw"), other).unwrap();
    assert!(
        message(Measure::Dtc)
            .ends_with("expected international KvK dtc, found international KvK dtw")
    );
}

/// Whatever happens to a file, probes give the right distance or an error.
#[test]
fn a_damaged_file_never_gives_a_wrong_distance() {
    let folder = copies("english", &["KvM.dtw"]);
    let path = folder.path().join("english/KvM.dtw");
    let whole = fs::read(&path).unwrap();
    let mut known = known::<English>(Measure::Dtw);
    known.retain(|(position, _)| Class::of(position) == Class::new(0, 1, 1, 0));
    let known: Vec<_> = known.iter().step_by(29).collect();
    let check = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let files = TableFiles::open(&[folder.path()]).unwrap().with_cache(1 << 16);
        let tables = Tablebase::with_source(files);
        let mut errors = 0;
        for (position, distance) in &known {
            match tables.distance(position, Measure::Dtw) {
                Ok(found) => assert_eq!(found, *distance, "{position}"),
                Err(ProbeError::Damaged { path: named, .. }) => {
                    assert_eq!(named, path);
                    errors += 1;
                }
                // A capture leads to a class that is not there.
                Err(ProbeError::NoDistances { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
        errors
    };
    assert_eq!(check(&whole), 0);
    for at in (0..whole.len()).step_by(3) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        check(&bytes);
    }
    for len in (0..whole.len()).step_by(61) {
        assert!(check(&whole[..len]) > 0, "{len} bytes");
    }
}
