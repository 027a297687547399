//! Endgames of every variant, from the literature, from other programs and from an independent solver: what the command says of
//! them, and in how many plies they are over.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use common::damier;
use damier::{Class, Position, Variant, with_rules};

/// A row of the corpus.
struct Endgame {
    fen: String,
    side: String,
    result: String,
    /// Where it is known.
    plies: Option<u64>,
}

impl Endgame {
    /// Variant, FEN (in quotes where it has commas), side to move, result, plies, and what is for people.
    fn read(line: &str) -> (Variant, Endgame) {
        let (variant, rest) = line.split_once(',').expect(line);
        let (fen, rest) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once("\",").expect(line),
            None => rest.split_once(',').expect(line),
        };
        let [side, result, plies] = rest.split(',').take(3).collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let endgame = Endgame {
            fen: fen.to_owned(),
            side: side.to_owned(),
            result: result.to_owned(),
            plies: (!plies.is_empty()).then(|| plies.parse().expect(line)),
        };
        (variant.parse().expect(line), endgame)
    }

    fn class(&self, variant: Variant) -> Class {
        with_rules!(variant, R => Class::of(&self.fen.parse::<Position<R>>().expect(&self.fen)))
    }

    fn check(&self, variant: Variant, tables: &str) {
        let out =
            damier(&["probe", variant.name(), &self.fen, "--tables", tables, "--json"]).done();
        let json: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!(json["result"], *self.result, "{variant} {}", self.fen);
        assert!(
            self.side.to_uppercase().starts_with(json["turn"].as_str().unwrap()),
            "{}",
            self.fen
        );
        let decided = json["result"] != "draw";
        assert_eq!(json["dtw"].is_u64(), decided, "{variant} {}", self.fen);
        if let Some(plies) = self.plies {
            assert_eq!(json["dtw"], plies, "{variant} {}", self.fen);
        }
    }
}

/// Published as lost for White, who wins in 15 plies: 15-29, and against all replies the moves of the table, by another program's moves.
const MISTAKEN: &str = "W:WK15,K16:BK2,13,26";

/// The endgames of so many pieces, by variant; the tables that they need are built in a folder of their own.
fn check(pieces: std::ops::RangeInclusive<u32>) -> BTreeMap<&'static str, usize> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/endgames.csv");
    let text = fs::read_to_string(path).unwrap();
    let mut endgames: BTreeMap<Variant, Vec<Endgame>> = BTreeMap::new();
    for (variant, endgame) in text.lines().skip(1).map(Endgame::read) {
        let of_these = pieces.contains(&endgame.class(variant).pieces());
        if of_these && endgame.fen != MISTAKEN {
            endgames.entry(variant).or_default().push(endgame);
        }
    }
    let mut checked = BTreeMap::new();
    for (variant, endgames) in endgames {
        let folder = tempfile::tempdir().unwrap();
        let tables = folder.path().to_str().unwrap();
        let classes = endgames.iter().map(|endgame| endgame.class(variant).canonical().to_string());
        let classes: BTreeSet<String> = classes.collect();
        let mut build = vec![
            "build",
            variant.name(),
            "--tables",
            tables,
            "--metric",
            "wdl,dtw",
            "--codec",
            "fast",
        ];
        build.extend(classes.iter().flat_map(|class| ["--class", class]));
        damier(&build).done();
        endgames.iter().for_each(|endgame| endgame.check(variant, tables));
        checked.insert(variant.name(), endgames.len());
    }
    checked
}

#[test]
fn up_to_4_pieces() {
    let expected = [
        ("brazilian", 12),
        ("breakthrough", 3),
        ("canadian", 2),
        ("czech", 9),
        ("english", 18),
        ("frisian", 2),
        ("international", 65),
        ("italian", 6),
        ("killer", 21),
        ("losing", 1),
        ("pool", 22),
        ("russian", 23),
        ("spanish", 1),
        ("turkish", 4),
    ];
    assert_eq!(check(2..=4), expected.into());
}

/// Minutes in a release build, most of them for the distances of International draughts.
#[test]
#[ignore = "long: the tables of 5 pieces"]
fn of_5_pieces() {
    let expected = [("english", 4), ("international", 41), ("italian", 4), ("russian", 1)];
    assert_eq!(check(5..=5), expected.into());
}
