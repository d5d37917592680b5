//! Clauses: what an interpolant is a set of.
//!
//! A clause is a condition on a state: a term of width 1 over leaves (`espalier_exec::Leaf`).
//! Variables that are no leaves stand for inputs that the program will ask for: the condition is to
//! hold for all of their values. Most conditions compare one term with constants. They are kept as
//! *bounds*, `t` in a (wrapping) interval, because bounds on the same `t` intersect: the thousand
//! guards of a loop are one interval in the end.

use espalier_base::bits::{mask, signed};
use espalier_exec::Executor;
use espalier_expr::{Comparison, Op, Term, Terms};

/// A wrapping interval of the values of a term of at most 64 bits: from `lo` upwards to `hi`, both
/// included.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    pub term: Term,
    pub lo: u64,
    pub hi: u64,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Clause {
    Bound(Bound),
    General(Term),
}

impl Bound {
    /// Is the value in the interval?
    pub fn contains(&self, value: u64, width: u32) -> bool {
        let mask = mask(width);
        value.wrapping_sub(self.lo) & mask <= self.hi.wrapping_sub(self.lo) & mask
    }

    /// The part of both intervals that is around `value`, which is in both.
    pub fn intersect_around(&self, other: &Bound, value: u64, width: u32) -> Bound {
        let mask = mask(width);
        let below = |bound: &Bound| value.wrapping_sub(bound.lo) & mask;
        let above = |bound: &Bound| bound.hi.wrapping_sub(value) & mask;
        let down = below(self).min(below(other));
        let up = above(self).min(above(other));
        Bound { term: self.term, lo: value.wrapping_sub(down) & mask, hi: value.wrapping_add(up) & mask }
    }

    /// The bound as a condition: `t - lo <= hi - lo`.
    pub fn condition(&self, terms: &mut Terms) -> Term {
        let width = terms.width(self.term);
        let lo = terms.constant(self.lo, width);
        let span = terms.constant(self.hi.wrapping_sub(self.lo), width);
        let above = terms.sub(self.term, lo);
        terms.ule(above, span)
    }

    /// A condition as a bound, if it is one.
    pub fn of(terms: &Terms, condition: Term) -> Option<Bound> {
        let Comparison { term, lo, hi, .. } = terms.comparison(condition)?;
        // A bound on `t + k` is one on `t`.
        let node = terms.node(term);
        let mask = mask(node.width);
        let shift = if node.op == Op::Add { terms.as_u64(node.arg(1)) } else { None };
        Some(match shift {
            Some(k) => {
                let down = |value: u64| value.wrapping_sub(k) & mask;
                Bound { term: node.arg(0), lo: down(lo), hi: down(hi) }
            }
            None => Bound { term, lo, hi },
        })
    }
}

impl Clause {
    pub fn of(terms: &Terms, condition: Term) -> Clause {
        Bound::of(terms, condition).map_or(Clause::General(condition), Clause::Bound)
    }

    /// The term whose leaves the clause is about.
    pub fn term(&self) -> Term {
        match self {
            Clause::Bound(bound) => bound.term,
            Clause::General(term) => *term,
        }
    }

    pub fn condition(&self, terms: &mut Terms) -> Term {
        match self {
            Clause::Bound(bound) => bound.condition(terms),
            Clause::General(term) => *term,
        }
    }

    /// For people.
    pub fn display(&self, executor: &Executor) -> String {
        match self {
            Clause::General(term) => executor.terms.display(*term).to_string(),
            Clause::Bound(Bound { term, lo, hi }) => {
                let width = executor.terms.width(*term);
                let signed = |value: u64| signed(value, width);
                let term = executor.terms.display(*term);
                if lo == hi {
                    format!("{term} = {}", signed(*lo))
                } else {
                    format!("{term} in [{}, {}]", signed(*lo), signed(*hi))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Bound;
    use espalier_base::bits::mask;
    use espalier_expr::{Model, SymbolKind, Terms};

    /// Every comparison of `x + k` with a constant, both ways round and negated, is recognised as
    /// the set of values that satisfy it.
    #[test]
    fn bounds_are_the_values_that_satisfy_the_condition() {
        let mut terms = Terms::new();
        let x = terms.scalar_var(SymbolKind::Input, "x", 1);
        let mut recognised = 0;
        for k in [0u64, 1, 5, 127, 128, 250, 255] {
            for c in 0..256u64 {
                for kind in 0..10 {
                    let k = terms.constant(k, 8);
                    let c = terms.constant(c, 8);
                    let sum = terms.add(x, k);
                    let condition = match kind {
                        0 => terms.eq(sum, c),
                        1 => terms.ne(sum, c),
                        2 => terms.ult(sum, c),
                        3 => terms.ule(sum, c),
                        4 => terms.slt(sum, c),
                        5 => terms.sle(sum, c),
                        6 => terms.ult(c, sum),
                        7 => terms.ule(c, sum),
                        8 => terms.slt(c, sum),
                        _ => terms.sle(c, sum),
                    };
                    let Some(bound) = Bound::of(&terms, condition) else {
                        assert!(terms.is_const(condition), "not a bound: {}", terms.display(condition));
                        continue;
                    };
                    recognised += 1;
                    assert_eq!(bound.term, x);
                    let again = bound.condition(&mut terms);
                    for value in 0..256u64 {
                        let mut model = Model::new();
                        model.set(x, value);
                        let holds = terms.eval(condition, &model).to_u64() == Some(1);
                        assert_eq!(bound.contains(value, 8), holds);
                        assert_eq!(terms.eval(again, &model).to_u64() == Some(1), holds);
                    }
                }
            }
        }
        assert!(recognised > 17_000);
    }

    #[test]
    fn intersections_are_in_both_and_around_the_value() {
        let mut terms = Terms::new();
        let term = terms.scalar_var(SymbolKind::Input, "x", 1);
        for (lo, hi, lo2, hi2) in [(0, 10, 5, 20), (250, 5, 0, 254), (200, 100, 90, 210), (7, 7, 3, 9), (10, 8, 4, 8)] {
            let (a, b) = (Bound { term, lo, hi }, Bound { term, lo: lo2, hi: hi2 });
            for value in (0..256).filter(|&v| a.contains(v, 8) && b.contains(v, 8)) {
                let both = a.intersect_around(&b, value, 8);
                assert!(both.contains(value, 8));
                for other in 0..256 {
                    assert!(!both.contains(other, 8) || a.contains(other, 8) && b.contains(other, 8));
                }
                // It is the largest such piece: the next value below is not in both.
                let below = both.lo.wrapping_sub(1) & mask(8);
                let in_both = a.contains(below, 8) && b.contains(below, 8);
                assert!(!in_both || both.contains(below, 8));
            }
        }
    }
}
