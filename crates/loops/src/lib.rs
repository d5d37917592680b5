//! Closing loops: shows that nothing that is looked for is reachable from a state at a loop head,
//! by an invariant that every round keeps.
//!
//! A *trial* ([`trial`]) works on a copy of a state, beside the execution tree. It makes what the
//! loop changes general ([`head`]), proposes what may hold of it ([`candidates`]), drops what does
//! not ([`houdini`]), and explores all that is left. It either shows that the state need not be
//! explored, or leaves nothing behind. After TRACER (Jaffar, Murali, Navas, Santosa), where invariants
//! are found while paths are explored and refined where they are too weak; here whatever proposes
//! is not trusted, and one check, on paths that the executor ran, decides.

#![forbid(unsafe_code)]

mod affine;
mod arrays;
mod candidates;
mod head;
mod houdini;
mod invariant;
mod skip;
mod trial;

pub use affine::Sum;
pub use invariant::{HeadInvariant, IndexedCell, describe};

use espalier_exec::{Executor, GivenInputs, NotGeneral, State, Stops, Violation};
use espalier_ir::{FuncId, Loc};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use skip::Skips;
use std::collections::BTreeMap;
use trial::Trial;

/// What is asked about.
pub struct Question<'a> {
    /// Is this error looked for?
    pub is_asked: &'a dyn Fn(&Executor, &Violation) -> bool,
    /// What was done so far, in counted nanoseconds.
    pub work: fn(&Executor) -> u64,
}

/// Why a loop was not closed.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum NotClosed {
    /// What the loop changes cannot be described.
    General(NotGeneral),
    /// It changes too many places.
    Variables,
    /// There are too many ways round it.
    Ways,
    /// Loops are nested too deeply.
    Nested,
    /// Too much was tried.
    Attempts,
    Effort,
    /// A path was cut short, is inexact, or the solver did not answer.
    Cut,
    Approximation,
    Solver,
    /// No invariant that was found keeps paths from this error.
    Error(Loc),
    /// The run was stopped.
    Stopped,
}

impl From<NotGeneral> for NotClosed {
    fn from(why: NotGeneral) -> NotClosed {
        NotClosed::General(why)
    }
}

/// What became of the trials at a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopReport {
    /// Where it begins.
    pub loc: Loc,
    /// States that were shown to lead to nothing.
    pub closed: u64,
    /// Why the last trial failed, if it did.
    pub open: Option<NotClosed>,
    pub trials: u64,
}

/// How it went with a state at a loop head.
pub enum Tried {
    /// Nothing that is looked for is reachable from there.
    Closed,
    /// It stays open; these inputs may lead to what is looked for.
    Open(Option<GivenInputs>),
}

/// Counts of all trials.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Stats {
    pub trials: u64,
    pub closed: u64,
    /// Instructions that were not executed, because rounds were skipped.
    pub skipped: u64,
    /// Counted work, in nanoseconds.
    pub work: u64,
}

/// What the first trial at a loop may take, in counted nanoseconds; four times as much each time.
/// Programs that are explored soon without any must not pay for them.
const FIRST_EFFORT: u64 = 1 << 27;
const MOST_TIMES_FOUR: u32 = 6;
/// All trials may take this much, and this share of what else is done, in percent.
const FREE_EFFORT: u64 = 1 << 28;
/// A state is tried when paths stopped at its head so often.
const VISITS: u32 = 3;
/// A question may take this much, in counted nanoseconds, and this part of the effort; one on
/// candidates this part of it.
const QUESTION: u64 = 1 << 30;
const QUESTION_SHARE: u64 = 2;
const BRIEF_SHARE: u64 = 8;

/// What is known of one loop head.
#[derive(Default)]
struct Point {
    visits: u32,
    trials: u32,
    /// Tried again at this visit.
    next: u32,
}

/// Decides which states are tried, and keeps the account.
pub struct Trials {
    /// What trials may take of all work, in percent. If they may not, rounds are only skipped.
    share: Option<u64>,
    points: FxHashMap<(FuncId, u32, u32), Point>,
    reports: BTreeMap<(FuncId, u32), LoopReport>,
    skips: Skips,
    stats: Stats,
}

impl Trials {
    pub fn new(share: Option<u64>) -> Trials {
        Trials {
            share,
            points: FxHashMap::default(),
            reports: BTreeMap::new(),
            skips: Skips::default(),
            stats: Stats::default(),
        }
    }

    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Of all loops that were tried, in the order of the program.
    pub fn into_reports(self) -> Vec<LoopReport> {
        self.reports.into_values().collect()
    }

    /// A path has come far in a loop, at whose head it is: skips rounds that go all the same way. How
    /// many instructions would they have been? At most so many.
    pub fn skip(&mut self, executor: &mut Executor, state: &mut State, most: u64) -> Option<u64> {
        let before = executor.solver.limit_work(Some(QUESTION));
        let skipped = self.skips.try_at(executor, state, most);
        executor.solver.limit_work(before);
        self.stats.skipped += skipped.unwrap_or(0);
        skipped
    }

    /// A path stopped at a loop head: tries to show that nothing that is looked for is reachable from
    /// there.
    pub fn try_at(&mut self, executor: &mut Executor, question: &Question<'_>, state: &State) -> Tried {
        let Some(share) = self.share else { return Tried::Open(None) };
        let frame = state.running();
        let (func, pc) = (frame.func, frame.pc);
        let point = self.points.entry((func, pc, frame.depth)).or_default();
        point.visits += 1;
        if point.visits < VISITS.max(point.next) {
            return Tried::Open(None);
        }
        let all = (question.work)(executor);
        let allowed = FREE_EFFORT + (all - self.stats.work.min(all)) / 100 * share;
        let effort = FIRST_EFFORT << (2 * point.trials.min(MOST_TIMES_FOUR));
        let left = allowed.saturating_sub(self.stats.work);
        if left < effort / 4 {
            return Tried::Open(None);
        }
        point.trials += 1;
        point.next = (point.visits + point.visits / 2).max(6);
        let effort = effort.min(left);
        let shown = with_limits(executor, effort, |executor| {
            let mut start = state.clone();
            executor.drop_implied_bounds(&mut start);
            Trial::new(executor, question, &start, effort).show(&start)
        });
        self.stats.work += (question.work)(executor).saturating_sub(all);
        self.stats.trials += 1;
        let loc = executor.state_location(state);
        let new = || LoopReport { loc, closed: 0, open: None, trials: 0 };
        let report = self.reports.entry((func, pc)).or_insert_with(new);
        report.trials += 1;
        match shown {
            Ok(inner) => {
                report.closed += 1;
                self.stats.closed += 1;
                point.next = 0;
                for (func, pc, loc) in inner {
                    let new = LoopReport { loc, closed: 0, open: None, trials: 0 };
                    self.reports.entry((func, pc)).or_insert(new).closed += 1;
                }
                Tried::Closed
            }
            Err((why, lead)) => {
                // What other values do not change is not tried again soon.
                if !matches!(why, NotClosed::Effort | NotClosed::Error(_) | NotClosed::Attempts | NotClosed::Solver) {
                    point.next = point.visits.saturating_mul(8).max(64);
                }
                report.open = Some(why);
                Tried::Open(lead)
            }
        }
    }
}

/// Has paths stop at loop heads, and questions cost no more than fits the effort, meanwhile.
fn with_limits<T>(executor: &mut Executor, effort: u64, run: impl FnOnce(&mut Executor) -> T) -> T {
    let stops = executor.stops();
    executor.stop_at(Stops::EveryLoopHead);
    let work = executor.solver.limit_work(Some(QUESTION.min(effort / QUESTION_SHARE)));
    let brief = executor.solver.limit_brief_checks(Some(QUESTION.min(effort / BRIEF_SHARE)));
    let result = run(executor);
    executor.solver.limit_work(work);
    executor.solver.limit_brief_checks(brief);
    executor.stop_at(stops);
    result
}
