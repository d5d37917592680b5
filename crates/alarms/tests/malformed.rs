//! Whatever is made of the samples, reading ends with alarms or with an error, and what was read
//! can be written.

mod support;

use espalier_alarms::{Alarms, Database, Rules, Shown, Verdict, Word, annotate, involves_allocation};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};
use std::path::Path;
use support::{SAMPLES, sample};

/// Reads, and does everything with the alarms that can be done.
fn survives(text: &str) {
    let mut alarms = Alarms::new(None);
    if alarms.read_text(Path::new("sample"), text).is_err() {
        return;
    }
    let rules = Rules::default();
    for alarm in &alarms.alarms {
        rules.wanted(alarm);
        involves_allocation(alarm);
    }
    let verdicts = vec![Some(Verdict::new(Word::Open, "time is over")); alarms.alarms.len()];
    let (document, _) = annotate(&alarms, &verdicts, Shown::Open).into_one(Shown::Open);
    assert!(sarif::Document::parse(&document.to_text()).is_ok());
}

fn wrong_values() -> Vec<Value> {
    vec![json!(null), json!(-1), json!(1e300), json!("x"), json!([]), json!([[]]), json!({})]
}

/// Replaces the value at a place of a document, chosen by its number in a walk.
fn replace(value: &mut Value, number: &mut usize, by: &Value) -> bool {
    if *number == 0 {
        *value = by.clone();
        return true;
    }
    *number -= 1;
    match value {
        Value::Array(items) => items.iter_mut().any(|item| replace(item, number, by)),
        Value::Object(fields) => fields.values_mut().any(|field| replace(field, number, by)),
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn cut_swapped_and_damaged_text(which: Index, from: Index, to: Index, insert in "[\\x00-\\x7fé]{0,6}") {
        let text = sample(SAMPLES[which.index(SAMPLES.len())]);
        let characters: Vec<char> = text.chars().collect();
        let (from, to) = (from.index(characters.len()), to.index(characters.len()));
        let (before, behind) = (&characters[..from.min(to)], &characters[from.max(to)..]);
        let damaged: String = before.iter().copied().chain(insert.chars()).chain(behind.iter().copied()).collect();
        survives(&damaged);
    }

    #[test]
    fn a_single_damage(which: Index, at: Index, insert in "[\"<>:\\[\\]{}&0-9\n-]{1,3}") {
        let mut text: Vec<char> = sample(SAMPLES[which.index(SAMPLES.len())]).chars().collect();
        let at = at.index(text.len());
        text.splice(at..at + 1, insert.chars());
        survives(&text.into_iter().collect::<String>());
    }

    #[test]
    fn values_of_wrong_types(
        name in prop::sample::select(vec!["clang.sarif", "codeql.sarif", "gcc-13.sarif", "gcc.json"]),
        number in 0..900_usize,
        by in prop::sample::select(wrong_values()),
    ) {
        let mut value: Value = serde_json::from_str(&sample(name)).unwrap();
        replace(&mut value, &mut number.clone(), &by);
        survives(&value.to_string());
    }

    #[test]
    fn any_text(text in ".{0,60}") {
        survives(&text);
        let _ = Database::parse(Path::new("d.json"), &text);
    }
}
