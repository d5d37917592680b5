//! One backward exploration: all that a function can do, whoever calls it, as a tree of its own.
//!
//! It is explored by a searcher like the program itself, and without pruning: different ways to one
//! target matter here. What it is after are paths to targets, and the end of the exploration: if
//! nothing was cut, and the symbols at the entry stand for all that callers can prepare, then a
//! target that no path reached cannot be reached while the function is on the call stack.
//!
//! Where objects had to be made up, they do not stand for all, and the function is explored a
//! second time, opaque ([`EntryMode`]): that finds no paths, and is after the proof alone.

use crate::engine::is_target;
use crate::growing::plant;
use crate::metrics::{Measurements, View};
use crate::states::{Open, States};
use espalier_base::FaultKind;
use espalier_exec::{
    Approximation, Cause, Child, Direction, End, EntryMode, EntryRule, Executor, Fingerprint, Progress, State,
};
use espalier_ir::FuncId;
use espalier_search::{Searcher, StateId};
use espalier_tree::{Tree, Way};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// More open states than this are given up.
const MOST_STATES: usize = 50_000;

/// Where an exploration begins.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Entry {
    pub(crate) function: FuncId,
    pub(crate) mode: EntryMode,
}

pub(crate) struct Origin {
    pub(crate) entry: Entry,
    states: States,
    tree: Tree,
    searcher: Box<dyn Searcher>,
    /// Does what was explored stand for all that can happen?
    pub(crate) is_exact: bool,
    /// Of an opaque exploration: the targets that are to be closed.
    pub(crate) left: Vec<u32>,
    /// How many paths came to each target.
    pub(crate) reached: BTreeMap<u32, u64>,
    /// What the user stated, and its paths rest on.
    pub(crate) conditions: Vec<Approximation>,
    /// Paths that ended by other errors.
    pub(crate) errors: u64,
    /// Where states were in loops that do not fork, at the depth of their last fork.
    passed: FxHashMap<StateId, (u32, FxHashSet<(Fingerprint, Progress)>)>,
    /// What it has cost, as `metrics::work` counts.
    pub(crate) spent: u64,
}

/// Looks at an origin's states for its searcher.
macro_rules! view {
    ($origin:ident, $executor:expr, $measurements:expr) => {
        &View {
            executor: $executor,
            states: &$origin.states,
            measurements: $measurements,
            tree: &$origin.tree,
            repeats: 0,
            room: u64::MAX,
        }
    };
}

impl Origin {
    pub(crate) fn new(
        entry: Entry,
        state: State,
        mut searcher: Box<dyn Searcher>,
        executor: &Executor,
        measurements: &Measurements,
    ) -> Origin {
        let (mut tree, states, roots) = plant(vec![state]);
        if searcher.needs().walks {
            tree.keep_walks();
        }
        let view = View { executor, states: &states, measurements, tree: &tree, repeats: 0, room: u64::MAX };
        searcher.add(&view, None, &roots);
        Origin {
            entry,
            states,
            tree,
            searcher,
            is_exact: true,
            left: Vec::new(),
            reached: BTreeMap::new(),
            conditions: Vec::new(),
            errors: 0,
            passed: FxHashMap::default(),
            spent: 0,
        }
    }

    /// Is everything explored, or given up?
    pub(crate) fn is_over(&self) -> bool {
        self.states.len() == 0
    }

    pub(crate) fn pick(&mut self, executor: &Executor, measurements: &Measurements) -> Option<StateId> {
        self.searcher.pick(view!(self, executor, measurements))
    }

    pub(crate) fn state(&self, id: StateId) -> &State {
        self.states.get(id)
    }

    pub(crate) fn state_mut(&mut self, id: StateId) -> &mut State {
        self.states.get_mut(id)
    }

    pub(crate) fn update(&mut self, id: StateId, executor: &Executor, measurements: &Measurements) {
        self.searcher.update(view!(self, executor, measurements), id);
    }

    pub(crate) fn distances_changed(&mut self, executor: &Executor, measurements: &Measurements) {
        self.searcher.distances_changed(view!(self, executor, measurements));
    }

    /// `parent` forked: these go on beside it.
    pub(crate) fn fork(
        &mut self,
        parent: StateId,
        children: Vec<Child>,
        executor: &Executor,
        measurements: &Measurements,
    ) -> Vec<StateId> {
        let open: Vec<StateId> =
            children.into_iter().map(|child| self.states.insert_child(parent, child.state)).collect();
        if open.is_empty() {
            return open;
        }
        let at = self.states.open(parent).slot;
        let ids: SmallVec<[StateId; 4]> = std::iter::once(parent).chain(open.iter().copied()).collect();
        let way = |id: &StateId| Way { label: self.states.get(*id).label(), state: id.0 };
        let slots = self.tree.fork(at, &ids.iter().map(way).collect::<Vec<Way<'_>>>());
        for (&id, slot) in ids.iter().zip(slots) {
            self.states.open_mut(id).slot = slot;
        }
        self.searcher.add(view!(self, executor, measurements), Some(parent), &open);
        open
    }

    /// A path is over.
    pub(crate) fn close(&mut self, id: StateId) -> Box<State> {
        self.searcher.remove(id);
        self.passed.remove(&id);
        let Open { state, slot, .. } = self.states.remove(id);
        self.tree.close(slot, |_| {});
        state
    }

    /// A path is here, and has not forked since this depth. Is it so for the first time?
    pub(crate) fn note_passed(&mut self, id: StateId, depth: u32, now: (Fingerprint, Progress)) -> bool {
        let (since, passed) = self.passed.entry(id).or_default();
        if std::mem::replace(since, depth) != depth {
            passed.clear();
        }
        passed.insert(now)
    }

    /// A path was run: could callers prepare more, and may it have failed otherwise?
    pub(crate) fn note_step(&mut self, is_partial: bool, doubted: &[u32], forgotten: Option<EntryRule>) {
        self.is_exact &= !is_partial || forgotten == Some(EntryRule::Partial);
        doubted.iter().for_each(|&target| *self.reached.entry(target).or_default() += 1);
    }

    /// A path ended; does it leave out what the function can do?
    pub(crate) fn note_end(&mut self, state: &State, is_cut: bool, forgotten: Option<EntryRule>) {
        let counts = |approximation: &Approximation| {
            approximation.cause != Cause::LazyPointers || forgotten != Some(EntryRule::MadeUp)
        };
        let endangers =
            |approximation: &Approximation| approximation.direction.endangers_proofs() && counts(approximation);
        self.is_exact &= !is_cut && !state.approximations().iter().any(endangers);
        for given in state.approximations().iter().filter(|given| given.direction == Direction::Given) {
            if !self.conditions.contains(given) {
                self.conditions.push(given.clone());
            }
        }
    }

    /// Is it an error of the function, and not of a caller that passes null?
    pub(crate) fn is_error(&self, end: &End) -> bool {
        let End::Violation(violation) = end else { return false };
        let is_of_caller = self.entry.mode == EntryMode::Opaque && violation.fault.counts_as() == Some(FaultKind::Null);
        !is_target(violation.kind()) && !is_of_caller
    }

    /// Drops what is open if there is too much of it.
    pub(crate) fn keep_small(&mut self) {
        if self.states.len() > MOST_STATES {
            self.give_up();
        }
    }

    pub(crate) fn give_up(&mut self) {
        self.is_exact = false;
        for id in self.states.numbered().map(|(id, _)| id).collect::<Vec<StateId>>() {
            self.close(id);
        }
    }
}
