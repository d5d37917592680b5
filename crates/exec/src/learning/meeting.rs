//! Where paths meet: the blocks that more than one edge leads to. A path that forked stops there on request, so that it can be compared with others
//! that came to the same place. A path that has not forked since it last stopped goes on, so that loops over numbers cost nothing. Loop heads are
//! counted on their own: a path that stopped at a join in the body of a loop stops at its head too.

use crate::Executor;
use crate::interpreter::machine::{Interpreter, Machine};
use crate::paths::state::State;
use espalier_ir::Function;
use rustc_hash::FxHashMap;

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

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Meeting {
    Join,
    LoopHead,
}

/// The first instructions of the blocks where paths meet.
pub(crate) fn meetings(function: &Function) -> FxHashMap<u32, Meeting> {
    let mut edges: FxHashMap<u32, u32> = FxHashMap::default();
    let mut meetings = FxHashMap::default();
    for (index, block) in function.blocks.iter().enumerate() {
        function.for_each_edge(function.code[block.end as usize - 1], |edge| {
            let target = function.edge(edge).target;
            let start = function.block(target).start;
            let count = edges.entry(start).or_default();
            *count += 1;
            // Blocks are in reverse post-order, so an edge that does not lead forwards closes a loop.
            if target.index() <= index {
                meetings.insert(start, Meeting::LoopHead);
            } else if *count > 1 {
                meetings.entry(start).or_insert(Meeting::Join);
            }
        });
    }
    meetings
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

impl Executor {
    pub fn stop_at(&mut self, stops: Stops) {
        self.stops = stops;
    }

    /// The state was compared where it is: it need not stop there again.
    pub fn note_look_up(&self, state: &mut State) {
        match self.image.functions[state.top.func.index()].meetings.get(&state.top.pc) {
            Some(Meeting::Join) => state.joined_at = state.depth,
            Some(Meeting::LoopHead) => (state.joined_at, state.looped_at) = (state.depth, state.depth),
            None => {}
        }
    }

    pub(crate) fn stops_for(&self, state: &State, meeting: Meeting) -> bool {
        match meeting {
            Meeting::Join => state.joined_at != state.depth,
            Meeting::LoopHead => state.looped_at != state.depth || self.stops == Stops::EveryLoopHead,
        }
    }
}
