//! Adding to a result what somebody else, the *owner*, has to say of it, so that it can be taken
//! away again.
//!
//! Of what is added, `properties.<owner>` is the owner's, and a code flow or a suppression has the
//! owner's mark in its own property bag. A level that was changed is kept in
//! `properties.<owner>.levelBefore`. What was there stays where it was, in its order; only an empty
//! bag or list that was there before is gone when the annotation is cleared.

use crate::{Document, Level, Location, build};
use serde_json::{Map, Value, json};
use thiserror::Error;

const LEVEL_BEFORE: &str = "levelBefore";

/// What is added to a result.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Annotation {
    pub properties: Map<String, Value>,
    pub level: Option<Level>,
    /// Steps of a further code flow, if there are any, and what it shows.
    pub flow: Vec<Location>,
    pub flow_message: String,
    /// Why the result may be taken as void: it is suppressed from outside of the source.
    pub suppression: Option<String>,
}

/// A result that cannot be annotated, because it is not formed as SARIF demands.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Misfit {
    #[error("there is no such result")]
    Missing,
    #[error("its `{0}` is not what SARIF 2.1.0 has there")]
    Malformed(&'static str),
}

impl Document {
    /// Annotates a result in place of what the same owner said of it before.
    pub fn annotate(&mut self, run: usize, index: usize, owner: &str, annotation: Annotation) -> Result<(), Misfit> {
        self.clear(run, index, owner);
        let finding = self.finding_mut(run, index).ok_or(Misfit::Missing)?;
        for (key, is_right) in [
            ("properties", Value::is_object as fn(&Value) -> bool),
            ("codeFlows", Value::is_array),
            ("suppressions", Value::is_array),
        ] {
            if finding.get(key).is_some_and(|value| !is_right(value)) {
                return Err(Misfit::Malformed(key));
            }
        }
        let mut properties = annotation.properties;
        if let Some(level) = annotation.level {
            let before = finding.insert("level".to_owned(), json!(level.name()));
            properties.insert(LEVEL_BEFORE.to_owned(), before.unwrap_or(Value::Null));
        }
        if !annotation.flow.is_empty() {
            let steps: Vec<Value> = annotation.flow.iter().map(build::flow_step).collect();
            let message = annotation.flow_message;
            push(
                finding,
                "codeFlows",
                owner,
                json!({"message": {"text": message}, "threadFlows": [{"locations": steps}]}),
            );
        }
        if let Some(why) = annotation.suppression {
            let suppression = json!({"kind": "external", "status": "accepted", "justification": why});
            push(finding, "suppressions", owner, suppression);
        }
        let bag = finding.entry("properties").or_insert_with(|| json!({}));
        if let Some(bag) = bag.as_object_mut() {
            bag.insert(owner.to_owned(), Value::Object(properties));
        }
        Ok(())
    }

    /// Takes away what this owner added to a result.
    pub fn clear(&mut self, run: usize, index: usize, owner: &str) {
        let Some(finding) = self.finding_mut(run, index) else { return };
        let bag = finding.get_mut("properties").and_then(Value::as_object_mut);
        let Some(mut said) = bag.and_then(|bag| bag.shift_remove(owner)) else { return };
        match said.get_mut(LEVEL_BEFORE).map(Value::take) {
            Some(Value::Null) => drop(finding.shift_remove("level")),
            Some(before) => drop(finding.insert("level".to_owned(), before)),
            None => {}
        }
        for key in ["codeFlows", "suppressions"] {
            if let Some(list) = finding.get_mut(key).and_then(Value::as_array_mut) {
                list.retain(|item| !is_of(item, owner));
            }
        }
        for key in ["properties", "codeFlows", "suppressions"] {
            let is_empty = |value: &Value| *value == json!([]) || *value == json!({});
            if finding.get(key).is_some_and(is_empty) {
                finding.shift_remove(key);
            }
        }
    }
}

/// Was this code flow or suppression added by this owner?
pub(crate) fn is_of(item: &Value, owner: &str) -> bool {
    item.get("properties").is_some_and(|bag| bag.get(owner).is_some())
}

fn push(finding: &mut Map<String, Value>, key: &str, owner: &str, mut item: Value) {
    item["properties"] = json!({ owner: true });
    if let Some(list) = finding.entry(key).or_insert_with(|| json!([])).as_array_mut() {
        list.push(item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Region;

    fn everything() -> Annotation {
        let at = |line| Location {
            path: Some("a b.c".into()),
            region: Some(Region { start_line: line, ..Region::default() }),
            message: Some("taken".into()),
            ..Location::default()
        };
        Annotation {
            properties: json!({"verdict": "confirmed"}).as_object().cloned().unwrap(),
            level: Some(Level::Error),
            flow: vec![at(1), at(2)],
            flow_message: "what was executed".into(),
            suppression: Some("no input".into()),
        }
    }

    fn document(finding: Value) -> Document {
        Document::from_value(json!({"z": 1, "runs": [{"results": [finding]}], "a": 2})).unwrap()
    }

    #[test]
    fn an_annotation_that_is_cleared_leaves_no_trace() {
        for finding in [
            json!({}),
            json!({"ruleId": "r", "level": "note", "message": {"text": "m"}, "unknown": [1, 2.5]}),
            json!({"properties": {"x": 1}, "suppressions": [{"kind": "inSource"}], "codeFlows": [{}], "kind": "fail"}),
        ] {
            let before = document(finding);
            let mut after = before.clone();
            after.annotate(0, 0, "me", everything()).unwrap();
            let once = after.clone();
            after.annotate(0, 0, "me", everything()).unwrap();
            assert_eq!(after.to_text(), once.to_text(), "a second annotation takes the place of the first");
            let finding = &after.value()["runs"][0]["results"][0];
            assert_eq!(finding["level"], "error");
            assert_eq!(finding["properties"]["me"]["verdict"], "confirmed");
            after.clear(0, 0, "me");
            assert_eq!(after.to_text(), before.to_text());
        }
    }

    #[test]
    fn what_is_malformed_is_left_as_it_is() {
        for (finding, key) in [(json!({"properties": 3}), "properties"), (json!({"codeFlows": {}}), "codeFlows")] {
            let before = document(finding);
            let mut after = before.clone();
            assert_eq!(after.annotate(0, 0, "me", everything()), Err(Misfit::Malformed(key)));
            assert_eq!(after, before);
        }
        assert_eq!(document(json!(3)).annotate(0, 0, "me", everything()), Err(Misfit::Missing));
        assert_eq!(document(json!({})).annotate(0, 1, "me", everything()), Err(Misfit::Missing));
    }
}
