//! Whatever is on the disk: no panic, no memory in proportion to a number that was read, and no
//! record that was not written.

mod common;

use common::{push, record};
use espalier_store::{Batch, BatchWriter, Commit, Reader, RecordId, Store, StoreError};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::path::Path;

/// Knows how much was asked for at once, by each thread, so that tests do not mix.
struct Watched;

thread_local! {
    static LARGEST: Cell<usize> = const { Cell::new(0) };
}

fn note(size: usize) {
    LARGEST.set(LARGEST.get().max(size));
}

/// Runs this, and fails if it asked for more at once than anything that is right does.
fn frugally<T>(run: impl FnOnce() -> T) -> T {
    LARGEST.set(0);
    let result = run();
    assert!(LARGEST.get() < TOO_MUCH, "{} bytes at once", LARGEST.get());
    result
}

// SAFETY: it is the system's allocator, which is only watched.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: the caller's promises are those of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are those of `System`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size);
        // SAFETY: the caller's promises are those of `System`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// Two batches, and what SQLite has for its pages.
const TOO_MUCH: usize = 1 << 20;

/// Reads all of it in each way there is.
fn read(batch: &Batch) {
    let mut end = 0;
    for found in batch.records() {
        match found {
            Ok((place, found)) => {
                assert_eq!(place.batch(), batch.seq);
                assert!(place.offset() >= end, "records come one behind the other");
                end = place.offset() + 1;
                assert_eq!(batch.record_at(place.offset()), Ok(found));
            }
            Err(damaged) => assert_eq!(batch.record_at(damaged.offset), Err(damaged)),
        }
    }
    for offset in (0..batch.data.len() as u32 + 2).chain([u32::MAX]) {
        let _ = batch.record_at(offset);
    }
}

fn batch(data: Vec<u8>) -> Batch {
    Batch { seq: 1, worker: 0, base: RecordId(0), next_id: 1, records: 1, revised: Vec::new(), data }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn random_bytes_are_no_danger(data in vec(any::<u8>(), 0..300)) {
        frugally(|| read(&batch(data)));
    }

    /// A head that is right, and then numbers that are large.
    #[test]
    fn large_numbers_are_no_danger(
        head in any::<u8>(),
        data in vec(prop_oneof![Just(0xff), Just(0x7f), Just(1), Just(0), any::<u8>()], 0..60),
    ) {
        let mut bytes = vec![head & 0x7f, 0, 0, 0, 0, 1, 2, 3, 4, 0];
        bytes.extend(data);
        frugally(|| read(&batch(bytes)));
    }

    #[test]
    fn flipped_bytes_are_no_danger(
        records in vec(record(), 1..20),
        flips in vec((any::<prop::sample::Index>(), 1u8..), 1..4),
    ) {
        let mut writer = BatchWriter::new(1, 0, 1);
        records.iter().for_each(|record| {
            push(&mut writer, record, false);
        });
        let mut batch = writer.seal().remove(0);
        for (index, flip) in flips {
            let index = index.index(batch.data.len());
            batch.data[index] ^= flip;
        }
        frugally(|| read(&batch));
    }
}

/// A closed database with batches of several sizes, and what is in it.
fn database(dir: &Path) -> (Vec<Batch>, Vec<Vec<u8>>, Vec<u8>) {
    let mut runner = TestRunner::deterministic();
    let mut store = Store::create(dir, &[("program", b"abc")]).unwrap();
    store.begin_run("now", "options", "version").unwrap();
    let mut all = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..12u64 {
        let mut writer = BatchWriter::new(1 + 4 * number, 0, 1 + 100 * number);
        let mut batches = Vec::new();
        for size in [3, 600, 40, 1] {
            for record in vec(record(), size).new_tree(&mut runner).unwrap().current() {
                push(&mut writer, &record, number % 3 == 0);
            }
            batches.extend(writer.seal());
        }
        let learnt = vec![vec![number as u8; 3000]];
        all.0.extend(batches.clone());
        all.1.extend(learnt.clone());
        all.2 = vec![number as u8; 20_000];
        store.commit(&Commit { batches, learnt, snapshot: Some(all.2.clone()), ..Commit::default() }).unwrap();
    }
    store.end_run("then", "done").unwrap();
    all
}

/// Everything that can be read is what was written. How many batches are lost, and how many were
/// said to be.
fn check(dir: &Path, all: &(Vec<Batch>, Vec<Vec<u8>>, Vec<u8>)) -> Result<(u64, u64), StoreError> {
    let (batches, learnt, snapshot) = all;
    let reader = Reader::open(dir)?;
    let mut found = Vec::new();
    let scanned = reader.scan(&mut |_, batch| found.push(batch))?;
    assert_eq!(scanned.batches, found.len() as u64);
    assert!(found.iter().all(|found| batches.contains(found)));
    assert!(found.is_sorted_by(|one, other| one.seq < other.seq));
    let mut found_learnt = Vec::new();
    reader.learnt(&mut |data| found_learnt.push(data))?;
    assert!(found_learnt.iter().all(|found| learnt.contains(found)));
    let found_snapshots = reader.snapshots()?;
    assert!(found_snapshots.iter().all(|(_, _, data)| data == snapshot));
    assert!(reader.skipped() >= scanned.damaged);
    for batch in batches {
        if let Ok(Some(found)) = reader.batch(batch.seq) {
            assert_eq!(found, *batch);
        }
    }
    let _ = (reader.runs(), reader.divergences(), reader.meta("program"));
    Ok((batches.len() as u64 - scanned.batches, scanned.damaged))
}

#[test]
fn a_database_with_flipped_bytes_gives_what_was_written_or_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let all = database(dir.path());
    assert_eq!(check(dir.path(), &all).unwrap(), (0, 0));
    let path = dir.path().join("tree.db");
    let whole = std::fs::read(&path).unwrap();
    let mut runner = TestRunner::deterministic();
    let pages = whole.len() / 16384;
    let (mut opened, mut lossy, mut few, mut silent) = (0, 0, 0, 0);
    for round in 0..300 {
        // Anywhere; at the begin of a page, where its structure is; in the first page.
        let place = match round % 3 {
            0 => (0..whole.len()).boxed(),
            1 => (0..pages, 0..64usize).prop_map(|(page, offset)| page * 16384 + offset).boxed(),
            _ => prop_oneof![0..120usize, 14_000..16_384usize].boxed(),
        };
        let (place, flip) = (place, 1u8..).new_tree(&mut runner).unwrap().current();
        let mut damaged = whole.clone();
        damaged[place] ^= flip;
        std::fs::write(&path, damaged).unwrap();
        if let Ok((lost, said)) = frugally(|| check(dir.path(), &all)) {
            opened += 1;
            lossy += u32::from(lost > 0);
            few += u32::from(lost > 0 && lost < 12);
            silent += u32::from(lost > 0 && said == 0);
        }
        if let Ok(mut store) = Store::open(dir.path()) {
            let _ = store.commit(&Commit { learnt: vec![vec![1]], ..Commit::default() });
        }
    }
    let counts = format!("{opened} opened, {lossy} lossy, {few} of them a little, {silent} of them silently");
    // A page that claims to have fewer rows is one that SQLite believes.
    assert!(opened > 150 && lossy > 20 && few > lossy / 2 && silent < lossy / 5, "{counts}");
    std::fs::write(&path, whole).unwrap();
    assert_eq!(check(dir.path(), &all).unwrap(), (0, 0));
}

#[test]
fn a_file_that_was_cut_off_or_is_something_else_is_an_error_or_has_less() {
    let dir = tempfile::tempdir().unwrap();
    let all = database(dir.path());
    let path = dir.path().join("tree.db");
    let whole = std::fs::read(&path).unwrap();
    for part in 0..20 {
        std::fs::write(&path, &whole[..whole.len() * part / 20]).unwrap();
        if let Ok((lost, said)) = check(dir.path(), &all) {
            assert!(lost > 0 && said > 0, "{part} of 20 parts");
        }
    }
    std::fs::write(&path, vec![b'x'; 100_000]).unwrap();
    let error = Reader::open(dir.path()).unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
    assert!(error.to_string().contains("restore it from a copy"), "{error}");
    assert!(Store::open(dir.path()).is_err());
}
