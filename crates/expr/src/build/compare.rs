//! `==` and the orders.
//!
//! The two strict orders are reduced as far as they go; what is left of `<=` is the negation of what is left of `<`.

use crate::bv::sign_bit;
use crate::{Bv, Op, Term, Terms};

/// How many summands of a bit-wise `or` that is compared with 0 are compared one by one.
const OR_PARTS: usize = 16;

/// What is left of a comparison.
enum Reduced {
    Done(Term),
    /// These two are to be compared instead.
    Pair(Term, Term),
}

use Reduced::{Done, Pair};

impl Terms {
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    pub fn ugt(&mut self, a: Term, b: Term) -> Term {
        self.ult(b, a)
    }

    pub fn uge(&mut self, a: Term, b: Term) -> Term {
        self.ule(b, a)
    }

    pub fn sgt(&mut self, a: Term, b: Term) -> Term {
        self.slt(b, a)
    }

    pub fn sge(&mut self, a: Term, b: Term) -> Term {
        self.sle(b, a)
    }

    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(Op::Eq, a, b);
        if a == b {
            return self.tru();
        }
        let (a, b) = self.ordered(a, b);
        if width == 1 {
            let different = self.xor(a, b);
            return self.not(different);
        }
        if self.differ(a, b) {
            return self.fals();
        }
        match self.as_bv(b) {
            Some(c) => self.eq_constant(a, b, &c),
            None => self.eq_terms(a, b),
        }
    }

    /// `a == c`, where `a` may be anything and `b` is the constant's term.
    fn eq_constant(&mut self, a: Term, b: Term, c: &Bv) -> Term {
        let node = *self.node(a);
        let width = node.width;
        match node.op {
            // Two constants of more than 64 bits; the facts have decided all others.
            Op::Const | Op::WideConst => return self.bool(a == b),
            Op::Add => {
                if let Some((x, d)) = self.with_constant(a, Op::Add) {
                    let c = self.constant_bv(&c.sub(&d));
                    return self.eq(x, c);
                }
                if c.is_zero() {
                    if let Some((x, y)) = self.as_difference(a) {
                        return self.eq(x, y);
                    }
                }
            }
            Op::Not | Op::Neg => {
                let c = if node.op == Op::Not { c.not() } else { c.neg() };
                let c = self.constant_bv(&c);
                return self.eq(node.arg(0), c);
            }
            Op::Xor => {
                if let Some((x, d)) = self.with_constant(a, Op::Xor) {
                    let c = self.constant_bv(&c.xor(&d));
                    return self.eq(x, c);
                }
                if c.is_zero() {
                    return self.eq(node.arg(0), node.arg(1));
                }
            }
            Op::Or if c.is_zero() => {
                if let Some(all) = self.all_zero(a) {
                    return all;
                }
            }
            Op::Mul => {
                if let Some((x, d)) = self.with_constant(a, Op::Mul) {
                    return self.eq_product(x, &d, c);
                }
            }
            Op::Shl => {
                if let Some((x, k)) = self.with_constant(a, Op::Shl) {
                    return self.eq_product(x, &Bv::one(width).shl(&k), c);
                }
            }
            Op::ZExt | Op::SExt => {
                let x = node.arg(0);
                let low = c.extract(0, self.width(x));
                let back = if node.op == Op::ZExt { low.zext(width) } else { low.sext(width) };
                if back != *c {
                    return self.fals();
                }
                let low = self.constant_bv(&low);
                return self.eq(x, low);
            }
            Op::Concat => return self.eq_concat(a, c),
            Op::Ite => {
                if let Some(lifted) = self.lift_binary(Op::Eq, 1, a, b) {
                    return lifted;
                }
                if let Some(simpler) = self.eq_choice(a, b) {
                    return simpler;
                }
            }
            _ => {}
        }
        self.node_of(Op::Eq, 1, &[a, b])
    }

    /// `x` and `y` if `a` is `x - y`.
    fn as_difference(&self, a: Term) -> Option<(Term, Term)> {
        let node = self.node(a);
        let (p, q) = (node.arg(0), node.arg(1));
        match (self.under(p, Op::Neg), self.under(q, Op::Neg)) {
            (None, Some(y)) => Some((p, y)),
            (Some(y), None) => Some((q, y)),
            _ => None,
        }
    }

    /// `x * factor == c`: an odd factor has an inverse; a power of two says what the low bits of `c` have to be, and leaves
    /// the high bits of `x` free.
    fn eq_product(&mut self, x: Term, factor: &Bv, c: &Bv) -> Term {
        let width = c.width();
        let twos = factor.trailing_zeros();
        if c.trailing_zeros() < twos {
            return self.fals();
        }
        let kept = width - twos;
        let odd = factor.extract(twos, kept);
        // Newton's iteration doubles the number of bits that are right, from three at the start.
        let two = Bv::from_u64(2, kept);
        let mut inverse = odd.clone();
        let mut right = 3;
        while right < kept {
            inverse = inverse.mul(&two.sub(&odd.mul(&inverse)));
            right *= 2;
        }
        let quotient = self.constant_bv(&c.extract(twos, kept).mul(&inverse));
        let x = self.extract(x, 0, kept);
        self.eq(x, quotient)
    }

    /// `a == 0` for an `or`, if it has few parts: all of them are 0.
    fn all_zero(&mut self, a: Term) -> Option<Term> {
        let mut parts = vec![a];
        let mut next = 0;
        while let Some(&part) = parts.get(next) {
            if self.op(part) == Op::Or {
                parts[next] = self.arg(part, 0);
                parts.push(self.arg(part, 1));
            } else {
                next += 1;
            }
            if parts.len() > OR_PARTS {
                return None;
            }
        }
        let zero = self.zero(self.width(a));
        let conditions: Vec<Term> = parts.into_iter().map(|part| self.eq(part, zero)).collect();
        Some(self.bool_and(&conditions))
    }

    /// A concatenation is equal if all of its pieces are.
    fn eq_concat(&mut self, a: Term, c: &Bv) -> Term {
        let mut all = self.tru();
        let mut rest = a;
        loop {
            let node = *self.node(rest);
            let piece = if node.op == Op::Concat { node.arg(0) } else { rest };
            let lo = if node.op == Op::Concat { self.width(node.arg(1)) } else { 0 };
            let expected = self.constant_bv(&c.extract(lo, self.width(piece)));
            let equal = self.eq(piece, expected);
            all = self.and(all, equal);
            if node.op != Op::Concat || all == self.fals() {
                return all;
            }
            rest = node.arg(1);
        }
    }

    /// A choice one side of which is equal to `b` for sure, or surely not. Chains of choices are not gone down.
    fn eq_choice(&mut self, a: Term, b: Term) -> Option<Term> {
        let node = *self.node(a);
        let condition = node.arg(0);
        for (side, other, negated) in [(node.arg(1), node.arg(2), false), (node.arg(2), node.arg(1), true)] {
            let equal = side == b;
            if !equal && !self.differ(side, b) || self.op(other) == Op::Ite {
                continue;
            }
            let chosen = if negated { self.not(condition) } else { condition };
            let rest = self.eq(other, b);
            return Some(if equal {
                self.or(chosen, rest)
            } else {
                let not_chosen = self.not(chosen);
                self.and(not_chosen, rest)
            });
        }
        None
    }

    /// `a == b` where neither is a constant.
    fn eq_terms(&mut self, a: Term, b: Term) -> Term {
        let (x, y) = (*self.node(a), *self.node(b));
        let width = x.width;
        match (x.op, y.op) {
            (Op::Not, Op::Not) | (Op::Neg, Op::Neg) => return self.eq(x.arg(0), y.arg(0)),
            (Op::ZExt, Op::ZExt) | (Op::SExt, Op::SExt) => {
                let (x, y) = self.to_common_inner(a, b);
                return self.eq(x, y);
            }
            (Op::Concat, Op::Concat) if self.width(x.arg(1)) == self.width(y.arg(1)) => {
                let hi = self.eq(x.arg(0), y.arg(0));
                if hi == self.fals() {
                    return hi;
                }
                let lo = self.eq(x.arg(1), y.arg(1));
                return self.and(hi, lo);
            }
            (Op::Xor, Op::Xor) => {
                for (p, p_rest) in [(x.arg(0), x.arg(1)), (x.arg(1), x.arg(0))] {
                    for (q, q_rest) in [(y.arg(0), y.arg(1)), (y.arg(1), y.arg(0))] {
                        if p == q {
                            return self.eq(p_rest, q_rest);
                        }
                    }
                }
            }
            (Op::Add, _) | (_, Op::Add) => {
                if let Some(simpler) = self.eq_sum(a, b) {
                    return simpler;
                }
            }
            _ => {}
        }
        for (this, other) in [(a, b), (b, a)] {
            let node = *self.node(this);
            match node.op {
                Op::Xor if node.arg(0) == other || node.arg(1) == other => {
                    let rest = if node.arg(0) == other { node.arg(1) } else { node.arg(0) };
                    let zero = self.zero(width);
                    return self.eq(rest, zero);
                }
                Op::Ite if node.arg(1) == other || node.arg(2) == other => {
                    if let Some(simpler) = self.eq_choice(this, other) {
                        return simpler;
                    }
                }
                _ => {}
            }
        }
        if let Some(lifted) = self.lift_binary(Op::Eq, 1, a, b) {
            return lifted;
        }
        self.node_of(Op::Eq, 1, &[a, b])
    }

    /// An equality with a sum: constants go to the side of the younger term, summands on both sides go away.
    fn eq_sum(&mut self, a: Term, b: Term) -> Option<Term> {
        let split = |term| match self.with_constant(term, Op::Add) {
            Some((x, c)) => (x, c),
            None => (term, Bv::zero(self.width(term))),
        };
        let ((x, c), (y, d)) = (split(a), split(b));
        if x == y {
            return Some(self.bool(c == d));
        }
        let (old, young, difference) = if x < y { (x, y, d.sub(&c)) } else { (y, x, c.sub(&d)) };
        // Constants move if there is one on both sides, or one on the older term.
        let moved = if x < y { !c.is_zero() } else { !d.is_zero() };
        if moved {
            let sum = self.add_constant(young, &difference);
            return Some(self.eq(old, sum));
        }
        let zero = self.zero(self.width(a));
        for (sum, other) in [(a, b), (b, a)] {
            let node = *self.node(sum);
            if node.op != Op::Add {
                continue;
            }
            for (p, rest) in [(node.arg(0), node.arg(1)), (node.arg(1), node.arg(0))] {
                if p == other {
                    return Some(self.eq(rest, zero));
                }
                let theirs = *self.node(other);
                if theirs.op == Op::Add {
                    for (q, q_rest) in [(theirs.arg(0), theirs.arg(1)), (theirs.arg(1), theirs.arg(0))] {
                        if p == q {
                            return Some(self.eq(rest, q_rest));
                        }
                    }
                }
            }
        }
        None
    }

    /// The arguments of two extensions of the same kind, the narrower one extended to the width of the other.
    fn to_common_inner(&mut self, a: Term, b: Term) -> (Term, Term) {
        let signed = self.op(a) == Op::SExt;
        let (x, y) = (self.arg(a, 0), self.arg(b, 0));
        let width = self.width(x).max(self.width(y));
        if signed { (self.sext(x, width), self.sext(y, width)) } else { (self.zext(x, width), self.zext(y, width)) }
    }

    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        self.common_width(Op::Ult, a, b);
        match self.reduce_ult(a, b) {
            Done(result) => result,
            Pair(a, b) => self.node_of(Op::Ult, 1, &[a, b]),
        }
    }

    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(Op::Ule, a, b);
        // With a constant, say it with `<`.
        if let Some(c) = self.as_bv(b) {
            if c.is_ones() {
                return self.tru();
            }
            let next = self.constant_bv(&c.add(&Bv::one(width)));
            return self.ult(a, next);
        }
        if let Some(c) = self.as_bv(a) {
            if c.is_zero() {
                return self.tru();
            }
            let previous = self.constant_bv(&c.sub(&Bv::one(width)));
            return self.ult(previous, b);
        }
        match self.reduce_ult(b, a) {
            Done(result) => self.not(result),
            Pair(b, a) if self.is_const(a) || self.is_const(b) => self.ule(a, b),
            Pair(b, a) => self.node_of(Op::Ule, 1, &[a, b]),
        }
    }

    /// `a < b` if the facts decide it.
    fn decide_ult(&self, a: Term, b: Term) -> Option<bool> {
        let (x, y) = (self.facts(a), self.facts(b));
        if x.hi < y.lo {
            return Some(true);
        }
        let bounded = self.width(b) <= 64 || y.hi < u64::MAX;
        (bounded && x.lo >= y.hi).then_some(false)
    }

    fn reduce_ult(&mut self, mut a: Term, mut b: Term) -> Reduced {
        // Each round makes the terms narrower or smaller.
        loop {
            if a == b {
                return Done(self.fals());
            }
            if let Some(decided) = self.decide_ult(a, b) {
                return Done(self.bool(decided));
            }
            let width = self.width(a);
            if width == 1 {
                let not_a = self.not(a);
                return Done(self.and(not_a, b));
            }
            if let Some(lifted) = self.lift_binary(Op::Ult, 1, a, b) {
                return Done(lifted);
            }
            let next = match (self.as_bv(a), self.as_bv(b)) {
                (Some(c), Some(d)) => Some(Done(self.bool(c.ult(&d)))),
                (None, Some(c)) => self.ult_constant(a, b, &c),
                (Some(c), None) => self.constant_ult(a, b, &c),
                (None, None) => self.order_terms(a, b),
            };
            match next {
                Some(Pair(x, y)) => (a, b) = (x, y),
                Some(done) => return done,
                None => return Pair(a, b),
            }
        }
    }

    fn pair(&mut self, a: Term, c: Bv) -> Option<Reduced> {
        Some(Pair(a, self.constant_bv(&c)))
    }

    fn reversed_pair(&mut self, c: Bv, b: Term) -> Option<Reduced> {
        Some(Pair(self.constant_bv(&c), b))
    }

    /// `a <u c`; `b` is the constant's term.
    fn ult_constant(&mut self, a: Term, b: Term, c: &Bv) -> Option<Reduced> {
        let node = *self.node(a);
        let width = node.width;
        if c.is_zero() {
            return Some(Done(self.fals()));
        }
        // Only the least value is below, or only the greatest is not.
        let facts = *self.facts(a);
        let previous = c.sub(&Bv::one(width));
        if previous.fits_u64() == Some(facts.lo) {
            let least = self.constant_bv(&previous);
            return Some(Done(self.eq(a, least)));
        }
        if c.is_ones() || width <= 64 && c.to_u64() == Some(facts.hi) {
            return Some(Done(self.ne(a, b)));
        }
        if *c == Bv::signed_min(width) {
            let minus_one = self.constant_bv(&Bv::ones(width));
            return Some(Done(self.slt(minus_one, a)));
        }
        match node.op {
            Op::ZExt => {
                let x = node.arg(0);
                let inner = self.width(x);
                if c.bit_length() > inner {
                    return Some(Done(self.tru()));
                }
                self.pair(x, c.extract(0, inner))
            }
            Op::SExt => {
                let x = node.arg(0);
                let inner = self.width(x);
                // As unsigned numbers, the extended values are a low block, a gap, and a high block.
                let low = c.extract(0, inner);
                let in_block = low.sext(width) == *c;
                self.pair(x, if in_block { low } else { Bv::signed_min(inner) })
            }
            Op::Concat => {
                let (hi, lo) = (node.arg(0), node.arg(1));
                let (c_hi, c_lo) = self.halves(c, lo);
                if c_lo.is_zero() {
                    return self.pair(hi, c_hi);
                }
                if let Some(low) = self.as_bv(lo) {
                    if low.ult(&c_lo) {
                        let c_hi = self.constant_bv(&c_hi);
                        return Some(Done(self.ule(hi, c_hi)));
                    }
                    return self.pair(hi, c_hi);
                }
                let high = self.as_bv(hi)?;
                if high == c_hi {
                    return self.pair(lo, c_lo);
                }
                Some(Done(self.bool(high.ult(&c_hi))))
            }
            Op::Not => self.reversed_pair(c.not(), node.arg(0)),
            Op::Add if width <= 64 => {
                let (x, d) = self.with_constant(a, Op::Add)?;
                if !self.keeps_order(x, &d) {
                    return None;
                }
                self.pair(x, c.sub(&d))
            }
            Op::Mul | Op::Shl if width <= 64 => {
                let (x, factor) = self.exact_multiple(a)?;
                self.pair(x, Bv::from_u64(c.to_u64()?.div_ceil(factor), width))
            }
            Op::UDiv if width <= 64 => {
                let (x, d) = self.with_constant(a, Op::UDiv)?;
                let bound = c.to_u64()?.checked_mul(d.to_u64()?)?;
                (bound <= crate::bv::mask(width)).then(|| self.pair(x, Bv::from_u64(bound, width)))?
            }
            _ => None,
        }
    }

    /// `c <u b`; `a` is the constant's term.
    fn constant_ult(&mut self, a: Term, b: Term, c: &Bv) -> Option<Reduced> {
        let node = *self.node(b);
        let width = node.width;
        if c.is_ones() {
            return Some(Done(self.fals()));
        }
        let facts = *self.facts(b);
        let next = c.add(&Bv::one(width));
        if next.is_ones() || width <= 64 && next.to_u64() == Some(facts.hi) {
            let greatest = self.constant_bv(&next);
            return Some(Done(self.eq(b, greatest)));
        }
        if c.fits_u64() == Some(facts.lo) {
            return Some(Done(self.ne(b, a)));
        }
        if *c == Bv::signed_max(width) {
            let zero = self.zero(width);
            return Some(Done(self.slt(b, zero)));
        }
        match node.op {
            Op::ZExt => {
                let x = node.arg(0);
                let inner = self.width(x);
                if c.bit_length() > inner {
                    return Some(Done(self.fals()));
                }
                self.reversed_pair(c.extract(0, inner), x)
            }
            Op::SExt => {
                let next = self.constant_bv(&next);
                let below = self.ult(b, next);
                Some(Done(self.not(below)))
            }
            Op::Concat => {
                let (hi, lo) = (node.arg(0), node.arg(1));
                let (c_hi, c_lo) = self.halves(c, lo);
                if c_lo.is_ones() {
                    return self.reversed_pair(c_hi, hi);
                }
                if let Some(low) = self.as_bv(lo) {
                    if c_lo.ult(&low) {
                        let c_hi = self.constant_bv(&c_hi);
                        return Some(Done(self.ule(c_hi, hi)));
                    }
                    return self.reversed_pair(c_hi, hi);
                }
                let high = self.as_bv(hi)?;
                if high == c_hi {
                    return self.reversed_pair(c_lo, lo);
                }
                Some(Done(self.bool(c_hi.ult(&high))))
            }
            Op::Not => self.pair(node.arg(0), c.not()),
            Op::Add => {
                let (x, d) = self.with_constant(b, Op::Add)?;
                if width <= 64 && self.keeps_order(x, &d) {
                    return self.reversed_pair(c.sub(&d), x);
                }
                // An interval that wraps around is always written with its size on the right.
                let shifted = self.add_constant(x, &d.sub(&next));
                self.pair(shifted, c.not())
            }
            Op::Mul | Op::Shl if width <= 64 => {
                let (x, factor) = self.exact_multiple(b)?;
                self.reversed_pair(Bv::from_u64(c.to_u64()? / factor, width), x)
            }
            Op::UDiv if width <= 64 => {
                let (x, d) = self.with_constant(b, Op::UDiv)?;
                let bound = next.to_u64()?.checked_mul(d.to_u64()?)? - 1;
                (bound <= crate::bv::mask(width)).then(|| self.reversed_pair(Bv::from_u64(bound, width), x))?
            }
            _ => None,
        }
    }

    /// Whether adding `d` wraps around for all values of `x` or for none.
    fn keeps_order(&self, x: Term, d: &Bv) -> bool {
        let width = self.width(x);
        let Some(d) = d.to_u64() else { return false };
        let greatest_without = crate::bv::mask(width) - d;
        let facts = self.facts(x);
        facts.hi <= greatest_without || facts.lo > greatest_without
    }

    /// `x` and `c` if a term of at most 64 bits is `x * c`, for a `c` of at least 2, and that does not overflow.
    fn exact_multiple(&self, a: Term) -> Option<(Term, u64)> {
        let node = self.node(a);
        let c = self.as_u64(node.arg(1))?;
        let factor = if node.op == Op::Shl { 1u64.checked_shl(c as u32)? } else { c };
        let greatest = self.facts(node.arg(0)).hi.checked_mul(factor)?;
        (factor > 1 && greatest <= crate::bv::mask(node.width)).then(|| (node.arg(0), factor))
    }

    /// What holds of both strict orders if neither side is a constant.
    fn order_terms(&mut self, a: Term, b: Term) -> Option<Reduced> {
        let (x, y) = (*self.node(a), *self.node(b));
        match (x.op, y.op) {
            (Op::Not, Op::Not) => Some(Pair(y.arg(0), x.arg(0))),
            // Of two zero-extensions, the signs are the same, so that `slt` never gets here.
            (Op::ZExt, Op::ZExt) | (Op::SExt, Op::SExt) => {
                let (x, y) = self.to_common_inner(a, b);
                Some(Pair(x, y))
            }
            (Op::Concat, Op::Concat) if x.arg(1) == y.arg(1) => Some(Pair(x.arg(0), y.arg(0))),
            _ => None,
        }
    }

    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        self.common_width(Op::Slt, a, b);
        match self.reduce_slt(a, b) {
            Done(result) => result,
            Pair(a, b) => self.node_of(Op::Slt, 1, &[a, b]),
        }
    }

    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(Op::Sle, a, b);
        if let Some(c) = self.as_bv(b) {
            if c == Bv::signed_max(width) {
                return self.tru();
            }
            let next = self.constant_bv(&c.add(&Bv::one(width)));
            return self.slt(a, next);
        }
        if let Some(c) = self.as_bv(a) {
            if c == Bv::signed_min(width) {
                return self.tru();
            }
            let previous = self.constant_bv(&c.sub(&Bv::one(width)));
            return self.slt(previous, b);
        }
        match self.reduce_slt(b, a) {
            Done(result) => self.not(result),
            Pair(b, a) if self.is_const(a) || self.is_const(b) => self.sle(a, b),
            Pair(b, a) => self.node_of(Op::Sle, 1, &[a, b]),
        }
    }

    fn reduce_slt(&mut self, mut a: Term, mut b: Term) -> Reduced {
        loop {
            if a == b {
                return Done(self.fals());
            }
            let width = self.width(a);
            if width == 1 {
                let not_b = self.not(b);
                return Done(self.and(a, not_b));
            }
            match (self.known_sign(a), self.known_sign(b)) {
                (Some(x), Some(y)) if x != y => return Done(self.bool(x)),
                (Some(_), Some(_)) => return Done(self.ult(a, b)),
                _ => {}
            }
            if let Some(lifted) = self.lift_binary(Op::Slt, 1, a, b) {
                return Done(lifted);
            }
            let next = match (self.as_bv(a), self.as_bv(b)) {
                (None, Some(c)) => self.slt_constant(a, b, &c),
                (Some(c), None) => self.constant_slt(a, b, &c),
                _ => self.order_terms(a, b),
            };
            match next {
                Some(Pair(x, y)) => (a, b) = (x, y),
                Some(done) => return done,
                None => return Pair(a, b),
            }
        }
    }

    /// `a <s c`; `b` is the constant's term.
    fn slt_constant(&mut self, a: Term, b: Term, c: &Bv) -> Option<Reduced> {
        let node = *self.node(a);
        let width = node.width;
        let least = Bv::signed_min(width);
        if *c == least {
            return Some(Done(self.fals()));
        }
        if c.sub(&Bv::one(width)) == least {
            let least = self.constant_bv(&least);
            return Some(Done(self.eq(a, least)));
        }
        if *c == Bv::signed_max(width) {
            return Some(Done(self.ne(a, b)));
        }
        match node.op {
            Op::SExt => {
                let x = node.arg(0);
                let low = c.extract(0, self.width(x));
                if low.sext(width) != *c {
                    return Some(Done(self.bool(!c.is_negative())));
                }
                self.pair(x, low)
            }
            Op::Concat => {
                let (hi, lo) = (node.arg(0), node.arg(1));
                let (c_hi, c_lo) = self.halves(c, lo);
                if c_lo.is_zero() {
                    return self.pair(hi, c_hi);
                }
                let low = self.as_bv(lo)?;
                if low.ult(&c_lo) {
                    let c_hi = self.constant_bv(&c_hi);
                    return Some(Done(self.sle(hi, c_hi)));
                }
                self.pair(hi, c_hi)
            }
            Op::Not => self.reversed_pair(c.not(), node.arg(0)),
            Op::Add if width <= 64 => {
                let (x, d) = self.with_constant(a, Op::Add)?;
                match self.move_signed(x, &d, c)? {
                    Ok(bound) => self.pair(x, bound),
                    // All values of `x` are on the same side of the bound.
                    Err(above) => Some(Done(self.bool(above))),
                }
            }
            _ => None,
        }
    }

    /// `c <s b`; `a` is the constant's term.
    fn constant_slt(&mut self, a: Term, b: Term, c: &Bv) -> Option<Reduced> {
        let node = *self.node(b);
        let width = node.width;
        let greatest = Bv::signed_max(width);
        if *c == greatest {
            return Some(Done(self.fals()));
        }
        if c.add(&Bv::one(width)) == greatest {
            let greatest = self.constant_bv(&greatest);
            return Some(Done(self.eq(b, greatest)));
        }
        if *c == Bv::signed_min(width) {
            return Some(Done(self.ne(b, a)));
        }
        match node.op {
            Op::SExt => {
                let x = node.arg(0);
                let low = c.extract(0, self.width(x));
                if low.sext(width) != *c {
                    return Some(Done(self.bool(c.is_negative())));
                }
                self.reversed_pair(low, x)
            }
            Op::Concat => {
                let (hi, lo) = (node.arg(0), node.arg(1));
                let (c_hi, c_lo) = self.halves(c, lo);
                if c_lo.is_ones() {
                    return self.reversed_pair(c_hi, hi);
                }
                let low = self.as_bv(lo)?;
                if c_lo.ult(&low) {
                    let c_hi = self.constant_bv(&c_hi);
                    return Some(Done(self.sle(c_hi, hi)));
                }
                self.reversed_pair(c_hi, hi)
            }
            Op::Not => self.pair(node.arg(0), c.not()),
            Op::Add if width <= 64 => {
                let (x, d) = self.with_constant(b, Op::Add)?;
                match self.move_signed(x, &d, c)? {
                    Ok(bound) => self.reversed_pair(bound, x),
                    Err(above) => Some(Done(self.bool(!above))),
                }
            }
            _ => None,
        }
    }

    /// For comparing `x + d` with `c`, signed: the bound `c - d` to compare `x` with, if the sum never overflows. If the
    /// bound is no number of this width, whether it is above all of them.
    fn move_signed(&self, x: Term, d: &Bv, c: &Bv) -> Option<Result<Bv, bool>> {
        let width = self.width(x);
        let facts = self.facts(x);
        // The facts are an unsigned interval; it is a signed one if it does not cross from positive to negative.
        let negative = self.known_sign(x)?;
        let offset = if negative { 1i128 << width } else { 0 };
        let (lo, hi) = (facts.lo as i128 - offset, facts.hi as i128 - offset);
        let (d, c) = (d.to_i64()? as i128, c.to_i64()? as i128);
        let limits = -(sign_bit(width) as i128)..sign_bit(width) as i128;
        if !limits.contains(&(lo + d)) || !limits.contains(&(hi + d)) {
            return None;
        }
        let bound = c - d;
        Some(if limits.contains(&bound) { Ok(Bv::from_u64(bound as u64, width)) } else { Err(bound > 0) })
    }
}
