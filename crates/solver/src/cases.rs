//! Deciding a slice case by case: all values of the few small variables that matter.
//!
//! A parser's questions are about one or two bytes, however large the memory is that these bytes
//! index. So the values of up to [`VARIABLES`] byte variables are tried one after the other, and
//! everything is evaluated with all other variables unknown ([`Terms::apply_known`]): a case in
//! which a constraint is false is done with, and so is everything below it. What is left is tried
//! with the values that the state's model has for the other variables. If every case has a false
//! constraint, there is no solution, and these constraints are the core.
//!
//! If that does not decide it, all values of one variable at a time are tried, and then of two, the
//! others being what they are in the model. That finds what has a given hash, where a solver has to
//! turn the hash function round.
//!
//! Each part of a term is evaluated again only when the last of the variables that it depends on
//! changes. The work is counted and limited: what is not decided by then, a solver gets.

use crate::Answer;
use espalier_expr::{ArrayByte, ArrayId, ArrayNode, Evaluator, Model, Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// How many variables are tried together, how many one at a time, and how wide they may be.
const VARIABLES: usize = 4;
const SINGLE: usize = 16;
const WIDTH: u32 = 8;

/// Slices with more parts than this are not looked at.
const PARTS: usize = 10_000;
const PARTS_WHEN_FEW: usize = 100_000;

/// Parts that may be evaluated, with unknown variables and with known ones.
const WORK: u64 = 300_000;
const WORK_WHEN_KNOWN: u64 = 1_500_000;

/// What a part takes, in nanoseconds, and the most that a few cases may.
const PART_COST: u64 = 20;
const MOST_COST: u64 = 60_000_000;

/// How many cases with unknown constraints are tried with the model's values.
const TRIES: u32 = 16;

/// Work that led to nothing may be so many times that which did, and this much more.
const PATIENCE: u64 = 1;
const LEAST_PATIENCE: u64 = 2_000_000;

/// So many constraints on one variable are remembered.
const REMEMBERED: usize = 1 << 16;

/// Whether it pays, in counted work, and what can be used again.
#[derive(Default)]
pub struct Cases {
    useful: u64,
    wasted: u64,
    /// Work where all cases are few.
    all: u64,
    known: Known,
}

/// The values of their only variable for which constraints hold, as bits.
type Known = FxHashMap<Term, [u64; 4]>;

impl Cases {
    /// What was done so far, counted.
    pub fn work(&self) -> u64 {
        self.useful + self.wasted + self.all
    }

    /// Decides the conjunction of `slice`, if that is little work. `base` has values for variables
    /// that are not tried; the last constraint is the one that was asked about. A model has values
    /// for the variables of the slice and no others.
    pub fn decide(&mut self, terms: &Terms, slice: &[Term], base: Option<&Model>) -> Option<Answer> {
        if self.wasted > PATIENCE * self.useful + LEAST_PATIENCE {
            return None;
        }
        let none = Model::new();
        let mut search = Search::new(terms, slice, base.unwrap_or(&none), &mut self.known, PARTS)?;
        let outcome = search.run();
        let (found, work) = (search.answer(outcome), search.work);
        *(if found.is_some() { &mut self.useful } else { &mut self.wasted }) += work;
        found
    }

    /// As `decide`, if there are few cases in all, so that trying each of them is less work than
    /// what a solver would cost, in nanoseconds.
    pub fn decide_all(
        &mut self,
        terms: &Terms,
        slice: &[Term],
        base: Option<&Model>,
        alternative: u64,
    ) -> Option<Answer> {
        let mut vars: Vec<Term> = Vec::new();
        for &constraint in slice {
            for &var in terms.vars_of(constraint).iter() {
                if !vars.contains(&var) {
                    if vars.len() == VARIABLES || terms.width(var) > WIDTH {
                        return None;
                    }
                    vars.push(var);
                }
            }
        }
        let none = Model::new();
        let mut search = Search::new(terms, slice, base.unwrap_or(&none), &mut self.known, PARTS_WHEN_FEW)?;
        let outcome = search.run_all(alternative.min(MOST_COST) / PART_COST);
        let (found, work) = (search.answer(outcome), search.work);
        self.all += work;
        found
    }
}

fn restricted(terms: &Terms, slice: &[Term], model: &Model) -> Model {
    let mut part = Model::new();
    for &constraint in slice {
        for &var in terms.vars_of(constraint).iter() {
            part.set_bv(var, model.get_bv(var, terms.width(var)));
        }
    }
    part
}

enum Outcome {
    Sat(Rc<Model>),
    Refuted,
    Open,
}

/// A term of the slice. Arguments are given by their places, which are before it.
struct Part {
    term: Term,
    args: [u32; 3],
    arity: u8,
    /// Which of the tried variables it depends on, last: 0 for none.
    level: u8,
}

struct Search<'a> {
    terms: &'a Terms,
    slice: &'a [Term],
    base: &'a Model,
    known: &'a mut Known,
    parts: Vec<Part>,
    at: FxHashMap<Term, u32>,
    values: Vec<Option<u64>>,
    /// The variables that can be tried, as places, those of what is asked first.
    small: Vec<u32>,
    small_of_asked: usize,
    /// What their own constraints leave of their values, by place, as far as it was looked at.
    left: FxHashMap<u32, Rc<[u64]>>,
    /// Those that are being tried.
    tried: Vec<u32>,
    /// Whether the others have the values of the model.
    is_known: bool,
    /// Parts by level, and constraints by level.
    by_level: Vec<Vec<u32>>,
    constraints: Vec<Vec<usize>>,
    /// The arrays with stores that were gone past.
    arrays: FxHashSet<ArrayId>,
    /// The levels of arrays, and the last of their parts.
    array_levels: FxHashMap<ArrayId, (u8, u32)>,
    /// The variables that can be tried among the bytes of a base.
    base_vars: FxHashMap<ArrayId, Rc<[Term]>>,
    /// Which constraints were false in some case.
    used: Vec<bool>,
    work: u64,
    limit: u64,
    tries: u32,
    scratch: Evaluator,
}

impl<'a> Search<'a> {
    fn new(
        terms: &'a Terms,
        slice: &'a [Term],
        base: &'a Model,
        known: &'a mut Known,
        most: usize,
    ) -> Option<Search<'a>> {
        let mut search = Search {
            terms,
            slice,
            base,
            known,
            parts: Vec::new(),
            at: FxHashMap::default(),
            values: Vec::new(),
            small: Vec::new(),
            small_of_asked: 0,
            left: FxHashMap::default(),
            tried: Vec::new(),
            is_known: false,
            by_level: Vec::new(),
            constraints: Vec::new(),
            arrays: FxHashSet::default(),
            array_levels: FxHashMap::default(),
            base_vars: FxHashMap::default(),
            used: vec![false; slice.len()],
            work: 0,
            limit: 0,
            tries: 0,
            scratch: Evaluator::new(Model::new()),
        };
        for (index, &constraint) in slice.iter().rev().enumerate() {
            search.collect(constraint, most)?;
            if index == 0 {
                search.small_of_asked = search.small.len();
            }
        }
        (!search.small.is_empty()).then_some(search)
    }

    /// Adds the parts of a term, arguments first. Bytes of array bases are not among them.
    fn collect(&mut self, root: Term, most: usize) -> Option<()> {
        let mut stack = vec![(root, false)];
        while let Some((term, is_ready)) = stack.pop() {
            if self.at.contains_key(&term) {
                continue;
            }
            let node = self.terms.node(term);
            if !is_ready {
                stack.push((term, true));
                stack.extend(node.args().map(|arg| (arg, false)));
                // The oldest store is looked at first: what is below it was gone past before.
                if node.op == Op::Read {
                    let mut array = node.array();
                    while let &ArrayNode::Store { array: below, index, value } = self.terms.array_node(array) {
                        if !self.arrays.insert(array) {
                            break;
                        }
                        stack.extend([(index, false), (value, false)]);
                        array = below;
                    }
                }
                if stack.len() > most {
                    return None;
                }
                continue;
            }
            if self.parts.len() >= most {
                return None;
            }
            let mut args = [0; 3];
            let mut arity = 0;
            for (place, arg) in args.iter_mut().zip(node.args()) {
                *place = self.at[&arg];
                arity += 1;
            }
            let place = self.parts.len() as u32;
            if node.op == Op::Var && node.width <= WIDTH && self.small.len() < SINGLE {
                self.small.push(place);
            }
            self.parts.push(Part { term, args, arity, level: 0 });
            self.at.insert(term, place);
        }
        Some(())
    }

    /// Sets out to try these variables, if all parts are before what they are parts of.
    fn plan(&mut self, tried: &[u32], is_known: bool) -> bool {
        self.tried = tried.to_vec();
        self.is_known = is_known;
        self.values = vec![None; self.parts.len()];
        self.array_levels.clear();
        self.work += self.parts.len() as u64;
        self.by_level = vec![Vec::new(); tried.len() + 1];
        self.constraints = vec![Vec::new(); tried.len() + 1];
        for place in 0..self.parts.len() {
            let part = &self.parts[place];
            let own = self.tried_level(part.term);
            let args = part.args[..part.arity as usize].iter().map(|&arg| self.parts[arg as usize].level);
            let mut level = args.fold(own, u8::max);
            let node = self.terms.node(part.term);
            if node.op == Op::Read {
                let (of_array, last) = self.array_level(node.array());
                if last as usize >= place {
                    return false;
                }
                level = level.max(of_array);
            }
            self.parts[place].level = level;
            self.by_level[level as usize].push(place as u32);
        }
        for (index, constraint) in self.slice.iter().enumerate() {
            let level = self.parts[self.at[constraint] as usize].level;
            self.constraints[level as usize].push(index);
        }
        true
    }

    /// The level of the terms in an array's stores and base, and where the last of the stores' is.
    fn array_level(&mut self, array: ArrayId) -> (u8, u32) {
        let mut above = Vec::new();
        let mut at = array;
        let (mut level, mut last) = loop {
            if let Some(&known) = self.array_levels.get(&at) {
                break known;
            }
            self.work += 1;
            match self.terms.array_node(at) {
                &ArrayNode::Store { array: below, index, value } => {
                    above.push((at, index, value));
                    at = below;
                }
                ArrayNode::Base(base) => {
                    self.work += base.len() / 8;
                    let (terms, places, last) = (self.terms, &self.at, self.small.last());
                    // Few of a base's bytes are among the first parts.
                    let is_small = |&term: &Term| {
                        terms.op(term) == Op::Var && places.get(&term).is_some_and(|place| Some(place) <= last)
                    };
                    let vars = self.base_vars.entry(at);
                    let vars = vars.or_insert_with(|| terms.array_terms(base).filter(is_small).collect()).clone();
                    let level = vars.iter().map(|&var| self.tried_level(var)).max().unwrap_or(0);
                    self.array_levels.insert(at, (level, 0));
                    break (level, 0);
                }
            }
        };
        for (at, index, value) in above.into_iter().rev() {
            for term in [index, value] {
                let place = self.at[&term];
                level = level.max(self.parts[place as usize].level);
                last = last.max(place);
            }
            self.array_levels.insert(at, (level, last));
        }
        (level, last)
    }

    /// Which of the tried variables this is, from 1; 0 for any other term.
    fn tried_level(&self, term: Term) -> u8 {
        let mut tried = self.tried.iter().map(|&place| self.parts[place as usize].term);
        tried.position(|var| var == term).map_or(0, |index| index as u8 + 1)
    }

    fn answer(&self, outcome: Outcome) -> Option<Answer> {
        match outcome {
            Outcome::Sat(model) => Some(Answer::Sat(Rc::new(restricted(self.terms, self.slice, &model)))),
            Outcome::Refuted => {
                let used = self.used.iter().zip(self.slice);
                Some(Answer::Unsat(used.filter(|&(&used, _)| used).map(|(_, &c)| c).collect()))
            }
            Outcome::Open => None,
        }
    }

    /// All cases, if they are no more than so much work.
    fn run_all(&mut self, work: u64) -> Outcome {
        let tried = self.small.clone();
        let mut cost = self.parts.len() as u64;
        for &place in &tried {
            cost = cost.saturating_mul(self.values_left(place).len() as u64);
        }
        if cost > work {
            return Outcome::Open;
        }
        self.try_all(&tried, false, u64::MAX)
    }

    fn run(&mut self) -> Outcome {
        if self.small_of_asked <= VARIABLES {
            let tried = self.small[..self.small.len().min(VARIABLES)].to_vec();
            match self.try_all(&tried, false, WORK) {
                Outcome::Open => {}
                decided => return decided,
            }
        }
        let single = self.small[..self.small_of_asked.min(SINGLE)].to_vec();
        for &place in &single {
            if let Outcome::Sat(model) = self.try_all(&[place], true, WORK_WHEN_KNOWN) {
                return Outcome::Sat(model);
            }
        }
        for (index, &first) in single.iter().enumerate() {
            for &second in &single[..index] {
                if let Outcome::Sat(model) = self.try_all(&[second, first], true, WORK_WHEN_KNOWN) {
                    return Outcome::Sat(model);
                }
            }
        }
        Outcome::Open
    }

    /// The values that the constraints on this variable alone leave for it, the model's first.
    fn values_left(&mut self, place: u32) -> Rc<[u64]> {
        if let Some(left) = self.left.get(&place) {
            return left.clone();
        }
        let var = self.parts[place as usize].term;
        let count = 1u64 << self.terms.width(var);
        let first = self.value_in_base(var).unwrap_or(0) % count;
        let is_own = |constraint: Term| *self.terms.vars_of(constraint) == [var];
        let own: Vec<usize> = (0..self.slice.len()).filter(|&index| is_own(self.slice[index])).collect();
        let holds: Vec<[u64; 4]> = own.iter().map(|&index| self.values_of_one(var, self.slice[index])).collect();
        let mut left = Vec::new();
        for value in (first..count).chain(0..first) {
            let is_false = |holds: &[u64; 4]| holds[value as usize / 64] >> (value % 64) & 1 == 0;
            match holds.iter().position(is_false) {
                Some(place) => self.used[own[place]] = true,
                None => left.push(value),
            }
        }
        let left: Rc<[u64]> = left.into();
        self.left.insert(place, left.clone());
        left
    }

    /// The values of its only variable for which a constraint holds.
    fn values_of_one(&mut self, var: Term, constraint: Term) -> [u64; 4] {
        if let Some(&holds) = self.known.get(&constraint) {
            return holds;
        }
        let count = 1u64 << self.terms.width(var);
        self.work += 4 * count;
        let mut holds = [0; 4];
        for value in 0..count {
            let mut model = Model::new();
            model.set(var, value);
            self.scratch.set_model(model);
            let bit = u64::from(self.scratch.eval_bool(self.terms, constraint));
            holds[value as usize / 64] |= bit << (value % 64);
        }
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        self.known.insert(constraint, holds);
        holds
    }

    fn try_all(&mut self, tried: &[u32], is_known: bool, work: u64) -> Outcome {
        if self.work > work {
            return Outcome::Open;
        }
        if !self.plan(tried, is_known) {
            return Outcome::Open;
        }
        self.limit = work;
        self.evaluate(0);
        if self.find_false(0) { Outcome::Refuted } else { self.descend(1) }
    }

    /// All values of the variable of this level, and of those after it.
    fn descend(&mut self, level: usize) -> Outcome {
        if level > self.tried.len() {
            return self.finish();
        }
        let place = self.tried[level - 1];
        let left = self.values_left(place);
        let mut outcome = Outcome::Refuted;
        for &value in left.iter() {
            if self.work > self.limit {
                return Outcome::Open;
            }
            self.values[place as usize] = Some(value);
            self.evaluate(level);
            if self.find_false(level) {
                continue;
            }
            match self.descend(level + 1) {
                Outcome::Refuted => {}
                Outcome::Sat(model) => return Outcome::Sat(model),
                // Another case may still have a solution.
                Outcome::Open if self.tries < TRIES || self.is_known => outcome = Outcome::Open,
                Outcome::Open => return Outcome::Open,
            }
        }
        self.values[place as usize] = None;
        outcome
    }

    fn evaluate(&mut self, level: usize) {
        let places = std::mem::take(&mut self.by_level[level]);
        self.work += places.len() as u64;
        for &place in &places {
            let part = &self.parts[place as usize];
            let node = self.terms.node(part.term);
            let value = match node.op {
                Op::Var if self.tried_level(part.term) > 0 => continue,
                Op::Var if self.is_known => self.value_in_base(part.term),
                Op::Var => None,
                Op::Read => self.read(node.array(), self.values[part.args[0] as usize]),
                _ => {
                    let mut values = [None; 3];
                    for (value, &arg) in values.iter_mut().zip(&part.args[..part.arity as usize]) {
                        *value = self.values[arg as usize];
                    }
                    self.terms.apply_known(part.term, values)
                }
            };
            self.values[place as usize] = value;
        }
        self.by_level[level] = places;
    }

    fn read(&mut self, mut array: ArrayId, index: Option<u64>) -> Option<u64> {
        let index = index?;
        loop {
            self.work += 1;
            match self.terms.array_node(array) {
                &ArrayNode::Store { array: below, index: at, value } => {
                    if self.values[self.at[&at] as usize]? == index {
                        return self.values[self.at[&value] as usize];
                    }
                    array = below;
                }
                ArrayNode::Base(base) => {
                    return match self.terms.array_byte(base, index) {
                        ArrayByte::Concrete(value) => Some(value as u64),
                        // Of other terms it is not known whether they are up to date.
                        ArrayByte::Term(term) if self.tried_level(term) > 0 => self.values[self.at[&term] as usize],
                        ArrayByte::Term(term) if self.is_known && self.terms.op(term) == Op::Var => {
                            self.value_in_base(term)
                        }
                        ArrayByte::Term(_) => None,
                    };
                }
            }
        }
    }

    /// The value of a variable of at most 64 bits.
    fn value_in_base(&self, var: Term) -> Option<u64> {
        let value = self.base.get(var).or_else(|| self.terms.fixed_value(var)).unwrap_or(0);
        (self.terms.width(var) <= 64).then_some(value)
    }

    /// Whether a constraint of this level is false; preferably one that has been before.
    fn find_false(&mut self, level: usize) -> bool {
        let is_false = |&&index: &&usize| self.values[self.at[&self.slice[index]] as usize] == Some(0);
        let constraints = &self.constraints[level];
        self.work += constraints.len() as u64;
        let known = constraints.iter().filter(|&&index| self.used[index]).find(is_false);
        match known.or_else(|| constraints.iter().find(is_false)) {
            Some(&index) => {
                self.used[index] |= !self.is_known;
                true
            }
            None => false,
        }
    }

    /// No constraint is known to be false.
    fn finish(&mut self) -> Outcome {
        let mut model = self.base.clone();
        for &place in &self.tried {
            if let Some(value) = self.values[place as usize] {
                model.set(self.parts[place as usize].term, value);
            }
        }
        let model = Rc::new(model);
        if self.tries < TRIES || self.is_known {
            self.tries += 1;
            self.work += self.parts.len() as u64;
            self.scratch.set_model(model.clone());
            if self.slice.iter().rev().all(|&c| self.scratch.eval_bool(self.terms, c)) {
                return Outcome::Sat(model);
            }
        }
        Outcome::Open
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Backend, Limits, SatBackend};
    use espalier_expr::SymbolKind;

    /// Random conditions over bytes, tables of numbers and bytes, and stores at unknown places.
    struct Generator {
        seed: u64,
        bytes: Vec<Term>,
        arrays: Vec<ArrayId>,
    }

    impl Generator {
        fn below(&mut self, limit: usize) -> usize {
            self.seed = self.seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.seed >> 33) as usize % limit
        }

        fn byte(&mut self, terms: &mut Terms, depth: u32) -> Term {
            let choice = if depth == 0 { self.below(2) } else { self.below(9) };
            let [a, b] = match choice {
                0 => return terms.constant(self.below(40) as u64, 8),
                1 => {
                    let index = self.below(self.bytes.len());
                    return self.bytes[index];
                }
                _ => [self.byte(terms, depth - 1), self.byte(terms, depth - 1)],
            };
            match choice {
                2 => terms.add(a, b),
                3 => terms.and(a, b),
                4 => terms.mul(a, b),
                5 => terms.urem(a, b),
                6 => {
                    let condition = terms.ult(a, b);
                    terms.ite(condition, b, a)
                }
                _ => {
                    let index = self.below(self.arrays.len());
                    let mut array = self.arrays[index];
                    if self.below(2) == 0 {
                        let value = self.byte(terms, depth - 1);
                        array = terms.array_store(array, b, value);
                        self.arrays.push(array);
                    }
                    terms.read(array, a)
                }
            }
        }

        fn condition(&mut self, terms: &mut Terms) -> Term {
            let (a, b) = (self.byte(terms, 3), self.byte(terms, 2));
            let condition = match self.below(3) {
                0 => terms.eq(a, b),
                1 => terms.ult(a, b),
                _ => terms.slt(a, b),
            };
            if self.below(3) == 0 { terms.not(condition) } else { condition }
        }
    }

    #[test]
    fn what_is_decided_by_cases_is_so() {
        let mut found = [0, 0, 0];
        for seed in 0..60 {
            let mut terms = Terms::new();
            let bytes = terms.byte_vars(SymbolKind::Input, "x", 6);
            let table: Vec<ArrayByte> = (0..40)
                .map(|i| if i % 3 == 0 { ArrayByte::Term(bytes[i % 6]) } else { ArrayByte::Concrete((i * i) as u8) })
                .collect();
            let numbers = (0..64).map(|i| ArrayByte::Concrete((i * 7 % 13) as u8)).collect();
            let arrays = vec![terms.array_base(table), terms.array_base(numbers)];
            // The last two bytes are only in the table.
            let mut generator = Generator { seed, bytes: bytes[..4].to_vec(), arrays };
            let mut base = Model::new();
            bytes.iter().for_each(|&byte| base.set(byte, generator.below(256) as u64));
            for _ in 0..8 {
                let count = 1 + generator.below(8);
                let slice: Vec<Term> = (0..count).map(|_| generator.condition(&mut terms)).collect();
                if slice.iter().any(|&c| terms.is_const(c)) {
                    continue;
                }
                let expected = SatBackend::new(0).check(&mut terms, &slice, &Limits::default());
                match Cases::default().decide(&terms, &slice, Some(&base)) {
                    None => found[2] += 1,
                    Some(Answer::Sat(model)) => {
                        found[0] += 1;
                        let mut evaluator = Evaluator::new(model);
                        assert!(slice.iter().all(|&c| evaluator.eval_bool(&terms, c)), "seed {seed}");
                    }
                    Some(Answer::Unsat(core)) => {
                        found[1] += 1;
                        assert!(expected.is_unsat(), "seed {seed}");
                        assert!(SatBackend::new(0).check(&mut terms, &core, &Limits::default()).is_unsat());
                    }
                    Some(Answer::Unknown(_)) => unreachable!("cases are decided or not"),
                }
            }
        }
        assert!(found.iter().all(|&count| count > 3), "{found:?}");
    }
}
