//! Loops of the source: which one a state is about to go round, and what the places of the state
//! are called there.

use crate::learning::leaf::{Leaf, ObjectName};
use crate::memory::Origin;
use crate::paths::state::State;
use crate::{Executor, memory};
use espalier_analysis::loop_names;
use espalier_expr::{Op, Term};
use espalier_ir::{LoopSite, Reg};

/// An integer variable.
pub struct VariableName<'a> {
    pub name: &'a str,
    /// For a local variable.
    pub is_signed: Option<bool>,
}

impl Executor {
    /// The loop statement of the program whose head the state is at.
    pub fn loop_at(&self, state: &State) -> Option<&LoopSite> {
        loop_names::loop_at(self.program().function(state.top.func), state.top.pc)
    }

    /// Variables that registers hold there whose values are variables of terms (inputs, as a rule),
    /// with where they are.
    pub fn named_values<'a>(&self, state: &State, site: &'a LoopSite) -> Vec<(Term, Leaf, VariableName<'a>)> {
        let value = |reg: Reg| state.top.regs.get(reg.index()).and_then(|value| value.as_term());
        let named = site.variables.iter().filter_map(|variable| {
            let term = value(variable.reg).filter(|&term| self.terms.op(term) == Op::Var)?;
            let leaf = Leaf::Reg { depth: state.top.depth, reg: variable.reg.0 };
            Some((term, leaf, VariableName { name: &variable.name, is_signed: Some(variable.is_signed) }))
        });
        named.collect()
    }

    /// What a global object is called that begins at an address.
    pub fn global_at(&self, state: &State, base: u64) -> Option<&str> {
        let object: &memory::Object = state.memory.object(base).filter(|object| object.base == base)?;
        match object.origin {
            Origin::Global(id) => Some(&self.program().global(id).name),
            _ => None,
        }
    }

    /// The variable that a leaf is the value of, at the head of a loop that the state is at.
    pub fn variable_name<'a>(&'a self, state: &State, site: &'a LoopSite, leaf: Leaf) -> Option<VariableName<'a>> {
        match leaf {
            Leaf::Reg { depth, reg } if depth == state.top.depth => {
                let variable = loop_names::variable_in(site, Reg(reg))?;
                Some(VariableName { name: &variable.name, is_signed: Some(variable.is_signed) })
            }
            Leaf::Mem { object: ObjectName::At(base), offset: 0, len } => {
                let object: &memory::Object = state.memory.object(base).filter(|object| object.base == base)?;
                let Origin::Global(id) = object.origin else { return None };
                let global = self.program().global(id);
                let is_named = loop_names::names_global(site, global, len);
                is_named.then_some(VariableName { name: &global.name, is_signed: None })
            }
            _ => None,
        }
    }
}
