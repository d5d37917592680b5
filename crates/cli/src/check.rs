//! `espalier check`: is an error reachable? A verdict instead of tests.

use crate::native;
use crate::run::{Closing, Finished, explore, fail};
use crate::svcomp::{Specification, Task};
use crate::{command, environment, settings};
use clap::ArgMatches;
use espalier_engine::{
    Approximation, Cause, Config, Confirmation, Direction, Found, Input, Only, Proof, Tests, Unknown, Verdict,
    ViolationKind, doubt, exit_code, loop_invariants,
};
use espalier_report::witness::{self, WitnessTask};
use espalier_report::{About, Confirm, Question};
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Checks a program and gives the exit code.
pub(crate) fn check(matches: &ArgMatches, command_line: &[OsString]) -> i32 {
    match try_check(matches, command_line) {
        Ok(code) | Err(code) => code,
    }
}

fn try_check(matches: &ArgMatches, command_line: &[OsString]) -> Result<i32, i32> {
    let mut config = settings::config(matches);
    config.exit_on_error = !config.emit_all_errors;
    config.tests = Tests::Errors;
    config.exec.any_answers = true;
    let usage = |error: String| fail(exit_code::INPUT, error);
    let request = Request::of(matches).map_err(usage)?;
    let mut input = request.input.clone();
    let mut voice = Voice {
        question: Question { about: About::Errors, bounds: settings::bounds(matches), environment: None },
        is_json: matches.get_flag("json"),
        is_svcomp: matches.get_flag("svcomp"),
    };
    if let Some(specification) = &request.specification {
        if let Some(why) = specification.is_beyond_us(&input.files) {
            return voice.say(&Verdict::Unknown(Unknown::NotSupported(why)), UNKNOWN);
        }
        specification.apply(&mut config, &mut input).map_err(usage)?;
    }
    if matches!(config.only, Only::Assert | Only::Reach) {
        voice.question.about = About::Calls;
    }
    let last_voice = voice.clone();
    let closing: Closing = Box::new(move |outcome, _| {
        let verdict = Verdict::Unknown(Unknown::EndedByForce { has_found: outcome.paths.errors > 0 });
        last_voice.say(&verdict, UNKNOWN).unwrap_or_else(|code| code)
    });
    let confirmed = input.clone();
    let confirm: Confirm =
        Box::new(move |test, kind| native::confirm(&confirmed, test, kind.name(), true).is_confirmed());
    let finished = explore(matches, command_line, &input, &mut config, Some(confirm), closing)?;
    voice.question.environment =
        environment::scope(matches, &finished.program, finished.entry, finished.has_environment);
    let verdict = Verdict::new(&finished.outcome, found(&finished, &input));
    if let Some(path) = matches.get_one::<PathBuf>("witness") {
        let told = request.write_witness(path, &finished, &verdict, config);
        told.map_err(|error| fail(exit_code::INTERNAL, error))?;
    }
    if let Some(expected) = request.expected.filter(|expected| contradicts(&verdict, *expected)) {
        let _ = writeln!(std::io::stderr(), "warning: the task expects {expected}");
    }
    let kind = finished.first_error.as_ref().map(|(violation, _)| violation.kind());
    let is_about_all = voice.question.environment.is_none();
    voice.say(&verdict, &answer(&verdict, kind, request.specification.is_some(), is_about_all))
}

/// The first error, and what the program natively does on its test.
fn found(finished: &Finished, input: &Input) -> Option<Found> {
    if finished.outcome.paths.errors == 0 {
        return None;
    }
    let kind = finished.first_error.as_ref().map_or("", |(violation, _)| violation.kind().name());
    let outcome = &finished.outcome;
    let doubt = match &finished.first_error {
        Some((_, test)) => doubt(&test.approximations).cloned(),
        // It was found in an earlier run, which did not write down why it is in doubt.
        None if outcome.has_certain_error => None,
        None => Some(Approximation { direction: Direction::Over, cause: Cause::UnknownValue }),
    };
    let confirmation = finished.error_test.as_ref().map(|test| native::confirm(input, test, kind, doubt.is_some()));
    Some(Found { confirmation: confirmation.unwrap_or(Confirmation::NoTest), doubt })
}

fn contradicts(verdict: &Verdict, expected: bool) -> bool {
    match verdict {
        Verdict::Unreachable { proof: Proof::Complete, .. } => !expected,
        Verdict::Reachable(_) => expected,
        Verdict::Unreachable { .. } | Verdict::Unknown(_) => false,
    }
}

const UNKNOWN: &str = "unknown";

/// The verdict in SV-COMP's words, with the kind of the error. SV-COMP asks about every
/// environment.
fn answer(verdict: &Verdict, kind: Option<ViolationKind>, has_property: bool, is_about_all: bool) -> String {
    match (verdict, kind) {
        (Verdict::Reachable(Confirmation::NotConfirmed(_)), _) => UNKNOWN.into(),
        (Verdict::Reachable(_), Some(kind)) if has_property || kind == ViolationKind::ReachError => {
            Specification::violated(kind.name())
        }
        (Verdict::Reachable(_), Some(_)) => "false".into(),
        (Verdict::Unreachable { proof: Proof::Complete, .. }, _) if is_about_all => "true".into(),
        _ => UNKNOWN.into(),
    }
}

/// How the verdict is told.
#[derive(Clone)]
struct Voice {
    question: Question,
    is_json: bool,
    is_svcomp: bool,
}

impl Voice {
    /// Prints the verdict, and gives the exit code.
    fn say(&self, verdict: &Verdict, answer: &str) -> Result<i32, i32> {
        let (word, detail) = (self.question.word(verdict), self.question.detail(verdict));
        let text = match (self.is_json, self.is_svcomp) {
            (true, _) => self.question.event(verdict, answer).to_json(),
            (false, true) => format!("Verdict: {word} ({detail})\n{answer}"),
            (false, false) => format!("Verdict: {word} ({detail})"),
        };
        writeln!(std::io::stdout(), "{text}").map_err(|_| exit_code::INTERNAL)?;
        Ok(verdict.exit_code())
    }
}

/// What is asked, of which program.
struct Request {
    input: Input,
    specification: Option<Specification>,
    data_model: String,
    /// What the task says that the answer is.
    expected: Option<bool>,
}

impl Request {
    fn of(matches: &ArgMatches) -> Result<Request, String> {
        let mut input = settings::input(matches);
        let mut property_file = matches.get_one::<PathBuf>("prop").cloned();
        let mut data_model = matches.get_one::<String>("data-model").cloned();
        let mut expected = None;
        if let [file] = &input.files[..]
            && Task::is_named_by(file)
        {
            let task = Task::read(file, property_file.as_deref())?;
            input.files = task.files;
            property_file = task.property_file;
            data_model = data_model.or(task.data_model);
            expected = task.expected;
        }
        match data_model.as_deref() {
            Some("ILP32") => input.cc_args.push("-m32".into()),
            Some("LP64") => input.cc_args.push("-m64".into()),
            Some(other) => return Err(format!("the data model is {other}; known are ILP32 and LP64")),
            None => {}
        }
        let specification = property_file.as_deref().map(Specification::read).transpose()?;
        let is_32_bit = input.cc_args.iter().any(|arg| arg == "-m32");
        let data_model = if is_32_bit { "ILP32" } else { "LP64" }.into();
        Ok(Request { input, specification, data_model, expected })
    }

    fn write_witness(&self, path: &Path, finished: &Finished, verdict: &Verdict, config: Config) -> Result<(), String> {
        let specification = self.specification.as_ref().map_or_else(
            || "CHECK( init(main()), LTL(G ! call(reach_error())) )".to_owned(),
            |specification| specification.text.clone(),
        );
        let (files, data_model, version) = (self.input.files.clone(), self.data_model.clone(), command::version());
        let task = WitnessTask { files, specification, data_model, version };
        let text = match (verdict, &finished.first_error) {
            (Verdict::Reachable(_), Some((violation, test))) => {
                witness::violation(&task, &finished.program, violation, test)?
            }
            (Verdict::Unreachable { proof: Proof::Complete, .. }, _) if !finished.has_environment => {
                let (program, elapsed) = (finished.program.clone(), finished.outcome.elapsed);
                let invariants = loop_invariants(program, finished.entry, config, elapsed);
                witness::correctness(&task, &witness::invariants(&finished.program, &invariants))?
            }
            _ => return Ok(()),
        };
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    }
}
