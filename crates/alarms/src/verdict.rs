//! What was found out about an alarm, and what an older run found out.

use crate::Step;
use crate::annotate::OWNER;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Sorted as a table of them is.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Word {
    /// There is an input with which it happens.
    Confirmed,
    /// It happens if the function can be called as some precondition says.
    Possible,
    Open,
    NotConfirmable,
    /// It cannot happen, as far as the scope says.
    Refuted,
}

impl Word {
    pub fn name(self) -> &'static str {
        match self {
            Word::Confirmed => "confirmed",
            Word::Possible => "possible",
            Word::Open => "open",
            Word::NotConfirmable => "not-confirmable",
            Word::Refuted => "refuted",
        }
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a refutation holds for.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// Everything that the program can do.
    Complete,
    /// What it does within bounds of loops, environment or failing allocations.
    Bounded,
}

/// What is written as `properties.espalier` of a result, but for the executed path, which becomes a
/// code flow.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Verdict {
    #[serde(rename = "verdict")]
    pub word: Word,
    /// In words: how it was shown, or what is missing.
    pub how: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// The path of the test that shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// In C.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precondition: Option<String>,
    /// Of the bitcode that the verdict rests on: an older verdict holds only as long as it is the
    /// same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_hash: Option<String>,
    /// The path that was executed.
    #[serde(skip)]
    pub path: Vec<Step>,
}

impl Verdict {
    pub fn new(word: Word, how: impl Into<String>) -> Verdict {
        let how = how.into();
        let (scope, test, function, precondition, code_hash) = Default::default();
        Verdict { word, how, scope, test, function, precondition, code_hash, path: Vec::new() }
    }

    /// Only this suppresses an alarm.
    pub fn is_complete_refutation(&self) -> bool {
        self.word == Word::Refuted && self.scope == Some(Scope::Complete)
    }
}

/// The verdicts that an older output holds, by the fingerprints of their alarms.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Baseline {
    verdicts: BTreeMap<String, Verdict>,
}

/// The key beside the verdict's own.
pub(crate) const FINGERPRINT: &str = "fingerprint";

impl Baseline {
    /// What is no verdict of ours is passed over.
    pub fn of(document: &sarif::Document) -> Baseline {
        let said = document.runs().flat_map(|run| run.findings()).filter_map(|finding| finding.annotation(OWNER));
        let verdicts = said.filter_map(|said| {
            let fingerprint = said.get(FINGERPRINT)?.as_str()?.to_owned();
            Some((fingerprint, Verdict::deserialize(said).ok()?))
        });
        Baseline { verdicts: verdicts.collect() }
    }

    /// Whether its code is still the same is for the caller to see (`Verdict::code_hash`).
    pub fn verdict(&self, fingerprint: &str) -> Option<&Verdict> {
        self.verdicts.get(fingerprint)
    }

    pub fn len(&self) -> usize {
        self.verdicts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.verdicts.is_empty()
    }
}
