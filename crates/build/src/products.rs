//! After the build: which programs and libraries it made, which sources are in them, and the
//! bitcode of each as one file.
//!
//! The shared libraries that a program needs belong to it if the build made them. A symbol may then
//! be defined twice, in the program and in a library; the dynamic linker takes the program's, and
//! so does this.

use crate::archive;
use crate::elf::{Elf, SECTION};
use crate::entry::{Entry, Lack};
use crate::error::Error;
use crate::store::Event;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    Program,
    SharedLibrary,
    StaticLibrary,
}

/// Something that the build made.
#[derive(Debug)]
pub struct Product {
    pub path: PathBuf,
    pub kind: Kind,
    entries: Vec<Entry>,
    soname: Option<String>,
    needed: Vec<String>,
}

/// A product with its bitcode.
#[derive(Debug)]
pub struct Delivered {
    pub product: PathBuf,
    pub kind: Kind,
    pub bitcode: PathBuf,
    pub modules: usize,
    /// In bytes.
    pub size: u64,
    /// Code of the product that the bitcode lacks.
    pub lacks: Vec<(PathBuf, Lack)>,
    /// Symbols that both the program and a shared library define.
    pub overridden: Vec<String>,
}

/// The products among what happened that still exist, each once, in the order of their paths.
pub fn find(events: &[Event]) -> Vec<Product> {
    let mut paths = BTreeSet::new();
    for event in events {
        if let Event::Linked(path) | Event::Archived(path) = event {
            paths.extend(path.canonicalize().ok());
        }
    }
    paths.into_iter().filter_map(read).collect()
}

fn read(path: PathBuf) -> Option<Product> {
    let bytes = fs::read(&path).ok()?;
    let product = |kind, entries, soname, needed| Some(Product { path: path.clone(), kind, entries, soname, needed });
    let Some(elf) = Elf::parse(&bytes) else {
        let members = archive::members(&path, &bytes);
        let sections = members.iter().filter_map(|member| Elf::parse(member)?.section(SECTION).map(Entry::parse));
        let entries: Vec<Entry> = sections.flatten().collect();
        return product(Kind::StaticLibrary, entries, None, Vec::new()).filter(|product| !product.entries.is_empty());
    };
    let entries = elf.section(SECTION).map(Entry::parse).unwrap_or_default();
    match (elf.is_executable(), elf.is_shared()) {
        // libtool's programs for use from within the build have a second, relinked one beside them.
        (true, _) if is_relinked(&path) => None,
        (true, _) => product(Kind::Program, entries, None, elf.needed()),
        (_, true) => product(Kind::SharedLibrary, entries, elf.soname(), elf.needed()),
        _ => None,
    }
}

fn is_relinked(path: &Path) -> bool {
    let has_prefix = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("lt-"));
    has_prefix && path.parent().is_some_and(|dir| dir.ends_with(".libs"))
}

impl Product {
    fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn answers_to(&self, needed: &str) -> bool {
        self.kind == Kind::SharedLibrary && (self.soname.as_deref() == Some(needed) || self.name() == needed)
    }

    /// The shared libraries among the products that it needs, and those that these need.
    fn libraries<'a>(&self, products: &'a [Product]) -> Vec<&'a Product> {
        let mut found: Vec<&Product> = Vec::new();
        let mut open: Vec<&str> = self.needed.iter().map(String::as_str).collect();
        while let Some(needed) = open.pop() {
            let library = products.iter().find(|product| product.answers_to(needed));
            if let Some(library) = library.filter(|library| found.iter().all(|known| known.path != library.path)) {
                open.extend(library.needed.iter().map(String::as_str));
                found.push(library);
            }
        }
        found
    }
}

/// Where the bitcode of products goes: beside them, or into one directory.
pub fn destinations(products: &[&Product], directory: Option<&Path>) -> Vec<PathBuf> {
    let here = std::env::current_dir().unwrap_or_default();
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    products.iter().for_each(|product| *names.entry(product.name()).or_default() += 1);
    let destination = |product: &&Product| {
        let name = product.name();
        match directory {
            Some(directory) if names[&name] == 1 => directory.join(name + ".bc"),
            // Two of the same name: their directories tell them apart.
            Some(directory) => {
                let path = product.path.strip_prefix(&here).unwrap_or(&product.path).to_string_lossy().into_owned();
                directory.join(path.trim_start_matches('/').replace('/', "-") + ".bc")
            }
            None => {
                // In libtool's `.libs` nobody would look.
                let dir = product.path.parent().unwrap_or(Path::new(""));
                let dir = if dir.ends_with(".libs") { dir.parent().unwrap_or(dir) } else { dir };
                dir.join(name + ".bc")
            }
        }
    };
    products.iter().map(destination).collect()
}

/// Each module once, in the order of the first time.
fn modules(entries: &[&Entry]) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    let mut known = BTreeSet::new();
    for entry in entries {
        let Entry::Bitcode { bitcode, source } = entry else { continue };
        if !known.insert(bitcode) {
            continue;
        }
        if !bitcode.exists() {
            return Err(Error::Gone { source_file: source.clone(), bitcode: bitcode.clone() });
        }
        found.push(bitcode.clone());
    }
    Ok(found)
}

/// Links the bitcode of a product and of the shared libraries that belong to it. Nothing if it has
/// none at all.
pub fn deliver(product: &Product, products: &[Product], to: &Path, tools: &Linker) -> Result<Option<Delivered>, Error> {
    let libraries = if product.kind == Kind::Program { product.libraries(products) } else { Vec::new() };
    let own: Vec<&Entry> = product.entries.iter().collect();
    let others: Vec<&Entry> = libraries.iter().flat_map(|library| &library.entries).collect();
    let own_modules = modules(&own)?;
    let mut other_modules = modules(&others)?;
    other_modules.retain(|module| !own_modules.contains(module));
    if own_modules.is_empty() && other_modules.is_empty() {
        return Ok(None);
    }
    let output = |source| Error::Output { path: to.to_owned(), source };
    if let Some(dir) = to.parent() {
        fs::create_dir_all(dir).map_err(output)?;
    }
    let overridden = tools.link(product, &own_modules, &other_modules, to)?;
    let mut lacks: Vec<(PathBuf, Lack)> = Vec::new();
    for entry in own.iter().chain(&others) {
        if let Entry::Lacks { lack, source } = entry {
            lacks.push((source.clone(), *lack));
        }
    }
    lacks.sort();
    lacks.dedup();
    Ok(Some(Delivered {
        product: product.path.clone(),
        kind: product.kind,
        bitcode: to.to_owned(),
        modules: own_modules.len() + other_modules.len(),
        size: fs::metadata(to).map_err(output)?.len(),
        lacks,
        overridden,
    }))
}

/// llvm-link, and llvm-nm beside it if it is there.
pub struct Linker {
    pub llvm_link: PathBuf,
    pub llvm_nm: Option<PathBuf>,
    /// For intermediate files.
    pub temporary: PathBuf,
}

const TWICE: &str = "symbol multiply defined";

impl Linker {
    fn link(&self, product: &Product, own: &[PathBuf], others: &[PathBuf], to: &Path) -> Result<Vec<String>, Error> {
        let all: Vec<&PathBuf> = own.iter().chain(others).collect();
        // It appears under its name when it is complete.
        let unfinished = to.with_extension("bc.unfinished");
        let linked = match self.run(&all, None, &unfinished) {
            Err(reason) if reason.contains(TWICE) && !own.is_empty() && !others.is_empty() => self
                .link_over(own, others, &unfinished)
                .map(|()| self.twice(&reason, &all).into_iter().map(|(symbol, _)| symbol).collect()),
            other => other.map(|()| Vec::new()),
        };
        let linked = linked.map_err(|reason| {
            let _ = fs::remove_file(&unfinished);
            Error::Link { program: product.path.clone(), reason: self.explain(&reason, product, &all) }
        })?;
        fs::rename(&unfinished, to).map_err(|source| Error::Output { path: to.to_owned(), source })?;
        Ok(linked)
    }

    /// Links the program's modules over those of its shared libraries.
    fn link_over(&self, own: &[PathBuf], others: &[PathBuf], to: &Path) -> Result<(), String> {
        let part = |name: &str| self.temporary.join(format!("{}-{name}.bc", std::process::id()));
        let (program, libraries) = (part("program"), part("libraries"));
        let linked = self
            .run(&own.iter().collect::<Vec<_>>(), None, &program)
            .and_then(|()| self.run(&others.iter().collect::<Vec<_>>(), None, &libraries))
            .and_then(|()| self.run(&[&libraries], Some(&program), to));
        let _ = (fs::remove_file(&program), fs::remove_file(&libraries));
        linked
    }

    fn run(&self, modules: &[&PathBuf], over: Option<&Path>, to: &Path) -> Result<(), String> {
        let mut command = Command::new(&self.llvm_link);
        command.arg("-o").arg(to).args(modules);
        if let Some(over) = over {
            command.arg(format!("--override={}", over.display()));
        }
        match command.stdin(Stdio::null()).output() {
            Ok(result) if result.status.success() => Ok(()),
            Ok(result) => Err(String::from_utf8_lossy(&result.stderr).into_owned()),
            Err(error) => Err(format!("{}: {error}", self.llvm_link.display())),
        }
    }

    /// The symbols that are defined twice, with the modules that do so.
    fn twice<'a>(&self, reason: &str, modules: &[&'a PathBuf]) -> Vec<(String, Vec<&'a PathBuf>)> {
        let lines = reason.lines().filter(|line| line.contains(TWICE));
        let symbols: BTreeSet<&str> = lines.filter_map(|line| line.split('\'').nth(1)).collect();
        let defining = |symbol: &str| modules.iter().copied().filter(|module| self.defines(module, symbol)).collect();
        symbols.into_iter().map(|symbol| (symbol.to_owned(), defining(symbol))).collect()
    }

    fn defines(&self, module: &Path, symbol: &str) -> bool {
        let Some(nm) = &self.llvm_nm else { return false };
        let result =
            Command::new(nm).args(["--defined-only", "--extern-only", "--just-symbol-name"]).arg(module).output();
        result.is_ok_and(|result| String::from_utf8_lossy(&result.stdout).lines().any(|line| line == symbol))
    }

    fn explain(&self, reason: &str, product: &Product, modules: &[&PathBuf]) -> String {
        let source = |module: &&PathBuf| {
            let entries = product.entries.iter().find_map(|entry| match entry {
                Entry::Bitcode { bitcode, source } if bitcode == *module => Some(source),
                _ => None,
            });
            entries.unwrap_or(module).display().to_string()
        };
        let twice = self.twice(reason, modules);
        if twice.is_empty() {
            return reason.trim().to_owned();
        }
        let lines = twice.iter().map(|(symbol, modules)| {
            let places: Vec<String> = modules.iter().map(source).collect();
            let places = if places.is_empty() { String::new() } else { format!(", in {}", places.join(" and ")) };
            format!("`{symbol}` is defined more than once{places}")
        });
        let lines: Vec<String> = lines.collect();
        lines.join("; ") + "; the linker was told to allow that or renamed one of them, which bitcode cannot follow"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(path: &str, kind: Kind, needed: &[&str]) -> Product {
        let needed = needed.iter().map(|name| name.to_string()).collect();
        Product { path: path.into(), kind, entries: Vec::new(), soname: None, needed }
    }

    #[test]
    fn bitcode_goes_beside_programs() {
        let products = [
            product("/p/a/prog", Kind::Program, &[]),
            product("/p/b/.libs/prog", Kind::Program, &[]),
            product("/p/x", Kind::Program, &[]),
        ];
        let products: Vec<&Product> = products.iter().collect();
        let to =
            |dir| destinations(&products, dir).into_iter().map(|path| path.display().to_string()).collect::<Vec<_>>();
        assert_eq!(to(None), ["/p/a/prog.bc", "/p/b/prog.bc", "/p/x.bc"]);
        assert_eq!(to(Some(Path::new("/out"))), ["/out/p-a-prog.bc", "/out/p-b-.libs-prog.bc", "/out/x.bc"]);
    }

    #[test]
    fn libraries_of_libraries_belong_to_a_program() {
        let mut products = vec![
            product("/p/liba.so", Kind::SharedLibrary, &["libb.so.1", "libc.so.6"]),
            product("/p/libb.so.1.2", Kind::SharedLibrary, &["liba.so"]),
            product("/p/prog", Kind::Program, &["liba.so", "libc.so.6"]),
        ];
        products[1].soname = Some("libb.so.1".into());
        let found: Vec<String> = products[2].libraries(&products).iter().map(|library| library.name()).collect();
        assert_eq!(found, ["liba.so", "libb.so.1.2"]);
    }

    #[test]
    fn a_module_is_linked_once() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let entry = Entry::Bitcode { bitcode: file.path().into(), source: "/a.c".into() };
        let gone = Entry::Bitcode { bitcode: "/no/such.bc".into(), source: "/b.c".into() };
        assert_eq!(modules(&[&entry, &entry]).expect("there"), [file.path()]);
        assert!(matches!(modules(&[&entry, &gone]), Err(Error::Gone { .. })));
    }
}
