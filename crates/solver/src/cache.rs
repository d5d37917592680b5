//! The query cache: answers by constraint set, and unsatisfiable cores.
//!
//! An entry is keyed by the sorted set of the constraints of one independent slice, so it is found again whatever path it is
//! met on and in whatever order. Cores say more than the entry they come from: a query that contains a known core is
//! unsatisfiable whatever else is in it (Visser, Geldenhuys, Dwyer: Green, FSE 2012; KLEE's counter-example cache). To find
//! them without a set trie, a core is listed under each of its members, and a query looks under the constraint it asks about:
//! the rest of it is satisfiable, so a core in it must have that one.
//!
//! Memory is bounded by two generations: when the young one is full it becomes the old one, and the old one goes; a hit in the
//! old one moves back. That is deterministic and needs no list of uses.

use espalier_expr::{Model, Term};
use rustc_hash::FxHashMap;
use std::rc::Rc;

#[derive(Clone)]
pub enum Entry {
    Sat(Rc<Model>),
    Unsat(Rc<[Term]>),
}

/// How many cores are listed under one constraint, and how large a core may be to be listed.
const CORES_LISTED: usize = 16;
const CORE_SIZE: usize = 32;

#[derive(Default)]
struct Generation {
    entries: FxHashMap<Box<[Term]>, Entry>,
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

    /// Bytes held, as accounted.
    pub fn bytes(&self) -> usize {
        self.young.bytes + self.old.bytes
    }

    /// The answer to exactly this sorted set.
    pub fn get(&mut self, key: &[Term]) -> Option<Entry> {
        if let Some(entry) = self.young.entries.get(key) {
            return Some(entry.clone());
        }
        let (key, entry) = self.old.entries.remove_entry(key)?;
        self.insert_entry(key, entry.clone());
        Some(entry)
    }

    /// A known core within the sorted set `key` that contains `asked`.
    pub fn core(&mut self, asked: Term, key: &[Term]) -> Option<Rc<[Term]>> {
        let within = |core: &&Rc<[Term]>| core.len() <= key.len() && core.iter().all(|c| key.binary_search(c).is_ok());
        if let Some(found) = self.young.cores.get(&asked).and_then(|cores| cores.iter().find(within)) {
            return Some(found.clone());
        }
        let found = self.old.cores.get(&asked)?.iter().find(within)?.clone();
        self.insert_core(&found);
        Some(found)
    }

    pub fn insert_sat(&mut self, key: &[Term], model: &Rc<Model>) {
        self.insert_entry(key.into(), Entry::Sat(model.clone()));
    }

    pub fn insert_unsat(&mut self, key: &[Term], core: &[Term]) {
        let core: Rc<[Term]> = core.into();
        self.insert_core(&core);
        self.insert_entry(key.into(), Entry::Unsat(core));
    }

    fn insert_entry(&mut self, key: Box<[Term]>, entry: Entry) {
        let bytes = SLOT
            + size_of_val::<[Term]>(&key)
            + match &entry {
                Entry::Sat(model) => 48 + 16 * model.len(),
                Entry::Unsat(core) => 16 + size_of_val::<[Term]>(core),
            };
        self.charge(bytes);
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
