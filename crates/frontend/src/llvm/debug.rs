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
    /// What it is described by: no other variable is, whatever its name.
    pub node: Metadata<'m>,
    /// The function or block that it is declared in.
    pub scope: Option<Metadata<'m>>,
    /// For an integer: can it be negative?
    pub is_signed: Option<bool>,
}

/// A loop statement.
#[derive(Clone)]
pub struct LoopStart<'m> {
    /// Its keyword.
    pub loc: DebugLoc<'m>,
    /// The blocks around it and the function, innermost first.
    scopes: Vec<Metadata<'m>>,
}

impl<'m> LoopStart<'m> {
    /// Is the variable declared in one of the scopes around the loop?
    pub fn sees(&self, variable: &VariableInfo<'m>) -> bool {
        variable.scope.is_some_and(|scope| self.scopes.contains(&scope))
    }
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

    /// For a call of `llvm.dbg.declare` or `llvm.dbg.value`: the variable, and the place or value described, unless it is a constant or nothing.
    pub fn debug_variable(self) -> Option<(Option<Value<'m>>, VariableInfo<'m>)> {
        // SAFETY: callers have such a call, whose operands are metadata as values.
        unsafe {
            // The place may also be a list of values or an empty node, neither of which can be asked for its operands.
            let place = LLVMGetOperand(self.raw, 0);
            let mut described = std::ptr::null_mut();
            if is_kind(place, LLVMMetadataKind::LLVMLocalAsMetadataMetadataKind) {
                LLVMGetMDNodeOperands(place, &mut described);
            }
            let node = LLVMGetOperand(self.raw, 1);
            if !is_kind(node, LLVMMetadataKind::LLVMDILocalVariableMetadataKind) {
                return None;
            }
            let metadata = LLVMValueAsMetadata(node);
            let info = VariableInfo {
                name: node_string(node, 1),
                file: Metadata::from_raw(LLVMDIVariableGetFile(metadata)),
                line: LLVMDIVariableGetLine(metadata),
                node: Metadata::from_raw(metadata)?,
                scope: node_operand(node, 0).and_then(|scope| Metadata::from_raw(LLVMValueAsMetadata(scope))),
                is_signed: node_operand(node, 3).and_then(|ty| is_signed_integer(ty)),
            };
            Some((Value::from_raw(described), info))
        }
    }

    /// For a branch that closes a loop of the source: where the loop statement begins.
    pub fn loop_start(self) -> Option<LoopStart<'m>> {
        let kind = "llvm.loop";
        // SAFETY: callers have an instruction; kinds are checked before the accessors are used.
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.raw));
            let kind = LLVMGetMDKindIDInContext(context, kind.as_ptr().cast(), kind.len() as u32);
            let node = LLVMGetMetadata(self.raw, kind);
            if node.is_null() {
                return None;
            }
            let place =
                node_operand(node, 1).filter(|&place| is_kind(place, LLVMMetadataKind::LLVMDILocationMetadataKind))?;
            let location = LLVMValueAsMetadata(place);
            let scope = LLVMDILocationGetScope(location);
            let loc = DebugLoc {
                file: Metadata::from_raw(LLVMDIScopeGetFile(scope)),
                line: LLVMDILocationGetLine(location),
                column: LLVMDILocationGetColumn(location),
            };
            let mut scopes: Vec<Metadata<'m>> = Vec::new();
            let mut next = Some(LLVMMetadataAsValue(context, scope));
            while let Some(scope) = next {
                scopes.extend(Metadata::from_raw(LLVMValueAsMetadata(scope)));
                let is_block = is_kind(scope, LLVMMetadataKind::LLVMDILexicalBlockMetadataKind)
                    || is_kind(scope, LLVMMetadataKind::LLVMDILexicalBlockFileMetadataKind);
                next = if is_block { node_operand(scope, 1) } else { None };
            }
            Some(LoopStart { loc, scopes })
        }
    }

    /// The text of a string passed as metadata, such as the rounding mode of constrained floating-point intrinsics.
    pub fn metadata_string(self) -> String {
        let mut len = 0;
        // SAFETY: callers have a metadata operand; anything but a string gives null.
        unsafe { copy_text(LLVMGetMDString(self.raw, &mut len), len as usize) }
    }
}

/// Is it metadata of this kind?
///
/// # Safety
/// `node` is metadata as a value.
unsafe fn is_kind(node: LLVMValueRef, kind: LLVMMetadataKind) -> bool {
    // SAFETY: as the caller says.
    unsafe { LLVMGetMetadataKind(LLVMValueAsMetadata(node)) as u32 == kind as u32 }
}

/// Operand `index` of a node, if it has one.
///
/// # Safety
/// `node` is a metadata node as a value.
unsafe fn node_operand(node: LLVMValueRef, index: usize) -> Option<LLVMValueRef> {
    // SAFETY: the buffer has room for all operands.
    unsafe {
        let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(node) as usize];
        LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
        operands.get(index).copied().filter(|operand| !operand.is_null())
    }
}

/// The string that is operand `index` of a node.
///
/// # Safety
/// `node` is a metadata node as a value.
unsafe fn node_string(node: LLVMValueRef, index: usize) -> String {
    // SAFETY: as the caller says; anything but a string gives null.
    unsafe {
        let Some(string) = node_operand(node, index) else {
            return String::new();
        };
        let mut len = 0;
        copy_text(LLVMGetMDString(string, &mut len), len as usize)
    }
}

/// For an integer type, under its names and qualifiers: is it signed?
///
/// # Safety
/// `ty` is metadata as a value.
unsafe fn is_signed_integer(mut ty: LLVMValueRef) -> Option<bool> {
    // SAFETY: the accessors are used on nodes of their kinds.
    unsafe {
        while is_kind(ty, LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind) {
            // A pointer is a derived type too, without the size of what it points to; its own name is empty.
            let tag = LLVMGetDINodeTag(LLVMValueAsMetadata(ty));
            if ![DW_TAG_TYPEDEF, DW_TAG_CONST_TYPE, DW_TAG_VOLATILE_TYPE].contains(&tag) {
                return None;
            }
            ty = node_operand(ty, 3)?;
        }
        if !is_kind(ty, LLVMMetadataKind::LLVMDIBasicTypeMetadataKind) {
            return None;
        }
        match node_string(ty, 2).as_str() {
            "char" | "signed char" | "short" | "int" | "long" | "long long" => Some(true),
            "_Bool" | "unsigned char" | "unsigned short" | "unsigned int" | "unsigned long" | "unsigned long long" => {
                Some(false)
            }
            _ => None,
        }
    }
}

const DW_TAG_TYPEDEF: u16 = 0x16;
const DW_TAG_CONST_TYPE: u16 = 0x26;
const DW_TAG_VOLATILE_TYPE: u16 = 0x35;
