//! Compares the two backends on small queries about floats.
//!
//!     floats [without z3]

use espalier_expr::{SymbolKind, Term, Terms};
use espalier_solver::{Answer, Backend, Limits, SatBackend, SmtBackend};
use std::time::{Duration, Instant};

fn main() {
    let with_z3 = std::env::args().nth(1).is_none();
    let mut terms = Terms::new();
    let [a, b] = ["a", "b"].map(|name| terms.scalar_var(SymbolKind::Input, name, 8));
    let number = |terms: &mut Terms, value: f64| terms.constant(value.to_bits(), 64);
    let between = |terms: &mut Terms, x: Term, low: f64, high: f64| {
        let (low, high) = (number(terms, low), number(terms, high));
        [terms.fp_lt(low, x), terms.fp_lt(x, high)]
    };
    let mut queries: Vec<(&str, Vec<Term>)> = Vec::new();
    let t = &mut terms;
    let sum = t.fp_add(a, b);
    let (two, three, six, ten) = (number(t, 2.0), number(t, 3.0), number(t, 6.0), number(t, 10.0));
    let mut query = between(t, a, 1.0, 1e300).to_vec();
    query.extend(between(t, b, 1.5, 1e300));
    query.push(t.fp_lt(sum, three));
    queries.push(("a + b < 3, a > 1, b > 1.5", query.clone()));
    query.pop();
    query.push(t.fp_lt(sum, two));
    queries.push(("a + b < 2, a > 1, b > 1.5", query));
    let product = t.fp_mul(a, b);
    let mut query = between(t, a, 1.0, 3.0).to_vec();
    query.push(t.fp_lt(ten, product));
    queries.push(("a * b > 10, 1 < a < 3", query.clone()));
    query.extend(between(t, b, 1.0, 3.0));
    queries.push(("a * b > 10, 1 < a, b < 3", query));
    let square = t.fp_mul(a, a);
    let polynomial = t.fp_add(square, a);
    let zero = number(t, 0.0);
    queries.push(("a * a + a = 6, a > 0", vec![t.fp_lt(zero, a), t.fp_eq(polynomial, six)]));
    let quotient = t.fp_div(a, b);
    let mut query = between(t, a, 1.0, 3.0).to_vec();
    query.push(t.fp_lt(ten, quotient));
    queries.push(("a / b > 10, 1 < a < 3", query.clone()));
    query.extend(between(t, b, 1.0, 3.0));
    queries.push(("a / b > 10, 1 < a, b < 3", query));
    let integer = t.fp_to_si(a, 32);
    let back = t.si_to_fp(integer, espalier_expr::FloatFormat::F64);
    let half = number(t, 0.5);
    let rest = t.fp_sub(a, back);
    let mut query = between(t, a, 0.0, 1000.0).to_vec();
    query.push(t.fp_eq(rest, half));
    queries.push(("a - (int)a = 0.5, 0 < a < 1000", query));
    for (name, query) in &queries {
        print!("{name:34}");
        ask(&mut SatBackend::new(0), &mut terms, query);
        if with_z3 {
            let command = ["z3", "-in", "-smt2"].map(String::from).to_vec();
            ask(&mut SmtBackend::new(command, 0), &mut terms, query);
        }
        println!();
    }
}

fn ask(backend: &mut dyn Backend, terms: &mut Terms, query: &[Term]) {
    let start = Instant::now();
    let limits = Limits { deadline: Some(start + Duration::from_secs(60)), ..Limits::default() };
    let answer = match backend.check(terms, query, &limits) {
        Answer::Sat(_) => "sat",
        Answer::Unsat(_) => "unsat",
        Answer::Unknown(_) => "unknown",
    };
    print!("  {:8} {answer:7} {:9.1} ms", backend.name(), start.elapsed().as_secs_f64() * 1000.0);
}
