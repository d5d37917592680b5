//! The interpreter, and the machines that it runs on.
//!
//! What an instruction means is written down once, in [`Interpreter`]. Why it is executed differs:
//! to explore what a program can do, to run a piece of a path again on anything that a state may
//! hold, or to follow decisions that were made elsewhere. That is the [`Machine`]: the interpreter
//! asks it wherever the answer is not in the program. What a machine does not say is explored.
//!
//! | machine | decisions | what states hold | is it a run of the program? |
//! | --- | --- | --- | --- |
//! | [`Explore`] | forks | inputs | yes |
//! | [`Havoc`] | forks | inputs, and unknown values in some places | no: nothing is covered or printed |
//! | `FromEntry` | forks | inputs, and what callers may have prepared | no |
//! | `Segment<Inputs>` | those of given inputs | leaves | no |
//! | `Segment<Decisions>` | a list | leaves | no |
//!
//! The last two are one machine, [`crate::learning::segment::Segment`], with its guides.

use crate::Executor;
use crate::interpreter::value::Value;
use crate::learning::NoInterpolant;
use crate::learning::leaf::{Leaf, Leaves};
use crate::models::shims::Shim;
use crate::paths::cut::Needed;
use crate::paths::state::State;
use espalier_expr::Term;
use espalier_ir::{BlockId, EdgeId, PairQuestion};
use smallvec::SmallVec;
use std::ops::{Deref, DerefMut};

/// Executes instructions on a machine.
pub(crate) struct Interpreter<'e, M: Machine> {
    pub executor: &'e mut Executor,
    pub machine: M,
}

/// What a machine says to a question.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Decided<T> {
    /// Nothing: what is feasible is explored.
    Open,
    As(T),
    /// It cannot go on; the path ends, and nobody looks at how.
    Lost,
}

/// Arguments of a library function.
pub(crate) type Values = SmallVec<[Value; 8]>;

/// Answers what the program does not.
pub(crate) trait Machine: Sized {
    /// Is this a run of the program, so that what it covers, prints and calls is kept?
    const IS_RUN: bool = false;

    /// Is it a path of the program, whether or not it was run before? Then what it asks is kept.
    const IS_PATH: bool = Self::IS_RUN;

    /// Do states fork, and are they states of the program? Else each decision has one outcome, and
    /// what is found out holds for other states too.
    const FORKS: bool = true;

    /// May memory be read without [`Machine::touch`] being told?
    const READS_PLAINLY: bool = Self::FORKS;

    /// Do states begin where any caller may have called a function?
    const STARTS_ANYWHERE: bool = false;

    /// Does a path stop when it calls a function that is watched?
    const STOPS_AT_WATCHED: bool = Self::IS_RUN;

    /// Does a condition hold? `sides` are where the path goes if it does, and if not.
    fn decide(
        _: &mut Interpreter<'_, Self>,
        _: &State,
        _condition: Term,
        _sides: Option<[BlockId; 2]>,
    ) -> Decided<bool> {
        Decided::Open
    }

    /// Which edge does a switch take? Exactly one condition holds.
    fn decide_case(_: &mut Interpreter<'_, Self>, _: &State, _cases: &[(EdgeId, Term)]) -> Decided<EdgeId> {
        Decided::Open
    }

    /// Which number is a term?
    fn choose(_: &mut Interpreter<'_, Self>, _: Term) -> Decided<u64> {
        Decided::Open
    }

    /// The same, where it does not matter whether other states have another one.
    fn look(_: &mut Interpreter<'_, Self>, _: Term) -> Option<u64> {
        None
    }

    /// Can an assumption of the program hold? Where it can, only such inputs are left.
    fn assume(_: &mut Interpreter<'_, Self>, _: &State, _: Term) -> Decided<bool> {
        Decided::Open
    }

    /// The program states an assumption, and that it can hold is an obligation of its own. Can this
    /// be told?
    fn can_oblige(_: &mut Interpreter<'_, Self>, _: &State, _: Term) -> bool {
        true
    }

    /// A number that is about to be used as an address, a length or a target.
    fn used(_: &mut Interpreter<'_, Self>, _: &State, value: Value) -> Value {
        value
    }

    /// The object that a pointer is based on, where its term does not tell: an address in it, and
    /// the pointer as a sum with that.
    fn anchor(_: &mut Interpreter<'_, Self>, _: &State, _pointer: Term) -> Option<(u64, Term)> {
        None
    }

    /// What a term is on the path itself.
    fn original(_: &mut Interpreter<'_, Self>, term: Term) -> Term {
        term
    }

    /// An object is accessed.
    fn touch(_: &mut Interpreter<'_, Self>, _: &State, _base: u64) {}

    /// An access or a free at this address goes wrong because of what is there, or is not.
    fn fault(_: &mut Interpreter<'_, Self>, _: &State, _address: u64) {}

    /// Bytes are about to be read that may not be there yet. Does the machine provide them?
    fn read(_: &mut Interpreter<'_, Self>, _: &mut State, _base: u64, _offset: usize, _len: usize) -> bool {
        false
    }

    /// Copies a block, if there is a better way than byte by byte.
    fn copy(_: &mut Interpreter<'_, Self>, _: &mut State, _to: Value, _from: Value, _count: u64) -> Option<()> {
        None
    }

    /// A heap object is made.
    fn allocate(_: &mut Interpreter<'_, Self>) {}

    /// What a state holds at a leaf, where that is not in the state.
    fn leaf(_: &mut Interpreter<'_, Self>, _: &State, _: Leaf, _width: u32) -> Option<Option<Term>> {
        None
    }

    /// The variables of the leaves at which the state may hold anything but what they stand for.
    fn changed_leaves(&self, leaves: &Leaves, _: &State) -> Vec<Term> {
        leaves.vars().to_vec()
    }

    /// An address as a term.
    fn address(interpreter: &mut Interpreter<'_, Self>, _: &State, address: u64, width: u32) -> Term {
        interpreter.terms.constant(address, width)
    }

    /// Two addresses are compared. Has the machine seen to it that this means the same elsewhere?
    fn compare(_: &mut Interpreter<'_, Self>, _: &State, _a: Value, _b: Value, _asks: PairQuestion) -> bool {
        false
    }

    /// The number of an address is looked at. Has the machine seen to that?
    fn look_at_address(_: &mut Interpreter<'_, Self>, _: &State, _pointer: Value) -> bool {
        false
    }

    /// A function returned to a frame.
    fn returned(_: &mut Interpreter<'_, Self>, _: &mut State) {}

    /// The arguments of a library function, as it is to see them; `None` if it is not to be called.
    fn arguments(_: &mut Interpreter<'_, Self>, _: &State, _: Shim, values: Values) -> Option<Values> {
        Some(values)
    }

    /// Something is about to happen that a run of the program can do and others may not be able to
    /// follow. Is this one?
    fn refuses(_: &mut Interpreter<'_, Self>, _reason: NoInterpolant) -> bool {
        false
    }

    /// Whether an access goes wrong depends on what nobody knows: nobody may say of these targets
    /// that their errors cannot happen.
    fn doubts(_: &mut Interpreter<'_, Self>, _targets: Vec<u32>) {}

    /// All values that a term can have are about to be explored. Is that of any use?
    fn enumerates(_: &mut Interpreter<'_, Self>, _: &Needed) -> bool {
        true
    }

    /// An instruction is about to be executed that is not plain, this one since the run began. Is
    /// it where to stop?
    fn stops_before(_: &mut Interpreter<'_, Self>, _at: u64) -> bool {
        false
    }
}

/// A run of the program.
pub(crate) struct Explore;

impl Machine for Explore {
    const IS_RUN: bool = true;
}

/// Executing a path again, up to where it was left.
#[derive(Default)]
pub(crate) struct Again;

impl Machine for Again {
    const IS_PATH: bool = true;
}

/// Exploring from a state that is none of the program's.
#[derive(Default)]
pub(crate) struct Havoc {
    /// The instruction to stop before, counted from the beginning of the run.
    pub stop_at: Option<u64>,
}

impl Machine for Havoc {
    fn stops_before(interpreter: &mut Interpreter<'_, Self>, at: u64) -> bool {
        interpreter.machine.stop_at == Some(at)
    }
}

impl<'e, M: Machine> Interpreter<'e, M> {
    pub fn new(executor: &'e mut Executor, machine: M) -> Interpreter<'e, M> {
        Interpreter { executor, machine }
    }
}

impl<M: Machine> Deref for Interpreter<'_, M> {
    type Target = Executor;

    fn deref(&self) -> &Executor {
        self.executor
    }
}

impl<M: Machine> DerefMut for Interpreter<'_, M> {
    fn deref_mut(&mut self) -> &mut Executor {
        self.executor
    }
}
