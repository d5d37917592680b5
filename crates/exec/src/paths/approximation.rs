//! Where a path stands for more or fewer behaviours than the program has, and what that endangers.
//!
//! A proof needs every behaviour: it falls with whatever leaves some out (`Under`). An error needs
//! one that exists: it has to be confirmed natively where behaviours were added (`Over`). What
//! holds under a condition that the user asked for (`Given`) endangers neither, but the condition
//! is part of the answer.

use crate::Executor;
use crate::paths::state::State;
use espalier_base::fidelity::{Fidelity, Inexactness, Topic};
use espalier_ir::LeftOut;
use serde::{Deserialize, Serialize};

/// What a path has too much or too little of.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
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

/// Where a path is not exact. How this is said to people is in `report::approximation_text`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Approximation {
    pub direction: Direction,
    pub cause: Cause,
}

/// Why a path is not exact.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Cause {
    /// One fixed answer of those that a real system can give.
    Fixed(Topic),
    /// A function that the table says is not exact.
    Function(Inexactness),
    /// What is printed is not followed.
    Output(UncheckedOutput),
    /// A function that is not exact, in the words of a library that is linked in.
    Library(String),
    /// A function that the table does not have.
    NotInTable {
        function: String,
    },
    /// A decision depends on a value that nobody knows.
    UnknownValue,
    /// The same, but one value stands for several.
    SharedUnknownValue,
    /// A function that is run by itself sees global variables as they are at first.
    FirstGlobals,
    /// Its pointers are null or lead to objects of their own.
    LazyPointers,
    /// Of the addresses that a pointer from outside can have, one was followed.
    LazyAddress,
    /// No pointer from outside, apart from null, is so small a number that an access near it is one
    /// of the first page.
    SmallPointers,
    /// 32-bit code computes floats with SSE2.
    Sse,
    /// Divisors and shift amounts are not checked.
    NoDivisionByZero,
    NoOvershift,
    /// The program is linked with musl, which is another C library than that of most systems.
    Musl,
    /// A part of the program is not executed.
    LeftOut(LeftOut),
    /// An argument is narrower than the parameter.
    NarrowArgument {
        function: String,
    },
    /// Addresses of dead objects were used again.
    ReusedAddresses,
    /// An undefined function returned and wrote anything.
    Havoc {
        function: String,
    },
    /// `malloc_usable_size`
    UsableSize,
    /// `klee_get_value` chose one of several values.
    ChosenValue,
    /// `klee_get_errno` in a program without errno.
    NoErrno,
    /// errno is a variable of the program's own.
    OwnErrno,
    /// Paths of an earlier run were others when they were executed again, and it had left states out
    /// because of what it learnt.
    Diverged,
}

/// Why a format that is printed is not followed to its end.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum UncheckedOutput {
    /// It has a string that depends on the input, whose end is not looked for.
    String,
    /// It has more conversions than there are arguments.
    TooFewArguments,
}

/// Why the program may not be able to follow a path, if so.
pub fn doubt(approximations: &[Approximation]) -> Option<&Approximation> {
    approximations.iter().find(|approximation| approximation.direction.endangers_errors())
}

impl Executor {
    /// The path rests on one fixed answer of those that a real system can give.
    pub(crate) fn note_fixed(&self, state: &mut State, topic: Topic) {
        state.looks_at_addresses |= topic == Topic::Addresses;
        let is_stated = self.options.fixed.contains(&topic);
        state.note_approximation(if is_stated { Direction::Given } else { Direction::Under }, Cause::Fixed(topic));
    }

    /// Notes how true the answers of a function are that is about to be called; `None` is not in
    /// the table.
    pub(crate) fn note_fidelity(&self, state: &mut State, name: &str, fidelity: Option<Fidelity>) {
        match fidelity {
            Some(Fidelity::Exact | Fidelity::ExactIf(_) | Fidelity::Says(_)) => {}
            Some(Fidelity::Over(reason)) => state.note_approximation(Direction::Over, Cause::Function(reason)),
            Some(Fidelity::Both(reason)) => state.note_approximation(Direction::Both, Cause::Function(reason)),
            Some(Fidelity::Under(topic)) => self.note_fixed(state, topic),
            None => {
                state.note_approximation(Direction::Both, Cause::NotInTable { function: name.to_owned() });
            }
        }
    }
}
