//! The open states, each under a number that the searcher knows it by.

use espalier_exec::State;
use espalier_search::StateId;

/// A slab: numbers of ended states are used again, last ended first, so that numbers stay small and deterministic.
#[derive(Default)]
pub(crate) struct States {
    slots: Vec<Option<Box<State>>>,
    free: Vec<u32>,
}

impl States {
    pub(crate) fn insert(&mut self, state: Box<State>) -> StateId {
        let state = Some(state);
        match self.free.pop() {
            Some(slot) => {
                self.slots[slot as usize] = state;
                StateId(slot)
            }
            None => {
                self.slots.push(state);
                StateId(self.slots.len() as u32 - 1)
            }
        }
    }

    pub(crate) fn get(&self, id: StateId) -> &State {
        self.slots[id.index()].as_ref().expect("the searcher knows open states only")
    }

    pub(crate) fn get_mut(&mut self, id: StateId) -> &mut State {
        self.slots[id.index()].as_mut().expect("the searcher knows open states only")
    }

    pub(crate) fn remove(&mut self, id: StateId) -> Box<State> {
        self.free.push(id.0);
        self.slots[id.index()].take().expect("the searcher knows open states only")
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// All of them with their numbers, in order.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (StateId, &State)> {
        let numbered = self.slots.iter().enumerate();
        numbered.filter_map(|(slot, state)| Some((StateId(slot as u32), &**state.as_ref()?)))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &State> {
        self.slots.iter().flatten().map(|state| &**state)
    }
}
