//! A random path through the execution tree: from the root down, each child with open leaves as likely as its siblings
//! (Cadar, Dunbar, Engler: "KLEE", OSDI 2008).
//!
//! A leaf that hangs off n two-way forks is picked with probability 2^-n. That favours shallow states, which have the
//! most freedom left, and keeps a loop that forks at each turn from drowning everything else.
//!
//! Only forks with at least two open children are kept: when a child ends and one sibling is left, the fork is replaced by
//! that sibling. So every subtree in the tree is open, ending a state takes constant time, and the tree never has more
//! inner nodes than leaves. The alternative, counting the open leaves of every node, costs a walk to the root for each end.

use crate::{Metrics, Searcher, StateId, Turn};
use espalier_base::Rng;
use smallvec::{SmallVec, smallvec};

const NONE: u32 = u32::MAX;

enum Kind {
    Leaf(StateId),
    Fork(SmallVec<[u32; 4]>),
}

struct Node {
    parent: u32,
    /// Which of the parent's children this is.
    slot: u32,
    kind: Kind,
}

/// The execution tree of the open states, and a random walk through it.
pub struct RandomPath {
    nodes: Vec<Node>,
    free: Vec<u32>,
    root: u32,
    /// The leaf of each open state.
    leaf: Vec<u32>,
    len: usize,
    rng: Rng,
}

impl RandomPath {
    pub fn new(seed: u64) -> RandomPath {
        RandomPath { nodes: Vec::new(), free: Vec::new(), root: NONE, leaf: Vec::new(), len: 0, rng: Rng::new(seed) }
    }

    fn node(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    fn new_node(&mut self, kind: Kind) -> u32 {
        let node = Node { parent: NONE, slot: 0, kind };
        match self.free.pop() {
            Some(index) => {
                self.nodes[index as usize] = node;
                index
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        }
    }

    fn new_leaf(&mut self, state: StateId) -> u32 {
        let node = self.new_node(Kind::Leaf(state));
        if self.leaf.len() <= state.index() {
            self.leaf.resize(state.index() + 1, NONE);
        }
        let previous = std::mem::replace(&mut self.leaf[state.index()], node);
        assert_eq!(previous, NONE, "{state} is open already");
        self.len += 1;
        node
    }

    /// Puts `new` where `old` was. `old` is left without a place.
    fn replace(&mut self, old: u32, new: u32) {
        let Node { parent, slot, .. } = self.nodes[old as usize];
        let node = self.node(new);
        node.parent = parent;
        node.slot = slot;
        if parent == NONE {
            self.root = new;
        } else if let Kind::Fork(children) = &mut self.node(parent).kind {
            children[slot as usize] = new;
        }
    }

    /// Hangs `leaves` and what is at `place` under a new fork at that place.
    fn fork_at(&mut self, place: u32, leaves: SmallVec<[u32; 4]>) {
        let fork = self.new_node(Kind::Fork(SmallVec::new()));
        self.replace(place, fork);
        let mut children: SmallVec<[u32; 4]> = smallvec![place];
        children.extend(leaves);
        for (slot, &child) in children.iter().enumerate() {
            let node = self.node(child);
            node.parent = fork;
            node.slot = slot as u32;
        }
        self.node(fork).kind = Kind::Fork(children);
    }

    /// Takes a node out of its parent, and the parent out of the tree if one child is left.
    fn detach(&mut self, node: u32) {
        let Node { parent, slot, .. } = self.nodes[node as usize];
        if parent == NONE {
            self.root = NONE;
            return;
        }
        let Kind::Fork(children) = &mut self.node(parent).kind else { unreachable!("a leaf has no children") };
        children.swap_remove(slot as usize);
        let moved = children.get(slot as usize).copied();
        let only = if let [only] = children[..] { Some(only) } else { None };
        if let Some(moved) = moved {
            self.node(moved).slot = slot;
        }
        if let Some(only) = only {
            self.replace(parent, only);
            self.free.push(parent);
        }
    }
}

impl Searcher for RandomPath {
    fn pick(&mut self, _: &dyn Metrics) -> Option<StateId> {
        if self.root == NONE {
            return None;
        }
        let mut at = self.root;
        loop {
            match &self.nodes[at as usize].kind {
                Kind::Leaf(state) => return Some(*state),
                Kind::Fork(children) => at = children[self.rng.below(children.len())],
            }
        }
    }

    fn add(&mut self, _: &dyn Metrics, parent: Option<StateId>, children: &[StateId]) {
        let mut leaves: SmallVec<[u32; 4]> = children.iter().map(|&child| self.new_leaf(child)).collect();
        if leaves.is_empty() {
            return;
        }
        let place = match parent {
            Some(parent) => {
                let leaf = self.leaf.get(parent.index()).copied().filter(|&leaf| leaf != NONE);
                leaf.unwrap_or_else(|| panic!("{parent} is not open"))
            }
            None if self.root == NONE => {
                self.root = leaves.remove(0);
                self.root
            }
            None => self.root,
        };
        if !leaves.is_empty() {
            self.fork_at(place, leaves);
        }
    }

    fn remove(&mut self, state: StateId) {
        let leaf = std::mem::replace(&mut self.leaf[state.index()], NONE);
        assert_ne!(leaf, NONE, "{state} is not open");
        self.detach(leaf);
        self.free.push(leaf);
        self.len -= 1;
    }

    fn update(&mut self, _: &dyn Metrics, _: StateId) {}

    fn len(&self) -> usize {
        self.len
    }

    fn turn(&self) -> Turn {
        Turn::Share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unmeasured;

    fn shares(searcher: &mut RandomPath, states: usize, picks: usize) -> Vec<f64> {
        let mut counts = vec![0; states];
        for _ in 0..picks {
            counts[searcher.pick(&Unmeasured).unwrap().index()] += 1;
        }
        counts.iter().map(|&count| f64::from(count) / picks as f64).collect()
    }

    fn check_shares(searcher: &mut RandomPath, expected: &[f64]) {
        let shares = shares(searcher, expected.len(), 40_000);
        for (share, expected) in shares.iter().zip(expected) {
            assert!((share - expected).abs() < 0.01, "{shares:?}");
        }
    }

    /// A chain in which state 0 forks off 1, 2, … in turn.
    fn chain(length: u32) -> RandomPath {
        let mut searcher = RandomPath::new(3);
        searcher.add(&Unmeasured, None, &[StateId(0)]);
        for child in 1..=length {
            searcher.add(&Unmeasured, Some(StateId(0)), &[StateId(child)]);
        }
        searcher
    }

    #[test]
    fn a_leaf_under_n_forks_has_probability_two_to_the_minus_n() {
        let mut searcher = chain(4);
        check_shares(&mut searcher, &[0.0625, 0.5, 0.25, 0.125, 0.0625]);
    }

    #[test]
    fn a_fork_of_n_ways_shares_equally() {
        let mut searcher = RandomPath::new(9);
        searcher.add(&Unmeasured, None, &[StateId(0)]);
        searcher.add(&Unmeasured, Some(StateId(0)), &[StateId(1), StateId(2), StateId(3)]);
        searcher.add(&Unmeasured, Some(StateId(3)), &[StateId(4)]);
        check_shares(&mut searcher, &[0.25, 0.25, 0.25, 0.125, 0.125]);
    }

    #[test]
    fn a_dead_subtree_leaves_its_share_to_its_siblings() {
        let mut searcher = chain(3);
        searcher.remove(StateId(2));
        check_shares(&mut searcher, &[0.25, 0.5, 0.0, 0.25]);
        searcher.remove(StateId(1));
        check_shares(&mut searcher, &[0.5, 0.0, 0.0, 0.5]);
    }

    #[test]
    fn the_tree_is_no_larger_than_twice_its_leaves() {
        let mut searcher = chain(1);
        for round in 0..10_000 {
            let (dead, new) = if round % 2 == 0 { (1, 2) } else { (2, 1) };
            searcher.add(&Unmeasured, Some(StateId(0)), &[StateId(new)]);
            searcher.remove(StateId(dead));
        }
        assert!(searcher.nodes.len() <= 6, "{}", searcher.nodes.len());
    }
}
