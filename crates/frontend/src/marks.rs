//! The program as bitcode for a native build that tells when it comes to certain places. It is
//! compiled as for symbolic execution, so a place is where it is there.

use crate::link::{self, Unit};
use crate::lower::FileNames;
use crate::{Error, Input, LLVM, allocations, collect, llvm};
use std::ffi::CStr;
use std::sync::PoisonError;

/// The function that is called at places that are marked. The replay library has it.
const MARK: &CStr = c"__espalier_mark";

/// A place in the source, with the file as `Program::files` has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
}

/// The bitcode of each file, with a call of `__espalier_mark(number)` before each marked place.
pub fn with_marks(input: &Input, marks: &[Mark]) -> Result<Vec<Vec<u8>>, Error> {
    changed(input, |module| {
        let names = FileNames::new();
        module.insert_calls(MARK, |loc| {
            let file = loc.file.map(|file| names.path(file))?;
            let is_there = |mark: &Mark| {
                mark.line == loc.line && mark.column.is_none_or(|column| column == loc.column) && mark.file == file
            };
            marks.iter().position(is_there).map(|number| number as u32)
        });
    })
}

/// The bitcode of each file, with a call of `__espalier_mark(0)` where these functions begin;
/// nothing if no file defines one of them.
pub fn with_marked_functions(input: &Input, functions: &[&str]) -> Result<Option<Vec<Vec<u8>>>, Error> {
    let mut is_marked = false;
    let modules = changed(input, |module| is_marked |= module.insert_calls_into(MARK, 0, functions))?;
    Ok(is_marked.then_some(modules))
}

/// The bitcode of each file after a change.
pub(crate) fn changed(input: &Input, mut change: impl FnMut(&mut llvm::Module<'_>)) -> Result<Vec<Vec<u8>>, Error> {
    let units: Vec<Unit> = collect(input, &[], &mut Vec::new())?;
    let _only_us = LLVM.lock().unwrap_or_else(PoisonError::into_inner);
    let context = llvm::Context::new();
    let mut modules = Vec::new();
    for unit in &units {
        let mut module = link::parse(&context, unit)?;
        if input.failing_sites.is_some() {
            allocations::divert_all(&mut module);
        }
        change(&mut module);
        modules.push(module.to_bitcode());
    }
    Ok(modules)
}
