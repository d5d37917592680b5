//! The attributes that change what a call means: `byval` and its alignment.

use super::{Type, Value};
use llvm_sys::core::*;

/// The kinds of attribute we ask for, looked up once.
#[derive(Copy, Clone)]
pub struct Attributes {
    byval: u32,
    align: u32,
}

/// A parameter passed `byval`: the callee gets a copy of the object.
#[derive(Copy, Clone)]
pub struct ParamAttribute<'m> {
    pub object: Type<'m>,
    pub align: Option<u64>,
}

impl Attributes {
    pub fn new() -> Attributes {
        Attributes { byval: kind("byval"), align: kind("align") }
    }

    /// Of parameter `index` of a function.
    pub fn by_value_param<'m>(self, function: Value<'m>, index: u32) -> Option<ParamAttribute<'m>> {
        // SAFETY: callers have a function with that parameter; attribute indices count from 1 (0 is
        // the result).
        unsafe {
            let attribute = LLVMGetEnumAttributeAtIndex(function.raw, index + 1, self.byval);
            if attribute.is_null() {
                return None;
            }
            let align = LLVMGetEnumAttributeAtIndex(function.raw, index + 1, self.align);
            Some(ParamAttribute {
                object: Type::from_raw(LLVMGetTypeAttributeValue(attribute)),
                align: (!align.is_null()).then(|| LLVMGetEnumAttributeValue(align)),
            })
        }
    }

    /// Of argument `index` of a call.
    pub fn by_value_arg<'m>(self, call: Value<'m>, index: u32) -> Option<ParamAttribute<'m>> {
        // SAFETY: callers have a call with that argument.
        unsafe {
            let attribute = LLVMGetCallSiteEnumAttribute(call.raw, index + 1, self.byval);
            if attribute.is_null() {
                return None;
            }
            let align = LLVMGetCallSiteEnumAttribute(call.raw, index + 1, self.align);
            Some(ParamAttribute {
                object: Type::from_raw(LLVMGetTypeAttributeValue(attribute)),
                align: (!align.is_null()).then(|| LLVMGetEnumAttributeValue(align)),
            })
        }
    }
}

fn kind(name: &str) -> u32 {
    // SAFETY: valid text.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}
