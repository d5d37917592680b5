//! `DIR/tree.db`, an SQLite database.
//!
//! It has a write-ahead log, which lets others read while a run writes, and is flushed with each
//! commit, so that this survives a loss of power.

use crate::StoreError;
use crate::error::Cause;
use crate::owner::Owner;
use crate::sql::{Access, Cell, Dialect, Row, Sql, Value};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, OpenFlags, ToSql};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) const NAME: &str = "tree.db";
/// The program that a tree is of.
const PROGRAM: &str = "program";
/// Where trees are that were set aside, with a number.
const ASIDE: &str = "before-";

/// How long to wait for a lock, which others only hold while they recover a log.
const PATIENCE: Duration = Duration::from_secs(10);

static DIALECT: Dialect = Dialect {
    begin: "BEGIN IMMEDIATE",
    now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
    skip_locked: "",
    keep: "",
    has_many_writers: false,
    types: &[],
    tables: "SELECT count(*) FROM sqlite_schema",
    bytes: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
    page: 1,
};

#[derive(Debug)]
struct Sqlite {
    connection: Connection,
    /// Given back after the database is closed.
    _owner: Option<Owner>,
}

pub(crate) fn connect(dir: &Path, access: Access) -> Result<Box<dyn Sql>, StoreError> {
    let path = dir.join(NAME);
    if access == Access::Create {
        std::fs::create_dir_all(dir).map_err(|error| StoreError::file(dir, error))?;
    } else if !path.exists() {
        return Err(StoreError::Missing(dir.display().to_string()));
    }
    let owner = if let Access::Create | Access::Own = access { Some(Owner::take(dir)?) } else { None };
    let flags = match access {
        Access::Create => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        Access::Own | Access::Share => OpenFlags::SQLITE_OPEN_READ_WRITE,
        Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
    };
    let failed = |error| StoreError::database(&path.display(), error);
    let connection = Connection::open_with_flags(&path, flags).map_err(failed)?;
    connection.busy_timeout(PATIENCE).map_err(failed)?;
    if access == Access::Read {
        connection.execute_batch("PRAGMA cell_size_check = ON").map_err(failed)?;
    } else {
        set_up(&connection, &path)?;
    }
    Ok(Box::new(Sqlite { connection, _owner: owner }))
}

/// A log is what a commit a second, and readers beside it, need.
fn set_up(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let failed = |error| StoreError::database(&path.display(), error);
    connection.execute_batch("PRAGMA page_size = 16384").map_err(failed)?;
    let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0)).map_err(failed)?;
    if mode != "wal" {
        return Err(StoreError::NoLog { path: path.to_owned(), offered: mode });
    }
    connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 2048").map_err(failed)
}

/// Moves the database, and what is kept beside it, into a directory of its own.
pub(crate) fn set_aside(dir: &Path) -> Result<PathBuf, StoreError> {
    let _owner = Owner::take(dir)?;
    let mut aside = (1u32..).map(|number| dir.join(format!("{ASIDE}{number}")));
    let aside = aside.find(|path| !path.exists()).unwrap_or_else(|| dir.join(ASIDE));
    std::fs::create_dir(&aside).map_err(|error| StoreError::file(&aside, error))?;
    for name in [&format!("{NAME}-wal"), &format!("{NAME}-shm"), PROGRAM, NAME] {
        let from = dir.join(name);
        if from.exists() {
            std::fs::rename(&from, aside.join(name)).map_err(|error| StoreError::file(&from, error))?;
        }
    }
    Ok(aside)
}

/// Keeps the program that the tree in a directory is of, in a file beside the database.
pub fn keep_program(dir: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let (path, unfinished) = (dir.join(PROGRAM), dir.join(format!("{PROGRAM}.new")));
    let written = std::fs::write(&unfinished, bytes).and_then(|()| std::fs::rename(&unfinished, &path));
    written.map_err(|error| StoreError::file(&path, error))
}

/// That program, if it was kept.
pub fn kept_program(dir: &Path) -> Option<Vec<u8>> {
    std::fs::read(dir.join(PROGRAM)).ok()
}

impl Sqlite {
    /// Values go by their names: `$2` may come before `$1`.
    fn prepare(&self, sql: &str, values: &[Value<'_>]) -> rusqlite::Result<CachedStatement<'_>> {
        let mut statement = self.connection.prepare_cached(sql)?;
        for (value, number) in values.iter().zip(1..) {
            statement.raw_bind_parameter(format!("${number}").as_str(), value)?;
        }
        Ok(statement)
    }
}

impl Sql for Sqlite {
    fn dialect(&self) -> &'static Dialect {
        &DIALECT
    }

    fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<u64, Cause> {
        Ok(self.prepare(sql, values)?.raw_execute()? as u64)
    }

    fn query(&self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, Cause> {
        let mut statement = self.prepare(sql, values)?;
        let columns = statement.column_count();
        let mut found = statement.raw_query();
        let mut rows = Vec::new();
        while let Some(row) = found.next()? {
            let cells = (0..columns).map(|column| row.get_ref(column).map(cell));
            rows.push(Row(cells.collect::<rusqlite::Result<_>>()?));
        }
        Ok(rows)
    }

    fn run(&self, sql: &str) -> Result<(), Cause> {
        Ok(self.connection.execute_batch(sql)?)
    }
}

fn cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(value) => Cell::Int(value),
        ValueRef::Text(value) => String::from_utf8(value.to_vec()).map_or(Cell::Other, Cell::Text),
        ValueRef::Blob(value) => Cell::Bytes(value.to_vec()),
        ValueRef::Real(_) => Cell::Other,
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match *self {
            Value::Null => ValueRef::Null,
            Value::Int(value) => ValueRef::Integer(value),
            Value::Text(value) => ValueRef::Text(value.as_bytes()),
            Value::Bytes(value) => ValueRef::Blob(value),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Reader, Store};

    #[test]
    fn a_file_system_without_shared_memory_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(NAME);
        let connection = Connection::open_with_flags_and_vfs(&path, OpenFlags::default(), c"unix-dotfile").unwrap();
        let error = set_up(&connection, &path).unwrap_err();
        assert!(matches!(error, StoreError::NoLog { .. }), "{error:?}");
        assert!(error.to_string().contains("choose a directory on a local disk"), "{error}");
    }

    #[test]
    fn a_database_that_was_not_finished_is_begun_again() {
        let dir = tempfile::tempdir().unwrap();
        drop(connect(dir.path(), Access::Create).unwrap());
        assert!(matches!(Reader::open(dir.path()).unwrap_err(), StoreError::Missing(_)));
        assert!(matches!(Store::open(dir.path()).unwrap_err(), StoreError::Missing(_)));
        Store::create(dir.path(), &[]).unwrap();
    }
}
