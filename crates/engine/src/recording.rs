//! Recording the execution tree: one record when a node forks or ends, so that its path can be
//! executed again without the solver, in this run or in a later one.
//!
//! Records are always made, since whatever is parked is found again by them. They are kept in
//! memory at first, which is little, and go to the disk when a run is to be recorded: then a thread
//! writes them down about once a second, together with what is known of all paths that ended (see
//! `snapshot`). What is on disk is a prefix of the run at any time.
//!
//! A node of the recorded tree is a part of a path from one fork to the next. Joins are nodes of
//! the tree in memory only: what is behind one is the same node here.

use crate::engine::Engine;
use crate::outcome::Stop;
use crate::sharing::event;
use crate::snapshot::Snapshot;
use crate::states::Open;
use espalier_base::utc;
use espalier_exec::{CutReason, End, Journal, Script, State, ViolationKind};
use espalier_search::StateId;
use espalier_store::{
    AnswersView, Batch, BatchWriter, Commit, Damaged, Divergence, End as RecordedEnd, OutcomeParts, Place, Reader,
    Record, RecordId, RecordParts, Store, StoreError, Tasks, Verdict, WayRef, Why, Writer,
};
use espalier_tree::Slot;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};
use thiserror::Error;

/// How often what was recorded is written down.
const INTERVAL: Duration = Duration::from_secs(1);
/// More than so many bytes are written down at once.
const MOST_WAITING: usize = 8 << 20;
/// So many bytes are kept in memory if nobody asked for a record.
const MOST_IN_MEMORY: usize = 16 << 20;
/// Batches that are kept after they were read.
const READ: usize = 256;

/// Why something that was recorded cannot be had again.
#[derive(Debug, Error)]
pub(crate) enum ReadError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Damaged(#[from] Damaged),
    #[error("a batch of records is missing")]
    Missing,
}

/// What is known of an open node: its number, and where its record is. There are many of them.
#[derive(Copy, Clone)]
pub(crate) struct Recorded {
    id: RecordId,
    /// 0: it has no record. 1: it had one, which does not count any more.
    place: u64,
}

impl Recorded {
    /// There is no node.
    const NONE: Recorded = Recorded { id: RecordId(u64::MAX), place: 0 };

    /// One that is not recorded.
    pub(crate) fn new(id: RecordId) -> Recorded {
        Recorded { id, place: 0 }
    }

    pub(crate) fn at(id: RecordId, place: Place) -> Recorded {
        Recorded { id, place: place.0 }
    }

    /// One whose record does not count any more.
    pub(crate) fn revised(id: RecordId) -> Recorded {
        Recorded { id, place: 1 }
    }

    pub(crate) fn id(self) -> RecordId {
        self.id
    }

    /// Its record.
    pub(crate) fn place(self) -> Option<Place> {
        // Batches are counted from 1 on.
        (self.place > 1).then_some(Place(self.place))
    }

    /// Was it recorded before? Then another record replaces that one.
    pub(crate) fn is_revised(self) -> bool {
        self.place > 0
    }
}

/// The open nodes by the slots of the tree.
#[derive(Default)]
pub(crate) struct RecordedNodes(Vec<Recorded>);

impl RecordedNodes {
    pub(crate) fn set(&mut self, slot: Slot, node: Recorded) {
        if self.0.len() <= slot.index() {
            self.0.resize(slot.index() + 1, Recorded::NONE);
        }
        self.0[slot.index()] = node;
    }

    pub(crate) fn remove(&mut self, slot: Slot) {
        self.0.get_mut(slot.index()).into_iter().for_each(|node| *node = Recorded::NONE);
    }

    pub(crate) fn get(&self, slot: Slot) -> Option<Recorded> {
        self.0.get(slot.index()).copied().filter(|node| node.id != Recorded::NONE.id)
    }
}

/// Where batches are.
enum Kept {
    /// By their numbers, from 1 on.
    Memory(Vec<Batch>),
    Disk {
        writer: Writer,
        reader: Reader,
    },
}

/// Makes the store of a run, if it can.
pub type MakeStore = Box<dyn FnOnce() -> Option<Store>>;

pub(crate) struct Recorder {
    /// To be called at this time, or when there is much to record.
    later: Option<(Instant, MakeStore)>,
    batches: BatchWriter,
    nodes: RecordedNodes,
    kept: Kept,
    read: FxHashMap<u64, Rc<Batch>>,
    divergences: Vec<Divergence>,
    written: Instant,
    /// Is there something that is to be written down at once?
    is_urgent: bool,
    /// Nothing is recorded any more: the run has to stop, and its last answers mean nothing. This
    /// is what was known before.
    closed: Option<Box<Snapshot>>,
}

impl Recorder {
    /// Of a tree that has only a root.
    pub(crate) fn new(root: Slot) -> Recorder {
        let mut nodes = RecordedNodes::default();
        nodes.set(root, Recorded::new(RecordId(0)));
        Recorder::with(BatchWriter::new(1, 0, 1), nodes, Kept::Memory(Vec::new()))
    }

    /// Of a tree that is on disk.
    pub(crate) fn resumed(store: Store, reader: Reader, nodes: RecordedNodes, seq: u64, next_id: u64) -> Recorder {
        let kept = Kept::Disk { writer: Writer::start(store), reader };
        Recorder::with(BatchWriter::new(seq, 0, next_id), nodes, kept)
    }

    /// Of a worker on such a tree, which has nothing to do yet.
    pub(crate) fn of_worker(store: Store, reader: Reader, worker: u16, next_id: u64) -> Recorder {
        let kept = Kept::Disk { writer: Writer::start(store), reader };
        Recorder::with(BatchWriter::new(1, worker, next_id), RecordedNodes::default(), kept)
    }

    fn with(batches: BatchWriter, nodes: RecordedNodes, kept: Kept) -> Recorder {
        Recorder {
            later: None,
            batches,
            nodes,
            kept,
            read: FxHashMap::default(),
            divergences: Vec::new(),
            written: Instant::now(),
            is_urgent: false,
            closed: None,
        }
    }

    /// Shares the tree with workers.
    pub(crate) fn share(&self) -> Result<Tasks, StoreError> {
        match &self.kept {
            Kept::Disk { writer, .. } => writer.share(self.last_batch() + 1),
            Kept::Memory(_) => unreachable!("a tree is recorded before it is shared"),
        }
    }

    /// The tasks of the tree, if it is on disk.
    pub(crate) fn tasks(&self) -> Option<Result<Tasks, StoreError>> {
        match &self.kept {
            Kept::Disk { writer, .. } => Some(writer.tasks()),
            Kept::Memory(_) => None,
        }
    }

    /// The nodes are those of another tree, or of another part of it.
    pub(crate) fn replace_nodes(&mut self, nodes: RecordedNodes) {
        self.nodes = nodes;
    }

    /// Batches have these numbers from now on. Everything has been written down.
    pub(crate) fn number_from(&mut self, seq: u64) {
        self.batches.number_from(seq);
    }

    pub(crate) fn is_on_disk(&self) -> bool {
        matches!(self.kept, Kept::Disk { .. })
    }

    /// Reads what was written down.
    pub(crate) fn reader(&self) -> Option<&Reader> {
        match &self.kept {
            Kept::Disk { reader, .. } => Some(reader),
            Kept::Memory(_) => None,
        }
    }

    /// A file without a name, where the records are.
    pub(crate) fn make_file(&self) -> std::io::Result<std::fs::File> {
        let dir = match &self.kept {
            Kept::Disk { writer, .. } => writer.directory(),
            Kept::Memory(_) => None,
        };
        dir.map_or_else(tempfile::tempfile, tempfile::tempfile_in)
    }

    /// Has everything been written down?
    pub(crate) fn is_sealed(&self) -> bool {
        self.batches.waiting() == 0
    }

    /// What is known of a node.
    pub(crate) fn node(&self, slot: Slot) -> Option<Recorded> {
        self.nodes.get(slot)
    }

    /// The number of the last batch that is to be written down, or was.
    pub(crate) fn last_batch(&self) -> u64 {
        self.batches.last_seq()
    }

    /// The path at a node goes on in another one, behind a join.
    pub(crate) fn join(&mut self, at: Slot, behind: Slot) {
        if let Some(node) = self.nodes.get(at) {
            self.nodes.set(behind, node);
        }
    }

    /// Appends the record of a node.
    fn push(&mut self, slot: Slot, ended: &Segment<'_>, outcome: OutcomeParts<'_>) {
        let Some(node) = self.nodes.get(slot) else { return };
        let place = self.batches.push(&ended.parts(node.id, outcome, node.is_revised()));
        self.nodes.set(slot, Recorded::at(node.id, place));
    }

    /// The number of an open node.
    pub(crate) fn id(&self, slot: Slot) -> Option<RecordId> {
        self.nodes.get(slot).map(|node| node.id)
    }

    /// Where the record of a node is, as a number by which records can be ordered.
    pub(crate) fn place(&self, slot: Slot) -> Option<u64> {
        self.nodes.get(slot).and_then(Recorded::place).map(|place| place.0)
    }

    /// Was an open node finished once, and has been gone on with?
    pub(crate) fn is_reopened(&self, leaf: Slot) -> bool {
        self.nodes.get(leaf).is_some_and(Recorded::is_revised)
    }

    /// The record of a node, if it has one.
    pub(crate) fn record(&mut self, slot: Slot) -> Result<Option<Record>, ReadError> {
        let Some(place) = self.nodes.get(slot).and_then(Recorded::place) else { return Ok(None) };
        if let Kept::Memory(batches) = &self.kept {
            let batch = batches.get(place.batch() as usize - 1).ok_or(ReadError::Missing)?;
            return Ok(Some(batch.record_at(place.offset())?));
        }
        Ok(Some(self.batch(place.batch())?.record_at(place.offset())?))
    }

    fn batch(&mut self, seq: u64) -> Result<Rc<Batch>, ReadError> {
        if let Some(batch) = self.read.get(&seq) {
            return Ok(batch.clone());
        }
        let Kept::Disk { reader, .. } = &self.kept else { return Err(ReadError::Missing) };
        let batch = Rc::new(reader.batch(seq)?.ok_or(ReadError::Missing)?);
        if self.read.len() >= READ {
            self.read.clear();
        }
        self.read.insert(seq, batch.clone());
        Ok(batch)
    }

    /// Writes all records, so far and from now on, into a directory.
    fn open(&mut self, store: Store) -> Result<(), StoreError> {
        let reader = store.reader()?;
        let kept = std::mem::replace(&mut self.kept, Kept::Disk { writer: Writer::start(store), reader });
        if let (Kept::Memory(batches), Kept::Disk { .. }) = (kept, &self.kept) {
            self.batches.put_back(batches);
        }
        self.is_urgent = true;
        Ok(())
    }

    /// Is it time to write down what was recorded?
    fn is_due(&self) -> bool {
        matches!(self.kept, Kept::Disk { .. })
            && (self.is_urgent || self.batches.waiting() > MOST_WAITING || self.written.elapsed() >= INTERVAL)
    }

    /// Something was found that must not be lost.
    pub(crate) fn hurry(&mut self) {
        self.is_urgent = true;
    }

    /// A node is not what it was when it was recorded.
    pub(crate) fn diverged(&mut self, slot: Slot, what: &str, expected: String, got: String) {
        let Some(node) = self.nodes.get(slot) else { return };
        self.nodes.set(slot, Recorded::revised(node.id));
        self.divergences.push(Divergence { run: 0, node: node.id, what: what.to_owned(), expected, got });
    }
}

/// A part of a path that is over.
struct Segment<'a> {
    function: u32,
    instruction: u32,
    instructions: u64,
    journal: Option<&'a Journal>,
}

impl<'a> Segment<'a> {
    fn new(state: &State, journal: Option<&'a Journal>) -> Segment<'a> {
        let frame = state.running();
        Segment { function: frame.func.0, instruction: frame.pc, instructions: state.instructions(), journal }
    }

    /// One that ended where the path forked, and not where it goes on.
    fn forked(state: &State, journal: &'a Journal) -> Segment<'a> {
        let (function, instruction) = fork_place(state, journal);
        Segment { function, instruction, instructions: state.instructions(), journal: Some(journal) }
    }

    fn parts<'b>(&self, id: RecordId, outcome: OutcomeParts<'b>, again: bool) -> RecordParts<'b>
    where
        'a: 'b,
    {
        let none = AnswersView { count: 0, bits: &[], numbers: &[] };
        let answers = |journal: &'a Journal| AnswersView {
            count: journal.count(),
            bits: journal.bits(),
            numbers: journal.numbers(),
        };
        RecordParts {
            id,
            function: self.function,
            instruction: self.instruction,
            instructions: self.instructions,
            trace: self.journal.map_or(0, Journal::trace),
            work: self.journal.map_or(0, Journal::work),
            answers: self.journal.map_or(none, answers),
            outcome,
            again,
        }
    }
}

/// Where a path forked: where it asked last, if it asked anything.
pub(crate) fn fork_place(state: &State, journal: &Journal) -> (u32, u32) {
    match journal.count() {
        0 => (state.running().func.0, state.running().pc),
        _ => journal.place(),
    }
}

/// One alternative of a fork, as it is recorded.
pub(crate) enum Alternative {
    Open(StateId),
    Ended(Box<State>, RecordedEnd),
}

/// What is recorded of the end of a path.
pub(crate) fn verdict(end: &End) -> Verdict {
    match end {
        End::Exit(_) => Verdict::Exit,
        End::Violation(violation) => match violation.kind() {
            ViolationKind::Target(target) => Verdict::Target(target),
            _ => Verdict::Error,
        },
        End::Infeasible => Verdict::Infeasible,
        End::Silent => Verdict::Silent,
        End::Unsupported(_) => Verdict::Unsupported,
        End::SolverUnknown(_) => Verdict::Unknown,
        End::Limit(cut) => Verdict::Cut(why(&cut.reason)),
    }
}

pub(crate) fn why(reason: &CutReason) -> Why {
    match reason {
        CutReason::MaxDepth(_) => Why::Depth,
        CutReason::MaxForks(_) => Why::Forks,
        CutReason::Unwind { is_for_one: false, .. } => Why::Unwind,
        CutReason::Values { .. } | CutReason::Resolutions(_) => Why::Values,
        CutReason::StackDepth(_) => Why::StackDepth,
        CutReason::ForkingOff => Why::ForkingOff,
        CutReason::Crash => Why::Crash,
        _ => Why::Other,
    }
}

/// Is nothing more to be found there, even if another run may go further?
pub(crate) fn is_final(verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::Cut(Why::Depth | Why::Forks | Why::Unwind | Why::StackDepth))
}

/// What is followed when a node is executed again.
pub(crate) fn script(record: &Record) -> Script {
    Script::new(record.answers.count, &record.answers.bits, &record.answers.numbers)
}

impl Engine {
    /// Records the run in a directory from now on: all that was explored before, too.
    pub fn record(&mut self, store: Store) -> Result<(), StoreError> {
        self.recorder.open(store)
    }

    /// Records the run if it takes longer than this, or there is much to record.
    pub fn record_later(&mut self, after: Duration, make: MakeStore) {
        self.recorder.later = Instant::now().checked_add(after).map(|time| (time, make));
    }

    /// Begins to write to the disk what has been recorded in memory.
    fn begin_writing(&mut self) -> Result<(), Stop> {
        let store = self.recorder.later.take().and_then(|(_, make)| make());
        match store.map(|store| self.recorder.open(store)) {
            Some(Err(error)) => self.recording_failed(&error),
            _ => Ok(()),
        }
    }

    pub(crate) fn recording_failed(&mut self, error: &StoreError) -> Result<(), Stop> {
        if let (StoreError::Lost(_) | StoreError::Over(_), Some(membership)) = (error, &mut self.membership) {
            membership.note_lost(error);
        }
        self.observer_error.get_or_insert_with(|| error.to_string());
        Err(Stop::Observer)
    }

    /// Writes down what was recorded, if it is time to.
    pub(crate) fn write_down_when_due(&mut self) -> Result<(), Stop> {
        let is_long = |time: Instant| Instant::now() >= time || self.recorder.batches.waiting() > MOST_IN_MEMORY;
        if self.recorder.later.as_ref().is_some_and(|&(time, _)| is_long(time)) {
            self.begin_writing()?;
        }
        if self.recorder.is_due() { self.write_down(false) } else { Ok(()) }
    }

    /// Puts all that was recorded where it can be read, with what is known of all paths; on request
    /// it waits until it is there.
    pub(crate) fn write_down(&mut self, waits: bool) -> Result<(), Stop> {
        let batches = self.recorder.batches.seal();
        let is_written = matches!(self.recorder.kept, Kept::Disk { .. });
        let snapshot = is_written.then(|| match &self.recorder.closed {
            // All that was recorded is in it, the last batch too.
            Some(closed) => closed.up_to(self.recorder.last_batch()).encode(),
            None => self.snapshot().encode(),
        });
        // What was learnt may rest on a node whose record was not taken any more.
        let is_kept = is_written && self.recorder.closed.is_none();
        let pruning = self.pruning.as_mut().filter(|_| is_kept);
        let learnt = pruning.map(|pruning| pruning.pruner.take_learnt(&self.executor)).unwrap_or_default();
        let task = self.membership.as_ref().and_then(|membership| membership.held());
        let events = self.membership.as_ref().and_then(|membership| membership.take_events());
        let progress = self.membership.as_ref().map(|_| event::encode(&self.report()));
        let replaces_workers = !self.crew_reports.is_empty();
        let recorder = &mut self.recorder;
        recorder.written = Instant::now();
        recorder.is_urgent = false;
        match &mut recorder.kept {
            Kept::Memory(kept) => kept.extend(batches),
            Kept::Disk { writer, .. } => {
                let divergences = std::mem::take(&mut recorder.divergences);
                let commit =
                    Commit { batches, learnt, snapshot, divergences, task, events, progress, replaces_workers };
                let failure = if waits {
                    writer.send_and_wait(commit).err().map(Arc::new)
                } else {
                    writer.send(commit);
                    writer.failure()
                };
                if let Some(error) = failure {
                    return self.recording_failed(&error);
                }
            }
        }
        Ok(())
    }

    /// The run is over: nothing is recorded from now on.
    pub(crate) fn finish_recording(&mut self, stop: &str) {
        let _ = self.write_down(true);
        let kept = std::mem::replace(&mut self.recorder.kept, Kept::Memory(Vec::new()));
        let Kept::Disk { writer, reader } = kept else { return };
        // The last connection to be closed tidies up.
        drop(reader);
        if let Err(error) = writer.finish(&utc::format(SystemTime::now()), stop) {
            self.observer_error.get_or_insert_with(|| error.to_string());
        }
    }

    /// What comes next is not to be recorded, nor counted in what is written down, if the run had to
    /// stop while it was found out.
    pub(crate) fn close_record_if_hurried(&mut self) {
        if self.executor.journal().is_hurried() && self.recorder.closed.is_none() {
            self.recorder.closed = Some(Box::new(self.snapshot()));
        }
    }

    /// A path forked. Gives the open alternatives their numbers, once they have their leaves.
    pub(crate) fn record_fork(&mut self, at: Slot, parent: StateId, others: &[Alternative]) {
        if self.recorder.closed.is_some() {
            return;
        }
        let state = self.states.get(parent);
        let mut ways: SmallVec<[WayRef<'_>; 4]> = smallvec![WayRef { label: state.label(), end: None }];
        for other in others {
            ways.push(match other {
                Alternative::Open(id) => WayRef { label: self.states.get(*id).label(), end: None },
                Alternative::Ended(state, end) => {
                    WayRef { label: state.label(), end: Some(*end).filter(|end| is_final(end.verdict)) }
                }
            });
        }
        let open = ways.iter().filter(|way| way.end.is_none()).count();
        let first_child = self.recorder.batches.next_ids(open);
        let segment = Segment::forked(state, self.executor.journal());
        self.recorder.push(at, &segment, OutcomeParts::Fork { first_child, ways: &ways });
        // What was cut is a node with an end of its own, from where a later run may go on.
        let mut id = first_child.0 + 1;
        let mut slots: SmallVec<[(Slot, RecordId); 4]> = smallvec![(self.states.open(parent).slot, first_child)];
        for other in others {
            match other {
                Alternative::Open(state) => slots.push((self.states.open(*state).slot, RecordId(id))),
                Alternative::Ended(_, end) if is_final(end.verdict) => continue,
                Alternative::Ended(state, end) => {
                    let segment = Segment::new(state, None);
                    self.recorder.batches.push(&segment.parts(RecordId(id), OutcomeParts::End(*end), false));
                }
            }
            id += 1;
        }
        for (slot, id) in slots {
            self.recorder.nodes.set(slot, Recorded::new(id));
        }
    }

    /// The path at a leaf ended.
    pub(crate) fn record_end(&mut self, slot: Slot, state: &State, verdict: Verdict) {
        if self.recorder.closed.is_some() {
            return;
        }
        let segment = Segment::new(state, Some(self.executor.journal()));
        self.recorder.push(slot, &segment, OutcomeParts::End(RecordedEnd { verdict, test: None }));
    }

    /// The path to a leaf without a state is given up.
    pub(crate) fn record_given_up(&mut self, leaf: Slot) {
        let segment = Segment { function: 0, instruction: 0, instructions: 0, journal: None };
        let end = RecordedEnd { verdict: Verdict::Cut(Why::Crash), test: None };
        self.recorder.push(leaf, &segment, OutcomeParts::End(end));
    }

    /// The path at a leaf need not be explored.
    pub(crate) fn record_covered(&mut self, open: &Open) {
        if self.recorder.closed.is_some() {
            return;
        }
        let end = OutcomeParts::End(RecordedEnd { verdict: Verdict::Covered, test: None });
        self.recorder.push(open.slot, &Segment::new(&open.state, open.state.journal()), end);
    }
}
