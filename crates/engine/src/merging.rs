//! Uniting recorded trees of one program: what was explored in one run need not be explored in the
//! other.
//!
//! `store::merge` appends the records that a tree lacks; here is what may be taken over, and what is
//! known of the paths ([`Snapshot`]) is united. Nothing that keeps a run from being a proof may be
//! lost by it:
//!
//! - Paths that a limit cut are not taken over: they stay unfinished, so that the limits of whoever
//!   goes on with the tree hold for them. Other cuts are counted. What was cut in the first tree is
//!   gone on with if it is known how it was counted.
//! - What makes paths inexact is united, and so is everything that was found.
//! - What contradicts itself, such as a path that ends in two ways, puts the whole tree in doubt.
//! - States that were left out because of an interpolant, and interpolants, are taken over only from
//!   a tree in which everything was explored. In others they may rest on a state that is still to be
//!   explored there (`prune::cycle`). Here that state may be left out in turn, because of one that
//!   the first tree was to explore, and then neither would be.

use crate::outcome::PathCounts;
use crate::recording::{is_final, why};
use crate::restoring::RestoreError;
use crate::snapshot::Snapshot;
use espalier_exec::{Approximation, Cause, Choice, CutReason, Direction, ViolationKind, read_label};
use espalier_store::{
    Appended, BatchWriter, Commit, Compared, MergeRules, Reader, Records, Shape, Verdict, append_missing,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// What merging one tree into another came to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Merged {
    pub records: u64,
    /// Paths that ended.
    pub paths: u64,
    /// Distinct errors that were not known.
    pub errors: u64,
    pub learnt: u64,
    pub divergences: u64,
    /// Ends that have to be found again.
    pub left_unfinished: u64,
}

/// What is to be written into a tree so that it has what another one has.
pub struct Merging {
    pub merged: Merged,
    /// None if it has everything.
    commit: Option<(Commit, Snapshot)>,
}

impl Merging {
    /// Reads both; they are of the same program, with the same options that decide on its paths.
    pub fn new(into: &Reader, from: &Reader) -> Result<Merging, RestoreError> {
        let shapes = [Shape::read_to_compare(into)?, Shape::read_to_compare(from)?];
        let [mut first, mut second] = [(&shapes[0], into), (&shapes[1], from)].map(|(shape, reader)| Compared {
            shape,
            leaves: shape.leaves(),
            records: Records::new(reader),
        });
        let all_learnt = [learnt(into)?, learnt(from)?];
        // After the rest: it knows all that this rests on, and may know more.
        let (before, next_id) = known(into)?;
        let (other, _) = known(from)?;
        let is_whole = shapes[1].unfinished() == 0 && shapes[1].scanned().damaged == 0 && other.is_whole();
        let rules = MergeRules {
            takes: &|verdict| is_final(verdict) && (is_whole || !is_left_out(verdict)),
            gives_up: &|verdict| before.has_one_limit(verdict, &shapes[0]),
            says_nothing: &|verdict| is_left_out(verdict) || matches!(verdict, Verdict::Cut(_) | Verdict::Unknown),
            is_optional: &is_of_target,
        };
        let mut writer = BatchWriter::new(shapes[0].scanned().last_seq + 1, 0, next_id);
        let appended = append_missing(&mut first, &mut second, &mut writer, &rules)?;
        let [own, others] = all_learnt;
        let known: FxHashSet<&Vec<u8>> = own.iter().collect();
        let learnt: Vec<Vec<u8>> = others.into_iter().filter(|bytes| is_whole && !known.contains(bytes)).collect();
        let mut united = before.clone();
        united.unite(&other, &appended);
        let merged = Merged {
            records: appended.records,
            paths: appended.ended.values().sum(),
            errors: (united.errors.len() - before.errors.len()) as u64,
            learnt: learnt.len() as u64,
            divergences: appended.divergences.len() as u64,
            left_unfinished: appended.left_unfinished,
        };
        let is_changed = united != before || appended.records > 0 || !learnt.is_empty();
        united.elapsed += other.elapsed;
        let commit = Commit {
            batches: writer.seal(),
            learnt,
            snapshot: None,
            divergences: appended.divergences,
            ..Commit::default()
        };
        united.last_batch = writer.last_seq().max(before.last_batch);
        Ok(Merging { merged, commit: is_changed.then_some((commit, united)) })
    }

    /// What to write, if so many tests were copied; nothing if there is nothing new.
    pub fn commit(self, tests: u64) -> Option<Commit> {
        let (commit, mut snapshot) = self.commit?;
        snapshot.tests += tests;
        Some(Commit { snapshot: Some(snapshot.encode()), ..commit })
    }
}

/// What is known of a tree, and the first id that worker 0 has not allotted.
fn known(reader: &Reader) -> Result<(Snapshot, u64), RestoreError> {
    let mut next_id = 1;
    let mut last_batches: FxHashMap<(u64, u16), u64> = FxHashMap::default();
    let scanned = reader.scan(&mut |run, batch| {
        if batch.worker == 0 {
            next_id = batch.next_id.max(next_id);
        }
        let last = last_batches.entry((run, batch.worker)).or_default();
        *last = batch.seq.max(*last);
    })?;
    let snapshot = Snapshot::read(reader, &last_batches, scanned.batches + scanned.damaged == 0)?;
    Ok((snapshot.unwrap_or_else(Snapshot::empty), next_id))
}

fn learnt(reader: &Reader) -> Result<Vec<Vec<u8>>, RestoreError> {
    let mut learnt = Vec::new();
    reader.learnt(&mut |bytes| learnt.push(bytes))?;
    Ok(learnt)
}

/// Was the state not explored because others were?
fn is_left_out(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Covered | Verdict::Irrelevant)
}

/// A path that comes to a target forks there if the target is open, and that depends on other paths.
fn is_of_target(label: &[u8]) -> bool {
    let choices = read_label(label).unwrap_or_default();
    choices.iter().any(|choice| matches!(choice, Choice::Target(_) | Choice::Passed(_)))
}

impl Snapshot {
    /// Was nothing cut or found to be otherwise than it was recorded?
    fn is_whole(&self) -> bool {
        let PathCounts { limited, unsupported, solver_unknown, .. } = self.paths;
        limited + unsupported + solver_unknown + self.diverged == 0 && self.cuts.is_empty()
    }

    /// Were all paths that ended so cut by one and the same limit, and none for any other reason? Then
    /// it does not matter where they are counted.
    fn has_one_limit(&self, verdict: Verdict, shape: &Shape) -> bool {
        let of_verdict = |reason: &CutReason| Verdict::Cut(why(reason)) == verdict;
        let mut groups = self.cuts.iter().filter(|((_, reason, _), _)| of_verdict(reason));
        let Some(((_, limit, _), first)) = groups.next().filter(|_| !is_final(verdict)) else { return false };
        let mut cut = *first;
        let is_one = groups.all(|((_, reason, _), count)| {
            cut += count;
            reason == limit
        });
        is_one && shape.ended().any(|ended| ended == (verdict, cut))
    }

    /// So many paths that ended so have been gone on with.
    fn give_up(&mut self, verdict: Verdict, paths: u64) {
        self.paths.limited = self.paths.limited.saturating_sub(paths);
        let mut left = paths;
        for ((_, reason, _), count) in &mut self.cuts {
            if Verdict::Cut(why(reason)) == verdict {
                let taken = left.min(*count);
                (*count, left) = (*count - taken, left - taken);
            }
        }
        self.cuts.retain(|(_, count)| *count > 0);
    }

    /// Adds what another tree knows, of which these records were taken over.
    fn unite(&mut self, other: &Snapshot, appended: &Appended) {
        appended.given_up.iter().for_each(|(&verdict, &paths)| self.give_up(verdict, paths));
        self.forks += appended.forks;
        self.instructions += appended.instructions;
        self.count(other, appended);
        unite_sorted(&mut self.errors, &other.errors);
        // The path to an error may not have been taken over; but it is one.
        let errors = self.errors.iter().filter(|(kind, ..)| !matches!(kind, ViolationKind::Target(_))).count();
        self.paths.errors = self.paths.errors.max(errors as u64);
        unite_sorted(&mut self.certain_errors, &other.certain_errors);
        unite_sorted(&mut self.met_targets, &other.met_targets);
        self.covered.unite(&other.covered);
        self.diverged = self.diverged.max(other.diverged);
        let is_cut = |verdict: &Verdict| matches!(verdict, Verdict::Cut(_) | Verdict::Unsupported | Verdict::Unknown);
        if appended.ended.keys().any(is_cut) {
            let others = other.cuts.iter().filter(|((_, reason, _), _)| is_final(Verdict::Cut(why(reason))));
            unite_counts(&mut self.cuts, others);
        }
        unite_counts(&mut self.approximations, other.approximations.iter());
        // Which of its paths were inexact is not known.
        self.paths.approximate = self.paths.approximate.max(other.paths.approximate);
        if !appended.divergences.is_empty() {
            let doubt = Approximation { direction: Direction::Under, cause: Cause::Diverged };
            let divergences = appended.divergences.len() as u64;
            unite_counts(&mut self.approximations, [(doubt, divergences)].iter());
            self.paths.approximate += divergences;
        }
    }

    fn count(&mut self, other: &Snapshot, appended: &Appended) {
        for (&verdict, &count) in &appended.ended {
            let paths = &mut self.paths;
            match verdict {
                Verdict::Exit => paths.completed += count,
                Verdict::Error => {
                    // Records do not say whether an error was asked about.
                    let errors = count.min(other.paths.errors);
                    paths.errors += errors;
                    paths.other_errors += count - errors;
                }
                Verdict::Target(_) => paths.met += count,
                Verdict::Infeasible => paths.infeasible += count,
                Verdict::Silent => paths.silent += count,
                Verdict::Cut(_) => paths.limited += count,
                Verdict::Unsupported => paths.unsupported += count,
                Verdict::Unknown => paths.solver_unknown += count,
                Verdict::Covered | Verdict::Irrelevant => paths.pruned += count,
            }
        }
    }
}

fn unite_sorted<T: Copy + Ord>(own: &mut Vec<T>, others: &[T]) {
    own.extend(others);
    own.sort_unstable();
    own.dedup();
}

/// What both have may be the same paths, so the larger number counts.
fn unite_counts<'a, K: Clone + PartialEq + 'a>(own: &mut Vec<(K, u64)>, others: impl Iterator<Item = &'a (K, u64)>) {
    for (key, count) in others {
        match own.iter_mut().find(|(own, _)| own == key) {
            Some((_, own)) => *own = count.max(own).to_owned(),
            None => own.push((key.clone(), *count)),
        }
    }
}
