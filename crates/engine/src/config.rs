//! What a run is asked to do.

use crate::uniting::PathMerging;
use espalier_base::Limits;
use espalier_base::control::{ASSERT_FAILURES, ERROR_FUNCTIONS};
use espalier_base::environment::Item;
use espalier_exec::{GivenInputs, Line, ViolationKind};
use espalier_frontend::Loaded;
use espalier_prune::Method;
use espalier_search::Strategy;
use serde::{Deserialize, Serialize};

/// Everything that decides a run, apart from the program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Config {
    pub search: Strategy,
    /// From where targets are looked for.
    pub approach: Approach,
    /// How functions are explored from their entries.
    pub search_backward: Strategy,
    pub seed: u64,
    pub limits: Limits,
    /// Report an error on every path that reaches it, not once per place.
    pub emit_all_errors: bool,
    pub exit_on_error: bool,
    /// End the run at an error of one of these kinds.
    pub exit_on_kinds: Vec<ViolationKind>,
    pub tests: Tests,
    /// When a limit ends the run, tell the observer of the paths that are open, with tests.
    pub dump_open: bool,
    /// Inputs whose paths are followed before the searcher chooses.
    #[serde(skip)]
    pub seeds: Vec<GivenInputs>,
    /// End the run when the seeds were followed.
    pub only_seed: bool,
    /// Tests to run the program on, in the place of unknown inputs.
    #[serde(skip)]
    pub replays: Vec<Replay>,
    /// Learn interpolants and leave out states that they speak for.
    pub interpolation: Option<Method>,
    /// Have paths wait for each other where they close a merge; with `exec.merges`.
    pub merging: Option<PathMerging>,
    /// Keep the tree, for `Outcome::tree`; with interpolation.
    pub keep_tree: bool,
    /// Find out what holds at loop heads, for `Outcome::invariants`; with interpolation.
    pub keep_invariants: bool,
    /// Explore in the end what was pruned: an error there is an error of ours.
    pub verify_pruning: bool,
    /// For tests: learning and looking up pause and go on by chance, which begins here.
    pub forced_pauses: Option<u64>,
    /// The process ends after the run: what a run that was stopped holds is left to the system,
    /// which is faster.
    pub is_last: bool,
    /// What is done about loops that states do not close.
    pub loops: Loops,
    /// What trials of loops may take of all work, in percent.
    pub loop_effort: u64,
    /// Errors that count.
    pub only: Only,
    /// By target: ways to it that somebody thinks it can be reached on, as the lines that they
    /// pass. They draw the search, and require nothing.
    pub flows: Vec<Vec<Vec<Line>>>,
    pub exec: espalier_exec::Options,
    /// Its query time is set from `limits`.
    pub solver: espalier_solver::Config,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            search: Strategy::default(),
            approach: Approach::Forward,
            search_backward: Approach::backward_search(),
            seed: 0,
            limits: Limits::default(),
            emit_all_errors: false,
            exit_on_error: false,
            exit_on_kinds: Vec::new(),
            tests: Tests::All,
            dump_open: false,
            seeds: Vec::new(),
            only_seed: false,
            replays: Vec::new(),
            interpolation: None,
            merging: None,
            keep_tree: false,
            keep_invariants: false,
            verify_pruning: false,
            forced_pauses: None,
            is_last: false,
            loops: Loops::default(),
            loop_effort: 50,
            only: Only::All,
            flows: Vec::new(),
            exec: espalier_exec::Options::default(),
            solver: espalier_solver::Config::default(),
        }
    }
}

impl Config {
    /// Has the program get these items, as it expects them: its arguments as they are, or all of
    /// them as words for the model of the environment. A program without that model gets no other
    /// items.
    pub fn give(&mut self, loaded: &Loaded, items: &[Item]) {
        self.exec.args = match loaded.has_environment {
            true => items.iter().map(Item::word).collect(),
            false => items.iter().filter_map(Item::as_argument).map(String::from).collect(),
        };
    }
}

/// What is done about loops that states do not close.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub enum Loops {
    /// With interpolation, invariants are looked for; rounds are skipped as in `Skip`.
    Prove,
    /// Rounds over numbers that all go the same way are one step.
    Skip,
    /// They are gone round.
    #[default]
    Unroll,
}

/// From where targets are looked for.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Approach {
    /// From the program's start.
    Forward,
    /// From the functions that the targets are in, up the call chain; from the start when a chain
    /// has come there.
    Backward,
    /// Both, with half of the work each.
    Mix,
    /// From the start alone for a while, then both, by progress.
    Auto,
}

impl Approach {
    /// What explores functions from their entries if nothing else is asked for.
    pub fn backward_search() -> Strategy {
        Strategy { names: ["sdse:aged", "random-path"].map(str::to_owned).to_vec(), ..Strategy::default() }
    }
}

/// What is looked for. A path that fails otherwise ends, but nothing is made of it.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Only {
    All,
    /// Failing assertions.
    Assert,
    /// Calls of `reach_error`.
    Reach,
    /// Accesses and frees of memory that are not valid.
    Memory,
    /// Overflows of signed integers, as clang's own checks report them.
    Overflow,
    /// The targets that are marked in the program; each is closed when it is met.
    Targets,
}

impl Only {
    pub fn asks_for(self, kind: ViolationKind) -> bool {
        match self {
            Only::All => true,
            Only::Assert => kind == ViolationKind::Assert,
            Only::Reach => kind == ViolationKind::ReachError,
            Only::Overflow => kind == ViolationKind::Overflow,
            Only::Targets => matches!(kind, ViolationKind::Target(_)),
            Only::Memory => {
                use ViolationKind::{Free, Leak, Ptr, ReadOnly, Uninit};
                matches!(kind, Ptr | Free | ReadOnly | Leak | Uninit)
            }
        }
    }

    /// Is a call of this function all that is looked for? `None` if errors can be anywhere.
    pub(crate) fn target(self) -> Option<fn(&str) -> bool> {
        match self {
            Only::All | Only::Memory => None,
            Only::Overflow => Some(espalier_base::provided::is_overflow_report),
            Only::Targets => Some(|_| false),
            Only::Assert => Some(|name| ASSERT_FAILURES.contains(&name) || name == "klee_assert"),
            Only::Reach => Some(|name| ERROR_FUNCTIONS.contains(&name)),
        }
    }
}

/// Which paths get a test.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Tests {
    /// Those that exit, fail or are cut short.
    All,
    /// Those that fail, and those that reach code which no path had reached before.
    CoveringNew,
    /// Those that fail.
    Errors,
    None,
}

/// A test to run the program on.
#[derive(Clone, Debug)]
pub struct Replay {
    pub inputs: GivenInputs,
    /// `argv[1..]`.
    pub args: Vec<String>,
}
