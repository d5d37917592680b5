//! Call-chain-backward search, and how it shares the work with the search forwards (Ma, Khoo,
//! Foster, Hicks: Directed symbolic execution, sections 3.2 and 2.4).
//!
//! Functions with targets are explored from their entries, whoever calls them ([`origin`]). A path
//! to a target is kept with its precondition, and the callers of the function are explored next.
//! From then on, whoever calls the function, in its callers' explorations or in that of the
//! program, is asked whether it can take one of these paths. If so, it is *guided*: executed on the
//! inputs that the filter gave, as any state is, before others. So a wrong filter costs time only,
//! and whatever is found was executed from the program's start.
//!
//! Departures from the paper: a path is not joined by following its decisions, but by inputs that
//! take them; and what is explored to its end also proves ([`cut`]). Shares are of counted work,
//! never of time, so that a run can be repeated.

mod cut;
mod origin;

use crate::config::Approach;
use crate::engine::Engine;
use crate::groups::CutKind;
use crate::metrics::{Measurements, work};
use crate::observer::Observer;
use crate::outcome::{PathCounts, Stop};
use crate::seeding::Seeding;
use cut::Chains;
use espalier_analysis::targets;
use espalier_exec::{End, EntryMode, EntryStep, Joined, PartialPath, State, Step, ViolationKind};
use espalier_ir::FuncId;
use espalier_search::{Needs, StateId};
use origin::{Entry, Origin};
use std::collections::BTreeMap;
use std::rc::Rc;

pub use cut::ChainCut;

/// What the search forwards does alone, in the beginning: most questions are answered by then.
const SPRINT: u64 = 1 << 25;
/// What an origin may spend in the first round; twice as much in each of the next.
const FIRST_ROUND: u32 = 26;
/// When nothing else is left to do, origins have so many rounds.
const MOST_ROUNDS: u32 = 5;
/// Progress is looked at after so much work.
const STRETCH: u64 = 1 << 28;

/// Shares of the work, of 16 parts.
const WHOLE: u64 = 16;
const FIRST_SHARE: u64 = 4;
const LEAST_SHARE: u64 = 2;
const LARGEST_SHARE: u64 = 12;

/// Paths that are kept of a function, and tried at a call.
const MOST_PATHS: usize = 32;
const MOST_TRIED: usize = 8;
/// A path that so many calls in a row could not take is tried at one call in eight.
const UNLUCKY: u32 = 64;

/// Instructions of a turn.
const TURN: u64 = 10_000;

/// The backward side of a directed search.
pub(crate) struct Backward {
    chains: Chains,
    measurements: Measurements,
    origins: BTreeMap<Entry, Origin>,
    /// By the function that they begin in.
    paths: BTreeMap<FuncId, Vec<Known>>,
    /// By target, the functions that it cannot be reached in, whoever calls them.
    closed: BTreeMap<u32, BTreeMap<FuncId, EntryMode>>,
    /// Do calls in the program itself, or in a function that runs it, lead to paths?
    has_reached_start: bool,
    guide: Option<(Entry, Seeding)>,
    /// What was spent, of all work.
    spent: u64,
    share: u64,
    round: u32,
    progress: Progress,
    closures: u64,
    pub(crate) found: BackwardCounts,
}

/// What came of the search backwards.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct BackwardCounts {
    /// Functions that were explored from their entries, and those that were to their ends.
    pub functions: u64,
    pub finished: u64,
    /// Paths from functions' entries to targets, and how often a state was guided along one.
    pub paths: u64,
    pub guided: u64,
    /// Targets that guided states reached, with the functions on the call stack, outermost first.
    pub joined: BTreeMap<u32, Vec<String>>,
    /// Targets that cannot be reached, and why.
    pub cuts: BTreeMap<u32, ChainCut>,
}

/// A partial path, and how well it does.
struct Known {
    path: Rc<PartialPath>,
    joins: u32,
    /// Calls in a row that could not take it.
    failures: u32,
    tried: u32,
}

/// What either side had come to when it was last looked.
#[derive(Default)]
struct Progress {
    looked_at: u64,
    paths: u64,
    closed: u64,
    ended: u64,
}

impl Engine {
    /// Sets the backward side up, if the run is to have one.
    pub(crate) fn begin_backward(&mut self) {
        if self.config.approach == Approach::Forward || self.executor.open_targets() == 0 {
            return;
        }
        let chains = Chains::new(self.executor.program(), self.entry, self.config.exec.forgotten);
        let needs = Needs { targets: true, ..Needs::default() };
        let measurements = Measurements::new(&mut self.executor, needs, |_| false);
        let mut backward = Backward {
            chains,
            measurements,
            origins: BTreeMap::new(),
            paths: BTreeMap::new(),
            closed: BTreeMap::new(),
            has_reached_start: false,
            guide: None,
            spent: 0,
            share: FIRST_SHARE,
            round: 0,
            progress: Progress::default(),
            closures: 0,
            found: BackwardCounts::default(),
        };
        let functions = targets::functions_with(self.executor.program(), |target| self.executor.is_open_target(target));
        for function in functions {
            backward.has_reached_start |= backward.chains.is_start(function);
            self.begin_origin(&mut backward, Entry { function, mode: EntryMode::Shaped });
        }
        self.backward = Some(Box::new(backward));
    }

    fn begin_origin(&mut self, backward: &mut Backward, entry: Entry) {
        let Entry { function, mode } = entry;
        if backward.origins.contains_key(&entry) || backward.chains.is_start(function) {
            return;
        }
        // A function that cannot be begun with is left to its callers.
        let Ok(Some(state)) = self.executor.entry_state(function, mode) else { return };
        let seed = self.config.seed.wrapping_add(u64::from(function.0));
        let Ok(searcher) = self.config.search_backward.build(seed) else { return };
        let origin = Origin::new(entry, state, searcher, &self.executor, &backward.measurements);
        backward.origins.insert(entry, origin);
        backward.found.functions += u64::from(mode == EntryMode::Shaped);
    }

    /// Does the backward side go next? If so, it had its turn.
    pub(crate) fn take_backward_turn(&mut self, observer: &mut dyn Observer) -> Result<bool, Stop> {
        let Some(mut backward) = self.backward.take() else { return Ok(false) };
        let is_next = self.is_backwards_turn(&mut backward);
        let mut result = Ok(());
        if is_next {
            let before = work(&self.executor);
            result = self.run_origin(&mut backward, observer);
            backward.spent += work(&self.executor) - before;
        }
        self.measurements.leave_out(backward.spent);
        self.backward = Some(backward);
        result?;
        if is_next && self.executor.open_targets() == 0 {
            return Err(Stop::AllTargets);
        }
        Ok(is_next)
    }

    fn is_backwards_turn(&mut self, backward: &mut Backward) -> bool {
        if self.seeding.is_some() || !backward.has_work() {
            return false;
        }
        let total = work(&self.executor);
        if self.states.len() == 0 && self.parking.unfinished() == 0 {
            // What is explored to the end needs no other proof.
            return self.leaves_something_out() && backward.round <= MOST_ROUNDS;
        }
        match self.config.approach {
            Approach::Forward => false,
            // The shortest chain of calls is that of the program itself.
            Approach::Backward => !backward.has_reached_start,
            Approach::Mix => backward.spent * 2 <= total,
            Approach::Auto => {
                if total < SPRINT || !self.searcher.wants_learning() {
                    return false;
                }
                if total - backward.progress.looked_at > STRETCH {
                    let ended = self.paths.ended();
                    backward.move_shares(total, ended);
                }
                backward.spent * WHOLE <= (total - SPRINT) * backward.share
            }
        }
    }

    /// Is what was explored of the program no proof, however much of it was explored?
    fn leaves_something_out(&self) -> bool {
        let PathCounts { limited, unsupported, solver_unknown, approximate, .. } = self.paths;
        limited + unsupported + solver_unknown + approximate > 0
    }

    fn run_origin(&mut self, backward: &mut Backward, observer: &mut dyn Observer) -> Result<(), Stop> {
        if backward.measurements.update_distances(&self.executor, 0) {
            let Backward { origins, measurements, .. } = backward;
            origins.values_mut().for_each(|origin| origin.distances_changed(&self.executor, measurements));
        }
        let round = backward.round;
        let Some(entry) = backward.next_origin() else { return Ok(()) };
        if backward.round > round {
            let entries: Vec<Entry> = backward.origins.keys().copied().collect();
            entries.into_iter().for_each(|entry| self.begin_opaque(backward, entry));
        }
        let Some(mut origin) = backward.origins.remove(&entry) else { return Ok(()) };
        let before = work(&self.executor);
        let guided = backward.guide.take().filter(|(of, _)| *of == entry);
        let mut guide = guided.map(|(_, guide)| guide);
        let guided = guide.as_ref().and_then(Seeding::current);
        let result = match guided.or_else(|| origin.pick(&self.executor, &backward.measurements)) {
            Some(id) => self.run_in_origin(backward, &mut origin, id, &mut guide, observer),
            None => Ok(0),
        };
        origin.keep_small();
        if entry.mode == EntryMode::Opaque && !self.may_close(&origin) {
            origin.give_up();
        }
        origin.spent += work(&self.executor) - before;
        let is_over = origin.is_over();
        backward.guide = guide.filter(|guide| guide.current().is_some()).map(|guide| (entry, guide));
        backward.origins.insert(entry, origin);
        if is_over {
            self.close_origin(backward, entry);
            self.begin_opaque(backward, entry);
        }
        self.look(result?, observer)
    }

    /// What is made up behind pointers proves nothing, or takes long: it is tried without.
    fn begin_opaque(&mut self, backward: &mut Backward, Entry { function, mode }: Entry) {
        // What is unknown at an opaque entry is not what nobody has written.
        if mode == EntryMode::Opaque || !backward.chains.can_prove() || self.config.exec.check_uninit {
            return;
        }
        let Some(shaped) = backward.origins.get(&Entry { function, mode }) else { return };
        let program = self.executor.program();
        let is_left = |target: &u32| {
            !shaped.reached.contains_key(target)
                && self.can_be_closed(*target)
                && backward.chains.lead(program, function, *target)
        };
        let left: Vec<u32> = (0..self.executor.all_targets() as u32).filter(is_left).collect();
        if shaped.is_exact && shaped.is_over() || left.is_empty() {
            return;
        }
        let entry = Entry { function, mode: EntryMode::Opaque };
        self.begin_origin(backward, entry);
        if let Some(origin) = backward.origins.get_mut(&entry) {
            origin.left = left;
        }
    }

    /// Can an opaque exploration still prove anything? Nothing else is it good for.
    fn may_close(&self, origin: &Origin) -> bool {
        let is_left = |target: &u32| !origin.reached.contains_key(target) && self.can_be_closed(*target);
        origin.is_exact && origin.left.iter().any(is_left)
    }

    /// Gives how many instructions were executed since it was last looked at the clock.
    fn run_in_origin(
        &mut self,
        backward: &mut Backward,
        origin: &mut Origin,
        id: StateId,
        guide: &mut Option<Seeding>,
        observer: &mut dyn Observer,
    ) -> Result<u64, Stop> {
        let mut left = TURN.min(self.instructions_left()?);
        let (used, EntryStep { step, is_partial, doubted }) = loop {
            let before = self.executor.instructions_from_entries();
            let result = self.executor.run_from_entry(origin.state_mut(id), left.min(self.clock.budget()));
            let used = self.executor.instructions_from_entries() - before;
            left = left.saturating_sub(used);
            if let Some(guide) = guide {
                guide.executed(used);
            }
            if self.executor.was_cut_short() {
                // What came out of it means nothing.
                origin.is_exact = false;
                return self.require_time().map(|()| used);
            }
            if !matches!(result.step, Step::Budget) || left == 0 {
                break (used, result);
            }
            // First: the run may stop here, and go on when there is room.
            origin.note_step(result.is_partial, &result.doubted, self.config.exec.forgotten);
            self.look(used, observer)?;
        };
        origin.note_step(is_partial, &doubted, self.config.exec.forgotten);
        match step {
            Step::Budget => {}
            Step::Join => {
                if self.repeats_itself(origin, id) {
                    let state = origin.close(id);
                    guide.iter_mut().for_each(|guide| guide.ended(id));
                    origin.note_end(&state, false, self.config.exec.forgotten);
                    return Ok(used);
                }
            }
            Step::Entered => {
                if guide.is_none() && origin.entry.mode == EntryMode::Shaped {
                    *guide =
                        self.guide_for(backward, origin.state(id)).map(|(model, left)| Seeding::guide(id, model, left));
                }
            }
            Step::Fork(children) => {
                let (ended, open): (Vec<_>, Vec<_>) = children.into_iter().partition(|child| child.end.is_some());
                for child in ended {
                    if let Some(end) = child.end {
                        self.end_from_entry(backward, origin, &child.state, &end);
                    }
                }
                let open = origin.fork(id, open, &self.executor, &backward.measurements);
                if let Some(guide) = guide.as_mut().filter(|guide| guide.current() == Some(id)) {
                    let alternatives = std::iter::once(id).chain(open).map(|id| (id, origin.state(id)));
                    guide.forked(&self.executor.terms, alternatives);
                }
            }
            Step::End(end) => {
                let state = origin.close(id);
                guide.iter_mut().for_each(|guide| guide.ended(id));
                self.end_from_entry(backward, origin, &state, &end);
                self.executor.recycle(*state);
                return Ok(used);
            }
        }
        origin.update(id, &self.executor, &backward.measurements);
        Ok(used)
    }

    /// The path has come far in a loop without a fork. Is it where it was before, so that it stays
    /// in the loop for ever?
    fn repeats_itself(&mut self, origin: &mut Origin, id: StateId) -> bool {
        let state = origin.state(id);
        let (depth, now) = (state.depth(), self.executor.fingerprint(state));
        self.executor.note_look_up(origin.state_mut(id));
        now.is_some_and(|now| !origin.note_passed(id, depth, now))
    }

    /// A path from a function's entry ended.
    fn end_from_entry(&mut self, backward: &mut Backward, origin: &mut Origin, state: &State, end: &End) {
        let found = self.targets_at(end);
        if found.is_empty() {
            origin.errors += u64::from(origin.is_error(end));
        }
        // An error that is looked for also ends the path, before whatever else is.
        origin.note_end(state, CutKind::of(end).is_some(), self.config.exec.forgotten);
        for (target, is_reached) in found {
            *origin.reached.entry(target).or_default() += 1;
            if is_reached && origin.entry.mode == EntryMode::Shaped {
                let path = self.executor.partial_path(state, target);
                self.add_path(backward, origin.entry.function, path);
            }
        }
    }

    /// The open targets that an end meets, and those that it may meet on other inputs.
    fn targets_at(&self, end: &End) -> Vec<(u32, bool)> {
        let End::Violation(violation) = end else { return Vec::new() };
        match violation.kind() {
            ViolationKind::Target(target) if self.executor.is_open_target(target) => vec![(target, true)],
            _ => {
                let wanted = self.executor.targets_that_want(violation).into_iter().map(|target| (target, true));
                wanted
                    .chain(self.executor.targets_close_to(violation).into_iter().map(|target| (target, false)))
                    .collect()
            }
        }
    }

    fn add_path(&mut self, backward: &mut Backward, function: FuncId, path: PartialPath) {
        let known = backward.paths.entry(function).or_default();
        let is_known = |known: &Known| known.path.target == path.target && known.path.condition == path.condition;
        if known.iter().any(is_known) {
            return;
        }
        let is_first = known.is_empty();
        known.push(Known { path: Rc::new(path), joins: 0, failures: 0, tried: 0 });
        if known.len() > MOST_PATHS {
            let longest = (0..known.len()).max_by_key(|&number| known[number].path.instructions);
            longest.map(|number| known.remove(number));
        }
        backward.found.paths += 1;
        if !is_first {
            return;
        }
        self.executor.watch(function);
        backward.measurements.join(function);
        self.measurements.join(function);
        let callers: Vec<FuncId> = backward.chains.callers(function).to_vec();
        for caller in callers {
            backward.has_reached_start |= backward.chains.is_start(caller);
            self.begin_origin(backward, Entry { function: caller, mode: EntryMode::Shaped });
        }
    }

    /// A state has just called a function from whose entry paths are known: inputs on which it may
    /// take one, and how many instructions that may need.
    fn guide_for(&mut self, backward: &mut Backward, state: &State) -> Option<(Rc<espalier_expr::Model>, u64)> {
        let known = backward.paths.get_mut(&state.running().func)?;
        known.sort_by_key(|known| (std::cmp::Reverse(known.joins), known.path.instructions));
        for known in known.iter_mut().take(MOST_TRIED) {
            known.tried = known.tried.wrapping_add(1);
            let is_unlucky = known.failures >= UNLUCKY && known.tried % 8 != 0;
            if is_unlucky || !self.executor.is_open_target(known.path.target) {
                continue;
            }
            match self.executor.join(state, &known.path) {
                Joined::Yes(model) => {
                    known.joins += 1;
                    known.failures = 0;
                    backward.found.guided += 1;
                    return Some((model, 2 * known.path.instructions + TURN));
                }
                Joined::No | Joined::CannotTell => known.failures += 1,
            }
        }
        None
    }

    /// A state of the program has just called a function that is watched. Is it guided on from here?
    pub(crate) fn entered(&mut self, id: StateId) -> bool {
        let Some(mut backward) = self.backward.take() else { return false };
        if self.seeding.is_none() {
            let before = work(&self.executor);
            let state = State::clone(self.states.get(id));
            if let Some((model, left)) = self.guide_for(&mut backward, &state) {
                self.seeding = Some(Seeding::guide(id, model, left));
            }
            backward.spent += work(&self.executor) - before;
        }
        self.backward = Some(backward);
        self.seeding.as_ref().is_some_and(|seeding| seeding.current() == Some(id))
    }

    /// A path of the program reached a target. Was it guided there?
    pub(crate) fn note_joined(&mut self, target: u32, state: &State) {
        let is_guided = self.seeding.as_ref().is_some_and(Seeding::is_guide);
        if let Some(backward) = self.backward.as_mut().filter(|_| is_guided) {
            let name = |func: FuncId| self.executor.program().function(func).name.clone();
            let mut chain: Vec<String> = state.frames().map(|frame| name(frame.func)).collect();
            chain.reverse();
            backward.found.joined.insert(target, chain);
        }
    }

    /// A function is explored to its end: what no path reached cannot be reached in it.
    fn close_origin(&mut self, backward: &mut Backward, entry: Entry) {
        let Some(origin) = backward.origins.get(&entry) else { return };
        backward.found.finished += u64::from(origin.is_exact);
        if !origin.is_exact || !backward.chains.can_prove() {
            return;
        }
        for target in 0..self.executor.all_targets() as u32 {
            if backward.is_reached_in(entry.function, target) || !self.can_be_closed(target) {
                continue;
            }
            let closed = backward.closed.entry(target).or_default();
            closed.insert(entry.function, entry.mode);
            backward.closures += 1;
            let program = self.executor.program();
            let Some(cutting) = backward.chains.cut(program, target, |function| closed.contains_key(&function)) else {
                continue;
            };
            let names = cutting.iter().map(|&function| program.function(function).name.clone()).collect();
            let mut cut = ChainCut { functions: names, conditions: Vec::new(), other_errors: 0 };
            let entries = cutting.iter().map(|&function| Entry { function, mode: closed[&function] });
            for origin in entries.filter_map(|entry| backward.origins.get(&entry)) {
                cut.conditions.extend(origin.conditions.iter().cloned());
                cut.other_errors += origin.errors;
            }
            backward.found.cuts.insert(target, cut);
            self.executor.close_target(target);
        }
    }

    /// May it be said of a target that it cannot be reached in some function?
    fn can_be_closed(&self, target: u32) -> bool {
        let executor = &self.executor;
        executor.is_open_target(target) && executor.shows_at_once(target) && !executor.close_targets().contains(&target)
    }

    /// Terms are about to be dropped, or memory is short: nothing of the backward side is kept but
    /// what it came to. Was there anything?
    pub(crate) fn end_backward(&mut self) -> bool {
        let Some(backward) = self.backward.as_mut() else { return false };
        let had_some = !backward.origins.is_empty();
        backward.origins.clear();
        backward.paths.clear();
        backward.guide = None;
        had_some
    }
}

impl Backward {
    /// Did a path from the function's entry come to the target, or may one?
    fn is_reached_in(&self, function: FuncId, target: u32) -> bool {
        let modes = [EntryMode::Shaped, EntryMode::Opaque];
        let origins = modes.iter().filter_map(|&mode| self.origins.get(&Entry { function, mode }));
        origins.into_iter().any(|origin| origin.reached.contains_key(&target))
    }

    fn has_work(&self) -> bool {
        self.origins.values().any(|origin| !origin.is_over())
    }

    /// The one that is nearest to the program's start, of those that have not used up what they may
    /// spend in this round.
    fn next_origin(&mut self) -> Option<Entry> {
        if let Some((entry, _)) = &self.guide {
            return Some(*entry);
        }
        loop {
            let may_spend = 1u64 << (FIRST_ROUND + self.round).min(62);
            let open = || self.origins.values().filter(|origin| !origin.is_over());
            let next = open().filter(|origin| origin.spent < may_spend);
            let next = next.map(|origin| origin.entry);
            let next = next.min_by_key(|entry| (self.chains.calls_from_start(entry.function), *entry));
            if next.is_some() {
                return next;
            }
            open().next()?;
            self.round += 1;
        }
    }

    /// Who alone got somewhere gets more.
    fn move_shares(&mut self, total: u64, ended: u64) {
        let (paths, closed) = (self.found.paths, self.closures);
        let backwards = paths > self.progress.paths || closed > self.progress.closed;
        let forwards = ended > self.progress.ended;
        self.progress = Progress { looked_at: total, paths, closed, ended };
        self.share = match (forwards, backwards) {
            (true, false) => self.share - 1,
            (false, true) => self.share + 1,
            _ => self.share,
        };
        self.share = self.share.clamp(LEAST_SHARE, LARGEST_SHARE);
    }
}
