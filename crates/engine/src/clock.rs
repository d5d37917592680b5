//! When to look at clocks and memory, and what they say.
//!
//! Looking costs more than an instruction, so the executor runs for a budget of instructions in
//! between. The budget follows the measured speed, so that looks are some milliseconds apart
//! whether instructions take nanoseconds or wait for the solver. It decides only when the engine
//! looks, never which state runs: searches stay reproducible.

use crate::outcome::Stop;
use espalier_base::{Limits, memory};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const BETWEEN_LOOKS: Duration = Duration::from_millis(5);
const BETWEEN_MEMORY_LOOKS: Duration = Duration::from_millis(50);
const BETWEEN_TICKS: Duration = Duration::from_millis(100);
const BUDGETS: (u64, u64) = (64, 1 << 22);

pub(crate) struct Clock {
    start: Instant,
    deadline: Option<Instant>,
    /// Resident memory when somebody last looked: the watch does too, and more often.
    memory: Arc<AtomicU64>,
    last_look: Instant,
    last_memory_look: Instant,
    last_tick: Instant,
    budget: u64,
    since_look: u64,
}

impl Clock {
    pub(crate) fn start(limits: &Limits) -> Clock {
        let start = Instant::now();
        Clock {
            start,
            deadline: limits.max_time.and_then(|time| start.checked_add(time)),
            memory: Arc::new(AtomicU64::new(memory::resident().unwrap_or(0))),
            last_look: start,
            last_memory_look: start,
            last_tick: start,
            budget: 10_000,
            since_look: 0,
        }
    }

    pub(crate) fn start_time(&self) -> Instant {
        self.start
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    pub(crate) fn deadline_passed(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Resident memory when it was last looked at, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        self.memory.load(Ordering::Relaxed)
    }

    /// The same, to be kept up to date.
    pub(crate) fn shared_memory(&self) -> Arc<AtomicU64> {
        self.memory.clone()
    }

    /// Looks at memory now.
    pub(crate) fn measure_memory(&mut self) -> u64 {
        let memory = memory::resident().unwrap_or(0);
        self.memory.store(memory, Ordering::Relaxed);
        memory
    }

    /// Instructions to run until the next look.
    pub(crate) fn budget(&self) -> u64 {
        self.budget
    }

    /// Takes note of instructions that ran, and looks at time and memory.
    pub(crate) fn look(&mut self, instructions: u64) -> Result<(), Stop> {
        self.since_look += instructions;
        let now = Instant::now();
        let passed = now - self.last_look;
        let used_up = self.since_look >= self.budget;
        if passed < BETWEEN_LOOKS && !used_up {
            return Ok(());
        }
        if passed > 2 * BETWEEN_LOOKS {
            self.budget = (self.budget / 2).max(BUDGETS.0);
        } else if used_up && passed < BETWEEN_LOOKS / 2 {
            self.budget = (self.budget * 2).min(BUDGETS.1);
        }
        self.last_look = now;
        self.since_look = 0;
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Err(Stop::MaxTime);
        }
        if now - self.last_memory_look >= BETWEEN_MEMORY_LOOKS {
            // Room is made between turns; a turn that goes on for long without any is stopped by
            // the watch.
            self.last_memory_look = now;
            self.measure_memory();
        }
        Ok(())
    }

    /// Is it time to tell the observer how far the run is?
    pub(crate) fn is_tick(&mut self) -> bool {
        let is_due = self.last_look - self.last_tick >= BETWEEN_TICKS;
        if is_due {
            self.last_tick = self.last_look;
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_grows_while_instructions_are_fast() {
        let mut clock = Clock::start(&Limits::default());
        for _ in 0..100 {
            let budget = clock.budget();
            clock.look(budget).unwrap();
        }
        assert_eq!(clock.budget(), BUDGETS.1);
    }

    #[test]
    fn the_budget_shrinks_while_instructions_are_slow() {
        let mut clock = Clock::start(&Limits::default());
        for _ in 0..10 {
            std::thread::sleep(2 * BETWEEN_LOOKS + Duration::from_millis(1));
            clock.look(1).unwrap();
        }
        assert!(clock.budget() < 100, "{}", clock.budget());
    }

    #[test]
    fn the_deadline_is_seen() {
        let limits = Limits { max_time: Some(Duration::ZERO), ..Limits::default() };
        assert_eq!(Clock::start(&limits).look(u64::MAX), Err(Stop::MaxTime));
    }
}
