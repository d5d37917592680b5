//! Bounds and values that single constraints of a path condition give to terms.
//!
//! A guard compares a term with a constant more often than not, and then later guards on the same term are decided by
//! comparing numbers: `x == 5` refutes `x == 6`, `n < 10` refutes `n >= 20`. Each bound remembers the one constraint it comes
//! from, so a refutation has a core of two. Bounds are kept apart for the unsigned and the signed order.
//!
//! A variable is *fixed* when one constraint equates it, or a concatenation it is part of, with a constant. A condition over
//! fixed variables only has one value, the one it has under the state's model.
//!
//! Both only ever refute: what they would confirm, the state's model has confirmed before.

use espalier_expr::{Op, Term, Terms};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A point to undo to.
#[derive(Copy, Clone)]
pub struct Mark(u32);

#[derive(Copy, Clone, PartialEq, Eq, Hash)]
enum Order {
    Unsigned,
    Signed,
}

/// `lo <= term <= hi`. In the signed order, numbers are biased by half the range, so that they compare as unsigned ones.
struct Interval {
    term: Term,
    order: Order,
    lo: u64,
    hi: u64,
}

#[derive(Copy, Clone)]
struct Bound {
    lo: u64,
    hi: u64,
    /// The constraints that say so; none for what the width says.
    lo_by: Option<Term>,
    hi_by: Option<Term>,
}

enum Undo {
    Bound((Term, Order), Option<Bound>),
    Fixed(Term),
}

#[derive(Default)]
pub struct Bounds {
    bounds: FxHashMap<(Term, Order), Bound>,
    /// Which constraint fixes a variable.
    fixed: FxHashMap<Term, Term>,
    undo: Vec<Undo>,
}

impl Bounds {
    pub fn mark(&self) -> Mark {
        Mark(self.undo.len() as u32)
    }

    pub fn undo(&mut self, mark: Mark) {
        while self.undo.len() > mark.0 as usize {
            match self.undo.pop() {
                Some(Undo::Bound(key, Some(bound))) => drop(self.bounds.insert(key, bound)),
                Some(Undo::Bound(key, None)) => drop(self.bounds.remove(&key)),
                Some(Undo::Fixed(var)) => drop(self.fixed.remove(&var)),
                None => break,
            }
        }
    }

    pub fn add(&mut self, terms: &Terms, constraint: Term) {
        for Interval { term, order, lo, hi } in intervals(terms, constraint) {
            let key = (term, order);
            let old = self.bounds.get(&key).copied();
            let mut bound = old.unwrap_or(Bound { lo: 0, hi: u64::MAX, lo_by: None, hi_by: None });
            if lo > bound.lo {
                (bound.lo, bound.lo_by) = (lo, Some(constraint));
            }
            if hi < bound.hi {
                (bound.hi, bound.hi_by) = (hi, Some(constraint));
            }
            self.bounds.insert(key, bound);
            self.undo.push(Undo::Bound(key, old));
        }
        self.add_fixed(terms, constraint);
    }

    fn add_fixed(&mut self, terms: &Terms, constraint: Term) {
        let Some((mut parts, negated)) = equated(terms, constraint) else { return };
        if negated {
            return;
        }
        while let Some(part) = parts.pop() {
            match terms.op(part) {
                Op::Var => {
                    if self.fixed.try_insert_new(part, constraint) {
                        self.undo.push(Undo::Fixed(part));
                    }
                }
                Op::Concat | Op::ZExt | Op::SExt | Op::Not | Op::Neg => parts.extend(terms.node(part).args()),
                _ => {}
            }
        }
    }

    /// Constraints that, together with `asked`, have no solution.
    pub fn refute(&self, terms: &Terms, asked: Term) -> Option<Vec<Term>> {
        for Interval { term, order, lo, hi } in intervals(terms, asked) {
            let Some(bound) = self.bounds.get(&(term, order)) else { continue };
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
    pub fn fixed_by(&self, vars: &[Term]) -> Option<Vec<Term>> {
        if vars.len() > self.fixed.len() {
            return None;
        }
        let mut by = vars.iter().map(|var| self.fixed.get(var).copied()).collect::<Option<Vec<Term>>>()?;
        by.sort_unstable();
        by.dedup();
        Some(by)
    }
}

trait TryInsertNew {
    fn try_insert_new(&mut self, key: Term, value: Term) -> bool;
}

impl TryInsertNew for FxHashMap<Term, Term> {
    fn try_insert_new(&mut self, key: Term, value: Term) -> bool {
        match self.entry(key) {
            std::collections::hash_map::Entry::Occupied(_) => false,
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(value);
                true
            }
        }
    }
}

/// The side of an equality with a constant that is not the constant, and whether the equality is negated.
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
fn intervals(terms: &Terms, constraint: Term) -> SmallVec<[Interval; 2]> {
    let mut out = SmallVec::new();
    let mut node = terms.node(constraint);
    let mut positive = true;
    if node.op == Op::Not {
        positive = false;
        node = terms.node(node.arg(0));
    }
    let order = match node.op {
        Op::Eq | Op::Ult | Op::Ule => Order::Unsigned,
        Op::Slt | Op::Sle => Order::Signed,
        _ => return out,
    };
    let (a, b) = (node.arg(0), node.arg(1));
    let width = terms.width(a);
    if width > 64 {
        return out;
    }
    let max = u64::MAX >> (64 - width);
    let bias = 1u64 << (width - 1);
    // The term, the constant, and whether the constant is on the left.
    let (term, constant, left) = match (terms.as_u64(a), terms.as_u64(b)) {
        (None, Some(constant)) => (a, constant, false),
        (Some(constant), None) => (b, constant, true),
        _ => return out,
    };
    if node.op == Op::Eq {
        if positive {
            out.push(Interval { term, order: Order::Unsigned, lo: constant, hi: constant });
            out.push(Interval { term, order: Order::Signed, lo: constant ^ bias, hi: constant ^ bias });
        }
        return out;
    }
    let constant = if order == Order::Signed { constant ^ bias } else { constant };
    let strict = matches!(node.op, Op::Ult | Op::Slt);
    // Negation turns the sides round: not (t < c) is c <= t.
    let (below, strict) = if positive { (!left, strict) } else { (left, !strict) };
    let (lo, hi) = match (below, strict) {
        (true, true) if constant == 0 => return out,
        (true, true) => (0, constant - 1),
        (true, false) => (0, constant),
        (false, true) if constant == max => return out,
        (false, true) => (constant + 1, max),
        (false, false) => (constant, max),
    };
    out.push(Interval { term, order, lo, hi });
    out
}
