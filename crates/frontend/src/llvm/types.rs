//! Types and the data layout.

use llvm_sys::LLVMTypeKind;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::*;
use std::marker::PhantomData;

/// A type.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Type<'m> {
    pub(super) raw: LLVMTypeRef,
    pub(super) module: PhantomData<&'m ()>,
}

/// What a type is, with the numbers that go with it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum TypeKind {
    Void,
    Int(u32),
    Pointer,
    Half,
    BFloat,
    Float,
    Double,
    X87,
    Fp128,
    Struct,
    Array(u64),
    Vector(u32),
    Function,
    Metadata,
    Token,
    Other,
}

impl<'m> Type<'m> {
    pub(super) fn from_raw(raw: LLVMTypeRef) -> Type<'m> {
        Type { raw, module: PhantomData }
    }

    pub fn kind(self) -> TypeKind {
        // SAFETY: valid type, queried by its kind.
        unsafe {
            match LLVMGetTypeKind(self.raw) {
                LLVMTypeKind::LLVMVoidTypeKind => TypeKind::Void,
                LLVMTypeKind::LLVMIntegerTypeKind => TypeKind::Int(LLVMGetIntTypeWidth(self.raw)),
                LLVMTypeKind::LLVMPointerTypeKind => TypeKind::Pointer,
                LLVMTypeKind::LLVMHalfTypeKind => TypeKind::Half,
                LLVMTypeKind::LLVMBFloatTypeKind => TypeKind::BFloat,
                LLVMTypeKind::LLVMFloatTypeKind => TypeKind::Float,
                LLVMTypeKind::LLVMDoubleTypeKind => TypeKind::Double,
                LLVMTypeKind::LLVMX86_FP80TypeKind => TypeKind::X87,
                LLVMTypeKind::LLVMFP128TypeKind => TypeKind::Fp128,
                LLVMTypeKind::LLVMStructTypeKind => TypeKind::Struct,
                LLVMTypeKind::LLVMArrayTypeKind => TypeKind::Array(LLVMGetArrayLength2(self.raw)),
                LLVMTypeKind::LLVMVectorTypeKind => TypeKind::Vector(LLVMGetVectorSize(self.raw)),
                LLVMTypeKind::LLVMFunctionTypeKind => TypeKind::Function,
                LLVMTypeKind::LLVMMetadataTypeKind => TypeKind::Metadata,
                LLVMTypeKind::LLVMTokenTypeKind => TypeKind::Token,
                _ => TypeKind::Other,
            }
        }
    }

    /// What a function of this type takes.
    pub fn parameters(self) -> Vec<Type<'m>> {
        // SAFETY: callers have the type of a function; there is room for all of its parameters.
        unsafe {
            let count = LLVMCountParamTypes(self.raw);
            let mut types = vec![std::ptr::null_mut(); count as usize];
            LLVMGetParamTypes(self.raw, types.as_mut_ptr());
            types.into_iter().map(Type::from_raw).collect()
        }
    }

    /// Is it an integer, a float or a pointer?
    pub fn is_scalar(self) -> bool {
        use TypeKind::*;
        matches!(self.kind(), Int(_) | Pointer | Half | BFloat | Float | Double | X87 | Fp128)
    }

    pub fn is_sized(self) -> bool {
        // SAFETY: valid type.
        unsafe { LLVMTypeIsSized(self.raw) != 0 }
    }

    /// The address space of a pointer type.
    pub fn address_space(self) -> u32 {
        // SAFETY: callers have a pointer type.
        unsafe { LLVMGetPointerAddressSpace(self.raw) }
    }

    /// What each lane of a vector is, or a scalar itself.
    pub fn lane_kind(self) -> TypeKind {
        match self.kind() {
            TypeKind::Vector(_) => self.element().kind(),
            kind => kind,
        }
    }

    /// Element type of an array or vector.
    pub fn element(self) -> Type<'m> {
        // SAFETY: callers have an array or vector type.
        Type::from_raw(unsafe { LLVMGetElementType(self.raw) })
    }

    /// The types of a struct's fields.
    pub fn fields(self) -> Vec<Type<'m>> {
        // SAFETY: callers have a struct type; the buffer has room for all.
        unsafe {
            let count = LLVMCountStructElementTypes(self.raw) as usize;
            let mut fields = vec![std::ptr::null_mut(); count];
            LLVMGetStructElementTypes(self.raw, fields.as_mut_ptr());
            fields.into_iter().map(Type::from_raw).collect()
        }
    }

    /// The types of a function type's fixed parameters.
    pub fn params(self) -> Vec<Type<'m>> {
        // SAFETY: callers have a function type; the buffer has room for all.
        unsafe {
            let count = LLVMCountParamTypes(self.raw) as usize;
            let mut params = vec![std::ptr::null_mut(); count];
            LLVMGetParamTypes(self.raw, params.as_mut_ptr());
            params.into_iter().map(Type::from_raw).collect()
        }
    }

    /// The result of a function type.
    pub fn result(self) -> Type<'m> {
        // SAFETY: callers have a function type.
        Type::from_raw(unsafe { LLVMGetReturnType(self.raw) })
    }

    pub fn is_variadic(self) -> bool {
        // SAFETY: callers have a function type.
        unsafe { LLVMIsFunctionVarArg(self.raw) != 0 }
    }

    /// As in LLVM assembly.
    pub fn text(self) -> String {
        // SAFETY: valid type; the text is ours.
        unsafe { super::take_message(LLVMPrintTypeToString(self.raw)) }
    }

    /// The integer type of `bits` bits of this type's context.
    pub(super) fn int_like(self, bits: u32) -> LLVMTypeRef {
        // SAFETY: valid type.
        unsafe { LLVMIntTypeInContext(LLVMGetTypeContext(self.raw), bits) }
    }
}

/// Sizes, alignments and offsets. All in bytes; types must be sized.
#[derive(Copy, Clone)]
pub struct DataLayout<'m> {
    pub(super) raw: LLVMTargetDataRef,
    pub(super) module: PhantomData<&'m ()>,
}

impl<'m> DataLayout<'m> {
    pub fn is_little_endian(self) -> bool {
        // SAFETY: valid layout.
        unsafe { matches!(LLVMByteOrder(self.raw), LLVMByteOrdering::LLVMLittleEndian) }
    }

    pub fn pointer_width(self) -> u32 {
        // SAFETY: valid layout.
        unsafe { LLVMPointerSize(self.raw).saturating_mul(8) }
    }

    /// The distance of two elements of an array: the size with padding.
    pub fn alloc_size(self, ty: Type<'m>) -> u64 {
        // SAFETY: valid layout and type.
        unsafe { LLVMABISizeOfType(self.raw, ty.raw) }
    }

    pub fn align(self, ty: Type<'m>) -> u64 {
        // SAFETY: valid layout and type.
        u64::from(unsafe { LLVMABIAlignmentOfType(self.raw, ty.raw) }).max(1)
    }

    pub fn field_offset(self, ty: Type<'m>, field: u32) -> u64 {
        // SAFETY: valid layout; callers have a struct type with that field.
        unsafe { LLVMOffsetOfElement(self.raw, ty.raw, field) }
    }
}
