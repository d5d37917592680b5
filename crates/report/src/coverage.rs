//! Coverage as an lcov tracefile, for `genhtml` and all that reads such files.

use espalier_engine::{FileCoverage, Outcome};
use espalier_ir::Program;
use lcov::{Branch, Function, Record, Tracefile};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where to write coverage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CoverageFile {
    /// `coverage.info` in the run's directory.
    InRunDir,
    At(PathBuf),
}

pub(crate) fn tracefile(program: &Program, outcome: &Outcome) -> Tracefile {
    let mut tracefile = Tracefile::default();
    for (file, coverage) in &outcome.files {
        // Two names of one file (`a.c`, `./a.c`) are one record; it cannot be in conflict with
        // itself.
        let path = absolute(program.file_name(*file));
        let known = tracefile.files.entry(path).or_default();
        add(known, coverage);
    }
    tracefile
}

fn absolute(name: &str) -> String {
    let path = Path::new(name);
    let path = path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned());
    path.to_string_lossy().into_owned()
}

fn add(record: &mut Record, coverage: &FileCoverage) {
    for (&line, &count) in &coverage.lines {
        *record.lines.entry(line).or_default() += count;
    }
    for function in &coverage.functions {
        // Functions of one name in several files get a number when they are linked.
        let name = function.name.split('.').next().unwrap_or_default();
        let known = record.functions.entry(name.to_owned()).or_insert(Function { line: function.line, calls: 0 });
        known.calls += function.calls;
    }
    let mut decisions: BTreeMap<u32, u32> = BTreeMap::new();
    for decision in &coverage.branches {
        let next = decisions.entry(decision.line).or_default();
        for (&taken, branch) in decision.taken.iter().zip(0..) {
            let branch = Branch { line: decision.line, block: *next, branch };
            let known = record.branches.entry(branch).or_default();
            if decision.is_reached {
                *known = Some(known.unwrap_or(0) + taken);
            }
        }
        *next += 1;
    }
}
