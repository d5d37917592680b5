//! Coverage: lines against gcc's own coverage of native runs, the files that are written, and their
//! merging.

mod support;

use lcov::{Branch, Record, Tracefile};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use support::process::{self, End, check_error};
use support::project::Project;
use support::{corpus, root};

const LIMIT: Duration = Duration::from_secs(60);

/// What one run executed of `prog.c`.
fn record(project: &Project, options: &str) -> Record {
    let out = project.path("coverage-out");
    let _ = std::fs::remove_dir_all(&out);
    let finished = project.run(&format!("run prog.c --coverage=lcov --output-dir coverage-out {options}"));
    assert!(matches!(finished.end, End::Exit(0 | 5 | 10)), "{finished:?}");
    let tracefile = Tracefile::parse(&project.read("coverage-out/coverage.info")).unwrap();
    let path = project.path("prog.c").canonicalize().unwrap();
    tracefile.files[path.to_str().unwrap()].clone()
}

fn executed(record: &Record) -> BTreeSet<u32> {
    record.lines.iter().filter(|(_, count)| **count > 0).map(|(line, _)| *line).collect()
}

/// Lines that gcc's coverage knows, and those of them that native runs of all tests execute.
fn native_lines(project: &Project, options: &[String]) -> (BTreeSet<u32>, BTreeSet<u32>) {
    let dir = project.path("native");
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir(&dir).unwrap();
    let run = |command: &mut Command| {
        let finished = process::run(command.current_dir(&dir), LIMIT);
        assert_eq!(finished.end, End::Exit(0), "{finished:?}");
        finished.stdout
    };
    run(Command::new("gcc")
        .args(["--coverage", "-O0", "-g", "-w", "-I"])
        .arg(root().join("runtime/include"))
        .args(corpus::cc_args(options))
        .args(["-c", "../prog.c", "-o", "prog.o"]));
    run(Command::new("gcc")
        .args(["--coverage", "-w", "prog.o"])
        .arg(root().join("runtime/replay/replay.c"))
        .args(["-o", "prog", "-lm"]));
    for test in project.list("coverage-out").iter().filter(|name| name.ends_with(".ktest")) {
        let test = project.path("coverage-out").join(test);
        process::run(Command::new(dir.join("prog")).current_dir(&dir).env("KTEST_FILE", test), LIMIT);
    }
    let text = run(Command::new("gcov").args(["-t", "prog.o"]));
    let (mut known, mut executed) = (BTreeSet::new(), BTreeSet::new());
    let mut in_program = false;
    for line in text.lines() {
        let mut fields = line.splitn(3, ':');
        let (Some(count), Some(number), Some(text)) = (fields.next(), fields.next(), fields.next()) else { continue };
        let number: u32 = number.trim().parse().unwrap_or(0);
        if number == 0 && text.starts_with("Source:") {
            in_program = text.ends_with("prog.c");
        }
        let count = count.trim();
        if in_program && number > 0 && count != "-" {
            known.insert(number);
            if !count.starts_with(['#', '=']) {
                executed.insert(number);
            }
        }
    }
    (known, executed)
}

/// The lines that tests execute natively are those that were executed here. The compilers do not
/// find code on the same lines: `ours` are lines that only clang has some for, `theirs` those that
/// only gcc has.
#[track_caller]
fn check_against_gcc(name: &str, source: &str, options: &[String], ours: &[u32], theirs: &[u32]) {
    let project = Project::new(source);
    let record = record(&project, &options.join(" "));
    let here = executed(&record);
    let (native_known, native) = native_lines(&project, options);
    let known: BTreeSet<u32> = record.lines.keys().copied().collect();
    let only = |a: &BTreeSet<u32>, b: &BTreeSet<u32>| a.difference(b).copied().collect::<Vec<u32>>();
    assert_eq!(only(&known, &native_known), ours, "{name}: lines that only clang has code for");
    assert_eq!(only(&native_known, &known), theirs, "{name}: lines that only gcc has code for");
    let both: BTreeSet<u32> = known.intersection(&native_known).copied().collect();
    let of_both = |lines: &BTreeSet<u32>| lines.intersection(&both).copied().collect::<BTreeSet<u32>>();
    assert_eq!(of_both(&here), of_both(&native), "{name}");
    assert!(both.len() > 4 && !native.is_empty(), "{name}: {both:?}");
}

#[test]
fn lines_are_those_that_native_runs_of_the_tests_execute() {
    for (name, ours, theirs) in [
        ("algo_binary_search", &[][..], &[][..]),
        // The closing brace of a block: clang's jump out of it is there.
        ("algo_sort3", &[11], &[]),
        ("builtin_unreachable_guarded", &[], &[]),
        ("constructor", &[], &[]),
        // Closing braces again: of a function that returns before them.
        ("exit_code", &[13], &[]),
        ("recursion_ackermann", &[11], &[]),
        // Assertions on constants, which clang decides; gcc has code for them.
        ("fnptr_table", &[20], &[26, 27]),
        ("input_klee_choose", &[], &[]),
        // And of a function whose variables end there.
        ("loop_nested", &[14], &[]),
        ("setjmp_basic", &[], &[]),
        ("static_local", &[], &[]),
        // Labels, which gcc counts, and the closing brace.
        ("switch_char", &[16], &[7, 13]),
        ("switch_sparse", &[], &[]),
        ("symmem_pointer_branch", &[], &[]),
        // `va_end` is no code for clang.
        ("varargs_forward", &[], &[17]),
    ] {
        let path = root().join(format!("tests/c/pass/{name}.c"));
        let source = std::fs::read_to_string(&path).unwrap();
        let options = source.lines().filter_map(|line| line.strip_prefix("// options: "));
        let options: Vec<String> = options.flat_map(str::split_whitespace).map(str::to_owned).collect();
        check_against_gcc(name, &source, &options, ours, theirs);
    }
}

const STOPS: &str = r#"#include <klee/klee.h>
#include <stdlib.h>
static int total;
static void stop_if(int x) {
  if (x > 100)
    exit(3);
  total += x;
}
int main(void) {
  int x = 101 + klee_range(0, 50, "x");
  total = 1;
  stop_if(x);
  total = 2;
  total++;
  return total;
}
"#;

#[test]
fn what_is_behind_a_call_that_never_returns_is_not_executed() {
    check_against_gcc("stops", STOPS, &[], &[], &[]);
    let record = record(&Project::new(STOPS), "");
    let executed = executed(&record);
    assert!(executed.contains(&12) && !executed.contains(&13) && !executed.contains(&7), "{executed:?}");
}

#[test]
fn an_error_executes_its_own_line_and_nothing_behind_it() {
    let source = "#include <klee/klee.h>
int main(void) {
  int x = klee_int(\"x\");
  int y = 7;
  y = y / (x - x);
  y++;
  return y;
}
";
    assert_eq!(executed(&record(&Project::new(source), "")), BTreeSet::from([2, 3, 4, 5]));
}

const COUNTS: &str = r#"#include <klee/klee.h>
static int classify(int x) {
  if (x < 0)
    return -1;
  switch (x) {
  case 1:
  case 2:
    return 1;
  case 7:
    return 7;
  }
  return 0;
}
int main(void) {
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += i;
  int x = klee_range(1, 100, "x");
  return classify(x) + sum;
}
"#;

#[test]
fn lines_branches_and_functions_are_counted() {
    let project = Project::new(COUNTS);
    let found = record(&project, "");
    assert_eq!((found.lines[&17], found.lines[&4], found.lines[&8]), (10, 0, 1));
    let taken = |line, branch| found.branches[&Branch { line, block: 0, branch }];
    assert_eq!([taken(16, 0), taken(16, 1)], [Some(10), Some(1)]);
    assert_eq!([taken(3, 0), taken(3, 1)], [Some(0), Some(1)], "x is never negative");
    // The cases 1 and 2 lead to one place.
    let switch: Vec<Option<u64>> = (0..3).map(|branch| taken(5, branch)).collect();
    assert_eq!(switch, [Some(1); 3]);
    assert_eq!((found.functions["classify"].line, found.functions["classify"].calls), (2, 1));
    let unreached = COUNTS.replace("return classify", "return x > 200 ? classify").replace("+ sum;", ": sum;");
    let project = Project::new(&unreached);
    let found = record(&project, "");
    assert_eq!(found.branches[&Branch { line: 3, block: 0, branch: 0 }], None, "the decision was never come to");
    assert_eq!(found.functions["classify"].calls, 0);
}

#[test]
fn replays_of_interpolation_are_not_counted() {
    let project = Project::new(
        "#include <klee/klee.h>
int main(void) {
  int a = klee_int(\"a\"), b = klee_int(\"b\"), r = 0;
  if (a > 5)
    r = 1;
  klee_assert(a != 3);
  if (b == a)
    r += 2;
  klee_assert(r + b != 77);
  return 0;
}
",
    );
    let (plain, pruned) = (record(&project, "--search=dfs"), record(&project, "--search=dfs --interpolation=on"));
    for (line, count) in &pruned.lines {
        assert!(*count <= plain.lines[line], "line {line}: {count} with pruning, {} without", plain.lines[line]);
    }
    assert_eq!(executed(&plain), executed(&pruned));
}

#[test]
fn the_summary_shows_every_kind() {
    let project = Project::new(COUNTS);
    let finished = project.run("run prog.c --json");
    let last = finished.stdout.lines().last().unwrap();
    let event: serde_json::Value = serde_json::from_str(last).unwrap();
    let coverage = &event["coverage"];
    let share = |what: &str| {
        let number = |name: String| coverage[&name].as_u64().unwrap_or_else(|| panic!("{name} in {coverage}"));
        (number(format!("covered_{what}")), number(format!("total_{what}")))
    };
    assert_eq!(share("branches"), (6, 7));
    assert_eq!(share("lines"), (13, 14));
    let percent = |what: &str| 100 * share(what).0 / share(what).1;
    let expected = format!(
        "Covered: {}% of the program's instructions, 92% of its lines, 85% of its branches, {}% of its blocks.",
        percent("instructions"),
        percent("blocks")
    );
    assert!(finished.stderr.contains(&expected), "{expected} is not in {}", finished.stderr);
}

#[test]
fn tracefiles_are_merged_and_shown() {
    let project = Project::new(COUNTS);
    for file in ["a.info", "b.info"] {
        let finished = project.run(&format!("run prog.c --coverage=lcov:{file}"));
        assert_eq!(finished.end, End::Exit(0), "{finished:?}");
    }
    let merged = project.run("coverage merge a.info b.info -o all.info");
    assert_eq!(merged.end, End::Exit(0), "{merged:?}");
    let rows: Vec<Vec<&str>> = merged.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["lines", "functions", "branches"]);
    let cells = ["13", "of", "14", "(92.9%)", "2", "of", "2", "(100.0%)", "6", "of", "7", "(85.7%)"];
    assert_eq!((rows[1][0], &rows[1][1..]), ("prog.c", &cells[..]));
    assert_eq!((rows[2][0], &rows[2][1..]), ("all", &cells[..]));
    let read = |file: &str| Tracefile::parse(&project.read(file)).unwrap();
    let (one, both) = (read("a.info"), read("all.info"));
    let path = one.files.keys().next().unwrap();
    assert_eq!(both.files[path].lines[&17], 2 * one.files[path].lines[&17]);
    assert_eq!(both.totals(), one.totals());
    accepted_by_lcov(&project.path("all.info"));
}

/// The real tools read it without a complaint and find the same totals.
fn accepted_by_lcov(file: &Path) {
    let summary = Command::new("lcov")
        .args(["--rc", "lcov_branch_coverage=1", "--rc", "branch_coverage=1", "--ignore-errors", "usage"])
        .arg("--summary")
        .arg(file)
        .output()
        .expect("lcov, which `make setup` installs");
    let text = [summary.stdout, summary.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(summary.status.success(), "{text}");
    for part in ["92.9% (13 of 14 lines)", "100.0% (2 of 2 functions)", "85.7% (6 of 7 branches)"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let html = tempfile::tempdir().unwrap();
    let genhtml =
        Command::new("genhtml").args(["--branch-coverage", "-o"]).arg(html.path()).arg(file).output().unwrap();
    assert!(genhtml.status.success(), "{}", String::from_utf8_lossy(&genhtml.stderr));
    assert!(html.path().join("index.html").exists());
}

#[test]
fn what_cannot_be_done_is_said() {
    let project = Project::new(COUNTS);
    let check = |args: &str, code: i32, part: &str| check_error(&project.run(args), code, part);
    check("run prog.c --coverage=gcov", 1, "--coverage=lcov or --coverage=lcov:FILE");
    check("run prog.c --coverage=lcov:", 1, "--coverage=lcov or --coverage=lcov:FILE");
    check("run prog.c --coverage=lcov:absent/x.info", 2, "absent/x.info");
    check("coverage merge absent.info", 2, "absent.info");
    check("coverage merge prog.c", 2, "prog.c: line 2: \"static int classify(int x) {\" is not part of a tracefile");
    check("coverage merge", 1, "Usage: espalier coverage merge");
    project.write("old.info", b"SF:a.c\nFN:1,f\nend_of_record\n");
    project.write("new.info", b"SF:a.c\nFN:2,f\nend_of_record\n");
    check("coverage merge old.info new.info", 2, "new.info: they were made from different versions of a.c");
    check("coverage merge old.info -o absent/all.info", 6, "cannot write absent/all.info");
}
