//! Terms, arrays and models as bytes that mean the same in every process.
//!
//! `"ETM" version semantics | strings | symbols | items | roots | checksum`, all numbers in LEB128.
//! Items are terms, and the arrays and pages of arrays that terms read, in one list, because each
//! kind is made of the others; what an item is made of comes before it and is named by how far back
//! it is. The width of a term is written where its arguments do not say it. The order of items
//! follows from the roots alone, so what is equal in two pools has the same bytes.
//!
//! Import builds every term by its constructor: terms are in normal form in any pool, and those of
//! the pool that they come from are the same terms again. What the constructors take for granted,
//! widths above all, is checked before: any bytes give terms or [`Damaged`].

mod bytes;
mod export;
mod import;

pub use bytes::{Reader, Writer};
pub use export::export;
pub use import::import;

use crate::{ArrayId, ArrayPage, Model, Op, Term};
use std::fmt;

/// What operators mean and how structures are hashed, as a number: what was written under another
/// one is not read.
pub const SEMANTICS: u64 = 1;

const MAGIC: [u8; 3] = *b"ETM";
const VERSION: u64 = 1;

/// Bits of the widest term that is read: those of the widest integer in LLVM.
const WIDEST: u32 = (1 << 23) - 1;

/// What is written and read as a whole.
#[derive(Clone, PartialEq, Debug)]
pub enum Root {
    Term(Term),
    Array(ArrayId),
    Model(Model),
}

/// Why bytes were not read.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Damaged {
    OtherKind,
    OtherVersion,
    OtherSemantics,
    Checksum,
    TooShort,
    TooLong,
    /// A number that is too large for what it is, or not written as numbers are.
    Number,
    /// A number that names no alternative.
    Tag,
    /// A name that is no UTF-8.
    Text,
    /// Something that is not there, or of another kind.
    Reference,
    /// A width, or a position within one, that an operator cannot have.
    Width,
    /// Things that are not in their order.
    Order,
    /// A variable that stands for another place than it says.
    Place,
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Damaged::OtherKind => "these bytes are something else",
            Damaged::OtherVersion => "written in another version of the format",
            Damaged::OtherSemantics => "written by a version in which terms mean something else",
            Damaged::Checksum => "the checksum is wrong",
            Damaged::TooShort => "the end is missing",
            Damaged::TooLong => "something is behind the end",
            Damaged::Number => "a number out of range",
            Damaged::Tag => "an unknown alternative",
            Damaged::Text => "a name that is no text",
            Damaged::Reference => "a reference to what is not there",
            Damaged::Width => "a width that an operator cannot have",
            Damaged::Order => "parts out of order",
            Damaged::Place => "a variable that stands for another place",
        })
    }
}

impl std::error::Error for Damaged {}

/// One of the list.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
enum Item {
    Term(Term),
    Page(ArrayPage),
    Array(ArrayId),
}

/// Operators by their numbers.
const OPERATORS: [Op; 43] = [
    Op::Const,
    Op::WideConst,
    Op::Var,
    Op::Not,
    Op::Neg,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Add,
    Op::Mul,
    Op::UDiv,
    Op::SDiv,
    Op::URem,
    Op::SRem,
    Op::Shl,
    Op::LShr,
    Op::AShr,
    Op::Eq,
    Op::Ult,
    Op::Ule,
    Op::Slt,
    Op::Sle,
    Op::Ite,
    Op::Extract,
    Op::Concat,
    Op::ZExt,
    Op::SExt,
    Op::Read,
    Op::FpAdd,
    Op::FpSub,
    Op::FpMul,
    Op::FpDiv,
    Op::FpRem,
    Op::FpFma,
    Op::FpSqrt,
    Op::FpRound,
    Op::FpEq,
    Op::FpLt,
    Op::FpLe,
    Op::FpToFp,
    Op::FpToSi,
    Op::SiToFp,
    Op::UiToFp,
];

/// Tags of items that are no terms, behind those of the operators.
const CONCRETE_PAGE: u8 = 0x40;
const MIXED_PAGE: u8 = 0x41;
const BASE: u8 = 0x42;
const STORE: u8 = 0x43;

/// Tags of roots.
const ROOT_TERM: u8 = 0;
const ROOT_ARRAY: u8 = 1;
const ROOT_MODEL: u8 = 2;

#[cfg(test)]
mod tests {
    use super::OPERATORS;

    #[test]
    fn operators_have_their_numbers() {
        for (number, op) in OPERATORS.into_iter().enumerate() {
            assert_eq!(op as usize, number, "{op:?}");
        }
    }
}
