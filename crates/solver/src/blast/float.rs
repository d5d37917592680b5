//! Float comparisons on the bits of their IEEE-754 encodings.
//!
//! Order by sign and magnitude: the encodings of two floats of the same sign are ordered as integers are. What is left are
//! the NaNs, which compare false with everything, and the two zeros, which are equal.

use super::gates::{Gates, Lit};
use espalier_expr::{FloatFormat, Op};

/// How many of a float's bits are its fraction.
fn fraction_bits(width: usize) -> usize {
    match FloatFormat::from_width(width as u32) {
        Some(FloatFormat::F32) => 23,
        Some(FloatFormat::F64) => 52,
        None => unreachable!("a float of {width} bits"),
    }
}

impl Gates {
    fn is_nan(&mut self, a: &[Lit]) -> Lit {
        let fraction = fraction_bits(a.len());
        let exponent = self.and_all(&a[fraction..a.len() - 1]);
        let nonzero = self.or_all(&a[..fraction]);
        self.and(exponent, nonzero)
    }

    /// `FpEq`, `FpLt` or `FpLe`.
    pub fn float_compare(&mut self, op: Op, a: &[Lit], b: &[Lit]) -> Lit {
        let top = a.len() - 1;
        let (nan_a, nan_b) = (self.is_nan(a), self.is_nan(b));
        let ordered = !self.or(nan_a, nan_b);
        let both: Vec<Lit> = self.zip_bits(&a[..top], &b[..top], Gates::or);
        let both_zero = self.is_zero(&both);
        let result = if op == Op::FpEq {
            let same = self.eq_bits(a, b);
            self.or(same, both_zero)
        } else {
            let or_equal = op == Op::FpLe;
            let positive = self.less(&a[..top], &b[..top], or_equal);
            let negative = self.less(&b[..top], &a[..top], or_equal);
            let same_sign = self.mux(a[top], negative, positive);
            let signs_differ = self.xor(a[top], b[top]);
            // Of different sign: the negative one is less.
            let by_sign = self.mux(signs_differ, a[top], same_sign);
            self.mux(both_zero, Lit::constant(or_equal), by_sign)
        };
        self.and(ordered, result)
    }
}
