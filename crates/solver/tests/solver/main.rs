//! Tests of the solver chain and its backends through the public interface.

mod backends;
mod chain;
mod common;
mod operators;
mod processes;
