//! `espalier run`, and what it shares with the other verbs that explore.

use crate::{command, settings, targets};
use clap::ArgMatches;
use espalier_engine::{Config, Engine, Outcome, exit_code, stop_on_signals};
use espalier_exec::{ExternalCalls, TestCase, Violation};
use espalier_frontend::{Input, Loaded};
use espalier_ir::Program;
use espalier_report::{Reporter, Settings};
use std::ffi::OsString;
use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;
use std::rc::Rc;

/// Explores a program and gives the exit code.
pub(crate) fn run(matches: &ArgMatches, command_line: &[OsString]) -> i32 {
    match explore(matches, command_line, &settings::input(matches), settings::config(matches)) {
        Ok(finished) => finished.outcome.exit_code(),
        Err(code) => code,
    }
}

/// An exploration that came to its end, and was reported.
pub(crate) struct Finished {
    pub(crate) outcome: Outcome,
    /// The test of the first error.
    pub(crate) error_test: Option<PathBuf>,
    pub(crate) first_error: Option<(Violation, TestCase)>,
    pub(crate) program: Rc<Program>,
    /// The targets that were reached, with their tests.
    pub(crate) reached: Vec<(u32, PathBuf)>,
}

/// Explores a program and reports; the exit code if it could not.
pub(crate) fn explore(
    matches: &ArgMatches,
    command_line: &[OsString],
    input: &Input,
    config: Config,
) -> Result<Finished, i32> {
    require_consistent(matches, &config)?;
    let settings = settings::report(matches, command_line, command::version());
    explore_loaded(matches, load(input)?, config, settings)
}

pub(crate) fn load(input: &Input) -> Result<Loaded, i32> {
    espalier_frontend::load(input).map_err(|error| fail(exit_code::INPUT, error))
}

/// Options that do not go together.
pub(crate) fn require_consistent(matches: &ArgMatches, config: &Config) -> Result<(), i32> {
    if settings::tree(matches).is_some() && config.interpolation.is_none() {
        return Err(fail(exit_code::USAGE, "--tree shows what interpolation learnt: use it with --interpolation=on"));
    }
    if config.interpolation.is_some() && (config.exec.check_leaks || config.exec.check_uninit) {
        let why = "--check-leaks and --check-uninit look at more than interpolants keep: use --interpolation=off";
        return Err(fail(exit_code::USAGE, why));
    }
    if config.exec.check_uninit && config.exec.external_calls == ExternalCalls::Havoc {
        let why = "--external-calls=havoc makes memory unknown, which --check-uninit cannot tell from memory that was never written";
        return Err(fail(exit_code::USAGE, why));
    }
    Ok(())
}

/// Explores a program that is loaded and reports.
pub(crate) fn explore_loaded(
    matches: &ArgMatches,
    loaded: Loaded,
    mut config: Config,
    settings: Settings,
) -> Result<Finished, i32> {
    let loops = targets::loop_bounds(&loaded.program, &settings::unwind_loops(matches));
    config.exec.unwind_loops = loops.map_err(|error| fail(exit_code::INPUT, error))?;
    let program = Rc::new(loaded.program);
    let mut engine =
        Engine::new(program.clone(), loaded.entry, config).map_err(|error| fail(exit_code::INPUT, error))?;
    let mut reporter = Reporter::new(settings).map_err(|error| fail(exit_code::INPUT, error))?;
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
    let (error_test, reached) = (reporter.error_test(), reporter.reached());
    let first_error = reporter.first_error().cloned();
    reporter.finish(&program, &outcome).map_err(|error| fail(exit_code::INTERNAL, error))?;
    Ok(Finished { outcome, error_test, first_error, program, reached })
}

pub(crate) fn fail(code: i32, error: impl Display) -> i32 {
    // Nobody reads standard error: the exit code has to do.
    let _ = writeln!(std::io::stderr(), "error: {error}");
    code
}
