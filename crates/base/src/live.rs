//! One line of a running command on standard error: rewritten in place on a terminal, otherwise
//! printed once a minute.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

const BETWEEN_LINES: Duration = Duration::from_secs(60);

/// The line. It appears when it is first updated.
pub struct LiveLine {
    is_terminal: bool,
    bar: Option<ProgressBar>,
    /// When a line was last printed; at first, when the command began.
    last_printed: Instant,
}

impl Default for LiveLine {
    fn default() -> LiveLine {
        LiveLine { is_terminal: std::io::stderr().is_terminal(), bar: None, last_printed: Instant::now() }
    }
}

impl LiveLine {
    /// Shows what `text` says, if it is time to.
    pub fn update(&mut self, text: impl FnOnce() -> String) {
        if self.is_terminal {
            self.bar.get_or_insert_with(new_bar).set_message(text());
        } else if self.last_printed.elapsed() >= BETWEEN_LINES {
            self.last_printed = Instant::now();
            self.say(&text());
        }
    }

    /// A line that stays. If nobody reads it any more, that is no reason to fail.
    pub fn say(&self, text: &str) {
        self.suspend(|| {
            let _ = writeln!(std::io::stderr(), "{text}");
        });
    }

    /// Does `print` while the line is out of its way.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    pub fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn new_bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    bar.set_style(ProgressStyle::with_template("{wide_msg}").expect("a valid template"));
    bar
}
