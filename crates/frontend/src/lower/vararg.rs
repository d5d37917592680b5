//! Variadic arguments as the ABI lays them out in the caller's stack area: x86-64 in slots of 8
//! bytes, i386 in slots of 4.
//!
//! On x86-64 the first arguments really travel in registers; the executor lets `va_start` say that
//! those are used up, so that the callee finds all of them in memory.

use super::function::Builder;
use super::{Lowered, unsupported};
use crate::llvm::{Opcode, TypeKind, Value, ValueKind};
use espalier_ir::{FloatKind, VarArg, VarArgValue};

use super::shape::Scalar;

impl<'m> Builder<'_, 'm> {
    /// Adds argument `index` of a call.
    pub(super) fn variadic_argument(&mut self, call: Value<'m>, index: u32, all: &mut Vec<VarArg>) -> Lowered<()> {
        let slot = u64::from(self.cx.pointer_width / 8);
        let value = call.operand(index);
        if let Some(object) = self.cx.attributes.by_value_arg(call, index) {
            let size = self.cx.layout.alloc_size(object.object);
            let align = object.align.unwrap_or_else(|| self.cx.layout.align(object.object)).max(slot);
            let from = self.scalar(value)?;
            all.push(VarArg { size, align, value: VarArgValue::ByValue(from) });
            return Ok(());
        }
        let shape = self.cx.shape(value.ty())?;
        let lanes = self.lanes(value)?;
        if let TypeKind::Vector(_) = value.ty().kind() {
            let size = self.cx.layout.alloc_size(value.ty()).next_multiple_of(slot);
            let align = if size >= 16 { self.cx.layout.align(value.ty()).max(slot) } else { slot };
            if shape.pieces.iter().any(|piece| piece.count != 1) {
                return unsupported(format!("a variadic argument of type {}", value.ty().text()));
            }
            let pieces = shape
                .pieces
                .iter()
                .map(|piece| (piece.offset, shape.lanes[piece.lane].width(), lanes[piece.lane]))
                .collect();
            all.push(VarArg { size, align, value: VarArgValue::Pieces(pieces) });
            return Ok(());
        }
        // The code generator passes the parts of an aggregate one by one.
        let overaligned = self.is_first_half(call, index);
        for (scalar, lane) in shape.lanes.iter().zip(lanes) {
            let (size, mut align) = scalar_slot(*scalar, slot);
            if overaligned {
                align = 16;
            }
            all.push(VarArg { size, align, value: VarArgValue::Pieces(Box::new([(0, scalar.width(), lane)])) });
        }
        Ok(())
    }

    /// Clang passes an `__int128` (and what else is aligned to 16 bytes and fits two registers) as
    /// two `i64`, loaded from an object aligned to 16. A callee that finds it in memory looks for
    /// it at a multiple of 16.
    fn is_first_half(&self, call: Value<'m>, index: u32) -> bool {
        let loaded = |index: u32| {
            let value = (index < call.arg_count()).then(|| call.operand(index))?;
            let is_load = value.kind() == ValueKind::LLVMInstructionValueKind && value.opcode() == Opcode::LLVMLoad;
            (is_load && value.ty().kind() == TypeKind::Int(64)).then_some(value)
        };
        match (loaded(index), loaded(index + 1)) {
            (Some(low), Some(high)) => {
                self.cx.pointer_width == 64
                    && low.align() >= 16
                    && high.align() == 8
                    && object(low.operand(0)) == object(high.operand(0))
            }
            _ => false,
        }
    }
}

/// What a pointer points into, as far as one step of address arithmetic.
fn object(pointer: Value<'_>) -> Value<'_> {
    let is_gep = pointer.kind() == ValueKind::LLVMInstructionValueKind && pointer.opcode() == Opcode::LLVMGetElementPtr;
    if is_gep { pointer.operand(0) } else { pointer }
}

/// Size and alignment of a scalar's slot.
fn scalar_slot(scalar: Scalar, slot: u64) -> (u64, u64) {
    let bytes = u64::from(scalar.width().div_ceil(8)).next_multiple_of(slot);
    match scalar {
        Scalar::Float(FloatKind::X87) if slot == 4 => (12, 4),
        Scalar::Float(FloatKind::X87 | FloatKind::F128) => (16, 16),
        _ if slot == 8 && bytes == 16 => (16, 16),
        _ => (bytes, slot),
    }
}
