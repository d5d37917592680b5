//! A random path through the execution tree, from the root down, each alternative of a fork as
//! likely as its siblings (Cadar, Dunbar, Engler: "KLEE", OSDI 2008). The tree walks
//! (`espalier-tree`, `live`); this has the dice.

use crate::{Metrics, Needs, Searcher, StateId, Turn};
use espalier_base::Rng;

/// Picks where a random walk through the execution tree ends.
pub struct RandomPath {
    len: usize,
    rng: Rng,
}

impl RandomPath {
    pub fn new(seed: u64) -> RandomPath {
        RandomPath { len: 0, rng: Rng::new(seed) }
    }
}

impl Searcher for RandomPath {
    fn pick(&mut self, metrics: &dyn Metrics) -> Option<StateId> {
        metrics.random_leaf(&mut self.rng)
    }

    fn add(&mut self, _: &dyn Metrics, _: Option<StateId>, children: &[StateId]) {
        self.len += children.len();
    }

    fn remove(&mut self, _: StateId) {
        self.len -= 1;
    }

    fn update(&mut self, _: &dyn Metrics, _: StateId) {}

    fn needs(&self) -> Needs {
        Needs { walks: true, ..Needs::default() }
    }

    fn len(&self) -> usize {
        self.len
    }

    fn turn(&self) -> Turn {
        Turn::Share
    }
}
