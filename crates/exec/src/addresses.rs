//! What depends on where objects lie, which differs from run to run: paths that do say so.
//!
//! C defines the order and the distance of addresses within one object, and equality of any two, except that one past an object may be where
//! another begins, that literals may overlap, and that a dead object's place may be used again.

use crate::Executor;
use crate::memory::{Found, Object, Origin};
use crate::state::State;
use crate::value::Value;
use espalier_base::fidelity::Topic;
use espalier_expr::{Op, Term};
use espalier_ir::PairQuestion;
use espalier_solver::Feasible;

/// What `malloc` promises.
const HEAP_ALIGN: u64 = 16;

/// So many places of a pointer are looked at.
const MOST_PLACES: usize = 16;

impl Executor {
    /// Two addresses are compared or subtracted.
    pub(crate) fn compare_pointers(&mut self, state: &mut State, a: Value, b: Value, asks: PairQuestion) {
        if self.is_replaying() {
            return self.replay_comparison(state, a, b, asks);
        }
        let is_defined = match (self.places_of(state, a), self.places_of(state, b)) {
            (Some(xs), Some(ys)) => xs.iter().all(|&x| ys.iter().all(|&y| self.is_defined(state, x, y, asks))),
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

    /// Another state must compare within one object, too, or what is alive as well.
    fn replay_comparison(&mut self, state: &State, a: Value, b: Value, asks: PairQuestion) {
        let same = self.in_one_slot(state, a, b);
        if self.replay_value(same) == Some(1) {
            self.replay_guard(same);
        } else if asks == PairQuestion::Equality {
            self.replay_place(state, a);
            self.replay_place(state, b);
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
        if self.is_replaying() {
            return;
        }
        let places = self.places_of(state, number).unwrap_or_default();
        if places.iter().all(|&place| matches!(state.memory.find(place), Found::Nothing)) {
            return;
        }
        match other {
            Some(other) => self.compare_pointers(state, number, other, PairQuestion::Order),
            None => self.note_fixed(state, Topic::Addresses),
        }
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
                let ends = |a: u64, x: &Object| a == x.base + x.size && !matches!(x.origin, Origin::Function(_));
                let meets = |a: u64, x: &Object, b: u64, y: &Object| ends(a, x) && b == y.base;
                let may_meet = meets(a, x, b, y) || meets(b, y, a, x) || self.is_literal(x) && self.is_literal(y);
                asks == PairQuestion::Equality && !may_meet
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
