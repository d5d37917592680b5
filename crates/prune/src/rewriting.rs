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

use espalier_expr::{Op, Term, Terms};
use rustc_hash::FxHashMap;

/// What an equality says of some variables: their values, and what else must hold for it to be true.
#[derive(Default)]
struct Solution {
    values: FxHashMap<Term, Term>,
    rest: Vec<Term>,
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
            let solution = solve(terms, conjunct, is_quantified)?;
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
        let Some(Solution { values, rest }) = solve(terms, conjunct, &is_place) else { continue };
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

/// An equality as values for some of the variables that are `wanted`.
fn solve(terms: &mut Terms, equality: Term, wanted: &dyn Fn(&Terms, Term) -> bool) -> Option<Solution> {
    let node = *terms.node(equality);
    if node.op != Op::Eq {
        return None;
    }
    let (a, b) = (node.arg(0), node.arg(1));
    [(a, b), (b, a)].into_iter().find_map(|(side, value)| {
        let mut solution = Solution::default();
        isolate(terms, side, value, wanted, &mut solution).then_some(solution)
    })
}

/// Solves `side == value` for variables of `side` that are `wanted`, if there are any: what is not
/// solved becomes a part of the rest.
fn isolate(
    terms: &mut Terms,
    side: Term,
    value: Term,
    wanted: &dyn Fn(&Terms, Term) -> bool,
    solution: &mut Solution,
) -> bool {
    let node = *terms.node(side);
    match node.op {
        Op::Var => {
            let is_free = wanted(terms, side)
                && !solution.values.contains_key(&side)
                && !terms.vars_of(value).contains(&side)
                && solution.values.keys().all(|var| !terms.vars_of(value).contains(var))
                && solution.values.values().all(|other| !terms.vars_of(*other).contains(&side));
            if is_free {
                solution.values.insert(side, value);
            }
            is_free
        }
        Op::Not => {
            let value = terms.not(value);
            isolate(terms, node.arg(0), value, wanted, solution)
        }
        Op::Neg => {
            let value = terms.neg(value);
            isolate(terms, node.arg(0), value, wanted, solution)
        }
        Op::Add | Op::Xor => [(0, 1), (1, 0)].into_iter().any(|(one, other)| {
            let other = node.arg(other);
            let left = if node.op == Op::Add { terms.sub(value, other) } else { terms.xor(value, other) };
            isolate(terms, node.arg(one), left, wanted, solution)
        }),
        Op::ZExt | Op::SExt => {
            let narrow = terms.width(node.arg(0));
            let low = terms.trunc(value, narrow);
            if !isolate(terms, node.arg(0), low, wanted, solution) {
                return false;
            }
            let again = if node.op == Op::ZExt { terms.zext(low, node.width) } else { terms.sext(low, node.width) };
            let fits = terms.eq(again, value);
            require(terms, solution, fits);
            true
        }
        Op::Concat => {
            let (high, low) = (node.arg(0), node.arg(1));
            let at = terms.width(low);
            let (above, below) = (terms.extract(value, at, node.width - at), terms.trunc(value, at));
            let parts = [(high, above), (low, below)];
            let solved = parts.map(|(part, value)| isolate(terms, part, value, wanted, solution));
            if solved == [false, false] {
                return false;
            }
            for ((part, value), solved) in parts.into_iter().zip(solved) {
                if !solved {
                    let same = terms.eq(part, value);
                    require(terms, solution, same);
                }
            }
            true
        }
        _ => false,
    }
}

fn require(terms: &mut Terms, solution: &mut Solution, condition: Term) {
    if condition != terms.tru() {
        solution.rest.push(condition);
    }
}
