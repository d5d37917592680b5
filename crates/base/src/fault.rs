//! What a program can do wrong, as far as alarms are about it and targets can ask for it.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::BitOr;
use std::str::FromStr;
use thiserror::Error;

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum FaultKind {
    Null,
    DivByZero,
    Overshift,
    OutOfBounds,
    UseAfterFree,
    /// Of a local whose function has returned, or whose block has ended.
    UseAfterReturn,
    DoubleFree,
    InvalidFree,
    ReadOnly,
    Uninit,
    Leak,
    Overflow,
    Assertion,
}

/// No such fault; says which there are.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{0}` is no fault; there are {all}", all = names(FaultKind::ALL.into_iter().map(FaultKind::name)))]
pub struct UnknownFault(String);

fn names(names: impl Iterator<Item = &'static str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

impl FaultKind {
    pub const ALL: [FaultKind; 13] = [
        FaultKind::Null,
        FaultKind::DivByZero,
        FaultKind::Overshift,
        FaultKind::OutOfBounds,
        FaultKind::UseAfterFree,
        FaultKind::UseAfterReturn,
        FaultKind::DoubleFree,
        FaultKind::InvalidFree,
        FaultKind::ReadOnly,
        FaultKind::Uninit,
        FaultKind::Leak,
        FaultKind::Overflow,
        FaultKind::Assertion,
    ];

    /// For options and files.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Null => "null",
            FaultKind::DivByZero => "div-by-zero",
            FaultKind::Overshift => "overshift",
            FaultKind::OutOfBounds => "out-of-bounds",
            FaultKind::UseAfterFree => "use-after-free",
            FaultKind::UseAfterReturn => "use-after-return",
            FaultKind::DoubleFree => "double-free",
            FaultKind::InvalidFree => "invalid-free",
            FaultKind::ReadOnly => "read-only",
            FaultKind::Uninit => "uninit",
            FaultKind::Leak => "leak",
            FaultKind::Overflow => "overflow",
            FaultKind::Assertion => "assertion",
        }
    }

    /// For people.
    pub fn title(self) -> &'static str {
        match self {
            FaultKind::Null => "use of a null pointer",
            FaultKind::DivByZero => "division by zero",
            FaultKind::Overshift => "shift by too much",
            FaultKind::OutOfBounds => "access out of bounds",
            FaultKind::UseAfterFree => "use after free",
            FaultKind::UseAfterReturn => "use of a local after its function returned",
            FaultKind::DoubleFree => "double free",
            FaultKind::InvalidFree => "free of what was not allocated",
            FaultKind::ReadOnly => "write to read-only memory",
            FaultKind::Uninit => "use of an uninitialised value",
            FaultKind::Leak => "memory leak",
            FaultKind::Overflow => "integer overflow",
            FaultKind::Assertion => "failing assertion",
        }
    }

    /// Is it about what an address leads to? Which of these it is may depend on the inputs that
    /// stand for a path.
    pub fn is_about_memory(self) -> bool {
        use FaultKind::{DoubleFree, InvalidFree, Null, OutOfBounds, ReadOnly, UseAfterFree, UseAfterReturn};
        matches!(self, Null | OutOfBounds | UseAfterFree | UseAfterReturn | DoubleFree | InvalidFree | ReadOnly)
    }
}

impl FromStr for FaultKind {
    type Err = UnknownFault;

    fn from_str(name: &str) -> Result<FaultKind, UnknownFault> {
        FaultKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownFault(name.to_owned()))
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Some faults, any of which would do.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct FaultSet(u16);

impl FaultSet {
    pub const EMPTY: FaultSet = FaultSet(0);

    pub const fn of(kinds: &[FaultKind]) -> FaultSet {
        let (mut bits, mut next) = (0, 0);
        while next < kinds.len() {
            bits |= 1 << kinds[next] as u16;
            next += 1;
        }
        FaultSet(bits)
    }

    pub fn contains(self, kind: FaultKind) -> bool {
        self.0 & 1 << kind as u16 != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn meets(self, other: FaultSet) -> bool {
        self.0 & other.0 != 0
    }

    /// In the order of `FaultKind::ALL`.
    pub fn iter(self) -> impl Iterator<Item = FaultKind> {
        FaultKind::ALL.into_iter().filter(move |&kind| self.contains(kind))
    }
}

impl From<FaultKind> for FaultSet {
    fn from(kind: FaultKind) -> FaultSet {
        FaultSet::of(&[kind])
    }
}

impl BitOr for FaultSet {
    type Output = FaultSet;

    fn bitor(self, other: FaultSet) -> FaultSet {
        FaultSet(self.0 | other.0)
    }
}

impl FromIterator<FaultKind> for FaultSet {
    fn from_iter<I: IntoIterator<Item = FaultKind>>(kinds: I) -> FaultSet {
        kinds.into_iter().fold(FaultSet::EMPTY, |set, kind| set | kind.into())
    }
}

impl fmt::Display for FaultSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&names(self.iter().map(FaultKind::name)))
    }
}

impl fmt::Debug for FaultSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_again_and_others_refused() {
        for kind in FaultKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
        let refused = "nul".parse::<FaultKind>().unwrap_err().to_string();
        assert!(refused.starts_with("`nul` is no fault; there are null, div-by-zero, "), "{refused}");
    }

    #[test]
    fn a_set_has_what_was_put_in() {
        let set = FaultSet::of(&[FaultKind::Assertion, FaultKind::Null]);
        assert_eq!(set.to_string(), "null, assertion");
        assert_eq!(set.iter().collect::<FaultSet>(), set);
        assert_eq!(FaultKind::ALL.into_iter().collect::<FaultSet>().iter().count(), FaultKind::ALL.len());
        assert!(set.meets(FaultKind::Null.into()) && !set.meets(FaultKind::Leak.into()));
        assert!(FaultSet::EMPTY.is_empty() && FaultSet::EMPTY | set == set);
    }
}
