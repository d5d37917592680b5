//! Native confirmation of what was found. For an error the native run has to fail too; for a place, calls that are inserted
//! there have to be executed.

use espalier_engine::{Confirmation, Input, stop_on_signals};
use espalier_frontend::Mark;
use espalier_native::{Build, BuildError, Limits, Outcome, PredictedError, Prediction, Replayer, Run, Verdict};
use std::path::Path;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(10);
/// A native run of a test needs little; one that does not must not take the machine down.
const MEMORY: u64 = 4 << 30;

fn limits() -> Limits {
    Limits { resident: Some(MEMORY), ..Limits::time(LIMIT) }
}

/// Runs the program natively on a test that is said to lead to an error of this kind. If that is in
/// doubt, a failure of another kind says nothing of it.
pub(crate) fn confirm(input: &Input, test: &Path, kind: &str, is_in_doubt: bool) -> Confirmation {
    let stop = stop_on_signals();
    let replayer = Replayer::new(input.clone(), limits()).stop_when(move || stop.is_asked());
    let error = PredictedError::of_kind(kind).in_doubt(is_in_doubt);
    let judgement = replayer.replay(test, &Prediction::Error(error).into());
    let reason = judgement.reason.unwrap_or_default();
    match (judgement.verdict, judgement.outcome) {
        (Verdict::Agrees, Some(outcome)) => Confirmation::Confirmed(in_words(&outcome)),
        (Verdict::Differs, Some(outcome)) if outcome.is_failure() && !is_in_doubt => {
            Confirmation::Confirmed(format!("it fails in another way there: {outcome}"))
        }
        (Verdict::Differs, Some(outcome)) => Confirmation::NotConfirmed(format!("{reason}: {outcome}")),
        // A program that hangs does not show the error.
        (_, Some(Outcome::TimeLimit | Outcome::MemoryLimit)) => Confirmation::NotConfirmed(reason),
        _ => Confirmation::NotTried(reason),
    }
}

fn in_words(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Reached => "the native run comes there".into(),
        Outcome::Sanitizer(_) => "a sanitizer reports it".into(),
        Outcome::Signal(signal, _) => format!("the native run ends with signal {signal}"),
        _ => "the native run reports the error".into(),
    }
}

/// A native build that tells when it comes to certain places, for any number of tests.
pub(crate) struct MarkedBuild {
    build: Result<Build, BuildError>,
}

impl MarkedBuild {
    pub(crate) fn new(input: &Input, marks: &[Mark]) -> MarkedBuild {
        let modules = espalier_frontend::with_marks(input, marks).map_err(|error| BuildError::Marks(error.to_string()));
        MarkedBuild { build: modules.and_then(|modules| Build::of_bitcode(&modules, input)) }
    }

    /// Does the test lead to the place with this mark?
    pub(crate) fn confirm(&self, test: &Path, mark: usize) -> Confirmation {
        let build = match &self.build {
            Ok(build) => build,
            Err(error) => return Confirmation::NotTried(error.to_string()),
        };
        let stop = stop_on_signals();
        match build.run(&Run { mark: Some(mark), ..Run::new(test, limits()) }, &|| stop.is_asked()) {
            Outcome::Reached => Confirmation::Confirmed("the native run comes there".into()),
            Outcome::TimeLimit => {
                Confirmation::NotConfirmed(format!("the native run did not end within {} s", LIMIT.as_secs()))
            }
            Outcome::NotStarted(why) => Confirmation::NotTried(why),
            Outcome::Stopped => Confirmation::NotTried("interrupted".into()),
            _ => Confirmation::NotConfirmed("the native run does not come there".into()),
        }
    }
}
