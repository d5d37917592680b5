//! What is printed as SMT-LIB means what evaluation says, if there is a Z3 to ask.

mod common;

use common::{Constants, Pool, Recipe, VARS, float_recipe, recipe, reference, run};
use espalier_expr::{SmtLib, SmtPrinter, Term, smtlib_literal};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Z3's answers to a script, one a line.
fn z3(script: &str) -> Vec<String> {
    let mut child = Command::new("z3")
        .args(["-in", "-smt2", "-t:10000", "-memory:4000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("z3, which `make setup` installs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let text = script.to_string();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("z3 runs");
    writer.join().expect("the writer runs").expect("z3 reads its input");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect()
}

/// Asserts that some of these terms have another value than the one evaluation gives, under the
/// same assignment.
fn disagreement(pool: &Pool, terms: &[Term], values: &[u64; VARS]) -> String {
    let model = pool.model(values);
    let mut printer = SmtLib::new(&pool.terms);
    let mut script = String::new();
    for &var in &pool.vars {
        let name = printer.define(var);
        let value = smtlib_literal(&model.get_bv(var, pool.terms.width(var)));
        script.push_str(&printer.take_output());
        let _ = writeln!(script, "(assert (= {name} {value}))");
    }
    let mut differences = String::new();
    for &term in terms {
        let value = pool.terms.eval(term, &model);
        let name = printer.define(term);
        let _ = write!(differences, " (distinct {name} {})", smtlib_literal(&value));
        if value.width() == 1 {
            let name = printer.define_bool(term);
            let _ = write!(differences, " (distinct {name} {})", !value.is_zero());
        }
    }
    script.push_str(&printer.take_output());
    let _ = writeln!(script, "(assert (or{differences}))");
    script
}

/// Z3 has to find that none of these scripts has a model; it may give up on a few.
fn check_scripts(scripts: &[String]) {
    let all: String = scripts.iter().map(|script| format!("(reset)\n{script}(check-sat)\n")).collect();
    let answers = z3(&all);
    assert_eq!(answers.len(), scripts.len(), "{answers:?}");
    for (answer, script) in answers.iter().zip(scripts) {
        assert!(answer == "unsat" || answer == "unknown", "{answer}: {script}");
    }
    let unknown = answers.iter().filter(|answer| *answer == "unknown").count();
    assert!(unknown <= scripts.len() / 10, "{unknown} of {} unknown", scripts.len());
}

fn check(strategy: impl Strategy<Value = Recipe>, cases: usize) {
    let mut runner = TestRunner::deterministic();
    let mut scripts = Vec::new();
    for _ in 0..cases * common::factor() as usize {
        let mut recipe = strategy.new_tree(&mut runner).expect("a recipe").current();
        recipe.fmod = false;
        let mut pool = Pool::new(reference(&recipe).1);
        let built = run(&mut pool, &recipe);
        scripts.push(disagreement(&pool, &built[VARS..], &recipe.models[0]));
    }
    check_scripts(&scripts);
}

#[test]
fn printed_terms_agree_with_evaluation() {
    check(recipe(20), 300);
}

#[test]
fn printed_floats_agree_with_evaluation() {
    check(float_recipe(12), 100);
}

/// On values that Z3 sees to be constant, or else it would not come back.
#[test]
fn printed_fmod_agrees_with_evaluation() {
    let numbers = [0.0, -0.0, 1.0, -1.5, 5.25, 1e-40, -7e30, 3.4e38, f64::INFINITY, f64::NAN];
    let mut scripts = Vec::new();
    for a in numbers {
        for b in numbers {
            let mut pool = Pool::new(Constants::default());
            let mut values = [0; VARS];
            // The 32-bit variable, the 64-bit one, and the two halves of the 128-bit one.
            values[2] = (a as f32).to_bits() as u64;
            values[3] = a.to_bits();
            values[4] = b.to_bits();
            let terms = &mut pool.terms;
            let narrow = terms.constant((b as f32).to_bits() as u64, 32);
            let wide = terms.extract(pool.vars[4], 0, 64);
            let remainders = [terms.fp_rem(pool.vars[2], narrow), terms.fp_rem(pool.vars[3], wide)];
            scripts.push(disagreement(&pool, &remainders, &values));
        }
    }
    check_scripts(&scripts);
}

#[test]
fn a_printer_prints_everything_once_and_forgets_what_is_popped() {
    let mut pool = Pool::new(Constants::default());
    let (x, y) = (pool.vars[2], pool.vars[3]);
    let ten = pool.terms.constant(10, 32);
    let small = pool.terms.ult(x, ten);
    let mut printer = SmtPrinter::new();
    let name = printer.define_bool(&pool.terms, small);
    let first = printer.take_output();
    assert_eq!(first.lines().count(), 2, "{first}");
    assert_eq!(printer.define_bool(&pool.terms, small), name);
    assert_eq!(printer.take_output(), "");
    printer.push();
    // The pool grows while the printer lives.
    let wide = pool.terms.zext(x, 64);
    let sum = pool.terms.add(wide, y);
    printer.define(&pool.terms, sum);
    let second = printer.take_output();
    assert!(second.contains("declare-const") && !second.contains(&name), "{second}");
    printer.pop();
    printer.define(&pool.terms, sum);
    assert_eq!(printer.take_output(), second);
}
