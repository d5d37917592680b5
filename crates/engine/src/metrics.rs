//! What searchers ask about states.
//!
//! Most is read off the states when it is asked for. Kept here is what belongs to a path but not to
//! its execution: when it last entered new code, and what it cost. Costs are counted in work, at
//! fixed rates, and not measured: searches that prefer cheap paths stay reproducible.

use crate::focus::Focus;
use crate::states::{Open, States};
use espalier_analysis::{Distances, FromEntry, Scope, Site, Ways, targets};
use espalier_base::Rng;
use espalier_exec::{Executor, Line};
use espalier_ir::{BlockId, FuncId, Program};
use espalier_search::{Metrics, Needs, StateId};
use espalier_solver::Stats as SolverStats;
use espalier_tree::Tree;
use std::collections::BTreeSet;
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

/// Computing distances anew, for each stretch of code that has to be looked at, and weighing a
/// state with them.
pub(crate) const DISTANCE: u64 = 100;
pub(crate) const WEIGHING: u64 = 200;

/// How much further a target is from within a function from whose entry paths to it are known.
const INSIDE_JOINED: u64 = 10_000;

/// A step on the way to a target counts as so many times nearer than it is.
const PULL: u64 = 4;

/// Distances may take this part of the work before they are computed again.
const SHARE_OF_DISTANCES: u64 = 50;

/// The solver's work so far, in nanoseconds.
pub(crate) fn solver_cost(stats: &SolverStats) -> u64 {
    let SolverStats { queries, clauses, ticks, smt, constraints_after_slicing: related, .. } = stats;
    QUERY * queries + CONSTRAINT * related + CLAUSE * clauses + SAT_TICK * ticks + SMT_QUERY * smt.answers
}

/// All that was done so far, in nanoseconds: paths were run, and what pruning learns from them.
pub(crate) fn work(executor: &Executor) -> u64 {
    let instructions = executor.stats.instructions + executor.instructions_from_entries();
    let running = INSTRUCTION * instructions + FORK * executor.stats.forks;
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
    distances: Option<Distances>,
    to_uncovered: Option<TrackedWays>,
    to_target: Option<TrackedWays>,
    to_target_in_function: Option<TrackedWays>,
    /// The marks of targets, with their numbers.
    marks: Vec<(u32, Site)>,
    /// Steps on the way to targets, with how far they count as being from these.
    way_points: Vec<(u32, Site, u32)>,
    focus: Option<Focus>,
    /// Is a call of a function looked for, beside targets?
    is_wanted: fn(&str) -> bool,
    /// Functions from whose entries paths to targets are known: as good as targets.
    joined: BTreeSet<FuncId>,
    /// What all computations of ways but the first have cost.
    spent: u64,
    /// What was done by others than the states that are measured.
    elsewhere: u64,
    /// The solver's cost when it was last looked at.
    solver_cost: u64,
}

/// Ways to what is looked for, up to date now and then.
struct TrackedWays {
    ways: Ways,
    /// How much had been found of it when they were computed.
    found: u64,
}

impl Measurements {
    /// Also sets up what the executor has to count. Beside targets, calls of the functions that
    /// `is_wanted` names are looked for.
    pub(crate) fn new(executor: &mut Executor, needs: Needs, is_wanted: fn(&str) -> bool) -> Measurements {
        if needs.call_paths {
            executor.count_call_paths();
        }
        let needs_ways = needs.distances || needs.targets || needs.targets_in_function || needs.focus;
        let distances = needs_ways.then(|| Distances::new(executor.program(), executor.graphs().clone()));
        let mut measurements = Measurements {
            distances: None,
            to_uncovered: None,
            to_target: None,
            to_target_in_function: None,
            marks: targets::marks(executor.program()),
            way_points: Vec::new(),
            focus: None,
            is_wanted,
            joined: BTreeSet::new(),
            spent: 0,
            elsewhere: 0,
            solver_cost: solver_cost(executor.solver.stats()),
        };
        if let Some(distances) = distances {
            let scopes = [(needs.targets, Scope::Program), (needs.targets_in_function, Scope::Function)];
            let [program, function] =
                scopes.map(|(is_needed, scope)| is_needed.then(|| measurements.to_target(executor, &distances, scope)));
            measurements.to_uncovered = needs.distances.then(|| to_uncovered(executor, &distances));
            (measurements.to_target, measurements.to_target_in_function) = (program, function);
            measurements.distances = Some(distances);
        }
        measurements
    }

    fn to_target(&self, executor: &Executor, distances: &Distances, scope: Scope) -> TrackedWays {
        let program = executor.program();
        let is_open = |target: u32| executor.is_open_target(target);
        let marks = self.marks.iter().filter(|(target, _)| is_open(*target)).map(|(_, site)| (*site, 1));
        let way_points = self.way_points.iter().filter(|(target, ..)| is_open(*target));
        let others = targets::call_sites(program, self.is_wanted).into_iter();
        let others = others.chain(self.joined.iter().map(|&func| Site { func, pc: 0 })).map(|site| (site, 1));
        let places = marks.chain(way_points.map(|&(_, site, distance)| (site, distance))).chain(others);
        let ways = distances.ways_to(program, scope, places);
        TrackedWays { ways, found: self.targets_found(executor) }
    }

    fn marks_of(&self, target: u32) -> impl Iterator<Item = Site> {
        self.marks.iter().filter(move |(of, _)| *of == target).map(|(_, site)| *site)
    }

    /// What leads to a target: its marks, and the steps on the way.
    fn places_of(&self, target: u32) -> impl Iterator<Item = (Site, u32)> {
        let way_points = self.way_points.iter().filter(move |(of, ..)| *of == target);
        self.marks_of(target).map(|site| (site, 1)).chain(way_points.map(|&(_, site, distance)| (site, distance)))
    }

    /// Has targets be in focus, if that is asked for, those near the program's start first; and has
    /// the steps of their flows draw the search.
    pub(crate) fn begin(&mut self, executor: &Executor, entry: FuncId, needs: Needs, flows: &[Vec<Vec<Line>>]) {
        let Some(distances) = self.distances.take() else { return };
        let from_start = distances.from_entry(executor.program(), entry);
        let to = |target| self.marks_of(target).filter_map(|site| from_start.to(site)).min();
        let targets: Vec<Option<u64>> = (0..executor.all_targets() as u32).map(to).collect();
        for ((target, flows), distance) in (0..).zip(flows).zip(&targets) {
            let points = flows.iter().flat_map(|flow| way_points(executor.program(), &from_start, flow, *distance));
            self.way_points.extend(points.map(|(site, distance)| (target, site, distance)));
        }
        if !self.way_points.is_empty() && needs.targets {
            self.to_target = Some(self.to_target(executor, &distances, Scope::Program));
        }
        self.focus = needs.focus.then(|| Focus::new(targets));
        self.distances = Some(distances);
    }

    /// Goes on to the next target if the one in focus has had its slice. Is it another one now?
    pub(crate) fn update_focus(&mut self, executor: &Executor, states: &States) -> bool {
        let Some(mut focus) = self.focus.take() else { return false };
        let places = |target| self.places_of(target).collect();
        let distances = self.distances.as_ref();
        let is_new = distances.is_some_and(|distances| focus.advance(executor, states, distances, places));
        self.focus = Some(focus);
        is_new
    }

    /// A turn was for the target in focus.
    pub(crate) fn charge_focus(&mut self, work: u64) {
        self.focus.iter_mut().for_each(|focus| focus.charge(work));
    }

    /// So much work was done by others than the states that are measured.
    pub(crate) fn leave_out(&mut self, work: u64) {
        self.elsewhere = work;
    }

    /// From a function's entry, a path to a target is known.
    pub(crate) fn join(&mut self, function: FuncId) {
        self.joined.insert(function);
    }

    /// How much changed of what distances to targets depend on.
    fn targets_found(&self, executor: &Executor) -> u64 {
        (executor.all_targets() - executor.open_targets() + self.joined.len()) as u64
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
        let Some(distances) = &self.distances else { return false };
        let (covered, met) = (executor.coverage().discovered(), self.targets_found(executor));
        let is_old = |ways: &Option<TrackedWays>, found| ways.as_ref().is_some_and(|ways| ways.found != found);
        let is_target_old = is_old(&self.to_target, met) || is_old(&self.to_target_in_function, met);
        if !is_target_old && !is_old(&self.to_uncovered, covered) {
            return false;
        }
        let work = INSTRUCTION * executor.stats.instructions + solver_cost(executor.solver.stats());
        if self.spent > work / SHARE_OF_DISTANCES {
            return false;
        }
        let to_uncovered = self.to_uncovered.as_ref().map(|_| to_uncovered(executor, distances));
        let to_target = self.to_target.as_ref().map(|_| self.to_target(executor, distances, Scope::Program));
        let in_function = self.to_target_in_function.as_ref();
        let in_function = in_function.map(|_| self.to_target(executor, distances, Scope::Function));
        let all = [&to_uncovered, &to_target, &in_function];
        let looked_at: u64 = all.into_iter().flatten().map(|tracked| tracked.ways.work).sum();
        self.spent += DISTANCE * looked_at + WEIGHING * open as u64;
        (self.to_uncovered, self.to_target, self.to_target_in_function) = (to_uncovered, to_target, in_function);
        true
    }
}

/// The steps of a flow, each as far as a quarter of the rest of it. How long that is follows from
/// how far its steps are from the program's start, which is known of all of them at once.
fn way_points(program: &Program, from_start: &FromEntry<'_>, flow: &[Line], end: Option<u64>) -> Vec<(Site, u32)> {
    let mut points = Vec::new();
    let (mut rest, mut next) = (0_u64, end);
    for step in flow.iter().rev() {
        let sites = targets::sites_at(program, step.file, step.line, None);
        let Some(distance) = sites.iter().filter_map(|site| from_start.to(*site)).min() else { continue };
        rest = rest.saturating_add(next.map_or(0, |next| next.abs_diff(distance)));
        next = Some(distance);
        let nearness = u32::try_from(rest / PULL).unwrap_or(u32::MAX);
        points.extend(sites.into_iter().map(|site| (site, nearness.saturating_add(1))));
    }
    points
}

fn to_uncovered(executor: &Executor, distances: &Distances) -> TrackedWays {
    let (program, coverage) = (executor.program(), executor.coverage());
    let functions = program.functions.iter().enumerate().map(|(index, function)| (FuncId::new(index), function));
    let places = functions.flat_map(|(func, function)| {
        let blocks = function.blocks.iter().enumerate();
        let uncovered = blocks.filter(move |(block, _)| !coverage.is_known(func, BlockId::new(*block)));
        uncovered.map(move |(_, block)| (Site { func, pc: block.start }, 1))
    });
    let ways = distances.ways_to(program, Scope::Program, places);
    TrackedWays { ways, found: coverage.discovered() }
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

impl View<'_> {
    /// Ways to the target in focus.
    fn focus(&self) -> Option<&Ways> {
        self.measurements.focus.as_ref()?.ways(self.executor)
    }

    fn distance(&self, ways: &Ways, id: StateId) -> Option<u64> {
        let distances = self.measurements.distances.as_ref()?;
        let frames = self.states.get(id).frames().map(|frame| (frame.func, frame.pc));
        distances.from_stack(self.executor.program(), ways, frames)
    }

    /// The same to a target. A state that is in a function from whose entry paths are known could
    /// take none of them when it called it: those that have yet to call it go first.
    fn distance_to_target(&self, tracked: &Option<TrackedWays>, id: StateId) -> Option<u64> {
        let joined = &self.measurements.joined;
        let mut frames = self.states.get(id).frames().map(|frame| frame.func).peekable();
        let mut is_inside = false;
        // Stacks can be deep.
        while let Some(function) = frames.next().filter(|_| !joined.is_empty() && !is_inside) {
            is_inside = frames.peek().is_some() && joined.contains(&function);
        }
        let distance = self.distance(&tracked.as_ref()?.ways, id)?;
        Some(if is_inside { distance.saturating_add(INSIDE_JOINED) } else { distance })
    }
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
        self.distance(&self.measurements.to_uncovered.as_ref()?.ways, id)
    }

    fn distance_to_target(&self, id: StateId) -> Option<u64> {
        self.distance_to_target(&self.measurements.to_target, id)
    }

    fn distance_to_target_in_function(&self, id: StateId) -> Option<u64> {
        self.distance_to_target(&self.measurements.to_target_in_function, id)
    }

    fn has_focus(&self) -> bool {
        self.focus().is_some()
    }

    fn distance_to_focus(&self, id: StateId) -> Option<u64> {
        self.distance(self.focus()?, id)
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
        Duration::from_nanos(work(self.executor).saturating_sub(self.measurements.elsewhere))
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
