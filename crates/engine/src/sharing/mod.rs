//! Several workers on one tree.
//!
//! Workers are processes of their own: terms, caches and states are not shared, so nobody waits for
//! anybody. They meet in the database that the tree is recorded in (see `espalier_store::Tasks`),
//! be it a file on this machine or a server that many machines know.
//!
//! A [`part`](part) of the tree is what a worker explores at a time, and hands over: a few
//! unfinished nodes, and where the records are that lead to them. Whoever takes it executes the
//! paths again by these records, as for states that were parked. A [`worker`](worker) explores
//! parts; the [`owner`](owner) of the tree makes the first ones, reports what workers found, and
//! says in the end, from the records alone, what is explored and what is not. What workers tell it
//! are [`event`](event)s.
//!
//! Interpolants, coverage and errors that one worker found are known to the others a second later.
//! An interpolant holds of the program, whoever learnt it, and is written in one transaction with
//! the records of the subtree that it was learnt from.

pub(crate) mod event;
mod owner;
pub(crate) mod part;
pub(crate) mod worker;

pub use owner::Crew;
pub use worker::{Job, WorkerError};
