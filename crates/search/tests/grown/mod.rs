//! An execution tree that grows as a searcher is told, for random walks.

use espalier_base::Rng;
use espalier_search::StateId;
use espalier_tree::{Slot, Tree, Way};
use std::collections::BTreeMap;

pub struct Grown {
    tree: Tree,
    leaves: BTreeMap<StateId, Slot>,
}

impl Grown {
    /// With these roots.
    pub fn new(roots: &[StateId]) -> Grown {
        let (mut tree, root) = Tree::new(roots[0].0);
        tree.keep_walks();
        let mut grown = Grown { tree, leaves: BTreeMap::from([(roots[0], root)]) };
        if roots.len() > 1 {
            grown.fork(roots[0], &roots[1..]);
        }
        grown
    }

    pub fn fork(&mut self, parent: StateId, children: &[StateId]) {
        let states: Vec<StateId> = std::iter::once(&parent).chain(children).copied().collect();
        let labels: Vec<[u8; 4]> = (0..states.len() as u32).map(u32::to_le_bytes).collect();
        let ways: Vec<Way<'_>> = states.iter().zip(&labels).map(|(id, label)| Way { label, state: id.0 }).collect();
        let slots = self.tree.fork(self.leaves[&parent], &ways);
        self.leaves.extend(states.into_iter().zip(slots));
    }

    pub fn remove(&mut self, state: StateId) {
        let leaf = self.leaves.remove(&state).expect("the state is open");
        self.tree.close(leaf, |_| {});
    }

    pub fn random_leaf(&self, rng: &mut Rng) -> Option<StateId> {
        self.tree.random_leaf(rng).map(StateId)
    }
}
