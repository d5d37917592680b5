//! What is printed as SMT-LIB means what evaluation says, if there is a Z3 to ask.

mod common;

use common::{Constants, Pool, Recipe, VARS, float_recipe, recipe, reference, run};
use espalier_expr::{SmtLib, SmtPrinter, Term, smtlib_literal};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Z3's answers to a script, one a line; none if there is no Z3.
fn z3(script: &str) -> Option<Vec<String>> {
    let child = Command::new("z3")
        .args(["-in", "-smt2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        eprintln!("no z3 on the path: not tested");
        return None;
    };
    let mut stdin = child.stdin.take().expect("a pipe");
    let text = script.to_string();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("z3 runs");
    writer
        .join()
        .expect("the writer runs")
        .expect("z3 reads its input");
    Some(
        String::from_utf8_lossy(&output.stdout)
            .lines()
            .map(str::to_string)
            .collect(),
    )
}

/// Asserts that some of these terms have another value than the one evaluation gives, under the same assignment.
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

fn check(strategy: impl Strategy<Value = Recipe>, cases: usize, tail: usize) {
    let mut runner = TestRunner::deterministic();
    let mut scripts = Vec::new();
    for _ in 0..cases {
        let recipe = strategy.new_tree(&mut runner).expect("a recipe").current();
        let mut pool = Pool::new(reference(&recipe).1);
        let built = run(&mut pool, &recipe);
        let last = &built[VARS.max(built.len().saturating_sub(tail))..];
        scripts.push(disagreement(&pool, last, &recipe.models[0]));
    }
    let all: String = scripts
        .iter()
        .map(|script| format!("(reset)\n{script}(check-sat)\n"))
        .collect();
    let Some(answers) = z3(&all) else { return };
    for (answer, script) in answers.iter().zip(&scripts) {
        assert_eq!(answer, "unsat", "{script}");
    }
    assert_eq!(answers.len(), scripts.len());
}

#[test]
fn printed_terms_agree_with_evaluation() {
    check(recipe(20), 300, 20);
}

#[test]
fn printed_floats_agree_with_evaluation() {
    check(float_recipe(12), 100, 12);
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
    assert!(
        second.contains("declare-const") && !second.contains(&name),
        "{second}"
    );
    printer.pop();
    printer.define(&pool.terms, sum);
    assert_eq!(printer.take_output(), second);
}
