//! Every command on the tables of two pieces of every variant.

mod common;

use std::path::Path;

use common::damier;
use damier::{
    Class, Color, Distance, DrawRuleSet, GroupOrder, Index, Measure, Rules, Tablebase, Variant,
    with_rules,
};
use serde_json::Value;

struct Tables {
    variant: Variant,
    folder: tempfile::TempDir,
}

impl Tables {
    fn run(&self, command: &str, arguments: &[&str]) -> String {
        let tables = self.folder.path().to_str().unwrap();
        let start = [command, self.variant.name(), "--tables", tables];
        damier(&[&start[..], arguments].concat()).done()
    }

    fn json(&self, command: &str, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.run(command, arguments)).unwrap()
    }

    /// The sets of draw rules that the variant is played under.
    fn rules(&self) -> Vec<&'static str> {
        let sets = self.variant.draw_rule_sets().iter().filter(|set| !set.rules().is_empty());
        sets.map(|set| DrawRuleSet::name(*set)).collect()
    }
}

/// Wins take an odd number of plies, losses an even one, but where who cannot move has won.
fn check_parity(variant: Variant, distances: &Value) {
    let odd = u64::from(variant != Variant::Losing);
    for (value, parity) in [("wins", odd), ("losses", 1 - odd)] {
        for plies in distances[value].as_object().unwrap().keys() {
            assert_eq!(plies.parse::<u64>().unwrap() % 2, parity, "{variant} {value} {plies}");
        }
    }
}

/// What a position is worth is what its best move makes of it, and without a move the game is over now.
fn check_moves<R: Rules>(folder: &Path) {
    let tables = Tablebase::<R>::open(&[folder]).unwrap();
    for class in Class::all(2).into_iter().filter(Class::is_played::<R>) {
        let index = Index::<R>::new(class, GroupOrder::default_for(class));
        let numbers = (0..index.len()).step_by(3);
        let positions =
            numbers.flat_map(|number| Color::BOTH.map(|turn| index.position(number, turn)));
        for position in positions.flatten() {
            for measure in [Measure::Dtw, Measure::Dtc] {
                let found = tables.distance(&position, measure).unwrap();
                let best = tables.moves_measured(&position, measure).unwrap().into_iter().next();
                let expected = match best {
                    Some(best) => best.distance,
                    None => Distance { value: position.over().unwrap(), plies: 0 },
                };
                assert_eq!(found, expected, "{} {position} {measure}", R::VARIANT);
            }
        }
    }
}

fn check(variant: Variant) {
    let tables = Tables { variant, folder: tempfile::tempdir().unwrap() };
    let rules = tables.rules().join(",");
    let mut build = vec!["--pieces", "2", "--metric", "wdl,dtw,dtc"];
    if !rules.is_empty() {
        build.extend(["--rules", &rules]);
    }
    let built = tables.run("build", &build);
    let kinds = 3 + tables.rules().len();
    let classes = if matches!(variant, Variant::Breakthrough | Variant::BreakthroughBrazilian) {
        1
    } else {
        3
    };
    assert!(built.contains(&format!("\n{} tables built", kinds * classes)), "{built}");
    let verified = tables.run("verify", &[]);
    assert_eq!(verified.matches("all right").count(), kinds, "{verified}");

    let stats = tables.json("stats", &["--pieces", "2", "--format", "json"]);
    let quiet = tables.json("stats", &["--pieces", "2", "--format", "json", "--without-captures"]);
    for (row, quiet) in stats.as_array().unwrap().iter().zip(quiet.as_array().unwrap()) {
        check_parity(variant, &row["histogram"]);
        for count in ["positions", "wins", "draws", "losses"] {
            assert!(quiet[count].as_u64() <= row[count].as_u64(), "{variant} {quiet}");
        }
        let longest = &row["longest_win"];
        let Some(fen) = longest["fen"].as_str() else { continue };
        let probed = tables.json("probe", &[fen, "--json"]);
        assert_eq!(
            (&probed["result"], &probed["dtw"]),
            (&"win".into(), &longest["plies"]),
            "{fen}"
        );
        assert_eq!(probed["moves"][0]["result"], "win", "{fen}");
        let line = tables.run("line", &[fen]);
        assert!(line.contains(&format!("wins in {} pl", longest["plies"])), "{line}");
    }
    with_rules!(variant, R => check_moves::<R>(tables.folder.path()));
    for set in tables.rules() {
        let csv = tables.run("rules", &["--rules", set, "--pieces", "2", "--format", "csv"]);
        assert_eq!(csv.lines().count(), 1 + 8, "{variant} {set}");
    }
    assert!(!damier(&["perft", variant.name(), "3"]).done().is_empty());
}

#[test]
fn every_command_on_two_pieces() {
    for &variant in Variant::ALL {
        check(variant);
    }
}

#[test]
fn every_variant_is_in_the_help() {
    let help = damier(&["--help"]).done();
    let words: Vec<_> =
        help.split(|letter: char| letter.is_whitespace() || ",().".contains(letter)).collect();
    for variant in Variant::ALL {
        for name in variant.aliases().iter().chain([&variant.name()]) {
            assert!(words.contains(name), "{name}: {help}");
        }
    }
}

/// No table has what is over: the first king has won.
#[test]
fn breakthrough_is_over_with_the_first_king() {
    let line = damier(&["build", "breakthrough", "--class", "KvM"]).fails(2);
    assert!(line.contains("KvM: a game of breakthrough is over"), "{line}");
    assert!(
        damier(&["probe", "breakthrough", "B:WK1:B20,30,31"])
            .done()
            .contains("Black to move: loss")
    );
}

/// Positions without a capture due, won and lost for the side to move, as they were published.
fn breakthrough(pieces: &str, class: &str, won: u64, lost: u64) {
    let tables =
        Tables { variant: Variant::BreakthroughBrazilian, folder: tempfile::tempdir().unwrap() };
    tables.run("build", &["--class", class, "--codec", "fast"]);
    let csv = tables.run("stats", &["--without-captures", "--format", "csv"]);
    let rows = csv.lines().filter_map(|line| line.strip_prefix(class)?.strip_prefix(','));
    let counts: Vec<_> = rows.map(|row| row.split(',').skip(2).collect::<Vec<_>>()).collect();
    let (won, lost) = (won.to_string(), lost.to_string());
    assert_eq!(counts.len(), 2, "{csv}");
    for counts in counts {
        assert_eq!(counts[..3], [&won, "0", &lost], "{pieces}");
    }
}

#[test]
fn breakthrough_counts() {
    breakthrough("one man each", "MvM", 388, 306);
    breakthrough("two men each", "MMvMM", 56_410, 33_269);
    breakthrough("three men each", "MMMvMMM", 2_699_916, 1_255_259);
}

#[test]
#[ignore = "minutes in a release build"]
fn breakthrough_counts_of_8_pieces() {
    breakthrough("four men each", "MMMMvMMMM", 56_865_877, 20_714_313);
}
