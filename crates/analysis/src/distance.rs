//! How many instructions away the nearest of some places is, over all functions: what KLEE calls
//! the minimal distance to uncovered, and what the directed symbolic execution of Ma, Khoo, Foster
//! and Hicks (CS-TR-4979) goes by. Calls and returns are matched: their PN paths.
//!
//! - S, *ways to returns*: from each instruction to a return of its function. A call is passed at
//!   the cost of the shortest way through what it calls.
//! - N, *ways to places*: a call is either passed, or gone into and not returned from.
//! - P, what a path can reach once its functions have returned, follows from its call stack:
//!   [`Distances::from_stack`] adds that up.
//!
//! Both are computed with Knuth's generalisation of Dijkstra's algorithm, backwards over stretches
//! of code (see `segments`): each is settled once, and a call can be passed from the moment that
//! the beginning of what it calls is settled. What is kept is the distance behind the end of each
//! stretch, and of functions that lead to no place, nothing. Marks weigh nothing, so that asking
//! about places moves none.
//!
//! A call through a pointer goes to functions that take and give what it passes and expects: this
//! guides, and proves nothing.

use crate::calls::{CallGraph, PointerCalls};
use crate::segments::{Ending, Segment, Segments, weight};
use crate::{Graphs, Site};
use espalier_ir::{Callee, FuncId, Function, Program};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::rc::Rc;

/// No way leads there.
const NEVER: u32 = u32::MAX;

/// Frames of a call stack that are looked at: behind so many returns everything is far away.
const DEEPEST: usize = 256;

/// What one frame more to return from counts if only the running function is looked at.
const FRAME: u64 = 10_000;

/// How far distances look.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Through calls and returns.
    Program,
    /// One function at a time: a call from which a place can be reached is as good as the place,
    /// and any other is one instruction.
    Function,
}

/// What all distances of a program are computed from.
pub struct Distances {
    graphs: Rc<Graphs>,
    calls: CallGraph,
    segments: Segments,
    /// By stretch: to a return of its function from behind its end.
    returns: Vec<u32>,
    /// The same if calls are one instruction each.
    plain_returns: Vec<u32>,
    /// To a return.
    through: ByCallee,
}

/// Distances from the beginnings of functions.
struct ByCallee {
    functions: Vec<u32>,
    /// By kind of calls through pointers: the least of those that it may go to.
    kinds: Vec<u32>,
}

/// Ways to places.
pub struct Ways {
    scope: Scope,
    /// By function that leads to one and by its stretches: from behind the end of each.
    tables: Vec<Option<Box<[u32]>>>,
    /// The places, in order, with their own distances.
    places: Vec<(Site, u32)>,
    /// Stretches that had to be looked at.
    pub work: u64,
}

impl ByCallee {
    fn new(calls: &CallGraph, functions: Vec<u32>) -> ByCallee {
        let least = |kind: &PointerCalls| kind.callees.iter().map(|callee| functions[callee.index()]).min();
        let kinds = calls.pointer_calls().iter().map(|kind| least(kind).unwrap_or(NEVER)).collect();
        ByCallee { functions, kinds }
    }
}

/// Distances from the beginning of one function.
pub struct FromEntry<'a> {
    of: &'a Distances,
    program: &'a Program,
    /// By stretch: to its beginning.
    distances: Vec<u32>,
}

impl FromEntry<'_> {
    /// `None` if no way leads there.
    pub fn to(&self, site: Site) -> Option<u64> {
        let segment = self.of.segments.at(site);
        let distance = *self.distances.get(segment as usize).filter(|distance| **distance != NEVER)?;
        let start = self.of.segments.start(segment);
        let code = self.program.function(site.func).code.get(start as usize..site.pc as usize)?;
        Some(u64::from(distance) + u64::from(weight(code)))
    }
}

/// Stretches that wait for being settled, nearest first.
struct Frontier {
    /// From the beginning of each.
    distances: Vec<u32>,
    heap: BinaryHeap<Reverse<(u32, Segment)>>,
    is_settled: Vec<bool>,
    work: u64,
}

impl Frontier {
    fn new(segments: usize) -> Frontier {
        let (distances, is_settled) = (vec![NEVER; segments], vec![false; segments]);
        Frontier { distances, heap: BinaryHeap::new(), is_settled, work: 0 }
    }

    /// There is a way of this length.
    fn offer(&mut self, segment: Segment, distance: u32) {
        self.work += 1;
        let known = &mut self.distances[segment as usize];
        if distance < *known {
            *known = distance;
            self.heap.push(Reverse((distance, segment)));
        }
    }

    fn settle_next(&mut self) -> Option<(Segment, u32)> {
        while let Some(Reverse((distance, segment))) = self.heap.pop() {
            if !std::mem::replace(&mut self.is_settled[segment as usize], true) {
                return Some((segment, distance));
            }
        }
        None
    }

    /// What is known for sure.
    fn settled(&self, segment: Segment) -> Option<u32> {
        self.is_settled[segment as usize].then(|| self.distances[segment as usize])
    }
}

impl Distances {
    pub fn new(program: &Program, graphs: Rc<Graphs>) -> Distances {
        let calls = CallGraph::of(program);
        let segments = Segments::of(program, &calls);
        // Functions without code return at once.
        let at_once = |function: &Function| if function.is_declaration() { 0 } else { NEVER };
        let through = ByCallee::new(&calls, program.functions.iter().map(at_once).collect());
        let mut distances =
            Distances { graphs, calls, segments, returns: Vec::new(), plain_returns: Vec::new(), through };
        distances.find_returns(program);
        distances
    }

    fn find_returns(&mut self, program: &Program) {
        let segments = &self.segments;
        let is_returning = |segment: &Segment| matches!(segments.ending(program, *segment), Ending::Return);
        let returning: Vec<Segment> = (0..segments.len() as Segment).filter(is_returning).collect();
        let (mut frontier, mut plain) = (Frontier::new(segments.len()), Frontier::new(segments.len()));
        for &segment in &returning {
            frontier.offer(segment, segments.weight(segment));
            plain.offer(segment, segments.weight(segment));
        }
        while let Some((segment, distance)) = frontier.settle_next() {
            self.offer_before(program, &mut frontier, segment, distance);
            let segments = &self.segments;
            if segments.is_entry(segment) {
                let function = segments.function(segment);
                self.through.functions[function.index()] = distance;
                pass(&mut frontier, segments, segments.calls_of(function), distance);
                for &kind in &segments.kinds[function.index()] {
                    let known = &mut self.through.kinds[kind as usize];
                    if *known == NEVER {
                        *known = distance;
                        pass(&mut frontier, segments, &segments.pointer_calls[kind as usize], distance);
                    }
                }
            }
        }
        self.settle_functions(program, &mut plain);
        let mut returns =
            self.behind_ends(program, &frontier, |segment, next| sum([self.passing(program, segment), next]));
        let mut plain_returns = self.behind_ends(program, &plain, |_, next| next);
        for segment in returning {
            (returns[segment as usize], plain_returns[segment as usize]) = (0, 0);
        }
        (self.returns, self.plain_returns) = (returns, plain_returns);
    }

    /// A stretch is settled: what comes before it in its function may be.
    fn offer_before(&self, program: &Program, frontier: &mut Frontier, segment: Segment, distance: u32) {
        self.segments.for_each_before(program, &self.graphs, segment, |before, is_call| {
            let past = if is_call { self.passing(program, before) } else { 0 };
            if past != NEVER {
                frontier.offer(before, sum([distance, self.segments.weight(before), past]));
            }
        });
    }

    /// Settles what is before, in functions one by one: calls are one instruction.
    fn settle_functions(&self, program: &Program, frontier: &mut Frontier) {
        while let Some((segment, distance)) = frontier.settle_next() {
            self.segments.for_each_before(program, &self.graphs, segment, |before, _| {
                frontier.offer(before, sum([distance, self.segments.weight(before)]));
            });
        }
    }

    /// The shortest way through what the call that a stretch ends in calls.
    fn passing(&self, program: &Program, segment: Segment) -> u32 {
        self.at_call(program, segment, &self.through)
    }

    /// What `of` has for the call that a stretch ends in.
    fn at_call(&self, program: &Program, segment: Segment, of: &ByCallee) -> u32 {
        let Ending::Call(call) = self.segments.ending(program, segment) else { return NEVER };
        match self.segments.callee(program, segment, call) {
            Callee::Direct(callee) => of.functions[callee.index()],
            Callee::Indirect(_) => {
                let kind = self.calls.kind_of(self.last_site(program, segment));
                kind.map_or(NEVER, |kind| of.kinds[kind])
            }
        }
    }

    /// From the beginnings of stretches to the ends of those before them. `call` gives the
    /// distance from before a call, by the one from behind it.
    fn behind_ends(&self, program: &Program, frontier: &Frontier, call: impl Fn(Segment, u32) -> u32) -> Vec<u32> {
        let segments = &self.segments;
        let behind = |segment: Segment| match segments.ending(program, segment) {
            Ending::Call(_) => call(segment, frontier.distances[segment as usize + 1]),
            Ending::Return => NEVER,
            Ending::Block(block) => {
                let func = segments.function(segment);
                let following = self.graphs.function(func).successors(block).iter();
                let distances =
                    following.map(|&next| frontier.distances[segments.of_block(program, func, next) as usize]);
                distances.min().unwrap_or(NEVER)
            }
        };
        (0..segments.len() as Segment).map(behind).collect()
    }

    /// Ways to places, each of which has a distance of its own.
    pub fn ways_to(&self, program: &Program, scope: Scope, places: impl IntoIterator<Item = (Site, u32)>) -> Ways {
        let mut places: Vec<(Site, u32)> = places.into_iter().collect();
        places.sort_unstable();
        let mut frontier = Frontier::new(self.segments.len());
        match scope {
            Scope::Program => self.find_in_program(program, &mut frontier, &places),
            Scope::Function => {
                let calls = self.calls_to(self.cone(program, &places));
                places.extend(calls.into_iter().map(|call| (self.last_site(program, call), 1)));
                places.sort_unstable();
                self.offer_places(program, &mut frontier, &places);
                self.settle_functions(program, &mut frontier);
            }
        }
        let into = ByCallee::new(&self.calls, self.beginnings(&frontier));
        let behind = self.behind_ends(program, &frontier, |segment, next| match scope {
            Scope::Function => next,
            Scope::Program => {
                let into = self.at_call(program, segment, &into);
                into.min(sum([self.passing(program, segment), next]))
            }
        });
        let table = |function: usize| {
            let range = self.segments.of_function(FuncId::new(function));
            let leads = range.clone().any(|segment| frontier.is_settled[segment as usize]);
            leads.then(|| behind[range.start as usize..range.end as usize].into())
        };
        let tables = (0..program.functions.len()).map(table).collect();
        Ways { scope, tables, places, work: frontier.work + self.segments.len() as u64 / 8 }
    }

    /// How far everything is from the beginning of a function, forwards, through calls that return
    /// and into others.
    pub fn from_entry<'a>(&'a self, program: &'a Program, entry: FuncId) -> FromEntry<'a> {
        let segments = &self.segments;
        let mut frontier = Frontier::new(segments.len());
        let begin = |frontier: &mut Frontier, function: FuncId, distance: u32| {
            let range = segments.of_function(function);
            if !range.is_empty() {
                frontier.offer(range.start, distance);
            }
        };
        begin(&mut frontier, entry, 0);
        while let Some((segment, distance)) = frontier.settle_next() {
            let behind = sum([distance, segments.weight(segment)]);
            match segments.ending(program, segment) {
                Ending::Return => {}
                Ending::Call(call) => {
                    match segments.callee(program, segment, call) {
                        Callee::Direct(callee) => begin(&mut frontier, callee, behind),
                        Callee::Indirect(_) => {
                            let kind = self.calls.kind_of(self.last_site(program, segment));
                            let kind = kind.and_then(|kind| self.calls.pointer_calls().get(kind));
                            let callees = kind.into_iter().flat_map(|kind| &kind.callees);
                            callees.for_each(|callee| begin(&mut frontier, *callee, behind));
                        }
                    }
                    match self.passing(program, segment) {
                        NEVER => {}
                        through => frontier.offer(segment + 1, sum([behind, through])),
                    }
                }
                Ending::Block(block) => {
                    let func = segments.function(segment);
                    for &next in self.graphs.function(func).successors(block) {
                        frontier.offer(segments.of_block(program, func, next), behind);
                    }
                }
            }
        }
        FromEntry { of: self, program, distances: frontier.distances }
    }

    fn last_site(&self, program: &Program, segment: Segment) -> Site {
        Site { func: self.segments.function(segment), pc: self.segments.end(program, segment) - 1 }
    }

    /// By function, the distance from its beginning.
    fn beginnings(&self, frontier: &Frontier) -> Vec<u32> {
        let functions = (0..self.through.functions.len()).map(FuncId::new);
        let ranges = functions.map(|function| self.segments.of_function(function));
        ranges.map(|range| if range.is_empty() { NEVER } else { frontier.distances[range.start as usize] }).collect()
    }

    fn offer_places(&self, program: &Program, frontier: &mut Frontier, places: &[(Site, u32)]) {
        for &(site, distance) in places {
            let segment = self.segments.at(site);
            let code = &program.function(site.func).code[self.segments.start(segment) as usize..site.pc as usize];
            frontier.offer(segment, sum([distance, weight(code)]));
        }
    }

    fn find_in_program(&self, program: &Program, frontier: &mut Frontier, places: &[(Site, u32)]) {
        let segments = &self.segments;
        self.offer_places(program, frontier, places);
        let mut is_kind_reached = vec![false; self.through.kinds.len()];
        while let Some((segment, distance)) = frontier.settle_next() {
            self.offer_before(program, frontier, segment, distance);
            if segments.is_entry(segment) {
                let function = segments.function(segment);
                let mut enter = |calls: &[Segment]| {
                    calls.iter().for_each(|&call| frontier.offer(call, sum([distance, segments.weight(call)])));
                };
                enter(segments.calls_of(function));
                for &kind in &segments.kinds[function.index()] {
                    if !std::mem::replace(&mut is_kind_reached[kind as usize], true) {
                        enter(&segments.pointer_calls[kind as usize]);
                    }
                }
            }
        }
    }

    /// The functions from which a place can be reached by calls.
    fn cone(&self, program: &Program, places: &[(Site, u32)]) -> Vec<FuncId> {
        let mut is_in = vec![false; program.functions.len()];
        let mut open: Vec<FuncId> = places.iter().map(|(site, _)| site.func).collect();
        let mut found = Vec::new();
        while let Some(function) = open.pop() {
            if !std::mem::replace(&mut is_in[function.index()], true) {
                found.push(function);
                open.extend(self.calls_to([function]).into_iter().map(|call| self.segments.function(call)));
            }
        }
        found
    }

    /// The stretches that end in calls that are likely to go to one of these functions, once each.
    fn calls_to(&self, functions: impl IntoIterator<Item = FuncId>) -> BTreeSet<Segment> {
        let segments = &self.segments;
        let calls = |function: FuncId| {
            let by_pointer = segments.kinds[function.index()].iter();
            let by_pointer = by_pointer.flat_map(|&kind| &segments.pointer_calls[kind as usize]);
            segments.calls_of(function).iter().chain(by_pointer).copied()
        };
        functions.into_iter().flat_map(calls).collect()
    }

    /// Instructions to the nearest place for a path with these frames, innermost first, each with
    /// the instruction that it goes on at.
    pub fn from_stack(
        &self,
        program: &Program,
        ways: &Ways,
        frames: impl IntoIterator<Item = (FuncId, u32)>,
    ) -> Option<u64> {
        if ways.places.is_empty() {
            return None;
        }
        let mut nearest: Option<u64> = None;
        let mut returned = 0;
        for (func, pc) in frames.into_iter().take(DEEPEST) {
            let site = Site { func, pc };
            if self.segments.of_function(func).is_empty() {
                break;
            }
            if let Some(distance) = self.to_place(program, ways, site) {
                nearest = Some(nearest.map_or(u64::MAX, |nearest| nearest).min(returned + distance));
            }
            let (behind, frame) = match ways.scope {
                Scope::Program => (&self.returns, 0),
                Scope::Function => (&self.plain_returns, FRAME),
            };
            match self.to_end(program, site, behind[self.segments.at(site) as usize]) {
                Some(distance) => returned += distance + frame,
                None => break,
            }
            if nearest.is_some_and(|nearest| nearest <= returned) {
                break;
            }
        }
        nearest
    }

    /// From an instruction, by the distance from behind the end of its stretch.
    fn to_end(&self, program: &Program, site: Site, behind: u32) -> Option<u64> {
        let segment = self.segments.at(site);
        let code = &program.function(site.func).code;
        let rest = code.get(site.pc as usize..self.segments.end(program, segment) as usize)?;
        (behind != NEVER).then(|| u64::from(behind) + u64::from(weight(rest)))
    }

    fn to_place(&self, program: &Program, ways: &Ways, site: Site) -> Option<u64> {
        let table = ways.tables[site.func.index()].as_ref()?;
        let segment = self.segments.at(site);
        let behind = table[(segment - self.segments.of_function(site.func).start) as usize];
        let by_end = self.to_end(program, site, behind);
        let code = &program.function(site.func).code;
        let end = self.segments.end(program, segment);
        let first = ways.places.partition_point(|(place, _)| *place < site);
        let in_stretch = ways.places[first..].iter().take_while(|(place, _)| place.func == site.func && place.pc < end);
        let by_place = in_stretch
            .map(|(place, distance)| {
                u64::from(*distance) + u64::from(weight(&code[site.pc as usize..place.pc as usize]))
            })
            .min();
        by_end.into_iter().chain(by_place).min()
    }
}

/// Calls that can be passed from now on.
fn pass(frontier: &mut Frontier, segments: &Segments, calls: &[Segment], through: u32) {
    for &call in calls {
        if let Some(next) = frontier.settled(call + 1) {
            frontier.offer(call, sum([next, segments.weight(call), through]));
        }
    }
}

fn sum<const N: usize>(distances: [u32; N]) -> u32 {
    distances.into_iter().fold(0, u32::saturating_add)
}
