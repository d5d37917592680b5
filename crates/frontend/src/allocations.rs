//! Allocations that may fail at some places only.
//!
//! Calls of the user's at these places go to functions of the runtime that may fail
//! (`runtime/alloc/sites.c`), and all others to ones that count: a test says by its number which
//! allocation fails. This is done to bitcode, so the program may be given as such. Whoever takes
//! the address of `malloc` gets the library's, which never fails.

use crate::llvm::Module;
use crate::lower::FileNames;
use crate::{Error, Input, marks};

/// Those that may fail, by the names that programs call them by.
const NAMES: [&str; 5] = ["malloc", "calloc", "realloc", "strdup", "strndup"];

const AT_SITE: &str = "__espalier_site_";
const COUNTED: &str = "__espalier_counted_";

/// A line of the source, with the file as `Program::files` has it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SourceLine {
    pub file: String,
    pub line: u32,
}

/// The allocation that a function is, if it may fail.
pub fn allocation_that_may_fail(name: &str) -> Option<&'static str> {
    let prefixes = ["__espalier_failing_", AT_SITE, COUNTED];
    let name = prefixes.into_iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    NAMES.into_iter().find(|known| *known == name)
}

/// Has allocations fail on these lines.
pub(crate) fn divert(module: &mut Module<'_>, sites: &[SourceLine]) {
    let names = FileNames::new();
    module.divert_calls(|callee, loc| {
        let name = allocation_that_may_fail(callee)?;
        let file = loc.and_then(|loc| Some((names.path(loc.file?), loc.line)));
        let is_site = file.is_some_and(|(file, line)| sites.iter().any(|site| site.line == line && site.file == file));
        Some(format!("{}{name}", if is_site { AT_SITE } else { COUNTED }))
    });
}

/// The bitcode of each file for a native run of such a test: the replay library tells sites by
/// their numbers.
pub fn with_failing_allocations(input: &Input) -> Result<Vec<Vec<u8>>, Error> {
    marks::changed(input, |_| {})
}

/// For native runs: all calls go to the functions of the replay library.
pub(crate) fn divert_all(module: &mut Module<'_>) {
    module.divert_calls(|callee, _| Some(format!("{AT_SITE}{}", allocation_that_may_fail(callee)?)));
}
