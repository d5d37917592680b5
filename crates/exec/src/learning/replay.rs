//! Running a piece of a path again on *any* state: what weakest preconditions are made of.
//!
//! A segment of a path is run once more from the state where it began, but with leaves
//! ([`crate::learning::leaf`]) in the place of everything that the state holds: registers at once,
//! bytes of memory when they are first read. A guide ([`crate::learning::guide`]) says which way
//! each decision goes: a model of the path condition, or a list. What comes out is (1) the
//! *guards*, the conditions over leaves under which another state takes the same way, and (2) the
//! state at the end in terms of leaves, in which a formula about the end can be evaluated to one
//! about the beginning.
//!
//! The interpreter, the memory and the library functions are the very ones that execute programs,
//! so each instruction means the same backwards as forwards. Where something cannot be expressed
//! over leaves it is *pinned*: the guard says that it has the value that it had. What cannot even
//! be pinned fails the replay, with a reason that is counted; the caller then goes without an
//! interpolant.

use crate::interpreter::machine::Interpreter;
use crate::interpreter::value::Value;
use crate::learning::NoInterpolant;
use crate::learning::guide::{Decision, Decisions, Guide, Inputs};
use crate::learning::leaf::{LeafValues, ObjectName};
use crate::learning::segment::Segment;
use crate::paths::state::State;
use crate::{Executor, Step};
use espalier_expr::{Model, Op, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Something that happened on the way, in order.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A decision: the condition held. `at` is the instruction, counted from the beginning of the
    /// segment; `matters` is false if nothing that is looked for can be reached where it does not
    /// hold, `is_branch` says that it is that of a branch.
    Guard { condition: Term, at: u64, matters: bool, is_branch: bool },
    /// An assumption of the program: other states drop the inputs on which it does not hold.
    Assumed(Term),
}

/// What must be as it was, apart from the values of leaves.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Needs {
    /// Objects that were accessed: alive, with this size, and writable or not.
    pub objects: BTreeMap<ObjectName, (u64, bool)>,
    /// Globals that were read as what they are when the program starts.
    pub as_loaded: BTreeSet<u64>,
    /// Addresses where no object may be alive.
    pub no_object: BTreeSet<u64>,
    /// Heap objects were made: their addresses follow from how many there were.
    pub heap_position: Option<u64>,
    /// Addresses of stack objects occur as numbers.
    pub same_stack: bool,
}

/// A segment, run again.
#[derive(PartialEq, Eq, Debug)]
pub struct Replayed {
    pub events: Vec<Event>,
    pub needs: Needs,
}

/// A segment up to the instruction by which it forked.
pub struct Prefix {
    state: State,
    segment: Segment<Inputs>,
}

impl Executor {
    /// Runs `instructions` instructions from `start` again on the inputs of `model`, and gives
    /// `finish` the state that comes out, in which leaves can be evaluated. `end` is the state that
    /// the original run came to, `None` if the path ended: anything else is a failure.
    pub fn replay<T>(
        &mut self,
        start: &State,
        model: &Model,
        instructions: u64,
        end: Option<&State>,
        finish: impl FnOnce(&mut dyn LeafValues, &mut State) -> Result<T, NoInterpolant>,
    ) -> Result<(T, Replayed), NoInterpolant> {
        let (mut state, segment) = Segment::begin(start, model.clone(), Inputs::default())?;
        let (result, segment) = self.run_again(segment, |interpreter| {
            interpreter.put_leaves(&mut state);
            interpreter.run_to(&mut state, instructions, end);
            interpreter.finish_replay(&mut state, finish)
        })?;
        Ok((result, segment.into_replayed()))
    }

    /// The first part of a replay, which the alternatives of a fork share: everything up to the
    /// instruction that forks.
    pub fn replay_prefix(
        &mut self,
        start: &State,
        model: &Model,
        instructions: u64,
    ) -> Result<(Prefix, Replayed), NoInterpolant> {
        let (mut state, mut segment) = Segment::begin(start, model.clone(), Inputs::default())?;
        let last = instructions.checked_sub(1).ok_or(NoInterpolant::EmptyFork)?;
        segment.stop_at = Some(instructions);
        let (further, segment) = self.run_again(segment, |interpreter| {
            interpreter.put_leaves(&mut state);
            let before = interpreter.stats.instructions;
            let step = interpreter.run(&mut state, u64::MAX);
            if !matches!(step, Step::Budget) || interpreter.stats.instructions - before != last {
                interpreter.machine.fail(NoInterpolant::NoFork);
            }
            Ok(interpreter.machine.at_the_fork(last))
        })?;
        Ok((Prefix { state, segment: further }, segment.into_replayed()))
    }

    /// The last instruction of a segment, by which it forked, as it went on the inputs of `model`.
    pub fn replay_fork<T>(
        &mut self,
        prefix: &Prefix,
        model: &Model,
        end: &State,
        finish: impl FnOnce(&mut dyn LeafValues, &mut State) -> Result<T, NoInterpolant>,
    ) -> Result<(T, Replayed), NoInterpolant> {
        let segment = prefix.segment.on(&self.terms, model);
        let mut state = prefix.state.clone();
        let (result, segment) = self.run_again(segment, |interpreter| {
            interpreter.run_to(&mut state, 1, Some(end));
            interpreter.finish_replay(&mut state, finish)
        })?;
        Ok((result, segment.into_replayed()))
    }

    /// The decisions that a segment of a path made on the inputs of `model`, as
    /// [`Executor::follow`] takes them.
    pub fn decisions(
        &mut self,
        start: &State,
        model: &Model,
        instructions: u64,
        end: Option<&State>,
    ) -> Result<Vec<Decision>, NoInterpolant> {
        let (mut state, segment) = Segment::begin(start, model.clone(), Inputs { made: Some(Vec::new()) })?;
        let ((), segment) = self.run_again(segment, |interpreter| {
            interpreter.put_leaves(&mut state);
            interpreter.run_to(&mut state, instructions, end);
            Ok(())
        })?;
        Ok(segment.guide.made.unwrap_or_default())
    }

    /// Runs at most `instructions` instructions from `start` as a list of decisions says, whether
    /// any input does so or not. A list that is too short, too long or about something else is a
    /// failure. `finish` gets the state that comes out; `None` stands for the end of the path.
    pub fn follow<T>(
        &mut self,
        start: &State,
        decisions: Vec<Decision>,
        instructions: u64,
        finish: impl FnOnce(&mut dyn LeafValues, Option<&mut State>) -> Result<T, NoInterpolant>,
    ) -> Result<(T, Replayed), NoInterpolant> {
        let (mut state, segment) = Segment::begin(start, Model::new(), Decisions::new(decisions))?;
        let (result, segment) = self.run_again(segment, |interpreter| {
            interpreter.put_leaves(&mut state);
            let is_over = match interpreter.run(&mut state, instructions) {
                Step::Budget => false,
                Step::End(_) => true,
                Step::Fork(_) | Step::Join | Step::Entered => {
                    interpreter.machine.fail(NoInterpolant::Fork);
                    true
                }
            };
            match interpreter.machine.failure {
                Some(reason) => Err(reason),
                None if !interpreter.machine.guide.are_over() => Err(NoInterpolant::UnusedDecisions),
                None => finish(interpreter, if is_over { None } else { Some(&mut state) }),
            }
        })?;
        Ok((result, segment.into_replayed()))
    }

    /// Runs something on a segment's machine: nothing is printed or counted.
    fn run_again<G: Guide, T>(
        &mut self,
        segment: Segment<G>,
        session: impl FnOnce(&mut Interpreter<'_, Segment<G>>) -> Result<T, NoInterpolant>,
    ) -> Result<(T, Segment<G>), NoInterpolant> {
        let counters = (self.stats.clone(), self.options.show_output);
        self.options.show_output = false;
        let mut interpreter = Interpreter::new(self, segment);
        let result = session(&mut interpreter);
        let segment = interpreter.machine;
        self.replayed += self.stats.instructions - counters.0.instructions;
        (self.stats, self.options.show_output) = counters;
        if self.is_cut_short {
            return Err(NoInterpolant::Stopped);
        }
        match (result, segment.failure) {
            (Err(reason), _) | (_, Some(reason)) => Err(reason),
            (Ok(result), None) => Ok((result, segment)),
        }
    }

    /// Instructions that were run again.
    pub fn replayed_instructions(&self) -> u64 {
        self.replayed
    }

    /// Does a term have an address of a stack object as a number in it?
    pub fn mentions_stack_address(&mut self, state: &State, term: Term) -> bool {
        let width = self.pointer_width();
        let Executor { terms, mentions_stack, .. } = self;
        terms.any_part(term, mentions_stack, |terms, part| {
            terms.op(part) == Op::Const
                && terms.width(part) == width
                && terms.as_u64(part).is_some_and(|number| state.memory.layout.is_stack_address(number))
        })
    }
}

impl<G: Guide> Interpreter<'_, Segment<G>> {
    fn finish_replay<T>(
        &mut self,
        state: &mut State,
        finish: impl FnOnce(&mut dyn LeafValues, &mut State) -> Result<T, NoInterpolant>,
    ) -> Result<T, NoInterpolant> {
        match self.machine.failure {
            Some(reason) => Err(reason),
            None => finish(self, state),
        }
    }

    fn run_to(&mut self, state: &mut State, instructions: u64, end: Option<&State>) {
        if instructions == 0 {
            if end.is_some_and(|end| !self.is_same_end(state, end)) {
                self.machine.fail(NoInterpolant::OtherWay);
            }
            return;
        }
        let before = self.stats.instructions;
        let step = self.run(state, instructions);
        let executed = self.stats.instructions - before;
        match (step, end) {
            (Step::Fork(_) | Step::Join | Step::Entered, _) => self.machine.fail(NoInterpolant::Fork),
            (Step::Budget, Some(end)) => {
                if executed != instructions || !self.is_same_end(state, end) {
                    self.machine.fail(NoInterpolant::OtherWay);
                }
            }
            (Step::End(_), None) => {
                if executed != instructions {
                    self.machine.fail(NoInterpolant::OtherEnd);
                }
            }
            (Step::Budget, None) | (Step::End(_), Some(_)) => self.machine.fail(NoInterpolant::OtherOutcome),
        }
    }

    /// Does the replayed state stand for the original one: the same place, and the same registers
    /// on the inputs of the model?
    fn is_same_end(&mut self, state: &State, end: &State) -> bool {
        let (top, original) = (&state.top, &end.top);
        if (top.func, top.pc, top.depth, top.regs.len())
            != (original.func, original.pc, original.depth, original.regs.len())
        {
            return false;
        }
        let live = self.live_registers(top.func, top.pc);
        let value = |value: &Value| match value.as_term() {
            None => num_bigint::BigUint::from(value.bits()),
            Some(term) => self.terms.eval(term, &self.machine.known).to_big(),
        };
        live.iter().all(|reg| value(&top.regs[reg.index()]) == value(&original.regs[reg.index()]))
    }
}
