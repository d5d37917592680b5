//! KLEE's options that have no counterpart here, so that command lines made for KLEE are understood
//! as they are.
//!
//! Options that mean something here are in [`crate::options`], under KLEE's name or with it as an
//! alias; none is in both tables. What is listed here is accepted, and said to have no effect, with
//! the reason.

/// What an option takes, which decides whether the next argument is its value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Takes {
    /// `--name`, `--name=true`, `--name=false`.
    Bool,
    /// `--name=value` or `--name value`.
    Value,
}

/// Why KLEE's option has no effect.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// How KLEE does inside what is done in another way here.
    Internal,
    /// What it switches on is always so.
    Always,
    /// What it asks for does not exist here.
    Missing,
}

impl Why {
    /// "... has no effect: ".
    pub fn text(self) -> &'static str {
        match self {
            Why::Internal => "it is about how KLEE works inside",
            Why::Always => "it is always so here",
            Why::Missing => "there is nothing like it here",
        }
    }
}

#[derive(Copy, Clone, Debug)]
pub struct KleeOption {
    /// The name without its dashes.
    pub name: &'static str,
    pub takes: Takes,
    pub why: Why,
}

/// KLEE's option of that name, if it has no effect here.
pub fn find(name: &str) -> Option<&'static KleeOption> {
    OPTIONS.iter().find(|option| option.name == name)
}

/// Functions that KLEE executes itself: calls of them do not leave the program.
const BUILT_IN: [&str; 26] = [
    "_Exit",
    "__assert",
    "__assert_fail",
    "__assert_rtn",
    "__cxa_atexit",
    "__errno_location",
    "__memcpy_chk",
    "_exit",
    "abort",
    "atexit",
    "calloc",
    "exit",
    "free",
    "klee_choose",
    "longjmp",
    "malloc",
    "memalign",
    "memcmp",
    "memcpy",
    "memmove",
    "mempcpy",
    "memset",
    "realloc",
    "reach_error",
    "setjmp",
    "signal",
];

/// Does KLEE execute the function itself?
pub fn is_built_in(name: &str) -> bool {
    BUILT_IN.contains(&name)
        || ["klee_", "__ubsan_", "__VERIFIER_", "__espalier_"].iter().any(|own| name.starts_with(own))
}

const fn flag(name: &'static str, why: Why) -> KleeOption {
    KleeOption { name, takes: Takes::Bool, why }
}

const fn value(name: &'static str, why: Why) -> KleeOption {
    KleeOption { name, takes: Takes::Value, why }
}

/// In KLEE's groups.
pub const OPTIONS: &[KleeOption] = &[
    // Debugging
    flag("debug-assignment-validating-solver", Why::Internal),
    flag("debug-cex-cache-check-binding", Why::Internal),
    flag("debug-compress-instructions", Why::Missing),
    value("debug-crosscheck-core-solver", Why::Missing),
    value("debug-print-instructions", Why::Missing),
    flag("debug-stp-dump-queries", Why::Internal),
    flag("debug-validate-solver", Why::Internal),
    value("debug-z3-dump-queries", Why::Internal),
    value("debug-z3-log-api-interaction", Why::Internal),
    flag("debug-z3-validate-models", Why::Internal),
    value("debug-z3-verbosity", Why::Internal),
    value("make-concrete-symbolic", Why::Missing),
    // Execution tree
    flag("compress-exec-tree", Why::Internal),
    flag("compress-execution-tree", Why::Internal),
    flag("compress-process-tree", Why::Internal),
    value("exec-tree-batch-size", Why::Missing),
    flag("write-exec-tree", Why::Missing),
    flag("write-execution-tree", Why::Missing),
    // Expressions
    value("array-value-ratio", Why::Internal),
    value("array-value-symb-ratio", Why::Internal),
    flag("const-array-opt", Why::Internal),
    value("max-sym-array-size", Why::Missing),
    flag("pc-all-const-widths", Why::Missing),
    flag("pc-all-widths", Why::Missing),
    flag("pc-multibyte-reads", Why::Missing),
    flag("pc-prefix-width", Why::Missing),
    flag("rewrite-equalities", Why::Internal),
    flag("simplify-sym-indices", Why::Internal),
    value("smtlib-abbreviation-mode", Why::Missing),
    value("smtlib-display-constants", Why::Missing),
    flag("smtlib-human-readable", Why::Missing),
    flag("smtlib-use-let-expressions", Why::Missing),
    flag("use-construct-hash-metasmt", Why::Internal),
    flag("use-construct-hash-stp", Why::Internal),
    flag("use-construct-hash-z3", Why::Internal),
    flag("use-visitor-hash", Why::Internal),
    // External calls
    flag("warn-all-external-symbols", Why::Missing),
    // Linking
    flag("libcxx", Why::Missing),
    value("runtime-build", Why::Internal),
    flag("ubsan-runtime", Why::Always),
    // Memory
    flag("allocate-determ", Why::Always),
    value("allocate-determ-size", Why::Internal),
    value("allocate-determ-start-address", Why::Internal),
    flag("kdalloc", Why::Always),
    value("kdalloc-constants-size", Why::Internal),
    value("kdalloc-constants-start-address", Why::Internal),
    value("kdalloc-globals-size", Why::Internal),
    value("kdalloc-globals-start-address", Why::Internal),
    value("kdalloc-heap-size", Why::Internal),
    value("kdalloc-heap-start-address", Why::Internal),
    flag("kdalloc-mark-as-unneeded", Why::Internal),
    value("kdalloc-quarantine", Why::Internal),
    value("kdalloc-stack-size", Why::Internal),
    value("kdalloc-stack-start-address", Why::Internal),
    value("redzone-size", Why::Internal),
    flag("return-null-on-zero-malloc", Why::Missing),
    flag("single-object-resolution", Why::Internal),
    // Module
    flag("disable-inlining", Why::Always),
    flag("disable-internalize", Why::Internal),
    flag("disable-opt", Why::Always),
    flag("disable-verify", Why::Internal),
    flag("klee-call-optimisation", Why::Internal),
    flag("optimize", Why::Missing),
    flag("strip-all", Why::Missing),
    flag("strip-debug", Why::Missing),
    value("switch-type", Why::Internal),
    // Seeding
    flag("allow-seed-extension", Why::Always),
    flag("allow-seed-truncation", Why::Always),
    flag("always-output-seeds", Why::Always),
    flag("named-seed-matching", Why::Always),
    value("seed-time", Why::Missing),
    flag("zero-seed-extension", Why::Always),
    // Solving
    flag("cex-cache-exp", Why::Internal),
    flag("cex-cache-superset", Why::Internal),
    flag("cex-cache-try-all", Why::Internal),
    flag("ignore-solver-failures", Why::Always),
    flag("log-partial-queries-early", Why::Always),
    flag("log-timed-out-queries", Why::Always),
    value("metasmt-backend", Why::Internal),
    flag("compress-query-log", Why::Missing),
    value("min-query-time-to-log", Why::Missing),
    value("solver-backend", Why::Internal),
    flag("use-assignment-validating-solver", Why::Internal),
    flag("solver-optimize-divides", Why::Internal),
    flag("use-branch-cache", Why::Internal),
    flag("use-cex-cache", Why::Internal),
    flag("use-fast-cex-solver", Why::Internal),
    flag("use-forked-solver", Why::Internal),
    flag("use-independent-solver", Why::Internal),
    // Startup
    value("run-in-dir", Why::Missing),
    // Statistics
    value("istats-write-after-instructions", Why::Missing),
    value("istats-write-interval", Why::Missing),
    value("stats-commit-after", Why::Internal),
    value("stats-write-after-instructions", Why::Missing),
    flag("track-instruction-time", Why::Always),
    value("uncovered-update-after-instructions", Why::Internal),
    value("uncovered-update-interval", Why::Internal),
    flag("use-call-paths", Why::Missing),
    // Termination
    value("max-instruction-time", Why::Missing),
    flag("max-memory-inhibit", Why::Missing),
    value("max-static-cpfork-pct", Why::Missing),
    value("max-static-cpsolve-pct", Why::Missing),
    value("max-static-fork-pct", Why::Missing),
    value("max-static-pct-check-delay", Why::Missing),
    value("max-static-solve-pct", Why::Missing),
    flag("watchdog", Why::Always),
    // Tests
    flag("only-output-make-symbolic-arrays", Why::Always),
    flag("readable-posix-inputs", Why::Missing),
    flag("write-cov", Why::Missing),
    flag("write-cvcs", Why::Missing),
    flag("write-paths", Why::Missing),
    flag("write-sym-paths", Why::Missing),
    flag("write-test-info", Why::Missing),
    // LLVM's own
    flag("color", Why::Missing),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options;

    #[test]
    fn no_option_is_in_both_tables_or_twice() {
        for (index, option) in OPTIONS.iter().enumerate() {
            assert!(options::find(option.name).is_none(), "{}", option.name);
            assert!(OPTIONS[..index].iter().all(|other| other.name != option.name), "{}", option.name);
        }
    }
}
