//! The subsumption table: what was learnt, by program point and call stack, and the ladder of checks whether it speaks for a state.
//!
//! Cheapest first: what must be the same as it was; bounds and clauses on concrete values, by evaluation; symbolic ones on the inputs that the state is known
//! to be reached with; and only then a question to the solver, one for each clause that is left.

use crate::clause::Clause;
use crate::interpolant::{Interpolant, Rejection, is_implied, leaves_of, stack_layout};
use espalier_exec::{Executor, Leaf, Needs, State, resolve_name};
use espalier_expr::{Model, Op, Term};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A program point with its call stack: function and instruction of every frame, innermost first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Point(Box<[(u32, u32)]>);

impl Point {
    /// The point that a state is at; `None` if what it does next depends on more than its point, registers and memory.
    pub fn of(state: &State) -> Option<Point> {
        state.is_between_instructions().then(|| {
            let frames = state.frames().map(|frame| (frame.func.0, frame.pc));
            Point(frames.chain(state.phase_key()).collect())
        })
    }
}

struct Entry {
    interpolant: Interpolant,
    /// The variables of each clause, with the leaves that they stand for; `None` if it has others too.
    leaves: Vec<(Vec<(Term, Leaf)>, bool)>,
    node: u32,
    hits: u64,
    /// Entries are numbered as they come.
    number: u64,
}

/// Counters of the table's work.
#[derive(Clone, Default, Debug)]
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
}

/// Entries kept under one key; the least used go first.
const MOST_UNDER_A_KEY: usize = 64;

/// Entries at one point that pin the same leaves, by the values that they pin them to: a loop whose counter matters has an entry for each round, and
/// a state is only compared with its own.
struct Group {
    pinned: Box<[(Term, Leaf)]>,
    by_values: FxHashMap<Box<[u64]>, Vec<Entry>>,
}

#[derive(Default)]
pub struct Table {
    points: FxHashMap<Rc<Point>, Vec<Group>>,
    pub stats: TableStats,
}

impl Table {
    pub fn insert(&mut self, executor: &Executor, point: &Rc<Point>, interpolant: Interpolant, node: u32) {
        let leaves = interpolant.clauses.iter().map(|clause| {
            let term = clause.term();
            let leaves = leaves_of(executor, term);
            let only_leaves = leaves.len() == executor.terms.vars_of(term).len();
            (leaves, only_leaves)
        });
        let leaves = leaves.collect();
        let mut pins: Vec<(Term, Leaf, u64)> = interpolant.clauses.iter().filter_map(|c| pin(executor, c)).collect();
        pins.sort_unstable();
        self.stats.entries += 1;
        self.stats.clauses += interpolant.clauses.len() as u64;
        let pinned: Box<[(Term, Leaf)]> = pins.iter().map(|&(var, leaf, _)| (var, leaf)).collect();
        let values: Box<[u64]> = pins.iter().map(|&(.., value)| value).collect();
        let groups = self.points.entry(point.clone()).or_default();
        let index = groups.iter().position(|group| group.pinned == pinned).unwrap_or_else(|| {
            groups.push(Group { pinned, by_values: FxHashMap::default() });
            groups.len() - 1
        });
        let entries = groups[index].by_values.entry(values).or_default();
        entries.push(Entry { interpolant, leaves, node, hits: 0, number: self.stats.entries });
        if entries.len() > MOST_UNDER_A_KEY {
            let least = (0..entries.len() - 1).min_by_key(|&index| entries[index].hits).unwrap_or(0);
            entries.remove(least);
            self.stats.evicted += 1;
        }
    }

    /// An entry that speaks for the state: its interpolant, and the node that it comes from.
    pub fn find(&mut self, executor: &mut Executor, point: &Rc<Point>, state: &State) -> Option<(Interpolant, u32)> {
        let groups = self.points.get_mut(point)?;
        self.stats.checks += 1;
        let mut view = View { state: state.clone(), values: FxHashMap::default(), numbers: Model::new() };
        for group in groups.iter_mut() {
            let Some(values) = view.numbers_at(executor, &group.pinned) else { continue };
            let Some(entries) = group.by_values.get_mut(&values[..]) else { continue };
            // The newest are the most likely: they come from next to where the state comes from.
            for entry in entries.iter_mut().rev() {
                match view.satisfies(executor, state, entry) {
                    Ok(()) => {
                        self.stats.subsumed += 1;
                        entry.hits += 1;
                        return Some((entry.interpolant.clone(), entry.node));
                    }
                    Err(None) => self.stats.rejected_by_needs += 1,
                    Err(Some(Rejection::Constant)) => self.stats.rejected_by_value += 1,
                    Err(Some(Rejection::Model)) => self.stats.rejected_by_model += 1,
                    Err(Some(Rejection::Solver)) => self.stats.rejected_by_solver += 1,
                }
            }
        }
        None
    }
}

impl Table {
    /// Is the newest entry at a point false in the state that it comes from?
    pub fn is_refuted(&mut self, executor: &mut Executor, point: &Rc<Point>, state: &State) -> bool {
        let Some(groups) = self.points.get(point) else { return false };
        let mut view = View { state: state.clone(), values: FxHashMap::default(), numbers: Model::new() };
        let entries = groups.iter().flat_map(|group| group.by_values.values().flatten());
        let newest = entries.max_by_key(|entry| entry.number);
        newest.is_some_and(|entry| {
            matches!(view.satisfies(executor, state, entry), Err(None | Some(Rejection::Constant | Rejection::Model)))
        })
    }
}

/// The leaf that a clause pins, and to what.
fn pin(executor: &Executor, clause: &Clause) -> Option<(Term, Leaf, u64)> {
    match clause {
        Clause::Bound(bound) if bound.lo == bound.hi && executor.terms.op(bound.term) == Op::Var => {
            Some((bound.term, executor.leaf_of(bound.term)?, bound.lo))
        }
        _ => None,
    }
}

/// A state as it is seen by formulas.
struct View {
    /// To be read from: reading memory that was never written changes it.
    state: State,
    /// Values of leaves that were asked for.
    values: FxHashMap<Term, Option<Term>>,
    /// Those that are numbers.
    numbers: Model,
}

impl View {
    fn value(&mut self, executor: &mut Executor, var: Term, leaf: Leaf) -> Option<Term> {
        if let Some(&known) = self.values.get(&var) {
            return known;
        }
        let width = executor.terms.width(var);
        let value = executor.leaf_value(&mut self.state, leaf, width);
        self.values.insert(var, value);
        if let Some(number) = value.and_then(|value| executor.terms.as_bv(value)) {
            self.numbers.set_bv(var, number);
        }
        value
    }

    /// The values of leaves, if all of them are numbers of at most 64 bits.
    fn numbers_at(&mut self, executor: &mut Executor, leaves: &[(Term, Leaf)]) -> Option<Vec<u64>> {
        leaves
            .iter()
            .map(|&(var, leaf)| self.value(executor, var, leaf).and_then(|value| executor.terms.as_u64(value)))
            .collect()
    }

    fn satisfies(&mut self, executor: &mut Executor, state: &State, entry: &Entry) -> Result<(), Option<Rejection>> {
        if !meets(&entry.interpolant.needs, &entry.interpolant.stack, state) {
            return Err(None);
        }
        let mut symbolic = Vec::new();
        for (clause, (leaves, only_leaves)) in entry.interpolant.clauses.iter().zip(&entry.leaves) {
            let mut concrete = *only_leaves;
            for &(var, leaf) in leaves {
                let value = self.value(executor, var, leaf).ok_or(None)?;
                concrete &= executor.terms.is_const(value);
            }
            if !concrete {
                symbolic.push((clause, leaves));
                continue;
            }
            let value = executor.terms.eval(clause.term(), &self.numbers).to_u64();
            let holds = match (clause, value) {
                (Clause::Bound(bound), Some(value)) => bound.contains(value, executor.terms.width(bound.term)),
                (Clause::General(_), Some(value)) => value == 1,
                (_, None) => false,
            };
            if !holds {
                return Err(Some(Rejection::Constant));
            }
        }
        for (clause, leaves) in symbolic {
            let values = leaves.iter().filter_map(|&(var, leaf)| Some((var, self.value(executor, var, leaf)?)));
            let values: FxHashMap<Term, Term> = values.collect();
            let condition = clause.condition(&mut executor.terms);
            let condition = executor.terms.substitute(condition, &values);
            is_implied(executor, state, condition).map_err(Some)?;
        }
        Ok(())
    }
}

/// Is everything the same that must be?
fn meets(needs: &Needs, stack: &[u64], state: &State) -> bool {
    if needs.heap_position.is_some_and(|position| position != state.memory.positions().0) {
        return false;
    }
    if needs.same_stack && stack != stack_layout(state) {
        return false;
    }
    if needs.no_object.iter().any(|&address| state.memory.object(address).is_some()) {
        return false;
    }
    needs.objects.iter().all(|(&name, &(size, read_only))| {
        let Some(base) = resolve_name(state, name) else { return false };
        state.memory.object(base).is_some_and(|object| {
            object.base == base && object.size == size && object.read_only == read_only && object.size_term.is_none()
        })
    })
}
