//! Stack objects, loads and stores; aggregates and vectors piece by piece.

use super::address::is_computed_with;
use super::function::{Builder, Lanes};
use super::shape::{Piece, Scalar, Shape};
use super::{Lowered, unsupported};
use crate::llvm::{Opcode, Type, Value, ValueKind};
use espalier_ir::{AllocaId, AllocaSite, BinOp, Inst, Loc, Operand};

impl<'m> Builder<'_, 'm> {
    pub(super) fn lower_alloca(&mut self, inst: Value<'m>) -> Lowered<Lanes> {
        let ty = inst.alloca_type();
        if !ty.is_sized() {
            return unsupported(format!("a stack object of type {}, which has no size", ty.text()));
        }
        let (name, loc) = match self.variables.get(&inst).cloned() {
            Some(info) => {
                let loc = crate::llvm::DebugLoc { file: info.file, line: info.line, column: 0 };
                (info.name, self.cx.debug.loc(loc, &mut self.cx.program.files))
            }
            None => (own_name(&inst.name()), self.loc),
        };
        let site = AllocaSite {
            element_size: self.cx.layout.alloc_size(ty),
            align: inst.align().max(1),
            name,
            loc: if loc.is_known() { loc } else { Loc::UNKNOWN },
            is_scalar: ty.is_scalar() && inst.operand(0).small_int() == Some(1),
            is_scoped: self.is_scoped(inst),
        };
        let id = AllocaId::new(self.out.allocas.len());
        self.out.allocas.push(site);
        let count_value = inst.operand(0);
        let count_width = self.lane_width(count_value.ty())?;
        let pointer_width = self.cx.pointer_width;
        let count = match count_value.small_int() {
            Some(count) => self.constant(super::constant::int_wrapped(count, pointer_width)),
            None => {
                let count = self.scalar(count_value)?;
                self.resize(count, count_width, pointer_width, false)
            }
        };
        let dst = self.reg(pointer_width);
        self.emit(Inst::Alloca { dst, site: id, count });
        self.note_scoped(inst, dst, id);
        Ok(Lanes::from_slice(&[dst.into()]))
    }

    pub(super) fn lower_load(&mut self, inst: Value<'m>) -> Lowered<Lanes> {
        let pointer = inst.operand(0);
        if self.is_undef_marker(pointer) {
            let shape = self.cx.shape(inst.ty())?;
            let is_read = inst.users().into_iter().any(|user| user.opcode() != Opcode::LLVMStore);
            let value = |lane: &Scalar| if is_read { self.unknown(lane.width()) } else { self.undef(lane.width()) };
            return Ok(shape.lanes.iter().map(value).collect());
        }
        let pointer = self.scalar(pointer)?;
        self.load(inst.ty(), pointer, is_computed_with(inst))
    }

    pub(super) fn lower_store(&mut self, inst: Value<'m>) -> Lowered<()> {
        let value = inst.operand(0);
        // Promotion stores its marker into variables that then stay in memory: new objects are
        // undefined anyway.
        let is_load = value.kind() == ValueKind::LLVMInstructionValueKind && value.opcode() == Opcode::LLVMLoad;
        if is_load && self.is_undef_marker(value.operand(0)) {
            return Ok(());
        }
        let lanes = self.lanes(value)?;
        let pointer = self.scalar_operand(inst, 1)?;
        self.note_packed(inst);
        self.store(value.ty(), &lanes, pointer)
    }

    /// `computes`: something is made of the value, other than passing it on.
    pub(super) fn load(&mut self, ty: Type<'m>, pointer: Operand, computes: bool) -> Lowered<Lanes> {
        let shape = self.cx.shape(ty)?;
        let mut lanes = Lanes::new();
        for piece in &shape.pieces {
            let width = piece_width(&shape, piece);
            let at = self.pointer_offset(pointer, piece.offset);
            let dst = self.reg(width);
            let looks = self.looks(shape.lanes[piece.lane], width, computes);
            self.emit(Inst::Load { width, dst, ptr: at, looks });
            if piece.count == 1 {
                lanes.push(dst.into());
            } else {
                let lane = shape.lanes[piece.lane].width();
                lanes.extend(self.split(dst.into(), width, lane, piece.count));
            }
        }
        Ok(lanes)
    }

    pub(super) fn store(&mut self, ty: Type<'m>, lanes: &[Operand], pointer: Operand) -> Lowered<()> {
        let shape = self.cx.shape(ty)?;
        if lanes.len() != shape.lanes.len() {
            return unsupported("a store of a value that does not fit its type");
        }
        for piece in &shape.pieces {
            let width = piece_width(&shape, piece);
            let value = if piece.count == 1 {
                lanes[piece.lane]
            } else {
                self.join(&lanes[piece.lane..piece.lane + piece.count], shape.lanes[piece.lane].width())
            };
            let at = self.pointer_offset(pointer, piece.offset);
            self.emit(Inst::Store { width, value, ptr: at });
        }
        Ok(())
    }

    /// `count` lanes of `lane` bits each, the first from the lowest bits of `whole`.
    pub(super) fn split(&mut self, whole: Operand, width: u32, lane: u32, count: usize) -> Lanes {
        (0..count)
            .map(|i| {
                let by = u32::try_from(i).unwrap_or(u32::MAX).saturating_mul(lane);
                let shifted = if by == 0 {
                    whole
                } else {
                    let by = self.int(u64::from(by), width);
                    self.bin(BinOp::LShr, width, whole, by)
                };
                self.resize(shifted, width, lane, false)
            })
            .collect()
    }

    /// One value of all lanes' bits, the first lane in the lowest.
    pub(super) fn join(&mut self, lanes: &[Operand], lane: u32) -> Operand {
        let width = u32::try_from(lanes.len()).unwrap_or(u32::MAX).saturating_mul(lane);
        let mut whole = None;
        for (i, value) in lanes.iter().enumerate() {
            let mut part = self.resize(*value, lane, width, false);
            let by = u32::try_from(i).unwrap_or(u32::MAX).saturating_mul(lane);
            if by != 0 {
                let by = self.int(u64::from(by), width);
                part = self.bin(BinOp::Shl, width, part, by);
            }
            whole = Some(match whole {
                Some(before) => self.bin(BinOp::Or, width, before, part),
                None => part,
            });
        }
        whole.unwrap_or_else(|| self.int(0, width.max(1)))
    }
}

/// How many bits a piece has in memory.
pub fn piece_width(shape: &Shape, piece: &Piece) -> u32 {
    shape.lanes[piece.lane].width().saturating_mul(u32::try_from(piece.count).unwrap_or(u32::MAX))
}

/// LLVM's name of a stack object, if it says something about the source.
fn own_name(name: &str) -> String {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_temporary = matches!(
        stem,
        "" | "retval" | "tmp" | "ref.tmp" | "agg.tmp" | "coerce" | "undef.agg.tmp" | "saved_stack" | "byval-temp"
    ) || stem.contains('.') && !stem.ends_with(".addr");
    if is_temporary { String::new() } else { stem.strip_suffix(".addr").unwrap_or(name).to_owned() }
}
