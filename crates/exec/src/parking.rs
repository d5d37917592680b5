//! States that there is no room for: kept as inputs that follow their path, and run again from the start when there is room.
//!
//! An input follows one path, and the open states split the inputs among them. So an input of a state and the number of forks behind it say which state it was. Taking it up again costs
//! the instructions of its path, and no questions to the solver beyond those that the forks ask anyway.

use crate::state::State;
use crate::{Executor, LoadError, Step};
use espalier_expr::Model;
use espalier_ir::{FuncId, Loc};
use espalier_solver::Reason;
use std::rc::Rc;

/// How often whoever takes a state up again is asked whether to go on.
const BUDGET: u64 = 1 << 20;

/// What is left of a state.
#[derive(Clone, Debug)]
pub struct Ticket {
    model: Rc<Model>,
    depth: u32,
    /// Where the state was.
    pub loc: Loc,
}

impl Executor {
    /// What stands for a state, so that it can be dropped.
    pub fn ticket(&mut self, state: &State) -> Result<Ticket, Reason> {
        Ok(Ticket { model: self.model_of(state)?, depth: state.depth(), loc: self.state_location(state) })
    }

    /// The state that a ticket stands for, or one before it on the same path, from which it is the only way on. `None` if it is not found again, because the solver gave up
    /// where it had not before, or if `stop` says so. What the program prints on the way was printed before.
    pub fn take_up(
        &mut self,
        entry: FuncId,
        ticket: &Ticket,
        stop: impl Fn() -> bool,
    ) -> Result<Option<State>, LoadError> {
        let mut state = self.initial_state(entry)?;
        while state.depth() < ticket.depth {
            if stop() {
                return Ok(None);
            }
            match self.run(&mut state, BUDGET) {
                Step::Budget | Step::Join => {}
                Step::End(_) => return Ok(None),
                Step::Fork(children) => {
                    if !self.is_followed(&state, &ticket.model) {
                        let open = children.into_iter().filter(|child| child.end.is_none()).map(|child| child.state);
                        let Some(followed) = open.into_iter().find(|state| self.is_followed(state, &ticket.model))
                        else {
                            return Ok(None);
                        };
                        state = followed;
                    }
                }
            }
        }
        self.take_output();
        Ok(Some(state))
    }

    /// Does the model satisfy the path condition?
    fn is_followed(&self, state: &State, model: &Model) -> bool {
        state.path.iter().all(|&condition| self.terms.eval(condition, model).to_u64() == Some(1))
    }
}
