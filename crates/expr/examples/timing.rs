//! Times what the engine does most: building terms that exist already, building new ones, and
//! evaluating constraint sets under a model. `cargo run --release -p espalier-expr --example
//! timing`

use espalier_expr::{Evaluator, Model, SymbolKind, Term, Terms};
use std::hint::black_box;
use std::rc::Rc;
use std::time::Instant;

/// The best of several rounds, in nanoseconds an operation.
fn time(name: &str, operations: usize, mut run: impl FnMut()) {
    let best = (0..20)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_nanos() as f64 / operations as f64
        })
        .fold(f64::INFINITY, f64::min);
    println!("{name:<52} {best:8.1} ns");
}

fn scalar(t: &mut Terms, name: &str, size: u32) -> Term {
    t.scalar_var(SymbolKind::Input, name, size)
}

fn main() {
    let mut t = Terms::new();
    let vars: Vec<Term> = (0..64).map(|i| scalar(&mut t, &format!("v{i}"), 4)).collect();
    let constants: Vec<Term> = (0..64).map(|i| t.constant(3 * i + 1, 32)).collect();
    let pairs: Vec<(Term, Term)> =
        (0..1024).map(|i| (vars[i % 64], vars[(i * 7 + i / 64 + 1) % 64])).filter(|(a, b)| a != b).collect();
    let with_constants: Vec<(Term, Term)> = (0..1024).map(|i| (vars[i % 64], constants[i / 16])).collect();
    macro_rules! binary {
        ($name:literal, $pairs:expr, $op:ident) => {
            time($name, $pairs.len(), || {
                for &(a, b) in &$pairs {
                    black_box(t.$op(a, b));
                }
            })
        };
    }
    binary!("add of two variables, interned", pairs, add);
    binary!("add of a constant, interned", with_constants, add);
    binary!("eq of two variables, interned", pairs, eq);
    binary!("eq with a constant, interned", with_constants, eq);
    binary!("ult of two variables, interned", pairs, ult);
    binary!("ult with a constant, interned", with_constants, ult);
    binary!("slt with a constant, interned", with_constants, slt);
    binary!("sle of two variables, interned", pairs, sle);
    binary!("mul of two variables, interned", pairs, mul);
    binary!("and of two variables, interned", pairs, and);
    binary!("sub of two variables, interned", pairs, sub);
    let sums: Vec<(Term, Term)> = with_constants.iter().map(|&(a, b)| (t.add(a, b), constants[5])).collect();
    binary!("(x + c) + d, interned", sums, add);
    binary!("x + c == d, interned", sums, eq);
    let booleans: Vec<Term> = pairs.iter().map(|&(a, b)| t.ult(a, b)).collect();
    time("not of a comparison, interned", booleans.len(), || {
        for &a in &booleans {
            black_box(t.not(a));
        }
    });
    let bytes: Vec<[Term; 4]> = vars.iter().map(|&v| [0, 8, 16, 24].map(|lo| t.extract(v, lo, 8))).collect();
    time("four bytes of a variable joined", bytes.len(), || {
        for &[a, b, c, d] in &bytes {
            let low = t.concat(b, a);
            let low = t.concat(c, low);
            black_box(t.concat(d, low));
        }
    });

    let mut fresh = Terms::new();
    let (x, y) = (scalar(&mut fresh, "x", 4), scalar(&mut fresh, "y", 4));
    let mut next = 0u64;
    time("a new product, sum with a constant and comparison", 30_000, || {
        let mut term = x;
        for _ in 0..10_000 {
            next += 2;
            let c = fresh.constant(next, 32);
            let product = fresh.mul(term, y);
            term = fresh.xor(product, c);
            black_box(fresh.slt(term, y));
        }
    });
    println!("{:<52} {:8.1} bytes", "memory for a term", fresh.bytes() as f64 / fresh.len() as f64);

    // Ten constraints of ten operators or so each, over eight bytes.
    let input = t.byte_vars(SymbolKind::Input, "buf", 8);
    let mut constraints = Vec::new();
    let mut hash = t.constant(5381, 32);
    for i in 0..10 {
        let wide = t.zext(input[i % 8], 32);
        let c = constants[i + 3];
        let scaled = t.mul(hash, c);
        let sum = t.add(scaled, wide);
        let mixed = t.xor(sum, hash);
        let limit = t.constant(1000 + i as u64, 32);
        let shifted = t.lshr(mixed, limit);
        let inside = t.slt(mixed, limit);
        hash = t.ite(inside, sum, mixed);
        let odd = t.eq(shifted, wide);
        let test = t.ult(hash, c);
        let either = t.or(odd, test);
        constraints.push(either);
    }
    let nodes = t.postorder(&constraints).len();
    let mut model = Model::new();
    for (i, &byte) in input.iter().enumerate() {
        model.set(byte, 31 * i as u64 + 7);
    }
    let model = Rc::new(model);
    println!("constraint set of {nodes} nodes:");
    let mut evaluator = Evaluator::new(model.clone());
    time("  evaluated under a new model, a node", nodes, || {
        evaluator.set_model(model.clone());
        for &c in &constraints {
            black_box(evaluator.eval_bool(&t, c));
        }
    });
    time("  evaluated by a new evaluator, the whole set", 1, || {
        let mut evaluator = Evaluator::new(model.clone());
        for &c in &constraints {
            black_box(evaluator.eval_bool(&t, c));
        }
    });
    time("  evaluated again, a constraint", constraints.len(), || {
        for &c in &constraints {
            black_box(evaluator.eval_bool(&t, c));
        }
    });
    time("  variables, a constraint, cached", constraints.len(), || {
        for &c in &constraints {
            black_box(t.vars_of(c));
        }
    });
}
