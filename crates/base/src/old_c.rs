//! Old C: what gcc 12 compiles with a warning is an error for clang 19, unless it is told
//! otherwise.
//!
//! gcc gives library functions that nobody declares the types that they have. With `-fno-builtin`
//! they would return `int`, which cuts pointers. So clang is asked about the file as one in which
//! they are builtins, and what it says of their types is declared before the file. A function that
//! is called before it is defined, and returns nothing, is a conflict for clang and a warning for
//! gcc: it is declared too.

use std::collections::BTreeSet;
use std::fmt::Write;

/// Warnings that clang makes errors of.
pub const WARNINGS: [&str; 5] = [
    "implicit-function-declaration",
    "implicit-int",
    "int-conversion",
    "incompatible-function-pointer-types",
    "return-mismatch",
];

/// The dialects of files that do not compile in the default one.
pub const DIALECTS: [&str; 2] = ["-std=gnu89", "-std=c89"];

/// With these clang tells what [`declarations`] wants to know.
pub const LOOK: [&str; 5] = [
    "-fsyntax-only",
    "-ferror-limit=0",
    "-fno-caret-diagnostics",
    "-Qunused-arguments",
    "-Wimplicit-function-declaration",
];

/// Library functions whose types clang knows and gcc does not: without a declaration they return
/// `int` for gcc.
const UNKNOWN_TO_GCC: [&str; 18] = [
    "memalign", "memccpy", "strerror", "strtod", "strtof", "strtok", "strtol", "strtold", "strtoll", "strtoul",
    "strtoull", "strxfrm", "vfork", "wcschr", "wcslen", "wmemchr", "wmemcpy", "wmemmove",
];

/// Options for clang with which these warnings are warnings.
pub fn as_warnings() -> impl Iterator<Item = String> {
    WARNINGS.iter().map(|warning| format!("-Wno-error={warning}"))
}

/// Do a compiler's options leave the dialect to us?
pub fn is_dialect_open(args: &[String]) -> bool {
    !args.iter().any(|arg| arg.trim_start_matches('-').starts_with("std=") || arg == "-ansi")
}

/// Do a compiler's options ask for warnings to be errors?
pub fn is_strict(args: &[String]) -> bool {
    args.iter().any(|arg| arg.starts_with("-Werror") || arg == "-pedantic-errors")
}

/// What has to be declared before a file, by what clang says of it.
pub fn declarations(diagnostics: &str) -> String {
    let mut text = String::new();
    let mut known = BTreeSet::new();
    let mut lines = diagnostics.lines().peekable();
    while let Some(line) = lines.next() {
        let next = lines.peek().copied().unwrap_or_default();
        let declaration = match (library_function(line), conflicting_function(line, next)) {
            (Some((name, ty)), _) if !UNKNOWN_TO_GCC.contains(&name) => {
                (name, format!("extern __typeof__({ty}) {name};"))
            }
            (_, Some(name)) => (name, format!("void {name}();")),
            _ => continue,
        };
        if known.insert(declaration.0) {
            let _ = writeln!(text, "{}", declaration.1);
        }
    }
    text
}

/// The name and the type of a library function that is not declared.
fn library_function(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(" library function '")?.1.split_once('\'')?;
    let ty = rest.strip_prefix(" with type '")?.split_once('\'')?.0;
    Some((name, ty.split_once(" __attribute__").map_or(ty, |(ty, _)| ty)))
}

/// The name of a function that was called before it was declared as something else than that made
/// of it.
fn conflicting_function<'a>(line: &'a str, next: &str) -> Option<&'a str> {
    let name = line.split_once("error: conflicting types for '")?.1.strip_suffix('\'')?;
    next.ends_with("previous implicit declaration is here").then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_understood() {
        let args = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
        assert!(is_dialect_open(&args("-Istd -Dstd=c99")));
        assert!(!is_dialect_open(&args("-I. -std=c99")) && !is_dialect_open(&args("--std=c99")));
        assert!(is_strict(&args("-Werror=int-conversion")) && !is_strict(&args("-Wall -Wno-error")));
        assert_eq!(as_warnings().nth(1).as_deref(), Some("-Wno-error=implicit-int"));
    }

    #[test]
    fn what_is_missing_is_declared() {
        let seen = "a.c:1:2: warning: call to undeclared library function 'malloc' with type 'void *(unsigned long)'; ISO\n\
                    a.c:2:2: warning: call to undeclared library function 'strtol' with type 'long (const char *)'; ISO\n\
                    a.c:3:2: warning: implicitly declaring library function 'malloc' with type 'void *(unsigned long)'\n\
                    a.c:3:2: warning: call to undeclared library function 'exit' with type 'void (int) __attribute__((noreturn))'; ISO\n\
                    a.c:4:6: error: conflicting types for 'later'\n\
                    a.c:3:9: note: previous implicit declaration is here\n\
                    a.c:5:6: error: conflicting types for 'other'\n\
                    a.c:1:9: note: previous declaration is here\n";
        let expected =
            "extern __typeof__(void *(unsigned long)) malloc;\nextern __typeof__(void (int)) exit;\nvoid later();\n";
        assert_eq!(declarations(seen), expected);
    }
}
