//! What other analysers warned of, as far as it can be dealt with without executing anything.
//!
//! [`Alarms`] reads reports of any of the formats that analysers write into one list. [`Rules`]
//! says for each alarm which faults of a program would confirm it. [`Database`] and [`Identifiers`]
//! say how files are compiled and which may belong to the code in question. [`annotate`] writes
//! verdicts into what was read, as SARIF, and [`Baseline`] reads them again. Nothing here knows the
//! engine: whoever triages takes an alarm's place as a target and comes back with a [`Verdict`].

#![forbid(unsafe_code)]

mod alarm;
mod annotate;
mod database;
mod fingerprint;
mod identifiers;
mod read;
mod rules;
mod tokens;
mod verdict;

pub use alarm::{Alarm, Origin, Place, Step};
pub use annotate::{Annotated, Shown, annotate};
pub use database::{Database, DatabaseError, Entry, LookupError};
pub use espalier_base::{FaultKind, FaultSet, UnknownFault};
pub use identifiers::Identifiers;
pub use read::{Alarms, Format, Input, ReadError};
pub use rules::{NoFault, RuleError, Rules, UserRule, Wants, involves_allocation};
pub use sarif::Level;
pub use verdict::{Baseline, Scope, Verdict, Word};
