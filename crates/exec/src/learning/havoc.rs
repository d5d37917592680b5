//! States that are none of the program's: some of what they hold can be anything.
//!
//! What holds for all that such a state can do holds for every state that agrees with it elsewhere:
//! so a property is shown to be kept by a loop, whatever the loop has done to these places before.
//! States like this are explored as others are, but nothing of it counts as a run of the program.

use crate::interpreter::machine::{Havoc, Interpreter};
use crate::learning::leaf::{Leaf, resolve_name};
use crate::memory::object::Byte;
use crate::paths::state::State;
use crate::{Executor, Step};
use espalier_base::persist::Radix;
use espalier_expr::{PathCondition, SymbolShape, Term};
use rustc_hash::FxHashSet;

impl Executor {
    /// Makes what a state holds at a leaf unknown; the variable that it holds then, which has whole
    /// bytes. `None` if the state has no such place, or if nothing can be written there.
    pub fn havoc(&mut self, state: &mut State, leaf: Leaf) -> Option<Term> {
        match leaf {
            Leaf::Reg { depth, reg } => {
                let func = state.frames().find(|frame| frame.depth == depth)?.func;
                let width = *self.program().function(func).regs.get(reg as usize)?;
                let var = self.unknown_word(state, width.div_ceil(8));
                let held = self.terms.extract(var, 0, width);
                let value = crate::Value::of(&self.terms, held);
                *state.top.frame_mut(depth)?.regs.get_mut(reg as usize)? = value;
                Some(var)
            }
            Leaf::Mem { object, offset, len } => {
                let base = resolve_name(state, object)?;
                let found = state.memory.object(base)?;
                let fits = offset.checked_add(len.into()).is_some_and(|end| end <= found.size);
                if found.base != base || found.size_term.is_some() || found.read_only || !fits {
                    return None;
                }
                let var = self.unknown_word(state, len);
                let contents = &mut state.memory.object_mut(base)?.contents;
                for k in 0..len {
                    contents.set_byte((offset + u64::from(k)) as usize, Byte::Symbolic(var, k));
                }
                Some(var)
            }
            // Where an object lies is not what a program can change.
            Leaf::Address { .. } => None,
        }
    }

    /// As [`Executor::run`], for a state that is none of the program's: nothing is covered, printed
    /// or predicted.
    pub fn run_havocked(&mut self, state: &mut State, budget: u64) -> Step {
        self.run_uncounted(state, Havoc::default(), budget)
    }

    /// Runs a state that is none of the program's until instruction number `at` is next. Does it
    /// come there without a fork, and could that instruction fork?
    pub fn run_to(&mut self, state: &mut State, at: u64) -> bool {
        let before = state.instructions;
        loop {
            let done = state.instructions - before;
            let Some(left) = at.checked_sub(done).filter(|&left| left > 0) else { return false };
            match self.run_uncounted(state, Havoc { stop_at: Some(left) }, left) {
                Step::Join => self.note_look_up(state),
                Step::Entered => {}
                Step::Budget => return state.instructions - before + 1 == at,
                Step::Fork(_) | Step::End(_) => return false,
            }
        }
    }

    /// Leaves out of a path condition whatever a condition depends on.
    pub fn forget_constraints_on(&mut self, state: &mut State, condition: Term) {
        let vars = self.terms.vars_of(condition);
        let forgotten: FxHashSet<Term> = self.solver.connected(&self.terms, &state.path, &vars).into_iter().collect();
        let mut left = state.path.to_vec();
        left.retain(|constraint| !forgotten.contains(constraint));
        state.path = PathCondition::of(&self.terms, &left);
        state.determined = Radix::default();
    }

    fn run_uncounted(&mut self, state: &mut State, havoc: Havoc, budget: u64) -> Step {
        let (stats, show_output) = (self.stats.clone(), std::mem::take(&mut self.options.show_output));
        let step = Interpreter::new(self, havoc).run(state, budget);
        self.replayed += self.stats.instructions - stats.instructions;
        (self.stats, self.options.show_output) = (stats, show_output);
        step
    }

    fn unknown_word(&mut self, state: &mut State, bytes: u32) -> Term {
        let symbol = self.unknown_symbol(state, bytes, SymbolShape::Scalar);
        self.terms.var(symbol, 0)
    }
}
