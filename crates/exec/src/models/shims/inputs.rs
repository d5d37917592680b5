//! Inputs: `klee_make_symbolic` and the other calls that make them, and SV-COMP's
//! `__VERIFIER_nondet_*`.

use super::{Arguments, StringRead};
use crate::Executor;
use crate::interpreter::access::Mode;
use crate::interpreter::fork::Flow;
use crate::interpreter::machine::{Decided, Interpreter, Machine};
use crate::interpreter::value::{Value, signed};
use crate::memory::Found;
use crate::memory::object::Byte;
use crate::paths::cut::{CutReason, Unsupported};
use crate::paths::end::End;
use crate::paths::fault::{Fault, Misuse};
use crate::paths::given::scalar;
use crate::paths::journal::Side;
use crate::paths::message::Message;
use crate::paths::state::{Input, InputName, State};
use espalier_expr::{Symbol, SymbolInfo, SymbolKind, SymbolShape, Term};
use std::rc::Rc;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum InputCall {
    MakeSymbolic,
    Int,
    Range,
    Choose,
    Assume,
    VerifierAssume,
    Nondet,
    NondetMemory,
}

const NONDET: &str = "__VERIFIER_nondet_";

/// Longer names of inputs are cut.
const NAME_LIMIT: usize = 4096;

pub fn named(name: &str) -> Option<InputCall> {
    Some(match name {
        "klee_make_symbolic" => InputCall::MakeSymbolic,
        "klee_int" => InputCall::Int,
        "klee_range" => InputCall::Range,
        "klee_choose" => InputCall::Choose,
        "klee_assume" => InputCall::Assume,
        "__VERIFIER_assume" => InputCall::VerifierAssume,
        "__VERIFIER_nondet_memory" => InputCall::NondetMemory,
        _ if name.starts_with(NONDET) => InputCall::Nondet,
        _ => return None,
    })
}

impl<M: Machine> Interpreter<'_, M> {
    pub(crate) fn input_call(&mut self, state: &mut State, call: InputCall, args: &Arguments) -> Flow {
        match call {
            InputCall::MakeSymbolic => {
                if self.options.as_klee
                    && let Some(misuse) = self.misuse_of_make_symbolic(state, args)
                {
                    return Flow::End(self.violation(state, Fault::Misuse(misuse)));
                }
                let name = self.text_argument(state, args, 2).filter(|name| !name.is_empty());
                if name.is_none() {
                    self.tell(Message::Unnamed);
                }
                self.make_symbolic(state, args, name.unwrap_or_else(|| "unnamed".into()))
            }
            InputCall::NondetMemory => self.make_symbolic(state, args, "nondet_memory".into()),
            InputCall::Int => {
                let name = self.text_argument(state, args, 0).unwrap_or_else(|| "unnamed".into());
                let var = match self.scalar_input(state, name, 4) {
                    Ok(var) => var,
                    Err(end) => return Flow::End(end),
                };
                let value = Value::of(&self.terms, var);
                self.set_result(state, args, value, 32);
                Flow::Next
            }
            InputCall::Range => self.range_input(state, args),
            InputCall::Choose => {
                let width = self.pointer_width();
                let var = match self.scalar_input(state, "klee_choose".into(), width / 8) {
                    Ok(var) => var,
                    Err(end) => return Flow::End(end),
                };
                let bound = args.value(0).term(&mut self.terms, width);
                let below = self.terms.ult(var, bound);
                let value = Value::of(&self.terms, var);
                self.set_result(state, args, value, width);
                self.assume_or(state, below, End::Silent)
            }
            InputCall::Assume | InputCall::VerifierAssume => {
                let width = args.width(0);
                let value = args.value(0).term(&mut self.terms, width);
                let zero = self.terms.constant(0, width);
                let holds = self.terms.ne(value, zero);
                if call == InputCall::Assume && !M::can_oblige(self, state, holds) {
                    return Flow::End(End::Silent);
                }
                let otherwise = if call == InputCall::Assume && self.options.silent_assume {
                    End::Silent
                } else if call == InputCall::Assume {
                    self.violation(state, Fault::Misuse(Misuse::Assumption))
                } else {
                    End::Infeasible
                };
                self.assume_or(state, holds, otherwise)
            }
            InputCall::Nondet => self.nondet(state, args),
        }
    }

    /// What KLEE does not put up with in a call of `klee_make_symbolic`. What depends on the input
    /// is found to be wrong when the path has forked on it.
    fn misuse_of_make_symbolic(&mut self, state: &State, args: &Arguments) -> Option<Misuse> {
        if args.values.len() != 3 {
            return Some(Misuse::ArgumentCount);
        }
        match args.value(2).as_concrete() {
            None => return Some(Misuse::SymbolicString),
            Some(0) => {}
            Some(name) => match self.read_string(state, name, NAME_LIMIT) {
                StringRead::Complete(_) => {}
                StringRead::Symbolic => return Some(Misuse::SymbolicString),
                StringRead::Fault(_) => return Some(Misuse::InvalidString),
            },
        }
        let (address, size) = (args.value(0).as_concrete()?, args.value(1).as_concrete()?);
        let Found::Object(object) = state.memory.find(address) else { return None };
        if object.base != address {
            return None;
        }
        if object.read_only {
            return Some(Misuse::ReadOnlyObject);
        }
        (object.size_term.is_none() && object.size != size).then_some(Misuse::WrongSize)
    }

    /// Restricts the path to inputs on which `condition` holds; ends it with `otherwise` if there
    /// are none.
    pub(crate) fn assume_or(&mut self, state: &mut State, condition: Term, otherwise: End) -> Flow {
        let condition = self.looked_at(state, condition);
        let condition = self.without_array_reads(state, condition);
        match self.terms.as_u64(condition) {
            Some(0) => return Flow::End(otherwise),
            Some(_) => return Flow::Next,
            None => {}
        }
        match M::assume(self, state, condition) {
            Decided::Open => {}
            Decided::As(true) => return Flow::Next,
            Decided::As(false) | Decided::Lost => return Flow::End(otherwise),
        }
        match self.can_hold(state, condition) {
            Side::Yes(model) => {
                self.assume(state, condition, model);
                Flow::Next
            }
            Side::No => Flow::End(otherwise),
            Side::Unknown(reason) => Flow::End(self.solver_unknown(state, &reason)),
        }
    }

    fn make_symbolic(&mut self, state: &mut State, args: &Arguments, name: String) -> Flow {
        for index in 0..2 {
            if !args.value(index).is_concrete() {
                return self.fork_on_argument(state, args, index);
            }
        }
        let size = args.value(1).bits();
        let Ok(len) = u32::try_from(size) else {
            return Flow::End(self.limit(state, CutReason::InputSize { name, bytes: size }));
        };
        let is_scalar = state.memory.object(args.value(0).bits()).is_some_and(|object| {
            object.is_scalar
                && object.base == args.value(0).bits()
                && object.size == size
                && matches!(size, 1 | 2 | 4 | 8)
        });
        let shape = if is_scalar { SymbolShape::Scalar } else { SymbolShape::Bytes };
        let given = match self.given_bytes(state, &name, len) {
            Ok(given) => given,
            Err(end) => return Flow::End(end),
        };
        let mut symbol = None;
        self.access(state, args.value(0), size, Mode::Write, |executor, state, place| {
            let symbol = *symbol.get_or_insert_with(|| executor.new_input(state, name.clone(), len, shape));
            let byte = |executor: &mut Interpreter<'_, M>, k: u32| {
                let var = executor.terms.var(symbol, k);
                Byte::Symbolic(var, if is_scalar { k } else { 0 })
            };
            let bytes: Vec<Byte> = match &given {
                Some(bytes) => {
                    executor.fix_given(state, symbol, bytes);
                    bytes.iter().map(|&byte| Byte::Concrete(byte)).collect()
                }
                None => (0..len).map_while(|k| (!executor.is_stopped()).then(|| byte(executor, k))).collect(),
            };
            executor.write_block(state, place, &bytes);
        })
    }

    /// `klee_range(begin, end, name)`: an integer in `begin .. end`.
    fn range_input(&mut self, state: &mut State, args: &Arguments) -> Flow {
        for index in 0..2 {
            if !args.value(index).is_concrete() {
                return self.fork_on_argument(state, args, index);
            }
        }
        let (begin, end) = (args.value(0), args.value(1));
        let (low, high) = (signed(begin.bits(), 32), signed(end.bits(), 32));
        if low >= high {
            return Flow::End(self.violation(state, Fault::Misuse(Misuse::EmptyRange { low, high })));
        }
        if low + 1 == high {
            self.set_result(state, args, begin, 32);
            return Flow::Next;
        }
        let name = self.text_argument(state, args, 2).unwrap_or_else(|| "unnamed".into());
        let var = match self.scalar_input(state, name, 4) {
            Ok(var) => var,
            Err(end) => return Flow::End(end),
        };
        let (begin, end) = (begin.term(&mut self.terms, 32), end.term(&mut self.terms, 32));
        let (above, below) = (self.terms.sle(begin, var), self.terms.slt(var, end));
        let value = Value::of(&self.terms, var);
        self.set_result(state, args, value, 32);
        match self.assume_or(state, above, End::Infeasible) {
            Flow::Next => self.assume_or(state, below, End::Infeasible),
            other => other,
        }
    }

    /// A value of the declared result type. The input is named after the function.
    fn nondet(&mut self, state: &mut State, args: &Arguments) -> Flow {
        let kind = args.name.strip_prefix(NONDET).unwrap_or(args.name);
        let widths: Vec<u32> = {
            let function = self.program().function(state.top.func);
            args.site.dsts.iter().map(|dst| function.regs[dst.index()]).collect()
        };
        let [width] = widths[..] else {
            let function = args.name.to_owned();
            return Flow::End(self.unsupported(state, Unsupported::NotOneNumber { function }));
        };
        if width == 80 {
            return Flow::End(self.unsupported(state, Unsupported::SymbolicLongDouble));
        }
        let var = match self.scalar_input(state, format!("nondet_{kind}"), width.div_ceil(8)) {
            Ok(var) => var,
            Err(end) => return Flow::End(end),
        };
        let full = self.terms.width(var);
        let value = self.terms.extract(var, 0, width);
        let value = Value::of(&self.terms, value);
        self.set_result(state, args, value, width);
        if kind == "bool" || kind == "_Bool" {
            let one = self.terms.constant(1, full);
            let is_bool = self.terms.ule(var, one);
            return self.assume_or(state, is_bool, End::Infeasible);
        }
        Flow::Next
    }
}

impl Executor {
    /// A new input object.
    pub(crate) fn new_input(&mut self, state: &mut State, name: String, size: u32, shape: SymbolShape) -> Symbol {
        let (number, name) = self.input_name(&name);
        let occurrence = state.inputs.count(number);
        let symbol = self.terms.symbol(SymbolInfo { kind: SymbolKind::Input, name, occurrence, size, shape });
        let loc = self.user_loc(state);
        state.inputs.push(number, Input { symbol, loc });
        symbol
    }

    /// The number of a name of inputs, the same on all paths.
    pub(crate) fn input_name(&mut self, name: &str) -> (InputName, Rc<str>) {
        if let Some((name, &number)) = self.input_names.get_key_value(name) {
            return (InputName(number), name.clone());
        }
        let (number, name): (u32, Rc<str>) = (self.input_names.len() as u32, name.into());
        self.input_names.insert(name.clone(), number);
        (InputName(number), name)
    }

    /// The value of a new input of a scalar type; the end of the path if another input is given.
    pub(crate) fn scalar_input(&mut self, state: &mut State, name: String, size: u32) -> Result<Term, End> {
        let given = self.given_bytes(state, &name, size)?;
        let symbol = self.new_input(state, name, size, SymbolShape::Scalar);
        let var = self.terms.var(symbol, 0);
        let Some(bytes) = given else { return Ok(var) };
        self.fix_given(state, symbol, &bytes);
        Ok(self.terms.constant_bv(&scalar(&bytes, size)))
    }
}
