//! The owner of a tree that workers share: makes the first tasks, reports what workers find, and
//! sees to it that all of them stop. Whether everything is explored is read from the records, and
//! not from what workers say.

use super::event::{self, Event, Notice, Report, SentEnd, SentPath};
use super::part::Part;
use crate::engine::{Engine, key};
use crate::observer::{Observer, Progress};
use crate::outcome::{Outcome, Stop};
use crate::restoring::RestoreError;
use espalier_exec::{ViolationKind, doubt};
use espalier_ir::Loc;
use espalier_store::{StoreError, Tasks};
use espalier_tree::Slot;
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};

const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
const BETWEEN_TICKS: Duration = Duration::from_millis(100);
/// How often the owner says in a lease that it is alive.
const BEATS: u32 = 6;
/// How long workers may take to stop.
const PATIENCE: Duration = Duration::from_secs(4);
/// Unfinished nodes in a task, at least and at most, and tasks for each worker.
const FEWEST: usize = 64;
const MOST: usize = 4096;
const TASKS: usize = 16;
/// So often is the tree looked at again if something is left although no task is.
const ROUNDS: u32 = 3;

/// The workers that the owner has started itself, if any.
pub trait Crew {
    /// How many there should be.
    fn size(&self) -> usize;

    /// A worker that was not heard of for so long has died.
    fn lease(&self) -> Duration;

    /// Starts the workers that are missing. Those that have ended are told of by their numbers; the
    /// run cannot go on if there is an error.
    fn look_after(&mut self, ended: &mut dyn FnMut(u16)) -> Result<(), String>;

    /// Asks all of them to stop. Have they?
    fn dismiss(&mut self) -> bool;
}

impl Engine {
    /// Explores the tree with workers, until everything is explored or something stops it. It has
    /// to be recorded, or resumed.
    pub fn share(mut self, crew: &mut dyn Crew, observer: &mut dyn Observer) -> Outcome {
        // It waits for workers, and then reads what they did: nobody has to end it by force.
        self.last_words = None;
        self.start_watch();
        let shared = self.try_share(crew, observer);
        while !crew.dismiss() {
            std::thread::sleep(BETWEEN_LOOKS);
        }
        let stop = match shared {
            Ok(stop) => stop,
            Err(error) => {
                self.observer_error.get_or_insert(error);
                Some(Stop::Observer)
            }
        };
        if let Some(reason) = stop.filter(|&stop| stop != Stop::Observer) {
            let told = observer.stopping(reason, self.parking.len() as u64);
            let _ = self.check_observer(told);
        }
        let why = stop.map_or_else(|| "everything was explored".to_owned(), |stop| format!("{stop:?}"));
        self.finish_recording(&why);
        self.outcome(stop)
    }

    fn try_share(&mut self, crew: &mut dyn Crew, observer: &mut dyn Observer) -> Result<Option<Stop>, String> {
        let text = |error: &dyn std::error::Error| error.to_string();
        self.park_all();
        self.write_down(true).map_err(|_| self.observer_error.take().unwrap_or_default())?;
        self.report_leftovers(observer).map_err(|_| self.observer_error.take().unwrap_or_default())?;
        let mut owner = Owner::new(self);
        let is_selection = self.parking.to_take_up() < self.parking.len();
        for _ in 0..ROUNDS {
            let mut tasks = self.recorder.share().map_err(|error| text(&error))?;
            tasks.set_lease(crew.lease()).map_err(|error| text(&error))?;
            self.make_tasks(&mut tasks, crew.size()).map_err(|error| text(&error))?;
            if let Err(error) = owner.supervise(self, &mut tasks, crew, observer) {
                // Those that are elsewhere have to know, too.
                let _ = tasks.tell(&event::encode(&Notice::Stop));
                let _ = tasks.close();
                return Err(error);
            }
            let reports = owner.reports(&tasks)?;
            self.look_again(tasks.reader()).map_err(|error: RestoreError| text(&error))?;
            self.crew_reports.extend(reports);
            if is_selection && self.parking.len() > 0 {
                owner.stop.get_or_insert(Stop::Selected);
            }
            if owner.stop.is_some() || self.parking.len() == 0 {
                return Ok(owner.stop);
            }
            // What these workers know must not be replaced by what the next ones with their numbers do.
            self.write_down(true).map_err(|_| self.observer_error.take().unwrap_or_default())?;
        }
        Err("parts of the tree are missing although workers explored them: please report this".to_owned())
    }

    /// Reports what workers of an earlier run found, if its owner was killed before it did.
    pub(crate) fn report_leftovers(&mut self, observer: &mut dyn Observer) -> Result<(), Stop> {
        let reported = match self.recorder.tasks() {
            None => Ok(()),
            Some(Err(error)) => Err(error.to_string()),
            Some(Ok(mut tasks)) => {
                Owner { reported: Some(FxHashSet::default()), ..Owner::new(self) }.report(self, &mut tasks, observer)
            }
        };
        reported.map_err(|error| {
            self.observer_error.get_or_insert(error);
            Stop::Observer
        })
    }

    /// Makes tasks of all that is unfinished.
    fn make_tasks(&mut self, tasks: &mut Tasks, workers: usize) -> Result<(), StoreError> {
        let leaves: Vec<Slot> = self.own_parked().collect();
        let size = (leaves.len() / (TASKS * workers.max(1))).clamp(FEWEST, MOST);
        let parts =
            leaves.chunks(size).map(|leaves| Part::new(&self.tree, &self.recorder, &self.parking, leaves).encode());
        tasks.add(&parts.collect::<Vec<Vec<u8>>>())
    }
}

/// What the owner knows.
struct Owner {
    /// Tests that were told of.
    told: u64,
    last_tick: Instant,
    last_beat: Instant,
    stop: Option<Stop>,
    /// Of what an earlier run left: the errors that were reported now. It knew them already.
    reported: Option<FxHashSet<ErrorKey>>,
}

type ErrorKey = (ViolationKind, Loc, Loc);

impl Owner {
    fn new(engine: &Engine) -> Owner {
        let now = Instant::now();
        Owner { told: engine.tests, last_tick: now, last_beat: now, stop: None, reported: None }
    }

    /// Until everything is explored, or something stops the run; then nobody writes any more.
    fn supervise(
        &mut self,
        engine: &mut Engine,
        tasks: &mut Tasks,
        crew: &mut dyn Crew,
        observer: &mut dyn Observer,
    ) -> Result<(), String> {
        while self.stop.is_none() && tasks.counts().map_err(|error| error.to_string())?.left > 0 {
            self.look(engine, tasks, crew, observer)?;
            std::thread::sleep(BETWEEN_LOOKS);
        }
        if self.stop.is_some() {
            self.dismiss(engine, tasks, crew, observer)?;
        }
        tasks.tell(&event::encode(&Notice::Stop)).map_err(|error| error.to_string())?;
        tasks.close().map_err(|error| error.to_string())?;
        self.report(engine, tasks, observer)
    }

    fn look(
        &mut self,
        engine: &mut Engine,
        tasks: &mut Tasks,
        crew: &mut dyn Crew,
        observer: &mut dyn Observer,
    ) -> Result<(), String> {
        self.report(engine, tasks, observer)?;
        let mut ended = Vec::new();
        crew.look_after(&mut |worker| ended.push(worker))?;
        for worker in ended {
            tasks.release(worker, true).map_err(|error| error.to_string())?;
        }
        if let Err(stop) = engine.require_time() {
            self.stop.get_or_insert(stop);
        }
        if self.last_beat.elapsed() >= crew.lease() / BEATS {
            self.last_beat = Instant::now();
            tasks.beat().map_err(|error| error.to_string())?;
        }
        if self.last_tick.elapsed() >= BETWEEN_TICKS {
            self.last_tick = Instant::now();
            let progress = self.progress(engine, tasks)?;
            let limits = &engine.config.limits;
            if limits.max_instructions.is_some_and(|limit| progress.instructions >= limit) {
                self.stop.get_or_insert(Stop::MaxInstructions);
            }
            observer.tick(&progress);
        }
        Ok(())
    }

    /// Has all workers stop, and tells of what they still have to say. Whoever does not stop in
    /// time writes nothing any more.
    fn dismiss(
        &mut self,
        engine: &mut Engine,
        tasks: &mut Tasks,
        crew: &mut dyn Crew,
        observer: &mut dyn Observer,
    ) -> Result<(), String> {
        tasks.tell(&event::encode(&Notice::Stop)).map_err(|error| error.to_string())?;
        let start = Instant::now();
        loop {
            let is_gone = crew.dismiss();
            self.report(engine, tasks, observer)?;
            let counts = tasks.counts().map_err(|error| error.to_string())?;
            if is_gone && counts.left == counts.free || start.elapsed() > PATIENCE {
                break;
            }
            std::thread::sleep(BETWEEN_LOOKS);
        }
        Ok(())
    }

    /// Tells of what workers found.
    fn report(&mut self, engine: &mut Engine, tasks: &mut Tasks, observer: &mut dyn Observer) -> Result<(), String> {
        let events = tasks.events().map_err(|error| error.to_string())?;
        let mut reported = Vec::new();
        let mut told = Ok(());
        for recorded in &events {
            for event in event::decode::<Vec<Event>>(&recorded.data).into_iter().flatten() {
                told = told.and_then(|()| self.tell(engine, tasks, recorded.worker, event, observer));
            }
            reported.push(recorded.seq);
            if told.is_err() {
                break;
            }
        }
        // Not before: should the process be killed, the next one reports them again.
        if !reported.is_empty() {
            tasks.drop_events(&reported).map_err(|error| error.to_string())?;
        }
        told
    }

    fn tell(
        &mut self,
        engine: &mut Engine,
        tasks: &mut Tasks,
        worker: u16,
        event: Event,
        observer: &mut dyn Observer,
    ) -> Result<(), String> {
        let text = |error: Box<dyn std::error::Error>| error.to_string();
        match event {
            // They were about a run that is over.
            Event::Confirm(_) | Event::Stopped(_) | Event::Failed(_) if self.reported.is_some() => Ok(()),
            Event::Ended(path) => self.path_ended(engine, tasks, *path, observer),
            Event::Output(bytes) => observer.output(&bytes).map_err(text),
            Event::Message(message) => observer.message(engine.executor.program(), &message).map_err(text),
            Event::Confirm(number) => {
                let is_confirmed = observer.confirms();
                let notice = Notice::Confirmed { worker, number, is_confirmed };
                tasks.tell(&event::encode(&notice)).map_err(|error| error.to_string())
            }
            Event::Stopped(stop) => {
                self.stop.get_or_insert(stop);
                Ok(())
            }
            Event::Failed(error) => Err(format!("worker {worker} failed: {error}")),
        }
    }

    fn path_ended(
        &mut self,
        engine: &mut Engine,
        tasks: &mut Tasks,
        path: SentPath,
        observer: &mut dyn Observer,
    ) -> Result<(), String> {
        let mut is_known = false;
        if let SentEnd::Violation(violation) = &path.end {
            let (kind, loc, innermost) = key(violation);
            let is_certain = doubt(path.approximations()).is_none();
            let is_new = engine.known_errors.insert((kind, loc, innermost));
            is_known = if is_certain { !engine.certain_errors.insert((kind, loc, innermost)) } else { !is_new };
            if let Some(reported) = &mut self.reported {
                is_known = !reported.insert((kind, loc, innermost));
            } else if !is_known {
                // A target that somebody doubts stays open.
                let notice = Notice::Known { kind, loc, innermost, is_certain };
                tasks.tell(&event::encode(&notice)).map_err(|error| error.to_string())?;
            }
            if let (ViolationKind::Target(target), true) = (kind, is_certain) {
                engine.executor.close_target(target);
                if engine.executor.open_targets() == 0 {
                    self.stop.get_or_insert(Stop::AllTargets);
                }
            }
        }
        let keeps_test = !is_known || engine.config.emit_all_errors;
        self.told += u64::from(path.has_test() && keeps_test);
        let program = engine.executor.program();
        let told = path.tell(&engine.executor.terms, program, is_known, keeps_test, observer);
        told.map_err(|error| error.to_string())?;
        if engine.config.limits.max_tests.is_some_and(|limit| self.told >= limit) {
            self.stop.get_or_insert(Stop::MaxTests);
        }
        Ok(())
    }

    fn reports(&self, tasks: &Tasks) -> Result<Vec<Report>, String> {
        let colleagues = tasks.colleagues().map_err(|error| error.to_string())?;
        Ok(colleagues.into_iter().filter_map(|colleague| event::decode(&colleague.progress?)).collect())
    }

    /// How far all workers are together.
    fn progress(&self, engine: &Engine, tasks: &Tasks) -> Result<Progress, String> {
        let mut all = engine.progress();
        (all.open, all.parked) = (0, 0);
        for Report { progress, .. } in self.reports(tasks)? {
            all.add(&progress);
        }
        all.errors = engine.known_errors.len() as u64;
        Ok(all)
    }
}
