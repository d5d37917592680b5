//! What searchers ask about states.
//!
//! Most is read off the states when it is asked for. Kept here is what belongs to a path but not to
//! its execution: when it last entered new code, and what it cost. Costs are counted in work, at
//! fixed rates, and not measured: searches that prefer cheap paths stay reproducible.

use crate::states::{Open, States};
use espalier_analysis::Distances;
use espalier_base::Rng;
use espalier_exec::Executor;
use espalier_search::{Metrics, Needs, StateId};
use espalier_solver::Stats as SolverStats;
use espalier_tree::Tree;
use std::time::Duration;

/// What one of these takes, in nanoseconds, on a machine of our own.
const INSTRUCTION: u64 = 30;
const QUERY: u64 = 1_000;
/// A constraint that a question has to do with, to be evaluated.
const CONSTRAINT: u64 = 500;
const CLAUSE: u64 = 300;
const SAT_TICK: u64 = 10;
const SMT_QUERY: u64 = 20_000_000;
const FORK: u64 = 8_000;
const REPLAYED_INSTRUCTION: u64 = 180;
const PART: u64 = 90;

/// Computing the distances anew, for each instruction that has to be looked at, and weighing a
/// state with them.
const DISTANCE: u64 = 120;
const WEIGHING: u64 = 200;

/// Distances may take this part of the work before they are computed again.
const SHARE_OF_DISTANCES: u64 = 50;

/// The solver's work so far, in nanoseconds.
pub(crate) fn solver_cost(stats: &SolverStats) -> u64 {
    let SolverStats { queries, clauses, ticks, smt, constraints_after_slicing: related, .. } = stats;
    QUERY * queries + CONSTRAINT * related + CLAUSE * clauses + SAT_TICK * ticks + SMT_QUERY * smt.answers
}

/// All that was done so far, in nanoseconds: paths were run, and what pruning learns from them.
fn work(executor: &Executor) -> u64 {
    let running = INSTRUCTION * executor.stats.instructions + FORK * executor.stats.forks;
    let learning = REPLAYED_INSTRUCTION * executor.replayed_instructions() + PART * executor.terms.parts_visited();
    running + learning + solver_cost(executor.solver.stats())
}

/// What is kept of an open state.
#[derive(Copy, Clone, Default)]
pub(crate) struct Measured {
    /// The path's instructions when it last entered new code.
    new_code_at: Option<u64>,
    /// In nanoseconds.
    query_cost: u64,
    turn_cost: u64,
}

/// What is kept of all open states together.
pub(crate) struct Measurements {
    distances: Option<TrackedDistances>,
    /// The solver's cost when it was last looked at.
    solver_cost: u64,
}

/// Distances to code that no path has entered, up to date now and then.
struct TrackedDistances {
    distances: Distances,
    /// Blocks that were covered when they were computed.
    discovered: u64,
    /// What all computations but the first have cost.
    spent: u64,
}

impl Measurements {
    /// Also sets up what the executor has to count.
    pub(crate) fn new(executor: &mut Executor, needs: Needs) -> Measurements {
        if needs.call_paths {
            executor.count_call_paths();
        }
        let distances = needs.distances.then(|| TrackedDistances::new(executor));
        Measurements { distances, solver_cost: solver_cost(executor.solver.stats()) }
    }

    pub(crate) fn begin_turn(&mut self, measured: &mut Measured, solver: &SolverStats) {
        self.solver_cost = solver_cost(solver);
        measured.turn_cost = 0;
    }

    /// A state ran. What it cost since its turn began.
    pub(crate) fn ran(&mut self, measured: &mut Measured, instructions: u64, solver: &SolverStats) -> Duration {
        let now = solver_cost(solver);
        let queries = now - std::mem::replace(&mut self.solver_cost, now);
        measured.query_cost += queries;
        measured.turn_cost += queries + INSTRUCTION * instructions;
        Duration::from_nanos(measured.turn_cost)
    }

    /// Computes the distances anew if it is time to. Are they other ones now?
    pub(crate) fn update_distances(&mut self, executor: &Executor, open: usize) -> bool {
        self.distances.as_mut().is_some_and(|distances| distances.update(executor, open))
    }
}

impl TrackedDistances {
    fn new(executor: &Executor) -> TrackedDistances {
        let distances = Distances::new(executor.program(), executor.graphs().clone());
        let mut distances = TrackedDistances { distances, discovered: 0, spent: 0 };
        distances.compute(executor);
        distances
    }

    /// What did it cost?
    fn compute(&mut self, executor: &Executor) -> u64 {
        let coverage = executor.coverage();
        self.discovered = coverage.discovered();
        let is_wanted = |function, block| !coverage.is_known(function, block);
        DISTANCE * self.distances.look_for(executor.program(), is_wanted)
    }

    fn update(&mut self, executor: &Executor, open: usize) -> bool {
        if executor.coverage().discovered() == self.discovered {
            return false;
        }
        let work = INSTRUCTION * executor.stats.instructions + solver_cost(executor.solver.stats());
        let is_due = self.spent <= work / SHARE_OF_DISTANCES;
        if is_due {
            self.spent += self.compute(executor) + WEIGHING * open as u64;
        }
        is_due
    }
}

impl Open {
    /// The state entered new code in the instructions that it ran last.
    pub(crate) fn covered_new(&mut self) {
        self.measured.new_code_at = Some(self.state.instructions());
    }
}

/// Answers the searchers' questions.
pub(crate) struct View<'a> {
    pub(crate) executor: &'a Executor,
    pub(crate) states: &'a States,
    pub(crate) measurements: &'a Measurements,
    pub(crate) tree: &'a Tree,
    pub(crate) repeats: u64,
    pub(crate) room: u64,
}

impl Metrics for View<'_> {
    fn depth(&self, id: StateId) -> u32 {
        self.states.get(id).depth()
    }

    fn since_new_code(&self, id: StateId) -> Option<u64> {
        let at = self.states.open(id).measured.new_code_at?;
        Some(self.states.get(id).instructions() - at)
    }

    fn distance_to_uncovered(&self, id: StateId) -> Option<u64> {
        let distances = &self.measurements.distances.as_ref()?.distances;
        distances.from_stack(self.states.get(id).frames().map(|frame| (frame.func, frame.pc)))
    }

    fn executed_here(&self, id: StateId) -> u64 {
        let top = self.states.get(id).running();
        self.executor.coverage().count_at(top.func, top.pc)
    }

    fn executed_on_call_path(&self, id: StateId) -> u64 {
        self.executor.executed_on_call_path(self.states.get(id))
    }

    fn query_cost(&self, id: StateId) -> Duration {
        Duration::from_nanos(self.states.open(id).measured.query_cost)
    }

    fn turn_cost(&self, id: StateId) -> Duration {
        Duration::from_nanos(self.states.open(id).measured.turn_cost)
    }

    fn work(&self) -> Duration {
        Duration::from_nanos(work(self.executor))
    }

    fn repeats(&self) -> u64 {
        self.repeats
    }

    fn room(&self) -> u64 {
        self.room
    }

    fn random_leaf(&self, rng: &mut Rng) -> Option<StateId> {
        self.tree.random_leaf(rng).map(StateId)
    }
}
