//! How a run ends: what is done about paths that are open, and the outcome.

use crate::engine::{Engine, is_target, key, solver_time};
use crate::observer::Observer;
use crate::outcome::{CoverageCounts, Outcome, Refuted, Stop};
use crate::verify;
use espalier_base::{StopFlag, memory};
use espalier_exec::{Answers, CutReason, Stops};
use espalier_loops::Trials;
use espalier_search::StateId;
use std::time::{Duration, Instant};

/// What may still be spent on tests when the run was stopped from outside or by a limit on time or
/// memory; and otherwise.
const GRACE: Duration = Duration::from_millis(500);
const LONG_GRACE: Duration = Duration::from_secs(5);

/// What may be spent on exploring again what was pruned.
const VERIFICATION: Duration = Duration::from_secs(10);

impl Engine {
    /// When everything has to be written down: soon after the run was stopped.
    pub(crate) fn grace(&mut self) -> Instant {
        *self.grace.get_or_insert_with(|| Instant::now() + GRACE)
    }

    /// Tells the observer that the run ends early and, if asked for, of the paths that are open.
    pub(crate) fn wind_up(&mut self, stop: Stop, observer: &mut dyn Observer) -> Result<(), Stop> {
        let told = observer.stopping(stop, self.states.len() as u64 + self.parking.unfinished());
        self.check_observer(told)?;
        if !self.config.dump_open || stop == Stop::FirstError {
            return Ok(());
        }
        let is_hurried = matches!(stop, Stop::MaxTime | Stop::MaxMemory | Stop::Interrupted);
        let grace = match is_hurried {
            true => self.grace(),
            false => Instant::now() + LONG_GRACE.max(self.clock.elapsed() / 10),
        };
        self.executor.solver.stop_with(StopFlag::new(), Some(grace));
        for id in self.states.numbered().map(|(id, _)| id).collect::<Vec<StateId>>() {
            if !self.wants_test_of_rest(self.states.get(id)) {
                continue;
            }
            if Instant::now() >= grace || !is_hurried && self.is_time_up() {
                self.missing_tests += 1;
                continue;
            }
            let state = self.drop_state(id).state;
            let end = self.limit_at(&state, CutReason::Halted);
            let test = self.executor.test_case(&state, &end);
            self.groups.open.add(self.executor.state_location(&state));
            self.tell(&state, &end, (false, &[]), Some(test), observer)?;
        }
        Ok(())
    }

    /// Explores what was pruned: the errors found there that the run does not know.
    fn verify_pruning(&mut self) -> Vec<Refuted> {
        let Some(pruning) = &mut self.pruning else { return Vec::new() };
        self.executor.stop_at(Stops::Nowhere);
        let unsatisfied = pruning.pruner.take_unsatisfied().into_iter();
        let mut missed: Vec<Refuted> = unsatisfied.map(|clauses| Refuted::Interpolant { clauses }).collect();
        missed.extend(pruning.pruner.take_wrong_rewritings().into_iter().map(Refuted::Rewriting));
        let deadline = Instant::now() + VERIFICATION;
        for state in std::mem::take(&mut pruning.pruned) {
            let (known, only) = (&self.known_errors, self.config.only);
            verify::explore(&mut self.executor, state, deadline, |executor, violation| {
                let is_asked_for = only.asks_for(violation.kind()) && !known.contains(&key(violation));
                if is_asked_for || !executor.targets_that_want(violation).is_empty() {
                    missed.push(Refuted::Error { fault: violation.fault.clone(), loc: violation.loc });
                }
            });
        }
        missed
    }

    pub(crate) fn outcome(mut self, stop: Option<Stop>) -> Outcome {
        let elapsed = self.clock.elapsed();
        for state in self.states.iter() {
            self.groups.open.add(self.executor.state_location(state));
            self.executor.note_stop(state);
        }
        for loc in self.parking.unfinished_places() {
            self.groups.open.add(loc);
        }
        let files = self.executor.coverage().files();
        let coverage = CoverageCounts::new(self.executor.coverage(), &files);
        let refuted = if self.config.verify_pruning && !self.is_time_up() { self.verify_pruning() } else { Vec::new() };
        let open = self.groups.open_groups();
        let open_states = open.iter().map(|group| group.states).sum();
        let mut solver = self.executor.solver.stats().clone();
        let mut prune = self.pruning.as_ref().map(|pruning| pruning.pruner.stats()).or(self.gave_up.take());
        let mut parking = self.parking.counts();
        let mut peak_memory = memory::peak();
        for report in &self.crew_reports {
            solver.add(&report.progress.solver);
            prune.iter_mut().zip(&report.prune).for_each(|(ours, theirs)| ours.add(theirs));
            parking.add(&report.parking);
            peak_memory = peak_memory.zip(report.peak_memory).map(|(ours, theirs)| ours + theirs);
        }
        let is_left = self.config.is_last && self.is_time_up();
        let outcome = Outcome {
            paths: self.paths,
            distinct_errors: self.distinct_errors(),
            has_certain_error: self.certain_errors.iter().any(|(kind, ..)| !is_target(*kind)),
            targets: self.executor.all_targets() as u64,
            open_targets: self.executor.open_targets() as u64,
            reached_targets: self.reached_targets(),
            passed_targets: self.executor.passed_targets(),
            close_targets: self.executor.close_targets(),
            backward: self.backward.take().map(|backward| backward.found),
            loops: self.trials.take().map(Trials::into_reports).unwrap_or_default(),
            cuts: self.groups.cut_groups(),
            approximations: self.groups.approximation_groups(),
            stop,
            open,
            open_states,
            parking,
            observer_error: self.observer_error.take(),
            missing_tests: self.missing_tests,
            instructions: self.executor.stats.instructions,
            forks: self.forks,
            coverage,
            files,
            profile: if self.config.exec.profiles { self.executor.profile() } else { Vec::new() },
            exec: self.executor.stats.clone(),
            refuted,
            prune,
            replays: self.config.replays.len(),
            invariants: self.pruning.as_mut().map(|pruning| pruning.pruner.take_invariants()).unwrap_or_default(),
            tree: self.pruning.as_mut().and_then(|pruning| pruning.pruner.take_tree()),
            solver_time: solver_time(&solver),
            solver,
            recalled: self.executor.answers().map_or(0, Answers::used),
            elapsed,
            peak_memory,
        };
        if is_left {
            self.watch = None;
            std::mem::forget(self);
        }
        outcome
    }
}
