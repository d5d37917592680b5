//! Where a program looks at the number that an address is, instead of what C defines about it.
//!
//! Here objects lie where the engine puts them, in a real run elsewhere. So an instruction that
//! notes it goes before whatever depends on that: comparisons and differences of pointers, which
//! are defined within one object, and casts to integers, unless all that is done with the integer
//! means the same wherever the object lies. Libraries are trusted with pointers: `memmove` may ask
//! which of two objects comes first.

use super::Lowered;
use super::function::Builder;
use super::shape::Scalar;
use crate::llvm::{Opcode, TypeKind, Value, ValueKind};
use espalier_ir::{Inst, PairQuestion};

/// No object is in the first or in the last page: comparing an address with these has one answer.
const PAGE: i64 = 4096;

/// Uses of uses that are followed.
const MOST_USES: usize = 64;

impl<'m> Builder<'_, 'm> {
    /// Goes before a comparison of two pointers, or of integers that pointers were cast to.
    pub(super) fn note_comparison(&mut self, inst: Value<'m>, asks: PairQuestion) -> Lowered<()> {
        let (x, y) = (inst.operand(0), inst.operand(1));
        let (a, b) = (pointer_behind(x), pointer_behind(y));
        let question = if a.is_some() && b.is_some() { asks } else { PairQuestion::Number };
        if a.is_none() && b.is_none() {
            return self.note_loaded_pair(inst, asks);
        }
        let (a, b) = (a.unwrap_or(x), b.unwrap_or(y));
        if self.out.is_runtime || is_no_address(a, b) {
            return Ok(());
        }
        let (a, b) = (self.lanes(a)?, self.lanes(b)?);
        for (a, b) in a.into_iter().zip(b) {
            self.emit(Inst::PointerPair { a, b, asks: question });
        }
        Ok(())
    }

    /// Goes before a difference: of two pointers in one object it is the same everywhere.
    pub(super) fn note_difference(&mut self, inst: Value<'m>) -> Lowered<()> {
        let operands = [inst.operand(0), inst.operand(1)];
        match operands.map(pointer_behind) {
            [Some(_), Some(_)] => self.note_comparison(inst, PairQuestion::Order),
            [None, None] => self.note_loaded_pair(inst, PairQuestion::Order),
            _ => operands.into_iter().try_for_each(|operand| self.note_constant(operand, false)),
        }
    }

    /// Goes before an instruction that has addresses as parts of constant operands, if it looks at
    /// their numbers. An address in such an operand may be stored, moved within its object, and
    /// made a pointer again; comparisons and differences are noted as those of other addresses.
    pub(super) fn note_constants(&mut self, inst: Value<'m>) -> Lowered<()> {
        let may_be_moved =
            matches!(inst.opcode(), Opcode::LLVMStore | Opcode::LLVMIntToPtr | Opcode::LLVMICmp | Opcode::LLVMSub);
        (0..inst.operand_count()).try_for_each(|index| self.note_constant(inst.operand(index), may_be_moved))
    }

    fn note_constant(&mut self, operand: Value<'m>, may_be_moved: bool) -> Lowered<()> {
        if self.out.is_runtime || !operand.is_constant() {
            return Ok(());
        }
        let mut looks = Vec::new();
        find_looks(operand, may_be_moved, &mut looks);
        for look in looks {
            match look {
                Look::Number(pointer) => {
                    let lanes = self.lanes(pointer)?;
                    lanes.into_iter().for_each(|a| self.emit(Inst::AddressNumber { a, mask: 0 }));
                }
                Look::Difference(a, b) => {
                    let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                    self.emit(Inst::PointerPair { a, b, asks: PairQuestion::Order });
                }
            }
        }
        Ok(())
    }

    /// Goes before a cast to an integer.
    pub(super) fn note_number(&mut self, inst: Value<'m>) -> Lowered<()> {
        let pointer = inst.operand(0);
        let mut mask = 0;
        if self.out.is_runtime || is_used_as_address(inst, &mut mask) && mask == 0 {
            return Ok(());
        }
        for a in self.lanes(pointer)? {
            self.emit(Inst::AddressNumber { a, mask });
        }
        Ok(())
    }

    /// Does a load look at a number that may be an address, or at a part of one? Whole words are
    /// only looked at if they are computed with, not if they are passed on, or compared, which is
    /// seen where it happens.
    pub(super) fn looks(&self, lane: Scalar, width: u32, computes: bool) -> bool {
        match lane {
            // Equality of bytes is that of what they belong to; `memcmp` says itself what it
            // compared.
            _ if self.out.is_runtime => width == 8 && !matches!(&*self.out.name, "memcmp" | "bcmp"),
            Scalar::Pointer(_) => width != self.cx.pointer_width,
            Scalar::Int(_) if width == self.cx.pointer_width => computes,
            _ => true,
        }
    }

    /// Notes that addresses lie where they are not aligned.
    pub(super) fn note_packed(&mut self, store: Value<'m>) {
        let value = store.operand(0);
        let is_address = match value.ty().kind() {
            TypeKind::Pointer => true,
            TypeKind::Int(width) => width == self.cx.pointer_width && (is_load(value) || cast_pointer(value).is_some()),
            _ => false,
        };
        if is_address && !self.out.is_runtime && store.align() < u64::from(self.cx.pointer_width) / 8 {
            self.cx.program.packs_addresses = true;
        }
    }

    /// Goes before a comparison or a difference of numbers that were read from memory.
    fn note_loaded_pair(&mut self, inst: Value<'m>, asks: PairQuestion) -> Lowered<()> {
        let (x, y) = (inst.operand(0), inst.operand(1));
        let (a, b) = if is_load(x) { (x, y) } else { (y, x) };
        let is_word = a.ty().lane_kind() == TypeKind::Int(self.cx.pointer_width);
        if is_load(a) && is_word && !self.out.is_runtime && b.small_int().is_none() {
            let (a, b) = (self.lanes(a)?, self.lanes(b)?);
            for (a, b) in a.into_iter().zip(b) {
                self.emit(Inst::NumberPair { a, b, asks });
            }
        }
        Ok(())
    }
}

/// Is something made of a number, other than passing it on? Where it goes is followed, into
/// functions and out of them.
pub(super) fn is_computed_with(number: Value<'_>) -> bool {
    let mut seen = vec![number];
    let mut next = 0;
    while let Some(&value) = seen.get(next) {
        next += 1;
        for user in value.users() {
            let goes_to = match user.opcode() {
                Opcode::LLVMStore | Opcode::LLVMIntToPtr => Vec::new(),
                Opcode::LLVMICmp if is_no_address(user.operand(0), user.operand(1)) => Vec::new(),
                // The check goes before the difference or the comparison.
                Opcode::LLVMICmp | Opcode::LLVMSub
                    if value == number && is_load(value) && other_constant(user).is_none() =>
                {
                    Vec::new()
                }
                Opcode::LLVMPHI | Opcode::LLVMBitCast => vec![user],
                Opcode::LLVMInsertValue | Opcode::LLVMExtractValue => vec![user],
                Opcode::LLVMCall => match parameters_of(user, value) {
                    Some(parameters) => parameters,
                    None => return true,
                },
                Opcode::LLVMRet => match calls_of(user.parent().function()) {
                    Some(calls) => calls,
                    None => return true,
                },
                _ => return true,
            };
            for value in goes_to {
                if !seen.contains(&value) {
                    seen.push(value);
                }
            }
            if seen.len() > MOST_USES {
                return true;
            }
        }
    }
    false
}

/// The parameters that a call passes a value as; `None` if it is not known which function it calls,
/// or what that does.
fn parameters_of<'m>(call: Value<'m>, value: Value<'m>) -> Option<Vec<Value<'m>>> {
    let callee = call.called_value();
    if callee.kind() != ValueKind::LLVMFunctionValueKind || callee.is_declaration() {
        return None;
    }
    let passed = (0..call.arg_count()).zip(callee.params());
    Some(passed.filter(|&(index, _)| call.operand(index) == value).map(|(_, parameter)| parameter).collect())
}

/// The calls of a function; `None` if it may also be called through a pointer.
fn calls_of(function: Value<'_>) -> Option<Vec<Value<'_>>> {
    let users = function.users();
    users.iter().all(|&user| is_call_of(user, function)).then_some(users)
}

fn is_call_of(user: Value<'_>, function: Value<'_>) -> bool {
    user.kind() == ValueKind::LLVMInstructionValueKind
        && user.opcode() == Opcode::LLVMCall
        && user.called_value() == function
        && (0..user.arg_count()).all(|index| user.operand(index) != function)
}

fn is_load(value: Value<'_>) -> bool {
    value.kind() == ValueKind::LLVMInstructionValueKind && value.opcode() == Opcode::LLVMLoad
}

/// The pointer that was cast to this integer.
fn cast_pointer(value: Value<'_>) -> Option<Value<'_>> {
    let is_cast = match value.kind() {
        ValueKind::LLVMInstructionValueKind => value.opcode() == Opcode::LLVMPtrToInt,
        ValueKind::LLVMConstantExprValueKind => value.const_opcode() == Opcode::LLVMPtrToInt,
        _ => false,
    };
    is_cast.then(|| value.operand(0))
}

/// The pointer that is compared: itself, what was cast to an integer, or an address in a constant
/// that was moved.
fn pointer_behind(value: Value<'_>) -> Option<Value<'_>> {
    match value.ty().lane_kind() {
        TypeKind::Pointer => Some(value),
        _ => cast_pointer(value).or_else(|| is_moved_address(value).then_some(value)),
    }
}

/// Is it a constant: an address as a number, and so many bytes more or less?
fn is_moved_address(value: Value<'_>) -> bool {
    if value.kind() != ValueKind::LLVMConstantExprValueKind {
        return false;
    }
    let [a, b] = match value.const_opcode() {
        Opcode::LLVMPtrToInt => return !is_plain(value),
        Opcode::LLVMAdd | Opcode::LLVMSub => [value.operand(0), value.operand(1)],
        _ => return false,
    };
    let is_sum = value.const_opcode() == Opcode::LLVMAdd;
    is_moved_address(a) && is_plain(b) || is_sum && is_moved_address(b) && is_plain(a)
}

/// Is it a constant that is a number by itself, like the offset of a member, which old code takes as
/// the member's address in a structure at zero?
fn is_plain(value: Value<'_>) -> bool {
    if value.kind() != ValueKind::LLVMConstantExprValueKind {
        return value.small_int().is_some() || value.is_zero();
    }
    match value.const_opcode() {
        Opcode::LLVMPtrToInt
        | Opcode::LLVMIntToPtr
        | Opcode::LLVMGetElementPtr
        | Opcode::LLVMAdd
        | Opcode::LLVMSub
        | Opcode::LLVMMul
        | Opcode::LLVMTrunc => (0..value.operand_count()).all(|at| is_plain(value.operand(at))),
        _ => false,
    }
}

/// What a constant is made of.
enum Look<'m> {
    /// The number of a pointer.
    Number(Value<'m>),
    Difference(Value<'m>, Value<'m>),
}

/// The addresses whose numbers a constant is made of, but for pointers that are made of them, and
/// addresses themselves if these may be moved.
fn find_looks<'m>(constant: Value<'m>, may_be_moved: bool, found: &mut Vec<Look<'m>>) {
    let opcode = match constant.kind() {
        ValueKind::LLVMConstantExprValueKind => Some(constant.const_opcode()),
        ValueKind::LLVMConstantVectorValueKind
        | ValueKind::LLVMConstantStructValueKind
        | ValueKind::LLVMConstantArrayValueKind => None,
        _ => return,
    };
    match opcode {
        _ if is_plain(constant) || may_be_moved && is_moved_address(constant) => {}
        Some(Opcode::LLVMPtrToInt) => found.push(Look::Number(constant.operand(0))),
        Some(Opcode::LLVMSub) if [0, 1].into_iter().all(|at| is_moved_address(constant.operand(at))) => {
            found.push(Look::Difference(constant.operand(0), constant.operand(1)));
        }
        _ => {
            let may_be_moved = may_be_moved && opcode.is_none() || opcode == Some(Opcode::LLVMIntToPtr);
            (0..constant.operand_count()).for_each(|at| find_looks(constant.operand(at), may_be_moved, found));
        }
    }
}

/// Does everything that is done with the integer mean the same wherever the object lies? If only
/// low bits of it are looked at, and that depends on how it is aligned, `mask` has those.
fn is_used_as_address(cast: Value<'_>, mask: &mut u32) -> bool {
    let mut work: Vec<(Value<'_>, bool)> = cast.users().into_iter().map(|user| (user, true)).collect();
    let mut seen = work.len();
    while let Some((user, is_direct)) = work.pop() {
        if seen > MOST_USES {
            *mask = 0;
            return false;
        }
        let other = |value: Value<'_>| if user.operand(0) == value { user.operand(1) } else { user.operand(0) };
        let is_fine = match user.opcode() {
            Opcode::LLVMIntToPtr => true,
            // The check goes before the difference or the comparison.
            Opcode::LLVMSub if is_direct && cast_pointer(other(cast)).is_some() => true,
            Opcode::LLVMICmp => is_direct || is_no_address(user.operand(0), user.operand(1)),
            Opcode::LLVMAnd if is_all_or_nothing(user.operand(0)) || is_all_or_nothing(user.operand(1)) => {
                let users = user.users();
                seen += users.len();
                work.extend(users.into_iter().map(|user| (user, false)));
                true
            }
            Opcode::LLVMAdd | Opcode::LLVMSub if other_constant(user).is_some() => {
                let users = user.users();
                seen += users.len();
                work.extend(users.into_iter().map(|user| (user, false)));
                true
            }
            Opcode::LLVMAnd | Opcode::LLVMURem if is_direct => {
                let bits = match (user.opcode(), other_constant(user)) {
                    (Opcode::LLVMAnd, Some(bits)) => Some(bits),
                    (_, Some(by)) if by > 0 && by & (by - 1) == 0 => Some(by - 1),
                    _ => None,
                };
                match bits.and_then(|bits| u32::try_from(bits).ok()).filter(|&bits| bits < PAGE as u32) {
                    Some(bits) => {
                        *mask |= bits;
                        true
                    }
                    None => false,
                }
            }
            _ => false,
        };
        if !is_fine {
            *mask = 0;
            return false;
        }
    }
    true
}

/// Is one of them a number that no object is at?
fn is_no_address(a: Value<'_>, b: Value<'_>) -> bool {
    let is_none = |value: Value<'_>| value.is_zero() || value.small_int().is_some_and(|n| (-PAGE..PAGE).contains(&n));
    is_none(a) || is_none(b)
}

/// Is it 0 or -1: a truth value, negated?
fn is_all_or_nothing(value: Value<'_>) -> bool {
    let is = |value: Value<'_>, opcode| value.kind() == ValueKind::LLVMInstructionValueKind && value.opcode() == opcode;
    if !is(value, Opcode::LLVMSub) || !value.operand(0).is_zero() {
        return false;
    }
    let mut truth = value.operand(1);
    while is(truth, Opcode::LLVMSExt) || is(truth, Opcode::LLVMZExt) {
        let from = truth.operand(0);
        if from.ty().kind() == TypeKind::Int(1) {
            return is(truth, Opcode::LLVMZExt);
        }
        truth = from;
    }
    false
}

fn other_constant(user: Value<'_>) -> Option<i64> {
    user.operand(1).small_int().or_else(|| user.operand(0).small_int())
}
