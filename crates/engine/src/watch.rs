//! A thread that watches a run: it raises the flag that everything that takes long looks at, when
//! time is up, memory is used up or somebody asked for it. If the run does not end soon after that,
//! whatever it is doing, or takes still more memory, the thread has the last words written that are
//! possible and ends the process.

use crate::outcome::{CoverageCounts, Outcome, PathCounts, Stop};
use espalier_base::{Limits, StopFlag, StopReason, memory};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long a run may go on after it was asked to stop.
const PATIENCE: Duration = Duration::from_secs(2);
/// What the last words may take.
const LAST_WORDS: Duration = Duration::from_millis(700);
/// Between two looks, in no case more and in no case less.
const MOST: Duration = Duration::from_millis(20);
const LEAST: Duration = Duration::from_millis(2);
/// How fast memory grows at the most, in bytes a second.
const GROWTH: u64 = 4 << 30;
/// Percent of the limit on memory at which the run is stopped, and those at which the process is
/// ended if it still grows.
const STOPPED: u64 = 104;
const ENDED: u64 = 106;

/// Tells what is known of a run that has to be ended by force, and gives the exit code. The process
/// ends afterwards.
pub type LastWords = Box<dyn FnOnce(&Outcome) -> i32 + Send>;

/// The thread, and what it knows of the run.
pub(crate) struct Watch {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    is_over: Mutex<bool>,
    over: Condvar,
    known: Mutex<Known>,
}

/// How far a run was when somebody last said so.
#[derive(Clone, Default)]
pub(crate) struct Known {
    pub(crate) paths: PathCounts,
    pub(crate) distinct_errors: u64,
    pub(crate) targets: u64,
    pub(crate) open_targets: u64,
    pub(crate) open_states: u64,
    pub(crate) instructions: u64,
    pub(crate) forks: u64,
    pub(crate) coverage: CoverageCounts,
    pub(crate) exec: espalier_exec::Stats,
    pub(crate) solver: espalier_solver::Stats,
    pub(crate) solver_time: Duration,
}

impl Known {
    fn outcome(self, stop: Stop) -> Outcome {
        let Known { paths, distinct_errors, targets, open_targets, open_states, instructions, forks, .. } = self;
        let Known { coverage, exec, solver, solver_time, .. } = self;
        let (stop, peak_memory) = (Some(stop), memory::peak());
        let counts = Outcome { paths, distinct_errors, targets, open_targets, open_states, ..Outcome::default() };
        Outcome { stop, peak_memory, instructions, forks, coverage, exec, solver, solver_time, ..counts }
    }
}

/// Nobody who holds one of these locks panics; if one did, what is there is still good.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the thread looks at.
pub(crate) struct Watched {
    /// The run's own flag, and one that others may set.
    pub(crate) stop: StopFlag,
    pub(crate) asked: StopFlag,
    pub(crate) start: Instant,
    pub(crate) deadline: Option<Instant>,
    pub(crate) max_memory: Option<u64>,
    /// Where to put the memory in use, for others.
    pub(crate) memory: Arc<AtomicU64>,
    pub(crate) last_words: Option<LastWords>,
    /// The thread that runs.
    pub(crate) worker: libc::pthread_t,
}

impl Watched {
    /// For a run of the calling thread.
    pub(crate) fn new(limits: &Limits, start: Instant, deadline: Option<Instant>) -> Watched {
        Watched {
            stop: StopFlag::new(),
            asked: StopFlag::new(),
            start,
            deadline,
            max_memory: limits.max_memory,
            memory: Arc::default(),
            last_words: None,
            // SAFETY: has no effects.
            worker: unsafe { libc::pthread_self() },
        }
    }
}

impl Watch {
    /// Without a thread, if there are none left: then the engine's own looks have to do.
    pub(crate) fn start(watched: Watched) -> Watch {
        let shared = Arc::<Shared>::default();
        let copy = shared.clone();
        let thread = thread::Builder::new().name("watch".into()).spawn(move || watch(watched, &copy)).ok();
        Watch { shared, thread }
    }

    /// Takes note of how far the run is.
    pub(crate) fn note(&self, change: impl FnOnce(&mut Known)) {
        change(&mut lock(&self.shared.known));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        *lock(&self.shared.is_over) = true;
        self.shared.over.notify_all();
        if let Some(thread) = self.thread.take() {
            // It looks every few milliseconds.
            let _ = thread.join();
        }
    }
}

/// When the flag was raised, and the memory in use then.
struct Raised {
    at: Instant,
    memory: u64,
}

fn watch(mut watched: Watched, shared: &Shared) {
    let mut raised: Option<Raised> = None;
    let mut interval = LEAST;
    loop {
        let is_over = lock(&shared.is_over);
        let waited = shared.over.wait_timeout_while(is_over, interval, |is_over| !*is_over);
        if *waited.unwrap_or_else(PoisonError::into_inner).0 {
            return;
        }
        let now = Instant::now();
        let memory = memory::resident().unwrap_or(0);
        watched.memory.store(memory, Ordering::Relaxed);
        if let Some(reason) = watched.reason(now, memory) {
            watched.stop.raise(reason);
        }
        if watched.stop.is_asked() {
            let raised = raised.get_or_insert(Raised { at: now, memory });
            if watched.is_stuck(raised, now, memory)
                && let Some(last_words) = watched.last_words.take()
            {
                end_process(watched, lock(&shared.known).clone(), last_words);
            }
        }
        interval = watched.interval(now, memory);
    }
}

impl Watched {
    fn reason(&self, now: Instant, memory: u64) -> Option<StopReason> {
        if self.asked.is_asked() {
            Some(StopReason::Asked)
        } else if self.deadline.is_some_and(|deadline| now >= deadline) {
            Some(StopReason::Time)
        } else if self.is_above(STOPPED, memory) {
            Some(StopReason::Memory)
        } else {
            None
        }
    }

    fn is_above(&self, percent: u64, memory: u64) -> bool {
        self.max_memory.is_some_and(|limit| memory >= limit / 100 * percent)
    }

    /// Does nobody take notice of the flag, or too late for the memory that there is?
    fn is_stuck(&self, raised: &Raised, now: Instant, memory: u64) -> bool {
        // Some take more than their limit from the start, and end in time.
        let has_grown = self.max_memory.is_some_and(|limit| memory > raised.memory + limit / 100);
        now - raised.at >= PATIENCE || has_grown && self.is_above(ENDED, memory)
    }

    /// Until the next look: sooner where the limits are near.
    fn interval(&self, now: Instant, memory: u64) -> Duration {
        let until_deadline = self.deadline.map_or(MOST, |deadline| deadline.saturating_duration_since(now));
        let room = self.max_memory.map_or(u64::MAX, |limit| (limit / 100 * STOPPED).saturating_sub(memory));
        let until_full = Duration::from_micros((room / (GROWTH / 1_000_000)).min(MOST.as_micros() as u64));
        until_deadline.min(until_full).clamp(LEAST, MOST)
    }
}

fn end_process(watched: Watched, known: Known, last_words: LastWords) -> ! {
    let stop = match watched.stop.reason() {
        Some(StopReason::Time) => Stop::MaxTime,
        Some(StopReason::Memory) => Stop::MaxMemory,
        Some(StopReason::Asked) | None => Stop::Interrupted,
    };
    let mut outcome = known.outcome(stop);
    outcome.elapsed = watched.start.elapsed();
    let code = outcome.exit_code();
    if stop == Stop::MaxMemory {
        freeze(watched.worker);
    }
    let (done, is_done) = mpsc::channel();
    // In a thread of its own: what the run holds may be a lock on what has to be written to.
    let said = thread::Builder::new().spawn(move || {
        let code = last_words(&outcome);
        let _ = done.send(code);
    });
    let said = said.ok().and_then(|_| is_done.recv_timeout(LAST_WORDS).ok());
    let code = said.unwrap_or(code);
    memory::kill_child();
    // SAFETY: ends the process without waiting for anybody; what other threads hold does not matter
    // any more.
    unsafe { libc::_exit(code) }
}

/// Has a thread wait for ever, so that it takes no more memory. If it holds a lock that the last
/// words need, they are not said.
fn freeze(thread: libc::pthread_t) {
    extern "C" fn wait(_: libc::c_int) {
        loop {
            // SAFETY: only waits.
            unsafe { libc::pause() };
        }
    }
    // SAFETY: the structure is plain data that `sigaction` reads, the handler does nothing but
    // wait, and the thread is there: it has not ended its run, or this one would have been told.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = wait as extern "C" fn(libc::c_int) as usize;
        libc::sigemptyset(&mut action.sa_mask);
        libc::sigaction(libc::SIGUSR2, &action, std::ptr::null_mut());
        libc::pthread_kill(thread, libc::SIGUSR2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watched(limits: &Limits) -> Watched {
        let start = Instant::now();
        Watched::new(limits, start, limits.max_time.map(|time| start + time))
    }

    #[test]
    fn the_flag_is_raised_when_time_is_up() {
        let watched = watched(&Limits { max_time: Some(Duration::from_millis(50)), ..Limits::default() });
        let (stop, start) = (watched.stop.clone(), watched.start);
        let _watch = Watch::start(watched);
        while !stop.is_asked() {
            assert!(start.elapsed() < Duration::from_secs(10), "nobody raised it");
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(stop.reason(), Some(StopReason::Time));
        assert!(start.elapsed() >= Duration::from_millis(50));
    }

    #[test]
    fn the_flag_is_raised_when_somebody_asks_or_memory_is_used_up() {
        let mut both = [watched(&Limits::default()), watched(&Limits { max_memory: Some(1), ..Limits::default() })];
        let asked = StopFlag::new();
        both[0].asked = asked.clone();
        let flags = [both[0].stop.clone(), both[1].stop.clone()];
        let _watches = both.map(Watch::start);
        asked.ask();
        let start = Instant::now();
        while !flags.iter().all(StopFlag::is_asked) {
            assert!(start.elapsed() < Duration::from_secs(10), "nobody raised it");
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(flags.map(|flag| flag.reason()), [Some(StopReason::Asked), Some(StopReason::Memory)]);
    }

    #[test]
    fn a_run_is_stuck_when_it_goes_on_or_grows() {
        let watched = watched(&Limits { max_memory: Some(1000), ..Limits::default() });
        let now = Instant::now();
        let raised = Raised { at: now, memory: 1045 };
        assert!(!watched.is_stuck(&raised, now, 1045));
        assert!(!watched.is_stuck(&raised, now, 1058), "there is some room left");
        assert!(watched.is_stuck(&raised, now, 1065));
        assert!(watched.is_stuck(&raised, now + PATIENCE, 1045));
        let always_above = Raised { at: now, memory: 5000 };
        assert!(!watched.is_stuck(&always_above, now, 5005), "it does not grow");
    }
}
