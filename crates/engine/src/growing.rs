//! How the execution tree grows, is pruned and shrinks: paths fork, come to joins, wait, are
//! dropped and end here, and nowhere else. Tree, open states, searcher and pruner are told
//! together, so that they agree on what is open: a state that is [`Leaf::Live`] in the tree, and no
//! other, is known to the searcher.

use crate::config::Config;
use crate::engine::{Certainty, Engine, view};
use crate::groups::CutKind;
use crate::metrics::View;
use crate::observer::Observer;
use crate::outcome::Stop;
use crate::recording::{self, Alternative, RecordedNodes, Recorder};
use crate::states::{Open, States};
use espalier_exec::{Child, Choice, Choices, End, State, Stops};
use espalier_prune::{Life, LookUp, Method, Options as PruneOptions, Pruner, Stats as PruneStats, Waited};
use espalier_search::StateId;
use espalier_store::End as RecordedEnd;
use espalier_tree::{Finished, Leaf, Slot, Tree, Way};
use smallvec::{SmallVec, smallvec};

/// What interpolants may take, in bytes, if memory is not limited.
const TABLE: u64 = 4 << 30;

/// What interpolants are learnt with.
pub(crate) struct Pruning {
    pub(crate) pruner: Pruner,
    /// Nodes that a leaf finished, until the pruner is told; otherwise empty.
    pub(crate) finished: Vec<Finished>,
    /// To be explored all the same in the end, if pruning is to be verified.
    pub(crate) pruned: Vec<State>,
    /// Does the searcher want nothing to be learnt?
    is_held: bool,
}

/// A tree of the states that paths begin with: one is its root, several are children of it.
pub(crate) fn plant(initial: Vec<State>) -> (Tree, States, Vec<StateId>) {
    let mut states = States::default();
    let (mut tree, root) = Tree::new(0);
    let roots: Vec<StateId> = initial.into_iter().map(|state| states.insert(Box::new(state), root)).collect();
    if roots.len() > 1 {
        let mut labels = vec![Choices::default(); roots.len()];
        labels.iter_mut().zip(0..).for_each(|(label, number)| label.push(Choice::Root(number)));
        let ways = labels.iter().zip(&roots).map(|(label, id)| Way { label: label.as_bytes(), state: id.0 });
        let slots = tree.fork(root, &ways.collect::<Vec<Way<'_>>>());
        roots.iter().zip(slots).for_each(|(&id, slot)| states.open_mut(id).slot = slot);
    }
    (tree, states, roots)
}

impl Pruning {
    pub(crate) fn new(config: &Config, method: Method) -> Pruning {
        let options = PruneOptions {
            method,
            keep_tree: config.keep_tree,
            verify: config.verify_pruning,
            keep_invariants: config.keep_invariants,
            forced_pauses: config.forced_pauses,
            most_bytes: config.limits.max_memory.map_or(TABLE, |limit| limit / 4) as usize,
        };
        Pruning { pruner: Pruner::new(&options), pruned: Vec::new(), finished: Vec::new(), is_held: false }
    }
}

impl Engine {
    /// Puts another tree, of parked leaves, in the place of the one that has just been planted.
    pub(crate) fn replant(&mut self, tree: Tree, recorder: Recorder) {
        self.recorder = recorder;
        self.replace_tree(tree);
    }

    /// The same, and what is recorded goes on.
    pub(crate) fn replant_part(&mut self, tree: Tree, nodes: RecordedNodes) {
        self.recorder.replace_nodes(nodes);
        self.replace_tree(tree);
    }

    fn replace_tree(&mut self, tree: Tree) {
        for id in self.states.numbered().map(|(id, _)| id).collect::<Vec<StateId>>() {
            self.drop_state(id);
        }
        self.tree = tree;
        self.parking.forget_all();
        if self.searcher.needs().walks {
            self.tree.keep_walks();
        }
        // If it was given up, it stays so.
        self.pruning.iter_mut().for_each(|pruning| pruning.pruner.clear());
    }

    /// Takes in the alternatives of a fork. Does the state that forked go on?
    pub(crate) fn fork(
        &mut self,
        parent: StateId,
        children: Vec<Child>,
        heirs: &mut Vec<StateId>,
        observer: &mut dyn Observer,
    ) -> Result<bool, Stop> {
        self.close_record_if_hurried();
        let mut open = Vec::new();
        let mut others: SmallVec<[Alternative; 2]> = SmallVec::new();
        let mut cut_short = false;
        // What stops the run does so when all alternatives are known: none is lost.
        let mut stop = None;
        for Child { state, end } in children {
            let end = end.or_else(|| self.cut_for_depth(&state)).or_else(|| self.cut_for_forks(&state));
            match end {
                Some(end) => {
                    cut_short |= CutKind::of(&end).is_some();
                    let verdict = recording::verdict(&end);
                    match self.end(&state, end, observer) {
                        Ok(certainty) => cut_short |= certainty == Certainty::Doubtful,
                        Err(reason) => stop = stop.or(Some(reason)),
                    }
                    others.push(Alternative::Ended(state, RecordedEnd { verdict, test: None }));
                }
                None => {
                    self.forks += 1;
                    let id = self.states.insert_child(parent, state);
                    open.push(id);
                    others.push(Alternative::Open(id));
                }
            }
        }
        let at = self.states.open(parent).slot;
        let is_live = self.is_live(at);
        let life = self.states.open_mut(parent).life.take();
        self.end_life(life);
        self.grow(parent, &open);
        self.record_fork(at, parent, &others);
        self.searcher.add(view!(self), is_live.then_some(parent), &open);
        heirs.extend(open.iter().rev());
        if let Some(seeding) = self.seeding.as_mut().filter(|seeding| seeding.current() == Some(parent)) {
            let alternatives = std::iter::once(&parent).chain(&open).map(|&id| (id, self.states.get(id)));
            seeding.forked(&self.executor.terms, alternatives);
        }
        if let Some(Pruning { pruner, .. }) = &mut self.pruning {
            pruner.note_open(self.states.len() + self.parking.len());
            pruner.settle(&mut self.executor);
            if cut_short {
                pruner.cut(at);
            }
            for other in &others {
                if let Alternative::Ended(state, _) = other {
                    pruner.ended(at, state);
                }
            }
        }
        std::iter::once(&parent).chain(&open).for_each(|&id| self.begin_learning(at, id));
        if let Some(stop) = stop {
            return Err(stop);
        }
        let cut = self.cut_for_depth(self.states.get(parent));
        if let Some(end) = cut {
            self.close(parent, end, observer)?;
            return Ok(false);
        }
        Ok(!self.prune_fresh(parent))
    }

    pub(crate) fn end_life(&mut self, life: Option<Life>) {
        if let (Some(Pruning { pruner, .. }), Some(life)) = (&mut self.pruning, life) {
            pruner.end_life(life);
        }
    }

    /// Tells the tree of a fork: `parent` goes on as one alternative, `open` are others.
    fn grow(&mut self, parent: StateId, open: &[StateId]) {
        let at = self.states.open(parent).slot;
        let way = |id: StateId| Way { label: self.states.get(id).label(), state: id.0 };
        let mut ways: SmallVec<[Way<'_>; 4]> = smallvec![way(parent)];
        open.iter().for_each(|&id| ways.push(way(id)));
        let slots = self.tree.fork(at, &ways);
        drop(ways);
        for (&id, slot) in std::iter::once(&parent).chain(open).zip(slots) {
            self.states.open_mut(id).slot = slot;
        }
    }

    fn is_live(&self, slot: Slot) -> bool {
        matches!(self.tree.leaf(slot), Some(Leaf::Live(_)))
    }

    /// The state of a leaf, if it has one.
    pub(crate) fn state_at(&self, leaf: Slot) -> Option<StateId> {
        match self.tree.leaf(leaf)? {
            Leaf::Live(state) | Leaf::Waiting(state) => Some(StateId(state)),
            Leaf::Parked => None,
        }
    }

    /// Has the searcher forget a state, if it knows it.
    pub(crate) fn leave_searcher(&mut self, id: StateId) {
        if self.is_live(self.states.open(id).slot) {
            self.searcher.remove(id);
        } else {
            self.set_aside.remove(&id);
        }
    }

    /// A state had its turn, and is still open.
    pub(crate) fn end_turn(&mut self, id: StateId) {
        self.stop_waiting_for(id);
        let slot = self.states.open(id).slot;
        // One on the path of a seed is run even if it has to wait otherwise.
        if !self.is_live(slot) {
            return;
        }
        self.searcher.update(view!(self), id);
        if self.searcher.sets_aside(view!(self), id) {
            self.searcher.remove(id);
            self.tree.wait(slot);
            self.set_aside.insert(id);
        }
    }

    /// Lets the searcher go on with what it set aside, and pick.
    pub(crate) fn take_set_aside(&mut self) -> Option<StateId> {
        if self.set_aside.is_empty() {
            return None;
        }
        self.searcher.goes_deeper();
        let waiting: Vec<StateId> = std::mem::take(&mut self.set_aside).into_iter().collect();
        self.wake(&waiting);
        self.searcher.pick(view!(self))
    }

    /// States that waited may be run.
    pub(crate) fn wake(&mut self, waiting: &[StateId]) {
        let leaves: Vec<(Slot, u32)> = waiting.iter().map(|&id| (self.states.open(id).slot, id.0)).collect();
        self.tree.wake(&leaves);
        self.searcher.add(view!(self), None, waiting);
    }

    /// Drops a state. Its path stays open.
    pub(crate) fn drop_state(&mut self, id: StateId) -> Open {
        self.leave_searcher(id);
        self.end_guide(id);
        let open = self.states.remove(id);
        self.end_life(open.life);
        if let Some(Pruning { pruner, .. }) = &mut self.pruning {
            pruner.forget(open.slot);
        }
        self.tree.park(open.slot);
        open
    }

    /// A state that is guided is not run any more.
    pub(crate) fn end_guide(&mut self, id: StateId) {
        if let Some(seeding) = self.seeding.as_mut().filter(|seeding| seeding.is_guide()) {
            seeding.ended(id);
        }
    }

    /// Takes up parked paths at these leaves again, with their states.
    #[allow(clippy::vec_box)] // They are moved from box to box, never copied.
    pub(crate) fn take_up(&mut self, found: Vec<(Slot, Box<State>)>) {
        let open: Vec<StateId> = found.into_iter().map(|(leaf, state)| self.states.insert(state, leaf)).collect();
        for &id in &open {
            self.lives += 1;
            let open = self.states.open_mut(id);
            open.life = Some(Life(self.lives));
            if self.parking.take_covers_new(open.slot) {
                open.state.note_covers_new();
            }
        }
        if let Some(Pruning { pruner, .. }) = &mut self.pruning {
            for &id in &open {
                let Open { state, slot, .. } = self.states.open(id);
                pruner.begin(&self.executor, self.tree.parent(*slot), *slot, self.tree.id(*slot), state);
            }
        }
        self.wake(&open);
    }

    /// How many states were left out because they were met before.
    pub(crate) fn repeats(&self) -> u64 {
        self.pruning.as_ref().map_or(0, |pruning| pruning.pruner.met_again())
    }

    /// Has pruning pause while the searcher wants nothing to be learnt of what it picks. Paths need
    /// not stop where they meet others then.
    pub(crate) fn hold_learning(&mut self) {
        let is_held = !self.searcher.wants_learning();
        let Some(pruning) = self.pruning.as_mut().filter(|pruning| pruning.is_held != is_held) else { return };
        pruning.is_held = is_held;
        if !self.config.keep_invariants {
            let is_held = pruning.pruner.hold(is_held);
            self.executor.stop_at(if is_held { Stops::InLongLoops } else { Stops::Joins });
        }
    }

    pub(crate) fn give_up_pruning(&mut self) {
        let Some(Pruning { pruner, .. }) = self.pruning.take() else { return };
        self.executor.stop_at(if self.trials.is_some() { Stops::InLongLoops } else { Stops::Nowhere });
        self.gave_up = Some(PruneStats { gave_up: true, ..pruner.stats() });
        let waiting: Vec<StateId> = pruner.waiting().filter_map(|leaf| self.state_at(leaf)).collect();
        self.wake(&waiting);
    }

    /// A path came to where paths meet.
    pub(crate) fn join(&mut self, id: StateId) {
        let open = self.states.open_mut(id);
        let Some(Pruning { pruner, .. }) = &mut self.pruning else {
            self.executor.note_look_up(&mut open.state);
            return;
        };
        if pruner.is_paused() {
            open.is_fresh = true;
            return;
        }
        let at = open.slot;
        pruner.join(at);
        open.slot = self.tree.join(at);
        self.recorder.join(at, open.slot);
        self.begin_learning(at, id);
    }

    /// Tells the pruner of a node that begins with this state, below the one at `parent`.
    fn begin_learning(&mut self, parent: Slot, id: StateId) {
        let Some(Pruning { pruner, .. }) = &mut self.pruning else { return };
        let open = self.states.open_mut(id);
        pruner.begin(&self.executor, Some(parent), open.slot, self.tree.id(open.slot), &open.state);
        open.is_fresh = true;
    }

    /// Looks a state up that was not looked up yet. Is it not to be run now, because something that
    /// was learnt speaks for it, or because it has to wait?
    pub(crate) fn prune_fresh(&mut self, id: StateId) -> bool {
        let Some(Pruning { pruner, .. }) = &mut self.pruning else { return self.drop_irrelevant(id) };
        let open = self.states.open_mut(id);
        if !std::mem::take(&mut open.is_fresh) {
            return false;
        }
        self.executor.note_look_up(&mut open.state);
        let node = (open.slot, self.tree.id(open.slot));
        match pruner.look_up(&mut self.executor, node, &open.state, open.life) {
            LookUp::New if !self.closes_loop(id) => return false,
            LookUp::New => {
                self.close_proved(id);
            }
            LookUp::Covered => self.close_pruned(id),
            LookUp::Later => {
                self.end_guide(id);
                self.leave_searcher(id);
                self.tree.wait(self.states.open(id).slot);
            }
        }
        true
    }

    /// Without pruning: is a state dropped, because nothing that is looked for can be reached?
    fn drop_irrelevant(&mut self, id: StateId) -> bool {
        let is_dropped = self.drops_irrelevant && !self.executor.is_relevant(self.states.get(id));
        if is_dropped {
            self.close_pruned(id);
        }
        is_dropped
    }

    /// Takes up the state that is least far on of those that wait.
    pub(crate) fn take_waiting(&mut self) -> Option<StateId> {
        loop {
            let Waited { leaf, is_overtaken } = self.pruning.as_mut()?.pruner.take_waiting()?;
            let id = self.state_at(leaf)?;
            if !is_overtaken {
                self.wake(&[id]);
                return self.searcher.pick(view!(self));
            }
            self.close_pruned(id);
        }
    }

    /// Takes a state out from which nothing that is looked for is reachable, as was shown for its
    /// loop.
    fn close_proved(&mut self, id: StateId) {
        let slot = self.states.open(id).slot;
        if let Some(Pruning { pruner, .. }) = &mut self.pruning {
            pruner.proved(slot);
        }
        self.close_pruned(id);
    }

    /// Takes a state out that need not be explored.
    fn close_pruned(&mut self, id: StateId) {
        self.merges.note_closed();
        self.leave_searcher(id);
        self.end_guide(id);
        let open = self.states.remove(id);
        self.end_life(open.life);
        self.record_covered(&open);
        let Open { state, slot, .. } = open;
        self.finish(slot, false);
        if self.config.verify_pruning
            && let Some(Pruning { pruned, .. }) = &mut self.pruning
        {
            pruned.push(State::clone(&state));
        }
        self.paths.pruned += 1;
        self.count_approximations(&state);
    }

    /// Closes an open state that ended.
    pub(crate) fn close(&mut self, id: StateId, end: End, observer: &mut dyn Observer) -> Result<(), Stop> {
        self.merges.note_closed();
        self.leave_searcher(id);
        let Open { state, slot, life, .. } = self.states.remove(id);
        self.end_life(life);
        if let Some(seeding) = &mut self.seeding {
            seeding.ended(id);
        }
        let is_whole = CutKind::of(&end).is_none();
        self.close_record_if_hurried();
        self.record_end(slot, &state, recording::verdict(&end));
        let ended = self.end(&state, end, observer);
        if let Some(Pruning { pruner, .. }) = &mut self.pruning {
            // Another path may show for certain what this one leaves in doubt.
            let is_certain = !matches!(ended, Ok(Certainty::Doubtful));
            pruner.end(slot, &state, is_whole && is_certain);
        }
        self.finish(slot, true);
        self.executor.recycle(*state);
        ended.map(|_| ())
    }

    /// Closes a leaf, and has the pruner learn from all that this finishes; see [`Pruner::finish`].
    pub(crate) fn finish(&mut self, leaf: Slot, is_new: bool) {
        match &mut self.pruning {
            None => self.tree.close(leaf, |_| {}),
            Some(Pruning { pruner, finished, .. }) => {
                self.tree.close(leaf, |node| finished.push(node));
                let is_last = self.states.len() == 0 && self.parking.len() == 0 && self.parking.unfinished() == 0;
                pruner.finish(&mut self.executor, finished, is_new, is_last);
                finished.clear();
            }
        }
    }
}
