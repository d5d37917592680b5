//! Every limit, a signal and a lost disk end a run cleanly: what was found is there, and the
//! summary says what is left.

mod support;

use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::time::{Duration, Instant};
use support::process::End;
use support::project::{ENDLESS, Project};

/// Sixteen paths.
const SIXTEEN: &str = r#"#include <klee/klee.h>
int main(void) {
  unsigned char in[4], n = 0;
  klee_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 4; i++)
    if (in[i] > 7)
      n++;
  return n;
}
"#;

fn finished(project: &Project, args: &str) -> Value {
    let finished = project.run(&format!("run prog.c --json --output-dir out {args}"));
    assert_eq!(finished.end, End::Exit(5), "{args}: {finished:?}");
    let last = finished.stdout.lines().last().unwrap_or_else(|| panic!("{finished:?}"));
    serde_json::from_str(last).unwrap()
}

#[test]
fn time() {
    let project = Project::new(ENDLESS);
    let start = Instant::now();
    let end = finished(&project, "--max-time 1s");
    assert!(start.elapsed() < Duration::from_secs(20));
    assert_eq!(end["stop"], "max-time");
    assert!(end["open_states"].as_u64().unwrap() >= 1);
    assert!(end["paths"]["completed"].as_u64().unwrap() >= 1);
    assert_eq!(end["open"][0]["file"], "prog.c");
    assert!(project.read("out/messages.txt").contains("raise --max-time to go on."));
}

/// 2^15 paths, whose states take some kilobytes each.
const LARGE_STATES: &str = r#"#include <klee/klee.h>
#include <string.h>
static unsigned char table[15][4096];
int main(void) {
  unsigned char in[15];
  klee_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 15; i++) {
    if (in[i] > 100)
      memset(table[i], i + 3, sizeof table[i]);
    else
      memset(table[i], i, sizeof table[i]);
  }
  return 0;
}
"#;

/// Breadth first keeps all of them open at once. There is no room for that, and yet no path is lost
/// and none comes twice.
#[test]
fn states_are_parked_and_taken_up_again() {
    let project = Project::new(LARGE_STATES);
    let run = |name: &str, options: &str, code: i32| -> Value {
        let options = format!("run prog.c --json --search=bfs --write-no-tests --output-dir {name} {options}");
        let finished = project.run(&options);
        assert_eq!(finished.end, End::Exit(code), "{finished:?}");
        serde_json::from_str(finished.stdout.lines().last().unwrap()).unwrap()
    };
    let memory = |end: &Value| end["peak_memory_bytes"].as_u64().unwrap();
    let free = run("free", "", 0);
    assert_eq!(free["paths"]["completed"], 32768);
    let limit = memory(&free) / 10 * 7;
    let held = run("held", &format!("--max-memory={}KiB", limit >> 10), 0);
    assert_eq!(held["paths"]["completed"], 32768, "{held}");
    assert!(held["parked"].as_u64().unwrap() > 100, "{held}");
    assert_eq!((&held["taken_up"], &held["parked_left"]), (&held["parked"], &Value::from(0)), "{held}");
    assert!(memory(&held) < limit + limit / 10, "{} {limit}", memory(&held));
}

#[test]
fn instructions() {
    let project = Project::new(ENDLESS);
    let end = finished(&project, "--max-instructions 1000");
    assert_eq!(end["stop"], "max-instructions");
    // The limit is met at the end of a basic block, and the blocks of this program are short.
    let instructions = end["instructions"].as_u64().unwrap();
    assert!((1000..1020).contains(&instructions), "{instructions}");
}

#[test]
fn depth() {
    let project = Project::new(ENDLESS);
    let end = finished(&project, "--max-depth 5");
    assert_eq!(end["stop"], Value::Null);
    assert_eq!(end["paths"]["completed"], 5);
    assert_eq!(end["open_states"], 0);
    let limited = end["paths"]["limited"].as_u64().unwrap();
    assert!(limited >= 1, "{end}");
    let early = project.list("out").into_iter().filter(|name| name.ends_with(".early")).count();
    assert_eq!(early as u64, limited);
    assert!(end["cuts"][0]["reason"].as_str().unwrap().contains("--max-depth"));
}

#[test]
fn forks_past_the_limit_are_counted_not_lost() {
    let project = Project::new(SIXTEEN);
    let end = finished(&project, "--max-forks 3");
    assert_eq!(end["forks"], 3);
    assert_eq!(end["paths"]["completed"], 4);
    assert!(end["paths"]["limited"].as_u64().unwrap() >= 4, "{end}");
    assert!(project.read("out/messages.txt").contains("raise --max-forks to follow them."));
}

#[test]
fn no_limit_is_needed_for_a_program_that_ends() {
    let project = Project::new(SIXTEEN);
    let finished = project.run("run prog.c --output-dir out");
    assert_eq!(finished.end, End::Exit(0), "{finished:?}");
    assert!(finished.stdout.starts_with("No errors: all 16 paths explored to the end.\n"), "{}", finished.stdout);
}

#[test]
fn a_signal_ends_the_run_cleanly() {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        let project = Project::new(ENDLESS);
        let mut command = project.command("run prog.c --json --output-dir out");
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut events = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.contains("\"event\":\"test\"") {
            line.clear();
            assert_ne!(events.read_line(&mut line).unwrap(), 0, "no test before the end");
        }
        // SAFETY: a child of ours that has not been waited for.
        unsafe { libc::kill(child.id() as i32, signal) };
        let mut rest = String::new();
        events.read_to_string(&mut rest).unwrap();
        let mut text = String::new();
        child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(5), "{text}");
        let end: Value = serde_json::from_str(rest.lines().last().unwrap()).unwrap();
        assert_eq!(end["stop"], "interrupted");
        assert!(text.contains("open when it was interrupted"), "{text}");
        assert!(project.read("out/info").contains("exit code = 5"));
        let tests = project.list("out").into_iter().filter(|name| name.ends_with(".ktest")).count();
        assert_eq!(end["tests"], tests);
    }
}

#[test]
fn output_that_cannot_be_written_ends_the_run_with_a_message() {
    let project = Project::new(ENDLESS);
    let mut command = project.command("run prog.c --output-dir out");
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let test = project.path("out/test000001.ktest");
    let deadline = Instant::now() + Duration::from_secs(60);
    while !test.exists() {
        assert!(Instant::now() < deadline, "no test");
        std::thread::sleep(Duration::from_millis(5));
    }
    fs::rename(project.path("out"), project.path("moved")).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(6), "{text}");
    assert!(text.contains("error: cannot write \"out/test") && !text.contains("internal error"), "{text}");
    assert!(project.path("moved/test000001.ktest").exists());
}
