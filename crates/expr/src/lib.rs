//! Hash-consed bit-vector and float terms.
//!
//! A [`Terms`] pool owns every term of one worker. Terms are built only through its constructors
//! (`build.rs`, `array.rs`), which rewrite as they build, so that equal terms are the same [`Term`]
//! and a term that folds to a constant *is* a constant. Booleans are bit-vectors of width 1. Floats
//! are the bit-vectors of their IEEE-754 encodings; only the operators know that they are floats.
//! Semantics of every operator are those of [`Terms::eval`], which follows SMT-LIB (division by
//! zero included); what C or LLVM leave undefined is decided before a term is built.
//!
//! Where to look: `term` is the pool, `build` the constructors and their normal form, `facts` what
//! is known of a term's value, `semantics` and `float` what operators mean on constants, `eval`
//! models and evaluation, `vars` traversal and variables, `smtlib`, `kquery` and `display` the ways
//! to print, `structural_hash` and `codec` what terms are to other processes.

#![forbid(unsafe_code)]

mod array;
mod build;
mod bv;
pub mod codec;
mod comparison;
mod difference;
mod display;
mod eval;
mod facts;
mod float;
mod incremental;
mod kquery;
mod model;
mod partial;
mod path_condition;
mod semantics;
mod smtlib;
mod solve;
mod span;
mod structural_hash;
mod substitute;
mod symbol;
mod term;
mod vars;

pub use array::{ARRAY_PAGE, ArrayBase, ArrayByte, ArrayId, ArrayNode, ArrayPage};
pub use bv::Bv;
pub use comparison::{Comparison, Relation};
pub use difference::Related;
pub use eval::Evaluator;
pub use float::{FloatFormat, Rounding};
pub use incremental::IncrementalEvaluator;
pub use kquery::kquery;
pub use model::Model;
pub use path_condition::{PathCondition, Prefix};
pub use smtlib::{SmtLib, SmtPrinter, smtlib_literal, smtlib_sort};
pub use solve::Solution;
pub use span::Span;
pub use structural_hash::StructuralHash;
pub use symbol::{Symbol, SymbolInfo, SymbolKind, SymbolShape};
pub use term::{Node, Op, Term, Terms};
