//! Progress on a terminal: one bar on standard error; nothing where that is not a terminal.

use damier::{Class, ClassReport, Progress};
use indicatif::{ProgressBar, ProgressStyle};

/// Shows the class under way, the positions done, the rate and the time left.
pub struct Bar(ProgressBar);

impl Bar {
    /// A bar that is empty until the work is planned.
    pub fn new() -> Bar {
        let style = ProgressStyle::with_template(
            "{msg:12} {bar:30} {human_pos}/{human_len} positions, {per_sec}, {eta} left",
        );
        let bar = ProgressBar::new(0);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Bar(bar)
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

impl Progress for Bar {
    fn planned(&self, _: usize, positions: u64) {
        self.0.set_length(positions);
    }

    fn class_started(&self, class: Class, _: u64) {
        self.0.set_message(class.to_string());
    }

    fn advanced(&self, positions: u64) {
        self.0.inc(positions);
    }

    fn class_finished(&self, _: &ClassReport) {}
}
