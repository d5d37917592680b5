//! `llvm.is.fpclass` (`isnan`, `isinf`, `isfinite`, …): tests on the bits.

use super::constant::big;
use super::function::{Builder, Lanes};
use super::{Lowered, unsupported};
use crate::llvm::Value;
use espalier_ir::{BinOp, CmpOp, FCmpOp, FloatKind, Operand};
use num_bigint::BigUint;

const SIGNALING_NAN: u32 = 0x1;
const QUIET_NAN: u32 = 0x2;
/// Each class of numbers: the bit for negative ones, the bit for positive ones.
const INFINITY: (u32, u32) = (0x4, 0x200);
const NORMAL: (u32, u32) = (0x8, 0x100);
const SUBNORMAL: (u32, u32) = (0x10, 0x80);
const ZERO: (u32, u32) = (0x20, 0x40);

/// Where a format keeps its exponent.
struct Format {
    width: u32,
    /// Bits below the exponent.
    mantissa: u32,
    /// The bits of positive infinity.
    infinity: BigUint,
    /// The bits of the first quiet NaN.
    quiet: BigUint,
}

impl Format {
    fn of(kind: FloatKind) -> Format {
        let width = kind.width();
        let exponent = match kind {
            FloatKind::Half => 5,
            FloatKind::BFloat | FloatKind::F32 => 8,
            FloatKind::F64 => 11,
            FloatKind::X87 | FloatKind::F128 => 15,
        };
        let mantissa = width - 1 - exponent;
        let one = BigUint::from(1_u32);
        let exponents = ((&one << exponent) - 1_u32) << mantissa;
        // The 80-bit format writes the leading one of the mantissa.
        let (infinity, quiet_bit) = if kind == FloatKind::X87 {
            (exponents | (&one << (mantissa - 1)), mantissa - 2)
        } else {
            (exponents, mantissa - 1)
        };
        let quiet = &infinity | (one << quiet_bit);
        Format { width, mantissa, infinity, quiet }
    }
}

impl<'m> Builder<'_, 'm> {
    pub(super) fn lower_fpclass(&mut self, inst: Value<'m>) -> Lowered<Lanes> {
        let Some(mask) = inst.operand(1).small_int().and_then(|mask| u32::try_from(mask).ok()) else {
            return unsupported("a float classification that is not constant");
        };
        self.map_lanes(inst.operand(0), |b, scalar, a| {
            let kind = scalar.float()?;
            Ok(if mask == SIGNALING_NAN | QUIET_NAN {
                b.fcmp(FCmpOp::Uno, kind, a, a)
            } else {
                b.class_test(kind, a, mask)
            })
        })
    }

    fn class_test(&mut self, kind: FloatKind, a: Operand, mask: u32) -> Operand {
        let format = Format::of(kind);
        let width = format.width;
        let sign_cleared = (BigUint::from(1_u32) << (width - 1)) - 1_u32;
        let sign_cleared = self.constant(big(sign_cleared, width));
        let magnitude = self.bin(BinOp::And, width, a, sign_cleared);
        let infinity = self.constant(big(format.infinity, width));
        let quiet = self.constant(big(format.quiet, width));
        let first_normal = self.constant(big(BigUint::from(1_u32) << format.mantissa, width));
        let zero = self.int(0, width);

        let mut tests = Vec::new();
        if mask & QUIET_NAN != 0 {
            tests.push(self.cmp(CmpOp::Uge, width, magnitude, quiet));
        }
        if mask & SIGNALING_NAN != 0 {
            let above = self.cmp(CmpOp::Ugt, width, magnitude, infinity);
            let below = self.cmp(CmpOp::Ult, width, magnitude, quiet);
            tests.push(self.bin(BinOp::And, 1, above, below));
        }
        for (class, (negative, positive)) in [INFINITY, NORMAL, SUBNORMAL, ZERO].into_iter().enumerate() {
            if mask & (negative | positive) == 0 {
                continue;
            }
            let mut test = match class {
                0 => self.cmp(CmpOp::Eq, width, magnitude, infinity),
                1 => {
                    let low = self.cmp(CmpOp::Uge, width, magnitude, first_normal);
                    let high = self.cmp(CmpOp::Ult, width, magnitude, infinity);
                    self.bin(BinOp::And, 1, low, high)
                }
                2 => {
                    let some = self.cmp(CmpOp::Ne, width, magnitude, zero);
                    let low = self.cmp(CmpOp::Ult, width, magnitude, first_normal);
                    self.bin(BinOp::And, 1, some, low)
                }
                _ => self.cmp(CmpOp::Eq, width, magnitude, zero),
            };
            if mask & (negative | positive) != negative | positive {
                let sign = if mask & negative != 0 { CmpOp::Slt } else { CmpOp::Sge };
                let sign = self.cmp(sign, width, a, zero);
                test = self.bin(BinOp::And, 1, test, sign);
            }
            tests.push(test);
        }
        tests.into_iter().reduce(|all, test| self.bin(BinOp::Or, 1, all, test)).unwrap_or_else(|| self.int(0, 1))
    }
}
