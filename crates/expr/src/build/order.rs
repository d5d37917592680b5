//! The orders, unsigned and signed.
//!
//! The two strict orders are reduced as far as they go; what is left of `<=` is the negation of
//! what is left of `<`.

use crate::{Bv, Op, Term, Terms};
use espalier_base::bits::{mask, sign_bit};

/// What is left of a comparison.
enum Reduced {
    Done(Term),
    /// These two are to be compared instead.
    Pair(Term, Term),
}

use Reduced::{Done, Pair};

impl Terms {
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

    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        self.lately(Op::Ult, a, b, Terms::build_ult)
    }

    fn build_ult(&mut self, a: Term, b: Term) -> Term {
        self.common_width(Op::Ult, a, b);
        match self.reduce_ult(a, b) {
            Done(result) => result,
            Pair(a, b) => self.node_of(Op::Ult, 1, &[a, b]),
        }
    }

    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        self.lately(Op::Ule, a, b, Terms::build_ule)
    }

    fn build_ule(&mut self, a: Term, b: Term) -> Term {
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
                // As unsigned numbers, the extended values are a low block, a gap, and a high
                // block.
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
                (bound <= mask(width)).then(|| self.pair(x, Bv::from_u64(bound, width)))?
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
                (bound <= mask(width)).then(|| self.reversed_pair(Bv::from_u64(bound, width), x))?
            }
            _ => None,
        }
    }

    /// Whether adding `d` wraps around for all values of `x` or for none.
    fn keeps_order(&self, x: Term, d: &Bv) -> bool {
        let width = self.width(x);
        let Some(d) = d.to_u64() else { return false };
        let greatest_without = mask(width) - d;
        let facts = self.facts(x);
        facts.hi <= greatest_without || facts.lo > greatest_without
    }

    /// `x` and `c` if a term of at most 64 bits is `x * c`, for a `c` of at least 2, and that does
    /// not overflow.
    fn exact_multiple(&self, a: Term) -> Option<(Term, u64)> {
        let node = self.node(a);
        let c = self.as_u64(node.arg(1))?;
        let factor = if node.op == Op::Shl { 1u64.checked_shl(c as u32)? } else { c };
        let greatest = self.facts(node.arg(0)).hi.checked_mul(factor)?;
        (factor > 1 && greatest <= mask(node.width)).then(|| (node.arg(0), factor))
    }

    /// What holds of both strict orders if neither side is a constant.
    fn order_terms(&mut self, a: Term, b: Term) -> Option<Reduced> {
        let (x, y) = (*self.node(a), *self.node(b));
        match (x.op, y.op) {
            (Op::Not, Op::Not) => Some(Pair(y.arg(0), x.arg(0))),
            // Of two zero-extensions, the signs are the same, so that `slt` never gets here.
            (Op::ZExt, Op::ZExt) | (Op::SExt, Op::SExt) => {
                let (x, y) = self.strip_extensions(a, b);
                Some(Pair(x, y))
            }
            (Op::Concat, Op::Concat) if x.arg(1) == y.arg(1) => Some(Pair(x.arg(0), y.arg(0))),
            _ => None,
        }
    }

    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        self.lately(Op::Slt, a, b, Terms::build_slt)
    }

    fn build_slt(&mut self, a: Term, b: Term) -> Term {
        self.common_width(Op::Slt, a, b);
        match self.reduce_slt(a, b) {
            Done(result) => result,
            Pair(a, b) => self.node_of(Op::Slt, 1, &[a, b]),
        }
    }

    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        self.lately(Op::Sle, a, b, Terms::build_sle)
    }

    fn build_sle(&mut self, a: Term, b: Term) -> Term {
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

    /// For comparing `x + d` with `c`, signed: the bound `c - d` to compare `x` with, if the sum
    /// never overflows. If the bound is no number of this width, whether it is above all of them.
    fn move_signed(&self, x: Term, d: &Bv, c: &Bv) -> Option<Result<Bv, bool>> {
        let width = self.width(x);
        let facts = self.facts(x);
        // The facts are an unsigned interval; it is a signed one if it does not cross from positive
        // to negative.
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
