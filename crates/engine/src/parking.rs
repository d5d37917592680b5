//! Holding `--max-memory`: caches go first, then what pruning learnt, then states are parked (`exec::parking`) and taken up again when there is room.
//!
//! Which states are parked is left to chance, so that no searcher is favoured: none of them can say which states it would pick last.

use crate::engine::{Engine, view};
use crate::metrics::View;
use crate::outcome::Stop;
use espalier_base::{Rng, memory};
use espalier_exec::Ticket;
use espalier_search::StateId;

/// Room is made when this part of the limit is used, in percent.
const FULL: u64 = 96;
/// Halves of the open states that are parked at a time: more than any number of states has.
const MOST_ROUNDS: usize = 64;
/// States that are taken up again at a time: as many as there should be room for, if each takes so many bytes, within these bounds.
const STATE_SIZE: u64 = 16 << 10;
const FEWEST: u64 = 64;
const MOST: u64 = 1 << 14;

/// What became of states that there was no room for.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct ParkingCounts {
    /// Parked, each time counted.
    pub parked: u64,
    pub taken_up: u64,
    /// Parked when the run ended.
    pub left: u64,
    /// Those that were not found again; their paths were not explored.
    pub lost: u64,
}

/// The parked states.
pub(crate) struct Parking {
    limit: Option<u64>,
    /// Groups of tickets, those that were parked or sorted together; the last are taken up first.
    groups: Vec<Vec<Ticket>>,
    counts: ParkingCounts,
    /// Memory after caches were last dropped: doing so again helps little before there is much more.
    after_dropping: u64,
    rng: Rng,
}

impl Parking {
    pub(crate) fn new(limit: Option<u64>, seed: u64) -> Parking {
        Parking { limit, groups: Vec::new(), counts: ParkingCounts::default(), after_dropping: 0, rng: Rng::new(seed) }
    }

    pub(crate) fn len(&self) -> usize {
        self.groups.iter().map(Vec::len).sum()
    }

    pub(crate) fn tickets(&self) -> impl Iterator<Item = &Ticket> {
        self.groups.iter().flatten()
    }

    pub(crate) fn counts(&self) -> ParkingCounts {
        ParkingCounts { left: self.len() as u64, ..self.counts }
    }

    fn is_above(&self, percent: u64, memory: u64) -> bool {
        self.limit.is_some_and(|limit| memory >= limit / 100 * percent)
    }
}

impl Engine {
    /// Makes room if memory is nearly used up. Fails if there is no way to.
    pub(crate) fn make_room(&mut self) -> Result<(), Stop> {
        let mut memory = self.clock.memory();
        if !self.parking.is_above(FULL, memory) {
            return Ok(());
        }
        if memory > self.parking.after_dropping + self.parking.after_dropping / 8 {
            self.executor.solver.drop_caches();
            memory = self.measure();
            self.parking.after_dropping = memory;
        }
        if self.parking.is_above(FULL, memory) && self.pruning.is_some() {
            self.give_up_pruning();
            memory = self.measure();
        }
        for _ in 0..MOST_ROUNDS {
            if !self.parking.is_above(FULL, memory) || self.states.len() <= 1 || !self.config.replays.is_empty() {
                break;
            }
            self.park_half();
            memory = self.measure();
        }
        if self.parking.is_above(100, memory) { Err(Stop::MaxMemory) } else { Ok(()) }
    }

    fn measure(&mut self) -> u64 {
        memory::give_back();
        self.clock.measure_memory()
    }

    /// Parks every other state, by chance.
    fn park_half(&mut self) {
        let mut group = Vec::new();
        let open: Vec<StateId> = self.states.numbered().map(|(id, _)| id).collect();
        for id in open {
            if self.states.len() <= 1 {
                break;
            }
            let is_seeded = self.seeding.as_ref().is_some_and(|seeding| seeding.current() == Some(id));
            if is_seeded || self.parking.rng.below(2) == 0 {
                continue;
            }
            // A state whose path the solver has no input for stays.
            let Ok(ticket) = self.executor.ticket(self.states.get(id)) else { continue };
            self.searcher.remove(id);
            self.states.remove(id);
            group.push(ticket);
        }
        self.parking.counts.parked += group.len() as u64;
        self.parking.groups.push(group);
    }

    /// Takes parked states up again, if there is room. Is there something to run now?
    pub(crate) fn take_up_parked(&mut self) -> Result<bool, Stop> {
        if self.parking.groups.is_empty() {
            return Ok(false);
        }
        if self.parking.is_above(FULL, self.clock.memory()) {
            self.executor.solver.drop_caches();
            let memory = self.measure();
            if self.parking.is_above(FULL, memory) {
                return Err(Stop::MaxMemory);
            }
        }
        let room = self.parking.limit.unwrap_or(u64::MAX).saturating_sub(self.clock.memory());
        let most = (room / STATE_SIZE).clamp(FEWEST, MOST) as usize;
        // The program was loaded before, so this works; if it did not, all would stay parked.
        let Ok(start) = self.executor.initial_state(self.entry) else { return Ok(false) };
        let mut tickets = Vec::new();
        while tickets.len() < most
            && let Some(group) = self.parking.groups.pop()
        {
            tickets.extend(group);
        }
        let (stop, asked, clock) = (&self.stop, &self.asked, &self.clock);
        let is_over = || stop.is_asked() || asked.is_asked() || clock.deadline_passed();
        let taken = self.executor.take_up(Box::new(start), tickets, most, is_over);
        self.parking.groups.extend(taken.later);
        self.parking.counts.lost += taken.lost.len() as u64;
        taken.lost.iter().for_each(|ticket| self.groups.open.add(ticket.loc));
        self.parking.counts.taken_up += taken.states.len() as u64;
        let mut open = Vec::new();
        for state in taken.states {
            open.push(self.states.insert(state));
        }
        self.searcher.add(view!(self), None, &open);
        self.require_time()?;
        Ok(!self.parking.groups.is_empty() || !open.is_empty())
    }
}
