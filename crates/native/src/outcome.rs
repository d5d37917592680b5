//! What a native run came to, read off its exit code and what it printed.
//!
//! A program may itself end with one of the codes that the replay library and the sanitizers use,
//! so a code counts only together with the message that belongs to it.

use crate::sanitizer::{self, Report};
use espalier_base::control::ERROR_FUNCTIONS;
use espalier_base::process::End;

/// What a sanitizer's report ends the program with.
pub(crate) const REPORTED: i32 = 86;

/// The replay library's exit codes.
const REACHED: i32 = 95;
const UNREADABLE: i32 = 96;
const DIVERGED: i32 = 97;
const ASSUMPTION_FALSE: i32 = 98;
const ERROR_REPORTED: i32 = 99;

/// How the replay library's messages begin.
pub(crate) const LIBRARY: &str = "espalier-replay: ";
/// How a program that asks for other inputs is told of.
const TEST_DIVERGED: &str = "test diverged: ";

/// What the C library says of an assertion that fails, after its function.
const ASSERTION: &str = "Assertion `";

const SHOWN_MESSAGE: usize = 300;

/// What a native run came to. How this is said to people is in `report::native_text`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    Exit(i32),
    /// The signal, and the last line on standard error, which says which assertion failed.
    Signal(i32, Option<String>),
    Sanitizer(Report),
    /// `klee_report_error`, or a misuse of the tool's own functions.
    ErrorReported(String),
    AssumptionFalse(String),
    /// The program asks for another input than the test has next.
    Diverged(String),
    /// The program uses what has no native counterpart.
    NoCounterpart(String),
    /// It came to the place with the mark.
    Reached,
    TimeLimit,
    MemoryLimit,
    /// Somebody asked to stop.
    Stopped,
    /// The test file cannot be read.
    Unreadable(String),
    NotStarted(String),
}

impl Outcome {
    pub(crate) fn of(end: &End, stderr: &[u8]) -> Outcome {
        let stderr = String::from_utf8_lossy(stderr);
        let library = || library_message(&stderr);
        match end {
            End::Exit(REPORTED) => match sanitizer::report(&stderr) {
                Some(report) => Outcome::Sanitizer(report),
                None => Outcome::Exit(REPORTED),
            },
            End::Exit(code @ (REACHED | UNREADABLE | DIVERGED | ASSUMPTION_FALSE | ERROR_REPORTED)) => {
                match (code, library()) {
                    (_, None) => Outcome::Exit(*code),
                    (&REACHED, Some(_)) => Outcome::Reached,
                    (&UNREADABLE, Some(message)) => Outcome::Unreadable(message),
                    (&ASSUMPTION_FALSE, Some(message)) => Outcome::AssumptionFalse(message),
                    (&ERROR_REPORTED, Some(message)) => Outcome::ErrorReported(message),
                    (_, Some(message)) => match message.strip_prefix(TEST_DIVERGED) {
                        Some(how) => Outcome::Diverged(how.to_owned()),
                        None => Outcome::NoCounterpart(message),
                    },
                }
            }
            End::Exit(code) => Outcome::Exit(*code),
            End::Signal(signal) => Outcome::Signal(*signal, last_line(&stderr)),
            End::TimeLimit => Outcome::TimeLimit,
            End::MemoryLimit => Outcome::MemoryLimit,
            End::Stopped => Outcome::Stopped,
            End::NotStarted(why) => Outcome::NotStarted(why.clone()),
        }
    }

    /// Did the program itself fail, on its own inputs?
    pub fn is_failure(&self) -> bool {
        matches!(self, Outcome::Signal(..) | Outcome::Sanitizer(_) | Outcome::ErrorReported(_))
    }

    /// Was a function called that stands for an error? Its message in the replay library tells, or
    /// its assertion.
    pub(crate) fn is_of_error_function(&self) -> bool {
        let Outcome::Signal(libc::SIGABRT, Some(last)) = self else { return matches!(self, Outcome::Reached) };
        ERROR_FUNCTIONS.iter().any(|name| {
            last.ends_with(&format!("{LIBRARY}{name} called")) || last.contains(&format!(": {name}: {ASSERTION}"))
        })
    }

    /// Did an assertion fail?
    pub(crate) fn is_of_assertion(&self) -> bool {
        matches!(self, Outcome::Signal(libc::SIGABRT, Some(last)) if last.contains(&format!(": {ASSERTION}")))
    }

    /// Did the C library find its heap damaged, or what is freed not to be of it?
    pub(crate) fn is_of_heap_check(&self) -> bool {
        const BEGINNINGS: [&str; 5] =
            ["free(): ", "double free or corruption", "munmap_chunk(): ", "realloc(): ", "malloc"];
        let Outcome::Signal(libc::SIGABRT, Some(last)) = self else { return false };
        BEGINNINGS.iter().any(|beginning| last.starts_with(beginning))
    }

    /// Was `abort` called, and by the program itself?
    pub(crate) fn is_of_abort(&self) -> bool {
        let Outcome::Signal(libc::SIGABRT, last) = self else { return false };
        let is_of_library =
            last.as_ref().is_some_and(|last| last.starts_with("*** ") || last.starts_with("corrupted "));
        !(is_of_library || self.is_of_heap_check() || self.is_of_assertion() || self.is_of_error_function())
    }

    /// A word for other tools.
    pub fn word(&self) -> &'static str {
        match self {
            Outcome::Exit(_) => "exit",
            Outcome::Signal(..) => "signal",
            Outcome::Sanitizer(_) => "sanitizer",
            Outcome::ErrorReported(_) => "error-reported",
            Outcome::AssumptionFalse(_) => "assumption-false",
            Outcome::Diverged(_) => "diverged",
            Outcome::NoCounterpart(_) => "no-counterpart",
            Outcome::Reached => "reached",
            Outcome::TimeLimit => "time-limit",
            Outcome::MemoryLimit => "memory-limit",
            Outcome::Stopped => "stopped",
            Outcome::Unreadable(_) => "unreadable",
            Outcome::NotStarted(_) => "not-started",
        }
    }

    /// What a sanitizer says beyond its first line, or what the program said last.
    pub fn details(&self) -> &[String] {
        match self {
            Outcome::Sanitizer(report) => &report.lines,
            Outcome::Signal(_, Some(line)) => std::slice::from_ref(line),
            _ => &[],
        }
    }
}

/// The last message of the replay library that is not a warning.
fn library_message(stderr: &str) -> Option<String> {
    // The program may have left a line unfinished.
    let mut messages = stderr.lines().filter_map(|line| line.split_once(LIBRARY));
    messages.rfind(|(_, message)| !message.starts_with("warning: ")).map(|(_, message)| shorten(message))
}

fn last_line(stderr: &str) -> Option<String> {
    stderr.lines().map(str::trim).rfind(|line| !line.is_empty()).map(shorten)
}

fn shorten(line: &str) -> String {
    let mut text: String = line.chars().take(SHOWN_MESSAGE).collect();
    if text.len() < line.len() {
        text += "...";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(end: End, stderr: &str) -> Outcome {
        Outcome::of(&end, stderr.as_bytes())
    }

    #[test]
    fn codes_count_only_with_their_message() {
        for code in [REPORTED, REACHED, UNREADABLE, DIVERGED, ASSUMPTION_FALSE, ERROR_REPORTED] {
            assert_eq!(outcome(End::Exit(code), "espalier-replay: warning: odd\nbye\n"), Outcome::Exit(code));
        }
        let message = "prints something\nespalier-replay: test diverged: the program asks for 'x' of 4 bytes\n";
        let diverged = Outcome::Diverged("the program asks for 'x' of 4 bytes".into());
        assert_eq!(outcome(End::Exit(DIVERGED), message), diverged);
        assert_eq!(outcome(End::Exit(3), message), Outcome::Exit(3));
        let reached = "unfinished espalier-replay: the place was reached\n";
        assert_eq!(outcome(End::Exit(REACHED), reached), Outcome::Reached);
        let other = outcome(End::Exit(DIVERGED), "espalier-replay: klee_alias_function cannot be replayed\n");
        assert_eq!(other, Outcome::NoCounterpart("klee_alias_function cannot be replayed".into()));
    }

    #[test]
    fn a_signal_comes_with_the_last_words() {
        let failed = "p: p.c:4: main: Assertion `x' failed.";
        let aborted = outcome(End::Signal(6), &format!("first\n{failed}\n\n"));
        assert_eq!(aborted, Outcome::Signal(6, Some(failed.into())));
        assert_eq!(aborted.details(), [failed]);
    }
}
