//! Bounds that other bounds imply. A path that went round a loop a thousand times compared the
//! counter, or the input less a number, with a constant in each round; one or two of these
//! conditions say all.
//!
//! A comparison of `t + c` with a number holds of the values of `t` on an *arc*: numbers modulo 2^w
//! are on a circle, and signs and wrapping are no special cases there. If the arcs of a term have
//! one arc in common that two of them make already, the others go.

use crate::Executor;
use crate::paths::state::State;
use espalier_base::bits::mask;
use espalier_expr::{Op, PathCondition, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many numbers from `first` on, and one more, modulo 2^`width`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Arc {
    first: u64,
    more: u64,
    width: u32,
}

impl Arc {
    fn new(first: u64, last: u64, width: u32) -> Arc {
        Arc { first: first & mask(width), more: last.wrapping_sub(first) & mask(width), width }
    }

    fn last(self) -> u64 {
        self.first.wrapping_add(self.more) & mask(self.width)
    }

    /// What both have, if that is one arc.
    fn common(self, other: Arc) -> Option<Arc> {
        let distance = |from: u64, to: u64| to.wrapping_sub(from) & mask(self.width);
        let (to_other, to_self) = (distance(self.first, other.first), distance(other.first, self.first));
        let (begins_inside, holds_begin) = (to_other <= self.more, to_self <= other.more);
        let (first, more) = match (begins_inside, holds_begin) {
            (false, false) => return None,
            (true, false) => (other.first, (self.more - to_other).min(other.more)),
            (false, true) => (self.first, (other.more - to_self).min(self.more)),
            (true, true) if self.first == other.first => (self.first, self.more.min(other.more)),
            // Each begins in the other one: together they go round, and have two pieces in common,
            // unless one is all.
            (true, true) if self.more == mask(self.width) => (other.first, other.more),
            (true, true) if other.more == mask(self.width) => (self.first, self.more),
            (true, true) => return None,
        };
        Some(Arc { first, more, width: self.width })
    }
}

impl Executor {
    /// Leaves out of a path condition bounds on a term that others on the same term imply.
    pub fn drop_implied_bounds(&self, state: &mut State) {
        let conditions = state.path.to_vec();
        let mut bounds: FxHashMap<Term, Vec<(usize, Arc)>> = FxHashMap::default();
        for (index, &condition) in conditions.iter().enumerate() {
            if let Some((term, arc)) = self.arc_of(condition) {
                bounds.entry(term).or_default().push((index, arc));
            }
        }
        let dropped: FxHashSet<usize> = bounds.values().flat_map(|bounds| implied(bounds)).collect();
        if dropped.is_empty() {
            return;
        }
        let is_kept = |index: &usize| !dropped.contains(index);
        let kept: Vec<Term> = (0..conditions.len()).filter(is_kept).map(|index| conditions[index]).collect();
        state.path = PathCondition::of(&self.terms, &kept);
    }

    /// The term that a condition compares with a number, and for which of its values it holds.
    fn arc_of(&self, condition: Term) -> Option<(Term, Arc)> {
        let node = self.terms.node(condition);
        if !matches!(node.op, Op::Slt | Op::Sle | Op::Ult | Op::Ule) {
            return None;
        }
        let (low, high) = (node.arg(0), node.arg(1));
        let width = self.terms.width(low);
        let is_strict = matches!(node.op, Op::Slt | Op::Ult);
        let least = if matches!(node.op, Op::Slt | Op::Sle) { 1u64.checked_shl(width - 1)? } else { 0 };
        let most = least.wrapping_sub(1) & mask(width);
        let (term, arc) = match (self.terms.as_u64(low), self.terms.as_u64(high)) {
            (Some(bound), None) if !is_strict => (high, Arc::new(bound, most, width)),
            (Some(bound), None) if bound != most => (high, Arc::new(bound.wrapping_add(1), most, width)),
            (None, Some(bound)) if !is_strict => (low, Arc::new(least, bound, width)),
            (None, Some(bound)) if bound != least => (low, Arc::new(least, bound.wrapping_sub(1), width)),
            _ => return None,
        };
        let sum = self.terms.node(term);
        let added = (sum.op == Op::Add).then(|| self.terms.as_u64(sum.arg(1))).flatten();
        Some(match added {
            Some(number) => (sum.arg(0), Arc { first: arc.first.wrapping_sub(number) & mask(width), ..arc }),
            None => (term, arc),
        })
    }
}

/// Which of these conditions on one term others of them imply.
fn implied(bounds: &[(usize, Arc)]) -> Vec<usize> {
    let mut arcs = bounds.iter().map(|bound| bound.1);
    let Some(first) = arcs.next() else { return Vec::new() };
    let Some(all) = arcs.try_fold(first, Arc::common) else { return Vec::new() };
    let with = |is_wanted: &dyn Fn(Arc) -> bool| bounds.iter().find(|bound| is_wanted(bound.1));
    let ends = (with(&|arc| arc.first == all.first), with(&|arc| arc.last() == all.last()));
    let (Some(&(low, one)), Some(&(high, other))) = ends else { return Vec::new() };
    if one.common(other) != Some(all) {
        return Vec::new();
    }
    let is_both = one == all;
    let others = bounds.iter().map(|bound| bound.0);
    others.filter(|&index| index != low && (is_both || index != high)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Arc, implied};

    const WIDTH: u32 = 4;

    fn all() -> impl Iterator<Item = Arc> {
        (0..16).flat_map(|first| (0..16).map(move |last| Arc::new(first, last, WIDTH)))
    }

    fn members(arc: Arc) -> u16 {
        (0..=arc.more).map(|k| 1 << (arc.first.wrapping_add(k) % 16)).fold(0, |all, one: u16| all | one)
    }

    #[test]
    fn what_arcs_have_in_common_is_exact() {
        for (one, other) in all().flat_map(|one| all().map(move |other| (one, other))) {
            if let Some(common) = one.common(other) {
                assert_eq!(members(common), members(one) & members(other), "{one:?} {other:?}");
            }
        }
        let one = Arc::new(3, 9, WIDTH);
        assert_eq!(one.common(Arc::new(5, 12, WIDTH)), Some(Arc::new(5, 9, WIDTH)));
    }

    #[test]
    fn what_is_implied_changes_nothing() {
        let some: Vec<Arc> = all().step_by(5).collect();
        let mut dropped = 0;
        for &first in &some {
            for &second in &some {
                for third in [first, second, Arc::new(7, 2, WIDTH), Arc::new(1, 14, WIDTH)] {
                    let bounds = [(0, first), (1, second), (2, third)];
                    let left_out = implied(&bounds);
                    let kept = bounds.iter().filter(|bound| !left_out.contains(&bound.0));
                    let rest = kept.fold(u16::MAX, |all, bound| all & members(bound.1));
                    assert_eq!(rest, members(first) & members(second) & members(third), "{bounds:?}");
                    dropped += left_out.len();
                }
            }
        }
        assert!(dropped > some.len() * some.len());
    }
}
