//! `espalier doctor`: what works here, and what it says where something is missing.

mod support;

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;
use support::process::{self, End, Finished};
use support::project::Project;

const LIMIT: Duration = Duration::from_secs(120);

#[track_caller]
fn check(finished: &Finished, code: i32, parts: &[&str]) {
    assert_eq!(finished.end, End::Exit(code), "{finished:?}");
    for part in parts {
        assert!(finished.stdout.contains(part), "{part:?} is not in\n{}", finished.stdout);
    }
}

#[test]
fn this_machine_can_do_what_the_tests_need() {
    let project = Project::new("");
    let finished = project.run("doctor");
    check(
        &finished,
        0,
        &["ok       front end ", "ok       SMT solver ", "ok       sanitizers ", "Everything that is needed is there"],
    );
    let finished = project.run("doctor --json");
    let findings: Vec<Value> = finished.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(findings.len(), 9);
    for finding in findings {
        assert_eq!(finding["ok"], true, "{finding}");
    }
}

#[test]
fn without_clang_nothing_works() {
    let project = Project::new("");
    let mut command = project.command("doctor");
    let finished = process::run(command.env("ESPALIER_CLANG", "/no/such/clang"), LIMIT);
    let parts = [
        "MISSING  front end ",
        "ESPALIER_CLANG (/no/such/clang) cannot be run",
        "sudo apt-get install clang-19",
        "Something that is needed is missing",
        // gcc is there, and enough for this.
        "ok       native replay ",
    ];
    check(&finished, 2, &parts);

    // Nothing at all is there.
    let finished = process::run(project.command("doctor").env("PATH", project.path("")), LIMIT);
    let parts =
        ["MISSING  front end ", "missing  SMT solver ", "missing  native replay ", "no native compiler was found"];
    check(&finished, 2, &parts);
}

#[test]
fn a_solver_that_does_not_work_is_noticed() {
    let project = Project::new("");
    let parts = ["missing  SMT solver ", "sudo apt-get install z3", "stay undecided"];
    check(&project.run("doctor --solver-command=/no/such/solver"), 0, &parts);
    let liar = project.path("liar");
    fs::write(&liar, "#!/bin/sh\nwhile read -r line; do case $line in *check-sat*) echo unsat;; *echo*) echo \"${line#*echo }\" | tr -d ')';; esac; done\n").unwrap();
    fs::set_permissions(&liar, fs::Permissions::from_mode(0o755)).unwrap();
    check(&project.run("doctor --solver-command=./liar"), 0, &["missing  SMT solver ", "which it is"]);
}
