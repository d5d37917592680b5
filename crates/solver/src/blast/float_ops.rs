//! Float arithmetic and conversions as circuits, on the parts that `float.rs` provides. All round
//! to nearest, ties to even.
//!
//! `fmod` is not here: its quotient can have two thousand bits. The SMT backend has it.

use super::arith::Bits;
use super::float::{Layout, constant, extend, extend_signed};
use super::gates::{Gates, Lit};
use espalier_expr::{Op, Rounding};

impl Gates {
    /// `FpAdd`, `FpSub`, `FpMul` or `FpDiv`.
    pub fn float_binary(&mut self, op: Op, a: &[Lit], b: &[Lit]) -> Bits {
        match op {
            Op::FpMul => self.float_mul(a, b),
            Op::FpDiv => self.float_div(a, b),
            _ => {
                let mut b = b.to_vec();
                let top = b.len() - 1;
                b[top] = b[top].xor_sign(op == Op::FpSub);
                self.float_add(a, &b)
            }
        }
    }

    fn float_add(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        let layout = Layout::of(a.len());
        let top = a.len() - 1;
        // The greater one first: its sign is the sum's, and the difference of the significands is
        // not negative.
        let swap = self.less(&a[..top], &b[..top], false);
        let (big, small) = (self.mux_bits(swap, b, a), self.mux_bits(swap, a, b));
        let parts = |gates: &mut Gates, x: &[Lit]| {
            let field = &x[layout.fraction..top];
            let normal = gates.or_all(field);
            let ones = gates.and_all(field);
            let fraction = gates.or_all(&x[..layout.fraction]);
            // As for a subnormal: no leading one, and the exponent field counts as 1.
            let mut exponent = field.to_vec();
            exponent[0] = gates.or(exponent[0], !normal);
            // Three more bits below: what is shifted out further only has to be known to be there.
            let mut significand = vec![Lit::FALSE; 3];
            significand.extend(&x[..layout.fraction]);
            significand.push(normal);
            let nan = gates.and(ones, fraction);
            let infinite = gates.and(ones, !fraction);
            (exponent, significand, nan, infinite)
        };
        let (big_exponent, big_significand, big_nan, big_infinite) = parts(self, &big);
        let (small_exponent, small_significand, small_nan, small_infinite) = parts(self, &small);
        let distance = self.sub(&big_exponent, &small_exponent);
        let aligned = self.shift_right_sticky(&small_significand, &distance);
        let differ = self.xor(big[top], small[top]);
        let len = big_significand.len() + 1;
        let addend: Bits = extend(&aligned, len).iter().map(|&l| self.xor(l, differ)).collect();
        let sum = self.add(&extend(&big_significand, len), &addend, differ);
        let none = self.is_zero(&sum);
        let (normalised, zeros) = self.normalise(&sum);
        // The top bit of the sum is one place above that of the greater operand.
        let width = layout.exponent + 2;
        let exponent = self.sub(&extend(&big_exponent, width), &extend(&zeros, width));
        let exponent = self.add(&exponent, &constant(-layout.bias(), width), Lit::TRUE);
        let sign = big[top];
        let number = self.round(layout, sign, &exponent, &normalised);
        let both = self.and(big_infinite, small_infinite);
        let opposite = self.and(both, differ);
        let some_nan = self.or(big_nan, small_nan);
        let nan = self.or(some_nan, opposite);
        // Only two negative zeros have a negative sum of zero.
        let zero_sign = self.and(big[top], small[top]);
        let sign = self.mux(none, zero_sign, sign);
        let infinite = self.or(big_infinite, small_infinite);
        self.pack(layout, nan, infinite, none, sign, &number)
    }

    fn float_mul(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        let layout = Layout::of(a.len());
        let width = layout.exponent + 3;
        let (x, y) = (self.unpack(a, width), self.unpack(b, width));
        let precision = layout.precision();
        let (wide_x, wide_y) = (extend(&x.significand, 2 * precision), extend(&y.significand, 2 * precision));
        let product = self.mul(&wide_x, &wide_y);
        // Between 1 and 4.
        let two = product[2 * precision - 1];
        let shifted: Bits = [Lit::FALSE].iter().chain(&product[..2 * precision - 1]).copied().collect();
        let significand = self.mux_bits(two, &product, &shifted);
        let exponent = self.add(&x.exponent, &y.exponent, two);
        let sign = self.xor(x.sign, y.sign);
        let number = self.round(layout, sign, &exponent, &significand);
        let infinite = self.or(x.infinite, y.infinite);
        let zero = self.or(x.zero, y.zero);
        let undefined = self.and(infinite, zero);
        let nan = self.or_all(&[x.nan, y.nan, undefined]);
        self.pack(layout, nan, infinite, zero, sign, &number)
    }

    fn float_div(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        let layout = Layout::of(a.len());
        let width = layout.exponent + 3;
        let (x, y) = (self.unpack(a, width), self.unpack(b, width));
        let precision = layout.precision();
        // Long division, one quotient bit at a time, the first one weighing 1. The remainder stays
        // below twice the divisor.
        let mut remainder = extend(&x.significand, precision + 1);
        let divisor = extend(&y.significand, precision + 1);
        let mut quotient = Vec::new();
        for _ in 0..precision + 2 {
            let fits = self.less(&divisor, &remainder, true);
            let subtracted: Bits = divisor.iter().map(|&l| self.and(l, fits)).collect();
            remainder = self.sub(&remainder, &subtracted);
            remainder.insert(0, Lit::FALSE);
            remainder.truncate(precision + 1);
            quotient.insert(0, fits);
        }
        let sticky = self.or_all(&remainder);
        quotient.insert(0, sticky);
        // Between 1/2 and 2.
        let one = quotient[quotient.len() - 1];
        let shifted: Bits = [Lit::FALSE].iter().chain(&quotient[..quotient.len() - 1]).copied().collect();
        let mut significand = self.mux_bits(one, &quotient, &shifted);
        significand[0] = self.or(significand[0], sticky);
        let inverted = self.not_bits(&y.exponent);
        let exponent = self.add(&x.exponent, &inverted, one);
        let sign = self.xor(x.sign, y.sign);
        let number = self.round(layout, sign, &exponent, &significand);
        let zeros = self.and(x.zero, y.zero);
        let infinities = self.and(x.infinite, y.infinite);
        let nan = self.or_all(&[x.nan, y.nan, zeros, infinities]);
        let infinite = self.or(x.infinite, y.zero);
        let zero = self.or(x.zero, y.infinite);
        self.pack(layout, nan, infinite, zero, sign, &number)
    }

    /// `a * b + c`, rounded once: the product is exact, and twice as long as `c`.
    pub fn float_fma(&mut self, a: &[Lit], b: &[Lit], c: &[Lit]) -> Bits {
        let layout = Layout::of(a.len());
        let width = layout.exponent + 3;
        let (x, y, z) = (self.unpack(a, width), self.unpack(b, width), self.unpack(c, width));
        let precision = layout.precision();
        let len = 2 * precision;
        let product = self.mul(&extend(&x.significand, len), &extend(&y.significand, len));
        let two = product[len - 1];
        let shifted: Bits = [Lit::FALSE].iter().chain(&product[..len - 1]).copied().collect();
        let product = self.mux_bits(two, &product, &shifted);
        let product_exponent = self.add(&x.exponent, &y.exponent, two);
        let product_sign = self.xor(x.sign, y.sign);
        let product_zero = self.or(x.zero, y.zero);
        let mut addend = vec![Lit::FALSE; len - precision];
        addend.extend(&z.significand);
        // Both with three more bits below, a zero with the least exponent of all.
        let mut least = vec![Lit::FALSE; width];
        least[width - 1] = Lit::TRUE;
        let operand = |gates: &mut Gates, zero: Lit, sign: Lit, exponent: &[Lit], significand: &[Lit]| {
            let mut number = vec![Lit::FALSE; 3];
            number.extend(significand.iter().map(|&l| gates.and(l, !zero)));
            // Exponent above significand, then the sign: one unsigned number to order by, and to
            // swap.
            let mut exponent = gates.mux_bits(zero, &least, exponent);
            exponent[width - 1] = !exponent[width - 1];
            number.extend(exponent);
            number.push(sign);
            number
        };
        let p = operand(self, product_zero, product_sign, &product_exponent, &product);
        let q = operand(self, z.zero, z.sign, &z.exponent, &addend);
        let top = p.len() - 1;
        let swap = self.less(&p[..top], &q[..top], false);
        let (big, small) = (self.mux_bits(swap, &q, &p), self.mux_bits(swap, &p, &q));
        let (big_significand, big_exponent) = (&big[..len + 3], &big[len + 3..top]);
        let (small_significand, small_exponent) = (&small[..len + 3], &small[len + 3..top]);
        let distance = self.sub(big_exponent, small_exponent);
        let aligned = self.shift_right_sticky(small_significand, &distance);
        let differ = self.xor(big[top], small[top]);
        let addend: Bits = extend(&aligned, len + 4).iter().map(|&l| self.xor(l, differ)).collect();
        let sum = self.add(&extend(big_significand, len + 4), &addend, differ);
        let none = self.is_zero(&sum);
        let (normalised, zeros) = self.normalise(&sum);
        let mut exponent = big_exponent.to_vec();
        exponent[width - 1] = !exponent[width - 1];
        let inverted = self.not_bits(&extend(&zeros, width));
        let exponent = self.add(&exponent, &inverted, Lit::TRUE);
        let exponent = self.add(&exponent, &constant(0, width), Lit::TRUE);
        let number = self.round(layout, big[top], &exponent, &normalised);
        let product_infinite = self.or(x.infinite, y.infinite);
        let undefined = self.and(product_infinite, product_zero);
        let signs_differ = self.xor(product_sign, z.sign);
        let opposite = self.and_all(&[product_infinite, z.infinite, signs_differ]);
        let nan = self.or_all(&[x.nan, y.nan, z.nan, undefined, opposite]);
        let infinite = self.or(product_infinite, z.infinite);
        let zero_sign = self.and(product_sign, z.sign);
        let infinite_sign = self.mux(product_infinite, product_sign, z.sign);
        let sign = self.mux(none, zero_sign, big[top]);
        let sign = self.mux(infinite, infinite_sign, sign);
        self.pack(layout, nan, infinite, none, sign, &number)
    }

    pub fn float_sqrt(&mut self, a: &[Lit]) -> Bits {
        let layout = Layout::of(a.len());
        let width = layout.exponent + 3;
        let x = self.unpack(a, width);
        let precision = layout.precision();
        // The root of `m * 2^(2k)` is `sqrt(m) * 2^k`, with `m` between 1 and 4.
        let odd = x.exponent[0];
        let mut radicand = extend(&x.significand, precision + 1);
        let doubled: Bits = [Lit::FALSE].iter().chain(&x.significand).copied().collect();
        radicand = self.mux_bits(odd, &doubled, &radicand);
        let exponent = extend_signed(&x.exponent[1..], width);
        // Digit by digit: two bits of the radicand give one of the root.
        let digits = precision + 2;
        let mut pending: Bits = vec![Lit::FALSE; 2 * digits - radicand.len()];
        pending.extend(radicand);
        let size = digits + 2;
        let mut remainder = vec![Lit::FALSE; size];
        let mut root: Bits = Vec::new();
        for _ in 0..digits {
            let high = pending.pop().unwrap_or(Lit::FALSE);
            let low = pending.pop().unwrap_or(Lit::FALSE);
            remainder.splice(0..0, [low, high]);
            remainder.truncate(size);
            let mut trial = vec![Lit::TRUE, Lit::FALSE];
            trial.extend(&root);
            let trial = extend(&trial, size);
            let fits = self.less(&trial, &remainder, true);
            let subtracted: Bits = trial.iter().map(|&l| self.and(l, fits)).collect();
            remainder = self.sub(&remainder, &subtracted);
            root.insert(0, fits);
        }
        let sticky = self.or_all(&remainder);
        root.insert(0, sticky);
        let number = self.round(layout, x.sign, &exponent, &root);
        let negative = self.and(x.sign, !x.zero);
        let nan = self.or(x.nan, negative);
        self.pack(layout, nan, x.infinite, x.zero, x.sign, &number)
    }

    /// Rounds to an integral value: on the encoding, adding what carries into the integral bits and
    /// clearing those below.
    pub fn float_round(&mut self, a: &[Lit], rounding: Rounding) -> Bits {
        let layout = Layout::of(a.len());
        let top = a.len() - 1;
        let (sign, field) = (a[top], &a[layout.fraction..top]);
        let ones = self.and_all(field);
        let fraction = self.or_all(&a[..layout.fraction]);
        let nan = self.and(ones, fraction);
        let width = layout.exponent + 1;
        let exponent = self.sub(&extend(field, width), &constant(layout.bias(), width));
        let integral = self.less_signed(&constant(layout.fraction as i64, width), &exponent, true);
        let below_one = exponent[width - 1];
        // The bits below the point: all of the fraction, less one for each power of two.
        let all = vec![Lit::TRUE; layout.fraction];
        let mask = self.lshr(&all, &exponent[..layout.exponent]);
        let magnitude = &a[..top];
        let addend: Bits = match rounding {
            Rounding::Zero => vec![Lit::FALSE; layout.fraction],
            Rounding::Down => mask.iter().map(|&l| self.and(l, sign)).collect(),
            Rounding::Up => mask.iter().map(|&l| self.and(l, !sign)).collect(),
            Rounding::NearestEven | Rounding::NearestAway => {
                // One half is the highest bit of the mask; a little less for ties to even, if the
                // last integral bit is 0. That bit follows the mask; at exponent 0 it is the
                // leading one, as is the lowest exponent bit there.
                let mut half = Vec::new();
                for i in 0..layout.fraction {
                    let next = mask.get(i + 1).copied().unwrap_or(Lit::FALSE);
                    half.push(self.and(mask[i], !next));
                }
                if rounding == Rounding::NearestEven {
                    let picked: Bits = (0..layout.fraction).map(|i| self.and(half[i], magnitude[i + 1])).collect();
                    let odd = self.or_all(&picked);
                    let less: Bits = (0..layout.fraction).map(|i| self.and(mask[i], !half[i])).collect();
                    self.mux_bits(odd, &half, &less)
                } else {
                    half
                }
            }
        };
        let sum = self.add(magnitude, &extend(&addend, top), Lit::FALSE);
        let cleared: Bits =
            (0..top).map(|i| if i < layout.fraction { self.and(sum[i], !mask[i]) } else { sum[i] }).collect();
        // Below one there are only zero and one.
        let nonzero = self.or_all(magnitude);
        let half = constant((layout.bias() - 1) << layout.fraction, top);
        let one_instead = match rounding {
            Rounding::Zero => Lit::FALSE,
            Rounding::Down => self.and(nonzero, sign),
            Rounding::Up => self.and(nonzero, !sign),
            Rounding::NearestEven => self.less(&half, magnitude, false),
            Rounding::NearestAway => self.less(&half, magnitude, true),
        };
        let one = constant(layout.bias() << layout.fraction, top);
        let small: Bits = one.iter().map(|&l| self.and(l, one_instead)).collect();
        let mut result = self.mux_bits(below_one, &small, &cleared);
        result = self.mux_bits(integral, magnitude, &result);
        result.push(sign);
        self.mux_bits(nan, &layout.nan(), &result)
    }

    pub fn float_to_float(&mut self, a: &[Lit], width: usize) -> Bits {
        let (from, to) = (Layout::of(a.len()), Layout::of(width));
        let x = self.unpack(a, from.exponent.max(to.exponent) + 2);
        let number = self.round(to, x.sign, &x.exponent, &x.significand);
        self.pack(to, x.nan, x.infinite, x.zero, x.sign, &number)
    }

    /// Truncates to a signed integer of `width` bits; out of range, and for NaN, the least one.
    pub fn float_to_signed(&mut self, a: &[Lit], width: usize) -> Bits {
        let layout = Layout::of(a.len());
        let top = a.len() - 1;
        let field = &a[layout.fraction..top];
        let exponent_width = layout.exponent + 1;
        let exponent = self.sub(&extend(field, exponent_width), &constant(layout.bias(), exponent_width));
        let below_one = exponent[exponent_width - 1];
        // The least integer is what one gets out of range, so it does not matter that it is not.
        let in_range = match i64::try_from(width).ok().filter(|&width| width - 2 < layout.bias()) {
            Some(width) => self.less_signed(&exponent, &constant(width - 2, exponent_width), true),
            None => !self.and_all(field),
        };
        // A fixed-point number, shifted left by the exponent; numbers below one were dealt with.
        let mut fixed = a[..layout.fraction].to_vec();
        fixed.push(Lit::TRUE);
        let fixed = extend(&fixed, layout.fraction + width);
        let shifted = self.shl(&fixed, &exponent[..layout.exponent]);
        let magnitude: Bits = shifted[layout.fraction..].iter().map(|&l| self.and(l, !below_one)).collect();
        let value = self.negate_if(a[top], &magnitude);
        let mut least = vec![Lit::FALSE; width];
        least[width - 1] = Lit::TRUE;
        self.mux_bits(in_range, &value, &least)
    }

    pub fn float_from_integer(&mut self, a: &[Lit], signed: bool, width: usize) -> Bits {
        let layout = Layout::of(width);
        let sign = if signed { a[a.len() - 1] } else { Lit::FALSE };
        let magnitude = if signed { self.negate_if(sign, a) } else { a.to_vec() };
        let zero = self.is_zero(&magnitude);
        let (significand, zeros) = self.normalise(&magnitude);
        let exponent_width = (layout.exponent + 2).max(zeros.len() + 2);
        let highest = constant(a.len() as i64 - 1, exponent_width);
        let exponent = self.sub(&highest, &extend(&zeros, exponent_width));
        let number = self.round(layout, sign, &exponent, &significand);
        self.pack(layout, Lit::FALSE, Lit::FALSE, zero, sign, &number)
    }
}
