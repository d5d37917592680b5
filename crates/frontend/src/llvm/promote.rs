//! Turns local variables into SSA values before lowering, without letting LLVM exploit undefined
//! behaviour.
//!
//! Only what `mem2reg` does is done ([`super::ssa`]). SROA would do more, but it deletes accesses
//! outside an object (it calls them dead), which are just what we are asked to find.
//!
//! A variable that is uninitialised on some way must not become what it is on the others. So each
//! variable is first given a *visible* undefined value: a load from a marker global, which lowering
//! turns into an undefined constant. (Also variables that cannot be promoted yet: they may once a
//! pointer to them is. For those that stay in memory, lowering drops the store again.)
//!
//! An assignment to a variable that is promoted leaves no instruction behind, and its line would be
//! missing wherever lines are counted. So a call of `llvm.donothing` at its place goes before it,
//! which lowering takes down ([`espalier_ir::Function::passed`]) and makes no instruction of. Not
//! in Espalier's runtime, whose lines nobody asks about.
//!
//! What each variable holds wherever it gets another value is read where a proof is told in the
//! words of the source only, and takes long in a function with ten thousand assignments. Unless it
//! is asked for, variables are described just where they get a parameter or the result of a call.
//!
//! Functions that call `setjmp` are left in memory: a second return must see the variables' last
//! values.

use super::ssa::{Promoter, is_promotable};
use super::{Module, Opcode, Value, ValueKind};
use espalier_base::control;
use llvm_sys::LLVMTypeKind;
use llvm_sys::core::*;
use llvm_sys::debuginfo::{LLVMInstructionGetDebugLoc, LLVMInstructionSetDebugLoc};
use llvm_sys::prelude::*;
use rustc_hash::FxHashSet;

/// Name of the marker global: a load from it is an undefined value.
pub const UNDEF_PREFIX: &str = "espalier.undef";

impl Module<'_> {
    /// Promotes local variables of all functions. `describes` says whether it has to be known what
    /// each of them holds everywhere.
    pub fn promote_locals(&mut self, runtime_attribute: &str, describes: bool) {
        // SAFETY: the module is borrowed mutably, so no handle into it is alive.
        unsafe {
            let context = LLVMGetModuleContext(self.raw);
            let left_in_memory: FxHashSet<LLVMValueRef> =
                control::returning_twice().flat_map(|name| self.callers_of(name)).collect();
            let marker = LLVMAddGlobal(self.raw, LLVMInt8TypeInContext(context), c"espalier.undef".as_ptr());
            let nothing_type = LLVMFunctionType(LLVMVoidTypeInContext(context), std::ptr::null_mut(), 0, 0);
            let nothing = match LLVMGetNamedFunction(self.raw, c"llvm.donothing".as_ptr()) {
                known if !known.is_null() => known,
                _ => LLVMAddFunction(self.raw, c"llvm.donothing".as_ptr(), nothing_type),
            };
            let promoter = Promoter::new(self.raw, describes);
            let builder = LLVMCreateBuilderInContext(context);
            let mut function = LLVMGetFirstFunction(self.raw);
            while !function.is_null() {
                if LLVMCountBasicBlocks(function) != 0 && !left_in_memory.contains(&function) {
                    initialise_locals(builder, LLVMGetEntryBasicBlock(function), marker);
                    if !Value::known(function).has_string_attribute(runtime_attribute) {
                        mark_assignments(function, |store| {
                            LLVMPositionBuilderBefore(builder, store);
                            LLVMBuildCall2(builder, nothing_type, nothing, std::ptr::null_mut(), 0, c"".as_ptr())
                        });
                    }
                    promoter.promote(function);
                }
                function = LLVMGetNextFunction(function);
            }
            LLVMDisposeBuilder(builder);
        }
    }

    /// The functions that call the function `name`.
    ///
    /// # Safety
    /// The results must not outlive the next change of the module.
    unsafe fn callers_of(&self, name: &str) -> Vec<LLVMValueRef> {
        let Some(callee) = self.function_named(name) else {
            return Vec::new();
        };
        let mut callers = Vec::new();
        // SAFETY: walking the list of uses; only instructions have a parent block.
        unsafe {
            let mut usage = LLVMGetFirstUse(callee.raw);
            while !usage.is_null() {
                let user = LLVMGetUser(usage);
                if Value::known(user).kind() == ValueKind::LLVMInstructionValueKind {
                    callers.push(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)));
                }
                usage = LLVMGetNextUse(usage);
            }
        }
        callers
    }
}

/// Stores the marker's content into each variable that may be promoted.
///
/// # Safety
/// `entry` is a function's entry block.
unsafe fn initialise_locals(builder: LLVMBuilderRef, entry: LLVMBasicBlockRef, marker: LLVMValueRef) {
    // SAFETY: walks the block's instructions; what is inserted comes after the alloca and before
    // `next`.
    unsafe {
        let mut inst = LLVMGetFirstInstruction(entry);
        while !inst.is_null() {
            let next = LLVMGetNextInstruction(inst);
            if LLVMGetInstructionOpcode(inst) == Opcode::LLVMAlloca && may_be_promoted(inst) && !next.is_null() {
                store_marker(builder, inst, marker, next);
                let begins = Value::known(inst).users().into_iter().filter(|user| is_lifetime(user.raw, true));
                for begin in begins.collect::<Vec<_>>() {
                    store_marker(builder, inst, marker, LLVMGetNextInstruction(begin.raw));
                }
            }
            inst = next;
        }
    }
}

/// Gives a variable an undefined value before an instruction.
///
/// # Safety
/// `alloca` is an `alloca`, and `before` an instruction behind it.
unsafe fn store_marker(builder: LLVMBuilderRef, alloca: LLVMValueRef, marker: LLVMValueRef, before: LLVMValueRef) {
    // SAFETY: as the function's own.
    unsafe {
        LLVMPositionBuilderBefore(builder, before);
        let value = LLVMBuildLoad2(builder, LLVMGetAllocatedType(alloca), marker, c"".as_ptr());
        LLVMBuildStore(builder, value, alloca);
    }
}

/// Is it the mark of where a variable begins, or else begins or ends, to live?
///
/// # Safety
/// `inst` is an instruction.
pub(super) unsafe fn is_lifetime(inst: LLVMValueRef, begins: bool) -> bool {
    // SAFETY: callees are asked of calls only, and names of functions.
    unsafe {
        if LLVMGetInstructionOpcode(inst) != Opcode::LLVMCall {
            return false;
        }
        let callee = LLVMGetCalledValue(inst);
        let name = if LLVMIsAFunction(callee).is_null() { None } else { Value::known(callee).intrinsic_name() };
        name == Some("llvm.lifetime.start") || !begins && name == Some("llvm.lifetime.end")
    }
}

/// Puts what `insert_before` inserts before each store to a local variable, and gives it the
/// store's place in the source.
///
/// # Safety
/// `function` has code, and `insert_before` inserts one instruction there.
unsafe fn mark_assignments(function: LLVMValueRef, mut insert_before: impl FnMut(LLVMValueRef) -> LLVMValueRef) {
    // SAFETY: walks the function's instructions; operands are asked of stores only.
    unsafe {
        let mut block = LLVMGetFirstBasicBlock(function);
        while !block.is_null() {
            let mut inst = LLVMGetFirstInstruction(block);
            while !inst.is_null() {
                let next = LLVMGetNextInstruction(inst);
                if LLVMGetInstructionOpcode(inst) == Opcode::LLVMStore
                    && !LLVMIsAAllocaInst(LLVMGetOperand(inst, 1)).is_null()
                {
                    let location = LLVMInstructionGetDebugLoc(inst);
                    if !location.is_null() {
                        LLVMInstructionSetDebugLoc(insert_before(inst), location);
                    }
                }
                inst = next;
            }
            block = LLVMGetNextBasicBlock(block);
        }
    }
}

/// Is it a scalar or vector, or an aggregate that is only loaded and stored as a whole?
///
/// # Safety
/// `alloca` is an `alloca`.
unsafe fn may_be_promoted(alloca: LLVMValueRef) -> bool {
    // SAFETY: as the function's own.
    unsafe {
        is_single(alloca)
            && match LLVMGetTypeKind(LLVMGetAllocatedType(alloca)) {
                LLVMTypeKind::LLVMStructTypeKind | LLVMTypeKind::LLVMArrayTypeKind => {
                    Value::known(alloca).has_uses() && is_promotable(alloca)
                }
                LLVMTypeKind::LLVMScalableVectorTypeKind | LLVMTypeKind::LLVMTargetExtTypeKind => false,
                _ => true,
            }
    }
}

/// Is it one object of its type, and not an array of them?
///
/// # Safety
/// `alloca` is an `alloca`.
pub(super) unsafe fn is_single(alloca: LLVMValueRef) -> bool {
    // SAFETY: as the function's own; a number is asked of a constant.
    unsafe {
        let count = LLVMGetOperand(alloca, 0);
        !LLVMIsAConstantInt(count).is_null() && LLVMConstIntGetZExtValue(count) == 1
    }
}
