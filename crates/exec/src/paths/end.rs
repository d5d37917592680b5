//! How a path ends. A path's end is data: `Result::Err` is kept for failures of the engine itself.

use crate::paths::cut::Cut;
use crate::paths::fault::Fault;
use espalier_expr::Term;
use espalier_ir::Loc;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a path ended.
#[derive(Clone, Debug)]
pub enum End {
    /// `main` returned or `exit` was called; the status is a term when it depends on the input.
    Exit(ExitStatus),
    /// The program did something wrong.
    Violation(Box<Violation>),
    /// An assumption (`klee_assume`, `__VERIFIER_assume`) rules this path out.
    Infeasible,
    /// `klee_silent_exit`: the program asked that nothing be made of this path.
    Silent,
    /// A budget ran out on this path.
    Limit(Box<Cut>),
    /// The path needs something that is not supported.
    Unsupported(Box<Cut>),
    /// The solver did not decide whether this path is feasible.
    SolverUnknown(Box<Cut>),
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ExitStatus {
    Concrete(i32),
    Symbolic(Term),
}

/// The kinds of error, named as KLEE names its error files where it has the kind.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum ViolationKind {
    Assert,
    Abort,
    Ptr,
    Free,
    ReadOnly,
    DivByZero,
    Overflow,
    Overshift,
    Unreachable,
    ReachError,
    ReportError,
    /// `klee_assume` of something provably false, and other misuse of the tool's own calls.
    User,
    Leak,
    Uninit,
    /// An illegal operation that has no kind of its own.
    Exec,
    /// Not an error: a place that is asked about was reached, the one with this number.
    Target(u32),
    /// What clang's checks for undefined behaviour report, where KLEE has a kind of its own for it.
    InvalidBuiltin,
    ImplicitTruncation,
    ImplicitConversion,
    MissingReturn,
    InvalidLoad,
    NullableAttribute,
    FunctionTypeMismatch,
}

impl ViolationKind {
    /// The middle of an error file's name: `test000001.<this>.err`.
    pub fn name(self) -> &'static str {
        match self {
            ViolationKind::Assert => "assert",
            ViolationKind::Abort => "abort",
            ViolationKind::Ptr => "ptr",
            ViolationKind::Free => "free",
            ViolationKind::ReadOnly => "read_only",
            ViolationKind::DivByZero => "div",
            ViolationKind::Overflow => "overflow",
            ViolationKind::Overshift => "overshift",
            ViolationKind::Unreachable => "unreachable_call",
            ViolationKind::ReachError => "reach_error",
            ViolationKind::ReportError => "report_error",
            ViolationKind::User => "user",
            ViolationKind::Leak => "leak",
            ViolationKind::Uninit => "uninit",
            ViolationKind::Exec => "exec",
            ViolationKind::Target(_) => "target",
            ViolationKind::InvalidBuiltin => "invalid_builtin_use",
            ViolationKind::ImplicitTruncation => "implicit_truncation",
            ViolationKind::ImplicitConversion => "implicit_conversion",
            ViolationKind::MissingReturn => "missing_return",
            ViolationKind::InvalidLoad => "invalid_load",
            ViolationKind::NullableAttribute => "nullable_attribute",
            ViolationKind::FunctionTypeMismatch => "function_type_mismatch",
        }
    }
}

impl fmt::Display for ViolationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An error of the program under test.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Violation {
    pub fault: Fault,
    /// Where, in the user's own code if the instruction is inside Espalier's runtime.
    pub loc: Loc,
    /// Innermost frame first.
    pub stack: Vec<StackEntry>,
}

impl Violation {
    pub fn kind(&self) -> ViolationKind {
        self.fault.kind()
    }
}

/// One frame of a call stack.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StackEntry {
    pub function: String,
    pub loc: Loc,
    /// Parameters with their values at the time of the report: a number, or `symbolic`.
    pub args: Vec<(String, String)>,
    pub is_runtime: bool,
}
