//! Which terms a term is made of: traversal, and the set of variables it mentions.
//!
//! Variable sets decide which constraints of a query belong together, so they are asked for all the
//! time and cached. Small sets are kept for every term that was passed on the way, and interned,
//! since most terms have the set of one of their arguments. Large sets are kept only for the terms
//! that were asked for: a checksum of ten thousand bytes has ten thousand partial sums, and keeping
//! the set of each would take gigabytes.

use crate::array::ArrayNode;
use crate::span::LOOKED_AT;
use crate::{ArrayId, Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Something that has a set of variables.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Item {
    Term(Term),
    Array(ArrayId),
}

/// A set of at most this many variables is kept wherever it occurs.
const SMALL: usize = 32;
/// When the large sets together have more members than this, they are forgotten.
const LARGE_TOTAL: usize = 8 << 20;

/// What is known of an item's set. The numbers are stored in a dense table.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
struct SetId(u32);

impl SetId {
    const UNKNOWN: SetId = SetId(0);
    /// More than [`SMALL`] variables; if the set itself is kept, it is in `large`.
    const LARGE: SetId = SetId(1);

    fn small(index: usize) -> SetId {
        SetId(u32::try_from(index + 2).expect("more than 2^32 sets"))
    }
}

#[derive(Default)]
pub(crate) struct VarSets {
    of_term: Vec<SetId>,
    of_array: Vec<SetId>,
    sets: Vec<Rc<[Term]>>,
    index: FxHashMap<Rc<[Term]>, SetId>,
    large: FxHashMap<Term, Rc<[Term]>>,
    large_total: usize,
}

impl VarSets {
    pub(crate) fn bytes(&self) -> usize {
        (self.of_term.capacity() + self.of_array.capacity()) * size_of::<SetId>()
            + self.sets.len() * (SMALL / 4 * size_of::<Term>() + 48)
            + self.large_total * size_of::<Term>()
    }

    fn id(&self, item: Item) -> SetId {
        let found = match item {
            Item::Term(term) => self.of_term.get(term.index()),
            Item::Array(array) => self.of_array.get(array.index()),
        };
        found.copied().unwrap_or(SetId::UNKNOWN)
    }

    fn set_id(&mut self, item: Item, id: SetId) {
        let (table, index) = match item {
            Item::Term(term) => (&mut self.of_term, term.index()),
            Item::Array(array) => (&mut self.of_array, array.index()),
        };
        if table.len() <= index {
            table.resize(index + 1, SetId::UNKNOWN);
        }
        table[index] = id;
    }

    fn small_set(&self, id: SetId) -> &Rc<[Term]> {
        &self.sets[id.0 as usize - 2]
    }

    fn intern(&mut self, set: &[Term]) -> SetId {
        if let Some(&id) = self.index.get(set) {
            return id;
        }
        let id = SetId::small(self.sets.len());
        let set: Rc<[Term]> = set.into();
        self.sets.push(set.clone());
        self.index.insert(set, id);
        id
    }

    /// Finds the set of `root` if it is small, and that it is large otherwise; the same for
    /// everything below it.
    fn classify(&mut self, terms: &Terms, root: Item) {
        let mut stack = vec![(root, false)];
        let mut parts: Vec<Item> = Vec::new();
        while let Some((item, expanded)) = stack.pop() {
            if self.id(item) != SetId::UNKNOWN {
                continue;
            }
            parts.clear();
            terms.for_each_part(item, |part| parts.push(part));
            if !expanded {
                stack.push((item, true));
                stack.extend(parts.iter().filter(|&&part| self.id(part) == SetId::UNKNOWN).map(|&part| (part, false)));
                continue;
            }
            let id = match item {
                Item::Term(term) if terms.op(term) == Op::Var => self.intern(&[term]),
                _ => self.union(&parts),
            };
            self.set_id(item, id);
        }
    }

    /// The union of sets that are all classified.
    fn union(&mut self, parts: &[Item]) -> SetId {
        let mut first: Option<SetId> = None;
        let mut members: Vec<Term> = Vec::new();
        for &part in parts {
            let id = self.id(part);
            if id == SetId::LARGE {
                return SetId::LARGE;
            }
            let set = self.small_set(id);
            match first {
                _ if set.is_empty() || first == Some(id) => continue,
                None => first = Some(id),
                Some(before) => {
                    if members.is_empty() {
                        members.extend_from_slice(self.small_set(before));
                    }
                    members.extend_from_slice(set);
                    members.sort_unstable();
                    members.dedup();
                    if members.len() > SMALL {
                        return SetId::LARGE;
                    }
                }
            }
        }
        match first {
            Some(id) if members.is_empty() => id,
            _ => self.intern(&members),
        }
    }

    fn of(&mut self, terms: &Terms, root: Term) -> Rc<[Term]> {
        let mut id = self.id(Item::Term(root));
        if id == SetId::UNKNOWN {
            self.classify(terms, Item::Term(root));
            id = self.id(Item::Term(root));
        }
        if id != SetId::LARGE {
            return self.small_set(id).clone();
        }
        if let Some(set) = self.large.get(&root) {
            return set.clone();
        }
        let set = self.collect_large(terms, root);
        if self.large_total > LARGE_TOTAL {
            self.large.clear();
            self.large_total = 0;
        }
        self.large_total += set.len();
        self.large.insert(root, set.clone());
        set
    }

    /// Collects through the terms with large sets, down to those whose set is kept.
    fn collect_large(&self, terms: &Terms, root: Term) -> Rc<[Term]> {
        let mut seen: FxHashSet<Item> = FxHashSet::default();
        let mut merged: FxHashSet<SetId> = FxHashSet::default();
        let mut members: FxHashSet<Term> = FxHashSet::default();
        // A large set that already holds everything is shared, not copied.
        let mut greatest: Option<&Rc<[Term]>> = None;
        let mut looked_at = 0;
        let mut stack = vec![Item::Term(root)];
        while let Some(item) = stack.pop() {
            if !seen.insert(item) {
                continue;
            }
            let id = self.id(item);
            let kept = match item {
                _ if id != SetId::LARGE => Some(self.small_set(id)),
                Item::Term(term) => self.large.get(&term),
                Item::Array(_) => None,
            };
            match kept {
                Some(set) => {
                    if id == SetId::LARGE || merged.insert(id) {
                        looked_at += set.len() as u64;
                        members.extend(set.iter().copied());
                    }
                    if greatest.is_none_or(|best| best.len() < set.len()) {
                        greatest = Some(set);
                    }
                }
                None => terms.for_each_part(item, |part| stack.push(part)),
            }
        }
        terms.visited.set(terms.visited.get() + (looked_at + seen.len() as u64) / LOOKED_AT);
        match greatest {
            Some(set) if set.len() == members.len() => set.clone(),
            _ => {
                let mut sorted: Vec<Term> = members.into_iter().collect();
                sorted.sort_unstable();
                sorted.into()
            }
        }
    }
}

impl Terms {
    /// The variables that occur in `term`, those in the arrays that it reads included, in term
    /// order.
    pub fn vars_of(&self, term: Term) -> Rc<[Term]> {
        self.var_sets.borrow_mut().of(self, term)
    }

    /// Every term that `roots` are made of, the contents of arrays included, arguments before the
    /// terms that use them.
    pub fn postorder(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen_arrays: FxHashSet<ArrayId> = FxHashSet::default();
        let mut seen: FxHashSet<Term> = roots.iter().copied().collect();
        let mut found: Vec<Term> = seen.iter().copied().collect();
        let mut arrays: Vec<ArrayId> = Vec::new();
        let mut next = 0;
        loop {
            let item = match (arrays.pop(), found.get(next)) {
                (Some(array), _) => Item::Array(array),
                (None, Some(&term)) => {
                    next += 1;
                    Item::Term(term)
                }
                (None, None) => break,
            };
            self.for_each_part(item, |part| match part {
                Item::Term(term) if seen.insert(term) => found.push(term),
                Item::Array(array) if seen_arrays.insert(array) => arrays.push(array),
                _ => {}
            });
        }
        self.visited.set(self.visited.get() + found.len() as u64);
        // Whatever a term is made of existed before it.
        found.sort_unstable();
        found
    }

    /// The terms and arrays that an item is directly made of.
    pub(crate) fn for_each_part(&self, item: Item, mut visit: impl FnMut(Item)) {
        match item {
            Item::Term(term) => {
                let node = self.node(term);
                if node.op == Op::Read {
                    visit(Item::Array(node.array()));
                }
                node.args().for_each(|arg| visit(Item::Term(arg)));
            }
            Item::Array(array) => match self.array_node(array) {
                ArrayNode::Base(base) => self.array_terms(base).for_each(|term| visit(Item::Term(term))),
                &ArrayNode::Store { array, index, value } => {
                    visit(Item::Array(array));
                    visit(Item::Term(index));
                    visit(Item::Term(value));
                }
            },
        }
    }
}
