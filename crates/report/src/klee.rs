//! KLEE's own words, for `espalier klee`: scripts look for them on standard error, in
//! `messages.txt`, `info` and the error files.
//!
//! Errors are called as KLEE 3 calls them; what Espalier knows beyond that is in the error files,
//! under `Info:`.

use crate::cut_text;
use crate::fault_text::{assertion, fault_text};
use crate::place::Place;
use espalier_engine::{
    AccessProblem, Cut, CutKind, CutReason, Fault, FreeProblem, Misuse, Outcome, Program, Stop, Unsupported,
};
use std::fmt::Write;
use std::time::SystemTime;

/// How far KLEE's behaviour is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Klee {
    /// Errors are not announced to be ignored from now on.
    pub emits_all_errors: bool,
    /// Open paths get tests when a run is halted.
    pub dumps_states: bool,
}

/// An error in KLEE's words; in ours where it has none.
pub(crate) fn error(program: &Program, fault: &Fault) -> String {
    match fault {
        Fault::Access { problem: AccessProblem::Null { .. }, .. } => "memory error: null page access".into(),
        Fault::Access { problem: AccessProblem::AfterFree { .. } | AccessProblem::Forgotten, .. } => {
            "memory error: use after free".into()
        }
        Fault::Access { .. } | Fault::FunctionPointer { .. } => "memory error: out of bound pointer".into(),
        Fault::ReadOnly { .. } => "memory error: object read only".into(),
        Fault::Free { problem: FreeProblem::Twice { .. } | FreeProblem::Forgotten, .. } => {
            "memory error: double free".into()
        }
        Fault::Free { .. } => "memory error: invalid pointer: free".into(),
        Fault::Assertion { text } => format!("ASSERTION FAIL: {}", assertion(text.as_deref())),
        Fault::Abort(_) => "abort failure".into(),
        Fault::DivisionByZero => "divide by zero".into(),
        Fault::Overshift { .. } => "overshift error".into(),
        Fault::DivisionOverflow | Fault::SignedOverflow { .. } => "integer overflow".into(),
        Fault::UnreachableCode | Fault::FalseAssumption => "reached \"unreachable\" instruction".into(),
        Fault::Misuse(Misuse::Assumption) => "invalid klee_assume call (provably false)".into(),
        Fault::ErrorFunction { .. }
        | Fault::Reported { .. }
        | Fault::Misuse(_)
        | Fault::Leak { .. }
        | Fault::Uninitialised(_)
        | Fault::JumpBuffer
        | Fault::JumpToReturned
        | Fault::NoVariadicArguments
        | Fault::NoLabel { .. }
        | Fault::Target(_) => fault_text(program, fault),
    }
}

/// A path that could not be followed, in KLEE's words, and the end of its file's name. For KLEE
/// these are errors.
pub(crate) fn cut(kind: CutKind, cut: &Cut) -> (String, &'static str) {
    if let CutReason::Unsupported(Unsupported::UndefinedFunction { name, .. }) = &cut.reason {
        return (format!("failed external call: {name}"), "external.err");
    }
    let file = match kind {
        CutKind::Limit => "early",
        CutKind::SolverUnknown => "solver.err",
        CutKind::Unsupported => "exec.err",
    };
    (cut_text::text(&cut.reason), file)
}

/// "file.c:12: message".
pub(crate) fn located(place: Option<&Place>, message: &str) -> String {
    match place {
        Some(place) => format!("{}: {message}", place.without_column()),
        None => format!("(location information missing) {message}"),
    }
}

/// What is said when a run ends early; `None` where KLEE says nothing.
pub(crate) fn stop(stop: Stop) -> Option<&'static str> {
    match stop {
        Stop::MaxTime => Some("HaltTimer invoked"),
        Stop::MaxMemory => Some("WARNING: over memory cap (--max-memory): halting execution"),
        Stop::Interrupted => Some("ctrl-c detected, requesting interpreter to halt."),
        Stop::MaxInstructions
        | Stop::MaxTests
        | Stop::FirstError
        | Stop::ErrorOfKind
        | Stop::SeedsFollowed
        | Stop::AllTargets
        | Stop::Selected
        | Stop::Observer => None,
    }
}

/// The four lines at the end. As in KLEE 3, only paths that exit are complete.
pub(crate) fn closing(outcome: &Outcome, tests: u64) -> String {
    let completed = outcome.paths.completed;
    let partial = outcome.paths.ended() - completed + outcome.open_states;
    let mut text = String::from("\n");
    for (what, count) in [
        ("total instructions", outcome.instructions),
        ("completed paths", completed),
        ("partially completed paths", partial),
        ("generated tests", tests),
    ] {
        let _ = writeln!(text, "KLEE: done: {what} = {count}");
    }
    text
}

/// The `info` file: at the start of a run, or with its outcome and the number of tests.
pub(crate) fn info(command: &[String], started: SystemTime, end: Option<(&Outcome, u64)>) -> String {
    let mut text = format!("{}\nPID: {}\nStarted: {}\n", command.join(" "), std::process::id(), date(started));
    let Some((outcome, tests)) = end else { return text };
    let seconds = outcome.elapsed.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let _ = writeln!(
        text,
        "Finished: {}\nElapsed: {hours:02}:{minutes:02}:{:02}",
        date(started + outcome.elapsed),
        seconds % 60
    );
    for (what, count) in [
        ("explored paths", 1 + outcome.forks),
        ("total queries", outcome.solver.sat.answers + outcome.solver.smt.answers),
        ("valid queries", outcome.solver.unsat_answers),
        ("invalid queries", outcome.solver.sat_answers),
    ] {
        let _ = writeln!(text, "KLEE: done: {what} = {count}");
    }
    text + &closing(outcome, tests)
}

fn date(time: SystemTime) -> String {
    espalier_base::utc::format(time).trim_end_matches(" UTC").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error_file::tests::{at, program, violation};
    use espalier_engine::ExternalProblem;
    use espalier_engine::Reason;

    #[test]
    fn errors_are_called_as_klee_calls_them() {
        let place = Place::new(&program("a.c"), at(3, 5));
        let shown = located(place.as_ref(), &error(&program("a.c"), &violation().fault));
        assert_eq!(shown, "a.c:3: memory error: out of bound pointer");
        let assertion = Fault::Assertion { text: Some("x > 0".into()) };
        assert_eq!(
            located(None, &error(&program("a.c"), &assertion)),
            "(location information missing) ASSERTION FAIL: x > 0"
        );
    }

    #[test]
    fn paths_that_cannot_be_followed_are_errors_by_kind() {
        let of = |kind, reason| cut(kind, &Cut { reason, loc: at(1, 1), stack: vec![] });
        let unsupported = |what| of(CutKind::Unsupported, CutReason::Unsupported(what));
        let (name, problem) = ("f".to_owned(), ExternalProblem::NotAllowed);
        let undefined = unsupported(Unsupported::UndefinedFunction { name, problem });
        assert_eq!(undefined, ("failed external call: f".to_owned(), "external.err"));
        assert_eq!(unsupported(Unsupported::Construct("inline assembly".into())).1, "exec.err");
        assert_eq!(of(CutKind::SolverUnknown, CutReason::Solver(Reason::Timeout)).1, "solver.err");
        assert_eq!(of(CutKind::Limit, CutReason::MaxDepth(3)).1, "early");
    }
}
