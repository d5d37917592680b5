//! Arrays in states that stand for all that a loop can make of one: their contents become cells of
//! which only this is known that was shown to hold at every index.
//!
//! What holds at every index is a condition with a variable for the index and one for the cell there
//! of each array it speaks of ([`ArrayFacts`]). It is shown for an index that may be any: the cells
//! of a state that comes round are read there, which assumes of them what held before. And it is
//! used where a path reads an array, for the index that it reads at (`interpreter::cells`).

use crate::Executor;
use crate::interpreter::access::Place;
use crate::interpreter::cells::{MOST_STORES, knowledge};
use crate::interpreter::machine::{Havoc, Interpreter};
use crate::interpreter::value::Value;
use crate::learning::general::NotGeneral;
use crate::learning::leaf::{ObjectName, name_object, resolve_name};
use crate::memory::cells::{CellBase, Cells};
use crate::memory::object::{Byte, Run};
use crate::paths::state::State;
use espalier_expr::{ArrayByte, Term};
use std::rc::Rc;

/// An array of cells at a loop head.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct GeneralArray {
    pub object: ObjectName,
    /// Bytes of a cell.
    pub width: u32,
}

/// What holds at every index of some arrays, as they are at a loop head.
#[derive(Debug)]
pub struct ArrayFacts {
    pub index: Term,
    pub arrays: Vec<FactArray>,
    pub conditions: Vec<Term>,
}

/// An array that facts may speak of.
#[derive(Debug)]
pub struct FactArray {
    pub base: u64,
    /// The variables for its cell at the index: now, and when the loop was entered.
    pub cell: Term,
    pub entry_cell: Term,
    pub now: Rc<Cells>,
    pub entry: Rc<Cells>,
}

/// A cell was read, or something was stored there.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ArrayAccess {
    pub base: u64,
    pub index: Term,
    pub stored: Option<Term>,
}

/// Facts that were assumed at an index.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Which, in the order in which they came to be known.
    pub facts: usize,
    pub index: Term,
    /// What the variables for cells stand for there.
    pub values: Vec<(Term, Term)>,
}

/// What a path knows of cells.
#[derive(Clone, Default, Debug)]
pub(crate) struct ArrayKnowledge {
    /// Unknown cells that were read: of which function, where, and the value.
    pub reads: Vec<(u32, Term, Term)>,
    pub accesses: Vec<ArrayAccess>,
    pub facts: Vec<Rc<ArrayFacts>>,
    pub instances: Vec<Instance>,
    /// Objects that are no cells, and how wide accesses at places that are no numbers were.
    pub widths: Vec<(u64, u32)>,
    /// Why nothing follows from this path.
    pub trouble: Option<NotGeneral>,
}

/// Accesses to objects that are no cells are noted up to this many.
const MOST_WIDTHS: usize = 64;

/// Notes that an object was accessed at a place that is no number, in states where that matters.
pub(crate) fn note_width(state: &mut State, base: u64, len: u32) {
    let Some(arrays) = &mut state.arrays else { return };
    if !arrays.widths.contains(&(base, len)) && arrays.widths.len() < MOST_WIDTHS {
        Rc::make_mut(arrays).widths.push((base, len));
    }
}

impl Executor {
    /// From here on it is noted how a path accesses arrays.
    pub fn note_arrays(&mut self, state: &mut State) {
        knowledge(state);
    }

    /// Why nothing follows from what a path that knows cells came to, if that is so.
    pub fn array_trouble(&self, state: &State) -> Option<NotGeneral> {
        state.arrays.as_ref()?.trouble
    }

    /// Objects that are no cells and were accessed at places that are no numbers, with the width if
    /// there is one only.
    pub fn accessed_arrays(&self, state: &State) -> Vec<GeneralArray> {
        let Some(arrays) = &state.arrays else { return Vec::new() };
        let is_alone =
            |&&(base, len): &&(u64, u32)| !arrays.widths.iter().any(|&other| other.0 == base && other.1 != len);
        let named = |&(base, width): &(u64, u32)| {
            let object = name_object(state, base)?;
            matches!(width, 1 | 2 | 4 | 8).then_some(GeneralArray { object, width })
        };
        arrays.widths.iter().filter(is_alone).filter_map(named).collect()
    }

    /// The width of the cells that an object would have, as far as paths show.
    pub(crate) fn width_of_cells(&self, state: &State, base: u64) -> Option<u32> {
        if let Some(cells) = state.memory.object(base)?.contents.cells() {
            return Some(cells.width);
        }
        let widths = &state.arrays.as_ref()?.widths;
        let mut widths = widths.iter().filter(|&&(of, _)| of == base).map(|&(_, width)| width);
        let width = widths.next().filter(|width| matches!(width, 1 | 2 | 4 | 8))?;
        widths.all(|other| other == width).then_some(width)
    }

    /// Are the contents of an object such that cells say more, or take less, than they do?
    pub fn is_worth_cells(&self, state: &State, array: &GeneralArray) -> bool {
        let object = resolve_name(state, array.object).and_then(|base| state.memory.object(base));
        object.is_some_and(|object| {
            let is_number = |run: Run<'_>| match run {
                Run::Numbers(_) => true,
                Run::Same(byte, len) => len == 0 || matches!(byte, Byte::Concrete(_)),
            };
            let mut all = true;
            object.contents.for_each_run(|run| all = all && is_number(run));
            !all && !object.read_only && object.contents.cells().is_none()
        })
    }

    /// Has the contents of an object be cells, which hold the same; what was never written is
    /// unknown.
    pub fn make_cells(&mut self, state: &mut State, array: &GeneralArray) -> Result<(), NotGeneral> {
        let base = resolve_name(state, array.object).ok_or(NotGeneral::Array)?;
        let object = state.memory.object(base).ok_or(NotGeneral::Array)?;
        let width = array.width as usize;
        let size = object.contents.size();
        if object.base != base || object.read_only || object.is_scalar || !size.is_multiple_of(width) || size == 0 {
            return Err(NotGeneral::Array);
        }
        if let Some(cells) = object.contents.cells() {
            return if cells.width == array.width { Ok(()) } else { Err(NotGeneral::Array) };
        }
        let all = Place::new(base, Value::concrete(0));
        if Interpreter::new(self, Havoc::default()).is_part_of_address(state, all, size) {
            return Err(NotGeneral::Pointer);
        }
        let cells = match self.few_written(state, base, width) {
            Some((base_cells, words)) => {
                let mut cells = Cells::new(array.width, base_cells);
                for first in words {
                    let mut interpreter = Interpreter::new(self, Havoc::default());
                    interpreter.initialise(state, base, first, width);
                    let bytes = interpreter.bytes_at(state, base, first, width);
                    let value = interpreter.assemble(state, base, first, &bytes);
                    let bits = self.pointer_width();
                    let index = self.terms.constant((first / width) as u64, bits);
                    cells.stores.push((index, value));
                }
                cells
            }
            None => {
                let array_id = Interpreter::new(self, Havoc::default()).flush(state, base);
                Cells::new(array.width, CellBase::Array(array_id))
            }
        };
        let object = state.memory.object_mut(base).ok_or(NotGeneral::Array)?;
        object.contents.back_with_cells(Rc::new(cells));
        Ok(())
    }

    /// What most of an object holds, and where the words begin that are something else, if these are
    /// few.
    fn few_written(&mut self, state: &State, base: u64, width: usize) -> Option<(CellBase, Vec<usize>)> {
        let contents = &state.memory.object(base)?.contents;
        if contents.backing.is_some() {
            return None;
        }
        let size = contents.size();
        let mut blank: Option<Byte> = None;
        let mut longest = 0;
        contents.for_each_run(|run| match run {
            Run::Same(byte, len) if len > longest => (blank, longest) = (Some(byte), len),
            _ => {}
        });
        let blank = match blank {
            Some(byte @ (Byte::Uninit | Byte::Concrete(_))) => byte,
            _ => return None,
        };
        let mut words: Vec<usize> = Vec::new();
        let mut add = |at: usize| {
            let first = at - at % width;
            if words.last() != Some(&first) && words.len() <= MOST_STORES {
                words.push(first);
            }
        };
        let mut at = 0;
        contents.for_each_run(|run| match run {
            Run::Same(byte, len) => {
                let len_of_interest = if byte == blank { 0 } else { len.min(MOST_STORES * width * 2) };
                (at..at + len_of_interest).for_each(&mut add);
                at += len;
            }
            Run::Numbers(bytes) => {
                let others = bytes.iter().enumerate().filter(|&(_, &byte)| Byte::Concrete(byte) != blank);
                others.for_each(|(k, _)| add(at + k));
                at += bytes.len();
            }
        });
        if words.len() > MOST_STORES / 2 {
            return None;
        }
        let cells = match blank {
            Byte::Concrete(value) => {
                CellBase::Array(self.terms.array_of_pages(size as u64, ArrayByte::Concrete(value), Vec::new()))
            }
            _ => self.unknown_cells_base(),
        };
        Some((cells, words))
    }

    fn unknown_cells_base(&mut self) -> CellBase {
        self.cell_functions += 1;
        CellBase::Unknown(self.cell_functions)
    }

    /// Has the cells of an object hold anything.
    pub fn forget_cells(&mut self, state: &mut State, array: &GeneralArray) -> Result<(), NotGeneral> {
        let base = resolve_name(state, array.object).ok_or(NotGeneral::Array)?;
        let cells = Rc::new(Cells::new(array.width, self.unknown_cells_base()));
        let object = state.memory.object_mut(base).ok_or(NotGeneral::Array)?;
        object.contents.back_with_cells(cells);
        Ok(())
    }

    /// An object as an array, if its contents are cells.
    pub fn array_of_cells(&self, state: &State, base: u64) -> Option<GeneralArray> {
        let width = state.memory.object(base)?.contents.cells()?.width;
        Some(GeneralArray { object: name_object(state, base)?, width })
    }

    /// Was an unknown cell read on the way to a state?
    pub fn knows_cell(&self, state: &State, var: Term) -> bool {
        state.arrays.as_ref().is_some_and(|arrays| arrays.reads.iter().any(|&(_, _, held)| held == var))
    }

    /// The address of an array and its cells.
    pub fn cells_at(&mut self, state: &State, array: &GeneralArray) -> Result<(u64, Rc<Cells>), NotGeneral> {
        let base = resolve_name(state, array.object).ok_or(NotGeneral::Array)?;
        let cells = state.memory.object(base).and_then(|object| object.contents.cells()).cloned();
        Ok((base, cells.filter(|cells| cells.width == array.width).ok_or(NotGeneral::Array)?))
    }

    /// How many cells an array has.
    pub fn count_of_cells(&mut self, state: &State, array: &GeneralArray) -> Option<Term> {
        let base = resolve_name(state, array.object)?;
        let object = state.memory.object(base)?;
        let bits = self.pointer_width();
        let (size, size_term) = (object.size, object.size_term);
        let width = self.terms.constant(array.width.into(), bits);
        Some(match size_term {
            Some(size) => self.terms.udiv(size, width),
            None => self.terms.constant(size / u64::from(array.width), bits),
        })
    }

    /// What an array holds at an index, with what is known of it assumed.
    pub fn cell_at(&mut self, state: &mut State, array: &GeneralArray, index: Term) -> Result<Term, NotGeneral> {
        let mut interpreter = Interpreter::new(self, Havoc::default());
        let base = resolve_name(state, array.object).ok_or(NotGeneral::Array)?;
        let cells = interpreter.settled_cells(state, base)?;
        if cells.width != array.width {
            return Err(NotGeneral::Array);
        }
        interpreter.cell_in_object(state, base, &cells, index)
    }

    /// What cells hold at an index.
    pub fn cell_in(&mut self, state: &mut State, cells: &Cells, index: Term) -> Result<Term, NotGeneral> {
        self.cell_of(state, cells, index)
    }

    /// From here on facts are assumed wherever cells are read. Gives their number.
    pub fn assume_of_arrays(&mut self, state: &mut State, facts: ArrayFacts) -> usize {
        let known = &mut knowledge(state).facts;
        known.push(Rc::new(facts));
        known.len() - 1
    }

    /// Where a path accessed arrays, and what was assumed of them there.
    pub fn array_accesses<'a>(&self, state: &'a State) -> (&'a [ArrayAccess], &'a [Instance]) {
        match &state.arrays {
            Some(arrays) => (&arrays.accesses, &arrays.instances),
            None => (&[], &[]),
        }
    }
}
