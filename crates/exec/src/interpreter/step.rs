//! The interpreter: runs plain instructions (`plain`) as far as they go, and executes all others,
//! one at a time. Everything that takes more than a few lines is one call away.

use crate::interpreter::fork::{Alternatives, Flow};
use crate::interpreter::machine::{Decided, Interpreter, Machine};
use crate::interpreter::plain::{Plain, Stopped};
use crate::interpreter::value::{Value, mask, signed};
use crate::interpreter::{float, operator};
use crate::memory::window::Windows;
use crate::paths::choice::{Choice, labels_differ};
use crate::paths::cut::{CutReason, Needed, Unsupported, UnsupportedFloat};
use crate::paths::journal::Side;
use crate::paths::state::State;
use crate::{Abort, Child, End, Executor, Fault, Step, Use};
use espalier_expr::{SymbolShape, Term};
use espalier_ir::{BinOp, Callee, CastOp, EdgeId, FuncId, Inst, Operand, Reg, SwitchId};
use std::rc::Rc;

/// See `Executor::switch_decisions`.
pub(crate) type SwitchDecisions = Rc<[(EdgeId, Term)]>;

/// How many of them are kept.
const KNOWN_SWITCHES: usize = 1 << 14;

impl<M: Machine> Interpreter<'_, M> {
    /// Executes the instruction again, once for each value that the register `operand` can have.
    pub(crate) fn fork_on_operand(&mut self, state: &mut State, operand: Operand, what: Needed) -> Flow {
        let Some(reg) = operand.as_reg() else {
            return Flow::End(self.unsupported(state, Unsupported::UndefinedValue { what }));
        };
        let width = self.program().function(state.top.func).regs[reg.index()];
        let value = state.top.regs[reg.index()];
        self.fork_on_values(state, value, width, what, |state, number| {
            state.top.regs[reg.index()] = Value::concrete(number);
            state.top.pc -= 1;
        })
    }

    /// See [`Executor::run`].
    pub fn run(&mut self, state: &mut State, budget: u64) -> Step {
        state.choices.clear();
        if M::IS_PATH {
            self.open_journal(state);
        }
        let step = self.run_on(state, budget);
        if M::IS_PATH {
            self.close_journal(matches!(step, Step::Budget | Step::Join | Step::Entered).then_some(state));
        }
        step
    }

    fn run_on(&mut self, state: &mut State, budget: u64) -> Step {
        if let Some(end) = state.pending_end.take() {
            self.stopped(state);
            return self.ended(state, *end);
        }
        let mut windows = self.windows.take().unwrap_or_else(|| Box::new(Windows::new(state.memory.layout)));
        let (mut step, executed) = self.run_within(state, &mut windows, budget);
        self.windows = Some(windows);
        self.stats.instructions += executed;
        self.solver.note_executed(executed);
        state.instructions += executed;
        match &mut step {
            Step::Fork(children) => {
                debug_assert!(labels_differ(state, children), "alternatives with one label");
                for child in children {
                    child.state.instructions += executed;
                    if child.end.is_some() {
                        self.stopped(&child.state);
                    }
                }
            }
            Step::End(_) => self.stopped(state),
            Step::Budget | Step::Join | Step::Entered => {}
        }
        step
    }

    /// The path may not come behind instruction `pc`.
    fn mark(&mut self, state: &State, pc: u32) {
        if M::IS_RUN {
            self.coverage.mark(state.top.func, pc);
        }
    }

    /// The path ended, or one of its alternatives.
    fn stopped(&mut self, state: &State) {
        if M::IS_RUN {
            self.note_stop(state);
        }
    }

    /// The two loops: plain instructions as far as they go, then one of the others. Also gives how
    /// many instructions were executed.
    fn run_within(&mut self, state: &mut State, windows: &mut Windows, budget: u64) -> (Step, u64) {
        let image = self.image.clone();
        let functions = if M::IS_RUN { &image.functions[..] } else { image.uncounted_functions() };
        let is_bounded = self.options.max_unwind.is_some() || !self.options.unwind_loops.is_empty();
        let mut may_stop = self.may_stop(state);
        let stops_in_long_loops = self.stops_in_long_loops();
        let budget = budget.min(self.until_long(state));
        let counts_call_paths = self.call_paths.is_some() && M::IS_RUN;
        let mut call_path = (state.top.call_path, 0);
        let mut executed = 0;
        let step = loop {
            let plain = Plain {
                reads: M::READS_PLAINLY,
                writes: state.outside.is_none(),
                stops_at_watched: M::STOPS_AT_WATCHED && !self.watched.is_empty(),
                jumps: !is_bounded,
                calls: M::FORKS && !counts_call_paths && state.aliases.is_empty() && !self.external.sees_all_calls(),
                stops: may_stop,
                hands_back: stops_in_long_loops || !M::IS_PATH,
                max_stack_depth: self.options.max_stack_depth,
            };
            let (stopped, count) = self.run_plain(state, functions, windows, plain, budget - executed);
            executed += count;
            let flow = match stopped {
                Stopped::Budget => break Step::Budget,
                Stopped::Flow(flow) => flow,
                Stopped::Join => Flow::Next,
                Stopped::Entered => break Step::Entered,
                Stopped::General if M::stops_before(self, executed + 1) => break Step::Budget,
                Stopped::General => {
                    executed += 1;
                    self.general(state)
                }
            };
            if counts_call_paths {
                self.add_to_call_path(call_path.0, executed - call_path.1);
                call_path = (state.top.call_path, executed);
            }
            match flow {
                Flow::Next if M::STOPS_AT_WATCHED && state.top.pc == 0 && self.is_watched(state.top.func) => {
                    break Step::Entered;
                }
                Flow::Next => {}
                Flow::Fork(children) => break Step::Fork(self.with_handlers(children)),
                Flow::Close(merge) => {
                    state.closed = Some(merge);
                    break Step::Budget;
                }
                Flow::End(end) => break self.ended(state, end),
            }
            if is_bounded && let Some(end) = state.pending_end.take() {
                break Step::End(*end);
            }
            may_stop |= stops_in_long_loops && state.is_long(executed);
            if may_stop
                && let Some(&join) = functions[state.top.func.index()].joins.get(&state.top.pc)
                && self.stops_for(state, executed, join)
            {
                break Step::Join;
            }
            if executed >= budget {
                break Step::Budget;
            }
        };
        if counts_call_paths {
            self.add_to_call_path(call_path.0, executed - call_path.1);
        }
        (step, executed)
    }

    /// The path is over, unless the program handles it.
    fn ended(&mut self, state: &mut State, end: End) -> Step {
        let Some(handled) = self.in_handler(state, &end) else { return Step::End(end) };
        self.stats.forks += 1;
        let ended = Box::new(std::mem::replace(state, *handled));
        Step::Fork(vec![Child { state: ended, end: Some(end) }])
    }

    fn with_handlers(&mut self, children: Vec<Child>) -> Vec<Child> {
        let mut all = Vec::with_capacity(children.len());
        for child in children {
            self.with_handler(child, &mut all);
        }
        all
    }

    /// Executes one instruction, of whatever kind, and notes what it cost.
    #[inline(never)]
    pub(crate) fn general(&mut self, state: &mut State) -> Flow {
        if !M::IS_RUN {
            return self.execute(state);
        }
        let (forks, place) = (self.stats.forks, (state.top.func, state.top.pc));
        let asked = self.options.profiles.then(|| self.solver_nanos());
        let flow = self.execute(state);
        if let Some(before) = asked {
            let nanos = self.solver_nanos() - before;
            if nanos > 0 {
                self.note_solver_time(place, nanos);
            }
        }
        if self.stats.forks != forks {
            self.note_cause(place, self.stats.forks - forks);
        }
        flow
    }

    fn execute(&mut self, state: &mut State) -> Flow {
        let image = self.image.clone();
        let function = image.program().function(state.top.func);
        let pc = state.top.pc;
        state.top.pc = pc + 1;
        match function.code[pc as usize] {
            Inst::Bin { op, width, dst, a, b } => {
                let (x, y) = (self.operand(state, a), self.operand(state, b));
                if Value::both_concrete(x, y) && width <= 64 && !operator::needs_check(op, width, y.bits()) {
                    state.top.regs[dst.index()] = Value::concrete(operator::bin(op, width, x.bits(), y.bits()));
                    return Flow::Next;
                }
                self.bin(state, op, width, dst, x, y)
            }
            Inst::Cmp { op, width, dst, a, b } => {
                let (x, y) = (self.operand(state, a), self.operand(state, b));
                if Value::both_concrete(x, y) && width <= 64 {
                    let holds = operator::cmp(op, width, x.bits(), y.bits());
                    state.top.regs[dst.index()] = Value::concrete(holds as u64);
                    return Flow::Next;
                }
                let (x, y) = (x.term(&mut self.terms, width), y.term(&mut self.terms, width));
                let term = operator::cmp_term(&mut self.terms, op, x, y);
                self.set(state, dst, term);
                self.uninit_decision(state, term).map_or(Flow::Next, Flow::End)
            }
            Inst::PtrAdd { dst, base, index, scale, offset } => {
                let width = state.memory.layout.pointer_width;
                let (x, y) = (self.operand(state, base), self.operand(state, index));
                if Value::both_concrete(x, y) {
                    let sum = x.bits().wrapping_add(operator::moved(y.bits(), scale, offset)) & mask(width);
                    state.top.regs[dst.index()] = Value::concrete(sum);
                    return Flow::Next;
                }
                let (x, y) = (x.term(&mut self.terms, width), y.term(&mut self.terms, width));
                let scale = self.terms.constant(scale as u64 & mask(width), width);
                let offset = self.terms.constant(offset as i64 as u64 & mask(width), width);
                let scaled = self.terms.mul(y, scale);
                let moved = self.terms.add(scaled, offset);
                let sum = self.terms.add(x, moved);
                self.set(state, dst, sum);
                Flow::Next
            }
            Inst::Load { width, dst, ptr, looks } => {
                let pointer = self.operand(state, ptr);
                self.load(state, dst, pointer, width, looks)
            }
            Inst::Store { width, value, ptr } => {
                let (value, pointer) = (self.operand(state, value), self.operand(state, ptr));
                self.store(state, value, pointer, width)
            }
            Inst::Cast { op, from, to, dst, a } => {
                let x = self.operand(state, a);
                if x.is_concrete() && from <= 64 && to <= 64 {
                    let bits = if op == CastOp::SExt { signed(x.bits(), from) as u64 } else { x.bits() };
                    state.top.regs[dst.index()] = Value::concrete(bits & mask(to));
                    return Flow::Next;
                }
                let x = x.term(&mut self.terms, from);
                let term = match op {
                    CastOp::Trunc => self.terms.extract(x, 0, to),
                    CastOp::ZExt => self.terms.zext(x, to),
                    CastOp::SExt => self.terms.sext(x, to),
                };
                self.set(state, dst, term);
                Flow::Next
            }
            Inst::Jump { edge } => {
                self.take_edge(state, edge);
                Flow::Next
            }
            Inst::Branch { cond, then, otherwise } => {
                let condition = self.operand(state, cond);
                if !condition.is_concrete() {
                    return self.branch(state, condition, then, otherwise);
                }
                self.take_edge(state, if condition.bits() != 0 { then } else { otherwise });
                Flow::Next
            }
            Inst::Select { width, dst, cond, a, b } => {
                let condition = self.operand(state, cond);
                if condition.is_concrete() {
                    let chosen = if condition.bits() != 0 { a } else { b };
                    state.top.regs[dst.index()] = self.operand(state, chosen);
                    return Flow::Next;
                }
                let condition = condition.term(&mut self.terms, 1);
                let (x, y) = (self.operand_term(state, a, width), self.operand_term(state, b, width));
                let term = self.terms.ite(condition, x, y);
                self.set(state, dst, term);
                Flow::Next
            }
            Inst::Copy { dst, a, .. } | Inst::Freeze { dst, a, .. } => {
                state.top.regs[dst.index()] = self.operand(state, a);
                Flow::Next
            }
            Inst::Switch { switch } => {
                let value = self.operand(state, function.switch(switch).value);
                if !value.is_concrete() {
                    return self.switch(state, switch, value);
                }
                let table = &image.functions[state.top.func.index()].switches[switch.index()];
                self.take_edge(state, table.edge(value.bits()));
                Flow::Next
            }
            Inst::IndirectJump { target, switch } => {
                let address = self.operand(state, target);
                let address = M::used(self, state, address);
                let Some(address) = address.as_concrete() else {
                    return self.fork_on_label(state, target, switch);
                };
                let block = address.wrapping_sub(image.function_address(state.top.func) + 1);
                let Some(edge) = image.functions[state.top.func.index()].switches[switch.index()].case(block) else {
                    return self.bad_jump(state, address);
                };
                self.take_edge(state, edge);
                Flow::Next
            }
            Inst::Call { call } => {
                self.mark(state, pc);
                self.call(state, call)
            }
            Inst::Return { ret } => {
                self.mark(state, pc);
                self.ret(state, ret)
            }
            Inst::FBin { op, kind, dst, a, b } => {
                let (x, y) = (self.operand(state, a), self.operand(state, b));
                if Value::both_concrete(x, y)
                    && let Some(bits) = float::host::bin(op, kind, x.bits(), y.bits())
                {
                    state.top.regs[dst.index()] = Value::concrete(bits);
                    return Flow::Next;
                }
                let width = kind.width();
                let (x, y) = (x.term(&mut self.terms, width), y.term(&mut self.terms, width));
                let result = self.float_bin(state, op, kind, x, y);
                self.float_result(state, dst, result)
            }
            Inst::FCmp { op, kind, dst, a, b } => {
                let (x, y) = (self.operand(state, a), self.operand(state, b));
                if Value::both_concrete(x, y)
                    && let Some(holds) = float::host::cmp(op, kind, x.bits(), y.bits())
                {
                    state.top.regs[dst.index()] = Value::concrete(holds as u64);
                    return Flow::Next;
                }
                let width = kind.width();
                let (x, y) = (x.term(&mut self.terms, width), y.term(&mut self.terms, width));
                let result = self.float_cmp(op, kind, x, y);
                self.float_result(state, dst, result)
            }
            Inst::Un { op, width, dst, a } => {
                let x = self.operand(state, a);
                match x.as_concrete() {
                    Some(bits) if width <= 64 => {
                        state.top.regs[dst.index()] = Value::concrete(operator::un(op, width, bits));
                    }
                    _ => {
                        let x = x.term(&mut self.terms, width);
                        let term = operator::un_term(&mut self.terms, op, x);
                        self.set(state, dst, term);
                    }
                }
                Flow::Next
            }
            Inst::FUn { op, kind, dst, a } => {
                let x = self.operand_term(state, a, kind.width());
                let result = self.float_un(state, op, kind, x);
                self.float_result(state, dst, result)
            }
            Inst::FMulAdd { kind, fused, dst, a, b, c } => {
                let width = kind.width();
                let x = self.operand_term(state, a, width);
                let y = self.operand_term(state, b, width);
                let z = self.operand_term(state, c, width);
                let result = self.float_mul_add(state, kind, fused, [x, y, z]);
                self.float_result(state, dst, result)
            }
            Inst::FCast { op, dst, a } => {
                let from = match op {
                    espalier_ir::FCastOp::FToF { from, .. }
                    | espalier_ir::FCastOp::FToSi { from, .. }
                    | espalier_ir::FCastOp::FToUi { from, .. } => from.width(),
                    espalier_ir::FCastOp::SiToF { from, .. } | espalier_ir::FCastOp::UiToF { from, .. } => from,
                };
                let x = self.operand_term(state, a, from);
                let result = self.float_cast(op, x);
                self.float_result(state, dst, result)
            }
            Inst::Alloca { dst, site, count } => self.alloca(state, dst, site, count),
            Inst::LifeStart { dst, site } => self.begin_life(state, dst, site),
            Inst::LifeEnd { site } => self.end_life(state, site),
            Inst::PointerPair { a, b, asks } => {
                let (x, y) = (self.operand(state, a), self.operand(state, b));
                self.compare_pointers(state, x, y, asks);
                Flow::Next
            }
            Inst::AddressNumber { a, mask } => {
                let pointer = self.operand(state, a);
                self.look_at_address(state, pointer, mask);
                Flow::Next
            }
            Inst::NumberPair { a, b, asks } => {
                let (number, other) = (self.operand(state, a), self.operand(state, b));
                self.compare_numbers(state, number, other, asks);
                Flow::Next
            }
            Inst::Unknown { width, dst } => {
                let symbol = self.unknown_symbol(state, width.div_ceil(8), SymbolShape::Scalar);
                let var = self.terms.var(symbol, 0);
                let term = self.terms.extract(var, 0, width);
                self.set(state, dst, term);
                Flow::Next
            }
            Inst::StackSave { dst } => {
                state.top.regs[dst.index()] = Value::concrete(state.top.allocas.len() as u64);
                Flow::Next
            }
            Inst::StackRestore { a } => {
                let saved = self.operand(state, a);
                self.stack_restore(state, saved)
            }
            Inst::MemCpy { dst, src, len } | Inst::MemMove { dst, src, len } => self.copy_block(state, dst, src, len),
            Inst::MemSet { dst, byte, len } => {
                let byte = self.operand(state, byte);
                self.fill_block(state, dst, byte, len)
            }
            Inst::VaStart { list, area } => {
                let (list, area) = (self.operand(state, list), self.operand(state, area));
                self.va_start(state, list, area)
            }
            Inst::VaCopy { dst, src } => {
                let (to, from) = (self.operand(state, dst), self.operand(state, src));
                let size = self.va_list_size();
                self.copy_exactly(state, to, from, size)
            }
            Inst::Assume { cond } => {
                let condition = self.operand(state, cond);
                let term = condition.term(&mut self.terms, 1);
                let mut out = Alternatives::default();
                let copy = self.split(state);
                let (held, failed) = self.split_on(copy, term, &mut out);
                held.into_iter().for_each(|state| out.goes_on(state));
                if let Some(state) = failed {
                    let end = self.violation(&state, Fault::FalseAssumption);
                    out.ended(state, end);
                }
                out.settle(self, state)
            }
            Inst::Trap => Flow::End(self.violation(state, Fault::Abort(Abort::Trap))),
            Inst::Target { index } => self.reach_target(state, index),
            Inst::Unreachable => Flow::End(self.violation(state, Fault::UnreachableCode)),
            Inst::Unsupported { what } => {
                let what = self.program().unsupported.get(what as usize).cloned();
                Flow::End(self.unsupported(state, what.map_or(Unsupported::Instruction, Unsupported::Construct)))
            }
        }
    }

    /// A computed `goto` whose target depends on the input: executed again for each label that it
    /// can lead to.
    fn fork_on_label(&mut self, state: &mut State, target: Operand, switch: SwitchId) -> Flow {
        let width = self.pointer_width();
        let value = self.operand(state, target);
        let (Some(register), Some(term)) = (target.as_reg(), value.as_term()) else {
            return self.fork_on_operand(state, target, Needed::GotoTarget);
        };
        let term = self.looked_at(state, term);
        match M::choose(self, term) {
            Decided::Open => {}
            Decided::As(address) => {
                state.top.regs[register.index()] = Value::concrete(address);
                state.top.pc -= 1;
                return Flow::Next;
            }
            Decided::Lost => return Flow::End(End::Silent),
        }
        let image = self.image.clone();
        let first = image.function_address(state.top.func) + 1;
        let mut out = Alternatives::default();
        let mut rest = Some(self.split(state));
        for &(block, _) in image.program().function(state.top.func).switch(switch).cases.iter() {
            let Some(current) = rest.take() else { break };
            let mark = current.choices.mark();
            let address = first.wrapping_add(block);
            let constant = self.terms.constant(address, width);
            let equal = self.terms.eq(term, constant);
            let (held, failed) = self.split_on(current, equal, &mut out);
            if let Some(mut taken) = held {
                taken.choices.replace_since(mark, Choice::Value(address));
                taken.top.regs[register.index()] = Value::concrete(address);
                taken.top.pc -= 1;
                out.goes_on(taken);
            }
            rest = failed;
        }
        if let Some(rest) = rest {
            let end = match self.value_in(&rest, term) {
                Ok(address) => self.violation(&rest, Fault::NoLabel { address }),
                Err(reason) => self.solver_unknown(&rest, &reason),
            };
            out.ended(rest, end);
        }
        out.settle(self, state)
    }

    /// The instruction here made so many alternatives.
    fn note_cause(&mut self, (func, pc): (FuncId, u32), forks: u64) {
        let image = self.image.clone();
        let function = image.program().function(func);
        let causes = &mut self.stats.causes;
        let cause = match function.code[pc as usize] {
            Inst::Branch { .. } => &mut causes.branches,
            Inst::IndirectJump { .. } => &mut causes.indirect_jumps,
            Inst::Switch { .. } => &mut causes.switches,
            Inst::Call { call } => match function.call(call).callee {
                Callee::Indirect(_) => &mut causes.calls,
                Callee::Direct(callee) => match image.program().function(callee).name.as_str() {
                    "realloc" => &mut causes.reallocations,
                    "malloc" | "calloc" | "aligned_alloc" | "posix_memalign" => &mut causes.allocations,
                    "free" => &mut causes.frees,
                    _ => &mut causes.accesses,
                },
            },
            _ => &mut causes.accesses,
        };
        *cause += forks;
    }

    fn bad_jump(&mut self, state: &mut State, address: u64) -> Flow {
        Flow::End(self.violation(state, Fault::NoLabel { address }))
    }

    fn float_result(&mut self, state: &mut State, dst: Reg, result: Result<Term, UnsupportedFloat>) -> Flow {
        match result {
            Ok(term) => {
                self.set(state, dst, term);
                Flow::Next
            }
            Err(what) => Flow::End(self.unsupported(state, Unsupported::Float { function: None, what })),
        }
    }

    /// An integer operator on values that are not both plain numbers, or that needs a check.
    fn bin(&mut self, state: &mut State, op: BinOp, width: u32, dst: Reg, a: Value, b: Value) -> Flow {
        let (x, y) = (a.term(&mut self.terms, width), b.term(&mut self.terms, width));
        let mut out = Alternatives::default();
        let mut current = None;
        for check in self.checks(state, op, width, x, y) {
            if check.valid == self.terms.tru() {
                continue;
            }
            let before = match current.take() {
                Some(state) => state,
                None => self.split(state),
            };
            let (held, failed) = self.split_on(before, check.valid, &mut out);
            if let Some(failed) = failed {
                let end = self.violation(&failed, check.fault);
                out.ended(failed, end);
            }
            match held {
                Some(held) => current = Some(held),
                None => return out.settle(self, state),
            }
        }
        let term = operator::bin_term(&mut self.terms, op, x, y);
        match current {
            None => {
                self.set(state, dst, term);
                Flow::Next
            }
            Some(mut checked) => {
                self.set(&mut checked, dst, term);
                out.goes_on(checked);
                out.settle(self, state)
            }
        }
    }

    /// What must hold of the operands of `x op y`, in the order in which it is reported.
    fn checks(&mut self, state: &State, op: BinOp, width: u32, x: Term, y: Term) -> Vec<Check> {
        let mut checks = Vec::new();
        let zero = operator::constant(&mut self.terms, 0, width);
        let divides = matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem);
        if divides && self.options.check_div_zero {
            let valid = self.terms.ne(y, zero);
            checks.push(Check { valid, fault: Fault::DivisionByZero });
            if matches!(op, BinOp::SDiv | BinOp::SRem) {
                let ones = self.terms.not(zero);
                let one = operator::constant(&mut self.terms, 1, width);
                let most = self.terms.lshr(ones, one);
                let least = self.terms.not(most);
                let (is_least, is_minus_one) = (self.terms.eq(x, least), self.terms.eq(y, ones));
                let overflows = self.terms.and(is_least, is_minus_one);
                let valid = self.terms.not(overflows);
                checks.push(Check { valid, fault: Fault::DivisionOverflow });
            }
        }
        // Libraries are optimised: LLVM shifts before it is known whether the result is needed.
        let in_library = self.program().function(state.top.func).is_runtime;
        if matches!(op, BinOp::Shl | BinOp::LShr | BinOp::AShr) && self.options.check_overshift && !in_library {
            let bound = operator::constant(&mut self.terms, width as u64, width);
            let valid = if width == 1 { self.terms.not(y) } else { self.terms.ult(y, bound) };
            checks.push(Check { valid, fault: Fault::Overshift { by: self.terms.as_u64(y), width } });
        }
        checks
    }

    /// A branch on a condition that depends on the input.
    fn branch(&mut self, state: &mut State, condition: Value, then: EdgeId, otherwise: EdgeId) -> Flow {
        self.stats.symbolic_branches += 1;
        let condition = condition.term(&mut self.terms, 1);
        let function = self.image.program().function(state.top.func);
        let sides = [then, otherwise].map(|edge| function.edge(edge).target);
        match M::decide(self, state, condition, Some(sides)) {
            Decided::Open => {}
            Decided::As(holds) => {
                self.take_edge(state, if holds { then } else { otherwise });
                return Flow::Next;
            }
            Decided::Lost => return Flow::End(End::Silent),
        }
        let condition = self.looked_at(state, condition);
        let condition = self.without_array_reads(state, condition);
        if let Some(holds) = self.terms.as_u64(condition) {
            self.take_edge(state, if holds != 0 { then } else { otherwise });
            return Flow::Next;
        }
        if let Some(end) = self.uninit_decision(state, condition) {
            return Flow::End(end);
        }
        let (if_true, if_false) = self.sides(state, condition);
        match (if_true, if_false) {
            (Side::Yes(_), Side::No) => {
                state.note_question();
                self.take_edge(state, then);
                Flow::Next
            }
            (Side::No, Side::Yes(_)) => {
                state.note_question();
                self.take_edge(state, otherwise);
                Flow::Next
            }
            (Side::Yes(if_true), Side::Yes(if_false)) => {
                let negated = self.terms.not(condition);
                let mut other = self.split(state);
                other.covers_new = false;
                self.assume(&mut other, negated, if_false);
                self.assume(state, condition, if_true);
                state.choices.push(Choice::Yes);
                other.choices.push(Choice::No);
                self.take_edge(state, then);
                state.depth += 1;
                other.depth += 1;
                self.stats.forks += 1;
                if state.no_forking {
                    let end = self.forking_is_off(&other);
                    return Flow::Fork(vec![Child { state: other, end: Some(end) }]);
                }
                self.take_edge(&mut other, otherwise);
                Flow::Fork(vec![Child { state: other, end: None }])
            }
            _ => {
                let mut out = Alternatives::default();
                let copy = self.split(state);
                let (held, failed) = self.split_on(copy, condition, &mut out);
                for (side, edge) in [(held, then), (failed, otherwise)] {
                    if let Some(mut side) = side {
                        self.take_edge(&mut side, edge);
                        out.goes_on(side);
                    }
                }
                out.settle(self, state)
            }
        }
    }

    /// Goes along an edge of the running function.
    fn take_edge(&mut self, state: &mut State, edge: EdgeId) {
        let image = self.image.clone();
        let func = state.top.func;
        let loaded = &image.functions[func.index()];
        let taken = &loaded.edges[edge.index()];
        for (dst, source) in loaded.copies(taken) {
            state.top.regs[dst.index()] = self.operand(state, source);
        }
        if M::IS_RUN {
            state.covers_new |= self.coverage.take_edge(func, edge);
        }
        if let Some(end) = self.count_round(state, edge) {
            state.pending_end = Some(Box::new(end));
        }
        state.top.pc = taken.start;
    }

    /// With a bound on loops: notes an edge that is taken. The end of the path, if it goes round a
    /// loop too often.
    fn count_round(&mut self, state: &mut State, edge: EdgeId) -> Option<End> {
        let target = self.program().function(state.top.func).edge(edge).target;
        let single = self.options.unwind_loops.get(&(state.top.func, target)).copied();
        let limit = single.or(self.options.max_unwind)?;
        let known = state.top.loops.iter().position(|&(block, _)| block == target);
        if !self.image.functions[state.top.func.index()].closes_loop[edge.index()] {
            // Entered from outside: counted anew.
            known.into_iter().for_each(|index| state.top.loops[index].1 = 0);
            return None;
        }
        let index = known.unwrap_or_else(|| {
            state.top.loops.push((target, 0));
            state.top.loops.len() - 1
        });
        state.top.loops[index].1 += 1;
        if state.top.loops[index].1 <= limit || !M::FORKS {
            return None;
        }
        let mut cut = self.cut(state, CutReason::Unwind { limit, is_for_one: single.is_some() });
        let function = self.program().function(state.top.func);
        let block = function.block(target);
        let mut locs = function.locs[block.start as usize..block.end as usize].iter();
        if let Some(head) = locs.find(|loc| loc.is_known()).filter(|_| !function.is_runtime) {
            cut.loc = *head;
        }
        Some(End::Limit(cut))
    }

    /// A switch on a value that depends on the input: one alternative for each edge that can be
    /// taken.
    fn switch(&mut self, state: &mut State, switch: SwitchId, value: Value) -> Flow {
        self.stats.symbolic_branches += 1;
        let width = self.program().function(state.top.func).switch(switch).width;
        let term = value.term(&mut self.terms, width);
        let term = self.looked_at(state, term);
        if let Some(end) = self.uninit_decision(state, term) {
            return Flow::End(end);
        }
        let decisions = self.switch_decisions(state.top.func, switch, term);
        match M::decide_case(self, state, &decisions) {
            Decided::Open => {}
            Decided::As(edge) => {
                self.take_edge(state, edge);
                return Flow::Next;
            }
            Decided::Lost => return Flow::End(End::Silent),
        }
        let mut out = Alternatives::default();
        let mut rest = Some(self.split(state));
        for &(edge, condition) in decisions.iter() {
            let Some(current) = rest.take() else { break };
            let (held, failed) = self.split_on(current, condition, &mut out);
            if let Some(mut taken) = held {
                taken.choices.replace_since(0, Choice::Case(edge));
                self.take_edge(&mut taken, edge);
                out.goes_on(taken);
            }
            rest = failed;
        }
        out.settle(self, state)
    }
}

impl Executor {
    /// The value of an operand in the running frame.
    #[inline(always)]
    pub(crate) fn operand(&self, state: &State, operand: Operand) -> Value {
        if operand.is_const() {
            self.image.functions[state.top.func.index()].constants[operand.index()]
        } else {
            state.top.regs[operand.index()]
        }
    }

    fn operand_term(&mut self, state: &State, operand: Operand, width: u32) -> Term {
        let value = self.operand(state, operand);
        value.term(&mut self.terms, width)
    }

    pub(crate) fn set(&mut self, state: &mut State, dst: Reg, term: Term) {
        state.top.regs[dst.index()] = Value::of(&self.terms, term);
    }

    /// With `check_uninit`: the violation of deciding on a value that was never written.
    pub(crate) fn uninit_decision(&mut self, state: &State, condition: Term) -> Option<End> {
        if self.options.check_uninit && self.depends_on_unwritten(condition) {
            return Some(self.violation(state, Fault::Uninitialised(Use::Decision)));
        }
        None
    }

    /// The edges that a switch on `term` can take, with the conditions on which it does. Cases that
    /// go to one block with the same copies are one decision.
    fn switch_decisions(&mut self, func: FuncId, switch: SwitchId, term: Term) -> SwitchDecisions {
        if let Some(known) = self.switches.get(&(func, switch, term)) {
            return known.clone();
        }
        let image = self.image.clone();
        let function = image.program().function(func);
        let (table, edges) = (function.switch(switch), &function.edges);
        let mut groups: Vec<(EdgeId, Term)> = Vec::new();
        let mut any = self.terms.fals();
        let mut cases: Vec<(u64, EdgeId)> = table.cases.to_vec();
        if self.options.as_klee {
            cases.sort_by_key(|&(case, _)| std::cmp::Reverse(case));
        }
        for (case, edge) in cases {
            let constant = self.terms.constant(case, table.width);
            let equal = self.terms.eq(term, constant);
            any = self.terms.or(any, equal);
            match groups.iter_mut().find(|(known, _)| edges[known.index()] == edges[edge.index()]) {
                Some((_, condition)) => *condition = self.terms.or(*condition, equal),
                None => groups.push((edge, equal)),
            }
        }
        let none = self.terms.not(any);
        match groups.iter_mut().find(|(known, _)| edges[known.index()] == edges[table.default.index()]) {
            Some((_, condition)) => *condition = self.terms.or(*condition, none),
            None => groups.push((table.default, none)),
        }
        if self.switches.len() >= KNOWN_SWITCHES {
            self.switches.clear();
        }
        let decisions: SwitchDecisions = groups.into();
        self.switches.insert((func, switch, term), decisions.clone());
        decisions
    }
}

/// A condition on operands, and the violation of it.
struct Check {
    valid: Term,
    fault: Fault,
}
