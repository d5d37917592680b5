//! Address arithmetic: `getelementptr`.

use super::constant::int_wrapped;
use super::function::{Builder, Lanes};
use super::{Lowered, unsupported};
use crate::llvm::{DataLayout, Type, TypeKind, Value};
use espalier_ir::{BinOp, Inst, Operand};
use smallvec::SmallVec;

/// One step of address arithmetic that is not a number yet: `index * scale`.
pub struct Step<'m> {
    pub index: Value<'m>,
    pub scale: u64,
}

/// The sum of the constant parts, in bytes, and the other parts.
pub fn gep_steps<'m>(
    layout: DataLayout<'m>,
    source: Type<'m>,
    indices: &[Value<'m>],
) -> Lowered<(i64, SmallVec<[Step<'m>; 2]>)> {
    let mut offset = 0_i64;
    let mut steps = SmallVec::new();
    let mut ty = source;
    for (position, index) in indices.iter().enumerate() {
        if position > 0 {
            match ty.kind() {
                TypeKind::Struct => {
                    // With vectors of pointers the field number is a vector of equal numbers.
                    let number = index.small_int().or_else(|| index.aggregate_element(0)?.small_int());
                    let fields = ty.fields();
                    let field = number.and_then(|n| usize::try_from(n).ok()).filter(|n| *n < fields.len());
                    let Some(field) = field else {
                        return unsupported("address arithmetic with a field that does not exist");
                    };
                    let field_offset = layout.field_offset(ty, u32::try_from(field).unwrap_or(u32::MAX));
                    offset = offset.wrapping_add_unsigned(field_offset);
                    ty = fields[field];
                    continue;
                }
                TypeKind::Array(_) | TypeKind::Vector(_) => ty = ty.element(),
                _ => return unsupported(format!("address arithmetic into the type {}", ty.text())),
            }
        }
        if !ty.is_sized() {
            return unsupported(format!("address arithmetic on the type {}, which has no size", ty.text()));
        }
        let scale = layout.alloc_size(ty);
        match index.small_int() {
            Some(number) => offset = offset.wrapping_add(number.wrapping_mul(scale as i64)),
            None if scale == 0 => {}
            None => steps.push(Step { index: *index, scale }),
        }
    }
    Ok((offset, steps))
}

impl<'m> Builder<'_, 'm> {
    pub(super) fn lower_gep(&mut self, inst: Value<'m>) -> Lowered<Lanes> {
        let indices: Vec<_> = (1..inst.operand_count()).map(|i| inst.operand(i)).collect();
        let (offset, steps) = gep_steps(self.cx.layout, inst.gep_source_type(), &indices)?;
        let bases = self.lanes(inst.operand(0))?;
        let mut indices: SmallVec<[(Lanes, u32, u64); 2]> = SmallVec::new();
        for step in steps {
            let width = self.cx.shape(step.index.ty())?.lanes.first().map_or(0, |lane| lane.width());
            indices.push((self.lanes(step.index)?, width, step.scale));
        }
        // With vectors, scalars stand for vectors of equal elements.
        let count = self.cx.shape(inst.ty())?.lanes.len();
        let pick = |lanes: &Lanes, lane: usize| lanes.get(if lanes.len() == 1 { 0 } else { lane }).copied();
        let mut all = Lanes::new();
        for lane in 0..count {
            let Some(base) = pick(&bases, lane) else {
                return unsupported("address arithmetic on vectors of different lengths");
            };
            let mut parts: SmallVec<[(Operand, u64); 2]> = SmallVec::new();
            for (lanes, width, scale) in &indices {
                let Some(index) = pick(lanes, lane) else {
                    return unsupported("address arithmetic on vectors of different lengths");
                };
                parts.push((self.resize(index, *width, self.cx.pointer_width, true), *scale));
            }
            all.push(self.pointer_sum(base, &parts, offset));
        }
        Ok(all)
    }

    /// `base + Σ index * scale + offset`.
    fn pointer_sum(&mut self, base: Operand, parts: &[(Operand, u64)], offset: i64) -> Operand {
        let width = self.cx.pointer_width;
        let mut sum = base;
        let mut rest = offset;
        for (position, (index, scale)) in parts.iter().copied().enumerate() {
            let last = position + 1 == parts.len();
            let step_offset = if last { i32::try_from(rest).unwrap_or(0) } else { 0 };
            rest = rest.wrapping_sub(i64::from(step_offset));
            let (index, scale) = match u32::try_from(scale) {
                Ok(scale) => (index, scale),
                Err(_) => {
                    let factor = self.constant(int_wrapped(scale as i64, width));
                    (self.bin(BinOp::Mul, width, index, factor), 1)
                }
            };
            sum = self.pointer_add(sum, index, scale, step_offset);
        }
        match i32::try_from(rest) {
            Ok(0) => sum,
            Ok(rest) => {
                let zero = self.int(0, width);
                self.pointer_add(sum, zero, 0, rest)
            }
            Err(_) => {
                let index = self.constant(int_wrapped(rest, width));
                self.pointer_add(sum, index, 1, 0)
            }
        }
    }

    /// The address `offset` bytes after `base`.
    pub(super) fn pointer_offset(&mut self, base: Operand, offset: u64) -> Operand {
        self.pointer_sum(base, &[], offset as i64)
    }

    fn pointer_add(&mut self, base: Operand, index: Operand, scale: u32, offset: i32) -> Operand {
        let dst = self.reg(self.cx.pointer_width);
        self.emit(Inst::PtrAdd { dst, base, index, scale, offset });
        dst.into()
    }
}
