//! Where a path stands for more or fewer behaviours than the program has, and what that endangers.
//!
//! A proof needs every behaviour: it falls with whatever leaves some out (`Under`). An error needs one that exists: it has to be
//! confirmed natively where behaviours were added (`Over`). What holds under a condition that the user asked for (`Given`) endangers
//! neither, but the condition is part of the answer.

use crate::Executor;
use crate::state::State;
use espalier_base::fidelity::{Fidelity, Topic};
use std::fmt;

/// What a path has too much or too little of.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Direction {
    /// Behaviours that the program does not have: an error may be none.
    Over,
    /// Some behaviours of the program are left out: a proof may be none.
    Under,
    Both,
    /// Exact under a condition that the user stated.
    Given,
}

impl Direction {
    /// May the path leave out what the program can do?
    pub fn endangers_proofs(self) -> bool {
        matches!(self, Direction::Under | Direction::Both)
    }

    /// May the path do what the program cannot?
    pub fn endangers_errors(self) -> bool {
        matches!(self, Direction::Over | Direction::Both)
    }

    /// A word for other tools.
    pub fn word(self) -> &'static str {
        match self {
            Direction::Over => "over",
            Direction::Under => "under",
            Direction::Both => "both",
            Direction::Given => "given",
        }
    }
}

/// Why a path is not exact.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Approximation {
    pub direction: Direction,
    pub reason: String,
}

impl fmt::Display for Approximation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

/// Why the program may not be able to follow a path, if so.
pub fn doubt(approximations: &[Approximation]) -> Option<&str> {
    let over = approximations.iter().find(|approximation| approximation.direction.endangers_errors());
    over.map(|approximation| approximation.reason.as_str())
}

impl Executor {
    /// The path rests on one fixed answer of those that a real system can give.
    pub(crate) fn note_fixed(&self, state: &mut State, topic: Topic) {
        let condition = topic.condition();
        state.looks_at_addresses |= topic == Topic::Addresses;
        if self.options.fixed.contains(&topic) {
            state.note_approximation(Direction::Given, condition);
        } else {
            state.note_approximation(Direction::Under, &format!("{condition} (--{})", topic.option()));
        }
    }

    /// Notes how true the answers of a function are that is about to be called; `None` is not in the table.
    pub(crate) fn note_fidelity(&self, state: &mut State, name: &str, fidelity: Option<Fidelity>) {
        match fidelity {
            Some(Fidelity::Exact | Fidelity::ExactIf(_)) => {}
            Some(Fidelity::Over(reason)) => state.note_approximation(Direction::Over, reason),
            Some(Fidelity::Both(reason)) => state.note_approximation(Direction::Both, reason),
            Some(Fidelity::Under(topic)) => self.note_fixed(state, topic),
            None => {
                let reason = format!("nobody answers for how true `{name}` is here");
                state.note_approximation(Direction::Both, &reason);
            }
        }
    }
}
