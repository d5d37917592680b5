//! The search for runs that prune and will not end: three strategies take turns.
//!
//! A random path and recent coverage, as KLEE's default does, lead away from where everything was seen. But what prunes is learnt when a subtree is finished, and a random
//! search finishes none for a long time. So every third turn goes to the state that is most likely to complete a subtree (the seed on interpolation, end of its section 4): the one that
//! depth-first search would take, because the youngest subtree is the smallest of those that are open.

use crate::{Dfs, RandomPath, RecentCoverage, Searcher, StateId, Turn};

pub struct Hybrid {
    steps: [Box<dyn Searcher>; 3],
    next: usize,
}

impl Hybrid {
    pub fn new(seed: u64) -> Hybrid {
        let steps: [Box<dyn Searcher>; 3] = [
            Box::new(RandomPath::new(seed)),
            Box::new(RecentCoverage::new(seed.wrapping_add(1))),
            Box::new(Dfs::new()),
        ];
        Hybrid { steps, next: 0 }
    }
}

impl Searcher for Hybrid {
    fn pick(&mut self) -> Option<StateId> {
        let step = self.next;
        self.next = (step + 1) % self.steps.len();
        self.steps[step].pick()
    }

    fn add(&mut self, parent: Option<StateId>, children: &[StateId]) {
        self.steps.iter_mut().for_each(|step| step.add(parent, children));
    }

    fn remove(&mut self, state: StateId) {
        self.steps.iter_mut().for_each(|step| step.remove(state));
    }

    fn update(&mut self, state: StateId) {
        self.steps.iter_mut().for_each(|step| step.update(state));
    }

    fn covered_new(&mut self, state: StateId) {
        self.steps.iter_mut().for_each(|step| step.covered_new(state));
    }

    fn len(&self) -> usize {
        self.steps[0].len()
    }

    fn turn(&self) -> Turn {
        Turn::Share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_third_turn_works_on_the_youngest_subtree() {
        let mut searcher = Hybrid::new(7);
        searcher.add(None, &[StateId(0)]);
        for child in 1..40 {
            searcher.add(Some(StateId(child - 1)), &[StateId(child)]);
        }
        // Depth first would go on with the first state, and then with its youngest child.
        for turn in 0..30 {
            let picked = searcher.pick();
            if turn % 3 == 2 {
                assert_eq!(picked, Some(StateId(0)));
            }
        }
        searcher.remove(StateId(0));
        let third: Vec<Option<StateId>> = (0..3).map(|_| searcher.pick()).collect();
        assert_eq!(third[2], Some(StateId(1)));
        assert_eq!(searcher.len(), 39);
    }
}
