//! Who calls whom. A call through a pointer may go to any function whose address is taken.

use espalier_base::control::LONGJMP;
use espalier_ir::{Callee, FuncId, Program};

/// Does a program go from one function to another in ways that are not in the graph?
pub(crate) fn jumps_across_functions(program: &Program) -> bool {
    let leaves_the_graph = |name: &str| LONGJMP.contains(&name) || name == "klee_alias_function";
    program.functions.iter().any(|function| leaves_the_graph(&function.name) && function.is_declaration())
}

pub(crate) struct CallGraph {
    /// The functions that call each function, directly or perhaps through a pointer.
    callers: Vec<Vec<FuncId>>,
    by_pointer: Vec<FuncId>,
}

impl CallGraph {
    pub(crate) fn of(program: &Program) -> CallGraph {
        let functions = || program.functions.iter().enumerate();
        let by_pointer: Vec<FuncId> =
            functions().filter(|(_, function)| function.address_taken).map(|(index, _)| FuncId::new(index)).collect();
        let mut callers = vec![Vec::new(); program.functions.len()];
        for (index, function) in functions() {
            let caller = FuncId::new(index);
            for site in &function.calls {
                match site.callee {
                    Callee::Direct(callee) => callers[callee.index()].push(caller),
                    Callee::Indirect(_) => by_pointer.iter().for_each(|callee| callers[callee.index()].push(caller)),
                }
            }
        }
        callers.iter_mut().for_each(|callers| callers.dedup());
        CallGraph { callers, by_pointer }
    }

    pub(crate) fn callers(&self, function: FuncId) -> &[FuncId] {
        &self.callers[function.index()]
    }

    /// The functions that a call may go to.
    pub(crate) fn callees<'a>(&'a self, callee: &'a Callee) -> &'a [FuncId] {
        match callee {
            Callee::Direct(callee) => std::slice::from_ref(callee),
            Callee::Indirect(_) => &self.by_pointer,
        }
    }
}
