//! The condition under which a path is taken, as a file that other solvers read: `testNNNNNN.smt2`
//! and `testNNNNNN.kquery`.

use espalier_engine::{SmtPrinter, Term, Terms, kquery};
use std::fmt::Write;

/// The question whether the path can be taken, as SMT-LIB 2. Every test's path can be, so the
/// answer is `sat`.
pub(crate) fn smtlib(terms: &Terms, condition: &[Term]) -> String {
    let mut printer = SmtPrinter::new();
    let names: Vec<String> = condition.iter().map(|&constraint| printer.define_bool(terms, constraint)).collect();
    let mut text = format!("(set-logic ALL)\n(set-info :status sat)\n{}", printer.take_output());
    for name in names {
        let _ = writeln!(text, "(assert {name})");
    }
    text + "(check-sat)\n(exit)\n"
}

/// The same in KQuery, or why that language has no words for it.
pub(crate) fn kquery_text(terms: &Terms, condition: &[Term]) -> String {
    kquery(terms, condition).unwrap_or_else(|operator| {
        format!("# KQuery has no floating-point arithmetic ({operator:?}): see the .smt2 file\n")
    })
}
