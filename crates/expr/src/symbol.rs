//! Input symbols. A symbol is one input object (`klee_make_symbolic(p, n, "name")`, one `__VERIFIER_nondet_int()` call).
//!
//! A symbol is identified by its kind, its name, its occurrence on the path (the second `x` made on a path is `x` occurrence 1), its
//! size and its shape, and interned: sibling paths that create "the same" input share its variables, which is what makes
//! models, caches and interpolants carry over from one path to another.

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
    /// The same, but one symbol for all times that the value is looked at, although each may see another.
    SharedUnknown,
    /// What has this value here and another in each real run. Among those of one name that tell things apart, other values are
    /// other things everywhere.
    Fixed { value: u64, tells_apart: bool },
    /// A place of a state, in formulas about any state.
    Place,
    /// Any value: a formula with one holds for all of them.
    Any,
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
