//! What is written comes back, whole, to whoever reads it, and one process writes.

mod common;
mod homes;

use common::{push, record};
use espalier_store::{
    Answers, Batch, BatchWriter, Commit, Divergence, End, Outcome, Place, Reader, Record, RecordId, Store, StoreError,
    Verdict, Way, Writer, round_work,
};
use homes::{Home, with_both};
use proptest::collection::vec;
use proptest::prelude::*;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

with_both!(
    everything_else_comes_back_too,
    a_tree_is_not_made_twice,
    a_commit_that_fails_leaves_nothing,
    a_reader_beside_a_writer_sees_whole_commits,
    a_writer_that_is_dropped_has_written,
);

fn scan(reader: &Reader) -> Vec<Batch> {
    let mut batches = Vec::new();
    let scanned = reader.scan(&mut |_, batch| batches.push(batch)).unwrap();
    assert_eq!((scanned.batches, scanned.damaged), (batches.len() as u64, 0));
    assert_eq!(scanned.last_seq, batches.last().map_or(0, |batch| batch.seq));
    batches
}

/// The record as it is kept.
fn kept(record: &Record) -> Record {
    Record { work: round_work(record.work), ..record.clone() }
}

fn ended(id: u64, test: u64) -> Record {
    Record {
        id: RecordId(id),
        function: 1,
        instruction: 2,
        instructions: 3,
        trace: 4,
        work: 5,
        answers: Answers::default(),
        outcome: Outcome::End(End { verdict: Verdict::Exit, test: Some(test) }),
    }
}

fn batches(first_seq: u64, count: u64) -> Vec<Batch> {
    (first_seq..first_seq + count)
        .flat_map(|seq| {
            let mut writer = BatchWriter::new(seq, 0, seq);
            push(&mut writer, &ended(seq, seq), false);
            writer.seal()
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn records_come_back_as_they_were(
        records in vec((record(), any::<bool>()), 1..60),
        worker in any::<u16>(),
        next in 1u64..1 << 30,
        cuts in vec(0usize..60, 0..4),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::create(dir.path(), &[("program", b"abc")]).unwrap();
        store.begin_run("now", "", "").unwrap();
        let mut writer = BatchWriter::new(1, worker, next);
        let mut places = Vec::new();
        let mut sealed = Vec::new();
        for (index, (record, again)) in records.iter().enumerate() {
            places.push(push(&mut writer, record, *again));
            if cuts.contains(&index) {
                let batches = writer.seal();
                sealed.extend(batches.clone());
                store.commit(&Commit { batches, ..Commit::default() }).unwrap();
            }
        }
        let batches = writer.seal();
        sealed.extend(batches.clone());
        store.commit(&Commit { batches, ..Commit::default() }).unwrap();

        let reader = store.reader().unwrap();
        let read = scan(&reader);
        prop_assert_eq!(&read, &sealed);
        let found: Vec<(Place, Record)> = read.iter().flat_map(Batch::records).collect::<Result<_, _>>().unwrap();
        let expected: Vec<(Place, Record)> =
            places.iter().copied().zip(records.iter().map(|(record, _)| kept(record))).collect();
        prop_assert_eq!(found, expected);
        for (place, (record, _)) in places.iter().zip(&records) {
            let batch = reader.batch(place.batch()).unwrap().unwrap();
            prop_assert_eq!(batch.record_at(place.offset()).unwrap(), kept(record));
        }
        let revised: Vec<RecordId> = read.iter().flat_map(|batch| batch.revised.clone()).collect();
        let again: Vec<RecordId> = records.iter().filter(|(_, again)| *again).map(|(record, _)| record.id).collect();
        prop_assert_eq!(revised, again);
    }
}

#[test]
fn batches_are_sealed_at_64_kib_and_ids_go_on() {
    let mut writer = BatchWriter::new(7, 3, 100);
    let mut places = Vec::new();
    for test in 0..20_000 {
        let id = writer.next_ids(2);
        assert_eq!(id, RecordId::new(3, 100 + 2 * test));
        places.push(push(&mut writer, &ended(id.0, test), false));
    }
    let waiting = writer.waiting();
    let batches = writer.seal();
    assert_eq!(waiting, batches.iter().map(|batch| batch.data.len()).sum::<usize>());
    assert_eq!(writer.waiting(), 0);
    assert_eq!(writer.seal(), [], "there is nothing new");
    assert!(batches.len() > 3);
    for (batch, seq) in batches.iter().zip(7..) {
        assert_eq!((batch.seq, batch.worker), (seq, 3));
        assert!(batch.data.len() < (64 << 10) + 100);
        assert_eq!(batch.records as usize, batch.records().count());
        assert_eq!(batch.base.worker(), 3);
    }
    assert!(batches[..batches.len() - 1].iter().all(|batch| batch.data.len() >= 64 << 10));
    assert!(batches.windows(2).all(|pair| pair[1].base.counter() == pair[0].next_id));
    assert_eq!(batches.last().unwrap().next_id, 100 + 40_000);
    for (test, place) in places.iter().enumerate() {
        let batch = &batches[place.batch() as usize - 7];
        assert_eq!(batch.record_at(place.offset()).unwrap(), ended((3 << 48) + 100 + 2 * test as u64, test as u64));
    }
}

#[test]
fn a_branch_has_its_labels_for_nothing() {
    let size = |labels: [&[u8]; 2]| {
        let ways = labels.map(|label| Way { label: label.into(), end: None }).to_vec();
        let answers = Answers { count: 4, bits: [0x55][..].into(), ..Answers::default() };
        let record = Record {
            function: 100,
            instruction: 1000,
            instructions: 500,
            answers,
            outcome: Outcome::Fork { first_child: RecordId(3000), ways },
            ..ended(1000, 0)
        };
        let mut writer = BatchWriter::new(1, 0, 1);
        push(&mut writer, &record, false);
        assert_eq!(writer.seal()[0].records().next().unwrap().unwrap().1, kept(&record));
        let mut writer = BatchWriter::new(1, 0, 1);
        push(&mut writer, &record, false);
        writer.waiting()
    };
    assert_eq!(size([&[1], &[0]]), 17);
    assert_eq!(size([&[0], &[1]]), 17);
    assert_eq!(size([&[2], &[0]]), 17 + 5);
}

fn everything_else_comes_back_too(home: &Home) {
    let mut store = Store::create(&home.location, &[("program", b"\0\xff"), ("empty", b"")]).unwrap();
    let first = store.begin_run("monday", "--depth 5", "1.0").unwrap();
    let divergence = Divergence {
        run: first,
        node: RecordId(u64::MAX),
        what: "branch".into(),
        expected: "yes".into(),
        got: "no".into(),
    };
    let learnt = vec![vec![1, 2], vec![], vec![3; 100_000]];
    let commit = |snapshot: &[u8]| Commit {
        learnt: learnt.clone(),
        snapshot: Some(snapshot.to_vec()),
        divergences: vec![divergence.clone()],
        ..Commit::default()
    };
    store.commit(&commit(b"old")).unwrap();
    store.commit(&commit(b"new")).unwrap();
    store.end_run("tuesday", "done").unwrap();
    drop(store);
    let mut store = Store::open(&home.location).unwrap();
    let second = store.begin_run("friday", "", "1.1").unwrap();
    store.commit(&Commit { snapshot: Some(b"other".to_vec()), ..Commit::default() }).unwrap();

    let reader = Reader::open(&home.location).unwrap();
    assert_eq!(reader.meta("program").unwrap().unwrap(), b"\0\xff");
    assert_eq!(reader.meta("empty").unwrap().unwrap(), b"");
    assert_eq!(reader.meta("nothing").unwrap(), None);
    let runs = reader.runs().unwrap();
    assert_eq!(runs.iter().map(|run| run.id).collect::<Vec<_>>(), [first, second]);
    assert_eq!((&*runs[0].started, runs[0].ended.as_deref()), ("monday", Some("tuesday")));
    assert_eq!((runs[0].stop.as_deref(), &*runs[0].options, &*runs[0].version), (Some("done"), "--depth 5", "1.0"));
    assert_eq!((&*runs[1].started, &runs[1].ended, &runs[1].stop), ("friday", &None, &None));
    let mut found = Vec::new();
    reader.learnt(&mut |data| found.push(data)).unwrap();
    assert_eq!(found, [learnt.clone(), learnt].concat());
    assert_eq!(reader.snapshots().unwrap(), [(first, 0, b"new".to_vec()), (second, 0, b"other".to_vec())]);
    assert_eq!(reader.divergences().unwrap(), [divergence.clone(), divergence]);
    assert_eq!(reader.skipped(), 0);
}

#[test]
fn a_tree_is_not_made_out_of_nothing() {
    let dir = tempfile::tempdir().unwrap();
    assert!(matches!(Store::open(dir.path()), Err(StoreError::Missing(_))));
    assert!(matches!(Reader::open(dir.path()), Err(StoreError::Missing(_))));
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "nothing was made");
    let nested = dir.path().join("a/b");
    Store::create(&nested, &[]).unwrap();
    Store::open(&nested).unwrap();
}

fn a_tree_is_not_made_twice(home: &Home) {
    assert!(matches!(Store::open(&home.location), Err(StoreError::Missing(_))));
    assert!(matches!(Reader::open(&home.location), Err(StoreError::Missing(_))));
    drop(Store::create(&home.location, &[]).unwrap());
    let error = Store::create(&home.location, &[]).unwrap_err();
    assert!(matches!(error, StoreError::Exists(_)), "{error:?}");
    let other = if home.location.directory().is_some() { "another directory" } else { "another name (?tree=NAME)" };
    assert!(error.to_string().ends_with(&format!("go on with it, or choose {other}")), "{error}");
}

fn a_commit_that_fails_leaves_nothing(home: &Home) {
    let mut store = Store::create(&home.location, &[]).unwrap();
    store.commit(&Commit { batches: batches(5, 1), ..Commit::default() }).unwrap();
    let twice = Commit { batches: batches(4, 2), learnt: vec![vec![1]], ..Commit::default() };
    assert!(store.commit(&twice).is_err(), "there is a batch 5 already");
    let reader = store.reader().unwrap();
    assert_eq!(scan(&reader), batches(5, 1));
    reader.learnt(&mut |_| panic!("it came with the batches")).unwrap();
}

#[test]
fn a_second_writer_in_this_process_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::create(dir.path(), &[]).unwrap();
    let error = Store::open(dir.path()).unwrap_err();
    let text = format!("is being written by process {}: wait for it, or stop it", std::process::id());
    assert!(error.to_string().ends_with(&text), "{error}");
    assert!(matches!(Store::create(dir.path(), &[]), Err(StoreError::Owned { .. })));
    drop(store);
    Store::open(dir.path()).unwrap();
}

const CHILD: &str = "ESPALIER_STORE_TEST_CHILD";

/// Not a test of its own: the process that `a_process_that_is_killed` kills.
#[test]
fn child() {
    let Some(dir) = std::env::var_os(CHILD).map(PathBuf::from) else { return };
    let mut store = Store::create(&dir, &[]).unwrap();
    for seq in 1.. {
        store.commit(&Commit { batches: batches(2 * seq, 2), ..Commit::default() }).unwrap();
        if seq == 5 {
            println!("\nfive");
        }
    }
}

#[test]
fn a_process_that_is_killed_leaves_whole_commits_and_no_lock() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--nocapture"])
        .env(CHILD, dir.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line == "five"));
    let refused = Store::open(dir.path());
    let beside = scan(&Reader::open(dir.path()).unwrap());
    child.kill().unwrap();
    child.wait().unwrap();
    match refused.unwrap_err() {
        StoreError::Owned { pid, .. } => assert_eq!(pid, Some(child.id())),
        other => panic!("{other}"),
    }
    let mut store = Store::open(dir.path()).unwrap();
    let after = scan(&store.reader().unwrap());
    assert!(beside.len() >= 10 && beside.len().is_multiple_of(2), "{}", beside.len());
    assert!(after.len() >= beside.len() && after.len().is_multiple_of(2), "{}", after.len());
    assert_eq!(after, batches(2, after.len() as u64));
    store.commit(&Commit { batches: batches(2 + after.len() as u64, 1), ..Commit::default() }).unwrap();
}

fn a_reader_beside_a_writer_sees_whole_commits(home: &Home) {
    let mut store = Store::create(&home.location, &[]).unwrap();
    store.begin_run("now", "", "").unwrap();
    let reader = store.reader().unwrap();
    let writer = Writer::start(store);
    let last = 60;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for number in 0..last {
                let snapshot = Some(vec![number as u8 + 1]);
                writer.send(Commit { batches: batches(1 + 3 * number, 3), snapshot, ..Commit::default() });
            }
        });
        let mut seen = 0;
        while seen < 3 * last {
            let snapshot = reader.snapshots().unwrap().first().map_or(0, |(_, _, data)| u64::from(data[0]));
            let read = scan(&reader).len() as u64;
            assert!(read.is_multiple_of(3), "{read}");
            assert!(read >= 3 * snapshot && read >= seen, "{read} batches after snapshot {snapshot}");
            seen = read;
        }
    });
    assert!(writer.failure().is_none());
    let store = writer.finish("then", "done").unwrap();
    assert_eq!(scan(&store.reader().unwrap()), batches(1, 3 * last));
    assert_eq!(reader.runs().unwrap()[0].stop.as_deref(), Some("done"));
}

fn a_writer_that_is_dropped_has_written(home: &Home) {
    let writer = Writer::start(Store::create(&home.location, &[]).unwrap());
    writer.send(Commit { batches: batches(1, 3), ..Commit::default() });
    drop(writer);
    assert_eq!(scan(&Reader::open(&home.location).unwrap()), batches(1, 3));
}

fn copy(from: &Path, to: &Path, log: usize) {
    std::fs::copy(from.join("tree.db"), to.join("tree.db")).unwrap();
    let bytes = std::fs::read(from.join("tree.db-wal")).unwrap();
    std::fs::write(to.join("tree.db-wal"), &bytes[..log.min(bytes.len())]).unwrap();
}

#[test]
fn a_log_that_was_cut_off_has_whole_commits() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = Store::create(dir.path(), &[]).unwrap();
    store.commit(&Commit { learnt: vec![vec![0]], ..Commit::default() }).unwrap();
    let log = || std::fs::metadata(dir.path().join("tree.db-wal")).unwrap().len() as usize;
    let begin = log();
    for number in 0..8 {
        store.commit(&Commit { batches: batches(1 + 3 * number, 3), ..Commit::default() }).unwrap();
    }
    let end = log();
    let mut lengths = Vec::new();
    for step in 0..=40 {
        let cut = tempfile::tempdir().unwrap();
        copy(dir.path(), cut.path(), begin + (end - begin) * step / 40);
        let found = scan(&Reader::open(cut.path()).unwrap());
        assert_eq!(found, batches(1, found.len() as u64));
        assert!(found.len().is_multiple_of(3), "{}", found.len());
        lengths.push(found.len());
    }
    assert!(lengths.is_sorted());
    assert_eq!((lengths[0], lengths[40]), (0, 24));
}
