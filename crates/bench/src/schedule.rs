//! The order of the runs, and the workers that do them.
//!
//! The order is always the same: cheap programs first, and a target of each program before the
//! second of any, so that a comparison that is cut short has seen as many programs as possible. All
//! tools are asked about a target one after the other, so that they meet the machine in the same
//! state.

use crate::answer::Listener;
use crate::error::BenchError;
use crate::invocation::{self, Installed, Run};
use crate::process::{self, Budget, End, Start};
use crate::program::{Program, Target};
use crate::progress::Display;
use crate::set::Set;
use crate::store::{Key, Measured, Store};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// A target of a program.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Question<'a> {
    pub(crate) program: &'a Program,
    pub(crate) target: &'a Target,
}

impl Question<'_> {
    pub(crate) fn name(self) -> String {
        self.program.target_name(self.target)
    }
}

/// All targets, in the order in which they are asked about.
pub(crate) fn in_order(questions: &[Question<'_>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..questions.len()).collect();
    // How many targets of the same program come before.
    let round = |index: usize| {
        let same = |other: &&Question<'_>| std::ptr::eq(other.program, questions[index].program);
        questions[..index].iter().rev().take_while(same).count()
    };
    let rounds: Vec<usize> = order.iter().map(|&index| round(index)).collect();
    order.sort_by_key(|&index| (rounds[index], questions[index].program.size, index));
    order
}

/// One run that is to be done.
pub(crate) struct Job<'a> {
    pub(crate) installed: &'a Installed<'a>,
    pub(crate) question: Question<'a>,
    pub(crate) budget: Budget,
    pub(crate) seed: u32,
}

impl Job<'_> {
    fn run(&self) -> Run<'_> {
        let Question { program, target } = self.question;
        Run { program, target, budget: self.budget, seed: self.seed }
    }

    pub(crate) fn key(&self) -> Key {
        Key {
            tool: self.installed.tool.name.clone(),
            group: self.question.program.group.clone(),
            target: self.question.name(),
            hash: invocation::hash(self.installed, &self.run()),
        }
    }
}

/// What makes an end before all is done.
pub(crate) struct Until<'a> {
    pub(crate) stop: &'a (dyn Fn() -> bool + Sync),
    /// No run is begun after this.
    pub(crate) deadline: Option<Instant>,
}

const TICK: Duration = Duration::from_millis(100);

/// Does the jobs that were not done before, and keeps what comes of them.
pub(crate) fn run(
    set: &Set,
    jobs: &[Job<'_>],
    store: &mut Store,
    until: &Until<'_>,
    display: &mut Display,
) -> Result<(), BenchError> {
    let open: Vec<(&Job<'_>, Key)> =
        jobs.iter().map(|job| (job, job.key())).filter(|(_, key)| store.get(key).is_none()).collect();
    display.begin(jobs.len(), jobs.len() - open.len());
    let next = AtomicUsize::new(0);
    // Set when results cannot be kept: then there is no use in finding more.
    let give_up = AtomicBool::new(false);
    let stop = || give_up.load(Ordering::Relaxed) || (until.stop)();
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        for _ in 0..set.cores.min(open.len()) {
            let (sender, open, next, stop) = (sender.clone(), &open, &next, &stop);
            scope.spawn(move || work(set, open, next, stop, until.deadline, &sender));
        }
        drop(sender);
        loop {
            match receiver.recv_timeout(TICK) {
                Ok(Event::Begun(index)) => {
                    let (job, key) = &open[index];
                    display.begun(&format!("{} {}", job.installed.tool.name, key.target));
                }
                Ok(Event::Ended(index, measured)) => {
                    let (_, key) = &open[index];
                    display.ended(measured.kind);
                    if let Err(error) = store.add(key.clone(), measured) {
                        give_up.store(true, Ordering::Relaxed);
                        return Err(error);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            display.tick();
        }
    })
}

enum Event {
    Begun(usize),
    Ended(usize, Measured),
}

fn work(
    set: &Set,
    open: &[(&Job<'_>, Key)],
    next: &AtomicUsize,
    stop: &(dyn Fn() -> bool + Sync),
    deadline: Option<Instant>,
    events: &Sender<Event>,
) {
    while !stop() && deadline.is_none_or(|deadline| Instant::now() < deadline) {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some((job, _)) = open.get(index) else { return };
        // If nobody listens any more, the results cannot be kept.
        let told = events.send(Event::Begun(index)).is_ok();
        let Some(measured) = measure(set, job, stop) else { return };
        if !told || events.send(Event::Ended(index, measured)).is_err() {
            return;
        }
    }
}

/// One run. `None` if it was stopped.
fn measure(set: &Set, job: &Job<'_>, stop: &dyn Fn() -> bool) -> Option<Measured> {
    let tool = job.installed.tool;
    let mut listener = Listener::new(&tool.answers);
    let ended = in_scratch(set, job, stop, &mut |bytes| listener.hear(bytes));
    if ended.end == End::Stopped {
        return None;
    }
    let judgement = listener.judge(&ended, job.budget);
    let is_fine = judgement.kind.verdict().is_some() && !judgement.kind.is_wrong(job.question.target.truth);
    Some(Measured {
        kind: judgement.kind,
        seconds: ended.wall.min(job.budget.time).as_secs_f64(),
        limit_seconds: job.budget.time.as_secs_f64(),
        peak_memory_bytes: ended.usage.peak_memory,
        reason: judgement.reason,
        tail: (!is_fine).then(|| listener.tail()),
    })
}

/// Runs a tool in a directory that exists for this run only.
fn in_scratch(set: &Set, job: &Job<'_>, stop: &dyn Fn() -> bool, hear: &mut dyn FnMut(&[u8])) -> process::Ended {
    let not_started =
        |why: String| process::Ended { end: End::NotStarted(why), wall: Duration::ZERO, usage: Default::default() };
    let scratch = match tempfile::Builder::new().prefix("espalier-bench-").tempdir() {
        Ok(scratch) => scratch,
        Err(error) => return not_started(format!("no scratch directory: {error}")),
    };
    let (dir, temporary) = (scratch.path().join("work"), scratch.path().join("tmp"));
    if let Err(error) = std::fs::create_dir(&dir).and_then(|()| std::fs::create_dir(&temporary)) {
        return not_started(format!("no scratch directory: {error}"));
    }
    match invocation::argv(set, job.installed.tool, &job.run(), &dir) {
        Ok(argv) => {
            let start = Start { argv: &argv, dir: &dir, temporary: &temporary };
            process::run(&start, job.budget, stop, hear)
        }
        Err(why) => not_started(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Aim, Place};

    fn program(name: &str, size: u64, targets: usize) -> Program {
        let target = |line| Target { aim: Aim::Call(Place { line, column: 1 }), truth: None };
        Program {
            group: "g".into(),
            name: name.into(),
            path: name.into(),
            size,
            hash: String::new(),
            targets: (1..=targets).map(target).collect(),
            time: None,
            args: Vec::new(),
        }
    }

    #[test]
    fn cheap_programs_first_and_each_program_in_turn() {
        let programs = [program("big.c", 300, 3), program("small.c", 100, 1), program("middle.c", 200, 2)];
        let questions: Vec<Question<'_>> = programs
            .iter()
            .flat_map(|program| program.targets.iter().map(move |target| Question { program, target }))
            .collect();
        let names: Vec<String> = in_order(&questions).into_iter().map(|index| questions[index].name()).collect();
        assert_eq!(names, ["small.c:1", "middle.c:1", "big.c:1", "middle.c:2", "big.c:2", "big.c:3"]);
    }
}
