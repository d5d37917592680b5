//! What a run came to.

use crate::backward::BackwardCounts;
use crate::groups::{ApproximationGroup, CutGroup, OpenGroup};
use crate::parking::ParkingCounts;
use espalier_exec::{Coverage, Fault, FileCoverage, FunctionProfile};
use espalier_ir::{FileId, Loc};
use espalier_loops::LoopReport;
use espalier_prune::{Requirement, Rewriting};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// The exit codes of every verb.
pub mod exit_code {
    /// Nothing was found, and everything was explored.
    pub const CLEAN: i32 = 0;
    /// The command line is wrong.
    pub const USAGE: i32 = 1;
    /// The input is missing, malformed or does not compile, or the output cannot be set up.
    pub const INPUT: i32 = 2;
    /// Nothing was found, but not everything was explored.
    pub const INCOMPLETE: i32 = 5;
    /// The engine itself failed.
    pub const INTERNAL: i32 = 6;
    /// An error was found.
    pub const FOUND: i32 = 10;
}

/// Why a run ended before every path did.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Stop {
    MaxTime,
    MaxMemory,
    MaxInstructions,
    MaxTests,
    /// Somebody asked for it, by Ctrl-C or through the flag.
    Interrupted,
    /// `exit_on_error`, and there was one.
    FirstError,
    /// There was an error of one of `exit_on_kinds`.
    ErrorOfKind,
    /// `only_seed`, and the seeds were followed.
    SeedsFollowed,
    /// Every target was reached.
    AllTargets,
    /// All that was selected of a recorded tree was explored.
    Selected,
    /// The observer failed.
    Observer,
}

/// How many paths ended, and how.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct PathCounts {
    /// Ended by an exit.
    pub completed: u64,
    /// Ended by an error, whether reported or known already.
    pub errors: u64,
    /// Ruled out by an assumption.
    pub infeasible: u64,
    /// Ended by `klee_silent_exit`.
    pub silent: u64,
    /// Cut by a limit on paths.
    pub limited: u64,
    pub unsupported: u64,
    pub solver_unknown: u64,
    /// Reached a target that was open; most go on beside it.
    pub met: u64,
    /// Ended by an error of a kind that was not asked about.
    pub other_errors: u64,
    /// Not explored, because an interpolant says that there is nothing new to find.
    pub pruned: u64,
    /// Became part of another path where a merge was closed.
    pub merged: u64,
    /// Of those that ended without a reported error or were pruned: those that may leave out what
    /// the program can do.
    pub approximate: u64,
    /// Of those that ended by an error: by misuse of the tool's own calls.
    pub misused: u64,
}

impl PathCounts {
    pub(crate) fn add(&mut self, other: &PathCounts) {
        let PathCounts {
            completed,
            errors,
            infeasible,
            silent,
            limited,
            unsupported,
            solver_unknown,
            met,
            other_errors,
            pruned,
            merged,
            approximate,
            misused,
        } = *other;
        self.completed += completed;
        self.errors += errors;
        self.infeasible += infeasible;
        self.silent += silent;
        self.limited += limited;
        self.unsupported += unsupported;
        self.solver_unknown += solver_unknown;
        self.met += met;
        self.other_errors += other_errors;
        self.pruned += pruned;
        self.merged += merged;
        self.approximate += approximate;
        self.misused += misused;
    }

    /// All paths that ended.
    pub fn ended(&self) -> u64 {
        let PathCounts {
            completed,
            errors,
            infeasible,
            silent,
            limited,
            unsupported,
            solver_unknown,
            met,
            pruned,
            other_errors,
            merged,
            approximate: _,
            misused: _,
        } = *self;
        let told = completed + errors + infeasible + silent + limited + unsupported + solver_unknown + met;
        told + pruned + merged + other_errors
    }
}

/// How much of the program was executed.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct CoverageCounts {
    pub covered_blocks: u64,
    pub total_blocks: u64,
    pub covered_instructions: u64,
    pub total_instructions: u64,
    pub conditional: espalier_exec::BranchCounts,
    /// Lines of the user's files that have code; none without debug information.
    pub covered_lines: u64,
    pub total_lines: u64,
    /// Ways on from the decisions in these files.
    pub covered_branches: u64,
    pub total_branches: u64,
}

impl CoverageCounts {
    pub(crate) fn new(coverage: &Coverage, files: &BTreeMap<FileId, FileCoverage>) -> CoverageCounts {
        let lines = || files.values().flat_map(|file| file.lines.values());
        let ways = || files.values().flat_map(|file| &file.branches).flat_map(|branch| &branch.taken);
        let taken = |count: &&u64| **count > 0;
        CoverageCounts {
            covered_blocks: coverage.covered_blocks(),
            total_blocks: coverage.total_blocks(),
            covered_instructions: coverage.covered_instructions(),
            total_instructions: coverage.total_instructions(),
            conditional: coverage.branches(),
            covered_lines: lines().filter(taken).count() as u64,
            total_lines: lines().count() as u64,
            covered_branches: ways().filter(taken).count() as u64,
            total_branches: ways().count() as u64,
        }
    }
}

/// Something that pruning did wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refuted {
    /// These clauses do not hold at the node that they were learnt at.
    Interpolant { clauses: Vec<Requirement> },
    /// A clause does not follow from what it was rewritten to.
    Rewriting(Rewriting),
    /// An error that is behind a state which was pruned, and was not found elsewhere.
    Error { fault: Fault, loc: Loc },
}

/// The result of a run.
#[derive(Default, Debug)]
pub struct Outcome {
    pub paths: PathCounts,
    /// Errors at different places or of different kinds.
    pub distinct_errors: u64,
    /// Is one of them beyond doubt?
    pub has_certain_error: bool,
    /// How many targets there are, and how many of them no path reached.
    pub targets: u64,
    pub open_targets: u64,
    /// The targets that paths came to, those of earlier runs of a recorded tree too: is one of the
    /// paths beyond doubt?
    pub reached_targets: BTreeMap<u32, bool>,
    /// The targets that want an error, and whose place a path was seen to come to in this run. With
    /// pruning, paths may come to others too.
    pub passed_targets: Vec<u32>,
    /// The targets of which the run does not say that their error cannot happen, whatever it
    /// explored: something like it was seen.
    pub close_targets: Vec<u32>,
    /// If targets were looked for from their functions too: what came of it.
    pub backward: Option<BackwardCounts>,
    /// With `Config::loops`: what became of loops that were tried to be closed.
    pub loops: Vec<LoopReport>,
    /// Cut paths by reason and place, most frequent first.
    pub cuts: Vec<CutGroup>,
    /// Why paths are inexact.
    pub approximations: Vec<ApproximationGroup>,
    /// Why the run ended early; `None` if every path ended.
    pub stop: Option<Stop>,
    /// States that were open when the run ended, by place.
    pub open: Vec<OpenGroup>,
    pub open_states: u64,
    /// What became of states that there was no room for.
    pub parking: ParkingCounts,
    /// What the observer said when it failed.
    pub observer_error: Option<String>,
    /// Paths whose test the solver could not find.
    pub missing_tests: u64,
    pub instructions: u64,
    /// Alternatives that were taken up besides the one that went on.
    pub forks: u64,
    pub coverage: CoverageCounts,
    /// What was executed of the user's files.
    pub files: BTreeMap<FileId, FileCoverage>,
    /// With `exec.profiles`: what instructions cost, by function.
    pub profile: Vec<FunctionProfile>,
    pub exec: espalier_exec::Stats,
    /// With `Config::verify_pruning`: what pruning lost.
    pub refuted: Vec<Refuted>,
    /// With interpolation.
    pub prune: Option<espalier_prune::Stats>,
    /// Tests whose inputs were all that was looked at; none, if all inputs were.
    pub replays: usize,
    /// With `Config::keep_invariants`: what holds at loop heads, if every path ended.
    pub invariants: Vec<espalier_prune::LoopInvariant>,
    /// With `Config::keep_tree`.
    pub tree: Option<Vec<espalier_prune::Record>>,
    pub solver: espalier_solver::Stats,
    pub solver_time: Duration,
    /// Questions that an earlier tree answered.
    pub recalled: u64,
    pub elapsed: Duration,
    /// The most memory that was resident, in bytes.
    pub peak_memory: Option<u64>,
}

impl Outcome {
    /// What was done, in units of about an instruction, counted and not timed: it is the same
    /// wherever the run is repeated.
    pub fn work(&self) -> u64 {
        let spent = |stats: &espalier_prune::Stats| (stats.spent_work, stats.spent_solving);
        let (spent, solved) = self.prune.as_ref().map_or((0, 0), spent);
        espalier_prune::work(self.exec.instructions, self.exec.forks, self.solver.work.saturating_sub(solved)) + spent
    }
}
