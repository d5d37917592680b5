//! `espalier bench` with tools that are small shell scripts: right, wrong, crashing, talking
//! nonsense, slow, and absent.

mod support;

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use support::process::{End, Finished, check_error};
use support::project::Project;

/// Two calls: line 4 can be reached, line 6 cannot.
const TWO: &str = "extern void reach_error(void);
int main(int argc, char **argv) {
  if (argc > 0)
    reach_error(); // expect: reachable
  if (argc != argc)
    reach_error(); // expect: unreachable
  return 0;
}
";

/// Answers as the comment says.
const RIGHT: &str = r#"case $(sed -n "$2p" "$1") in *'expect: unreachable'*) echo SAFE ;; *) echo FOUND ;; esac"#;

/// A set with these tools (name and script), each with the usual answers, and these tasks.
fn project(limits: &str, tools: &[(&str, &str)], tasks: &str) -> Project {
    let project = Project::new("");
    fs::remove_file(project.path("prog.c")).expect("removed");
    fs::create_dir(project.path("tasks")).expect("a directory");
    let mut set = format!("[limits]\n{limits}\n");
    for (name, script) in tools {
        write_script(&project, &format!("{name}.sh"), script);
        set.push_str(&format!(
            "[[tools]]\nname = \"{name}\"\ncommand = [\"./{name}.sh\", \"{{file}}\", \"{{line}}\", \"{{dir}}\"]\n\
             reachable = \"^FOUND$\"\nunreachable = \"^SAFE$\"\nexit = {{ unknown = [5] }}\n"
        ));
    }
    set.push_str(tasks);
    project.write("set.toml", set.as_bytes());
    project
}

fn write_script(project: &Project, name: &str, script: &str) {
    project.write(name, format!("#!/bin/sh\n{script}\n").as_bytes());
    fs::set_permissions(project.path(name), fs::Permissions::from_mode(0o755)).expect("executable");
}

const TASKS: &str = "[[tasks]]\nfiles = \"tasks/*.c\"\n";

/// Is there a line with these words?
#[track_caller]
fn check_line(finished: &Finished, words: &str) {
    let is_there = finished.stdout.lines().any(|line| line.split_whitespace().eq(words.split_whitespace()));
    assert!(is_there, "{words:?} is not in\n{}\n{}", finished.stdout, finished.stderr);
}

#[track_caller]
fn check_end(finished: &Finished, code: i32) {
    assert_eq!(finished.end, End::Exit(code), "{}\n{}", finished.stdout, finished.stderr);
}

fn results(project: &Project, name: &str) -> Vec<Value> {
    let text = project.read(name);
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
}

/// Times are different each time, so they are left out.
fn without_times(text: &str) -> String {
    let words = text.split_whitespace().filter(|word| !word.ends_with('s') || !word.starts_with(char::is_numeric));
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn every_kind_of_tool() {
    let tools = [
        ("right", RIGHT),
        ("wrong", "echo SAFE"),
        ("crash", "kill -SEGV $$"),
        ("nonsense", "echo I like turtles"),
        ("slow", "sleep 1000"),
        ("unsure", "exit 5"),
        ("greedy", "echo 'terminate called after throwing std::bad_alloc' >&2; exit 1"),
    ];
    let absent = "[[tools]]\nname = \"absent\"\ncommand = [\"no-such-tool\"]\nexit = { reachable = [1] }\n";
    let project = project("time = \"500ms\"\nmemory = \"2GiB\"", &tools, &format!("{absent}{TASKS}"));
    project.write("tasks/two.c", TWO.as_bytes());
    let finished = project.run("bench set.toml --html=report.html");
    check_end(&finished, 10);
    let row = finished.stdout.lines().find(|line| line.starts_with("  tasks/two.c")).expect("a row");
    let of_tools: Vec<Vec<&str>> =
        row.split('|').skip(1).map(|part| part.split_whitespace().skip(1).collect()).collect();
    let expected = [
        ["1", "1", "0", "0", "0"],
        ["1", "0", "0", "0", "1!"],
        ["0", "0", "0", "2", "0"],
        ["0", "0", "0", "2", "0"],
        ["0", "0", "2", "0", "0"],
        ["0", "0", "0", "2", "0"],
        ["0", "0", "0", "2", "0"],
        ["-", "-", "-", "-", "-"],
    ];
    assert_eq!(of_tools, expected, "{}", finished.stdout);
    check_line(&finished, "WRONG VERDICTS: 1");
    assert!(finished.stdout.contains("wrong (1 WRONG)"), "{}", finished.stdout);
    assert!(finished.stdout.contains("tasks/two.c:4: wrong says unreachable, but it is reachable"));
    assert!(finished.stdout.contains("tasks/two.c:4: crash: killed by signal 11 (SIGSEGV)"), "{}", finished.stdout);
    assert!(finished.stdout.contains("not installed"));

    let html = project.read("report.html");
    assert_eq!(html.matches("<svg").count(), 2);
    assert!(html.contains("Cactus plot") && html.contains("Scatter plot") && html.contains("WRONG VERDICTS: 1"));

    let lines = results(&project, "set.results.jsonl");
    assert_eq!(lines.len(), 14);
    let of = |tool: &str| lines.iter().find(|line| line["tool"] == tool).unwrap_or_else(|| panic!("{tool}"));
    assert_eq!(of("nonsense")["tail"], "I like turtles\n");
    assert_eq!(of("slow")["kind"], "timeout");
    assert_eq!(of("greedy")["kind"], "out-of-memory");
    assert_eq!(of("unsure")["kind"], "unknown");

    // Everything is known now: the same tables, and nothing is run.
    fs::remove_file(project.path("right.sh")).expect("removed");
    write_script(&project, "right.sh", "exit 99");
    let again = project.run("bench set.toml");
    check_end(&again, 10);
    assert_eq!(again.stdout, finished.stdout);
    assert_eq!(results(&project, "set.results.jsonl").len(), 14);
}

#[test]
fn answers_that_contradict_each_other() {
    let project = project("", &[("one", "echo FOUND"), ("two", "echo SAFE")], TASKS);
    project.write("tasks/open.c", b"int main(void) {\n  reach_error();\n}\n");
    let finished = project.run("bench set.toml");
    check_end(&finished, 0);
    check_line(&finished, "CONFLICTS, of which the truth is not known: 1");
    check_line(&finished, "tasks/open.c:2: one says reachable, two says unreachable");
}

/// A program with so many targets, of which each second one can be reached.
fn many(count: usize) -> String {
    let words = ["reachable", "unreachable"];
    let lines =
        (0..count).map(|number| format!("  if (x == {number})\n    reach_error(); // expect: {}\n", words[number % 2]));
    format!("int x;\nint main(void) {{\n{}}}\n", lines.collect::<String>())
}

/// Notes each run in a file, after which it takes a while.
fn noting(project: &Project) -> String {
    format!("echo \"$2\" >> '{}'; sleep 0.2; {RIGHT}", project.path("runs.txt").display())
}

fn start(command: &mut Command) -> Child {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("started")
}

fn wait_for_results(project: &Project, count: usize) {
    let begun = Instant::now();
    let lines = || fs::read_to_string(project.path("set.results.jsonl")).map_or(0, |text| text.lines().count());
    while lines() < count {
        assert!(begun.elapsed() < Duration::from_secs(60), "no results");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_killed_comparison_goes_on_where_it_was() {
    let project = project("cores = 1", &[("t", "")], TASKS);
    write_script(&project, "t.sh", &noting(&project));
    project.write("tasks/many.c", many(8).as_bytes());
    let mut child = start(&mut project.command("bench set.toml"));
    wait_for_results(&project, 3);
    child.kill().expect("killed");
    child.wait().expect("a child");
    let known = results(&project, "set.results.jsonl").len();
    assert!((3..8).contains(&known), "{known}");
    // As if it had been killed while it wrote.
    let mut torn = project.read("set.results.jsonl");
    torn.push_str("{\"schema\":1,\"tool\":\"t\",\"gro");
    project.write("set.results.jsonl", torn.as_bytes());

    let finished = project.run("bench set.toml");
    check_end(&finished, 0);
    let lines = results(&project, "set.results.jsonl");
    let mut targets: Vec<&str> = lines.iter().filter_map(|line| line["target"].as_str()).collect();
    targets.sort_unstable();
    targets.dedup();
    assert_eq!((targets.len(), lines.len()), (8, 8));
    let runs = project.read("runs.txt").lines().count();
    assert!(runs <= 9, "at most one run was lost: {runs}");

    // Other text is another question; and so is everything with --fresh.
    project.write("tasks/many.c", many(2).as_bytes());
    check_end(&project.run("bench set.toml"), 0);
    assert_eq!(results(&project, "set.results.jsonl").len(), 10);
    check_end(&project.run("bench set.toml --fresh"), 0);
    assert_eq!(results(&project, "set.results.jsonl").len(), 2);
}

#[test]
fn an_interrupt_keeps_what_is_known_and_leaves_nothing_running() {
    let slow = "echo $$ >> \"$(dirname \"$0\")/pids.txt\"; case $2 in 4) echo FOUND ;; *) sleep 1000 ;; esac";
    let project = project("cores = 1", &[("t", slow)], TASKS);
    project.write("tasks/many.c", many(4).as_bytes());
    let mut child = start(&mut project.command("bench set.toml"));
    wait_for_results(&project, 1);
    while project.read("pids.txt").lines().count() < 2 {
        std::thread::sleep(Duration::from_millis(10));
    }
    // SAFETY: a signal to a child that has not been waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
    assert_eq!(child.wait().expect("a child").code(), Some(5));
    assert_eq!(results(&project, "set.results.jsonl").len(), 1);
    let pids = project.read("pids.txt");
    let last: i32 = pids.lines().last().and_then(|pid| pid.parse().ok()).expect("a number");
    // SAFETY: signal 0 only asks whether the process exists.
    assert_ne!(unsafe { libc::kill(last, 0) }, 0, "the tool was killed and waited for");
}

#[test]
fn a_part_of_a_set() {
    let project = project("cores = 1", &[("right", RIGHT), ("other", RIGHT)], TASKS);
    project.write("tasks/many.c", many(6).as_bytes());
    project.write("tasks/two.c", TWO.as_bytes());
    let targets = |args: &str| {
        let finished = project.run(&format!("bench set.toml --fresh {args}"));
        check_end(&finished, 0);
        let lines = results(&project, "set.results.jsonl");
        let line = |line: &Value| format!("{} {}", line["tool"], line["target"]).replace('"', "");
        (lines.iter().map(line).collect::<Vec<_>>(), finished)
    };
    assert_eq!(targets("--match=two.c:4 --only-tools=other").0, ["other tasks/two.c:4"]);
    let (all, _) = targets("");
    // The smaller program first, then each in turn, all tools one after the other.
    let first = ["right tasks/two.c:4", "other tasks/two.c:4", "right tasks/many.c:4", "other tasks/many.c:4"];
    assert_eq!(all[..4], first);
    assert_eq!(all.len(), 16);
    let (none, finished) = targets("--slice=0");
    assert!(none.is_empty());
    check_line(
        &finished,
        "Left out for now: 16 runs, so that 8 of 8 targets are not compared in full; run again to go on",
    );
}

#[test]
fn a_slice_ends_in_time() {
    let project = project("cores = 1", &[("t", "")], TASKS);
    write_script(&project, "t.sh", &noting(&project));
    project.write("tasks/many.c", many(50).as_bytes());
    let finished = project.run("bench set.toml --slice=600ms");
    check_end(&finished, 0);
    let runs = results(&project, "set.results.jsonl").len();
    assert!((1..10).contains(&runs), "{runs}");
    assert!(finished.stdout.contains(&format!("Left out for now: {} runs", 50 - runs)), "{}", finished.stdout);
}

#[test]
fn hard_targets_only() {
    let weak = "case $2 in 4 | 6) echo SAFE ;; *) exit 5 ;; esac";
    let tools = [("strong", "case $2 in 4) echo FOUND ;; *) echo SAFE ;; esac"), ("weak", weak)];
    let project = project("time = \"20s\"", &tools, TASKS);
    let source = many(4).replace("// expect: reachable", "").replace("// expect: unreachable", "");
    project.write("tasks/many.c", source.as_bytes());
    let finished = project.run("bench set.toml --filter-solved-by=weak --within=10s");
    check_end(&finished, 0);
    check_line(&finished, "Hard targets: 2. Left out: 2 that weak solves within 10.0s (2 U, 0 R)");
    let row = finished.stdout.lines().find(|line| line.starts_with("  tasks/many.c")).expect("a row");
    assert_eq!(without_times(row), "tasks/many.c 2 | 2 0 0 0 | 0 0 0 2", "{}", finished.stdout);
    // Four of the first phase, and two tools with two targets each.
    assert_eq!(results(&project, "set.results.jsonl").len(), 8);
}

#[test]
fn wrong_input() {
    let project = project("", &[("t", RIGHT)], TASKS);
    project.write("tasks/two.c", TWO.as_bytes());
    let good = project.read("set.toml");
    let check = |set: &str, args: &str, code: i32, message: &str| {
        project.write("set.toml", set.as_bytes());
        let finished = project.run(&format!("bench {args}"));
        check_error(&finished, code, message);
        assert!(!finished.stderr.contains("internal error"), "{}", finished.stderr);
    };
    check(&good, "", 1, "Usage: espalier bench");
    check(&good, "absent.toml", 2, "absent.toml cannot be read");
    check("[limits\n", "set.toml", 2, "set.toml:1:8: ");
    check(&format!("{good}[[tasks]]\nfiles = \"none/*.c\"\n"), "set.toml", 2, "no file matches `none/*.c`");
    check(&format!("{good}[[tools]]\npreset = \"klea\"\n"), "set.toml", 2, "did you mean `klee`?");
    check(&format!("{good}[[tools]]\nname = \"x\"\ncommand = [\"x\"]\n"), "set.toml", 2, "the tool `x` cannot answer");
    check(&format!("{good}[[tasks]]\nfiles = \"tasks/*.c\"\n"), "set.toml", 2, "another group of tasks `tasks`");
    check(&good, "set.toml --only-tools=u", 1, "the set has no tool `u`; it has t");
    check(&good, "set.toml --filter-solved-by=u --within=1s", 1, "the set has no tool `u`");
    check(&good, "set.toml --within=1s", 1, "--filter-solved-by");
    check(&good, "set.toml --match=(", 1, "--match is not a regular expression");
    check(&good, "set.toml --match=nothing", 1, "--match=nothing leaves no target");
    check(&good, "set.toml --results=tasks/two.c", 2, "is not a file of results");
    check(&good, "set.toml --results=no/such/dir", 2, "cannot be opened");
    project.write("tasks/two.c", b"int main(void) { return 0; }\n");
    check(&good, "set.toml", 2, "no program of the set has a call of reach_error");
}

#[test]
fn espalier_itself() {
    let presets = "[[tools]]\npreset = \"espalier\"\n[[tools]]\npreset = \"espalier-off\"\n\
                   [[tools]]\npreset = \"espalier-unsat-core\"\n";
    let whole = "[[tasks]]\nname = \"whole\"\nfiles = \"tasks/one.c\"\ntargets = \"whole\"\n";
    let tasks = format!("{presets}[[tasks]]\nfiles = \"tasks/two.c\"\n{whole}");
    let project = project("time = \"60s\"\nmemory = \"4GiB\"", &[], &tasks);
    // The condition is on the same line as the call: only the call is asked about.
    let source = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n\
                  int x = __VERIFIER_nondet_int();\nif (x > 5) reach_error(); // expect: reachable\n\
                  if (x > 7) reach_error(); // expect: unreachable\nreturn 0;\n}\n";
    project.write("tasks/two.c", source.as_bytes());
    let one = "// expect: reachable\nextern void reach_error(void);\nint main(void) { reach_error(); }\n";
    project.write("tasks/one.c", one.as_bytes());
    let finished = project.run("bench set.toml");
    check_end(&finished, 0);
    let row = |name: &str| {
        let row = finished.stdout.lines().find(|line| line.starts_with(name)).expect("a row");
        without_times(row)
    };
    assert_eq!(row("  tasks/two.c"), "tasks/two.c 2 | 1 1 0 0 | 1 1 0 0 | 1 1 0 0", "{}", finished.stdout);
    assert_eq!(row("  tasks/one.c"), "tasks/one.c 1 | 0 1 0 0 | 0 1 0 0 | 0 1 0 0", "{}", finished.stdout);
}

/// The scripts of the presets, with stand-ins for the tools that they call. A stand-in sees the
/// program as the script has changed it.
#[test]
fn other_tools() {
    let tasks = format!("[[tools]]\npreset = \"klee\"\n[[tools]]\npreset = \"cbmc\"\n{TASKS}");
    let project = project("time = \"60s\"", &[], &tasks);
    project.write("tasks/two.c", TWO.as_bytes());
    fs::create_dir(project.path("bin")).expect("a directory");
    write_script(&project, "bin/clang", r#"for last; do :; done; touch "$last""#);
    let reached = "sed -n 4p program.c | grep -q 'bench_target()'";
    let klee = format!(
        "[ \"$1\" = --version ] && echo KLEE 3.1 && exit\n\
         if {reached}; then echo 'KLEE: ERROR: target:0: bench target'\n\
         else echo 'KLEE: done: completed paths = 3'; fi"
    );
    write_script(&project, "bin/klee", &klee);
    let cbmc = format!(
        "[ \"$1\" = --version ] && echo 6.0 && exit\n[ \"$1\" = --help ] && echo ' --no-standard-checks' && exit\n\
         case \"$*\" in *'--unwind 2 '*) echo '[main.unwind.0] line 3 unwinding assertion loop 0: FAILURE'; exit 10;; esac\n\
         if {reached}; then echo '[main.assertion.1] line 4 bench target: FAILURE'; exit 10\n\
         else echo '[main.assertion.1] line 6 bench target: SUCCESS'; fi"
    );
    write_script(&project, "bin/cbmc", &cbmc);
    let path = format!("{}:{}", project.path("bin").display(), std::env::var("PATH").unwrap_or_default());
    let mut command = project.command("bench set.toml");
    let finished = support::process::run(command.env("PATH", path), Duration::from_secs(60));
    check_end(&finished, 0);
    let row = finished.stdout.lines().find(|line| line.starts_with("  tasks/two.c")).expect("a row");
    assert_eq!(without_times(row), "tasks/two.c 2 | 1 1 0 0 | 1 1 0 0", "{}", finished.stdout);
    assert!(finished.stdout.contains("KLEE 3.1"), "{}", finished.stdout);
}

#[test]
fn medians_over_seeds() {
    let tools = [("fixed", RIGHT), ("random", "test $4 = 3 || echo FOUND")];
    let project = project("time = \"9s\"", &tools, TASKS);
    let set = project.read("set.toml").replacen(
        "name = \"random\"",
        "name = \"random\"\nargs = [\"{seed}\"]\ngroups = [\"tasks\"]",
        1,
    );
    project.write("set.toml", format!("seeds = 5\ntable = \"medians\"\n{set}").as_bytes());
    project.write("tasks/one.c", b"extern void reach_error(void);\nint main(void) { reach_error(); }\n");

    let runs = |finished: Finished, count: usize| {
        check_end(&finished, 0);
        let results = results(&project, "set.results.jsonl");
        let of_tool = |name: &str| results.iter().filter(|result| result["tool"] == name).count();
        assert_eq!((of_tool("fixed"), of_tool("random")), (1, count));
        let found = |line: &&str| line.trim_start().starts_with("tasks/one.c");
        finished.stdout.lines().find(found).unwrap_or_default().to_owned()
    };
    // One of three runs finds nothing, and then one of five, which is an outlier.
    let of_three = runs(project.run("bench set.toml --seeds=3"), 3);
    assert!(of_three.ends_with(" ∞"), "{of_three}");
    let of_five = runs(project.run("bench set.toml"), 5);
    assert!(of_five.ends_with(")"), "{of_five}");
}
