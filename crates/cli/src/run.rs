//! `espalier run`, and what it shares with the other verbs that explore.

use crate::recording::{Recording, Start};
use crate::tree::compared;
use crate::{command, environment, given, settings, targets, workers};
use clap::ArgMatches;
use espalier_engine::{
    Config, Engine, ExternalCalls, Input, Loaded, Outcome, TestCase, Undefined, Violation, exit_code, stop_on_signals,
    undefined_functions,
};
use espalier_ir::{FuncId, Program};
use espalier_report::{Confirm, FoundError, Reached, Reporter, Settings};
use std::ffi::OsString;
use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;
use std::rc::Rc;

/// Explores a program and gives the exit code.
pub(crate) fn run(matches: &ArgMatches, command_line: &[OsString]) -> i32 {
    let mut config = settings::config(matches);
    config.is_last = true;
    let closing: Closing = Box::new(|outcome, _| outcome.exit_code());
    match explore(matches, command_line, &settings::input(matches), &mut config, None, closing) {
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
    pub(crate) entry: FuncId,
    /// Did it run in the model of the environment?
    pub(crate) has_environment: bool,
    /// The targets that were reached, with their tests.
    pub(crate) reached: Vec<Reached>,
    /// All errors that were told of.
    pub(crate) errors: Vec<FoundError>,
}

/// What a verb says after the summary of a run that had to be ended by force, with the targets that
/// were reached and their tests; and the exit code.
pub(crate) type Closing = Box<dyn FnOnce(&Outcome, &[Reached]) -> i32 + Send>;

/// Explores a program and reports; the exit code if it could not.
pub(crate) fn explore(
    matches: &ArgMatches,
    command_line: &[OsString],
    input: &Input,
    config: &mut Config,
    confirm: Option<Confirm>,
    closing: Closing,
) -> Result<Finished, i32> {
    require_consistent(matches, config)?;
    let settings = settings::report(matches, command_line, command::version());
    let loaded = load(matches, input, config)?;
    explore_loaded(matches, loaded, config.clone(), settings, confirm, closing)
}

/// Loads the program, and has it get the arguments that it expects: as they are, or as words for
/// the model of the environment.
pub(crate) fn load(matches: &ArgMatches, input: &Input, config: &mut Config) -> Result<Loaded, i32> {
    let loaded = espalier_engine::load(input).map_err(|error| fail(exit_code::INPUT, error))?;
    let items = environment::items(matches).map_err(|error| fail(exit_code::USAGE, error))?;
    config.give(&loaded, &items);
    Ok(loaded)
}

pub(crate) fn require_consistent(matches: &ArgMatches, config: &Config) -> Result<(), i32> {
    if let Err(given) = settings::coverage(matches) {
        let why = format!("--coverage={given}: coverage is written as --coverage=lcov or --coverage=lcov:FILE");
        return Err(fail(exit_code::USAGE, why));
    }
    let items = environment::items(matches).map_err(|error| fail(exit_code::USAGE, error))?;
    environment::of(matches, &items).map_err(|error| fail(exit_code::INPUT, error))?;
    inconsistency(matches, config).map_or(Ok(()), |why| Err(fail(exit_code::USAGE, why)))
}

/// Options that do not go together.
pub(crate) fn inconsistency(matches: &ArgMatches, config: &Config) -> Option<&'static str> {
    let is_pruned = config.interpolation.is_some();
    if settings::tree(matches).is_some() && !is_pruned {
        Some("--tree shows what interpolation learnt: use it with --interpolation=on")
    } else if is_pruned && settings::has_given_inputs(matches) {
        Some("seeds and replays are about single paths, which interpolation leaves out: use --interpolation=off")
    } else if settings::input(matches).entry != "main" && settings::has_given_inputs(matches) {
        Some("seeds and replays are for whole programs: what a function that is run by itself gets is made up")
    } else if is_pruned && (config.exec.check_leaks || config.exec.check_uninit) {
        Some("--check-leaks and --check-uninit look at more than interpolants keep: use --interpolation=off")
    } else if settings::is_shared(matches)
        && let Some(why) = workers::inconsistency(matches, config)
    {
        Some(why)
    } else if config.exec.check_uninit && config.exec.external_calls == ExternalCalls::Havoc {
        Some(
            "--external-calls=havoc makes memory unknown, which --check-uninit cannot tell from memory that was never written",
        )
    } else {
        None
    }
}

/// Explores a program that is loaded and reports.
pub(crate) fn explore_loaded(
    matches: &ArgMatches,
    loaded: Loaded,
    mut config: Config,
    settings: Settings,
    confirm: Option<Confirm>,
    closing: Closing,
) -> Result<Finished, i32> {
    let prefix = if settings.klee.is_some() { "KLEE: ERROR" } else { ERROR };
    let fail = |code, error: String| fail_as(prefix, code, error);
    config.exit_on_kinds = settings::exit_on_kinds(matches).map_err(|error| fail(exit_code::USAGE, error))?;
    given::read(matches, &mut config).map_err(|error| fail(exit_code::INPUT, error))?;
    let loops = targets::loop_bounds(&loaded.program, &settings::unwind_loops(matches));
    config.exec.unwind_loops = loops.map_err(|error| fail(exit_code::INPUT, error.to_string()))?;
    let has_environment = loaded.has_environment;
    let mut warnings = loaded.warnings;
    if config.exec.external_calls == ExternalCalls::None {
        warnings.extend(undefined(&loaded.program));
    }
    let program = Rc::new(loaded.program);
    let mut recording = Recording::new(matches, loaded.entry, &config, &settings.command);
    let (is_klee, is_text) = (settings.klee.is_some(), !settings.json);
    let (jobs, is_shared) = (settings::jobs(matches), settings::is_shared(matches));
    if is_shared {
        recording.share(&workers::job(&program, loaded.entry, &config, jobs));
    }
    let engine = Engine::new(program.clone(), loaded.entry, config);
    let mut engine = engine.map_err(|error| fail(exit_code::INPUT, error.to_string()))?;
    let mut reporter = Reporter::new(settings).map_err(|error| fail(exit_code::INPUT, error.to_string()))?;
    if let Some(confirm) = confirm {
        reporter.confirm_with(confirm);
    }
    let tree = recording.location(reporter.directory());
    let mut before = None;
    if !is_klee {
        let start = recording.begin(&mut engine, &program, reporter.directory());
        let told = match start.map_err(|error| fail(exit_code::INPUT, error))? {
            Start::Anew => Ok(()),
            Start::Resumed(restored) => reporter.goes_on(&program, &restored, &engine.errors()),
            Start::Recalled { changes, recalled, before: old } => {
                let told = reporter.explores_anew(&changes, recalled, &old.to_string());
                before = Some(old);
                told
            }
        };
        told.map_err(|error| fail(exit_code::INTERNAL, error.to_string()))?;
    }
    for note in loaded.klee.into_iter().flat_map(|klee| klee.notes) {
        let told = if note.is_warning { reporter.warn(&note.text) } else { reporter.note(&note.text) };
        told.map_err(|error| fail(exit_code::INTERNAL, error.to_string()))?;
    }
    for warning in &warnings {
        reporter.warn(warning).map_err(|error| fail(exit_code::INTERNAL, error.to_string()))?;
    }
    engine.stop_with(stop_on_signals());
    let last_words = reporter.last_words();
    engine.end_by_force(Box::new(move |outcome| closing(outcome, &last_words.say(outcome))));
    let outcome = if is_shared {
        let mut crew = workers::Processes::new(&tree, jobs, settings::lease(matches));
        engine.share(&mut crew, &mut reporter)
    } else {
        engine.run(&mut reporter)
    };
    if let Some(error) = &outcome.observer_error {
        fail(exit_code::INTERNAL, error.clone());
    }
    if let (Some(path), Some(tree)) = (settings::tree(matches), &outcome.tree) {
        let told = espalier_report::write_tree(&path, &program, tree);
        told.map_err(|error| fail(exit_code::INTERNAL, format!("{}: {error}", path.display())))?;
    }
    for missed in espalier_report::refuted_texts(&program, &outcome.refuted) {
        fail(exit_code::INTERNAL, format!("internal error: pruning lost this, please report it: {missed}"));
    }
    let (error_test, reached, errors) = (reporter.error_test(), reporter.reached(), reporter.take_errors());
    let first_error = reporter.first_error().map(|(violation, test)| (violation.clone(), test.clone()));
    reporter.finish(&program, &outcome).map_err(|error| fail(exit_code::INTERNAL, error.to_string()))?;
    if let Some(before) = before.filter(|_| is_text) {
        // What was found counts, compared or not; and a reader that is gone has seen enough.
        let _ = match compared(&before, &tree) {
            Ok(text) => write!(std::io::stdout(), "{text}"),
            Err(error) => writeln!(std::io::stderr(), "warning: the trees cannot be compared: {error}"),
        };
    }
    Ok(Finished { outcome, error_test, first_error, program, entry: loaded.entry, has_environment, reached, errors })
}

/// What to say about functions that nothing defines, once for all of them.
fn undefined(program: &Program) -> Option<String> {
    let functions = undefined_functions(program);
    let shown = functions.iter().take(SHOWN_UNDEFINED).map(|Undefined { name, calls }| {
        let (caller, loc) = &calls[0];
        let place =
            if loc.is_known() { format!(" at {}:{}", program.file_name(loc.file), loc.line) } else { String::new() };
        let more = if calls.len() > 1 { format!(", {} calls in all", calls.len()) } else { String::new() };
        format!("`{name}` (called by {caller}{place}{more})")
    });
    let list = shown.collect::<Vec<_>>().join(", ");
    let rest = functions.len().saturating_sub(SHOWN_UNDEFINED);
    let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    let advice = "such a call ends its path; give the files that define them too, or see --external-calls";
    (!functions.is_empty()).then(|| format!("nothing defines {list}{rest}: {advice}"))
}

const SHOWN_UNDEFINED: usize = 20;

const ERROR: &str = "error";

pub(crate) fn fail(code: i32, error: impl Display) -> i32 {
    fail_as(ERROR, code, error)
}

/// Tells of an error, called so, and gives the exit code.
pub(crate) fn fail_as(what: &str, code: i32, error: impl Display) -> i32 {
    // Nobody reads standard error: the exit code has to do.
    let _ = writeln!(std::io::stderr(), "{what}: {error}");
    code
}
