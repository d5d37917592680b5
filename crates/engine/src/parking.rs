//! Holding `--max-memory`: caches go first, then what pruning learnt, then states are parked and
//! taken up again when there is room.
//!
//! A parked state is a leaf of the execution tree and nothing else. The labels on the way to it say
//! which path it is: the program is run again from the start, at each fork the alternatives with
//! those labels are gone on with, and what was asked the first time is taken from the records of
//! the nodes on the way. Many are taken up together, and what their paths have in common is run
//! once.
//!
//! If a part of a path does not come out as it is recorded, it has *diverged*: nothing is known of
//! what is behind it any more, and its node is explored anew from where it began.
//!
//! Which states are parked is left to chance, so that no searcher is favoured: none of them can say
//! which states it would pick last.

use crate::engine::Engine;
use crate::growing::Pruning;
use crate::outcome::Stop;
use crate::recording;
use crate::shelving::Shelf;
use crate::states::Open;
use espalier_base::{Rng, memory};
use espalier_exec::{Approximation, Cause, Child, Direction, Mismatch, State, Step};
use espalier_ir::Loc;
use espalier_search::StateId;
use espalier_store::{Outcome, Record};
use espalier_tree::{Leaf, Slot, Tree};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

/// Room is made when there is less left than this part of the limit, in percent; or than so many
/// bytes, because tables that grow are copied, but at most another part.
const LEFT: u64 = 4;
const LEFT_BYTES: u64 = 32 << 20;
const MOST_LEFT: u64 = 12;
/// Terms are dropped if they take this part of the limit, in percent, and so many instructions were
/// executed, and so many nodes recorded, since they were dropped last.
const TERMS: u64 = 25;
const EPOCH: u64 = 100_000;
const EPOCH_RECORDS: u64 = 64;
/// One in so many states is kept when states are parked, and so often are they parked in a row.
const KEPT: usize = 64;
const MOST_ROUNDS: usize = 12;
/// Instructions that are executed again before it is asked whether the run has to stop.
const BUDGET: u64 = 1 << 20;
/// States that are taken up again at a time: as many as there should be room for, if each takes so
/// many bytes, within these bounds.
const STATE_SIZE: u64 = 16 << 10;
const FEWEST: u64 = 64;
const MOST: u64 = 1 << 14;

/// What became of states that there was no room for.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct ParkingCounts {
    /// Parked, each time counted.
    pub parked: u64,
    pub taken_up: u64,
    /// Parked when the run ended.
    pub left: u64,
    /// How often all terms were dropped.
    pub epochs: u64,
    /// Instructions that were executed again to take states up.
    pub executed_again: u64,
    /// Nodes that were not what they had been when their paths were executed again, and were
    /// explored anew.
    pub diverged: u64,
}

impl ParkingCounts {
    /// Adds those of another worker. What is left is counted from the tree.
    pub(crate) fn add(&mut self, other: &ParkingCounts) {
        self.parked += other.parked;
        self.taken_up += other.taken_up;
        self.epochs += other.epochs;
        self.executed_again += other.executed_again;
    }
}

/// The parked states.
pub(crate) struct Parking {
    limit: Option<u64>,
    places: Places,
    counts: ParkingCounts,
    /// Leaves that are not to be taken up; and whether that is because others explore them.
    left_out: FxHashSet<Slot>,
    is_left_to_others: bool,
    pub(crate) shelf: Shelf,
    /// Leaves whose paths have covered what was new.
    covers_new: FxHashSet<Slot>,
    /// How often all terms were dropped, the instructions that had been executed and the nodes that
    /// had been recorded the last time, and the instructions that were executed again since.
    epochs: u64,
    epoch_at: u64,
    recorded_at: u64,
    executed_again: u64,
    /// Memory after caches were last dropped: doing so again helps little before there is much
    /// more.
    after_dropping: u64,
    rng: Rng,
}

/// Where the states of parked leaves were. There are many leaves, and few places.
#[derive(Default)]
struct Places {
    /// By the slots of leaves, counted from 1 on; 0 where none is parked.
    by_slot: Vec<u32>,
    count: usize,
    locs: Vec<Loc>,
    numbers: FxHashMap<Loc, u32>,
}

impl Places {
    fn insert(&mut self, leaf: Slot, loc: Loc) {
        let number = *self.numbers.entry(loc).or_insert_with(|| {
            self.locs.push(loc);
            self.locs.len() as u32
        });
        if self.by_slot.len() <= leaf.index() {
            self.by_slot.resize(leaf.index() + 1, 0);
        }
        self.count += usize::from(std::mem::replace(&mut self.by_slot[leaf.index()], number) == 0);
    }

    fn remove(&mut self, leaf: Slot) {
        if let Some(number) = self.by_slot.get_mut(leaf.index()) {
            self.count -= usize::from(std::mem::take(number) != 0);
        }
    }
}

impl Parking {
    pub(crate) fn new(limit: Option<u64>, seed: u64) -> Parking {
        Parking {
            limit,
            places: Places::default(),
            counts: ParkingCounts::default(),
            left_out: FxHashSet::default(),
            is_left_to_others: false,
            shelf: Shelf::default(),
            covers_new: FxHashSet::default(),
            epochs: 0,
            epoch_at: 0,
            recorded_at: 0,
            executed_again: 0,
            after_dropping: 0,
            rng: Rng::new(seed),
        }
    }

    /// So many nodes had diverged in earlier runs.
    pub(crate) fn note_diverged(&mut self, nodes: u64) {
        self.counts.diverged += nodes;
    }

    /// A leaf that another run left unfinished, and where its path came from.
    pub(crate) fn add(&mut self, leaf: Slot, loc: Loc) {
        self.places.insert(leaf, loc);
    }

    /// These leaves are not to be taken up, and stay unfinished.
    pub(crate) fn leave_out(&mut self, leaves: FxHashSet<Slot>) {
        (self.left_out, self.is_left_to_others) = (leaves, false);
    }

    /// These leaves are not to be taken up because they are in another part of the tree.
    pub(crate) fn leave_to_others(&mut self, leaves: FxHashSet<Slot>) {
        (self.left_out, self.is_left_to_others) = (leaves, true);
    }

    /// Is something left out that nobody else explores?
    pub(crate) fn is_selection(&self) -> bool {
        !self.left_out.is_empty() && !self.is_left_to_others
    }

    /// How many paths are unfinished, in memory and not: those of others are not counted.
    pub(crate) fn unfinished(&self) -> u64 {
        let here = if self.is_left_to_others { self.to_take_up() } else { self.len() };
        here as u64 + self.shelf.leaves()
    }

    /// A number below this one, by chance.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.rng.below(limit)
    }

    /// Nor is this one.
    pub(crate) fn leave_out_too(&mut self, leaf: Slot) {
        self.left_out.insert(leaf);
    }

    pub(crate) fn is_left_out(&self, leaf: Slot) -> bool {
        self.left_out.contains(&leaf)
    }

    /// Nothing is parked any more.
    pub(crate) fn forget_all(&mut self) {
        self.places = Places::default();
        self.leave_out(FxHashSet::default());
        self.covers_new.clear();
    }

    pub(crate) fn note_covers_new(&mut self, leaf: Slot) {
        self.covers_new.insert(leaf);
    }

    pub(crate) fn covers_new(&self, leaf: Slot) -> bool {
        self.covers_new.contains(&leaf)
    }

    /// Did the path of a leaf, which is taken up, cover what was new?
    pub(crate) fn take_covers_new(&mut self, leaf: Slot) -> bool {
        self.covers_new.remove(&leaf)
    }

    /// A leaf is not parked any more. Where was its state?
    pub(crate) fn forget(&mut self, leaf: Slot) -> Option<Loc> {
        let number = self.places.by_slot.get(leaf.index())?.checked_sub(1)?;
        self.places.remove(leaf);
        self.places.locs.get(number as usize).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.places.count
    }

    /// How many of them are to be taken up.
    pub(crate) fn to_take_up(&self) -> usize {
        self.places.count.saturating_sub(self.left_out.len())
    }

    /// Where the states of unfinished paths were; what is not in memory was somewhere.
    pub(crate) fn unfinished_places(&self) -> impl Iterator<Item = Loc> {
        let others = self.left_out.iter().filter(|_| self.is_left_to_others);
        let others: FxHashSet<usize> = others.map(|leaf| leaf.index()).collect();
        let here = self.places.by_slot.iter().enumerate().filter(move |(slot, _)| !others.contains(slot));
        let numbers = here.filter_map(|(_, &number)| number.checked_sub(1));
        let here = numbers.filter_map(|number| self.places.locs.get(number as usize).copied());
        here.chain((0..self.shelf.leaves()).map(|_| Loc::UNKNOWN))
    }

    pub(crate) fn counts(&self) -> ParkingCounts {
        ParkingCounts { left: self.unfinished(), epochs: self.epochs, ..self.counts }
    }

    /// How many states would fit into all of the memory, if each took what is reckoned with here.
    pub(crate) fn room_for_states(&self) -> u64 {
        self.limit.map_or(u64::MAX, |limit| limit / STATE_SIZE)
    }

    /// Is memory nearly used up?
    fn is_full(&self, memory: u64) -> bool {
        self.limit.is_some_and(|limit| {
            let left = LEFT_BYTES.min(limit / 100 * MOST_LEFT).max(limit / 100 * LEFT);
            memory >= limit - left
        })
    }

    fn is_used_up(&self, memory: u64) -> bool {
        self.limit.is_some_and(|limit| memory >= limit)
    }
}

impl Engine {
    /// Makes room if memory is nearly used up. Fails if there is no way to.
    pub(crate) fn make_room(&mut self) -> Result<(), Stop> {
        let mut memory = self.clock.memory();
        if !self.parking.is_full(memory) {
            return Ok(());
        }
        if self.end_backward() {
            memory = self.measure();
            if !self.parking.is_full(memory) {
                return Ok(());
            }
        }
        if memory > self.parking.after_dropping + self.parking.after_dropping / 8 {
            self.executor.solver.drop_caches();
            memory = self.measure();
            self.parking.after_dropping = memory;
        }
        if self.parking.is_full(memory) && (self.has_many_terms() || self.has_large_tree()) && self.begin_epoch()? {
            memory = self.measure();
        }
        for _ in 0..MOST_ROUNDS {
            if !self.parking.is_full(memory) || self.states.len() <= 1 || !self.config.replays.is_empty() {
                break;
            }
            self.park_most();
            memory = self.measure();
        }
        if self.parking.is_full(memory) && self.pruning.is_some() {
            self.give_up_pruning();
            memory = self.measure();
        }
        if self.parking.is_used_up(memory) { Err(Stop::MaxMemory) } else { Ok(()) }
    }

    /// Do terms take a good part of the memory that there is?
    fn has_many_terms(&self) -> bool {
        let bytes = self.executor.terms.bytes() as u64;
        self.parking.limit.is_some_and(|limit| bytes >= limit / 100 * TERMS)
    }

    /// Parks all states and drops all terms, which are not freed otherwise: the tree is what is
    /// left, or a part of it if it is large, and what was learnt. Not if terms are needed in the end,
    /// nor if little was explored since the last time: then one path alone takes all memory. Was it
    /// done?
    fn begin_epoch(&mut self) -> Result<bool, Stop> {
        let explored = self.executor.stats.instructions - self.parking.epoch_at;
        // What a path does between two forks is explored anew: that is lost work, and if it is all
        // there is, the run would go on for ever and come to nothing.
        let recorded = self.recorded();
        let is_fruitful = recorded >= self.parking.recorded_at + EPOCH_RECORDS
            && explored > EPOCH.max(2 * self.parking.executed_again);
        if !self.can_drop_terms() || !is_fruitful {
            return Ok(false);
        }
        self.drop_all_terms()?;
        self.parking.epochs += 1;
        self.parking.epoch_at = self.executor.stats.instructions;
        self.parking.recorded_at = recorded;
        self.parking.executed_again = 0;
        Ok(true)
    }

    /// Are terms not needed in the end, nor for what is followed?
    fn can_drop_terms(&self) -> bool {
        let config = &self.config;
        let has_other_terms = config.verify_pruning || config.keep_tree || config.keep_invariants;
        !has_other_terms && self.seeding.is_none() && config.replays.is_empty()
    }

    fn drop_all_terms(&mut self) -> Result<(), Stop> {
        self.write_down(true)?;
        self.park(|_| true);
        self.end_backward();
        let learnt = self.pruning.as_mut().map(|pruning| pruning.pruner.pack(&self.executor));
        if self.executor.drop_terms().is_err() {
            // The program was loaded before: this is as if memory were used up.
            return Err(Stop::MaxMemory);
        }
        if self.has_large_tree() {
            self.shelve()?;
        }
        self.take_over_learnt(learnt.into_iter().flatten().collect());
        Ok(())
    }

    /// How many nodes were recorded, about.
    fn recorded(&self) -> u64 {
        self.forks + self.paths.ended()
    }

    fn measure(&mut self) -> u64 {
        memory::give_back();
        self.clock.measure_memory()
    }

    /// Parks states but for a few, by chance: memory is given back where all neighbours are freed,
    /// and what is needed again is soon executed again.
    fn park_most(&mut self) {
        self.park_by_chance(KEPT);
    }

    /// Parks all states but for one in so many, and one in any case.
    fn park_by_chance(&mut self, kept: usize) {
        let mut rng = std::mem::replace(&mut self.parking.rng, Rng::new(0));
        self.park(|left| left > 1 && rng.below(kept) != 0);
        self.parking.rng = rng;
    }

    /// Parks states: those that it is said of, which is given how many are left.
    fn park(&mut self, mut is_parked: impl FnMut(usize) -> bool) {
        let open: Vec<StateId> = self.states.numbered().map(|(id, _)| id).collect();
        for id in open {
            let is_seeded = self.seeding.as_ref().is_some_and(|seeding| seeding.current() == Some(id));
            if is_seeded || !is_parked(self.states.len()) {
                continue;
            }
            self.park_state(id);
            self.parking.counts.parked += 1;
        }
    }

    pub(crate) fn park_state(&mut self, id: StateId) {
        let loc = self.executor.state_location(self.states.get(id));
        let Open { slot, state, .. } = self.drop_state(id);
        self.parking.places.insert(slot, loc);
        if state.covers_new() {
            self.parking.note_covers_new(slot);
        }
    }

    pub(crate) fn park_all(&mut self) {
        for id in self.states.numbered().map(|(id, _)| id).collect::<Vec<StateId>>() {
            self.park_state(id);
        }
    }

    /// The parked leaves that are to be taken up, in the order of the tree.
    pub(crate) fn own_parked(&self) -> impl Iterator<Item = Slot> {
        let leaves = self.tree.root().into_iter().flat_map(|root| self.tree.unfinished(root));
        leaves.filter(|leaf| self.tree.leaf(*leaf) == Some(Leaf::Parked) && !self.parking.is_left_out(*leaf))
    }

    /// Is there memory left to go on with?
    pub(crate) fn require_memory(&mut self) -> Result<(), Stop> {
        if self.parking.is_full(self.clock.memory()) { Err(Stop::MaxMemory) } else { Ok(()) }
    }

    /// Takes parked states up again, if there is room. Is there something to run now?
    pub(crate) fn take_up_parked(&mut self) -> Result<bool, Stop> {
        if self.parking.to_take_up() == 0 && !self.take_from_shelf()? {
            return Ok(false);
        }
        if self.parking.is_full(self.clock.memory()) {
            self.executor.solver.drop_caches();
            if self.can_drop_terms() {
                // No state has any.
                self.drop_all_terms()?;
            }
            let memory = self.measure();
            if self.parking.is_full(memory) {
                return Err(Stop::MaxMemory);
            }
        }
        let room = self.parking.limit.unwrap_or(u64::MAX).saturating_sub(self.clock.memory());
        let most = (room / STATE_SIZE).clamp(FEWEST, MOST) as usize;
        self.take_up_some(most)?;
        self.require_time()?;
        Ok(self.parking.to_take_up() > 0 || self.states.len() > 0 || self.parking.shelf.leaves() > 0)
    }

    /// Takes up at most so many.
    fn take_up_some(&mut self, most: usize) -> Result<(), Stop> {
        let Some(root) = self.tree.root() else { return Ok(()) };
        // The program was loaded before, so only memory can be the reason.
        let start = self.executor.initial_state(self.entry).map_err(|_| Stop::MaxMemory)?;
        let leaves = self.neighbours_to_take_up(most);
        self.write_down(true)?;
        let before = self.executor.executed_again();
        let found = self.execute_again(Box::new(start), root, &Wanted::new(&self.tree, &leaves));
        let again = self.executor.executed_again() - before;
        self.parking.executed_again += again;
        self.parking.counts.executed_again += again;
        for (leaf, _) in &found {
            self.parking.places.remove(*leaf);
        }
        self.parking.counts.taken_up += found.len() as u64;
        self.take_up(found);
        Ok(())
    }

    /// Parked leaves that are near to each other, so that their paths have much in common: from one
    /// on by chance, in the order of the tree.
    fn neighbours_to_take_up(&mut self, most: usize) -> Vec<Slot> {
        let mut parked: Vec<Slot> = self.own_parked().collect();
        let count = parked.len().min(most);
        let first = self.parking.rng.below(parked.len() - count + 1);
        parked.drain(first..first + count).collect()
    }

    /// Executes the paths to wanted leaves again, from the program's first state on; what they have
    /// in common once. Gives the leaves with their states: all of them, unless the run has to stop
    /// before. What else a fork leads to is finished, or open elsewhere.
    #[allow(clippy::vec_box)] // They are moved from box to box, never copied.
    fn execute_again(&mut self, start: Box<State>, root: Slot, wanted: &Wanted) -> Vec<(Slot, Box<State>)> {
        let mut found = Vec::new();
        let mut work = vec![(start, root)];
        while let Some((state, node)) = work.pop() {
            let mut node = node;
            while let Some(behind) = self.tree.behind_join(node) {
                node = behind;
            }
            if self.tree.leaf(node).is_some() {
                found.push((node, state));
                continue;
            }
            if self.is_time_up() {
                break;
            }
            let before = state.clone();
            match self.execute_node(state, node) {
                Ok(alternatives) => {
                    for state in alternatives {
                        let child = self.tree.child(node, state.label()).filter(|&child| wanted.contains(child));
                        work.extend(child.map(|child| (state, child)));
                    }
                }
                Err(Diverged::Stopped) => break,
                Err(Diverged::Mismatch { what, expected, got }) => {
                    self.cut_back(node);
                    self.recorder.diverged(node, what, expected, got);
                    found.push((node, before));
                }
            }
        }
        found
    }

    /// Executes the part of a path that a node stands for again: the alternatives of its fork.
    #[allow(clippy::vec_box)]
    fn execute_node(&mut self, state: Box<State>, node: Slot) -> Result<Vec<Box<State>>, Diverged> {
        let unreadable = |why: String| Diverged::mismatch("record", "a fork", why);
        match self.recorder.record(node) {
            Ok(Some(record)) => self.execute_fork(state, &record),
            Ok(None) => Err(unreadable("no record".to_owned())),
            Err(error) => Err(unreadable(error.to_string())),
        }
    }

    /// The same of a record.
    #[allow(clippy::vec_box)]
    pub(crate) fn execute_fork(&mut self, mut state: Box<State>, record: &Record) -> Result<Vec<Box<State>>, Diverged> {
        let Outcome::Fork { ways, .. } = &record.outcome else {
            return Err(Diverged::mismatch("record", "a fork", format!("{:?}", record.outcome)));
        };
        self.executor.follow_script(recording::script(record));
        let children = loop {
            match self.rerun_towards(&mut state, record)? {
                Step::Fork(children) => break children,
                Step::Budget | Step::Join | Step::Entered if state.instructions() <= record.instructions => {}
                Step::Budget | Step::Join | Step::Entered => {
                    self.executor.leave_script();
                    return Err(Diverged::mismatch("instructions", record.instructions, "more, without a fork"));
                }
                Step::End(end) => {
                    self.executor.leave_script();
                    return Err(Diverged::mismatch("end", "a fork", format!("{:?}", recording::verdict(&end))));
                }
            }
        };
        self.finish_script(record)?;
        if state.instructions() != record.instructions {
            return Err(Diverged::mismatch("instructions", record.instructions, state.instructions()));
        }
        let place = recording::fork_place(&state, self.executor.journal());
        if place != (record.function, record.instruction) {
            let [expected, got] = [(record.function, record.instruction), place].map(|place| format!("{place:?}"));
            return Err(Diverged::mismatch("place", expected, got));
        }
        let alternatives: Vec<Box<State>> =
            std::iter::once(state).chain(children.into_iter().map(Child::into_state)).collect();
        let mut recorded: Vec<&[u8]> = ways.iter().map(|way| &way.label[..]).collect();
        let mut labels: Vec<&[u8]> = alternatives.iter().map(|state| state.label()).collect();
        recorded.sort_unstable();
        labels.sort_unstable();
        if recorded != labels {
            return Err(Diverged::mismatch("ways", format!("{recorded:?}"), format!("{labels:?}")));
        }
        Ok(alternatives)
    }

    /// Executes a part of a path again, by a script, up to where its record says that it ended.
    pub(crate) fn rerun_towards(&mut self, state: &mut State, record: &Record) -> Result<Step, Diverged> {
        let left = record.instructions.saturating_sub(state.instructions());
        let step = self.executor.rerun(state, BUDGET.min(left + 1));
        if self.executor.was_cut_short() || self.is_time_up() {
            self.executor.leave_script();
            return Err(Diverged::Stopped);
        }
        if matches!(step, Step::Join) {
            self.skip_rounds_again(state, record.instructions);
        }
        Ok(step)
    }

    /// Was the same asked as what is recorded?
    pub(crate) fn finish_script(&mut self, record: &Record) -> Result<(), Diverged> {
        self.executor.finish_script(record.trace).map_err(|mismatch| match mismatch {
            Mismatch::AnswersShort => Diverged::mismatch("answers", record.answers.count, "more"),
            Mismatch::AnswersLeft => Diverged::mismatch("answers", record.answers.count, "fewer"),
            Mismatch::Questions => Diverged::mismatch("questions", record.trace, self.executor.journal().trace()),
        })
    }

    /// Forgets what is below a node, which becomes a parked leaf.
    fn cut_back(&mut self, node: Slot) {
        let below: Vec<StateId> = self.tree.unfinished(node).filter_map(|leaf| self.state_at(leaf)).collect();
        for id in below {
            self.drop_state(id);
        }
        let places = &mut self.parking.places;
        let left_out = &mut self.parking.left_out;
        let covers_new = &mut self.parking.covers_new;
        self.tree.cut_back(node, |below| {
            places.remove(below);
            left_out.remove(&below);
            covers_new.remove(&below);
        });
        places.insert(node, Loc::UNKNOWN);
        self.parking.counts.diverged += 1;
        // What was learnt may not hold of the program as it is now; nor may what was left out
        // because of it.
        if let Some(Pruning { pruner, .. }) = &mut self.pruning {
            let waiting: Vec<Slot> = pruner.waiting().collect();
            pruner.clear();
            let waiting: Vec<StateId> = waiting.into_iter().filter_map(|leaf| self.state_at(leaf)).collect();
            self.wake(&waiting);
            self.groups.approximations.add(Approximation { direction: Direction::Under, cause: Cause::Diverged });
            self.paths.approximate += 1;
        }
    }
}

/// Why a part of a path that was executed again did not come to what is recorded.
pub(crate) enum Diverged {
    /// The run has to stop.
    Stopped,
    Mismatch {
        what: &'static str,
        expected: String,
        got: String,
    },
}

impl Diverged {
    pub(crate) fn mismatch(what: &'static str, expected: impl ToString, got: impl ToString) -> Diverged {
        Diverged::Mismatch { what, expected: expected.to_string(), got: got.to_string() }
    }
}

/// Leaves, and the nodes on the way to them.
struct Wanted {
    /// By slot.
    is_wanted: Vec<bool>,
}

impl Wanted {
    fn new(tree: &Tree, leaves: &[Slot]) -> Wanted {
        let mut is_wanted: Vec<bool> = Vec::new();
        for &leaf in leaves {
            let mut node = Some(leaf);
            while let Some(slot) = node.filter(|slot| is_wanted.get(slot.index()) != Some(&true)) {
                if is_wanted.len() <= slot.index() {
                    is_wanted.resize(slot.index() + 1, false);
                }
                is_wanted[slot.index()] = true;
                node = tree.parent(slot);
            }
        }
        Wanted { is_wanted }
    }

    fn contains(&self, node: Slot) -> bool {
        self.is_wanted.get(node.index()) == Some(&true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::view;
    use crate::metrics::View;
    use crate::observer::{EndedPath, Observer, ObserverError};
    use crate::{Config, Strategy, Tests};
    use espalier_analysis::{Site, targets};
    use espalier_exec::End;
    use espalier_ir::Program;
    use espalier_prune::Method;
    use espalier_store::Store;
    use std::rc::Rc;

    /// Forks of every kind: branches, switches, objects, values, checks.
    const FORKS: &str = r#"#include <klee/klee.h>
#include <stdlib.h>
int a[2], b[3], c;
int *table[3] = {a, b, &c};
static int add(int x) { return x + 1; }
static int twice(int x) { return 2 * x; }
int main(void) {
  unsigned char in[6];
  int v = 0;
  klee_make_symbolic(in, sizeof in, "in");
  switch (in[0]) {
  case 1: v = 1; break;
  case 2:
  case 3: v = 2; break;
  case 200: v = 3; break;
  default: v = 4;
  }
  table[in[1] % 3][in[2] & 3] = v;
  if (100 / (in[3] & 3) > 40)
    v++;
  int (*functions[2])(int) = {add, twice};
  v = functions[in[4] & 1](v);
  char *made = malloc(1 + (in[5] & 1));
  made[0] = v;
  if (in[0] > 100)
    v += made[0];
  free(made);
  if (v > 1000)
    v = 0;
  return v;
}
"#;

    /// How each path ended, its depth and length.
    #[derive(Default)]
    struct Paths(Vec<(String, u32, u64)>);

    impl Observer for Paths {
        fn path_ended(&mut self, _: &Program, path: &EndedPath<'_>) -> Result<(), ObserverError> {
            let end = match path.end {
                End::Violation(violation) => format!("{:?}", violation.kind()),
                End::Exit(_) => "exit".to_owned(),
                other => panic!("{other:?}"),
            };
            self.0.push((end, path.depth, path.instructions));
            Ok(())
        }
    }

    fn engine_of(source: &str, search: &str) -> Engine {
        engine_with(source, search, Config::default(), |_| Vec::new())
    }

    fn engine_with(source: &str, search: &str, config: Config, places: impl FnOnce(&Program) -> Vec<Site>) -> Engine {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("prog.c");
        std::fs::write(&file, source).unwrap();
        let input = espalier_frontend::Input { files: vec![file], ..Default::default() };
        let mut loaded = espalier_frontend::load(&input).unwrap();
        let sites: Vec<Vec<Site>> = places(&loaded.program).into_iter().map(|site| vec![site]).collect();
        targets::insert(&mut loaded.program, &sites);
        let config = Config { search: Strategy::named(search), tests: Tests::None, ..config };
        Engine::new(Rc::new(loaded.program), loaded.entry, config).unwrap()
    }

    /// All paths, if half of the states are parked after each turn until nothing is left, and at
    /// most `most` are taken up at once.
    fn explore(engine: &mut Engine, parks: bool, most: usize) -> Vec<(String, u32, u64)> {
        let mut paths = Paths::default();
        loop {
            match engine.searcher.pick(view!(engine)) {
                Some(id) => {
                    engine.take_turn(id, &mut paths).unwrap();
                    if parks {
                        engine.park_by_chance(2);
                    }
                }
                None if engine.parking.len() == 0 => break,
                None => engine.take_up_some(most).unwrap(),
            }
        }
        assert!(engine.tree.is_empty());
        paths.0.sort();
        paths.0
    }

    #[test]
    fn no_path_is_lost_and_none_comes_twice() {
        let expected = explore(&mut engine_of(FORKS, "bfs"), false, 0);
        assert!(expected.len() > 100, "{}", expected.len());
        for (search, most) in [("bfs", 2), ("random-path", 1), ("dfs", 50)] {
            let mut engine = engine_of(FORKS, search);
            let found = explore(&mut engine, true, most);
            assert_eq!(found, expected, "{search}");
            let ParkingCounts { parked, taken_up, left, diverged, .. } = engine.parking.counts();
            assert!(parked > 20, "{parked}");
            assert_eq!((taken_up, left, diverged), (parked, 0, 0));
        }
    }

    /// All terms are dropped time and again, and nothing is lost by it.
    #[test]
    fn epochs_lose_nothing() {
        let expected = explore(&mut engine_of(FORKS, "bfs"), false, 0);
        for search in ["bfs", "dfs", "random-path"] {
            let mut engine = engine_of(FORKS, search);
            let (mut paths, mut epochs) = (Paths::default(), 0);
            for turn in 0.. {
                match engine.searcher.pick(view!(engine)) {
                    Some(id) => engine.take_turn(id, &mut paths).unwrap(),
                    None if engine.parking.len() == 0 => break,
                    None => engine.take_up_some(30).unwrap(),
                }
                if turn % 10 == 9 {
                    epochs += u64::from(engine.drop_all_terms().is_ok());
                }
            }
            paths.0.sort();
            assert_eq!(paths.0, expected, "{search}");
            assert!(epochs > 3, "{epochs}");
            assert_eq!(engine.parking.counts().diverged, 0);
        }
    }

    /// All paths, if the tree is taken apart time and again, and most of it is in a file.
    fn explore_in_parts(engine: &mut Engine, size: usize) -> (Vec<(String, u32, u64)>, u64) {
        let dir = tempfile::tempdir().unwrap();
        engine.record(Store::create(dir.path(), &[]).unwrap()).unwrap();
        let (mut paths, mut most) = (Paths::default(), 0);
        for turn in 0.. {
            match engine.searcher.pick(view!(engine)).or_else(|| engine.take_waiting()) {
                Some(id) => engine.take_turn(id, &mut paths).unwrap(),
                None => {
                    if !engine.take_up_parked().unwrap() {
                        break;
                    }
                }
            }
            if turn % 7 == 6 {
                engine.park_all();
                engine.write_down(true).unwrap();
                engine.shelve_in_parts_of(size).unwrap();
                let open = engine.parking.unfinished();
                assert!(engine.parking.to_take_up() <= size.max(open as usize), "{open}");
                most = most.max(engine.parking.shelf.leaves());
            }
        }
        assert_eq!((engine.parking.unfinished(), engine.parking.counts().diverged), (0, 0));
        assert_eq!(engine.parking.unfinished_places().count(), 0);
        paths.0.sort();
        (paths.0, most)
    }

    #[test]
    fn a_tree_in_parts_loses_nothing() {
        let expected = explore(&mut engine_of(FORKS, "bfs"), false, 0);
        for (search, size) in [("bfs", 3), ("random-path", 1), ("dfs", 5)] {
            let (found, most) = explore_in_parts(&mut engine_of(FORKS, search), size);
            assert_eq!(found, expected, "{search}");
            assert!(most > 3, "{search}: {most}");
        }
        let source = "#include <klee/klee.h>
            #include <assert.h>
            int main(void) { unsigned x = klee_int(\"x\"), r = 0;
            for (unsigned i = 0; i < 6; i++) { if (x >> i & 1) r += i; else r += 7; }
            assert(r != 15); return 0; }";
        for search in ["bfs", "dfs", "random-path"] {
            let config = Config { interpolation: Some(Method::WeakestPrecondition), ..Config::default() };
            let mut engine = engine_with(source, search, config, |_| Vec::new());
            let (found, _) = explore_in_parts(&mut engine, 1);
            assert!(found.iter().any(|(end, ..)| end == "Assert"), "{search}: {found:?}");
        }
    }

    /// Paths fork at targets that are open, and not when they are executed again and the target was
    /// met. One is never met.
    #[test]
    fn targets_that_are_met_do_not_mislead() {
        let explore = |search, parks, most| {
            let mut engine = engine_with(FORKS, search, Config::default(), targets::block_sites);
            let mut paths = explore(&mut engine, parks, most);
            paths.retain(|(end, ..)| !end.starts_with("Target"));
            let mut paths: Vec<(String, u64)> = paths.into_iter().map(|(end, _, length)| (end, length)).collect();
            paths.sort();
            (paths, engine.parking.counts())
        };
        let (expected, _) = explore("bfs", false, 0);
        for search in ["bfs", "random-path"] {
            let (found, ParkingCounts { parked, taken_up, diverged, .. }) = explore(search, true, 3);
            assert_eq!(found, expected, "{search}");
            assert!(parked > 20, "{parked}");
            assert_eq!((taken_up, diverged), (parked, 0));
        }
    }

    /// States are parked between two forks, behind joins where they were looked up. What they were
    /// when they came there first must not speak for them when they come there again.
    #[test]
    fn no_state_is_covered_by_itself() {
        let source = "#include <klee/klee.h>
            #include <assert.h>
            static void wait(unsigned rounds) { for (volatile unsigned i = 0; i < rounds; i++) ; }
            int main(void) { unsigned x = klee_int(\"x\"), r = 0;
            for (unsigned i = 0; i < 4; i++) { if (x >> i & 1) r += i; else r += 7; wait(3000); }
            assert(r != 6); return 0; }";
        for search in ["bfs", "dfs", "random-path"] {
            for (most, forced_pauses) in [(1, None), (3, None), (2, Some(1)), (1, Some(2))] {
                let interpolation = Some(Method::WeakestPrecondition);
                let config = Config { interpolation, forced_pauses, ..Config::default() };
                let mut engine = engine_with(source, search, config, |_| Vec::new());
                let found = explore(&mut engine, true, most);
                assert!(found.iter().any(|(end, ..)| end == "Assert"), "{search}: {found:?}");
                assert!(engine.parking.counts().parked > 1, "{search}: {:?}", engine.parking.counts());
            }
        }
    }

    /// Without the check, the first fork of the second execution is another one, with alternatives
    /// of the same labels: the program is explored anew from there, as it is now.
    #[test]
    fn a_path_that_forks_elsewhere_diverges() {
        let source =
            "#include <klee/klee.h>\nint main(void) { unsigned x = klee_int(\"x\"), y = klee_int(\"y\"), r = 0;
            unsigned z = 7 / x; if (y & 1) r++; if (y & 2) r++; if (y & 4) r++; return r + z % 2; }";
        let mut engine = engine_of(source, "bfs");
        let mut paths = Paths::default();
        while engine.states.len() < 5 {
            let id = engine.searcher.pick(view!(engine)).unwrap();
            engine.take_turn(id, &mut paths).unwrap();
        }
        while engine.states.len() > 1 {
            engine.park_by_chance(2);
        }
        engine.executor.options.check_div_zero = false;
        engine.take_up_some(100).unwrap();
        assert_eq!(engine.parking.counts().diverged, 1);
        assert_eq!((engine.parking.len(), engine.states.len()), (0, 1));
        let found = explore(&mut engine, false, 0);
        assert_eq!(found.len(), 8);
        assert!(found.iter().all(|(end, ..)| end == "exit"), "{found:?}");
    }
}
