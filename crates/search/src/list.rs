//! A doubly linked list of states, indexed by state: every operation takes constant time, wherever
//! the state stands.

use crate::StateId;

const NONE: u32 = u32::MAX;

#[derive(Copy, Clone)]
struct Links {
    previous: u32,
    next: u32,
    is_member: bool,
}

const ABSENT: Links = Links { previous: NONE, next: NONE, is_member: false };

/// An ordered set of states.
pub(crate) struct StateList {
    links: Vec<Links>,
    first: u32,
    last: u32,
    len: usize,
}

impl StateList {
    pub(crate) fn new() -> StateList {
        StateList { links: Vec::new(), first: NONE, last: NONE, len: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn first(&self) -> Option<StateId> {
        (self.first != NONE).then_some(StateId(self.first))
    }

    pub(crate) fn push_first(&mut self, state: StateId) {
        self.insert(state, NONE, self.first);
    }

    pub(crate) fn push_last(&mut self, state: StateId) {
        self.insert(state, self.last, NONE);
    }

    /// Puts `state` directly behind `before`, which must be in the list.
    pub(crate) fn insert_after(&mut self, before: StateId, state: StateId) {
        assert!(self.contains(before), "{before} is not open");
        self.insert(state, before.0, self.links[before.index()].next);
    }

    pub(crate) fn remove(&mut self, state: StateId) {
        assert!(self.contains(state), "{state} is not open");
        let Links { previous, next, .. } = self.links[state.index()];
        self.set_next(previous, next);
        self.set_previous(next, previous);
        self.links[state.index()] = ABSENT;
        self.len -= 1;
    }

    fn contains(&self, state: StateId) -> bool {
        self.links.get(state.index()).is_some_and(|links| links.is_member)
    }

    fn insert(&mut self, state: StateId, previous: u32, next: u32) {
        assert!(!self.contains(state), "{state} is open already");
        if self.links.len() <= state.index() {
            self.links.resize(state.index() + 1, ABSENT);
        }
        self.links[state.index()] = Links { previous, next, is_member: true };
        self.set_next(previous, state.0);
        self.set_previous(next, state.0);
        self.len += 1;
    }

    fn set_next(&mut self, at: u32, next: u32) {
        match self.links.get_mut(at as usize) {
            Some(links) => links.next = next,
            None => self.first = next,
        }
    }

    fn set_previous(&mut self, at: u32, previous: u32) {
        match self.links.get_mut(at as usize) {
            Some(links) => links.previous = previous,
            None => self.last = previous,
        }
    }
}
