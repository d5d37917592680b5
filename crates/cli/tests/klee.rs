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
    let finished = project.run("klee --posix-runtime --libc=uclibc --output-dir=out prog.bc x -sym-arg 2");
    assert_eq!(finished.end, End::Exit(0), "{finished:?}");
    // The last newline of a text of n characters is in one of n places, or nowhere.
    assert_eq!(done(&finished, "completed paths"), 6, "{}", finished.stderr);
    let tests = tests_in(&project, "out");
    assert_eq!(tests[0].args, ["prog.bc", "x", "--sym-arg", "2"].map(|arg| arg.as_bytes().to_vec()));
    assert_eq!((&tests[0].objects[0].name[..], tests[0].objects[0].bytes.len()), (&b"arg00"[..], 3));
    let error = project.run("klee --posix-runtime --libc=glibc prog.bc");
    assert!(error.stderr.contains("--libc=glibc: it can be none, klee or uclibc"), "{}", error.stderr);
}

/// Bitcode of `source`, compiled with these options.
fn compiled_with(options: &[&str], source: &str) -> Project {
    let project = Project::new(source);
    bitcode::compile_for("clang-19", options, &project.path(""), "prog.c", &project.path("prog.bc"));
    project
}

/// The names of error files, without their numbers.
fn error_kinds(project: &Project, directory: &str) -> Vec<String> {
    let names = project.list(directory).into_iter().filter(|name| name.ends_with(".err"));
    let mut kinds: Vec<String> = names.map(|name| name["test000001.".len()..].to_owned()).collect();
    kinds.sort();
    kinds
}

#[test]
fn checks_of_clangs_are_reported_by_klees_kinds_at_the_programs_line() {
    let source = "#include <klee/klee.h>
int main(void) {
  int a = klee_range(0, 8, \"a\"), table[4] = {0};
  float divisor = 0;
  if (a == 1)
    return table[a + 3];
  if (a == 2)
    return (int)(2147483647 + a > 0);
  if (a == 3)
    return (unsigned)a - 4u > 0;
  if (a == 4)
    return 1.0f / divisor > 0;
  if (a == 5) {
    unsigned char small = 255 + a;
    return small;
  }
  if (a == 6)
    return *(int *)((char *)table + 1);
  if (a == 7)
    return 1 << (a + 40);
  return 0;
}
";
    let checks = "-fsanitize=bounds,signed-integer-overflow,unsigned-integer-overflow,float-divide-by-zero,\
                  implicit-unsigned-integer-truncation,implicit-signed-integer-truncation,alignment,shift";
    let project = compiled_with(&[checks], source);
    let finished = project.run("klee --ubsan-runtime --check-overshift=false prog.bc");
    assert_eq!(
        error_kinds(&project, "klee-out-0"),
        ["div.err", "implicit_truncation.err", "overflow.err", "overflow.err", "overflow.err", "ptr.err", "ptr.err"],
        "{}",
        finished.stderr
    );
    for (line, what) in [
        (6, "out-of-bounds-index"),
        (8, "signed-integer-overflow"),
        (10, "unsigned-integer-overflow"),
        (12, "float-divide-by-zero"),
        (14, "implicit-signed-integer-truncation"),
        (18, "misaligned-pointer-use"),
        (20, "shift out of bounds"),
    ] {
        let told = finished.stderr.lines().any(|told| {
            let handler = "runtime/Sanitizer/ubsan/ubsan_handlers.cpp:";
            told.starts_with(&format!("KLEE: ERROR: prog.c:{line}: {handler}")) && told.ends_with(&format!(": {what}"))
        });
        assert!(told, "{what}: {}", finished.stderr);
    }
}

#[test]
fn calls_through_pointers_of_another_type_are_told_of() {
    let source = "static int one(int x) { return x; }
static long other(long x) { return x; }
int main(int argc, char **argv) {
  int (*right)(int) = argc ? one : (int (*)(int))other;
  int (*wrong)(int) = argc ? (int (*)(int))other : one;
  return right(0) + wrong(0);
}
";
    let project = compiled_with(&["-fsanitize=function"], source);
    let finished = project.run("klee prog.bc");
    assert_eq!(error_kinds(&project, "klee-out-0"), ["function_type_mismatch.err"], "{}", finished.stderr);
    assert!(finished.stderr.contains(": function-type-mismatch\n"), "{}", finished.stderr);
}

const MERGED: &str = "#include <klee/klee.h>
#include <assert.h>
int twice(int x) { int local[2] = {x, x}; return local[0] + local[1]; }
int main(void) {
  unsigned x, y, kind = 3;
  klee_make_symbolic(&x, sizeof x, \"x\");
  klee_make_symbolic(&y, sizeof y, \"y\");
  klee_open_merge();
  if (x == 1)
    kind = 5;
  else if (x < 9)
    kind = twice(4);
  klee_close_merge();
  if (y == kind)
    assert((x != 7) | (y == 8));
  assert((kind == 8) == ((x < 9) & (x != 1)));
  assert((x != 1) | (kind != 5));
  return 0;
}
";

#[test]
fn merged_paths_are_one_that_stands_for_all_of_them() {
    let project = compiled(MERGED);
    let finished = project.run("klee --use-merge --debug-log-merge prog.bc");
    let closed = finished.stderr.lines().filter(|line| line.starts_with("close merge: ")).count();
    assert_eq!(closed, 3, "{}", finished.stderr);
    // One path for y and one for the rest; and the assertion that fails, once.
    let errors: Vec<&str> = finished.stderr.lines().filter(|line| line.starts_with("KLEE: ERROR")).collect();
    assert_eq!(errors, ["KLEE: ERROR: prog.c:17: ASSERTION FAIL: (x != 1) | (kind != 5)"]);
    assert_eq!(done(&finished, "completed paths"), 2, "{}", finished.stderr);
    // Without merging, and where the values are looked at with interpolation, the same fails.
    let apart = project.run("klee prog.bc");
    assert_eq!(done(&apart, "completed paths"), 4, "{}", apart.stderr);
    let both = project.run("klee --use-merge --interpolation=on prog.bc");
    assert!(both.stderr.contains("prog.c:17: ASSERTION FAIL"), "{}", both.stderr);
    let incomplete = project.run("klee --use-merge --use-incomplete-merge --search=dfs prog.bc");
    assert!(incomplete.stderr.contains("prog.c:17: ASSERTION FAIL"), "{}", incomplete.stderr);
    let unopened = compiled("#include <klee/klee.h>\nint main(void) { klee_close_merge(); }\n");
    let told = unopened.run("klee --use-merge prog.bc");
    assert!(told.stderr.contains("ran into a close at prog.c:2 without a preceding open"), "{}", told.stderr);
}

#[test]
fn misuse_of_klees_calls_and_bad_frees_are_errors_in_its_words() {
    let source = "#include <stdlib.h>
void klee_make_symbolic();
static int table[4];
int main(void) {
  int a, b, *heap = malloc(4);
  char *name;
  klee_make_symbolic(&a, sizeof a, \"a\");
  klee_make_symbolic(&name, sizeof name, \"name\");
  switch (a) {
  case 1: klee_make_symbolic(&b, sizeof b); break;
  case 2: klee_make_symbolic(&b, sizeof b, (char *)15); break;
  case 3: klee_make_symbolic(&b, sizeof b, name); break;
  case 4: klee_make_symbolic(&b, 2L, \"b\"); break;
  case 5: free(table); break;
  case 6: free(&b); break;
  case 7: free(heap); free(heap); break;
  case 8: free((void *)77777); break;
  }
  return 0;
}
";
    let project = compiled_with(&["-w"], source);
    let finished = project.run("klee prog.bc");
    for (line, message) in [
        (10, "Incorrect number of arguments to klee_make_symbolic(void*, size_t, char*)"),
        (11, "Invalid string pointer passed to one of the klee_ functions"),
        (12, "Symbolic string pointer passed to one of the klee_ functions"),
        (13, "Wrong size given to klee_make_symbolic"),
        (14, "free of global"),
        (15, "free of alloca"),
        (16, "memory error: double free"),
        (17, "memory error: invalid pointer: free"),
    ] {
        let told = format!("KLEE: ERROR: prog.c:{line}: {message}\n");
        assert!(finished.stderr.contains(&told), "{told}{}", finished.stderr);
    }
    let kinds = error_kinds(&project, "klee-out-0");
    assert_eq!(
        kinds.iter().map(|kind| kind.trim_end_matches(".err")).collect::<Vec<_>>(),
        ["free", "free", "ptr", "ptr", "user", "user", "user", "user"]
    );
}

#[test]
fn a_computed_goto_has_one_path_a_label() {
    let source = "#include <klee/klee.h>
int main(void) {
  void *target = &&one, *other = &&two;
  klee_print_expr(\"one\", 1 + (other != target));
  klee_make_symbolic(&target, sizeof target, \"target\");
  goto *target;
one:
  return 1;
two:
  return 2;
}
";
    let project = compiled(source);
    let finished = project.run("klee prog.bc");
    assert!(finished.stderr.contains("one:2\n"), "{}", finished.stderr);
    assert!(finished.stderr.contains("indirectbr: illegal label address"), "{}", finished.stderr);
    assert_eq!((done(&finished, "completed paths"), done(&finished, "partially completed paths")), (2, 1));
}

#[test]
fn files_are_those_that_klees_users_look_for() {
    let source = "#include <klee/klee.h>
#include <stdatomic.h>
static int id(int x) { return x; }
int main(void) {
  char table[4] = {1, 2, 4, 8};
  unsigned char k = klee_range(0, 4, \"k\");
  atomic_int count = 0;
  atomic_fetch_add(&count, 1);
  if (table[k] == 4)
    return id(1);
  return count - 1;
}
";
    let project = compiled(source);
    let finished = project.run(
        "klee --output-module --write-xml-tests --write-kqueries --optimize-array=index --search=dfs --some-option=3 prog.bc",
    );
    assert_eq!(finished.end, End::Exit(0), "{finished:?}");
    assert!(finished.stderr.contains("WARNING: unknown option --some-option is ignored"), "{}", finished.stderr);
    assert!(finished.stderr.contains("KLEE: WARNING: OPT_I: successful"), "{}", finished.stderr);
    let files = project.list("klee-out-0");
    for name in ["assembly.ll", "final.bc", "run.istats", "metadata.xml", "test000001.xml", "test000002.kquery"] {
        assert!(files.iter().any(|file| file == name), "{name} is not in {files:?}");
    }
    let assembly = project.read("klee-out-0/assembly.ll");
    assert!(assembly.contains("define dso_local i32 @main") && !assembly.contains("atomicrmw"));
    let profile = project.read("klee-out-0/run.istats");
    assert!(profile.contains("\nevents: I ") && profile.contains("\ncfn=id\ncalls=1 "), "{profile}");
    for name in files.iter().filter(|name| name.ends_with(".kquery")) {
        assert!(!project.read(&format!("klee-out-0/{name}")).contains("const_arr"), "{name}");
    }
    // The same program from standard input, and with another function in the place of one.
    let mut command = Command::new("sh");
    let line = format!("{ESPALIER} klee --output-dir=again --function-alias=id:main_of < prog.bc");
    let refused = process::run(command.args(["-c", &line]).current_dir(project.path("")), LIMIT);
    assert!(refused.stderr.contains("replacement function @main_of could not be found"), "{}", refused.stderr);
}

#[test]
fn symbolic_files_are_as_in_klees_model() {
    let source = "#include <assert.h>
#include <fcntl.h>
#include <unistd.h>
int main(void) {
  char c;
  int file = open(\"A\", O_RDONLY);
  assert(file >= 0);
  if (read(file, 0, 1) != -1)
    return 1;
  if (open(\"A\", O_WRONLY) < 0)
    return 2;
  return isatty(0) ? 3 : read(file, &c, 1) == 1 ? 0 : 4;
}
";
    let project = compiled(source);
    let finished = project.run("klee --posix-runtime --libc=uclibc prog.bc --sym-files 1 4 --sym-stdin 2");
    assert_eq!(finished.end, End::Exit(0), "{finished:?}");
    assert!(!finished.stderr.contains("ERROR"), "{}", finished.stderr);
    // Writing is refused; standard input is a terminal; neither.
    assert_eq!(done(&finished, "completed paths"), 3, "{}", finished.stderr);
    let tests = tests_in(&project, "klee-out-0");
    let names = ["A_data", "A_data_stat", "stdin", "stdin_stat", "model_version"];
    let found: Vec<&[u8]> = tests[0].objects.iter().map(|object| &object.name[..]).collect();
    assert_eq!(found, names.map(str::as_bytes));
}
