//! Bit-vector arithmetic as circuits: adders, comparators, shifters, multipliers, dividers.
//!
//! A vector is a slice of literals, least significant bit first. All circuits lean on the constant
//! folding of [`Gates`], so that a zero-extended operand or a constant costs what its real bits
//! cost:
//!
//! * addition is a ripple of full adders (parity and majority gates): carry-lookahead only adds
//!   variables for a SAT solver;
//! * comparison is one majority gate a bit (the borrow of a subtraction);
//! * multiplication adds shifted rows, chosen by the operand with fewer real bits; a constant
//!   operand is recoded into canonical signed digits first, which leaves at most every other row;
//! * division is the restoring divider: at stage k only k bits of the remainder exist, and a
//!   divisor whose high bits are zero keeps the remainder as narrow as itself. The alternative,
//!   fresh quotient and remainder with `a = q * b + r`, is smaller for constant divisors, but
//!   nothing propagates forwards through it.

use super::gates::{Gates, Lit};

pub type Bits = Vec<Lit>;

impl Gates {
    pub fn not_bits(&mut self, a: &[Lit]) -> Bits {
        a.iter().map(|&l| !l).collect()
    }

    pub fn zip_bits(&mut self, a: &[Lit], b: &[Lit], gate: impl Fn(&mut Gates, Lit, Lit) -> Lit) -> Bits {
        debug_assert_eq!(a.len(), b.len());
        a.iter().zip(b).map(|(&x, &y)| gate(self, x, y)).collect()
    }

    pub fn mux_bits(&mut self, c: Lit, a: &[Lit], b: &[Lit]) -> Bits {
        debug_assert_eq!(a.len(), b.len());
        a.iter().zip(b).map(|(&x, &y)| self.mux(c, x, y)).collect()
    }

    /// `a + b + carry`, without the carry out.
    pub fn add(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> Bits {
        debug_assert_eq!(a.len(), b.len());
        let mut carry = carry;
        let mut out = Vec::with_capacity(a.len());
        for (i, (&x, &y)) in a.iter().zip(b).enumerate() {
            out.push(self.xor3(x, y, carry));
            if i + 1 < a.len() {
                carry = self.majority(x, y, carry);
            }
        }
        out
    }

    pub fn neg(&mut self, a: &[Lit]) -> Bits {
        let inverted = self.not_bits(a);
        let zero = vec![Lit::FALSE; a.len()];
        self.add(&inverted, &zero, Lit::TRUE)
    }

    /// `a` negated where `c` holds.
    pub fn negate_if(&mut self, c: Lit, a: &[Lit]) -> Bits {
        let flipped: Bits = a.iter().map(|&l| self.xor(l, c)).collect();
        let zero = vec![Lit::FALSE; a.len()];
        self.add(&flipped, &zero, c)
    }

    pub fn eq_bits(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same = self.zip_bits(a, b, Gates::xnor);
        self.and_all(&same)
    }

    /// Unsigned `a < b`, or `a <= b`.
    pub fn less(&mut self, a: &[Lit], b: &[Lit], or_equal: bool) -> Lit {
        debug_assert_eq!(a.len(), b.len());
        let mut less = Lit::constant(or_equal);
        for (&x, &y) in a.iter().zip(b) {
            less = self.majority(!x, y, less);
        }
        less
    }

    /// Two's complement `a < b`, or `a <= b`.
    pub fn less_signed(&mut self, a: &[Lit], b: &[Lit], or_equal: bool) -> Lit {
        let top = a.len() - 1;
        let low = self.less(&a[..top], &b[..top], or_equal);
        // The sign bit weighs negatively: compare it the other way round.
        self.majority(a[top], !b[top], low)
    }

    pub fn is_zero(&mut self, a: &[Lit]) -> Lit {
        !self.or_all(a)
    }

    /// Shifts by a symbolic amount: one layer of multiplexers a bit of the amount that matters, and
    /// all `fill` when a higher bit is set. Amounts from the width on shift everything out.
    fn barrel(&mut self, a: &[Lit], amount: &[Lit], fill: Lit, left: bool) -> Bits {
        let width = a.len();
        let stages = (usize::BITS - (width - 1).leading_zeros()) as usize; // those with 2^stage < width
        let mut out = a.to_vec();
        for (stage, &bit) in amount.iter().enumerate().take(stages) {
            let by = 1usize << stage;
            let shifted: Bits = (0..width)
                .map(|i| {
                    let from = if left { i.checked_sub(by) } else { Some(i + by).filter(|&i| i < width) };
                    from.map_or(fill, |i| out[i])
                })
                .collect();
            out = self.mux_bits(bit, &shifted, &out);
        }
        let beyond = self.or_all(amount.get(stages..).unwrap_or(&[]));
        out.iter().map(|&l| self.mux(beyond, fill, l)).collect()
    }

    pub fn shl(&mut self, a: &[Lit], amount: &[Lit]) -> Bits {
        self.barrel(a, amount, Lit::FALSE, true)
    }

    pub fn lshr(&mut self, a: &[Lit], amount: &[Lit]) -> Bits {
        self.barrel(a, amount, Lit::FALSE, false)
    }

    pub fn ashr(&mut self, a: &[Lit], amount: &[Lit]) -> Bits {
        self.barrel(a, amount, a[a.len() - 1], false)
    }

    /// The low half of the product: as many bits as the operands have.
    pub fn mul(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        debug_assert_eq!(a.len(), b.len());
        let weight = |bits: &[Lit]| bits.iter().filter(|&&l| l != Lit::FALSE).count();
        let constant = |bits: &[Lit]| bits.iter().all(|l| l.is_const());
        if constant(b) {
            return self.mul_constant(a, b);
        }
        if constant(a) {
            return self.mul_constant(b, a);
        }
        let (rows, row) = if weight(a) <= weight(b) { (a, b) } else { (b, a) };
        let width = a.len();
        let mut sum = vec![Lit::FALSE; width];
        for (i, &select) in rows.iter().enumerate() {
            if select == Lit::FALSE {
                continue;
            }
            let partial: Bits = row[..width - i].iter().map(|&l| self.and(l, select)).collect();
            let high = self.add(&sum[i..], &partial, Lit::FALSE);
            sum.splice(i.., high);
        }
        sum
    }

    fn mul_constant(&mut self, a: &[Lit], constant: &[Lit]) -> Bits {
        let width = a.len();
        let mut sum = vec![Lit::FALSE; width];
        for (i, digit) in signed_digits(constant).into_iter().enumerate() {
            if digit == 0 {
                continue;
            }
            let row = if digit > 0 { a[..width - i].to_vec() } else { self.not_bits(&a[..width - i]) };
            let high = self.add(&sum[i..], &row, Lit::constant(digit < 0));
            sum.splice(i.., high);
        }
        sum
    }

    /// Quotient and remainder as SMT-LIB defines them: division by zero gives all ones and the
    /// dividend.
    pub fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Bits, Bits) {
        let width = a.len();
        let narrow = b.iter().rposition(|&l| l != Lit::FALSE).map_or(0, |top| top + 1);
        let never_zero = b.contains(&Lit::TRUE);
        if narrow < width && !never_zero {
            // Divide as if the divisor were not zero, so that the remainder is as narrow as the
            // divisor is.
            let zero = self.is_zero(b);
            let (quotient, remainder) = self.divide_narrow(a, &b[..narrow]);
            let quotient = quotient.iter().map(|&l| self.or(l, zero)).collect();
            let remainder = self.mux_bits(zero, a, &remainder);
            return (quotient, remainder);
        }
        self.divide_narrow(a, &b[..narrow])
    }

    /// `b` has the divisor's low bits, the others being zero. A zero divisor is handled only when
    /// `b` is as wide as `a`, where it comes out right by itself.
    fn divide_narrow(&mut self, a: &[Lit], b: &[Lit]) -> (Bits, Bits) {
        let width = a.len();
        let mut quotient = vec![Lit::FALSE; width];
        // No bit of `b` from `i` on is set.
        let mut high_zero = vec![Lit::TRUE; b.len() + 2];
        for i in (0..b.len()).rev() {
            high_zero[i] = self.and(high_zero[i + 1], !b[i]);
        }
        let mut remainder: Bits = Vec::new();
        for i in (0..width).rev() {
            remainder.insert(0, a[i]);
            let len = remainder.len();
            let mut divisor: Bits = b.iter().take(len).map(|&l| !l).collect();
            divisor.resize(len, Lit::TRUE);
            let mut carry = Lit::TRUE;
            let mut difference = Vec::with_capacity(len);
            for (&x, &y) in remainder.iter().zip(&divisor) {
                let (sum, out) = self.full_adder(x, y, carry);
                difference.push(sum);
                carry = out;
            }
            let fits = self.and(carry, high_zero[len.min(b.len())]);
            quotient[i] = fits;
            remainder = self.mux_bits(fits, &difference, &remainder);
            // Less than the divisor, hence no wider than it.
            remainder.truncate(b.len());
        }
        remainder.resize(width, Lit::FALSE);
        (quotient, remainder)
    }

    /// Signed quotient (rounded towards zero) and remainder (with the dividend's sign).
    pub fn divide_signed(&mut self, a: &[Lit], b: &[Lit]) -> (Bits, Bits) {
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        let (abs_a, abs_b) = (self.negate_if(sign_a, a), self.negate_if(sign_b, b));
        let (quotient, remainder) = self.divide(&abs_a, &abs_b);
        let sign = self.xor(sign_a, sign_b);
        (self.negate_if(sign, &quotient), self.negate_if(sign_a, &remainder))
    }
}

/// The canonical signed-digit form of a constant, modulo two to its width: no two adjacent digits
/// are non-zero.
fn signed_digits(constant: &[Lit]) -> Vec<i8> {
    let mut bits: Vec<bool> = constant.iter().map(|&l| l == Lit::TRUE).collect();
    bits.push(false);
    let mut digits = vec![0; constant.len()];
    let mut carry = false;
    for i in 0..constant.len() {
        let bit = bits[i] ^ carry;
        if bit && bits[i + 1] {
            digits[i] = -1;
            carry = true;
        } else {
            digits[i] = bit as i8;
            carry = bits[i] && carry;
        }
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_digits_are_sparse_and_exact() {
        for width in 1..=10 {
            for value in 0..1u32 << width {
                let bits: Bits = (0..width).map(|i| Lit::constant(value >> i & 1 == 1)).collect();
                let digits = signed_digits(&bits);
                let sum: i64 = digits.iter().enumerate().map(|(i, &d)| (d as i64) << i).sum();
                assert_eq!(sum.rem_euclid(1 << width), value as i64, "{value} at width {width}");
                assert!(digits.windows(2).all(|w| w[0] == 0 || w[1] == 0), "{value}: {digits:?}");
            }
        }
    }
}
