//! Debug information: locations, functions, variables.

use super::{Value, copy_text};
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use std::marker::PhantomData;

/// A metadata node. Equality is identity.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Metadata<'m> {
    raw: LLVMMetadataRef,
    module: PhantomData<&'m ()>,
}

/// Where an instruction comes from.
#[derive(Copy, Clone)]
pub struct DebugLoc<'m> {
    pub file: Option<Metadata<'m>>,
    pub line: u32,
    pub column: u32,
}

/// What the debug information says about a variable.
#[derive(Clone)]
pub struct VariableInfo<'m> {
    pub name: String,
    pub file: Option<Metadata<'m>>,
    pub line: u32,
}

impl<'m> Metadata<'m> {
    fn from_raw(raw: LLVMMetadataRef) -> Option<Metadata<'m>> {
        (!raw.is_null()).then_some(Metadata { raw, module: PhantomData })
    }

    /// Directory and name of a file.
    pub fn file_path(self) -> (String, String) {
        let (mut directory_len, mut name_len) = (0, 0);
        // SAFETY: callers have a file node; the texts belong to LLVM.
        unsafe {
            let directory = LLVMDIFileGetDirectory(self.raw, &mut directory_len);
            let name = LLVMDIFileGetFilename(self.raw, &mut name_len);
            (copy_text(directory, directory_len as usize), copy_text(name, name_len as usize))
        }
    }
}

impl<'m> Value<'m> {
    /// The instruction's own location: inside the function it was inlined from, if it was.
    pub fn debug_loc(self) -> Option<DebugLoc<'m>> {
        // SAFETY: callers have an instruction; the scope of a location is never null.
        unsafe {
            let location = LLVMInstructionGetDebugLoc(self.raw);
            if location.is_null() {
                return None;
            }
            Some(DebugLoc {
                file: Metadata::from_raw(LLVMDIScopeGetFile(LLVMDILocationGetScope(location))),
                line: LLVMDILocationGetLine(location),
                column: LLVMDILocationGetColumn(location),
            })
        }
    }

    /// Where a function is defined.
    pub fn function_loc(self) -> Option<DebugLoc<'m>> {
        // SAFETY: callers have a function.
        unsafe {
            let subprogram = LLVMGetSubprogram(self.raw);
            if subprogram.is_null() {
                return None;
            }
            Some(DebugLoc {
                file: Metadata::from_raw(LLVMDIScopeGetFile(subprogram)),
                line: LLVMDISubprogramGetLine(subprogram),
                column: 0,
            })
        }
    }

    /// What the debug information says about a global variable.
    pub fn global_debug_info(self) -> Option<DebugLoc<'m>> {
        // SAFETY: callers have a global variable; kinds are checked before the accessors are used.
        unsafe {
            let mut count = 0;
            let entries = LLVMGlobalCopyAllMetadata(self.raw, &mut count);
            if entries.is_null() {
                return None;
            }
            let found = (0..u32::try_from(count).unwrap_or(0))
                .map(|i| LLVMValueMetadataEntriesGetMetadata(entries, i))
                .find(|node| {
                    matches!(LLVMGetMetadataKind(*node), LLVMMetadataKind::LLVMDIGlobalVariableExpressionMetadataKind)
                });
            LLVMDisposeValueMetadataEntries(entries);
            let variable = LLVMDIGlobalVariableExpressionGetVariable(found?);
            if variable.is_null() {
                return None;
            }
            Some(DebugLoc {
                file: Metadata::from_raw(LLVMDIVariableGetFile(variable)),
                line: LLVMDIVariableGetLine(variable),
                column: 0,
            })
        }
    }

    /// For a call of `llvm.dbg.declare` or `llvm.dbg.value`: the value described, if it is one, and the variable.
    pub fn debug_variable(self) -> Option<(Value<'m>, VariableInfo<'m>)> {
        // SAFETY: callers have such a call, whose operands are metadata as values.
        unsafe {
            // The place may also be a list of values or an empty node, neither of which can be asked for its operands.
            let place = LLVMGetOperand(self.raw, 0);
            if !matches!(
                LLVMGetMetadataKind(LLVMValueAsMetadata(place)),
                LLVMMetadataKind::LLVMLocalAsMetadataMetadataKind
            ) {
                return None;
            }
            let mut value = std::ptr::null_mut();
            LLVMGetMDNodeOperands(place, &mut value);
            let described = Value::from_raw(value)?;
            let node = LLVMGetOperand(self.raw, 1);
            let metadata = LLVMValueAsMetadata(node);
            if !matches!(LLVMGetMetadataKind(metadata), LLVMMetadataKind::LLVMDILocalVariableMetadataKind) {
                return None;
            }
            let info = VariableInfo {
                name: node_string(node, 1),
                file: Metadata::from_raw(LLVMDIVariableGetFile(metadata)),
                line: LLVMDIVariableGetLine(metadata),
            };
            Some((described, info))
        }
    }

    /// The text of a string passed as metadata, such as the rounding mode of constrained floating-point intrinsics.
    pub fn metadata_string(self) -> String {
        let mut len = 0;
        // SAFETY: callers have a metadata operand; anything but a string gives null.
        unsafe { copy_text(LLVMGetMDString(self.raw, &mut len), len as usize) }
    }
}

/// The string that is operand `index` of a node.
///
/// # Safety
/// `node` is a metadata node as a value.
unsafe fn node_string(node: LLVMValueRef, index: usize) -> String {
    // SAFETY: the buffer has room for all operands.
    unsafe {
        let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(node) as usize];
        LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
        let Some(string) = operands.get(index).filter(|operand| !operand.is_null()) else {
            return String::new();
        };
        let mut len = 0;
        copy_text(LLVMGetMDString(*string, &mut len), len as usize)
    }
}
