//! What clang's checks for undefined behaviour (`-fsanitize=...`) report, and the functions that
//! they call for it.

use serde::{Deserialize, Serialize};

/// The beginning of the names of the functions.
pub const PREFIX: &str = "__ubsan_handle_";

/// What a function is called for. Which check failed is in the data that it is given.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Handler {
    /// An overflow of integers, a division that has no result, or a shift.
    Overflow,
    TypeMismatch,
    AlignmentAssumption,
    OutOfBounds,
    Unreachable,
    MissingReturn,
    VlaBound,
    FloatCast,
    InvalidLoad,
    ImplicitConversion,
    InvalidBuiltin,
    FunctionType,
    NullReturn,
    NullArgument,
    PointerOverflow,
}

/// The function of that name, with or without an abort.
pub fn handler(name: &str) -> Option<Handler> {
    let what = name.strip_prefix(PREFIX)?;
    Some(match what.strip_suffix("_abort").unwrap_or(what) {
        "add_overflow"
        | "sub_overflow"
        | "mul_overflow"
        | "negate_overflow"
        | "divrem_overflow"
        | "shift_out_of_bounds" => Handler::Overflow,
        "type_mismatch_v1" => Handler::TypeMismatch,
        "alignment_assumption" => Handler::AlignmentAssumption,
        "out_of_bounds" | "local_out_of_bounds" => Handler::OutOfBounds,
        "builtin_unreachable" => Handler::Unreachable,
        "missing_return" => Handler::MissingReturn,
        "vla_bound_not_positive" => Handler::VlaBound,
        "float_cast_overflow" => Handler::FloatCast,
        "load_invalid_value" => Handler::InvalidLoad,
        "implicit_conversion" => Handler::ImplicitConversion,
        "invalid_builtin" => Handler::InvalidBuiltin,
        "function_type_mismatch" | "function_type_mismatch_v1" => Handler::FunctionType,
        "nonnull_return_v1" | "nullability_return_v1" => Handler::NullReturn,
        "nonnull_arg" | "nullability_arg" => Handler::NullArgument,
        "pointer_overflow" => Handler::PointerOverflow,
        _ => return None,
    })
}

/// A check that failed, but for overflows of signed integers.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Check {
    NullPointer,
    MisalignedPointer,
    ObjectSize,
    AlignmentAssumption,
    NullWithOffset,
    NullWithNonzeroOffset,
    NullAfterOffset,
    PointerOverflow,
    OutOfBoundsIndex,
    VlaBound,
    UnsignedOverflow,
    FloatCast,
    FloatDivisionByZero,
    InvalidBuiltin,
    UnsignedTruncation,
    SignedTruncation,
    SignChange,
    SignedTruncationOrSignChange,
    UnreachableCall,
    MissingReturn,
    InvalidLoad,
    FunctionType,
    NullReturn,
    NullArgument,
}

impl Check {
    /// As clang's own library calls it in its summaries.
    pub fn name(self) -> &'static str {
        match self {
            Check::NullPointer => "null-pointer-use",
            Check::MisalignedPointer => "misaligned-pointer-use",
            Check::ObjectSize => "insufficient-object-size",
            Check::AlignmentAssumption => "alignment-assumption",
            Check::NullWithOffset => "nullptr-with-offset",
            Check::NullWithNonzeroOffset => "nullptr-with-nonzero-offset",
            Check::NullAfterOffset => "nullptr-after-nonzero-offset",
            Check::PointerOverflow => "pointer-overflow",
            Check::OutOfBoundsIndex => "out-of-bounds-index",
            Check::VlaBound => "non-positive-vla-index",
            Check::UnsignedOverflow => "unsigned-integer-overflow",
            Check::FloatCast => "float-cast-overflow",
            Check::FloatDivisionByZero => "float-divide-by-zero",
            Check::InvalidBuiltin => "invalid-builtin-use",
            Check::UnsignedTruncation => "implicit-unsigned-integer-truncation",
            Check::SignedTruncation => "implicit-signed-integer-truncation",
            Check::SignChange => "implicit-integer-sign-change",
            Check::SignedTruncationOrSignChange => "implicit-signed-integer-truncation-or-sign-change",
            Check::UnreachableCall => "unreachable-call",
            Check::MissingReturn => "missing-return",
            Check::InvalidLoad => "load invalid value",
            Check::FunctionType => "function-type-mismatch",
            Check::NullReturn => "invalid-null-return",
            Check::NullArgument => "invalid-null-argument",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_known_with_and_without_an_abort() {
        assert_eq!(handler("__ubsan_handle_add_overflow"), Some(Handler::Overflow));
        assert_eq!(handler("__ubsan_handle_type_mismatch_v1_abort"), Some(Handler::TypeMismatch));
        assert_eq!(handler("__ubsan_handle_cfi_check_fail"), None);
        assert_eq!(handler("add_overflow"), None);
    }
}
