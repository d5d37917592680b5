//! What it says of an alarm that its fault was not met, though every path was explored.
//!
//! Tools and Espalier do not always mean the same by the same name. That a null pointer is passed to
//! a function which may not get one is an alarm of its own, whether or not the function looks where
//! it points; that the address of a local escapes is told where it escapes, not where it is used. In
//! such cases a fault that does not happen at the place refutes nothing: only a place that no path
//! comes to does.

use espalier_alarms::Alarm;
use espalier_analysis::targets;
use espalier_base::provided::is_overflow_report;
use espalier_engine::{FaultKind, FaultSet, Line, Loc, Program};
use espalier_ir::{BinOp, Callee, Function, Inst};

/// Library functions that access what their pointers lead to, whatever else they get.
const ALWAYS_ACCESS: [&str; 16] = [
    "atof", "atoi", "atol", "atoll", "fputs", "puts", "strcat", "strchr", "strcmp", "strcpy", "strcspn", "strdup",
    "strlen", "strrchr", "strspn", "strstr",
];

/// Functions that give memory which is lost if nobody frees it.
const ALLOCATORS: [&str; 10] = [
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "strdup",
    "strndup",
    "aligned_alloc",
    "posix_memalign",
    "memalign",
    "valloc",
];

/// Is there code at these places that can fail in one of these ways?
pub(crate) fn has_code_for(program: &Program, faults: FaultSet, is_there: impl Fn(&Loc) -> bool) -> bool {
    let code = targets::code_at(program, is_there);
    faults.iter().any(|kind| code.iter().any(|(function, inst, _)| can_fail(program, function, inst, kind)))
}

fn can_fail(program: &Program, function: &Function, inst: &Inst, kind: FaultKind) -> bool {
    let accesses = matches!(
        inst,
        Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::MemCpy { .. }
            | Inst::MemMove { .. }
            | Inst::MemSet { .. }
            | Inst::VaStart { .. }
            | Inst::VaCopy { .. }
    );
    let callee = callee(program, function, inst);
    // An error in a function of the user's is where it is in that.
    let calls_library = callee.as_ref().is_some_and(|callee| callee.is_none_or(is_library));
    let calls_one_of = |names: &[&str]| {
        callee.flatten().is_some_and(|callee| is_library(callee) && names.contains(&source_name(callee)))
    };
    let op = if let Inst::Bin { op, .. } = inst { Some(op) } else { None };
    match kind {
        FaultKind::Null
        | FaultKind::OutOfBounds
        | FaultKind::UseAfterFree
        | FaultKind::UseAfterReturn
        | FaultKind::ReadOnly => accesses || calls_library,
        FaultKind::Assertion => calls_library,
        FaultKind::DoubleFree | FaultKind::InvalidFree => calls_one_of(&["free", "realloc", "reallocarray"]),
        FaultKind::Leak => calls_one_of(&ALLOCATORS),
        FaultKind::DivByZero => matches!(op, Some(BinOp::SDiv | BinOp::UDiv | BinOp::SRem | BinOp::URem)),
        FaultKind::Overshift => matches!(op, Some(BinOp::Shl | BinOp::LShr | BinOp::AShr)),
        FaultKind::Overflow => {
            callee.flatten().is_some_and(|callee| is_overflow_report(&callee.name))
                || matches!(op, Some(BinOp::SDiv | BinOp::SRem))
        }
        FaultKind::Uninit => accesses || matches!(inst, Inst::Branch { .. } | Inst::Switch { .. }),
    }
}

/// Of a call: the function, if it is known which.
fn callee<'p>(program: &'p Program, function: &Function, inst: &Inst) -> Option<Option<&'p Function>> {
    let Inst::Call { call } = inst else { return None };
    Some(match function.call(*call).callee {
        Callee::Direct(callee) => Some(program.function(callee)),
        Callee::Indirect(_) => None,
    })
}

/// The name by which the source calls it.
fn source_name(function: &Function) -> &str {
    espalier_frontend::allocation_that_may_fail(&function.name).unwrap_or(&function.name)
}

fn is_library(function: &Function) -> bool {
    function.is_declaration() || function.is_runtime
}

/// Why it is no refutation that no path fails in one of these ways on these lines, if so.
pub(crate) fn why_inconclusive(program: &Program, alarm: &Alarm, faults: FaultSet, lines: &[Line]) -> Option<String> {
    let rule = alarm.rule.as_deref().unwrap_or_default();
    let is_there = |loc: &Loc| lines.contains(&Line::of(loc));
    if let Some(kind) = faults.iter().find(|&kind| !has_code_for(program, kind.into(), is_there)) {
        return Some(format!("the line is reached, but no instruction on it can fail so ({})", name(kind)));
    }
    let may_be_argument = !matches!(
        rule,
        "core.NullDereference"
            | "-Wanalyzer-null-dereference"
            | "-Wanalyzer-possible-null-dereference"
            | "-Wnull-dereference"
    );
    let takes_pointers =
        faults.contains(FaultKind::Null) && may_be_argument || faults.contains(FaultKind::UseAfterFree);
    if takes_pointers && let Some(callee) = unclear_call(program, &is_there) {
        return Some(format!(
            "nothing there fails on any path, but the alarm may be about what {callee} gets, whether or not it looks there"
        ));
    }
    if faults.contains(FaultKind::UseAfterReturn)
        && !matches!(rule, "-Wanalyzer-use-of-pointer-in-stale-stack-frame" | "invalidLifetime" | "use-after-return")
    {
        return Some(
            "nothing there fails on any path, but the alarm may be about an address that is used elsewhere".into(),
        );
    }
    if faults.contains(FaultKind::Uninit) && rule != "core.uninitialized.Branch" {
        return Some(
            "no decision and no address there depends on an uninitialised value; whether one is copied is not seen"
                .into(),
        );
    }
    let message = alarm.message.to_lowercase();
    if faults.contains(FaultKind::Overshift)
        && (message.contains("left operand") || message.contains("negative value") || rule.contains("negative"))
    {
        return Some("no shift there is by too much, but shifts of negative values are not looked for".into());
    }
    if faults.contains(FaultKind::Overflow) && !matches!(rule, "integerOverflow" | "-Woverflow" | "overflow") {
        return Some("no signed operation there overflows, but the alarm may be about one that wraps around".into());
    }
    None
}

/// A call on the line of a function that need not look where its pointers lead.
fn unclear_call(program: &Program, is_there: &impl Fn(&Loc) -> bool) -> Option<String> {
    targets::code_at(program, is_there).into_iter().find_map(|(function, inst, _)| {
        let callee = callee(program, function, &inst)?;
        match callee {
            Some(callee) if ALWAYS_ACCESS.contains(&source_name(callee)) => None,
            Some(callee) => Some(format!("{}()", source_name(callee))),
            None => Some("the function that is called".to_owned()),
        }
    })
}

fn name(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Null => "null pointer",
        FaultKind::DivByZero => "division by zero",
        FaultKind::Overshift => "shift by too much",
        FaultKind::OutOfBounds => "access out of bounds",
        FaultKind::UseAfterFree => "use after free",
        FaultKind::UseAfterReturn => "use of a dead local",
        FaultKind::DoubleFree => "double free",
        FaultKind::InvalidFree => "free of what was not allocated",
        FaultKind::ReadOnly => "write to read-only memory",
        FaultKind::Uninit => "uninitialised value",
        FaultKind::Leak => "leak",
        FaultKind::Overflow => "overflow",
        FaultKind::Assertion => "assertion",
    }
}

/// Does code of the user's allocate? Allocations never fail here unless that is asked for, so code
/// that deals with it is not reached.
pub(crate) fn allocates(program: &Program) -> bool {
    let users = program.functions.iter().filter(|function| !is_library(function));
    users.flat_map(|function| function.code.iter().map(move |inst| (function, inst))).any(|(function, inst)| {
        callee(program, function, inst).flatten().is_some_and(|callee| ALLOCATORS.contains(&source_name(callee)))
    })
}
