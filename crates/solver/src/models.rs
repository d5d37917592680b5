//! Models seen lately, each with an evaluator that remembers what it has computed.
//!
//! The state's own model decides one side of every branch; models of other states decide many of
//! the other sides (a sibling took that way before). Evaluation is memoised by model, and the
//! conditions of a path share most of their subterms, so a model is kept with its evaluator for as
//! long as it is in use.

use espalier_expr::{Evaluator, Model, Term, Terms};
use std::rc::Rc;

/// How many models are kept.
const KEPT: usize = 16;

/// An evaluator keeps the memory it once used; after so many models it gives it back.
const REUSES: u32 = 1024;

struct Slot {
    evaluator: Evaluator,
    last_used: u64,
    reuses: u32,
}

#[derive(Default)]
pub struct Models {
    slots: Vec<Slot>,
    clock: u64,
    /// Slots by last use, for [`Models::search`]; a field to keep its memory.
    order: Vec<usize>,
}

impl Models {
    /// The evaluator of a model, which from now on is one of the recent ones.
    pub fn evaluator(&mut self, model: &Rc<Model>) -> &mut Evaluator {
        self.clock += 1;
        let found = self.slots.iter().position(|slot| Rc::ptr_eq(slot.evaluator.model(), model));
        let at = found.unwrap_or_else(|| self.replace(model));
        let slot = &mut self.slots[at];
        slot.last_used = self.clock;
        &mut slot.evaluator
    }

    fn replace(&mut self, model: &Rc<Model>) -> usize {
        if self.slots.len() < KEPT {
            self.slots.push(Slot { evaluator: Evaluator::new(model.clone()), last_used: 0, reuses: 0 });
            return self.slots.len() - 1;
        }
        let at = (0..self.slots.len()).min_by_key(|&i| self.slots[i].last_used).unwrap_or(0);
        let slot = &mut self.slots[at];
        slot.reuses += 1;
        if slot.reuses > REUSES {
            *slot = Slot { evaluator: Evaluator::new(model.clone()), last_used: 0, reuses: 0 };
        } else {
            slot.evaluator.set_model(model.clone());
        }
        at
    }

    /// Among the `most` most recently used models, one of all `constraints`. The last constraint is
    /// the one that was asked about, so it is tried first.
    pub fn search(&mut self, terms: &Terms, constraints: &[Term], most: usize) -> Option<Rc<Model>> {
        self.order.clear();
        self.order.extend(0..self.slots.len());
        self.order.sort_unstable_by_key(|&i| std::cmp::Reverse(self.slots[i].last_used));
        for &at in self.order.iter().take(most) {
            let evaluator = &mut self.slots[at].evaluator;
            if constraints.iter().rev().all(|&c| evaluator.eval_bool(terms, c)) {
                self.clock += 1;
                self.slots[at].last_used = self.clock;
                return Some(self.slots[at].evaluator.model().clone());
            }
        }
        None
    }
}
