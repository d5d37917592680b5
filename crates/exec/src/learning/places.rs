//! Everything that the rest of a path may depend on, as leaves.

use crate::Executor;
use crate::learning::leaf::{Leaf, ObjectName, name_object};
use crate::memory::Object;
use crate::memory::object::{Byte, Contents};
use crate::paths::state::State;
use espalier_expr::Term;

/// The places of a state.
#[derive(Default)]
pub struct Places {
    /// With the widths of their variables.
    pub leaves: Vec<(Leaf, u32)>,
    /// The objects that they are in, with their sizes, and whether they are read-only.
    pub objects: Vec<(ObjectName, (u64, bool))>,
    /// Globals that are as they were when the program started.
    pub as_loaded: Vec<u64>,
    /// How far allocation has come: no heap object was ever made.
    pub heap_position: u64,
}

impl Executor {
    /// Is the state at the head of a loop?
    pub fn is_at_loop_head(&self, state: &State) -> bool {
        let joins = &self.image.functions[state.top.func.index()].joins;
        joins.get(&state.top.pc) == Some(&espalier_analysis::Join::LoopHead)
    }

    /// All places of a state: live registers, and all memory that can be written. `None` if there
    /// are more than `most`, or if they are not all that counts.
    pub fn places(&mut self, state: &State, most: usize) -> Option<Places> {
        let is_plain = state.is_between_instructions()
            && !state.memory.reused_slots
            && !state.looks_at_addresses
            && state.frames().all(|frame| frame.loops.is_empty());
        if !is_plain {
            return None;
        }
        let mut places = Places::default();
        for frame in state.frames() {
            let live = self.live_registers(frame.func, frame.pc);
            let widths = &self.program().function(frame.func).regs;
            let leaves = live.iter().map(|reg| {
                (Leaf::Reg { depth: frame.depth, reg: reg.index() as u32 }, widths[reg.index()].div_ceil(8) * 8)
            });
            places.leaves.extend(leaves);
        }
        let mut is_known = places.leaves.len() <= most;
        let mut permanent = 0;
        state.memory.for_each_object(|object| {
            permanent += if object.is_permanent() { state.memory.layout.slots_taken_by(object) } else { 0 };
            is_known = is_known
                && self.add_object(&mut places, state, object).is_some()
                && places.leaves.len() + places.as_loaded.len() <= most;
        });
        // A place that may hold anything may lead to a heap object of another state, if there are
        // any: the two have to have made as many, which is none.
        places.heap_position = state.memory.positions().0;
        (is_known && permanent == places.heap_position).then_some(places)
    }

    fn add_object(&self, places: &mut Places, state: &State, object: &Object) -> Option<()> {
        if object.size_term.is_some() || object.contents.is_backed() {
            return None;
        }
        if object.size == 0 || object.read_only && object.is_permanent() {
            return Some(());
        }
        if object.is_permanent() && self.is_as_loaded(state, object.base) {
            places.as_loaded.push(object.base);
            return Some(());
        }
        let name = name_object(state, object.base)?;
        if !object.is_permanent() {
            let ObjectName::Stack { .. } = name else { return None };
            places.objects.push((name, (object.size, object.read_only)));
        }
        let mut at = 0;
        while at < object.contents.size() {
            let len = self.piece_at(&object.contents, at)?;
            if object.contents.byte(at) != Byte::Uninit {
                let leaf = Leaf::Mem { object: name, offset: at as u64, len: len as u32 };
                places.leaves.push((leaf, 8 * len as u32));
            }
            at += len;
        }
        Some(())
    }

    /// How many bytes from here on are one number, or one term.
    fn piece_at(&self, contents: &Contents, at: usize) -> Option<usize> {
        let fits = |len: &usize| at.is_multiple_of(*len) && at + len <= contents.size();
        let mut lengths = [8, 4, 2, 1].into_iter().filter(fits);
        match contents.byte(at) {
            Byte::Uninit => Some(1),
            Byte::Backed | Byte::Torn(_) => None,
            Byte::Concrete(_) => lengths.find(|&len| contents.read_number(at, len).is_some()),
            Byte::Symbolic(term, first) => lengths.find(|&len| {
                len == 1
                    || first == 0
                        && self.terms.width(term) == 8 * len as u32
                        && (0..len).all(|k| contents.byte(at + k) == Byte::Symbolic(term, k as u32))
            }),
        }
    }

    /// A number, relative to the stack object that it is an address of, if it is one; `None` if
    /// there is no such object any more.
    pub fn stack_relative(&mut self, state: &State, number: u64, width: u32) -> Option<Term> {
        let constant = self.terms.constant(number, width);
        if width != self.pointer_width() || !state.memory.layout.is_stack_address(number) {
            return Some(constant);
        }
        let base = state.memory.object(number)?.base;
        let ObjectName::Stack { depth, index } = name_object(state, base)? else { return None };
        let start = self.leaf_var(Leaf::Address { depth, index }, width);
        let offset = self.terms.constant(number.wrapping_sub(base), width);
        Some(self.terms.add(start, offset))
    }
}
