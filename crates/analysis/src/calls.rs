//! Who calls whom. A call through a pointer may go to any function whose address is taken: that is
//! what proofs rest on. What guides a search asks less: such a call is likely to go to a function
//! that takes and gives what the call passes and expects.

use crate::Site;
use espalier_base::control::LONGJMP;
use espalier_ir::{CallSite, Callee, FuncId, Function, Inst, Program};
use rustc_hash::FxHashMap;

/// Does a program go from one function to another in ways that are not in the graph?
pub fn jumps_across_functions(program: &Program) -> bool {
    let leaves_the_graph = |name: &str| LONGJMP.contains(&name) || name == "klee_alias_function";
    program.functions.iter().any(|function| leaves_the_graph(&function.name) && function.is_declaration())
}

pub struct CallGraph {
    /// The functions that call each function, directly or perhaps through a pointer.
    callers: Vec<Vec<FuncId>>,
    by_pointer: Vec<FuncId>,
    direct: Vec<Vec<Site>>,
    kinds: Vec<PointerCalls>,
    kind_of: FxHashMap<Site, u32>,
}

/// Calls through pointers that pass and expect the same.
pub(crate) struct PointerCalls {
    pub(crate) sites: Vec<Site>,
    /// Functions whose address is taken that take and give this; all of them, if none does.
    pub(crate) callees: Vec<FuncId>,
}

/// What a call through a pointer passes and expects: widths, and whether there is more.
#[derive(PartialEq, Eq, Hash)]
struct Signature {
    args: Box<[u32]>,
    result: Box<[u32]>,
    is_variadic: bool,
}

impl Signature {
    fn of(caller: &Function, call: &CallSite) -> Signature {
        Signature {
            args: call.arg_widths.clone(),
            result: call.dsts.iter().map(|dst| caller.regs[dst.index()]).collect(),
            is_variadic: !call.varargs.is_empty(),
        }
    }

    fn fits(&self, callee: &Function) -> bool {
        let fixed = callee.params.len().min(self.args.len());
        let is_same_number = self.is_variadic || callee.is_variadic || callee.params.len() == self.args.len();
        let takes_them = callee.params[..fixed].iter().zip(&self.args).all(|(param, &width)| param.width == width);
        is_same_number && takes_them && *callee.result == *self.result
    }
}

impl CallGraph {
    pub fn of(program: &Program) -> CallGraph {
        let functions = || program.functions.iter().enumerate().map(|(index, function)| (FuncId::new(index), function));
        let by_pointer: Vec<FuncId> = functions().filter(|(_, function)| function.address_taken).map(|f| f.0).collect();
        let mut callers = vec![Vec::new(); program.functions.len()];
        let mut direct = vec![Vec::new(); program.functions.len()];
        let mut kinds: Vec<PointerCalls> = Vec::new();
        let (mut numbers, mut kind_of) = (FxHashMap::default(), FxHashMap::default());
        for (caller, function) in functions() {
            let mut calls_pointers = false;
            for (inst, pc) in function.code.iter().zip(0..) {
                let Inst::Call { call } = inst else { continue };
                let (site, call) = (Site { func: caller, pc }, function.call(*call));
                match call.callee {
                    Callee::Direct(callee) => {
                        callers[callee.index()].push(caller);
                        direct[callee.index()].push(site);
                    }
                    Callee::Indirect(_) => {
                        calls_pointers = true;
                        let kind = *numbers.entry(Signature::of(function, call)).or_insert_with_key(|signature| {
                            let fits = |id: &FuncId| signature.fits(program.function(*id));
                            let fitting: Vec<FuncId> = by_pointer.iter().copied().filter(fits).collect();
                            let callees = if fitting.is_empty() { by_pointer.clone() } else { fitting };
                            kinds.push(PointerCalls { sites: Vec::new(), callees });
                            kinds.len() as u32 - 1
                        });
                        kinds[kind as usize].sites.push(site);
                        kind_of.insert(site, kind);
                    }
                }
            }
            if calls_pointers {
                by_pointer.iter().for_each(|callee| callers[callee.index()].push(caller));
            }
        }
        callers.iter_mut().for_each(|callers: &mut Vec<FuncId>| callers.dedup());
        CallGraph { callers, by_pointer, direct, kinds, kind_of }
    }

    /// Leaves out callers through pointers that pass and expect something else. No proof may rest
    /// on it.
    pub fn of_likely_calls(program: &Program) -> CallGraph {
        let mut graph = CallGraph::of(program);
        for (callee, callers) in graph.callers.iter_mut().enumerate() {
            let likely = graph.kinds.iter().filter(|kind| kind.callees.contains(&FuncId::new(callee)));
            let sites = graph.direct[callee].iter().chain(likely.flat_map(|kind| &kind.sites));
            *callers = sites.map(|site| site.func).collect();
        }
        graph
    }

    /// Who may call a function. Nobody is left out.
    pub fn callers(&self, function: FuncId) -> &[FuncId] {
        &self.callers[function.index()]
    }

    /// The functions that a call may go to. None is left out.
    pub fn callees<'a>(&'a self, callee: &'a Callee) -> &'a [FuncId] {
        match callee {
            Callee::Direct(callee) => std::slice::from_ref(callee),
            Callee::Indirect(_) => &self.by_pointer,
        }
    }

    /// The calls of a function by its name.
    pub(crate) fn direct_calls(&self, function: FuncId) -> &[Site] {
        &self.direct[function.index()]
    }

    /// The kinds of calls through pointers.
    pub(crate) fn pointer_calls(&self) -> &[PointerCalls] {
        &self.kinds
    }

    /// The kind of a call through a pointer.
    pub(crate) fn kind_of(&self, site: Site) -> Option<usize> {
        self.kind_of.get(&site).map(|&kind| kind as usize)
    }
}
