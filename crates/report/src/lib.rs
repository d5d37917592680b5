//! Everything that is written for people and other tools.
//!
//! A [`Reporter`] observes a run. It owns the run directory (tests, error files, logs), prints
//! errors as they are found, shows progress, and sums up at the end. With JSON, events go to
//! standard output and text to standard error.
//!
//! Whatever is in the run directory is a function of the program and the options; only `info` and
//! `run.stats` hold times.

mod approximation_text;
mod background;
mod console;
mod coverage;
mod cut_text;
mod error_file;
mod expected_text;
mod fault_text;
mod hint;
mod info;
mod inputs;
mod interpolant_text;
mod istats;
mod json;
mod klee;
mod last_words;
mod loop_text;
pub mod native_text;
mod no_interpolant_text;
mod nondet;
mod path_condition;
mod place;
mod plural;
mod progress;
mod reporter;
mod run_stats;
mod rundir;
mod snippet;
mod solver_text;
mod stats;
mod style;
mod summary;
mod testcomp;
mod tree;
mod tree_view;
mod verdict_text;
pub mod witness;

pub use approximation_text::approximation_text;
pub use coverage::CoverageFile;
pub use cut_text::text as cut_text;
pub use fault_text::{fault_text, refuted_texts};
pub use interpolant_text::requirements_text;
pub use json::{Difference, Event, NativeRun, Predicted, described_loops, document};
pub use klee::Klee;
pub use last_words::LastWords;
pub use loop_text::described as described_loops_text;
pub use no_interpolant_text::no_interpolant_text;
pub use plural::grouped_plural;
pub use reporter::{Confirm, FoundError, PathFiles, Reached, Reporter, Settings};
pub use run_stats::{Moment, moments};
pub use rundir::{OutputError, RunDir, RunDirNames};
pub use solver_text::solver_text;
pub use testcomp::TestCompTask;
pub use tree::write_tree;
pub use tree_view::{Places, TreeDiff, TreeView};
pub use verdict_text::{About, Question, chain_cut_text};
