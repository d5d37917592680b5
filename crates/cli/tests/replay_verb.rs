//! `espalier replay`: what is said of tests that do what was predicted, that do something else, and
//! that cannot be run; and that `check` confirms what it finds under the same conditions.

mod support;

use serde_json::Value;
use std::process::Command;
use std::time::Duration;
use support::process::{self, End, check};
use support::project::Project;

/// A program that uses one input.
fn with_input(body: &str) -> String {
    format!(
        "#include <assert.h>
         #include <klee/klee.h>
         #include <stdlib.h>
         #include <string.h>
         int main(int argc, char **argv) {{
             int x;
             klee_make_symbolic(&x, sizeof x, \"x\");
             {body}
         }}"
    )
}

/// A test with `x` of this value, in `t.ktest`.
fn hand_made(project: &Project, x: i32) {
    check(&project.run(&format!("ktest gen -o t.ktest --object x=i32:{x}")), 0, &[]);
}

#[test]
fn every_kind_of_error_shows_as_itself() {
    let project = Project::new(&with_input(
        "int *p = malloc(40);
         if (!p) return 1;
         switch (x) {
         case 1: return p[10 + argc];
         case 2: free(p); free(p); return 0;
         case 3: return 7 / (x - 3);
         case 4: return 1 << (x + 40);
         case 5: assert(x != 5); return 0;
         case 6: abort();
         case 7: klee_report_error(__FILE__, __LINE__, \"seven\", \"seven\");
         case 8: return *(int *)0;
         }
         free(p);
         return 86;",
    ));
    check(&project.run("run --output-dir out prog.c"), 10, &["Found 8 errors"]);
    let finished = project.run("replay out prog.c");
    check(
        &finished,
        0,
        &[
            "predicted: ptr at prog.c:11: out of bounds",
            "native:    AddressSanitizer: heap-buffer-overflow [gcc with sanitizers]",
            "READ of size 4",
            "in main prog.c:11",
            "located 4 bytes to the right of 40-byte region\n",
            "AddressSanitizer: attempting double-free",
            "UndefinedBehaviorSanitizer: division by zero",
            "UndefinedBehaviorSanitizer: shift exponent 44 is too large for 32-bit type 'int'",
            "main: Assertion `x != 5' failed.",
            "signal 6 (SIGABRT)",
            "an error is reported: prog.c:17: seven (seven)",
            "load of null pointer of type 'int'",
            // The sanitizers' own code, without a report.
            "agrees (exit with 86)",
            "9 tests: 9 agree.",
        ],
    );
    assert!(!finished.stdout.contains("0x6") && !finished.stdout.contains("=="), "addresses: {}", finished.stdout);
    assert_eq!(finished.stdout, project.run("replay out prog.c").stdout, "the same each time");
}

#[test]
fn another_program_differs() {
    let buggy = with_input("int a[4] = {0}; if (x < 0 || x > 4) return 0; return a[x];");
    let project = Project::new(&buggy);
    check(&project.run("run --output-dir out prog.c"), 10, &[]);
    check(&project.run("replay out prog.c"), 0, &["4 tests: 4 agree."]);

    project.write("prog.c", buggy.replace("x > 4", "x > 3").as_bytes());
    let parts = ["differs: the native run does not fail", "predicted: ptr at prog.c", "3 agree, 1 differs."];
    check(&project.run("replay out prog.c"), 10, &parts);

    project.write("prog.c", buggy.replace("return a[x]", "assert(x != 4); return 0").as_bytes());
    check(&project.run("replay out prog.c"), 10, &["differs: the native run fails in another way", "SIGABRT"]);

    project.write("prog.c", buggy.replace("\"x\"", "\"y\"").as_bytes());
    let parts = ["differs: the native run does not follow the test", "asks for 'y' of 4 bytes", "4 differ."];
    check(&project.run("replay out prog.c"), 10, &parts);

    project.write("prog.c", b"int main(void) { return x; }");
    let parts = ["does not compile the program natively", "undeclared identifier 'x'"];
    check(&project.run("replay out prog.c"), 2, &parts);
}

#[test]
fn sanitizers_can_be_had_always_or_never() {
    let project = Project::new(&with_input("int a[4] = {0}; x &= 7; return x > 4 ? x + 0x7fffffff : a[x];"));
    hand_made(&project, 5);
    check(&project.run("replay t.ktest prog.c"), 0, &["agrees (exit with"]);
    check(&project.run("replay --sanitize=always t.ktest prog.c"), 10, &["signed integer overflow"]);

    hand_made(&project, 4);
    project.write("t.ptr.err", b"Error: memory error: out of bound pointer\nFile: prog.c\nLine: 8\n");
    check(
        &project.run("replay t.ktest prog.c"),
        0,
        &["predicted: ptr at prog.c:8: memory error: out of bound pointer"],
    );
    check(&project.run("replay --sanitize=never t.ktest prog.c"), 10, &["the native run does not fail"]);
}

#[test]
fn arguments_are_those_of_the_run_and_functions_have_no_caller() {
    let project = Project::new(&with_input(
        "if (argc == 2 && !strcmp(argv[1], \"-v\") && !strcmp(argv[0], \"prog\")) assert(x != 3);
         return 0;
         }
         int start(void) {
             int y;
             klee_make_symbolic(&y, sizeof y, \"y\");
             assert(y != 4);
             return 0;",
    ));
    check(&project.run("run --output-dir out prog.c -- -v"), 10, &[]);
    check(&project.run("replay out prog.c"), 0, &["2 tests: 2 agree."]);
    check(&project.run("replay out prog.c -- -q"), 10, &["1 agrees, 1 differs."]);
    check(&project.run("check prog.c -- -v"), 10, &["confirmed natively: the native run ends with signal 6"]);

    check(&project.run("run --entry=start --output-dir start prog.c"), 10, &[]);
    let parts = ["2 cannot be replayed.", "a function that is run by itself has no native caller"];
    check(&project.run("replay start prog.c"), 5, &parts);
    check(&project.run("check --entry=start prog.c"), 10, &["not run natively: a function that is run by itself"]);
}

#[test]
fn limits_end_native_runs() {
    let project = Project::new(&with_input(
        "while (x == 1);
         for (size_t n = 0; x == 2; n++) memset(malloc(1 << 20), 1, 1 << 20);
         return 0;",
    ));
    hand_made(&project, 1);
    let parts = ["cannot be replayed: the native run did not end within 300ms (--max-time)"];
    check(&project.run("replay --max-time=300ms t.ktest prog.c"), 5, &parts);
    hand_made(&project, 2);
    let parts = ["cannot be replayed: the native run needs more than 100.0 MiB of memory (--max-memory)"];
    check(&project.run("replay --max-memory=100MiB t.ktest prog.c"), 5, &parts);
}

#[test]
fn tests_without_an_end_are_not_compared() {
    let project = Project::new(&with_input("if (x == 7) { for (int i = 0; i < x; i++) argc++; } return argc;"));
    check(&project.run("run --unwind=3 --output-dir out prog.c"), 5, &[]);
    let parts = ["cannot be replayed: the path was cut short", "predicted: unknown: the path was cut short: "];
    check(&project.run("replay out prog.c"), 5, &parts);
    check(&project.run("reach --output-dir place prog.c:8"), 10, &[]);
    check(&project.run("replay place prog.c"), 5, &["leads to a place"]);

    check(&project.run("run --output-dir uninit --check-uninit prog.c"), 0, &[]);
    project.write("uninit/test000001.uninit.err", b"Error: depends on uninitialised memory\n");
    check(&project.run("replay uninit prog.c"), 5, &["uninitialised memory is not looked for natively"]);
}

#[test]
fn leaks_are_looked_for() {
    let project = Project::new(&with_input("char *p = malloc(10); if (x != 3) free(p); p = 0; return p == 0;"));
    check(&project.run("run --check-leaks --output-dir out prog.c"), 10, &["error[leak]"]);
    let parts =
        ["LeakSanitizer: detected memory leaks", "Direct leak of 10 byte(s) in 1 object(s)", "2 tests: 2 agree."];
    check(&project.run("replay out prog.c"), 0, &parts);
}

#[test]
fn bitcode_is_run_without_sanitizers() {
    let project = Project::new(&with_input("int a[4] = {0}; x &= 7; assert(x != 5); return x > 4 ? 0 : a[x];"));
    let mut clang = Command::new("clang-19");
    clang.args(["-c", "-emit-llvm", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-w", "-I"]);
    clang.arg(support::root().join("runtime/include")).args(["prog.c", "-o", "prog.bc"]).current_dir(project.path(""));
    assert_eq!(process::run(&mut clang, Duration::from_secs(60)).end, End::Exit(0));
    check(&project.run("run --output-dir out prog.bc"), 10, &["Found 2 errors"]);
    let parts = ["the error shows only with sanitizers: bitcode cannot be compiled", "Assertion `x != 5'"];
    check(&project.run("replay out prog.bc"), 5, &parts);
    check(&project.run("replay out prog.c"), 0, &[]);
}

#[test]
fn bad_input_is_named() {
    let project = Project::new(&with_input("return x == 1;"));
    check(&project.run("replay prog.c"), 1, &["no test to replay"]);
    check(&project.run("replay absent.ktest prog.c"), 2, &["absent.ktest"]);
    std::fs::create_dir(project.path("empty")).unwrap();
    check(&project.run("replay empty prog.c"), 2, &["has no tests"]);
    hand_made(&project, 1);
    check(&project.run("replay t.ktest"), 1, &["no program to replay on"]);
    check(&project.run("replay t.ktest absent.c"), 2, &["absent.c"]);
    project.write("bad.ktest", b"KTEST\0\0\0\x03\xff\xff\xff\xff");
    let parts = ["bad.ktest: cannot be replayed: the test cannot be read: offset 9", "1 agrees, 1 cannot be replayed."];
    check(&project.run("replay bad.ktest t.ktest prog.c"), 2, &parts);
}

#[test]
fn events_for_other_tools() {
    let project = Project::new(&with_input("assert(x != 9); return 3;"));
    check(&project.run("run --output-dir out prog.c"), 10, &[]);
    let finished = project.run("replay --json out prog.c");
    check(&finished, 0, &[]);
    let events: Vec<Value> = finished.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of_kind = |end: &str| events.iter().find(|event| event["predicted"]["end"] == end).unwrap();
    let (exit, error) = (of_kind("exit"), of_kind("error"));
    assert_eq!((&exit["verdict"], &exit["native"]["exit_status"]), (&"agrees".into(), &3.into()));
    assert_eq!((&error["predicted"]["kind"], &error["native"]["signal"]), (&"assert".into(), &6.into()));
    assert_eq!((&events[2]["event"], &events[2]["agree"]), (&"replay-finished".into(), &2.into()));
}
