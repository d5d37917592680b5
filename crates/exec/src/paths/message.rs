//! What a program under test has to tell the user, by functions of KLEE's. How this is said to
//! people is in `report` (`fault_text.rs`).

use espalier_ir::Loc;
use espalier_solver::Reason;
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Message {
    /// A value, under the program's name for it (`klee_print_expr`, `klee_print_range`).
    Value { label: String, value: ToldValue },
    /// A frame of the call stack, counted from the innermost (`klee_stack_trace`).
    Frame { depth: usize, function: String, loc: Loc },
    /// `klee_warning`.
    Warning { text: String, loc: Loc },
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ToldValue {
    Number(u64),
    /// One that depends on the input, written out.
    Term(String),
    Range {
        low: u64,
        high: u64,
    },
    /// The solver does not know its range.
    Unknown(Reason),
}
