//! `==` and `!=`.

use crate::{Bv, Op, Term, Terms};

/// How many parts of a bit-wise `or` that is compared with 0 are compared one by one.
const OR_PARTS: usize = 16;

impl Terms {
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.lately(Op::Eq, a, b, Terms::build_eq)
    }

    fn build_eq(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(Op::Eq, a, b);
        if a == b {
            return self.tru();
        }
        let (a, b) = self.ordered(a, b);
        if width == 1 {
            let different = self.xor(a, b);
            return self.not(different);
        }
        if self.differ(a, b) || self.are_told_apart(a, b) {
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
                if c.is_zero()
                    && let Some((x, y)) = self.as_difference(a)
                {
                    return self.eq(x, y);
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

    /// `x * factor == c`: an odd factor has an inverse; a power of two says what the low bits of
    /// `c` have to be, and leaves the high bits of `x` free.
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

    /// A choice one side of which is equal to `b` for sure, or surely not. Chains of choices are
    /// not gone down.
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
                let (x, y) = self.strip_extensions(a, b);
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

    /// An equality with a sum: constants go to the side of the term that comes later in the normal
    /// order, summands on both sides go away.
    fn eq_sum(&mut self, a: Term, b: Term) -> Option<Term> {
        let split = |term| match self.with_constant(term, Op::Add) {
            Some((x, c)) => (x, c),
            None => (term, Bv::zero(self.width(term))),
        };
        let ((x, c), (y, d)) = (split(a), split(b));
        if x == y {
            return Some(self.bool(c == d));
        }
        let (first, c, later, d) = if self.precedes(x, y) { (x, c, y, d) } else { (y, d, x, c) };
        if !c.is_zero() {
            let sum = self.add_constant(later, &d.sub(&c));
            return Some(self.eq(first, sum));
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

    /// The arguments of two extensions of the same kind, the narrower one extended to the width of
    /// the other.
    pub(super) fn strip_extensions(&mut self, a: Term, b: Term) -> (Term, Term) {
        let signed = self.op(a) == Op::SExt;
        let (x, y) = (self.arg(a, 0), self.arg(b, 0));
        let width = self.width(x).max(self.width(y));
        if signed { (self.sext(x, width), self.sext(y, width)) } else { (self.zext(x, width), self.zext(y, width)) }
    }
}
