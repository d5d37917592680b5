//! `DIR/owner`: a directory has one writer. The file is locked as long as it writes, and has its
//! process number, for whoever is refused. The system takes the lock away when the process ends, in
//! whatever way, so there is nothing to clean up. The file stays: were it removed, then two
//! processes could each have a lock, one on the file that was there and one on a new one.

use crate::StoreError;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

const NAME: &str = "owner";

/// More than a process number has.
const LONGEST: u64 = 32;

/// The right to write into a directory.
#[derive(Debug)]
pub(crate) struct Owner {
    file: File,
}

impl Owner {
    pub(crate) fn take(dir: &Path) -> Result<Owner, StoreError> {
        let path = dir.join(NAME);
        let failed = |error| StoreError::file(&path, error);
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(&path).map_err(failed)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => {
                return Err(StoreError::Owned { at: dir.display().to_string(), pid: pid(&file), client: None });
            }
            Err(error) => return Err(failed(error.into())),
        }
        file.set_len(0).map_err(failed)?;
        writeln!(file, "{}", std::process::id()).map_err(failed)?;
        Ok(Owner { file })
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        // A number that is left is that of nobody, which only matters to the next message.
        let _ = self.file.set_len(0);
        // By itself the lock stays as long as a child process has the file, until it is another
        // program.
        let _ = flock(&self.file, FlockOperation::Unlock);
    }
}

fn pid(file: &File) -> Option<u32> {
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}
