//! States that stand for all that a loop can make of one: which places a loop changes, and states
//! in which these hold anything.
//!
//! A state is *general* in some places if it holds a variable of its own there. It stands for every
//! state that agrees with it elsewhere and whose values satisfy what is assumed of the variables.
//! What is found to differ is told exactly or not at all: whatever cannot be described by values
//! at places of the program's own ([`NotGeneral`]) is no reason to go on.

use crate::Executor;
use crate::interpreter::value::Value;
use crate::learning::arrays::GeneralArray;
use crate::learning::leaf::{Leaf, ObjectName, frame_at, name_object, resolve_name};
use crate::memory::object::{Byte, Contents};
use crate::memory::{Found, Object};
use crate::paths::state::State;
use espalier_expr::{Model, Symbol, SymbolInfo, SymbolKind, SymbolShape, Term};
use espalier_ir::{BlockId, Callee, FuncId, Function, Inst};
use espalier_solver::Answer;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Why no state stands for all that a loop makes of one.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NotGeneral {
    /// What comes next depends on more than frames and memory: a jump point, an alias.
    Context,
    /// Something depended on the numbers of addresses.
    Addresses,
    /// Heap objects are left when it comes round, or others are gone.
    Allocates,
    /// An object of the stack has another place, or another size.
    MovedObject,
    /// An object is written at places that depend on what the loop changes.
    Array,
    /// A place leads to different objects, or to none.
    Pointer,
    /// A place has no value that a variable could stand for.
    NoValue,
}

/// A place that holds anything in a general state.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct GeneralPlace {
    pub leaf: Leaf,
    /// Bits of its variable, which has whole bytes.
    pub width: u32,
    /// For a pointer: where the object begins that it leads into. The variable is the distance.
    pub base: Option<u64>,
}

impl GeneralPlace {
    /// Do two places share bytes?
    pub fn overlaps(&self, other: &GeneralPlace) -> bool {
        match (self.leaf, other.leaf) {
            (Leaf::Mem { object, offset, len }, Leaf::Mem { object: other, offset: first, len: bytes }) => {
                object == other && offset < first + u64::from(bytes) && first < offset + u64::from(len)
            }
            (one, other) => one == other,
        }
    }
}

/// What a loop was seen to change.
#[derive(Default, Debug)]
pub struct Changes {
    pub places: Vec<GeneralPlace>,
    /// Objects that were written at places that depend on what the loop changes, or may be.
    pub arrays: Vec<ChangedArray>,
}

/// An object whose contents a loop changes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ChangedArray {
    object: ObjectName,
    /// How wide accesses are, if that is known.
    width: Option<u32>,
}

impl ChangedArray {
    pub fn as_cells(self) -> Result<GeneralArray, NotGeneral> {
        let width = self.width.ok_or(NotGeneral::Array)?;
        Ok(GeneralArray { object: self.object, width })
    }
}

/// The same, as it is found.
#[derive(Default)]
struct ChangedLeaves {
    leaves: Vec<Leaf>,
    arrays: Vec<ChangedArray>,
}

impl Executor {
    /// What is something else in `after` than in `before`, which are at the same point with the same
    /// callers, apart from the contents of these arrays.
    pub fn changed_places(
        &mut self,
        before: &State,
        after: &State,
        arrays: &[GeneralArray],
    ) -> Result<Changes, NotGeneral> {
        self.is_comparable(before, after)?;
        let mut found = ChangedLeaves { leaves: self.changed_registers(before, after)?, arrays: Vec::new() };
        let known: Vec<u64> = arrays.iter().filter_map(|array| resolve_name(before, array.object)).collect();
        let mut problem = None;
        let mut visit = |objects: [Option<&Object>; 2]| {
            let found = match objects {
                [Some(one), Some(other)] => {
                    let is_known = known.contains(&one.base);
                    self.changed_bytes([before, after], [one, other], is_known, &mut found)
                }
                [Some(one), None] | [None, Some(one)] if one.origin.is_heap() => Err(NotGeneral::Allocates),
                // Stack objects that are alive were compared with their frames.
                _ => Ok(()),
            };
            problem = problem.or(found.err());
        };
        if before.memory.for_each_difference(&after.memory, &mut visit).is_none() {
            return Err(NotGeneral::Context);
        }
        match problem {
            Some(problem) => Err(problem),
            None => {
                let places = found.leaves.into_iter().map(|leaf| self.general_place(after, leaf));
                Ok(Changes { places: places.collect::<Result<_, _>>()?, arrays: found.arrays })
            }
        }
    }

    fn is_comparable(&self, before: &State, after: &State) -> Result<(), NotGeneral> {
        let is_plain = |state: &State| {
            state.is_between_instructions()
                && state.outside.is_none()
                && state.called.is_none()
                && state.decided.iter().next().is_none()
                && state.frames().all(|frame| frame.loops.is_empty() && frame.serial == 0)
        };
        if !is_plain(before) || !is_plain(after) || !before.phase_key().eq(after.phase_key()) {
            return Err(NotGeneral::Context);
        }
        // Inputs that are given are others in each round.
        let takes_given = (before.given.is_some() || after.given.is_some())
            && before.inputs.to_vec().len() != after.inputs.to_vec().len();
        if takes_given {
            return Err(NotGeneral::Context);
        }
        if before.memory.reused_slots || after.memory.reused_slots || after.looks_at_addresses {
            return Err(NotGeneral::Addresses);
        }
        Ok(())
    }

    fn changed_registers(&mut self, before: &State, after: &State) -> Result<Vec<Leaf>, NotGeneral> {
        let mut leaves = Vec::new();
        if before.top.depth != after.top.depth {
            return Err(NotGeneral::Context);
        }
        for (one, other) in before.frames().zip(after.frames()) {
            if std::ptr::eq(one, other) {
                break;
            }
            if (one.func, one.pc, one.purpose) != (other.func, other.pc, other.purpose) {
                return Err(NotGeneral::Context);
            }
            let live = self.live_registers(one.func, one.pc);
            let changed = live.iter().filter(|reg| one.regs[reg.index()] != other.regs[reg.index()]);
            leaves.extend(changed.map(|reg| Leaf::Reg { depth: one.depth, reg: reg.index() as u32 }));
            let count = one.allocas.len().max(other.allocas.len());
            for index in 0..count {
                let [old, new] = [one, other].map(|frame| frame.allocas.get(index));
                let is_alive = |state: &State, address: Option<&u64>| {
                    address.is_some_and(|&at| state.memory.object(at).is_some_and(|object| object.base == at))
                };
                if old != new && (is_alive(before, old) || is_alive(after, new)) {
                    return Err(NotGeneral::MovedObject);
                }
            }
        }
        Ok(leaves)
    }

    /// How an object differs, if its contents are not known to be an array that does.
    fn changed_bytes(
        &self,
        [state, other]: [&State; 2],
        [before, after]: [&Object; 2],
        is_known: bool,
        found: &mut ChangedLeaves,
    ) -> Result<(), NotGeneral> {
        let facts = |object: &Object| (object.base, object.size, object.size_term, object.read_only);
        if facts(before) != facts(after) {
            return Err(NotGeneral::MovedObject);
        }
        if is_known {
            // Something in the place of the cells that a fact may speak of would have no index.
            return if after.contents.cells().is_some() { Ok(()) } else { Err(NotGeneral::Array) };
        }
        let mut ranges = Vec::new();
        before.contents.for_each_difference(&after.contents, |first, len| ranges.push((first, first + len)));
        if ranges.is_empty() {
            return Ok(());
        }
        let object = name_object(state, before.base).ok_or(NotGeneral::MovedObject)?;
        if before.contents.is_backed() || after.contents.is_backed() || before.size_term.is_some() {
            let widths = [state, other].map(|state| self.width_of_cells(state, before.base));
            let width = widths[1].or(widths[0]);
            found.arrays.push(ChangedArray { object, width });
            return Ok(());
        }
        for (mut at, end) in ranges {
            while at < end {
                let (first, len) = self.piece_around(state, before, after, at)?;
                if (first..first + len).any(|at| before.contents.byte(at) != after.contents.byte(at)) {
                    found.leaves.push(Leaf::Mem { object, offset: first as u64, len: len as u32 });
                }
                at = first + len;
            }
        }
        Ok(())
    }

    /// The bytes around one that the program seems to treat as one value: where they begin, and how
    /// many they are.
    fn piece_around(
        &self,
        state: &State,
        before: &Object,
        after: &Object,
        at: usize,
    ) -> Result<(usize, usize), NotGeneral> {
        let term_at = |contents: &Contents| match contents.byte(at) {
            Byte::Symbolic(term, number) => {
                let (len, first) = (self.terms.width(term) as usize / 8, at.checked_sub(number as usize)?);
                let is_whole = first + len <= contents.size()
                    && (0..len).all(|k| contents.byte(first + k) == Byte::Symbolic(term, k as u32));
                (len <= 8 && is_whole).then_some((first, len))
            }
            _ => None,
        };
        if [before, after].iter().any(|object| matches!(object.contents.byte(at), Byte::Backed | Byte::Torn(_))) {
            return Err(NotGeneral::Array);
        }
        if let Some(piece) = term_at(&after.contents).or_else(|| term_at(&before.contents)) {
            return Ok(piece);
        }
        let size = before.contents.size();
        if matches!(size, 1 | 2 | 4 | 8) {
            return Ok((0, size));
        }
        let word = state.memory.layout.word() as usize;
        let first = at - at % word;
        let is_address = |object: &Object| {
            first + word <= size
                && object.contents.read_number(first, word).is_some_and(|number| state.memory.is_address(number))
        };
        if is_address(before) || is_address(after) {
            return Ok((first, word));
        }
        let first = at - at % 4;
        Ok(if first + 4 <= size { (first, 4) } else { (at, 1) })
    }

    fn general_place(&mut self, state: &State, leaf: Leaf) -> Result<GeneralPlace, NotGeneral> {
        let width = match leaf {
            Leaf::Reg { depth, reg } => {
                let frame = frame_at(state, depth).ok_or(NotGeneral::NoValue)?;
                self.program().function(frame.func).regs[reg as usize].div_ceil(8) * 8
            }
            Leaf::Mem { len, .. } => 8 * len,
            Leaf::Address { .. } => return Err(NotGeneral::NoValue),
        };
        let base = if self.has_number_at(state, leaf) { None } else { Some(self.pointee_at(state, leaf, width)?) };
        Ok(GeneralPlace { leaf, width, base })
    }

    /// Where the object begins that a pointer leads into.
    fn pointee_at(&mut self, state: &State, leaf: Leaf, width: u32) -> Result<u64, NotGeneral> {
        if width != self.pointer_width() {
            return Err(NotGeneral::Pointer);
        }
        let mut copy = state.clone();
        let pointer = self.leaf_value(&mut copy, leaf, width).ok_or(NotGeneral::NoValue)?;
        let address = self.anchor(state, pointer).ok_or(NotGeneral::Pointer)?;
        match state.memory.find(address) {
            Found::Object(object) if object.size_term.is_none() => Ok(object.base),
            _ => Err(NotGeneral::Pointer),
        }
    }

    /// What a state has at a place that is general elsewhere: a number, or how far from the
    /// beginning of its object a pointer is.
    pub fn general_value(&mut self, state: &State, place: &GeneralPlace) -> Result<Term, NotGeneral> {
        let mut copy = state.clone();
        let held = self.leaf_value(&mut copy, place.leaf, place.width).ok_or(NotGeneral::NoValue)?;
        match place.base {
            None if self.has_number_at(state, place.leaf) => Ok(held),
            None => Err(NotGeneral::Pointer),
            Some(base) if self.pointee_at(state, place.leaf, place.width)? == base => {
                let base = self.terms.constant(base, place.width);
                Ok(self.terms.sub(held, base))
            }
            Some(_) => Err(NotGeneral::Pointer),
        }
    }

    /// The size of the object that a general pointer leads into.
    pub fn pointee_size(&self, state: &State, place: &GeneralPlace) -> Option<u64> {
        state.memory.object(place.base?).map(|object| object.size)
    }

    /// Puts a value at a place: a number, or how far a pointer is from the beginning of its object.
    pub fn put_general_value(
        &mut self,
        state: &mut State,
        place: &GeneralPlace,
        value: Term,
    ) -> Result<(), NotGeneral> {
        let held = match place.base {
            Some(base) => {
                let base = self.terms.constant(base, place.width);
                self.terms.add(base, value)
            }
            None => value,
        };
        match place.leaf {
            Leaf::Reg { depth, reg } => {
                let func = frame_at(state, depth).ok_or(NotGeneral::NoValue)?.func;
                let width = self.program().function(func).regs[reg as usize];
                let held = self.terms.extract(held, 0, width);
                let value = Value::of(&self.terms, held);
                let frame = state.top.frame_mut(depth).ok_or(NotGeneral::NoValue)?;
                frame.regs[reg as usize] = value;
            }
            Leaf::Mem { object, offset, len } => {
                let base = resolve_name(state, object).ok_or(NotGeneral::NoValue)?;
                let found = state.memory.object(base).ok_or(NotGeneral::NoValue)?;
                let fits = offset.checked_add(len.into()).is_some_and(|end| end <= found.size);
                if found.base != base || found.size_term.is_some() || found.read_only || !fits {
                    return Err(NotGeneral::NoValue);
                }
                let held_number = self.terms.as_u64(held);
                let contents = &mut state.memory.object_mut(base).ok_or(NotGeneral::NoValue)?.contents;
                for k in 0..len {
                    let byte = match held_number {
                        Some(number) => Byte::Concrete((number >> (8 * k)) as u8),
                        None => Byte::Symbolic(held, k),
                    };
                    contents.set_byte((offset + u64::from(k)) as usize, byte);
                }
            }
            Leaf::Address { .. } => return Err(NotGeneral::NoValue),
        }
        Ok(())
    }

    /// A variable that stands for any value.
    pub fn general_variable(&mut self, name: &str, width: u32) -> Term {
        let info = SymbolInfo {
            kind: SymbolKind::Unknown,
            name: name.into(),
            occurrence: 0,
            size: width.div_ceil(8),
            shape: SymbolShape::Scalar,
        };
        let symbol = self.terms.symbol(info);
        self.has_unknowns = true;
        self.terms.var(symbol, 0)
    }

    /// Assumes conditions that the inputs of `model` satisfy, as they do the path condition.
    pub fn assume_all(&mut self, state: &mut State, conditions: &[Term], model: Rc<Model>) {
        conditions.iter().for_each(|&condition| state.assume(&self.terms, condition, Some(model.clone())));
        state.model = Some(model);
    }

    /// Can all be told of what a part of a function does from registers and memory alone? That is so
    /// if nothing in it, nor in what that calls, prints or is a library's.
    pub fn is_quiet(&self, func: FuncId, is_part: impl Fn(BlockId) -> bool) -> bool {
        let program = self.program();
        let mut seen: FxHashSet<FuncId> = FxHashSet::default();
        let mut open: Vec<FuncId> = Vec::new();
        let mut calls_quietly = |function: &Function, inst: Inst, open: &mut Vec<FuncId>| match inst {
            Inst::Call { call } => match function.call(call).callee {
                Callee::Direct(callee) => {
                    if seen.insert(callee) {
                        open.push(callee);
                    }
                    true
                }
                Callee::Indirect(_) => false,
            },
            _ => true,
        };
        let own = program.function(func);
        let parts = (0..own.blocks.len()).map(BlockId::new).filter(|&block| is_part(block));
        for block in parts.map(|block| own.block(block)) {
            let code = &own.code[block.start as usize..block.end as usize];
            if !code.iter().all(|&inst| calls_quietly(own, inst, &mut open)) {
                return false;
            }
        }
        while let Some(callee) = open.pop() {
            let function = program.function(callee);
            if function.is_runtime || function.is_declaration() {
                return false;
            }
            if !function.code.iter().all(|&inst| calls_quietly(function, inst, &mut open)) {
                return false;
            }
        }
        true
    }

    /// So many instructions were done in one step.
    pub fn note_skipped(&mut self, state: &mut State, instructions: u64) {
        state.instructions += instructions;
    }

    /// The variables of inputs and unknowns that a path met between two of its states.
    pub fn symbols_since(&self, before: &State, after: &State) -> FxHashSet<Symbol> {
        let known = self.symbols_of(before);
        let mut symbols = self.symbols_of(after);
        symbols.retain(|symbol| !known.contains(symbol));
        symbols
    }

    /// The inputs that a path has made.
    pub fn symbols_of(&self, state: &State) -> FxHashSet<Symbol> {
        state.inputs.to_vec().iter().map(|input| input.symbol).collect()
    }

    /// Is it known that no inputs follow a path? What is assumed of arrays may exclude them.
    pub fn is_infeasible(&mut self, state: &State) -> bool {
        state.model.is_none() && matches!(self.solver.model(&mut self.terms, &state.path), Answer::Unsat(_))
    }

    /// Was an unknown value met between two states of a path, and not before?
    pub fn is_unknown_since(&self, before: &State, info: &SymbolInfo) -> bool {
        info.kind == SymbolKind::Unknown && &*info.name == "unknown" && info.occurrence >= before.unknowns
    }

    /// The block that a frame of a state is in; of a caller, the one of its call.
    pub fn block_of(&self, state: &State, depth: u32) -> Option<BlockId> {
        let frame = frame_at(state, depth)?;
        let pc = if depth == state.top.depth { frame.pc } else { frame.pc.checked_sub(1)? };
        self.program().function(frame.func).block_at(pc)
    }
}
