//! Which sources mention which names: where a symbol may be defined or called, without compiling
//! anything.

use crate::tokens::{Token, read_source, tokens};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// An index over sources. Headers are not looked into, nor is anything preprocessed: what a macro
/// pastes together is not found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Identifiers {
    files: Vec<PathBuf>,
    /// Numbers of files, ascending.
    by_name: BTreeMap<String, Vec<usize>>,
    /// Files that could not be read, and why.
    pub unread: Vec<(PathBuf, String)>,
}

impl Identifiers {
    pub fn of_files(files: impl IntoIterator<Item = PathBuf>) -> Identifiers {
        let mut index = Identifiers::default();
        for file in files {
            match read_source(&file) {
                Ok(text) => index.add(file, &text),
                Err(error) => index.unread.push((file, error.to_string())),
            }
        }
        index
    }

    pub fn add(&mut self, file: PathBuf, text: &str) {
        let number = self.files.len();
        self.files.push(file);
        let words = tokens(text).filter_map(|at| match at.token {
            Token::Word(word) => Some(word),
            Token::Sign(_) => None,
        });
        for word in words.collect::<BTreeSet<&str>>() {
            match self.by_name.get_mut(word) {
                Some(files) => files.push(number),
                None => drop(self.by_name.insert(word.to_owned(), vec![number])),
            }
        }
    }

    /// In the order in which they were added.
    pub fn files_with(&self, name: &str) -> impl Iterator<Item = &Path> {
        self.by_name.get(name).into_iter().flatten().map(|&number| self.files[number].as_path())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_code_are_found_and_others_not() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a.c");
        std::fs::write(&path, "int f(void) { return g(); /* h */ }\n#define M k(\"l\")\n").unwrap();
        let missing = root.path().join("b.c");
        let mut index = Identifiers::of_files([path.clone(), missing.clone()]);
        index.add("c.c".into(), "g g");
        let files = |name| index.files_with(name).collect::<Vec<_>>();
        assert_eq!(files("g"), [path.as_path(), Path::new("c.c")]);
        assert_eq!(files("k"), [path.as_path()]);
        assert!(files("h").is_empty() && files("l").is_empty());
        assert_eq!(index.unread[0].0, missing);
    }
}
