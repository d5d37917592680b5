//! The interpreter's loop for plain instructions: those on numbers, loads and stores of them,
//! jumps, calls and returns. Most code of most programs is of this kind, so the loop does nothing
//! else, and stops where `step` has to take over: at instructions on terms, at memory that is not
//! plain, at whatever forks, fails or ends a path.

use crate::interpreter::code::Op;
use crate::interpreter::fork::Flow;
use crate::interpreter::frames::Purpose;
use crate::interpreter::image::LoadedFunction;
use crate::interpreter::machine::{Interpreter, Machine};
use crate::interpreter::value::{Value, mask, signed};
use crate::interpreter::{float, operator};
use crate::memory::window::Windows;
use crate::paths::state::State;
use espalier_ir::{BlockId, EdgeId, Operand};
use std::hint::unreachable_unchecked;

/// Why the loop stopped.
pub(crate) enum Stopped {
    /// Before an instruction that is not plain.
    General,
    /// After one.
    Flow(Flow),
    /// At a block where paths join.
    Join,
    /// At the beginning of a function that is watched.
    Entered,
    /// At the end of a block that used the budget up.
    Budget,
}

/// What is plain at the moment.
#[derive(Copy, Clone)]
pub(crate) struct Plain {
    /// May memory be read? Not while a path is run again: then what is in memory stands for any
    /// state's.
    pub reads: bool,
    /// May numbers be stored? Not where somebody has to know of it.
    pub writes: bool,
    pub jumps: bool,
    /// Calls and returns.
    pub calls: bool,
    /// Stop where paths join?
    pub stops: bool,
    pub stops_at_watched: bool,
    /// Is somebody asked before other instructions are executed, or told when they were?
    pub hands_back: bool,
    pub max_stack_depth: u32,
}

/// The loop counts in bytes of code; it does not run for longer than this at once.
const SIZE: usize = size_of::<Op>();
const MOST: u64 = 1 << 40;

/// What is left of a budget goes below zero when a block is longer than that.
#[inline(always)]
fn is_used_up(left: usize) -> bool {
    left as isize <= 0
}

impl<M: Machine> Interpreter<'_, M> {
    /// Runs instructions of `state`, and says how many.
    pub(crate) fn run_plain(
        &mut self,
        state: &mut State,
        functions: &[LoadedFunction],
        windows: &mut Windows,
        plain: Plain,
        budget: u64,
    ) -> (Stopped, u64) {
        let is_watched = plain.stops || plain.stops_at_watched || plain.hands_back;
        if plain.reads && plain.writes && plain.jumps && plain.calls && !is_watched {
            self.run_loop::<true>(state, functions, windows, plain, budget)
        } else {
            self.run_loop::<false>(state, functions, windows, plain, budget)
        }
    }

    /// `FREE`: everything is plain, and nobody wants to know of a general instruction that does not
    /// fork or end the path. Then it is executed from here.
    #[inline(never)]
    fn run_loop<const FREE: bool>(
        &mut self,
        state: &mut State,
        functions: &[LoadedFunction],
        windows: &mut Windows,
        mut plain: Plain,
        budget: u64,
    ) -> (Stopped, u64) {
        if FREE {
            (plain.reads, plain.writes, plain.jumps, plain.calls) = (true, true, true, true);
            (plain.stops, plain.stops_at_watched) = (false, false);
        }
        let mut is_entered = false;
        windows.follow(&state.memory);
        let pointer_mask = mask(state.memory.layout.pointer_width);
        let budget = budget.min(MOST) as usize * SIZE;
        // What is left of it.
        let mut left = budget;
        'frame: loop {
            let func = state.top.func;
            // SAFETY: every function of the program is loaded, and states and calls name no others.
            let loaded = unsafe { functions.get_unchecked(func.index()) };
            debug_assert_eq!(state.top.regs.len(), self.image.program().function(func).regs.len());
            // Nothing is checked here that `Image::load` did: that every operand, result, edge and
            // call of the program exists, and that blocks end with terminators. A frame has as many
            // registers as its function says.
            let ops = loaded.ops.as_ptr();
            let regs = state.top.regs.as_mut_ptr();
            // SAFETY: a frame's `pc` is one of its function's instructions.
            let mut at = unsafe { ops.add(state.top.pc as usize) };
            // The instruction before which the budget would be used up if no jump came before it:
            // so instructions need not be counted one by one.
            let mut limit = (at as usize).wrapping_add(left);

            let stopped = 'run: {
                macro_rules! pc {
                    () => {
                        // SAFETY: both are in the same code.
                        unsafe { at.offset_from(ops) as u32 }
                    };
                }
                // What is left of the budget after the instruction that is running.
                macro_rules! left {
                    () => {
                        limit.wrapping_sub(at as usize).wrapping_sub(SIZE)
                    };
                }
                macro_rules! stop {
                    ($why:expr) => {
                        break 'run $why
                    };
                }
                if plain.stops_at_watched && std::mem::take(&mut is_entered) && loaded.is_watched.get() {
                    stop!(Stopped::Entered);
                }
                if is_used_up(left) {
                    stop!(Stopped::Budget);
                }
                macro_rules! next {
                    () => {
                        // SAFETY: only a terminator is the last instruction.
                        at = unsafe { at.add(1) }
                    };
                }
                macro_rules! reg {
                    ($reg:expr) => {
                        // SAFETY: verified on load.
                        unsafe { *regs.add($reg as usize) }
                    };
                }
                macro_rules! any {
                    ($operand:expr) => {{
                        let operand: Operand = $operand;
                        let index = operand.index();
                        // SAFETY: verified on load.
                        unsafe {
                            if operand.is_const() { *loaded.constants.get_unchecked(index) } else { *regs.add(index) }
                        }
                    }};
                }
                macro_rules! set {
                    ($dst:expr, $value:expr) => {{
                        let value = $value;
                        // SAFETY: verified on load.
                        unsafe { *regs.add($dst as usize) = value }
                    }};
                }
                // What an instruction gives for the numbers in its registers.
                macro_rules! number {
                    ($dst:expr, $a:expr, |$x:ident| $result:expr) => {{
                        let a = reg!($a);
                        if !a.is_concrete() {
                            stop!(Stopped::General);
                        }
                        let $x = a.bits();
                        set!($dst, Value::concrete($result));
                        next!();
                    }};
                    ($dst:expr, $a:expr, $b:expr, |$x:ident, $y:ident| $result:expr) => {{
                        let (a, b) = (reg!($a), reg!($b));
                        if !Value::both_concrete(a, b) {
                            stop!(Stopped::General);
                        }
                        let ($x, $y) = (a.bits(), b.bits());
                        set!($dst, Value::concrete($result));
                        next!();
                    }};
                }
                // Goes along an edge.
                macro_rules! jump {
                    ($edge:expr) => {{
                        let id: EdgeId = $edge;
                        if !plain.jumps {
                            stop!(Stopped::General);
                        }
                        // SAFETY: verified on load.
                        let edge = unsafe { loaded.edges.get_unchecked(id.index()) };
                        if edge.has_copies() {
                            for (dst, source) in loaded.copies(edge) {
                                set!(dst.0, any!(source));
                            }
                        }
                        let count = edge.count.get();
                        edge.count.set(count + 1);
                        if M::IS_RUN && count == 0 {
                            state.covers_new |= self.coverage.enter_by(func, id);
                        }
                        let left = left!();
                        // SAFETY: verified on load.
                        at = unsafe { ops.add(edge.start as usize) };
                        limit = left.wrapping_add(at as usize);
                        if plain.stops && edge.joins() {
                            stop!(Stopped::Join);
                        }
                        if is_used_up(left) {
                            stop!(Stopped::Budget);
                        }
                    }};
                }
                // Sets the result of a comparison; takes the branch on it if that is next.
                macro_rules! decide {
                    ($dst:expr, $branches:expr, $holds:expr) => {{
                        let holds: bool = $holds;
                        set!($dst, Value::concrete(holds as u64));
                        next!();
                        if $branches {
                            // SAFETY: the next instruction is what the comparison says.
                            let Op::Branch { then, otherwise, .. } = (unsafe { *at }) else {
                                // SAFETY: as above.
                                unsafe { unreachable_unchecked() }
                            };
                            jump!(if holds { then } else { otherwise });
                        }
                    }};
                }
                macro_rules! compare {
                    ($branches:expr, $dst:expr, $a:expr, |$x:ident| $holds:expr) => {{
                        let a = reg!($a);
                        if !a.is_concrete() {
                            stop!(Stopped::General);
                        }
                        let $x = a.bits();
                        decide!($dst, $branches, $holds)
                    }};
                    ($branches:expr, $dst:expr, $a:expr, $b:expr, |$x:ident, $y:ident| $holds:expr) => {{
                        let (a, b) = (reg!($a), reg!($b));
                        if !Value::both_concrete(a, b) {
                            stop!(Stopped::General);
                        }
                        let ($x, $y) = (a.bits(), b.bits());
                        decide!($dst, $branches, $holds)
                    }};
                }
                macro_rules! load {
                    ($looks:expr, $width:expr, $dst:expr, $address:expr) => {{
                        let (address, len) = ($address, ($width as u64).div_ceil(8));
                        if !plain.reads {
                            stop!(Stopped::General);
                        }
                        let found = if $looks {
                            match windows.read_number(address) {
                                None => windows.load_number(&state.memory, address, len),
                                found => found,
                            }
                        } else {
                            match windows.read(address) {
                                None => windows.load(&state.memory, address, len),
                                found => found,
                            }
                        };
                        let Some(number) = found else { stop!(Stopped::General) };
                        set!($dst, Value::concrete(number & mask($width as u32)));
                        next!();
                    }};
                }
                macro_rules! store {
                    ($width:expr, $value:expr, $pointer:expr) => {{
                        let (value, pointer) = ($value, $pointer);
                        let len = ($width as u64).div_ceil(8);
                        let (address, number) = (pointer.bits(), value.bits());
                        if !plain.writes
                            || !Value::both_concrete(value, pointer)
                            || !windows.write(&state.memory, address, number, len)
                                && !windows.store(&mut state.memory, address, number, len, plain.reads)
                        {
                            stop!(Stopped::General);
                        }
                        next!();
                    }};
                }
                loop {
                    // SAFETY: `at` is in the function's code.
                    match unsafe { *at } {
                        Op::General => stop!(Stopped::General),
                        Op::Add { width, dst, a, b } => {
                            number!(dst, a, b, |x, y| x.wrapping_add(y) & mask(width as u32))
                        }
                        Op::AddNumber { width, dst, a, number } => {
                            number!(dst, a, |x| x.wrapping_add(number) & mask(width as u32))
                        }
                        Op::Sub { width, dst, a, b } => {
                            number!(dst, a, b, |x, y| x.wrapping_sub(y) & mask(width as u32))
                        }
                        Op::Mul { width, dst, a, b } => {
                            number!(dst, a, b, |x, y| x.wrapping_mul(y) & mask(width as u32))
                        }
                        Op::MulNumber { width, dst, a, number } => {
                            number!(dst, a, |x| x.wrapping_mul(number) & mask(width as u32))
                        }
                        Op::And { dst, a, b } => number!(dst, a, b, |x, y| x & y),
                        Op::AndNumber { dst, a, number } => number!(dst, a, |x| x & number),
                        Op::Or { dst, a, b } => number!(dst, a, b, |x, y| x | y),
                        Op::OrNumber { dst, a, number } => number!(dst, a, |x| x | number),
                        Op::Xor { dst, a, b } => number!(dst, a, b, |x, y| x ^ y),
                        Op::XorNumber { dst, a, number } => number!(dst, a, |x| x ^ number),
                        Op::Shl { width, dst, a, b } => {
                            number!(dst, a, b, |x, y| {
                                if y >= width as u64 {
                                    stop!(Stopped::General);
                                }
                                (x << y) & mask(width as u32)
                            })
                        }
                        Op::ShlNumber { width, dst, a, by } => number!(dst, a, |x| (x << by) & mask(width as u32)),
                        Op::LShr { width, dst, a, b } => {
                            number!(dst, a, b, |x, y| {
                                if y >= width as u64 {
                                    stop!(Stopped::General);
                                }
                                x >> y
                            })
                        }
                        Op::LShrNumber { dst, a, by } => number!(dst, a, |x| x >> by),
                        Op::AShrNumber { width, dst, a, by } => {
                            let width = width as u32;
                            number!(dst, a, |x| (signed(x, width) >> by) as u64 & mask(width))
                        }
                        Op::Bin { op, width, dst, a, b } => {
                            let (x, y, width) = (any!(a), any!(b), width as u32);
                            if !Value::both_concrete(x, y) || operator::needs_check(op, width, y.bits()) {
                                stop!(Stopped::General);
                            }
                            set!(dst, Value::concrete(operator::bin(op, width, x.bits(), y.bits())));
                            next!();
                        }
                        Op::FBin { op, kind, dst, a, b } => {
                            let (x, y) = (any!(a), any!(b));
                            let result = float::host::bin(op, kind, x.bits(), y.bits());
                            let (true, Some(bits)) = (Value::both_concrete(x, y), result) else {
                                stop!(Stopped::General)
                            };
                            set!(dst, Value::concrete(bits));
                            next!();
                        }
                        Op::FCmp { op, kind, dst, a, b } => {
                            let (x, y) = (any!(a), any!(b));
                            let result = float::host::cmp(op, kind, x.bits(), y.bits());
                            let (true, Some(holds)) = (Value::both_concrete(x, y), result) else {
                                stop!(Stopped::General)
                            };
                            set!(dst, Value::concrete(holds as u64));
                            next!();
                        }
                        Op::PointerPair { bits, a, b } => {
                            let (x, y) = (any!(a), any!(b));
                            if !Value::both_concrete(x, y) || (x.bits() ^ y.bits()) >> bits != 0 {
                                stop!(Stopped::General);
                            }
                            next!();
                        }
                        Op::NumberPair { a, b } => {
                            let (x, y) = (reg!(a), any!(b));
                            if !Value::both_concrete(x, y)
                                || state.memory.may_be_address(x.bits())
                                || state.memory.may_be_address(y.bits())
                            {
                                stop!(Stopped::General);
                            }
                            next!();
                        }
                        Op::Eq { branches, dst, a, b } => compare!(branches, dst, a, b, |x, y| x == y),
                        Op::EqNumber { branches, dst, a, number } => compare!(branches, dst, a, |x| x == number),
                        Op::Ne { branches, dst, a, b } => compare!(branches, dst, a, b, |x, y| x != y),
                        Op::NeNumber { branches, dst, a, number } => compare!(branches, dst, a, |x| x != number),
                        Op::Ult { branches, dst, a, b } => compare!(branches, dst, a, b, |x, y| x < y),
                        Op::Ule { branches, dst, a, b } => compare!(branches, dst, a, b, |x, y| x <= y),
                        Op::UltNumber { branches, dst, a, number } => compare!(branches, dst, a, |x| x < number),
                        Op::UgtNumber { branches, dst, a, number } => compare!(branches, dst, a, |x| x > number),
                        Op::Slt { branches, shift, dst, a, b } => {
                            compare!(branches, dst, a, b, |x, y| ((x << shift) as i64) < (y << shift) as i64)
                        }
                        Op::Sle { branches, shift, dst, a, b } => {
                            compare!(branches, dst, a, b, |x, y| (x << shift) as i64 <= (y << shift) as i64)
                        }
                        Op::SltNumber { branches, shift, dst, a, number } => {
                            compare!(branches, dst, a, |x| ((x << shift) as i64) < number)
                        }
                        Op::SgtNumber { branches, shift, dst, a, number } => {
                            compare!(branches, dst, a, |x| (x << shift) as i64 > number)
                        }
                        Op::ZExt { dst, a } => number!(dst, a, |x| x),
                        Op::Copy { dst, a } => {
                            set!(dst, reg!(a));
                            next!();
                        }
                        Op::Set { dst, number } => {
                            set!(dst, Value::concrete(number));
                            next!();
                        }
                        Op::SExt { width, from, dst, a } => {
                            number!(dst, a, |x| signed(x, from as u32) as u64 & mask(width as u32))
                        }
                        Op::Select { dst, cond, a, b } => {
                            let condition = reg!(cond);
                            if !condition.is_concrete() {
                                stop!(Stopped::General);
                            }
                            set!(dst, if condition.bits() != 0 { any!(a) } else { any!(b) });
                            next!();
                        }
                        Op::PtrAdd { dst, base, index, scale, offset } => {
                            number!(dst, base, index, |x, y| {
                                x.wrapping_add(operator::moved(y, scale, offset)) & pointer_mask
                            })
                        }
                        Op::PtrIndex { scale, dst, index, start } => {
                            number!(dst, index, |x| start.wrapping_add(x.wrapping_mul(scale as u64)) & pointer_mask)
                        }
                        Op::Load { looks, width, dst, ptr } => {
                            let pointer = reg!(ptr);
                            if !pointer.is_concrete() {
                                stop!(Stopped::General);
                            }
                            load!(looks, width, dst, pointer.bits())
                        }
                        Op::LoadAt { looks, width, dst, ptr, base, offset } => {
                            let base = reg!(base);
                            if !base.is_concrete() {
                                stop!(Stopped::General);
                            }
                            let address = base.bits().wrapping_add(offset as i64 as u64) & pointer_mask;
                            set!(ptr, Value::concrete(address));
                            next!();
                            load!(looks, width, dst, address)
                        }
                        Op::LoadFrom { looks, width, dst, address } => load!(looks, width, dst, address),
                        Op::Store { width, value, ptr } => store!(width, reg!(value), reg!(ptr)),
                        Op::StoreAny { width, value, ptr } => store!(width, any!(value), any!(ptr)),
                        Op::Jump { edge } => jump!(edge),
                        Op::Branch { cond, then, otherwise } => {
                            let condition = reg!(cond);
                            if !condition.is_concrete() {
                                stop!(Stopped::General);
                            }
                            jump!(if condition.bits() != 0 { then } else { otherwise })
                        }
                        Op::Switch { value, switch } => {
                            let value = reg!(value);
                            if !value.is_concrete() {
                                stop!(Stopped::General);
                            }
                            jump!(loaded.switches[switch.index()].edge(value.bits()))
                        }
                        Op::Call { call } | Op::CallTo { call, .. } => {
                            // SAFETY: verified on load.
                            let made = unsafe { loaded.plain_calls.get_unchecked(call.index()) };
                            let Some(made) = made else { stop!(Stopped::General) };
                            // SAFETY: as above.
                            if let Op::CallTo { target, .. } = unsafe { *at } {
                                let (pointer, known) = (reg!(target), made.address.get());
                                if !pointer.is_concrete() || pointer.bits() != known || known == 0 {
                                    stop!(Stopped::General);
                                }
                            }
                            if !plain.calls || state.top.depth >= plain.max_stack_depth {
                                stop!(Stopped::General);
                            }
                            left = left!();
                            let pc = pc!();
                            state.top.pc = pc + 1;
                            self.stats.calls += 1;
                            if M::IS_RUN && !made.is_marked.replace(true) {
                                self.coverage.mark(func, pc);
                            }
                            let (callee, registers) = (made.callee.get(), made.registers.get() as usize);
                            let purpose = Purpose::PlainCall(made.result);
                            let args = loaded.args(made);
                            // The caller's registers stay where they are.
                            let entered = state.enter(&mut self.spare_frames, callee, purpose, registers, 0);
                            for (reg, &arg) in entered.iter_mut().zip(args) {
                                *reg = any!(arg);
                            }
                            // SAFETY: as for the running function.
                            let calls = unsafe { &functions.get_unchecked(callee.index()).calls };
                            calls.set(calls.get() + 1);
                            if M::IS_RUN && calls.get() == 1 {
                                state.covers_new |= self.coverage.enter(callee, BlockId(0));
                            }
                            is_entered = true;
                            continue 'frame;
                        }
                        Op::Return { number, value } => {
                            let Purpose::PlainCall(result) = state.top.purpose else { stop!(Stopped::General) };
                            if !plain.calls || !state.top.allocas.is_empty() {
                                stop!(Stopped::General);
                            }
                            left = left!();
                            if M::IS_RUN && loaded.returns.get() >> number & 1 == 0 {
                                loaded.returns.set(loaded.returns.get() | 1 << number);
                                self.coverage.mark(func, pc!());
                            }
                            let value = value.map_or(Value::ZERO, |value| any!(value));
                            is_entered = false;
                            state.leave(&mut self.spare_frames);
                            if let Some(dst) = result {
                                state.top.regs[dst.index()] = value;
                            }
                            continue 'frame;
                        }
                    }
                }
            };
            // SAFETY: both are in the same code.
            state.top.pc = unsafe { at.offset_from(ops) as u32 };
            left = limit.wrapping_sub(at as usize);
            let executed = |left: usize| (budget.wrapping_sub(left) / SIZE) as u64;
            if !FREE || !matches!(stopped, Stopped::General) {
                return (stopped, executed(left));
            }
            left = left.wrapping_sub(SIZE);
            match self.general(state) {
                Flow::Next if state.aliases.is_empty() => windows.follow(&state.memory),
                flow => return (Stopped::Flow(flow), executed(left)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Executor;
    use crate::interpreter::image::Image;
    use crate::interpreter::operator::tests::{OPS, samples};
    use crate::{End, Options, Step};
    use espalier_expr::{Term, Terms};
    use espalier_ir::{
        BinOp, Block, CastOp, CmpOp, ConstExpr, ConstId, Constant, Edge, FuncId, Function, Global, GlobalId, Inst, Loc,
        Program, Reg, Target,
    };
    use std::rc::Rc;

    const COMPARISONS: [CmpOp; 10] = [
        CmpOp::Eq,
        CmpOp::Ne,
        CmpOp::Ult,
        CmpOp::Ule,
        CmpOp::Ugt,
        CmpOp::Uge,
        CmpOp::Slt,
        CmpOp::Sle,
        CmpOp::Sgt,
        CmpOp::Sge,
    ];

    /// A `main` that computes one thing after the other and stores every result in eight bytes of
    /// its own.
    struct Writer {
        function: Function,
        block: u32,
        /// What is to be found.
        expected: Vec<(String, u64)>,
    }

    impl Writer {
        fn new() -> Writer {
            // Shifts by too much are no errors then.
            let function = Function { is_runtime: true, ..Function::declaration("main".into(), Vec::new(), vec![32]) };
            Writer { function, block: 0, expected: Vec::new() }
        }

        fn constant(&mut self, constant: Constant) -> Operand {
            self.function.constants.push(constant);
            Operand::constant(ConstId::new(self.function.constants.len() - 1))
        }

        fn number(&mut self, value: u64, width: u32) -> Operand {
            self.constant(Constant::Int { value, width })
        }

        fn reg(&mut self, width: u32) -> Reg {
            self.function.regs.push(width);
            Reg::new(self.function.regs.len() - 1)
        }

        fn push(&mut self, inst: Inst) {
            self.function.code.push(inst);
            self.function.locs.push(Loc::UNKNOWN);
        }

        /// A number as an operand: a register that holds it, or a constant.
        fn operand(&mut self, value: u64, width: u32, in_register: bool) -> Operand {
            let constant = self.number(value, width);
            if !in_register {
                return constant;
            }
            let dst = self.reg(width);
            self.push(Inst::Copy { width, dst, a: constant });
            dst.into()
        }

        fn end_block(&mut self) {
            let end = self.function.code.len() as u32;
            self.function.blocks.push(Block { start: self.block, end });
            self.block = end;
        }

        fn keep(&mut self, reg: Reg, width: u32, what: String, expected: u64) {
            let offset = Constant::Int { value: 8 * self.expected.len() as u64, width: 64 };
            let sum = ConstExpr::Bin { op: BinOp::Add, width: 64, a: Constant::Global(GlobalId(0)), b: offset };
            let ptr = self.constant(Constant::Expr(Box::new(sum)));
            self.push(Inst::Store { width, value: reg.into(), ptr });
            self.expected.push((what, expected));
        }

        fn bin(&mut self, terms: &mut Terms, op: BinOp, width: u32, (a, b): (u64, u64), form: (bool, bool)) {
            let (x, y) = (terms.constant(a, width), terms.constant(b, width));
            let term = operator::bin_term(terms, op, x, y);
            let expected = number(terms, term);
            let (x, y, dst) =
                (self.operand(a, width, form.0), self.operand(b, width, form.1), self.reg(width_of(terms, term)));
            self.push(Inst::Bin { op, width, dst, a: x, b: y });
            self.keep(dst, width_of(terms, term), format!("{op:?} i{width} {a:#x} {b:#x} {form:?}"), expected);
        }

        /// A comparison, and the branch on it.
        fn cmp(&mut self, terms: &mut Terms, op: CmpOp, width: u32, (a, b): (u64, u64), form: (bool, bool)) {
            let (x, y) = (terms.constant(a, width), terms.constant(b, width));
            let term = operator::cmp_term(terms, op, x, y);
            let expected = number(terms, term);
            let what = format!("{op:?} i{width} {a:#x} {b:#x} {form:?}");
            let (x, y, dst, side) =
                (self.operand(a, width, form.0), self.operand(b, width, form.1), self.reg(1), self.reg(8));
            self.push(Inst::Cmp { op, width, dst, a: x, b: y });
            let edges = [20, 10].map(|number| {
                let constant = self.number(number, 8);
                let target = espalier_ir::BlockId::new(self.function.blocks.len() + 1);
                self.function.edges.push(Edge { target, copies: Box::new([(side, constant)]) });
                EdgeId::new(self.function.edges.len() - 1)
            });
            self.push(Inst::Branch { cond: dst.into(), then: edges[0], otherwise: edges[1] });
            self.end_block();
            self.keep(dst, 1, what.clone(), expected);
            self.keep(side, 8, format!("the branch on {what}"), if expected == 1 { 20 } else { 10 });
        }

        fn cast(&mut self, terms: &mut Terms, op: CastOp, from: u32, to: u32, a: u64) {
            let x = terms.constant(a, from);
            let term = match op {
                CastOp::Trunc => terms.extract(x, 0, to),
                CastOp::ZExt => terms.zext(x, to),
                CastOp::SExt => terms.sext(x, to),
            };
            let expected = number(terms, term);
            let (x, dst) = (self.operand(a, from, true), self.reg(to));
            self.push(Inst::Cast { op, from, to, dst, a: x });
            self.keep(dst, to, format!("{op:?} i{from} {a:#x} to i{to}"), expected);
        }

        fn ptr_add(&mut self, (a, b): (u64, u64), (scale, offset): (u32, i32), form: (bool, bool)) {
            let (base, index, dst) = (self.operand(a, 64, form.0), self.operand(b, 64, form.1), self.reg(64));
            self.push(Inst::PtrAdd { dst, base, index, scale, offset });
            let expected = a.wrapping_add(b.wrapping_mul(scale as u64)).wrapping_add(offset as i64 as u64);
            self.keep(dst, 64, format!("{a:#x} + {b:#x} * {scale} + {offset} {form:?}"), expected);
        }

        /// Runs it, with plain instructions and without, and looks at what it stored. Gives how
        /// many instructions were plain.
        fn check(mut self) -> usize {
            let status = self.number(0, 32);
            self.push(Inst::Return { ret: 0 });
            self.function.returns.push(vec![status]);
            self.end_block();
            let results = Global {
                name: "results".into(),
                size: 8 * self.expected.len() as u64,
                align: 8,
                is_constant: false,
                is_scalar: false,
                is_integer: false,
                is_external: false,
                loc: Loc::UNKNOWN,
                init: Vec::new(),
            };
            let program = Program {
                target: Target { triple: String::new(), pointer_width: 64 },
                functions: vec![self.function],
                globals: vec![results],
                files: Vec::new(),
                constructors: Vec::new(),
                destructors: Vec::new(),
                unsupported: Vec::new(),
                function_names: Default::default(),
                global_names: Default::default(),
                assigned_names: Default::default(),
                pointees: Vec::new(),
                packs_addresses: false,
                left_out: Vec::new(),
            };
            let program = Rc::new(program);
            let mut executor = Executor::new(program.clone(), Default::default(), Options::default()).unwrap();
            let is_plain = |op: &&Op| !matches!(op, Op::General);
            let plain = executor.image.functions[0].ops.iter().filter(is_plain).count();
            run(&mut executor, &self.expected);
            // The general way gives the same.
            let mut image = Image::load(program, &mut executor.terms, &mut executor.has_unknowns).unwrap();
            image.functions[0].ops.fill(Op::General);
            executor.image = Rc::new(image);
            run(&mut executor, &self.expected);
            plain
        }
    }

    fn run(executor: &mut Executor, expected: &[(String, u64)]) {
        let mut state = executor.initial_state(FuncId(0)).unwrap();
        assert!(matches!(executor.run(&mut state, u64::MAX), Step::End(End::Exit(_))));
        let object = state.memory.object(executor.image.global_address(GlobalId(0))).unwrap();
        for (index, (what, expected)) in expected.iter().enumerate() {
            assert_eq!(object.contents.read_number(8 * index, 8), Some(*expected), "{what}");
        }
    }

    fn number(terms: &Terms, term: Term) -> u64 {
        terms.as_u64(term).unwrap()
    }

    fn width_of(terms: &Terms, term: Term) -> u32 {
        terms.width(term)
    }

    /// Every operator gives what the terms give, with operands of every form, on all samples.
    #[test]
    fn plain_instructions_and_terms_agree() {
        let mut terms = Terms::new();
        for width in [1, 7, 8, 16, 31, 32, 33, 63, 64] {
            for form in [(true, true), (true, false), (false, true)] {
                let mut writer = Writer::new();
                for &a in &samples(width) {
                    for &b in &samples(width) {
                        for op in OPS {
                            let divides = matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem);
                            if !divides || b != 0 && b != mask(width) {
                                writer.bin(&mut terms, op, width, (a, b), form);
                            }
                        }
                        for op in COMPARISONS {
                            writer.cmp(&mut terms, op, width, (a, b), form);
                        }
                    }
                    for other in [1, 8, 9, 32, 64] {
                        if other < width {
                            writer.cast(&mut terms, CastOp::Trunc, width, other, a);
                        } else if other > width {
                            writer.cast(&mut terms, CastOp::ZExt, width, other, a);
                            writer.cast(&mut terms, CastOp::SExt, width, other, a);
                        }
                    }
                }
                let results = writer.expected.len();
                assert!(writer.check() > results);
            }
        }
    }

    #[test]
    fn sums_of_pointers_are_right() {
        for form in [(true, true), (true, false), (false, true), (false, false)] {
            let mut writer = Writer::new();
            for &a in &samples(64) {
                for &b in &samples(64) {
                    for by in [(0, 0), (1, 0), (8, -8), (255, i32::MAX), (768, 16), (65536, 1), (u32::MAX, i32::MIN)] {
                        writer.ptr_add((a, b), by, form);
                    }
                }
            }
            writer.check();
        }
    }
}
