//! What is known of all paths that ended: counts, errors, what was cut or is inexact, coverage.
//!
//! Written down with each part of the recorded tree, so that a run that goes on with the tree knows
//! what is not in it. A verdict on the whole program needs this as much as the paths themselves: a
//! finished path may have left something out.

use crate::engine::Engine;
use crate::groups::CutKind;
use crate::outcome::PathCounts;
use espalier_exec::{Approximation, Covered, CutReason, ViolationKind};
use espalier_ir::Loc;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Changes when what is in a snapshot does.
const VERSION: u32 = 3;

type ErrorKey = (ViolationKind, Loc, Loc);

#[derive(Serialize, Deserialize, Debug)]
pub(crate) struct Snapshot {
    version: u32,
    /// The last batch of records that was made before it.
    pub(crate) last_batch: u64,
    paths: PathCounts,
    forks: u64,
    tests: u64,
    missing_tests: u64,
    instructions: u64,
    alternatives: u64,
    symbolic_branches: u64,
    symbolic_accesses: u64,
    calls: u64,
    errors: Vec<ErrorKey>,
    certain_errors: Vec<ErrorKey>,
    cuts: Vec<((CutKind, CutReason, Loc), u64)>,
    approximations: Vec<(Approximation, u64)>,
    met_targets: Vec<u32>,
    covered: Covered,
    diverged: u64,
    /// How long was explored.
    elapsed: Duration,
}

impl Snapshot {
    pub(crate) fn decode(bytes: &[u8]) -> Option<Snapshot> {
        postcard::from_bytes(bytes).ok().filter(|snapshot: &Snapshot| snapshot.version == VERSION)
    }

    /// What several workers know together. That of worker 0 has what was known before the run.
    pub(crate) fn unite(snapshots: FxHashMap<u16, Snapshot>) -> Option<Snapshot> {
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
    pub(crate) fn snapshot(&self) -> Vec<u8> {
        let sorted = |keys: &rustc_hash::FxHashSet<ErrorKey>| {
            let mut keys: Vec<ErrorKey> = keys.iter().copied().collect();
            keys.sort_unstable();
            keys
        };
        let stats = &self.executor.stats;
        let snapshot = Snapshot {
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
        };
        postcard::to_stdvec(&snapshot).unwrap_or_default()
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
