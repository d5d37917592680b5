//! Recorded runs that are killed, damaged, run out of space, are disturbed and continued otherwise:
//! in the end all is found that one run finds, or there is a message.
//!
//! `ESPALIER_KILLS` and `ESPALIER_DAMAGES` ask for more than a few of them, `ESPALIER_SEED` for
//! others.

mod support;

use espalier_base::Rng;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::time::Duration;
use support::process::{self, End, Finished};
use support::project::Project;
use support::recorded::{Findings, Recorded, check_refused, copy_dir, errors, event, last_event, program, wait_for};
use support::{count_from_env, root};

const SEARCHERS: [&str; 5] = ["dfs", "bfs", "random-path", "random-state", "nurs:covnew"];

fn rng(purpose: u64) -> Rng {
    Rng::new(count_from_env("ESPALIER_SEED", 1) as u64 ^ purpose << 32)
}

/// One run without interruption, and its instructions.
fn whole(bits: usize) -> (Findings, u64) {
    let recorded = Recorded::new(bits);
    let finished = recorded.project.run("run prog.c --json --record=tree");
    let findings = recorded.findings("tree", &finished);
    assert!(findings.is_complete, "{finished:?}");
    assert_eq!(findings.errors.len(), 5, "{:?}", findings.errors);
    assert_eq!(findings.tests.len() as u64, findings.paths["completed"].as_u64().unwrap());
    (findings, last_event(&finished)["instructions"].as_u64().unwrap())
}

/// Whatever the moment, what was recorded can be gone on with, and nothing is lost or counted twice.
#[test]
fn killed_at_any_moment() {
    const BITS: usize = 9;
    let (expected, instructions) = whole(BITS);
    let recorded = Recorded::new(BITS);
    let mut rng = rng(1);
    let mut is_begun = false;
    for round in 0..count_from_env("ESPALIER_KILLS", 6) {
        let search = SEARCHERS[rng.below(SEARCHERS.len())];
        let args = match is_begun {
            true => format!("resume tree --search={search}"),
            false => format!("run prog.c --json --record=tree --search={search}"),
        };
        let mut child = recorded.spawn(&args);
        // Every other one while it opens the tree or compiles.
        let most = if round % 2 == 0 { 2_000 } else { 200 };
        std::thread::sleep(Duration::from_millis(rng.below(most) as u64));
        let ended = child.try_wait().unwrap();
        assert!(ended.is_none_or(|status| status.code() == Some(expected.exit_code)), "{args}: {ended:?}");
        child.kill().unwrap();
        child.wait().unwrap();
        if !is_begun {
            let finished = recorded.project.run("resume tree --max-time=1ms");
            is_begun = finished.end != End::Exit(2);
            if !is_begun {
                check_refused(&finished, "has no recorded tree");
                let _ = fs::remove_dir_all(recorded.project.path("tree"));
            }
        }
    }
    let last = if is_begun { "resume tree" } else { "run prog.c --json --record=tree" };
    let finished = recorded.project.run(last);
    assert_eq!(recorded.findings("tree", &finished), expected);
    let all = last_event(&finished)["instructions"].as_u64().unwrap();
    // What was run of segments that had not come to their fork when the tree was written down.
    assert!((instructions..instructions + instructions / 20).contains(&all), "{all} and {instructions}");
    let again = recorded.project.run("resume tree");
    assert_eq!(recorded.findings("tree", &again), expected);
    assert_eq!(last_event(&again)["instructions"], all);
    assert_eq!(last_event(&again)["solver"]["queries"], 0);
}

/// What was explored a while ago is on the disk, also if nothing urgent was found.
#[test]
fn little_is_lost() {
    let project = Project::new(support::project::ENDLESS);
    let mut command = project.command("run prog.c --json --record=tree --max-depth=1000000");
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for("a test", || project.path("tree/test000100.ktest").exists());
    std::thread::sleep(Duration::from_secs(3));
    child.kill().unwrap();
    child.wait().unwrap();
    let resumed = project.run("resume tree --max-time=1ms");
    let nodes = event(&resumed, "resumed").unwrap_or_else(|| panic!("{resumed:?}"))["nodes"].clone();
    assert!(nodes.as_u64().unwrap() >= 100, "{nodes}");
}

/// Time is up in the middle of a question to the solver: nothing that came of it is recorded, and
/// what was before it can be gone on with.
#[test]
fn stopped_in_a_question() {
    let project = Project::new(
        "#include <klee/klee.h>
        #include <assert.h>
        int main(void) { unsigned char in[4]; unsigned r = 0; klee_make_symbolic(in, sizeof in, \"in\");
        for (int i = 0; i < 4; i++) if (in[i] & 1) r += i;
        unsigned long x = klee_int(\"x\"), y = klee_int(\"y\");
        klee_assume(x > 1); klee_assume(y > 1); klee_assume(x < 2147483648); klee_assume(y < 2147483648);
        if (x * y == 4611685846628697223UL + r) r = 100;
        return r; }",
    );
    let alone = project.run("run prog.c --json --output-dir=alone");
    let mut stopped = 0;
    for (round, time) in ["50ms", "150ms", "250ms", "350ms"].into_iter().enumerate() {
        let begin = if round == 0 { "run prog.c --json --record=tree" } else { "resume tree" };
        let finished = project.run(&format!("{begin} --max-time={time}"));
        stopped += u32::from(last_event(&finished)["stop"] == "max-time");
    }
    assert!(stopped > 0);
    let all = project.run("resume tree --max-time=0");
    assert_eq!(last_event(&all)["paths"], last_event(&alone)["paths"]);
}

/// A tree of several runs, which is not finished.
fn unfinished(bits: usize, options: &str, steps: &[u64]) -> Recorded {
    let recorded = Recorded::new(bits);
    for (round, limit) in steps.iter().enumerate() {
        let begin = if round == 0 { "run prog.c --json --record=tree" } else { "resume tree" };
        let finished = recorded.project.run(&format!("{begin} {options} --max-instructions={limit}"));
        assert_eq!(last_event(&finished)["stop"], "max-instructions", "{finished:?}");
    }
    recorded
}

/// Bytes that are wrong are noticed, or do no harm.
#[test]
fn damaged_anywhere() {
    const BITS: usize = 4;
    let (expected, _) = whole(BITS);
    let recorded = unfinished(BITS, "--search=random-path", &[800, 1600, 2400, 3200, 4000]);
    let intact = fs::read(recorded.project.path("tree/tree.db")).unwrap();
    let written: Vec<usize> = (0..intact.len()).filter(|&at| intact[at] != 0).collect();
    let mut rng = rng(2);
    let mut gone_on_with = 0;
    for round in 0..count_from_env("ESPALIER_DAMAGES", 12) {
        let copy = format!("copy{round}");
        let dir = recorded.project.path(&copy);
        copy_dir(&recorded.project.path("tree"), &dir);
        let mut bytes = intact.clone();
        let places: Vec<usize> = (0..1 + rng.below(3)).map(|_| written[rng.below(written.len())]).collect();
        for &at in &places {
            bytes[at] ^= 1 << rng.below(8);
        }
        fs::write(dir.join("tree.db"), bytes).unwrap();
        let finished = recorded.project.run(&format!("resume {copy} --max-instructions=1000000"));
        let context = format!("bytes {places:?}: {}", finished.tail());
        match finished.end {
            End::Exit(2) => {
                assert!(finished.stderr.contains("error: "), "{context}");
                assert!(!finished.stdout.contains("run-finished"), "{context}");
            }
            End::Exit(10) => {
                gone_on_with += 1;
                let found = recorded.findings(&copy, &finished);
                assert!(found.is_complete, "{context}");
                assert_eq!((&found.errors, &found.tests), (&expected.errors, &expected.tests), "{context}");
                let count = |findings: &Findings, what: &str| findings.paths[what].as_u64().unwrap();
                for what in ["completed", "errors"] {
                    assert!(count(&found, what) >= count(&expected, what), "{what}: {context}");
                }
                assert_eq!(found.distinct_errors, expected.distinct_errors, "{context}");
                assert_eq!(found.coverage, expected.coverage, "{context}");
            }
            end => panic!("{end:?}: {context}"),
        }
        fs::remove_dir_all(dir).unwrap();
    }
    assert!(gone_on_with > 0);
}

/// If what is known of the last run's paths cannot be read, that of the run before is not used in
/// its place: it does not know the errors that the last one found.
#[test]
fn an_older_summary_is_not_taken_for_the_last_one() {
    let recorded = unfinished(4, "", &[800, 1600, 2400]);
    let database = rusqlite::Connection::open(recorded.project.path("tree/tree.db")).unwrap();
    let changed = database.execute("UPDATE snapshot SET hash = hash + 1 WHERE run = 3", []).unwrap();
    assert_eq!(changed, 1);
    drop(database);
    check_refused(&recorded.project.run("resume tree --max-instructions=1000000"), "record the program anew");
}

/// A disk that is full ends the run with a message, and with more room it goes on.
#[test]
fn no_room_on_the_disk() {
    const BITS: usize = 9;
    let (expected, _) = whole(BITS);
    for kilobytes in [64, 330] {
        let recorded = Recorded::new(BITS);
        let mut command = recorded.project.command("run prog.c --json --record=tree");
        // SAFETY: system calls that are allowed between fork and exec.
        unsafe {
            command.pre_exec(move || {
                let limit = libc::rlimit { rlim_cur: kilobytes << 10, rlim_max: kilobytes << 10 };
                match libc::setrlimit(libc::RLIMIT_FSIZE, &limit) {
                    0 => Ok(()),
                    _ => Err(std::io::Error::last_os_error()),
                }
            })
        };
        let finished = process::run(&mut command, Duration::from_secs(60));
        assert!(finished.stderr.contains("error: cannot use \"tree/tree.db\""), "{kilobytes}: {finished:?}");
        let more = if kilobytes < 100 {
            // Not even its beginning has room.
            assert_eq!(finished.end, End::Exit(2), "{finished:?}");
            fs::remove_dir_all(recorded.project.path("tree")).unwrap();
            "run prog.c --json --record=tree"
        } else {
            assert_eq!(finished.end, End::Exit(6), "{finished:?}");
            let end = last_event(&finished);
            assert_eq!((&end["stop"], &end["is_complete"]), (&json!("output-failed"), &json!(false)));
            "resume tree"
        };
        let finished = recorded.project.run(more);
        assert_eq!(recorded.findings("tree", &finished), expected, "{kilobytes}");
    }
}

/// A tree has one writer, and it does not matter how that one ends.
#[test]
fn two_at_once() {
    let project = Project::new(support::project::ENDLESS);
    let mut command = project.command("run prog.c --json --record=tree --write-no-tests");
    let mut first = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for("the tree", || fs::metadata(project.path("tree/tree.db-wal")).is_ok_and(|file| file.len() > 20_000));
    let second = project.run("resume tree --max-time=1s");
    check_refused(&second, &format!("is being written by process {}", first.id()));
    check_refused(&project.run("run prog.c --record=tree --max-time=1s"), "");
    first.kill().unwrap();
    first.wait().unwrap();
    let third = project.run("resume tree --max-time=1s");
    assert_eq!(last_event(&third)["stop"], "max-time", "{third:?}");
}

/// Another program, or options that give it other paths, are refused, and with `--force` all is
/// explored anew.
#[test]
fn another_program_or_other_options() {
    const BITS: usize = 4;
    let (expected, _) = whole(BITS);
    let recorded = unfinished(3, "", &[800]);
    recorded.project.write("prog.c", program(BITS).as_bytes());
    let recorded = Recorded { bits: BITS, ..recorded };
    let more = "--max-instructions=1000000";
    let refused = recorded.project.run(&format!("resume tree {more}"));
    check_refused(&refused, "the program has changed");
    check_refused(&refused, "--force");
    let tests = recorded.project.list("tree").iter().filter(|name| name.ends_with(".ktest")).count();
    let finished = recorded.project.run(&format!("resume --force tree {more}"));
    let found = recorded.findings("tree", &finished);
    assert_eq!(
        (found.paths, found.coverage, found.distinct_errors),
        (expected.paths, expected.coverage, expected.distinct_errors)
    );
    assert!(found.is_complete);
    assert!(found.tests.is_superset(&expected.tests), "{tests} tests were there before");
    // The first forks are as they were, and so are the questions there.
    assert!(last_event(&finished)["recalled"].as_u64().unwrap() > 0, "{finished:?}");
    let before = recorded.project.run("tree tree/before-1");
    assert!(before.stdout.contains("unfinished"), "{before:?}");
    let differs = recorded.project.run("tree tree/before-1 --diff tree");
    assert!(differs.stdout.contains("different programs") && differs.stdout.contains("only in tree"), "{differs:?}");
    for (option, name) in [("--max-resolutions=7", "--max-resolutions"), ("--interpolation=on", "--interpolation")] {
        let refused = recorded.project.run(&format!("resume tree {more} {option}"));
        check_refused(&refused, name);
    }
    // The limit and the order of exploration are not among them.
    let finished = recorded.project.run(&format!("resume tree {more} --search=bfs --max-time=1h"));
    assert!(last_event(&finished)["is_complete"] == true, "{finished:?}");
}

/// What looks for other errors is explored anew, and asks little of what was asked before: its
/// findings are those of a run that knows nothing.
#[test]
fn other_errors_on_the_same_paths() {
    const BITS: usize = 4;
    let findings = |recorded: &Recorded, tree: &str, finished: &Finished| {
        let Findings { paths, coverage, distinct_errors, is_complete, .. } = recorded.findings(tree, finished);
        (paths, coverage, distinct_errors, is_complete)
    };
    for (search, steps, [first, second]) in [
        ("dfs", &[1_000_000][..], ["--check-div-zero=false", "--check-div-zero=true"]),
        ("random-path", &[900], ["--check-div-zero=true", "--check-div-zero=false"]),
        ("bfs", &[500, 900], ["--check-overshift=false", "--check-overshift=true --check-uninit"]),
    ] {
        let recorded = Recorded::new(BITS);
        for (round, limit) in steps.iter().enumerate() {
            let begin = if round == 0 { "run prog.c --json --record=tree" } else { "resume tree" };
            recorded.project.run(&format!("{begin} --search={search} {first} --max-instructions={limit}"));
        }
        let expected = recorded.project.run(&format!("run prog.c --json --output-dir=alone {second}"));
        let found = recorded.project.run(&format!("resume tree {second} --max-instructions=1000000"));
        assert_eq!(findings(&recorded, "tree", &found), findings(&recorded, "alone", &expected), "{search}");
        let changes = event(&found, "recalled").unwrap_or_else(|| panic!("{found:?}"));
        assert_eq!(changes["diverged"], 0, "{changes}");
        let number = |finished: &Finished, name: &str| last_event(finished)[name].as_u64().unwrap();
        let (known, used) = (changes["answers"].as_u64().unwrap(), number(&found, "recalled"));
        // Below a division that may fail, paths assume more or less than they did.
        assert!(used > 50 && used <= number(&expected, "instructions"), "{search}: {used} of {known}");
        let asked = |finished: &Finished| last_event(finished)["solver"]["queries"].as_u64().unwrap();
        assert!(asked(&found) < asked(&expected), "{search}: {} and {}", asked(&found), asked(&expected));
        // The new tree is one like any other.
        let again = recorded.project.run("resume tree");
        assert_eq!(findings(&recorded, "tree", &again), findings(&recorded, "tree", &found));
        assert_eq!(last_event(&again)["solver"]["queries"], 0);
    }
}

/// Verdict, errors and whether it is complete, of runs that are stopped again and again.
fn in_steps(verb: &str, program: &str, options: &str, first: u64, factor: u64) -> (Value, BTreeSet<String>, u32) {
    let project = Project::new(&fs::read_to_string(root().join(program)).unwrap());
    let mut limit = first;
    let mut command = format!("{verb} prog.c --json --record=tree {options} --max-instructions={limit}");
    for round in 0.. {
        assert!(round < 60, "{program} does not end");
        let finished = project.run(&command);
        let end = last_event(&finished);
        if end["stop"] != "max-instructions" {
            return (outcome(&finished), errors(&project.path("tree")), round);
        }
        limit = limit.max(end["instructions"].as_u64().unwrap()) + first * factor.pow(round / 4);
        command = format!("resume tree --max-instructions={limit}");
    }
    unreachable!()
}

/// How a run ended, and what it concludes.
fn outcome(finished: &Finished) -> Value {
    let end = last_event(finished);
    let verdict = event(finished, "verdict").map(|event| event["verdict"].clone());
    json!([end["exit_code"], end["is_complete"], end["distinct_errors"], verdict])
}

/// Pruning leaves out nothing that matters, also of runs that are stopped.
#[test]
fn with_interpolation() {
    let programs = [
        ("tests/c/fail/prune_state_machine.c", 40),
        ("tests/c/fail/prune_hidden_error.c", 8),
        ("tests/c/fail/prune_counter.c", 30),
        ("tests/c/pass/prune_state_machine.c", 25),
        ("tests/c/pass/prune_switch.c", 12),
        ("benches/c/paths16.c", 80),
    ];
    let mut stopped = 0;
    for (program, step) in programs {
        for (verb, options) in
            [("check", ""), ("run", "--interpolation=on"), ("run", "--interpolation=on --verify-pruning")]
        {
            let (expected, errors, _) = in_steps(verb, program, options, 1 << 40, 1);
            let (found, found_errors, rounds) = in_steps(verb, program, options, step, 2);
            assert_eq!(found, expected, "{verb} {program} {options}");
            // A check ends with the first error, and each may be the first.
            let is_same = if verb == "check" { found_errors.len() == errors.len() } else { found_errors == errors };
            assert!(is_same, "{verb} {program} {options}: {found_errors:?}, not {errors:?}");
            stopped += rounds;
        }
    }
    assert!(stopped > 20, "{stopped}");
}

/// Limits that grow step by step come to what the largest finds at once, also if the steps are
/// stopped before they are through.
#[test]
fn deeper_and_deeper() {
    const BITS: usize = 4;
    let options = |option: &str, limit: u32| format!("--{option}={limit}");
    for (option, limits) in [("max-depth", [2, 3, 6, 100]), ("unwind", [1, 2, 3, 5])] {
        let last = options(option, limits[3]);
        let once = Recorded::new(BITS);
        let finished = once.project.run(&format!("run prog.c --json --record=tree {last}"));
        let expected = once.findings("tree", &finished);
        assert!(expected.is_complete, "{option}: {finished:?}");
        for step in [u64::MAX, 1000] {
            let recorded = Recorded::new(BITS);
            let mut instructions = 0;
            let mut finished: Option<Finished> = None;
            for limit in limits {
                let mut is_stopped = true;
                for part in 0.. {
                    assert!(part < 300, "it does not end");
                    let begin = if finished.is_none() { "run prog.c --json --record=tree" } else { "resume tree" };
                    let most = step.saturating_add(instructions).min(1 << 40);
                    let args = format!("{begin} {} --max-instructions={most}", options(option, limit));
                    let part = recorded.project.run(&args);
                    let end = last_event(&part);
                    instructions = end["instructions"].as_u64().unwrap();
                    is_stopped = end["stop"] == "max-instructions";
                    assert_eq!(end["is_complete"], !is_stopped && limit == limits[3], "{args}: {end}");
                    finished = Some(part);
                    // Some of it is left to the next step.
                    if !is_stopped || limit != limits[3] {
                        break;
                    }
                }
                assert!(!is_stopped || step < u64::MAX, "{option}");
            }
            assert_eq!(recorded.findings("tree", &finished.unwrap()), expected, "{option} by {step}");
        }
    }
}

/// Bounded checks, too.
#[test]
fn unwinding_further() {
    let source = r#"#include <klee/klee.h>
#include <assert.h>
int main(void) {
  unsigned n, v = 0;
  klee_make_symbolic(&n, sizeof n, "n");
  for (unsigned i = 0; i < n % 64; i++)
    v += 2;
  assert(v != 8);
  return 0;
}
"#;
    let check = |project: &Project, begin: &str, limit: u32| {
        let finished = project.run(&format!("{begin} --unwind={limit}"));
        outcome(&finished)
    };
    let begin = "check prog.c --json --record=tree";
    let project = Project::new(source);
    for (round, limit) in [2, 3, 5, 9].into_iter().enumerate() {
        let found = check(&project, if round == 0 { begin } else { "resume tree" }, limit);
        assert_eq!(found, check(&Project::new(source), begin, limit), "{limit}");
        assert_eq!(found[0] == 10, limit > 4, "{found}");
    }
}

/// Each order of exploration goes on with what each other one left.
#[test]
fn any_searcher_after_any_other() {
    const BITS: usize = 2;
    let (expected, _) = whole(BITS);
    for first in SEARCHERS {
        let recorded = unfinished(BITS, &format!("--search={first}"), &[600]);
        for second in SEARCHERS {
            copy_dir(&recorded.project.path("tree"), &recorded.project.path(second));
            let args = format!("resume {second} --search={second} --max-instructions=1000000");
            let finished = recorded.project.run(&args);
            assert_eq!(recorded.findings(second, &finished), expected, "{first}, then {second}");
        }
    }
}

/// Two functions, of which the first has most of the paths and the second an error. Nothing can come
/// from one to the other.
const TWO_PARTS: &str = r#"#include <klee/klee.h>
#include <assert.h>
static int common(const unsigned char *in) {
  int v = 0;
  for (int i = 0; i < 6; i++)
    if (in[i] & 1)
      v += i;
  return v;
}
static int rare(const unsigned char *in) {
  if (in[0] > 100 && in[1] > 100)
    if (in[2] == 3)
      assert(in[3] != 4);
  return 1;
}
int main(void) {
  unsigned char in[8];
  klee_make_symbolic(in, sizeof in, "in");
  if (in[7] == 1)
    return rare(in);
  return common(in);
}
"#;

const ENOUGH: &str = "--max-instructions=1000000";

/// How many paths of a tree are not finished.
fn left(project: &Project, tree: &str) -> u64 {
    let shown = project.run(&format!("tree {tree} --json"));
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap_or_else(|error| panic!("{error}: {shown:?}"));
    shown["unfinished"].as_u64().unwrap()
}

/// Goes on with a part of a tree that is not all of it: how many paths were selected, of how many.
#[track_caller]
fn selected(project: &Project, args: &str) -> (u64, u64) {
    let finished = project.run(&format!("resume {args} {ENOUGH}"));
    let resumed = event(&finished, "resumed").unwrap_or_else(|| panic!("{args}: {finished:?}"));
    let (selected, all) = (resumed["selected"].as_u64().unwrap(), resumed["unfinished"].as_u64().unwrap());
    let end = last_event(&finished);
    assert_eq!(end["stop"] == "selected", selected < all, "{args}: {end}");
    assert_eq!(end["is_complete"], selected == all, "{args}: {end}");
    (selected, all)
}

/// A tree is finished part by part, in whatever way the parts are selected, and nothing is found
/// twice.
#[test]
fn selections_add_up_to_the_whole() {
    const BITS: usize = 3;
    let (expected, _) = whole(BITS);
    let recorded = unfinished(BITS, "--search=bfs", &[700]);
    let project = &recorded.project;
    // The two sides of the first fork.
    let before = recorded.tests("tree");
    let sides = [1, 2].map(|node| {
        let copy = format!("side{node}");
        copy_dir(&project.path("tree"), &project.path(&copy));
        let (selected, all) = selected(project, &format!("{copy} --node={node} --parked"));
        assert!(0 < selected && selected < all, "{selected} of {all}");
        assert_eq!(left(project, &copy), all - selected);
        check_refused(&project.run(&format!("resume {copy} --node={node} {ENOUGH}")), "nothing unfinished is below");
        recorded.tests(&copy)
    });
    assert_eq!(sides[0].intersection(&sides[1]).cloned().collect::<BTreeSet<_>>(), before);
    assert_eq!(&sides[0] | &sides[1], expected.tests);
    // One after the other, until nothing is left.
    for part in ["--uncovered --node=2", "--target=prog.c:23 --node=1", "--target=prog.c:10 --parked"] {
        let finished = project.run(&format!("resume tree {part} {ENOUGH}"));
        let is_refused = finished.end == End::Exit(2) && finished.stderr.contains("nothing unfinished");
        assert!(is_refused || event(&finished, "resumed").is_some(), "{part}: {finished:?}");
    }
    let finished = project.run(&format!("resume tree {ENOUGH}"));
    assert_eq!(recorded.findings("tree", &finished), expected);
}

/// What cannot lead to a place is left out, and the place is found.
#[test]
fn a_place_is_found_without_the_rest() {
    let project = Project::new(TWO_PARTS);
    project.run("run prog.c --json --record=tree --search=bfs --max-instructions=300");
    assert_eq!(errors(&project.path("tree")).len(), 0);
    for target in ["prog.c:13", "prog.c:14", "rare --target=prog.c:13"] {
        copy_dir(&project.path("tree"), &project.path("copy"));
        let (selected, all) = selected(&project, &format!("copy --target={target}"));
        assert!(selected * 4 < all, "{target}: {selected} of {all}");
        assert_eq!(errors(&project.path("copy")).len(), 1, "{target}");
        assert_eq!(left(&project, "copy"), all - selected);
        fs::remove_dir_all(project.path("copy")).unwrap();
    }
    // Nobody is before the beginning of the function any more.
    check_refused(&project.run("resume tree --target=rare"), "nothing unfinished may reach rare");
    check_refused(&project.run("resume tree --target=prog.c:2"), "has no code");
    assert_eq!(project.run("resume tree --target").end, End::Exit(1));
    assert_eq!(project.run("resume tree --parked=yes").end, End::Exit(1));
    // Once one path has come through the first function, only the other one has something new.
    project.run("resume tree --target=prog.c:8 --search=dfs --max-instructions=400");
    let (selected, all) = selected(&project, "tree --uncovered");
    assert!(selected * 4 < all, "{selected} of {all}");
    assert_eq!(errors(&project.path("tree")).len(), 1);
    check_refused(&project.run("resume tree --uncovered"), "may reach code that is not covered yet");
}

/// What larger limits go on from was not open when the run stopped.
#[test]
fn cuts_are_not_parked() {
    let project = Project::new(TWO_PARTS);
    let finished = project.run("run prog.c --json --record=tree --max-depth=4");
    assert_eq!(last_event(&finished)["stop"], Value::Null);
    check_refused(&project.run("resume tree --max-depth=9 --parked"), "was open when the run stopped");
    let finished = project.run("resume tree --max-depth=9 --target=prog.c:8");
    let resumed = event(&finished, "resumed").unwrap();
    assert_eq!(resumed["reopened"], resumed["unfinished"]);
    assert_eq!(last_event(&finished)["stop"], "selected");
}

/// A proof is about all paths, so there is none from a part of them; but an error is one.
#[test]
fn a_part_proves_nothing() {
    let project = Project::new(&TWO_PARTS.replace("assert(in[3] != 4)", "assert(in[3] < 256)"));
    project.run("check prog.c --loops=unroll --json --record=tree --search=bfs --max-instructions=120");
    let finished = project.run(&format!("resume tree --target=prog.c:14 {ENOUGH}"));
    assert_eq!(last_event(&finished)["stop"], "selected");
    let verdict = event(&finished, "verdict").unwrap();
    assert_eq!((&verdict["verdict"], finished.end), (&json!("unknown"), End::Exit(5)), "{verdict}");
    let finished = project.run(&format!("resume tree {ENOUGH}"));
    assert_eq!(event(&finished, "verdict").unwrap()["verdict"], "safe", "{finished:?}");
}

/// `--target` is an option of `reach` already.
#[test]
fn targets_of_reach_stay() {
    let project = Project::new(TWO_PARTS);
    project.run("reach --target=rare prog.c --json --record=tree --max-instructions=50");
    let refused = project.run("resume tree --target=common");
    assert_eq!(refused.end, End::Exit(1));
    assert!(refused.stderr.contains("select with --node, --parked or --uncovered"), "{refused:?}");
}

/// What an earlier run came to is no less reachable for a later one.
#[test]
fn targets_that_were_reached_before() {
    let project = Project::new(TWO_PARTS);
    let answers = |finished: &Finished| -> Vec<(String, String)> {
        let events = finished.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let targets = events.filter(|event| event["event"] == "target");
        targets.map(|event| (event["target"].to_string(), event["verdict"].to_string())).collect()
    };
    let begin = "reach --target=prog.c:8 --target=prog.c:14 --target=prog.c:13 prog.c --json";
    let expected = answers(&project.run(begin));
    assert_eq!(expected.len(), 3);
    let first = project.run(&format!("{begin} --record=tree --search=dfs --max-instructions=60"));
    let found = answers(&first);
    assert!(found != expected && found.iter().any(|(_, verdict)| verdict == "\"reachable\""), "{found:?}");
    for _ in 0..2 {
        let resumed = project.run(&format!("resume tree {ENOUGH}"));
        assert_eq!(answers(&resumed), expected, "{resumed:?}");
    }
}

/// An interpolant may rest on a node that is explored besides. If its record is lost, the interpolant
/// must not speak for the node itself.
#[test]
fn what_was_learnt_is_not_used_if_records_are_lost() {
    let source = r#"#include <klee/klee.h>
#include <assert.h>
int main(void) {
  int state = 0;
  for (;;) {
    unsigned char c;
    klee_make_symbolic(&c, 1, "c");
    if (c == 1) { if (state == 0) state = 1; }
    else if (c == 2) { if (state == 1) state = 2; }
    else if (c == 3) { if (state == 2) state = 3; }
    else state = 0;
    assert(state != 3);
  }
}
"#;
    for (search, instructions) in [("dfs", 60), ("bfs", 60)] {
        let project = Project::new(source);
        let args = format!("check prog.c --json --record=tree --search={search} --max-instructions={instructions}");
        assert_eq!(outcome(&project.run(&args))[3], "unknown");
        let database = rusqlite::Connection::open(project.path("tree/tree.db")).unwrap();
        assert_eq!(database.execute("UPDATE batch SET hash = hash + 1", []).unwrap(), 1);
        drop(database);
        let finished = project.run(&format!("resume tree {ENOUGH}"));
        assert_eq!(outcome(&finished)[3], "reachable", "{search}: {finished:?}");
    }
}
