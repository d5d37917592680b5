//! KLEE's `.ktest` files: one concrete input of a program, as the values of its symbolic objects in creation order.
//!
//! All integers are big-endian `u32`:
//!
//! ```text
//! "KTEST" (or "BOUT\n" in old files), version
//! number of arguments, { length, bytes }*
//! symArgvs, symArgvLen                          (since version 2)
//! number of objects, { name length, name, length, bytes }*
//! ```
//!
//! Versions 1 to 3 are read, version 3 is written, byte for byte as KLEE writes it.
//! Bytes after the last object are ignored, as KLEE and its `ktest-tool` do.
//!
//! ```
//! use ktest::{KTest, Object};
//!
//! let test = KTest { objects: vec![Object::new("x", 7u32.to_le_bytes())], ..KTest::default() };
//! let bytes = test.to_bytes()?;
//! assert_eq!(KTest::read(&bytes)?, test);
//! # Ok::<(), ktest::Error>(())
//! ```

#![forbid(unsafe_code)]

mod error;
mod reader;
mod writer;

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

pub use error::Error;

/// The version that is written, and the newest that is read.
pub const VERSION: u32 = 3;

const MAGIC: &[u8; 5] = b"KTEST";
const OLD_MAGIC: &[u8; 5] = b"BOUT\n";

/// One test: the command line it belongs to and the bytes of every symbolic object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KTest {
    /// The program's arguments, `argv[0]` included, without their terminating zeros.
    pub args: Vec<Vec<u8>>,
    pub sym_argvs: u32,
    pub sym_argv_len: u32,
    /// In the order in which the program created them.
    pub objects: Vec<Object>,
}

/// One symbolic object.
///
/// The name is what the program passed as a C string: bytes in no particular encoding. It is kept as bytes so that
/// reading and writing lose nothing; [`Object::name_lossy`] is the form to show.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Object {
    pub name: Vec<u8>,
    pub bytes: Vec<u8>,
}

impl Object {
    pub fn new(name: impl Into<Vec<u8>>, bytes: impl Into<Vec<u8>>) -> Self {
        Object { name: name.into(), bytes: bytes.into() }
    }

    /// The name as text, with U+FFFD in place of what is not UTF-8.
    pub fn name_lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.name)
    }
}

impl KTest {
    /// Reads a test from the content of a file. The memory used is proportional to `data`, whatever lengths it claims.
    pub fn read(data: &[u8]) -> Result<KTest, Error> {
        reader::read(data)
    }

    pub fn read_file(path: impl AsRef<Path>) -> Result<KTest, Error> {
        let path = path.as_ref();
        let unread = |source| Error::Io { path: path.to_owned(), source };
        let mut file = File::open(path).map_err(unread)?;
        let mut data = Vec::new();
        // A file that is no test may be larger than the memory, or endless.
        (&mut file).take(MAGIC.len() as u64).read_to_end(&mut data).map_err(unread)?;
        reader::check_magic(&data)?;
        file.read_to_end(&mut data).map_err(unread)?;
        KTest::read(&data)
    }

    /// The content of a version 3 file. Fails only when a length does not fit the format's 32 bits.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        writer::write(self)
    }

    pub fn write_file(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let data = self.to_bytes()?;
        fs::write(path, data).map_err(|source| Error::Io { path: path.to_owned(), source })
    }
}
