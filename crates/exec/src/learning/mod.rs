//! What pruning asks of the executor: where paths stop to be compared, which states are the same,
//! and what a piece of a path needs of the state that it begins in.

pub(crate) mod arrays;
pub(crate) mod evaluation;
pub(crate) mod fingerprint;
pub(crate) mod general;
pub(crate) mod guide;
mod havoc;
mod implied;
pub(crate) mod leaf;
pub(crate) mod loops;
mod no_interpolant;
pub(crate) mod places;
pub(crate) mod relevance;
pub(crate) mod replay;
pub(crate) mod segment;
pub(crate) mod stops;

pub use no_interpolant::NoInterpolant;
