//! Mathematical functions: as instructions where the IR has one, else as calls of the C library.
//!
//! This works in both directions. `floor(x)` is a call in the source, because programs are compiled
//! with `-fno-builtin` (they may define functions of the same name with another meaning); if
//! nothing defines it, it is the instruction. `__builtin_pow` is an intrinsic in LLVM, but becomes
//! a call of `pow`.

use super::function::{Builder, Lanes};
use super::{Lowered, unsupported};
use crate::llvm::{Module, Type, TypeKind, Value, ValueKind};
use espalier_ir::{FBinOp, FCastOp, FUnOp, Inst, Operand};

/// Unary functions that are instructions.
fn unary(stem: &str) -> Option<FUnOp> {
    Some(match stem {
        "fabs" => FUnOp::Abs,
        "sqrt" => FUnOp::Sqrt,
        "floor" => FUnOp::Floor,
        "ceil" => FUnOp::Ceil,
        "trunc" => FUnOp::Trunc,
        "round" => FUnOp::Round,
        "rint" | "nearbyint" | "roundeven" => FUnOp::RoundEven,
        "sin" => FUnOp::Sin,
        "cos" => FUnOp::Cos,
        "tan" => FUnOp::Tan,
        "exp" => FUnOp::Exp,
        "exp2" => FUnOp::Exp2,
        "log" => FUnOp::Log,
        "log2" => FUnOp::Log2,
        "log10" => FUnOp::Log10,
        _ => return None,
    })
}

/// Functions that also set `errno`, as instructions do not: their calls stay calls.
fn sets_errno(stem: &str) -> bool {
    matches!(stem, "sqrt" | "fmod" | "sin" | "cos" | "tan" | "exp" | "exp2" | "log" | "log2" | "log10")
}

/// Binary functions of the C library that are instructions.
fn binary(stem: &str) -> Option<FBinOp> {
    Some(match stem {
        "fmin" => FBinOp::MinNum,
        "fmax" => FBinOp::MaxNum,
        "copysign" => FBinOp::CopySign,
        "fmod" => FBinOp::Rem,
        _ => return None,
    })
}

/// Intrinsics that are calls of the C library.
fn library_stem(intrinsic: &str) -> Option<&'static str> {
    Some(match intrinsic {
        "llvm.pow" => "pow",
        "llvm.exp10" => "exp10",
        "llvm.ldexp" => "ldexp",
        "llvm.acos" => "acos",
        "llvm.asin" => "asin",
        "llvm.atan" => "atan",
        "llvm.cosh" => "cosh",
        "llvm.sinh" => "sinh",
        "llvm.tanh" => "tanh",
        _ => return None,
    })
}

/// The C library's suffix for a type.
fn suffix(ty: Type<'_>) -> Option<&'static str> {
    Some(match ty.kind() {
        TypeKind::Double => "",
        TypeKind::Float => "f",
        TypeKind::X87 | TypeKind::Fp128 => "l",
        _ => return None,
    })
}

/// The library functions that stand for intrinsics of the module, with the intrinsics whose type
/// they have. They are declared before the runtime is linked, so that it may define them.
pub fn library_functions(module: &Module<'_>) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for function in module.functions().filter(|f| f.is_declaration()) {
        let stem = function.intrinsic_name().and_then(library_stem);
        let suffix = suffix(function.value_type().result());
        if let (Some(stem), Some(suffix)) = (stem, suffix) {
            all.push((format!("{stem}{suffix}"), function.name()));
        }
    }
    all
}

impl<'m> Builder<'_, 'm> {
    /// Lowers a call of an undefined mathematical function; false if `function` is none.
    pub(super) fn lower_libm_call(&mut self, inst: Value<'m>, function: Value<'m>) -> Lowered<bool> {
        if !function.is_declaration() {
            return Ok(false);
        }
        let ty = inst.called_type();
        let params = ty.params();
        let Some(suffix) = params.first().copied().and_then(suffix) else {
            return Ok(false);
        };
        if ty.is_variadic() || params.len() != inst.arg_count() as usize {
            return Ok(false);
        }
        let name = function.name();
        let Some(stem) = name.strip_suffix(suffix) else {
            return Ok(false);
        };
        if sets_errno(stem) {
            return Ok(false);
        }
        let same = params.iter().all(|param| *param == params[0]);
        let result = ty.result();
        let lanes = match (unary(stem), binary(stem), params.len()) {
            (Some(op), _, 1) if result == params[0] => {
                self.map_lanes(inst.operand(0), |b, scalar, a| Ok(b.fun(op, scalar.float()?, a)))?
            }
            (_, Some(op), 2) if same && result == params[0] => {
                self.zip_lanes(inst.operand(0), inst.operand(1), |b, scalar, x, y| {
                    Ok(b.fbin(op, scalar.float()?, x, y))
                })?
            }
            _ if stem == "fma" && params.len() == 3 && same && result == params[0] => self.lower_mul_add(inst, true)?,
            _ if params.len() == 1 && matches!(result.kind(), TypeKind::Int(_)) => match rounding(stem) {
                Some(op) => self.round_to_int(inst, op)?,
                None => return Ok(false),
            },
            _ => return Ok(false),
        };
        self.values.insert(inst, lanes);
        Ok(true)
    }

    /// The floating-point intrinsics; `None` if `name` (without `llvm.`) is none of them.
    pub(super) fn lower_float_intrinsic(&mut self, inst: Value<'m>, name: &str) -> Lowered<Option<Lanes>> {
        if let Some(op) = unary(name) {
            return self.map_lanes(inst.operand(0), |b, scalar, a| Ok(b.fun(op, scalar.float()?, a))).map(Some);
        }
        let bin = match name {
            "copysign" => Some(FBinOp::CopySign),
            "minnum" | "minimumnum" => Some(FBinOp::MinNum),
            "maxnum" | "maximumnum" => Some(FBinOp::MaxNum),
            "minimum" => Some(FBinOp::Minimum),
            "maximum" => Some(FBinOp::Maximum),
            _ => None,
        };
        if let Some(op) = bin {
            return self
                .zip_lanes(inst.operand(0), inst.operand(1), |b, scalar, x, y| Ok(b.fbin(op, scalar.float()?, x, y)))
                .map(Some);
        }
        if let Some(op) = rounding(name) {
            return self.round_to_int(inst, op).map(Some);
        }
        let lanes = match name {
            "fma" => self.lower_mul_add(inst, true)?,
            "fmuladd" => self.lower_mul_add(inst, false)?,
            "canonicalize" | "arithmetic.fence" => self.lanes(inst.operand(0))?,
            "powi" => self.lower_powi(inst)?,
            "is.fpclass" => self.lower_fpclass(inst)?,
            "fptosi.sat" => self.saturating_to_int(inst, true)?,
            "fptoui.sat" => self.saturating_to_int(inst, false)?,
            "convert.to.fp16" => self.map_lanes(inst.operand(0), |b, scalar, a| {
                Ok(b.fcast(FCastOp::FToF { from: scalar.float()?, to: espalier_ir::FloatKind::Half }, a))
            })?,
            "convert.from.fp16" => {
                let to = self.float_lanes(inst.ty())?;
                self.map_lanes(inst.operand(0), |b, _, a| {
                    Ok(b.fcast(FCastOp::FToF { from: espalier_ir::FloatKind::Half, to }, a))
                })?
            }
            _ => return self.lower_library_intrinsic(inst),
        };
        Ok(Some(lanes))
    }

    fn lower_library_intrinsic(&mut self, inst: Value<'m>) -> Lowered<Option<Lanes>> {
        let Some(stem) = self.intrinsic(inst).and_then(library_stem) else {
            return Ok(None);
        };
        let Some(suffix) = suffix(inst.ty()) else {
            return unsupported(format!("`{stem}` of the type {}", inst.ty().text()));
        };
        let Some(function) = self.cx.module.function_named(&format!("{stem}{suffix}")) else {
            return unsupported(format!("`{stem}{suffix}`"));
        };
        let args: Lowered<Vec<Operand>> = (0..inst.arg_count()).map(|i| self.scalar_operand(inst, i)).collect();
        self.call_library(function, &args?).map(Some)
    }

    pub(super) fn lower_mul_add(&mut self, inst: Value<'m>, fused: bool) -> Lowered<Lanes> {
        let addends = self.lanes(inst.operand(2))?;
        let mut next = 0;
        self.zip_lanes(inst.operand(0), inst.operand(1), |builder, scalar, a, b| {
            let Some(c) = addends.get(next).copied() else {
                return unsupported("a multiply-add on vectors of different lengths");
            };
            next += 1;
            let kind = scalar.float()?;
            let dst = builder.reg(kind.width());
            builder.emit(Inst::FMulAdd { kind, fused, dst, a, b, c });
            Ok(dst.into())
        })
    }

    fn round_to_int(&mut self, inst: Value<'m>, op: FUnOp) -> Lowered<Lanes> {
        let to = self.lane_width(inst.ty())?;
        self.map_lanes(inst.operand(0), |b, scalar, a| {
            let from = scalar.float()?;
            let rounded = b.fun(op, from, a);
            Ok(b.fcast(FCastOp::FToSi { from, to }, rounded))
        })
    }

    /// `x` to the power of an integer, multiplied out as the compiler's run-time library does.
    fn lower_powi(&mut self, inst: Value<'m>) -> Lowered<Lanes> {
        let exponent = inst.operand(1);
        if exponent.kind() != ValueKind::LLVMConstantIntValueKind {
            return unsupported("`__builtin_powi` with an exponent that is not constant");
        }
        let exponent = exponent.small_int().unwrap_or(0);
        self.map_lanes(inst.operand(0), |b, scalar, x| {
            let kind = scalar.float()?;
            let (mut result, mut power, mut rest) = (None, x, exponent.unsigned_abs());
            loop {
                if rest & 1 == 1 {
                    result = Some(match result {
                        Some(product) => b.fbin(FBinOp::Mul, kind, product, power),
                        None => power,
                    });
                }
                rest /= 2;
                if rest == 0 {
                    break;
                }
                power = b.fbin(FBinOp::Mul, kind, power, power);
            }
            match result {
                Some(result) if exponent > 0 => Ok(result),
                _ => {
                    let one = b.int(1, 8);
                    let one = b.fcast(FCastOp::UiToF { from: 8, to: kind }, one);
                    Ok(result.map_or(one, |result| b.fbin(FBinOp::Div, kind, one, result)))
                }
            }
        })
    }

    /// Conversion where NaN becomes 0 and what is out of range the nearest integer.
    fn saturating_to_int(&mut self, inst: Value<'m>, signed: bool) -> Lowered<Lanes> {
        use espalier_ir::FCmpOp;
        let to = self.lane_width(inst.ty())?;
        self.map_lanes(inst.operand(0), |b, scalar, x| {
            let kind = scalar.float()?;
            // The bounds are powers of two, which convert exactly.
            let (low, high, above, convert) = if signed {
                let low = b.constant(super::constant::big(num_bigint::BigUint::from(1_u32) << (to - 1), to));
                let high_int = (num_bigint::BigUint::from(1_u32) << (to - 1)) - 1_u32;
                let high = b.constant(super::constant::big(high_int, to));
                let above = b.fcast(FCastOp::UiToF { from: to, to: kind }, low);
                (low, high, above, FCastOp::FToSi { from: kind, to })
            } else {
                let low = b.int(0, to);
                let high = b.ones(to);
                let limit = b.constant(super::constant::big(num_bigint::BigUint::from(1_u32) << to, to + 1));
                let above = b.fcast(FCastOp::UiToF { from: to + 1, to: kind }, limit);
                (low, high, above, FCastOp::FToUi { from: kind, to })
            };
            let below = b.fcast(FCastOp::SiToF { from: to, to: kind }, low);
            let too_low = b.fcmp(FCmpOp::Olt, kind, x, below);
            let too_high = b.fcmp(FCmpOp::Oge, kind, x, above);
            let is_nan = b.fcmp(FCmpOp::Uno, kind, x, x);
            let converted = b.fcast(convert, x);
            let zero = b.int(0, to);
            let value = b.select(to, too_low, low, converted);
            let value = b.select(to, too_high, high, value);
            Ok(b.select(to, is_nan, zero, value))
        })
    }
}

/// Functions that round to an integer type.
fn rounding(stem: &str) -> Option<FUnOp> {
    match stem {
        "lrint" | "llrint" => Some(FUnOp::RoundEven),
        "lround" | "llround" => Some(FUnOp::Round),
        _ => None,
    }
}
