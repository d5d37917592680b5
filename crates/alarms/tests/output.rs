//! What is written is valid SARIF, and it is what was read with nothing but our additions.

mod support;

use espalier_alarms::{Alarms, Baseline, Place, Scope, Shown, Step, Verdict, Word, annotate};
use serde_json::Value;
use std::path::Path;
use support::{SAMPLES, directory, sample};

fn read(names: &[&str]) -> Alarms {
    let mut alarms = Alarms::new(Some(directory()));
    for name in names {
        alarms.read_text(Path::new(name), &sample(name)).unwrap();
    }
    alarms
}

fn step(line: u32) -> Step {
    Step { place: Place { file: "five.c".into(), line, ..Place::default() }, message: format!("step {line}") }
}

/// A verdict of each kind, in turn.
fn verdicts(count: usize) -> Vec<Option<Verdict>> {
    let confirmed = Verdict {
        test: Some("espalier-out-0/test000001.ktest".into()),
        path: vec![step(11), step(12)],
        ..Verdict::new(Word::Confirmed, "a native build fails there")
    };
    let refuted = |scope| Verdict { scope: Some(scope), ..Verdict::new(Word::Refuted, "all paths were explored") };
    let possible = Verdict {
        function: Some("f".into()),
        precondition: Some("n == NULL && k > 3".into()),
        code_hash: Some("abc".into()),
        ..Verdict::new(Word::Possible, "from the beginning of f")
    };
    let kinds = [
        Some(confirmed),
        Some(refuted(Scope::Complete)),
        Some(refuted(Scope::Bounded)),
        Some(possible),
        None,
        Some(Verdict::new(Word::NotConfirmable, "reached")),
    ];
    kinds.into_iter().cycle().take(count).collect()
}

fn result(document: &sarif::Document, index: usize) -> Value {
    document.finding(0, index).expect("is there").value().clone()
}

/// A document without anything of ours, by hand and not by `Document::clear`.
fn without_additions(mut document: Value, original: &Value) -> Value {
    for (run, before) in document["runs"].as_array_mut().unwrap().iter_mut().zip(original["runs"].as_array().unwrap()) {
        let results = run["results"].as_array_mut().unwrap().iter_mut();
        for (result, before) in results.zip(before["results"].as_array().unwrap()) {
            let result = result.as_object_mut().unwrap();
            result["properties"].as_object_mut().unwrap().shift_remove("espalier");
            if before.get("properties").is_none() {
                result.shift_remove("properties");
            }
            match before.get("level") {
                Some(level) => drop(result.insert("level".into(), level.clone())),
                None => drop(result.shift_remove("level")),
            }
            for key in ["codeFlows", "suppressions"] {
                match before.get(key).and_then(Value::as_array) {
                    Some(list) => result[key].as_array_mut().unwrap().truncate(list.len()),
                    None => drop(result.shift_remove(key)),
                }
            }
        }
    }
    document
}

#[test]
fn ours_without_additions_is_the_input() {
    for name in ["clang.sarif", "codeql.sarif", "gcc-13.sarif"] {
        let alarms = read(&[name]);
        let verdicts: Vec<Option<Verdict>> =
            verdicts(6).into_iter().flatten().cycle().take(alarms.alarms.len()).map(Some).collect();
        let annotated = annotate(&alarms, &verdicts, Shown::All);
        assert_eq!(annotated.warnings, [""; 0], "{name}");
        let input: Value = serde_json::from_str(&sample(name)).unwrap();
        let left = without_additions(annotated.documents[0].value().clone(), &input);
        // As text, so that the order counts too.
        assert_eq!(left.to_string(), input.to_string(), "{name}");
        let again = read(&[name]);
        let mut cleared = annotated.documents[0].clone();
        (0..again.alarms.len()).for_each(|index| cleared.clear(0, index, "espalier"));
        assert_eq!(cleared.to_text(), again.inputs[0].document.to_text(), "{name}");
    }
}

#[test]
fn all_that_is_written_is_valid_sarif() {
    for name in SAMPLES {
        let alarms = read(&[name]);
        for shown in [Shown::All, Shown::Open] {
            let (document, _) = annotate(&alarms, &verdicts(alarms.alarms.len()), shown).into_one(shown);
            let parsed: Result<serde_sarif::sarif::Sarif, _> = serde_json::from_str(&document.to_text());
            let parsed = parsed.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(parsed.runs.len(), 1, "{name}");
            let mut again = Alarms::new(None);
            again.read_text(Path::new("again.sarif"), &document.to_text()).unwrap();
            assert!(again.alarms.len() <= alarms.alarms.len());
        }
    }
}

#[test]
fn verdicts_become_levels_flows_and_suppressions() {
    let alarms = read(&["clang.sarif"]);
    let document = &annotate(&alarms, &verdicts(6), Shown::All).documents[0];
    let confirmed = result(document, 0);
    assert_eq!(confirmed["level"], "error");
    assert_eq!(confirmed["codeFlows"].as_array().map(Vec::len), Some(2));
    assert_eq!(confirmed["codeFlows"][1]["threadFlows"][0]["locations"].as_array().map(Vec::len), Some(2));
    assert_eq!(confirmed["properties"]["espalier"]["verdict"], "confirmed");
    assert_eq!(confirmed["properties"]["espalier"]["test"], "espalier-out-0/test000001.ktest");
    let refuted = result(document, 1);
    assert_eq!(refuted["suppressions"][0]["kind"], "external");
    assert_eq!(refuted["suppressions"][0]["status"], "accepted");
    assert_eq!(refuted["suppressions"][0]["justification"], "Espalier refuted it: all paths were explored");
    assert_eq!(refuted["properties"]["espalier"]["scope"], "complete");
    for index in 2..6 {
        assert_eq!(result(document, index).get("suppressions"), None, "result {index}");
        assert_eq!(result(document, index)["level"], "warning", "result {index}");
    }
    assert_eq!(result(document, 4).get("properties"), None, "there is no verdict");
}

#[test]
fn open_leaves_out_what_is_completely_refuted() {
    let alarms = read(&["clang.sarif", "places.txt"]);
    let annotated = annotate(&alarms, &verdicts(alarms.alarms.len()), Shown::Open);
    let count = |document: &sarif::Document| document.runs().map(|run| run.findings().count()).sum::<usize>();
    assert_eq!(annotated.documents.iter().map(count).collect::<Vec<_>>(), [5, 3]);
    let (one, warnings) = annotated.into_one(Shown::Open);
    assert_eq!((one.runs().count(), count(&one), warnings.len()), (2, 8, 0));
    assert!(one.runs().flat_map(|run| run.findings()).all(|finding| finding.value().get("suppressions").is_none()));
}

#[test]
fn long_outputs_are_cut_with_a_warning() {
    let mut alarms = Alarms::new(None);
    let lines: String = (1..=5003).map(|line| format!("a.c:{line}: null\n")).collect();
    alarms.read_text(Path::new("many"), &lines).unwrap();
    let mut verdicts = vec![Some(Verdict::new(Word::Open, "")); 5003];
    let path = (1..=1001).map(step).collect();
    verdicts[5002] = Some(Verdict { path, ..Verdict::new(Word::Confirmed, "") });
    let annotated = annotate(&alarms, &verdicts, Shown::Open);
    assert_eq!(
        annotated.warnings,
        [
            "many: the first 1 steps of the executed path of result 5002 of run 0 are left out",
            "many: run 0: 3 results are left out: 5000 of a run are shown"
        ]
    );
    let last = result(&annotated.documents[0], 4999);
    assert_eq!(last["properties"]["espalier"]["verdict"], "confirmed", "what matters most is kept");
    assert_eq!(annotate(&alarms, &verdicts, Shown::All).documents[0].runs().next().unwrap().findings().count(), 5003);
    let many = vec!["places.txt"; 21];
    let (one, warnings) = annotate(&read(&many), &[], Shown::Open).into_one(Shown::Open);
    assert_eq!(
        (one.runs().count(), &warnings[..]),
        (20, &["the last 1 runs are left out: 20 are shown".to_owned()][..])
    );
}

#[test]
fn a_baseline_has_the_verdicts_of_an_older_output() {
    let alarms = read(&["gcc.json", "codeql.sarif"]);
    let given = verdicts(alarms.alarms.len());
    let (document, _) = annotate(&alarms, &given, Shown::All).into_one(Shown::All);
    let baseline = Baseline::of(&sarif::Document::parse(&document.to_text()).unwrap());
    assert_eq!(baseline.len(), given.iter().flatten().count());
    for (alarm, given) in alarms.alarms.iter().zip(given) {
        let without_path = given.map(|verdict| Verdict { path: Vec::new(), ..verdict });
        assert_eq!(baseline.verdict(&alarm.fingerprint), without_path.as_ref());
    }
    assert!(Baseline::of(&alarms.inputs[0].document).is_empty());
}
