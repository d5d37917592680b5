//! The files of a project that make up the program of some alarms (`-p compile_commands.json`).
//!
//! The files of the alarms are compiled first. What these use and do not define is looked for by
//! name in the other sources, without parsing them, and what mentions a missing name is compiled to
//! see whether it defines it; then what calls the alarms' functions, until there is a `main`. So of a
//! large project only what belongs to the program is compiled, each file by its own command.
//!
//! Bitcode is kept in the store that `espalier build` uses too, by the command and the preprocessed
//! source: whatever that depends on, headers that are new among it, is in there. So a second run
//! compiles what changed.

use crate::triage::subject;
use espalier_alarms::{Alarm, Database, Entry, Identifiers};
use espalier_base::process::{self, Limits};
use espalier_build::Store;
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// For bitcode with all that the source says, as `espalier build` makes it.
const BITCODE: [&str; 8] = ["-c", "-emit-llvm", "-g", "-O1", "-Xclang", "-disable-llvm-passes", "-U__OPTIMIZE__", "-w"];
/// For --alloc-fail=N.
const FAILING_ALLOCATIONS: &str = include_str!("../../../../runtime/include/espalier/alloc_fail.h");
/// The source as the compiler sees it.
const PREPROCESSED: [&str; 4] = ["-E", "-O1", "-U__OPTIMIZE__", "-w"];
const MOST_PREPROCESSED: usize = 256 << 20;
const COMPILE_LIMIT: Duration = Duration::from_secs(300);
const KEPT_OUTPUT: usize = 1 << 20;

/// Bitcode of the files that make up a program.
pub(crate) struct Closure {
    compiler: Compiler,
    /// The sources, with how they are compiled, in the order in which they were found to be needed.
    units: Vec<Entry>,
    /// What could not be compiled, and why.
    pub(crate) warnings: Vec<String>,
}

/// What a file defines and what it uses of others.
#[derive(Default)]
struct Symbols {
    defined: BTreeSet<String>,
    used: BTreeSet<String>,
}

/// A search for the files of a program.
struct Search<'a> {
    database: &'a Database,
    index: Identifiers,
    compiler: Compiler,
    nm: PathBuf,
    /// By file: its symbols, or nothing if it does not compile.
    seen: BTreeMap<PathBuf, Option<Symbols>>,
    units: Vec<Entry>,
    defined: BTreeSet<String>,
    used: BTreeSet<String>,
    warnings: Vec<String>,
}

/// Compiles what was not compiled before.
struct Compiler {
    clang: PathBuf,
    /// What it says of itself.
    version: Vec<u8>,
    store: Store,
    /// The store's directory, if it is not one to stay.
    _temporary: Option<TempDir>,
}

impl Closure {
    /// `program` names the file with `main`, if there are several; `store` is where bitcode is kept.
    pub(crate) fn find(
        database: &Database,
        alarms: &[Alarm],
        program: Option<&str>,
        store: &Path,
    ) -> Result<Closure, String> {
        let clang = PathBuf::from(espalier_frontend::clang().map_err(|error| error.to_string())?);
        let nm =
            espalier_build::llvm_tool("llvm-nm", &clang).ok_or("llvm-nm is not installed; it comes with llvm-19")?;
        let is_c = |file: &&Path| subject::is_of_program(file);
        let sources = database.files().into_iter().filter(is_c).map(Path::to_owned);
        let index = Identifiers::of_files(sources);
        let mut warnings = Vec::new();
        let compiler = Compiler::new(clang, store, &mut warnings)?;
        let mut search = Search {
            database,
            index,
            compiler,
            nm,
            seen: BTreeMap::new(),
            units: Vec::new(),
            defined: BTreeSet::new(),
            used: BTreeSet::new(),
            warnings,
        };
        search.take_alarms(alarms);
        if search.units.is_empty() {
            let why = search.warnings.first().cloned().unwrap_or_else(|| "it has none of the alarms' files".into());
            return Err(format!("{}: {why}", database.path.display()));
        }
        search.take_definitions();
        search.take_callers(program);
        let Search { compiler, units, warnings, .. } = search;
        Ok(Closure { compiler, units, warnings })
    }

    /// Bitcode of all files, compiled with these options behind their own.
    pub(crate) fn compile(&self, more: &[String]) -> Result<Vec<PathBuf>, String> {
        self.units.iter().map(|entry| self.compiler.compile(entry, more)).collect()
    }

    /// The name of the program: of its first file.
    pub(crate) fn name(&self) -> String {
        let first = self.units.first().and_then(|entry| entry.file.file_stem());
        first.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }
}

impl Compiler {
    /// If there can be no store, bitcode is kept until the end.
    fn new(clang: PathBuf, store: &Path, warnings: &mut Vec<String>) -> Result<Compiler, String> {
        let mut command = Command::new(&clang);
        let version = captured(command.arg("--version"), KEPT_OUTPUT).stdout;
        let (store, temporary) = match Store::create(store) {
            Ok(store) => (store, None),
            Err(error) => {
                warnings.push(format!("{error}; what is compiled is not kept for the next time"));
                let made = tempfile::Builder::new().prefix("espalier-triage-").tempdir();
                let dir = made.map_err(|error| error.to_string())?;
                (Store::create(dir.path()).map_err(|error| error.to_string())?, Some(dir))
            }
        };
        let header = store.include().join("espalier/alloc_fail.h");
        let written = header.parent().map_or(Ok(()), std::fs::create_dir_all);
        let written = written.and_then(|()| std::fs::write(&header, FAILING_ALLOCATIONS));
        written.map_err(|error| format!("{}: {error}", header.display()))?;
        Ok(Compiler { clang, version, store, _temporary: temporary })
    }

    /// The bitcode of a file, compiled with these options behind its own.
    fn compile(&self, entry: &Entry, more: &[String]) -> Result<PathBuf, String> {
        let key = self.key(entry, more)?;
        if let Some(bitcode) = key.as_ref().and_then(|key| self.store.kept_for(key)) {
            return Ok(bitcode);
        }
        let failed = |error: std::io::Error| format!("{}: {error}", self.store.root().display());
        let made = tempfile::Builder::new().suffix(".bc").tempfile_in(self.store.temporary()).map_err(failed)?;
        let output = made.into_temp_path();
        let mut command = self.command(entry, &BITCODE, more);
        command.arg("-o").arg(&output);
        let finished = captured(&mut command, KEPT_OUTPUT);
        if finished.end != process::End::Exit(0) {
            return Err(why_not(entry, &finished));
        }
        let kept = match key {
            Some(key) => self.store.keep_for(&key, &output),
            None => self.store.keep(&output),
        };
        // It is in its place by now.
        let _ = output.keep();
        kept.map_err(failed)
    }

    fn command(&self, entry: &Entry, mode: &[&str], more: &[String]) -> Command {
        let mut command = Command::new(&self.clang);
        command.current_dir(&entry.directory).args(entry.flags()).args(mode).args(more);
        command.arg("-idirafter").arg(self.store.include()).arg(&entry.file);
        command
    }

    /// All that the bitcode of a file depends on; nothing, if that is too much to be kept.
    fn key(&self, entry: &Entry, more: &[String]) -> Result<Option<Vec<u8>>, String> {
        let finished = captured(&mut self.command(entry, &PREPROCESSED, more), MOST_PREPROCESSED);
        if finished.end != process::End::Exit(0) {
            return Err(why_not(entry, &finished));
        }
        if finished.stdout.len() >= MOST_PREPROCESSED {
            return Ok(None);
        }
        // Columns of debug information are those of the source.
        let source = std::fs::read(&entry.file).map_err(|error| format!("{}: {error}", entry.file.display()))?;
        let words = BITCODE.iter().map(|word| (*word).to_owned()).chain(entry.flags()).chain(more.iter().cloned());
        let mut key = words.collect::<Vec<String>>().join("\0").into_bytes();
        for part in [entry.directory.as_os_str().as_bytes(), &self.version, &source, &finished.stdout] {
            key.extend_from_slice(&part.len().to_le_bytes());
            key.extend_from_slice(part);
        }
        Ok(Some(key))
    }
}

fn captured(command: &mut Command, most: usize) -> process::Finished {
    process::capture(command, Stdio::null(), &Limits::time(COMPILE_LIMIT), most, &|| false)
}

fn why_not(entry: &Entry, finished: &process::Finished) -> String {
    let text = String::from_utf8_lossy(&finished.stderr).into_owned();
    let line = text.lines().find(|line| line.contains("error")).unwrap_or("clang failed");
    format!("{} does not compile: {line}", entry.file.display())
}

impl Search<'_> {
    fn take_alarms(&mut self, alarms: &[Alarm]) {
        let places = alarms.iter().filter_map(|alarm| alarm.place.as_ref());
        let files: BTreeSet<&str> = places.map(|place| place.file.as_str()).collect();
        for file in files {
            match self.database.entries_for(Path::new(file)) {
                Ok(entries) => {
                    if let Some(entry) = entries.first() {
                        let file = entry.file.clone();
                        self.take(&file);
                    }
                }
                Err(error) => self.warnings.push(error.to_string()),
            }
        }
    }

    /// Takes what defines a name that is used, until no file does.
    fn take_definitions(&mut self) {
        let mut given_up = BTreeSet::new();
        loop {
            let wanted = self.used.iter().find(|name| !self.defined.contains(*name) && !given_up.contains(*name));
            let Some(name) = wanted.cloned() else { return };
            let candidates: Vec<PathBuf> = self.index.files_with(&name).map(Path::to_owned).collect();
            let definer = candidates.into_iter().find(|file| {
                // Another program's `main` comes with what is only in its file.
                let symbols = self.look_at(file);
                symbols.is_some_and(|symbols| symbols.defined.contains(&name) && !symbols.defined.contains("main"))
            });
            match definer {
                Some(file) => self.take(&file),
                None => drop(given_up.insert(name)),
            }
        }
    }

    /// Takes what calls functions of the files so far, until there is a `main`.
    fn take_callers(&mut self, program: Option<&str>) {
        while !self.defined.contains("main") {
            let names: Vec<String> = self.defined.iter().cloned().collect();
            let mut candidates: Vec<PathBuf> =
                names.iter().flat_map(|name| self.index.files_with(name)).map(Path::to_owned).collect();
            candidates.sort();
            candidates.dedup();
            let taken: BTreeSet<PathBuf> = self.units.iter().map(|entry| entry.file.clone()).collect();
            candidates.retain(|file| !taken.contains(file));
            // A file with `main` ends the search.
            let is_named = |file: &Path| {
                program.is_none_or(|name| file.ends_with(name) || file.file_stem() == Some(name.as_ref()))
            };
            let mut callers: Vec<(bool, PathBuf)> = Vec::new();
            for file in candidates {
                let calls = |symbols: &Symbols| names.iter().any(|name| symbols.used.contains(name));
                let found = self
                    .look_at(&file)
                    .filter(|symbols| calls(symbols))
                    .map(|symbols| symbols.defined.contains("main"));
                callers.extend(found.filter(|has_main| !has_main || is_named(&file)).map(|has_main| (!has_main, file)));
            }
            callers.sort();
            let Some((_, file)) = callers.into_iter().next() else { return };
            self.take(&file);
            self.take_definitions();
        }
    }

    fn take(&mut self, file: &Path) {
        if self.units.iter().any(|entry| entry.file == file) || self.look_at(file).is_none() {
            return;
        }
        let Some(Some(symbols)) = self.seen.get(file) else { return };
        self.defined.extend(symbols.defined.iter().cloned());
        self.used.extend(symbols.used.iter().cloned());
        self.units.extend(
            self.database.entries_for(file).ok().and_then(|entries| entries.first().map(|entry| (*entry).clone())),
        );
    }

    /// What a file defines and uses; `None` if it does not compile.
    fn look_at(&mut self, file: &Path) -> Option<&Symbols> {
        if !self.seen.contains_key(file) {
            let symbols = self.symbols_of(file);
            let symbols = symbols.map_err(|why| self.warnings.push(why)).ok();
            self.seen.insert(file.to_owned(), symbols);
        }
        self.seen.get(file)?.as_ref()
    }

    fn symbols_of(&self, file: &Path) -> Result<Symbols, String> {
        let entries = self.database.entries_for(file).map_err(|error| error.to_string())?;
        let entry = entries.first().ok_or("it has no command")?;
        let bitcode = self.compiler.compile(entry, &[])?;
        let finished = captured(Command::new(&self.nm).arg("--format=posix").arg(&bitcode), KEPT_OUTPUT);
        if finished.end != process::End::Exit(0) {
            return Err(format!("llvm-nm failed on bitcode of {}", file.display()));
        }
        let mut symbols = Symbols::default();
        for line in String::from_utf8_lossy(&finished.stdout).lines() {
            let mut words = line.split_whitespace();
            match (words.next(), words.next()) {
                (Some(name), Some("U")) => drop(symbols.used.insert(name.to_owned())),
                (Some(name), Some(kind)) if kind.starts_with(|c: char| c.is_ascii_uppercase()) => {
                    symbols.defined.insert(name.to_owned());
                }
                _ => {}
            }
        }
        Ok(symbols)
    }
}
