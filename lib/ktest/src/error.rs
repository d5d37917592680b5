//! What can be wrong with a test file.

use std::path::PathBuf;

use thiserror::Error;

use crate::VERSION;

#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },

    #[error("not a .ktest file: it starts with \"{}\" instead of \"KTEST\"", found.escape_ascii())]
    BadMagic { found: Vec<u8> },

    #[error("offset {offset}: version {version} is not supported (1 to {VERSION} are)")]
    UnsupportedVersion { offset: usize, version: u32 },

    /// A length or count reaches past the end of the file.
    #[error("offset {offset}: {what} needs {needed} bytes, {available} are left")]
    Truncated { offset: usize, what: &'static str, needed: u64, available: u64 },

    #[error("{what}: {length} does not fit the format's 32-bit length")]
    TooLong { what: &'static str, length: usize },
}
