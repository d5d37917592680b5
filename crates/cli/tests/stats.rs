//! `run.stats`: KLEE's columns, readable at any time, and no more important than the run.

mod support;

use ktest::KTest;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::ESPALIER;
use support::process::End;
use support::project::{ENDLESS, Project};
use support::stats::{rows, try_rows};

const COLUMNS: &str = "Instructions FullBranches PartialBranches NumBranches UserTime NumStates MallocUsage Queries SolverQueries \
     NumQueryConstructs WallTime CoveredInstructions UncoveredInstructions QueryTime SolverTime CexCacheTime ForkTime ResolveTime \
     QueryCacheMisses QueryCacheHits QueryCexCacheMisses QueryCexCacheHits InhibitedForks ExternalCalls Allocations States \
     BranchesConditional BranchesIndirect BranchesSwitch BranchesCall BranchesMemOp BranchesResolvePointer BranchesAlloc \
     BranchesRealloc BranchesFree BranchesGetVal TerminationExit TerminationEarly TerminationSolverError TerminationProgramError \
     TerminationUserError TerminationExecutionError TerminationEarlyAlgorithm TerminationEarlyUser CoveredBlocks TotalBlocks DistinctErrors";

#[test]
fn the_last_row_is_what_the_run_came_to() {
    let project = Project::new(
        r#"#include <klee/klee.h>
        int main(void) {
          int i = klee_range(0, 100, "i");
          if (i == 3) klee_silent_exit(0);
          return i > 50 ? 100 / (i - 60) : 0;
        }"#,
    );
    let finished = project.run("run prog.c --json --output-dir out");
    assert_eq!(finished.end, End::Exit(10), "{finished:?}");
    let end: serde_json::Value = serde_json::from_str(finished.stdout.lines().last().unwrap()).unwrap();
    let path = project.path("out/run.stats");
    let names = COLUMNS.split_whitespace().collect::<Vec<_>>();
    let all = rows(&path, &format!("SELECT {} FROM stats", names.join(", ")));
    assert_eq!(all, rows(&path, "SELECT * FROM stats"), "these columns in this order, and no other");
    assert_eq!(all.len(), 2, "one at the start, one at the end");
    assert_eq!(all[0][0], 0);
    let value = |name: &str| all[1][names.iter().position(|column| *column == name).unwrap()];
    assert_eq!(value("Instructions"), end["instructions"].as_i64().unwrap());
    assert_eq!(value("TerminationExit"), end["paths"]["completed"].as_i64().unwrap());
    assert_eq!(value("TerminationProgramError"), 1);
    assert_eq!(value("TerminationEarlyUser"), 1);
    assert_eq!(value("NumStates"), 0);
    assert!(value("Queries") > 0 && value("WallTime") > 0 && value("MallocUsage") > 1 << 20);
    assert_eq!(value("UncoveredInstructions"), 0);
    assert_eq!((value("NumBranches"), value("FullBranches"), value("PartialBranches")), (2, 2, 0));
    assert_eq!((value("CoveredBlocks"), value("DistinctErrors")), (value("TotalBlocks"), 1));
    let finished = project.run("run prog.c --output-stats=false --output-dir without");
    assert_eq!(finished.end, End::Exit(10));
    assert!(!project.path("without/run.stats").exists());
}

#[test]
fn rows_can_be_read_while_the_run_goes_on_and_after_it_was_killed() {
    let project = Project::new(ENDLESS);
    let mut command = project.command("run prog.c --stats-write-interval=200ms --output-dir out");
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let (path, copy) = (project.path("out/run.stats"), project.path("copy.stats"));
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        assert!(Instant::now() < deadline, "no rows");
        std::thread::sleep(Duration::from_millis(20));
        if path.exists() && try_rows(&path, "SELECT Instructions FROM stats").is_ok_and(|rows| rows.len() >= 4) {
            break;
        }
    }
    fs::copy(&path, &copy).unwrap();
    let copied = rows(&copy, "SELECT Instructions FROM stats");
    assert!(copied.len() >= 4 && copied.is_sorted(), "{copied:?}");
    child.kill().unwrap();
    child.wait().unwrap();
    let after = rows(&path, "SELECT Instructions, WallTime FROM stats");
    assert!(after.len() >= copied.len());
    assert!(after.windows(2).all(|pair| pair[0][1] < pair[1][1]), "{after:?}");
    for name in project.list("out").iter().filter(|name| name.ends_with(".ktest")) {
        KTest::read_file(project.path("out").join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// Never ends, and its tests stay small.
const MANY_TESTS: &str = r#"#include <klee/klee.h>
int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  for (unsigned i = 0;; i++)
    if (x == i)
      return 0;
}
"#;

/// No file may grow past this many bytes: what a full disk looks like to the file that grows.
const FILE_LIMIT: u64 = 12 << 10;

#[test]
fn a_full_disk_ends_the_run_with_a_message_and_what_was_written_stays() {
    let project = Project::new(MANY_TESTS);
    let mut command = project.command("run prog.c --stats-write-interval=1ms --output-dir out --max-time=60s");
    // SAFETY: both calls are safe between fork and exec, and touch nothing of ours.
    unsafe {
        command.pre_exec(|| {
            let limit = libc::rlimit { rlim_cur: FILE_LIMIT, rlim_max: FILE_LIMIT };
            libc::setrlimit(libc::RLIMIT_FSIZE, &limit);
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
            Ok(())
        })
    };
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(6), "{text}");
    assert!(text.contains("error: cannot write \"out/run.stats\": "), "{text}");
    assert!(text.contains("--output-stats=false"), "{text}");
    let written = rows(&project.path("out/run.stats"), "SELECT Instructions FROM stats");
    assert!(written.len() > 1, "{written:?}");
    assert_tests_are_whole(&project.path("out"));
}

/// A file system of 64 KiB in a mount namespace of its own; what is in it at the end is copied out.
#[test]
fn a_small_file_system_that_fills_up_loses_nothing_that_was_written() {
    let project = Project::new(MANY_TESTS);
    let script = format!(
        "mkdir small kept && mount -t tmpfs -o size=64k none small || exit 77
         '{ESPALIER}' run prog.c --output-stats=false --output-dir small/out --max-time=60s; code=$?
         cp small/out/* kept && exit $code"
    );
    let in_namespace = |options: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(options).args(["--mount", "sh", "-c", &script]).current_dir(project.path(""));
        command.output().expect("unshare")
    };
    // Root mounts as itself; others need a user namespace.
    // SAFETY: it only reads a number.
    let is_root = unsafe { libc::geteuid() } == 0;
    let output = if is_root { in_namespace(&[]) } else { in_namespace(&["--map-root-user"]) };
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(6), "{text}");
    assert!(text.contains("error: cannot write \"small/out/") && text.contains("No space left"), "{text}");
    assert!(assert_tests_are_whole(&project.path("kept")) > 5);
}

/// How many tests there are; each can be read.
fn assert_tests_are_whole(directory: &Path) -> usize {
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let tests: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|ext| ext == "ktest")).collect();
    assert!(!tests.is_empty());
    for test in &tests {
        KTest::read_file(test).unwrap_or_else(|error| panic!("{}: {error}", test.display()));
    }
    tests.len()
}

#[test]
fn an_unwritable_directory_is_named_before_anything_is_run() {
    let project = Project::new(ENDLESS);
    let finished = project.run("run prog.c --output-dir /proc/nowhere");
    assert_eq!(finished.end, End::Exit(2), "{finished:?}");
    assert!(finished.stderr.contains("cannot create output directory \"/proc/nowhere\""), "{}", finished.stderr);
}
