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
/// States that are taken up again at a time.
const BATCH: usize = 64;

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
    tickets: Vec<Ticket>,
    counts: ParkingCounts,
    /// Memory after caches were last dropped: doing so again helps little before there is much more.
    after_dropping: u64,
    rng: Rng,
}

impl Parking {
    pub(crate) fn new(limit: Option<u64>, seed: u64) -> Parking {
        Parking { limit, tickets: Vec::new(), counts: ParkingCounts::default(), after_dropping: 0, rng: Rng::new(seed) }
    }

    pub(crate) fn len(&self) -> usize {
        self.tickets.len()
    }

    pub(crate) fn tickets(&self) -> &[Ticket] {
        &self.tickets
    }

    pub(crate) fn counts(&self) -> ParkingCounts {
        ParkingCounts { left: self.tickets.len() as u64, ..self.counts }
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
        let open: Vec<StateId> = self.states.numbered().map(|(id, _)| id).collect();
        for id in open {
            if self.states.len() <= 1 {
                return;
            }
            let is_seeded = self.seeding.as_ref().is_some_and(|seeding| seeding.current() == Some(id));
            if is_seeded || self.parking.rng.below(2) == 0 {
                continue;
            }
            // A state whose path the solver has no input for stays.
            let Ok(ticket) = self.executor.ticket(self.states.get(id)) else { continue };
            self.searcher.remove(id);
            self.states.remove(id);
            self.parking.tickets.push(ticket);
            self.parking.counts.parked += 1;
        }
    }

    /// Takes parked states up again, if there is room. Is there something to run now?
    pub(crate) fn take_up_parked(&mut self) -> Result<bool, Stop> {
        if self.parking.tickets.is_empty() {
            return Ok(false);
        }
        if self.parking.is_above(FULL, self.clock.memory()) {
            self.executor.solver.drop_caches();
            let memory = self.measure();
            if self.parking.is_above(FULL, memory) {
                return Err(Stop::MaxMemory);
            }
        }
        let mut taken = Vec::new();
        while taken.len() < BATCH
            && let Some(ticket) = self.parking.tickets.pop()
        {
            let is_over = || self.stop_flag.is_asked() || self.clock.deadline_passed();
            match self.executor.take_up(self.entry, &ticket, is_over) {
                Ok(Some(state)) => {
                    let id = self.states.insert(state);
                    self.measurements.start(id);
                    taken.push(id);
                    self.parking.counts.taken_up += 1;
                }
                _ if is_over() => {
                    self.parking.tickets.push(ticket);
                    break;
                }
                _ => {
                    self.parking.counts.lost += 1;
                    self.groups.open.add(ticket.loc);
                }
            }
        }
        self.searcher.add(view!(self), None, &taken);
        Ok(!taken.is_empty())
    }
}
