//! States that are met again: what may be said of every state that is among those of a node.
//!
//! A path that comes round a loop to a state that was met before need not be explored, because
//! whatever it reaches is reached from there. What does such a leaf require of other states? That
//! they are among the states of the node that was met: each place has the value that it has there,
//! and inputs that places hold satisfy the constraints that they satisfy there. A place that holds
//! an input of its own, of which nothing is known, may hold anything.
//!
//! Why this is sound, although the node that was met is not finished: a state that is not explored
//! because of such an interpolant goes the way of explored ones, until it is among the states of
//! the node that was met. That one is explored, and from there the rest of a path to an error is
//! shorter: by induction on its length, the error is found. If the node's subtree is cut short, the
//! run is no proof anyway.
//!
//! A state is looked for among its ancestors at the same loop head, whose states may be more: a
//! loop on unknown flags that were tested in its first round is closed in the second. All of memory
//! counts, whether code reads it or not, so there is no such interpolant once there were heap
//! objects, with arrays at symbolic offsets, or with many places.

use crate::interpolant::{Builder, Interpolant, Method};
use espalier_exec::{Executor, NoInterpolant, Places, State};
use espalier_expr::{Solution, SymbolKind, Term, Terms};
use rustc_hash::FxHashMap;

/// States with more places have no description.
const MOST_PLACES: usize = 256;

/// An interpolant that says of a state that it is among those of `state`.
pub fn describe(executor: &mut Executor, state: &State) -> Option<Interpolant> {
    let places = executor.places(state, MOST_PLACES)?;
    let mut builder = Builder::new(executor, Method::WeakestPrecondition, state);
    builder.require_places(places).ok()?;
    builder.finish().ok()
}

/// Can `state` be among those of `other`, as far as the numbers in the registers of its running
/// function and in memory tell? They are at the same place.
pub fn may_be_among(executor: &mut Executor, state: &State, other: &State) -> bool {
    let (own, others) = (state.running(), other.running());
    let live = executor.live_registers(own.func, own.pc);
    let mut registers = live.iter().map(|reg| (own.regs[reg.index()], others.regs[reg.index()]));
    registers.all(|(own, others)| !others.is_concrete() || own == others) && !executor.has_other_numbers(state, other)
}

impl Builder<'_> {
    /// Requires everything to be as it is at this node.
    fn require_places(&mut self, places: Places) -> Result<(), NoInterpolant> {
        self.needs.objects.extend(places.objects);
        self.needs.as_loaded.extend(places.as_loaded);
        self.needs.heap_position = Some(places.heap_position);
        // Inputs by the places that tell their values, and what is left to say of places.
        let mut names: FxHashMap<Term, Term> = FxHashMap::default();
        let mut said: Vec<Term> = Vec::new();
        let mut inputs: Vec<Term> = Vec::new();
        for (leaf, width) in places.leaves {
            let var = self.executor.leaf_var(leaf, width);
            let value = self.leaf_value(var)?;
            inputs.extend(self.executor.terms.vars_of(value).iter());
            let value = match self.executor.terms.as_u64(value) {
                Some(number) => {
                    let relative = self.executor.stack_relative(&self.state, number, width);
                    relative.ok_or(NoInterpolant::NoPlace)?
                }
                None => self.executor.terms.substitute(value, &names),
            };
            let terms = &mut self.executor.terms;
            let same = terms.eq(var, value);
            let is_input =
                |terms: &Terms, var: Term| terms.symbol_info(terms.node(var).symbol()).kind != SymbolKind::Place;
            match terms.solve(same, &is_input) {
                Some(Solution { values, rest }) if values.values().all(|&value| !terms.span_of(value).has_others()) => {
                    said.extend(rest);
                    names.extend(values);
                }
                _ => said.push(same),
            }
        }
        inputs.sort_unstable();
        inputs.dedup();
        let Executor { terms, solver, .. } = &mut *self.executor;
        said.extend(solver.connected(terms, self.state.path_condition(), &inputs));
        for condition in said {
            let terms = &mut self.executor.terms;
            let condition = terms.substitute(condition, &names);
            if terms.span_of(condition).has_others() {
                return Err(NoInterpolant::ForeignInputs);
            }
            self.keep(condition)?;
        }
        Ok(())
    }
}
