//! Shortest-distance symbolic execution: the state that is nearest to a place that is looked for
//! goes first (Ma, Khoo, Foster, Hicks: Directed symbolic execution, section 3.1).
//!
//! The nearest state alone may be followed for ever: round a loop that never comes to the place, it
//! is nearer than all others by one instruction each time. So there are other orders. *Rounded*,
//! states that are about as near take turns. *Aged*, a state goes back by one for each turn in
//! which neither it nor those that it was forked from came nearer, up to a limit: what goes in
//! circles sinks, and what is new goes first. No state is ever out of the question.
//!
//! Of states that are equally near, the exact order takes the newest, which goes straight on; the
//! others take the one that was picked longest ago.

use crate::{Metrics, Needs, Searcher, StateId, Turn};
use std::collections::BTreeSet;

/// Which distances are meant.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Within {
    /// [`Metrics::distance_to_target`]: the paper's InterSDSE.
    Program,
    /// [`Metrics::distance_to_target_in_function`]: its IntraSDSE.
    Function,
    /// [`Metrics::distance_to_focus`]: to one target, and not to the nearest of all.
    Focus,
}

impl Within {
    pub(crate) fn distance(self, metrics: &dyn Metrics, state: StateId) -> Option<u64> {
        match self {
            Within::Program => metrics.distance_to_target(state),
            Within::Function => metrics.distance_to_target_in_function(state),
            Within::Focus => metrics.distance_to_focus(state),
        }
    }

    pub(crate) fn needs(self) -> Needs {
        match self {
            Within::Program => Needs { targets: true, ..Needs::default() },
            Within::Function => Needs { targets_in_function: true, ..Needs::default() },
            Within::Focus => Needs { focus: true, ..Needs::default() },
        }
    }
}

/// What comes first.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Order {
    /// What is nearest, to the instruction.
    Exact,
    /// What is in the nearest band.
    Rounded,
    /// The same, later by one band for each turn without progress.
    Aged,
}

/// Distances below this are bands of their own; others are rounded to eighths of a power of two.
const NEAR: u64 = 64;

/// A state goes back by no more than this for its age.
const OLDEST: u64 = 64;

/// The band of a distance: the farther, the larger.
fn band(distance: u64) -> u64 {
    if distance < NEAR {
        return distance;
    }
    let power = u64::from(distance.ilog2());
    let eighth = (distance >> (power - 3)) & 7;
    NEAR + (power - u64::from(NEAR.ilog2())) * 8 + eighth
}

/// Where a state is in the order.
#[derive(Copy, Clone)]
struct Entry {
    key: u64,
    /// Among those with this key: the number of the turn that it was last picked in, or the newer
    /// the less.
    tie: u64,
    /// The least band of those that led to this state.
    best: u64,
    /// Turns since then.
    age: u64,
}

pub struct Directed {
    within: Within,
    order: Order,
    /// By key and tie.
    queue: BTreeSet<(u64, u64, StateId)>,
    entries: Vec<Option<Entry>>,
    /// Turns so far.
    turns: u64,
    /// States that came so far.
    came: u64,
}

impl Directed {
    pub fn new(within: Within, order: Order) -> Directed {
        Directed { within, order, queue: BTreeSet::new(), entries: Vec::new(), turns: 0, came: 0 }
    }

    /// The entry of a state that comes of one with `before`, or of none.
    fn weigh(&self, metrics: &dyn Metrics, state: StateId, before: Option<Entry>, is_turn: bool) -> Entry {
        let distance = self.within.distance(metrics, state);
        let band = distance.map_or(u64::MAX, band);
        let (best, age) = match before {
            Some(before) if band >= before.best => (before.best, (before.age + u64::from(is_turn)).min(OLDEST)),
            _ => (band, 0),
        };
        let tie = before.map_or(0, |before| before.tie);
        let key = match self.order {
            Order::Exact => distance.unwrap_or(u64::MAX),
            Order::Rounded => band,
            Order::Aged => band.saturating_add(age),
        };
        Entry { key, tie, best, age }
    }

    fn entry(&self, state: StateId) -> Option<Entry> {
        self.entries.get(state.index()).copied().flatten()
    }

    fn insert(&mut self, state: StateId, entry: Entry) {
        if self.entries.len() <= state.index() {
            self.entries.resize(state.index() + 1, None);
        }
        self.entries[state.index()] = Some(entry);
        self.queue.insert((entry.key, entry.tie, state));
    }

    fn take(&mut self, state: StateId) -> Entry {
        let entry = self.entries.get_mut(state.index()).and_then(Option::take);
        let entry = entry.unwrap_or_else(|| panic!("{state} is not open"));
        self.queue.remove(&(entry.key, entry.tie, state));
        entry
    }
}

impl Searcher for Directed {
    fn pick(&mut self, _: &dyn Metrics) -> Option<StateId> {
        self.queue.first().map(|&(_, _, state)| state)
    }

    fn add(&mut self, metrics: &dyn Metrics, parent: Option<StateId>, children: &[StateId]) {
        let before = parent.and_then(|parent| self.entry(parent));
        for &child in children {
            assert!(self.entry(child).is_none(), "{child} is open already");
            let entry = self.weigh(metrics, child, before, false);
            self.came += 1;
            let tie = if self.order == Order::Exact { u64::MAX - self.came } else { entry.tie };
            self.insert(child, Entry { tie, ..entry });
        }
    }

    fn remove(&mut self, state: StateId) {
        self.take(state);
    }

    fn update(&mut self, metrics: &dyn Metrics, state: StateId) {
        let before = self.take(state);
        self.turns += 1;
        let entry = self.weigh(metrics, state, Some(before), true);
        let tie = if self.order == Order::Exact { before.tie } else { self.turns };
        self.insert(state, Entry { tie, ..entry });
    }

    fn distances_changed(&mut self, metrics: &dyn Metrics) {
        let states: Vec<StateId> = self.queue.iter().map(|&(_, _, state)| state).collect();
        for state in states {
            // What was near may be far now: nobody is old by what is not looked for any more.
            let Entry { tie, .. } = self.take(state);
            let entry = self.weigh(metrics, state, None, false);
            self.insert(state, Entry { tie, ..entry });
        }
    }

    fn needs(&self) -> Needs {
        self.within.needs()
    }

    fn len(&self) -> usize {
        self.queue.len()
    }

    fn turn(&self) -> Turn {
        Turn::ToTheFork
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    struct Far(BTreeMap<u32, u64>);

    impl Metrics for Far {
        fn distance_to_target(&self, state: StateId) -> Option<u64> {
            self.0.get(&state.0).copied()
        }
    }

    fn far(distances: &[(u32, u64)]) -> Far {
        Far(distances.iter().copied().collect())
    }

    fn ids(numbers: impl IntoIterator<Item = u32>) -> Vec<StateId> {
        numbers.into_iter().map(StateId).collect()
    }

    #[test]
    fn bands_grow_with_distances() {
        let bands: Vec<u64> = (0..100_000).map(band).collect();
        assert!(bands.is_sorted());
        assert_eq!([63, 64, 71, 72, 127, 128].map(band), [63, 64, 64, 65, 71, 72]);
        assert!(band(u64::MAX) < u64::MAX);
    }

    #[test]
    fn the_nearest_goes_first_and_what_leads_nowhere_last() {
        let metrics = far(&[(0, 40), (1, 7), (2, 7), (4, 1_000_000)]);
        let mut searcher = Directed::new(Within::Program, Order::Exact);
        searcher.add(&metrics, None, &ids(0..5));
        let mut order = Vec::new();
        while let Some(state) = searcher.pick(&metrics) {
            searcher.remove(state);
            order.push(state.0);
        }
        assert_eq!(order, [2, 1, 0, 4, 3]);
    }

    #[test]
    fn rounded_states_take_turns_and_exact_ones_do_not() {
        let metrics = far(&[(0, 1000), (1, 1001)]);
        for (order, expected) in [(Order::Exact, [0, 0, 0, 0]), (Order::Rounded, [0, 1, 0, 1])] {
            let mut searcher = Directed::new(Within::Program, order);
            searcher.add(&metrics, None, &ids(0..2));
            let picked = expected.map(|_| {
                let state = searcher.pick(&metrics).unwrap();
                searcher.update(&metrics, state);
                state.0
            });
            assert_eq!(picked, expected, "{order:?}");
        }
    }

    #[test]
    fn a_state_that_goes_in_circles_sinks_with_what_it_forks() {
        let metrics = far(&[(0, 5), (1, 5), (2, 30)]);
        let mut searcher = Directed::new(Within::Program, Order::Aged);
        searcher.add(&metrics, None, &ids([0, 2]));
        for _ in 0..20 {
            assert_eq!(searcher.pick(&metrics), Some(StateId(0)));
            searcher.update(&metrics, StateId(0));
        }
        searcher.add(&metrics, Some(StateId(0)), &ids([1]));
        for _ in 0..10 {
            let state = searcher.pick(&metrics).unwrap();
            searcher.update(&metrics, state);
        }
        assert_eq!(searcher.pick(&metrics), Some(StateId(2)));
    }
}
