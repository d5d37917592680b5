//! What was executed, over all paths: counters while paths run, and files, lines and branches made
//! of them in the end.
//!
//! Only edges and calls of functions are counted while paths run: one addition a jump. How often a
//! block was entered is the sum over the edges that lead to it. A block that paths entered was
//! executed to its end if one left it by an edge; where a path may stop short of that (calls that
//! may not return, errors, the end of the program) it leaves a mark, and what is behind the last
//! mark was not executed. A path is counted where it forked off, not from the beginning, so counts
//! are those of the exploration: they are lower than the sum over native runs of all tests.

use crate::Executor;
use crate::interpreter::image::Image;
use crate::paths::state::State;
use espalier_ir::{BlockId, EdgeId, FileId, FuncId, Function, Inst, Loc};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Where the entries of a function begin in the tables.
#[derive(Copy, Clone, Debug)]
struct First {
    block: u32,
    inst: u32,
}

/// Counters of everything that ran.
pub struct Coverage {
    /// Has the program, and the counters of its edges.
    image: Rc<Image>,
    /// Instructions that were executed, among those where a path may stop.
    marks: Vec<bool>,
    /// Has the block been entered?
    blocks: Vec<bool>,
    /// Instructions of each block.
    sizes: Vec<u32>,
    /// Is the block part of Espalier's runtime?
    runtime: Vec<bool>,
    first: Vec<First>,
    /// The two edges of each conditional branch of the user's own code.
    branches: Vec<(FuncId, [EdgeId; 2])>,
    discovered: u64,
}

/// What was executed, for another process that has the same program: functions, edges and
/// instructions by number, with how often where that is counted.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Covered {
    calls: Vec<(u32, u64)>,
    edges: Vec<(u32, u32, u64)>,
    blocks: Vec<u32>,
    marks: Vec<u32>,
}

impl Covered {
    /// Adds what was executed elsewhere.
    pub fn add(&mut self, other: &Covered) {
        self.combine(other, |ours, theirs| ours + theirs);
    }

    /// What was executed in either of two runs. What both have may be one and the same path, so how
    /// often it was is the larger number, not the sum.
    pub fn unite(&mut self, other: &Covered) {
        self.combine(other, u64::max);
    }

    fn combine(&mut self, other: &Covered, combine: impl Fn(u64, u64) -> u64) {
        let mut calls: BTreeMap<u32, u64> = self.calls.iter().copied().collect();
        for &(function, count) in &other.calls {
            let known = calls.entry(function).or_default();
            *known = combine(*known, count);
        }
        self.calls = calls.into_iter().collect();
        let mut edges: BTreeMap<(u32, u32), u64> =
            self.edges.iter().map(|&(function, edge, count)| ((function, edge), count)).collect();
        for &(function, edge, count) in &other.edges {
            let known = edges.entry((function, edge)).or_default();
            *known = combine(*known, count);
        }
        self.edges = edges.into_iter().map(|((function, edge), count)| (function, edge, count)).collect();
        for (ours, theirs) in [(&mut self.blocks, &other.blocks), (&mut self.marks, &other.marks)] {
            ours.extend(theirs);
            ours.sort_unstable();
            ours.dedup();
        }
    }

    /// The blocks alone, for those who want to know what is new and not how often it was.
    pub fn blocks(self) -> Covered {
        Covered { blocks: self.blocks, ..Covered::default() }
    }
}

/// Conditional branches of the user's own code.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct BranchCounts {
    pub total: u64,
    /// Taken both ways.
    pub full: u64,
    /// Taken one way only.
    pub partial: u64,
}

impl Coverage {
    pub(crate) fn new(image: Rc<Image>) -> Coverage {
        let functions = &image.program().functions;
        let blocks = || functions.iter().flat_map(|f| f.blocks.iter().map(move |b| (f.is_runtime, b.end - b.start)));
        let mut next = First { block: 0, inst: 0 };
        let first = functions.iter().map(|function| {
            let after = First {
                block: next.block + function.blocks.len() as u32,
                inst: next.inst + function.code.len() as u32,
            };
            std::mem::replace(&mut next, after)
        });
        let first: Vec<First> = first.collect();
        Coverage {
            marks: vec![false; next.inst as usize],
            blocks: vec![false; next.block as usize],
            sizes: blocks().map(|(_, size)| size).collect(),
            runtime: blocks().map(|(runtime, _)| runtime).collect(),
            first,
            branches: conditional_branches(functions),
            discovered: 0,
            image,
        }
    }

    pub fn covered(&self) -> Covered {
        let set = |flags: &[bool]| (0..).zip(flags).filter(|(_, is_set)| **is_set).map(|(number, _)| number).collect();
        let mut covered =
            Covered { blocks: set(&self.blocks), marks: set(&self.marks), calls: Vec::new(), edges: Vec::new() };
        for (function, loaded) in (0..).zip(&self.image.functions) {
            if loaded.calls.get() > 0 {
                covered.calls.push((function, loaded.calls.get()));
            }
            let taken = (0..).zip(&loaded.edges).map(|(edge, loaded)| (function, edge, loaded.count.get()));
            covered.edges.extend(taken.filter(|&(.., count)| count > 0));
        }
        covered
    }

    /// Sets what was executed. Numbers that the program does not have are left out.
    pub(crate) fn restore(&mut self, covered: &Covered) {
        for &(function, count) in &covered.calls {
            self.image.functions.get(function as usize).iter().for_each(|loaded| loaded.calls.set(count));
        }
        for &(function, edge, count) in &covered.edges {
            let loaded = self.image.functions.get(function as usize);
            loaded.and_then(|loaded| loaded.edges.get(edge as usize)).iter().for_each(|edge| edge.count.set(count));
        }
        for (flags, numbers) in [(&mut self.blocks, &covered.blocks), (&mut self.marks, &covered.marks)] {
            for &number in numbers {
                flags.get_mut(number as usize).into_iter().for_each(|flag| *flag = true);
            }
        }
        self.discovered = self.covered_blocks();
    }

    /// A path took an edge. Did it enter a block that no path had entered? The loop of plain
    /// instructions counts by itself, and calls `enter_by` the first time.
    pub(crate) fn take_edge(&mut self, function: FuncId, edge: EdgeId) -> bool {
        let count = &self.image.functions[function.index()].edges[edge.index()].count;
        count.set(count.get() + 1);
        count.get() == 1 && self.enter_by(function, edge)
    }

    /// As `enter`, for the block that an edge leads to.
    #[cold]
    pub(crate) fn enter_by(&mut self, function: FuncId, edge: EdgeId) -> bool {
        let target = self.image.program().function(function).edge(edge).target;
        self.enter(function, target)
    }

    /// A path called a function. Is it the first? The loop of plain instructions counts by itself,
    /// and calls `enter` the first time.
    pub(crate) fn call(&mut self, function: FuncId) -> bool {
        let calls = &self.image.functions[function.index()].calls;
        calls.set(calls.get() + 1);
        calls.get() == 1 && self.enter(function, BlockId(0))
    }

    fn call_count(&self, function: FuncId) -> u64 {
        self.image.functions[function.index()].calls.get()
    }

    /// Is the path the first that enters the block?
    #[cold]
    pub(crate) fn enter(&mut self, function: FuncId, block: BlockId) -> bool {
        let index = (self.first[function.index()].block + block.0) as usize;
        let is_new = !std::mem::replace(&mut self.blocks[index], true);
        if is_new && !self.runtime[index] {
            self.discovered += 1;
        }
        is_new
    }

    /// A path executed this instruction, and perhaps nothing behind it.
    pub(crate) fn mark(&mut self, function: FuncId, pc: u32) {
        self.marks[(self.first[function.index()].inst + pc) as usize] = true;
    }

    /// Blocks of the user's own code that were entered: grows whenever a path enters one that none
    /// had.
    pub fn discovered(&self) -> u64 {
        self.discovered
    }

    /// Has any path entered the block? Blocks of Espalier's runtime count as entered.
    pub fn is_known(&self, function: FuncId, block: BlockId) -> bool {
        let index = (self.first[function.index()].block + block.0) as usize;
        self.blocks[index] || self.runtime[index]
    }

    fn edge_count(&self, function: FuncId, edge: EdgeId) -> u64 {
        self.image.functions[function.index()].edges[edge.index()].count.get()
    }

    /// How often each block of a function was entered.
    fn block_counts(&self, id: FuncId, function: &Function) -> Vec<u64> {
        let mut counts = vec![0; function.blocks.len()];
        if let Some(entry) = counts.first_mut() {
            *entry = self.call_count(id);
        }
        for (index, edge) in function.edges.iter().enumerate() {
            counts[edge.target.index()] += self.edge_count(id, EdgeId::new(index));
        }
        counts
    }

    /// How often each instruction of a function was executed, as far as blocks tell.
    pub(crate) fn instruction_counts(&self, id: FuncId) -> Vec<u64> {
        let function = self.image.program().function(id);
        let mut counts = vec![0; function.code.len()];
        for (index, count) in self.block_counts(id, function).into_iter().enumerate() {
            let start = function.blocks[index].start as usize;
            let end = self.end_of_execution(id, function, index) as usize;
            counts[start..end.max(start)].fill(count);
        }
        counts
    }

    /// How often the block with this instruction was entered.
    pub fn count_at(&self, id: FuncId, pc: u32) -> u64 {
        let function = self.image.program().function(id);
        let Some(block) = function.blocks.iter().position(|block| (block.start..block.end).contains(&pc)) else {
            return 0;
        };
        let into = function.edges.iter().enumerate().filter(|(_, edge)| edge.target.index() == block);
        let entered: u64 = into.map(|(index, _)| self.edge_count(id, EdgeId::new(index))).sum();
        if block == 0 { entered + self.call_count(id) } else { entered }
    }

    /// The instruction behind the last one of a block that was executed.
    fn end_of_execution(&self, id: FuncId, function: &Function, block: usize) -> u32 {
        let First { block: first_block, inst, .. } = self.first[id.index()];
        let espalier_ir::Block { start, end } = function.blocks[block];
        if !self.blocks[first_block as usize + block] {
            return start;
        }
        let mut is_left = false;
        function.for_each_edge(function.code[end as usize - 1], |edge| is_left |= self.edge_count(id, edge) > 0);
        let mark = (start..end).rev().find(|pc| self.marks[(inst + pc) as usize]);
        match mark {
            Some(pc) if !is_left => pc + 1,
            _ => end,
        }
    }

    fn count(&self, weight: impl Fn(usize) -> u64, covered_only: bool) -> u64 {
        (0..self.blocks.len()).filter(|&i| !self.runtime[i] && (self.blocks[i] || !covered_only)).map(weight).sum()
    }

    /// Blocks of the user's own code (Espalier's runtime is left out).
    pub fn total_blocks(&self) -> u64 {
        self.count(|_| 1, false)
    }

    pub fn covered_blocks(&self) -> u64 {
        self.count(|_| 1, true)
    }

    pub fn total_instructions(&self) -> u64 {
        self.count(|i| self.sizes[i] as u64, false)
    }

    pub fn covered_instructions(&self) -> u64 {
        self.count(|i| self.sizes[i] as u64, true)
    }

    pub fn branches(&self) -> BranchCounts {
        let mut counts = BranchCounts { total: self.branches.len() as u64, ..BranchCounts::default() };
        for &(function, edges) in &self.branches {
            match edges.iter().filter(|&&edge| self.edge_count(function, edge) > 0).count() {
                2 => counts.full += 1,
                1 => counts.partial += 1,
                _ => {}
            }
        }
        counts
    }

    /// What was executed of the user's files.
    pub fn files(&self) -> BTreeMap<FileId, FileCoverage> {
        let program = self.image.program();
        let mut files: BTreeMap<FileId, FileCoverage> = BTreeMap::new();
        let is_user_file = |loc: Loc| loc.is_known() && !is_system_file(program.file_name(loc.file));
        for (index, function) in program.functions.iter().enumerate() {
            if function.is_runtime || function.is_declaration() {
                continue;
            }
            let id = FuncId::new(index);
            let counts = self.block_counts(id, function);
            // A line is executed as often as the block of it that was entered most; what several
            // functions make of one line (inline functions) adds up.
            let mut lines: BTreeMap<(FileId, u32), u64> = BTreeMap::new();
            for (index, block) in function.blocks.iter().enumerate() {
                let end = self.end_of_execution(id, function, index);
                let own = (block.start..block.end).map(|pc| (pc, function.locs[pc as usize]));
                let passed = function.passed_in(block).iter().copied();
                for (pc, loc) in own.chain(passed).filter(|&(_, loc)| is_user_file(loc)) {
                    let line = lines.entry((loc.file, loc.line)).or_default();
                    *line = (*line).max(if pc < end { counts[index] } else { 0 });
                }
            }
            // Compilers' own coverage counts the line where a function begins, whether it has code
            // or not.
            if is_user_file(function.loc) {
                let line = lines.entry((function.loc.file, function.loc.line)).or_default();
                *line = (*line).max(self.call_count(FuncId::new(index)));
            }
            for ((file, line), count) in lines {
                *files.entry(file).or_default().lines.entry(line).or_default() += count;
            }
            if is_user_file(function.loc) {
                let file = files.entry(function.loc.file).or_default();
                file.functions.push(FunctionCoverage {
                    name: function.name.clone(),
                    line: function.loc.line,
                    calls: self.call_count(FuncId::new(index)),
                });
            }
            for (index, block) in function.blocks.iter().enumerate() {
                let loc = function.locs[block.end as usize - 1];
                let ways = ways(function, function.code[block.end as usize - 1]);
                if ways.len() > 1 && is_user_file(loc) {
                    let taken = ways.iter().map(|edges| edges.iter().map(|&edge| self.edge_count(id, edge)).sum());
                    let branch = Branch { line: loc.line, is_reached: counts[index] > 0, taken: taken.collect() };
                    files.entry(loc.file).or_default().branches.push(branch);
                }
            }
        }
        files
    }
}

fn conditional_branches(functions: &[Function]) -> Vec<(FuncId, [EdgeId; 2])> {
    let mut branches = Vec::new();
    for (index, function) in functions.iter().enumerate().filter(|(_, function)| !function.is_runtime) {
        branches.extend(function.code.iter().filter_map(|inst| match *inst {
            Inst::Branch { then, otherwise, .. } => Some((FuncId::new(index), [then, otherwise])),
            _ => None,
        }));
    }
    branches
}

/// The ways on from a terminator: the edges to each block that it may lead to.
fn ways(function: &Function, terminator: Inst) -> Vec<Vec<EdgeId>> {
    let mut ways: Vec<(BlockId, Vec<EdgeId>)> = Vec::new();
    function.for_each_edge(terminator, |edge| {
        let target = function.edge(edge).target;
        match ways.iter_mut().find(|(known, _)| *known == target) {
            Some((_, edges)) if edges.contains(&edge) => {}
            Some((_, edges)) => edges.push(edge),
            None => ways.push((target, vec![edge])),
        }
    });
    ways.into_iter().map(|(_, edges)| edges).collect()
}

/// Is it a header of the system or the compiler?
fn is_system_file(path: &str) -> bool {
    path.starts_with("/usr/include/") || path.starts_with("/usr/lib/") || path.contains("/lib/clang/")
}

/// What was executed of one file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FileCoverage {
    /// Lines with code, and how often each was executed.
    pub lines: BTreeMap<u32, u64>,
    pub functions: Vec<FunctionCoverage>,
    /// Decisions, in the order of the code.
    pub branches: Vec<Branch>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionCoverage {
    pub name: String,
    pub line: u32,
    pub calls: u64,
}

/// A decision, and how often each way on was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    pub line: u32,
    pub is_reached: bool,
    pub taken: Vec<u64>,
}

impl Executor {
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// Begins with what was executed before.
    pub fn restore_coverage(&mut self, covered: &Covered) {
        self.coverage.restore(covered);
    }

    /// The path stops where it is, for good or because the run is over.
    pub fn note_stop(&mut self, state: &State) {
        let Some(last) = state.top.pc.checked_sub(1) else { return };
        let image = self.image.clone();
        // Behind a jump the path is at the beginning of another block, and has executed nothing of
        // it.
        match image.program().function(state.top.func).code.get(last as usize) {
            None | Some(Inst::Jump { .. } | Inst::Branch { .. } | Inst::Switch { .. } | Inst::IndirectJump { .. }) => {}
            Some(_) => self.coverage.mark(state.top.func, last),
        }
    }
}
