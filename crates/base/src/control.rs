//! The names of functions whose call is an error, or that jump between functions.

/// What a failed `assert` calls.
pub const ASSERT_FAILURES: [&str; 4] = ["__assert_fail", "__assert", "__assert_rtn", "klee_assert_fail"];

/// What verification tasks call where they must not get to.
pub const ERROR_FUNCTIONS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// Those that note where a jump goes.
pub const SETJMP: [&str; 4] = ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"];

/// Those that jump there.
pub const LONGJMP: [&str; 4] = ["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"];

/// Is a call of the function an error in itself?
pub fn is_error(name: &str) -> bool {
    ASSERT_FAILURES.contains(&name) || ERROR_FUNCTIONS.contains(&name) || matches!(name, "abort" | "klee_abort")
}

/// Functions that may return a second time.
pub fn returning_twice() -> impl Iterator<Item = &'static str> {
    SETJMP.into_iter().chain(["savectx", "vfork"])
}

/// Does the function jump, or note where a jump goes? Analyses know these by their names.
pub(crate) fn jumps(name: &str) -> bool {
    LONGJMP.contains(&name) || returning_twice().any(|twice| twice == name)
}

/// All that the executor provides of these.
pub(crate) fn provided() -> impl Iterator<Item = &'static str> {
    ASSERT_FAILURES.into_iter().chain(ERROR_FUNCTIONS).chain(SETJMP).chain(LONGJMP)
}
