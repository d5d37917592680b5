//! Floats on the bits of their IEEE-754 encodings: taking apart, rounding and comparing. The
//! operators are in `float_ops.rs`.
//!
//! An operator unpacks its operands into sign, exponent and normalised significand, computes a
//! significand with a few bits too many and a *sticky* lowest bit that stands for all bits below
//! it, and rounds once, to nearest, ties to even. Brain, Schanda, Sun: "Building Better
//! Bit-Blasting for Floating-Point Problems" (TACAS 2019) describes the structure; the circuits
//! here are written from the standard's definitions. Z3 takes 0.1 to 10 seconds for one such
//! operation on `double`; this backend, milliseconds.
//!
//! A result that is not a number is always the one NaN that evaluation gives.

use super::arith::Bits;
use super::gates::{Gates, Lit};
use espalier_expr::{FloatFormat, Op};

/// Sizes of a format, in bits.
#[derive(Copy, Clone)]
pub struct Layout {
    pub exponent: usize,
    pub fraction: usize,
}

impl Layout {
    pub fn of(width: usize) -> Layout {
        match FloatFormat::from_width(width as u32) {
            Some(FloatFormat::F32) => Layout { exponent: 8, fraction: 23 },
            Some(FloatFormat::F64) => Layout { exponent: 11, fraction: 52 },
            None => unreachable!("a float of {width} bits"),
        }
    }

    /// Bits of a significand, the leading one included.
    pub fn precision(self) -> usize {
        self.fraction + 1
    }

    /// What is added to an exponent in the encoding; also the greatest exponent.
    pub fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    pub fn nan(self) -> Bits {
        let mut bits = self.infinity(Lit::FALSE);
        bits[self.fraction - 1] = Lit::TRUE;
        bits
    }

    pub fn infinity(self, sign: Lit) -> Bits {
        let mut bits = vec![Lit::FALSE; self.fraction];
        bits.resize(self.fraction + self.exponent, Lit::TRUE);
        bits.push(sign);
        bits
    }

    pub fn zero(self, sign: Lit) -> Bits {
        let mut bits = vec![Lit::FALSE; self.fraction + self.exponent];
        bits.push(sign);
        bits
    }
}

/// A float taken apart. Of the exponent and the significand nothing is meant when it is a zero,
/// infinite or not a number.
pub struct Unpacked {
    pub nan: Lit,
    pub infinite: Lit,
    pub zero: Lit,
    pub sign: Lit,
    /// Two's complement.
    pub exponent: Bits,
    /// With its highest bit set: the number is `1.xxx * 2^exponent`.
    pub significand: Bits,
}

/// A number in two's complement.
pub fn constant(value: i64, width: usize) -> Bits {
    (0..width).map(|i| Lit::constant(value >> i.min(63) & 1 == 1)).collect()
}

pub fn extend_signed(bits: &[Lit], width: usize) -> Bits {
    let mut out = bits.to_vec();
    out.resize(width, bits[bits.len() - 1]);
    out
}

pub fn extend(bits: &[Lit], width: usize) -> Bits {
    let mut out = bits.to_vec();
    out.resize(width, Lit::FALSE);
    out
}

impl Gates {
    pub fn sub(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        let inverted = self.not_bits(b);
        self.add(a, &inverted, Lit::TRUE)
    }

    fn is_nan(&mut self, a: &[Lit], layout: Layout) -> Lit {
        let exponent = self.and_all(&a[layout.fraction..a.len() - 1]);
        let nonzero = self.or_all(&a[..layout.fraction]);
        self.and(exponent, nonzero)
    }

    /// `FpEq`, `FpLt` or `FpLe`: the encodings of two floats of the same sign are ordered as
    /// integers are; what is left are the NaNs, which compare false with everything, and the two
    /// zeros, which are equal.
    pub fn float_compare(&mut self, op: Op, a: &[Lit], b: &[Lit]) -> Lit {
        let layout = Layout::of(a.len());
        let top = a.len() - 1;
        let (nan_a, nan_b) = (self.is_nan(a, layout), self.is_nan(b, layout));
        let ordered = !self.or(nan_a, nan_b);
        let both: Bits = self.zip_bits(&a[..top], &b[..top], Gates::or);
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

    /// Takes a float apart, its exponent in `width` bits.
    pub fn unpack(&mut self, a: &[Lit], width: usize) -> Unpacked {
        let layout = Layout::of(a.len());
        let top = a.len() - 1;
        let (fraction, field) = (&a[..layout.fraction], &a[layout.fraction..top]);
        let (ones, normal) = (self.and_all(field), self.or_all(field));
        let nonzero = self.or_all(fraction);
        let nan = self.and(ones, nonzero);
        let infinite = self.and(ones, !nonzero);
        let zero = !self.or(normal, nonzero);
        // A subnormal has the exponent of the smallest normal number, and no leading one until it
        // is shifted up.
        let mut significand = fraction.to_vec();
        significand.push(normal);
        let (significand, zeros) = self.normalise(&significand);
        let least = constant(1, field.len());
        let field = self.mux_bits(normal, field, &least);
        let biased = self.sub(&extend(&field, width), &extend(&zeros, width));
        let exponent = self.sub(&biased, &constant(layout.bias(), width));
        Unpacked { nan, infinite, zero, sign: a[top], exponent, significand }
    }

    /// Shifts left until the highest bit is set (unless all are zero), and says how far.
    pub fn normalise(&mut self, a: &[Lit]) -> (Bits, Bits) {
        let width = a.len();
        let mut bits = a.to_vec();
        let stages = (usize::BITS - (width - 1).leading_zeros()) as usize;
        let mut count = vec![Lit::FALSE; stages.max(1)];
        for stage in (0..stages).rev() {
            let by = 1usize << stage;
            let empty = !self.or_all(&bits[width - by.min(width)..]);
            let shifted: Bits = (0..width).map(|i| if i < by { Lit::FALSE } else { bits[i - by] }).collect();
            bits = self.mux_bits(empty, &shifted, &bits);
            count[stage] = empty;
        }
        (bits, count)
    }

    /// Shifts right by an unsigned amount; the lowest bit of the result is set if any bit was lost.
    pub fn shift_right_sticky(&mut self, a: &[Lit], amount: &[Lit]) -> Bits {
        let width = a.len();
        let stages = (usize::BITS - (width - 1).leading_zeros()) as usize;
        let mut bits = a.to_vec();
        let mut lost = Lit::FALSE;
        for (stage, &bit) in amount.iter().enumerate().take(stages) {
            let by = 1usize << stage;
            let dropped = self.or_all(&bits[..by.min(width)]);
            let dropped = self.and(dropped, bit);
            lost = self.or(lost, dropped);
            let shifted: Bits = (0..width).map(|i| *bits.get(i + by).unwrap_or(&Lit::FALSE)).collect();
            bits = self.mux_bits(bit, &shifted, &bits);
        }
        let beyond = self.or_all(amount.get(stages..).unwrap_or(&[]));
        let any = self.or_all(&bits);
        let dropped = self.and(any, beyond);
        lost = self.or(lost, dropped);
        for bit in &mut bits {
            *bit = self.and(*bit, !beyond);
        }
        bits[0] = self.or(bits[0], lost);
        bits
    }

    /// Rounds `significand * 2^exponent`, the significand being `1.xxx` with its highest bit set
    /// and its lowest bit sticky.
    pub fn round(&mut self, layout: Layout, sign: Lit, exponent: &[Lit], significand: &[Lit]) -> Bits {
        let precision = layout.precision();
        let mut significand = significand.to_vec();
        while significand.len() < precision + 2 {
            significand.insert(0, Lit::FALSE);
        }
        // More than two bits below the last one are as good as one sticky bit.
        let excess = significand.len() - (precision + 2);
        if excess > 0 {
            let low = self.or_all(&significand[..=excess]);
            significand.drain(..excess);
            significand[0] = low;
        }
        let width = exponent.len();
        let least = constant(1 - layout.bias(), width);
        // Below the smallest normal exponent, the number loses bits instead.
        let subnormal = self.less_signed(exponent, &least, false);
        let below = self.sub(&least, exponent);
        let below: Bits = below.iter().map(|&l| self.and(l, subnormal)).collect();
        let shifted = self.shift_right_sticky(&significand, &below);
        let (rest, kept) = shifted.split_at(2);
        let up = self.or(rest[0], kept[0]);
        let up = self.and(rest[1], up);
        // The leading one is the difference between a biased exponent of 0 and of 1, so that a
        // carry out of the fraction is one into the exponent, from subnormal to normal and from the
        // greatest number to infinity.
        let above = self.sub(exponent, &least);
        let leading = kept[precision - 1];
        let field: Bits = above[..layout.exponent].iter().map(|&l| self.and(l, !subnormal)).collect();
        let mut packed = kept[..layout.fraction].to_vec();
        let zeros = vec![Lit::FALSE; layout.exponent];
        packed.extend(self.add(&field, &zeros, leading));
        let zeros = vec![Lit::FALSE; packed.len()];
        let mut packed = self.add(&packed, &zeros, up);
        packed.push(sign);
        let greatest = constant(layout.bias(), width);
        let overflow = self.less_signed(&greatest, exponent, false);
        self.mux_bits(overflow, &layout.infinity(sign), &packed)
    }

    /// The result of an operator: the special cases first.
    pub fn pack(&mut self, layout: Layout, nan: Lit, infinite: Lit, zero: Lit, sign: Lit, number: &[Lit]) -> Bits {
        let result = self.mux_bits(zero, &layout.zero(sign), number);
        let result = self.mux_bits(infinite, &layout.infinity(sign), &result);
        self.mux_bits(nan, &layout.nan(), &result)
    }
}
