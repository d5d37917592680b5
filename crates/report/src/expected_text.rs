//! What a run on a test is predicted to do, as the file beside the test says it.

use crate::approximation_text::{approximation_text, unchecked_output};
use crate::place::location;
use espalier_base::expected::Expected;
use espalier_engine::{Cause, ExpectedRun, Program, TestCase, Unpredictable};

/// The text of the file, if it is known what a run does.
pub(crate) fn expected_text(program: &Program, test: &TestCase) -> Option<String> {
    let expected: &ExpectedRun = test.expected.as_deref()?;
    // Where the system's library does otherwise than musl is what a replay is to find.
    let inexact = test.approximations.iter().filter(|approximation| approximation.cause != Cause::Musl);
    let inexact = inexact.map(approximation_text).collect();
    let worded = expected.worded(&unpredictable, |&loc| location(program, loc));
    Some(Expected { inexact, ..worded }.to_text())
}

fn unpredictable(reason: &Unpredictable) -> String {
    match reason {
        Unpredictable::TooLong { kept } => format!("what comes after {} KiB is not kept", kept >> 10),
        Unpredictable::NoInput => "it depends on memory or a value that is no input".into(),
        Unpredictable::PastBuffer => "it is written while a stream's buffer is not empty".into(),
        Unpredictable::UnwrittenBuffer => {
            "the program ends without writing a stream's buffer, whose content depends on the C library".into()
        }
        Unpredictable::UnknownStringEnd => "a string is printed whose end is not known".into(),
        Unpredictable::SymbolicFormat => "a format that depends on the input is printed".into(),
        Unpredictable::SymbolicWidth => "a width or precision depends on the input".into(),
        Unpredictable::Address => "an address is printed".into(),
        Unpredictable::Merged => "the path stands for several, which klee_close_merge made one".into(),
        Unpredictable::Unchecked(what) => unchecked_output(*what).into(),
    }
}
