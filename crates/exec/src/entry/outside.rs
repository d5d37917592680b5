//! Memory that a function finds when it is called, and of which nothing is known: for proofs that
//! hold whoever calls it.
//!
//! What is made up behind pointers (`models::lazy`) has a shape, and no two pointers lead to the
//! same: that finds paths, and proves nothing. A state that begins *opaque* makes nothing up. Where
//! a pointer is based on no object of the path, the access goes to a *view*: an object that stands
//! for what lies around the address, whatever that is. What was never read there holds any value,
//! and the same value when it is read again.
//!
//! Two pointers may lead to the same memory, to a global, or to an object of the path whose address
//! was stored where callers' pointers may find it. So a write through one pointer makes all other
//! views and all globals unknown again, and a write to a global all views; and once an address of an
//! object of the path has got out, a write through a pointer from outside proves nothing any more.
//! Each of these steps only adds behaviours.
//!
//! An access fails if the pointer is null, which is told apart; that nothing else near zero is passed
//! as a pointer is stated where it matters. Whether it fails otherwise, nobody knows: targets
//! that want such an error there are *doubted*, and closed by no function.

use crate::entry::EntryRule;
use crate::interpreter::access::{Access, Mode, Place};
use crate::interpreter::fork::Alternatives;
use crate::interpreter::image::LoadError;
use crate::interpreter::machine::{Interpreter, Machine};
use crate::interpreter::value::Value;
use crate::learning::NoInterpolant;
use crate::memory::object::Byte;
use crate::memory::{Found, Origin, may_be_highest};
use crate::paths::approximation::{Cause, Direction};
use crate::paths::fault::FIRST_PAGE;
use crate::paths::state::State;
use crate::{End, Executor};
use espalier_base::FaultKind;
use espalier_expr::{Op, SymbolShape, Term};
use espalier_ir::FuncId;
use std::rc::Rc;

/// How far behind and before the pointer a view goes.
const REACH: u64 = 1 << 15;

/// What a path that began opaque knows of memory from outside.
#[derive(Clone, Default, Debug)]
pub(crate) struct OutsideMemory {
    views: Vec<View>,
    /// Is the address of an object of the path where pointers from outside may lead?
    has_escaped: bool,
}

impl OutsideMemory {
    pub(crate) fn has_views(&self) -> bool {
        !self.views.is_empty()
    }
}

/// What lies around an address.
#[derive(Copy, Clone, Debug)]
struct View {
    pointer: Term,
    /// The object that stands for it; the pointer leads to its middle.
    base: u64,
}

impl<M: Machine> Interpreter<'_, M> {
    /// A state at a function's entry in which parameters, globals, and what pointers lead to may be
    /// anything.
    pub(crate) fn opaque_state(&mut self, function: FuncId) -> Result<State, LoadError> {
        let mut state = self.initial_state(function)?;
        state.outside = Some(Rc::default());
        for &global in &self.globals_at_entries().all {
            if self.options.forgotten != Some(EntryRule::Globals) || !self.program().global(global).is_scalar {
                forget(&mut state, self.image.global_address(global));
            }
        }
        for (index, param) in self.program().function(function).params.clone().iter().enumerate() {
            if let (Some(_), Some(copy)) = (param.by_value, state.top.regs[index].as_concrete()) {
                forget(&mut state, copy);
                continue;
            }
            let symbol = self.unknown_symbol(&mut state, param.width.div_ceil(8), SymbolShape::Scalar);
            let held = self.terms.var(symbol, 0);
            let held = self.terms.extract(held, 0, param.width);
            state.top.regs[index] = Value::of(&self.terms, held);
        }
        Ok(state)
    }

    /// An access through a pointer that is based on no object of the path.
    pub(crate) fn access_outside(
        &mut self,
        state: Box<State>,
        pointer: Term,
        access: Access,
        out: &mut Alternatives,
        action: &mut impl FnMut(&mut Interpreter<'_, M>, &mut State, Place),
    ) {
        let (base, offset) = self.pointer_and_offset(pointer);
        let is_near = offset.unsigned_abs().saturating_add(access.len) < REACH;
        if !is_near || self.may_mention_address(base) {
            M::refuses(self, NoInterpolant::PointerWithoutBase);
            out.ended(state, End::Silent);
            return;
        }
        let width = self.pointer_width();
        let [zero, first_page] = [0, FIRST_PAGE].map(|number| self.terms.constant(number, width));
        let is_small = self.terms.ult(base, first_page);
        let (mut small, other) = self.split_on(state, is_small, out);
        if self.options.forgotten == Some(EntryRule::Nulls) {
            small = None;
        }
        if let Some(state) = small {
            let is_null = self.terms.eq(base, zero);
            let (null, _) = self.split_on(state, is_null, out);
            if let Some(state) = null {
                let end = self.fault(&state, pointer, access);
                out.ended(state, end);
            }
        }
        let Some(mut state) = other else { return };
        if !self.targets_wanting(&state, &[FaultKind::Null]).is_empty() {
            state.note_approximation(Direction::Given, Cause::SmallPointers);
        }
        self.doubt_access(&state, access);
        let Some(view) = self.view(&mut state, base) else {
            M::refuses(self, NoInterpolant::PointerWithoutBase);
            out.ended(state, End::Silent);
            return;
        };
        let place = Place::new(view, Value::concrete(REACH.wrapping_add_signed(offset)));
        action(self, &mut state, place);
        if access.mode == Mode::Write {
            self.written(&mut state, place, access);
        }
        out.goes_on(state);
    }

    /// Bytes of an object were written: what is known of memory that may be the same is forgotten.
    #[inline(always)]
    pub(crate) fn written(&mut self, state: &mut State, place: Place, access: Access) {
        if state.outside.is_some() {
            self.forget_aliases(state, place, access);
        }
    }

    fn forget_aliases(&mut self, state: &mut State, place: Place, access: Access) {
        let Some(outside) = state.outside.clone() else { return };
        let is_view = outside.views.iter().any(|view| view.base == place.base);
        let global = match state.memory.object(place.base).map(|object| object.origin) {
            Some(Origin::Global(global)) => Some(global),
            _ => None,
        };
        let follows = |rule| self.options.forgotten != Some(rule);
        let (aliases, escapes) = (follows(EntryRule::Aliases), follows(EntryRule::Escapes));
        let is_exposed = global.is_some_and(|global| self.globals_at_entries().exposed.contains(&global));
        if aliases && (is_view || outside.has_escaped || is_exposed) {
            let others = outside.views.iter().filter(|view| view.base != place.base);
            others.for_each(|view| forget(state, view.base));
        }
        if is_view {
            if aliases {
                self.forget_globals(state);
            }
            if outside.has_escaped && escapes {
                M::refuses(self, NoInterpolant::PointerWithoutBase);
            }
        }
        let is_outside = is_view || is_exposed;
        if is_outside && !outside.has_escaped && access.may_store_address && self.has_address_in(state, place, access) {
            let outside = state.outside.get_or_insert_default();
            Rc::make_mut(outside).has_escaped = true;
        }
    }

    /// Frees what a pointer from outside leads to. What is dead is not looked at by a path without
    /// an error, so that nothing changes; whether it may be freed, nobody knows. It may be an object
    /// of the path that was given away.
    pub(crate) fn free_outside(&mut self, state: &State) {
        let has_escaped = state.outside.as_ref().is_some_and(|outside| outside.has_escaped);
        if has_escaped && self.options.forgotten != Some(EntryRule::Escapes) {
            M::refuses(self, NoInterpolant::PointerWithoutBase);
        }
        self.doubt(state, &[FaultKind::DoubleFree, FaultKind::InvalidFree, FaultKind::UseAfterFree]);
    }

    /// Is the pointer from outside, as far as the path shows?
    pub(crate) fn is_from_outside(&self, state: &State, pointer: Value) -> bool {
        let Some(term) = pointer.as_term().filter(|_| state.outside.is_some()) else { return false };
        self.anchor(state, term).is_none() && self.terms.op(term) != Op::Ite
    }

    /// An access may go wrong in other ways than by null.
    fn doubt_access(&mut self, state: &State, access: Access) {
        let kinds = [FaultKind::OutOfBounds, FaultKind::UseAfterFree, FaultKind::UseAfterReturn, FaultKind::ReadOnly];
        let count = if access.mode == Mode::Write { 4 } else { 3 };
        self.doubt(state, &kinds[..count]);
    }

    pub(crate) fn doubt(&mut self, state: &State, kinds: &[FaultKind]) {
        let doubted = self.targets_wanting(state, kinds);
        if !doubted.is_empty() {
            M::doubts(self, doubted);
        }
    }

    pub(crate) fn targets_wanting(&self, state: &State, kinds: &[FaultKind]) -> Vec<u32> {
        match self.wants_errors() {
            true => self.targets_that_want_one_of(&self.user_loc(state), kinds),
            false => Vec::new(),
        }
    }

    /// The view around a pointer; `None` if the address space is full.
    fn view(&mut self, state: &mut State, pointer: Term) -> Option<u64> {
        let outside = state.outside.get_or_insert_default();
        if let Some(view) = outside.views.iter().find(|view| view.pointer == pointer) {
            return Some(view.base);
        }
        let base = state.memory.allocate(2 * REACH, 16, Origin::Caller, false).ok()?;
        Rc::make_mut(outside).views.push(View { pointer, base });
        Some(base)
    }

    /// All globals that pointers from outside may lead to hold anything from now on.
    fn forget_globals(&mut self, state: &mut State) {
        for &global in &self.globals_at_entries().exposed {
            forget(state, self.image.global_address(global));
        }
    }

    /// Can what was written there be the address of an object of the path, or a part of one?
    fn has_address_in(&mut self, state: &State, place: Place, access: Access) -> bool {
        let (Some(offset), Some(object)) = (place.offset.as_concrete(), state.memory.object(place.base)) else {
            return true;
        };
        let word = state.memory.layout.word();
        let (first, end) = (offset.saturating_sub(word - 1), offset + access.len);
        let is_object = |number: u64| match state.memory.find(number) {
            Found::Object(object) => !matches!(object.origin, Origin::Global(_) | Origin::Function(_)),
            Found::Dead(_) => true,
            Found::Nothing => false,
        };
        let contents = &object.contents;
        if contents.backing.is_some() {
            return true;
        }
        let words = (first..end).filter(|at| at + word <= object.size);
        if words.filter_map(|at| contents.read_number(at as usize, word as usize)).any(is_object) {
            return true;
        }
        let symbolic = (offset..end).filter_map(|at| match contents.byte(at as usize) {
            Byte::Symbolic(term, _) => Some(term),
            _ => None,
        });
        let mut terms: Vec<Term> = symbolic.collect();
        terms.dedup();
        terms.into_iter().any(|term| self.may_mention_address(term))
    }
}

impl Executor {
    /// The parts of a pointer: what is no number, and the number that is added to it.
    fn pointer_and_offset(&mut self, pointer: Term) -> (Term, i64) {
        let node = *self.terms.node(pointer);
        let number = match node.op {
            Op::Add => node.args().find_map(|arg| self.terms.as_u64(arg)),
            _ => None,
        };
        let Some(number) = number else { return (pointer, 0) };
        let width = self.pointer_width();
        let constant = self.terms.constant(number, width);
        let signed = match width {
            64 => number as i64,
            _ => i64::from(number as u32 as i32),
        };
        (self.terms.sub(pointer, constant), signed)
    }

    /// Could a term have an address of an object in it as a number, or be read at an index among
    /// such?
    pub(crate) fn may_mention_address(&mut self, term: Term) -> bool {
        let width = self.pointer_width();
        let layout = self.image.memory.layout;
        let Executor { terms, mentions_address, .. } = self;
        terms.any_part(term, mentions_address, |terms, part| match (terms.op(part), terms.as_u64(part)) {
            (Op::Read | Op::WideConst, _) => true,
            (Op::Const, Some(number)) if terms.width(part) == width => layout.could_be_address(number),
            (Op::Const, Some(number)) => has_highest_byte(number),
            _ => false,
        })
    }

    /// Could a value that is about to be stored be the address of an object, or the part of one by
    /// which it is known?
    pub(crate) fn may_be_address(&mut self, value: Value) -> bool {
        match value.as_term() {
            Some(term) => self.may_mention_address(term),
            None => has_highest_byte(value.bits()),
        }
    }
}

/// Is one of the bytes what the highest byte of an address is?
fn has_highest_byte(number: u64) -> bool {
    number.to_le_bytes().into_iter().any(may_be_highest)
}

/// An object holds anything from now on.
fn forget(state: &mut State, base: u64) {
    if let Some(object) = state.memory.object_mut(base) {
        object.contents.fill(Byte::Uninit);
    }
}
