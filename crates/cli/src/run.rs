//! `espalier run`, and what it shares with the other verbs that explore.

use crate::{command, settings};
use clap::ArgMatches;
use espalier_engine::{Config, Engine, Outcome, exit_code, stop_on_signals};
use espalier_report::Reporter;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;
use std::rc::Rc;

/// Explores a program and gives the exit code.
pub(crate) fn run(matches: &ArgMatches, command_line: &[OsString]) -> i32 {
    match explore(matches, command_line, settings::config(matches)) {
        Ok(finished) => finished.outcome.exit_code(),
        Err(code) => code,
    }
}

/// An exploration that came to its end, and was reported.
pub(crate) struct Finished {
    pub(crate) outcome: Outcome,
    /// The test of the first error.
    pub(crate) error_test: Option<PathBuf>,
}

/// Explores a program and reports; the exit code if it could not.
pub(crate) fn explore(matches: &ArgMatches, command_line: &[OsString], config: Config) -> Result<Finished, i32> {
    if settings::tree(matches).is_some() && config.interpolation.is_none() {
        return Err(fail(exit_code::USAGE, "--tree shows what interpolation learnt: use it with --interpolation=on"));
    }
    if config.interpolation.is_some() && (config.exec.check_leaks || config.exec.check_uninit) {
        let why = "--check-leaks and --check-uninit look at more than interpolants keep: use --interpolation=off";
        return Err(fail(exit_code::USAGE, why));
    }
    let loaded = espalier_frontend::load(&settings::input(matches)).map_err(|error| fail(exit_code::INPUT, error))?;
    let program = Rc::new(loaded.program);
    let mut engine =
        Engine::new(program.clone(), loaded.entry, config).map_err(|error| fail(exit_code::INPUT, error))?;
    let mut reporter = Reporter::new(settings::report(matches, command_line, command::version()))
        .map_err(|error| fail(exit_code::INPUT, error))?;
    for warning in &loaded.warnings {
        reporter.warn(warning).map_err(|error| fail(exit_code::INTERNAL, error))?;
    }
    engine.stop_with(stop_on_signals());
    let outcome = engine.run(&mut reporter);
    if let Some(error) = &outcome.observer_error {
        fail(exit_code::INTERNAL, error);
    }
    if let (Some(path), Some(tree)) = (settings::tree(matches), &outcome.tree) {
        let told = espalier_report::write_tree(&path, &program, tree);
        told.map_err(|error| fail(exit_code::INTERNAL, format!("{}: {error}", path.display())))?;
    }
    for missed in &outcome.refuted {
        fail(exit_code::INTERNAL, format!("internal error: pruning lost this, please report it: {missed}"));
    }
    let error_test = reporter.error_test();
    reporter.finish(&program, &outcome).map_err(|error| fail(exit_code::INTERNAL, error))?;
    Ok(Finished { outcome, error_test })
}

fn fail(code: i32, error: impl Display) -> i32 {
    // Nobody reads standard error: the exit code has to do.
    let _ = writeln!(std::io::stderr(), "error: {error}");
    code
}
