//! Conditions that compare a term with a constant, as most guards of programs do.

use crate::{Op, Term, Terms};
use espalier_base::bits::{mask, sign_bit};

/// How the term compares with the constant. The orders are of numbers without and with a sign.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Relation {
    Equal,
    Different,
    Unsigned,
    Signed,
}

/// A condition on a term of at most 64 bits, as the values that satisfy it: from `lo` upwards to
/// `hi`, both included, past the greatest number if `hi` is less than `lo`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    pub term: Term,
    pub relation: Relation,
    pub lo: u64,
    pub hi: u64,
}

impl Terms {
    /// The condition as a comparison, if it is one that some value satisfies.
    pub fn comparison(&self, condition: Term) -> Option<Comparison> {
        let node = self.node(condition);
        let (node, negated) = if node.op == Op::Not { (self.node(node.arg(0)), true) } else { (node, false) };
        let (relation, strict) = match node.op {
            Op::Eq if negated => (Relation::Different, false),
            Op::Eq => (Relation::Equal, false),
            Op::Ult => (Relation::Unsigned, true),
            Op::Ule => (Relation::Unsigned, false),
            Op::Slt => (Relation::Signed, true),
            Op::Sle => (Relation::Signed, false),
            _ => return None,
        };
        let (a, b) = (node.arg(0), node.arg(1));
        let width = self.width(a);
        if width > 64 {
            return None;
        }
        let (term, constant, is_above) = match (self.as_u64(a), self.as_u64(b)) {
            (None, Some(constant)) => (a, constant, false),
            (Some(constant), None) => (b, constant, true),
            _ => return None,
        };
        let mask = mask(width);
        let (before, after) = (constant.wrapping_sub(1) & mask, constant.wrapping_add(1) & mask);
        let (least, most) = match relation {
            Relation::Equal => return Some(Comparison { term, relation, lo: constant, hi: constant }),
            Relation::Different => return Some(Comparison { term, relation, lo: after, hi: before }),
            Relation::Unsigned => (0, mask),
            Relation::Signed => (sign_bit(width), mask >> 1),
        };
        // Not t < c is c <= t.
        let (lo, hi) = match (is_above != negated, strict != negated) {
            (false, true) if constant == least => return None,
            (false, true) => (least, before),
            (false, false) => (least, constant),
            (true, true) if constant == most => return None,
            (true, true) => (after, most),
            (true, false) => (constant, most),
        };
        Some(Comparison { term, relation, lo, hi })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Model, SymbolKind};

    #[test]
    fn exactly_the_values_between_the_ends_satisfy_the_condition() {
        let mut terms = Terms::new();
        let x = terms.scalar_var(SymbolKind::Input, "x", 1);
        for constant in 0..256 {
            let c = terms.constant(constant, 8);
            let conditions = [
                terms.eq(x, c),
                terms.ne(x, c),
                terms.ult(x, c),
                terms.ule(x, c),
                terms.ult(c, x),
                terms.ule(c, x),
                terms.slt(x, c),
                terms.sle(x, c),
                terms.slt(c, x),
                terms.sle(c, x),
            ];
            for condition in conditions {
                let Some(Comparison { term, relation, lo, hi }) = terms.comparison(condition) else {
                    assert!(terms.is_const(condition), "no comparison: {}", terms.display(condition));
                    continue;
                };
                assert_eq!(term, x);
                assert!(match relation {
                    Relation::Equal => lo == hi,
                    Relation::Different => hi.wrapping_add(2) & 0xff == lo,
                    Relation::Unsigned => lo <= hi,
                    Relation::Signed => lo ^ 0x80 <= hi ^ 0x80,
                });
                for value in 0..256u64 {
                    let mut model = Model::new();
                    model.set(x, value);
                    let holds = terms.eval(condition, &model).to_u64() == Some(1);
                    let is_between = value.wrapping_sub(lo) & 0xff <= hi.wrapping_sub(lo) & 0xff;
                    assert_eq!(is_between, holds);
                }
            }
        }
    }
}
