//! Entering and leaving functions: frames, by-value and variadic arguments, constructors, exit
//! handlers, the end of the program.

use crate::Executor;
use crate::interpreter::access::{Mode, Place};
use crate::interpreter::fork::Flow;
use crate::interpreter::frames::{Frame, Purpose, Running};
use crate::interpreter::image::{LoadError, plain_result, takes_as_given};
use crate::interpreter::machine::{Interpreter, Machine};
use crate::interpreter::value::Value;
use crate::learning::NoInterpolant;
use crate::learning::stops::LONG;
use crate::memory::object::Byte;
use crate::memory::{Exhausted, Origin, Surroundings};
use crate::models::printed::Record;
use crate::models::shims::Arguments;
use crate::paths::approximation::{Cause, Direction};
use crate::paths::choice::Choices;
use crate::paths::cut::{CutReason, Misfit, Needed, Unsupported};
use crate::paths::end::{End, ExitStatus, Violation};
use crate::paths::fault::Fault;
use crate::paths::state::{Inputs, Phases, State};
use espalier_base::fidelity::Topic;
use espalier_base::persist::{List, Radix};
use espalier_expr::{PathCondition, SymbolShape};
use espalier_ir::{
    AllocaId, CallId, CallSite, Callee, FuncId, Function, Inst, Loc, Operand, Param, Reg, VarArg, VarArgValue,
};
use smallvec::SmallVec;
use std::rc::Rc;

/// Does a function of the user's have arithmetic that the x87 unit would do in another precision?
fn computes_with_floats(function: &Function) -> bool {
    !function.is_runtime && function.code.iter().any(|inst| matches!(inst, Inst::FBin { .. } | Inst::FMulAdd { .. }))
}

/// A function that only programs with musl have.
const MUSL: &str = "__espalier_libc_start";

impl<M: Machine> Interpreter<'_, M> {
    /// See [`Executor::initial_state`].
    pub fn initial_state(&mut self, entry: FuncId) -> Result<State, LoadError> {
        let image = self.image.clone();
        let function = image.program().function(entry);
        if function.is_declaration() {
            return Err(LoadError::NoBody(function.name.clone()));
        }
        let mut memory = image.memory.clone();
        let width = self.pointer_width();
        let full = |_: Exhausted| LoadError::AddressSpace(width);
        let pointer_bytes = (width / 8) as usize;
        let mut strings = vec![self.options.program_name.clone()];
        strings.extend(self.options.args.iter().cloned());
        let mut pointers = Vec::new();
        for text in &strings {
            let mut bytes = text.clone().into_bytes();
            bytes.push(0);
            let address = memory
                .allocate(bytes.len() as u64, 1, Origin::Environment(Surroundings::Argument), true)
                .map_err(full)?;
            if let Some(object) = memory.object_mut(address) {
                object.contents.write_bytes(0, &bytes);
            }
            pointers.push(address);
        }
        let table = |memory: &mut crate::memory::Memory, entries: &[u64], what| {
            let size = (entries.len() as u64 + 1) * pointer_bytes as u64;
            let address = memory.allocate(size, 16, Origin::Environment(what), true).map_err(full)?;
            if let Some(object) = memory.object_mut(address) {
                for (index, entry) in entries.iter().enumerate() {
                    object.contents.write_bytes(index * pointer_bytes, &entry.to_le_bytes()[..pointer_bytes]);
                }
            }
            Ok::<u64, LoadError>(address)
        };
        let argv = table(&mut memory, &pointers, Surroundings::ArgumentTable)?;
        let envp = table(&mut memory, &[], Surroundings::EnvironmentTable)?;
        let main_args = [pointers.len() as u64, argv, envp];
        let mut regs = vec![Value::ZERO; function.regs.len()];
        for (index, value) in main_args.iter().enumerate().take(function.params.len()) {
            regs[index] = Value::concrete(*value);
        }
        let mut state = State {
            top: Running::new(Frame::new(entry, regs, Purpose::Entry)),
            memory,
            path: PathCondition::new(),
            determined: Radix::default(),
            model: Some(Rc::default()),
            inputs: Inputs::default(),
            preferences: List::default(),
            jump_points: Rc::default(),
            phases: Rc::new(Phases::default()),
            decided: List::default(),
            outside: None,
            arrays: None,
            called: None,
            aliases: Rc::default(),
            scratch: None,
            unknowns: 0,
            last_serial: 0,
            depth: 0,
            joined_at: 0,
            looped_at: u32::MAX,
            long_at: LONG,
            long_stops: 0,
            instructions: 0,
            choices: Choices::default(),
            pending_end: None,
            open_merges: Rc::default(),
            closed: None,
            no_forking: false,
            looks_at_addresses: false,
            approximations: Rc::default(),
            record: Record::default(),
            journal: None,
            given: None,
            covers_new: false,
        };
        if width == 32 && image.program().functions.iter().any(computes_with_floats) {
            state.note_approximation(Direction::Given, Cause::Sse);
        }
        if !self.options.check_div_zero {
            state.note_approximation(Direction::Given, Cause::NoDivisionByZero);
        }
        if !self.options.check_overshift {
            state.note_approximation(Direction::Given, Cause::NoOvershift);
        }
        for left_out in &image.program().left_out {
            state.note_approximation(Direction::Both, Cause::LeftOut(left_out.clone()));
        }
        if image.program().function_names.contains_key(MUSL) {
            state.note_approximation(Direction::Given, Cause::Musl);
        }
        if M::STARTS_ANYWHERE {
            self.make_globals(&mut state);
            state.top.purpose = Purpose::Handler;
        }
        // The model of the environment gets arguments as `main` does, which it calls.
        if function.name != "main" && !function.is_runtime {
            self.make_arguments(&mut state, entry)?;
        }
        // The model of the environment calls them when it is ready.
        if !function.is_runtime && !M::STARTS_ANYWHERE {
            self.push_constructors(&mut state, &main_args.map(Value::concrete));
        }
        // The functions of our own library know what the program set; one that has a look at the
        // table itself does not ask.
        let names = &image.program().global_names;
        let has_table = ["environ", "__environ"].iter().any(|&name| names.contains_key(name));
        let takes_table = |id: &FuncId| image.program().function(*id).params.len() > 2;
        let is_given_table =
            function.name == "main" && takes_table(&entry) || image.program().constructors.iter().any(takes_table);
        if has_table && names.contains_key("__espalier_environ") || is_given_table {
            self.note_fixed(&mut state, Topic::Environment);
        }
        if M::IS_RUN {
            state.covers_new |= self.coverage.call(entry);
        }
        Ok(state)
    }

    /// Each constructor runs on top of what follows it, and returns into it. They get what `main`
    /// gets.
    pub(crate) fn push_constructors(&mut self, state: &mut State, args: &[Value; 3]) {
        let image = self.image.clone();
        for &constructor in image.program().constructors.iter().rev() {
            let count = image.program().function(constructor).params.len().min(args.len());
            self.push_call(state, constructor, &args[..count], Purpose::Phase);
        }
    }

    /// Pushes a frame for `function` with plain arguments.
    pub(crate) fn push_call(&mut self, state: &mut State, function: FuncId, args: &[Value], purpose: Purpose) {
        let call_path = self.call_path_to(state, function);
        let registers = self.image.program().function(function).regs.len();
        let regs = state.enter(&mut self.spare_frames, function, purpose, registers, call_path);
        regs[..args.len()].copy_from_slice(args);
        if M::IS_RUN {
            state.covers_new |= self.coverage.call(function);
        }
    }

    /// Executes the call `call` of the running function; `pc` is behind it already.
    pub(crate) fn call(&mut self, state: &mut State, call: CallId) -> Flow {
        self.stats.calls += 1;
        let image = self.image.clone();
        let caller = image.program().function(state.top.func);
        let site = caller.call(call);
        let callee = match (site.callee, state.called.take()) {
            (Callee::Direct(function), _) | (Callee::Indirect(_), Some(function)) => function,
            (Callee::Indirect(pointer), None) => {
                let value = self.operand(state, pointer);
                let value = M::used(self, state, value);
                let Some(address) = value.as_concrete() else {
                    let meant = pointer.as_reg().and_then(|pointer| self.fork_on_callees(state, pointer));
                    return meant.unwrap_or_else(|| self.fork_on_operand(state, pointer, Needed::FunctionPointer));
                };
                match image.function_at(address) {
                    Some(function) => {
                        image.note_indirect_call(state.top.func, call, address, function);
                        function
                    }
                    None => {
                        return Flow::End(self.violation(state, Fault::FunctionPointer { address }));
                    }
                }
            }
        };
        if let Some(fidelity) = image.functions[callee.index()].inexact
            && !caller.is_runtime
        {
            self.note_fidelity(state, &image.program().function(callee).name, fidelity);
        }
        if self.external.sees_all_calls() && !caller.is_runtime {
            self.note_external_call(state, callee);
        }
        let is_plain = image.functions[callee.index()].takes_plain_arguments
            && state.aliases.is_empty()
            && state.top.depth < self.options.max_stack_depth;
        if is_plain {
            let function = image.program().function(callee);
            if takes_as_given(function, site) {
                let args: SmallVec<[Value; 8]> = site.args.iter().map(|&arg| self.operand(state, arg)).collect();
                let purpose = plain_result(function, caller, site).map_or(Purpose::Call, Purpose::PlainCall);
                self.push_call(state, callee, &args, purpose);
                return Flow::Next;
            }
        }
        let callee = match state.aliases.iter().rev().find(|(from, _)| *from == callee) {
            Some(&(_, to)) => to,
            None => callee,
        };
        let function = image.program().function(callee);
        let mut values: SmallVec<[Value; 8]> = SmallVec::new();
        for &arg in site.args.iter() {
            values.push(self.operand(state, arg));
        }
        if let Some(shim) = image.functions[callee.index()].shim {
            let Some(values) = M::arguments(self, state, shim, values) else { return Flow::End(End::Silent) };
            let args = Arguments { site, values: &values, name: &function.name };
            let known = state.approximations.len();
            let flow = self.call_shim(state, shim, &args);
            if state.approximations.len() > known && M::refuses(self, NoInterpolant::Approximation) {
                return Flow::End(End::Silent);
            }
            return flow;
        }
        if function.is_declaration() {
            return self.external_call(state, callee, site, &values);
        }
        if state.top.depth >= self.options.max_stack_depth {
            return Flow::End(self.limit(state, CutReason::StackDepth(self.options.max_stack_depth)));
        }
        let fits = takes_as_given(function, site);
        if !fits && M::refuses(self, NoInterpolant::Misfit) {
            return Flow::End(End::Silent);
        }
        if let Some(problem) = misfit(function, site, self.pointer_width()) {
            let function = function.name.clone();
            return Flow::End(self.unsupported(state, Unsupported::Misfit { function, problem }));
        }
        let mut args: SmallVec<[Value; 8]> = SmallVec::new();
        let mut surplus = values.iter().zip(site.arg_widths.iter());
        for param in &function.params {
            // Without a prototype C lets the two sides differ: what is not passed is whatever is in
            // the register.
            let value = match surplus.next() {
                Some((&value, &width)) => {
                    if width < param.width {
                        let function = function.name.clone();
                        state.note_approximation(Direction::Both, Cause::NarrowArgument { function });
                    }
                    self.resize(value, width, param.width)
                }
                None => self.in_register(state, None, param.width),
            };
            args.push(value);
        }
        let varargs = if function.is_variadic {
            match self.pack_varargs(state, callee, &site.varargs) {
                Ok(packed) => Some(packed),
                Err(flow) => return flow,
            }
        } else {
            None
        };
        let mut copies: SmallVec<[u64; 2]> = SmallVec::new();
        for (index, param) in function.params.iter().enumerate() {
            let Some((size, align)) = param.by_value else { continue };
            match self.copy_argument(state, callee, args[index], size, align) {
                Ok(address) => {
                    args[index] = Value::concrete(address);
                    copies.push(address);
                }
                Err(flow) => return flow,
            }
        }
        self.push_call(state, callee, &args, Purpose::Call);
        copies.extend(varargs);
        state.top.allocas = copies;
        if let (Some(area), Some(address)) = (function.area(), varargs) {
            state.top.regs[area.index()] = Value::concrete(address);
        }
        Flow::Next
    }

    /// What a register of `to` bits holds in which a value of some bits was passed, or none: the
    /// others can be anything.
    fn in_register(&mut self, state: &mut State, passed: Option<(Value, u32)>, to: u32) -> Value {
        let missing = match passed {
            Some((value, from)) if from >= to => return self.resize(value, from, to),
            Some((_, from)) => to - from,
            None => to,
        };
        let symbol = self.unknown_symbol(state, missing.div_ceil(8), SymbolShape::Scalar);
        let var = self.terms.var(symbol, 0);
        let unknown = self.terms.extract(var, 0, missing);
        let term = match passed {
            Some((value, from)) => {
                let low = value.term(&mut self.terms, from);
                self.terms.concat(unknown, low)
            }
            None => unknown,
        };
        Value::of(&self.terms, term)
    }

    /// A copy of a by-value argument, for the callee to own.
    fn copy_argument(
        &mut self,
        state: &mut State,
        callee: FuncId,
        source: Value,
        size: u64,
        align: u64,
    ) -> Result<u64, Flow> {
        let Ok(address) = state.memory.allocate(size, align, Origin::Arguments(callee), true) else {
            return Err(self.out_of_address_space(state));
        };
        let bytes = self.argument_bytes(state, source, size)?;
        let place = Place::new(address, Value::concrete(0));
        self.write_block(state, place, &bytes);
        Ok(address)
    }

    /// The bytes of an aggregate that is passed by value through `source`.
    fn argument_bytes(&mut self, state: &mut State, source: Value, size: u64) -> Result<Vec<Byte>, Flow> {
        if size == 0 {
            return Ok(Vec::new());
        }
        if !source.is_concrete() {
            return Err(Flow::End(self.unsupported(state, Unsupported::AggregateThroughSymbolicPointer)));
        }
        let mut bytes = Vec::new();
        match self.access(state, source, size, Mode::Read, |executor, state, place| {
            bytes = executor.read_block(state, place, size as usize);
        }) {
            Flow::Next => Ok(bytes),
            other => Err(other),
        }
    }

    /// Lays the variadic arguments out in memory as the ABI's overflow area.
    fn pack_varargs(&mut self, state: &mut State, callee: FuncId, varargs: &[VarArg]) -> Result<u64, Flow> {
        let slot = (self.pointer_width() / 8) as u64;
        let mut offsets = Vec::new();
        let mut end = 0u64;
        for arg in varargs {
            end = end.next_multiple_of(arg.align.max(slot));
            offsets.push(end);
            end += arg.size.next_multiple_of(slot);
        }
        let Ok(address) = state.memory.allocate(end, 16, Origin::Arguments(callee), true) else {
            return Err(self.out_of_address_space(state));
        };
        for (arg, &offset) in varargs.iter().zip(&offsets) {
            match &arg.value {
                VarArgValue::Pieces(pieces) => {
                    for &(at, width, operand) in pieces.iter() {
                        let value = self.operand(state, operand);
                        let place = Place::new(address, Value::concrete(offset + at));
                        self.write_place(state, place, value, width);
                    }
                }
                VarArgValue::ByValue(pointer) => {
                    let source = self.operand(state, *pointer);
                    let bytes = self.argument_bytes(state, source, arg.size)?;
                    let place = Place::new(address, Value::concrete(offset));
                    self.write_block(state, place, &bytes);
                }
            }
        }
        Ok(address)
    }

    /// `va_start`: on 64-bit x86 the register save area counts as used up, so everything comes from
    /// the overflow area.
    pub(crate) fn va_start(&mut self, state: &mut State, list: Value, area: Value) -> Flow {
        if area.as_concrete() == Some(0) {
            return Flow::End(self.violation(state, Fault::NoVariadicArguments));
        }
        let width = self.pointer_width();
        let address: Vec<Byte> = match area.as_term() {
            None => area.bits().to_le_bytes()[..(width / 8) as usize].iter().copied().map(Byte::Concrete).collect(),
            Some(term) => (0..width / 8).map(|index| Byte::Symbolic(term, index)).collect(),
        };
        let bytes: Vec<Byte> = if width == 64 {
            const GENERAL_USED: u32 = 48;
            const FLOAT_USED: u32 = 176;
            let used = GENERAL_USED.to_le_bytes().into_iter().chain(FLOAT_USED.to_le_bytes());
            used.map(Byte::Concrete).chain(address).chain([Byte::Concrete(0); 8]).collect()
        } else {
            address
        };
        self.access(state, list, bytes.len() as u64, Mode::Write, |executor, state, place| {
            executor.write_block(state, place, &bytes);
        })
    }

    pub(crate) fn alloca(&mut self, state: &mut State, dst: Reg, site: AllocaId, count: Operand) -> Flow {
        let number = self.operand(state, count);
        let number = M::used(self, state, number);
        let Some(number) = number.as_concrete() else {
            return self.fork_on_operand(state, count, Needed::ArraySize);
        };
        if self.image.program().function(state.top.func).alloca(site).is_scoped {
            state.top.allocas.push(0);
            state.top.regs[dst.index()] = Value::ZERO;
            return Flow::Next;
        }
        let Some(address) = self.new_stack_object(state, site, number) else {
            return self.out_of_address_space(state);
        };
        state.top.allocas.push(address);
        state.top.regs[dst.index()] = Value::concrete(address);
        Flow::Next
    }

    /// A variable of a block begins to live; an earlier life of it ends, if it was left by a jump
    /// out of a function.
    pub(crate) fn begin_life(&mut self, state: &mut State, dst: Reg, site: AllocaId) -> Flow {
        let Some(index) = self.variable_index(state, site) else {
            return Flow::End(self.unsupported(state, Unsupported::LifeOfUnknown { begins: true }));
        };
        state.memory.kill(state.top.allocas[index], Loc::UNKNOWN);
        let Some(address) = self.new_stack_object(state, site, 1) else { return self.out_of_address_space(state) };
        state.top.allocas[index] = address;
        state.top.regs[dst.index()] = Value::concrete(address);
        Flow::Next
    }

    /// Its register keeps the address: pointers to it can still be copied from there.
    pub(crate) fn end_life(&mut self, state: &mut State, site: AllocaId) -> Flow {
        let Some(index) = self.variable_index(state, site) else {
            return Flow::End(self.unsupported(state, Unsupported::LifeOfUnknown { begins: false }));
        };
        let place = self.user_loc(state);
        let address = std::mem::take(&mut state.top.allocas[index]);
        state.memory.kill(address, place);
        Flow::Next
    }

    pub(crate) fn stack_restore(&mut self, state: &mut State, saved: Value) -> Flow {
        let saved = M::used(self, state, saved);
        let Some(count) = saved.as_concrete() else {
            return Flow::End(self.unsupported(state, Unsupported::SymbolicStackRestore));
        };
        let place = self.user_loc(state);
        while state.top.allocas.len() as u64 > count {
            if let Some(address) = state.top.allocas.pop() {
                state.memory.kill(address, place);
            }
        }
        Flow::Next
    }

    /// Returns from the running function with the values of return `ret`.
    pub(crate) fn ret(&mut self, state: &mut State, ret: u32) -> Flow {
        let image = self.image.clone();
        let function = image.program().function(state.top.func);
        let values: SmallVec<[Value; 4]> =
            function.returns[ret as usize].iter().map(|&value| self.operand(state, value)).collect();
        let result_widths = &function.result;
        let allocas = std::mem::take(&mut state.top.allocas);
        self.kill_frame_objects(state, &allocas);
        match state.top.purpose {
            Purpose::Call | Purpose::PlainCall(_) => {
                state.leave(&mut self.spare_frames);
                M::returned(self, state);
                let caller = image.program().function(state.top.func);
                let Inst::Call { call } = caller.code[state.top.pc as usize - 1] else {
                    return Flow::End(self.unsupported(state, Unsupported::ReturnToNoCall));
                };
                let site = caller.call(call);
                for (index, dst) in site.dsts.iter().enumerate() {
                    let wanted = caller.regs[dst.index()];
                    let returned = values.get(index).copied().zip(result_widths.get(index).copied());
                    let is_whole = returned.is_some_and(|(_, width)| width >= wanted);
                    if !is_whole && M::refuses(self, NoInterpolant::Misfit) {
                        return Flow::End(End::Silent);
                    }
                    state.top.regs[dst.index()] = match is_whole || site.result_used {
                        true => self.in_register(state, returned, wanted),
                        false => Value::ZERO,
                    };
                }
                Flow::Next
            }
            Purpose::Entry => self.begin_exit(state, values.first().copied().unwrap_or(Value::ZERO)),
            Purpose::Handler => Flow::End(End::Silent),
            Purpose::Phase => {
                if state.phases.exiting {
                    return self.next_phase(state);
                }
                state.leave(&mut self.spare_frames);
                M::returned(self, state);
                Flow::Next
            }
        }
    }

    /// `exit`, or the entry function's return: runs the exit handlers and destructors, then ends.
    pub(crate) fn begin_exit(&mut self, state: &mut State, status: Value) -> Flow {
        if M::STARTS_ANYWHERE {
            // Handlers begin elsewhere.
            return Flow::End(End::Silent);
        }
        let image = self.image.clone();
        let destructors = &image.program().destructors;
        let phases = Rc::make_mut(&mut state.phases);
        phases.status = Some(status);
        if !phases.exiting {
            phases.exiting = true;
            // Called last first.
            phases.pending = destructors.iter().rev().copied().collect();
        } else if phases.pending.len() < destructors.len() {
            // glibc drops the rest of the destructors when one of them exits.
            phases.pending.clear();
        }
        // Also those handlers that are left when one of them exits.
        phases.pending.extend(image.program().function_named("__espalier_run_atexit"));
        self.next_phase(state)
    }

    fn next_phase(&mut self, state: &mut State) -> Flow {
        let Some(function) = Rc::make_mut(&mut state.phases).pending.pop() else { return self.finish(state) };
        if self.image.program().function(function).is_declaration() {
            return self.next_phase(state);
        }
        self.push_call(state, function, &[], Purpose::Phase);
        Flow::Next
    }

    fn finish(&mut self, state: &mut State) -> Flow {
        if self.options.check_leaks
            && let Some(end) = self.find_leak(state)
        {
            return Flow::End(end);
        }
        if state.memory.reused_slots {
            state.note_approximation(Direction::Under, Cause::ReusedAddresses);
        }
        let status = state.phases.status.unwrap_or(Value::ZERO);
        if let Some(term) = status.as_term()
            && let Some(end) = self.uninit_decision(state, term)
        {
            return Flow::End(end);
        }
        Flow::End(End::Exit(match status.as_term() {
            None => ExitStatus::Concrete(status.bits() as u32 as i32),
            Some(term) => ExitStatus::Symbolic(term),
        }))
    }

    /// Without waiting for handlers: `_exit`, `klee_silent_exit`.
    pub(crate) fn exit_now(&mut self, state: &mut State, status: Value) -> Flow {
        Rc::make_mut(&mut state.phases).status = Some(status);
        self.finish(state)
    }

    /// A heap object that no live object points to when the program ends.
    fn find_leak(&mut self, state: &State) -> Option<End> {
        use rustc_hash::FxHashSet;
        let bytes = (self.pointer_width() / 8) as usize;
        let mut reached: FxHashSet<u64> = FxHashSet::default();
        let mut work = Vec::new();
        let mut heap = Vec::new();
        state.memory.for_each_object(|object| match object.origin {
            Origin::Heap(loc) => heap.push((object.base, object.size, loc)),
            _ => work.push(object.base),
        });
        let model = self.model_of(state).ok();
        while let Some(base) = work.pop() {
            let Some(object) = state.memory.object(base) else { continue };
            for at in (0..object.contents.size().saturating_sub(bytes - 1)).step_by(bytes) {
                let address = match object.contents.read_number(at, bytes) {
                    Some(address) => address,
                    None => match (&model, object.contents.byte(at)) {
                        (Some(model), Byte::Symbolic(term, 0)) if self.terms.width(term) as usize == 8 * bytes => {
                            self.terms.eval(term, model).to_u64().unwrap_or(0)
                        }
                        _ => continue,
                    },
                };
                if let Some(target) = state.memory.object(address)
                    && target.is_heap()
                    && reached.insert(target.base)
                {
                    work.push(target.base);
                }
            }
        }
        let lost = heap.into_iter().filter(|(base, ..)| !reached.contains(base));
        let mut leaks: Vec<Violation> = lost.map(|(_, size, loc)| self.leak(state, size, loc)).collect();
        let wanted = leaks.iter().position(|leak| !self.targets_that_want(leak).is_empty());
        let told = (!leaks.is_empty()).then(|| leaks.remove(wanted.unwrap_or(0)))?;
        leaks.iter().for_each(|hidden| self.note_hidden_error(hidden));
        Some(End::Violation(Box::new(told)))
    }

    /// A path loses an object of this size, allocated here.
    fn leak(&self, state: &State, bytes: u64, allocated: Loc) -> Violation {
        Violation { fault: Fault::Leak { bytes, allocated }, loc: allocated, stack: self.stack_trace(state) }
    }
}

impl Executor {
    pub(crate) fn resize(&mut self, value: Value, from: u32, to: u32) -> Value {
        if from == to {
            return value;
        }
        let term = value.term(&mut self.terms, from);
        let resized = if from > to { self.terms.extract(term, 0, to) } else { self.terms.zext(term, to) };
        Value::of(&self.terms, resized)
    }

    pub(crate) fn out_of_address_space(&self, state: &State) -> Flow {
        Flow::End(self.limit(state, CutReason::AddressSpace))
    }

    /// Size of the target's `va_list`.
    pub(crate) fn va_list_size(&self) -> u64 {
        if self.pointer_width() == 64 { 24 } else { 4 }
    }

    fn new_stack_object(&mut self, state: &mut State, site: AllocaId, number: u64) -> Option<u64> {
        let func = state.top.func;
        let info = self.image.program().function(func).alloca(site);
        let is_scalar = info.is_scalar && number == 1;
        let size = info.element_size.checked_mul(number)?;
        let address = state.memory.allocate(size, info.align, Origin::Stack(func, site), false).ok()?;
        if is_scalar && let Some(object) = state.memory.object_mut(address) {
            object.is_scalar = true;
        }
        Some(address)
    }

    /// Which of the frame's objects a variable of a block is: those that were passed come first,
    /// then the variables, in the order of their sites.
    fn variable_index(&self, state: &State, site: AllocaId) -> Option<usize> {
        let function = self.image.program().function(state.top.func);
        let passed = function.params.iter().filter(|param| param.by_value.is_some()).count();
        let index = passed + usize::from(function.is_variadic) + site.index();
        (index < state.top.allocas.len()).then_some(index)
    }

    /// Ends the lives of a frame's stack objects.
    pub(crate) fn kill_frame_objects(&self, state: &mut State, allocas: &[u64]) {
        for &address in allocas {
            state.memory.kill(address, Loc::UNKNOWN);
        }
    }
}

/// Why a call cannot be followed whose function is defined otherwise than the call has it.
fn misfit(function: &Function, site: &CallSite, pointer_width: u32) -> Option<Misfit> {
    let shared = function.params.len().min(site.args.len());
    let mask = if shared < 64 { (1 << shared) - 1 } else { u64::MAX };
    if (function.floats.args ^ site.floats.args) & mask != 0 {
        return Some(Misfit::FloatForInteger);
    }
    if site.result_used && !function.result.is_empty() && function.floats.result != site.floats.result {
        return Some(Misfit::OtherResult);
    }
    if function.is_variadic && site.args.len() > function.params.len() {
        return Some(Misfit::Variadic);
    }
    // With all arguments on the stack, one of another size moves the others. Of a `double` in a
    // register, a `float` is the lower half.
    let words = |width: u32| width.div_ceil(32);
    let differs = |(index, (param, width)): (usize, (&Param, &u32))| match function.floats.args >> index.min(63) & 1 {
        _ if pointer_width == 32 => words(param.width) != words(*width),
        1 => param.width != *width && (param.width, *width) != (32, 64),
        _ => false,
    };
    if function.params.iter().zip(site.arg_widths.iter()).enumerate().any(differs) {
        return Some(Misfit::OtherSize);
    }
    None
}
