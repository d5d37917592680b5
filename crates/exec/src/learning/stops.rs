//! Stops at joins: a path that forked stops there on request, so that it can be compared with
//! others that came to the same place. A path that has not forked since it last stopped goes on, so
//! that loops over numbers cost nothing. Loop heads are counted on their own: a path that stopped
//! at a join in the body of a loop stops at its head too.
//!
//! A loop that never forks would never come to a stop. So a path also stops at a loop head when it
//! has executed very many instructions since it last stopped there: if the loop has no end, its
//! state may be one that the path had before. Each time it is not, the path has to come twice as
//! far. How far is counted in instructions, and a question that has one answer counts for many.
//! Runs end where a path has come far enough ([`Interpreter::until_long`]), so that where it stops
//! does not depend on how long it is run.

use crate::Executor;
use crate::interpreter::machine::{Interpreter, Machine};
use crate::paths::state::State;
use espalier_analysis::Join;

/// Where [`Executor::run`] stops to have a state compared.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Stops {
    #[default]
    Nowhere,
    /// At loop heads, if the path has executed very many instructions without a fork.
    InLongLoops,
    /// The same, and at joins and loop heads, if the path forked since it last did.
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
            Stops::InLongLoops => state.is_long(0),
            Stops::Joins => state.looped_at != state.depth || state.is_long(0),
            Stops::EveryLoopHead => true,
        }
    }

    /// Do paths stop in long loops?
    pub(crate) fn stops_in_long_loops(&self) -> bool {
        let is_path = M::IS_PATH || M::STARTS_ANYWHERE;
        is_path && matches!(self.stops, Stops::InLongLoops | Stops::Joins)
    }

    /// How many instructions are left until a loop counts as long, if paths stop in such.
    pub(crate) fn until_long(&self, state: &State) -> u64 {
        match state.long_at.saturating_sub(state.instructions) {
            left if left > 0 && self.stops_in_long_loops() => left,
            _ => u64::MAX,
        }
    }
}

/// A loop is long if it executes so many instructions without a fork.
pub(crate) const LONG: u64 = 1 << 14;
/// What a question counts for.
const QUESTION: u64 = 1 << 8;
/// It has to be twice as long each time, up to this often.
const MOST_DOUBLINGS: u8 = 40;

impl State {
    /// Stops at the next join, whether the path forked or not.
    pub fn stop_at_next_join(&mut self) {
        (self.joined_at, self.looped_at) = (u32::MAX, u32::MAX);
    }

    /// Has the path, with so many instructions more, come far without a stop?
    pub(crate) fn is_long(&self, executed: u64) -> bool {
        self.instructions + executed >= self.long_at
    }

    /// The path asked something that had one answer.
    pub(crate) fn note_question(&mut self) {
        self.long_at = self.long_at.saturating_sub(QUESTION);
    }
}

impl Executor {
    pub fn stop_at(&mut self, stops: Stops) {
        self.stops = stops;
    }

    pub fn stops(&self) -> Stops {
        self.stops
    }

    /// Did a path stop at a loop head because it has executed very many instructions without a fork?
    pub fn is_in_long_loop(&self, state: &State) -> bool {
        state.looped_at == state.depth && state.is_long(0)
    }

    /// The state was compared where it is: it need not stop there again.
    pub fn note_look_up(&self, state: &mut State) {
        match self.image.functions[state.top.func.index()].joins.get(&state.top.pc) {
            Some(Join::Merge) => state.joined_at = state.depth,
            Some(Join::LoopHead) => {
                let has_forked = state.looped_at != state.depth;
                state.long_stops = if has_forked { 0 } else { (state.long_stops + 1).min(MOST_DOUBLINGS) };
                (state.joined_at, state.looped_at) = (state.depth, state.depth);
                state.long_at = state.instructions.saturating_add(LONG << state.long_stops);
            }
            None => {}
        }
    }

    pub(crate) fn stops_for(&self, state: &State, executed: u64, join: Join) -> bool {
        let stops_at_forks = matches!(self.stops, Stops::Joins | Stops::EveryLoopHead);
        match join {
            Join::Merge => stops_at_forks && state.joined_at != state.depth,
            Join::LoopHead => {
                stops_at_forks && state.looped_at != state.depth
                    || self.stops == Stops::EveryLoopHead
                    || state.is_long(executed)
            }
        }
    }
}
