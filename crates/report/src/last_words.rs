//! The summary of a run that has to be ended by force: by another thread, while the one that
//! observes the run is busy.

use crate::console::Console;
use crate::info::Info;
use crate::json;
use crate::klee::{self, Klee};
use crate::reporter::Reached;
use crate::rundir::RunDir;
use crate::style::Style;
use crate::summary::{Found, Summary};
use espalier_engine::{Approximation, Outcome};
use espalier_ir::Program;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long files that wait to be written are waited for.
const PATIENCE: Duration = Duration::from_millis(400);

/// What was written down so far.
#[derive(Default)]
pub(crate) struct Told {
    pub(crate) found: Vec<Found>,
    /// Targets that were reached, with the names of their tests, and why nobody may come there.
    pub(crate) reached: Vec<(u32, String, Option<Approximation>)>,
    /// Tests written.
    pub(crate) tests: u64,
}

impl Told {
    /// The place that this test leads to is reached beyond doubt.
    pub(crate) fn confirm(&mut self, name: &str) {
        for (_, _, doubt) in self.reached.iter_mut().filter(|(_, other, _)| other == name) {
            *doubt = None;
        }
    }

    /// The targets that were reached, with the files of their tests.
    pub(crate) fn reached_in(&self, dir: &RunDir) -> Vec<Reached> {
        let reached = |(target, name, doubt): &(u32, String, Option<Approximation>)| Reached {
            target: *target,
            test: dir.path().join(format!("{name}.ktest")),
            doubt: doubt.clone(),
        };
        self.reached.iter().map(reached).collect()
    }
}

/// The same for the one who writes and the one who may have to sum up.
#[derive(Clone, Default)]
pub(crate) struct SharedTold(Arc<Mutex<Told>>);

impl SharedTold {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Told> {
        // Nobody panics while holding it; if somebody did, what is there is still good.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What it takes to sum up from another thread.
pub struct LastWords {
    pub(crate) dir: RunDir,
    pub(crate) told: SharedTold,
    /// Files that wait to be written.
    pub(crate) waiting: Arc<AtomicUsize>,
    pub(crate) is_json: bool,
    pub(crate) klee: Option<Klee>,
    pub(crate) info: Info,
    pub(crate) to_go_on: &'static str,
}

impl LastWords {
    /// Sums up as far as can be, and gives the targets that were reached with their tests. Whatever
    /// fails here has nobody to be told to.
    pub fn say(self, outcome: &Outcome) -> Vec<Reached> {
        let start = Instant::now();
        while self.waiting.load(Ordering::Acquire) > 0 && start.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(1));
        }
        let told = self.told.lock();
        let _ = self.dir.write("info", self.info.render(Some((outcome, told.tests))).as_bytes());
        let text = |style: Style, directory: &str, with_times: bool| match self.klee {
            Some(_) => {
                let why = outcome.stop.and_then(klee::stop).map_or_else(String::new, |why| format!("KLEE: {why}\n"));
                why + &klee::closing(outcome, told.tests)
            }
            None => Summary {
                // Places are not known, so none is looked up.
                program: &Program::default(),
                outcome,
                found: &told.found,
                tests: told.tests,
                directory,
                to_go_on: self.to_go_on,
                with_times,
            }
            .render(style),
        };
        if let Ok(mut messages) = self.dir.log("messages.txt") {
            let _ = messages.append(&text(Style::Plain, "this directory", false));
        }
        // Last, for what the run was doing may be waiting for somebody to read what it prints.
        let mut console = if self.is_json || self.klee.is_some() { Console::stderr() } else { Console::stdout() };
        let directory = self.dir.path().display().to_string();
        let _ = console.write(text(console.style, &directory, true).as_bytes());
        if self.is_json {
            let event = json::finished(&Program::default(), outcome, told.tests).to_line();
            let _ = Console::stdout().write(event.as_bytes());
        }
        told.reached_in(&self.dir)
    }
}
