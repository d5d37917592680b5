//! Values (constants, globals, functions, instructions) and basic blocks.

use super::{IntPredicate, Linkage, Opcode, RealPredicate, RmwOp, Type, ValueKind, copy_text, take_message};
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use num_bigint::{BigInt, BigUint, Sign};
use std::marker::PhantomData;

/// A value. Equality is identity.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Value<'m> {
    pub(super) raw: LLVMValueRef,
    module: PhantomData<&'m ()>,
}

/// A basic block.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Block<'m> {
    pub(super) raw: LLVMBasicBlockRef,
    module: PhantomData<&'m ()>,
}

impl<'m> Value<'m> {
    pub(super) fn from_raw(raw: LLVMValueRef) -> Option<Value<'m>> {
        (!raw.is_null()).then_some(Value { raw, module: PhantomData })
    }

    /// For results that LLVM guarantees.
    pub(super) fn known(raw: LLVMValueRef) -> Value<'m> {
        debug_assert!(!raw.is_null());
        Value { raw, module: PhantomData }
    }

    pub fn kind(self) -> ValueKind {
        // SAFETY: valid value.
        unsafe { LLVMGetValueKind(self.raw) }
    }

    pub fn ty(self) -> Type<'m> {
        // SAFETY: valid value.
        Type::from_raw(unsafe { LLVMTypeOf(self.raw) })
    }

    pub fn name(self) -> String {
        let mut len = 0;
        // SAFETY: valid value; the text belongs to LLVM.
        unsafe { copy_text(LLVMGetValueName2(self.raw, &mut len), len) }
    }

    /// The name of a function or global as the linker sees it: LLVM marks names that must not be
    /// mangled.
    pub fn symbol(self) -> String {
        let name = self.name();
        name.strip_prefix('\u{1}').map_or_else(|| name.clone(), str::to_owned)
    }

    /// As in LLVM assembly. Slow: numbers the whole function.
    pub fn text(self) -> String {
        // SAFETY: valid value; the text is ours.
        unsafe { take_message(LLVMPrintValueToString(self.raw)) }
    }

    pub fn is_constant(self) -> bool {
        // SAFETY: valid value.
        unsafe { LLVMIsConstant(self.raw) != 0 }
    }

    /// Is it the zero of its type (and not an address that might be zero)?
    pub fn is_zero(self) -> bool {
        // SAFETY: valid value; `LLVMIsNull` is only asked about constants.
        self.is_constant() && unsafe { LLVMIsNull(self.raw) != 0 }
    }

    pub fn has_uses(self) -> bool {
        // SAFETY: valid value.
        unsafe { !LLVMGetFirstUse(self.raw).is_null() }
    }

    /// The instructions that use it.
    pub fn users(self) -> Vec<Value<'m>> {
        let mut users = Vec::new();
        // SAFETY: walking the list of uses.
        unsafe {
            let mut usage = LLVMGetFirstUse(self.raw);
            while !usage.is_null() {
                users.extend(Value::from_raw(LLVMGetUser(usage)));
                usage = LLVMGetNextUse(usage);
            }
        }
        users.retain(|user| user.kind() == ValueKind::LLVMInstructionValueKind);
        users
    }

    // --- Operands ---

    pub fn operand_count(self) -> u32 {
        // SAFETY: callers have a user (instruction or constant).
        u32::try_from(unsafe { LLVMGetNumOperands(self.raw) }).unwrap_or(0)
    }

    pub fn operand(self, index: u32) -> Value<'m> {
        // SAFETY: callers keep to `operand_count`.
        Value::known(unsafe { LLVMGetOperand(self.raw, index) })
    }

    /// A block operand, as of branches and switches.
    pub fn block_operand(self, index: u32) -> Block<'m> {
        // SAFETY: callers have a terminator whose operand `index` is a block.
        Block::from_raw(unsafe { LLVMValueAsBasicBlock(LLVMGetOperand(self.raw, index)) })
    }

    // --- Constants ---

    /// Bits of an integer constant, zero-extended.
    pub fn int_bits(self) -> BigUint {
        // SAFETY: callers have an integer constant.
        let width = match self.ty().kind() {
            super::TypeKind::Int(width) => width,
            _ => return BigUint::ZERO,
        };
        if width <= 64 {
            // SAFETY: at most 64 bits.
            return BigUint::from(unsafe { LLVMConstIntGetZExtValue(self.raw) });
        }
        // Wider ones have no accessor in the C API, but their text is `i128 -5`.
        let text = self.text();
        let number = text.rsplit(' ').next().unwrap_or_default();
        let value = BigInt::parse_bytes(number.as_bytes(), 10).unwrap_or_default();
        let modulus = BigInt::from(1) << width;
        let wrapped = ((value % &modulus) + &modulus) % &modulus;
        debug_assert!(wrapped.sign() != Sign::Minus);
        wrapped.to_biguint().unwrap_or_default()
    }

    /// The value of an integer constant of at most 64 bits, sign-extended.
    pub fn small_int(self) -> Option<i64> {
        match (self.kind(), self.ty().kind()) {
            (ValueKind::LLVMConstantIntValueKind, super::TypeKind::Int(width)) if width <= 64 => {
                // SAFETY: an integer constant of at most 64 bits.
                Some(unsafe { LLVMConstIntGetSExtValue(self.raw) })
            }
            _ => None,
        }
    }

    /// The integer constant that has the bits of this float constant.
    pub fn float_as_int(self, bits: u32) -> Value<'m> {
        // SAFETY: callers have a float constant of `bits` bits; the cast is folded.
        Value::known(unsafe { LLVMConstBitCast(self.raw, self.ty().int_like(bits)) })
    }

    /// The bytes of a constant array of bytes.
    pub fn byte_string(self) -> Option<&'m [u8]> {
        // SAFETY: asked first whether it is one; the bytes belong to LLVM's context.
        unsafe {
            if self.kind() != ValueKind::LLVMConstantDataArrayValueKind || LLVMIsConstantString(self.raw) == 0 {
                return None;
            }
            let mut len = 0;
            let data = LLVMGetAsString(self.raw, &mut len);
            (!data.is_null()).then(|| std::slice::from_raw_parts(data.cast::<u8>(), len))
        }
    }

    /// Element or field of a constant aggregate.
    pub fn aggregate_element(self, index: u32) -> Option<Value<'m>> {
        // SAFETY: callers have a constant.
        Value::from_raw(unsafe { LLVMGetAggregateElement(self.raw, index) })
    }

    pub fn const_opcode(self) -> Opcode {
        // SAFETY: callers have a constant expression.
        unsafe { LLVMGetConstOpcode(self.raw) }
    }

    /// Function and block of a block address.
    pub fn block_address(self) -> Option<(Value<'m>, Block<'m>)> {
        // SAFETY: callers have a block address.
        unsafe {
            let function = Value::from_raw(LLVMGetBlockAddressFunction(self.raw))?;
            let block = LLVMGetBlockAddressBasicBlock(self.raw);
            (!block.is_null()).then(|| (function, Block::from_raw(block)))
        }
    }

    // --- Globals and functions ---

    pub fn linkage(self) -> Linkage {
        // SAFETY: callers have a global value.
        unsafe { LLVMGetLinkage(self.raw) }
    }

    pub fn set_linkage(self, linkage: Linkage) {
        // SAFETY: callers have a global value, and know of no one who relies on its linkage.
        unsafe { LLVMSetLinkage(self.raw, linkage) };
    }

    pub fn is_declaration(self) -> bool {
        // SAFETY: callers have a global value.
        unsafe { LLVMIsDeclaration(self.raw) != 0 }
    }

    /// The type of a global's content, or of a function.
    pub fn value_type(self) -> Type<'m> {
        // SAFETY: callers have a global value.
        Type::from_raw(unsafe { LLVMGlobalGetValueType(self.raw) })
    }

    pub fn initializer(self) -> Option<Value<'m>> {
        // SAFETY: callers have a global variable.
        Value::from_raw(unsafe { LLVMGetInitializer(self.raw) })
    }

    /// The section that a global is put into by the program.
    pub fn section(self) -> Option<String> {
        // SAFETY: callers have a global value; the text lives as long as its module.
        let name = unsafe { LLVMGetSection(self.raw).as_ref().map(|name| std::ffi::CStr::from_ptr(name)) };
        name.map(|name| name.to_string_lossy().into_owned()).filter(|name| !name.is_empty())
    }

    pub fn is_global_constant(self) -> bool {
        // SAFETY: callers have a global variable.
        unsafe { LLVMIsGlobalConstant(self.raw) != 0 }
    }

    /// Alignment of a global, alloca, load or store; 0 if not given.
    pub fn align(self) -> u64 {
        // SAFETY: callers have one of these.
        u64::from(unsafe { LLVMGetAlignment(self.raw) })
    }

    pub fn aliasee(self) -> Option<Value<'m>> {
        // SAFETY: callers have an alias.
        Value::from_raw(unsafe { LLVMAliasGetAliasee(self.raw) })
    }

    pub fn params(self) -> Vec<Value<'m>> {
        // SAFETY: callers have a function; the buffer has room for all.
        unsafe {
            let mut params = vec![std::ptr::null_mut(); LLVMCountParams(self.raw) as usize];
            LLVMGetParams(self.raw, params.as_mut_ptr());
            params.into_iter().map(Value::known).collect()
        }
    }

    pub fn entry_block(self) -> Option<Block<'m>> {
        // SAFETY: callers have a function.
        unsafe { (LLVMCountBasicBlocks(self.raw) != 0).then(|| Block::from_raw(LLVMGetEntryBasicBlock(self.raw))) }
    }

    /// The blocks of a function, in its order.
    pub fn blocks(self) -> Vec<Block<'m>> {
        let mut blocks = Vec::new();
        // SAFETY: callers have a function.
        unsafe {
            let mut next = LLVMGetFirstBasicBlock(self.raw);
            while !next.is_null() {
                blocks.push(Block::from_raw(next));
                next = LLVMGetNextBasicBlock(next);
            }
        }
        blocks
    }

    /// The base name of the intrinsic that this function is, such as `llvm.memcpy`.
    pub fn intrinsic_name(self) -> Option<&'static str> {
        // SAFETY: callers have a function; LLVM's table of names is static.
        unsafe {
            let id = LLVMGetIntrinsicID(self.raw);
            if id == 0 {
                return None;
            }
            let mut len = 0;
            let data = LLVMIntrinsicGetName(id, &mut len);
            std::str::from_utf8(std::slice::from_raw_parts(data.cast::<u8>(), len)).ok()
        }
    }

    pub fn has_string_attribute(self, name: &str) -> bool {
        // SAFETY: callers have a function.
        unsafe {
            let length = u32::try_from(name.len()).unwrap_or(0);
            !LLVMGetStringAttributeAtIndex(self.raw, llvm_sys::LLVMAttributeFunctionIndex, name.as_ptr().cast(), length)
                .is_null()
        }
    }

    // --- Instructions ---

    pub fn opcode(self) -> Opcode {
        // SAFETY: callers have an instruction.
        unsafe { LLVMGetInstructionOpcode(self.raw) }
    }

    /// The block that an instruction is in.
    pub fn parent(self) -> Block<'m> {
        // SAFETY: callers have an instruction.
        unsafe { Block::from_raw(LLVMGetInstructionParent(self.raw)) }
    }

    pub fn next_instruction(self) -> Option<Value<'m>> {
        // SAFETY: callers have an instruction.
        Value::from_raw(unsafe { LLVMGetNextInstruction(self.raw) })
    }

    pub fn int_predicate(self) -> IntPredicate {
        // SAFETY: callers have an `icmp`.
        unsafe { LLVMGetICmpPredicate(self.raw) }
    }

    pub fn real_predicate(self) -> RealPredicate {
        // SAFETY: callers have an `fcmp`.
        unsafe { LLVMGetFCmpPredicate(self.raw) }
    }

    pub fn alloca_type(self) -> Type<'m> {
        // SAFETY: callers have an `alloca`.
        Type::from_raw(unsafe { LLVMGetAllocatedType(self.raw) })
    }

    pub fn gep_source_type(self) -> Type<'m> {
        // SAFETY: callers have a `getelementptr` instruction or constant.
        Type::from_raw(unsafe { LLVMGetGEPSourceElementType(self.raw) })
    }

    /// The indices of an `extractvalue` or `insertvalue`.
    pub fn aggregate_indices(self) -> Vec<u32> {
        // SAFETY: callers have one of these; LLVM gives the length.
        unsafe {
            let count = LLVMGetNumIndices(self.raw) as usize;
            let data = LLVMGetIndices(self.raw);
            if count == 0 || data.is_null() { Vec::new() } else { std::slice::from_raw_parts(data, count).to_vec() }
        }
    }

    /// The mask of a `shufflevector`; `None` for an undefined lane.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        // SAFETY: callers have a `shufflevector`.
        unsafe {
            (0..LLVMGetNumMaskElements(self.raw)).map(|i| u32::try_from(LLVMGetMaskValue(self.raw, i)).ok()).collect()
        }
    }

    pub fn rmw_op(self) -> RmwOp {
        // SAFETY: callers have an `atomicrmw`.
        unsafe { LLVMGetAtomicRMWBinOp(self.raw) }
    }

    pub fn incoming(self) -> impl Iterator<Item = (Value<'m>, Block<'m>)> {
        (0..).map_while(move |index| self.incoming_at(index))
    }

    /// What a phi is on one of the ways to its block.
    pub fn incoming_at(self, index: u32) -> Option<(Value<'m>, Block<'m>)> {
        // SAFETY: callers have a `phi`; asked below its count.
        unsafe {
            (index < LLVMCountIncoming(self.raw)).then(|| {
                let (value, from) = (LLVMGetIncomingValue(self.raw, index), LLVMGetIncomingBlock(self.raw, index));
                (Value::known(value), Block::from_raw(from))
            })
        }
    }

    pub fn is_conditional(self) -> bool {
        // SAFETY: callers have a `br`.
        unsafe { LLVMIsConditional(self.raw) != 0 }
    }

    // --- Calls ---

    pub fn called_value(self) -> Value<'m> {
        // SAFETY: callers have a call.
        Value::known(unsafe { LLVMGetCalledValue(self.raw) })
    }

    pub fn called_type(self) -> Type<'m> {
        // SAFETY: callers have a call.
        Type::from_raw(unsafe { LLVMGetCalledFunctionType(self.raw) })
    }

    pub fn normal_destination(self) -> Block<'m> {
        // SAFETY: callers have an `invoke`.
        Block::from_raw(unsafe { LLVMGetNormalDest(self.raw) })
    }

    pub fn arg_count(self) -> u32 {
        // SAFETY: callers have a call.
        unsafe { LLVMGetNumArgOperands(self.raw) }
    }

    /// Template and constraints of inline assembly.
    pub fn asm_text(self) -> (String, String) {
        let (mut template_len, mut constraints_len) = (0, 0);
        // SAFETY: callers have an inline assembly value; the texts belong to LLVM.
        unsafe {
            let template = LLVMGetInlineAsmAsmString(self.raw, &mut template_len);
            let constraints = LLVMGetInlineAsmConstraintString(self.raw, &mut constraints_len);
            (copy_text(template, template_len), copy_text(constraints, constraints_len))
        }
    }
}

impl<'m> Block<'m> {
    pub(super) fn from_raw(raw: LLVMBasicBlockRef) -> Block<'m> {
        Block { raw, module: PhantomData }
    }

    /// The function that it is in.
    pub fn function(self) -> Value<'m> {
        // SAFETY: valid block, which is in a function.
        Value::known(unsafe { LLVMGetBasicBlockParent(self.raw) })
    }

    pub fn first_instruction(self) -> Option<Value<'m>> {
        // SAFETY: valid block.
        Value::from_raw(unsafe { LLVMGetFirstInstruction(self.raw) })
    }

    pub fn terminator(self) -> Option<Value<'m>> {
        // SAFETY: valid block.
        Value::from_raw(unsafe { LLVMGetBasicBlockTerminator(self.raw) })
    }

    pub fn instructions(self) -> impl Iterator<Item = Value<'m>> {
        std::iter::successors(self.first_instruction(), |inst| inst.next_instruction())
    }

    pub fn successors(self) -> Vec<Block<'m>> {
        match self.terminator() {
            // SAFETY: the terminator is one, asked by its own count.
            Some(term) => unsafe {
                (0..LLVMGetNumSuccessors(term.raw)).map(|i| Block::from_raw(LLVMGetSuccessor(term.raw, i))).collect()
            },
            None => Vec::new(),
        }
    }
}
