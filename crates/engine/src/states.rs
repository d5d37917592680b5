//! The open states with all that is kept of each, under a number that the searcher knows it by.

use crate::metrics::Measured;
use espalier_exec::State;
use espalier_prune::Life;
use espalier_search::StateId;
use espalier_tree::Slot;

/// An open state, and what others keep of it as long as it is.
pub(crate) struct Open {
    pub(crate) state: Box<State>,
    pub(crate) measured: Measured,
    /// Its leaf in the execution tree.
    pub(crate) slot: Slot,
    /// Was it not looked up since it was forked?
    pub(crate) is_fresh: bool,
    /// If its path is executed again, until it comes to a fork. Before that, it may be where it was
    /// before.
    pub(crate) life: Option<Life>,
}

/// A slab: numbers of ended states are used again, last ended first, so that numbers stay small and
/// deterministic.
#[derive(Default)]
pub(crate) struct States {
    slots: Vec<Option<Open>>,
    free: Vec<u32>,
}

impl States {
    /// A state at this leaf that was not forked off another one.
    pub(crate) fn insert(&mut self, state: Box<State>, slot: Slot) -> StateId {
        self.add(Open { state, measured: Measured::default(), slot, is_fresh: false, life: None })
    }

    /// One that was forked off another; it has no leaf of its own until the tree is told.
    pub(crate) fn insert_child(&mut self, parent: StateId, state: Box<State>) -> StateId {
        let Open { measured, slot, .. } = *self.open(parent);
        self.add(Open { state, measured, slot, is_fresh: false, life: None })
    }

    fn add(&mut self, open: Open) -> StateId {
        match self.free.pop() {
            Some(slot) => {
                self.slots[slot as usize] = Some(open);
                StateId(slot)
            }
            None => {
                self.slots.push(Some(open));
                StateId(self.slots.len() as u32 - 1)
            }
        }
    }

    pub(crate) fn open(&self, id: StateId) -> &Open {
        self.slots[id.index()].as_ref().expect("the searcher knows open states only")
    }

    pub(crate) fn open_mut(&mut self, id: StateId) -> &mut Open {
        self.slots[id.index()].as_mut().expect("the searcher knows open states only")
    }

    pub(crate) fn get(&self, id: StateId) -> &State {
        &self.open(id).state
    }

    pub(crate) fn get_mut(&mut self, id: StateId) -> &mut State {
        &mut self.open_mut(id).state
    }

    pub(crate) fn remove(&mut self, id: StateId) -> Open {
        self.free.push(id.0);
        self.slots[id.index()].take().expect("the searcher knows open states only")
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// All of them with their numbers, in order.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (StateId, &State)> {
        let numbered = self.slots.iter().enumerate();
        numbered.filter_map(|(slot, open)| Some((StateId(slot as u32), &*open.as_ref()?.state)))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &State> {
        self.slots.iter().flatten().map(|open| &*open.state)
    }
}
