//! Going on with a recorded tree: all of its records are read once, and what they leave unfinished
//! are parked leaves. From there on it is a run like any other: parked leaves are taken up, and the
//! paths to them are executed again by their records.
//!
//! A node without a record is unfinished, whatever the reason: it was never run, the process was
//! killed, the record is damaged. Records of nodes that nothing leads to are left out: they hang on
//! one that is damaged or was replaced.

use crate::engine::{Engine, is_target};
use crate::recording::{Recorded, RecordedNodes, Recorder, is_final};
use crate::snapshot::Snapshot;
use espalier_exec::{CutReason, ViolationKind};
use espalier_ir::Loc;
use espalier_store::{Batch, OutcomeView, Place, Reader, RecordId, RecordView, Store, StoreError, Verdict, Why};
use espalier_tree::{Slot, Tree};
use rustc_hash::FxHashMap;
use thiserror::Error;

/// Why a recorded tree cannot be gone on with.
#[derive(Debug, Error)]
pub enum RestoreError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(
        "what was known of the paths that ended cannot be read: without it no answer would be right; record the program anew"
    )]
    NoSnapshot,
    #[error("records were damaged while the run went on: resume it, which explores again what is lost")]
    Damaged,
}

/// What was found in a recorded tree.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Restored {
    pub records: u64,
    /// Nodes that are not finished.
    pub unfinished: u64,
    /// Batches of records that are damaged: their nodes are explored again, and counted twice.
    pub damaged: u64,
    /// Paths that were cut by limits which are larger now.
    pub reopened: u64,
    /// Interpolants.
    pub learnt: u64,
    /// How many of those that are not finished were selected, if not all are to be.
    pub selected: Option<u64>,
}

/// The slots of nodes. A whole tree has most of its numbers, a part of one has few.
enum Slots {
    /// By worker and counter.
    Dense(Vec<Vec<Option<Slot>>>),
    Sparse(FxHashMap<RecordId, Slot>),
}

impl Slots {
    fn get(&self, id: RecordId) -> Option<Slot> {
        match self {
            Slots::Dense(slots) => slots.get(id.worker() as usize)?.get(id.counter() as usize).copied().flatten(),
            Slots::Sparse(slots) => slots.get(&id).copied(),
        }
    }

    fn set(&mut self, id: RecordId, slot: Option<Slot>) {
        match self {
            Slots::Dense(slots) => {
                let (worker, counter) = (id.worker() as usize, id.counter() as usize);
                if slots.len() <= worker {
                    slots.resize(worker + 1, Vec::new());
                }
                let slots = &mut slots[worker];
                if slots.len() <= counter {
                    // Numbers follow each other: room for many at once.
                    slots.resize((counter + 1).next_multiple_of(1 << 12), None);
                }
                slots[counter] = slot;
            }
            Slots::Sparse(slots) => match slot {
                Some(slot) => {
                    slots.insert(id, slot);
                }
                None => {
                    slots.remove(&id);
                }
            },
        }
    }
}

/// Builds the open skeleton of the tree from records.
pub(crate) struct Skeleton<'a> {
    tree: Tree,
    slots: Slots,
    nodes: RecordedNodes,
    /// Where the forks were that unfinished leaves come from, by slot.
    origins: Vec<(u32, u32)>,
    /// How many records of a node are still to come that replace the one that is read.
    replaced: FxHashMap<RecordId, u32>,
    /// Does this run go on from what that one cut?
    reopens: &'a dyn Fn(u64, Why) -> bool,
    next_ids: FxHashMap<u16, u64>,
    /// The last batch of each worker in each run.
    last_batches: FxHashMap<(u64, u16), u64>,
    restored: Restored,
}

impl<'a> Skeleton<'a> {
    /// Nothing but a root: of a whole tree.
    fn whole(replaced: FxHashMap<RecordId, u32>, reopens: &'a dyn Fn(u64, Why) -> bool) -> Skeleton<'a> {
        Skeleton::new(Slots::Dense(Vec::new()), replaced, reopens)
    }

    /// Of a part of one.
    pub(crate) fn part(reopens: &'a dyn Fn(u64, Why) -> bool) -> Skeleton<'a> {
        Skeleton::new(Slots::Sparse(FxHashMap::default()), FxHashMap::default(), reopens)
    }

    fn new(slots: Slots, replaced: FxHashMap<RecordId, u32>, reopens: &'a dyn Fn(u64, Why) -> bool) -> Skeleton<'a> {
        let (mut tree, root) = Tree::new(0);
        tree.park(root);
        let mut skeleton = Skeleton {
            tree,
            slots,
            nodes: RecordedNodes::default(),
            origins: Vec::new(),
            replaced,
            reopens,
            next_ids: FxHashMap::from_iter([(0, 1)]),
            last_batches: FxHashMap::default(),
            restored: Restored::default(),
        };
        skeleton.place(RecordId(0), root, (0, 0));
        skeleton
    }

    pub(crate) fn slot(&self, id: RecordId) -> Option<Slot> {
        self.slots.get(id)
    }

    fn place(&mut self, id: RecordId, slot: Slot, origin: (u32, u32)) {
        self.slots.set(id, Some(slot));
        self.nodes.set(slot, Recorded::new(id));
        if self.origins.len() <= slot.index() {
            self.origins.resize(slot.index() + 1, (0, 0));
        }
        self.origins[slot.index()] = origin;
    }

    /// The record of an unfinished node does not count any more.
    pub(crate) fn revise(&mut self, id: RecordId, slot: Slot) {
        self.nodes.set(slot, Recorded::revised(id));
    }

    /// In what is read from now on, nodes have so many records that others replace.
    pub(crate) fn replace(&mut self, replaced: FxHashMap<RecordId, u32>) {
        self.replaced = replaced;
    }

    pub(crate) fn read(&mut self, run: u64, batch: &Batch) {
        let next = self.next_ids.entry(batch.worker).or_default();
        *next = (*next).max(batch.next_id);
        let last = self.last_batches.entry((run, batch.worker)).or_default();
        *last = (*last).max(batch.seq);
        for view in batch.views() {
            let Ok((place, record)) = view else {
                self.restored.damaged += 1;
                return;
            };
            self.restored.records += 1;
            if let Some(left) = self.replaced.get_mut(&record.id).filter(|left| **left > 0) {
                *left -= 1;
                continue;
            }
            self.add(run, place, &record);
        }
    }

    /// Was there something that cannot be read?
    pub(crate) fn is_damaged(&self) -> bool {
        self.restored.damaged > 0
    }

    /// A record, if something leads to its node.
    pub(crate) fn add(&mut self, run: u64, place: Place, record: &RecordView<'_>) {
        let Some(slot) = self.slot(record.id) else { return };
        match record.outcome {
            OutcomeView::Fork { first_child, ways } => {
                let open = ways.filter(|way| way.end.is_none());
                let slots = self.tree.fork_parked(slot, open.map(|way| way.label));
                self.nodes.set(slot, Recorded::at(record.id, place));
                for (slot, id) in slots.into_iter().zip(first_child.0..) {
                    self.place(RecordId(id), slot, (record.function, record.instruction));
                }
            }
            OutcomeView::Mark { .. } => {}
            OutcomeView::End(end) => match end.verdict {
                Verdict::Cut(why) if !is_final(end.verdict) && (self.reopens)(run, why) => {
                    self.restored.reopened += 1;
                    self.nodes.set(slot, Recorded::revised(record.id));
                }
                _ => {
                    self.slots.set(record.id, None);
                    let nodes = &mut self.nodes;
                    self.tree.close(slot, |finished| nodes.remove(finished.slot));
                }
            },
        }
    }

    /// The tree, the records of its nodes, and where its leaves come from.
    pub(crate) fn into_parts(self) -> (Tree, RecordedNodes, Vec<(u32, u32)>) {
        (self.tree, self.nodes, self.origins)
    }
}

/// The limits that a later run may go beyond.
#[derive(Clone, Default, Debug)]
pub struct EarlierLimits {
    pub max_depth: Option<u32>,
    pub max_forks: Option<u64>,
    pub max_unwind: Option<u32>,
}

impl EarlierLimits {
    /// Does a run with these limits go on from what was cut by those of another?
    fn reopens(&self, why: Why, before: &EarlierLimits) -> bool {
        match why {
            Why::Depth => before.max_depth.is_some_and(|limit| is_above(self.max_depth, limit)),
            Why::Forks => before.max_forks.is_some_and(|limit| is_above(self.max_forks, limit)),
            Why::Unwind => before.max_unwind.is_some_and(|limit| is_above(self.max_unwind, limit)),
            _ => false,
        }
    }

    /// The same of one that is known by its reason.
    fn reopens_cut(&self, reason: &CutReason) -> bool {
        match *reason {
            CutReason::MaxDepth(limit) => is_above(self.max_depth, limit),
            CutReason::MaxForks(limit) => is_above(self.max_forks, limit),
            CutReason::Unwind { limit, is_for_one: false } => is_above(self.max_unwind, limit),
            _ => false,
        }
    }
}

fn is_above<T: PartialOrd>(now: Option<T>, before: T) -> bool {
    now.is_none_or(|now| now > before)
}

impl Engine {
    /// Goes on with the tree of earlier runs of the same program, in the place of beginning anew.
    /// `before` are the limits that they had, by their numbers. What was cut in a run that is not
    /// among them is gone on with.
    pub fn resume(
        &mut self,
        mut store: Store,
        before: FxHashMap<u64, EarlierLimits>,
    ) -> Result<Restored, RestoreError> {
        let reader = store.reader()?;
        let limits = self.limits_to_go_beyond();
        let read = read_tree(&reader, &|run, why| before.get(&run).is_none_or(|before| limits.reopens(why, before)))?;
        let Read { tree, nodes, origins, mut restored, snapshot, last_batch, next_id } = read;
        if let Some(mut snapshot) = snapshot {
            snapshot.reopen(|reason| limits.reopens_cut(reason));
            self.take_over(snapshot);
        }
        let mut learnt = Vec::new();
        reader.learnt(&mut |bytes| learnt.push(bytes))?;
        if restored.damaged > 0 {
            // An interpolant may rest on a node that is being explored (`prune::cycle`). If the record
            // of that one is lost, it would speak for the node itself, and nobody explored it.
            learnt.clear();
            store.drop_learnt()?;
        }
        let recorder = Recorder::resumed(store, reader, nodes, last_batch + 1, next_id);
        self.earlier_limits = before;
        self.damaged = restored.damaged;
        self.replant(tree, recorder);
        restored.learnt = self.take_over_learnt(learnt);
        self.pruning.iter_mut().for_each(|pruning| pruning.pruner.note_written());
        self.park_unfinished(&origins);
        restored.unfinished = self.parking.len() as u64;
        Ok(restored)
    }

    /// The errors that are known, in the order of their places.
    pub fn errors(&self) -> Vec<(ViolationKind, Loc)> {
        let errors = self.known_errors.iter().filter(|(kind, ..)| !is_target(*kind));
        let mut errors: Vec<(ViolationKind, Loc)> = errors.map(|&(kind, loc, _)| (kind, loc)).collect();
        errors.sort_by_key(|&(kind, loc)| (loc, kind.name()));
        errors
    }

    /// The tree is what others made of it meanwhile.
    pub(crate) fn look_again(&mut self, reader: &Reader) -> Result<(), RestoreError> {
        let limits = self.limits_to_go_beyond();
        let reopens = |run, why| self.earlier_limits.get(&run).is_some_and(|before| limits.reopens(why, before));
        let Read { tree, nodes, origins, restored, snapshot, last_batch, .. } = read_tree(reader, &reopens)?;
        if restored.damaged > self.damaged {
            return Err(RestoreError::Damaged);
        }
        if let Some(snapshot) = snapshot {
            self.take_over(snapshot);
        }
        self.replant_part(tree, nodes);
        self.recorder.number_from(last_batch + 1);
        self.park_unfinished(&origins);
        Ok(())
    }

    fn limits_to_go_beyond(&self) -> EarlierLimits {
        EarlierLimits {
            max_depth: self.config.limits.max_depth,
            max_forks: self.config.limits.max_forks,
            max_unwind: self.config.exec.max_unwind,
        }
    }

    /// All leaves of the tree are parked, and their paths come from there.
    pub(crate) fn park_unfinished(&mut self, origins: &[(u32, u32)]) {
        for leaf in self.tree.root().into_iter().flat_map(|root| self.tree.unfinished(root)) {
            let (function, instruction) = origins.get(leaf.index()).copied().unwrap_or_default();
            self.parking.add(leaf, self.executor.location(function, instruction).unwrap_or(Loc::UNKNOWN));
        }
    }
}

/// A recorded tree.
struct Read {
    tree: Tree,
    nodes: RecordedNodes,
    origins: Vec<(u32, u32)>,
    restored: Restored,
    /// What is known of all paths that ended; none, if none is recorded.
    snapshot: Option<Snapshot>,
    last_batch: u64,
    next_id: u64,
}

/// Reads all records. `reopens` says whether this run goes on from what that one cut.
fn read_tree(reader: &Reader, reopens: &dyn Fn(u64, Why) -> bool) -> Result<Read, RestoreError> {
    let mut replaced: FxHashMap<RecordId, u32> = FxHashMap::default();
    reader.revised()?.into_iter().for_each(|id| *replaced.entry(id).or_default() += 1);
    let mut skeleton = Skeleton::whole(replaced, reopens);
    let scanned = reader.scan(&mut |run, batch| skeleton.read(run, &batch))?;
    let is_empty = scanned.batches + scanned.damaged == 0;
    let snapshot = Snapshot::read(reader, &skeleton.last_batches, is_empty)?;
    let next_id = skeleton.next_ids.get(&0).copied().unwrap_or(1);
    let mut restored = skeleton.restored;
    restored.damaged += scanned.damaged;
    let (tree, nodes, origins) = skeleton.into_parts();
    Ok(Read { tree, nodes, origins, restored, snapshot, last_batch: scanned.last_seq, next_id })
}
