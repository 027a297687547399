//! The tables that are part of the program: they answer with nothing set up, and are what `damier embed` makes.

mod common;

use std::path::Path;

use common::{damier, files};
use damier::EMBEDDED;

#[test]
fn answers_with_nothing_set_up() {
    // The lone king gets to the main road.
    let out = damier(&["probe", "international", "W:WK1,K2,K3:BK50"]).done();
    assert!(out.starts_with("W:WK1,K2,K3:BK50  White to move: draw\n"), "{out}");
    let out = damier(&["probe", "checkers", "W:WK1,K2,K3:BK32"]).done();
    assert!(out.starts_with("W:WK1,K2,K3:BK32  White to move: win in 21\n"), "{out}");
    // Without pieces, or without a move: decided by rule, whatever tables there are.
    assert!(damier(&["probe", "international", "B:W50:B"]).done().contains("loss\nno legal move"));
    assert!(damier(&["probe", "international", "W:W50:B"]).done().contains("win in 1\n"));
    let blocked = "W:W46,47:B36,37,38,41,42";
    assert!(damier(&["probe", "international", blocked]).done().contains("loss\nno legal move"));
}

/// Values and distances that other programs had wrong.
#[test]
fn known_mistakes_of_others() {
    for (variant, fen, answer) in [
        // One side without pieces is a position like others.
        ("international", "B:W50:B", "Black to move: loss\n"),
        ("losing", "B:W50:B", "Black to move: win\n"),
        ("russian", "B:WK11:B", "Black to move: loss\n"),
        // Distances are not rounded.
        ("international", "W:W23:B5,6", "White to move: win in 29\n"),
        ("international", "B:W18:B5,6", "Black to move: loss in 28\n"),
        ("international", "W:WK11:BK2,K6", "White to move: loss in 8\n"),
    ] {
        let out = damier(&["probe", variant, fen]).done();
        assert!(out.contains(answer), "{variant}: {out}");
    }
}

#[test]
fn json_is_as_documented() {
    let out = damier(&["probe", "english", "w: w10, k18: bk1.", "--json"]).done();
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["variant"], "english");
    assert_eq!(json["fen"], "W:W10,K18:BK1");
    assert_eq!(json["turn"], "W");
    assert_eq!(json["result"], "win");
    assert_eq!(json["dtw"], 17);
    for distance in ["dtc", "dtr"] {
        assert!(json[distance].is_null() && json.as_object().unwrap().contains_key(distance));
    }
    let moves = json["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 6);
    let results: Vec<_> = moves.iter().map(|mv| mv["result"].as_str().unwrap()).collect();
    let rank = |result: &&str| ["win", "draw", "loss"].iter().position(|known| known == result);
    assert!(results.is_sorted_by_key(rank), "{results:?}");
    assert!(moves.iter().any(|mv| mv["move"] == "10-7" && mv["fen"] == "B:W7,K18:BK1"));
}

#[test]
fn embed_makes_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().to_str().unwrap();
    damier(&["embed", tables]).done();
    for variant in EMBEDDED.iter().map(|set| set.variant) {
        let committed =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("probe/data").join(variant.name());
        let (made, committed) = (files(&folder.path().join(variant.name())), files(&committed));
        assert!(made == committed, "{variant}: `damier embed probe/data` has to be run");
        damier(&["verify", variant.name(), "--tables", tables]).done();
        let bytes: usize = made.iter().map(|(_, bytes)| bytes.len()).sum();
        assert!(bytes < 1 << 20, "{variant}: {bytes} bytes");
    }
}
