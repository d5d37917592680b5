//! What the tests that drive the binary share.

#![allow(dead_code, reason = "each test binary uses another part")]

pub mod batch;
pub mod bitcode;
pub mod corpus;
pub mod events;
pub mod generator;
pub mod process;
pub mod project;
pub mod recorded;
pub mod stats;
pub mod suite;

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Variables that change what is printed, compiled or built.
const VARIABLES: [&str; 24] = [
    "ASAN_OPTIONS",
    "CC",
    "CFLAGS",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "CPATH",
    "CPPFLAGS",
    "C_INCLUDE_PATH",
    "DESTDIR",
    "FORCE_COLOR",
    "KTEST_FILE",
    "LANG",
    "LANGUAGE",
    "LDFLAGS",
    "LSAN_OPTIONS",
    "MAKEFLAGS",
    "MAKELEVEL",
    "MFLAGS",
    "NO_COLOR",
    "RUST_BACKTRACE",
    "SOURCE_DATE_EPOCH",
    "TERM",
    "UBSAN_OPTIONS",
];

/// The path of the binary under test.
pub const ESPALIER: &str = env!("CARGO_BIN_EXE_espalier");

/// The binary under test, in surroundings that do not depend on who runs the tests: signals, mask
/// of new files, locale, variables.
pub fn espalier() -> Command {
    let mut command = Command::new(ESPALIER);
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    command.env("LC_ALL", "C");
    if let Ok(directory) = std::path::absolute(std::env::temp_dir()) {
        command.env("TMPDIR", directory);
    }
    // SAFETY: a system call that is allowed between fork and exec.
    unsafe {
        command.pre_exec(|| {
            libc::umask(0o022);
            Ok(())
        })
    };
    espalier_base::process::with_default_signals(&mut command);
    command
}

/// The root of the repository.
pub fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the repository")
}

/// The C files of a directory of the repository, in order.
pub fn c_files(dir: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(dir)).expect("the repository has the directory");
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    paths.sort();
    paths
}

/// A number from the environment, for longer runs.
pub fn count_from_env(name: &str, default: usize) -> usize {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")),
        Err(_) => default,
    }
}
