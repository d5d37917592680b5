//! `not`, `and`, `or`, `xor`.

use crate::{Bv, Op, Term, Terms};
use smallvec::SmallVec;

/// How deep conditions are looked through for what an equality decides.
const DECISION_DEPTH: u32 = 3;

impl Terms {
    pub fn not(&mut self, a: Term) -> Term {
        self.lately(Op::Not, a, a, |terms, a, _| terms.build_not(a))
    }

    fn build_not(&mut self, a: Term) -> Term {
        let node = *self.node(a);
        let width = node.width;
        match node.op {
            Op::Const | Op::WideConst => {
                if let Some(folded) = self.fold(Op::Not, width, 0, &[a]) {
                    return folded;
                }
            }
            Op::Not => return node.arg(0),
            Op::Ult => return self.ule(node.arg(1), node.arg(0)),
            Op::Ule => return self.ult(node.arg(1), node.arg(0)),
            Op::Slt => return self.sle(node.arg(1), node.arg(0)),
            Op::Sle => return self.slt(node.arg(1), node.arg(0)),
            // -x - 1 is ~x.
            Op::Neg => return self.add_constant(node.arg(0), &Bv::ones(width)),
            Op::Add => {
                if let Some((x, c)) = self.with_constant(a, Op::Add) {
                    let negated = self.neg(x);
                    return self.add_constant(negated, &c.not());
                }
            }
            Op::Xor => {
                if let Some((x, c)) = self.with_constant(a, Op::Xor) {
                    let c = self.constant_bv(&c.not());
                    return self.xor(x, c);
                }
            }
            Op::SExt => {
                let inner = self.not(node.arg(0));
                return self.sext(inner, width);
            }
            Op::And | Op::Or if self.is_free_to_negate(node.arg(0)) && self.is_free_to_negate(node.arg(1)) => {
                let (x, y) = (self.not(node.arg(0)), self.not(node.arg(1)));
                return if node.op == Op::And { self.or(x, y) } else { self.and(x, y) };
            }
            Op::Ite => {
                if let Some(lifted) = self.lift_unary(Op::Not, width, 0, a) {
                    return lifted;
                }
                if self.is_free_to_negate(node.arg(1)) && self.is_free_to_negate(node.arg(2)) {
                    let (x, y) = (self.not(node.arg(1)), self.not(node.arg(2)));
                    return self.ite(node.arg(0), x, y);
                }
            }
            _ => {}
        }
        self.node_of(Op::Not, width, &[a])
    }

    /// Whether the negation takes no more nodes, and needs no look further down.
    fn is_free_to_negate(&self, a: Term) -> bool {
        matches!(self.op(a), Op::Not | Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::Const | Op::WideConst)
    }

    /// Whether `a` is `not(b)`.
    pub(super) fn are_complements(&self, a: Term, b: Term) -> bool {
        let (x, y) = (self.node(a), self.node(b));
        match (x.op, y.op) {
            (Op::Not, _) if x.arg(0) == b => true,
            (_, Op::Not) if y.arg(0) == a => true,
            (Op::Ult, Op::Ule) | (Op::Ule, Op::Ult) | (Op::Slt, Op::Sle) | (Op::Sle, Op::Slt) => {
                x.arg(0) == y.arg(1) && x.arg(1) == y.arg(0)
            }
            // x < k and k - 1 < x.
            (Op::Ult, Op::Ult) | (Op::Slt, Op::Slt) => {
                let adjacent = |above: Term, below: Term| match (self.as_bv(above), self.as_bv(below)) {
                    (Some(above), Some(below)) => above == below.add(&Bv::one(below.width())),
                    _ => false,
                };
                x.arg(0) == y.arg(1) && adjacent(x.arg(1), y.arg(0))
                    || x.arg(1) == y.arg(0) && adjacent(y.arg(1), x.arg(0))
            }
            _ => false,
        }
    }

    pub fn and(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(Op::And, a, b);
        let (a, b) = self.ordered(a, b);
        if a == b {
            return a;
        }
        if let Some(mask) = self.as_bv(b) {
            return self.and_constant(a, &mask);
        }
        if self.are_complements(a, b) {
            return self.zero(width);
        }
        if width == 1
            && let Some(simpler) = self.and_equality(a, b).or_else(|| self.and_equality(b, a))
        {
            return simpler;
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(simpler) = self.join_with(Op::And, x, y) {
                return simpler;
            }
        }
        let (x, y) = (*self.node(a), *self.node(b));
        match (x.op, y.op) {
            (Op::Not, Op::Not) => {
                let either = self.or(x.arg(0), y.arg(0));
                return self.not(either);
            }
            (Op::ZExt, Op::ZExt) if self.width(x.arg(0)) == self.width(y.arg(0)) => {
                let inner = self.and(x.arg(0), y.arg(0));
                return self.zext(inner, width);
            }
            _ => {}
        }
        if width <= 64 && self.facts(a).possible(width) & self.facts(b).possible(width) == 0 {
            return self.zero(width);
        }
        if let Some(lifted) = self.lift_binary(Op::And, width, a, b) {
            return lifted;
        }
        self.node_of(Op::And, width, &[a, b])
    }

    /// `a & b` of width 1, where `a` says that something equals a constant, and `b` compares the
    /// same thing with constants.
    fn and_equality(&mut self, a: Term, b: Term) -> Option<Term> {
        for (x, c) in self.equalities(a) {
            if let Some(simpler) = self.where_equal(b, x, &c, DECISION_DEPTH) {
                return Some(self.and(a, simpler));
            }
        }
        None
    }

    /// `a | b` of width 1, where `a` holds unless something equals a constant, and `b` compares the
    /// same thing with constants.
    fn or_difference(&mut self, a: Term, b: Term) -> Option<Term> {
        let node = *self.node(a);
        if node.op != Op::Not {
            return None;
        }
        for (x, c) in self.equalities(node.arg(0)) {
            if let Some(simpler) = self.where_equal(b, x, &c, DECISION_DEPTH) {
                return Some(self.or(a, simpler));
            }
        }
        None
    }

    /// What equals which constant if `a` holds: `a` itself, or the parts of a conjunction.
    fn equalities(&self, a: Term) -> SmallVec<[(Term, Bv); 2]> {
        let node = self.node(a);
        match node.op {
            Op::Eq => self.with_constant(a, Op::Eq).into_iter().collect(),
            Op::And => node.args().filter_map(|part| self.with_constant(part, Op::Eq)).collect(),
            _ => SmallVec::new(),
        }
    }

    /// A condition where `x` is `c`, if it gets simpler: comparisons of `x` with constants are
    /// decided.
    fn where_equal(&mut self, condition: Term, x: Term, c: &Bv, depth: u32) -> Option<Term> {
        let node = *self.node(condition);
        match node.op {
            Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle => {
                if node.arg(0) != x && node.arg(1) != x {
                    return None;
                }
                let side = |term: Term| if term == x { Some(c.clone()) } else { self.as_bv(term) };
                let (p, q) = (side(node.arg(0))?, side(node.arg(1))?);
                let holds = match node.op {
                    Op::Eq => p == q,
                    Op::Ult => p.ult(&q),
                    Op::Ule => !q.ult(&p),
                    Op::Slt => p.slt(&q),
                    _ => !q.slt(&p),
                };
                Some(if holds { self.tru() } else { self.fals() })
            }
            Op::Not if depth > 0 => {
                let inner = self.where_equal(node.arg(0), x, c, depth - 1)?;
                Some(self.not(inner))
            }
            Op::And | Op::Or if depth > 0 => {
                let (p, q) = (node.arg(0), node.arg(1));
                let (simpler_p, simpler_q) =
                    (self.where_equal(p, x, c, depth - 1), self.where_equal(q, x, c, depth - 1));
                if simpler_p.is_none() && simpler_q.is_none() {
                    return None;
                }
                let (p, q) = (simpler_p.unwrap_or(p), simpler_q.unwrap_or(q));
                Some(self.join(node.op, p, q))
            }
            _ => None,
        }
    }

    /// `a & b` or `a | b`, by what `a` is, if that helps. Neither is a constant.
    fn join_with(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let node = *self.node(a);
        match node.op {
            Op::And | Op::Or => {
                let (x, y) = (node.arg(0), node.arg(1));
                if node.op == op
                    && let Some(c) = self.as_bv(y)
                {
                    let joined = self.join(op, x, b);
                    return Some(if op == Op::And {
                        self.and_constant(joined, &c)
                    } else {
                        self.or_constant(joined, &c)
                    });
                }
                if x == b || y == b {
                    return Some(if node.op == op { a } else { b });
                }
                let rest = match () {
                    () if self.are_complements(x, b) => y,
                    () if self.are_complements(y, b) => x,
                    () => return None,
                };
                Some(if node.op == op { self.join_of_complements(op, node.width) } else { self.join(op, rest, b) })
            }
            Op::Not => {
                let inner = *self.node(node.arg(0));
                if !matches!(inner.op, Op::And | Op::Or) {
                    return None;
                }
                let (x, y) = (inner.arg(0), inner.arg(1));
                let rest = match b {
                    _ if b == x => y,
                    _ if b == y => x,
                    _ => return None,
                };
                // b & ~(b & y) is b & ~y; b & ~(b | y) is 0.
                if inner.op != op {
                    return Some(self.join_of_complements(op, node.width));
                }
                let rest = self.not(rest);
                Some(self.join(op, b, rest))
            }
            Op::SExt if op == Op::And && self.width(node.arg(0)) == 1 => {
                let zero = self.zero(node.width);
                Some(self.ite(node.arg(0), b, zero))
            }
            _ => None,
        }
    }

    fn join(&mut self, op: Op, a: Term, b: Term) -> Term {
        if op == Op::And { self.and(a, b) } else { self.or(a, b) }
    }

    /// A term joined with its complement.
    fn join_of_complements(&mut self, op: Op, width: u32) -> Term {
        if op == Op::And { self.zero(width) } else { self.constant_bv(&Bv::ones(width)) }
    }

    /// `a & mask`.
    pub(super) fn and_constant(&mut self, a: Term, mask: &Bv) -> Term {
        let width = mask.width();
        let mut mask = mask.clone();
        if width <= 64 {
            // Bits that are 0 anyway need no mask.
            let possible = Bv::from_u64(self.facts(a).possible(width), width);
            if possible.and(&mask) == possible {
                return a;
            }
            mask = mask.and(&possible);
        }
        if mask.is_zero() {
            return self.zero(width);
        }
        if mask.is_ones() {
            return a;
        }
        let constant = self.constant_bv(&mask);
        if let Some(folded) = self.fold(Op::And, width, 0, &[a, constant]) {
            return folded;
        }
        if let Some(lifted) = self.lift_binary(Op::And, width, a, constant) {
            return lifted;
        }
        let node = *self.node(a);
        match node.op {
            Op::And => {
                if let Some((x, c)) = self.with_constant(a, Op::And) {
                    return self.and_constant(x, &c.and(&mask));
                }
            }
            // The mask goes inside, the constant stays outside.
            Op::Or => {
                if let Some((x, c)) = self.with_constant(a, Op::Or) {
                    let x = self.and_constant(x, &mask.and(&c.not()));
                    let c = self.constant_bv(&c.and(&mask));
                    return self.or(x, c);
                }
            }
            Op::ZExt => {
                let x = node.arg(0);
                let x = self.and_constant(x, &mask.extract(0, self.width(x)));
                return self.zext(x, width);
            }
            Op::Concat => {
                let (hi, lo) = (node.arg(0), node.arg(1));
                let (mask_hi, mask_lo) = self.halves(&mask, lo);
                if [&mask_hi, &mask_lo].iter().any(|part| part.is_zero() || part.is_ones()) {
                    let hi = self.and_constant(hi, &mask_hi);
                    let lo = self.and_constant(lo, &mask_lo);
                    return self.concat(hi, lo);
                }
            }
            Op::SExt if self.width(node.arg(0)) == 1 => {
                let zero = self.zero(width);
                return self.ite(node.arg(0), constant, zero);
            }
            _ => {}
        }
        let (lo, count) = (mask.trailing_zeros(), mask.count_ones());
        if mask.bit_length() == lo + count {
            return self.slice_in_place(a, lo, count);
        }
        self.node_of(Op::And, width, &[a, constant])
    }

    /// Bits `lo .. lo + count` of a term, all others 0.
    fn slice_in_place(&mut self, a: Term, lo: u32, count: u32) -> Term {
        let width = self.width(a);
        let mut slice = self.extract(a, lo, count);
        if lo > 0 {
            let zero = self.zero(lo);
            slice = self.concat(slice, zero);
        }
        self.zext(slice, width)
    }

    /// A constant cut where a concatenation with this low part is.
    pub(super) fn halves(&self, constant: &Bv, lo: Term) -> (Bv, Bv) {
        let low = self.width(lo);
        (constant.extract(low, constant.width() - low), constant.extract(0, low))
    }

    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(Op::Or, a, b);
        let (a, b) = self.ordered(a, b);
        if a == b {
            return a;
        }
        if let Some(c) = self.as_bv(b) {
            return self.or_constant(a, &c);
        }
        if self.are_complements(a, b) {
            return self.constant_bv(&Bv::ones(width));
        }
        if width == 1
            && let Some(simpler) = self.or_difference(a, b).or_else(|| self.or_difference(b, a))
        {
            return simpler;
        }
        if let Some(joined) = self.join_masked(a, b).or_else(|| self.join_masked(b, a)) {
            return joined;
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(simpler) = self.join_with(Op::Or, x, y) {
                return simpler;
            }
        }
        let (x, y) = (*self.node(a), *self.node(b));
        match (x.op, y.op) {
            (Op::Not, Op::Not) => {
                let both = self.and(x.arg(0), y.arg(0));
                return self.not(both);
            }
            (Op::ZExt, Op::ZExt) if self.width(x.arg(0)) == self.width(y.arg(0)) => {
                let inner = self.or(x.arg(0), y.arg(0));
                return self.zext(inner, width);
            }
            _ => {}
        }
        if let Some(joined) = self.join_disjoint(a, b) {
            return joined;
        }
        if let Some(lifted) = self.lift_binary(Op::Or, width, a, b) {
            return lifted;
        }
        self.node_of(Op::Or, width, &[a, b])
    }

    /// `x & c | x & d` is `x & (c | d)`: a flag that is cleared and put back as it was.
    fn join_masked(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if width > 64 {
            return None;
        }
        let (x, c) = self.with_constant(a, Op::And)?;
        let d = Bv::from_u64(self.facts(b).possible(width), width);
        if !c.and(&d).is_zero() || self.and_constant(x, &d) != b {
            return None;
        }
        Some(self.and_constant(x, &c.or(&d)))
    }

    /// `a | c`.
    fn or_constant(&mut self, a: Term, c: &Bv) -> Term {
        let width = c.width();
        if c.is_ones() {
            return self.constant_bv(c);
        }
        let mut c = c.clone();
        if width <= 64 {
            // Bits that are 1 anyway need not be set.
            c = c.and(&Bv::from_u64(!self.facts(a).ones, width));
        }
        if c.is_zero() {
            return a;
        }
        let constant = self.constant_bv(&c);
        if let Some(folded) = self.fold(Op::Or, width, 0, &[a, constant]) {
            return folded;
        }
        if let Some(lifted) = self.lift_binary(Op::Or, width, a, constant) {
            return lifted;
        }
        let node = *self.node(a);
        match node.op {
            Op::Or => {
                if let Some((x, d)) = self.with_constant(a, Op::Or) {
                    return self.or_constant(x, &c.or(&d));
                }
            }
            Op::ZExt => {
                let x = node.arg(0);
                let (c_hi, c_lo) = self.halves(&c, x);
                let lo = self.or_constant(x, &c_lo);
                let hi = self.constant_bv(&c_hi);
                return self.concat(hi, lo);
            }
            Op::Concat => {
                let (hi, lo) = (node.arg(0), node.arg(1));
                let (c_hi, c_lo) = self.halves(&c, lo);
                let trivial = |part: &Bv| part.is_zero() || part.is_ones();
                if trivial(&c_hi) || trivial(&c_lo) || self.is_const(hi) || self.is_const(lo) {
                    let hi = self.or_constant(hi, &c_hi);
                    let lo = self.or_constant(lo, &c_lo);
                    return self.concat(hi, lo);
                }
            }
            _ => {}
        }
        self.node_of(Op::Or, width, &[a, constant])
    }

    /// Whether slices of this term are simpler than the term.
    fn is_made_of_slices(&self, a: Term) -> bool {
        let node = self.node(a);
        match node.op {
            Op::ZExt | Op::Concat => true,
            Op::Shl | Op::And => self.is_const(node.arg(1)),
            _ => false,
        }
    }

    /// `a | b`, which is `a + b`, when one lies wholly above the other or in a gap of it: bytes
    /// that are put together.
    pub(super) fn join_disjoint(&mut self, a: Term, b: Term) -> Option<Term> {
        if !self.is_made_of_slices(a) || !self.is_made_of_slices(b) {
            return None;
        }
        let width = self.width(a);
        for (high, low) in [(a, b), (b, a)] {
            let cut = self.significant_bits(low);
            if 0 < cut && cut < width && cut <= self.low_zero_bits(high) {
                let hi = self.extract(high, cut, width - cut);
                let lo = self.extract(low, 0, cut);
                return Some(self.concat(hi, lo));
            }
        }
        for (outer, inner) in [(a, b), (b, a)] {
            let node = *self.node(outer);
            match node.op {
                Op::Concat => {
                    let (hi, lo) = (node.arg(0), node.arg(1));
                    let cut = self.width(lo);
                    if self.significant_bits(inner) <= cut && self.fits_in_gap(lo, inner) {
                        let part = self.extract(inner, 0, cut);
                        let lo = self.or(lo, part);
                        return Some(self.concat(hi, lo));
                    }
                    if self.low_zero_bits(inner) >= cut {
                        let part = self.extract(inner, cut, width - cut);
                        let hi = self.or(hi, part);
                        return Some(self.concat(hi, lo));
                    }
                }
                Op::ZExt => {
                    let x = node.arg(0);
                    let cut = self.width(x);
                    if self.significant_bits(inner) <= cut && self.fits_in_gap(x, inner) {
                        let part = self.extract(inner, 0, cut);
                        let x = self.or(x, part);
                        return Some(self.zext(x, width));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Whether no bit can be set in both a term and a wider one.
    fn fits_in_gap(&self, narrow: Term, wide: Term) -> bool {
        let width = self.width(narrow);
        width <= 64 && self.facts(narrow).possible(width) & self.facts(wide).possible(width) == 0
    }

    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(Op::Xor, a, b);
        let (a, b) = self.ordered(a, b);
        if a == b {
            return self.zero(width);
        }
        if let Some(c) = self.as_bv(b) {
            return self.xor_constant(a, &c);
        }
        if self.are_complements(a, b) {
            return self.constant_bv(&Bv::ones(width));
        }
        for (x, y) in [(a, b), (b, a)] {
            let node = *self.node(x);
            match node.op {
                Op::Not => {
                    let rest = self.xor(node.arg(0), y);
                    return self.not(rest);
                }
                Op::Xor => {
                    if let Some(c) = self.as_bv(node.arg(1)) {
                        let rest = self.xor(node.arg(0), y);
                        return self.xor_constant(rest, &c);
                    }
                    if node.arg(0) == y {
                        return node.arg(1);
                    }
                    if node.arg(1) == y {
                        return node.arg(0);
                    }
                }
                _ => {}
            }
        }
        let (x, y) = (*self.node(a), *self.node(b));
        if x.op == Op::ZExt && y.op == Op::ZExt && self.width(x.arg(0)) == self.width(y.arg(0)) {
            let inner = self.xor(x.arg(0), y.arg(0));
            return self.zext(inner, width);
        }
        if let Some(lifted) = self.lift_binary(Op::Xor, width, a, b) {
            return lifted;
        }
        self.node_of(Op::Xor, width, &[a, b])
    }

    /// `a ^ c`.
    fn xor_constant(&mut self, a: Term, c: &Bv) -> Term {
        let width = c.width();
        if c.is_zero() {
            return a;
        }
        if c.is_ones() {
            return self.not(a);
        }
        let constant = self.constant_bv(c);
        if let Some(folded) = self.fold(Op::Xor, width, 0, &[a, constant]) {
            return folded;
        }
        if let Some(lifted) = self.lift_binary(Op::Xor, width, a, constant) {
            return lifted;
        }
        let node = *self.node(a);
        match node.op {
            Op::Xor => {
                if let Some((x, d)) = self.with_constant(a, Op::Xor) {
                    return self.xor_constant(x, &c.xor(&d));
                }
            }
            Op::Not => return self.xor_constant(node.arg(0), &c.not()),
            Op::ZExt => {
                let x = node.arg(0);
                let (c_hi, c_lo) = self.halves(c, x);
                let lo = self.xor_constant(x, &c_lo);
                let hi = self.constant_bv(&c_hi);
                return self.concat(hi, lo);
            }
            Op::Concat => {
                let (hi, lo) = (node.arg(0), node.arg(1));
                let (c_hi, c_lo) = self.halves(c, lo);
                if c_hi.is_zero() || c_lo.is_zero() || self.is_const(hi) || self.is_const(lo) {
                    let hi = self.xor_constant(hi, &c_hi);
                    let lo = self.xor_constant(lo, &c_lo);
                    return self.concat(hi, lo);
                }
            }
            _ => {}
        }
        self.node_of(Op::Xor, width, &[a, constant])
    }
}
