//! What pruning asks of the executor: where paths meet, which states are the same, and what a piece of a path needs of the state
//! that it begins in.

pub(crate) mod counters;
pub(crate) mod fingerprint;
pub(crate) mod leaf;
pub(crate) mod loops;
pub(crate) mod meeting;
mod no_interpolant;
pub(crate) mod relevance;
pub(crate) mod replay;

pub use no_interpolant::NoInterpolant;
