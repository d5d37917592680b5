//! `errno`, as functions that the engine provides set it. It is a variable of the C library in use,
//! and is only there if something of the program looks at it.

use crate::interpreter::access::Mode;
use crate::interpreter::fork::Flow;
use crate::interpreter::machine::{Interpreter, Machine};
use crate::interpreter::value::Value;
use crate::paths::approximation::{Cause, Direction};
use crate::paths::state::State;
use espalier_expr::Term;

/// The variable of our own library and of musl (`runtime/libc/errno.c`, `runtime/musl/errno.c`).
const VARIABLE: &str = "__espalier_errno";
/// What `errno` stands for in a program.
const LOCATION: &str = "__errno_location";

pub const ENOMEM: u64 = 12;
pub const EINVAL: u64 = 22;
pub const EDOM: u64 = 33;

/// Where `errno` is.
pub enum Errno {
    At(u64),
    /// Nothing looks at it.
    Unused,
    /// The program has its own `__errno_location`.
    Elsewhere,
}

impl<M: Machine> Interpreter<'_, M> {
    pub(super) fn errno(&self) -> Errno {
        let program = self.program();
        if let Some(&global) = program.global_names.get(VARIABLE) {
            return Errno::At(self.image.global_address(global));
        }
        match program.function_named(LOCATION) {
            Some(function) if !program.function(function).is_declaration() => Errno::Elsewhere,
            _ => Errno::Unused,
        }
    }

    pub(crate) fn set_errno(&mut self, state: &mut State, number: u64) -> Flow {
        self.set_errno_to(state, number, None)
    }

    /// Sets it where `condition` holds, without a fork.
    pub(super) fn set_errno_if(&mut self, state: &mut State, number: u64, condition: Term) -> Flow {
        match self.terms.as_u64(condition) {
            Some(0) => Flow::Next,
            Some(_) => self.set_errno_to(state, number, None),
            None => self.set_errno_to(state, number, Some(condition)),
        }
    }

    fn set_errno_to(&mut self, state: &mut State, number: u64, condition: Option<Term>) -> Flow {
        let address = match self.errno() {
            Errno::At(address) => address,
            Errno::Unused => return Flow::Next,
            Errno::Elsewhere => {
                state.note_approximation(Direction::Both, Cause::OwnErrno);
                return Flow::Next;
            }
        };
        self.access(state, Value::concrete(address), 4, Mode::Write, |executor, state, place| {
            let value = match condition {
                None => Value::concrete(number),
                Some(condition) => {
                    let before = executor.read_place(state, place, 32).term(&mut executor.terms, 32);
                    let number = executor.terms.constant(number, 32);
                    let value = executor.terms.ite(condition, number, before);
                    Value::of(&executor.terms, value)
                }
            };
            executor.write_place(state, place, value, 32);
        })
    }
}
