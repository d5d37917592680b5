//! Reading and writing memory through any pointer.
//!
//! A concrete pointer names its object by its slot. A symbolic one is taken apart first: `ite(c, p,
//! q)` forks on `c`; `constant + offset` belongs to the object that the constant lies in, as in C,
//! where arithmetic never leaves an object: leaving it is the error. Only what has no such form is
//! resolved by asking the solver for one object after the other, up to a limit that is reported.
//!
//! Reads and writes at a symbolic offset are in `symbolic_offset`.

use crate::interpreter::fork::{Alternatives, Flow};
use crate::interpreter::machine::{Interpreter, Machine};
use crate::interpreter::value::{Value, mask};
use crate::learning::NoInterpolant;
use crate::learning::arrays::note_width;
use crate::memory::object::Byte;
use crate::memory::{Found, Object};
use crate::models::lazy::Settled;
use crate::paths::choice::Choice;
use crate::paths::cut::CutReason;
use crate::paths::fault::{Fault, MemoryObject, Use};
use crate::paths::journal::Side;
use crate::paths::message::Message;
use crate::paths::state::State;
use crate::{End, Executor};
use espalier_expr::{Model, Op, SymbolInfo, SymbolKind, SymbolShape, Term};
use espalier_ir::Reg;
use espalier_solver::{Case, Values};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// How many places of addresses an access may be told apart by, and among how many words these are
/// looked for.
const MOST_LINKS: usize = 256;
const MOST_WORDS: u64 = 4096;
/// Arrays of more bytes are told of when they are accessed at symbolic offsets.
const LARGE_ARRAY: u64 = 4096;

/// What an access does.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Mode {
    Read,
    Write,
}

/// An access of so many bytes.
#[derive(Copy, Clone)]
pub(crate) struct Access {
    pub(crate) len: u64,
    pub(crate) mode: Mode,
    /// Is it a write of an address, or a read of what may be one? Where its place is not a number,
    /// each pointer that is read from there later is a question about the whole object. So the
    /// state forks on the place.
    is_link: bool,
    /// Is it a write of what may be an address, or of a block?
    pub(crate) may_store_address: bool,
}

impl Access {
    pub(crate) fn of_block(len: u64, mode: Mode) -> Access {
        Access { len, mode, is_link: false, may_store_address: mode == Mode::Write }
    }
}

/// A place that an access may go to: an object, by its base address, and an offset that is in
/// bounds there.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Place {
    pub base: u64,
    pub offset: Value,
    /// The least and the greatest value of an offset that is not a number, if more is known than
    /// its form says.
    pub range: Option<(u64, u64)>,
}

impl Place {
    pub(crate) fn new(base: u64, offset: Value) -> Place {
        Place { base, offset, range: None }
    }
}

impl<M: Machine> Interpreter<'_, M> {
    /// Loads into `dst`. `looks` is as in [`espalier_ir::Inst::Load`]. The state's `pc` is behind
    /// the instruction already.
    #[inline(never)]
    pub(crate) fn load(&mut self, state: &mut State, dst: Reg, ptr: Value, width: u32, looks: bool) -> Flow {
        let len = width.div_ceil(8) as u64;
        let is_link = !ptr.is_concrete() && self.options.forks_on_links && width == self.pointer_width();
        self.access_by(
            state,
            ptr,
            Access { is_link, ..Access::of_block(len, Mode::Read) },
            &mut |executor, state, place| {
                let value = executor.read_place(state, place, width);
                if looks {
                    executor.look_at_read(state, place, value, width);
                }
                state.top.regs[dst.index()] = value;
            },
        )
    }

    #[inline(never)]
    pub(crate) fn store(&mut self, state: &mut State, value: Value, ptr: Value, width: u32) -> Flow {
        let len = width.div_ceil(8) as u64;
        let is_link = !ptr.is_concrete()
            && self.options.forks_on_links
            && width == self.pointer_width()
            && self.is_address(state, value);
        let may_store_address = state.outside.is_some() && self.may_be_address(value);
        let access = Access { len, mode: Mode::Write, is_link, may_store_address };
        self.access_by(state, ptr, access, &mut |executor, state, place| {
            executor.write_place(state, place, value, width)
        })
    }

    /// Finds the places that `len` bytes at `ptr` may be in and applies `action` to the state at
    /// each; failing accesses become alternatives that ended.
    pub(crate) fn access(
        &mut self,
        state: &mut State,
        ptr: Value,
        len: u64,
        mode: Mode,
        mut action: impl FnMut(&mut Interpreter<'_, M>, &mut State, Place),
    ) -> Flow {
        self.access_by(state, ptr, Access::of_block(len, mode), &mut action)
    }

    fn access_by(
        &mut self,
        state: &mut State,
        ptr: Value,
        access: Access,
        action: &mut impl FnMut(&mut Interpreter<'_, M>, &mut State, Place),
    ) -> Flow {
        let Access { len, mode, .. } = access;
        let ptr = match ptr.as_term() {
            _ if !M::FORKS => M::used(self, state, ptr),
            Some(term) => {
                let term = self.looked_at(state, term);
                Value::of(&self.terms, term)
            }
            None => ptr,
        };
        if let Some(address) = ptr.as_concrete()
            && let Found::Object(object) = state.memory.find(address)
            && object.size_term.is_none()
        {
            let offset = address.wrapping_sub(object.base);
            if offset <= object.size && len <= object.size - offset && !(mode == Mode::Write && object.read_only) {
                let place = Place::new(object.base, Value::concrete(offset));
                M::touch(self, state, place.base);
                action(self, state, place);
                if mode == Mode::Write {
                    self.written(state, place, access);
                }
                return self.unless_cut_short();
            }
        }
        let mut out = Alternatives::default();
        let width = self.pointer_width();
        let pointer = ptr.term(&mut self.terms, width);
        if !ptr.is_concrete() {
            self.stats.symbolic_accesses += 1;
            if self.options.check_uninit && self.depends_on_unwritten(pointer) {
                return Flow::End(self.violation(state, Fault::Uninitialised(Use::Pointer)));
            }
        }
        let mut work = vec![(self.split(state), pointer)];
        while let Some((state, pointer)) = work.pop() {
            self.resolve(state, pointer, access, &mut work, &mut out, action);
        }
        if self.is_cut_short {
            return self.unless_cut_short();
        }
        out.settle(self, state)
    }

    /// Deals with one pointer term: splits it, or decides its object, or enumerates.
    #[allow(clippy::too_many_arguments)]
    fn resolve(
        &mut self,
        state: Box<State>,
        pointer: Term,
        access: Access,
        work: &mut Vec<(Box<State>, Term)>,
        out: &mut Alternatives,
        action: &mut impl FnMut(&mut Interpreter<'_, M>, &mut State, Place),
    ) {
        let pointer = match self.settle(&state, pointer) {
            Settled::Term(pointer) => pointer,
            Settled::Undecided(var) => {
                let decided = self.decide(state, var, out);
                work.extend(decided.into_iter().rev().map(|state| (state, pointer)));
                return;
            }
        };
        let node = *self.terms.node(pointer);
        if node.op == Op::Ite {
            let (held, failed) = self.split_on(state, node.arg(0), out);
            // The work list is a stack: the true side is dealt with first.
            work.extend(failed.map(|state| (state, node.arg(2))));
            work.extend(held.map(|state| (state, node.arg(1))));
            return;
        }
        let anchored = self.anchor(&state, pointer).map(|address| (address, pointer));
        match anchored.or_else(|| M::anchor(self, &state, pointer)) {
            Some((address, pointer)) => self.access_anchored(state, pointer, address, access, out, action),
            None if state.outside.is_some() => self.access_outside(state, pointer, access, out, action),
            None => self.access_enumerated(state, pointer, access, out, action),
        }
    }

    /// `pointer` is based on what lies at `address`.
    #[allow(clippy::too_many_arguments)]
    fn access_anchored(
        &mut self,
        state: Box<State>,
        pointer: Term,
        address: u64,
        access: Access,
        out: &mut Alternatives,
        action: &mut impl FnMut(&mut Interpreter<'_, M>, &mut State, Place),
    ) {
        let Found::Object(object) = state.memory.find(address) else {
            let end = self.fault(&state, pointer, access);
            out.ended(state, end);
            return;
        };
        let object = ObjectFacts::of(object);
        let within = self.in_bounds(pointer, &object, access.len);
        let (held, failed) = self.split_on(state, within, out);
        if let Some(state) = failed {
            let end = self.fault(&state, pointer, access);
            out.ended(state, end);
        }
        if let Some(state) = held {
            self.access_object(state, pointer, object, access, out, action);
        }
    }

    /// The access is in bounds of the object.
    fn access_object(
        &mut self,
        mut state: Box<State>,
        pointer: Term,
        object: ObjectFacts,
        access: Access,
        out: &mut Alternatives,
        action: &mut impl FnMut(&mut Interpreter<'_, M>, &mut State, Place),
    ) {
        if access.mode == Mode::Write && object.read_only {
            let object = state.memory.object(object.base);
            let object = object.map(|object| MemoryObject { origin: object.origin, size: object.size });
            let end = self.violation(&state, Fault::ReadOnly { object });
            out.ended(state, end);
            return;
        }
        M::touch(self, &state, object.base);
        let width = self.pointer_width();
        let base = self.terms.constant(object.base, width);
        let offset = self.terms.sub(pointer, base);
        let mut place = Place::new(object.base, Value::of(&self.terms, offset));
        if !place.offset.is_concrete() {
            if object.size > LARGE_ARRAY {
                self.tell_once(match access.mode {
                    Mode::Read => Message::LargeArrayRead { bytes: object.size },
                    Mode::Write => Message::LargeArrayWritten { bytes: object.size },
                });
            }
            if access.is_link
                && let Some(values) = self.places_of_links(&state, object.base, offset, access)
                && let Some(groups) = self.groups(&state, object.base, access, &values)
            {
                self.access_each(state, Place::new(object.base, place.offset), access, (&values, &groups), out, action);
                return;
            }
            match self.reach(&state, object.base, offset, access.mode) {
                Ok(range) => place.range = range,
                Err(end) => {
                    out.ended(state, end);
                    return;
                }
            }
        }
        action(self, &mut state, place);
        if access.mode == Mode::Write {
            self.written(&mut state, place, access);
        }
        out.goes_on(state);
    }

    /// Forks on the values of an offset that groups of cases have.
    #[allow(clippy::too_many_arguments)]
    fn access_each(
        &mut self,
        state: Box<State>,
        place: Place,
        access: Access,
        (values, groups): (&Values, &[Vec<&Case>]),
        out: &mut Alternatives,
        action: &mut impl FnMut(&mut Interpreter<'_, M>, &mut State, Place),
    ) {
        let width = self.pointer_width();
        let offset = place.offset.term(&mut self.terms, width);
        let mark = state.choices.mark();
        for group in groups {
            let Some(&first) = group.first() else { continue };
            let conditions = match groups {
                [_] => Vec::new(),
                _ => values.conditions(&mut self.terms, offset, group),
            };
            let known = group.iter().find_map(|case| case.inputs.first());
            let feasible = match (&state.model, known) {
                (Some(model), Some(inputs)) if values.is_exact => {
                    let mut model = Model::clone(model);
                    values.vars.iter().zip(inputs).for_each(|(&var, &value)| model.set(var, value));
                    Side::Yes(Some(Rc::new(model)))
                }
                (None, Some(_)) if values.is_exact => Side::Yes(None),
                _ => {
                    let all = self.terms.tru();
                    let all = conditions.iter().fold(all, |all, &condition| self.terms.and(all, condition));
                    self.can_hold(&state, all)
                }
            };
            let mut here = match feasible {
                Side::No => continue,
                _ => self.split(&state),
            };
            here.choices.replace_since(mark, Choice::Value(first.value));
            match feasible {
                Side::Yes(model) => {
                    for condition in conditions {
                        self.assume(&mut here, condition, model.clone());
                    }
                    if values.is_complete {
                        self.fix_registers(&mut here, values, group);
                    }
                    let place = Place::new(place.base, Value::concrete(first.value));
                    action(self, &mut here, place);
                    if access.mode == Mode::Write {
                        self.written(&mut here, place, access);
                    }
                    out.goes_on(here);
                }
                Side::Unknown(reason) => {
                    let end = self.solver_unknown(&here, &reason);
                    conditions.into_iter().for_each(|condition| self.assume(&mut here, condition, None));
                    out.ended(here, end);
                }
                Side::No => {}
            }
        }
    }

    /// "`len` bytes at `pointer` lie in the object".
    fn in_bounds(&mut self, pointer: Term, object: &ObjectFacts, len: u64) -> Term {
        let width = self.pointer_width();
        let base = self.terms.constant(object.base, width);
        let offset = self.terms.sub(pointer, base);
        let len_term = self.terms.constant(len, width);
        match object.size_term {
            None if len > object.size => self.terms.fals(),
            None => {
                let last = self.terms.constant(object.size - len, width);
                self.terms.ule(offset, last)
            }
            Some(size) => {
                let fits = self.terms.ule(len_term, size);
                let last = self.terms.sub(size, len_term);
                let below = self.terms.ule(offset, last);
                self.terms.and(fits, below)
            }
        }
    }

    /// The pointer has no known base: one object after the other, found by models.
    fn access_enumerated(
        &mut self,
        mut rest: Box<State>,
        pointer: Term,
        access: Access,
        out: &mut Alternatives,
        action: &mut impl FnMut(&mut Interpreter<'_, M>, &mut State, Place),
    ) {
        let width = self.pointer_width();
        if M::refuses(self, NoInterpolant::PointerWithoutBase) {
            out.ended(rest, End::Silent);
            return;
        }
        let mark = rest.choices.mark();
        for _ in 0..self.options.max_resolutions {
            let address = match self.value_in(&rest, pointer) {
                Ok(address) => address,
                Err(reason) => {
                    let end = self.solver_unknown(&rest, &reason);
                    rest.choices.replace_since(mark, Choice::Rest);
                    out.ended(rest, end);
                    return;
                }
            };
            let object = match rest.memory.find(address) {
                Found::Object(object) => Some(ObjectFacts::of(object)),
                _ => None,
            };
            let valid = object.and_then(|object| {
                let here = self.terms.constant(address, width);
                let within = self.in_bounds(here, &object, access.len);
                (within != self.terms.fals()).then_some(object)
            });
            match valid {
                Some(object) => {
                    let within = self.in_bounds(pointer, &object, access.len);
                    let (held, failed) = self.split_on(rest, within, out);
                    if let Some(mut state) = held {
                        state.choices.replace_since(mark, Choice::Object(object.base));
                        self.access_object(state, pointer, object, access, out, action);
                    }
                    match failed {
                        Some(state) => rest = state,
                        None => return,
                    }
                }
                None => {
                    // An invalid address: one report stands for all addresses that lie in no
                    // object.
                    let mut bad = self.split(&rest);
                    bad.choices.replace_since(mark, Choice::Nowhere);
                    let here = self.terms.constant(address, width);
                    let exactly = self.terms.eq(pointer, here);
                    let model = bad.model.clone();
                    self.assume(&mut bad, exactly, model);
                    let end = self.fault(&bad, pointer, access);
                    out.ended(bad, end);
                    match self.restrict_to_objects(&rest, pointer, access.len) {
                        Restricted::To(state) => rest = state,
                        Restricted::Nothing => return,
                        Restricted::Unknown(end) => {
                            rest.choices.replace_since(mark, Choice::Rest);
                            out.ended(rest, end);
                            return;
                        }
                    }
                }
            }
        }
        let end = self.limit(&rest, CutReason::Resolutions(self.options.max_resolutions as u64));
        rest.choices.replace_since(mark, Choice::Rest);
        out.ended(rest, end);
    }

    /// The state in which the pointer lies in some live object.
    fn restrict_to_objects(&mut self, state: &State, pointer: Term, len: u64) -> Restricted {
        let mut objects = Vec::new();
        let range = self.terms.unsigned_range(pointer);
        state.memory.for_each_object(|object| {
            if object.size >= len && object.base <= range.1 && object.base + (object.size - len) >= range.0 {
                objects.push(ObjectFacts::of(object));
            }
        });
        let mut somewhere = self.terms.fals();
        for object in objects {
            let within = self.in_bounds(pointer, &object, len);
            somewhere = self.terms.or(somewhere, within);
        }
        match self.can_hold(state, somewhere) {
            Side::Yes(model) => {
                let mut restricted = self.split(state);
                self.assume(&mut restricted, somewhere, model);
                Restricted::To(restricted)
            }
            Side::No => Restricted::Nothing,
            Side::Unknown(reason) => Restricted::Unknown(self.solver_unknown(state, &reason)),
        }
    }

    /// The violation of an access that fails on every input of `state`.
    pub(crate) fn fault(&mut self, state: &State, pointer: Term, access: Access) -> End {
        match self.value_in(state, pointer) {
            Ok(address) => {
                M::fault(self, state, address);
                let mut fault = self.access_fault(state, address, access.len, access.mode);
                if let Fault::Access { is_symbolic, .. } = &mut fault {
                    *is_symbolic = !self.terms.is_const(pointer);
                }
                self.violation(state, fault)
            }
            Err(reason) => self.solver_unknown(state, &reason),
        }
    }

    /// The value of `width` bits at a place.
    pub(crate) fn read_place(&mut self, state: &mut State, place: Place, width: u32) -> Value {
        let len = width.div_ceil(8) as usize;
        let term = match place.offset.as_concrete() {
            _ if has_cells(state, place.base) => self.read_cells(state, place, width),
            Some(offset) => {
                let offset = offset as usize;
                if len <= 8
                    && let Some(object) = state.memory.object(place.base)
                    && let Some(number) = object.contents.read_number(offset, len)
                {
                    return Value::concrete(number & mask(width));
                }
                self.initialise(state, place.base, offset, len);
                let bytes: Vec<Byte> = self.bytes_at(state, place.base, offset, len);
                self.assemble(state, place.base, offset, &bytes)
            }
            None => {
                let pointer_width = self.pointer_width();
                let offset = place.offset.term(&mut self.terms, pointer_width);
                self.read_symbolic(state, place, offset, len)
            }
        };
        let cut = self.terms.extract(term, 0, width);
        let cut = if M::FORKS { self.with_determined(state, cut) } else { cut };
        Value::of(&self.terms, cut)
    }

    /// Gives uninitialised bytes in the range arbitrary values of their own, so that reading twice
    /// gives the same.
    pub(crate) fn initialise(&mut self, state: &mut State, base: u64, offset: usize, len: usize) {
        if M::read(self, state, base, offset, len) {
            return;
        }
        let bytes = self.bytes_at(state, base, offset, len);
        let missing = bytes.iter().filter(|&&byte| byte == Byte::Uninit).count();
        if missing == 0 {
            return;
        }
        let shape =
            if missing == len && matches!(len, 1 | 2 | 4 | 8) { SymbolShape::Scalar } else { SymbolShape::Bytes };
        let symbol = self.unknown_symbol(state, len as u32, shape);
        let vars: Vec<(usize, Term, u32)> = (0..len)
            .filter(|&k| bytes[k] == Byte::Uninit)
            .map(|k| {
                let var = self.terms.var(symbol, k as u32);
                let index = if shape == SymbolShape::Scalar { k as u32 } else { 0 };
                (offset + k, var, index)
            })
            .collect();
        if let Some(object) = state.memory.object_mut(base) {
            for (at, var, index) in vars {
                object.contents.set_byte(at, Byte::Symbolic(var, index));
            }
        }
    }

    /// Puts bytes together, least significant first.
    pub(crate) fn assemble(&mut self, state: &mut State, base: u64, offset: usize, bytes: &[Byte]) -> Term {
        let mut parts: Vec<Term> = Vec::with_capacity(bytes.len());
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                Byte::Symbolic(term, index) => {
                    let mut run = 1;
                    while at + run < bytes.len() && bytes[at + run] == Byte::Symbolic(term, index + run as u32) {
                        run += 1;
                    }
                    parts.push(self.terms.extract(term, 8 * index, 8 * run as u32));
                    at += run;
                }
                Byte::Concrete(value) => {
                    parts.push(self.terms.constant(value as u64, 8));
                    at += 1;
                }
                Byte::Torn(value) => {
                    self.look_at_torn(state);
                    parts.push(self.terms.constant(value as u64, 8));
                    at += 1;
                }
                Byte::Backed => {
                    parts.push(self.backed_byte(state, base, offset + at));
                    at += 1;
                }
                Byte::Uninit => {
                    // `initialise` ran before; a zero keeps this total.
                    parts.push(self.terms.constant(0, 8));
                    at += 1;
                }
            }
        }
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or_else(|| self.terms.constant(0, 8));
        parts.fold(first, |low, high| self.terms.concat(high, low))
    }

    fn backed_byte(&mut self, state: &mut State, base: u64, offset: usize) -> Term {
        match state.memory.object(base).and_then(|object| object.contents.backing) {
            _ if has_cells(state, base) => {
                let place = Place::new(base, Value::concrete(offset as u64));
                self.read_cells(state, place, 8)
            }
            Some(array) => {
                let width = self.pointer_width();
                let index = self.terms.constant(offset as u64, width);
                let array = self.with_fresh_rest(state, array);
                self.terms.read(array, index)
            }
            None => self.terms.constant(0, 8),
        }
    }

    /// Writes the low `width` bits of `value`, padded to bytes.
    pub(crate) fn write_place(&mut self, state: &mut State, place: Place, value: Value, width: u32) {
        let len = width.div_ceil(8);
        self.tear_addresses(state, place, len as usize);
        match place.offset.as_concrete() {
            _ if has_cells(state, place.base) => self.write_cells(state, place, value, width),
            Some(offset) => {
                let bytes = self.value_bytes(value, width);
                if let Some(object) = state.memory.object_mut(place.base) {
                    for (k, byte) in bytes.into_iter().enumerate() {
                        object.contents.set_byte(offset as usize + k, byte);
                    }
                }
            }
            None => {
                let pointer_width = self.pointer_width();
                let offset = place.offset.term(&mut self.terms, pointer_width);
                let term = value.term(&mut self.terms, width);
                let padded = self.terms.zext(term, 8 * len);
                note_width(state, place.base, len);
                let mut array = self.flush(state, place.base);
                for k in 0..len {
                    if self.is_stopped() {
                        break;
                    }
                    let step = self.terms.constant(k as u64, pointer_width);
                    let index = self.terms.add(offset, step);
                    let byte = self.terms.extract(padded, 8 * k, 8);
                    array = self.terms.array_store(array, index, byte);
                }
                if let Some(object) = state.memory.object_mut(place.base) {
                    object.contents.back_with(array);
                }
            }
        }
    }

    /// A value as it lies in memory.
    pub(crate) fn value_bytes(&mut self, value: Value, width: u32) -> Vec<Byte> {
        let len = width.div_ceil(8);
        if let Some(bits) = value.as_concrete() {
            return bits.to_le_bytes()[..len as usize].iter().map(|&byte| Byte::Concrete(byte)).collect();
        }
        let term = value.term(&mut self.terms, width);
        let padded = self.terms.zext(term, 8 * len);
        if let Some(constant) = self.terms.as_bv(padded) {
            let mut bytes = constant.to_big().to_bytes_le();
            bytes.resize(len as usize, 0);
            return bytes.into_iter().map(Byte::Concrete).collect();
        }
        (0..len).map(|k| Byte::Symbolic(padded, k)).collect()
    }
}

impl Executor {
    pub(crate) fn pointer_width(&self) -> u32 {
        self.program().target.pointer_width
    }

    /// The number that a pointer is "based on": itself, or the constant of a sum, if an object is
    /// or was there.
    pub(crate) fn anchor(&self, state: &State, pointer: Term) -> Option<u64> {
        let belongs = |address: u64| !matches!(state.memory.find(address), Found::Nothing);
        if let Some(address) = self.terms.as_u64(pointer) {
            return Some(address);
        }
        let node = self.terms.node(pointer);
        if node.op != Op::Add {
            return None;
        }
        node.args().find_map(|arg| self.terms.as_u64(arg)).filter(|&address| belongs(address))
    }

    /// Is this a number that is an address, or a sum with one?
    fn is_address(&self, state: &State, value: Value) -> bool {
        let anchor = match value.as_term() {
            Some(term) => self.anchor(state, term),
            None => value.as_concrete(),
        };
        anchor.is_some_and(|address| !matches!(state.memory.find(address), Found::Nothing))
    }

    /// The number that a word of an object is.
    fn word_at(&self, state: &State, base: u64, offset: u64, len: u64) -> Option<u64> {
        let contents = &state.memory.object(base)?.contents;
        contents.read_number(usize::try_from(offset).ok()?, len as usize)
    }

    /// Where an access of an address can be, if that can be told: all values of its offset, some of
    /// which may be impossible.
    fn places_of_links(&mut self, state: &State, base: u64, offset: Term, access: Access) -> Option<Values> {
        let object = state.memory.object(base).filter(|object| !object.contents.is_backed())?;
        let (low, high) = self.terms.unsigned_range(offset);
        let high = high.min(object.size.checked_sub(access.len)?);
        let (stride, start) = self.stride(offset);
        let first = low + (start + stride - low % stride) % stride;
        if first > high || (high - first) / stride > MOST_WORDS {
            return None;
        }
        let offsets = (first..=high).step_by(usize::try_from(stride).ok()?);
        let is_link = |at: u64| {
            let word = self.word_at(state, base, at, access.len);
            word.is_some_and(|word| word != 0 && self.is_address(state, Value::concrete(word)))
        };
        if access.mode == Mode::Read && !offsets.clone().any(is_link) {
            return None;
        }
        let mut values = self.values_of(state, offset, MOST_LINKS)?;
        if !values.is_complete {
            if (high - first) / stride >= MOST_LINKS as u64 {
                return None;
            }
            let known: Vec<u64> = values.cases.iter().map(|case| case.value).collect();
            let unknown = offsets.filter(|at| known.binary_search(at).is_err());
            values.cases.extend(unknown.map(|value| Case { value, inputs: Vec::new() }));
            values.cases.sort_unstable_by_key(|case| case.value);
        }
        Some(values)
    }

    /// The cases that are to be told apart: those of a write all, those of a read by what is there.
    fn groups<'a>(&self, state: &State, base: u64, access: Access, values: &'a Values) -> Option<Vec<Vec<&'a Case>>> {
        if access.mode == Mode::Write {
            return Some(values.cases.iter().map(|case| vec![case]).collect());
        }
        let mut groups: FxHashMap<u64, usize> = FxHashMap::default();
        let mut out: Vec<Vec<&Case>> = Vec::new();
        for case in &values.cases {
            let word = self.word_at(state, base, case.value, access.len)?;
            let group = *groups.entry(word).or_insert(out.len());
            if group == out.len() {
                out.push(Vec::new());
            }
            out[group].push(case);
        }
        Some(out)
    }

    pub(crate) fn bytes_at(&self, state: &State, base: u64, offset: usize, len: usize) -> Vec<Byte> {
        match state.memory.object(base) {
            Some(object) => (offset..offset + len).map(|at| object.contents.byte(at)).collect(),
            None => vec![Byte::Concrete(0); len],
        }
    }

    /// A new symbol for something that is not an input.
    pub(crate) fn unknown_symbol(&mut self, state: &mut State, size: u32, shape: SymbolShape) -> espalier_expr::Symbol {
        let info =
            SymbolInfo { kind: SymbolKind::Unknown, name: "unknown".into(), occurrence: state.unknowns, size, shape };
        state.unknowns += 1;
        let symbol = self.terms.symbol(info);
        self.has_unknowns = true;
        symbol
    }
}

fn has_cells(state: &State, base: u64) -> bool {
    state.arrays.is_some() && state.memory.object(base).is_some_and(|object| object.contents.cells().is_some())
}

enum Restricted {
    To(Box<State>),
    Nothing,
    Unknown(End),
}

/// What resolution needs of an object, apart from its state.
#[derive(Copy, Clone)]
struct ObjectFacts {
    base: u64,
    size: u64,
    size_term: Option<Term>,
    read_only: bool,
}

impl ObjectFacts {
    fn of(object: &Object) -> ObjectFacts {
        ObjectFacts { base: object.base, size: object.size, size_term: object.size_term, read_only: object.read_only }
    }
}
