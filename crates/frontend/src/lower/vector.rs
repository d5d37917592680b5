//! Taking aggregates and vectors apart and putting them together: mostly renaming of registers.

use super::function::{Builder, Lanes};
use super::shape::Scalar;
use super::{Lowered, unsupported};
use crate::llvm::{Type, TypeKind, Value};
use espalier_ir::CmpOp;

impl<'m> Builder<'_, 'm> {
    /// The first lane and the number of lanes of the part of `ty` that `indices` lead to.
    fn part(&mut self, mut ty: Type<'m>, indices: &[u32]) -> Lowered<(usize, usize)> {
        let mut first = 0;
        for index in indices {
            match ty.kind() {
                TypeKind::Struct => {
                    let fields = ty.fields();
                    for field in fields.iter().take(*index as usize) {
                        first += self.cx.shape(*field)?.lanes.len();
                    }
                    match fields.get(*index as usize) {
                        Some(field) => ty = *field,
                        None => return unsupported("a field that does not exist"),
                    }
                }
                TypeKind::Array(_) => {
                    ty = ty.element();
                    first += self.cx.shape(ty)?.lanes.len() * *index as usize;
                }
                _ => return unsupported(format!("a part of the type {}", ty.text())),
            }
        }
        Ok((first, self.cx.shape(ty)?.lanes.len()))
    }

    pub(super) fn lower_extract_value(&mut self, inst: Value<'m>) -> Lowered<Lanes> {
        let whole = inst.operand(0);
        let (first, count) = self.part(whole.ty(), &inst.aggregate_indices())?;
        match self.lanes(whole)?.get(first..first + count) {
            Some(lanes) => Ok(Lanes::from_slice(lanes)),
            None => unsupported("a part outside its aggregate"),
        }
    }

    pub(super) fn lower_insert_value(&mut self, inst: Value<'m>) -> Lowered<Lanes> {
        let whole = inst.operand(0);
        let (first, count) = self.part(whole.ty(), &inst.aggregate_indices())?;
        let mut lanes = self.lanes(whole)?;
        let part = self.lanes(inst.operand(1))?;
        match lanes.get_mut(first..first + count) {
            Some(slots) if slots.len() == part.len() => slots.copy_from_slice(&part),
            _ => return unsupported("a part outside its aggregate"),
        }
        Ok(lanes)
    }

    pub(super) fn lower_extract_element(&mut self, inst: Value<'m>) -> Lowered<Lanes> {
        let lanes = self.lanes(inst.operand(0))?;
        let width = self.lane_width(inst.ty())?;
        let index = inst.operand(1);
        if let Some(number) = index.small_int() {
            // An index outside the vector gives poison: anything.
            let lane = usize::try_from(number).ok().and_then(|n| lanes.get(n).copied());
            let lane = lane.unwrap_or_else(|| self.undef(width));
            return Ok(Lanes::from_slice(&[lane]));
        }
        let index_width = self.lane_width(index.ty())?;
        let index = self.scalar(index)?;
        let Some((last, before)) = lanes.split_last() else {
            return unsupported("an element of an empty vector");
        };
        let mut chosen = *last;
        for (i, lane) in before.iter().enumerate().rev() {
            let number = self.int(i as u64, index_width);
            let is_it = self.cmp(CmpOp::Eq, index_width, index, number);
            chosen = self.select(width, is_it, *lane, chosen);
        }
        Ok(Lanes::from_slice(&[chosen]))
    }

    pub(super) fn lower_insert_element(&mut self, inst: Value<'m>) -> Lowered<Lanes> {
        let mut lanes = self.lanes(inst.operand(0))?;
        let element = self.scalar_operand(inst, 1)?;
        let width = self.lane_width(inst.ty())?;
        let index = inst.operand(2);
        if let Some(number) = index.small_int() {
            match usize::try_from(number).ok().and_then(|n| lanes.get_mut(n)) {
                Some(lane) => *lane = element,
                None => {
                    let undef = self.undef(width);
                    lanes.fill(undef);
                }
            }
            return Ok(lanes);
        }
        let index_width = self.lane_width(index.ty())?;
        let index = self.scalar(index)?;
        for (i, lane) in lanes.iter_mut().enumerate() {
            let number = self.int(i as u64, index_width);
            let is_it = self.cmp(CmpOp::Eq, index_width, index, number);
            *lane = self.select(width, is_it, element, *lane);
        }
        Ok(lanes)
    }

    pub(super) fn lower_shuffle(&mut self, inst: Value<'m>) -> Lowered<Lanes> {
        let mut from = self.lanes(inst.operand(0))?;
        from.extend(self.lanes(inst.operand(1))?);
        let width = self.lane_width(inst.ty())?;
        Ok(inst
            .shuffle_mask()
            .into_iter()
            .map(|lane| lane.and_then(|lane| from.get(lane as usize).copied()).unwrap_or_else(|| self.undef(width)))
            .collect())
    }

    /// The same bits as another type: lanes are joined and split as memory would have them.
    pub(super) fn lower_bitcast(&mut self, inst: Value<'m>) -> Lowered<Lanes> {
        let from = self.cx.shape(inst.operand(0).ty())?;
        let to = self.cx.shape(inst.ty())?;
        let lanes = self.lanes(inst.operand(0))?;
        if from.widths() == to.widths() {
            return Ok(lanes);
        }
        let (Some(from_lane), Some(to_lane)) = (from.lanes.first().copied(), to.lanes.first().copied()) else {
            return unsupported("a bit cast of nothing");
        };
        let (from_width, to_width) = (from_lane.width(), to_lane.width());
        self.recast(&lanes, from_width, to_width, to.lanes.len())
    }

    /// Lanes of `from` bits as `count` lanes of `to` bits.
    fn recast(&mut self, lanes: &Lanes, from: u32, to: u32, count: usize) -> Lowered<Lanes> {
        if from.is_multiple_of(to) {
            let parts = (from / to) as usize;
            return Ok(lanes.iter().flat_map(|lane| self.split(*lane, from, to, parts)).collect());
        }
        if to.is_multiple_of(from) {
            let parts = (to / from) as usize;
            return Ok(lanes.chunks(parts).map(|chunk| self.join(chunk, from)).collect());
        }
        let whole = self.join(lanes, from);
        let width = from.saturating_mul(u32::try_from(lanes.len()).unwrap_or(u32::MAX));
        Ok(self.split(whole, width, to, count))
    }

    /// Are all lanes of this type floats?
    pub(super) fn float_lanes(&mut self, ty: Type<'m>) -> Lowered<espalier_ir::FloatKind> {
        match self.lane_scalar(ty)? {
            Scalar::Float(kind) => Ok(kind),
            _ => unsupported(format!("a floating-point operation on {}", ty.text())),
        }
    }
}
