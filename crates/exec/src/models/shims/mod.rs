//! Functions that the engine itself provides: memory, control, inputs, output, mathematics.
//!
//! A shim stands in for a function that has no body; a program that defines `malloc` itself gets
//! its own. The exceptions are the error functions of SV-COMP (`reach_error`), whose call is the
//! error whatever their body does.

pub(crate) mod control;
mod errno;
mod heap;
mod inputs;
mod klee;
mod math;
mod output;
mod ubsan;

pub(crate) use output::Conversion;

use crate::interpreter::fork::Flow;
use crate::interpreter::machine::{Interpreter, Machine};
use crate::interpreter::value::Value;
use crate::learning::NoInterpolant;
use crate::learning::segment::Replayable;
use crate::paths::cut::{Needed, Unsupported};
use crate::paths::state::State;
use espalier_base::provided;
use espalier_ir::{CallSite, Function, Operand};

/// A native function.
#[derive(Copy, Clone, Debug)]
pub enum Shim {
    Heap(heap::HeapCall),
    Control(control::ControlCall),
    Input(inputs::InputCall),
    Klee(klee::KleeCall),
    Math(math::MathCall),
    Output(output::OutputCall),
}

impl Shim {
    /// The shim that stands in for `function`. `base::provided` has the same names, for the front
    /// end.
    pub fn for_function(function: &Function) -> Option<Shim> {
        let name = function.name.as_str();
        let always = control::overriding(name).map(Shim::Control);
        if always.is_some() || !function.is_declaration() {
            return always;
        }
        let name = provided::public_name(name);
        let shim = Shim::named(name);
        debug_assert_eq!(shim.is_some(), provided::is_known(name), "{name}");
        shim
    }

    fn named(name: &str) -> Option<Shim> {
        heap::named(name)
            .map(Shim::Heap)
            .or_else(|| control::named(name).map(Shim::Control))
            .or_else(|| inputs::named(name).map(Shim::Input))
            .or_else(|| klee::named(name).map(Shim::Klee))
            .or_else(|| math::named(name).map(Shim::Math))
            .or_else(|| output::named(name).map(Shim::Output))
    }
}

impl Shim {
    /// How the function takes part when a path is run again.
    pub(crate) fn replayable(self) -> Replayable {
        use control::ControlCall;
        use inputs::InputCall;
        use klee::KleeCall;
        match self {
            // Conditions, results and texts may be anything.
            Shim::Input(InputCall::Assume | InputCall::VerifierAssume)
            | Shim::Klee(KleeCall::PreferCex | KleeCall::PrintExpr | KleeCall::Compared)
            | Shim::Control(ControlCall::Exit | ControlCall::ExitNow) => Replayable::OnTerms,
            Shim::Math(call) if call.is_operator() => Replayable::OnTerms,
            // These change more than registers and memory, or depend on more.
            Shim::Control(ControlCall::SetJmp | ControlCall::LongJmp)
            | Shim::Klee(
                KleeCall::SetForking
                | KleeCall::PrintRange
                | KleeCall::DefineFixedObject
                | KleeCall::AliasFunction
                | KleeCall::IsSymbolic
                | KleeCall::MarkGlobal
                | KleeCall::OpenMerge
                | KleeCall::CloseMerge
                | KleeCall::GetValue,
            ) => Replayable::No,
            Shim::Control(_) | Shim::Heap(_) | Shim::Input(_) | Shim::Klee(_) | Shim::Math(_) | Shim::Output(_) => {
                Replayable::OnNumbers
            }
        }
    }
}

/// A call to a shim.
pub(crate) struct Arguments<'a> {
    pub site: &'a CallSite,
    pub values: &'a [Value],
    pub name: &'a str,
}

impl Arguments<'_> {
    pub fn value(&self, index: usize) -> Value {
        self.values.get(index).copied().unwrap_or(Value::ZERO)
    }

    pub fn width(&self, index: usize) -> u32 {
        self.site.arg_widths.get(index).copied().unwrap_or(32)
    }

    pub fn operand(&self, index: usize) -> Option<Operand> {
        self.site.args.get(index).copied()
    }
}

impl<M: Machine> Interpreter<'_, M> {
    pub(crate) fn call_shim(&mut self, state: &mut State, shim: Shim, args: &Arguments) -> Flow {
        let args = &Arguments { name: provided::public_name(args.name), ..*args };
        match shim {
            Shim::Heap(call) => self.heap_call(state, call, args),
            Shim::Control(call) => self.control_call(state, call, args),
            Shim::Input(call) => self.input_call(state, call, args),
            Shim::Klee(call) => self.klee_call(state, call, args),
            Shim::Math(call) => self.math_call(state, call, args),
            Shim::Output(call) => self.output_call(state, call, args),
        }
    }

    /// Gives the call its result.
    pub(crate) fn set_result(&mut self, state: &mut State, args: &Arguments, value: Value, width: u32) {
        if let Some(dst) = args.site.dsts.first() {
            let wanted = self.program().function(state.top.func).regs[dst.index()];
            let value = self.resize(value, width, wanted);
            state.top.regs[dst.index()] = value;
        }
    }

    pub(crate) fn return_pointer(&mut self, state: &mut State, args: &Arguments, address: u64) -> Flow {
        let width = self.pointer_width();
        self.set_result(state, args, Value::concrete(address), width);
        Flow::Next
    }

    /// Executes the call again once for each value that argument `index` can have.
    pub(crate) fn fork_on_argument(&mut self, state: &mut State, args: &Arguments, index: usize) -> Flow {
        match args.operand(index) {
            Some(operand) => {
                let what = Needed::Argument { number: index + 1, function: args.name.to_owned() };
                self.fork_on_operand(state, operand, what)
            }
            None => Flow::End(self.unsupported(state, Unsupported::TooFewArguments { function: args.name.to_owned() })),
        }
    }

    /// The bytes of a NUL-terminated string of at most `limit` bytes.
    pub(crate) fn read_string(&mut self, state: &State, address: u64, limit: usize) -> StringRead {
        let mut bytes = Vec::new();
        let Some(object) = state.memory.object(address) else { return StringRead::Fault(address) };
        M::touch(self, state, object.base);
        let start = address.wrapping_sub(object.base);
        for at in start..start.saturating_add(limit as u64) {
            if at >= object.size {
                return StringRead::Fault(object.base.wrapping_add(at));
            }
            match object.contents.read_number(at as usize, 1) {
                Some(0) => return StringRead::Complete(bytes),
                Some(byte) => bytes.push(byte as u8),
                None => return StringRead::Symbolic,
            }
        }
        StringRead::Complete(bytes)
    }

    /// A concrete string argument for the engine's own use (names and messages).
    pub(crate) fn text_argument(&mut self, state: &State, args: &Arguments, index: usize) -> Option<String> {
        let address = args.value(index).as_concrete()?;
        match self.read_string(state, address, 4096) {
            StringRead::Complete(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            _ => {
                M::refuses(self, NoInterpolant::ChangingText);
                None
            }
        }
    }
}

/// What reading a string came to.
pub(crate) enum StringRead {
    Complete(Vec<u8>),
    /// One of its bytes depends on the input.
    Symbolic,
    /// The string leaves its object at this address.
    Fault(u64),
}

#[cfg(test)]
mod tests {
    use super::*;
    use espalier_base::fidelity::{Provider, entries};

    /// A library's functions of long doubles and those that exit are better than ours.
    fn is_provided(name: &str) -> bool {
        match Shim::named(name) {
            Some(Shim::Control(_)) => !matches!(name, "exit" | "_Exit" | "quick_exit"),
            Some(Shim::Math(call)) => !call.is_long_double(),
            Some(_) => true,
            None => control::overriding(name).is_some(),
        }
    }

    #[test]
    fn the_front_end_knows_what_there_is() {
        for entry in entries().filter(|entry| matches!(entry.provider, Provider::Engine | Provider::Library)) {
            let name = entry.name;
            let is_known = Shim::named(name).is_some() || control::overriding(name).is_some();
            assert_eq!(is_known, entry.provider == Provider::Engine, "{name}");
            assert_eq!(
                (is_known, is_provided(name)),
                (provided::is_known(name), provided::is_provided(name)),
                "{name}"
            );
        }
    }
}
