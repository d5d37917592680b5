//! `espalier klee`: KLEE's command line, words, files and exit codes.
//!
//! The programs in `tests/c/klee` are compiled to bitcode first, as KLEE's users do. Comments in
//! them say what is expected: closing lines as KLEE prints them, and errors at the end of the lines
//! that they are found at.

mod support;

use ktest::KTest;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use support::process::{self, End, Finished};
use support::project::Project;
use support::{ESPALIER, bitcode, root};

const LIMIT: Duration = Duration::from_secs(120);

/// A project with `prog.c` and `prog.bc`.
fn compiled(source: &str) -> Project {
    let project = Project::new(source);
    bitcode::compile(&project.path(""), "prog.c", &project.path("prog.bc"));
    project
}

fn tutorial(name: &str) -> String {
    let path = root().join("tests/c/klee").join(format!("{name}.c"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The number in a closing line.
fn done(finished: &Finished, what: &str) -> u64 {
    let prefix = format!("KLEE: done: {what} = ");
    let line = finished.stderr.lines().find_map(|line| line.strip_prefix(&prefix));
    line.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("no `{what}` in {}", finished.stderr))
}

/// What was said, without what differs from machine to machine.
fn normalised(project: &Project, finished: &Finished) -> String {
    let directory = project.path("").canonicalize().unwrap();
    let text = finished.stderr.replace(directory.to_str().unwrap(), "DIR");
    let number = |line: &str| match line.strip_prefix("KLEE: done: total instructions = ") {
        Some(number) if number.parse::<u64>().is_ok_and(|number| number > 0) => {
            "KLEE: done: total instructions = N".to_owned()
        }
        _ => line.to_owned(),
    };
    text.lines().map(number).collect::<Vec<_>>().join("\n") + "\n"
}

fn tests_in(project: &Project, directory: &str) -> Vec<KTest> {
    let names = project.list(directory).into_iter().filter(|name| name.ends_with(".ktest"));
    names.map(|name| KTest::read_file(project.path(directory).join(name)).unwrap()).collect()
}

#[test]
fn tutorials_have_the_paths_and_errors_that_klee_finds() {
    tutorials_compiled_by("clang-19");
}

/// Their bitcode differs: pointers had types up to version 14.
#[test]
fn bitcode_of_older_compilers_means_the_same() {
    let is_installed = |clang: &String| Command::new(clang).arg("--version").output().is_ok();
    let older: Vec<String> = (14..19).map(|version| format!("clang-{version}")).filter(is_installed).collect();
    assert!(older.contains(&"clang-14".to_owned()), "run `make setup`");
    older.iter().for_each(|clang| tutorials_compiled_by(clang));
}

fn tutorials_compiled_by(clang: &str) {
    let mut programs: Vec<PathBuf> =
        fs::read_dir(root().join("tests/c/klee")).unwrap().map(|entry| entry.unwrap().path()).collect();
    programs.sort();
    assert!(programs.len() >= 6);
    for program in programs {
        let name = program.file_stem().unwrap().to_str().unwrap();
        let source = tutorial(name);
        let project = Project::new("");
        project.write(&format!("{name}.c"), source.as_bytes());
        bitcode::compile_with(clang, &project.path(""), &format!("{name}.c"), &project.path("prog.bc"));
        let options = source.lines().find_map(|line| line.strip_prefix("// options: ")).unwrap_or_default();
        let finished = project.run(&format!("klee {options} prog.bc"));
        assert_eq!(finished.end, End::Exit(0), "{name}: {finished:?}");
        for line in source.lines().filter_map(|line| line.strip_prefix("// ")) {
            if let Some((what, number)) = line.split_once(" = ") {
                assert_eq!(done(&finished, what).to_string(), number, "{name}: {what}\n{}", finished.stderr);
            }
        }
        let mut expected: Vec<String> = source
            .lines()
            .enumerate()
            .filter_map(|(index, line)| Some((index + 1, line.split_once("//~ ")?.1)))
            .map(|(line, message)| format!("KLEE: ERROR: {name}.c:{line}: {message}"))
            .collect();
        let mut found: Vec<String> =
            finished.stderr.lines().filter(|line| line.starts_with("KLEE: ERROR")).map(str::to_owned).collect();
        found.sort();
        found.dedup();
        expected.sort();
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn both_ways_through_the_maze_are_found() {
    let project = compiled(&tutorial("maze"));
    project.run("klee --emit-all-errors prog.bc");
    let names = project.list("klee-out-0").into_iter().filter(|name| name.ends_with(".assert.err"));
    let mut ways: Vec<String> = names
        .map(|name| {
            let test = project.path("klee-out-0").join(name.replace(".assert.err", ".ktest"));
            let moves = KTest::read_file(test).unwrap().objects[0].bytes.clone();
            String::from_utf8_lossy(&moves[..4]).into_owned()
        })
        .collect();
    ways.sort();
    assert_eq!(ways, ["ddss", "ssdd"]);
}

#[test]
fn a_run_speaks_as_klee_does() {
    let project = compiled(&tutorial("calculator"));
    let finished = project.run("klee --search=dfs --use-forked-solver --max-time=1min prog.bc one");
    let expected = "\
KLEE: output directory is \"DIR/klee-out-0\"
KLEE: WARNING: --use-forked-solver has no effect: it is about how KLEE works inside
KLEE: ERROR: prog.c:17: divide by zero
KLEE: NOTE: now ignoring this error at this location

KLEE: done: total instructions = N
KLEE: done: completed paths = 5
KLEE: done: partially completed paths = 1
KLEE: done: generated tests = 6
";
    assert_eq!(normalised(&project, &finished), expected);
    assert_eq!(finished.stdout, "");
    let files = project.list("klee-out-0");
    for name in ["info", "messages.txt", "warnings.txt", "run.stats", "test000006.ktest"] {
        assert!(files.iter().any(|file| file == name), "{name} is not in {files:?}");
    }
    assert_eq!(fs::read_link(project.path("klee-last")).unwrap().to_str(), Some("klee-out-0"));
    let error = files.iter().find(|name| name.ends_with(".div.err")).expect("an error file");
    let text = project.read(&format!("klee-last/{error}"));
    assert!(text.starts_with("Error: divide by zero\nFile: prog.c\nLine: 17\nStack:\n\t#0 in calculate("), "{text}");
    assert!(files.contains(&error.replace(".div.err", ".kquery")), "KLEE writes it for errors");
    assert_eq!(tests_in(&project, "klee-last")[0].args, [b"prog.bc".to_vec(), b"one".to_vec()]);
    let info = project.read("klee-last/info");
    assert!(info.contains(" klee --search=dfs ") && info.contains("\nKLEE: done: completed paths = 5\n"), "{info}");
    assert!(project.read("klee-last/warnings.txt").starts_with("KLEE: WARNING: --use-forked-solver"));
    assert!(project.read("klee-last/messages.txt").contains("KLEE: ERROR: prog.c:17: divide by zero\n"));
}

#[test]
fn a_link_called_klee_is_klee() {
    let project = compiled(&tutorial("get_sign"));
    std::os::unix::fs::symlink(ESPALIER, project.path("klee")).unwrap();
    let mut command = Command::new(project.path("klee"));
    let finished = process::run(command.arg("-max-time=1min").arg("prog.bc").current_dir(project.path("")), LIMIT);
    assert_eq!(finished.end, End::Exit(0), "{finished:?}");
    assert_eq!(done(&finished, "completed paths"), 3);
    // The directory is made where the program is, not where we are.
    fs::create_dir(project.path("elsewhere")).unwrap();
    let mut command = Command::new(project.path("klee"));
    process::run(command.arg("../prog.bc").current_dir(project.path("elsewhere")), LIMIT);
    assert!(project.path("klee-out-1/info").exists());
    assert!(project.list("elsewhere").is_empty());
}

#[test]
fn wrong_usage_and_input_end_with_1() {
    let project = compiled("int main(void) { return 0; }");
    for (args, message) in [
        ("klee", "KLEE: ERROR: Entry function 'main' not found in module."),
        ("klee --max-time=3parsecs prog.bc", "unknown unit \"parsecs\""),
        ("klee --search=astar prog.bc", "random-path"),
        ("klee --emit-all-errors=perhaps prog.bc", "is not true or false"),
        ("klee --max-depth", "KLEE: ERROR: --max-depth needs a value"),
        ("klee --exit-on-error-type=Bad prog.bc", "there are no errors of kind \"Bad\""),
        ("klee --replay-path=x prog.bc", "--replay-path is not supported"),
        ("klee --replay-ktest-file=absent.ktest prog.bc", "cannot read the test \"absent.ktest\""),
        ("klee --interpolation=on --seed-dir=. prog.bc", "KLEE: ERROR: seeds and replays"),
        ("klee --only-seed prog.bc", "--only-seed needs --seed-file"),
        ("klee --seed-dir=. prog.bc", "there are no .ktest files in \".\""),
        ("klee absent.bc", "KLEE: ERROR: error loading program 'absent.bc'"),
        ("klee --entry-point=start prog.bc", "KLEE: ERROR: Entry function 'start' not found in module."),
        ("klee --entry-point=start --libc=uclibc prog.bc", "KLEE: ERROR: Entry function 'start' not found in module."),
        ("klee --function-alias=main: prog.bc", "KLEE: ERROR: function-alias: replacement cannot be empty"),
        ("klee --function-alias=main:f prog.bc", "function-alias: replacement function @f could not be found"),
        ("klee --posix-runtime prog.bc --sym-files 1 2 --sym-files 1 2", "Multiple --sym-files are not allowed."),
        ("klee --output-dir=prog.c prog.bc", "KLEE: ERROR: output directory \"prog.c\" exists"),
    ] {
        let finished = project.run(args);
        assert_eq!(finished.end, End::Exit(1), "{args}: {finished:?}");
        assert!(finished.stderr.contains(message), "{args}: {}", finished.stderr);
        assert!(finished.stderr.starts_with("KLEE: "), "{args}: {}", finished.stderr);
    }
    assert_eq!(project.run("klee --help").end, End::Exit(0));
}

/// Two places that fail in different ways.
const TWO_ERRORS: &str = r#"#include <klee/klee.h>
int main(void) {
  int table[2] = {0, 1}, i;
  klee_make_symbolic(&i, sizeof i, "i");
  if (i == 7)
    klee_assert(0);
  if (i > 3)
    return table[i];
  return 0;
}
"#;

#[test]
fn runs_end_at_errors_as_asked() {
    let project = compiled(TWO_ERRORS);
    let finished = project.run("klee --exit-on-error --search=dfs prog.bc");
    assert_eq!(finished.end, End::Exit(1), "{finished:?}");
    assert!(finished.stderr.contains("KLEE: ERROR: EXITING ON ERROR:\nError: "), "{}", finished.stderr);
    assert!(!finished.stderr.contains("KLEE: done"), "{}", finished.stderr);
    for kind in ["Ptr", "Assert"] {
        let options = format!("--exit-on-error-type={kind} --dump-states-on-halt=0 --output-dir={kind}");
        let finished = project.run(&format!("klee {options} prog.bc"));
        assert_eq!(finished.end, End::Exit(0), "{finished:?}");
        let last = project.list(kind).into_iter().rfind(|name| name.starts_with("test")).expect("tests");
        let (number, _) = last.split_once('.').unwrap();
        let error = project.path(kind).join(format!("{number}.{}.err", kind.to_ascii_lowercase()));
        assert!(error.exists(), "{last} is no error of this kind, but the last test");
    }
    let finished = project.run("run prog.bc --exit-on-error-type=assert --search=dfs");
    assert_eq!(finished.end, End::Exit(10), "{finished:?}");
    assert!(finished.stdout.contains("leave --exit-on-error-type out to go on"), "{}", finished.stdout);
}

#[test]
fn limits_halt_and_open_paths_get_tests() {
    let source = r#"#include <klee/klee.h>
int main(void) {
  for (unsigned n = 0;; n++) {
    char c;
    klee_make_symbolic(&c, sizeof c, "c");
    if (c == 'q')
      return 0;
  }
}
"#;
    let project = compiled(source);
    let finished = project.run("klee --max-time=1s --search=bfs prog.bc");
    assert_eq!(finished.end, End::Exit(0), "{finished:?}");
    let halt = "KLEE: HaltTimer invoked\nKLEE: halting execution, dumping remaining states\n";
    assert!(finished.stderr.contains(halt), "{}", finished.stderr);
    assert!(done(&finished, "partially completed paths") >= 1);
    assert!(project.list("klee-out-0").iter().any(|name| name.ends_with(".early")));
    let finished = project.run("klee --max-tests=5 --dump-states-on-halt=false prog.bc");
    assert_eq!(done(&finished, "generated tests"), 5);
    assert!(!project.list("klee-out-1").iter().any(|name| name.ends_with(".early")));
    let finished = project.run("klee --max-instructions=500 --write-no-tests prog.bc");
    assert_eq!(done(&finished, "generated tests"), 0);
    assert!(!project.list("klee-out-2").iter().any(|name| name.starts_with("test")));
}

#[test]
fn only_tests_that_cover_something_are_kept_on_request() {
    let project = compiled(&tutorial("sorting"));
    let finished = project.run("klee --only-output-states-covering-new prog.bc");
    assert_eq!(done(&finished, "completed paths"), 24);
    let tests = done(&finished, "generated tests");
    assert!((1..10).contains(&tests), "{tests}");
}

#[test]
fn path_conditions_are_written_for_other_solvers() {
    let project = compiled(&tutorial("sorting"));
    project.run("klee --write-smt2s -write-kqueries prog.bc");
    let files = project.list("klee-out-0");
    let queries: Vec<&String> = files.iter().filter(|name| name.ends_with(".smt2")).collect();
    assert_eq!(queries.len(), 24);
    let mut conditions = std::collections::BTreeSet::new();
    for name in queries {
        let mut z3 = Command::new("z3");
        let finished = process::run(z3.arg(project.path("klee-out-0").join(name)), LIMIT);
        assert_eq!(finished.stdout, "sat\n", "{name}: {finished:?}");
        let kquery = project.read(&format!("klee-out-0/{}", name.replace(".smt2", ".kquery")));
        assert!(kquery.starts_with("array numbers[16] : w32 -> w8 = symbolic\n(query ["), "{kquery}");
        conditions.insert(kquery);
    }
    assert_eq!(conditions.len(), 24, "every path has its own");
}

/// The order that a test's four numbers are in.
fn order(test: &KTest) -> Vec<usize> {
    let words: Vec<i32> =
        test.objects[0].bytes.chunks(4).map(|word| i32::from_le_bytes(word.try_into().unwrap())).collect();
    let mut order: Vec<usize> = (0..words.len()).collect();
    order.sort_by_key(|&index| words[index]);
    order
}

#[test]
fn a_replay_follows_one_path_and_gives_back_its_test() {
    let project = compiled(&tutorial("sorting"));
    project.run("klee prog.bc");
    for (index, test) in tests_in(&project, "klee-out-0").iter().enumerate() {
        let output = format!("replay{index}");
        let name = format!("klee-out-0/test{:06}.ktest", index + 1);
        let finished = project.run(&format!("klee --replay-ktest-file={name} --output-dir={output} prog.bc"));
        assert_eq!(done(&finished, "completed paths"), 1, "{}", finished.stderr);
        assert_eq!(done(&finished, "partially completed paths"), 0);
        assert_eq!(tests_in(&project, &output)[0].objects, test.objects);
    }
    let finished = project.run("klee --replay-ktest-dir=klee-out-0 --output-dir=all prog.bc");
    assert_eq!(done(&finished, "completed paths"), 24);
}

#[test]
fn replays_reach_the_errors_of_their_tests_and_say_when_they_do_not_fit() {
    let project = compiled(TWO_ERRORS);
    project.run("klee prog.bc");
    let errors: Vec<String> = project.list("klee-out-0").into_iter().filter(|name| name.ends_with(".err")).collect();
    assert_eq!(errors.len(), 2, "{errors:?}");
    for error in errors {
        let (test, kind) = error.split_once('.').unwrap();
        let finished = project.run(&format!("klee --replay-ktest-file klee-out-0/{test}.ktest prog.bc"));
        let message = if kind == "ptr.err" { "memory error: out of bound pointer" } else { "ASSERTION FAIL: 0" };
        assert!(finished.stderr.contains(message), "{error}: {}", finished.stderr);
        assert_eq!(done(&finished, "partially completed paths"), 1);
    }
    let other = Project::new("");
    other.write("prog.c", TWO_ERRORS.replace("\"i\"", "\"j\"").as_bytes());
    bitcode::compile(&other.path(""), "prog.c", &other.path("prog.bc"));
    let test = project.path("klee-out-0/test000001.ktest");
    let finished = other.run(&format!("klee --replay-ktest-file={} prog.bc", test.display()));
    assert!(finished.stderr.contains("prog.c:4: the replayed test has no input `j`"), "{}", finished.stderr);
}

#[test]
fn seeds_decide_which_paths_come_first_and_nothing_else() {
    let project = compiled(&tutorial("sorting"));
    project.run("klee prog.bc");
    let tests = tests_in(&project, "klee-out-0");
    let mut orders = BTreeMap::new();
    for (index, test) in tests.iter().enumerate() {
        let name = format!("klee-out-0/test{:06}.ktest", index + 1);
        let output = format!("seed{index}");
        let finished = project
            .run(&format!("klee --seed-file={name} --only-seed --output-dir={output} --dump-states-on-halt=0 prog.bc"));
        assert_eq!(done(&finished, "completed paths"), 1, "{}", finished.stderr);
        assert_eq!(order(&tests_in(&project, &output)[0]), order(test), "the seed's own path");
        orders.insert(order(test), name);
    }
    assert_eq!(orders.len(), 24, "every order of four numbers");
    for search in ["dfs", "bfs", "random-path"] {
        let seed = &orders[&vec![3, 1, 0, 2]];
        let output = format!("all-{search}");
        let finished = project.run(&format!("klee --seed-file={seed} --search={search} --output-dir={output} prog.bc"));
        assert_eq!(done(&finished, "completed paths"), 24, "{search}");
        assert_eq!(order(&tests_in(&project, &output)[0]), [3, 1, 0, 2], "{search}");
    }
    let finished = project.run("klee --seed-dir=klee-out-0 --only-seed --output-dir=every prog.bc");
    assert_eq!(done(&finished, "completed paths"), 24, "the seeds are all there is");
}

#[test]
fn a_false_assumption_is_an_error_unless_it_is_to_be_silent() {
    let project = compiled(
        "#include <klee/klee.h>\nint main(void) {\n  int i = klee_range(0, 9, \"i\");\n  klee_assume(i > 20);\n  return 0;\n}\n",
    );
    let finished = project.run("klee prog.bc");
    let message = "KLEE: ERROR: prog.c:4: invalid klee_assume call (provably false)";
    assert!(finished.stderr.contains(message), "{}", finished.stderr);
    let finished = project.run("klee --silent-klee-assume prog.bc");
    assert!(!finished.stderr.contains("ERROR"), "{}", finished.stderr);
    assert_eq!((done(&finished, "completed paths"), done(&finished, "partially completed paths")), (0, 1));
}

#[test]
fn what_cannot_be_followed_is_an_error_of_klees() {
    let project = compiled("int elsewhere(void);\nint main(void) { return elsewhere(); }\n");
    let finished = project.run("klee --external-calls=all prog.bc");
    assert!(
        finished.stderr.contains("KLEE: ERROR: prog.c:2: failed external call: elsewhere\n"),
        "{}",
        finished.stderr
    );
    assert!(project.path("klee-out-0/test000001.external.err").exists());
}

#[test]
fn the_program_prints_and_gets_its_arguments() {
    let project =
        compiled("#include <stdio.h>\nint main(int argc, char **argv) { return puts(argv[argc - 1]) < 0; }\n");
    let finished = project.run("klee -output-dir=out prog.bc --max-time=x");
    assert_eq!((finished.end, finished.stdout.as_str()), (End::Exit(0), "--max-time=x\n"), "{}", finished.stderr);
}

#[test]
fn queries_are_logged_into_the_directory() {
    let project = compiled(&tutorial("sorting"));
    project.run("klee --use-query-log=solver:smt2 prog.bc");
    assert!(project.read("klee-out-0/solver-queries.smt2").contains("(check-sat)"));
}

#[test]
fn the_model_of_posix_takes_klees_spelling() {
    let project = compiled(
        "#include <stdio.h>
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        fputs(argv[i], stdout);
}
",
    );
    let finished = project.run("klee --posix-runtime --libc=uclibc --output-dir=out prog.bc x -sym-arg 2 --sym-stdout");
    assert_eq!(finished.end, End::Exit(0), "{finished:?}");
    // The last newline of a text of n characters is in one of n places, or nowhere.
    assert_eq!(done(&finished, "completed paths"), 6, "{}", finished.stderr);
    let tests = tests_in(&project, "out");
    assert_eq!(tests[0].args, ["prog.bc", "x", "--sym-arg", "2"].map(|arg| arg.as_bytes().to_vec()));
    assert_eq!((&tests[0].objects[0].name[..], tests[0].objects[0].bytes.len()), (&b"arg00"[..], 3));
    let error = project.run("klee --posix-runtime --libc=glibc prog.bc");
    assert!(error.stderr.contains("--libc=glibc: it can be none, klee or uclibc"), "{}", error.stderr);
}
