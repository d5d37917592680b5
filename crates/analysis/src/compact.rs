//! Fewer registers: values that are never needed at the same time share one.
//!
//! The registers of a frame are copied at every fork and cleared at every call, and straight-line
//! code has many that are dead after the next instruction. Live ranges are taken as intervals of
//! the code (holes are ignored), and each interval gets the first register of its width that is
//! free: linear scan, without spilling. A function's registers are no longer in SSA form
//! afterwards, which neither execution nor backward reasoning needs.

use crate::Liveness;
use espalier_base::control;
use espalier_ir::{BlockId, Callee, FuncId, Function, Inst, Program, Reg};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Where the values of registers went, so that what was found out of a program in SSA form can be
/// said of the compacted one.
#[derive(Clone, Debug)]
pub struct RegisterMap {
    /// By function and former register; `None` where nothing was renamed.
    functions: Vec<Option<Box<[Reg]>>>,
}

impl RegisterMap {
    /// The register that has the value of a former one, wherever that one is live. Elsewhere it may
    /// hold another value.
    pub fn now(&self, func: FuncId, former: Reg) -> Reg {
        self.functions[func.index()].as_ref().map_or(former, |names| names[former.index()])
    }
}

/// Compacts every function of a verified program.
pub fn compact_registers(program: &mut Program) -> RegisterMap {
    // After a second return, registers that look dead are needed again.
    let returns_twice: Vec<bool> =
        program.functions.iter().map(|function| control::returning_twice().any(|name| name == function.name)).collect();
    let by_pointer = program.functions.iter().zip(&returns_twice).any(|(f, &twice)| twice && f.address_taken);
    let compacted = |function: &mut Function| {
        let may_return_twice = function.calls.iter().any(|site| match site.callee {
            Callee::Direct(callee) => returns_twice[callee.index()],
            Callee::Indirect(_) => by_pointer,
        });
        (!function.is_declaration() && !may_return_twice).then(|| compact(function))
    };
    RegisterMap { functions: program.functions.iter_mut().map(compacted).collect() }
}

/// Where a register is needed, as positions in the code: instruction `i` reads at `2 i` and writes
/// at `2 i + 1`.
#[derive(Copy, Clone)]
struct Interval {
    start: u32,
    end: u32,
}

impl Interval {
    const NONE: Interval = Interval { start: u32::MAX, end: 0 };

    fn cover(&mut self, position: u32) {
        self.start = self.start.min(position);
        self.end = self.end.max(position);
    }
}

fn intervals(function: &Function, liveness: &Liveness) -> Vec<Interval> {
    let mut intervals = vec![Interval::NONE; function.regs.len()];
    for (index, block) in function.blocks.iter().enumerate() {
        for reg in liveness.live_in(BlockId::new(index)) {
            intervals[reg.index()].cover(2 * block.start);
        }
        for pc in block.start..block.end {
            let inst = function.code[pc as usize];
            function.for_each_read(inst, |reg| intervals[reg.index()].cover(2 * pc));
            // A library function may write its result and then be executed again, for each
            // alternative that it forked into.
            let written = if matches!(inst, Inst::Call { .. }) { 2 * pc } else { 2 * pc + 1 };
            function.for_each_write(inst, |reg| intervals[reg.index()].cover(written));
        }
        // The copies of all edges happen after the block's end; whatever is live across any of them
        // is needed there.
        let after = 2 * block.end - 1;
        function.for_each_edge(function.code[block.end as usize - 1], |edge| {
            let edge = function.edge(edge);
            for reg in liveness.live_in(edge.target) {
                intervals[reg.index()].cover(after);
            }
            for &(dst, source) in edge.copies.iter() {
                intervals[dst.index()].cover(after);
                source.as_reg().into_iter().for_each(|reg| intervals[reg.index()].cover(after));
            }
        });
    }
    intervals
}

/// Where a loop begins, a register that is not needed any more may hold something else.
fn keep_live_variables(function: &mut Function, liveness: &Liveness) {
    for site in &mut function.loops {
        let live = liveness.live_in(site.head);
        site.variables.retain(|variable| live.binary_search(&variable.reg).is_ok());
    }
}

/// The new registers of one width.
#[derive(Default)]
struct Registers {
    free: BinaryHeap<Reverse<Reg>>,
    /// With where the interval ends that each was given.
    busy: BinaryHeap<Reverse<(u32, Reg)>>,
}

impl Registers {
    /// The first one that is free for an interval, which begins no earlier than the last one did.
    fn take(&mut self, interval: Interval, add: impl FnOnce() -> Reg) -> Reg {
        while let Some(&Reverse((end, reg))) = self.busy.peek()
            && end < interval.start
        {
            self.busy.pop();
            self.free.push(Reverse(reg));
        }
        let reg = self.free.pop().map_or_else(add, |Reverse(reg)| reg);
        self.busy.push(Reverse((interval.end, reg)));
        reg
    }
}

/// Gives the register that each former one became.
fn compact(function: &mut Function) -> Box<[Reg]> {
    let liveness = Liveness::of(function);
    let intervals = intervals(function, &liveness);
    let mut order: Vec<usize> = (function.entry_registers()..function.regs.len()).collect();
    order.sort_by_key(|&reg| (intervals[reg].start, reg));
    let mut widths: Vec<u32> = function.regs[..function.entry_registers()].to_vec();
    // Parameters stay, for call stacks show them.
    let mut names: Vec<Reg> = (0..function.regs.len()).map(Reg::new).collect();
    let mut by_width: FxHashMap<u32, Registers> = FxHashMap::default();
    for reg in order {
        let width = function.regs[reg];
        names[reg] = by_width.entry(width).or_default().take(intervals[reg], || {
            widths.push(width);
            Reg::new(widths.len() - 1)
        });
    }
    keep_live_variables(function, &liveness);
    function.rename_registers(|reg| names[reg.index()]);
    function.regs = widths;
    names.into()
}
