//! What a finished exploration proves, and what it shows.

use crate::native::Confirmation;
use espalier_engine::{CutKind, Outcome, exit_code};
use espalier_exec::CutReason;
use espalier_report::approximation_text;
use std::fmt::Write as _;

/// How far the claim goes that nothing more can be reached.
pub(crate) enum Proof {
    /// For every input.
    Complete(String),
    /// Only for so many rounds of each loop.
    Within(String),
    Unknown(String),
}

impl Proof {
    /// `environment` says how much of it is symbolic, where not every environment was looked at.
    pub(crate) fn of(outcome: &Outcome, bounds: &str, environment: Option<&str>) -> Proof {
        if outcome.is_complete() {
            let scope = environment.map_or_else(String::new, |options| format!(" for {options}"));
            let conditions: Vec<String> = outcome.conditions().map(approximation_text).collect();
            let given = if conditions.is_empty() { String::new() } else { format!(" if {}", conditions.join(" and ")) };
            let mut detail =
                format!("a complete proof{scope}{given}: every path was explored or is covered by one that was");
            if outcome.paths.other_errors > 0 {
                let others = outcome.paths.other_errors;
                let _ = write!(detail, "; {others} of them end in errors that were not asked about");
            }
            return Proof::Complete(detail);
        }
        let only_unwinding = outcome.stop.is_none()
            && outcome.paths.approximate == 0
            && outcome.replays == 0
            && !outcome.cuts.is_empty()
            && outcome
                .cuts
                .iter()
                .all(|cut| cut.kind == CutKind::Limit && matches!(cut.reason, CutReason::Unwind { .. }));
        if only_unwinding {
            Proof::Within(format!("within {bounds}; paths beyond were cut"))
        } else {
            Proof::Unknown("not everything was explored; the reasons are above".into())
        }
    }
}

/// What is to be said of an error or a place that a path came to.
pub(crate) struct Found {
    pub(crate) word: &'static str,
    pub(crate) detail: String,
    pub(crate) exit_code: i32,
}

impl Found {
    /// `doubt` says why the program may not be able to follow the path: then only a native run can show that it does.
    pub(crate) fn of(confirmation: Option<Confirmation>, doubt: Option<&str>) -> Found {
        let is_confirmed = confirmation.as_ref().is_some_and(Confirmation::is_confirmed);
        let detail = match confirmation {
            None => "without a test: the solver found no input".into(),
            Some(Confirmation::Confirmed(how)) => format!("confirmed natively: {how}"),
            Some(Confirmation::NotConfirmed(why)) => format!("NOT confirmed natively: {why}"),
            Some(Confirmation::NotTried(why)) => format!("not run natively: {why}"),
        };
        match doubt.filter(|_| !is_confirmed) {
            None => Found { word: "reachable", detail, exit_code: exit_code::FOUND },
            Some(doubt) => {
                let detail = format!("a path comes there that may be none of the program's: {doubt}; {detail}");
                Found { word: "unknown", detail, exit_code: exit_code::INCOMPLETE }
            }
        }
    }
}
