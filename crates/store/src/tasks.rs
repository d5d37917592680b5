//! Sharing a tree among workers, which are processes that meet nowhere but in its database.
//!
//! A *task* is a part of the tree: some of its unfinished nodes, and all that is below them. A
//! worker claims one, explores it, and writes its batches under the task's number. While others have
//! nothing to do, it makes new tasks of some of its nodes, which are from then on no part of its own
//! task any more. When no task is left, everything is explored.
//!
//! A claim is a lease. A worker that is not heard of for too long has died, and its task is claimed
//! again, by another: what it wrote is there, and what it did not write is unfinished. Each claim
//! has another *epoch*, and whatever a worker writes is only accepted if the task still has the
//! epoch of its claim: should a worker that was taken for dead come back, it writes nothing.
//!
//! Batches have to be read parents first. So a worker takes fresh numbers for its batches whenever
//! it claims a task, which are above all those of nodes that lead to the task.
//!
//! One process, which owns the tree, begins a run and reports what it comes to. What happens to
//! workers reaches it as *events*, and what all workers have to know are its *notices*.

use crate::sqlite::Store;
use crate::{Reader, StoreError};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use std::path::{Path, PathBuf};

pub(crate) const TABLES: &str = "
    CREATE TABLE task(id INTEGER PRIMARY KEY, parent INTEGER, worker INTEGER, epoch INTEGER, deaths INTEGER,
        expires INTEGER, done INTEGER, data BLOB);
    CREATE INDEX task_left ON task(expires) WHERE done = 0;
    CREATE TABLE worker(number INTEGER PRIMARY KEY, run INTEGER, idle INTEGER, progress BLOB, coverage BLOB,
        news INTEGER);
    CREATE TABLE event(seq INTEGER PRIMARY KEY, worker INTEGER, data BLOB);
    CREATE TABLE notice(seq INTEGER PRIMARY KEY AUTOINCREMENT, data BLOB);
    CREATE TABLE counter(name TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID;
    INSERT INTO counter VALUES ('batch', 1), ('run', 0), ('news', 0);";

/// A worker that was not heard of for so many milliseconds has died.
const LEASE: i64 = 60_000;
/// The time, in milliseconds.
const NOW: &str = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/// The claim of a task.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Held {
    pub task: u64,
    pub epoch: u64,
}

/// A task that was claimed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    pub held: Held,
    /// How often a worker died while it had the task, or one that it was made from.
    pub deaths: u32,
    /// Which nodes it is about, in words of whoever made it.
    pub data: Vec<u8>,
    /// The same of the tasks that were made from it.
    pub given: Vec<Vec<u8>>,
}

/// What others did since the last time.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct News {
    pub notices: Vec<Vec<u8>>,
    pub learnt: Vec<Vec<u8>>,
    pub coverage: Vec<Vec<u8>>,
}

/// How much there is to do.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct TaskCounts {
    /// Tasks that are not finished.
    pub left: u64,
    /// Those of them that nobody has.
    pub free: u64,
    /// Workers that have none.
    pub idle: u64,
}

/// Another worker, as its owner sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Colleague {
    pub number: u16,
    pub progress: Option<Vec<u8>>,
}

/// Prolongs the lease of a task, if the worker still has it.
pub(crate) fn renew(transaction: &Transaction<'_>, worker: u16, held: Held) -> rusqlite::Result<bool> {
    let update =
        format!("UPDATE task SET expires = {NOW} + {LEASE} WHERE id = ?1 AND epoch = ?2 AND worker = ?3 AND done = 0");
    Ok(transaction.execute(&update, params![held.task as i64, held.epoch as i64, worker])? == 1)
}

/// Prolongs the leases of a worker.
pub(crate) fn stay(connection: &Connection, worker: u16) -> rusqlite::Result<()> {
    let update = format!("UPDATE task SET expires = {NOW} + {LEASE} WHERE worker = ?1 AND done = 0");
    connection.execute(&update, params![worker]).map(|_| ())
}

/// The tasks of a tree, for one worker or for the owner, which is worker 0.
#[derive(Debug)]
pub struct Tasks {
    dir: PathBuf,
    reader: Reader,
    connection: Connection,
    run: u64,
    worker: u16,
    seen: Seen,
}

/// The last news that a worker has had.
#[derive(Copy, Clone, Default, Debug)]
struct Seen {
    notice: i64,
    learnt: i64,
    coverage: i64,
}

impl Tasks {
    /// Begins to share a tree, which the caller owns, in this run: there are no tasks yet. Batches
    /// that are written from now on have numbers from `first_batch` on.
    pub fn begin(dir: &Path, run: u64, first_batch: u64) -> Result<Tasks, StoreError> {
        let mut tasks = Tasks::connect(dir, run, 0)?;
        tasks.change(|transaction, _| {
            for table in ["task", "worker", "notice"] {
                transaction.execute(&format!("DELETE FROM {table}"), [])?;
            }
            let set = "UPDATE counter SET value = ?1 WHERE name = ?2";
            transaction.execute(set, params![first_batch as i64, "batch"])?;
            transaction.execute(set, params![run as i64, "run"])?;
            Ok(())
        })?;
        Ok(tasks)
    }

    /// Becomes a worker on the tree in a directory.
    pub fn join(dir: &Path) -> Result<Tasks, StoreError> {
        let mut tasks = Tasks::connect(dir, 0, 0)?;
        let (run, worker) = tasks.change(|transaction, _| {
            let run: i64 =
                transaction.query_row("SELECT value FROM counter WHERE name = 'run'", [], |row| row.get(0))?;
            let last: Option<i64> = transaction.query_row("SELECT max(number) FROM worker", [], |row| row.get(0))?;
            let worker = last.unwrap_or(0) + 1;
            transaction.execute("INSERT INTO worker VALUES (?1, ?2, 0, NULL, NULL, 0)", [worker, run])?;
            Ok((run as u64, worker))
        })?;
        let worker = u16::try_from(worker).map_err(|_| StoreError::Crowded(dir.to_owned()))?;
        // What was learnt before this is read with the tree.
        let learnt = tasks.number("SELECT coalesce(max(seq), 0) FROM learnt", [])?;
        Ok(Tasks { run, worker, seen: Seen { learnt, ..Seen::default() }, ..tasks })
    }

    fn connect(dir: &Path, run: u64, worker: u16) -> Result<Tasks, StoreError> {
        let reader = Reader::open(dir)?;
        let connection = Store::of_worker(dir, run, worker)?.into_connection();
        Ok(Tasks { dir: dir.to_owned(), reader, connection, run, worker, seen: Seen::default() })
    }

    pub fn worker(&self) -> u16 {
        self.worker
    }

    pub fn run(&self) -> u64 {
        self.run
    }

    /// The same worker's, with news of its own.
    pub fn another(&self) -> Result<Tasks, StoreError> {
        Tasks::connect(&self.dir, self.run, self.worker)
    }

    /// Reads the tree.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Another one.
    pub fn new_reader(&self) -> Result<Reader, StoreError> {
        Reader::open(&self.dir)
    }

    /// What writes the worker's batches.
    pub fn store(&self) -> Result<Store, StoreError> {
        Store::of_worker(&self.dir, self.run, self.worker)
    }

    /// The first counter of an id that the worker's number has not been used with.
    pub fn next_id(&self) -> Result<u64, StoreError> {
        let next = "SELECT coalesce(max(next_id), 1) FROM batch WHERE worker = ?1";
        self.number(next, [i64::from(self.worker)]).map(|next| next as u64)
    }

    /// Takes numbers for this many batches, and gives the first.
    pub fn reserve(&mut self, batches: u64) -> Result<u64, StoreError> {
        let add = "UPDATE counter SET value = value + ?1 WHERE name = 'batch' RETURNING value - ?1";
        self.number(add, [batches as i64]).map(|first| first as u64)
    }

    /// Makes tasks that were no part of one before.
    pub fn add(&mut self, tasks: &[Vec<u8>]) -> Result<(), StoreError> {
        self.change(|transaction, _| tasks.iter().try_for_each(|data| insert(transaction, None, 0, data)))
    }

    /// Makes tasks of parts of the one that the worker has. What leads to them has been committed.
    pub fn give(&mut self, held: Held, deaths: u32, tasks: &[Vec<u8>]) -> Result<(), StoreError> {
        self.change_held(held, |transaction| {
            tasks.iter().try_for_each(|data| insert(transaction, Some(held.task), deaths, data))
        })
    }

    /// The task of the worker is explored.
    pub fn finish(&mut self, held: Held) -> Result<(), StoreError> {
        self.change_held(held, |transaction| {
            transaction.execute("UPDATE task SET done = 1 WHERE id = ?1", [held.task as i64]).map(|_| ())
        })
    }

    /// Takes a task that nobody has, or whose worker has died. While there is none, the worker
    /// counts as idle.
    pub fn claim(&mut self) -> Result<Option<Task>, StoreError> {
        self.change(|transaction, worker| {
            let free = format!(
                "SELECT id, worker, deaths FROM task WHERE done = 0 AND expires < {NOW} ORDER BY expires, id LIMIT 1"
            );
            let free = transaction.query_row(&free, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
            let free: Option<(i64, u16, u32)> = free.optional()?;
            transaction.execute("UPDATE worker SET idle = ?1 WHERE number = ?2", params![free.is_none(), worker])?;
            let Some((id, before, deaths)) = free else { return Ok(None) };
            let deaths = deaths + u32::from(before != 0);
            let claim = format!(
                "UPDATE task SET worker = ?1, epoch = epoch + 1, deaths = ?2, expires = {NOW} + {LEASE}
                WHERE id = ?3 RETURNING epoch, data"
            );
            let (epoch, data) = transaction.query_row(&claim, params![worker, deaths, id], |row| {
                Ok((row.get::<_, i64>(0)? as u64, row.get(1)?))
            })?;
            let mut given = transaction.prepare("SELECT data FROM task WHERE parent = ?1")?;
            let given = given.query_map([id], |row| row.get(0))?.collect::<rusqlite::Result<Vec<Vec<u8>>>>()?;
            Ok(Some(Task { held: Held { task: id as u64, epoch }, deaths, data, given }))
        })
    }

    /// Others may claim the tasks of a worker: it has died, or stops.
    pub fn release(&mut self, worker: u16, has_died: bool) -> Result<(), StoreError> {
        self.change(|transaction, _| {
            let release = "UPDATE task SET expires = 0, worker = CASE WHEN ?2 THEN worker ELSE 0 END
                WHERE worker = ?1 AND done = 0";
            transaction.execute(release, params![worker, has_died])?;
            transaction.execute("UPDATE worker SET idle = 0 WHERE number = ?1", [worker]).map(|_| ())
        })
    }

    /// Nobody has a task any more, and whoever had one writes nothing.
    pub fn close(&mut self) -> Result<(), StoreError> {
        self.change(|transaction, _| {
            let close = "UPDATE task SET worker = 0, epoch = epoch + 1, expires = 0 WHERE done = 0";
            transaction.execute(close, []).map(|_| ())
        })
    }

    pub fn counts(&self) -> Result<TaskCounts, StoreError> {
        let counts = format!(
            "SELECT (SELECT count(*) FROM task WHERE done = 0),
                (SELECT count(*) FROM task WHERE done = 0 AND expires < {NOW}),
                (SELECT count(*) FROM worker WHERE idle = 1)"
        );
        let counts = self.connection.query_row(&counts, [], |row| {
            let number = |column| row.get::<_, i64>(column).map(|number| number as u64);
            Ok(TaskCounts { left: number(0)?, free: number(1)?, idle: number(2)? })
        });
        counts.map_err(|error| self.reader.failed(error))
    }

    /// All workers of this run that there ever were.
    pub fn colleagues(&self) -> Result<Vec<Colleague>, StoreError> {
        self.reader.all("SELECT number, progress FROM worker ORDER BY number", |row| {
            Ok(Colleague { number: row.get(0)?, progress: row.get(1)? })
        })
    }

    /// What happened to workers since the last time, once.
    pub fn take_events(&mut self) -> Result<Vec<(u16, Vec<u8>)>, StoreError> {
        if self.number("SELECT EXISTS (SELECT * FROM event)", [])? == 0 {
            return Ok(Vec::new());
        }
        let mut events: Vec<(i64, u16, Vec<u8>)> = self.change(|transaction, _| {
            let mut take = transaction.prepare("DELETE FROM event RETURNING seq, worker, data")?;
            take.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?.collect()
        })?;
        events.sort_by_key(|(seq, ..)| *seq);
        Ok(events.into_iter().map(|(_, worker, data)| (worker, data)).collect())
    }

    /// Tells all workers something, also those that come later.
    pub fn tell(&mut self, notice: &[u8]) -> Result<(), StoreError> {
        let told = self.connection.execute("INSERT INTO notice(data) VALUES (?1)", [notice]);
        told.map(|_| ()).map_err(|error| self.reader.failed(error))
    }

    /// Tells the others what the worker has covered.
    pub fn publish(&mut self, coverage: &[u8]) -> Result<(), StoreError> {
        self.change(|transaction, worker| {
            let next = "UPDATE counter SET value = value + 1 WHERE name = 'news' RETURNING value";
            let news: i64 = transaction.query_row(next, [], |row| row.get(0))?;
            let publish = "UPDATE worker SET coverage = ?1, news = ?2 WHERE number = ?3";
            transaction.execute(publish, params![coverage, news, worker]).map(|_| ())
        })
    }

    /// What the owner told since the last time.
    pub fn notices(&mut self) -> Result<Vec<Vec<u8>>, StoreError> {
        let notices = "SELECT seq, data FROM notice WHERE seq > ?1 ORDER BY seq";
        newer(&self.connection, notices, &mut self.seen.notice, 0).map_err(|error| self.reader.failed(error))
    }

    /// What others told, learnt and covered since the last time.
    pub fn news(&mut self) -> Result<News, StoreError> {
        let notices = self.notices()?;
        let learnt = "SELECT seq, data FROM learnt WHERE seq > ?1 AND worker <> ?2 ORDER BY seq";
        let coverage = "SELECT news, coverage FROM worker WHERE news > ?1 AND number <> ?2 ORDER BY news";
        let (connection, seen) = (&self.connection, &mut self.seen);
        let failed = |error| self.reader.failed(error);
        Ok(News {
            notices,
            learnt: newer(connection, learnt, &mut seen.learnt, self.worker).map_err(failed)?,
            coverage: newer(connection, coverage, &mut seen.coverage, self.worker).map_err(failed)?,
        })
    }

    fn number(&self, sql: &str, params: impl rusqlite::Params) -> Result<i64, StoreError> {
        let number = self.connection.query_row(sql, params, |row| row.get(0));
        number.map_err(|error| self.reader.failed(error))
    }

    /// Does something as a whole or not at all.
    fn change<T>(
        &mut self,
        change: impl FnOnce(&Transaction<'_>, u16) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let worker = self.worker;
        let all = || {
            let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let changed = change(&transaction, worker)?;
            transaction.commit().map(|()| changed)
        };
        all().map_err(|error| self.reader.failed(error))
    }

    /// The same, if the worker still has its task.
    fn change_held(
        &mut self,
        held: Held,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        let is_held = self.change(|transaction, worker| {
            let is_held = renew(transaction, worker, held)?;
            if is_held {
                change(transaction)?;
            }
            Ok(is_held)
        })?;
        if is_held { Ok(()) } else { Err(StoreError::Lost(self.dir.clone())) }
    }
}

fn insert(transaction: &Transaction<'_>, parent: Option<u64>, deaths: u32, data: &[u8]) -> rusqlite::Result<()> {
    let insert = "INSERT INTO task(parent, worker, epoch, deaths, expires, done, data) VALUES (?1, 0, 0, ?2, 0, 0, ?3)";
    transaction.execute(insert, params![parent.map(|parent| parent as i64), deaths, data]).map(|_| ())
}

/// The second columns of rows whose first one is above what was seen.
fn newer(connection: &Connection, sql: &str, seen: &mut i64, worker: u16) -> rusqlite::Result<Vec<Vec<u8>>> {
    let mut rows = connection.prepare(sql)?;
    let after = *seen;
    let mut found = Vec::new();
    let is_of_others = rows.parameter_count() > 1;
    let mut rows = if is_of_others { rows.query(params![after, worker])? } else { rows.query(params![after])? };
    while let Some(row) = rows.next()? {
        *seen = row.get(0)?;
        found.push(row.get(1)?);
    }
    Ok(found)
}
