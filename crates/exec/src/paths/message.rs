//! What a program under test has to tell the user, by functions of KLEE's. How this is said to
//! people is in `report` (`fault_text.rs`).

use espalier_ir::Loc;
use espalier_solver::Reason;
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Message {
    /// A value, under the program's name for it (`klee_print_expr`, `klee_print_range`).
    Value {
        label: String,
        value: ToldValue,
    },
    /// A frame of the call stack, counted from the innermost (`klee_stack_trace`).
    Frame {
        depth: usize,
        function: String,
        loc: Loc,
    },
    /// `klee_warning`, in this function; or `klee_warning_once`.
    Warning {
        text: String,
        loc: Loc,
        function: String,
        is_once: bool,
    },
    /// An input was asked for without a name, and got one.
    Unnamed,
    /// The first object of so many bytes that is large.
    LargeObject {
        bytes: u64,
    },
    /// The first read, or write, at a symbolic offset of a large object, which has so many bytes.
    LargeArrayRead {
        bytes: u64,
    },
    LargeArrayWritten {
        bytes: u64,
    },
    /// A condition was put without reads from arrays, by the values or by the indices that make it
    /// true.
    ArrayReads {
        by_value: bool,
    },
    /// For KLEE a call of this function leaves the program.
    ExternalCall {
        function: String,
        loc: Loc,
    },
    /// `klee_open_merge`, and `klee_close_merge` of the merge with this number.
    OpenMerge {
        merge: u32,
        loc: Loc,
    },
    CloseMerge {
        merge: u32,
        loc: Loc,
    },
    /// `klee_close_merge` where no merge is open.
    NothingToClose {
        loc: Loc,
    },
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ToldValue {
    Number(u64),
    /// One that depends on the input, written out; in KQuery too, if that has words for it.
    Term {
        text: String,
        kquery: Option<String>,
    },
    /// A number that is a possible value, and the least and the greatest.
    Range {
        example: u64,
        low: u64,
        high: u64,
    },
    /// The solver does not know its range.
    Unknown(Reason),
}
