//! Floating-point arithmetic, comparisons and conversions.

use super::function::{Builder, Lanes};
use super::{Lowered, unsupported};
use crate::llvm::{Opcode, RealPredicate, Value};
use espalier_ir::{FBinOp, FCastOp, FCmpOp, FUnOp, FloatKind, Inst, Operand};

impl<'m> Builder<'_, 'm> {
    pub(super) fn fbin(&mut self, op: FBinOp, kind: FloatKind, a: Operand, b: Operand) -> Operand {
        let dst = self.reg(kind.width());
        self.emit(Inst::FBin { op, kind, dst, a, b });
        dst.into()
    }

    pub(super) fn fun(&mut self, op: FUnOp, kind: FloatKind, a: Operand) -> Operand {
        let dst = self.reg(kind.width());
        self.emit(Inst::FUn { op, kind, dst, a });
        dst.into()
    }

    pub(super) fn fcmp(&mut self, op: FCmpOp, kind: FloatKind, a: Operand, b: Operand) -> Operand {
        let dst = self.reg(1);
        self.emit(Inst::FCmp { op, kind, dst, a, b });
        dst.into()
    }

    pub(super) fn fcast(&mut self, op: FCastOp, a: Operand) -> Operand {
        let width = match op {
            FCastOp::FToF { to, .. } | FCastOp::SiToF { to, .. } | FCastOp::UiToF { to, .. } => to.width(),
            FCastOp::FToSi { to, .. } | FCastOp::FToUi { to, .. } => to,
        };
        let dst = self.reg(width);
        self.emit(Inst::FCast { op, dst, a });
        dst.into()
    }

    pub(super) fn lower_fneg(&mut self, inst: Value<'m>) -> Lowered<Lanes> {
        self.map_lanes(inst.operand(0), |b, scalar, a| Ok(b.fun(FUnOp::Neg, scalar.float()?, a)))
    }

    pub(super) fn lower_float_bin(&mut self, inst: Value<'m>) -> Lowered<Lanes> {
        let op = match inst.opcode() {
            Opcode::LLVMFAdd => FBinOp::Add,
            Opcode::LLVMFSub => FBinOp::Sub,
            Opcode::LLVMFMul => FBinOp::Mul,
            Opcode::LLVMFDiv => FBinOp::Div,
            _ => FBinOp::Rem,
        };
        self.zip_lanes(inst.operand(0), inst.operand(1), |b, scalar, x, y| Ok(b.fbin(op, scalar.float()?, x, y)))
    }

    pub(super) fn lower_fcmp(&mut self, inst: Value<'m>) -> Lowered<Lanes> {
        let op = real_predicate(inst.real_predicate());
        self.zip_lanes(inst.operand(0), inst.operand(1), |b, scalar, x, y| Ok(b.fcmp(op, scalar.float()?, x, y)))
    }

    pub(super) fn lower_float_cast(&mut self, inst: Value<'m>) -> Lowered<Lanes> {
        self.convert(inst.opcode(), inst.operand(0), inst)
    }

    /// A conversion from or to floats of each lane of `from` to the type of `to`.
    pub(super) fn convert(&mut self, opcode: Opcode, from: Value<'m>, to: Value<'m>) -> Lowered<Lanes> {
        let to = self.lane_scalar(to.ty())?;
        self.map_lanes(from, |b, from, a| {
            let op = match opcode {
                Opcode::LLVMFPToUI => FCastOp::FToUi { from: from.float()?, to: to.width() },
                Opcode::LLVMFPToSI => FCastOp::FToSi { from: from.float()?, to: to.width() },
                Opcode::LLVMUIToFP => FCastOp::UiToF { from: from.width(), to: to.float()? },
                Opcode::LLVMSIToFP => FCastOp::SiToF { from: from.width(), to: to.float()? },
                Opcode::LLVMFPTrunc | Opcode::LLVMFPExt => FCastOp::FToF { from: from.float()?, to: to.float()? },
                _ => return unsupported(format!("the conversion {opcode:?}")),
            };
            Ok(b.fcast(op, a))
        })
    }
}

pub fn real_predicate(predicate: RealPredicate) -> FCmpOp {
    match predicate {
        RealPredicate::LLVMRealPredicateFalse => FCmpOp::False,
        RealPredicate::LLVMRealOEQ => FCmpOp::Oeq,
        RealPredicate::LLVMRealOGT => FCmpOp::Ogt,
        RealPredicate::LLVMRealOGE => FCmpOp::Oge,
        RealPredicate::LLVMRealOLT => FCmpOp::Olt,
        RealPredicate::LLVMRealOLE => FCmpOp::Ole,
        RealPredicate::LLVMRealONE => FCmpOp::One,
        RealPredicate::LLVMRealORD => FCmpOp::Ord,
        RealPredicate::LLVMRealUNO => FCmpOp::Uno,
        RealPredicate::LLVMRealUEQ => FCmpOp::Ueq,
        RealPredicate::LLVMRealUGT => FCmpOp::Ugt,
        RealPredicate::LLVMRealUGE => FCmpOp::Uge,
        RealPredicate::LLVMRealULT => FCmpOp::Ult,
        RealPredicate::LLVMRealULE => FCmpOp::Ule,
        RealPredicate::LLVMRealUNE => FCmpOp::Une,
        RealPredicate::LLVMRealPredicateTrue => FCmpOp::True,
    }
}
