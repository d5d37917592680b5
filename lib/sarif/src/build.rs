//! Writing a run of one's own: rules, results, places and flows.

use crate::{Document, Level, Location, uri};
use serde_json::{Map, Value, json};

/// A result to be written.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct NewFinding {
    pub rule: Option<String>,
    pub cwes: Vec<u32>,
    pub level: Level,
    pub message: String,
    pub locations: Vec<Location>,
    pub flows: Vec<Vec<Location>>,
    /// By the name of how it was computed.
    pub fingerprints: Vec<(String, String)>,
}

#[derive(Clone, PartialEq, Default, Debug)]
pub struct NewRun {
    pub tool: String,
    pub findings: Vec<NewFinding>,
}

impl NewRun {
    pub fn into_document(self) -> Document {
        let mut rules: Vec<(String, Value)> = Vec::new();
        let results: Vec<Value> = self.findings.iter().map(|finding| finding.value(&mut rules)).collect();
        let rules: Vec<Value> = rules.into_iter().map(|(_, rule)| rule).collect();
        let driver = json!({"name": self.tool, "rules": rules});
        let run = json!({"tool": {"driver": driver}, "results": results});
        let mut document = Document::empty();
        document.runs_mut().into_iter().for_each(|runs| runs.push(run.clone()));
        document
    }
}

impl NewFinding {
    fn value(&self, rules: &mut Vec<(String, Value)>) -> Value {
        let mut value = Map::new();
        if let Some(rule) = &self.rule {
            value.insert("ruleId".to_owned(), json!(rule));
            value.insert("ruleIndex".to_owned(), json!(self.number_of_rule(rule, rules)));
        }
        value.insert("level".to_owned(), json!(self.level.name()));
        value.insert("message".to_owned(), json!({"text": self.message}));
        value.insert("locations".to_owned(), self.locations.iter().map(location).collect());
        if !self.fingerprints.is_empty() {
            let fingerprints = self.fingerprints.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
            value.insert("partialFingerprints".to_owned(), Value::Object(fingerprints));
        }
        let flows = self.flows.iter().filter(|steps| !steps.is_empty());
        let flows: Vec<Value> = flows.map(|steps| thread_flow(steps)).collect();
        if !flows.is_empty() {
            value.insert("codeFlows".to_owned(), Value::Array(flows));
        }
        Value::Object(value)
    }

    /// A rule is described when its first result is written, weaknesses included.
    fn number_of_rule(&self, rule: &str, rules: &mut Vec<(String, Value)>) -> usize {
        rules.iter().position(|(name, _)| name == rule).unwrap_or_else(|| {
            let mut description = json!({"id": rule});
            if !self.cwes.is_empty() {
                let tags: Vec<String> = self.cwes.iter().map(|cwe| format!("external/cwe/cwe-{cwe:03}")).collect();
                description["properties"] = json!({"tags": tags});
            }
            rules.push((rule.to_owned(), description));
            rules.len() - 1
        })
    }
}

fn thread_flow(steps: &[Location]) -> Value {
    let steps: Vec<Value> = steps.iter().map(flow_step).collect();
    json!({"threadFlows": [{"locations": steps}]})
}

pub(crate) fn flow_step(step: &Location) -> Value {
    json!({"location": location(step)})
}

fn location(at: &Location) -> Value {
    let mut value = Map::new();
    if let Some(path) = &at.path {
        let mut physical = json!({"artifactLocation": {"uri": uri::of_path(path)}});
        if let Some(region) = at.region {
            let fields = [
                ("startLine", Some(region.start_line)),
                ("startColumn", region.start_column),
                ("endLine", region.end_line),
                ("endColumn", region.end_column),
            ];
            let given = fields.into_iter().filter_map(|(key, number)| Some((key.to_owned(), json!(number?))));
            physical["region"] = Value::Object(given.collect());
        }
        value.insert("physicalLocation".to_owned(), physical);
    }
    if let Some(function) = &at.function {
        value.insert("logicalLocations".to_owned(), json!([{"name": function, "kind": "function"}]));
    }
    if let Some(message) = &at.message {
        value.insert("message".to_owned(), json!({"text": message}));
    }
    Value::Object(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Region;

    #[test]
    fn what_is_written_is_read_again() {
        let region = Region { start_line: 3, start_column: Some(7), end_line: None, end_column: Some(9) };
        let place = Location {
            path: Some("/a b/c#d.c".into()),
            region: Some(region),
            function: Some("f".into()),
            message: Some("here".into()),
        };
        let finding = NewFinding {
            rule: Some("null".into()),
            cwes: vec![22, 476],
            level: Level::Note,
            message: "m".into(),
            locations: vec![place.clone()],
            flows: vec![vec![place.clone(), place.clone()], vec![]],
            fingerprints: vec![("f/v1".into(), "ab".into())],
        };
        let without_rule = NewFinding { rule: None, cwes: vec![], ..finding.clone() };
        let document =
            NewRun { tool: "t".into(), findings: vec![finding.clone(), without_rule, finding] }.into_document();
        let read = Document::parse(&document.to_text()).unwrap();
        assert_eq!(read, document);
        let run = read.runs().next().unwrap();
        assert_eq!(run.tool(), Some("t"));
        let rules: Vec<Option<&str>> = run.findings().map(|finding| finding.rule_id()).collect();
        assert_eq!(rules, [Some("null"), None, Some("null")]);
        let first = run.finding(0).unwrap();
        assert_eq!((first.level(), first.message(), first.cwes()), (Level::Note, "m".to_owned(), vec![22, 476]));
        assert_eq!(first.locations(), std::slice::from_ref(&place));
        assert_eq!(first.flows(None), [[place.clone(), place]]);
    }
}
