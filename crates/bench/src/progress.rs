//! Signs of life on standard error: a live line on a terminal, otherwise a line a minute.

use crate::answer::Kind;
use espalier_base::{LiveLine, format_duration};
use std::time::{Duration, Instant};

/// Shows how far a comparison is.
pub(crate) struct Display {
    live: LiveLine,
    begun: Instant,
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
        Display { live: LiveLine::default(), begun: Instant::now(), counts: Counts::default(), current: String::new() }
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
        self.live.update(|| self.counts.line(self.begun.elapsed(), &self.current));
    }

    /// A line that stays.
    pub(crate) fn say(&self, text: &str) {
        self.live.say(text);
    }

    pub(crate) fn finish(&mut self) {
        self.live.finish();
    }
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
