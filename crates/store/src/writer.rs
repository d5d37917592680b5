//! A thread that writes, so that exploration does not wait for the disk unless the disk is 64 MiB
//! behind.
//!
//! When a commit fails, most likely because the disk is full, it is rolled back, and everything
//! after it is dropped: a later part of a run without an earlier one would not be a tree. Whoever
//! sends asks for the [`Writer::failure`] from time to time, and stops.

use crate::{Commit, Location, Store, StoreError, Tasks};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Who is no worker need not be heard of.
const NO_HEARTBEAT: Duration = Duration::from_secs(3600);
/// Bytes that may be under way.
const ROOM: usize = 64 << 20;

struct Job {
    commit: Commit,
    bytes: usize,
    done: Option<SyncSender<Result<(), StoreError>>>,
}

/// What sender and thread share.
#[derive(Default)]
struct Shared {
    failure: OnceLock<Arc<StoreError>>,
    under_way: Mutex<UnderWay>,
    less: Condvar,
}

#[derive(Default)]
struct UnderWay {
    bytes: usize,
    /// The thread takes nothing any more.
    over: bool,
}

impl Shared {
    fn under_way(&self) -> MutexGuard<'_, UnderWay> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The thread that writes. When it is dropped, what was sent is written first.
pub struct Writer {
    location: Location,
    run: u64,
    shared: Arc<Shared>,
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<Store>>,
}

impl Writer {
    pub fn start(store: Store) -> Writer {
        let (location, run) = (store.location().clone(), store.run());
        let shared = Arc::new(Shared::default());
        let (jobs, received) = channel();
        let of_thread = shared.clone();
        let thread = std::thread::spawn(move || write(store, &received, &of_thread));
        Writer { location, run, shared, jobs: Some(jobs), thread: Some(thread) }
    }

    /// Begins to share the tree with workers; see [`Tasks::begin`].
    pub fn share(&self, first_batch: u64) -> Result<Tasks, StoreError> {
        Tasks::begin(&self.location, self.run, first_batch)
    }

    /// The tasks of the tree as they are.
    pub fn tasks(&self) -> Result<Tasks, StoreError> {
        Tasks::of_owner(&self.location, self.run)
    }

    /// Where the tree is, if it is in a directory.
    pub fn directory(&self) -> Option<&Path> {
        self.location.directory()
    }

    /// Has this written some time. Waits while there is too much under way.
    pub fn send(&self, commit: Commit) {
        self.enqueue(commit, None);
    }

    /// Has this written, after all that was sent before, and waits until it is on the disk.
    pub fn send_and_wait(&self, commit: Commit) -> Result<(), StoreError> {
        let (done, answer) = sync_channel(1);
        self.enqueue(commit, Some(done));
        answer.recv().unwrap_or_else(|_| Err(self.why()))
    }

    /// Why nothing is written any more.
    pub fn failure(&self) -> Option<Arc<StoreError>> {
        self.shared.failure.get().cloned()
    }

    /// Writes what was sent, and that the run has ended.
    pub fn finish(mut self, ended: &str, stop: &str) -> Result<Store, StoreError> {
        let Some(mut store) = self.join() else { return Err(self.why()) };
        let written = store.end_run(ended, stop);
        match self.failure() {
            Some(failure) => Err((*failure).clone()),
            None => written.map(|()| store),
        }
    }

    fn enqueue(&self, commit: Commit, done: Option<SyncSender<Result<(), StoreError>>>) {
        let bytes = commit.bytes();
        let mut under_way = self.shared.under_way();
        while under_way.bytes > 0 && under_way.bytes + bytes > ROOM && !under_way.over {
            under_way = self.shared.less.wait(under_way).unwrap_or_else(PoisonError::into_inner);
        }
        under_way.bytes += bytes;
        drop(under_way);
        if let Some(jobs) = &self.jobs {
            // A thread that is gone has left a reason, and drops everything.
            let _ = jobs.send(Job { commit, bytes, done });
        }
    }

    fn why(&self) -> StoreError {
        self.failure().map_or_else(|| StoreError::Died(self.location.database()), |failure| (*failure).clone())
    }

    fn join(&mut self) -> Option<Store> {
        self.jobs = None;
        self.thread.take()?.join().ok()
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.join();
    }
}

/// Says so when the thread ends, in whatever way, so that nobody waits for it.
struct Over<'a> {
    shared: &'a Shared,
    at: String,
}

impl Drop for Over<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.shared.failure.set(Arc::new(StoreError::Died(std::mem::take(&mut self.at))));
        }
        self.shared.under_way().over = true;
        self.shared.less.notify_all();
    }
}

fn write(mut store: Store, jobs: &Receiver<Job>, shared: &Shared) -> Store {
    let _over = Over { shared, at: store.location().database() };
    let heartbeat = store.heartbeat().unwrap_or(NO_HEARTBEAT);
    loop {
        let Job { commit, bytes, done } = match jobs.recv_timeout(heartbeat) {
            Ok(job) => job,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                // If this fails, so does the next commit.
                let _ = store.stay();
                continue;
            }
        };
        let result = match shared.failure.get() {
            Some(failure) => Err((**failure).clone()),
            None => store.commit(&commit),
        };
        if let Err(error) = &result {
            shared.failure.get_or_init(|| Arc::new(error.clone()));
        }
        drop(commit);
        shared.under_way().bytes -= bytes;
        shared.less.notify_all();
        if let Some(done) = done {
            // Who does not wait any more does not want to know.
            let _ = done.send(result);
        }
    }
    store
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Batch, Reader, RecordId};

    fn idle(shared: Arc<Shared>, jobs: Sender<Job>) -> Writer {
        Writer { location: Location::Directory("x".into()), run: 0, shared, jobs: Some(jobs), thread: None }
    }

    fn commit(seq: u64, bytes: usize) -> Commit {
        let batch = Batch {
            seq,
            worker: 0,
            base: RecordId(0),
            next_id: seq,
            records: 1,
            revised: Vec::new(),
            data: vec![seq as u8; bytes],
        };
        Commit { batches: vec![batch], snapshot: Some(vec![seq as u8; 1000]), ..Commit::default() }
    }

    #[test]
    fn a_full_disk_ends_writing_and_leaves_the_last_commit() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::create(dir.path(), &[]).unwrap();
        store.begin_run("now", "", "").unwrap();
        store.limit_pages(40);
        let writer = Writer::start(store);
        let mut written = 0;
        let error = loop {
            match writer.send_and_wait(commit(written + 1, 60_000)) {
                Ok(()) => written += 1,
                Err(error) => break error,
            }
            assert!(written < 20);
        };
        assert!(written > 2, "some of it has room");
        assert!(matches!(error, StoreError::Full { .. }), "{error:?}");
        assert!(error.to_string().contains("make space and resume"), "{error}");
        assert!(matches!(*writer.failure().unwrap(), StoreError::Full { .. }));
        writer.send(commit(written + 2, 1));
        assert!(writer.send_and_wait(commit(written + 3, 1)).is_err(), "a small one has room, but comes after");
        assert!(matches!(writer.finish("then", "store").unwrap_err(), StoreError::Full { .. }));

        let reader = Reader::open(dir.path()).unwrap();
        let mut seen = Vec::new();
        let scanned = reader.scan(&mut |_, batch| seen.push(batch)).unwrap();
        assert_eq!((scanned.batches, scanned.damaged, scanned.last_seq), (written, 0, written));
        assert!(seen.iter().zip(1..).all(|(batch, seq)| batch.data == vec![seq; 60_000]));
        assert_eq!(reader.snapshots().unwrap(), [(1, 0, vec![written as u8; 1000])]);
        drop(reader);
        let mut store = Store::open(dir.path()).unwrap();
        store.commit(&commit(written + 1, 60_000)).unwrap();
    }

    #[test]
    fn sending_waits_while_too_much_is_under_way() {
        let shared = Arc::new(Shared::default());
        let (jobs, received) = channel();
        let writer = idle(shared.clone(), jobs);
        let big = || Commit { learnt: vec![vec![0; ROOM / 2]], ..Commit::default() };
        writer.send(big());
        writer.send(big());
        std::thread::scope(|scope| {
            let third = scope.spawn(|| writer.send(big()));
            std::thread::sleep(std::time::Duration::from_millis(50));
            assert!(!third.is_finished(), "there is no room");
            assert_eq!(shared.under_way().bytes, ROOM);
            received.recv().unwrap();
            shared.under_way().bytes -= ROOM / 2;
            shared.less.notify_all();
            third.join().unwrap();
        });
        drop(writer);
        assert_eq!(received.iter().count(), 2);
    }

    #[test]
    fn nobody_waits_for_a_thread_that_has_died() {
        let shared = Arc::new(Shared::default());
        let (jobs, received) = channel();
        let of_thread = shared.clone();
        let dying = std::thread::spawn(move || {
            let _over = Over { shared: &of_thread, at: "x".to_owned() };
            let _received: Receiver<Job> = received;
            panic!("for the test");
        });
        assert!(dying.join().is_err());
        let writer = idle(shared, jobs);
        for _ in 0..3 {
            writer.send(Commit { learnt: vec![vec![0; ROOM]], ..Commit::default() });
        }
        assert!(matches!(writer.send_and_wait(Commit::default()), Err(StoreError::Died(_))));
        assert!(matches!(writer.finish("", ""), Err(StoreError::Died(_))));
    }
}
