//! Why a comparison cannot begin or go on. What goes wrong in a single run is a result, not an
//! error.

use std::path::Path;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum BenchError {
    /// The command line asks for something that the set does not have.
    #[error("{0}")]
    Usage(String),
    /// The set, its programs or its results cannot be used.
    #[error("{0}")]
    Input(String),
    /// What was found cannot be kept.
    #[error("{0}")]
    Output(String),
}

impl BenchError {
    pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> BenchError {
        BenchError::Input(format!("{} cannot be read: {error}", path.display()))
    }

    pub(crate) fn unwritable(path: &Path, error: &std::io::Error) -> BenchError {
        BenchError::Output(format!("{} cannot be written: {error}; see that the disk has room", path.display()))
    }
}
