//! Tables built by the command: their counts are the known ones, they prove right, and what is damaged is named.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use common::{damier, files};
use damier::Class;
use tempfile::TempDir;

/// A folder with every class of English of up to four pieces, and of International of up to three and 3 kings against 1.
fn tables() -> &'static str {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let tables = folder.path().to_str().unwrap();
        damier(&["build", "english", "--pieces", "4", "--tables", tables]).done();
        damier(&["build", "international", "--pieces", "3", "--tables", tables]).done();
        damier(&["build", "international", "--class", "KvKKK", "--tables", tables]).done();
        folder
    });
    folder.path().to_str().unwrap()
}

/// A folder of its own with copies of the English tables of up to three pieces.
fn copy_of_english() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("english")).unwrap();
    for pieces in 2..=3 {
        for class in Class::all_canonical(pieces) {
            let name = format!("english/{class}.wdl");
            fs::copy(Path::new(tables()).join(&name), folder.path().join(&name)).unwrap();
        }
    }
    folder
}

#[test]
fn stats_print_every_ordered_class_of_the_pieces_asked_for() {
    for (pieces, rows) in [("2", 8), ("3", 32), ("4", 82)] {
        let out = damier(&[
            "stats",
            "english",
            "--tables",
            tables(),
            "--pieces",
            pieces,
            "--format",
            "csv",
        ])
        .done();
        assert_eq!(out.lines().count(), 1 + rows, "{pieces}");
    }
    let out = damier(&["stats", "english", "--tables", tables(), "--format", "json"]).done();
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let row = serde_json::json!({
        "class": "KvK", "turn": "W", "positions": 992, "wins": 230, "draws": 654, "losses": 108, "max_dtw": 11,
        "longest_win": { "plies": 11, "positions": 34, "fen": "W:WK1:BK13" },
        "longest_loss": { "plies": 10, "positions": 34, "fen": "W:WK2:BK1" },
        "histogram": {
            "wins": { "1": 72, "3": 40, "5": 18, "7": 40, "9": 26, "11": 34 },
            "losses": { "2": 14, "4": 10, "6": 32, "8": 18, "10": 34 },
        },
    });
    assert_eq!(json[0], row);
    let line = damier(&["stats", "english", "--tables", tables(), "--pieces", "5"]).fails(2);
    assert!(line.contains("damier build english --class KKKKvK"), "{line}");
}

#[test]
fn verify_passes_on_what_build_makes() {
    let out = damier(&["verify", "english", "--pieces", "4", "--tables", tables()]).done();
    assert!(out.starts_with("wdl: 23 tables"), "{out}");
    let out = damier(&["verify", "international", "--tables", tables()]).done();
    assert!(out.starts_with("wdl: 10 tables"), "{out}");
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    for threads in ["1", "2", "5"] {
        let tables = folder.path().join(threads);
        let tables = tables.to_str().unwrap();
        damier(&["build", "english", "--pieces", "4", "--tables", tables, "--threads", threads])
            .done();
        assert!(
            files(&Path::new(tables).join("english"))
                == files(&Path::new(self::tables()).join("english"))
        );
    }
}

#[test]
fn a_second_build_makes_only_what_is_missing() {
    let folder = copy_of_english();
    let tables = folder.path().to_str().unwrap();
    let before = files(&folder.path().join("english"));
    let build = || {
        let out =
            damier(&["build", "english", "--pieces", "3", "--tables", tables, "--json"]).done();
        let json: serde_json::Value = serde_json::from_str(&out).unwrap();
        let classes = json["classes"].as_array().unwrap().clone();
        classes.iter().map(|class| class["class"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(build(), [""; 0]);
    for missing in ["KMvK", "MvM"] {
        fs::remove_file(folder.path().join(format!("english/{missing}.wdl"))).unwrap();
    }
    assert_eq!(build(), ["MvM", "KMvK"]);
    assert!(files(&folder.path().join("english")) == before);
}

#[test]
fn too_little_memory_is_said_beforehand() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().to_str().unwrap();
    let line =
        damier(&["build", "international", "--pieces", "6", "--memory", "1G", "--tables", tables])
            .fails(2);
    assert!(line.contains("--memory"), "{line}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// What `verify` and `probe` say of the English tables after `damage` was done to the one of two kings against one.
#[track_caller]
fn damaged(damage: impl Fn(&PathBuf), reasons: &[&str]) {
    let folder = copy_of_english();
    let tables = folder.path().to_str().unwrap();
    let path = folder.path().join("english/KKvK.wdl");
    damage(&path);
    let line = damier(&["verify", "english", "--pieces", "3", "--tables", tables]).fails(1);
    assert!(line.contains(path.to_str().unwrap()), "{line}");
    for reason in reasons {
        assert!(line.contains(reason), "{reason:?}: {line}");
    }
    let probe = damier(&["probe", "english", "W:WK1,K2:BK30", "--tables", tables]);
    if probe.code != Some(0) {
        let line = probe.fails(1);
        assert!(line.contains(path.to_str().unwrap()), "{line}");
    }
    // The other tables are still of use.
    damier(&["probe", "english", "W:WK1:BK30", "--tables", tables]).done();
}

fn copy(from: &Path, to: &Path) {
    fs::copy(from, to).unwrap();
}

fn rewrite(path: &PathBuf, change: impl Fn(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

#[test]
fn damaged_tables_are_named() {
    // One changed byte: in the header, in the middle of the blocks, at the end.
    damaged(|path| rewrite(path, |bytes| bytes[50] ^= 1), &["header"]);
    damaged(|path| rewrite(path, |bytes| bytes[300] ^= 0x40), &["block 0", "position"]);
    damaged(|path| rewrite(path, |bytes| *bytes.last_mut().unwrap() ^= 1), &["checksum"]);
    // Cut off, and longer than it should be.
    damaged(|path| rewrite(path, |bytes| bytes.truncate(bytes.len() - 1)), &["bytes, found"]);
    damaged(|path| rewrite(path, |bytes| bytes.truncate(20)), &["bytes, found 20"]);
    damaged(|path| rewrite(path, |bytes| bytes.push(0)), &["bytes, found"]);
    damaged(|path| rewrite(path, Vec::clear), &["bytes, found 0"]);
    // Another version, not a table at all, a folder.
    damaged(|path| rewrite(path, |bytes| bytes[8] += 1), &["version 2", "expected 1"]);
    damaged(|path| fs::write(path, [b'x'; 5000]).unwrap(), &["not a table"]);
    damaged(
        |path| {
            fs::remove_file(path).unwrap();
            fs::create_dir(path).unwrap();
        },
        &["not a regular file"],
    );
    // Another variant, another class.
    let international = Path::new(tables()).join("international/KKvK.wdl");
    damaged(|path| copy(&international, path), &["english KKvK", "international KKvK"]);
    let other = Path::new(tables()).join("english/KMvK.wdl");
    damaged(|path| copy(&other, path), &["english KKvK", "english KMvK"]);
}

#[test]
fn a_missing_table_is_named() {
    let folder = copy_of_english();
    fs::remove_file(folder.path().join("english/KvM.wdl")).unwrap();
    let tables = folder.path().to_str().unwrap();
    let line = damier(&["verify", "english", "--pieces", "3", "--tables", tables]).fails(1);
    assert!(line.contains("KvM.wdl"), "{line}");
}

#[test]
fn tables_that_were_built_answer() {
    let probe = |fen| damier(&["probe", "english", fen, "--tables", tables()]);
    assert!(probe("W:WK1,K2:BK31,K32").done().contains("White to move: draw"));
    let line = probe("W:WK1,K2,K3:BK31,K32").fails(2);
    assert!(line.contains("damier build english --class KKKvKK"), "{line}");
    // The folder can also be told by the environment.
    let mut command = common::command();
    command.args(["probe", "english", "W:WK1,K2:BK31,K32"]).env("DAMIER_TABLES", tables());
    common::Run::from(command.output().unwrap()).done();
    // One that the environment names may yet have to be built.
    let mut command = common::command();
    command.args(["probe", "english", "W:WK1,K2:BK31"]).env("DAMIER_TABLES", "/nonexistent");
    common::Run::from(command.output().unwrap()).done();
}
