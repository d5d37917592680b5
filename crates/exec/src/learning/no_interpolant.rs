//! Why nothing was learnt from a piece of a path. How this is said to people is in
//! `report::no_interpolant_text`.

use serde::{Deserialize, Serialize};

/// What a node finished without an interpolant for.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum NoInterpolant {
    // ---- What a piece of a path does that cannot be run again on terms ----
    /// It calls a function that nothing defines.
    UndefinedFunction,
    /// It calls a library function that depends on more than its arguments and memory.
    Library,
    /// It calls a library function that is not exact.
    Approximation,
    /// It calls a function otherwise than that is defined.
    Misfit,
    /// It assumes something about inputs that are older than itself.
    OldAssumption,
    /// It allocates an object of symbolic size, or touches one.
    SymbolicAllocation,
    SymbolicSize,
    /// It names something by a text that may change.
    ChangingText,
    /// A number is needed, and the value has too many bits for one.
    WideValue,
    /// It reads more bytes than are kept apart.
    LargeRead,
    /// It reads memory that was never written.
    Unwritten,
    /// It reads a place that has no name at the start.
    NamelessPlace,
    /// A pointer has no value, or belongs to no object.
    UnknownPointer,
    PointerWithoutBase,
    /// It uses an object of a frame that is not there.
    NoFrame,
    // ---- What goes wrong with the replay ----
    /// It begins in the middle of an instruction or a call.
    NotBetweenInstructions,
    /// Addresses of freed objects were used again before.
    ReusedAddresses,
    /// Objects are at addresses that the program chose.
    FixedObjects,
    /// The fork that it ends in is not the one of an instruction.
    EmptyFork,
    /// A list of decisions does not say which way to go on, or says more than there is to decide.
    NoDecision,
    UnusedDecisions,
    /// No case of a switch fits.
    NoCase,
    /// It forks, or does not come to the fork that it should come to.
    Fork,
    NoFork,
    /// It takes another way, or ends elsewhere or otherwise than the path did.
    OtherWay,
    OtherEnd,
    OtherOutcome,
    /// The run was stopped in the meantime.
    Stopped,
    // ---- What the pruner makes of it ----
    /// A part of what is below was cut short.
    Cut,
    /// Learning did not pay when it, or something below, began or ended.
    Paused,
    /// The state of something below was dropped, because memory was short.
    Parked,
    /// What is below is left to a state that was visited before.
    MetBefore,
    /// An invariant of a loop speaks for what is below.
    Invariant,
    /// No inputs are known that follow the path.
    NoInputs,
    /// The piece has too many instructions.
    LongSegment,
    /// The node itself does not satisfy a clause.
    Unsatisfied,
    /// A join has no child, or a fork nothing that was before it.
    NoChild,
    NoPrefix,
    /// A clause is about inputs that the node does not hold, a place that it does not have, or
    /// something that is no leaf.
    ForeignInputs,
    NoPlace,
    NoLeaf,
    /// A place or an object that the child needs is gone, or is elsewhere on the stack.
    LostPlace,
    LostObject,
    MovedObject,
}
