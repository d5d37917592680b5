//! From the user's files to a program: compiles C with clang, reads bitcode, links, promotes local
//! variables to registers and lowers LLVM's code to [`espalier_ir::Program`]. The only crate that
//! sees LLVM.
//!
//! ```no_run
//! let input = espalier_frontend::Input { files: vec!["prog.c".into()], ..Default::default() };
//! let loaded = espalier_frontend::load(&input)?;
//! println!("{}", loaded.program);
//! # Ok::<(), espalier_frontend::Error>(())
//! ```

mod allocations;
mod bitcode;
mod clang;
mod error;
mod guard;
mod klee;
mod libc;
mod link;
mod llvm;
mod lower;
mod marks;
mod runtime;

pub use allocations::{SourceLine, allocation_that_may_fail, with_failing_allocations};
pub use clang::{data_model_args, find as clang};
pub use error::Error;
pub use klee::{Klee, KleeModule, Note};
pub use libc::{Environment, Libc, Mount, find as find_libc};
pub use marks::{Mark, with_marked_functions, with_marks};

use bitcode::Content;
use espalier_ir::{FuncId, LeftOut, Program};
use link::Unit;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long the trial run on foreign bitcode may take.
const TRIAL_LIMIT: Duration = Duration::from_secs(60);

/// LLVM is used by one thread at a time, so that a fork never happens while another one holds its
/// locks.
static LLVM: Mutex<()> = Mutex::new(());

/// What to load.
#[derive(Clone, Debug)]
pub struct Input {
    /// C sources (`.c`, `.i`), bitcode and LLVM assembly, mixed.
    pub files: Vec<PathBuf>,
    /// Options for the compiler, such as `-I…`, `-D…`, `-std=…`, `-m32`.
    pub cc_args: Vec<String>,
    /// The function to start from, usually `main`.
    pub entry: String,
    pub libc: Libc,
    /// Run `main` in a model of the environment, with arguments that say what is symbolic
    /// (`runtime/posix/start.c`).
    pub environment: Option<Environment>,
    /// Say which registers hold which variables where loops begin. Takes long for large functions.
    pub loop_variables: bool,
    /// Say what the pointers that functions get lead to, of all functions: they are run by themselves.
    pub every_entry: bool,
    /// Lines on which allocations may fail, one on a path at most.
    pub failing_sites: Option<Vec<SourceLine>>,
    /// In KLEE's place: what its users want of the module.
    pub klee: Option<Klee>,
}

impl Default for Input {
    /// No files, `main`, and the C library that the program needs.
    fn default() -> Input {
        Input {
            files: Vec::new(),
            cc_args: Vec::new(),
            entry: "main".to_owned(),
            libc: Libc::Auto,
            environment: None,
            loop_variables: true,
            every_entry: false,
            failing_sites: None,
            klee: None,
        }
    }
}

/// A program ready to be executed.
#[derive(Debug)]
pub struct Loaded {
    pub program: Program,
    pub entry: FuncId,
    /// Does it start in the model of the environment?
    pub has_environment: bool,
    /// For the user: what was ignored or approximated, and the compiler's warnings if asked for.
    pub warnings: Vec<String>,
    /// If it was asked for: the module for KLEE's users.
    pub klee: Option<KleeModule>,
}

/// The version of the LLVM library in use: it reads bitcode of its own and of older versions.
pub fn llvm_version() -> (u32, u32, u32) {
    llvm::version()
}

/// Compiles, links and lowers the input.
pub fn load(input: &Input) -> Result<Loaded, Error> {
    let mut warnings = Vec::new();
    let units = collect(input, &[], &mut warnings)?;
    let _only_us = LLVM.lock().unwrap_or_else(PoisonError::into_inner);
    llvm::on_fatal_error(guard::fatal_error);
    if units.iter().any(|unit| unit.foreign) {
        try_in_child(input, &units)?;
    }
    let context = llvm::Context::new();
    let mut told = Vec::new();
    let users = link::link_users(&context, input, &units, &mut told)?;
    if units.iter().any(|unit| !unit.foreign)
        && let Some(headers) = users.archive.as_ref().and_then(libc_headers)
    {
        let mut again = Vec::new();
        match collect(input, &headers, &mut again) {
            Ok(units) => return link_and_build(input, &units, again),
            Err(error) => {
                let text = format!(
                    "compiled with this machine's headers, whose structures may differ from those of the C library: with its own, {error}"
                );
                warnings.push(text);
            }
        }
    }
    warnings.extend(told);
    build(input, &context, users, has_optimised(input, &units), warnings)
}

/// Options to compile with the headers of a C library that is not the built-in one, which goes by
/// this machine's.
fn libc_headers(archive: &libc::Archive) -> Option<Vec<String>> {
    let headers = archive.path().with_file_name("include");
    let options = || vec!["-nostdlibinc".to_owned(), "-isystem".to_owned(), headers.to_string_lossy().into_owned()];
    headers.is_dir().then(options)
}

/// Reads all files, compiling those that are C, with `more` options for the compiler.
fn collect(input: &Input, more: &[String], warnings: &mut Vec<String>) -> Result<Vec<Unit>, Error> {
    if input.files.is_empty() {
        return Err(Error::NoInput);
    }
    let mut units = Vec::new();
    let mut sources = Vec::new();
    for (index, path) in input.files.iter().enumerate() {
        let bytes = read(path)?;
        if is_source(path)? {
            sources.push((index, path.as_path()));
            units.push(Unit { path: path.clone(), bytes: Vec::new(), foreign: false });
            continue;
        }
        match bitcode::content(&bytes) {
            Content::Bitcode | Content::Assembly => {}
            // Its members are linked as they are needed.
            Content::Native(_) if libc::is_archive_of_bitcode(&bytes) => continue,
            Content::Native(what) => {
                return Err(Error::Native { path: path.clone(), what });
            }
            Content::Unknown if has_extension(path, &["ll"]) => {}
            Content::Unknown if has_extension(path, &["bc"]) => {
                return Err(Error::Corrupt {
                    path: path.clone(),
                    producer: None,
                    how: "it does not start like bitcode".to_owned(),
                });
            }
            Content::Unknown => return Err(Error::UnknownKind { path: path.clone() }),
        }
        units.push(Unit { path: path.clone(), bytes, foreign: true });
    }
    let paths: Vec<&Path> = sources.iter().map(|(_, path)| *path).collect();
    for ((index, _), compiled) in sources.iter().zip(clang::compile(&paths, &[&input.cc_args, more].concat())?) {
        units[*index].bytes = compiled.bitcode;
        if !compiled.diagnostics.trim().is_empty() {
            warnings.push(compiled.diagnostics.trim_end().to_owned());
        }
    }
    Ok(units)
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let failed = |source| Error::Read { path: path.to_owned(), source };
    if fs::metadata(path).map_err(failed)?.is_dir() {
        return Err(Error::Directory { path: path.to_owned() });
    }
    let bytes = fs::read(path).map_err(failed)?;
    if bytes.is_empty() { Err(Error::Empty { path: path.to_owned() }) } else { Ok(bytes) }
}

fn is_source(path: &Path) -> Result<bool, Error> {
    if has_extension(path, &["cc", "cpp", "cxx", "c++", "C", "ii"]) {
        return Err(Error::Cplusplus { path: path.to_owned() });
    }
    Ok(has_extension(path, &["c", "i"]))
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().and_then(|ext| ext.to_str()).is_some_and(|ext| extensions.contains(&ext))
}

/// Does everything once in a child process, so that damaged files cannot take us down.
fn try_in_child(input: &Input, units: &[Unit]) -> Result<(), Error> {
    // Libraries are ours, and not damaged.
    let alone = Input { libc: Libc::Own, environment: None, ..input.clone() };
    let trial = guard::survives(TRIAL_LIMIT, || {
        // An error is found again, and reported, by the parent.
        let _ = link_and_build(&alone, units, Vec::new());
    });
    match trial {
        Ok(Ok(())) => Ok(()),
        Ok(Err(crash)) => {
            let culprit =
                units.iter().filter(|unit| unit.foreign).find(|unit| unit.path.to_string_lossy() == crash.stage);
            let culprit = culprit.or_else(|| units.iter().find(|unit| unit.foreign));
            Err(Error::Corrupt {
                path: culprit.map_or_else(PathBuf::new, |unit| unit.path.clone()),
                producer: culprit.and_then(|unit| bitcode::producer(&unit.bytes)),
                how: crash.how,
            })
        }
        Err(error) => Err(Error::Internal { what: format!("cannot start a process to check bitcode in: {error}") }),
    }
}

fn link_and_build(input: &Input, units: &[Unit], mut warnings: Vec<String>) -> Result<Loaded, Error> {
    let context = llvm::Context::new();
    let users = link::link_users(&context, input, units, &mut warnings)?;
    build(input, &context, users, has_optimised(input, units), warnings)
}

/// May there be code that was optimised?
fn has_optimised(input: &Input, units: &[Unit]) -> bool {
    let is_level = |arg: &String| arg.starts_with("-O") && arg != "-O0";
    units.iter().any(|unit| unit.foreign) || input.cc_args.iter().any(is_level)
}

/// Links what the user's files need, and lowers.
fn build<'c>(
    input: &Input,
    context: &'c llvm::Context,
    users: link::Users<'c, '_>,
    is_optimised: bool,
    mut warnings: Vec<String>,
) -> Result<Loaded, Error> {
    let start = users.start();
    let link::Linked { mut module, has_environment, has_assembly } = link::link(context, input, users, &mut warnings)?;
    guard::stage("lowering");
    module.answer_function_types();
    let notes = input.klee.as_ref().map(|klee| klee::prepare(&mut module, klee)).transpose()?;
    let for_klee = input.klee.as_ref().zip(notes).map(|(klee, notes)| klee::finish(&module, klee, notes));
    module.use_debug_intrinsics();
    module.mark_scopes(lower::RUNTIME_ATTRIBUTE, is_optimised);
    module.promote_locals(lower::RUNTIME_ATTRIBUTE, input.loop_variables);
    let main = find_entry(&module, &start)?;
    let entry = if has_environment { find_entry(&module, libc::START)? } else { main };
    let mut lowered = lower::lower(&module, entry, input.loop_variables, input.every_entry);
    lowered.program.left_out.extend(has_assembly.then_some(LeftOut::Assembly));
    warnings.extend(lowered.warnings);
    espalier_ir::verify(&lowered.program).map_err(|error| Error::Internal { what: error.to_string() })?;
    Ok(Loaded { program: lowered.program, entry: lowered.entry, has_environment, warnings, klee: for_klee })
}

fn find_entry<'m>(module: &'m llvm::Module<'_>, name: &str) -> Result<llvm::Value<'m>, Error> {
    let function = module.function_named(name).or_else(|| module.alias_named(name).and_then(lower::resolve_function));
    if let Some(function) = function.filter(|f| !f.is_declaration()) {
        return Ok(function);
    }
    let defined = module
        .functions()
        .filter(|f| !f.is_declaration() && !f.has_string_attribute(lower::RUNTIME_ATTRIBUTE))
        .map(llvm::Value::name)
        .collect();
    Err(Error::NoEntry { entry: name.to_owned(), defined })
}
