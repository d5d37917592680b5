//! `math.h`: exact operators become instructions of the float unit, transcendental functions are
//! computed by the host on concrete values.

use super::Arguments;
use super::errno::EDOM;
use crate::interpreter::float;
use crate::interpreter::fork::Flow;
use crate::interpreter::machine::{Interpreter, Machine};
use crate::interpreter::value::Value;
use crate::models::host_math::{self, Outcome};
use crate::paths::cut::{Unsupported, UnsupportedFloat};
use crate::paths::state::State;
use espalier_expr::Term;
use espalier_ir::{FBinOp, FCastOp, FCmpOp, FUnOp, FloatKind};

#[derive(Copy, Clone, Debug)]
pub struct MathCall {
    function: MathFunction,
    kind: FloatKind,
}

#[derive(Copy, Clone, Debug)]
enum MathFunction {
    Unary(FUnOp),
    Binary(FBinOp),
    FusedMulAdd,
    /// Round to an integer of the result's type, by this rounding.
    ToInteger(FUnOp),
    IsNan,
    IsInf,
    IsFinite,
    SignBit,
    /// glibc's `__fpclassify`.
    Classify,
    /// Computed by the host, of one argument or two.
    Host,
    Host2,
    /// `ldexp`, `scalbn`: the second argument is an `int`.
    Scale,
}

impl MathCall {
    pub fn is_long_double(self) -> bool {
        self.kind == FloatKind::X87
    }

    /// Is it computed on terms?
    pub fn is_operator(self) -> bool {
        let on_host = matches!(self.function, MathFunction::Host | MathFunction::Host2 | MathFunction::Scale);
        !on_host && !self.is_long_double()
    }

    /// Does it set `errno` for operands outside of its domain?
    fn has_domain(self) -> bool {
        matches!(self.function, MathFunction::Unary(FUnOp::Sqrt) | MathFunction::Binary(FBinOp::Rem))
    }
}

pub fn named(name: &str) -> Option<MathCall> {
    if let Some(function) = function_named(name) {
        return Some(MathCall { function, kind: FloatKind::F64 });
    }
    let shorter = |suffix: char| name.strip_suffix(suffix).and_then(function_named);
    if let Some(function) = shorter('f') {
        return Some(MathCall { function, kind: FloatKind::F32 });
    }
    shorter('l').map(|function| MathCall { function, kind: FloatKind::X87 })
}

fn function_named(name: &str) -> Option<MathFunction> {
    use MathFunction::*;
    Some(match name {
        "fabs" => Unary(FUnOp::Abs),
        "sqrt" => Unary(FUnOp::Sqrt),
        "floor" => Unary(FUnOp::Floor),
        "ceil" => Unary(FUnOp::Ceil),
        "trunc" => Unary(FUnOp::Trunc),
        "round" => Unary(FUnOp::Round),
        "rint" | "nearbyint" | "roundeven" => Unary(FUnOp::RoundEven),
        "fmod" => Binary(FBinOp::Rem),
        "fmin" => Binary(FBinOp::MinNum),
        "fmax" => Binary(FBinOp::MaxNum),
        "copysign" => Binary(FBinOp::CopySign),
        "fma" => FusedMulAdd,
        "lrint" | "llrint" => ToInteger(FUnOp::RoundEven),
        "lround" | "llround" => ToInteger(FUnOp::Round),
        "isnan" | "__isnan" => IsNan,
        "isinf" | "__isinf" => IsInf,
        "finite" | "__finite" => IsFinite,
        "__signbit" => SignBit,
        "__fpclassify" => Classify,
        "ldexp" | "scalbn" => Scale,
        "sin" | "cos" | "tan" | "asin" | "acos" | "atan" | "sinh" | "cosh" | "tanh" | "exp" | "exp2" | "exp10"
        | "expm1" | "log" | "log2" | "log10" | "log1p" | "cbrt" => Host,
        "pow" | "atan2" | "hypot" => Host2,
        _ => return None,
    })
}

impl<M: Machine> Interpreter<'_, M> {
    pub(crate) fn math_call(&mut self, state: &mut State, call: MathCall, args: &Arguments) -> Flow {
        let MathCall { function, kind } = call;
        let width = kind.width();
        let operands: Vec<Term> = (0..args.values.len().min(3))
            .filter(|&index| args.width(index) == width)
            .map(|index| args.value(index).term(&mut self.terms, width))
            .collect();
        let operand = |index: usize| operands.get(index).copied();
        let needed = match function {
            MathFunction::FusedMulAdd => 3,
            MathFunction::Binary(_) | MathFunction::Host2 => 2,
            _ => 1,
        };
        let Some(first) = operand(0).filter(|_| operands.len() >= needed) else {
            let function = args.name.to_owned();
            return Flow::End(self.unsupported(state, Unsupported::ArgumentTypes { function }));
        };
        let second = operand(1).unwrap_or(first);
        let mut error = 0;
        let result = match function {
            MathFunction::Unary(op) => self.float_un(state, op, kind, first).map(|term| (term, width)),
            MathFunction::Binary(op) => self.float_bin(state, op, kind, first, second).map(|term| (term, width)),
            MathFunction::FusedMulAdd => {
                let third = operand(2).unwrap_or(first);
                self.float_mul_add(state, kind, true, [first, second, third]).map(|term| (term, width))
            }
            MathFunction::ToInteger(rounding) => {
                let to = self.pointer_width().max(if args.name.starts_with("ll") { 64 } else { 32 });
                self.float_un(state, rounding, kind, first)
                    .and_then(|rounded| self.float_cast(FCastOp::FToSi { from: kind, to }, rounded))
                    .map(|term| (term, to))
            }
            MathFunction::Host => on_host(&mut self.terms, args.name, kind, &[first], &mut error),
            MathFunction::Host2 => on_host(&mut self.terms, args.name, kind, &[first, second], &mut error),
            MathFunction::Scale => {
                let exponent = args.value(1).term(&mut self.terms, 32);
                on_host(&mut self.terms, args.name, kind, &[first, exponent], &mut error)
            }
            MathFunction::IsNan
            | MathFunction::IsInf
            | MathFunction::IsFinite
            | MathFunction::SignBit
            | MathFunction::Classify => {
                if kind == FloatKind::X87 {
                    Err(UnsupportedFloat::ClassifiedLongDouble)
                } else {
                    let is_bits = matches!(function, MathFunction::SignBit);
                    let x = if is_bits { first } else { self.number_of(first) };
                    Ok((classify(&mut self.terms, function, x), 32))
                }
            }
        };
        match result {
            Ok((term, width)) => {
                let value = Value::of(&self.terms, term);
                self.set_result(state, args, value, width);
                if error != 0 {
                    return self.set_errno(state, error);
                }
                if call.has_domain() {
                    return self.domain_error(state, call, &operands, term);
                }
                Flow::Next
            }
            Err(what) => {
                Flow::End(self.unsupported(state, Unsupported::Float { function: Some(args.name.to_owned()), what }))
            }
        }
    }

    fn domain_error(&mut self, state: &mut State, call: MathCall, operands: &[Term], result: Term) -> Flow {
        let condition = if call.is_long_double() {
            is_no_number_of(&mut self.terms, call.kind, operands, result)
        } else {
            Ok(is_outside_domain(&mut self.terms, call.function, operands))
        };
        match condition {
            Ok(condition) => self.set_errno_if(state, EDOM, condition),
            Err(what) => {
                Flow::End(self.unsupported(state, Unsupported::Float { function: Some("errno".to_owned()), what }))
            }
        }
    }
}

/// Is the result no number, although the operands are?
fn is_no_number_of(
    terms: &mut espalier_expr::Terms,
    kind: FloatKind,
    operands: &[Term],
    result: Term,
) -> Result<Term, UnsupportedFloat> {
    let mut all = float::cmp(terms, FCmpOp::Uno, kind, result, result)?;
    for &operand in operands {
        let is_number = float::cmp(terms, FCmpOp::Ord, kind, operand, operand)?;
        all = terms.and(all, is_number);
    }
    Ok(all)
}

/// The same in terms of the operands, which is easier to decide: a negative number has no root, and
/// there is no remainder of infinity or by zero.
fn is_outside_domain(terms: &mut espalier_expr::Terms, function: MathFunction, operands: &[Term]) -> Term {
    let (first, last) = (operands[0], operands[operands.len() - 1]);
    let zero = terms.constant(0, terms.width(first));
    if matches!(function, MathFunction::Unary(_)) {
        return terms.fp_lt(first, zero);
    }
    let (infinite, by_zero) = (terms.fp_is_inf(first), terms.fp_eq(last, zero));
    let outside = terms.or(infinite, by_zero);
    let (first_nan, last_nan) = (terms.fp_is_nan(first), terms.fp_is_nan(last));
    let nan = terms.or(first_nan, last_nan);
    let numbers = terms.not(nan);
    terms.and(outside, numbers)
}

/// The machine's library sets `errno` as it does in a native run.
fn on_host(
    terms: &mut espalier_expr::Terms,
    name: &str,
    kind: FloatKind,
    operands: &[Term],
    error: &mut u64,
) -> Result<(Term, u32), UnsupportedFloat> {
    let width = kind.width();
    let numbers: Option<Vec<u64>> = operands.iter().map(|&operand| terms.as_u64(operand)).collect();
    let widths: Vec<u32> = operands.iter().map(|&operand| terms.width(operand)).collect();
    match (numbers, host_math::function(name, &widths, &[width])) {
        (Some(numbers), Some(function)) if kind != FloatKind::X87 => {
            let Outcome { bits, errno } = function.call(&numbers);
            *error = errno;
            Ok((terms.constant(bits, width), width))
        }
        (Some(_), None) if kind != FloatKind::X87 => Err(UnsupportedFloat::NotOnHost),
        _ => Err(UnsupportedFloat::LibraryFunction),
    }
}

fn classify(terms: &mut espalier_expr::Terms, function: MathFunction, x: Term) -> Term {
    let width = terms.width(x);
    let (nan, infinite) = (terms.fp_is_nan(x), terms.fp_is_inf(x));
    let sign = terms.extract(x, width - 1, 1);
    match function {
        MathFunction::IsNan => terms.zext(nan, 32),
        MathFunction::IsFinite => {
            let not_finite = terms.or(nan, infinite);
            let finite = terms.not(not_finite);
            terms.zext(finite, 32)
        }
        MathFunction::SignBit => terms.zext(sign, 32),
        MathFunction::IsInf => {
            let (minus, one, zero) = (terms.constant(u64::MAX, 32), terms.constant(1, 32), terms.constant(0, 32));
            let signed = terms.ite(sign, minus, one);
            terms.ite(infinite, signed, zero)
        }
        _ => {
            // FP_NAN 0, FP_INFINITE 1, FP_ZERO 2, FP_SUBNORMAL 3, FP_NORMAL 4.
            let magnitude = terms.extract(x, 0, width - 1);
            let zero = terms.constant(0, width - 1);
            let is_zero = terms.eq(magnitude, zero);
            let exponent_bits = if width == 32 { 8 } else { 11 };
            let exponent = terms.extract(x, width - 1 - exponent_bits, exponent_bits);
            let none = terms.constant(0, exponent_bits);
            let small = terms.eq(exponent, none);
            let class = |terms: &mut espalier_expr::Terms, n| terms.constant(n, 32);
            let (c0, c1, c2, c3, c4) =
                (class(terms, 0), class(terms, 1), class(terms, 2), class(terms, 3), class(terms, 4));
            let result = terms.ite(small, c3, c4);
            let result = terms.ite(is_zero, c2, result);
            let result = terms.ite(infinite, c1, result);
            terms.ite(nan, c0, result)
        }
    }
}
