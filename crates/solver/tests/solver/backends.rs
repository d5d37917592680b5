//! The two backends against each other and against brute force.

use crate::common::{Generator, Random, bytes, holds, scalar};
use espalier_expr::{Evaluator, FloatFormat, Model, Term, Terms};
use espalier_solver::{Answer, Backend, Limits, Reason, SatBackend, SmtBackend};
use std::time::{Duration, Instant};

fn z3() -> SmtBackend {
    SmtBackend::new(["z3", "-in", "-smt2"].map(String::from).to_vec(), 0)
}

/// Whether any assignment of two byte variables satisfies all constraints.
fn brute_force(terms: &Terms, vars: &[Term], constraints: &[Term]) -> bool {
    let mut evaluator = Evaluator::new(Model::new());
    (0..1u64 << (8 * vars.len())).any(|bits| {
        let mut model = Model::new();
        for (i, &var) in vars.iter().enumerate() {
            model.set(var, bits >> (8 * i) & 0xff);
        }
        evaluator.set_model(model);
        constraints.iter().all(|&c| evaluator.eval_bool(terms, c))
    })
}

fn check(backend: &mut dyn Backend, terms: &mut Terms, constraints: &[Term]) -> bool {
    match backend.check(terms, constraints, &Limits::default()) {
        Answer::Sat(model) => {
            assert!(holds(terms, &model, constraints), "{}: a model that is none", backend.name());
            true
        }
        Answer::Unsat(core) => {
            assert!(core.iter().all(|c| constraints.contains(c)), "{}: a core from elsewhere", backend.name());
            // Is it one? Another solver has to say so.
            let again = SatBackend::new(1).check(terms, &core, &Limits::default());
            assert!(again.is_unsat(), "{}: a core that is none: {again:?}", backend.name());
            false
        }
        Answer::Unknown(reason) => panic!("{}: {reason:?}", backend.name()),
    }
}

#[test]
fn against_brute_force() {
    let mut counts = [0, 0];
    for seed in 0..60 {
        let mut terms = Terms::new();
        let vars = bytes(&mut terms, "x", 2);
        let mut generator = Generator { random: Random(seed), vars: vars.clone(), cheap: false };
        let mut backend = SatBackend::new(0);
        let number = 1 + generator.random.below(5);
        let constraints: Vec<Term> = (0..number).map(|_| generator.term(&mut terms, 1, 4)).collect();
        let expected = brute_force(&terms, &vars, &constraints);
        assert_eq!(check(&mut backend, &mut terms, &constraints), expected, "seed {seed}");
        counts[expected as usize] += 1;
    }
    assert!(counts[0] > 10 && counts[1] > 10, "one-sided: {counts:?}");
}

#[test]
fn against_z3() {
    let mut smt = z3();
    for seed in 1000..1080 {
        let mut terms = Terms::new();
        let mut vars = bytes(&mut terms, "x", 3);
        vars.push(scalar(&mut terms, "n", 4));
        vars.push(scalar(&mut terms, "wide", 10));
        let mut generator = Generator { random: Random(seed), vars, cheap: true };
        let number = 1 + generator.random.below(8);
        let constraints: Vec<Term> = (0..number).map(|_| generator.term(&mut terms, 1, 5)).collect();
        let ours = check(&mut SatBackend::new(0), &mut terms, &constraints);
        let theirs = check(&mut smt, &mut terms, &constraints);
        assert_eq!(ours, theirs, "seed {seed}");
    }
    assert_eq!(smt.restarts(), 0);
}

/// Small questions about floats.
#[test]
fn floats_against_z3() {
    let mut smt = z3();
    for seed in 0..5 {
        let mut terms = Terms::new();
        let mut random = Random(seed);
        let (x, y) = (scalar(&mut terms, "x", 4), scalar(&mut terms, "y", 4));
        let sum = terms.fp_add(x, y);
        let difference = terms.fp_sub(x, y);
        let integer = terms.fp_to_si(sum, 16);
        let back = terms.si_to_fp(integer, FloatFormat::F32);
        let numbers = [x, y, sum, difference, back];
        let mut constraints = Vec::new();
        for _ in 0..4 {
            let constant = terms.constant((random.below(9) as f32 - 4.0).to_bits() as u64, 32);
            let (a, b) = (random.pick(&numbers), random.pick(&[x, y, sum, constant, constant]));
            constraints.push(match random.below(3) {
                0 => terms.fp_lt(a, b),
                1 => terms.fp_lt(b, a),
                _ => terms.fp_le(a, b),
            });
        }
        let ours = check(&mut SatBackend::new(0), &mut terms, &constraints);
        assert_eq!(ours, check(&mut smt, &mut terms, &constraints), "seed {seed}");
    }
}

/// One solver that is asked about ever new subsets of many constraints answers as a fresh one does.
#[test]
fn incremental_is_like_fresh() {
    for seed in 0..6 {
        let mut terms = Terms::new();
        let vars = bytes(&mut terms, "x", 4);
        let mut generator = Generator { random: Random(seed), vars, cheap: true };
        let pool: Vec<Term> = (0..40).map(|_| generator.term(&mut terms, 1, 4)).collect();
        let mut incremental = SatBackend::new(0);
        for round in 0..60 {
            let mut subset: Vec<Term> = Vec::new();
            for _ in 0..1 + generator.random.below(6) {
                let constraint = generator.random.pick(&pool);
                subset.push(if generator.random.chance(2) { constraint } else { terms.not(constraint) });
            }
            let fresh = check(&mut SatBackend::new(0), &mut terms, &subset);
            assert_eq!(check(&mut incremental, &mut terms, &subset), fresh, "seed {seed}, round {round}");
        }
    }
}

/// `x * y` is the product of two primes of 32 bits, and neither is one: out of reach.
fn factoring(terms: &mut Terms) -> Vec<Term> {
    let (x, y) = (scalar(terms, "p", 8), scalar(terms, "q", 8));
    let product = terms.mul(x, y);
    let number = terms.constant(2_860_486_313 * 3_367_900_313, 64);
    let limit = terms.constant(1 << 32, 64);
    let one = terms.constant(1, 64);
    vec![terms.eq(product, number), terms.ult(x, limit), terms.ult(y, limit), terms.ult(one, x), terms.ult(one, y)]
}

#[test]
fn budgets_end_hard_queries() {
    let mut terms = Terms::new();
    let constraints = factoring(&mut terms);
    let mut backend = SatBackend::new(0);
    let budget = Limits { conflicts: Some(500), ..Limits::default() };
    let answer = backend.check(&mut terms, &constraints, &budget);
    assert!(matches!(answer, Answer::Unknown(Reason::Budget)), "{answer:?}");

    let start = Instant::now();
    let time = Limits { deadline: Some(start + Duration::from_millis(100)), ..Limits::default() };
    let answer = backend.check(&mut terms, &constraints, &time);
    assert!(matches!(answer, Answer::Unknown(Reason::Timeout)), "{answer:?}");
    assert!(start.elapsed() < Duration::from_secs(5));

    let interrupted = Limits::default();
    interrupted.stop.ask();
    let answer = backend.check(&mut terms, &constraints, &interrupted);
    assert!(matches!(answer, Answer::Unknown(Reason::Timeout)), "{answer:?}");

    // And it goes on working.
    assert!(check(&mut backend, &mut terms, &constraints[1..]));
}

#[test]
fn z3_keeps_its_time_limit() {
    let mut terms = Terms::new();
    let constraints = factoring(&mut terms);
    let mut smt = z3();
    let start = Instant::now();
    let limits = Limits { deadline: Some(start + Duration::from_millis(500)), ..Limits::default() };
    let answer = smt.check(&mut terms, &constraints, &limits);
    assert!(matches!(answer, Answer::Unknown(Reason::Timeout)), "{answer:?}");
    assert!(start.elapsed() < Duration::from_secs(5));
    assert!(check(&mut smt, &mut terms, &constraints[1..]));
}

#[test]
fn huge_circuits_are_refused() {
    let mut terms = Terms::new();
    let x = scalar(&mut terms, "x", 512);
    let y = scalar(&mut terms, "y", 512);
    let quotient = terms.udiv(x, y);
    let constraint = terms.ult(quotient, y);
    let mut backend = SatBackend::new(0);
    let answer = backend.check(&mut terms, &[constraint], &Limits::default());
    assert!(matches!(answer, Answer::Unknown(Reason::Budget)), "{answer:?}");
    let small = terms.ult(x, y);
    assert!(check(&mut backend, &mut terms, &[small]));
}

#[test]
fn deep_terms_do_not_overflow_the_stack() {
    let mut terms = Terms::new();
    let x = scalar(&mut terms, "x", 1);
    let y = scalar(&mut terms, "y", 1);
    let mut sum = x;
    for i in 0..100_000 {
        sum = if i % 2 == 0 { terms.add(sum, y) } else { terms.xor(sum, x) };
    }
    let seven = terms.constant(7, 8);
    let constraint = terms.eq(sum, seven);
    let mut backend = SatBackend::new(0);
    let limits = Limits { conflicts: Some(1000), ..Limits::default() };
    // Whatever the answer is.
    backend.check(&mut terms, &[constraint], &limits);
}
