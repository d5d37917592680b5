//! `run.stats`: how a run went, as an SQLite database with the table and the columns that KLEE 3
//! writes, so that `klee-stats`, notebooks and dashboards made for KLEE read it.
//!
//! A row is a sample. There is one at the start, one at intervals, and one at the end. Times are in
//! microseconds. What does not exist here is 0: calls of external functions, inhibited forks, forks on
//! what pointers lead to (counted as those of accesses), and time for resolving pointers (part of
//! solver time).
//!
//! The journal is SQLite's rollback journal and not a write-ahead log: between two rows everything
//! is in the one file, which can be copied, or read while the run goes on, and a run that is killed
//! leaves a database that any client opens. Nothing waits for the disk (`synchronous = OFF`):
//! losing power may cost the statistics, never a test.

use crate::rundir::OutputError;
use espalier_engine::{Outcome, PathCounts, Progress};
use rusqlite::{Connection, ErrorCode, OpenFlags, params_from_iter};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) const NAME: &str = "run.stats";

/// How long a row may wait for a client that reads; the last one may wait longer.
const PATIENCE: Duration = Duration::from_millis(100);
const LAST_PATIENCE: Duration = Duration::from_secs(5);

/// The name of a column, and what it holds.
type Column = (&'static str, fn(&Sample) -> u64);

/// KLEE's columns, in its order, and three of our own.
const COLUMNS: [Column; 47] = [
    ("Instructions", |s| s.exec.instructions),
    ("FullBranches", |s| s.branches.full),
    ("PartialBranches", |s| s.branches.partial),
    ("NumBranches", |s| s.branches.total),
    ("UserTime", |_| user_time().as_micros() as u64),
    ("NumStates", |s| s.open),
    ("MallocUsage", |s| s.memory),
    ("Queries", |s| s.solver.queries),
    ("SolverQueries", Sample::backend_queries),
    ("NumQueryConstructs", |_| 0),
    ("WallTime", |s| s.elapsed.as_micros() as u64),
    ("CoveredInstructions", |s| s.covered_instructions),
    ("UncoveredInstructions", |s| s.total_instructions - s.covered_instructions),
    ("QueryTime", |s| micros(s.solver.sat_nanos + s.solver.smt_nanos)),
    ("SolverTime", |s| s.solver_time.as_micros() as u64),
    ("CexCacheTime", |s| micros(s.solver.models.nanos)),
    ("ForkTime", |s| micros(s.exec.fork_nanos)),
    ("ResolveTime", |_| 0),
    ("QueryCacheMisses", |s| s.solver.models.answers + s.searches() + s.backend_queries()),
    ("QueryCacheHits", |s| s.solver.cache.answers),
    ("QueryCexCacheMisses", |s| s.searches() + s.backend_queries()),
    ("QueryCexCacheHits", |s| s.solver.models.answers),
    ("InhibitedForks", |_| 0),
    ("ExternalCalls", |_| 0),
    ("Allocations", |s| s.exec.allocations),
    ("States", |s| s.exec.forks + 1),
    ("BranchesConditional", |s| s.exec.causes.branches),
    ("BranchesIndirect", |s| s.exec.causes.indirect_jumps),
    ("BranchesSwitch", |s| s.exec.causes.switches),
    ("BranchesCall", |s| s.exec.causes.calls),
    ("BranchesMemOp", |s| s.exec.causes.accesses),
    ("BranchesResolvePointer", |_| 0),
    ("BranchesAlloc", |s| s.exec.causes.allocations),
    ("BranchesRealloc", |s| s.exec.causes.reallocations),
    ("BranchesFree", |s| s.exec.causes.frees),
    ("BranchesGetVal", |_| 0),
    ("TerminationExit", |s| s.paths.completed),
    ("TerminationEarly", |s| s.paths.limited),
    ("TerminationSolverError", |s| s.paths.solver_unknown),
    ("TerminationProgramError", |s| s.paths.errors + s.paths.other_errors - s.paths.misused),
    ("TerminationUserError", |s| s.paths.misused),
    ("TerminationExecutionError", |s| s.paths.unsupported),
    ("TerminationEarlyAlgorithm", |s| s.paths.pruned + s.paths.merged),
    ("TerminationEarlyUser", |s| s.paths.silent + s.paths.infeasible),
    ("CoveredBlocks", |s| s.covered_blocks),
    ("TotalBlocks", |s| s.total_blocks),
    ("DistinctErrors", |s| s.errors),
];

/// What a row is made from.
#[derive(Default)]
pub(crate) struct Sample {
    elapsed: Duration,
    open: u64,
    memory: u64,
    covered_instructions: u64,
    total_instructions: u64,
    branches: espalier_engine::BranchCounts,
    covered_blocks: u64,
    total_blocks: u64,
    errors: u64,
    solver_time: Duration,
    paths: PathCounts,
    exec: espalier_engine::ExecStats,
    solver: espalier_engine::SolverStats,
}

impl Sample {
    /// Questions that were answered by a search for values.
    fn searches(&self) -> u64 {
        self.solver.repair.answers + self.solver.boxes.answers + self.solver.cases.answers
    }

    fn backend_queries(&self) -> u64 {
        self.solver.sat.answers + self.solver.smt.answers
    }
}

impl From<&Progress> for Sample {
    fn from(progress: &Progress) -> Sample {
        Sample {
            elapsed: progress.elapsed,
            open: progress.open,
            memory: progress.memory,
            covered_instructions: progress.covered_instructions,
            total_instructions: progress.total_instructions,
            branches: progress.branches,
            covered_blocks: progress.covered_blocks,
            total_blocks: progress.total_blocks,
            errors: progress.errors,
            solver_time: progress.solver_time,
            paths: progress.paths,
            exec: progress.exec.clone(),
            solver: progress.solver.clone(),
        }
    }
}

impl From<&Outcome> for Sample {
    fn from(outcome: &Outcome) -> Sample {
        Sample {
            elapsed: outcome.elapsed,
            open: outcome.open_states,
            memory: espalier_base::memory::resident().unwrap_or(0),
            covered_instructions: outcome.coverage.covered_instructions,
            total_instructions: outcome.coverage.total_instructions,
            branches: outcome.coverage.conditional,
            covered_blocks: outcome.coverage.covered_blocks,
            total_blocks: outcome.coverage.total_blocks,
            errors: outcome.distinct_errors,
            solver_time: outcome.solver_time,
            paths: outcome.paths,
            exec: outcome.exec.clone(),
            solver: outcome.solver.clone(),
        }
    }
}

fn micros(nanos: u64) -> u64 {
    nanos / 1000
}

/// Processor time that this process has used outside the kernel.
fn user_time() -> Duration {
    // SAFETY: the system fills in the structure, or leaves the zeros.
    let usage = unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let (seconds, micros) = (usage.ru_utime.tv_sec, usage.ru_utime.tv_usec);
    Duration::from_secs(seconds.max(0) as u64) + Duration::from_micros(micros.max(0) as u64)
}

/// The open database.
pub(crate) struct RunStats {
    path: PathBuf,
    connection: Connection,
    insert: String,
    interval: Duration,
    last: Duration,
}

impl RunStats {
    /// Makes the database in the run's directory, with the row of the start.
    pub(crate) fn create(directory: &Path, interval: Duration) -> Result<RunStats, OutputError> {
        let path = directory.join(NAME);
        let failed = |error| failure(&path, error);
        let connection = Connection::open(&path).map_err(failed)?;
        let columns = COLUMNS.map(|(name, _)| format!("{name} INTEGER")).join(", ");
        let set_up = format!(
            "PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA locking_mode = NORMAL; CREATE TABLE IF NOT EXISTS stats ({columns});"
        );
        connection.execute_batch(&set_up).map_err(failed)?;
        connection.busy_timeout(PATIENCE).map_err(failed)?;
        let insert = format!("INSERT INTO stats VALUES ({})", COLUMNS.map(|_| "?").join(", "));
        let mut stats = RunStats { path, connection, insert, interval, last: Duration::ZERO };
        stats.write(&Sample::default())?;
        Ok(stats)
    }

    /// Adds a row if it is time to.
    pub(crate) fn tick(&mut self, progress: &Progress) -> Result<(), OutputError> {
        if progress.elapsed.saturating_sub(self.last) < self.interval {
            return Ok(());
        }
        self.last = progress.elapsed;
        self.write(&Sample::from(progress))
    }

    /// Adds the last row.
    pub(crate) fn finish(mut self, outcome: &Outcome) -> Result<(), OutputError> {
        self.connection.busy_timeout(LAST_PATIENCE).map_err(|error| failure(&self.path, error))?;
        self.write(&Sample::from(outcome))
    }

    /// A client that reads for longer than we wait costs a row, and nothing else.
    fn write(&mut self, sample: &Sample) -> Result<(), OutputError> {
        let values = COLUMNS.map(|(_, value)| i64::try_from(value(sample)).unwrap_or(i64::MAX));
        let written = self.connection.execute(&self.insert, params_from_iter(values));
        match written {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Ok(()),
            written => written.map(|_| ()).map_err(|error| failure(&self.path, error)),
        }
    }
}

/// How far a run was at one moment.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Moment {
    pub seconds: f64,
    pub instructions: u64,
    /// Paths that had ended.
    pub paths: u64,
    pub errors: u64,
    pub covered_blocks: u64,
    pub total_blocks: u64,
    pub covered_instructions: u64,
    pub total_instructions: u64,
}

/// The rows of a run's directory, or of a `run.stats` file itself.
pub fn moments(run: &Path) -> Result<Vec<Moment>, String> {
    let path = if run.is_dir() { run.join(NAME) } else { run.to_owned() };
    let failed = |error: rusqlite::Error| format!("{}: {error}", path.display());
    let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(failed)?;
    let query = "SELECT WallTime, Instructions, TerminationExit + TerminationEarly + TerminationSolverError + \
         TerminationProgramError + TerminationExecutionError, DistinctErrors, CoveredBlocks, TotalBlocks, \
         CoveredInstructions, CoveredInstructions + UncoveredInstructions FROM stats ORDER BY WallTime";
    let mut statement = connection.prepare(query).map_err(failed)?;
    let rows = statement.query_map([], |row| {
        let number = |index| row.get::<_, i64>(index).map(|number| number.max(0) as u64);
        Ok(Moment {
            seconds: number(0)? as f64 / 1e6,
            instructions: number(1)?,
            paths: number(2)?,
            errors: number(3)?,
            covered_blocks: number(4)?,
            total_blocks: number(5)?,
            covered_instructions: number(6)?,
            total_instructions: number(7)?,
        })
    });
    rows.and_then(Iterator::collect).map_err(failed)
}

fn failure(path: &Path, source: rusqlite::Error) -> OutputError {
    OutputError::Stats { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(path: &Path, query: &str) -> Vec<i64> {
        let connection = Connection::open(path).unwrap();
        let mut statement = connection.prepare(query).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }

    fn progress(seconds: u64, instructions: u64) -> Progress {
        Progress {
            elapsed: Duration::from_secs(seconds),
            time_left: None,
            open: 7,
            parked: 0,
            paths: PathCounts::default(),
            errors: 0,
            instructions,
            covered_instructions: 30,
            total_instructions: 40,
            branches: Default::default(),
            covered_blocks: 3,
            total_blocks: 4,
            memory: 1 << 20,
            solver_time: Duration::from_millis(3),
            exec: espalier_engine::ExecStats { instructions, ..Default::default() },
            solver: Default::default(),
        }
    }

    #[test]
    fn rows_come_at_intervals_and_a_copy_of_the_file_is_enough() {
        let dir = tempfile::tempdir().unwrap();
        let mut stats = RunStats::create(dir.path(), Duration::from_secs(1)).unwrap();
        for tenth in 0..35 {
            let mut now = progress(0, tenth);
            now.elapsed = Duration::from_millis(100 * tenth);
            stats.tick(&now).unwrap();
        }
        let copy = dir.path().join("copy");
        std::fs::copy(dir.path().join(NAME), &copy).unwrap();
        assert_eq!(numbers(&copy, "SELECT Instructions FROM stats"), [0, 10, 20, 30]);
        assert_eq!(numbers(&copy, "SELECT UncoveredInstructions FROM stats WHERE Instructions = 10"), [10]);
        assert_eq!(numbers(&copy, "SELECT SolverTime FROM stats WHERE Instructions = 10"), [3000]);
        let names: Vec<String> = std::fs::read_dir(dir.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .filter(|name| name.starts_with(NAME))
            .collect();
        assert_eq!(names, [NAME], "nothing beside the one file");
    }

    #[test]
    fn a_client_that_reads_does_not_end_the_run() {
        let dir = tempfile::tempdir().unwrap();
        let mut stats = RunStats::create(dir.path(), Duration::from_secs(1)).unwrap();
        let reader = Connection::open(dir.path().join(NAME)).unwrap();
        reader.execute_batch("BEGIN; SELECT * FROM stats;").unwrap();
        stats.tick(&progress(1, 1)).unwrap();
        reader.execute_batch("COMMIT").unwrap();
        stats.tick(&progress(2, 2)).unwrap();
        assert_eq!(numbers(&dir.path().join(NAME), "SELECT Instructions FROM stats"), [0, 2]);
    }

    #[test]
    fn a_directory_that_cannot_be_written_is_named() {
        let error = RunStats::create(Path::new("/proc/nowhere"), Duration::from_secs(1)).err().unwrap();
        assert!(error.to_string().contains("/proc/nowhere/run.stats"), "{error}");
    }
}
