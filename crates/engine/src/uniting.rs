//! Paths that wait at the close of a merge (`klee_close_merge`) and become one there.
//!
//! A path that comes to the close of a merge becomes part of one that waits there already, if the
//! two differ in values only; otherwise it waits too. They go on when no open path can come there
//! any more, because none has the merge open. Inner merges are opened later than outer ones, on all
//! paths that have both, so no two wait for each other.
//!
//! A path that others became a part of cannot be executed again by its choices. So nothing is
//! parked and nothing recorded in a run with merges, and nothing more is learnt once there was one.

use crate::engine::{Engine, view};
use crate::metrics::View;
use crate::outcome::Stop;
use crate::states::Open;
use espalier_exec::State;
use espalier_search::StateId;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// For how long paths wait.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum PathMerging {
    /// Until no other one can come.
    Complete,
    /// Until those that can still come have executed far more than those that wait.
    Incomplete,
}

/// With incomplete merges: a path that executed so many times the mean of those that have come is
/// not waited for.
const PATIENCE: u64 = 2;

/// Who waits at the close of which merge.
#[derive(Default)]
pub(crate) struct Merges {
    waiting: BTreeMap<u32, Waiting>,
    /// Was a path closed, or did one come, since it was looked who may go on?
    has_changed: bool,
}

#[derive(Default)]
struct Waiting {
    states: Vec<StateId>,
    /// How many paths have come, and what they executed since the merge was opened.
    arrived: u64,
    executed: u64,
}

impl Merges {
    /// An open path is gone.
    pub(crate) fn note_closed(&mut self) {
        self.has_changed = true;
    }
}

/// Are two paths at the same instruction?
fn is_same_place(one: &State, other: &State) -> bool {
    let place = |state: &State| (state.running().func, state.running().pc);
    place(one) == place(other)
}

impl Engine {
    /// A path came to the close of a merge, which it had opened when it had executed so many
    /// instructions.
    pub(crate) fn arrive(&mut self, id: StateId, merge: u32, opened_at: u64) -> Result<(), Stop> {
        self.merges.has_changed = true;
        let state = self.states.get(id).clone();
        let waiting = self.merges.waiting.entry(merge).or_default();
        waiting.arrived += 1;
        waiting.executed += state.instructions().saturating_sub(opened_at);
        let candidates = waiting.states.clone();
        for candidate in candidates {
            let others = self.states.get_mut(candidate);
            if is_same_place(others, &state) && self.executor.merge(others, &state) {
                self.give_up_pruning();
                self.close_merged(id);
                return self.require_time();
            }
        }
        if let Some(seeding) = &mut self.seeding {
            seeding.ended(id);
        }
        self.leave_searcher(id);
        self.tree.wait(self.states.open(id).slot);
        if let Some(waiting) = self.merges.waiting.get_mut(&merge) {
            waiting.states.push(id);
        }
        Ok(())
    }

    /// Takes a state out that another one stands for.
    fn close_merged(&mut self, id: StateId) {
        self.leave_searcher(id);
        self.end_guide(id);
        let Open { slot, life, .. } = self.states.remove(id);
        self.end_life(life);
        self.finish(slot, false);
        self.paths.merged += 1;
    }

    /// Lets those go on that wait for nobody.
    pub(crate) fn release_merges(&mut self) {
        if self.merges.waiting.is_empty() || !std::mem::take(&mut self.merges.has_changed) {
            return;
        }
        let open: FxHashSet<u32> = self.states.iter().flat_map(State::open_merges).collect();
        let done: Vec<u32> = self.merges.waiting.keys().copied().filter(|merge| !open.contains(merge)).collect();
        done.into_iter().for_each(|merge| self.release(merge));
    }

    fn release(&mut self, merge: u32) {
        let Some(Waiting { states, .. }) = self.merges.waiting.remove(&merge) else { return };
        self.wake(&states);
    }

    /// With incomplete merges: a path had its turn. Those that waited for it may not want to any
    /// more.
    pub(crate) fn stop_waiting_for(&mut self, id: StateId) {
        if self.config.merging != Some(PathMerging::Incomplete) || self.merges.waiting.is_empty() {
            return;
        }
        let state = self.states.get(id);
        let executed = state.instructions();
        let late: Vec<u32> = state
            .opened_merges()
            .filter(|&(merge, at)| {
                self.merges.waiting.get(&merge).is_some_and(|waiting| {
                    waiting.arrived > 0 && executed.saturating_sub(at) > PATIENCE * (waiting.executed / waiting.arrived)
                })
            })
            .map(|(merge, _)| merge)
            .collect();
        late.into_iter().for_each(|merge| self.release(merge));
    }

    /// Lets all go on that wait, and picks one.
    pub(crate) fn take_unmerged(&mut self) -> Option<StateId> {
        if self.merges.waiting.is_empty() {
            return None;
        }
        let all: Vec<u32> = self.merges.waiting.keys().copied().collect();
        all.into_iter().for_each(|merge| self.release(merge));
        self.searcher.pick(view!(self))
    }
}
