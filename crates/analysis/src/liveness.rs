//! Which registers are still read after a point of a function: the classic backward data-flow
//! analysis, one bit a register and block.

use crate::Cfg;
use espalier_ir::{BlockId, EdgeId, Function, Reg};

/// A set of registers of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegSet(Vec<u64>);

impl RegSet {
    pub fn empty(registers: usize) -> RegSet {
        RegSet(vec![0; registers.div_ceil(64)])
    }

    pub fn contains(&self, reg: Reg) -> bool {
        self.0[reg.index() / 64] >> (reg.index() % 64) & 1 != 0
    }

    pub fn insert(&mut self, reg: Reg) {
        self.0[reg.index() / 64] |= 1 << (reg.index() % 64);
    }

    pub fn remove(&mut self, reg: Reg) {
        self.0[reg.index() / 64] &= !(1 << (reg.index() % 64));
    }

    /// Takes in the other set. Did this one grow?
    fn extend(&mut self, other: &RegSet) -> bool {
        let mut grew = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            grew |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        grew
    }

    pub fn iter(&self) -> impl Iterator<Item = Reg> {
        self.0.iter().enumerate().flat_map(|(word, &bits)| {
            let next = |bits: &u64| Some(bits & (bits - 1)).filter(|_| *bits != 0).filter(|&rest| rest != 0);
            std::iter::successors(Some(bits).filter(|&bits| bits != 0), next)
                .map(move |bits| Reg::new(word * 64 + bits.trailing_zeros() as usize))
        })
    }
}

/// The registers that are live at the beginning of each block.
pub struct Liveness {
    live_in: Vec<RegSet>,
}

impl Liveness {
    pub fn of(function: &Function, cfg: &Cfg) -> Liveness {
        let empty = RegSet::empty(function.regs.len());
        let mut liveness = Liveness { live_in: vec![empty; function.blocks.len()] };
        let mut waiting: Vec<usize> = (0..function.blocks.len()).collect();
        let mut is_waiting = vec![true; function.blocks.len()];
        while let Some(index) = waiting.pop() {
            is_waiting[index] = false;
            let before = liveness.before(function, function.blocks[index].start as usize, BlockId::new(index));
            if liveness.live_in[index].extend(&before) {
                for predecessor in cfg.predecessors(BlockId::new(index)) {
                    if !std::mem::replace(&mut is_waiting[predecessor.index()], true) {
                        waiting.push(predecessor.index());
                    }
                }
            }
        }
        liveness
    }

    pub fn live_in(&self, block: BlockId) -> &RegSet {
        &self.live_in[block.index()]
    }

    /// What is live before the copies of an edge.
    pub fn before_edge(&self, function: &Function, edge: EdgeId) -> RegSet {
        let edge = function.edge(edge);
        let mut live = self.live_in[edge.target.index()].clone();
        for &(dst, source) in edge.copies.iter().rev() {
            live.remove(dst);
            source.as_reg().into_iter().for_each(|reg| live.insert(reg));
        }
        live
    }

    /// What is live before instruction `pc`, which is in `block`.
    pub fn before(&self, function: &Function, pc: usize, block: BlockId) -> RegSet {
        let end = function.block(block).end as usize;
        let mut live = RegSet::empty(function.regs.len());
        function.for_each_edge(function.code[end - 1], |edge| {
            live.extend(&self.before_edge(function, edge));
        });
        for &inst in function.code[pc..end].iter().rev() {
            function.for_each_write(inst, |reg| live.remove(reg));
            function.for_each_read(inst, |reg| live.insert(reg));
        }
        live
    }
}
