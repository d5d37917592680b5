//! What a constraint means to path conditions, worked out once.
//!
//! The same constraints are pushed and popped over and over while states take turns
//! ([`crate::independence`]). So constraints, variables and bounded terms get small numbers, and a
//! path condition is arrays under these numbers: pushing a constraint needs one look-up, of its
//! digest.

use crate::bounds::{self, Order};
use crate::cache::SetKey;
use espalier_expr::{Term, Terms};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What a digest takes beside its variables, in numbers.
const DIGEST: usize = 32;

/// A constraint that has a digest.
#[derive(Copy, Clone)]
pub struct Number(u32);

impl Number {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A constraint puts the term of this number between `lo` and `hi`, as [`bounds::Interval`] has it.
#[derive(Copy, Clone)]
pub struct Limits {
    pub bounded: u32,
    pub lo: u64,
    pub hi: u64,
}

/// Variables and terms are given by their numbers.
pub struct Digest {
    pub key: SetKey,
    pub vars: SmallVec<[u32; 4]>,
    pub limits: SmallVec<[Limits; 2]>,
    /// Variables that can have one value only.
    pub fixed: SmallVec<[u32; 4]>,
}

/// The digests of all constraints that were pushed or asked about.
#[derive(Default)]
pub struct Digests {
    digests: Vec<Digest>,
    numbers: FxHashMap<Term, Number>,
    vars: FxHashMap<Term, u32>,
    bounded: FxHashMap<(Term, Order), u32>,
    /// Variables in all digests.
    occurrences: usize,
}

impl Digests {
    pub fn len(&self) -> usize {
        self.digests.len()
    }

    /// What they take, roughly, in numbers: sets of variables can be large.
    pub fn volume(&self) -> usize {
        DIGEST * self.digests.len() + self.occurrences
    }

    /// How many variables have numbers, and how many bounded terms.
    pub fn vars(&self) -> usize {
        self.vars.len()
    }

    pub fn bounded(&self) -> usize {
        self.bounded.len()
    }

    pub fn get(&self, number: Number) -> &Digest {
        &self.digests[number.index()]
    }

    /// The number of a constraint that has a digest.
    pub fn find(&self, constraint: Term) -> Option<Number> {
        self.numbers.get(&constraint).copied()
    }

    pub fn number(&mut self, terms: &Terms, constraint: Term) -> Number {
        match self.find(constraint) {
            Some(number) => number,
            None => self.add(terms, constraint),
        }
    }

    /// The number of a variable that occurs in a digest.
    pub fn find_var(&self, var: Term) -> Option<u32> {
        self.vars.get(&var).copied()
    }

    fn var(&mut self, var: Term) -> u32 {
        let next = self.vars.len() as u32;
        *self.vars.entry(var).or_insert(next)
    }

    #[cold]
    fn add(&mut self, terms: &Terms, constraint: Term) -> Number {
        let vars: SmallVec<[u32; 4]> = terms.vars_of(constraint).iter().map(|&var| self.var(var)).collect();
        self.occurrences += vars.len();
        let limits = bounds::intervals(terms, constraint).into_iter().map(|interval| {
            let next = self.bounded.len() as u32;
            let bounded = *self.bounded.entry((interval.term, interval.order)).or_insert(next);
            Limits { bounded, lo: interval.lo, hi: interval.hi }
        });
        let limits = limits.collect();
        let fixed = bounds::fixed(terms, constraint).into_iter().map(|var| self.var(var)).collect();
        let number = Number(self.digests.len() as u32);
        self.digests.push(Digest { key: SetKey::of(terms, constraint), vars, limits, fixed });
        self.numbers.insert(constraint, number);
        number
    }
}
