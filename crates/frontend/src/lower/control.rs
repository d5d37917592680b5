//! Terminators.

use super::function::Builder;
use super::{Lowered, unsupported};
use crate::llvm::{Opcode, Value};
use espalier_ir::{CmpOp, EdgeId, Inst, Switch, SwitchId};
use num_traits::ToPrimitive;

impl<'m> Builder<'_, 'm> {
    pub(super) fn lower_terminator(&mut self, inst: Value<'m>) -> Lowered<()> {
        match inst.opcode() {
            Opcode::LLVMRet => {
                let values = if inst.operand_count() == 0 { Vec::new() } else { self.lanes(inst.operand(0))?.to_vec() };
                let ret = u32::try_from(self.out.returns.len()).unwrap_or(u32::MAX);
                self.out.returns.push(values);
                self.end(Inst::Return { ret });
            }
            Opcode::LLVMBr if !inst.is_conditional() => {
                let edge = self.edge_to(inst.block_operand(0))?;
                self.end(Inst::Jump { edge });
            }
            Opcode::LLVMBr => {
                let cond = self.scalar_operand(inst, 0)?;
                // The operands of a conditional branch are: condition, otherwise, then.
                let otherwise = self.edge_to(inst.block_operand(1))?;
                let then = self.edge_to(inst.block_operand(2))?;
                self.end(Inst::Branch { cond, then, otherwise });
            }
            Opcode::LLVMSwitch => return self.lower_switch(inst),
            Opcode::LLVMIndirectBr => return self.lower_indirect_jump(inst),
            Opcode::LLVMUnreachable => self.end(Inst::Unreachable),
            Opcode::LLVMCallBr => return unsupported("`asm goto`"),
            _ => return unsupported("C++ exception handling"),
        }
        Ok(())
    }

    /// A call that may throw. Nothing that we execute throws: it goes on at the normal destination.
    /// (C code gets these with `-fexceptions`.)
    pub(super) fn lower_invoke(&mut self, inst: Value<'m>) -> Lowered<()> {
        self.lower_call(inst)?;
        let edge = self.edge_to(inst.normal_destination())?;
        self.end(Inst::Jump { edge });
        Ok(())
    }

    /// The operands are: value, default, then pairs of case and block.
    fn lower_switch(&mut self, inst: Value<'m>) -> Lowered<()> {
        let width = self.lane_width(inst.operand(0).ty())?;
        let value = self.scalar_operand(inst, 0)?;
        if width > 64 {
            return self.lower_wide_switch(inst, width);
        }
        let default = self.edge_to(inst.block_operand(1))?;
        let mut cases = Vec::new();
        for i in (2..inst.operand_count().saturating_sub(1)).step_by(2) {
            let Some(case) = inst.operand(i).int_bits().to_u64() else {
                return unsupported("a case of more than 64 bits");
            };
            cases.push((case, self.edge_to(inst.block_operand(i + 1))?));
        }
        if cases.is_empty() {
            self.end(Inst::Jump { edge: default });
            return Ok(());
        }
        let switch = self.switch_table(width, value, cases, default);
        self.end(Inst::Switch { switch });
        Ok(())
    }

    fn switch_table(
        &mut self,
        width: u32,
        value: espalier_ir::Operand,
        mut cases: Vec<(u64, EdgeId)>,
        default: EdgeId,
    ) -> SwitchId {
        cases.sort_unstable_by_key(|(case, _)| *case);
        cases.dedup_by_key(|(case, _)| *case);
        let id = SwitchId::new(self.out.switches.len());
        self.out.switches.push(Switch { width, value, cases: cases.into_boxed_slice(), default });
        id
    }

    /// A chain of comparisons, each in a block of its own.
    fn lower_wide_switch(&mut self, inst: Value<'m>, width: u32) -> Lowered<()> {
        let value = self.scalar_operand(inst, 0)?;
        for i in (2..inst.operand_count().saturating_sub(1)).step_by(2) {
            let case = self.scalar_operand(inst, i)?;
            let cond = self.cmp(CmpOp::Eq, width, value, case);
            let then = self.edge_to(inst.block_operand(i + 1))?;
            let next = self.extra_block();
            let otherwise = self.edge(next);
            self.end(Inst::Branch { cond, then, otherwise });
            self.start_block(next);
        }
        let edge = self.edge_to(inst.block_operand(1))?;
        self.end(Inst::Jump { edge });
        Ok(())
    }

    /// The operands are: address, then the possible blocks.
    fn lower_indirect_jump(&mut self, inst: Value<'m>) -> Lowered<()> {
        let target = self.scalar_operand(inst, 0)?;
        let mut cases = Vec::new();
        for i in 1..inst.operand_count() {
            let edge = self.edge_to(inst.block_operand(i))?;
            cases.push((u64::from(self.out.edge(edge).target.0), edge));
        }
        let Some((_, default)) = cases.iter().max_by_key(|(block, _)| *block).copied() else {
            self.end(Inst::Unreachable);
            return Ok(());
        };
        let width = self.cx.pointer_width;
        let switch = self.switch_table(width, target, cases, default);
        self.end(Inst::IndirectJump { target, switch });
        Ok(())
    }
}
