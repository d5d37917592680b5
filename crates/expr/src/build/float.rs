//! Constructors of float terms, and their rewrites.

use crate::float::{FloatFormat, Rounding};
use crate::{Op, Term, Terms};

impl Terms {
    /// Folds or interns.
    fn fp_node(&mut self, op: Op, width: u32, args: &[Term]) -> Term {
        match self.fold(op, width, 0, args) {
            Some(folded) => folded,
            None => self.node_of(op, width, args),
        }
    }

    fn fp_binary(&mut self, op: Op, a: Term, b: Term) -> Term {
        let width = self.fp_width(a);
        assert_eq!(self.width(b), width, "operands of {op:?} of different formats");
        self.fp_node(op, width, &[a, b])
    }

    fn fp_width(&self, a: Term) -> u32 {
        FloatFormat::of(self.width(a)).width()
    }

    pub fn fp_add(&mut self, a: Term, b: Term) -> Term {
        self.fp_binary(Op::FpAdd, a, b)
    }
    pub fn fp_sub(&mut self, a: Term, b: Term) -> Term {
        self.fp_binary(Op::FpSub, a, b)
    }
    pub fn fp_mul(&mut self, a: Term, b: Term) -> Term {
        self.fp_binary(Op::FpMul, a, b)
    }
    pub fn fp_div(&mut self, a: Term, b: Term) -> Term {
        self.fp_binary(Op::FpDiv, a, b)
    }
    /// C's `fmod`.
    pub fn fp_rem(&mut self, a: Term, b: Term) -> Term {
        self.fp_binary(Op::FpRem, a, b)
    }
    /// `a * b + c`, rounded once.
    pub fn fp_fma(&mut self, a: Term, b: Term, c: Term) -> Term {
        let width = self.fp_width(a);
        self.fp_node(Op::FpFma, width, &[a, b, c])
    }
    pub fn fp_sqrt(&mut self, a: Term) -> Term {
        let width = self.fp_width(a);
        self.fp_node(Op::FpSqrt, width, &[a])
    }
    pub fn fp_round(&mut self, a: Term, rounding: Rounding) -> Term {
        let width = self.fp_width(a);
        if let Some(t) = self.fold(Op::FpRound, width, rounding.number(), &[a]) {
            return t;
        }
        self.intern(Op::FpRound, width, [a.raw(), rounding.number(), 0])
    }
    pub fn fp_eq(&mut self, a: Term, b: Term) -> Term {
        self.fp_width(a);
        self.fp_node(Op::FpEq, 1, &[a, b])
    }
    pub fn fp_lt(&mut self, a: Term, b: Term) -> Term {
        self.fp_width(a);
        self.fp_node(Op::FpLt, 1, &[a, b])
    }
    pub fn fp_le(&mut self, a: Term, b: Term) -> Term {
        self.fp_width(a);
        self.fp_node(Op::FpLe, 1, &[a, b])
    }
    /// Flips the sign, of NaN too.
    pub fn fp_neg(&mut self, a: Term) -> Term {
        let width = self.fp_width(a);
        let sign = self.constant(1 << (width - 1), width);
        self.xor(a, sign)
    }
    pub fn fp_abs(&mut self, a: Term) -> Term {
        let width = self.fp_width(a);
        let magnitude = self.constant(u64::MAX >> (65 - width), width);
        self.and(a, magnitude)
    }
    /// The magnitude of `a` with the sign of `b`.
    pub fn fp_copysign(&mut self, a: Term, b: Term) -> Term {
        let width = self.fp_width(a);
        let sign = self.extract(b, width - 1, 1);
        let magnitude = self.extract(a, 0, width - 1);
        self.concat(sign, magnitude)
    }
    pub fn fp_is_nan(&mut self, a: Term) -> Term {
        let format = FloatFormat::of(self.width(a));
        let magnitude = self.extract(a, 0, format.width() - 1);
        let infinity = self.constant(format.infinity(), format.width() - 1);
        self.ult(infinity, magnitude)
    }
    pub fn fp_is_inf(&mut self, a: Term) -> Term {
        let format = FloatFormat::of(self.width(a));
        let magnitude = self.extract(a, 0, format.width() - 1);
        let infinity = self.constant(format.infinity(), format.width() - 1);
        self.eq(magnitude, infinity)
    }
    /// To another format; a term that is in it already stays what it is.
    pub fn fp_to_fp(&mut self, a: Term, format: FloatFormat) -> Term {
        if self.fp_width(a) == format.width() {
            return a;
        }
        self.fp_node(Op::FpToFp, format.width(), &[a])
    }
    /// Truncated to a signed integer; out of range or NaN gives the minimum.
    pub fn fp_to_si(&mut self, a: Term, width: u32) -> Term {
        self.fp_width(a);
        self.fp_node(Op::FpToSi, width, &[a])
    }
    pub fn si_to_fp(&mut self, a: Term, format: FloatFormat) -> Term {
        self.fp_node(Op::SiToFp, format.width(), &[a])
    }
    pub fn ui_to_fp(&mut self, a: Term, format: FloatFormat) -> Term {
        self.fp_node(Op::UiToFp, format.width(), &[a])
    }
}
