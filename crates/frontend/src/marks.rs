//! The program as bitcode for a native build that tells when it comes to certain places. It is compiled as for symbolic execution, so a place is where it is there.

use crate::link::{self, Unit};
use crate::lower::FileNames;
use crate::{Error, Input, LLVM, collect, llvm};
use std::sync::PoisonError;

/// A place in the source, with the file as `Program::files` has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
}

/// The bitcode of each file, with a call of `__espalier_mark(number)` before each place that is marked. The replay library has that function.
pub fn with_marks(input: &Input, marks: &[Mark]) -> Result<Vec<Vec<u8>>, Error> {
    let units: Vec<Unit> = collect(input, &[], &mut Vec::new())?;
    let _only_us = LLVM.lock().unwrap_or_else(PoisonError::into_inner);
    let context = llvm::Context::new();
    let mut marked = Vec::new();
    for unit in &units {
        let mut module = link::parse(&context, unit)?;
        let names = FileNames::new();
        module.insert_calls(c"__espalier_mark", |loc| {
            let file = loc.file.map(|file| names.path(file))?;
            let is_there = |mark: &Mark| {
                mark.line == loc.line && mark.column.is_none_or(|column| column == loc.column) && mark.file == file
            };
            marks.iter().position(is_there).map(|number| number as u32)
        });
        marked.push(module.to_bitcode());
    }
    Ok(marked)
}
