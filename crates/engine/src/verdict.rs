//! What a run says about what was asked: can it be reached?
//!
//! Everything here is a fact with its reasons as fields. What people read of it is in
//! `report::verdict_text`. Whether a run is a proof is decided in one place, [`Outcome::proof`].

use crate::backward::ChainCut;
use crate::groups::CutGroup;
use crate::outcome::{Outcome, PathCounts, exit_code};
use espalier_exec::{Approximation, CutReason, Direction};

/// The answer to the question whether an error or a place can be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// There is an input that leads there.
    Reachable(Confirmation),
    /// There is none.
    Unreachable {
        proof: Proof,
        /// What the user stated, and the proof rests on.
        conditions: Vec<Approximation>,
        /// Paths that end in errors which were not asked about.
        other_errors: u64,
        /// If not by exploring the program: functions that every way there leads through, and that
        /// do not lead there from any state.
        cut: Option<Vec<String>>,
    },
    Unknown(Unknown),
}

/// How far the claim goes that nothing more can be reached.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// For every input.
    Complete,
    /// Only for so many iterations of each loop: all that was cut is beyond.
    WithinBounds,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// Not everything was explored.
    Incomplete,
    /// A path comes there that the program may not be able to follow, and no native run did.
    Doubtful {
        doubt: Approximation,
        confirmation: Confirmation,
    },
    /// The run did not stop when it should. What it had found could not be confirmed.
    EndedByForce {
        has_found: bool,
    },
    Failed(Failure),
    /// The question has no answer here, in the words of whoever understood it.
    NotSupported(String),
}

/// What the engine or its observer did wrong.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// Something was pruned that leads to an error.
    Pruning,
    /// The observer failed.
    Output,
}

/// What a run of the program itself, on the test that was found, came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Confirmation {
    /// It shows what was predicted; how.
    Confirmed(String),
    /// It does not.
    NotConfirmed(String),
    /// There was no native run, or none that could tell.
    NotTried(String),
    /// There is no test: the solver found no input.
    NoTest,
    /// The exploration was ended by force before there could be a native run.
    EndedByForce,
}

impl Confirmation {
    pub fn is_confirmed(&self) -> bool {
        matches!(self, Confirmation::Confirmed(_))
    }
}

/// A path that came to what was asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    pub confirmation: Confirmation,
    /// Why the program may not be able to follow the path.
    pub doubt: Option<Approximation>,
}

impl Verdict {
    /// The verdict on something that a run found a path to, or none.
    pub fn new(outcome: &Outcome, found: Option<Found>) -> Verdict {
        match (outcome.failure(), found) {
            (Some(failure), _) => Verdict::Unknown(Unknown::Failed(failure)),
            (None, Some(found)) => Verdict::of_found(found),
            (None, None) => match outcome.proof() {
                Some(proof) => Verdict::Unreachable {
                    proof,
                    conditions: outcome.conditions().cloned().collect(),
                    other_errors: outcome.paths.other_errors,
                    cut: None,
                },
                None => Verdict::Unknown(Unknown::Incomplete),
            },
        }
    }

    /// The verdict on one of the targets.
    pub fn of_target(outcome: &Outcome, target: u32, found: Option<Found>) -> Verdict {
        let cut = outcome.backward.as_ref().and_then(|backward| backward.cuts.get(&target));
        match cut.filter(|_| found.is_none() && outcome.failure().is_none()) {
            Some(ChainCut { functions, conditions, other_errors }) => Verdict::Unreachable {
                proof: Proof::Complete,
                conditions: conditions.clone(),
                other_errors: *other_errors,
                cut: Some(functions.clone()),
            },
            None => Verdict::new(outcome, found),
        }
    }

    /// A path that the program may not be able to follow shows nothing, unless a native run follows
    /// it.
    fn of_found(Found { confirmation, doubt }: Found) -> Verdict {
        match doubt.filter(|_| !confirmation.is_confirmed()) {
            None => Verdict::Reachable(confirmation),
            Some(doubt) => Verdict::Unknown(Unknown::Doubtful { doubt, confirmation }),
        }
    }

    pub fn exit_code(&self) -> i32 {
        match self {
            Verdict::Reachable(_) => exit_code::FOUND,
            Verdict::Unreachable { proof: Proof::Complete, .. } => exit_code::CLEAN,
            Verdict::Unknown(Unknown::Failed(_)) => exit_code::INTERNAL,
            Verdict::Unreachable { proof: Proof::WithinBounds, .. } | Verdict::Unknown(_) => exit_code::INCOMPLETE,
        }
    }
}

impl Outcome {
    /// Did every path of all inputs end, for certain and without leaving anything out?
    pub fn is_complete(&self) -> bool {
        self.proof() == Some(Proof::Complete)
    }

    /// How far the run proves that there is nothing but what it found.
    pub fn proof(&self) -> Option<Proof> {
        let PathCounts { limited, unsupported, solver_unknown, approximate, .. } = self.paths;
        if self.stop.is_some() || self.open_states > 0 || approximate > 0 || self.replays > 0 {
            return None;
        }
        let is_unwinding = |cut: &CutGroup| matches!(cut.reason, CutReason::Unwind { .. });
        match limited + unsupported + solver_unknown {
            0 => Some(Proof::Complete),
            _ if !self.cuts.is_empty() && self.cuts.iter().all(is_unwinding) => Some(Proof::WithinBounds),
            _ => None,
        }
    }

    /// What went wrong with the run itself.
    pub fn failure(&self) -> Option<Failure> {
        match (self.refuted.is_empty(), &self.observer_error) {
            (false, _) => Some(Failure::Pruning),
            (true, Some(_)) => Some(Failure::Output),
            (true, None) => None,
        }
    }

    /// What the user stated, and the answer rests on.
    pub fn conditions(&self) -> impl Iterator<Item = &Approximation> {
        let given = self.approximations.iter().map(|group| &group.approximation);
        given.filter(|given| given.direction == Direction::Given)
    }

    pub fn exit_code(&self) -> i32 {
        if self.failure().is_some() {
            exit_code::INTERNAL
        } else if self.paths.errors > 0 {
            exit_code::FOUND
        } else if self.is_complete() {
            exit_code::CLEAN
        } else {
            exit_code::INCOMPLETE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groups::CutKind;
    use crate::outcome::{Refuted, Stop};
    use espalier_exec::Cause;
    use espalier_ir::Loc;

    fn cut(reason: CutReason) -> CutGroup {
        CutGroup { kind: CutKind::Limit, reason, loc: Loc::UNKNOWN, paths: 1 }
    }

    fn with_cuts(reasons: Vec<CutReason>) -> Outcome {
        let paths = PathCounts { limited: reasons.len() as u64, ..PathCounts::default() };
        Outcome { paths, cuts: reasons.into_iter().map(cut).collect(), ..Outcome::default() }
    }

    #[test]
    fn a_proof_leaves_nothing_out_but_iterations() {
        let unwind = || CutReason::Unwind { limit: 3, is_for_one: false };
        assert_eq!(Outcome::default().proof(), Some(Proof::Complete));
        assert_eq!(with_cuts(vec![unwind()]).proof(), Some(Proof::WithinBounds));
        assert_eq!(with_cuts(vec![unwind(), CutReason::MaxDepth(3)]).proof(), None);
        assert_eq!(Outcome { stop: Some(Stop::MaxTime), ..with_cuts(vec![unwind()]) }.proof(), None);
        assert_eq!(Outcome { open_states: 1, ..Outcome::default() }.proof(), None);
        assert_eq!(Outcome { replays: 1, ..Outcome::default() }.proof(), None);
        let inexact = PathCounts { approximate: 1, ..PathCounts::default() };
        assert_eq!(Outcome { paths: inexact, ..Outcome::default() }.proof(), None);
    }

    #[test]
    fn what_is_in_doubt_is_found_if_it_is_confirmed() {
        let doubt = || Some(Approximation { direction: Direction::Over, cause: Cause::UnknownValue });
        let verdict = |confirmation, doubt| Verdict::new(&Outcome::default(), Some(Found { confirmation, doubt }));
        assert_eq!(verdict(Confirmation::NoTest, None).exit_code(), exit_code::FOUND);
        assert_eq!(verdict(Confirmation::NoTest, doubt()).exit_code(), exit_code::INCOMPLETE);
        assert_eq!(verdict(Confirmation::Confirmed(String::new()), doubt()).exit_code(), exit_code::FOUND);
        let failed = Outcome { refuted: vec![Refuted::Interpolant { clauses: Vec::new() }], ..Outcome::default() };
        assert_eq!(Verdict::new(&failed, None).exit_code(), exit_code::INTERNAL);
    }
}
