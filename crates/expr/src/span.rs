//! The span of a term: the oldest and the youngest variable in it, and which kinds there are.
//!
//! A set of variables is as large as a term has variables; a span is three words, whatever the
//! term. What it leaves out is sure: a part whose span holds no variable of interest need not be
//! looked at. A sum of ten thousand places of which the last one changes is one step this way.

use crate::vars::Item;
use crate::{ArrayId, Op, SymbolKind, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Parts that are only looked at, as those of a large array are, cost as much as one that is found.
pub(crate) const LOOKED_AT: u64 = 8;

/// Which variables a term may have: those from `oldest` to `youngest`. One without any has an
/// `oldest` that is younger.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Span {
    oldest: u32,
    youngest: u32,
    has_places: bool,
    has_others: bool,
}

impl Span {
    const EMPTY: Span = Span { oldest: u32::MAX, youngest: 0, has_places: false, has_others: false };

    /// Does the term have places of a state, by whatever name?
    pub fn has_places(&self) -> bool {
        self.has_places
    }

    /// Does it have variables that are no places?
    pub fn has_others(&self) -> bool {
        self.has_others
    }

    /// Can the term have one of these variables, which are in order?
    pub fn may_have_any(&self, sorted: &[Term]) -> bool {
        let first = sorted.partition_point(|var| var.raw() < self.oldest);
        sorted.get(first).is_some_and(|var| var.raw() <= self.youngest)
    }

    /// The oldest and the youngest variable; `None` if there are none.
    pub fn ends(&self) -> Option<(Term, Term)> {
        Some((Term::from_raw(self.oldest)?, Term::from_raw(self.youngest)?))
            .filter(|(oldest, youngest)| oldest <= youngest)
    }

    fn and(self, other: Span) -> Span {
        Span {
            oldest: self.oldest.min(other.oldest),
            youngest: self.youngest.max(other.youngest),
            has_places: self.has_places || other.has_places,
            has_others: self.has_others || other.has_others,
        }
    }
}

/// The spans that were asked for, and those of everything below.
#[derive(Default)]
pub(crate) struct Spans {
    of_term: Vec<Option<Span>>,
    of_array: Vec<Option<Span>>,
}

impl Spans {
    fn get(&self, item: Item) -> Option<Span> {
        match item {
            Item::Term(term) => *self.of_term.get(term.index())?,
            Item::Array(array) => *self.of_array.get(array.index())?,
        }
    }

    fn set(&mut self, item: Item, span: Span) {
        let (table, index) = match item {
            Item::Term(term) => (&mut self.of_term, term.index()),
            Item::Array(array) => (&mut self.of_array, array.index()),
        };
        if table.len() <= index {
            table.resize(index + 1, None);
        }
        table[index] = Some(span);
    }

    fn of(&mut self, terms: &Terms, root: Item) -> Span {
        let mut stack = vec![root];
        while let Some(&item) = stack.last() {
            if self.get(item).is_some() {
                stack.pop();
                continue;
            }
            if let Item::Term(term) = item
                && terms.op(term) == Op::Var
            {
                let is_place = terms.symbol_info(terms.node(term).symbol()).kind == SymbolKind::Place;
                let (oldest, youngest) = (term.raw(), term.raw());
                self.set(item, Span { oldest, youngest, has_places: is_place, has_others: !is_place });
                continue;
            }
            let mut span = Span::EMPTY;
            let before = stack.len();
            terms.for_each_part(item, |part| match self.get(part) {
                Some(known) => span = span.and(known),
                None => stack.push(part),
            });
            if stack.len() == before {
                self.set(item, span);
            }
        }
        self.get(root).unwrap_or(Span::EMPTY)
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.of_term.capacity() + self.of_array.capacity()) * size_of::<Option<Span>>()
    }
}

impl Terms {
    pub fn span_of(&self, term: Term) -> Span {
        self.spans.borrow_mut().of(self, Item::Term(term))
    }

    pub(crate) fn span_of_array(&self, array: ArrayId) -> Span {
        self.spans.borrow_mut().of(self, Item::Array(array))
    }

    /// The parts of a term that can have one of these variables, which are in order: arguments
    /// before the terms that use them.
    pub(crate) fn parts_with_any(&self, root: Term, sorted: &[Term]) -> Vec<Term> {
        let mut spans = self.spans.borrow_mut();
        let mut may_have_any = |item: Item| spans.of(self, item).may_have_any(sorted);
        let mut seen: FxHashSet<Item> = FxHashSet::default();
        let mut stack = Vec::new();
        if may_have_any(Item::Term(root)) {
            seen.insert(Item::Term(root));
            stack.push(Item::Term(root));
        }
        let mut found = Vec::new();
        let mut looked_at = 0;
        while let Some(item) = stack.pop() {
            if let Item::Term(term) = item {
                found.push(term);
            }
            self.for_each_part(item, |part| {
                looked_at += 1;
                // Most bytes of a large array have none: they are not even noted.
                if may_have_any(part) && seen.insert(part) {
                    stack.push(part);
                }
            });
        }
        self.visited.set(self.visited.get() + (found.len() as u64).max(looked_at / LOOKED_AT));
        found.sort_unstable();
        found
    }

    /// Those of these variables, which are in order, that a term has.
    pub fn vars_among(&self, term: Term, sorted: &[Term]) -> Vec<Term> {
        let mut parts = self.parts_with_any(term, sorted);
        parts.retain(|part| self.op(*part) == Op::Var && sorted.binary_search(part).is_ok());
        parts
    }

    /// Is a part of a term, or the term itself, one of those that are looked for? What was found out
    /// before is `known`, for every part that was passed.
    pub fn any_part(
        &self,
        root: Term,
        known: &mut FxHashMap<Term, bool>,
        is_it: impl Fn(&Terms, Term) -> bool,
    ) -> bool {
        let mut passed = Vec::new();
        let mut arrays: FxHashSet<ArrayId> = FxHashSet::default();
        let mut stack = vec![Item::Term(root)];
        let mut found = false;
        while let Some(item) = stack.pop() {
            match item {
                Item::Term(term) => match known.get(&term) {
                    Some(&is_known) => {
                        found |= is_known;
                        continue;
                    }
                    None => {
                        // Until the end, so that it is passed once.
                        known.insert(term, false);
                        passed.push(term);
                        found |= is_it(self, term);
                    }
                },
                Item::Array(array) if !arrays.insert(array) => continue,
                Item::Array(_) => {}
            }
            if found {
                break;
            }
            self.for_each_part(item, |part| stack.push(part));
        }
        self.visited.set(self.visited.get() + passed.len() as u64);
        if found {
            // Which of them have it is not known.
            for term in passed {
                known.remove(&term);
            }
            known.insert(root, true);
        }
        found
    }

    /// Is a term made of more than `most` parts?
    pub fn has_more_parts_than(&self, term: Term, most: usize) -> bool {
        let mut seen: FxHashSet<Item> = std::iter::once(Item::Term(term)).collect();
        let mut stack = vec![Item::Term(term)];
        while let Some(item) = stack.pop() {
            self.for_each_part(item, |part| {
                if seen.len() <= most && seen.insert(part) {
                    stack.push(part);
                }
            });
        }
        self.visited.set(self.visited.get() + seen.len() as u64);
        seen.len() > most
    }
}
