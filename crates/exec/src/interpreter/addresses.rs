//! What depends on where objects lie, which differs from run to run: paths that do say so.
//!
//! C defines the order and the distance of addresses within one object, and equality of any two,
//! except that one past an object may be where another begins, that literals may overlap, and that
//! a dead object's place may be used again.

use crate::Executor;
use crate::interpreter::access::Place;
use crate::interpreter::fork::Flow;
use crate::interpreter::machine::{Interpreter, Machine};
use crate::interpreter::value::Value;
use crate::memory::object::{Byte, Contents};
use crate::memory::{Found, Object, Origin};
use crate::models::shims::Arguments;
use crate::paths::journal::Side;
use crate::paths::state::State;
use espalier_base::fidelity::Topic;
use espalier_expr::{ArrayByte, ArrayId, ArrayNode, Op, Term};
use espalier_ir::PairQuestion;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// What `malloc` promises.
const HEAP_ALIGN: u64 = 16;

/// No object is below this number.
const FIRST_PAGE: u64 = 4096;

/// So many places of a pointer are looked at.
const MOST_PLACES: usize = 16;

/// Whether one of so many words is read is asked at once.
const MOST_WORDS: usize = 64;

/// The addresses in an array.
#[derive(Clone)]
pub(crate) struct ArrayAddresses {
    /// Was one stored, at whatever index?
    are_stored: bool,
    /// Where they were before anything was stored, in order.
    at_first: Rc<[u64]>,
}

impl<M: Machine> Interpreter<'_, M> {
    /// Two addresses are compared or subtracted.
    pub(crate) fn compare_pointers(&mut self, state: &mut State, a: Value, b: Value, asks: PairQuestion) {
        if M::compare(self, state, a, b, asks) {
            return;
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

    /// Can one pointer be where its object ends, and the other where another object begins? Each is
    /// given with an address in its object.
    fn can_meet(&mut self, state: &State, a: (Value, u64), b: (Value, u64)) -> bool {
        let Some(meet) = self.meet(state, a, b) else { return false };
        match self.terms.as_u64(meet) {
            Some(meet) => meet == 1,
            None => !matches!(self.sides(state, meet).0, Side::No),
        }
    }

    /// "One is where its object ends, and the other where another object begins."
    pub(crate) fn meet(&mut self, state: &State, (a, x): (Value, u64), (b, y): (Value, u64)) -> Option<Term> {
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
            let [x_base, y_base] = [x.base, y.base].map(|base| M::address(self, state, base, width));
            let size = x.size_term.unwrap_or_else(|| self.terms.constant(x.size, width));
            let x_end = self.terms.add(x_base, size);
            let (ends, begins) = (self.terms.eq(end, x_end), self.terms.eq(begin, y_base));
            self.terms.and(ends, begins)
        };
        let (one, other) = (follows(a, x, b, y), follows(b, y, a, x));
        Some(self.terms.or(one, other))
    }

    /// The number that an address is is looked at; `mask` are the bits that count, or 0.
    pub(crate) fn look_at_address(&mut self, state: &mut State, pointer: Value, mask: u32) {
        if M::look_at_address(self, state, pointer) {
            return;
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

    /// Two numbers are compared or subtracted, of which the first was in memory; a pointer may have
    /// been stored there.
    pub(crate) fn compare_numbers(&mut self, state: &mut State, number: Value, other: Value, asks: PairQuestion) {
        // No object is in the first page.
        let is_small = |number: Value| number.as_concrete().is_some_and(|number| number < FIRST_PAGE);
        let is_about_address = !is_small(number)
            && !is_small(other)
            && (self.is_about_address(state, number) || self.is_about_address(state, other));
        if is_about_address {
            self.compare_pointers(state, number, other, asks);
        }
    }

    /// What was read is looked at as a number.
    pub(crate) fn look_at_read(&mut self, state: &mut State, place: Place, value: Value, width: u32) {
        let word = state.memory.layout.word();
        let is_aligned = place.offset.as_concrete().is_none_or(|offset| (place.base + offset).is_multiple_of(word));
        let is_looked_at = match (u64::from(width) == 8 * word && is_aligned, M::FORKS) {
            // An interpolant speaks of numbers only where states have numbers; see `has_number_at`.
            (_, false) => false,
            (true, true) if place.offset.is_concrete() => self.is_about_address(state, value),
            (true, true) => self.is_part_of_address(state, place, word as usize),
            (false, true) => self.is_part_of_address(state, place, width.div_ceil(8) as usize),
        };
        if is_looked_at {
            self.note_fixed(state, Topic::Addresses);
        }
    }

    /// A copy that tears addresses apart is as good as a look at the parts.
    pub(crate) fn look_at_copied(&mut self, state: &mut State, to: Value, from: Value, count: u64) {
        if !M::FORKS {
            return;
        }
        let word = state.memory.layout.word();
        let Some(address) = from.as_concrete() else {
            if count < word && self.is_at_addresses(state, from) {
                self.note_fixed(state, Topic::Addresses);
            }
            return;
        };
        let Some(object) = state.memory.object(address) else { return };
        let (base, offset) = (object.base, address.wrapping_sub(object.base));
        if offset > object.size || count > object.size - offset {
            return;
        }
        let stays_whole = to.as_concrete().is_some_and(|to| to.wrapping_sub(address).is_multiple_of(word));
        let mut is_torn = |offset: u64, len: u64| {
            let place = Place::new(base, Value::concrete(offset));
            len > 0 && self.is_part_of_address(state, place, len as usize)
        };
        let (head, tail) = ((word - address % word) % word, (address + count) % word);
        let tears = match stays_whole {
            true => is_torn(offset, head.min(count)) || is_torn(offset + count - tail.min(count), tail.min(count)),
            false => is_torn(offset, count),
        };
        if tears {
            self.note_fixed(state, Topic::Addresses);
        }
    }

    /// `len` bytes at a place are about to be overwritten: of an address that is there in part, the
    /// rest is marked as torn, for who looks at it.
    pub(crate) fn tear_addresses(&mut self, state: &mut State, place: Place, len: usize) {
        if !M::FORKS || len == 0 {
            return;
        }
        let word = state.memory.layout.word() as usize;
        let is_packed = self.program().packs_addresses;
        let (stride, first) = match place.offset.as_term() {
            Some(offset) => self.stride(offset),
            None => (0, place.offset.bits()),
        };
        let is_whole = !is_packed && [stride as usize, first as usize, len].iter().all(|at| at.is_multiple_of(word));
        if is_whole {
            return;
        }
        let Some(object) = state.memory.object(place.base) else { return };
        if place.offset.as_term().is_some() || object.contents.backing.is_some() {
            if self.is_part_of_address(state, place, len) {
                self.note_fixed(state, Topic::Addresses);
            }
            return;
        }
        let (first, end) = (first as usize, first as usize + len);
        let (begin, step) = if is_packed { (first.saturating_sub(word - 1), 1) } else { (first - first % word, word) };
        let contents = &object.contents;
        let last = end.min((contents.size() + 1).saturating_sub(word));
        let behind = if is_packed { (end + 1).saturating_sub(word) } else { end - end % word };
        let heads = (begin..first.min(last)).step_by(step);
        let tails = (behind.max(first.next_multiple_of(step))..last).step_by(step);
        let mut is_address = |at: &usize| self.is_address_at(state, contents, *at, contents.read_number(*at, word));
        let torn: Vec<usize> = heads.chain(tails).filter(&mut is_address).collect();
        for at in torn.into_iter().flat_map(|at| at..at + word).filter(|at| !(first..end).contains(at)) {
            let Some(object) = state.memory.object_mut(place.base) else { return };
            match object.contents.byte(at) {
                Byte::Concrete(number) => object.contents.set_byte(at, Byte::Torn(number)),
                _ => self.note_fixed(state, Topic::Addresses),
            }
        }
    }

    /// What is left of an address is read.
    pub(crate) fn look_at_torn(&self, state: &mut State) {
        if M::FORKS {
            self.note_fixed(state, Topic::Addresses);
        }
    }

    /// `int __espalier_compared(int order, const void *a, const void *b, size_t count)`: the bytes
    /// were compared. Equality of addresses in them means what it means for pointers; which of two
    /// different ones has the greater bytes differs from run to run.
    pub(crate) fn look_at_compared(&mut self, state: &mut State, args: &Arguments) -> Flow {
        let [order, a, b, count] = [0, 1, 2, 3].map(|index| args.value(index));
        let blocks = [a, b, count].map(|value| self.number_on_path(value));
        let order = match blocks {
            [Some(a), Some(b), Some(count)] => self.compare_blocks(state, args, [a, b], count),
            _ => {
                if M::FORKS && [a, b].iter().any(|&block| self.is_at_addresses(state, block)) {
                    self.note_fixed(state, Topic::Addresses);
                }
                order
            }
        };
        self.set_result(state, args, order, args.width(0));
        Flow::Next
    }

    /// A number, also if it is one only for the inputs that a path is run again with.
    fn number_on_path(&mut self, value: Value) -> Option<u64> {
        match value.as_term() {
            Some(term) if !M::FORKS => M::look(self, term),
            _ => value.as_concrete(),
        }
    }

    /// Looks at the addresses in two blocks that were compared; what their order is for the
    /// program.
    fn compare_blocks(&mut self, state: &mut State, args: &Arguments, blocks: [u64; 2], count: u64) -> Value {
        let order = args.value(0);
        let word = state.memory.layout.word();
        let [Some(a), Some(b)] =
            blocks.map(|block| state.memory.object(block).map(|object| (object.base, object.size)))
        else {
            return order;
        };
        let offsets = [blocks[0] - a.0, blocks[1] - b.0];
        let count = count.min(a.1.saturating_sub(offsets[0])).min(b.1.saturating_sub(offsets[1]));
        let places = [(a.0, offsets[0]), (b.0, offsets[1])].map(|(base, at)| Place::new(base, Value::concrete(at)));
        let mut is_part = |place| count > 0 && self.is_part_of_address(state, place, count as usize);
        if !is_part(places[0]) && !is_part(places[1]) && M::FORKS {
            return order;
        }
        let is_whole = (blocks[0] | blocks[1] | count).is_multiple_of(word) && !self.program().packs_addresses;
        let (mut differ, mut are_addresses) = (!is_whole, false);
        for at in (0..count).step_by(word as usize).take_while(|_| is_whole) {
            let [x, y] = places.map(|place| {
                let offset = place.offset.bits() + at;
                self.read_place(state, Place::new(place.base, Value::concrete(offset)), 8 * word as u32)
            });
            if self.is_about_address(state, x) || self.is_about_address(state, y) {
                self.compare_pointers(state, x, y, PairQuestion::Equality);
                (differ, are_addresses) = (differ || x != y, true);
            }
        }
        match order.as_concrete() {
            _ if !M::FORKS && !are_addresses => order,
            _ if !M::FORKS => {
                for index in 1..4 {
                    M::used(self, state, args.value(index));
                }
                order
            }
            _ if !differ => order,
            // Terms that differ are equal on this path.
            Some(0) if is_whole => order,
            Some(order) if is_whole => self.unknown_order(order as i32),
            _ => {
                self.note_fixed(state, Topic::Addresses);
                order
            }
        }
    }

    /// Is a number that was in memory an address?
    fn is_about_address(&mut self, state: &State, number: Value) -> bool {
        if M::FORKS {
            return match self.places_of(state, number) {
                Some(places) => places.iter().any(|&place| state.memory.is_address(place)),
                None => number.as_term().is_some_and(|term| self.holds_address(state, term)),
            };
        }
        let width = self.pointer_width();
        let term = number.term(&mut self.terms, width);
        M::look(self, term).is_some_and(|value| state.memory.is_address(value))
    }
}

impl Executor {
    /// "Both are in one slot."
    pub(crate) fn in_one_slot(&mut self, state: &State, a: Value, b: Value) -> Term {
        let width = self.pointer_width();
        let (a, b) = (a.term(&mut self.terms, width), b.term(&mut self.terms, width));
        let different = self.terms.xor(a, b);
        let slot = self.terms.constant(1 << state.memory.layout.slot_bits, width);
        self.terms.ult(different, slot)
    }

    /// Are both in one object on all inputs of the path?
    fn are_together(&mut self, state: &State, a: Value, b: Value) -> bool {
        let same = self.in_one_slot(state, a, b);
        !self.terms.is_const(same) && matches!(self.sides(state, same), (Side::Yes(_), Side::No))
    }

    /// One that is decided on only by who asks for more than equality.
    fn unknown_order(&mut self, order: i32) -> Value {
        let fixed = self.fixed_number(Topic::Addresses, "order", order as u64, false);
        let is_less = self.terms.extract(fixed, 31, 1);
        let (less, greater) = (self.terms.constant(u32::MAX.into(), 32), self.terms.constant(1, 32));
        let order = self.terms.ite(is_less, less, greater);
        Value::of(&self.terms, order)
    }

    /// Does one of the objects that a pointer can be in hold an address?
    fn is_at_addresses(&mut self, state: &State, pointer: Value) -> bool {
        let Some(places) = self.places_of(state, pointer) else { return true };
        places.iter().any(|&place| match state.memory.object(place) {
            Some(object) => {
                let (base, size) = (object.base, object.contents.size());
                self.is_part_of_address(state, Place::new(base, Value::concrete(0)), size)
            }
            None => false,
        })
    }

    /// Is any of `len` bytes at a place a byte of an address?
    pub(crate) fn is_part_of_address(&mut self, state: &State, place: Place, len: usize) -> bool {
        let Some(object) = state.memory.object(place.base) else { return false };
        let (contents, word) = (&object.contents, state.memory.layout.word() as usize);
        let in_array = contents.backing.map(|array| self.addresses_in(state, array));
        let (first, end) = match (place.offset.as_concrete(), place.range) {
            _ if in_array.as_ref().is_some_and(|addresses| addresses.are_stored) => return true,
            (Some(offset), _) => (offset as usize, offset as usize + len),
            (None, Some((low, high))) => (low as usize, (high as usize).saturating_add(len)),
            (None, None) => (0, contents.size()),
        };
        if contents.any_torn(first, end.min(contents.size())) {
            return true;
        }
        let is_packed = self.program().packs_addresses;
        let (begin, step) = if is_packed { (first.saturating_sub(word - 1), 1) } else { (first - first % word, word) };
        let last = end.min((contents.size() + 1).saturating_sub(word));
        let in_array = in_array.iter().flat_map(|addresses| addresses.at_first.iter().map(|&at| at as usize));
        let mut in_array = in_array.filter(|&at| (begin..last).contains(&at) && contents.byte(at) == Byte::Backed);
        let Some(offset) = place.offset.as_term() else {
            return in_array.next().is_some()
                || contents
                    .any_word(word, (begin, last, step), |at, number| self.is_address_at(state, contents, at, number));
        };
        let (stride, remainder) = self.stride(offset);
        let is_in_reach =
            |at: &usize| (*at..at + word + len - 1).any(|end| (end + 1).wrapping_sub(len) as u64 % stride == remainder);
        let mut words: Vec<usize> = in_array.filter(is_in_reach).take(MOST_WORDS + 1).collect();
        contents.any_word(word, (begin, last, step), |at, number| {
            let is_number = number.is_some_and(|number| !state.memory.may_be_address(number));
            if !is_number && is_in_reach(&at) && self.is_address_at(state, contents, at, number) {
                words.push(at);
            }
            words.len() > MOST_WORDS
        });
        words.len() > MOST_WORDS || !words.is_empty() && self.may_overlap(state, offset, len, &words)
    }

    /// Can `len` bytes at an offset overlap one of the words at these?
    fn may_overlap(&mut self, state: &State, offset: Term, len: usize, words: &[usize]) -> bool {
        let (width, word) = (self.pointer_width(), state.memory.layout.word() as usize);
        let mut overlaps = self.terms.fals();
        for &at in words {
            let before = self.terms.constant((len - 1) as u64, width);
            let (at, span) =
                (self.terms.constant(at as u64, width), self.terms.constant((word + len - 1) as u64, width));
            let distance = self.terms.add(offset, before);
            let distance = self.terms.sub(distance, at);
            let is_there = self.terms.ult(distance, span);
            overlaps = self.terms.or(overlaps, is_there);
        }
        match self.terms.as_u64(overlaps) {
            Some(overlaps) => overlaps == 1,
            None => !matches!(self.sides(state, overlaps).0, Side::No),
        }
    }

    /// Is there an address at an offset? The word there is given if it is a number.
    fn is_address_at(&mut self, state: &State, contents: &Contents, at: usize, number: Option<u64>) -> bool {
        if let Some(number) = number {
            return state.memory.may_be_address(number) && state.memory.is_address(number);
        }
        let word = state.memory.layout.word() as usize;
        match contents.byte(at) {
            Byte::Symbolic(term, index) => {
                let is_whole = (0..word).all(|k| contents.byte(at + k) == Byte::Symbolic(term, index + k as u32));
                is_whole && self.holds_address(state, term)
            }
            Byte::Concrete(_) => {
                // It may lie in two pages.
                let bytes = contents.concrete_bytes(at, word).unwrap_or_default();
                let number = bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
                state.memory.is_address(number)
            }
            // What an array has there is looked at as a whole.
            Byte::Backed | Byte::Torn(_) | Byte::Uninit => false,
        }
    }

    /// Is an address among the numbers that a term is put together from, or in an array that it
    /// reads?
    pub(crate) fn holds_address(&mut self, state: &State, term: Term) -> bool {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut arrays: FxHashSet<ArrayId> = FxHashSet::default();
        let mut work = vec![term];
        while let Some(term) = work.pop() {
            let node = *self.terms.node(term);
            let is_found = match node.op {
                _ if !seen.insert(term) => false,
                Op::Const => self.terms.as_u64(term).is_some_and(|number| state.memory.is_address(number)),
                Op::Read => {
                    arrays.insert(node.array()) && {
                        let addresses = self.addresses_in(state, node.array());
                        addresses.are_stored || !addresses.at_first.is_empty()
                    }
                }
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

    /// The addresses among the bytes of an array.
    fn addresses_in(&mut self, state: &State, array: ArrayId) -> ArrayAddresses {
        if let Some(known) = self.arrays_with_addresses.get(&array) {
            return known.clone();
        }
        let unused = 64 - state.memory.layout.pointer_width;
        let is_address = |number: u64| state.memory.may_be_address(number) && state.memory.is_address(number);
        // Words are stored byte by byte, the lowest first. One may have been stored before and
        // after what is known.
        let (mut stored, mut are_stored, mut older) = (0u64, false, array);
        let (mut known, mut bytes_left) = (None, state.memory.layout.word() - 1);
        while let ArrayNode::Store { array: before, value, .. } = *self.terms.array_node(older) {
            stored = stored << 8 | self.terms.as_u64(value).unwrap_or(0);
            are_stored |= is_address(stored << unused >> unused) || self.is_byte_of_address(state, value);
            older = before;
            known = known.or_else(|| self.arrays_with_addresses.get(&older).cloned());
            bytes_left -= u64::from(known.is_some());
            if are_stored && known.is_some() || bytes_left == 0 {
                break;
            }
        }
        let addresses = match known {
            Some(known) => ArrayAddresses { are_stored: are_stored || known.are_stored, ..known },
            None => {
                let terms: Vec<Term> = self.terms.array_terms(self.terms.array_base_of(older)).collect();
                are_stored |= terms.into_iter().any(|byte| self.is_byte_of_address(state, byte));
                let mut latest = 0u64;
                let base = self.terms.array_base_of(older);
                let bytes = self.terms.array_bytes(base).map(|(at, byte)| {
                    let byte = if let ArrayByte::Concrete(byte) = byte { byte } else { 0 };
                    latest = latest >> 8 | u64::from(byte) << 56;
                    (at, latest >> unused)
                });
                let word = state.memory.layout.word();
                let at_first =
                    bytes.filter(|&(_, number)| is_address(number)).map(|(at, _)| (at + 1).wrapping_sub(word));
                ArrayAddresses { are_stored, at_first: at_first.collect() }
            }
        };
        self.arrays_with_addresses.insert(array, addresses.clone());
        addresses
    }

    /// Is a term a byte of one that holds an address?
    fn is_byte_of_address(&mut self, state: &State, byte: Term) -> bool {
        let node = *self.terms.node(byte);
        node.op == Op::Extract && self.holds_address(state, node.arg(0))
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
            // Numbers that no object is at, such as (void *)-1.
            (Found::Nothing, _) => asks == PairQuestion::Equality && self.is_nowhere(a),
            (_, Found::Nothing) => asks == PairQuestion::Equality && self.is_nowhere(b),
            (Found::Dead(_), _) | (_, Found::Dead(_)) => {
                !state.memory.reused_slots && state.memory.layout.split(a).0 == state.memory.layout.split(b).0
            }
        }
    }

    /// Is it a number that no object of a process is at?
    fn is_nowhere(&self, number: u64) -> bool {
        let end = if self.pointer_width() == 64 { 1 << 47 } else { (1 << 32) - FIRST_PAGE };
        !(FIRST_PAGE..end).contains(&number)
    }

    /// Is it a string literal, which others may share a place with?
    fn is_literal(&self, object: &Object) -> bool {
        match object.origin {
            Origin::Global(global) => object.read_only && self.program().global(global).name.starts_with(".str"),
            _ => false,
        }
    }
}
