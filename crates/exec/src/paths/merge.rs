//! Paths that become one: `klee_open_merge` and `klee_close_merge`.
//!
//! Between the two calls a path forks as always. Those of its continuations that come to the same
//! close wait for each other there, and two that differ in nothing but values become one: what
//! differs is chosen by the condition that the one path has and the other has not. So the path that
//! goes on stands for exactly what the two stood for.
//!
//! The engine says who waits for whom; here is what the calls and merging do to states.

use crate::Executor;
use crate::interpreter::fork::Flow;
use crate::interpreter::frames::Frame;
use crate::interpreter::machine::{Interpreter, Machine};
use crate::interpreter::value::Value;
use crate::memory::object::Byte;
use crate::memory::{Memory, Object};
use crate::paths::message::Message;
use crate::paths::state::{OpenMerge, State};
use espalier_expr::{Prefix, SymbolShape, Term};
use espalier_solver::Answer;
use std::rc::Rc;

/// Values in memory are looked at in words of so many bytes, the largest ones first.
const WORDS: [usize; 4] = [8, 4, 2, 1];

impl<M: Machine> Interpreter<'_, M> {
    pub(crate) fn open_merge(&mut self, state: &mut State) {
        if !M::IS_RUN || !self.options.merges {
            return;
        }
        self.merges += 1;
        let (merge, loc) = (self.merges, self.user_loc(state));
        let open = OpenMerge { number: merge, opened_at: state.instructions };
        Rc::make_mut(&mut state.open_merges).push(open);
        self.tell(Message::OpenMerge { merge, loc });
    }

    pub(crate) fn close_merge(&mut self, state: &mut State) -> Flow {
        if !M::IS_RUN || !self.options.merges {
            return Flow::Next;
        }
        let loc = self.user_loc(state);
        match Rc::make_mut(&mut state.open_merges).pop() {
            Some(merge) => {
                self.tell(Message::CloseMerge { merge: merge.number, loc });
                Flow::Close(merge)
            }
            None => {
                self.tell(Message::NothingToClose { loc });
                Flow::Next
            }
        }
    }
}

/// A place in memory, with what the merged path has there.
struct Change {
    base: u64,
    offset: usize,
    bytes: Vec<Byte>,
}

impl Executor {
    /// Lets `state` stand for `other` too, if they differ in nothing but values. If not, it is as it
    /// was.
    pub fn merge(&mut self, state: &mut State, other: &State) -> bool {
        if !self.can_be_one(state, other) {
            return false;
        }
        let Some(places) = differing_places(&state.memory, &other.memory) else { return false };
        let (ours, theirs, common) = self.conditions(state, other);
        // On inputs of both, the one's values would hide the other's.
        let both = self.terms.and(ours, theirs);
        if !matches!(self.solver.check(&mut self.terms, &common, both, None), Answer::Unsat(_)) {
            return false;
        }
        let mut changes = Vec::new();
        for (base, offset, len) in places {
            let objects = (state.memory.object(base).cloned(), other.memory.object(base).cloned());
            let (Some(object), Some(others)) = objects else { return false };
            if !self.merge_bytes(state, ours, (&object, &others), (offset, len), &mut changes) {
                return false;
            }
        }
        self.merge_registers(state, other, ours);
        for Change { base, offset, bytes } in changes {
            if let Some(object) = state.memory.object_mut(base) {
                bytes.iter().enumerate().for_each(|(k, &byte)| object.contents.set_byte(offset + k, byte));
            }
        }
        state.memory.take_slots_of(&other.memory);
        let either = self.terms.or(ours, theirs);
        let model = state.model.take();
        let mut path = common;
        path.push(&self.terms, either);
        state.path = path;
        state.model = model;
        // What one of them says of an input, the other need not.
        state.determined = Default::default();
        for preference in other.preferences.iter() {
            if !state.preferences.iter().any(|known| known == preference) {
                state.preferences.push(*preference);
            }
        }
        for approximation in other.approximations.iter() {
            state.note_approximation(approximation.direction, approximation.cause.clone());
        }
        state.unknowns = state.unknowns.max(other.unknowns);
        state.last_serial = state.last_serial.max(other.last_serial);
        state.instructions = state.instructions.max(other.instructions);
        state.covers_new |= other.covers_new;
        state.looks_at_addresses |= other.looks_at_addresses;
        state.record.forget();
        state.journal = None;
        true
    }

    /// Are two states at the same place, with the same callers, inputs and objects?
    fn can_be_one(&self, state: &State, other: &State) -> bool {
        let is_same_frame = |(a, b): (&Frame, &Frame)| {
            (a.func, a.pc, a.purpose, a.depth, a.serial) == (b.func, b.pc, b.purpose, b.depth, b.serial)
                && (&a.allocas, &a.loops) == (&b.allocas, &b.loops)
        };
        let symbols = |state: &State| state.inputs.to_vec().into_iter().map(|input| input.symbol).collect::<Vec<_>>();
        let is_plain = |state: &State| {
            state.outside.is_none()
                && state.arrays.is_none()
                && state.called.is_none()
                && state.scratch.is_none()
                && state.pending_end.is_none()
                && state.given.is_none()
                && !state.phases.exiting
        };
        is_plain(state)
            && is_plain(other)
            && state.no_forking == other.no_forking
            && Rc::ptr_eq(&state.jump_points, &other.jump_points)
            && Rc::ptr_eq(&state.aliases, &other.aliases)
            && state.open_merges == other.open_merges
            && state.top.depth == other.top.depth
            && state.frames().zip(other.frames()).all(is_same_frame)
            && state.decided.iter().eq(other.decided.iter())
            && symbols(state) == symbols(other)
    }

    /// What holds on the one path and on the other behind what they have in common, and that.
    fn conditions(&mut self, state: &State, other: &State) -> (Term, Term, espalier_expr::PathCondition) {
        let prefixes: Vec<Prefix> = state.path.prefixes_since(0).into_iter().map(|(_, prefix)| prefix).collect();
        let common = other.path.common_with(&prefixes);
        let all = |executor: &mut Executor, terms: Vec<Term>| {
            let start = executor.terms.tru();
            terms.into_iter().fold(start, |all, term| executor.terms.and(all, term))
        };
        let ours = all(self, state.path.since(common));
        let theirs = all(self, other.path.since(common));
        let shared = state.path.to_vec().into_iter().take(common).collect::<Vec<Term>>();
        (ours, theirs, espalier_expr::PathCondition::of(&self.terms, &shared))
    }

    fn merge_registers(&mut self, state: &mut State, other: &State, ours: Term) {
        let image = self.image.clone();
        for (theirs, depth) in other.frames().zip((0..=state.top.depth).rev()) {
            let function = image.program().function(theirs.func);
            let Some(frame) = state.top.frame_mut(depth) else { continue };
            for (index, (value, &others)) in frame.regs.iter_mut().zip(&theirs.regs).enumerate() {
                if *value == others {
                    continue;
                }
                let width = function.regs[index];
                let (a, b) = (value.term(&mut self.terms, width), others.term(&mut self.terms, width));
                let merged = self.terms.ite(ours, a, b);
                *value = Value::of(&self.terms, merged);
            }
        }
    }

    /// Says what a range of bytes is on the merged path; `false` if there is no saying.
    fn merge_bytes(
        &mut self,
        state: &mut State,
        ours: Term,
        (object, others): (&Object, &Object),
        (offset, len): (usize, usize),
        changes: &mut Vec<Change>,
    ) -> bool {
        let (mut at, end) = (offset, offset + len);
        while at < end {
            if object.contents.byte(at) == others.contents.byte(at) {
                at += 1;
                continue;
            }
            let size = object.contents.size();
            let word = WORDS.into_iter().find_map(|word| {
                let from = at / word * word;
                let fits = from + word <= size;
                let one = fits.then(|| self.word(&object.contents_bytes(from, word)))??;
                let another = self.word(&others.contents_bytes(from, word))?;
                Some((from, word, one, another))
            });
            let (from, word, one, another) = match word {
                Some(word) => word,
                None => {
                    let one = self.byte_term(state, object.contents.byte(at));
                    let another = self.byte_term(state, others.contents.byte(at));
                    let (Some(one), Some(another)) = (one, another) else { return false };
                    (at, 1, one, another)
                }
            };
            let merged = self.terms.ite(ours, one, another);
            let bytes = (0..word as u32).map(|k| Byte::Symbolic(merged, k)).collect();
            changes.push(Change { base: object.base, offset: from, bytes });
            at = from + word;
        }
        true
    }

    /// The value of a word that is a number, or all of a term.
    fn word(&mut self, bytes: &[Byte]) -> Option<Term> {
        let width = 8 * bytes.len() as u32;
        if let Byte::Symbolic(term, 0) = bytes[0]
            && self.terms.width(term) == width
        {
            let is_whole = bytes.iter().zip(0..).all(|(&byte, k)| byte == Byte::Symbolic(term, k));
            return is_whole.then_some(term);
        }
        let number =
            bytes.iter().rev().try_fold(0_u64, |number, byte| Some(number << 8 | u64::from(byte.as_concrete()?)))?;
        Some(self.terms.constant(number, width))
    }

    /// The value of one byte, which is any where none was written.
    fn byte_term(&mut self, state: &mut State, byte: Byte) -> Option<Term> {
        match byte {
            Byte::Concrete(value) => Some(self.terms.constant(value.into(), 8)),
            Byte::Symbolic(term, index) => Some(self.terms.extract(term, 8 * index, 8)),
            Byte::Uninit if !self.options.check_uninit => {
                let symbol = self.unknown_symbol(state, 1, SymbolShape::Scalar);
                Some(self.terms.var(symbol, 0))
            }
            Byte::Uninit | Byte::Backed | Byte::Torn(_) => None,
        }
    }
}

impl Object {
    fn contents_bytes(&self, from: usize, count: usize) -> Vec<Byte> {
        (from..from + count).map(|at| self.contents.byte(at)).collect()
    }
}

/// The ranges of bytes in which two memories differ, by object; `None` if their objects do.
fn differing_places(memory: &Memory, other: &Memory) -> Option<Vec<(u64, usize, usize)>> {
    if memory.layout.pointer_width == 32 && memory.positions() != other.positions() {
        return None;
    }
    let (mut places, mut is_same) = (Vec::new(), true);
    memory.for_each_difference(other, |objects| {
        let [Some(object), Some(others)] = objects else {
            is_same = false;
            return;
        };
        let facts = |object: &Object| (object.base, object.size, object.size_term, object.origin, object.read_only);
        let is_backed = object.contents.is_backed() || others.contents.is_backed();
        is_same &= facts(object) == facts(others) && (!is_backed || object.contents.backing == others.contents.backing);
        is_same &= object.contents.cells() == others.contents.cells();
        if is_same {
            object.contents.for_each_difference(&others.contents, |at, len| places.push((object.base, at, len)));
        }
    })?;
    is_same.then_some(places)
}
