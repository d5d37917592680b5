//! What of a state can still matter for what is looked for: asks [`espalier_analysis::Relevance`]
//! and [`espalier_analysis::CountedLoops`] with the frames of states, and [`Reachability`] without.

use crate::Executor;
use crate::interpreter::frames::Frame;
use crate::models::signals;
use crate::paths::state::State;
use espalier_analysis::{CountedLoops, Counter, Question, Reachability, Relevance};
use espalier_ir::{BlockId, FuncId, Program};
use std::rc::Rc;

impl Executor {
    /// From now on, only calls of these functions are looked for, and targets.
    pub fn look_for(&mut self, is_target: impl Fn(&str) -> bool) {
        let image = self.image.clone();
        let program = image.program();
        let uncalled = uncalled(program);
        let question = Question {
            is_target: &|id| is_target(&program.function(id).name),
            is_open: &|index| self.targets.is_open(index),
            is_modelled: &|id| image.functions[id.index()].shim.is_some(),
            uncalled: &uncalled,
        };
        self.relevance = Relevance::new(program, image.graphs(), &question);
        self.counted_loops.clear();
        self.counters.clear();
    }

    /// From which instructions can those be reached that are given by function and number, whatever
    /// the call stack is?
    pub fn reachability(&self, is_wanted: impl Fn(FuncId, u32) -> bool) -> Reachability {
        Reachability::new(self.program(), self.graphs(), &uncalled(self.program()), is_wanted)
    }

    fn frame_is_relevant(&self, relevance: &Relevance, frame: &Frame) -> bool {
        let block = self.program().function(frame.func).block_at(frame.pc);
        block.is_some_and(|block| relevance.reaches_from(frame.func, block))
    }

    /// For each frame, innermost first: can nothing that is looked for be reached once it has
    /// returned?
    pub(crate) fn frames_with_irrelevant_callers(&self, state: &State) -> Vec<bool> {
        let Some(relevance) = &self.relevance else { return state.frames().map(|_| false).collect() };
        let relevant: Vec<bool> = state.frames().map(|frame| self.frame_is_relevant(relevance, frame)).collect();
        (0..relevant.len()).map(|frame| !relevant[frame + 1..].contains(&true)).collect()
    }

    /// Can the state still reach something that is looked for?
    pub fn is_relevant(&self, state: &State) -> bool {
        match &self.relevance {
            None => true,
            Some(relevance) => state.frames().any(|frame| self.frame_is_relevant(relevance, frame)),
        }
    }

    /// Could it, if the running function went on at `block`?
    pub(crate) fn block_is_relevant(&self, state: &State, block: BlockId) -> bool {
        match &self.relevance {
            None => true,
            Some(relevance) => {
                relevance.reaches_from(state.top.func, block)
                    || state.frames().skip(1).any(|frame| self.frame_is_relevant(relevance, frame))
            }
        }
    }

    /// The counters that a frame at instruction `pc` of a function has, if nothing that is looked
    /// for can be reached when the function returns.
    pub(crate) fn counters_at(&mut self, func: FuncId, pc: u32) -> Rc<[Counter]> {
        if let Some(known) = self.counters.get(&(func, pc)) {
            return known.clone();
        }
        let image = self.image.clone();
        let function = image.program().function(func);
        let counters: Rc<[Counter]> = match &self.relevance {
            Some(relevance) => {
                let loops =
                    self.counted_loops.entry(func).or_insert_with(|| CountedLoops::of(relevance, func, function));
                loops.counters_at(function, pc).into()
            }
            None => Rc::new([]),
        };
        self.counters.insert((func, pc), counters.clone());
        counters
    }
}

/// What may run without being called: at the end of the program, and handlers, wherever something
/// goes wrong.
fn uncalled(program: &Program) -> Vec<FuncId> {
    let named = ["__espalier_run_atexit", signals::FAULT].map(|name| program.function_named(name));
    program.destructors.iter().copied().chain(named.into_iter().flatten()).collect()
}
