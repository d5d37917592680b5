//! Calls inserted into a module, for native runs that tell when they come to a place.

use super::{DebugLoc, Module, Opcode, Value};
use llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use std::ffi::CString;

impl Module<'_> {
    /// Inserts calls of `name(number)` where `number_at` gives one for an instruction's location,
    /// once for each stretch of instructions with the same one.
    pub fn insert_calls(&mut self, name: &std::ffi::CStr, mut number_at: impl FnMut(DebugLoc<'_>) -> Option<u32>) {
        let mut calls: Vec<(LLVMValueRef, u32)> = Vec::new();
        // SAFETY: the module is borrowed mutably, so no handle into it is alive; nothing is changed
        // while it is looked through.
        unsafe {
            let mut function = LLVMGetFirstFunction(self.raw);
            while !function.is_null() {
                let mut block = LLVMGetFirstBasicBlock(function);
                while !block.is_null() {
                    let mut last = None;
                    let mut inst = LLVMGetFirstInstruction(block);
                    while !inst.is_null() {
                        let number = Value::known(inst).debug_loc().and_then(&mut number_at);
                        if LLVMGetInstructionOpcode(inst) != Opcode::LLVMPHI {
                            calls.extend(number.filter(|_| number != last).map(|number| (inst, number)));
                            last = number;
                        }
                        inst = LLVMGetNextInstruction(inst);
                    }
                    block = LLVMGetNextBasicBlock(block);
                }
                function = LLVMGetNextFunction(function);
            }
        }
        self.insert(name, &calls);
    }

    /// Has calls of functions that are only declared go to others of the same type, whose names
    /// `elsewhere` gives for those that are to change.
    pub fn divert_calls(&mut self, mut elsewhere: impl FnMut(&str, Option<DebugLoc<'_>>) -> Option<String>) {
        let mut calls: Vec<(LLVMValueRef, String, String)> = Vec::new();
        // SAFETY: as in `insert_calls`.
        unsafe {
            let mut function = LLVMGetFirstFunction(self.raw);
            while !function.is_null() {
                let mut block = LLVMGetFirstBasicBlock(function);
                while !block.is_null() {
                    let mut inst = LLVMGetFirstInstruction(block);
                    while !inst.is_null() {
                        if LLVMGetInstructionOpcode(inst) == Opcode::LLVMCall {
                            let callee = LLVMIsAFunction(LLVMGetCalledValue(inst));
                            if !callee.is_null() && LLVMIsDeclaration(callee) != 0 {
                                let name = Value::known(callee).name();
                                let other = elsewhere(&name, Value::known(inst).debug_loc());
                                calls.extend(other.filter(|other| *other != name).map(|other| (inst, name, other)));
                            }
                        }
                        inst = LLVMGetNextInstruction(inst);
                    }
                    block = LLVMGetNextBasicBlock(block);
                }
                function = LLVMGetNextFunction(function);
            }
        }
        for (inst, name, other) in calls {
            self.declare_like(&other, &name);
            let Ok(other) = CString::new(other) else { continue };
            // SAFETY: a call of the module; what it calls is its last operand.
            unsafe {
                let callee = LLVMGetNamedFunction(self.raw, other.as_ptr());
                if !callee.is_null() {
                    LLVMSetOperand(inst, LLVMGetNumOperands(inst) as u32 - 1, callee);
                }
            }
        }
    }

    /// Inserts calls of `name(number)` at the beginning of the functions with these names, and says
    /// whether one has a body.
    pub fn insert_calls_into(&mut self, name: &std::ffi::CStr, number: u32, functions: &[&str]) -> bool {
        let mut calls: Vec<(LLVMValueRef, u32)> = Vec::new();
        // SAFETY: as in `insert_calls`.
        unsafe {
            let mut function = LLVMGetFirstFunction(self.raw);
            while !function.is_null() {
                let entry = LLVMGetFirstBasicBlock(function);
                if !entry.is_null() && functions.contains(&Value::known(function).name().as_str()) {
                    calls.push((LLVMGetFirstInstruction(entry), number));
                }
                function = LLVMGetNextFunction(function);
            }
        }
        self.insert(name, &calls);
        !calls.is_empty()
    }

    /// Inserts calls of `name(number)` before instructions.
    fn insert(&mut self, name: &std::ffi::CStr, calls: &[(LLVMValueRef, u32)]) {
        if calls.is_empty() {
            return;
        }
        // SAFETY: the instructions are the module's, and only calls and a declaration are added.
        unsafe {
            let context = LLVMGetModuleContext(self.raw);
            let number_type = LLVMInt32TypeInContext(context);
            let callee_type = LLVMFunctionType(LLVMVoidTypeInContext(context), [number_type].as_mut_ptr(), 1, 0);
            let builder = LLVMCreateBuilderInContext(context);
            let callee = LLVMAddFunction(self.raw, name.as_ptr(), callee_type);
            for (inst, number) in calls {
                LLVMPositionBuilderBefore(builder, *inst);
                let number = LLVMConstInt(number_type, u64::from(*number), 0);
                LLVMBuildCall2(builder, callee_type, callee, [number].as_mut_ptr(), 1, c"".as_ptr());
            }
            LLVMDisposeBuilder(builder);
        }
    }

    pub fn to_bitcode(&self) -> Vec<u8> {
        // SAFETY: the buffer is ours and is copied before it is disposed of.
        unsafe {
            let buffer = LLVMWriteBitcodeToMemoryBuffer(self.raw);
            let bytes = std::slice::from_raw_parts(LLVMGetBufferStart(buffer).cast::<u8>(), LLVMGetBufferSize(buffer));
            let bytes = bytes.to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        }
    }
}
