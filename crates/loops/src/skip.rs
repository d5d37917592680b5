//! Skipping rounds of a loop over numbers: many rounds that all go the same way are one step.
//!
//! A round is executed once on variables, along the way that the state itself takes. If it leaves
//! each variable as it is or adds a number to it, then after `j` rounds each is `e + j s`, and the
//! conditions of the way say for which `j` it is taken. How many rounds that are is found by trying,
//! and shown by one question: can a condition fail earlier? So nothing is approximated: the state
//! comes out as if all rounds had been executed. What the rounds would have covered and printed is
//! lost, so this is for loops that print nothing.

use crate::head::Head;
use crate::trial::STRETCH;
use espalier_analysis::{LoopForest, LoopId};
use espalier_base::bits::mask;
use espalier_exec::{Cause, Executor, GeneralPlace, State, Step, Stops};
use espalier_expr::{Evaluator, Model, Term};
use espalier_ir::BlockId;
use espalier_solver::Answer;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A round may have so many instructions.
const LONGEST_ROUND: u64 = 50_000;

/// What is skipped is worth a question, in instructions.
const WORTHWHILE: u64 = 100_000;

/// Rounds that are skipped at a time.
const MOST_ROUNDS: u64 = 1 << 40;

/// How often fewer rounds are tried.
const TRIES: usize = 8;

/// Skips rounds of the loop whose head the state is at, or of one around it. How many instructions
/// would they have been?
pub(crate) fn skip(executor: &mut Executor, state: &mut State, most: u64) -> Option<u64> {
    let stops = executor.stops();
    executor.stop_at(Stops::EveryLoopHead);
    let mut skipped = Round::of(executor, state).and_then(|round| round.skip(executor, state, most));
    if skipped.is_none()
        && let Some(mut around) = at_head_around(executor, state)
    {
        skipped = Round::of(executor, &around).and_then(|round| round.skip(executor, &mut around, most));
        if skipped.is_some() {
            *state = *around;
        }
    }
    executor.stop_at(stops);
    skipped
}

/// The path where it comes to the head of a loop around the one whose head it is at, if that is soon
/// and nobody is asked on the way.
fn at_head_around(executor: &mut Executor, state: &State) -> Option<Box<State>> {
    let frame = state.running();
    let (func, depth) = (frame.func, frame.depth);
    let block = executor.block_of(state, depth)?;
    let forest = LoopForest::of(executor.graphs().function(func));
    // What is executed for nothing must not be seen.
    let is_quiet = |&id: &LoopId| executor.is_quiet(func, |block| forest.contains(id, block));
    let around = forest.around(block).skip(1).filter(is_quiet);
    let heads: Vec<BlockId> = around.map(|id| forest.get(id).head).collect();
    let mut around = Box::new(state.clone());
    executor.note_look_up(&mut around);
    let asked = executor.solver.stats().queries;
    while !heads.is_empty() && around.instructions() - state.instructions() < LONGEST_ROUND {
        let step = executor.run(&mut around, STRETCH);
        if executor.was_cut_short() || executor.solver.stats().queries != asked {
            return None;
        }
        match step {
            Step::Budget | Step::Entered => {}
            Step::Join => {
                let frame = around.running();
                let is_there = (frame.func, frame.depth) == (func, depth)
                    && executor.program().function(func).block_at(frame.pc).is_some_and(|block| heads.contains(&block))
                    && executor.is_at_loop_head(&around);
                if is_there {
                    return Some(around);
                }
                executor.note_look_up(&mut around);
            }
            Step::Fork(_) | Step::End(_) => return None,
        }
    }
    None
}

/// The places that a round changes, if it writes to no array at an index that it changes.
fn numbers_changed(executor: &mut Executor, before: &State, after: &State) -> Option<Vec<GeneralPlace>> {
    let changes = executor.changed_places(before, after, &[]).ok()?;
    changes.arrays.is_empty().then_some(changes.places)
}

/// One round on variables.
struct Round {
    head: Head,
    /// What a round adds to each variable.
    steps: Vec<u64>,
    /// What holds of the variables if the round goes this way.
    conditions: Vec<Term>,
    instructions: u64,
}

impl Round {
    fn of(executor: &mut Executor, state: &State) -> Option<Round> {
        let mut head = Head::new(executor, state, 0).ok()?;
        if !head.is_quiet(executor) {
            return None;
        }
        let next = next_visit(executor, &head, state, None)?;
        let after = next_visit(executor, &head, &next, None)?;
        for (from, to) in [(state, &*next), (&*next, &*after)] {
            let changed = numbers_changed(executor, from, to)?;
            head.add_places(changed).ok()?;
        }
        head.name_variables(executor).ok()?;
        if !adds_numbers(executor, &head, [state, &next, &after]) {
            return None;
        }
        // A round may change what only another round shows.
        for _ in 0..4 {
            let mut general = head.name_variables(executor).ok()?;
            let model = head.model_at_entry(executor).ok()?;
            executor.assume_all(&mut general, &[], model.clone());
            let end = next_visit(executor, &head, &general, Some(&model))?;
            let changed = numbers_changed(executor, &general, &end)?;
            if head.add_places(changed).ok()? {
                continue;
            }
            let values = head.values(executor, &end).ok()?;
            let steps: Option<Vec<u64>> = head
                .variables
                .iter()
                .zip(values)
                .map(|(variable, value)| {
                    let step = executor.terms.sub(value, variable.var);
                    executor.terms.as_u64(variable.entry)?;
                    executor.terms.as_u64(step)
                })
                .collect();
            let conditions = end.path_condition().since(general.path_condition().len());
            let instructions = end.instructions() - general.instructions();
            // Decisions on the variables are on unknown values; there may be nothing else.
            let mut new = end.approximations().iter().filter(|one| !state.approximations().contains(one));
            let is_whole = new.all(|one| one.cause == Cause::UnknownValue);
            let is_same = instructions == next.instructions() - state.instructions();
            return (is_whole && is_same).then_some(Round { head, steps: steps?, conditions, instructions });
        }
        None
    }

    /// Are the conditions true of the variables after so many rounds?
    fn holds(&self, executor: &Executor, rounds: u64) -> bool {
        let mut model = Model::new();
        for (variable, value) in self.head.variables.iter().zip(self.values_after(executor, rounds)) {
            model.set(variable.var, value);
        }
        let mut evaluator = Evaluator::new(model);
        self.conditions.iter().all(|&condition| evaluator.eval_bool(&executor.terms, condition))
    }

    fn values_after(&self, executor: &Executor, rounds: u64) -> Vec<u64> {
        let after = |(variable, step): (&crate::candidates::Variable, &u64)| {
            let entry = executor.terms.as_u64(variable.entry).unwrap_or(0);
            entry.wrapping_add(step.wrapping_mul(rounds)) & mask(variable.place.width)
        };
        self.head.variables.iter().zip(&self.steps).map(after).collect()
    }

    fn skip(&self, executor: &mut Executor, state: &mut State, most: u64) -> Option<u64> {
        let vars: Vec<Term> = self.head.variables.iter().map(|variable| variable.var).collect();
        let is_own = |&condition: &Term| executor.terms.vars_of(condition).iter().all(|var| vars.contains(var));
        let is_known = |variable: &crate::candidates::Variable| variable.place.width <= 64;
        if !self.conditions.iter().all(is_own) || !self.head.variables.iter().all(is_known) {
            return None;
        }
        let mut rounds = self.rounds_by_trying(executor).min(most / self.instructions.max(1));
        for _ in 0..TRIES {
            if rounds.saturating_mul(self.instructions) < WORTHWHILE {
                return None;
            }
            match self.fails_before(executor, rounds)? {
                None => {
                    for (variable, value) in self.head.variables.iter().zip(self.values_after(executor, rounds)) {
                        let value = executor.terms.constant(value, variable.place.width);
                        executor.put_general_value(state, &variable.place, value).ok()?;
                    }
                    let skipped = rounds * self.instructions;
                    executor.note_skipped(state, skipped);
                    return Some(skipped);
                }
                Some(earlier) => rounds = earlier,
            }
        }
        None
    }

    /// For how many rounds the conditions hold, if they fail from some round on.
    fn rounds_by_trying(&self, executor: &Executor) -> u64 {
        let mut first = 1;
        while first < MOST_ROUNDS && self.holds(executor, first) {
            first *= 2;
        }
        let (mut low, mut high) = (first / 2, first);
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            if self.holds(executor, middle) { low = middle } else { high = middle }
        }
        high.min(MOST_ROUNDS)
    }

    /// A round before this one in which a condition fails; `None` in place of an answer.
    fn fails_before(&self, executor: &mut Executor, rounds: u64) -> Option<Option<u64>> {
        let round = executor.general_variable("loop round", 64);
        let mut after: FxHashMap<Term, Term> = FxHashMap::default();
        for (variable, &step) in self.head.variables.iter().zip(&self.steps) {
            let width = variable.place.width;
            let (step, count) = (executor.terms.constant(step, width), executor.terms.trunc(round, width));
            let distance = executor.terms.mul(count, step);
            after.insert(variable.var, executor.terms.add(variable.entry, distance));
        }
        let all = executor.terms.bool_and(&self.conditions);
        let all = executor.terms.substitute(all, &after);
        let fails = executor.terms.not(all);
        let limit = executor.terms.constant(rounds, 64);
        let is_before = executor.terms.ult(round, limit);
        match executor.solver.check_all(&mut executor.terms, &[is_before, fails]) {
            Answer::Unsat(_) => Some(None),
            Answer::Sat(model) => Some(Some(model.get(round).unwrap_or(0))),
            Answer::Unknown(_) => None,
        }
    }
}

/// Does each variable grow by the same number in two rounds? If not (a float, say), a round on
/// variables would be for nothing, and its questions may be hard.
fn adds_numbers(executor: &mut Executor, head: &Head, visits: [&State; 3]) -> bool {
    let mut numbers = Vec::new();
    for state in visits {
        let Ok(values) = head.values(executor, state) else { return false };
        let known: Option<Vec<u64>> = values.iter().map(|&value| executor.terms.as_u64(value)).collect();
        let Some(known) = known else { return false };
        numbers.push(known);
    }
    head.variables.iter().enumerate().all(|(index, variable)| {
        let step = |round: usize| numbers[round + 1][index].wrapping_sub(numbers[round][index]);
        (step(0) ^ step(1)) & mask(variable.place.width) == 0
    })
}

/// Runs from a visit of the head to the next one: without a question, or along the way that the
/// inputs of a model take.
fn next_visit(executor: &mut Executor, head: &Head, start: &State, model: Option<&Rc<Model>>) -> Option<Box<State>> {
    let mut state = Box::new(start.clone());
    executor.note_look_up(&mut state);
    let asked = executor.solver.stats().queries;
    while state.instructions() - start.instructions() < LONGEST_ROUND {
        let step = executor.run_havocked(&mut state, STRETCH);
        if executor.was_cut_short() || model.is_none() && executor.solver.stats().queries != asked {
            return None;
        }
        match step {
            Step::Budget | Step::Entered => {}
            Step::Join if head.is_at(&state) => return Some(state),
            Step::Join => executor.note_look_up(&mut state),
            Step::Fork(children) => {
                let mut evaluator = Evaluator::new(model?.clone());
                let own = std::iter::once((state, None));
                let others = children.into_iter().map(|child| (child.state, child.end));
                let (taken, end) = own.chain(others).find(|(state, _)| {
                    state.path_condition().iter().all(|condition| evaluator.eval_bool(&executor.terms, condition))
                })?;
                if end.is_some() || taken.is_over() {
                    return None;
                }
                state = taken;
            }
            Step::End(_) => return None,
        }
    }
    None
}

/// When a loop is tried again whose rounds were not skipped.
#[derive(Default)]
pub(crate) struct Skips {
    next: FxHashMap<(u32, u32), u64>,
}

impl Skips {
    /// A path has come far in a loop.
    pub fn try_at(&mut self, executor: &mut Executor, state: &mut State, most: u64) -> Option<u64> {
        let frame = state.running();
        let key = (frame.func.0, frame.pc);
        let instructions = state.instructions();
        if self.next.get(&key).is_some_and(|&next| instructions < next) {
            return None;
        }
        let skipped = skip(executor, state, most);
        if skipped.is_none() {
            self.next.insert(key, instructions.saturating_mul(4));
        } else {
            self.next.remove(&key);
        }
        skipped
    }
}
