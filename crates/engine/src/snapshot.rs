//! What is known of all paths that ended: counts, errors, what was cut or is inexact, coverage.
//!
//! Written down with each part of the recorded tree, so that a run that goes on with the tree knows
//! what is not in it. A verdict on the whole program needs this as much as the paths themselves: a
//! finished path may have left something out.

use crate::engine::Engine;
use crate::groups::CutKind;
use crate::outcome::PathCounts;
use crate::restoring::RestoreError;
use espalier_exec::{Approximation, Covered, CutReason, ViolationKind};
use espalier_ir::Loc;
use espalier_store::Reader;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Changes when what is in a snapshot does.
const VERSION: u32 = 3;

type ErrorKey = (ViolationKind, Loc, Loc);

#[derive(Clone, PartialEq, Serialize, Deserialize, Default, Debug)]
pub(crate) struct Snapshot {
    version: u32,
    /// The last batch of records that was made before it.
    pub(crate) last_batch: u64,
    pub(crate) paths: PathCounts,
    pub(crate) forks: u64,
    pub(crate) tests: u64,
    missing_tests: u64,
    pub(crate) instructions: u64,
    alternatives: u64,
    symbolic_branches: u64,
    symbolic_accesses: u64,
    calls: u64,
    pub(crate) errors: Vec<ErrorKey>,
    pub(crate) certain_errors: Vec<ErrorKey>,
    pub(crate) cuts: Vec<((CutKind, CutReason, Loc), u64)>,
    pub(crate) approximations: Vec<(Approximation, u64)>,
    pub(crate) met_targets: Vec<u32>,
    pub(crate) covered: Covered,
    pub(crate) diverged: u64,
    /// How long was explored.
    pub(crate) elapsed: Duration,
}

impl Snapshot {
    fn decode(bytes: &[u8]) -> Option<Snapshot> {
        postcard::from_bytes(bytes).ok().filter(|snapshot: &Snapshot| snapshot.version == VERSION)
    }

    /// Of a tree with nothing in it.
    pub(crate) fn empty() -> Snapshot {
        Snapshot { version: VERSION, ..Snapshot::default() }
    }

    /// The same, and no batch up to this one says more.
    pub(crate) fn up_to(&self, last_batch: u64) -> Snapshot {
        Snapshot { last_batch, ..self.clone() }
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        postcard::to_stdvec(self).unwrap_or_default()
    }

    /// What is known of a tree whose workers wrote these batches last, in each run; none, if nothing
    /// is recorded.
    pub(crate) fn read(
        reader: &Reader,
        last_batches: &FxHashMap<(u64, u16), u64>,
        is_empty: bool,
    ) -> Result<Option<Snapshot>, RestoreError> {
        let snapshots = reader.snapshots()?;
        let last_run = snapshots.iter().map(|(run, ..)| *run).max().unwrap_or(0);
        let of_last_run = snapshots.into_iter().filter(|(run, ..)| *run == last_run);
        let of_last_run: FxHashMap<u16, Snapshot> =
            of_last_run.filter_map(|(_, worker, bytes)| Some((worker, Snapshot::decode(&bytes)?))).collect();
        // One that is older than a record does not know what was found later.
        let knows = |worker, batch| of_last_run.get(&worker).is_some_and(|snapshot| snapshot.last_batch >= batch);
        let is_known = last_batches.iter().all(|(&(run, worker), &batch)| {
            knows(0, batch) || run == last_run && worker != 0 && of_last_run.contains_key(&0) && knows(worker, batch)
        });
        if !is_empty && (!is_known || of_last_run.is_empty()) {
            return Err(RestoreError::NoSnapshot);
        }
        Ok(Snapshot::of_all(of_last_run))
    }

    /// What several workers know together. That of worker 0 has what was known before the run.
    fn of_all(snapshots: FxHashMap<u16, Snapshot>) -> Option<Snapshot> {
        let mut snapshots: Vec<(u16, Snapshot)> = snapshots.into_iter().collect();
        snapshots.sort_unstable_by_key(|(worker, _)| *worker);
        let mut snapshots = snapshots.into_iter().map(|(_, snapshot)| snapshot);
        let mut all = snapshots.next()?;
        let before = all.elapsed;
        for one in snapshots {
            all.add(one, before);
        }
        Some(all)
    }

    fn add(&mut self, other: Snapshot, before: Duration) {
        self.last_batch = self.last_batch.max(other.last_batch);
        self.paths.add(&other.paths);
        let counts = [
            (&mut self.forks, other.forks),
            (&mut self.tests, other.tests),
            (&mut self.missing_tests, other.missing_tests),
            (&mut self.instructions, other.instructions),
            (&mut self.alternatives, other.alternatives),
            (&mut self.symbolic_branches, other.symbolic_branches),
            (&mut self.symbolic_accesses, other.symbolic_accesses),
            (&mut self.calls, other.calls),
            (&mut self.diverged, other.diverged),
        ];
        counts.into_iter().for_each(|(count, more)| *count += more);
        self.errors.extend(other.errors);
        self.certain_errors.extend(other.certain_errors);
        self.met_targets.extend(other.met_targets);
        add_counts(&mut self.cuts, other.cuts);
        add_counts(&mut self.approximations, other.approximations);
        self.covered.add(&other.covered);
        self.elapsed = self.elapsed.max(before + other.elapsed);
    }

    /// Paths that were cut for one of these reasons are explored further: they did not end.
    pub(crate) fn reopen(&mut self, is_reopened: impl Fn(&CutReason) -> bool) {
        let reopened = self.cuts.extract_if(.., |((_, reason, _), _)| is_reopened(reason));
        let count: u64 = reopened.map(|(_, count)| count).sum();
        self.paths.limited = self.paths.limited.saturating_sub(count);
    }
}

fn add_counts<K: PartialEq>(counts: &mut Vec<(K, u64)>, more: Vec<(K, u64)>) {
    for (key, count) in more {
        match counts.iter_mut().find(|(known, _)| *known == key) {
            Some((_, sum)) => *sum += count,
            None => counts.push((key, count)),
        }
    }
}

impl Engine {
    pub(crate) fn snapshot(&self) -> Snapshot {
        let sorted = |keys: &rustc_hash::FxHashSet<ErrorKey>| {
            let mut keys: Vec<ErrorKey> = keys.iter().copied().collect();
            keys.sort_unstable();
            keys
        };
        let stats = &self.executor.stats;
        Snapshot {
            version: VERSION,
            last_batch: self.recorder.last_batch(),
            paths: self.paths,
            forks: self.forks,
            tests: self.tests,
            missing_tests: self.missing_tests,
            instructions: stats.instructions,
            alternatives: stats.forks,
            symbolic_branches: stats.symbolic_branches,
            symbolic_accesses: stats.symbolic_accesses,
            calls: stats.calls,
            errors: sorted(&self.known_errors),
            certain_errors: sorted(&self.certain_errors),
            cuts: self.groups.cuts.counts().to_vec(),
            approximations: self.groups.approximations.counts().to_vec(),
            met_targets: self.executor.met_targets(),
            covered: self.executor.coverage().covered(),
            diverged: self.parking.counts().diverged,
            elapsed: self.explored_before + self.clock.elapsed(),
        }
    }

    /// Takes over what was known when the snapshot was made.
    pub(crate) fn take_over(&mut self, snapshot: Snapshot) {
        self.paths = snapshot.paths;
        (self.forks, self.tests, self.missing_tests) = (snapshot.forks, snapshot.tests, snapshot.missing_tests);
        let stats = &mut self.executor.stats;
        (stats.instructions, stats.forks) = (snapshot.instructions, snapshot.alternatives);
        stats.symbolic_branches = snapshot.symbolic_branches;
        (stats.symbolic_accesses, stats.calls) = (snapshot.symbolic_accesses, snapshot.calls);
        self.known_errors = snapshot.errors.into_iter().collect();
        self.certain_errors = snapshot.certain_errors.into_iter().collect();
        self.groups.cuts.take_over(snapshot.cuts);
        self.groups.approximations.take_over(snapshot.approximations);
        snapshot.met_targets.into_iter().for_each(|target| self.executor.close_target(target));
        self.executor.restore_coverage(&snapshot.covered);
        self.covered = self.executor.coverage().discovered();
        self.parking.note_diverged(snapshot.diverged);
        self.explored_before = snapshot.elapsed;
    }
}
