//! What may hold of the arrays that a loop changes or reads, at every index.
//!
//! A candidate has the form `index in range => relation`. The ranges are made of the indices at which
//! paths through the loop access the array: what was passed, what was not. The relations are what
//! was stored there, and what paths decided about cells, the way to an error among it, said of the
//! index at hand: an access at `t` shows which variable stands for the index, and what the cell is
//! called. Whether any of it holds is not decided here (`houdini`).

use crate::{IndexedCell, NotClosed};
use espalier_base::bits::signed;
use espalier_exec::{ArrayAccess, ArrayFacts, Executor, FactArray, GeneralArray, NotGeneral, State};
use espalier_expr::{Op, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// Indices that ranges are made of, and relations.
const MOST_INDICES: usize = 5;
const MOST_RELATIONS: usize = 40;

/// Arrays of one loop.
const MOST_ARRAYS: usize = 6;

/// Candidates that are proposed at a time.
const MOST_PROPOSED: usize = 150;

/// An array at a loop head.
#[derive(Clone, Debug)]
pub(crate) struct HeadArray {
    pub array: GeneralArray,
    base: u64,
    pub is_changed: bool,
    /// What stands for its cell at the index: now, and when the loop was entered.
    cell: Term,
    entry_cell: Term,
}

/// The arrays of a loop head, and what is proposed of them.
#[derive(Default, Debug)]
pub(crate) struct Arrays {
    index: Option<Term>,
    list: Vec<HeadArray>,
    /// Indices at which there were accesses, in terms of what the loop changes.
    indices: Vec<Term>,
    relations: Vec<Term>,
    /// The number of what is assumed of them in the general state.
    facts: usize,
}

/// What can be of use when the loop is entered again.
pub(crate) struct ArrayMemory {
    arrays: Vec<(GeneralArray, bool)>,
    indices: Vec<Term>,
    relations: Vec<Term>,
}

impl Arrays {
    pub fn memory(self) -> ArrayMemory {
        let arrays = self.list.iter().map(|array| (array.array, array.is_changed)).collect();
        ArrayMemory { arrays, indices: self.indices, relations: self.relations }
    }

    pub fn remember(&mut self, executor: &mut Executor, level: usize, start: &mut State, memory: ArrayMemory) {
        for (array, is_changed) in memory.arrays {
            // What does not fit this time is found again, if it is needed.
            if self.add(executor, level, start, array, is_changed).is_err() {
                return;
            }
        }
        (self.indices, self.relations) = (memory.indices, memory.relations);
    }

    /// Keeps what this holds of.
    pub fn retain(&mut self, is_kept: impl Fn(Term) -> bool) {
        self.indices.retain(|&index| is_kept(index));
        self.relations.retain(|&relation| is_kept(relation));
    }

    pub fn index(&self) -> Option<Term> {
        self.index
    }

    /// What stands for the cells at the index, now.
    pub fn cells(&self) -> Vec<IndexedCell> {
        self.list.iter().map(|array| IndexedCell { cell: array.cell, base: array.base }).collect()
    }

    /// The variables for the index and the cells there.
    pub fn vars(&self) -> impl Iterator<Item = Term> {
        self.index.into_iter().chain(self.list.iter().flat_map(|array| [array.cell, array.entry_cell]))
    }

    /// Those that the loop changes.
    pub fn changed(&self) -> Vec<GeneralArray> {
        self.list.iter().filter(|array| array.is_changed).map(|array| array.array).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Takes an array in, whose contents become cells. Is that new?
    pub fn add(
        &mut self,
        executor: &mut Executor,
        level: usize,
        start: &mut State,
        array: GeneralArray,
        is_changed: bool,
    ) -> Result<bool, NotClosed> {
        if let Some(known) = self.list.iter_mut().find(|known| known.array.object == array.object) {
            let is_new = is_changed && !known.is_changed;
            known.is_changed |= is_changed;
            return if known.array == array { Ok(is_new) } else { Err(NotGeneral::Array.into()) };
        }
        if self.list.len() >= MOST_ARRAYS {
            return Err(NotClosed::Variables);
        }
        executor.make_cells(start, &array)?;
        let (base, _) = executor.cells_at(start, &array)?;
        let width = 8 * array.width;
        let cell = executor.general_variable(&format!("loop {level} cell {}", array.object), width);
        let entry_cell = executor.general_variable(&format!("loop {level} entry cell {}", array.object), width);
        let bits = executor.program().target.pointer_width;
        self.index.get_or_insert_with(|| executor.general_variable(&format!("loop {level} index"), bits));
        self.list.push(HeadArray { array, base, is_changed, cell, entry_cell });
        Ok(true)
    }

    /// Is a condition about cells?
    pub fn is_about(&self, executor: &Executor, condition: Term) -> bool {
        self.index.is_some_and(|index| executor.terms.vars_of(condition).contains(&index))
    }

    /// Has the cells that the loop changes hold anything.
    pub fn forget(&self, executor: &mut Executor, general: &mut State) -> Result<(), NotClosed> {
        let mut changed = self.list.iter().filter(|array| array.is_changed);
        Ok(changed.try_for_each(|array| executor.forget_cells(general, &array.array))?)
    }

    /// Assumes what is believed of the arrays of a general state.
    pub fn assume(
        &mut self,
        executor: &mut Executor,
        start: &State,
        general: &mut State,
        conditions: Vec<Term>,
    ) -> Result<(), NotClosed> {
        let Some(index) = self.index else { return Ok(()) };
        let mut arrays = Vec::with_capacity(self.list.len());
        for HeadArray { array, cell, entry_cell, .. } in &self.list {
            let (base, now) = executor.cells_at(general, array)?;
            let (_, entry) = executor.cells_at(start, array)?;
            arrays.push(FactArray { base, cell: *cell, entry_cell: *entry_cell, now, entry });
        }
        self.facts = executor.assume_of_arrays(general, ArrayFacts { index, arrays, conditions });
        Ok(())
    }

    /// Adds what the variables for cells are in a state, at the index that may be any.
    pub fn values(
        &self,
        executor: &mut Executor,
        start: &State,
        state: &mut State,
        values: &mut FxHashMap<Term, Term>,
    ) -> Result<(), NotClosed> {
        let Some(index) = self.index else { return Ok(()) };
        for HeadArray { array, cell, entry_cell, .. } in &self.list {
            let now = executor.cell_at(state, array, index)?;
            let (_, entry) = executor.cells_at(start, array)?;
            let before = executor.cell_in(state, &entry, index)?;
            values.extend([(*cell, now), (*entry_cell, before)]);
        }
        Ok(())
    }

    /// Learns from a path where arrays are accessed, and what is decided about their cells. Is
    /// anything of that new?
    pub fn note(
        &mut self,
        executor: &mut Executor,
        state: &State,
        conditions: &[Term],
        is_about: impl Fn(&Executor, Term) -> bool,
    ) -> bool {
        let Some(index) = self.index else { return false };
        let before = (self.indices.len(), self.relations.len());
        let (accesses, instances) = executor.array_accesses(state);
        let accesses: Vec<ArrayAccess> = accesses.to_vec();
        let instances: Vec<(Term, Vec<(Term, Term)>)> = instances
            .iter()
            .filter(|instance| instance.facts == self.facts && instance.index != index)
            .map(|instance| (instance.index, instance.values.clone()))
            .collect();
        for access in &accesses {
            let Some(array) = self.list.iter().find(|array| array.base == access.base) else { continue };
            let (cell, at) = (array.cell, access.index);
            if at == index {
                continue;
            }
            if !executor.terms.is_const(at) && is_about(executor, at) && !self.indices.contains(&at) {
                self.indices.push(at);
            }
            let Some(stored) = access.stored else { continue };
            let values = instances.iter().find(|instance| instance.0 == at).map_or(&[][..], |found| &found.1);
            for is_before in [true, false] {
                let named = self.names(executor, at, values, is_before.then_some(cell));
                let held = executor.terms.substitute(stored, &named);
                let relation = executor.terms.eq(cell, held);
                self.add_relation(executor, relation, &is_about);
            }
        }
        for (at, values) in &instances {
            let named = self.names(executor, *at, values, None);
            for &condition in conditions {
                if executor.terms.vars_of(condition).iter().any(|&var| executor.is_unknown_cell(var)) {
                    let relation = executor.terms.substitute(condition, &named);
                    self.add_around(executor, relation, &is_about);
                }
            }
        }
        // What was not written yet is as it was.
        for array in self.list.clone().iter().filter(|array| array.is_changed) {
            let same = executor.terms.eq(array.cell, array.entry_cell);
            self.add_relation(executor, same, &is_about);
        }
        self.indices.truncate(MOST_INDICES);
        self.relations.truncate(MOST_RELATIONS);
        before != (self.indices.len(), self.relations.len())
    }

    /// What a path calls the index that it accessed, and the cells there, in the words of
    /// candidates. The cell of one array may be called what it was when the loop was entered.
    fn names(
        &self,
        executor: &mut Executor,
        at: Term,
        values: &[(Term, Term)],
        as_before: Option<Term>,
    ) -> FxHashMap<Term, Term> {
        let mut named = FxHashMap::default();
        let Some(index) = self.index else { return named };
        if !executor.terms.is_const(at) {
            let is_here = executor.terms.eq(at, index);
            if let Some(solution) = executor.terms.solve(is_here, &|_, var| var != index) {
                named.extend(solution.values.into_iter().filter(|(_, value)| *value != at));
            }
        }
        for array in &self.list {
            let value = |var: Term| values.iter().find(|&&(name, _)| name == var).map(|&(_, value)| value);
            let now = if as_before == Some(array.cell) { array.entry_cell } else { array.cell };
            for (held, name) in [(value(array.entry_cell), array.entry_cell), (value(array.cell), now)] {
                if let Some(held) = held.filter(|&held| executor.is_unknown_cell(held)) {
                    named.insert(held, name);
                }
            }
        }
        named
    }

    fn add_relation(&mut self, executor: &Executor, relation: Term, is_about: &impl Fn(&Executor, Term) -> bool) {
        let vars = executor.terms.vars_of(relation);
        let has_cell = self.list.iter().any(|array| vars.contains(&array.cell));
        if has_cell && is_about(executor, relation) && !self.relations.contains(&relation) {
            self.relations.push(relation);
        }
    }

    /// A condition on cells, its opposite, and what is weaker.
    fn add_around(&mut self, executor: &mut Executor, condition: Term, is_about: &impl Fn(&Executor, Term) -> bool) {
        for part in executor.terms.conjuncts(condition) {
            let negated = executor.terms.not(part);
            self.add_relation(executor, negated, is_about);
            self.add_relation(executor, part, is_about);
            let node = *executor.terms.node(part);
            let node = if node.op == Op::Not { *executor.terms.node(node.arg(0)) } else { node };
            let is_signed = matches!(node.op, Op::Slt | Op::Sle | Op::Eq);
            if !is_signed && !matches!(node.op, Op::Ult | Op::Ule) {
                continue;
            }
            let (a, b) = (node.arg(0), node.arg(1));
            if !(2..=64).contains(&executor.terms.width(a)) {
                continue;
            }
            let weaker = match is_signed {
                true => [executor.terms.sle(a, b), executor.terms.sle(b, a)],
                false => [executor.terms.ule(a, b), executor.terms.ule(b, a)],
            };
            let same = executor.terms.eq(a, b);
            weaker.into_iter().chain([same]).for_each(|relation| self.add_relation(executor, relation, is_about));
        }
    }

    /// Candidates that were not proposed before.
    pub fn propose(
        &self,
        executor: &mut Executor,
        start: &State,
        at_entry: &FxHashMap<Term, Term>,
        seen: &mut FxHashSet<Term>,
    ) -> Vec<Term> {
        let Some(index) = self.index else { return Vec::new() };
        let ranges = self.ranges(executor, index, at_entry);
        let mut found = Vec::new();
        'relations: for &relation in &self.relations {
            let vars = executor.terms.vars_of(relation);
            let speaks_of = |array: &&HeadArray| vars.contains(&array.cell) || vars.contains(&array.entry_cell);
            let arrays: Vec<GeneralArray> = self.list.iter().filter(speaks_of).map(|array| array.array).collect();
            let mut outside: Vec<Term> = Vec::new();
            // Of what lies outside nothing may be said.
            for array in &arrays {
                let Some(count) = executor.count_of_cells(start, array) else { continue 'relations };
                outside.push(executor.terms.ule(count, index));
            }
            for range in &ranges {
                let mut parts = outside.clone();
                parts.extend(range.iter().map(|&part| executor.terms.not(part)));
                parts.push(relation);
                let condition = executor.terms.bool_or(&parts);
                if !executor.terms.is_const(condition) && seen.insert(condition) {
                    found.push(condition);
                }
            }
        }
        found.truncate(MOST_PROPOSED);
        found
    }

    /// Conditions on the index: everywhere, and before and behind where arrays are accessed.
    fn ranges(&self, executor: &mut Executor, index: Term, at_entry: &FxHashMap<Term, Term>) -> Vec<Vec<Term>> {
        let mut ranges = vec![Vec::new()];
        for &at in &self.indices {
            let first = executor.terms.substitute(at, at_entry);
            let (below, upto) = (executor.terms.slt(index, at), executor.terms.sle(index, at));
            let (above, from) = (executor.terms.not(upto), executor.terms.not(below));
            let mut here = vec![vec![below], vec![from], vec![upto], vec![above]];
            if first != at && executor.terms.as_u64(first) != Some(0) {
                let behind_first = executor.terms.sle(first, index);
                let before_first = executor.terms.sle(index, first);
                here.extend([vec![behind_first, below], vec![above, before_first]]);
            }
            if let Some(step) = self.step(executor, at, at_entry) {
                let distance = executor.terms.sub(index, at);
                let bits = executor.terms.width(distance);
                let zero = executor.terms.constant(0, bits);
                let rest = match step.is_power_of_two() {
                    true => {
                        let low = executor.terms.constant(step - 1, bits);
                        executor.terms.and(distance, low)
                    }
                    false => {
                        let step = executor.terms.constant(step, bits);
                        executor.terms.urem(distance, step)
                    }
                };
                let is_step = executor.terms.eq(rest, zero);
                let others: Vec<Vec<Term>> =
                    here.iter().map(|range| range.iter().copied().chain([is_step]).collect()).collect();
                here.extend(others);
            }
            ranges.extend(here);
        }
        ranges
    }

    /// By how much an index grows with the one variable that it depends on, if that is not one.
    fn step(&self, executor: &mut Executor, at: Term, at_entry: &FxHashMap<Term, Term>) -> Option<u64> {
        let vars: Vec<Term> =
            executor.terms.vars_of(at).iter().copied().filter(|var| at_entry.contains_key(var)).collect();
        let [var] = vars[..] else { return None };
        let one = executor.terms.constant(1, executor.terms.width(var));
        let next = executor.terms.add(var, one);
        let two = executor.terms.add(next, one);
        let [next, two] = [next, two].map(|value| {
            let values: FxHashMap<Term, Term> = [(var, value)].into_iter().collect();
            executor.terms.substitute(at, &values)
        });
        let bits = executor.terms.width(at);
        let (one, other) = (executor.terms.sub(next, at), executor.terms.sub(two, next));
        let number =
            |executor: &Executor, term: Term| executor.terms.as_u64(term).map(|step| signed(step, bits).unsigned_abs());
        let step = number(executor, one).or_else(|| number(executor, other))?;
        (step > 1).then_some(step)
    }
}

/// The cells of arrays that a state has in common with where the loop was entered.
pub(crate) fn accessed(executor: &Executor, start: &State, state: &State) -> Vec<GeneralArray> {
    let mut found: Vec<GeneralArray> = executor.accessed_arrays(state);
    found.retain(|array| executor.is_worth_cells(start, array));
    for access in executor.array_accesses(state).0 {
        if let Some(array) = executor.array_of_cells(start, access.base)
            && !found.contains(&array)
        {
            found.push(array);
        }
    }
    found
}
