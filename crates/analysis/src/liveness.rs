//! Which registers are still read after a point of a function.
//!
//! Registers are taken one at a time: from where one is read, backwards to where it is written
//! (Brandner, Boissinot, Darte, Dupont de Dinechin, Rastello: "Computing liveness sets for SSA-form
//! programs", INRIA RR-7503, 2011; SSA form is not needed). That takes time for what is live and
//! no more. Generated code has functions of a hundred thousand blocks and registers, nearly all of
//! which are not live in any block but their own: a bit for each register and block would be
//! gigabytes.

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

    pub fn iter(&self) -> impl Iterator<Item = Reg> {
        self.0.iter().enumerate().flat_map(|(word, &bits)| {
            let next = |bits: &u64| Some(bits & (bits - 1)).filter(|_| *bits != 0).filter(|&rest| rest != 0);
            std::iter::successors(Some(bits).filter(|&bits| bits != 0), next)
                .map(move |bits| Reg::new(word * 64 + bits.trailing_zeros() as usize))
        })
    }
}

/// The registers that are live at the beginning of each block, in order.
pub struct Liveness {
    live_in: Vec<Vec<Reg>>,
}

/// Where registers are read and written, as far as it matters for others than their own block.
struct Accesses {
    /// Registers with blocks in which they are read before they are written.
    reads: Vec<(Reg, BlockId)>,
    /// The blocks that write each register, and the edges.
    writes: Vec<Vec<BlockId>>,
    copies: Vec<Vec<EdgeId>>,
    /// The ways into each block.
    arrivals: Vec<Vec<(BlockId, EdgeId)>>,
    /// How many ways there are so far, and which was the last to write each register.
    ways: u32,
    last_way: Vec<u32>,
}

impl Accesses {
    fn of(function: &Function) -> Accesses {
        let mut accesses = Accesses {
            reads: Vec::new(),
            writes: vec![Vec::new(); function.regs.len()],
            copies: vec![Vec::new(); function.regs.len()],
            arrivals: vec![Vec::new(); function.blocks.len()],
            ways: 0,
            last_way: vec![0; function.regs.len()],
        };
        for block in (0..function.blocks.len()).map(BlockId::new) {
            accesses.add(function, block);
        }
        accesses.reads.sort_unstable();
        accesses.reads.dedup();
        accesses
    }

    fn add(&mut self, function: &Function, block: BlockId) {
        let Accesses { reads, writes, copies, arrivals, ways, last_way } = self;
        let code = &function.code[function.block(block).start as usize..function.block(block).end as usize];
        for &inst in code {
            function.for_each_read(inst, |reg| {
                if writes[reg.index()].last() != Some(&block) {
                    reads.push((reg, block));
                }
            });
            function.for_each_write(inst, |reg| {
                if writes[reg.index()].last() != Some(&block) {
                    writes[reg.index()].push(block);
                }
            });
        }
        let Some(&last) = code.last() else { return };
        function.for_each_edge(last, |id| {
            let edge = function.edge(id);
            arrivals[edge.target.index()].push((block, id));
            *ways += 1;
            for &(dst, source) in edge.copies.iter() {
                if let Some(reg) = source.as_reg()
                    && writes[reg.index()].last() != Some(&block)
                    && last_way[reg.index()] != *ways
                {
                    reads.push((reg, block));
                }
                last_way[dst.index()] = *ways;
                copies[dst.index()].push(id);
            }
        });
    }
}

impl Liveness {
    pub fn of(function: &Function) -> Liveness {
        let Accesses { reads, writes, copies, arrivals, .. } = Accesses::of(function);
        let mut live_in: Vec<Vec<Reg>> = vec![Vec::new(); function.blocks.len()];
        // The last register that is known to be live in each block, or written there or by each
        // edge.
        let mut written_in: Vec<Option<Reg>> = vec![None; function.blocks.len()];
        let mut written_by: Vec<Option<Reg>> = vec![None; function.edges.len()];
        let mut waiting: Vec<BlockId> = Vec::new();
        for of_one in reads.chunk_by(|a, b| a.0 == b.0) {
            let reg = of_one[0].0;
            writes[reg.index()].iter().for_each(|block| written_in[block.index()] = Some(reg));
            copies[reg.index()].iter().for_each(|edge| written_by[edge.index()] = Some(reg));
            for &(_, block) in of_one {
                waiting.push(block);
                live_in[block.index()].push(reg);
            }
            while let Some(block) = waiting.pop() {
                for &(from, edge) in &arrivals[block.index()] {
                    if written_by[edge.index()] != Some(reg)
                        && written_in[from.index()] != Some(reg)
                        && live_in[from.index()].last() != Some(&reg)
                    {
                        live_in[from.index()].push(reg);
                        waiting.push(from);
                    }
                }
            }
        }
        Liveness { live_in }
    }

    /// In order.
    pub fn live_in(&self, block: BlockId) -> &[Reg] {
        &self.live_in[block.index()]
    }

    /// What is live before instruction `pc`, which is in `block`.
    pub fn before(&self, function: &Function, pc: usize, block: BlockId) -> RegSet {
        let end = function.block(block).end as usize;
        let mut live = RegSet::empty(function.regs.len());
        function.for_each_edge(function.code[end - 1], |edge| {
            let edge = function.edge(edge);
            let is_copied_to = |reg: &Reg| edge.copies.iter().any(|(dst, _)| dst == reg);
            let passed_on = self.live_in(edge.target).iter().filter(|reg| !is_copied_to(reg));
            passed_on.for_each(|&reg| live.insert(reg));
            for (index, (_, source)) in edge.copies.iter().enumerate() {
                if let Some(reg) = source.as_reg()
                    && edge.copies[..index].iter().all(|(dst, _)| *dst != reg)
                {
                    live.insert(reg);
                }
            }
        });
        for &inst in function.code[pc..end].iter().rev() {
            function.for_each_write(inst, |reg| live.remove(reg));
            function.for_each_read(inst, |reg| live.insert(reg));
        }
        live
    }
}
