//! SAGE's generational search (Godefroid, Levin, Molnar: "Automated whitebox fuzz testing", NDSS
//! 2008), in the form that Ma, Phang, Foster and Hicks give it for an executor that forks
//! ("Directed symbolic execution", SAS 2011, section 2.1).
//!
//! A *run* follows one state to the end of its path; at each fork it goes on with a random
//! alternative and leaves the others behind. What a run left behind are its children, one
//! *generation*, and how many blocks the run was the first to enter is that generation's score.
//! Generations are explored as a whole, the one with the highest score first and the oldest first
//! among equals: what is near a run that found much new code is likely to find more of it.

use crate::{Metrics, Searcher, StateId, Turn};
use espalier_base::Rng;
use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};

/// A state that was left behind. Numbers of states are used again, so it is known by when it came,
/// too.
type Left = (StateId, u64);

pub struct Generational {
    /// The state of the run in progress.
    current: Option<StateId>,
    /// Blocks that the run in progress entered first.
    found: u64,
    /// What the run in progress left behind.
    children: VecDeque<Left>,
    /// What is left of the generation that is being explored.
    generation: VecDeque<Left>,
    /// Generations to be explored, best first: by score and by when they were complete.
    generations: BTreeMap<(Reverse<u64>, u64), VecDeque<Left>>,
    /// When each open state came; 0 for those that are not open.
    came: Vec<u64>,
    now: u64,
    len: usize,
    rng: Rng,
}

impl Generational {
    pub fn new(seed: u64) -> Generational {
        Generational {
            current: None,
            found: 0,
            children: VecDeque::new(),
            generation: VecDeque::new(),
            generations: BTreeMap::new(),
            came: Vec::new(),
            now: 0,
            len: 0,
            rng: Rng::new(seed),
        }
    }

    fn is_open(&self, (state, came): Left) -> bool {
        self.came[state.index()] == came
    }

    fn enter(&mut self, state: StateId) -> Left {
        if self.came.len() <= state.index() {
            self.came.resize(state.index() + 1, 0);
        }
        assert_eq!(self.came[state.index()], 0, "{state} is open already");
        self.now += 1;
        self.came[state.index()] = self.now;
        self.len += 1;
        (state, self.now)
    }

    /// The next state of the generation that is being explored, or of the next one.
    fn begin_run(&mut self) -> Option<StateId> {
        loop {
            while let Some(left) = self.generation.pop_front() {
                if self.is_open(left) {
                    return Some(left.0);
                }
            }
            (_, self.generation) = self.generations.pop_first()?;
        }
    }

    /// What the run left behind is a generation.
    fn end_run(&mut self) {
        self.now += 1;
        let children = std::mem::take(&mut self.children);
        if !children.is_empty() {
            self.generations.insert((Reverse(self.found), self.now), children);
        }
        self.found = 0;
    }
}

impl Searcher for Generational {
    fn pick(&mut self, _: &dyn Metrics) -> Option<StateId> {
        if self.current.is_none() {
            // States that came between two runs belong to no run that found anything.
            self.end_run();
            self.current = self.begin_run();
        }
        self.current
    }

    fn add(&mut self, _: &dyn Metrics, parent: Option<StateId>, children: &[StateId]) {
        let entered: Vec<Left> = children.iter().map(|&child| self.enter(child)).collect();
        self.children.extend(entered);
        if let Some(parent) = parent.filter(|&parent| self.current == Some(parent)) {
            let way = self.rng.below(children.len() + 1);
            if way < children.len() {
                let left_behind = self.children.len() - children.len() + way;
                self.children[left_behind] = (parent, self.came[parent.index()]);
                self.current = Some(children[way]);
            }
        }
    }

    fn remove(&mut self, state: StateId) {
        assert_ne!(std::mem::take(&mut self.came[state.index()]), 0, "{state} is not open");
        self.len -= 1;
        if self.current == Some(state) {
            self.current = None;
            self.end_run();
        }
    }

    fn update(&mut self, _: &dyn Metrics, _: StateId) {}

    fn covered_new(&mut self, state: StateId, blocks: u64) {
        if self.current == Some(state) {
            self.found += blocks;
        }
    }

    fn len(&self) -> usize {
        self.len
    }

    fn turn(&self) -> Turn {
        Turn::ToTheFork
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unmeasured;

    fn ids(numbers: impl IntoIterator<Item = u32>) -> Vec<StateId> {
        numbers.into_iter().map(StateId).collect()
    }

    #[test]
    fn a_run_goes_to_its_end_and_leaves_the_others_behind() {
        let mut searcher = Generational::new(4);
        searcher.add(&Unmeasured, None, &ids([0]));
        let mut current = searcher.pick(&Unmeasured).unwrap();
        for child in 1..20 {
            searcher.add(&Unmeasured, Some(current), &ids([child]));
            let next = searcher.pick(&Unmeasured).unwrap();
            assert!(next == current || next == StateId(child));
            current = next;
        }
        assert_eq!(searcher.children.len(), 19);
        searcher.remove(current);
        assert!(searcher.children.is_empty() && searcher.len() == 19);
        assert_ne!(searcher.pick(&Unmeasured), Some(current));
    }

    #[test]
    fn both_ways_of_a_fork_are_as_likely() {
        let stays = (0..2000).filter(|&seed| {
            let mut searcher = Generational::new(seed);
            searcher.add(&Unmeasured, None, &ids([0]));
            searcher.pick(&Unmeasured);
            searcher.add(&Unmeasured, Some(StateId(0)), &ids([1]));
            searcher.pick(&Unmeasured) == Some(StateId(0))
        });
        let stays = stays.count();
        assert!((900..1100).contains(&stays), "{stays}");
    }

    #[test]
    fn the_generation_of_the_run_that_found_most_comes_first() {
        let mut searcher = Generational::new(1);
        searcher.add(&Unmeasured, None, &ids([0, 1, 2]));
        // Each of the first generation leaves one child behind, which has ten more than its number.
        let mut parents = Vec::new();
        for (child, blocks) in [(10, 3), (11, 9), (12, 5)] {
            let run = searcher.pick(&Unmeasured).unwrap();
            searcher.covered_new(run, blocks);
            searcher.add(&Unmeasured, Some(run), &ids([child]));
            parents.push(run);
            searcher.remove(searcher.current.unwrap());
        }
        assert_eq!(parents, ids([0, 1, 2]), "a generation is explored as a whole");
        let order: Vec<u32> = std::iter::from_fn(|| {
            let state = searcher.pick(&Unmeasured)?;
            searcher.remove(state);
            Some(state.0 % 10)
        })
        .collect();
        assert_eq!(order, [1, 2, 0]);
    }
}
