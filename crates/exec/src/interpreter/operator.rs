//! Integer operators, on numbers and on terms. Undefined operands (division by zero, overshift) are
//! dealt with before.

use crate::interpreter::value::{mask, signed};
use espalier_expr::{Term, Terms};
use espalier_ir::{BinOp, CmpOp, UnOp};

/// `a op b` on numbers of `width <= 64` bits; divisors are not zero. Shifts by the width or more
/// give 0 (or the sign).
#[inline(always)]
pub fn bin(op: BinOp, width: u32, a: u64, b: u64) -> u64 {
    let result = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::And => return a & b,
        BinOp::Or => return a | b,
        BinOp::Xor => return a ^ b,
        BinOp::Shl => {
            if b >= width as u64 {
                return 0;
            }
            a << b
        }
        BinOp::LShr => {
            return if b >= width as u64 { 0 } else { a >> b };
        }
        BinOp::AShr => (signed(a, width) >> b.min(width as u64 - 1)) as u64,
        _ => return bin_rare(op, width, a, b),
    };
    result & mask(width)
}

#[inline(never)]
fn bin_rare(op: BinOp, width: u32, a: u64, b: u64) -> u64 {
    let (sa, sb) = (signed(a, width), signed(b, width));
    let max = mask(width);
    let signed_max = (max >> 1) as i128;
    let clamp = |value: i128| value.clamp(-signed_max - 1, signed_max) as u64;
    let outside = |value: i128| u64::from(value < -signed_max - 1 || value > signed_max);
    let result = match op {
        BinOp::UDiv => a / b,
        BinOp::URem => a % b,
        BinOp::SDiv => sa.wrapping_div(sb) as u64,
        BinOp::SRem => sa.wrapping_rem(sb) as u64,
        BinOp::UMin => a.min(b),
        BinOp::UMax => a.max(b),
        BinOp::SMin => sa.min(sb) as u64,
        BinOp::SMax => sa.max(sb) as u64,
        BinOp::UAddSat => (a as u128 + b as u128).min(max as u128) as u64,
        BinOp::USubSat => a.saturating_sub(b),
        BinOp::SAddSat => clamp(sa as i128 + sb as i128),
        BinOp::SSubSat => clamp(sa as i128 - sb as i128),
        BinOp::UShlSat => {
            if b >= width as u64 {
                if a == 0 { 0 } else { max }
            } else {
                ((a as u128) << b).min(max as u128) as u64
            }
        }
        BinOp::SShlSat => {
            let shift = b.min(63) as u32;
            if sa == 0 { 0 } else { clamp((sa as i128).checked_shl(shift).map_or(i128::MAX, |v| v)) }
        }
        BinOp::UAddOverflow => return u64::from(a as u128 + b as u128 > max as u128),
        BinOp::USubOverflow => return u64::from(a < b),
        BinOp::UMulOverflow => return u64::from(a as u128 * b as u128 > max as u128),
        BinOp::SAddOverflow => return outside(sa as i128 + sb as i128),
        BinOp::SSubOverflow => return outside(sa as i128 - sb as i128),
        BinOp::SMulOverflow => return outside(sa as i128 * sb as i128),
        BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor => bin(op, width, a, b),
        BinOp::Shl | BinOp::LShr | BinOp::AShr => bin(op, width, a, b),
    };
    result & max
}

/// Does the operator have operands that it is not defined on, among them this one?
#[inline(always)]
pub fn needs_check(op: BinOp, width: u32, b: u64) -> bool {
    match op {
        BinOp::UDiv | BinOp::URem => b == 0,
        BinOp::SDiv | BinOp::SRem => b == 0 || b == mask(width),
        BinOp::Shl | BinOp::LShr | BinOp::AShr => b >= width as u64,
        _ => false,
    }
}

#[inline(always)]
pub fn cmp(op: CmpOp, width: u32, a: u64, b: u64) -> bool {
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Ugt => a > b,
        CmpOp::Uge => a >= b,
        CmpOp::Slt => signed(a, width) < signed(b, width),
        CmpOp::Sle => signed(a, width) <= signed(b, width),
        CmpOp::Sgt => signed(a, width) > signed(b, width),
        CmpOp::Sge => signed(a, width) >= signed(b, width),
    }
}

/// By how much an address is moved: `by * scale + offset`.
#[inline(always)]
pub fn moved(by: u64, scale: u32, offset: i32) -> u64 {
    by.wrapping_mul(scale as u64).wrapping_add(offset as i64 as u64)
}

pub fn un(op: UnOp, width: u32, a: u64) -> u64 {
    let result = match op {
        UnOp::Popcount => a.count_ones() as u64,
        UnOp::CountLeadingZeros => (a.leading_zeros() - (64 - width)) as u64,
        UnOp::CountTrailingZeros => a.trailing_zeros().min(width) as u64,
        UnOp::ByteSwap => a.swap_bytes() >> (64 - width),
        UnOp::BitReverse => a.reverse_bits() >> (64 - width),
        UnOp::Abs => signed(a, width).unsigned_abs(),
    };
    result & mask(width)
}

pub fn bin_term(terms: &mut Terms, op: BinOp, a: Term, b: Term) -> Term {
    let width = terms.width(a);
    match op {
        BinOp::Add => terms.add(a, b),
        BinOp::Sub => terms.sub(a, b),
        BinOp::Mul => terms.mul(a, b),
        BinOp::UDiv => terms.udiv(a, b),
        BinOp::SDiv => terms.sdiv(a, b),
        BinOp::URem => terms.urem(a, b),
        BinOp::SRem => terms.srem(a, b),
        BinOp::Shl => terms.shl(a, b),
        BinOp::LShr => terms.lshr(a, b),
        BinOp::AShr => terms.ashr(a, b),
        BinOp::And => terms.and(a, b),
        BinOp::Or => terms.or(a, b),
        BinOp::Xor => terms.xor(a, b),
        BinOp::UMin => pick(terms, CmpOp::Ult, a, b),
        BinOp::UMax => pick(terms, CmpOp::Ugt, a, b),
        BinOp::SMin => pick(terms, CmpOp::Slt, a, b),
        BinOp::SMax => pick(terms, CmpOp::Sgt, a, b),
        BinOp::UAddSat => {
            let overflow = bin_term(terms, BinOp::UAddOverflow, a, b);
            let (max, sum) = (ones(terms, width), terms.add(a, b));
            terms.ite(overflow, max, sum)
        }
        BinOp::USubSat => {
            let overflow = terms.ult(a, b);
            let (zero, difference) = (zero(terms, width), terms.sub(a, b));
            terms.ite(overflow, zero, difference)
        }
        BinOp::SAddSat | BinOp::SSubSat => {
            let test = if op == BinOp::SAddSat { BinOp::SAddOverflow } else { BinOp::SSubOverflow };
            let overflow = bin_term(terms, test, a, b);
            let plain = if op == BinOp::SAddSat { terms.add(a, b) } else { terms.sub(a, b) };
            let bound = signed_bound(terms, a);
            terms.ite(overflow, bound, plain)
        }
        BinOp::UShlSat | BinOp::SShlSat => {
            let shifted = terms.shl(a, b);
            let signed = op == BinOp::SShlSat;
            let back = if signed { terms.ashr(shifted, b) } else { terms.lshr(shifted, b) };
            let limit = constant(terms, width as u64, width);
            let (in_range, lossless) = (terms.ult(b, limit), terms.eq(back, a));
            let exact = terms.and(in_range, lossless);
            let bound = if signed { signed_bound(terms, a) } else { ones(terms, width) };
            let saturated = terms.ite(exact, shifted, bound);
            let zero = zero(terms, width);
            let is_zero = terms.eq(a, zero);
            terms.ite(is_zero, zero, saturated)
        }
        BinOp::UAddOverflow => {
            let sum = terms.add(a, b);
            terms.ult(sum, a)
        }
        BinOp::USubOverflow => terms.ult(a, b),
        BinOp::SAddOverflow => {
            let sum = terms.add(a, b);
            let (x, y) = (terms.xor(a, sum), terms.xor(b, sum));
            let both = terms.and(x, y);
            terms.extract(both, width - 1, 1)
        }
        BinOp::SSubOverflow => {
            let difference = terms.sub(a, b);
            let (x, y) = (terms.xor(a, b), terms.xor(a, difference));
            let both = terms.and(x, y);
            terms.extract(both, width - 1, 1)
        }
        BinOp::UMulOverflow => {
            let (wide_a, wide_b) = (terms.zext(a, 2 * width), terms.zext(b, 2 * width));
            let product = terms.mul(wide_a, wide_b);
            let high = terms.extract(product, width, width);
            let zero = zero(terms, width);
            terms.ne(high, zero)
        }
        BinOp::SMulOverflow => {
            let (wide_a, wide_b) = (terms.sext(a, 2 * width), terms.sext(b, 2 * width));
            let product = terms.mul(wide_a, wide_b);
            let low = terms.extract(product, 0, width);
            let back = terms.sext(low, 2 * width);
            terms.ne(product, back)
        }
    }
}

fn pick(terms: &mut Terms, op: CmpOp, a: Term, b: Term) -> Term {
    let first = cmp_term(terms, op, a, b);
    terms.ite(first, a, b)
}

/// A constant of any width.
pub fn constant(terms: &mut Terms, value: u64, width: u32) -> Term {
    if width <= 64 {
        terms.constant(value, width)
    } else {
        let low = terms.constant(value, 64);
        terms.zext(low, width)
    }
}

fn zero(terms: &mut Terms, width: u32) -> Term {
    constant(terms, 0, width)
}

fn ones(terms: &mut Terms, width: u32) -> Term {
    let zero = zero(terms, width);
    terms.not(zero)
}

/// The signed minimum if `a` is negative, else the signed maximum.
fn signed_bound(terms: &mut Terms, a: Term) -> Term {
    let width = terms.width(a);
    let sign = terms.extract(a, width - 1, 1);
    let all = ones(terms, width);
    let one = constant(terms, 1, width);
    let max = terms.lshr(all, one);
    let min = terms.not(max);
    terms.ite(sign, min, max)
}

pub fn cmp_term(terms: &mut Terms, op: CmpOp, a: Term, b: Term) -> Term {
    match op {
        CmpOp::Eq => terms.eq(a, b),
        CmpOp::Ne => terms.ne(a, b),
        CmpOp::Ult => terms.ult(a, b),
        CmpOp::Ule => terms.ule(a, b),
        CmpOp::Ugt => terms.ult(b, a),
        CmpOp::Uge => terms.ule(b, a),
        CmpOp::Slt => terms.slt(a, b),
        CmpOp::Sle => terms.sle(a, b),
        CmpOp::Sgt => terms.slt(b, a),
        CmpOp::Sge => terms.sle(b, a),
    }
}

pub fn un_term(terms: &mut Terms, op: UnOp, a: Term) -> Term {
    let width = terms.width(a);
    let bit = |terms: &mut Terms, i: u32| terms.extract(a, i, 1);
    match op {
        UnOp::Popcount => {
            let mut sum = zero(terms, width);
            for i in 0..width {
                let one = bit(terms, i);
                let wide = terms.zext(one, width);
                sum = terms.add(sum, wide);
            }
            sum
        }
        UnOp::CountLeadingZeros | UnOp::CountTrailingZeros => {
            let leading = op == UnOp::CountLeadingZeros;
            let mut result = constant(terms, width as u64, width);
            for step in (0..width).rev() {
                let position = if leading { width - 1 - step } else { step };
                let found = bit(terms, position);
                let count = constant(terms, step as u64, width);
                result = terms.ite(found, count, result);
            }
            result
        }
        UnOp::ByteSwap => {
            let mut result = terms.extract(a, 0, 8);
            for byte in 1..width / 8 {
                let next = terms.extract(a, 8 * byte, 8);
                result = terms.concat(result, next);
            }
            result
        }
        UnOp::BitReverse => {
            let mut result = bit(terms, 0);
            for i in 1..width {
                let next = bit(terms, i);
                result = terms.concat(result, next);
            }
            result
        }
        UnOp::Abs => {
            let negative = terms.extract(a, width - 1, 1);
            let negated = terms.neg(a);
            terms.ite(negative, negated, a)
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) const OPS: [BinOp; 29] = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::UDiv,
        BinOp::SDiv,
        BinOp::URem,
        BinOp::SRem,
        BinOp::Shl,
        BinOp::LShr,
        BinOp::AShr,
        BinOp::And,
        BinOp::Or,
        BinOp::Xor,
        BinOp::UMin,
        BinOp::UMax,
        BinOp::SMin,
        BinOp::SMax,
        BinOp::UAddSat,
        BinOp::SAddSat,
        BinOp::USubSat,
        BinOp::SSubSat,
        BinOp::UShlSat,
        BinOp::SShlSat,
        BinOp::UAddOverflow,
        BinOp::SAddOverflow,
        BinOp::USubOverflow,
        BinOp::SSubOverflow,
        BinOp::UMulOverflow,
        BinOp::SMulOverflow,
    ];

    pub(crate) fn samples(width: u32) -> Vec<u64> {
        let max = mask(width);
        let mut values =
            vec![0, 1, 2, 3, 5, 7, max, max - 1, max >> 1, (max >> 1) + 1, 0x0123_4567_89ab_cdef, width as u64];
        values.iter_mut().for_each(|v| *v &= max);
        values.sort();
        values.dedup();
        values
    }

    /// The numbers and the terms are two implementations: they agree on all samples at all widths.
    /// (Comparisons of numbers are in `plain`.)
    #[test]
    fn numbers_and_terms_agree() {
        let mut terms = Terms::new();
        for width in 1..=64 {
            for &a in &samples(width) {
                for &b in &samples(width) {
                    let (ta, tb) = (terms.constant(a, width), terms.constant(b, width));
                    for op in OPS {
                        let divides = matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem);
                        if divides && b == 0 {
                            continue;
                        }
                        let term = bin_term(&mut terms, op, ta, tb);
                        assert_eq!(terms.as_u64(term), Some(bin(op, width, a, b)), "{op:?} i{width} {a:#x} {b:#x}");
                    }
                }
                for op in [
                    UnOp::Popcount,
                    UnOp::CountLeadingZeros,
                    UnOp::CountTrailingZeros,
                    UnOp::ByteSwap,
                    UnOp::BitReverse,
                    UnOp::Abs,
                ] {
                    if op == UnOp::ByteSwap && width % 16 != 0 {
                        continue;
                    }
                    let ta = terms.constant(a, width);
                    let term = un_term(&mut terms, op, ta);
                    assert_eq!(terms.as_u64(term), Some(un(op, width, a)), "{op:?} i{width} {a:#x}");
                }
            }
        }
    }
}
