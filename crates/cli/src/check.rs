//! `espalier check`: is an error reachable? A verdict instead of tests.

use crate::native::{self, Confirmation};
use crate::run::{BY_FORCE, Closing, Finished, explore, fail};
use crate::svcomp::{Specification, Task};
use crate::verdict::{Found, Proof};
use crate::{command, environment, settings};
use clap::ArgMatches;
use espalier_engine::{
    Config, EndedPath, Engine, Observer, ObserverError, Only, Outcome, Tests, exit_code, stop_on_signals,
};
use espalier_exec::doubt;
use espalier_frontend::Input;
use espalier_ir::Program;
use espalier_prune::LoopInvariant;
use espalier_report::witness::{self, WitnessTask};
use espalier_report::{Confirm, approximation_text};
use serde_json::json;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

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
    let usage = |error: String| fail(exit_code::INPUT, error);
    let question = Question::of(matches).map_err(usage)?;
    let mut input = question.input.clone();
    let is_svcomp = matches.get_flag("svcomp");
    if let Some(specification) = &question.specification {
        if let Some(why) = specification.is_beyond_us(&input.files) {
            let verdict =
                Verdict { word: "unknown", detail: why, exit_code: exit_code::INCOMPLETE, answer: "unknown".into() };
            return verdict.print(matches.get_flag("json"), is_svcomp);
        }
        specification.apply(&mut config, &mut input).map_err(usage)?;
    }
    let only = config.only;
    let is_json = matches.get_flag("json");
    let closing: Closing = Box::new(move |outcome, _| {
        let verdict = Verdict::of_cut_short(outcome);
        verdict.print(is_json, is_svcomp).unwrap_or_else(|code| code)
    });
    let confirmed = input.clone();
    let confirm: Confirm = Box::new(move |test, kind| native::confirm(&confirmed, test, kind.name()).is_confirmed());
    let finished = explore(matches, command_line, &input, &mut config, Some(confirm), closing)?;
    let kind = finished.first_error.as_ref().map_or("", |(violation, _)| violation.kind.name());
    let confirmation = finished.error_test.as_ref().map(|test| native::confirm(&input, test, kind));
    let bounds = settings::bounds(matches);
    let environment = environment::scope(matches, &finished.program, finished.entry, finished.has_environment);
    let verdict =
        Verdict::of(&finished, only, (&bounds, environment.as_deref()), confirmation, question.specification.is_some());
    if let Some(path) = matches.get_one::<PathBuf>("witness") {
        let told = question.write_witness(path, &finished, &verdict, config);
        told.map_err(|error| fail(exit_code::INTERNAL, error))?;
    }
    if let Some(expected) = question.expected.filter(|expected| verdict.contradicts(*expected)) {
        let _ = writeln!(std::io::stderr(), "warning: the task expects {expected}");
    }
    verdict.print(matches.get_flag("json"), is_svcomp)
}

/// What is asked, of which program.
struct Question {
    input: Input,
    specification: Option<Specification>,
    data_model: String,
    /// What the task says that the answer is.
    expected: Option<bool>,
}

impl Question {
    fn of(matches: &ArgMatches) -> Result<Question, String> {
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
        Ok(Question { input, specification, data_model, expected })
    }

    fn write_witness(&self, path: &Path, finished: &Finished, verdict: &Verdict, config: Config) -> Result<(), String> {
        let specification = self.specification.as_ref().map_or_else(
            || "CHECK( init(main()), LTL(G ! call(reach_error())) )".to_owned(),
            |specification| specification.text.clone(),
        );
        let (files, data_model, version) = (self.input.files.clone(), self.data_model.clone(), command::version());
        let task = WitnessTask { files, specification, data_model, version };
        let text = match (verdict.exit_code, &finished.first_error) {
            (exit_code::FOUND, Some((violation, test))) => {
                witness::violation(&task, &finished.program, violation, test)?
            }
            (exit_code::CLEAN, _) if !finished.has_environment => {
                let invariants = loop_invariants(finished, config);
                witness::correctness(&task, &witness::invariants(&finished.program, &invariants))?
            }
            _ => return Ok(()),
        };
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    }
}

/// Invariants may take as long as the proof, within these limits.
const LEAST_PATIENCE: Duration = Duration::from_secs(5);
const MOST_PATIENCE: Duration = Duration::from_secs(60);

/// What holds at the heads of a safe program's loops: it is proved again, with a node at each visit of a head. (Doing so at first would make errors slower to find.)
/// Nothing, if that takes too long.
fn loop_invariants(finished: &Finished, mut config: Config) -> Vec<LoopInvariant> {
    let elapsed = finished.outcome.elapsed;
    let limit = elapsed.clamp(LEAST_PATIENCE, MOST_PATIENCE);
    config.keep_invariants = true;
    config.limits.max_time = Some(config.limits.max_time.map_or(limit, |time| time.saturating_sub(elapsed).min(limit)));
    let Ok(mut engine) = Engine::new(finished.program.clone(), finished.entry, config) else { return Vec::new() };
    engine.stop_with(stop_on_signals());
    let outcome = engine.run(&mut Silent);
    if outcome.exit_code() == exit_code::CLEAN { outcome.invariants } else { Vec::new() }
}

/// For a run whose paths are known already.
struct Silent;

impl Observer for Silent {
    fn path_ended(&mut self, _: &Program, _: &EndedPath<'_>) -> Result<(), ObserverError> {
        Ok(())
    }
}

struct Verdict {
    word: &'static str,
    detail: String,
    exit_code: i32,
    /// In SV-COMP's words.
    answer: String,
}

impl Verdict {
    /// Of a run that had to be ended by force. What it found could not be confirmed.
    fn of_cut_short(outcome: &Outcome) -> Verdict {
        let detail = match outcome.paths.errors {
            0 => BY_FORCE.into(),
            _ => format!("what was found is not confirmed: {BY_FORCE}"),
        };
        Verdict { word: "unknown", detail, exit_code: exit_code::INCOMPLETE, answer: "unknown".into() }
    }

    fn of(
        finished: &Finished,
        only: Only,
        (bounds, environment): (&str, Option<&str>),
        confirmation: Option<Confirmation>,
        has_property: bool,
    ) -> Verdict {
        let outcome = &finished.outcome;
        let answer = String::from("unknown");
        let proved = if matches!(only, Only::Assert | Only::Reach) { "unreachable" } else { "safe" };
        if !outcome.refuted.is_empty() {
            let detail = "pruning went wrong".into();
            return Verdict { word: "unknown", detail, exit_code: exit_code::INTERNAL, answer };
        }
        if outcome.observer_error.is_some() {
            let detail = "the output failed".into();
            return Verdict { word: "unknown", detail, exit_code: exit_code::INTERNAL, answer };
        }
        if outcome.paths.errors > 0 {
            let is_refuted = matches!(confirmation, Some(Confirmation::NotConfirmed(_)));
            let kind = finished.first_error.as_ref().map(|(violation, _)| violation.kind.name());
            let answer = match kind.filter(|_| !is_refuted) {
                Some(kind) if has_property || kind == "reach_error" => Specification::violated(kind),
                Some(_) => "false".into(),
                None => answer,
            };
            let doubt = finished.first_error.as_ref().and_then(|(_, test)| doubt(&test.approximations));
            let doubt = doubt.map(approximation_text);
            let Found { word, detail, exit_code } = Found::of(confirmation, doubt.as_deref());
            let answer = if exit_code == exit_code::FOUND { answer } else { "unknown".into() };
            return Verdict { word, detail, exit_code, answer };
        }
        let (word, detail, exit_code) = match Proof::of(outcome, bounds, environment) {
            Proof::Complete(detail) => (proved, detail, exit_code::CLEAN),
            Proof::Within(detail) => (proved, detail, exit_code::INCOMPLETE),
            Proof::Unknown(detail) => ("unknown", detail, exit_code::INCOMPLETE),
        };
        // SV-COMP asks about every environment.
        let answer = if exit_code == exit_code::CLEAN && environment.is_none() { "true".into() } else { answer };
        Verdict { word, detail, exit_code, answer }
    }

    fn contradicts(&self, expected: bool) -> bool {
        match self.exit_code {
            exit_code::CLEAN => !expected,
            exit_code::FOUND => expected,
            _ => false,
        }
    }

    /// Prints the verdict, and gives the exit code.
    fn print(&self, is_json: bool, is_svcomp: bool) -> Result<i32, i32> {
        let mut text = if is_json { self.json() } else { self.text() };
        if is_svcomp {
            text = if is_json { text } else { format!("{text}\n{}", self.answer) };
        }
        writeln!(std::io::stdout(), "{text}").map_err(|_| exit_code::INTERNAL)?;
        Ok(self.exit_code)
    }

    fn text(&self) -> String {
        format!("Verdict: {} ({})", self.word, self.detail)
    }

    fn json(&self) -> String {
        let Verdict { word, detail, answer, .. } = self;
        json!({"schema": 1, "event": "verdict", "verdict": word, "detail": detail, "svcomp": answer}).to_string()
    }
}
