//! `espalier tree`: what it shows of recorded trees is what their runs told.

mod support;

use rusqlite::Connection;
use serde_json::Value;
use support::process::{End, Finished};
use support::project::Project;

/// 3 paths for each of 3 bytes, a switch, and an error: 27 * 4 + 1 paths.
const PROGRAM: &str = r#"#include <assert.h>
#include <klee/klee.h>
int main(void) {
  unsigned char in[4];
  klee_make_symbolic(in, sizeof in, "in");
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    if (in[i] < 10)
      sum += 1;
    else if (in[i] < 20)
      sum += 10;
  }
  switch (in[3]) {
  case 1:
    return sum;
  case 2:
    return sum + 1;
  case 3:
    klee_silent_exit(0);
  }
  if (sum == 30)
    assert(in[3] != 77);
  return 0;
}
"#;

fn ok(finished: Finished) -> String {
    assert_eq!(finished.end, End::Exit(0), "{finished:?}");
    finished.stdout
}

fn json(text: &str) -> Value {
    serde_json::from_str(text.trim()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Records a run, and gives its last event.
fn record(project: &Project, options: &str) -> Value {
    let finished = project.run(&format!("run prog.c --json --write-no-tests {options}"));
    assert!(matches!(finished.end, End::Exit(5 | 10)), "{finished:?}");
    let mut lines = finished.stdout.lines().map(json);
    lines.rfind(|event| event["event"] == "run-finished").expect("the run has an end")
}

fn count(of: &Value) -> u64 {
    of.as_u64().unwrap_or(0)
}

#[test]
fn the_views_of_a_tree_agree_with_its_run() {
    let project = Project::new(PROGRAM);
    let run = record(&project, "--record=full");
    let shown = json(&ok(project.run("tree full --json")));
    for (name, told) in [("exit", "completed"), ("error", "errors"), ("silent", "silent")] {
        assert_eq!(count(&shown["ended"][name]), count(&run["paths"][told]), "{name}: {shown} {run}");
    }
    assert_eq!(shown["unfinished"], 0);
    assert_eq!(shown["no_source_lines"], Value::Null);
    let paths = count(&shown["finished"]);
    assert_eq!(paths, 27 * 4 + 1);

    let text = ok(project.run("tree full"));
    for part in
        ["109 paths finished, 0 unfinished", " (main)", "prog.c:8:", "exit", "error", "silent exit", "bytes a node"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }

    let dot = ok(project.run("tree full --dot --depth=3"));
    assert!(dot.starts_with("digraph tree {\n") && dot.ends_with("}\n"), "{dot}");
    let mut names = Vec::new();
    for line in dot.lines().skip(2).filter(|line| *line != "}") {
        assert!(line.ends_with("];") && line.matches('"').count() == 2, "{line}");
        let line = line.trim_start();
        match line.split_once(" -> ") {
            None => names.push(line.split(' ').next().unwrap()),
            Some((_, rest)) => assert!(rest.contains("[label=\""), "{line}"),
        }
    }
    let edges = dot.lines().filter_map(|line| line.trim_start().split_once(" -> "));
    for (from, to) in edges {
        assert!(names.contains(&from) && names.contains(&to.split(' ').next().unwrap()), "{from} -> {to}");
    }
    assert!(dot.contains("finished, 0 unfinished below") && dot.contains("label=\"yes\""), "{dot}");

    let path = ok(project.run("tree full --node=5"));
    let lines: Vec<&str> = path.lines().collect();
    assert!(lines[0].starts_with("node 0: prog.c:8:") && lines[0].contains(", one of 2"), "{path}");
    assert!(lines.last().unwrap().starts_with("node 5: "), "{path}");
    let unknown = project.run("tree full --node=123456");
    assert_eq!(unknown.end, End::Exit(2), "{unknown:?}");
    assert!(unknown.stderr.contains("no node 123456"), "{unknown:?}");

    ok(project.run("tree full --klee=exec_tree.db"));
    let klee = Connection::open(project.path("exec_tree.db")).unwrap();
    let number = |sql: &str| klee.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap() as u64;
    assert_eq!(number("SELECT count(*) FROM nodes WHERE leftID = 0 AND rightID = 0"), paths);
    assert_eq!(number("SELECT count(*) FROM nodes WHERE leftID <> 0 AND rightID <> 0"), paths - 1);
    let linked =
        "SELECT count(*) FROM nodes WHERE ID = 1 OR ID IN (SELECT leftID FROM nodes UNION SELECT rightID FROM nodes)";
    assert_eq!(number(linked), 2 * paths - 1);
    assert_eq!(number("SELECT count(DISTINCT stateID) FROM nodes WHERE leftID = 0"), paths);
}

#[test]
fn trees_are_compared_by_their_paths() {
    let project = Project::new(PROGRAM);
    record(&project, "--record=full --search=dfs");
    record(&project, "--record=again --search=bfs");
    record(&project, "--record=half --max-depth=4");
    for other in ["full", "again"] {
        let same = ok(project.run(&format!("tree full --diff={other}")));
        assert_eq!(same, format!("No finished path of full and {other} differs.\n"));
    }
    let cut = json(&ok(project.run("tree half --json")));
    assert!(count(&cut["ended"]["cut-depth"]) > 0, "{cut}");
    let other = json(&ok(project.run("tree full --diff=half --json")));
    assert!(count(&other["only_first"]) > 50, "{other}");
    let text = ok(project.run("tree full --diff=half"));
    assert!(text.contains("only in full") && text.contains("prog.c:"), "{text}");
}

#[test]
fn a_program_that_has_changed_is_shown_by_numbers() {
    let project = Project::new(PROGRAM);
    record(&project, "--record=full");
    project.write("prog.c", PROGRAM.replace("< 20", "< 30").as_bytes());
    // It was kept as it was.
    let text = ok(project.run("tree full"));
    assert!(text.contains("prog.c:") && !text.contains("Without source lines"), "{text}");
    std::fs::remove_file(project.path("full/program")).unwrap();
    let text = ok(project.run("tree full"));
    assert!(text.contains("Without source lines: the program has changed since it was recorded"), "{text}");
    assert!(text.contains(", instruction "), "{text}");
    let missing = project.run("tree nowhere");
    assert_eq!(missing.end, End::Exit(2), "{missing:?}");
}
