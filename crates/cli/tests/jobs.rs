//! Several workers on one tree find what one process finds, whatever happens to them.
//!
//! `ESPALIER_KILLS` asks for more than a few deaths, `ESPALIER_SEED` for others.

mod support;

use espalier_base::Rng;
use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;
use support::count_from_env;
use support::process::End;
use support::project::Project;
use support::recorded::{Findings, Recorded, check_refused, errors, event, last_event, wait_for};

fn rng(purpose: u64) -> Rng {
    Rng::new(count_from_env("ESPALIER_SEED", 1) as u64 ^ purpose << 32)
}

/// What one process finds.
fn alone(bits: usize, options: &str) -> Findings {
    let recorded = Recorded::new(bits);
    let finished = recorded.project.run(&format!("run prog.c --json --record=tree {options}"));
    recorded.findings("tree", &finished)
}

/// No two trees differ.
#[track_caller]
fn check_same_tree(recorded: &Recorded, tree: &str, other: &str) {
    let finished = recorded.project.run(&format!("tree --diff {tree} {other}"));
    assert!(finished.stdout.contains("No finished path"), "{finished:?}");
}

/// The workers of a run, by their process numbers: its child processes.
fn workers(owner: u32) -> Vec<i32> {
    let children = fs::read_to_string(format!("/proc/{owner}/task/{owner}/children")).unwrap_or_default();
    let mut all: Vec<i32> = children.split_whitespace().filter_map(|pid| pid.parse().ok()).collect();
    // Whoever starts them is a thread of its own.
    for task in fs::read_dir(format!("/proc/{owner}/task")).into_iter().flatten().flatten() {
        let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
        all.extend(children.split_whitespace().filter_map(|pid| pid.parse::<i32>().ok()));
    }
    all.sort_unstable();
    all.dedup();
    let is_worker = |pid: &i32| {
        let command = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        command.split(|&byte| byte == 0).any(|word| word == b"worker")
    };
    all.retain(is_worker);
    all
}

fn kill(pid: i32) {
    // Whoever has ended by itself cannot be killed.
    let _ = std::process::Command::new("kill").args(["-9", &pid.to_string()]).output();
}

#[test]
fn several_find_what_one_finds() {
    const BITS: usize = 7;
    let expected = alone(BITS, "");
    let recorded = Recorded::new(BITS);
    recorded.project.run("run prog.c --json --record=alone");
    for (jobs, search) in [(2, "random-path"), (3, "dfs"), (2, "bfs")] {
        let tree = format!("tree-{search}");
        let command = format!("run prog.c --json --record={tree} --jobs={jobs} --search={search}");
        let finished = recorded.project.run(&command);
        assert_eq!(recorded.findings(&tree, &finished), expected, "{command}");
        check_same_tree(&recorded, &tree, "alone");
    }
}

/// Workers are killed again and again.
#[test]
fn workers_that_die() {
    const BITS: usize = 9;
    let expected = alone(BITS, "");
    let recorded = Recorded::new(BITS);
    let command = "run prog.c --json --record=tree --jobs=2 --search=random-path";
    let mut owner = recorded.spawn(command);
    let mut rng = rng(1);
    let mut killed = 0;
    while killed < count_from_env("ESPALIER_KILLS", 6).min(15) && owner.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(100 + rng.below(500) as u64));
        let workers = workers(owner.id());
        if let Some(&pid) = workers.get(rng.below(workers.len().max(1))) {
            kill(pid);
            killed += 1;
        }
    }
    assert!(killed > 2, "it was over before");
    assert_eq!(owner.wait().unwrap().code(), Some(expected.exit_code));
    let finished = recorded.project.run("resume tree");
    assert_eq!(recorded.findings("tree", &finished), expected);
    assert_eq!(last_event(&finished)["solver"]["queries"], 0, "nothing was left");
}

/// The process that began the run is killed: its workers end too, and another run goes on.
#[test]
fn an_owner_that_dies() {
    const BITS: usize = 9;
    let expected = alone(BITS, "");
    let recorded = Recorded::new(BITS);
    let mut rng = rng(2);
    for round in 0..3 {
        let begin = match round {
            0 => "run prog.c --json --record=tree --jobs=2",
            1 => "resume tree --jobs=2 --search=bfs",
            _ => "resume tree --jobs=3 --search=dfs",
        };
        let mut owner = recorded.spawn(begin);
        while workers(owner.id()).len() < 2 && owner.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let begun = workers(owner.id());
        std::thread::sleep(Duration::from_millis(1000 + rng.below(600) as u64));
        owner.kill().unwrap();
        owner.wait().unwrap();
        wait_for("the workers' end", || begun.iter().all(|pid| !fs::exists(format!("/proc/{pid}")).unwrap_or(false)));
    }
    let finished = recorded.project.run("resume tree --jobs=1");
    assert_eq!(recorded.findings("tree", &finished), expected);
}

/// A limit stops all of them, and what they did not explore is gone on with.
#[test]
fn a_limit_and_then_the_rest() {
    const BITS: usize = 8;
    let expected = alone(BITS, "");
    let recorded = Recorded::new(BITS);
    let finished = recorded.project.run("run prog.c --json --record=tree --jobs=2 --max-tests=50");
    assert_eq!(last_event(&finished)["stop"], "max-tests", "{finished:?}");
    assert!(!recorded.findings("tree", &finished).is_complete);
    let finished = recorded.project.run("resume tree --max-tests=0");
    assert_eq!(recorded.findings("tree", &finished), expected);
}

/// With what was learnt exchanged, verdicts are those of one process.
#[test]
fn verdicts_are_the_same() {
    // Each bit doubles the paths, and they join: `BUG` makes the last value reachable.
    const PROGRAM: &str = r#"#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int sum = 0;
  for (int i = 0; i < 14; i++) {
    int x = __VERIFIER_nondet_int();
    if (x == i)
      sum += 2;
    else if (x > 1000 + i)
      sum += 4;
  }
  assert(sum != 57 - BUG);
  return 0;
}
"#;
    let project = Project::new(PROGRAM);
    for (bug, exit_code) in [(0, 0), (1, 10)] {
        for jobs in [1, 2] {
            let finished = project.run(&format!("check prog.c --json --jobs={jobs} -DBUG={bug}"));
            assert_eq!(finished.end, End::Exit(exit_code), "{jobs} jobs: {finished:?}");
        }
    }
    // Cut short, it proves nothing.
    let finished = project.run("check prog.c --json --jobs=2 -DBUG=0 --unwind=5");
    let verdict = event(&finished, "verdict").unwrap_or_else(|| panic!("{finished:?}"));
    assert!(!verdict["detail"].as_str().unwrap().contains("a complete proof"), "{verdict}");
}

/// Places that are asked about are each found once, whoever finds them.
#[test]
fn targets_are_met_once() {
    let project = Project::new(&support::recorded::program(6));
    let reached = |jobs: usize| {
        let finished = project.run(&format!("reach --targets=blocks prog.c --json --jobs={jobs}"));
        let text = finished.stdout.lines().filter(|line| line.contains("\"event\":\"target\""));
        let count = text.clone().count();
        let set: BTreeSet<String> = text
            .map(|line| {
                let event: serde_json::Value = serde_json::from_str(line).unwrap();
                format!("{} {}", event["target"], event["verdict"])
            })
            .collect();
        assert!(finished.end == End::Exit(10), "{finished:?}");
        (count, set)
    };
    assert_eq!(reached(1), reached(2));
}

/// Paths that were the first to come somewhere have a test, whoever explored them to their ends.
#[test]
fn what_is_covered_first_has_a_test() {
    let cases: String = (0..12).map(|case| format!("case {case}: r = {case}; break;\n")).collect();
    let source = format!(
        "#include <klee/klee.h>
        int main(void) {{ unsigned char in[9]; unsigned r = 0, n = 0; klee_make_symbolic(in, sizeof in, \"in\");
        switch (in[0]) {{ {cases} default: r = 99; }}
        for (int i = 1; i < 9; i++) if (in[i] & 1) n++;
        return r + n > 120; }}"
    );
    let project = Project::new(&source);
    for jobs in [1, 3] {
        let dir = format!("out{jobs}");
        project.run(&format!("run prog.c --only-output-states-covering-new --jobs={jobs} --output-dir={dir}"));
        let tests = project.list(&dir).into_iter().filter(|name| name.ends_with(".ktest"));
        let firsts: BTreeSet<u8> = tests
            .map(|name| ktest::KTest::read_file(project.path(&dir).join(name)).unwrap().objects[0].bytes[0])
            .collect();
        assert!((0..12).all(|case| firsts.contains(&case)), "{jobs} jobs: {firsts:?}");
    }
}

#[test]
fn what_several_cannot_do_is_refused() {
    let recorded = Recorded::new(2);
    for (options, why) in [
        ("--max-forks=10", "--max-forks"),
        ("--write-kqueries", "--write-kqueries"),
        ("--tree=x --interpolation=on", "--tree"),
    ] {
        let finished = recorded.project.run(&format!("run prog.c --jobs=2 {options}"));
        assert_eq!(finished.end, End::Exit(1), "{finished:?}");
        assert!(finished.stderr.contains(why) && finished.stderr.contains("--jobs=1"), "{finished:?}");
    }
    recorded.project.run("run prog.c --record=tree");
    check_refused(&recorded.project.run("worker --store=tree"), "nobody shares the tree");
    check_refused(&recorded.project.run("worker --store=nothing"), "has no recorded tree");
}

/// On a server, with one worker of the run's own and one from elsewhere, either of which is killed
/// time and again.
#[test]
fn workers_on_a_server() {
    const BITS: usize = 8;
    let expected = alone(BITS, "");
    let server = pgserver::Server::start().unwrap();
    let address = server.address("espalier", "postgres");
    let recorded = Recorded::new(BITS);
    let mut rng = rng(3);
    let mut owner =
        recorded.spawn(&format!("run prog.c --json --store={address} --lease=2s --output-dir=out --search=bfs"));
    let join = || recorded.spawn(&format!("worker --store={address}"));
    let mut other = None;
    let mut killed = 0;
    while killed < count_from_env("ESPALIER_KILLS", 4) && owner.try_wait().unwrap().is_none() {
        let mut worker = other.take().unwrap_or_else(join);
        std::thread::sleep(Duration::from_millis(100 + rng.below(400) as u64));
        // Before the run has begun there is nothing to join.
        if worker.try_wait().unwrap().is_some_and(|status| !status.success()) {
            continue;
        }
        if rng.below(2) == 0 {
            worker.kill().unwrap();
            worker.wait().unwrap();
        } else {
            workers(owner.id()).into_iter().for_each(kill);
            other = Some(worker);
        }
        killed += 1;
    }
    let mut worker = other.unwrap_or_else(join);
    assert_eq!(owner.wait().unwrap().code(), Some(expected.exit_code));
    worker.wait().unwrap();
    let finished = recorded.project.run(&format!("resume {address} --output-dir=again"));
    let found = Findings { errors: errors(&recorded.project.path("out")), ..recorded.findings("out", &finished) };
    assert_eq!(found, expected);
    assert_eq!(last_event(&finished)["solver"]["queries"], 0, "nothing was left");
    let tree = recorded.project.run(&format!("tree {address}"));
    assert!(tree.stdout.contains(" 0 unfinished"), "{tree:?}");
}
