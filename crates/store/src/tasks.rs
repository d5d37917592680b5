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
//! epoch of its claim: should a worker that was taken for dead come back, it writes nothing. Nor does
//! one of an earlier run, whose number somebody else has by now.
//!
//! Batches have to be read parents first. So a worker takes fresh numbers for its batches whenever
//! it claims a task, which are above all those of nodes that lead to the task.
//!
//! One process, which owns the tree, begins a run and reports what it comes to. What happens to
//! workers reaches it as *events*, and what all workers have to know are its *notices*.

use crate::error::Cause;
use crate::sql::{Access, Dialect, Sql, Value, connect, values};
use crate::{Location, Reader, Store, StoreError};
use std::time::Duration;

pub(crate) const TABLES: &str = "
    CREATE TABLE task(id INTEGER PRIMARY KEY AUTOINCREMENT, parent INTEGER, worker INTEGER, epoch INTEGER,
        deaths INTEGER, expires INTEGER, done INTEGER, data BLOB);
    CREATE INDEX task_left ON task(expires) WHERE done = 0;
    CREATE INDEX task_parent ON task(parent);
    CREATE TABLE worker(number INTEGER PRIMARY KEY, run INTEGER, idle INTEGER, progress BLOB, coverage BLOB,
        news INTEGER, heard INTEGER);
    CREATE TABLE event(seq INTEGER PRIMARY KEY AUTOINCREMENT, worker INTEGER, data BLOB);
    CREATE TABLE notice(seq INTEGER PRIMARY KEY AUTOINCREMENT, data BLOB);
    CREATE TABLE counter(name TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID;
    INSERT INTO counter VALUES ('batch', 1), ('run', 0), ('news', 0), ('lease', 60000), ('owner', 0);";

/// How long a worker keeps a task without being heard of, in milliseconds.
const LEASE: &str = "(SELECT value FROM counter WHERE name = 'lease')";
/// So often does it say that it is alive in this time.
const HEARTBEATS: u32 = 6;

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

/// Something that happened to a worker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    pub seq: u64,
    pub worker: u16,
    pub data: Vec<u8>,
}

/// Another worker, as its owner sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Colleague {
    pub number: u16,
    pub progress: Option<Vec<u8>>,
}

/// Why somebody may not write any more.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Refusal {
    /// Another worker has the task.
    Lost,
    /// Another run has begun.
    Over,
}

impl Refusal {
    pub(crate) fn at(self, location: &Location) -> StoreError {
        match self {
            Refusal::Lost => StoreError::Lost(location.database()),
            Refusal::Over => StoreError::Over(location.database()),
        }
    }
}

/// The run that shares the tree. No other one begins before the transaction ends.
fn current_run(sql: &dyn Sql) -> Result<u64, Cause> {
    sql.one(&format!("SELECT value FROM counter WHERE name = 'run'{}", sql.dialect().keep), &[])
}

/// Whether a worker may write in this transaction. If so, the lease of its task is prolonged.
pub(crate) fn refusal(sql: &dyn Sql, run: u64, worker: u16, held: Option<Held>) -> Result<Option<Refusal>, Cause> {
    // The owner, and there is one, also writes while the tree is not shared.
    let current = current_run(sql)?;
    if current != run && (worker, current) != (0, 0) {
        return Ok(Some(Refusal::Over));
    }
    let Some(held) = held else { return Ok(None) };
    let now = sql.dialect().now;
    let renew =
        format!("UPDATE task SET expires = {now} + {LEASE} WHERE id = $1 AND epoch = $2 AND worker = $3 AND done = 0");
    let renewed = sql.execute(&renew, values![held.task, held.epoch, worker])?;
    Ok(if renewed == 1 { None } else { Some(Refusal::Lost) })
}

/// How often a worker has to be heard of.
pub(crate) fn heartbeat(sql: &dyn Sql) -> Result<Duration, Cause> {
    let lease: u64 = sql.one(&format!("SELECT {LEASE}"), &[])?;
    Ok(Duration::from_millis(lease) / HEARTBEATS)
}

/// Prolongs the leases of a worker, which is alive.
pub(crate) fn stay(sql: &dyn Sql, run: u64, worker: u16) -> Result<(), Cause> {
    let now = sql.dialect().now;
    let is_shared = "(SELECT value FROM counter WHERE name = 'run')";
    let tasks =
        format!("UPDATE task SET expires = {now} + {LEASE} WHERE worker = $1 AND done = 0 AND $2 = {is_shared}");
    sql.execute(&tasks, values![worker, run])?;
    let heard = format!("UPDATE worker SET heard = {now} WHERE number = $1 AND $2 = {is_shared}");
    sql.execute(&heard, values![worker, run]).map(|_| ())
}

/// Nobody shares the tree any more: whoever did writes nothing from now on.
pub(crate) fn fence(sql: &dyn Sql) -> Result<(), Cause> {
    // First the run: whoever still works for it comes to its end first.
    sql.execute("UPDATE counter SET value = 0 WHERE name = 'run'", &[])?;
    for table in ["task", "worker", "notice"] {
        sql.execute(&format!("DELETE FROM {table}"), &[])?;
    }
    Ok(())
}

fn beat(sql: &dyn Sql) -> Result<(), Cause> {
    let beat = format!("UPDATE counter SET value = {} WHERE name = 'owner'", sql.dialect().now);
    sql.execute(&beat, &[]).map(|_| ())
}

/// The tasks of a tree, for one worker or for the owner, which is worker 0.
#[derive(Debug)]
pub struct Tasks {
    location: Location,
    reader: Reader,
    sql: Box<dyn Sql>,
    run: u64,
    worker: u16,
    seen: Seen,
    /// Is it known that there was nothing to do?
    is_idle: bool,
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
    pub fn begin(location: impl Into<Location>, run: u64, first_batch: u64) -> Result<Tasks, StoreError> {
        let tasks = Tasks::connect(location.into(), run, 0)?;
        let begun = tasks.sql.transaction(|sql| {
            fence(sql)?;
            let set = "UPDATE counter SET value = $1 WHERE name = $2";
            sql.execute(set, values![tasks.run, "run"])?;
            sql.execute(set, values![first_batch, "batch"])?;
            beat(sql)
        });
        begun.map_err(|cause| tasks.reader.failed(cause))?;
        Ok(tasks)
    }

    /// A worker that was not heard of for so long has died.
    pub fn set_lease(&mut self, lease: Duration) -> Result<(), StoreError> {
        let set = "UPDATE counter SET value = $1 WHERE name = 'lease'";
        let lease = u64::try_from(lease.as_millis()).unwrap_or(u64::MAX >> 1);
        self.change(None, |sql| sql.execute(set, values![lease]).map(|_| ()))
    }

    /// Those that an earlier run has left to the owner of the tree, in this run.
    pub fn of_owner(location: impl Into<Location>, run: u64) -> Result<Tasks, StoreError> {
        Tasks::connect(location.into(), run, 0)
    }

    /// The owner is alive.
    pub fn beat(&mut self) -> Result<(), StoreError> {
        self.change(None, beat)
    }

    /// Was the owner heard of?
    pub fn has_owner(&self) -> Result<bool, StoreError> {
        let heard = format!("SELECT count(*) FROM counter WHERE name = 'owner' AND value > {} - {LEASE}", self.now());
        self.number(&heard, &[]).map(|owners| owners > 0)
    }

    fn now(&self) -> &'static str {
        self.sql.dialect().now
    }

    /// Becomes a worker on a tree.
    pub fn join(location: impl Into<Location>) -> Result<Tasks, StoreError> {
        let tasks = Tasks::connect(location.into(), 0, 0)?;
        let joined = tasks.sql.transaction(|sql| {
            let run = current_run(sql)?;
            if run == 0 {
                return Ok(None);
            }
            sql.lock("worker")?;
            let worker: i64 = sql.one("SELECT coalesce(max(number), 0) + 1 FROM worker", &[])?;
            let join = format!("INSERT INTO worker VALUES ($1, $2, 0, NULL, NULL, 0, {})", sql.dialect().now);
            sql.execute(&join, values![worker, run])?;
            Ok(Some((run, worker)))
        });
        let joined = joined.map_err(|cause| tasks.reader.failed(cause))?;
        let (run, worker) = joined.ok_or_else(|| StoreError::NotShared(tasks.location.to_string()))?;
        let worker = u16::try_from(worker).map_err(|_| StoreError::Crowded(tasks.location.to_string()))?;
        // What was learnt before this is read with the tree.
        let learnt = tasks.number("SELECT coalesce(max(seq), 0) FROM learnt", &[])?;
        Ok(Tasks { run, worker, seen: Seen { learnt, ..Seen::default() }, ..tasks })
    }

    fn connect(location: Location, run: u64, worker: u16) -> Result<Tasks, StoreError> {
        let reader = Reader::open(&location)?;
        let sql = connect(&location, Access::Share)?;
        Ok(Tasks { location, reader, sql, run, worker, seen: Seen::default(), is_idle: false })
    }

    pub fn worker(&self) -> u16 {
        self.worker
    }

    pub fn run(&self) -> u64 {
        self.run
    }

    /// The same worker's, with news of its own.
    pub fn another(&self) -> Result<Tasks, StoreError> {
        Tasks::connect(self.location.clone(), self.run, self.worker)
    }

    /// Reads the tree.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Another one.
    pub fn new_reader(&self) -> Result<Reader, StoreError> {
        Reader::open(&self.location)
    }

    /// What writes the worker's batches.
    pub fn store(&self) -> Result<Store, StoreError> {
        Store::of_worker(&self.location, self.run, self.worker)
    }

    /// The first counter of an id that the worker's number has not been used with.
    pub fn next_id(&self) -> Result<u64, StoreError> {
        let next = "SELECT coalesce(max(next_id), 1) FROM batch WHERE worker = $1";
        self.number(next, values![self.worker]).map(|next| next as u64)
    }

    /// Takes numbers for this many batches, and gives the first.
    pub fn reserve(&mut self, batches: u64) -> Result<u64, StoreError> {
        let add = "UPDATE counter SET value = value + $1 WHERE name = 'batch' RETURNING value - $1";
        self.number(add, values![batches]).map(|first| first as u64)
    }

    /// Makes tasks that were no part of one before.
    pub fn add(&mut self, tasks: &[Vec<u8>]) -> Result<(), StoreError> {
        self.change(None, |sql| tasks.iter().try_for_each(|data| insert(sql, None, 0, data)))
    }

    /// Makes tasks of parts of the one that the worker has. What leads to them has been committed.
    pub fn give(&mut self, held: Held, deaths: u32, tasks: &[Vec<u8>]) -> Result<(), StoreError> {
        self.change(Some(held), |sql| tasks.iter().try_for_each(|data| insert(sql, Some(held.task), deaths, data)))
    }

    /// The task of the worker is explored.
    pub fn finish(&mut self, held: Held) -> Result<(), StoreError> {
        self.change(Some(held), |sql| {
            sql.execute("UPDATE task SET done = 1 WHERE id = $1", values![held.task]).map(|_| ())
        })
    }

    /// Takes a task that nobody has, or whose worker has died. While there is none, the worker
    /// counts as idle.
    pub fn claim(&mut self) -> Result<Option<Task>, StoreError> {
        // Others write meanwhile: whoever has nothing to do looks before it asks.
        if self.is_idle && self.counts()?.free == 0 {
            return Ok(None);
        }
        let worker = self.worker;
        let claimed = self.change(None, |sql| {
            let Dialect { now, skip_locked, .. } = sql.dialect();
            let free = format!(
                "SELECT id, worker, deaths FROM task WHERE done = 0 AND expires < {now}
                ORDER BY expires, id LIMIT 1{skip_locked}"
            );
            let free = sql.first(&free, &[])?;
            sql.execute("UPDATE worker SET idle = $1 WHERE number = $2", values![free.is_none(), worker])?;
            let Some(mut free) = free else { return Ok(None) };
            let (task, before, deaths): (u64, u16, u32) = (free.take(0)?, free.take(1)?, free.take(2)?);
            let deaths = deaths + u32::from(before != 0);
            let claim = format!(
                "UPDATE task SET worker = $1, epoch = epoch + 1, deaths = $2, expires = {now} + {LEASE}
                WHERE id = $3 RETURNING epoch, data"
            );
            let mut claimed = sql.first(&claim, values![worker, deaths, task])?.unwrap_or_default();
            let held = Held { task, epoch: claimed.take(0)? };
            let given = sql.query("SELECT data FROM task WHERE parent = $1 ORDER BY id", values![task])?;
            let given = given.into_iter().map(|mut row| row.take(0)).collect::<Result<_, _>>()?;
            Ok(Some(Task { held, deaths, data: claimed.take(1)?, given }))
        })?;
        self.is_idle = claimed.is_none();
        Ok(claimed)
    }

    /// Others may claim the tasks of a worker: it has died, or stops.
    pub fn release(&mut self, worker: u16, has_died: bool) -> Result<(), StoreError> {
        self.change(None, |sql| {
            let keep = if has_died { "" } else { ", worker = 0" };
            let release = format!("UPDATE task SET expires = 0{keep} WHERE worker = $1 AND done = 0");
            sql.execute(&release, values![worker])?;
            sql.execute("UPDATE worker SET idle = 0 WHERE number = $1", values![worker]).map(|_| ())
        })
    }

    /// Nobody has a task any more, and whoever had one writes nothing.
    pub fn close(&mut self) -> Result<(), StoreError> {
        self.change(None, |sql| {
            sql.execute("UPDATE counter SET value = 0 WHERE name = 'run'", &[])?;
            let close = "UPDATE task SET worker = 0, epoch = epoch + 1, expires = 0 WHERE done = 0";
            sql.execute(close, &[]).map(|_| ())
        })
    }

    pub fn counts(&self) -> Result<TaskCounts, StoreError> {
        let counts = format!(
            "SELECT (SELECT count(*) FROM task WHERE done = 0),
                (SELECT count(*) FROM task WHERE done = 0 AND expires < {now}),
                (SELECT count(*) FROM worker WHERE idle = 1 AND heard > {now} - {LEASE})",
            now = self.now()
        );
        let counts = self
            .sql
            .first(&counts, &[])
            .map(Option::unwrap_or_default)
            .and_then(|mut row| Ok(TaskCounts { left: row.take(0)?, free: row.take(1)?, idle: row.take(2)? }));
        counts.map_err(|cause| self.reader.failed(cause))
    }

    /// All workers of this run that there ever were.
    pub fn colleagues(&self) -> Result<Vec<Colleague>, StoreError> {
        self.reader.all("SELECT number, progress FROM worker ORDER BY number", |row| {
            Ok(Colleague { number: row.take(0)?, progress: row.take(1)? })
        })
    }

    /// What happened to workers and was not dropped, in the order of their commits.
    pub fn events(&self) -> Result<Vec<Event>, StoreError> {
        self.reader.all("SELECT seq, worker, data FROM event ORDER BY seq", |row| {
            Ok(Event { seq: row.take(0)?, worker: row.take(1)?, data: row.take(2)? })
        })
    }

    /// These have been reported.
    pub fn drop_events(&mut self, events: &[u64]) -> Result<(), StoreError> {
        self.change(None, |sql| {
            let drop = |seq: &u64| sql.execute("DELETE FROM event WHERE seq = $1", values![*seq]).map(|_| ());
            events.iter().try_for_each(drop)
        })
    }

    /// Tells all workers something, also those that come later.
    pub fn tell(&mut self, notice: &[u8]) -> Result<(), StoreError> {
        self.change(None, |sql| {
            sql.lock("notice")?;
            sql.execute("INSERT INTO notice(data) VALUES ($1)", values![notice]).map(|_| ())
        })
    }

    /// Tells the others what the worker has covered.
    pub fn publish(&mut self, coverage: &[u8]) -> Result<(), StoreError> {
        let worker = self.worker;
        self.change(None, |sql| {
            // Nobody else gets the next number before this is committed.
            let news: i64 = sql.one("UPDATE counter SET value = value + 1 WHERE name = 'news' RETURNING value", &[])?;
            let publish = "UPDATE worker SET coverage = $1, news = $2 WHERE number = $3";
            sql.execute(publish, values![coverage, news, worker]).map(|_| ())
        })
    }

    /// What the owner told since the last time.
    pub fn notices(&mut self) -> Result<Vec<Vec<u8>>, StoreError> {
        let notices = "SELECT seq, data FROM notice WHERE seq > $1 ORDER BY seq";
        newer(&*self.sql, notices, &mut self.seen.notice, &[]).map_err(|cause| self.reader.failed(cause))
    }

    /// What others told, learnt and covered since the last time.
    pub fn news(&mut self) -> Result<News, StoreError> {
        let notices = self.notices()?;
        let learnt = "SELECT seq, data FROM learnt WHERE seq > $1 AND worker <> $2 ORDER BY seq";
        let coverage = "SELECT news, coverage FROM worker WHERE news > $1 AND number <> $2 ORDER BY news";
        let (sql, seen, others) = (&*self.sql, &mut self.seen, values![self.worker]);
        let failed = |cause| self.reader.failed(cause);
        Ok(News {
            notices,
            learnt: newer(sql, learnt, &mut seen.learnt, others).map_err(failed)?,
            coverage: newer(sql, coverage, &mut seen.coverage, others).map_err(failed)?,
        })
    }

    fn number(&self, sql: &str, values: &[Value<'_>]) -> Result<i64, StoreError> {
        self.sql.one(sql, values).map_err(|cause| self.reader.failed(cause))
    }

    /// Does something as a whole or not at all, if the run still goes on, and the worker still has
    /// this task.
    fn change<T>(
        &mut self,
        held: Option<Held>,
        change: impl FnOnce(&dyn Sql) -> Result<T, Cause>,
    ) -> Result<T, StoreError> {
        let changed = self.sql.transaction(|sql| match refusal(sql, self.run, self.worker, held)? {
            Some(refusal) => Ok(Err(refusal)),
            None => change(sql).map(Ok),
        });
        changed.map_err(|cause| self.reader.failed(cause))?.map_err(|refusal| refusal.at(&self.location))
    }
}

fn insert(sql: &dyn Sql, parent: Option<u64>, deaths: u32, data: &[u8]) -> Result<(), Cause> {
    let insert = "INSERT INTO task(parent, worker, epoch, deaths, expires, done, data) VALUES ($1, 0, 0, $2, 0, 0, $3)";
    sql.execute(insert, values![parent, deaths, data]).map(|_| ())
}

/// The second columns of rows whose first one is above what was seen. `values` are those of the
/// query from `$2` on.
fn newer(sql: &dyn Sql, query: &str, seen: &mut i64, values: &[Value<'_>]) -> Result<Vec<Vec<u8>>, Cause> {
    let mut found = Vec::new();
    for mut row in sql.query(query, &[values![*seen], values].concat())? {
        *seen = row.take(0)?;
        found.push(row.take(1)?);
    }
    Ok(found)
}
