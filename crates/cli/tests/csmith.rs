//! Random programs by csmith, run concretely, print the checksum that they print natively.
//!
//! `ESPALIER_CSMITH_COUNT` sets how many, `ESPALIER_CSMITH_SEED` the first seed.

mod support;

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use support::count_from_env;
use support::process::{self, End};
use support::suite::{self, Verdict};

const NATIVE_LIMIT: Duration = Duration::from_secs(5);
const COMPILE_LIMIT: Duration = Duration::from_secs(60);
const LIMIT: Duration = Duration::from_secs(60);
/// A program that takes longer than this natively may take longer than `LIMIT` under Espalier.
const QUICK: Duration = Duration::from_millis(200);

/// Some programs of csmith's never end: another seed takes their place.
const TRIES: usize = 4;
const APART: usize = 10_000_000;

/// Three quarters of the programs are small, so that many fit into the time; the rest have csmith's
/// own size.
const SMALL: [&str; 8] =
    ["--max-funcs", "4", "--max-block-depth", "3", "--max-block-size", "3", "--max-expr-complexity", "6"];

fn main() -> ExitCode {
    let first = count_from_env("ESPALIER_CSMITH_SEED", 1000);
    let count = count_from_env("ESPALIER_CSMITH_COUNT", 80);
    let cases: Vec<(String, usize)> = (first..first + count).map(|seed| (format!("seed-{seed}"), seed)).collect();
    suite::run("csmith", &cases, |_, seed| {
        let mut tries = (0..TRIES).map(|i| seed + i * APART).map(compare);
        let comparable = tries.find(|verdict| !matches!(verdict, Ok(Verdict::Skipped(_))));
        let gave_up = || Ok(Verdict::Skipped(format!("{TRIES} programs in a row run too long")));
        comparable.unwrap_or_else(gave_up).unwrap_or_else(Verdict::Failed)
    })
}

fn compare(seed: usize) -> Result<Verdict, String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = dir.path().join("prog.c");
    generate(seed, dir.path())?;
    let Some((native, time)) = native_checksum(dir.path(), &source)? else {
        return Ok(Verdict::Skipped("runs too long natively".into()));
    };
    let mut command = support::espalier();
    command.args(["run", "--show-output", "--no-tests", "--output-dir", "out", "-I/usr/include/csmith", "prog.c"]);
    let finished = process::run(command.current_dir(dir.path()), LIMIT);
    match finished.end {
        End::Timeout if time > QUICK => return Ok(Verdict::Skipped("runs too long".into())),
        End::Exit(0) => {}
        end => return Err(format!("{end:?}: {}", finished.tail())),
    }
    match checksum(&finished.stdout) {
        Some(ours) if ours == native => Ok(Verdict::Passed),
        ours => Err(format!("checksum {ours:?}, natively {native:?}")),
    }
}

/// Writes `prog.c`. csmith also leaves a file about the platform where it runs.
fn generate(seed: usize, dir: &Path) -> Result<(), String> {
    let mut command = Command::new("csmith");
    command.args(["--seed", &seed.to_string(), "--output", "prog.c"]).current_dir(dir);
    if !seed.is_multiple_of(4) {
        command.args(SMALL);
    }
    let finished = process::run(&mut command, COMPILE_LIMIT);
    if finished.end == End::Exit(0) { Ok(()) } else { Err(format!("csmith: {}", finished.tail())) }
}

/// The checksum that the program prints natively, and how long it takes; `None` if that is too
/// long.
fn native_checksum(dir: &Path, source: &Path) -> Result<Option<(String, Duration)>, String> {
    let binary = dir.join("prog");
    let mut command = Command::new("clang-19");
    command.args(["-O0", "-w", "-I/usr/include/csmith"]).arg(source).arg("-o").arg(&binary);
    let finished = process::run(&mut command, COMPILE_LIMIT);
    if finished.end != End::Exit(0) {
        return Err(format!("clang: {}", finished.tail()));
    }
    let start = Instant::now();
    let finished = process::run(&mut Command::new(&binary), NATIVE_LIMIT);
    let time = start.elapsed();
    match (finished.end, checksum(&finished.stdout)) {
        (End::Timeout, _) => Ok(None),
        (End::Exit(0), Some(checksum)) => Ok(Some((checksum, time))),
        (end, _) => Err(format!("{end:?} natively")),
    }
}

fn checksum(output: &str) -> Option<String> {
    output.lines().find(|line| line.starts_with("checksum = ")).map(str::to_owned)
}
