//! A part of the tree, as workers hand it over: unfinished nodes, and where the records are that
//! lead to them.

use super::event::{decode, encode};
use crate::engine::Engine;
use crate::parking::Parking;
use crate::recording::{ReadError, Recorded, Recorder};
use crate::restoring::Skeleton;
use espalier_store::{Batch, Place, Reader, RecordId, Task};
use espalier_tree::{Slot, Tree};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

#[derive(Serialize, Deserialize, Default, Debug)]
pub(crate) struct Part {
    /// Where the records are of the nodes that lead to the leaves, parents first.
    places: Vec<u64>,
    leaves: Vec<Leaf>,
}

#[derive(Copy, Clone, Serialize, Deserialize, Debug)]
struct Leaf {
    id: u64,
    /// Has it a record, which does not count any more?
    is_revised: bool,
    /// Has its path covered what was new?
    covers_new: bool,
}

impl Part {
    /// The part of these leaves.
    pub(crate) fn new(tree: &Tree, recorder: &Recorder, parking: &Parking, leaves: &[Slot]) -> Part {
        let mut part = Part::default();
        let mut known: FxHashSet<Slot> = FxHashSet::default();
        for &leaf in leaves {
            let Some(recorded) = recorder.node(leaf) else { continue };
            let covers_new = parking.covers_new(leaf);
            part.leaves.push(Leaf { id: recorded.id().0, is_revised: recorded.is_revised(), covers_new });
            let mut above: Vec<u64> = Vec::new();
            let mut node = tree.parent(leaf);
            while let Some(slot) = node.filter(|&slot| known.insert(slot)) {
                // A join has no record: its path goes on below it.
                above.extend(recorder.node(slot).and_then(Recorded::place).map(|place| place.0));
                node = tree.parent(slot);
            }
            part.places.extend(above.into_iter().rev());
        }
        part
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        encode(self)
    }
}

/// A part that was taken, as a tree of parked leaves.
pub(crate) struct Taken {
    pub(crate) tree: Tree,
    pub(crate) nodes: crate::recording::RecordedNodes,
    pub(crate) origins: Vec<(u32, u32)>,
    /// Leaves that are not part of it.
    pub(crate) others: FxHashSet<Slot>,
    /// How many are.
    pub(crate) leaves: u64,
    /// Those of them whose paths have covered what was new.
    pub(crate) covers_new: Vec<Slot>,
}

impl Taken {
    /// Reads the records of a task. If it was claimed before, what was recorded since then too.
    pub(crate) fn read(reader: &Reader, task: &Task) -> Result<Taken, ReadError> {
        let part: Part = decode(&task.data).ok_or(ReadError::Missing)?;
        let never = |_, _| false;
        let mut skeleton = Skeleton::part(&never);
        let mut batches: FxHashMap<u64, Batch> = FxHashMap::default();
        for &place in &part.places {
            let place = Place(place);
            let batch = match batches.entry(place.batch()) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => entry.insert(reader.batch(place.batch())?.ok_or(ReadError::Missing)?),
            };
            skeleton.add(0, place, &batch.view_at(place)?);
        }
        drop(batches);
        let roots: Vec<(RecordId, Slot)> = part
            .leaves
            .iter()
            .filter_map(|leaf| {
                let id = RecordId(leaf.id);
                let slot = skeleton.slot(id)?;
                if leaf.is_revised {
                    skeleton.revise(id, slot);
                }
                Some((id, slot))
            })
            .collect();
        if roots.len() < part.leaves.len() {
            return Err(ReadError::Missing);
        }
        if task.held.epoch > 1 {
            let mut replaced: FxHashMap<RecordId, u32> = FxHashMap::default();
            reader.scan_task(task.held.task, &mut |batch| {
                batch.revised.iter().for_each(|&id| *replaced.entry(id).or_default() += 1);
            })?;
            // The record that this one replaces is not among those of the task.
            for leaf in part.leaves.iter().filter(|leaf| leaf.is_revised) {
                replaced.entry(RecordId(leaf.id)).and_modify(|count| *count = count.saturating_sub(1));
            }
            skeleton.replace(replaced);
            let scanned = reader.scan_task(task.held.task, &mut |batch| skeleton.read(0, &batch))?;
            // What others have learnt may rest on what is lost.
            if scanned.damaged > 0 || skeleton.is_damaged() {
                return Err(ReadError::Missing);
            }
        }
        let given = task.given.iter().filter_map(|data| decode::<Part>(data)).flat_map(|part| part.leaves);
        let given: FxHashSet<Slot> = given.filter_map(|leaf| skeleton.slot(RecordId(leaf.id))).collect();
        let new = part.leaves.iter().filter(|leaf| leaf.covers_new);
        let covers_new = new.filter_map(|leaf| skeleton.slot(RecordId(leaf.id))).collect();
        let (tree, nodes, origins) = skeleton.into_parts();
        let mut own: FxHashSet<Slot> = FxHashSet::default();
        for (id, slot) in roots {
            // Its slot may be another node's by now, if everything there was finished.
            if nodes.get(slot).is_some_and(|node| node.id() == id) {
                own.extend(tree.unfinished(slot).filter(|leaf| !given.contains(leaf)));
            }
        }
        let others = tree.root().into_iter().flat_map(|root| tree.unfinished(root));
        let others = others.filter(|leaf| !own.contains(leaf)).collect();
        Ok(Taken { leaves: own.len() as u64, tree, nodes, origins, others, covers_new })
    }
}

impl Engine {
    /// Unfinished leaves that somebody else may explore: the ones nearest to the root, at most so
    /// many, and at most half of all.
    pub(crate) fn leaves_to_give(&self, most: usize) -> Vec<Slot> {
        let mut found = Vec::new();
        let most = most.min((self.states.len() + self.parking.to_take_up()) / 2);
        let mut level: VecDeque<Slot> = self.tree.root().into_iter().collect();
        while let Some(node) = level.pop_front().filter(|_| found.len() < most) {
            match self.tree.leaf(node) {
                None => level.extend(self.tree.children(node)),
                // One that waits does so for another one of this worker's.
                Some(espalier_tree::Leaf::Waiting(_)) => {}
                Some(_) if self.parking.is_left_out(node) || self.recorder.node(node).is_none() => {}
                Some(_) => found.push(node),
            }
        }
        found
    }
}
