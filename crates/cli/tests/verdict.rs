//! The verdicts of `espalier check`, and that none of them rests on something that was not
//! explored.

mod support;

use support::process::{End, Finished};
use support::project::Project;

const DECLARATIONS: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";

fn check(options: &str, program: &str) -> Finished {
    let project = Project::new(&format!("{DECLARATIONS}{program}"));
    project.run(&format!("check {options} prog.c"))
}

#[track_caller]
fn expect(finished: &Finished, code: i32, verdict: &str) {
    assert_eq!(finished.end, End::Exit(code), "{finished:?}");
    let last = finished.stdout.lines().last().unwrap_or_default();
    assert!(last.starts_with(&format!("Verdict: {verdict}")), "{verdict:?} expected: {last}");
}

const WALK: &str = "int main(void) { int x = 0; for (int i = 0; i < 50; i++) \
    { if (__VERIFIER_nondet_int()) x++; else x--; } if (x > LIMIT) reach_error(); return 0; }";

#[test]
fn proofs_and_errors() {
    expect(&check("-DLIMIT=50", WALK), 0, "safe (a complete proof");
    expect(&check("--only=reach -DLIMIT=50", WALK), 0, "unreachable (a complete proof");
    expect(&check("--only=reach -DLIMIT=49", WALK), 10, "reachable (confirmed natively");
}

#[test]
fn bounds_are_no_proofs() {
    expect(&check("--unwind=5 -DLIMIT=50", WALK), 5, "safe (within 5 iterations");
    expect(&check("--max-depth=5 -DLIMIT=50", WALK), 5, "unknown");
}

/// The comparisons that a switch on a wide number becomes are blocks behind all others: going on
/// from there closes no loop.
#[test]
fn only_loops_are_bounded() {
    let program = "int main(void) { int r = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) \
        switch ((__int128)(j + (__VERIFIER_nondet_int() & 1)) << 80 | 1) { case (__int128)1 << 80 | 1: r++; break; \
        case (__int128)2 << 80 | 1: r += 2; break; default: r--; } if (r > 100) reach_error(); return 0; }";
    expect(&check("--unwind=3", program), 0, "safe (a complete proof");
    expect(&check("--unwind=2", program), 5, "safe (within 2 iterations");
}

/// A function that is defined nowhere may call back: what is behind it is not known to be out of
/// reach.
#[test]
fn what_is_not_defined_is_not_proved() {
    let program = "extern void each(void (*)(void)); static void visit(void) { reach_error(); } \
        int main(void) { if (__VERIFIER_nondet_int()) each(visit); return 0; }";
    expect(&check("--only=reach", program), 5, "unknown");
    let program = "int main(void) { if (__VERIFIER_nondet_int()) __asm__(\"cpuid\"); return 0; }";
    expect(&check("--only=reach", program), 5, "unknown");
}

/// `klee_get_value` goes on with one value of several: however such a path ends, the others were
/// not explored.
#[test]
fn one_value_of_several_is_no_proof() {
    for end in ["klee_silent_exit(0)", "klee_assume(0)", "return *(int *)0"] {
        let program = format!(
            "#include <klee/klee.h>\nint main(void) {{ int v = klee_get_value_i32(klee_int(\"x\")); \
             if (v != 7) {end}; reach_error(); return 0; }}"
        );
        expect(&check("--only=reach", &program), 5, "unknown");
    }
}

#[test]
fn other_errors_are_mentioned() {
    let program = "int main(void) { int a[2] = {0}; return a[__VERIFIER_nondet_int() & 3]; }";
    expect(&check("--only=memory", program), 10, "reachable");
    let program = "int main(void) { int d = __VERIFIER_nondet_int(); if (100 / d == 101) reach_error(); return 0; }";
    let finished = check("--only=reach", program);
    expect(&finished, 0, "unreachable (a complete proof");
    assert!(finished.stdout.contains("in errors that were not asked about"), "{finished:?}");
}

/// One test's inputs are not all inputs.
#[test]
fn a_replay_is_no_proof() {
    let project = Project::new(
        "#include <assert.h>\n#include <klee/klee.h>\n\
         int main(void) { int x; klee_make_symbolic(&x, sizeof x, \"x\"); assert(x != 77); return 0; }\n",
    );
    project.run("ktest gen -o t.ktest --object x=i32:5");
    for verb in ["check", "run"] {
        let finished = project.run(&format!("{verb} --interpolation=off --replay-ktest-file=t.ktest prog.c"));
        assert_eq!(finished.end, End::Exit(5), "{finished:?}");
        assert!(finished.stdout.contains("Only the inputs of 1 test were looked at"), "{finished:?}");
        assert!(verb == "run" || finished.stdout.contains("Verdict: unknown"), "{finished:?}");
    }
    let finished = project.run("reach --interpolation=off --replay-ktest-file=t.ktest --targets=all prog.c");
    assert_eq!(finished.end, End::Exit(5), "{finished:?}");
    assert!(finished.stdout.contains("  unknown ("), "{finished:?}");
}

/// The built-in library has fixed answers where a real system has others.
#[test]
fn fixed_answers_are_no_proof() {
    for program in [
        "#include <time.h>\nint main(void) { if (time(0) > 5) reach_error(); return 0; }",
        "#include <stdlib.h>\nint main(void) { if (getenv(\"HOME\")) reach_error(); return 0; }",
        "#include <unistd.h>\nint main(void) { if (getpid() == 7) reach_error(); return 0; }",
        "#include <unistd.h>\nint main(void) { if (isatty(0)) reach_error(); return 0; }",
        "#include <stdio.h>\nint main(void) { if (getchar() == 'x') reach_error(); return 0; }",
        "#include <stdio.h>\nint main(void) { if (fopen(\"x\", \"r\")) reach_error(); return 0; }",
    ] {
        expect(&check("--only=reach", program), 5, "unknown");
    }
}

/// What is proved in a model of the environment is proved for what the model was told, and says so.
#[test]
fn proofs_in_an_environment_name_it() {
    let length = "#include <string.h>\nint main(int argc, char **argv) \
        { if (argc > 1 && strlen(argv[1]) > 3) reach_error(); return 0; }";
    let proved = check("--only=reach --libc=musl --sym-arg=3", length);
    expect(&proved, 0, "unreachable (a complete proof for the environment of --sym-arg 3 if the C library is musl: ");
    expect(&check("--only=reach --libc=musl --sym-arg=4", length), 10, "reachable (confirmed natively");
    let files = "#include <stdio.h>\nint main(void) { if (fopen(\"data\", \"r\")) reach_error(); return 0; }";
    let proved = check("--only=reach --libc=musl", files);
    expect(&proved, 0, "unreachable (a complete proof for an environment without arguments, input and files");
    let answer = check("--svcomp --libc=musl", files);
    assert!(answer.stdout.lines().any(|line| line == "unknown"), "{answer:?}");
    // What a real system has elsewhere is not known.
    let users = "#include <pwd.h>\nint main(void) { if (getpwnam(\"root\")) reach_error(); return 0; }";
    expect(&check("--only=reach", users), 5, "unknown");
    let count = "int main(int argc, char **argv) { if (argc > 3) reach_error(); return 0; }";
    expect(&check("--only=reach", count), 0, "unreachable (a complete proof for the arguments given: ");
    let fixed = [
        "#include <unistd.h>\nint main(void) { if (getpid() == 7) reach_error(); return 0; }",
        "#include <fenv.h>\nint main(void) { feraiseexcept(FE_INVALID); if (fetestexcept(FE_INVALID)) reach_error(); return 0; }",
    ];
    for program in fixed {
        expect(&check("--only=reach --libc=musl", program), 5, "unknown");
    }
    // Calls that the model lacks fail there, and may succeed elsewhere.
    let lacking = "#include <unistd.h>\nint main(void) { int fds[2]; if (!pipe(fds)) reach_error(); return 0; }";
    expect(&check("--only=reach --libc=musl", lacking), 5, "unknown");
}
