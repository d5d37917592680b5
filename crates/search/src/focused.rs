//! Going by turns to the nearest target and to one that is in focus, so that targets which are
//! farther than others are worked for too.
//!
//! Which target is in focus, and for how long, is not decided here (see [`Rota`](crate::Rota)): it
//! takes distances to that one alone. Both are gone to by turns fairly and straight on (see
//! [`Directed`]). Without a focus, because there is but one target, all turns are for the nearest.

use crate::{Directed, Metrics, Needs, Order, Searcher, StateId, Turn, Within};

const ORDERS: [Order; 2] = [Order::Aged, Order::Exact];

pub struct Focused {
    nearest: [Directed; 2],
    focused: [Directed; 2],
    /// Turns so far.
    turns: usize,
    is_for_focus: bool,
}

impl Focused {
    pub fn new() -> Focused {
        let of = |within| ORDERS.map(|order| Directed::new(within, order));
        Focused { nearest: of(Within::Program), focused: of(Within::Focus), turns: 0, is_for_focus: false }
    }

    fn each(&mut self) -> impl Iterator<Item = &mut Directed> {
        self.nearest.iter_mut().chain(&mut self.focused)
    }
}

impl Default for Focused {
    fn default() -> Focused {
        Focused::new()
    }
}

impl Searcher for Focused {
    fn pick(&mut self, metrics: &dyn Metrics) -> Option<StateId> {
        self.turns += 1;
        let has_focus = metrics.has_focus();
        self.is_for_focus = has_focus && self.turns.is_multiple_of(2);
        let order = if has_focus { self.turns / 2 } else { self.turns } % 2;
        let searchers = if self.is_for_focus { &mut self.focused } else { &mut self.nearest };
        searchers[order].pick(metrics)
    }

    fn add(&mut self, metrics: &dyn Metrics, parent: Option<StateId>, children: &[StateId]) {
        self.each().for_each(|searcher| searcher.add(metrics, parent, children));
    }

    fn remove(&mut self, state: StateId) {
        self.each().for_each(|searcher| searcher.remove(state));
    }

    fn update(&mut self, metrics: &dyn Metrics, state: StateId) {
        self.each().for_each(|searcher| searcher.update(metrics, state));
    }

    fn distances_changed(&mut self, metrics: &dyn Metrics) {
        self.nearest.iter_mut().for_each(|searcher| searcher.distances_changed(metrics));
    }

    fn focus_changed(&mut self, metrics: &dyn Metrics) {
        self.focused.iter_mut().for_each(|searcher| searcher.distances_changed(metrics));
    }

    fn picked_for_focus(&self) -> bool {
        self.is_for_focus
    }

    fn needs(&self) -> Needs {
        Needs { targets: true, focus: true, ..Needs::default() }
    }

    fn len(&self) -> usize {
        self.nearest[0].len()
    }

    fn turn(&self) -> Turn {
        Turn::ToTheFork
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// State 0 is nearest to some target, state 1 to the one in focus.
    struct Two {
        has_focus: bool,
    }

    impl Metrics for Two {
        fn distance_to_target(&self, state: StateId) -> Option<u64> {
            Some(10 + u64::from(state.0))
        }

        fn has_focus(&self) -> bool {
            self.has_focus
        }

        fn distance_to_focus(&self, state: StateId) -> Option<u64> {
            self.has_focus.then(|| 50 - u64::from(state.0))
        }
    }

    #[test]
    fn every_second_turn_is_for_the_focus_if_there_is_one() {
        let mut metrics = Two { has_focus: false };
        let mut searcher = Focused::new();
        searcher.add(&metrics, None, &[StateId(0), StateId(1)]);
        let picks = |searcher: &mut Focused, metrics: &Two| -> Vec<(u32, bool)> {
            let pick = |_| (searcher.pick(metrics).unwrap().0, searcher.picked_for_focus());
            (0..4).map(pick).collect()
        };
        assert_eq!(picks(&mut searcher, &metrics), [(0, false); 4]);
        metrics.has_focus = true;
        searcher.focus_changed(&metrics);
        assert_eq!(picks(&mut searcher, &metrics), [(0, false), (1, true), (0, false), (1, true)]);
        searcher.remove(StateId(1));
        assert_eq!(picks(&mut searcher, &metrics), [(0, false), (0, true), (0, false), (0, true)]);
    }
}
