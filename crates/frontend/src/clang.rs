//! Runs clang on C sources.
//!
//! Code is compiled without optimisation, so that what is executed is what was written, and with
//! `-fno-builtin`, so that a call of `strlen` stays a call of `strlen`: a program may define its
//! own. (`__builtin_strlen` still works.)
//!
//! What does not compile so may be old C, which gcc takes with warnings, and is compiled again as
//! such ([`old_c`]).

mod old_c;

use crate::Error;
use crate::runtime::HEADERS;
use espalier_base::AS_WRITTEN;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// The version of clang whose bitcode we can read.
pub const VERSION: u32 = 19;

const FLAGS: [&str; 8] = [
    "-c",
    "-emit-llvm",
    "-O0",
    "-Xclang",
    "-disable-O0-optnone",
    // Where variables begin and end to live, without what the sanitizer does about it.
    "-Xclang",
    "-fsanitize-address-use-after-scope",
    "-g",
];

/// What is part of the data model besides the sizes of types, for every compiler: 32-bit floats in
/// their own precision.
pub fn data_model_args(args: &[String]) -> &'static [&'static str] {
    if args.iter().any(|arg| arg == "-m32") { &["-msse2", "-mfpmath=sse"] } else { &[] }
}

/// A compiled file.
pub struct Compiled {
    pub bitcode: Vec<u8>,
    /// Warnings the user asked for.
    pub diagnostics: String,
}

/// Compiles the files, several at a time, and gives their bitcode in the same order.
pub fn compile(files: &[&Path], args: &[String]) -> Result<Vec<Compiled>, Error> {
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let clang = find()?;
    let temporary = |source| Error::Temporary { source };
    let folder = tempfile::Builder::new().prefix("espalier-").tempdir().map_err(temporary)?;
    let headers = write_headers(&folder).map_err(temporary)?;
    let mut given: Vec<OsString> = vec!["-isystem".into(), headers.into_os_string()];
    given.extend(data_model_args(args).iter().map(OsString::from));
    given.extend(args.iter().map(OsString::from));
    given.extend(layout_args(&clang, args, folder.path()).map_err(temporary)?);
    let mut common: Vec<OsString> = FLAGS.iter().chain(&AS_WRITTEN).map(OsString::from).collect();
    if !args.iter().any(|arg| asks_for_warnings(arg)) {
        common.push("-w".into());
    }
    common.extend(given.iter().cloned());
    let old = old_c::Compiler { clang: &clang, given: &given, args };

    let at_once = std::thread::available_parallelism().map_or(1, usize::from);
    let mut compiled = Vec::with_capacity(files.len());
    for (batch_number, batch) in files.chunks(at_once).enumerate() {
        let mut running: Vec<(PathBuf, PathBuf, Child)> = Vec::new();
        for (index, file) in batch.iter().enumerate() {
            let output = folder.path().join(format!("{}.bc", batch_number * at_once + index));
            let mut command = Command::new(&clang);
            command.args(&common).arg(file_argument(file)).arg("-o").arg(&output);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
            let child =
                command.spawn().map_err(|error| missing(format!("cannot run {}: {error}", clang.to_string_lossy())))?;
            running.push((file.to_path_buf(), output, child));
        }
        for (file, output, child) in running {
            compiled.push(match collect(&file, &output, child) {
                Err(error @ Error::Compile { .. }) => old.compile(&file, &output).ok_or(error)?,
                result => result?,
            });
        }
    }
    Ok(compiled)
}

fn collect(file: &Path, output: &Path, child: Child) -> Result<Compiled, Error> {
    let result = child.wait_with_output().map_err(|error| missing(format!("it cannot be waited for: {error}")))?;
    let diagnostics = String::from_utf8_lossy(&result.stderr).into_owned();
    if !result.status.success() {
        let diagnostics =
            if diagnostics.is_empty() { format!("clang ended with {}", result.status) } else { diagnostics };
        return Err(Error::Compile { path: file.to_owned(), diagnostics });
    }
    match fs::read(output) {
        Ok(bitcode) => Ok(Compiled { bitcode, diagnostics }),
        // Options such as -E or -fsyntax-only succeed without output.
        Err(_) => Err(Error::Compile {
            path: file.to_owned(),
            diagnostics: "clang wrote no bitcode; check the options given to it".to_owned(),
        }),
    }
}

/// A name that clang does not take for an option.
fn file_argument(file: &Path) -> PathBuf {
    if file.as_os_str().as_encoded_bytes().starts_with(b"-") { Path::new(".").join(file) } else { file.to_path_buf() }
}

fn asks_for_warnings(arg: &str) -> bool {
    arg.starts_with("-W") && !["-Wl,", "-Wp,", "-Wa,", "-Wno-"].iter().any(|other| arg.starts_with(other))
        || arg == "-pedantic"
}

fn missing(reason: String) -> Error {
    Error::Clang { reason, wanted: VERSION }
}

/// The compiler to use: `ESPALIER_CLANG`, else `clang-19`, else a `clang` of that version.
pub fn find() -> Result<OsString, Error> {
    if let Some(chosen) = std::env::var_os("ESPALIER_CLANG").filter(|value| !value.is_empty()) {
        return match version(&chosen) {
            Some(VERSION) => Ok(chosen),
            Some(other) => Err(missing(format!("ESPALIER_CLANG ({}) has version {other}", chosen.to_string_lossy()))),
            None => Err(missing(format!("ESPALIER_CLANG ({}) cannot be run or is no clang", chosen.to_string_lossy()))),
        };
    }
    let named = OsString::from(format!("clang-{VERSION}"));
    if in_path(&named) {
        return Ok(named);
    }
    match version(&OsString::from("clang")) {
        Some(VERSION) => Ok("clang".into()),
        Some(other) => Err(missing(format!("there is no clang-{VERSION}, and clang has version {other}"))),
        None => Err(missing(format!("there is neither clang-{VERSION} nor clang"))),
    }
}

fn in_path(program: &OsString) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(program).is_file()))
}

/// The major version that a clang reports.
fn version(clang: &OsString) -> Option<u32> {
    let output = Command::new(clang).arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.split("clang version ").nth(1)?.split('.').next()?.parse().ok()
}

/// Writes the embedded headers to a folder for `-isystem`.
fn write_headers(folder: &TempDir) -> std::io::Result<PathBuf> {
    let root = folder.path().join("include");
    fs::create_dir(&root)?;
    for (name, content) in HEADERS {
        let path = root.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, content)?;
    }
    Ok(root)
}

/// With `-m32` on a 64-bit Debian without 32-bit development files, the C library's headers are all
/// there but two: the folder of the other layout's headers is not searched, and `gnu/stubs-32.h` is
/// missing, a list of functions that do not work. Both can be supplied.
fn layout_args(clang: &OsString, args: &[String], folder: &Path) -> std::io::Result<Vec<OsString>> {
    if !args.iter().any(|arg| arg == "-m32") || Path::new("/usr/include/gnu/stubs-32.h").exists() {
        return Ok(Vec::new());
    }
    let machine = Command::new(clang).arg("-print-multiarch").stdin(Stdio::null()).stderr(Stdio::null()).output()?;
    let machine = String::from_utf8_lossy(&machine.stdout).trim().to_owned();
    let host = Path::new("/usr/include").join(if machine.is_empty() { "x86_64-linux-gnu" } else { &machine });
    let stubs = folder.join("stubs");
    fs::create_dir_all(stubs.join("gnu"))?;
    fs::write(stubs.join("gnu/stubs-32.h"), "")?;
    Ok(["-idirafter".into(), stubs.into_os_string(), "-idirafter".into(), host.into_os_string()].into())
}
