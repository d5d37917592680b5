//! The values of terms over leaves in states that follow each other.
//!
//! Clauses may be sums of thousands of places, and they are evaluated at every node, in states that
//! differ from the last one in a few places. So values are kept
//! ([`espalier_expr::IncrementalEvaluator`]), and what differs is found by going through what the
//! two states do not share.

use crate::Executor;
use crate::learning::leaf::{Leaf, Leaves, frame_at, name_object, resolve_name};
use crate::memory::Memory;
use crate::paths::state::State;
use espalier_expr::{IncrementalEvaluator, Term};

/// What was computed, and the state that it is about.
#[derive(Default)]
pub struct LeafEvaluation {
    evaluator: IncrementalEvaluator,
    state: Option<State>,
}

/// The variables of leaves at which two states may differ; `None` if that may be all.
fn differences(leaves: &Leaves, a: &State, b: &State) -> Option<Vec<Term>> {
    let depths = [a.running().depth, b.running().depth];
    let (common, deepest) = (depths[0].min(depths[1]), depths[0].max(depths[1]));
    // What is deeper than both is a place of neither.
    let unshared = common + 1..=deepest;
    let mut changed: Vec<Term> = leaves.of_frames(unshared.clone()).chain(leaves.of_stack(unshared)).collect();
    let mut frames = (a.frames(), b.frames());
    let mut next = (frames.0.find(|frame| frame.depth == common), frames.1.find(|frame| frame.depth == common));
    while let (Some(a), Some(b)) = next {
        // Below frames that are shared everything is.
        if std::ptr::eq(a, b) {
            break;
        }
        if a.func == b.func {
            for (reg, _) in a.regs.iter().zip(&b.regs).enumerate().filter(|(_, (a, b))| a != b) {
                changed.extend(leaves.of_register(a.depth, reg as u32));
            }
        } else {
            changed.extend(leaves.of_frames(a.depth..=a.depth));
        }
        if a.allocas != b.allocas {
            changed.extend(leaves.of_stack(a.depth..=a.depth));
        }
        next = (frames.0.next(), frames.1.next());
    }
    changed.extend(memory_differences(leaves, b, &a.memory, &b.memory)?);
    Some(changed)
}

/// The variables of leaves at which two memories may differ; `None` if that may be all. Objects
/// have the names that they have in the state `named`: one that has none there is no place of it.
pub(super) fn memory_differences(leaves: &Leaves, named: &State, a: &Memory, b: &Memory) -> Option<Vec<Term>> {
    let mut changed = Vec::new();
    a.for_each_difference(b, |objects| {
        let Some(base) = objects.iter().flatten().next().map(|object| object.base) else { return };
        let Some(name) = name_object(named, base) else { return };
        match objects {
            [Some(one), Some(other)] if one.size == other.size && one.contents.size() == other.contents.size() => {
                one.contents.for_each_difference(&other.contents, |first, len| {
                    changed.extend(leaves.of_bytes(name, first as u64, len as u64));
                });
            }
            _ => changed.extend(leaves.of_bytes(name, 0, u64::MAX)),
        }
    })?;
    Some(changed)
}

impl Executor {
    /// The value that a term over leaves has in a state, if every leaf in it is a number there, and
    /// none an address or a part of one.
    pub fn number_in(&mut self, state: &State, term: Term) -> Option<u64> {
        let mut number = None;
        self.for_numbers_in(state, [term], |value| number = value);
        number
    }

    /// The same for many terms, in turn.
    pub fn for_numbers_in(
        &mut self,
        state: &State,
        terms: impl IntoIterator<Item = Term>,
        mut visit: impl FnMut(Option<u64>),
    ) {
        let mut evaluation = std::mem::take(&mut self.evaluation);
        evaluation.go_to(&self.leaves, state);
        for term in terms {
            for var in evaluation.evaluator.missing(&self.terms, term) {
                let value = self.leaf_of(var).and_then(|leaf| self.plain_number_at(state, leaf, self.terms.width(var)));
                evaluation.evaluator.set(var, value);
            }
            visit(evaluation.evaluator.eval(&self.terms, term));
        }
        self.evaluation = evaluation;
    }

    /// Do two states have different numbers at one place in memory, which has a leaf?
    pub fn has_other_numbers(&mut self, state: &State, other: &State) -> bool {
        let changed = memory_differences(&self.leaves, state, &state.memory, &other.memory);
        changed.unwrap_or_default().into_iter().any(|var| {
            let (Some(leaf), width) = (self.leaf_of(var), self.terms.width(var)) else { return false };
            let numbers = [state, other].map(|state| self.plain_number_at(state, leaf, width));
            matches!(numbers, [Some(one), Some(other)] if one != other)
        })
    }

    /// The number that a state has at a leaf of so many bits, if it is one whatever the inputs are,
    /// and no address in any state.
    fn plain_number_at(&mut self, state: &State, leaf: Leaf, width: u32) -> Option<u64> {
        let memory = &state.memory;
        match leaf {
            Leaf::Address { .. } => None,
            Leaf::Reg { depth, reg } => {
                let frame = frame_at(state, depth)?;
                let actual = *self.program().function(frame.func).regs.get(reg as usize)?;
                let value = frame.regs.get(reg as usize).filter(|_| actual.div_ceil(8) * 8 == width)?;
                value.as_concrete().filter(|&number| !memory.layout.could_be_address(number))
            }
            Leaf::Mem { object, offset, len } => {
                let base = resolve_name(state, object)?;
                let found = memory.object(base).filter(|found| found.base == base)?;
                let fits = offset.checked_add(len.into()).is_some_and(|end| end <= found.size);
                if found.size_term.is_some() || !fits || len > 8 {
                    return None;
                }
                let (offset, len) = (offset as usize, len as usize);
                let number = found.contents.read_number(offset, len)?;
                // Nor is it a part of one.
                let word = memory.layout.word() as usize;
                let step = if self.program().packs_addresses { 1 } else { word };
                let first = (offset + 1).saturating_sub(word).next_multiple_of(step);
                let mut words = (first..offset + len).step_by(step).take_while(|at| at + word <= found.contents.size());
                let is_apart = words.all(|at| match found.contents.read_number(at, word) {
                    Some(number) => !memory.layout.could_be_address(number),
                    None => found.contents.is_partly_unwritten(at, word),
                });
                is_apart.then_some(number)
            }
        }
    }
}

impl LeafEvaluation {
    fn go_to(&mut self, leaves: &Leaves, state: &State) {
        let known = self.evaluator.known();
        self.evaluator.add(&leaves.vars()[known..]);
        match self.state.as_ref().and_then(|last| differences(leaves, last, state)) {
            Some(changed) => self.evaluator.advance(changed),
            None => self.evaluator.start_again(),
        }
        self.state = Some(state.clone());
    }
}
