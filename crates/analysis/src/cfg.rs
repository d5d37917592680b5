//! The control-flow graph of a function: successors, predecessors, and its blocks in reverse
//! post-order.
//!
//! The order is that of a depth-first search from the entry that takes edges in the order of the
//! terminators. In it an edge that does not lead forwards leads to a block that the search was
//! still in the middle of, so it closes a loop; every cycle has such an edge, also where a loop has
//! several entries. How a program numbers its blocks says nothing of this: the front end puts the
//! blocks last that LLVM does not have.

use espalier_ir::{BlockId, FuncId, Function, Inst, Program};

/// The place of a block that the entry does not lead to.
const UNREACHABLE: u32 = u32::MAX;

/// The graph of one function. Neighbours are listed once for each way that a terminator has to
/// them.
#[derive(Clone, Debug)]
pub struct Cfg {
    successors: Lists,
    predecessors: Lists,
    order: Vec<BlockId>,
    /// Where each block is in `order`.
    places: Vec<u32>,
}

/// A list of blocks for each block, one after the other.
#[derive(Clone, Default, Debug)]
struct Lists {
    /// Where the list of each block begins, and where the last one ends.
    starts: Vec<u32>,
    items: Vec<BlockId>,
}

impl Lists {
    fn get(&self, block: BlockId) -> &[BlockId] {
        let (start, end) = (self.starts[block.index()], self.starts[block.index() + 1]);
        &self.items[start as usize..end as usize]
    }

    /// The same edges the other way round, in the order of their sources.
    fn reversed(&self) -> Lists {
        let blocks = self.starts.len() - 1;
        let mut starts = vec![0; blocks + 1];
        self.items.iter().for_each(|target| starts[target.index() + 1] += 1);
        for block in 0..blocks {
            starts[block + 1] += starts[block];
        }
        let mut next = starts.clone();
        let mut items = vec![BlockId(0); self.items.len()];
        for source in (0..blocks).map(BlockId::new) {
            for target in self.get(source) {
                let place = &mut next[target.index()];
                items[*place as usize] = source;
                *place += 1;
            }
        }
        Lists { starts, items }
    }
}

impl Cfg {
    /// The graph of a function whose blocks all have terminators.
    pub fn of(function: &Function) -> Cfg {
        Cfg::build(function.blocks.len(), |block, successors| {
            let (terminator, first) = (function.terminator(block), successors.len());
            function.for_each_edge(terminator, |edge| successors.push(function.edge(edge).target));
            // The default of a switch comes first in LLVM, which the front end takes its order of
            // blocks from.
            if matches!(terminator, Inst::Switch { .. }) {
                successors[first..].rotate_right(1);
            }
        })
    }

    /// A graph with these successors; the first block is the entry.
    pub fn new(successors: &[Vec<BlockId>]) -> Cfg {
        Cfg::build(successors.len(), |block, all| all.extend_from_slice(&successors[block.index()]))
    }

    fn build(blocks: usize, mut add_successors: impl FnMut(BlockId, &mut Vec<BlockId>)) -> Cfg {
        let mut successors = Lists { starts: Vec::with_capacity(blocks + 1), items: Vec::new() };
        successors.starts.push(0);
        for block in (0..blocks).map(BlockId::new) {
            add_successors(block, &mut successors.items);
            successors.starts.push(successors.items.len() as u32);
        }
        let order = reverse_postorder(&successors);
        let mut places = vec![UNREACHABLE; blocks];
        for (block, place) in order.iter().zip(0..) {
            places[block.index()] = place;
        }
        Cfg { predecessors: successors.reversed(), successors, order, places }
    }

    /// How many blocks the function has.
    pub fn blocks(&self) -> usize {
        self.places.len()
    }

    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        self.successors.get(block)
    }

    /// Also those that the entry does not lead to.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        self.predecessors.get(block)
    }

    /// The blocks that the entry leads to, the entry first.
    pub fn reverse_postorder(&self) -> &[BlockId] {
        &self.order
    }

    /// Where a block is in that order, if the entry leads to it.
    pub fn place(&self, block: BlockId) -> Option<usize> {
        let place = self.places[block.index()];
        (place != UNREACHABLE).then_some(place as usize)
    }

    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.places[block.index()] != UNREACHABLE
    }

    /// Does an edge close a loop? Then its target is the head of one that its source is in.
    pub fn closes_loop(&self, from: BlockId, to: BlockId) -> bool {
        self.is_reachable(from) && self.places[to.index()] <= self.places[from.index()]
    }

    /// The heads of loops: where edges lead that close one.
    pub fn is_loop_head(&self, block: BlockId) -> bool {
        self.predecessors(block).iter().any(|&from| self.closes_loop(from, block))
    }
}

fn reverse_postorder(successors: &Lists) -> Vec<BlockId> {
    let blocks = successors.starts.len() - 1;
    let mut order = Vec::with_capacity(blocks);
    if blocks == 0 {
        return order;
    }
    let mut is_seen = vec![false; blocks];
    is_seen[0] = true;
    let mut open = vec![(BlockId(0), successors.get(BlockId(0)).iter())];
    while let Some((block, rest)) = open.last_mut() {
        match rest.next() {
            Some(&next) => {
                if !std::mem::replace(&mut is_seen[next.index()], true) {
                    open.push((next, successors.get(next).iter()));
                }
            }
            None => {
                order.push(*block);
                open.pop();
            }
        }
    }
    order.reverse();
    order
}

/// The graphs of all functions of a program.
#[derive(Clone, Debug)]
pub struct Graphs(Vec<Cfg>);

impl Graphs {
    pub fn of(program: &Program) -> Graphs {
        Graphs(program.functions.iter().map(Cfg::of).collect())
    }

    pub fn function(&self, id: FuncId) -> &Cfg {
        &self.0[id.index()]
    }
}
