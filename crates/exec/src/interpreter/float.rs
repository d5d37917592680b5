//! Float operators. `float` and `double` are computed by the host on concrete values (its
//! arithmetic is IEEE-754, round to nearest even) and become terms on symbolic ones; the other
//! kinds (half, bfloat, x87 extended, quad) go through `rustc_apfloat` and must be concrete.
//!
//! Conversions to integers that are undefined in C behave as on x86: truncation through the
//! machine's conversion, with the minimum for what does not fit.

use crate::interpreter::value::mask;
use crate::paths::cut::UnsupportedFloat;
use espalier_expr::{Bv, FloatFormat, Rounding, Term, Terms};
use espalier_ir::{FBinOp, FCastOp, FCmpOp, FUnOp, FloatKind};
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};

/// The format in which terms can have floats of this kind.
pub(crate) fn is_term_kind(kind: FloatKind) -> Option<FloatFormat> {
    match kind {
        FloatKind::F32 => Some(FloatFormat::F32),
        FloatKind::F64 => Some(FloatFormat::F64),
        _ => None,
    }
}

/// Generic arithmetic over one of `rustc_apfloat`'s types, on bit patterns.
fn ap_bin<F: Float>(op: FBinOp, a: u128, b: u128) -> u128 {
    let (x, y) = (F::from_bits(a), F::from_bits(b));
    let result = match op {
        FBinOp::Add => (x + y).value,
        FBinOp::Sub => (x - y).value,
        FBinOp::Mul => (x * y).value,
        FBinOp::Div => (x / y).value,
        FBinOp::Rem => x.c_fmod(y).value,
        FBinOp::MinNum => x.min(y),
        FBinOp::MaxNum => x.max(y),
        FBinOp::Minimum => x.minimum(y),
        FBinOp::Maximum => x.maximum(y),
        FBinOp::CopySign => x.copy_sign(y),
    };
    result.to_bits()
}

fn ap_un<F: Float>(op: FUnOp, a: u128) -> Option<u128> {
    let x = F::from_bits(a);
    let result = match op {
        FUnOp::Neg => -x,
        FUnOp::Abs => x.abs(),
        FUnOp::Floor => x.round_to_integral(Round::TowardNegative).value,
        FUnOp::Ceil => x.round_to_integral(Round::TowardPositive).value,
        FUnOp::Trunc => x.round_to_integral(Round::TowardZero).value,
        FUnOp::Round => x.round_to_integral(Round::NearestTiesToAway).value,
        FUnOp::RoundEven => x.round_to_integral(Round::NearestTiesToEven).value,
        _ => return None,
    };
    Some(result.to_bits())
}

macro_rules! with_kind {
    ($kind:expr, $F:ident => $body:expr) => {
        with_kind!($kind, $F => $body, Half: Half, BFloat: BFloat, F32: Single, F64: Double,
            X87: X87DoubleExtended, F128: Quad)
    };
    ($kind:expr, $F:ident => $body:expr, $($variant:ident: $format:ty),*) => {
        match $kind {
            $(FloatKind::$variant => {
                type $F = $format;
                $body
            })*
        }
    };
}

/// The concrete bits of a term of up to 128 bits.
fn bits(terms: &Terms, term: Term) -> Option<u128> {
    let value = terms.as_bv(term)?.to_big();
    u128::try_from(value).ok()
}

fn number(terms: &mut Terms, bits: u128, width: u32) -> Term {
    terms.constant_bv(&Bv::from_big(bits.into(), width).resize(width))
}

pub fn bin(terms: &mut Terms, op: FBinOp, kind: FloatKind, a: Term, b: Term) -> Result<Term, UnsupportedFloat> {
    if let (Some(x), Some(y)) = (bits(terms, a), bits(terms, b)) {
        let exact = with_kind!(kind, F => ap_bin::<F>(op, x, y));
        return Ok(match op {
            FBinOp::Add | FBinOp::Sub | FBinOp::Mul | FBinOp::Div | FBinOp::Rem => canonical(terms, kind, exact),
            // These give one of their operands.
            _ => number(terms, exact, kind.width()),
        });
    }
    is_term_kind(kind).ok_or(UnsupportedFloat::SymbolicKind)?;
    Ok(match op {
        FBinOp::Add => terms.fp_add(a, b),
        FBinOp::Sub => terms.fp_sub(a, b),
        FBinOp::Mul => terms.fp_mul(a, b),
        FBinOp::Div => terms.fp_div(a, b),
        FBinOp::Rem => terms.fp_rem(a, b),
        FBinOp::CopySign => terms.fp_copysign(a, b),
        FBinOp::MinNum | FBinOp::MaxNum | FBinOp::Minimum | FBinOp::Maximum => {
            let smaller = matches!(op, FBinOp::MinNum | FBinOp::Minimum);
            let first = if smaller { terms.fp_lt(a, b) } else { terms.fp_lt(b, a) };
            let ordinary = terms.ite(first, a, b);
            let (a_nan, b_nan) = (terms.fp_is_nan(a), terms.fp_is_nan(b));
            if matches!(op, FBinOp::MinNum | FBinOp::MaxNum) {
                let when_b = terms.ite(b_nan, a, ordinary);
                terms.ite(a_nan, b, when_b)
            } else {
                // Zeros compare equal but -0 is the minimum: their bits decide.
                let equal = terms.fp_eq(a, b);
                let zeros = if smaller { terms.or(a, b) } else { terms.and(a, b) };
                let ordered = terms.ite(equal, zeros, ordinary);
                let when_b = terms.ite(b_nan, b, ordered);
                terms.ite(a_nan, a, when_b)
            }
        }
    })
}

/// NaNs of `float` and `double` results get the one bit pattern that terms use; see `nan` for what
/// programs see.
fn canonical(terms: &mut Terms, kind: FloatKind, bits: u128) -> Term {
    let width = kind.width();
    let is_nan = with_kind!(kind, F => F::from_bits(bits).is_nan());
    match is_term_kind(kind) {
        Some(format) if is_nan => terms.constant(format.nan(), width),
        _ => number(terms, bits, width),
    }
}

pub fn un(terms: &mut Terms, op: FUnOp, kind: FloatKind, a: Term) -> Result<Term, UnsupportedFloat> {
    let width = kind.width();
    match op {
        FUnOp::Neg if kind != FloatKind::X87 => return Ok(terms.fp_neg(a)),
        FUnOp::Abs if kind != FloatKind::X87 => return Ok(terms.fp_abs(a)),
        _ => {}
    }
    if let Some(x) = bits(terms, a) {
        if let Some(result) = with_kind!(kind, F => ap_un::<F>(op, x)) {
            return Ok(number(terms, result, width));
        }
        if kind == FloatKind::F32 && op != FUnOp::Sqrt {
            let result = host_function(op, f32::from_bits(x as u32) as f64) as f32;
            return Ok(terms.constant(result.to_bits() as u64, 32));
        }
        if kind == FloatKind::F64 && op != FUnOp::Sqrt {
            let result = host_function(op, f64::from_bits(x as u64));
            return Ok(terms.constant(result.to_bits(), 64));
        }
    }
    is_term_kind(kind).ok_or(UnsupportedFloat::SymbolicKind)?;
    Ok(match op {
        FUnOp::Sqrt => terms.fp_sqrt(a),
        FUnOp::Floor => terms.fp_round(a, Rounding::Down),
        FUnOp::Ceil => terms.fp_round(a, Rounding::Up),
        FUnOp::Trunc => terms.fp_round(a, Rounding::Zero),
        FUnOp::Round => terms.fp_round(a, Rounding::NearestAway),
        FUnOp::RoundEven => terms.fp_round(a, Rounding::NearestEven),
        _ => return Err(UnsupportedFloat::SymbolicFunction),
    })
}

fn host_function(op: FUnOp, x: f64) -> f64 {
    match op {
        FUnOp::Sin => x.sin(),
        FUnOp::Cos => x.cos(),
        FUnOp::Tan => x.tan(),
        FUnOp::Exp => x.exp(),
        FUnOp::Exp2 => x.exp2(),
        FUnOp::Log => x.ln(),
        FUnOp::Log2 => x.log2(),
        FUnOp::Log10 => x.log10(),
        FUnOp::Neg | FUnOp::Abs | FUnOp::Sqrt | FUnOp::Floor | FUnOp::Ceil => x,
        FUnOp::Trunc | FUnOp::Round | FUnOp::RoundEven => x,
    }
}

/// `a * b + c`, rounded once.
pub fn mul_add(terms: &mut Terms, kind: FloatKind, a: Term, b: Term, c: Term) -> Result<Term, UnsupportedFloat> {
    if let (Some(x), Some(y), Some(z)) = (bits(terms, a), bits(terms, b), bits(terms, c)) {
        let exact = with_kind!(kind, F => F::from_bits(x).mul_add(F::from_bits(y), F::from_bits(z)).value.to_bits());
        return Ok(canonical(terms, kind, exact));
    }
    is_term_kind(kind).ok_or(UnsupportedFloat::SymbolicKind)?;
    Ok(terms.fp_fma(a, b, c))
}

pub fn cmp(terms: &mut Terms, op: FCmpOp, kind: FloatKind, a: Term, b: Term) -> Result<Term, UnsupportedFloat> {
    if let (Some(x), Some(y)) = (bits(terms, a), bits(terms, b)) {
        let order = with_kind!(kind, F => F::from_bits(x).partial_cmp(&F::from_bits(y)));
        return Ok(terms.bool(holds(op, order)));
    }
    is_term_kind(kind).ok_or(UnsupportedFloat::SymbolicKind)?;
    let unordered = |terms: &mut Terms| {
        let (a_nan, b_nan) = (terms.fp_is_nan(a), terms.fp_is_nan(b));
        terms.or(a_nan, b_nan)
    };
    Ok(match op {
        FCmpOp::False => terms.fals(),
        FCmpOp::True => terms.tru(),
        FCmpOp::Oeq => terms.fp_eq(a, b),
        FCmpOp::Olt => terms.fp_lt(a, b),
        FCmpOp::Ole => terms.fp_le(a, b),
        FCmpOp::Ogt => terms.fp_lt(b, a),
        FCmpOp::Oge => terms.fp_le(b, a),
        FCmpOp::One => {
            let (less, greater) = (terms.fp_lt(a, b), terms.fp_lt(b, a));
            terms.or(less, greater)
        }
        FCmpOp::Uno => unordered(terms),
        FCmpOp::Ord => {
            let unordered = unordered(terms);
            terms.not(unordered)
        }
        // The unordered comparisons are the negations of the opposite ordered ones.
        FCmpOp::Une => negate(terms, FCmpOp::Oeq, kind, a, b)?,
        FCmpOp::Ueq => negate(terms, FCmpOp::One, kind, a, b)?,
        FCmpOp::Ult => negate(terms, FCmpOp::Oge, kind, a, b)?,
        FCmpOp::Ule => negate(terms, FCmpOp::Ogt, kind, a, b)?,
        FCmpOp::Ugt => negate(terms, FCmpOp::Ole, kind, a, b)?,
        FCmpOp::Uge => negate(terms, FCmpOp::Olt, kind, a, b)?,
    })
}

fn negate(terms: &mut Terms, op: FCmpOp, kind: FloatKind, a: Term, b: Term) -> Result<Term, UnsupportedFloat> {
    let opposite = cmp(terms, op, kind, a, b)?;
    Ok(terms.not(opposite))
}

/// Does `op` hold of operands in this order (`None`: unordered)?
pub fn holds(op: FCmpOp, order: Option<std::cmp::Ordering>) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    match op {
        FCmpOp::False => false,
        FCmpOp::True => true,
        FCmpOp::Oeq => order == Some(Equal),
        FCmpOp::Ogt => order == Some(Greater),
        FCmpOp::Oge => matches!(order, Some(Greater | Equal)),
        FCmpOp::Olt => order == Some(Less),
        FCmpOp::Ole => matches!(order, Some(Less | Equal)),
        FCmpOp::One => matches!(order, Some(Less | Greater)),
        FCmpOp::Ord => order.is_some(),
        FCmpOp::Ueq => matches!(order, None | Some(Equal)),
        FCmpOp::Ugt => matches!(order, None | Some(Greater)),
        FCmpOp::Uge => matches!(order, None | Some(Greater | Equal)),
        FCmpOp::Ult => matches!(order, None | Some(Less)),
        FCmpOp::Ule => matches!(order, None | Some(Less | Equal)),
        FCmpOp::Une => order != Some(Equal),
        FCmpOp::Uno => order.is_none(),
    }
}

pub fn cast(terms: &mut Terms, op: FCastOp, a: Term) -> Result<Term, UnsupportedFloat> {
    if let Some(x) = bits(terms, a) {
        return Ok(cast_concrete(terms, op, x));
    }
    match op {
        FCastOp::FToF { from, to } => {
            is_term_kind(from).ok_or(UnsupportedFloat::SymbolicKind)?;
            Ok(terms.fp_to_fp(a, is_term_kind(to).ok_or(UnsupportedFloat::SymbolicKind)?))
        }
        FCastOp::SiToF { to, .. } => Ok(terms.si_to_fp(a, is_term_kind(to).ok_or(UnsupportedFloat::SymbolicKind)?)),
        FCastOp::UiToF { to, .. } => Ok(terms.ui_to_fp(a, is_term_kind(to).ok_or(UnsupportedFloat::SymbolicKind)?)),
        FCastOp::FToSi { from, to } => {
            is_term_kind(from).ok_or(UnsupportedFloat::SymbolicKind)?;
            let machine = machine_width(to);
            let converted = terms.fp_to_si(a, machine);
            Ok(terms.extract(converted, 0, to))
        }
        FCastOp::FToUi { from, to } => {
            let format = is_term_kind(from).ok_or(UnsupportedFloat::SymbolicKind)?;
            if to < 64 {
                let converted = terms.fp_to_si(a, 64);
                return Ok(terms.extract(converted, 0, to));
            }
            // x86 has no unsigned 64-bit conversion: what does not fit the signed one is moved down
            // by 2^63 and back.
            let (half, top) = match format {
                FloatFormat::F32 => (terms.constant((2f32.powi(63)).to_bits() as u64, 32), 1 << 63),
                FloatFormat::F64 => (terms.constant((2f64.powi(63)).to_bits(), 64), 1u64 << 63),
            };
            let small = terms.fp_lt(a, half);
            let direct = terms.fp_to_si(a, 64);
            let moved = terms.fp_sub(a, half);
            let converted = terms.fp_to_si(moved, 64);
            let top = terms.constant(top, 64);
            let lifted = terms.xor(converted, top);
            let result = terms.ite(small, direct, lifted);
            Ok(terms.zext(result, to))
        }
    }
}

/// The register width that x86 converts through for a signed result of `to` bits.
fn machine_width(to: u32) -> u32 {
    if to <= 32 { 32 } else { to.max(64) }
}

fn cast_concrete(terms: &mut Terms, op: FCastOp, x: u128) -> Term {
    match op {
        FCastOp::FToF { from, to } => {
            let result = with_kind!(from, F => convert_to::<F>(x, to));
            canonical(terms, to, result)
        }
        FCastOp::SiToF { from, to } => {
            let value = (x << (128 - from.min(128)) >> (128 - from.min(128))) as i128;
            let value = if from < 128 { (value << (128 - from)) >> (128 - from) } else { value };
            let result = with_kind!(to, F => F::from_i128(value).value.to_bits());
            number(terms, result, to.width())
        }
        FCastOp::UiToF { to, .. } => {
            let result = with_kind!(to, F => F::from_u128(x).value.to_bits());
            number(terms, result, to.width())
        }
        FCastOp::FToSi { from, to } => {
            let machine = machine_width(to);
            let value = with_kind!(from, F => to_signed::<F>(x, machine));
            number_of(terms, value as u128, to)
        }
        FCastOp::FToUi { from, to } => {
            if to < 64 {
                let value = with_kind!(from, F => to_signed::<F>(x, 64));
                return number_of(terms, value as u128, to);
            }
            let value = with_kind!(from, F => to_unsigned::<F>(x, to));
            number_of(terms, value, to)
        }
    }
}

fn number_of(terms: &mut Terms, value: u128, width: u32) -> Term {
    if width <= 64 {
        return terms.constant(value as u64 & mask(width), width);
    }
    let wide = Bv::from_big(value.into(), 128).resize(width);
    terms.constant_bv(&wide)
}

fn to_signed<F: Float>(x: u128, width: u32) -> i128 {
    let value = F::from_bits(x);
    let mut exact = false;
    let result = value.to_i128_r(width.min(128) as usize, Round::TowardZero, &mut exact);
    if result.status.contains(rustc_apfloat::Status::INVALID_OP) {
        i128::MIN >> (128 - width.min(128))
    } else {
        result.value
    }
}

fn to_unsigned<F: Float>(x: u128, width: u32) -> u128 {
    let value = F::from_bits(x);
    let mut exact = false;
    let result = value.to_u128_r(width.min(128) as usize, Round::TowardZero, &mut exact);
    if !result.status.contains(rustc_apfloat::Status::INVALID_OP) {
        return result.value;
    }
    if width > 64 {
        return 1 << (width.min(128) - 1);
    }
    let half = F::from_u128(1 << 63).value;
    if value < half {
        to_signed::<F>(x, 64) as u64 as u128
    } else {
        let moved = (value - half).value.to_bits();
        (to_signed::<F>(moved, 64) as u64 ^ (1 << 63)) as u128
    }
}

fn convert_to<F>(x: u128, to: FloatKind) -> u128
where
    F: FloatConvert<Half>
        + FloatConvert<BFloat>
        + FloatConvert<Single>
        + FloatConvert<Double>
        + FloatConvert<X87DoubleExtended>
        + FloatConvert<Quad>
        + Float,
{
    let value = F::from_bits(x);
    let mut lossy = false;
    with_kind!(to, T => {
        let converted: T = value.convert(&mut lossy).value;
        converted.to_bits()
    })
}

/// Fast paths of the interpreter's loop for concrete `double` and `float`.
pub mod host {
    use super::{FBinOp, FCmpOp, FloatFormat, FloatKind, holds};
    use crate::interpreter::nan;

    macro_rules! basic {
        ($op:expr, $x:expr, $y:expr) => {
            match $op {
                FBinOp::Add => $x + $y,
                FBinOp::Sub => $x - $y,
                FBinOp::Mul => $x * $y,
                FBinOp::Div => $x / $y,
                FBinOp::Rem => $x % $y,
                _ => return None,
            }
        };
    }

    /// The basic operators; `None` for what the general code does, and for NaNs that the machine
    /// does not decide.
    #[inline]
    pub fn bin(op: FBinOp, kind: FloatKind, a: u64, b: u64) -> Option<u64> {
        match kind {
            FloatKind::F64 => {
                let (x, y) = (f64::from_bits(a), f64::from_bits(b));
                let result = basic!(op, x, y);
                if result.is_nan() { nan::of_operands(FloatFormat::F64, &[a, b]) } else { Some(result.to_bits()) }
            }
            FloatKind::F32 => {
                let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
                let result = basic!(op, x, y);
                if result.is_nan() {
                    nan::of_operands(FloatFormat::F32, &[a, b])
                } else {
                    Some(result.to_bits().into())
                }
            }
            _ => None,
        }
    }

    #[inline]
    pub fn cmp(op: FCmpOp, kind: FloatKind, a: u64, b: u64) -> Option<bool> {
        match kind {
            FloatKind::F64 => Some(holds(op, f64::from_bits(a).partial_cmp(&f64::from_bits(b)))),
            FloatKind::F32 => Some(holds(op, f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)))),
            _ => None,
        }
    }
}
