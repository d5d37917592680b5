//! `espalier run`.

use crate::{command, settings};
use clap::ArgMatches;
use espalier_engine::{Engine, exit_code, stop_on_signals};
use espalier_report::Reporter;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::Write;
use std::rc::Rc;

/// Explores a program and gives the exit code.
pub(crate) fn run(matches: &ArgMatches, command_line: &[OsString]) -> i32 {
    let loaded = match espalier_frontend::load(&settings::input(matches)) {
        Ok(loaded) => loaded,
        Err(error) => return fail(exit_code::INPUT, error),
    };
    let program = Rc::new(loaded.program);
    let mut engine = match Engine::new(program.clone(), loaded.entry, settings::config(matches)) {
        Ok(engine) => engine,
        Err(error) => return fail(exit_code::INPUT, error),
    };
    let mut reporter = match Reporter::new(settings::report(matches, command_line, command::version())) {
        Ok(reporter) => reporter,
        Err(error) => return fail(exit_code::INPUT, error),
    };
    for warning in &loaded.warnings {
        if let Err(error) = reporter.warn(warning) {
            return fail(exit_code::INTERNAL, error);
        }
    }
    engine.stop_with(stop_on_signals());
    let outcome = engine.run(&mut reporter);
    if let Some(error) = &outcome.observer_error {
        fail(exit_code::INTERNAL, error);
    }
    match reporter.finish(&program, &outcome) {
        Ok(()) => outcome.exit_code(),
        Err(error) => fail(exit_code::INTERNAL, error),
    }
}

fn fail(code: i32, error: impl Display) -> i32 {
    // Nobody reads standard error: the exit code has to do.
    let _ = writeln!(std::io::stderr(), "error: {error}");
    code
}
