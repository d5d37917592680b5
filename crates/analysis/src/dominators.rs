//! Dominators: the blocks that every way from the entry to a block goes through.
//!
//! After Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001): immediate
//! dominators are a tree, and two of its nodes are brought together by walking up from the one that
//! is later in reverse post-order. Few rounds over the graph suffice; Lengauer and Tarjan's
//! algorithm is faster on graphs that are larger than functions are.

use crate::Cfg;
use espalier_ir::BlockId;

/// The tree of immediate dominators of a function's reachable blocks.
pub struct Dominators {
    /// For each block, by its number; the entry's is itself.
    immediate: Vec<Option<BlockId>>,
}

impl Dominators {
    pub fn of(cfg: &Cfg) -> Dominators {
        let mut dominators = Dominators { immediate: vec![None; cfg.blocks()] };
        let Some((&entry, rest)) = cfg.reverse_postorder().split_first() else { return dominators };
        dominators.immediate[entry.index()] = Some(entry);
        let mut changed = true;
        while changed {
            changed = false;
            for &block in rest {
                // At least the one that the search came from is known.
                let known = cfg.predecessors(block).iter().filter(|from| dominators.immediate[from.index()].is_some());
                let common = known.copied().reduce(|a, b| dominators.common(cfg, a, b));
                changed |= common != std::mem::replace(&mut dominators.immediate[block.index()], common);
            }
        }
        dominators
    }

    /// The nearest block that dominates both, of those that are known so far.
    fn common(&self, cfg: &Cfg, mut a: BlockId, mut b: BlockId) -> BlockId {
        while a != b {
            let later = if cfg.place(a) > cfg.place(b) { &mut a } else { &mut b };
            match self.immediate[later.index()] {
                Some(above) => *later = above,
                None => break,
            }
        }
        a
    }

    /// The nearest other block that dominates this one. The entry has none, nor has what cannot be
    /// reached.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.immediate[block.index()].filter(|&above| above != block)
    }

    /// Does every way from the entry to `block` go through `above`? A block dominates itself.
    /// `None` if no way leads there.
    pub fn dominates(&self, above: BlockId, block: BlockId) -> Option<bool> {
        self.immediate[block.index()]?;
        Some(std::iter::successors(Some(block), |&block| self.immediate(block)).any(|block| block == above))
    }
}
