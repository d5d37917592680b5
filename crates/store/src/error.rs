//! What can go wrong with a store, said so that somebody who only knows the directory understands
//! it. Errors can be cloned: the thread that writes has one, and whoever waits for it too.

use rusqlite::{Error, ErrorCode};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A record that cannot be read.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the record at offset {offset} of batch {batch} is damaged ({flaw}): its node counts as not explored")]
pub struct Damaged {
    pub batch: u64,
    pub offset: u32,
    pub flaw: Flaw,
}

/// What is wrong with bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    #[error("it ends too early")]
    TooShort,
    #[error("a number is out of range")]
    Number,
    #[error("a kind that does not exist")]
    Kind,
    #[error("no record can be here")]
    Offset,
}

#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    #[error("\"{}\" is being written by {}: wait for it, or stop it", dir.display(), Process(*.pid))]
    Owned { dir: PathBuf, pid: Option<u32> },
    #[error("\"{}\" has a recorded tree already: go on with it, or choose another directory", .0.display())]
    Exists(PathBuf),
    #[error("\"{}\" has no recorded tree", .0.display())]
    Missing(PathBuf),
    #[error(
        "\"{}\" has the format {found}, and this program reads format {known}: use the program that recorded it",
        path.display()
    )]
    Format { path: PathBuf, found: String, known: &'static str },
    #[error(
        "\"{}\" cannot have a write-ahead log (SQLite offers \"{offered}\"), probably because it is on a network \
         file system: choose a directory on a local disk",
        path.display()
    )]
    NoLog { path: PathBuf, offered: String },
    #[error("no space to write \"{}\" ({source}): what was written before is whole; make space and resume", path.display())]
    Full { path: PathBuf, source: Arc<rusqlite::Error> },
    #[error("\"{}\" is damaged ({source}): restore it from a copy, or record anew", path.display())]
    Corrupt { path: PathBuf, source: Arc<rusqlite::Error> },
    #[error("batch {batch} of \"{}\" is damaged: resume explores its nodes again", path.display())]
    Batch { path: PathBuf, batch: u64 },
    #[error("cannot use \"{}\": {source}", path.display())]
    Database { path: PathBuf, source: Arc<rusqlite::Error> },
    #[error("cannot use \"{}\": {source}", path.display())]
    File { path: PathBuf, source: Arc<std::io::Error> },
    #[error("another worker has taken over the task in \"{}\": this one was not heard of for too long", .0.display())]
    Lost(PathBuf),
    #[error("\"{}\" has had as many workers in this run as there can be: stop the run, and resume it", .0.display())]
    Crowded(PathBuf),
    #[error("the thread that writes \"{}\" has died: what was written before is whole; please report this", .0.display())]
    Died(PathBuf),
}

impl StoreError {
    pub(crate) fn database(path: &Path, source: rusqlite::Error) -> StoreError {
        let (path, source) = (path.to_owned(), Arc::new(source));
        match (source.sqlite_error_code(), &*source) {
            (Some(ErrorCode::DiskFull), _) => StoreError::Full { path, source },
            (Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase), _)
            | (
                _,
                Error::InvalidColumnType(..) | Error::FromSqlConversionFailure(..) | Error::IntegralValueOutOfRange(..),
            ) => StoreError::Corrupt { path, source },
            _ => StoreError::Database { path, source },
        }
    }

    pub(crate) fn file(path: &Path, source: std::io::Error) -> StoreError {
        StoreError::File { path: path.to_owned(), source: Arc::new(source) }
    }
}

/// The process that holds a lock, if it has said so yet.
struct Process(Option<u32>);

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(pid) => write!(f, "process {pid}"),
            None => f.write_str("another process"),
        }
    }
}
