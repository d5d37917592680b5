//! Every test generated for the programs in `tests/c`, replayed natively, follows to the same outcome.

mod support;

use serde_json::Value;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use support::corpus::{self, Program};
use support::events::Run;
use support::native::{self, Build};
use support::suite::{self, Verdict};

const LIMIT: Duration = Duration::from_secs(120);

fn main() -> ExitCode {
    let programs = corpus::programs();
    suite::run("replay", &programs, |_, program| {
        if program.is_symbolic_only {
            return Verdict::Skipped("what is checked has no native counterpart".into());
        }
        Verdict::from(check(program))
    })
}

fn check(program: &Program) -> Result<(), String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let dir = dir.path();
    let mut args = program.options.clone();
    args.push(program.path.display().to_string());
    let run = Run::start(dir, &args, LIMIT)?;
    run.finished()?;
    let tests: Vec<&Value> = run.of("test").filter(|test| is_exact(test)).collect();
    for build in [Build::Plain, Build::Checked] {
        let tests: Vec<&&Value> = tests.iter().filter(|test| build_for(test) == Some(build)).collect();
        if tests.is_empty() {
            continue;
        }
        let binary = native::binary(dir, build);
        native::compile(&program.path, &native::cc_args(&program.options), build, &binary)?;
        for test in tests {
            replay(&binary, dir, test)?;
        }
    }
    Ok(())
}

/// Must the program follow this test?
fn is_exact(test: &Value) -> bool {
    test["approximations"].as_array().is_some_and(Vec::is_empty)
}

/// What to replay a test on: errors need a build that notices them. Cut paths have no outcome to compare.
fn build_for(test: &Value) -> Option<Build> {
    match test["end"].as_str() {
        Some("exit") => Some(Build::Plain),
        Some("error") => Some(Build::Checked),
        _ => None,
    }
}

fn replay(binary: &Path, dir: &Path, test: &Value) -> Result<(), String> {
    let file = test["file"].as_str().unwrap_or_default();
    let finished = native::replay(binary, &dir.join("out").join(file));
    let outcome = match test["end"].as_str() {
        Some("exit") => native::follows_to_exit(&finished, test["exit_status"].as_i64()),
        _ => native::follows_to_error(&finished),
    };
    outcome.map_err(|why| format!("{file}: {why}"))
}
