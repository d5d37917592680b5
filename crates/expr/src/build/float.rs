//! Constructors of float terms, and their rewrites.
//!
//! Solvers are slow on floats, so the rules aim at getting rid of them: C code often only passes
//! integers and `float`s through `double`, where comparing them is comparing the integers or the
//! `float`s. What NaNs look like matters everywhere: operations give the one canonical NaN, so that
//! `x * 1.0` is `x` only if `x` is itself the result of an operation.

use crate::float::{FloatFormat, Rounding, to_f64};
use crate::{Bv, Op, Term, Terms};
use num_bigint::BigInt;

/// Wide enough to compare every exactly converted integer with a bound beyond all of them.
const COMPARISON_WIDTH: u32 = 128;

impl Terms {
    pub fn fp_add(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        if self.is_float(b, -0.0) && self.is_float_result(a) {
            return a;
        }
        self.fp_binary(Op::FpAdd, a, b)
    }

    pub fn fp_sub(&mut self, a: Term, b: Term) -> Term {
        if self.is_float(b, 0.0) && self.is_float_result(a) {
            return a;
        }
        self.fp_binary(Op::FpSub, a, b)
    }

    pub fn fp_mul(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        if self.is_float(b, 1.0) && self.is_float_result(a) {
            return a;
        }
        self.fp_binary(Op::FpMul, a, b)
    }

    pub fn fp_div(&mut self, a: Term, b: Term) -> Term {
        if self.is_float(b, 1.0) && self.is_float_result(a) {
            return a;
        }
        self.fp_binary(Op::FpDiv, a, b)
    }

    /// C's `fmod`: exact, with the sign of `a`.
    pub fn fp_rem(&mut self, a: Term, b: Term) -> Term {
        self.fp_binary(Op::FpRem, a, b)
    }

    /// `a * b + c`, rounded once.
    pub fn fp_fma(&mut self, a: Term, b: Term, c: Term) -> Term {
        let width = self.float_width(a);
        assert!(self.width(b) == width && self.width(c) == width, "operands of FpFma of different formats");
        let (a, b) = self.ordered(a, b);
        self.fold_or_node(Op::FpFma, width, &[a, b, c])
    }

    pub fn fp_sqrt(&mut self, a: Term) -> Term {
        let width = self.float_width(a);
        self.fold_or_node(Op::FpSqrt, width, &[a])
    }

    /// Rounds to an integral value.
    pub fn fp_round(&mut self, a: Term, rounding: Rounding) -> Term {
        let width = self.float_width(a);
        // These are integral.
        if matches!(self.op(a), Op::FpRound | Op::SiToFp | Op::UiToFp) {
            return a;
        }
        if let Some(folded) = self.fold(Op::FpRound, width, rounding.number(), &[a]) {
            return folded;
        }
        self.intern(Op::FpRound, width, [a.raw(), rounding.number(), 0])
    }

    /// Flips the sign, of NaN too.
    pub fn fp_neg(&mut self, a: Term) -> Term {
        let width = self.float_width(a);
        let sign = self.constant(espalier_base::bits::sign_bit(width), width);
        self.xor(a, sign)
    }

    /// Clears the sign, of NaN too.
    pub fn fp_abs(&mut self, a: Term) -> Term {
        let width = self.float_width(a);
        let magnitude = self.extract(a, 0, width - 1);
        self.zext(magnitude, width)
    }

    /// The magnitude of `a` with the sign of `b`.
    pub fn fp_copysign(&mut self, a: Term, b: Term) -> Term {
        let width = self.float_width(a);
        assert_eq!(self.width(b), width, "operands of copysign of different formats");
        let sign = self.extract(b, width - 1, 1);
        let magnitude = self.extract(a, 0, width - 1);
        self.concat(sign, magnitude)
    }

    pub fn fp_is_nan(&mut self, a: Term) -> Term {
        let mut a = a;
        while matches!(self.op(a), Op::FpToFp | Op::FpRound) {
            a = self.arg(a, 0);
        }
        let format = FloatFormat::of(self.width(a));
        if matches!(self.op(a), Op::SiToFp | Op::UiToFp) {
            return self.fals();
        }
        if self.is_float_result(a) {
            // Better not taken apart into bits.
            let number = self.node_of(Op::FpEq, 1, &[a, a]);
            return self.not(number);
        }
        let magnitude = self.extract(a, 0, format.width() - 1);
        let infinity = self.constant(format.infinity(), format.width() - 1);
        self.ult(infinity, magnitude)
    }

    /// Whether it is an infinity of either sign.
    pub fn fp_is_inf(&mut self, a: Term) -> Term {
        let format = FloatFormat::of(self.width(a));
        if self.is_float_result(a) {
            let infinity = self.constant(format.infinity(), format.width());
            let positive = self.fp_eq(a, infinity);
            let infinity = self.fp_neg(infinity);
            let negative = self.fp_eq(a, infinity);
            return self.or(positive, negative);
        }
        let magnitude = self.extract(a, 0, format.width() - 1);
        let infinity = self.constant(format.infinity(), format.width() - 1);
        self.eq(magnitude, infinity)
    }

    /// Equality of numbers: the zeros are equal, NaN is not equal to itself.
    pub fn fp_eq(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        self.fp_compare(Op::FpEq, a, b)
    }

    pub fn fp_lt(&mut self, a: Term, b: Term) -> Term {
        self.fp_compare(Op::FpLt, a, b)
    }

    pub fn fp_le(&mut self, a: Term, b: Term) -> Term {
        self.fp_compare(Op::FpLe, a, b)
    }

    fn fp_compare(&mut self, op: Op, a: Term, b: Term) -> Term {
        let width = self.float_width(a);
        assert_eq!(self.width(b), width, "operands of {op:?} of different formats");
        if a == b {
            let nan = self.fp_is_nan(a);
            return if op == Op::FpLt { self.fals() } else { self.not(nan) };
        }
        if self.is_nan_constant(a) || self.is_nan_constant(b) {
            return self.fals();
        }
        if op == Op::FpEq && matches!(self.op(a), Op::SiToFp | Op::UiToFp) && self.is_fraction(b) {
            return self.fals();
        }
        if let (Some(x), Some(y)) = (self.integer_bound(op, a, b, true), self.integer_bound(op, b, a, false)) {
            let (x, y) = (self.sext(x, COMPARISON_WIDTH), self.sext(y, COMPARISON_WIDTH));
            return match op {
                Op::FpEq => self.eq(x, y),
                Op::FpLt => self.slt(x, y),
                _ => self.sle(x, y),
            };
        }
        // As `float`s, if both are: conversion to `double` is exact.
        if let (Some(x), Some(y)) = (self.as_narrower_float(a), self.as_narrower_float(b)) {
            return self.fp_compare(op, x, y);
        }
        if let Some(lifted) = self.lift_binary(op, 1, a, b) {
            return lifted;
        }
        self.fold_or_node(op, 1, &[a, b])
    }

    /// The signed integer that a float converts exactly, or that does for it in a comparison with
    /// `other`, which is such a float (`left` says on which side this one is): the integers above
    /// 2.5 are those above 2.
    fn integer_bound(&mut self, op: Op, a: Term, other: Term, left: bool) -> Option<Term> {
        let Some(bits) = self.as_u64(a) else {
            return self.as_exact_integer(a);
        };
        if self.is_const(other) {
            return None;
        }
        let value = to_f64(FloatFormat::of(self.width(a)), bits);
        let bound = match op {
            // other < value, value <= other
            Op::FpLt if !left => value.ceil(),
            Op::FpLe if left => value.ceil(),
            _ => value.floor(),
        };
        // Converted integers have at most 54 bits: beyond 2^100, which bound it is does not matter.
        let bound = bound.clamp(-(2f64.powi(100)), 2f64.powi(100)) as i128;
        Some(self.constant_bv(&Bv::from_signed_big(BigInt::from(bound), COMPARISON_WIDTH)))
    }

    /// The integer, signed, if this float is one that was converted without rounding.
    fn as_exact_integer(&mut self, a: Term) -> Option<Term> {
        let node = *self.node(a);
        let precision = FloatFormat::of(node.width).precision();
        match node.op {
            Op::SiToFp if self.width(node.arg(0)) <= precision + 1 => Some(node.arg(0)),
            Op::UiToFp if self.width(node.arg(0)) <= precision => {
                let width = self.width(node.arg(0)) + 1;
                Some(self.zext(node.arg(0), width))
            }
            _ => None,
        }
    }

    /// The `float` that this `double` is.
    fn as_narrower_float(&mut self, a: Term) -> Option<Term> {
        let node = *self.node(a);
        if node.width != 64 {
            return None;
        }
        if node.op == Op::FpToFp {
            return Some(node.arg(0));
        }
        let value = f64::from_bits(self.as_u64(a)?);
        let narrow = value as f32;
        (narrow as f64 == value).then(|| self.constant(narrow.to_bits() as u64, 32))
    }

    /// To another format; a term that is in it already stays what it is.
    pub fn fp_to_fp(&mut self, a: Term, format: FloatFormat) -> Term {
        if self.float_width(a) == format.width() {
            return a;
        }
        let node = *self.node(a);
        match node.op {
            // There and back.
            Op::FpToFp if format == FloatFormat::F32 && self.is_float_result(node.arg(0)) => {
                return node.arg(0);
            }
            // An integer that both formats hold, or that is rounded only once.
            Op::SiToFp | Op::UiToFp if self.as_exact_integer(a).is_some() => {
                return self.fold_or_node(node.op, format.width(), &[node.arg(0)]);
            }
            _ => {}
        }
        self.fold_or_node(Op::FpToFp, format.width(), &[a])
    }

    /// Truncated to a signed integer; out of range or NaN gives the minimum.
    pub fn fp_to_si(&mut self, a: Term, width: u32) -> Term {
        self.float_width(a);
        if let Some(integer) = self.as_exact_integer(a)
            && self.width(integer) <= width
        {
            return self.sext(integer, width);
        }
        let widened = self.under(a, Op::FpToFp).filter(|_| self.width(a) == 64);
        self.fold_or_node(Op::FpToSi, width, &[widened.unwrap_or(a)])
    }

    /// From a signed integer, rounded to nearest even.
    pub fn si_to_fp(&mut self, a: Term, format: FloatFormat) -> Term {
        let node = *self.node(a);
        match node.op {
            Op::ZExt => self.ui_to_fp(node.arg(0), format),
            Op::SExt => self.si_to_fp(node.arg(0), format),
            _ => self.fold_or_node(Op::SiToFp, format.width(), &[a]),
        }
    }

    /// From an unsigned integer, rounded to nearest even.
    pub fn ui_to_fp(&mut self, a: Term, format: FloatFormat) -> Term {
        if let Some(narrow) = self.under(a, Op::ZExt) {
            return self.ui_to_fp(narrow, format);
        }
        self.fold_or_node(Op::UiToFp, format.width(), &[a])
    }

    fn float_width(&self, a: Term) -> u32 {
        FloatFormat::of(self.width(a)).width()
    }

    fn fp_binary(&mut self, op: Op, a: Term, b: Term) -> Term {
        let width = self.float_width(a);
        assert_eq!(self.width(b), width, "operands of {op:?} of different formats");
        self.fold_or_node(op, width, &[a, b])
    }

    fn fold_or_node(&mut self, op: Op, width: u32, args: &[Term]) -> Term {
        match self.fold(op, width, 0, args) {
            Some(folded) => folded,
            None => self.node_of(op, width, args),
        }
    }

    /// Whether this is the result of a float operator: then it has no other NaN than the canonical
    /// one.
    fn is_float_result(&self, a: Term) -> bool {
        use Op::*;
        matches!(
            self.op(a),
            FpAdd | FpSub | FpMul | FpDiv | FpRem | FpFma | FpSqrt | FpRound | FpToFp | SiToFp | UiToFp
        )
    }

    /// Whether this is the constant `value`, the sign of zero included.
    fn is_float(&self, a: Term, value: f64) -> bool {
        let bits = match self.width(a) {
            32 => (value as f32).to_bits() as u64,
            _ => value.to_bits(),
        };
        self.as_u64(a) == Some(bits)
    }

    /// Whether this is a constant that is not integral.
    fn is_fraction(&self, a: Term) -> bool {
        self.as_u64(a).is_some_and(|bits| {
            let value = to_f64(FloatFormat::of(self.width(a)), bits);
            value.trunc() != value
        })
    }

    fn is_nan_constant(&self, a: Term) -> bool {
        self.as_u64(a).is_some_and(|bits| to_f64(FloatFormat::of(self.width(a)), bits).is_nan())
    }
}
