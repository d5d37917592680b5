//! What the program says by itself, before any path is run: one control-flow graph, and what is computed on it.
//!
//! `cfg` is the graph of a function and the order of its blocks, `dominators` and `loops` are made of it.
//! Nothing here knows of states, terms or solvers.

#![forbid(unsafe_code)]

mod cfg;
mod dominators;
mod loops;

pub use cfg::{Cfg, Graphs};
pub use dominators::Dominators;
pub use loops::{Loop, LoopForest, LoopId};
