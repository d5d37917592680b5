//! Files that a thread of their own writes: creating one takes the system longer than a short path
//! takes the engine.

use crate::rundir::{OutputError, RunDir};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// How many files may wait to be written; a kill loses no more than these.
const WAITING: usize = 64;

struct File {
    name: String,
    content: Vec<u8>,
}

/// Writes to the directory of a run, in the order in which files come. The thread begins with the
/// first of them.
#[derive(Default)]
pub(crate) struct Background {
    /// How many files wait to be written.
    waiting: Arc<AtomicUsize>,
    files: Option<SyncSender<File>>,
    thread: Option<JoinHandle<Result<(), OutputError>>>,
}

impl Background {
    /// Has a file written. An error may be that of an earlier file.
    pub(crate) fn write(&mut self, dir: &RunDir, name: String, content: Vec<u8>) -> Result<(), OutputError> {
        let file = File { name, content };
        if self.files.is_none() {
            let (sender, receiver) = sync_channel(WAITING);
            let (target, waiting) = (dir.clone(), self.waiting.clone());
            match thread::Builder::new().name("tests".into()).spawn(move || write_all(&target, receiver, &waiting)) {
                Ok(thread) => (self.files, self.thread) = (Some(sender), Some(thread)),
                // No more threads: it is written here.
                Err(_) => return dir.write(&file.name, &file.content),
            }
        }
        self.waiting.fetch_add(1, Ordering::Release);
        match self.files.as_ref().map(|files| files.send(file)) {
            Some(Ok(())) => Ok(()),
            // The thread has stopped, and tells why.
            _ => self.finish(),
        }
    }

    /// How many files wait to be written, to be looked at from elsewhere. (Not right any more after
    /// a failure.)
    pub(crate) fn waiting(&self) -> Arc<AtomicUsize> {
        self.waiting.clone()
    }

    /// Waits until all files are written.
    pub(crate) fn finish(&mut self) -> Result<(), OutputError> {
        self.files = None;
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(written)) => written,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
        }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.files = None;
        if let Some(thread) = self.thread.take() {
            // Whoever wants to know whether all was written calls `finish`.
            let _ = thread.join();
        }
    }
}

fn write_all(dir: &RunDir, files: Receiver<File>, waiting: &AtomicUsize) -> Result<(), OutputError> {
    files.into_iter().try_for_each(|file| {
        let written = dir.write(&file.name, &file.content);
        waiting.fetch_sub(1, Ordering::Release);
        written
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn all_files_are_there_in_the_end() {
        let parent = tempfile::tempdir().unwrap();
        let dir = RunDir::named(parent.path()).unwrap();
        let mut background = Background::default();
        for number in 0..1000 {
            background.write(&dir, format!("test{number}"), vec![number as u8; 10]).unwrap();
        }
        background.finish().unwrap();
        assert_eq!(background.waiting().load(Ordering::Acquire), 0);
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1000);
        assert_eq!(fs::read(parent.path().join("test999")).unwrap(), [231; 10]);
        // It can go on.
        background.write(&dir, "one more".into(), Vec::new()).unwrap();
        drop(background);
        assert!(parent.path().join("one more").exists());
    }

    #[test]
    fn what_cannot_be_written_is_told() {
        let parent = tempfile::tempdir().unwrap();
        let dir = RunDir::named(&parent.path().join("out")).unwrap();
        fs::remove_dir(dir.path()).unwrap();
        let mut background = Background::default();
        let mut write = |_| background.write(&dir, "test".into(), Vec::new()).is_err();
        assert!((0..10 * WAITING).any(&mut write), "a thread that has stopped takes no files");
        background.write(&dir, "test".into(), Vec::new()).unwrap();
        let error = background.finish().unwrap_err().to_string();
        assert!(error.starts_with("cannot write "), "{error}");
    }
}
