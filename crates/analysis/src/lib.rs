//! What the program says by itself, before any path is run: one control-flow graph, and what is
//! computed on it.
//!
//! `cfg` is the graph of a function and the order of its blocks; `dominators`, `loops` and `joins`
//! are made of it, and all others ask it. `targets`, `distance` and `reachability` are for what is looked
//! for, `relevance` and `counters` say what of a state cannot matter for that; `exposed` says to which
//! globals unknown pointers may lead; `liveness` and `compact` are about registers. Nothing here knows of states, terms or solvers.

#![forbid(unsafe_code)]

mod calls;
mod cfg;
mod compact;
mod counters;
mod distance;
mod dominators;
mod exposed;
mod joins;
mod liveness;
pub mod loop_names;
mod loops;
mod reachability;
mod relevance;
mod segments;
pub mod targets;

pub use calls::{CallGraph, jumps_across_functions};
pub use cfg::{Cfg, Graphs};
pub use compact::{RegisterMap, compact_registers};
pub use counters::{CountedLoops, Counter};
pub use distance::{Distances, FromEntry, Scope, Ways};
pub use dominators::Dominators;
pub use exposed::exposed_globals;
pub use joins::{Join, edges_that_close_loops, joins};
pub use liveness::{Liveness, RegSet};
pub use loops::{Loop, LoopForest, LoopId};
pub use reachability::Reachability;
pub use relevance::{Question, Relevance};
pub use targets::Site;
