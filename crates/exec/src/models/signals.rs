//! Handlers of the signals that a program raises by what it does wrong: `abort`, a trap, an access
//! that no machine allows, a division by zero.
//!
//! The error is reported as it is without handlers. Besides, the program goes on in the handler, as
//! it does natively: it may jump away or exit in peace, or do what is looked for. If it returns,
//! the program is over.

use crate::interpreter::frames::Purpose;
use crate::interpreter::machine::{Interpreter, Machine};
use crate::interpreter::value::Value;
use crate::paths::choice::Choice;
use crate::paths::end::End;
use crate::paths::fault::{Abort, AccessProblem, Fault};
use crate::paths::state::State;
use crate::{Child, Executor};

/// Set by the C library when a handler is installed, and the function that runs it.
const HANDLES: &str = "__espalier_handles";
pub(crate) const FAULT: &str = "__espalier_run_handler";

const SIGILL: u64 = 4;
const SIGABRT: u64 = 6;
const SIGFPE: u64 = 8;
const SIGSEGV: u64 = 11;

impl<M: Machine> Interpreter<'_, M> {
    /// A path that ended, and, if the program handles that, the one on which it goes on.
    pub(crate) fn with_handler(&mut self, ended: Child, children: &mut Vec<Child>) {
        if let Some(state) = ended.end.as_ref().and_then(|end| self.in_handler(&ended.state, end)) {
            self.stats.forks += 1;
            children.push(Child { state, end: None });
        }
        children.push(ended);
    }

    /// The state in which the program's handler deals with this end, if it has one.
    pub(crate) fn in_handler(&mut self, state: &State, end: &End) -> Option<Box<State>> {
        let End::Violation(violation) = end else { return None };
        let signal = signal_of(&violation.fault)?;
        if !M::FORKS || !self.has_handlers(state) {
            return None;
        }
        let function = self.program().function_named(FAULT)?;
        let mut handled = self.split(state);
        handled.depth += 1;
        handled.choices.push(Choice::Handler);
        self.push_call(&mut handled, function, &[Value::concrete(signal)], Purpose::Handler);
        Some(handled)
    }
}

impl Executor {
    fn has_handlers(&self, state: &State) -> bool {
        let Some(&global) = self.program().global_names.get(HANDLES) else { return false };
        let object = state.memory.object(self.image.global_address(global));
        object.is_some_and(|object| object.contents.read_number(0, 4) != Some(0))
    }
}

/// The signal that a machine raises for an error.
fn signal_of(fault: &Fault) -> Option<u64> {
    match fault {
        Fault::Abort(Abort::Trap) => Some(SIGILL),
        Fault::Abort(Abort::Call | Abort::KleeCall) | Fault::Assertion { .. } => Some(SIGABRT),
        Fault::DivisionByZero | Fault::DivisionOverflow => Some(SIGFPE),
        Fault::ReadOnly { .. } => Some(SIGSEGV),
        Fault::Access { problem: AccessProblem::Null { .. } | AccessProblem::Nowhere { .. }, .. } => Some(SIGSEGV),
        _ => None,
    }
}
