//! Model-based test: the tree against a naive one that keeps every node for ever, over random
//! sequences of what an engine does.

use espalier_base::Rng;
use espalier_tree::{Leaf, Slot, Tree, Way};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug)]
enum Action {
    /// The leaf forks into so many more, with labels of this length.
    Fork(usize, usize, usize),
    Join(usize),
    Close(usize),
    Wait(usize),
    Park(usize),
    /// So many leaves that wait or are parked, from this one on, become live.
    Wake(usize, usize),
    /// All that is below the parent of the leaf is forgotten, if it is parked.
    CutBack(usize),
}

fn actions() -> impl Strategy<Value = Vec<Action>> {
    let leaf = any::<usize>;
    let action = prop_oneof![
        5 => (leaf(), 0usize..5, 0usize..9).prop_map(|(leaf, more, length)| Action::Fork(leaf, more, length)),
        2 => leaf().prop_map(Action::Join),
        4 => leaf().prop_map(Action::Close),
        1 => leaf().prop_map(Action::Wait),
        2 => leaf().prop_map(Action::Park),
        1 => (leaf(), 1usize..4).prop_map(|(leaf, count)| Action::Wake(leaf, count)),
        1 => leaf().prop_map(Action::CutBack),
    ];
    prop::collection::vec(action, 1..150)
}

/// A node of the naive tree; its number is its place in the list.
#[derive(Clone, Debug)]
struct Naive {
    parent: Option<usize>,
    label: Option<Vec<u8>>,
    children: Vec<usize>,
    /// What it is, if it is an open leaf.
    leaf: Option<Leaf>,
}

struct Both {
    tree: Tree,
    naive: Vec<Naive>,
    slots: BTreeMap<usize, Slot>,
    free_states: Vec<u32>,
    states: u32,
}

impl Both {
    fn new() -> Both {
        let (mut tree, root) = Tree::new(0);
        tree.keep_walks();
        let naive = vec![Naive { parent: None, label: None, children: Vec::new(), leaf: Some(Leaf::Live(0)) }];
        Both { tree, naive, slots: BTreeMap::from([(0, root)]), free_states: Vec::new(), states: 1 }
    }

    fn new_state(&mut self) -> u32 {
        self.free_states.pop().unwrap_or_else(|| {
            self.states += 1;
            self.states - 1
        })
    }

    fn is_open(&self, node: usize) -> bool {
        self.naive[node].leaf.is_some() || self.naive[node].children.iter().any(|&child| self.is_open(child))
    }

    /// The open leaves below a node, depth first.
    fn leaves(&self, node: usize) -> Vec<usize> {
        match self.naive[node].leaf {
            Some(_) => vec![node],
            None => self.naive[node].children.iter().flat_map(|&child| self.leaves(child)).collect(),
        }
    }

    /// The open nodes below a node.
    fn open_below(&self, node: usize) -> Vec<usize> {
        let open = self.naive[node].children.iter().copied().filter(|&child| self.is_open(child));
        open.flat_map(|child| [vec![child], self.open_below(child)].concat()).collect()
    }

    fn prefix(&self, node: usize) -> Vec<Vec<u8>> {
        let mut prefix = self.naive[node].parent.map(|parent| self.prefix(parent)).unwrap_or_default();
        prefix.extend(self.naive[node].label.clone());
        prefix
    }

    fn add(&mut self, parent: usize, label: Option<Vec<u8>>, leaf: Leaf, slot: Slot) {
        let node = self.naive.len();
        self.naive.push(Naive { parent: Some(parent), label, children: Vec::new(), leaf: Some(leaf) });
        self.naive[parent].children.push(node);
        self.slots.insert(node, slot);
    }

    fn apply(&mut self, action: &Action) {
        let leaves = self.leaves(0);
        let leaf_of = |number: usize| leaves[number % leaves.len()];
        let state_of = |leaf: Leaf| match leaf {
            Leaf::Live(state) | Leaf::Waiting(state) => Some(state),
            Leaf::Parked => None,
        };
        match *action {
            Action::Fork(number, more, length) => {
                let node = leaf_of(number);
                let leaf = self.naive[node].leaf.unwrap();
                let label = |way: usize| [vec![9; length], vec![way as u8]].concat();
                let Some(state) = state_of(leaf) else {
                    let labels: Vec<Vec<u8>> = (0..=more).map(label).collect();
                    let slots = self.tree.fork_parked(self.slots[&node], labels.iter().map(|label| &label[..]));
                    self.naive[node].leaf = None;
                    labels.into_iter().zip(slots).for_each(|(label, slot)| self.add(node, Some(label), leaf, slot));
                    return;
                };
                let mut states = vec![state];
                states.extend((0..more).map(|_| self.new_state()));
                let labels: Vec<Vec<u8>> = (0..states.len()).map(label).collect();
                let ways: Vec<Way<'_>> =
                    labels.iter().zip(&states).map(|(label, &state)| Way { label, state }).collect();
                let slots = self.tree.fork(self.slots[&node], &ways);
                self.naive[node].leaf = None;
                for (index, label) in labels.iter().enumerate() {
                    let leaf = if index == 0 { leaf } else { Leaf::Live(states[index]) };
                    self.add(node, Some(label.clone()), leaf, slots[index]);
                    assert_eq!(self.tree.child(self.slots[&node], label), Some(slots[index]));
                }
            }
            Action::Join(number) => {
                let node = leaf_of(number);
                let leaf = self.naive[node].leaf.unwrap();
                if state_of(leaf).is_some() {
                    let slot = self.tree.join(self.slots[&node]);
                    self.naive[node].leaf = None;
                    self.add(node, None, leaf, slot);
                }
            }
            Action::Close(number) => {
                let node = leaf_of(number);
                self.free_states.extend(self.naive[node].leaf.take().and_then(state_of));
                let mut finished = Vec::new();
                self.tree.close(self.slots[&node], |node| finished.push((node.id.0 as usize, node.slot, node.parent)));
                let mut expected = Vec::new();
                let mut at = Some(node);
                while let Some(node) = at.filter(|&node| !self.is_open(node)) {
                    at = self.naive[node].parent;
                    expected.push((node, self.slots[&node], at.map(|parent| self.slots[&parent])));
                }
                assert_eq!(finished, expected);
                for (node, ..) in finished {
                    self.slots.remove(&node);
                }
            }
            Action::Wait(number) => {
                let node = leaf_of(number);
                if let Some(state) = self.naive[node].leaf.and_then(state_of) {
                    self.tree.wait(self.slots[&node]);
                    self.naive[node].leaf = Some(Leaf::Waiting(state));
                }
            }
            Action::Park(number) => {
                let node = leaf_of(number);
                self.free_states.extend(self.naive[node].leaf.and_then(state_of));
                self.tree.park(self.slots[&node]);
                self.naive[node].leaf = Some(Leaf::Parked);
            }
            Action::CutBack(number) => {
                let Some(node) = self.naive[leaf_of(number)].parent else { return };
                if self.leaves(node).iter().any(|&leaf| self.naive[leaf].leaf != Some(Leaf::Parked)) {
                    return;
                }
                let below: BTreeSet<Slot> = self.open_below(node).iter().map(|below| self.slots[below]).collect();
                let mut forgotten = BTreeSet::new();
                self.tree.cut_back(self.slots[&node], |slot| assert!(forgotten.insert(slot)));
                assert_eq!(forgotten, below);
                for node in self.open_below(node) {
                    self.slots.remove(&node);
                }
                self.naive[node].children.clear();
                self.naive[node].leaf = Some(Leaf::Parked);
            }
            Action::Wake(number, count) => {
                let first = number % leaves.len();
                let mut woken = Vec::new();
                for &node in leaves[first..].iter().take(count) {
                    let state = match self.naive[node].leaf {
                        Some(Leaf::Waiting(state)) => state,
                        Some(Leaf::Parked) => self.new_state(),
                        _ => continue,
                    };
                    self.naive[node].leaf = Some(Leaf::Live(state));
                    woken.push((self.slots[&node], state));
                }
                self.tree.wake(&woken);
            }
        }
    }

    fn check(&self) {
        let leaves = if self.is_open(0) { self.leaves(0) } else { Vec::new() };
        let expected: Vec<Slot> = leaves.iter().map(|leaf| self.slots[leaf]).collect();
        let found: Vec<Slot> = self.tree.root().into_iter().flat_map(|root| self.tree.unfinished(root)).collect();
        assert_eq!(found, expected);
        assert_eq!(self.tree.is_empty(), leaves.is_empty());
        assert_eq!(self.tree.len(), self.slots.len());
        for (&node, &slot) in &self.slots {
            assert_eq!(self.tree.id(slot).0 as usize, node);
            assert_eq!(self.tree.leaf(slot), self.naive[node].leaf);
            let prefix: Vec<Vec<u8>> = self.tree.prefix(slot).iter().map(|label| label.to_vec()).collect();
            assert_eq!(prefix, self.prefix(node));
            let below: Vec<Slot> = self.tree.unfinished(slot).collect();
            assert_eq!(below, self.leaves(node).iter().map(|leaf| self.slots[leaf]).collect::<Vec<Slot>>());
            let children: Vec<usize> =
                self.naive[node].children.iter().copied().filter(|&child| self.is_open(child)).collect();
            let slots: Vec<Slot> = children.iter().map(|child| self.slots[child]).collect();
            assert_eq!(self.tree.children(slot).collect::<Vec<Slot>>(), slots);
            for &child in &self.naive[node].children {
                let label = self.naive[child].label.clone().unwrap_or_default();
                assert_eq!(self.tree.child(slot, &label), self.slots.get(&child).copied());
            }
        }
        let live: Vec<u32> = leaves
            .iter()
            .filter_map(|&leaf| match self.naive[leaf].leaf {
                Some(Leaf::Live(state)) => Some(state),
                _ => None,
            })
            .collect();
        let mut rng = Rng::new(leaves.len() as u64);
        for _ in 0..10 {
            match self.tree.random_leaf(&mut rng) {
                None => assert!(live.is_empty()),
                Some(state) => assert!(live.contains(&state)),
            }
        }
    }
}

proptest! {
    #[test]
    fn the_tree_is_what_a_naive_one_is(actions in actions()) {
        let mut both = Both::new();
        for action in &actions {
            if !both.is_open(0) {
                break;
            }
            both.apply(action);
            both.check();
        }
    }
}
