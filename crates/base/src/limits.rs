//! What a run may use before it is ended.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The budgets of one run. `None` means no limit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall-clock time of the whole run.
    pub max_time: Option<Duration>,
    /// Resident memory of the process, in bytes.
    pub max_memory: Option<u64>,
    /// Forks on one path; deeper paths are cut.
    pub max_depth: Option<u32>,
    /// Instructions over all paths, to the end of the basic block that exceeds it.
    pub max_instructions: Option<u64>,
    /// Forks over all paths; alternatives past it are cut.
    pub max_forks: Option<u64>,
    /// Tests of any kind.
    pub max_tests: Option<u64>,
    /// Time of one solver query; a longer one is answered `unknown`.
    pub max_solver_time: Option<Duration>,
}

/// Turns an option's value into a limit. As in KLEE, 0 lifts the limit.
pub trait OptionalLimit: Sized {
    fn limit(self) -> Option<Self>;
}

impl OptionalLimit for u64 {
    fn limit(self) -> Option<u64> {
        (self != 0).then_some(self)
    }
}

impl OptionalLimit for u32 {
    fn limit(self) -> Option<u32> {
        (self != 0).then_some(self)
    }
}

impl OptionalLimit for Duration {
    fn limit(self) -> Option<Duration> {
        (!self.is_zero()).then_some(self)
    }
}
