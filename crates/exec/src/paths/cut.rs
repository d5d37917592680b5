//! Paths that were cut short: where, and why. How this is said to people is in `report::cut_text`.

use crate::paths::end::StackEntry;
use espalier_ir::Loc;
use espalier_solver::Reason;
use serde::{Deserialize, Serialize};

/// Where and why a path was cut short.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cut {
    pub reason: CutReason,
    pub loc: Loc,
    pub stack: Vec<StackEntry>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum CutReason {
    /// It forks more often than this.
    MaxDepth(u32),
    /// The run forked so often.
    MaxForks(u64),
    /// The program's inputs are written for paths that are open when the run is over.
    Halted,
    /// The program switched forking off.
    ForkingOff,
    /// A loop is iterated more often; by a limit for all loops, or for this one.
    Unwind {
        limit: u32,
        is_for_one: bool,
    },
    /// Calls nest deeper.
    StackDepth(u32),
    /// A pointer may point to more objects.
    Resolutions(u64),
    /// A value that a number is needed for has more.
    Values {
        what: Needed,
        limit: u64,
    },
    /// An access at a symbolic offset reaches more bytes.
    SymbolicReach(u64),
    /// An allocation of symbolic size may have more bytes.
    SymbolicAllocation {
        function: String,
        limit: u64,
    },
    /// A block of so many bytes that are not all in known places.
    Block {
        operation: BlockOperation,
        bytes: u64,
        limit: u64,
    },
    /// An input of so many bytes.
    InputSize {
        name: String,
        bytes: u64,
    },
    /// What a caller would pass is behind more pointers.
    LazyDepth {
        pointer: String,
        limit: u32,
    },
    /// An object of so many bytes for a pointer that a caller would pass.
    LazySize {
        pointer: String,
        bytes: u64,
    },
    /// A pointer that a caller would pass was compared with addresses.
    LazyCompared,
    AddressSpace,
    /// Every process that explored it died.
    Crash,
    Unsupported(Unsupported),
    Solver(Reason),
}

/// What a number is needed for.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Needed {
    FunctionPointer,
    GotoTarget,
    /// What `longjmp` finds in its buffer.
    JumpBuffer,
    /// The size of an array on the stack.
    ArraySize,
    /// The length of a block that is copied or filled.
    Length(BlockOperation),
    /// The argument of a call, counted from 1.
    Argument {
        number: usize,
        function: String,
    },
}

/// What operation a block of memory was too large for.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum BlockOperation {
    Copy,
    Fill,
}

/// What is not done with floating-point numbers.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum UnsupportedFloat {
    /// Arithmetic on symbolic numbers that are neither float nor double.
    SymbolicKind,
    /// An instruction for a mathematical function of a symbolic number.
    SymbolicFunction,
    /// A library's function of a symbolic number, or of a long double.
    LibraryFunction,
    /// A function that this machine's library does not have.
    NotOnHost,
    ClassifiedLongDouble,
}

/// What the executor cannot do.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Unsupported {
    /// Something that has no instruction, in the front end's words.
    Construct(String),
    /// An instruction that the front end says nothing of.
    Instruction,
    /// A call of a function that nothing defines.
    UndefinedFunction {
        name: String,
        problem: ExternalProblem,
    },
    /// A call of a function that is defined otherwise than the call has it.
    Misfit {
        function: String,
        problem: Misfit,
    },
    TooFewArguments {
        function: String,
    },
    /// Arguments of other types than the library's function has.
    ArgumentTypes {
        function: String,
    },
    /// An unknown value of a type that is not one number.
    NotOneNumber {
        function: String,
    },
    /// A floating-point operation, in a function if that is known.
    Float {
        function: Option<String>,
        what: UnsupportedFloat,
    },
    SymbolicLongDouble,
    /// A value of so many bits that depends on the input, where a number is needed.
    WideValue {
        what: Needed,
        bits: u32,
    },
    /// A value that the program left undefined, where a number is needed.
    UndefinedValue {
        what: Needed,
    },
    AggregateThroughSymbolicPointer,
    /// A variable begins or ends to live whose place is not known.
    LifeOfUnknown {
        begins: bool,
    },
    SymbolicStackRestore,
    ReturnToNoCall,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ExternalProblem {
    /// External calls are off.
    NotAllowed,
    /// It is none of the functions that are called on the host.
    NotOnHost,
    /// It has an argument that depends on the input.
    DependsOnInput,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Misfit {
    /// A floating-point number for an integer, or the other way round.
    FloatForInteger,
    /// The result is taken for another kind of number.
    OtherResult,
    /// It has variadic arguments and is called through a pointer that does not say so.
    Variadic,
    /// An argument of another size.
    OtherSize,
}
