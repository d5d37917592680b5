//! What the command line answers to wrong usage and wrong input: the exit code and one clear
//! message.

mod support;

use support::process::{End, Finished};
use support::project::Project;

const PROGRAM: &str = "int main(void) { return 0; }";

#[track_caller]
fn check(finished: &Finished, code: i32, part_of_message: &str) {
    assert_eq!(finished.end, End::Exit(code), "{finished:?}");
    let text = if code == 0 { &finished.stdout } else { &finished.stderr };
    assert!(text.contains(part_of_message), "{part_of_message:?} is not in {text}");
    assert!(!text.contains("panicked") && !text.contains("internal error:"), "{text}");
}

#[test]
fn help_and_version() {
    let project = Project::new(PROGRAM);
    check(&project.run("--help"), 0, "espalier run --help");
    check(&project.run("run --help"), 0, "Exit codes:");
    check(&project.run("--version"), 0, "(LLVM 19");
}

/// Every verb and option is in the manual and can be completed.
#[test]
fn manual_and_completion() {
    let project = Project::new(PROGRAM);
    check(&project.run("man"), 0, ".TH espalier 1");
    check(&project.run("man check"), 0, "witness");
    check(&project.run("man walk"), 1, "there are run, check, reach");
    check(&project.run("man --dir pages"), 0, "");
    assert!(project.list("pages").contains(&"espalier-reach.1".to_owned()));
    for shell in ["bash", "zsh", "fish"] {
        let finished = project.run(&format!("completions {shell}"));
        for word in ["reach", "max-time", "external-calls", "one-at-a-time"] {
            check(&finished, 0, word);
        }
    }
    check(&project.run("completions cmd"), 1, "possible values: bash");
}

#[test]
fn wrong_usage() {
    let project = Project::new(PROGRAM);
    check(&project.run(""), 1, "Usage: espalier");
    check(&project.run("walk prog.c"), 1, "unrecognized subcommand 'walk'");
    check(&project.run("run"), 1, "Usage: espalier run");
    check(&project.run("run prog.c --max-tme 3"), 1, "'--max-time'");
    check(&project.run("run prog.c --max-time 3parsecs"), 1, "unknown unit \"parsecs\"");
    check(&project.run("run prog.c --max-memory much"), 1, "is not a size");
    check(&project.run("run prog.c --search astar"), 1, "random-state");
    check(&project.run("run prog.c --search nurs:covnw"), 1, "'nurs:covnew'");
    check(&project.run("run prog.c --search dfs,md2u"), 1, "invalid value 'md2u'");
    check(&project.run("run prog.c --seed=-1"), 1, "invalid value");
    check(&project.run("run prog.c --external-calls=havoc --check-uninit"), 1, "never written");
    check(&project.run("run prog.c --libc=own --sym-stdin=3"), 2, "leave --libc=own out");
    assert_eq!(project.list("."), ["prog.c"], "nothing is written");
}

#[test]
fn wrong_input() {
    let project = Project::new(PROGRAM);
    check(&project.run("run absent.c"), 2, "absent.c");
    project.write("broken.c", b"int main(void) { return x; }");
    check(&project.run("run broken.c"), 2, "undeclared identifier 'x'");
    project.write("nomain.c", b"int f(void) { return 0; }");
    check(&project.run("run nomain.c"), 2, "main");
    check(&project.run("run prog.c --entry start"), 2, "start");
    project.write("damaged.bc", b"BC\xc0\xde and then nothing sensible");
    check(&project.run("run damaged.bc"), 2, "damaged.bc");
    project.write("empty.bc", b"");
    check(&project.run("run empty.bc"), 2, "empty.bc");
    assert!(!project.path("espalier-out-0").exists(), "no run directory without a run");
}

#[test]
fn unusable_output_directories() {
    let project = Project::new(PROGRAM);
    check(&project.run("run prog.c --output-dir ."), 2, "is not empty");
    check(&project.run("run prog.c --output-dir prog.c"), 2, "is not a directory");
    check(&project.run("run prog.c --output-dir prog.c/out"), 2, "cannot create output directory");
}

#[test]
fn compiler_flags_and_arguments_reach_the_program() {
    let project = Project::new(
        "#include <assert.h>
         #include <string.h>
         #include \"limit.h\"
         int main(int argc, char **argv) {
             assert(argc == 3 && !strcmp(argv[1], \"-v\") && !strcmp(argv[2], \"x\"));
             return LIMIT + EXTRA - 7;
         }",
    );
    std::fs::create_dir(project.path("inc")).unwrap();
    project.write("inc/limit.h", b"#define LIMIT 3\n");
    check(&project.run("run prog.c -Iinc -D EXTRA=4 -std=c11 -- -v x"), 0, "No errors");
    check(&project.run("run prog.c --cc-arg -Iinc --cc-arg=-DEXTRA=4 -- -v x"), 0, "No errors");
}
