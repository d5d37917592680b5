//! What this crate asks of a database, whichever it is.
//!
//! Statements are written once, in words that SQLite and PostgreSQL both know, with `$1` for the
//! first of their values. Where the two differ there is a [`Dialect`].

use crate::error::Cause;
use crate::{Location, StoreError, postgresql, sqlite};
use std::fmt;

/// What somebody opens a tree for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    /// To be its owner, also if it does not exist yet.
    Create,
    /// To be its owner.
    Own,
    /// To write to it beside its owner.
    Share,
    Read,
}

/// Opens a tree. As long as it is open for its owner, nobody else can own it.
pub(crate) fn connect(location: &Location, access: Access) -> Result<Box<dyn Sql>, StoreError> {
    match location {
        Location::Directory(dir) => sqlite::connect(dir, access),
        Location::Postgres(address) => postgresql::connect(address, access),
    }
}

/// What one database says in other words than the other.
pub(crate) struct Dialect {
    /// Begins a transaction that writes.
    pub(crate) begin: &'static str,
    /// The time, in milliseconds.
    pub(crate) now: &'static str,
    /// Behind a query for a row that is to be changed: those that somebody else changes are left out.
    pub(crate) skip_locked: &'static str,
    /// Behind a query for a row that must stay as it is until the transaction ends.
    pub(crate) keep: &'static str,
    /// Several transactions can write at a time.
    pub(crate) has_many_writers: bool,
    /// Words of SQLite's in definitions of tables, and what is said here.
    pub(crate) types: &'static [(&'static str, &'static str)],
    /// A query for the number of tables.
    pub(crate) tables: &'static str,
    /// A query for the bytes on the disk.
    pub(crate) bytes: &'static str,
    /// How many rows a scan reads at once.
    pub(crate) page: usize,
}

/// A connection.
pub(crate) trait Sql: fmt::Debug + Send {
    fn dialect(&self) -> &'static Dialect;

    /// Gives the number of rows that have changed.
    fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<u64, Cause>;

    fn query(&self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, Cause>;

    /// Executes statements that have no values.
    fn run(&self, sql: &str) -> Result<(), Cause>;
}

impl dyn Sql + '_ {
    /// The first row, if there is one.
    pub(crate) fn first(&self, sql: &str, values: &[Value<'_>]) -> Result<Option<Row>, Cause> {
        Ok(self.query(sql, values)?.into_iter().next())
    }

    /// The first column of the first row, which there is.
    pub(crate) fn one<T: FromCell>(&self, sql: &str, values: &[Value<'_>]) -> Result<T, Cause> {
        self.first(sql, values)?.unwrap_or_default().take(0)
    }

    /// Does something as a whole or not at all.
    pub(crate) fn transaction<T>(&self, change: impl FnOnce(&dyn Sql) -> Result<T, Cause>) -> Result<T, Cause> {
        self.run(self.dialect().begin)?;
        let changed = change(self).and_then(|changed| self.run("COMMIT").map(|()| changed));
        if changed.is_err() {
            // If this fails, there is no transaction any more.
            let _ = self.run("ROLLBACK");
        }
        changed
    }

    /// Nobody else writes to the table until the transaction ends. So rows become visible in the
    /// order of their numbers, and whoever asks for those above the last one misses none.
    pub(crate) fn lock(&self, table: &str) -> Result<(), Cause> {
        if self.dialect().has_many_writers {
            self.run(&format!("LOCK TABLE {table} IN EXCLUSIVE MODE"))?;
        }
        Ok(())
    }

    /// Makes tables. The definition is SQLite's.
    pub(crate) fn define(&self, tables: &str) -> Result<(), Cause> {
        let types = self.dialect().types.iter();
        self.run(&types.fold(tables.to_owned(), |tables, (from, to)| tables.replace(from, to)))
    }

    pub(crate) fn has_tables(&self) -> Result<bool, Cause> {
        self.one::<i64>(self.dialect().tables, &[]).map(|tables| tables > 0)
    }
}

/// A value of a statement.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Value<'a> {
    Null,
    Int(i64),
    Text(&'a str),
    Bytes(&'a [u8]),
}

/// The values of a statement.
macro_rules! values {
    ($($value:expr),* $(,)?) => { &[$($crate::sql::Value::from($value)),*] };
}
pub(crate) use values;

impl From<i64> for Value<'_> {
    fn from(value: i64) -> Self {
        Value::Int(value)
    }
}

impl From<u64> for Value<'_> {
    fn from(value: u64) -> Self {
        Value::Int(value as i64)
    }
}

impl From<u32> for Value<'_> {
    fn from(value: u32) -> Self {
        Value::Int(value.into())
    }
}

impl From<u16> for Value<'_> {
    fn from(value: u16) -> Self {
        Value::Int(value.into())
    }
}

impl From<bool> for Value<'_> {
    fn from(value: bool) -> Self {
        Value::Int(value.into())
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(value: &'a str) -> Self {
        Value::Text(value)
    }
}

impl<'a> From<&'a [u8]> for Value<'a> {
    fn from(value: &'a [u8]) -> Self {
        Value::Bytes(value)
    }
}

impl<'a> From<&'a Vec<u8>> for Value<'a> {
    fn from(value: &'a Vec<u8>) -> Self {
        Value::Bytes(value)
    }
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

/// What is in one column of a row.
#[derive(Default, Debug)]
pub(crate) enum Cell {
    #[default]
    Null,
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
    /// Something that is never written.
    Other,
}

#[derive(Default, Debug)]
pub(crate) struct Row(pub(crate) Vec<Cell>);

impl Row {
    /// What is in a column, which is read once.
    pub(crate) fn take<T: FromCell>(&mut self, column: usize) -> Result<T, Cause> {
        let cell = self.0.get_mut(column).map(std::mem::take).unwrap_or_default();
        T::from_cell(cell).ok_or(Cause::Column(column))
    }
}

/// What a column can be read as. None if it has something else.
pub(crate) trait FromCell: Sized {
    fn from_cell(cell: Cell) -> Option<Self>;
}

impl FromCell for i64 {
    fn from_cell(cell: Cell) -> Option<i64> {
        if let Cell::Int(value) = cell { Some(value) } else { None }
    }
}

/// All of its bits are in the column.
impl FromCell for u64 {
    fn from_cell(cell: Cell) -> Option<u64> {
        i64::from_cell(cell).map(|value| value as u64)
    }
}

impl FromCell for u32 {
    fn from_cell(cell: Cell) -> Option<u32> {
        i64::from_cell(cell)?.try_into().ok()
    }
}

impl FromCell for u16 {
    fn from_cell(cell: Cell) -> Option<u16> {
        i64::from_cell(cell)?.try_into().ok()
    }
}

impl FromCell for String {
    fn from_cell(cell: Cell) -> Option<String> {
        if let Cell::Text(value) = cell { Some(value) } else { None }
    }
}

impl FromCell for Vec<u8> {
    fn from_cell(cell: Cell) -> Option<Vec<u8>> {
        if let Cell::Bytes(value) = cell { Some(value) } else { None }
    }
}

impl<T: FromCell> FromCell for Option<T> {
    fn from_cell(cell: Cell) -> Option<Option<T>> {
        if let Cell::Null = cell { Some(None) } else { T::from_cell(cell).map(Some) }
    }
}
