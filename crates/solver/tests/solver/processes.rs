//! SMT solvers that are missing, die, hang or talk nonsense: all of that is an answer.

use crate::common::{holds, scalar};
use espalier_expr::{FloatFormat, Op, Term, Terms};
use espalier_solver::{
    Answer, Backend, Config, Limits, Reason, SmtBackend, SmtProblem, Solver, SolverFailure, Stages, Unanswerable,
};
use std::time::{Duration, Instant};

/// `x > 5`, and a solver that is this shell script.
fn ask(script: &str, limit: Duration) -> (Answer, SmtBackend) {
    let mut terms = Terms::new();
    let x = scalar(&mut terms, "x", 1);
    let five = terms.constant(5, 8);
    let constraint = terms.ult(five, x);
    let mut backend = SmtBackend::new(["sh", "-c", script].map(String::from).to_vec(), 0);
    let limits = Limits { deadline: Some(Instant::now() + limit), ..Limits::default() };
    let answer = backend.check(&mut terms, &[constraint], &limits);
    (answer, backend)
}

const LONG: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(150);

fn assert_failed(script: &str, is_expected: impl Fn(&SmtProblem) -> bool) {
    let start = Instant::now();
    match ask(script, LONG).0 {
        Answer::Unknown(Reason::Failed(SolverFailure::Smt { problem, .. })) => {
            assert!(is_expected(&problem), "{script}: {problem:?}");
        }
        other => panic!("{script}: {other:?}"),
    }
    assert!(start.elapsed() < LONG, "{script} was waited for");
}

#[test]
fn a_missing_solver_is_named() {
    let mut terms = Terms::new();
    let x = scalar(&mut terms, "x", 1);
    let five = terms.constant(5, 8);
    let constraint = terms.ult(five, x);
    let mut backend = SmtBackend::new(vec!["/nonexistent/z3".into(), "-in".into()], 0);
    for _ in 0..5 {
        let answer = backend.check(&mut terms, &[constraint], &Limits::default());
        let Answer::Unknown(Reason::Failed(SolverFailure::Smt { command, problem })) = answer else {
            panic!("{answer:?}")
        };
        assert_eq!(command, "/nonexistent/z3 -in");
        assert!(matches!(problem, SmtProblem::NotStarted(_)), "{problem:?}");
    }
    let answer = SmtBackend::new(Vec::new(), 0).check(&mut terms, &[constraint], &Limits::default());
    assert!(matches!(answer, Answer::Unknown(Reason::Failed(_))), "{answer:?}");
}

#[test]
fn a_dying_solver_is_reported_with_its_last_words() {
    let ended = |status: Option<&str>, last_words: Option<&str>| {
        let [status, last_words] = [status, last_words].map(|text| text.map(String::from));
        move |problem: &SmtProblem| {
            *problem == SmtProblem::Ended { status: status.clone(), last_words: last_words.clone() }
        }
    };
    assert_failed("echo out of memory >&2; exit 3", ended(Some("exit status: 3"), Some("out of memory")));
    assert_failed("exit 0", ended(Some("exit status: 0"), None));
    assert_failed("read line; kill -9 $$", ended(Some("signal: 9 (SIGKILL)"), None));
    // Alive, but deaf and dumb: it has closed its output.
    assert_failed("exec >&-; sleep 100", ended(None, None));
}

#[test]
fn nonsense_is_refused() {
    // The echo comes back, so the answer is complete: only wrong.
    let echoing = |answer: &str| {
        format!(
            "while read -r line; do case \"$line\" in *echo*) n=${{line#*espalier-}}; echo \"espalier-${{n%%-*}}-\";; \
             *check-sat*) echo sat;; *get-value*) echo '{answer}';; esac; done"
        )
    };
    assert_failed(&echoing("((x #x05))"), |problem| *problem == SmtProblem::WrongModel);
    let answered = |line: &str| {
        let line = Some(line.to_owned()).filter(|line| !line.is_empty());
        move |problem: &SmtProblem| *problem == SmtProblem::Nonsense { line: line.clone() }
    };
    for answer in ["((x banana))", "((((", ""] {
        assert_failed(&echoing(answer), answered(answer));
    }
    assert_failed(
        "while read -r line; do case \"$line\" in *echo*) echo 'espalier-1-';; *check*) echo maybe;; esac; done",
        answered("maybe"),
    );
    match ask(&echoing("((x #x07))"), LONG).0 {
        Answer::Sat(model) => assert_eq!(model.iter().count(), 1),
        other => panic!("a good model, and {other:?}"),
    }
}

#[test]
fn an_endless_talker_is_stopped() {
    // Either there is too much of it, or it takes too long.
    for script in ["yes", "cat /dev/zero"] {
        let start = Instant::now();
        let answer = ask(script, Duration::from_millis(700)).0;
        assert!(matches!(answer, Answer::Unknown(Reason::Timeout | Reason::Failed(_))), "{answer:?}");
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn a_hanging_solver_is_killed() {
    // One that reads, one that does not, one that has a child of its own.
    for script in ["cat > /dev/null", "sleep 1000", "sleep 1000 & wait"] {
        let start = Instant::now();
        let (answer, backend) = ask(script, SHORT);
        assert!(matches!(answer, Answer::Unknown(Reason::Timeout)), "{script}: {answer:?}");
        drop(backend);
        assert!(start.elapsed() < Duration::from_secs(5), "{script} was waited for");
    }
}

#[test]
fn a_solver_that_does_not_read_a_long_query_is_killed() {
    let mut terms = Terms::new();
    let mut constraints: Vec<Term> = Vec::new();
    for i in 0..4000 {
        let (x, y) = (scalar(&mut terms, &format!("x{i}"), 4), scalar(&mut terms, &format!("y{i}"), 4));
        constraints.push(terms.ult(x, y));
    }
    let mut backend = SmtBackend::new(["sleep", "1000"].map(String::from).to_vec(), 0);
    let limits = Limits { deadline: Some(Instant::now() + SHORT), ..Limits::default() };
    let answer = backend.check(&mut terms, &constraints, &limits);
    assert!(matches!(answer, Answer::Unknown(Reason::Timeout)), "{answer:?}");
}

/// `x / y` is 3.5 and the rest of the division is 1.25: only the SMT solver knows `fmod`.
/// Intervals answer the question below.
const WITHOUT_BOXES: Stages = Stages {
    hint: true,
    bounds: true,
    independence: true,
    cache: true,
    models: true,
    repair: true,
    boxes: false,
    cases: true,
    sat: true,
};

fn float_question(terms: &mut Terms) -> Vec<Term> {
    let (x, y) = (scalar(terms, "x", 4), scalar(terms, "y", 4));
    let number = |terms: &mut Terms, value: f32| terms.constant(value.to_bits() as u64, FloatFormat::F32.width());
    let (two, eight, rest) = (number(terms, 2.0), number(terms, 8.0), number(terms, 1.25));
    let remainder = terms.fp_rem(x, y);
    vec![terms.fp_eq(y, two), terms.fp_lt(x, eight), terms.fp_eq(remainder, rest)]
}

#[test]
fn the_chain_falls_over_to_the_smt_solver() {
    let mut terms = Terms::new();
    let constraints = float_question(&mut terms);
    let mut solver = Solver::new(Config { stages: WITHOUT_BOXES, ..Config::default() });
    match solver.check_all(&mut terms, &constraints) {
        Answer::Sat(model) => assert!(holds(&terms, &model, &constraints)),
        other => panic!("{other:?}"),
    }
    assert_eq!((solver.stats().fell_over, solver.stats().smt.answers), (1, 1));
}

#[test]
fn the_chain_survives_without_an_smt_solver() {
    let mut terms = Terms::new();
    let constraints = float_question(&mut terms);
    for (use_smt, command) in [(false, "z3"), (true, "/nonexistent/solver")] {
        let smt_command = vec![command.into()];
        let config = Config { use_smt, smt_command, stages: WITHOUT_BOXES, ..Config::default() };
        let mut solver = Solver::new(config);
        let answer = solver.check_all(&mut terms, &constraints);
        match (use_smt, answer) {
            (false, Answer::Unknown(Reason::Unsupported(what))) => {
                assert_eq!(what, Unanswerable::Operator(Op::FpRem))
            }
            (true, Answer::Unknown(Reason::Failed(SolverFailure::Smt { problem, .. }))) => {
                assert!(matches!(problem, SmtProblem::NotStarted(_)), "{problem:?}")
            }
            other => panic!("{other:?}"),
        }
        let x = scalar(&mut terms, "n", 4);
        let one = terms.constant(1, 32);
        let easy = terms.eq(x, one);
        assert!(solver.check_all(&mut terms, &[easy]).is_sat());
    }
}

#[test]
fn queries_are_logged_as_smt_lib() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("queries.smt2");
    let mut terms = Terms::new();
    let (x, y) = (scalar(&mut terms, "x", 4), scalar(&mut terms, "y", 4));
    let sum = terms.add(x, y);
    let (less, more) = (terms.ult(sum, x), terms.ult(y, x));
    let wraps = terms.ult(sum, y);
    let neither = terms.not(wraps);
    let config = Config { log_queries: Some(path.clone()), use_smt: false, ..Config::default() };
    let mut solver = Solver::new(config);
    assert!(solver.check_all(&mut terms, &[less, more]).is_sat());
    assert!(solver.check_all(&mut terms, &[less, more, neither]).is_unsat());
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches("(check-sat)").count(), 2, "{text}");
    assert!(text.contains("; query 1 sat sat ") && text.contains("(set-info :status unsat)"), "{text}");
    let output = std::process::Command::new("z3").arg("-smt2").arg(&path).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "sat\nunsat");
    // A log that cannot be written is no reason to stop.
    let config = Config { log_queries: Some("/nonexistent/log".into()), use_smt: false, ..Config::default() };
    assert!(Solver::new(config).check_all(&mut terms, &[less, more]).is_sat());
}
