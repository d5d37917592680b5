//! The results file: one JSON object a line, on disk as soon as it is known, so that a comparison
//! can go on where it was interrupted.
//!
//! A result is found again by its tool, group, target and a hash of everything else that it depends
//! on: the command, the limits, the program's text, the tool's version and how its answers are
//! read.

use crate::answer::Kind;
use crate::error::BenchError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

const SCHEMA: u32 = 1;
/// How every line begins.
const BEGIN: &[u8] = br#"{"schema":"#;

/// What identifies a run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) struct Key {
    pub(crate) tool: String,
    pub(crate) group: String,
    /// `FILE:LINE`, or `FILE` for a program as a whole.
    pub(crate) target: String,
    pub(crate) hash: String,
}

/// What came of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Measured {
    pub(crate) kind: Kind,
    pub(crate) seconds: f64,
    pub(crate) limit_seconds: f64,
    pub(crate) peak_memory_bytes: u64,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) reason: Option<String>,
    /// The end of the output, unless there is an answer that may be right.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) tail: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    schema: u32,
    #[serde(flatten)]
    key: Key,
    #[serde(flatten)]
    measured: Measured,
}

pub(crate) struct Store {
    path: PathBuf,
    file: File,
    known: BTreeMap<Key, Measured>,
}

impl Store {
    /// Opens the file, with what is in it unless it is to be `fresh`.
    pub(crate) fn open(path: &Path, fresh: bool) -> Result<Store, BenchError> {
        let unusable = |error: std::io::Error| BenchError::Input(format!("{} cannot be used: {error}", path.display()));
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(|error| BenchError::Input(format!("{} cannot be opened: {error}", path.display())))?;
        // SAFETY: locks an open file.
        if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } != 0 {
            let message = "is in use by another `espalier bench`; wait for it, or write elsewhere with --results";
            return Err(BenchError::Input(format!("{} {message}", path.display())));
        }
        let mut content = Vec::new();
        file.read_to_end(&mut content).map_err(unusable)?;
        let common = content.len().min(BEGIN.len());
        if content[..common] != BEGIN[..common] {
            let message = "is not a file of results; write elsewhere with --results";
            return Err(BenchError::Input(format!("{} {message}", path.display())));
        }
        // A line without an end was being written when the process was killed.
        let complete = match fresh {
            true => 0,
            false => content.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1),
        };
        let known = read_lines(path, &content[..complete])?;
        file.set_len(complete as u64).map_err(unusable)?;
        file.seek(SeekFrom::End(0)).map_err(unusable)?;
        Ok(Store { path: path.to_path_buf(), file, known })
    }

    pub(crate) fn get(&self, key: &Key) -> Option<&Measured> {
        self.known.get(key)
    }

    /// Keeps a result; when this returns, it is on disk.
    pub(crate) fn add(&mut self, key: Key, measured: Measured) -> Result<(), BenchError> {
        let line = Line { schema: SCHEMA, key, measured };
        let mut text = serde_json::to_string(&line)
            .map_err(|error| BenchError::Output(format!("a result cannot be written as JSON: {error}")))?;
        text.push('\n');
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|error| BenchError::unwritable(&self.path, &error))?;
        self.known.insert(line.key, line.measured);
        Ok(())
    }
}

fn read_lines(path: &Path, content: &[u8]) -> Result<BTreeMap<Key, Measured>, BenchError> {
    let mut known = BTreeMap::new();
    for (text, number) in content.split(|&byte| byte == b'\n').zip(1..) {
        if text.is_empty() {
            continue;
        }
        let wrong = |why: String| {
            let advice = "remove the line, or start over with --fresh";
            BenchError::Input(format!("{}:{number}: not a result: {why}; {advice}", path.display()))
        };
        let line: Line = serde_json::from_slice(text).map_err(|error| wrong(error.to_string()))?;
        if line.schema != SCHEMA {
            return Err(wrong(format!("its schema is {}, not {SCHEMA}", line.schema)));
        }
        known.insert(line.key, line.measured);
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(target: &str) -> Key {
        Key { tool: "t".into(), group: "g".into(), target: target.into(), hash: "0".into() }
    }

    fn measured(seconds: f64) -> Measured {
        Measured {
            kind: Kind::OutOfMemory,
            seconds,
            limit_seconds: 60.0,
            peak_memory_bytes: 1 << 40,
            reason: Some("two\nlines".into()),
            tail: None,
        }
    }

    #[test]
    fn results_are_found_again_and_a_torn_line_is_not() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("results.jsonl");
        let mut store = Store::open(&path, false).expect("a store");
        store.add(key("a.c:1"), measured(1.5)).expect("written");
        store.add(key("a.c:2"), measured(2.5)).expect("written");
        drop(store);
        let whole = std::fs::read(&path).expect("a file");
        let first = whole.iter().position(|&byte| byte == b'\n').expect("a line") + 1;
        for length in first..whole.len() {
            std::fs::write(&path, &whole[..length]).expect("written");
            let mut store = Store::open(&path, false).expect("a store");
            assert_eq!(store.get(&key("a.c:1")), Some(&measured(1.5)));
            assert_eq!(store.get(&key("a.c:2")), None, "{length} bytes");
            store.add(key("a.c:2"), measured(2.5)).expect("written");
            drop(store);
            assert_eq!(std::fs::read(&path).expect("a file"), whole);
        }
        assert_eq!(Store::open(&path, true).expect("a store").get(&key("a.c:1")), None);
        assert_eq!(std::fs::read(&path).expect("a file"), b"");
    }

    #[test]
    fn files_of_others_are_left_alone() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("precious.c");
        std::fs::write(&path, "int main(void) {}\n").expect("written");
        for fresh in [false, true] {
            let error = Store::open(&path, fresh).map(|_| ()).expect_err("it is not ours").to_string();
            assert!(error.contains("is not a file of results"), "{error}");
        }
        assert_eq!(std::fs::read(&path).expect("a file"), b"int main(void) {}\n");
    }

    #[test]
    fn a_broken_line_has_a_place() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("results.jsonl");
        std::fs::write(&path, "{\"schema\":1,\n").expect("written");
        let error = Store::open(&path, false).map(|_| ()).expect_err("it is broken").to_string();
        assert!(error.contains("results.jsonl:1: not a result: ") && error.contains("--fresh"), "{error}");
    }

    #[test]
    fn one_at_a_time() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("results.jsonl");
        let _store = Store::open(&path, false).expect("a store");
        let error = Store::open(&path, false).map(|_| ()).expect_err("it is in use").to_string();
        assert!(error.contains("in use by another"), "{error}");
    }
}
