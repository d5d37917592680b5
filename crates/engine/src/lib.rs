//! The loop of one worker, and the boundary for embedding: a program that explores others needs
//! this crate and no other. It gets what the command line gets, from the choice of the C library to
//! the [`Verdict`].
//!
//! An [`Engine`] owns an executor, the open states and a searcher. It picks a state, runs it for a
//! turn, takes in what it forked and how it ended, and keeps to the limits. It prints and writes
//! nothing: an [`Observer`] is told of every path that ends, and the [`Outcome`] sums up the run.
//!
//! ```
//! use espalier_engine::{Config, End, EndedPath, Engine, Fault, Input, Observer, ObserverError, Program, load};
//! use std::rc::Rc;
//!
//! /// Keeps each error and the input that leads there.
//! #[derive(Default)]
//! struct Errors(Vec<(Fault, Vec<u8>)>);
//!
//! impl Observer for Errors {
//!     fn path_ended(&mut self, _: &Program, path: &EndedPath<'_>) -> Result<(), ObserverError> {
//!         if let (End::Violation(violation), Some(test)) = (path.end, path.test) {
//!             self.0.push((violation.fault.clone(), test.objects[0].1.clone()));
//!         }
//!         Ok(())
//!     }
//! }
//!
//! # let dir = tempfile::tempdir()?;
//! # let file = dir.path().join("divide.c");
//! std::fs::write(
//!     &file,
//!     "#include <klee/klee.h>
//!      int main(void) {
//!          unsigned char x;
//!          klee_make_symbolic(&x, sizeof x, \"x\");
//!          return 100 / (x - 7);
//!      }",
//! )?;
//! let loaded = load(&Input { files: vec![file], ..Input::default() })?;
//!
//! let mut errors = Errors::default();
//! let engine = Engine::new(Rc::new(loaded.program), loaded.entry, Config::default())?;
//! let outcome = engine.run(&mut errors);
//!
//! assert_eq!(outcome.paths.completed, 1);
//! assert_eq!(outcome.exit_code(), 10);
//! assert_eq!(errors.0, [(Fault::DivisionByZero, vec![7])]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod backward;
mod clock;
mod closing;
mod config;
mod ending;
mod engine;
mod focus;
mod groups;
mod growing;
mod interrupt;
mod invariants;
mod merging;
mod metrics;
mod observer;
mod outcome;
mod parking;
mod recalling;
mod recording;
mod restoring;
mod seeding;
mod selecting;
mod sharing;
mod shelving;
mod snapshot;
mod states;
mod uniting;
mod verdict;
mod verify;
mod watch;

pub use backward::{BackwardCounts, ChainCut};
pub use config::{Approach, Config, Loops, Only, Replay, Tests};
pub use engine::{Engine, Error};
pub use espalier_base::environment::Item;
pub use espalier_base::fidelity::{Inexactness, Topic};
pub use espalier_base::ubsan::Check;
pub use espalier_base::{Limits, StopFlag};
pub use espalier_exec::memory::{Origin, Surroundings};
pub use espalier_exec::{
    Abort, AccessMode, AccessProblem, Approximation, ArrayReads, BlockOperation, BranchCounts, Cause, Choice, Columns,
    Cut, CutReason, Direction, End, EntryRule, ExitStatus, ExpectedRun, ExternalCalls, ExternalProblem, Fault,
    FaultKind, FaultSet, FileCoverage, FreeProblem, FunctionProfile, GivenInputs, Line, MemoryObject, Message, Misfit,
    Misuse, Needed, NoInterpolant, NotGeneral, Options as ExecOptions, Outside, StackEntry, Stats as ExecStats,
    TellsCalls, TestCase, ToldValue, UncheckedOutput, Undefined, Unpredictable, Unsupported, UnsupportedFloat, Use,
    Violation, ViolationKind, Wants, doubt, read_label, undefined_functions,
};
pub use espalier_expr::{PathCondition, SmtPrinter, Term, Terms, kquery};
pub use espalier_frontend::{Environment, Error as InputError, Input, Libc, Loaded, Mount, load};
pub use espalier_ir::{FileId, FuncId, LeftOut, Loc, Program};
pub use espalier_loops::{LoopReport, NotClosed};
pub use espalier_prune::{
    Fate, LoopInvariant, Method, Record, Requirement, Rewriting, Stats as PruneStats, path_condition_in_c,
};
pub use espalier_search::{Batch, Strategy};
pub use espalier_solver::{
    Config as SolverConfig, Reason, SmtProblem, SolverFailure, StageStats, Stats as SolverStats, Unanswerable,
};
pub use groups::{ApproximationGroup, CutGroup, CutKind, OpenGroup};
pub use interrupt::stop_on_signals;
pub use invariants::{Described, LoopDescription, Told, describe_loops, loop_invariants};
pub use merging::{Merged, Merging};
pub use observer::{EndedPath, Observer, ObserverError, Progress};
pub use outcome::{CoverageCounts, Outcome, PathCounts, Refuted, Stop, exit_code};
pub use parking::ParkingCounts;
pub use recalling::{Recalled, RecalledCounts, recall};
pub use recording::MakeStore;
pub use restoring::{EarlierLimits, RestoreError, Restored};
pub use selecting::Selection;
pub use sharing::{Crew, Job, WorkerError};
pub use uniting::PathMerging;
pub use verdict::{Confirmation, Failure, Found, Proof, Unknown, Verdict};
pub use watch::LastWords;
