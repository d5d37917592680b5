//! Interpolants: what a state must satisfy for a finished subtree to speak for it, and how they are
//! carried backwards.
//!
//! The interpolant of a node is made of its children's. The segment between is run again on leaves
//! (`Executor::replay`), which gives guards and the children's clauses in terms of the node's own
//! state. Then, for a child under the guard `e`:
//!
//! - a decision on the way that had one feasible outcome contributes its condition: another state
//!   must decide the same; unless nothing is on its other side (`speculation`);
//! - a clause of the child that the node satisfies without `e` is kept as it is (this is what keeps
//!   trees linear);
//! - otherwise it is kept as `e => clause`, the exact weakest precondition, in its simplest form
//!   (`rewriting`), if that is not too large;
//! - otherwise the node's own context is kept instead, as far as the clause follows from it: the
//!   values of its leaves, and of the path condition an unsat core.
//!
//! In the end, places are pinned where that makes clauses simpler, or fewer (`pins`).
//!
//! After BACKPROP of the TracerX paper (rules 2b to 5b), with clauses instead of conjunctions of
//! literals only, so that its ABDUCTION is needed for large clauses alone. Clauses are taken one by
//! one, so what SEPARATE does comes by itself: only those that need the guard get a context.
//! [`Method::UnsatCore`] uses the context for every clause, as older methods do.

use crate::clause::{Bound, Clause};
use crate::rewriting::{Checks, simplify};
use crate::speculation::{Decision, OtherSide, Speculation};
use crate::table::Table;
use espalier_exec::{Event, Executor, Leaf, LeafValues, Needs, NoInterpolant, ObjectName, Prefix, State, resolve_name};
use espalier_expr::{Model, Op, SymbolKind, Term, Terms};
use espalier_solver::Answer;
use espalier_tree::NodeId;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::hash_map::Entry;

/// Terms that a clause may be made of.
const MOST_PARTS: usize = 300;

/// A set of clauses, and what else must be as it was. Every state at the same point that satisfies
/// it reaches no open obligation.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Interpolant {
    pub clauses: Vec<Clause>,
    pub needs: Needs,
    /// With `needs.same_stack`: where the stack objects were.
    pub stack: Vec<u64>,
}

impl Interpolant {
    /// Is everything that must be as it was, apart from clauses, also needed by the other one?
    pub fn needs_no_more_than(&self, other: &Interpolant) -> bool {
        let Needs { objects, as_loaded, no_object, heap_position, same_stack } = &self.needs;
        objects.iter().all(|(name, facts)| other.needs.objects.get(name) == Some(facts))
            && as_loaded.is_subset(&other.needs.as_loaded)
            && no_object.is_subset(&other.needs.no_object)
            && (heap_position.is_none() || *heap_position == other.needs.heap_position)
            && (!same_stack || other.needs.same_stack && self.stack == other.stack)
    }

    /// Each clause and need.
    pub fn requirements(&self, executor: &Executor) -> Vec<Requirement> {
        let Needs { objects, as_loaded, no_object, heap_position, same_stack } = &self.needs;
        let clauses = self.clauses.iter().map(|clause| Requirement::Clause(clause.display(executor)));
        let objects = objects.iter().map(|(&name, &(size, _))| Requirement::Object { name, size });
        let as_loaded = as_loaded.iter().map(|&address| Requirement::AsLoaded { address });
        let no_object = no_object.iter().map(|&address| Requirement::NoObject { address });
        let heap = heap_position.map(Requirement::HeapObjects);
        let stack = same_stack.then_some(Requirement::SameStack);
        clauses.chain(objects).chain(as_loaded).chain(no_object).chain(heap).chain(stack).collect()
    }
}

/// A part of an interpolant. How this is said to people is in `report::interpolant_text`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Requirement {
    /// A clause, written out.
    Clause(String),
    /// The object has this many bytes.
    Object { name: ObjectName, size: u64 },
    /// The global at this address is what it was when the program started.
    AsLoaded { address: u64 },
    /// Nothing is at this address.
    NoObject { address: u64 },
    /// So many heap objects were made.
    HeapObjects(u64),
    /// The stack lies where it lay.
    SameStack,
}

/// What interpolants are made of.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub enum Method {
    /// Weakest preconditions of what has to hold below.
    #[default]
    WeakestPrecondition,
    /// The part of the path's own constraints from which that follows: what was used before, to
    /// compare with.
    UnsatCore,
}

/// The segment that a child hangs on.
pub struct Segment<'a> {
    /// Where it begins.
    pub start: &'a State,
    /// Inputs that follow it.
    pub model: &'a Model,
    pub instructions: u64,
    /// The child's state where the segment ends; `None` if the path ended.
    pub end: Option<&'a State>,
}

/// One way that a fork went.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// When it goes so, over the leaves of where its segment began.
    pub taken: Term,
    /// What the segment assumed before.
    pub hypotheses: Vec<Term>,
}

/// Collects the clauses of one node.
pub struct Builder<'a> {
    pub(crate) executor: &'a mut Executor,
    method: Method,
    /// The node's state, to be read from.
    pub(crate) state: State,
    values: FxHashMap<Term, Term>,
    pub(crate) bounds: FxHashMap<Term, Bound>,
    pub(crate) order: Vec<Term>,
    pub(crate) general: Vec<Term>,
    seen: FxHashSet<Term>,
    /// Conditions of decisions that were added, as they came.
    required: FxHashSet<Term>,
    pub(crate) needs: Needs,
    speculation: Option<(&'a mut Speculation, LearningFor<'a>)>,
}

/// What is learnt goes here.
pub struct LearningFor<'a> {
    pub table: &'a mut Table,
    /// Checks what becomes of clauses, if that is asked for.
    pub checks: Option<&'a mut Checks>,
    pub method: Method,
    /// The node that is learnt from.
    pub node: NodeId,
}

impl LearningFor<'_> {
    /// The same for what is learnt on the way.
    pub fn again(&mut self) -> LearningFor<'_> {
        let LearningFor { table, checks, method, node } = self;
        LearningFor { table, checks: checks.as_deref_mut(), method: *method, node: *node }
    }
}

impl<'a> Builder<'a> {
    pub fn new(executor: &'a mut Executor, method: Method, start: &State) -> Builder<'a> {
        Builder {
            executor,
            method,
            state: start.clone(),
            values: FxHashMap::default(),
            bounds: FxHashMap::default(),
            order: Vec::new(),
            general: Vec::new(),
            seen: FxHashSet::default(),
            required: FxHashSet::default(),
            needs: Needs::default(),
            speculation: None,
        }
    }

    /// Decisions with one feasible outcome are not kept where the other side does no harm.
    pub fn speculating(self, speculation: &'a mut Speculation, learning: LearningFor<'a>) -> Builder<'a> {
        Builder { speculation: Some((speculation, learning)), ..self }
    }

    pub fn finish(mut self) -> Result<Interpolant, NoInterpolant> {
        self.pin()?;
        let mut clauses: Vec<Clause> = self.order.iter().map(|term| Clause::Bound(self.bounds[term])).collect();
        clauses.extend(self.general.iter().map(|&term| Clause::General(term)));
        let numbers = clauses.iter().any(|clause| self.mentions_stack(clause));
        self.needs.same_stack |= numbers;
        let stack = if self.needs.same_stack { stack_layout(&self.state) } else { Vec::new() };
        Ok(Interpolant { clauses, needs: self.needs, stack })
    }

    fn mentions_stack(&mut self, clause: &Clause) -> bool {
        if let Clause::Bound(bound) = clause
            && self.executor.terms.width(bound.term) == self.executor.program().target.pointer_width
            && (self.state.memory().layout.is_stack_address(bound.lo)
                || self.state.memory().layout.is_stack_address(bound.hi))
        {
            return true;
        }
        self.executor.mentions_stack_address(&self.state, clause.term())
    }

    /// The part of a segment that all alternatives of its fork share: adds its guards. Gives what
    /// it assumes.
    pub fn add_prefix(&mut self, segment: &Segment) -> Result<(Prefix, Vec<Term>), NoInterpolant> {
        let (prefix, replayed) = self.executor.replay_prefix(segment.start, segment.model, segment.instructions)?;
        self.add_needs(segment, replayed.needs, Needs::default());
        let (hypotheses, _) = self.add_events(segment.start, replayed.events, None, Vec::new(), Vec::new())?;
        Ok((prefix, hypotheses))
    }

    /// Carries the interpolant of a child back over the fork and what was before, and adds what
    /// comes out.
    pub fn add_alternative(
        &mut self,
        segment: &Segment,
        prefix: &Prefix,
        hypotheses: &[Term],
        end: &State,
        child: &Interpolant,
    ) -> Result<Outcome, NoInterpolant> {
        let (carried, replayed) = self
            .executor
            .replay_fork(prefix, segment.model, end, |executor, state| carry(executor, state, segment.start, child))?;
        let Carried { mut clauses, same, needs } = carried;
        self.add_needs(segment, replayed.needs, needs);
        let fork = Some(segment.instructions);
        let (hypotheses, guards) =
            self.add_events(segment.start, replayed.events, fork, hypotheses.to_vec(), Vec::new())?;
        clauses.extend(self.keep_same(same)?);
        self.add_clauses(clauses, hypotheses, guards)
    }

    /// Carries the interpolant of a child back over its segment and adds what comes out.
    pub fn add_child(&mut self, segment: &Segment, child: &Interpolant) -> Result<Outcome, NoInterpolant> {
        self.add_segment(segment, child, segment.end.map(|_| segment.instructions))
    }

    /// The same for a child at a join: its segment does not end in a fork.
    pub fn add_join(&mut self, segment: &Segment, child: &Interpolant) -> Result<(), NoInterpolant> {
        self.add_segment(segment, child, None).map(drop)
    }

    fn add_segment(
        &mut self,
        segment: &Segment,
        child: &Interpolant,
        fork: Option<u64>,
    ) -> Result<Outcome, NoInterpolant> {
        let (carried, replayed) = self.executor.replay(
            segment.start,
            segment.model,
            segment.instructions,
            segment.end,
            |executor, state| carry(executor, state, segment.start, child),
        )?;
        let Carried { mut clauses, same, needs } = carried;
        self.add_needs(segment, replayed.needs, needs);
        // What speculation finds on the other side of a decision may not need what this side needs.
        let is_branch = |event: &Event| matches!(event, Event::Guard { is_branch: true, .. });
        let may_speculate = fork.is_none() && self.speculation.is_some() && replayed.events.iter().any(is_branch);
        clauses.extend(match may_speculate {
            true => same.iter().map(|bound| bound.condition(&mut self.executor.terms)).collect(),
            false => self.keep_same(same)?,
        });
        let (behind, clauses) = if fork.is_none() { (clauses, Vec::new()) } else { (Vec::new(), clauses) };
        let (hypotheses, guards) = self.add_events(segment.start, replayed.events, fork, Vec::new(), behind)?;
        self.add_clauses(clauses, hypotheses, guards)
    }

    /// What the segment needs, and what the child needs where the segment began.
    fn add_needs(&mut self, segment: &Segment, own: Needs, child: Needs) {
        let position = own.heap_position.or(child.heap_position.and(Some(segment.start.memory().positions().0)));
        for needs in [own, child] {
            self.needs.objects.extend(needs.objects);
            self.needs.as_loaded.extend(needs.as_loaded);
            self.needs.no_object.extend(needs.no_object);
            self.needs.same_stack |= needs.same_stack;
        }
        if let Some(position) = position {
            self.needs.heap_position = Some(position);
        }
    }

    /// Adds the conditions of the decisions that had one outcome, and `behind`, what is required
    /// behind all of them. Gives what was assumed, `hypotheses` first, and the conditions of the
    /// decision by which the segment forked, at instruction `fork`.
    fn add_events(
        &mut self,
        start: &State,
        events: Vec<Event>,
        fork: Option<u64>,
        mut hypotheses: Vec<Term>,
        behind: Vec<Term>,
    ) -> Result<(Vec<Term>, Vec<Term>), NoInterpolant> {
        let mut guards = Vec::new();
        let mut decided = Vec::new();
        for &event in &events {
            match event {
                Event::Assumed(condition) => hypotheses.push(condition),
                Event::Guard { condition, at, .. } if fork == Some(at) => guards.push(condition),
                Event::Guard { matters: false, .. } => {}
                Event::Guard { condition, at, is_branch, .. } => {
                    decided.push((condition, is_branch.then_some(at), hypotheses.len()));
                }
            }
        }
        // The last first: what is behind it is known when others come there.
        let mut required: Vec<(Term, usize)> = behind.into_iter().map(|clause| (clause, hypotheses.len())).collect();
        for (condition, branch, assumed) in decided.into_iter().rev() {
            match branch.and_then(|at| self.add_other_side(start, &events, condition, at)) {
                None => required.push((condition, assumed)),
                // What only this side requires is required where it is taken.
                Some(others) => {
                    for (clause, _) in &mut required {
                        if !others.contains(&self.simplified(*clause)) {
                            *clause = self.executor.terms.implies(condition, *clause);
                        }
                    }
                }
            }
        }
        for (clause, assumed) in required.into_iter().rev() {
            self.add(clause, &hypotheses[..assumed], &[])?;
        }
        Ok((hypotheses, guards))
    }

    /// Requires of the other side of a decision what was found there by speculation, if the inputs
    /// exclude it. Gives the clauses, over the leaves of where the segment began; `None` if the
    /// condition has to be kept.
    fn add_other_side(&mut self, start: &State, events: &[Event], condition: Term, at: u64) -> Option<Vec<Term>> {
        if self.speculation.is_none() || self.required.contains(&condition) {
            return None;
        }
        let over_inputs = self.evaluate(condition).filter(|&term| !self.executor.terms.is_const(term))?;
        self.speculation.iter_mut().for_each(|(speculation, _)| speculation.begin(self.executor));
        let found = self.try_other_side(events, Decision { start, at, condition: over_inputs });
        self.speculation.iter_mut().for_each(|(speculation, _)| speculation.end(self.executor, found.is_some()));
        found
    }

    fn try_other_side(&mut self, events: &[Event], decision: Decision<'_>) -> Option<Vec<Term>> {
        let (speculation, learning) = self.speculation.as_mut()?;
        let OtherSide { state, interpolant } = speculation.other_side(self.executor, learning.again(), decision)?;
        let Decision { start, at, .. } = decision;
        let segment = Segment { start, model: state.model()?, instructions: at, end: Some(&state) };
        self.carry_other_side(&segment, events, &interpolant).ok()
    }

    /// Carries what the other side of the last decision of a segment requires back to where it
    /// begins. `events` are those of the way that is taken.
    fn carry_other_side(
        &mut self,
        segment: &Segment,
        events: &[Event],
        child: &Interpolant,
    ) -> Result<Vec<Term>, NoInterpolant> {
        let Segment { start, model, instructions, end } = *segment;
        let (carried, replayed) = self
            .executor
            .replay(start, model, instructions, end, |executor, state| carry(executor, state, start, child))?;
        let Carried { mut clauses, same, needs } = carried;
        clauses.extend(same.iter().map(|bound| bound.condition(&mut self.executor.terms)));
        // What is decided before, and dealt with there, has to be decided in the same way.
        let before = |event: &&Event| matches!(**event, Event::Guard { at, .. } if at < instructions);
        if !events.iter().filter(before).eq(replayed.events.iter().filter(before)) {
            return Err(NoInterpolant::OtherWay);
        }
        let mut hypotheses = Vec::new();
        let mut guards = Vec::new();
        for event in replayed.events {
            match event {
                Event::Assumed(condition) => hypotheses.push(condition),
                Event::Guard { condition, at, .. } if at == instructions => guards.push(condition),
                Event::Guard { .. } => {}
            }
        }
        for clause in &mut clauses {
            self.add(*clause, &hypotheses, &guards)?;
            *clause = self.simplified(*clause);
        }
        self.add_needs(segment, replayed.needs, needs);
        Ok(clauses)
    }

    fn add_clauses(
        &mut self,
        clauses: Vec<Term>,
        hypotheses: Vec<Term>,
        guards: Vec<Term>,
    ) -> Result<Outcome, NoInterpolant> {
        for clause in clauses {
            self.add(clause, &hypotheses, &guards)?;
        }
        let taken = self.executor.terms.bool_and(&guards);
        Ok(Outcome { taken, hypotheses })
    }

    /// The condition under which a segment's last instruction, a fork, has the outcome that it had
    /// with `segment.model`, where the path ended.
    pub fn outcome(&mut self, segment: &Segment) -> Result<Outcome, NoInterpolant> {
        let ((), replayed) =
            self.executor.replay(segment.start, segment.model, segment.instructions, None, |_, _| Ok(()))?;
        let mut taken = self.executor.terms.tru();
        for event in replayed.events {
            if let Event::Guard { condition, at, .. } = event
                && at == segment.instructions
            {
                taken = self.executor.terms.and(taken, condition);
            }
        }
        Ok(Outcome { taken, hypotheses: Vec::new() })
    }

    /// Is one of the outcomes always taken, as far as can be told at once?
    pub fn is_exhaustive(&mut self, outcomes: &[Outcome]) -> bool {
        let any: Vec<Term> = outcomes.iter().map(|outcome| outcome.taken).collect();
        self.executor.terms.bool_or(&any) == self.executor.terms.tru()
    }

    /// Requires that a fork has one of these outcomes: others are infeasible at this node, and were
    /// not explored.
    pub fn add_outcomes(&mut self, outcomes: &[Outcome]) -> Result<(), NoInterpolant> {
        let any: Vec<Term> = outcomes.iter().map(|outcome| outcome.taken).collect();
        let any = self.executor.terms.bool_or(&any);
        let hypotheses = outcomes.first().map_or(&[][..], |outcome| &outcome.hypotheses);
        self.add(any, hypotheses, &[])
    }

    /// Adds a clause that holds under the hypotheses and guards; without them, if the node
    /// satisfies it so.
    fn add(&mut self, clause: Term, hypotheses: &[Term], guards: &[Term]) -> Result<(), NoInterpolant> {
        if clause == self.executor.terms.tru() {
            return Ok(());
        }
        if self.executor.is_stopped() {
            return Err(NoInterpolant::Stopped);
        }
        if guards.is_empty() && !self.required.insert(clause) {
            return Ok(());
        }
        if hypotheses.is_empty() && guards.is_empty() || self.holds(clause) {
            return self.keep_or_context(clause, false);
        }
        let mut weakened = clause;
        for &guard in guards {
            weakened = self.executor.terms.implies(guard, weakened);
        }
        for hypothesis in self.related(weakened, hypotheses) {
            weakened = self.executor.terms.implies(hypothesis, weakened);
        }
        let weakened = self.simplified(weakened);
        let is_large = self.executor.terms.has_more_parts_than(weakened, MOST_PARTS);
        self.keep_or_context(weakened, is_large)
    }

    fn keep_or_context(&mut self, clause: Term, is_large: bool) -> Result<(), NoInterpolant> {
        match self.method {
            Method::WeakestPrecondition if !is_large => self.keep(clause),
            Method::WeakestPrecondition => self.keep_context(clause).or_else(|_| self.keep(clause)),
            Method::UnsatCore => self.keep_context(clause),
        }
    }

    fn simplified(&mut self, clause: Term) -> Term {
        let is_quantified =
            |terms: &Terms, var: Term| terms.symbol_info(terms.node(var).symbol()).kind != SymbolKind::Place;
        let simple = simplify(&mut self.executor.terms, clause, &is_quantified);
        self.check(clause, simple, &[]);
        simple
    }

    pub(crate) fn is_checked(&self) -> bool {
        matches!(self.speculation, Some((_, LearningFor { checks: Some(_), .. })))
    }

    /// Checks that a clause follows from what has become of it, with what is given, if that is
    /// asked for.
    pub(crate) fn check(&mut self, before: Term, after: Term, given: &[Term]) {
        if let Some((_, LearningFor { checks: Some(checks), .. })) = &mut self.speculation {
            checks.check(self.executor, before, after, given);
        }
    }

    /// The hypotheses that share a variable with the clause, directly or through others.
    fn related(&self, clause: Term, hypotheses: &[Term]) -> Vec<Term> {
        if hypotheses.is_empty() {
            return Vec::new();
        }
        let terms = &self.executor.terms;
        let mut vars: FxHashSet<Term> = terms.vars_of(clause).iter().copied().collect();
        let mut left: Vec<Term> = hypotheses.to_vec();
        let mut related = Vec::new();
        loop {
            let before = related.len();
            left.retain(|&hypothesis| {
                let theirs = terms.vars_of(hypothesis);
                let relates = theirs.iter().any(|var| vars.contains(var));
                if relates {
                    vars.extend(theirs.iter());
                    related.push(hypothesis);
                }
                !relates
            });
            if related.len() == before {
                return related;
            }
        }
    }

    pub(crate) fn keep(&mut self, clause: Term) -> Result<(), NoInterpolant> {
        let clause = self.simplified(clause);
        let clause = self.close_over_inputs(clause);
        if clause == self.executor.terms.fals() {
            return Err(NoInterpolant::Unsatisfied);
        }
        if !self.executor.terms.span_of(clause).has_places() {
            // It does not depend on the state: true there means true everywhere.
            return Ok(());
        }
        if !self.seen.insert(clause) {
            return Ok(());
        }
        let kind = Clause::of(&self.executor.terms, clause);
        if self.is_about_one_object(&kind) {
            return Ok(());
        }
        match kind {
            Clause::General(term) => self.general.push(term),
            Clause::Bound(bound) => match self.bounds.contains_key(&bound.term).then(|| self.value(bound.term)) {
                Some(None) => self.general.push(clause),
                Some(Some(value)) if !bound.contains(value, self.executor.terms.width(bound.term)) => {
                    return Err(NoInterpolant::Unsatisfied);
                }
                value => self.keep_bound(bound, value.flatten())?,
            },
        }
        Ok(())
    }

    /// Keeps a bound on a term that has this value, and is within the bound; the value need not be
    /// known where this is the first bound on the term.
    fn keep_bound(&mut self, bound: Bound, value: Option<u64>) -> Result<(), NoInterpolant> {
        let width = self.executor.terms.width(bound.term);
        match self.bounds.entry(bound.term) {
            Entry::Vacant(entry) => {
                entry.insert(bound);
                self.order.push(bound.term);
            }
            Entry::Occupied(mut entry) => {
                let known = *entry.get();
                let value = value.filter(|&value| known.contains(value, width)).ok_or(NoInterpolant::Unsatisfied)?;
                entry.insert(known.intersect_around(&bound, value, width));
            }
        }
        Ok(())
    }

    /// Keeps bounds on places that hold at the node, whatever was assumed. Gives the others, as
    /// clauses; with unsat cores that is all of them.
    fn keep_same(&mut self, bounds: Vec<Bound>) -> Result<Vec<Term>, NoInterpolant> {
        let mut values = Vec::with_capacity(bounds.len());
        let places = bounds.iter().map(|bound| bound.term);
        self.executor.for_numbers_in(&self.state, places, |value| values.push(value));
        let mut others = Vec::new();
        for (bound, value) in bounds.into_iter().zip(values) {
            let width = self.executor.terms.width(bound.term);
            match value.filter(|&value| bound.contains(value, width)) {
                Some(_) if self.method == Method::WeakestPrecondition => self.keep_bound(bound, value)?,
                _ => others.push(bound.condition(&mut self.executor.terms)),
            }
        }
        Ok(others)
    }

    /// Requires what the clause follows from at this node, instead of the clause: that its leaves
    /// have the values that they have, and where these depend on inputs, an unsat core of the path
    /// condition, with inputs called by the leaves that hold them.
    fn keep_context(&mut self, clause: Term) -> Result<(), NoInterpolant> {
        let clause = self.close_over_inputs(clause);
        let core = self.core_for(clause)?;
        let leaves = leaves_of(self.executor, clause);
        let mut names: FxHashMap<Term, Term> = FxHashMap::default();
        let mut inputs: Vec<Term> = Vec::new();
        for &(var, _) in &leaves {
            let value = self.leaf_value(var)?;
            if self.executor.terms.op(value) == Op::Var {
                names.entry(value).or_insert(var);
            }
            inputs.extend(self.executor.terms.vars_of(value).iter());
        }
        for &constraint in &core {
            inputs.extend(self.executor.terms.vars_of(constraint).iter());
        }
        for input in inputs {
            if let Entry::Vacant(name) = names.entry(input) {
                name.insert(self.register_with(input).ok_or(NoInterpolant::ForeignInputs)?);
            }
        }
        for (var, _) in leaves {
            let value = self.leaf_value(var)?;
            let value = self.executor.terms.substitute(value, &names);
            let same = self.executor.terms.eq(var, value);
            self.keep(same)?;
        }
        for constraint in core {
            let constraint = self.executor.terms.substitute(constraint, &names);
            self.keep(constraint)?;
        }
        Ok(())
    }

    /// The constraints of the path condition that make a clause true at this node.
    fn core_for(&mut self, clause: Term) -> Result<Vec<Term>, NoInterpolant> {
        let condition = self.evaluate(clause).ok_or(NoInterpolant::NoPlace)?;
        let negated = self.executor.terms.not(condition);
        if negated == self.executor.terms.fals() {
            return Ok(Vec::new());
        }
        let (path, model) = (self.state.path_condition(), self.state.model());
        match self.executor.solver.check_briefly(&mut self.executor.terms, path, negated, model) {
            Answer::Unsat(core) => Ok(core.into_iter().filter(|&constraint| constraint != negated).collect()),
            Answer::Sat(_) | Answer::Unknown(_) => Err(NoInterpolant::Unsatisfied),
        }
    }

    /// The leaf for a register that holds just this input.
    fn register_with(&mut self, input: Term) -> Option<Term> {
        let frames: Vec<_> = self.state.frames().map(|frame| (frame.func, frame.pc, frame.depth)).collect();
        for (frame, (func, pc, depth)) in frames.into_iter().enumerate() {
            let live = self.executor.live_registers(func, pc);
            let regs = &self.state.frames().nth(frame)?.regs;
            let holder = live.iter().find(|reg| regs[reg.index()].as_term() == Some(input));
            if let Some(reg) = holder {
                let width = self.executor.terms.width(input);
                return Some(self.executor.leaf_var(Leaf::Reg { depth, reg: reg.index() as u32 }, width));
            }
        }
        None
    }

    /// Inputs that are made after the node's state may have any value: they get names that no path
    /// condition has.
    fn close_over_inputs(&mut self, clause: Term) -> Term {
        if !self.executor.terms.span_of(clause).has_others() {
            return clause;
        }
        let vars = self.executor.terms.vars_of(clause);
        let mut names = FxHashMap::default();
        for &var in vars.iter() {
            if self.executor.leaf_of(var).is_some() {
                continue;
            }
            let terms = &mut self.executor.terms;
            let size = terms.width(var) / 8;
            let name = format!("any input {}", names.len());
            names.insert(var, terms.scalar_var(SymbolKind::Any, &name, size));
        }
        self.executor.terms.substitute(clause, &names)
    }

    pub(crate) fn leaf_value(&mut self, var: Term) -> Result<Term, NoInterpolant> {
        if let Some(&value) = self.values.get(&var) {
            return Ok(value);
        }
        let leaf = self.executor.leaf_of(var).ok_or(NoInterpolant::NoLeaf)?;
        let width = self.executor.terms.width(var);
        let value = self.executor.leaf_value(&mut self.state, leaf, width).ok_or(NoInterpolant::NoPlace)?;
        self.values.insert(var, value);
        Ok(value)
    }

    /// A term over leaves in the node's state.
    fn evaluate(&mut self, term: Term) -> Option<Term> {
        let vars = self.executor.terms.vars_of(term);
        let mut values = FxHashMap::default();
        for &var in vars.iter() {
            if self.executor.leaf_of(var).is_some() {
                values.insert(var, self.leaf_value(var).ok()?);
            }
        }
        Some(self.executor.terms.substitute(term, &values))
    }

    fn value(&mut self, term: Term) -> Option<u64> {
        self.executor.number_in(&self.state, term).or_else(|| {
            let value = self.evaluate(term)?;
            self.executor.terms.as_u64(value)
        })
    }

    /// Does the node's state satisfy a clause, whatever the inputs?
    fn holds(&mut self, clause: Term) -> bool {
        if let Some(value) = self.executor.number_in(&self.state, clause) {
            return value == 1;
        }
        let Some(condition) = self.evaluate(clause) else { return false };
        is_implied(self.executor, &self.state, condition).is_ok()
    }
}

/// Why a condition does not hold in a state.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Rejection {
    /// It is false.
    Constant,
    /// It is false on the inputs that the state is known to be reached with.
    Model,
    /// The solver found inputs on which it is false.
    Solver,
    /// The solver gave up.
    Undecided,
}

/// Does the condition hold on every input that reaches the state?
pub fn is_implied(executor: &mut Executor, state: &State, condition: Term) -> Result<(), Rejection> {
    match executor.terms.as_u64(condition) {
        Some(1) => return Ok(()),
        Some(_) => return Err(Rejection::Constant),
        None => {}
    }
    if let Some(model) = state.model()
        && executor.terms.eval(condition, model).to_u64() != Some(1)
    {
        return Err(Rejection::Model);
    }
    let negated = executor.terms.not(condition);
    match executor.solver.check_briefly(&mut executor.terms, state.path_condition(), negated, state.model()) {
        Answer::Unsat(_) => Ok(()),
        Answer::Sat(_) => Err(Rejection::Solver),
        Answer::Unknown(_) => Err(Rejection::Undecided),
    }
}

/// The addresses of all stack objects, and of the next one.
pub fn stack_layout(state: &State) -> Vec<u64> {
    let mut layout: Vec<u64> = state.frames().flat_map(|frame| frame.allocas.iter().copied()).collect();
    layout.push(state.memory().positions().1);
    layout
}

/// What an interpolant requires where the segment before it begins.
struct Carried {
    clauses: Vec<Term>,
    /// Bounds of places that the segment leaves alone. There may be as many as an array has elements.
    same: Vec<Bound>,
    needs: Needs,
}

/// The clauses and needs of `child` at the state that a replay came to, over the leaves of where it
/// started.
fn carry(
    executor: &mut dyn LeafValues,
    state: &mut State,
    start: &State,
    child: &Interpolant,
) -> Result<Carried, NoInterpolant> {
    // What a clause says of other places it says of the same places where the segment begins.
    let changed = executor.changed_leaves(state);
    let mut values: FxHashMap<Term, Term> = FxHashMap::default();
    let mut clauses = Vec::new();
    let mut same = Vec::new();
    for clause in &child.clauses {
        if executor.is_stopped() {
            return Err(NoInterpolant::Stopped);
        }
        if let Clause::Bound(bound) = clause
            && executor.terms.op(bound.term) == Op::Var
            && changed.binary_search(&bound.term).is_err()
        {
            same.push(*bound);
            continue;
        }
        let condition = clause.condition(&mut executor.terms);
        for var in executor.terms.vars_among(condition, &changed) {
            if values.contains_key(&var) {
                continue;
            }
            let leaf = executor.leaf_of(var).ok_or(NoInterpolant::NoLeaf)?;
            let width = executor.terms.width(var);
            values.insert(var, executor.leaf_value(state, leaf, width).ok_or(NoInterpolant::LostPlace)?);
        }
        clauses.push(executor.terms.substitute(condition, &values));
    }
    // What is alive where the segment begins, and is not where it ends, dies on the way.
    let no_object = child.needs.no_object.iter().copied().filter(|&at| start.memory().object(at).is_none()).collect();
    let as_loaded = child.needs.as_loaded.clone();
    if !as_loaded.iter().all(|&base| executor.is_as_loaded(start, base)) {
        return Err(NoInterpolant::LostObject);
    }
    let mut needs = Needs {
        as_loaded,
        no_object,
        heap_position: child.needs.heap_position,
        same_stack: child.needs.same_stack,
        ..Needs::default()
    };
    for (&name, &facts) in &child.needs.objects {
        let base = resolve_name(state, name).ok_or(NoInterpolant::LostObject)?;
        if start.memory().object(base).is_none_or(|object| object.base != base) {
            continue;
        }
        // Older than the segment: it has the same name there, unless its frame's place was taken by
        // another frame.
        match name {
            ObjectName::Stack { .. } if resolve_name(start, name) != Some(base) => {
                return Err(NoInterpolant::MovedObject);
            }
            _ => needs.objects.insert(name, facts),
        };
    }
    Ok(Carried { clauses, same, needs })
}

/// The leaves of a clause with their variables.
pub fn leaves_of(executor: &Executor, term: Term) -> Vec<(Term, Leaf)> {
    executor.terms.vars_of(term).iter().filter_map(|&var| Some((var, executor.leaf_of(var)?))).collect()
}
