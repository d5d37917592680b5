//! What a run leaves behind: tests, error files, logs, events.

mod support;

use espalier_base::options;
use ktest::KTest;
use serde_json::Value;
use std::fs;
use support::events::Run;
use support::process::End;
use support::project::Project;
use support::stats;

/// Three paths, one of which writes past the end of an array.
const PROGRAM: &str = r#"#include <klee/klee.h>

static int buf[10];

static void put(int i) {
  buf[i] = 1;
}

int main(void) {
  unsigned char n, tag[6];
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(tag, sizeof tag, "tag");
  if (tag[0] == 'x' && tag[1] == 0)
    put(n % 11);
  return 0;
}
"#;

#[test]
fn the_run_directory_has_tests_errors_and_logs() {
    let project = Project::new(PROGRAM);
    let finished = project.run("run prog.c");
    assert_eq!(finished.end, End::Exit(10), "{finished:?}");
    let files = project.list("espalier-out-0");
    let tests: Vec<&String> = files.iter().filter(|name| name.ends_with(".ktest")).collect();
    let errors: Vec<&String> = files.iter().filter(|name| name.ends_with(".ptr.err")).collect();
    let predictions = files.iter().filter(|name| name.ends_with(".expected")).count();
    assert_eq!((tests.len(), errors.len(), predictions), (4, 1, 4), "{files:?}");
    assert!(
        ["info", "messages.txt", "warnings.txt", "run.stats"].iter().all(|name| files.iter().any(|file| file == name)),
        "{files:?}"
    );
    assert_eq!(files.len(), 4 + 1 + 4 + 4, "{files:?}");
    assert_eq!(fs::read_link(project.path("espalier-last")).unwrap().to_str(), Some("espalier-out-0"));

    let text = project.read(&format!("espalier-out-0/{}", errors[0]));
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("Error: out of bounds: write of 4 bytes"), "{text}");
    assert_eq!(lines[1..4], ["File: prog.c", "Line: 6", "Stack:"], "{text}");
    assert!(lines[4].starts_with("\t#0 in put(i=") && lines[4].ends_with(" at prog.c:6"), "{text}");
    assert!(lines[5].starts_with("\t#1 in main(") && lines[5].ends_with(" at prog.c:14"), "{text}");
    assert!(text.contains("\nInfo:\n\tkind: ptr\n"), "{text}");

    let info = project.read("espalier-last/info");
    assert!(info.starts_with("espalier run prog.c\nEspalier 0."), "{info}");
    assert!(info.contains("done: completed paths = 4\n") && info.contains("done: generated tests = 4\n"), "{info}");
    assert_eq!(project.run("run prog.c").end, End::Exit(10));
    assert_eq!(fs::read_link(project.path("espalier-last")).unwrap().to_str(), Some("espalier-out-1"));
}

#[test]
fn the_error_is_shown_with_source_stack_input_and_test() {
    let project = Project::new(PROGRAM);
    let text = project.run("run prog.c").stdout;
    for part in [
        "error[ptr]: out of bounds: write of 4 bytes",
        " --> prog.c:6:",
        "6 |   buf[i] = 1;\n",
        "= stack: #0 in put(i=",
        "= input: n = ",
        "tag = \"x\"",
        "= test: espalier-out-0/test0000",
        "Found 1 error.\n  ptr at prog.c:6:",
        "Paths: 3 completed, 1 ended in an error.",
        "Tests: 4 in espalier-out-0.",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    assert!(!text.contains('\x1b'), "no colour without a terminal");
    let messages = project.read("espalier-out-0/messages.txt");
    assert!(messages.contains("error[ptr]") && messages.contains("Found 1 error."), "{messages}");
}

#[test]
fn tests_are_ktest_files_that_survive_reading_and_writing() {
    let project = Project::new(PROGRAM);
    project.run("run prog.c -- one two");
    for name in project.list("espalier-out-0").iter().filter(|name| name.ends_with(".ktest")) {
        let path = project.path("espalier-out-0").join(name);
        let test = KTest::read_file(&path).unwrap();
        assert_eq!(test.to_bytes().unwrap(), fs::read(&path).unwrap());
        assert_eq!(test.args, [b"prog".to_vec(), b"one".to_vec(), b"two".to_vec()]);
        let objects: Vec<(String, usize)> =
            test.objects.iter().map(|object| (object.name_lossy().into_owned(), object.bytes.len())).collect();
        assert_eq!(objects, [("n".to_owned(), 1), ("tag".to_owned(), 6)]);
    }
}

#[test]
fn events_are_json_lines_from_start_to_finish() {
    let project = Project::new(PROGRAM);
    let run = Run::start(&project.path(""), &["prog.c".into()], std::time::Duration::from_secs(60)).unwrap();
    assert!(run.events.iter().all(|event| event["schema"] == 1));
    assert_eq!(run.events.first().unwrap()["event"], "run-started");
    assert_eq!(run.events.last().unwrap()["event"], "run-finished");
    assert_eq!(run.of("test").count(), 4);
    let error = run.of("error").next().unwrap();
    assert_eq!((&error["file"], &error["line"], &error["kind"]), (&"prog.c".into(), &6.into(), &"ptr".into()));
    let finished = run.finished().unwrap();
    assert_eq!(finished["exit_code"], 10);
    assert_eq!((&finished["paths"]["completed"], &finished["paths"]["errors"]), (&3.into(), &1.into()));
    assert_eq!(
        (&finished["is_complete"], &finished["stop"], &finished["tests"]),
        (&true.into(), &Value::Null, &4.into())
    );
    assert!(run.stderr.contains("error[ptr]"), "text goes to standard error");
}

#[test]
fn two_runs_write_the_same_bytes() {
    let content = |search: &str| {
        let project = Project::new(PROGRAM);
        project.run(&format!("run prog.c --search {search} --seed 5 --output-dir out"));
        let files = project.list("out");
        let read = |name: &String| {
            if name == "run.stats" {
                let last = "SELECT Instructions, Queries, CoveredInstructions FROM stats ORDER BY rowid DESC LIMIT 1";
                return format!("{:?}", stats::rows(&project.path("out").join(name), last)).into_bytes();
            }
            let bytes = fs::read(project.path("out").join(name)).unwrap();
            if name != "info" {
                return bytes;
            }
            let is_time = |line: &&str| {
                ["Started:", "Finished:", "Elapsed:", "Solver:"].iter().any(|word| line.starts_with(word))
            };
            let text = String::from_utf8(bytes).unwrap();
            text.lines().filter(|line| !is_time(line)).collect::<Vec<_>>().join("\n").into_bytes()
        };
        files.iter().map(|name| (name.clone(), read(name))).collect::<Vec<_>>()
    };
    let names = match options::find("search").unwrap().value {
        options::Value::ChoiceList(names) => names,
        other => panic!("{other:?}"),
    };
    let together = [
        "random-path --search nurs:covnew --use-batching-search --batch-instructions 3",
        "nurs:md2u,dfs --use-batching-search --batch-time 1us",
        "bfs --use-iterative-deepening-search",
    ];
    for search in names.iter().chain(&together) {
        let (first, second) = (content(search), content(search));
        assert_eq!(first.len(), 13);
        assert!(first == second, "{search}: the directories differ");
    }
}

#[test]
fn errors_are_reported_once_per_place_unless_all_are_asked_for() {
    let source = r#"#include <klee/klee.h>
        int main(void) {
          int a = klee_range(0, 3, "a"), n = 0;
          if (a == 1) n = 1; else if (a == 2) n = 2;
          klee_assert(n > 5);
          return 0;
        }"#;
    let errors = |options: &str| {
        let project = Project::new(source);
        let finished = project.run(&format!("run prog.c {options} --json"));
        assert_eq!(finished.end, End::Exit(10), "{finished:?}");
        let events: Vec<Value> = finished.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let finished = events.last().unwrap();
        assert_eq!(finished["distinct_errors"], 1);
        let reported = events.iter().filter(|event| event["event"] == "error").count();
        (reported, finished["paths"]["errors"].as_u64().unwrap())
    };
    assert_eq!(errors(""), (1, 3));
    assert_eq!(errors("--emit-all-errors"), (3, 3));
    assert_eq!(errors("--exit-on-error"), (1, 1));
}

#[test]
fn tests_may_be_left_out_but_not_those_of_errors() {
    let project = Project::new(PROGRAM);
    assert_eq!(project.run("run prog.c --no-tests --output-dir out").end, End::Exit(10));
    let files = project.list("out");
    assert_eq!(files.iter().filter(|name| name.ends_with(".ktest")).count(), 1, "{files:?}");
}

#[test]
fn a_reader_that_leaves_does_not_end_the_run() {
    let project = Project::new(PROGRAM);
    let mut command = project.command("run prog.c --json --output-dir out");
    let mut child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::null()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(10));
    assert_eq!(project.list("out").iter().filter(|name| name.ends_with(".ktest")).count(), 4);
}
