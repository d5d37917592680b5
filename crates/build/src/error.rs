//! What can keep a build from giving bitcode, in words for the user: what happened, where, and what
//! to do.

use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{}: {source}; bitcode is kept there: choose a directory that can be written to with --store", path.display())]
    Store { path: PathBuf, source: io::Error },

    #[error("the path of the store, {}, is not usable: it is not UTF-8 or has a colon, a tab or a line break in it; choose another one with --store", path.display())]
    StoreName { path: PathBuf },

    #[error(
        "llvm-link-19 was not found, which links bitcode; to install it on Debian or Ubuntu: sudo apt-get install llvm-19"
    )]
    NoLinker,

    #[error("{0}; to install it on Debian or Ubuntu: sudo apt-get install clang-19")]
    NoClang(String),

    #[error("the command `{command}` cannot be started: {source}{}", hint(source))]
    Command { command: String, source: io::Error },

    #[error("{}: {source}", path.display())]
    Output { path: PathBuf, source: io::Error },

    #[error("the bitcode of {} is not linked: {reason}", program.display())]
    Link { program: PathBuf, reason: String },

    #[error(
        "the bitcode of {} is gone from {}; remove its objects (`make clean`) and build again",
        source_file.display(),
        bitcode.display()
    )]
    Gone { source_file: PathBuf, bitcode: PathBuf },
}

fn hint(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::NotFound => "; check its name, or install it; a shell's commands need a shell: `-- sh -c '…'`",
        _ => "",
    }
}
