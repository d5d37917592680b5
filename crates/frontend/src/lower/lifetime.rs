//! Variables that end with their block: clang says where they begin and end to live (`llvm.lifetime.start`, `.end`).
//!
//! Of compound literals it says nothing. These are the objects without a name whose address is used: they live from where they are first
//! used to where the block of the source that this is in is left, as far as the debug information tells.
//!
//! Each life is an object of its own, so that a pointer into an earlier one is never valid again. Variables of the outermost block, which
//! live as long as the call, need none of this; nor do libraries, which are optimised.

use super::function::Builder;
use super::{Lowered, unsupported};
use crate::llvm::{Block, Opcode, Value};
use espalier_ir::{AllocaId, Inst, Reg};
use rustc_hash::{FxHashMap, FxHashSet};

/// The variables of a function that live in a block, with where their allocas are once these are lowered.
#[derive(Default)]
pub(super) struct Scoped<'m> {
    variables: FxHashSet<Value<'m>>,
    sites: FxHashMap<Value<'m>, (Reg, AllocaId)>,
    /// Before which instructions compound literals begin, and end.
    begins: FxHashMap<Value<'m>, Vec<Value<'m>>>,
    ends: FxHashMap<Value<'m>, Vec<Value<'m>>>,
}

/// How many blocks may follow the end of a variable of the outermost block.
const WAY_OUT: usize = 8;

impl<'m> Builder<'_, 'm> {
    pub(super) fn collect_lifetimes(&mut self) {
        if self.out.is_runtime {
            return;
        }
        let order = std::rc::Rc::clone(&self.order);
        let Some(entry) = order.blocks.first().copied() else { return };
        let variables: FxHashSet<Value<'m>> = entry.instructions().filter(|inst| is_variable(*inst)).collect();
        let mut starts: FxHashMap<Value<'m>, Vec<bool>> = FxHashMap::default();
        let mut ends: FxHashMap<Value<'m>, Vec<Value<'m>>> = FxHashMap::default();
        for block in order.blocks.iter() {
            for inst in block.instructions().filter(|inst| inst.opcode() == Opcode::LLVMCall) {
                let name = self.intrinsic(inst);
                if !matches!(name, Some("llvm.lifetime.start" | "llvm.lifetime.end"))
                    || !variables.contains(&inst.operand(1))
                {
                    continue;
                }
                if name == Some("llvm.lifetime.start") {
                    starts.entry(inst.operand(1)).or_default().push(*block == entry);
                } else {
                    ends.entry(inst.operand(1)).or_default().push(inst);
                }
            }
        }
        for literal in entry.instructions().filter(|inst| is_variable(*inst)) {
            if !starts.contains_key(&literal) && !self.variables.contains_key(&literal) {
                self.collect_literal(&order.blocks, literal);
            }
        }
        for (variable, in_entry) in starts {
            let ends = ends.get(&variable).map_or(&[][..], Vec::as_slice);
            let lives_as_long_as_the_call = in_entry == [true] && ends.iter().all(|end| self.leads_out(*end));
            if !lives_as_long_as_the_call {
                self.scoped.variables.insert(variable);
            }
        }
    }

    /// Finds out where an object without a name begins and ends to live, if all its uses are next to each other.
    fn collect_literal(&mut self, blocks: &[Block<'m>], literal: Value<'m>) {
        let users: FxHashSet<Value<'m>> = literal.users().into_iter().collect();
        let Some(block) = blocks.iter().find(|block| block.instructions().any(|inst| users.contains(&inst))) else {
            return;
        };
        let uses: Vec<Value<'m>> = block.instructions().filter(|inst| users.contains(inst)).collect();
        let (is_handed_on, scope) = (uses.iter().any(|user| hands_on(*user, literal)), uses[0].blocks_around());
        // The outermost block is the function.
        let [scope, _, ..] = scope[..] else { return };
        if !is_handed_on || uses.len() != users.len() {
            return;
        }
        let is_inside = |inst: Value<'m>| Some(inst.blocks_around()).filter(|around| !around.is_empty());
        let is_inside = |inst: Value<'m>| is_inside(inst).map(|around| around.contains(&scope));
        let left = |block: &Block<'m>| block.instructions().filter_map(is_inside).last() == Some(true);
        let entered: FxHashSet<Block<'m>> = blocks.iter().filter(|block| left(block)).flat_map(|b| b.successors()).collect();
        for block in blocks {
            let mut was_inside = entered.contains(block);
            for inst in block.instructions().filter(|inst| inst.opcode() != Opcode::LLVMPHI) {
                let Some(inside) = is_inside(inst) else { continue };
                if was_inside && !inside {
                    self.scoped.ends.entry(inst).or_default().push(literal);
                }
                was_inside = inside;
            }
        }
        self.scoped.begins.entry(uses[0]).or_default().push(literal);
        self.scoped.variables.insert(literal);
    }

    /// Lets compound literals begin and end that do so before an instruction.
    pub(super) fn lower_literals(&mut self, inst: Value<'m>) {
        for (is_end, literals) in [(true, self.scoped.ends.remove(&inst)), (false, self.scoped.begins.remove(&inst))] {
            for literal in literals.unwrap_or_default() {
                if let Some(&(dst, site)) = self.scoped.sites.get(&literal) {
                    self.emit(if is_end { Inst::LifeEnd { site } } else { Inst::LifeStart { dst, site } });
                }
            }
        }
    }

    /// Does nothing follow but the ends of other variables and the return?
    fn leads_out(&self, end: Value<'m>) -> bool {
        let mut next = end.next_instruction();
        let mut blocks = 0;
        while let Some(inst) = next {
            next = match inst.opcode() {
                Opcode::LLVMRet | Opcode::LLVMUnreachable => return true,
                Opcode::LLVMLoad | Opcode::LLVMPHI => inst.next_instruction(),
                Opcode::LLVMCall if self.ends_something(inst) => inst.next_instruction(),
                Opcode::LLVMBr if !inst.is_conditional() && blocks < WAY_OUT => {
                    blocks += 1;
                    Block::first_instruction(inst.block_operand(0))
                }
                _ => return false,
            };
        }
        false
    }

    fn ends_something(&self, call: Value<'m>) -> bool {
        let name = self.intrinsic(call).unwrap_or_default();
        matches!(name, "llvm.lifetime.end" | "llvm.stackrestore") || name.starts_with("llvm.dbg.")
    }

    pub(super) fn is_scoped(&self, alloca: Value<'m>) -> bool {
        self.scoped.variables.contains(&alloca)
    }

    pub(super) fn note_scoped(&mut self, alloca: Value<'m>, reg: Reg, site: AllocaId) {
        self.scoped.sites.insert(alloca, (reg, site));
    }

    pub(super) fn lower_lifetime(&mut self, inst: Value<'m>, starts: bool) -> Lowered<()> {
        if !self.is_scoped(inst.operand(1)) {
            return Ok(());
        }
        let Some(&(dst, site)) = self.scoped.sites.get(&inst.operand(1)) else {
            return unsupported("a variable that lives before it is there");
        };
        self.emit(if starts { Inst::LifeStart { dst, site } } else { Inst::LifeEnd { site } });
        Ok(())
    }
}

/// May others get hold of the object's address by this use?
fn hands_on(user: Value<'_>, object: Value<'_>) -> bool {
    match user.opcode() {
        Opcode::LLVMLoad => false,
        Opcode::LLVMStore => user.operand(0) == object,
        _ => true,
    }
}

/// Is it a stack object of fixed size?
fn is_variable(inst: Value<'_>) -> bool {
    inst.opcode() == Opcode::LLVMAlloca && inst.operand(0).small_int() == Some(1)
}
