//! Several searchers take turns on the same states, as KLEE's do when `--search` is given several
//! times.
//!
//! `hybrid` is one such team, for runs that prune and will not end: a random path and recent
//! coverage lead away from where everything was seen. But what prunes is learnt when a subtree is
//! finished, and a random search finishes none for a long time. So every third turn goes to the
//! state that is most likely to complete a subtree (the TracerX paper, end of section 4): the one
//! that depth-first search would take, because the youngest subtree is the smallest of those that
//! are open.

use crate::{Dfs, Metrics, Needs, RandomPath, RecentCoverage, Searcher, StateId, Turn};

pub struct Interleaved {
    searchers: Vec<Box<dyn Searcher>>,
    /// Who picks next, and who picked last.
    next: usize,
    last: usize,
}

impl Interleaved {
    /// # Panics
    /// If there are none.
    pub fn new(searchers: Vec<Box<dyn Searcher>>) -> Interleaved {
        assert!(!searchers.is_empty(), "nobody would pick");
        Interleaved { searchers, next: 0, last: 0 }
    }

    pub fn hybrid(seed: u64) -> Interleaved {
        Interleaved::new(vec![
            Box::new(RandomPath::new(seed)),
            Box::new(RecentCoverage::new(seed.wrapping_add(1))),
            Box::new(Dfs::new()),
        ])
    }
}

impl Searcher for Interleaved {
    fn pick(&mut self, metrics: &dyn Metrics) -> Option<StateId> {
        self.last = self.next;
        self.next = (self.next + 1) % self.searchers.len();
        self.searchers[self.last].pick(metrics)
    }

    fn add(&mut self, metrics: &dyn Metrics, parent: Option<StateId>, children: &[StateId]) {
        self.searchers.iter_mut().for_each(|searcher| searcher.add(metrics, parent, children));
    }

    fn remove(&mut self, state: StateId) {
        self.searchers.iter_mut().for_each(|searcher| searcher.remove(state));
    }

    fn update(&mut self, metrics: &dyn Metrics, state: StateId) {
        self.searchers.iter_mut().for_each(|searcher| searcher.update(metrics, state));
    }

    fn covered_new(&mut self, state: StateId, blocks: u64) {
        self.searchers.iter_mut().for_each(|searcher| searcher.covered_new(state, blocks));
    }

    fn distances_changed(&mut self, metrics: &dyn Metrics) {
        self.searchers.iter_mut().for_each(|searcher| searcher.distances_changed(metrics));
    }

    fn focus_changed(&mut self, metrics: &dyn Metrics) {
        self.searchers.iter_mut().for_each(|searcher| searcher.focus_changed(metrics));
    }

    fn picked_for_focus(&self) -> bool {
        self.searchers[self.last].picked_for_focus()
    }

    fn wants_learning(&self) -> bool {
        self.searchers[self.last].wants_learning()
    }

    fn needs(&self) -> Needs {
        self.searchers.iter().fold(Needs::default(), |needs, searcher| needs.and(searcher.needs()))
    }

    fn len(&self) -> usize {
        self.searchers[0].len()
    }

    /// As the one that picked wants it, but nobody keeps the others waiting for ever.
    fn turn(&self) -> Turn {
        self.searchers[self.last].turn().bounded()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bfs, Unmeasured};

    #[test]
    fn every_third_turn_of_hybrid_works_on_the_youngest_subtree() {
        let mut searcher = Interleaved::hybrid(7);
        searcher.add(&Unmeasured, None, &[StateId(0)]);
        for child in 1..40 {
            searcher.add(&Unmeasured, Some(StateId(child - 1)), &[StateId(child)]);
        }
        // Depth first would go on with the first state, and then with its youngest child.
        for turn in 0..30 {
            let picked = searcher.pick(&Unmeasured);
            if turn % 3 == 2 {
                assert_eq!(picked, Some(StateId(0)));
            }
        }
        searcher.remove(StateId(0));
        let third: Vec<Option<StateId>> = (0..3).map(|_| searcher.pick(&Unmeasured)).collect();
        assert_eq!(third[2], Some(StateId(1)));
        assert_eq!(searcher.len(), 39);
    }

    #[test]
    fn a_turn_is_as_long_as_the_one_who_picked_wants() {
        let mut searcher = Interleaved::new(vec![Box::new(Bfs::new()), Box::new(Dfs::new())]);
        searcher.add(&Unmeasured, None, &[StateId(0)]);
        searcher.pick(&Unmeasured);
        assert_eq!(searcher.turn(), Turn::ToTheFork);
        searcher.pick(&Unmeasured);
        assert_eq!(searcher.turn(), Turn::Share);
    }
}
