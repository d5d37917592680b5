//! Joins: the blocks that paths can come to in more than one way. Paths that came to the same one
//! can be compared. A short block that only leads on to another join is none: what comes to it is
//! compared there, a few instructions later and with less that is alive.

use crate::Cfg;
use espalier_ir::{Block, BlockId, Function, Inst};
use rustc_hash::FxHashMap;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Join {
    /// Several edges lead there, none of which closes a loop.
    Merge,
    LoopHead,
}

/// The first instructions of the blocks where paths join.
pub fn joins(function: &Function, cfg: &Cfg) -> FxHashMap<u32, Join> {
    let mut joins = FxHashMap::default();
    for block in (0..cfg.blocks()).map(BlockId::new) {
        if cfg.is_loop_head(block) {
            joins.insert(function.block(block).start, Join::LoopHead);
        } else if cfg.predecessors(block).len() > 1 && !leads_on(function, cfg, block) {
            joins.insert(function.block(block).start, Join::Merge);
        }
    }
    joins
}

/// Instructions of a block that is not worth a comparison of its own.
const SHORT: u32 = 16;

/// Does a block only lead on to another join?
fn leads_on(function: &Function, cfg: &Cfg, block: BlockId) -> bool {
    let &[next] = cfg.successors(block) else { return false };
    let Block { start, end, .. } = *function.block(block);
    let mut instructions = function.code[start as usize..end as usize].iter();
    end - start <= SHORT
        && (cfg.predecessors(next).len() > 1 || cfg.is_loop_head(next))
        && !instructions.any(|inst| matches!(inst, Inst::Call { .. }))
}

/// For each edge of a function, by its number: does it close a loop?
pub fn edges_that_close_loops(function: &Function, cfg: &Cfg) -> Vec<bool> {
    let mut closes_loop = vec![false; function.edges.len()];
    for block in (0..cfg.blocks()).map(BlockId::new) {
        function.for_each_edge(function.terminator(block), |edge| {
            closes_loop[edge.index()] |= cfg.closes_loop(block, function.edge(edge).target);
        });
    }
    closes_loop
}
