//! A random path through the execution tree: from the root down, each child with live leaves as
//! likely as its siblings (Cadar, Dunbar, Engler: "KLEE", OSDI 2008).
//!
//! A leaf that hangs off n two-way forks is picked with probability 2^-n. That favours shallow
//! states, which have the most freedom left, and keeps a loop that forks at each turn from drowning
//! everything else.
//!
//! Only forks with at least two live children are kept here: when a child ends and one sibling is
//! left, the fork is replaced by that sibling. So every subtree has a live leaf, ending a state
//! takes constant time, and there are never more forks than leaves. The alternatives are a walk to
//! the root for each end, to count the live leaves of every node, and walks down a chain of as many
//! nodes as the path has forks.

use espalier_base::Rng;
use smallvec::{SmallVec, smallvec};

const NONE: u32 = u32::MAX;

enum Kind {
    /// The leaf of the state of this number.
    Leaf(u32),
    Fork(SmallVec<[u32; 4]>),
}

struct Node {
    parent: u32,
    /// Which of the parent's children this is.
    position: u32,
    kind: Kind,
}

/// The live leaves, and the forks among which a walk to them has to choose.
pub(crate) struct Live {
    nodes: Vec<Node>,
    free: Vec<u32>,
    root: u32,
    /// The leaf of each live state.
    leaf: Vec<u32>,
}

impl Default for Live {
    fn default() -> Live {
        Live { nodes: Vec::new(), free: Vec::new(), root: NONE, leaf: Vec::new() }
    }
}

impl Live {
    fn node(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    fn new_node(&mut self, kind: Kind) -> u32 {
        let node = Node { parent: NONE, position: 0, kind };
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

    fn new_leaf(&mut self, state: u32) -> u32 {
        let node = self.new_node(Kind::Leaf(state));
        let index = state as usize;
        if self.leaf.len() <= index {
            self.leaf.resize(index + 1, NONE);
        }
        let previous = std::mem::replace(&mut self.leaf[index], node);
        assert_eq!(previous, NONE, "state {state} is live already");
        node
    }

    /// Puts `new` where `old` was. `old` is left without a place.
    fn replace(&mut self, old: u32, new: u32) {
        let Node { parent, position, .. } = self.nodes[old as usize];
        let node = self.node(new);
        (node.parent, node.position) = (parent, position);
        if parent == NONE {
            self.root = new;
        } else if let Kind::Fork(children) = &mut self.node(parent).kind {
            children[position as usize] = new;
        }
    }

    /// Hangs leaves of `states` and what is at `place` under a new fork at that place.
    fn fork_at(&mut self, place: u32, states: impl Iterator<Item = u32>) {
        let mut children: SmallVec<[u32; 4]> = smallvec![place];
        for state in states {
            children.push(self.new_leaf(state));
        }
        if children.len() == 1 {
            return;
        }
        let fork = self.new_node(Kind::Fork(SmallVec::new()));
        self.replace(place, fork);
        for (position, &child) in children.iter().enumerate() {
            let node = self.node(child);
            (node.parent, node.position) = (fork, position as u32);
        }
        self.node(fork).kind = Kind::Fork(children);
    }

    /// `others` were forked from `state`.
    pub(crate) fn fork(&mut self, state: u32, others: impl Iterator<Item = u32>) {
        self.fork_at(self.leaf[state as usize], others);
    }

    /// Puts these beside all others.
    pub(crate) fn insert(&mut self, mut states: impl Iterator<Item = u32>) {
        if self.root == NONE {
            let Some(first) = states.next() else { return };
            self.root = self.new_leaf(first);
        }
        self.fork_at(self.root, states);
    }

    pub(crate) fn remove(&mut self, state: u32) {
        let leaf = std::mem::replace(&mut self.leaf[state as usize], NONE);
        assert_ne!(leaf, NONE, "state {state} is not live");
        self.detach(leaf);
        self.free.push(leaf);
    }

    /// Takes a node out of its parent, and the parent out of the tree if one child is left.
    fn detach(&mut self, node: u32) {
        let Node { parent, position, .. } = self.nodes[node as usize];
        if parent == NONE {
            self.root = NONE;
            return;
        }
        let Kind::Fork(children) = &mut self.node(parent).kind else { unreachable!("a leaf has no children") };
        children.swap_remove(position as usize);
        let moved = children.get(position as usize).copied();
        let only = if let [only] = children[..] { Some(only) } else { None };
        if let Some(moved) = moved {
            self.node(moved).position = position;
        }
        if let Some(only) = only {
            self.replace(parent, only);
            self.free.push(parent);
        }
    }

    pub(crate) fn random_leaf(&self, rng: &mut Rng) -> Option<u32> {
        let mut at = self.nodes.get(self.root as usize)?;
        loop {
            match &at.kind {
                Kind::Leaf(state) => return Some(*state),
                Kind::Fork(children) => at = &self.nodes[children[rng.below(children.len())] as usize],
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_shares(live: &Live, expected: &[f64]) {
        const WALKS: usize = 40_000;
        let mut rng = Rng::new(3);
        let mut counts = vec![0; expected.len()];
        for _ in 0..WALKS {
            counts[live.random_leaf(&mut rng).unwrap() as usize] += 1;
        }
        let shares: Vec<f64> = counts.iter().map(|&count| f64::from(count) / WALKS as f64).collect();
        for (share, expected) in shares.iter().zip(expected) {
            assert!((share - expected).abs() < 0.01, "{shares:?}");
        }
    }

    /// A chain in which state 0 forks off 1, 2, … in turn.
    fn chain(length: u32) -> Live {
        let mut live = Live::default();
        live.insert([0].into_iter());
        for child in 1..=length {
            live.fork(0, [child].into_iter());
        }
        live
    }

    #[test]
    fn a_leaf_under_n_forks_has_probability_two_to_the_minus_n() {
        check_shares(&chain(4), &[0.0625, 0.5, 0.25, 0.125, 0.0625]);
    }

    #[test]
    fn a_fork_of_n_ways_shares_equally() {
        let mut live = Live::default();
        live.insert([0].into_iter());
        live.fork(0, [1, 2, 3].into_iter());
        live.fork(3, [4].into_iter());
        check_shares(&live, &[0.25, 0.25, 0.25, 0.125, 0.125]);
    }

    #[test]
    fn a_dead_subtree_leaves_its_share_to_its_siblings() {
        let mut live = chain(3);
        live.remove(2);
        check_shares(&live, &[0.25, 0.5, 0.0, 0.25]);
        live.remove(1);
        check_shares(&live, &[0.5, 0.0, 0.0, 0.5]);
    }

    #[test]
    fn there_are_no_more_nodes_than_twice_the_leaves() {
        let mut live = chain(1);
        for round in 0..10_000 {
            let (dead, new) = if round % 2 == 0 { (1, 2) } else { (2, 1) };
            live.fork(0, [new].into_iter());
            live.remove(dead);
        }
        assert!(live.nodes.len() <= 6, "{}", live.nodes.len());
    }
}
