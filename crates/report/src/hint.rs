//! What to do about an error, in one sentence: where its cause is usually found.

use espalier_engine::{AccessProblem, Fault, Misuse, Outside};

pub(crate) fn hint(fault: &Fault) -> Option<&'static str> {
    match fault {
        Fault::Access { problem, .. } => Some(access(problem)),
        Fault::FunctionPointer { .. } => Some(NO_POINTER),
        Fault::Misuse(Misuse::Assumption) => {
            Some("&& and || branch before klee_assume sees them: use & and |, or --silent-klee-assume")
        }
        Fault::Free { .. } => Some("each object from malloc is freed once, by the pointer that malloc gave"),
        Fault::ReadOnly { .. } => Some("string literals and const objects cannot be written: copy them first"),
        Fault::DivisionByZero => Some("test the divisor before the division"),
        Fault::DivisionOverflow | Fault::SignedOverflow { .. } => {
            Some("compare with the limits before computing, or compute in a wider or unsigned type")
        }
        Fault::Overshift { .. } => Some("shift by less than the width of the (promoted) left operand"),
        Fault::Leak { .. } => Some("free the object on this way out too"),
        Fault::Uninitialised(_) => Some("give the variable a value where it is declared"),
        Fault::Assertion { .. } | Fault::Abort(_) => {
            Some("to run the test natively: `espalier replay TEST.ktest PROGRAM.c`")
        }
        Fault::UnreachableCode | Fault::FalseAssumption => {
            Some("control reached __builtin_unreachable, or the end of a function that must return a value")
        }
        Fault::Undefined(_)
        | Fault::Misuse(_)
        | Fault::ErrorFunction { .. }
        | Fault::Reported { .. }
        | Fault::JumpBuffer
        | Fault::JumpToReturned
        | Fault::NoVariadicArguments
        | Fault::NoLabel { .. }
        | Fault::Target(_) => None,
    }
}

const NO_POINTER: &str = "the pointer was computed or cast from a number, or never set";

fn access(problem: &AccessProblem) -> &'static str {
    match problem {
        AccessProblem::Null { .. } => "was the result of an allocation or a look-up tested before it was used?",
        AccessProblem::AfterFree { .. } | AccessProblem::Forgotten => {
            "the pointer outlived its object: who still holds it when it is freed?"
        }
        AccessProblem::AfterScope { .. } => {
            "a variable ends with its block: declare it outside, or copy what is needed later"
        }
        AccessProblem::AfterReturn { .. } => {
            "a local variable ends with its function: return a copy, or let the caller pass the memory"
        }
        AccessProblem::OutOfBounds { place: Outside::Past(0), .. } => {
            "right behind the end: is it `<=` where `<` is meant, or a string without room for its terminator?"
        }
        AccessProblem::OutOfBounds { .. } => "test the index or length against the object's size before the access",
        AccessProblem::Nowhere { .. } => NO_POINTER,
    }
}
