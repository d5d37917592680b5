//! Input symbols. A symbol is one input object (`klee_make_symbolic(p, n, "name")`, one
//! `__VERIFIER_nondet_int()` call).
//!
//! A symbol is identified by its kind, its name, its occurrence on the path (the second `x` made on
//! a path is `x` occurrence 1), its size and its shape, and interned: sibling paths that create
//! "the same" input share its variables, which is what makes models, caches and interpolants carry
//! over from one path to another.

use crate::structural_hash::{Kind, Mixer, StructuralHash};
use std::rc::Rc;

/// An interned input symbol.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub(crate) u32);

impl Symbol {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a symbol's bytes are cut into variables.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum SymbolShape {
    /// One variable of `8 * size` bits, for objects of a scalar type.
    Scalar,
    /// One 8-bit variable a byte, for everything else.
    Bytes,
}

/// What a symbol stands for. Symbols of different kinds are different, whatever they are called.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum SymbolKind {
    /// Something that the program is given.
    Input,
    /// A value that nobody knows and no test can set: what was never written.
    Unknown,
    /// The same, but one symbol for all times that the value is looked at, although each may see
    /// another.
    SharedUnknown,
    /// What has this value here and another in each real run. Among those of one name that tell
    /// things apart, other values are other things everywhere.
    Fixed { value: u64, tells_apart: bool },
    /// A place of a state, in formulas about any state.
    Place,
    /// Any value: a formula with one holds for all of them.
    Any,
    /// What a function may find at a place when it is called. The occurrence is the function.
    Entry,
}

impl SymbolKind {
    /// A number for each kind, apart from values; others are not used again.
    pub(crate) fn tag(self) -> u8 {
        match self {
            SymbolKind::Input => 0,
            SymbolKind::Unknown => 1,
            SymbolKind::SharedUnknown => 2,
            SymbolKind::Fixed { tells_apart: false, .. } => 3,
            SymbolKind::Fixed { tells_apart: true, .. } => 4,
            SymbolKind::Place => 5,
            SymbolKind::Any => 6,
            SymbolKind::Entry => 7,
        }
    }

    pub(crate) fn from_tag(tag: u8, value: u64) -> Option<SymbolKind> {
        Some(match tag {
            0 => SymbolKind::Input,
            1 => SymbolKind::Unknown,
            2 => SymbolKind::SharedUnknown,
            3 | 4 => SymbolKind::Fixed { value, tells_apart: tag == 4 },
            5 => SymbolKind::Place,
            6 => SymbolKind::Any,
            7 => SymbolKind::Entry,
            _ => return None,
        })
    }

    /// Are kinds with this tag told apart by values?
    pub(crate) fn has_value(tag: u8) -> bool {
        matches!(tag, 3 | 4)
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SymbolInfo {
    pub kind: SymbolKind,
    pub name: Rc<str>,
    pub occurrence: u32,
    /// Size in bytes.
    pub size: u32,
    pub shape: SymbolShape,
}

impl SymbolInfo {
    pub(crate) fn single(kind: SymbolKind, name: &str, size: u32, shape: SymbolShape) -> SymbolInfo {
        SymbolInfo { kind, name: name.into(), occurrence: 0, size, shape }
    }

    pub(crate) fn structural_hash(&self) -> StructuralHash {
        let SymbolInfo { kind, name, occurrence, size, shape } = self;
        let value = match kind {
            SymbolKind::Fixed { value, .. } => *value,
            _ => 0,
        };
        let shape = match shape {
            SymbolShape::Scalar => 0,
            SymbolShape::Bytes => 1,
        };
        let mixer = Mixer::new(Kind::Symbol, shape << 8 | u64::from(kind.tag())).number(value).bytes(name.as_bytes());
        mixer.number(u64::from(*occurrence) << 32 | u64::from(*size)).finish()
    }
}
