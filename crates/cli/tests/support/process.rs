//! Running a command within a time limit.

use espalier_base::process;
use std::process::Command;
use std::time::Duration;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum End {
    Exit(i32),
    Signal(i32),
    Timeout,
}

#[derive(Debug)]
pub struct Finished {
    pub end: End,
    pub stdout: String,
    pub stderr: String,
}

impl Finished {
    /// The end of what it printed, for messages.
    pub fn tail(&self) -> String {
        let lines: Vec<&str> = self.stderr.lines().chain(self.stdout.lines()).collect();
        lines[lines.len().saturating_sub(12)..].join("\n      ")
    }
}

/// It ended with this code, and printed all of this, on whichever stream.
#[track_caller]
pub fn check(finished: &Finished, code: i32, parts: &[&str]) {
    assert_eq!(finished.end, End::Exit(code), "{finished:?}");
    for part in parts {
        let is_there = finished.stdout.contains(part) || finished.stderr.contains(part);
        assert!(is_there, "{part:?} is not in\n{}{}", finished.stdout, finished.stderr);
    }
}

/// It ended with this code and an error message that has this in it.
#[track_caller]
pub fn check_error(finished: &Finished, code: i32, part: &str) {
    assert_eq!(finished.end, End::Exit(code), "{finished:?}");
    assert!(finished.stderr.contains(part), "{part:?} is not in {}", finished.stderr);
}

/// Runs a command to its end, or kills it and its children when time is up.
pub fn run(command: &mut Command, limit: Duration) -> Finished {
    let finished =
        process::capture(command, std::process::Stdio::null(), &process::Limits::time(limit), usize::MAX, &|| false);
    let end = match finished.end {
        process::End::Exit(code) => End::Exit(code),
        process::End::Signal(signal) => End::Signal(signal),
        process::End::TimeLimit => End::Timeout,
        other => panic!("{:?}: {other:?}", command.get_program()),
    };
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Finished { end, stdout: text(finished.stdout), stderr: text(finished.stderr) }
}
