//! `extract`, `concat`, `zext`, `sext`: pieces of values.
//!
//! Memory is bytes, so whatever the program stores is cut up and joined again. The rules are made
//! so that this gives back the same term: an extract goes into an operator only where it gets
//! simpler, and [`Terms::concat`] can tell when two pieces are adjacent even if one of them has
//! been simplified on its own.

use crate::{Bv, Op, Term, Terms};
use espalier_base::bits::mask;
use smallvec::SmallVec;

/// How deep a truncation looks for an operand that gets simpler.
const TRUNCATION_DEPTH: u32 = 3;

impl Terms {
    /// Bits `lo .. lo + width` of `a`.
    pub fn extract(&mut self, a: Term, lo: u32, width: u32) -> Term {
        let node = *self.node(a);
        assert!(width > 0 && lo.checked_add(width).is_some_and(|end| end <= node.width), "bits {lo}+{width} of {a:?}");
        if width == node.width {
            return a;
        }
        match node.op {
            Op::Const | Op::WideConst => {
                if let Some(folded) = self.fold(Op::Extract, width, lo, &[a]) {
                    return folded;
                }
            }
            Op::Extract => return self.extract(node.arg(0), node.number(1) + lo, width),
            Op::Concat => return self.extract_concat(a, lo, width),
            Op::ZExt => {
                let x = node.arg(0);
                let inner = self.width(x);
                if lo >= inner {
                    return self.zero(width);
                }
                let kept = self.extract(x, lo, width.min(inner - lo));
                return self.zext(kept, width);
            }
            Op::SExt => {
                let x = node.arg(0);
                let inner = self.width(x);
                // At least the sign is kept.
                let start = lo.min(inner - 1);
                let kept = self.extract(x, start, width.min(inner - start));
                return self.sext(kept, width);
            }
            Op::Not => {
                let kept = self.extract(node.arg(0), lo, width);
                return self.not(kept);
            }
            Op::And | Op::Or | Op::Xor => {
                if let Some(simple) = self.extract_masked(node.op, a, lo, width) {
                    return simple;
                }
                if let Some(other) = self.only_side(node.op, a, lo, width) {
                    return self.extract(other, lo, width);
                }
            }
            Op::Shl => {
                if let Some((x, k)) = self.with_constant(a, Op::Shl) {
                    // The amount is less than the width.
                    let k = k.fits_u64().unwrap_or(0) as u32;
                    if lo >= k {
                        return self.extract(x, lo - k, width);
                    }
                    if lo + width <= k {
                        return self.zero(width);
                    }
                    let kept = self.extract(x, 0, lo + width - k);
                    let zeros = self.zero(k - lo);
                    return self.concat(kept, zeros);
                }
            }
            Op::Ite => {
                if let Some(lifted) = self.lift_unary(Op::Extract, width, lo, a) {
                    return lifted;
                }
            }
            _ => {}
        }
        if lo == 0 && self.truncates_well(a, TRUNCATION_DEPTH) {
            return self.truncate_operator(a, width);
        }
        self.intern(Op::Extract, width, [a.raw(), lo, 0])
    }

    /// A slice of a concatenation: the slices of those of its pieces that it touches.
    fn extract_concat(&mut self, a: Term, lo: u32, width: u32) -> Term {
        let mut slices: SmallVec<[Term; 8]> = SmallVec::new();
        let (mut rest, mut top) = (Some(a), self.width(a));
        while let (Some(term), true) = (rest, top > lo) {
            // Of right-nested concatenations, no piece is one.
            let node = *self.node(term);
            let (piece, bottom) = match node.op {
                Op::Concat => (node.arg(0), self.width(node.arg(1))),
                _ => (term, 0),
            };
            let (start, end) = (lo.max(bottom), top.min(lo + width));
            if start < end {
                slices.push(self.extract(piece, start - bottom, end - start));
            }
            rest = (node.op == Op::Concat).then(|| node.arg(1));
            top = bottom;
        }
        let lowest = slices.pop().expect("a slice touches a piece");
        slices.into_iter().rev().fold(lowest, |below, slice| self.concat(slice, below))
    }

    /// A slice of `x op c` in which the constant is all zeros or all ones.
    fn extract_masked(&mut self, op: Op, a: Term, lo: u32, width: u32) -> Option<Term> {
        let (x, c) = self.with_constant(a, op)?;
        let part = c.extract(lo, width);
        if !part.is_zero() && !part.is_ones() {
            return None;
        }
        Some(match (op, part.is_zero()) {
            (Op::And, true) | (Op::Or, false) => self.constant_bv(&part),
            (Op::Xor, false) => {
                let kept = self.extract(x, lo, width);
                self.not(kept)
            }
            _ => self.extract(x, lo, width),
        })
    }

    /// The argument of `x | y` or `x ^ y` that these bits come from, if they are known to be 0 in
    /// the other.
    fn only_side(&self, op: Op, a: Term, lo: u32, width: u32) -> Option<Term> {
        let node = self.node(a);
        if !matches!(op, Op::Or | Op::Xor) || node.width > 64 {
            return None;
        }
        let is_zero = |arg: Term| self.facts(arg).possible(node.width) >> lo & mask(width) == 0;
        match (is_zero(node.arg(0)), is_zero(node.arg(1))) {
            (true, _) => Some(node.arg(1)),
            (_, true) => Some(node.arg(0)),
            _ => None,
        }
    }

    /// Whether the low bits of a term are simpler than the term: C's integer promotions, undone.
    fn truncates_well(&self, a: Term, depth: u32) -> bool {
        let node = self.node(a);
        match node.op {
            Op::Add | Op::Mul | Op::Neg | Op::And | Op::Or | Op::Xor if depth > 0 => {
                let good = |arg| {
                    matches!(self.op(arg), Op::Const | Op::WideConst | Op::ZExt | Op::SExt)
                        || self.truncates_well(arg, depth - 1)
                };
                node.args().all(good)
            }
            _ => false,
        }
    }

    /// Truncates the arguments of an operator whose low bits depend on their low bits only.
    fn truncate_operator(&mut self, a: Term, width: u32) -> Term {
        let node = *self.node(a);
        let x = self.extract(node.arg(0), 0, width);
        if node.op == Op::Neg {
            return self.neg(x);
        }
        let y = self.extract(node.arg(1), 0, width);
        match node.op {
            Op::Add => self.add(x, y),
            Op::Mul => self.mul(x, y),
            Op::And => self.and(x, y),
            Op::Or => self.or(x, y),
            Op::Xor => self.xor(x, y),
            op => unreachable!("{op:?} does not truncate"),
        }
    }

    /// `hi` above `lo`.
    pub fn concat(&mut self, hi: Term, lo: Term) -> Term {
        // Nest to the right: put the pieces of `hi` on `lo` one by one, lowest first.
        let mut pieces: SmallVec<[Term; 8]> = SmallVec::new();
        let mut rest = hi;
        while self.op(rest) == Op::Concat {
            pieces.push(self.arg(rest, 0));
            rest = self.arg(rest, 1);
        }
        pieces.push(rest);
        pieces.into_iter().rev().fold(lo, |below, piece| self.concat_piece(piece, below))
    }

    /// `hi` above `lo`, where `hi` is not a concatenation.
    fn concat_piece(&mut self, hi: Term, lo: Term) -> Term {
        let width = self.width(hi) + self.width(lo);
        if let Some(folded) = self.fold(Op::Concat, width, 0, &[hi, lo]) {
            return folded;
        }
        let top = *self.node(hi);
        match top.op {
            Op::ZExt => {
                let inner = self.concat(top.arg(0), lo);
                return self.zext(inner, width);
            }
            Op::SExt => {
                let inner = self.concat(top.arg(0), lo);
                return self.sext(inner, width);
            }
            _ => {}
        }
        let below = *self.node(lo);
        if let Some(value) = self.as_bv(hi) {
            if value.is_zero() {
                return self.zext(lo, width);
            }
            // A constant on top of zeros is a longer constant.
            if below.op == Op::ZExt {
                let constant = Bv::concat(&value, &Bv::zero(below.width - self.width(below.arg(0))));
                let constant = self.constant_bv(&constant);
                return self.concat_piece(constant, below.arg(0));
            }
        }
        if below.op == Op::Concat {
            let (next, rest) = (below.arg(0), below.arg(1));
            if let Some(joined) = self.join_adjacent(hi, next) {
                return self.concat(joined, rest);
            }
        }
        if let Some(joined) = self.join_adjacent(hi, lo) {
            return joined;
        }
        // The low bits of a value above zeros: the value shifted.
        let low_bits = top.op == Op::Extract && top.number(1) == 0;
        if low_bits && self.width(top.arg(0)) == width && self.is_zero(lo) {
            let amount = self.constant_bv(&Bv::from_u64((width - top.width) as u64, width));
            return self.shl(top.arg(0), amount);
        }
        self.node_of(Op::Concat, width, &[hi, lo])
    }

    /// One term for two adjacent pieces, if there is one that is not a concatenation of them.
    fn join_adjacent(&mut self, hi: Term, lo: Term) -> Option<Term> {
        let (top, below) = (*self.node(hi), *self.node(lo));
        let width = top.width + below.width;
        match (top.op, below.op) {
            (Op::Const | Op::WideConst, Op::Const | Op::WideConst) => {
                return self.fold(Op::Concat, width, 0, &[hi, lo]);
            }
            (Op::Extract, Op::Extract)
                if top.arg(0) == below.arg(0) && top.number(1) == below.number(1) + below.width =>
            {
                return Some(self.extract(top.arg(0), below.number(1), width));
            }
            (Op::Not, Op::Not) => {
                let inner = self.concat(top.arg(0), below.arg(0));
                return Some(self.not(inner));
            }
            (Op::Ite, _) | (_, Op::Ite) => {
                if let Some(lifted) = self.lift_binary(Op::Concat, width, hi, lo) {
                    return Some(lifted);
                }
            }
            _ => {}
        }
        // A sign bit on top of its value.
        if top.width == 1 && !self.is_const(hi) {
            let source = if below.op == Op::SExt { below.arg(0) } else { lo };
            let sign = self.width(source) - 1;
            if self.extract(source, sign, 1) == hi {
                return Some(self.sext(source, width));
            }
        }
        // One piece is a slice of a value; is the other what a slice next to it comes to?
        if top.op == Op::Extract
            && self.slices_simplify(top.arg(0), lo)
            && let Some(start) = top.number(1).checked_sub(below.width)
            && self.extract(top.arg(0), start, below.width) == lo
        {
            return Some(self.extract(top.arg(0), start, width));
        }
        if below.op == Op::Extract && self.slices_simplify(below.arg(0), hi) {
            let value = below.arg(0);
            let next = below.number(1) + below.width;
            if next + top.width <= self.width(value) && self.extract(value, next, top.width) == hi {
                return Some(self.extract(value, below.number(1), width));
            }
        }
        None
    }

    /// Whether a slice of `value` may have become `piece`, which is not an extract of it.
    fn slices_simplify(&self, value: Term, piece: Term) -> bool {
        match self.op(value) {
            Op::And | Op::Or | Op::Xor | Op::Shl | Op::Add | Op::Mul | Op::Neg => true,
            // Other slices are only simplified if their bits are known.
            _ => self.is_const(piece) && self.facts(value).zeros | self.facts(value).ones != 0,
        }
    }

    /// What `ZExt` or `SExt` of a term is where their difference does not matter.
    fn extended(&mut self, op: Op, a: Term, width: u32) -> Option<Term> {
        let node = self.node(a);
        assert!(width >= node.width, "{a:?} extended to {width} bits");
        match node.op {
            _ if width == node.width => Some(a),
            Op::Const | Op::WideConst => self.fold(op, width, 0, &[a]),
            Op::Ite => self.lift_unary(op, width, 0, a),
            _ => None,
        }
    }

    /// Extends with zeros.
    pub fn zext(&mut self, a: Term, width: u32) -> Term {
        if let Some(extended) = self.extended(Op::ZExt, a, width) {
            return extended;
        }
        let node = *self.node(a);
        match node.op {
            Op::ZExt => return self.zext(node.arg(0), width),
            // All of the value that is not zero anyway.
            Op::Extract if node.number(1) == 0 && self.significant_bits(node.arg(0)) <= node.width => {
                return self.zext_or_trunc(node.arg(0), width);
            }
            // Constants go outwards, out of a sum that does not wrap around.
            Op::Add if self.is_const(node.arg(1)) && self.stays_in_range(a) => {
                let (x, c) = (self.zext(node.arg(0), width), self.zext(node.arg(1), width));
                return self.add(x, c);
            }
            Op::Add | Op::Mul if self.extends_well(a, TRUNCATION_DEPTH) => {
                let (x, y) = (self.zext(node.arg(0), width), self.zext(node.arg(1), width));
                return if node.op == Op::Add { self.add(x, y) } else { self.mul(x, y) };
            }
            _ => {}
        }
        self.node_of(Op::ZExt, width, &[a])
    }

    /// Whether a sum or product never wraps around.
    fn stays_in_range(&self, a: Term) -> bool {
        let node = self.node(a);
        if node.width > 64 {
            return false;
        }
        let (x, y) = (self.facts(node.arg(0)).hi, self.facts(node.arg(1)).hi);
        let greatest = if node.op == Op::Add { x.checked_add(y) } else { x.checked_mul(y) };
        greatest.is_some_and(|greatest| greatest <= mask(node.width))
    }

    /// The counterpart of [`Terms::truncates_well`], for a sum that was truncated and is zero
    /// above.
    fn extends_well(&self, a: Term, depth: u32) -> bool {
        let node = self.node(a);
        matches!(node.op, Op::Add | Op::Mul)
            && depth > 0
            && self.stays_in_range(a)
            && node.args().all(|arg| {
                matches!(self.op(arg), Op::Const | Op::WideConst | Op::ZExt) || self.extends_well(arg, depth - 1)
            })
    }

    /// Extends with copies of the sign bit.
    pub fn sext(&mut self, a: Term, width: u32) -> Term {
        if let Some(extended) = self.extended(Op::SExt, a, width) {
            return extended;
        }
        let node = *self.node(a);
        if node.op == Op::SExt {
            return self.sext(node.arg(0), width);
        }
        if self.known_sign(a) == Some(false) {
            return self.zext(a, width);
        }
        self.node_of(Op::SExt, width, &[a])
    }

    /// The low `width` bits.
    pub fn trunc(&mut self, a: Term, width: u32) -> Term {
        self.extract(a, 0, width)
    }

    pub fn zext_or_trunc(&mut self, a: Term, width: u32) -> Term {
        if width > self.width(a) { self.zext(a, width) } else { self.trunc(a, width) }
    }

    pub fn sext_or_trunc(&mut self, a: Term, width: u32) -> Term {
        if width > self.width(a) { self.sext(a, width) } else { self.trunc(a, width) }
    }
}
