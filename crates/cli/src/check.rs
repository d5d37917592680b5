//! `espalier check`: is an error reachable? A verdict instead of tests.

use crate::native::{self, Confirmation};
use crate::run::{Finished, explore};
use crate::settings;
use clap::ArgMatches;
use espalier_engine::{CutKind, Only, Outcome, Tests, exit_code};
use serde_json::json;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write;

/// Checks a program and gives the exit code.
pub(crate) fn check(matches: &ArgMatches, command_line: &[OsString]) -> i32 {
    let mut config = settings::config(matches);
    config.exit_on_error = !config.emit_all_errors;
    config.tests = Tests::Errors;
    let only = config.only;
    let Finished { outcome, error_test } = match explore(matches, command_line, config) {
        Ok(finished) => finished,
        Err(code) => return code,
    };
    let input = settings::input(matches);
    let confirmation = error_test.map(|test| native::confirm(&input.files, &input.cc_args, &test));
    let verdict = Verdict::of(&outcome, only, settings::unwind(matches), confirmation);
    let line = if matches.get_flag("json") { verdict.json() } else { verdict.text() };
    if writeln!(std::io::stdout(), "{line}").is_err() {
        return exit_code::INTERNAL;
    }
    verdict.exit_code
}

struct Verdict {
    word: &'static str,
    detail: String,
    exit_code: i32,
}

impl Verdict {
    fn of(outcome: &Outcome, only: Only, unwind: Option<u32>, confirmation: Option<Confirmation>) -> Verdict {
        let proved = if matches!(only, Only::Assert | Only::Reach) { "unreachable" } else { "safe" };
        if !outcome.refuted.is_empty() {
            let detail = "pruning went wrong".into();
            return Verdict { word: "unknown", detail, exit_code: exit_code::INTERNAL };
        }
        if outcome.observer_error.is_some() {
            return Verdict { word: "unknown", detail: "the output failed".into(), exit_code: exit_code::INTERNAL };
        }
        if outcome.paths.errors > 0 {
            let detail = match confirmation {
                None => "without a test: the solver found no input".into(),
                Some(Confirmation::Confirmed(how)) => format!("confirmed natively: {how}"),
                Some(Confirmation::NotConfirmed(why)) => format!("NOT confirmed natively: {why}"),
                Some(Confirmation::NotTried(why)) => format!("not run natively: {why}"),
            };
            return Verdict { word: "reachable", detail, exit_code: exit_code::FOUND };
        }
        if outcome.is_complete() {
            let mut detail = String::from("a complete proof: every path was explored or is covered by one that was");
            if outcome.paths.other_errors > 0 {
                let others = outcome.paths.other_errors;
                let _ = write!(detail, "; {others} of them end earlier, in errors that were not asked about");
            }
            return Verdict { word: proved, detail, exit_code: exit_code::CLEAN };
        }
        let only_unwinding = outcome.stop.is_none()
            && outcome.paths.approximate == 0
            && outcome.cuts.iter().all(|cut| cut.kind == CutKind::Limit && cut.reason.contains("--unwind"));
        match unwind.filter(|_| only_unwinding) {
            Some(bound) => Verdict {
                word: proved,
                detail: format!("within {bound} iterations of each loop; paths beyond were cut"),
                exit_code: exit_code::INCOMPLETE,
            },
            None => Verdict {
                word: "unknown",
                detail: "not everything was explored; the reasons are above".into(),
                exit_code: exit_code::INCOMPLETE,
            },
        }
    }

    fn text(&self) -> String {
        format!("Verdict: {} ({})", self.word, self.detail)
    }

    fn json(&self) -> String {
        json!({"schema": 1, "event": "verdict", "verdict": self.word, "detail": self.detail}).to_string()
    }
}
