//! What the engine tells while it runs.

use crate::outcome::{PathCounts, Stop};
use espalier_exec::{Approximation, End, Message, TestCase};
use espalier_expr::{PathCondition, Terms};
use espalier_ir::Program;
use espalier_solver::Reason;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What went wrong in an observer, for instance a full disk. It ends the run.
pub type ObserverError = Box<dyn std::error::Error>;

/// Is told of every path that ends. The order of the calls depends on the program and the
/// configuration alone.
pub trait Observer {
    fn path_ended(&mut self, program: &Program, path: &EndedPath<'_>) -> Result<(), ObserverError>;

    /// What the path that was told of last came to may be nothing that the program does. Does a run
    /// of the program itself show it?
    fn confirms(&mut self) -> bool {
        false
    }

    /// The program wrote this to its standard output or error.
    fn output(&mut self, bytes: &[u8]) -> Result<(), ObserverError> {
        let _ = bytes;
        Ok(())
    }

    /// The program has something to tell the user, for instance by `klee_warning`.
    fn message(&mut self, program: &Program, message: &Message) -> Result<(), ObserverError> {
        let _ = (program, message);
        Ok(())
    }

    /// The run ends before every path did. What is told after this is about paths that are still
    /// open, if the configuration asks for their tests.
    fn stopping(&mut self, stop: Stop, open: u64) -> Result<(), ObserverError> {
        let _ = (stop, open);
        Ok(())
    }

    /// Comes about ten times a second.
    fn tick(&mut self, progress: &Progress) {
        let _ = progress;
    }
}

/// A path that ended.
#[derive(Clone)]
pub struct EndedPath<'a> {
    pub end: &'a End,
    /// The same error was reported before, from another path.
    pub is_known_error: bool,
    /// The targets that were open and that it reaches, or whose error it shows.
    pub targets: &'a [u32],
    /// Inputs that follow this path, if the configuration asks for them.
    pub test: Option<&'a TestCase>,
    /// Why there is no test although one was asked for.
    pub no_test: Option<Reason>,
    /// What holds of the inputs on this path.
    pub condition: &'a PathCondition,
    /// The pool that these terms are in.
    pub terms: &'a Terms,
    /// Forks on the path.
    pub depth: u32,
    pub instructions: u64,
    /// Why this path stands for more or fewer behaviours than the program has.
    pub approximations: &'a [Approximation],
}

/// How far a run is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Progress {
    pub elapsed: Duration,
    /// Until `--max-time`, if there is one.
    pub time_left: Option<Duration>,
    pub open: u64,
    /// Open, and parked for want of memory.
    pub parked: u64,
    pub paths: PathCounts,
    pub errors: u64,
    pub instructions: u64,
    pub covered_instructions: u64,
    pub total_instructions: u64,
    pub branches: espalier_exec::BranchCounts,
    pub covered_blocks: u64,
    pub total_blocks: u64,
    /// Resident memory in bytes.
    pub memory: u64,
    pub solver_time: Duration,
    pub exec: espalier_exec::Stats,
    pub solver: espalier_solver::Stats,
}

impl Progress {
    /// Adds that of another worker. What is covered is the most that one of them knows of, and
    /// they know of each other's soon.
    pub(crate) fn add(&mut self, other: &Progress) {
        self.open += other.open;
        self.parked += other.parked;
        self.paths.add(&other.paths);
        self.instructions += other.instructions;
        if other.covered_blocks > self.covered_blocks {
            self.covered_blocks = other.covered_blocks;
            (self.covered_instructions, self.branches) = (other.covered_instructions, other.branches);
        }
        self.memory += other.memory;
        self.solver_time += other.solver_time;
        self.exec.add(&other.exec);
        self.solver.add(&other.solver);
    }
}
