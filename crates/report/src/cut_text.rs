//! Why paths were cut short, in plain English, and what to do about it.

use crate::solver_text::solver_text;
use espalier_engine::{BlockOperation, CutReason, ExternalProblem, Misfit, Needed, Unsupported, UnsupportedFloat};

/// The option that the cut is due to, without its dashes.
pub(crate) fn option(reason: &CutReason) -> Option<&'static str> {
    Some(match reason {
        CutReason::MaxDepth(_) => "max-depth",
        CutReason::MaxForks(_) => "max-forks",
        CutReason::Unwind { is_for_one: false, .. } => "unwind",
        CutReason::Unwind { is_for_one: true, .. } => "unwind-loop",
        CutReason::StackDepth(_) => "max-stack-depth",
        CutReason::Resolutions(_) | CutReason::Values { .. } => "max-resolutions",
        CutReason::SymbolicReach(_) => "max-symbolic-reach",
        CutReason::SymbolicAllocation { .. } => "max-symbolic-alloc",
        CutReason::LazyDepth { .. } => "lazy-depth",
        _ => return None,
    })
}

/// The reason, with the option that it is due to.
pub fn text(reason: &CutReason) -> String {
    let why = why(reason);
    match option(reason) {
        Some(option) => format!("{why} (--{option})"),
        None => why,
    }
}

fn why(reason: &CutReason) -> String {
    match reason {
        CutReason::MaxDepth(limit) => format!("the path forks more than {limit} times"),
        CutReason::MaxForks(limit) => format!("the run forked {limit} times"),
        CutReason::Halted => "the run was halted here".into(),
        CutReason::ForkingOff => "forking was switched off by klee_set_forking".into(),
        CutReason::Unwind { limit, .. } => format!("a loop is gone round more than {limit} times"),
        CutReason::StackDepth(limit) => format!("calls nest deeper than {limit}"),
        CutReason::Resolutions(limit) => format!("the pointer may point to more than {limit} objects"),
        CutReason::Values { what, limit } => format!("{} has more than {limit} values", needed(what)),
        CutReason::SymbolicReach(limit) => format!("an access at a symbolic offset reaches more than {limit} bytes"),
        CutReason::SymbolicAllocation { function, limit } => {
            format!("`{function}` of more than {limit} bytes of symbolic size")
        }
        CutReason::Block { operation, bytes, limit } => {
            let what = match operation {
                BlockOperation::Copy => "a copy",
                BlockOperation::Fill => "a fill",
            };
            format!("{what} of {bytes} bytes that are not in known places (at most {limit} are)")
        }
        CutReason::InputSize { name, bytes } => format!("input `{name}` of {bytes} bytes"),
        CutReason::LazyDepth { pointer, limit } => format!("`{pointer}` is behind more than {limit} pointers"),
        CutReason::LazySize { pointer, bytes } => format!("an object of {bytes} bytes for `{pointer}`"),
        CutReason::LazyCompared => "a pointer from outside that was compared with addresses".into(),
        CutReason::Crash => "every worker that explored it died".into(),
        CutReason::AddressSpace => "the program's address space is used up".into(),
        CutReason::Unsupported(what) => unsupported(what),
        CutReason::Solver(reason) => solver_text(reason),
    }
}

fn unsupported(what: &Unsupported) -> String {
    match what {
        Unsupported::Construct(what) => what.clone(),
        Unsupported::Instruction => "an instruction".into(),
        Unsupported::UndefinedFunction { name, problem } => {
            let call = format!("call of the undefined function `{name}`");
            match problem {
                ExternalProblem::NotAllowed => {
                    format!("{call}: give the file that defines it too, or see --external-calls")
                }
                ExternalProblem::NotOnHost => {
                    format!("{call}, which is not among those that --external-calls=host calls")
                }
                ExternalProblem::DependsOnInput => format!("{call} with an argument that depends on the input"),
            }
        }
        Unsupported::Misfit { function, problem } => match problem {
            Misfit::FloatForInteger => {
                format!("a call of `{function}` with a floating-point number for an integer, or the other way round")
            }
            Misfit::OtherResult => {
                format!("a call of `{function}` that takes its result for another kind of number")
            }
            Misfit::Variadic => {
                format!("a call of `{function}`, which has variadic arguments, through a pointer that does not say so")
            }
            Misfit::OtherSize => format!("a call of `{function}` with an argument of another size"),
        },
        Unsupported::TooFewArguments { function } => format!("call of `{function}` with too few arguments"),
        Unsupported::ArgumentTypes { function } => {
            format!("call of `{function}` with arguments of other types than the library's")
        }
        Unsupported::NotOneNumber { function } => format!("`{function}` with a result that is not one number"),
        Unsupported::Float { function: Some(function), what } => format!("`{function}`: {}", unsupported_float(*what)),
        Unsupported::Float { function: None, what } => unsupported_float(*what).into(),
        Unsupported::SymbolicLongDouble => "a symbolic long double".into(),
        Unsupported::WideValue { what, bits } => format!("{} of {bits} bits that depends on the input", needed(what)),
        Unsupported::UndefinedValue { what } => format!("{} is an undefined value", needed(what)),
        Unsupported::AggregateThroughSymbolicPointer => {
            "an aggregate passed by value through a symbolic pointer".into()
        }
        Unsupported::LifeOfUnknown { begins: true } => "a variable whose place is not known begins to live".into(),
        Unsupported::LifeOfUnknown { begins: false } => "a variable whose place is not known ends to live".into(),
        Unsupported::SymbolicStackRestore => "stackrestore with a value that depends on the input".into(),
        Unsupported::ReturnToNoCall => "return to something that is not a call".into(),
    }
}

fn unsupported_float(what: UnsupportedFloat) -> &'static str {
    match what {
        UnsupportedFloat::SymbolicKind => "symbolic arithmetic on this floating-point type (only float and double)",
        UnsupportedFloat::SymbolicFunction => "mathematical function of a symbolic value",
        UnsupportedFloat::LibraryFunction => "a mathematical function of a symbolic or long double value",
        UnsupportedFloat::NotOnHost => "a function that this machine's library does not have",
        UnsupportedFloat::ClassifiedLongDouble => "classification of a long double",
    }
}

fn needed(what: &Needed) -> String {
    match what {
        Needed::FunctionPointer => "a function pointer".into(),
        Needed::GotoTarget => "the target of a computed goto".into(),
        Needed::JumpBuffer => "the buffer of a longjmp".into(),
        Needed::ArraySize => "the size of a stack array".into(),
        Needed::Length(BlockOperation::Copy) => "the length of a copy".into(),
        Needed::Length(BlockOperation::Fill) => "the length of a fill".into(),
        Needed::Argument { number, function } => format!("argument {number} of `{function}`"),
    }
}
