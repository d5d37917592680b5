//! Every program in `tests/c`: the errors found are those that its comments expect, no fewer and no
//! others.

mod support;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;
use support::corpus::{self, Program};
use support::events::Run;
use support::suite::{self, Verdict};

const LIMIT: Duration = Duration::from_secs(120);

fn main() -> ExitCode {
    let programs = corpus::programs();
    suite::run("corpus", &programs, |_, program| Verdict::from(check(program)))
}

fn check(program: &Program) -> Result<(), String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut args = program.options.clone();
    args.push("--show-output".into());
    args.push(program.path.display().to_string());
    let run = Run::start(dir.path(), &args, LIMIT)?;
    let finished = run.finished()?;
    check_errors(program, &run)?;
    if run.exit_code != program.exit {
        return Err(format!("exit code {}, {} expected: {}", run.exit_code, program.exit, finished["cuts"]));
    }
    let completed = finished["paths"]["completed"].as_u64();
    if program.paths.is_some() && completed != program.paths {
        return Err(format!("{completed:?} completed paths, {:?} expected", program.paths));
    }
    match &program.stdout {
        Some(expected) if *expected != run.output() => Err(format!("prints {:?}, {expected:?} expected", run.output())),
        _ => Ok(()),
    }
}

fn check_errors(program: &Program, run: &Run) -> Result<(), String> {
    let mut found = BTreeMap::new();
    for error in run.of("error") {
        let line = error["line"].as_u64().unwrap_or(0);
        let kind = error["kind"].as_str().unwrap_or_default().to_owned();
        found.insert((line, kind), error["message"].as_str().unwrap_or_default().to_owned());
    }
    for ((line, kind), text) in &program.errors {
        match found.get(&(*line, kind.clone())) {
            None => return Err(format!("line {line}: {kind} not found; found: {found:?}")),
            Some(message) if !message.contains(text) => {
                return Err(format!("line {line}: message {message:?} does not contain {text:?}"));
            }
            Some(_) => {}
        }
    }
    match found.iter().find(|(key, _)| !program.errors.contains_key(key)) {
        Some(((line, kind), message)) => Err(format!("line {line}: unexpected {kind}: {message}")),
        None => Ok(()),
    }
}
