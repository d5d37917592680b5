//! What changes how another searcher is used: batching and iterative deepening, both as KLEE has
//! them.
//!
//! KLEE measures both by the clock. Here time is what the work of a run would take on a machine of
//! a fixed speed ([`Metrics::turn_cost`]), so that the same command gives the same run.

use crate::{Batch, Metrics, Needs, Searcher, StateId, Turn};
use std::time::Duration;

/// What neither wrapper changes.
macro_rules! forward_to_inner {
    () => {
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

        fn focus_changed(&mut self, metrics: &dyn Metrics) {
            self.inner.focus_changed(metrics);
        }

        fn picked_for_focus(&self) -> bool {
            self.inner.picked_for_focus()
        }

        fn wants_learning(&self) -> bool {
            self.inner.wants_learning()
        }

        fn needs(&self) -> Needs {
            self.inner.needs()
        }

        fn len(&self) -> usize {
            self.inner.len()
        }
    };
}

/// Lets a picked state run for a batch of instructions, whatever the searcher that picks would
/// have.
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

    forward_to_inner!();

    fn turn(&self) -> Turn {
        Turn::Batch(self.batch)
    }
}

/// A state whose turn took longer than the limit waits until the others are done; then the limit is
/// doubled.
pub struct IterativeDeepening {
    inner: Box<dyn Searcher>,
    limit: Duration,
}

const FIRST_LIMIT: Duration = Duration::from_secs(1);

impl IterativeDeepening {
    pub fn new(inner: Box<dyn Searcher>) -> IterativeDeepening {
        IterativeDeepening { inner, limit: FIRST_LIMIT }
    }
}

impl Searcher for IterativeDeepening {
    fn pick(&mut self, metrics: &dyn Metrics) -> Option<StateId> {
        if self.inner.is_empty() { None } else { self.inner.pick(metrics) }
    }

    forward_to_inner!();

    fn sets_aside(&self, metrics: &dyn Metrics, state: StateId) -> bool {
        metrics.turn_cost(state) > self.limit
    }

    fn goes_deeper(&mut self) {
        self.limit = self.limit.saturating_mul(2);
    }

    fn turn(&self) -> Turn {
        self.inner.turn().bounded()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dfs;
    use std::collections::BTreeSet;

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
        let mut waiting: BTreeSet<StateId> = (0..10).map(StateId).collect();
        let mut order = Vec::new();
        loop {
            searcher.add(&Seconds, None, &std::mem::take(&mut waiting).into_iter().collect::<Vec<_>>());
            while let Some(state) = searcher.pick(&Seconds) {
                order.push(state.0);
                searcher.update(&Seconds, state);
                if searcher.sets_aside(&Seconds, state) {
                    waiting.insert(state);
                }
                searcher.remove(state);
                assert!(order.len() < 100, "{order:?}");
            }
            if waiting.is_empty() {
                break;
            }
            searcher.goes_deeper();
        }
        let after_one_second = 0..10;
        let rounds = [2..10, 3..10, 5..10, 9..10];
        let expected: Vec<u32> = after_one_second.chain(rounds.into_iter().flatten()).collect();
        assert_eq!(order, expected);
        assert_eq!(searcher.len(), 0);
    }
}
