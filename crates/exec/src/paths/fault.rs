//! What the program under test did wrong. How this is said to people is in `report::fault_text`.

use crate::Executor;
use crate::interpreter::access::Mode;
use crate::memory::{Found, Origin};
use crate::paths::end::ViolationKind;
use crate::paths::state::State;
use espalier_base::ubsan::Check;
use espalier_ir::Loc;
use serde::{Deserialize, Serialize};

/// An error, with all that is known of it but its place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Fault {
    /// An assertion failed, with this text if that is known.
    Assertion {
        text: Option<String>,
    },
    Abort(Abort),
    Access {
        mode: Mode,
        bytes: u64,
        problem: AccessProblem,
        /// The address depends on the input.
        is_symbolic: bool,
    },
    /// A call through a pointer to something that is no function.
    FunctionPointer {
        address: u64,
    },
    ReadOnly {
        object: Option<MemoryObject>,
    },
    Free {
        function: String,
        problem: FreeProblem,
    },
    DivisionByZero,
    /// The minimum divided by -1.
    DivisionOverflow,
    /// An overflow of signed integers in this operation, as clang's checks call it.
    SignedOverflow {
        operation: String,
    },
    /// Another of clang's checks for undefined behaviour failed.
    Undefined(Check),
    /// A shift of a value of so many bits, by a known number or by one that depends on the input.
    Overshift {
        by: Option<u64>,
        width: u32,
    },
    UnreachableCode,
    /// The condition of `__builtin_assume` is false.
    FalseAssumption,
    /// A call of a function that stands for an error.
    ErrorFunction {
        name: String,
    },
    /// `klee_report_error`, with its text if that is known, and with what the names of KLEE's files
    /// end in.
    Reported {
        text: Option<String>,
        suffix: Option<String>,
    },
    Misuse(Misuse),
    /// Nothing points to an object of so many bytes, allocated here, when the program ends.
    Leak {
        bytes: u64,
        allocated: Loc,
    },
    Uninitialised(Use),
    /// `longjmp` with a buffer that `setjmp` did not fill.
    JumpBuffer,
    /// `longjmp` to a function that has returned.
    JumpToReturned,
    /// `va_start` in a function that was called without variadic arguments.
    NoVariadicArguments,
    /// A computed `goto` to an address that is no label of the function.
    NoLabel {
        address: u64,
    },
    /// Not an error: a place that is asked about was reached, the one with this number.
    Target(u32),
}

/// By what the program aborts.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Abort {
    Call,
    /// `klee_abort`.
    KleeCall,
    /// An instruction.
    Trap,
}

/// An object in memory.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MemoryObject {
    pub origin: Origin,
    pub size: u64,
}

/// Why an access is not valid.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum AccessProblem {
    OutOfBounds {
        object: MemoryObject,
        place: Outside,
    },
    /// The object was freed here.
    AfterFree {
        object: MemoryObject,
        freed: Loc,
    },
    /// The block that the object belongs to ended here.
    AfterScope {
        object: MemoryObject,
        ended: Loc,
    },
    /// The function that the object belongs to has returned.
    AfterReturn {
        object: MemoryObject,
    },
    /// The object is gone, and nobody remembers which it was.
    Forgotten,
    Null {
        address: u64,
    },
    Nowhere {
        address: u64,
    },
}

/// Where an access begins, by its distance in bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Outside {
    /// Before the object's start.
    Before(u64),
    /// Past its end.
    Past(u64),
    /// Inside, so many bytes before its end.
    AcrossEnd(u64),
}

/// Why a pointer must not be freed.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FreeProblem {
    /// The object is not on the heap, or was not when it was alive.
    NotOnHeap {
        object: MemoryObject,
        is_alive: bool,
    },
    /// It points so many bytes away from the object's start.
    NotItsStart {
        object: MemoryObject,
        distance: u64,
    },
    /// The object was freed here already.
    Twice {
        object: MemoryObject,
        freed: Loc,
    },
    /// The object is gone, and nobody remembers which it was.
    Forgotten,
    Nowhere {
        address: u64,
    },
}

/// A call of one of the tool's own functions that makes no sense, or a test that does not fit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Misuse {
    /// The condition of `klee_assume` can never hold.
    Assumption,
    /// `klee_make_symbolic` with another number of arguments than three.
    ArgumentCount,
    /// A name that is no string, or one that depends on the input.
    InvalidString,
    SymbolicString,
    /// `klee_make_symbolic` of an object, but of more or fewer bytes than it has.
    WrongSize,
    /// `klee_make_symbolic` of an object that cannot be written.
    ReadOnlyObject,
    /// `klee_range` without a number in it.
    EmptyRange {
        low: i64,
        high: i64,
    },
    /// The object of `klee_define_fixed_object` overlaps another.
    FixedObject {
        address: u64,
        bytes: u64,
    },
    /// `klee_alias_function` of a function that is not there.
    UnknownAlias,
    /// The test that is replayed has so many bytes for an input, and not those that are asked for.
    InputSize {
        name: String,
        given: usize,
        wanted: u32,
    },
    /// The test that is replayed has no such input.
    NoInput {
        name: String,
    },
}

/// What depends on a value that was never written.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Use {
    Pointer,
    Decision,
}

impl Fault {
    pub fn kind(&self) -> ViolationKind {
        match self {
            Fault::Assertion { .. } => ViolationKind::Assert,
            Fault::Abort(_) => ViolationKind::Abort,
            Fault::Access { .. } | Fault::FunctionPointer { .. } => ViolationKind::Ptr,
            Fault::ReadOnly { .. } => ViolationKind::ReadOnly,
            Fault::Free { .. } => ViolationKind::Free,
            Fault::DivisionByZero => ViolationKind::DivByZero,
            Fault::DivisionOverflow | Fault::SignedOverflow { .. } => ViolationKind::Overflow,
            Fault::Undefined(check) => kind_of_check(*check),
            Fault::Overshift { .. } => ViolationKind::Overshift,
            Fault::UnreachableCode | Fault::FalseAssumption => ViolationKind::Unreachable,
            Fault::ErrorFunction { .. } => ViolationKind::ReachError,
            Fault::Reported { .. } => ViolationKind::ReportError,
            Fault::Misuse(_) => ViolationKind::User,
            Fault::Leak { .. } => ViolationKind::Leak,
            Fault::Uninitialised(_) => ViolationKind::Uninit,
            Fault::JumpBuffer | Fault::JumpToReturned | Fault::NoVariadicArguments | Fault::NoLabel { .. } => {
                ViolationKind::Exec
            }
            Fault::Target(index) => ViolationKind::Target(*index),
        }
    }
}

/// The kind that KLEE gives a check.
fn kind_of_check(check: Check) -> ViolationKind {
    match check {
        Check::NullPointer
        | Check::MisalignedPointer
        | Check::ObjectSize
        | Check::AlignmentAssumption
        | Check::NullWithOffset
        | Check::NullWithNonzeroOffset
        | Check::NullAfterOffset
        | Check::PointerOverflow
        | Check::OutOfBoundsIndex
        | Check::VlaBound => ViolationKind::Ptr,
        Check::UnsignedOverflow | Check::FloatCast => ViolationKind::Overflow,
        Check::FloatDivisionByZero => ViolationKind::DivByZero,
        Check::InvalidBuiltin => ViolationKind::InvalidBuiltin,
        Check::UnsignedTruncation | Check::SignedTruncation => ViolationKind::ImplicitTruncation,
        Check::SignChange | Check::SignedTruncationOrSignChange => ViolationKind::ImplicitConversion,
        Check::UnreachableCall => ViolationKind::Unreachable,
        Check::MissingReturn => ViolationKind::MissingReturn,
        Check::InvalidLoad => ViolationKind::InvalidLoad,
        Check::FunctionType => ViolationKind::FunctionTypeMismatch,
        Check::NullReturn | Check::NullArgument => ViolationKind::NullableAttribute,
    }
}

/// Addresses below this are those of null pointers.
pub(crate) const FIRST_PAGE: u64 = 4096;

impl Executor {
    /// Why an access of so many bytes at `address` is wrong.
    pub(crate) fn access_fault(&self, state: &State, address: u64, bytes: u64, mode: Mode) -> Fault {
        let problem = match state.memory.find(address) {
            Found::Object(object) => {
                let place = if address < object.base {
                    Outside::Before(object.base - address)
                } else if address - object.base >= object.size {
                    Outside::Past(address - object.base - object.size)
                } else {
                    Outside::AcrossEnd(object.size - (address - object.base))
                };
                let object = MemoryObject { origin: object.origin, size: object.size };
                AccessProblem::OutOfBounds { object, place }
            }
            Found::Dead(Some(tomb)) => {
                let object = MemoryObject { origin: tomb.origin, size: tomb.size };
                if matches!(tomb.origin, Origin::Heap(_)) {
                    AccessProblem::AfterFree { object, freed: tomb.freed }
                } else if tomb.freed.is_known() {
                    AccessProblem::AfterScope { object, ended: tomb.freed }
                } else {
                    AccessProblem::AfterReturn { object }
                }
            }
            Found::Dead(None) => AccessProblem::Forgotten,
            Found::Nothing if address < FIRST_PAGE => AccessProblem::Null { address },
            Found::Nothing => AccessProblem::Nowhere { address },
        };
        Fault::Access { mode, bytes, problem, is_symbolic: false }
    }

    /// Why `address` must not be given to a function that frees it, if so.
    pub(crate) fn free_problem(&self, state: &State, address: u64) -> Option<FreeProblem> {
        Some(match state.memory.find(address) {
            Found::Object(object) if object.is_heap() && object.base == address => return None,
            Found::Object(object) => {
                let (is_heap, distance) = (object.is_heap(), address.abs_diff(object.base));
                let object = MemoryObject { origin: object.origin, size: object.size };
                match is_heap {
                    true => FreeProblem::NotItsStart { object, distance },
                    false => FreeProblem::NotOnHeap { object, is_alive: true },
                }
            }
            Found::Dead(Some(tomb)) => {
                let object = MemoryObject { origin: tomb.origin, size: tomb.size };
                match tomb.origin.is_heap() {
                    true => FreeProblem::Twice { object, freed: tomb.freed },
                    false => FreeProblem::NotOnHeap { object, is_alive: false },
                }
            }
            Found::Dead(None) => FreeProblem::Forgotten,
            Found::Nothing => FreeProblem::Nowhere { address },
        })
    }
}
