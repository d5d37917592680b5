//! Why paths stand for more or fewer behaviours than the program has, in plain English.

use espalier_engine::{Approximation, Cause, Direction, Inexactness, LeftOut, Topic, UncheckedOutput};

/// Why, with the option that would make it a stated condition.
pub fn approximation_text(approximation: &Approximation) -> String {
    let why = why(&approximation.cause);
    match (&approximation.cause, approximation.direction) {
        (Cause::Fixed(topic), Direction::Under) => format!("{why} (--{})", topic.option()),
        _ => why,
    }
}

fn why(cause: &Cause) -> String {
    match cause {
        Cause::Fixed(topic) => fixed(*topic).into(),
        Cause::Function(Inexactness::CallerAddress) => "where a function was called from is an unknown address".into(),
        Cause::Function(Inexactness::NotInModel) => "the model lacks it, and the call fails or changes nothing".into(),
        Cause::Output(what) => unchecked_output(*what).into(),
        Cause::Library(what) => what.clone(),
        Cause::NotInTable { function } => format!("nobody answers for how true `{function}` is here"),
        Cause::UnknownValue => "a decision depends on an undefined or uninitialised value".into(),
        Cause::SharedUnknownValue => {
            "decisions depend on an undefined value, which is the same for all of them here".into()
        }
        Cause::FirstGlobals => {
            "global variables have their first values, not those that a caller leaves (--entry)".into()
        }
        Cause::LazyPointers => {
            "pointers from outside are null or lead to objects of their own (--entry, --lazy-elements, --lazy-depth)"
                .into()
        }
        Cause::Diverged => {
            "recorded paths came out otherwise when they were executed again, so what was pruned because of them is in doubt; record the program anew".into()
        }
        Cause::LazyAddress => "of the addresses that a pointer can have after comparisons, one was followed".into(),
        Cause::Sse => {
            "32-bit code computes floats with SSE2 (-msse2 -mfpmath=sse), not with more precision in the x87 \
                       unit"
                .into()
        }
        Cause::SmallPointers => "no caller passes a number near 0, but for null, as a pointer".into(),
        Cause::NoDivisionByZero => "no division is by zero (--check-div-zero=false)".into(),
        Cause::NoOvershift => "no value is shifted by all of its bits or more (--check-overshift=false)".into(),
        Cause::Musl => "the C library is musl".into(),
        Cause::LeftOut(LeftOut::Assembly) => "assembly outside functions is left out".into(),
        Cause::LeftOut(LeftOut::Section(name)) => {
            format!("what is in the section {name} is not run before or after `main`")
        }
        Cause::NarrowArgument { function } => {
            format!("the argument of a call of `{function}` is narrower than the parameter")
        }
        Cause::ReusedAddresses => {
            "the 32-bit address space was used up, so addresses of freed objects were used again".into()
        }
        Cause::Havoc { function } => {
            format!("the undefined function `{function}` may return and write anything (--external-calls=havoc)")
        }
        Cause::UsableSize => "how much more than was asked for an object has is up to the system".into(),
        Cause::ChosenValue => "klee_get_value chose one of several values".into(),
        Cause::NoErrno => "klee_get_errno in a program that does not use errno".into(),
        Cause::OwnErrno => "errno is the program's own, and was not set by a library function".into(),
    }
}

/// What is fixed.
fn fixed(topic: Topic) -> &'static str {
    match topic {
        Topic::Clock => "the clock starts at 0",
        Topic::Process => "the numbers of processes and users are fixed",
        Topic::System => "the names and numbers of the system are fixed",
        Topic::Random => "random bytes are fixed",
        Topic::Environment => "no environment variable is set",
        Topic::Input => "standard input is empty",
        Topic::Files => "there are no files",
        Topic::Status => "files have the times, numbers and order that they have here",
        Topic::Terminal => "nothing is a terminal",
        Topic::Locale => "the locale is always C",
        Topic::Signals => "no signal comes from outside",
        Topic::Addresses => "objects have the addresses that they have here",
    }
}

pub(crate) fn unchecked_output(what: UncheckedOutput) -> &'static str {
    match what {
        UncheckedOutput::String => "a string that depends on the input was printed, and its end not checked",
        UncheckedOutput::TooFewArguments => "printf has fewer arguments than conversions",
    }
}
