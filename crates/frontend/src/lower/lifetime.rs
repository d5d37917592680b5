//! Variables that end with their block: clang says where they begin and end to live (`llvm.lifetime.start`, `.end`), and
//! `llvm::scopes` where compound literals do.
//!
//! Each life is an object of its own, so that a pointer into an earlier one is never valid again. Variables of the outermost block, which
//! live as long as the call, need none of this; nor do libraries, which are optimised.

use super::function::Builder;
use super::{Lowered, unsupported};
use crate::llvm::{Block, Opcode, Value};
use espalier_ir::{AllocaId, Inst, Reg};
use rustc_hash::{FxHashMap, FxHashSet};

/// The variables of a function that live in a block, with where their allocas are once these are lowered.
#[derive(Default)]
pub(super) struct Scoped<'m> {
    variables: FxHashSet<Value<'m>>,
    sites: FxHashMap<Value<'m>, (Reg, AllocaId)>,
}

/// How many blocks may follow the end of a variable of the outermost block.
const WAY_OUT: usize = 8;

impl<'m> Builder<'_, 'm> {
    pub(super) fn collect_lifetimes(&mut self) {
        if self.out.is_runtime {
            return;
        }
        let order = std::rc::Rc::clone(&self.order);
        let Some(entry) = order.blocks.first().copied() else { return };
        let variables: FxHashSet<Value<'m>> = entry.instructions().filter(|inst| is_variable(*inst)).collect();
        let mut starts: FxHashMap<Value<'m>, Vec<bool>> = FxHashMap::default();
        let mut ends: FxHashMap<Value<'m>, Vec<Value<'m>>> = FxHashMap::default();
        for block in order.blocks.iter() {
            for inst in block.instructions().filter(|inst| inst.opcode() == Opcode::LLVMCall) {
                let name = self.intrinsic(inst);
                if !matches!(name, Some("llvm.lifetime.start" | "llvm.lifetime.end"))
                    || !variables.contains(&inst.operand(1))
                {
                    continue;
                }
                if name == Some("llvm.lifetime.start") {
                    starts.entry(inst.operand(1)).or_default().push(*block == entry);
                } else {
                    ends.entry(inst.operand(1)).or_default().push(inst);
                }
            }
        }
        for (variable, in_entry) in starts {
            let ends = ends.get(&variable).map_or(&[][..], Vec::as_slice);
            let lives_as_long_as_the_call = in_entry == [true] && ends.iter().all(|end| self.leads_out(*end));
            if !lives_as_long_as_the_call {
                self.scoped.variables.insert(variable);
            }
        }
    }

    /// Does nothing follow but the ends of other variables and the return?
    fn leads_out(&self, end: Value<'m>) -> bool {
        let mut next = end.next_instruction();
        let mut blocks = 0;
        while let Some(inst) = next {
            next = match inst.opcode() {
                Opcode::LLVMRet | Opcode::LLVMUnreachable => return true,
                Opcode::LLVMPHI => inst.next_instruction(),
                Opcode::LLVMCall if self.ends_something(inst) => inst.next_instruction(),
                Opcode::LLVMBr if !inst.is_conditional() && blocks < WAY_OUT => {
                    blocks += 1;
                    Block::first_instruction(inst.block_operand(0))
                }
                _ => return false,
            };
        }
        false
    }

    fn ends_something(&self, call: Value<'m>) -> bool {
        let name = self.intrinsic(call).unwrap_or_default();
        matches!(name, "llvm.lifetime.end" | "llvm.stackrestore") || name.starts_with("llvm.dbg.")
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
