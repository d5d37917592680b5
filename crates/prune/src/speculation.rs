//! Speculation: what if a decision had gone the other way?
//!
//! A decision that has one feasible outcome protects a state from what is on the other side, so its
//! condition becomes a part of the interpolant. But often nothing that is looked for is there:
//! `if (p) { check(lock); unlock(); }` does no harm where `p` is false. So the other side is
//! explored all the same, from a state that no input reaches, with the constraints that exclude it
//! left out. If nothing is met there, it has an interpolant of its own, as any finished subtree,
//! and the decision is carried back like a fork: `condition or what the other side requires`, which
//! is weaker, and which the node satisfies since the condition holds there.
//!
//! Interpolants do not depend on how a subtree was come to, so what is learnt here goes into the
//! table like anything else. What is met here is no finding: it only means that the condition has
//! to be kept. After TracerX, whose speculation has the same aim, with a budget for each branch of
//! the program: it is given up for a branch where it failed once.

use crate::account::{Account, Mark};
use crate::interpolant::{Builder, Interpolant, LearningFor, Segment};
use crate::table::Point;
use crate::{FinishedChild, learn_from_children, length};
use espalier_exec::{End, Executor, State, Step};
use espalier_expr::{Model, Term};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What may be explored behind each branch of the program.
const NODES: u32 = 192;
const INSTRUCTIONS: u64 = 20_000;

/// A try that succeeds is charged this part of what it costs: what it saves shows later.
const SUCCESS: u64 = 4;

/// Tries within tries.
const DEEPEST: u32 = 4;

#[derive(Default)]
pub struct Speculation {
    /// What is left for branches, under their function and place; nothing where it failed.
    left: FxHashMap<(u32, u32), u32>,
    depth: u32,
    /// The work that may be done and was done, in all, and where the outermost try began.
    allowed: u64,
    spent: u64,
    began: Option<Mark>,
    /// All that was done since it was asked for.
    done: u64,
}

/// The other side of a decision, and what was learnt there.
pub struct OtherSide {
    pub state: Box<State>,
    pub interpolant: Interpolant,
}

/// One try.
struct Try<'a> {
    executor: &'a mut Executor,
    speculation: &'a mut Speculation,
    learning: LearningFor<'a>,
    nodes: u32,
    instructions: u64,
}

/// A branch, instruction number `at` from `start` on, where `condition` holds, which is over inputs.
#[derive(Copy, Clone)]
pub struct Decision<'a> {
    pub start: &'a State,
    pub at: u64,
    pub condition: Term,
}

impl Speculation {
    /// Sets what may be spent, in all.
    pub fn allow(&mut self, work: u64) {
        self.allowed = work;
    }

    fn is_affordable(&self, executor: &Executor) -> bool {
        self.spent + self.began.as_ref().map_or(0, |mark| mark.work(executor)) < self.allowed
    }

    /// Explores the other side of a decision.
    pub fn other_side(
        &mut self,
        executor: &mut Executor,
        learning: LearningFor<'_>,
        decision: Decision<'_>,
    ) -> Option<OtherSide> {
        if self.depth >= DEEPEST || !self.is_affordable(executor) {
            return None;
        }
        self.depth += 1;
        let found = self.attempt(executor, learning, decision);
        self.depth -= 1;
        found
    }

    /// What is done from here on belongs to a try, until [`Speculation::end`]; to the outermost of
    /// tries within tries.
    pub fn begin(&mut self, executor: &Executor) {
        if self.depth == 0 {
            self.began = Some(Account::mark(executor));
        }
    }

    pub fn end(&mut self, executor: &Executor, has_succeeded: bool) {
        if self.depth == 0 {
            let work = self.began.take().map_or(0, |mark| mark.work(executor));
            self.done += work;
            self.spent += if has_succeeded { work / SUCCESS } else { work };
        }
    }

    /// What was done since the last time.
    pub fn take_done(&mut self) -> u64 {
        std::mem::take(&mut self.done)
    }

    fn attempt(
        &mut self,
        executor: &mut Executor,
        learning: LearningFor<'_>,
        Decision { start, at, condition }: Decision<'_>,
    ) -> Option<OtherSide> {
        let mut state = start.clone();
        if !executor.run_to(&mut state, at) {
            return None;
        }
        let frame = state.running();
        let branch = (frame.func.0, frame.pc);
        let left = self.left.get(&branch).copied().unwrap_or(NODES);
        if left == 0 {
            return None;
        }
        // It is not tried while it is tried.
        self.left.insert(branch, 0);
        let mut attempt = Try { executor, speculation: self, learning, nodes: left, instructions: INSTRUCTIONS };
        let found = attempt.other_side(state, condition);
        let nodes = attempt.nodes;
        if found.is_some() {
            self.left.insert(branch, nodes);
        }
        found
    }
}

impl Try<'_> {
    fn other_side(&mut self, mut state: State, condition: Term) -> Option<OtherSide> {
        self.executor.forget_constraints_on(&mut state, condition);
        let approximations = state.approximations().len();
        let Step::Fork(children) = self.executor.run_havocked(&mut state, 1) else { return None };
        let own = (Box::new(state), None);
        let mut others =
            children.into_iter().map(|child| (child.state, child.end)).chain([own]).filter(|(state, _)| {
                let holds = state.model().map(|model| self.executor.terms.eval(condition, model).to_u64());
                holds != Some(Some(1))
            });
        let (Some((state, None)), None) = (others.next(), others.next()) else { return None };
        drop(others);
        if state.approximations().len() > approximations {
            return None;
        }
        let (interpolant, _) = self.explore(State::clone(&state))?;
        Some(OtherSide { state, interpolant })
    }

    /// What is required of states that are where this one is, if nothing is met from here on, and
    /// what that is worth.
    fn explore(&mut self, mut state: State) -> Option<(Interpolant, u64)> {
        self.nodes = self.nodes.checked_sub(1)?;
        if !self.speculation.is_affordable(self.executor) {
            return None;
        }
        if !self.executor.is_relevant(&state) {
            return Some((Interpolant::default(), 0));
        }
        let point = Rc::new(Point::of(&state)?);
        if let Some(spoken) = self.learning.table.find(self.executor, &point, &state) {
            return Some((spoken.interpolant, spoken.worth));
        }
        state.stop_at_next_join();
        let start = state.clone();
        let step = self.executor.run_havocked(&mut state, self.instructions);
        self.instructions = self.instructions.checked_sub(state.instructions() - start.instructions())?;
        // What it leaves out of what the program can do is not known to be harmless.
        if self.executor.was_cut_short() || state.approximations().len() > start.approximations().len() {
            return None;
        }
        let mut below: u64 = 0;
        let ran = state.instructions() - start.instructions();
        let forked = matches!(step, Step::Fork(_));
        let interpolant = match step {
            Step::Budget | Step::Entered => None,
            Step::End(end) => self.learn_from_end(&start, &state, &end),
            Step::Join => {
                let (interpolant, worth) = self.explore(state.clone())?;
                below = worth;
                let segment = Segment {
                    start: &start,
                    model: state.model()?,
                    instructions: length(&start, state.instructions()).ok()?,
                    end: Some(&state),
                };
                let mut builder = self.builder(&start);
                builder.add_join(&segment, &interpolant).ok()?;
                builder.finish().ok()
            }
            Step::Fork(children) => {
                let mut finished = Vec::new();
                let mut ended: Vec<Rc<Model>> = Vec::new();
                let own = (Box::new(state), None);
                for (child, end) in
                    std::iter::once(own).chain(children.into_iter().map(|child| (child.state, child.end)))
                {
                    match end {
                        _ if child.approximations().len() > start.approximations().len() => return None,
                        Some(end) if is_harmless(&end) => ended.push(child.model()?.clone()),
                        Some(_) => return None,
                        None => {
                            let (interpolant, worth) = self.explore(State::clone(&child))?;
                            below = below.saturating_add(worth);
                            finished.push(FinishedChild { start: child, interpolant });
                        }
                    }
                }
                let builder = self.builder(&start);
                learn_from_children(builder, &start, &finished, &ended).ok()
            }
        }?;
        let worth = Account::worth(ran, forked, below);
        let node = self.learning.node;
        self.learning.table.insert(self.executor, &point, &start, interpolant.clone(), (node, worth));
        Some((interpolant, worth))
    }

    fn builder<'b>(&'b mut self, start: &State) -> Builder<'b> {
        let Try { executor, speculation, learning, .. } = self;
        Builder::new(executor, learning.method, start).speculating(speculation, learning.again())
    }

    fn learn_from_end(&mut self, start: &State, state: &State, end: &End) -> Option<Interpolant> {
        if !is_harmless(end) {
            return None;
        }
        let instructions = length(start, state.instructions()).ok()?;
        let segment = Segment { start, model: state.model()?, instructions, end: None };
        let mut builder = self.builder(start);
        builder.add_child(&segment, &Interpolant::default()).ok()?;
        builder.finish().ok()
    }
}

/// Is nothing met, and nothing cut short?
fn is_harmless(end: &End) -> bool {
    matches!(end, End::Exit(_) | End::Infeasible | End::Silent)
}
