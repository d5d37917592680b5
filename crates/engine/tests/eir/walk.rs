//! All ways through a program, depth first, without pruning.

use super::Case;
use espalier_exec::{Executor, State, Step, Stops};
use std::rc::Rc;

/// What happened at the end of a segment of a path.
pub enum Stop<'a> {
    /// A fork: a state that goes on.
    Fork(&'a State),
    /// Paths meet here.
    Join(&'a State),
    Ended(&'a State),
}

/// Segments that are followed at most: the programs are finite.
const MOST: usize = 1000;

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
    mut show: impl FnMut(&mut Executor, &State, Stop<'_>),
) -> Result<(), String> {
    let first = executor.initial_state(case.entry).map_err(|error| error.to_string())?;
    let mut open = vec![first];
    for _ in 0..MOST {
        let Some(mut state) = open.pop() else { return Ok(()) };
        let start = state.clone();
        match executor.run(&mut state, u64::MAX) {
            Step::Budget => return Err("a path without an end".to_owned()),
            Step::Join => {
                show(executor, &start, Stop::Join(&state));
                executor.note_look_up(&mut state);
                open.push(state);
            }
            Step::Fork(children) => {
                let mut going_on = vec![state];
                for child in children {
                    match child.end {
                        Some(_) => show(executor, &start, Stop::Ended(&child.state)),
                        None => going_on.push(*child.state),
                    }
                }
                going_on.iter().for_each(|state| show(executor, &start, Stop::Fork(state)));
                open.extend(going_on.into_iter().rev());
            }
            Step::End(_) => show(executor, &start, Stop::Ended(&state)),
        }
    }
    Err(format!("more than {MOST} segments"))
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
