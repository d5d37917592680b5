//! From where can something that is looked for still be reached?
//!
//! Over-approximated in the inter-procedural control-flow graph: a call through a pointer may go to every function whose address is taken, a function may
//! return to its callers, which are known from the call stack. When only certain calls are looked for (`reach_error`, a failing
//! `assert`), much of a program cannot reach them: such states need not be explored, and what keeps a path away from such code need not be kept in interpolants.

use crate::Executor;
use crate::interpreter::frames::Frame;
use crate::interpreter::image::Image;
use crate::models::signals;
use crate::paths::state::State;
use crate::paths::targets::Targets;
use espalier_ir::{BlockId, Callee, FuncId, Inst};

/// For each block of each function: can a target be reached from its beginning, without returning to a caller?
pub struct Relevance {
    blocks: Vec<Vec<bool>>,
}

impl Relevance {
    /// `is_target` says which functions are looked for, besides open targets. `None` if the program jumps in ways that are not in the graph, or runs targets at its end.
    pub(crate) fn new(image: &Image, targets: &Targets, is_target: impl Fn(FuncId) -> bool) -> Option<Relevance> {
        let program = image.program();
        let functions = &program.functions;
        let leaves_the_graph = |name: &str| name.contains("longjmp") || name == "klee_alias_function";
        if functions.iter().any(|function| leaves_the_graph(&function.name) && function.is_declaration()) {
            return None;
        }
        let mut blocks: Vec<Vec<bool>> = functions.iter().map(|function| vec![false; function.blocks.len()]).collect();
        // Can a target be reached by calling the function? Of one that is defined nowhere nothing is known: it may call back.
        let is_unknown = |index: usize| functions[index].is_declaration() && image.functions[index].shim.is_none();
        let mut reaches: Vec<bool> =
            (0..functions.len()).map(|index| is_target(FuncId::new(index)) || is_unknown(index)).collect();
        let mut changed = true;
        while changed {
            changed = false;
            let any_by_pointer = functions.iter().zip(&reaches).any(|(f, &reaches)| f.address_taken && reaches);
            for (index, function) in functions.iter().enumerate() {
                let id = FuncId::new(index);
                let mut stable = false;
                while !stable {
                    stable = true;
                    for (number, block) in function.blocks.iter().enumerate().rev() {
                        if blocks[index][number] {
                            continue;
                        }
                        let code = &function.code[block.start as usize..block.end as usize];
                        let calls = code.iter().any(|inst| match inst {
                            Inst::Call { call } => match function.call(*call).callee {
                                Callee::Direct(callee) => reaches[callee.index()],
                                Callee::Indirect(_) => any_by_pointer,
                            },
                            Inst::Target { index } => targets.is_open(*index),
                            // Nobody knows what it would do.
                            Inst::Unsupported { .. } => true,
                            _ => false,
                        });
                        let mut leads = calls;
                        function.for_each_edge(function.code[block.end as usize - 1], |edge| {
                            leads |= blocks[index][function.edge(edge).target.index()];
                        });
                        if leads {
                            blocks[index][number] = true;
                            stable = false;
                            changed = true;
                        }
                    }
                }
                if !reaches[index] && !is_target(id) && blocks[index].first() == Some(&true) {
                    reaches[index] = true;
                    changed = true;
                }
            }
        }
        // Handlers run wherever something goes wrong.
        let handling = program.function_named(signals::FAULT);
        let at_exit = program.destructors.iter().copied().chain(program.function_named("__espalier_run_atexit"));
        if at_exit.chain(handling).any(|function| reaches[function.index()]) {
            return None;
        }
        Some(Relevance { blocks })
    }

    pub(crate) fn reaches_from(&self, func: FuncId, block: BlockId) -> bool {
        self.blocks[func.index()][block.index()]
    }
}

impl Executor {
    /// From now on, only calls of these functions are looked for, and targets.
    pub fn look_for(&mut self, is_target: impl Fn(&str) -> bool) {
        let image = self.image.clone();
        let is_target = |id: FuncId| is_target(&image.program().function(id).name);
        self.relevance = Relevance::new(&image, &self.targets, is_target);
        self.counted_loops.clear();
        self.counters.clear();
    }

    fn frame_is_relevant(&self, relevance: &Relevance, frame: &Frame) -> bool {
        let function = self.program().function(frame.func);
        let block = function.blocks.partition_point(|block| block.end <= frame.pc);
        block < function.blocks.len() && relevance.reaches_from(frame.func, BlockId::new(block))
    }

    /// For each frame, innermost first: can nothing that is looked for be reached once it has returned?
    pub(crate) fn frames_with_irrelevant_callers(&self, state: &State) -> Vec<bool> {
        let Some(relevance) = &self.relevance else { return state.frames().map(|_| false).collect() };
        let relevant: Vec<bool> = state.frames().map(|frame| self.frame_is_relevant(relevance, frame)).collect();
        (0..relevant.len()).map(|frame| !relevant[frame + 1..].contains(&true)).collect()
    }

    /// Can the state still reach something that is looked for?
    pub fn is_relevant(&self, state: &State) -> bool {
        match &self.relevance {
            None => true,
            Some(relevance) => state.frames().any(|frame| self.frame_is_relevant(relevance, frame)),
        }
    }

    /// Could it, if the running function went on at `block`?
    pub(crate) fn block_is_relevant(&self, state: &State, block: BlockId) -> bool {
        match &self.relevance {
            None => true,
            Some(relevance) => {
                relevance.reaches_from(state.top.func, block)
                    || state.frames().skip(1).any(|frame| self.frame_is_relevant(relevance, frame))
            }
        }
    }
}
