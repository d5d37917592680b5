//! Changes that KLEE makes to modules.

use super::{Module, Opcode, take_message};
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use std::ffi::CString;

impl Module<'_> {
    /// The module as LLVM assembly.
    pub fn to_assembly(&self) -> String {
        // SAFETY: valid module; the text is ours.
        unsafe { take_message(LLVMPrintModuleToString(self.raw)) }
    }

    /// The names of functions whose addresses are taken, by themselves or by an alias.
    pub fn escaping_functions(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for value in self.functions().chain(self.aliases()) {
            let Some(function) = crate::lower::resolve_function(value) else { continue };
            // SAFETY: walking the list of uses; the kinds are asked for before the accessors are used.
            let escapes = unsafe {
                let mut usage = LLVMGetFirstUse(value.raw);
                let mut escapes = false;
                while !usage.is_null() {
                    escapes |= takes_address(LLVMGetUser(usage), value.raw);
                    usage = LLVMGetNextUse(usage);
                }
                escapes
            };
            if escapes && !function.name().starts_with("llvm.") && !names.contains(&function.name()) {
                names.push(function.name());
            }
        }
        names
    }

    /// Gives the function of that name another one.
    pub fn rename(&mut self, from: &str, to: &str) {
        if let Some(function) = self.function_named(from) {
            // SAFETY: a value of this module; the text is copied.
            unsafe { LLVMSetValueName2(function.raw, to.as_ptr().cast(), to.len()) };
        }
    }

    /// Has all that uses the function or alias `name` use `replacement`, under the name as it was.
    pub fn alias_instead(&mut self, name: &str, replacement: &str) {
        let find = |name: &str| self.function_named(name).or_else(|| self.alias_named(name)).map(|value| value.raw);
        let (Some(one), Some(other), Ok(text)) = (find(name), find(replacement), CString::new(name)) else { return };
        // SAFETY: both are functions or aliases of functions of this module, and nobody has a
        // handle on the one that is deleted: the module is borrowed mutably.
        unsafe {
            if !LLVMIsAGlobalAlias(one).is_null() {
                LLVMAliasSetAliasee(one, other);
                return;
            }
            let ty = LLVMGlobalGetValueType(other);
            let alias = LLVMAddAlias2(self.raw, ty, 0, other, c"".as_ptr());
            LLVMReplaceAllUsesWith(one, alias);
            LLVMDeleteFunction(one);
            LLVMSetValueName2(alias, text.as_ptr(), name.len());
        }
    }

    /// Drops inline assembly that has no text, takes nothing and gives nothing: barriers.
    pub fn drop_empty_assembly(&mut self) {
        let mut barriers: Vec<LLVMValueRef> = Vec::new();
        // SAFETY: the module is borrowed mutably, so no handle into it is alive; instructions are
        // erased when it was looked through.
        unsafe {
            let mut function = LLVMGetFirstFunction(self.raw);
            while !function.is_null() {
                let mut block = LLVMGetFirstBasicBlock(function);
                while !block.is_null() {
                    let mut inst = LLVMGetFirstInstruction(block);
                    while !inst.is_null() {
                        if LLVMGetInstructionOpcode(inst) == Opcode::LLVMCall && is_empty_assembly(inst) {
                            barriers.push(inst);
                        }
                        inst = LLVMGetNextInstruction(inst);
                    }
                    block = LLVMGetNextBasicBlock(block);
                }
                function = LLVMGetNextFunction(function);
            }
            barriers.into_iter().for_each(|inst| LLVMInstructionEraseFromParent(inst));
        }
    }
}

/// Does `user` do anything with a function but call it, or give it another name?
///
/// # Safety
/// `user` uses `function`.
pub(super) unsafe fn takes_address(user: LLVMValueRef, function: LLVMValueRef) -> bool {
    // SAFETY: as the caller says; the kinds are asked for before the accessors are used.
    unsafe {
        if !LLVMIsAGlobalAlias(user).is_null() {
            return false;
        }
        if LLVMIsACallInst(user).is_null() {
            return true;
        }
        let is_argument = (0..LLVMGetNumArgOperands(user)).any(|index| LLVMGetOperand(user, index) == function);
        LLVMGetCalledValue(user) != function || is_argument
    }
}

/// # Safety
/// `call` is a call instruction.
unsafe fn is_empty_assembly(call: LLVMValueRef) -> bool {
    // SAFETY: as the caller says; the kinds are asked for before the accessors are used.
    unsafe {
        let callee = LLVMGetCalledValue(call);
        if LLVMIsAInlineAsm(callee).is_null() || LLVMGetNumArgOperands(call) != 0 || !LLVMGetFirstUse(call).is_null() {
            return false;
        }
        let mut length = 0;
        LLVMGetInlineAsmAsmString(callee, &mut length);
        length == 0
    }
}
