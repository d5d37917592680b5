//! Pruning by interpolation: what finished subtrees teach, and which states need not be explored
//! because of it.
//!
//! What is learnt is kept by the nodes of the execution tree, with the state that each began with.
//! When everything below a node is finished, and nothing in it was cut short, the node gets an
//! *interpolant*: a condition on states at its program point under which what was found below is
//! all there is to find. The interpolant goes into a table. A new state at that point that
//! satisfies it is not explored.
//!
//! Where to look: `clause` is what interpolants are made of, `interpolant` how they are made and
//! carried backwards, `rewriting` and `pins` how clauses are kept small and few, `cycle` what is said
//! of states that are met again, `speculation` when decisions need not be kept, `account` whether it
//! pays, `table` how they are looked up, `codec` how they are written down; this file is what is kept
//! of nodes, and who waits.

#![forbid(unsafe_code)]

mod account;
mod c_text;
mod clause;
pub mod codec;
mod cycle;
mod interpolant;
mod invariant;
mod pins;
mod record;
mod rewriting;
mod speculation;
mod table;

pub use account::work;
pub use c_text::{Variable as VariableInC, condition as condition_in_c, path_condition as path_condition_in_c};
pub use clause::{Bound, Clause};
pub use interpolant::{Interpolant, Method, Requirement};
pub use invariant::LoopInvariant;
pub use record::{Fate, Record};
pub use rewriting::Rewriting;
pub use table::{Point, TableStats};

use account::Account;
use codec::Learnt;
use espalier_exec::{Executor, Fingerprint, NoInterpolant, Prefix, Progress, State};
use espalier_expr::codec::Damaged;
use espalier_expr::{Model, Term};
use espalier_tree::{Finished, NodeId, Slot};
use interpolant::{Builder, LearningFor, Outcome, Segment};
use invariant::Invariants;
use rewriting::Checks;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};
use speculation::Speculation;
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;
use std::time::Instant;
use table::{Spoken, Table};

/// What is known of an open node of the execution tree.
struct Learning {
    id: NodeId,
    parent: Option<Slot>,
    point: Option<Rc<Point>>,
    /// What the node began with.
    start: Box<State>,
    /// Children that are finished. What they say is taken together when all are: where one has
    /// nothing to say, nothing has to be carried back from the others.
    children: Vec<FinishedChild>,
    /// Alternatives of its fork that were over at once: inputs that lead there.
    ended: Vec<Rc<Model>>,
    /// Its path came to where paths meet before it forked: it has one child, there.
    joins: bool,
    /// How its path ended, or what speaks for it, if it did not fork.
    leaf: Option<LeafNode>,
    /// What the finished nodes below are worth, and how many instructions the path had when it
    /// came to them.
    worth_below: u64,
    forked_at: u64,
    fingerprint: Option<Fingerprint>,
    /// Why there can be no interpolant.
    blocked: Option<NoInterpolant>,
}

/// What a child that is finished says.
struct FinishedChild {
    start: Box<State>,
    interpolant: Interpolant,
}

enum LeafNode {
    /// The path ended after so many instructions from its beginning, with these inputs.
    Ended { model: Rc<Model>, instructions: u64 },
    /// Something that was learnt elsewhere speaks for it, which has this worth.
    Covered(Interpolant, u64),
}

#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct Stats {
    pub nodes: u64,
    pub table: TableStats,
    /// Nodes that finished without an interpolant, by reason.
    pub failures: BTreeMap<NoInterpolant, u64>,
    /// States from which nothing that is looked for can be reached, and states that were met
    /// before.
    pub irrelevant: u64,
    /// Was interpolation given up in the course of the run, because memory was short?
    pub gave_up: bool,
    /// How often it paused, because it cost more than it saved.
    pub pauses: u64,
    /// What learning and looking up cost, and what it saved, in counted work: one unit is about an
    /// instruction. An estimate, as far as what is saved goes.
    pub spent_work: u64,
    /// What of this the solver did, in its own measure.
    pub spent_solving: u64,
    pub saved_work: u64,
    /// States that might have been met before.
    pub candidates: u64,
    pub repeated: u64,
    /// States that were met before, but further on, and had to wait.
    pub postponed: u64,
    pub check_nanos: u64,
    pub learn_nanos: u64,
}

impl Stats {
    /// Adds those of another pruner.
    pub fn add(&mut self, other: &Stats) {
        self.table.add(&other.table);
        for (&reason, nodes) in &other.failures {
            *self.failures.entry(reason).or_default() += nodes;
        }
        self.gave_up |= other.gave_up;
        let counts = [
            (&mut self.nodes, other.nodes),
            (&mut self.irrelevant, other.irrelevant),
            (&mut self.pauses, other.pauses),
            (&mut self.spent_work, other.spent_work),
            (&mut self.spent_solving, other.spent_solving),
            (&mut self.saved_work, other.saved_work),
            (&mut self.candidates, other.candidates),
            (&mut self.repeated, other.repeated),
            (&mut self.postponed, other.postponed),
            (&mut self.check_nanos, other.check_nanos),
            (&mut self.learn_nanos, other.learn_nanos),
        ];
        counts.into_iter().for_each(|(ours, theirs)| *ours += theirs);
    }
}

/// How to prune.
#[derive(Clone, Debug)]
pub struct Options {
    pub method: Method,
    /// Keep what became of every node, for [`Pruner::take_tree`].
    pub keep_tree: bool,
    /// Check that each node satisfies its own interpolant, and that rewritten clauses say enough.
    pub verify: bool,
    /// Keep what holds at loop heads, for [`Pruner::take_invariants`]; see `invariant` for what
    /// this needs.
    pub keep_invariants: bool,
    /// What the table may take, in bytes.
    pub most_bytes: usize,
    /// For tests: pauses by chance, whatever pruning costs. The number is where chance begins.
    pub forced_pauses: Option<u64>,
}

/// A state that was met.
struct Met {
    progress: SmallVec<[Progress; 1]>,
    /// What the node that it began was worth, if that one is finished.
    worth: u64,
}

/// What was learnt, and the table of it.
pub struct Pruner {
    method: Method,
    /// By the slots of open nodes.
    learning: Vec<Option<Learning>>,
    table: Table,
    /// The states that were met, whatever became of them, with how far on their counters were.
    met: FxHashMap<Fingerprint, Met>,
    /// The same of states whose paths are executed again, each for itself.
    lives: FxHashMap<Life, FxHashMap<Fingerprint, SmallVec<[Progress; 1]>>>,
    /// Leaves that are explored when nothing else is left, by how far on their counters are and in
    /// which order they came, with the states that they began with.
    waiting: BTreeMap<(Progress, NodeId), (Slot, Fingerprint)>,
    /// With `keep_tree`.
    records: Option<Vec<Record>>,
    /// With `verify`: nodes that do not satisfy their own interpolant.
    verify: bool,
    unsatisfied: Vec<Vec<Requirement>>,
    checks: Option<Checks>,
    invariants: Option<Invariants>,
    account: Account,
    speculation: Speculation,
    /// What was put into the table since it was last asked for, if somebody keeps it.
    kept: Option<Vec<Learnt>>,
    stats: Stats,
}

/// Of a state that was taken up again: the time until it forks. Each has another number.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Life(pub u64);

/// What a look-up says of a state.
pub enum LookUp {
    New,
    Covered,
    /// It is one that was met before but for counters, which are less far on now. What is least far
    /// on should be explored first: see [`Pruner::take_waiting`].
    Later,
}

/// A leaf that waited, and is first now.
pub struct Waited {
    pub leaf: Slot,
    /// Is it to be left alone, because one that is the same, but less far on, was met meanwhile?
    pub is_overtaken: bool,
}

/// What speaks for a state.
enum Found {
    Nothing,
    /// Something that was learnt, and its worth.
    Interpolant(Interpolant, u64),
    /// A state that is the same, and its worth as far as it is known.
    Same(u64),
    Later,
}

/// Is no counter further on?
fn is_no_further(a: &Progress, b: &Progress) -> bool {
    a.iter().zip(b).all(|(a, b)| a <= b)
}

/// So many interpolants share a list of terms when they are written down.
const EXPORTED: usize = 256;

/// What an interpolant of another run is worth: how much it stands for is not known.
const RESTORED: u64 = 10_000;

/// What a state is worth that is met again: how much there is below is not known yet.
const CYCLE: u64 = 10_000;

/// How far up the last visit of a loop head is looked for.
const MOST_ANCESTORS: usize = 1024;

/// Longer segments are not run again.
const LONGEST_SEGMENT: u64 = 10_000_000;

impl Pruner {
    pub fn new(options: &Options) -> Pruner {
        Pruner {
            method: options.method,
            learning: Vec::new(),
            table: Table::new(options.most_bytes),
            met: FxHashMap::default(),
            lives: FxHashMap::default(),
            waiting: BTreeMap::new(),
            records: options.keep_tree.then(Vec::new),
            verify: options.verify,
            unsatisfied: Vec::new(),
            checks: options.verify.then(Checks::default),
            invariants: options.keep_invariants.then(Invariants::default),
            account: Account::new(options.forced_pauses),
            speculation: Speculation::default(),
            kept: None,
            stats: Stats::default(),
        }
    }

    /// With `verify`: interpolants that their own nodes do not satisfy.
    pub fn take_unsatisfied(&mut self) -> Vec<Vec<Requirement>> {
        std::mem::take(&mut self.unsatisfied)
    }

    /// With `verify`: clauses that were rewritten into something that says less.
    pub fn take_wrong_rewritings(&mut self) -> Vec<Rewriting> {
        self.checks.iter_mut().flat_map(Checks::take_wrong).collect()
    }

    /// What was learnt since this was last called, for another run of the same program; nothing the
    /// first time.
    pub fn take_learnt(&mut self, executor: &Executor) -> Vec<Vec<u8>> {
        let learnt = self.kept.replace(Vec::new()).unwrap_or_else(|| self.table.entries(executor));
        learnt.chunks(EXPORTED).map(|learnt| codec::export(executor, learnt)).collect()
    }

    /// All that is in the table has been written down.
    pub fn note_written(&mut self) {
        self.kept = Some(Vec::new());
    }

    /// Takes over what another run of the same program learnt. How many interpolants were they?
    pub fn restore(&mut self, executor: &mut Executor, bytes: &[u8]) -> Result<u64, Damaged> {
        let learnt = codec::import(executor, bytes)?;
        let count = learnt.len() as u64;
        learnt.into_iter().for_each(|learnt| self.table.restore(executor, learnt, (NodeId(0), RESTORED)));
        Ok(count)
    }

    /// The state forked, ended or was parked.
    pub fn end_life(&mut self, life: Life) {
        self.lives.remove(&life);
    }

    /// A leaf has no state any more: nothing is learnt there, nor at the nodes above it.
    pub fn forget(&mut self, leaf: Slot) {
        self.waiting.retain(|_, (waiting, _)| *waiting != leaf);
        let Some(learning) = self.learning.get_mut(leaf.index()).and_then(Option::take) else { return };
        learning.parent.into_iter().for_each(|parent| self.block(parent, NoInterpolant::Parked));
    }

    /// All that is in the table, written down, so that terms can be dropped; see
    /// [`Pruner::restore`].
    pub fn pack(&mut self, executor: &Executor) -> Vec<Vec<u8>> {
        let learnt = self.table.entries(executor);
        self.clear();
        learnt.chunks(EXPORTED).map(|learnt| codec::export(executor, learnt)).collect()
    }

    /// Nothing that was learnt counts any more, nor what was begun; nothing waits.
    pub fn clear(&mut self) {
        self.learning.clear();
        self.waiting.clear();
        self.met.clear();
        self.lives.clear();
        self.table.clear();
        self.kept = self.kept.take().map(|_| Vec::new());
    }

    /// What holds at the heads of loops, if the run was complete.
    pub fn take_invariants(&mut self) -> Vec<LoopInvariant> {
        self.invariants.take().map(Invariants::take).unwrap_or_default()
    }

    /// So many states are open now.
    pub fn note_open(&mut self, states: usize) {
        self.account.note_open(states as u64);
    }

    /// Pauses if learning and looking up cost more than they save, until other work has caught up.
    /// What is asked for by name is learnt in any case.
    pub fn settle(&mut self, executor: &mut Executor) {
        if self.records.is_none() && self.invariants.is_none() {
            self.account.settle(executor);
        }
    }

    pub fn is_paused(&self) -> bool {
        self.account.is_paused()
    }

    /// Has nothing be learnt or looked up until this is called again, unless somebody asked for all
    /// that is learnt. Does it pause now?
    pub fn hold(&mut self, is_held: bool) -> bool {
        let is_held = is_held && self.records.is_none() && self.invariants.is_none();
        self.account.hold(is_held);
        is_held
    }

    /// What became of every node.
    pub fn take_tree(&mut self) -> Option<Vec<Record>> {
        self.records.take()
    }

    fn record(&mut self, id: NodeId, change: impl FnOnce(&mut Record)) {
        if let Some(records) = &mut self.records
            && let Ok(index) = records.binary_search_by_key(&id, |record| record.id)
        {
            change(&mut records[index]);
        }
    }

    pub fn stats(&self) -> Stats {
        Stats {
            table: self.table.stats.clone(),
            pauses: self.account.pauses(),
            spent_work: self.account.spent(),
            spent_solving: self.account.solved(),
            saved_work: self.account.saved(),
            ..self.stats.clone()
        }
    }

    /// How many states were left out because they were met before.
    pub fn met_again(&self) -> u64 {
        self.stats.repeated
    }

    fn learning(&mut self, node: Slot) -> Option<&mut Learning> {
        self.learning.get_mut(node.index())?.as_mut()
    }

    fn id(&self, node: Slot) -> Option<NodeId> {
        self.learning.get(node.index())?.as_ref().map(|learning| learning.id)
    }

    /// A node began with this state. Nothing is learnt at a node that begins while pruning pauses,
    /// nor at those above it.
    pub fn begin(&mut self, executor: &Executor, parent: Option<Slot>, node: Slot, id: NodeId, state: &State) {
        if self.learning.len() <= node.index() {
            self.learning.resize_with(node.index() + 1, || None);
        }
        if self.is_paused() {
            self.learning[node.index()] = None;
            parent.into_iter().for_each(|parent| self.block(parent, NoInterpolant::Paused));
            return;
        }
        let parent_id = parent.and_then(|parent| self.id(parent));
        if let Some(records) = &mut self.records {
            let loc = executor.state_location(state);
            records.push(Record {
                id,
                parent: parent_id,
                loc,
                fate: Fate::Inner,
                interpolant: None,
                no_interpolant: None,
            });
        }
        self.stats.nodes += 1;
        self.learning[node.index()] = Some(Learning {
            id,
            parent,
            point: Point::of(state).map(Rc::new),
            start: Box::new(state.clone()),
            children: Vec::new(),
            ended: Vec::new(),
            joins: false,
            leaf: None,
            worth_below: 0,
            forked_at: state.instructions(),
            fingerprint: None,
            blocked: None,
        });
    }

    /// The path of a node came to where paths meet: its only child is there.
    pub fn join(&mut self, node: Slot) {
        if let Some(learning) = self.learning(node) {
            learning.joins = true;
        }
    }

    /// Is the state at this new node covered by what was learnt? Then the node is finished, and the
    /// state is not to be explored.
    ///
    /// A path that is executed again, in another `life`, may have come here before, and what was
    /// learnt may rest on it: whatever others left to this state has to be explored from here. So
    /// nothing speaks for it but what its path has passed in this life.
    pub fn look_up(
        &mut self,
        executor: &mut Executor,
        (node, id): (Slot, NodeId),
        state: &State,
        life: Option<Life>,
    ) -> LookUp {
        let start = Instant::now();
        let found = self.cover(executor, (node, id), state, life);
        self.stats.check_nanos += start.elapsed().as_nanos() as u64;
        match found {
            Found::Nothing => return LookUp::New,
            Found::Later => return LookUp::Later,
            Found::Interpolant(interpolant, worth) => {
                self.account.save(executor, worth);
                self.ends_as(node, LeafNode::Covered(interpolant, worth));
            }
            Found::Same(worth) => {
                self.account.save(executor, worth);
                self.repeats(executor, node, state);
            }
        }
        LookUp::Covered
    }

    /// An invariant shows that nothing is met below a node; what a state needs for that is not known.
    pub fn proved(&mut self, node: Slot) {
        self.block(node, NoInterpolant::Invariant);
    }

    fn ends_as(&mut self, node: Slot, leaf: LeafNode) {
        if let Some(learning) = self.learning(node) {
            learning.leaf = Some(leaf);
        }
    }

    /// Takes out the leaf that is least far on of those that wait.
    pub fn take_waiting(&mut self) -> Option<Waited> {
        let ((own, _), (leaf, fingerprint)) = self.waiting.pop_first()?;
        let met = self.met.get(&fingerprint);
        let is_overtaken =
            met.is_some_and(|met| met.progress.iter().any(|other| *other != own && is_no_further(other, &own)));
        if is_overtaken {
            self.spoil_invariants();
            self.is_repeated(leaf);
            self.block(leaf, NoInterpolant::MetBefore);
        }
        Some(Waited { leaf, is_overtaken })
    }

    /// All that wait, those that are least far on first.
    pub fn waiting(&self) -> impl Iterator<Item = Slot> {
        self.waiting.values().map(|&(leaf, _)| leaf)
    }

    /// A state is left out that is further on than another: what holds of that one need not hold of
    /// it.
    fn spoil_invariants(&mut self) {
        self.invariants.iter_mut().for_each(Invariants::spoil);
    }

    /// The state of a node was met before.
    fn repeats(&mut self, executor: &mut Executor, node: Slot, state: &State) {
        self.is_repeated(node);
        match cycle::describe(executor, state) {
            Some(interpolant) => self.ends_as(node, LeafNode::Covered(interpolant, CYCLE)),
            None => self.block(node, NoInterpolant::MetBefore),
        }
    }

    fn is_repeated(&mut self, node: Slot) {
        self.stats.repeated += 1;
        self.becomes(node, Fate::Repeated);
    }

    /// Is the state of a node, which is at the head of a loop, among those of an ancestor there? A
    /// description of these, then.
    fn among_ancestors(&mut self, executor: &mut Executor, node: Slot, state: &State) -> Option<Interpolant> {
        if self.is_paused() || !executor.is_at_loop_head(state) {
            return None;
        }
        let learning = self.learning(node)?;
        let (point, mut above) = (learning.point.clone()?, learning.parent);
        for _ in 0..MOST_ANCESTORS {
            let ancestor = self.learning.get(above?.index())?.as_ref()?;
            if ancestor.point.as_ref() == Some(&point) {
                if !cycle::may_be_among(executor, state, &ancestor.start) {
                    return None;
                }
                let mark = Account::mark(executor);
                let description = cycle::describe(executor, &ancestor.start);
                let description = description.filter(|it| table::satisfies(executor, it, state));
                if let Some(description) = &description {
                    // For others that come round.
                    self.table.insert(executor, &point, &ancestor.start, description.clone(), (ancestor.id, CYCLE));
                }
                self.account.charge_look_up(executor, &mark, 1);
                return description;
            }
            above = ancestor.parent;
        }
        None
    }

    fn becomes(&mut self, node: Slot, fate: Fate) {
        if let Some(id) = self.id(node) {
            self.record(id, |record| record.fate = fate);
        }
    }

    /// What speaks for the state: an interpolant, or another state that is the same, for which
    /// there may be none yet.
    fn cover(
        &mut self,
        executor: &mut Executor,
        (node, id): (Slot, NodeId),
        state: &State,
        life: Option<Life>,
    ) -> Found {
        if !executor.is_relevant(state) {
            self.stats.irrelevant += 1;
            self.becomes(node, Fate::Irrelevant);
            return Found::Interpolant(Interpolant::default(), 0);
        }
        if !state.is_between_instructions() {
            return Found::Nothing;
        }
        let point = self.learning(node).and_then(|learning| learning.point.clone());
        if let Some(point) = point.filter(|_| !self.is_paused() && life.is_none()) {
            let (mark, compared) = (Account::mark(executor), self.table.stats.compared());
            let found = self.table.find(executor, &point, state);
            // Where nothing is known yet, nothing is lost: a first path may be long.
            let compared = self.table.stats.compared() - compared;
            if compared > 0 {
                self.account.charge_look_up(executor, &mark, compared);
            }
            if let Some(Spoken { interpolant, by, worth }) = found {
                self.becomes(node, Fate::PrunedBy(by));
                return Found::Interpolant(interpolant, worth);
            }
        }
        if let Some(description) = self.among_ancestors(executor, node, state) {
            self.is_repeated(node);
            return Found::Interpolant(description, CYCLE);
        }
        if !self.is_worth_a_fingerprint(executor) {
            return Found::Nothing;
        }
        let mark = Account::mark(executor);
        let fingerprint = executor.fingerprint(state);
        self.account.charge_fingerprint(executor, &mark);
        match fingerprint {
            Some((fingerprint, progress)) => match life {
                Some(life) => self.meet_again(life, fingerprint, progress),
                None => self.meet((id, node), fingerprint, progress),
            },
            None => Found::Nothing,
        }
    }

    /// Is the state one that its path has passed in this life, or further on than one?
    fn meet_again(&mut self, life: Life, fingerprint: Fingerprint, progress: Progress) -> Found {
        let met = self.lives.entry(life).or_default().entry(fingerprint).or_default();
        if met.iter().any(|other| is_no_further(other, &progress)) {
            if !met.contains(&progress) {
                self.spoil_invariants();
            }
            return Found::Same(0);
        }
        met.push(progress);
        Found::Nothing
    }

    /// A state that is further on than one that was met before is covered by it. If it is less far
    /// on, it has to be explored too, but later: of all the ways to the same state, the one on
    /// which its counters are least far on makes the others needless.
    fn meet(&mut self, (id, node): (NodeId, Slot), fingerprint: Fingerprint, progress: Progress) -> Found {
        match self.met.entry(fingerprint) {
            Entry::Vacant(entry) => {
                entry.insert(Met { progress: smallvec![progress], worth: 0 });
                if let Some(learning) = self.learning(node) {
                    learning.fingerprint = Some(fingerprint);
                }
                Found::Nothing
            }
            Entry::Occupied(mut entry) => {
                let Met { progress: met, worth } = entry.get_mut();
                let worth = *worth;
                if met.iter().any(|other| is_no_further(other, &progress)) {
                    if !met.contains(&progress) {
                        self.spoil_invariants();
                    }
                    return Found::Same(worth);
                }
                met.retain(|other| !is_no_further(&progress, other));
                met.push(progress.clone());
                self.waiting.insert((progress, id), (node, fingerprint));
                self.stats.postponed += 1;
                Found::Later
            }
        }
    }

    /// Fingerprints are for programs whose states repeat. Where they do not, a few are enough to
    /// notice when they begin to: an endless loop comes by again.
    fn is_worth_a_fingerprint(&mut self, executor: &Executor) -> bool {
        let is_worth = self.account.can_afford_a_fingerprint(executor, self.stats.repeated);
        self.stats.candidates += u64::from(is_worth);
        is_worth
    }

    /// The path that runs in this node ended, with `state` as its last state. `is_whole` says that
    /// the end stands for everything that could have followed.
    pub fn end(&mut self, node: Slot, state: &State, is_whole: bool) {
        self.account.note_end();
        self.becomes(node, if is_whole { Fate::Ended } else { Fate::Cut });
        match state.model() {
            _ if !is_whole => self.block(node, NoInterpolant::Cut),
            None => self.block(node, NoInterpolant::NoInputs),
            Some(model) => {
                let instructions = state.instructions();
                self.ends_as(node, LeafNode::Ended { model: model.clone(), instructions });
            }
        }
    }

    /// An alternative of a fork ended, as a whole, before it became a node.
    pub fn ended(&mut self, parent: Slot, state: &State) {
        self.account.note_end();
        match state.model() {
            Some(model) => {
                if let Some(learning) = self.learning(parent) {
                    learning.ended.push(model.clone());
                }
            }
            None => self.block(parent, NoInterpolant::NoInputs),
        }
    }

    /// An alternative of a fork was cut short, before it became a node.
    pub fn cut(&mut self, parent: Slot) {
        self.block(parent, NoInterpolant::Cut);
    }

    fn block(&mut self, node: Slot, reason: NoInterpolant) {
        let Some(learning) = self.learning(node).filter(|learning| learning.blocked.is_none()) else { return };
        learning.blocked = Some(reason);
        let id = learning.id;
        self.note_failure(id, reason);
    }

    fn note_failure(&mut self, id: NodeId, reason: NoInterpolant) {
        *self.stats.failures.entry(reason).or_default() += 1;
        self.record(id, |record| record.no_interpolant = Some(reason));
    }

    /// Everything below these nodes is finished: each goes into the table, and what it says to its
    /// parent. They are a leaf and the nodes above that it finishes, in this order. `is_new` is
    /// false if something that is in the table speaks for the leaf, `is_last` if no state is left
    /// that could be told.
    pub fn finish(&mut self, executor: &mut Executor, finished: &[Finished], mut is_new: bool, is_last: bool) {
        let is_wanted = self.records.is_some() || self.invariants.is_some() || self.verify;
        if is_last && !is_wanted {
            for node in finished {
                self.learning.get_mut(node.slot.index()).map(Option::take);
            }
            return;
        }
        let began = Instant::now();
        for node in finished {
            let Some(learning) = self.learning.get_mut(node.slot.index()).and_then(Option::take) else { continue };
            self.settle(executor);
            // What is left unfinished when the run is stopped speaks for nothing.
            if !executor.is_stopped() {
                self.finish_node(executor, learning, node.parent, is_new);
            }
            is_new = true;
        }
        self.stats.learn_nanos += began.elapsed().as_nanos() as u64;
    }

    fn finish_node(&mut self, executor: &mut Executor, mut learning: Learning, parent: Option<Slot>, is_new: bool) {
        let mark = Account::mark(executor);
        if self.is_paused() && learning.blocked.is_none() {
            learning.blocked = Some(NoInterpolant::Paused);
            self.note_failure(learning.id, NoInterpolant::Paused);
        }
        let is_covered = matches!(learning.leaf, Some(LeafNode::Covered(..)));
        let worth = learning.worth();
        if let Some(met) = learning.fingerprint.and_then(|fingerprint| self.met.get_mut(&fingerprint)) {
            met.worth = worth;
        }
        // What speculation passes at loop heads is not among what holds there.
        let is_wanted = self.invariants.is_none();
        self.speculation.allow(if is_wanted { self.account.for_speculation(executor) } else { 0 });
        let (table, checks) = (&mut self.table, self.checks.as_mut());
        let learning_for = LearningFor { table, checks, method: self.method, node: learning.id };
        let interpolant = learning.interpolant(executor, &mut self.speculation, learning_for);
        if let Err(reason) = interpolant
            && learning.blocked.is_none()
        {
            self.note_failure(learning.id, reason);
        }
        let Learning { id, start, point, blocked, .. } = learning;
        if let Some(invariants) = &mut self.invariants {
            invariants.note(executor, &start, interpolant.as_ref().ok());
        }
        if let Ok(interpolant) = &interpolant {
            self.store(executor, (id, worth), point.filter(|_| is_new), interpolant, &start);
        }
        match blocked {
            Some(_) => {}
            None if is_covered => self.account.charge_covered(executor, &mark),
            None => self.account.charge_learning(executor, &mark, self.speculation.take_done()),
        }
        let Some(parent) = parent else { return };
        if let Some(parent) = self.learning(parent) {
            parent.worth_below = parent.worth_below.saturating_add(worth);
            parent.forked_at = start.instructions();
        }
        match interpolant {
            Ok(interpolant) => {
                if let Some(parent) = self.learning(parent).filter(|parent| parent.blocked.is_none()) {
                    parent.children.push(FinishedChild { start, interpolant });
                }
            }
            Err(reason) => {
                self.block(parent, reason);
                if let Some(parent) = self.learning(parent) {
                    parent.children.clear();
                }
            }
        }
    }

    /// Puts what was learnt at a node into the table and the record.
    fn store(
        &mut self,
        executor: &mut Executor,
        (id, worth): (NodeId, u64),
        point: Option<Rc<Point>>,
        interpolant: &Interpolant,
        start: &State,
    ) {
        if self.records.is_some() {
            let clauses = interpolant.requirements(executor);
            self.record(id, |record| record.interpolant = Some(clauses));
        }
        let Some(point) = point else { return };
        if let Some(kept) = &mut self.kept {
            kept.push(Table::to_keep(executor, &point, start, interpolant));
        }
        self.table.insert(executor, &point, start, interpolant.clone(), (id, worth));
        // What was decided on fixed values holds for them.
        if self.verify && executor.with_fixed_leaves(|executor| self.table.is_refuted(executor, &point, start)) {
            self.unsatisfied.push(interpolant.requirements(executor));
        }
    }
}

impl Learning {
    /// What a state is worth that is the same: the work below, and before.
    fn worth(&self) -> u64 {
        let (end, forked) = match &self.leaf {
            Some(LeafNode::Covered(_, worth)) => return *worth,
            Some(LeafNode::Ended { instructions, .. }) => (*instructions, false),
            None => (self.forked_at, !self.joins),
        };
        // A path that is executed again begins before the joins that it had passed.
        Account::worth(end.saturating_sub(self.start.instructions()), forked, self.worth_below)
    }

    /// The interpolant of the node, below which everything is finished.
    fn interpolant(
        &mut self,
        executor: &mut Executor,
        speculation: &mut Speculation,
        learning: LearningFor<'_>,
    ) -> Result<Interpolant, NoInterpolant> {
        if let Some(reason) = self.blocked {
            return Err(reason);
        }
        let start = &*self.start;
        let builder = |executor| Builder::new(executor, learning.method, start).speculating(speculation, learning);
        match self.leaf.take() {
            Some(LeafNode::Covered(interpolant, _)) => Ok(interpolant),
            Some(LeafNode::Ended { model, instructions }) => {
                let segment = Segment { start, model: &model, instructions: length(start, instructions)?, end: None };
                let mut builder = builder(executor);
                builder.add_child(&segment, &Interpolant::default())?;
                builder.finish()
            }
            None if self.joins => {
                let FinishedChild { start: child, interpolant } =
                    self.children.first().ok_or(NoInterpolant::NoChild)?;
                let model = child.model().ok_or(NoInterpolant::NoInputs)?;
                let instructions = length(start, child.instructions())?;
                let mut builder = builder(executor);
                builder.add_join(&Segment { start, model, instructions, end: Some(child) }, interpolant)?;
                builder.finish()
            }
            None => learn_from_children(builder(executor), start, &self.children, &self.ended),
        }
    }
}

/// How many instructions a segment has that ends where `instructions` were executed since the path
/// began.
fn length(start: &State, instructions: u64) -> Result<u64, NoInterpolant> {
    let length = instructions - start.instructions();
    if length > LONGEST_SEGMENT { Err(NoInterpolant::LongSegment) } else { Ok(length) }
}

/// The interpolant of a node that forked: what each child needs, carried back over the segment
/// before the fork, and that the fork has no other outcome than theirs.
fn learn_from_children(
    mut builder: Builder<'_>,
    start: &State,
    children: &[FinishedChild],
    ended: &[Rc<Model>],
) -> Result<Interpolant, NoInterpolant> {
    let mut prefix: Option<(Prefix, Vec<Term>)> = None;
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut length_of_fork = 0;
    for FinishedChild { start: child, interpolant } in children {
        let model = child.model().ok_or(NoInterpolant::NoInputs)?;
        let instructions = length(start, child.instructions())?;
        // An alternative that was over at the fork itself: the replay ends there.
        let end = (!child.is_over()).then_some(&**child);
        let segment = Segment { start, model, instructions, end };
        let Some(end) = end.filter(|_| instructions > 0) else {
            let outcome = builder.add_child(&segment, interpolant)?;
            outcomes.extend(end.map(|_| outcome));
            continue;
        };
        if prefix.is_none() {
            prefix = Some(builder.add_prefix(&segment)?);
        }
        let (before, assumed) = prefix.as_ref().ok_or(NoInterpolant::NoPrefix)?;
        outcomes.push(builder.add_alternative(&segment, before, assumed, end, interpolant)?);
        length_of_fork = instructions;
    }
    // What tells them apart is not seen on leaves: nothing says which of them another state goes to.
    if (1..outcomes.len()).any(|last| outcomes[..last].iter().any(|other| other.taken == outcomes[last].taken)) {
        return Err(NoInterpolant::NoFork);
    }
    if !outcomes.is_empty() && !builder.is_exhaustive(&outcomes) {
        for model in ended {
            // Without its condition the others must cover everything, which is stronger.
            outcomes.extend(builder.outcome(&Segment { start, model, instructions: length_of_fork, end: None }));
        }
        builder.add_outcomes(&outcomes)?;
    }
    builder.finish()
}
