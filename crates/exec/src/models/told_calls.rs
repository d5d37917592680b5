//! Calls that leave the program in KLEE's eyes: of functions that neither the program nor KLEE has,
//! which the machine then executes. Here they are executed like any other; KLEE's users are told of
//! them all the same.

use crate::interpreter::machine::{Interpreter, Machine};
use crate::models::shims::Shim;
use crate::paths::message::Message;
use crate::paths::state::State;
use espalier_base::klee::is_built_in;
use espalier_ir::{Callee, FuncId, Inst, Program};
use serde::{Deserialize, Serialize};

/// How often a function is told of.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub enum TellsCalls {
    #[default]
    None,
    Once,
    All,
}

/// Functions that are still to be told of.
#[derive(Default)]
pub(crate) struct External {
    tells: TellsCalls,
    functions: Vec<bool>,
    left: usize,
}

impl External {
    pub fn of(program: &Program, tells: TellsCalls) -> External {
        if tells == TellsCalls::None {
            return External::default();
        }
        let mut functions = vec![false; program.functions.len()];
        for function in program.functions.iter().filter(|function| !function.is_runtime) {
            for inst in &function.code {
                if let Inst::Call { call } = inst
                    && let Callee::Direct(callee) = function.call(*call).callee
                {
                    functions[callee.index()] = is_external(program, callee);
                }
            }
        }
        External { tells, left: functions.iter().filter(|&&is_left| is_left).count(), functions }
    }

    /// Does every call have to be looked at?
    pub fn sees_all_calls(&self) -> bool {
        self.left > 0
    }

    /// Is a call of this function told of?
    fn takes(&mut self, function: FuncId) -> bool {
        if self.left == 0 || !self.functions[function.index()] {
            return false;
        }
        if self.tells == TellsCalls::Once {
            self.functions[function.index()] = false;
            self.left -= 1;
        }
        true
    }
}

fn is_external(program: &Program, id: FuncId) -> bool {
    let function = program.function(id);
    (function.is_runtime || Shim::for_function(function).is_some()) && !is_built_in(&function.name)
}

impl<M: Machine> Interpreter<'_, M> {
    /// The user's code calls a function.
    pub(crate) fn note_external_call(&mut self, state: &State, callee: FuncId) {
        if M::IS_RUN && self.external.takes(callee) {
            let (function, loc) = (self.program().function(callee).name.clone(), self.user_loc(state));
            self.tell(Message::ExternalCall { function, loc });
        }
    }
}
