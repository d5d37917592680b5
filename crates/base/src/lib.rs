//! What every crate may need and none should define twice: the table of options, the table of what
//! is answered for and how truly, what the executor provides, which functions are errors or jump,
//! the items of a program's environment, what tests are predicted to do, the kinds of faults that
//! can be asked for, limits, quantities with
//! units, numbers of a few bits, what mistyped names may have meant, the allocator, the memory in
//! use, child processes with limits, the options for old C, a live line of progress, the flag that
//! stops a run, and seeded random numbers.

mod allocator;
mod bitcode;
pub mod bits;
pub mod control;
pub mod environment;
pub mod expected;
mod fault;
pub mod fidelity;
pub mod klee;
mod limits;
mod live;
pub mod memory;
mod nearest;
pub mod old_c;
pub mod options;
pub mod persist;
pub mod process;
pub mod provided;
mod quantity;
mod rng;
mod stop;
pub mod ubsan;
pub mod utc;

pub use allocator::Allocator;
pub use bitcode::AS_WRITTEN;
pub use fault::{FaultKind, FaultSet, UnknownFault};
pub use limits::{Limits, OptionalLimit};
pub use live::LiveLine;
pub use nearest::nearest_names;
pub use quantity::{QuantityError, format_count, format_duration, format_size, parse_duration, parse_size};
pub use rng::Rng;
pub use stop::{StopFlag, StopReason};
