//! How many instructions away the nearest block of some kind is, and the nearest return, over all functions: what KLEE calls the minimal distance to uncovered.
//!
//! Within a function the distance of an instruction is one more than that of its nearest successor. A call is either gone into, to a block that is wanted below it, or passed at the
//! cost of the shortest way through what is called. A call through a pointer may go to any function whose address is taken. What a path can reach after its functions have
//! returned follows from its call stack: [`Distances::from_stack`] adds that up.
//!
//! Ways to returns never change; ways to wanted blocks are computed anew by [`Distances::look_for`], from scratch: what is wanted only gets less, and distances that grow cannot
//! be repaired in place.

use crate::{BlockId, Callee, FuncId, Function, Inst, Program};

/// No way leads there.
const NEVER: u32 = u32::MAX;

/// Frames of a call stack that are looked at: behind so many returns everything is far away.
const DEEPEST: usize = 256;

/// Distances of all instructions of a program.
pub struct Distances {
    /// By function and instruction.
    to_return: Vec<Vec<u32>>,
    to_wanted: Vec<Vec<u32>>,
    calls: CallGraph,
    /// Is any block wanted?
    is_any: bool,
}

struct CallGraph {
    /// The functions that call each function, directly or perhaps through a pointer.
    callers: Vec<Vec<FuncId>>,
    by_pointer: Vec<FuncId>,
}

impl CallGraph {
    fn new(program: &Program) -> CallGraph {
        let functions = || program.functions.iter().enumerate();
        let by_pointer: Vec<FuncId> =
            functions().filter(|(_, function)| function.address_taken).map(|(index, _)| FuncId::new(index)).collect();
        let mut callers = vec![Vec::new(); program.functions.len()];
        for (index, function) in functions() {
            let caller = FuncId::new(index);
            for site in &function.calls {
                match site.callee {
                    Callee::Direct(callee) => callers[callee.index()].push(caller),
                    Callee::Indirect(_) => by_pointer.iter().for_each(|callee| callers[callee.index()].push(caller)),
                }
            }
        }
        callers.iter_mut().for_each(|callers| callers.dedup());
        CallGraph { callers, by_pointer }
    }

    /// The least of what `distance` gives for the functions that a call may go to.
    fn nearest(&self, callee: Callee, distance: impl Fn(FuncId) -> u32) -> u32 {
        match callee {
            Callee::Direct(callee) => distance(callee),
            Callee::Indirect(_) => self.by_pointer.iter().map(|&callee| distance(callee)).min().unwrap_or(NEVER),
        }
    }

    /// Computes distances until they do not change any more. `at` gives that of an instruction from that of what follows it.
    fn solve(
        &self,
        program: &Program,
        mut at: impl FnMut(&[Vec<u32>], FuncId, BlockId, Inst, u32) -> u32,
    ) -> Vec<Vec<u32>> {
        let mut distances: Vec<Vec<u32>> =
            program.functions.iter().map(|function| vec![NEVER; function.code.len()]).collect();
        let mut is_queued = vec![true; program.functions.len()];
        let mut queue: Vec<FuncId> = (0..program.functions.len()).map(FuncId::new).collect();
        while let Some(id) = queue.pop() {
            is_queued[id.index()] = false;
            let function = program.function(id);
            let before = entry(&distances, id);
            settle(function, |block, inst, pc, next| {
                let distance = at(&distances, id, block, inst, next);
                let is_nearer = distance < distances[id.index()][pc];
                if is_nearer {
                    distances[id.index()][pc] = distance;
                }
                (distances[id.index()][pc], is_nearer)
            });
            if entry(&distances, id) < before {
                for &caller in &self.callers[id.index()] {
                    if !std::mem::replace(&mut is_queued[caller.index()], true) {
                        queue.push(caller);
                    }
                }
            }
        }
        distances
    }
}

/// The distance from the beginning of a function.
fn entry(distances: &[Vec<u32>], function: FuncId) -> u32 {
    distances[function.index()].first().copied().unwrap_or(NEVER)
}

/// Visits the instructions of a function backwards, with the distance of what follows, until no visit makes anything nearer. A visit gives the instruction's distance and
/// whether it is nearer than before.
fn settle(function: &Function, mut visit: impl FnMut(BlockId, Inst, usize, u32) -> (u32, bool)) {
    let mut entries = vec![NEVER; function.blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (index, block) in function.blocks.iter().enumerate().rev() {
            let mut next = NEVER;
            function.for_each_edge(function.code[block.end as usize - 1], |edge| {
                next = next.min(entries[function.edge(edge).target.index()]);
            });
            for pc in (block.start as usize..block.end as usize).rev() {
                let (distance, is_nearer) = visit(BlockId::new(index), function.code[pc], pc, next);
                next = distance;
                changed |= is_nearer;
            }
            entries[index] = next;
        }
    }
}

impl Distances {
    /// Nothing is wanted yet.
    pub fn new(program: &Program) -> Distances {
        let calls = CallGraph::new(program);
        let to_return = calls.solve(program, |known, func, _, inst, next| match inst {
            Inst::Return { .. } => 1,
            Inst::Call { call } => {
                let callee = program.function(func).call(call).callee;
                passing(&calls, program, known, callee).saturating_add(next).saturating_add(1)
            }
            _ => next.saturating_add(1),
        });
        let to_wanted = program.functions.iter().map(|function| vec![NEVER; function.code.len()]).collect();
        Distances { to_return, to_wanted, calls, is_any: false }
    }

    /// From now on, these blocks are wanted.
    pub fn look_for(&mut self, program: &Program, is_wanted: impl Fn(FuncId, BlockId) -> bool) {
        let (calls, to_return) = (&self.calls, &self.to_return);
        let mut is_any = false;
        self.to_wanted = calls.solve(program, |known, func, block, inst, next| match inst {
            _ if is_wanted(func, block) => {
                is_any = true;
                1
            }
            Inst::Call { call } => {
                let callee = program.function(func).call(call).callee;
                let into = calls.nearest(callee, |callee| entry(known, callee));
                let past = passing(calls, program, to_return, callee).saturating_add(next);
                into.min(past).saturating_add(1)
            }
            _ => next.saturating_add(1),
        });
        self.is_any = is_any;
    }

    /// Instructions to the nearest wanted block for a path with these frames, innermost first, each with the instruction that it goes on at. An instruction of a wanted block is at distance 1.
    pub fn from_stack(&self, frames: impl IntoIterator<Item = (FuncId, u32)>) -> Option<u64> {
        if !self.is_any {
            return None;
        }
        let known = |distances: &[Vec<u32>], (func, pc): (FuncId, u32)| {
            distances[func.index()].get(pc as usize).copied().filter(|&distance| distance != NEVER).map(u64::from)
        };
        let mut nearest: Option<u64> = None;
        let mut returned = 0;
        for frame in frames.into_iter().take(DEEPEST) {
            if let Some(distance) = known(&self.to_wanted, frame) {
                nearest = Some(nearest.map_or(u64::MAX, |nearest| nearest).min(returned + distance));
            }
            match known(&self.to_return, frame) {
                Some(distance) => returned += distance,
                None => break,
            }
            if nearest.is_some_and(|nearest| nearest <= returned) {
                break;
            }
        }
        nearest
    }
}

/// The shortest way through what a call may go to. Functions without code return at once.
fn passing(calls: &CallGraph, program: &Program, to_return: &[Vec<u32>], callee: Callee) -> u32 {
    calls.nearest(callee, |callee| match program.function(callee).is_declaration() {
        true => 0,
        false => entry(to_return, callee),
    })
}
