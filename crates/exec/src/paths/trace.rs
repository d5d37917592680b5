//! Where a state is: source locations and call stacks.

use crate::Executor;
use crate::interpreter::frames::Frame;
use crate::interpreter::value::{Value, signed};
use crate::paths::end::{End, StackEntry, Violation};
use crate::paths::fault::Fault;
use crate::paths::state::State;
use espalier_expr::Model;
use espalier_ir::Loc;

/// How many frames a report shows.
const SHOWN_FRAMES: usize = 64;

/// Arguments from here on are hexadecimal: addresses begin here (`memory::slots`).
const SHOWN_IN_HEX: u64 = 1 << 24;

impl Executor {
    /// The location of the instruction that a frame is at: the one before its `pc`.
    fn frame_loc(&self, frame: &Frame) -> Loc {
        self.location(frame.func.0, frame.pc).unwrap_or(Loc::UNKNOWN)
    }

    /// Where the state is, in the innermost frame that is not Espalier's runtime.
    pub(crate) fn user_loc(&self, state: &State) -> Loc {
        let in_user_code = state.frames().find(|frame| !self.program().function(frame.func).is_runtime);
        self.frame_loc(in_user_code.unwrap_or(&state.top))
    }

    /// Where the instruction before this one of a function is, if there is such a function.
    pub fn location(&self, function: u32, instruction: u32) -> Option<Loc> {
        let function = self.program().functions.get(function as usize)?;
        let at = (instruction as usize).saturating_sub(1);
        Some(function.locs.get(at).copied().filter(Loc::is_known).unwrap_or(function.loc))
    }

    pub fn state_location(&self, state: &State) -> Loc {
        self.user_loc(state)
    }

    /// The call stack, innermost frame first.
    pub fn stack_trace(&self, state: &State) -> Vec<StackEntry> {
        self.stack_with(state, Value::as_concrete)
    }

    /// The call stack with the arguments that the inputs of a model lead to.
    pub(crate) fn stack_under(&self, state: &State, model: &Model) -> Vec<StackEntry> {
        self.stack_with(state, |value| match value.as_term() {
            Some(term) if self.terms.width(term) <= 64 => self.terms.eval(term, model).to_u64(),
            Some(_) => None,
            None => value.as_concrete(),
        })
    }

    fn stack_with(&self, state: &State, number_of: impl Fn(Value) -> Option<u64>) -> Vec<StackEntry> {
        let entry = |frame: &Frame| {
            let function = self.program().function(frame.func);
            let args = function.params.iter().zip(&frame.regs).map(|(param, value)| {
                let text = match number_of(*value) {
                    Some(bits) if param.width <= 64 => {
                        let number = signed(bits, param.width);
                        if number.unsigned_abs() >= SHOWN_IN_HEX { format!("{bits:#x}") } else { number.to_string() }
                    }
                    _ => "symbolic".to_string(),
                };
                (param.name.clone(), text)
            });
            StackEntry {
                function: function.name.clone(),
                loc: self.frame_loc(frame),
                args: args.collect(),
                is_runtime: function.is_runtime,
            }
        };
        state.frames().take(SHOWN_FRAMES).map(entry).collect()
    }

    pub(crate) fn violation(&self, state: &State, fault: Fault) -> End {
        let (loc, stack) = (self.user_loc(state), self.stack_trace(state));
        End::Violation(Box::new(Violation { fault, loc, stack }))
    }
}
