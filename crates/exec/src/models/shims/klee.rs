//! The rest of KLEE's interface: queries about values, reports, and calls that steer the engine.

use super::Arguments;
use super::errno::Errno;
use crate::interpreter::access::Mode;
use crate::interpreter::fork::Flow;
use crate::interpreter::machine::{Interpreter, Machine};
use crate::interpreter::value::Value;
use crate::memory::{Origin, Surroundings};
use crate::paths::approximation::{Cause, Direction};
use crate::paths::end::End;
use crate::paths::fault::{Abort, Fault, Misuse};
use crate::paths::message::{Message, ToldValue};
use crate::paths::state::State;
use espalier_base::fidelity::Topic;
use espalier_expr::{SymbolShape, Term, Terms, kquery};
use espalier_ir::VarArgValue;
use std::rc::Rc;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum KleeCall {
    /// For the model of the environment: forks on the values that a number can have.
    Concrete,
    /// For our own C code: the path is one of several that a real system allows.
    Approximate,
    /// The same where the answer is a number: if all systems are asked about, it is any.
    Answer,
    /// For the model of the environment: numbers that programs are told but seldom look at
    /// (`fixed`).
    Fixed,
    FixedName,
    Unfixed,
    /// For `memcmp`: bytes were compared (`addresses`).
    Compared,
    Abort,
    SilentExit,
    ReportError,
    PreferCex,
    IsSymbolic,
    IsReplay,
    GetValue,
    GetObjSize,
    CheckMemoryAccess,
    SetForking,
    PrintExpr,
    PrintRange,
    StackTrace,
    Warning,
    WarningOnce,
    DefineFixedObject,
    GetErrno,
    AliasFunction,
    MarkGlobal,
    OpenMerge,
    CloseMerge,
    /// An old hint that this engine does without.
    Nothing,
}

pub fn named(name: &str) -> Option<KleeCall> {
    Some(match name {
        "klee_abort" => KleeCall::Abort,
        "klee_silent_exit" => KleeCall::SilentExit,
        "klee_report_error" => KleeCall::ReportError,
        "klee_prefer_cex" | "klee_posix_prefer_cex" => KleeCall::PreferCex,
        "klee_is_symbolic" => KleeCall::IsSymbolic,
        "klee_is_replay" => KleeCall::IsReplay,
        "__espalier_concrete" => KleeCall::Concrete,
        "__espalier_approximate" => KleeCall::Approximate,
        "__espalier_answer" => KleeCall::Answer,
        "__espalier_fixed" => KleeCall::Fixed,
        "__espalier_fixed_name" => KleeCall::FixedName,
        "__espalier_unfixed" => KleeCall::Unfixed,
        "__espalier_compared" => KleeCall::Compared,
        "klee_get_obj_size" => KleeCall::GetObjSize,
        "klee_check_memory_access" => KleeCall::CheckMemoryAccess,
        "klee_set_forking" => KleeCall::SetForking,
        "klee_print_expr" => KleeCall::PrintExpr,
        "klee_print_range" => KleeCall::PrintRange,
        "klee_stack_trace" => KleeCall::StackTrace,
        "klee_warning" => KleeCall::Warning,
        "klee_warning_once" => KleeCall::WarningOnce,
        "klee_define_fixed_object" => KleeCall::DefineFixedObject,
        "klee_get_errno" => KleeCall::GetErrno,
        "klee_alias_function" => KleeCall::AliasFunction,
        "klee_mark_global" => KleeCall::MarkGlobal,
        "klee_open_merge" => KleeCall::OpenMerge,
        "klee_close_merge" => KleeCall::CloseMerge,
        "klee_merge" => KleeCall::Nothing,
        _ if name.starts_with("klee_get_value") => KleeCall::GetValue,
        _ => return None,
    })
}

impl<M: Machine> Interpreter<'_, M> {
    /// Tells the user something, if this is a run of the program and nothing that is tried.
    pub(crate) fn tell(&mut self, message: Message) {
        if M::IS_RUN {
            let at = self.output.len();
            self.messages.push((at, message));
        }
    }

    /// The same for what is told once a run.
    pub(crate) fn tell_once(&mut self, message: Message) {
        if M::IS_RUN && self.told.insert(std::mem::discriminant(&message)) {
            let at = self.output.len();
            self.messages.push((at, message));
        }
    }

    pub(crate) fn klee_call(&mut self, state: &mut State, call: KleeCall, args: &Arguments) -> Flow {
        match call {
            KleeCall::Abort => Flow::End(self.violation(state, Fault::Abort(Abort::KleeCall))),
            KleeCall::SilentExit => Flow::End(End::Silent),
            KleeCall::ReportError => {
                let (text, suffix) = (self.text_argument(state, args, 2), self.text_argument(state, args, 3));
                Flow::End(self.violation(state, Fault::Reported { text, suffix }))
            }
            KleeCall::PreferCex => {
                let width = args.width(1);
                let value = args.value(1).term(&mut self.terms, width);
                let zero = self.terms.constant(0, width);
                let holds = self.terms.ne(value, zero);
                let holds = self.with_fixed_values(holds).map_or(holds, |(plain, _)| plain);
                if !self.terms.is_const(holds) {
                    state.preferences.push(holds);
                }
                Flow::Next
            }
            KleeCall::IsSymbolic => {
                let symbolic = !args.value(0).is_concrete();
                self.set_result(state, args, Value::concrete(symbolic as u64), 32);
                Flow::Next
            }
            KleeCall::IsReplay => {
                self.set_result(state, args, Value::ZERO, 32);
                Flow::Next
            }
            KleeCall::GetValue => self.get_value(state, args),
            KleeCall::Approximate => {
                let reason = self.text_argument(state, args, 0).unwrap_or_else(|| "a fixed answer of a library".into());
                match Topic::named(&reason) {
                    Some(topic) => self.note_fixed(state, topic),
                    None => state.note_approximation(Direction::Both, Cause::Library(reason)),
                }
                Flow::Next
            }
            KleeCall::Answer => {
                let topic = self.text_argument(state, args, 0).and_then(|name| Topic::named(&name));
                let topic = topic.unwrap_or(Topic::Status);
                let answer = if self.options.any_answers && !self.options.fixed.contains(&topic) {
                    let symbol = self.unknown_symbol(state, 4, SymbolShape::Scalar);
                    let var = self.terms.var(symbol, 0);
                    Value::of(&self.terms, var)
                } else {
                    self.note_fixed(state, topic);
                    args.value(1)
                };
                self.set_result(state, args, answer, 32);
                Flow::Next
            }
            KleeCall::Fixed => self.hand_out_fixed(state, args, false),
            KleeCall::FixedName => self.hand_out_fixed(state, args, true),
            KleeCall::Unfixed => self.take_back_fixed(state, args),
            KleeCall::Compared => self.look_at_compared(state, args),
            KleeCall::Concrete => match args.value(0).as_concrete() {
                Some(_) => {
                    self.set_result(state, args, args.value(0), args.width(0));
                    Flow::Next
                }
                None => self.fork_on_argument(state, args, 0),
            },
            KleeCall::GetObjSize => match args.value(0).as_concrete() {
                Some(address) => {
                    let Some(object) = state.memory.object(address) else {
                        let fault = self.access_fault(state, address, 1, Mode::Read);
                        return Flow::End(self.violation(state, fault));
                    };
                    let (size, term) = (object.size, object.size_term);
                    let width = self.pointer_width();
                    let value = term.map_or(Value::concrete(size), |term| Value::of(&self.terms, term));
                    self.set_result(state, args, value, width);
                    Flow::Next
                }
                None => self.fork_on_argument(state, args, 0),
            },
            KleeCall::CheckMemoryAccess => match args.value(1).as_concrete() {
                Some(size) => self.access(state, args.value(0), size, Mode::Read, |_, _, _| {}),
                None => self.fork_on_argument(state, args, 1),
            },
            KleeCall::SetForking => match args.value(0).as_concrete() {
                Some(enabled) => {
                    state.no_forking = enabled == 0;
                    Flow::Next
                }
                None => self.fork_on_argument(state, args, 0),
            },
            KleeCall::PrintExpr | KleeCall::PrintRange => {
                if M::IS_RUN {
                    let label = self.text_argument(state, args, 0).unwrap_or_default();
                    let value = self.told_value(state, call, args);
                    self.tell(Message::Value { label, value });
                }
                Flow::Next
            }
            KleeCall::StackTrace => {
                for (depth, entry) in self.stack_trace(state).into_iter().enumerate() {
                    self.tell(Message::Frame { depth, function: entry.function, loc: entry.loc });
                }
                Flow::Next
            }
            KleeCall::Warning | KleeCall::WarningOnce => {
                let text = self.text_argument(state, args, 0).unwrap_or_default();
                let is_once = call == KleeCall::WarningOnce;
                if !is_once || M::IS_RUN && self.warned.insert(text.clone()) {
                    let (loc, function) = (self.user_loc(state), self.program().function(state.top.func).name.clone());
                    self.tell(Message::Warning { text, loc, function, is_once });
                }
                Flow::Next
            }
            KleeCall::DefineFixedObject => self.define_fixed_object(state, args),
            KleeCall::GetErrno => self.get_errno(state, args),
            KleeCall::AliasFunction => self.alias_function(state, args),
            KleeCall::MarkGlobal => self.mark_global(state, args),
            KleeCall::OpenMerge => {
                self.open_merge(state);
                Flow::Next
            }
            KleeCall::CloseMerge => self.close_merge(state),
            KleeCall::Nothing => {
                self.set_result(state, args, Value::ZERO, 32);
                Flow::Next
            }
        }
    }

    /// What is to be said of the value behind the label, which may be a variadic argument.
    fn told_value(&mut self, state: &State, call: KleeCall, args: &Arguments) -> ToldValue {
        let variadic = args.site.varargs.first().and_then(|arg| match &arg.value {
            VarArgValue::Pieces(pieces) => pieces.first().map(|&(_, _, operand)| self.operand(state, operand)),
            VarArgValue::ByValue(_) => None,
        });
        let value = args.values.get(1).copied().or(variadic).unwrap_or(Value::ZERO);
        let Some(term) = value.as_term() else { return ToldValue::Number(value.bits()) };
        if call == KleeCall::PrintExpr {
            let kquery = in_kquery(&self.terms, term);
            return ToldValue::Term { text: self.terms.display(term).to_string(), kquery };
        }
        let range = self.range_of(state, term).and_then(|range| Ok((range, self.value_in(state, term)?)));
        match range {
            Ok(((low, high), example)) => ToldValue::Range { example, low, high },
            Err(reason) => ToldValue::Unknown(reason),
        }
    }

    /// `klee_mark_global`: the object is none that may be freed, and nothing has to point to it.
    fn mark_global(&mut self, state: &mut State, args: &Arguments) -> Flow {
        let Some(address) = args.value(0).as_concrete() else { return self.fork_on_argument(state, args, 0) };
        match state.memory.object_mut(address) {
            Some(object) => {
                object.origin = Origin::Environment(Surroundings::Marked);
                Flow::Next
            }
            None => {
                let fault = self.access_fault(state, address, 1, Mode::Read);
                Flow::End(self.violation(state, fault))
            }
        }
    }

    /// One value that the argument can have. The path is not restricted to it, so what follows is
    /// one example among others.
    fn get_value(&mut self, state: &mut State, args: &Arguments) -> Flow {
        let width = args.width(0);
        let value = args.value(0);
        let Some(term) = value.as_term() else {
            self.set_result(state, args, value, width);
            return Flow::Next;
        };
        match self.value_in(state, term) {
            Ok(number) => {
                state.note_approximation(Direction::Under, Cause::ChosenValue);
                self.set_result(state, args, Value::concrete(number), width);
                Flow::Next
            }
            Err(reason) => Flow::End(self.solver_unknown(state, &reason)),
        }
    }

    fn define_fixed_object(&mut self, state: &mut State, args: &Arguments) -> Flow {
        for index in 0..2 {
            if !args.value(index).is_concrete() {
                return self.fork_on_argument(state, args, index);
            }
        }
        let (address, size) = (args.value(0).bits(), args.value(1).bits());
        match state.memory.define_fixed(address, size) {
            Ok(()) => Flow::Next,
            Err(_) => {
                let misuse = Misuse::FixedObject { address, bytes: size };
                Flow::End(self.violation(state, Fault::Misuse(misuse)))
            }
        }
    }

    fn get_errno(&mut self, state: &mut State, args: &Arguments) -> Flow {
        match (self.errno(), args.site.dsts.first()) {
            (Errno::At(address), Some(&dst)) => self.load(state, dst, Value::concrete(address), 32, false),
            _ => {
                state.note_approximation(Direction::Both, Cause::NoErrno);
                self.set_result(state, args, Value::ZERO, 32);
                Flow::Next
            }
        }
    }

    /// `klee_alias_function("f", "g")`: calls of `f` go to `g` from now on.
    fn alias_function(&mut self, state: &mut State, args: &Arguments) -> Flow {
        let names = (self.text_argument(state, args, 0), self.text_argument(state, args, 1));
        let functions = match &names {
            (Some(from), Some(to)) => (self.program().function_named(from), self.program().function_named(to)),
            _ => (None, None),
        };
        match functions {
            (Some(from), Some(to)) => {
                Rc::make_mut(&mut state.aliases).push((from, to));
                Flow::Next
            }
            _ => Flow::End(self.violation(state, Fault::Misuse(Misuse::UnknownAlias))),
        }
    }
}

/// A term as KQuery has it, without the declarations of its inputs; `None` if it has no words for
/// it.
fn in_kquery(terms: &Terms, term: Term) -> Option<String> {
    let query = kquery(terms, &[term]).ok()?;
    let (_, expression) = query.split_once("(query [")?;
    Some(expression.strip_suffix("]\n       false)\n")?.to_owned())
}
