//! Counts and longest distances of every class, and how many of its positions have a capture due, against those of an independent brute
//! force.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use common::damier;
use damier::{Class, Measure, Position, Rules, Tablebase, Variant, with_rules};

/// The fields of a row by their names.
type Row = BTreeMap<String, String>;

/// The rows of a variant in the order of their classes; none where nobody has computed counts yet.
fn truth(variant: Variant) -> Vec<Row> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/truth/{variant}.csv"));
    let text = fs::read_to_string(path).unwrap_or_default();
    // Commas in quotes are part of a field.
    let fields = |line: &str| -> Vec<String> {
        let mut quoted = false;
        let split = |letter| {
            quoted ^= letter == '"';
            letter == ',' && !quoted
        };
        line.split(split).map(|field| field.trim_matches('"').to_owned()).collect()
    };
    let mut lines = text.lines().map(fields);
    let names = lines.next().unwrap_or_default();
    lines.map(|row| names.iter().cloned().zip(row).collect()).collect()
}

fn number(row: &Row, name: &str) -> i64 {
    row[name].parse().expect(name)
}

fn class(row: &Row) -> Class {
    let [wm, wk, bm, bk] = ["wm", "wk", "bm", "bk"].map(|name| number(row, name) as u8);
    Class::new(wm, wk, bm, bk)
}

/// Wins, draws and losses by the csv of `stats`, by class and turn.
fn counts(csv: &str) -> BTreeMap<(String, String), [i64; 3]> {
    let rows = csv.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    let counts = |row: &[&str]| [3, 4, 5].map(|field| row[field].parse().unwrap());
    rows.map(|row| ((row[0].to_owned(), row[1].to_owned()), counts(&row))).collect()
}

/// The position that is named as one of the longest is that long, and so it is for the other side.
fn check_example<R: Rules>(tables: &str, row: &Row) {
    let tables = Tablebase::<R>::open(&[tables]).unwrap();
    let position: Position<R> = row["example_fen"].parse().unwrap();
    for position in [position, position.flipped()] {
        let found = tables.distance(&position, Measure::Dtw).unwrap();
        assert_eq!(
            found.decided().map(i64::from),
            Some(number(row, "max_dtw_plies")),
            "{position}"
        );
    }
}

fn compare(variant: Variant) {
    let truth = truth(variant);
    assert!(truth.len() >= 32);
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().to_str().unwrap();
    let mut build = vec!["build", variant.name(), "--tables", tables, "--metric", "wdl,dtw"];
    let classes: Vec<_> = truth.iter().map(|row| class(row).to_string()).collect();
    build.extend(classes.iter().flat_map(|class| ["--class", class]));
    damier(&build).done();
    let verified = damier(&["verify", variant.name(), "--tables", tables]).done();
    assert_eq!(verified.matches("all right").count(), 2, "{verified}");
    let stats = |more: &[&str]| {
        let stats = ["stats", variant.name(), "--tables", tables];
        damier(&[&stats, more].concat()).done()
    };
    let csv = stats(&["--format", "csv"]);
    let quiet = stats(&["--format", "csv", "--without-captures"]);
    let json: serde_json::Value = serde_json::from_str(&stats(&["--format", "json"])).unwrap();

    assert!(csv.starts_with("class,turn,positions,wins,draws,losses,max_dtw\n"));
    let (all, quiet) = (counts(&csv), counts(&quiet));
    assert_eq!(json.as_array().unwrap().len(), truth.len(), "{variant}");
    for row in &truth {
        let (class, turn) = (class(row).to_string(), &row["stm"]);
        let expected = ["positions", "wins", "draws", "losses"].map(|name| row[name].as_str());
        // Where nothing is decided nothing is the longest.
        let longest = Some(row["max_dtw_plies"].as_str()).filter(|plies| *plies != "-1");
        let line =
            format!("\n{class},{turn},{},{}\n", expected.join(","), longest.unwrap_or_default());
        assert!(csv.contains(&line), "{variant} {line:?}: {csv}");

        let key = (class.clone(), turn.clone());
        let due: Vec<_> =
            all[&key].iter().zip(quiet[&key]).map(|(all, quiet)| all - quiet).collect();
        let expected = ["due_wins", "due_draws", "due_losses"].map(|name| number(row, name));
        assert_eq!(due, expected, "{variant} {class} {turn}");
        assert_eq!(due.iter().sum::<i64>(), number(row, "capture_due"), "{variant} {class} {turn}");

        let found = json.as_array().unwrap().iter();
        let mut found = found.filter(|found| found["class"] == *class && found["turn"] == **turn);
        let found = found.next().expect("a row for every class and turn");
        let mut longest = 0;
        for (name, column) in [("longest_win", "max_win_plies"), ("longest_loss", "max_loss_plies")]
        {
            let plies = found[name]["plies"].as_i64();
            assert_eq!(plies.unwrap_or(-1), number(row, column), "{variant} {class} {turn}");
            if plies == Some(number(row, "max_dtw_plies")) {
                longest += found[name]["positions"].as_i64().unwrap();
            }
        }
        if number(row, "max_dtw_plies") >= 0 {
            assert_eq!(longest, number(row, "n_max"), "{variant} {class} {turn}");
            with_rules!(variant, R => check_example::<R>(tables, row));
        }
    }
}

macro_rules! truth {
    ($($name:ident: $variant:ident),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                compare(Variant::$variant);
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
