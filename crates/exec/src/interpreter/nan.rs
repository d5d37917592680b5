//! The bits of NaNs: what x86's SSE unit gives where that is defined, and unknown where it is not.
//!
//! Terms and solvers know one NaN only (`expr::float`), which is enough for everything that floats
//! are used for as floats. But programs can look at the sign and the payload. So a result that may
//! be a NaN is `ite(is NaN, bits, number)`, and whoever computes with it as a float is given the
//! number alone: the solver never sees the bits unless the program looks at them.
//!
//! The rules, for `float` and `double`: an operation that gives a NaN out of none gives the
//! negative quiet one; one NaN operand comes through, made quiet, with its sign; of several, which
//! one depends on how the compiler orders them, so nobody knows. Negation, `fabs` and `copysign`
//! change bits and nothing else. `fmin` and `fmax` of a signalling NaN, or of zeros of both signs,
//! differ between libraries.

use crate::Executor;
use crate::interpreter::float::{self, is_term_kind};
use crate::paths::cut::UnsupportedFloat;
use crate::paths::state::State;
use espalier_expr::{FloatFormat, SymbolShape, Term, Terms};
use espalier_ir::{FBinOp, FCastOp, FCmpOp, FUnOp, FloatKind};

/// The NaN that an operation makes.
pub(crate) fn made(format: FloatFormat) -> u64 {
    format.nan() | 1 << (format.width() - 1)
}

fn is_nan(format: FloatFormat, bits: u64) -> bool {
    bits & !(1 << (format.width() - 1)) > format.infinity()
}

/// The bit that quiet NaNs have, and what else is in them.
fn quiet(format: FloatFormat, bits: u64) -> u64 {
    bits | format.nan()
}

/// The NaN that an operation on these numbers gives, if the machine decides it.
pub(crate) fn of_operands(format: FloatFormat, operands: &[u64]) -> Option<u64> {
    let mut nans = operands.iter().filter(|&&bits| is_nan(format, bits)).map(|&bits| quiet(format, bits));
    match nans.next() {
        None => Some(made(format)),
        Some(first) => nans.all(|other| other == first).then_some(first),
    }
}

impl Executor {
    /// A float without what it is if it is a NaN.
    pub(crate) fn number_of(&self, term: Term) -> Term {
        self.nans.get(&term).copied().unwrap_or(term)
    }

    pub(crate) fn float_bin(
        &mut self,
        state: &mut State,
        op: FBinOp,
        kind: FloatKind,
        a: Term,
        b: Term,
    ) -> Result<Term, UnsupportedFloat> {
        let (x, y) = (self.number_of(a), self.number_of(b));
        let number = float::bin(&mut self.terms, op, kind, x, y)?;
        let Some(format) = is_term_kind(kind) else { return Ok(number) };
        let terms = &mut self.terms;
        match op {
            FBinOp::CopySign => {
                let bits = terms.fp_copysign(a, b);
                let number = terms.fp_copysign(x, y);
                Ok(self.float_with(bits, number))
            }
            FBinOp::MinNum | FBinOp::MaxNum => {
                let bits = float::bin(&mut self.terms, op, kind, a, b)?;
                Ok(self.min_or_max(state, format, (a, b), bits))
            }
            FBinOp::Minimum | FBinOp::Maximum if a == x && b == y => Ok(number),
            _ => Ok(self.float_result_of(state, format, &[a, b], number)),
        }
    }

    pub(crate) fn float_un(
        &mut self,
        state: &mut State,
        op: FUnOp,
        kind: FloatKind,
        a: Term,
    ) -> Result<Term, UnsupportedFloat> {
        let x = self.number_of(a);
        let number = float::un(&mut self.terms, op, kind, x)?;
        let Some(format) = is_term_kind(kind) else { return Ok(number) };
        match op {
            FUnOp::Neg | FUnOp::Abs => {
                let bits = float::un(&mut self.terms, op, kind, a)?;
                Ok(self.float_with(bits, number))
            }
            _ => Ok(self.float_result_of(state, format, &[a], number)),
        }
    }

    pub(crate) fn float_mul_add(
        &mut self,
        state: &mut State,
        kind: FloatKind,
        fused: bool,
        [a, b, c]: [Term; 3],
    ) -> Result<Term, UnsupportedFloat> {
        if !fused {
            let product = self.float_bin(state, FBinOp::Mul, kind, a, b)?;
            return self.float_bin(state, FBinOp::Add, kind, product, c);
        }
        let (x, y, z) = (self.number_of(a), self.number_of(b), self.number_of(c));
        let number = float::mul_add(&mut self.terms, kind, x, y, z)?;
        let Some(format) = is_term_kind(kind) else { return Ok(number) };
        Ok(self.float_result_of(state, format, &[a, b, c], number))
    }

    pub(crate) fn float_cmp(
        &mut self,
        op: FCmpOp,
        kind: FloatKind,
        a: Term,
        b: Term,
    ) -> Result<Term, UnsupportedFloat> {
        let (x, y) = (self.number_of(a), self.number_of(b));
        float::cmp(&mut self.terms, op, kind, x, y)
    }

    pub(crate) fn float_cast(&mut self, op: FCastOp, a: Term) -> Result<Term, UnsupportedFloat> {
        let x = self.number_of(a);
        let number = float::cast(&mut self.terms, op, x)?;
        let FCastOp::FToF { from, to } = op else { return Ok(number) };
        let (Some(from), Some(to)) = (is_term_kind(from), is_term_kind(to)) else { return Ok(number) };
        let is_nan = self.terms.fp_is_nan(number);
        let bits = converted(&mut self.terms, from, to, a);
        let whole = self.terms.ite(is_nan, bits, number);
        Ok(self.float_with(whole, number))
    }

    /// Remembers what a float is as a number.
    fn float_with(&mut self, bits: Term, number: Term) -> Term {
        if bits != number && !self.terms.is_const(bits) {
            self.nans.insert(bits, number);
        }
        bits
    }

    /// The result of an operation on these operands.
    fn float_result_of(&mut self, state: &mut State, format: FloatFormat, operands: &[Term], number: Term) -> Term {
        let width = format.width();
        let is_nan = self.terms.fp_is_nan(number);
        if is_nan == self.terms.fals() {
            return number;
        }
        let known: Option<Vec<u64>> = operands.iter().map(|&operand| self.terms.as_u64(operand)).collect();
        if let Some(bits) = known.and_then(|known| of_operands(format, &known)) {
            return self.terms.constant(bits, width);
        }
        let made = self.terms.constant(made(format), width);
        let mut candidates = Vec::new();
        for &operand in operands {
            let number = self.number_of(operand);
            let may_be = self.terms.fp_is_nan(number);
            if may_be != self.terms.fals() && !candidates.iter().any(|&(known, _)| known == operand) {
                candidates.push((operand, may_be));
            }
        }
        let bits = match candidates[..] {
            [] => made,
            [(operand, may_be)] => {
                let quiet_bit = self.terms.constant(format.nan(), width);
                let quiet = self.terms.or(operand, quiet_bit);
                self.terms.ite(may_be, quiet, made)
            }
            _ => {
                let unknown = self.unknown_nan(state, format);
                let any = candidates.iter().map(|&(_, may_be)| may_be).collect::<Vec<_>>();
                let any = any.into_iter().reduce(|a, b| self.terms.or(a, b)).unwrap_or(is_nan);
                self.terms.ite(any, unknown, made)
            }
        };
        let whole = self.terms.ite(is_nan, bits, number);
        self.float_with(whole, number)
    }

    /// A quiet NaN of which nothing else is known.
    fn unknown_nan(&mut self, state: &mut State, format: FloatFormat) -> Term {
        let width = format.width();
        let symbol = self.unknown_symbol(state, width / 8, SymbolShape::Scalar);
        let var = self.terms.var(symbol, 0);
        let quiet_bits = self.terms.constant(format.nan(), width);
        self.terms.or(var, quiet_bits)
    }

    /// `fmin` or `fmax`, which is `chosen` where libraries agree.
    fn min_or_max(&mut self, state: &mut State, format: FloatFormat, (a, b): (Term, Term), chosen: Term) -> Term {
        let (x, y) = (self.number_of(a), self.number_of(b));
        let terms = &mut self.terms;
        let (a_nan, b_nan) = (terms.fp_is_nan(x), terms.fp_is_nan(y));
        let quiet_bit = format.precision() - 2;
        let (a_quiet, b_quiet) = (terms.extract(a, quiet_bit, 1), terms.extract(b, quiet_bit, 1));
        let (a_loud, b_loud) = (terms.not(a_quiet), terms.not(b_quiet));
        let (a_loud, b_loud) = (terms.and(a_nan, a_loud), terms.and(b_nan, b_loud));
        let loud = terms.or(a_loud, b_loud);
        let both = terms.and(a_nan, b_nan);
        let equal = terms.fp_eq(x, y);
        let same = terms.eq(a, b);
        let differ = terms.not(same);
        let zeros = terms.and(equal, differ);
        let any = terms.or(loud, both);
        if any == terms.fals() && zeros == terms.fals() {
            return chosen;
        }
        let unknown = self.unknown_nan(state, format);
        let symbol = self.unknown_symbol(state, 1, SymbolShape::Scalar);
        let var = self.terms.var(symbol, 0);
        let choice = self.terms.extract(var, 0, 1);
        let terms = &mut self.terms;
        let either_zero = terms.ite(choice, a, b);
        let either_nan = terms.ite(choice, unknown, chosen);
        let of_loud = terms.ite(both, unknown, either_nan);
        let of_nans = terms.ite(any, of_loud, chosen);
        terms.ite(zeros, either_zero, of_nans)
    }
}

/// A NaN in the other format: quiet, with its sign and as much of its payload as fits.
fn converted(terms: &mut Terms, from: FloatFormat, to: FloatFormat, a: Term) -> Term {
    let sign = terms.extract(a, from.width() - 1, 1);
    let (wide, narrow) = (from.precision() - 1, to.precision() - 1);
    let payload = terms.extract(a, 0, wide);
    let payload = if wide >= narrow {
        terms.extract(payload, wide - narrow, narrow)
    } else {
        let zeros = terms.constant(0, narrow - wide);
        terms.concat(payload, zeros)
    };
    let magnitude = terms.zext(payload, to.width() - 1);
    let quiet = terms.constant(to.nan(), to.width() - 1);
    let magnitude = terms.or(magnitude, quiet);
    terms.concat(sign, magnitude)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the machine itself gives, where this is one of the machines that the rules are about.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn one_nan_comes_through_and_none_makes_the_negative_one() {
        use std::hint::black_box;
        let format = FloatFormat::F64;
        let nans = [0x7ff8_0000_0000_0123, 0xfff8_0000_0000_0001, 0x7ff0_0000_0000_0007, 0xfff4_0000_0000_0000];
        for nan in nans {
            for number in [0.0, 1.5, f64::INFINITY, -3.0] {
                let operands = (black_box(f64::from_bits(nan)), black_box(number));
                let sum = (operands.0 + operands.1).to_bits();
                assert_eq!(of_operands(format, &[nan, number.to_bits()]), Some(sum), "{nan:x} + {number}");
                let quotient = (operands.1 / operands.0).to_bits();
                assert_eq!(of_operands(format, &[number.to_bits(), nan]), Some(quotient), "{number} / {nan:x}");
            }
        }
        let zero = black_box(0.0f64);
        assert_eq!((zero / zero).to_bits(), made(format));
        assert_eq!((black_box(0.0f32) / black_box(0.0f32)).to_bits() as u64, made(FloatFormat::F32));
        assert_eq!(of_operands(format, &[nans[0], nans[1]]), None);
        assert_eq!(of_operands(format, &[nans[0], nans[0]]), Some(nans[0]));
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn conversions_keep_sign_and_payload() {
        use std::hint::black_box;
        let mut terms = Terms::new();
        for bits in [0x7fc0_0123u32, 0xffc0_0001, 0x7f80_0007, 0xff9a_bcde] {
            let a = terms.constant(bits.into(), 32);
            let wide = converted(&mut terms, FloatFormat::F32, FloatFormat::F64, a);
            let native = (black_box(f32::from_bits(bits)) as f64).to_bits();
            assert_eq!(terms.as_u64(wide), Some(native), "{bits:x}");
            let back = converted(&mut terms, FloatFormat::F64, FloatFormat::F32, wide);
            assert_eq!(terms.as_u64(back), Some((black_box(f64::from_bits(native)) as f32).to_bits().into()));
        }
    }
}
