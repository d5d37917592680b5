//! Stops at joins: a path that forked stops there on request, so that it can be compared with
//! others that came to the same place. A path that has not forked since it last stopped goes on, so
//! that loops over numbers cost nothing. Loop heads are counted on their own: a path that stopped
//! at a join in the body of a loop stops at its head too.

use crate::Executor;
use crate::interpreter::machine::{Interpreter, Machine};
use crate::paths::state::State;
use espalier_analysis::Join;

/// Where [`Executor::run`] stops to have a state compared.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Stops {
    #[default]
    Nowhere,
    /// At joins and loop heads, if the path forked since it last did.
    Joins,
    /// Also whenever it comes to a loop head.
    EveryLoopHead,
}

impl<M: Machine> Interpreter<'_, M> {
    /// May the path stop before it forks again?
    pub(crate) fn may_stop(&self, state: &State) -> bool {
        match self.stops {
            _ if !M::FORKS => false,
            Stops::Nowhere => false,
            Stops::Joins => state.looped_at != state.depth,
            Stops::EveryLoopHead => true,
        }
    }
}

impl State {
    /// Stops at the next join, whether the path forked or not.
    pub fn stop_at_next_join(&mut self) {
        (self.joined_at, self.looped_at) = (u32::MAX, u32::MAX);
    }
}

impl Executor {
    pub fn stop_at(&mut self, stops: Stops) {
        self.stops = stops;
    }

    /// The state was compared where it is: it need not stop there again.
    pub fn note_look_up(&self, state: &mut State) {
        match self.image.functions[state.top.func.index()].joins.get(&state.top.pc) {
            Some(Join::Merge) => state.joined_at = state.depth,
            Some(Join::LoopHead) => (state.joined_at, state.looped_at) = (state.depth, state.depth),
            None => {}
        }
    }

    pub(crate) fn stops_for(&self, state: &State, join: Join) -> bool {
        match join {
            Join::Merge => state.joined_at != state.depth,
            Join::LoopHead => state.looped_at != state.depth || self.stops == Stops::EveryLoopHead,
        }
    }
}
