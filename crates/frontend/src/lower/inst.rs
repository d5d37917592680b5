//! Dispatch on LLVM's opcodes; arithmetic, comparisons and conversions, lane by lane.

use super::function::{Builder, Lanes};
use super::shape::Scalar;
use super::{Lowered, unsupported};
use crate::llvm::{IntPredicate, Opcode, Type, TypeKind, Value};
use espalier_ir::{BinOp, CmpOp, Inst, Operand, PairQuestion};

impl<'m> Builder<'_, 'm> {
    pub(super) fn lower_inst(&mut self, inst: Value<'m>) -> Lowered<()> {
        let opcode = inst.opcode();
        self.note_constants(inst)?;
        let lanes = match opcode {
            Opcode::LLVMRet
            | Opcode::LLVMBr
            | Opcode::LLVMSwitch
            | Opcode::LLVMIndirectBr
            | Opcode::LLVMUnreachable
            | Opcode::LLVMCallBr
            | Opcode::LLVMResume
            | Opcode::LLVMCleanupRet
            | Opcode::LLVMCatchRet
            | Opcode::LLVMCatchSwitch => return self.lower_terminator(inst),
            Opcode::LLVMStore => return self.lower_store(inst),
            Opcode::LLVMFence => return Ok(()),
            Opcode::LLVMCall => return self.lower_call(inst),
            Opcode::LLVMInvoke => return self.lower_invoke(inst),
            Opcode::LLVMAlloca => self.lower_alloca(inst)?,
            Opcode::LLVMLoad => self.lower_load(inst)?,
            Opcode::LLVMAtomicRMW => self.lower_atomic_rmw(inst)?,
            Opcode::LLVMAtomicCmpXchg => self.lower_cmpxchg(inst)?,
            Opcode::LLVMGetElementPtr => self.lower_gep(inst)?,
            Opcode::LLVMICmp => self.lower_icmp(inst)?,
            Opcode::LLVMFCmp => self.lower_fcmp(inst)?,
            Opcode::LLVMSelect => self.lower_select(inst)?,
            Opcode::LLVMFreeze => self.lower_freeze(inst)?,
            Opcode::LLVMTrunc | Opcode::LLVMZExt | Opcode::LLVMSExt | Opcode::LLVMIntToPtr => {
                self.lower_int_cast(inst)?
            }
            Opcode::LLVMPtrToInt => {
                self.note_number(inst)?;
                self.lower_int_cast(inst)?
            }
            Opcode::LLVMAddrSpaceCast => self.lanes(inst.operand(0))?,
            Opcode::LLVMBitCast => self.lower_bitcast(inst)?,
            Opcode::LLVMFPToUI
            | Opcode::LLVMFPToSI
            | Opcode::LLVMUIToFP
            | Opcode::LLVMSIToFP
            | Opcode::LLVMFPTrunc
            | Opcode::LLVMFPExt => self.lower_float_cast(inst)?,
            Opcode::LLVMFNeg => self.lower_fneg(inst)?,
            Opcode::LLVMFAdd | Opcode::LLVMFSub | Opcode::LLVMFMul | Opcode::LLVMFDiv | Opcode::LLVMFRem => {
                self.lower_float_bin(inst)?
            }
            Opcode::LLVMExtractValue => self.lower_extract_value(inst)?,
            Opcode::LLVMInsertValue => self.lower_insert_value(inst)?,
            Opcode::LLVMExtractElement => self.lower_extract_element(inst)?,
            Opcode::LLVMInsertElement => self.lower_insert_element(inst)?,
            Opcode::LLVMShuffleVector => self.lower_shuffle(inst)?,
            Opcode::LLVMVAArg => return unsupported("the LLVM instruction va_arg"),
            Opcode::LLVMLandingPad | Opcode::LLVMCatchPad | Opcode::LLVMCleanupPad => {
                return unsupported("C++ exception handling");
            }
            _ => match int_op(opcode) {
                Some(op) => self.lower_int_bin(inst, op)?,
                None => return unsupported(format!("the LLVM instruction {opcode:?}")),
            },
        };
        self.values.insert(inst, lanes);
        Ok(())
    }

    /// Applies `f` to each lane of two operands of one type.
    pub(super) fn zip_lanes(
        &mut self,
        a: Value<'m>,
        b: Value<'m>,
        mut f: impl FnMut(&mut Self, Scalar, Operand, Operand) -> Lowered<Operand>,
    ) -> Lowered<Lanes> {
        let shape = self.cx.shape(a.ty())?;
        let (a, b) = (self.lanes(a)?, self.lanes(b)?);
        if a.len() != shape.lanes.len() || b.len() != a.len() {
            return unsupported("an operation on vectors of different lengths");
        }
        shape.lanes.iter().zip(a.into_iter().zip(b)).map(|(scalar, (a, b))| f(self, *scalar, a, b)).collect()
    }

    /// Applies `f` to each lane of an operand.
    pub(super) fn map_lanes(
        &mut self,
        a: Value<'m>,
        mut f: impl FnMut(&mut Self, Scalar, Operand) -> Lowered<Operand>,
    ) -> Lowered<Lanes> {
        let shape = self.cx.shape(a.ty())?;
        let a = self.lanes(a)?;
        shape.lanes.iter().zip(a).map(|(scalar, a)| f(self, *scalar, a)).collect()
    }

    fn lower_int_bin(&mut self, inst: Value<'m>, op: BinOp) -> Lowered<Lanes> {
        if op == BinOp::Sub {
            self.note_difference(inst)?;
        }
        self.zip_lanes(inst.operand(0), inst.operand(1), |b, scalar, x, y| Ok(b.bin(op, scalar.width(), x, y)))
    }

    fn lower_icmp(&mut self, inst: Value<'m>) -> Lowered<Lanes> {
        let op = int_predicate(inst.int_predicate());
        let is_equality = matches!(op, CmpOp::Eq | CmpOp::Ne);
        self.note_comparison(inst, if is_equality { PairQuestion::Equality } else { PairQuestion::Order })?;
        self.zip_lanes(inst.operand(0), inst.operand(1), |b, scalar, x, y| Ok(b.cmp(op, scalar.width(), x, y)))
    }

    fn lower_select(&mut self, inst: Value<'m>) -> Lowered<Lanes> {
        let conds = self.lanes(inst.operand(0))?;
        let mut next = 0;
        self.zip_lanes(inst.operand(1), inst.operand(2), |b, scalar, x, y| {
            // One condition chooses whole aggregates and vectors; a vector of conditions chooses
            // lane by lane.
            let cond = conds.get(if conds.len() == 1 { 0 } else { next }).copied();
            next += 1;
            match cond {
                Some(cond) => Ok(b.select(scalar.width(), cond, x, y)),
                None => unsupported("a select on vectors of different lengths"),
            }
        })
    }

    fn lower_freeze(&mut self, inst: Value<'m>) -> Lowered<Lanes> {
        self.map_lanes(inst.operand(0), |b, scalar, a| {
            let dst = b.reg(scalar.width());
            b.emit(Inst::Freeze { width: scalar.width(), dst, a });
            Ok(dst.into())
        })
    }

    fn lower_int_cast(&mut self, inst: Value<'m>) -> Lowered<Lanes> {
        let to = self.lane_width(inst.ty())?;
        let signed = inst.opcode() == Opcode::LLVMSExt;
        self.map_lanes(inst.operand(0), |b, scalar, a| Ok(b.resize(a, scalar.width(), to, signed)))
    }

    /// The width of a scalar type or of a vector type's elements.
    pub(super) fn lane_width(&mut self, ty: Type<'m>) -> Lowered<u32> {
        Ok(self.lane_scalar(ty)?.width())
    }

    /// A scalar type or a vector type's elements.
    pub(super) fn lane_scalar(&mut self, ty: Type<'m>) -> Lowered<Scalar> {
        let element = if let TypeKind::Vector(_) = ty.kind() { ty.element() } else { ty };
        match self.cx.shapes.scalar(element) {
            Some(scalar) => Ok(scalar),
            None => unsupported(format!("the type {}", ty.text())),
        }
    }
}

pub fn int_op(opcode: Opcode) -> Option<BinOp> {
    Some(match opcode {
        Opcode::LLVMAdd => BinOp::Add,
        Opcode::LLVMSub => BinOp::Sub,
        Opcode::LLVMMul => BinOp::Mul,
        Opcode::LLVMUDiv => BinOp::UDiv,
        Opcode::LLVMSDiv => BinOp::SDiv,
        Opcode::LLVMURem => BinOp::URem,
        Opcode::LLVMSRem => BinOp::SRem,
        Opcode::LLVMShl => BinOp::Shl,
        Opcode::LLVMLShr => BinOp::LShr,
        Opcode::LLVMAShr => BinOp::AShr,
        Opcode::LLVMAnd => BinOp::And,
        Opcode::LLVMOr => BinOp::Or,
        Opcode::LLVMXor => BinOp::Xor,
        _ => return None,
    })
}

fn int_predicate(predicate: IntPredicate) -> CmpOp {
    match predicate {
        IntPredicate::LLVMIntEQ => CmpOp::Eq,
        IntPredicate::LLVMIntNE => CmpOp::Ne,
        IntPredicate::LLVMIntUGT => CmpOp::Ugt,
        IntPredicate::LLVMIntUGE => CmpOp::Uge,
        IntPredicate::LLVMIntULT => CmpOp::Ult,
        IntPredicate::LLVMIntULE => CmpOp::Ule,
        IntPredicate::LLVMIntSGT => CmpOp::Sgt,
        IntPredicate::LLVMIntSGE => CmpOp::Sge,
        IntPredicate::LLVMIntSLT => CmpOp::Slt,
        IntPredicate::LLVMIntSLE => CmpOp::Sle,
    }
}
