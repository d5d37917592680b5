//! The loop statements of a function, and which variables their heads' registers hold: what proofs
//! say about registers can then be told in the words of the source.
//!
//! clang marks the branch that closes a loop with the place of its keyword. A variable that was
//! promoted to registers is described by `llvm.dbg.value` wherever it gets another value, phis
//! included. So its value at a loop head is the phi there that is described as the variable, or
//! what all paths to the head agree on.

use super::function::Builder;
use crate::llvm::{LoopStart, Metadata, Opcode, TypeKind, TypeNode, Value, VariableInfo};
use espalier_ir::{BlockId, LoopSite, LoopVariable, Reg};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The values of variables, as far as they are known.
type Held<'m> = FxHashMap<Metadata<'m>, Option<Value<'m>>>;

impl<'m> Builder<'_, 'm> {
    pub(super) fn collect_loops(&mut self) {
        let order = Rc::clone(&self.order);
        let mut starts: Vec<(BlockId, LoopStart<'m>)> = Vec::new();
        for (index, block) in order.blocks.iter().enumerate() {
            let Some(start) = block.terminator().and_then(Value::loop_start) else { continue };
            let from = BlockId::new(index);
            for &head in order.cfg.successors(from).iter().filter(|&&to| order.cfg.closes_loop(from, to)) {
                if starts.iter().all(|(known, _)| *known != head) {
                    starts.push((head, start.clone()));
                }
            }
        }
        if starts.is_empty() {
            return;
        }
        let (assigned, variables) = match self.cx.loop_variables {
            true => self.described_variables(),
            false => (vec![Vec::new(); order.blocks.len()], Vec::new()),
        };
        let held = self.held_at_blocks(&assigned);
        for (head, start) in starts {
            let mut held = held[head.index()].clone();
            let mut named = FxHashSet::default();
            for (variable, value) in &assigned[head.index()] {
                // The descriptions of phis come first: a later one is of a variable that the phi is
                // assigned to.
                if let Some(phi) = value.filter(|value| self.phis[head.index()].iter().any(|(phi, _)| phi == value))
                    && named.insert(phi)
                {
                    held.insert(*variable, Some(phi));
                }
            }
            let site = self.loop_site(head, &start, &held, &variables);
            self.out.loops.push(site);
        }
    }

    /// For each block, the variables that get another value in it, in order; and what is known of
    /// all variables.
    #[allow(clippy::type_complexity)]
    fn described_variables(&self) -> (Vec<Vec<(Metadata<'m>, Option<Value<'m>>)>>, Vec<VariableInfo<'m>>) {
        let mut seen = FxHashSet::default();
        let mut variables = Vec::new();
        let mut assigned = Vec::new();
        for block in &self.order.blocks {
            let mut here = Vec::new();
            for inst in block.instructions().filter(|inst| inst.opcode() == Opcode::LLVMCall) {
                let Some(intrinsic @ ("llvm.dbg.value" | "llvm.dbg.declare")) = self.intrinsic(inst) else { continue };
                let Some((value, info)) = inst.debug_variable() else { continue };
                if intrinsic == "llvm.dbg.value" {
                    here.push((info.node, value));
                }
                if seen.insert(info.node) {
                    variables.push(info);
                }
            }
            assigned.push(here);
        }
        (assigned, variables)
    }

    /// The values of variables where each block begins.
    fn held_at_blocks(&self, assigned: &[Vec<(Metadata<'m>, Option<Value<'m>>)>]) -> Vec<Held<'m>> {
        let mut at_start: Vec<Option<Held<'m>>> = vec![None; assigned.len()];
        at_start[0] = Some(Held::default());
        let mut changed = true;
        while changed {
            changed = false;
            for block in 0..assigned.len() {
                let Some(mut held) = at_start[block].clone() else { continue };
                held.extend(assigned[block].iter().copied());
                for successor in self.order.cfg.successors(BlockId::new(block)).iter().map(|block| block.index()) {
                    let met = match &at_start[successor] {
                        None => held.clone(),
                        Some(before) => meet(before, &held),
                    };
                    if at_start[successor].as_ref() != Some(&met) {
                        at_start[successor] = Some(met);
                        changed = true;
                    }
                }
            }
        }
        at_start.into_iter().map(Option::unwrap_or_default).collect()
    }

    fn loop_site(
        &mut self,
        head: BlockId,
        start: &LoopStart<'m>,
        held: &Held<'m>,
        variables: &[VariableInfo<'m>],
    ) -> LoopSite {
        let visible: Vec<&VariableInfo<'m>> = variables.iter().filter(|variable| start.sees(variable)).collect();
        let is_only_one = |name: &str| visible.iter().filter(|variable| variable.name == name).count() == 1;
        let mut named = Vec::new();
        for variable in &visible {
            let value = held.get(&variable.node).copied().flatten();
            // What the compiler made up has no line.
            if let (Some(value), Some(is_signed)) = (value, variable.ty.and_then(TypeNode::is_signed))
                && variable.line != 0
                && is_only_one(&variable.name)
                && let Some(reg) = self.integer_register(value)
            {
                named.push(LoopVariable { reg, name: variable.name.clone(), is_signed });
            }
        }
        LoopSite {
            head,
            loc: self.cx.debug.loc(start.loc, &mut self.cx.program.files),
            variables: named,
            names: visible.iter().map(|variable| variable.name.clone()).collect(),
        }
    }

    /// The register of a value that is an integer of a width that C's types have.
    fn integer_register(&self, value: Value<'m>) -> Option<Reg> {
        if !matches!(value.ty().kind(), TypeKind::Int(8 | 16 | 32 | 64)) {
            return None;
        }
        match self.values.get(&value)?[..] {
            [lane] => lane.as_reg(),
            _ => None,
        }
    }
}

/// What is known on two ways.
fn meet<'m>(a: &Held<'m>, b: &Held<'m>) -> Held<'m> {
    let mut met: Held<'m> =
        a.iter().map(|(&name, &value)| (name, value.filter(|_| b.get(&name) == Some(&value)))).collect();
    for name in b.keys() {
        met.entry(*name).or_insert(None);
    }
    met
}
