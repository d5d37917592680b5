//! The chain of stages: the same answers with any of them, models of everything, cores that are
//! ones.

use crate::common::{Generator, Random, bytes, free, holds, scalar};
use espalier_base::StopFlag;
use espalier_expr::{Evaluator, Model, PathCondition, Term, Terms};
use espalier_solver::{Answer, Backend, Branch, Config, Feasible, Limits, Reason, SatBackend, Solver, Stages};
use std::rc::Rc;
use std::time::{Duration, Instant};

fn config(stages: Stages) -> Config {
    Config { stages, use_smt: false, ..Config::default() }
}

/// The chain as it is, and without each of its stages.
fn chains() -> Vec<(&'static str, Solver)> {
    let all = Stages::default();
    let variants = [
        ("all", all),
        ("no hint", Stages { hint: false, ..all }),
        ("no bounds", Stages { bounds: false, ..all }),
        ("no independence", Stages { independence: false, ..all }),
        ("no cache", Stages { cache: false, ..all }),
        ("no models", Stages { models: false, ..all }),
        ("no repair", Stages { repair: false, ..all }),
        ("no boxes", Stages { boxes: false, ..all }),
        ("no cases", Stages { cases: false, ..all }),
        (
            "backend only",
            Stages {
                hint: false,
                bounds: false,
                independence: false,
                cache: false,
                models: false,
                repair: false,
                boxes: false,
                cases: false,
                sat: true,
            },
        ),
    ];
    variants.map(|(name, stages)| (name, Solver::new(config(stages)))).into_iter().collect()
}

fn is_sat(terms: &mut Terms, constraints: &[Term]) -> bool {
    match SatBackend::new(7).check(terms, constraints, &Limits::default()) {
        Answer::Sat(_) => true,
        Answer::Unsat(_) => false,
        Answer::Unknown(reason) => panic!("{reason:?}"),
    }
}

/// Checks an answer, and gives whether it was satisfiable.
fn verify(terms: &mut Terms, answer: &Answer, all: &[Term], what: &str) -> bool {
    match answer {
        Answer::Sat(model) => {
            assert!(holds(terms, model, all), "{what}: the model does not satisfy everything");
            true
        }
        Answer::Unsat(core) => {
            assert!(core.iter().all(|c| all.contains(c)), "{what}: {core:?} is not a subset of {all:?}");
            assert!(!is_sat(terms, core), "{what}: the core has a solution");
            false
        }
        Answer::Unknown(reason) => panic!("{what}: {reason:?}"),
    }
}

/// A walk through a tree of path conditions: grow, go back, ask.
#[test]
fn stages_agree_on_paths() {
    let mut answers = [0, 0];
    for seed in 0..8 {
        let mut terms = Terms::new();
        let vars = bytes(&mut terms, "x", 5);
        let mut generator = Generator { random: Random(seed), vars, cheap: true };
        let mut solvers = chains();
        let mut path: Vec<(Term, Rc<Model>)> = Vec::new();
        // Conditions recur on different paths.
        let mut pool: Vec<Term> = Vec::new();
        for round in 0..50 {
            let back = if generator.random.chance(6) { path.len() / 2 } else { 0 };
            path.truncate(path.len() - back);
            let pc: Vec<Term> = path.iter().map(|p| p.0).collect();
            let hint = path.last().map_or_else(|| Rc::new(Model::new()), |p| p.1.clone());
            let condition = match generator.random.below(4) {
                0 if !pool.is_empty() => generator.random.pick(&pool),
                1 => simple(&mut terms, &mut generator),
                _ => generator.term(&mut terms, 1, 3),
            };
            pool.push(condition);
            let mut all = pc.clone();
            all.push(condition);
            let expected = is_sat(&mut terms, &all);
            let mut model = None;
            for (name, solver) in &mut solvers {
                let what = format!("seed {seed}, round {round}, {name}");
                let hint = if generator.random.chance(5) { None } else { Some(&hint) };
                let path = PathCondition::of(&terms, &pc);
                let answer = solver.check(&mut terms, &path, condition, hint);
                assert_eq!(verify(&mut terms, &answer, &all, &what), expected, "{what}");
                model = answer.model().cloned().or(model);
            }
            answers[expected as usize] += 1;
            match model {
                Some(model) => path.push((condition, model)),
                None => path.push((terms.not(condition), hint)),
            }
        }
    }
    assert!(answers[0] > 50 && answers[1] > 50, "one-sided: {answers:?}");
}

/// A comparison of a byte, or of a few, with a constant.
fn simple(terms: &mut Terms, generator: &mut Generator) -> Term {
    let mut left = generator.random.pick(&generator.vars);
    if generator.random.chance(3) {
        let high = generator.random.pick(&generator.vars);
        left = terms.concat(high, left);
    }
    let width = terms.width(left);
    let value = generator.random.next() % 20;
    let right = terms.constant(value, width);
    let condition = match generator.random.below(5) {
        0 => terms.eq(left, right),
        1 => terms.ult(left, right),
        2 => terms.ule(right, left),
        3 => terms.slt(left, right),
        _ => terms.sle(right, left),
    };
    if generator.random.chance(3) { terms.not(condition) } else { condition }
}

#[test]
fn branches_and_sets() {
    for seed in 20..26 {
        let mut terms = Terms::new();
        let vars = bytes(&mut terms, "x", 4);
        let mut generator = Generator { random: Random(seed), vars, cheap: true };
        let mut solver = Solver::new(config(Stages::default()));
        let mut pc: Vec<Term> = Vec::new();
        let mut model = None;
        for round in 0..30 {
            let what = format!("seed {seed}, round {round}");
            let condition = if generator.random.chance(2) {
                simple(&mut terms, &mut generator)
            } else {
                generator.term(&mut terms, 1, 3)
            };
            let negated = terms.not(condition);
            let path = PathCondition::of(&terms, &pc);
            let branch = solver.branch(&mut terms, &path, condition, model.as_ref());
            for (side, constraint) in [(true, condition), (false, negated)] {
                let mut all = pc.clone();
                all.push(constraint);
                let answer = match branch.feasible(side) {
                    Feasible::Yes(model) => Answer::Sat(model),
                    Feasible::No(core) => Answer::Unsat(core),
                    Feasible::Unknown(reason) => Answer::Unknown(reason),
                };
                let feasible = verify(&mut terms, &answer, &all, &what);
                assert_eq!(feasible, is_sat(&mut terms, &all), "{what}, {side}");
            }
            let (constraint, next) = match branch {
                Branch::Both { if_true, if_false } if generator.random.chance(2) => {
                    drop(if_true);
                    (negated, if_false)
                }
                Branch::Both { if_true, .. } | Branch::True { model: if_true, .. } => (condition, if_true),
                Branch::False { model, .. } => (negated, model),
                Branch::Unknown { reason, .. } => panic!("{reason:?}"),
            };
            pc.push(constraint);
            model = if generator.random.chance(4) { None } else { Some(next) };
            let path = PathCondition::of(&terms, &pc);
            let answer = solver.model(&mut terms, &path);
            assert!(verify(&mut terms, &answer, &pc, &what));
            // Any set, without knowing anything of it.
            let mut set = pc.clone();
            set.push(simple(&mut terms, &mut generator));
            set.push(generator.term(&mut terms, 1, 2));
            let answer = solver.check_all(&mut terms, &set);
            assert_eq!(verify(&mut terms, &answer, &set, &what), is_sat(&mut terms, &set), "{what}");
        }
    }
}

#[test]
fn ranges_are_exact() {
    for seed in 40..52 {
        let mut terms = Terms::new();
        let vars = bytes(&mut terms, "x", 2);
        let mut generator = Generator { random: Random(seed), vars: vars.clone(), cheap: true };
        let pc = vec![simple(&mut terms, &mut generator), simple(&mut terms, &mut generator)];
        let t = generator.term(&mut terms, 8, 3);
        let mut solver = Solver::new(config(Stages::default()));
        let mut expected: Option<(u64, u64)> = None;
        let mut evaluator = Evaluator::new(Model::new());
        for bits in 0..1u64 << 16 {
            let mut model = Model::new();
            model.set(vars[0], bits & 0xff);
            model.set(vars[1], bits >> 8);
            evaluator.set_model(model);
            if pc.iter().all(|&c| evaluator.eval_bool(&terms, c)) {
                let value = evaluator.eval_u64(&terms, t);
                let (lo, hi) = expected.unwrap_or((value, value));
                expected = Some((lo.min(value), hi.max(value)));
            }
        }
        match expected {
            Some(range) => {
                let path = PathCondition::of(&terms, &pc);
                assert_eq!(solver.range(&mut terms, &path, t, None), Ok(range), "seed {seed}")
            }
            None => assert!(solver.check_all(&mut terms, &pc).is_unsat()),
        }
    }
}

#[test]
fn same_questions_same_models() {
    let run = || {
        let mut terms = Terms::new();
        let vars = bytes(&mut terms, "x", 6);
        let mut generator = Generator { random: Random(99), vars, cheap: true };
        let mut solver = Solver::new(config(Stages::default()));
        let mut log = String::new();
        let mut pc = Vec::new();
        let mut hint = Rc::new(Model::new());
        for _ in 0..60 {
            let condition = generator.term(&mut terms, 1, 3);
            let path = PathCondition::of(&terms, &pc);
            match solver.check(&mut terms, &path, condition, Some(&hint)) {
                Answer::Sat(model) => {
                    log.push_str(&format!("{model:?}\n"));
                    pc.push(condition);
                    hint = model;
                }
                other => log.push_str(&format!("{other:?}\n")),
            }
        }
        log
    };
    assert_eq!(run(), run());
}

#[test]
fn cheap_stages_answer_cheap_questions() {
    let mut terms = Terms::new();
    let x = scalar(&mut terms, "x", 4);
    let (five, six, ten) = (terms.constant(5, 32), terms.constant(6, 32), terms.constant(10, 32));
    let (is_five, is_six, below_ten) = (terms.eq(x, five), terms.eq(x, six), terms.ult(x, ten));
    let mut solver = Solver::new(config(Stages::default()));
    let mut hint = Model::new();
    hint.set(x, 5);
    let hint = Rc::new(hint);

    // The hint itself is given back, not a copy of it.
    let answer = solver.check(&mut terms, &PathCondition::new(), below_ten, Some(&hint));
    assert!(answer.model().is_some_and(|model| Rc::ptr_eq(model, &hint)));
    assert_eq!(solver.stats().hint.answers, 1);

    let path = PathCondition::of(&terms, &[is_five]);
    let answer = solver.check(&mut terms, &path, is_six, Some(&hint));
    let Answer::Unsat(core) = answer else { panic!("{answer:?}") };
    assert_eq!(core, [is_five, is_six]);
    assert_eq!(solver.stats().bounds.answers, 1);

    let no = terms.fals();
    let path = PathCondition::of(&terms, &[is_five]);
    let answer = solver.check(&mut terms, &path, no, Some(&hint));
    assert!(matches!(answer, Answer::Unsat(core) if core == [no]));
    let not_five = terms.not(is_five);
    let path = PathCondition::of(&terms, &[is_five]);
    assert!(solver.check(&mut terms, &path, not_five, Some(&hint)).is_unsat());

    // A value for one variable is a matter of repair.
    let path = PathCondition::of(&terms, &[below_ten]);
    let answer = solver.check(&mut terms, &path, is_six, Some(&hint));
    assert_eq!(answer.model().and_then(|model| model.get(x)), Some(6));
    assert_eq!(solver.stats().repair.answers, 1);
    assert_eq!(solver.stats().sat.answers, 0);
}

#[test]
fn deadlines_and_interrupts_are_answers() {
    let mut terms = Terms::new();
    let (x, y) = (free(&mut terms, "x", 64), free(&mut terms, "y", 64));
    let product = terms.mul(x, y);
    let number = terms.constant(2_860_486_313 * 3_367_900_313, 64);
    let limit = terms.constant(1 << 32, 64);
    let one = terms.constant(1, 64);
    let question =
        [terms.ult(x, limit), terms.ult(y, limit), terms.ult(one, x), terms.ult(one, y), terms.eq(product, number)];
    let limited = Config {
        max_query_time: Some(Duration::from_millis(50)),
        sat_conflict_budget: u64::MAX,
        ..config(Stages::default())
    };
    let mut solver = Solver::new(limited.clone());
    let start = Instant::now();
    assert!(matches!(solver.check_all(&mut terms, &question), Answer::Unknown(Reason::Timeout)));
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_eq!(solver.stats().timeouts, 1);

    solver.stop_with(StopFlag::new(), Some(Instant::now()));
    assert!(matches!(solver.check_all(&mut terms, &question), Answer::Unknown(Reason::Timeout)));
    let flag = StopFlag::new();
    solver.stop_with(flag.clone(), None);
    flag.ask();
    assert!(matches!(solver.check_all(&mut terms, &question), Answer::Unknown(Reason::Timeout)));

    let budgeted = Config { sat_conflict_budget: 100, max_query_time: None, ..limited };
    let mut solver = Solver::new(budgeted);
    assert!(matches!(solver.check_all(&mut terms, &question), Answer::Unknown(Reason::Budget)));
    // The chain still answers what it can.
    let easy = terms.ult(x, y);
    assert!(solver.check_all(&mut terms, &[easy]).is_sat());
}
