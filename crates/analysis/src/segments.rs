//! Code in stretches that are executed as one: blocks, cut behind their calls. What ways there are
//! through a program depends on these alone, and they are a fifth of its instructions.

use crate::calls::CallGraph;
use crate::{Graphs, Site};
use espalier_ir::{BlockId, CallId, Callee, FuncId, Inst, Program};

/// The number of a stretch among those of all functions.
pub(crate) type Segment = u32;

pub(crate) struct Segments {
    /// By function, the number of its first; and one more.
    first: Vec<Segment>,
    /// Where each begins and how many instructions it has, without marks.
    starts: Vec<u32>,
    weights: Vec<u32>,
    functions: Vec<FuncId>,
    /// By callee, those that end in calls of it by name, one list behind the other.
    calls: Vec<Segment>,
    calls_start: Vec<u32>,
    /// By kind of calls through pointers, those that end in one.
    pub(crate) pointer_calls: Vec<Vec<Segment>>,
    /// By function, the kinds of calls through pointers that may go to it.
    pub(crate) kinds: Vec<Vec<u32>>,
}

/// How a stretch ends.
#[derive(Copy, Clone)]
pub(crate) enum Ending {
    Call(CallId),
    Return,
    /// Goes on in other blocks, or not at all.
    Block(BlockId),
}

impl Segments {
    pub(crate) fn of(program: &Program, graph: &CallGraph) -> Segments {
        let functions = program.functions.len();
        let mut segments = Segments {
            first: Vec::with_capacity(functions + 1),
            starts: Vec::new(),
            weights: Vec::new(),
            functions: Vec::new(),
            calls: Vec::new(),
            calls_start: Vec::with_capacity(functions + 1),
            pointer_calls: Vec::new(),
            kinds: vec![Vec::new(); functions],
        };
        for (function, index) in program.functions.iter().zip(0..) {
            segments.first.push(segments.starts.len() as Segment);
            for block in &function.blocks {
                let mut start = block.start;
                for pc in block.start..block.end {
                    if pc + 1 == block.end || matches!(function.code[pc as usize], Inst::Call { .. }) {
                        segments.starts.push(start);
                        segments.weights.push(weight(&function.code[start as usize..=pc as usize]));
                        segments.functions.push(FuncId(index));
                        start = pc + 1;
                    }
                }
            }
        }
        segments.first.push(segments.starts.len() as Segment);
        for callee in (0..functions).map(FuncId::new) {
            segments.calls_start.push(segments.calls.len() as u32);
            let sites = graph.direct_calls(callee).iter().map(|&site| segments.at(site));
            let sites: Vec<Segment> = sites.collect();
            segments.calls.extend(sites);
        }
        segments.calls_start.push(segments.calls.len() as u32);
        for (kind, number) in graph.pointer_calls().iter().zip(0..) {
            let sites = kind.sites.iter().map(|&site| segments.at(site)).collect();
            segments.pointer_calls.push(sites);
            kind.callees.iter().for_each(|callee| segments.kinds[callee.index()].push(number));
        }
        segments
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The stretch that an instruction is in.
    pub(crate) fn at(&self, site: Site) -> Segment {
        let (first, end) = (self.first[site.func.index()], self.first[site.func.index() + 1]);
        let starts = &self.starts[first as usize..end as usize];
        first + starts.partition_point(|&start| start <= site.pc).saturating_sub(1) as Segment
    }

    /// Those of a function; the first is its beginning.
    pub(crate) fn of_function(&self, function: FuncId) -> std::ops::Range<Segment> {
        self.first[function.index()]..self.first[function.index() + 1]
    }

    pub(crate) fn function(&self, segment: Segment) -> FuncId {
        self.functions[segment as usize]
    }

    /// Is it the beginning of its function?
    pub(crate) fn is_entry(&self, segment: Segment) -> bool {
        self.first[self.function(segment).index()] == segment
    }

    pub(crate) fn start(&self, segment: Segment) -> u32 {
        self.starts[segment as usize]
    }

    pub(crate) fn weight(&self, segment: Segment) -> u32 {
        self.weights[segment as usize]
    }

    /// Behind its last instruction.
    pub(crate) fn end(&self, program: &Program, segment: Segment) -> u32 {
        match self.starts.get(segment as usize + 1) {
            Some(&next) if next > self.start(segment) => next,
            _ => program.function(self.function(segment)).code.len() as u32,
        }
    }

    pub(crate) fn ending(&self, program: &Program, segment: Segment) -> Ending {
        let function = program.function(self.function(segment));
        let last = self.end(program, segment) - 1;
        match function.code[last as usize] {
            Inst::Call { call } => Ending::Call(call),
            Inst::Return { .. } => Ending::Return,
            _ => Ending::Block(function.block_at(last).unwrap_or(BlockId(0))),
        }
    }

    /// What a stretch that ends in a call calls.
    pub(crate) fn callee(&self, program: &Program, segment: Segment, call: CallId) -> Callee {
        program.function(self.function(segment)).call(call).callee
    }

    /// The stretches that end in calls of a function by name.
    pub(crate) fn calls_of(&self, callee: FuncId) -> &[Segment] {
        let (start, end) = (self.calls_start[callee.index()], self.calls_start[callee.index() + 1]);
        &self.calls[start as usize..end as usize]
    }

    /// Calls `visit` with what comes right before a stretch in its function: the one that ends in
    /// a call (`true`), or those that end the blocks before.
    pub(crate) fn for_each_before(
        &self,
        program: &Program,
        graphs: &Graphs,
        segment: Segment,
        mut visit: impl FnMut(Segment, bool),
    ) {
        let (func, start) = (self.function(segment), self.start(segment));
        let function = program.function(func);
        let Some(block) = function.block_at(start) else { return };
        if function.block(block).start != start {
            return visit(segment - 1, true);
        }
        for &before in graphs.function(func).predecessors(block) {
            visit(self.at(Site { func, pc: function.block(before).end - 1 }), false);
        }
    }

    /// The stretch that a block begins with.
    pub(crate) fn of_block(&self, program: &Program, func: FuncId, block: BlockId) -> Segment {
        self.at(Site { func, pc: program.function(func).block(block).start })
    }
}

/// Instructions without marks.
pub(crate) fn weight(code: &[Inst]) -> u32 {
    code.iter().filter(|inst| !matches!(inst, Inst::Target { .. })).count() as u32
}
