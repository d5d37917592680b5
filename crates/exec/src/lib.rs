//! The symbolic executor: runs one state until it forks, ends or has used its budget.
//!
//! One folder a group, one file a concern. In `interpreter/`, `plain` is the loop for instructions
//! on numbers, `step` the one for all others, `operator` and `float` compute, `access` reads and
//! writes memory through any pointer, `bulk` copies and fills, `fork` decides branches and makes
//! alternatives, `call` enters and leaves functions. `models/` has the functions without a body,
//! `paths/` what a path is, `learning/` what pruning asks of the executor. Nothing here knows how
//! states are chosen, pruned or stored.
//!
//! The executor never loses a possibility silently: whatever it cannot follow becomes an
//! alternative that ended with [`End::Limit`], [`End::Unsupported`] or [`End::SolverUnknown`].

mod entry;
mod interpreter;
mod learning;
pub mod memory;
mod models;
mod paths;

pub use entry::{EntryMode, EntryRule, EntryStep, Joined, PartialPath};
pub use espalier_base::{FaultKind, FaultSet};
pub use interpreter::access::Mode as AccessMode;
pub use interpreter::array_reads::ArrayReads;
pub use interpreter::frames::Frame;
pub use interpreter::image::LoadError;
pub use interpreter::value::Value;
pub use learning::NoInterpolant;
pub use learning::arrays::{ArrayAccess, ArrayFacts, FactArray, GeneralArray, Instance};
pub use learning::fingerprint::{Fingerprint, Progress};
pub use learning::general::{ChangedArray, Changes, GeneralPlace, NotGeneral};
pub use learning::guide::Decision;
pub use learning::leaf::{Leaf, LeafValues, ObjectName, resolve_name};
pub use learning::loops::VariableName;
pub use learning::places::Places;
pub use learning::replay::{Event, Needs, Prefix, Replayed};
pub use learning::stops::Stops;
pub use models::external::ExternalCalls;
pub use models::printed::{ExpectedRun, Unpredictable};
pub use models::told_calls::TellsCalls;
pub use models::undefined::{Undefined, undefined_functions};
pub use paths::answers::Answers;
pub use paths::approximation::{Approximation, Cause, Direction, UncheckedOutput, doubt};
pub use paths::choice::{Choice, Choices, read_label};
pub use paths::coverage::{Branch, BranchCounts, Coverage, Covered, FileCoverage, FunctionCoverage};
pub use paths::cut::{BlockOperation, Cut, CutReason, ExternalProblem, Misfit, Needed, Unsupported, UnsupportedFloat};
pub use paths::end::{End, ExitStatus, StackEntry, Violation, ViolationKind};
pub use paths::fault::{Abort, AccessProblem, Fault, FreeProblem, MemoryObject, Misuse, Outside, Use};
pub use paths::given::{GivenInputs, Others};
pub use paths::journal::{Journal, Mismatch, Script};
pub use paths::message::{Message, ToldValue};
pub use paths::profile::{FunctionProfile, InstructionProfile};
pub use paths::state::{Input, State};
pub use paths::testcase::TestCase;
pub use paths::wants::{Columns, Line, Wants};

use entry::{EntryGlobals, EntryPlace};
use espalier_analysis::{CountedLoops, Counter, Graphs, Liveness, RegSet, RegisterMap, Relevance};
use espalier_base::StopFlag;
use espalier_base::fidelity::Topic;
use espalier_expr::{ArrayId, Symbol, Term, Terms};
use espalier_ir::{BlockId, FuncId, Program, SwitchId};
use espalier_solver::Solver;
use interpreter::addresses::ArrayAddresses;
use interpreter::fork::Flow;
use interpreter::frames::SpareFrames;
use interpreter::image::Image;
use interpreter::machine::{Again, Explore, Interpreter};
use interpreter::step::SwitchDecisions;
use learning::evaluation::LeafEvaluation;
use learning::leaf::Leaves;
use memory::window::Windows;
use models::lazy::LazyPointer;
use models::told_calls::External;
use paths::call_paths::CallPaths;
use paths::profile::SolverTimes;
use paths::targets::Targets;
use rustc_hash::FxHashMap;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::mem::Discriminant;
use std::rc::Rc;
use std::time::Instant;

/// What the executor checks and how far it goes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Options {
    pub check_div_zero: bool,
    pub check_overshift: bool,
    /// Report heap objects that nothing points to when the program ends.
    pub check_leaks: bool,
    /// Report decisions that depend on memory that was never written.
    pub check_uninit: bool,
    /// A `klee_assume` that cannot hold ends the path and is no error.
    pub silent_assume: bool,
    /// As KLEE does it: misuse of its calls is an error, and the cases of a switch come in its order.
    pub as_klee: bool,
    /// How conditions on what is read from arrays are put.
    pub array_reads: ArrayReads,
    /// Which calls of library functions are told of: KLEE has the machine execute these.
    pub tells_calls: TellsCalls,
    /// Note where the solver's time goes.
    pub profiles: bool,
    /// Have `klee_open_merge` and `klee_close_merge` an effect? See [`Executor::merge`].
    pub merges: bool,
    /// How many objects a symbolic pointer, and how many values a symbolic length or function
    /// pointer, may fork into.
    pub max_resolutions: usize,
    /// How large an allocation of symbolic size may be.
    pub max_symbolic_alloc: u64,
    /// What is fixed here and not in a real run, and has been made a condition of the answer.
    pub fixed: Vec<Topic>,
    /// Are all answers of a system asked about, where the model can give any?
    pub any_answers: bool,
    /// How many bytes that were written an access at a symbolic offset may reach.
    pub max_symbolic_reach: u64,
    /// Fork on the places that an address is written to, if these are few.
    pub forks_on_links: bool,
    /// What calls of undefined functions do.
    pub external_calls: ExternalCalls,
    /// For an entry function that is not `main`: how many elements a pointer from outside leads to,
    /// if it is not one, and how many pointers may lead from one to the next.
    pub lazy_elements: u64,
    pub lazy_depth: u32,
    /// How often a loop may be gone round in one call.
    pub max_unwind: Option<u32>,
    /// The same for single loops, by the block that they begin with.
    pub unwind_loops: FxHashMap<(FuncId, BlockId), u32>,
    /// How deep calls may nest.
    pub max_stack_depth: u32,
    /// What is wanted of each target, by its number; of those that are not listed, the place.
    pub wants: Vec<Wants>,
    /// Keep what the program prints, for [`Executor::take_output`].
    pub show_output: bool,
    /// Keep what each path prints and which files it leaves, for [`TestCase::expected`].
    pub predict: bool,
    /// For tests: a rule that proofs from functions' entries rest on, and that is left out.
    #[serde(skip)]
    pub forgotten: Option<EntryRule>,
    pub program_name: String,
    /// `argv[1..]`.
    pub args: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            check_div_zero: true,
            check_overshift: true,
            check_leaks: false,
            check_uninit: false,
            silent_assume: false,
            as_klee: false,
            array_reads: ArrayReads::Kept,
            tells_calls: TellsCalls::None,
            profiles: false,
            merges: false,
            max_resolutions: 64,
            max_symbolic_alloc: 1 << 24,
            fixed: Vec::new(),
            any_answers: false,
            max_symbolic_reach: 1 << 26,
            forks_on_links: false,
            external_calls: ExternalCalls::None,
            lazy_elements: 4,
            lazy_depth: 3,
            max_unwind: None,
            unwind_loops: FxHashMap::default(),
            max_stack_depth: 100_000,
            wants: Vec::new(),
            show_output: false,
            predict: false,
            forgotten: None,
            program_name: "program".into(),
            args: Vec::new(),
        }
    }
}

/// What happened when a state was run.
pub enum Step {
    /// The budget was used up, or a merge was closed ([`State::take_closed`]); the state can go on.
    Budget,
    /// The path has several feasible continuations: the state itself is one, these are the others.
    Fork(Vec<Child>),
    /// With [`Executor::stop_at`]: the path came to where others may come to.
    Join,
    /// With [`Executor::watch`]: the path called a function, and is at its first instruction.
    Entered,
    End(End),
}

/// An alternative continuation of a state that forked.
pub struct Child {
    pub state: Box<State>,
    /// Set if this alternative is over already, such as the failing side of a bounds check.
    pub end: Option<End>,
}

impl Child {
    /// The state alone, which ends when it is run, if it is over already.
    pub fn into_state(mut self) -> Box<State> {
        self.state.pending_end = self.end.map(Box::new);
        self.state
    }
}

/// Alternatives made, by what they were made for.
#[derive(Copy, Clone, Debug, Default, Serialize, Deserialize)]
pub struct ForksByCause {
    pub branches: u64,
    pub indirect_jumps: u64,
    pub switches: u64,
    /// Calls through pointers.
    pub calls: u64,
    /// Accesses to memory, and what addresses lead to.
    pub accesses: u64,
    pub allocations: u64,
    pub reallocations: u64,
    pub frees: u64,
}

impl ForksByCause {
    fn add(&mut self, other: &ForksByCause) {
        let ForksByCause { branches, indirect_jumps, switches, calls, accesses, allocations, reallocations, frees } =
            *other;
        self.branches += branches;
        self.indirect_jumps += indirect_jumps;
        self.switches += switches;
        self.calls += calls;
        self.accesses += accesses;
        self.allocations += allocations;
        self.reallocations += reallocations;
        self.frees += frees;
    }
}

/// Counters of the executor's work.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Stats {
    pub instructions: u64,
    /// Alternatives made (a two-way fork counts one).
    pub forks: u64,
    /// Branches whose condition was not a number.
    pub symbolic_branches: u64,
    /// Accesses through pointers that were not numbers.
    pub symbolic_accesses: u64,
    pub calls: u64,
    /// Nanoseconds spent copying states, estimated from some of the copies.
    pub fork_nanos: u64,
    /// Objects made on the heap.
    pub allocations: u64,
    pub causes: ForksByCause,
}

impl Stats {
    /// Adds those of another executor.
    pub fn add(&mut self, other: &Stats) {
        let Stats {
            instructions,
            forks,
            symbolic_branches,
            symbolic_accesses,
            calls,
            fork_nanos,
            allocations,
            ref causes,
        } = *other;
        self.instructions += instructions;
        self.forks += forks;
        self.symbolic_branches += symbolic_branches;
        self.symbolic_accesses += symbolic_accesses;
        self.calls += calls;
        self.fork_nanos += fork_nanos;
        self.allocations += allocations;
        self.causes.add(causes);
    }
}

/// The executor of one worker.
pub struct Executor {
    pub terms: Terms,
    pub solver: Solver,
    pub stats: Stats,
    pub options: Options,
    /// What takes long looks at it.
    stop: StopFlag,
    /// Was something left off in the middle because of it?
    is_cut_short: bool,
    /// The program as it was given; that of the image shares registers.
    given: Rc<Program>,
    image: Rc<Image>,
    coverage: Coverage,
    /// Set if instructions are counted by call stack.
    call_paths: Option<CallPaths>,
    /// Are there symbols that stand for something other than an input: uninitialised memory,
    /// undefined values?
    has_unknowns: bool,
    /// The addresses in arrays, of those that were looked at.
    arrays_with_addresses: FxHashMap<ArrayId, ArrayAddresses>,
    /// The names that inputs have on any path.
    input_names: FxHashMap<Rc<str>, u32>,
    /// Are leaves looked at with values for what is fixed?
    has_fixed_leaves: bool,
    output: Vec<u8>,
    /// `klee_warning_once` texts that were shown.
    warned: FxHashSet<String>,
    /// Calls of library functions to tell of.
    external: External,
    /// Kinds of messages of which there is one a run, and that were told.
    told: FxHashSet<Discriminant<Message>>,
    /// The last number that a merge was given.
    merges: u32,
    /// Each with how much of `output` came before it.
    messages: Vec<(usize, Message)>,
    solver_times: SolverTimes,
    leaves: Leaves,
    /// Floats that may be NaNs, with what they are as numbers; see `nan`.
    nans: FxHashMap<Term, Term>,
    targets: Targets,
    /// Pointers from outside, by their variables.
    lazy: FxHashMap<Term, LazyPointer>,
    stops: Stops,
    /// How many copies of states were made.
    copies: u64,
    /// Frames that returned, to be used again.
    spare_frames: SpareFrames,
    /// What the last run left; see `memory::window`.
    windows: Option<Box<Windows>>,
    /// Where what is looked for can be reached from, if that is not everywhere.
    relevance: Option<Relevance>,
    liveness: FxHashMap<FuncId, Liveness>,
    live_sets: FxHashMap<(FuncId, u32), Rc<RegSet>>,
    /// For terms that were asked about: is an address of a stack object in them? Of any object?
    mentions_stack: FxHashMap<Term, bool>,
    mentions_address: FxHashMap<Term, bool>,
    /// The variables of unknown cells, by their function and index; and how many functions there are.
    unknown_cells: FxHashMap<(u32, Term), Term>,
    cell_functions: u32,
    entry_globals: Option<Rc<EntryGlobals>>,
    /// Globals that a path was seen to have written, of those that others read.
    written_globals: FxHashSet<u64>,
    replayed: u64,
    again: u64,
    fingerprinted: u64,
    evaluation: LeafEvaluation,
    counted_loops: FxHashMap<FuncId, CountedLoops>,
    counters: FxHashMap<(FuncId, u32), Rc<[Counter]>>,
    /// What terms decided before, in switches.
    switches: FxHashMap<(FuncId, SwitchId, Term), SwitchDecisions>,
    /// Of the part of a path that is run, or was run last.
    journal: Journal,
    is_journaled: bool,
    /// Functions at whose calls paths stop.
    watched: FxHashSet<FuncId>,
    /// What the symbols of functions' entries stand for.
    entry_places: FxHashMap<Symbol, EntryPlace>,
    /// Instructions that were executed from functions' entries.
    from_entries: u64,
    /// What the solver had done when the part was last taken up.
    work_before: u64,
    /// Where answers are taken from, if the part was executed before.
    script: Option<Script>,
    /// What was answered in an earlier exploration; or what is collected for a later one.
    answers: Option<Box<Answers>>,
}

impl Executor {
    pub fn new(program: Rc<Program>, solver: espalier_solver::Config, options: Options) -> Result<Executor, LoadError> {
        let mut terms = Terms::new();
        let mut has_unknowns = false;
        let image = Image::load(program.clone(), &mut terms, &mut has_unknowns)?;
        let image = Rc::new(image);
        let coverage = Coverage::new(image.clone());
        let targets = Targets::of(image.program(), &options.wants);
        let external = External::of(image.program(), options.tells_calls);
        Ok(Executor {
            terms,
            solver: Solver::new(solver),
            stats: Stats::default(),
            options,
            stop: StopFlag::new(),
            is_cut_short: false,
            given: program,
            image,
            coverage,
            call_paths: None,
            has_unknowns,
            arrays_with_addresses: FxHashMap::default(),
            input_names: FxHashMap::default(),
            has_fixed_leaves: false,
            output: Vec::new(),
            warned: FxHashSet::default(),
            external,
            told: FxHashSet::default(),
            merges: 0,
            messages: Vec::new(),
            solver_times: SolverTimes::default(),
            leaves: Leaves::default(),
            nans: FxHashMap::default(),
            targets,
            lazy: FxHashMap::default(),
            copies: 0,
            spare_frames: SpareFrames::default(),
            windows: None,
            stops: Stops::Nowhere,
            relevance: None,
            liveness: FxHashMap::default(),
            live_sets: FxHashMap::default(),
            mentions_stack: FxHashMap::default(),
            mentions_address: FxHashMap::default(),
            unknown_cells: FxHashMap::default(),
            cell_functions: 0,
            entry_globals: None,
            written_globals: FxHashSet::default(),
            replayed: 0,
            again: 0,
            fingerprinted: 0,
            evaluation: LeafEvaluation::default(),
            counted_loops: FxHashMap::default(),
            counters: FxHashMap::default(),
            switches: FxHashMap::default(),
            journal: Journal::default(),
            is_journaled: false,
            watched: FxHashSet::default(),
            entry_places: FxHashMap::default(),
            from_entries: 0,
            work_before: 0,
            script: None,
            answers: None,
        })
    }

    pub fn program(&self) -> &Program {
        self.image.program()
    }

    /// What ends whatever takes long, the solver's queries too: a flag; and those at the latest at
    /// a deadline.
    pub fn stop_with(&mut self, flag: StopFlag, deadline: Option<Instant>) {
        self.solver.stop_with(flag.clone(), deadline);
        self.stop = flag;
    }

    /// Has something been left off in the middle because the flag said so? Then what came out of it
    /// means nothing.
    pub fn was_cut_short(&self) -> bool {
        self.is_cut_short
    }

    /// After something that takes long: the path goes on, unless it was left off.
    pub(crate) fn unless_cut_short(&self) -> Flow {
        if self.is_cut_short { Flow::End(End::Silent) } else { Flow::Next }
    }

    /// For whatever takes long: is it to be left off now?
    pub fn is_stopped(&mut self) -> bool {
        let is_asked = self.stop.is_asked();
        self.is_cut_short |= is_asked;
        is_asked
    }

    /// Where the values of the registers are that the program had when it was given: the executor
    /// lets them share places.
    pub fn registers(&self) -> &RegisterMap {
        self.image.registers()
    }

    /// The control-flow graphs of the program.
    pub fn graphs(&self) -> &Rc<Graphs> {
        self.image.graphs()
    }

    /// The registers that are still read from instruction `pc` of a function on.
    pub fn live_registers(&mut self, func: FuncId, pc: u32) -> Rc<RegSet> {
        if let Some(live) = self.live_sets.get(&(func, pc)) {
            return live.clone();
        }
        let image = self.image.clone();
        let function = image.program().function(func);
        let liveness = self.liveness.entry(func).or_insert_with(|| Liveness::of(function));
        let live = match function.block_at(pc) {
            Some(block) => Rc::new(liveness.before(function, pc as usize, block)),
            None => Rc::new(RegSet::empty(function.regs.len())),
        };
        self.live_sets.insert((func, pc), live.clone());
        live
    }

    /// Drops all terms, and whatever is made of them, and begins with an empty pool. No state, and
    /// nothing else that has terms, may be used from here on; what was counted and covered stays.
    pub fn drop_terms(&mut self) -> Result<(), LoadError> {
        self.solver.forget_terms();
        let mut terms = Terms::new();
        terms.count_on(&self.terms);
        let mut has_unknowns = false;
        let image = Rc::new(Image::load(self.given.clone(), &mut terms, &mut has_unknowns)?);
        let covered = self.coverage.covered();
        (self.terms, self.has_unknowns) = (terms, has_unknowns);
        self.coverage = Coverage::new(image.clone());
        self.coverage.restore(&covered);
        self.image = image;
        self.arrays_with_addresses = FxHashMap::default();
        self.has_fixed_leaves = false;
        self.leaves = Leaves::default();
        self.nans = FxHashMap::default();
        self.lazy = FxHashMap::default();
        self.entry_places = FxHashMap::default();
        self.spare_frames = SpareFrames::default();
        self.windows = None;
        self.mentions_stack = FxHashMap::default();
        self.mentions_address = FxHashMap::default();
        self.unknown_cells = FxHashMap::default();
        self.evaluation = LeafEvaluation::default();
        self.counters = FxHashMap::default();
        self.switches = FxHashMap::default();
        (self.journal, self.script) = (Journal::default(), None);
        // The functions are other ones now.
        self.watched = FxHashSet::default();
        Ok(())
    }

    /// The state before the first instruction: constructors, then `entry`, with `argc`, `argv` and
    /// `envp` if it is `main`, else with inputs.
    pub fn initial_state(&mut self, entry: FuncId) -> Result<State, LoadError> {
        Interpreter::new(self, Explore).initial_state(entry)
    }

    /// Runs `state` for about `budget` instructions (to the end of the basic block that exceeds
    /// it), or until it forks or ends.
    pub fn run(&mut self, state: &mut State, budget: u64) -> Step {
        Interpreter::new(self, Explore).run(state, budget)
    }

    /// As `run`, for a part of a path that was run before: nothing of it counts or is printed.
    pub fn rerun(&mut self, state: &mut State, budget: u64) -> Step {
        let (stats, show_output) = (self.stats.clone(), std::mem::take(&mut self.options.show_output));
        let step = Interpreter::new(self, Again).run(state, budget);
        self.again += self.stats.instructions - stats.instructions;
        (self.stats, self.options.show_output) = (stats, show_output);
        self.messages.clear();
        step
    }

    /// Instructions that were executed by [`Executor::rerun`].
    pub fn executed_again(&self) -> u64 {
        self.again
    }

    /// Takes a state that is over apart: what it had can be used again.
    pub fn recycle(&mut self, state: State) {
        state.top.recycle(&mut self.spare_frames);
    }

    /// What the program has printed since the last call.
    pub fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.output)
    }

    /// What the program asked to be told to the user (`klee_warning`, `klee_print_expr` …) since
    /// the last call, with how much of the output came before it.
    pub fn take_messages(&mut self) -> Vec<(usize, Message)> {
        std::mem::take(&mut self.messages)
    }
}
