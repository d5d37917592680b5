//! Interpolation does not change what is found: every program, ours and random ones, has the same errors with it as without it.
//!
//! `ESPALIER_PRUNE_COUNT` sets how many random programs, `ESPALIER_PRUNE_SEED` the first seed.

mod support;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use support::events::Run;
use support::suite::{self, Verdict};
use support::{count_from_env, generator};

const LIMIT: Duration = Duration::from_secs(120);
/// What may be spent on exploring a random program whole.
const WHOLE: &str = "--max-time=5s";

fn main() -> ExitCode {
    let first = count_from_env("ESPALIER_PRUNE_SEED", 0);
    let count = count_from_env("ESPALIER_PRUNE_COUNT", 500);
    let cases: Vec<(String, usize)> = (first..first + count).map(|seed| (format!("seed-{seed}"), seed)).collect();
    suite::run("prune", &cases, |_, seed| compare(*seed).unwrap_or_else(Verdict::Failed))
}

/// Kinds and lines of the errors found, and the exit code.
type Found = (BTreeSet<(String, u64)>, i32);

fn explore(dir: &Path, options: &[&str]) -> Result<Found, String> {
    let dir = tempfile::tempdir_in(dir).map_err(|error| error.to_string())?;
    let mut args: Vec<String> = options.iter().map(|option| option.to_string()).collect();
    args.extend(["--no-tests".into(), "../prog.c".into()]);
    let run = Run::start(dir.path(), &args, LIMIT)?;
    run.finished()?;
    let errors = run.of("error").map(|error| {
        (error["kind"].as_str().unwrap_or_default().to_string(), error["line"].as_u64().unwrap_or_default())
    });
    Ok((errors.collect(), run.exit_code))
}

fn compare(seed: usize) -> Result<Verdict, String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    std::fs::write(dir.path().join("prog.c"), generator::program(seed as u64)).map_err(|error| error.to_string())?;
    let whole = explore(dir.path(), &["--interpolation=off", WHOLE])?;
    if whole.1 == 5 {
        return Ok(Verdict::Skipped("too many paths to explore whole".into()));
    }
    let search = ["--search=dfs", "--search=bfs", "--search=random-path"][seed % 3];
    let pruned = explore(dir.path(), &["--interpolation=on", "--verify-pruning", search])?;
    if whole == pruned {
        return Ok(Verdict::Passed);
    }
    Err(format!("without pruning {whole:?}, with it and {search} {pruned:?}"))
}
