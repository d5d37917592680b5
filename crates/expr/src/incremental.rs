//! Evaluation on assignments that follow each other and differ in few variables.
//!
//! Values are kept with the time when they were computed. A value is good as long as no variable in
//! the span of its term changed since: so in a sum of ten thousand places of which one changed, one
//! addition is done again, or as many as there are above the change.

use crate::semantics::{Shape, apply_small};
use crate::{Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// When each of many variables last changed: a tree of the latest time of each range.
#[derive(Default)]
struct Changes {
    /// The variables in order.
    vars: Vec<Term>,
    /// A heap: the children of `i` are `2 i` and `2 i + 1`, the leaves begin in its middle.
    latest: Vec<u64>,
}

impl Changes {
    fn leaves(&self) -> usize {
        self.latest.len() / 2
    }

    /// Adds variables that are younger than all others. They changed now.
    fn extend(&mut self, now: u64, younger: &[Term]) {
        let (known, room) = (self.vars.len(), self.leaves());
        self.vars.extend_from_slice(younger);
        if self.vars.len() > room {
            let leaves = self.vars.len().next_power_of_two().max(64);
            let old = std::mem::replace(&mut self.latest, vec![0; 2 * leaves]);
            self.latest[leaves..leaves + known].copy_from_slice(&old[room..room + known]);
            for at in (1..leaves).rev() {
                self.latest[at] = self.latest[2 * at].max(self.latest[2 * at + 1]);
            }
        }
        for &var in younger {
            self.note(now, var);
        }
    }

    fn note(&mut self, now: u64, var: Term) {
        let Ok(index) = self.vars.binary_search(&var) else { return };
        let mut at = self.leaves() + index;
        while at > 0 {
            self.latest[at] = now;
            at /= 2;
        }
    }

    /// When a variable from `oldest` to `youngest` last changed.
    fn latest_in(&self, oldest: Term, youngest: Term) -> u64 {
        let mut from = self.leaves() + self.vars.partition_point(|&var| var < oldest);
        let mut to = self.leaves() + self.vars.partition_point(|&var| var <= youngest);
        let mut latest = 0;
        while from < to {
            if from % 2 == 1 {
                latest = latest.max(self.latest[from]);
                from += 1;
            }
            if to % 2 == 1 {
                to -= 1;
                latest = latest.max(self.latest[to]);
            }
            (from, to) = (from / 2, to / 2);
        }
        latest
    }
}

/// The values of terms on the latest of a row of assignments.
#[derive(Default)]
pub struct IncrementalEvaluator {
    now: u64,
    changes: Changes,
    values: FxHashMap<Term, (u64, Option<u64>)>,
}

/// So many values are kept.
const MOST_VALUES: usize = 1 << 20;

impl IncrementalEvaluator {
    /// How many variables it knows.
    pub fn known(&self) -> usize {
        self.changes.vars.len()
    }

    /// Makes variables known that are younger than those that are. Only these may have values.
    pub fn add(&mut self, younger: &[Term]) {
        self.changes.extend(self.now, younger);
    }

    /// Goes on to the next assignment, in which these may have other values.
    pub fn advance(&mut self, changed: impl IntoIterator<Item = Term>) {
        self.now += 1;
        if self.values.len() > MOST_VALUES {
            self.values.clear();
        }
        changed.into_iter().for_each(|var| self.changes.note(self.now, var));
    }

    /// Goes on to an assignment that may differ in everything.
    pub fn start_again(&mut self) {
        self.now += 1;
        self.values.clear();
    }

    /// The variables whose values are needed to evaluate a term, and are not known.
    pub fn missing(&self, terms: &Terms, root: Term) -> Vec<Term> {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut stack = vec![root];
        let mut missing = Vec::new();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) || self.known_value(terms, term).is_some() {
                continue;
            }
            if terms.op(term) == Op::Var {
                missing.push(term);
            }
            stack.extend(terms.node(term).args());
        }
        missing
    }

    /// The value of a variable in this assignment, if it has one.
    pub fn set(&mut self, var: Term, value: Option<u64>) {
        self.values.insert(var, (self.now, value));
    }

    /// The value of a term; `None` if a variable in it has none, or if it is not made of numbers of
    /// at most 64 bits.
    pub fn eval(&mut self, terms: &Terms, root: Term) -> Option<u64> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.known_value(terms, term).is_some() {
                stack.pop();
                continue;
            }
            let node = terms.node(term);
            let value = match node.op {
                _ if node.width > 64 => None,
                Op::Read | Op::Const | Op::WideConst | Op::Var => None,
                op => {
                    let args: SmallVec<[Term; 3]> = node.args().collect();
                    let known: SmallVec<[Option<Option<u64>>; 3]> =
                        args.iter().map(|&arg| self.known_value(terms, arg)).collect();
                    if !known.contains(&Some(None)) && known.contains(&None) {
                        let unknown = args.iter().zip(&known).filter(|(_, known)| known.is_none());
                        stack.extend(unknown.map(|(&arg, _)| arg));
                        continue;
                    }
                    let mut values = [0; 3];
                    let is_known = known.iter().zip(&mut values).all(|(known, value)| match known {
                        Some(Some(number)) => {
                            *value = *number;
                            true
                        }
                        _ => false,
                    });
                    let argument = args.first().map_or(node.width, |&arg| terms.width(arg));
                    let shape = Shape { op, width: node.width, argument, number: node.number(1) };
                    is_known.then(|| apply_small(shape, values))
                }
            };
            self.values.insert(term, (self.now, value));
            stack.pop();
        }
        self.known_value(terms, root).flatten()
    }

    fn known_value(&self, terms: &Terms, term: Term) -> Option<Option<u64>> {
        if let Some(value) = terms.as_u64(term) {
            return Some(Some(value));
        }
        let &(computed, value) = self.values.get(&term)?;
        let is_good = match terms.span_of(term).ends() {
            None => true,
            Some((oldest, youngest)) => self.changes.latest_in(oldest, youngest) <= computed,
        };
        is_good.then_some(value)
    }
}
