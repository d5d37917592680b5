//! The loops of a function and how they are nested, also those that can be entered in several
//! places.
//!
//! After Bourdoncle, "Efficient chaotic iteration strategies with widenings" (1993): a strongly
//! connected part of the graph is a loop, its head is the block of it that comes first in reverse
//! post-order, and the loops inside are the strongly connected parts of what is left without the
//! head. So every cycle has a head, whatever the graph is. In a reducible graph the head dominates
//! its loop and the forest is that of the natural loops, where those with one head are one. Heads
//! are the blocks that [`Cfg::is_loop_head`] finds: if all that asks is where loops begin, no
//! forest is needed.

use crate::{Cfg, Dominators};
use espalier_ir::BlockId;

/// A loop, by its number in the forest: outer ones have smaller numbers.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LoopId(u32);

impl LoopId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Where states that go round it meet.
    pub head: BlockId,
    /// The loop that it is directly inside of.
    pub parent: Option<LoopId>,
    /// How many loops it is inside of.
    pub depth: u32,
    /// Can it be entered at its head only?
    pub is_reducible: bool,
}

pub struct LoopForest {
    loops: Vec<Loop>,
    /// For each block, the innermost loop that it is in.
    innermost: Vec<Option<LoopId>>,
}

impl LoopForest {
    pub fn of(cfg: &Cfg) -> LoopForest {
        let dominators = Dominators::of(cfg);
        let mut forest = LoopForest { loops: Vec::new(), innermost: vec![None; cfg.blocks()] };
        let mut components = Components::new(cfg);
        let mut waiting = vec![(cfg.reverse_postorder().to_vec(), None)];
        while let Some((region, parent)) = waiting.pop() {
            for mut members in components.cycles_in(&region) {
                let Some(head) = members.iter().copied().min_by_key(|&block| cfg.place(block)) else { continue };
                let id = LoopId(forest.loops.len() as u32);
                let depth = parent.map_or(0, |parent| forest.get(parent).depth + 1);
                let is_reducible = members.iter().all(|&block| dominators.dominates(head, block) == Some(true));
                forest.loops.push(Loop { head, parent, depth, is_reducible });
                members.iter().for_each(|block| forest.innermost[block.index()] = Some(id));
                members.retain(|&block| block != head);
                waiting.push((members, Some(id)));
            }
        }
        forest
    }

    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id.index()]
    }

    pub fn loops(&self) -> impl Iterator<Item = (LoopId, &Loop)> {
        (0..).map(LoopId).zip(&self.loops)
    }

    /// The loops that a block is in, the innermost first.
    pub fn around(&self, block: BlockId) -> impl Iterator<Item = LoopId> {
        std::iter::successors(self.innermost[block.index()], |&id| self.get(id).parent)
    }

    /// The loop that begins with a block.
    pub fn with_head(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block.index()].filter(|&id| self.get(id).head == block)
    }

    pub fn contains(&self, id: LoopId, block: BlockId) -> bool {
        self.around(block).any(|around| around == id)
    }
}

/// Tarjan's strongly connected components of parts of a graph, without recursion.
struct Components<'a> {
    cfg: &'a Cfg,
    /// The number of the region that each block is looked at in, or that it was in last.
    regions: Vec<u32>,
    region: u32,
    /// When each block of the region was found, from 1 on.
    found: Vec<u32>,
    /// The earliest block that each is known to lead back to.
    lowest: Vec<u32>,
    is_open: Vec<bool>,
}

impl<'a> Components<'a> {
    fn new(cfg: &'a Cfg) -> Components<'a> {
        let blocks = cfg.blocks();
        Components {
            cfg,
            regions: vec![0; blocks],
            region: 0,
            found: vec![0; blocks],
            lowest: vec![0; blocks],
            is_open: vec![false; blocks],
        }
    }

    /// The components of a region that have a cycle.
    fn cycles_in(&mut self, region: &[BlockId]) -> Vec<Vec<BlockId>> {
        self.region += 1;
        for block in region {
            self.regions[block.index()] = self.region;
            self.found[block.index()] = 0;
        }
        let (mut cycles, mut open, mut count) = (Vec::new(), Vec::new(), 0);
        for &root in region {
            if self.found[root.index()] == 0 {
                self.search(root, &mut open, &mut count, &mut cycles);
            }
        }
        cycles
    }

    fn search(&mut self, root: BlockId, open: &mut Vec<BlockId>, count: &mut u32, cycles: &mut Vec<Vec<BlockId>>) {
        let cfg = self.cfg;
        self.find(root, open, count);
        let mut path = vec![(root, cfg.successors(root).iter())];
        while let Some((block, rest)) = path.last_mut() {
            let block = *block;
            if let Some(&next) = rest.next() {
                if self.regions[next.index()] != self.region {
                    continue;
                }
                if self.found[next.index()] == 0 {
                    self.find(next, open, count);
                    path.push((next, cfg.successors(next).iter()));
                } else if self.is_open[next.index()] {
                    self.lowest[block.index()] = self.lowest[block.index()].min(self.found[next.index()]);
                }
                continue;
            }
            path.pop();
            if let Some((before, _)) = path.last() {
                self.lowest[before.index()] = self.lowest[before.index()].min(self.lowest[block.index()]);
            }
            if self.lowest[block.index()] == self.found[block.index()] {
                let first = open.iter().rposition(|&other| other == block).unwrap_or(0);
                let component = open.split_off(first);
                component.iter().for_each(|member| self.is_open[member.index()] = false);
                if component.len() > 1 || cfg.successors(block).contains(&block) {
                    cycles.push(component);
                }
            }
        }
    }

    fn find(&mut self, block: BlockId, open: &mut Vec<BlockId>, count: &mut u32) {
        *count += 1;
        self.found[block.index()] = *count;
        self.lowest[block.index()] = *count;
        self.is_open[block.index()] = true;
        open.push(block);
    }
}
