//! All ways through the program of a case.

#[path = "../support/walk.rs"]
mod paths;

use super::Case;
use espalier_exec::{Executor, State, Stops};
pub use paths::Stop;
use std::rc::Rc;

/// The programs are finite.
const LIMITS: paths::Limits = paths::Limits { segments: 1000, instructions: u64::MAX };

pub fn executor(case: &Case) -> Result<Executor, String> {
    let options = espalier_exec::Options::default();
    let program = Rc::new(case.program.clone());
    let mut executor =
        Executor::new(program, espalier_solver::Config::default(), options).map_err(|error| error.to_string())?;
    if case.looks_for_reach() {
        executor.look_for(|name| name == "reach_error");
    }
    executor.stop_at(if case.has("--every-loop-head") { Stops::EveryLoopHead } else { Stops::Joins });
    Ok(executor)
}

/// Follows every path from the entry on, and shows each segment, with the state that it began with.
pub fn walk(
    case: &Case,
    executor: &mut Executor,
    show: impl FnMut(&mut Executor, &State, Stop<'_>),
) -> Result<(), String> {
    let first = executor.initial_state(case.entry).map_err(|error| error.to_string())?;
    paths::walk(executor, first, LIMITS, show)
}

/// Where a state is: `@f/bb2`, with how many instructions of the block were executed.
pub fn place(executor: &Executor, state: &State) -> String {
    let function = executor.program().function(state.running().func);
    let pc = state.running().pc;
    let block = function.blocks.iter().position(|block| (block.start..block.end).contains(&pc));
    let Some(block) = block else { return format!("@{}", function.name) };
    match pc - function.blocks[block].start {
        0 => format!("@{}/bb{block}", function.name),
        more => format!("@{}/bb{block}+{more}", function.name),
    }
}
