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
    pub ty: Option<TypeNode<'m>>,
}

/// A type of the source.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct TypeNode<'m> {
    /// The metadata as a value, of which there is one.
    raw: LLVMValueRef,
    module: PhantomData<&'m ()>,
}

/// What kind of type it is, under its names and qualifiers.
pub enum SourceType<'m> {
    /// A number, with its name in C.
    Number(String),
    /// To something, or to nothing in particular.
    Pointer(Option<TypeNode<'m>>),
    Array(TypeNode<'m>),
    /// Its members with their offsets.
    Struct(Vec<Member<'m>>),
    Function,
    /// Unions, enumerations and others.
    Other,
}

pub struct Member<'m> {
    pub name: String,
    pub offset: u64,
    pub ty: TypeNode<'m>,
}

impl<'m> TypeNode<'m> {
    fn from_raw(raw: LLVMValueRef) -> TypeNode<'m> {
        TypeNode { raw, module: PhantomData }
    }

    /// For an integer: is it signed?
    pub fn is_signed(self) -> Option<bool> {
        let SourceType::Number(name) = self.unqualified().source_type() else { return None };
        match name.as_str() {
            "char" | "signed char" | "short" | "int" | "long" | "long long" => Some(true),
            "_Bool" | "unsigned char" | "unsigned short" | "unsigned int" | "unsigned long" | "unsigned long long" => {
                Some(false)
            }
            _ => None,
        }
    }

    /// The type without `typedef` names and qualifiers.
    pub fn unqualified(self) -> TypeNode<'m> {
        const NAMES: [u16; 5] =
            [DW_TAG_TYPEDEF, DW_TAG_CONST_TYPE, DW_TAG_VOLATILE_TYPE, DW_TAG_RESTRICT_TYPE, DW_TAG_ATOMIC_TYPE];
        let mut ty = self;
        // SAFETY: metadata as values; only derived types are asked for what they are derived from.
        unsafe {
            while is_kind(ty.raw, LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind) && NAMES.contains(&ty.tag()) {
                match node_operand(ty.raw, 3) {
                    Some(base) => ty = TypeNode::from_raw(base),
                    None => return ty,
                }
            }
        }
        ty
    }

    fn tag(self) -> u16 {
        // SAFETY: types are debug-information nodes.
        unsafe { LLVMGetDINodeTag(LLVMValueAsMetadata(self.raw)) }
    }

    /// In bytes; 0 if it is not known.
    pub fn size(self) -> u64 {
        // SAFETY: a type.
        unsafe { LLVMDITypeGetSizeInBits(LLVMValueAsMetadata(self.raw)) / 8 }
    }

    pub fn name(self) -> String {
        // SAFETY: a type, whose operand 2 is its name.
        unsafe { node_string(self.raw, 2) }
    }

    /// For a type that [`TypeNode::unqualified`] gave.
    pub fn source_type(self) -> SourceType<'m> {
        // SAFETY: metadata as values; operands are those of their kinds.
        unsafe {
            let base = || node_operand(self.raw, 3).map(TypeNode::from_raw);
            if is_kind(self.raw, LLVMMetadataKind::LLVMDIBasicTypeMetadataKind) {
                return SourceType::Number(self.name());
            }
            if is_kind(self.raw, LLVMMetadataKind::LLVMDISubroutineTypeMetadataKind) {
                return SourceType::Function;
            }
            let is_derived = is_kind(self.raw, LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind);
            let is_composite = is_kind(self.raw, LLVMMetadataKind::LLVMDICompositeTypeMetadataKind);
            match self.tag() {
                DW_TAG_POINTER_TYPE if is_derived => SourceType::Pointer(base()),
                DW_TAG_ARRAY_TYPE if is_composite => base().map_or(SourceType::Other, SourceType::Array),
                DW_TAG_STRUCTURE_TYPE if is_composite => SourceType::Struct(self.members()),
                _ => SourceType::Other,
            }
        }
    }

    /// The members of a structure. Bit fields are left out.
    fn members(self) -> Vec<Member<'m>> {
        // SAFETY: a composite type, whose operand 4 is the list of its elements.
        unsafe {
            let elements = node_operand(self.raw, 4).map(|list| node_operands(list)).unwrap_or_default();
            let members = elements.into_iter().filter(|&element| {
                !element.is_null() && is_kind(element, LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind)
            });
            members
                .filter_map(|element| {
                    let offset = LLVMDITypeGetOffsetInBits(LLVMValueAsMetadata(element));
                    let ty = TypeNode::from_raw(node_operand(element, 3)?);
                    offset.is_multiple_of(8).then(|| Member { name: node_string(element, 2), offset: offset / 8, ty })
                })
                .collect()
        }
    }
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

    /// For a call of `llvm.dbg.declare` or `llvm.dbg.value`: the variable, and the place or value
    /// described, unless it is a constant or nothing.
    pub fn debug_variable(self) -> Option<(Option<Value<'m>>, VariableInfo<'m>)> {
        // SAFETY: callers have such a call, whose operands are metadata as values.
        unsafe {
            // The place may also be a list of values or an empty node, neither of which can be
            // asked for its operands.
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
                ty: node_operand(node, 3).map(TypeNode::from_raw),
            };
            Some((Value::from_raw(described), info))
        }
    }

    /// The blocks of the source that an instruction is in, the innermost first and the function
    /// last; none if it has no place.
    pub fn blocks_around(self) -> Vec<Metadata<'m>> {
        // SAFETY: callers have an instruction; the scope of a location is never null.
        unsafe {
            let location = LLVMInstructionGetDebugLoc(self.raw);
            if location.is_null() {
                return Vec::new();
            }
            blocks_around(LLVMGetTypeContext(LLVMTypeOf(self.raw)), LLVMDILocationGetScope(location))
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
            Some(LoopStart { loc, scopes: blocks_around(context, scope) })
        }
    }

    /// The text of a string passed as metadata, such as the rounding mode of constrained
    /// floating-point intrinsics.
    pub fn metadata_string(self) -> String {
        let mut len = 0;
        // SAFETY: callers have a metadata operand; anything but a string gives null.
        unsafe { copy_text(LLVMGetMDString(self.raw, &mut len), len as usize) }
    }
}

/// A scope and those around it.
///
/// # Safety
/// `scope` is a scope of debug information in the context.
unsafe fn blocks_around<'m>(context: LLVMContextRef, scope: LLVMMetadataRef) -> Vec<Metadata<'m>> {
    let mut scopes: Vec<Metadata<'m>> = Vec::new();
    // SAFETY: kinds are checked before the accessors are used.
    unsafe {
        let mut next = Some(LLVMMetadataAsValue(context, scope));
        while let Some(scope) = next {
            scopes.extend(Metadata::from_raw(LLVMValueAsMetadata(scope)));
            let is_block = is_kind(scope, LLVMMetadataKind::LLVMDILexicalBlockMetadataKind)
                || is_kind(scope, LLVMMetadataKind::LLVMDILexicalBlockFileMetadataKind);
            next = if is_block { node_operand(scope, 1) } else { None };
        }
    }
    scopes
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
    // SAFETY: as the caller says.
    unsafe { node_operands(node).get(index).copied().filter(|operand| !operand.is_null()) }
}

/// All operands of a node, null where one is missing.
///
/// # Safety
/// `node` is a metadata node as a value.
unsafe fn node_operands(node: LLVMValueRef) -> Vec<LLVMValueRef> {
    // SAFETY: the buffer has room for all operands.
    unsafe {
        let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(node) as usize];
        LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
        operands
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

const DW_TAG_ARRAY_TYPE: u16 = 0x01;
const DW_TAG_POINTER_TYPE: u16 = 0x0f;
const DW_TAG_STRUCTURE_TYPE: u16 = 0x13;
const DW_TAG_TYPEDEF: u16 = 0x16;
const DW_TAG_CONST_TYPE: u16 = 0x26;
const DW_TAG_VOLATILE_TYPE: u16 = 0x35;
const DW_TAG_RESTRICT_TYPE: u16 = 0x37;
const DW_TAG_ATOMIC_TYPE: u16 = 0x47;
