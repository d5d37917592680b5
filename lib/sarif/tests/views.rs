//! The ways in which results name their rules, weaknesses, messages and places.

use sarif::{Document, Finding, Level, Region};
use serde_json::{Value, json};

fn with<T>(run: Value, read: impl Fn(Finding<'_>) -> T) -> T {
    let document = Document::from_value(json!({"version": "2.1.0", "runs": [run]})).unwrap();
    read(document.finding(0, 0).expect("there is a result"))
}

fn run(rules: Value, result: Value) -> Value {
    json!({"tool": {"driver": {"name": "t", "rules": rules}}, "results": [result]})
}

#[test]
fn a_rule_is_named_or_numbered() {
    let rules = json!([{"id": "A"}, {"id": "B", "defaultConfiguration": {"level": "error"}}]);
    let extended = |result: Value| {
        let extension = json!({"name": "pack", "guid": "g", "rules": [{"id": "X"}, {"id": "Y"}]});
        json!({"tool": {"driver": {"rules": rules}, "extensions": [extension]}, "results": [result]})
    };
    for (result, id, level) in [
        (json!({"ruleId": "B"}), Some("B"), Level::Error),
        (json!({"ruleId": "B/1"}), Some("B/1"), Level::Error),
        (json!({"ruleIndex": 1}), Some("B"), Level::Error),
        (json!({"ruleIndex": 1, "level": "note"}), Some("B"), Level::Note),
        (json!({"ruleIndex": -1, "rule": {"index": 1}}), Some("B"), Level::Error),
        (json!({"rule": {"id": "unknown"}}), Some("unknown"), Level::Warning),
        (json!({"rule": {"index": 1, "toolComponent": {"index": 0}}}), Some("Y"), Level::Warning),
        (json!({"rule": {"index": 1, "toolComponent": {"name": "pack"}}}), Some("Y"), Level::Warning),
        (json!({"rule": {"index": 1, "toolComponent": {"guid": "g"}}}), Some("Y"), Level::Warning),
        (json!({"ruleIndex": 9}), None, Level::Warning),
        (json!({"ruleId": 7, "level": []}), None, Level::Warning),
        (json!("no object"), None, Level::Warning),
    ] {
        with(extended(result.clone()), |finding| {
            assert_eq!(finding.rule_id(), id, "{result}");
            assert_eq!(finding.level(), level, "{result}");
        });
    }
}

#[test]
fn weaknesses_are_tags_taxa_and_relations() {
    let relation = |id: &str, name: &str| json!({"target": {"id": id, "toolComponent": {"name": name}}});
    let rules = json!([{
        "id": "A",
        "properties": {"tags": ["security", "external/cwe/cwe-022", "CWE-79: XSS", "cwe-", "cwe-x", 3]},
        "relationships": [relation("CWE-476", "CWE"), relation("12", "OWASP"), relation("é", "cwe")],
    }]);
    let taxa = json!([
        {"id": "690", "toolComponent": {"name": "cwe"}},
        {"index": 1, "toolComponent": {"index": 0}},
        {"id": "5"},
    ]);
    let mut run = run(rules, json!({"ruleId": "A", "taxa": taxa, "properties": {"tags": ["cwe-22"]}}));
    run["taxonomies"] = json!([{"name": "CWE", "taxa": [{"id": "1"}, {"id": "CWE-2"}]}]);
    assert_eq!(with(run, |finding| finding.cwes()), [2, 22, 79, 476, 690]);
}

#[test]
fn messages_are_completed() {
    let rules = json!([{"id": "A", "messageStrings": {"m": {"text": "{1} and {0}, {2} {x} {"}}}]);
    for (message, text) in [
        (
            json!({"text": "see [here](1), [there](http://x) and a[0] [b [c](2)"}),
            "see here, [there](http://x) and a[0] [b c",
        ),
        (json!({"id": "m", "arguments": ["a", "b"]}), "b and a, {2} {x} {"),
        (json!({"id": "n"}), ""),
        (json!({"markdown": "*m*"}), "*m*"),
        (json!(7), ""),
    ] {
        let read = with(run(rules.clone(), json!({"ruleId": "A", "message": message})), |finding| finding.message());
        assert_eq!(read, text, "{message}");
    }
}

#[test]
fn places_and_flows_may_lie_elsewhere() {
    let at =
        |line: Value| json!({"physicalLocation": {"artifactLocation": {"index": 0}, "region": {"startLine": line}}});
    let mut place = at(json!(3));
    place["logicalLocations"] = json!([{"name": "space", "kind": "namespace"}, {"index": 0}]);
    let step = |location: Value| json!({"location": location});
    let mut run = run(
        json!([]),
        json!({
            "locations": [place, at(json!(0)), at(json!("3")), 5],
            "codeFlows": [{"threadFlows": [{"locations": [{"index": 0}, step(at(json!(9))), {"index": 4}, 7]}]}, 8],
        }),
    );
    run["artifacts"] = json!([{"location": {"uri": "a.c"}}]);
    run["logicalLocations"] = json!([{"fullyQualifiedName": "f", "kind": "function"}]);
    run["threadFlowLocations"] = json!([step(at(json!(8)))]);
    with(run, |finding| {
        let locations = finding.locations();
        assert_eq!(locations[0].path.as_deref(), Some("a.c"));
        assert_eq!(locations[0].region, Some(Region { start_line: 3, ..Region::default() }));
        assert_eq!(locations[0].function.as_deref(), Some("f"));
        assert!(locations[1..].iter().all(|location| location.region.is_none()));
        let lines: Vec<Option<u32>> =
            finding.flows(None)[0].iter().map(|step| step.region.map(|region| region.start_line)).collect();
        assert_eq!(lines, [Some(8), Some(9)]);
    });
}
