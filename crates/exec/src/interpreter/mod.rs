//! What instructions do: two loops over the code of functions, operators, accesses to memory,
//! calls, and the alternatives that paths fork into.

pub(crate) mod access;
pub(crate) mod addresses;
pub(crate) mod array_reads;
pub(crate) mod bulk;
pub(crate) mod call;
pub(crate) mod cells;
pub(crate) mod code;
pub(crate) mod float;
pub(crate) mod fork;
pub(crate) mod frames;
#[cfg(test)]
mod frames_tests;
pub(crate) mod image;
pub(crate) mod machine;
pub(crate) mod nan;
pub(crate) mod operator;
pub(crate) mod plain;
pub(crate) mod step;
pub(crate) mod symbolic_offset;
pub(crate) mod value;
