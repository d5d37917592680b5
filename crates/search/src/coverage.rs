//! Prefers states that reached new code lately.
//!
//! A path that has just entered a part of the program that no other path knows is likely to find
//! more of it. A few states are drawn by chance and the one whose last discovery is the most recent
//! is picked, so that no state is out of the question; a child inherits its parent's discoveries.

use crate::random_state::RandomState;
use crate::{Metrics, Searcher, StateId, Turn};

/// States drawn for one pick.
const DRAWN: usize = 8;

pub struct RecentCoverage {
    states: RandomState,
    /// For each state, when it last reached something new.
    discovered: Vec<u64>,
    now: u64,
}

impl RecentCoverage {
    pub fn new(seed: u64) -> RecentCoverage {
        RecentCoverage { states: RandomState::new(seed), discovered: Vec::new(), now: 0 }
    }
}

impl Searcher for RecentCoverage {
    fn pick(&mut self, metrics: &dyn Metrics) -> Option<StateId> {
        let mut best = self.states.pick(metrics)?;
        for _ in 1..DRAWN.min(self.states.len()) {
            let other = self.states.pick(metrics)?;
            if self.discovered[other.index()] > self.discovered[best.index()] {
                best = other;
            }
        }
        Some(best)
    }

    fn add(&mut self, metrics: &dyn Metrics, parent: Option<StateId>, children: &[StateId]) {
        self.states.add(metrics, parent, children);
        let discovered = parent.map_or(0, |parent| self.discovered[parent.index()]);
        for &child in children {
            if self.discovered.len() <= child.index() {
                self.discovered.resize(child.index() + 1, 0);
            }
            self.discovered[child.index()] = discovered;
        }
    }

    fn remove(&mut self, state: StateId) {
        self.states.remove(state);
    }

    fn update(&mut self, _: &dyn Metrics, _: StateId) {}

    fn covered_new(&mut self, state: StateId, _: u64) {
        self.now += 1;
        self.discovered[state.index()] = self.now;
    }

    fn len(&self) -> usize {
        self.states.len()
    }

    fn turn(&self) -> Turn {
        Turn::Share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unmeasured;

    #[test]
    fn the_latest_discovery_is_picked_most() {
        let mut searcher = RecentCoverage::new(3);
        let states: Vec<StateId> = (0..16).map(StateId).collect();
        searcher.add(&Unmeasured, None, &states);
        searcher.covered_new(StateId(4), 1);
        searcher.covered_new(StateId(9), 1);
        let picks: Vec<StateId> = (0..1000).filter_map(|_| searcher.pick(&Unmeasured)).collect();
        let share = |state: u32| picks.iter().filter(|&&pick| pick == StateId(state)).count();
        assert!(share(9) > 300 && share(4) > 100 && share(4) < share(9), "{} and {}", share(9), share(4));
        assert!(share(0) > 0, "nothing is out of the question");
    }

    #[test]
    fn a_child_inherits_and_a_number_that_is_used_again_does_not() {
        let mut searcher = RecentCoverage::new(3);
        searcher.add(&Unmeasured, None, &[StateId(0), StateId(1)]);
        searcher.covered_new(StateId(0), 1);
        searcher.add(&Unmeasured, Some(StateId(0)), &[StateId(2)]);
        assert_eq!(searcher.discovered, [1, 0, 1]);
        searcher.remove(StateId(2));
        searcher.add(&Unmeasured, Some(StateId(1)), &[StateId(2)]);
        assert_eq!(searcher.discovered, [1, 0, 0]);
    }
}
