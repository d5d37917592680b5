//! The `info` file: what was run, by which version, when, and what it came to. Beside `run.stats`
//! the only file with times in it.

use crate::klee;
use espalier_base::utc;
use espalier_engine::Outcome;
use std::fmt::Write;
use std::time::SystemTime;

#[derive(Clone)]
pub(crate) struct Info {
    pub(crate) command: Vec<String>,
    pub(crate) version: String,
    pub(crate) started: SystemTime,
    /// In the layout of KLEE's own.
    pub(crate) is_klee: bool,
}

impl Info {
    /// The text at the beginning of a run, or with its outcome and the number of tests at the end.
    pub(crate) fn render(&self, end: Option<(&Outcome, u64)>) -> String {
        if self.is_klee {
            return klee::info(&self.command, self.started, end);
        }
        let command: Vec<String> = self.command.iter().map(|arg| quote(arg)).collect();
        let mut text = format!("{}\n{}\nStarted: {}\n", command.join(" "), self.version, utc::format(self.started));
        let Some((outcome, tests)) = end else { return text };
        let paths = outcome.paths;
        let partial = paths.limited + paths.unsupported + paths.solver_unknown + outcome.open_states;
        let _ = write!(
            text,
            "Finished: {}\nElapsed: {:.3}s\nSolver: {:.3}s\n",
            utc::format(self.started + outcome.elapsed),
            outcome.elapsed.as_secs_f64(),
            outcome.solver_time.as_secs_f64(),
        );
        for (what, count) in [
            ("total instructions", outcome.instructions),
            ("completed paths", paths.completed + paths.errors + paths.silent),
            ("partially completed paths", partial),
            ("generated tests", tests),
            ("error paths", paths.errors),
            ("distinct errors", outcome.distinct_errors),
            ("infeasible paths", paths.infeasible),
            ("paths cut by limits", paths.limited),
            ("unsupported paths", paths.unsupported),
            ("paths the solver did not decide", paths.solver_unknown),
            ("open paths", outcome.open_states),
            ("forks", outcome.forks),
        ] {
            let _ = writeln!(text, "done: {what} = {count}");
        }
        let _ = writeln!(text, "exit code = {}", outcome.exit_code());
        text
    }
}

/// An argument as a shell would need it.
fn quote(arg: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:+@%".contains(c);
    if !arg.is_empty() && arg.chars().all(is_plain) {
        arg.to_owned()
    } else {
        format!("'{}'", arg.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_survive_a_shell() {
        assert_eq!(quote("--max-time=10s"), "--max-time=10s");
        assert_eq!(quote("a b"), "'a b'");
        assert_eq!(quote("it's"), "'it'\\''s'");
        assert_eq!(quote(""), "''");
    }
}
