//! Clauses in their simplest form: equalities in guards are used up, instead of being dragged along.
//!
//! A clause is carried backwards as `guard => clause`, and most guards are equalities: `next == 3`.
//! Left as they are, they pile up, one for each path below. Each rule here gives an equivalent
//! clause:
//!
//! - *destructive equality resolution*: `v == t => R`, for all `v`, is `R` with `t` for `v`, where
//!   `v` is an input that the program has not asked for yet. `v` is found through additions,
//!   extensions, concatenations of bytes and the like;
//! - `x == c => R`, where `x` is a place of the state, is `x == c => R` with `c` for `x` in `R`.

use espalier_exec::Executor;
use espalier_expr::{Op, PathCondition, Solution, Term, Terms};
use espalier_solver::Answer;

/// A clause that was rewritten, and what became of it: both written out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rewriting {
    pub before: String,
    pub after: String,
}

/// Asks the solver whether rewritten clauses say enough, and keeps those that do not.
#[derive(Default)]
pub struct Checks {
    wrong: Vec<Rewriting>,
}

impl Checks {
    /// `before` has become `after`, where what is `given` holds too: does it follow from these,
    /// whatever the inputs and the state are?
    pub fn check(&mut self, executor: &mut Executor, before: Term, after: Term, given: &[Term]) {
        let terms = &mut executor.terms;
        let lost = terms.not(before);
        let all: Vec<Term> = given.iter().copied().chain([after, lost]).collect();
        let all = terms.bool_and(&all);
        if before == after || all == terms.fals() {
            return;
        }
        if let Answer::Sat(_) = executor.solver.check_briefly(terms, &PathCondition::default(), all, None) {
            let text = |term: Term| executor.terms.display(term).to_string();
            self.wrong.push(Rewriting { before: text(before), after: text(after) });
        }
    }

    pub fn take_wrong(&mut self) -> Vec<Rewriting> {
        std::mem::take(&mut self.wrong)
    }
}

/// The simplest equivalent of a clause. `is_quantified` tells the variables for whose every value the
/// clause is to hold; the others are places of the state.
pub fn simplify(terms: &mut Terms, clause: Term, is_quantified: &dyn Fn(&Terms, Term) -> bool) -> Term {
    let mut clause = clause;
    // What must not hold all at once.
    loop {
        let negated = terms.not(clause);
        let conjuncts = terms.conjuncts(negated);
        let resolved = conjuncts.iter().enumerate().find_map(|(at, &conjunct)| {
            let solution = terms.solve(conjunct, is_quantified)?;
            Some((at, solution))
        });
        let Some((at, Solution { values, rest })) = resolved else {
            return fix_places(terms, clause, conjuncts, is_quantified);
        };
        let others = conjuncts.into_iter().enumerate().filter(|&(other, _)| other != at).map(|(_, other)| other);
        let left: Vec<Term> =
            rest.into_iter().chain(others).map(|conjunct| terms.substitute(conjunct, &values)).collect();
        let all = terms.bool_and(&left);
        clause = terms.not(all);
    }
}

/// Puts the numbers that places are compared with into the rest of the clause.
fn fix_places(
    terms: &mut Terms,
    clause: Term,
    conjuncts: Vec<Term>,
    is_quantified: &dyn Fn(&Terms, Term) -> bool,
) -> Term {
    if conjuncts.len() < 2 {
        return clause;
    }
    let is_place = |terms: &Terms, var: Term| !is_quantified(terms, var);
    let mut is_same = true;
    let mut conjuncts = conjuncts;
    for at in 0..conjuncts.len() {
        let conjunct = conjuncts[at];
        if terms.op(conjunct) != Op::Eq {
            continue;
        }
        let node = *terms.node(conjunct);
        if !node.args().any(|side| terms.is_const(side)) {
            continue;
        }
        let Some(Solution { values, rest }) = terms.solve(conjunct, &is_place) else { continue };
        if !rest.is_empty() || !values.values().all(|&value| terms.is_const(value)) {
            continue;
        }
        for (other, conjunct) in conjuncts.iter_mut().enumerate() {
            if other != at {
                let new = terms.substitute(*conjunct, &values);
                is_same &= new == *conjunct;
                *conjunct = new;
            }
        }
    }
    if is_same {
        return clause;
    }
    let all = terms.bool_and(&conjuncts);
    terms.not(all)
}
