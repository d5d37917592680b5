//! Bounds and values that single constraints of a path condition give to terms.
//!
//! A guard compares a term with a constant more often than not, and then later guards on the same
//! term are decided by comparing numbers: `x == 5` refutes `x == 6`, `n < 10` refutes `n >= 20`.
//! Each bound remembers the one constraint it comes from, so a refutation has a core of two. Bounds
//! are kept apart for the unsigned and the signed order.
//!
//! A variable is *fixed* when one constraint equates it, or a concatenation it is part of, with a
//! constant. A condition over fixed variables only has one value, the one it has under the state's
//! model.
//!
//! Both only ever refute: what they would confirm, the state's model has confirmed before.

use crate::digest::{Digest, Limits};
use espalier_base::bits::sign_bit;
use espalier_expr::{Comparison, Op, Relation, Term, Terms};
use smallvec::{SmallVec, smallvec};

/// A point to undo to.
#[derive(Copy, Clone)]
pub struct Mark(u32);

#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub enum Order {
    Unsigned,
    Signed,
}

/// `lo <= term <= hi`. In the signed order, numbers are biased by half the range, so that they
/// compare as unsigned ones.
pub struct Interval {
    pub term: Term,
    pub order: Order,
    pub lo: u64,
    pub hi: u64,
}

#[derive(Copy, Clone)]
struct Bound {
    lo: u64,
    hi: u64,
    /// The constraints that say so; none for what the width says.
    lo_by: Option<Term>,
    hi_by: Option<Term>,
}

impl Bound {
    const NONE: Bound = Bound { lo: 0, hi: u64::MAX, lo_by: None, hi_by: None };
}

enum Undo {
    Bound(u32, Bound),
    Fixed(u32),
}

/// Terms and variables are given by their numbers; see `digest`.
#[derive(Default)]
pub struct Bounds {
    bounds: Vec<Bound>,
    /// Which constraint fixes a variable, and how many it does for.
    fixed: Vec<Option<Term>>,
    fixed_count: usize,
    undo: Vec<Undo>,
}

impl Bounds {
    pub fn mark(&self) -> Mark {
        Mark(self.undo.len() as u32)
    }

    pub fn undo(&mut self, mark: Mark) {
        while self.undo.len() > mark.0 as usize {
            match self.undo.pop() {
                Some(Undo::Bound(bounded, bound)) => self.bounds[bounded as usize] = bound,
                Some(Undo::Fixed(var)) => {
                    self.fixed[var as usize] = None;
                    self.fixed_count -= 1;
                }
                None => break,
            }
        }
    }

    /// Makes room for terms and variables with numbers below these.
    pub fn grow(&mut self, bounded: usize, vars: usize) {
        self.bounds.resize(bounded.max(self.bounds.len()), Bound::NONE);
        self.fixed.resize(vars.max(self.fixed.len()), None);
    }

    pub fn add(&mut self, constraint: Term, digest: &Digest) {
        for &Limits { bounded, lo, hi } in &digest.limits {
            let bound = &mut self.bounds[bounded as usize];
            self.undo.push(Undo::Bound(bounded, *bound));
            if lo > bound.lo {
                (bound.lo, bound.lo_by) = (lo, Some(constraint));
            }
            if hi < bound.hi {
                (bound.hi, bound.hi_by) = (hi, Some(constraint));
            }
        }
        for &var in &digest.fixed {
            // The first constraint that fixes it will do.
            if self.fixed[var as usize].is_none() {
                self.fixed[var as usize] = Some(constraint);
                self.fixed_count += 1;
                self.undo.push(Undo::Fixed(var));
            }
        }
    }

    /// Constraints that, together with `asked`, have no solution.
    pub fn refute(&self, asked: Term, digest: &Digest) -> Option<Vec<Term>> {
        for &Limits { bounded, lo, hi } in &digest.limits {
            let bound = &self.bounds[bounded as usize];
            let by = match () {
                () if lo > bound.hi => bound.hi_by,
                () if hi < bound.lo => bound.lo_by,
                () => continue,
            };
            return Some(by.into_iter().chain([asked]).collect());
        }
        None
    }

    /// If one constraint each fixes all of `vars`: those constraints.
    pub fn fixed_by(&self, vars: &[u32]) -> Option<Vec<Term>> {
        if vars.len() > self.fixed_count {
            return None;
        }
        let mut by = vars.iter().map(|&var| self.fixed[var as usize]).collect::<Option<Vec<Term>>>()?;
        by.sort_unstable();
        by.dedup();
        Some(by)
    }
}

/// The variables that a constraint leaves one value for, because it equates them or a concatenation
/// that they are part of with a constant.
pub fn fixed(terms: &Terms, constraint: Term) -> Vec<Term> {
    let mut fixed = Vec::new();
    let Some((mut parts, false)) = equated(terms, constraint) else { return fixed };
    while let Some(part) = parts.pop() {
        match terms.op(part) {
            Op::Var if fixed.contains(&part) => {}
            Op::Var => fixed.push(part),
            Op::Concat | Op::ZExt | Op::SExt | Op::Not | Op::Neg => parts.extend(terms.node(part).args()),
            _ => {}
        }
    }
    fixed
}

/// The side of an equality with a constant that is not the constant, and whether the equality is
/// negated.
fn equated(terms: &Terms, constraint: Term) -> Option<(SmallVec<[Term; 8]>, bool)> {
    let node = terms.node(constraint);
    match node.op {
        Op::Eq if terms.is_const(node.arg(1)) => Some((SmallVec::from_slice(&[node.arg(0)]), false)),
        Op::Eq if terms.is_const(node.arg(0)) => Some((SmallVec::from_slice(&[node.arg(1)]), false)),
        // A width-1 variable, or its negation, is an equality itself.
        Op::Var => Some((SmallVec::from_slice(&[constraint]), false)),
        Op::Not => Some((SmallVec::from_slice(&[node.arg(0)]), terms.op(node.arg(0)) != Op::Var)),
        _ => None,
    }
}

/// The intervals a constraint puts terms in; at most two, and each is implied by it.
pub fn intervals(terms: &Terms, constraint: Term) -> SmallVec<[Interval; 2]> {
    let Some(Comparison { term, relation, lo, hi }) = terms.comparison(constraint) else { return SmallVec::new() };
    let bias = sign_bit(terms.width(term));
    let unsigned = Interval { term, order: Order::Unsigned, lo, hi };
    let signed = Interval { term, order: Order::Signed, lo: lo ^ bias, hi: hi ^ bias };
    match relation {
        Relation::Equal => smallvec![unsigned, signed],
        Relation::Different => SmallVec::new(),
        Relation::Unsigned => smallvec![unsigned],
        Relation::Signed => smallvec![signed],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Digests;
    use espalier_expr::{Evaluator, Model, SymbolKind};

    /// Whatever is refuted has no solution, and comparisons that two bounds decide are refuted.
    #[test]
    fn refutations_are_right_and_complete_for_comparisons() {
        let mut terms = Terms::new();
        let x = terms.scalar_var(SymbolKind::Input, "x", 1);
        let mut constraints = Vec::new();
        for value in [0, 1, 5, 127, 128, 129, 200, 254, 255] {
            let c = terms.constant(value, 8);
            let made = [
                terms.eq(x, c),
                terms.ult(x, c),
                terms.ule(x, c),
                terms.ult(c, x),
                terms.ule(c, x),
                terms.slt(x, c),
                terms.sle(x, c),
                terms.slt(c, x),
                terms.sle(c, x),
            ];
            constraints.extend(made);
            constraints.extend(made.map(|c| terms.not(c)));
        }
        constraints.retain(|&c| !terms.is_const(c));
        let mut refuted = 0;
        for &a in &constraints {
            for &b in &constraints {
                let mut digests = Digests::default();
                let [digest_a, digest_b] = [a, b].map(|c| digests.number(&terms, c));
                let mut bounds = Bounds::default();
                bounds.grow(digests.bounded(), digests.vars());
                let mark = bounds.mark();
                bounds.add(a, digests.get(digest_a));
                let core = bounds.refute(b, digests.get(digest_b));
                let satisfiable = (0..256u64).any(|value| {
                    let mut model = Model::new();
                    model.set(x, value);
                    let mut evaluator = Evaluator::new(model);
                    evaluator.eval_bool(&terms, a) && evaluator.eval_bool(&terms, b)
                });
                if let Some(core) = core {
                    assert!(!satisfiable, "{} and {}", terms.display(a), terms.display(b));
                    assert_eq!(core, [a, b]);
                    refuted += 1;
                }
                bounds.undo(mark);
                assert_eq!(bounds.refute(b, digests.get(digest_b)), None);
            }
        }
        assert!(refuted > 1000, "only {refuted}");
    }
}
