//! One path in progress.
//!
//! A state is cheap to copy: memory and callers are shared until written, only the running frame's
//! registers are copied.

use crate::entry::OutsideMemory;
use crate::interpreter::frames::{Frame, Purpose, Running, SpareFrames};
use crate::interpreter::value::Value;
use crate::learning::arrays::ArrayKnowledge;
use crate::memory::Memory;
use crate::memory::object::Byte;
use crate::models::printed::Record;
use crate::paths::approximation::{Approximation, Cause, Direction};
use crate::paths::choice::Choices;
use crate::paths::end::End;
use crate::paths::given::GivenInputs;
use crate::paths::journal::Journal;
use espalier_base::persist::{List, Radix};
use espalier_expr::{Model, PathCondition, Symbol, Term, Terms};
use espalier_ir::{FuncId, Loc};
use std::rc::Rc;

/// An input object made on this path.
#[derive(Copy, Clone, Debug)]
pub struct Input {
    pub symbol: Symbol,
    /// Where the program asked for it.
    pub loc: Loc,
}

/// A name of inputs; see [`Executor::input_name`].
#[derive(Copy, Clone, Debug)]
pub(crate) struct InputName(pub u32);

/// The inputs of a path, and how many there are of each name. A path may have tens of thousands.
#[derive(Clone, Default)]
pub struct Inputs {
    all: List<Input>,
    counts: Radix<u32>,
}

impl Inputs {
    /// How many there are of this name.
    pub(crate) fn count(&self, name: InputName) -> u32 {
        self.counts.get(u64::from(name.0)).copied().unwrap_or(0)
    }

    pub(crate) fn push(&mut self, name: InputName, input: Input) {
        let count = self.count(name) + 1;
        self.counts.insert(u64::from(name.0), count);
        self.all.push(input);
    }

    /// All of them, oldest first.
    pub fn to_vec(&self) -> Vec<Input> {
        let mut inputs: Vec<Input> = self.all.iter().copied().collect();
        inputs.reverse();
        inputs
    }
}

/// What the engine still has to call after the entry function.
#[derive(Clone, Debug, Default)]
pub struct Phases {
    /// Functions to call, last first.
    pub pending: Vec<FuncId>,
    /// Is the entry function over?
    pub exiting: bool,
    /// The exit status, once known.
    pub status: Option<Value>,
}

/// A merge that the program opened.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct OpenMerge {
    pub number: u32,
    /// Instructions that the path had executed.
    pub opened_at: u64,
}

/// A saved `setjmp` context.
#[derive(Copy, Clone, Debug)]
pub struct JumpPoint {
    /// The frame that called `setjmp`, and where it goes on.
    pub serial: u64,
    pub pc: u32,
}

#[derive(Clone)]
pub struct State {
    /// The loop of plain instructions relies on what is in it, and windows on memory: only the
    /// interpreter changes them.
    pub(crate) top: Running,
    pub(crate) memory: Memory,
    pub(crate) path: PathCondition,
    /// Inputs that the path condition allows one value, under their terms' numbers: as far as
    /// equalities say so.
    pub(crate) determined: Radix<Term>,
    /// A model of the path condition, when one is known.
    pub(crate) model: Option<Rc<Model>>,
    pub(crate) inputs: Inputs,
    /// Used in the place of unknown inputs.
    pub(crate) given: Option<Rc<GivenInputs>>,
    pub(crate) preferences: List<Term>,
    pub(crate) jump_points: Rc<Vec<JumpPoint>>,
    pub(crate) phases: Rc<Phases>,
    /// Pointers from outside whose addresses were decided; see `lazy`.
    pub(crate) decided: List<(Term, u64)>,
    /// Of a path that began at an entry where nothing is known: memory from outside.
    pub(crate) outside: Option<Rc<OutsideMemory>>,
    /// Of a state that stands for many: what is known of arrays.
    pub(crate) arrays: Option<Rc<ArrayKnowledge>>,
    /// The function that the call means which is executed next, where its pointer does not say.
    pub(crate) called: Option<FuncId>,
    /// `klee_alias_function`: calls of the first go to the second.
    pub(crate) aliases: Rc<Vec<(FuncId, FuncId)>>,
    /// Bytes read by the first phase of a copy; see `bulk`.
    pub(crate) scratch: Option<Vec<Byte>>,
    /// Symbols made for uninitialised memory and other unknowns that are not inputs, on this path.
    pub(crate) unknowns: u32,
    /// The last number that a frame was given; see `Frame::serial`.
    pub(crate) last_serial: u64,
    pub(crate) depth: u32,
    /// The depths at which the path last stopped where paths join, and at the head of a loop; see
    /// `stops`.
    pub(crate) joined_at: u32,
    pub(crate) looped_at: u32,
    /// From which of its instructions on it is in a long loop, unless it stops before; and how often
    /// it has stopped for that since it forked.
    pub(crate) long_at: u64,
    pub(crate) long_stops: u8,
    pub(crate) instructions: u64,
    /// What it chose at its last fork, until it is run again.
    pub(crate) choices: Choices,
    /// Entered a block that no path had entered, since it was forked.
    pub(crate) covers_new: bool,
    /// An end that was decided when the path forked, met when the state is run next.
    pub(crate) pending_end: Option<Box<End>>,
    /// The merges that are open, the outermost first; and the one that has just been closed.
    pub(crate) open_merges: Rc<Vec<OpenMerge>>,
    pub(crate) closed: Option<OpenMerge>,
    /// Forking was switched off by `klee_set_forking(0)`.
    pub(crate) no_forking: bool,
    /// Did something depend on the number that an address is?
    pub(crate) looks_at_addresses: bool,
    /// Where the path stands for more or fewer behaviours than the program has (each once).
    pub(crate) approximations: Rc<Vec<Approximation>>,
    /// What it did that can be seen from outside, if tests are written.
    pub(crate) record: Record,
    /// What it asked since its last fork, while it is not run.
    pub(crate) journal: Option<Box<Journal>>,
}

impl State {
    /// Decisions on the path that had more than one feasible outcome.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Instructions executed on this path.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Did the path reach code that no path had reached, since it was forked from another?
    /// The path entered code that none had entered before, when it was executed first.
    pub fn note_covers_new(&mut self) {
        self.covers_new = true;
    }

    pub fn covers_new(&self) -> bool {
        self.covers_new
    }

    /// What tells the state from the other alternatives of a fork, until it is run again; see
    /// [`Choice`](crate::Choice).
    pub fn label(&self) -> &[u8] {
        self.choices.as_bytes()
    }

    /// The merges that are open, the outermost first.
    pub fn open_merges(&self) -> impl Iterator<Item = u32> + '_ {
        self.open_merges.iter().map(|merge| merge.number)
    }

    /// The same, with how many instructions the path had executed when it opened them.
    pub fn opened_merges(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.open_merges.iter().map(|merge| (merge.number, merge.opened_at))
    }

    /// The merge that was closed when the path stopped last, if it stopped for that, and when it was
    /// opened.
    pub fn take_closed(&mut self) -> Option<(u32, u64)> {
        self.closed.take().map(|merge| (merge.number, merge.opened_at))
    }

    /// What it asked since its last fork, if it asked anything and is not run.
    pub fn journal(&self) -> Option<&Journal> {
        self.journal.as_deref()
    }

    pub fn path_condition(&self) -> &PathCondition {
        &self.path
    }

    /// Inputs that reach the state, when some are known.
    pub fn model(&self) -> Option<&Rc<Model>> {
        self.model.as_ref()
    }

    /// Why this path stands for more or fewer behaviours than the program has; empty if it is
    /// exact.
    pub fn approximations(&self) -> &[Approximation] {
        &self.approximations
    }

    /// Did the path end already, when it forked?
    pub fn is_over(&self) -> bool {
        self.pending_end.is_some()
    }

    /// Does what happens next depend on nothing but the frames and memory?
    pub fn is_between_instructions(&self) -> bool {
        self.scratch.is_none()
            && self.jump_points.is_empty()
            && self.aliases.is_empty()
            && !self.no_forking
            && !self.is_over()
    }

    /// What the engine still has to call when the entry function is over, as numbers.
    pub fn phase_key(&self) -> impl Iterator<Item = (u32, u32)> {
        self.phases.pending.iter().map(|function| (function.0, u32::from(self.phases.exiting)))
    }

    /// The running activation.
    pub fn running(&self) -> &Frame {
        &self.top
    }

    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The frames, innermost first.
    pub fn frames(&self) -> impl Iterator<Item = &Frame> {
        self.top.frames()
    }

    pub(crate) fn assume(&mut self, terms: &Terms, condition: Term, model: Option<Rc<Model>>) {
        self.path.push(terms, condition);
        self.model = model;
    }

    /// Pushes a frame for `func`, and gives its registers, which are zeros.
    #[inline(always)]
    pub(crate) fn enter(
        &mut self,
        spare: &mut SpareFrames,
        func: FuncId,
        purpose: Purpose,
        registers: usize,
        call_path: u32,
    ) -> &mut [Value] {
        let depth = self.top.depth + 1;
        self.top.push(spare);
        let frame = &mut *self.top;
        frame.clear_registers(registers);
        frame.loops.clear();
        (frame.func, frame.pc, frame.purpose) = (func, 0, purpose);
        (frame.depth, frame.serial, frame.call_path) = (depth, 0, call_path);
        &mut frame.regs
    }

    /// Goes back to the caller. Was there one?
    #[inline(always)]
    pub(crate) fn leave(&mut self, spare: &mut SpareFrames) -> bool {
        self.top.pop(spare)
    }

    pub(crate) fn note_approximation(&mut self, direction: Direction, cause: Cause) {
        let approximation = Approximation { direction, cause };
        if !self.approximations.contains(&approximation) {
            Rc::make_mut(&mut self.approximations).push(approximation);
        }
    }
}
