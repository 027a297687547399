//! Counts of every class against independently computed ones, for every variant that has them.

use damier_core::Variant;
use damier_gen::{BuildOptions, ClassReport, Content, Progress, build};
use damier_tables::{Class, Codec, Counts};

struct Silent;

impl Progress for Silent {
    fn planned(&self, _: usize, _: u64) {}
    fn class_started(&self, _: Class, _: u64) {}
    fn advanced(&self, _: u64) {}
    fn class_finished(&self, _: &ClassReport) {}
}

/// A row of a truth file.
struct Row {
    class: Class,
    turn: usize,
    counts: Counts,
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
        let class = Class::new(class[0], class[1], class[2], class[3]);
        Row { class, turn, counts }
    };
    text.lines().skip(1).map(row).collect()
}

fn compare(variant: Variant) {
    let rows = rows(variant);
    assert!(rows.len() >= 32);
    let folder = tempfile::tempdir().unwrap();
    let options = BuildOptions {
        classes: rows.iter().map(|row| row.class).collect(),
        tables: folder.path().to_owned(),
        threads: None,
        memory: None,
        codec: Codec::default(),
        contents: vec![Content::WDL],
    };
    let report = build(variant, &options, &Silent).unwrap();
    for row in rows {
        let found = report.classes.iter().find(|found| found.class == row.class.canonical());
        let counts = found.expect("every class asked for was built").counts;
        let turn = if row.class.is_canonical() { row.turn } else { 1 - row.turn };
        assert_eq!(counts[turn], row.counts, "{variant} {} turn {}", row.class, row.turn);
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
