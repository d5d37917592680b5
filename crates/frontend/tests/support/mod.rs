//! Shared by the tests: loading snippets, and a concrete interpreter of the IR against which native
//! runs are compared.

#![allow(dead_code)]

pub mod interpreter;
pub mod round_trip;

use espalier_frontend::{Error, Input, Loaded, load};
use std::path::{Path, PathBuf};

/// A folder for this test's files, deleted when dropped.
pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

pub fn input(file: &Path, args: &[&str]) -> Input {
    Input {
        files: vec![file.to_owned()],
        cc_args: args.iter().map(|&arg| arg.to_owned()).collect(),
        ..Input::default()
    }
}

/// Loads a C snippet.
pub fn load_c(source: &str, args: &[&str]) -> Result<Loaded, Error> {
    let folder = folder();
    let file = folder.path().join("test.c");
    std::fs::write(&file, source).expect("the temporary folder is writable");
    load(&input(&file, args))
}

/// Loads LLVM assembly.
pub fn load_ll(source: &str) -> Result<Loaded, Error> {
    let folder = folder();
    let file = folder.path().join("test.ll");
    std::fs::write(&file, source).expect("the temporary folder is writable");
    load(&input(&file, &[]))
}

/// The code of one function in the text form, without locations.
pub fn text(loaded: &Loaded, function: &str) -> String {
    let id = loaded.program.function_named(function).expect("the function was lowered");
    let text = loaded.program.function(id).display(&loaded.program).to_string();
    let code = text.lines().filter(|line| !["  passed ", "  loop "].iter().any(|start| line.starts_with(start)));
    let without_locations = |line: &str| {
        let line = line.split("  !").next().unwrap_or_default();
        line.split(" declared !").next().unwrap_or_default().to_owned()
    };
    code.map(without_locations).collect::<Vec<_>>().join("\n")
}

/// Runs clang, for inputs that are not C.
pub fn clang(args: &[&str], file: &Path, output: &Path) {
    let clang = std::env::var("ESPALIER_CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    let status =
        std::process::Command::new(clang).args(args).arg(file).arg("-o").arg(output).status().expect("clang runs");
    assert!(status.success(), "clang {args:?} {}", file.display());
}

/// Compiles a snippet to bitcode.
pub fn bitcode(source: &str, folder: &Path, name: &str) -> PathBuf {
    let file = folder.join(format!("{name}.c"));
    std::fs::write(&file, source).expect("the temporary folder is writable");
    let output = folder.join(format!("{name}.bc"));
    clang(&["-c", "-emit-llvm", "-O0", "-g", "-w"], &file, &output);
    output
}
