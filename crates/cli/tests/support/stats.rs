//! Reading `run.stats` as any client of SQLite would.

use rusqlite::Connection;
use std::path::Path;

/// The rows of a query whose columns are numbers.
pub fn rows(path: &Path, query: &str) -> Vec<Vec<i64>> {
    try_rows(path, query).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn try_rows(path: &Path, query: &str) -> rusqlite::Result<Vec<Vec<i64>>> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    let mut statement = connection.prepare(query)?;
    let columns = statement.column_count();
    let rows = statement.query_map([], |row| (0..columns).map(|column| row.get(column)).collect())?;
    rows.collect()
}
