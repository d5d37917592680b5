//! What a path is, apart from what it computes: its state, what it chose, how it ended or was cut,
//! the inputs that follow it, and what all paths together have covered and reached.

pub(crate) mod answers;
pub(crate) mod approximation;
pub(crate) mod call_paths;
pub(crate) mod choice;
pub(crate) mod coverage;
pub(crate) mod cut;
pub(crate) mod end;
pub(crate) mod fault;
pub(crate) mod given;
pub(crate) mod journal;
pub(crate) mod merge;
pub(crate) mod message;
pub(crate) mod profile;
pub(crate) mod state;
pub(crate) mod targets;
pub(crate) mod testcase;
pub(crate) mod trace;
pub(crate) mod wants;
