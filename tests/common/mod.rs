//! Running the command as a user would.
#![allow(dead_code, reason = "each test program uses a part")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// How a run of the command ended.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is text");
        Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Run {
    /// The output of a run that did what it was asked.
    #[track_caller]
    pub fn done(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }

    /// The one line that a run which failed with this code says.
    #[track_caller]
    pub fn fails(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert_eq!(self.out, "", "{self:?}");
        assert_eq!(self.err.trim_end().lines().count(), 1, "{self:?}");
        assert!(self.err.starts_with("error: "), "{self:?}");
        self.err
    }
}

/// The command, without whatever tables the user may have.
pub fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
    without_user(&mut command);
    command
}

/// Takes the user's own folders from a command's environment.
pub fn without_user(command: &mut Command) {
    command
        .env_remove("DAMIER_TABLES")
        .env("XDG_DATA_HOME", "/nonexistent")
        .env("HOME", "/nonexistent");
}

/// Runs `damier` with these arguments.
pub fn damier(arguments: &[&str]) -> Run {
    command().args(arguments).output().expect("the command runs").into()
}

/// The files of a folder by name, with what they hold.
pub fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<_> = entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let bytes = std::fs::read(&path).expect("a file");
            (PathBuf::from(path.file_name().expect("a name")), bytes)
        })
        .collect();
    files.sort();
    files
}
