//! The execution tree: which paths there are, what tells them apart, and which of them are not
//! finished.
//!
//! A node is a part of a path between two forks (or joins, where paths meet that forked before).
//! Its edge carries a *label*, the choices of the alternative at the fork above: bytes that mean
//! something to whoever made them, the same in every run, and differ among siblings. The labels
//! from the root on are the identity of a path.
//!
//! Only the *open skeleton* is kept: the nodes with something below them that is not finished. A
//! node whose last child is closed is closed with it, and freed at once; so memory follows what is
//! open, and not what was explored. A node has two names: a [`NodeId`], which is never used again,
//! and a [`Slot`], its place in the table, which is. Whoever knows more of a node (the engine its
//! state, the pruner what is learnt there) keeps that in a table of its own by slot.
//!
//! There is one writer, the engine. `live` picks leaves by a random walk, `label` stores labels.

#![forbid(unsafe_code)]

mod label;
mod live;

use espalier_base::Rng;
use label::Labels;
use live::Live;
use smallvec::SmallVec;
use std::fmt;

/// The number of a node, for ever. They grow with age; the root has 0.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u64);

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Where an open node is kept. Used again when it is closed.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot(u32);

impl Slot {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The label of an edge.
pub type Label = SmallVec<[u8; 24]>;

/// What a leaf is. Nodes that are not finished and have no children are leaves.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Leaf {
    /// It has a state, of this number, which may be run next.
    Live(u32),
    /// It has a state that is not to be run now.
    Waiting(u32),
    /// It has none: the path has to be executed again.
    Parked,
}

/// One way on from a fork.
#[derive(Copy, Clone, Debug)]
pub struct Way<'a> {
    pub label: &'a [u8],
    /// The state that goes on there.
    pub state: u32,
}

/// A node below which everything is finished.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Finished {
    pub slot: Slot,
    pub id: NodeId,
    pub parent: Option<Slot>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Kind {
    Fork,
    Join,
    Live,
    Waiting,
    Parked,
}

const NONE: u32 = u32::MAX;

#[derive(Copy, Clone)]
struct Node {
    id: NodeId,
    parent: u32,
    first_child: u32,
    next_sibling: u32,
    /// See [`Labels`].
    label: u32,
    /// Of a fork or join: how many children are open. Of a leaf with a state: its number.
    open: u32,
    kind: Kind,
}

pub struct Tree {
    nodes: Vec<Node>,
    free: Vec<u32>,
    /// How many nodes there ever were.
    made: u64,
    root: u32,
    labels: Labels,
    live: Option<Live>,
}

impl Tree {
    /// A tree with nothing but its root, the leaf of `state`.
    pub fn new(state: u32) -> (Tree, Slot) {
        let mut tree =
            Tree { nodes: Vec::new(), free: Vec::new(), made: 0, root: NONE, labels: Labels::default(), live: None };
        tree.root = tree.add(NONE, &[], state);
        let root = Slot(tree.root);
        (tree, root)
    }

    /// Makes random walks possible, from now on.
    pub fn keep_walks(&mut self) {
        let mut live = Live::default();
        let leaves = self.root().into_iter().flat_map(|root| self.unfinished(root));
        live.insert(leaves.filter(|&leaf| self.node(leaf).kind == Kind::Live).map(|leaf| self.node(leaf).open));
        self.live = Some(live);
    }

    fn add(&mut self, parent: u32, label: &[u8], state: u32) -> u32 {
        let node = Node {
            id: NodeId(self.made),
            parent,
            first_child: NONE,
            next_sibling: NONE,
            label: self.labels.store(label),
            open: state,
            kind: Kind::Live,
        };
        self.made += 1;
        match self.free.pop() {
            Some(slot) => {
                self.nodes[slot as usize] = node;
                slot
            }
            None => {
                self.nodes.push(node);
                u32::try_from(self.nodes.len() - 1).expect("fewer than 2^32 open nodes")
            }
        }
    }

    fn node(&self, slot: Slot) -> &Node {
        &self.nodes[slot.index()]
    }

    fn node_mut(&mut self, slot: Slot) -> &mut Node {
        &mut self.nodes[slot.index()]
    }

    /// `None` when everything is finished.
    pub fn root(&self) -> Option<Slot> {
        slot(self.root)
    }

    pub fn id(&self, node: Slot) -> NodeId {
        self.node(node).id
    }

    /// What a node is, if it is a leaf.
    pub fn leaf(&self, node: Slot) -> Option<Leaf> {
        let Node { kind, open, .. } = *self.node(node);
        match kind {
            Kind::Fork | Kind::Join => None,
            Kind::Live => Some(Leaf::Live(open)),
            Kind::Waiting => Some(Leaf::Waiting(open)),
            Kind::Parked => Some(Leaf::Parked),
        }
    }

    /// The path at a live or waiting leaf forked: the first of the ways is that of its own state,
    /// and the others are live from now on. Gives their leaves.
    ///
    /// # Panics
    /// If there is no way, or the leaf has no state.
    pub fn fork(&mut self, at: Slot, ways: &[Way<'_>]) -> SmallVec<[Slot; 4]> {
        let Node { kind, open: state, .. } = *self.node(at);
        assert!(matches!(kind, Kind::Live | Kind::Waiting), "only a leaf with a state can fork");
        assert_eq!(ways[0].state, state, "the state goes on as the first alternative");
        let mut slots: SmallVec<[Slot; 4]> = SmallVec::new();
        for way in ways {
            let slot = Slot(self.add(at.0, way.label, way.state));
            if let Some(&previous) = slots.last() {
                self.node_mut(previous).next_sibling = slot.0;
            }
            slots.push(slot);
        }
        self.node_mut(slots[0]).kind = kind;
        let node = self.node_mut(at);
        (node.kind, node.open, node.first_child) = (Kind::Fork, slots.len() as u32, slots[0].0);
        debug_assert!(ways.iter().zip(&slots).all(|(way, &slot)| self.child(at, way.label) == Some(slot)));
        if let Some(live) = &mut self.live {
            let others = ways[1..].iter().map(|way| way.state);
            if kind == Kind::Live { live.fork(state, others) } else { live.insert(others) }
        }
        slots
    }

    /// As [`Tree::fork`], for a parked leaf: it is known which ways there are, and that each of
    /// them is parked too.
    ///
    /// # Panics
    /// If there is no way, or the leaf is not parked.
    pub fn fork_parked<'a>(&mut self, at: Slot, labels: impl Iterator<Item = &'a [u8]>) -> SmallVec<[Slot; 4]> {
        assert_eq!(self.node(at).kind, Kind::Parked, "only a parked leaf forks without a state");
        let mut slots: SmallVec<[Slot; 4]> = SmallVec::new();
        for label in labels {
            let slot = Slot(self.add(at.0, label, NONE));
            self.node_mut(slot).kind = Kind::Parked;
            if let Some(&previous) = slots.last() {
                self.node_mut(previous).next_sibling = slot.0;
            }
            slots.push(slot);
        }
        let node = self.node_mut(at);
        (node.kind, node.open, node.first_child) = (Kind::Fork, slots.len() as u32, slots[0].0);
        slots
    }

    /// Forgets all that is below a node, where nothing but parked leaves may be: it is such a leaf
    /// itself from now on. Calls `forgotten` for each node below.
    ///
    /// # Panics
    /// If there is a leaf with a state.
    pub fn cut_back(&mut self, at: Slot, mut forgotten: impl FnMut(Slot)) {
        let mut work: Vec<Slot> = self.children(at).collect();
        while let Some(node) = work.pop() {
            assert!(!matches!(self.node(node).kind, Kind::Live | Kind::Waiting), "{node:?} has a state");
            work.extend(self.children(node));
            forgotten(node);
            self.labels.free(self.node(node).label);
            self.free.push(node.0);
        }
        let node = self.node_mut(at);
        (node.kind, node.open, node.first_child) = (Kind::Parked, NONE, NONE);
    }

    /// The path at a leaf with a state came to where paths meet: it goes on in a node of its own,
    /// the only child. Joins are no choices, and have no part in a path's identity.
    pub fn join(&mut self, at: Slot) -> Slot {
        let Node { kind, open: state, .. } = *self.node(at);
        assert!(matches!(kind, Kind::Live | Kind::Waiting), "only a leaf with a state can come to a join");
        let child = Slot(self.add(at.0, &[], state));
        self.node_mut(child).kind = kind;
        let node = self.node_mut(at);
        (node.kind, node.open, node.first_child) = (Kind::Join, 1, child.0);
        child
    }

    /// Everything at a leaf is done. Calls `finished` for it and each node that it finishes,
    /// deepest first, and frees them.
    pub fn close(&mut self, leaf: Slot, mut finished: impl FnMut(Finished)) {
        self.leave(leaf);
        let mut closing = leaf;
        loop {
            let Node { id, parent, label, .. } = *self.node(closing);
            finished(Finished { slot: closing, id, parent: slot(parent) });
            self.unlink(closing);
            self.labels.free(label);
            self.free.push(closing.0);
            let Some(parent) = slot(parent) else {
                self.root = NONE;
                return;
            };
            let node = self.node_mut(parent);
            node.open -= 1;
            if node.open > 0 {
                return;
            }
            closing = parent;
        }
    }

    /// Takes a node out of its parent's list of children.
    fn unlink(&mut self, node: Slot) {
        let Node { parent, next_sibling, .. } = *self.node(node);
        let Some(parent) = slot(parent) else { return };
        let mut at = self.node(parent).first_child;
        if at == node.0 {
            self.node_mut(parent).first_child = next_sibling;
            return;
        }
        while self.node(Slot(at)).next_sibling != node.0 {
            at = self.node(Slot(at)).next_sibling;
        }
        self.node_mut(Slot(at)).next_sibling = next_sibling;
    }

    /// Undoes what is kept of a leaf for being what it is.
    fn leave(&mut self, leaf: Slot) {
        let Node { kind, open: state, .. } = *self.node(leaf);
        match (kind, &mut self.live) {
            (Kind::Fork | Kind::Join, _) => panic!("{leaf:?} is no leaf"),
            (Kind::Live, Some(live)) => live.remove(state),
            (Kind::Live, None) | (Kind::Waiting | Kind::Parked, _) => {}
        }
    }

    /// The state of a leaf is not to be run now.
    pub fn wait(&mut self, leaf: Slot) {
        self.leave(leaf);
        assert_ne!(self.node(leaf).kind, Kind::Parked, "{leaf:?} has no state");
        self.node_mut(leaf).kind = Kind::Waiting;
    }

    /// The state of a leaf is dropped.
    pub fn park(&mut self, leaf: Slot) {
        self.leave(leaf);
        self.node_mut(leaf).kind = Kind::Parked;
    }

    /// These leaves, which waited or were parked, have states that may be run now. A random walk
    /// comes to them as to children of the root: where they were, chains may be collapsed.
    pub fn wake(&mut self, leaves: &[(Slot, u32)]) {
        for &(leaf, state) in leaves {
            assert_ne!(self.node(leaf).kind, Kind::Live, "{leaf:?} is live");
            self.leave(leaf);
            let node = self.node_mut(leaf);
            (node.kind, node.open) = (Kind::Live, state);
        }
        if let Some(live) = &mut self.live {
            live.insert(leaves.iter().map(|&(_, state)| state));
        }
    }

    /// How many nodes are open.
    pub fn len(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    pub fn is_empty(&self) -> bool {
        self.root == NONE
    }

    /// The open child with this label.
    pub fn child(&self, at: Slot, label: &[u8]) -> Option<Slot> {
        self.children(at).find(|&child| self.labels.is(self.node(child).label, label))
    }

    /// The open children, in the order of the ways.
    pub fn children(&self, at: Slot) -> impl Iterator<Item = Slot> {
        let next = |child: &Slot| slot(self.node(*child).next_sibling);
        std::iter::successors(slot(self.node(at).first_child), next)
    }

    pub fn parent(&self, node: Slot) -> Option<Slot> {
        slot(self.node(node).parent)
    }

    pub fn label(&self, node: Slot) -> Label {
        self.labels.get(self.node(node).label)
    }

    /// Where the path goes on that came to this join, if it is one.
    pub fn behind_join(&self, node: Slot) -> Option<Slot> {
        slot(self.node(node).first_child).filter(|_| self.node(node).kind == Kind::Join)
    }

    /// The labels on the way from the root to a node.
    pub fn prefix(&self, at: Slot) -> Vec<Label> {
        let mut prefix = Vec::new();
        let mut node = self.node(at);
        while let Some(parent) = slot(node.parent) {
            let parent = self.node(parent);
            if parent.kind == Kind::Fork {
                prefix.push(self.labels.get(node.label));
            }
            node = parent;
        }
        prefix.reverse();
        prefix
    }

    /// The leaves at and below a node, depth first.
    pub fn unfinished(&self, below: Slot) -> impl Iterator<Item = Slot> {
        std::iter::successors(Some(self.first_leaf(below)), move |&leaf| {
            let mut at = leaf;
            while at != below {
                let Node { parent, next_sibling, .. } = *self.node(at);
                if let Some(sibling) = slot(next_sibling) {
                    return Some(self.first_leaf(sibling));
                }
                at = Slot(parent);
            }
            None
        })
    }

    fn first_leaf(&self, mut at: Slot) -> Slot {
        while let Some(child) = slot(self.node(at).first_child) {
            at = child;
        }
        at
    }

    /// The state of a live leaf: that at which a random walk from the root ends, where each child
    /// with live leaves below is as likely as its siblings.
    pub fn random_leaf(&self, rng: &mut Rng) -> Option<u32> {
        self.live.as_ref().and_then(|live| live.random_leaf(rng))
    }
}

fn slot(number: u32) -> Option<Slot> {
    (number != NONE).then_some(Slot(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_small() {
        assert_eq!(size_of::<Node>(), 32);
    }

    /// A path that forks `length` times, and whose other alternatives end at once.
    #[test]
    fn what_is_closed_is_freed() {
        let (mut tree, mut at) = Tree::new(0);
        tree.keep_walks();
        for _ in 0..10_000 {
            let slots = tree.fork(at, &[Way { label: &[1], state: 0 }, Way { label: &[0], state: 1 }]);
            tree.close(slots[1], |_| {});
            at = tree.join(slots[0]);
        }
        assert_eq!(tree.len(), 20_001);
        let mut finished = Vec::new();
        tree.close(at, |node| finished.push(node.id));
        assert_eq!(finished.len(), 20_001);
        assert!(finished.is_sorted_by(|deeper, higher| deeper > higher));
        assert!(tree.is_empty());
        assert_eq!(tree.len(), 0);
    }
}
