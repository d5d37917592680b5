//! Source locations, with files interned.
//!
//! A file's path is written as the compiler was given it, if it was compiled in the directory we
//! run in; otherwise the directory is put in front.

use crate::llvm::{DebugLoc, Metadata};
use espalier_ir::{FileId, Loc};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};

/// How files are called.
pub struct FileNames {
    here: Option<PathBuf>,
}

impl FileNames {
    pub fn new() -> FileNames {
        FileNames { here: std::env::current_dir().ok() }
    }

    pub fn path(&self, file: Metadata<'_>) -> String {
        let (directory, name) = file.file_path();
        if directory.is_empty() || Path::new(&name).is_absolute() || self.here.as_deref() == Some(Path::new(&directory))
        {
            return name;
        }
        Path::new(&directory).join(name).to_string_lossy().into_owned()
    }
}

pub struct Debug<'m> {
    names: FileNames,
    /// By debug-information node, of which there may be several for one path.
    nodes: FxHashMap<Metadata<'m>, FileId>,
    paths: FxHashMap<String, FileId>,
}

impl<'m> Debug<'m> {
    pub fn new() -> Debug<'m> {
        Debug { names: FileNames::new(), nodes: FxHashMap::default(), paths: FxHashMap::default() }
    }

    /// The location; new files are added to `files`.
    pub fn loc(&mut self, loc: DebugLoc<'m>, files: &mut Vec<String>) -> Loc {
        match loc.file {
            Some(file) if loc.line != 0 => Loc { file: self.file(file, files), line: loc.line, column: loc.column },
            _ => Loc::UNKNOWN,
        }
    }

    fn file(&mut self, node: Metadata<'m>, files: &mut Vec<String>) -> FileId {
        if let Some(id) = self.nodes.get(&node) {
            return *id;
        }
        let path = self.names.path(node);
        let id = *self.paths.entry(path).or_insert_with_key(|path| {
            files.push(path.clone());
            FileId::new(files.len() - 1)
        });
        self.nodes.insert(node, id);
        id
    }
}
