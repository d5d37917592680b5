//! Signs of life on standard error: a live line on a terminal, otherwise a line a minute.

use crate::answer::Kind;
use espalier_base::format_duration;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

const BETWEEN_LINES: Duration = Duration::from_secs(60);

/// Shows how far a comparison is.
pub(crate) struct Display {
    bar: Option<ProgressBar>,
    begun: Instant,
    last_line: Instant,
    counts: Counts,
    /// What was begun last.
    current: String,
}

#[derive(Default)]
struct Counts {
    total: usize,
    /// Known from before.
    known: usize,
    ended: usize,
    reachable: usize,
    unreachable: usize,
    timeouts: usize,
    others: usize,
}

impl Display {
    pub(crate) fn new() -> Display {
        let now = Instant::now();
        Display {
            bar: std::io::stderr().is_terminal().then(new_bar),
            begun: now,
            last_line: now,
            counts: Counts::default(),
            current: String::new(),
        }
    }

    /// A round of runs begins, some of which are known.
    pub(crate) fn begin(&mut self, total: usize, known: usize) {
        self.begun = Instant::now();
        self.counts = Counts { total, known, ..Counts::default() };
    }

    pub(crate) fn begun(&mut self, what: &str) {
        self.current = what.to_owned();
    }

    pub(crate) fn ended(&mut self, kind: Kind) {
        self.counts.ended += 1;
        *match kind {
            Kind::Reachable => &mut self.counts.reachable,
            Kind::Unreachable => &mut self.counts.unreachable,
            Kind::Timeout => &mut self.counts.timeouts,
            Kind::Unknown | Kind::OutOfMemory | Kind::Error => &mut self.counts.others,
        } += 1;
    }

    pub(crate) fn tick(&mut self) {
        if let Some(bar) = &self.bar {
            bar.set_message(self.counts.line(self.begun.elapsed(), &self.current));
        } else if self.last_line.elapsed() >= BETWEEN_LINES {
            self.last_line = Instant::now();
            self.say(&self.counts.line(self.begun.elapsed(), &self.current));
        }
    }

    /// A line that stays. If nobody reads it, that is no reason to fail.
    pub(crate) fn say(&self, text: &str) {
        let print = || {
            let _ = writeln!(std::io::stderr(), "{text}");
        };
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

impl Counts {
    fn line(&self, elapsed: Duration, current: &str) -> String {
        let left = self.total - self.known - self.ended;
        let remaining = match self.ended {
            0 => String::new(),
            ended => format!(", about {} left", format_duration(elapsed.mul_f64(left as f64 / ended as f64))),
        };
        let known = if self.known == 0 { String::new() } else { format!(" ({} from before)", self.known) };
        format!(
            "{}: {} of {} runs{known}: {} U, {} R, {} TO, {} E{remaining}; {current}",
            format_duration(elapsed),
            self.known + self.ended,
            self.total,
            self.unreachable,
            self.reachable,
            self.timeouts,
            self.others,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_it_all() {
        let counts = Counts { total: 20, known: 5, ended: 5, reachable: 1, unreachable: 2, timeouts: 2, others: 0 };
        let expected = "10.0s: 10 of 20 runs (5 from before): 2 U, 1 R, 2 TO, 0 E, about 20.0s left; klee a.c:3";
        assert_eq!(counts.line(Duration::from_secs(10), "klee a.c:3"), expected);
    }
}
