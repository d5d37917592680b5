//! The C library and the environment for whole programs: musl as an archive of bitcode (`make
//! libc`), and Espalier's model of what is behind its system calls (`runtime/posix`).
//!
//! Members are linked as a static linker does it: those that define what is undefined, until
//! nothing more is found, each as a whole. That is more than linking single functions on demand,
//! and needed: musl's `exit` flushes files only if a member that writes files has brought the
//! function in that does it, by a reference that nothing calls. In the end all that comes from a
//! library is made internal, and what is unused is dropped.

use crate::bitcode::{self, Content};
use crate::guard::stage;
use crate::link::{self, Definitions};
use crate::llvm::{Context, Module, Value};
use crate::lower::{HANDLING, RUNTIME_ATTRIBUTE};
use crate::{Error, runtime};
use espalier_base::provided;
use object::read::archive::ArchiveFile;
use rustc_hash::{FxHashMap, FxHashSet};
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Where a program with an environment starts; it calls `main`.
pub const START: &str = "__espalier_posix_main";

/// What the library needs before `main` runs.
const LIBRARY_START: &str = "__espalier_libc_start";

/// Which C library a program gets.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Libc {
    /// musl if the program needs functions that only musl has, else Espalier's own.
    #[default]
    Auto,
    /// The small one that is built in.
    Own,
    Musl,
}

/// What a program can see of the world around it.
#[derive(Clone, Default, Debug)]
pub struct Environment {
    pub mounts: Vec<Mount>,
    /// The option that asks for something that only a C library with files can give.
    pub needs_files: Option<&'static str>,
}

/// A file, directory or symbolic link of the host, as the program sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mount {
    pub path: String,
    /// The content; the target of a link.
    pub data: Vec<u8>,
    /// As in `struct stat`.
    pub mode: u32,
}

/// musl's members, by what they define.
pub struct Archive {
    path: PathBuf,
    bytes: Vec<u8>,
    /// The bytes of the member that defines a name.
    definitions: FxHashMap<String, Range<usize>>,
}

/// Where `make libc` puts the archive: beside the executable's directory, or where `ESPALIER_LIBC`
/// says.
pub fn find() -> Option<PathBuf> {
    if let Some(path) = env::var_os("ESPALIER_LIBC") {
        return Some(path.into());
    }
    let executable = env::current_exe().and_then(fs::canonicalize).ok()?;
    let directory = executable.parent()?;
    let places = ["../lib/espalier/libc.a", "../libc/libc.a", "../../libc/libc.a"];
    places.iter().map(|place| directory.join(place)).find(|path| path.is_file())
}

impl Archive {
    pub fn read(path: &Path) -> Result<Archive, Error> {
        let bytes = fs::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        let broken = |reason: object::Error| Error::Archive { path: path.to_owned(), reason: reason.to_string() };
        let mut definitions = FxHashMap::default();
        let archive = ArchiveFile::parse(&*bytes).map_err(broken)?;
        for symbol in archive.symbols().map_err(broken)?.into_iter().flatten() {
            let symbol = symbol.map_err(broken)?;
            let (start, size) = archive.member(symbol.offset()).map_err(broken)?.file_range();
            let range = start as usize..start.saturating_add(size) as usize;
            if bytes.get(range.clone()).is_none() {
                return Err(Error::Archive { path: path.to_owned(), reason: "it is truncated".to_owned() });
            }
            definitions.entry(String::from_utf8_lossy(symbol.name()).into_owned()).or_insert(range);
        }
        Ok(Archive { path: path.to_owned(), bytes, definitions })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn defines(&self, name: &str) -> bool {
        self.definitions.contains_key(name)
    }
}

/// Adds the model of the environment, so that the program starts there.
pub fn add_model<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    environment: &Environment,
    library: &mut Library,
) -> Result<(), Error> {
    stage("the environment");
    let internal = |what: String| Error::Internal { what: format!("the environment model: {what}") };
    let bytes =
        runtime::posix(module.layout().pointer_width()).ok_or_else(|| internal("none for this layout".to_owned()))?;
    if !environment.mounts.is_empty() {
        let text = mounts_as_assembly(&environment.mounts, module);
        let mounts = Module::parse(context, text.as_bytes(), "mounts").map_err(internal)?;
        library.add(module, mounts).map_err(internal)?;
    }
    let model = Module::parse(context, bytes, "environment").map_err(internal)?;
    library.add(module, model).map_err(internal)
}

/// Is it an archive, and of bitcode?
pub fn is_archive_of_bitcode(bytes: &[u8]) -> bool {
    let Ok(archive) = ArchiveFile::parse(bytes) else { return false };
    let first = archive.members().next().and_then(Result::ok);
    first.and_then(|member| member.data(bytes).ok()).is_some_and(|data| bitcode::content(data) == Content::Bitcode)
}

/// Adds the members of a library of the user's that define what is undefined, until there are no
/// more.
pub fn add_needed<'c>(context: &'c Context, module: &mut Module<'c>, archive: &Archive) -> Result<(), Error> {
    let broken = |reason: String| Error::Library { path: archive.path.clone(), reason };
    let mut linked = FxHashSet::default();
    loop {
        let undefined = link::undefined(module);
        let found = undefined.iter().filter_map(|name| archive.definitions.get(name));
        let mut found: Vec<Range<usize>> = found.filter(|range| linked.insert(range.start)).cloned().collect();
        if found.is_empty() {
            return Ok(());
        }
        found.sort_by_key(|range| range.start);
        for range in found {
            let member = Module::parse(context, &archive.bytes[range], "library").map_err(broken)?;
            module.link(member).map_err(broken)?;
        }
    }
}

/// Adds the members of the archive that the program needs.
pub fn add_members<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    archive: &Archive,
    library: &mut Library,
) -> Result<(), Error> {
    stage("the C library");
    let broken = |reason: String| Error::Archive { path: archive.path.clone(), reason };
    let mut linked = FxHashSet::default();
    loop {
        let mut undefined = link::undefined(module);
        // The model refers to it weakly, because it does without a library too.
        undefined.insert(LIBRARY_START.to_owned());
        let names = undefined.iter().map(|name| provided::public_name(name));
        let wanted = names.filter(|name| !provided::is_provided(name));
        let mut found: Vec<Range<usize>> = wanted
            .filter_map(|name| archive.definitions.get(name))
            .filter(|range| linked.insert(range.start))
            .cloned()
            .collect();
        if found.is_empty() {
            return Ok(());
        }
        // In the archive's order, so that the program is the same each time.
        found.sort_by_key(|range| range.start);
        let mut parts = Vec::new();
        for range in found {
            let member = Module::parse(context, &archive.bytes[range], "libc").map_err(broken)?;
            parts.push(library.prepare(member));
        }
        let round = joined(parts).map_err(broken)?;
        module.link(round).map_err(broken)?;
    }
}

/// What came from libraries.
pub struct Library {
    /// What the user's files define.
    users: Definitions,
    names: FxHashSet<String>,
}

impl Library {
    pub fn new(users: Definitions) -> Library {
        Library { users, names: FxHashSet::default() }
    }

    /// Links a module of a library.
    fn add<'c>(&mut self, whole: &mut Module<'c>, part: Module<'c>) -> Result<(), String> {
        whole.link(self.prepare(part))
    }

    /// Has a module of a library give way to the user's definitions, without calling them.
    fn prepare<'c>(&mut self, mut part: Module<'c>) -> Module<'c> {
        part.mark_functions(RUNTIME_ATTRIBUTE);
        link::keep_apart(&mut part, &self.users);
        let names: Vec<String> = part.exported().map(Value::name).collect();
        part.weaken(|name| self.users.contains(name));
        self.names.extend(names.into_iter().filter(|name| !self.users.contains(name)));
        part
    }

    /// Makes what is left of libraries internal, and drops what is not used.
    pub fn finish(&self, module: &mut Module<'_>) -> Result<(), Error> {
        module.internalise(|name| name != START && name != HANDLING && self.names.contains(name));
        module.run_passes(c"globaldce").map_err(|what| Error::Internal { what })
    }
}

/// One module of several. LLVM looks through all of a module whenever something is linked to it, so
/// they are joined in pairs, and those in pairs again.
fn joined<'c>(mut parts: Vec<Module<'c>>) -> Result<Module<'c>, String> {
    while parts.len() > 1 {
        let mut pairs = Vec::with_capacity(parts.len().div_ceil(2));
        let mut rest = parts.into_iter();
        while let Some(mut first) = rest.next() {
            if let Some(second) = rest.next() {
                first.link(second)?;
            }
            pairs.push(first);
        }
        parts = pairs;
    }
    parts.pop().ok_or_else(|| "there is nothing to link".to_owned())
}

/// A module that defines the table of mounts.
fn mounts_as_assembly(mounts: &[Mount], like: &Module<'_>) -> String {
    let mut text = format!("target datalayout = \"{}\"\ntarget triple = \"{}\"\n", like.layout_text(), like.triple());
    let mut table = String::new();
    let mut bytes = |name: &str, content: &[u8]| {
        let _ = write!(text, "@{name} = private unnamed_addr constant [{} x i8] c\"", content.len() + 1);
        for byte in content {
            let _ = write!(text, "\\{byte:02X}");
        }
        text.push_str("\\00\"\n");
    };
    for (number, mount) in mounts.iter().enumerate() {
        bytes(&format!("path{number}"), mount.path.as_bytes());
        bytes(&format!("data{number}"), &mount.data);
        let comma = if number == 0 { "" } else { ",\n  " };
        let _ = write!(
            table,
            "{comma}{{ ptr, ptr, i64, i32 }} {{ ptr @path{number}, ptr @data{number}, i64 {}, i32 {} }}",
            mount.data.len(),
            mount.mode
        );
    }
    let count = mounts.len();
    let _ = write!(
        text,
        "@__espalier_mounts = constant [{count} x {{ ptr, ptr, i64, i32 }}] [{table}]\n@__espalier_mount_count = constant i64 {count}\n"
    );
    text
}
