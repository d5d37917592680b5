//! What a finished exploration proves.

use espalier_engine::{CutKind, Outcome};
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
            let mut detail = format!("a complete proof{scope}: every path was explored or is covered by one that was");
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
            && outcome.cuts.iter().all(|cut| cut.kind == CutKind::Limit && cut.reason.contains("--unwind"));
        if only_unwinding {
            Proof::Within(format!("within {bounds}; paths beyond were cut"))
        } else {
            Proof::Unknown("not everything was explored; the reasons are above".into())
        }
    }
}
