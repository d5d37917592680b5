//! What native runs did, and how that compares with what was predicted, in plain English.

use espalier_base::process::signal_name;
use espalier_base::{format_duration, format_size};
use espalier_engine::Confirmation;
use espalier_native::{
    BuildError, BuildName, Checks, Compared, Difference, Judgement, LeftOut, Outcome, PredictedError, Prediction,
    Reason, Seen, Verdict,
};
use std::time::Duration;

pub fn outcome_text(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Exit(code) => format!("exit with {code}"),
        Outcome::Signal(signal, _) => signal_name(*signal),
        Outcome::Sanitizer(report) => report.headline.clone(),
        Outcome::ErrorReported(message) => format!("an error is reported: {message}"),
        Outcome::AssumptionFalse(message) => message.clone(),
        Outcome::Diverged(how) => format!("does not follow the test: {how}"),
        Outcome::NoCounterpart(what) => what.clone(),
        Outcome::Reached => "comes to the place".into(),
        Outcome::TimeLimit => "does not end in time".into(),
        Outcome::MemoryLimit => "uses too much memory".into(),
        Outcome::Stopped => "interrupted".into(),
        Outcome::Unreadable(why) => format!("the test cannot be read: {why}"),
        Outcome::NotStarted(why) => format!("cannot be started: {why}"),
    }
}

pub fn prediction_text(prediction: &Prediction) -> String {
    match prediction {
        Prediction::Exit { status: Some(status) } => format!("exit with {status}"),
        Prediction::Exit { status: None } => "exit".into(),
        Prediction::Signal(signal) => signal_name(*signal),
        Prediction::Error(error) => predicted_error(error),
        Prediction::Cut { reason } => {
            format!("unknown: the path was cut short: {}", cut_reason_text(reason.as_deref()))
        }
        Prediction::Place => "comes to a place that was asked about".into(),
        Prediction::Function => "the end of a function that was run by itself".into(),
    }
}

/// Why a path was cut short, as far as the files beside a test say it.
pub fn cut_reason_text(reason: Option<&str>) -> &str {
    reason.unwrap_or("it is not said why")
}

fn predicted_error(error: &PredictedError) -> String {
    let PredictedError { kind, message, file, line, .. } = error;
    let place = match (file, line) {
        (Some(file), Some(line)) => format!(" at {file}:{line}"),
        (Some(file), None) => format!(" in {file}"),
        _ => String::new(),
    };
    if message.is_empty() { format!("{kind}{place}") } else { format!("{kind}{place}: {message}") }
}

/// "gcc with sanitizers".
pub fn build_text(build: &BuildName) -> String {
    match build {
        BuildName::Executable => "the executable".into(),
        BuildName::Compiled { compiler, checks } => match checks {
            Checks::Sanitizers => format!("{compiler} with sanitizers"),
            Checks::Traps => format!("{compiler} with traps for undefined behaviour"),
            Checks::None => compiler.clone(),
            Checks::ErrorFunctions => format!("{compiler} with marked error functions"),
        },
    }
}

/// Why a test differs, or was not replayed.
pub fn judgement_text(reason: &Reason) -> String {
    match reason {
        Reason::Different(what) => {
            let what: Vec<String> = what.iter().map(compared_text).collect();
            format!("the native run has another {}", what.join(", another "))
        }
        Reason::NotFollowed => "the native run does not follow the test".into(),
        Reason::Fails => "the native run fails".into(),
        Reason::OtherSignal => "the native run does not end by this signal".into(),
        Reason::NoFailure => "the native run does not fail".into(),
        Reason::OtherFailure => "the native run fails in another way".into(),
        Reason::Inexact { differs, inexact } => {
            format!("{}, but the path is inexact: {}", judgement_text(differs), inexact.join("; "))
        }
        Reason::TimeLimit(limit) => {
            format!("the native run did not end within {} (--max-time)", format_duration(*limit))
        }
        Reason::MemoryLimit(limit) => {
            format!("the native run needs more than {} of memory (--max-memory)", format_size(*limit))
        }
        Reason::NoRun(outcome) => outcome_text(outcome),
        Reason::Cut => "the path was cut short, so there is no end to compare with".into(),
        Reason::Place => "the test leads to a place, not to an end; `espalier reach` confirms it itself".into(),
        Reason::HiddenLeak => "LeakSanitizer sees no leak, but a stale pointer is enough to hide one from it".into(),
        Reason::NoSanitizers(error) => format!("the error shows only with sanitizers: {error}"),
        Reason::NoBuild(error) => error.to_string(),
        Reason::NoBuilds => "there is no build to run it on".into(),
        Reason::Uninitialised => "the use of uninitialised memory is not looked for natively".into(),
        Reason::NotOfTheProgram => "it is about symbolic execution, not about the program".into(),
        Reason::Unreadable(why) => why.clone(),
    }
}

/// "standard output from byte 3 on: predicted "a", native nothing more".
pub fn difference_text(difference: &Difference) -> String {
    let Difference { what, at, predicted, native } = difference;
    let from = at.map(|at| format!(" from byte {at} on")).unwrap_or_default();
    let (what, predicted, native) = (compared_text(what), predicted_text(predicted), seen_text(native));
    format!("{what}{from}: predicted {predicted}, native {native}")
}

pub fn compared_text(what: &Compared) -> String {
    match what {
        Compared::ExitStatus => "exit status".into(),
        Compared::Output => "standard output".into(),
        Compared::Error => "standard error".into(),
        Compared::File(path) => format!("file {path}"),
    }
}

/// What was predicted where the native run differs.
pub fn predicted_text(predicted: &Seen) -> String {
    match predicted {
        Seen::Permissions(mode) => format!("permissions {mode:o}"),
        other => seen_text(other),
    }
}

/// What there is instead.
pub fn seen_text(seen: &Seen) -> String {
    match seen {
        Seen::Status(status) => status.to_string(),
        Seen::Bytes { first, .. } if first.is_empty() => "nothing more".into(),
        Seen::Bytes { first, is_cut } => format!("\"{}\"{}", first.escape_ascii(), if *is_cut { "..." } else { "" }),
        Seen::More => "more".into(),
        Seen::NoFile => "none".into(),
        Seen::File => "a file".into(),
        Seen::Directory => "a directory".into(),
        Seen::Link => "a symbolic link".into(),
        Seen::OtherFile => "a pipe or device".into(),
        Seen::Permissions(mode) => format!("{mode:o}"),
    }
}

/// What was not compared, and why.
pub fn left_out_text(left_out: &LeftOut) -> String {
    match left_out {
        LeftOut::ExitStatus => "the exit status, which depends on more than the input".into(),
        LeftOut::Rest { what, from, reason } => format!("{} from byte {from} on: {reason}", compared_text(what)),
        LeftOut::UnreadableFiles(why) => format!("files: {why}"),
        LeftOut::SharedDirectory => "files: the run has no directory of its own".into(),
        LeftOut::UnrecordedFiles => "files, which were not recorded".into(),
    }
}

/// Does the native run show the error that was predicted? If that is in doubt, a failure of another
/// kind says nothing of it.
pub fn error_confirmation(judgement: &Judgement, is_in_doubt: bool) -> Confirmation {
    let reason = judgement.reason.as_ref().map(judgement_text).unwrap_or_default();
    match (judgement.verdict, &judgement.outcome) {
        (Verdict::Agrees, Some(outcome)) => Confirmation::Confirmed(match outcome {
            Outcome::Reached => "the native run comes there".into(),
            Outcome::Sanitizer(_) => "a sanitizer reports it".into(),
            Outcome::Signal(signal, _) => format!("the native run ends with signal {signal}"),
            _ => "the native run reports the error".into(),
        }),
        (Verdict::Differs, Some(outcome)) if outcome.is_failure() && !is_in_doubt => {
            Confirmation::Confirmed(format!("it fails in another way there: {}", outcome_text(outcome)))
        }
        (Verdict::Differs, Some(outcome)) => Confirmation::NotConfirmed(format!("{reason}: {}", outcome_text(outcome))),
        // A program that hangs does not show the error.
        (_, Some(Outcome::TimeLimit | Outcome::MemoryLimit)) => Confirmation::NotConfirmed(reason),
        _ => Confirmation::NotTried(reason),
    }
}

/// Does the native run come to the place, within this time?
pub fn place_confirmation(run: Result<Outcome, &BuildError>, limit: Duration) -> Confirmation {
    match run {
        Err(error) => Confirmation::NotTried(error.to_string()),
        Ok(Outcome::Reached) => Confirmation::Confirmed("the native run comes there".into()),
        Ok(Outcome::TimeLimit) => {
            Confirmation::NotConfirmed(format!("the native run did not end within {} s", limit.as_secs()))
        }
        Ok(Outcome::NotStarted(why)) => Confirmation::NotTried(why),
        Ok(Outcome::Stopped) => Confirmation::NotTried("interrupted".into()),
        Ok(_) => Confirmation::NotConfirmed("the native run does not come there".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &[u8]) -> Seen {
        Seen::Bytes { first: text.to_vec(), is_cut: text.len() > 3 }
    }

    #[test]
    fn differences_say_where_and_what() {
        let difference = |what, at, predicted, native| difference_text(&Difference { what, at, predicted, native });
        assert_eq!(
            difference(Compared::Output, Some(5), bytes(b"wo\n"), bytes(b"")),
            "standard output from byte 5 on: predicted \"wo\\n\", native nothing more"
        );
        assert_eq!(
            difference(Compared::Error, Some(0), Seen::More, bytes(b"long")),
            "standard error from byte 0 on: predicted more, native \"long\"..."
        );
        assert_eq!(
            difference(Compared::File("A".into()), None, Seen::Permissions(0o644), Seen::Permissions(0o600)),
            "file A: predicted permissions 644, native 600"
        );
        assert_eq!(
            difference(Compared::File("d".into()), None, Seen::Directory, Seen::NoFile),
            "file d: predicted a directory, native none"
        );
        assert_eq!(
            difference(Compared::ExitStatus, None, Seen::Status(1), Seen::Status(2)),
            "exit status: predicted 1, native 2"
        );
    }

    #[test]
    fn errors_have_their_places() {
        let (message, file) = ("out of bounds".into(), Some("a.c".into()));
        let error = PredictedError { message, file, line: Some(3), ..PredictedError::of_kind("ptr") };
        assert_eq!(predicted_error(&error), "ptr at a.c:3: out of bounds");
        assert_eq!(predicted_error(&PredictedError::of_kind("ptr")), "ptr");
        assert_eq!(outcome_text(&Outcome::Signal(6, None)), "signal 6 (SIGABRT)");
    }

    #[test]
    fn a_difference_on_an_inexact_path_says_both() {
        let differs = Box::new(Reason::Different(vec![Compared::ExitStatus, Compared::Output]));
        let reason = Reason::Inexact { differs, inexact: vec!["a".into(), "b".into()] };
        assert_eq!(
            judgement_text(&reason),
            "the native run has another exit status, another standard output, but the path is inexact: a; b"
        );
    }
}
