//! All ways through a program, depth first, without pruning.

use espalier_exec::{Executor, State, Step};

/// What happened at the end of a segment of a path.
pub enum Stop<'a> {
    /// A fork: a state that goes on.
    Fork(&'a State),
    /// Paths meet here.
    Join(&'a State),
    Ended(&'a State),
}

impl<'a> Stop<'a> {
    /// The state in which it stopped.
    pub fn state(&self) -> &'a State {
        let (Stop::Fork(state) | Stop::Join(state) | Stop::Ended(state)) = *self;
        state
    }

    /// The same, if the path goes on.
    pub fn going_on(&self) -> Option<&'a State> {
        match *self {
            Stop::Fork(state) | Stop::Join(state) => Some(state),
            Stop::Ended(_) => None,
        }
    }
}

/// How far to go: segments in all, and instructions in each.
pub struct Limits {
    pub segments: usize,
    pub instructions: u64,
}

/// Follows every path from `first` on, and shows each segment, with the state that it began with.
pub fn walk(
    executor: &mut Executor,
    first: State,
    limits: Limits,
    mut show: impl FnMut(&mut Executor, &State, Stop<'_>),
) -> Result<(), String> {
    let mut open = vec![first];
    for _ in 0..limits.segments {
        let Some(mut state) = open.pop() else { return Ok(()) };
        let start = state.clone();
        match executor.run(&mut state, limits.instructions) {
            Step::Budget | Step::Entered => return Err("a path without an end".to_owned()),
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
    Err(format!("more than {} segments", limits.segments))
}
