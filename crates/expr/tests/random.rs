//! Terms built by the rewriting constructors have the values of the recipe they were built by.

mod common;

use common::{Pool, Recipe, float_recipe, rebuild, recipe, reference, run};
use espalier_expr::{Bv, Evaluator, IncrementalEvaluator, Model, Op, Term};
use proptest::prelude::*;
use rustc_hash::FxHashMap;

fn check(recipe: &Recipe) -> Result<(), TestCaseError> {
    let (expected, constants) = reference(recipe);
    let mut pool = Pool::new(constants);
    let built = run(&mut pool, recipe);
    for (values, expected) in recipe.models.iter().zip(&expected) {
        let model = pool.model(values);
        let mut evaluator = Evaluator::new(model.clone());
        for (i, (&term, (value, width))) in built.iter().zip(expected).enumerate() {
            let expected = Bv::from_big(value.clone(), *width);
            prop_assert_eq!(pool.terms.width(term), *width);
            let found = evaluator.eval(&pool.terms, term);
            prop_assert_eq!(&found, &expected, "result {}: {}", i, pool.terms.display(term));
            prop_assert_eq!(pool.terms.eval(term, &model), expected);
        }
        // What is claimed of a term holds of its value, for every term that came up on the way.
        for term in all_terms(&pool) {
            let value = evaluator.eval(&pool.terms, term);
            let saturated = value.fits_u64().unwrap_or(u64::MAX);
            let (lo, hi) = pool.terms.unsigned_range(term);
            prop_assert!(
                lo <= saturated && saturated <= hi,
                "{value} not in {lo}..={hi}: {}",
                pool.terms.display(term)
            );
            let (zeros, ones) = pool.terms.known_bits(term);
            let low = value.resize(64).to_u64().unwrap_or(0);
            prop_assert!(low & zeros == 0 && !low & ones == 0, "{value}: {}", pool.terms.display(term));
        }
    }
    for (values, expected) in recipe.models.iter().zip(&expected) {
        let model = pool.model(values);
        for (&term, (value, width)) in built.iter().zip(expected) {
            let expected = Bv::from_big(value.clone(), *width);
            // All variables, and every other one, replaced by their values.
            for step in [1, 2] {
                let vars = pool.terms.vars_of(term);
                let constants = vars.iter().step_by(step).map(|&var| {
                    let value = model.get_bv(var, pool.terms.width(var));
                    (var, pool.terms.constant_bv(&value))
                });
                let constants: FxHashMap<Term, Term> = constants.collect();
                let replaced = pool.terms.substitute(term, &constants);
                prop_assert_eq!(&pool.terms.eval(replaced, &model), &expected, "{}", pool.terms.display(term));
                prop_assert!(step == 2 || pool.terms.is_const(replaced), "{}", pool.terms.display(replaced));
            }
        }
    }
    for &term in &built {
        let vars: Vec<Term> =
            pool.terms.postorder(&[term]).into_iter().filter(|&t| pool.terms.op(t) == Op::Var).collect();
        prop_assert_eq!(pool.terms.vars_of(term).to_vec(), vars.clone());
        let (places, others) = (pool.terms.span_of(term).has_places(), pool.terms.span_of(term).has_others());
        prop_assert_eq!((places, others), (false, !vars.is_empty()));
        let some: Vec<Term> = pool.vars.iter().copied().step_by(2).collect();
        let expected: Vec<Term> = vars.into_iter().filter(|var| some.contains(var)).collect();
        prop_assert_eq!(pool.terms.vars_among(term, &some), expected);
    }
    check_incremental(&pool, recipe, &built)
}

/// What is kept from the last assignment is what evaluation from scratch gives.
fn check_incremental(pool: &Pool, recipe: &Recipe, built: &[Term]) -> Result<(), TestCaseError> {
    let terms = &pool.terms;
    let mut evaluator = IncrementalEvaluator::default();
    evaluator.add(&pool.vars);
    let mut last = None;
    // Each assignment, and back to the first, so that few change at once, or all.
    for values in recipe.models.iter().flat_map(|values| [values, &recipe.models[0]]) {
        let model = pool.model(values);
        let changed = pool.vars.iter().copied().filter(|&var| {
            last.as_ref()
                .is_none_or(|last: &Model| last.get_bv(var, terms.width(var)) != model.get_bv(var, terms.width(var)))
        });
        evaluator.advance(changed);
        for &term in built {
            for var in evaluator.missing(terms, term) {
                evaluator.set(var, model.get_bv(var, terms.width(var)).to_u64());
            }
            let found = evaluator.eval(terms, term);
            let is_numbers =
                terms.postorder(&[term]).iter().all(|&part| terms.width(part) <= 64 && terms.op(part) != Op::Read);
            prop_assert!(found.is_some() || !is_numbers, "{}", terms.display(term));
            if let Some(found) = found {
                prop_assert_eq!(Some(found), terms.eval(term, &model).to_u64(), "{}", terms.display(term));
            }
        }
        last = Some(model);
    }
    Ok(())
}

fn all_terms(pool: &Pool) -> impl Iterator<Item = Term> + use<> {
    (0..pool.terms.len()).map(Term::from_index)
}

/// A term built again from its arguments is the same term: the normal form is stable.
fn check_stable(recipe: &Recipe) -> Result<(), TestCaseError> {
    let mut pool = Pool::new(reference(recipe).1);
    run(&mut pool, recipe);
    for term in all_terms(&pool) {
        let again = rebuild(&mut pool.terms, term);
        prop_assert_eq!(again, term, "{} is built as {}", pool.terms.display(term), pool.terms.display(again));
    }
    Ok(())
}

#[test]
#[ignore = "prints what the generator makes"]
fn census() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::default();
    let mut counts = std::collections::BTreeMap::new();
    let mut sizes = 0;
    for _ in 0..2000 {
        let recipe = float_recipe(24).new_tree(&mut runner).expect("a recipe").current();
        let mut pool = Pool::new(reference(&recipe).1);
        let built = run(&mut pool, &recipe);
        for term in pool.terms.postorder(&built) {
            *counts.entry(format!("{:?}", pool.terms.op(term))).or_insert(0) += 1;
        }
        sizes += pool.terms.postorder(&built[built.len() - 1..]).len();
    }
    println!("{counts:#?}\nsize of the last term: {}", sizes as f64 / 2000.0);
}

proptest! {
    #![proptest_config(common::config(6000))]

    #[test]
    fn built_terms_have_the_values_of_their_recipe(recipe in recipe(24)) {
        check(&recipe)?;
    }

    #[test]
    fn so_do_floats(recipe in float_recipe(16)) {
        check(&recipe)?;
    }

    #[test]
    fn the_normal_form_is_stable(recipe in recipe(16)) {
        check_stable(&recipe)?;
    }
}
