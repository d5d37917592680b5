//! `DIR/tree.db`: batches and what else a run needs to go on, in an SQLite database.
//!
//! A commit is one transaction, so the database always is a prefix of the run. It has a write-ahead
//! log, which lets others read while a run writes, and is flushed with each commit, so that this
//! survives a loss of power. Every row of bytes has a checksum. A row whose checksum is wrong, or
//! that SQLite cannot read, is skipped and counted: the nodes of a lost batch have no record, and
//! are explored again.

use crate::batch::checksum;
use crate::owner::Owner;
use crate::tasks::{self, Held};
use crate::{Batch, Place, RecordId, StoreError};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row, TransactionBehavior, params};
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::Duration;

const NAME: &str = "tree.db";

/// The key of `meta` with the format of the database, and the format as it is now.
const FORMAT_KEY: &str = "schema";
const FORMAT: &str = "2";

/// How long to wait for a lock, which others only hold while they recover a log.
const PATIENCE: Duration = Duration::from_secs(10);

const TABLES: &str = "
    CREATE TABLE meta(key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;
    CREATE TABLE run(id INTEGER PRIMARY KEY, started TEXT, ended TEXT, stop TEXT, options TEXT, version TEXT);
    CREATE TABLE batch(seq INTEGER PRIMARY KEY, run INTEGER, worker INTEGER, base INTEGER, next_id INTEGER,
        records INTEGER, revised BLOB, hash INTEGER, data BLOB, task INTEGER);
    CREATE INDEX batch_of_task ON batch(task) WHERE task IS NOT NULL;
    CREATE TABLE learnt(seq INTEGER PRIMARY KEY, hash INTEGER, data BLOB, worker INTEGER);
    CREATE TABLE snapshot(run INTEGER, worker INTEGER, hash INTEGER, data BLOB, PRIMARY KEY(run, worker));
    CREATE TABLE divergence(run INTEGER, node INTEGER, what TEXT, expected TEXT, got TEXT);";

/// Rows behind one that cannot be read are looked for one by one, this many times, and then in
/// steps that double.
const SINGLE_STEPS: u32 = 1024;

/// What becomes durable together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Commit {
    pub batches: Vec<Batch>,
    pub learnt: Vec<Vec<u8>>,
    /// Replaces the one before of the same run.
    pub snapshot: Option<Vec<u8>>,
    pub divergences: Vec<Divergence>,
    /// The task that the worker has: if somebody else has it by now, nothing is written.
    pub task: Option<Held>,
    /// What happened, for whoever reports it.
    pub events: Option<Vec<u8>>,
    /// How far the worker is. Replaces the one before.
    pub progress: Option<Vec<u8>>,
}

impl Commit {
    /// About what it takes in memory.
    pub(crate) fn bytes(&self) -> usize {
        let batches = self.batches.iter().map(|batch| batch.data.len() + size_of::<Batch>());
        let others = [&self.snapshot, &self.events, &self.progress];
        batches.chain(self.learnt.iter().map(Vec::len)).chain(others.into_iter().flatten().map(Vec::len)).sum()
    }
}

/// A node that did not go on as it was recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divergence {
    pub run: u64,
    pub node: RecordId,
    pub what: String,
    pub expected: String,
    pub got: String,
}

/// A run that wrote into the directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    pub id: u64,
    pub started: String,
    /// None if it still goes on, or was killed.
    pub ended: Option<String>,
    pub stop: Option<String>,
    pub options: String,
    pub version: String,
}

/// How a scan went.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Scanned {
    /// Batches that are whole.
    pub batches: u64,
    /// At least this many are not.
    pub damaged: u64,
    /// The largest number of a batch, whole or not; the next one to be written is larger.
    pub last_seq: u64,
}

/// The one writer of a directory, or one of several workers that share it.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    path: PathBuf,
    connection: Connection,
    /// That of the last [`Store::begin_run`].
    run: u64,
    /// 0 is the one that owns the directory.
    worker: u16,
    /// Given back after the database is closed.
    _owner: Option<Owner>,
}

impl Store {
    /// Begins a tree in a directory, which is made if need be.
    pub fn create(dir: &Path, meta: &[(&str, &[u8])]) -> Result<Store, StoreError> {
        std::fs::create_dir_all(dir).map_err(|error| StoreError::file(dir, error))?;
        let owner = Owner::take(dir)?;
        let mut store = Store::connect(dir, Some(owner), OpenFlags::SQLITE_OPEN_CREATE)?;
        let path = store.path.clone();
        let failed = |error| StoreError::database(&path, error);
        if has_tables(&store.connection).map_err(failed)? {
            return Err(StoreError::Exists(dir.to_owned()));
        }
        let transaction = store.connection.transaction().map_err(failed)?;
        transaction.execute_batch(TABLES).map_err(failed)?;
        transaction.execute_batch(tasks::TABLES).map_err(failed)?;
        for (key, value) in meta.iter().copied().chain([(FORMAT_KEY, FORMAT.as_bytes())]) {
            transaction.execute("INSERT INTO meta VALUES (?1, ?2)", params![key, value]).map_err(failed)?;
        }
        transaction.commit().map_err(failed)?;
        Ok(store)
    }

    /// Goes on with the tree of a directory.
    pub fn open(dir: &Path) -> Result<Store, StoreError> {
        if !dir.join(NAME).exists() {
            return Err(StoreError::Missing(dir.to_owned()));
        }
        let owner = Owner::take(dir)?;
        let store = Store::connect(dir, Some(owner), OpenFlags::empty())?;
        check_format(&store.connection, dir, &store.path)?;
        Ok(store)
    }

    /// Writes to the tree that somebody else owns, as a worker in a run of theirs.
    pub(crate) fn of_worker(dir: &Path, run: u64, worker: u16) -> Result<Store, StoreError> {
        let store = Store::connect(dir, None, OpenFlags::empty())?;
        Ok(Store { run, worker, ..store })
    }

    fn connect(dir: &Path, owner: Option<Owner>, flags: OpenFlags) -> Result<Store, StoreError> {
        let path = dir.join(NAME);
        let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_WRITE | flags)
            .map_err(|error| StoreError::database(&path, error))?;
        set_up(&connection, &path)?;
        Ok(Store { dir: dir.to_owned(), path, connection, run: 0, worker: 0, _owner: owner })
    }

    /// Gives the tree of a directory another name, so that another one can be recorded there.
    pub fn set_aside(dir: &Path) -> Result<(), StoreError> {
        let _owner = Owner::take(dir)?;
        let old = (1u32..).map(|number| dir.join(format!("{NAME}.{number}"))).find(|path| !path.exists());
        for end in ["-wal", "-shm", ""] {
            let [from, to] = [&dir.join(NAME), old.as_deref().unwrap_or(dir)].map(|path| {
                let mut name = path.as_os_str().to_owned();
                name.push(end);
                PathBuf::from(name)
            });
            if from.exists() {
                std::fs::rename(&from, &to).map_err(|error| StoreError::file(&from, error))?;
            }
        }
        Ok(())
    }

    /// What is committed from now on belongs to a new run, whose number this is.
    pub fn begin_run(&mut self, started: &str, options: &str, version: &str) -> Result<u64, StoreError> {
        let insert = "INSERT INTO run(started, options, version) VALUES (?1, ?2, ?3)";
        self.connection.execute(insert, params![started, options, version]).map_err(|error| self.failed(error))?;
        self.run = self.connection.last_insert_rowid() as u64;
        Ok(self.run)
    }

    pub fn end_run(&mut self, ended: &str, stop: &str) -> Result<(), StoreError> {
        let update = "UPDATE run SET ended = ?1, stop = ?2 WHERE id = ?3";
        let updated = self.connection.execute(update, params![ended, stop, self.run as i64]);
        updated.map(|_| ()).map_err(|error| self.failed(error))
    }

    /// The number of the last run that was begun.
    pub fn run(&self) -> u64 {
        self.run
    }

    /// Writes all of it, or nothing. When this returns, it is on the disk.
    pub fn commit(&mut self, commit: &Commit) -> Result<(), StoreError> {
        match self.try_commit(commit) {
            Ok(true) => Ok(()),
            Ok(false) => Err(StoreError::Lost(self.path.clone())),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// False if the worker does not have its task any more.
    fn try_commit(&mut self, commit: &Commit) -> rusqlite::Result<bool> {
        let (run, worker) = (self.run as i64, self.worker);
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if let Some(held) = commit.task
            && !tasks::renew(&transaction, worker, held)?
        {
            return Ok(false);
        }
        let task = commit.task.map(|held| held.task as i64);
        let mut insert = transaction.prepare("INSERT INTO batch VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")?;
        for batch in &commit.batches {
            let revised = batch.encode_revised();
            let hash = batch.checksum(self.run, &revised) as i64;
            let (seq, base, next_id) = (batch.seq as i64, batch.base.0 as i64, batch.next_id as i64);
            let (worker, records, data) = (batch.worker, batch.records, &batch.data);
            insert.execute(params![seq, run, worker, base, next_id, records, revised, hash, data, task])?;
        }
        insert.finalize()?;
        for data in &commit.learnt {
            let insert = "INSERT INTO learnt(hash, data, worker) VALUES (?1, ?2, ?3)";
            transaction.execute(insert, params![checksum(data) as i64, data, worker])?;
        }
        if let Some(data) = &commit.snapshot {
            let replace = "INSERT INTO snapshot VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT(run, worker) DO UPDATE SET hash = excluded.hash, data = excluded.data";
            transaction.execute(replace, params![run, worker, checksum(data) as i64, data])?;
        }
        for divergence in &commit.divergences {
            let Divergence { run: _, node, what, expected, got } = divergence;
            let insert = "INSERT INTO divergence VALUES (?1, ?2, ?3, ?4, ?5)";
            transaction.execute(insert, params![run, node.0 as i64, what, expected, got])?;
        }
        if let Some(data) = &commit.events {
            transaction.execute("INSERT INTO event(worker, data) VALUES (?1, ?2)", params![worker, data])?;
        }
        if let Some(data) = &commit.progress {
            transaction.execute("UPDATE worker SET progress = ?1 WHERE number = ?2", params![data, worker])?;
        }
        transaction.commit().map(|()| true)
    }

    /// The worker is alive, and keeps its task.
    pub(crate) fn stay(&mut self) -> Result<(), StoreError> {
        if self.worker == 0 {
            return Ok(());
        }
        tasks::stay(&self.connection, self.worker).map_err(|error| self.failed(error))
    }

    pub fn reader(&self) -> Result<Reader, StoreError> {
        Reader::open(&self.dir)
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(crate) fn into_connection(self) -> Connection {
        self.connection
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn failed(&self, error: rusqlite::Error) -> StoreError {
        StoreError::database(&self.path, error)
    }

    /// A disk that has room for this many pages more.
    #[cfg(test)]
    pub(crate) fn limit_pages(&self, more: i64) {
        let pages: i64 = self.connection.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
        let limit = format!("PRAGMA max_page_count = {}", pages + more);
        self.connection.query_row(&limit, [], |_| Ok(())).unwrap();
    }
}

/// A log is what a commit a second, and readers beside it, need.
fn set_up(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let failed = |error| StoreError::database(path, error);
    connection.busy_timeout(PATIENCE).map_err(failed)?;
    connection.execute_batch("PRAGMA page_size = 16384").map_err(failed)?;
    let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0)).map_err(failed)?;
    if mode != "wal" {
        return Err(StoreError::NoLog { path: path.to_owned(), offered: mode });
    }
    connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 2048").map_err(failed)
}

fn has_tables(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| Ok(row.get::<_, i64>(0)? > 0))
}

fn check_format(connection: &Connection, dir: &Path, path: &Path) -> Result<(), StoreError> {
    let failed = |error| StoreError::database(path, error);
    if !has_tables(connection).map_err(failed)? {
        return Err(StoreError::Missing(dir.to_owned()));
    }
    let found = meta(connection, FORMAT_KEY).map_err(failed)?.unwrap_or_default();
    if found == FORMAT.as_bytes() {
        return Ok(());
    }
    let found = format!("\"{}\"", found.escape_ascii());
    Err(StoreError::Format { path: path.to_owned(), found, known: FORMAT })
}

fn meta(connection: &Connection, key: &str) -> rusqlite::Result<Option<Vec<u8>>> {
    connection.query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0)).optional()
}

/// Reads what is committed, while somebody writes or not.
#[derive(Debug)]
pub struct Reader {
    path: PathBuf,
    connection: Connection,
    skipped: Cell<u64>,
}

impl Reader {
    pub fn open(dir: &Path) -> Result<Reader, StoreError> {
        let path = dir.join(NAME);
        if !path.exists() {
            return Err(StoreError::Missing(dir.to_owned()));
        }
        let failed = |error| StoreError::database(&path, error);
        let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(failed)?;
        connection.busy_timeout(PATIENCE).map_err(failed)?;
        connection.execute_batch("PRAGMA cell_size_check = ON").map_err(failed)?;
        check_format(&connection, dir, &path)?;
        Ok(Reader { path, connection, skipped: Cell::new(0) })
    }

    pub fn meta(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        meta(&self.connection, key).map_err(|error| self.failed(error))
    }

    pub fn runs(&self) -> Result<Vec<Run>, StoreError> {
        self.all("SELECT id, started, ended, stop, options, version FROM run ORDER BY id", |row| {
            Ok(Run {
                id: row.get::<_, i64>(0)? as u64,
                started: row.get(1)?,
                ended: row.get(2)?,
                stop: row.get(3)?,
                options: row.get(4)?,
                version: row.get(5)?,
            })
        })
    }

    /// The nodes that were recorded again, as often as they were.
    pub fn revised(&self) -> Result<Vec<RecordId>, StoreError> {
        let revised = self.all("SELECT base, revised FROM batch WHERE length(revised) > 0 ORDER BY seq", |row| {
            Ok((RecordId(row.get::<_, i64>(0)? as u64), row.get::<_, Vec<u8>>(1)?))
        })?;
        Ok(revised.iter().flat_map(|(base, ids)| Batch::decode_revised(*base, ids).unwrap_or_default()).collect())
    }

    /// All whole batches in the order of their numbers. Each is read in a transaction of its own,
    /// so that a writer can tidy up its log meanwhile; what it commits meanwhile is read too. Each
    /// comes with the number of the run that wrote it.
    pub fn scan(&self, each: &mut dyn FnMut(u64, Batch)) -> Result<Scanned, StoreError> {
        let next = "SELECT seq, run, worker, base, next_id, records, revised, hash, data FROM batch
            WHERE seq > ?1 ORDER BY seq LIMIT 1";
        let read = |row: &Row<'_>| {
            let run = row.get::<_, i64>(1)? as u64;
            Ok(batch(row)?.map(|batch| (run, batch)))
        };
        self.walk(next, read, &mut |(run, batch)| each(run, batch))
    }

    /// The same of those that were written for a task.
    pub fn scan_task(&self, task: u64, each: &mut dyn FnMut(Batch)) -> Result<Scanned, StoreError> {
        let next = format!(
            "SELECT seq, run, worker, base, next_id, records, revised, hash, data FROM batch
            WHERE seq > ?1 AND task = {task} ORDER BY seq LIMIT 1"
        );
        self.walk(&next, batch, each)
    }

    pub fn batch(&self, seq: u64) -> Result<Option<Batch>, StoreError> {
        let one = "SELECT seq, run, worker, base, next_id, records, revised, hash, data FROM batch WHERE seq = ?1";
        let found = self.connection.query_row(one, [seq as i64], |row| Ok(batch(row).ok().flatten())).optional();
        match found {
            Ok(None) => Ok(None),
            Ok(Some(Some(batch))) => Ok(Some(batch)),
            Ok(Some(None)) => Err(StoreError::Batch { path: self.path.clone(), batch: seq }),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// What was learnt, in the order it was committed.
    pub fn learnt(&self, each: &mut dyn FnMut(Vec<u8>)) -> Result<(), StoreError> {
        let next = "SELECT seq, hash, data FROM learnt WHERE seq > ?1 ORDER BY seq LIMIT 1";
        self.walk(next, |row| whole(row, 1), each).map(|_| ())
    }

    /// The last snapshot of each run and worker.
    pub fn snapshots(&self) -> Result<Vec<(u64, u16, Vec<u8>)>, StoreError> {
        let next = "SELECT rowid, hash, data, run, worker FROM snapshot WHERE rowid > ?1 ORDER BY rowid LIMIT 1";
        let mut snapshots = Vec::new();
        let read = |row: &Row<'_>| {
            let data = whole(row, 1)?;
            let (run, worker) = (row.get::<_, i64>(3)? as u64, row.get(4)?);
            Ok(data.map(|data| (run, worker, data)))
        };
        self.walk(next, read, &mut |snapshot| snapshots.push(snapshot))?;
        Ok(snapshots)
    }

    pub fn divergences(&self) -> Result<Vec<Divergence>, StoreError> {
        self.all("SELECT run, node, what, expected, got FROM divergence ORDER BY rowid", |row| {
            Ok(Divergence {
                run: row.get::<_, i64>(0)? as u64,
                node: RecordId(row.get::<_, i64>(1)? as u64),
                what: row.get(2)?,
                expected: row.get(3)?,
                got: row.get(4)?,
            })
        })
    }

    /// About how many ids the worker with most of them has allotted, unless that is damaged.
    pub(crate) fn allotted(&self) -> Result<u64, StoreError> {
        let most = self.connection.query_row("SELECT max(next_id) FROM batch", [], |row| row.get::<_, Option<i64>>(0));
        match most {
            Ok(most) => Ok(most.and_then(|most| u64::try_from(most).ok()).unwrap_or(0)),
            Err(error) if is_damage(&error) => Ok(0),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// What the database takes on the disk, without its log.
    pub fn bytes(&self) -> Result<u64, StoreError> {
        let number = |sql| self.connection.query_row(sql, [], |row| row.get::<_, i64>(0));
        let bytes = number("PRAGMA page_count").and_then(|pages| Ok(pages * number("PRAGMA page_size")?));
        bytes.map(|bytes| bytes as u64).map_err(|error| self.failed(error))
    }

    /// How many damaged rows there were, at least, in all that was read.
    pub fn skipped(&self) -> u64 {
        self.skipped.get()
    }

    pub(crate) fn all<T>(&self, sql: &str, read: fn(&Row<'_>) -> rusqlite::Result<T>) -> Result<Vec<T>, StoreError> {
        let rows = || self.connection.prepare(sql)?.query_map([], read)?.collect::<rusqlite::Result<Vec<T>>>();
        rows().map_err(|error| self.failed(error))
    }

    /// Goes through a table by `next`, a query for the row with the smallest key, its first column,
    /// above one. `read` is None for a row that is damaged.
    fn walk<T>(
        &self,
        next: &str,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<Option<T>>,
        each: &mut dyn FnMut(T),
    ) -> Result<Scanned, StoreError> {
        let mut statement = self.connection.prepare(next).map_err(|error| self.failed(error))?;
        let mut scanned = Scanned::default();
        let mut after = -1i64;
        let mut failures = 0;
        let mut last_damaged = None;
        loop {
            let found = statement.query_row([after], |row| Ok((row.get(0)?, read(row).ok().flatten()))).optional();
            let key = match found {
                Ok(None) => break,
                Ok(Some((key, item))) => {
                    if (0..Place::BATCHES as i64).contains(&key) {
                        scanned.last_seq = scanned.last_seq.max(key as u64);
                    }
                    if let Some(item) = item.filter(|_| key > after) {
                        each(item);
                        scanned.batches += 1;
                        after = key;
                        failures = 0;
                        last_damaged = None;
                        continue;
                    }
                    Some(key)
                }
                Err(error) if is_damage(&error) => None,
                Err(error) => return Err(self.failed(error)),
            };
            if last_damaged != Some(key) {
                scanned.damaged += 1;
                last_damaged = Some(key);
            }
            // Not to the key: it may be damaged itself, and then there are rows before it.
            let step = 1i64.checked_shl(u32::saturating_sub(failures, SINGLE_STEPS)).filter(|step| *step > 0);
            let Some(further) = step.and_then(|step| after.checked_add(step)) else { break };
            after = further;
            failures += 1;
        }
        self.skipped.set(self.skipped.get() + scanned.damaged);
        Ok(scanned)
    }

    pub(crate) fn failed(&self, error: rusqlite::Error) -> StoreError {
        StoreError::database(&self.path, error)
    }
}

/// It is about what is on the disk in one place, and others may be in order.
fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::SystemIoFailure))
}

/// The bytes of a row that has their checksum in this column and themselves in the next.
fn whole(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Vec<u8>>> {
    let data: Vec<u8> = row.get(column + 1)?;
    Ok(if checksum(&data) as i64 == row.get(column)? { Some(data) } else { None })
}

fn batch(row: &Row<'_>) -> rusqlite::Result<Option<Batch>> {
    let number = |column| row.get::<_, i64>(column).map(|number| number as u64);
    let base = RecordId(number(3)?);
    let encoded = row.get_ref(6)?.as_blob()?;
    let Ok(revised) = Batch::decode_revised(base, encoded) else { return Ok(None) };
    let batch = Batch {
        seq: number(0)?,
        worker: row.get(2)?,
        base,
        next_id: number(4)?,
        records: row.get(5)?,
        revised,
        data: row.get(8)?,
    };
    Ok(if batch.checksum(number(1)?, encoded) == number(7)? { Some(batch) } else { None })
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn another_format_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::create(dir.path(), &[]).unwrap();
        store.connection.execute("UPDATE meta SET value = X'31' WHERE key = 'schema'", []).unwrap();
        drop(store);
        let error = Store::open(dir.path()).unwrap_err();
        assert!(matches!(error, StoreError::Format { .. }), "{error:?}");
        assert!(matches!(Reader::open(dir.path()).unwrap_err(), StoreError::Format { .. }));
    }

    #[test]
    fn a_database_that_was_not_finished_is_begun_again() {
        let dir = tempfile::tempdir().unwrap();
        drop(Store::connect(dir.path(), None, OpenFlags::SQLITE_OPEN_CREATE).unwrap());
        assert!(matches!(Reader::open(dir.path()).unwrap_err(), StoreError::Missing(_)));
        assert!(matches!(Store::open(dir.path()).unwrap_err(), StoreError::Missing(_)));
        Store::create(dir.path(), &[]).unwrap();
    }

    fn batch(seq: u64) -> Batch {
        Batch {
            seq,
            worker: 0,
            base: RecordId(seq),
            next_id: seq,
            records: 0,
            revised: Vec::new(),
            data: vec![seq as u8; 100],
        }
    }

    #[test]
    fn rows_that_are_damaged_hide_no_others() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::create(dir.path(), &[]).unwrap();
        store.commit(&Commit { batches: (1..=9).map(batch).collect(), ..Commit::default() }).unwrap();
        store.connection.execute("UPDATE batch SET seq = 1 << 62 WHERE seq = 4", []).unwrap();
        store.connection.execute("UPDATE batch SET worker = 'x' WHERE seq = 6", []).unwrap();
        store.connection.execute("UPDATE batch SET run = 5 WHERE seq = 7", []).unwrap();
        store.connection.execute("UPDATE batch SET revised = X'80' WHERE seq = 8", []).unwrap();
        let mut seen = Vec::new();
        let reader = store.reader().unwrap();
        let scanned = reader.scan(&mut |_, batch| seen.push(batch.seq)).unwrap();
        assert_eq!(seen, [1, 2, 3, 5, 9]);
        assert_eq!(scanned, Scanned { batches: 5, damaged: 4, last_seq: 9 });
        assert_eq!(reader.skipped(), 4);
        assert!(matches!(reader.batch(6), Err(StoreError::Batch { batch: 6, .. })));
        assert_eq!(reader.batch(4).unwrap(), None);
        assert_eq!(reader.batch(9).unwrap(), Some(batch(9)));
    }

    #[test]
    fn a_key_that_is_damaged_hides_few_others() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::create(dir.path(), &[]).unwrap();
        store.commit(&Commit { batches: (1..=9).map(batch).collect(), ..Commit::default() }).unwrap();
        drop(store);
        let path = dir.path().join(NAME);
        let mut file = std::fs::read(&path).unwrap();
        // The key, the length of the row's header, and the key's column, which is empty.
        let key = file.windows(3).position(|bytes| bytes == [4, 12, 0]).unwrap();
        file[key] = 0x7f;
        std::fs::write(&path, file).unwrap();
        let mut seen = Vec::new();
        let scanned = Reader::open(dir.path()).unwrap().scan(&mut |_, batch| seen.push(batch.seq)).unwrap();
        assert!(seen.starts_with(&[1, 2, 3]) && seen.ends_with(&[6, 7, 8, 9]), "{seen:?}");
        assert_eq!(scanned.damaged, 1);
    }
}
