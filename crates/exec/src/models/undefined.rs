//! Functions that the program calls and nothing defines: neither the program, nor a library, nor
//! the engine.

use crate::models::shims::Shim;
use espalier_ir::{Callee, FuncId, Inst, Loc, Program};

/// One of them, with where it is called: the calling function, and the place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undefined {
    pub name: String,
    pub calls: Vec<(String, Loc)>,
}

/// All that the user's code calls directly, in the order of the program.
pub fn undefined_functions(program: &Program) -> Vec<Undefined> {
    let mut calls: Vec<Vec<(String, Loc)>> = vec![Vec::new(); program.functions.len()];
    // A library's calls of what it lacks are not the user's concern before they are reached.
    for function in program.functions.iter().filter(|function| !function.is_runtime) {
        for (inst, loc) in function.code.iter().zip(&function.locs) {
            if let Inst::Call { call } = inst
                && let Callee::Direct(callee) = function.call(*call).callee
            {
                calls[callee.index()].push((function.name.clone(), *loc));
            }
        }
    }
    let is_undefined = |id: FuncId| {
        let function = program.function(id);
        function.is_declaration() && Shim::for_function(function).is_none()
    };
    let all = calls.into_iter().enumerate().map(|(index, calls)| (FuncId::new(index), calls));
    all.filter(|(id, calls)| !calls.is_empty() && is_undefined(*id))
        .map(|(id, calls)| Undefined { name: program.function(id).name.clone(), calls })
        .collect()
}
