//! Tables of distances against independently computed figures.

use std::path::Path;

use damier_core::{Color, DrawRuleSet, Material, Variant};
use damier_gen::{BuildOptions, ClassReport, Content, Progress, build, verify};
use damier_tables::{Class, Codec, Counts, MappedFile, Metric, Table, file_name_under};

struct Silent;

impl Progress for Silent {
    fn planned(&self, _: usize, _: u64) {}
    fn class_started(&self, _: Class, _: u64) {}
    fn advanced(&self, _: u64) {}
    fn class_finished(&self, _: &ClassReport) {}
}

/// A file of independently computed rows, as fields by their names; its last columns may be in quotes.
fn rows(name: &str) -> Vec<Vec<(String, String)>> {
    let path = format!("{}/../tests/data/truth/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect(&path);
    // Commas in quotes are part of a field.
    let fields = |line: &str| -> Vec<String> {
        let mut quoted = false;
        let split = |letter: char| {
            quoted ^= letter == '"';
            letter == ',' && !quoted
        };
        line.split(split).map(str::to_owned).collect()
    };
    let mut lines = text.lines();
    let names = fields(lines.next().expect("a line of names"));
    lines.map(|line| names.iter().cloned().zip(fields(line)).collect()).collect()
}

fn field<'a>(row: &'a [(String, String)], name: &str) -> &'a str {
    &row.iter().find(|(found, _)| found == name).expect(name).1
}

fn number(row: &[(String, String)], name: &str) -> i64 {
    field(row, name).parse().expect(name)
}

fn class(row: &[(String, String)]) -> Class {
    let [wm, wk, bm, bk] = ["wm", "wk", "bm", "bk"].map(|name| number(row, name) as u8);
    Class::new(wm, wk, bm, bk)
}

fn built(folder: &Path, variant: Variant, content: Content, classes: Vec<Class>) {
    let options = BuildOptions {
        classes: classes.clone(),
        tables: folder.to_owned(),
        threads: None,
        memory: None,
        codec: Codec::default(),
        contents: vec![content],
    };
    build(variant, &options, &Silent).unwrap();
    verify(variant, folder, content, &classes, None, &Silent).unwrap();
}

/// The counts and longest distances of a class and side to move by the header of its file.
fn header(
    folder: &Path,
    variant: Variant,
    content: Content,
    class: Class,
    turn: Color,
) -> (Counts, [i64; 2]) {
    let name = file_name_under(variant, class, content.metric, content.rules);
    let table = Table::open(MappedFile::open(&folder.join(name)).unwrap()).unwrap();
    let turn = if class.is_canonical() { turn } else { !turn };
    (table.counts(turn), table.longest(turn).map(|found| found.map_or(-1, i64::from)))
}

fn turn(row: &[(String, String)]) -> Color {
    if field(row, "stm") == "W" { Color::White } else { Color::Black }
}

fn to_the_end(variant: Variant) {
    let rows = rows(&format!("{variant}.csv"));
    let folder = tempfile::tempdir().unwrap();
    let content = Content::of(Metric::Dtw);
    built(folder.path(), variant, content, rows.iter().map(|row| class(row)).collect());
    for row in &rows {
        let (class, turn) = (class(row), turn(row));
        let (counts, longest) = header(folder.path(), variant, content, class, turn);
        let expected = ["wins", "draws", "losses"].map(|name| number(row, name) as u64);
        assert_eq!(
            [counts.wins, counts.draws, counts.losses],
            expected,
            "{variant} {class} {turn}"
        );
        let expected = ["max_win_plies", "max_loss_plies"].map(|name| number(row, name));
        assert_eq!(longest, expected, "{variant} {class} {turn}");
    }
}

macro_rules! to_the_end {
    ($($name:ident: $variant:ident),* $(,)?) => {
        mod longest {
            use super::*;
            $(
                #[test]
                fn $name() {
                    to_the_end(Variant::$variant);
                }
            )*
        }
    };
}

to_the_end! {
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

fn under_rules(variant: Variant, rules: DrawRuleSet) {
    let rows = rows(&format!("{variant}-rules.csv"));
    let folder = tempfile::tempdir().unwrap();
    let content = Content { metric: Metric::Dtr, rules };
    built(folder.path(), variant, content, rows.iter().map(|row| class(row)).collect());
    let mut compared = 0;
    for row in &rows {
        let (class, turn) = (class(row), turn(row));
        let (counts, longest) = header(folder.path(), variant, content, class, turn);
        let expected = ["wins", "draws", "losses"].map(|name| number(row, name) as u64);
        assert_eq!(
            [counts.wins, counts.draws, counts.losses],
            expected,
            "{variant} {class} {turn}"
        );
        // The least counter at which something is still won is the limit less the longest distance.
        let limit = number(row, "limit_plies");
        let material = Material {
            men: [class.white.men, class.black.men],
            kings: [class.white.kings, class.black.kings],
        };
        compared += 1;
        // Some files leave out rules of the set: there the counts agree, the counters do not.
        if rules.applying(material).map(|rule| i64::from(rule.limit)) != Some(limit) {
            continue;
        }
        for (column, longest) in ["won_longest_counter", "lost_longest_counter"].iter().zip(longest)
        {
            let counters = field(row, column).split_whitespace();
            let least = counters
                .map(|counter| {
                    counter.split(':').next().expect(column).parse::<i64>().expect(column)
                })
                .min();
            assert_eq!(
                least.map_or(-1, |least| limit - least),
                longest,
                "{variant} {class} {turn}"
            );
        }
        compared += 1;
    }
    assert!(compared > 20);
}

#[test]
fn international_under_fmjd() {
    under_rules(Variant::International, DrawRuleSet::Fmjd);
}

#[test]
fn brazilian_under_cbd() {
    under_rules(Variant::Brazilian, DrawRuleSet::Cbd);
}

/// The figures leave out the rules of five moves, which take nothing from a fresh counter.
#[test]
fn russian_under_fmjd64() {
    under_rules(Variant::Russian, DrawRuleSet::Fmjd64);
}
