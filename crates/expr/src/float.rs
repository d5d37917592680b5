//! Floating point on the bits of IEEE-754 encodings: formats, roundings, and what the operators
//! mean on constants.
//!
//! Folding and evaluation use the host's `f32` and `f64`: Rust fixes their operations to IEEE-754,
//! round to nearest even (`%` is C's `fmod`, `mul_add` rounds once). Rust leaves open only which
//! NaN an operation gives; here it is always the positive quiet one, in folding, evaluation and
//! SMT-LIB alike. Terms are built in `build/float.rs`.

use crate::{Bv, Op};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::ToPrimitive;

/// The formats that a bit-vector of 32 or 64 bits can hold.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum FloatFormat {
    F32,
    F64,
}

impl FloatFormat {
    pub fn width(self) -> u32 {
        match self {
            FloatFormat::F32 => 32,
            FloatFormat::F64 => 64,
        }
    }

    pub fn from_width(width: u32) -> Option<FloatFormat> {
        match width {
            32 => Some(FloatFormat::F32),
            64 => Some(FloatFormat::F64),
            _ => None,
        }
    }

    /// The format of a float operator's term.
    pub(crate) fn of(width: u32) -> FloatFormat {
        FloatFormat::from_width(width).unwrap_or_else(|| panic!("no float format of {width} bits"))
    }

    /// Bits of the exponent.
    pub fn exponent_bits(self) -> u32 {
        match self {
            FloatFormat::F32 => 8,
            FloatFormat::F64 => 11,
        }
    }

    /// Bits of the significand, the hidden one included: integers up to two to this power are
    /// exact.
    pub fn precision(self) -> u32 {
        match self {
            FloatFormat::F32 => 24,
            FloatFormat::F64 => 53,
        }
    }

    /// The only NaN that an operation gives.
    pub fn nan(self) -> u64 {
        match self {
            FloatFormat::F32 => 0x7fc0_0000,
            FloatFormat::F64 => 0x7ff8_0000_0000_0000,
        }
    }

    /// The bits of positive infinity.
    pub fn infinity(self) -> u64 {
        match self {
            FloatFormat::F32 => 0x7f80_0000,
            FloatFormat::F64 => 0x7ff0_0000_0000_0000,
        }
    }
}

/// How to round to an integral value.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Rounding {
    NearestEven,
    NearestAway,
    Down,
    Up,
    Zero,
}

impl Rounding {
    pub const ALL: [Rounding; 5] =
        [Rounding::NearestEven, Rounding::NearestAway, Rounding::Down, Rounding::Up, Rounding::Zero];

    pub fn number(self) -> u32 {
        self as u32
    }

    /// The rounding with this [`Rounding::number`], as [`crate::Node::number`] gives it for
    /// `FpRound`.
    pub fn from_number(number: u32) -> Rounding {
        Rounding::ALL[number as usize]
    }
}

fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// The bits of a result, all NaNs being one.
fn from_f32(value: f32) -> u64 {
    if value.is_nan() { FloatFormat::F32.nan() } else { value.to_bits() as u64 }
}

fn from_f64(value: f64) -> u64 {
    if value.is_nan() { FloatFormat::F64.nan() } else { value.to_bits() }
}

/// The value, exactly.
pub(crate) fn to_f64(format: FloatFormat, bits: u64) -> f64 {
    match format {
        FloatFormat::F32 => f32_of(bits) as f64,
        FloatFormat::F64 => f64::from_bits(bits),
    }
}

/// Applies the same expression to one, two or three operands of either format.
macro_rules! in_format {
    ($format:expr, [$($x:ident),+], $body:expr) => {
        match $format {
            FloatFormat::F32 => {
                $(let $x = f32_of($x);)+
                from_f32($body)
            }
            FloatFormat::F64 => {
                $(let $x = f64::from_bits($x);)+
                from_f64($body)
            }
        }
    };
}

pub(crate) fn binary(op: Op, format: FloatFormat, a: u64, b: u64) -> u64 {
    match op {
        Op::FpAdd => in_format!(format, [a, b], a + b),
        Op::FpSub => in_format!(format, [a, b], a - b),
        Op::FpMul => in_format!(format, [a, b], a * b),
        Op::FpDiv => in_format!(format, [a, b], a / b),
        Op::FpRem => in_format!(format, [a, b], a % b),
        _ => unreachable!("{op:?} is not a binary float operator"),
    }
}

pub(crate) fn fma(format: FloatFormat, a: u64, b: u64, c: u64) -> u64 {
    in_format!(format, [a, b, c], a.mul_add(b, c))
}

pub(crate) fn sqrt(format: FloatFormat, a: u64) -> u64 {
    in_format!(format, [a], a.sqrt())
}

pub(crate) fn round(format: FloatFormat, rounding: Rounding, a: u64) -> u64 {
    match rounding {
        Rounding::NearestEven => in_format!(format, [a], a.round_ties_even()),
        Rounding::NearestAway => in_format!(format, [a], a.round()),
        Rounding::Down => in_format!(format, [a], a.floor()),
        Rounding::Up => in_format!(format, [a], a.ceil()),
        Rounding::Zero => in_format!(format, [a], a.trunc()),
    }
}

/// An `f32` compares like the `f64` of the same value.
pub(crate) fn compare(op: Op, format: FloatFormat, a: u64, b: u64) -> bool {
    let (a, b) = (to_f64(format, a), to_f64(format, b));
    match op {
        Op::FpEq => a == b,
        Op::FpLt => a < b,
        Op::FpLe => a <= b,
        _ => unreachable!("{op:?} is not a float comparison"),
    }
}

pub(crate) fn convert(from: FloatFormat, to: FloatFormat, a: u64) -> u64 {
    let value = to_f64(from, a);
    match to {
        FloatFormat::F32 => from_f32(value as f32),
        FloatFormat::F64 => from_f64(value),
    }
}

pub(crate) fn from_signed(format: FloatFormat, value: i128) -> u64 {
    match format {
        FloatFormat::F32 => from_f32(value as f32),
        FloatFormat::F64 => from_f64(value as f64),
    }
}

pub(crate) fn from_unsigned(format: FloatFormat, value: u128) -> u64 {
    match format {
        FloatFormat::F32 => from_f32(value as f32),
        FloatFormat::F64 => from_f64(value as f64),
    }
}

pub(crate) fn from_signed_big(format: FloatFormat, value: BigInt) -> u64 {
    let (sign, magnitude) = value.into_parts();
    let bits = from_unsigned_big(format, &magnitude);
    // Zero never has the sign `Minus`.
    if sign == Sign::Minus { bits | 1 << (format.width() - 1) } else { bits }
}

pub(crate) fn from_unsigned_big(format: FloatFormat, value: &BigUint) -> u64 {
    if let Some(small) = value.to_u128() {
        return from_unsigned(format, small);
    }
    // Keep the top 128 bits, with the lowest of them set if any bit below is: rounding them is
    // rounding the whole. Scaling the rounded value back by a power of two is exact, or overflows
    // to infinity as it should.
    let shift = value.bits() - 128;
    let mut top = (value >> shift).to_u128().expect("128 bits are left");
    if value.trailing_zeros().is_some_and(|zeros| zeros < shift) {
        top |= 1;
    }
    let mut rounded = top as f64;
    if format == FloatFormat::F32 {
        rounded = top as f32 as f64;
    }
    let scaled = rounded * 2f64.powi(shift.min(2000) as i32);
    match format {
        FloatFormat::F32 => from_f32(scaled as f32),
        FloatFormat::F64 => from_f64(scaled),
    }
}

/// Truncated to a signed integer of `width` bits, at most 64, if it is one.
pub(crate) fn to_small_int(value: f64, width: u32) -> Option<i64> {
    debug_assert!(width <= 64);
    // The cast saturates, far outside every such width.
    let integer = value as i128;
    let limit = 1i128 << (width - 1);
    (!value.is_nan() && (-limit..limit).contains(&integer)).then_some(integer as i64)
}

/// Truncated to a signed integer of `width` bits; the minimum if it is none.
pub(crate) fn to_wide_int(value: f64, width: u32) -> Bv {
    let minimum = Bv::signed_min(width);
    if !value.is_finite() {
        return minimum;
    }
    let truncated = value.trunc();
    let bits = truncated.abs().to_bits();
    let exponent = (bits >> 52) as i32 - 1075;
    let significand = BigUint::from(bits & ((1 << 52) - 1) | 1 << 52);
    let magnitude = match truncated == 0.0 {
        true => BigUint::ZERO,
        false if exponent >= 0 => significand << exponent,
        false => significand >> -exponent,
    };
    let limit = BigUint::from(1u32) << (width - 1);
    let sign = if truncated < 0.0 { Sign::Minus } else { Sign::Plus };
    if magnitude < limit { Bv::from_signed_big(BigInt::from_biguint(sign, magnitude), width) } else { minimum }
}
