//! From what a tool printed and how it ended to what it answered.
//!
//! Lines are matched as they arrive, so that a tool that prints without end costs time but no
//! memory.

use crate::process::{Budget, End, Ended, signal_name};
use regex::Regex;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::LazyLock;

/// What there is to know about a target.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Truth {
    Reachable,
    Unreachable,
}

/// How a run ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    Reachable,
    Unreachable,
    Unknown,
    Timeout,
    OutOfMemory,
    Error,
}

impl Kind {
    /// The answer, if there is one.
    pub(crate) fn verdict(self) -> Option<Truth> {
        match self {
            Kind::Reachable => Some(Truth::Reachable),
            Kind::Unreachable => Some(Truth::Unreachable),
            Kind::Unknown | Kind::Timeout | Kind::OutOfMemory | Kind::Error => None,
        }
    }

    /// Does the answer contradict what is known?
    pub(crate) fn is_wrong(self, truth: Option<Truth>) -> bool {
        matches!((self.verdict(), truth), (Some(answer), Some(truth)) if answer != truth)
    }
}

impl fmt::Display for Truth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Truth::Reachable => "reachable",
            Truth::Unreachable => "unreachable",
        })
    }
}

/// How a tool says what it found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers {
    pub(crate) reachable: Sign,
    pub(crate) unreachable: Sign,
    pub(crate) unknown: Sign,
}

/// What stands for one answer: a line of the output, or else an exit code.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sign {
    pub(crate) pattern: Option<Regex>,
    pub(crate) exits: Vec<i32>,
}

impl Sign {
    pub(crate) fn is_given(&self) -> bool {
        self.pattern.is_some() || !self.exits.is_empty()
    }

    fn matches(&self, line: &str) -> bool {
        self.pattern.as_ref().is_some_and(|pattern| pattern.is_match(line))
    }
}

/// What common allocators, languages and tools say when memory is used up.
static OUT_OF_MEMORY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)out of memory|bad_alloc|memory allocation of \d+ bytes failed|cannot allocate memory|MemoryError|memory exhausted")
        .expect("a valid pattern")
});

const KEPT: usize = 4096;
const LONGEST_LINE: usize = 1 << 20;

/// Reads a tool's output.
pub(crate) struct Listener<'a> {
    answers: &'a Answers,
    line: Vec<u8>,
    tail: Vec<u8>,
    says_reachable: bool,
    says_unreachable: bool,
    says_unknown: bool,
    says_out_of_memory: bool,
}

/// What a run amounts to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Judgement {
    pub(crate) kind: Kind,
    /// Why there is no answer.
    pub(crate) reason: Option<String>,
}

impl<'a> Listener<'a> {
    pub(crate) fn new(answers: &'a Answers) -> Listener<'a> {
        Listener {
            answers,
            line: Vec::new(),
            tail: Vec::new(),
            says_reachable: false,
            says_unreachable: false,
            says_unknown: false,
            says_out_of_memory: false,
        }
    }

    pub(crate) fn hear(&mut self, bytes: &[u8]) {
        self.tail.extend_from_slice(bytes);
        if self.tail.len() > 16 * KEPT {
            self.tail.drain(..self.tail.len() - KEPT);
        }
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") || self.line.len() > LONGEST_LINE {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        let line = String::from_utf8_lossy(&self.line);
        let line = line.trim_end_matches(['\n', '\r']);
        self.says_reachable |= self.answers.reachable.matches(line);
        self.says_unreachable |= self.answers.unreachable.matches(line);
        self.says_unknown |= self.answers.unknown.matches(line);
        self.says_out_of_memory |= OUT_OF_MEMORY.is_match(line);
        self.line.clear();
    }

    /// The end of the output.
    pub(crate) fn tail(&self) -> String {
        let tail = &self.tail[self.tail.len().saturating_sub(KEPT)..];
        String::from_utf8_lossy(tail).into_owned()
    }

    /// Decides what a run amounts to, after its end. An answer that comes after the limit does not
    /// count.
    pub(crate) fn judge(&mut self, ended: &Ended, budget: Budget) -> Judgement {
        self.end_line();
        if let End::NotStarted(why) = &ended.end {
            return Judgement { kind: Kind::Error, reason: Some(format!("cannot be started: {why}")) };
        }
        // Many tools just crash when they get no more memory.
        self.says_out_of_memory |= budget.memory.is_some_and(|memory| ended.usage.peak_memory >= memory / 10 * 9);
        let answer = self.answer(&ended.end);
        // Tools that keep a limit themselves give up a little early.
        let gave_up = answer.kind == Kind::Unknown && ended.wall >= budget.time.mul_f64(0.95);
        if ended.end == End::TimeLimit || ended.wall >= budget.time || gave_up {
            let late = answer.kind.verdict().map(|verdict| format!("answered {verdict}, but after the limit"));
            return Judgement { kind: Kind::Timeout, reason: late };
        }
        answer
    }

    fn answer(&self, end: &End) -> Judgement {
        let plain = |kind| Judgement { kind, reason: None };
        let error = |reason: String| Judgement { kind: Kind::Error, reason: Some(reason) };
        let has_exit = |sign: &Sign| matches!(end, End::Exit(code) if sign.exits.contains(code));
        let Answers { reachable, unreachable, unknown } = self.answers;
        match (self.says_reachable, self.says_unreachable) {
            (true, true) => return error("says both reachable and unreachable".into()),
            (true, false) => return plain(Kind::Reachable),
            (false, true) => return plain(Kind::Unreachable),
            (false, false) => {}
        }
        if !self.says_unknown && has_exit(reachable) {
            return plain(Kind::Reachable);
        }
        if !self.says_unknown && has_exit(unreachable) {
            return plain(Kind::Unreachable);
        }
        if self.says_out_of_memory {
            return plain(Kind::OutOfMemory);
        }
        if self.says_unknown || has_exit(unknown) {
            return plain(Kind::Unknown);
        }
        error(match end {
            End::Signal(signal) => format!("killed by {}", signal_name(*signal)),
            End::Exit(code) => format!("no answer in its output, and its exit code is {code}"),
            End::TimeLimit => "no answer in time".into(),
            End::MemoryLimit | End::Stopped | End::NotStarted(_) => "did not run to its end".into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Usage;
    use std::time::Duration;

    const BUDGET: Budget = Budget { time: Duration::from_secs(10), memory: Some(1 << 30) };

    fn answers() -> Answers {
        let sign = |pattern: &str, exits: &[i32]| Sign {
            pattern: Some(Regex::new(pattern).expect("a pattern")),
            exits: exits.to_vec(),
        };
        Answers { reachable: sign("^yes$", &[10]), unreachable: sign("^no$", &[0]), unknown: sign("^perhaps$", &[5]) }
    }

    fn judge(output: &str, end: End, seconds: f64) -> (Kind, String) {
        let answers = answers();
        let mut listener = Listener::new(&answers);
        output.as_bytes().chunks(2).for_each(|part| listener.hear(part));
        let wall = Duration::from_secs_f64(seconds);
        // Signals happen to those that use up the memory.
        let peak_memory = if end == End::Signal(libc::SIGBUS) { 1000 << 20 } else { 1 << 20 };
        let judgement = listener.judge(&Ended { end, wall, usage: Usage { peak_memory, ..Usage::default() } }, BUDGET);
        (judgement.kind, judgement.reason.unwrap_or_default())
    }

    #[test]
    fn patterns_win_over_exit_codes() {
        assert_eq!(judge("x\nyes\n", End::Exit(0), 1.0).0, Kind::Reachable);
        assert_eq!(judge("no", End::Signal(11), 1.0).0, Kind::Unreachable);
        assert_eq!(judge("perhaps\n", End::Exit(10), 1.0).0, Kind::Unknown);
        assert_eq!(judge("", End::Exit(10), 1.0).0, Kind::Reachable);
        assert_eq!(judge("", End::Exit(5), 1.0).0, Kind::Unknown);
    }

    #[test]
    fn what_is_no_answer_says_why() {
        assert_eq!(judge("yes\nno\n", End::Exit(0), 1.0), (Kind::Error, "says both reachable and unreachable".into()));
        assert_eq!(judge("", End::Signal(11), 1.0), (Kind::Error, "killed by signal 11 (SIGSEGV)".into()));
        let nonsense = "no answer in its output, and its exit code is 3";
        assert_eq!(judge("what?\n", End::Exit(3), 1.0), (Kind::Error, nonsense.into()));
        assert_eq!(judge("", End::NotStarted("no".into()), 0.0), (Kind::Error, "cannot be started: no".into()));
        assert_eq!(judge("", End::Signal(libc::SIGBUS), 1.0).0, Kind::OutOfMemory);
        assert_eq!(judge("terminate: std::bad_alloc\n", End::Signal(6), 1.0).0, Kind::OutOfMemory);
    }

    #[test]
    fn an_answer_after_the_limit_does_not_count() {
        assert_eq!(judge("yes", End::Exit(0), 10.1), (Kind::Timeout, "answered reachable, but after the limit".into()));
        assert_eq!(judge("perhaps", End::Exit(0), 9.6).0, Kind::Timeout);
        assert_eq!(judge("", End::TimeLimit, 14.0), (Kind::Timeout, String::new()));
    }

    #[test]
    fn only_the_end_of_the_output_is_kept() {
        let answers = answers();
        let mut listener = Listener::new(&answers);
        for number in 0..100_000 {
            listener.hear(format!("line {number}\n").as_bytes());
        }
        assert!(listener.tail.len() <= 16 * KEPT);
        assert!(listener.tail().ends_with("line 99999\n"));
    }
}
