//! From where can something that is looked for still be reached?
//!
//! Over-approximated in the inter-procedural control-flow graph: a call through a pointer may go to
//! every function whose address is taken, a function may return to its callers, which are known
//! from the call stack. When only certain calls are looked for (`reach_error`, a failing `assert`),
//! much of a program cannot reach them: such states need not be explored, and what keeps a path
//! away from such code need not be kept in interpolants.

use crate::Graphs;
use crate::calls::jumps_across_functions;
use espalier_ir::{BlockId, Callee, FuncId, Function, Inst, Program};

/// What is looked for, and what the graph does not say of the program.
pub struct Question<'a> {
    /// Are calls of the function looked for?
    pub is_target: &'a dyn Fn(FuncId) -> bool,
    /// Is the place that is marked with this number ([`Inst::Target`]) looked for?
    pub is_open: &'a dyn Fn(u32) -> bool,
    /// Is it known what a function without a body does? Any other may call back.
    pub is_modelled: &'a dyn Fn(FuncId) -> bool,
    /// What may run without being called: handlers, and what runs at the end of the program.
    pub uncalled: &'a [FuncId],
}

/// For each block of each function: can a target be reached from its beginning, without returning
/// to a caller?
pub struct Relevance {
    blocks: Vec<Vec<bool>>,
}

impl Relevance {
    /// `None` if the program jumps in ways that are not in the graph, or what runs without being
    /// called reaches a target.
    pub fn new(program: &Program, graphs: &Graphs, question: &Question) -> Option<Relevance> {
        let functions = &program.functions;
        if jumps_across_functions(program) {
            return None;
        }
        let ids = || (0..functions.len()).map(FuncId::new);
        let is_unknown = |id: FuncId| program.function(id).is_declaration() && !(question.is_modelled)(id);
        let mut relevance = Relevance { blocks: functions.iter().map(|f| vec![false; f.blocks.len()]).collect() };
        // Can a target be reached by calling the function?
        let mut reaches: Vec<bool> = ids().map(|id| (question.is_target)(id) || is_unknown(id)).collect();
        let mut changed = true;
        while changed {
            changed = false;
            let by_pointer = functions.iter().zip(&reaches).any(|(f, &reaches)| f.address_taken && reaches);
            for id in ids() {
                let function = program.function(id);
                changed |= relevance.extend(graphs, id, |block| {
                    code(function, block).iter().any(|inst| match inst {
                        Inst::Call { call } => match function.call(*call).callee {
                            Callee::Direct(callee) => reaches[callee.index()],
                            Callee::Indirect(_) => by_pointer,
                        },
                        Inst::Target { index } => (question.is_open)(*index),
                        // Nobody knows what it would do.
                        Inst::Unsupported { .. } => true,
                        _ => false,
                    })
                });
                if !reaches[id.index()] && relevance.blocks[id.index()].first() == Some(&true) {
                    reaches[id.index()] = true;
                    changed = true;
                }
            }
        }
        let is_safe = question.uncalled.iter().all(|function| !reaches[function.index()]);
        is_safe.then_some(relevance)
    }

    /// Adds the blocks of a function where a target is reached, and all that lead to known ones.
    /// Are there new ones?
    fn extend(&mut self, graphs: &Graphs, func: FuncId, reaches_by_itself: impl Fn(BlockId) -> bool) -> bool {
        let (cfg, blocks) = (graphs.function(func), &mut self.blocks[func.index()]);
        let new: Vec<BlockId> = (0..blocks.len())
            .filter(|&block| !blocks[block])
            .map(BlockId::new)
            .filter(|&block| reaches_by_itself(block))
            .collect();
        new.iter().for_each(|block| blocks[block.index()] = true);
        let changed = !new.is_empty();
        let mut open = new;
        while let Some(block) = open.pop() {
            for &before in cfg.predecessors(block) {
                if !std::mem::replace(&mut blocks[before.index()], true) {
                    open.push(before);
                }
            }
        }
        changed
    }

    pub fn reaches_from(&self, func: FuncId, block: BlockId) -> bool {
        self.blocks[func.index()][block.index()]
    }
}

fn code(function: &Function, block: BlockId) -> &[Inst] {
    let block = function.block(block);
    &function.code[block.start as usize..block.end as usize]
}
