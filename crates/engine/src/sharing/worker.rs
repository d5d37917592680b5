//! One of several workers on a tree: claims a task, explores it, gives parts of it to others, and
//! claims the next one.

use super::event::{self, Event, Notice, Report, Teller, Untold};
use super::part::{Part, Taken};
use crate::config::Config;
use crate::engine::{Engine, Error};
use crate::groups::CutKind;
use crate::outcome::Stop;
use crate::recording::{ReadError, Recorder};
use espalier_base::StopFlag;
use espalier_exec::{Cut, CutReason};
use espalier_ir::{FuncId, Loc, Program};
use espalier_store::{Held, News, StoreError, Task, Tasks};
use espalier_tree::{Slot, Tree};
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Between two looks for a task.
const BETWEEN_CLAIMS: Duration = Duration::from_millis(20);
/// Between two looks at what others learnt and covered.
const BETWEEN_NEWS: Duration = Duration::from_secs(1);
/// Leaves that are given to one other worker at a time.
const GIVEN: usize = 64;
/// Numbers for batches that are taken at a time, and how many have to be left after a commit: more
/// than are written between two.
const NUMBERS: u64 = 1024;
const FEWEST_NUMBERS: u64 = 256;
/// So often may workers die on a task, until it is taken apart, and until it is given up.
const TAKEN_APART: u32 = 2;
const GIVEN_UP: u32 = 3;

/// What workers have to know, wherever they are: the program, and what is asked of it.
#[derive(Serialize, Deserialize)]
pub struct Job {
    pub program: Program,
    pub entry: FuncId,
    pub config: Config,
}

/// The same, of parts that somebody else has.
#[derive(Serialize)]
struct BorrowedJob<'a> {
    program: &'a Program,
    entry: FuncId,
    config: &'a Config,
}

impl Job {
    pub fn encode(&self) -> Vec<u8> {
        Job::encode_parts(&self.program, self.entry, &self.config)
    }

    pub fn encode_parts(program: &Program, entry: FuncId, config: &Config) -> Vec<u8> {
        event::encode(&BorrowedJob { program, entry, config })
    }

    /// None, if another version wrote it.
    pub fn decode(bytes: &[u8]) -> Option<Job> {
        event::decode(bytes)
    }
}

/// Why a worker cannot work.
#[derive(Debug, Error)]
pub enum WorkerError {
    #[error(transparent)]
    Start(#[from] Error),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("a task cannot be read: {0}")]
    Task(String),
}

impl From<ReadError> for WorkerError {
    fn from(error: ReadError) -> WorkerError {
        match error {
            ReadError::Store(error) => WorkerError::Store(error),
            error => WorkerError::Task(error.to_string()),
        }
    }
}

/// What a worker knows of the others.
pub(crate) struct Membership {
    tasks: Tasks,
    held: Option<Held>,
    untold: Untold,
    /// Numbers for batches end here.
    last_number: u64,
    news_at: Instant,
    /// Blocks that were covered when the others were last told.
    published: u64,
    /// So many others have nothing to do.
    hungry: usize,
    /// The run is over.
    is_over: bool,
    /// Another worker has the task.
    lost: Option<StoreError>,
}

impl Membership {
    pub(crate) fn held(&self) -> Option<Held> {
        self.held
    }

    pub(crate) fn take_events(&self) -> Option<Vec<u8>> {
        event::take(&self.untold)
    }

    /// Somebody else has the task.
    pub(crate) fn note_lost(&mut self, error: &StoreError) {
        self.lost.get_or_insert_with(|| error.clone());
    }

    /// Does somebody wait for something to do?
    pub(crate) fn is_asked(&self) -> bool {
        self.hungry > 0
    }
}

impl Engine {
    /// Works on a tree until its owner says that the run is over. `stop` ends it sooner.
    pub fn work(job: Job, tasks: Tasks, stop: StopFlag) -> Result<(), WorkerError> {
        let mut engine = Engine::new(Rc::new(job.program), job.entry, job.config)?;
        engine.stop_with(stop);
        let untold = Untold::default();
        let mut teller = Teller::new(&tasks, untold.clone())?;
        let (mut tree, root) = Tree::new(0);
        tree.park(root);
        let recorder = Recorder::of_worker(tasks.store()?, tasks.new_reader()?, tasks.worker(), tasks.next_id()?);
        engine.replant(tree, recorder);
        let mut learnt = Vec::new();
        tasks.reader().learnt(&mut |bytes| learnt.push(bytes))?;
        engine.take_over_learnt(learnt);
        engine.membership = Some(Box::new(Membership {
            tasks,
            held: None,
            untold: untold.clone(),
            last_number: 0,
            news_at: Instant::now(),
            published: 0,
            hungry: 0,
            is_over: false,
            lost: None,
        }));
        engine.start_watch();
        let worked = engine.work_on(&mut teller);
        if let Some(lost) = engine.membership.as_mut().and_then(|membership| membership.lost.take()) {
            return Err(lost.into());
        }
        if let Err(error) = &worked {
            untold.borrow_mut().push(Event::Failed(error.to_string()));
        }
        engine.finish_recording("");
        if let Some(membership) = &mut engine.membership {
            let worker = membership.tasks.worker();
            membership.tasks.release(worker, false)?;
        }
        worked
    }

    fn work_on(&mut self, teller: &mut Teller) -> Result<(), WorkerError> {
        while let Some(task) = self.next_task()? {
            let Some(stop) = self.work_on_task(&task, teller)? else { continue };
            let is_told = self.membership.as_ref().is_some_and(|membership| membership.is_over);
            if !is_told && stop != Stop::Interrupted {
                self.say(Event::Stopped(stop));
            }
            if stop != Stop::Observer {
                let _ = self.wind_up(stop, teller);
            }
            return match self.observer_error.take() {
                Some(error) => Err(WorkerError::Task(error)),
                None => Ok(()),
            };
        }
        Ok(())
    }

    fn say(&self, event: Event) {
        if let Some(membership) = &self.membership {
            membership.untold.borrow_mut().push(event);
        }
    }

    /// Waits for a task. None, if the run is over.
    fn next_task(&mut self) -> Result<Option<Task>, WorkerError> {
        loop {
            if self.hear()? || self.is_time_up() {
                return Ok(None);
            }
            let Some(membership) = &mut self.membership else { return Ok(None) };
            if let Some(task) = membership.tasks.claim()? {
                membership.held = Some(task.held);
                return Ok(Some(task));
            }
            std::thread::sleep(BETWEEN_CLAIMS);
        }
    }

    /// Explores a task. Why did that end before everything was explored?
    fn work_on_task(&mut self, task: &Task, teller: &mut Teller) -> Result<Option<Stop>, WorkerError> {
        let reader = match &self.membership {
            Some(membership) => membership.tasks.new_reader()?,
            None => return Ok(None),
        };
        let taken = Taken::read(&reader, task)?;
        let leaves = taken.leaves;
        self.begin_task(taken)?;
        if task.deaths >= TAKEN_APART && leaves > 1 {
            self.take_apart()?;
        } else if task.deaths >= GIVEN_UP {
            self.give_up_leaves();
        }
        let stop = self.explore(teller).filter(|&stop| stop != Stop::Selected);
        let written = self.write_down(true);
        if let Some(membership) = &mut self.membership
            && stop.is_none()
            && written.is_ok()
            && let Some(held) = membership.held.take()
        {
            let finished = membership.tasks.finish(held);
            if let Err(error @ (StoreError::Lost(_) | StoreError::Over(_))) = &finished {
                membership.note_lost(error);
            }
            finished?;
        }
        Ok(stop.or(written.err()))
    }

    /// Has the tree be that of a task, in the place of what was there.
    fn begin_task(&mut self, taken: Taken) -> Result<(), WorkerError> {
        self.begin_part(taken);
        self.reserve_numbers(true)
    }

    /// Takes numbers for batches, if there are too few left or the ones that are left must not be
    /// used any more.
    fn reserve_numbers(&mut self, is_new_task: bool) -> Result<(), WorkerError> {
        let Some(membership) = &mut self.membership else { return Ok(()) };
        if is_new_task || membership.last_number < self.recorder.last_batch() + FEWEST_NUMBERS {
            let first = membership.tasks.reserve(NUMBERS)?;
            membership.last_number = first + NUMBERS - 1;
            self.recorder.number_from(first);
        }
        Ok(())
    }

    /// Workers died on this task: each of its leaves becomes one of its own, so that the others are
    /// explored. Which of them it was is not known: it has to happen again.
    fn take_apart(&mut self) -> Result<(), WorkerError> {
        let leaves: Vec<Slot> = self.own_parked().collect();
        let parts: Vec<Vec<u8>> =
            leaves.iter().map(|&leaf| Part::new(&self.tree, &self.recorder, &self.parking, &[leaf]).encode()).collect();
        let Some(membership) = &mut self.membership else { return Ok(()) };
        let Some(held) = membership.held else { return Ok(()) };
        membership.tasks.give(held, 1, &parts)?;
        leaves.into_iter().for_each(|leaf| self.parking.leave_out_too(leaf));
        Ok(())
    }

    /// Every worker that explored this died: its paths end here, which the verdict says.
    fn give_up_leaves(&mut self) {
        let leaves: Vec<Slot> = self.own_parked().collect();
        for leaf in leaves {
            let loc = self.parking.forget(leaf).unwrap_or(Loc::UNKNOWN);
            self.give_up(leaf, loc);
        }
    }

    /// Keeps in touch with the others, from time to time.
    pub(crate) fn keep_in_touch(&mut self) -> Result<(), Stop> {
        if self.membership.is_none() {
            return Ok(());
        }
        match self.try_keep_in_touch() {
            Ok(true) => Err(Stop::Interrupted),
            Ok(false) => Ok(()),
            Err(error) => {
                self.observer_error.get_or_insert_with(|| error.to_string());
                Err(Stop::Observer)
            }
        }
    }

    fn try_keep_in_touch(&mut self) -> Result<bool, WorkerError> {
        let is_over = self.hear()?;
        if let Some(membership) = &mut self.membership {
            let counts = membership.tasks.counts()?;
            membership.hungry = counts.idle.saturating_sub(counts.free) as usize;
        }
        if self.recorder.is_sealed() {
            self.reserve_numbers(false)?;
        }
        Ok(is_over)
    }

    /// Takes over what others found, and tells them what is covered here, if it is time to. Is the
    /// run over?
    fn hear(&mut self) -> Result<bool, WorkerError> {
        let Some(membership) = &mut self.membership else { return Ok(false) };
        let news = if membership.news_at.elapsed() >= BETWEEN_NEWS {
            membership.news_at = Instant::now();
            let coverage = self.executor.coverage();
            if coverage.discovered() > membership.published {
                membership.published = coverage.discovered();
                membership.tasks.publish(&event::encode(&coverage.covered().blocks()))?;
            }
            membership.is_over |= !membership.tasks.has_owner()?;
            membership.tasks.news()?
        } else {
            News { notices: membership.tasks.notices()?, ..News::default() }
        };
        let notices = news.notices.iter().filter_map(|notice| event::decode::<Notice>(notice));
        for notice in notices {
            match notice {
                Notice::Stop => membership.is_over = true,
                Notice::Known { kind, loc, innermost, is_certain } => {
                    let key = (kind, loc, innermost);
                    self.known_errors.insert(key);
                    if is_certain {
                        self.certain_errors.insert(key);
                        if let espalier_exec::ViolationKind::Target(target) = kind {
                            self.executor.close_target(target);
                        }
                    }
                }
                Notice::Confirmed { .. } => {}
            }
        }
        let is_over = membership.is_over;
        for coverage in &news.coverage {
            if let Some(covered) = event::decode(coverage) {
                self.executor.restore_coverage(&covered);
                self.covered = self.executor.coverage().discovered();
            }
        }
        self.take_over_learnt(news.learnt);
        Ok(is_over)
    }

    /// Gives some of what is unfinished to those who have nothing to do.
    pub(crate) fn give_when_asked(&mut self) -> Result<(), Stop> {
        let Some(membership) = &mut self.membership else { return Ok(()) };
        let hungry = std::mem::take(&mut membership.hungry);
        if hungry == 0 {
            return Ok(());
        }
        let leaves = self.leaves_to_give(GIVEN * hungry);
        if leaves.is_empty() {
            return Ok(());
        }
        for &leaf in &leaves {
            if let Some(id) = self.state_at(leaf) {
                self.park_state(id);
            }
            self.parking.leave_out_too(leaf);
        }
        // In turns, so that each gets its share of what is near to the root.
        let parts: Vec<Vec<u8>> = (0..hungry.min(leaves.len()))
            .map(|first| {
                let share: Vec<Slot> = leaves.iter().skip(first).step_by(hungry).copied().collect();
                Part::new(&self.tree, &self.recorder, &self.parking, &share).encode()
            })
            .collect();
        self.write_down(true)?;
        self.give_parts(&parts)
    }

    /// Gives away parts of the task, whose records are written down.
    pub(crate) fn give_parts(&mut self, parts: &[Vec<u8>]) -> Result<(), Stop> {
        let Some(membership) = &mut self.membership else { return Ok(()) };
        let Some(held) = membership.held else { return Ok(()) };
        match membership.tasks.give(held, 0, parts) {
            Ok(()) => Ok(()),
            Err(error) => self.recording_failed(&error),
        }
    }

    /// How far it is.
    pub(crate) fn report(&self) -> Report {
        Report {
            progress: self.progress(),
            forks: self.forks,
            prune: self.pruning.as_ref().map(|pruning| pruning.pruner.stats()).or_else(|| self.gave_up.clone()),
            parking: self.parking.counts(),
            peak_memory: espalier_base::memory::peak(),
        }
    }

    /// The path to a parked leaf is given up.
    fn give_up(&mut self, leaf: Slot, loc: Loc) {
        let cut = Cut { reason: CutReason::Crash, loc, stack: Vec::new() };
        self.record_given_up(leaf);
        self.paths.limited += 1;
        self.groups.add_cut(CutKind::Limit, &cut);
        self.tree.close(leaf, |_| {});
    }
}
