//! What real tools write is read as what they mean.

mod support;

use espalier_alarms::{Alarm, Alarms, Format, NoFault, Rules, Wants, involves_allocation};
use std::collections::BTreeSet;
use std::path::Path;
use support::{SAMPLES, directory, sample};

fn read(name: &str) -> Alarms {
    let mut alarms = Alarms::new(Some(directory()));
    alarms.read_text(Path::new(name), &sample(name)).unwrap();
    alarms
}

/// Place, rule, faults, weaknesses and number of steps of each alarm.
fn table(alarms: &Alarms) -> Vec<String> {
    let rules = Rules::default();
    let line = |alarm: &Alarm| {
        let place = alarm.place.clone().map_or("nowhere".to_owned(), |place| {
            let end = |end: Option<u32>| end.map_or("-".to_owned(), |end| end.to_string());
            format!("{} to {}:{}", place, end(place.end_line), end(place.end_column))
        });
        let faults = match rules.wanted(alarm) {
            Wants::Faults(faults) => faults.to_string(),
            Wants::Place(NoFault::NotConfirmable) => "not confirmable".to_owned(),
            Wants::Place(NoFault::Unknown) => "unknown".to_owned(),
        };
        let rule = alarm.rule.as_deref().unwrap_or("no rule");
        format!("{place} {rule}: {faults} {:?} {} steps", alarm.cwes, alarm.steps().count())
    };
    let root = format!("{}/", directory().display());
    alarms.alarms.iter().map(|alarm| line(alarm).replace(&root, "")).collect()
}

fn check(name: &str, format: Format, tool: &str, expected: &[&str]) -> Alarms {
    let alarms = read(name);
    assert_eq!(alarms.inputs[0].format, format, "{name}");
    assert_eq!(table(&alarms), expected, "{name}");
    assert!(alarms.alarms.iter().all(|alarm| alarm.tool == tool), "{name}: {:?}", alarms.alarms[0].tool);
    alarms
}

#[test]
fn clang_sarif() {
    let alarms = check(
        "clang.sarif",
        Format::Sarif,
        "clang",
        &[
            "five.c:12:12 to 12:20 core.NullDereference: null [] 5 steps",
            "five.c:19:12 to -:- core.DivideZero: div-by-zero [] 3 steps",
            "five.c:36:10 to 36:18 unix.Malloc: use-after-free [] 5 steps",
            "five.c:42:3 to 42:13 unix.Malloc: double-free [] 3 steps",
            "five.c:50:12 to -:- unix.Malloc: leak [] 6 steps",
            "five.c:67:12 to -:- core.UndefinedBinaryOperatorResult: uninit [] 4 steps",
        ],
    );
    let first = &alarms.alarms[0];
    let step = &first.flows[0][0];
    assert_eq!((step.place.line, step.message.as_str()), (11, "Assuming 'n' is equal to NULL"));
}

#[test]
fn clang_text() {
    check(
        "clang.txt",
        Format::Warnings,
        "clang",
        &[
            "five.c:12:12 to -:- core.NullDereference: null [] 5 steps",
            "five.c:19:12 to -:- core.DivideZero: div-by-zero [] 3 steps",
            "five.c:36:10 to -:- unix.Malloc: use-after-free [] 5 steps",
            "five.c:42:3 to -:- unix.Malloc: double-free [] 3 steps",
            "five.c:50:12 to -:- unix.Malloc: leak [] 6 steps",
            "five.c:67:12 to -:- core.UndefinedBinaryOperatorResult: uninit [] 4 steps",
        ],
    );
}

#[test]
fn gcc_json() {
    let alarms = check(
        "gcc.json",
        Format::GccJson,
        "gcc",
        &[
            "five.c:36:10 to 36:18 -Wanalyzer-use-after-free: use-after-free [416] 6 steps",
            "five.c:42:3 to 42:13 -Wanalyzer-double-free: double-free [415] 3 steps",
            "five.c:49:6 to -:- -Wanalyzer-malloc-leak: leak [401] 6 steps",
            "five.c:36:10 to 36:18 -Wuse-after-free: use-after-free [] 1 steps",
            "five.c:42:3 to 42:13 -Wuse-after-free: use-after-free [] 1 steps",
        ],
    );
    assert_eq!(alarms.alarms[0].function.as_deref(), Some("use_after_free"));
}

#[test]
fn gcc_text() {
    let alarms = check(
        "gcc-events.txt",
        Format::Warnings,
        "gcc",
        &[
            "five.c:36:11 to -:- -Wanalyzer-use-after-free: use-after-free [416] 6 steps",
            "five.c:42:3 to -:- -Wanalyzer-double-free: double-free [415] 3 steps",
            "five.c:50:12 to -:- -Wanalyzer-malloc-leak: leak [401] 7 steps",
            "five.c:57:12 to -:- -Wanalyzer-possible-null-dereference: null [690] 2 steps",
            "five.c:67:12 to -:- -Wanalyzer-use-of-uninitialized-value: uninit [457] 4 steps",
        ],
    );
    assert_eq!(alarms.alarms[0].function.as_deref(), Some("use_after_free"));
    assert_eq!(alarms.alarms[0].flows[0][0].message, "allocated here");
    check(
        "gcc.txt",
        Format::Warnings,
        "gcc",
        &[
            "five.c:36:11 to -:- -Wanalyzer-use-after-free: use-after-free [416] 0 steps",
            "five.c:42:3 to -:- -Wanalyzer-double-free: double-free [415] 0 steps",
            "five.c:50:12 to -:- -Wanalyzer-malloc-leak: leak [401] 0 steps",
            "five.c:57:12 to -:- -Wanalyzer-possible-null-dereference: null [690] 0 steps",
            "five.c:67:12 to -:- -Wanalyzer-use-of-uninitialized-value: uninit [457] 0 steps",
        ],
    );
}

#[test]
fn gcc_sarif() {
    let alarms = check(
        "gcc-13.sarif",
        Format::Sarif,
        "GNU C17",
        &["/project/five.c:57:3 to 57:15 -Wanalyzer-possible-null-dereference: null [690] 2 steps"],
    );
    assert_eq!(alarms.alarms[0].function.as_deref(), Some("unchecked"));
    assert!(involves_allocation(&alarms.alarms[0]));
}

#[test]
fn cppcheck_xml_and_text() {
    check(
        "cppcheck.xml",
        Format::CppcheckXml,
        "cppcheck",
        &[
            "five.c:27:15 to -:- arrayIndexOutOfBounds: out-of-bounds [788] 2 steps",
            "five.c:42:3 to -:- doubleFree: double-free [415] 2 steps",
            "five.c:50:5 to -:- memleak: leak [401] 0 steps",
            "five.c:12:12 to -:- nullPointerRedundantCheck: null [476] 2 steps",
            "five.c:19:12 to -:- zerodivcond: div-by-zero [369] 2 steps",
            "five.c:67:10 to -:- uninitvar: uninit [457] 2 steps",
            "five.c:7:16 to -:- unusedStructMember: not confirmable [563] 0 steps",
            "five.c:40:16 to -:- unusedAllocatedMemory: not confirmable [563] 0 steps",
        ],
    );
    let mut alarms = Alarms::default();
    let information = r#"<results version="2"><errors><error id="x" severity="information"/></errors></results>"#;
    alarms.read_text(Path::new("c.xml"), information).unwrap();
    assert!(alarms.alarms.is_empty());
    assert_eq!(alarms.warnings, ["c.xml: 1 messages of cppcheck about itself are no alarms"]);
    check(
        "cppcheck.txt",
        Format::Warnings,
        "cppcheck",
        &[
            "five.c:27:15 to -:- arrayIndexOutOfBounds: out-of-bounds [] 2 steps",
            "five.c:42:3 to -:- doubleFree: double-free [] 2 steps",
            "five.c:50:5 to -:- memleak: leak [] 0 steps",
            "five.c:12:12 to -:- nullPointerRedundantCheck: null [] 2 steps",
            "five.c:19:12 to -:- zerodivcond: div-by-zero [] 2 steps",
            "five.c:67:10 to -:- uninitvar: uninit [] 2 steps",
            "five.c:7:16 to -:- unusedStructMember: not confirmable [] 0 steps",
            "five.c:40:16 to -:- unusedAllocatedMemory: not confirmable [] 0 steps",
        ],
    );
}

#[test]
fn codeql() {
    let alarms = check(
        "codeql.sarif",
        Format::Sarif,
        "CodeQL",
        &[
            "five.c:36:10 to 36:11 cpp/use-after-free: use-after-free [416] 3 steps",
            "nowhere cpp/overrunning-write: out-of-bounds [120, 787] 0 steps",
        ],
    );
    assert_eq!(alarms.alarms[0].message, "Memory may have been previously freed by call to free.");
    assert_eq!(alarms.alarms[0].flows.len(), 2);
}

#[test]
fn lists() {
    check(
        "places.txt",
        Format::List,
        "list",
        &[
            "five.c:12 to -:- null: null [] 0 steps",
            "five.c:19:12 to -:- core.DivideZero: div-by-zero [] 0 steps",
            "five.c:27:15 to -:- no rule: out-of-bounds [788] 0 steps",
            "five.c:36 to -:- no rule: unknown [] 0 steps",
        ],
    );
}

#[test]
fn fingerprints_tell_alarms_apart() {
    let mut all = Alarms::new(Some(directory()));
    SAMPLES.iter().for_each(|name| all.read_file(&directory().join(name)).unwrap());
    let different: BTreeSet<&str> = all.alarms.iter().map(|alarm| alarm.fingerprint.as_str()).collect();
    assert_eq!(different.len(), all.alarms.len());
}

#[test]
fn the_same_alarm_of_text_and_sarif_is_known_again() {
    let fingerprints =
        |name: &str| -> Vec<String> { read(name).alarms.into_iter().map(|alarm| alarm.fingerprint).collect() };
    assert_eq!(fingerprints("clang.sarif"), fingerprints("clang.txt"));
}

#[test]
fn what_cannot_be_read_says_what_to_do() {
    let refused = |text: &str| Alarms::default().read_text(Path::new("in"), text).expect_err("is refused").to_string();
    assert!(refused("{}").starts_with("in looks like SARIF, but it is JSON but not SARIF"));
    assert!(refused("[{\"kind\": 3}]").starts_with("in looks like gcc's JSON, but line 1: invalid type"));
    assert!(refused("[\n{\"kind\": 3}]").contains("but line 2: "));
    assert!(refused("<results version=\"1\"/>").contains("but it is of version 1;"));
    assert!(refused("<html>").contains("line 1: its first element is <html> and not <results>"));
    assert!(refused("<results version=\"2\">\n<error></results>").contains("looks like cppcheck's XML, but line 2: "));
    assert!(refused("<results version=\"2\"><errors>").contains("it ends too early"));
    assert!(refused("a.c:3\nwhat?").starts_with("in, line 2: \"what?\" does not begin with FILE:LINE; "));
    let missing = Alarms::default().read_file(Path::new("no such file")).expect_err("is refused").to_string();
    assert!(missing.starts_with("no such file cannot be read: "));
}

#[test]
fn what_a_file_is_shows_in_its_content() {
    let formats = |text: &str| {
        let mut alarms = Alarms::default();
        alarms.read_text(Path::new("in"), text).unwrap();
        (alarms.inputs[0].format, alarms.alarms.len())
    };
    let gcc = r#"[{"kind": "warning", "message": "m", "locations": []}]"#;
    assert_eq!(formats(""), (Format::List, 0), "there was nothing to warn of");
    assert_eq!(formats(&format!("make: hello\n{gcc}\n[]\n{gcc}\n")), (Format::GccJson, 2));
    assert_eq!(formats(&format!("\u{feff}\n{gcc} {gcc}")), (Format::GccJson, 2));
    assert_eq!(formats("<stdin>:3:1: warning: x"), (Format::Warnings, 1));
    assert_eq!(formats("\u{feff} {\"runs\": []}"), (Format::Sarif, 0));
    assert_eq!(formats("<results version=\"2\"/>"), (Format::CppcheckXml, 0));
}
