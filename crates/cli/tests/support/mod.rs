//! What the tests that drive the binary share.

#![allow(dead_code, reason = "each test binary uses another part")]

pub mod bitcode;
pub mod corpus;
pub mod events;
pub mod generator;
pub mod process;
pub mod project;
pub mod stats;
pub mod suite;

use std::path::{Path, PathBuf};

/// The binary under test.
pub const ESPALIER: &str = env!("CARGO_BIN_EXE_espalier");

/// The root of the repository.
pub fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the repository")
}

/// A number from the environment, for longer runs.
pub fn count_from_env(name: &str, default: usize) -> usize {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")),
        Err(_) => default,
    }
}
