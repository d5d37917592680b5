//! Reading a tree, while somebody writes it or not.
//!
//! A row whose checksum is wrong, or that the database cannot read, is skipped and counted: the
//! nodes of a lost batch have no record, and are explored again.

use crate::batch::checksum;
use crate::error::Cause;
use crate::sql::{Access, Row, Sql, Value, connect, values};
use crate::store::{check_format, meta};
use crate::{Batch, Divergence, Location, Place, RecordId, StoreError};
use std::cell::Cell;

/// Rows behind one that cannot be read are looked for one by one, this many times, and then in
/// steps that double.
const SINGLE_STEPS: u32 = 1024;

const BATCH: &str = "SELECT seq, run, worker, base, next_id, records, revised, hash, data FROM batch";

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

/// Reads what is committed.
#[derive(Debug)]
pub struct Reader {
    at: String,
    sql: Box<dyn Sql>,
    skipped: Cell<u64>,
}

impl Reader {
    pub fn open(location: impl Into<Location>) -> Result<Reader, StoreError> {
        let location = location.into();
        let sql = connect(&location, Access::Read)?;
        check_format(&*sql, &location)?;
        Ok(Reader { at: location.database(), sql, skipped: Cell::new(0) })
    }

    pub fn meta(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        meta(&*self.sql, key).map_err(|cause| self.failed(cause))
    }

    pub fn runs(&self) -> Result<Vec<Run>, StoreError> {
        self.all("SELECT id, started, ended, stop, options, version FROM run ORDER BY id", |row| {
            Ok(Run {
                id: row.take(0)?,
                started: row.take(1)?,
                ended: row.take(2)?,
                stop: row.take(3)?,
                options: row.take(4)?,
                version: row.take(5)?,
            })
        })
    }

    /// The nodes that were recorded again, as often as they were.
    pub fn revised(&self) -> Result<Vec<RecordId>, StoreError> {
        let revised = self.all("SELECT base, revised FROM batch WHERE length(revised) > 0 ORDER BY seq", |row| {
            Ok((RecordId(row.take(0)?), row.take::<Vec<u8>>(1)?))
        })?;
        Ok(revised.iter().flat_map(|(base, ids)| Batch::decode_revised(*base, ids).unwrap_or_default()).collect())
    }

    /// All whole batches in the order of their numbers. They are read in many transactions, so that
    /// a writer can tidy up its log meanwhile; what it commits meanwhile is read too. Each comes
    /// with the number of the run that wrote it.
    pub fn scan(&self, each: &mut dyn FnMut(u64, Batch)) -> Result<Scanned, StoreError> {
        let next = format!("{BATCH} WHERE seq > $1 ORDER BY seq");
        self.walk(&next, &[], batch, &mut |(run, batch)| each(run, batch))
    }

    /// The same of those that were written for a task.
    pub fn scan_task(&self, task: u64, each: &mut dyn FnMut(Batch)) -> Result<Scanned, StoreError> {
        let next = format!("{BATCH} WHERE seq > $1 AND task = $2 ORDER BY seq");
        self.walk(&next, values![task], batch, &mut |(_, batch)| each(batch))
    }

    pub fn batch(&self, seq: u64) -> Result<Option<Batch>, StoreError> {
        let found = self.sql.first(&format!("{BATCH} WHERE seq = $1"), values![seq]);
        let Some(mut row) = found.map_err(|cause| self.failed(cause))? else { return Ok(None) };
        match batch(&mut row) {
            Ok(Some((_, batch))) => Ok(Some(batch)),
            _ => Err(StoreError::Batch { at: self.at.clone(), batch: seq }),
        }
    }

    /// What was learnt, in the order it was committed.
    pub fn learnt(&self, each: &mut dyn FnMut(Vec<u8>)) -> Result<(), StoreError> {
        let next = "SELECT seq, hash, data FROM learnt WHERE seq > $1 ORDER BY seq";
        self.walk(next, &[], |row| whole(row, 1), each).map(|_| ())
    }

    /// The last snapshot of each run and worker.
    pub fn snapshots(&self) -> Result<Vec<(u64, u16, Vec<u8>)>, StoreError> {
        let next = "SELECT seq, hash, data, run, worker FROM snapshot WHERE seq > $1 ORDER BY seq";
        let mut snapshots = Vec::new();
        let read = |row: &mut Row| {
            let Some(data) = whole(row, 1)? else { return Ok(None) };
            Ok(Some((row.take(3)?, row.take(4)?, data)))
        };
        self.walk(next, &[], read, &mut |snapshot| snapshots.push(snapshot))?;
        Ok(snapshots)
    }

    pub fn divergences(&self) -> Result<Vec<Divergence>, StoreError> {
        self.all("SELECT run, node, what, expected, got FROM divergence ORDER BY seq", |row| {
            Ok(Divergence {
                run: row.take(0)?,
                node: RecordId(row.take(1)?),
                what: row.take(2)?,
                expected: row.take(3)?,
                got: row.take(4)?,
            })
        })
    }

    /// About how many ids the worker with most of them has allotted, unless that is damaged.
    pub(crate) fn allotted(&self) -> Result<u64, StoreError> {
        match self.sql.one::<Option<i64>>("SELECT max(next_id) FROM batch", &[]) {
            Ok(most) => Ok(most.and_then(|most| u64::try_from(most).ok()).unwrap_or(0)),
            Err(cause) if cause.is_damage() => Ok(0),
            Err(cause) => Err(self.failed(cause)),
        }
    }

    /// What the database takes on the disk, without its log.
    pub fn bytes(&self) -> Result<u64, StoreError> {
        self.sql.one(self.sql.dialect().bytes, &[]).map_err(|cause| self.failed(cause))
    }

    /// How many damaged rows there were, at least, in all that was read.
    pub fn skipped(&self) -> u64 {
        self.skipped.get()
    }

    pub(crate) fn all<T>(&self, sql: &str, read: fn(&mut Row) -> Result<T, Cause>) -> Result<Vec<T>, StoreError> {
        let rows = self.sql.query(sql, &[]).and_then(|mut rows| rows.iter_mut().map(read).collect());
        rows.map_err(|cause| self.failed(cause))
    }

    /// Goes through a table by `next`, a query for the rows whose key, the first column, is above
    /// `$1`, in the order of their keys; `values` are those of the query from `$2` on. `read` is
    /// None for a row that is damaged.
    fn walk<T>(
        &self,
        next: &str,
        values: &[Value<'_>],
        read: impl Fn(&mut Row) -> Result<Option<T>, Cause>,
        each: &mut dyn FnMut(T),
    ) -> Result<Scanned, StoreError> {
        let next = format!("{next} LIMIT {}", self.sql.dialect().page);
        let mut scanned = Scanned::default();
        let mut after = -1i64;
        let mut failures = 0;
        let mut last_damaged = None;
        loop {
            let damaged = match self.sql.query(&next, &[values![after], values].concat()) {
                Ok(rows) if rows.is_empty() => break,
                Ok(mut rows) => {
                    let mut damaged = None;
                    for row in &mut rows {
                        let Some(&crate::sql::Cell::Int(key)) = row.0.first() else {
                            return Err(self.failed(Cause::Column(0)));
                        };
                        if (0..Place::BATCHES as i64).contains(&key) {
                            scanned.last_seq = scanned.last_seq.max(key as u64);
                        }
                        let Some(item) = read(row).ok().flatten().filter(|_| key > after) else {
                            damaged = Some(Some(key));
                            break;
                        };
                        each(item);
                        scanned.batches += 1;
                        after = key;
                        failures = 0;
                        last_damaged = None;
                    }
                    damaged
                }
                Err(cause) if cause.is_damage() => Some(None),
                Err(cause) => return Err(self.failed(cause)),
            };
            let Some(key) = damaged else { continue };
            if last_damaged != Some(key) {
                scanned.damaged += 1;
                last_damaged = Some(key);
            }
            // Not to the key: it may be damaged itself, and then there are rows before it.
            let step = 1i64.checked_shl(u32::saturating_sub(failures, SINGLE_STEPS)).filter(|step| *step > 0);
            let Some(further) = step.and_then(|step| after.checked_add(step)) else { break };
            after = key.filter(|key| *key > after).map_or(further, |key| further.min(key));
            failures += 1;
        }
        self.skipped.set(self.skipped.get() + scanned.damaged);
        Ok(scanned)
    }

    pub(crate) fn failed(&self, cause: Cause) -> StoreError {
        StoreError::database(&self.at, cause)
    }
}

/// The bytes of a row that has their checksum in this column and themselves in the next.
fn whole(row: &mut Row, column: usize) -> Result<Option<Vec<u8>>, Cause> {
    let data: Vec<u8> = row.take(column + 1)?;
    Ok(if checksum(&data) == row.take(column)? { Some(data) } else { None })
}

/// The batch of a row of [`BATCH`], and its run.
fn batch(row: &mut Row) -> Result<Option<(u64, Batch)>, Cause> {
    let run = row.take(1)?;
    let base = RecordId(row.take(3)?);
    let encoded: Vec<u8> = row.take(6)?;
    let Ok(revised) = Batch::decode_revised(base, &encoded) else { return Ok(None) };
    let batch = Batch {
        seq: row.take(0)?,
        worker: row.take(2)?,
        base,
        next_id: row.take(4)?,
        records: row.take(5)?,
        revised,
        data: row.take(8)?,
    };
    Ok(if batch.checksum(run, &encoded) == row.take(7)? { Some((run, batch)) } else { None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Commit, Store};

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
        let damage = connect(&dir.path().into(), Access::Share).unwrap();
        damage.run("UPDATE batch SET seq = 1 << 62 WHERE seq = 4").unwrap();
        damage.run("UPDATE batch SET worker = 'x' WHERE seq = 6").unwrap();
        damage.run("UPDATE batch SET run = 5 WHERE seq = 7").unwrap();
        damage.run("UPDATE batch SET revised = X'80' WHERE seq = 8").unwrap();
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
        let path = dir.path().join("tree.db");
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
