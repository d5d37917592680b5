//! SV-COMP's and Test-Comp's conventions: properties, tasks, verdict lines, witnesses, tests.

mod support;

use serde_yaml_ng::Value;
use support::process::{End, Finished};
use support::project::Project;

const UNREACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
const OVERFLOW: &str = "CHECK( init(main()), LTL(G ! overflow) )\n";
const MEMORY: &str = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                      CHECK( init(main()), LTL(G valid-memtrack) )\n";

const PROGRAM: &str = "\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned char c = __VERIFIER_nondet_uchar();
    char *p = malloc(4);
    if (!p)
        abort();
    if (x + 1 > 100 && c == LIMIT)
        reach_error();
    p[c & 3] = 1;
    if (sizeof(long) == 4)
        free(p);
    return 0;
}
";

fn project() -> Project {
    let project = Project::new(PROGRAM);
    for (name, text) in [("unreach-call.prp", UNREACH), ("no-overflow.prp", OVERFLOW), ("valid-memsafety.prp", MEMORY)]
    {
        project.write(name, text.as_bytes());
    }
    project
}

#[track_caller]
fn expect(finished: &Finished, code: i32, answer: &str) {
    assert_eq!(finished.end, End::Exit(code), "{finished:?}");
    assert_eq!(finished.stdout.lines().last(), Some(answer), "{finished:?}");
}

#[test]
fn answers() {
    let project = project();
    let check = |args: &str| project.run(&format!("check --svcomp {args}"));
    expect(&check("--prop unreach-call.prp -DLIMIT=200 prog.c"), 10, "false(unreach-call)");
    expect(&check("--prop unreach-call.prp -DLIMIT=256 prog.c"), 0, "true");
    expect(&check("--prop no-overflow.prp -DLIMIT=256 prog.c"), 10, "false(no-overflow)");
    expect(&check("--prop valid-memsafety.prp -DLIMIT=256 prog.c"), 10, "false(valid-memtrack)");
    expect(&check("--prop valid-memsafety.prp --data-model ILP32 -DLIMIT=256 prog.c"), 0, "true");
    expect(&check("--prop unreach-call.prp --max-instructions=5 -DLIMIT=256 prog.c"), 5, "unknown");
}

#[test]
fn properties_beyond_us_are_unknown() {
    let project = project();
    for formula in ["G ! data-race", "F end", "G valid-memcleanup", "G ! call(other())"] {
        project.write("other.prp", format!("CHECK( init(main()), LTL({formula}) )").as_bytes());
        expect(&project.run("check --svcomp --prop other.prp -DLIMIT=256 prog.c"), 5, "unknown");
    }
    project.write("plain.ll", b"define i32 @main() { ret i32 0 }");
    expect(&project.run("check --svcomp --prop no-overflow.prp plain.ll"), 5, "unknown");
    project.write("mixed.prp", format!("{UNREACH}{OVERFLOW}").as_bytes());
    expect(&project.run("check --svcomp --prop mixed.prp -DLIMIT=256 prog.c"), 5, "unknown");
}

#[test]
fn tasks() {
    let project = project();
    let task = "format_version: '2.0'\ninput_files: 'prog.c'\nproperties:\n  - property_file: unreach-call.prp\n    \
                expected_verdict: true\n  - property_file: no-overflow.prp\noptions:\n  language: C\n  data_model: LP64\n";
    project.write("task.yml", task.as_bytes());
    let wrong = project.run("check --svcomp --prop unreach-call.prp -DLIMIT=200 task.yml");
    expect(&wrong, 10, "false(unreach-call)");
    assert!(wrong.stderr.contains("the task expects true"), "{wrong:?}");
    expect(&project.run("check --svcomp --prop no-overflow.prp -DLIMIT=200 task.yml"), 10, "false(no-overflow)");
    let unclear = project.run("check --svcomp -DLIMIT=200 task.yml");
    assert!(unclear.stderr.contains("choose one with --prop: unreach-call.prp, no-overflow.prp"), "{unclear:?}");
}

#[test]
fn bad_files_are_told_with_their_place() {
    let project = project();
    project.write("bad.prp", b"CHECK( init(main()), LTL(G ! overflow) )\n  CHEK( x )\n");
    project.write("bad.yml", b"input_files: 'prog.c'\nproperties: [\n");
    project.write("bits.yml", b"input_files: 'prog.c'\noptions:\n  data_model: LP128\n");
    let wrong = [
        ("--prop bad.prp prog.c", "bad.prp:2:3: not a property"),
        ("--prop none.prp prog.c", "none.prp: No such file"),
        ("bad.yml", "bad.yml:3:1"),
        ("bits.yml", "the data model is LP128; known are ILP32 and LP64"),
    ];
    for (args, message) in wrong {
        let finished = project.run(&format!("check {args}"));
        assert_eq!(finished.end, End::Exit(2), "{args}: {finished:?}");
        assert!(finished.stderr.contains(message), "{args}: {finished:?}");
    }
}

/// The rules of format 2.0 that apply to what we write.
fn require_valid(witness: &str) -> Value {
    let entries: Value = serde_yaml_ng::from_str(witness).expect("YAML");
    let [entry] = &entries.as_sequence().expect("a list")[..] else { panic!("one entry: {witness}") };
    let metadata = &entry["metadata"];
    assert_eq!(metadata["format_version"], "2.0");
    let uuid = metadata["uuid"].as_str().expect("a uuid");
    assert_eq!(uuid.split('-').map(str::len).collect::<Vec<_>>(), [8, 4, 4, 4, 12]);
    let time = metadata["creation_time"].as_str().expect("a time");
    assert!(time.len() == 20 && &time[10..11] == "T" && time.ends_with('Z'), "{time}");
    assert!(metadata["producer"]["name"].is_string() && metadata["producer"]["version"].is_string());
    let task = &metadata["task"];
    for file in task["input_files"].as_sequence().expect("files") {
        let hash = task["input_file_hashes"][file].as_str().expect("a hash");
        assert!(hash.len() == 64 && hash.chars().all(|c| c.is_ascii_hexdigit()), "{hash}");
    }
    assert!(task["specification"].as_str().expect("a specification").starts_with("CHECK( init(main())"));
    assert!(task["data_model"] == "LP64" || task["data_model"] == "ILP32");
    assert_eq!(task["language"], "C");
    let content = entry["content"].as_sequence().expect("content");
    match entry["entry_type"].as_str() {
        Some("violation_sequence") => require_sequence(content),
        Some("invariant_set") => content.iter().for_each(require_invariant),
        other => panic!("{other:?}"),
    }
    entry.clone()
}

fn require_invariant(item: &Value) {
    let invariant = &item["invariant"];
    assert!(matches!(invariant["type"].as_str(), Some("loop_invariant" | "location_invariant")), "{item:?}");
    let location = &invariant["location"];
    assert!(location["file_name"].is_string() && location["line"].is_u64(), "{item:?}");
    assert!(location["column"].is_u64() && location["function"].is_string(), "{item:?}");
    assert!(invariant["value"].as_str().is_some_and(|value| !value.is_empty()), "{item:?}");
    assert_eq!(invariant["format"], "c_expression");
}

/// Each segment ends in one `follow`; the last way point, and no other, is the target, and it has
/// no constraint.
fn require_sequence(segments: &[Value]) {
    for (number, segment) in segments.iter().enumerate() {
        let points = segment["segment"].as_sequence().expect("a segment");
        for (index, point) in points.iter().enumerate() {
            let (point, is_last) = (&point["waypoint"], index + 1 == points.len());
            assert_eq!(point["action"] == "follow", is_last, "{segment:?}");
            assert!(point["location"]["file_name"].is_string() && point["location"]["line"].is_u64(), "{point:?}");
            let is_target = number + 1 == segments.len() && is_last;
            assert_eq!(point["type"] == "target", is_target, "{point:?}");
            assert_eq!(point["constraint"].is_null(), is_target, "{point:?}");
        }
    }
}

#[test]
fn witnesses() {
    let project = project();
    project.run("check --prop unreach-call.prp --witness bad.yml -DLIMIT=200 prog.c");
    let entry = require_valid(&project.read("bad.yml"));
    let values: Vec<String> = entry["content"]
        .as_sequence()
        .expect("segments")
        .iter()
        .filter_map(|segment| segment["segment"][0]["waypoint"]["constraint"]["value"].as_str().map(String::from))
        .collect();
    assert_eq!(values, ["\\result == 100", "\\result == 200"]);
    project.run("check --prop unreach-call.prp --witness good.yml -DLIMIT=256 prog.c");
    assert_eq!(require_valid(&project.read("good.yml"))["entry_type"], "invariant_set");
}

#[test]
fn test_suites() {
    let project = project();
    project.run("run -DLIMIT=200 --testcomp suite prog.c");
    assert_eq!(project.list("suite"), ["metadata.xml", "test000001.xml", "test000002.xml", "test000003.xml"]);
    let metadata = project.read("suite/metadata.xml");
    assert!(metadata.contains("<specification>COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )</specification>"));
    let tests: Vec<String> = (1..=3).map(|n| project.read(&format!("suite/test00000{n}.xml"))).collect();
    assert_eq!(tests.iter().filter(|test| test.contains("<testcase coversError=\"true\">")).count(), 1);
    let error = tests.iter().find(|test| test.contains("coversError")).expect("the error");
    assert!(error.contains("<input type=\"unsigned char\">200</input>"), "{error}");
}
