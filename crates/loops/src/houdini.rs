//! Which of many conditions hold: Houdini (Flanagan, Leino, 2001) on one set of values.
//!
//! All conditions are asked about in one question: can one of them fail? A model shows which do, and
//! these are dropped, until no model is left. Dropping is always sound, so a question that is not
//! answered drops what it was about.

use crate::affine::collected;
use espalier_exec::{Executor, State};
use espalier_expr::{Evaluator, Model, PathCondition, Term, Terms};
use espalier_solver::Answer;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Premises that are so much larger than a question, in parts of terms, are still simple.
const MARGIN: usize = 3;

/// A condition on the variables of a loop head.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub condition: Term,
    /// Without it the general state means nothing.
    pub is_needed: bool,
    /// It is a linear relation, which determines a variable if the others are known.
    pub is_linear: bool,
    pub defines: Option<(Term, Term)>,
    /// It would keep a path from an error that was met; so many rounds away from the error.
    pub wanted: Option<u32>,
}

/// Inputs on which candidates fail, and whether linear ones are among these.
pub(crate) struct Counterexample {
    pub model: Rc<Model>,
    pub is_linear: bool,
}

/// Drops the candidates that can fail at a state, where the variables have these values, and gives
/// them, with what showed it.
pub(crate) fn weaken(
    executor: &mut Executor,
    candidates: &mut Vec<Candidate>,
    state: &State,
    values: &FxHashMap<Term, Term>,
) -> (Vec<Candidate>, Vec<Counterexample>) {
    let (mut dropped, mut models) = (Vec::new(), Vec::new());
    let mut hint = state.model().cloned();
    loop {
        let conditions: Vec<Term> =
            candidates.iter().map(|candidate| value_of(&mut executor.terms, candidate, values)).collect();
        let all = executor.terms.bool_and(&conditions);
        let fails = executor.terms.not(all);
        if executor.terms.as_u64(fails) == Some(0) {
            return (dropped, models);
        }
        let answer = executor.solver.check_briefly(&mut executor.terms, state.path_condition(), fails, hint.as_ref());
        match answer {
            Answer::Unsat(_) => return (dropped, models),
            Answer::Sat(model) => {
                let before = (candidates.len(), dropped.len());
                let mut evaluator = Evaluator::new(model.clone());
                let mut index = 0;
                candidates.retain(|candidate| {
                    let holds = evaluator.eval_bool(&executor.terms, conditions[index]);
                    index += 1;
                    if !holds {
                        dropped.push(candidate.clone());
                    }
                    holds
                });
                if candidates.len() == before.0 {
                    // The model does not show what it should: nothing is believed.
                    dropped.append(candidates);
                    return (dropped, models);
                }
                let is_linear = dropped[before.1..].iter().any(|candidate| candidate.is_linear);
                models.push(Counterexample { model, is_linear });
                hint = None;
            }
            Answer::Unknown(_) => {
                drop_each(executor, candidates, state, &conditions, &mut dropped);
                return (dropped, models);
            }
        }
    }
}

/// What a candidate says where the variables have these values.
fn value_of(terms: &mut Terms, candidate: &Candidate, values: &FxHashMap<Term, Term>) -> Term {
    let condition = terms.substitute(candidate.condition, values);
    if candidate.is_linear { collected(terms, condition) } else { condition }
}

/// One question for each: what is not shown to hold is dropped.
fn drop_each(
    executor: &mut Executor,
    candidates: &mut Vec<Candidate>,
    state: &State,
    conditions: &[Term],
    dropped: &mut Vec<Candidate>,
) {
    let mut kept = Vec::with_capacity(candidates.len());
    let conditions_of_path = state.path_condition().to_vec().into_iter();
    let premises: Vec<(Term, usize)> =
        conditions_of_path.map(|premise| (premise, executor.terms.postorder(&[premise]).len())).collect();
    for (candidate, &condition) in candidates.drain(..).zip(conditions) {
        let fails = executor.terms.not(condition);
        let simple = simple_premises(executor, &premises, fails);
        let (terms, solver) = (&mut executor.terms, &mut executor.solver);
        let holds = [&simple, state.path_condition()].into_iter().any(|premises| {
            let answer = solver.check_briefly(terms, premises, fails, None);
            matches!(answer, Answer::Unsat(_))
        });
        if holds { kept.push(candidate) } else { dropped.push(candidate) }
    }
    *candidates = kept;
}

/// Premises that speak of nothing else than a question does, and are no larger: hard ones keep a
/// solver from an answer that needs none of them.
fn simple_premises(executor: &Executor, premises: &[(Term, usize)], question: Term) -> PathCondition {
    let terms = &executor.terms;
    let vars = terms.vars_of(question);
    let most = terms.postorder(&[question]).len() + MARGIN;
    let is_simple = |&&(premise, size): &&(Term, usize)| {
        size <= most && terms.vars_of(premise).iter().all(|var| vars.contains(var))
    };
    let simple: Vec<Term> = premises.iter().filter(is_simple).map(|premise| premise.0).collect();
    PathCondition::of(terms, &simple)
}
