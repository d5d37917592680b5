//! The directory of one run.
//!
//! A file appears under its name only when it is complete: it is written under another name and
//! renamed. So a full disk, a kill or a crash loses at most the file that was being written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

const UNFINISHED: &str = ".unfinished";

/// Why output cannot be written.
#[derive(Debug, Error)]
pub enum OutputError {
    #[error("output directory \"{}\" is not empty; choose another or remove it", .0.display())]
    NotEmpty(PathBuf),
    #[error("output directory \"{}\" exists and is not a directory", .0.display())]
    NotADirectory(PathBuf),
    #[error("cannot create output directory \"{}\": {source}", path.display())]
    Create { path: PathBuf, source: io::Error },
    #[error("cannot write \"{}\": {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot read \"{}\": {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write \"{}\": {source}; --output-stats=false does without it", path.display())]
    Stats { path: PathBuf, source: rusqlite::Error },
}

/// What run directories are called.
#[derive(Copy, Clone, Debug)]
pub struct RunDirNames {
    /// Followed by a number.
    prefix: &'static str,
    /// The link to the latest one.
    latest: &'static str,
}

impl RunDirNames {
    pub const ESPALIER: RunDirNames = RunDirNames { prefix: "espalier-out-", latest: "espalier-last" };
    pub const KLEE: RunDirNames = RunDirNames { prefix: "klee-out-", latest: "klee-last" };
}

/// A directory that belongs to one run.
#[derive(Clone, Debug)]
pub struct RunDir {
    path: PathBuf,
}

impl RunDir {
    /// The next free `espalier-out-N` in `parent`, with `espalier-last` pointing to it.
    pub fn next_in(parent: &Path, names: RunDirNames) -> Result<RunDir, OutputError> {
        for number in 0u64.. {
            let name = format!("{}{number}", names.prefix);
            let path = parent.join(&name);
            match fs::create_dir(&path) {
                Ok(()) => {
                    point_latest(parent, names.latest, &name)?;
                    return Ok(RunDir { path });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(source) => return Err(OutputError::Create { path, source }),
            }
        }
        unreachable!("2^64 directories")
    }

    /// A directory that the user named: it must be new or empty.
    pub fn named(path: &Path) -> Result<RunDir, OutputError> {
        let create = |source| OutputError::Create { path: path.to_owned(), source };
        match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => fs::create_dir_all(path).map_err(create)?,
            Err(error) => return Err(create(error)),
            Ok(data) if !data.is_dir() => return Err(OutputError::NotADirectory(path.to_owned())),
            Ok(_) => {
                if fs::read_dir(path).map_err(create)?.next().is_some() {
                    return Err(OutputError::NotEmpty(path.to_owned()));
                }
            }
        }
        Ok(RunDir { path: path.to_owned() })
    }

    /// The directory of an earlier run that is gone on with.
    pub fn of_earlier_run(path: &Path) -> Result<RunDir, OutputError> {
        match fs::metadata(path) {
            Ok(data) if data.is_dir() => Ok(RunDir { path: path.to_owned() }),
            Ok(_) => Err(OutputError::NotADirectory(path.to_owned())),
            Err(source) => Err(OutputError::Create { path: path.to_owned(), source }),
        }
    }

    /// The largest number that a file of a test has.
    pub fn last_test(&self) -> Result<u64, OutputError> {
        let failed = |source| OutputError::Create { path: self.path.clone(), source };
        let mut last = 0;
        for entry in fs::read_dir(&self.path).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            let number = name.to_str().and_then(|name| name.strip_prefix("test")?.split('.').next()?.parse().ok());
            last = last.max(number.unwrap_or(0));
        }
        Ok(last)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a whole file, or replaces it.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), OutputError> {
        let path = self.path.join(name);
        let unfinished = self.path.join(format!("{name}{UNFINISHED}"));
        let written = fs::write(&unfinished, content).and_then(|()| fs::rename(&unfinished, &path));
        written.map_err(|source| {
            // The reason to stop is the first failure; a leftover that cannot be removed either
            // changes nothing.
            let _ = fs::remove_file(&unfinished);
            OutputError::Write { path, source }
        })
    }

    /// A file that grows line by line.
    pub fn log(&self, name: &str) -> Result<Log, OutputError> {
        let path = self.path.join(name);
        match OpenOptions::new().create(true).append(true).open(&path) {
            Ok(file) => Ok(Log { path, file }),
            Err(source) => Err(OutputError::Write { path, source }),
        }
    }
}

fn point_latest(parent: &Path, latest: &str, name: &str) -> Result<(), OutputError> {
    let path = parent.join(latest);
    let unfinished = parent.join(format!("{latest}{UNFINISHED}.{}", std::process::id()));
    let linked = std::os::unix::fs::symlink(name, &unfinished).and_then(|()| fs::rename(&unfinished, &path));
    linked.map_err(|source| {
        let _ = fs::remove_file(&unfinished);
        OutputError::Write { path, source }
    })
}

/// A text file that grows.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    pub fn append(&mut self, text: &str) -> Result<(), OutputError> {
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|source| OutputError::Write { path: self.path.clone(), source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_up_and_the_link_follows() {
        let parent = tempfile::tempdir().unwrap();
        for number in 0..3 {
            let dir = RunDir::next_in(parent.path(), RunDirNames::ESPALIER).unwrap();
            assert_eq!(dir.path(), parent.path().join(format!("espalier-out-{number}")));
            let link = fs::read_link(parent.path().join("espalier-last")).unwrap();
            assert_eq!(link, Path::new(&format!("espalier-out-{number}")));
        }
        let dir = RunDir::next_in(parent.path(), RunDirNames::KLEE).unwrap();
        assert_eq!(dir.path(), parent.path().join("klee-out-0"));
        assert_eq!(fs::read_link(parent.path().join("klee-last")).unwrap(), Path::new("klee-out-0"));
    }

    #[test]
    fn a_named_directory_must_be_new_or_empty() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("a/b");
        let dir = RunDir::named(&path).unwrap();
        assert!(RunDir::named(&path).is_ok());
        dir.write("info", b"text").unwrap();
        let error = RunDir::named(&path).unwrap_err().to_string();
        assert_eq!(error, format!("output directory \"{}\" is not empty; choose another or remove it", path.display()));
        let error = RunDir::named(&path.join("info")).unwrap_err().to_string();
        assert!(error.ends_with("exists and is not a directory"), "{error}");
        let error = RunDir::named(&path.join("info/x")).unwrap_err().to_string();
        assert!(error.starts_with("cannot create output directory"), "{error}");
    }

    #[test]
    fn files_are_replaced_whole() {
        let parent = tempfile::tempdir().unwrap();
        let dir = RunDir::named(parent.path()).unwrap();
        dir.write("info", b"first").unwrap();
        dir.write("info", b"second").unwrap();
        assert_eq!(fs::read(parent.path().join("info")).unwrap(), b"second");
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_written_is_named() {
        let parent = tempfile::tempdir().unwrap();
        let dir = RunDir::next_in(parent.path(), RunDirNames::ESPALIER).unwrap();
        fs::remove_dir(dir.path()).unwrap();
        let error = dir.write("info", b"text").unwrap_err().to_string();
        assert!(error.starts_with("cannot write ") && error.contains("espalier-out-0/info"), "{error}");
    }
}
