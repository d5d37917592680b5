//! The program under test, as the executor sees it.
//!
//! The form is lower than LLVM's in three ways, so that execution and backward reasoning stay
//! small:
//!
//! - **Only scalars.** A register holds one integer of fixed width (floats and pointers are their
//!   bits). Aggregates and vectors are taken apart by the front end: a value of type `{i32, <2 x
//!   float>}` lives in three registers.
//! - **No phis.** Each control-flow edge carries its copies, already in an order that may be
//!   executed one after another.
//! - **No constant expressions among instructions.** Constants that depend on addresses are
//!   [`Constant`]s, evaluated once when the program is loaded.
//!
//! Registers come out of the front end in SSA form: each is written by one instruction, parameter
//! or edge copy set. The executor then lets them share places (`analysis::compact_registers`).

#![forbid(unsafe_code)]

mod display;
mod ids;
mod inst;
mod parse;
mod program;
mod verify;
mod visit;
mod words;

pub use ids::{AllocaId, BlockId, CallId, ConstId, EdgeId, FileId, FuncId, GlobalId, Operand, Reg, SwitchId};
pub use inst::{BinOp, CastOp, CmpOp, FBinOp, FCastOp, FCmpOp, FUnOp, FloatKind, Inst, PairQuestion, UnOp};
pub use parse::{ParseError, parse, parse_source};
pub use program::{
    AllocaSite, Block, CallSite, Callee, ConstExpr, Constant, Edge, Floats, Function, Global, InitPiece, LeftOut, Loc,
    LoopSite, LoopVariable, Param, Pointee, PointerMember, Program, Switch, Target, VarArg, VarArgValue,
};
pub use verify::{VerifyError, verify, verify_compacted};
