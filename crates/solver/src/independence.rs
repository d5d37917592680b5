//! Independence: which constraints of a path condition can a new constraint interact with?
//!
//! Two constraints depend on each other when a chain of shared variables connects them (Cadar, Dunbar, Engler: KLEE,
//! OSDI 2008, "constraint independence"). Only the component of the asked constraint needs solving: the state's model
//! goes on satisfying the others.
//!
//! A path condition grows by a constraint at a time and is shared by siblings, so the components are kept rather than
//! computed: a [`Path`] is the stack of the constraints last asked about, with a union-find over their variables whose
//! unions are undone when constraints are popped (union by size, no path compression). Each component links its constraints
//! in a ring; rings merge and part by one swap. So growing costs a few finds a variable, a slice costs its own size, and going
//! to a sibling costs what the two do not share. Each component also has the cache key of its constraints. [`Paths`] keeps a few of them, for searchers that jump about the tree.

use crate::bounds::{Bounds, Mark};
use crate::cache::SetKey;
use espalier_expr::{Term, Terms};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

const NONE: u32 = u32::MAX;

/// How many path conditions are kept.
const KEPT: usize = 8;

/// One step of the union-find to take back.
enum Undo {
    /// Component `child` was hung below `parent`; both had rings, or only the parent, or only the child.
    Union { child: u32, parent: u32, took_ring: bool },
    /// The constraint was linked into the ring of component `root`.
    Link { root: u32 },
}

/// A path condition, cut into independent components.
#[derive(Default)]
pub struct Path {
    constraints: Vec<Term>,
    /// For each constraint: how many undo steps there were before it, and the state of the bounds.
    frames: Vec<(u32, Mark)>,
    /// Ring of each constraint's component: the next constraint in it.
    next: Vec<u32>,
    undo: Vec<Undo>,
    members: FxHashMap<Term, u32>,
    slots: FxHashMap<Term, u32>,
    parent: Vec<u32>,
    size: Vec<u32>,
    /// For a root: a constraint of its ring, and the key of all of them.
    ring: Vec<u32>,
    keys: Vec<SetKey>,
    pub bounds: Bounds,
    last_used: u64,
}

impl Path {
    /// Whether the path condition has this constraint word for word.
    pub fn contains(&self, constraint: Term) -> bool {
        self.members.contains_key(&constraint)
    }

    fn common_prefix(&self, pc: &[Term]) -> usize {
        // Path conditions can be very long. Whole chunks are compared without a branch for each constraint.
        const CHUNK: usize = 64;
        let differ = |(a, b): (&[Term], &[Term])| a.iter().zip(b).fold(0, |d, (a, b)| d | (a.raw() ^ b.raw())) != 0;
        let chunks = self.constraints.chunks_exact(CHUNK).zip(pc.chunks_exact(CHUNK));
        let same = CHUNK * chunks.take_while(|&pair| !differ(pair)).count();
        same + self.constraints[same..].iter().zip(&pc[same..]).take_while(|(a, b)| a == b).count()
    }

    /// Becomes the path condition `pc`.
    fn set(&mut self, terms: &mut Terms, pc: &[Term], common: usize) {
        while self.constraints.len() > common {
            self.pop();
        }
        for &constraint in &pc[common..] {
            self.push(terms, constraint);
        }
    }

    fn push(&mut self, terms: &mut Terms, constraint: Term) {
        let index = self.constraints.len() as u32;
        self.constraints.push(constraint);
        self.frames.push((self.undo.len() as u32, self.bounds.mark()));
        self.next.push(index);
        *self.members.entry(constraint).or_insert(0) += 1;
        self.bounds.add(terms, constraint);
        let mut root = NONE;
        for &var in terms.vars_of(constraint).iter() {
            let other = self.find(var);
            root = if root == NONE { other } else { self.union(root, other) };
        }
        if root != NONE {
            let head = self.ring[root as usize];
            if head == NONE {
                self.ring[root as usize] = index;
            } else {
                self.next[index as usize] = self.next[head as usize];
                self.next[head as usize] = index;
            }
            self.keys[root as usize] = self.keys[root as usize].plus(SetKey::of(constraint));
            self.undo.push(Undo::Link { root });
        }
    }

    fn pop(&mut self) {
        let (Some(constraint), Some((steps, mark))) = (self.constraints.pop(), self.frames.pop()) else {
            return;
        };
        let index = self.constraints.len() as u32;
        while self.undo.len() > steps as usize {
            match self.undo.pop() {
                Some(Undo::Link { root }) => {
                    self.keys[root as usize] = self.keys[root as usize].minus(SetKey::of(constraint));
                    let head = self.ring[root as usize];
                    if head == index {
                        self.ring[root as usize] = NONE;
                    } else {
                        self.next[head as usize] = self.next[index as usize];
                    }
                }
                Some(Undo::Union { child, parent, took_ring }) => {
                    self.parent[child as usize] = child;
                    self.size[parent as usize] -= self.size[child as usize];
                    self.keys[parent as usize] = self.keys[parent as usize].minus(self.keys[child as usize]);
                    if took_ring {
                        self.ring[parent as usize] = NONE;
                    } else {
                        self.swap_rings(child, parent);
                    }
                }
                None => break,
            }
        }
        self.next.pop();
        self.bounds.undo(mark);
        if let Some(count) = self.members.get_mut(&constraint) {
            *count -= 1;
            if *count == 0 {
                self.members.remove(&constraint);
            }
        }
    }

    /// The root of a variable's component.
    fn find(&mut self, var: Term) -> u32 {
        let parents = &mut self.parent;
        let mut node = *self.slots.entry(var).or_insert_with(|| {
            let slot = parents.len() as u32;
            parents.push(slot);
            self.size.push(1);
            self.ring.push(NONE);
            self.keys.push(SetKey::default());
            slot
        });
        while self.parent[node as usize] != node {
            node = self.parent[node as usize];
        }
        node
    }

    fn union(&mut self, a: u32, b: u32) -> u32 {
        if a == b {
            return a;
        }
        let (child, parent) = if self.size[a as usize] <= self.size[b as usize] { (a, b) } else { (b, a) };
        self.parent[child as usize] = parent;
        self.size[parent as usize] += self.size[child as usize];
        self.keys[parent as usize] = self.keys[parent as usize].plus(self.keys[child as usize]);
        let took_ring = self.ring[parent as usize] == NONE;
        if took_ring {
            self.ring[parent as usize] = self.ring[child as usize];
        } else {
            self.swap_rings(child, parent);
        }
        self.undo.push(Undo::Union { child, parent, took_ring });
        parent
    }

    /// Merges two rings, or parts them again.
    fn swap_rings(&mut self, a: u32, b: u32) {
        let (a, b) = (self.ring[a as usize], self.ring[b as usize]);
        if a != NONE && b != NONE {
            self.next.swap(a as usize, b as usize);
        }
    }

    fn roots(&mut self, vars: &[Term]) -> SmallVec<[u32; 16]> {
        let mut roots: SmallVec<[u32; 16]> = vars.iter().map(|&var| self.find(var)).collect();
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    /// The key of the slice of `vars`.
    pub fn key(&mut self, vars: &[Term]) -> SetKey {
        self.roots(vars).iter().fold(SetKey::default(), |key, &root| key.plus(self.keys[root as usize]))
    }

    /// Where in the path condition the constraints are that a constraint over `vars` can interact with, in ascending order.
    pub fn slice(&mut self, vars: &[Term], out: &mut Vec<u32>) {
        out.clear();
        for root in self.roots(vars) {
            let head = self.ring[root as usize];
            if head == NONE {
                continue;
            }
            let mut at = head;
            loop {
                out.push(at);
                at = self.next[at as usize];
                if at == head {
                    break;
                }
            }
        }
        out.sort_unstable();
    }

    /// All components, each as ascending places in the path condition, in the order of their first constraints.
    pub fn components(&self) -> Vec<Vec<u32>> {
        let mut seen = vec![false; self.constraints.len()];
        let mut out = Vec::new();
        for start in 0..self.constraints.len() as u32 {
            if seen[start as usize] {
                continue;
            }
            let mut component = Vec::new();
            let mut at = start;
            while !seen[at as usize] {
                seen[at as usize] = true;
                component.push(at);
                at = self.next[at as usize];
            }
            component.sort_unstable();
            out.push(component);
        }
        out
    }
}

/// The path conditions asked about lately.
#[derive(Default)]
pub struct Paths {
    kept: Vec<Path>,
    clock: u64,
}

impl Paths {
    /// The components of `pc`, made from the kept path condition that has most in common with it.
    pub fn get(&mut self, terms: &mut Terms, pc: &[Term]) -> &mut Path {
        self.clock += 1;
        let mut best = (0, 0);
        // The most recently used first: usually it is a prefix of `pc`, and then nothing can be better.
        if let Some(latest) = (0..self.kept.len()).max_by_key(|&i| self.kept[i].last_used) {
            best = (latest, self.kept[latest].common_prefix(pc));
            if best.1 < self.kept[latest].constraints.len() {
                for (i, path) in self.kept.iter().enumerate() {
                    let common = path.common_prefix(pc);
                    if common > best.1 {
                        best = (i, common);
                    }
                }
            }
        }
        let (mut at, mut common) = best;
        let lost = self.kept.get(at).map_or(0, |path| path.constraints.len() - common);
        if self.kept.is_empty() || (lost > common && lost > 16) {
            // Taking it over would destroy more than it saves.
            if self.kept.len() < KEPT {
                self.kept.push(Path::default());
                at = self.kept.len() - 1;
            } else {
                at = (0..self.kept.len()).min_by_key(|&i| self.kept[i].last_used).unwrap_or(0);
            }
            common = self.kept[at].common_prefix(pc);
        }
        let path = &mut self.kept[at];
        path.last_used = self.clock;
        path.set(terms, pc, common);
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use espalier_expr::{SymbolInfo, SymbolShape};

    /// The places of the constraints that a chain of shared variables connects with `vars`.
    fn naive_slice(terms: &Terms, pc: &[Term], vars: &[Term]) -> Vec<u32> {
        let mut reached: Vec<Term> = vars.to_vec();
        let mut slice: Vec<u32> = Vec::new();
        loop {
            let before = slice.len();
            for (i, &constraint) in pc.iter().enumerate() {
                let vars = terms.vars_of(constraint);
                if !slice.contains(&(i as u32)) && vars.iter().any(|var| reached.contains(var)) {
                    slice.push(i as u32);
                    reached.extend_from_slice(&vars);
                }
            }
            if slice.len() == before {
                slice.sort_unstable();
                return slice;
            }
        }
    }

    #[test]
    fn slices_follow_the_path() {
        let mut terms = Terms::new();
        let info = SymbolInfo { name: "x".into(), occurrence: 0, size: 12, shape: SymbolShape::Bytes };
        let symbol = terms.symbol(info);
        let bytes: Vec<Term> = (0..12).map(|i| terms.var(symbol, i)).collect();
        let mut seed = 1u64;
        let mut random = |limit: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % limit
        };
        let mut paths = Paths::default();
        let mut pc: Vec<Term> = Vec::new();
        let mut kept: Vec<Vec<Term>> = Vec::new();
        for round in 0..3000 {
            match random(10) {
                0 => pc.truncate(random(pc.len() + 1)),
                1 => kept.push(pc.clone()),
                2 if !kept.is_empty() => pc = kept[random(kept.len())].clone(),
                _ if pc.len() < 30 => {
                    let (a, b) = (bytes[random(12)], bytes[random(12)]);
                    let limit = terms.constant(random(200) as u64 + 20, 8);
                    let left = if random(4) == 0 { terms.xor(a, b) } else { a };
                    let constraint = terms.ult(left, limit);
                    if !terms.is_const(constraint) {
                        pc.push(constraint);
                    }
                }
                _ => pc.clear(),
            }
            let vars = [bytes[random(12)], bytes[random(12)]];
            let expected = naive_slice(&terms, &pc, &vars);
            let path = paths.get(&mut terms, &pc);
            let mut slice = Vec::new();
            path.slice(&vars, &mut slice);
            assert_eq!(slice, expected, "round {round}");
            let members: Vec<Term> = expected.iter().map(|&i| pc[i as usize]).collect();
            assert_eq!(path.key(&vars), SetKey::of_all(&members), "round {round}");
            assert!(pc.iter().all(|&c| path.contains(c)));
            let components = path.components();
            let mut places: Vec<u32> = components.iter().flatten().copied().collect();
            places.sort_unstable();
            assert_eq!(places, (0..pc.len() as u32).collect::<Vec<_>>(), "round {round}");
            for component in components {
                let vars = terms.vars_of(pc[component[0] as usize]);
                assert_eq!(component, naive_slice(&terms, &pc, &vars), "round {round}");
            }
        }
    }
}
