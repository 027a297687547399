//! Bad input: one clear line on standard error, exit code 2, nothing on standard output, no half file.

mod common;

use std::path::Path;

use common::{command, damier, without_user};

#[test]
fn bad_positions_are_named() {
    for (fen, reason) in [
        ("", "byte 0"),
        ("hello", "byte 0"),
        ("W:WK1,X:BK50", "byte 6, \"X\""),
        ("?:W10:B20", "byte 0, \"?\""),
        ("W:W-1:B1", "byte 3"),
        ("W:W51:B1", "\"51\": no such square, expected 1 to 50"),
        ("W:W0:B1", "no such square"),
        ("W:W99999999999:B1", "no such square"),
        ("W:W45-41:B9", "backwards"),
        ("W:W10,10:B1", "10"),
        ("W:W10:B10", "10"),
        ("W:W4:B9", "promotion row"),
        ("W:W40:B49", "promotion row"),
        ("W:W:B", "no pieces"),
    ] {
        for arguments in
            [&["probe", "international", fen][..], &["perft", "international", "1", fen]]
        {
            let line = damier(arguments).fails(2).to_lowercase();
            assert!(line.contains(&reason.to_lowercase()), "{fen:?}: {line}");
        }
    }
}

#[test]
fn too_many_pieces() {
    let line = damier(&["probe", "international", "W:W31-50:B1-20"]).fails(2);
    assert!(line.contains("40 pieces"), "{line}");
    let line = damier(&["probe", "international", "W:WK1,K2:BK44,K45"]).fails(2);
    assert!(line.contains("damier build international --class KKvKK"), "{line}");
    // Named as the file would be, colours swapped.
    let line = damier(&["probe", "english", "W:WK31,K32:B6,7,K1"]).fails(2);
    assert!(line.contains("damier build english --class KMMvKK"), "{line}");
}

#[test]
fn bad_arguments() {
    for (arguments, reason) in [
        (&["probe", "chess", "W:WK1:BK50"][..], "unknown variant \"chess\""),
        (&["build", "chess", "--pieces", "3"], "unknown variant \"chess\""),
        (&["probe", "english"], "<FEN>"),
        (&["build", "english"], "--pieces"),
        (&["build", "english", "--pieces", "1"], "1"),
        (&["build", "english", "--pieces", "11"], "11"),
        (&["build", "english", "--pieces", "many"], "many"),
        (&["build", "english", "--class", "KxK"], "\"KxK\" is not a class"),
        (&["build", "english", "--pieces", "3", "--threads", "0"], "0"),
        (&["build", "english", "--pieces", "3", "--memory", "8X"], "\"8X\""),
        (&["stats", "english", "--format", "xml"], "xml"),
        (&["perft", "english", "-1"], "-1"),
        (&["dance"], "dance"),
        (&["probe", "english", "W:WK1:BK32", "--tables", "/nonexistent"], "/nonexistent"),
        (&["verify", "english", "--tables", "/nonexistent"], "/nonexistent"),
    ] {
        let line = damier(arguments).fails(2);
        assert!(line.contains(reason), "{arguments:?}: {line}");
    }
}

#[test]
fn help_is_no_error() {
    for arguments in [&["--help"][..], &["build", "--help"], &["probe", "-h"], &["--version"]] {
        assert!(damier(arguments).done().contains("damier"));
    }
}

#[test]
fn unwritable_folders() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "in the way").unwrap();
    for tables in [file.clone(), file.join("below"), "/dev/null/tables".into()] {
        let tables = tables.to_str().unwrap();
        let line = damier(&["build", "english", "--pieces", "2", "--tables", tables]).fails(2);
        assert!(line.contains(tables), "{line}");
    }
    assert_eq!(std::fs::read(&file).unwrap(), b"in the way");
}

/// A limit on the size of files stands in for a full disk: writing fails beyond it.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_half_file() {
    let folder = tempfile::tempdir().unwrap();
    let script =
        "trap '' XFSZ; ulimit -f 2; exec \"$0\" build international --pieces 3 --tables \"$1\"";
    let mut shell = std::process::Command::new("sh");
    without_user(&mut shell);
    shell.args(["-c", script, env!("CARGO_BIN_EXE_damier")]).arg(folder.path());
    let run: common::Run = shell.output().unwrap().into();
    let line = run.fails(2);
    assert!(line.contains("File too large") && line.contains(".wdl"), "{line}");
    // What was written before is whole, and the build goes on from there.
    let before = common::files(&folder.path().join("international"));
    let is_table = |name: &Path| name.extension().is_some_and(|kind| kind == "wdl");
    assert!(before.iter().all(|(name, _)| is_table(name)), "{before:?}");
    assert!(before.len() < 9);
    let tables = folder.path().to_str().unwrap();
    damier(&["build", "international", "--pieces", "3", "--tables", tables]).done();
    damier(&["verify", "international", "--pieces", "3", "--tables", tables]).done();
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = command().args(["perft", "english", "3"]).stdout(full).output().unwrap();
    let line = common::Run::from(output).fails(2);
    assert!(line.contains("No space left"), "{line}");
}
