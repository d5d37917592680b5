//! Tracefiles of lcov (`.info`): which lines, functions and branches of which files were executed, and how often.
//!
//! A record a file, as `geninfo(1)` describes it:
//!
//! ```text
//! TN:<test name>
//! SF:<path of the source file>
//! FN:<line>,<function>                       FNDA:<calls>,<function>          FNF, FNH: found, hit
//! BRDA:<line>,<block>,<branch>,<times taken, or - if the decision was never come to>  BRF, BRH
//! DA:<line>,<times executed>[,<checksum>]    LF, LH
//! end_of_record
//! ```
//!
//! Also read are the forms of lcov 2: `FN` with a last line, and `FNL`/`FNA` in its place. Totals are not believed but computed; checksums and versions are dropped.
//!
//! ```
//! use lcov::Tracefile;
//!
//! let mut all = Tracefile::parse("SF:a.c\nDA:1,2\nDA:2,0\nend_of_record\n")?;
//! all.merge(&Tracefile::parse("SF:a.c\nDA:2,3\nend_of_record\n")?)?;
//! assert_eq!(all.files["a.c"].lines[&2], 3);
//! assert_eq!(all.totals().lines.to_string(), "2 of 2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod reader;
mod writer;

use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

pub use reader::ParseError;

/// The content of a tracefile.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tracefile {
    /// By path.
    pub files: BTreeMap<String, Record>,
}

/// What was executed of one file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Record {
    /// Lines with code, and how often each was executed.
    pub lines: BTreeMap<u32, u64>,
    /// By name.
    pub functions: BTreeMap<String, Function>,
    /// How often each branch was taken; `None` if its decision was never come to.
    pub branches: BTreeMap<Branch, Option<u64>>,
}

#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Function {
    /// Where it begins.
    pub line: u32,
    pub calls: u64,
}

/// One way on from a decision.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Branch {
    pub line: u32,
    /// The decision, among those of the line.
    pub block: u32,
    pub branch: u32,
}

/// Two tracefiles that speak of different sources.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "they were made from different versions of {file}: the function `{function}` is at line {here} in one and at line {there} in the other"
)]
pub struct MergeError {
    file: String,
    function: String,
    here: u32,
    there: u32,
}

/// How many there are, and how many were executed.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Share {
    pub hit: u64,
    pub found: u64,
}

impl Share {
    fn of(hits: impl Iterator<Item = bool>) -> Share {
        hits.fold(Share::default(), |share, hit| Share { hit: share.hit + u64::from(hit), found: share.found + 1 })
    }

    fn and(self, other: Share) -> Share {
        Share { hit: self.hit + other.hit, found: self.found + other.found }
    }

    /// `None` if there are none.
    pub fn percent(self) -> Option<f64> {
        (self.found > 0).then(|| 100.0 * self.hit as f64 / self.found as f64)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.hit, self.found)
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Totals {
    pub lines: Share,
    pub functions: Share,
    pub branches: Share,
}

impl Record {
    pub fn totals(&self) -> Totals {
        Totals {
            lines: Share::of(self.lines.values().map(|&count| count > 0)),
            functions: Share::of(self.functions.values().map(|function| function.calls > 0)),
            branches: Share::of(self.branches.values().map(|taken| taken.is_some_and(|taken| taken > 0))),
        }
    }

    fn merge(&mut self, file: &str, other: &Record) -> Result<(), MergeError> {
        for (name, &Function { line, calls }) in &other.functions {
            let known = self.functions.entry(name.clone()).or_insert(Function { line, calls: 0 });
            if known.line != line {
                let (file, function) = (file.to_owned(), name.clone());
                return Err(MergeError { file, function, here: known.line, there: line });
            }
            known.calls = known.calls.saturating_add(calls);
        }
        for (&line, &count) in &other.lines {
            let known = self.lines.entry(line).or_default();
            *known = known.saturating_add(count);
        }
        for (&branch, &taken) in &other.branches {
            let known = self.branches.entry(branch).or_default();
            *known = match (*known, taken) {
                (Some(here), Some(there)) => Some(here.saturating_add(there)),
                (here, there) => here.or(there),
            };
        }
        Ok(())
    }
}

impl Tracefile {
    /// Adds what another run executed.
    pub fn merge(&mut self, other: &Tracefile) -> Result<(), MergeError> {
        for (file, record) in &other.files {
            self.files.entry(file.clone()).or_default().merge(file, record)?;
        }
        Ok(())
    }

    pub fn totals(&self) -> Totals {
        self.files.values().map(Record::totals).fold(Totals::default(), |sum, record| Totals {
            lines: sum.lines.and(record.lines),
            functions: sum.functions.and(record.functions),
            branches: sum.branches.and(record.branches),
        })
    }
}
