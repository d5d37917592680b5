//! Running any function by itself (`--entry`): its parameters are inputs, and what pointers lead to
//! is made up when it is first needed.
//!
//! A pointer that the caller would pass is an input like any other until the function uses it to
//! get at memory. Only then is it decided what it is: null, a fresh object, or an array of
//! [`Options::lazy_elements`](crate::Options) of them. The contents are inputs, and pointers in
//! them are decided in the same way when they are used in turn. After Khurshid, Păsăreanu and
//! Visser's lazy initialization (TACAS 2003), but without aliases among what is made up. Callers
//! may do more than this, which the path notes: what is found is real only if a caller can pass it,
//! and that nothing is found is no proof.

use crate::entry::EntryPlace;
use crate::interpreter::fork::{Alternatives, Flow};
use crate::interpreter::image::LoadError;
use crate::interpreter::machine::{Interpreter, Machine};
use crate::interpreter::value::Value;
use crate::memory::Origin;
use crate::memory::object::Byte;
use crate::paths::approximation::{Cause, Direction};
use crate::paths::choice::Choice;
use crate::paths::cut::CutReason;
use crate::paths::state::State;
use crate::{End, Executor};
use espalier_expr::{SymbolShape, Term};
use espalier_ir::{FileId, FuncId, GlobalId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Objects that are larger than this are not made up at the entries of functions that are explored
/// on the way backwards: each of their bytes is a symbol, and has to be worth it.
const MOST_AT_ENTRY: u64 = 1 << 14;

/// A pointer whose object is not made up yet, or is on some paths.
#[derive(Clone, Debug)]
pub(crate) struct LazyPointer {
    name: String,
    /// What it points to: a number in [`espalier_ir::Program::pointees`].
    pointee: u32,
    /// How many pointers lead to it.
    depth: u32,
}

/// What a term is in terms of pointers that were decided.
pub(crate) enum Settled {
    /// No such pointer is in it, or all of them are decided: then it is this.
    Term(Term),
    /// This variable has to be decided first.
    Undecided(Term),
}

impl<M: Machine> Interpreter<'_, M> {
    /// Makes inputs of the entry function's parameters.
    pub(crate) fn make_arguments(&mut self, state: &mut State, entry: FuncId) -> Result<(), LoadError> {
        let params = self.program().function(entry).params.clone();
        if !params.is_empty() && !M::STARTS_ANYWHERE && self.has_variable_globals() {
            state.note_approximation(Direction::Both, Cause::FirstGlobals);
        }
        for (index, param) in params.iter().enumerate() {
            let name = if param.name.is_empty() { format!("arg{index}") } else { param.name.clone() };
            let size = param.width.div_ceil(8);
            if let Some((size, align)) = param.by_value {
                let address = state
                    .memory
                    .allocate(size, align, Origin::Arguments(entry), true)
                    .map_err(|_| LoadError::AddressSpace(self.pointer_width()))?;
                self.fill_with_input(state, address, name, size as u32, EntryPlace::Copy { param: index });
                state.top.regs[index] = Value::concrete(address);
                state.top.allocas.push(address);
                continue;
            }
            let var = match self.scalar_from_outside(state, name.clone(), size, EntryPlace::Param(index)) {
                Ok(var) => var,
                Err(end) => {
                    state.pending_end = Some(Box::new(end));
                    return Ok(());
                }
            };
            if let Some(pointee) = param.pointee {
                self.lazy.insert(var, LazyPointer { name, pointee, depth: 1 });
            }
            let term = self.terms.extract(var, 0, param.width);
            state.top.regs[index] = Value::of(&self.terms, term);
        }
        Ok(())
    }

    /// The alternatives for a pointer that is not decided yet.
    #[allow(clippy::vec_box)] // They are moved from box to box, never copied.
    pub(crate) fn decide(&mut self, state: Box<State>, var: Term, out: &mut Alternatives) -> Vec<Box<State>> {
        let Some(lazy) = self.lazy.get(&var).cloned() else { return vec![state] };
        let width = self.terms.width(var);
        let zero = self.terms.constant(0, width);
        let is_null = self.terms.eq(var, zero);
        let (null, other) = self.split_on(state, is_null, out);
        let mut decided = Vec::new();
        decided.extend(null.map(|state| decide_as(state, var, 0)));
        let Some(other) = other else { return decided };
        if lazy.depth > self.options.lazy_depth {
            let limit = self.options.lazy_depth;
            let end = self.limit(&other, CutReason::LazyDepth { pointer: lazy.name, limit });
            out.ended(other, end);
            return decided;
        }
        let made = decided.len();
        for count in self.element_counts(&lazy) {
            let mut copy = self.split(&other);
            copy.choices.push(Choice::Value(count));
            decided.extend(self.point_to_fresh(copy, var, &lazy, count, out));
        }
        if decided.len() == made {
            // The program has compared it with other addresses: it can only be what the path says.
            decided.extend(self.point_elsewhere(other, var, out));
        }
        decided
    }

    /// As [`Executor::fork_on_values`], for a value that depends on a pointer that is not decided
    /// yet.
    pub(crate) fn fork_on_pointer(&mut self, state: &mut State, var: Term, mut again: impl FnMut(&mut State)) -> Flow {
        let mut out = Alternatives::default();
        let copy = self.split(state);
        for mut decided in self.decide(copy, var, &mut out) {
            again(&mut decided);
            out.goes_on(decided);
        }
        out.settle(self, state)
    }

    fn point_to_fresh(
        &mut self,
        mut state: Box<State>,
        var: Term,
        lazy: &LazyPointer,
        count: u64,
        out: &mut Alternatives,
    ) -> Option<Box<State>> {
        let pointee = self.program().pointees[lazy.pointee as usize].clone();
        let element = pointee.size.max(1);
        let size = element.saturating_mul(count);
        let fits = u32::try_from(size).is_ok() && (!M::STARTS_ANYWHERE || size <= MOST_AT_ENTRY);
        let address = state.memory.allocate(size, 16, Origin::Caller, true);
        let (Ok(address), true) = (address, fits) else {
            let end = self.limit(&state, CutReason::LazySize { pointer: lazy.name.clone(), bytes: size });
            out.ended(state, end);
            return None;
        };
        let width = self.terms.width(var);
        let number = self.terms.constant(address, width);
        let points_there = self.terms.eq(var, number);
        // That it points elsewhere is not followed, which the path notes.
        let (held, _) = self.split_on(state, points_there, out);
        let mut state = decide_as(held?, var, address);
        let behind = |offset| EntryPlace::Behind { pointer: var, offset };
        self.fill_with_input(&mut state, address, format!("*{}", lazy.name), size as u32, behind(0));
        if pointee.is_char {
            self.write_byte(&mut state, address + size - 1, Byte::Concrete(0));
        }
        let pointer_bytes = self.pointer_width() / 8;
        for index in 0..count {
            for member in &pointee.pointers {
                let name = match (index, count) {
                    (0, _) => format!("{}{}", lazy.name, member.path),
                    _ => format!("{}[{index}].{}", lazy.name, member.path.trim_start_matches("->")),
                };
                let start = index * element + member.offset;
                let inner = match self.scalar_from_outside(&mut state, name.clone(), pointer_bytes, behind(start)) {
                    Ok(var) => var,
                    Err(end) => {
                        out.ended(state, end);
                        return None;
                    }
                };
                self.lazy.insert(inner, LazyPointer { name, pointee: member.pointee, depth: lazy.depth + 1 });
                for byte in 0..pointer_bytes {
                    self.write_byte(&mut state, address + start + u64::from(byte), Byte::Symbolic(inner, byte));
                }
            }
        }
        state.note_approximation(Direction::Both, Cause::LazyPointers);
        Some(state)
    }

    fn point_elsewhere(&mut self, state: Box<State>, var: Term, out: &mut Alternatives) -> Option<Box<State>> {
        let address = match self.value_in(&state, var) {
            Ok(address) => address,
            Err(reason) => {
                let end = self.solver_unknown(&state, &reason);
                out.ended(state, end);
                return None;
            }
        };
        let width = self.terms.width(var);
        let number = self.terms.constant(address, width);
        let points_there = self.terms.eq(var, number);
        let (held, other) = self.split_on(state, points_there, out);
        if let Some(mut other) = other {
            other.note_approximation(Direction::Under, Cause::LazyAddress);
            let end = self.limit(&other, CutReason::LazyCompared);
            out.ended(other, end);
        }
        held.map(|state| decide_as(state, var, address))
    }

    fn scalar_from_outside(
        &mut self,
        state: &mut State,
        name: String,
        size: u32,
        place: EntryPlace,
    ) -> Result<Term, End> {
        if !M::STARTS_ANYWHERE {
            return self.scalar_input(state, name, size);
        }
        let symbol = self.entry_symbol(state, name, size, SymbolShape::Scalar, place);
        Ok(self.terms.var(symbol, 0))
    }

    pub(crate) fn fill_with_input(
        &mut self,
        state: &mut State,
        address: u64,
        name: String,
        size: u32,
        place: EntryPlace,
    ) {
        let symbol = match M::STARTS_ANYWHERE {
            true => self.entry_symbol(state, name, size, SymbolShape::Bytes, place),
            false => self.new_input(state, name, size, SymbolShape::Bytes),
        };
        for index in 0..size {
            let var = self.terms.var(symbol, index);
            self.write_byte(state, address + u64::from(index), Byte::Symbolic(var, 0));
        }
    }
}

impl Executor {
    /// Does the program, apart from the runtime, have global variables that can change?
    fn has_variable_globals(&self) -> bool {
        !self.variable_globals().is_empty()
    }

    /// The global variables of the program that can change, apart from those that are in the
    /// runtime's files.
    pub(crate) fn variable_globals(&self) -> Vec<GlobalId> {
        let files = |is_runtime: bool| -> FxHashSet<FileId> {
            let functions = self.program().functions.iter();
            functions.filter(|function| function.is_runtime == is_runtime).map(|function| function.loc.file).collect()
        };
        let (of_runtime, of_program) = (files(true), files(false));
        let is_of_program = |file: FileId| of_program.contains(&file) || !of_runtime.contains(&file);
        let globals = self.program().globals.iter().enumerate();
        let variable = globals.filter(|(_, global)| !global.is_constant && is_of_program(global.loc.file));
        variable.map(|(index, _)| GlobalId::new(index)).collect()
    }

    /// Puts what is known of lazy pointers into a term.
    pub(crate) fn settle(&mut self, state: &State, term: Term) -> Settled {
        if self.lazy.is_empty() {
            return Settled::Term(term);
        }
        let vars = self.terms.vars_of(term);
        let mut values = FxHashMap::default();
        for &var in vars.iter().filter(|var| self.lazy.contains_key(var)) {
            match state.decided.iter().find(|(decided, _)| *decided == var) {
                Some(&(_, address)) => {
                    let width = self.terms.width(var);
                    values.insert(var, self.terms.constant(address, width));
                }
                None => return Settled::Undecided(var),
            }
        }
        if values.is_empty() { Settled::Term(term) } else { Settled::Term(self.terms.substitute(term, &values)) }
    }

    /// How many elements a made-up object may have: one, or several. What has no size is counted in
    /// bytes.
    fn element_counts(&self, lazy: &LazyPointer) -> Vec<u64> {
        let pointee = &self.program().pointees[lazy.pointee as usize];
        let many = self.options.lazy_elements.max(1);
        if many == 1 || pointee.is_char || pointee.size == 0 { vec![many] } else { vec![1, many] }
    }

    pub(crate) fn write_byte(&mut self, state: &mut State, address: u64, byte: Byte) {
        if let Some(object) = state.memory.object_mut(address) {
            let offset = (address - object.base) as usize;
            object.contents.set_byte(offset, byte);
        }
    }
}

fn decide_as(mut state: Box<State>, var: Term, address: u64) -> Box<State> {
    state.decided.push((var, address));
    state
}
