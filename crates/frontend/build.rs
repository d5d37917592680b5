//! Compiles Espalier's own runtime (`runtime/libc`), its model of the environment (`runtime/posix`)
//! and allocations that may fail (`runtime/alloc`) to bitcode, once per data layout, and lists its
//! headers (`runtime/include`), all to be embedded in the library.

use std::env;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The runtime is optimised a little, without what would hide accesses or turn loops into calls of
/// the functions that they implement.
const FLAGS: [&str; 13] = [
    "-c",
    "-emit-llvm",
    "-O1",
    "-g",
    "-std=gnu17",
    "-ffreestanding",
    "-fno-builtin",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fno-unroll-loops",
    "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables",
    "-ffp-contract=off",
];

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let root =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR")).join("../../runtime");
    for watched in ["ESPALIER_CLANG", "LLVM_SYS_191_PREFIX"] {
        println!("cargo:rerun-if-env-changed={watched}");
    }
    list_headers(&root.join("include"), &out.join("headers.rs"));
    for bits in ["64", "32"] {
        compile(&root, "libc", bits, &out.join(format!("runtime{bits}.bc")));
        compile(&root, "alloc", bits, &out.join(format!("alloc{bits}.bc")));
    }
    compile(&root, "posix", "64", &out.join("posix64.bc"));
}

/// Writes a table of path and content.
fn list_headers(folder: &Path, to: &Path) {
    let mut files = Vec::new();
    collect(folder, &mut files);
    let mut text = String::from("pub static HEADERS: &[(&str, &str)] = &[\n");
    for file in files {
        let name = file.strip_prefix(folder).expect("found below the folder");
        let name = name.to_str().expect("our header names are ASCII");
        writeln!(text, "    ({name:?}, include_str!({file:?})),").expect("writing to a string");
    }
    text.push_str("];\n");
    fs::write(to, text).expect("OUT_DIR is writable");
}

/// All files below `folder`, sorted; cargo is told to watch them.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    println!("cargo:rerun-if-changed={}", folder.display());
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, files);
        } else {
            println!("cargo:rerun-if-changed={}", path.display());
            files.push(path);
        }
    }
}

/// One bitcode file of a folder of the runtime for `-m64` or `-m32`; empty if this machine's
/// compiler cannot do the layout.
fn compile(root: &Path, folder: &str, bits: &str, target: &Path) {
    fs::write(target, []).expect("OUT_DIR is writable");
    let mut files = Vec::new();
    collect(&root.join(folder), &mut files);
    files.retain(|file| file.extension().is_some_and(|ext| ext == "c"));
    let mut units = Vec::new();
    for file in &files {
        let name = file.file_name().expect("a file has a name");
        let unit = target.with_extension(format!("{}.bc", name.to_string_lossy()));
        let mut command = Command::new(clang());
        command.args(FLAGS).arg(format!("-m{bits}")).arg("-fdebug-compilation-dir=runtime");
        command.arg(Path::new(folder).join(name)).arg("-o").arg(&unit).current_dir(root);
        match command.output() {
            Ok(output) if output.status.success() => units.push(unit),
            Ok(output) if bits == "32" => {
                let reason = String::from_utf8_lossy(&output.stderr);
                println!("cargo:warning=no 32-bit runtime: {}", reason.lines().next().unwrap_or("clang fails"));
                return;
            }
            Ok(output) => panic!("the runtime does not compile:\n{}", String::from_utf8_lossy(&output.stderr)),
            Err(error) => {
                panic!("cannot run {}: {error}; install clang-19 or set ESPALIER_CLANG", clang().to_string_lossy())
            }
        }
    }
    let mut command = Command::new(llvm_link());
    command.args(&units).arg("-o").arg(target);
    match command.output() {
        Ok(output) if output.status.success() => {}
        Ok(output) => panic!("the runtime cannot be linked:\n{}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => panic!("cannot run {}: {error}; install llvm-19", llvm_link().to_string_lossy()),
    }
}

fn clang() -> OsString {
    env::var_os("ESPALIER_CLANG").unwrap_or_else(|| "clang-19".into())
}

fn llvm_link() -> OsString {
    match env::var_os("LLVM_SYS_191_PREFIX") {
        Some(prefix) => Path::new(&prefix).join("bin/llvm-link").into_os_string(),
        None => "llvm-link-19".into(),
    }
}
