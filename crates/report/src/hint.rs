//! What to do about an error, in one sentence: where its cause is usually found.

use espalier_engine::{Violation, ViolationKind};

/// The first hint whose words begin the message; the last of a kind stands for the rest.
pub(crate) fn hint(violation: &Violation) -> Option<&'static str> {
    let message = violation.message.as_str();
    match violation.kind {
        ViolationKind::Ptr => Some(pointer(message)),
        ViolationKind::User if message.starts_with("invalid klee_assume") => {
            Some("&& and || branch before klee_assume sees them: use & and |, or --silent-klee-assume")
        }
        ViolationKind::Free => Some("each object from malloc is freed once, by the pointer that malloc gave"),
        ViolationKind::ReadOnly => Some("string literals and const objects cannot be written: copy them first"),
        ViolationKind::DivByZero => Some("test the divisor before the division"),
        ViolationKind::Overflow => {
            Some("compare with the limits before computing, or compute in a wider or unsigned type")
        }
        ViolationKind::Overshift => Some("shift by less than the width of the (promoted) left operand"),
        ViolationKind::Leak => Some("free the object on this way out too"),
        ViolationKind::Uninit => Some("give the variable a value where it is declared"),
        ViolationKind::Assert | ViolationKind::Abort => {
            Some("to run the test natively: `espalier replay TEST.ktest PROGRAM.c`")
        }
        ViolationKind::Unreachable => {
            Some("control reached __builtin_unreachable, or the end of a function that must return a value")
        }
        ViolationKind::User
        | ViolationKind::ReachError
        | ViolationKind::ReportError
        | ViolationKind::Exec
        | ViolationKind::Target(_) => None,
    }
}

fn pointer(message: &str) -> &'static str {
    if message.starts_with("null pointer") {
        "was the result of an allocation or a look-up tested before it was used?"
    } else if message.starts_with("use after free") {
        "the pointer outlived its object: who still holds it when it is freed?"
    } else if message.starts_with("use after scope") {
        "a variable ends with its block: declare it outside, or copy what is needed later"
    } else if message.starts_with("use after return") {
        "a local variable ends with its function: return a copy, or let the caller pass the memory"
    } else if message.contains(" 0 bytes past ") {
        "right behind the end: is it `<=` where `<` is meant, or a string without room for its terminator?"
    } else if message.starts_with("out of bounds") {
        "test the index or length against the object's size before the access"
    } else {
        "the pointer was computed or cast from a number, or never set"
    }
}
