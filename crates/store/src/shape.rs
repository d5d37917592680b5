//! The shape of a recorded tree, for whoever wants to look at it: built by one pass over all
//! records, with 60 bytes for each node and no labels, which are read again where they are
//! shown.
//!
//! It is the tree that a run would go on with. A record that is replaced later does not count,
//! records of nodes that nothing leads to are left out, and a node without a record is unfinished.
//! If a run replaces a record while this one reads, then the tree is shown as it was before.

use crate::{Batch, End, OutcomeView, Place, Reader, Record, RecordId, RecordView, Scanned, StoreError, Verdict, Why};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;
use xxhash_rust::xxh3::xxh3_64;

/// What became of a node.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Status {
    Unfinished,
    Forked,
    /// It goes on in its only child.
    Goes,
    Ended(Verdict),
}

/// A node. Nodes are numbered in the order their parents were recorded, so that children come
/// behind their parents, and those of one fork one behind the other.
#[derive(Copy, Clone, Debug)]
pub struct Node {
    pub id: RecordId,
    pub parent: Option<Slot>,
    /// Where it forked or ended, if it did: an index of [`Shape::sites`].
    pub site: u32,
    /// Forks above it.
    pub depth: u32,
    pub status: Status,
    /// Instructions of the path up to where the node forked or ended.
    pub instructions: u64,
    /// Of its record, or 0, which is no place.
    place: u64,
    first_child: u32,
    children: u32,
    /// Ways of the fork that ended at once, and are no nodes.
    pub ended_ways: u32,
}

impl Node {
    /// Where its record is, if it has one.
    pub fn place(&self) -> Option<Place> {
        (self.place != 0).then_some(Place(self.place))
    }
}

/// The number of a node in a [`Shape`]. The root is 0.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot(std::num::NonZeroU32);

impl Slot {
    pub const ROOT: Slot = Slot(std::num::NonZeroU32::MIN);

    fn new(index: usize) -> Slot {
        u32::try_from(index + 1).ok().and_then(std::num::NonZeroU32::new).map_or(Slot::ROOT, Slot)
    }

    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// An instruction at which paths forked or ended.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Site {
    pub function: u32,
    pub instruction: u32,
    pub forks: u64,
    /// Alternatives of these forks.
    pub ways: u64,
    /// That were executed from the forks before up to these.
    pub instructions: u64,
    /// That the solver gave on the way.
    pub answers: u64,
    /// What it did for them, in nanoseconds, as far as it was recorded.
    pub work: u64,
}

/// How many paths end so deep.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct AtDepth {
    pub finished: u64,
    pub unfinished: u64,
}

/// How many leaves there are below each node, or it is one itself.
pub struct Leaves {
    pub finished: Vec<u32>,
    pub unfinished: Vec<u32>,
}

/// A node takes more bytes on the disk.
const LEAST: u64 = 4;

const KINDS: usize = 17;

fn kind(verdict: Verdict) -> usize {
    match verdict {
        Verdict::Exit => 0,
        Verdict::Error => 1,
        Verdict::Target(_) => 2,
        Verdict::Infeasible => 3,
        Verdict::Silent => 4,
        Verdict::Unsupported => 5,
        Verdict::Unknown => 6,
        Verdict::Covered => 7,
        Verdict::Irrelevant => 8,
        Verdict::Cut(why) => 9 + why as usize,
    }
}

const VERDICTS: [Verdict; KINDS] = [
    Verdict::Exit,
    Verdict::Error,
    Verdict::Target(0),
    Verdict::Infeasible,
    Verdict::Silent,
    Verdict::Unsupported,
    Verdict::Unknown,
    Verdict::Covered,
    Verdict::Irrelevant,
    Verdict::Cut(Why::Depth),
    Verdict::Cut(Why::Forks),
    Verdict::Cut(Why::Unwind),
    Verdict::Cut(Why::Values),
    Verdict::Cut(Why::StackDepth),
    Verdict::Cut(Why::ForkingOff),
    Verdict::Cut(Why::Crash),
    Verdict::Cut(Why::Other),
];

/// Hashes by which equal subtrees are known.
#[derive(Default)]
struct Hashes {
    /// Of the label that leads to a node.
    labels: Vec<u64>,
    /// Of what is below it; of a fork, at first only the ways that ended at once.
    below: Vec<u64>,
}

const UNFINISHED: u64 = 0x9e37_79b9_7f4a_7c15;

fn mixed(label: u64, below: u64) -> u64 {
    let mixed = (label.rotate_left(25) ^ below).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ mixed >> 32
}

fn of_end(verdict: Verdict) -> u64 {
    let number = match verdict {
        Verdict::Target(target) => u64::from(target) << 8,
        _ => 0,
    };
    mixed(UNFINISHED, number + 1 + kind(verdict) as u64)
}

/// Counts, parents and depths of a recorded tree.
#[derive(Default)]
pub struct Shape {
    nodes: Vec<Node>,
    slots: FxHashMap<u16, Vec<Option<Slot>>>,
    sites: Vec<Site>,
    site_numbers: FxHashMap<(u32, u32), u32>,
    ended: [u64; KINDS],
    depths: Vec<AtDepth>,
    hashes: Option<Hashes>,
    /// How many records of a node are still to come that replace the one that is read.
    replaced: FxHashMap<RecordId, u32>,
    records: u64,
    scanned: Scanned,
}

impl Shape {
    /// Reads all records.
    pub fn read(reader: &Reader) -> Result<Shape, StoreError> {
        Shape::new(reader.revised()?).scan(reader)
    }

    /// The same, to be compared with another one; it takes 16 bytes more for each node.
    pub fn read_to_compare(reader: &Reader) -> Result<Shape, StoreError> {
        Shape::new(reader.revised()?).with_hashes().scan(reader)
    }

    fn scan(mut self, reader: &Reader) -> Result<Shape, StoreError> {
        self.reserve(usize::try_from(reader.allotted()?.min(reader.bytes()? / LEAST)).unwrap_or(0));
        let scanned = reader.scan(&mut |_, batch| self.add(&batch))?;
        self.scanned.batches = scanned.batches;
        self.scanned.damaged += scanned.damaged;
        self.scanned.last_seq = scanned.last_seq;
        self.finish();
        Ok(self)
    }

    /// Vectors that grow to their size would take twice as much meanwhile.
    fn reserve(&mut self, nodes: usize) {
        self.nodes.reserve_exact(nodes);
        self.slots.entry(0).or_default().reserve_exact(nodes);
        if let Some(hashes) = &mut self.hashes {
            hashes.labels.reserve_exact(nodes);
            hashes.below.reserve_exact(nodes);
        }
    }

    pub(crate) fn new(revised: Vec<RecordId>) -> Shape {
        let mut shape = Shape::default();
        revised.into_iter().for_each(|id| *shape.replaced.entry(id).or_default() += 1);
        shape.push_node(RecordId(0), None, 0);
        shape
    }

    pub(crate) fn with_hashes(mut self) -> Shape {
        self.hashes = Some(Hashes { labels: vec![0], below: vec![UNFINISHED] });
        self
    }

    fn push_node(&mut self, id: RecordId, parent: Option<Slot>, depth: u32) {
        let slots = self.slots.entry(id.worker()).or_default();
        let counter = id.counter() as usize;
        if slots.len() <= counter {
            slots.resize(counter + 1, None);
        }
        slots[counter] = Some(Slot::new(self.nodes.len()));
        self.nodes.push(Node {
            id,
            parent,
            site: 0,
            depth,
            status: Status::Unfinished,
            instructions: 0,
            place: 0,
            first_child: 0,
            children: 0,
            ended_ways: 0,
        });
    }

    pub(crate) fn add(&mut self, batch: &Batch) {
        for view in batch.views() {
            let Ok((place, record)) = view else {
                self.scanned.damaged += 1;
                return;
            };
            self.records += 1;
            if let Some(left) = self.replaced.get_mut(&record.id).filter(|left| **left > 0) {
                *left -= 1;
                continue;
            }
            let slot = self.slot(record.id).filter(|slot| self.node(*slot).status == Status::Unfinished);
            if let Some(slot) = slot
                && !self.apply(batch, place, &record, slot)
            {
                self.scanned.damaged += 1;
                return;
            }
        }
    }

    /// Takes in the record of a node; false if it cannot be true.
    fn apply(&mut self, batch: &Batch, place: Place, record: &RecordView<'_>, slot: Slot) -> bool {
        let node = *self.node(slot);
        let (status, first, open) = match record.outcome {
            OutcomeView::Fork { first_child, ways } => {
                (Status::Forked, first_child, ways.filter(|way| way.end.is_none()).count())
            }
            OutcomeView::Mark { child } => (Status::Goes, child, 1),
            OutcomeView::End(end) => (Status::Ended(end.verdict), RecordId(0), 0),
        };
        let last = first.counter().checked_add(open as u64);
        if open > 0 && (first.worker() != batch.worker || last.is_none_or(|last| last > batch.next_id))
            || self.nodes.len() + open >= u32::MAX as usize
        {
            return false;
        }
        let before = node.parent.map_or(0, |parent| self.node(parent).instructions);
        let site = self.site_number(record.function, record.instruction);
        let at = &mut self.sites[site as usize];
        at.instructions += record.instructions.saturating_sub(before);
        at.answers += u64::from(record.answers.count);
        at.work += record.work.work();
        let first_child = self.nodes.len() as u32;
        let mut ended_ways = 0;
        if let OutcomeView::Fork { ways, .. } = record.outcome {
            let mut below = 0u64;
            let depth = node.depth + 1;
            for way in ways {
                self.sites[site as usize].ways += 1;
                let label = if self.hashes.is_some() { xxh3_64(way.label) } else { 0 };
                match way.end {
                    Some(End { verdict, .. }) => {
                        ended_ways += 1;
                        self.count(verdict, depth);
                        below = below.wrapping_add(mixed(label, of_end(verdict)));
                    }
                    None => self.push_hashes(label),
                }
            }
            self.sites[site as usize].forks += 1;
            self.set_below(slot, below);
        }
        match status {
            Status::Ended(verdict) => {
                self.count(verdict, node.depth);
                self.set_below(slot, of_end(verdict));
            }
            Status::Goes => {
                self.push_hashes(0);
                self.set_below(slot, 0);
            }
            _ => {}
        }
        let depth = node.depth + u32::from(status == Status::Forked);
        for id in (first.0..).take(open) {
            self.push_node(RecordId(id), Some(slot), depth);
        }
        self.nodes[slot.index()] = Node {
            site,
            status,
            instructions: record.instructions,
            place: place.0,
            first_child,
            children: open as u32,
            ended_ways,
            ..node
        };
        true
    }

    fn push_hashes(&mut self, label: u64) {
        if let Some(hashes) = &mut self.hashes {
            hashes.labels.push(label);
            hashes.below.push(UNFINISHED);
        }
    }

    fn set_below(&mut self, slot: Slot, below: u64) {
        if let Some(hashes) = &mut self.hashes {
            hashes.below[slot.index()] = below;
        }
    }

    fn site_number(&mut self, function: u32, instruction: u32) -> u32 {
        let sites = &mut self.sites;
        *self.site_numbers.entry((function, instruction)).or_insert_with(|| {
            sites.push(Site { function, instruction, ..Site::default() });
            sites.len() as u32 - 1
        })
    }

    fn at_depth(&mut self, depth: u32) -> &mut AtDepth {
        let depth = depth as usize;
        if self.depths.len() <= depth {
            self.depths.resize(depth + 1, AtDepth::default());
        }
        &mut self.depths[depth]
    }

    fn count(&mut self, verdict: Verdict, depth: u32) {
        self.ended[kind(verdict)] += 1;
        self.at_depth(depth).finished += 1;
    }

    pub(crate) fn finish(&mut self) {
        for index in 0..self.nodes.len() {
            let Node { status, depth, .. } = self.nodes[index];
            if status == Status::Unfinished {
                self.at_depth(depth).unfinished += 1;
            }
        }
        let Some(hashes) = &mut self.hashes else { return };
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if let Some(parent) = node.parent {
                let below = mixed(hashes.labels[index], hashes.below[index]);
                let parent = &mut hashes.below[parent.index()];
                *parent = parent.wrapping_add(below);
            }
        }
    }

    pub fn node(&self, slot: Slot) -> &Node {
        &self.nodes[slot.index()]
    }

    pub fn slot(&self, id: RecordId) -> Option<Slot> {
        self.slots.get(&id.worker())?.get(usize::try_from(id.counter()).ok()?).copied().flatten()
    }

    /// All nodes, parents before children.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + use<> {
        (0..self.nodes.len()).map(Slot::new)
    }

    pub fn nodes(&self) -> u64 {
        self.nodes.len() as u64
    }

    /// In the order of the ways that have not ended.
    pub fn children(&self, slot: Slot) -> impl Iterator<Item = Slot> + use<> {
        let Node { first_child, children, .. } = *self.node(slot);
        let all: Range<usize> = first_child as usize..first_child as usize + children as usize;
        all.map(Slot::new)
    }

    pub fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// Where a node forked or ended.
    pub fn site(&self, slot: Slot) -> Option<&Site> {
        let node = self.node(slot);
        node.place().and_then(|_| self.sites.get(node.site as usize))
    }

    pub fn forks(&self) -> u64 {
        self.sites.iter().map(|site| site.forks).sum()
    }

    /// Verdicts that there are, with the number of paths; that of targets has any number.
    pub fn ended(&self) -> impl Iterator<Item = (Verdict, u64)> {
        VERDICTS.into_iter().zip(self.ended).filter(|(_, count)| *count > 0)
    }

    pub fn unfinished(&self) -> u64 {
        self.depths.iter().map(|at| at.unfinished).sum()
    }

    pub fn finished(&self) -> u64 {
        self.ended.iter().sum()
    }

    /// By depth.
    pub fn depths(&self) -> &[AtDepth] {
        &self.depths
    }

    /// All that were read, whether they are part of the tree or not.
    pub fn records(&self) -> u64 {
        self.records
    }

    pub fn scanned(&self) -> Scanned {
        self.scanned
    }

    /// The hash of all that is below a node, if the tree was read to be compared.
    pub(crate) fn hash(&self, slot: Slot) -> Option<u64> {
        self.hashes.as_ref().map(|hashes| hashes.below[slot.index()])
    }

    pub fn leaves(&self) -> Leaves {
        let mut finished = vec![0u32; self.nodes.len()];
        let mut unfinished = finished.clone();
        for (index, node) in self.nodes.iter().enumerate().rev() {
            match node.status {
                Status::Unfinished => unfinished[index] = 1,
                Status::Ended(_) => finished[index] = 1,
                Status::Forked | Status::Goes => finished[index] += node.ended_ways,
            }
            if let Some(parent) = node.parent {
                finished[parent.index()] += finished[index];
                unfinished[parent.index()] += unfinished[index];
            }
        }
        Leaves { finished, unfinished }
    }

    /// Disjoint subtrees that all unfinished nodes are in, about so many, those with most first:
    /// the largest is taken apart until there are enough.
    pub fn largest_unfinished(&self, leaves: &Leaves, most: usize) -> Vec<Slot> {
        let size = |slot: Slot| leaves.unfinished[slot.index()];
        let mut found = std::collections::BinaryHeap::from([(size(Slot::ROOT), std::cmp::Reverse(Slot::ROOT))]);
        while found.len() < most {
            let Some((_, std::cmp::Reverse(slot))) = found.pop() else { break };
            if self.node(slot).status == Status::Unfinished {
                found.push((size(slot), std::cmp::Reverse(slot)));
                break;
            }
            let open = self.children(slot).filter(|child| size(*child) > 0);
            found.extend(open.map(|child| (size(child), std::cmp::Reverse(child))));
        }
        let mut found = found.into_sorted_vec();
        found.reverse();
        found.truncate(most);
        found.into_iter().map(|(_, std::cmp::Reverse(slot))| slot).collect()
    }
}

/// Reads single records of a tree, and keeps the batches that they are in.
pub struct Records<'a> {
    reader: &'a Reader,
    batches: FxHashMap<u64, Rc<Batch>>,
}

/// Batches that are kept: 64 MiB.
const KEPT: usize = 1024;

impl<'a> Records<'a> {
    pub fn new(reader: &'a Reader) -> Records<'a> {
        Records { reader, batches: FxHashMap::default() }
    }

    /// The record at a place; None if it cannot be read any more.
    pub fn get(&mut self, place: Place) -> Result<Option<Record>, StoreError> {
        if !self.batches.contains_key(&place.batch()) {
            let Some(batch) = self.reader.batch(place.batch())? else { return Ok(None) };
            if self.batches.len() >= KEPT {
                self.batches.clear();
            }
            self.batches.insert(place.batch(), Rc::new(batch));
        }
        Ok(self.batches.get(&place.batch()).and_then(|batch| batch.record_at(place.offset()).ok()))
    }

    /// The record of a node, if it has one.
    pub fn of(&mut self, shape: &Shape, slot: Slot) -> Result<Option<Record>, StoreError> {
        shape.node(slot).place().map_or(Ok(None), |place| self.get(place))
    }

    /// The label that leads to a node; the root has none.
    pub fn label(&mut self, shape: &Shape, slot: Slot) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(parent) = shape.node(slot).parent else { return Ok(None) };
        let Some(record) = self.of(shape, parent)? else { return Ok(None) };
        let crate::Outcome::Fork { ways, .. } = record.outcome else { return Ok(None) };
        let number = shape.children(parent).position(|child| child == slot);
        let mut open = ways.into_iter().filter(|way| way.end.is_none());
        Ok(number.and_then(|number| open.nth(number)).map(|way| way.label.to_vec()))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{AnswersView, BatchWriter, OutcomeParts, RecordParts, WayRef};

    pub(crate) const EXIT: End = End { verdict: Verdict::Exit, test: None };
    pub(crate) const CUT: End = End { verdict: Verdict::Cut(Why::Depth), test: None };

    /// Writes a record whose path has executed as many instructions as `instruction` says.
    pub(crate) fn push(writer: &mut BatchWriter, id: u64, instruction: u32, outcome: OutcomeParts<'_>, again: bool) {
        let answers = AnswersView { count: 0, bits: &[], numbers: &[] };
        let (instructions, id) = (u64::from(instruction), RecordId(id));
        writer.push(&RecordParts {
            id,
            function: 7,
            instruction,
            instructions,
            trace: 0,
            work: 0,
            answers,
            outcome,
            again,
        });
    }

    /// A branch, of which the second way may have ended at once; the id of its first child.
    pub(crate) fn branch(writer: &mut BatchWriter, id: u64, at: u32, second: Option<End>, again: bool) -> u64 {
        let first_child = writer.next_ids(if second.is_some() { 1 } else { 2 });
        let ways = [WayRef { label: &[1], end: None }, WayRef { label: &[0], end: second }];
        push(writer, id, at, OutcomeParts::Fork { first_child, ways: &ways }, again);
        first_child.0
    }

    pub(crate) fn end(writer: &mut BatchWriter, id: u64, at: u32, end: End) {
        push(writer, id, at, OutcomeParts::End(end), false);
    }

    pub(crate) fn shape(mut writer: BatchWriter) -> Shape {
        let batches = writer.seal();
        let revised = batches.iter().flat_map(|batch| batch.revised.clone()).collect();
        let mut shape = Shape::new(revised).with_hashes();
        batches.iter().for_each(|batch| shape.add(batch));
        shape.finish();
        shape
    }

    #[test]
    fn nodes_ends_and_depths_are_counted() {
        let mut writer = BatchWriter::new(1, 0, 1);
        let first = branch(&mut writer, 0, 10, None, false);
        end(&mut writer, first, 15, EXIT);
        let deeper = branch(&mut writer, first + 1, 30, Some(CUT), false);
        let shape = shape(writer);
        assert_eq!((shape.nodes(), shape.forks(), shape.finished(), shape.unfinished()), (4, 2, 2, 1));
        assert_eq!(shape.ended().collect::<Vec<_>>(), [(Verdict::Exit, 1), (CUT.verdict, 1)]);
        let at = |finished, unfinished| AtDepth { finished, unfinished };
        assert_eq!(shape.depths(), [at(0, 0), at(1, 0), at(1, 1)]);
        let leaf = shape.slot(RecordId(deeper)).unwrap();
        assert_eq!(shape.node(leaf).depth, 2);
        assert_eq!(shape.node(leaf).parent, shape.slot(RecordId(first + 1)));
        let leaves = shape.leaves();
        assert_eq!((leaves.finished[0], leaves.unfinished[0]), (2, 1));
        assert_eq!(shape.largest_unfinished(&leaves, 5), [leaf]);
        let instructions: Vec<u64> = shape.sites().iter().map(|site| site.instructions).collect();
        assert_eq!(instructions, [10, 5, 20]);
    }

    #[test]
    fn a_later_record_replaces_the_earlier_one_and_its_subtree() {
        let mut writer = BatchWriter::new(1, 0, 1);
        let before = branch(&mut writer, 0, 10, None, false);
        end(&mut writer, before, 15, EXIT);
        let after = branch(&mut writer, 0, 11, None, true);
        end(&mut writer, after, 15, CUT);
        let shape = shape(writer);
        assert_eq!((shape.nodes(), shape.records(), shape.finished(), shape.unfinished()), (3, 4, 1, 1));
        assert_eq!(shape.slot(RecordId(before)), None);
        assert_eq!(shape.site(Slot::ROOT).map(|site| site.instruction), Some(11));
    }

    #[test]
    fn what_nothing_leads_to_is_not_part_of_the_tree() {
        let mut writer = BatchWriter::new(1, 0, 1);
        writer.next_ids(9);
        end(&mut writer, 5, 15, EXIT);
        branch(&mut writer, 6, 15, None, false);
        let shape = shape(writer);
        assert_eq!((shape.nodes(), shape.records(), shape.finished(), shape.unfinished()), (1, 2, 0, 1));
    }

    #[test]
    fn children_that_were_never_allotted_are_damage() {
        let mut writer = BatchWriter::new(1, 0, 1);
        let ways = [WayRef { label: &[1], end: None }, WayRef { label: &[0], end: None }];
        push(&mut writer, 0, 1, OutcomeParts::Fork { first_child: RecordId(1 << 40), ways: &ways }, false);
        let shape = shape(writer);
        assert_eq!((shape.nodes(), shape.scanned().damaged), (1, 1));
    }
}
