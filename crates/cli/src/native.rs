//! Native confirmation of what was found. For an error the native run has to fail too; for a place,
//! calls that are inserted there have to be executed.

use espalier_engine::{Confirmation, Input, stop_on_signals};
use espalier_frontend::Mark;
use espalier_native::{Build, BuildError, Limits, PredictedError, Prediction, Replayer, Run};
use espalier_report::native_text::{error_confirmation, place_confirmation};
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
    ErrorBuilds::new(input).confirm(test, kind, is_in_doubt)
}

/// The native builds that errors show in, for any number of tests.
pub(crate) struct ErrorBuilds(Replayer);

impl ErrorBuilds {
    pub(crate) fn new(input: &Input) -> ErrorBuilds {
        let stop = stop_on_signals();
        ErrorBuilds(Replayer::new(input.clone(), limits()).stop_when(move || stop.is_asked()))
    }

    pub(crate) fn confirm(&self, test: &Path, kind: &str, is_in_doubt: bool) -> Confirmation {
        let error = PredictedError::of_kind(kind).in_doubt(is_in_doubt);
        let judgement = self.0.replay(test, &Prediction::Error(error).into());
        error_confirmation(&judgement, is_in_doubt)
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
        let stop = stop_on_signals();
        let run = Run { mark: Some(mark), ..Run::new(test, limits()) };
        place_confirmation(self.build.as_ref().map(|build| build.run(&run, &|| stop.is_asked())), LIMIT)
    }
}
