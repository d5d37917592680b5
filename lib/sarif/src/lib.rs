//! Results of static analysers in SARIF 2.1.0 (OASIS, 2020): read as tools really write it,
//! annotated without a loss.
//!
//! The document is kept as the JSON value that it is, in the order in which it was written. Reading
//! is done by views onto it, which know the many ways in which a result may name its rule, its file
//! and its weakness, and which take what is missing or malformed as absent. So nothing is lost that
//! this crate does not know, and a document whose annotations are cleared again equals the one that
//! was read.
//!
//! ```
//! use sarif::Document;
//!
//! let text = r#"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "lint"}}, "results": [
//!     {"ruleId": "null", "message": {"text": "oh"}, "locations": [{"physicalLocation":
//!         {"artifactLocation": {"uri": "a%20b.c"}, "region": {"startLine": 3}}}]}]}]}"#;
//! let document = Document::parse(text)?;
//! let run = document.runs().next().unwrap();
//! let finding = run.findings().next().unwrap();
//! assert_eq!((run.tool(), finding.rule_id()), (Some("lint"), Some("null")));
//! assert_eq!(finding.locations()[0].path.as_deref(), Some("a b.c"));
//! # Ok::<(), sarif::ParseError>(())
//! ```

#![forbid(unsafe_code)]

mod annotate;
mod build;
mod document;
mod limits;
mod uri;
mod view;

pub use annotate::{Annotation, Misfit};
pub use build::{NewFinding, NewRun};
pub use document::{Document, ParseError};
pub use limits::{Cut, Limits};
pub use view::{Finding, Location, Region, Run};

/// How bad a tool takes what it found to be.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Level {
    None,
    Note,
    /// What SARIF takes for granted where nothing is said.
    #[default]
    Warning,
    Error,
}

impl Level {
    pub fn name(self) -> &'static str {
        match self {
            Level::None => "none",
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }

    pub fn named(name: &str) -> Option<Level> {
        [Level::None, Level::Note, Level::Warning, Level::Error].into_iter().find(|level| level.name() == name)
    }
}
