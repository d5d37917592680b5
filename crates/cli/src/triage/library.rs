//! Alarms in code without a `main`: where to begin.
//!
//! Functions that nobody calls are what others call: they are run by themselves, with parameters
//! that are inputs and pointers to what is made up (`exec::models::lazy`). What fails there may
//! happen if a caller passes what the path requires, which is said in C. That nothing fails proves
//! nothing: callers may pass more than is made up, and call other functions too.

use crate::triage::plan;
use espalier_alarms::Alarm;
use espalier_analysis::{CallGraph, Graphs, Reachability, targets};
use espalier_engine::{Input, InputError, Loaded};
use espalier_ir::{FuncId, Program};

/// Loads code from a function that it has, whichever, as there is no `main`.
pub(crate) fn load(input: &Input, defined: &[String]) -> Result<Loaded, InputError> {
    let entry = defined.first().cloned().unwrap_or_else(|| input.entry.clone());
    espalier_engine::load(&Input { entry, environment: None, ..input.clone() })
}

/// The functions of the user's that nobody calls, and from which an alarm's place can be reached;
/// all from which one can be reached, if each of them is called.
pub(crate) fn roots(program: &Program, alarms: &[&Alarm]) -> Vec<FuncId> {
    let places = alarms.iter().filter_map(|alarm| alarm.place.as_ref());
    let lines: Vec<_> = places.filter_map(|place| plan::lines_of(program, place).ok()).flatten().collect();
    let is_wanted = |func: FuncId, pc: u32| {
        let loc = targets::loc_of_error(program.function(func), pc);
        lines.contains(&espalier_engine::Line::of(&loc))
    };
    let reachability = Reachability::new(program, &Graphs::of(program), &[], is_wanted);
    let calls = CallGraph::of(program);
    let is_users = |id: &FuncId| {
        let function = program.function(*id);
        !function.is_declaration() && !function.is_runtime
    };
    let leading: Vec<FuncId> = (0..program.functions.len())
        .map(FuncId::new)
        .filter(is_users)
        .filter(|&id| reachability.reaches_by_calling(id))
        .collect();
    let uncalled: Vec<FuncId> = leading.iter().copied().filter(|&id| calls.callers(id).is_empty()).collect();
    if uncalled.is_empty() { leading } else { uncalled }
}
