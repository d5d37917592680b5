//! Non-uniform random search: an open state is picked at random, with a probability in proportion
//! to its weight. The weights and their names are KLEE's.
//!
//! A state is weighed when it is added and when it had its turn. Distances to uncovered code change
//! for all states at once when coverage grows; then, and only then, all are weighed anew. (KLEE
//! leaves the other states with the weights they had, however old.)

use crate::directed::Within;
use crate::sum_tree::SumTree;
use crate::{Metrics, Needs, Searcher, StateId, Turn};
use espalier_base::Rng;
use std::time::Duration;

/// What makes a state likely to be picked.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Weight {
    /// `covnew`: it reached new code lately, or new code is near.
    CoverageNew,
    /// `md2u`: new code is near.
    DistanceToUncovered,
    /// `sdse:pr` and `sdse:intra-pr`: a target is near.
    DistanceToTarget(Within),
    /// `depth`: it forked often.
    Depth,
    /// `rp`: 2^-depth, as a random path from the root would have it.
    RandomPath,
    /// `icnt`: its next instruction was executed rarely.
    InstructionCount,
    /// `cpicnt`: little was executed below its call stack.
    CallPathInstructionCount,
    /// `qc`: its queries were cheap.
    QueryCost,
}

/// The distance of a state from which no new code can be reached.
const UNREACHABLE: f64 = 10_000.0;

/// For so many instructions, a discovery counts as if it had just been made.
const FRESH: u64 = 1000;

/// Queries that took less than this in all are free.
const CHEAP: Duration = Duration::from_millis(100);

impl Weight {
    /// Always more than 0: no state is out of the question.
    fn of(self, metrics: &dyn Metrics, state: StateId) -> f64 {
        let nearness = |distance: Option<u64>| {
            let distance = distance.map_or(UNREACHABLE, |distance| distance.max(1) as f64);
            distance.powi(-2)
        };
        let closeness = || nearness(metrics.distance_to_uncovered(state));
        let weight = match self {
            Weight::CoverageNew => {
                let since = metrics.since_new_code(state);
                let freshness =
                    since.map_or(0.0, |instructions| (instructions.saturating_sub(FRESH).max(1) as f64).powi(-2));
                freshness + closeness()
            }
            Weight::DistanceToUncovered => closeness(),
            Weight::DistanceToTarget(within) => nearness(within.distance(metrics, state)),
            Weight::Depth => f64::from(metrics.depth(state)),
            Weight::RandomPath => 0.5f64.powi(i32::try_from(metrics.depth(state)).unwrap_or(i32::MAX)),
            Weight::InstructionCount => (metrics.executed_here(state).max(1) as f64).powi(-2),
            Weight::CallPathInstructionCount => 1.0 / metrics.executed_on_call_path(state).max(1) as f64,
            Weight::QueryCost => match metrics.query_cost(state) {
                cost if cost < CHEAP => 1.0,
                cost => 1.0 / cost.as_secs_f64(),
            },
        };
        weight.max(f64::MIN_POSITIVE)
    }

    fn needs(self) -> Needs {
        let distances = matches!(self, Weight::CoverageNew | Weight::DistanceToUncovered);
        let needs = Needs { distances, call_paths: self == Weight::CallPathInstructionCount, ..Needs::default() };
        match self {
            Weight::DistanceToTarget(within) => within.needs(),
            _ => needs,
        }
    }

    fn changes_with_distances(self) -> bool {
        let Needs { distances, targets, targets_in_function, .. } = self.needs();
        distances || targets || targets_in_function
    }
}

/// Weighted random choice among the open states.
pub struct Nurs {
    weight: Weight,
    weights: SumTree,
    len: usize,
    rng: Rng,
}

impl Nurs {
    pub fn new(weight: Weight, seed: u64) -> Nurs {
        Nurs { weight, weights: SumTree::new(), len: 0, rng: Rng::new(seed) }
    }
}

impl Searcher for Nurs {
    fn pick(&mut self, _: &dyn Metrics) -> Option<StateId> {
        if self.len == 0 {
            return None;
        }
        self.weights.choose(self.rng.unit()).map(|index| StateId(index as u32))
    }

    fn add(&mut self, metrics: &dyn Metrics, _: Option<StateId>, children: &[StateId]) {
        for &child in children {
            assert_eq!(self.weights.get(child.index()), 0.0, "{child} is open already");
            self.weights.set(child.index(), self.weight.of(metrics, child));
            self.len += 1;
        }
    }

    fn remove(&mut self, state: StateId) {
        assert_ne!(self.weights.get(state.index()), 0.0, "{state} is not open");
        self.weights.set(state.index(), 0.0);
        self.len -= 1;
    }

    fn update(&mut self, metrics: &dyn Metrics, state: StateId) {
        self.weights.set(state.index(), self.weight.of(metrics, state));
    }

    fn distances_changed(&mut self, metrics: &dyn Metrics) {
        if self.weight.changes_with_distances() {
            self.weights.reweigh(|index| self.weight.of(metrics, StateId(index as u32)));
        }
    }

    fn needs(&self) -> Needs {
        self.weight.needs()
    }

    fn len(&self) -> usize {
        self.len
    }

    fn turn(&self) -> Turn {
        Turn::Share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same for all states but one, which has `1`.
    struct One {
        special: StateId,
        others: u64,
    }

    impl One {
        fn value(&self, state: StateId) -> u64 {
            if state == self.special { 1 } else { self.others }
        }
    }

    impl Metrics for One {
        fn depth(&self, state: StateId) -> u32 {
            self.value(state) as u32
        }

        fn since_new_code(&self, state: StateId) -> Option<u64> {
            Some(FRESH + self.value(state))
        }

        fn distance_to_uncovered(&self, state: StateId) -> Option<u64> {
            Some(self.value(state))
        }

        fn executed_here(&self, state: StateId) -> u64 {
            self.value(state)
        }

        fn executed_on_call_path(&self, state: StateId) -> u64 {
            self.value(state)
        }

        fn query_cost(&self, state: StateId) -> Duration {
            Duration::from_secs(self.value(state))
        }
    }

    /// How many times as likely the special state is as one of the others.
    fn preference(weight: Weight, others: u64) -> f64 {
        let metrics = One { special: StateId(3), others };
        let mut searcher = Nurs::new(weight, 9);
        searcher.add(&metrics, None, &(0..11).map(StateId).collect::<Vec<_>>());
        let mut special = 0u32;
        let picks = 200_000;
        for _ in 0..picks {
            special += u32::from(searcher.pick(&metrics) == Some(StateId(3)));
        }
        let share = f64::from(special) / f64::from(picks);
        share / ((1.0 - share) / 10.0)
    }

    #[test]
    fn the_weights_are_those_of_klee() {
        for (weight, others, expected) in [
            (Weight::CoverageNew, 4, 16.0),
            (Weight::DistanceToUncovered, 3, 9.0),
            (Weight::Depth, 4, 0.25),
            (Weight::RandomPath, 4, 8.0),
            (Weight::InstructionCount, 5, 25.0),
            (Weight::CallPathInstructionCount, 5, 5.0),
            (Weight::QueryCost, 6, 6.0),
        ] {
            let found = preference(weight, others);
            assert!((found / expected - 1.0).abs() < 0.05, "{weight:?}: {found}, not {expected}");
        }
    }

    #[test]
    fn even_the_least_likely_state_is_picked_when_it_is_the_last() {
        let metrics = One { special: StateId(0), others: u64::MAX };
        for weight in [Weight::RandomPath, Weight::Depth, Weight::DistanceToUncovered] {
            let mut searcher = Nurs::new(weight, 1);
            searcher.add(&metrics, None, &[StateId(7)]);
            assert_eq!(searcher.pick(&metrics), Some(StateId(7)), "{weight:?}");
        }
    }

    #[test]
    fn all_states_are_weighed_anew_when_distances_change() {
        let mut searcher = Nurs::new(Weight::DistanceToUncovered, 2);
        searcher.add(&One { special: StateId(0), others: 1000 }, None, &[StateId(0), StateId(1)]);
        let metrics = One { special: StateId(1), others: 1000 };
        searcher.distances_changed(&metrics);
        let picks = (0..1000).filter(|_| searcher.pick(&metrics) == Some(StateId(1))).count();
        assert!(picks > 990, "{picks}");
    }
}
