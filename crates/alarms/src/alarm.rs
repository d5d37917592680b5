//! An alarm, whoever raised it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Where in the sources. Lines and columns count from 1; the last column is the first behind the
/// place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug, Serialize, Deserialize)]
pub struct Place {
    /// Absolute, or relative to what the tool does not say.
    pub file: String,
    pub line: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u32>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        self.column.map_or(Ok(()), |column| write!(f, ":{column}"))
    }
}

/// A step of the way to an alarm, or of an executed path.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Step {
    pub place: Place,
    pub message: String,
}

/// Where an alarm stands: in which of the inputs, and in which result of the SARIF document that
/// the input is, or that is made of it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Origin {
    pub document: usize,
    pub run: usize,
    pub result: usize,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Alarm {
    /// Among all alarms that were read.
    pub index: usize,
    pub tool: String,
    /// As the tool writes it: `core.NullDereference`, `-Wanalyzer-null-dereference`, `nullPointer`.
    pub rule: Option<String>,
    pub message: String,
    pub level: sarif::Level,
    /// Ascending.
    pub cwes: Vec<u32>,
    /// `None` if the tool names none: nothing can be asked then, but the alarm is not lost.
    pub place: Option<Place>,
    /// Only if the tool names it.
    pub function: Option<String>,
    /// The ways to it, each in order. Steps without a place are left out.
    pub flows: Vec<Vec<Step>>,
    /// The same for the same alarm when lines have moved: of its rule, its function and the text of
    /// its line. If several alarms are the same by that, a number tells them apart.
    pub fingerprint: String,
    pub origin: Origin,
}

impl Alarm {
    /// Adds a step to the end of its only flow.
    pub(crate) fn add_step(&mut self, step: Step) {
        match self.flows.first_mut() {
            Some(flow) => flow.push(step),
            None => self.flows.push(vec![step]),
        }
    }

    /// The steps of all its flows.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.flows.iter().flatten()
    }
}
