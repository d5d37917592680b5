//! When are two states the same? A fingerprint of everything that the rest of a path depends on.
//!
//! A state that equals one that was met before, anywhere in the tree, need not be explored again:
//! whatever it reaches is reached from there. Equality is up to the names of inputs: variables are
//! numbered in the order in which a fixed walk over the state meets them. What is dead does not
//! count: registers that are not read any more, inputs that nothing holds, and constraints that
//! only concern such inputs (they are satisfiable, that is all). Nor do the addresses that future
//! objects will get; a program's behaviour may not depend on those. Stack objects are named by
//! their frame and their number in it, in whatever holds their addresses: each round of a loop and
//! each call has new ones. Counters that only end things (`counters`) are left out too, and given
//! beside the fingerprint: of two states with the same one, the one that is no further on in any of
//! them stands for the other.

use crate::Executor;
use crate::memory::object::{Byte, Contents, Run};
use crate::memory::{Found, Memory, Object};
use crate::paths::approximation::doubt;
use crate::paths::state::State;
use espalier_expr::{ArrayNode, Op, Term};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;
use xxhash_rust::xxh3::xxh3_128;

/// The fingerprint of a state: XXH3 of 128 bits. Two different states have the same one with a
/// chance of 2^-128.
pub type Fingerprint = [u8; 16];

/// How far on each of a state's counters is; more is further. States with the same fingerprint have
/// the same counters.
pub type Progress = SmallVec<[u64; 2]>;

/// States with more changed memory than this have none.
const MOST_BYTES: usize = 1 << 16;

/// Marks the place of a counter that was left out.
const COUNTER: u64 = 1 << 63;

/// The names of stack addresses. Those of live objects are numbered by frame, those of dead ones in
/// the order in which they are met.
struct StackNames<'a> {
    memory: &'a Memory,
    /// Under their bases.
    live: FxHashMap<u64, u32>,
    /// Under their slots.
    dead: FxHashMap<u64, u32>,
}

/// Marks the number of a dead object.
const DEAD: u32 = 1 << 31;

impl<'a> StackNames<'a> {
    /// `None` where addresses cannot be told from other numbers.
    fn of(state: &'a State) -> Option<StackNames<'a>> {
        if state.memory.layout.pointer_width < 64 || state.looks_at_addresses {
            return None;
        }
        let mut live = FxHashMap::default();
        for &address in state.frames().flat_map(|frame| &frame.allocas) {
            if state.memory.layout.is_stack_address(address) {
                let next = live.len() as u32;
                live.insert(address, next);
            }
        }
        Some(StackNames { memory: &state.memory, live, dead: FxHashMap::default() })
    }

    /// The object that a number is an address in, or outside of, and how far from where; the number
    /// itself if there is none.
    fn name(&mut self, number: u64) -> (Option<u32>, u64) {
        if !self.memory.layout.is_stack_address(number) {
            return (None, number);
        }
        match self.memory.find(number) {
            Found::Object(object) => match self.live.get(&object.base) {
                Some(&name) => (Some(name), number.wrapping_sub(object.base)),
                None => (None, number),
            },
            Found::Dead(_) => {
                let (slot, offset) = self.memory.layout.split(number);
                let next = DEAD | self.dead.len() as u32;
                (Some(*self.dead.entry(slot).or_insert(next)), offset)
            }
            Found::Nothing => (None, number),
        }
    }

    /// The live objects in the order of their addresses.
    fn order(&self) -> Vec<u32> {
        let mut objects: Vec<(u64, u32)> = self.live.iter().map(|(&base, &name)| (base, name)).collect();
        objects.sort_unstable();
        objects.into_iter().map(|(_, name)| name).collect()
    }
}

/// What a state is made of, in the order of the walk.
struct Walk<'a> {
    bytes: Vec<u8>,
    stack: Option<StackNames<'a>>,
    /// Variables in the order in which they were met.
    numbers: FxHashMap<Term, u32>,
    hashes: FxHashMap<Term, [u8; 16]>,
}

impl<'a> Walk<'a> {
    fn of(state: &'a State) -> Walk<'a> {
        let stack = StackNames::of(state);
        Walk { bytes: Vec::new(), stack, numbers: FxHashMap::default(), hashes: FxHashMap::default() }
    }

    fn number(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// What a number stands for that may be an address, as bytes.
    fn named(&mut self, value: u64) -> [u8; 12] {
        let (name, rest) = match &mut self.stack {
            Some(names) => names.name(value),
            None => (None, value),
        };
        let mut bytes = [0xff; 12];
        if let Some(name) = name {
            bytes[..4].copy_from_slice(&name.to_le_bytes());
        }
        bytes[4..].copy_from_slice(&rest.to_le_bytes());
        bytes
    }

    fn address(&mut self, value: u64) {
        let named = self.named(value);
        self.bytes.extend_from_slice(&named);
    }

    /// The stack addresses among the bytes of an object: they are taken out of `bytes`.
    fn addresses_in(&mut self, bytes: &mut [u8], mut is_there: impl FnMut(usize) -> bool) {
        let Some(layout) = self.stack.as_ref().map(|names| names.memory.layout) else { return };
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(window) = bytes[at..].first_chunk::<8>() {
            let value = u64::from_le_bytes(*window);
            if layout.is_stack_address(value) && is_there(at) {
                found.push((at, value));
                bytes[at..at + 8].fill(0);
                at += 7;
            }
            at += 1;
        }
        self.number(found.len() as u64);
        for (at, value) in found {
            self.number(at as u64);
            self.address(value);
        }
    }

    /// Numbers the variables of a term.
    fn meet(&mut self, executor: &Executor, term: Term) {
        for &var in executor.terms.vars_of(term).iter() {
            let next = self.numbers.len() as u32;
            self.numbers.entry(var).or_insert(next);
        }
    }

    /// A hash of a term with its variables by number; `None` for terms that read arrays.
    fn term(&mut self, executor: &Executor, term: Term) -> Option<[u8; 16]> {
        if let Some(&known) = self.hashes.get(&term) {
            return Some(known);
        }
        for part in executor.terms.postorder(&[term]) {
            if self.hashes.contains_key(&part) {
                continue;
            }
            let node = executor.terms.node(part);
            let mut bytes: SmallVec<[u8; 64]> = SmallVec::new();
            bytes.push(node.op as u8);
            bytes.extend_from_slice(&node.width.to_le_bytes());
            match node.op {
                Op::Const if node.width == 64 => {
                    let value = executor.terms.as_u64(part)?;
                    bytes.extend_from_slice(&self.named(value));
                }
                Op::Const | Op::WideConst => {
                    bytes.extend(executor.terms.as_bv(part)?.to_big().to_bytes_le());
                }
                Op::Var if executor.terms.fixed_value(part).is_some() => {
                    bytes.extend_from_slice(&(node.symbol().index() as u64).to_le_bytes());
                }
                Op::Var => bytes.extend_from_slice(&self.numbers.get(&part)?.to_le_bytes()),
                Op::Read => match executor.terms.array_node(node.array()) {
                    // Tables of constants are the same array wherever they are read.
                    ArrayNode::Base(base) if executor.terms.array_terms(base).next().is_none() => {
                        bytes.extend_from_slice(&(node.array().index() as u64).to_le_bytes());
                    }
                    _ => return None,
                },
                Op::Extract | Op::FpRound => bytes.extend_from_slice(&node.number(1).to_le_bytes()),
                _ => {}
            }
            for arg in node.args() {
                bytes.extend_from_slice(self.hashes.get(&arg)?);
            }
            self.hashes.insert(part, xxh3_128(&bytes).to_le_bytes());
        }
        self.hashes.get(&term).copied()
    }
}

impl Executor {
    /// Bytes that fingerprints were made of.
    pub fn fingerprinted_bytes(&self) -> u64 {
        self.fingerprinted
    }

    /// The fingerprint of a state; `None` if it has too much memory, or something in it that cannot
    /// be compared.
    pub fn fingerprint(&mut self, state: &State) -> Option<(Fingerprint, Progress)> {
        let has_views = state.outside.as_ref().is_some_and(|outside| outside.has_views());
        if !state.is_between_instructions() || state.memory.reused_slots || has_views {
            return None;
        }
        let mut walk = Walk::of(state);
        // What is found from a state in doubt has to be found from one that is not, too.
        walk.number(u64::from(doubt(state.approximations()).is_some()));
        let mut values = Vec::new();
        let mut progress = Progress::new();
        let may_count = self.frames_with_irrelevant_callers(state);
        for (func, exiting) in state.phase_key() {
            walk.number((func as u64) << 1 | exiting as u64);
        }
        for (frame, may_count) in state.frames().zip(may_count) {
            walk.number(frame.func.0 as u64);
            walk.number(frame.pc as u64);
            walk.number((frame.allocas.len() as u64) << 32 | frame.loops.len() as u64);
            for &address in &frame.allocas {
                walk.address(address);
            }
            // With a bound on loops, what is left of it.
            for &(block, rounds) in &frame.loops {
                walk.number((block.0 as u64) << 32 | rounds as u64);
            }
            let counters = if may_count { self.counters_at(frame.func, frame.pc) } else { Rc::new([]) };
            for reg in self.live_registers(frame.func, frame.pc).iter() {
                let value = frame.regs[reg.index()];
                let counter = counters.iter().find(|counter| counter.reg == reg);
                if let Some((counter, number)) = counter.zip(value.as_concrete()) {
                    progress.push(counter.progress(number));
                    walk.number(COUNTER | reg.index() as u64);
                    continue;
                }
                match value.as_term() {
                    None => walk.address(value.bits()),
                    Some(term) => values.push(term),
                }
                walk.number(reg.index() as u64 * 2 + u64::from(value.is_concrete()));
            }
        }
        let image = self.image.clone();
        let mut is_comparable = true;
        let mut visit = |walk: &mut Walk<'_>, object: &Object| {
            is_comparable &= walk.bytes.len() < MOST_BYTES && walk_object(walk, &mut values, object);
        };
        let mut unnamed = Vec::new();
        state.memory.for_each_changed_object(&image.memory, |object| match &walk.stack {
            Some(names) if state.memory.layout.is_stack_address(object.base) => {
                unnamed.extend((!names.live.contains_key(&object.base)).then_some(object));
            }
            _ => visit(&mut walk, object),
        });
        if let Some(names) = walk.stack.as_ref().filter(|_| unnamed.is_empty()) {
            let order = names.order();
            order.into_iter().for_each(|name| walk.number(u64::from(name)));
            let objects = state.frames().flat_map(|frame| &frame.allocas);
            let objects = objects.filter(|&&address| state.memory.layout.is_stack_address(address));
            objects.filter_map(|&address| state.memory.object(address)).for_each(|object| visit(&mut walk, object));
        }
        self.fingerprinted += walk.bytes.len() as u64;
        if !is_comparable || !unnamed.is_empty() {
            return None;
        }
        self.walk_terms(&mut walk, state, &values)?;
        Some((xxh3_128(&walk.bytes).to_le_bytes(), progress))
    }

    /// The values that are terms, and the constraints on their variables.
    fn walk_terms(&mut self, walk: &mut Walk<'_>, state: &State, values: &[Term]) -> Option<()> {
        for &value in values {
            walk.meet(self, value);
        }
        let live: Vec<Term> = walk.numbers.keys().copied().collect();
        let mut constraints = self.solver.connected(&self.terms, &state.path, &live);
        for &value in values {
            let hash = walk.term(self, value)?;
            walk.bytes.extend_from_slice(&hash);
        }
        constraints.sort_unstable();
        for &constraint in &constraints {
            walk.meet(self, constraint);
        }
        let mut hashes = Vec::with_capacity(constraints.len());
        for constraint in constraints {
            hashes.push(walk.term(self, constraint)?);
        }
        hashes.sort_unstable();
        hashes.dedup();
        hashes.iter().for_each(|hash| walk.bytes.extend_from_slice(hash));
        Some(())
    }
}

fn walk_object(walk: &mut Walk, values: &mut Vec<Term>, object: &Object) -> bool {
    if object.size_term.is_some() || object.contents.is_backed() || object.contents.size() > MOST_BYTES {
        return false;
    }
    walk.address(object.base);
    walk.number(object.size);
    let size = object.contents.size();
    if let Some(mut bytes) = object.contents.concrete_bytes(0, size) {
        walk.bytes.push(1);
        walk.addresses_in(&mut bytes, |_| true);
        walk.bytes.extend_from_slice(&bytes);
        return true;
    }
    walk.bytes.push(2);
    let Some((mut bytes, others)) = bytes_and_others(&object.contents) else { return false };
    let is_number = |at: usize| {
        let before = others.partition_point(|other| other.first < at + 8);
        before.checked_sub(1).is_none_or(|last| others[last].first + others[last].len <= at)
    };
    walk.addresses_in(&mut bytes, is_number);
    walk.bytes.extend_from_slice(&bytes);
    walk.number(others.len() as u64);
    for Other { first, len, term } in others {
        walk.number(first as u64);
        walk.number(len as u64);
        let Some((term, index)) = term else {
            walk.bytes.push(1);
            continue;
        };
        walk.bytes.push(2);
        walk.number(index as u64);
        if index == 0 || values.last() != Some(&term) {
            values.push(term);
            walk.bytes.push(3);
        }
    }
    true
}

/// Bytes that are no numbers: unwritten ones, or one of a term.
struct Other {
    first: usize,
    len: usize,
    term: Option<(Term, u32)>,
}

/// The bytes of an object that are numbers, with zeros for the others, and the others. `None` if
/// there are some that cannot be compared.
fn bytes_and_others(contents: &Contents) -> Option<(Vec<u8>, Vec<Other>)> {
    let mut bytes: Vec<u8> = Vec::with_capacity(contents.size());
    let mut others: Vec<Other> = Vec::new();
    let mut is_comparable = true;
    contents.for_each_run(|run| match run {
        Run::Numbers(numbers) => bytes.extend_from_slice(numbers),
        Run::Same(byte, len) => {
            let first = bytes.len();
            bytes.resize(first + len, byte.as_concrete().unwrap_or(0));
            match byte {
                Byte::Concrete(_) => {}
                Byte::Backed | Byte::Torn(_) => is_comparable = false,
                Byte::Symbolic(term, index) => others.push(Other { first, len, term: Some((term, index)) }),
                Byte::Uninit => match others.last_mut() {
                    Some(last) if last.term.is_none() && last.first + last.len == first => last.len += len,
                    _ => others.push(Other { first, len, term: None }),
                },
            }
        }
    });
    is_comparable.then_some((bytes, others))
}
