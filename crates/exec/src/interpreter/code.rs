//! Instructions as the loop of plain ones (`plain`) runs them, made of the IR's when the program is
//! loaded.
//!
//! There is one for each instruction of a function, under the same number, so that the two loops
//! can take over from each other anywhere. What the loop would have to find out each time is in the
//! kind: which operator it is, and whether an operand is a register or a number, which then is part
//! of the instruction. All are 16 bytes, so that code that paths run through once stays in the
//! cache. What only `step` can do is [`Op::General`].

use crate::interpreter::operator;
use crate::interpreter::value::{Value, mask, signed};
use espalier_ir::{
    BinOp, CallId, Callee, CastOp, CmpOp, EdgeId, FBinOp, FCmpOp, FloatKind, Function, Inst, Operand, Reg, SwitchId,
};

/// A register. A function that has more than these can number is general as a whole.
type R = u16;

#[derive(Copy, Clone, Debug)]
#[rustfmt::skip] // One a line.
pub(crate) enum Op {
    General,
    // Operators on registers of `width` bits, and on a register and a number.
    Add { width: u8, dst: R, a: R, b: R },
    AddNumber { width: u8, dst: R, a: R, number: u64 },
    Sub { width: u8, dst: R, a: R, b: R },
    Mul { width: u8, dst: R, a: R, b: R },
    MulNumber { width: u8, dst: R, a: R, number: u64 },
    And { dst: R, a: R, b: R },
    AndNumber { dst: R, a: R, number: u64 },
    Or { dst: R, a: R, b: R },
    OrNumber { dst: R, a: R, number: u64 },
    Xor { dst: R, a: R, b: R },
    XorNumber { dst: R, a: R, number: u64 },
    Shl { width: u8, dst: R, a: R, b: R },
    /// The number is less than the width, here and below.
    ShlNumber { width: u8, dst: R, a: R, by: u8 },
    LShr { width: u8, dst: R, a: R, b: R },
    LShrNumber { dst: R, a: R, by: u8 },
    AShrNumber { width: u8, dst: R, a: R, by: u8 },
    /// Any other operator, on any operands.
    Bin { op: BinOp, width: u8, dst: R, a: Operand, b: Operand },
    FBin { op: FBinOp, kind: FloatKind, dst: R, a: Operand, b: Operand },
    FCmp { op: FCmpOp, kind: FloatKind, dst: R, a: Operand, b: Operand },
    // Comparisons. `branches`: the next instruction is the branch on the result. Signed ones move
    // both sides to the top of 64 bits; numbers are there already.
    Eq { branches: bool, dst: R, a: R, b: R },
    EqNumber { branches: bool, dst: R, a: R, number: u64 },
    Ne { branches: bool, dst: R, a: R, b: R },
    NeNumber { branches: bool, dst: R, a: R, number: u64 },
    Ult { branches: bool, dst: R, a: R, b: R },
    Ule { branches: bool, dst: R, a: R, b: R },
    UltNumber { branches: bool, dst: R, a: R, number: u64 },
    UgtNumber { branches: bool, dst: R, a: R, number: u64 },
    Slt { branches: bool, shift: u8, dst: R, a: R, b: R },
    Sle { branches: bool, shift: u8, dst: R, a: R, b: R },
    SltNumber { branches: bool, shift: u8, dst: R, a: R, number: i64 },
    SgtNumber { branches: bool, shift: u8, dst: R, a: R, number: i64 },
    /// The value of a register that holds a number, and of any.
    ZExt { dst: R, a: R },
    Copy { dst: R, a: R },
    Set { dst: R, number: u64 },
    SExt { width: u8, from: u8, dst: R, a: R },
    Select { dst: R, cond: R, a: Operand, b: Operand },
    /// `base + index * scale + offset`.
    PtrAdd { dst: R, base: R, index: R, scale: u32, offset: i32 },
    /// `start + index * scale`.
    PtrIndex { scale: u16, dst: R, index: R, start: u64 },
    /// `looks`: it stops if what it reads can be an address or a part of one, here and below.
    Load { looks: bool, width: u8, dst: R, ptr: R },
    /// Sets `ptr` to `base + offset`; then loads from there, which is the next instruction.
    LoadAt { looks: bool, width: u8, dst: R, ptr: R, base: R, offset: i32 },
    LoadFrom { looks: bool, width: u8, dst: R, address: u64 },
    Store { width: u8, value: R, ptr: R },
    StoreAny { width: u8, value: Operand, ptr: Operand },
    Jump { edge: EdgeId },
    Branch { cond: R, then: EdgeId, otherwise: EdgeId },
    Switch { value: R, switch: SwitchId },
    /// Nothing to note, if both are in one slot of so many bits.
    PointerPair { bits: u8, a: Operand, b: Operand },
    /// Nothing to note, if the first is no address.
    NumberPair { a: R, b: Operand },
    /// One that is among the function's plain calls; through a pointer, it has to lead to the same
    /// function as the last time.
    Call { call: CallId },
    CallTo { target: R, call: CallId },
    /// `number`: which return of the function it is.
    Return { number: u8, value: Option<Operand> },
}

const _: () = assert!(std::mem::size_of::<Op>() == 16);

/// Returns with greater numbers are general.
pub(crate) const NUMBERED_RETURNS: u32 = 32;

struct Lowering<'a> {
    function: &'a Function,
    constants: &'a [Value],
    pointer_width: u32,
    slot_bits: u8,
    packs_addresses: bool,
}

/// The code of a function. `is_plain` tells which calls are.
pub(crate) fn ops(
    function: &Function,
    constants: &[Value],
    (pointer_width, slot_bits): (u32, u32),
    packs_addresses: bool,
    is_plain: impl Fn(CallId) -> bool,
) -> Box<[Op]> {
    if function.regs.len() > R::MAX as usize {
        return vec![Op::General; function.code.len()].into();
    }
    let lowering = Lowering { function, constants, pointer_width, slot_bits: slot_bits as u8, packs_addresses };
    let code = function.code.iter().enumerate();
    code.map(|(pc, &inst)| match inst {
        Inst::Call { call } if !is_plain(call) => Op::General,
        _ => lowering.op(pc, inst).unwrap_or(Op::General),
    })
    .collect()
}

fn r(reg: Reg) -> R {
    reg.0 as R
}

impl Lowering<'_> {
    fn reg(&self, operand: Operand) -> Option<R> {
        operand.as_reg().map(r)
    }

    fn number(&self, operand: Operand) -> Option<u64> {
        self.constants[operand.as_const()?.index()].as_concrete()
    }

    fn op(&self, pc: usize, inst: Inst) -> Option<Op> {
        Some(match inst {
            Inst::Bin { op, width: width @ 1..=64, dst, a, b } => {
                let (width, dst) = (width as u8, r(dst));
                self.bin(op, width, dst, a, b).unwrap_or(Op::Bin { op, width, dst, a, b })
            }
            Inst::FBin { op, kind, dst, a, b } => Op::FBin { op, kind, dst: r(dst), a, b },
            Inst::FCmp { op, kind, dst, a, b } => Op::FCmp { op, kind, dst: r(dst), a, b },
            Inst::Cmp { op, width: width @ 1..=64, dst, a, b } => {
                let next = self.function.code[pc + 1];
                let branches = matches!(next, Inst::Branch { cond, .. } if cond.as_reg() == Some(dst));
                return self.cmp(op, width, branches, r(dst), a, b);
            }
            Inst::Cast { op, from: from @ 1..=64, to: to @ 1..=64, dst, a } => {
                let (dst, a) = (r(dst), self.reg(a)?);
                match op {
                    CastOp::Trunc => Op::AndNumber { dst, a, number: mask(to) },
                    CastOp::ZExt => Op::ZExt { dst, a },
                    CastOp::SExt => Op::SExt { width: to as u8, from: from as u8, dst, a },
                }
            }
            Inst::Select { dst, cond, a, b, .. } => Op::Select { dst: r(dst), cond: self.reg(cond)?, a, b },
            Inst::Copy { dst, a, .. } | Inst::Freeze { dst, a, .. } => match self.reg(a) {
                Some(a) => Op::Copy { dst: r(dst), a },
                None => Op::Set { dst: r(dst), number: self.number(a)? },
            },
            Inst::PtrAdd { dst, base, index, scale, offset } => {
                let (dst, width) = (r(dst), self.pointer_width);
                let moved = |by: u64| operator::moved(by, scale, offset) & mask(width);
                match (self.reg(base), self.reg(index)) {
                    (Some(base), Some(index)) => Op::PtrAdd { dst, base, index, scale, offset },
                    (Some(a), None) => {
                        let number = moved(self.number(index)?);
                        self.load_at(pc + 1, dst, a, number).unwrap_or(Op::AddNumber {
                            width: width as u8,
                            dst,
                            a,
                            number,
                        })
                    }
                    (None, Some(index)) => {
                        let start = self.number(base)?.wrapping_add(offset as i64 as u64) & mask(width);
                        Op::PtrIndex { scale: u16::try_from(scale).ok()?, dst, index, start }
                    }
                    (None, None) => {
                        let sum = self.number(base)?.wrapping_add(moved(self.number(index)?)) & mask(width);
                        Op::Set { dst, number: sum }
                    }
                }
            }
            Inst::Load { looks: true, .. } if self.packs_addresses => return None,
            Inst::Load { width: width @ 1..=64, dst, ptr, looks } => match self.reg(ptr) {
                Some(ptr) => Op::Load { looks, width: width as u8, dst: r(dst), ptr },
                None => Op::LoadFrom { looks, width: width as u8, dst: r(dst), address: self.number(ptr)? },
            },
            Inst::Store { .. } if self.packs_addresses => return None,
            Inst::Store { width: width @ 1..=64, value, ptr } => match (self.reg(value), self.reg(ptr)) {
                (Some(value), Some(ptr)) => Op::Store { width: width as u8, value, ptr },
                _ => Op::StoreAny { width: width as u8, value, ptr },
            },
            Inst::PointerPair { a, b, .. } => Op::PointerPair { bits: self.slot_bits, a, b },
            Inst::NumberPair { a, b, .. } => Op::NumberPair { a: self.reg(a)?, b },
            Inst::Jump { edge } => Op::Jump { edge },
            Inst::Branch { cond, then, otherwise } => match self.reg(cond) {
                Some(cond) => Op::Branch { cond, then, otherwise },
                None => Op::Jump { edge: if self.number(cond)? != 0 { then } else { otherwise } },
            },
            Inst::Switch { switch } => Op::Switch { value: self.reg(self.function.switch(switch).value)?, switch },
            Inst::Call { call } => match self.function.call(call).callee {
                Callee::Direct(_) => Op::Call { call },
                Callee::Indirect(target) => Op::CallTo { target: self.reg(target)?, call },
            },
            Inst::Return { ret } if ret < NUMBERED_RETURNS => {
                Op::Return { number: ret as u8, value: self.function.returns[ret as usize].first().copied() }
            }
            _ => return None,
        })
    }

    /// The addition of a number to a pointer, if the next instruction loads from there.
    fn load_at(&self, next: usize, ptr: R, base: R, number: u64) -> Option<Op> {
        let Inst::Load { width: width @ 1..=64, dst, ptr: from, looks } = self.function.code[next] else {
            return None;
        };
        let offset = i32::try_from(signed(number, self.pointer_width)).ok()?;
        let is_fused = self.reg(from) == Some(ptr) && !(looks && self.packs_addresses);
        is_fused.then_some(Op::LoadAt { looks, width: width as u8, dst: r(dst), ptr, base, offset })
    }

    fn bin(&self, op: BinOp, width: u8, dst: R, a: Operand, b: Operand) -> Option<Op> {
        let commutes = matches!(op, BinOp::Add | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor);
        let (a, b) = if commutes && a.is_const() { (b, a) } else { (a, b) };
        let a = self.reg(a)?;
        if let Some(b) = self.reg(b) {
            return Some(match op {
                BinOp::Add => Op::Add { width, dst, a, b },
                BinOp::Sub => Op::Sub { width, dst, a, b },
                BinOp::Mul => Op::Mul { width, dst, a, b },
                BinOp::And => Op::And { dst, a, b },
                BinOp::Or => Op::Or { dst, a, b },
                BinOp::Xor => Op::Xor { dst, a, b },
                BinOp::Shl => Op::Shl { width, dst, a, b },
                BinOp::LShr => Op::LShr { width, dst, a, b },
                _ => return None,
            });
        }
        let number = self.number(b)?;
        let by = (number < width as u64).then_some(number as u8);
        Some(match op {
            BinOp::Add => Op::AddNumber { width, dst, a, number },
            BinOp::Sub => Op::AddNumber { width, dst, a, number: number.wrapping_neg() },
            BinOp::Mul => Op::MulNumber { width, dst, a, number },
            BinOp::And => Op::AndNumber { dst, a, number },
            BinOp::Or => Op::OrNumber { dst, a, number },
            BinOp::Xor => Op::XorNumber { dst, a, number },
            BinOp::Shl => Op::ShlNumber { width, dst, a, by: by? },
            BinOp::LShr => Op::LShrNumber { dst, a, by: by? },
            BinOp::AShr => Op::AShrNumber { width, dst, a, by: by? },
            _ => return None,
        })
    }

    fn cmp(&self, op: CmpOp, width: u32, branches: bool, dst: R, a: Operand, b: Operand) -> Option<Op> {
        let shift = 64 - width as u8;
        if let (Some(a), Some(b)) = (self.reg(a), self.reg(b)) {
            return Some(match op {
                CmpOp::Eq => Op::Eq { branches, dst, a, b },
                CmpOp::Ne => Op::Ne { branches, dst, a, b },
                CmpOp::Ult => Op::Ult { branches, dst, a, b },
                CmpOp::Ule => Op::Ule { branches, dst, a, b },
                CmpOp::Ugt => Op::Ult { branches, dst, a: b, b: a },
                CmpOp::Uge => Op::Ule { branches, dst, a: b, b: a },
                CmpOp::Slt => Op::Slt { branches, shift, dst, a, b },
                CmpOp::Sle => Op::Sle { branches, shift, dst, a, b },
                CmpOp::Sgt => Op::Slt { branches, shift, dst, a: b, b: a },
                CmpOp::Sge => Op::Sle { branches, shift, dst, a: b, b: a },
            });
        }
        let (op, a, b) = if a.is_const() { (op.swapped(), b, a) } else { (op, a, b) };
        let (a, number) = (self.reg(a)?, self.number(b)?);
        let high = (number << shift) as i64;
        let unit = 1_i64 << shift;
        Some(match op {
            CmpOp::Eq => Op::EqNumber { branches, dst, a, number },
            CmpOp::Ne => Op::NeNumber { branches, dst, a, number },
            CmpOp::Ult => Op::UltNumber { branches, dst, a, number },
            CmpOp::Ule => Op::UltNumber { branches, dst, a, number: number.checked_add(1)? },
            CmpOp::Ugt => Op::UgtNumber { branches, dst, a, number },
            CmpOp::Uge => Op::UgtNumber { branches, dst, a, number: number.checked_sub(1)? },
            CmpOp::Slt => Op::SltNumber { branches, shift, dst, a, number: high },
            CmpOp::Sle if width > 1 => Op::SltNumber { branches, shift, dst, a, number: high.checked_add(unit)? },
            CmpOp::Sgt => Op::SgtNumber { branches, shift, dst, a, number: high },
            CmpOp::Sge if width > 1 => Op::SgtNumber { branches, shift, dst, a, number: high.checked_sub(unit)? },
            CmpOp::Sle | CmpOp::Sge => return None,
        })
    }
}
