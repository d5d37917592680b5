//! What workers tell the owner of the tree, and what it tells all of them.
//!
//! A [`Teller`] is the observer of a worker: it passes on what an observer is told, to be reported
//! elsewhere. Terms stay where they are: an exit status that depends on the input arrives as one
//! that is not known.

use crate::observer::{EndedPath, Observer, ObserverError, Progress};
use crate::outcome::Stop;
use crate::parking::ParkingCounts;
use espalier_exec::{Approximation, Cut, End, ExitStatus, Message, TestCase, Violation, ViolationKind};
use espalier_expr::{PathCondition, Terms};
use espalier_ir::{Loc, Program};
use espalier_solver::Reason;
use espalier_store::{Commit, Store, StoreError, Tasks};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How long to wait for a native run that somebody else does.
const CONFIRMATION: Duration = Duration::from_secs(60);
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

#[derive(Serialize, Deserialize, Debug)]
pub(crate) enum Event {
    Ended(Box<SentPath>),
    Output(Vec<u8>),
    Message(Message),
    /// Does a native run show what the last path came to? The answer is a notice of this number.
    Confirm(u64),
    /// The worker stopped before its task was explored, and the run is over with it.
    Stopped(Stop),
    Failed(String),
}

/// What all workers have to know.
#[derive(Serialize, Deserialize, Debug)]
pub(crate) enum Notice {
    Stop,
    /// An error was reported, and whether it is beyond doubt.
    Known {
        kind: ViolationKind,
        loc: Loc,
        innermost: Loc,
        is_certain: bool,
    },
    Confirmed {
        worker: u16,
        number: u64,
        is_confirmed: bool,
    },
}

/// How far a worker is.
#[derive(Serialize, Deserialize, Debug)]
pub(crate) struct Report {
    pub(crate) progress: Progress,
    pub(crate) forks: u64,
    pub(crate) prune: Option<espalier_prune::Stats>,
    pub(crate) parking: ParkingCounts,
    pub(crate) peak_memory: Option<u64>,
}

pub(crate) fn encode(value: &impl Serialize) -> Vec<u8> {
    // There is nothing in these types that cannot be written.
    postcard::to_stdvec(value).unwrap_or_default()
}

/// None, if another version wrote it.
pub(crate) fn decode<T: for<'a> Deserialize<'a>>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

/// A path that ended in another process.
#[derive(Serialize, Deserialize, Debug)]
pub(crate) struct SentPath {
    pub(crate) end: SentEnd,
    is_known_error: bool,
    targets: Vec<u32>,
    test: Option<TestCase>,
    no_test: Option<Reason>,
    depth: u32,
    instructions: u64,
    approximations: Vec<Approximation>,
}

#[derive(Serialize, Deserialize, Debug)]
pub(crate) enum SentEnd {
    Exit(Option<i32>),
    Violation(Box<Violation>),
    Infeasible,
    Silent,
    Limit(Box<Cut>),
    Unsupported(Box<Cut>),
    SolverUnknown(Box<Cut>),
}

impl SentPath {
    fn new(path: &EndedPath<'_>) -> SentPath {
        SentPath {
            end: match path.end {
                End::Exit(ExitStatus::Concrete(status)) => SentEnd::Exit(Some(*status)),
                End::Exit(ExitStatus::Symbolic(_)) => SentEnd::Exit(None),
                End::Violation(violation) => SentEnd::Violation(violation.clone()),
                End::Infeasible => SentEnd::Infeasible,
                End::Silent => SentEnd::Silent,
                End::Limit(cut) => SentEnd::Limit(cut.clone()),
                End::Unsupported(cut) => SentEnd::Unsupported(cut.clone()),
                End::SolverUnknown(cut) => SentEnd::SolverUnknown(cut.clone()),
            },
            is_known_error: path.is_known_error,
            targets: path.targets.to_vec(),
            test: path.test.cloned(),
            no_test: path.no_test.clone(),
            depth: path.depth,
            instructions: path.instructions,
            approximations: path.approximations.to_vec(),
        }
    }

    pub(crate) fn approximations(&self) -> &[Approximation] {
        &self.approximations
    }

    /// Has it a test, or should it?
    pub(crate) fn has_test(&self) -> bool {
        self.test.is_some()
    }

    /// Tells an observer of it. Another worker may have reported the error before.
    pub(crate) fn tell(
        self,
        terms: &Terms,
        program: &Program,
        is_known_error: bool,
        keeps_test: bool,
        observer: &mut dyn Observer,
    ) -> Result<(), ObserverError> {
        let end = match self.end {
            SentEnd::Exit(Some(status)) => End::Exit(ExitStatus::Concrete(status)),
            SentEnd::Exit(None) => End::Exit(ExitStatus::Symbolic(terms.tru())),
            SentEnd::Violation(violation) => End::Violation(violation),
            SentEnd::Infeasible => End::Infeasible,
            SentEnd::Silent => End::Silent,
            SentEnd::Limit(cut) => End::Limit(cut),
            SentEnd::Unsupported(cut) => End::Unsupported(cut),
            SentEnd::SolverUnknown(cut) => End::SolverUnknown(cut),
        };
        let path = EndedPath {
            end: &end,
            is_known_error: self.is_known_error || is_known_error,
            targets: &self.targets,
            test: self.test.as_ref().filter(|_| keeps_test),
            no_test: self.no_test,
            condition: &PathCondition::default(),
            terms,
            depth: self.depth,
            instructions: self.instructions,
            approximations: &self.approximations,
        };
        observer.path_ended(program, &path)
    }
}

/// Events that were not written yet.
pub(crate) type Untold = Rc<RefCell<Vec<Event>>>;

/// What is to be written of them.
pub(crate) fn take(untold: &Untold) -> Option<Vec<u8>> {
    let events = std::mem::take(&mut *untold.borrow_mut());
    (!events.is_empty()).then(|| encode(&events))
}

/// The observer of a worker.
pub(crate) struct Teller {
    untold: Untold,
    /// For questions that cannot wait.
    store: Store,
    tasks: Tasks,
    asked: u64,
}

impl Teller {
    pub(crate) fn new(tasks: &Tasks, untold: Untold) -> Result<Teller, StoreError> {
        Ok(Teller { untold, store: tasks.store()?, tasks: tasks.another()?, asked: 0 })
    }

    fn push(&self, event: Event) {
        self.untold.borrow_mut().push(event);
    }

    fn try_confirm(&mut self) -> Result<bool, StoreError> {
        self.asked += 1;
        let asked = self.asked;
        self.push(Event::Confirm(asked));
        self.store.commit(&Commit { events: take(&self.untold), ..Commit::default() })?;
        let start = Instant::now();
        while start.elapsed() < CONFIRMATION {
            for notice in self.tasks.notices()? {
                match decode(&notice) {
                    Some(Notice::Confirmed { worker, number, is_confirmed })
                        if (worker, number) == (self.tasks.worker(), asked) =>
                    {
                        return Ok(is_confirmed);
                    }
                    Some(Notice::Stop) => return Ok(false),
                    _ => {}
                }
            }
            std::thread::sleep(BETWEEN_LOOKS);
        }
        Ok(false)
    }
}

impl Observer for Teller {
    fn path_ended(&mut self, _: &Program, path: &EndedPath<'_>) -> Result<(), ObserverError> {
        self.push(Event::Ended(Box::new(SentPath::new(path))));
        Ok(())
    }

    /// What nobody answers is not confirmed.
    fn confirms(&mut self) -> bool {
        self.try_confirm().unwrap_or(false)
    }

    fn output(&mut self, bytes: &[u8]) -> Result<(), ObserverError> {
        self.push(Event::Output(bytes.to_vec()));
        Ok(())
    }

    fn message(&mut self, _: &Program, message: &Message) -> Result<(), ObserverError> {
        self.push(Event::Message(message.clone()));
        Ok(())
    }
}
