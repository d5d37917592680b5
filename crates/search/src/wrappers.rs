//! What changes how another searcher is used: batching and iterative deepening, both as KLEE has them.
//!
//! KLEE measures both by the clock. Here time is what the work of a run would take on a machine of a fixed speed ([`Metrics::turn_cost`]), so that the same command
//! gives the same run.

use crate::{Batch, Metrics, Needs, Searcher, StateId, Turn};
use std::collections::BTreeSet;
use std::time::Duration;

/// Lets a picked state run for a batch of instructions, whatever the searcher that picks would have.
pub struct Batching {
    inner: Box<dyn Searcher>,
    batch: Batch,
}

impl Batching {
    pub fn new(inner: Box<dyn Searcher>, batch: Batch) -> Batching {
        Batching { inner, batch }
    }
}

impl Searcher for Batching {
    fn pick(&mut self, metrics: &dyn Metrics) -> Option<StateId> {
        self.inner.pick(metrics)
    }

    fn add(&mut self, metrics: &dyn Metrics, parent: Option<StateId>, children: &[StateId]) {
        self.inner.add(metrics, parent, children);
    }

    fn remove(&mut self, state: StateId) {
        self.inner.remove(state);
    }

    fn update(&mut self, metrics: &dyn Metrics, state: StateId) {
        self.inner.update(metrics, state);
    }

    fn covered_new(&mut self, state: StateId, blocks: u64) {
        self.inner.covered_new(state, blocks);
    }

    fn distances_changed(&mut self, metrics: &dyn Metrics) {
        self.inner.distances_changed(metrics);
    }

    fn needs(&self) -> Needs {
        self.inner.needs()
    }

    fn len(&self) -> usize {
        self.inner.len()
    }

    fn turn(&self) -> Turn {
        Turn::Batch(self.batch)
    }
}

/// A state whose turn took longer than the limit waits until the others are done; then the limit is doubled.
pub struct IterativeDeepening {
    inner: Box<dyn Searcher>,
    waiting: BTreeSet<StateId>,
    limit: Duration,
}

const FIRST_LIMIT: Duration = Duration::from_secs(1);

impl IterativeDeepening {
    pub fn new(inner: Box<dyn Searcher>) -> IterativeDeepening {
        IterativeDeepening { inner, waiting: BTreeSet::new(), limit: FIRST_LIMIT }
    }
}

impl Searcher for IterativeDeepening {
    fn pick(&mut self, metrics: &dyn Metrics) -> Option<StateId> {
        if self.inner.is_empty() && !self.waiting.is_empty() {
            self.limit = self.limit.saturating_mul(2);
            let waiting: Vec<StateId> = std::mem::take(&mut self.waiting).into_iter().collect();
            self.inner.add(metrics, None, &waiting);
        }
        self.inner.pick(metrics)
    }

    fn add(&mut self, metrics: &dyn Metrics, parent: Option<StateId>, children: &[StateId]) {
        // A state that waits has no place among the others that its children could be put next to.
        let parent = parent.filter(|parent| !self.waiting.contains(parent));
        self.inner.add(metrics, parent, children);
    }

    fn remove(&mut self, state: StateId) {
        if !self.waiting.remove(&state) {
            self.inner.remove(state);
        }
    }

    fn update(&mut self, metrics: &dyn Metrics, state: StateId) {
        self.inner.update(metrics, state);
        if metrics.turn_cost(state) > self.limit {
            self.inner.remove(state);
            self.waiting.insert(state);
        }
    }

    fn covered_new(&mut self, state: StateId, blocks: u64) {
        self.inner.covered_new(state, blocks);
    }

    fn distances_changed(&mut self, metrics: &dyn Metrics) {
        self.inner.distances_changed(metrics);
    }

    fn needs(&self) -> Needs {
        self.inner.needs()
    }

    fn len(&self) -> usize {
        self.inner.len() + self.waiting.len()
    }

    fn turn(&self) -> Turn {
        self.inner.turn().bounded()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dfs;

    /// The turn of each state takes as many seconds as its number.
    struct Seconds;

    impl Metrics for Seconds {
        fn turn_cost(&self, state: StateId) -> Duration {
            Duration::from_secs(u64::from(state.0))
        }
    }

    #[test]
    fn slow_states_wait_until_the_limit_is_high_enough() {
        let mut searcher = IterativeDeepening::new(Box::new(Dfs::new()));
        searcher.add(&Seconds, None, &(0..10).map(StateId).collect::<Vec<_>>());
        let mut order = Vec::new();
        while let Some(state) = searcher.pick(&Seconds) {
            order.push(state.0);
            searcher.update(&Seconds, state);
            if !searcher.waiting.contains(&state) {
                searcher.remove(state);
            }
            assert!(order.len() < 100, "{order:?}");
        }
        let after_one_second = 0..10;
        let rounds = [2..10, 3..10, 5..10, 9..10];
        let expected: Vec<u32> = after_one_second.chain(rounds.into_iter().flatten()).collect();
        assert_eq!(order, expected);
        assert_eq!(searcher.len(), 0);
    }

    #[test]
    fn a_state_that_waits_can_end() {
        let mut searcher = IterativeDeepening::new(Box::new(Dfs::new()));
        searcher.add(&Seconds, None, &[StateId(5), StateId(6)]);
        searcher.update(&Seconds, StateId(5));
        assert_eq!(searcher.pick(&Seconds), Some(StateId(6)));
        searcher.add(&Seconds, Some(StateId(5)), &[StateId(7)]);
        searcher.remove(StateId(5));
        assert_eq!(searcher.len(), 2);
    }
}
