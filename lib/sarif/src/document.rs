//! A document as a whole: what is taken for SARIF at all, and how it is written again.

use crate::{Finding, Run};
use serde_json::{Map, Value, json};
use thiserror::Error;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Why a text is not a document that can be read.
#[derive(Debug, Error)]
pub enum ParseError {
    #[error("it is not JSON: {0}")]
    NotJson(#[from] serde_json::Error),
    #[error("it is JSON but not SARIF: there is no array `runs` at the top")]
    NotSarif,
    #[error("it is SARIF {0}, and only 2.1.0 can be read; have the tool write that")]
    Version(String),
}

/// Has an array `runs`, always.
#[derive(Clone, PartialEq, Debug)]
pub struct Document {
    pub(crate) root: Value,
}

impl Document {
    pub fn parse(text: &str) -> Result<Document, ParseError> {
        Document::from_value(serde_json::from_str(text.trim_start_matches('\u{feff}'))?)
    }

    pub fn from_value(root: Value) -> Result<Document, ParseError> {
        if !root.get("runs").is_some_and(Value::is_array) {
            return Err(ParseError::NotSarif);
        }
        match root.get("version").and_then(Value::as_str) {
            // Drafts and later corrections are named `2.1.0-…`, and are read alike.
            Some(version) if !version.starts_with("2.1.") => Err(ParseError::Version(version.to_owned())),
            _ => Ok(Document { root }),
        }
    }

    /// Without a run.
    pub fn empty() -> Document {
        Document { root: json!({"$schema": SCHEMA, "version": "2.1.0", "runs": []}) }
    }

    pub fn value(&self) -> &Value {
        &self.root
    }

    pub fn into_value(self) -> Value {
        self.root
    }

    /// For a file: indented, with a line end behind the last brace.
    pub fn to_text(&self) -> String {
        format!("{:#}\n", self.root)
    }

    fn run_values(&self) -> &[Value] {
        self.root.get("runs").and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    pub fn runs(&self) -> impl Iterator<Item = Run<'_>> {
        self.run_values().iter().map(Run::new)
    }

    pub fn finding(&self, run: usize, index: usize) -> Option<Finding<'_>> {
        Run::new(self.run_values().get(run)?).finding(index)
    }

    pub(crate) fn runs_mut(&mut self) -> Option<&mut Vec<Value>> {
        self.root.get_mut("runs")?.as_array_mut()
    }

    pub(crate) fn finding_mut(&mut self, run: usize, index: usize) -> Option<&mut Map<String, Value>> {
        self.runs_mut()?.get_mut(run)?.get_mut("results")?.get_mut(index)?.as_object_mut()
    }

    /// Leaves out the findings for which `keep`, asked with the numbers of run and finding, says
    /// no.
    pub fn retain(&mut self, mut keep: impl FnMut(usize, usize) -> bool) {
        for (run, value) in self.runs_mut().into_iter().flatten().enumerate() {
            let Some(results) = value.get_mut("results").and_then(Value::as_array_mut) else { continue };
            let mut index = 0;
            results.retain(|_| {
                index += 1;
                keep(run, index - 1)
            });
        }
    }

    /// Takes over the runs of another document. What stands beside them there
    /// (`inlineExternalProperties` and the like) is not taken over.
    pub fn append(&mut self, mut other: Document) {
        if let (Some(runs), Some(others)) = (self.runs_mut(), other.runs_mut()) {
            runs.append(others);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_sarif_is_refused_with_the_reason() {
        let refused = |text: &str| Document::parse(text).expect_err("is refused").to_string();
        assert!(refused("{").starts_with("it is not JSON: "));
        assert!(refused("[]").contains("no array `runs`"));
        assert!(refused(r#"{"runs": {}}"#).contains("no array `runs`"));
        assert!(refused(r#"{"version": "2.0.0", "runs": []}"#).contains("SARIF 2.0.0"));
        assert!(Document::parse("\u{feff}{\"runs\": []}").is_ok());
    }

    #[test]
    fn findings_are_left_out_by_their_numbers() {
        let mut document = Document::parse(r#"{"runs": [{}, {"results": [1, 2, 3]}]}"#).unwrap();
        document.retain(|run, index| (run, index) != (1, 1));
        assert_eq!(document.value().to_string(), r#"{"runs":[{},{"results":[1,3]}]}"#);
        document.append(Document::parse(r#"{"runs": [7]}"#).unwrap());
        assert_eq!(document.runs().count(), 3);
    }
}
