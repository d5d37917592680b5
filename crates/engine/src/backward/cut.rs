//! Proofs by cutting call chains.
//!
//! A function is *closed* for a target if its exploration from an arbitrary entry ended without a
//! path that reached it, and left nothing out: then the target is never reached while the function
//! is on the call stack. If every chain of calls from where the program begins to a function with
//! the target passes a closed one, the target cannot be reached at all, whatever the program is
//! given: a proof that no environment bounds.
//!
//! A proof asks for more than a search: a call through a pointer may go to every function whose
//! address is taken, and such a function may be called by whoever the analysis does not see. Jumps
//! by `longjmp` do no harm: they go to a function that is on the call stack, and the exploration of
//! each function goes on where one returns to it.

use espalier_analysis::{CallGraph, targets};
use espalier_exec::{Approximation, EntryRule, undefined_functions};
use espalier_ir::{FuncId, Function, Inst, Program};
use std::collections::{BTreeSet, VecDeque};

/// Functions of libraries that change what calls, states and numbers are in ways that explorations
/// from entries do not follow: who calls them may do so before the function that is explored is
/// called.
const UNFOLLOWED: [&str; 23] = [
    "klee_alias_function",
    "klee_alias_function_regex",
    "klee_define_fixed_object",
    // Others change memory at any time.
    "fork",
    "vfork",
    "clone",
    "pthread_create",
    "thrd_create",
    "timer_create",
    "signal",
    "__sysv_signal",
    "bsd_signal",
    "sigset",
    "sigaction",
    // Call stacks are no chains of calls.
    "makecontext",
    "setcontext",
    "swapcontext",
    // Numbers are rounded otherwise.
    "fesetround",
    "fesetenv",
    "feupdateenv",
    "fesetexceptflag",
    "feholdexcept",
    "__setfpucw",
];

/// Why a target cannot be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChainCut {
    /// Every chain of calls passes one of these, and none of them leads there.
    pub functions: Vec<String>,
    /// What the user stated, and the proof rests on.
    pub conditions: Vec<Approximation>,
    /// Paths that end in errors which were not asked about.
    pub other_errors: u64,
}

/// Who calls whom, from where the program begins.
pub(crate) struct Chains {
    calls: CallGraph,
    /// Where chains of calls begin.
    roots: BTreeSet<FuncId>,
    /// Functions of the program's own run, which is explored forwards.
    starts: BTreeSet<FuncId>,
    /// Calls on the shortest chain from there.
    distances: Vec<Option<u32>>,
    can_prove: bool,
}

impl Chains {
    pub(crate) fn new(program: &Program, entry: FuncId, forgotten: Option<EntryRule>) -> Chains {
        let calls = match forgotten {
            Some(EntryRule::Callees) => CallGraph::of_likely_calls(program),
            _ => CallGraph::of(program),
        };
        let mut starts = BTreeSet::from([entry]);
        starts.extend(program.function_named("main"));
        let functions = program.functions.iter().zip(0..);
        let mut roots = starts.clone();
        roots.extend(program.constructors.iter().chain(&program.destructors));
        // Handlers, whoever calls them.
        let may_be_called = |function: &Function| {
            function.address_taken && !matches!(forgotten, Some(EntryRule::Roots | EntryRule::Callees))
        };
        roots.extend(functions.filter(|(function, _)| may_be_called(function)).map(|(_, index)| FuncId(index)));
        let distances = distances(program, &calls, &starts);
        let is_unfollowed = |function: &Function| match function.is_runtime || function.is_declaration() {
            true => UNFOLLOWED.contains(&function.name.as_str()),
            // It may call any function, also one whose address is nowhere taken in what is there.
            false => function.code.iter().any(|inst| matches!(inst, Inst::Unsupported { .. })),
        };
        let can_prove = !program.functions.iter().any(is_unfollowed)
            // What nobody has the code of may call any function by its name.
            && undefined_functions(program).is_empty()
            && !program.functions.iter().any(|function| function.is_declaration() && function.address_taken)
            && program.target.pointer_width == 64;
        Chains { calls, roots, starts, distances, can_prove }
    }

    pub(crate) fn can_prove(&self) -> bool {
        self.can_prove
    }

    /// Is it where the program begins?
    pub(crate) fn is_start(&self, function: FuncId) -> bool {
        self.starts.contains(&function)
    }

    pub(crate) fn callers(&self, function: FuncId) -> &[FuncId] {
        self.calls.callers(function)
    }

    /// Calls on the shortest chain from the start; what no chain leads to comes last.
    pub(crate) fn calls_from_start(&self, function: FuncId) -> u32 {
        self.distances[function.index()].unwrap_or(u32::MAX)
    }

    /// Is there a chain of calls from a function to one with the target?
    pub(crate) fn lead(&self, program: &Program, from: FuncId, target: u32) -> bool {
        let mut seen: BTreeSet<FuncId> = BTreeSet::new();
        let mut open: Vec<FuncId> = targets::functions_with(program, |index| index == target);
        while let Some(function) = open.pop() {
            if function == from {
                return true;
            }
            if seen.insert(function) {
                open.extend(self.calls.callers(function));
            }
        }
        false
    }

    /// The closed functions that cut all chains of calls to a target, if they do.
    pub(crate) fn cut(
        &self,
        program: &Program,
        target: u32,
        is_closed: impl Fn(FuncId) -> bool,
    ) -> Option<Vec<FuncId>> {
        let mut seen: BTreeSet<FuncId> = BTreeSet::new();
        let mut cutting: BTreeSet<FuncId> = BTreeSet::new();
        let mut open: Vec<FuncId> = targets::functions_with(program, |index| index == target);
        while let Some(function) = open.pop() {
            if !seen.insert(function) {
                continue;
            }
            if is_closed(function) {
                cutting.insert(function);
            } else if self.roots.contains(&function) {
                return None;
            } else {
                open.extend(self.calls.callers(function));
            }
        }
        Some(cutting.into_iter().collect())
    }
}

/// By function, the calls on the shortest chain from one of these.
fn distances(program: &Program, calls: &CallGraph, starts: &BTreeSet<FuncId>) -> Vec<Option<u32>> {
    let mut distances = vec![None; program.functions.len()];
    let mut open: VecDeque<FuncId> = starts.iter().copied().collect();
    open.iter().for_each(|start| distances[start.index()] = Some(0));
    while let Some(function) = open.pop_front() {
        let next = distances[function.index()].map(|distance: u32| distance + 1);
        for inst in &program.function(function).code {
            let Inst::Call { call } = inst else { continue };
            for &callee in calls.callees(&program.function(function).call(*call).callee) {
                if distances[callee.index()].is_none() {
                    distances[callee.index()] = next;
                    open.push_back(callee);
                }
            }
        }
    }
    distances
}
