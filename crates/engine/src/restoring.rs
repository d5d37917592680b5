//! Going on with a recorded tree: all of its records are read once, and what they leave unfinished
//! are parked leaves. From there on it is a run like any other: parked leaves are taken up, and the
//! paths to them are executed again by their records.
//!
//! A node without a record is unfinished, whatever the reason: it was never run, the process was
//! killed, the record is damaged. Records of nodes that nothing leads to are left out: they hang on
//! one that is damaged or was replaced.

use crate::engine::Engine;
use crate::growing::Pruning;
use crate::recording::{Recorded, RecordedNodes, Recorder, is_final};
use crate::snapshot::Snapshot;
use espalier_exec::CutReason;
use espalier_ir::Loc;
use espalier_store::{Batch, OutcomeView, Place, RecordId, RecordView, Store, StoreError, Verdict, Why};
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

/// Builds the open skeleton of the tree from records.
struct Skeleton<'a> {
    tree: Tree,
    /// By worker and counter.
    slots: FxHashMap<u16, Vec<Option<Slot>>>,
    nodes: RecordedNodes,
    /// Where the forks were that unfinished leaves come from, by slot.
    origins: Vec<(u32, u32)>,
    /// How many records of a node are still to come that replace the one that is read.
    replaced: FxHashMap<RecordId, u32>,
    /// Does this run go on from what that one cut?
    reopens: &'a dyn Fn(u64, Why) -> bool,
    next_ids: FxHashMap<u16, u64>,
    restored: Restored,
}

impl Skeleton<'_> {
    fn slot(&self, id: RecordId) -> Option<Slot> {
        self.slots.get(&id.worker())?.get(id.counter() as usize).copied().flatten()
    }

    fn place(&mut self, id: RecordId, slot: Slot, origin: (u32, u32)) {
        let slots = self.slots.entry(id.worker()).or_default();
        let counter = id.counter() as usize;
        if slots.len() <= counter {
            slots.resize(counter + 1, None);
        }
        slots[counter] = Some(slot);
        self.nodes.set(slot, Recorded::new(id));
        if self.origins.len() <= slot.index() {
            self.origins.resize(slot.index() + 1, (0, 0));
        }
        self.origins[slot.index()] = origin;
    }

    fn read(&mut self, run: u64, batch: &Batch) {
        let next = self.next_ids.entry(batch.worker).or_default();
        *next = (*next).max(batch.next_id);
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
            if let Some(slot) = self.slot(record.id) {
                self.apply(run, place, &record, slot);
            }
        }
    }

    fn apply(&mut self, run: u64, place: Place, record: &RecordView<'_>, slot: Slot) {
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
                    self.slots.get_mut(&record.id.worker()).into_iter().for_each(|slots| {
                        slots[record.id.counter() as usize] = None;
                    });
                    self.tree.close(slot, |_| {});
                }
            },
        }
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
    pub fn resume(&mut self, store: Store, before: &FxHashMap<u64, EarlierLimits>) -> Result<Restored, RestoreError> {
        let reader = store.reader()?;
        let limits = EarlierLimits {
            max_depth: self.config.limits.max_depth,
            max_forks: self.config.limits.max_forks,
            max_unwind: self.config.exec.max_unwind,
        };
        let reopens = |run, why| before.get(&run).is_none_or(|before| limits.reopens(why, before));
        let (mut tree, root) = Tree::new(0);
        tree.park(root);
        let mut replaced: FxHashMap<RecordId, u32> = FxHashMap::default();
        reader.revised()?.into_iter().for_each(|id| *replaced.entry(id).or_default() += 1);
        let mut skeleton = Skeleton {
            tree,
            slots: FxHashMap::default(),
            nodes: RecordedNodes::default(),
            origins: Vec::new(),
            replaced,
            reopens: &reopens,
            next_ids: FxHashMap::from_iter([(0, 1)]),
            restored: Restored::default(),
        };
        skeleton.place(RecordId(0), root, (0, 0));
        let scanned = reader.scan(&mut |run, batch| skeleton.read(run, &batch))?;
        let mut snapshot = Snapshot::read(&reader, &scanned)?;
        let Skeleton { tree, nodes, origins, next_ids, mut restored, .. } = skeleton;
        restored.damaged += scanned.damaged;
        snapshot.reopen(|reason| limits.reopens_cut(reason));
        self.take_over(snapshot);
        let next_id = next_ids.get(&0).copied().unwrap_or(1);
        let mut learnt = Vec::new();
        reader.learnt(&mut |bytes| learnt.push(bytes))?;
        let recorder = Recorder::resumed(store, reader, nodes, scanned.last_seq + 1, next_id);
        self.replant(tree, recorder);
        if let Some(Pruning { pruner, .. }) = &mut self.pruning {
            for bytes in learnt {
                // What is damaged is not used; that costs time only.
                restored.learnt += pruner.restore(&mut self.executor, &bytes).unwrap_or(0);
            }
        }
        for leaf in self.tree.root().into_iter().flat_map(|root| self.tree.unfinished(root)) {
            let (function, instruction) = origins[leaf.index()];
            self.parking.add(leaf, self.executor.location(function, instruction).unwrap_or(Loc::UNKNOWN));
        }
        restored.unfinished = self.parking.len() as u64;
        Ok(restored)
    }
}
