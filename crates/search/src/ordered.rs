//! The searchers that need no chance: depth first and breadth first.
//!
//! Depth first keeps running the state that forked and takes its children up, first one first, when
//! it ends: switching states as rarely as possible keeps the solver's incremental context alive. It
//! never leaves an endless loop.
//!
//! Breadth first takes turns: whoever ran goes to the end of the queue, behind its children.
//! Ordering by depth alone would let one state that loops without forking starve the others.

use crate::list::StateList;
use crate::{Metrics, Searcher, StateId, Turn};

/// Depth first.
pub struct Dfs {
    states: StateList,
    /// Does the last child go first, and not the state that forked?
    takes_last: bool,
}

impl Dfs {
    pub fn new() -> Dfs {
        Dfs { states: StateList::new(), takes_last: false }
    }

    /// As in KLEE: whoever was forked last is run first.
    pub fn newest_first() -> Dfs {
        Dfs { states: StateList::new(), takes_last: true }
    }
}

impl Default for Dfs {
    fn default() -> Dfs {
        Dfs::new()
    }
}

impl Searcher for Dfs {
    fn pick(&mut self, _: &dyn Metrics) -> Option<StateId> {
        self.states.first()
    }

    fn add(&mut self, _: &dyn Metrics, parent: Option<StateId>, children: &[StateId]) {
        if self.takes_last {
            children.iter().for_each(|&child| self.states.push_first(child));
            return;
        }
        for &child in children.iter().rev() {
            match parent {
                Some(parent) => self.states.insert_after(parent, child),
                None => self.states.push_first(child),
            }
        }
    }

    fn remove(&mut self, state: StateId) {
        self.states.remove(state);
    }

    fn update(&mut self, _: &dyn Metrics, _: StateId) {}

    fn len(&self) -> usize {
        self.states.len()
    }

    fn turn(&self) -> Turn {
        if self.takes_last { Turn::ToTheFork } else { Turn::ToTheEnd }
    }
}

/// Breadth first.
pub struct Bfs {
    states: StateList,
    /// Does a state that forked go before its children?
    keeps_parent_first: bool,
}

impl Bfs {
    pub fn new() -> Bfs {
        Bfs { states: StateList::new(), keeps_parent_first: false }
    }

    /// As in KLEE: a state that forked goes to the end of the queue, and its children behind it.
    pub fn parent_first() -> Bfs {
        Bfs { states: StateList::new(), keeps_parent_first: true }
    }
}

impl Default for Bfs {
    fn default() -> Bfs {
        Bfs::new()
    }
}

impl Searcher for Bfs {
    fn pick(&mut self, _: &dyn Metrics) -> Option<StateId> {
        self.states.first()
    }

    fn add(&mut self, _: &dyn Metrics, parent: Option<StateId>, children: &[StateId]) {
        if let Some(parent) = parent.filter(|_| self.keeps_parent_first && !children.is_empty()) {
            self.states.remove(parent);
            self.states.push_last(parent);
        }
        for &child in children {
            self.states.push_last(child);
        }
    }

    fn remove(&mut self, state: StateId) {
        self.states.remove(state);
    }

    fn update(&mut self, _: &dyn Metrics, state: StateId) {
        if !self.keeps_parent_first {
            self.states.remove(state);
            self.states.push_last(state);
        }
    }

    fn len(&self) -> usize {
        self.states.len()
    }

    fn turn(&self) -> Turn {
        Turn::ToTheFork
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unmeasured;

    fn drain(searcher: &mut dyn Searcher) -> Vec<u32> {
        let mut order = Vec::new();
        while let Some(state) = searcher.pick(&Unmeasured) {
            searcher.remove(state);
            order.push(state.0);
        }
        order
    }

    fn ids(numbers: impl IntoIterator<Item = u32>) -> Vec<StateId> {
        numbers.into_iter().map(StateId).collect()
    }

    #[test]
    fn depth_first_finishes_the_newest_subtree() {
        let mut dfs = Dfs::new();
        dfs.add(&Unmeasured, None, &ids([0]));
        dfs.add(&Unmeasured, Some(StateId(0)), &ids([1, 2]));
        dfs.add(&Unmeasured, Some(StateId(0)), &ids([3]));
        assert_eq!(drain(&mut dfs), [0, 3, 1, 2]);
    }

    #[test]
    fn breadth_first_takes_turns() {
        let mut bfs = Bfs::new();
        bfs.add(&Unmeasured, None, &ids([0]));
        bfs.add(&Unmeasured, Some(StateId(0)), &ids([1, 2]));
        bfs.update(&Unmeasured, StateId(0));
        assert_eq!(bfs.pick(&Unmeasured), Some(StateId(1)));
        bfs.update(&Unmeasured, StateId(1));
        assert_eq!(drain(&mut bfs), [2, 0, 1]);
    }

    #[test]
    #[should_panic(expected = "state7 is not open")]
    fn removing_twice_is_a_mistake_of_the_caller() {
        let mut dfs = Dfs::new();
        dfs.add(&Unmeasured, None, &ids([7]));
        dfs.remove(StateId(7));
        dfs.remove(StateId(7));
    }
}
