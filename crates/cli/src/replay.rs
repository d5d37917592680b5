//! `espalier replay`: tests run natively, and what they do beside what was predicted.

use crate::command::table_option;
use crate::run::fail;
use crate::settings::{Failing, alloc_fail, failing_allocations};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command, value_parser};
use espalier_base::OptionalLimit;
use espalier_engine::{Input, exit_code, stop_on_signals};
use espalier_native::{
    Checks, Judgement, Limits, Outcome, PredictedError, Prediction, Predictions, Reason, Replayer, Sanitize, Verdict,
};
use espalier_report::native_text::{
    build_text, compared_text, cut_reason_text, difference_text, judgement_text, left_out_text, outcome_text,
    predicted_text, prediction_text, seen_text,
};
use espalier_report::{Difference, Event, NativeRun, Predicted};
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  espalier replay espalier-last prog.c          all tests of the last run
  espalier replay espalier-out-0/test000002.ktest prog.c util.c -Iinclude
                                                one test of a program with several files
  espalier replay klee-last/*.ktest prog.c -- -v input.txt
                                                tests of KLEE's; other arguments than the tests have

What a test does is in the files beside it: how it ends, what it prints and the files that it leaves
(testNNNNNN.expected), and errors (testNNNNNN.KIND.err). KLEE's tests have the latter only: without one they exit.

Exit codes:
  0  all tests do what was predicted           1  wrong usage
  10 some do something else                    2  a test cannot be read, or the program does not compile
  5  some cannot be replayed";

pub(crate) fn command() -> Command {
    let items = Arg::new("items")
        .value_name("TEST|FILE")
        .help("Tests (.ktest, or directories with tests in them) and the program's files (.c, .bc, .ll) or one executable, in any order")
        .required(true)
        .num_args(1..)
        .value_parser(value_parser!(PathBuf));
    let args = Arg::new("args")
        .value_name("ARG")
        .help("Arguments for the program, instead of those that a test has")
        .last(true)
        .num_args(0..);
    let sanitize = Arg::new("sanitize")
        .long("sanitize")
        .value_name("WHEN")
        .help("Compile with sanitizers: for predicted errors (auto), for predicted exits too (always), or never")
        .value_parser(PossibleValuesParser::new(["auto", "always", "never"]))
        .default_value("auto");
    let time = table_option("max-time").help("End each native run after this time").default_value("10s");
    let memory = table_option("max-memory").help("End a native run that uses more memory than this");
    let json = table_option("json").help("Print events as JSON, one a line");
    let alloc_fail_option = table_option("alloc-fail")
        .value_name("N|sites")
        .help("Let allocations fail as the run did that made the tests")
        .value_parser(value_parser!(Failing));
    Command::new("replay")
        .about("Run tests natively, and compare what they do with what was predicted")
        .args([items, args, table_option("cc-arg"), alloc_fail_option, sanitize])
        .args([time, memory.default_value("4GiB"), json].map(|arg| arg.long_help(None)))
        .after_help(EXAMPLES)
        .arg_required_else_help(true)
}

/// Replays and gives the exit code.
pub(crate) fn replay(matches: &ArgMatches) -> i32 {
    match try_replay(matches) {
        Ok(code) | Err(code) => code,
    }
}

fn try_replay(matches: &ArgMatches) -> Result<i32, i32> {
    let (tests, files) = tests_and_files(matches)?;
    let text = |name: &str| matches.get_one::<String>(name).cloned().unwrap_or_default();
    let list = |name: &str| matches.get_many::<String>(name).map(|values| values.cloned().collect::<Vec<_>>());
    let mut cc_args = list("cc-arg").unwrap_or_default();
    let failing = alloc_fail(matches);
    cc_args.extend(failing.map_or_else(Vec::new, failing_allocations));
    // The tests say which allocations fail.
    let failing_sites = (failing == Some(Failing::Sites)).then(Vec::new);
    let input = Input { files, cc_args, failing_sites, ..Input::default() };
    let sanitize = match text("sanitize").as_str() {
        "always" => Sanitize::Always,
        "never" => Sanitize::Never,
        _ => Sanitize::Auto,
    };
    let stop = stop_on_signals();
    let is_stopped = stop.clone();
    let replayer =
        Replayer::new(input, limits(matches)).sanitize(sanitize).args(list("args")).stop_when(move || stop.is_asked());
    let always_needed = if sanitize == Sanitize::Always { Checks::Sanitizers } else { Checks::None };
    replayer.build(always_needed).map_err(|error| fail(exit_code::INPUT, error))?;

    let is_json = matches.get_flag("json");
    let predictions = Predictions::default();
    let mut counts = Counts::default();
    for test in &tests {
        let (prediction, judgement) = match predictions.of(test) {
            Ok(predicted) => {
                let judgement = replayer.replay(test, &predicted);
                (predicted.prediction, judgement)
            }
            Err(error) => {
                (Prediction::Exit { status: None }, unreadable(format!("what is beside it cannot be read: {error}")))
            }
        };
        if is_stopped.is_asked() {
            break;
        }
        counts.add(&judgement);
        let text = if is_json { json(test, &prediction, &judgement) } else { lines(test, &prediction, &judgement) };
        print(&text)?;
    }
    print(&if is_json { counts.json(tests.len()) } else { counts.line(tests.len()) })?;
    Ok(counts.exit_code(tests.len()))
}

fn unreadable(why: String) -> Judgement {
    Judgement { outcome: Some(Outcome::Unreadable(why.clone())), ..Judgement::not_replayed(Reason::Unreadable(why)) }
}

/// Tests end in `.ktest`, directories stand for all of theirs, and everything else is the program.
fn tests_and_files(matches: &ArgMatches) -> Result<(Vec<PathBuf>, Vec<PathBuf>), i32> {
    let is_test = |path: &Path| path.extension().is_some_and(|ext| ext == "ktest");
    let (mut tests, mut files) = (Vec::new(), Vec::new());
    for item in matches.get_many::<PathBuf>("items").into_iter().flatten() {
        let unread = |error| fail(exit_code::INPUT, format!("cannot read {}: {error}", item.display()));
        let data = std::fs::metadata(item).map_err(unread)?;
        if data.is_dir() {
            let mut inside = Vec::new();
            for entry in std::fs::read_dir(item).map_err(unread)? {
                inside.push(entry.map_err(unread)?.path());
            }
            inside.retain(|path| is_test(path));
            if inside.is_empty() {
                return Err(fail(exit_code::INPUT, format!("{} has no tests (.ktest) in it", item.display())));
            }
            inside.sort();
            tests.extend(inside);
        } else if is_test(item) {
            tests.push(item.clone());
        } else {
            files.push(item.clone());
        }
    }
    if tests.is_empty() {
        let why = "no test to replay: give .ktest files, or a directory that a run wrote";
        return Err(fail(exit_code::USAGE, why));
    }
    if files.is_empty() {
        return Err(fail(exit_code::USAGE, "no program to replay on: give its C sources or bitcode too"));
    }
    Ok((tests, files))
}

fn limits(matches: &ArgMatches) -> Limits {
    let time = matches.get_one::<Duration>("max-time").copied().and_then(OptionalLimit::limit);
    let resident = matches.get_one::<u64>("max-memory").copied().and_then(OptionalLimit::limit);
    Limits { time: time.unwrap_or(Duration::MAX), address_space: None, resident }
}

fn print(text: &str) -> Result<(), i32> {
    writeln!(std::io::stdout(), "{text}").map_err(|_| exit_code::INTERNAL)
}

/// How many tests came to what.
#[derive(Default)]
struct Counts {
    agree: usize,
    differ: usize,
    not_replayed: usize,
    /// Of those that were not replayed.
    unreadable: usize,
}

impl Counts {
    fn add(&mut self, judgement: &Judgement) {
        match judgement.verdict {
            Verdict::Agrees => self.agree += 1,
            Verdict::Differs => self.differ += 1,
            Verdict::NotReplayed => self.not_replayed += 1,
        }
        self.unreadable += usize::from(matches!(judgement.outcome, Some(Outcome::Unreadable(_))));
    }

    /// Tests that there was no time for: somebody interrupted.
    fn left(&self, tests: usize) -> usize {
        tests - self.agree - self.differ - self.not_replayed
    }

    fn exit_code(&self, tests: usize) -> i32 {
        match self {
            Counts { differ: 1.., .. } => exit_code::FOUND,
            Counts { unreadable: 1.., .. } => exit_code::INPUT,
            Counts { not_replayed: 1.., .. } => exit_code::INCOMPLETE,
            _ if self.left(tests) > 0 => exit_code::INCOMPLETE,
            _ => exit_code::CLEAN,
        }
    }

    fn line(&self, tests: usize) -> String {
        let mut parts = Vec::new();
        let verb = |count, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
        if self.agree > 0 {
            parts.push(verb(self.agree, "agrees", "agree"));
        }
        if self.differ > 0 {
            parts.push(verb(self.differ, "differs", "differ"));
        }
        if self.not_replayed > 0 {
            parts.push(format!("{} cannot be replayed", self.not_replayed));
        }
        if self.left(tests) > 0 {
            parts.push(format!("{} not tried (interrupted)", self.left(tests)));
        }
        format!("{}: {}.", verb(tests, "test", "tests"), parts.join(", "))
    }

    fn json(&self, tests: usize) -> String {
        Event::ReplayFinished { tests, agree: self.agree, differ: self.differ, not_replayed: self.not_replayed }
            .to_json()
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Agrees => "agrees",
        Verdict::Differs => "differs",
        Verdict::NotReplayed => "cannot be replayed",
    }
}

/// What became of a test, for people: a line if there is nothing to it, else what was predicted and
/// what happened.
fn lines(test: &Path, prediction: &Prediction, judgement: &Judgement) -> String {
    let mut text = format!("{}: {}", test.display(), word(judgement.verdict));
    if let (Verdict::Agrees, Prediction::Exit { .. }, Some(outcome)) =
        (judgement.verdict, prediction, &judgement.outcome)
    {
        let _ = write!(text, " ({})", outcome_text(outcome));
        add_left_out(&mut text, judgement);
        return text;
    }
    if let Some(reason) = &judgement.reason {
        let _ = write!(text, ": {}", judgement_text(reason).replace('\n', "\n    "));
    }
    if matches!(judgement.outcome, Some(Outcome::Unreadable(_))) {
        return text;
    }
    let _ = write!(text, "\n  predicted: {}", prediction_text(prediction));
    if let Some(outcome) = &judgement.outcome {
        let _ = write!(text, "\n  native:    {}", outcome_text(outcome));
        if let Some(build) = &judgement.build {
            let _ = write!(text, " [{}]", build_text(build));
        }
        for line in outcome.details() {
            let _ = write!(text, "\n             {line}");
        }
    }
    for difference in &judgement.differences {
        let _ = write!(text, "\n  differs:   {}", difference_text(difference));
    }
    add_left_out(&mut text, judgement);
    if let Prediction::Error(error) = prediction {
        for note in &error.notes {
            let _ = write!(text, "\n  note:      the test may not show this: {note}");
        }
    }
    text
}

fn add_left_out(text: &mut String, judgement: &Judgement) {
    for what in &judgement.left_out {
        let _ = write!(text, "\n  note:      not compared: {}", left_out_text(what));
    }
}

fn json(test: &Path, prediction: &Prediction, judgement: &Judgement) -> String {
    let predicted = match prediction {
        Prediction::Exit { status } => Predicted::Exit { exit_status: *status },
        Prediction::Signal(signal) => Predicted::Signal { signal: *signal },
        Prediction::Error(PredictedError { kind, message, file, line, notes, .. }) => {
            Predicted::Error { kind, message, file: file.as_deref(), line: *line, notes }
        }
        Prediction::Cut { reason } => Predicted::Cut { reason: cut_reason_text(reason.as_deref()) },
        Prediction::Place => Predicted::Place,
        Prediction::Function => Predicted::Function,
    };
    let native = judgement.outcome.as_ref().map(|outcome| NativeRun {
        end: outcome.word(),
        exit_status: if let Outcome::Exit(code) = outcome { Some(*code) } else { None },
        signal: if let Outcome::Signal(signal, _) = outcome { Some(*signal) } else { None },
        text: outcome_text(outcome),
        details: outcome.details(),
        build: judgement.build.as_ref().map(build_text),
    });
    let differences = judgement.differences.iter().map(|difference| Difference {
        what: compared_text(&difference.what),
        at: difference.at,
        predicted: predicted_text(&difference.predicted),
        native: seen_text(&difference.native),
    });
    Event::Replay {
        test: test.display().to_string(),
        verdict: match judgement.verdict {
            Verdict::Agrees => "agrees",
            Verdict::Differs => "differs",
            Verdict::NotReplayed => "cannot-be-replayed",
        },
        reason: judgement.reason.as_ref().map(judgement_text),
        predicted,
        native,
        differences: differences.collect(),
        not_compared: judgement.left_out.iter().map(left_out_text).collect(),
    }
    .to_json()
}
