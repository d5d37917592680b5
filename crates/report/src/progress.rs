//! Signs of life: a live line on a terminal after two seconds, otherwise a line a minute.

use crate::stats::percent;
use espalier_base::{format_count, format_duration, format_size};
use espalier_engine::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

const BEFORE_FIRST: Duration = Duration::from_secs(2);
const BETWEEN_LINES: Duration = Duration::from_secs(60);
const RATE_WINDOW: Duration = Duration::from_secs(1);

/// Shows how far a run is, on standard error.
pub(crate) struct Display {
    is_terminal: bool,
    bar: Option<ProgressBar>,
    last_line: Duration,
    /// Time and instructions at the beginning of the window over which speed is measured.
    window: (Duration, u64),
    /// Instructions per second.
    speed: f64,
}

impl Display {
    pub(crate) fn new() -> Display {
        Display {
            is_terminal: std::io::stderr().is_terminal(),
            bar: None,
            last_line: Duration::ZERO,
            window: (Duration::ZERO, 0),
            speed: 0.0,
        }
    }

    pub(crate) fn tick(&mut self, progress: &Progress) {
        let (since, instructions) = self.window;
        let passed = progress.elapsed.saturating_sub(since);
        if passed >= RATE_WINDOW {
            self.speed = (progress.instructions - instructions) as f64 / passed.as_secs_f64();
            self.window = (progress.elapsed, progress.instructions);
        }
        if self.is_terminal {
            if progress.elapsed >= BEFORE_FIRST {
                let bar = self.bar.get_or_insert_with(new_bar);
                bar.set_message(line(progress, self.speed));
            }
        } else if progress.elapsed.saturating_sub(self.last_line) >= BETWEEN_LINES {
            self.last_line = progress.elapsed;
            eprintln_unless_gone(&line(progress, self.speed));
        }
    }

    /// Does `print` while the live line is out of its way.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    pub(crate) fn finish(&mut self) {
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

/// A progress line that nobody reads any more is no reason to fail.
fn eprintln_unless_gone(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn line(progress: &Progress, speed: f64) -> String {
    let covered = match progress.total_instructions {
        0 => 0,
        total => 100 * progress.covered_instructions / total,
    };
    let errors = match progress.errors {
        0 => String::new(),
        1 => ", 1 error".to_owned(),
        errors => format!(", {errors} errors"),
    };
    format!(
        "{}: {} open, {} ended{errors}; {} instr/s; solver {}%; {covered}% covered; {}",
        format_duration(progress.elapsed),
        format_count(progress.open),
        format_count(progress.paths.ended()),
        rate(speed),
        percent(progress.solver_time, progress.elapsed),
        format_size(progress.memory),
    )
}

/// "950", "12.3 k", "4.5 M".
pub(crate) fn rate(per_second: f64) -> String {
    if per_second < 1e3 {
        format!("{per_second:.0}")
    } else if per_second < 1e6 {
        format!("{:.1} k", per_second / 1e3)
    } else {
        format!("{:.1} M", per_second / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use espalier_engine::PathCounts;

    #[test]
    fn the_line_says_it_all() {
        let progress = Progress {
            elapsed: Duration::from_secs(12),
            open: 1234,
            paths: PathCounts { completed: 56, ..PathCounts::default() },
            errors: 2,
            instructions: 1,
            covered_instructions: 30,
            total_instructions: 40,
            memory: 100 << 20,
            solver_time: Duration::from_secs(3),
            exec: Default::default(),
            solver: Default::default(),
        };
        let expected = "12.0s: 1,234 open, 56 ended, 2 errors; 45.6 M instr/s; solver 25%; 75% covered; 100.0 MiB";
        assert_eq!(line(&progress, 45.6e6), expected);
    }
}
