//! Which functions without a body the executor stands in for (`exec::models::shims`).
//!
//! The front end asks, because it links a C library for what is missing only, and leaves out what
//! the executor does itself. The names are those of [`fidelity`], with the families of inputs and
//! the functions that the runtime alone calls.

use crate::control;
use crate::fidelity::{self, Provider};
use crate::ubsan::{self, Handler};

/// Functions that are known by how their names begin.
const FAMILIES: [&str; 2] = ["__VERIFIER_nondet_", "klee_get_value"];

/// What the runtime asks the executor to do. Nobody has to answer for how true that is.
const OF_THE_RUNTIME: [&str; 15] = [
    "__espalier_run_constructors",
    "__espalier_run_destructors",
    "__espalier_concrete",
    "__espalier_approximate",
    "__espalier_answer",
    "__espalier_fixed",
    "__espalier_fixed_name",
    "__espalier_unfixed",
    "__espalier_compared",
    "__espalier_output",
    "__espalier_vformat",
    "__espalier_flush",
    "__espalier_begin_files",
    "__espalier_file",
    "__espalier_killed",
];

/// How the names of a library's functions begin where the program defines others of the same name,
/// which the library does not call.
pub const LIBRARYS_OWN: &str = "__espalier_own_";

/// The name that a function has in the C library.
pub fn public_name(name: &str) -> &str {
    name.strip_prefix(LIBRARYS_OWN).unwrap_or(name)
}

/// Functions that a C library calls by their names, whoever defines them.
const REPLACEABLE: [&str; 11] = [
    "main",
    "malloc",
    "calloc",
    "realloc",
    "free",
    "aligned_alloc",
    "memalign",
    "posix_memalign",
    "valloc",
    "pvalloc",
    "malloc_usable_size",
];

/// Does a C library call the program's function of that name, instead of its own?
pub fn is_replaceable(name: &str) -> bool {
    REPLACEABLE.contains(&name) || control::jumps(name)
}

/// Does the executor have the function in some form, so that it takes no C library to run it?
pub fn is_known(name: &str) -> bool {
    is_in_table(name)
        || ubsan::handler(name).is_some()
        || OF_THE_RUNTIME.contains(&name)
        || FAMILIES.iter().any(|family| name.starts_with(family))
}

/// Does the executor provide the function, so that it is not taken from a C library? A library's
/// `exit` does more than the executor's: it writes what is in buffers. And it can do all that is to
/// be done with a long double, of which the executor does a part.
pub fn is_provided(name: &str) -> bool {
    is_known(name) && !matches!(name, "exit" | "_Exit" | "quick_exit") && !is_of_long_doubles(name)
}

/// The function of long doubles is called as that of doubles, with an `l` behind.
fn is_of_long_doubles(name: &str) -> bool {
    name.strip_suffix('l').is_some_and(is_in_table)
}

fn is_in_table(name: &str) -> bool {
    fidelity::of(Provider::Engine, name).is_some()
}

/// Is this the function that reports an overflow of signed integers, with or without an abort?
pub fn is_overflow_report(name: &str) -> bool {
    ubsan::handler(name) == Some(Handler::Overflow)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_has_what_it_does_better() {
        for name in [
            "__ubsan_handle_type_mismatch_v1_abort",
            "malloc",
            "ceil",
            "_exit",
            "__VERIFIER_nondet_int",
            "klee_get_value_i32",
            "klee_assume",
        ] {
            assert!(is_known(name) && is_provided(name), "{name}");
        }
        for name in ["exit", "_Exit", "quick_exit", "ceill", "fabsl", "__signbitl"] {
            assert!(is_known(name) && !is_provided(name), "{name}");
        }
        for name in ["strlen", "l", "__espalier_libc_start", "__ubsan_handle_dynamic_type_cache_miss"] {
            assert!(!is_known(name) && !is_provided(name), "{name}");
        }
    }
}
