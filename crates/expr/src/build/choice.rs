//! `ite`.

use crate::{Op, Term, Terms};

impl Terms {
    /// `a` if `condition` (of width 1) is true, else `b`.
    pub fn ite(&mut self, condition: Term, a: Term, b: Term) -> Term {
        assert_eq!(self.width(condition), 1, "a condition of another width");
        let width = self.common_width(Op::Ite, a, b);
        if a == b {
            return a;
        }
        if let Some(value) = self.as_u64(condition) {
            return if value != 0 { a } else { b };
        }
        let test = *self.node(condition);
        match test.op {
            // Of a condition and its negation, the one with fewer nodes, or else the strict one.
            Op::Not => return self.ite(test.arg(0), b, a),
            Op::Ule => {
                let condition = self.node_of(Op::Ult, 1, &[test.arg(1), test.arg(0)]);
                return self.ite(condition, b, a);
            }
            Op::Sle => {
                let condition = self.node_of(Op::Slt, 1, &[test.arg(1), test.arg(0)]);
                return self.ite(condition, b, a);
            }
            // x == y ? x : y is y, and x == y ? y : x is x.
            Op::Eq if [a, b] == [test.arg(0), test.arg(1)] || [b, a] == [test.arg(0), test.arg(1)] => {
                return b;
            }
            _ => {}
        }
        if width == 1
            && let Some(simple) = self.ite_of_booleans(condition, a, b)
        {
            return simple;
        }
        if let Some(simple) = self.ite_nested(condition, a, b) {
            return simple;
        }
        if let Some(simple) = self.ite_of_extensions(condition, a, b) {
            return simple;
        }
        self.node_of(Op::Ite, width, &[condition, a, b])
    }

    /// With a constant, the condition or its negation on one side, a choice between truth values is
    /// an `and` or an `or`.
    fn ite_of_booleans(&mut self, condition: Term, a: Term, b: Term) -> Option<Term> {
        let (tru, fals) = (self.tru(), self.fals());
        if self.are_complements(a, b) {
            return Some(self.eq(condition, a));
        }
        Some(if a == tru || a == condition {
            self.or(condition, b)
        } else if b == fals || b == condition {
            self.and(condition, a)
        } else if a == fals || self.are_complements(a, condition) {
            let other = self.not(condition);
            self.and(other, b)
        } else if b == tru || self.are_complements(b, condition) {
            let other = self.not(condition);
            self.or(other, a)
        } else {
            return None;
        })
    }

    /// Choices in choices by the same condition, or between the same values.
    fn ite_nested(&mut self, condition: Term, a: Term, b: Term) -> Option<Term> {
        let (yes, no) = (*self.node(a), *self.node(b));
        if yes.op == Op::Ite {
            if yes.arg(0) == condition {
                return Some(self.ite(condition, yes.arg(1), b));
            }
            if yes.arg(2) == b {
                let both = self.and(condition, yes.arg(0));
                return Some(self.ite(both, yes.arg(1), b));
            }
            if yes.arg(1) == b {
                let inner = self.not(yes.arg(0));
                let both = self.and(condition, inner);
                return Some(self.ite(both, yes.arg(2), b));
            }
        }
        if no.op == Op::Ite {
            if no.arg(0) == condition {
                return Some(self.ite(condition, a, no.arg(2)));
            }
            if no.arg(1) == a {
                let either = self.or(condition, no.arg(0));
                return Some(self.ite(either, a, no.arg(2)));
            }
            if no.arg(2) == a {
                let inner = self.not(no.arg(0));
                let either = self.or(condition, inner);
                return Some(self.ite(either, a, no.arg(1)));
            }
        }
        None
    }

    /// Choices between extensions are extensions of a narrower choice, and `c ? 1 : 0` is an
    /// extension of `c`.
    fn ite_of_extensions(&mut self, condition: Term, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        let (yes, no) = (*self.node(a), *self.node(b));
        match (self.as_bv(a), self.as_bv(b)) {
            (Some(x), Some(y)) => {
                if y.is_zero() && x.is_one() {
                    return Some(self.zext(condition, width));
                }
                if y.is_zero() && x.is_ones() {
                    return Some(self.sext(condition, width));
                }
                if x.is_zero() && (y.is_one() || y.is_ones()) {
                    let other = self.not(condition);
                    return Some(if y.is_one() { self.zext(other, width) } else { self.sext(other, width) });
                }
                return None;
            }
            (Some(c), None) | (None, Some(c)) => {
                let constant_first = self.is_const(a);
                let extended = if constant_first { no } else { yes };
                let signed = match extended.op {
                    Op::ZExt => false,
                    Op::SExt => true,
                    _ => return None,
                };
                let x = extended.arg(0);
                let low = c.extract(0, self.width(x));
                let back = if signed { low.sext(width) } else { low.zext(width) };
                if back != c {
                    return None;
                }
                let low = self.constant_bv(&low);
                let narrow = if constant_first { self.ite(condition, low, x) } else { self.ite(condition, x, low) };
                return Some(if signed { self.sext(narrow, width) } else { self.zext(narrow, width) });
            }
            (None, None) => {}
        }
        let alike = matches!(yes.op, Op::ZExt | Op::SExt) && yes.op == no.op;
        if !alike || self.width(yes.arg(0)) != self.width(no.arg(0)) {
            return None;
        }
        let narrow = self.ite(condition, yes.arg(0), no.arg(0));
        Some(if yes.op == Op::ZExt { self.zext(narrow, width) } else { self.sext(narrow, width) })
    }
}
