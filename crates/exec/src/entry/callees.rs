//! Calls of functions that callers passed: each function whose address is taken may be meant.
//!
//! Nothing else can be called without an error: what is null is told apart, and of what is no
//! address of a function nobody knows how it fails.

use crate::End;
use crate::interpreter::fork::{Alternatives, Flow};
use crate::interpreter::machine::{Interpreter, Machine};
use crate::learning::NoInterpolant;
use crate::paths::approximation::{Cause, Direction};
use crate::paths::choice::Choice;
use crate::paths::fault::Fault;
use crate::paths::journal::Side;
use crate::paths::state::State;
use espalier_base::FaultKind;
use espalier_expr::{Op, Term};
use espalier_ir::{FuncId, Reg};

/// With more functions than this that may be meant, none is tried.
const MOST_CALLEES: usize = 16;

impl<M: Machine> Interpreter<'_, M> {
    /// Executes a call again, once for each function that a pointer from outside may lead to. `None`
    /// if these are too many, or if the pointer is none of that kind.
    pub(crate) fn fork_on_callees(&mut self, state: &mut State, pointer: Reg) -> Option<Flow> {
        let value = state.top.regs[pointer.index()];
        let term = value.as_term().filter(|&term| M::STARTS_ANYWHERE && self.is_whole_symbol(term))?;
        let functions = self.program().functions.iter().zip(0..);
        let functions = functions.filter(|(function, _)| function.address_taken).map(|(_, index)| FuncId(index));
        let functions: Vec<FuncId> = functions.take(MOST_CALLEES + 1).collect();
        if functions.len() > MOST_CALLEES {
            return None;
        }
        if !self.targets_wanting(state, &[FaultKind::Null]).is_empty() {
            state.note_approximation(Direction::Given, Cause::SmallPointers);
        }
        if !self.may_be_any_function(state, term) {
            M::refuses(self, NoInterpolant::PointerWithoutBase);
        }
        let width = self.terms.width(term);
        let mut out = Alternatives::default();
        let mut rest = Some(self.split(state));
        for function in functions {
            let Some(state) = rest.take() else { break };
            let address = self.image.function_address(function);
            let mark = state.choices.mark();
            let constant = self.terms.constant(address, width);
            let is_meant = self.terms.eq(term, constant);
            let (meant, others) = self.sides(&state, is_meant);
            let is_other = self.terms.not(is_meant);
            // What the path says already is not said again: recursion comes here very often.
            let is_open = !matches!(meant, Side::No) && !matches!(others, Side::No);
            let copy = self.split(&state);
            if let Some(mut state) = self.take_unfixed(copy, is_open.then_some(is_meant), meant, &mut out) {
                state.choices.replace_since(mark, Choice::Value(address));
                state.called = Some(function);
                state.top.pc -= 1;
                out.goes_on(state);
            }
            rest = self.take_unfixed(state, is_open.then_some(is_other), others, &mut out);
        }
        if let Some(state) = rest {
            let zero = self.terms.constant(0, width);
            let is_null = self.terms.eq(term, zero);
            let (null, others) = self.split_on(state, is_null, &mut out);
            if let Some(state) = null {
                let end = self.violation(&state, Fault::FunctionPointer { address: 0 });
                out.ended(state, end);
            }
            if let Some(state) = others {
                self.doubt(&state, &[FaultKind::OutOfBounds]);
                out.ended(state, End::Silent);
            }
        }
        Some(out.settle(self, state))
    }

    /// Adds a condition, if there is one to add, and leaves what it says of numbers to the solver: a
    /// function's number is nothing to compute with.
    fn take_unfixed(
        &mut self,
        mut state: Box<State>,
        condition: Option<Term>,
        side: Side,
        out: &mut Alternatives,
    ) -> Option<Box<State>> {
        match side {
            Side::Yes(model) => {
                if let Some(condition) = condition {
                    state.assume(&self.terms, condition, model);
                }
                Some(state)
            }
            Side::No => None,
            Side::Unknown(reason) => {
                let end = self.solver_unknown(&state, &reason);
                out.ended(state, end);
                None
            }
        }
    }

    /// Is the pointer one value that was found at the entry, and not computed from such?
    fn is_whole_symbol(&self, term: Term) -> bool {
        self.terms.op(term) == Op::Var && !self.lazy.contains_key(&term)
    }
}
