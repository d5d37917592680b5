//! Calls of functions that nothing defines.
//!
//! By default the path ends there, and says so. On request the path goes on with a result that is
//! not known ([`ExternalCalls::Havoc`]), or a mathematical function is called on the machine that
//! Espalier runs on ([`ExternalCalls::Host`]). Nothing else is ever called: a library function of
//! the host would see addresses of another process, and could do anything.

use crate::End;
use crate::Executor;
use crate::interpreter::fork::Flow;
use crate::interpreter::machine::{Decided, Interpreter, Machine};
use crate::interpreter::value::Value;
use crate::learning::NoInterpolant;
use crate::memory::Origin;
use crate::memory::object::Contents;
use crate::models::host_math;
use crate::paths::approximation::{Cause, Direction};
use crate::paths::cut::{ExternalProblem, Unsupported};
use crate::paths::state::State;
use espalier_expr::SymbolShape;
use espalier_ir::{CallSite, FuncId};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// What a call of an undefined function does.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub enum ExternalCalls {
    /// It ends the path.
    #[default]
    None,
    /// It gives a result that is not known, and changes whatever can be reached from its arguments
    /// to what is not known.
    Havoc,
    /// Pure functions of numbers are computed, others end the path.
    Host,
    /// The same; what depends on the input becomes one of the numbers that it can be.
    HostOnSome,
    /// Pure functions of numbers are computed, others do anything.
    HostOrHavoc,
}

impl<M: Machine> Interpreter<'_, M> {
    pub(crate) fn external_call(
        &mut self,
        state: &mut State,
        function: FuncId,
        site: &CallSite,
        values: &[Value],
    ) -> Flow {
        let name = self.program().function(function).name.clone();
        let cannot = |executor: &Executor, state: &State, problem| {
            let name = executor.program().function(function).name.clone();
            Flow::End(executor.unsupported(state, Unsupported::UndefinedFunction { name, problem }))
        };
        match self.options.external_calls {
            ExternalCalls::None => cannot(self, state, ExternalProblem::NotAllowed),
            ExternalCalls::Havoc => self.havoc(state, &name, site, values),
            ExternalCalls::Host | ExternalCalls::HostOnSome | ExternalCalls::HostOrHavoc => {
                let kind = self.options.external_calls;
                let widths: Vec<u32> =
                    site.dsts.iter().map(|dst| self.program().function(state.top.func).regs[dst.index()]).collect();
                let Some(function) = host_math::function(&name, &site.arg_widths, &widths) else {
                    return match kind {
                        ExternalCalls::HostOrHavoc => self.havoc(state, &name, site, values),
                        _ => cannot(self, state, ExternalProblem::NotOnHost),
                    };
                };
                let numbers: Option<Vec<u64>> = values.iter().map(|&value| self.number_argument(value)).collect();
                let numbers = match numbers {
                    Some(numbers) => numbers,
                    None if kind == ExternalCalls::HostOrHavoc => return self.havoc(state, &name, site, values),
                    None if kind == ExternalCalls::HostOnSome => match self.chosen_arguments(state, site, values) {
                        Ok(numbers) => numbers,
                        Err(end) => return Flow::End(end),
                    },
                    None => return cannot(self, state, ExternalProblem::DependsOnInput),
                };
                let outcome = function.call(&numbers);
                for dst in &site.dsts {
                    state.top.regs[dst.index()] = Value::concrete(outcome.bits);
                }
                if outcome.errno == 0 { Flow::Next } else { self.set_errno(state, outcome.errno) }
            }
        }
    }

    /// The number that an argument is. While a path is run again, another state must have the same.
    fn number_argument(&mut self, value: Value) -> Option<u64> {
        let Some(term) = value.as_term() else { return Some(value.bits()) };
        match M::choose(self, term) {
            Decided::As(number) => Some(number),
            Decided::Open | Decided::Lost => None,
        }
    }

    /// Numbers that the arguments can be. The path goes on with these alone.
    fn chosen_arguments(&mut self, state: &mut State, site: &CallSite, values: &[Value]) -> Result<Vec<u64>, End> {
        if M::refuses(self, NoInterpolant::UndefinedFunction) {
            return Err(End::Silent);
        }
        let mut numbers = Vec::new();
        for (&value, &width) in values.iter().zip(&site.arg_widths) {
            let Some(term) = value.as_term() else {
                numbers.push(value.bits());
                continue;
            };
            let number = self.value_in(state, term).map_err(|reason| self.solver_unknown(state, &reason))?;
            let constant = self.terms.constant(number, width);
            let equal = self.terms.eq(term, constant);
            self.assume(state, equal, None);
            state.note_approximation(Direction::Under, Cause::ChosenValue);
            numbers.push(number);
        }
        Ok(numbers)
    }

    fn havoc(&mut self, state: &mut State, name: &str, site: &CallSite, values: &[Value]) -> Flow {
        if M::refuses(self, NoInterpolant::UndefinedFunction) {
            return Flow::End(End::Silent);
        }
        for base in self.reachable_objects(state, values) {
            if let Some(object) = state.memory.object_mut(base).filter(|object| !object.read_only) {
                // What was never written is read as an unknown value.
                object.contents = Contents::new(object.contents.size() as u64, false);
            }
        }
        for dst in &site.dsts {
            let width = self.program().function(state.top.func).regs[dst.index()];
            let size = width.div_ceil(8);
            let symbol = self.unknown_symbol(state, size, SymbolShape::Scalar);
            let var = self.terms.var(symbol, 0);
            let term = self.terms.extract(var, 0, width);
            self.set(state, *dst, term);
        }
        state.note_approximation(Direction::Both, Cause::Havoc { function: name.to_owned() });
        Flow::Next
    }

    /// The objects that arguments point to, and those that are pointed to from there. Arguments
    /// that depend on the input are taken for numbers.
    fn reachable_objects(&self, state: &State, values: &[Value]) -> Vec<u64> {
        let pointer_bytes = (self.pointer_width() / 8) as usize;
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut next: Vec<u64> = values.iter().filter_map(|value| value.as_concrete()).collect();
        while let Some(address) = next.pop() {
            let Some(object) = state.memory.object(address) else { continue };
            if matches!(object.origin, Origin::Function(_)) || !seen.insert(object.base) {
                continue;
            }
            found.push(object.base);
            let last = (object.contents.size() + 1).saturating_sub(pointer_bytes);
            let words = (0..last).step_by(pointer_bytes);
            next.extend(words.filter_map(|at| object.contents.read_number(at, pointer_bytes)));
        }
        found
    }
}
