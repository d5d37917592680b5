//! The loop: picks a state, runs it, and deals with what came of it; how paths end, and what is
//! told of them. What becomes of the execution tree is in `growing`.

use crate::backward::Backward;
use crate::clock::Clock;
use crate::config::{Approach, Config, Loops, Only, Tests};
use crate::groups::{CutKind, Groups};
use crate::growing::{Pruning, plant};
use crate::metrics::{Measurements, View, work};
use crate::observer::{EndedPath, Observer, Progress};
use crate::outcome::{CoverageCounts, Outcome, PathCounts, Stop};
use crate::parking::Parking;
use crate::recording::Recorder;
use crate::restoring::EarlierLimits;
use crate::seeding::Seeding;
use crate::sharing::event::Report;
use crate::sharing::worker::Membership;
use crate::states::States;
use crate::uniting::Merges;
use crate::watch::{Known, LastWords, Watch, Watched};
use espalier_base::{OptionalLimit, StopFlag, StopReason};
use espalier_exec::{
    Cut, CutReason, End, Executor, GivenInputs, State, Step, Stops, TestCase, Violation, ViolationKind, doubt,
};
use espalier_ir::{FuncId, Loc, Program};
use espalier_loops::Trials;
use espalier_prune::Stats as PruneStats;
use espalier_search::{Batch, Searcher, StateId, Turn, UnknownSearcher};
use espalier_solver::Reason;
use espalier_tree::Tree;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Instructions that a state may run before another one is picked, unless the searcher wants it
/// otherwise.
const SHARE: u64 = 10_000;

/// States forked in a turn inherit what is left of it up to this part of the run so far: at first,
/// where chance matters most, next to nothing.
const INHERITED: u64 = 20;

/// Why a run cannot begin.
#[derive(Debug, Error)]
pub enum Error {
    #[error(transparent)]
    Search(#[from] UnknownSearcher),
    #[error(transparent)]
    Load(#[from] espalier_exec::LoadError),
}

/// What searchers may ask of an engine's states.
macro_rules! view {
    ($engine:ident) => {
        &View {
            executor: &$engine.executor,
            states: &$engine.states,
            measurements: &$engine.measurements,
            tree: &$engine.tree,
            repeats: $engine.repeats(),
            room: $engine.parking.room_for_states(),
        }
    };
}
pub(crate) use view;

/// Is it beyond doubt that the program does what a path came to?
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Certainty {
    Certain,
    Doubtful,
}

/// So many doubtful findings are confirmed natively.
const MOST_CONFIRMATIONS: u32 = 8;

/// One worker: an executor, its open states, and the searcher that orders them.
pub struct Engine {
    pub(crate) executor: Executor,
    /// Where paths begin.
    pub(crate) entry: FuncId,
    pub(crate) tree: Tree,
    pub(crate) recorder: Recorder,
    pub(crate) states: States,
    pub(crate) parking: Parking,
    pub(crate) searcher: Box<dyn Searcher>,
    /// States that the searcher wants when nothing else is left.
    pub(crate) set_aside: BTreeSet<StateId>,
    pub(crate) measurements: Measurements,
    /// While seeds are followed.
    pub(crate) seeding: Option<Seeding>,
    pub(crate) pruning: Option<Pruning>,
    /// Are states dropped, without pruning, from which no target can be reached?
    pub(crate) drops_irrelevant: bool,
    /// The search backwards, if targets are looked for in this way too.
    pub(crate) backward: Option<Box<Backward>>,
    /// Paths that wait where they close merges.
    pub(crate) merges: Merges,
    /// Loops that were tried to be closed, with pruning, and rounds that were skipped.
    pub(crate) trials: Option<Trials>,
    /// Inputs that may lead to what is looked for, and the last that were tried.
    pub(crate) lead: Option<GivenInputs>,
    pub(crate) last_lead: Option<GivenInputs>,
    /// What pruning did before it was given up.
    pub(crate) gave_up: Option<PruneStats>,
    pub(crate) config: Config,
    /// Raised when the run has to stop, whatever the reason.
    pub(crate) stop: StopFlag,
    /// One that others may raise.
    pub(crate) asked: StopFlag,
    pub(crate) last_words: Option<LastWords>,
    pub(crate) watch: Option<Watch>,
    /// Until when what was found when the run was stopped may be written down.
    pub(crate) grace: Option<Instant>,
    pub(crate) clock: Clock,
    pub(crate) paths: PathCounts,
    pub(crate) groups: Groups,
    /// Errors reported so far: kind, place, and the innermost place where the two differ.
    pub(crate) known_errors: FxHashSet<(ViolationKind, Loc, Loc)>,
    /// Those of them that are beyond doubt.
    pub(crate) certain_errors: FxHashSet<(ViolationKind, Loc, Loc)>,
    /// Native runs that were asked for.
    confirmations: u32,
    pub(crate) forks: u64,
    /// Blocks that were covered when that was last looked at.
    pub(crate) covered: u64,
    pub(crate) tests: u64,
    /// How long earlier runs explored the same tree.
    pub(crate) explored_before: Duration,
    pub(crate) missing_tests: u64,
    pub(crate) observer_error: Option<String>,
    /// The limits of earlier runs on the same tree, by their numbers.
    pub(crate) earlier_limits: FxHashMap<u64, EarlierLimits>,
    /// How often states were taken up again.
    pub(crate) lives: u64,
    /// So many batches of the tree were damaged when it was read.
    pub(crate) damaged: u64,
    /// If it is one of several workers on a tree.
    pub(crate) membership: Option<Box<Membership>>,
    /// If others explored the tree: how far they came.
    pub(crate) crew_reports: Vec<Report>,
}

impl Engine {
    pub fn new(program: Rc<Program>, entry: FuncId, config: Config) -> Result<Engine, Error> {
        let search = if config.approach == Approach::Backward { &config.search_backward } else { &config.search };
        let mut searcher = search.build(config.seed)?;
        config.search_backward.build(config.seed)?;
        let mut solver = config.solver.clone();
        solver.max_query_time = config.limits.max_solver_time;
        // A proof may hang on one question; tests are better had from other paths.
        solver.shares_work = config.interpolation.is_none();
        let mut exec = config.exec.clone();
        exec.forks_on_links = config.interpolation.is_none();
        let mut executor = Executor::new(program, solver, exec)?;
        // Invariants are about all states, even those from which nothing that is looked for can be
        // reached.
        let has_targets = config.only == Only::Targets && config.replays.is_empty();
        let is_directed = (config.interpolation.is_some() || has_targets) && !config.keep_invariants;
        if let Some(target) = config.only.target().filter(|_| is_directed) {
            executor.look_for(target);
        }
        let (mut tree, states, roots) = plant(initial_states(&mut executor, entry, &config)?);
        let root = roots[0];
        let recorder = Recorder::new(tree.root().expect("it has just been planted"));
        let is_wanted = config.only.target().unwrap_or(|_| false);
        let mut measurements = Measurements::new(&mut executor, searcher.needs(), is_wanted);
        if searcher.needs().focus || !config.flows.is_empty() {
            measurements.begin(&executor, entry, searcher.needs(), &config.flows);
        }
        if searcher.needs().walks {
            tree.keep_walks();
        }
        let view = View {
            executor: &executor,
            states: &states,
            measurements: &measurements,
            tree: &tree,
            repeats: 0,
            room: u64::MAX,
        };
        searcher.add(&view, None, &roots);
        let pruning = config.interpolation.map(|method| {
            let mut pruning = Pruning::new(&config, method);
            let slot = states.open(root).slot;
            pruning.pruner.begin(&executor, None, slot, tree.id(slot), states.get(root));
            executor.stop_at(if config.keep_invariants { Stops::EveryLoopHead } else { Stops::Joins });
            pruning
        });
        let may_skip = config.loops != Loops::Unroll && tells_all_but_paths(&config);
        let share = (config.loops == Loops::Prove && pruning.is_some()).then_some(config.loop_effort);
        let trials = may_skip.then(|| Trials::new(share));
        if pruning.is_none() && may_skip {
            executor.stop_at(Stops::InLongLoops);
        }
        let drops_irrelevant = has_targets && pruning.is_none() && executor.all_show_at_once();
        Ok(Engine {
            executor,
            entry,
            tree,
            recorder,
            states,
            // A path that others became a part of cannot be executed again.
            parking: Parking::new(config.limits.max_memory.filter(|_| config.merging.is_none()), config.seed),
            searcher,
            set_aside: BTreeSet::new(),
            measurements,
            seeding: Seeding::new(config.seeds.clone()),
            drops_irrelevant,
            pruning,
            backward: None,
            merges: Merges::default(),
            trials,
            lead: None,
            last_lead: None,
            gave_up: None,
            stop: StopFlag::new(),
            asked: StopFlag::new(),
            last_words: None,
            watch: None,
            grace: None,
            clock: Clock::start(&config.limits),
            config,
            paths: PathCounts::default(),
            groups: Groups::default(),
            known_errors: FxHashSet::default(),
            certain_errors: FxHashSet::default(),
            confirmations: 0,
            forks: 0,
            covered: 0,
            tests: 0,
            explored_before: Duration::ZERO,
            missing_tests: 0,
            observer_error: None,
            earlier_limits: FxHashMap::default(),
            lives: 0,
            damaged: 0,
            membership: None,
            crew_reports: Vec::new(),
        })
    }

    /// Lets `flag` end the run, instead of one that nobody else has.
    pub fn stop_with(&mut self, flag: StopFlag) {
        self.asked = flag;
    }

    /// Has the process ended if the run does not stop when it should, after `last_words` were said.
    /// Without this, a run may stop late.
    pub fn end_by_force(&mut self, last_words: LastWords) {
        self.last_words = Some(last_words);
    }

    /// Explores until every path ended or something stops it.
    pub fn run(mut self, observer: &mut dyn Observer) -> Outcome {
        self.start_watch();
        self.begin_backward();
        let leftovers = self.report_leftovers(observer);
        let mut stop = leftovers.err().or_else(|| self.explore(observer));
        let why = stop.map_or_else(|| "everything was explored".to_owned(), |stop| format!("{stop:?}"));
        self.finish_recording(&why);
        if let Some(reason) = stop.filter(|&stop| stop != Stop::Observer) {
            stop = self.wind_up(reason, observer).err().or(stop);
        }
        self.outcome(stop)
    }

    /// Has limits be kept from now on.
    pub(crate) fn start_watch(&mut self) {
        self.executor.stop_with(self.stop.clone(), self.clock.deadline());
        self.watch = Some(Watch::start(Watched {
            stop: self.stop.clone(),
            asked: self.asked.clone(),
            memory: self.clock.shared_memory(),
            last_words: self.last_words.take(),
            ..Watched::new(&self.config.limits, self.clock.start_time(), self.clock.deadline())
        }));
    }

    /// Explores until nothing is left or something stops it.
    pub(crate) fn explore(&mut self, observer: &mut dyn Observer) -> Option<Stop> {
        let mut stop = None;
        while stop.is_none() {
            if self.measurements.update_distances(&self.executor, self.states.len()) {
                self.searcher.distances_changed(view!(self));
            }
            if self.measurements.update_focus(&self.executor, &self.states) {
                self.searcher.focus_changed(view!(self));
            }
            match self.take_backward_turn(observer) {
                Ok(false) => {}
                turn => {
                    stop = turn.err();
                    continue;
                }
            }
            self.release_merges();
            let seeded = self.next_seeded();
            if self.config.only_seed && seeded.is_none() {
                stop = (self.states.len() > 0).then_some(Stop::SeedsFollowed);
                break;
            }
            let picked = seeded
                .or_else(|| self.searcher.pick(view!(self)))
                .or_else(|| self.take_set_aside())
                .or_else(|| self.take_waiting())
                .or_else(|| self.take_unmerged());
            if seeded.is_none() {
                self.hold_learning();
            }
            let before = (seeded.is_none() && self.searcher.picked_for_focus()).then(|| work(&self.executor));
            let turn = match picked {
                Some(state) => {
                    let turn = self.take_turn(state, observer);
                    if let Some(before) = before {
                        self.measurements.charge_focus(work(&self.executor).saturating_sub(before));
                    }
                    turn.and_then(|()| self.make_room())
                }
                None => match self.take_up_parked() {
                    Ok(false) => {
                        stop = (self.parking.unfinished() > 0).then_some(Stop::Selected);
                        break;
                    }
                    other => other.map(|_| ()),
                },
            };
            stop = turn.and_then(|()| self.give_when_asked()).err();
        }
        stop
    }

    /// The state on the path of a seed, while there are seeds.
    fn next_seeded(&mut self) -> Option<StateId> {
        let seeding = self.seeding.as_mut()?;
        if seeding.current().is_none() && !seeding.advance(&self.executor.terms, || Box::new(self.states.numbered())) {
            self.seeding = None;
            return None;
        }
        seeding.current()
    }

    /// Runs a state until its turn is over; and, if it ends sooner, those that were forked in this
    /// turn.
    pub(crate) fn take_turn(&mut self, id: StateId, observer: &mut dyn Observer) -> Result<(), Stop> {
        let is_seeded = self.seeding.as_ref().is_some_and(|seeding| seeding.current() == Some(id));
        let turn = if is_seeded { Turn::ToTheFork } else { self.searcher.turn() };
        let mut share = match turn {
            Turn::ToTheEnd => u64::MAX,
            Turn::Share | Turn::ToTheFork => SHARE,
            Turn::Batch(Batch { instructions, .. }) => instructions.limit().unwrap_or(u64::MAX),
        };
        let inherited = if turn == Turn::Share { SHARE.min(self.executor.stats.instructions / INHERITED) } else { 0 };
        let not_inherited = share - inherited;
        let mut heirs = Vec::new();
        let mut next = Some(id);
        while let Some(id) = next {
            self.run_state(id, turn, &mut share, &mut heirs, observer)?;
            next = heirs.pop().filter(|_| share > not_inherited && !self.is_asked_to_give());
        }
        Ok(())
    }

    /// Runs a state until it ends, its share is used up, or what else ends a turn. `heirs` gets
    /// what it forked, those that go on first at the end.
    fn run_state(
        &mut self,
        id: StateId,
        turn: Turn,
        share: &mut u64,
        heirs: &mut Vec<StateId>,
        observer: &mut dyn Observer,
    ) -> Result<(), Stop> {
        if self.prune_fresh(id) {
            return self.look(0, observer);
        }
        let time = match turn {
            Turn::Batch(Batch { time, .. }) => time.limit(),
            _ => None,
        };
        self.measurements.begin_turn(&mut self.states.open_mut(id).measured, self.executor.solver.stats());
        loop {
            let budget = self.clock.budget().min(*share).min(self.instructions_left()?);
            let before = self.executor.stats.instructions;
            let step = self.executor.run(self.states.get_mut(id), budget);
            let used = self.executor.stats.instructions - before;
            let measured = &mut self.states.open_mut(id).measured;
            let cost = self.measurements.ran(measured, used, self.executor.solver.stats());
            *share = share.saturating_sub(used);
            if let Some(seeding) = self.seeding.as_mut().filter(|seeding| seeding.current() == Some(id)) {
                seeding.executed(used);
            }
            if self.executor.was_cut_short() {
                // What came out of it means nothing: the state stays open.
                return self.require_time();
            }
            // Where the clock alone interrupted a state differs from run to run: a searcher must
            // not learn of it.
            if *share == 0 || !matches!(step, Step::Budget) {
                self.note_coverage(id);
            }
            self.relay(observer)?;
            let closed = self.states.open_mut(id).state.take_closed();
            let (goes_on, forked) = match step {
                Step::Budget => match closed {
                    Some((merge, opened_at)) => {
                        self.arrive(id, merge, opened_at)?;
                        (false, false)
                    }
                    None => (true, false),
                },
                // What is nearer than what it called goes first.
                Step::Entered => (true, !self.entered(id)),
                Step::Fork(children) => (self.fork(id, children, heirs, observer)?, true),
                Step::Join => {
                    self.skip_rounds(id);
                    self.join(id);
                    let goes_on = !self.prune_fresh(id);
                    self.follow_lead(observer)?;
                    (goes_on, false)
                }
                Step::End(end) => {
                    self.close(id, end, observer)?;
                    (false, false)
                }
            };
            self.look(used, observer)?;
            if !goes_on {
                return Ok(());
            }
            let is_out_of_time = forked && time.is_some_and(|time| cost >= time);
            let is_over = *share == 0 || is_out_of_time || self.is_asked_to_give();
            if is_over || forked && turn == Turn::ToTheFork {
                self.end_turn(id);
                return Ok(());
            }
        }
    }

    /// Does another worker wait for something to do?
    fn is_asked_to_give(&self) -> bool {
        self.membership.as_ref().is_some_and(|membership| membership.is_asked())
    }

    /// Tells the searcher if a state entered new code.
    fn note_coverage(&mut self, id: StateId) {
        let covered = self.executor.coverage().discovered();
        let new = covered - std::mem::replace(&mut self.covered, covered);
        if new > 0 {
            self.states.open_mut(id).covered_new();
            self.searcher.covered_new(id, new);
        }
    }

    /// Instructions that were executed from functions' entries count too.
    pub(crate) fn instructions_left(&self) -> Result<u64, Stop> {
        let executed = self.executor.stats.instructions + self.executor.instructions_from_entries();
        match self.config.limits.max_instructions {
            None => Ok(u64::MAX),
            Some(limit) => match limit.saturating_sub(executed) {
                0 => Err(Stop::MaxInstructions),
                left => Ok(left),
            },
        }
    }

    pub(crate) fn look(&mut self, used: u64, observer: &mut dyn Observer) -> Result<(), Stop> {
        self.require_time()?;
        self.clock.look(used)?;
        if self.clock.is_tick() {
            observer.tick(&self.progress());
            self.note_all();
            self.write_down_when_due()?;
            self.keep_in_touch()?;
        }
        Ok(())
    }

    /// Fails if something stops the run.
    pub(crate) fn require_time(&self) -> Result<(), Stop> {
        if self.asked.is_asked() {
            self.stop.ask();
        }
        match self.stop.reason() {
            None => Ok(()),
            Some(StopReason::Asked) => Err(Stop::Interrupted),
            Some(StopReason::Time) => Err(Stop::MaxTime),
            Some(StopReason::Memory) => Err(Stop::MaxMemory),
        }
    }

    /// Says how far the run is, for the case that it has to be ended by force.
    fn note_all(&self) {
        let Some(watch) = &self.watch else { return };
        let solver = self.executor.solver.stats();
        let coverage = CoverageCounts::new(self.executor.coverage(), &BTreeMap::new());
        watch.note(|known| {
            self.note_paths(known);
            known.open_states = self.states.len() as u64 + self.parking.unfinished();
            known.targets = self.executor.all_targets() as u64;
            known.open_targets = self.executor.open_targets() as u64;
            known.instructions = self.executor.stats.instructions;
            known.forks = self.forks;
            known.coverage = coverage;
            known.exec = self.executor.stats.clone();
            known.solver_time = solver_time(solver);
            known.solver = solver.clone();
        });
    }

    fn note_paths(&self, known: &mut Known) {
        known.paths = self.paths;
        known.distinct_errors = self.distinct_errors();
    }

    pub(crate) fn distinct_errors(&self) -> u64 {
        self.known_errors.iter().filter(|(kind, ..)| !is_target(*kind)).count() as u64
    }

    pub(crate) fn reached_targets(&self) -> BTreeMap<u32, bool> {
        let mut reached = BTreeMap::new();
        for error in &self.known_errors {
            if let (ViolationKind::Target(target), ..) = *error {
                *reached.entry(target).or_default() |= self.certain_errors.contains(error);
            }
        }
        reached
    }

    pub(crate) fn cut_for_depth(&self, state: &State) -> Option<End> {
        let limit = self.config.limits.max_depth.filter(|&limit| state.depth() > limit)?;
        Some(self.limit_at(state, CutReason::MaxDepth(limit)))
    }

    pub(crate) fn cut_for_forks(&self, state: &State) -> Option<End> {
        let limit = self.config.limits.max_forks.filter(|&limit| self.forks >= limit)?;
        Some(self.limit_at(state, CutReason::MaxForks(limit)))
    }

    pub(crate) fn limit_at(&self, state: &State, reason: CutReason) -> End {
        let loc = self.executor.state_location(state);
        End::Limit(Box::new(Cut { reason, loc, stack: self.executor.stack_trace(state) }))
    }

    /// Counts a path that ended and tells the observer.
    pub(crate) fn end(&mut self, state: &State, end: End, observer: &mut dyn Observer) -> Result<Certainty, Stop> {
        if matches!(end, End::SolverUnknown(_)) && self.is_time_up() {
            // The solver gave up because the run is over: the path is open, not undecidable.
            self.groups.open.add(self.executor.state_location(state));
            return Ok(Certainty::Certain);
        }
        if let End::Violation(violation) = &end
            && !self.asks_for(violation.kind())
        {
            self.paths.other_errors += 1;
            self.count_approximations(state);
            return Ok(Certainty::Certain);
        }
        let is_doubtful = doubt(state.approximations()).is_some();
        let (met, is_close) = self.answers_to(&end);
        let is_known_error = match &end {
            End::Violation(violation) => self.note_error(violation, &met, is_doubtful),
            _ => false,
        };
        if matches!(end, End::Violation(_)) && !is_known_error {
            self.recorder.hurry();
        }
        self.count(state, &end);
        let test = self.wants_test(state, &end, is_known_error).then(|| self.test_case(state, &end));
        let may_be_confirmed = matches!((&end, &test), (End::Violation(_), Some(Ok(_))));
        self.tell(state, &end, (is_known_error, &met), test, observer)?;
        let is_certain = !is_doubtful || may_be_confirmed && self.confirms(observer);
        if matches!(end, End::Violation(_))
            && let Some(watch) = &self.watch
        {
            watch.note(|known| self.note_paths(known));
        }
        let goes_on = match met.is_empty() {
            false if !is_certain => Ok(()),
            false => {
                for &target in &met {
                    self.note_joined(target, state);
                    self.executor.close_target(target);
                }
                if self.executor.open_targets() == 0 { Err(Stop::AllTargets) } else { Ok(()) }
            }
            true => match &end {
                End::Violation(_) if self.config.exit_on_error && is_certain => Err(Stop::FirstError),
                End::Violation(violation) if self.config.exit_on_kinds.contains(&violation.kind()) => {
                    Err(Stop::ErrorOfKind)
                }
                _ if self.config.limits.max_tests.is_some_and(|limit| self.tests >= limit) => Err(Stop::MaxTests),
                _ => Ok(()),
            },
        };
        let is_found = matches!(end, End::Violation(_));
        // Nothing is learnt from what may be hiding the error that is wanted.
        let is_open = is_found && !is_certain || is_close;
        goes_on.map(|()| if is_open { Certainty::Doubtful } else { Certainty::Certain })
    }

    /// Is an error of this kind told of? Where targets want errors, others are found on the way.
    pub(crate) fn asks_for(&self, kind: ViolationKind) -> bool {
        let only = self.config.only;
        only.asks_for(kind) || only == Only::Targets && self.executor.wants_errors()
    }

    /// The open targets that an end meets; and may it meet others, on other inputs?
    fn answers_to(&mut self, end: &End) -> (Vec<u32>, bool) {
        match (end, target_of(end)) {
            (_, Some(target)) => (vec![target], false),
            (End::Violation(violation), None) => {
                (self.executor.targets_that_want(violation), self.executor.note_close_error(violation))
            }
            _ => (Vec::new(), false),
        }
    }

    /// Notes an error, and the targets that it meets. Was all of it known, for as certain?
    fn note_error(&mut self, violation: &Violation, met: &[u32], is_doubtful: bool) -> bool {
        let (kind, loc, innermost) = key(violation);
        let kinds = met.iter().map(|&target| ViolationKind::Target(target)).filter(|&target| target != kind);
        let mut is_known = true;
        for key in kinds.chain([kind]).map(|kind| (kind, loc, innermost)) {
            let was_known = !self.known_errors.insert(key);
            is_known &= if is_doubtful { was_known } else { !self.certain_errors.insert(key) };
        }
        is_known
    }

    /// Is what was found shown by a native run? A few are tried.
    fn confirms(&mut self, observer: &mut dyn Observer) -> bool {
        self.confirmations += 1;
        self.confirmations <= MOST_CONFIRMATIONS && observer.confirms()
    }

    /// Tells the observer of a path, with its test or why there is none if one was asked for.
    pub(crate) fn tell(
        &mut self,
        state: &State,
        end: &End,
        (is_known_error, targets): (bool, &[u32]),
        test: Option<Result<TestCase, Reason>>,
        observer: &mut dyn Observer,
    ) -> Result<(), Stop> {
        let (test, no_test) = match test {
            None => (None, None),
            Some(Ok(test)) => (Some(test), None),
            Some(Err(reason)) => (None, Some(reason)),
        };
        self.tests += u64::from(test.is_some());
        self.missing_tests += u64::from(no_test.is_some());
        let path = EndedPath {
            end,
            is_known_error,
            targets,
            test: test.as_ref(),
            no_test,
            condition: state.path_condition(),
            terms: &self.executor.terms,
            depth: state.depth(),
            instructions: state.instructions(),
            approximations: state.approximations(),
        };
        let told = observer.path_ended(self.executor.program(), &path);
        self.check_observer(told)
    }

    fn count(&mut self, state: &State, end: &End) {
        let paths = &mut self.paths;
        match end {
            End::Exit(_) => {
                paths.completed += 1;
                self.count_approximations(state);
            }
            End::Violation(_) if target_of(end).is_some() => paths.met += 1,
            End::Violation(_) => {
                paths.errors += 1;
                paths.misused += u64::from(matches!(end, End::Violation(violation) if is_misuse(violation)));
                // Of other targets it says as little as any path that leaves something out.
                if self.executor.all_targets() > 0 {
                    self.count_approximations(state);
                }
            }
            End::Infeasible => {
                paths.infeasible += 1;
                self.count_approximations(state);
            }
            End::Silent => {
                paths.silent += 1;
                self.count_approximations(state);
            }
            End::Limit(_) => paths.limited += 1,
            End::Unsupported(_) => paths.unsupported += 1,
            End::SolverUnknown(_) => paths.solver_unknown += 1,
        }
        if let Some((kind, cut)) = CutKind::of(end) {
            self.groups.add_cut(kind, cut);
        }
    }

    pub(crate) fn count_approximations(&mut self, state: &State) {
        if state.approximations().iter().any(|approximation| approximation.direction.endangers_proofs()) {
            self.paths.approximate += 1;
        }
        for approximation in state.approximations() {
            self.groups.approximations.add(approximation.clone());
        }
    }

    fn wants_test(&self, state: &State, end: &End, is_known_error: bool) -> bool {
        let tests = self.config.tests;
        match end {
            End::Violation(_) => tests != Tests::None && (!is_known_error || self.config.emit_all_errors),
            End::Infeasible | End::Silent => false,
            End::Exit(_) | End::Limit(_) | End::Unsupported(_) | End::SolverUnknown(_) => {
                self.wants_test_of_rest(state)
            }
        }
    }

    /// Of a path that is no error.
    pub(crate) fn wants_test_of_rest(&self, state: &State) -> bool {
        let tests = self.config.tests;
        tests == Tests::All || tests == Tests::CoveringNew && state.covers_new()
    }

    /// The input that follows a path that ended. What was found is not lost because time was up:
    /// the solver gets some more.
    fn test_case(&mut self, state: &State, end: &End) -> Result<TestCase, Reason> {
        if !self.is_time_up() {
            return self.executor.test_case(state, end);
        }
        let grace = self.grace();
        self.executor.solver.stop_with(StopFlag::new(), Some(grace));
        let test = self.executor.test_case(state, end);
        self.executor.solver.stop_with(self.stop.clone(), self.clock.deadline());
        test
    }

    pub(crate) fn is_time_up(&self) -> bool {
        self.stop.is_asked() || self.asked.is_asked() || self.clock.deadline_passed()
    }

    /// Passes on what the program printed and told.
    fn relay(&mut self, observer: &mut dyn Observer) -> Result<(), Stop> {
        let output = self.executor.take_output();
        let mut told = 0;
        for (at, message) in self.executor.take_messages() {
            self.relay_output(output.get(told..at).unwrap_or_default(), observer)?;
            told = told.max(at);
            let message = observer.message(self.executor.program(), &message);
            self.check_observer(message)?;
        }
        self.relay_output(output.get(told..).unwrap_or_default(), observer)
    }

    fn relay_output(&mut self, bytes: &[u8], observer: &mut dyn Observer) -> Result<(), Stop> {
        if bytes.is_empty() {
            return Ok(());
        }
        let told = observer.output(bytes);
        self.check_observer(told)
    }

    pub(crate) fn check_observer(&mut self, told: Result<(), crate::ObserverError>) -> Result<(), Stop> {
        told.map_err(|error| {
            self.observer_error = Some(error.to_string());
            Stop::Observer
        })
    }

    pub(crate) fn progress(&self) -> Progress {
        let coverage = self.executor.coverage();
        Progress {
            elapsed: self.clock.elapsed(),
            time_left: self.clock.deadline().map(|deadline| deadline.saturating_duration_since(Instant::now())),
            open: self.states.len() as u64,
            parked: self.parking.unfinished(),
            paths: self.paths,
            errors: self.known_errors.len() as u64,
            instructions: self.executor.stats.instructions,
            covered_instructions: coverage.covered_instructions(),
            total_instructions: coverage.total_instructions(),
            branches: coverage.branches(),
            covered_blocks: coverage.covered_blocks(),
            total_blocks: coverage.total_blocks(),
            memory: self.clock.memory(),
            solver_time: solver_time(self.executor.solver.stats()),
            exec: self.executor.stats.clone(),
            solver: self.executor.solver.stats().clone(),
        }
    }
}

/// Is nothing asked for that only what happens on the paths themselves can tell?
fn tells_all_but_paths(config: &Config) -> bool {
    let exec = &config.exec;
    let is_bounded = exec.max_unwind.is_some() || !exec.unwind_loops.is_empty();
    !exec.check_leaks && !exec.check_uninit && !config.keep_invariants && config.replays.is_empty() && !is_bounded
}

/// Where the program begins: on unknown inputs, or once for each test that is replayed.
fn initial_states(executor: &mut Executor, entry: FuncId, config: &Config) -> Result<Vec<State>, Error> {
    if config.replays.is_empty() {
        return Ok(vec![executor.initial_state(entry)?]);
    }
    let mut states = Vec::new();
    for replay in &config.replays {
        executor.options.args.clone_from(&replay.args);
        let mut state = executor.initial_state(entry)?;
        executor.give(&mut state, replay.inputs.clone());
        states.push(state);
    }
    Ok(states)
}

pub(crate) fn is_target(kind: ViolationKind) -> bool {
    matches!(kind, ViolationKind::Target(_))
}

/// The target that a path reached.
fn target_of(end: &End) -> Option<u32> {
    match end {
        End::Violation(violation) => match violation.kind() {
            ViolationKind::Target(index) => Some(index),
            _ => None,
        },
        _ => None,
    }
}

/// Is it about how the program calls the tool?
fn is_misuse(violation: &Violation) -> bool {
    violation.kind() == ViolationKind::User
}

/// What makes two errors the same.
pub(crate) fn key(violation: &Violation) -> (ViolationKind, Loc, Loc) {
    let innermost = violation.stack.first().map_or(Loc::UNKNOWN, |frame| frame.loc);
    (violation.kind(), violation.loc, innermost)
}

/// Time in the solver chain, whichever stage answered.
pub(crate) fn solver_time(stats: &espalier_solver::Stats) -> Duration {
    let espalier_solver::Stats { simplified, hint, bounds, cache, models, repair, boxes, cases, sat, smt, .. } = stats;
    let stages = [simplified, hint, bounds, cache, models, repair, boxes, cases, sat, smt];
    Duration::from_nanos(stages.iter().map(|stage| stage.nanos).sum())
}
