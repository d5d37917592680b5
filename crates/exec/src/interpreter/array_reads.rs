//! KLEE's `--optimize-array`: conditions on what is read from arrays at symbolic places are put in
//! other words, without the reads.
//!
//! By index: if all of a condition depends on one input, and the path allows it few values, the
//! condition says which of these make it true. By value: a read is a choice among the array's bytes.
//! Both are equivalent to what they replace, on the path that they are made for: reads are in bounds
//! there.

use crate::interpreter::machine::{Interpreter, Machine};
use crate::paths::message::Message;
use crate::paths::state::State;
use espalier_expr::{ArrayByte, ArrayId, ArrayNode, Evaluator, Model, Op, Term};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// How conditions on arrays are put.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub enum ArrayReads {
    /// As they are.
    #[default]
    Kept,
    ByIndex,
    ByValue,
    /// By index where reads are not nested, and by value otherwise.
    Both,
}

/// So many values of an input are tried.
const MOST_VALUES: u64 = 1 << 12;

/// Choices are made among so many bytes.
const MOST_BYTES: u64 = 256;

/// How often reads are looked for: they may be in the indices of others.
const MOST_ROUNDS: usize = 16;

impl<M: Machine> Interpreter<'_, M> {
    /// The condition in other words, if that is asked for.
    pub(crate) fn without_array_reads(&mut self, state: &State, condition: Term) -> Term {
        let wanted = self.options.array_reads;
        if wanted == ArrayReads::Kept || !M::IS_RUN || self.terms.is_const(condition) {
            return condition;
        }
        let reads = self.reads_in(condition);
        if reads.is_empty() {
            return condition;
        }
        let is_nested = reads.iter().any(|&read| !self.reads_in(self.terms.node(read).arg(1)).is_empty());
        let by_index = wanted == ArrayReads::ByIndex || wanted == ArrayReads::Both && !is_nested;
        if by_index && let Some(in_words) = self.condition_by_index(state, condition) {
            self.tell(Message::ArrayReads { by_value: false });
            return in_words;
        }
        let only_symbolic = wanted == ArrayReads::ByIndex;
        let in_words = self.condition_by_value(condition, only_symbolic);
        if in_words != condition && !only_symbolic {
            self.tell(Message::ArrayReads { by_value: true });
        }
        in_words
    }

    /// The reads at symbolic places in a term, innermost first.
    fn reads_in(&self, term: Term) -> Vec<Term> {
        let parts = self.terms.postorder(&[term]);
        parts.into_iter().filter(|&part| self.terms.op(part) == Op::Read).collect()
    }

    /// Which values of its one input make the condition true.
    fn condition_by_index(&mut self, state: &State, condition: Term) -> Option<Term> {
        let &[input] = &self.terms.vars_of(condition)[..] else { return None };
        let width = self.terms.width(input);
        let (low, high) = self.range_of(state, input).ok()?;
        if high - low >= MOST_VALUES {
            return None;
        }
        let mut runs: Vec<(u64, u64)> = Vec::new();
        for value in low..=high {
            let mut model = Model::new();
            model.set(input, value);
            if !Evaluator::new(model).eval_bool(&self.terms, condition) {
                continue;
            }
            match runs.last_mut() {
                Some((_, last)) if *last + 1 == value => *last = value,
                _ => runs.push((value, value)),
            }
        }
        let mut any = self.terms.fals();
        for (first, last) in runs {
            let (from, to) = (self.terms.constant(first, width), self.terms.constant(last, width));
            let one = match first == last {
                true => self.terms.eq(input, from),
                false => {
                    let (above, below) = (self.terms.ule(from, input), self.terms.ule(input, to));
                    self.terms.and(above, below)
                }
            };
            any = self.terms.or(any, one);
        }
        Some(any)
    }

    /// The condition with choices in the place of reads; of those from arrays with symbolic bytes
    /// only, if that is wanted.
    fn condition_by_value(&mut self, condition: Term, only_symbolic: bool) -> Term {
        let mut condition = condition;
        for _ in 0..MOST_ROUNDS {
            let reads = self.reads_in(condition).into_iter();
            let choices: Vec<(Term, Term)> =
                reads.filter_map(|read| Some((read, self.choice(read, only_symbolic)?))).collect();
            // The innermost one: others may have it in their indices.
            let Some(&(read, choice)) = choices.first() else { break };
            let replaced = self.replace(condition, read, choice);
            if replaced == condition {
                break;
            }
            condition = replaced;
        }
        condition
    }

    /// What is read, as a choice among the bytes of the array.
    fn choice(&mut self, read: Term, only_symbolic: bool) -> Option<Term> {
        let node = *self.terms.node(read);
        let bytes = self.bytes_of(node.array())?;
        if only_symbolic && bytes.iter().all(|&byte| self.terms.is_const(byte)) {
            return None;
        }
        let index = node.arg(1);
        let width = self.terms.width(index);
        let mut choice = *bytes.last()?;
        for (at, &byte) in bytes.iter().enumerate().rev().skip(1) {
            let place = self.terms.constant(at as u64, width);
            let is_there = self.terms.eq(index, place);
            choice = self.terms.ite(is_there, byte, choice);
        }
        Some(choice)
    }

    /// The bytes of an array to which nothing was written at symbolic places.
    fn bytes_of(&mut self, array: ArrayId) -> Option<Vec<Term>> {
        let ArrayNode::Base(base) = self.terms.array_node(array).clone() else { return None };
        if base.len() > MOST_BYTES {
            return None;
        }
        let bytes: Vec<ArrayByte> = (0..base.len()).map(|at| self.terms.array_byte(&base, at)).collect();
        let term = |byte| match byte {
            ArrayByte::Concrete(value) => self.terms.constant(u64::from(value), 8),
            ArrayByte::Term(term) => term,
        };
        Some(bytes.into_iter().map(term).collect())
    }

    /// A term with one of its parts replaced.
    fn replace(&mut self, term: Term, part: Term, by: Term) -> Term {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        done.insert(part, by);
        for inner in self.terms.postorder(&[term]) {
            if done.contains_key(&inner) {
                continue;
            }
            let node = *self.terms.node(inner);
            let args: Vec<Term> = node.args().map(|arg| done.get(&arg).copied().unwrap_or(arg)).collect();
            if node.args().eq(args.iter().copied()) {
                continue;
            }
            let new = match (node.op, &args[..]) {
                (Op::Read, &[index]) => self.terms.read(node.array(), index),
                (op, args) => self.terms.apply(op, node.width, node.number(1), args),
            };
            done.insert(inner, new);
        }
        done.get(&term).copied().unwrap_or(term)
    }
}
