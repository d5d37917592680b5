//! Atomic operations. The executor runs one thread, so they are plain sequences of load, compute,
//! store.

use super::address::is_computed_with;
use super::function::{Builder, Lanes};
use super::shape::Scalar;
use super::{Lowered, unsupported};
use crate::llvm::{RmwOp, Value};
use espalier_ir::{BinOp, CmpOp, FBinOp, Operand};

impl<'m> Builder<'_, 'm> {
    /// Gives the old value.
    pub(super) fn lower_atomic_rmw(&mut self, inst: Value<'m>) -> Lowered<Lanes> {
        let op = inst.rmw_op();
        let ty = inst.ty();
        let pointer = self.scalar_operand(inst, 0)?;
        let shape = self.cx.shape(ty)?;
        // Pointers are moved by these.
        let moves =
            matches!(op, RmwOp::LLVMAtomicRMWBinOpXchg | RmwOp::LLVMAtomicRMWBinOpAdd | RmwOp::LLVMAtomicRMWBinOpSub);
        let old = self.load(ty, pointer, !moves || is_computed_with(inst))?;
        let by = self.lanes(inst.operand(1))?;
        let mut new = Lanes::new();
        for (scalar, (old, by)) in shape.lanes.iter().zip(old.iter().zip(by)) {
            new.push(self.rmw_value(op, *scalar, *old, by)?);
        }
        self.store(ty, &new, pointer)?;
        Ok(old)
    }

    fn rmw_value(&mut self, op: RmwOp, scalar: Scalar, old: Operand, by: Operand) -> Lowered<Operand> {
        let width = scalar.width();
        let int = match op {
            RmwOp::LLVMAtomicRMWBinOpXchg => return Ok(by),
            RmwOp::LLVMAtomicRMWBinOpNand => {
                let both = self.bin(BinOp::And, width, old, by);
                let ones = self.ones(width);
                return Ok(self.bin(BinOp::Xor, width, both, ones));
            }
            RmwOp::LLVMAtomicRMWBinOpUIncWrap => {
                // old >= by ? 0 : old + 1
                let one = self.int(1, width);
                let zero = self.int(0, width);
                let wraps = self.cmp(CmpOp::Uge, width, old, by);
                let next = self.bin(BinOp::Add, width, old, one);
                return Ok(self.select(width, wraps, zero, next));
            }
            RmwOp::LLVMAtomicRMWBinOpUDecWrap => {
                // old == 0 || old > by ? by : old - 1
                let one = self.int(1, width);
                let zero = self.int(0, width);
                let is_zero = self.cmp(CmpOp::Eq, width, old, zero);
                let above = self.cmp(CmpOp::Ugt, width, old, by);
                let wraps = self.bin(BinOp::Or, 1, is_zero, above);
                let next = self.bin(BinOp::Sub, width, old, one);
                return Ok(self.select(width, wraps, by, next));
            }
            RmwOp::LLVMAtomicRMWBinOpFAdd => {
                return Ok(self.fbin(FBinOp::Add, scalar.float()?, old, by));
            }
            RmwOp::LLVMAtomicRMWBinOpFSub => {
                return Ok(self.fbin(FBinOp::Sub, scalar.float()?, old, by));
            }
            RmwOp::LLVMAtomicRMWBinOpFMax => {
                return Ok(self.fbin(FBinOp::MaxNum, scalar.float()?, old, by));
            }
            RmwOp::LLVMAtomicRMWBinOpFMin => {
                return Ok(self.fbin(FBinOp::MinNum, scalar.float()?, old, by));
            }
            RmwOp::LLVMAtomicRMWBinOpAdd => BinOp::Add,
            RmwOp::LLVMAtomicRMWBinOpSub => BinOp::Sub,
            RmwOp::LLVMAtomicRMWBinOpAnd => BinOp::And,
            RmwOp::LLVMAtomicRMWBinOpOr => BinOp::Or,
            RmwOp::LLVMAtomicRMWBinOpXor => BinOp::Xor,
            RmwOp::LLVMAtomicRMWBinOpMax => BinOp::SMax,
            RmwOp::LLVMAtomicRMWBinOpMin => BinOp::SMin,
            RmwOp::LLVMAtomicRMWBinOpUMax => BinOp::UMax,
            RmwOp::LLVMAtomicRMWBinOpUMin => BinOp::UMin,
        };
        Ok(self.bin(int, width, old, by))
    }

    /// Gives the old value and whether it was the expected one. Storing the old value back is the
    /// same as not storing.
    pub(super) fn lower_cmpxchg(&mut self, inst: Value<'m>) -> Lowered<Lanes> {
        let pointer = self.scalar_operand(inst, 0)?;
        let expected = self.scalar_operand(inst, 1)?;
        let new = self.scalar_operand(inst, 2)?;
        let ty = inst.operand(1).ty();
        let width = self.lane_width(ty)?;
        let old = match self.load(ty, pointer, false)?[..] {
            [old] => old,
            _ => return unsupported("a compare-and-exchange of an aggregate"),
        };
        let equal = self.cmp(CmpOp::Eq, width, old, expected);
        let value = self.select(width, equal, new, old);
        self.store(ty, &[value], pointer)?;
        Ok(Lanes::from_slice(&[old, equal]))
    }
}
