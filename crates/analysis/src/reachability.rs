//! From where can places still be reached, whoever called the function?
//!
//! For paths of which no more is known than an instruction: their call stacks are not. So a
//! function may return to whoever calls it, a call through a pointer may go to every function whose
//! address is taken, and every call may return. That is more than a program can do, and never less:
//! `relevance` asks the same of states, whose call stacks are known, and less exactly within a
//! block.

use crate::Graphs;
use crate::calls::{CallGraph, jumps_across_functions};
use espalier_ir::{BlockId, FuncId, Inst, Program};

pub struct Reachability {
    /// By function and instruction: can a place be reached from there, without returning?
    within: Vec<Vec<bool>>,
    /// By function: can one be reached once it has returned?
    after: Vec<bool>,
    /// Can one be reached from anywhere?
    is_everywhere: bool,
}

impl Reachability {
    /// Of the places that `is_wanted` gives, by function and instruction. `uncalled` may run
    /// without being called, at any time or at the end.
    pub fn new(
        program: &Program,
        graphs: &Graphs,
        uncalled: &[FuncId],
        is_wanted: impl Fn(FuncId, u32) -> bool,
    ) -> Reachability {
        let calls = CallGraph::of(program);
        let mut reachability = Reachability {
            within: program.functions.iter().map(|function| vec![false; function.code.len()]).collect(),
            after: vec![false; program.functions.len()],
            is_everywhere: jumps_across_functions(program),
        };
        reachability.look_inside(program, graphs, &calls, is_wanted);
        reachability.is_everywhere |= uncalled.iter().any(|&function| reachability.reaches_by_calling(function));
        reachability.look_behind(program, &calls);
        reachability
    }

    /// Can a wanted place be reached from an instruction?
    pub fn reaches_from(&self, function: FuncId, pc: u32) -> bool {
        let within = self.within.get(function.index()).and_then(|within| within.get(pc as usize));
        // Nothing is known of a place that the program does not have.
        self.is_everywhere || within.is_none_or(|&within| within || self.after[function.index()])
    }

    /// Can a wanted place be reached from the function's beginning, without returning?
    pub fn reaches_by_calling(&self, function: FuncId) -> bool {
        self.within[function.index()].first() == Some(&true)
    }

    /// Backwards through functions, and from those that reach something to their callers.
    fn look_inside(
        &mut self,
        program: &Program,
        graphs: &Graphs,
        calls: &CallGraph,
        is_wanted: impl Fn(FuncId, u32) -> bool,
    ) {
        let mut queue: Vec<FuncId> = (0..program.functions.len()).map(FuncId::new).collect();
        let mut is_queued = vec![true; queue.len()];
        let mut reaches_by_calling = vec![false; queue.len()];
        while let Some(id) = queue.pop() {
            is_queued[id.index()] = false;
            let (function, cfg) = (program.function(id), graphs.function(id));
            let mut within = std::mem::take(&mut self.within[id.index()]);
            let starts: Vec<usize> = function.blocks.iter().map(|block| block.start as usize).collect();
            let mut changed = true;
            while changed {
                changed = false;
                for (index, block) in function.blocks.iter().enumerate().rev() {
                    let following = cfg.successors(BlockId::new(index));
                    let mut reaches = following.iter().any(|next| within[starts[next.index()]]);
                    for pc in (block.start..block.end).rev() {
                        reaches |= within[pc as usize] || is_wanted(id, pc);
                        if let Inst::Call { call } = function.code[pc as usize] {
                            let callees = calls.callees(&function.call(call).callee);
                            reaches |= callees.iter().any(|callee| reaches_by_calling[callee.index()]);
                        }
                        changed |= reaches != std::mem::replace(&mut within[pc as usize], reaches);
                    }
                }
            }
            self.within[id.index()] = within;
            let reaches = self.reaches_by_calling(id);
            if reaches != std::mem::replace(&mut reaches_by_calling[id.index()], reaches) {
                // One that calls itself is looked at again, too.
                for &caller in calls.callers(id) {
                    if !std::mem::replace(&mut is_queued[caller.index()], true) {
                        queue.push(caller);
                    }
                }
            }
        }
    }

    /// Forwards from what is behind calls to what they call.
    fn look_behind(&mut self, program: &Program, calls: &CallGraph) {
        // What comes after them is the rest of the program.
        let mut found = program.constructors.clone();
        for (function, within) in program.functions.iter().zip(&self.within) {
            for (inst, goes_on) in function.code.iter().zip(within.iter().skip(1)) {
                if let (Inst::Call { call }, true) = (inst, goes_on) {
                    found.extend(calls.callees(&function.call(*call).callee));
                }
            }
        }
        while let Some(id) = found.pop() {
            if !std::mem::replace(&mut self.after[id.index()], true) {
                let sites = &program.function(id).calls;
                found.extend(sites.iter().flat_map(|site| calls.callees(&site.callee)));
            }
        }
    }
}
