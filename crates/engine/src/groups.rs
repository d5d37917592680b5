//! Cut paths, approximations and open states, grouped by what a user can do about them: the reason
//! and the place.

use espalier_exec::{Approximation, Cut, CutReason, End};
use espalier_ir::Loc;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::hash::Hash;

/// Why a path is not complete.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum CutKind {
    Limit,
    Unsupported,
    SolverUnknown,
}

impl CutKind {
    /// How a path was cut short, if it was. Any other end stands for everything that could have
    /// followed.
    pub fn of(end: &End) -> Option<(CutKind, &Cut)> {
        match end {
            End::Limit(cut) => Some((CutKind::Limit, cut)),
            End::Unsupported(cut) => Some((CutKind::Unsupported, cut)),
            End::SolverUnknown(cut) => Some((CutKind::SolverUnknown, cut)),
            End::Exit(_) | End::Violation(_) | End::Infeasible | End::Silent => None,
        }
    }
}

/// Paths that were cut for the same reason at the same place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CutGroup {
    pub kind: CutKind,
    pub reason: CutReason,
    pub loc: Loc,
    pub paths: u64,
}

/// Paths that are inexact for the same reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ApproximationGroup {
    pub approximation: Approximation,
    pub paths: u64,
}

/// States that are open at the same place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenGroup {
    pub loc: Loc,
    pub states: u64,
}

/// Counts per key, in the order in which the keys came.
pub(crate) struct Tally<K> {
    index: FxHashMap<K, usize>,
    counts: Vec<(K, u64)>,
}

impl<K> Default for Tally<K> {
    fn default() -> Tally<K> {
        Tally { index: FxHashMap::default(), counts: Vec::new() }
    }
}

impl<K: Clone + Eq + Hash> Tally<K> {
    pub(crate) fn add(&mut self, key: K) {
        let next = self.counts.len();
        let index = *self.index.entry(key.clone()).or_insert(next);
        if index == next {
            self.counts.push((key, 0));
        }
        self.counts[index].1 += 1;
    }

    /// All of them, in the order in which they came.
    pub(crate) fn counts(&self) -> &[(K, u64)] {
        &self.counts
    }

    /// Begins with these.
    pub(crate) fn take_over(&mut self, counts: Vec<(K, u64)>) {
        self.index = counts.iter().enumerate().map(|(index, (key, _))| (key.clone(), index)).collect();
        self.counts = counts;
    }

    /// Most frequent first, first come first among equals.
    fn sorted(&self) -> Vec<(K, u64)> {
        let mut sorted = self.counts.clone();
        sorted.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        sorted
    }
}

#[derive(Default)]
pub(crate) struct Groups {
    pub(crate) cuts: Tally<(CutKind, CutReason, Loc)>,
    pub(crate) approximations: Tally<Approximation>,
    pub(crate) open: Tally<Loc>,
}

impl Groups {
    pub(crate) fn add_cut(&mut self, kind: CutKind, cut: &Cut) {
        self.cuts.add((kind, cut.reason.clone(), cut.loc));
    }

    pub(crate) fn cut_groups(&self) -> Vec<CutGroup> {
        let groups = self.cuts.sorted().into_iter();
        groups.map(|((kind, reason, loc), paths)| CutGroup { kind, reason, loc, paths }).collect()
    }

    pub(crate) fn approximation_groups(&self) -> Vec<ApproximationGroup> {
        let groups = self.approximations.sorted().into_iter();
        groups.map(|(approximation, paths)| ApproximationGroup { approximation, paths }).collect()
    }

    pub(crate) fn open_groups(&self) -> Vec<OpenGroup> {
        self.open.sorted().into_iter().map(|(loc, states)| OpenGroup { loc, states }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_comes_first() {
        let mut tally = Tally::default();
        for key in ["a", "b", "c", "b", "c"] {
            tally.add(key);
        }
        assert_eq!(tally.sorted(), [("b", 2), ("c", 2), ("a", 1)]);
    }
}
