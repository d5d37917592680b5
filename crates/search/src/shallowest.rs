//! The state with the fewest forks on its path, and the oldest of these.
//!
//! This is breadth first whoever else runs states of the same tree. [`Bfs`](crate::Bfs) is a queue,
//! in which what others forked deep down would stand before what it forked itself. A state that had
//! its turn counts as one fork further on, so that one that loops without forking does not keep the
//! others waiting.

use crate::{Metrics, Searcher, StateId, Turn};
use std::collections::BTreeSet;

#[derive(Default)]
pub(crate) struct Shallowest {
    /// Level, when it came there, and which state it is.
    order: BTreeSet<(u32, u64, StateId)>,
    /// The first two of these for each open state.
    places: Vec<(u32, u64)>,
    now: u64,
}

impl Shallowest {
    pub(crate) fn new() -> Shallowest {
        Shallowest::default()
    }

    fn insert(&mut self, state: StateId, level: u32) {
        if self.places.len() <= state.index() {
            self.places.resize(state.index() + 1, (0, 0));
        }
        self.now += 1;
        self.places[state.index()] = (level, self.now);
        let is_new = self.order.insert((level, self.now, state));
        assert!(is_new, "{state} is open already");
    }

    fn level(&self, state: StateId) -> u32 {
        self.places[state.index()].0
    }
}

impl Searcher for Shallowest {
    fn pick(&mut self, _: &dyn Metrics) -> Option<StateId> {
        self.order.first().map(|&(.., state)| state)
    }

    fn add(&mut self, metrics: &dyn Metrics, _: Option<StateId>, children: &[StateId]) {
        for &child in children {
            self.insert(child, metrics.depth(child));
        }
    }

    fn remove(&mut self, state: StateId) {
        let (level, came) = self.places[state.index()];
        assert!(self.order.remove(&(level, came, state)), "{state} is not open");
    }

    fn update(&mut self, metrics: &dyn Metrics, state: StateId) {
        let level = metrics.depth(state).max(self.level(state).saturating_add(1));
        self.remove(state);
        self.insert(state, level);
    }

    fn len(&self) -> usize {
        self.order.len()
    }

    fn turn(&self) -> Turn {
        Turn::ToTheFork
    }
}
