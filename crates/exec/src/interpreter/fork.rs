//! Decisions: which sides of a condition are feasible, and the alternatives that a state forks
//! into.

use crate::interpreter::machine::{Decided, Interpreter, Machine};
use crate::interpreter::value::Value;
use crate::models::lazy::Settled;
use crate::paths::approximation::{Cause, Direction};
use crate::paths::choice::Choice;
use crate::paths::cut::{Cut, CutReason, Needed, Unsupported};
use crate::paths::end::End;
use crate::paths::journal::Side;
use crate::paths::state::{OpenMerge, State};
use crate::{Child, Executor};
use espalier_expr::{Evaluator, Model, Op, Solution, SymbolKind, Term};
use espalier_solver::{Answer, Case, Reason, SolverFailure, Unanswerable, Values};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::time::Instant;

/// One of so many copies of states is timed: the clock takes a good part of the time that a copy
/// takes. A prime, because trees of paths often repeat in powers of two.
const TIMED_COPIES: u64 = 17;

/// For so many cases it is found out which registers are numbers.
const MOST_INPUTS: usize = 64;

/// What an instruction did to its state.
pub(crate) enum Flow {
    /// Go on at the state's `pc`.
    Next,
    /// As `Next`, and here are other alternatives.
    Fork(Vec<Child>),
    /// As `Next`, and a merge is closed.
    Close(OpenMerge),
    End(End),
}

/// The alternatives of one decision, collected before the state goes on as one of them.
#[derive(Default)]
pub(crate) struct Alternatives {
    children: Vec<Child>,
}

impl Alternatives {
    pub fn goes_on(&mut self, state: Box<State>) {
        self.children.push(Child { state, end: None });
    }

    pub fn ended(&mut self, state: Box<State>, end: End) {
        self.children.push(Child { state, end: Some(end) });
    }

    /// Makes `state` the first alternative that goes on, or ends it with the first that ended.
    pub fn settle<M: Machine>(mut self, executor: &mut Interpreter<'_, M>, state: &mut State) -> Flow {
        if self.children.is_empty() {
            return Flow::End(End::Infeasible);
        }
        if self.children.len() > 1 {
            executor.stats.forks += self.children.len() as u64 - 1;
            for child in &mut self.children {
                child.state.depth += 1;
            }
        } else {
            // What has one outcome is no choice.
            self.children[0].state.choices.clear();
        }
        let chosen = self.children.iter().position(|child| child.end.is_none()).unwrap_or(0);
        let mut child = self.children.remove(chosen);
        for other in self.children.iter_mut().filter(|other| other.end.is_none() && other.state.no_forking) {
            other.end = Some(executor.forking_is_off(&other.state));
        }
        child.state.covers_new |= state.covers_new;
        *state = *child.state;
        match child.end {
            // The engine learns of the others first; this one's end is met again when it is run.
            Some(end) if self.children.is_empty() => Flow::End(end),
            Some(end) => {
                state.pending_end = Some(Box::new(end));
                Flow::Fork(self.children)
            }
            None if self.children.is_empty() => Flow::Next,
            None => Flow::Fork(self.children),
        }
    }
}

impl<M: Machine> Interpreter<'_, M> {
    /// Splits `state` on `condition`: the states in which it holds and does not hold, where
    /// feasible. A side that the solver cannot decide becomes an ended alternative.
    pub(crate) fn split_on(
        &mut self,
        mut state: Box<State>,
        condition: Term,
        out: &mut Alternatives,
    ) -> (Option<Box<State>>, Option<Box<State>>) {
        let condition = self.looked_at(&mut state, condition);
        let condition = self.without_array_reads(&state, condition);
        if let Some(value) = self.terms.as_u64(condition) {
            return if value != 0 { (Some(state), None) } else { (None, Some(state)) };
        }
        match M::decide(self, &state, condition, None) {
            Decided::Open => {}
            Decided::As(true) => return (Some(state), None),
            Decided::As(false) => return (None, Some(state)),
            Decided::Lost => {
                out.ended(state, End::Silent);
                return (None, None);
            }
        }
        match self.sides(&state, condition) {
            (Side::Yes(_), Side::No) => (Some(state), None),
            (Side::No, Side::Yes(_)) => (None, Some(state)),
            (if_true, if_false) => {
                let negated = self.terms.not(condition);
                let mut other = self.split(&state);
                other.covers_new = false;
                state.choices.push(Choice::Yes);
                other.choices.push(Choice::No);
                let held = self.take_side(state, condition, if_true, out);
                let failed = self.take_side(other, negated, if_false, out);
                (held, failed)
            }
        }
    }

    fn take_side(
        &mut self,
        mut state: Box<State>,
        condition: Term,
        side: Side,
        out: &mut Alternatives,
    ) -> Option<Box<State>> {
        match side {
            Side::Yes(model) => {
                self.assume(&mut state, condition, model);
                Some(state)
            }
            Side::No => None,
            Side::Unknown(reason) => {
                let end = self.solver_unknown(&state, &reason);
                self.assume(&mut state, condition, None);
                out.ended(state, end);
                None
            }
        }
    }

    /// Adds a condition that is known to be consistent with the path.
    pub(crate) fn assume(&mut self, state: &mut State, condition: Term, model: Option<Rc<Model>>) {
        match self.unknown_in(condition) {
            None => {}
            Some(SymbolKind::SharedUnknown) => {
                state.note_approximation(Direction::Both, Cause::SharedUnknownValue);
            }
            Some(_) => {
                state.note_approximation(Direction::Over, Cause::UnknownValue);
            }
        }
        state.assume(&self.terms, condition, model);
        if M::FORKS {
            self.fix_implied_values(state, condition);
        }
    }

    /// What can only have one value from now on becomes a number: live registers of the running
    /// frame at once, and inputs in memory when they are loaded. What a condition `x == 5` says
    /// need not be asked of the solver again at every later decision on `x`, and an address that
    /// depends on it is one address.
    fn fix_implied_values(&mut self, state: &mut State, condition: Term) {
        let node = self.terms.node(condition);
        if node.op != Op::Eq {
            return;
        }
        let (fixed, value) = match (node.arg(0), node.arg(1)) {
            (constant, term) if self.terms.is_const(constant) => (term, constant),
            (term, constant) if self.terms.is_const(constant) => (term, constant),
            _ => return,
        };
        let values = match self.terms.solve(condition, &|_, _| true) {
            Some(Solution { values, .. }) if values.values().all(|&value| self.terms.is_const(value)) => values,
            _ => FxHashMap::default(),
        };
        // Those that are still read by the instruction that decides, or behind it.
        let live = self.live_registers(state.top.func, state.top.pc.saturating_sub(1));
        for reg in live.iter() {
            let reg = &mut state.top.regs[reg.index()];
            let Some(term) = reg.as_term() else { continue };
            if term == fixed {
                *reg = Value::of(&self.terms, value);
            } else if !values.is_empty() {
                let term = self.terms.substitute(term, &values);
                *reg = Value::of(&self.terms, term);
            }
        }
        for (&var, &value) in &values {
            let kind = self.terms.symbol_info(self.terms.node(var).symbol()).kind;
            if matches!(kind, SymbolKind::Input | SymbolKind::Entry) {
                state.determined.insert(var.raw().into(), value);
            }
        }
    }

    /// Registers that are the same number in all of these cases, which are all that there are,
    /// become numbers.
    pub(crate) fn fix_registers(&mut self, state: &mut State, values: &Values, cases: &[&Case]) {
        let inputs: Vec<&Vec<u64>> = cases.iter().flat_map(|case| &case.inputs).collect();
        if inputs.len() > MOST_INPUTS {
            return;
        }
        let models = inputs.iter().map(|inputs| {
            let mut model = Model::new();
            values.vars.iter().zip(*inputs).for_each(|(&var, &value)| model.set(var, value));
            Evaluator::new(model)
        });
        let mut models: Vec<Evaluator> = models.collect();
        let live = self.live_registers(state.top.func, state.top.pc.saturating_sub(1));
        for reg in live.iter() {
            let reg = &mut state.top.regs[reg.index()];
            let Some(term) = reg.as_term().filter(|&term| self.terms.width(term) <= 64) else { continue };
            if !self.terms.vars_of(term).iter().all(|var| values.vars.contains(var)) {
                continue;
            }
            let mut numbers = models.iter_mut().map(|model| model.eval_u64(&self.terms, term));
            if let Some(first) = numbers.next()
                && numbers.all(|number| number == first)
            {
                *reg = Value::concrete(first);
            }
        }
    }

    /// A term with the numbers that the path has determined in the place of inputs.
    pub(crate) fn with_determined(&mut self, state: &State, term: Term) -> Term {
        if state.determined.count() == 0 || self.terms.is_const(term) {
            return term;
        }
        let determined = |var: &Term| Some((*var, *state.determined.get(var.raw().into())?));
        let values: FxHashMap<Term, Term> = self.terms.vars_of(term).iter().filter_map(determined).collect();
        if values.is_empty() { term } else { self.terms.substitute(term, &values) }
    }

    /// Forks on the values that `value` can have: each alternative is given to `fix`, which puts
    /// the number in the value's place. At most `max_resolutions` of them; what is left then is an
    /// alternative that ended, so nothing is lost silently.
    pub(crate) fn fork_on_values(
        &mut self,
        state: &mut State,
        value: Value,
        width: u32,
        what: Needed,
        mut fix: impl FnMut(&mut State, u64),
    ) -> Flow {
        let Some(term) = value.as_term() else {
            fix(state, value.bits());
            return Flow::Next;
        };
        let term = match self.settle(state, term) {
            Settled::Term(term) => term,
            // What is decided is put in the next time.
            Settled::Undecided(var) => return self.fork_on_pointer(state, var, |state| state.top.pc -= 1),
        };
        let term = self.looked_at(state, term);
        if let Some(number) = self.terms.as_u64(term) {
            fix(state, number);
            return Flow::Next;
        }
        if width > 64 {
            return Flow::End(self.unsupported(state, Unsupported::WideValue { what, bits: width }));
        }
        match M::choose(self, term) {
            Decided::Open => {}
            Decided::As(number) => {
                fix(state, number);
                return Flow::Next;
            }
            Decided::Lost => return Flow::End(End::Silent),
        }
        if !M::enumerates(self, &what) {
            return Flow::End(End::Silent);
        }
        let mut out = Alternatives::default();
        let mut rest = self.split(state);
        let mark = rest.choices.mark();
        for _ in 0..self.options.max_resolutions {
            let number = match self.value_in(&rest, term) {
                Ok(number) => number,
                Err(reason) => {
                    let end = self.solver_unknown(&rest, &reason);
                    rest.choices.replace_since(mark, Choice::Rest);
                    out.ended(rest, end);
                    return out.settle(self, state);
                }
            };
            let constant = self.terms.constant(number, width);
            let equal = self.terms.eq(term, constant);
            let (same, others) = self.split_on(rest, equal, &mut out);
            if let Some(mut same) = same {
                same.choices.replace_since(mark, Choice::Value(number));
                fix(&mut same, number);
                out.goes_on(same);
            }
            match others {
                Some(others) => rest = others,
                None => return out.settle(self, state),
            }
        }
        let end = self.limit(&rest, CutReason::Values { what, limit: self.options.max_resolutions as u64 });
        rest.choices.replace_since(mark, Choice::Rest);
        out.ended(rest, end);
        out.settle(self, state)
    }

    /// A value that the term can have on this path.
    pub(crate) fn value_in(&mut self, state: &State, term: Term) -> Result<u64, Reason> {
        if let Some(value) = M::look(self, term) {
            return Ok(value);
        }
        self.some_value(state, term)
    }
}

impl Executor {
    /// The value of a term for inputs that follow the path.
    pub(crate) fn evaluated(&mut self, state: &State, term: Term) -> Result<u64, Reason> {
        let model = self.model_of(state)?;
        self.terms.eval(term, &model).to_u64().ok_or(Reason::Unsupported(Unanswerable::WideValue))
    }

    /// A copy of `state` that goes its own way.
    pub(crate) fn split(&mut self, state: &State) -> Box<State> {
        self.copies += 1;
        if !self.copies.is_multiple_of(TIMED_COPIES) {
            return Box::new(state.clone());
        }
        let start = Instant::now();
        let copy = Box::new(state.clone());
        self.stats.fork_nanos += TIMED_COPIES * start.elapsed().as_nanos() as u64;
        copy
    }

    pub(crate) fn cut(&self, state: &State, reason: CutReason) -> Box<Cut> {
        Box::new(Cut { reason, loc: self.user_loc(state), stack: self.stack_trace(state) })
    }

    pub(crate) fn limit(&self, state: &State, reason: CutReason) -> End {
        End::Limit(self.cut(state, reason))
    }

    /// The end of an alternative that is not taken, because the program asked for it.
    pub(crate) fn forking_is_off(&self, state: &State) -> End {
        self.limit(state, CutReason::ForkingOff)
    }

    pub(crate) fn unsupported(&self, state: &State, what: Unsupported) -> End {
        End::Unsupported(self.cut(state, CutReason::Unsupported(what)))
    }

    pub(crate) fn solver_unknown(&self, state: &State, reason: &Reason) -> End {
        End::SolverUnknown(self.cut(state, CutReason::Solver(reason.clone())))
    }

    /// All numbers that a term can be on this path, if they depend on a few bytes.
    pub(crate) fn values_of(&mut self, state: &State, term: Term, most: usize) -> Option<Values> {
        self.solver.values(&self.terms, &state.path, term, most)
    }

    /// Does the term depend on a symbol that is not an input?
    pub(crate) fn depends_on_unknown(&mut self, term: Term) -> bool {
        self.unknown_in(term).is_some()
    }

    /// Does the term depend on a value that was never written?
    pub(crate) fn depends_on_unwritten(&mut self, term: Term) -> bool {
        let unwritten = |kind: SymbolKind| matches!(kind, SymbolKind::Unknown | SymbolKind::SharedUnknown);
        self.kinds_in(term).any(unwritten)
    }

    /// The kind of the unknown symbols that a term depends on, if any; shared ones count most.
    fn unknown_in(&mut self, term: Term) -> Option<SymbolKind> {
        let unknown = |kind: &SymbolKind| !matches!(kind, SymbolKind::Input | SymbolKind::Place | SymbolKind::Entry);
        self.kinds_in(term).filter(unknown).max_by_key(|kind| *kind == SymbolKind::SharedUnknown)
    }

    /// The kinds of the symbols that a term depends on, if there are any but inputs.
    fn kinds_in(&self, term: Term) -> impl Iterator<Item = SymbolKind> {
        let vars = self.has_unknowns.then(|| self.terms.vars_of(term));
        let mut place = 0;
        std::iter::from_fn(move || {
            let var = *vars.as_ref()?.get(place)?;
            place += 1;
            Some(self.terms.symbol_info(self.terms.node(var).symbol()).kind)
        })
    }

    /// Inputs that follow the path so far.
    pub(crate) fn model_of(&mut self, state: &State) -> Result<Rc<Model>, Reason> {
        if let Some(model) = &state.model {
            return Ok(model.clone());
        }
        match self.solver.model(&mut self.terms, &state.path) {
            Answer::Sat(model) => Ok(model),
            Answer::Unknown(reason) => Err(reason),
            Answer::Unsat(_) => Err(Reason::Failed(SolverFailure::NoSolution)),
        }
    }
}
