//! Makes one module of the user's files and of what they need from the runtime.

use crate::bitcode;
use crate::guard::{self, stage};
use crate::libc::{Archive, Libc, Library};
use crate::llvm::{self, Context, Linkage, Module, Value};
use crate::lower::{RUNTIME_ATTRIBUTE, library_functions};
use crate::{Error, Input, allocations, klee, libc, runtime};
use espalier_base::provided;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Path, PathBuf};

/// The code of one of the user's files.
pub struct Unit {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
    /// Did the user give bitcode or assembly (and not C)?
    pub foreign: bool,
}

/// The layouts that files without one get: assembly written by hand.
const X86_64: (&std::ffi::CStr, &std::ffi::CStr) =
    (c"x86_64-pc-linux-gnu", c"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128");
const I386: (&std::ffi::CStr, &std::ffi::CStr) =
    (c"i386-pc-linux-gnu", c"e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128");

/// Names that the user's files define.
pub type Definitions = FxHashSet<String>;

/// The program, and where it starts.
pub struct Linked<'c> {
    pub module: Module<'c>,
    /// Does it start in the model of the environment, which calls `main`?
    pub has_environment: bool,
    /// Do the user's files have assembly outside functions?
    pub has_assembly: bool,
}

/// The user's files in one module, and the C library for it, if it is not the built-in one.
pub struct Users<'c, 'u> {
    module: Module<'c>,
    path: &'u Path,
    pub archive: Option<Archive>,
    /// The function that the program starts in.
    start: String,
}

impl Users<'_, '_> {
    pub fn start(&self) -> String {
        self.start.clone()
    }
}

/// Parses, checks and links the user's files.
pub fn link_users<'c, 'u>(
    context: &'c Context,
    input: &Input,
    units: &'u [Unit],
    warnings: &mut Vec<String>,
) -> Result<Users<'c, 'u>, Error> {
    let (mut module, path) = link_units(context, units, warnings)?;
    for archive in input.files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "a")) {
        libc::add_needed(context, &mut module, &Archive::read(archive)?)?;
    }
    let mut start = input.entry.clone();
    let has_library = input.libc == Libc::Musl || input.environment.is_some();
    if input.klee.is_some() && has_library && start != "main" {
        klee::start_in(&mut module, &start)?;
        start = "main".to_owned();
    }
    let archive = choose_libc(context, input, &module, &start)?;
    Ok(Users { module, path, archive, start })
}

/// Links all that the user's files need.
pub fn link<'c>(
    context: &'c Context,
    input: &Input,
    users: Users<'c, '_>,
    warnings: &mut Vec<String>,
) -> Result<Linked<'c>, Error> {
    let Users { mut module, path, archive, .. } = users;
    let has_assembly = !module.inline_asm().trim().is_empty();
    for (name, like) in library_functions(&module) {
        module.declare_like(&name, &like);
    }
    let has_environment = archive.is_some() || input.environment.is_some();
    if let Some(sites) = &input.failing_sites {
        allocations::divert(&mut module, sites);
    }
    add_failing_allocations(context, &mut module, path)?;
    let users: Definitions = module.exported().map(Value::name).collect();
    if has_environment {
        let mut library = Library::new(users.clone());
        let environment = input.environment.clone().unwrap_or_default();
        libc::add_model(context, &mut module, &environment, &mut library)?;
        if let Some(archive) = &archive {
            libc::add_members(context, &mut module, archive, &mut library)?;
        }
        library.finish(&mut module)?;
    }
    if archive.is_none() {
        add_runtime(context, &mut module, path, &users, warnings)?;
    }
    Ok(Linked { module, has_environment, has_assembly })
}

/// The archive to link from, unless the built-in library will do.
fn choose_libc(context: &Context, input: &Input, module: &Module<'_>, start: &str) -> Result<Option<Archive>, Error> {
    let asked_for = input.libc == Libc::Musl;
    let needs_files = input.environment.as_ref().and_then(|environment| environment.needs_files);
    let why = if asked_for { Some("--libc=musl") } else { needs_files };
    let is_x86_64 = architecture(&module.triple()) == "x86_64";
    if (asked_for || input.environment.is_some()) && (start != "main" || !is_x86_64) {
        let reason = if is_x86_64 { "a program that starts in `main`" } else { "programs compiled for x86-64" };
        return Err(Error::NoEnvironment { option: why.unwrap_or("the environment"), reason });
    }
    if let (Libc::Own, Some(option)) = (input.libc, needs_files) {
        return Err(Error::NoEnvironment {
            option,
            reason: "programs with a C library that knows of it: leave --libc=own out",
        });
    }
    if input.libc == Libc::Own || start != "main" || !is_x86_64 {
        return Ok(None);
    }
    let is_forced = asked_for || input.environment.is_some();
    let mut missing = FxHashSet::default();
    if !is_forced {
        let own = own_definitions(context, module)?;
        missing = undefined(module);
        missing.retain(|name| !own.contains(name) && !provided::is_known(name));
        if missing.is_empty() {
            return Ok(None);
        }
    }
    let Some(path) = libc::find() else {
        return match why {
            Some(option) => Err(Error::NoLibc { option }),
            None => Ok(None),
        };
    };
    let archive = Archive::read(&path)?;
    let is_needed = is_forced || missing.iter().any(|name| archive.defines(name));
    Ok(is_needed.then_some(archive))
}

/// Names that are used and not defined.
pub fn undefined(module: &Module<'_>) -> FxHashSet<String> {
    let declared = module.functions().chain(module.globals()).filter(|value| value.is_declaration());
    declared
        .filter(|value| value.has_uses() && value.linkage() != Linkage::LLVMExternalWeakLinkage)
        .map(Value::name)
        .filter(|name| !name.starts_with("llvm."))
        .collect()
}

/// What the built-in library has.
fn own_definitions(context: &Context, module: &Module<'_>) -> Result<FxHashSet<String>, Error> {
    let Some(bytes) = runtime::bitcode(module.layout().pointer_width()) else { return Ok(FxHashSet::default()) };
    let internal = |what| Error::Internal { what: format!("the embedded runtime: {what}") };
    let runtime = Module::parse_lazily(context, bytes, "runtime").map_err(internal)?;
    Ok(runtime.exported().map(Value::name).collect())
}

fn link_units<'c, 'u>(
    context: &'c Context,
    units: &'u [Unit],
    warnings: &mut Vec<String>,
) -> Result<(Module<'c>, &'u Path), Error> {
    let mut linked: Option<(Module<'c>, &Path)> = None;
    let mut owners: FxHashMap<String, &Path> = FxHashMap::default();
    for unit in units {
        stage(&unit.path.to_string_lossy());
        context.take_warnings();
        let module = parse(context, unit)?;
        warnings.extend(context.take_warnings().into_iter().map(|text| format!("{}: {text}", unit.path.display())));
        check_target(&module, &unit.path)?;
        if !module.inline_asm().trim().is_empty() {
            warnings.push(format!("{}: assembly outside functions is ignored", unit.path.display()));
        }
        for symbol in strong_definitions(&module) {
            if let Some(first) = owners.insert(symbol.clone(), &unit.path) {
                return Err(Error::Duplicate { symbol, first: first.to_owned(), second: unit.path.clone() });
            }
        }
        linked = Some(match linked {
            None => (module, &unit.path),
            Some((mut whole, first)) => {
                add(&mut whole, first, module, &unit.path)?;
                (whole, first)
            }
        });
    }
    linked.ok_or(Error::NoInput)
}

pub fn parse<'c>(context: &'c Context, unit: &Unit) -> Result<Module<'c>, Error> {
    let producer = || bitcode::producer(&unit.bytes);
    // LLVM prints what is wrong with debug information, besides reporting it.
    let _quiet = unit.foreign.then(guard::silence_stderr);
    let name = unit.path.to_string_lossy();
    let read = if unit.foreign { Module::parse } else { Module::parse_own };
    let mut module = read(context, &unit.bytes, &name).map_err(|reason| Error::Bitcode {
        path: unit.path.clone(),
        producer: producer(),
        reader: reader(),
        reason: reason.trim().trim_start_matches(&format!("{name}: error: ")).to_owned(),
    })?;
    if unit.foreign {
        module.verify().map_err(|reason| Error::Invalid {
            path: unit.path.clone(),
            producer: producer(),
            reason: reason.trim().to_owned(),
        })?;
    }
    if module.layout_text().is_empty() {
        let is_32 = ["i386", "i486", "i586", "i686"].iter().any(|arch| module.triple().starts_with(arch));
        let (triple, layout) = if is_32 { I386 } else { X86_64 };
        module.set_layout_text(layout);
        if module.triple().is_empty() {
            module.set_triple(triple);
        }
    }
    Ok(module)
}

/// The LLVM in use, as messages name it.
pub fn reader() -> String {
    let (major, minor, patch) = llvm::version();
    format!("LLVM {major}.{minor}.{patch}")
}

fn check_target(module: &Module<'_>, path: &Path) -> Result<(), Error> {
    let layout = module.layout();
    let reason = if !layout.is_little_endian() {
        "it is big-endian".to_owned()
    } else if !matches!(layout.pointer_width(), 32 | 64) {
        format!("its pointers have {} bits", layout.pointer_width())
    } else {
        return Ok(());
    };
    Err(Error::Target { path: path.to_owned(), triple: module.triple(), reason })
}

/// Symbols of which there can be only one.
fn strong_definitions(module: &Module<'_>) -> Vec<String> {
    let all = module.functions().chain(module.globals()).chain(module.aliases());
    all.filter(|value| !value.is_declaration() && value.linkage() == Linkage::LLVMExternalLinkage)
        .map(Value::name)
        .collect()
}

fn add<'c>(whole: &mut Module<'c>, first: &Path, module: Module<'c>, path: &Path) -> Result<(), Error> {
    let (first_bits, second_bits) = (whole.layout().pointer_width(), module.layout().pointer_width());
    if first_bits != second_bits {
        return Err(Error::Layouts { first: first.to_owned(), first_bits, second: path.to_owned(), second_bits });
    }
    whole.link(module).map_err(|reason| Error::Link { path: path.to_owned(), reason })
}

/// Links allocations that may fail, if the program was compiled to call these.
fn add_failing_allocations<'c>(context: &'c Context, module: &mut Module<'c>, path: &Path) -> Result<(), Error> {
    let Some(bytes) = runtime::failing_allocations(module.layout().pointer_width()) else {
        return Ok(());
    };
    let internal = |what| Error::Internal { what: format!("the embedded allocations: {what}") };
    let mut failing = Module::parse_lazily(context, bytes, "allocations").map_err(internal)?;
    let wanted = undefined(module);
    if !failing.exported().any(|value| wanted.contains(&value.name())) {
        return Ok(());
    }
    failing.prepare_as_library(RUNTIME_ATTRIBUTE);
    module.link(failing).map_err(|reason| Error::Link { path: path.to_owned(), reason })
}

/// Links what the program needs of the runtime. The program's own definitions win.
fn add_runtime<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    path: &Path,
    users: &Definitions,
    warnings: &mut Vec<String>,
) -> Result<(), Error> {
    let Some(bytes) = runtime::bitcode(module.layout().pointer_width()) else {
        return Ok(());
    };
    stage("the runtime");
    let internal = |what| Error::Internal { what: format!("the embedded runtime: {what}") };
    let mut runtime = Module::parse_lazily(context, bytes, "runtime").map_err(internal)?;
    keep_apart(&mut runtime, users);
    let wanted = undefined(module);
    if !runtime.exported().any(|value| wanted.contains(&value.name())) {
        return Ok(());
    }
    let (ours, theirs) = (architecture(&runtime.triple()), architecture(&module.triple()));
    if ours != theirs {
        warnings.push(format!(
            "{}: compiled for {theirs}; the C library's functions are only available for {ours}, so calls of them stay undefined",
            path.display()
        ));
        return Ok(());
    }
    runtime.prepare_as_library(RUNTIME_ATTRIBUTE);
    module.link(runtime).map_err(|reason| Error::Link { path: path.to_owned(), reason })
}

/// Has a library call its own functions where the user defines others of the same name.
pub fn keep_apart(library: &mut Module<'_>, users: &Definitions) {
    library.prefix_functions(provided::LIBRARYS_OWN, |name| users.contains(name) && !provided::is_replaceable(name));
}

/// The architecture of a triple, with all i386 alike.
fn architecture(triple: &str) -> String {
    let name = triple.split('-').next().unwrap_or_default();
    if matches!(name, "i386" | "i486" | "i586" | "i686") { "i386".to_owned() } else { name.to_owned() }
}
