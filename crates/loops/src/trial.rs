//! One trial: is nothing that is looked for reachable from a state at a loop head, however often the
//! loop comes round?
//!
//! What the loop changes is made general, candidates are assumed of it, and everything is explored
//! from that state, in the loop first. A path that comes round is over if it is among what is
//! explored already. If it is not, what is not kept is dropped, and the exploration begins anew with
//! less assumed; if a path comes to an error, more is wanted. Loops inside, and behind, are
//! generalised in the same way, each on top of those whose exploration led to it: so all heads form
//! a stack, and what is assumed at one holds as long as those below it hold.
//!
//! When an exploration ends with nothing dropped, nothing met and nothing cut short, then no state
//! that the general ones stand for can come to an error: of those that can, take the one with the
//! shortest way; its first step is among what was explored, or leads to a state that a general one
//! stands for, from where the way is shorter.
//!
//! What is met on the way is never reported: a general state need not be one of the program's.

use crate::head::{Head, Memory};
use crate::invariant::HeadInvariant;
use crate::{NotClosed, Question};
use espalier_base::Rng;
use espalier_exec::{Direction, End, Executor, GivenInputs, NotGeneral, State, Step};
use espalier_ir::{FuncId, Loc};
use rustc_hash::FxHashMap;

/// Loops are generalised so deep within, or behind, each other.
const DEEPEST: usize = 8;

/// An exploration from a head begins anew at most so often.
const MOST_ATTEMPTS: u32 = 60;

/// Instructions between looks at what was spent.
pub(crate) const STRETCH: u64 = 5_000;

/// Paths of one exploration that are open at a time.
const MOST_OPEN: usize = 2_000;

/// Ways round a loop in one exploration.
const MOST_WAYS: u32 = 256;

/// Visits of a head that are executed to have samples: rounds on a path, and in all.
const SAMPLED_ROUNDS: u32 = 5;
const SAMPLED_VISITS: usize = 24;

/// Instructions that are executed to have samples.
const SAMPLED_INSTRUCTIONS: u64 = 60_000;

/// A loop that comes round so often without a decision is generalised too.
const MANY_ROUNDS: u32 = 40;

/// How an exploration ended, if not by showing that nothing is met.
enum Stop {
    /// It begins anew from this head.
    Again(usize),
    GivenUp(NotClosed),
}

impl From<NotClosed> for Stop {
    fn from(why: NotClosed) -> Stop {
        Stop::GivenUp(why)
    }
}

/// A loop that was closed: its function, its first instruction, and where that is.
pub(crate) type Closed = (FuncId, u32, Loc);

/// A path that is explored.
type Item = Box<State>;

pub(crate) struct Trial<'a> {
    executor: &'a mut Executor,
    question: &'a Question<'a>,
    heads: Vec<Head>,
    /// What was found out about loops that may be entered again, by level and place.
    memories: FxHashMap<(usize, (FuncId, u32, u32)), Memory>,
    /// Is it used? Was any of it?
    remembers: bool,
    has_remembered: bool,
    /// Heads whose exploration ended.
    closed: Vec<Closed>,
    /// Counted work that may still be done, and what had been done when it was last counted.
    left: u64,
    counted: u64,
    /// Approximations that the path had before.
    approximations: usize,
    /// Inputs that may lead to the last error that was met.
    lead: Option<GivenInputs>,
    /// What holds at the heads whose exploration ended, if that is wanted.
    invariants: Option<Vec<HeadInvariant>>,
}

impl<'a> Trial<'a> {
    pub fn new(executor: &'a mut Executor, question: &'a Question<'a>, start: &State, effort: u64) -> Trial<'a> {
        let counted = (question.work)(executor);
        let approximations = start.approximations().len();
        Trial {
            executor,
            question,
            heads: Vec::new(),
            closed: Vec::new(),
            memories: FxHashMap::default(),
            remembers: true,
            has_remembered: false,
            left: effort,
            counted,
            approximations,
            lead: None,
            invariants: None,
        }
    }

    /// Finds out what holds at the head of the state, at the end of the list, and at all heads that
    /// are reached from there.
    pub fn describe(mut self, start: &State) -> Result<Vec<HeadInvariant>, NotClosed> {
        self.invariants = Some(Vec::new());
        match self.prove(start) {
            Ok(()) => Ok(self.invariants.unwrap_or_default()),
            Err(Stop::GivenUp(why)) => Err(why),
            Err(Stop::Again(_)) => Err(NotClosed::Attempts),
        }
    }

    /// Shows that nothing is met from a state at a loop head. Gives the loops inside and behind that
    /// were closed on the way, by function and first instruction; or else why not, and inputs that
    /// may lead to what is looked for.
    pub fn show(mut self, start: &State) -> Result<Vec<Closed>, (NotClosed, Option<GivenInputs>)> {
        match self.prove(start) {
            Ok(()) => Ok(self.closed),
            Err(Stop::GivenUp(why)) => Err((why, self.lead)),
            Err(Stop::Again(_)) => Err((NotClosed::Attempts, self.lead)),
        }
    }

    fn charge(&mut self) -> Result<(), NotClosed> {
        if self.executor.was_cut_short() {
            return Err(NotClosed::Stopped);
        }
        let now = (self.question.work)(self.executor);
        let spent = now.saturating_sub(std::mem::replace(&mut self.counted, now));
        self.left = self.left.checked_sub(spent).ok_or(NotClosed::Effort)?;
        Ok(())
    }

    fn prove(&mut self, start: &State) -> Result<(), Stop> {
        let level = self.heads.len();
        if level >= DEEPEST {
            return Err(NotClosed::Nested.into());
        }
        let mut head = Head::new(self.executor, start, level)?;
        if self.invariants.is_some() {
            head.tries_harder();
        }
        let key = (head.func, head.pc, head.depth);
        let known = (self.closed.len(), self.invariants.as_ref().map_or(0, Vec::len));
        match self.memories.remove(&(level, key)) {
            Some(memory) => {
                head.remember(self.executor, memory);
                self.has_remembered = true;
            }
            None => self.sample(&mut head)?,
        }
        loop {
            if head.attempts >= MOST_ATTEMPTS {
                return Err(NotClosed::Attempts.into());
            }
            head.generalise(self.executor)?;
            self.closed.truncate(known.0);
            self.invariants.iter_mut().for_each(|invariants| invariants.truncate(known.1));
            self.heads.push(head);
            let explored = self.explore(level);
            head = self.heads.pop().ok_or(NotClosed::Attempts)?;
            match explored {
                Ok(()) if !head.is_dirty && head.is_lost => {
                    return Err(NotClosed::General(NotGeneral::Pointer).into());
                }
                Ok(()) if !head.is_dirty => {
                    self.invariants.iter_mut().for_each(|invariants| invariants.push(HeadInvariant::of(&head)));
                    if level > 0 {
                        let loc = self.executor.state_location(&head.start);
                        self.closed.push((head.func, head.pc, loc));
                        self.keep(level, key, head);
                    }
                    return Ok(());
                }
                Ok(()) => {}
                Err(Stop::Again(of)) if of == level => {}
                Err(stop @ Stop::Again(_)) => {
                    self.keep(level, key, head);
                    return Err(stop);
                }
                Err(stop) => return Err(stop),
            }
        }
    }

    fn keep(&mut self, level: usize, key: (FuncId, u32, u32), head: Head) {
        if self.remembers {
            self.memories.insert((level, key), head.memory());
        }
    }

    /// Executes a few rounds from where the loop is entered, to see what it changes.
    fn sample(&mut self, head: &mut Head) -> Result<(), Stop> {
        let mut start = head.start.clone();
        self.executor.note_arrays(&mut start);
        self.executor.note_look_up(&mut start);
        let mut open = std::collections::VecDeque::from([(start, 0)]);
        let mut visits: Vec<State> = Vec::new();
        let mut arrays = Vec::new();
        let mut left = SAMPLED_INSTRUCTIONS;
        while let Some((mut state, rounds)) = open.pop_front() {
            if !head.is_inside(self.executor, &state) {
                continue;
            }
            let before = state.instructions();
            let step = self.executor.run_havocked(&mut state, STRETCH.min(left));
            left = left.saturating_sub(state.instructions() - before);
            self.charge()?;
            match step {
                Step::Budget | Step::Entered => open.push_back((state, rounds)),
                Step::Join => {
                    self.executor.note_look_up(&mut state);
                    if !head.is_at(&state) {
                        // Behind the heads of loops around it other rounds begin.
                        if !self.heads.iter().any(|around| around.is_at(&state)) {
                            open.push_back((state, rounds));
                        }
                        continue;
                    }
                    let changes = self.executor.changed_places(&head.start, &state, &[]).map_err(NotClosed::General)?;
                    head.add_places(changes.places)?;
                    // Those of which little is known yet are met again.
                    arrays.extend(changes.arrays.into_iter().filter_map(|array| array.as_cells().ok()));
                    visits.push(State::clone(&state));
                    if rounds < SAMPLED_ROUNDS {
                        open.push_back((state, rounds + 1));
                    }
                }
                Step::Fork(children) => {
                    let children = children.into_iter().filter(|child| child.end.is_none());
                    let children = children.map(|child| (child.state, rounds));
                    let others: Vec<_> = std::iter::once((state, rounds)).chain(children).collect();
                    open.extend(others.into_iter().filter(|(state, _)| !state.is_over()));
                }
                Step::End(_) => {}
            }
            if left == 0 || visits.len() >= SAMPLED_VISITS || open.len() > MOST_OPEN {
                break;
            }
        }
        for array in arrays {
            head.add_array(self.executor, array, true)?;
        }
        head.name_variables(self.executor)?;
        let mut random = Rng::new(0);
        let start = head.start.clone();
        for state in std::iter::once(&*start).chain(&visits) {
            head.add_samples(self.executor, state, &mut random);
        }
        Ok(())
    }

    /// Explores all from the general state of the head that is on top.
    fn explore(&mut self, level: usize) -> Result<(), Stop> {
        let state = self.heads[level].general.clone();
        let mut inside = vec![state];
        let mut outside = Vec::new();
        loop {
            let item = match inside.pop() {
                Some(item) => item,
                None if self.heads[level].is_dirty => return Err(Stop::Again(level)),
                None if self.heads[level].is_lost => return Err(NotClosed::General(NotGeneral::Pointer).into()),
                None => match outside.pop() {
                    Some(item) => item,
                    None => return Ok(()),
                },
            };
            let (mut open, mut left) = (vec![item], Vec::new());
            while let Some(item) = open.pop() {
                self.run(item, &mut left)?;
                for item in left.drain(..) {
                    if self.heads[level].is_inside(self.executor, &item) {
                        inside.push(item);
                    } else {
                        self.heads[level].note_decisions(self.executor, &item, None);
                        outside.push(item);
                    }
                }
            }
            if inside.len() + outside.len() > MOST_OPEN {
                return Err(NotClosed::Ways.into());
            }
        }
    }

    /// Runs a path until it forks, ends or has to be looked at.
    fn run(&mut self, mut item: Item, open: &mut Vec<Item>) -> Result<(), Stop> {
        if self.invariants.is_none() && !self.executor.is_relevant(&item) {
            return Ok(());
        }
        let step = self.executor.run_havocked(&mut item, STRETCH);
        self.charge()?;
        self.require_whole(&item)?;
        match step {
            Step::Budget | Step::Entered => open.push(item),
            Step::Join => return self.meet(item, open),
            Step::Fork(children) => {
                open.push(item);
                for child in children {
                    self.require_whole(&child.state)?;
                    match child.end {
                        Some(end) => self.end(&child.state, &end)?,
                        None => open.push(child.state),
                    }
                }
            }
            Step::End(end) => self.end(&item, &end)?,
        }
        Ok(())
    }

    /// Nothing may be left out of what the program can do, nor rest on a condition: the verdict
    /// would not name it.
    fn require_whole(&mut self, state: &State) -> Result<(), Stop> {
        if let Some(why) = self.executor.array_trouble(state) {
            return self.give_up(state, NotClosed::General(why));
        }
        let new = state.approximations().get(self.approximations..).unwrap_or_default();
        match new.iter().find(|approximation| approximation.direction != Direction::Over) {
            Some(_) => Err(NotClosed::Approximation.into()),
            None => Ok(()),
        }
    }

    /// A path came to where paths meet.
    fn meet(&mut self, mut item: Item, open: &mut Vec<Item>) -> Result<(), Stop> {
        self.executor.note_look_up(&mut item);
        if !self.executor.is_at_loop_head(&item) {
            open.push(item);
            return Ok(());
        }
        if let Some(head) = self.heads.iter_mut().rev().find(|head| head.is_at(&item)) {
            head.arrive(self.executor, &item)?;
            if head.ways > MOST_WAYS {
                return Err(NotClosed::Ways.into());
            }
            self.charge()?;
            return Ok(());
        }
        // What is to be told of is not executed by the way.
        let behind = if self.invariants.is_none() { self.behind_loop_over_numbers(&item)? } else { None };
        match behind {
            Some(behind) => open.push(behind),
            None => self.prove(&item)?,
        }
        Ok(())
    }

    /// Where a path comes that goes round a loop a few times without a question to anybody.
    fn behind_loop_over_numbers(&mut self, item: &State) -> Result<Option<Item>, Stop> {
        let head = Head::new(self.executor, item, 0)?;
        let mut state = Box::new(item.clone());
        let asked = self.executor.solver.stats().queries;
        let mut rounds = 0;
        while rounds <= MANY_ROUNDS {
            let before = state.instructions();
            let step = self.executor.run_havocked(&mut state, STRETCH);
            self.charge()?;
            let is_plain = matches!(step, Step::Budget | Step::Join | Step::Entered);
            let was_asked = self.executor.solver.stats().queries != asked;
            if !is_plain || was_asked || self.executor.array_trouble(&state).is_some() {
                break;
            }
            self.require_whole(&state)?;
            if !head.is_inside(self.executor, &state) {
                // It is looked at again where it is.
                return Ok(Some(state));
            }
            if matches!(step, Step::Join) {
                self.executor.note_look_up(&mut state);
            }
            rounds += u32::from(head.is_at(&state) || state.instructions() - before >= STRETCH);
        }
        Ok(None)
    }

    fn end(&mut self, state: &State, end: &End) -> Result<(), Stop> {
        match end {
            End::Exit(_) | End::Infeasible | End::Silent => Ok(()),
            End::Violation(violation) if !(self.question.is_asked)(self.executor, violation) => Ok(()),
            End::Violation(violation) => {
                let (executor, heads) = (&mut *self.executor, &mut self.heads);
                // What is explored with too much assumed, or too little, is explored again.
                if heads.iter().any(|head| head.is_dirty) || executor.is_infeasible(state) {
                    return Ok(());
                }
                self.lead = executor.inputs_of(state).or(self.lead.take());
                for head in heads.iter_mut() {
                    head.note_decisions(executor, state, None);
                    if head.is_dirty {
                        return Err(Stop::Again(head.level));
                    }
                }
                if let Some(level) = heads.iter_mut().rev().find_map(|head| head.tries_harder().then_some(head.level)) {
                    return Err(Stop::Again(level));
                }
                match heads.iter_mut().rev().find_map(|head| head.avoid(executor, state).then_some(head.level)) {
                    Some(level) => Err(Stop::Again(level)),
                    // What did not hold when a loop was entered otherwise may hold now.
                    None if self.has_remembered && std::mem::take(&mut self.remembers) => {
                        self.memories.clear();
                        Err(Stop::Again(0))
                    }
                    None => Err(NotClosed::Error(violation.loc).into()),
                }
            }
            End::Limit(_) | End::Unsupported(_) => self.give_up(state, NotClosed::Cut),
            End::SolverUnknown(_) => self.give_up(state, NotClosed::Solver),
        }
    }

    /// A path was not followed to its end: it may be, if arrays that it read are described.
    fn give_up(&mut self, state: &State, why: NotClosed) -> Result<(), Stop> {
        let (executor, heads) = (&mut *self.executor, &mut self.heads);
        match heads.iter_mut().find_map(|head| head.takes_arrays_of(executor, state).then_some(head.level)) {
            Some(level) => Err(Stop::Again(level)),
            None => Err(why.into()),
        }
    }
}
