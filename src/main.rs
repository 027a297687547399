//! The `damier` command: builds, probes, verifies and counts endgame tables of draughts.
#![forbid(unsafe_code)]

use std::process::ExitCode;

mod commands;

fn main() -> ExitCode {
    commands::run()
}
