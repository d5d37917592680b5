//! Every test generated for the programs in `tests/c`, replayed natively, does what was predicted:
//! it ends in the same way, with the same exit status, and prints the same.

mod support;

use espalier_frontend::Input;
use espalier_native::{Limits, Predictions, Replayer, Verdict};
use serde_json::Value;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use support::corpus::{self, Program};
use support::events::Run;
use support::suite;

const LIMIT: Duration = Duration::from_secs(120);
const REPLAY_LIMIT: Duration = Duration::from_secs(20);

fn main() -> ExitCode {
    let programs = corpus::programs();
    suite::run("replay", &programs, |_, program| {
        if program.is_symbolic_only {
            return suite::Verdict::NoCase("what is checked has no native counterpart");
        }
        suite::Verdict::from(check(program))
    })
}

fn check(program: &Program) -> Result<(), String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let dir = dir.path();
    let mut args = program.options.clone();
    args.push(program.path.display().to_string());
    let run = Run::start(dir, &args, LIMIT)?;
    run.finished()?;
    let input =
        Input { files: vec![program.path.clone()], cc_args: corpus::cc_args(&program.options), ..Input::default() };
    let replayer = Replayer::new(input, Limits::time(REPLAY_LIMIT));
    let predictions = Predictions::default();
    for test in run.of("test").filter(|test| is_exact(test)) {
        let path = dir.join("out").join(test["file"].as_str().unwrap_or_default());
        if has_end(test) {
            replay(&replayer, &predictions, &path)?;
        }
    }
    Ok(())
}

/// Must the program follow this test?
fn is_exact(test: &Value) -> bool {
    test["approximations"].as_array().is_some_and(Vec::is_empty)
}

/// Cut paths have no outcome to compare.
fn has_end(test: &Value) -> bool {
    matches!(test["end"].as_str(), Some("exit" | "error"))
}

/// Holds a test against the files beside it.
fn replay(replayer: &Replayer, predictions: &Predictions, path: &Path) -> Result<(), String> {
    let predicted = predictions.of(path).map_err(|error| error.to_string())?;
    if predicted.expected.is_none() {
        return Err(format!("{}: nothing is predicted", path.display()));
    }
    let judgement = replayer.replay(path, &predicted);
    match judgement.verdict {
        Verdict::Agrees => Ok(()),
        _ => Err(format!("{}: {:?} predicted: {judgement:?}", path.display(), predicted.prediction)),
    }
}
