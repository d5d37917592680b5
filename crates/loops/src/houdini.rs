//! Which of many conditions hold: Houdini (Flanagan, Leino, 2001) on one set of values.
//!
//! All conditions are asked about in one question: can one of them fail? A model shows which do, and
//! these are dropped, until no model is left. Dropping is always sound, so a question that is not
//! answered drops what it was about.

use espalier_exec::{Executor, State};
use espalier_expr::{Evaluator, Model, Term};
use espalier_solver::Answer;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A condition on the variables of a loop head.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub condition: Term,
    /// Without it the general state means nothing.
    pub is_needed: bool,
    /// It would keep a path from an error that was met; so many rounds away from the error.
    pub wanted: Option<u32>,
    /// Was it shown to hold where the loop is entered?
    pub holds_at_entry: bool,
}

/// What was dropped, and why.
pub(crate) struct Dropped {
    pub candidate: Candidate,
    /// Inputs on which it fails, if they are known.
    pub model: Option<Rc<Model>>,
}

/// Drops the candidates that can fail at a state, where the variables have these values. Models
/// that showed it are added to `models`.
pub(crate) fn weaken(
    executor: &mut Executor,
    candidates: &mut Vec<Candidate>,
    state: &State,
    values: &FxHashMap<Term, Term>,
    models: &mut Vec<Rc<Model>>,
) -> Vec<Dropped> {
    let mut dropped = Vec::new();
    let mut hint = state.model().cloned();
    loop {
        let conditions: Vec<Term> =
            candidates.iter().map(|candidate| executor.terms.substitute(candidate.condition, values)).collect();
        let all = executor.terms.bool_and(&conditions);
        let fails = executor.terms.not(all);
        if executor.terms.as_u64(fails) == Some(0) {
            return dropped;
        }
        let answer = executor.solver.check_briefly(&mut executor.terms, state.path_condition(), fails, hint.as_ref());
        match answer {
            Answer::Unsat(_) => return dropped,
            Answer::Sat(model) => {
                let before = candidates.len();
                let mut evaluator = Evaluator::new(model.clone());
                let mut index = 0;
                candidates.retain(|candidate| {
                    let holds = evaluator.eval_bool(&executor.terms, conditions[index]);
                    index += 1;
                    if !holds {
                        dropped.push(Dropped { candidate: candidate.clone(), model: Some(model.clone()) });
                    }
                    holds
                });
                if candidates.len() == before {
                    // The model does not show what it should: nothing is believed.
                    drop_all(candidates, &mut dropped);
                    return dropped;
                }
                models.push(model);
                hint = None;
            }
            Answer::Unknown(_) => {
                drop_each(executor, candidates, state, &conditions, &mut dropped);
                return dropped;
            }
        }
    }
}

fn drop_all(candidates: &mut Vec<Candidate>, dropped: &mut Vec<Dropped>) {
    dropped.extend(candidates.drain(..).map(|candidate| Dropped { candidate, model: None }));
}

/// One question for each: what is not shown to hold is dropped.
fn drop_each(
    executor: &mut Executor,
    candidates: &mut Vec<Candidate>,
    state: &State,
    conditions: &[Term],
    dropped: &mut Vec<Dropped>,
) {
    let mut kept = Vec::with_capacity(candidates.len());
    for (candidate, &condition) in candidates.drain(..).zip(conditions) {
        let fails = executor.terms.not(condition);
        let answer =
            executor.solver.check_briefly(&mut executor.terms, state.path_condition(), fails, state.model());
        match answer {
            Answer::Unsat(_) => kept.push(candidate),
            Answer::Sat(model) => dropped.push(Dropped { candidate, model: Some(model) }),
            Answer::Unknown(_) => dropped.push(Dropped { candidate, model: None }),
        }
    }
    *candidates = kept;
}
