//! KLEE's own words, for `espalier klee`: scripts look for them on standard error, in
//! `messages.txt`, `info` and the error files.
//!
//! Errors are called as KLEE 3 calls them; what Espalier knows beyond that is in the error files,
//! under `Info:`.

use crate::cut_text;
use crate::fault_text::{assertion, fault_text, message_text};
use crate::place::Place;
use espalier_engine::{
    AccessProblem, Cut, CutKind, CutReason, ExternalProblem, Fault, FreeProblem, Loc, Message, Misuse, Origin, Outcome,
    Program, Stop, ToldValue, Unsupported,
};
use std::fmt::Write;
use std::time::SystemTime;

/// The line of KLEE's runtime that reports what a check of clang's found.
const HANDLER_LINE: u32 = 42;

/// How far KLEE's behaviour is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Klee {
    /// Errors are not announced to be ignored from now on.
    pub emits_all_errors: bool,
    /// Open paths get tests when a run is halted.
    pub dumps_states: bool,
    /// Warnings go to their file alone.
    pub warns_to_file_only: bool,
    /// Opening and closing merges is told of.
    pub logs_merges: bool,
    /// `run.istats` is written.
    pub profiles: bool,
    /// What the program prints is printed when there is more of it, and in the end.
    pub buffers_output: bool,
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
        Fault::Free { problem: FreeProblem::NotOnHeap { object, is_alive: true }, .. } => match object.origin {
            Origin::Stack(..) | Origin::Arguments(_) => "free of alloca".into(),
            _ => "free of global".into(),
        },
        Fault::Free { function, .. } => format!("memory error: invalid pointer: {function}"),
        Fault::Assertion { text } => format!("ASSERTION FAIL: {}", assertion(text.as_deref())),
        Fault::Abort(_) => "abort failure".into(),
        Fault::DivisionByZero => "divide by zero".into(),
        Fault::Overshift { .. } => "overshift error".into(),
        Fault::DivisionOverflow => "integer overflow".into(),
        Fault::SignedOverflow { operation } => undefined_behaviour(match operation.as_str() {
            "divrem" => "integer division overflow",
            "shift" => "shift out of bounds",
            _ => "signed-integer-overflow",
        }),
        Fault::Undefined(check) => undefined_behaviour(check.name()),
        Fault::UnreachableCode | Fault::FalseAssumption => "reached \"unreachable\" instruction".into(),
        Fault::Misuse(Misuse::Assumption) => "invalid klee_assume call (provably false)".into(),
        Fault::Misuse(Misuse::ArgumentCount) => {
            "Incorrect number of arguments to klee_make_symbolic(void*, size_t, char*)".into()
        }
        Fault::Misuse(Misuse::InvalidString) => "Invalid string pointer passed to one of the klee_ functions".into(),
        Fault::Misuse(Misuse::SymbolicString) => "Symbolic string pointer passed to one of the klee_ functions".into(),
        Fault::Misuse(Misuse::WrongSize) => "Wrong size given to klee_make_symbolic".into(),
        Fault::Misuse(Misuse::ReadOnlyObject) => "cannot make readonly object symbolic".into(),
        Fault::NoLabel { .. } => "indirectbr: illegal label address".into(),
        Fault::ErrorFunction { .. }
        | Fault::Reported { .. }
        | Fault::Misuse(_)
        | Fault::Leak { .. }
        | Fault::Uninitialised(_)
        | Fault::JumpBuffer
        | Fault::JumpToReturned
        | Fault::NoVariadicArguments
        | Fault::Target(_) => fault_text(program, fault),
    }
}

/// What a check of clang's found, as KLEE says it. KLEE names the line of its own function that
/// reports it, which scripts look for; here that stands behind the line of the program.
fn undefined_behaviour(what: &str) -> String {
    format!("runtime/Sanitizer/ubsan/ubsan_handlers.cpp:{HANDLER_LINE}: {what}")
}

/// The kind of an error, as the names of KLEE's files have it: what is no object that could be
/// freed is a bad pointer there.
pub(crate) fn kind(fault: &Fault) -> String {
    match fault {
        Fault::Free { problem: FreeProblem::NotOnHeap { is_alive: true, .. }, .. } => "free".into(),
        Fault::Free { .. } => "ptr".into(),
        // The program says what the file is to be called.
        Fault::Reported { suffix: Some(suffix), .. } if is_part_of_name(suffix) => {
            suffix.strip_suffix(".err").unwrap_or(suffix).to_owned()
        }
        _ => fault.kind().name().into(),
    }
}

fn is_part_of_name(text: &str) -> bool {
    !text.is_empty()
        && text.len() < 64
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
}

/// A path that could not be followed, in KLEE's words, and the end of its file's name. For KLEE
/// these are errors.
pub(crate) fn cut(kind: CutKind, cut: &Cut) -> (String, &'static str) {
    match &cut.reason {
        CutReason::Unsupported(Unsupported::UndefinedFunction { name, problem }) => {
            let text = match problem {
                ExternalProblem::DependsOnInput => format!("external call with symbolic argument: {name}"),
                ExternalProblem::NotAllowed | ExternalProblem::NotOnHost => format!("failed external call: {name}"),
            };
            (text, "external.err")
        }
        CutReason::Unsupported(Unsupported::Construct(what)) if what.starts_with("inline assembly") => {
            ("external calls disallowed (in particular inline asm)".to_owned(), "user.err")
        }
        CutReason::InputSize { bytes, .. } => {
            (format!("Symbolic objects larger than 4 GiB are not allowed (requested {bytes} bytes)."), "user.err")
        }
        reason => {
            let file = match kind {
                CutKind::Limit => "early",
                CutKind::SolverUnknown => "solver.err",
                CutKind::Unsupported => "exec.err",
            };
            (cut_text::text(reason), file)
        }
    }
}

/// What the program tells, in KLEE's words; what is no warning has no prefix.
pub(crate) fn message(program: &Program, message: &Message) -> Told {
    match message {
        Message::Value { label, value } => Told::Line(match value {
            ToldValue::Number(number) => format!("{label}:{number}"),
            ToldValue::Term { text, kquery } => format!("{label}:{}", kquery.as_ref().unwrap_or(text)),
            ToldValue::Range { example, low, high } if low == high => format!("{label}: == {example}"),
            ToldValue::Range { example, low, high } => format!("{label}: ~= {example} (in [{low}, {high}])"),
            ToldValue::Unknown(_) => message_text(program, message),
        }),
        Message::Frame { .. } => Told::Line(message_text(program, message)),
        Message::Warning { text, function, is_once: true, .. } => Told::WarningOnce(format!("{function}: {text}")),
        Message::Warning { text, function, .. } => Told::Warning(format!("{function}: {text}")),
        Message::Unnamed => Told::Warning("klee_make_symbolic: renamed empty name to \"unnamed\"".into()),
        Message::LargeObject { bytes } => {
            Told::WarningOnce(format!("Large memory allocation ({bytes} bytes). KLEE may run out of memory."))
        }
        Message::LargeArrayRead { bytes } => Told::WarningOnce(large_array("read", *bytes)),
        Message::LargeArrayWritten { bytes } => Told::WarningOnce(large_array("write", *bytes)),
        Message::ArrayReads { by_value } => {
            Told::Warning(format!("OPT_{}: successful", if *by_value { 'V' } else { 'I' }))
        }
        Message::ExternalCall { function, loc } => {
            Told::WarningOnce(format!("calling external: {function}{}", at(program, *loc)))
        }
        Message::OpenMerge { merge, loc } => Told::MergeLog(format!("open merge: {merge}{}", at(program, *loc))),
        Message::CloseMerge { merge, loc } => Told::MergeLog(format!("close merge: {merge}{}", at(program, *loc))),
        Message::NothingToClose { loc } => {
            let place = Place::new(program, *loc).map_or_else(|| "klee_close_merge".into(), |at| at.without_column());
            Told::Warning(format!("a path ran into a close at {place} without a preceding open"))
        }
    }
}

/// What is told, and how.
pub(crate) enum Told {
    Line(String),
    Warning(String),
    WarningOnce(String),
    /// With `--debug-log-merge`.
    MergeLog(String),
}

fn large_array(access: &str, bytes: u64) -> String {
    format!(
        "Symbolic memory {access} will send the following array of {bytes} bytes to the constraint solver -- \
         large symbolic arrays may cause significant performance issues"
    )
}

fn at(program: &Program, loc: Loc) -> String {
    Place::new(program, loc).map_or_else(String::new, |place| format!(" at {}", place.without_column()))
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
        assert_eq!(unsupported(Unsupported::Construct("a token".into())).1, "exec.err");
        let assembly = unsupported(Unsupported::Construct("inline assembly `nop`".into()));
        assert_eq!(assembly, ("external calls disallowed (in particular inline asm)".to_owned(), "user.err"));
        assert_eq!(of(CutKind::SolverUnknown, CutReason::Solver(Reason::Timeout)).1, "solver.err");
        assert_eq!(of(CutKind::Limit, CutReason::MaxDepth(3)).1, "early");
    }
}
