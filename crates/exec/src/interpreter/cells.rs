//! Reading and writing cells: arrays of which a state that stands for many knows little
//! (`memory::cells`).
//!
//! A read gives what was stored at the index, and else the value of an unknown function there: a
//! variable, of which it is assumed that it is the same as that of an earlier read if the indices
//! are. With it, what holds of the cells at every index ([`ArrayFacts`]) is assumed of this one:
//! quantifiers are instantiated where arrays are read, and nowhere else. What is not assumed costs
//! precision only.
//!
//! What does not fit, an access of another width or one that may not be aligned, is a reason to give
//! up on the state (`ArrayKnowledge::trouble`).

use crate::Executor;
use crate::interpreter::access::Place;
use crate::interpreter::machine::{Havoc, Interpreter, Machine};
use crate::interpreter::value::Value;
use crate::learning::arrays::{ArrayAccess, ArrayFacts, ArrayKnowledge, Instance};
use crate::learning::general::NotGeneral;
use crate::memory::cells::{CellBase, Cells};
use crate::memory::object::{Byte, Run};
use crate::paths::journal::Side;
use crate::paths::state::State;
use espalier_base::bits::signed;
use espalier_expr::{Evaluator, Model, Op, SymbolKind, Term};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// So many stores on cells are kept apart.
pub(crate) const MOST_STORES: usize = 64;

/// What holds of cells is assumed at so many indices on a path.
const MOST_INSTANCES: usize = 48;

/// Unknown cells that a path may read.
const MOST_READS: usize = 128;

impl<M: Machine> Interpreter<'_, M> {
    /// The value of `width` bits at a place in cells.
    pub(crate) fn read_cells(&mut self, state: &mut State, place: Place, width: u32) -> Term {
        let len = width.div_ceil(8);
        match self.cells_read(state, place, len) {
            Ok(value) => value,
            Err(why) => {
                note_trouble(state, why);
                let symbol = self.unknown_symbol(state, len, espalier_expr::SymbolShape::Bytes);
                let bytes: Vec<Term> = (0..len).map(|k| self.terms.var(symbol, k)).collect();
                bytes.into_iter().reduce(|low, high| self.terms.concat(high, low)).unwrap_or_else(|| self.terms.fals())
            }
        }
    }

    fn cells_read(&mut self, state: &mut State, place: Place, len: u32) -> Result<Term, NotGeneral> {
        let cells = self.settled_cells(state, place.base)?;
        let cell = cells.width;
        match place.offset.as_concrete() {
            // Other widths are put together where it is known what they consist of.
            Some(offset) if len != cell || offset % u64::from(cell) != 0 => {
                let mut value: Option<Term> = None;
                for at in offset..offset + u64::from(len) {
                    let bits = self.pointer_width();
                    let index = self.terms.constant(at / u64::from(cell), bits);
                    let whole = self.cell_in_object(state, place.base, &cells, index)?;
                    let byte = self.terms.extract(whole, 8 * (at % u64::from(cell)) as u32, 8);
                    value = Some(value.map_or(byte, |low| self.terms.concat(byte, low)));
                }
                value.ok_or(NotGeneral::Array)
            }
            _ if len != cell => Err(NotGeneral::Array),
            _ => {
                let index = self.index_of(state, place, cell)?;
                self.cell_in_object(state, place.base, &cells, index)
            }
        }
    }

    /// Writes the low `width` bits of `value`, padded to bytes, to cells.
    pub(crate) fn write_cells(&mut self, state: &mut State, place: Place, value: Value, width: u32) {
        if let Err(why) = self.cells_written(state, place, value, width) {
            note_trouble(state, why);
        }
    }

    fn cells_written(&mut self, state: &mut State, place: Place, value: Value, width: u32) -> Result<(), NotGeneral> {
        let cells = self.settled_cells(state, place.base)?;
        let len = width.div_ceil(8);
        if len != cells.width {
            return Err(NotGeneral::Array);
        }
        if 8 * len == self.pointer_width() && self.may_be_address(value) {
            return Err(NotGeneral::Pointer);
        }
        let index = self.index_of(state, place, len)?;
        let value = value.term(&mut self.executor.terms, width);
        let value = self.terms.zext(value, 8 * len);
        note_access(state, ArrayAccess { base: place.base, index, stored: Some(value) });
        self.put_stores(state, place.base, vec![(index, value)])
    }

    /// Cells with these stores on top.
    fn put_stores(&mut self, state: &mut State, base: u64, new: Vec<(Term, Term)>) -> Result<(), NotGeneral> {
        let object = state.memory.object_mut(base).ok_or(NotGeneral::Array)?;
        let mut cells = object.contents.cells().cloned().ok_or(NotGeneral::Array)?;
        let stores = &mut Rc::make_mut(&mut cells).stores;
        for (index, value) in new {
            if stores.last().is_some_and(|&(last, _)| last == index) {
                stores.pop();
            }
            stores.push((index, value));
        }
        if stores.len() > MOST_STORES {
            return Err(NotGeneral::Array);
        }
        object.contents.back_with_cells(cells);
        Ok(())
    }

    /// The cells of an object, in which what was written byte by byte is stored.
    pub(crate) fn settled_cells(&mut self, state: &mut State, base: u64) -> Result<Rc<Cells>, NotGeneral> {
        let object = state.memory.object(base).ok_or(NotGeneral::Array)?;
        let cells = object.contents.cells().cloned().ok_or(NotGeneral::Array)?;
        let mut written: Vec<usize> = Vec::new();
        let mut at = 0;
        object.contents.for_each_run(|run| {
            let (len, is_backed) = match run {
                Run::Numbers(bytes) => (bytes.len(), false),
                Run::Same(byte, len) => (len, byte == Byte::Backed),
            };
            if !is_backed && written.len() <= MOST_STORES * 8 {
                written.extend(at..at + len);
            }
            at += len;
        });
        if written.is_empty() {
            return Ok(cells);
        }
        let width = cells.width as usize;
        if written.len() > MOST_STORES * width {
            return Err(NotGeneral::Array);
        }
        let mut stores = Vec::new();
        for word in written.chunks(width) {
            let first = word[0];
            if !first.is_multiple_of(width) || word.len() != width || word[width - 1] != first + width - 1 {
                return Err(NotGeneral::Array);
            }
            self.initialise(state, base, first, width);
            let bytes = self.bytes_at(state, base, first, width);
            let value = self.assemble(state, base, first, &bytes);
            if 8 * width as u32 == self.pointer_width() && self.may_mention_address(value) {
                return Err(NotGeneral::Pointer);
            }
            let bits = self.pointer_width();
            let index = self.terms.constant((first / width) as u64, bits);
            note_access(state, ArrayAccess { base, index, stored: Some(value) });
            stores.push((index, value));
        }
        self.put_stores(state, base, stores)?;
        let cells = state.memory.object(base).and_then(|object| object.contents.cells().cloned());
        cells.ok_or(NotGeneral::Array)
    }

    /// Which cell is at a place that is in bounds?
    fn index_of(&mut self, state: &State, place: Place, width: u32) -> Result<Term, NotGeneral> {
        let bits = self.pointer_width();
        let size = state.memory.object(place.base).map_or(0, |object| object.size);
        let cells = self.terms.constant(size.div_ceil(width.into()), bits);
        let offset = place.offset.term(&mut self.executor.terms, bits);
        if width == 1 {
            return Ok(offset);
        }
        let shift = self.terms.constant(width.trailing_zeros().into(), bits);
        let Some(quotient) = self.divide(offset, width) else {
            let rest = self.terms.constant(u64::from(width) - 1, bits);
            let rest = self.terms.and(offset, rest);
            let zero = self.terms.constant(0, bits);
            let is_aligned = self.terms.eq(rest, zero);
            return match self.must_hold(state, is_aligned) {
                true => Ok(self.terms.lshr(offset, shift)),
                false => Err(NotGeneral::Array),
            };
        };
        // A product may have wrapped around, and then this is another cell's index.
        let is_exact = self.terms.ult(quotient, cells);
        Ok(match self.must_hold(state, is_exact) {
            true => quotient,
            false => self.terms.lshr(offset, shift),
        })
    }

    /// An offset divided by the width of cells, where its form tells that it is a multiple.
    fn divide(&mut self, offset: Term, width: u32) -> Option<Term> {
        let bits = self.terms.width(offset);
        if let Some(number) = self.terms.as_u64(offset) {
            let number = signed(number, bits);
            return (number % i64::from(width) == 0).then(|| {
                let quotient = (number / i64::from(width)) as u64 & espalier_base::bits::mask(bits);
                self.terms.constant(quotient, bits)
            });
        }
        let node = *self.terms.node(offset);
        match node.op {
            Op::Add => {
                let parts: Option<Vec<Term>> = node.args().map(|arg| self.divide(arg, width)).collect();
                parts?.into_iter().reduce(|a, b| self.terms.add(a, b))
            }
            Op::Mul => {
                let (factor, of) = match (self.terms.as_u64(node.arg(0)), self.terms.as_u64(node.arg(1))) {
                    (Some(factor), _) => (factor, node.arg(1)),
                    (_, Some(factor)) => (factor, node.arg(0)),
                    _ => return None,
                };
                let factor = signed(factor, bits);
                (factor % i64::from(width) == 0).then(|| {
                    let factor = (factor / i64::from(width)) as u64 & espalier_base::bits::mask(bits);
                    let factor = self.terms.constant(factor, bits);
                    self.terms.mul(factor, of)
                })
            }
            Op::Shl => {
                let by = self.terms.as_u64(node.arg(1))?.checked_sub(width.trailing_zeros().into())?;
                let by = self.terms.constant(by, bits);
                Some(self.terms.shl(node.arg(0), by))
            }
            Op::Concat => {
                // Zeros below: a shift in another form.
                let low = self.terms.width(node.arg(1));
                if self.terms.as_u64(node.arg(1)) != Some(0) || low < width.trailing_zeros() {
                    return None;
                }
                let left = low - width.trailing_zeros();
                let high = self.terms.zext(node.arg(0), bits);
                let by = self.terms.constant(left.into(), bits);
                Some(self.terms.shl(high, by))
            }
            _ => None,
        }
    }

    fn must_hold(&mut self, state: &State, condition: Term) -> bool {
        let fails = self.terms.not(condition);
        match self.terms.as_u64(fails) {
            Some(fails) => fails == 0,
            None => matches!(self.can_hold(state, fails), Side::No),
        }
    }

    pub(crate) fn cell_in_object(
        &mut self,
        state: &mut State,
        base: u64,
        cells: &Cells,
        index: Term,
    ) -> Result<Term, NotGeneral> {
        note_access(state, ArrayAccess { base, index, stored: None });
        let value = self.cell_of(state, cells, index)?;
        let facts = knowledge(state).facts.clone();
        for (number, facts) in facts.iter().enumerate() {
            if facts.arrays.iter().any(|array| array.base == base) {
                self.instantiate(state, number, index)?;
            }
        }
        Ok(value)
    }
}

impl Executor {
    /// What cells hold at an index.
    pub(crate) fn cell_of(&mut self, state: &mut State, cells: &Cells, index: Term) -> Result<Term, NotGeneral> {
        let same: Vec<Term> = cells.stores.iter().map(|&(at, _)| self.terms.eq(at, index)).collect();
        // What is below a store that certainly is at this index is not asked for.
        let last = same.iter().rposition(|&same| self.terms.as_u64(same) == Some(1));
        let (mut value, first) = match last {
            Some(last) => (cells.stores[last].1, last + 1),
            None => (self.base_at(state, cells, index)?, 0),
        };
        for (&same, &(_, stored)) in same.iter().zip(&cells.stores).skip(first) {
            value = self.terms.ite(same, stored, value);
        }
        Ok(value)
    }

    fn base_at(&mut self, state: &mut State, cells: &Cells, index: Term) -> Result<Term, NotGeneral> {
        let number = match cells.base {
            CellBase::Unknown(number) => number,
            CellBase::Array(array) => {
                let bits = self.pointer_width();
                let width = self.terms.constant(cells.width.into(), bits);
                let first = self.terms.mul(index, width);
                let array = Interpreter::new(self, Havoc::default()).with_fresh_rest(state, array);
                let mut value: Option<Term> = None;
                for k in 0..cells.width {
                    let step = self.terms.constant(k.into(), bits);
                    let at = self.terms.add(first, step);
                    let byte = self.terms.read(array, at);
                    value = Some(value.map_or(byte, |low| self.terms.concat(byte, low)));
                }
                return value.ok_or(NotGeneral::Array);
            }
        };
        let value = self.unknown_cell(number, index, cells.width);
        let known = knowledge(state);
        if known.reads.iter().any(|read| (read.0, read.1) == (number, index)) {
            return Ok(value);
        }
        if known.reads.len() >= MOST_READS {
            return Err(NotGeneral::Array);
        }
        let others: Vec<(Term, Term)> =
            known.reads.iter().filter(|read| read.0 == number).map(|read| (read.1, read.2)).collect();
        known.reads.push((number, index, value));
        let facts = known.facts.clone();
        self.extend_model(state, index, value, &others);
        let mut conditions = Vec::new();
        for (other, held) in others {
            let differs = self.terms.ne(other, index);
            let same = self.terms.eq(held, value);
            conditions.push(self.terms.or(differs, same));
        }
        self.assume_known(state, &conditions);
        for (at, facts) in facts.iter().enumerate() {
            if facts.arrays.iter().any(|array| array.now.base == cells.base) {
                self.instantiate(state, at, index)?;
            }
        }
        Ok(value)
    }

    /// The variable for an unknown cell.
    fn unknown_cell(&mut self, number: u32, index: Term, width: u32) -> Term {
        let known = self.unknown_cells.get(&(number, index)).copied();
        known.unwrap_or_else(|| {
            let name = format!("cell {}", self.unknown_cells.len());
            let var = self.terms.scalar_var(SymbolKind::Unknown, &name, width);
            self.has_unknowns = true;
            self.unknown_cells.insert((number, index), var);
            var
        })
    }

    /// A model of the path for which a new cell agrees with those that were read.
    fn extend_model(&self, state: &mut State, index: Term, value: Term, others: &[(Term, Term)]) {
        let Some(model) = &state.model else { return };
        let mut evaluator = Evaluator::new(model.clone());
        let at = evaluator.eval(&self.terms, index);
        let same = others.iter().find(|&&(other, _)| evaluator.eval(&self.terms, other) == at);
        let held = same.map(|&(_, held)| evaluator.eval(&self.terms, held));
        if let Some(held) = held {
            let mut model = Model::clone(model);
            model.set_bv(value, held);
            state.model = Some(Rc::new(model));
        }
    }

    /// Adds conditions that hold of all that the state stands for.
    fn assume_known(&mut self, state: &mut State, conditions: &[Term]) {
        for &condition in conditions.iter().filter(|&&condition| self.terms.as_u64(condition) != Some(1)) {
            let model = state.model.take();
            let holds = |model: &Rc<Model>| Evaluator::new(model.clone()).eval_bool(&self.terms, condition);
            let model = model.and_then(|model| match holds(&model) {
                true => Some(model),
                false => self.repaired(&model, condition).filter(|model| {
                    let mut evaluator = Evaluator::new(model.clone());
                    state.path.iter().all(|held| evaluator.eval_bool(&self.terms, held))
                }),
            });
            state.assume(&self.terms, condition, model);
        }
    }

    /// A model that gives a cell the value that an equality in the condition wants of it.
    fn repaired(&self, model: &Rc<Model>, condition: Term) -> Option<Rc<Model>> {
        let parts = self.terms.postorder(&[condition]);
        let equalities = parts.into_iter().filter(|&part| self.terms.op(part) == Op::Eq);
        equalities.into_iter().find_map(|equality| {
            let node = self.terms.node(equality);
            let is_cell = |term: Term| self.is_unknown_cell(term);
            let (cell, value) = match (node.arg(0), node.arg(1)) {
                (cell, value) if is_cell(cell) => (cell, value),
                (value, cell) if is_cell(cell) => (cell, value),
                _ => return None,
            };
            let value = Evaluator::new(model.clone()).eval(&self.terms, value);
            let mut other = Model::clone(model);
            other.set_bv(cell, value);
            let other = Rc::new(other);
            Evaluator::new(other.clone()).eval_bool(&self.terms, condition).then_some(other)
        })
    }

    /// Is a term the variable of an unknown cell?
    pub fn is_unknown_cell(&self, term: Term) -> bool {
        self.terms.op(term) == Op::Var && {
            let info = self.terms.symbol_info(self.terms.node(term).symbol());
            info.kind == SymbolKind::Unknown && info.name.starts_with("cell ")
        }
    }

    /// Assumes what holds of cells at every index at this one.
    fn instantiate(&mut self, state: &mut State, number: usize, index: Term) -> Result<(), NotGeneral> {
        let known = knowledge(state);
        let is_known = known.instances.iter().any(|instance| (instance.facts, instance.index) == (number, index));
        if is_known || known.instances.len() >= MOST_INSTANCES {
            return Ok(());
        }
        let facts: Rc<ArrayFacts> = known.facts[number].clone();
        let place = known.instances.len();
        known.instances.push(Instance { facts: number, index, values: Vec::new() });
        let mut values: FxHashMap<Term, Term> = FxHashMap::default();
        values.insert(facts.index, index);
        for array in &facts.arrays {
            let now = self.cell_of(state, &array.now, index)?;
            values.insert(array.cell, now);
            let entry = self.cell_of(state, &array.entry, index)?;
            values.insert(array.entry_cell, entry);
            knowledge(state).instances[place].values.extend([(array.cell, now), (array.entry_cell, entry)]);
        }
        let conditions: Vec<Term> =
            facts.conditions.iter().map(|&condition| self.terms.substitute(condition, &values)).collect();
        self.assume_known(state, &conditions);
        Ok(())
    }
}

/// What a state knows of arrays, to be added to.
pub(crate) fn knowledge(state: &mut State) -> &mut ArrayKnowledge {
    Rc::make_mut(state.arrays.get_or_insert_default())
}

fn note_trouble(state: &mut State, why: NotGeneral) {
    knowledge(state).trouble.get_or_insert(why);
}

fn note_access(state: &mut State, access: ArrayAccess) {
    let accesses = &mut knowledge(state).accesses;
    if !accesses.contains(&access) {
        accesses.push(access);
    }
}
