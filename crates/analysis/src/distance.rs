//! How many instructions away the nearest block of some kind is, and the nearest return, over all
//! functions: what KLEE calls the minimal distance to uncovered.
//!
//! Within a function the distance of an instruction is one more than that of its nearest successor.
//! A call is either gone into, to a block that is wanted below it, or passed at the cost of the
//! shortest way through what is called. A call through a pointer may go to any function whose
//! address is taken. What a path can reach after its functions have returned follows from its call
//! stack: [`Distances::from_stack`] adds that up.
//!
//! Ways to returns never change; ways to wanted blocks are computed anew by
//! [`Distances::look_for`], from scratch: what is wanted only gets less, and distances that grow
//! cannot be repaired in place. But functions that are wanted as a whole are not visited, and while
//! coverage is looked for most functions of a library are.

use crate::calls::CallGraph;
use crate::{Cfg, Graphs};
use espalier_ir::{BlockId, Callee, FuncId, Function, Inst, Program};
use std::rc::Rc;

/// No way leads there.
const NEVER: u32 = u32::MAX;

/// Frames of a call stack that are looked at: behind so many returns everything is far away.
const DEEPEST: usize = 256;

/// Distances of all instructions of a program.
pub struct Distances {
    to_return: Table,
    to_wanted: Table,
    graphs: Rc<Graphs>,
    calls: CallGraph,
    /// Functions that were wanted as a whole when distances were last computed.
    whole: Vec<bool>,
    /// Is any block wanted?
    is_any: bool,
}

/// Computes the distances of the functions in `queue` until they do not change any more; those of
/// others stay. `at` gives that of an instruction from those of the beginnings of functions and
/// that of what follows it.
fn solve(
    program: &Program,
    graphs: &Graphs,
    calls: &CallGraph,
    table: &mut Table,
    mut queue: Vec<FuncId>,
    mut at: impl FnMut(&[u32], FuncId, BlockId, Inst, u32) -> u32,
) {
    // Those that stay count as queued too, so that they never are.
    let mut is_queued = vec![true; program.functions.len()];
    while let Some(id) = queue.pop() {
        is_queued[id.index()] = false;
        let Table { distances, beginnings } = table;
        let distances = &mut distances[id.index()];
        settle(program.function(id), graphs.function(id), distances, |block, inst, next| {
            at(beginnings, id, block, inst, next)
        });
        let beginning = distances.first().copied().unwrap_or(NEVER);
        if beginning < std::mem::replace(&mut beginnings[id.index()], beginning) {
            for &caller in calls.callers(id) {
                if !std::mem::replace(&mut is_queued[caller.index()], true) {
                    queue.push(caller);
                }
            }
        }
    }
}

/// Distances by function and instruction, and those of the functions' first instructions.
struct Table {
    distances: Vec<Vec<u32>>,
    beginnings: Vec<u32>,
}

impl Table {
    fn new(program: &Program) -> Table {
        let functions = &program.functions;
        let distances = functions.iter().map(|function| vec![NEVER; function.code.len()]).collect();
        Table { distances, beginnings: vec![NEVER; functions.len()] }
    }

    fn fill(&mut self, function: usize, distance: u32) {
        let distances = &mut self.distances[function];
        distances.fill(distance);
        self.beginnings[function] = if distances.is_empty() { NEVER } else { distance };
    }

    fn get(&self, (func, pc): (FuncId, u32)) -> Option<u64> {
        let distance = self.distances[func.index()].get(pc as usize).copied();
        distance.filter(|&distance| distance != NEVER).map(u64::from)
    }
}

/// Brings the instructions of a function as near as `at` has them, given what follows each:
/// backwards, and a block again only when what follows it got nearer.
fn settle(function: &Function, cfg: &Cfg, distances: &mut [u32], mut at: impl FnMut(BlockId, Inst, u32) -> u32) {
    let mut entries: Vec<u32> = function.blocks.iter().map(|block| distances[block.start as usize]).collect();
    let mut followed_by = vec![None; function.blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (index, block) in function.blocks.iter().enumerate().rev() {
            let (start, end) = (block.start as usize, block.end as usize);
            let following = cfg.successors(BlockId::new(index)).iter().map(|block| entries[block.index()]);
            let mut next = following.min().unwrap_or(NEVER);
            if followed_by[index].replace(next) == Some(next) {
                continue;
            }
            for (inst, distance) in function.code[start..end].iter().zip(&mut distances[start..end]).rev() {
                next = at(BlockId::new(index), *inst, next).min(*distance);
                *distance = next;
            }
            changed |= next < std::mem::replace(&mut entries[index], next);
        }
    }
}

impl Distances {
    /// Nothing is wanted yet.
    pub fn new(program: &Program, graphs: Rc<Graphs>) -> Distances {
        let calls = CallGraph::of(program);
        let mut to_return = Table::new(program);
        let all = (0..program.functions.len()).map(FuncId::new).collect();
        solve(program, &graphs, &calls, &mut to_return, all, |known, func, _, inst, next| match inst {
            Inst::Return { .. } => 1,
            Inst::Call { call } => {
                let callee = program.function(func).call(call).callee;
                passing(&calls, program, known, callee).saturating_add(next).saturating_add(1)
            }
            _ => next.saturating_add(1),
        });
        let whole = vec![false; program.functions.len()];
        Distances { to_return, to_wanted: Table::new(program), graphs, calls, whole, is_any: false }
    }

    /// From now on, these blocks are wanted. How many instructions had to be looked at?
    pub fn look_for(&mut self, program: &Program, is_wanted: impl Fn(FuncId, BlockId) -> bool) -> u64 {
        let mut in_part = Vec::new();
        self.is_any = false;
        for (index, function) in program.functions.iter().enumerate() {
            let id = FuncId::new(index);
            let mut wanted = (0..function.blocks.len()).map(|block| is_wanted(id, BlockId::new(block)));
            let is_whole = wanted.all(|is_wanted| is_wanted);
            let was_whole = std::mem::replace(&mut self.whole[index], is_whole);
            if !is_whole {
                self.to_wanted.fill(index, NEVER);
                in_part.push(id);
            } else if !was_whole {
                self.to_wanted.fill(index, 1);
            }
            self.is_any |= is_whole && !function.is_declaration();
        }
        let visited = in_part.iter().map(|&id| program.function(id).code.len() as u64).sum();
        let Distances { graphs, calls, to_return, to_wanted, is_any, .. } = self;
        solve(program, graphs, calls, to_wanted, in_part, |known, func, block, inst, next| match inst {
            _ if is_wanted(func, block) => {
                *is_any = true;
                1
            }
            Inst::Call { call } => {
                let callee = program.function(func).call(call).callee;
                let into = nearest(calls, callee, |callee| known[callee.index()]);
                let past = passing(calls, program, &to_return.beginnings, callee).saturating_add(next);
                into.min(past).saturating_add(1)
            }
            _ => next.saturating_add(1),
        });
        visited
    }

    /// Instructions to the nearest wanted block for a path with these frames, innermost first, each
    /// with the instruction that it goes on at. An instruction of a wanted block is at distance 1.
    pub fn from_stack(&self, frames: impl IntoIterator<Item = (FuncId, u32)>) -> Option<u64> {
        if !self.is_any {
            return None;
        }
        let mut nearest: Option<u64> = None;
        let mut returned = 0;
        for frame in frames.into_iter().take(DEEPEST) {
            if let Some(distance) = self.to_wanted.get(frame) {
                nearest = Some(nearest.map_or(u64::MAX, |nearest| nearest).min(returned + distance));
            }
            match self.to_return.get(frame) {
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

/// The least of what `distance` gives for the functions that a call may go to.
fn nearest(calls: &CallGraph, callee: Callee, distance: impl Fn(FuncId) -> u32) -> u32 {
    calls.callees(&callee).iter().map(|&callee| distance(callee)).min().unwrap_or(NEVER)
}

/// The shortest way through what a call may go to. Functions without code return at once.
fn passing(calls: &CallGraph, program: &Program, to_return: &[u32], callee: Callee) -> u32 {
    nearest(calls, callee, |callee| match program.function(callee).is_declaration() {
        true => 0,
        false => to_return[callee.index()],
    })
}
