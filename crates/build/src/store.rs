//! The directory where a build's bitcode is kept, and what the compilers of one build tell each
//! other and the end of the build.
//!
//! ```text
//! STORE/bin/cc …                 scripts under the names of compilers, first in PATH
//! STORE/links/cc …               links to Espalier, which the scripts start
//! STORE/bc/HASH.bc               bitcode of one source
//! STORE/compiled/KEY             the HASH of what a compilation gave, by all that it depends on
//! STORE/include, STORE/replay    klee/klee.h, and a library with its functions
//! STORE/log                      a line for each thing that happened
//! ```
//!
//! It stays after the build: objects that are not compiled again by the next one have the paths of
//! their bitcode in them. Compilers run at the same time, so a line of the log is written at once,
//! and bitcode appears under its name when it is complete.

use crate::Error;
use sha2::{Digest, Sha256};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
}

/// What happened in a build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A source was compiled, with bitcode or without.
    Compiled(PathBuf),
    /// Something was linked.
    Linked(PathBuf),
    /// A static library was made or changed.
    Archived(PathBuf),
    /// There is no bitcode of a source, for this reason.
    Failed(PathBuf, String),
}

impl Store {
    /// The directory of the build that is going on. Its path is absolute.
    pub fn at(root: PathBuf) -> Store {
        Store { root }
    }

    /// Makes the directory.
    pub fn create(root: &Path) -> Result<Store, Error> {
        let failed = |source| Error::Store { path: root.to_owned(), source };
        fs::create_dir_all(root).map_err(failed)?;
        let root = root.canonicalize().map_err(failed)?;
        // They would end an entry of PATH, a line of the log or a field of it.
        if root.to_str().is_none_or(|root| root.contains([':', '\t', '\n'])) {
            return Err(Error::StoreName { path: root });
        }
        let store = Store { root };
        for dir in [
            store.bin(),
            store.links(),
            store.modules(),
            store.compilations(),
            store.temporary(),
            store.include().join("klee"),
            store.replay(),
        ] {
            fs::create_dir_all(&dir).map_err(|source| Error::Store { path: dir, source })?;
        }
        let ignored = store.root.join(".gitignore");
        fs::write(&ignored, "*\n").map_err(|source| Error::Store { path: ignored, source })?;
        store.tell_raw("").map_err(|source| Error::Store { path: store.log(), source })?;
        Ok(store)
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn bin(&self) -> PathBuf {
        self.root.join("bin")
    }

    pub fn links(&self) -> PathBuf {
        self.root.join("links")
    }

    pub fn include(&self) -> PathBuf {
        self.root.join("include")
    }

    pub fn replay(&self) -> PathBuf {
        self.root.join("replay")
    }

    /// A library with the functions of klee.h, for programs that call them.
    pub fn replay_library(&self) -> PathBuf {
        self.replay().join("libespalier-replay.a")
    }

    pub fn temporary(&self) -> PathBuf {
        self.root.join("tmp")
    }

    fn modules(&self) -> PathBuf {
        self.root.join("bc")
    }

    fn compilations(&self) -> PathBuf {
        self.root.join("compiled")
    }

    fn log(&self) -> PathBuf {
        self.root.join("log")
    }

    /// Takes a file with bitcode over, under a name that its content has.
    pub fn keep(&self, bitcode: &Path) -> io::Result<PathBuf> {
        let path = self.module(&hash(&fs::read(bitcode)?));
        fs::rename(bitcode, &path)?;
        Ok(path)
    }

    fn module(&self, hash: &str) -> PathBuf {
        self.modules().join(format!("{hash}.bc"))
    }

    /// The same, and remembers it as what comes of a compilation. `key` stands for all that it
    /// depends on.
    pub fn keep_for(&self, key: &[u8], bitcode: &Path) -> io::Result<PathBuf> {
        let content = hash(&fs::read(bitcode)?);
        let path = self.keep(bitcode)?;
        let key = hash(key);
        // Whoever reads it at the same time sees all of it or nothing.
        let written = self.temporary().join(format!("{key}-{}", std::process::id()));
        fs::write(&written, content)?;
        fs::rename(&written, self.compilations().join(key))?;
        Ok(path)
    }

    /// What came of a compilation, if it was kept and is still what it was.
    pub fn kept_for(&self, key: &[u8]) -> Option<PathBuf> {
        let content = fs::read_to_string(self.compilations().join(hash(key))).ok()?;
        let is_hash = content.len() == 2 * HASH_BYTES && content.bytes().all(|byte| byte.is_ascii_hexdigit());
        let path = is_hash.then(|| self.module(&content))?;
        (hash(&fs::read(&path).ok()?) == content).then_some(path)
    }

    pub fn tell(&self, event: &Event) -> io::Result<()> {
        let line = match event {
            Event::Compiled(path) => format!("compiled\t{}", path.display()),
            Event::Linked(path) => format!("linked\t{}", path.display()),
            Event::Archived(path) => format!("archived\t{}", path.display()),
            Event::Failed(path, reason) => format!("failed\t{}\t{}", path.display(), reason.replace(['\t', '\n'], " ")),
        };
        // A name with a line break in it is not worth a quoting of its own: make does not know one
        // either.
        self.tell_raw(&(line.replace('\n', " ") + "\n"))
    }

    fn tell_raw(&self, line: &str) -> io::Result<()> {
        OpenOptions::new().create(true).append(true).open(self.log())?.write_all(line.as_bytes())
    }

    /// How long the log is, to tell what happens from now on from what happened before.
    pub fn now(&self) -> u64 {
        fs::metadata(self.log()).map_or(0, |metadata| metadata.len())
    }

    /// What happened in this build, and in earlier ones with the same store, in order.
    pub fn events(&self, since: u64) -> Result<Vec<Event>, Error> {
        let bytes = fs::read(self.log()).map_err(|source| Error::Store { path: self.log(), source })?;
        let text = String::from_utf8_lossy(bytes.get(usize::try_from(since).unwrap_or(usize::MAX)..).unwrap_or(&[]));
        Ok(text.lines().filter_map(parse).collect())
    }
}

/// Bytes of a hash that are in a name.
const HASH_BYTES: usize = 16;

fn hash(content: &[u8]) -> String {
    Sha256::digest(content).iter().take(HASH_BYTES).map(|byte| format!("{byte:02x}")).collect()
}

fn parse(line: &str) -> Option<Event> {
    let (kind, rest) = line.split_once('\t')?;
    Some(match kind {
        "compiled" => Event::Compiled(rest.into()),
        "linked" => Event::Linked(rest.into()),
        "archived" => Event::Archived(rest.into()),
        "failed" => {
            let (path, reason) = rest.split_once('\t')?;
            Event::Failed(path.into(), reason.into())
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_remembered() {
        let dir = tempfile::tempdir().expect("a directory");
        let store = Store::create(&dir.path().join("store")).expect("a store");
        let events = [
            Event::Compiled("/a b/c.c".into()),
            Event::Linked("/a b/prog".into()),
            Event::Failed("/x.c".into(), "bad\tcode".into()),
            Event::Archived("/lib.a".into()),
        ];
        store.tell(&events[0]).expect("written");
        let begin = store.now();
        events[1..].iter().for_each(|event| store.tell(event).expect("written"));
        let mut expected = events.clone();
        expected[2] = Event::Failed("/x.c".into(), "bad code".into());
        assert_eq!(store.events(0).expect("read"), expected);
        assert_eq!(store.events(begin).expect("read"), expected[1..]);
    }

    #[test]
    fn equal_bitcode_is_kept_once() {
        let dir = tempfile::tempdir().expect("a directory");
        let store = Store::create(dir.path()).expect("a store");
        let keep = |content: &str| {
            let path = store.temporary().join("x");
            fs::write(&path, content).expect("written");
            store.keep(&path).expect("kept")
        };
        assert_eq!(keep("one"), keep("one"));
        assert_ne!(keep("one"), keep("two"));
    }

    #[test]
    fn a_compilation_is_remembered_as_long_as_its_bitcode_is_whole() {
        let dir = tempfile::tempdir().expect("a directory");
        let store = Store::create(dir.path()).expect("a store");
        let given = store.temporary().join("x");
        fs::write(&given, "bitcode").expect("written");
        assert_eq!(store.kept_for(b"cc a.c"), None);
        let kept = store.keep_for(b"cc a.c", &given).expect("kept");
        assert_eq!(store.kept_for(b"cc a.c"), Some(kept.clone()));
        assert_eq!(store.kept_for(b"cc -DX a.c"), None);
        fs::write(&kept, "bitco").expect("written");
        assert_eq!(store.kept_for(b"cc a.c"), None);
    }

    #[test]
    fn a_store_that_cannot_be_made() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        assert!(matches!(Store::create(&file.path().join("store")), Err(Error::Store { .. })));
        let dir = tempfile::tempdir().expect("a directory");
        assert!(matches!(Store::create(&dir.path().join("a:b")), Err(Error::StoreName { .. })));
    }
}
