//! Recorded trees that are merged: what comes of it is what one run comes to, and nothing is claimed
//! that is not known.

mod support;

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use support::process::{End, Finished};
use support::project::Project;
use support::recorded::{Recorded, check_refused, copy_dir, errors, event, last_event};
use support::root;
use xxhash_rust::xxh3::xxh3_64;

const ENOUGH: &str = "--max-instructions=1000000";

fn tree(project: &Project, name: &str) -> Value {
    let shown = project.run(&format!("tree {name} --json"));
    serde_json::from_str(&shown.stdout).unwrap_or_else(|error| panic!("{error}: {shown:?}"))
}

#[track_caller]
fn merge(project: &Project, trees: &str) -> Finished {
    let merged = project.run(&format!("merge {trees}"));
    assert_eq!(merged.end, End::Exit(0), "{merged:?}");
    merged
}

/// Neither tree has a path that the other lacks, or that ends otherwise.
#[track_caller]
fn check_same(project: &Project, one: &str, other: &str) {
    let diff = project.run(&format!("tree {one} --diff={other} --json"));
    let diff: Value = serde_json::from_str(&diff.stdout).unwrap_or_else(|error| panic!("{error}: {diff:?}"));
    assert_eq!(diff["differences"], Value::Array(Vec::new()), "{diff}");
}

/// The files of a directory, with what is in them. Those that SQLite has beside a database come and
/// go with who reads it.
fn content(project: &Project, name: &str) -> Vec<(String, u64)> {
    let files = project.list(name).into_iter().filter(|file| !file.starts_with("tree.db-"));
    let hash = |file: &str| xxh3_64(&fs::read(project.path(name).join(file)).unwrap());
    files.map(|file| (file.clone(), hash(&file))).collect()
}

/// Runs with other searchers and limits, each stopped somewhere, and one that goes on with all that
/// they have: as if it had been one run.
#[test]
fn as_if_it_had_been_one_run() {
    const BITS: usize = 3;
    let recorded = Recorded::new(BITS);
    let project = &recorded.project;
    let begin = "run prog.c --json";
    let whole = recorded.findings("whole", &project.run(&format!("{begin} --record=whole")));
    let parts = [
        ("a", "--search=dfs --max-instructions=700"),
        ("b", "--search=bfs --max-instructions=900"),
        ("c", "--search=random-path --max-depth=4"),
        ("d", "--search=nurs:covnew --unwind=2 --max-instructions=600"),
    ];
    for (name, options) in parts {
        project.run(&format!("{begin} --record={name} {options}"));
    }
    let before = content(project, "b");
    for (into, others) in [("a", "b c d"), ("c", "d b")] {
        let name = format!("into-{into}");
        copy_dir(&project.path(into), &project.path(&name));
        let ended = |name: &str| tree(project, name)["finished"].as_u64().unwrap();
        let own = ended(&name);
        merge(project, &format!("{name} {others}"));
        assert!(ended(&name) > own, "something was taken over");
        let finished = project.run(&format!("resume {name} {ENOUGH} --max-depth=1000 --unwind=1000"));
        let found = recorded.findings(&name, &finished);
        assert!(found.is_complete, "{into}: {finished:?}");
        assert_eq!(
            (&found.paths, &found.coverage, &found.errors, &found.distinct_errors),
            (&whole.paths, &whole.coverage, &whole.errors, &whole.distinct_errors),
            "{into}"
        );
        check_same(project, "whole", &name);
        assert_eq!(tree(project, &name)["divergences"], Value::Array(Vec::new()));
    }
    assert_eq!(content(project, "b"), before, "others are only read");
}

/// What a tree has, it is not given again.
#[test]
fn a_tree_with_itself() {
    let recorded = Recorded::new(3);
    let project = &recorded.project;
    project.run("run prog.c --json --record=a --search=bfs --max-instructions=900 --max-depth=6");
    copy_dir(&project.path("a"), &project.path("copy"));
    let before = content(project, "a");
    merge(project, "a a copy");
    assert_eq!(content(project, "a"), before);
}

/// Errors come with their tests, also to a tree that is cut before it gets there.
#[test]
fn errors_are_never_lost() {
    let recorded = Recorded::new(3);
    let project = &recorded.project;
    // Cuts by two limits stay what they are.
    project.run("run prog.c --json --record=shallow --search=bfs --max-depth=3 --max-instructions=150");
    project.run(&format!("resume shallow --max-depth=2 {ENOUGH}"));
    project.run("run prog.c --json --record=deep");
    assert_eq!(errors(&project.path("shallow")).len(), 0);
    let merged = merge(project, "shallow deep");
    assert!(merged.stdout.contains("5 new errors, 5 tests"), "{merged:?}");
    assert_eq!(errors(&project.path("shallow")), errors(&project.path("deep")));
    let finished = project.run(&format!("resume shallow --max-depth=2 {ENOUGH}"));
    let end = last_event(&finished);
    assert_eq!((end["is_complete"] == true, finished.end), (false, End::Exit(10)), "{end}");
    assert!(end["paths"]["limited"].as_u64().unwrap() > 0, "{end}");
}

#[test]
fn other_programs_and_options_are_refused() {
    let recorded = Recorded::new(2);
    let project = &recorded.project;
    project.run("run prog.c --json --record=a --max-instructions=500");
    project.run("run prog.c --json --record=other-options --check-div-zero=false --max-instructions=500");
    project.write("prog.c", support::recorded::program(3).as_bytes());
    project.run("run prog.c --json --record=other-program --max-instructions=500");
    let before = content(project, "a");
    check_refused(&project.run("merge a other-program"), "it is of another program");
    check_refused(&project.run("merge a a other-options"), "--check-div-zero is false, not true");
    check_refused(&project.run("merge a nowhere"), "has no recorded tree");
    assert_eq!(content(project, "a"), before);
    assert_eq!(project.run("merge a").end, End::Exit(1));
}

/// With interpolation: whatever was explored where, verdict and errors are those of one run, and
/// there is no proof while something is unfinished.
#[test]
fn with_interpolation() {
    let programs = [("tests/c/pass/prune_state_machine.c", 40), ("tests/c/pass/prune_switch.c", 25)];
    let mut unfinished = 0;
    for (program, step) in programs {
        let project = Project::new(&fs::read_to_string(root().join(program)).unwrap());
        let check = |options: &str| {
            let finished = project.run(options);
            let verdict = event(&finished, "verdict").map(|event| event["verdict"].clone());
            (verdict.unwrap_or_else(|| panic!("{program} {options}: {finished:?}")), finished)
        };
        let (expected, _) = check("check prog.c --json --record=whole");
        check(&format!("check prog.c --json --record=a --search=dfs --max-instructions={step}"));
        check(&format!("check prog.c --json --record=b --search=bfs --max-instructions={step}"));
        for (into, others) in [("a", "b"), ("b", "a whole")] {
            let name = format!("{into}-{}", others.replace(' ', "-"));
            copy_dir(&project.path(into), &project.path(&name));
            merge(&project, &format!("{name} {others}"));
            let left = tree(&project, &name)["unfinished"].as_u64().unwrap();
            let (at_once, finished) = check(&format!("resume {name} --max-instructions=1"));
            if left > 0 {
                unfinished += 1;
                assert!(at_once != "safe", "{program} {name}: {finished:?}");
            }
            let (found, finished) = check(&format!("resume {name} {ENOUGH} --verify-pruning"));
            assert_eq!(found, expected, "{program} {name}: {finished:?}");
        }
    }
    assert!(unfinished > 0);
}

/// Places that one run has reached are reachable for all.
#[test]
fn targets_are_united() {
    let recorded = Recorded::new(3);
    let project = &recorded.project;
    let begin = "reach --target=prog.c:11 --target=prog.c:15 --target=prog.c:21 prog.c --json";
    let answers = |finished: &Finished| -> BTreeSet<String> {
        let events = finished.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let targets = events.filter(|event| event["event"] == "target");
        targets.map(|event| format!("{} {}", event["target"], event["verdict"])).collect()
    };
    let expected = answers(&project.run(begin));
    project.run(&format!("{begin} --record=a --search=dfs --max-instructions=40"));
    project.run(&format!("{begin} --record=b --search=bfs --max-instructions=150"));
    merge(project, "a b");
    let finished = project.run(&format!("resume a {ENOUGH}"));
    assert_eq!(answers(&finished), expected, "{finished:?}");
}
