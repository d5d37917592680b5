//! Variables that end with their block: clang says where they begin and end to live
//! (`llvm.lifetime.start`, `.end`), and `llvm::scopes` where compound literals do.
//!
//! Each life is an object of its own, so that a pointer into an earlier one is never valid again.
//! Variables of the outermost block, which live as long as the call, need none of this; nor do
//! libraries, which are optimised.

use super::function::Builder;
use super::{Lowered, unsupported};
use crate::llvm::{Opcode, Value, lives_as_long_as_the_call};
use espalier_ir::{AllocaId, Inst, Reg};
use rustc_hash::{FxHashMap, FxHashSet};

/// The variables of a function that live in a block, with where their allocas are once these are
/// lowered.
#[derive(Default)]
pub(super) struct Scoped<'m> {
    variables: FxHashSet<Value<'m>>,
    sites: FxHashMap<Value<'m>, (Reg, AllocaId)>,
}

impl<'m> Builder<'_, 'm> {
    pub(super) fn collect_lifetimes(&mut self) {
        if self.out.is_runtime {
            return;
        }
        let order = std::rc::Rc::clone(&self.order);
        let Some(entry) = order.blocks.first().copied() else { return };
        let variables: FxHashSet<Value<'m>> = entry.instructions().filter(|inst| is_variable(*inst)).collect();
        let is_start = |inst: &Value<'m>| self.intrinsic(*inst) == Some("llvm.lifetime.start");
        let calls = order.blocks.iter().flat_map(|block| block.instructions());
        let starts = calls.filter(|inst| inst.opcode() == Opcode::LLVMCall).filter(is_start);
        let started: FxHashSet<Value<'m>> = starts.map(|start| start.operand(1)).collect();
        let lives_in_block =
            |variable: &Value<'m>| variables.contains(variable) && !lives_as_long_as_the_call(*variable);
        self.scoped.variables = started.into_iter().filter(lives_in_block).collect();
    }

    pub(super) fn is_scoped(&self, alloca: Value<'m>) -> bool {
        self.scoped.variables.contains(&alloca)
    }

    pub(super) fn note_scoped(&mut self, alloca: Value<'m>, reg: Reg, site: AllocaId) {
        self.scoped.sites.insert(alloca, (reg, site));
    }

    pub(super) fn lower_lifetime(&mut self, inst: Value<'m>, starts: bool) -> Lowered<()> {
        if !self.is_scoped(inst.operand(1)) {
            return Ok(());
        }
        let Some(&(dst, site)) = self.scoped.sites.get(&inst.operand(1)) else {
            return unsupported("a variable that lives before it is there");
        };
        self.emit(if starts { Inst::LifeStart { dst, site } } else { Inst::LifeEnd { site } });
        Ok(())
    }
}

/// Is it a stack object of fixed size?
fn is_variable(inst: Value<'_>) -> bool {
    inst.opcode() == Opcode::LLVMAlloca && inst.operand(0).small_int() == Some(1)
}
