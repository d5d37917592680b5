//! A random open state, each as likely as the others.

use crate::{Metrics, Searcher, StateId, Turn};
use espalier_base::Rng;

const ABSENT: u32 = u32::MAX;

/// Uniform choice among the open states.
pub struct RandomState {
    open: Vec<StateId>,
    /// Where each state stands in `open`.
    position: Vec<u32>,
    rng: Rng,
}

impl RandomState {
    pub fn new(seed: u64) -> RandomState {
        RandomState { open: Vec::new(), position: Vec::new(), rng: Rng::new(seed) }
    }
}

impl Searcher for RandomState {
    fn pick(&mut self, _: &dyn Metrics) -> Option<StateId> {
        if self.open.is_empty() {
            return None;
        }
        Some(self.open[self.rng.below(self.open.len())])
    }

    fn add(&mut self, _: &dyn Metrics, _: Option<StateId>, children: &[StateId]) {
        for &child in children {
            if self.position.len() <= child.index() {
                self.position.resize(child.index() + 1, ABSENT);
            }
            assert_eq!(self.position[child.index()], ABSENT, "{child} is open already");
            self.position[child.index()] = self.open.len() as u32;
            self.open.push(child);
        }
    }

    fn remove(&mut self, state: StateId) {
        let position = std::mem::replace(&mut self.position[state.index()], ABSENT);
        assert_ne!(position, ABSENT, "{state} is not open");
        self.open.swap_remove(position as usize);
        if let Some(moved) = self.open.get(position as usize) {
            self.position[moved.index()] = position;
        }
    }

    fn update(&mut self, _: &dyn Metrics, _: StateId) {}

    fn len(&self) -> usize {
        self.open.len()
    }

    fn turn(&self) -> Turn {
        Turn::Share
    }
}
