//! `espalier triage`: the verdicts on the alarms of small programs (`tests/triage`), reports of all
//! formats, what is written, and what is asked of the command line.
//!
//! A program says of its alarms at the end of their lines: `//~ alarm RULE: verdict`, where the
//! verdict is `refuted`, `bounded` (refuted, but not completely), or a word of the verdicts.

mod support;

use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use support::events::Run;
use support::process::{self, End, check, check_error};
use support::project::Project;

const LIMIT: Duration = Duration::from_secs(120);
const MARK: &str = "//~ alarm ";

/// An alarm of a program, and the verdict that is expected.
struct Expected {
    line: usize,
    rule: String,
    verdict: String,
}

fn expected_in(text: &str) -> Vec<Expected> {
    let mut alarms = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        for mark in line.split(MARK).skip(1) {
            let (rule, verdict) = mark.trim().split_once(": ").expect("RULE: verdict");
            alarms.push(Expected { line: number, rule: rule.to_owned(), verdict: verdict.trim().to_owned() });
        }
    }
    alarms
}

fn programs() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(support::root().join("tests/triage")).expect("the programs");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    paths.sort();
    paths
}

fn verdict_of(alarm: &Value) -> String {
    match (alarm["verdict"].as_str().unwrap_or_default(), alarm["scope"].as_str()) {
        ("refuted", Some("bounded")) => "bounded".to_owned(),
        (word, _) => word.to_owned(),
    }
}

/// What is wrong with the verdicts on a program, if anything.
fn wrong_verdicts(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a program");
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let expected = expected_in(&text);
    let project = Project::new("");
    project.write(&name, text.as_bytes());
    let list: String = expected.iter().map(|alarm| format!("{name}:{}: {}\n", alarm.line, alarm.rule)).collect();
    project.write("alarms.txt", list.as_bytes());
    let dir = project.path("");
    let args = ["alarms.txt", &name, "--max-time=60s"].map(String::from);
    let run = match Run::start_verb("triage", &dir, &args, LIMIT) {
        Ok(run) => run,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    let alarms: Vec<&Value> = run.of("alarm").collect();
    if alarms.len() != expected.len() {
        return vec![format!("{name}: {} verdicts on {} alarms: {}", alarms.len(), expected.len(), run.stderr)];
    }
    let mut wrong = Vec::new();
    for (expected, alarm) in expected.iter().zip(alarms) {
        let how = alarm["how"].as_str().unwrap_or_default();
        let at = format!("{name}:{}, {}", expected.line, expected.rule);
        if verdict_of(alarm) != expected.verdict {
            wrong.push(format!("{at}: {} ({how}), not {}", verdict_of(alarm), expected.verdict));
        } else if expected.verdict == "confirmed" && !how.contains("uninit") && !how.contains("confirmed natively") {
            wrong.push(format!("{at}: {how}"));
        }
    }
    wrong
}

/// In `sum` every object that is made up is too small, so its exploration ends at the first alarm:
/// that says nothing of the second.
#[test]
fn an_error_that_is_looked_for_hides_others() {
    let program = "static int sum(int *p, int *q) {
    int x = p[9];
    return x == 5 ? *q : x;
}
int main(void) {
    int a[20] = {0}, *none = 0, n = 0;
    while (n < 9)
        a[++n] = 5;
    return sum(a, none);
}
";
    let project = Project::new(program);
    project.write("alarms.txt", b"prog.c:2: security.ArrayBound\nprog.c:3: core.NullDereference\n");
    let args = ["alarms.txt", "prog.c", "--strategy=backward", "--unwind=3"].map(String::from);
    let run = Run::start_verb("triage", &project.path(""), &args, LIMIT).expect("a run");
    let verdicts: Vec<String> = run.of("alarm").map(verdict_of).collect();
    assert_eq!(verdicts, ["bounded", "bounded"]);
}

#[test]
fn the_verdicts_are_those_that_the_programs_say() {
    let programs = programs();
    assert!(programs.len() >= 25, "{} programs", programs.len());
    let wrong: Vec<String> = programs.iter().flat_map(|path| wrong_verdicts(path)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const PROGRAM: &str = "\
int klee_int(const char *name);
struct node { int value; };
static int get(const struct node *n) {
    return n->value;
}
int main(void) {
    int k = klee_int(\"k\");
    struct node a = {k}, *p = k > 3 ? &a : 0;
    if (k > 4)
        return get(p);
    return p->value;
}
";

fn sarif(results: &[Value]) -> String {
    json!({
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": { "name": "clang" } }, "results": results, "kept": [1, 2] }],
    })
    .to_string()
}

fn result(rule: &str, line: u32, columns: (u32, u32)) -> Value {
    let region = json!({ "startLine": line, "startColumn": columns.0, "endColumn": columns.1 });
    json!({
        "ruleId": rule,
        "level": "warning",
        "message": { "text": "Access to a field results in a dereference of a null pointer" },
        "locations": [{ "physicalLocation": { "artifactLocation": { "uri": "prog.c" }, "region": region } }],
    })
}

/// Two alarms: the first one is false, the second one real.
fn two_alarms() -> String {
    sarif(&[result("core.NullDereference", 4, (12, 20)), result("core.NullDereference", 11, (12, 20))])
}

#[test]
fn sarif_comes_back_with_the_verdicts_and_otherwise_as_it_was() {
    let project = Project::new(PROGRAM);
    project.write("a.sarif", two_alarms().as_bytes());
    let finished = project.run("triage a.sarif prog.c --sarif=all.sarif --sarif-open=open.sarif");
    check(&finished, 10, &["2 alarms: 1 confirmed, 1 refuted", "confirmed natively", "a complete proof"]);
    let read = |name: &str| -> Value { serde_json::from_str(&project.read(name)).expect("JSON") };
    let (all, open) = (read("all.sarif"), read("open.sarif"));
    let results = |document: &Value| document["runs"][0]["results"].as_array().cloned().expect("results");
    let [refuted, confirmed] = &results(&all)[..] else { panic!("{all}") };
    assert_eq!(refuted["properties"]["espalier"]["verdict"], "refuted");
    assert_eq!(refuted["suppressions"][0]["kind"], "external");
    assert_eq!(confirmed["properties"]["espalier"]["verdict"], "confirmed");
    assert_eq!((&confirmed["level"], confirmed.get("suppressions")), (&json!("error"), None));
    assert!(confirmed["codeFlows"][0].is_object(), "{confirmed}");
    assert_eq!(all["runs"][0]["kept"], json!([1, 2]));
    assert_eq!(results(&open).len(), 1);
}

#[test]
fn what_is_known_of_the_same_program_is_taken_over() {
    let project = Project::new(PROGRAM);
    project.write("a.sarif", two_alarms().as_bytes());
    project.run("triage a.sarif prog.c --sarif=old.sarif");
    let again = project.run("triage a.sarif prog.c --baseline=old.sarif");
    check(&again, 10, &["2 alarms: 1 confirmed, 1 refuted"]);
    assert!(!again.stdout.contains("Paths:"), "nothing is explored again: {}", again.stdout);
    project.write("prog.c", PROGRAM.replace("k > 4", "k > 5").as_bytes());
    let changed = project.run("triage a.sarif prog.c --baseline=old.sarif");
    check(&changed, 10, &["Paths:", "2 alarms: 1 confirmed, 1 refuted"]);
}

#[test]
fn columns_tell_alarms_of_a_line_apart() {
    let source = "int klee_int(const char *name);\nint main(void) {\n    int k = klee_int(\"k\"), x = k;\n\
        \x20   int *p = &x, *q = k == 3 ? 0 : &x;\n    return *p + *q;\n}\n";
    let project = Project::new(source);
    let alarm = |columns| result("core.NullDereference", 5, columns);
    project.write("a.sarif", sarif(&[alarm((12, 14)), alarm((17, 19))]).as_bytes());
    let finished = project.run("triage a.sarif prog.c");
    check(&finished, 10, &["2 alarms: 1 confirmed, 1 open", "column 17"]);
}

#[test]
fn reports_of_gcc_and_cppcheck_are_read() {
    let project = Project::new(PROGRAM);
    let caret = json!({ "caret": { "file": "prog.c", "line": 11, "column": 13 } });
    let gcc = json!([{
        "kind": "warning", "option": "-Wanalyzer-null-dereference", "message": "dereference of NULL 'p'",
        "metadata": { "cwe": 476 }, "children": [], "column-origin": 1, "locations": [caret],
    }]);
    project.write("gcc.json", gcc.to_string().as_bytes());
    let cppcheck = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<results version=\"2\"><cppcheck version=\"2.10\"/><errors>\
        <error id=\"nullPointer\" severity=\"error\" msg=\"Null pointer dereference: n\" verbose=\"\" cwe=\"476\">\
        <location file=\"prog.c\" line=\"4\" column=\"12\"/></error></errors></results>\n";
    project.write("cppcheck.xml", cppcheck.as_bytes());
    let finished = project.run("triage gcc.json cppcheck.xml prog.c");
    check(&finished, 10, &["2 alarms: 1 confirmed, 1 refuted", "prog.c:11:13", "prog.c:4:12"]);
}

#[test]
fn exit_codes_say_what_is_left() {
    let project = Project::new(PROGRAM);
    let run = |list: &str, options: &str| {
        project.write("list.txt", list.as_bytes());
        project.run(&format!("triage list.txt prog.c {options}")).end
    };
    assert_eq!(run("prog.c:4: null\n", ""), End::Exit(0));
    assert_eq!(run("prog.c:11: null\n", ""), End::Exit(10));
    assert_eq!(run("prog.c:11: null\n", "--fail-on=never"), End::Exit(0));
    assert_eq!(run("prog.c:99: null\n", ""), End::Exit(5));
    assert_eq!(run("prog.c:99: null\n", "--fail-on=confirmed"), End::Exit(0));
    assert_eq!(run("prog.c:11: my.rule\n", ""), End::Exit(5));
    assert_eq!(run("prog.c:11: my.rule\n", "--rule=my.*=null"), End::Exit(10));
    assert_eq!(run("prog.c:11: deadcode.DeadStores\n", ""), End::Exit(0));
}

#[test]
fn what_cannot_be_asked_is_said() {
    let project = Project::new(PROGRAM);
    project.write("list.txt", b"prog.c:4: null\n");
    check_error(&project.run("triage prog.c"), 1, "a report with alarms is missing");
    check_error(&project.run("triage list.txt"), 1, "or a compilation database with -p");
    check_error(&project.run("triage list.txt prog.c --rule=a=b"), 1, "`b` is no fault");
    check_error(&project.run("triage none.txt prog.c"), 2, "none.txt cannot be read");
    check_error(&project.run("triage list.txt none.c"), 2, "none.c");
    project.write("list.txt", b"this is no list\n");
    check_error(&project.run("triage list.txt prog.c"), 2, "does not begin with FILE:LINE");
}

#[test]
fn errors_that_no_alarm_is_about_are_told_of() {
    let project = Project::new(PROGRAM);
    project.write("list.txt", b"prog.c:4: null\n");
    let finished = project.run("triage list.txt prog.c");
    check(&finished, 0, &["Errors found on the way", "prog.c:11  null pointer"]);
}

#[test]
fn of_a_project_only_what_belongs_to_the_alarms_is_compiled() {
    let project = Project::new("");
    let files = [
        ("main.c", "int run(int k);\nint klee_int(const char *);\nint main(void) { return run(klee_int(\"k\")); }\n"),
        ("run.c", "int divide(int a, int b);\nint run(int k) { return divide(LIMIT, k); }\n"),
        ("divide.c", "int divide(int a, int b) {\n    return b == 7 ? 0 : a / b;\n}\n"),
        ("other.c", "int main(void) { return 0; }\n"),
        ("broken.c", "this is no C\n"),
    ];
    files.iter().for_each(|(name, text)| project.write(name, text.as_bytes()));
    let directory = project.path("").display().to_string();
    let entry = |(name, _): &(&str, &str)| json!({ "directory": directory, "file": name, "command": format!("cc -DLIMIT=100 -c {name} -o {name}.o") });
    let database: Vec<Value> = files.iter().map(entry).collect();
    project.write("compile_commands.json", json!(database).to_string().as_bytes());
    project.write("list.txt", b"divide.c:2: div-by-zero\n");
    let finished = project.run("triage list.txt -p compile_commands.json");
    check(&finished, 10, &["1 alarm: 1 confirmed", "confirmed natively"]);
    assert!(!finished.stderr.contains("broken.c"), "{}", finished.stderr);
    check_error(&project.run("triage list.txt -p none.json"), 2, "none.json");
}

/// A compiler that tells of each time that it makes bitcode.
#[test]
fn a_second_run_compiles_what_changed() {
    let project = Project::new("");
    let files = [
        (
            "main.c",
            "#include \"limit.h\"\nint divide(int a, int b);\nint klee_int(const char *);\n\
            int main(void) { return divide(LIMIT, klee_int(\"k\")); }\n",
        ),
        ("divide.c", "int divide(int a, int b) {\n    return b == 7 ? 0 : a / b;\n}\n"),
        ("limit.h", "#define LIMIT 100\n"),
        ("clang", "#!/bin/sh\ncase \"$*\" in *-emit-llvm*-g*) echo \"$*\" >> log ;; esac\nexec clang-19 \"$@\"\n"),
        ("list.txt", "divide.c:2: div-by-zero\n"),
    ];
    files.iter().for_each(|(name, text)| project.write(name, text.as_bytes()));
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(project.path("clang"), executable).expect("may be executed");
    let directory = project.path("").display().to_string();
    let entry = |file: &str| json!({ "directory": directory, "file": file, "command": format!("cc -c {file}") });
    project.write("compile_commands.json", json!([entry("main.c"), entry("divide.c")]).to_string().as_bytes());
    let compiled = || {
        project.write("log", b"");
        let mut command = project.command("triage list.txt -p compile_commands.json");
        let finished = process::run(command.env("ESPALIER_CLANG", project.path("clang")), LIMIT);
        check(&finished, 10, &["1 alarm: 1 confirmed"]);
        project
            .read("log")
            .lines()
            .filter(|line| line.contains(".c "))
            .map(|line| line.contains("main.c"))
            .collect::<Vec<_>>()
    };
    let mut first = compiled();
    first.sort();
    assert_eq!(first, [false, true]);
    assert!(compiled().is_empty(), "nothing changed");
    project.write("limit.h", b"#define LIMIT 99\n");
    assert_eq!(compiled(), [true], "a header of main.c changed");
    for kept in project.list(".espalier-build/bc") {
        project.write(&format!(".espalier-build/bc/{kept}"), b"damaged");
    }
    assert_eq!(compiled().len(), 2, "what is damaged is compiled again");
}

#[test]
fn an_allocation_that_fails_does_so_natively_too() {
    let source = "#include <stdlib.h>\n#include <string.h>\nint main(void) {\n    char *a = malloc(4), *b = strdup(\"b\");\n\
        \x20   if (!a)\n        return 1;\n    strcpy(a, \"abc\");\n    b[0] = 'c';\n    free(a);\n    free(b);\n    return 0;\n}\n";
    let project = Project::new(source);
    let found = project.run("run prog.c --alloc-fail=1 --output-dir=out");
    check(&found, 10, &["Found 1 error", "prog.c:8"]);
    assert!(project.list("out").iter().any(|name| name.ends_with(".ptr.err")));
    check(&project.run("replay out prog.c --alloc-fail=1"), 0, &["agree"]);
    check(&project.run("run prog.c"), 0, &["No errors"]);
}

const ALLOCATES: &str = "#include <stdlib.h>\n#include <string.h>\n\
    static char *copy(const char *text) {\n    return strdup(text);\n}\n\
    int main(void) {\n    char *other = copy(\"x\");\n    if (!other)\n        return *(volatile char *)0;\n\
    \x20   int *p = malloc(sizeof *p);\n    *p = 3;\n    int *q = malloc(sizeof *q);\n    if (q)\n        *q = 4;\n\
    \x20   free(q);\n    free(p);\n    free(other);\n    return 0;\n}\n";

/// As `espalier build` makes it.
fn compile_to_bitcode(project: &Project, output: &str) {
    let mut clang = Command::new("clang-19");
    let flags = ["-c", "-emit-llvm", "-g", "-O1", "-Xclang", "-disable-llvm-passes", "prog.c", "-o", output];
    let finished = process::run(clang.args(flags).current_dir(project.path("")), LIMIT);
    assert_eq!(finished.end, End::Exit(0), "{finished:?}");
}

/// In `main` allocations fail, because it has an alarm about one, and in `copy` none does.
#[test]
fn allocations_fail_where_alarms_are_about_them_in_sources_and_in_bitcode() {
    let project = Project::new(ALLOCATES);
    compile_to_bitcode(&project, "prog.bc");
    let rule = "-Wanalyzer-possible-null-dereference";
    let list = format!("prog.c:11: {rule}\nprog.c:14: {rule}\nprog.c:9: core.NullDereference\n");
    project.write("list.txt", list.as_bytes());
    for program in ["prog.c", "prog.bc"] {
        let finished = project.run(&format!("triage list.txt {program} --output-dir=out-{program}"));
        check(&finished, 10, &["3 alarms: 1 confirmed, 2 refuted (2 within bounds)", "prog.c:11"]);
        let at = "if no allocation fails but one on a path, at prog.c:10, prog.c:12";
        check(&finished, 10, &["confirmed natively", at]);
        let replayed = format!("replay out-{program}/errors {program} --alloc-fail=sites");
        check(&project.run(&replayed), 0, &["agree"]);
    }
    let directory = project.path("").display().to_string();
    let entry = json!([{ "directory": directory, "file": "prog.c", "command": "cc -c prog.c" }]);
    project.write("compile_commands.json", entry.to_string().as_bytes());
    check(&project.run("triage list.txt -p ."), 10, &["1 confirmed, 2 refuted (2 within bounds)", "prog.c:12"]);
    for program in ["prog.c", "-p ."] {
        let all = project.run(&format!("triage list.txt {program} --alloc-fail=1"));
        check(&all, 10, &["3 alarms: 2 confirmed, 1 refuted (1 within bounds)"]);
    }
    let none = project.run("triage list.txt prog.bc --alloc-fail=0");
    check(&none, 5, &["2 open", "--alloc-fail=sites lets them fail"]);
}

#[test]
fn the_steps_of_a_flow_say_how_far_the_search_came() {
    let source = "int klee_int(const char *name);\nint main(void) {\n    int *p = 0;\n    unsigned n = klee_int(\"n\");\n\
        \x20   for (;;) {\n        if (klee_int(\"x\") == 3)\n            n++;\n        if (n * n % 4 == 2)\n\
        \x20           return *p;\n    }\n}\n";
    let project = Project::new(source);
    let step = |line: u32, text: &str| {
        let place = json!({ "artifactLocation": { "uri": "prog.c" }, "region": { "startLine": line } });
        json!({ "location": { "physicalLocation": place, "message": { "text": text } } })
    };
    let flow = [step(4, "'n' initialized here"), step(8, "Taking true branch"), step(9, "Dereference of null pointer")];
    let result = json!({
        "ruleId": "core.NullDereference", "message": { "text": "Dereference of null pointer" },
        "locations": [flow[2]["location"]], "codeFlows": [{ "threadFlows": [{ "locations": flow }] }],
    });
    let tool = json!({ "driver": { "name": "clang" } });
    let report = json!({ "version": "2.1.0", "runs": [{ "tool": tool, "results": [result] }] });
    project.write("a.sarif", report.to_string().as_bytes());
    let open = project.run("triage a.sarif prog.c --interpolation=off --max-instructions=2000 --strategy=forward");
    check(&open, 5, &["2 of 3 steps were reached; never `Dereference of null pointer` (prog.c:9)"]);
    let dead = source.replace(
        "            return *p;",
        "            n++;\n        if (n * n % 4 == 2 && p == 0)\n            return *p;",
    );
    project.write("prog.c", dead.as_bytes());
    project.write(
        "a.sarif",
        report
            .to_string()
            .replace("\"startLine\":9", "\"startLine\":11")
            .replace("\"startLine\":8", "\"startLine\":9")
            .as_bytes(),
    );
    let refuted = project.run("triage a.sarif prog.c --strategy=forward");
    check(&refuted, 0, &["a complete proof; no explored path comes to `Taking true branch` (prog.c:9)"]);
}

/// What is shown by one test stands together, with the test once.
#[test]
fn alarms_that_one_test_shows_stand_together() {
    let project = Project::new(PROGRAM);
    project.write("list.txt", b"prog.c:11: null\nprog.c:4: null\nprog.c:11: core.NullDereference\n");
    let finished = project.run("triage list.txt prog.c");
    let at =
        |line: &&str| line.starts_with("confirmed") || line.starts_with("refuted") || line.starts_with("    test:");
    let rows: Vec<&str> = finished.stdout.lines().filter(at).collect();
    let begins = ["confirmed  prog.c:11", "confirmed  prog.c:11", "    test: ", "refuted    prog.c:4"];
    assert!(rows.len() == 4 && rows.iter().zip(begins).all(|(row, begin)| row.starts_with(begin)), "{rows:#?}");
}

#[test]
fn without_a_main_the_functions_that_nobody_calls_are_run_by_themselves() {
    let source = "struct node { int value; };\nstatic int get(const struct node *n) {\n    return n->value;\n}\n\
        int look(const struct node *n, int k) {\n    if (k > 3)\n        return get(n);\n    return 0;\n}\n\
        int safe(const struct node *n) {\n    return n ? n->value : 0;\n}\n";
    let project = Project::new(source);
    project.write("list.txt", b"prog.c:3: null\nprog.c:11: null\n");
    let finished = project.run("triage list.txt prog.c");
    check(&finished, 5, &["2 alarms: 1 possible, 1 open", "from look if", "n == 0", "k"]);
    let named = project.run("triage list.txt prog.c --entry=get");
    check(&named, 5, &["2 alarms: 1 possible, 1 open", "from get if n == 0"]);
}

#[test]
fn alarms_of_clang_itself_are_triaged() {
    let project = Project::new(PROGRAM);
    let mut clang = Command::new("clang-19");
    let args = ["--analyze", "--analyzer-output", "sarif", "-o", "a.sarif", "prog.c"];
    let finished = process::run(clang.args(args).current_dir(project.path("")), LIMIT);
    assert_eq!(finished.end, End::Exit(0), "{finished:?}");
    check(&project.run("triage a.sarif prog.c"), 10, &["core.NullDereference", "confirmed natively"]);
}
