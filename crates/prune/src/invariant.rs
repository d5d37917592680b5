//! Loop invariants from interpolants: what holds whenever a loop of the program is about to be gone
//! round again.
//!
//! Every visit of a loop head is a node of the tree or is spoken for by one. A node satisfies its
//! own interpolant, and whatever is pruned satisfies, when it comes to the same loop head, the
//! interpolant of the node that its way to there would have led to: interpolants are carried
//! backwards, so what holds of a pruned state implies what has to hold below. So the disjunction of
//! the interpolants at a head is an invariant of its loop, if all of its nodes have one. Clauses
//! that cannot be said in C, are about other functions' variables, or about addresses (an integer
//! may hold one, and they are other numbers elsewhere), are left out, which only weakens it.
//!
//! This needs two things: paths stop at every loop head ([`espalier_exec::Stops::EveryLoopHead`]),
//! and no state is left out because nothing can be reached from it or because only its counters are
//! further on than another one's ([`Invariants::is_spoilt`]).

use crate::c_text::{self, Variable};
use crate::clause::Clause;
use crate::interpolant::Interpolant;
use espalier_exec::{Executor, State};
use espalier_ir::{FuncId, Loc};
use std::collections::{BTreeMap, BTreeSet};

/// An invariant with more alternatives than this is not worth telling.
const MOST_ALTERNATIVES: usize = 32;

/// What holds at the head of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopInvariant {
    pub func: FuncId,
    /// The keyword of the loop statement.
    pub loc: Loc,
    /// A C expression.
    pub condition: String,
}

/// A conjunction of C expressions.
type Alternative = BTreeSet<String>;

#[derive(Default)]
pub struct Invariants {
    /// By function and place. `None` if nothing is known to hold on every visit.
    by_loop: BTreeMap<(FuncId, Loc), Option<BTreeSet<Alternative>>>,
    is_spoilt: bool,
}

impl Invariants {
    /// A node is finished.
    pub fn note(&mut self, executor: &Executor, start: &State, interpolant: Option<&Interpolant>) {
        let Some(site) = executor.loop_at(start) else { return };
        let name = |var| {
            let variable = executor.variable_name(start, site, executor.leaf_of(var)?)?;
            Some(Variable { name: variable.name.to_owned(), is_signed: variable.is_signed })
        };
        let known = self.by_loop.entry((start.running().func, site.loc)).or_insert_with(|| Some(BTreeSet::new()));
        let Some(alternatives) = known else { return };
        let alternative: Option<Alternative> = interpolant.map(|interpolant| {
            let clauses = interpolant.clauses.iter().filter(|clause| !mentions_address(executor, start, clause));
            clauses.filter_map(|clause| c_text::clause(&executor.terms, clause, &name)).collect()
        });
        match alternative {
            Some(alternative) if !alternative.is_empty() => {
                // What says more is implied by what says less.
                if !alternatives.iter().any(|other| other.is_subset(&alternative)) {
                    alternatives.retain(|other| !alternative.is_subset(other));
                    alternatives.insert(alternative);
                }
                if alternatives.len() > MOST_ALTERNATIVES {
                    *known = None;
                }
            }
            _ => *known = None,
        }
    }

    /// States were left out of which the interpolants say nothing.
    pub fn spoil(&mut self) {
        self.is_spoilt = true;
    }

    pub fn take(self) -> Vec<LoopInvariant> {
        if self.is_spoilt {
            return Vec::new();
        }
        let known = self.by_loop.into_iter().filter_map(|(place, alternatives)| Some((place, alternatives?)));
        known
            .map(|((func, loc), alternatives)| {
                let alternatives: Vec<String> = alternatives.iter().map(conjunction).collect();
                let condition = match &alternatives[..] {
                    [only] => only.clone(),
                    _ => alternatives.iter().map(|text| format!("({text})")).collect::<Vec<_>>().join(" || "),
                };
                LoopInvariant { func, loc, condition }
            })
            .collect()
    }
}

/// Could a number in the clause be the address of an object, or one near it?
fn mentions_address(executor: &Executor, state: &State, clause: &Clause) -> bool {
    let terms = &executor.terms;
    let width = executor.program().target.pointer_width;
    let is_address = |number: u64| state.memory().object(number).is_some();
    let bounds = match clause {
        Clause::Bound(bound) if terms.width(bound.term) == width => [bound.lo, bound.hi].into_iter().any(is_address),
        _ => false,
    };
    let mut parts = terms.postorder(&[clause.term()]).into_iter();
    bounds || parts.any(|part| terms.width(part) == width && terms.as_u64(part).is_some_and(is_address))
}

fn conjunction(alternative: &Alternative) -> String {
    alternative.iter().cloned().collect::<Vec<_>>().join(" && ")
}
