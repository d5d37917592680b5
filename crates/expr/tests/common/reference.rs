//! Recipes carried out on big integers and native floats, as directly as can be.

use super::{Builder, Constants, SCALARS, VARS, modulus, seeded};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, ToPrimitive, Zero};

/// A value and its width.
pub type Number = (BigUint, u32);

pub struct Reference {
    vars: [u64; VARS],
    pub constants: Constants,
}

impl Reference {
    pub fn new(vars: [u64; VARS], constants: Constants) -> Reference {
        Reference { vars, constants }
    }
}

fn signed((value, width): &Number) -> BigInt {
    let value_signed = BigInt::from(value.clone());
    if value.bit(*width as u64 - 1) { value_signed - BigInt::from(modulus(*width)) } else { value_signed }
}

fn unsigned(value: BigInt, width: u32) -> Number {
    let modulus = BigInt::from(modulus(width));
    let reduced = ((value % &modulus) + &modulus) % &modulus;
    (reduced.to_biguint().expect("it is not negative"), width)
}

fn truth(value: bool) -> Number {
    (BigUint::from(value as u32), 1)
}

fn f32_of(a: &Number) -> f32 {
    f32::from_bits(a.0.to_u32().expect("32 bits"))
}

fn f64_of(a: &Number) -> f64 {
    match a.1 {
        32 => f32_of(a) as f64,
        _ => f64::from_bits(a.0.to_u64().expect("64 bits")),
    }
}

fn from_f32(value: f32) -> Number {
    (BigUint::from(if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }), 32)
}

fn from_f64(value: f64) -> Number {
    (BigUint::from(if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() }), 64)
}

fn float_binary(op: &str, a: &Number, b: &Number) -> Number {
    macro_rules! apply {
        ($a:expr, $b:expr) => {
            match op {
                "fp_add" => $a + $b,
                "fp_sub" => $a - $b,
                "fp_mul" => $a * $b,
                "fp_div" => $a / $b,
                _ => $a % $b,
            }
        };
    }
    if a.1 == 32 { from_f32(apply!(f32_of(a), f32_of(b))) } else { from_f64(apply!(f64_of(a), f64_of(b))) }
}

/// Rounds an integer to a float by its decimal digits: the standard library's parser rounds
/// correctly.
fn integer_to_float(value: &BigInt, width: u32) -> Number {
    let digits = value.to_string();
    if width == 32 { from_f32(digits.parse().expect("digits")) } else { from_f64(digits.parse().expect("digits")) }
}

fn float_to_integer(a: &Number, width: u32) -> Number {
    let limit = BigInt::from(modulus(width - 1));
    let minimum = (modulus(width - 1), width);
    let value = f64_of(a);
    if !value.is_finite() {
        return minimum;
    }
    // The decimal expansion of an integral float is exact.
    let digits = format!("{:.0}", value.trunc());
    let integer: BigInt = digits.parse().expect("digits");
    if integer >= limit || integer < -limit { minimum } else { unsigned(integer, width) }
}

impl Builder for Reference {
    type Value = Number;

    fn width(&self, a: &Number) -> u32 {
        a.1
    }

    fn constant(&mut self, value: BigUint, width: u32) -> Number {
        (value % modulus(width), width)
    }

    fn near(&mut self, value: &Number, delta: i64) -> Number {
        let width = value.1;
        let near = unsigned(BigInt::from(value.0.clone()) + delta, width).0;
        (self.constants.next(|| near), width)
    }

    fn variable(&mut self, index: usize) -> Number {
        let width = if index < SCALARS.len() { 8 * SCALARS[index] } else { 8 };
        (seeded(self.vars[index], width), width)
    }

    fn apply(&mut self, op: &str, args: &[Number], numbers: &[u32]) -> Number {
        let a = &args[0];
        let b = args.get(1).unwrap_or(a);
        let width = a.1;
        let shift = b.0.to_u64().filter(|&k| k < width as u64);
        match op {
            "not" => (modulus(width) - 1u32 - &a.0, width),
            "neg" => unsigned(-BigInt::from(a.0.clone()), width),
            "and" => (&a.0 & &b.0, width),
            "or" => (&a.0 | &b.0, width),
            "xor" => (&a.0 ^ &b.0, width),
            "add" => ((&a.0 + &b.0) % modulus(width), width),
            "sub" => ((&a.0 + modulus(width) - &b.0) % modulus(width), width),
            "mul" => ((&a.0 * &b.0) % modulus(width), width),
            "udiv" if b.0.is_zero() => (modulus(width) - 1u32, width),
            "udiv" => (&a.0 / &b.0, width),
            "urem" | "srem" if b.0.is_zero() => a.clone(),
            "urem" => (&a.0 % &b.0, width),
            "sdiv" if b.0.is_zero() => {
                unsigned(if signed(a).sign() == Sign::Minus { BigInt::one() } else { -BigInt::one() }, width)
            }
            "sdiv" => unsigned(signed(a) / signed(b), width),
            "srem" => unsigned(signed(a) % signed(b), width),
            "shl" => (shift.map_or(BigUint::zero(), |k| (&a.0 << k) % modulus(width)), width),
            "lshr" => (shift.map_or(BigUint::zero(), |k| &a.0 >> k), width),
            "ashr" => unsigned(signed(a) >> shift.unwrap_or(width as u64), width),
            "eq" => truth(a == b),
            "ne" => truth(a != b),
            "ult" => truth(a.0 < b.0),
            "ule" => truth(a.0 <= b.0),
            "ugt" => truth(a.0 > b.0),
            "uge" => truth(a.0 >= b.0),
            "slt" => truth(signed(a) < signed(b)),
            "sle" => truth(signed(a) <= signed(b)),
            "sgt" => truth(signed(a) > signed(b)),
            "sge" => truth(signed(a) >= signed(b)),
            "ite" => if a.0.is_zero() { &args[2] } else { b }.clone(),
            "concat" => (&a.0 << b.1 | &b.0, a.1 + b.1),
            "extract" => ((&a.0 >> numbers[0]) % modulus(numbers[1]), numbers[1]),
            "zext" => (a.0.clone(), numbers[0]),
            "zext_or_trunc" => (&a.0 % modulus(numbers[0]), numbers[0]),
            "sext" | "sext_or_trunc" => unsigned(signed(a), numbers[0]),
            "fp_add" | "fp_sub" | "fp_mul" | "fp_div" | "fp_rem" => float_binary(op, a, b),
            "fp_fma" if width == 32 => from_f32(f32_of(a).mul_add(f32_of(b), f32_of(&args[2]))),
            "fp_fma" => from_f64(f64_of(a).mul_add(f64_of(b), f64_of(&args[2]))),
            "fp_sqrt" if width == 32 => from_f32(f32_of(a).sqrt()),
            "fp_sqrt" => from_f64(f64_of(a).sqrt()),
            // Bit operations: a NaN keeps its bits.
            "fp_neg" => (&a.0 ^ modulus(width - 1), width),
            "fp_abs" => (&a.0 % modulus(width - 1), width),
            "fp_copysign" => ((&a.0 % modulus(width - 1)) | ((&b.0 >> (width - 1)) << (width - 1)), width),
            "fp_round" => {
                // Every f32 is an f64, and rounding to integral is exact in either.
                let value = f64_of(a);
                let rounded = match numbers[0] {
                    0 => value.round_ties_even(),
                    1 => value.round(),
                    2 => value.floor(),
                    3 => value.ceil(),
                    _ => value.trunc(),
                };
                if width == 32 { from_f32(rounded as f32) } else { from_f64(rounded) }
            }
            "fp_eq" => truth(f64_of(a) == f64_of(b)),
            "fp_lt" => truth(f64_of(a) < f64_of(b)),
            "fp_le" => truth(f64_of(a) <= f64_of(b)),
            "fp_is_nan" => truth(f64_of(a).is_nan()),
            "fp_is_inf" => truth(f64_of(a).is_infinite()),
            "fp_to_fp" if numbers[0] == width => a.clone(),
            "fp_to_fp" if numbers[0] == 32 => from_f32(f64_of(a) as f32),
            "fp_to_fp" => from_f64(f64_of(a)),
            "fp_to_si" => float_to_integer(a, numbers[0]),
            "si_to_fp" => integer_to_float(&signed(a), numbers[0]),
            "ui_to_fp" => integer_to_float(&BigInt::from(a.0.clone()), numbers[0]),
            _ => panic!("no operator {op}"),
        }
    }

    fn read(&mut self, bytes: &[Result<u8, Number>], stores: &[(Number, Number)], index: &Number) -> Number {
        if let Some((_, value)) = stores.iter().rev().find(|(stored, _)| stored == index) {
            return value.clone();
        }
        match index.0.to_usize().and_then(|i| bytes.get(i)) {
            Some(Ok(value)) => (BigUint::from(*value), 8),
            Some(Err(value)) => value.clone(),
            None => (BigUint::zero(), 8),
        }
    }
}
