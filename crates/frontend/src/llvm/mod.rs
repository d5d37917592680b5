//! A thin wrapper over LLVM's C API: the only place of the project with calls into LLVM.
//!
//! Values, types and blocks are copyable handles whose lifetime is a borrow of their module, so
//! that nothing can outlive a link or a pass (both take the module mutably). Accessors that only
//! make sense for some kinds of value (`alloca_type`, `gep_source_type`, …) say so; LLVM does not
//! check them in release builds, so callers dispatch on [`Value::kind`] and [`Value::opcode`]
//! first.

mod attribute;
mod change;
mod debug;
mod function_types;
mod mark;
mod module;
mod promote;
mod scopes;
mod ssa;
mod types;
mod value;

pub use attribute::Attributes;
pub use debug::{DebugLoc, LoopStart, Metadata, SourceType, TypeNode, VariableInfo};
pub use module::{Context, Module, on_fatal_error, version};
pub use promote::UNDEF_PREFIX;
pub use scopes::{POISON, lives_as_long_as_the_call};
pub use types::{DataLayout, Type, TypeKind};
pub use value::{Block, Value};

pub use llvm_sys::{
    LLVMAtomicRMWBinOp as RmwOp, LLVMIntPredicate as IntPredicate, LLVMLinkage as Linkage, LLVMOpcode as Opcode,
    LLVMRealPredicate as RealPredicate, LLVMValueKind as ValueKind,
};

use std::ffi::CStr;

/// The text that LLVM allocated for us, which is freed.
///
/// # Safety
/// `text` is null or a message of LLVM's that nobody else frees.
unsafe fn take_message(text: *mut std::ffi::c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: by contract.
    unsafe {
        let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
        llvm_sys::core::LLVMDisposeMessage(text);
        owned
    }
}

/// Text that belongs to LLVM, copied.
///
/// # Safety
/// `data` is null or points to `len` bytes.
unsafe fn copy_text(data: *const std::ffi::c_char, len: usize) -> String {
    if data.is_null() || len == 0 {
        return String::new();
    }
    // SAFETY: by contract.
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) };
    String::from_utf8_lossy(bytes).into_owned()
}
