//! Native builds of the programs under test, and replay of tests on them.

use super::process::{self, End, Finished};
use super::root;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const COMPILE_LIMIT: Duration = Duration::from_secs(60);
const REPLAY_LIMIT: Duration = Duration::from_secs(20);

/// What a sanitizer's report ends the program with.
const REPORTED: i32 = 86;

/// The replay library's exit codes.
const UNREADABLE: i32 = 96;
const DIVERGED: i32 = 97;
const ASSUMPTION_FALSE: i32 = 98;
const ERROR_REPORTED: i32 = 99;

/// How a program is built.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Build {
    /// As Espalier compiles it.
    Plain,
    /// With every check for undefined behaviour that the machine's compilers have: Debian's gcc brings the sanitizers'
    /// run-time libraries. What it cannot compile, clang compiles with the checks that need no library.
    Checked,
}

/// Compiles a program together with the replay library.
pub fn compile(source: &Path, cc_args: &[String], build: Build, binary: &Path) -> Result<(), String> {
    let attempts: &[&[&str]] = match build {
        Build::Plain => &[&["clang-19"]],
        Build::Checked => &[
            &["gcc", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"],
            &["clang-19", "-fsanitize=undefined", "-fsanitize-trap=all"],
        ],
    };
    let mut failure = String::new();
    for attempt in attempts {
        let mut command = Command::new(attempt[0]);
        command.args(&attempt[1..]).args(["-O0", "-g", "-w"]).arg("-I").arg(root().join("runtime/include"));
        command.args(cc_args).arg(source).arg(root().join("runtime/replay/replay.c"));
        command.arg("-o").arg(binary).args(["-lm"]);
        let finished = process::run(&mut command, COMPILE_LIMIT);
        if finished.end == End::Exit(0) {
            return Ok(());
        }
        failure = format!("{} does not compile it: {}", attempt[0], finished.tail());
    }
    Err(failure)
}

/// Runs a native program on a test.
pub fn replay(binary: &Path, test: &Path) -> Finished {
    let options = format!("exitcode={REPORTED}:detect_leaks=0:detect_stack_use_after_return=1");
    let mut command = Command::new(binary);
    command.env("KTEST_FILE", test).env("ASAN_OPTIONS", &options).env("UBSAN_OPTIONS", &options);
    process::run(&mut command, REPLAY_LIMIT)
}

/// Did the program follow the test to an exit, with this status if it is known?
pub fn follows_to_exit(finished: &Finished, status: Option<i64>) -> Result<(), String> {
    match (finished.end, status) {
        (End::Exit(DIVERGED | ASSUMPTION_FALSE | UNREADABLE), _) => Err(diverged(finished)),
        (End::Exit(code), Some(status)) if i64::from(code) != (status & 0xff) => {
            Err(format!("exits with {code} natively, {} expected", status & 0xff))
        }
        (End::Exit(_), _) => Ok(()),
        (end, _) => Err(format!("{end:?} natively, an exit expected: {}", finished.tail())),
    }
}

/// Did the program follow the test to an abnormal end?
pub fn follows_to_error(finished: &Finished) -> Result<(), String> {
    match finished.end {
        End::Exit(DIVERGED | ASSUMPTION_FALSE | UNREADABLE) => Err(diverged(finished)),
        End::Signal(_) | End::Exit(REPORTED | ERROR_REPORTED) => Ok(()),
        end => Err(format!("{end:?} natively, an error expected: {}", finished.tail())),
    }
}

fn diverged(finished: &Finished) -> String {
    format!("does not follow the test: {}", finished.tail())
}

/// The compiler flags among a program's options.
pub fn cc_args(options: &[String]) -> Vec<String> {
    options.iter().filter_map(|option| option.strip_prefix("--cc-arg=")).map(str::to_owned).collect()
}

/// The path of a binary for this build in a directory.
pub fn binary(dir: &Path, build: Build) -> PathBuf {
    dir.join(if build == Build::Plain { "plain" } else { "checked" })
}
