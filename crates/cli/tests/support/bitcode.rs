//! Bitcode as users of KLEE make it.

use super::process::{self, End};
use super::root;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

/// Compiles a C file. In messages and debug information it has the name that is given here.
pub fn compile(directory: &Path, source: &str, bitcode: &Path) {
    compile_with("clang-19", directory, source, bitcode);
}

pub fn compile_with(clang: &str, directory: &Path, source: &str, bitcode: &Path) {
    compile_for(clang, &[], directory, source, bitcode);
}

/// The same with more options for the compiler.
pub fn compile_for(clang: &str, options: &[&str], directory: &Path, source: &str, bitcode: &Path) {
    let mut command = Command::new(clang);
    command.args(options);
    command.args(["-c", "-emit-llvm", "-g", "-O0", "-Xclang", "-disable-O0-optnone"]);
    command.arg("-I").arg(root().join("runtime/include")).arg(source).arg("-o").arg(bitcode).current_dir(directory);
    let finished = process::run(&mut command, LIMIT);
    assert_eq!(finished.end, End::Exit(0), "{clang} {source}: {}", finished.stderr);
}
