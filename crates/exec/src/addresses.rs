//! What depends on where objects lie, which differs from run to run: paths that do say so.
//!
//! C defines the order and the distance of addresses within one object, and equality of any two, except that one past an object may be where
//! another begins, that literals may overlap, and that a dead object's place may be used again.

use crate::Executor;
use crate::memory::{Found, Object, Origin, has_prefix_of_addresses, prefixes_of_addresses};
use crate::state::State;
use crate::value::Value;
use espalier_base::fidelity::Topic;
use espalier_expr::{ArrayByte, ArrayId, Op, Term};
use espalier_ir::PairQuestion;
use espalier_solver::Feasible;
use rustc_hash::FxHashSet;

/// What `malloc` promises.
const HEAP_ALIGN: u64 = 16;

/// No object is below this number.
const FIRST_PAGE: u64 = 4096;

/// Numbers that were in memory are looked at if they have so many bits; see `Inst::MaybeAddress`.
const NUMBERS_WITH_ADDRESSES: u32 = 64;

/// So many places of a pointer are looked at.
const MOST_PLACES: usize = 16;

impl Executor {
    /// Two addresses are compared or subtracted.
    pub(crate) fn compare_pointers(&mut self, state: &mut State, a: Value, b: Value, asks: PairQuestion) {
        if self.is_replaying() {
            return self.replay_comparison(state, a, b, asks);
        }
        let is_defined = match (self.places_of(state, a), self.places_of(state, b)) {
            (Some(xs), Some(ys)) => xs.iter().all(|&x| {
                ys.iter().all(|&y| {
                    self.is_defined(state, x, y, asks)
                        && (asks != PairQuestion::Equality || !self.can_meet(state, (a, x), (b, y)))
                })
            }),
            _ => false,
        };
        if !is_defined && !self.are_together(state, a, b) {
            self.note_fixed(state, Topic::Addresses);
        }
    }

    /// "Both are in one slot."
    fn in_one_slot(&mut self, state: &State, a: Value, b: Value) -> Term {
        let width = self.pointer_width();
        let (a, b) = (a.term(&mut self.terms, width), b.term(&mut self.terms, width));
        let different = self.terms.xor(a, b);
        let slot = self.terms.constant(1 << state.memory.layout.slot_bits, width);
        self.terms.ult(different, slot)
    }

    /// Are both in one object on all inputs of the path?
    fn are_together(&mut self, state: &State, a: Value, b: Value) -> bool {
        let same = self.in_one_slot(state, a, b);
        !self.terms.is_const(same) && matches!(self.sides(state, same), (Feasible::Yes(_), Feasible::No(_)))
    }

    /// Can one pointer be where its object ends, and the other where another object begins? Each is given with an address in its object.
    fn can_meet(&mut self, state: &State, a: (Value, u64), b: (Value, u64)) -> bool {
        let Some(meet) = self.meet(state, a, b) else { return false };
        match self.terms.as_u64(meet) {
            Some(meet) => meet == 1,
            None => !matches!(self.sides(state, meet).0, Feasible::No(_)),
        }
    }

    /// "One is where its object ends, and the other where another object begins."
    fn meet(&mut self, state: &State, (a, x): (Value, u64), (b, y): (Value, u64)) -> Option<Term> {
        let (Found::Object(x), Found::Object(y)) = (state.memory.find(x), state.memory.find(y)) else { return None };
        if x.base == y.base {
            return None;
        }
        let width = self.pointer_width();
        let (a, b) = (a.term(&mut self.terms, width), b.term(&mut self.terms, width));
        let mut follows = |end: Term, x: &Object, begin: Term, y: &Object| {
            if matches!(x.origin, Origin::Function(_)) {
                return self.terms.fals();
            }
            let [x_base, y_base] = [x.base, y.base].map(|base| self.address_term(state, base, width));
            let size = x.size_term.unwrap_or_else(|| self.terms.constant(x.size, width));
            let x_end = self.terms.add(x_base, size);
            let (ends, begins) = (self.terms.eq(end, x_end), self.terms.eq(begin, y_base));
            self.terms.and(ends, begins)
        };
        let (one, other) = (follows(a, x, b, y), follows(b, y, a, x));
        Some(self.terms.or(one, other))
    }

    /// Another state must compare within one object, too, or what is alive as well.
    fn replay_comparison(&mut self, state: &State, a: Value, b: Value, asks: PairQuestion) {
        let same = self.in_one_slot(state, a, b);
        if self.replay_value(same) == Some(1) {
            self.replay_guard(same);
        } else if asks == PairQuestion::Equality {
            self.replay_place(state, a);
            self.replay_place(state, b);
            let width = self.pointer_width();
            let (x, y) = (a.term(&mut self.terms, width), b.term(&mut self.terms, width));
            if let Some(x) = self.replay_value(x)
                && let Some(y) = self.replay_value(y)
                && let Some(meet) = self.meet(state, (a, x), (b, y))
            {
                let is_apart = self.terms.not(meet);
                self.replay_guard(is_apart);
            }
        }
    }

    /// Another state's pointer must lead to the same object, which is alive.
    fn replay_place(&mut self, state: &State, pointer: Value) {
        let width = self.pointer_width();
        let term = pointer.term(&mut self.terms, width);
        let Some(number) = self.replay_value(term) else {
            return self.replay_fail("a pointer without a value");
        };
        if number != 0
            && let Found::Object(object) = state.memory.find(number)
        {
            let base = object.base;
            let there = self.address_term(state, base, width);
            let there = Value::of(&self.terms, there);
            let same = self.in_one_slot(state, pointer, there);
            self.replay_guard(same);
            self.replay_touch(state, base);
        } else {
            let number = self.terms.constant(number, width);
            let same = self.terms.eq(term, number);
            self.replay_guard(same);
        }
    }

    /// The number that an address is is looked at; `mask` are the bits that count, or 0.
    pub(crate) fn look_at_address(&mut self, state: &mut State, pointer: Value, mask: u32) {
        if self.is_replaying() {
            return self.replay_place(state, pointer);
        }
        let places = self.places_of(state, pointer);
        let is_promised = |address: &u64| match state.memory.find(*address) {
            Found::Object(object) => mask != 0 && u64::from(mask) < self.alignment(object),
            _ => *address == 0,
        };
        if !places.is_some_and(|places| places.iter().all(is_promised)) {
            self.note_fixed(state, Topic::Addresses);
        }
    }

    /// A number that was in memory is looked at; a pointer may have been stored there.
    pub(crate) fn look_at_loaded(&mut self, state: &mut State, number: Value, other: Option<Value>) {
        let is_about_address = match self.is_replaying() {
            true => self.replay_loaded(state, number),
            false => match self.places_of(state, number) {
                Some(places) => places.iter().any(|&place| is_address(state, place)),
                None => number.as_term().is_some_and(|term| self.holds_address(state, term)),
            },
        };
        match other {
            _ if !is_about_address => {}
            // No object is there.
            Some(other) if other.as_concrete().is_some_and(|other| other < FIRST_PAGE) => {}
            Some(other) => self.compare_pointers(state, number, other, PairQuestion::Order),
            None => self.note_fixed(state, Topic::Addresses),
        }
    }

    /// Was a number that was in memory an address? If not, and it was no input, another state must have none there either.
    fn replay_loaded(&mut self, state: &State, number: Value) -> bool {
        let term = number.term(&mut self.terms, NUMBERS_WITH_ADDRESSES);
        let Some(value) = self.replay_value(term) else { return false };
        let original = self.original_of(term);
        if self.terms.is_const(original) && !has_prefix_of_addresses(value) {
            let (lowest, len) = prefixes_of_addresses();
            let (lowest, len) = (self.terms.constant(lowest, 64), self.terms.constant(len, 64));
            let above = self.terms.sub(term, lowest);
            let is_none = self.terms.ule(len, above);
            self.replay_guard(is_none);
        }
        is_address(state, value)
    }

    /// Is an address among the numbers that a term is put together from, or in an array that it reads?
    fn holds_address(&self, state: &State, term: Term) -> bool {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut arrays: FxHashSet<ArrayId> = FxHashSet::default();
        let mut work = vec![term];
        while let Some(term) = work.pop() {
            let node = self.terms.node(term);
            let is_found = match node.op {
                _ if !seen.insert(term) => false,
                Op::Const => self.terms.as_u64(term).is_some_and(|number| is_address(state, number)),
                Op::Read => arrays.insert(node.array()) && self.has_address_in(state, node.array()),
                Op::Ite | Op::Concat | Op::Extract | Op::Add => {
                    work.extend(node.args());
                    false
                }
                _ => false,
            };
            if is_found {
                return true;
            }
        }
        false
    }

    /// Is an address among the bytes that an array began with?
    fn has_address_in(&self, state: &State, array: ArrayId) -> bool {
        let mut latest = 0u64;
        self.terms.array_bytes(self.terms.array_base_of(array)).any(|(_, byte)| {
            let byte = if let ArrayByte::Concrete(byte) = byte { byte } else { 0 };
            latest = latest >> 8 | u64::from(byte) << 56;
            is_address(state, latest)
        })
    }

    /// What the program can rely on.
    fn alignment(&self, object: &Object) -> u64 {
        match object.origin {
            Origin::Global(global) => self.program().global(global).align,
            Origin::Stack(function, site) => self.program().function(function).alloca(site).align,
            Origin::Heap(_) => HEAP_ALIGN,
            _ => 1,
        }
    }

    /// Addresses in the objects that a pointer can be in; `None` if they cannot be told.
    fn places_of(&mut self, state: &State, pointer: Value) -> Option<Vec<u64>> {
        let Some(term) = pointer.as_term() else { return Some(vec![pointer.bits()]) };
        let mut places = Vec::new();
        let mut work: Vec<Term> = vec![term];
        while let Some(term) = work.pop() {
            let node = *self.terms.node(term);
            if node.op == Op::Ite {
                work.extend([node.arg(1), node.arg(2)]);
            } else {
                places.push(self.anchor(state, term)?);
            }
            if places.len() + work.len() > MOST_PLACES {
                return None;
            }
        }
        Some(places)
    }

    fn is_defined(&self, state: &State, a: u64, b: u64, asks: PairQuestion) -> bool {
        if a == 0 || b == 0 {
            return asks != PairQuestion::Order || a == b;
        }
        match (state.memory.find(a), state.memory.find(b)) {
            (Found::Object(x), Found::Object(y)) if x.base == y.base => true,
            (Found::Object(x), Found::Object(y)) => {
                asks == PairQuestion::Equality && !(self.is_literal(x) && self.is_literal(y))
            }
            // Numbers that are no addresses, such as (void *)-1.
            (Found::Nothing, _) | (_, Found::Nothing) => asks == PairQuestion::Equality,
            (Found::Dead(_), _) | (_, Found::Dead(_)) => {
                !state.memory.reused_slots && state.memory.layout.split(a).0 == state.memory.layout.split(b).0
            }
        }
    }

    /// Is it a string literal, which others may share a place with?
    fn is_literal(&self, object: &Object) -> bool {
        match object.origin {
            Origin::Global(global) => object.read_only && self.program().global(global).name.starts_with(".str"),
            _ => false,
        }
    }
}

/// Is there an object, or was there one?
fn is_address(state: &State, number: u64) -> bool {
    !matches!(state.memory.find(number), Found::Nothing)
}
