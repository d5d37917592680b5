//! The subsumption table: what was learnt, by program point and call stack, and the ladder of
//! checks whether it speaks for a state.
//!
//! Cheapest first: bounds on single leaves, which are compared with the state's numbers in a row;
//! what must be the same as it was; clauses on concrete values, by evaluation; symbolic ones on the
//! inputs that the state is known to be reached with; and only then a question to the solver, one
//! for each clause that is left.

use crate::clause::{Bound, Clause};
use crate::codec::Learnt;
use crate::interpolant::{Interpolant, Rejection, is_implied, leaves_of, stack_layout};
use espalier_base::bits::mask;
use espalier_exec::{Executor, Leaf, Needs, State, resolve_name};
use espalier_expr::{Op, Term};
use espalier_tree::NodeId;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A program point with its call stack: function and instruction of every frame, innermost first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Point(pub(crate) Box<[(u32, u32)]>);

impl Point {
    /// The point that a state is at; `None` if what it does next depends on more than its point,
    /// registers and memory.
    pub fn of(state: &State) -> Option<Point> {
        state.is_between_instructions().then(|| {
            let frames = state.frames().map(|frame| (frame.func.0, frame.pc));
            Point(frames.chain(state.phase_key()).collect())
        })
    }
}

struct Entry {
    interpolant: Interpolant,
    /// Its bounds on single leaves.
    bounds: Box<[LeafBound]>,
    /// Its other clauses, by number.
    others: Box<[OtherClause]>,
    /// Leaves that it says something of where numbers were: no addresses may be there.
    numbers: Box<[Leaf]>,
    node: NodeId,
    worth: u64,
    hits: u64,
    /// Entries are numbered as they come.
    number: u64,
}

impl Entry {
    /// About what it takes.
    fn bytes(&self) -> usize {
        let Interpolant { clauses, needs, stack } = &self.interpolant;
        let listed = self.others.iter().flat_map(|other| &other.leaves);
        let leaves: usize = listed.map(|leaves| size_of_val(&leaves[..])).sum();
        let needs = 48 * (needs.objects.len() + needs.as_loaded.len() + needs.no_object.len());
        let lists = size_of_val(&clauses[..])
            + size_of_val(&stack[..])
            + size_of_val(&*self.bounds)
            + size_of_val(&*self.numbers);
        size_of::<Entry>() + lists + size_of_val(&*self.others) + leaves + needs
    }

    /// Does it speak for every state that `other` speaks for? Both pin the same leaves to the same
    /// values.
    fn is_weaker_than(&self, other: &Entry) -> bool {
        self.bounds.iter().all(|mine| other.bounds.iter().any(|theirs| mine.contains(theirs)))
            && self.others.iter().all(|mine| {
                let clause = &self.interpolant.clauses[mine.clause as usize];
                other.others.iter().any(|theirs| {
                    other.interpolant.clauses[theirs.clause as usize] == *clause
                        && theirs.is_on_numbers >= mine.is_on_numbers
                })
            })
            && self.numbers.iter().all(|leaf| other.numbers.contains(leaf))
            && self.interpolant.needs_no_more_than(&other.interpolant)
    }
}

/// A bound on one leaf of at most 64 bits.
struct LeafBound {
    /// The leaf's number among those of the point.
    leaf: u32,
    mask: u64,
    lo: u64,
    span: u64,
}

impl LeafBound {
    /// Is the other bound on the same leaf, and within this one?
    fn contains(&self, other: &LeafBound) -> bool {
        let from = other.lo.wrapping_sub(self.lo) & self.mask;
        self.leaf == other.leaf && from <= self.span && other.span <= self.span - from
    }
}

struct OtherClause {
    clause: u32,
    /// Was every leaf in it a number, and no address, where it was learnt?
    is_on_numbers: bool,
    /// Its variables that are leaves, if they are few: a sum of a thousand places is looked through
    /// only where it cannot be evaluated by what changed since the last time.
    leaves: Option<Box<[(Term, Leaf)]>>,
}

impl OtherClause {
    fn leaves(&self, executor: &Executor, clause: &Clause) -> Box<[(Term, Leaf)]> {
        self.leaves.clone().unwrap_or_else(|| leaves_of(executor, clause.term()).into())
    }
}

/// A clause with more parts has its leaves not listed.
const MOST_LISTED: usize = 64;

/// Counters of the table's work.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct TableStats {
    pub entries: u64,
    pub clauses: u64,
    /// States looked up at a point with at least one entry.
    pub checks: u64,
    pub subsumed: u64,
    /// Entries that did not speak for a state, by what said so.
    pub rejected_by_needs: u64,
    pub rejected_by_value: u64,
    pub rejected_by_model: u64,
    pub rejected_by_solver: u64,
    pub evicted: u64,
    /// Entries that a newer one made needless.
    pub replaced: u64,
}

impl TableStats {
    pub(crate) fn add(&mut self, other: &TableStats) {
        let counts = [
            (&mut self.entries, other.entries),
            (&mut self.clauses, other.clauses),
            (&mut self.checks, other.checks),
            (&mut self.subsumed, other.subsumed),
            (&mut self.rejected_by_needs, other.rejected_by_needs),
            (&mut self.rejected_by_value, other.rejected_by_value),
            (&mut self.rejected_by_model, other.rejected_by_model),
            (&mut self.rejected_by_solver, other.rejected_by_solver),
            (&mut self.evicted, other.evicted),
            (&mut self.replaced, other.replaced),
        ];
        counts.into_iter().for_each(|(ours, theirs)| *ours += theirs);
    }

    /// How many entries states were compared with.
    pub fn compared(&self) -> u64 {
        let rejected =
            [self.rejected_by_needs, self.rejected_by_value, self.rejected_by_model, self.rejected_by_solver];
        self.subsumed + rejected.iter().sum::<u64>()
    }
}

/// What speaks for a state: an interpolant, the node that it comes from, and its worth.
pub struct Spoken {
    pub interpolant: Interpolant,
    pub by: NodeId,
    pub worth: u64,
}

/// Entries kept under one key, and groups kept at one point; the least used go first.
const MOST_UNDER_A_KEY: usize = 64;
const MOST_GROUPS: usize = 256;

/// Entries at one point that pin the same leaves, by the values that they pin them to: a loop whose
/// counter matters has an entry for each round, and a state is only compared with its own.
struct Group {
    pinned: Box<[u32]>,
    by_values: FxHashMap<Box<[u64]>, Vec<Entry>>,
    /// How often its entries spoke for states.
    hits: u64,
}

impl Group {
    fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.by_values.values().flatten()
    }
}

/// What is known at one point.
#[derive(Default)]
struct AtPoint {
    /// The leaves that bounds at this point are about.
    leaves: Vec<(Term, Leaf)>,
    numbers: FxHashMap<Term, u32>,
    groups: Vec<Group>,
    /// Look-ups since one succeeded that compared the state with entries in vain, and those that
    /// were not made because of that.
    misses: u64,
    skipped: u64,
}

impl AtPoint {
    fn number_of(&mut self, var: Term, leaf: Leaf) -> u32 {
        *self.numbers.entry(var).or_insert_with(|| {
            self.leaves.push((var, leaf));
            self.leaves.len() as u32 - 1
        })
    }
}

/// After this many look-ups in a row that found nothing at a point, one in so many is made, until
/// one succeeds.
const MISSES: u64 = 64;
const SAMPLE: u64 = 16;

pub struct Table {
    points: FxHashMap<Rc<Point>, AtPoint>,
    /// What the entries may take, and what they take, in bytes.
    most_bytes: usize,
    bytes: usize,
    pub stats: TableStats,
}

impl Table {
    pub fn new(most_bytes: usize) -> Table {
        Table { points: FxHashMap::default(), most_bytes, bytes: 0, stats: TableStats::default() }
    }

    /// Adds what was learnt at `start`, where node `node` began.
    pub fn insert(
        &mut self,
        executor: &mut Executor,
        point: &Rc<Point>,
        start: &State,
        interpolant: Interpolant,
        origin: (NodeId, u64),
    ) {
        let is_on_numbers = |executor: &mut Executor, term| executor.number_in(start, term).is_some();
        let has_number = |executor: &mut Executor, leaf| executor.has_number_at(start, leaf);
        self.add(executor, point, interpolant, origin, is_on_numbers, has_number);
    }

    /// Adds what was learnt in another run, or before all terms were dropped.
    pub fn restore(&mut self, executor: &mut Executor, learnt: Learnt, origin: (NodeId, u64)) {
        let Learnt { point, interpolant, numbers } = learnt;
        let has_number = |_: &mut Executor, leaf| numbers.contains(&leaf);
        self.add(executor, &Rc::new(point), interpolant, origin, |_, _| false, has_number);
    }

    /// What was learnt at `start`, to be kept elsewhere. All leaves that it says something of and
    /// that are numbers have to be so in other states too: whether one or all leaves of a clause
    /// are.
    pub fn to_keep(executor: &mut Executor, point: &Point, start: &State, interpolant: &Interpolant) -> Learnt {
        let mut numbers: BTreeSet<Leaf> = BTreeSet::new();
        for clause in &interpolant.clauses {
            let leaves = leaves_of(executor, clause.term());
            let pin = matches!(clause, Clause::Bound(bound) if bound.lo == bound.hi && leaves.len() == 1);
            let leaves = leaves.into_iter().filter(|_| !pin).map(|(_, leaf)| leaf);
            numbers.extend(leaves.filter(|&leaf| executor.has_number_at(start, leaf)));
        }
        let numbers = numbers.into_iter().collect();
        Learnt { point: point.clone(), interpolant: interpolant.clone(), numbers }
    }

    /// What is in it, to be kept elsewhere.
    pub fn entries(&self, executor: &Executor) -> Vec<Learnt> {
        let mut learnt = Vec::new();
        for (point, at) in &self.points {
            for entry in at.groups.iter().flat_map(Group::entries) {
                let mut numbers: BTreeSet<Leaf> = entry.numbers.iter().copied().collect();
                for other in entry.others.iter().filter(|other| other.is_on_numbers) {
                    let leaves = other.leaves(executor, &entry.interpolant.clauses[other.clause as usize]);
                    numbers.extend(leaves.iter().map(|&(_, leaf)| leaf));
                }
                let (point, interpolant) = (Point::clone(point), entry.interpolant.clone());
                learnt.push(Learnt { point, interpolant, numbers: numbers.into_iter().collect() });
            }
        }
        learnt
    }

    fn add(
        &mut self,
        executor: &mut Executor,
        point: &Rc<Point>,
        interpolant: Interpolant,
        (node, worth): (NodeId, u64),
        is_on_numbers: impl Fn(&mut Executor, Term) -> bool,
        has_number: impl Fn(&mut Executor, Leaf) -> bool,
    ) {
        self.stats.entries += 1;
        self.stats.clauses += interpolant.clauses.len() as u64;
        let at = self.points.entry(point.clone()).or_default();
        let mut bounds = Vec::new();
        let mut others = Vec::new();
        for (clause, number) in interpolant.clauses.iter().zip(0..) {
            let term = clause.term();
            let var = (executor.terms.op(term) == Op::Var).then_some(term);
            let leaf = var.and_then(|var| executor.leaf_of(var));
            match (clause, leaf) {
                (Clause::Bound(bound), Some(leaf)) => {
                    let mask = mask(executor.terms.width(term));
                    let leaf = at.number_of(term, leaf);
                    bounds.push(LeafBound { leaf, mask, lo: bound.lo, span: bound.hi.wrapping_sub(bound.lo) & mask });
                }
                _ => {
                    let is_on_numbers = is_on_numbers(executor, term);
                    let is_small = !executor.terms.has_more_parts_than(term, MOST_LISTED);
                    let leaves = is_small.then(|| leaves_of(executor, term).into());
                    others.push(OtherClause { clause: number, is_on_numbers, leaves });
                }
            }
        }
        // Those that cost least are looked at first.
        others.sort_by_key(|other| other.leaves.as_ref().map_or(usize::MAX, |leaves| leaves.len()));
        let mut numbers: BTreeSet<Leaf> = BTreeSet::new();
        let bounded = bounds.iter().filter(|bound| bound.span > 0).map(|bound| at.leaves[bound.leaf as usize].1);
        numbers.extend(bounded.filter(|&leaf| has_number(executor, leaf)));
        for other in others.iter().filter(|other| !other.is_on_numbers) {
            let leaves = other.leaves(executor, &interpolant.clauses[other.clause as usize]);
            numbers.extend(leaves.iter().map(|&(_, leaf)| leaf).filter(|&leaf| has_number(executor, leaf)));
        }
        let numbers: Box<[Leaf]> = numbers.into_iter().collect();
        let mut pins: Vec<(u32, u64)> =
            bounds.iter().filter(|bound| bound.span == 0).map(|bound| (bound.leaf, bound.lo)).collect();
        pins.sort_unstable();
        bounds.retain(|bound| bound.span > 0);
        let pinned: Box<[u32]> = pins.iter().map(|&(leaf, _)| leaf).collect();
        let values: Box<[u64]> = pins.iter().map(|&(_, value)| value).collect();
        let index = at.groups.iter().position(|group| group.pinned == pinned).unwrap_or_else(|| {
            if at.groups.len() >= MOST_GROUPS {
                let least = (0..at.groups.len()).min_by_key(|&index| at.groups[index].hits).unwrap_or(0);
                let gone = at.groups.remove(least);
                self.bytes -= gone.entries().map(Entry::bytes).sum::<usize>();
                self.stats.evicted += gone.entries().count() as u64;
            }
            at.groups.push(Group { pinned, by_values: FxHashMap::default(), hits: 0 });
            at.groups.len() - 1
        });
        let entries = at.groups[index].by_values.entry(values).or_default();
        let (bounds, others) = (bounds.into(), others.into());
        let mut entry =
            Entry { interpolant, bounds, others, numbers, node, worth, hits: 0, number: self.stats.entries };
        entries.retain(|old| {
            let is_needless = entry.is_weaker_than(old);
            if is_needless {
                self.bytes -= old.bytes();
                entry.hits = entry.hits.max(old.hits);
                self.stats.replaced += 1;
            }
            !is_needless
        });
        self.bytes += entry.bytes();
        // Most keys have one entry.
        entries.reserve_exact(1);
        entries.push(entry);
        if entries.len() > MOST_UNDER_A_KEY {
            let least = (0..entries.len() - 1).min_by_key(|&index| entries[index].hits).unwrap_or(0);
            self.bytes -= entries.remove(least).bytes();
            self.stats.evicted += 1;
        }
        if self.bytes > self.most_bytes {
            self.make_room();
        }
    }

    /// Drops all entries.
    pub fn clear(&mut self) {
        self.points.clear();
        self.bytes = 0;
    }

    /// Drops entries until half of the memory is free: of each half, by age, those that never spoke
    /// for a state, the older half first.
    fn make_room(&mut self) {
        let middle = self.stats.entries / 2;
        let is_idle: [fn(&Entry, u64) -> bool; 3] =
            [|entry, middle| entry.hits == 0 && entry.number < middle, |entry, _| entry.hits == 0, |_, _| true];
        for is_idle in is_idle {
            if self.bytes <= self.most_bytes / 2 {
                break;
            }
            for group in self.points.values_mut().flat_map(|at| &mut at.groups) {
                group.by_values.retain(|_, entries| {
                    entries.retain(|entry| {
                        let goes = is_idle(entry, middle);
                        if goes {
                            self.bytes -= entry.bytes();
                            self.stats.evicted += 1;
                        }
                        !goes
                    });
                    !entries.is_empty()
                });
            }
        }
        // What is left has to prove itself again.
        let groups = self.points.values_mut().flat_map(|at| &mut at.groups);
        groups.flat_map(|group| group.by_values.values_mut().flatten()).for_each(|entry| entry.hits /= 2);
    }

    /// An entry that speaks for the state.
    pub fn find(&mut self, executor: &mut Executor, point: &Rc<Point>, state: &State) -> Option<Spoken> {
        let AtPoint { leaves, groups, misses, skipped, .. } = self.points.get_mut(point)?;
        if *misses >= MISSES {
            *skipped += 1;
            if !skipped.is_multiple_of(SAMPLE) {
                return None;
            }
        }
        self.stats.checks += 1;
        let compared = self.stats.compared();
        let mut view = View::new(state, leaves);
        // The newest are the most likely, they come from next to where the state comes from.
        for group in groups.iter_mut().rev() {
            let Some(values) = view.numbers_at(executor, &group.pinned) else { continue };
            let Some(entries) = group.by_values.get_mut(&values[..]) else { continue };
            // So are those that spoke for a state last.
            for index in (0..entries.len()).rev() {
                if executor.is_stopped() {
                    return None;
                }
                match view.satisfies(executor, state, &entries[index]) {
                    Ok(()) => {
                        self.stats.subsumed += 1;
                        *misses = 0;
                        group.hits += 1;
                        entries[index].hits += 1;
                        entries[index..].rotate_left(1);
                        let entry = &entries[entries.len() - 1];
                        let interpolant = entry.interpolant.clone();
                        return Some(Spoken { interpolant, by: entry.node, worth: entry.worth });
                    }
                    Err(None) => self.stats.rejected_by_needs += 1,
                    Err(Some(Rejection::Constant)) => self.stats.rejected_by_value += 1,
                    Err(Some(Rejection::Model)) => self.stats.rejected_by_model += 1,
                    Err(Some(Rejection::Solver | Rejection::Undecided)) => self.stats.rejected_by_solver += 1,
                }
            }
        }
        *misses += u64::from(self.stats.compared() > compared);
        None
    }
}

impl Table {
    /// Is the newest entry at a point false in the state that it comes from?
    pub fn is_refuted(&mut self, executor: &mut Executor, point: &Rc<Point>, state: &State) -> bool {
        let Some(AtPoint { leaves, groups, .. }) = self.points.get(point) else { return false };
        let mut view = View::new(state, leaves);
        let mut entries = groups.iter().flat_map(Group::entries);
        let newest = entries.find(|entry| entry.number == self.stats.entries);
        newest.is_some_and(|entry| {
            !matches!(view.satisfies(executor, state, entry), Ok(()) | Err(Some(Rejection::Undecided)))
        })
    }
}

/// Does a state satisfy an interpolant that is in no table?
pub fn satisfies(executor: &mut Executor, interpolant: &Interpolant, state: &State) -> bool {
    if !meets(executor, &interpolant.needs, &interpolant.stack, state) {
        return false;
    }
    let mut view = View::new(state, &[]);
    interpolant.clauses.iter().all(|clause| {
        // Only what is the same may be an address.
        let is_pin = match clause {
            Clause::Bound(bound) => bound.lo == bound.hi,
            Clause::General(term) => executor.terms.op(*term) == Op::Eq,
        };
        let other = OtherClause { clause: 0, is_on_numbers: !is_pin, leaves: None };
        match view.condition_left(executor, clause, &other) {
            Ok(None) => true,
            Ok(Some(condition)) => is_implied(executor, state, condition).is_ok(),
            Err(_) => false,
        }
    })
}

/// What a state has at a leaf.
#[derive(Copy, Clone)]
enum Held {
    Number(u64),
    /// Something that depends on the input.
    Term(Term),
    /// There is no such place.
    Nothing,
}

/// A state as it is seen by formulas.
struct View<'a> {
    /// To be read from: reading memory that was never written changes it.
    state: State,
    /// The numbered leaves of the point, and what the state has there, as far as it was asked.
    leaves: &'a [(Term, Leaf)],
    held: Vec<Option<Held>>,
    /// Values of other leaves that were asked for.
    values: FxHashMap<Term, Option<Term>>,
}

impl<'a> View<'a> {
    fn new(state: &State, leaves: &'a [(Term, Leaf)]) -> View<'a> {
        View { state: state.clone(), leaves, held: vec![None; leaves.len()], values: FxHashMap::default() }
    }

    fn held(&mut self, executor: &mut Executor, number: u32) -> Held {
        if let Some(held) = self.held[number as usize] {
            return held;
        }
        let (var, leaf) = self.leaves[number as usize];
        let width = executor.terms.width(var);
        let held = match executor.leaf_value(&mut self.state, leaf, width) {
            None => Held::Nothing,
            Some(term) => executor.terms.as_u64(term).map_or(Held::Term(term), Held::Number),
        };
        self.held[number as usize] = Some(held);
        held
    }

    fn value(&mut self, executor: &mut Executor, var: Term, leaf: Leaf) -> Option<Term> {
        if let Some(&known) = self.values.get(&var) {
            return known;
        }
        let width = executor.terms.width(var);
        let value = executor.leaf_value(&mut self.state, leaf, width);
        self.values.insert(var, value);
        value
    }

    /// The values of numbered leaves, if all of them are numbers.
    fn numbers_at(&mut self, executor: &mut Executor, leaves: &[u32]) -> Option<Vec<u64>> {
        let number = |&leaf: &u32| match self.held(executor, leaf) {
            Held::Number(number) => Some(number),
            Held::Term(_) | Held::Nothing => None,
        };
        leaves.iter().map(number).collect()
    }

    fn satisfies(&mut self, executor: &mut Executor, state: &State, entry: &Entry) -> Result<(), Option<Rejection>> {
        for bound in &entry.bounds {
            match self.held(executor, bound.leaf) {
                Held::Number(number) if number.wrapping_sub(bound.lo) & bound.mask <= bound.span => {}
                Held::Number(_) => return Err(Some(Rejection::Constant)),
                Held::Nothing => return Err(None),
                Held::Term(_) => {}
            }
        }
        if !meets(executor, &entry.interpolant.needs, &entry.interpolant.stack, state) {
            return Err(None);
        }
        let mut conditions = Vec::new();
        for other in &entry.others {
            let clause = &entry.interpolant.clauses[other.clause as usize];
            conditions.extend(self.condition_left(executor, clause, other)?);
        }
        for bound in &entry.bounds {
            if let Held::Term(term) = self.held(executor, bound.leaf) {
                let bound = Bound { term, lo: bound.lo, hi: bound.lo.wrapping_add(bound.span) & bound.mask };
                conditions.push(bound.condition(&mut executor.terms));
            }
        }
        if !entry.numbers.iter().all(|&leaf| executor.has_number_at(state, leaf)) {
            return Err(None);
        }
        conditions.into_iter().try_for_each(|condition| is_implied(executor, state, condition).map_err(Some))
    }

    /// What a clause says of the state, if that depends on the input.
    fn condition_left(
        &mut self,
        executor: &mut Executor,
        clause: &Clause,
        other: &OtherClause,
    ) -> Result<Option<Term>, Option<Rejection>> {
        if let Some(value) = executor.number_in(&self.state, clause.term()) {
            let holds = match clause {
                Clause::Bound(bound) => bound.contains(value, executor.terms.width(bound.term)),
                Clause::General(_) => value == 1,
            };
            return if holds { Ok(None) } else { Err(Some(Rejection::Constant)) };
        }
        let mut values: FxHashMap<Term, Term> = FxHashMap::default();
        for &(var, leaf) in &other.leaves(executor, clause) {
            if other.is_on_numbers && !executor.has_number_at(&self.state, leaf) {
                return Err(None);
            }
            values.insert(var, self.value(executor, var, leaf).ok_or(None)?);
        }
        let condition = clause.condition(&mut executor.terms);
        let condition = executor.terms.substitute(condition, &values);
        match executor.terms.as_u64(condition) {
            None => Ok(Some(condition)),
            Some(1) => Ok(None),
            Some(_) => Err(Some(Rejection::Constant)),
        }
    }
}

/// Is everything the same that must be?
fn meets(executor: &Executor, needs: &Needs, stack: &[u64], state: &State) -> bool {
    if needs.heap_position.is_some_and(|position| position != state.memory().positions().0) {
        return false;
    }
    if needs.same_stack && stack != stack_layout(state) {
        return false;
    }
    if !needs.as_loaded.iter().all(|&base| executor.is_as_loaded(state, base)) {
        return false;
    }
    if needs.no_object.iter().any(|&address| state.memory().object(address).is_some()) {
        return false;
    }
    needs.objects.iter().all(|(&name, &(size, read_only))| {
        let Some(base) = resolve_name(state, name) else { return false };
        state.memory().object(base).is_some_and(|object| {
            object.base == base && object.size == size && object.read_only == read_only && object.size_term.is_none()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{AtPoint, Entry, Group, LeafBound, Point, Table};
    use crate::interpolant::Interpolant;
    use espalier_tree::NodeId;
    use rustc_hash::FxHashMap;
    use std::rc::Rc;

    fn bound(lo: u64, hi: u64) -> LeafBound {
        LeafBound { leaf: 0, mask: 0xff, lo, span: hi.wrapping_sub(lo) & 0xff }
    }

    #[test]
    fn bounds_contain_what_they_contain() {
        for (lo, hi, lo2, hi2) in
            [(0, 9, 3, 4), (0, 9, 0, 9), (250, 5, 255, 2), (250, 5, 3, 5), (3, 9, 2, 4), (250, 5, 5, 6)]
        {
            let (a, b) = (bound(lo, hi), bound(lo2, hi2));
            let is_in = |bound: &LeafBound, value: u64| value.wrapping_sub(bound.lo) & 0xff <= bound.span;
            let expected = (0..256).all(|value| !is_in(&b, value) || is_in(&a, value));
            assert_eq!(a.contains(&b), expected, "[{lo}, {hi}] and [{lo2}, {hi2}]");
        }
    }

    /// The entries that spoke for states stay longest.
    #[test]
    fn a_full_table_drops_what_never_helped() {
        let entry = |number: u64| Entry {
            interpolant: Interpolant::default(),
            bounds: Box::new([]),
            others: Box::new([]),
            numbers: Box::new([]),
            node: NodeId(0),
            worth: 0,
            hits: u64::from(number.is_multiple_of(10)),
            number,
        };
        let mut table = Table::new(1000 * entry(0).bytes());
        let entries: Vec<Entry> = (0..1000).map(entry).collect();
        table.stats.entries = 1000;
        table.bytes = entries.iter().map(Entry::bytes).sum();
        let by_values = FxHashMap::from_iter([(Box::from([]), entries)]);
        let groups = vec![Group { pinned: Box::new([]), by_values, hits: 0 }];
        table.points.insert(Rc::new(Point(Box::new([]))), AtPoint { groups, ..AtPoint::default() });
        table.make_room();
        let left = |table: &Table| -> Vec<u64> {
            let groups = table.points.values().flat_map(|at| &at.groups);
            groups.flat_map(Group::entries).map(|entry| entry.number).collect()
        };
        // 450 of the older half never helped; 100 entries did, and of the younger half the others
        // go next.
        assert_eq!(left(&table).len(), 100);
        assert!(left(&table).iter().all(|number| number % 10 == 0));
        assert_eq!(table.bytes, 100 * entry(0).bytes());
        assert_eq!(table.stats.evicted, 900);
    }
}
