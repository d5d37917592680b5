//! Constructors: how terms come to be. Each one rewrites, so that terms have a normal form.
//!
//! Every rewrite is an equality at all widths, and costs no more than a bounded look at the
//! arguments and their arguments. Where a rule goes deeper (through a chain of concatenated bytes),
//! it is bounded by the width of the term and not by its depth. In short, the normal form is this:
//!
//! * What can be known at once is a constant: operators on constants, and terms whose facts
//!   (`facts.rs`) leave one value.
//! * Constants are the second argument of a commutative operator; of other arguments the lower one
//!   is the first, and of two that are as high the one with the smaller [`crate::StructuralHash`].
//!   What else is in the pool has no say in it.
//! * Constants move outwards: `(t + 1) + 2` is `t + 3`, `(t + 1) * 4` is `t * 4 + 4`, and out of
//!   comparisons: `t + 1 == 3` is `t == 2`. This is what lets interpolants be intervals over terms
//!   without additive constants.
//! * Subtraction is addition of a negation. A product with a power of two is a shift to the left.
//!   Equal summands are collected: `x + x * 3` is `x << 2`.
//! * Pieces of a value are slices (`extract`, `concat`, `zext`, `sext`), whichever way they were
//!   cut: shifts to the right by a constant, masks of consecutive bits and divisions by a power of
//!   two all become slices. Slices of slices are slices of the value, and adjacent ones are joined:
//!   a value that is stored byte by byte is itself again when it is loaded. Concatenations nest to
//!   the right.
//! * Comparisons with a constant are `<`: `x <= 5` is `x < 6`, and `0 < x` is `x != 0`. A
//!   constraint on `t` that is an interval which wraps around is `t + c <u k`. Extensions are
//!   stripped: `zext x < 10` is `x < 10`.
//! * Negation stays outside of `and` and `or` where both sides are negated, and there is none
//!   around a comparison but `==`.
//!
//! Which file has which operators: `bitwise`, `arith`, `slice`, `equal`, `order`, `choice` (ite)
//! and `float`. `lately` has what was built a moment ago.

mod arith;
mod bitwise;
mod choice;
mod equal;
mod float;
pub(crate) mod lately;
mod order;
mod slice;

use crate::semantics::{Shape, apply_small, apply_wide};
use crate::{Bv, FloatFormat, Op, Rounding, Term, Terms};
use smallvec::SmallVec;
use std::cmp::Ordering;

impl Terms {
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// The conjunction of terms of width 1.
    pub fn bool_and(&mut self, terms: &[Term]) -> Term {
        terms.iter().fold(self.tru(), |all, &term| self.and(all, term))
    }

    /// The disjunction of terms of width 1.
    pub fn bool_or(&mut self, terms: &[Term]) -> Term {
        terms.iter().fold(self.fals(), |any, &term| self.or(any, term))
    }

    /// The terms of width 1 whose conjunction is `term`, as far as its structure shows them: from
    /// left to right, without repetitions that are next to each other. There are none if it is
    /// true.
    pub fn conjuncts(&mut self, term: Term) -> Vec<Term> {
        debug_assert_eq!(self.width(term), 1);
        let mut found = Vec::new();
        // Terms, each with whether it is negated.
        let mut stack = vec![(term, false)];
        while let Some((term, negated)) = stack.pop() {
            let node = *self.node(term);
            match (node.op, negated) {
                (Op::And, false) | (Op::Or, true) => {
                    stack.extend([(node.arg(1), negated), (node.arg(0), negated)]);
                }
                (Op::Not, _) => stack.push((node.arg(0), !negated)),
                _ => {
                    let conjunct = if negated { self.not(term) } else { term };
                    if conjunct != self.tru() && found.last() != Some(&conjunct) {
                        found.push(conjunct);
                    }
                }
            }
        }
        found
    }

    /// An interval that holds every value of `term`, read as an unsigned number. Above 64 bits, an
    /// upper bound of `u64::MAX` means that there is none.
    pub fn unsigned_range(&self, term: Term) -> (u64, u64) {
        let facts = self.facts(term);
        (facts.lo, facts.hi)
    }

    /// The bits of a term of at most 64 bits that are the same under every assignment: those that
    /// are 0, those that are 1. Above 64 bits, of its low 64.
    pub fn known_bits(&self, term: Term) -> (u64, u64) {
        let facts = self.facts(term);
        (facts.zeros, facts.ones)
    }
}

/// What the constructors share.
impl Terms {
    /// An operator on terms by its constructor; `number` is its argument that is not a term, if it
    /// has one.
    pub fn apply(&mut self, op: Op, width: u32, number: u32, args: &[Term]) -> Term {
        match op {
            Op::Const | Op::WideConst | Op::Var | Op::Read => unreachable!("not an operator on terms"),
            Op::Not => self.not(args[0]),
            Op::Neg => self.neg(args[0]),
            Op::And => self.and(args[0], args[1]),
            Op::Or => self.or(args[0], args[1]),
            Op::Xor => self.xor(args[0], args[1]),
            Op::Add => self.add(args[0], args[1]),
            Op::Mul => self.mul(args[0], args[1]),
            Op::UDiv => self.udiv(args[0], args[1]),
            Op::SDiv => self.sdiv(args[0], args[1]),
            Op::URem => self.urem(args[0], args[1]),
            Op::SRem => self.srem(args[0], args[1]),
            Op::Shl => self.shl(args[0], args[1]),
            Op::LShr => self.lshr(args[0], args[1]),
            Op::AShr => self.ashr(args[0], args[1]),
            Op::Eq => self.eq(args[0], args[1]),
            Op::Ult => self.ult(args[0], args[1]),
            Op::Ule => self.ule(args[0], args[1]),
            Op::Slt => self.slt(args[0], args[1]),
            Op::Sle => self.sle(args[0], args[1]),
            Op::Ite => self.ite(args[0], args[1], args[2]),
            Op::Extract => self.extract(args[0], number, width),
            Op::Concat => self.concat(args[0], args[1]),
            Op::ZExt => self.zext(args[0], width),
            Op::SExt => self.sext(args[0], width),
            Op::FpAdd => self.fp_add(args[0], args[1]),
            Op::FpSub => self.fp_sub(args[0], args[1]),
            Op::FpMul => self.fp_mul(args[0], args[1]),
            Op::FpDiv => self.fp_div(args[0], args[1]),
            Op::FpRem => self.fp_rem(args[0], args[1]),
            Op::FpFma => self.fp_fma(args[0], args[1], args[2]),
            Op::FpSqrt => self.fp_sqrt(args[0]),
            Op::FpRound => self.fp_round(args[0], Rounding::from_number(number)),
            Op::FpEq => self.fp_eq(args[0], args[1]),
            Op::FpLt => self.fp_lt(args[0], args[1]),
            Op::FpLe => self.fp_le(args[0], args[1]),
            Op::FpToFp => self.fp_to_fp(args[0], FloatFormat::of(width)),
            Op::FpToSi => self.fp_to_si(args[0], width),
            Op::SiToFp => self.si_to_fp(args[0], FloatFormat::of(width)),
            Op::UiToFp => self.ui_to_fp(args[0], FloatFormat::of(width)),
        }
    }

    /// The constant that an operator gives on constant arguments; `number` is its argument that is
    /// not a term.
    pub(crate) fn fold(&mut self, op: Op, width: u32, number: u32, args: &[Term]) -> Option<Term> {
        let mut values = [0; 3];
        let mut small = width <= 64;
        for (value, &arg) in values.iter_mut().zip(args) {
            match self.as_u64(arg) {
                Some(constant) => *value = constant,
                None if self.op(arg) == Op::WideConst => small = false,
                None => return None,
            }
        }
        let shape = Shape { op, width, argument: self.width(args[0]), number };
        if small {
            return Some(self.constant(apply_small(shape, values), width));
        }
        let args: SmallVec<[Bv; 3]> = args.iter().filter_map(|&arg| self.as_bv(arg)).collect();
        Some(self.constant_bv(&apply_wide(shape, &args)))
    }

    /// Interns a node whose arguments are all terms.
    fn node_of(&mut self, op: Op, width: u32, args: &[Term]) -> Term {
        let mut words = [0; 3];
        for (word, arg) in words.iter_mut().zip(args) {
            *word = arg.raw();
        }
        self.intern(op, width, words)
    }

    /// The common width of two operands.
    fn common_width(&self, op: Op, a: Term, b: Term) -> u32 {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "operands of {op:?} of different widths");
        width
    }

    /// The operands of a commutative operator in their normal order.
    fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        if self.precedes(b, a) { (b, a) } else { (a, b) }
    }

    /// Is `a` before `b` in the normal order, which is the same in every pool? Lower terms are
    /// before higher ones, constants last.
    fn precedes(&self, a: Term, b: Term) -> bool {
        let rank = |term| {
            let node = self.node(term);
            (matches!(node.op, Op::Const | Op::WideConst), node.height())
        };
        match rank(a).cmp(&rank(b)) {
            Ordering::Equal => (self.structural_hash(a), a) < (self.structural_hash(b), b),
            different => different.is_lt(),
        }
    }

    fn arg(&self, term: Term, index: usize) -> Term {
        self.node(term).arg(index)
    }

    /// `x` and `c` if `term` is `x op c` with a constant `c`.
    fn with_constant(&self, term: Term, op: Op) -> Option<(Term, Bv)> {
        let node = self.node(term);
        if node.op != op {
            return None;
        }
        Some((node.arg(0), self.as_bv(node.arg(1))?))
    }

    /// The argument if `term` is the unary `op` of it.
    fn under(&self, term: Term, op: Op) -> Option<Term> {
        let node = self.node(term);
        (node.op == op).then(|| node.arg(0))
    }

    /// The condition and both values of a choice between two constants.
    fn constant_choice(&self, term: Term) -> Option<[Term; 3]> {
        let node = self.node(term);
        if node.op != Op::Ite || !self.is_const(node.arg(1)) || !self.is_const(node.arg(2)) {
            return None;
        }
        Some([node.arg(0), node.arg(1), node.arg(2)])
    }

    /// A unary operator on a choice between constants is a choice between constants.
    fn lift_unary(&mut self, op: Op, width: u32, number: u32, a: Term) -> Option<Term> {
        let [condition, yes, no] = self.constant_choice(a)?;
        let yes = self.fold(op, width, number, &[yes])?;
        let no = self.fold(op, width, number, &[no])?;
        Some(self.ite(condition, yes, no))
    }

    /// So is a binary one if the other operand is a constant, or another choice by the same
    /// condition.
    fn lift_binary(&mut self, op: Op, width: u32, a: Term, b: Term) -> Option<Term> {
        let (condition, yes, no) = match (self.constant_choice(a), self.constant_choice(b)) {
            (Some([condition, yes, no]), None) if self.is_const(b) => (condition, [yes, b], [no, b]),
            (None, Some([condition, yes, no])) if self.is_const(a) => (condition, [a, yes], [a, no]),
            (Some([c1, yes1, no1]), Some([c2, yes2, no2])) if c1 == c2 => (c1, [yes1, yes2], [no1, no2]),
            _ => return None,
        };
        let yes = self.fold(op, width, 0, &yes)?;
        let no = self.fold(op, width, 0, &no)?;
        Some(self.ite(condition, yes, no))
    }

    fn zero(&mut self, width: u32) -> Term {
        self.constant_bv(&Bv::zero(width))
    }

    fn is_zero(&self, term: Term) -> bool {
        self.as_bv(term).is_some_and(|value| value.is_zero())
    }

    /// The number of bits that the values of a term need at most.
    fn significant_bits(&self, term: Term) -> u32 {
        let node = self.node(term);
        match node.op {
            _ if node.width <= 64 => 64 - self.facts(term).possible(node.width).leading_zeros(),
            Op::ZExt => self.significant_bits_of_narrow(node.arg(0)),
            Op::WideConst => self.wide[node.number(0) as usize].bits() as u32,
            _ => node.width,
        }
    }

    fn significant_bits_of_narrow(&self, term: Term) -> u32 {
        let width = self.width(term);
        if width <= 64 { 64 - self.facts(term).possible(width).leading_zeros() } else { width }
    }

    /// The number of low bits that are known to be 0.
    fn low_zero_bits(&self, term: Term) -> u32 {
        let node = self.node(term);
        let zeros = (!self.facts(term).zeros).trailing_zeros();
        match node.op {
            _ if zeros < 64 || node.width <= 64 => zeros.min(node.width),
            Op::WideConst => self.wide[node.number(0) as usize].trailing_zeros().map_or(node.width, |n| n as u32),
            // `zext` of a `concat` with zeros, or that itself.
            Op::ZExt | Op::Concat => {
                let inner = if node.op == Op::ZExt { self.node(node.arg(0)) } else { node };
                match inner.op {
                    Op::Concat => match self.as_bv(inner.arg(1)) {
                        Some(low) if low.is_zero() => low.width(),
                        _ => 64,
                    },
                    _ => 64,
                }
            }
            _ => 64,
        }
    }

    /// Whether the sign bit is known: `Some(true)` for a term that is always negative.
    fn known_sign(&self, term: Term) -> Option<bool> {
        let node = self.node(term);
        if node.width <= 64 {
            let facts = self.facts(term);
            let sign = espalier_base::bits::sign_bit(node.width);
            return if facts.zeros & sign != 0 { Some(false) } else { (facts.ones & sign != 0).then_some(true) };
        }
        match node.op {
            Op::ZExt => Some(false),
            Op::WideConst => Some(self.wide[node.number(0) as usize].bits() == node.width as u64),
            _ => None,
        }
    }

    /// Whether two terms of the same width are different under every assignment, as far as can be
    /// told at once.
    pub(crate) fn differ(&self, a: Term, b: Term) -> bool {
        if self.facts(a).disjoint(self.facts(b)) {
            return true;
        }
        let split = |term| match self.with_constant(term, Op::Add) {
            Some((x, c)) => (x, Some(c)),
            None => (term, None),
        };
        match (split(a), split(b)) {
            ((x, c), (y, d)) if x == y => c != d,
            _ => false,
        }
    }
}
