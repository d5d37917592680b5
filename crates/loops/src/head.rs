//! A loop head that a trial generalises: what the loop changes there, what is assumed of it, and the
//! general state that is explored in the place of all that come round.

use crate::NotClosed;
use crate::arrays::{ArrayMemory, Arrays, accessed};
use crate::candidates::{MOST_CANDIDATES, Proposals, Variable, compared};
use crate::houdini::{Candidate, weaken};
use espalier_analysis::LoopForest;
use espalier_base::Rng;
use espalier_exec::{Executor, GeneralArray, GeneralPlace, Leaf, NotGeneral, State};
use espalier_expr::{Evaluator, Model, Symbol, Term};
use espalier_ir::{BlockId, FuncId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A loop with more variables than this is not generalised.
const MOST_VARIABLES: usize = 48;

/// So many conditions that were decided are made candidates of.
const MOST_DECIDED: usize = 64;

/// A state is looked at on so many other inputs, which differ in so many variables.
const VARIATIONS: usize = 4;
const MOST_VARIED: usize = 8;

/// Samples that are kept.
const MOST_SAMPLES: usize = 64;

/// So many rounds before an error what would keep a path from it is looked for.
const MOST_ROUNDS_BACK: u32 = 4;

/// What was found out about a loop.
pub(crate) struct Memory {
    places: Vec<GeneralPlace>,
    candidates: Vec<(Term, Option<(Term, Term)>)>,
    seen: FxHashSet<Term>,
    decided: Vec<Term>,
    last: Vec<Term>,
    known: FxHashSet<Term>,
    tries_hard: bool,
    arrays: ArrayMemory,
}

pub(crate) struct Head {
    pub level: usize,
    pub func: FuncId,
    pub pc: u32,
    pub depth: u32,
    block: BlockId,
    /// The state that the loop is entered with.
    pub start: Box<State>,
    /// The same with variables for what the loop changes, of which the candidates are assumed.
    pub general: Box<State>,
    pub variables: Vec<Variable>,
    pub candidates: Vec<Candidate>,
    places: Vec<GeneralPlace>,
    arrays: Arrays,
    /// All conditions that were ever candidates.
    seen: FxHashSet<Term>,
    /// Values that were seen at the head, and what they were at entry, in one model each.
    samples: Vec<Rc<Model>>,
    images: Vec<Rc<Model>>,
    /// Conditions that were decided on the way round, and those of the last round.
    decided: Vec<Term>,
    last: Vec<Term>,
    known: FxHashSet<Term>,
    /// Candidates that were kept when the loop was entered before.
    remembered: Vec<(Term, Option<(Term, Term)>)>,
    /// What would keep paths from errors; how many rounds away.
    wanted: Vec<(Term, u32)>,
    /// Is what is explored from the general state in vain, because less is known of it?
    pub is_dirty: bool,
    /// Was something not kept without which the general state means nothing?
    pub is_lost: bool,
    /// Are more candidates proposed than are of use as a rule?
    tries_hard: bool,
    pub attempts: u32,
    /// Ways round the loop, in the last attempt.
    pub ways: u32,
}

impl Head {
    pub fn new(executor: &Executor, start: &State, level: usize) -> Result<Head, NotClosed> {
        let frame = start.running();
        let function = executor.program().function(frame.func);
        let block = function.block_at(frame.pc).ok_or(NotClosed::General(NotGeneral::Context))?;
        Ok(Head {
            level,
            func: frame.func,
            pc: frame.pc,
            depth: frame.depth,
            block,
            start: Box::new(start.clone()),
            general: Box::new(start.clone()),
            variables: Vec::new(),
            candidates: Vec::new(),
            places: Vec::new(),
            arrays: Arrays::default(),
            seen: FxHashSet::default(),
            samples: Vec::new(),
            images: Vec::new(),
            decided: Vec::new(),
            last: Vec::new(),
            known: FxHashSet::default(),
            remembered: Vec::new(),
            wanted: Vec::new(),
            is_dirty: false,
            is_lost: false,
            tries_hard: false,
            attempts: 0,
            ways: 0,
        })
    }

    /// What can be of use when the loop is entered again, with another state.
    pub fn memory(self) -> Memory {
        let candidates = self.candidates.iter().map(|candidate| (candidate.condition, candidate.defines)).collect();
        let Head { places, seen, decided, last, known, tries_hard, arrays, .. } = self;
        Memory { places, candidates, seen, decided, last, known, tries_hard, arrays: arrays.memory() }
    }

    /// Begins with what was found when the loop was entered before.
    pub fn remember(&mut self, executor: &mut Executor, memory: Memory) {
        let Memory { places, candidates, seen, decided, last, known, tries_hard, arrays } = memory;
        self.arrays.remember(executor, self.level, &mut self.start, arrays);
        (self.places, self.seen, self.decided, self.last) = (places, seen, decided, last);
        (self.known, self.tries_hard, self.remembered) = (known, tries_hard, candidates);
    }

    /// Is a state where this loop comes round?
    pub fn is_at(&self, state: &State) -> bool {
        let frame = state.running();
        (frame.func, frame.pc, frame.depth) == (self.func, self.pc, self.depth) && {
            let callers =
                |state: &State| state.frames().skip(1).map(|frame| (frame.func, frame.pc)).collect::<Vec<_>>();
            callers(state) == callers(&self.start)
        }
    }

    /// Is a state still in the loop, or in what that called?
    pub fn is_inside(&self, executor: &Executor, state: &State) -> bool {
        let frame = state.frames().find(|frame| frame.depth == self.depth);
        let Some(frame) = frame.filter(|frame| frame.func == self.func) else { return false };
        let forest = LoopForest::of(executor.graphs().function(frame.func));
        let Some(id) = forest.with_head(self.block) else { return false };
        executor.block_of(state, self.depth).is_some_and(|block| forest.contains(id, block))
    }

    /// Is nothing printed in the loop?
    pub fn is_quiet(&self, executor: &Executor) -> bool {
        let forest = LoopForest::of(executor.graphs().function(self.func));
        let id = forest.with_head(self.block);
        id.is_some_and(|id| executor.is_quiet(self.func, |block| forest.contains(id, block)))
    }

    /// Takes an array in that the loop changes, or reads. Is that new?
    pub fn add_array(
        &mut self,
        executor: &mut Executor,
        array: GeneralArray,
        is_changed: bool,
    ) -> Result<bool, NotClosed> {
        let is_new = self.arrays.add(executor, self.level, &mut self.start, array, is_changed)?;
        let is_part = |place: &GeneralPlace| matches!(place.leaf, Leaf::Mem { object, .. } if object == array.object);
        self.places.retain(|place| !is_part(place));
        self.is_dirty |= is_new;
        Ok(is_new)
    }

    /// Adds places that the loop was seen to change. Are there new ones?
    pub fn add_places(&mut self, found: Vec<GeneralPlace>) -> Result<bool, NotClosed> {
        let mut is_new = false;
        for place in found {
            let overlapping: Vec<usize> =
                (0..self.places.len()).filter(|&index| self.places[index].overlaps(&place)).collect();
            match overlapping[..] {
                [] => self.places.push(place),
                [index] if self.places[index].leaf == place.leaf => {
                    let known = &mut self.places[index];
                    match (known.base, place.base) {
                        (one, other) if one == other => continue,
                        _ => return Err(NotClosed::General(NotGeneral::Pointer)),
                    }
                }
                _ => {
                    let Some(whole) = union(&overlapping.iter().map(|&at| self.places[at]).collect::<Vec<_>>(), place)
                    else {
                        return Err(NotClosed::General(NotGeneral::NoValue));
                    };
                    if overlapping.len() == 1 && self.places[overlapping[0]] == whole {
                        continue;
                    }
                    let mut index = 0;
                    self.places.retain(|_| {
                        index += 1;
                        !overlapping.contains(&(index - 1))
                    });
                    self.places.push(whole);
                }
            }
            is_new = true;
        }
        self.is_dirty |= is_new;
        if self.places.len() > MOST_VARIABLES {
            return Err(NotClosed::Variables);
        }
        Ok(is_new)
    }

    /// Makes the general state, of which what is known so far is assumed.
    pub fn generalise(&mut self, executor: &mut Executor) -> Result<(), NotClosed> {
        let mut general = self.name_variables(executor)?;
        executor.note_arrays(&mut general);
        self.arrays.forget(executor, &mut general)?;
        self.drop_foreign(executor);
        self.add_candidates(executor)?;
        let model = self.model_at_entry(executor)?;
        let definitions = self.definitions(executor);
        for variable in &self.variables {
            if let Some(&value) = definitions.get(&variable.var) {
                executor.put_general_value(&mut general, &variable.place, value)?;
            }
        }
        let conditions = self.candidates.iter().map(|candidate| candidate.condition);
        let conditions = conditions.map(|condition| executor.terms.substitute(condition, &definitions));
        let conditions: Vec<Term> = conditions.collect();
        let conditions: Vec<Term> =
            conditions.into_iter().filter(|&condition| !executor.terms.is_const(condition)).collect();
        let (facts, conditions): (Vec<Term>, Vec<Term>) =
            conditions.into_iter().partition(|&condition| self.arrays.is_about(executor, condition));
        executor.assume_all(&mut general, &conditions, model);
        self.arrays.assume(executor, &self.start, &mut general, facts)?;
        executor.note_look_up(&mut general);
        self.general = general;
        (self.is_dirty, self.is_lost, self.ways) = (false, false, 0);
        self.attempts += 1;
        Ok(())
    }

    /// Variables that linear relations determine, as far as these do not depend on each other.
    fn definitions(&self, executor: &mut Executor) -> FxHashMap<Term, Term> {
        let mut known: FxHashMap<Term, Term> = FxHashMap::default();
        for (var, value) in self.candidates.iter().filter_map(|candidate| candidate.defines) {
            let value = executor.terms.substitute(value, &known);
            if known.contains_key(&var) || executor.terms.vars_of(value).contains(&var) {
                continue;
            }
            let new: FxHashMap<Term, Term> = [(var, value)].into_iter().collect();
            for value in known.values_mut() {
                *value = executor.terms.substitute(*value, &new);
            }
            known.insert(var, value);
        }
        known
    }

    /// Gives each place a variable, in a state that is general there.
    pub fn name_variables(&mut self, executor: &mut Executor) -> Result<Box<State>, NotClosed> {
        let places: Vec<GeneralPlace> = self.places.clone();
        let mut general = self.start.clone();
        let mut variables = Vec::with_capacity(places.len());
        for place in places {
            let entry = executor.general_value(&self.start, &place)?;
            let name = format!("loop {} {}", self.level, place.leaf);
            let var = executor.general_variable(&name, place.width);
            executor.put_general_value(&mut general, &place, var)?;
            let bits = match place.leaf {
                Leaf::Reg { depth, reg } => {
                    let frame = general.frames().find(|frame| frame.depth == depth);
                    let func = frame.ok_or(NotClosed::General(NotGeneral::NoValue))?.func;
                    executor.program().function(func).regs[reg as usize]
                }
                _ => place.width,
            };
            let size = executor.pointee_size(&self.start, &place);
            variables.push(Variable { place, var, entry, bits, size });
        }
        self.variables = variables;
        Ok(general)
    }

    /// Drops what is about places that became parts of others.
    fn drop_foreign(&mut self, executor: &Executor) {
        let own = self.variables.iter().map(|variable| variable.var).chain(self.arrays.vars());
        let own: FxHashSet<Term> = own.collect();
        let is_foreign = |&var: &Term| {
            let info = executor.terms.symbol_info(executor.terms.node(var).symbol());
            level_of(&info.name) == Some(self.level) && !own.contains(&var)
        };
        let is_own = |condition: Term| !executor.terms.vars_of(condition).iter().any(is_foreign);
        self.candidates.retain(|candidate| is_own(candidate.condition));
        self.decided.retain(|&condition| is_own(condition));
        self.last.retain(|&condition| is_own(condition));
        self.wanted.retain(|&(condition, _)| is_own(condition));
        self.remembered.retain(|&(condition, _)| is_own(condition));
    }

    pub fn model_at_entry(&self, executor: &Executor) -> Result<Rc<Model>, NotClosed> {
        let model = self.start.model().ok_or(NotClosed::Solver)?;
        let mut evaluator = Evaluator::new(model.clone());
        let mut all = Model::clone(model);
        for variable in &self.variables {
            all.set_bv(variable.var, evaluator.eval(&executor.terms, variable.entry));
        }
        Ok(Rc::new(all))
    }

    fn values_at_entry(&self) -> FxHashMap<Term, Term> {
        self.variables.iter().map(|variable| (variable.var, variable.entry)).collect()
    }

    /// Proposes more, and drops what does not hold where the loop is entered.
    fn add_candidates(&mut self, executor: &mut Executor) -> Result<(), NotClosed> {
        let needed: Vec<Term> = self
            .variables
            .iter()
            .filter_map(|variable| {
                let width = variable.place.width;
                let most = match variable.size {
                    Some(size) => size,
                    None if variable.bits < width && width <= 64 => espalier_base::bits::mask(variable.bits),
                    None => return None,
                };
                let most = executor.terms.constant(most, width);
                Some(executor.terms.ule(variable.var, most))
            })
            .collect();
        let is_variable = |term: Term| self.variables.iter().any(|variable| variable.var == term);
        let others = compared(&executor.terms, &self.decided, is_variable);
        let mut proposals = Proposals {
            terms: &mut executor.terms,
            variables: &self.variables,
            samples: &self.samples,
            images: &self.images,
            seen: &mut self.seen,
            found: Vec::new(),
            definitions: FxHashMap::default(),
        };
        proposals.linear(&others);
        let linear = std::mem::take(&mut proposals.found);
        proposals.propose();
        if self.tries_hard {
            proposals.propose_more();
        }
        let simple = std::mem::take(&mut proposals.found);
        self.decided.iter().for_each(|&condition| proposals.around(condition));
        self.last.iter().for_each(|&condition| proposals.around(condition));
        let guards = std::mem::take(&mut proposals.found);
        let definitions = std::mem::take(&mut proposals.definitions);
        let wanted: Vec<(Term, u32)> = std::mem::take(&mut self.wanted);
        let room = MOST_CANDIDATES.saturating_sub(self.candidates.len());
        let plain =
            |condition| Candidate { condition, is_needed: false, is_linear: false, defines: None, wanted: None };
        let remembered = std::mem::take(&mut self.remembered).into_iter();
        let mut new: Vec<Candidate> = wanted
            .into_iter()
            .map(|(condition, rounds)| Candidate { wanted: Some(rounds), ..plain(condition) })
            .chain(remembered.map(|(condition, defines)| Candidate {
                is_linear: defines.is_some(),
                defines,
                ..plain(condition)
            }))
            .chain(linear.into_iter().map(|condition| Candidate {
                is_linear: true,
                defines: definitions.get(&condition).copied(),
                ..plain(condition)
            }))
            .chain(simple.into_iter().chain(guards.iter().copied()).map(plain))
            .filter(|candidate| self.holds_on_samples(executor, candidate.condition))
            .take(room)
            .collect();
        // These come first: there is always room for them.
        for condition in needed {
            if self.candidates.iter().any(|candidate| candidate.condition == condition) {
                continue;
            }
            self.seen.insert(condition);
            new.retain(|candidate| candidate.condition != condition);
            new.insert(0, Candidate { is_needed: true, ..plain(condition) });
        }
        let at_entry = self.values_at_entry();
        let about_arrays = self.arrays.propose(executor, &self.start, &at_entry, &mut self.seen);
        new.extend(about_arrays.into_iter().map(plain));
        let dropped = self.drop_at_entry(executor, &mut new)?;
        self.candidates.extend(new);
        // What decided the rounds holds behind each of them, but need not before the first.
        if let Some(unchanged) = self.unchanged(executor) {
            let late: Vec<Term> = dropped.into_iter().filter(|condition| guards.contains(condition)).collect();
            let mut later = Vec::new();
            for condition in late {
                let condition = executor.terms.bool_or(&[unchanged, condition]);
                if self.seen.insert(condition) && self.holds_on_samples(executor, condition) {
                    later.push(plain(condition));
                }
            }
            later.truncate(MOST_CANDIDATES.saturating_sub(self.candidates.len()));
            self.drop_at_entry(executor, &mut later)?;
            self.candidates.extend(later);
        }
        Ok(())
    }

    fn drop_at_entry(&mut self, executor: &mut Executor, new: &mut Vec<Candidate>) -> Result<Vec<Term>, NotClosed> {
        let mut values = self.values_at_entry();
        let mut start = self.start.clone();
        self.arrays.values(executor, &self.start, &mut start, &mut values)?;
        let (dropped, models) = weaken(executor, new, &start, &values);
        let entries: Vec<Term> = self.variables.iter().map(|variable| variable.entry).collect();
        models.iter().for_each(|example| self.add_sample(executor, &example.model, &entries));
        if dropped.iter().any(|candidate| candidate.is_needed) {
            return Err(NotClosed::General(NotGeneral::Pointer));
        }
        Ok(dropped.into_iter().map(|candidate| candidate.condition).collect())
    }

    /// Is all as it was when the loop was entered?
    fn unchanged(&self, executor: &mut Executor) -> Option<Term> {
        if self.variables.len() > 8 {
            return None;
        }
        let same: Vec<Term> =
            self.variables.iter().map(|variable| executor.terms.eq(variable.var, variable.entry)).collect();
        Some(executor.terms.bool_and(&same))
    }

    fn holds_on_samples(&self, executor: &Executor, condition: Term) -> bool {
        let holds = |model: &Rc<Model>| Evaluator::new(model.clone()).eval_bool(&executor.terms, condition);
        self.samples.iter().all(holds)
    }

    /// Notes what a state of the program has at the head, on several inputs that lead there.
    pub fn add_samples(&mut self, executor: &mut Executor, state: &State, random: &mut Rng) {
        let (Some(model), Ok(values)) = (state.model().cloned(), self.values(executor, state)) else { return };
        self.add_sample(executor, &model, &values);
        let path = state.path_condition().to_vec();
        let mut vars: Vec<Term> = Vec::new();
        for &term in path.iter().chain(&values) {
            for &var in executor.terms.vars_of(term).iter() {
                if executor.terms.width(var) <= 64 && !vars.contains(&var) && vars.len() < MOST_VARIED {
                    vars.push(var);
                }
            }
        }
        for _ in 0..if vars.is_empty() { 0 } else { VARIATIONS } {
            let mut other = Model::clone(&model);
            for &var in &vars {
                let old = model.get(var).unwrap_or(0);
                let most = 1 << (1 + random.below(10));
                let step = random.below(most) as u64;
                let width = executor.terms.width(var);
                other.set(var, old.wrapping_add(step) & espalier_base::bits::mask(width));
            }
            let mut evaluator = Evaluator::new(other);
            if path.iter().all(|&condition| evaluator.eval_bool(&executor.terms, condition)) {
                self.add_sample(executor, &evaluator.model().clone(), &values);
            }
        }
    }

    /// Notes what the variables are on one set of inputs, with these values.
    pub fn add_sample(&mut self, executor: &Executor, model: &Rc<Model>, values: &[Term]) {
        if self.samples.len() < MOST_SAMPLES {
            self.samples.push(self.sample(executor, model, values));
        }
    }

    fn sample(&self, executor: &Executor, model: &Rc<Model>, values: &[Term]) -> Rc<Model> {
        let mut evaluator = Evaluator::new(model.clone());
        let mut all = Model::clone(model);
        for (variable, &value) in self.variables.iter().zip(values) {
            all.set_bv(variable.var, evaluator.eval(&executor.terms, value));
        }
        Rc::new(all)
    }

    /// What a state has where the general one has variables.
    pub fn values(&self, executor: &mut Executor, state: &State) -> Result<Vec<Term>, NotClosed> {
        let values = self.variables.iter().map(|variable| executor.general_value(state, &variable.place));
        values.collect::<Result<Vec<Term>, NotGeneral>>().map_err(NotClosed::General)
    }

    /// A path came round: whatever it can make of the variables has to be among what was explored.
    pub fn arrive(&mut self, executor: &mut Executor, state: &State) -> Result<(), NotClosed> {
        self.ways += 1;
        let changes = executor.changed_places(&self.general, state, &self.arrays.changed())?;
        let mut is_new = false;
        for array in changes.arrays {
            is_new |= self.add_array(executor, array, true)?;
        }
        if is_new {
            return Ok(());
        }
        let changed = changes.places;
        let is_known =
            |place: &GeneralPlace| self.places.iter().any(|known| known.leaf == place.leaf && known.base == place.base);
        let new: Vec<GeneralPlace> = changed.into_iter().filter(|place| !is_known(place)).collect();
        if !new.is_empty() && self.add_places(new)? {
            return Ok(());
        }
        let values = self.values(executor, state)?;
        self.note_decisions(executor, state, Some(&values));
        let mut map: FxHashMap<Term, Term> =
            self.variables.iter().map(|variable| variable.var).zip(values.iter().copied()).collect();
        let mut copy;
        let state = match self.arrays.is_empty() {
            true => state,
            false => {
                copy = state.clone();
                self.arrays.values(executor, &self.start, &mut copy, &mut map)?;
                &copy
            }
        };
        let (dropped, models) = weaken(executor, &mut self.candidates, state, &map);
        for example in models.into_iter().filter(|example| example.is_linear) {
            if self.images.len() < MOST_SAMPLES {
                let image = self.sample(executor, &example.model, &values);
                self.images.push(image);
            }
        }
        for candidate in dropped {
            if candidate.is_needed {
                // Others may come that keep it, or have to go first.
                self.candidates.push(candidate);
                self.is_lost = true;
                continue;
            }
            self.is_dirty = true;
            if let Some(rounds) = candidate.wanted.filter(|&rounds| rounds < MOST_ROUNDS_BACK) {
                self.want_before(executor, state, candidate.condition, &map, rounds + 1);
            }
        }
        Ok(())
    }

    /// What was wanted of the head does not hold after this round: wants what has to hold before it.
    fn want_before(
        &mut self,
        executor: &mut Executor,
        state: &State,
        condition: Term,
        map: &FxHashMap<Term, Term>,
        rounds: u32,
    ) {
        let after = executor.terms.substitute(condition, map);
        let mut conditions = self.conditions_since(executor, state);
        let fails = executor.terms.not(after);
        conditions.push(fails);
        self.want_none_of(executor, state, &conditions, rounds);
    }

    /// Wants of the head that these conditions do not hold together.
    fn want_none_of(&mut self, executor: &mut Executor, state: &State, conditions: &[Term], rounds: u32) -> bool {
        let made = executor.symbols_since(&self.general, state);
        let about: Vec<Term> =
            conditions.iter().copied().filter(|&condition| self.is_about(executor, condition, &made)).collect();
        let all = executor.terms.bool_and(&about);
        let mut wanted = vec![executor.terms.not(all)];
        if rounds == 0 {
            wanted.extend(about.iter().map(|&condition| executor.terms.not(condition)));
        }
        let mut is_new = false;
        for condition in wanted {
            if !executor.terms.is_const(condition) && self.seen.insert(condition) {
                self.wanted.push((condition, rounds));
                is_new = true;
            }
        }
        self.is_dirty |= is_new;
        is_new
    }

    /// Proposes more from now on, if it did not.
    pub fn tries_harder(&mut self) -> bool {
        !std::mem::replace(&mut self.tries_hard, true)
    }

    /// A path from the general state came to an error: wants what would keep it from there. Is that
    /// anything that was not tried before?
    pub fn avoid(&mut self, executor: &mut Executor, state: &State) -> bool {
        let conditions = self.conditions_since(executor, state);
        self.want_none_of(executor, state, &conditions, 0)
    }

    /// What a path has decided since it was at the head.
    fn conditions_since(&self, executor: &mut Executor, state: &State) -> Vec<Term> {
        let conditions = state.path_condition().since(self.general.path_condition().len());
        let all = executor.terms.bool_and(&conditions);
        executor.terms.conjuncts(all)
    }

    /// Is a condition about the variables and what the loop was entered with, and nothing that a
    /// path met later?
    fn is_about(&self, executor: &Executor, condition: Term, made: &FxHashSet<Symbol>) -> bool {
        let vars = executor.terms.vars_of(condition);
        vars.iter().all(|&var| {
            let symbol = executor.terms.node(var).symbol();
            let info = executor.terms.symbol_info(symbol);
            !made.contains(&symbol)
                && (!executor.is_unknown_cell(var) || executor.knows_cell(&self.general, var))
                && !executor.is_unknown_since(&self.general, info)
                && level_of(&info.name).is_none_or(|level| level <= self.level)
        })
    }

    /// Keeps what decided the way of a path through the loop; and of one that came round, what that
    /// says of the values that it made.
    pub fn note_decisions(&mut self, executor: &mut Executor, state: &State, values: Option<&[Term]>) {
        let made = executor.symbols_since(&self.general, state);
        let back = values.and_then(|values| self.inverse(executor, values));
        let conditions = self.conditions_since(executor, state);
        self.note_arrays(executor, state, &conditions, &made);
        for condition in conditions {
            if !self.is_about(executor, condition, &made) {
                continue;
            }
            if self.decided.len() < MOST_DECIDED && self.known.insert(condition) {
                self.decided.push(condition);
                self.is_dirty = true;
            }
            if let Some(back) = &back {
                let last = executor.terms.substitute(condition, back);
                if self.last.len() < MOST_DECIDED && self.known.insert(last) {
                    self.last.push(last);
                    self.is_dirty = true;
                }
            }
        }
    }

    /// Keeps what a path shows of the arrays that it accessed.
    fn note_arrays(&mut self, executor: &mut Executor, state: &State, conditions: &[Term], made: &FxHashSet<Symbol>) {
        for array in accessed(executor, &self.start, state) {
            // What cannot be cells is read as it is.
            let _ = self.add_array(executor, array, false);
        }
        let mut arrays = std::mem::take(&mut self.arrays);
        let is_new =
            arrays.note(executor, state, conditions, |executor, condition| self.is_about(executor, condition, made));
        self.arrays = arrays;
        self.is_dirty |= is_new;
    }

    /// The variables before a round in terms of those after it, if the round adds numbers to them.
    fn inverse(&self, executor: &mut Executor, values: &[Term]) -> Option<FxHashMap<Term, Term>> {
        let mut before = FxHashMap::default();
        for (variable, &value) in self.variables.iter().zip(values) {
            let step = executor.terms.sub(value, variable.var);
            if executor.terms.is_const(step) && variable.place.width <= 64 {
                before.insert(variable.var, executor.terms.sub(variable.var, step));
            }
        }
        (!before.is_empty()).then_some(before)
    }
}

/// The level of the loop head that a variable was made for.
fn level_of(name: &str) -> Option<usize> {
    name.strip_prefix("loop ")?.split(' ').next()?.parse().ok()
}

/// One place for several that overlap.
fn union(known: &[GeneralPlace], new: GeneralPlace) -> Option<GeneralPlace> {
    let mut whole = new;
    for place in known {
        let (Leaf::Mem { object, offset, len }, Leaf::Mem { offset: first, len: bytes, .. }) = (whole.leaf, place.leaf)
        else {
            return None;
        };
        let start = offset.min(first);
        let end = (offset + u64::from(len)).max(first + u64::from(bytes));
        let len = u32::try_from(end - start).ok().filter(|&len| len <= 8)?;
        if whole.base.is_some() || place.base.is_some() {
            return None;
        }
        whole = GeneralPlace { leaf: Leaf::Mem { object, offset: start, len }, width: 8 * len, base: None };
    }
    Some(whole)
}
