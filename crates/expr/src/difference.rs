//! Which variables tell terms apart that share most of their parts, at the cost of what they do not
//! share.
//!
//! Arguments are older than the terms that use them. So parts are taken from the youngest to the
//! oldest, each with the terms that it is a part of: when its turn comes, all of these are known. A
//! part of all terms need not be looked into.

use crate::vars::Item;
use crate::{Op, Term, Terms};
use std::collections::BTreeMap;

/// Terms that share parts, by their numbers in the list that was given, and the variables by which
/// they differ.
#[derive(Debug)]
pub struct Related {
    pub terms: Vec<usize>,
    pub differing: Vec<Term>,
}

/// Which terms were found to share parts: the smallest number of each one's set.
#[derive(Clone, PartialEq, Eq)]
struct Sets(Vec<usize>);

impl Sets {
    fn join(&mut self, members: &[usize]) {
        let Some(&least) = members.iter().map(|&member| &self.0[member]).min() else { return };
        for &member in members {
            let old = self.0[member];
            if old != least {
                self.0.iter_mut().filter(|set| **set == old).for_each(|set| *set = least);
            }
        }
    }

    fn size(&self, member: usize) -> usize {
        self.0.iter().filter(|&&set| set == self.0[member]).count()
    }
}

impl Terms {
    /// The terms by which of them share parts, and in each such set at least those variables that
    /// some of its terms have and others do not. Terms that share parts only below what they share
    /// with others may be taken for unrelated.
    pub fn related(&self, roots: &[Term]) -> Vec<Related> {
        let mut known: Option<Sets> = None;
        loop {
            let (sets, differing) = self.share(roots, known.as_ref());
            if known.as_ref() == Some(&sets) {
                let mut related: BTreeMap<usize, Related> = BTreeMap::new();
                for (number, &set) in sets.0.iter().enumerate() {
                    let new = || Related { terms: Vec::new(), differing: Vec::new() };
                    related.entry(set).or_insert_with(new).terms.push(number);
                }
                for (var, owner) in differing {
                    if let Some(related) = related.get_mut(&sets.0[owner]) {
                        related.differing.push(var);
                    }
                }
                return related.into_values().collect();
            }
            known = Some(sets);
        }
    }

    /// Which terms share parts, and the variables, each with one of its terms, that are met before a
    /// part that all terms of a `known` set have; as long as none is known, that any two have.
    fn share(&self, roots: &[Term], known: Option<&Sets>) -> (Sets, Vec<(Term, usize)>) {
        let mut sets = Sets((0..roots.len()).collect());
        let mut differing = Vec::new();
        let mut open: BTreeMap<Term, Vec<usize>> = BTreeMap::new();
        for (number, &root) in roots.iter().enumerate() {
            open.entry(root).or_default().push(number);
        }
        let mut visited = 0;
        while let Some((term, owners)) = open.pop_last() {
            visited += 1;
            sets.join(&owners);
            if owners.len() > 1 && known.is_none_or(|known| known.size(owners[0]) == owners.len()) {
                continue;
            }
            if self.op(term) == Op::Var {
                differing.push((term, owners[0]));
            }
            self.for_each_term_below(term, |part| {
                // Numbers are shared by terms that have nothing to do with each other.
                if self.span_of(part).ends().is_none() {
                    return;
                }
                let others = open.entry(part).or_default();
                others.extend(&owners);
                others.sort_unstable();
                others.dedup();
            });
        }
        self.visited.set(self.visited.get() + visited);
        (sets, differing)
    }

    /// The arguments of a term, and those of the arrays that it reads.
    fn for_each_term_below(&self, term: Term, mut visit: impl FnMut(Term)) {
        let mut stack = vec![Item::Term(term)];
        let mut arrays = Vec::new();
        while let Some(item) = stack.pop() {
            self.for_each_part(item, |part| match part {
                Item::Term(part) => visit(part),
                Item::Array(array) if !arrays.contains(&array) => {
                    arrays.push(array);
                    stack.push(part);
                }
                Item::Array(_) => {}
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{SymbolKind, Term, Terms};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn places(terms: &mut Terms, count: usize) -> Vec<Term> {
        (0..count).map(|number| terms.scalar_var(SymbolKind::Place, &format!("x{number}"), 4)).collect()
    }

    #[test]
    fn what_is_shared_is_not_looked_into() {
        let mut terms = Terms::new();
        let vars = places(&mut terms, 10_000);
        let sum = vars[1..].iter().fold(terms.constant(0, 32), |sum, &var| terms.add(sum, var));
        let (one, with_place) = (terms.constant(1, 32), terms.add(sum, vars[0]));
        let with_number = terms.add(sum, one);
        let other = terms.mul(vars[0], vars[0]);
        let visited = terms.parts_visited();
        let related = terms.related(&[with_place, with_number, sum]);
        assert_eq!(related.len(), 1);
        assert_eq!((&related[0].terms, &related[0].differing), (&vec![0, 1, 2], &vec![vars[0]]));
        assert!(terms.parts_visited() - visited < 100);
        // A term that shares one place with one of them only.
        let related = terms.related(&[with_number, other, sum]);
        assert_eq!(related.iter().map(|set| set.terms.len()).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn numbers_relate_nothing() {
        let mut terms = Terms::new();
        let (vars, one) = (places(&mut terms, 2), terms.constant(1, 32));
        let same = vars.iter().map(|&var| terms.eq(var, one)).collect::<Vec<_>>();
        let related = terms.related(&same);
        assert!(related.iter().all(|set| set.terms.len() == 1) && related.len() == 2, "{related:?}");
    }

    proptest! {
        #[test]
        fn what_some_have_and_others_do_not_differs(
            steps in prop::collection::vec((0..3u8, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..40),
            roots in prop::collection::vec(any::<prop::sample::Index>(), 1..6),
        ) {
            let mut terms = Terms::new();
            let mut made = places(&mut terms, 6);
            for (op, a, b) in steps {
                let (a, b) = (*a.get(&made), *b.get(&made));
                let new = match op {
                    0 => terms.add(a, b),
                    1 => terms.mul(a, b),
                    _ => terms.and(a, b),
                };
                made.push(new);
            }
            let roots: Vec<Term> = roots.iter().map(|root| *root.get(&made)).collect();
            let related = terms.related(&roots);
            let mut all: Vec<usize> = related.iter().flat_map(|set| set.terms.clone()).collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..roots.len()).collect::<Vec<_>>());
            for set in related {
                let vars: Vec<BTreeSet<Term>> =
                    set.terms.iter().map(|&number| terms.vars_of(roots[number]).iter().copied().collect()).collect();
                let any: BTreeSet<Term> = vars.iter().flatten().copied().collect();
                let differing: BTreeSet<Term> = set.differing.iter().copied().collect();
                for var in &any {
                    prop_assert!(vars.iter().all(|vars| vars.contains(var)) || differing.contains(var));
                }
                prop_assert!(differing.is_subset(&any));
            }
        }
    }
}
