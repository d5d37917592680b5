//! What clang's check of calls through pointers (`-fsanitize=function`) reads in front of functions:
//! a mark, and a hash of the function's type. There is nothing in front of functions here, so what
//! is read is put in its place: a choice among the functions whose addresses are taken.

use super::change::takes_address;
use super::{Module, Opcode};
use llvm_sys::LLVMIntPredicate::LLVMIntEQ;
use llvm_sys::core::*;
use llvm_sys::prelude::*;

/// A load of one of the two numbers, and the pointer to the function.
struct Read {
    load: LLVMValueRef,
    function: LLVMValueRef,
    which: usize,
}

impl Module<'_> {
    /// Answers what the checks read.
    pub fn answer_function_types(&mut self) {
        // SAFETY: the module is borrowed mutably, so no handle into it is alive; instructions are
        // replaced when it was looked through.
        unsafe {
            let mut reads = Vec::new();
            let mut function = LLVMGetFirstFunction(self.raw);
            while !function.is_null() {
                let mut block = LLVMGetFirstBasicBlock(function);
                while !block.is_null() {
                    let mut inst = LLVMGetFirstInstruction(block);
                    while !inst.is_null() {
                        reads.extend(read_in_front_of_function(inst));
                        inst = LLVMGetNextInstruction(inst);
                    }
                    block = LLVMGetNextBasicBlock(block);
                }
                function = LLVMGetNextFunction(function);
            }
            if reads.is_empty() {
                return;
            }
            let known = self.function_types();
            let builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(self.raw));
            for Read { load, function, which } in reads {
                LLVMPositionBuilderBefore(builder, load);
                let number = LLVMTypeOf(load);
                let mut value = LLVMConstInt(number, 0, 0);
                for &(candidate, numbers) in &known {
                    let is_it = LLVMBuildICmp(builder, LLVMIntEQ, function, candidate, c"".as_ptr());
                    let own = LLVMConstInt(number, numbers[which], 0);
                    value = LLVMBuildSelect(builder, is_it, own, value, c"".as_ptr());
                }
                LLVMReplaceAllUsesWith(load, value);
                LLVMInstructionEraseFromParent(load);
            }
            LLVMDisposeBuilder(builder);
        }
    }

    /// The functions whose addresses are taken and that have numbers in front of them, with these.
    fn function_types(&self) -> Vec<(LLVMValueRef, [u64; 2])> {
        let mut known = Vec::new();
        for value in self.functions() {
            // SAFETY: walking the list of uses; kinds are asked for before the accessors are used,
            // and what is copied is freed.
            unsafe {
                let mut usage = LLVMGetFirstUse(value.raw);
                let mut is_taken = false;
                while !usage.is_null() {
                    is_taken |= takes_address(LLVMGetUser(usage), value.raw);
                    usage = LLVMGetNextUse(usage);
                }
                if is_taken {
                    known.extend(type_of_function(value.raw).map(|numbers| (value.raw, numbers)));
                }
            }
        }
        known
    }
}

/// # Safety
/// `function` is a function.
unsafe fn type_of_function(function: LLVMValueRef) -> Option<[u64; 2]> {
    let name = "func_sanitize";
    // SAFETY: as the caller says; the entries are freed, and kinds are asked for.
    unsafe {
        let context = LLVMGetTypeContext(LLVMTypeOf(function));
        let kind = LLVMGetMDKindIDInContext(context, name.as_ptr().cast(), name.len() as u32);
        let mut count = 0;
        let entries = LLVMGlobalCopyAllMetadata(function, &mut count);
        let index = (0..count as u32).find(|&index| LLVMValueMetadataEntriesGetKind(entries, index) == kind);
        let node = index.map(|index| LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(entries, index)));
        LLVMDisposeValueMetadataEntries(entries);
        let node = node.filter(|&node| LLVMGetMDNodeNumOperands(node) == 2)?;
        let mut operands = [std::ptr::null_mut(); 2];
        LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
        let is_number = |&operand: &LLVMValueRef| !operand.is_null() && !LLVMIsAConstantInt(operand).is_null();
        operands.iter().all(is_number).then(|| operands.map(|operand| LLVMConstIntGetZExtValue(operand)))
    }
}

/// # Safety
/// `inst` is an instruction.
unsafe fn read_in_front_of_function(inst: LLVMValueRef) -> Option<Read> {
    let name = "nosanitize";
    // SAFETY: as the caller says; opcodes and kinds are asked for before the accessors are used.
    unsafe {
        let context = LLVMGetTypeContext(LLVMTypeOf(inst));
        let kind = LLVMGetMDKindIDInContext(context, name.as_ptr().cast(), name.len() as u32);
        if LLVMGetInstructionOpcode(inst) != Opcode::LLVMLoad || LLVMGetMetadata(inst, kind).is_null() {
            return None;
        }
        let place = LLVMGetOperand(inst, 0);
        let is_place = !LLVMIsAGetElementPtrInst(place).is_null() && LLVMGetNumOperands(place) == 3;
        let pair = is_place.then(|| LLVMGetGEPSourceElementType(place))?;
        let is_pair = LLVMGetTypeKind(pair) == llvm_sys::LLVMTypeKind::LLVMStructTypeKind
            && LLVMIsPackedStruct(pair) != 0
            && LLVMCountStructElementTypes(pair) == 2;
        let (before, which) = (LLVMGetOperand(place, 1), LLVMGetOperand(place, 2));
        let are_numbers = !LLVMIsAConstantInt(before).is_null() && !LLVMIsAConstantInt(which).is_null();
        if !is_pair || !are_numbers || LLVMConstIntGetSExtValue(before) != -1 {
            return None;
        }
        let which = usize::try_from(LLVMConstIntGetZExtValue(which)).ok().filter(|&which| which < 2)?;
        Some(Read { load: inst, function: LLVMGetOperand(place, 0), which })
    }
}
