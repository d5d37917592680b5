//! The tree as KLEE's `exec_tree.db`, for tools that read it.
//!
//! KLEE's trees are binary, so a fork with more than two alternatives becomes a comb: the first is
//! on its left, the others below its right. Nodes have the numbers of their slots and one more,
//! since 0 is no node in that table; what has no node here (inner ones of combs, alternatives that
//! ended at once) gets numbers behind all of these.

use crate::shape::{Shape, Slot, Status};
use crate::{OutcomeView, Reader, StoreError, Verdict, Why};
use rusqlite::{Connection, Statement, params};
use std::path::Path;

const TABLE: &str =
    "CREATE TABLE nodes (ID INT PRIMARY KEY, stateID INT, leftID INT, rightID INT, asmLine INT, kind INT)";

/// KLEE's `StateTerminationType`, as far as it has one for the verdict.
fn termination(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Exit => 1,
        Verdict::Error | Verdict::Target(_) => 38,
        Verdict::Infeasible | Verdict::Silent => 80,
        Verdict::Cut(Why::StackDepth) => 13,
        Verdict::Cut(Why::Depth | Why::Forks | Why::Unwind) => 11,
        Verdict::Cut(_) => 10,
        Verdict::Unsupported => 60,
        Verdict::Unknown => 20,
        Verdict::Covered | Verdict::Irrelevant => 71,
    }
}

/// KLEE's `BranchType` for a fork whose first label begins with this byte: 0 and 1 are the sides of
/// a branch, 2 is a case of a switch, 4 to 6 are objects, and others are values.
fn branch_type(label: &[u8]) -> u8 {
    match label.first() {
        Some(0 | 1) => 1,
        Some(2) => 3,
        Some(4..=6) => 6,
        _ => 10,
    }
}

struct Rows<'a> {
    insert: Statement<'a>,
    next_id: u64,
    next_state: u64,
    /// By slot.
    states: Vec<u32>,
}

struct Row {
    id: u64,
    state: u64,
    children: [u64; 2],
    line: u32,
    kind: u8,
}

impl Rows<'_> {
    fn put(&mut self, row: &Row) -> rusqlite::Result<()> {
        let numbers = [row.id, row.state, row.children[0], row.children[1]].map(|number| number as i64);
        self.insert.execute(params![numbers[0], numbers[1], numbers[2], numbers[3], row.line, row.kind]).map(|_| ())
    }

    fn new_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id - 1
    }

    fn new_state(&mut self) -> u64 {
        self.next_state += 1;
        self.next_state - 1
    }

    /// A fork: rows of its comb, and of the alternatives that ended at once.
    fn fork(
        &mut self,
        shape: &Shape,
        slot: Slot,
        line: u32,
        ways: impl Iterator<Item = (Option<Verdict>, u8)>,
    ) -> rusqlite::Result<()> {
        let mut state = u64::from(self.states[slot.index()]);
        let mut children = shape.children(slot);
        let mut inner = slot.index() as u64 + 1;
        let mut ways = ways.peekable();
        let mut kind = 1;
        let mut left: Option<u64> = None;
        while let Some((end, branch)) = ways.next() {
            kind = branch;
            let its_state = if left.is_none() { state } else { self.new_state() };
            let id = match (end, children.next().filter(|_| end.is_none())) {
                (Some(verdict), _) => {
                    let id = self.new_id();
                    let kind = termination(verdict);
                    self.put(&Row { id, state: its_state, children: [0, 0], line, kind })?;
                    id
                }
                (None, Some(child)) => {
                    self.states[child.index()] = its_state as u32;
                    child.index() as u64 + 1
                }
                (None, None) => continue,
            };
            left = match left {
                None => Some(id),
                Some(first) if ways.peek().is_none() => {
                    return self.put(&Row { id: inner, state, children: [first, id], line, kind });
                }
                // The rest of the comb begins with this one.
                Some(first) => {
                    let rest = self.new_id();
                    self.put(&Row { id: inner, state, children: [first, rest], line, kind })?;
                    (inner, state) = (rest, its_state);
                    Some(id)
                }
            };
        }
        self.put(&Row { id: inner, state, children: [left.unwrap_or(0), 0], line, kind })
    }
}

/// Writes the tree. `line` is the line of a function's instruction.
pub fn write_exec_tree(
    path: &Path,
    reader: &Reader,
    shape: &Shape,
    line: &dyn Fn(u32, u32) -> u32,
) -> Result<(), StoreError> {
    let failed = |error| StoreError::database(&path.display(), error);
    let mut connection = Connection::open(path).map_err(failed)?;
    connection.execute_batch("PRAGMA synchronous = OFF").map_err(failed)?;
    let transaction = connection.transaction().map_err(failed)?;
    transaction.execute_batch(TABLE).map_err(failed)?;
    let insert = transaction.prepare("INSERT INTO nodes VALUES (?1, ?2, ?3, ?4, ?5, ?6)").map_err(failed)?;
    let nodes = shape.nodes();
    let mut rows = Rows { insert, next_id: nodes + 1, next_state: 1, states: vec![0; nodes as usize] };
    let mut written = Ok(());
    reader.scan(&mut |_, batch| {
        for (place, record) in batch.views().map_while(Result::ok) {
            let slot = shape.slot(record.id).filter(|slot| shape.node(*slot).place() == Some(place));
            let (Some(slot), Ok(())) = (slot, &written) else { continue };
            let line = line(record.function, record.instruction);
            let (id, state) = (slot.index() as u64 + 1, u64::from(rows.states[slot.index()]));
            written = match record.outcome {
                OutcomeView::End(end) => {
                    rows.put(&Row { id, state, children: [0, 0], line, kind: termination(end.verdict) })
                }
                OutcomeView::Fork { ways, .. } => {
                    let ways = ways.map(|way| (way.end.map(|end| end.verdict), branch_type(way.label)));
                    rows.fork(shape, slot, line, ways)
                }
                OutcomeView::Mark { .. } => rows.fork(shape, slot, line, std::iter::once((None, 0))),
            };
        }
    })?;
    written.map_err(failed)?;
    for slot in shape.slots().filter(|slot| shape.node(*slot).status == Status::Unfinished) {
        let (id, state) = (slot.index() as u64 + 1, u64::from(rows.states[slot.index()]));
        rows.put(&Row { id, state, children: [0, 0], line: 0, kind: 0 }).map_err(failed)?;
    }
    drop(rows);
    transaction.commit().map_err(failed)
}
