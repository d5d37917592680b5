//! Signs of life: a live line on a terminal after two seconds, otherwise a line a minute.

use crate::stats::percent;
use espalier_base::{LiveLine, format_count, format_duration, format_size};
use espalier_engine::Progress;
use std::time::Duration;

const BEFORE_FIRST: Duration = Duration::from_secs(2);
const RATE_WINDOW: Duration = Duration::from_secs(1);

/// Shows how far a run is, on standard error.
#[derive(Default)]
pub(crate) struct Display {
    live: LiveLine,
    /// Time and instructions at the beginning of the window over which speed is measured.
    window: (Duration, u64),
    /// Instructions per second.
    speed: f64,
}

impl Display {
    pub(crate) fn tick(&mut self, progress: &Progress) {
        let (since, instructions) = self.window;
        let passed = progress.elapsed.saturating_sub(since);
        if passed >= RATE_WINDOW {
            self.speed = (progress.instructions - instructions) as f64 / passed.as_secs_f64();
            self.window = (progress.elapsed, progress.instructions);
        }
        if progress.elapsed >= BEFORE_FIRST {
            self.live.update(|| line(progress, self.speed));
        }
    }

    /// Does `print` while the live line is out of its way.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.live.suspend(print)
    }

    pub(crate) fn finish(&mut self) {
        self.live.finish();
    }
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
    let left = match progress.time_left {
        Some(left) => format!("; {} left", format_duration(Duration::from_secs(left.as_secs()))),
        None => String::new(),
    };
    let parked = match progress.parked {
        0 => String::new(),
        parked => format!(" ({} parked)", format_count(parked)),
    };
    format!(
        "{}: {} open{parked}, {} ended{errors}; {} instr/s; solver {}%; {covered}% covered; {}{left}",
        format_duration(progress.elapsed),
        format_count(progress.open + progress.parked),
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
            time_left: Some(Duration::from_millis(47_600)),
            open: 1234,
            parked: 0,
            paths: PathCounts { completed: 56, ..PathCounts::default() },
            errors: 2,
            instructions: 1,
            covered_instructions: 30,
            total_instructions: 40,
            branches: Default::default(),
            covered_blocks: 3,
            total_blocks: 4,
            memory: 100 << 20,
            solver_time: Duration::from_secs(3),
            exec: Default::default(),
            solver: Default::default(),
        };
        let expected =
            "12.0s: 1,234 open, 56 ended, 2 errors; 45.6 M instr/s; solver 25%; 75% covered; 100.0 MiB; 47.0s left";
        assert_eq!(line(&progress, 45.6e6), expected);
    }
}
