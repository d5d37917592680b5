//! What is wanted of a target: to be reached, or that the program fails there in a certain way.
//!
//! A target that wants an error is a set of places in the source, and of kinds of faults. Its marks
//! only say that a path came by: the path goes on, and it is the violation that closes the target.
//! A violation at the place that is another one, but close to what is wanted, closes nothing. Which
//! fault an access shows may depend on the inputs that stand for the path (`null` or far out of
//! bounds), so nobody may say of such a target that its error cannot happen.

use crate::paths::end::Violation;
use crate::paths::fault::{AccessProblem, FIRST_PAGE, Fault, FreeProblem};
use espalier_base::{FaultKind, FaultSet};
use espalier_ir::{FileId, Loc};
use serde::{Deserialize, Serialize};

impl Fault {
    /// What it counts as; `None` for what nobody asks for.
    pub fn counts_as(&self) -> Option<FaultKind> {
        Some(match self {
            Fault::Access { problem, .. } => match problem {
                AccessProblem::Null { .. } => FaultKind::Null,
                AccessProblem::OutOfBounds { .. } | AccessProblem::Nowhere { .. } => FaultKind::OutOfBounds,
                AccessProblem::AfterFree { .. } | AccessProblem::Forgotten => FaultKind::UseAfterFree,
                AccessProblem::AfterScope { .. } | AccessProblem::AfterReturn { .. } => FaultKind::UseAfterReturn,
            },
            Fault::FunctionPointer { address } if *address < FIRST_PAGE => FaultKind::Null,
            Fault::FunctionPointer { .. } => FaultKind::OutOfBounds,
            Fault::Free { problem, .. } => match problem {
                FreeProblem::Twice { .. } | FreeProblem::Forgotten => FaultKind::DoubleFree,
                FreeProblem::NotOnHeap { .. } | FreeProblem::NotItsStart { .. } | FreeProblem::Nowhere { .. } => {
                    FaultKind::InvalidFree
                }
            },
            Fault::ReadOnly { .. } => FaultKind::ReadOnly,
            Fault::DivisionByZero => FaultKind::DivByZero,
            Fault::DivisionOverflow | Fault::SignedOverflow { .. } => FaultKind::Overflow,
            Fault::Overshift { .. } => FaultKind::Overshift,
            Fault::Assertion { .. } => FaultKind::Assertion,
            Fault::Uninitialised(_) => FaultKind::Uninit,
            Fault::Leak { .. } => FaultKind::Leak,
            _ => return None,
        })
    }
}

/// A line of the source.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Line {
    pub file: FileId,
    pub line: u32,
}

impl Line {
    pub fn of(loc: &Loc) -> Line {
        Line { file: loc.file, line: loc.line }
    }
}

/// What is wanted of a target.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub enum Wants {
    /// That a path comes there.
    #[default]
    Place,
    /// That the program fails in one of these ways on one of these lines; of a leak, that what is
    /// lost was allocated there. If columns are given, what fails at others is only close to it;
    /// and so is what fails on the lines around, which belong to the same statement.
    Error { faults: FaultSet, lines: Vec<Line>, columns: Option<Columns>, around: Vec<Line> },
}

/// Columns of a line, the first, and the first behind them.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Columns {
    pub first: u32,
    pub end: u32,
}

impl Columns {
    pub fn contains(self, column: u32) -> bool {
        self.first <= column && column < self.end
    }
}

/// How a violation answers to what a target wants.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fit {
    Wanted,
    /// It is on the line, and on other inputs of the same path, or by another tool's count of
    /// columns, it may be what is wanted.
    Close,
    None,
}

impl Wants {
    pub(crate) fn fit(&self, violation: &Violation) -> Fit {
        let (Wants::Error { faults, lines, columns, around }, Some(kind)) = (self, violation.fault.counts_as()) else {
            return Fit::None;
        };
        let loc = match violation.fault {
            Fault::Leak { allocated, .. } => allocated,
            _ => violation.loc,
        };
        let is_on_line = lines.contains(&Line::of(&loc));
        if !is_on_line && !around.contains(&Line::of(&loc)) {
            Fit::None
        } else if faults.contains(kind) {
            let is_there = is_on_line && columns.is_none_or(|columns| columns.contains(loc.column));
            if is_there { Fit::Wanted } else { Fit::Close }
        } else if kind.is_about_memory() && faults.iter().any(FaultKind::is_about_memory) {
            Fit::Close
        } else {
            Fit::None
        }
    }
}

impl Wants {
    /// Is one of these faults wanted on the line?
    pub(crate) fn asks_for(&self, kinds: &[FaultKind], loc: &Loc) -> bool {
        let Wants::Error { faults, lines, around, .. } = self else { return false };
        let line = Line::of(loc);
        (lines.contains(&line) || around.contains(&line)) && kinds.iter().any(|&kind| faults.contains(kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AccessMode;

    fn access(problem: AccessProblem, line: u32) -> Violation {
        let fault = Fault::Access { mode: AccessMode::Read, bytes: 4, problem, is_symbolic: false };
        Violation { fault, loc: Loc { file: FileId(0), line, column: 3 }, stack: Vec::new() }
    }

    #[test]
    fn only_what_is_wanted_fits_and_what_may_be_it_is_close() {
        let lines = vec![Line { file: FileId(0), line: 7 }];
        let wants =
            Wants::Error { faults: FaultKind::Null.into(), lines: lines.clone(), columns: None, around: Vec::new() };
        assert_eq!(wants.fit(&access(AccessProblem::Null { address: 8 }, 7)), Fit::Wanted);
        assert_eq!(wants.fit(&access(AccessProblem::Nowhere { address: 1 << 40 }, 7)), Fit::Close);
        assert_eq!(wants.fit(&access(AccessProblem::Null { address: 8 }, 8)), Fit::None);
        let division = Violation { fault: Fault::DivisionByZero, ..access(AccessProblem::Forgotten, 7) };
        assert_eq!(wants.fit(&division), Fit::None);
        assert_eq!(Wants::Place.fit(&division), Fit::None);
        let fit = |first, end| {
            let columns = Some(Columns { first, end });
            let wants =
                Wants::Error { faults: FaultKind::DivByZero.into(), lines: lines.clone(), columns, around: Vec::new() };
            wants.fit(&division)
        };
        assert_eq!([fit(3, 4), fit(1, 3), fit(4, 9)], [Fit::Wanted, Fit::Close, Fit::Close]);
        let next = vec![Line { file: FileId(0), line: 6 }];
        let wants = Wants::Error { faults: FaultKind::DivByZero.into(), lines: next, columns: None, around: lines };
        assert_eq!(wants.fit(&division), Fit::Close);
    }
}
