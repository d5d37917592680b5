//! The target in focus: ways to one target alone, and when the next one has its turn.
//!
//! The order is that of `search::Rota`, by what was spent in turns for the focus (counted work, as
//! everywhere). Ways to single targets are computed when they are needed and a few are kept, those
//! that were used last. A target to which no open state has a way is passed over; changing the
//! focus has to be worth what it costs, which with many states or much code is a good deal.

use crate::metrics::{DISTANCE, WEIGHING, work};
use crate::states::States;
use espalier_analysis::{Distances, Scope, Site, Ways};
use espalier_exec::Executor;
use espalier_search::Rota;

/// The slice of the first round. A directed search has a quarter of a run's work, and half of that
/// is for the focus: of all work, it is the eighth part of 2^27.
const FIRST_SLICE: u64 = 1 << 24;

/// Ways that are kept.
const KEPT: usize = 16;

/// Targets that are tried at once for whether an open state has a way to them.
const TRIED: usize = 8;

/// How often all states are weighed for a target: whether one has a way to it, and in two orders.
const WEIGHED: u64 = 3;

/// Before the focus changes again, so many times the work of changing it is done.
const WORTH: u64 = 4;

pub(crate) struct Focus {
    rota: Rota,
    /// Those used last at the end.
    ways: Vec<(u32, Ways)>,
    /// Has any state a way to the target in focus?
    is_led_to: bool,
    /// The focus does not change before so much work was done.
    not_before: u64,
}

impl Focus {
    /// `from_start` are the targets' distances from the program's start.
    pub(crate) fn new(from_start: Vec<Option<u64>>) -> Focus {
        let rota = Rota::new(from_start, FIRST_SLICE);
        Focus { rota, ways: Vec::new(), is_led_to: false, not_before: 0 }
    }

    /// The ways to the target in focus, if it is open and others are too.
    pub(crate) fn ways(&self, executor: &Executor) -> Option<&Ways> {
        let focus = self.rota.focus()?;
        let is_wanted = self.is_led_to && executor.is_open_target(focus) && executor.open_targets() > 1;
        self.ways.last().filter(|(target, _)| is_wanted && *target == focus).map(|(_, ways)| ways)
    }

    pub(crate) fn charge(&mut self, work: u64) {
        self.rota.charge(work);
    }

    /// Goes on to another target if it is time to. `places` has what leads to a target. Is the
    /// focus another one now?
    pub(crate) fn advance(
        &mut self,
        executor: &Executor,
        states: &States,
        distances: &Distances,
        places: impl Fn(u32) -> Vec<(Site, u32)>,
    ) -> bool {
        let is_open = |target| executor.is_open_target(target);
        let is_over = executor.open_targets() > 1 && (!self.is_led_to || self.rota.is_over(is_open));
        if !is_over || work(executor) < self.not_before {
            return false;
        }
        let mut cost = 0;
        self.is_led_to = false;
        for _ in 0..TRIED.min(executor.open_targets()) {
            let Some(target) = self.rota.advance(is_open) else { break };
            cost += self.use_ways(executor, distances, target, &places);
            cost += WEIGHED * WEIGHING * states.len() as u64;
            if self.is_any_led_to(executor, states, distances) {
                self.is_led_to = true;
                break;
            }
            self.rota.pass();
        }
        self.not_before = work(executor) + WORTH * cost;
        true
    }

    /// Has the ways to a target be the last ones. What did that cost?
    fn use_ways(
        &mut self,
        executor: &Executor,
        distances: &Distances,
        target: u32,
        places: impl Fn(u32) -> Vec<(Site, u32)>,
    ) -> u64 {
        if let Some(known) = self.ways.iter().position(|(known, _)| *known == target) {
            self.ways[known..].rotate_left(1);
            return 0;
        }
        if self.ways.len() == KEPT {
            self.ways.remove(0);
        }
        let ways = distances.ways_to(executor.program(), Scope::Program, places(target));
        let cost = DISTANCE * ways.work;
        self.ways.push((target, ways));
        cost
    }

    fn is_any_led_to(&self, executor: &Executor, states: &States, distances: &Distances) -> bool {
        let Some((_, ways)) = self.ways.last() else { return false };
        states.numbered().any(|(_, state)| {
            let frames = state.frames().map(|frame| (frame.func, frame.pc));
            distances.from_stack(executor.program(), ways, frames).is_some()
        })
    }
}
