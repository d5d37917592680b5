//! What registers and global variables are called at the head of a loop statement of the source.

use espalier_ir::{Function, Global, LoopSite, LoopVariable, Reg};

/// The loop statement of the program under test whose head begins with instruction `pc`.
pub fn loop_at(function: &Function, pc: u32) -> Option<&LoopSite> {
    if function.is_runtime {
        return None;
    }
    function.loops.iter().find(|site| function.block(site.head).start == pc && site.loc.is_known())
}

/// The variable that a register of the function holds there.
pub fn variable_in(site: &LoopSite, reg: Reg) -> Option<&LoopVariable> {
    site.variables.iter().find(|variable| variable.reg == reg)
}

/// Does the name of an integer of `size` bytes mean this global variable there?
pub fn names_global(site: &LoopSite, global: &Global, size: u32) -> bool {
    let is_whole = global.is_integer && global.size == u64::from(size);
    let is_declared = global.loc.file == site.loc.file && global.loc.line <= site.loc.line;
    is_whole && is_declared && is_identifier(&global.name) && !site.names.contains(&global.name)
}

/// Is it a name of C's, and not one that was made different from another?
fn is_identifier(name: &str) -> bool {
    !name.starts_with(|letter: char| letter.is_ascii_digit())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}
