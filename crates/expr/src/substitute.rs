//! Putting terms in the place of variables.

use crate::array::ArrayNode;
use crate::{ArrayId, Op, Term, Terms};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// With so many values, those are looked up that a term has.
const MANY: usize = 32;

impl Terms {
    /// `term` with every variable that `values` has replaced by its value there, which must have
    /// the variable's width. The result is in normal form like any other term.
    pub fn substitute(&mut self, term: Term, values: &FxHashMap<Term, Term>) -> Term {
        let is_changed = |var: &Term| values.get(var).is_some_and(|value| value != var);
        // Of thousands of values, as pruning has them, a term has few variables.
        let mut changed: SmallVec<[Term; 8]> = match values.len() {
            0..MANY => values.keys().copied().filter(is_changed).collect(),
            MANY.. => self.vars_of(term).iter().copied().filter(is_changed).collect(),
        };
        changed.sort_unstable();
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut arrays: FxHashMap<ArrayId, ArrayId> = FxHashMap::default();
        for part in self.parts_with_any(term, &changed) {
            let new = match self.op(part) {
                Op::Const | Op::WideConst => part,
                Op::Var => values.get(&part).copied().unwrap_or(part),
                Op::Read => {
                    let node = *self.node(part);
                    let array = match self.span_of_array(node.array()).may_have_any(&changed) {
                        true => self.substitute_array(node.array(), &done, &mut arrays),
                        false => node.array(),
                    };
                    let index = node.args().next().map_or(part, |index| replaced(&done, index));
                    self.read(array, index)
                }
                op => {
                    let node = *self.node(part);
                    let args: SmallVec<[Term; 3]> = node.args().map(|arg| replaced(&done, arg)).collect();
                    self.apply(op, node.width, node.number(1), &args)
                }
            };
            debug_assert_eq!(self.width(new), self.width(part), "a value of another width than its variable");
            done.insert(part, new);
        }
        replaced(&done, term)
    }

    /// The array with its parts replaced; all of the terms in it that change are `done`.
    fn substitute_array(
        &mut self,
        array: ArrayId,
        done: &FxHashMap<Term, Term>,
        arrays: &mut FxHashMap<ArrayId, ArrayId>,
    ) -> ArrayId {
        // The chain of stores down to what is known already, newest first.
        let mut chain = Vec::new();
        let mut below = array;
        let mut result = loop {
            if let Some(&known) = arrays.get(&below) {
                break known;
            }
            match self.array_node(below).clone() {
                ArrayNode::Store { array, index, value } => {
                    chain.push((below, index, value));
                    below = array;
                }
                ArrayNode::Base(base) => {
                    let base = self.map_base(&base, |term| replaced(done, term));
                    arrays.insert(below, base);
                    break base;
                }
            }
        };
        for (old, index, value) in chain.into_iter().rev() {
            result = self.array_store(result, replaced(done, index), replaced(done, value));
            arrays.insert(old, result);
        }
        result
    }
}

fn replaced(done: &FxHashMap<Term, Term>, term: Term) -> Term {
    done.get(&term).copied().unwrap_or(term)
}
