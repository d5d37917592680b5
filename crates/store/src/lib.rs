//! The recorded execution tree: what was explored, so that a later run goes on where this one
//! stopped.
//!
//! A [`Record`] is appended when a node of the tree forks or ends, and never changed. A node that
//! has none is not finished: whether it was never run, the process was killed, or the disk lost the
//! record makes no difference. Should a node get another record, then the last one counts.
//!
//! Records are packed into batches of about 64 KiB, some 17 bytes each, because a row of a database
//! for each would take a third of a core. `record` has their encoding, and `batch` packs them.
//! `store` writes batches to a database and `reader` reads them; it is `sqlite`, in a directory with
//! one `owner`, or `postgresql`, as the `location` says, and `sql` is what they have in common.
//! `writer` writes in a thread, so that exploration does not wait for the disk. `tasks` is how
//! several workers share a tree. For those who look at a tree there are its `shape`, what two of
//! them differ in (`shape_diff`), and KLEE's form of it (`exec_tree`);
//! `merge` gives one what another has.

#![forbid(unsafe_code)]

mod batch;
mod bytes;
mod error;
mod exec_tree;
mod location;
mod merge;
mod owner;
#[cfg_attr(not(feature = "postgres"), path = "no_postgres.rs")]
mod postgresql;
mod reader;
mod record;
mod shape;
mod shape_diff;
mod sql;
mod sqlite;
mod store;
mod tasks;
mod writer;

pub use batch::{Batch, BatchWriter};
pub use error::{Cause, Damaged, Flaw, StoreError};
pub use exec_tree::write_exec_tree;
pub use location::Location;
pub use merge::{Appended, MergeRules, append_missing};
pub use reader::{Reader, Run, Scanned};
pub use record::{AnswersView, OutcomeParts, OutcomeView, RecordParts, RecordView, WayRef, Ways, WorkByte, round_work};
pub use shape::{AtDepth, Leaves, Node, Records, Shape, Site, Slot, Status};
pub use shape_diff::{Compared, Different, Differs, differences};
pub use sqlite::{keep_program, kept_program};
pub use store::{Commit, Divergence, Store};
pub use tasks::{Colleague, Event, Held, News, Task, TaskCounts, Tasks};
pub use writer::Writer;

use smallvec::SmallVec;

/// The number of a node of the recorded tree, for ever: the worker in the upper 16 bits, a counter
/// in the lower 48. The root has 0.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RecordId(pub u64);

impl RecordId {
    const COUNTER: u64 = (1 << 48) - 1;

    pub fn new(worker: u16, counter: u64) -> RecordId {
        debug_assert!(counter <= Self::COUNTER, "a worker has 2^48 ids");
        RecordId(u64::from(worker) << 48 | counter & Self::COUNTER)
    }

    pub fn worker(self) -> u16 {
        (self.0 >> 48) as u16
    }

    pub fn counter(self) -> u64 {
        self.0 & Self::COUNTER
    }
}

/// Where a record is: the number of its batch in the upper 40 bits, its offset in the lower 24.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Place(pub u64);

impl Place {
    /// Batches have smaller numbers.
    pub(crate) const BATCHES: u64 = 1 << 40;
    /// Records begin at smaller offsets.
    pub(crate) const OFFSETS: usize = 1 << 24;

    pub fn new(batch: u64, offset: u32) -> Place {
        debug_assert!(batch < Self::BATCHES && (offset as usize) < Self::OFFSETS);
        Place(batch << 24 | u64::from(offset))
    }

    pub fn batch(self) -> u64 {
        self.0 >> 24
    }

    pub fn offset(self) -> u32 {
        self.0 as u32 & 0xff_ffff
    }
}

/// How a path ended.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    Exit,
    Error,
    Target(u32),
    Infeasible,
    Silent,
    Cut(Why),
    Unsupported,
    Unknown,
    Covered,
    Irrelevant,
}

/// Why a path was cut.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Why {
    Depth,
    Forks,
    Unwind,
    Values,
    StackDepth,
    ForkingOff,
    Crash,
    Other,
}

/// How a path ended, and the number of the test that was written for it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct End {
    pub verdict: Verdict,
    pub test: Option<u64>,
}

/// One alternative of a fork: its label, which means something to whoever made it, and how it ended
/// if it did at once. One that did not is a child and has an id.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    pub label: SmallVec<[u8; 24]>,
    pub end: Option<End>,
}

/// What became of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The children, which are the ways without an end, have consecutive ids in that order.
    Fork {
        first_child: RecordId,
        ways: Vec<Way>,
    },
    End(End),
    /// The node was long, and goes on in this one.
    Mark {
        child: RecordId,
    },
}

/// The answers that a node got: 2 bits each, four in a byte, lowest first, so there are
/// `count.div_ceil(4)` bytes; and numbers, whose encoding is that of whoever made them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answers {
    pub count: u32,
    pub bits: SmallVec<[u8; 16]>,
    pub numbers: SmallVec<[u8; 16]>,
}

/// A node that forked or ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    pub id: RecordId,
    /// Where it forked or ended.
    pub function: u32,
    pub instruction: u32,
    /// Of the whole path so far.
    pub instructions: u64,
    /// Hash of what was asked, and where.
    pub trace: u32,
    /// Of the solver; what is kept is [`round_work`] of it.
    pub work: u64,
    pub answers: Answers,
    pub outcome: Outcome,
}
