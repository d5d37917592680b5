//! What was shown of loop heads, for people and for other tools.
//!
//! A trial that nothing is asked of keeps what a loop's rounds keep, of all that is proposed. It
//! begins where a loop is entered, so what it shows holds whenever the head is visited from there on;
//! and it explores all that is behind, so it visits every other head that is reached from there.

use crate::head::Head;
use crate::trial::Trial;
use crate::{NotClosed, Question, with_limits};
use espalier_exec::{Executor, Leaf, State};
use espalier_expr::Term;

/// What holds whenever a path that entered a loop in one way is at its head.
pub struct HeadInvariant {
    /// The state that it was entered with.
    pub entry: Box<State>,
    pub conditions: Vec<Term>,
    /// What the variables of the conditions stand for.
    pub places: Vec<(Term, Leaf)>,
    /// Conditions with this variable hold for each of its values.
    pub index: Option<Term>,
    pub cells: Vec<IndexedCell>,
}

/// What stands for the cell of an array at the index, now.
#[derive(Copy, Clone, Debug)]
pub struct IndexedCell {
    pub cell: Term,
    /// Where the array begins.
    pub base: u64,
}

impl HeadInvariant {
    pub(crate) fn of(head: &Head) -> HeadInvariant {
        HeadInvariant {
            entry: head.start.clone(),
            conditions: head.candidates.iter().map(|candidate| candidate.condition).collect(),
            places: head.variables.iter().map(|variable| (variable.var, variable.place.leaf)).collect(),
            index: head.arrays().index(),
            cells: head.arrays().cells(),
        }
    }
}

/// The invariants of all loops that are reached from a state at a loop head, of its own first: one
/// for each way in which each is entered.
pub fn describe(
    executor: &mut Executor,
    question: &Question<'_>,
    start: &State,
    effort: u64,
) -> Result<Vec<HeadInvariant>, NotClosed> {
    with_limits(executor, effort, |executor| {
        let mut found = Trial::new(executor, question, start, effort).describe(start)?;
        found.reverse();
        Ok(found)
    })
}
