//! The leaves of state formulas: the places of a state, as variables of terms.
//!
//! A formula over leaves says something about *any* state at one program point with one call stack:
//! `reg` and `mem` stand for whatever such a state holds there. Places are named so that they mean
//! the same in every such state: frames are counted from the bottom of the stack, and stack objects
//! are named by their frame and their number in it, because their addresses depend on what was
//! called before.

use crate::Executor;
use crate::interpreter::access::Place;
use crate::interpreter::frames::Frame;
use crate::interpreter::machine::{Explore, Interpreter, Machine};
use crate::interpreter::value::Value;
use crate::paths::state::State;
use espalier_expr::{Symbol, SymbolKind, Term};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::ops::{DerefMut, RangeInclusive};

/// An object, named independently of how many others there were.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObjectName {
    /// By its address: globals, and the heap.
    At(u64),
    /// Number `index` of the stack objects of the frame at `depth`.
    Stack { depth: u32, index: u32 },
}

/// A place of a state.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Leaf {
    /// Register `reg` of the frame at `depth`.
    Reg { depth: u32, reg: u32 },
    /// `len` bytes of an object.
    Mem { object: ObjectName, offset: u64, len: u32 },
    /// The address of a stack object.
    Address { depth: u32, index: u32 },
}

impl std::fmt::Display for ObjectName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ObjectName::At(base) => write!(f, "{base:#x}"),
            ObjectName::Stack { depth, index } => write!(f, "stack{depth}.{index}"),
        }
    }
}

impl std::fmt::Display for Leaf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Leaf::Reg { depth, reg } => write!(f, "%{depth}.{reg}"),
            Leaf::Mem { object, offset, len } => write!(f, "mem[{object}+{offset}, {len}]"),
            Leaf::Address { depth, index } => write!(f, "&stack{depth}.{index}"),
        }
    }
}

/// The variables that stand for leaves.
#[derive(Default)]
pub struct Leaves {
    by_leaf: FxHashMap<Leaf, Term>,
    by_symbol: FxHashMap<Symbol, Leaf>,
    /// In order, with all variables that a leaf has: one for each width.
    in_order: BTreeMap<Leaf, SmallVec<[Term; 1]>>,
    /// The variables as they came.
    vars: Vec<Term>,
}

impl Leaves {
    /// The variables of the leaves from `first` to `last`.
    fn between(&self, first: Leaf, last: Leaf) -> impl Iterator<Item = Term> {
        let found = (first <= last).then(|| self.in_order.range(first..=last));
        found.into_iter().flatten().flat_map(|(_, vars)| vars.iter().copied())
    }

    /// All variables, oldest first.
    pub(crate) fn vars(&self) -> &[Term] {
        &self.vars
    }

    pub(super) fn of_register(&self, depth: u32, reg: u32) -> impl Iterator<Item = Term> {
        self.between(Leaf::Reg { depth, reg }, Leaf::Reg { depth, reg })
    }

    /// Of all registers of frames at these depths.
    pub(super) fn of_frames(&self, depths: RangeInclusive<u32>) -> impl Iterator<Item = Term> {
        let (&depth, &last) = (depths.start(), depths.end());
        self.between(Leaf::Reg { depth, reg: 0 }, Leaf::Reg { depth: last, reg: u32::MAX })
    }

    /// Of all that overlap a range of bytes of an object, or a word that overlaps it.
    pub(super) fn of_bytes(&self, object: ObjectName, first: u64, len: u64) -> impl Iterator<Item = Term> {
        let before = first.saturating_sub(2 * LONGEST - 2);
        let last = first.saturating_add(len).saturating_add(LONGEST - 2);
        self.between(Leaf::Mem { object, offset: before, len: 0 }, Leaf::Mem { object, offset: last, len: u32::MAX })
    }

    /// Of whatever belongs to stack objects of frames at these depths.
    pub(super) fn of_stack(&self, depths: RangeInclusive<u32>) -> impl Iterator<Item = Term> {
        let (&depth, &last) = (depths.start(), depths.end());
        let bytes = self.between(
            Leaf::Mem { object: ObjectName::Stack { depth, index: 0 }, offset: 0, len: 0 },
            Leaf::Mem { object: ObjectName::Stack { depth: last, index: u32::MAX }, offset: u64::MAX, len: u32::MAX },
        );
        bytes.chain(self.between(Leaf::Address { depth, index: 0 }, Leaf::Address { depth: last, index: u32::MAX }))
    }
}

/// Bytes of the longest leaf, and of the longest address.
const LONGEST: u64 = 8;

/// States at which leaves can be looked at, and the executor that they belong to.
pub trait LeafValues: DerefMut<Target = Executor> {
    /// What a state holds at a leaf, as a term of the variable's width. `None` if it has no such
    /// place.
    fn leaf_value(&mut self, state: &mut State, leaf: Leaf, width: u32) -> Option<Term>;

    /// The variables of all leaves at which the state may hold anything but what they stand for, in
    /// order.
    fn changed_leaves(&self, state: &State) -> Vec<Term>;
}

impl<M: Machine> LeafValues for Interpreter<'_, M> {
    fn leaf_value(&mut self, state: &mut State, leaf: Leaf, width: u32) -> Option<Term> {
        Interpreter::leaf_value(self, state, leaf, width)
    }

    fn changed_leaves(&self, state: &State) -> Vec<Term> {
        let mut changed = self.machine.changed_leaves(&self.leaves, state);
        changed.sort_unstable();
        changed.dedup();
        changed
    }
}

impl Executor {
    /// The variable for a leaf of `width` bits: it has whole bytes.
    pub fn leaf_var(&mut self, leaf: Leaf, width: u32) -> Term {
        if let Some(&var) = self.leaves.by_leaf.get(&leaf)
            && self.terms.width(var) == width.div_ceil(8) * 8
        {
            return var;
        }
        let var = self.terms.scalar_var(SymbolKind::Place, &leaf.to_string(), width.div_ceil(8));
        self.leaves.by_leaf.insert(leaf, var);
        let known = self.leaves.in_order.entry(leaf).or_default();
        if !known.contains(&var) {
            known.push(var);
            self.leaves.vars.push(var);
        }
        self.leaves.by_symbol.insert(self.terms.node(var).symbol(), leaf);
        var
    }

    /// The leaf that a variable stands for.
    pub fn leaf_of(&self, var: Term) -> Option<Leaf> {
        self.leaves.by_symbol.get(&self.terms.node(var).symbol()).copied()
    }

    /// Has a state no address at a leaf, nor a part of one? What was learnt where there was none
    /// holds for no address: what a path does with that may depend on where objects lie.
    pub fn has_number_at(&mut self, state: &State, leaf: Leaf) -> bool {
        match leaf {
            Leaf::Address { .. } => false,
            Leaf::Reg { depth, reg } => {
                let value = frame_at(state, depth).and_then(|frame| frame.regs.get(reg as usize)).copied();
                value.is_none_or(|value| match value.as_term() {
                    None => !state.memory.may_be_address(value.bits()) || !state.memory.is_address(value.bits()),
                    Some(term) => !self.holds_address(state, term),
                })
            }
            Leaf::Mem { object, offset, len } => resolve_name(state, object).is_none_or(|base| {
                let place = Place::new(base, Value::concrete(offset));
                !self.is_part_of_address(state, place, len as usize)
            }),
        }
    }

    /// What a state of the program has at a leaf, as a term of the variable's width. `None` if it
    /// has no such place.
    pub fn leaf_value(&mut self, state: &mut State, leaf: Leaf, width: u32) -> Option<Term> {
        Interpreter::new(self, Explore).leaf_value(state, leaf, width)
    }
}

impl<M: Machine> Interpreter<'_, M> {
    pub fn leaf_value(&mut self, state: &mut State, leaf: Leaf, width: u32) -> Option<Term> {
        let value = self.held_at(state, leaf, width)?;
        let fixed = if self.has_fixed_leaves { self.with_fixed_values(value) } else { None };
        Some(fixed.map_or(value, |(plain, _)| plain))
    }

    fn held_at(&mut self, state: &mut State, leaf: Leaf, width: u32) -> Option<Term> {
        if let Some(held) = M::leaf(self, state, leaf, width) {
            return held;
        }
        match leaf {
            Leaf::Reg { depth, reg } => {
                let frame = frame_at(state, depth)?;
                let value = *frame.regs.get(reg as usize)?;
                let actual = *self.program().function(frame.func).regs.get(reg as usize)?;
                if actual.div_ceil(8) * 8 != width {
                    return None;
                }
                let term = value.term(&mut self.terms, actual);
                Some(self.terms.zext(term, width))
            }
            Leaf::Address { depth, index } => {
                let address = *frame_at(state, depth)?.allocas.get(index as usize)?;
                Some(self.terms.constant(address, width))
            }
            Leaf::Mem { object, offset, len } => {
                let base = resolve_name(state, object)?;
                let found = state.memory.object(base)?;
                let fits = offset.checked_add(len as u64).is_some_and(|end| end <= found.size);
                if found.base != base || found.size_term.is_some() || !fits {
                    return None;
                }
                let place = Place::new(base, Value::concrete(offset));
                let value = self.read_place(state, place, 8 * len);
                Some(value.term(&mut self.terms, 8 * len))
            }
        }
    }
}

pub(crate) fn frame_at(state: &State, depth: u32) -> Option<&Frame> {
    if state.top.depth == depth {
        return Some(&state.top);
    }
    state.frames().find(|frame| frame.depth == depth)
}

/// The address of an object in a state.
pub fn resolve_name(state: &State, name: ObjectName) -> Option<u64> {
    match name {
        ObjectName::At(base) => Some(base),
        ObjectName::Stack { depth, index } => frame_at(state, depth)?.allocas.get(index as usize).copied(),
    }
}

/// The name of the object at `base` in a state.
pub fn name_object(state: &State, base: u64) -> Option<ObjectName> {
    if !state.memory.layout.is_stack_address(base) {
        return Some(ObjectName::At(base));
    }
    state.frames().find_map(|frame| {
        let index = frame.allocas.iter().position(|&address| address == base)?;
        Some(ObjectName::Stack { depth: frame.depth, index: index as u32 })
    })
}
