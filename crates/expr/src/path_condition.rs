//! What holds of the inputs on a path: a list of constraints that grows at one end.
//!
//! Paths that part share what they have in common, so that a fork costs the same at any depth. Each
//! link knows how many constraints there are up to it, and a digest of them all: whether two path
//! conditions have the same beginning is one comparison, and how much of it they share is found in
//! as many steps as they differ by. The digests are of what the constraints are made of, so they
//! are the same in every process.

use crate::{StructuralHash, Term, Terms};
use std::rc::Rc;

/// A digest of constraints in their order. Two lists have the same one with a chance of 2^-128.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Prefix(StructuralHash);

impl Prefix {
    pub fn to_bits(self) -> u128 {
        self.0.to_bits()
    }
}

#[derive(Clone, Default)]
pub struct PathCondition(Option<Rc<Link>>);

struct Link {
    term: Term,
    /// How many there are up to this one, and their digest.
    len: u32,
    prefix: Prefix,
    earlier: PathCondition,
}

impl PathCondition {
    pub fn new() -> PathCondition {
        PathCondition::default()
    }

    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |link| link.len as usize)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The path condition of these constraints.
    pub fn of(terms: &Terms, constraints: &[Term]) -> PathCondition {
        let mut path = PathCondition::new();
        constraints.iter().for_each(|&constraint| path.push(terms, constraint));
        path
    }

    pub fn push(&mut self, terms: &Terms, term: Term) {
        let len = self.len() as u32 + 1;
        let prefix = Prefix(self.prefix().0.then(terms.structural_hash(term)));
        let earlier = std::mem::take(self);
        self.0 = Some(Rc::new(Link { term, len, prefix, earlier }));
    }

    /// The digest of all constraints.
    pub fn prefix(&self) -> Prefix {
        self.0.as_ref().map_or(Prefix::default(), |link| link.prefix)
    }

    /// The constraints, the latest first.
    pub fn iter(&self) -> impl Iterator<Item = Term> {
        self.links().map(|link| link.term)
    }

    fn links(&self) -> impl Iterator<Item = &Link> {
        std::iter::successors(self.0.as_deref(), |link| link.earlier.0.as_deref())
    }

    /// The constraints behind the first `len`, in their order.
    pub fn since(&self, len: usize) -> Vec<Term> {
        let mut terms: Vec<Term> =
            self.links().take_while(|link| link.len as usize > len).map(|link| link.term).collect();
        terms.reverse();
        terms
    }

    /// All constraints, in their order.
    pub fn to_vec(&self) -> Vec<Term> {
        self.since(0)
    }

    /// How many constraints it has in common with a list of which these are the digests of all
    /// beginnings, but the empty one.
    pub fn common_with(&self, prefixes: &[Prefix]) -> usize {
        let is_common = |link: &&Link| prefixes.get(link.len as usize - 1) == Some(&link.prefix);
        self.links().find(is_common).map_or(0, |link| link.len as usize)
    }

    /// Its digests of all beginnings longer than `len`, in their order.
    pub fn prefixes_since(&self, len: usize) -> Vec<(Term, Prefix)> {
        let newer = self.links().take_while(|link| link.len as usize > len);
        let mut prefixes: Vec<(Term, Prefix)> = newer.map(|link| (link.term, link.prefix)).collect();
        prefixes.reverse();
        prefixes
    }
}

// A long list would otherwise be dropped recursively, one stack frame a link.
impl Drop for PathCondition {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(link) = next {
            next = Rc::into_inner(link).and_then(|mut link| link.earlier.0.take());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Terms;
    use proptest::prelude::*;

    proptest! {
        /// Lists that share some of their beginning agree with vectors.
        #[test]
        fn agrees_with_vectors(
            shared in proptest::collection::vec(0u64..4, 0..40),
            left in proptest::collection::vec(0u64..4, 0..20),
            right in proptest::collection::vec(0u64..4, 0..20),
        ) {
            let mut terms = Terms::new();
            let mut make = |numbers: &[u64]| -> Vec<Term> { numbers.iter().map(|&n| terms.constant(n, 8)).collect() };
            let (shared, left, right) = (make(&shared), make(&left), make(&right));
            let trunk = PathCondition::of(&terms, &shared);
            let (mut a, mut b) = (trunk.clone(), trunk.clone());
            left.iter().for_each(|&term| a.push(&terms, term));
            right.iter().for_each(|&term| b.push(&terms, term));
            let (whole_a, whole_b) = ([&shared[..], &left].concat(), [&shared[..], &right].concat());
            prop_assert_eq!(a.to_vec(), whole_a.clone());
            prop_assert_eq!(a.len(), whole_a.len());
            prop_assert_eq!(a.since(shared.len()), left);
            prop_assert_eq!(trunk.to_vec(), shared);
            let prefixes: Vec<Prefix> = b.prefixes_since(0).into_iter().map(|(_, prefix)| prefix).collect();
            let common = whole_a.iter().zip(&whole_b).take_while(|(x, y)| x == y).count();
            prop_assert_eq!(a.common_with(&prefixes), common);
            prop_assert_eq!(a.prefix() == b.prefix(), whole_a == whole_b);
        }
    }
}
