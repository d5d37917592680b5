//! Objects that end with their blocks, before local variables are turned into SSA values.
//!
//! A variable of a block whose address is taken must stay an object, even if all that is done with
//! the address could be computed in registers: a use after the block would not be noticed else. And
//! of compound literals clang does not say where they live. These are the objects without a name
//! whose address is used: they live from where they are first used to where the block of the source
//! that this is in is left, as far as the debug information tells. Only those are dealt with whose
//! uses are next to each other.
//!
//! And what clang computed itself, and found to be undefined in C (`1 / 0`), is marked where it is
//! used: it would be an unknown value else.

use super::{Block, Module, Opcode, Value};
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use rustc_hash::FxHashSet;

/// Called before an instruction that uses a constant without a value.
pub const POISON: &str = "espalier.poison";

/// An intrinsic that takes a size and a pointer.
struct Mark {
    ty: LLVMTypeRef,
    function: LLVMValueRef,
}

impl Mark {
    /// # Safety
    /// `module` is a module, and `name` an intrinsic of this kind.
    unsafe fn new(module: LLVMModuleRef, name: &str) -> Mark {
        // SAFETY: as the function's own.
        unsafe {
            let context = LLVMGetModuleContext(module);
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            let mut parameters = [LLVMPointerTypeInContext(context, 0)];
            let function = LLVMGetIntrinsicDeclaration(module, id, parameters.as_mut_ptr(), 1);
            Mark { ty: LLVMGlobalGetValueType(function), function }
        }
    }

    /// # Safety
    /// `object` is there before the instruction `before`.
    unsafe fn put(&self, builder: LLVMBuilderRef, object: LLVMValueRef, before: LLVMValueRef) {
        // SAFETY: as the function's own; the size is not looked at.
        unsafe {
            LLVMPositionBuilderBefore(builder, before);
            LLVMSetCurrentDebugLocation2(builder, llvm_sys::debuginfo::LLVMInstructionGetDebugLoc(before));
            let size = LLVMConstInt(LLVMInt64TypeInContext(LLVMGetTypeContext(self.ty)), u64::MAX, 1);
            let mut operands = [size, object];
            LLVMBuildCall2(builder, self.ty, self.function, operands.as_mut_ptr(), 2, c"".as_ptr());
        }
    }
}

impl Module<'_> {
    /// Marks where objects of blocks begin and end, and keeps them in memory, in all functions
    /// without `runtime_attribute`.
    pub fn mark_scopes(&mut self, runtime_attribute: &str, is_optimised: bool) {
        let functions = self.functions().filter(|f| !f.is_declaration() && !f.has_string_attribute(runtime_attribute));
        let functions: Vec<Value<'_>> = functions.collect();
        // SAFETY: instructions are only added, before ones that are there.
        unsafe {
            let [begin, end] = ["llvm.lifetime.start", "llvm.lifetime.end"].map(|name| Mark::new(self.raw, name));
            let keep = Mark::new(self.raw, "llvm.invariant.start");
            let context = LLVMGetModuleContext(self.raw);
            let builder = LLVMCreateBuilderInContext(context);
            let nothing = LLVMFunctionType(LLVMVoidTypeInContext(context), std::ptr::null_mut(), 0, 0);
            let poison = LLVMAddFunction(self.raw, c"espalier.poison".as_ptr(), nothing);
            for function in functions {
                for user in function
                    .blocks()
                    .into_iter()
                    .flat_map(Block::instructions)
                    .filter(|inst| uses_poison(*inst, is_optimised))
                {
                    LLVMPositionBuilderBefore(builder, user.raw);
                    LLVMBuildCall2(builder, nothing, poison, std::ptr::null_mut(), 0, c"".as_ptr());
                }
                let described = described(function);
                for object in objects(function) {
                    let lives = lives(object);
                    if lives.is_empty() {
                        let literal = Literal::of(function, object).filter(|_| !described.contains(&object));
                        let Some(literal) = literal else { continue };
                        begin.put(builder, object.raw, literal.begin.raw);
                        keep.put(builder, object.raw, literal.begin.raw);
                        literal.ends.iter().for_each(|place| end.put(builder, object.raw, place.raw));
                    } else if !lives_as_long_as_the_call(object)
                        && object.users().into_iter().any(|user| takes_address(user, object))
                    {
                        keep.put(builder, object.raw, lives[0].raw);
                    }
                }
            }
            LLVMDisposeBuilder(builder);
        }
    }
}

/// Does an instruction compute with a constant that has no value? Aggregates begin as such, and
/// what comes from nowhere is one; in optimised code also what is never looked at.
fn uses_poison(inst: Value<'_>, is_optimised: bool) -> bool {
    let is_poison = |index| inst.operand(index).kind() == super::ValueKind::LLVMPoisonValueKind;
    let may_have_none = match inst.opcode() {
        Opcode::LLVMInsertValue | Opcode::LLVMInsertElement | Opcode::LLVMShuffleVector => true,
        Opcode::LLVMPHI | Opcode::LLVMFreeze => true,
        Opcode::LLVMCall | Opcode::LLVMRet | Opcode::LLVMSelect => is_optimised,
        _ => false,
    };
    !may_have_none && (0..inst.operand_count()).any(is_poison)
}

/// The stack objects of fixed size.
fn objects(function: Value<'_>) -> Vec<Value<'_>> {
    let entry = function.entry_block().into_iter().flat_map(Block::instructions);
    entry.filter(|inst| inst.opcode() == Opcode::LLVMAlloca && inst.operand(0).small_int() == Some(1)).collect()
}

/// The objects that are variables of the source.
fn described(function: Value<'_>) -> FxHashSet<Value<'_>> {
    let insts = function.blocks().into_iter().flat_map(Block::instructions);
    let declared = insts.filter(|inst| intrinsic(*inst) == Some("llvm.dbg.declare"));
    declared.filter_map(|inst| inst.debug_variable()?.0).collect()
}

/// The calls that say where an object begins and ends to live.
fn lives(object: Value<'_>) -> Vec<Value<'_>> {
    object.users().into_iter().filter(|user| intrinsic(*user).is_some_and(|name| name.contains("lifetime"))).collect()
}

fn intrinsic(inst: Value<'_>) -> Option<&'static str> {
    let callee = (inst.opcode() == Opcode::LLVMCall).then(|| inst.called_value())?;
    (callee.kind() == super::ValueKind::LLVMFunctionValueKind).then(|| callee.intrinsic_name()).flatten()
}

/// How many blocks may follow the end of a variable of the outermost block.
const WAY_OUT: usize = 8;

/// Is it a variable of the outermost block, which begins once and ends with the call?
pub fn lives_as_long_as_the_call(object: Value<'_>) -> bool {
    let (starts, ends): (Vec<Value<'_>>, Vec<Value<'_>>) =
        lives(object).into_iter().partition(|mark| intrinsic(*mark) == Some("llvm.lifetime.start"));
    starts.len() == 1 && starts[0].parent() == object.parent() && ends.iter().all(|end| leads_out(*end, object))
}

/// Does nothing follow but the ends of other variables and the return?
fn leads_out(end: Value<'_>, object: Value<'_>) -> bool {
    let mut next = end.next_instruction();
    let mut blocks = 0;
    while let Some(inst) = next {
        next = match inst.opcode() {
            Opcode::LLVMRet | Opcode::LLVMUnreachable => return true,
            Opcode::LLVMPHI => inst.next_instruction(),
            // The value to be returned.
            Opcode::LLVMLoad if inst.operand(0) != object && is_object(inst.operand(0)) => inst.next_instruction(),
            Opcode::LLVMCall if ends_something(inst) => inst.next_instruction(),
            Opcode::LLVMBr if !inst.is_conditional() && blocks < WAY_OUT => {
                blocks += 1;
                inst.block_operand(0).first_instruction()
            }
            _ => return false,
        };
    }
    false
}

fn is_object(value: Value<'_>) -> bool {
    value.kind() == super::ValueKind::LLVMInstructionValueKind && value.opcode() == Opcode::LLVMAlloca
}

fn ends_something(call: Value<'_>) -> bool {
    let name = intrinsic(call).unwrap_or_default();
    matches!(name, "llvm.lifetime.end" | "llvm.stackrestore") || name.starts_with("llvm.dbg.")
}

/// May others get hold of the object's address by this use?
fn takes_address(user: Value<'_>, object: Value<'_>) -> bool {
    match user.opcode() {
        Opcode::LLVMLoad => false,
        Opcode::LLVMStore => user.operand(0) == object,
        _ => intrinsic(user).is_none_or(|name| !name.contains("lifetime")),
    }
}

/// Where an object without a name begins to live, and before which instructions it ends.
struct Literal<'m> {
    begin: Value<'m>,
    ends: Vec<Value<'m>>,
}

impl<'m> Literal<'m> {
    fn of(function: Value<'m>, object: Value<'m>) -> Option<Literal<'m>> {
        let users: FxHashSet<Value<'m>> = object.users().into_iter().collect();
        let blocks = function.blocks();
        let is_used = |block: &&Block<'m>| block.instructions().any(|inst| users.contains(&inst));
        let uses: Vec<Value<'m>> =
            blocks.iter().find(is_used)?.instructions().filter(|inst| users.contains(inst)).collect();
        // The outermost block is the function.
        let [scope, _, ..] = uses.first()?.blocks_around()[..] else { return None };
        if uses.len() != users.len() || !uses.iter().any(|user| takes_address(*user, object)) {
            return None;
        }
        let is_inside = |inst: Value<'m>| {
            let around = inst.blocks_around();
            (!around.is_empty()).then(|| around.contains(&scope))
        };
        let is_left = |block: &&Block<'m>| block.instructions().filter_map(is_inside).last() == Some(true);
        let entered: FxHashSet<Block<'m>> =
            blocks.iter().filter(is_left).flat_map(|block| block.successors()).collect();
        let mut ends = Vec::new();
        for block in &blocks {
            let mut was_inside = entered.contains(block);
            for inst in block.instructions().filter(|inst| inst.opcode() != Opcode::LLVMPHI) {
                let Some(inside) = is_inside(inst) else { continue };
                if was_inside && !inside {
                    ends.push(inst);
                }
                was_inside = inside;
            }
        }
        Some(Literal { begin: uses[0], ends })
    }
}
