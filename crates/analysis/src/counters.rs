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
//! analysis from `H`: which registers are the counter's value at `H` plus which constant. Facts are
//! kept of registers that have to do with the counter, a handful of the many thousands of a
//! generated function. Facts only ever become weaker, and what is done with a weaker one is no
//! better: the first use that tells values of the counter apart ends the analysis of a loop.

use crate::Relevance;
use espalier_base::bits::{mask, sign_bit, signed};
use espalier_ir::{BinOp, BlockId, CmpOp, ConstId, Constant, Edge, FuncId, Function, Inst, Operand, Reg};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

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

/// The facts of all registers, in their order, without those that are plain.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Facts(Vec<(Reg, Fact)>);

impl Facts {
    fn place(&self, reg: Reg) -> Result<usize, usize> {
        self.0.binary_search_by_key(&reg, |&(reg, _)| reg)
    }

    fn get(&self, reg: Reg) -> Fact {
        self.place(reg).map_or(Fact::Plain, |place| self.0[place].1)
    }

    fn of(&self, operand: Operand) -> Fact {
        operand.as_reg().map_or(Fact::Plain, |reg| self.get(reg))
    }

    fn set(&mut self, reg: Reg, fact: Fact) {
        match (self.place(reg), fact) {
            (Ok(place), Fact::Plain) => drop(self.0.remove(place)),
            (Ok(place), fact) => self.0[place].1 = fact,
            (Err(_), Fact::Plain) => {}
            (Err(place), fact) => self.0.insert(place, (reg, fact)),
        }
    }

    /// Takes in what holds on another way. Did anything change?
    fn join(&mut self, other: &Facts) -> bool {
        if self == other {
            return false;
        }
        let regs: Vec<Reg> = self.0.iter().chain(&other.0).map(|&(reg, _)| reg).collect();
        let mut changed = false;
        for reg in regs {
            let known = self.get(reg);
            let joined = known.join(other.get(reg));
            changed |= joined != known;
            self.set(reg, joined);
        }
        changed
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

/// A loop with such a counter, and the facts where blocks begin, if there are any.
struct CountedLoop {
    course: Course,
    facts: FxHashMap<BlockId, Facts>,
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
            let Some(mut facts) = facts.get(&block).cloned() else { continue };
            for &inst in &function.code[function.block(block).start as usize..pc as usize] {
                step(function, inst, &mut facts);
            }
            // One register for each loop is enough; others are compared like any register.
            let held = facts.0.iter().find_map(|&(reg, fact)| match fact {
                Fact::Offset(offset) => Some((reg, offset)),
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
fn step(function: &Function, inst: Inst, facts: &mut Facts) {
    let fact = |operand: Operand| facts.of(operand);
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
    function.for_each_write(inst, |reg| facts.set(reg, result));
}

/// What is known of the result of an instruction from what it reads alone.
fn depends(function: &Function, inst: Inst, facts: &Facts) -> Fact {
    let mut result = Fact::Plain;
    function.for_each_read(inst, |reg| {
        if facts.get(reg) != Fact::Plain {
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

fn facts_at_head(counter: Reg) -> Facts {
    Facts(vec![(counter, Fact::Offset(0))])
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
        let mut facts = facts_at_head(counter);
        before.iter().for_each(|&inst| step(self.function, inst, &mut facts));
        let course = self.course(last, &facts).filter(|(_, offset)| *offset == 0)?.0;
        self.propagate(head, counter, course)
    }

    /// Finds the facts where each block begins that can be reached from the head and can reach what
    /// is looked for; `None` if a use of the counter, or what a way back made of it, is not fine.
    fn propagate(&self, head: BlockId, counter: Reg, course: Course) -> Option<CountedLoop> {
        let mut at = self.facts_of_other_arrivals(head);
        at.insert(head, facts_at_head(counter));
        let mut is_visited = vec![false; self.function.blocks.len()];
        let mut waiting = vec![head];
        while let Some(block) = waiting.pop() {
            is_visited[block.index()] = true;
            let facts = at.get(&block).cloned().unwrap_or_default();
            if !self.uses_are_fine(course, block, block == head, &facts) {
                return None;
            }
            for (target, mut arriving) in self.after(block, facts) {
                if target == head {
                    if !matches!(arriving.get(counter), Fact::Offset(by) if course.allows(by)) {
                        return None;
                    }
                    arriving.set(counter, Fact::Offset(0));
                }
                let is_changed = match at.entry(target) {
                    Entry::Occupied(mut known) => known.get_mut().join(&arriving),
                    Entry::Vacant(unknown) => {
                        unknown.insert(arriving);
                        false
                    }
                };
                if is_changed || !is_visited[target.index()] {
                    waiting.push(target);
                }
            }
        }
        at.retain(|_, facts| !facts.0.is_empty());
        Some(CountedLoop { course, facts: at })
    }

    /// Nothing is known of the counter where a block is also entered from blocks that cannot be
    /// reached from the head.
    fn facts_of_other_arrivals(&self, head: BlockId) -> FxHashMap<BlockId, Facts> {
        let mut is_reached = vec![false; self.function.blocks.len()];
        let mut waiting = vec![head];
        while let Some(block) = waiting.pop() {
            if !std::mem::replace(&mut is_reached[block.index()], true) {
                self.for_each_way(block, |edge| waiting.push(edge.target));
            }
        }
        let mut at = FxHashMap::default();
        if is_reached[0] {
            at.insert(BlockId(0), Facts::default());
        }
        for from in (0..is_reached.len()).filter(|&block| !is_reached[block]) {
            self.for_each_way(BlockId::new(from), |edge| {
                if is_reached[edge.target.index()] {
                    at.insert(edge.target, Facts::default());
                }
            });
        }
        at
    }

    /// Visits the edges from a block to relevant ones.
    fn for_each_way(&self, block: BlockId, mut visit: impl FnMut(&Edge)) {
        self.function.for_each_edge(self.function.terminator(block), |edge| {
            let edge = self.function.edge(edge);
            if self.is_relevant(edge.target) {
                visit(edge);
            }
        });
    }

    /// The relevant blocks that follow, with the facts that hold on the way there.
    fn after(&self, block: BlockId, mut facts: Facts) -> Vec<(BlockId, Facts)> {
        self.code(block).iter().for_each(|&inst| step(self.function, inst, &mut facts));
        let mut next = Vec::new();
        self.for_each_way(block, |edge| {
            let mut arriving = facts.clone();
            for &(dst, source) in edge.copies.iter() {
                arriving.set(dst, arriving.of(source));
            }
            next.push((edge.target, arriving));
        });
        next
    }

    /// Can no use of the counter in a block tell two of its values apart, other than by leaving the
    /// loop?
    fn uses_are_fine(&self, course: Course, block: BlockId, is_head: bool, facts: &Facts) -> bool {
        let mut facts = facts.clone();
        self.code(block).iter().all(|&inst| {
            let is_used = depends(self.function, inst, &facts) != Fact::Plain;
            let before = is_used.then(|| facts.clone());
            step(self.function, inst, &mut facts);
            let Some(before) = before else { return true };
            match inst {
                Inst::Copy { .. } => true,
                Inst::Bin { dst, .. } | Inst::Cmp { dst, .. } => facts.get(dst) != Fact::Mixed,
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
    fn course(&self, branch: Inst, facts: &Facts) -> Option<(Course, u64)> {
        let Inst::Branch { cond, then, otherwise } = branch else { return None };
        let Fact::Comparison { op, width, offset, bound } = facts.get(cond.as_reg()?) else { return None };
        let [then, otherwise] = [then, otherwise].map(|edge| self.is_relevant(self.function.edge(edge).target));
        let op = match (then, otherwise) {
            (true, false) => op,
            (false, true) => op.negated(),
            _ => return None,
        };
        Some((Course::of(op, bound, width)?, offset))
    }
}
