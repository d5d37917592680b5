//! `espalier check`: is an error reachable? A verdict instead of tests.

use crate::native::{self, Confirmation};
use crate::run::{Finished, explore};
use crate::settings;
use crate::verdict::Proof;
use clap::ArgMatches;
use espalier_engine::{Only, Outcome, Tests, exit_code};
use serde_json::json;
use std::ffi::OsString;
use std::io::Write;

/// Checks a program and gives the exit code.
pub(crate) fn check(matches: &ArgMatches, command_line: &[OsString]) -> i32 {
    let mut config = settings::config(matches);
    config.exit_on_error = !config.emit_all_errors;
    config.tests = Tests::Errors;
    let only = config.only;
    let Finished { outcome, error_test, .. } = match explore(matches, command_line, config, |_| Ok(())) {
        Ok(finished) => finished,
        Err(code) => return code,
    };
    let input = settings::input(matches);
    let confirmation = error_test.map(|test| native::confirm(&input.files, &input.cc_args, &test));
    let verdict = Verdict::of(&outcome, only, &settings::bounds(matches), confirmation);
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
    fn of(outcome: &Outcome, only: Only, bounds: &str, confirmation: Option<Confirmation>) -> Verdict {
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
        let (word, detail, exit_code) = match Proof::of(outcome, bounds) {
            Proof::Complete(detail) => (proved, detail, exit_code::CLEAN),
            Proof::Within(detail) => (proved, detail, exit_code::INCOMPLETE),
            Proof::Unknown(detail) => ("unknown", detail, exit_code::INCOMPLETE),
        };
        Verdict { word, detail, exit_code }
    }

    fn text(&self) -> String {
        format!("Verdict: {} ({})", self.word, self.detail)
    }

    fn json(&self) -> String {
        json!({"schema": 1, "event": "verdict", "verdict": self.word, "detail": self.detail}).to_string()
    }
}
