//! `espalier reach`: places by line, column, label, function and kind; one answer for each; and
//! what is wrong with a place that is not there.

mod support;

use support::process::{End, Finished, check_error};
use support::project::Project;

const PROGRAM: &str = "\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int f(int x) {
    if (x > 10)
        return 1;
    return 2;
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = 0;
    if (x > 5) {
        if (x < 3)
            y = 7;
        y += f(x);
    } else
        goto out;
    assert(y < 3);
    for (int i = 0; i < 30; i++)
        y += __VERIFIER_nondet_int() & 1;
    if (y == 32)
        y = 0;
    if (y == 33)
        y = 1;
    return y;
out:
    return 9;
}
";

fn reach(args: &str) -> Finished {
    Project::new(PROGRAM).run(&format!("reach {args}"))
}

/// The answers, in order: `prog.c:13 unreachable`.
#[track_caller]
fn answers(finished: &Finished, code: i32) -> Vec<String> {
    assert_eq!(finished.end, End::Exit(code), "{finished:?}");
    let lines = finished.stdout.lines().filter(|line| line.ends_with(')') && line.contains("reachable ("));
    lines.map(|line| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn lines_columns_labels_and_functions() {
    assert_eq!(answers(&reach("prog.c:13"), 0), ["prog.c:13 unreachable"]);
    let found = reach("prog.c:5");
    assert_eq!(answers(&found, 10), ["prog.c:5 reachable"]);
    assert!(found.stdout.contains("test000001.ktest; confirmed natively"), "{found:?}");
    assert_eq!(answers(&reach("prog.c:13:13 prog.c"), 0), ["prog.c:13:13 unreachable"]);
    let several = reach("--target=f --target=prog.c:out --target=prog.c:23 --target=prog.c:21 prog.c");
    assert_eq!(
        answers(&several, 10),
        ["f reachable", "prog.c:out reachable", "prog.c:23 unreachable", "prog.c:21 reachable"]
    );
    assert_eq!(several.stdout.matches("confirmed natively").count(), 3, "{several:?}");
}

#[test]
fn all_errors_and_all_blocks() {
    assert_eq!(answers(&reach("--targets=all prog.c"), 0), ["prog.c:17:5 unreachable"]);
    let together = answers(&reach("--targets=blocks prog.c"), 10);
    assert!(together.len() > 10, "{together:?}");
    assert_eq!(together.iter().filter(|answer| answer.ends_with("unreachable")).count(), 3, "{together:?}");
    assert_eq!(answers(&reach("--targets=blocks --one-at-a-time prog.c"), 10), together);
}

#[test]
fn bounds_are_no_proofs() {
    let finished = reach("--unwind-loop=prog.c:18=5 prog.c:21");
    assert_eq!(finished.end, End::Exit(5), "{finished:?}");
    assert!(finished.stdout.contains("unreachable (within the bounds on loops (prog.c:18=5)"), "{finished:?}");
    assert!(finished.stdout.contains("cut at prog.c:18"), "{finished:?}");
}

#[test]
fn places_that_are_not_there() {
    let wrong = [
        ("prog.c:2", 2, "prog.c:2 has no code; lines near it that have some: 4, 5, 6"),
        ("prog.c:5:99", 2, "prog.c:5 has no code at column 99, but at 9"),
        ("--target=other.c:3 prog.c", 2, "the program has no file other.c; it has prog.c"),
        ("--target=prog.c:nowhere prog.c", 2, "prog.c has no label `nowhere`; it has out"),
        ("--target=g prog.c", 2, "the program defines no function `g`"),
        ("prog.c", 1, "`prog.c` is not a place"),
        ("--unwind-loop=prog.c:17=3 prog.c:21", 2, "no loop begins at prog.c:17; loops begin at lines 18"),
        ("--target=f --targets=all prog.c", 1, "cannot be used with"),
    ];
    for (args, code, message) in wrong {
        check_error(&reach(args), code, message);
    }
}

#[test]
fn files_of_the_same_name() {
    let project = Project::new("int a(void), b(void); int main(void) { return a() + b(); }\n");
    for (dir, function) in [("x", "a"), ("y", "b")] {
        std::fs::create_dir(project.path(dir)).expect("a directory");
        project.write(&format!("{dir}/part.c"), format!("int {function}(void) {{ return 1; }}\n").as_bytes());
    }
    let finished = project.run("reach --target=part.c:1 prog.c x/part.c y/part.c");
    assert!(finished.stderr.contains("part.c may be any of these: x/part.c, y/part.c"), "{finished:?}");
    let finished = project.run("reach --target=y/part.c:1 prog.c x/part.c y/part.c");
    assert_eq!(answers(&finished, 10), ["y/part.c:1 reachable"]);
}
