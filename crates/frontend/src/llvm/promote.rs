//! Turns local variables into SSA values before lowering, without letting LLVM exploit undefined
//! behaviour.
//!
//! Of LLVM's passes only `mem2reg` is run. SROA would do more, but it deletes accesses outside an
//! object (it calls them dead), which are just what we are asked to find. `mem2reg` itself has one
//! habit to work around: a variable that is uninitialised on some way becomes `phi [undef], [x]`,
//! which it simplifies to `x`. So each variable is first given a *visible* undefined value: a load
//! from a marker global, which lowering turns into an undefined constant. (Also variables that
//! cannot be promoted yet: they may once a pointer to them is. For those that stay in memory,
//! lowering drops the store again.)
//!
//! An assignment to a variable that is promoted leaves no instruction behind, and its line would be
//! missing wherever lines are counted. So a call of `llvm.donothing` at its place goes before it,
//! which lowering takes down ([`espalier_ir::Function::passed`]) and makes no instruction of. Not
//! in Espalier's runtime, whose lines nobody asks about.
//!
//! `mem2reg` also describes what each variable holds wherever it gets another value. In a function
//! with ten thousand assignments it spends most of its time on that, and what it says is read where
//! a proof is told in the words of the source only. Unless it is asked for, variables that get
//! several values are described just where one of these is a parameter or the result of a call,
//! which have the names of variables in reports.
//!
//! Functions that call `setjmp` are left in memory: a second return must see the variables' last
//! values.

use super::attribute::kind;
use super::{Module, Opcode, Value, ValueKind};
use espalier_base::control;
use llvm_sys::core::*;
use llvm_sys::debuginfo::{LLVMInstructionGetDebugLoc, LLVMInstructionSetDebugLoc};
use llvm_sys::prelude::*;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMTypeKind};

/// Name of the marker global: a load from it is an undefined value.
pub const UNDEF_PREFIX: &str = "espalier.undef";

impl Module<'_> {
    /// Promotes local variables of all functions. `describes` says whether it has to be known what
    /// each of them holds everywhere.
    pub fn promote_locals(&mut self, runtime_attribute: &str, describes: bool) -> Result<(), String> {
        // SAFETY: the module is borrowed mutably, so no handle into it is alive; only instructions
        // are added.
        unsafe {
            let context = LLVMGetModuleContext(self.raw);
            let optnone = kind("optnone");
            let noinline = kind("noinline");
            let mut function = LLVMGetFirstFunction(self.raw);
            while !function.is_null() {
                LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, optnone);
                function = LLVMGetNextFunction(function);
            }
            for name in control::returning_twice() {
                for caller in self.callers_of(name) {
                    for attribute in [noinline, optnone] {
                        let attribute = LLVMCreateEnumAttribute(context, attribute, 0);
                        LLVMAddAttributeAtIndex(caller, LLVMAttributeFunctionIndex, attribute);
                    }
                }
            }
            let marker = LLVMAddGlobal(self.raw, LLVMInt8TypeInContext(context), c"espalier.undef".as_ptr());
            let nothing_type = LLVMFunctionType(LLVMVoidTypeInContext(context), std::ptr::null_mut(), 0, 0);
            let nothing = match LLVMGetNamedFunction(self.raw, c"llvm.donothing".as_ptr()) {
                known if !known.is_null() => known,
                _ => LLVMAddFunction(self.raw, c"llvm.donothing".as_ptr(), nothing_type),
            };
            let builder = LLVMCreateBuilderInContext(context);
            let mut function = LLVMGetFirstFunction(self.raw);
            while !function.is_null() {
                if LLVMCountBasicBlocks(function) != 0
                    && LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, optnone).is_null()
                {
                    if !describes {
                        describe_named_values(builder, self.raw, function);
                    }
                    initialise_locals(builder, LLVMGetEntryBasicBlock(function), marker);
                    if !Value::known(function).has_string_attribute(runtime_attribute) {
                        mark_assignments(function, |store| {
                            LLVMPositionBuilderBefore(builder, store);
                            LLVMBuildCall2(builder, nothing_type, nothing, std::ptr::null_mut(), 0, c"".as_ptr())
                        });
                    }
                }
                function = LLVMGetNextFunction(function);
            }
            LLVMDisposeBuilder(builder);
        }
        self.run_passes(c"function(mem2reg)")
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

/// Has only those values of variables with several described that are parameters or results.
///
/// # Safety
/// `function` is a function of the module with code.
unsafe fn describe_named_values(builder: LLVMBuilderRef, module: LLVMModuleRef, function: LLVMValueRef) {
    // SAFETY: walks the function's instructions; a description is taken out after all that is
    // needed of it was read.
    unsafe {
        let context = LLVMGetModuleContext(module);
        let name = "llvm.dbg.value";
        let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
        let intrinsic = LLVMGetIntrinsicDeclaration(module, id, std::ptr::null_mut(), 0);
        for description in descriptions(function) {
            let Some((Some(variable), _)) = description.debug_variable() else { continue };
            let Some(stores) = stores_to(variable.raw).filter(|stores| stores.len() > 1) else { continue };
            for store in stores {
                let value = LLVMGetOperand(store, 0);
                if LLVMIsAArgument(value).is_null() && LLVMIsACallInst(value).is_null() {
                    continue;
                }
                LLVMPositionBuilderBefore(builder, store);
                let mut operands = [
                    LLVMMetadataAsValue(context, LLVMValueAsMetadata(value)),
                    LLVMGetOperand(description.raw, 1),
                    LLVMGetOperand(description.raw, 2),
                ];
                let ty = LLVMGlobalGetValueType(intrinsic);
                let described = LLVMBuildCall2(builder, ty, intrinsic, operands.as_mut_ptr(), 3, c"".as_ptr());
                LLVMInstructionSetDebugLoc(described, LLVMInstructionGetDebugLoc(description.raw));
            }
            LLVMInstructionEraseFromParent(description.raw);
        }
    }
}

/// The calls that say which variable an object is.
fn descriptions<'m>(function: LLVMValueRef) -> Vec<Value<'m>> {
    let insts = Value::known(function).blocks().into_iter().flat_map(|block| block.instructions());
    let is_description = |inst: &Value<'m>| {
        inst.opcode() == Opcode::LLVMCall
            && inst.called_value().kind() == ValueKind::LLVMFunctionValueKind
            && inst.called_value().intrinsic_name() == Some("llvm.dbg.declare")
    };
    insts.filter(is_description).collect()
}

/// The stores to a variable, if it is only loaded and stored as a whole, so that `mem2reg` will
/// promote it.
///
/// # Safety
/// `variable` is a value.
unsafe fn stores_to(variable: LLVMValueRef) -> Option<Vec<LLVMValueRef>> {
    // SAFETY: operands are asked of loads and stores only.
    unsafe {
        if LLVMIsAAllocaInst(variable).is_null() || !may_be_promoted(variable) {
            return None;
        }
        let mut stores = Vec::new();
        for user in Value::known(variable).users() {
            match LLVMGetInstructionOpcode(user.raw) {
                Opcode::LLVMLoad if LLVMGetVolatile(user.raw) == 0 => {}
                Opcode::LLVMStore if LLVMGetVolatile(user.raw) == 0 && LLVMGetOperand(user.raw, 0) != variable => {
                    stores.push(user.raw);
                }
                Opcode::LLVMCall if is_lifetime(user.raw, false) => {}
                _ => return None,
            }
        }
        Some(stores)
    }
}

/// Stores the marker's content into each variable that `mem2reg` may promote.
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
unsafe fn is_lifetime(inst: LLVMValueRef, begins: bool) -> bool {
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
    // SAFETY: walking the list of uses; operands are asked of loads and stores only.
    unsafe {
        let ty = LLVMGetAllocatedType(alloca);
        let count = LLVMGetOperand(alloca, 0);
        if LLVMIsAConstantInt(count).is_null() || LLVMConstIntGetZExtValue(count) != 1 {
            return false;
        }
        match LLVMGetTypeKind(ty) {
            LLVMTypeKind::LLVMStructTypeKind | LLVMTypeKind::LLVMArrayTypeKind => {}
            LLVMTypeKind::LLVMScalableVectorTypeKind | LLVMTypeKind::LLVMTargetExtTypeKind => {
                return false;
            }
            _ => return true,
        }
        let mut usage = LLVMGetFirstUse(alloca);
        let mut used = false;
        while !usage.is_null() {
            let user = LLVMGetUser(usage);
            if Value::known(user).kind() != ValueKind::LLVMInstructionValueKind {
                return false;
            }
            let fits = match LLVMGetInstructionOpcode(user) {
                Opcode::LLVMLoad => LLVMGetVolatile(user) == 0 && LLVMTypeOf(user) == ty,
                Opcode::LLVMStore => {
                    let value = LLVMGetOperand(user, 0);
                    value != alloca && LLVMGetVolatile(user) == 0 && LLVMTypeOf(value) == ty
                }
                Opcode::LLVMCall => is_lifetime(user, false),
                _ => false,
            };
            if !fits {
                return false;
            }
            used = true;
            usage = LLVMGetNextUse(usage);
        }
        used
    }
}
