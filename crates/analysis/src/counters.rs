//! Loop counters whose only effect is to end things.
//!
//! In `for (i = 0; i < 20; i++) step(read());`, with nothing to look for behind the loop, `i`
//! decides nothing but how often there is still a next round. A state in round 12 can then reach no
//! more than the same state in round 7 could. Such a counter need not be equal for one state to
//! stand for another, it has to be no further on. This is what keeps the number of states that are
//! explored from growing with the bound of the loop.
//!
//! A register is such a counter of the loop with head `H` if
//!
//! - `H` ends in a branch on a comparison of it with a constant, and one side of that can reach
//!   nothing that is looked for (`relevance`);
//! - on every way back to `H` it has grown by a constant (or shrunk, for comparisons the other way
//!   round), and cannot wrap around when it does;
//! - nothing else is made of it, but further comparisons in the same direction with the same kind
//!   of end on the other side.
//!
//! Then two states that are equal but for the counter go the same ways for as long as the one that
//! is further on is in the loop, by induction over their steps. The analysis is a forward data-flow
//! analysis from `H`: which registers are the counter's value at `H` plus which constant.

use crate::Relevance;
use espalier_base::bits::{mask, sign_bit, signed};
use espalier_ir::{BinOp, BlockId, CmpOp, ConstId, Constant, FuncId, Function, Inst, Operand, Reg};

/// What is known of a register relative to the counter at the loop's head.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Fact {
    /// It has nothing to do with the counter.
    Plain,
    /// The counter plus this constant.
    Offset(u64),
    /// How the counter plus `offset` compares with `bound`.
    Comparison { op: CmpOp, width: u32, offset: u64, bound: u64 },
    /// Something else that depends on the counter, or on the way that was taken. It may be copied
    /// around, but not used.
    Mixed,
}

impl Fact {
    fn join(self, other: Fact) -> Fact {
        if self == other { self } else { Fact::Mixed }
    }
}

/// Which way a counter goes, and how far: it stays in the loop while it is not past `last`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Course {
    width: u32,
    is_signed: bool,
    is_ascending: bool,
    last: i128,
}

impl Course {
    /// "Goes on while the counter compares so with `bound`."
    fn of(op: CmpOp, bound: u64, width: u32) -> Option<Course> {
        let is_signed = matches!(op, CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge);
        let bound = if is_signed { i128::from(signed(bound, width)) } else { i128::from(bound) };
        let (is_ascending, last) = match op {
            CmpOp::Ult | CmpOp::Slt => (true, bound - 1),
            CmpOp::Ule | CmpOp::Sle => (true, bound),
            CmpOp::Ugt | CmpOp::Sgt => (false, bound + 1),
            CmpOp::Uge | CmpOp::Sge => (false, bound),
            CmpOp::Eq | CmpOp::Ne => return None,
        };
        Some(Course { width, is_signed, is_ascending, last })
    }

    /// Does adding `offset` to a counter that is not past its last value keep the direction,
    /// without wrapping around?
    fn allows(self, offset: u64) -> bool {
        let step = i128::from(signed(offset, self.width));
        let (least, most) = match self.is_signed {
            true => (-(1i128 << (self.width - 1)), (1i128 << (self.width - 1)) - 1),
            false => (0, (1i128 << self.width) - 1),
        };
        match self.is_ascending {
            true => step >= 0 && self.last + step <= most,
            false => step <= 0 && self.last + step >= least,
        }
    }

    /// How far on a counter is: more is further.
    fn progress(self, value: u64) -> u64 {
        let ordered = if self.is_signed { value ^ sign_bit(self.width) } else { value };
        if self.is_ascending { ordered } else { !ordered & mask(self.width) }
    }
}

/// A loop with such a counter, and the facts where each block begins, as far as it can be reached
/// from the head.
struct CountedLoop {
    course: Course,
    facts: Vec<Option<Vec<Fact>>>,
}

/// The counted loops of a function.
#[derive(Default)]
pub struct CountedLoops(Vec<CountedLoop>);

/// A register that holds such a counter plus `offset`.
pub struct Counter {
    pub reg: Reg,
    offset: u64,
    course: Course,
}

impl Counter {
    /// How far on the counter is, if the register holds `value`.
    pub fn progress(&self, value: u64) -> u64 {
        self.course.progress(value.wrapping_sub(self.offset) & mask(self.course.width))
    }
}

impl CountedLoops {
    pub fn of(relevance: &Relevance, func: FuncId, function: &Function) -> CountedLoops {
        let analysis = Analysis { relevance, func, function };
        CountedLoops((0..function.blocks.len()).filter_map(|head| analysis.counted_loop(BlockId::new(head))).collect())
    }

    /// The counters that a frame at instruction `pc` of the function has, if nothing that is looked
    /// for can be reached when the function returns.
    pub fn counters_at(&self, function: &Function, pc: u32) -> Vec<Counter> {
        let Some(block) = function.block_at(pc) else { return Vec::new() };
        let mut counters: Vec<Counter> = Vec::new();
        for CountedLoop { course, facts } in &self.0 {
            let Some(mut facts) = facts[block.index()].clone() else { continue };
            for &inst in &function.code[function.block(block).start as usize..pc as usize] {
                step(function, inst, &mut facts);
            }
            // One register for each loop is enough; others are compared like any register.
            let held = facts.iter().enumerate().find_map(|(reg, fact)| match *fact {
                Fact::Offset(offset) => Some((Reg::new(reg), offset)),
                _ => None,
            });
            if let Some((reg, offset)) = held
                && counters.iter().all(|counter| counter.reg != reg)
            {
                counters.push(Counter { reg, offset, course: *course });
            }
        }
        counters
    }
}

/// What an instruction does to the facts.
fn step(function: &Function, inst: Inst, facts: &mut [Fact]) {
    let fact = |operand: Operand| operand.as_reg().map_or(Fact::Plain, |reg| facts[reg.index()]);
    let number = |operand: Operand| number(function, operand);
    let result = match inst {
        Inst::Copy { a, .. } => fact(a),
        Inst::Bin { op: BinOp::Add, width, a, b, .. } => match (fact(a), number(b), fact(b), number(a)) {
            (Fact::Offset(k), Some(c), ..) | (.., Fact::Offset(k), Some(c)) => {
                Fact::Offset(k.wrapping_add(c) & mask(width))
            }
            _ => depends(function, inst, facts),
        },
        Inst::Bin { op: BinOp::Sub, width, a, b, .. } => match (fact(a), number(b)) {
            (Fact::Offset(k), Some(c)) => Fact::Offset(k.wrapping_sub(c) & mask(width)),
            _ => depends(function, inst, facts),
        },
        Inst::Cmp { op, width, a, b, .. } => match (fact(a), number(b), fact(b), number(a)) {
            (Fact::Offset(offset), Some(bound), ..) => Fact::Comparison { op, width, offset, bound },
            (.., Fact::Offset(offset), Some(bound)) => Fact::Comparison { op: op.swapped(), width, offset, bound },
            _ => depends(function, inst, facts),
        },
        _ => depends(function, inst, facts),
    };
    function.for_each_write(inst, |reg| facts[reg.index()] = result);
}

/// What is known of the result of an instruction from what it reads alone.
fn depends(function: &Function, inst: Inst, facts: &[Fact]) -> Fact {
    let mut result = Fact::Plain;
    function.for_each_read(inst, |reg| {
        if facts[reg.index()] != Fact::Plain {
            result = Fact::Mixed;
        }
    });
    result
}

/// A constant of at most 64 bits.
fn number(function: &Function, operand: Operand) -> Option<u64> {
    if !operand.is_const() {
        return None;
    }
    match function.constant(ConstId::new(operand.index())) {
        Constant::Int { value, .. } => Some(*value),
        _ => None,
    }
}

struct Analysis<'a> {
    relevance: &'a Relevance,
    func: FuncId,
    function: &'a Function,
}

impl Analysis<'_> {
    fn is_relevant(&self, block: BlockId) -> bool {
        self.relevance.reaches_from(self.func, block)
    }

    fn code(&self, block: BlockId) -> &[Inst] {
        let block = self.function.block(block);
        &self.function.code[block.start as usize..block.end as usize]
    }

    /// The loop with this head, if it is a counted one.
    fn counted_loop(&self, head: BlockId) -> Option<CountedLoop> {
        let (&last, before) = self.code(head).split_last()?;
        let Inst::Branch { cond, .. } = last else { return None };
        let counter = before.iter().rev().find_map(|&inst| match inst {
            Inst::Cmp { dst, a, b, .. } if Operand::reg(dst) == cond => a.as_reg().or(b.as_reg()),
            _ => None,
        })?;
        let mut facts = self.facts_at_head(counter);
        before.iter().for_each(|&inst| step(self.function, inst, &mut facts));
        let course = self.course(last, &facts).filter(|(_, offset)| *offset == 0)?.0;
        let facts = self.propagate(head, counter);
        let is_counted = (0..facts.len()).map(BlockId::new).all(|block| match &facts[block.index()] {
            None => true,
            Some(facts) => {
                self.uses_are_fine(course, block, block == head, facts) && {
                    let mut back = self.after(block, facts.clone()).into_iter().filter(|(target, _)| *target == head);
                    back.all(|(_, facts)| matches!(facts[counter.index()], Fact::Offset(by) if course.allows(by)))
                }
            }
        });
        is_counted.then_some(CountedLoop { course, facts })
    }

    fn facts_at_head(&self, counter: Reg) -> Vec<Fact> {
        let mut facts = vec![Fact::Plain; self.function.regs.len()];
        facts[counter.index()] = Fact::Offset(0);
        facts
    }

    /// The facts where each block begins that can be reached from the head and can reach what is
    /// looked for.
    fn propagate(&self, head: BlockId, counter: Reg) -> Vec<Option<Vec<Fact>>> {
        let mut at = self.facts_of_other_arrivals(head);
        at[head.index()] = Some(self.facts_at_head(counter));
        let mut is_visited = vec![false; at.len()];
        let mut waiting = vec![head];
        while let Some(block) = waiting.pop() {
            is_visited[block.index()] = true;
            let Some(facts) = at[block.index()].clone() else { continue };
            for (target, mut arriving) in self.after(block, facts) {
                if target == head {
                    arriving[counter.index()] = Fact::Offset(0);
                }
                let known = at[target.index()].get_or_insert_with(|| arriving.clone());
                let joined: Vec<Fact> = known.iter().zip(&arriving).map(|(a, b)| a.join(*b)).collect();
                if std::mem::replace(known, joined.clone()) != joined || !is_visited[target.index()] {
                    waiting.push(target);
                }
            }
        }
        at
    }

    /// Nothing is known of the counter where a block is also entered from blocks that cannot be
    /// reached from the head.
    fn facts_of_other_arrivals(&self, head: BlockId) -> Vec<Option<Vec<Fact>>> {
        let plain = vec![Fact::Plain; self.function.regs.len()];
        let mut is_reached = vec![false; self.function.blocks.len()];
        let mut waiting = vec![head];
        while let Some(block) = waiting.pop() {
            if !std::mem::replace(&mut is_reached[block.index()], true) {
                waiting.extend(self.after(block, plain.clone()).into_iter().map(|(target, _)| target));
            }
        }
        let mut at: Vec<Option<Vec<Fact>>> = vec![None; is_reached.len()];
        if is_reached[0] {
            at[0] = Some(plain.clone());
        }
        for from in (0..is_reached.len()).filter(|&block| !is_reached[block]) {
            for (target, _) in self.after(BlockId::new(from), plain.clone()) {
                if is_reached[target.index()] {
                    at[target.index()] = Some(plain.clone());
                }
            }
        }
        at
    }

    /// The relevant blocks that follow, with the facts that hold on the way there.
    fn after(&self, block: BlockId, mut facts: Vec<Fact>) -> Vec<(BlockId, Vec<Fact>)> {
        let code = self.code(block);
        code.iter().for_each(|&inst| step(self.function, inst, &mut facts));
        let mut next = Vec::new();
        let last = code.last().copied();
        last.into_iter().for_each(|last| {
            self.function.for_each_edge(last, |edge| {
                let edge = self.function.edge(edge);
                if !self.is_relevant(edge.target) {
                    return;
                }
                let mut arriving = facts.clone();
                for &(dst, source) in edge.copies.iter() {
                    arriving[dst.index()] = source.as_reg().map_or(Fact::Plain, |reg| arriving[reg.index()]);
                }
                next.push((edge.target, arriving));
            });
        });
        next
    }

    /// Can no use of the counter in a block tell two of its values apart, other than by leaving the
    /// loop?
    fn uses_are_fine(&self, course: Course, block: BlockId, is_head: bool, facts: &[Fact]) -> bool {
        let mut facts = facts.to_vec();
        self.code(block).iter().all(|&inst| {
            let is_used = depends(self.function, inst, &facts) != Fact::Plain;
            let before = is_used.then(|| facts.clone());
            step(self.function, inst, &mut facts);
            let Some(before) = before else { return true };
            match inst {
                Inst::Copy { .. } => true,
                Inst::Bin { dst, .. } | Inst::Cmp { dst, .. } => facts[dst.index()] != Fact::Mixed,
                Inst::Branch { .. } => self.course(inst, &before).is_some_and(|(other, offset)| {
                    let is_same_way = (other.width, other.is_signed, other.is_ascending)
                        == (course.width, course.is_signed, course.is_ascending);
                    is_same_way && if is_head { offset == 0 } else { course.allows(offset) }
                }),
                _ => false,
            }
        })
    }

    /// For a branch on a comparison of the counter that has one relevant side: how the counter has
    /// to compare for the path to go there, and the offset of what is compared.
    fn course(&self, branch: Inst, facts: &[Fact]) -> Option<(Course, u64)> {
        let Inst::Branch { cond, then, otherwise } = branch else { return None };
        let Fact::Comparison { op, width, offset, bound } = facts[cond.as_reg()?.index()] else { return None };
        let [then, otherwise] = [then, otherwise].map(|edge| self.is_relevant(self.function.edge(edge).target));
        let op = match (then, otherwise) {
            (true, false) => op,
            (false, true) => op.negated(),
            _ => return None,
        };
        Some((Course::of(op, bound, width)?, offset))
    }
}
