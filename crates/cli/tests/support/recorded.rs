//! Recorded runs of a program whose paths can be told from their tests.

use super::process::{Finished, check_error};
use super::project::Project;
use ktest::KTest;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

/// Forks of every kind, and errors of five. Which path an input takes is said by [`path_of`].
const PROGRAM: &str = r#"#include <klee/klee.h>
#include <assert.h>
#include <stdlib.h>
int a[2], b[3], c;
int *table[3] = {a, b, &c};
int main(void) {
  unsigned char in[13];
  int v = 0;
  klee_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < BITS; i++)
    if (in[i] & 1)
      v += i;
  switch (in[9]) {
  case 1: v = 1; break;
  case 2: v += 2; break;
  default: v += 4;
  }
  table[in[10] % 3][in[10] & 3] = v;
  v += 100 / (in[11] & 3);
  char *made = malloc(4);
  made[in[12] & 7] = 1;
  if (v > 60)
    free(made);
  assert(v != 55);
  free(made);
  return 0;
}
"#;

/// The program with so many decisions in its loop.
pub fn program(bits: usize) -> String {
    PROGRAM.replace("BITS", &bits.to_string())
}

/// What tells the paths of [`program`] that end well from each other: the loop's decisions, the
/// case and the object.
pub fn path_of(bits: usize, input: &[u8]) -> (Vec<bool>, u8, u8) {
    let decisions = input[..bits].iter().map(|byte| byte & 1 != 0).collect();
    (decisions, if matches!(input[9], 1 | 2) { input[9] } else { 0 }, input[10] % 3)
}

/// All that has to be the same, however often a run was interrupted.
#[derive(PartialEq, Eq, Debug)]
pub struct Findings {
    pub exit_code: i32,
    pub paths: Value,
    pub coverage: Value,
    pub is_complete: bool,
    pub distinct_errors: Value,
    /// By the files of the run's directory.
    pub errors: BTreeSet<String>,
    pub tests: BTreeSet<(Vec<bool>, u8, u8)>,
}

/// A program, and the tree of its run in `tree`.
pub struct Recorded {
    pub project: Project,
    pub bits: usize,
}

impl Recorded {
    pub fn new(bits: usize) -> Recorded {
        Recorded { project: Project::new(&program(bits)), bits }
    }

    /// Begins to record, and does not wait.
    pub fn spawn(&self, args: &str) -> Child {
        let mut command = self.project.command(args);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs")
    }

    /// What was found, if the run has ended by itself.
    pub fn findings(&self, tree: &str, finished: &Finished) -> Findings {
        let end = last_event(finished);
        Findings {
            exit_code: end["exit_code"].as_i64().expect("a number") as i32,
            paths: end["paths"].clone(),
            coverage: end["coverage"].clone(),
            is_complete: end["is_complete"] == true,
            distinct_errors: end["distinct_errors"].clone(),
            errors: errors(&self.project.path(tree)),
            tests: self.tests(tree),
        }
    }

    /// The paths that there are tests for, but for those that end in an error.
    pub fn tests(&self, tree: &str) -> BTreeSet<(Vec<bool>, u8, u8)> {
        let names = self.project.list(tree);
        let is_error = |test: &str| names.iter().any(|name| name.starts_with(test) && name.ends_with(".err"));
        let tests = names.iter().filter_map(|name| name.strip_suffix(".ktest"));
        let with_error: BTreeSet<&str> = tests.clone().filter(|test| is_error(test)).collect();
        let path = |test: &str| {
            let file = self.project.path(tree).join(format!("{test}.ktest"));
            let ktest = KTest::read_file(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            path_of(self.bits, &ktest.objects[0].bytes)
        };
        tests.filter(|test| !with_error.contains(test)).map(path).collect()
    }
}

/// What a run says at its end. A verdict comes after it.
#[track_caller]
pub fn last_event(finished: &Finished) -> Value {
    event(finished, "run-finished").unwrap_or_else(|| panic!("it did not end: {finished:?}"))
}

/// The last event with this name.
pub fn event(finished: &Finished, name: &str) -> Option<Value> {
    let mut events = finished.stdout.lines().rev().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    events.find(|event| event["event"] == name)
}

/// Kinds and places of the errors that a run's directory has files of.
pub fn errors(dir: &Path) -> BTreeSet<String> {
    let mut errors = BTreeSet::new();
    for entry in fs::read_dir(dir).expect("a directory").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".err") {
            let text = fs::read_to_string(entry.path()).expect("a file");
            let fields = ["kind: ", "File: ", "Line: ", "column: "]
                .map(|field| text.lines().find_map(|line| line.trim().strip_prefix(field)).unwrap_or_default());
            errors.insert(fields.join(" "));
        }
    }
    errors
}

/// Copies the files of a directory, which has no others in it.
pub fn copy_dir(from: &Path, to: &Path) {
    fs::create_dir(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory").flatten() {
        fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
    }
}

/// It was refused, with a message and without a claim.
#[track_caller]
pub fn check_refused(finished: &Finished, part: &str) {
    check_error(finished, 2, part);
    assert!(!finished.stdout.contains("run-finished"), "{finished:?}");
}

/// Waits until something is there.
#[track_caller]
pub fn wait_for(what: &str, is_there: impl Fn() -> bool) {
    for _ in 0..2000 {
        if is_there() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("{what} did not come");
}
