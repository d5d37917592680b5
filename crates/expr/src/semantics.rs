//! What every operator means, on constants. This is the one place that says so: constant folding
//! and evaluation both come here, and the printer and the solvers are tested against it.
//!
//! There are two versions of each: on machine words, when the result and all arguments have at most
//! 64 bits, and on [`Bv`].

use crate::float::{self, FloatFormat, Rounding};
use crate::{Bv, Op};
use espalier_base::bits::{mask, sign_bit, signed};

/// An operator together with what it needs to know beside its arguments' values.
#[derive(Copy, Clone)]
pub(crate) struct Shape {
    pub(crate) op: Op,
    /// Width of the result.
    pub(crate) width: u32,
    /// Width of the first argument.
    pub(crate) argument: u32,
    /// The number that is not a term: an extract's low bit, a rounding.
    pub(crate) number: u32,
}

/// The value of an operator when the result and all arguments have at most 64 bits. Arguments are
/// reduced to their widths, and so is the result. Unused arguments are ignored.
pub(crate) fn apply_small(shape: Shape, [a, b, c]: [u64; 3]) -> u64 {
    let Shape { op, width, argument, number } = shape;
    let full = mask(width);
    match op {
        Op::Const | Op::WideConst | Op::Var | Op::Read => {
            unreachable!("{op:?} is not a function of terms")
        }
        Op::Not => !a & full,
        Op::Neg => a.wrapping_neg() & full,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Add => a.wrapping_add(b) & full,
        Op::Mul => a.wrapping_mul(b) & full,
        Op::UDiv => a.checked_div(b).unwrap_or(full),
        Op::URem => a.checked_rem(b).unwrap_or(a),
        Op::SDiv => match signed(b, width) {
            0 if signed(a, width) < 0 => 1,
            0 => full,
            divisor => signed(a, width).wrapping_div(divisor) as u64 & full,
        },
        Op::SRem => match signed(b, width) {
            0 => a,
            divisor => signed(a, width).wrapping_rem(divisor) as u64 & full,
        },
        Op::Shl if b >= width as u64 => 0,
        Op::Shl => a << b & full,
        Op::LShr if b >= width as u64 => 0,
        Op::LShr => a >> b,
        Op::AShr => (signed(a, width) >> b.min(width as u64 - 1)) as u64 & full,
        Op::Eq => (a == b) as u64,
        Op::Ult => (a < b) as u64,
        Op::Ule => (a <= b) as u64,
        Op::Slt => (signed(a, argument) < signed(b, argument)) as u64,
        Op::Sle => (signed(a, argument) <= signed(b, argument)) as u64,
        Op::Ite => {
            if a != 0 {
                b
            } else {
                c
            }
        }
        Op::Extract => a >> number & full,
        Op::Concat => a << (width - argument) | b,
        Op::ZExt => a,
        Op::SExt => signed(a, argument) as u64 & full,
        Op::FpEq | Op::FpLt | Op::FpLe => float::compare(op, FloatFormat::of(argument), a, b) as u64,
        Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv | Op::FpRem => float::binary(op, FloatFormat::of(width), a, b),
        Op::FpFma => float::fma(FloatFormat::of(width), a, b, c),
        Op::FpSqrt => float::sqrt(FloatFormat::of(width), a),
        Op::FpRound => float::round(FloatFormat::of(width), Rounding::from_number(number), a),
        Op::FpToFp => float::convert(FloatFormat::of(argument), FloatFormat::of(width), a),
        Op::FpToSi => {
            let value = float::to_f64(FloatFormat::of(argument), a);
            float::to_small_int(value, width).map_or(sign_bit(width), |v| v as u64 & full)
        }
        Op::SiToFp => float::from_signed(FloatFormat::of(width), signed(a, argument) as i128),
        Op::UiToFp => float::from_unsigned(FloatFormat::of(width), a as u128),
    }
}

/// The value of an operator at any width.
pub(crate) fn apply_wide(shape: Shape, args: &[Bv]) -> Bv {
    let Shape { op, width, argument, number } = shape;
    let a = &args[0];
    // Only operators with two arguments look at it.
    let b = args.get(1).unwrap_or(a);
    match op {
        Op::Const | Op::WideConst | Op::Var | Op::Read => {
            unreachable!("{op:?} is not a function of terms")
        }
        Op::Not => a.not(),
        Op::Neg => a.neg(),
        Op::And => a.and(b),
        Op::Or => a.or(b),
        Op::Xor => a.xor(b),
        Op::Add => a.add(b),
        Op::Mul => a.mul(b),
        Op::UDiv => a.udiv(b),
        Op::SDiv => a.sdiv(b),
        Op::URem => a.urem(b),
        Op::SRem => a.srem(b),
        Op::Shl => a.shl(b),
        Op::LShr => a.lshr(b),
        Op::AShr => a.ashr(b),
        Op::Eq => Bv::from_bool(a == b),
        Op::Ult => Bv::from_bool(a.ult(b)),
        Op::Ule => Bv::from_bool(a.ule(b)),
        Op::Slt => Bv::from_bool(a.slt(b)),
        Op::Sle => Bv::from_bool(a.sle(b)),
        Op::Ite => if a.is_zero() { &args[2] } else { b }.clone(),
        Op::Extract => a.extract(number, width),
        Op::Concat => Bv::concat(a, b),
        Op::ZExt => a.zext(width),
        Op::SExt => a.sext(width),
        Op::FpToSi => match a.to_u64() {
            Some(bits) => float::to_wide_int(float::to_f64(FloatFormat::of(argument), bits), width),
            None => unreachable!("a float of {argument} bits"),
        },
        Op::SiToFp => Bv::from_u64(float::from_signed_big(FloatFormat::of(width), a.to_signed_big()), width),
        Op::UiToFp => Bv::from_u64(float::from_unsigned_big(FloatFormat::of(width), &a.to_big()), width),
        Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv | Op::FpRem | Op::FpFma | Op::FpSqrt | Op::FpRound => {
            unreachable!("{op:?} on {width} bits")
        }
        Op::FpEq | Op::FpLt | Op::FpLe | Op::FpToFp => unreachable!("{op:?} on {argument} bits"),
    }
}
