//! Loads and stores of some lanes of a vector (`llvm.masked.*`), as loop vectorisation makes them.
//!
//! Lanes that are masked off must not be accessed: they may lie outside the object. So each lane
//! gets a branch, in blocks that LLVM does not know.

use super::address::is_computed_with;
use super::function::{Builder, Lanes};
use super::{Lowered, unsupported};
use crate::llvm::{Type, Value};
use espalier_ir::{Inst, Operand};

impl<'m> Builder<'_, 'm> {
    /// Lowers `llvm.masked.` + `name`; false if it is none of the known ones.
    pub(super) fn lower_masked(&mut self, inst: Value<'m>, name: &str) -> Lowered<bool> {
        match name {
            // Operands: pointer or pointers, alignment, mask, what masked-off lanes give.
            "load" | "gather" => {
                let ty = inst.ty();
                let pointers = self.lane_pointers(inst.operand(0), ty, name == "gather")?;
                let mask = self.lanes(inst.operand(2))?;
                let otherwise = self.lanes(inst.operand(3))?;
                let width = self.lane_width(ty)?;
                let (shape, computes) = (self.cx.shape(ty)?, is_computed_with(inst));
                let mut lanes = Lanes::new();
                for (((pointer, mask), otherwise), lane) in
                    pointers.into_iter().zip(mask).zip(otherwise).zip(&shape.lanes)
                {
                    let looks = self.looks(*lane, width, computes);
                    lanes.push(self.load_if(mask, width, pointer, otherwise, looks));
                }
                self.values.insert(inst, lanes);
            }
            // Operands: value, pointer or pointers, alignment, mask.
            "store" | "scatter" => {
                let ty = inst.operand(0).ty();
                let values = self.lanes(inst.operand(0))?;
                let pointers = self.lane_pointers(inst.operand(1), ty, name == "scatter")?;
                let mask = self.lanes(inst.operand(3))?;
                let width = self.lane_width(ty)?;
                for ((pointer, mask), value) in pointers.into_iter().zip(mask).zip(values) {
                    self.store_if(mask, width, pointer, value);
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Where each lane of a value of type `ty` lies: given one by one, or from one pointer on.
    fn lane_pointers(&mut self, pointer: Value<'m>, ty: Type<'m>, one_by_one: bool) -> Lowered<Lanes> {
        let pointers = self.lanes(pointer)?;
        let shape = self.cx.shape(ty)?;
        if one_by_one {
            return Ok(pointers);
        }
        let ([pointer], true) = (&pointers[..], shape.pieces.iter().all(|piece| piece.count == 1)) else {
            return unsupported(format!("a masked access to {}", ty.text()));
        };
        Ok(shape.pieces.iter().map(|piece| self.pointer_offset(*pointer, piece.offset)).collect())
    }

    /// `looks` is as in [`Inst::Load`].
    fn load_if(&mut self, mask: Operand, width: u32, ptr: Operand, otherwise: Operand, looks: bool) -> Operand {
        match self.known_int(mask) {
            Some(0) => return otherwise,
            Some(_) => {
                let dst = self.reg(width);
                self.emit(Inst::Load { width, dst, ptr, looks });
                return dst.into();
            }
            None => {}
        }
        let result = self.reg(width);
        let (access, join) = (self.extra_block(), self.extra_block());
        let (then, skip) = (self.edge(access), self.edge(join));
        self.out.edges[skip.index()].copies = Box::new([(result, otherwise)]);
        self.end(Inst::Branch { cond: mask, then, otherwise: skip });
        self.start_block(access);
        let loaded = self.reg(width);
        self.emit(Inst::Load { width, dst: loaded, ptr, looks });
        let edge = self.edge(join);
        self.out.edges[edge.index()].copies = Box::new([(result, loaded.into())]);
        self.end(Inst::Jump { edge });
        self.start_block(join);
        result.into()
    }

    fn store_if(&mut self, mask: Operand, width: u32, ptr: Operand, value: Operand) {
        match self.known_int(mask) {
            Some(0) => return,
            Some(_) => {
                self.emit(Inst::Store { width, value, ptr });
                return;
            }
            None => {}
        }
        let (access, join) = (self.extra_block(), self.extra_block());
        let (then, skip) = (self.edge(access), self.edge(join));
        self.end(Inst::Branch { cond: mask, then, otherwise: skip });
        self.start_block(access);
        self.emit(Inst::Store { width, value, ptr });
        let edge = self.edge(join);
        self.end(Inst::Jump { edge });
        self.start_block(join);
    }
}
