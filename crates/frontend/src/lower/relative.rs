//! Tables of distances (`llvm.load.relative`), which LLVM makes of tables of pointers in
//! position-independent code.
//!
//! A distance has 32 bits, because linkers put a program's objects close to each other. Here they
//! lie far apart, so that a distance may not fit. The table is taken for what it was before: one of
//! pointers.

use super::function::{Builder, Lanes};
use super::{Lowered, Lowerer, unsupported};
use crate::llvm::{Opcode, TypeKind, Value, ValueKind};
use espalier_ir::{BinOp, Constant, Global, GlobalId, InitPiece, Inst, Loc};
use smallvec::smallvec;

/// Bytes of a distance.
const DISTANCE: u64 = 4;

impl<'m> Lowerer<'m> {
    /// The table of pointers that a table of distances stands for.
    fn pointers_of(&mut self, table: Value<'m>) -> Lowered<GlobalId> {
        if let Some(id) = self.relative_tables.get(&table) {
            return Ok(*id);
        }
        let other = "a table of distances that is not one to pointers";
        let initializer = match table.kind() {
            ValueKind::LLVMGlobalVariableValueKind if table.is_global_constant() => table.initializer(),
            _ => None,
        };
        let Some(initializer) = initializer else { return unsupported(other) };
        let TypeKind::Array(count) = initializer.ty().kind() else { return unsupported(other) };
        let bytes = u64::from(self.pointer_width / 8);
        let mut init = Vec::new();
        for index in 0..count {
            let element = u32::try_from(index).ok().and_then(|index| initializer.aggregate_element(index));
            let Some(target) = element.and_then(|element| target_of(element, table)) else { return unsupported(other) };
            let mut value = self.constant(target)?;
            let (Some(value), true) = (value.pop(), value.is_empty()) else { return unsupported(other) };
            let (offset, width) = (index * bytes, self.pointer_width);
            init.push(match value {
                Constant::Int { value, .. } => {
                    InitPiece::Bytes { offset, bytes: value.to_le_bytes()[..bytes as usize].to_vec() }
                }
                value => InitPiece::Value { offset, width, value },
            });
        }
        let id = GlobalId::new(self.program.globals.len());
        self.program.globals.push(Global {
            name: format!("{}.pointers", table.symbol()),
            size: count * bytes,
            align: bytes,
            is_constant: true,
            is_scalar: false,
            is_integer: false,
            is_external: false,
            loc: Loc::UNKNOWN,
            init,
        });
        self.relative_tables.insert(table, id);
        Ok(id)
    }
}

/// What `trunc(target - table)` leads to.
fn target_of<'m>(element: Value<'m>, table: Value<'m>) -> Option<Value<'m>> {
    let is = |value: Value<'m>, opcode| {
        value.kind() == ValueKind::LLVMConstantExprValueKind && value.const_opcode() == opcode
    };
    let difference = Some(element).filter(|value| is(*value, Opcode::LLVMTrunc))?.operand(0);
    let difference = Some(difference).filter(|value| is(*value, Opcode::LLVMSub))?;
    let address =
        |value: Value<'m>| Some(value).filter(|value| is(*value, Opcode::LLVMPtrToInt)).map(|value| value.operand(0));
    let (target, start) = (address(difference.operand(0))?, address(difference.operand(1))?);
    (start == table).then_some(target)
}

impl<'m> Builder<'_, 'm> {
    /// `llvm.load.relative(table, offset)`.
    pub(super) fn load_relative(&mut self, inst: Value<'m>) -> Lowered<Lanes> {
        let pointer = self.cx.pointer_width;
        let table = self.cx.pointers_of(inst.operand(0))?;
        let width = self.lane_width(inst.operand(1).ty())?;
        let offset = self.scalar_operand(inst, 1)?;
        let offset = self.resize(offset, width, pointer, true);
        let factor = self.int(u64::from(pointer / 8) / DISTANCE, pointer);
        let offset = self.bin(BinOp::Mul, pointer, offset, factor);
        let base = self.constant(Constant::Global(table));
        let at = self.bin(BinOp::Add, pointer, base, offset);
        let dst = self.reg(pointer);
        self.emit(Inst::Load { width: pointer, dst, ptr: at, looks: false });
        Ok(smallvec![dst.into()])
    }
}
