//! What may be behind the errors that are found on the way to an alarm's place.
//!
//! For Espalier a path ends at its first error. Natively some errors are the end too; after others
//! the program goes on, with memory or numbers that no exploration looked at. So a refutation rests
//! on errors from which the alarm's place can still be reached being repaired first.

use espalier_analysis::{Graphs, Reachability, targets};
use espalier_engine::{AccessProblem, Fault, Line, Program};
use espalier_ir::FuncId;
use espalier_report::FoundError;

/// What may run without being called.
const UNCALLED: [&str; 2] = ["__espalier_run_atexit", "__espalier_run_handler"];

/// The errors after which a program may go on, to one of these lines if any are given.
pub(crate) fn that_lead_on<'e>(
    program: &Program,
    errors: &'e [FoundError],
    lines: Option<&[Line]>,
) -> Vec<&'e FoundError> {
    let mut passed: Vec<&FoundError> = errors.iter().filter(|error| may_go_on(&error.violation.fault)).collect();
    let Some(lines) = lines.filter(|_| !passed.is_empty()) else { return passed };
    let named = UNCALLED.iter().filter_map(|name| program.function_named(name));
    let uncalled: Vec<FuncId> = program.destructors.iter().copied().chain(named).collect();
    let is_wanted = |func: FuncId, pc: u32| {
        let loc = targets::loc_of_error(program.function(func), pc);
        lines.contains(&Line::of(&loc))
    };
    let reachability = Reachability::new(program, &Graphs::of(program), &uncalled, is_wanted);
    passed.retain(|error| leads_on(program, &reachability, error));
    passed
}

fn leads_on(program: &Program, reachability: &Reachability, error: &FoundError) -> bool {
    let violation = &error.violation;
    let frame = violation.stack.iter().find(|frame| !frame.is_runtime);
    let Some(func) = frame.and_then(|frame| program.function_named(&frame.function)) else { return true };
    let function = program.function(func);
    let mut there = (0..function.code.len() as u32)
        .filter(|&pc| Line::of(&targets::loc_of_error(function, pc)) == Line::of(&violation.loc))
        .peekable();
    there.peek().is_none() || there.any(|pc| reachability.reaches_from(func, pc))
}

/// Does a native run that makes this error perhaps go on? Not if it gets a signal for it.
fn may_go_on(fault: &Fault) -> bool {
    let is_the_end = match fault {
        Fault::Access { problem, .. } => matches!(problem, AccessProblem::Null { .. }),
        Fault::FunctionPointer { .. } | Fault::DivisionByZero | Fault::DivisionOverflow => true,
        Fault::Abort(_) | Fault::Assertion { .. } | Fault::ReadOnly { .. } => true,
        // The program has ended.
        Fault::Leak { .. } => true,
        _ => false,
    };
    !is_the_end
}
