//! Places that interpolants pin to numbers or addresses, and what becomes of the other clauses then.
//!
//! A clause about a pinned place is simpler with the number in it, and most say nothing any more.
//! Size is never a reason to learn nothing: where there are too many clauses, the numbers that they
//! are about are pinned, first those by which similar clauses differ.

use crate::clause::{Bound, Clause};
use crate::interpolant::{Builder, leaves_of};
use espalier_exec::{Leaf, NoInterpolant, ObjectName, resolve_name};
use espalier_expr::{Op, Related, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Clauses about several places, and clauses that are not bounds, if numbers can be pinned instead.
const MOST_COMPOUND: usize = 8;
const MOST_GENERAL: usize = 128;

impl Builder<'_> {
    /// Puts what is pinned into the other clauses, and pins more if there are too many of them.
    pub(crate) fn pin(&mut self) -> Result<(), NoInterpolant> {
        self.put_pins_in()?;
        if self.compound().count() > MOST_COMPOUND {
            self.pin_what_differs()?;
            self.put_pins_in()?;
        }
        if self.general.len() > MOST_GENERAL {
            self.pin_numbers()?;
            self.put_pins_in()?;
        }
        Ok(())
    }

    /// Puts what leaves are pinned to, numbers or addresses in stack objects, into all other clauses,
    /// until nothing more is pinned by that. The conjunction stays the same.
    fn put_pins_in(&mut self) -> Result<(), NoInterpolant> {
        let mut pinned: FxHashMap<Term, Term> = FxHashMap::default();
        let mut pins: FxHashSet<Term> = FxHashSet::default();
        loop {
            let before = pinned.len();
            for &clause in &self.general {
                if let Some((var, address)) = self.pinned_to_address(clause)
                    && !pinned.contains_key(&var)
                {
                    pinned.insert(var, address);
                    pins.insert(clause);
                }
            }
            let terms = &mut self.executor.terms;
            for &term in &self.order {
                let bound = self.bounds[&term];
                if bound.lo == bound.hi && terms.op(term) == Op::Var && !pinned.contains_key(&term) {
                    pinned.insert(term, terms.constant(bound.lo, terms.width(term)));
                }
            }
            if pinned.len() == before {
                return Ok(());
            }
            let mut places: Vec<Term> = pinned.keys().copied().collect();
            places.sort_unstable();
            let is_about_pinned = |terms: &Terms, term: Term| !terms.vars_among(term, &places).is_empty();
            let mut again = Vec::new();
            self.order.retain(|term| {
                let is_changed = !pinned.contains_key(term) && is_about_pinned(terms, *term);
                if is_changed && let Some(bound) = self.bounds.remove(term) {
                    again.push(bound.condition(terms));
                }
                !is_changed
            });
            self.general.retain(|&clause| {
                let is_changed = !pins.contains(&clause) && is_about_pinned(terms, clause);
                again.extend(is_changed.then_some(clause));
                !is_changed
            });
            let checked: &[Term] = if self.is_checked() { &places } else { &[] };
            let terms = &mut self.executor.terms;
            let given: Vec<Term> = checked.iter().map(|place| terms.eq(*place, pinned[place])).collect();
            for clause in again {
                let simpler = self.executor.terms.substitute(clause, &pinned);
                self.check(clause, simpler, &given);
                self.keep(simpler)?;
            }
        }
    }

    /// A clause that says that a place holds an address in a stack object: the place, and the address
    /// relative to the object's.
    fn pinned_to_address(&self, clause: Term) -> Option<(Term, Term)> {
        let terms = &self.executor.terms;
        let node = terms.node(clause);
        let is_place = |term: Term| {
            terms.op(term) == Op::Var && !matches!(self.executor.leaf_of(term), None | Some(Leaf::Address { .. }))
        };
        let sides = (node.op == Op::Eq).then(|| [(node.arg(0), node.arg(1)), (node.arg(1), node.arg(0))])?;
        sides.into_iter().find(|&(place, address)| is_place(place) && self.address_in_object(address).is_some())
    }

    /// A term that is the address of a stack object and a number: the object, and the number.
    fn address_in_object(&self, term: Term) -> Option<(ObjectName, u64)> {
        let terms = &self.executor.terms;
        let node = terms.node(term);
        let (var, offset) = match node.op {
            Op::Add => (node.arg(0), terms.as_u64(node.arg(1))?),
            _ => (term, 0),
        };
        let leaf = self.executor.leaf_of((terms.op(var) == Op::Var).then_some(var)?)?;
        let Leaf::Address { depth, index } = leaf else { return None };
        Some((ObjectName::Stack { depth, index }, offset))
    }

    /// Does a clause say no more than that two addresses in one stack object are in one slot? That
    /// is so wherever there is such an object, which is required instead.
    pub(crate) fn is_about_one_object(&mut self, clause: &Clause) -> bool {
        let Clause::Bound(Bound { term, lo: 0, hi }) = *clause else { return false };
        let terms = &self.executor.terms;
        let node = *terms.node(term);
        if node.op != Op::Xor || hi < self.state.memory().layout.slot_mask() {
            return false;
        }
        let (Some((name, a)), Some((other, b))) =
            (self.address_in_object(node.arg(0)), self.address_in_object(node.arg(1)))
        else {
            return false;
        };
        let object = resolve_name(&self.state, name).and_then(|base| self.state.memory().object(base));
        let object = object.filter(|object| self.state.memory().layout.slots_taken_by(object) == 1);
        match object {
            Some(object) if name == other && a.max(b) <= object.size && object.size_term.is_none() => {
                self.needs.objects.insert(name, (object.size, object.read_only));
                true
            }
            _ => false,
        }
    }

    /// The terms of clauses that are about several places.
    fn compound(&self) -> impl Iterator<Item = Term> {
        let bounded = self.order.iter().copied().filter(|&term| self.executor.terms.op(term) != Op::Var);
        bounded.chain(self.general.iter().copied())
    }

    /// Where there are many clauses about the same places, requires the numbers that the node has
    /// at the places that are in some of them only, which is stronger. `s + x` and `s + 1` double
    /// from fork to fork; with `x` pinned, both are bounds of `s`.
    fn pin_what_differs(&mut self) -> Result<(), NoInterpolant> {
        let compound: Vec<Term> = self.compound().collect();
        let related = self.executor.terms.related(&compound);
        for Related { differing, .. } in related.into_iter().filter(|set| set.terms.len() > MOST_COMPOUND) {
            for var in differing {
                if let Some(number) = self.executor.number_in(&self.state, var) {
                    let number = self.executor.terms.constant(number, self.executor.terms.width(var));
                    let same = self.executor.terms.eq(var, number);
                    self.keep(same)?;
                }
            }
        }
        Ok(())
    }

    /// Requires the numbers that the node has where clauses that are not bounds look, which is
    /// stronger.
    fn pin_numbers(&mut self) -> Result<(), NoInterpolant> {
        let general = self.general.clone();
        for clause in general {
            for (var, _) in leaves_of(self.executor, clause) {
                let value = self.leaf_value(var)?;
                if self.executor.terms.is_const(value) {
                    let same = self.executor.terms.eq(var, value);
                    self.keep(same)?;
                }
            }
        }
        Ok(())
    }
}
