//! Constants of any width, with SMT-LIB's arithmetic.
//!
//! Nearly every constant of a C program has at most 64 bits, so those live in a machine word and
//! never allocate; wider ones (128-bit integers, vectors, a whole `struct` loaded at once) are big
//! integers behind a box. A value is always reduced modulo two to the power of its width.

use espalier_base::bits::{mask, sign_bit, signed};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, ToPrimitive, Zero};
use std::fmt;

/// A bit-vector constant of any width of at least 1.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bv(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// At most 64 bits.
    Small { width: u32, value: u64 },
    /// More than 64 bits.
    Big { width: u32, value: Box<BigUint> },
}

use Repr::{Big, Small};

impl Bv {
    /// `value` modulo two to the power of `width`.
    pub fn from_u64(value: u64, width: u32) -> Bv {
        assert!(width > 0, "a bit-vector of width 0");
        if width <= 64 {
            Bv(Small { width, value: value & mask(width) })
        } else {
            Bv(Big { width, value: Box::new(BigUint::from(value)) })
        }
    }

    /// `value` modulo two to the power of `width`.
    pub fn from_big(value: BigUint, width: u32) -> Bv {
        assert!(width > 0, "a bit-vector of width 0");
        if width <= 64 {
            let low = value.iter_u64_digits().next().unwrap_or(0);
            return Bv::from_u64(low, width);
        }
        let value = if value.bits() > width as u64 { value & big_mask(width) } else { value };
        Bv(Big { width, value: Box::new(value) })
    }

    /// `value`, which may be negative, modulo two to the power of `width`.
    pub(crate) fn from_signed_big(value: BigInt, width: u32) -> Bv {
        let (sign, magnitude) = value.into_parts();
        let magnitude = Bv::from_big(magnitude, width);
        if sign == Sign::Minus { magnitude.neg() } else { magnitude }
    }

    pub fn from_bool(value: bool) -> Bv {
        Bv::from_u64(value as u64, 1)
    }

    pub fn zero(width: u32) -> Bv {
        Bv::from_u64(0, width)
    }

    pub fn one(width: u32) -> Bv {
        Bv::from_u64(1, width)
    }

    /// All bits set: -1, and the greatest unsigned number.
    pub fn ones(width: u32) -> Bv {
        if width <= 64 { Bv::from_u64(u64::MAX, width) } else { Bv::from_big(big_mask(width), width) }
    }

    /// The least signed number: only the sign bit set.
    pub fn signed_min(width: u32) -> Bv {
        if width <= 64 {
            Bv::from_u64(sign_bit(width), width)
        } else {
            Bv::from_big(BigUint::one() << (width - 1), width)
        }
    }

    /// The greatest signed number: all bits set but the sign bit.
    pub fn signed_max(width: u32) -> Bv {
        Bv::signed_min(width).not()
    }

    pub fn width(&self) -> u32 {
        match &self.0 {
            Small { width, .. } | Big { width, .. } => *width,
        }
    }

    /// The value, if the *width* is at most 64.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.0 {
            Small { value, .. } => Some(*value),
            Big { .. } => None,
        }
    }

    /// The value as a signed number, if the *width* is at most 64.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Small { width, value } => Some(signed(*value, *width)),
            Big { .. } => None,
        }
    }

    pub fn to_big(&self) -> BigUint {
        match &self.0 {
            Small { value, .. } => BigUint::from(*value),
            Big { value, .. } => (**value).clone(),
        }
    }

    /// The value as a signed number.
    pub fn to_signed_big(&self) -> BigInt {
        if self.is_negative() { -BigInt::from(self.neg().to_big()) } else { BigInt::from(self.to_big()) }
    }

    /// The value if it is a number below 2^64, whatever the width.
    pub fn fits_u64(&self) -> Option<u64> {
        match &self.0 {
            Small { value, .. } => Some(*value),
            Big { value, .. } => value.to_u64(),
        }
    }

    pub fn is_zero(&self) -> bool {
        match &self.0 {
            Small { value, .. } => *value == 0,
            Big { value, .. } => value.is_zero(),
        }
    }

    pub fn is_one(&self) -> bool {
        match &self.0 {
            Small { value, .. } => *value == 1,
            Big { value, .. } => value.is_one(),
        }
    }

    pub fn is_ones(&self) -> bool {
        match &self.0 {
            Small { width, value } => *value == mask(*width),
            Big { width, value } => value.count_ones() == *width as u64,
        }
    }

    pub fn is_negative(&self) -> bool {
        self.bit(self.width() - 1)
    }

    /// Bit `index`; bits past the width are zero.
    pub fn bit(&self, index: u32) -> bool {
        match &self.0 {
            Small { value, .. } => index < 64 && value >> index & 1 == 1,
            Big { value, .. } => value.bit(index as u64),
        }
    }

    /// How many low bits are zero (the width if all are).
    pub fn trailing_zeros(&self) -> u32 {
        match &self.0 {
            Small { width, value } => value.trailing_zeros().min(*width),
            Big { width, value } => value.trailing_zeros().map_or(*width, |n| n as u32),
        }
    }

    /// How many bits are set.
    pub fn count_ones(&self) -> u32 {
        match &self.0 {
            Small { value, .. } => value.count_ones(),
            Big { value, .. } => value.count_ones() as u32,
        }
    }

    /// How many bits the value needs: the index of the highest set bit plus 1.
    pub fn bit_length(&self) -> u32 {
        match &self.0 {
            Small { value, .. } => 64 - value.leading_zeros(),
            Big { value, .. } => value.bits() as u32,
        }
    }

    /// `Some(k)` for the value 2^k.
    pub fn power_of_two(&self) -> Option<u32> {
        (self.count_ones() == 1).then(|| self.trailing_zeros())
    }
}

fn big_mask(width: u32) -> BigUint {
    (BigUint::one() << width) - 1u32
}

/// Arithmetic. Both operands have the same width; the results have it too, except for `extract`,
/// `concat` and the extensions.
#[allow(clippy::should_implement_trait)]
impl Bv {
    /// Applies the word version if both operands are words, the big one otherwise.
    fn zip(&self, other: &Bv, small: impl Fn(u64, u64) -> u64, big: impl Fn(&BigUint, &BigUint) -> BigUint) -> Bv {
        debug_assert_eq!(self.width(), other.width(), "operands of different widths");
        match (&self.0, &other.0) {
            (Small { width, value: a }, Small { value: b, .. }) => Bv::from_u64(small(*a, *b), *width),
            (Big { width, value: a }, Big { value: b, .. }) => Bv::from_big(big(a, b), *width),
            _ => unreachable!("operands of different widths"),
        }
    }

    pub fn not(&self) -> Bv {
        match &self.0 {
            Small { width, value } => Bv::from_u64(!value, *width),
            Big { width, value } => Bv::from_big(&**value ^ big_mask(*width), *width),
        }
    }

    pub fn neg(&self) -> Bv {
        match &self.0 {
            Small { width, value } => Bv::from_u64(value.wrapping_neg(), *width),
            Big { width, value } => Bv::from_big((BigUint::one() << *width) - &**value, *width),
        }
    }

    pub fn and(&self, other: &Bv) -> Bv {
        self.zip(other, |a, b| a & b, |a, b| a & b)
    }

    pub fn or(&self, other: &Bv) -> Bv {
        self.zip(other, |a, b| a | b, |a, b| a | b)
    }

    pub fn xor(&self, other: &Bv) -> Bv {
        self.zip(other, |a, b| a ^ b, |a, b| a ^ b)
    }

    pub fn add(&self, other: &Bv) -> Bv {
        self.zip(other, u64::wrapping_add, |a, b| a + b)
    }

    pub fn sub(&self, other: &Bv) -> Bv {
        self.add(&other.neg())
    }

    pub fn mul(&self, other: &Bv) -> Bv {
        self.zip(other, u64::wrapping_mul, |a, b| a * b)
    }

    /// Division by zero gives all ones.
    pub fn udiv(&self, other: &Bv) -> Bv {
        if other.is_zero() {
            return Bv::ones(self.width());
        }
        self.zip(other, |a, b| a / b, |a, b| a / b)
    }

    /// Remainder by zero gives the dividend.
    pub fn urem(&self, other: &Bv) -> Bv {
        if other.is_zero() {
            return self.clone();
        }
        self.zip(other, |a, b| a % b, |a, b| a % b)
    }

    /// Rounds towards zero. Division by zero gives 1 for a negative dividend and -1 for others.
    pub fn sdiv(&self, other: &Bv) -> Bv {
        let quotient = self.magnitude().udiv(&other.magnitude());
        if self.is_negative() != other.is_negative() { quotient.neg() } else { quotient }
    }

    /// Has the sign of the dividend. Remainder by zero gives the dividend.
    pub fn srem(&self, other: &Bv) -> Bv {
        let remainder = self.magnitude().urem(&other.magnitude());
        if self.is_negative() { remainder.neg() } else { remainder }
    }

    fn magnitude(&self) -> Bv {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// The shift amount as a number of bits, if it is less than the width.
    fn shift_amount(&self) -> Option<u32> {
        self.fits_u64().and_then(|n| u32::try_from(n).ok()).filter(|&n| n < self.width())
    }

    pub fn shl(&self, amount: &Bv) -> Bv {
        match (amount.shift_amount(), &self.0) {
            (None, _) => Bv::zero(self.width()),
            (Some(n), Small { width, value }) => Bv::from_u64(value << n, *width),
            (Some(n), Big { width, value }) => Bv::from_big(&**value << n, *width),
        }
    }

    pub fn lshr(&self, amount: &Bv) -> Bv {
        match (amount.shift_amount(), &self.0) {
            (None, _) => Bv::zero(self.width()),
            (Some(n), Small { width, value }) => Bv::from_u64(value >> n, *width),
            (Some(n), Big { width, value }) => Bv::from_big(&**value >> n, *width),
        }
    }

    pub fn ashr(&self, amount: &Bv) -> Bv {
        if self.is_negative() { self.not().lshr(amount).not() } else { self.lshr(amount) }
    }

    pub fn ult(&self, other: &Bv) -> bool {
        debug_assert_eq!(self.width(), other.width(), "operands of different widths");
        match (&self.0, &other.0) {
            (Small { value: a, .. }, Small { value: b, .. }) => a < b,
            (Big { value: a, .. }, Big { value: b, .. }) => a < b,
            _ => unreachable!("operands of different widths"),
        }
    }

    pub fn ule(&self, other: &Bv) -> bool {
        !other.ult(self)
    }

    pub fn slt(&self, other: &Bv) -> bool {
        match (self.is_negative(), other.is_negative()) {
            (true, false) => true,
            (false, true) => false,
            _ => self.ult(other),
        }
    }

    pub fn sle(&self, other: &Bv) -> bool {
        !other.slt(self)
    }

    /// Bits `lo .. lo + width`.
    pub fn extract(&self, lo: u32, width: u32) -> Bv {
        debug_assert!(lo + width <= self.width(), "bits {lo}+{width} of {}", self.width());
        match &self.0 {
            Small { value, .. } => Bv::from_u64(value >> lo, width),
            Big { value, .. } => Bv::from_big(&**value >> lo, width),
        }
    }

    /// `hi` above `lo`.
    pub fn concat(hi: &Bv, lo: &Bv) -> Bv {
        let width = hi.width() + lo.width();
        match (&hi.0, &lo.0) {
            (Small { value: a, .. }, Small { value: b, .. }) if width <= 64 => Bv::from_u64(a << lo.width() | b, width),
            _ => Bv::from_big(hi.to_big() << lo.width() | lo.to_big(), width),
        }
    }

    pub fn zext(&self, width: u32) -> Bv {
        debug_assert!(width >= self.width());
        match &self.0 {
            Small { value, .. } => Bv::from_u64(*value, width),
            Big { value, .. } => Bv::from_big((**value).clone(), width),
        }
    }

    pub fn sext(&self, width: u32) -> Bv {
        debug_assert!(width >= self.width());
        if self.is_negative() { self.not().zext(width).not() } else { self.zext(width) }
    }

    /// Zero-extended or truncated to `width`.
    pub fn resize(&self, width: u32) -> Bv {
        if width <= self.width() { self.extract(0, width) } else { self.zext(width) }
    }
}

/// Hexadecimal, without the width.
impl fmt::Display for Bv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small { value, .. } => write!(f, "{value:#x}"),
            Big { value, .. } => write!(f, "{:#x}", **value),
        }
    }
}

/// `0x2a:8`.
impl fmt::Debug for Bv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}:{}", self.width())
    }
}
