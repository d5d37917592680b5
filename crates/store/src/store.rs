//! Writing a tree: batches and what else a run needs to go on, in a database.
//!
//! A commit is one transaction, so the database always is a prefix of the run. Every row of bytes
//! has a checksum.

use crate::batch::checksum;
use crate::error::Cause;
use crate::sql::{Access, Sql, connect, values};
use crate::tasks::{self, Held};
use crate::{Batch, Location, Reader, RecordId, StoreError, postgresql, sqlite};
use std::time::Duration;

/// The key of `meta` with the format of the database, and the format as it is now.
pub(crate) const FORMAT_KEY: &str = "schema";
pub(crate) const FORMAT: &str = "3";

const TABLES: &str = "
    CREATE TABLE meta(key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;
    CREATE TABLE run(id INTEGER PRIMARY KEY, started TEXT, ended TEXT, stop TEXT, options TEXT, version TEXT);
    CREATE TABLE batch(seq INTEGER PRIMARY KEY, run INTEGER, worker INTEGER, base INTEGER, next_id INTEGER,
        records INTEGER, revised BLOB, hash INTEGER, data BLOB, task INTEGER);
    CREATE INDEX batch_of_task ON batch(task) WHERE task IS NOT NULL;
    CREATE TABLE learnt(seq INTEGER PRIMARY KEY, hash INTEGER, data BLOB, worker INTEGER);
    CREATE TABLE snapshot(seq INTEGER PRIMARY KEY, run INTEGER, worker INTEGER, hash INTEGER, data BLOB,
        UNIQUE(run, worker));
    CREATE TABLE divergence(seq INTEGER PRIMARY KEY, run INTEGER, node INTEGER, what TEXT, expected TEXT, got TEXT);";

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
    /// The snapshot replaces those of the workers in the same run, too.
    pub replaces_workers: bool,
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

/// The owner of a tree, or one of several workers that share it.
#[derive(Debug)]
pub struct Store {
    location: Location,
    sql: Box<dyn Sql>,
    /// That of the last [`Store::begin_run`].
    run: u64,
    /// 0 is the owner.
    worker: u16,
}

impl Store {
    /// Begins a tree. A directory is made if need be, a database is not.
    pub fn create(location: impl Into<Location>, meta: &[(&str, &[u8])]) -> Result<Store, StoreError> {
        let store = Store::connect(location.into(), Access::Create)?;
        let failed = |cause| store.failed(cause);
        if store.sql.has_tables().map_err(failed)? {
            return Err(StoreError::Exists(store.location));
        }
        let created = store.sql.transaction(|sql| {
            sql.define(TABLES)?;
            sql.define(tasks::TABLES)?;
            for (key, value) in meta.iter().copied().chain([(FORMAT_KEY, FORMAT.as_bytes())]) {
                sql.execute("INSERT INTO meta VALUES ($1, $2)", values![key, value])?;
            }
            Ok(())
        });
        created.map_err(failed)?;
        Ok(store)
    }

    /// Goes on with a tree. Workers of an earlier run write nothing from now on.
    pub fn open(location: impl Into<Location>) -> Result<Store, StoreError> {
        let store = Store::connect(location.into(), Access::Own)?;
        check_format(&*store.sql, &store.location)?;
        store.sql.transaction(tasks::fence).map_err(|cause| store.failed(cause))?;
        Ok(store)
    }

    /// Writes to the tree that somebody else owns, as a worker in a run of theirs.
    pub(crate) fn of_worker(location: &Location, run: u64, worker: u16) -> Result<Store, StoreError> {
        let store = Store::connect(location.clone(), Access::Share)?;
        Ok(Store { run, worker, ..store })
    }

    fn connect(location: Location, access: Access) -> Result<Store, StoreError> {
        let sql = connect(&location, access)?;
        Ok(Store { location, sql, run: 0, worker: 0 })
    }

    /// Gives a tree another name, so that another one can be recorded there.
    pub fn set_aside(location: impl Into<Location>) -> Result<Location, StoreError> {
        match location.into() {
            Location::Directory(dir) => sqlite::set_aside(&dir).map(Location::Directory),
            Location::Postgres(address) => postgresql::set_aside(&address).map(Location::Postgres),
        }
    }

    /// Forgets all that was learnt.
    pub fn drop_learnt(&mut self) -> Result<(), StoreError> {
        self.sql.execute("DELETE FROM learnt", &[]).map(|_| ()).map_err(|cause| self.failed(cause))
    }

    /// Sets something that is kept beside the tree.
    pub fn set_meta(&mut self, key: &str, value: &[u8]) -> Result<(), StoreError> {
        let set = "INSERT INTO meta VALUES ($1, $2) ON CONFLICT(key) DO UPDATE SET value = excluded.value";
        self.sql.execute(set, values![key, value]).map(|_| ()).map_err(|cause| self.failed(cause))
    }

    /// What is committed from now on belongs to a new run, whose number this is.
    pub fn begin_run(&mut self, started: &str, options: &str, version: &str) -> Result<u64, StoreError> {
        let insert = "INSERT INTO run(started, options, version) VALUES ($1, $2, $3) RETURNING id";
        let run = self.sql.one(insert, values![started, options, version]);
        self.run = run.map_err(|cause| self.failed(cause))?;
        Ok(self.run)
    }

    /// A worker leaves that to the owner.
    pub fn end_run(&mut self, ended: &str, stop: &str) -> Result<(), StoreError> {
        if self.worker != 0 {
            return Ok(());
        }
        let update = "UPDATE run SET ended = $1, stop = $2 WHERE id = $3";
        let updated = self.sql.execute(update, values![ended, stop, self.run]);
        updated.map(|_| ()).map_err(|cause| self.failed(cause))
    }

    /// The number of the last run that was begun.
    pub fn run(&self) -> u64 {
        self.run
    }

    /// Writes all of it, or nothing. When this returns, it is on the disk.
    pub fn commit(&mut self, commit: &Commit) -> Result<(), StoreError> {
        let refusal = self.sql.transaction(|sql| {
            if (self.worker != 0 || commit.task.is_some())
                && let Some(refusal) = tasks::refusal(sql, self.run, self.worker, commit.task)?
            {
                return Ok(Some(refusal));
            }
            self.write(sql, commit).map(|()| None)
        });
        match refusal.map_err(|cause| self.failed(cause))? {
            Some(refusal) => Err(refusal.at(&self.location)),
            None => Ok(()),
        }
    }

    fn write(&self, sql: &dyn Sql, commit: &Commit) -> Result<(), Cause> {
        let (run, worker) = (self.run, self.worker);
        let task = commit.task.map(|held| held.task);
        for batch in &commit.batches {
            let revised = batch.encode_revised();
            let hash = batch.checksum(run, &revised);
            let Batch { seq, worker, base, next_id, records, ref data, .. } = *batch;
            let insert = "INSERT INTO batch VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
            sql.execute(insert, values![seq, run, worker, base.0, next_id, records, &revised, hash, data, task])?;
        }
        if let Some(data) = &commit.snapshot {
            let replace = "INSERT INTO snapshot(run, worker, hash, data) VALUES ($1, $2, $3, $4)
                ON CONFLICT(run, worker) DO UPDATE SET hash = excluded.hash, data = excluded.data";
            sql.execute(replace, values![run, worker, checksum(data), data])?;
        }
        if commit.replaces_workers {
            sql.execute("DELETE FROM snapshot WHERE run = $1 AND worker <> $2", values![run, worker])?;
        }
        for divergence in &commit.divergences {
            let Divergence { run: _, node, what, expected, got } = divergence;
            let insert = "INSERT INTO divergence(run, node, what, expected, got) VALUES ($1, $2, $3, $4, $5)";
            sql.execute(insert, values![run, node.0, &**what, &**expected, &**got])?;
        }
        if let Some(data) = &commit.events {
            sql.execute("INSERT INTO event(worker, data) VALUES ($1, $2)", values![worker, data])?;
        }
        if let Some(data) = &commit.progress {
            sql.execute("UPDATE worker SET progress = $1 WHERE number = $2", values![data, worker])?;
        }
        // Last, because others wait for it.
        if !commit.learnt.is_empty() {
            sql.lock("learnt")?;
        }
        for data in &commit.learnt {
            let insert = "INSERT INTO learnt(hash, data, worker) VALUES ($1, $2, $3)";
            sql.execute(insert, values![checksum(data), data, worker])?;
        }
        Ok(())
    }

    /// How often the worker has to say that it is alive, if it is one.
    pub(crate) fn heartbeat(&self) -> Option<Duration> {
        (self.worker != 0).then(|| tasks::heartbeat(&*self.sql).ok()).flatten()
    }

    /// The worker is alive, and keeps its task.
    pub(crate) fn stay(&mut self) -> Result<(), StoreError> {
        if self.worker == 0 {
            return Ok(());
        }
        tasks::stay(&*self.sql, self.run, self.worker).map_err(|cause| self.failed(cause))
    }

    pub fn reader(&self) -> Result<Reader, StoreError> {
        Reader::open(&self.location)
    }

    pub fn location(&self) -> &Location {
        &self.location
    }

    fn failed(&self, cause: Cause) -> StoreError {
        StoreError::database(&self.location.database(), cause)
    }

    /// A disk that has room for this many pages more.
    #[cfg(test)]
    pub(crate) fn limit_pages(&self, more: i64) {
        let pages: i64 = self.sql.one("PRAGMA page_count", &[]).unwrap();
        self.sql.query(&format!("PRAGMA max_page_count = {}", pages + more), &[]).unwrap();
    }
}

/// Refuses what has no tree, or one of another format.
pub(crate) fn check_format(sql: &dyn Sql, location: &Location) -> Result<(), StoreError> {
    let at = location.database();
    let failed = |cause| StoreError::database(&at, cause);
    if !sql.has_tables().map_err(failed)? {
        return Err(StoreError::Missing(location.to_string()));
    }
    let found = meta(sql, FORMAT_KEY).map_err(failed)?.unwrap_or_default();
    if found == FORMAT.as_bytes() {
        return Ok(());
    }
    Err(StoreError::Format { at, found: format!("\"{}\"", found.escape_ascii()), known: FORMAT })
}

pub(crate) fn meta(sql: &dyn Sql, key: &str) -> Result<Option<Vec<u8>>, Cause> {
    sql.first("SELECT value FROM meta WHERE key = $1", values![key])?.map(|mut row| row.take(0)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_format_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::create(dir.path(), &[]).unwrap();
        store.sql.run("UPDATE meta SET value = X'31' WHERE key = 'schema'").unwrap();
        drop(store);
        let error = Store::open(dir.path()).unwrap_err();
        assert!(matches!(error, StoreError::Format { .. }), "{error:?}");
        assert!(matches!(Reader::open(dir.path()).unwrap_err(), StoreError::Format { .. }));
    }
}
