//! How files are compiled: `compile_commands.json`, as CMake, Meson, Bear and others write it.

use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use thiserror::Error;

const FILE_NAME: &str = "compile_commands.json";

/// Why a database cannot be read.
#[derive(Debug, Error)]
pub enum DatabaseError {
    #[error("{} cannot be read: {source}; CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{} is no compilation database: {source}", path.display())]
    Json { path: PathBuf, source: serde_json::Error },
    #[error("{}: entry {entry}, for {file}, {problem}", path.display())]
    Entry { path: PathBuf, entry: usize, file: String, problem: &'static str },
}

/// Why a file has no entry.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LookupError {
    #[error("{} does not say how {} is compiled", database.display(), file.display())]
    Missing { database: PathBuf, file: PathBuf },
    #[error("{} may be any of these of {}: {}; give more of its path", file.display(), database.display(), list(files))]
    Ambiguous { database: PathBuf, file: PathBuf, files: Vec<PathBuf> },
}

fn list(files: &[PathBuf]) -> String {
    files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// One compilation of one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Where the compiler was started.
    pub directory: PathBuf,
    /// With the directory before it, without `.` and `..`.
    pub file: PathBuf,
    /// The compiler is the first.
    pub arguments: Vec<String>,
    pub output: Option<PathBuf>,
}

/// The entries, in their order. A file may have several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Database {
    pub path: PathBuf,
    pub entries: Vec<Entry>,
}

#[derive(Deserialize)]
struct Written {
    directory: PathBuf,
    file: String,
    arguments: Option<Vec<String>>,
    command: Option<String>,
    output: Option<PathBuf>,
}

impl Database {
    /// `path` is the file, or the directory that it is in.
    pub fn read(path: &Path) -> Result<Database, DatabaseError> {
        let path = if path.is_dir() { path.join(FILE_NAME) } else { path.to_owned() };
        let text = std::fs::read_to_string(&path).map_err(|source| DatabaseError::Io { path: path.clone(), source })?;
        Database::parse(&path, &text)
    }

    /// Relative directories are below that of the database.
    pub fn parse(path: &Path, text: &str) -> Result<Database, DatabaseError> {
        let written: Vec<Written> = serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|source| DatabaseError::Json { path: path.to_owned(), source })?;
        let base = path.parent().unwrap_or(Path::new(""));
        let entries = written.into_iter().enumerate().map(|(entry, written)| {
            let file = written.file.clone();
            written.entry(base).map_err(|problem| DatabaseError::Entry { path: path.to_owned(), entry, file, problem })
        });
        Ok(Database { path: path.to_owned(), entries: entries.collect::<Result<_, _>>()? })
    }

    /// How a file is compiled: its path, or the last parts of it. There is at least one entry, and
    /// all are of one file.
    pub fn entries_for(&self, file: &Path) -> Result<Vec<&Entry>, LookupError> {
        let wanted = plain(file);
        let of = |is_it: &dyn Fn(&Path) -> bool| -> Vec<&Entry> {
            self.entries.iter().filter(|entry| is_it(&entry.file)).collect()
        };
        let exact = of(&|file| file == wanted);
        if !exact.is_empty() {
            return Ok(exact);
        }
        let (database, file) = (self.path.clone(), file.to_owned());
        let ending = of(&|file| !wanted.is_absolute() && file.ends_with(&wanted));
        let files: BTreeSet<&Path> = ending.iter().map(|entry| entry.file.as_path()).collect();
        match files.len() {
            0 => Err(LookupError::Missing { database, file }),
            1 => Ok(ending),
            _ => {
                let files = files.into_iter().map(Path::to_owned).collect();
                Err(LookupError::Ambiguous { database, file, files })
            }
        }
    }

    /// Each file once, in the order of the entries.
    pub fn files(&self) -> Vec<&Path> {
        let mut seen = BTreeSet::new();
        self.entries.iter().map(|entry| entry.file.as_path()).filter(|file| seen.insert(*file)).collect()
    }
}

impl Written {
    fn entry(self, base: &Path) -> Result<Entry, &'static str> {
        let arguments = match (self.arguments, self.command) {
            (Some(arguments), _) => arguments,
            (None, Some(command)) => shlex::split(&command).ok_or("has a command whose quotes do not match")?,
            (None, None) => return Err("has neither `arguments` nor a `command`"),
        };
        if arguments.is_empty() {
            return Err("has an empty command");
        }
        let directory = plain(&base.join(self.directory));
        Ok(Entry {
            file: plain(&directory.join(self.file)),
            output: self.output.map(|output| plain(&directory.join(output))),
            directory,
            arguments,
        })
    }
}

/// Without `.`, and without `..` where a name stands before it. Links are not followed.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        let is_below_name = matches!(plain.components().next_back(), Some(Component::Normal(_)));
        match part {
            Component::CurDir => {}
            Component::ParentDir if is_below_name => drop(plain.pop()),
            Component::ParentDir if plain.has_root() => {}
            _ => plain.push(part),
        }
    }
    plain
}

/// Programs that start the compiler behind them.
const LAUNCHERS: &[&str] = &["ccache", "sccache", "distcc", "icecc", "gomacc", "buildcache"];

/// Options about dependency files, without a value.
const DEPENDENCIES: &[&str] = &["-M", "-MM", "-MG", "-MP", "-MD", "-MMD", "-MV"];

/// Those with one, attached or behind.
const DEPENDENCIES_WITH_VALUE: &[&str] = &["-MF", "-MT", "-MQ", "-MJ"];

impl Entry {
    /// What decides what the code means, in its order: without the compiler, `-c`, `-o`, dependency
    /// files and the source.
    pub fn flags(&self) -> Vec<String> {
        let mut flags = Vec::new();
        let mut rest = self.arguments_behind_compiler().iter();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "-c" | "--" => {}
                "-o" => drop(rest.next()),
                option if DEPENDENCIES_WITH_VALUE.contains(&option) => drop(rest.next()),
                option if is_dropped(option) || self.is_source(option) => {}
                _ => flags.push(argument.clone()),
            }
        }
        flags
    }

    fn arguments_behind_compiler(&self) -> &[String] {
        let is_launcher = |argument: &String| {
            let name = Path::new(argument).file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| LAUNCHERS.contains(&name))
        };
        let launchers = self.arguments.iter().take_while(|argument| is_launcher(argument)).count();
        // `ccache -c` would be no compilation, `ccache` alone may be a link with the compiler's
        // name.
        self.arguments.get(launchers.min(self.arguments.len() - 1) + 1..).unwrap_or_default()
    }

    fn is_source(&self, argument: &str) -> bool {
        !argument.starts_with('-') && plain(&self.directory.join(argument)) == self.file
    }
}

fn is_dropped(option: &str) -> bool {
    DEPENDENCIES.contains(&option)
        || DEPENDENCIES_WITH_VALUE.iter().any(|name| option.starts_with(name))
        || option.starts_with("-Wp,-M")
        || (option.starts_with("-o") && !option.starts_with("-object"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"[
        {"directory": "/p/build", "file": "../src/a.c", "output": "a.o", "arguments": [
            "ccache", "/usr/bin/cc", "-DX=a b", "-MD", "-MF", "a.d", "-MTa.o", "-Wp,-MMD,x.d", "-I", "../include",
            "-o", "a.o", "-c", "../src/a.c", "-O2"]},
        {"directory": "/p/build", "file": "/p/src/a.c", "command": "cc -DX='\"y z\"' -oa2.o -c /p/src/a.c", "more": 1},
        {"directory": "sub", "file": "../src/util/b.c", "command": "cc -c ../src/util/b.c"},
        {"directory": "/p", "file": "other/b.c", "command": "cc other/b.c"}
    ]"#;

    fn database() -> Database {
        Database::parse(Path::new("/p/compile_commands.json"), TEXT).unwrap()
    }

    #[test]
    fn flags_are_what_the_code_means() {
        let database = database();
        let flags: Vec<Vec<String>> = database.entries.iter().map(Entry::flags).collect();
        assert_eq!(flags[0], ["-DX=a b", "-I", "../include", "-O2"]);
        assert_eq!(flags[1], ["-DX=\"y z\""]);
        assert!(flags[2].is_empty() && flags[3].is_empty(), "{flags:?}");
        assert_eq!(database.entries[0].output.as_deref(), Some(Path::new("/p/build/a.o")));
        assert_eq!(database.entries[2].directory, Path::new("/p/sub"));
    }

    #[test]
    fn files_are_found_by_their_ends() {
        let database = database();
        let count = |file: &str| database.entries_for(Path::new(file)).map(|entries| entries.len());
        assert_eq!(count("/p/src/./a.c"), Ok(2));
        assert_eq!(count("a.c"), Ok(2));
        assert_eq!(count("util/b.c"), Ok(1));
        let refused = |file: &str| count(file).expect_err("is refused").to_string();
        assert_eq!(refused("/q/a.c"), "/p/compile_commands.json does not say how /q/a.c is compiled");
        assert!(refused("b.c").contains("any of these of /p/compile_commands.json: /p/other/b.c, /p/src/util/b.c;"));
        assert_eq!(database.files().len(), 3);
    }

    #[test]
    fn what_is_malformed_is_said_with_its_entry() {
        let refused = |text: &str| Database::parse(Path::new("d.json"), text).expect_err("is refused").to_string();
        assert!(refused("{}").starts_with("d.json is no compilation database: "));
        let neither = r#"[{"directory": "/", "file": "a.c"}]"#;
        assert_eq!(refused(neither), "d.json: entry 0, for a.c, has neither `arguments` nor a `command`");
        let quotes = r#"[{"directory": "/", "file": "a.c", "command": "cc 'a"}]"#;
        assert!(refused(quotes).contains("whose quotes do not match"));
        assert!(refused(r#"[{"directory": "/", "file": "a.c", "arguments": []}]"#).contains("an empty command"));
    }
}
