//! What can go wrong between the user's files and a program, in words for the user: what happened,
//! where, and what to do.

use crate::klee::Note;
use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("no input files; give C sources (.c, .i), bitcode (.bc) or LLVM assembly (.ll)")]
    NoInput,

    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },

    #[error("{} is a directory; give the files themselves", path.display())]
    Directory { path: PathBuf },

    #[error("{} is empty", path.display())]
    Empty { path: PathBuf },

    #[error("{}: unknown kind of file; C sources end in .c or .i, bitcode in .bc, LLVM assembly in .ll", path.display())]
    UnknownKind { path: PathBuf },

    #[error("{}: C++ is not supported, only C", path.display())]
    Cplusplus { path: PathBuf },

    #[error(
        "{} is {what}, not bitcode; give the C files, or make bitcode: `espalier build -- make` does so for a whole project, `clang -c -emit-llvm -g -O0 -Xclang -disable-O0-optnone` for a file",
        path.display()
    )]
    Native { path: PathBuf, what: &'static str },

    #[error("no usable C compiler: {reason}; install clang-19 or set ESPALIER_CLANG to a clang of version {wanted}")]
    Clang { reason: String, wanted: u32 },

    /// The compiler's own diagnostics.
    #[error("{} does not compile:\n{}", path.display(), diagnostics.trim_end())]
    Compile { path: PathBuf, diagnostics: String },

    #[error("temporary files: {source}; check the space and rights in the directory for temporary files (TMPDIR)")]
    Temporary { source: io::Error },

    #[error("{} cannot be read by {reader}{}: {reason}{}", path.display(), producer_text(producer), version_advice(producer, reader))]
    Bitcode { path: PathBuf, producer: Option<String>, reader: String, reason: String },

    #[error("{} is corrupt{}: {how}; compile it again", path.display(), producer_text(producer))]
    Corrupt { path: PathBuf, producer: Option<String>, how: String },

    #[error("{} is not valid LLVM code{}: {reason}", path.display(), producer_text(producer))]
    Invalid { path: PathBuf, producer: Option<String>, reason: String },

    #[error("{}: the target `{triple}` is not supported ({reason}); compile for a little-endian machine with 32 or 64 bits, such as x86-64", path.display())]
    Target { path: PathBuf, triple: String, reason: String },

    #[error(
        "{} is compiled for {first_bits}-bit pointers, {} for {second_bits}; compile all files with the same -m32 or -m64",
        first.display(),
        second.display()
    )]
    Layouts { first: PathBuf, first_bits: u32, second: PathBuf, second_bits: u32 },

    #[error("`{symbol}` is defined twice: in {} and in {}; leave one of the files out or make the function or variable static", first.display(), second.display())]
    Duplicate { symbol: String, first: PathBuf, second: PathBuf },

    #[error("{} cannot be linked with the other files: {reason}", path.display())]
    Link { path: PathBuf, reason: String },

    #[error("there is no function `{entry}` to start from{}", defined_text(defined))]
    NoEntry { entry: String, defined: Vec<String> },

    #[error(
        "{option} needs a C library: `make libc` builds it from Debian's source package of musl, and ESPALIER_LIBC names one elsewhere"
    )]
    NoLibc { option: &'static str },

    #[error("{option} is only for {reason}")]
    NoEnvironment { option: &'static str, reason: &'static str },

    #[error("the C library {} cannot be used: {reason}; build it again with `make libc`", path.display())]
    Archive { path: PathBuf, reason: String },

    #[error("the library {} cannot be linked: {reason}; compile it again", path.display())]
    Library { path: PathBuf, reason: String },

    /// `--function-alias` of KLEE's, with what was told before.
    #[error("{reason}")]
    FunctionAlias { reason: String, notes: Vec<Note> },

    #[error("internal error in the front end: {what}; please report this with the input that shows it")]
    Internal { what: String },
}

fn producer_text(producer: &Option<String>) -> String {
    producer.as_ref().map_or_else(String::new, |producer| format!(" (written by {producer})"))
}

/// If the file was written by another version, that is the likely reason.
fn version_advice(producer: &Option<String>, reader: &str) -> String {
    match producer {
        Some(producer) if major(producer) != major(reader) => {
            format!("; compile it with a clang of version {} or give the C sources", major(reader).unwrap_or("19"))
        }
        _ => "; the file may be damaged: compile it again".to_owned(),
    }
}

/// The first number of a text such as `LLVM 19.1.7`.
fn major(version: &str) -> Option<&str> {
    let start = version.find(|c: char| c.is_ascii_digit())?;
    let rest = &version[start..];
    Some(&rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())])
}

fn defined_text(defined: &[String]) -> String {
    const SHOWN: usize = 12;
    match defined {
        [] => "; the files define no function at all".to_owned(),
        _ => {
            let list = defined.iter().take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let more = defined.len().saturating_sub(SHOWN);
            let rest = if more == 0 { String::new() } else { format!(" and {more} more") };
            format!("; the files define {list}{rest}: name one of them as the entry, or add the file with `main`")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_versions() {
        let error = Error::Bitcode {
            path: "a.bc".into(),
            producer: Some("LLVM 21.0.0".to_owned()),
            reader: "LLVM 19.1.7".to_owned(),
            reason: "Unknown attribute kind (91)".to_owned(),
        };
        assert_eq!(
            error.to_string(),
            "a.bc cannot be read by LLVM 19.1.7 (written by LLVM 21.0.0): Unknown attribute kind (91); compile it with a clang of version 19 or give the C sources"
        );
    }
}
