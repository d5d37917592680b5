//! The answer to a question about a program, in plain English.

use crate::approximation_text::approximation_text;
use crate::json::Event;
use espalier_engine::{Confirmation, Failure, Proof, Unknown, Verdict};
use std::fmt::Write;

/// Why such a run has no verdict, and what it found is not confirmed.
const BY_FORCE: &str = "the run did not stop when it should, and was ended by force";

/// What was asked, as far as the answer names it.
#[derive(Clone, Debug)]
pub struct Question {
    pub about: About,
    /// The bounds on loops, in words.
    pub bounds: String,
    /// How much of the environment is symbolic, where not every environment was looked at.
    pub environment: Option<String>,
}

/// What may be reached or not.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum About {
    /// Any error.
    Errors,
    /// A failing assertion or a call of an error function.
    Calls,
    /// A place in the program.
    Place,
}

/// How call chains are cut.
pub fn chain_cut_text(functions: &[String]) -> String {
    match functions {
        [] => "nothing calls the function that it is in".to_owned(),
        [one] => format!("no state in which {one}() is called leads there, and every chain of calls passes it"),
        several => format!(
            "no state in which {}() is called leads there, and every chain of calls passes one of them",
            several.join("(), ")
        ),
    }
}

impl Question {
    /// The answer in a word.
    pub fn word(&self, verdict: &Verdict) -> &'static str {
        match verdict {
            Verdict::Reachable(_) => "reachable",
            Verdict::Unreachable { .. } if self.about == About::Errors => "safe",
            Verdict::Unreachable { .. } => "unreachable",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// What the answer rests on, or why there is none.
    pub fn detail(&self, verdict: &Verdict) -> String {
        match verdict {
            Verdict::Reachable(confirmation) => confirmed(confirmation),
            Verdict::Unreachable { proof: Proof::WithinBounds, .. } => {
                format!("within {}; paths beyond were cut", self.bounds)
            }
            Verdict::Unreachable { proof: Proof::Complete, conditions, other_errors, cut } => {
                let scope = self
                    .environment
                    .as_ref()
                    .filter(|_| cut.is_none())
                    .map_or_else(String::new, |options| format!(" for {options}"));
                let conditions: Vec<String> = conditions.iter().map(approximation_text).collect();
                let given =
                    if conditions.is_empty() { String::new() } else { format!(" if {}", conditions.join(" and ")) };
                let how = match cut {
                    None => "every path was explored or is covered by one that was".to_owned(),
                    Some(functions) => chain_cut_text(functions),
                };
                let mut detail = format!("a complete proof{scope}{given}: {how}");
                match cut {
                    _ if *other_errors == 0 => {}
                    None => {
                        let _ = write!(detail, "; {other_errors} of them end in errors that were not asked about");
                    }
                    Some(_) => {
                        let _ = match other_errors {
                            1 => write!(detail, "; a path from there ends in another error"),
                            _ => write!(detail, "; {other_errors} paths from there end in other errors"),
                        };
                    }
                }
                detail
            }
            Verdict::Unknown(unknown) => self.why_unknown(unknown),
        }
    }

    /// For other tools; `svcomp` is the answer in SV-COMP's words.
    pub fn event<'a>(&self, verdict: &Verdict, svcomp: &'a str) -> Event<'a> {
        Event::Verdict { verdict: self.word(verdict), detail: self.detail(verdict), svcomp }
    }

    /// The same of one place of several, with the test that leads there.
    pub fn target_event<'a>(&self, target: &'a str, verdict: &Verdict, test: Option<String>) -> Event<'a> {
        Event::Target { target, verdict: self.word(verdict), detail: self.detail(verdict), test }
    }

    fn why_unknown(&self, unknown: &Unknown) -> String {
        match unknown {
            Unknown::Incomplete => "not everything was explored; the reasons are above".into(),
            Unknown::Doubtful { doubt, confirmation } => format!(
                "a path comes there that may be none of the program's: {}; {}",
                approximation_text(doubt),
                confirmed(confirmation)
            ),
            Unknown::EndedByForce { has_found: false } => BY_FORCE.into(),
            Unknown::EndedByForce { has_found: true } => format!("what was found is not confirmed: {BY_FORCE}"),
            Unknown::Failed(_) if self.about == About::Place => "an internal error".into(),
            Unknown::Failed(Failure::Pruning) => "pruning went wrong".into(),
            Unknown::Failed(Failure::Output) => "the output failed".into(),
            Unknown::NotSupported(why) => why.clone(),
        }
    }
}

fn confirmed(confirmation: &Confirmation) -> String {
    match confirmation {
        Confirmation::Confirmed(how) => format!("confirmed natively: {how}"),
        Confirmation::NotConfirmed(why) => format!("NOT confirmed natively: {why}"),
        Confirmation::NotTried(why) => format!("not run natively: {why}"),
        Confirmation::NoTest => "without a test: the solver found no input".into(),
        Confirmation::EndedByForce => format!("not run natively: {BY_FORCE}"),
    }
}
