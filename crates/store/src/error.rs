//! What can go wrong with a store, said so that somebody who only knows where it is understands
//! it. Errors can be cloned: the thread that writes has one, and whoever waits for it too.

use crate::Location;
use rusqlite::ErrorCode;
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
    #[error("\"{at}\" is being written by {}: wait for it, or stop it", Process(*.pid, .client.as_deref()))]
    Owned {
        at: String,
        /// Of a process here; with a client, of one of a database server.
        pid: Option<u32>,
        client: Option<String>,
    },
    #[error("\"{}\" has a recorded tree already: go on with it, or choose another {}", .0, kind(.0))]
    Exists(Location),
    #[error("\"{0}\" has no recorded tree")]
    Missing(String),
    #[error("\"{at}\" has the format {found}, and this program reads format {known}: use the program that recorded it")]
    Format { at: String, found: String, known: &'static str },
    #[error(
        "\"{}\" cannot have a write-ahead log (SQLite offers \"{offered}\"), probably because it is on a network \
         file system: choose a directory on a local disk",
        path.display()
    )]
    NoLog { path: PathBuf, offered: String },
    #[error("\"{at}\" cannot be used ({problem}): give postgres://USER@HOST/DATABASE?tree=NAME, or a directory")]
    Address { at: String, problem: String },
    #[error("cannot use \"{at}\" ({source}): {advice}")]
    Server { at: String, source: Arc<Cause>, advice: &'static str },
    #[error("no space to write \"{at}\" ({source}): what was written before is whole; make space and resume")]
    Full { at: String, source: Arc<Cause> },
    #[error("\"{at}\" is damaged ({source}): restore it from a copy, or record anew")]
    Corrupt { at: String, source: Arc<Cause> },
    #[error("batch {batch} of \"{at}\" is damaged: resume explores its nodes again")]
    Batch { at: String, batch: u64 },
    #[error("cannot use \"{at}\": {source}")]
    Database { at: String, source: Arc<Cause> },
    #[error("cannot use \"{}\": {source}", path.display())]
    File { path: PathBuf, source: Arc<std::io::Error> },
    #[error("another worker has taken over the task in \"{0}\": this one was not heard of for too long")]
    Lost(String),
    #[error("the run in \"{0}\" that this process worked for is over, and another one has begun: start it again")]
    Over(String),
    #[error("\"{0}\" has had as many workers in this run as there can be: stop the run, and resume it")]
    Crowded(String),
    #[error("nobody shares the tree in \"{0}\" now: begin with `espalier run --jobs=N` or --store, or resume it so")]
    NotShared(String),
    #[error("the thread that writes \"{0}\" has died: what was written before is whole; please report this")]
    Died(String),
}

impl StoreError {
    pub(crate) fn database(at: &dyn fmt::Display, cause: impl Into<Cause>) -> StoreError {
        let (at, source) = (at.to_string(), Arc::new(cause.into()));
        match source.kind() {
            Kind::Full => StoreError::Full { at, source },
            Kind::Corrupt => StoreError::Corrupt { at, source },
            #[cfg(feature = "postgres")]
            Kind::Server(advice) => StoreError::Server { at, source, advice },
            Kind::Other => StoreError::Database { at, source },
        }
    }

    pub(crate) fn file(path: &Path, source: std::io::Error) -> StoreError {
        StoreError::File { path: path.to_owned(), source: Arc::new(source) }
    }
}

/// What a database says.
#[derive(Debug, thiserror::Error)]
pub enum Cause {
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    #[cfg(feature = "postgres")]
    #[error("{}", crate::postgresql::message(.0))]
    Postgres(#[from] postgres::Error),
    #[error("column {0} has something that was never written")]
    Column(usize),
}

/// What can be done about it.
pub(crate) enum Kind {
    Full,
    Corrupt,
    /// Nothing is wrong with the tree: this helps.
    #[cfg(feature = "postgres")]
    Server(&'static str),
    Other,
}

impl Cause {
    fn kind(&self) -> Kind {
        match self {
            Cause::Sqlite(error) => match error.sqlite_error_code() {
                Some(ErrorCode::DiskFull) => Kind::Full,
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Kind::Corrupt,
                _ => Kind::Other,
            },
            #[cfg(feature = "postgres")]
            Cause::Postgres(error) => crate::postgresql::kind(error),
            Cause::Column(_) => Kind::Corrupt,
        }
    }

    /// It is about what is on the disk in one place, and others may be in order.
    pub(crate) fn is_damage(&self) -> bool {
        match self {
            Cause::Sqlite(error) => {
                matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::SystemIoFailure))
            }
            #[cfg(feature = "postgres")]
            Cause::Postgres(error) => matches!(crate::postgresql::kind(error), Kind::Corrupt),
            Cause::Column(_) => false,
        }
    }
}

fn kind(location: &Location) -> &'static str {
    match location {
        Location::Directory(_) => "directory",
        Location::Postgres(_) => "name (?tree=NAME)",
    }
}

/// The process that holds a lock, if it has said so yet, and whom it does so for.
struct Process<'a>(Option<u32>, Option<&'a str>);

impl fmt::Display for Process<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Process(Some(pid), Some(client)) => write!(f, "{client} (process {pid} of the server)"),
            Process(Some(pid), None) => write!(f, "process {pid}"),
            Process(None, _) => f.write_str("another process"),
        }
    }
}
