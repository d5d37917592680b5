//! Loops of the source: which one a state is about to go round, and what the places of the state are called there.

use crate::learning::leaf::{Leaf, ObjectName};
use crate::memory::Origin;
use crate::paths::state::State;
use crate::{Executor, memory};
use espalier_ir::LoopSite;

/// An integer variable.
pub struct VariableName<'a> {
    pub name: &'a str,
    /// For a local variable.
    pub is_signed: Option<bool>,
}

impl Executor {
    /// The loop statement of the program whose head the state is at.
    pub fn loop_at(&self, state: &State) -> Option<&LoopSite> {
        let function = self.program().function(state.top.func);
        if function.is_runtime {
            return None;
        }
        function.loops.iter().find(|site| function.block(site.head).start == state.top.pc && site.loc.is_known())
    }

    /// The variable that a leaf is the value of, at the head of a loop that the state is at.
    pub fn variable_name<'a>(&'a self, state: &State, site: &'a LoopSite, leaf: Leaf) -> Option<VariableName<'a>> {
        match leaf {
            Leaf::Reg { depth, reg } if depth == state.top.depth => {
                let variable = site.variables.iter().find(|variable| variable.reg.index() == reg as usize)?;
                Some(VariableName { name: &variable.name, is_signed: Some(variable.is_signed) })
            }
            Leaf::Mem { object: ObjectName::At(base), offset: 0, len } => {
                let object: &memory::Object = state.memory.object(base).filter(|object| object.base == base)?;
                let Origin::Global(id) = object.origin else { return None };
                let global = self.program().global(id);
                let is_whole = global.is_integer && global.size == u64::from(len);
                let is_declared = global.loc.file == site.loc.file && global.loc.line <= site.loc.line;
                let can_be_named = is_declared && is_identifier(&global.name) && !site.names.contains(&global.name);
                (is_whole && can_be_named).then_some(VariableName { name: &global.name, is_signed: None })
            }
            _ => None,
        }
    }
}

/// Is it a name of C's, and not one that was made different from another?
fn is_identifier(name: &str) -> bool {
    !name.starts_with(|letter: char| letter.is_ascii_digit())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}
