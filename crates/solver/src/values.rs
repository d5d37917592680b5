//! All values that a term can have, where these depend on a few bytes.
//!
//! An index that a program computes from a byte or two has few values, and circuits say this only
//! after many questions. So the values that the path condition leaves for each byte are combined,
//! and the term is evaluated for each combination: one pass over a few thousand cases in place of a
//! question for each value. What constraints on other variables say of these bytes is not looked
//! at: then some of the values may be impossible ([`Values::is_exact`]), but none is missing.
//!
//! Where there are too many combinations, some of them are tried, all over the place: what is found
//! so is possible, and the rest is to be asked ([`Values::is_complete`]).

use espalier_expr::{Evaluator, Model, Term, Terms};
use std::collections::BTreeMap;
use std::rc::Rc;

/// How many variables may matter, how wide they may be, and how many cases are tried.
const VARIABLES: usize = 8;
const WIDTH: u32 = 8;
const CASES: usize = 1 << 12;

/// A value, and for which values of the variables the term has it.
pub struct Case {
    pub value: u64,
    pub inputs: Vec<Vec<u64>>,
}

/// The values of a term, in ascending order.
pub struct Values {
    /// What the term depends on; [`Case::inputs`] are in the same order.
    pub vars: Rc<[Term]>,
    pub cases: Vec<Case>,
    /// Is each of the values possible? Else that is to be asked.
    pub is_exact: bool,
    /// Are these all values, and for each of them all inputs?
    pub is_complete: bool,
}

/// The values that `term` can have where all of `slice` hold: the constraints that are connected
/// with it. `None` if they are more than `most`, or too much work to find.
pub fn values(terms: &Terms, slice: &[Term], term: Term, most: usize) -> Option<Values> {
    let vars = terms.vars_of(term);
    let is_small = |&var: &Term| terms.width(var) <= WIDTH;
    if vars.is_empty() || vars.len() > VARIABLES || terms.width(term) > 64 || !vars.iter().all(is_small) {
        return None;
    }
    let (mut own, mut common, mut is_exact) = (vec![Vec::new(); vars.len()], Vec::new(), true);
    for &constraint in slice {
        let constrained = terms.vars_of(constraint);
        let places = constrained.iter().map(|var| vars.binary_search(var).ok());
        match places.collect::<Option<Vec<usize>>>().as_deref() {
            Some(&[place]) => own[place].push(constraint),
            Some(_) => common.push(constraint),
            None => is_exact = false,
        }
    }
    let mut evaluator = Evaluator::new(Model::new());
    let mut left: Vec<Vec<u64>> = Vec::with_capacity(vars.len());
    let mut count: usize = 1;
    for (&var, constraints) in vars.iter().zip(&own) {
        let allowed = (0..1u64 << terms.width(var)).filter(|&value| {
            let mut model = Model::new();
            model.set(var, value);
            evaluator.set_model(model);
            constraints.iter().all(|&constraint| evaluator.eval_bool(terms, constraint))
        });
        left.push(allowed.collect());
        count = count.saturating_mul(left.last().map_or(0, Vec::len));
    }
    let is_complete = count <= CASES;
    let mut found: BTreeMap<u64, Vec<Vec<u64>>> = BTreeMap::new();
    let mut random = 1u64;
    for case in 0..count.min(CASES) {
        let mut rest = case;
        let mut inputs = Vec::with_capacity(vars.len());
        let mut model = Model::new();
        for (&var, left) in vars.iter().zip(&left) {
            if !is_complete {
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                rest = (random >> 33) as usize;
            }
            let value = left[rest % left.len()];
            rest /= left.len();
            model.set(var, value);
            inputs.push(value);
        }
        evaluator.set_model(model);
        if common.iter().all(|&constraint| evaluator.eval_bool(terms, constraint)) {
            let known = found.entry(evaluator.eval_u64(terms, term)).or_default();
            if is_complete || known.is_empty() {
                known.push(inputs);
            }
            if found.len() > most {
                return None;
            }
        }
    }
    let cases = found.into_iter().map(|(value, inputs)| Case { value, inputs }).collect();
    Some(Values { vars, cases, is_exact, is_complete })
}

impl Values {
    /// Conditions under which the term has the value of one of these cases, if the path condition
    /// holds. They are about the variables where that is short, since then nobody has to find out
    /// again what the term is for them.
    pub fn conditions(&self, terms: &mut Terms, term: Term, cases: &[&Case]) -> Vec<Term> {
        let mut inputs = cases.iter().flat_map(|case| &case.inputs);
        if let (true, Some(only), None) = (self.is_complete, inputs.next(), inputs.next()) {
            let parts = self.vars.iter().zip(only);
            return parts.map(|(&var, &value)| is_within(terms, var, value, value)).collect();
        }
        let numbers = cases.iter().map(|case| case.value).collect();
        let (mut of, mut ranges) = (term, ranges(numbers));
        if let ([var], true) = (&self.vars[..], self.is_complete) {
            let inputs = cases.iter().flat_map(|case| case.inputs.iter().flatten()).copied().collect();
            (of, ranges) = (*var, self::ranges(inputs));
        }
        let none = terms.fals();
        let within = ranges.into_iter().fold(none, |any, (low, high)| {
            let within = is_within(terms, of, low, high);
            terms.or(any, within)
        });
        vec![within]
    }
}

/// `low <= term <= high`.
fn is_within(terms: &mut Terms, term: Term, low: u64, high: u64) -> Term {
    let width = terms.width(term);
    let (least, most) = (terms.constant(low, width), terms.constant(high, width));
    if low == high {
        return terms.eq(term, least);
    }
    let (above, below) = (terms.ule(least, term), terms.ule(term, most));
    terms.and(above, below)
}

/// The least and the greatest of each run of numbers.
fn ranges(mut numbers: Vec<u64>) -> Vec<(u64, u64)> {
    numbers.sort_unstable();
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, high)) if number - *high <= 1 => *high = number,
            _ => ranges.push((number, number)),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use espalier_expr::{ArrayByte, SymbolKind};

    /// Random terms over bytes and a table, and random constraints on them.
    struct Generator {
        seed: u64,
        bytes: Vec<Term>,
    }

    impl Generator {
        fn below(&mut self, limit: usize) -> usize {
            self.seed = self.seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.seed >> 33) as usize % limit
        }

        fn term(&mut self, terms: &mut Terms, depth: u32) -> Term {
            if depth == 0 || self.below(5) == 0 {
                let index = self.below(self.bytes.len());
                return self.bytes[index];
            }
            let (a, number) = (self.term(terms, depth - 1), self.below(60) as u64 + 2);
            let number = terms.constant(number, 8);
            match self.below(5) {
                0 => terms.and(a, number),
                1 => terms.urem(a, number),
                2 => terms.mul(a, number),
                3 => {
                    let b = self.term(terms, depth - 1);
                    terms.add(a, b)
                }
                _ => {
                    let table = (0..64).map(|i| ArrayByte::Concrete((i * i % 37) as u8)).collect();
                    let table = terms.array_base(table);
                    terms.read(table, a)
                }
            }
        }
    }

    /// The constraints that a chain of shared variables connects with the term.
    fn connected(terms: &Terms, constraints: &[Term], term: Term) -> Vec<Term> {
        let mut reached = terms.vars_of(term).to_vec();
        let mut found: Vec<Term> = Vec::new();
        while let Some(&next) = constraints.iter().find(|&&constraint| {
            !found.contains(&constraint) && terms.vars_of(constraint).iter().any(|var| reached.contains(var))
        }) {
            reached.extend_from_slice(&terms.vars_of(next));
            found.push(next);
        }
        found
    }

    #[test]
    fn values_are_those_of_brute_force() {
        let (mut exact, mut open, mut sampled, mut given_up) = (0, 0, 0, 0);
        for seed in 0..200 {
            let mut terms = Terms::new();
            let bytes = terms.byte_vars(SymbolKind::Input, "x", 3);
            let mut generator = Generator { seed, bytes: bytes.clone() };
            let limit = terms.constant(20, 8);
            // Few enough for brute force.
            let mut slice: Vec<Term> = bytes.iter().map(|&byte| terms.ult(byte, limit)).collect();
            for _ in 0..generator.below(4) {
                let (a, b) = (generator.term(&mut terms, 2), generator.term(&mut terms, 1));
                let constraint = terms.ule(a, b);
                if !terms.is_const(constraint) {
                    slice.push(constraint);
                }
            }
            let term = generator.term(&mut terms, 3);
            if terms.is_const(term) {
                continue;
            }
            let slice = connected(&terms, &slice, term);
            let is_closed = slice.iter().all(|&c| terms.vars_of(c).iter().all(|v| terms.vars_of(term).contains(v)));
            let mut expected: BTreeMap<u64, u64> = BTreeMap::new();
            let mut evaluator = Evaluator::new(Model::new());
            for case in 0..20u64.pow(3) {
                let mut model = Model::new();
                bytes.iter().zip([case % 20, case / 20 % 20, case / 400]).for_each(|(&b, v)| model.set(b, v));
                evaluator.set_model(model);
                if slice.iter().all(|&c| evaluator.eval_bool(&terms, c)) {
                    *expected.entry(evaluator.eval_u64(&terms, term)).or_default() += 1;
                }
            }
            let Some(found) = values(&terms, &slice, term, 64) else {
                assert!(expected.len() > 64 || !is_closed, "seed {seed}");
                given_up += 1;
                continue;
            };
            if !found.is_complete {
                sampled += 1;
                let is_wrong = |case: &Case| found.is_exact && !expected.contains_key(&case.value);
                assert!(!found.cases.iter().any(is_wrong), "seed {seed}");
                continue;
            }
            assert_eq!(found.is_exact, is_closed, "seed {seed}");
            let numbers: Vec<u64> = found.cases.iter().map(|case| case.value).collect();
            assert!(expected.keys().all(|value| numbers.contains(value)), "seed {seed}");
            if !found.is_exact {
                open += 1;
                continue;
            }
            exact += 1;
            assert_eq!(numbers, expected.keys().copied().collect::<Vec<_>>(), "seed {seed}");
            // Conditions hold for the inputs of their cases and no others.
            for at in 0..found.cases.len() {
                let some = [&found.cases[at], &found.cases[generator.below(found.cases.len())]];
                let some = if generator.below(2) == 0 { &some[..1] } else { &some };
                let conditions = found.conditions(&mut terms, term, some);
                for case in &found.cases {
                    let is_meant = some.iter().any(|other| other.value == case.value);
                    for inputs in &case.inputs {
                        let mut model = Model::new();
                        found.vars.iter().zip(inputs).for_each(|(&var, &value)| model.set(var, value));
                        let mut evaluator = Evaluator::new(model);
                        assert_eq!(evaluator.eval_u64(&terms, term), case.value, "seed {seed}");
                        let hold = conditions.iter().all(|&c| evaluator.eval_bool(&terms, c));
                        assert_eq!(hold, is_meant, "seed {seed}");
                    }
                }
            }
        }
        assert!(exact > 40 && open > 10 && sampled > 0 && given_up > 0, "{exact} {open} {sampled} {given_up}");
    }
}
