//! Contents of which nothing is known but that they are numbers of one width, *cells*, and what was
//! written since.
//!
//! States that stand for all that a loop makes of an array (`learning::arrays`) hold cells in its
//! place. A cell is named by its index, which is a term: so a read at an index of which little is
//! known is one variable, however large the object is.

use espalier_expr::{ArrayId, Term};

/// What cells held before anything was written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CellBase {
    /// Anything: an unknown function of the index, by its number.
    Unknown(u32),
    /// Known bytes.
    Array(ArrayId),
}

/// The cells of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cells {
    /// Bytes of a cell.
    pub width: u32,
    pub base: CellBase,
    /// Indices, of 64 bits, and what was written there, oldest first.
    pub stores: Vec<(Term, Term)>,
}

impl Cells {
    pub fn new(width: u32, base: CellBase) -> Cells {
        Cells { width, base, stores: Vec::new() }
    }
}
