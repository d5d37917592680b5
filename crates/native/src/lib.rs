//! Native replay: a program under test is compiled with the replay library (`runtime/replay`) by
//! the machine's own compilers and run on a test. What it does there is compared with what symbolic
//! execution predicted, which is how Espalier's results are confirmed and its own errors found:
//! `check` and `reach` confirm with it what they found, `replay` shows it to the user, and the
//! tests replay everything.
//!
//! A [`Replayer`] makes the builds that a test needs, each when it is first needed, and judges. A
//! [`Build`] can also be used by itself.

mod build;
mod comparison;
mod confinement;
mod outcome;
mod prediction;
mod replayer;
mod sanitizer;
mod surroundings;

pub use build::{Build, BuildError, BuildName, Checks, Observed, Run};
pub use comparison::{Compared, Comparison, Difference, LeftOut, Seen};
pub use espalier_base::process::Limits;
pub use outcome::Outcome;
pub use prediction::{Predicted, PredictedError, Prediction, Predictions};
pub use replayer::{Judgement, Reason, Replayer, Sanitize, Verdict};
pub use sanitizer::{Report, Tool};
