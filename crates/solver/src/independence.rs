//! Independence: which constraints of a path condition can a new constraint interact with?
//!
//! Two constraints depend on each other when a chain of shared variables connects them (Cadar,
//! Dunbar, Engler: KLEE, OSDI 2008, "constraint independence"). Only the component of the asked
//! constraint needs solving: the state's model goes on satisfying the others.
//!
//! A path condition grows by a constraint at a time and is shared by siblings, so the components
//! are kept rather than computed: a [`Path`] is the stack of the constraints last asked about, with
//! a union-find over their variables whose unions are undone when constraints are popped (union by
//! size, no path compression). Each component links its constraints in a ring; rings merge and part
//! by one swap. So growing costs a few finds a variable, a slice costs its own size, and going to a
//! sibling costs what the two do not share. Each component also has the cache key of its
//! constraints. [`Paths`] keeps a few of them, for searchers that jump about the tree.

use crate::bounds::{Bounds, Mark};
use crate::cache::SetKey;
use crate::digest::{Digest, Digests, Number};
use espalier_expr::{PathCondition, Prefix, Term, Terms};
use smallvec::SmallVec;

const NONE: u32 = u32::MAX;

/// How many path conditions are kept.
const KEPT: usize = 8;

/// Looking for a better one among them takes as long as pushing so many constraints.
const SEARCH: usize = 4;

/// What digests may take, unless those of one path condition take half of it; see
/// [`Digests::volume`].
const VOLUME: usize = 1 << 22;

/// One step of the union-find to take back.
enum Undo {
    /// Component `child` was hung below `parent`; both had rings, or only the parent, or only the
    /// child.
    Union { child: u32, parent: u32, took_ring: bool },
    /// The constraint was linked into the ring of component `root`.
    Link { root: u32 },
}

/// A variable, in the tree of its component.
#[derive(Copy, Clone)]
struct Node {
    parent: u32,
    /// For a root: how many variables there are below it, a constraint of its ring, and the key of
    /// all of them.
    size: u32,
    ring: u32,
    key: SetKey,
}

/// A path condition, cut into independent components. Variables and constraints are known by the
/// numbers of their digests.
#[derive(Default)]
struct Path {
    constraints: Vec<Term>,
    /// Digests of its beginnings.
    prefixes: Vec<Prefix>,
    numbers: Vec<Number>,
    /// For each constraint: how many undo steps there were before it, and the state of the bounds.
    frames: Vec<(u32, Mark)>,
    /// Ring of each constraint's component: the next constraint in it.
    next: Vec<u32>,
    undo: Vec<Undo>,
    /// How often each constraint is in it.
    members: Vec<u32>,
    nodes: Vec<Node>,
    bounds: Bounds,
    last_used: u64,
}

impl Path {
    /// Becomes the path condition `pc`.
    fn set(&mut self, terms: &Terms, digests: &mut Digests, pc: &PathCondition, common: usize) {
        while self.constraints.len() > common {
            self.pop(digests);
        }
        for (constraint, prefix) in pc.prefixes_since(common) {
            let number = digests.number(terms, constraint);
            self.grow(digests);
            self.push(constraint, number, digests.get(number));
            self.prefixes.push(prefix);
        }
    }

    /// Makes room for everything that has a number.
    fn grow(&mut self, digests: &Digests) {
        if self.members.len() < digests.len() {
            self.members.resize(digests.len(), 0);
            self.bounds.grow(digests.bounded(), digests.vars());
        }
        for var in self.nodes.len()..digests.vars() {
            self.nodes.push(Node { parent: var as u32, size: 1, ring: NONE, key: SetKey::default() });
        }
    }

    fn push(&mut self, constraint: Term, number: Number, digest: &Digest) {
        let index = self.constraints.len() as u32;
        self.constraints.push(constraint);
        self.numbers.push(number);
        self.frames.push((self.undo.len() as u32, self.bounds.mark()));
        self.next.push(index);
        self.members[number.index()] += 1;
        self.bounds.add(constraint, digest);
        let mut root = NONE;
        for &var in &digest.vars {
            let other = self.root(var);
            root = if root == NONE { other } else { self.union(root, other) };
        }
        if root != NONE {
            let node = &mut self.nodes[root as usize];
            node.key = node.key.plus(digest.key);
            if node.ring == NONE {
                node.ring = index;
            } else {
                self.next.swap(index as usize, node.ring as usize);
            }
            self.undo.push(Undo::Link { root });
        }
    }

    fn pop(&mut self, digests: &Digests) {
        let (Some(number), Some((steps, mark))) = (self.numbers.pop(), self.frames.pop()) else { return };
        self.constraints.pop();
        self.prefixes.pop();
        let index = self.constraints.len() as u32;
        while self.undo.len() > steps as usize {
            match self.undo.pop() {
                Some(Undo::Link { root }) => {
                    let node = &mut self.nodes[root as usize];
                    node.key = node.key.minus(digests.get(number).key);
                    if node.ring == index {
                        node.ring = NONE;
                    } else {
                        self.next.swap(index as usize, node.ring as usize);
                    }
                }
                Some(Undo::Union { child, parent, took_ring }) => {
                    let Node { size, key, .. } = self.nodes[child as usize];
                    self.nodes[child as usize].parent = child;
                    let node = &mut self.nodes[parent as usize];
                    node.size -= size;
                    node.key = node.key.minus(key);
                    if took_ring {
                        node.ring = NONE;
                    } else {
                        self.swap_rings(child, parent);
                    }
                }
                None => break,
            }
        }
        self.next.pop();
        self.bounds.undo(mark);
        self.members[number.index()] -= 1;
    }

    /// The root of a variable's component.
    fn root(&self, var: u32) -> u32 {
        let mut node = var;
        while self.nodes[node as usize].parent != node {
            node = self.nodes[node as usize].parent;
        }
        node
    }

    fn union(&mut self, a: u32, b: u32) -> u32 {
        if a == b {
            return a;
        }
        let is_smaller = self.nodes[a as usize].size <= self.nodes[b as usize].size;
        let (child, parent) = if is_smaller { (a, b) } else { (b, a) };
        self.nodes[child as usize].parent = parent;
        let Node { size, ring, key, .. } = self.nodes[child as usize];
        let node = &mut self.nodes[parent as usize];
        node.size += size;
        node.key = node.key.plus(key);
        let took_ring = node.ring == NONE;
        if took_ring {
            node.ring = ring;
        } else {
            self.swap_rings(child, parent);
        }
        self.undo.push(Undo::Union { child, parent, took_ring });
        parent
    }

    /// Merges two rings, or parts them again.
    fn swap_rings(&mut self, a: u32, b: u32) {
        let (a, b) = (self.nodes[a as usize].ring, self.nodes[b as usize].ring);
        if a != NONE && b != NONE {
            self.next.swap(a as usize, b as usize);
        }
    }

    fn roots(&self, vars: &[u32]) -> SmallVec<[u32; 16]> {
        let mut roots: SmallVec<[u32; 16]> = vars.iter().map(|&var| self.root(var)).collect();
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    /// Where the constraints are that a chain of shared variables connects with these, in ascending
    /// order.
    fn slice(&self, vars: &[u32], out: &mut Vec<u32>) {
        out.clear();
        for root in self.roots(vars) {
            let head = self.nodes[root as usize].ring;
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

    fn components(&self) -> Vec<Vec<u32>> {
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

/// A path condition that something is asked about.
pub struct Question<'a> {
    path: &'a Path,
    digests: &'a Digests,
    asked: Term,
    digest: &'a Digest,
}

impl Question<'_> {
    /// A constraint by its place in the path condition.
    pub fn constraint(&self, place: u32) -> Term {
        self.path.constraints[place as usize]
    }

    /// Whether the path condition has this constraint word for word.
    pub fn contains(&self, constraint: Term) -> bool {
        let number = self.digests.find(constraint);
        number.is_some_and(|number| self.path.members.get(number.index()).is_some_and(|&count| count > 0))
    }

    /// See [`Bounds::refute`].
    pub fn refute(&self) -> Option<Vec<Term>> {
        self.path.bounds.refute(self.asked, self.digest)
    }

    /// If one constraint each fixes all variables of what is asked: those constraints.
    pub fn fixed_by(&self) -> Option<Vec<Term>> {
        self.path.bounds.fixed_by(&self.digest.vars)
    }

    /// The key of the slice, with what is asked.
    pub fn key(&self) -> SetKey {
        let roots = self.path.roots(&self.digest.vars);
        roots.iter().fold(self.digest.key, |key, &root| key.plus(self.path.nodes[root as usize].key))
    }

    /// Where in the path condition the constraints are that can interact with what is asked, in
    /// ascending order.
    pub fn slice(&self, out: &mut Vec<u32>) {
        self.path.slice(&self.digest.vars, out);
    }
}

/// The path conditions asked about lately.
pub struct Paths {
    kept: Vec<Path>,
    digests: Digests,
    /// Everything is forgotten when digests take more than this.
    limit: usize,
    clock: u64,
}

impl Default for Paths {
    fn default() -> Paths {
        Paths { kept: Vec::new(), digests: Digests::default(), limit: VOLUME, clock: 0 }
    }
}

impl Paths {
    /// What `asked` has to do with the path condition `pc`.
    pub fn ask(&mut self, terms: &Terms, pc: &PathCondition, asked: Term) -> Question<'_> {
        let at = self.take_up(terms, pc);
        let number = self.digests.number(terms, asked);
        self.kept[at].grow(&self.digests);
        let digest = self.digests.get(number);
        Question { path: &self.kept[at], digests: &self.digests, asked, digest }
    }

    /// All components of `pc`, each as ascending places in it, in the order of their first
    /// constraints.
    pub fn components(&mut self, terms: &Terms, pc: &PathCondition) -> Vec<Vec<u32>> {
        let at = self.take_up(terms, pc);
        self.kept[at].components()
    }

    /// The constraints of `pc` that a chain of shared variables connects with `vars`.
    pub fn connected(&mut self, terms: &Terms, pc: &PathCondition, vars: &[Term]) -> Vec<Term> {
        let at = self.take_up(terms, pc);
        let path = &self.kept[at];
        let numbers = vars.iter().filter_map(|&var| self.digests.find_var(var));
        let numbers: Vec<u32> = numbers.filter(|&number| (number as usize) < path.nodes.len()).collect();
        let mut slice = Vec::new();
        path.slice(&numbers, &mut slice);
        slice.into_iter().map(|place| path.constraints[place as usize]).collect()
    }

    /// Has the components of `pc` in one of the kept path conditions.
    fn take_up(&mut self, terms: &Terms, pc: &PathCondition) -> usize {
        if self.digests.volume() <= self.limit {
            return self.take_up_nearest(terms, pc);
        }
        *self = Paths::default();
        let at = self.take_up_nearest(terms, pc);
        self.limit = self.limit.max(2 * self.digests.volume());
        at
    }

    /// The same, in the one that has most in common with it.
    fn take_up_nearest(&mut self, terms: &Terms, pc: &PathCondition) -> usize {
        self.clock += 1;
        let mut best = (0, 0);
        // The most recently used first: usually it is a prefix of `pc`, and then nothing can be
        // better, or it has nearly all of `pc`.
        if let Some(latest) = (0..self.kept.len()).max_by_key(|&i| self.kept[i].last_used) {
            best = (latest, pc.common_with(&self.kept[latest].prefixes));
            let differs = (pc.len() - best.1).max(self.kept[latest].constraints.len() - best.1) > SEARCH;
            if best.1 < self.kept[latest].constraints.len() && differs {
                for (i, path) in self.kept.iter().enumerate() {
                    let common = pc.common_with(&path.prefixes);
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
            common = pc.common_with(&self.kept[at].prefixes);
        }
        let path = &mut self.kept[at];
        path.last_used = self.clock;
        path.set(terms, &mut self.digests, pc, common);
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use espalier_expr::SymbolKind;

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
        let bytes = terms.byte_vars(SymbolKind::Input, "x", 12);
        let mut seed = 1u64;
        let mut random = |limit: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % limit
        };
        let mut paths = Paths::default();
        let mut pc: Vec<Term> = Vec::new();
        let mut kept: Vec<Vec<Term>> = Vec::new();
        let (mut refutations, mut fixings) = (0, 0);
        let limit = terms.constant(100, 8);
        for round in 0..3000 {
            if round % 500 == 499 {
                paths.limit = paths.digests.volume() - 1;
            }
            match random(10) {
                0 => pc.truncate(random(pc.len() + 1)),
                1 => kept.push(pc.clone()),
                2 if !kept.is_empty() => pc = kept[random(kept.len())].clone(),
                _ if pc.len() < 30 => {
                    let (a, b) = (bytes[random(12)], bytes[random(12)]);
                    let limit = terms.constant(random(200) as u64 + 20, 8);
                    let left = if random(4) == 0 { terms.xor(a, b) } else { a };
                    let constraint = if random(8) == 0 { terms.eq(left, limit) } else { terms.ult(left, limit) };
                    if !terms.is_const(constraint) {
                        pc.push(constraint);
                    }
                }
                _ => pc.clear(),
            }
            let vars = [bytes[random(12)], bytes[random(12)]];
            let asked = terms.ult(vars[0], vars[1]);
            let vars = terms.vars_of(asked);
            let expected = naive_slice(&terms, &pc, &vars);
            let question = paths.ask(&terms, &PathCondition::of(&terms, &pc), asked);
            let mut slice = Vec::new();
            question.slice(&mut slice);
            assert_eq!(slice, expected, "round {round}");
            let members: Vec<Term> = expected.iter().map(|&i| pc[i as usize]).chain([asked]).collect();
            assert_eq!(question.key(), SetKey::of_all(&terms, &members), "round {round}");
            assert!(pc.iter().all(|&c| question.contains(c)));
            assert_eq!(question.contains(asked), pc.contains(&asked), "round {round}");
            // What was undone and what was forgotten leaves nothing behind.
            let guard = terms.ult(bytes[random(12)], limit);
            let asked = if random(2) == 0 { guard } else { terms.not(guard) };
            let (refuted, fixed) = {
                let mut others = Paths::default();
                let question = others.ask(&terms, &PathCondition::of(&terms, &pc), asked);
                (question.refute(), question.fixed_by())
            };
            let question = paths.ask(&terms, &PathCondition::of(&terms, &pc), asked);
            assert_eq!((question.refute(), question.fixed_by()), (refuted.clone(), fixed.clone()), "round {round}");
            (refutations, fixings) = (refutations + refuted.iter().count(), fixings + fixed.iter().count());
            let components = paths.components(&terms, &PathCondition::of(&terms, &pc));
            let mut places: Vec<u32> = components.iter().flatten().copied().collect();
            places.sort_unstable();
            assert_eq!(places, (0..pc.len() as u32).collect::<Vec<_>>(), "round {round}");
            for component in components {
                let vars = terms.vars_of(pc[component[0] as usize]);
                assert_eq!(component, naive_slice(&terms, &pc, &vars), "round {round}");
            }
        }
        assert!(refutations > 100 && fixings > 20, "{refutations} {fixings}");
    }
}
