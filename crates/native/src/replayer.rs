//! Runs tests on the builds that can show what is predicted for them, and judges whether they do.
//!
//! Compilers differ in what they check and fold away, and a sanitizer may stop at an earlier error
//! than the one that is looked for. So each build gets its chance, the strictest first, and a
//! prediction differs only if none shows it.

use crate::build::{Build, BuildError, BuildName, Checks, Run};
use crate::comparison::{self, Compared, Comparison, Difference, LeftOut};
use crate::outcome::Outcome;
use crate::prediction::{Predicted, PredictedError, Prediction};
use crate::sanitizer::Tool;
use espalier_base::expected::Files;
use espalier_base::process::Limits;
use espalier_frontend::Input;
use std::cell::OnceCell;
use std::path::Path;
use std::time::Duration;

/// When to use a build with sanitizers.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Sanitize {
    /// For predicted errors.
    Auto,
    /// For predicted exits too: a report is then a difference.
    Always,
    Never,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Agrees,
    Differs,
    /// There is nothing to compare with.
    NotReplayed,
}

/// Why a test differs, or was not replayed. How this is said to people is in `report::native_text`.
#[derive(Clone, Debug)]
pub enum Reason {
    /// The native run is another in these respects.
    Different(Vec<Compared>),
    /// It does not follow the test.
    NotFollowed,
    /// It fails, and should not.
    Fails,
    /// It does not end by the signal that was predicted.
    OtherSignal,
    /// It does not fail, and should.
    NoFailure,
    OtherFailure,
    /// It differs so, but on a path that is inexact, in the prediction's words.
    Inexact {
        differs: Box<Reason>,
        inexact: Vec<String>,
    },
    /// It did not end in time.
    TimeLimit(Duration),
    /// It needs more memory than this.
    MemoryLimit(u64),
    /// There was no run to compare.
    NoRun(Outcome),
    /// There is no end to compare with: the path was cut short.
    Cut,
    /// There is none either: the test leads to a place.
    Place,
    /// LeakSanitizer sees no leak, which says little.
    HiddenLeak,
    /// The error shows only with sanitizers, and there is no such build.
    NoSanitizers(BuildError),
    NoBuild(BuildError),
    /// No build is wanted at all.
    NoBuilds,
    /// Uninitialised memory is not looked for natively.
    Uninitialised,
    /// It is about symbolic execution, not about the program.
    NotOfTheProgram,
    /// What is beside the test cannot be read.
    Unreadable(String),
}

/// What became of a test.
#[derive(Clone, Debug)]
pub struct Judgement {
    pub verdict: Verdict,
    /// Why, unless it agrees.
    pub reason: Option<Reason>,
    /// What the native run came to, if there was one.
    pub outcome: Option<Outcome>,
    /// The build that it ran on.
    pub build: Option<BuildName>,
    /// What the native run did otherwise, although it ended in the way that was predicted.
    pub differences: Vec<Difference>,
    /// What was predicted in part only, and not compared from there on.
    pub left_out: Vec<LeftOut>,
}

impl Judgement {
    pub fn not_replayed(reason: Reason) -> Judgement {
        Judgement { reason: Some(reason), ..Judgement::new(Verdict::NotReplayed) }
    }

    fn new(verdict: Verdict) -> Judgement {
        Judgement { verdict, reason: None, outcome: None, build: None, differences: Vec::new(), left_out: Vec::new() }
    }
}

impl Judgement {
    /// Takes in what the native run did otherwise. On a path that is inexact, nobody said that it
    /// would do the same.
    fn add(&mut self, comparison: Comparison, inexact: &[String]) {
        let Comparison { differences, left_out } = comparison;
        if !differences.is_empty() {
            let mut what: Vec<Compared> = differences.iter().map(|difference| difference.what.clone()).collect();
            what.dedup();
            (self.verdict, self.reason) = (Verdict::Differs, Some(Reason::Different(what)));
            self.allow(inexact);
        }
        (self.differences, self.left_out) = (differences, left_out);
    }

    /// A difference on a path that is inexact for these reasons is no contradiction.
    fn allow(&mut self, inexact: &[String]) {
        if self.verdict == Verdict::Differs && !inexact.is_empty() {
            let differs = self.reason.take().map(Box::new);
            self.reason = differs.map(|differs| Reason::Inexact { differs, inexact: inexact.to_vec() });
            self.verdict = Verdict::NotReplayed;
        }
    }
}

/// Native builds of one program, each made when it is first needed.
pub struct Replayer {
    input: Input,
    limits: Limits,
    sanitize: Sanitize,
    args: Option<Vec<String>>,
    stop: Box<dyn Fn() -> bool>,
    with_sanitizers: OnceCell<Result<Build, BuildError>>,
    with_traps: OnceCell<Result<Build, BuildError>>,
    plain: OnceCell<Result<Build, BuildError>>,
    with_marked_errors: OnceCell<Result<Build, BuildError>>,
}

impl Replayer {
    pub fn new(input: Input, limits: Limits) -> Replayer {
        Replayer {
            input,
            limits,
            sanitize: Sanitize::Auto,
            args: None,
            stop: Box::new(|| false),
            with_sanitizers: OnceCell::new(),
            with_traps: OnceCell::new(),
            plain: OnceCell::new(),
            with_marked_errors: OnceCell::new(),
        }
    }

    pub fn sanitize(self, sanitize: Sanitize) -> Replayer {
        Replayer { sanitize, ..self }
    }

    /// Gives the program these arguments instead of those in the tests.
    pub fn args(self, args: Option<Vec<String>>) -> Replayer {
        Replayer { args, ..self }
    }

    pub fn stop_when(self, stop: impl Fn() -> bool + 'static) -> Replayer {
        Replayer { stop: Box::new(stop), ..self }
    }

    /// The build with these checks.
    pub fn build(&self, checks: Checks) -> Result<&Build, &BuildError> {
        let cell = match checks {
            Checks::Sanitizers => &self.with_sanitizers,
            Checks::Traps => &self.with_traps,
            Checks::None => &self.plain,
            Checks::ErrorFunctions => &self.with_marked_errors,
        };
        cell.get_or_init(|| Build::new(&self.input, checks)).as_ref()
    }

    /// Runs the program on a test and compares.
    pub fn replay(&self, test: &Path, predicted: &Predicted) -> Judgement {
        let Predicted { prediction, expected } = predicted;
        // What is predicted for other arguments says nothing of what the program prints.
        let expected = expected.as_ref().filter(|_| self.args.is_none());
        if let Some(reason) = without_counterpart(prediction) {
            return Judgement::not_replayed(reason);
        }
        let mut best: Option<Judgement> = None;
        let mut missing: Option<&BuildError> = None;
        for &checks in self.builds_for(prediction) {
            let build = match self.build(checks) {
                Ok(build) => build,
                Err(error) => {
                    missing = missing.or(Some(error));
                    continue;
                }
            };
            let leaks = matches!(prediction, Prediction::Error(error) if error.kind == "leak");
            let in_fresh_directory = expected.is_some_and(|expected| expected.files != Files::None);
            let args = self.args.as_deref();
            let mark = (checks == Checks::ErrorFunctions).then_some(0);
            let run = Run { args, leaks, mark, in_fresh_directory, ..Run::new(test, self.limits) };
            let observed = build.observe(&run, &*self.stop);
            let (verdict, reason) = self.compare(prediction, &observed.outcome, build);
            let mut judgement = Judgement { reason, build: Some(build.name.clone()), ..Judgement::new(verdict) };
            let inexact = expected.map_or(&[][..], |expected| &expected.inexact);
            if matches!(prediction, Prediction::Exit { .. } | Prediction::Signal(_)) {
                judgement.allow(inexact);
            }
            if verdict == Verdict::Agrees {
                let comparison = match (expected, prediction) {
                    (Some(expected), _) => comparison::compare(expected, &observed, checks),
                    (None, Prediction::Exit { status }) if self.args.is_none() => {
                        comparison::status(*status, &observed.outcome)
                    }
                    _ => Comparison::default(),
                };
                judgement.add(comparison, inexact);
            }
            let is_over = matches!(observed.outcome, Outcome::Stopped | Outcome::Unreadable(_));
            let is_final = judgement.verdict == Verdict::Agrees || is_over;
            judgement.outcome = Some(observed.outcome);
            if is_final {
                return judgement;
            }
            // The first one that says something: stricter builds come first.
            best = match best {
                Some(best) if best.verdict == Verdict::Differs || judgement.verdict != Verdict::Differs => Some(best),
                _ => Some(judgement),
            };
        }
        let needs_sanitizers =
            matches!(prediction, Prediction::Error(error) if shows_only_with_sanitizers(&error.kind));
        match (best, missing) {
            // An error that nothing looked for was not refuted.
            (Some(best), Some(missing)) if needs_sanitizers && matches!(best.outcome, Some(Outcome::Exit(_))) => {
                let reason = Some(Reason::NoSanitizers(missing.clone()));
                Judgement { verdict: Verdict::NotReplayed, reason, ..best }
            }
            (Some(best), _) => best,
            (None, Some(missing)) => Judgement::not_replayed(Reason::NoBuild(missing.clone())),
            (None, None) => Judgement::not_replayed(Reason::NoBuilds),
        }
    }

    fn builds_for(&self, prediction: &Prediction) -> &'static [Checks] {
        let kind = if let Prediction::Error(error) = prediction { error.kind.as_str() } else { "" };
        match (self.sanitize, prediction) {
            (Sanitize::Never, _) if kind == REACH_ERROR => &[Checks::None, Checks::ErrorFunctions],
            (Sanitize::Always, _) if kind == REACH_ERROR => &[Checks::Sanitizers, Checks::ErrorFunctions],
            (Sanitize::Auto, _) if kind == REACH_ERROR => {
                &[Checks::Sanitizers, Checks::Traps, Checks::None, Checks::ErrorFunctions]
            }
            (Sanitize::Never, _) => &[Checks::None],
            (Sanitize::Always, _) => &[Checks::Sanitizers],
            // A leak is no failure of the other builds.
            (Sanitize::Auto, _) if kind == "leak" => &[Checks::Sanitizers],
            (Sanitize::Auto, Prediction::Error(_)) => &[Checks::Sanitizers, Checks::Traps, Checks::None],
            (Sanitize::Auto, _) => &[Checks::None],
        }
    }

    fn compare(&self, prediction: &Prediction, outcome: &Outcome, build: &Build) -> (Verdict, Option<Reason>) {
        let differs = |reason| (Verdict::Differs, Some(reason));
        let not_replayed = |reason| (Verdict::NotReplayed, Some(reason));
        match outcome {
            Outcome::TimeLimit => return not_replayed(Reason::TimeLimit(self.limits.time)),
            Outcome::MemoryLimit => {
                return not_replayed(Reason::MemoryLimit(self.limits.resident.unwrap_or(0)));
            }
            Outcome::NoCounterpart(_) | Outcome::Unreadable(_) | Outcome::NotStarted(_) | Outcome::Stopped => {
                return not_replayed(Reason::NoRun(outcome.clone()));
            }
            _ => {}
        }
        match prediction {
            Prediction::Cut { .. } => not_replayed(Reason::Cut),
            Prediction::Function => not_replayed(Reason::NoBuild(BuildError::NoCaller)),
            Prediction::Place => not_replayed(Reason::Place),
            Prediction::Error(error) if shows(error, outcome, build) => (Verdict::Agrees, None),
            // What it exits with is compared with all the rest.
            Prediction::Exit { .. } => match outcome {
                Outcome::Exit(_) => (Verdict::Agrees, None),
                Outcome::Diverged(_) | Outcome::AssumptionFalse(_) => differs(Reason::NotFollowed),
                _ => differs(Reason::Fails),
            },
            Prediction::Signal(signal) => match outcome {
                Outcome::Signal(native, _) if native == signal => (Verdict::Agrees, None),
                Outcome::Diverged(_) | Outcome::AssumptionFalse(_) => differs(Reason::NotFollowed),
                _ => differs(Reason::OtherSignal),
            },
            Prediction::Error(error) => match outcome {
                Outcome::Exit(_) if error.kind == "leak" => not_replayed(Reason::HiddenLeak),
                Outcome::Exit(_) => differs(Reason::NoFailure),
                outcome if outcome.is_failure() => differs(Reason::OtherFailure),
                _ => differs(Reason::NotFollowed),
            },
        }
    }
}

/// The kind of a call of a function that stands for an error.
const REACH_ERROR: &str = "reach_error";

/// What the sanitizers' headlines say of an access that is not valid.
const INVALID_ACCESS: [&str; 8] = [
    "buffer-overflow",
    "buffer-underflow",
    "use-after-",
    "SEGV on",
    "BUS on",
    "null pointer of type",
    "out of bounds",
    "insufficient space",
];

/// Why no native run could show this.
fn without_counterpart(prediction: &Prediction) -> Option<Reason> {
    let error = match prediction {
        Prediction::Function => return Some(Reason::NoBuild(BuildError::NoCaller)),
        Prediction::Error(error) => error,
        _ => return None,
    };
    match error.kind.as_str() {
        "uninit" => Some(Reason::Uninitialised),
        "external" | "model" | "solver" | "bad_vector_access" => Some(Reason::NotOfTheProgram),
        _ => None,
    }
}

/// Does the program go on without noticing, as a rule, unless somebody looks?
fn shows_only_with_sanitizers(kind: &str) -> bool {
    matches!(kind, "ptr" | "free" | "read_only" | "overflow" | "overshift" | "unreachable_call" | "leak" | "exec")
}

/// Does the native run show this error?
fn shows(error: &PredictedError, outcome: &Outcome, build: &Build) -> bool {
    match error.kind.as_str() {
        // An executable from elsewhere has its own function, and nobody knows what that does.
        REACH_ERROR if error.is_in_doubt || !build.is_from_elsewhere() => outcome.is_of_error_function(),
        kind if error.is_in_doubt => is_of_kind(kind, outcome, build.checks),
        kind => may_be_of_kind(kind, outcome),
    }
}

/// Does an error of that kind show so, and no other? A trap for undefined behaviour does not say
/// which it is.
fn is_of_kind(kind: &str, outcome: &Outcome, checks: Checks) -> bool {
    let report = |words: &[&str]| matches!(outcome, Outcome::Sanitizer(report) if words.iter().any(|word| report.headline.contains(word)));
    let signal = |signals: &[i32]| matches!(outcome, Outcome::Signal(signal, _) if signals.contains(signal));
    let in_free = matches!(outcome, Outcome::Sanitizer(report) if report.is_in_free);
    match kind {
        "assert" => outcome.is_of_assertion(),
        "abort" if checks == Checks::Traps => outcome.is_of_abort(),
        "abort" => outcome.is_of_abort() || signal(&[libc::SIGILL, libc::SIGTRAP]),
        "ptr" | "read_only" => report(&INVALID_ACCESS) && !in_free || signal(&[libc::SIGSEGV, libc::SIGBUS]),
        "free" => in_free || report(&["attempting "]) || outcome.is_of_heap_check(),
        "div" => report(&["division by zero"]) || signal(&[libc::SIGFPE]),
        "overflow" => report(&["integer overflow", "left shift of", "negation of", "cannot be represented in type"]),
        "overshift" => report(&["shift exponent"]),
        "unreachable_call" => report(&["unreachable program point"]),
        "leak" | "report_error" | "user" => may_be_of_kind(kind, outcome),
        _ => false,
    }
}

/// Is this how an error of that kind shows natively? What is not a kind of ours or KLEE's may show
/// in any way.
fn may_be_of_kind(kind: &str, outcome: &Outcome) -> bool {
    let tool = match outcome {
        Outcome::Sanitizer(report) => Some(report.tool),
        _ => None,
    };
    let signal = match outcome {
        Outcome::Signal(signal, _) => Some(*signal),
        _ => None,
    };
    let is_signal = |signals: &[i32]| signal.is_some_and(|signal| signals.contains(&signal));
    let is_trap = is_signal(&[libc::SIGILL, libc::SIGTRAP]);
    match kind {
        "assert" | "abort" | REACH_ERROR => is_signal(&[libc::SIGABRT]) || is_trap,
        "ptr" | "read_only" => {
            matches!(tool, Some(Tool::Address | Tool::Undefined))
                || is_signal(&[libc::SIGSEGV, libc::SIGBUS])
                || is_trap
        }
        // The C library checks a little itself.
        "free" => tool == Some(Tool::Address) || is_signal(&[libc::SIGABRT, libc::SIGSEGV, libc::SIGBUS]),
        "div" | "overflow" | "overshift" => tool == Some(Tool::Arithmetic) || is_signal(&[libc::SIGFPE]) || is_trap,
        "leak" => tool == Some(Tool::Leak),
        "report_error" => matches!(outcome, Outcome::ErrorReported(_)),
        "user" => matches!(outcome, Outcome::AssumptionFalse(_) | Outcome::ErrorReported(_)),
        _ => outcome.is_failure(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sanitizer::Report;

    fn signal(signal: i32, last: &str) -> Outcome {
        Outcome::Signal(signal, Some(last.to_owned()).filter(|last| !last.is_empty()))
    }

    fn report(tool: Tool, headline: &str) -> Outcome {
        Outcome::Sanitizer(Report { tool, headline: headline.to_owned(), lines: Vec::new(), is_in_free: false })
    }

    #[test]
    fn one_kind_is_not_taken_for_another() {
        let outcomes = [
            ("abort", signal(libc::SIGABRT, "some words of the program's")),
            ("abort", signal(libc::SIGILL, "")),
            ("assert", signal(libc::SIGABRT, "prog: prog.c:4: main: Assertion `x' failed.")),
            ("free", signal(libc::SIGABRT, "double free or corruption (fasttop)")),
            ("free", report(Tool::Address, "AddressSanitizer: attempting double-free")),
            ("ptr", report(Tool::Address, "AddressSanitizer: heap-buffer-overflow")),
            ("ptr", report(Tool::Undefined, "UndefinedBehaviorSanitizer: load of null pointer of type 'int'")),
            ("ptr", signal(libc::SIGSEGV, "")),
            ("div", report(Tool::Arithmetic, "UndefinedBehaviorSanitizer: division by zero")),
            ("overflow", report(Tool::Arithmetic, "UndefinedBehaviorSanitizer: signed integer overflow: 1 + 2")),
            ("overshift", report(Tool::Arithmetic, "UndefinedBehaviorSanitizer: shift exponent 44 is too large")),
            ("leak", report(Tool::Leak, "LeakSanitizer: detected memory leaks")),
        ];
        let kinds = ["abort", "assert", "free", "ptr", "div", "overflow", "overshift", "leak", "exec"];
        for (shown, outcome) in &outcomes {
            for kind in kinds {
                assert_eq!(is_of_kind(kind, outcome, Checks::None), kind == *shown, "{kind}: {outcome:?}");
            }
            assert!(!outcome.is_of_error_function(), "{outcome:?}");
        }
        assert!(!is_of_kind("abort", &signal(libc::SIGILL, ""), Checks::Traps));
    }

    #[test]
    fn error_functions_are_told_from_other_failures() {
        for last in ["espalier-replay: reach_error called", "a: a.c:3: reach_error: Assertion `0' failed."] {
            assert!(signal(libc::SIGABRT, last).is_of_error_function(), "{last}");
            assert!(!signal(libc::SIGABRT, last).is_of_abort(), "{last}");
        }
        assert!(Outcome::Reached.is_of_error_function());
    }
}
