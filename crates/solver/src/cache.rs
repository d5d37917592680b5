//! The query cache: answers by constraint set, and unsatisfiable cores.
//!
//! An entry is keyed by the set of the constraints of one independent slice, so it is found again
//! whatever path it is met on and in whatever order. The key is a [`SetKey`], a sum of hashes,
//! which `independence.rs` keeps up to date for each component: looking a query up costs the same
//! however large its slice is.
//!
//! Cores say more than the entry they come from: a query that contains a known core is
//! unsatisfiable whatever else is in it (Visser, Geldenhuys, Dwyer: Green, FSE 2012; KLEE's
//! counter-example cache). To find them without a set trie, a core is listed under each of its
//! members, and a query looks under the constraint it asks about: the rest of it is satisfiable, so
//! a core in it must have that one.
//!
//! Memory is bounded by two generations: when the young one is full it becomes the old one, and the
//! old one goes; a hit in the old one moves back. That is deterministic and needs no list of uses.

use espalier_expr::{Model, Term, Terms};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A set of constraints, as the sum of 128-bit hashes of its members. Two sets among a billion have
/// the same key with a probability of 10^-21: less than that of a memory error in the same time.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct SetKey(u128);

impl SetKey {
    pub fn of(terms: &Terms, constraint: Term) -> SetKey {
        SetKey(terms.structural_hash(constraint).to_bits())
    }

    pub fn of_all(terms: &Terms, constraints: &[Term]) -> SetKey {
        constraints.iter().fold(SetKey::default(), |key, &c| key.plus(SetKey::of(terms, c)))
    }

    /// The key of the union of two disjoint sets.
    pub fn plus(self, other: SetKey) -> SetKey {
        SetKey(self.0.wrapping_add(other.0))
    }

    /// The key of what is left without a subset.
    pub fn minus(self, other: SetKey) -> SetKey {
        SetKey(self.0.wrapping_sub(other.0))
    }
}

#[derive(Clone)]
pub enum Entry {
    /// With values for variables of the slice only; those that are missing may have any value.
    Sat(Rc<Model>),
    Unsat(Rc<[Term]>),
}

/// How many cores are listed under one constraint, and how large a core may be to be listed.
const CORES_LISTED: usize = 16;
const CORE_SIZE: usize = 32;

#[derive(Default)]
struct Generation {
    entries: FxHashMap<SetKey, Entry>,
    cores: FxHashMap<Term, Vec<Rc<[Term]>>>,
    bytes: usize,
}

pub struct Cache {
    young: Generation,
    old: Generation,
    limit: usize,
}

/// Roughly what a hash-map slot costs beside its contents.
const SLOT: usize = 48;

impl Cache {
    pub fn new(bytes: usize) -> Cache {
        Cache { young: Generation::default(), old: Generation::default(), limit: bytes / 2 }
    }

    /// The answer to exactly this set.
    pub fn get(&mut self, key: SetKey) -> Option<Entry> {
        if let Some(entry) = self.young.entries.get(&key) {
            return Some(entry.clone());
        }
        let entry = self.old.entries.remove(&key)?;
        self.insert(key, entry.clone());
        Some(entry)
    }

    /// A known core that contains `asked` and only members of the query.
    pub fn core(&mut self, asked: Term, is_member: impl Fn(Term) -> bool) -> Option<Rc<[Term]>> {
        let within = |core: &&Rc<[Term]>| core.iter().all(|&c| c == asked || is_member(c));
        if let Some(found) = self.young.cores.get(&asked).and_then(|cores| cores.iter().find(within)) {
            return Some(found.clone());
        }
        let found = self.old.cores.get(&asked)?.iter().find(within)?.clone();
        self.insert_core(&found);
        Some(found)
    }

    pub fn insert_sat(&mut self, key: SetKey, model: &Rc<Model>) {
        self.insert(key, Entry::Sat(model.clone()));
    }

    pub fn insert_unsat(&mut self, key: SetKey, core: &[Term]) {
        let core: Rc<[Term]> = core.into();
        self.insert_core(&core);
        self.insert(key, Entry::Unsat(core));
    }

    fn insert(&mut self, key: SetKey, entry: Entry) {
        let held = match &entry {
            Entry::Sat(model) => 64 + 48 * model.len(),
            Entry::Unsat(core) => 16 + size_of_val::<[Term]>(core),
        };
        self.charge(SLOT + held);
        self.young.entries.insert(key, entry);
    }

    fn insert_core(&mut self, core: &Rc<[Term]>) {
        if core.len() > CORE_SIZE {
            return;
        }
        self.charge(core.len() * SLOT);
        for &member in core.iter() {
            let listed = self.young.cores.entry(member).or_default();
            if listed.contains(core) {
                continue;
            }
            if listed.len() == CORES_LISTED {
                listed.remove(0);
            }
            listed.push(core.clone());
        }
    }

    fn charge(&mut self, bytes: usize) {
        if self.young.bytes + bytes > self.limit {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.bytes += bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Constants, by their values.
    fn some_terms(count: u64) -> (Terms, Vec<Term>) {
        let mut terms = Terms::new();
        let made = (0..count).map(|value| terms.constant(value, 64)).collect();
        (terms, made)
    }

    #[test]
    fn keys_do_not_depend_on_order() {
        let (terms, made) = some_terms(3);
        let (a, b, c) = (made[0], made[1], made[2]);
        let key = |constraints: &[Term]| SetKey::of_all(&terms, constraints);
        assert_eq!(key(&[a, b, c]), key(&[c, a, b]));
        assert_ne!(key(&[a, b]), key(&[a, c]));
        assert_eq!(key(&[a, b, c]).minus(key(&[b])), key(&[a, c]));
    }

    #[test]
    fn memory_is_bounded_and_what_is_used_stays() {
        let mut cache = Cache::new(20_000);
        let (terms, made) = some_terms(10_001);
        let key = |index: usize| SetKey::of(&terms, made[index]);
        let favourite = key(0);
        cache.insert_sat(favourite, &Rc::new(Model::new()));
        for i in 1..10_000 {
            cache.insert_unsat(key(i), &made[i..=i + 1]);
            assert!(cache.get(favourite).is_some(), "lost after {i}");
            assert!(cache.young.bytes + cache.old.bytes <= 20_000);
        }
        assert!(cache.get(key(5)).is_none());
        assert!(cache.get(key(9_990)).is_some());
    }

    #[test]
    fn cores_are_found_in_larger_sets() {
        let mut cache = Cache::new(1 << 20);
        let (terms, made) = some_terms(8);
        let core = [made[3], made[7]];
        cache.insert_unsat(SetKey::of_all(&terms, &core), &core);
        let query = [made[1], made[3], made[5], made[7]];
        let found = cache.core(made[7], |c| query.contains(&c));
        assert_eq!(found.as_deref(), Some(&core[..]));
        assert!(cache.core(made[7], |c| c == made[1]).is_none());
        assert!(cache.core(made[1], |c| query.contains(&c)).is_none());
    }
}
